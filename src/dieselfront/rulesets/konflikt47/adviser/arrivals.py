"""Coming on to the table: where reserves arrive and passengers get off, and at which pace (k47.game.reserve,
k47.transport.dismount)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.adviser.guess import middle
from dieselfront.rulesets.konflikt47.adviser.intent import Intent
from dieselfront.rulesets.konflikt47.adviser.worth import POINT, Judge
from dieselfront.rulesets.konflikt47.state import ADVANCE, RUN, Unit
from dieselfront.table.measured.shapes import Body

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.adviser.plans import Planner

COMES = 8.0  # what it is worth to be on the table at all
SPOTS = 6  # so many of the best spots are tried for room
ACROSS = 5  # spots looked at from one end of a strip to the other


def entries(planner: Planner, unit: Unit, options: Sequence[str]) -> Iterable[Intent]:
    """A plan for every pace, each with the best spot in its reach."""
    judge = planner.judge
    carrier = judge.state.unit(unit.carrier) if unit.carrier else None
    for order in (ADVANCE, RUN):
        if order not in options:
            continue
        region = _region(judge, unit, order)
        spots = sorted(
            ((_worth(judge, unit, spot, order), spot) for spot in _spots(planner, unit, region)), reverse=True
        )
        for worth, spot in spots[:SPOTS]:
            if region.why_not(spot) is None:
                comes = _comes(judge) if carrier is None else 0.0
                intent = Intent(unit.id, order, planner.obeys(unit, order) * (comes + worth), enter=("arrive", spot))
                intent.numbers = f"the place is worth {worth:+.1f} points"
                yield intent
                break


def _comes(judge: Judge) -> float:
    """Whoever is off the table at the end is lost (k47.game.victory)."""
    return COMES + (0.0 if judge.turns_left() else POINT)


def _region(judge: Judge, unit: Unit, order: str) -> Any:
    if unit.carrier:
        hull = judge.state.unit(unit.carrier).bodies[0]
        reach = judge.rules.movement.reach(unit, order)
        return judge.rules.transports.region(judge.state, unit, hull, reach, order == RUN)
    return judge.rules.setup.arrival(judge.state, unit, order)


def _spots(planner: Planner, unit: Unit, region: Any) -> list[tuple[int, int, int]]:
    """As near as can be to what the unit wants, and places all over the strip."""
    low_x, low_y, high_x, high_y = region.box
    facing = region.facing
    centre = planner.judge.state.table.stand(ground.shape_of(unit), (low_x + high_x) // 2, (low_y + high_y) // 2)
    spots = [(min(max(x, low_x), high_x), min(max(y, low_y), high_y), facing) for x, y in planner.aims(unit, centre)]
    for step in range(ACROSS):
        share = 2 * step + 1
        x, y = (low_x + (high_x - low_x) * share // (2 * ACROSS)), (low_y + (high_y - low_y) * share // (2 * ACROSS))
        spots.append(
            (x, (low_y + high_y) // 2, facing)
            if high_x - low_x > high_y - low_y
            else ((low_x + high_x) // 2, y, facing)
        )
    nearer = [((x + centre.x) // 2, (y + centre.y) // 2, facing) for x, y, _ in spots[:2]]
    return list(dict.fromkeys(spots + nearer))


def _worth(judge: Judge, unit: Unit, spot: tuple[int, int, int], order: str) -> float:
    """What standing there is worth, with the shots that follow an Advance."""
    shape = ground.shape_of(unit)
    body = judge.state.table.stand(shape, spot[0], spot[1], spot[2] if unit.is_vehicle else 0, (unit.id, 0))
    return worth_of_spot(judge, unit, body, spot[2], order)


def worth_of_spot(judge: Judge, unit: Unit, body: Body, heading: int, order: str = "") -> float:
    """What a place is worth to a unit that is set down there; with `order` the shots count that it allows now."""
    kept = unit.bodies, unit.gun, unit.place, unit.heading, unit.building
    unit.bodies, unit.place, unit.heading, unit.building = [body] * len(unit.men), "table", heading, ""
    judge.guesses.keeps = False
    try:
        worth = judge.place(unit, body, body, order == RUN) - judge.danger(unit)
        if order == ADVANCE:
            return worth + judge.potential(unit, ADVANCE, False)[0]
        return worth + (0.3 if order else 0.5) * judge.potential(unit)[0]
    finally:
        judge.guesses.keeps = True
        unit.bodies, unit.gun, unit.place, unit.heading, unit.building = kept


def crowd(units: Sequence[Unit], unit: Unit, body: Body) -> int:
    """How many others stand close to a place."""
    return sum(
        abs(body.x - middle(other).x) + abs(body.y - middle(other).y) < 180
        for other in units
        if other is not unit and other.bodies
    )


__all__ = ["crowd", "entries", "worth_of_spot"]
