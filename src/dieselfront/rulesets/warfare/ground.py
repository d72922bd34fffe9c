"""The ground: where miniatures stand, how far apart they are, who sees whom, and who is obscured
(dw.measure.*, dw.arc.*, dw.attack.los_*, dw.attack.obscured_*). Lengths here are tenths of a millimetre.

All measuring is on the flat (dw.measure.horizontal) and free at any time (dw.measure.premeasure): no function here
changes anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import isqrt

from dieselfront.rulesets.warfare.profiles import SOLDIER
from dieselfront.rulesets.warfare.state import TABLE, State, Unit
from dieselfront.rulesets.warfare.terrain import KINDS, floors_of, is_roofed
from dieselfront.table.measured.arcs import Arc, Facing, arc_polygons, centre_arc, in_arc
from dieselfront.table.measured.geometry import LINE, stretches
from dieselfront.table.measured.shapes import (
    Body,
    Shape,
    any_within,
    distance,
    hull,
    is_wholly_in,
    is_within,
    round_base,
)
from dieselfront.table.measured.sight import SightRules, silhouette, solid_outline
from dieselfront.table.measured.sight import sees as model_sees
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Cover, Piece, Stand
from dieselfront.table.measured.units import TENTHS_PER_INCH

INCH = TENTHS_PER_INCH
SIGHT = SightRules(columns=3, rows=3, stand=Stand.TOUCH)  # from the top of the miniature (dw.attack.los_origin)

FOOT = round_base(25, height=30, eye=30)
ARMORED = round_base(40, height=40, eye=40)  # armor 3 and 4
CREW = round_base(30, height=30, eye=30)
FLIGHT = round_base(60, height=90, eye=90)
WALKERS = {1: (50, 60), 2: (50, 60), 3: (60, 75), 4: (60, 80), 5: (80, 100), 6: (90, 110), 7: (90, 120)}
HULLS = {1: (45, 80), 2: (50, 90), 3: (60, 110), 4: (65, 120), 5: (75, 130), 6: (90, 130), 7: (100, 140)}


# -- where miniatures stand ------------------------------------------------------------------------------


@cache
def _round(width: int, height: int) -> Shape:
    return round_base(width, height=height, eye=height)


@cache
def _hull(width: int, length: int, height: int) -> Shape:
    return hull(width, length, height=height, eye=height)


def shape_of(unit: Unit, man: int) -> Shape:
    """The base of a miniature; heavy walkers and driven vehicles have none, their hull serves
    (dw.heavy_walker.hull_is_base)."""
    card = unit.figures[man].card
    if card.type == "aircraft":
        return FLIGHT
    if card.type == "vehicle":
        armor = min(max(card.armor, 1), 7)
        if card.is_heavy_walker or card.has("Tracks") or card.has("Wheels"):
            width, length = HULLS[armor]
            return _hull(width, length, 100 if card.is_heavy_walker else 50)
        return _round(*WALKERS[armor])
    if card.armor >= 3:
        return ARMORED
    return FOOT


def stand(table: MeasuredTable, unit: Unit, spots: Sequence[tuple[int, int]], heading: int | None = None) -> None:
    """Set the unit's miniatures down; soldiers have no facing (dw.arc.soldier_no_facing)."""
    if heading is not None:
        unit.heading = heading % 360
    turned = unit.heading if unit.is_machine else 0
    floor = floor_of(unit)
    unit.bodies = [
        _on_floor(table, table.stand(shape_of(unit, man), x, y, turned, (unit.id, man)), floor)
        for man, (x, y) in zip(unit.men, spots, strict=True)
    ]


def floor_of(unit: Unit) -> int:
    return int(unit.notes.get("floor", 0))


def building_under(table: MeasuredTable, bodies: Sequence[Body]) -> Piece | None:
    """The building that holds all of these miniatures."""
    for piece in table.pieces:
        if piece.kind.id == "building" and bodies and all(piece.stand(body) is Stand.WHOLLY for body in bodies):
            return piece
    return None


