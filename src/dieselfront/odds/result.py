"""What an evaluation says: distributions, expectations, the chance of destruction, and the steps with their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from dieselfront.dice.throw import Because, Throw


class Step(NamedTuple):
    """One roll of the plan: how many dice to expect, which faces succeed, how likely, and the rules behind it."""

    pool: str  # the weapon
    kind: str  # hit, save, negate
    label: str
    dice: float
    faces: tuple[str, ...]
    chance: float
    chain: float
    expected: float
    rule: str
    rerolls: tuple[str, ...]
    because: tuple[Because, ...]

    @classmethod
    def of(
        cls,
        pool: str,
        throw: Throw,
        kind: str,
        dice: float,
        chance: float,
        chain: float,
        expected: float,
        because: Iterable[Because] = (),
    ) -> Step:
        """The step of a throw."""
        faces = throw.die.names(throw.faces)
        rerolls = tuple(again.rule for again in throw.rerolls)
        reasons = (*because, *throw.because)
        return cls(pool, kind, throw.label, dice, faces, chance, chain, expected, throw.rule, rerolls, reasons)

    def rules(self) -> list[str]:
        """The ids of the rules that made this step, each once."""
        return unique([self.rule, *self.rerolls, *(item.rule for item in self.because)])

    def to_json(self) -> dict[str, Any]:
        """The step as plain data."""
        return {
            "weapon": self.pool,
            "kind": self.kind,
            "label": self.label,
            "dice": self.dice,
            "faces": list(self.faces),
            "chance": self.chance,
            "chain": self.chain,
            "expected": self.expected,
            "rule": self.rule,
            "rerolls": list(self.rerolls),
            "because": [{"rule": item.rule, "text": item.text} for item in self.because],
        }


Later = Sequence[float] | Callable[[], Sequence[float]]
"""A distribution, or how to work it out when somebody looks."""


Mean = float | Callable[[], float]
"""An expectation, or how to work it out when somebody looks."""


class Odds:
    """The odds of an attack on one target.

    `hits`, `unsaved` and `points` are distributions before the target's capacity cuts them; `losses` ends with its
    destruction. Entry n of a distribution is the chance of exactly n; those nobody looks at are never worked out.
    `chances` holds further events by name (a token, a critical hit), `further` other distributions (pins), as the
    ruleset tells them.
    """

    __slots__ = (
        "_chances",
        "_hits",
        "_mean_hits",
        "_mean_points",
        "_mean_unsaved",
        "_points",
        "_steps",
        "_unsaved",
        "dead",
        "further",
        "label",
        "losses",
        "notes",
        "squad",
        "tail",
        "words",
    )

    def __init__(
        self,
        label: str,
        hits: Later,
        unsaved: Later,
        points: Later,
        losses: Sequence[float],
        mean_hits: Mean,
        mean_unsaved: Mean,
        mean_points: Mean,
        squad: bool = False,
        tail: float = 0.0,
        steps: Sequence[Step] | Callable[[], Sequence[Step]] = (),
    ) -> None:
        self.label = label
        self._hits: Any = hits
        self._unsaved: Any = unsaved
        self._points: Any = points
        self._steps: Any = steps
        self.losses = tuple(losses)
        self.squad = squad
        self.tail = tail
        self._mean_hits: Mean = mean_hits
        self._mean_unsaved: Mean = mean_unsaved
        self._mean_points: Mean = mean_points
        self.dead: float | None = None  # where destruction is more than losing everything (cheating death)
        self._chances: Any = {}
        self.notes: list[str] = []
        self.further: dict[str, tuple[float, ...]] = {}  # further distributions by name: pins
        self.words = ("soldiers" if squad else "points of damage", "past the saves")  # what is lost; hits that count

    @property
    def hits(self) -> tuple[float, ...]:
        """The chances of 0, 1, 2 ... hits."""
        self._hits = chances = _now(self._hits)
        return chances

    @property
    def unsaved(self) -> tuple[float, ...]:
        """The chances of 0, 1, 2 ... hits past the saves."""
        self._unsaved = chances = _now(self._unsaved)
        return chances

    @property
    def points(self) -> tuple[float, ...]:
        """The chances of 0, 1, 2 ... points of damage (soldiers, against a squad), however much the target can bear."""
        self._points = chances = _now(self._points)
        return chances

    @property
    def mean_hits(self) -> float:
        """Hits to be expected."""
        self._mean_hits = value = _number(self._mean_hits)
        return value

    @property
    def mean_unsaved(self) -> float:
        """Hits past the saves to be expected."""
        self._mean_unsaved = value = _number(self._mean_unsaved)
        return value

    @property
    def mean_points(self) -> float:
        """Points to be expected, before the target's capacity limits them."""
        self._mean_points = value = _number(self._mean_points)
        return value

    @property
    def chances(self) -> dict[str, float]:
        """The chances of further events by name."""
        if callable(self._chances):
            self._chances = self._chances()
        by_end: dict[str, float] = self._chances
        return by_end

    def tell_chances(self, how: Callable[[], dict[str, float]]) -> None:
        """How to work out further events, once somebody looks."""
        self._chances = how

    @property
    def steps(self) -> tuple[Step, ...]:
        """The rolls of the attack in order, each with its reasons."""
        self._steps = listed = _now(self._steps)
        return listed

    @property
    def capacity(self) -> int:
        """What the target can lose: soldiers or points of damage."""
        return len(self.losses) - 1

    @property
    def destroyed(self) -> float:
        """The chance that nothing of the target is left."""
        return self.losses[-1] if self.dead is None else self.dead

    @property
    def mean_losses(self) -> float:
        """Losses to be expected."""
        return mean(self.losses)

    @property
    def any_loss(self) -> float:
        """The chance of at least one soldier or point lost."""
        return 1.0 - self.losses[0]

    def at_least(self, losses: int) -> float:
        """The chance of losing so many or more."""
        return sum(self.losses[max(losses, 0) :])

    def quantile(self, share: float) -> int:
        """The losses that are not exceeded with a chance of `share`; 0.5 gives the median."""
        return quantile(self.losses, share)

    def rules(self) -> list[str]:
        """Every rule that shaped these odds, in order of appearance."""
        return unique(rule for step in self.steps for rule in step.rules())

    def expected(self) -> dict[str, float]:
        """The expectations by name."""
        return {
            "hits": self.mean_hits,
            "unsaved": self.mean_unsaved,
            "points": self.mean_points,
            "losses": self.mean_losses,
            **{name: mean(means) for name, means in self.further.items()},
        }

    def to_json(self) -> dict[str, Any]:
        """The odds as plain data, in the shape that `dieselfront odds --json` prints."""
        return {
            "label": self.label,
            "hits": as_json(self.hits),
            "unsaved": as_json(self.unsaved),
            "points": as_json(self.points),
            "losses": as_json(self.losses),
            "destroyed": self.destroyed,
            "capacity": self.capacity,
            "expected": self.expected(),
            "median": self.quantile(0.5),
            "chances": dict(self.chances),
            "steps": [step.to_json() for step in self.steps],
            "rules": self.rules(),
            "tail": self.tail,
            "notes": list(self.notes),
            **{name: as_json(plain) for name, plain in self.further.items()},
        }


