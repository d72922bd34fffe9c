"""What is true of every position on the open table; the random games under watch ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dieselfront.rulesets.dust.state import ON_BOARD, SUPPRESSED, UNDER_FIRE, DustState, Unit
from dieselfront.rulesets.dust1947.invariants import _settled
from dieselfront.table.measured.shapes import Body, overlaps

if TYPE_CHECKING:
    from dieselfront.rulesets.dust_open.ruleset import OpenDust


def invariants(rules: OpenDust, state: DustState, quiet: bool = True) -> Iterator[str]:
    """A sentence for everything that is wrong."""
    standing: list[tuple[Unit, Body]] = []
    for unit in state.units:
        yield from _unit(rules, state, unit)
        if quiet:
            yield from _settled(state, unit)
        if unit.status == ON_BOARD:
            standing += [(unit, body) for body in rules.ground.bodies(state, unit)]
    yield from _crowding(standing)


def _unit(rules: OpenDust, state: DustState, unit: Unit) -> Iterator[str]:
    if unit.status != ON_BOARD:
        if unit.where or unit.figures:
            yield f"{unit.name} is {unit.status} and still stands somewhere"
        return
    if len(unit.where) != len(unit.figures) or unit.place != unit.where[0]:
        yield f"{unit.name} has {len(unit.figures)} models on {len(unit.where)} places"
        return
    if len(set(unit.figures)) != len(unit.figures):  # ff.move.leader_model
        yield f"{unit.name} has a model twice"
    if sorted(unit.figures) != sorted(rules.ground.models(unit)) and unit.stands:
        yield f"{unit.name} shows other models than it has"
    bodies = rules.ground.bodies(state, unit)
    for body in bodies:
        if not state.table.land.contains(body):
            yield f"{unit.name} stands off the table"
    if unit.is_(UNDER_FIRE) and unit.is_(SUPPRESSED):
        yield f"{unit.name} is under fire and suppressed at once"


def _crowding(standing: list[tuple[Unit, Body]]) -> Iterator[str]:
    """No two bases overlap; aircraft fly above (ff.move.no_overlap)."""
    ordered = sorted(standing, key=lambda entry: entry[1].cx)
    for number, (unit, body) in enumerate(ordered):
        for other, stranger in ordered[number + 1 :]:
            if stranger.cx - body.cx > body.radius + 1500:
                break
            if unit.is_aircraft == other.is_aircraft and body.floor == stranger.floor and overlaps(body, stranger):
                yield f"{unit.name} and {other.name} stand on the same ground"