def _on_floor(table: MeasuredTable, body: Body, floor: int) -> Body:
    if not floor:
        return body
    piece = building_under(table, [body])
    if piece is None:
        return body
    z = floor * piece.height // 10 // floors_of(piece)
    return Body(body.shape, body.x, body.y, body.heading, z, body.key)


def settle(table: MeasuredTable, unit: Unit, bodies: Sequence[Body]) -> list[Body]:
    """Bodies on the ground, or on the floor, as it lies where they are now."""
    floor = floor_of(unit)
    return [_on_floor(table, table.stand(body.shape, body.x, body.y, body.heading, body.key), floor) for body in bodies]


# -- distances -----------------------------------------------------------------------------------------


def unit_distance(a: Unit, b: Unit) -> int:
    """Between the two nearest miniatures (dw.measure.mini_to_mini, dw.measure.unit_to_unit)."""
    return min(distance(mine, other) for mine in a.bodies for other in b.bodies)


def within(a: Unit, b: Unit, inches: int) -> bool:
    """Are the units within so many inches? Exactly that distance counts."""
    return bodies_within(a.bodies, b.bodies, inches * INCH)


def bodies_within(mine: Sequence[Body], theirs: Sequence[Body], reach: int) -> bool:
    return any_within(mine, theirs, reach)


def leadership(unit: Unit) -> int:
    """Leadership range in tenths (dw.formation.range)."""
    return unit.card.leadership * INCH


def out_of_formation(unit: Unit, leader: int | None = None) -> list[int]:
    """The figures outside Leadership range of the leader, or of who stands in for him (dw.formation.range)."""
    head = unit.acting_leader if leader is None else leader
    if head is None or not unit.bodies:
        return []
    centre = unit.body_of(head)
    reach = leadership(unit)
    return [
        man
        for man, body in zip(unit.men, unit.bodies, strict=True)
        if man != head and not is_within(centre, body, reach)
    ]


# -- arcs -------------------------------------------------------------------------------------------------

ARCS: dict[str, Arc] = {  # from the centre of hull or base, whatever the turret does (dw.arc.hull_not_turret), for
    # aircraft too (dw.aircraft.range_arc)
    "front": centre_arc(Facing.FRONT),
    "right": centre_arc(Facing.RIGHT),
    "rear": centre_arc(Facing.REAR),
    "left": centre_arc(Facing.LEFT),
}


def in_side(body: Body, side: str, other: Body) -> bool:
    """Is a miniature at least partly in an arc? Border lines belong to both arcs (dw.arc.vehicle_four)."""
    return in_arc(body, ARCS[side], other)


def wholly_in_side(body: Body, side: str, other: Body) -> bool:
    """Is all of a miniature's base in an arc (dw.measure.completely_within)?"""
    return any(is_wholly_in(other, polygon) for polygon in arc_polygons(body, ARCS[side]))


def most_in_side(target: Unit, side: str, attacker: Unit, men: Sequence[int] | None = None) -> bool:
    """Do more than half of a unit's bases stand wholly in an arc of a vehicle (dw.armor_roll.vehicle_rear)?"""
    bodies = attacker.bodies
    inside = sum(wholly_in_side(target.bodies[0], side, body) for body in bodies)
    return 2 * inside > len(bodies)


# -- blocked sight ------------------------------------------------------------------------------------------


def hulls(state: State, *besides: Unit) -> list[Body]:
    """Vehicles and low aircraft that could block sight; soldiers only screen, high aircraft hide nobody."""
    return [
        unit.bodies[0]
        for unit in state.units
        if unit.card.type != SOLDIER and unit.place == TABLE and not unit.is_high and unit not in besides
    ]


def sees_body(state: State, viewer: Unit, eye: Body, target: Unit, body: Body, blockers: Sequence[Body]) -> bool:
    """Does one miniature see any part of another (dw.attack.los_origin), hulls of heavy walkers included
    (dw.heavy_walker.los)?"""
    if viewer.is_above or target.is_above:  # dw.aircraft.los_high, dw.ability.flight_los
        below, down = (target, body) if viewer.is_above else (viewer, eye)
        return below.is_above or not is_under_roof(state.table, down)
    return model_sees(state.table, eye, body, SIGHT, blockers)