class AttackOdds:
    """The odds of one attack: what happens to the target, and to the attacker if it is shot at or struck back."""

    __slots__ = (
        "_refused",
        "attacker",
        "attacker_odds",
        "choices",
        "other_odds",
        "outlook",
        "situation",
        "target",
        "target_odds",
    )

    def __init__(
        self,
        attacker: str,
        target: str,
        situation: Any,
        target_odds: Odds,
        attacker_odds: Odds | None = None,
        outlook: Any = None,
        refused: Callable[[], list[tuple[str, str, str]]] = list,
        other_odds: Sequence[tuple[str, Odds]] = (),
        choices: Sequence[str] = (),
    ) -> None:
        self.attacker = attacker
        self.target = target
        self.situation = situation
        self.target_odds = target_odds
        self.attacker_odds = attacker_odds
        self.outlook = outlook
        self._refused = refused
        self.other_odds = list(other_odds)  # further targets by name
        self.choices = tuple(choices)  # skills that may be used or kept

    def joint(self) -> list[dict[str, Any]]:
        """What can become of all targets together: losses of each, who is destroyed, and the chance of it."""
        rows: dict[Any, float] = {}
        for end, chance in self.outlook.chances.items() if self.other_odds else ():
            fates = (end.target, *end.others)
            key = tuple(fate.lost for fate in fates), tuple(fate.destroyed for fate in fates)
            rows[key] = rows.get(key, 0.0) + chance
        return [{"losses": key[0], "destroyed": key[1], "chance": rows[key]} for key in sorted(rows)]

    @property
    def refused(self) -> list[tuple[str, str, str]]:
        """The weapons that take no part: name, rule and reason."""
        return self._refused()

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data, in the shape that `dieselfront odds --json` prints."""
        shown = self.target_odds.to_json()
        shown["attacker"] = self.attacker
        shown["target"] = self.target
        shown["situation"] = self.situation
        shown["unused"] = [{"weapon": name, "rule": rule, "reason": reason} for name, rule, reason in self.refused]
        if self.attacker_odds is not None:
            shown["back"] = self.attacker_odds.to_json()
        if self.other_odds:
            shown["others"] = [{"target": name, **odds.to_json()} for name, odds in self.other_odds]
            shown["joint"] = self.joint()
        return shown


def _now(what: Any) -> tuple[Any, ...]:
    """What was promised for later, worked out."""
    return tuple(what() if callable(what) else what)


def _number(what: Mean) -> float:
    """What was promised for later, worked out."""
    return what() if callable(what) else what


def mean(distribution: Sequence[float]) -> float:
    """What to expect of a distribution."""
    return sum(value * chance for value, chance in enumerate(distribution))


def quantile(distribution: Sequence[float], share: float) -> int:
    """The smallest value that is not exceeded with a chance of `share`."""
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"a share is a number from 0 to 1, not {share}")
    below = 0.0
    for value, chance in enumerate(distribution):
        below += chance
        if below >= share - 1e-12:
            return value
    return len(distribution) - 1


def as_json(distribution: Sequence[float]) -> dict[str, float]:
    """A distribution as {value: chance}, without the values that cannot happen."""
    return {str(value): chance for value, chance in enumerate(distribution) if chance > 0.0}


def unique(names: Iterable[str]) -> list[str]:
    """Each name once, in order of appearance."""
    return [name for name in dict.fromkeys(names) if name]
