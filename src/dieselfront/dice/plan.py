"""Plans: every chain of rolls of every game as a few stages in a row, from dice to losses, each with its rule.

A plan works on tallies, small whole numbers by name (dice, hits, wounds, pins, losses). Each stage reads some of them
and changes some. Rulesets make plans; play performs them stage by stage (performing.py); the odds room evaluates the
same objects exactly (odds/exact.py), without knowing any game.

    Score      n dice → successes            Save       one die for every item, successes cancel one each
    Multiply   every item is worth a number  Subtract   a sum less the successes of some dice and a constant
    Table      a roll read on lines          Check      a low sum of dice passes
    Repeat     stages for every item in turn Cap, Add, Look, Highest, When: bookkeeping between them
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from dieselfront.dice.performing import Hand, PlainHand, perform_stage, perform_stages, settle
from dieselfront.dice.stages import (
    DESTROYED,
    DICE,
    HITS,
    LOSSES,
    POINTS,
    ROLLER,
    TARGET,
    UNSAVED,
    Add,
    Cap,
    Check,
    Highest,
    Look,
    Multiply,
    Number,
    Repeat,
    Save,
    Score,
    Set,
    Stage,
    Subtract,
    Table,
    TableRow,
    Tallies,
    When,
    amount_of,
    everything,
)
from dieselfront.dice.throw import Because, Throw


class Plan:
    """Stages in a row on one target.

    Tallies begin at 0, those of `start` as it says (anew for every plan of several on one target). `capacity` is what
    the target can still lose, in points or soldiers. `shows` are further tallies worth showing as distributions (pins),
    `events` those whose chance to be more than nothing is worth showing. `tells_all` is False where skills or players
    change what becomes of the results, so that only the procedure itself tells the end.
    """

    __slots__ = ("because", "capacity", "events", "label", "shows", "squad", "stages", "start", "tells_all")

    label: str
    capacity: int
    squad: bool
    because: tuple[Because, ...]
    stages: tuple[Stage, ...]
    start: Mapping[str, int]
    shows: tuple[str, ...]
    events: tuple[str, ...]
    tells_all: bool

    def __init__(
        self,
        label: str,
        stages: Sequence[Stage],
        start: Mapping[str, int],
        capacity: int = 1,
        squad: bool = False,
        because: tuple[Because, ...] = (),
        shows: Sequence[str] = (),
        events: Sequence[str] = (),
        tells_all: bool = True,
    ) -> None:
        self.label = label
        self.stages = tuple(stages)
        self.start = dict(start)
        self.capacity = capacity
        self.squad = squad
        self.because = because
        self.shows = tuple(shows)
        self.events = tuple(events)
        self.tells_all = tells_all

    def reasons(self) -> list[Because]:
        """Every item of the plan with its rule, in the order of resolution."""
        return [*self.because, *(item for stage in everything(self.stages) for item in stage.reasons())]


class PoolPlan:
    """Dice → hits → saves (each one die per hit left) → points → negation (one die per point) → losses.

    The commonest plan, kept as numbers until somebody asks for its stages. `damage` is the points an unsaved hit is
    worth (1 against a squad: one soldier a hit). `capacity` is what the target can still lose, in points or soldiers.
    `negate` rolls one die per point about to be lost; successes cancel one each. With `hit_by_hit` hits are resolved
    one after the other, and a hit costs no more points, and so rolls no more of these dice, than are left.
    """

    __slots__ = (
        "because",
        "capacity",
        "damage",
        "dice",
        "hit",
        "hit_by_hit",
        "label",
        "negate",
        "saves",
        "squad",
        "tells_all",
    )

    shows: tuple[str, ...] = ()
    events: tuple[str, ...] = ()

    def __init__(
        self,
        label: str,
        dice: int,
        hit: Throw,
        saves: tuple[Throw, ...] = (),
        damage: int = 1,
        capacity: int = 1,
        squad: bool = False,
        negate: Throw | None = None,
        because: tuple[Because, ...] = (),
    ) -> None:
        self.label = label
        self.dice = dice
        self.hit = hit
        self.saves = saves
        self.damage = damage
        self.capacity = capacity
        self.squad = squad
        self.negate = negate
        self.because = because
        self.tells_all = True
        self.hit_by_hit = False

    @property
    def start(self) -> Mapping[str, int]:
        """What the tallies of this pool begin with."""
        return {DICE: max(self.dice, 0), "hit": 0, "point": 0}

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The pool in stages."""
        stages: list[Stage] = [Score(self.hit, DICE, "hit"), Add(HITS, "hit")]
        stages += [Save(save, "hit") for save in self.saves]
        if self.hit_by_hit:
            return (*stages, Add(UNSAVED, "hit"), Repeat("hit", self._one_hit()))
        stages += [Add(UNSAVED, "hit"), Multiply(Number("", "", plus=self.damage), "hit", "point")]
        if self.negate is not None:
            stages.append(Save(self.negate, "point", kind="negate"))
        stages += [Add(POINTS, "point"), Add(LOSSES, "point"), Cap(LOSSES, self.capacity)]
        return tuple(stages)

    def _one_hit(self) -> tuple[Stage, ...]:
        """One of several hits: what it costs of what is left, and what of that is negated."""
        costs = [min(self.damage, self.capacity - lost) for lost in range(self.capacity + 1)]
        stages: list[Stage] = [Set({"point": 0}), Look(LOSSES, "point", costs)]
        if self.negate is not None:
            stages.append(Save(self.negate, "point", kind="negate"))
        return (*stages, Add(POINTS, "point"), Add(LOSSES, "point"))

    def reasons(self) -> list[Because]:
        """Every item of the plan with its rule, in the order of resolution."""
        because = [*self.because, *self.hit.because]
        for save in self.saves:
            because.extend(save.because)
        if self.negate is not None:
            because.extend(self.negate.because)
        return because


