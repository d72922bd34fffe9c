"""What is obviously right, in words: conditions on what a player chose and on the table afterwards.

A condition is a table of words, all of which must hold; `any`, `all` and `not` combine them. Most words look at
choices, so that the dice decide nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from dieselfront.kernel.decisions import Answer, Assign, Decision, PickSome, Place, say
from dieselfront.kernel.field import NO_COVER, At
from dieselfront.kernel.game import Game, Play
from dieselfront.kernel.ruleset import Ruleset
from dieselfront.referee.choices import NOBODY, simple
from dieselfront.referee.errors import suggestion
from dieselfront.referee.measured_words import NotUnderstood, spot

STRUCK_BY_HAND = ("Assaulted", "Overrun")
"""Events that say who was struck without any shot."""
UNIT_DECISIONS = ("activate", "unit", "actions", "order")
"""Decisions that say which unit an activation is about."""
ACTION_DECISIONS = ("actions", "ordered action")


class BadCondition(ValueError):
    """A condition that says nothing anybody understands; one sentence says what was expected."""


class Taken:
    """One choice of the player, put into words while the decision was pending."""

    __slots__ = ("aims", "best", "key", "parts", "unit", "words")

    def __init__(self, decision: Decision, answer: Answer) -> None:
        self.key = simple(decision.key)
        self.unit = decision.unit
        self.best = 0 if isinstance(answer, str) else -1
        self.words: tuple[str, ...] = ()
        self.aims: tuple[tuple[str, tuple[str, ...]], ...] = ()
        self.parts = tuple(simple(part) for part in answer if isinstance(part, str)) if type(answer) is tuple else ()
        if isinstance(decision, Assign):
            self.aims = tuple(
                (simple(decision.item(item)), _called(decision, chosen))
                for item, chosen in zip(decision.items, answer, strict=True)
                if chosen is not None
            )
        elif isinstance(decision, Place):
            self.words = _called(decision, answer[0])
        else:
            self.words = _called(decision, answer)

    @property
    def called(self) -> tuple[str, ...]:
        """Everything the choice may be called, its parts in a row among it."""
        return (*self.words, " ".join(self.parts)) if self.parts else self.words

    def in_words(self) -> str:
        """The choice for a reader."""
        shown = self.words[self.best] if self.words else ", ".join(f"{what} at {whom[-1]}" for what, whom in self.aims)
        return f"{self.key}: {shown or 'nothing'}"


def _called(decision: Decision, answer: Answer) -> tuple[str, ...]:
    """Everything an answer may be called, the plainest first."""
    if answer is None:
        return ("none",)
    alone = isinstance(answer, tuple) and answer and not isinstance(decision, PickSome)
    first = [say(answer[0])] if alone else []
    return tuple(dict.fromkeys(simple(word) for word in (*first, say(answer), decision.label(answer))))


class Scene:
    """What there is to look at: the game afterwards, the player's choices, what happened meanwhile."""

    def __init__(self, game: Game, side: int, taken: list[Taken], events: int, lengths: str = "in") -> None:
        self.lengths = lengths
        """What bare numbers mean on a measured table."""
        self.game = game
        self.rules: Ruleset[Any] = game.rules
        self.state = game.state
        self.side = side
        self.taken = taken
        self.happened = game.events[events:]

    def chosen(self, *keys: str) -> list[Taken]:
        return [one for one in self.taken if one.key in keys]

    def unit(self, name: str) -> Any:
        for unit in self.state.units:
            if unit.id == name:
                return unit
        raise BadCondition(f"there is no unit '{name}'{suggestion(name, [unit.id for unit in self.state.units])}")

    def stands(self, name: str) -> bool:
        """Is the unit on the table?"""
        return any(unit.id == name and unit.on_table for unit in self.rules.field.units(self.state))

    # -- shots ------------------------------------------------------------------------------------------------

    def shots(self) -> list[tuple[str, str]]:
        """Every weapon that was fired by the player's side, and at whom."""
        own = {unit.id for unit in self.state.units if unit.side == self.side}
        return [
            (simple(weapon), target)
            for facts, kind in ((msgspec.structs.asdict(event), type(event).__name__) for event in self.happened)
            if facts.get("unit", "") in own
            for weapon, target in _shots_of(kind, facts)
        ]

    def carried(self, name: str) -> list[str]:
        """The weapons that living models of a unit carry, and what these models are called."""
        return [simple(word) for word in self.rules.field.carried(self.state, self.unit(name).id)]

    # -- the table --------------------------------------------------------------------------------------------

    def squares(self, name: str) -> list[str]:
        return list(self.shown(name).get("places", ()))

    def shown(self, name: str) -> dict[str, Any]:
        """A unit as the view gives it."""
        units = self.rules.view(self.state)["units"]
        return next(unit for unit in units if unit["id"] == self.unit(name).id)

    def apart(self, name: str, other: str) -> float:
        """Squares, inches or centimetres between two units, or a unit and an objective or a place."""
        field = self.rules.field
        if any(unit.id == other for unit in self.state.units):
            return field.distance(self.state, name, other).length
        ends = [At(place) for goal in field.objectives(self.state) if goal.name == other for place in goal.places]
        if not ends and self.rules.table != "squares":
            try:
                ends = [At(spot(other, self.lengths))]
            except NotUnderstood:
                raise BadCondition(f"'{other}' is neither a unit nor an objective nor a place") from None
        return min(field.distance(self.state, name, end).length for end in ends or [At(other)])

    def is_gone(self, name: str) -> bool:
        """Is it a unit that is no longer on the table?"""
        return any(unit.id == name for unit in self.state.units) and not self.stands(name)

    def sees(self, name: str, other: str) -> bool:
        if not self.stands(name) or not self.stands(other):
            return False
        return self.rules.field.sight(Play(self.rules, self.state), name, other).visible

    def is_covered(self, name: str, enemy: str) -> bool:
        """Does the enemy see it in cover only, or not at all?"""
        if not self.sees(enemy, name):
            return True
        return self.rules.field.cover(Play(self.rules, self.state), enemy, name).cover != NO_COVER

    def holder(self, name: str) -> int | None:
        """Which side holds an objective."""
        for goal in self.rules.field.objectives(self.state):
            if goal.name == name:
                return goal.holder
        raise BadCondition(f"there is no objective '{name}'")


