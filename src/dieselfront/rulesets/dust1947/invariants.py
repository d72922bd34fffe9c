"""What is true of every position of Dust 1947; the random games under watch ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dieselfront.kernel.events import Event
from dieselfront.rulesets.dust.events import (
    ActionsDeclared,
    Activated,
    Moved,
    Reacts,
    TokenGained,
    Turned,
    WeaponsDeclared,
)
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import (
    ABOARD,
    AWAY,
    BURNING,
    EVADES,
    EVADES_WELL,
    LOST,
    ON_BOARD,
    RESERVE,
    STUNNED,
    SUPPRESSED,
    TOKEN_NAMES,
    UNDER_FIRE,
    DustState,
    Unit,
)

SQUARES = {"standard": 1, "large": 2, "huge": 4}
ACTING = (Activated, ActionsDeclared, Moved, Turned, WeaponsDeclared, Reacts)
KINDS = {BURNING: ("vehicle", "aircraft"), EVADES: ("aircraft",), EVADES_WELL: ("aircraft",)}
"""Tokens that only some kinds of units ever bear."""


def invariants(state: DustState, quiet: bool = True) -> Iterator[str]:
    """A sentence for everything that is wrong; some things are settled only when a procedure has ended."""
    ground: dict[int, list[Unit]] = {}
    air: dict[int, list[Unit]] = {}
    for unit in state.units:
        yield from _unit(state, unit)
        if quiet:
            yield from _settled(state, unit)
        if unit.status == ON_BOARD:
            for place in unit.where:
                (air if unit.is_aircraft else ground).setdefault(place, []).append(unit)
    for place, units in air.items():
        if len(units) > 1:  # d47.move.aircraft_over_aircraft
            yield f"two aircraft in {state.table.name(place)}"
    for place, units in ground.items() if quiet else ():  # a mine may strike while a unit passes through friends
        yield from _shared(state, place, units)


def event_invariants(state: DustState, event: Event) -> Iterator[str]:
    """What is wrong with something that has just happened: the dead neither act nor gain tokens."""
    if isinstance(event, ACTING) and state.by_id[event.unit].status == LOST:
        yield f"{state.by_id[event.unit].name} acts, but is lost"
    if isinstance(event, TokenGained) and state.by_id[event.unit].status == LOST:
        yield f"{state.by_id[event.unit].name} is lost and becomes {event.token}"


def _shared(state: DustState, place: int, units: list[Unit]) -> Iterator[str]:
    """Only lone heroes share a square, and only with friends (d47.move.no_stacking_end)."""
    others = [unit for unit in units if not unit.is_hero]
    if len({unit.side for unit in units}) > 1:
        yield f"enemies share {state.table.name(place)}: {', '.join(unit.name for unit in units)}"
    if len(others) > 1:
        yield f"{state.table.name(place)} holds {', '.join(unit.name for unit in others)}"


def _unit(state: DustState, unit: Unit) -> Iterator[str]:
    if unit.status == ON_BOARD:
        fills = any(unit.where == fort.interior for fort in state.forts)  # d47.fort.full
        if (len(unit.where) != SQUARES[unit.card.size] and not fills) or unit.place != unit.where[0]:
            yield f"{unit.name} stands on {len(unit.where)} squares"
        if not all(state.table.exists(place) for place in unit.where):
            yield f"{unit.name} stands off the board"
    elif unit.where:
        yield f"{unit.name} is {unit.status} and still stands somewhere"
    if unit.is_(UNDER_FIRE) and unit.is_(SUPPRESSED):  # d47.attack.suppress.upgrade
        yield f"{unit.name} is under fire and suppressed at once"
    if state.by_id[unit.id] is not unit:
        yield f"{unit.name} is known twice"
    if unit.status != LOST:
        yield from _tokens(unit)


def _tokens(unit: Unit) -> Iterator[str]:
    """Only tokens that the unit can bear (d47.open.token_immunity)."""
    for token, kinds in KINDS.items():
        if unit.is_(token) and unit.card.kind not in kinds:
            yield f"{unit.name} is {TOKEN_NAMES[token]}, which no {unit.card.kind} can be"
    for token in (UNDER_FIRE, SUPPRESSED, STUNNED):
        if unit.is_(token) and not ask(unit.effects, "on_token", token, unit):
            yield f"{unit.name} is {TOKEN_NAMES[token]} but cannot be"


def _settled(state: DustState, unit: Unit) -> Iterator[str]:
    if unit.status == ABOARD and state.by_id[unit.aboard].status not in (ON_BOARD, AWAY, RESERVE):
        yield f"{unit.name} rides in something that is not there"
    if unit.status != LOST:
        for part in unit.parts:
            yield from _part(unit, part)


def _part(unit: Unit, part: Any) -> Iterator[str]:
    if part.left <= 0 and part.role != "pilot":
        yield f"{part.card.name} has nothing left but is in play"
    if not 0 <= part.damage <= part.card.damage and not part.squad:
        yield f"{part.card.name} has {part.damage} damage of {part.card.damage}"
    if part.squad and not set(part.alive) <= set(range(len(part.card.soldiers))):
        yield f"{part.card.name} has soldiers it never had"