AnyPlan = Plan | PoolPlan


def as_list(plans: Sequence[AnyPlan] | AnyPlan) -> list[AnyPlan]:
    """One plan or several, as a list."""
    return [plans] if isinstance(plans, Plan | PoolPlan) else list(plans)


def perform_plans(plans: Sequence[AnyPlan], hand: Hand | None = None) -> Generator[Any, Any, Tallies]:
    """Plans on one target, one after the other, rolled throw by throw; returns the tallies in the end."""
    tallies: Tallies = dict.fromkeys(names_of(plans), 0)
    for plan in plans:
        tallies.update(plan.start)
        yield from perform_stages(plan.stages, tallies, hand or PlainHand())
    return tallies


def names_of(plans: Sequence[AnyPlan]) -> list[str]:
    """Every tally that plans use, those that all games share first."""
    names = dict.fromkeys((HITS, UNSAVED, POINTS, LOSSES, DESTROYED))
    for plan in plans:
        names.update(dict.fromkeys((*plan.start, *plan.shows, *plan.events)))
        for stage in everything(plan.stages):
            names.update(dict.fromkeys((*stage.reads(), *stage.writes())))
    return list(names)


__all__ = [
    "DESTROYED",
    "DICE",
    "HITS",
    "LOSSES",
    "POINTS",
    "ROLLER",
    "TARGET",
    "UNSAVED",
    "Add",
    "AnyPlan",
    "Cap",
    "Check",
    "Hand",
    "Highest",
    "Look",
    "Multiply",
    "Number",
    "PlainHand",
    "Plan",
    "PoolPlan",
    "Repeat",
    "Save",
    "Score",
    "Set",
    "Stage",
    "Subtract",
    "Table",
    "TableRow",
    "Tallies",
    "When",
    "amount_of",
    "as_list",
    "everything",
    "names_of",
    "perform_plans",
    "perform_stage",
    "perform_stages",
    "settle",
]