def is_under_roof(table: MeasuredTable, body: Body) -> bool:
    """Inside terrain that is closed from above (dw.aircraft.los_high_roof, dw.ability.flight_roof)."""
    return any(is_roofed(piece) and grade >= Stand.CENTRE for piece, grade in table.standing(body))


def sees(state: State, viewer: Unit, target: Unit) -> bool:
    """Does any miniature of a unit see any of another?"""
    if viewer.place != TABLE or target.place != TABLE:
        return False
    blockers = hulls(state, viewer, target)
    return any(sees_body(state, viewer, eye, target, body, blockers) for eye in viewer.bodies for body in target.bodies)


# -- obscured sight ------------------------------------------------------------------------------------------


def cover_mask(table: MeasuredTable) -> int:
    """The parts of terrain that give cover."""
    memory = table.memory.setdefault("warfare cover", {})
    mask: int | None = memory.get("mask")
    if mask is None:
        mask = memory["mask"] = table.mask_of(kind for kind in KINDS if KINDS[kind].cover)
    return mask


def screens(state: State, attacker: Unit, target: Unit) -> list[tuple[Body, Cover]]:
    """Units that are terrain between these two: every vehicle gives hard cover (dw.attack.vehicles_obscure),
    unsuppressed
    soldiers of the target's side give soft cover to soldiers against soldiers (dw.attack.soldiers_obscure_soldiers,
    dw.open.soldiers_obscure_sides); nobody hinders his own unit, nor soldiers their own side
    (dw.attack.friendly_soldiers_transparent). Vehicles see over soldiers (dw.attack.vehicles_ignore_enemy_soldiers),
    and
    low aircraft count as vehicles (dw.aircraft.low_is_vehicle, dw.aircraft.los_low)."""
    screening: list[tuple[Body, Cover]] = []
    for unit in state.units:
        if unit.place != TABLE or unit is attacker or unit is target or unit.is_above:
            continue  # dw.attack.own_unit_never_obscures
        if unit.is_machine:
            screening.append((unit.bodies[0], Cover.HARD))
        elif unit.side == target.side != attacker.side and target.is_soldier and attacker.is_soldier:
            low = unit.suppression > 0  # dw.attack.suppressed_no_obscure
            screening += [(body, Cover.SOFT) for body in unit.bodies if unit.ask("on_screens", not low, unit, state)]
    return screening


def line_cover(
    state: State, eye: Body, exempt: Sequence[Piece], point: tuple[int, int], z: int,
    others: Sequence[tuple[Body, Cover]],
) -> Cover:  # fmt: skip
    """The best cover on the line from the centre of a base to a point (dw.attack.obscured_los, dw.cover.no_stack).

    Terrain that the leader is in or touches does not count (dw.attack.obscured_exempt_terrain)."""
    table: MeasuredTable = state.table
    start = (eye.cx, eye.cy)
    best = Cover.NONE
    mask = cover_mask(table)
    if mask and start != point:
        for piece, _ in table.stretches_in(start, point, mask):
            if piece.kind.cover > best and piece not in exempt:
                best = piece.kind.cover
    if best < Cover.HARD:
        top = (eye.z + eye.shape.eye) * 10
        for body, grade in others:
            if grade > best and _crosses(start, top, point, z, body):
                best = grade
    return best


def crosses(start: tuple[int, int], eye: Body, target: Body, body: Body) -> bool:
    """Does the line from a leader's base to a miniature run over another one's base, below its height?"""
    middle = (target.z * 2 + target.shape.height) * 5
    return _crosses(start, (eye.z + eye.shape.eye) * 10, (target.cx, target.cy), middle, body)