def _shots_of(kind: str, facts: dict[str, Any]) -> list[tuple[str, str]]:
    """The weapons fired in an event, each with its target; fists and hulls are weapons, too."""
    if kind in STRUCK_BY_HAND:
        return [(kind.lower(), facts["target"])]
    if kind == "PoolPlanned":
        return [(facts["weapon"], facts["target"])]
    pools = [(weapon, target) for weapon, _, target in facts.get("pools", ())]
    return pools + [(shot[0], shot[1]) for shot in facts.get("shots", ())]


# -- the words ------------------------------------------------------------------------------------------------


def _texts(wanted: Any) -> list[str]:
    """A word or a list of words."""
    words = wanted if isinstance(wanted, list) else [wanted]
    return [
        simple("none" if one is None else "yes" if one is True else "no" if one is False else str(one)) for one in words
    ]


def _unit(scene: Scene, wanted: Any) -> bool:
    """The unit that was activated, or given the order die, is one of these."""
    first = next((one for one in scene.taken if one.key in UNIT_DECISIONS), None)
    if first is None:
        return False
    called = (simple(first.unit),) if first.unit else (*first.words, *first.parts)
    return any(name in called for name in _texts(wanted))


def _action(scene: Scene, wanted: Any) -> bool:
    """The first sequence of actions declared holds one of these (`march + attack`: all of them, in this order)."""
    declared = scene.chosen(*ACTION_DECISIONS)
    if not declared:
        return False
    named = declared[0].words[-1].replace(", then ", "+").split("+")
    plain = [part.replace("free ", "").replace("special ", "").strip() for part in named]
    for text in _texts(wanted):
        parts = iter(plain)
        if all(any(part == one for part in parts) for one in (word.strip() for word in text.split("+"))):
            return True
    return False


def _order(scene: Scene, wanted: Any) -> bool:
    """The order that was given is one of these."""
    given = scene.chosen("order")
    return bool(given) and any(text in given[0].words for text in _texts(wanted))


def _target(scene: Scene, wanted: Any) -> bool:
    """Somebody of the player's side fired at, or assaulted, one of these."""
    struck = [target for _, target in scene.shots()]
    return any(name in struck for name in ([wanted] if isinstance(wanted, str) else wanted))


def _weapon(scene: Scene, wanted: dict[str, Any]) -> bool:
    """Every weapon named was fired at the target named; `none`: it stayed silent."""
    for name, whom in wanted.items():
        text = simple(name)
        aimed = [target for weapon, target in scene.shots() if text in weapon]
        whoms = whom if isinstance(whom, list) else [whom]
        if not any(not aimed if simple(str(one or "none")) in NOBODY else one in aimed for one in whoms):
            return False
    return True


def _aim(scene: Scene, wanted: dict[str, Any]) -> bool:
    """Every weapon named was aimed in this way: `{rifle: radio}`, `{rockets: salvo}`, `{gun: b1}`."""
    aims = [aim for one in scene.taken for aim in one.aims]
    return all(
        any(
            simple(name) in weapon and any(f" {text} " in f" {_bare(word)} " for word in words for text in _texts(how))
            for weapon, words in aims
        )
        for name, how in wanted.items()
    )


def _bare(text: str) -> str:
    return text.replace("(", " ").replace(")", " ").replace(",", " ")


def _answer(scene: Scene, wanted: dict[str, Any]) -> bool:
    """The first answer to every decision named is one of these."""
    for key, words in wanted.items():
        given = scene.chosen(simple(key))
        if not given:
            return False
        called = given[0].called
        if not any(text in called or text in NOBODY and "none" in called for text in _texts(words)):
            return False
    return True


