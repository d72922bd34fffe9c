"""The plan of an attack on one target: dice → HITs → damage → less cover → less armor roll → losses → damage table
(dw.attack.step_order, dw.attack.roll, dw.armor_roll, dw.cover.*, dw.damage.vehicle_table_roll). The one place that
knows the chain of rolls: play performs these stages, the odds room evaluates them.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

from dieselfront.dice import Because, Throw
from dieselfront.dice.performing import perform_stages
from dieselfront.dice.plan import Plan, names_of
from dieselfront.dice.stages import (
    DESTROYED,
    HITS,
    LOSSES,
    POINTS,
    ROLLER,
    TARGET,
    UNSAVED,
    Add,
    Cap,
    Multiply,
    Number,
    Score,
    Stage,
    Subtract,
    Tallies,
    When,
)
from dieselfront.dice.throw import Thrown
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.table.measured.terrain import Cover

PIERCING, BEFORE_ARMOR, TABLE_HITS = "piercing", "before armor", "damage table HITs"
"""Tallies: damage that soft cover does not reduce, what is left after cover, HITs on the damage table."""
THREAT, IGNORED = "threat", "ignored"
"""Tallies of an attack whose dice have fallen: always one; was its damage ignored?"""

COVER_POINTS = {Cover.NONE: 0, Cover.SOFT: 1, Cover.HARD: 2}  # dw.cover.soft_value, dw.cover.hard_value


class Group(NamedTuple):
    """Equal weapons that roll together (dw.attack.roll_separately): everything the plan needs to know of them."""

    label: str
    dice: int
    throw: Throw
    damage: int
    extra: int = 0
    piercing: bool = False
    """Soft cover does not reduce its damage."""


class Defence(NamedTuple):
    """What stands against the damage: one cover deduction and one armor roll (dw.armor_roll.once_per_attack)."""

    cover: Cover
    armor_dice: int
    armor_throw: Throw | None
    bonus: int
    capacity: int
    pierced: bool = True
    """Is the cover no better than soft for weapons that soft cover does not stop?"""
    because: tuple[Because, ...] = ()


def attack_stages(groups: Sequence[Group]) -> tuple[Stage, ...]:
    """Dice of every group, extra dice for the HITs of the first roll (dw.open.extra_dice_chain), damage."""
    stages: list[Stage] = []
    for number, group in enumerate(groups):
        first, more = hits_of(number), more_of(number)
        worth = Number(group.label, "dw.profile.dice_damage", plus=group.damage)
        to = PIERCING if group.piercing else POINTS
        stages.append(Score(group.throw, group.dice, first, rule="dw.attack.roll"))
        again = without_rerolls(group.throw)
        stages += [Score(again, first, more, rule="dw.attack.roll") for _ in range(group.extra)]
        stages += [Multiply(worth, first, to), Add(HITS, first)]
        if group.extra:
            stages += [Multiply(worth, more, to), Add(HITS, more)]
    return tuple(stages)


def defence_stages(defence: Defence) -> tuple[Stage, ...]:
    """Cover, then the armor roll; together they never go below nothing (dw.armor_roll)."""
    return (*cover_stages(defence), *armor_stages(defence))


def cover_stages(defence: Defence) -> tuple[Stage, ...]:
    """What cover takes away."""
    cover = Subtract(POINTS, flat=COVER_POINTS[defence.cover], kind="cover", because=defence.because)
    join = Add(POINTS, PIERCING)
    stages: list[Stage] = [cover, join] if defence.pierced else [join, cover]  # dw.weapon.radiation_separate
    return (*stages, Add(BEFORE_ARMOR, POINTS))


def armor_stages(defence: Defence) -> tuple[Stage, ...]:
    """What armor takes away, and what is left to be suffered."""
    armor = Subtract(POINTS, defence.armor_throw, defence.armor_dice, defence.bonus, kind="armor")
    return (When(POINTS, 1, [armor]), Add(UNSAVED, POINTS), Add(LOSSES, POINTS), Cap(LOSSES, defence.capacity))


def table_stages(throw: Throw, capacity: int) -> tuple[Stage, ...]:
    """A machine that is damaged and not destroyed rolls on its table, with the damage before armor less cover
    (dw.damage.vehicle_table_roll, dw.open.damage_roll_condition, dw.open.destroyed_no_table)."""
    return (
        When(LOSSES, capacity, [Add(DESTROYED)]),
        When(LOSSES, 1, [Score(throw, BEFORE_ARMOR, TABLE_HITS, rule=throw.rule)], unless=DESTROYED),
    )


def attack_plan(
    label: str, groups: Sequence[Group], defence: Defence, table: Throw | None = None, squad: bool = True,
    tells_all: bool = True,
) -> Plan:  # fmt: skip
    """The whole chain of one attack on one target; machines go on to their damage table."""
    stages = [*attack_stages(groups), *defence_stages(defence)]
    shows: tuple[str, ...] = ()
    if table is not None:
        stages += table_stages(table, defence.capacity)
        shows = (TABLE_HITS,)
    start = dict.fromkeys((POINTS, PIERCING, BEFORE_ARMOR), 0)
    for number in range(len(groups)):
        start |= {hits_of(number): 0, more_of(number): 0}
    return Plan(label, stages, start, capacity=defence.capacity, squad=squad, shows=shows, tells_all=tells_all)


def rest_plan(
    label: str, tallies: Tallies, defence: Defence, table: Throw | None = None, squad: bool = True,
    ignored: Throw | None = None, covered: bool = False,
) -> Plan:  # fmt: skip
    """What is still rolled once the dice of an attack have fallen; `ignored` is a die whose success ends it all,
    `covered` tells that cover has been taken off already."""
    rest = [
        *(armor_stages(defence) if covered else defence_stages(defence)),
        *(table_stages(table, defence.capacity) if table is not None else ()),
    ]
    start = {**tallies, THREAT: 1}
    stages: list[Stage] = list(rest)
    if ignored is not None:
        start[IGNORED] = 0
        stages = [Score(ignored, 1, IGNORED, rule=ignored.rule), When(THREAT, 1, rest, unless=IGNORED)]
    shows = (TABLE_HITS,) if table is not None else ()
    return Plan(label, stages, start, capacity=defence.capacity, squad=squad, shows=shows)


def hits_of(number: int) -> str:
    """The tally of the first HITs of a group."""
    return f"group {number}"


def more_of(number: int) -> str:
    """The tally of the HITs of its extra dice."""
    return f"group {number}, extra dice"


def group_hits(tallies: Tallies, number: int) -> int:
    """All HITs of a group."""
    return tallies.get(hits_of(number), 0) + tallies.get(more_of(number), 0)


def without_rerolls(throw: Throw) -> Throw:
    """Extra dice are never rerolled, but an inversion covers them too (dw.weapon.laser, dw.open.extra_dice_chain)."""
    return Throw(throw.label, throw.die, throw.faces, throw.rule, because=throw.because) if throw.rerolls else throw


# -- at the table ------------------------------------------------------------------------------------------------


class Roller:
    """Rolls the dice of a plan in play and writes them into the log."""

    __slots__ = ("play", "players", "units")

    def __init__(self, play: Play, players: tuple[int, int], units: tuple[str, str]) -> None:
        self.play = play
        self.players = players
        self.units = units

    def throw(self, throw: Throw, count: int, by: int, rule: str) -> Generator[Any, Any, Thrown]:
        """Roll a throw; attackers roll for the attack, the target for its armor."""
        return (yield from self.play.throw(throw, count, self.players[by], self.units[by], rule))

    def number(self, number: Number, by: int) -> Generator[Any, Any, int]:
        """Numbers of this game are printed, never rolled."""
        return number.plus
        yield

    def read(self, table: Any) -> Generator[Any, Any, Sequence[int]]:
        raise TypeError("no plan of this game reads single dice on a table")
        yield

    def check(self, check: Any, needed: int) -> Generator[Any, Any, bool]:
        raise TypeError("no plan of this game makes a check")
        yield


def fresh_tallies(plan: Plan) -> Tallies:
    """All tallies of a plan before its first stage."""
    return {**dict.fromkeys(names_of([plan]), 0), **plan.start}


def perform(play: Play, stages: Sequence[Stage], tallies: Tallies, roller: Roller) -> Procedure:
    """Carry stages out, rolling what has to be rolled; the tallies are changed in place."""
    yield from perform_stages(stages, tallies, roller)


# -- naive odds, the twin that tests compare with ----------------------------------------------------------------


def chances(plan: Plan, tally: str = LOSSES) -> dict[int, Fraction]:
    """The exact chances of every value of a tally, by walking through all results one by one."""
    states: dict[tuple[tuple[str, int], ...], Fraction] = {tuple(sorted(fresh_tallies(plan).items())): Fraction(1)}
    states = _walk(states, plan.stages)
    values: dict[int, Fraction] = {}
    for key, chance in states.items():
        value = dict(key).get(tally, 0)
        values[value] = values.get(value, Fraction(0)) + chance
    return values


def _walk(states: dict[Any, Fraction], stages: Sequence[Stage]) -> dict[Any, Fraction]:
    for stage in stages:
        after: dict[Any, Fraction] = {}
        for key, chance in states.items():
            for changed, share in _branches(stage, dict(key)):
                mark = tuple(sorted(changed.items()))
                after[mark] = after.get(mark, Fraction(0)) + chance * share
        states = after
    return states


def _branches(stage: Stage, tallies: Tallies) -> list[tuple[Tallies, Fraction]]:
    one = Fraction(1)
    if isinstance(stage, Score):
        dice = tallies[stage.dice] if isinstance(stage.dice, str) else stage.dice
        return [({**tallies, stage.to: tallies[stage.to] + k}, p) for k, p in _spread(stage.throw, dice)]
    if isinstance(stage, Multiply):
        return [({**tallies, stage.to: tallies[stage.to] + tallies[stage.of] * stage.number.plus}, one)]
    if isinstance(stage, Add):
        amount = tallies[stage.amount] if isinstance(stage.amount, str) else stage.amount
        return [({**tallies, stage.to: tallies[stage.to] + amount}, one)]
    if isinstance(stage, Cap):
        return [({**tallies, stage.of: min(tallies[stage.of], stage.most)}, one)]
    if isinstance(stage, When):
        if not stage.holds(tallies):
            return [(tallies, one)]
        return [(dict(key), p) for key, p in _walk({tuple(sorted(tallies.items())): one}, stage.then).items()]
    assert isinstance(stage, Subtract) and isinstance(stage.dice, int) and isinstance(stage.flat, int)
    rolls = _spread(stage.throw, stage.dice) if stage.throw is not None else [(0, one)]
    return [({**tallies, stage.of: max(0, tallies[stage.of] - stage.flat - k)}, p) for k, p in rolls]


def _spread(throw: Throw, dice: int) -> list[tuple[int, Fraction]]:
    p = throw.chance()
    return [(k, comb(dice, k) * p**k * (1 - p) ** (dice - k)) for k in range(dice + 1)]


__all__ = ["BEFORE_ARMOR", "COVER_POINTS", "HITS", "LOSSES", "PIERCING", "POINTS", "ROLLER", "TABLE_HITS", "TARGET",
           "Defence", "Group", "Plan", "Roller", "Tallies", "armor_stages", "attack_plan", "attack_stages", "chances",
           "cover_stages", "defence_stages", "fresh_tallies", "group_hits", "perform", "rest_plan",
           "table_stages"]  # fmt: skip