def _crosses(start: tuple[int, int], top: int, point: tuple[int, int], z: int, body: Body) -> bool:
    """Does a line run over a miniature's base, below its height?"""
    inside = stretches(*start, *point, solid_outline(body))
    if not inside:
        return False
    high = (body.z + body.shape.height) * 10
    return any(min(top + (z - top) * place // LINE for place in part) < high for part in inside)


def obscured(state: State, attacker: Unit, eye: Body, target: Unit) -> list[Cover]:
    """For each miniature of the target the cover of what obscures it from this eye, in the order of its figures.

    A blocked line counts as obscured, hard where the terrain says nothing (dw.open.obscured_leader_absent). From above
    and to units above, only terrain that holds the whole base counts (dw.aircraft.los_high_obscured,
    dw.aircraft.los_target_terrain, dw.ability.flight_los)."""
    if attacker.is_above or target.is_above:
        return [_inside(state.table, body) if not target.is_above else Cover.NONE for body in target.bodies]
    exempt = [piece for piece, _ in state.table.standing(eye)]
    others = screens(state, attacker, target)
    blockers = hulls(state, attacker, target)
    grades = []
    for body in target.bodies:
        if target.is_machine:
            grades.append(vehicle_cover(state, attacker, eye, exempt, target, body, others, blockers))
            continue
        middle = (body.z * 2 + body.shape.height) * 5
        grade = line_cover(state, eye, exempt, (body.cx, body.cy), middle, others)
        if grade is Cover.NONE and not sees_body(state, attacker, eye, target, body, blockers):
            grade = Cover.HARD
        grades.append(grade)
    return grades


def vehicle_cover(
    state: State, attacker: Unit, eye: Body, exempt: Sequence[Piece], target: Unit, body: Body,
    others: Sequence[tuple[Body, Cover]], blockers: Sequence[Body],
) -> Cover:  # fmt: skip
    """A vehicle has cover only if no line to any part of its base is clear (dw.attack.vehicle_clear_base); the least
    cover on any of the lines is what it has."""
    points = [*silhouette(eye.cx, eye.cy, body, 7), *_rim(eye, body)]
    middle = (body.z * 2 + body.shape.height) * 5
    least = min(line_cover(state, eye, exempt, point, middle, others) for point in points)
    if least is Cover.NONE and not sees_body(state, attacker, eye, target, body, blockers):
        return Cover.HARD
    return least


def _rim(eye: Body, body: Body) -> list[tuple[int, int]]:
    """The outermost points of a base as seen from an eye, a hair inside it."""
    if body.corners:
        return [((x * 49 + body.cx) // 50, (y * 49 + body.cy) // 50) for x, y in body.corners]
    dx, dy = body.cx - eye.cx, body.cy - eye.cy
    far = max(1, isqrt(dx * dx + dy * dy))
    r = body.radius * 49 // 50
    return [(body.cx - dy * r // far, body.cy + dx * r // far), (body.cx + dy * r // far, body.cy - dx * r // far)]


def _inside(table: MeasuredTable, body: Body) -> Cover:
    """The best cover of terrain that holds a whole base."""
    return max((piece.kind.cover for piece, grade in table.standing(body) if grade is Stand.WHOLLY), default=Cover.NONE)


def half_inside(table: MeasuredTable, unit: Unit) -> bool:
    """Does at least half of the unit stand wholly inside one area of terrain?"""
    counts: dict[str, int] = {}
    for body in unit.bodies:
        for piece, grade in table.standing(body):
            if grade is Stand.WHOLLY and (piece.kind.is_area or piece.kind.is_hill):
                counts[piece.id] = counts.get(piece.id, 0) + 1
    return any(2 * count >= len(unit.bodies) for count in counts.values())


def half_cover(grades: Sequence[Cover]) -> Cover:
    """The cover of a unit: hard if at least half are obscured by hard cover, else soft if at least half are obscured
    by anything, else none (dw.attack.obscured_half, dw.open.cover_mixed_types)."""
    for wanted in (Cover.HARD, Cover.SOFT):
        if grades and 2 * sum(grade >= wanted for grade in grades) >= len(grades):
            return wanted
    return Cover.NONE


def pieces_under(table: MeasuredTable, body: Body) -> list[Piece]:
    """The pieces a miniature stands on (touching their outline is not enough)."""
    return [piece for piece, _ in table.standing(body) if piece.overlaps(body)]


__all__ = ["ARCS", "INCH", "KINDS", "distance"]