def _never(scene: Scene, wanted: dict[str, Any]) -> bool:
    """No answer to a decision named was one of these."""
    return not any(
        any(text in one.called for text in _texts(words))
        for key, words in wanted.items()
        for one in scene.chosen(simple(key))
    )


def _at(scene: Scene, wanted: dict[str, Any]) -> bool:
    """Every unit stands on one of its squares."""
    return all(
        any(str(square) in scene.squares(name) for square in (squares if isinstance(squares, list) else [squares]))
        for name, squares in wanted.items()
    )


def _near(scene: Scene, wanted: dict[str, Any]) -> bool:
    """The unit is so near: {unit, to, most} in squares or inches; `least` for far away, as from whoever is gone."""
    if not scene.stands(wanted["unit"]):
        return False
    if scene.is_gone(wanted["to"]):
        return "most" not in wanted
    apart = scene.apart(wanted["unit"], wanted["to"])
    return bool(wanted.get("least", 0) <= apart <= wanted.get("most", 10**6))


def _holds(scene: Scene, wanted: Any) -> bool:
    """The player's side holds every objective named."""
    return all(scene.holder(name) == scene.side for name in (wanted if isinstance(wanted, list) else [wanted]))


def _denies(scene: Scene, wanted: Any) -> bool:
    """The enemy does not hold any objective named."""
    return all(scene.holder(name) != 1 - scene.side for name in (wanted if isinstance(wanted, list) else [wanted]))


def _cover(scene: Scene, wanted: Any) -> bool:
    """The unit stands in terrain that covers, or in a building."""
    return scene.rules.field.is_sheltered(scene.state, scene.unit(wanted).id)


def _hidden(scene: Scene, wanted: dict[str, Any]) -> bool:
    """Each unit lives and is out of sight of the enemies named."""
    return all(
        scene.stands(name) and not scene.sees(enemy, name)
        for name, enemies in wanted.items()
        for enemy in (enemies if isinstance(enemies, list) else [enemies])
    )


def _covered(scene: Scene, wanted: dict[str, Any]) -> bool:
    """Each unit lives, and each enemy named sees it in cover only, or not at all."""
    return all(
        scene.stands(name) and scene.is_covered(name, enemy)
        for name, enemies in wanted.items()
        for enemy in (enemies if isinstance(enemies, list) else [enemies])
    )


def _sees(scene: Scene, wanted: dict[str, Any]) -> bool:
    """Each unit sees the enemy named."""
    return all(scene.sees(name, enemy) for name, enemy in wanted.items())


def _aboard(scene: Scene, wanted: dict[str, Any]) -> bool:
    """Each unit rides in the carrier named; `none`: it stands on the table."""
    for name, carrier in wanted.items():
        unit = scene.shown(name)
        if (unit.get("carrier") or unit.get("aboard") or "none") != (carrier or "none"):
            return False
    return True


def _keeps(scene: Scene, wanted: dict[str, Any]) -> bool:
    """Each unit still has somebody to carry the weapons named, or who is called so."""
    for name, weapons in wanted.items():
        left = scene.carried(name)
        if not all(any(text in weapon for weapon in left) for text in _texts(weapons)):
            return False
    return True


def _stays(scene: Scene, wanted: Any) -> bool:
    """The unit did not move."""
    moves = [msgspec.structs.asdict(event) for event in scene.happened if type(event).__name__ == "Moved"]
    return wanted not in [move["unit"] for move in moves]


def _moves(scene: Scene, wanted: Any) -> bool:
    """The unit moved."""
    return not _stays(scene, wanted)


WORDS: dict[str, Callable[[Scene, Any], bool]] = {
    "unit": _unit,
    "action": _action,
    "order": _order,
    "target": _target,
    "weapon": _weapon,
    "aim": _aim,
    "answer": _answer,
    "never": _never,
    "at": _at,
    "near": _near,
    "holds": _holds,
    "denies": _denies,
    "cover": _cover,
    "hidden": _hidden,
    "covered": _covered,
    "sees": _sees,
    "aboard": _aboard,
    "keeps": _keeps,
    "stays": _stays,
    "moves": _moves,
    "any": lambda scene, wanted: any(holds(scene, one) for one in wanted),
    "all": lambda scene, wanted: all(holds(scene, one) for one in wanted),
    "not": lambda scene, wanted: not holds(scene, wanted),
}


def holds(scene: Scene, condition: Any) -> bool:
    """Does a condition hold?"""
    if not isinstance(condition, dict) or not condition:
        raise BadCondition(f"expected a table of words such as unit and target, not {condition!r}")
    for word in condition:
        if word not in WORDS:
            raise BadCondition(f"'{word}' is no condition{suggestion(str(word), WORDS)}")
    return all(WORDS[word](scene, wanted) for word, wanted in condition.items())


__all__ = ["WORDS", "BadCondition", "Scene", "Taken", "holds"]
