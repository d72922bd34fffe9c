"""The ground: where models stand, how far apart units are, who sees whom and through what cover
(k47.core.measure, k47.core.los*, k47.shoot.cover*). All lengths in the rules are inches, here tenths of a millimetre.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from dieselfront.dice import Because
from dieselfront.rulesets.konflikt47.charts import HULLS, LARGE_BASES
from dieselfront.rulesets.konflikt47.state import State, Unit
from dieselfront.table.measured.cover import CoverRules, ModelCover, majority_cover, model_cover
from dieselfront.table.measured.shapes import (
    Body,
    Shape,
    distance,
    distance_from_line,
    hull,
    in_box_round,
    is_within,
    round_base,
)
from dieselfront.table.measured.sight import (
    Sighting,
    SightRules,
    eye_of,
    eyes_at_openings,
    is_seen_from,
    look_from,
    spotter_of,
)
from dieselfront.table.measured.sight import sees as model_sees
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Cover, Piece, Sight, Stand, TerrainKind
from dieselfront.table.measured.units import TENTHS_PER_INCH

INCH = TENTHS_PER_INCH

FOOT = round_base(25, height=30)
LARGE = round_base(40, height=40)
HORSE = round_base(40, height=40)
GUNS = {
    "light": round_base(40, height=25),
    "medium": round_base(50, height=28),
    "heavy": round_base(60, height=32),
    "super-heavy": round_base(60, height=32),
}
VEHICLE_HEIGHT = {
    "scout walker": 50,
    "light walker": 60,
    "medium walker": 80,
    "heavy walker": 100,
    "super-heavy walker": 120,
}
OPENING = round_base(12, height=25)

SIGHT_RULES = {  # by whether woods may be looked across, and whether houses may be looked through
    (across, through): SightRules(columns=3, rows=3, area_through=across, openings=through, stand=Stand.CENTRE)
    for across in (False, True)
    for through in (False, True)
}
# terrain at the shooter covers nobody but those who stand in it too (k47.shoot.cover_own)
COVER = CoverRules(inside=Stand.WHOLLY, own=False, models=Cover.HARD, unseen=Cover.HARD)

__all__ = ["INCH", "KINDS", "Aim", "distance"]

KINDS: dict[str, TerrainKind] = {  # what pieces do to sight and cover; `going` names the row of the terrain table
    kind.id: kind
    for kind in (
        TerrainKind("woods", "Woods", Sight.AREA, Cover.SOFT, 120, is_area=True, going={"all": "rough"}),
        TerrainKind("crops", "Crops", Sight.SCREEN, Cover.SOFT, 15, is_area=True, going={"all": "open"}),
        TerrainKind("scrub", "Scrub", Sight.SCREEN, Cover.SOFT, 12, is_area=True, going={"all": "rough"}),
        TerrainKind("marsh", "Marsh", Sight.OPEN, Cover.NONE, 0, is_area=True, going={"all": "rough"}),
        TerrainKind("rubble", "Rubble", Sight.SCREEN, Cover.HARD, 12, is_area=True, going={"all": "rough"}),
        TerrainKind("craters", "Craters", Sight.SCREEN, Cover.HARD, 5, is_area=True, going={"all": "rough"}),
        TerrainKind("ruin", "High ruin", Sight.AREA, Cover.HARD, 100, is_area=True, going={"all": "rough"}),
        TerrainKind("trench", "Trench or foxholes", Sight.OPEN, Cover.HARD, 0, is_area=True, going={"all": "open"}),
        TerrainKind("hedge", "Hedge", Sight.BLOCKS, Cover.SOFT, 18, going={"all": "obstacle"}),
        TerrainKind("fence", "Fence", Sight.SCREEN, Cover.SOFT, 18, going={"all": "obstacle"}),
        TerrainKind("wall", "Low wall", Sight.BLOCKS, Cover.HARD, 18, going={"all": "obstacle"}),
        TerrainKind("sandbags", "Sandbags", Sight.BLOCKS, Cover.HARD, 16, going={"all": "obstacle"}),
        TerrainKind("tank-traps", "Tank traps", Sight.SCREEN, Cover.HARD, 18, going={"all": "obstacle"}),
        TerrainKind("high-wall", "High wall", Sight.BLOCKS, Cover.HARD, 60, going={"all": "impassable"}),
        TerrainKind("building", "Building", Sight.BLOCKS, Cover.HARD, 80, going={"all": "building"}),
        TerrainKind("bunker", "Bunker", Sight.BLOCKS, Cover.HARD, 50, going={"all": "building"}),
        TerrainKind("hill", "Hill", Sight.BLOCKS, Cover.NONE, 30, is_hill=True, going={"all": "open"}),
        TerrainKind("rocks", "Rocks", Sight.BLOCKS, Cover.HARD, 60, going={"all": "impassable"}),
        TerrainKind("road", "Road", going={"all": "road"}),
        TerrainKind("water", "Deep water", going={"all": "water"}),
        TerrainKind("wreck", "Wreck", Sight.BLOCKS, Cover.HARD, 45, going={"all": "wreck"}),
        TerrainKind("smoke", "Smoke", Sight.AREA, Cover.SOFT, 200, is_area=True, going={"all": "open"}),
        TerrainKind("minefield", "Minefield", going={"all": "open"}),
    )
}


# -- where models stand ------------------------------------------------------------------------------


@cache
def _hull(armour: str, size: tuple[int, int]) -> Shape:
    height = VEHICLE_HEIGHT.get(armour, 45)
    return hull(size[0], size[1], height=height)


def shape_of(unit: Unit) -> Shape:
    """The base or hull of a unit's models."""
    vehicle = unit.card.vehicle
    if vehicle is not None:
        return _hull(vehicle.armour, tuple(vehicle.size or HULLS[vehicle.armour]))
    if any(rule in LARGE_BASES for rule in unit.card.rules):
        return LARGE
    return FOOT


def gun_shape(unit: Unit) -> Shape:
    return GUNS.get(unit.card.gun, GUNS["medium"])


def stand(table: MeasuredTable, unit: Unit, spots: Sequence[tuple[int, int]], heading: int | None = None) -> None:
    """Set the unit's models down; the last spot of an artillery unit is its gun."""
    if heading is not None:
        unit.heading = heading % 360
    shape = shape_of(unit)
    turned = unit.heading if unit.is_vehicle else 0
    unit.bodies = [
        table.stand(shape, x, y, turned, (unit.id, man))
        for man, (x, y) in zip(unit.men, spots[: len(unit.men)], strict=True)
    ]
    if unit.is_artillery:
        x, y = spots[len(unit.men)]
        unit.gun = table.stand(gun_shape(unit), x, y, unit.heading, (unit.id, "gun"))


def all_bodies(unit: Unit) -> list[Body]:
    """Every model of the unit, the gun included."""
    return unit.bodies if unit.gun is None else [*unit.bodies, unit.gun]


def presence(state: State, unit: Unit) -> list[Body]:
    """What others see and measure to: the models, or the openings of a building's floor (k47.building.shoot_from)."""
    if unit.building:
        return openings_of(state.table, unit)
    return all_bodies(unit)


def openings_of(table: MeasuredTable, unit: Unit) -> list[Body]:
    """Small bodies standing in the openings of the unit's floor."""
    building, floor = unit.building, int(unit.floor)
    memory = table.memory.setdefault("openings", {})
    key = (building, floor, unit.id)
    cached = memory.get(key)
    if cached is None:
        cached = memory[key] = opening_bodies(table.piece(building), floor, unit.id)
    bodies: list[Body] = cached
    return bodies


def opening_bodies(piece: Piece, floor: int, owner: str) -> list[Body]:
    """A small body just outside each opening of a floor, clear of the wall."""
    openings = [opening for opening in piece.openings if opening.floor == floor]
    z = floor * piece.floor_height // 10
    bodies = []
    for number, (opening, (x, y, _)) in enumerate(zip(openings, eyes_at_openings(piece, floor), strict=True)):
        middle_x, middle_y = opening.middle
        out_x, out_y = (x - middle_x) * 5, (y - middle_y) * 5  # ten millimetres away from the wall
        spot = ((middle_x + 10 * out_x) // 10, (middle_y + 10 * out_y) // 10)
        bodies.append(Body(OPENING, *spot, 0, z, (owner, number)))
    return bodies


# -- distances -----------------------------------------------------------------------------------------


def _bodies(unit: Unit, state: State | None = None) -> list[Body]:
    if unit.building and state is not None:
        return openings_of(state.table, unit)
    return unit.bodies if unit.gun is None else [*unit.bodies, unit.gun]


def unit_distance(state: State, a: Unit, b: Unit) -> int:
    """The closest models of two units (k47.core.measure)."""
    if a.building and a.building == b.building:
        return 0
    theirs = _bodies(b, state)
    return min(distance(mine, other) for mine in _bodies(a, state) for other in theirs)


def within(a: Unit, b: Unit, inches: int) -> bool:
    """Are the units within so many inches? Exactly that distance counts (k47.core.measure)."""
    return bodies_within(_bodies(a), _bodies(b), inches * INCH)


def bodies_within(mine: Iterable[Body], theirs: Sequence[Body], reach: int) -> bool:
    return any(is_within(body, other, reach) for body in mine for other in theirs)


def man_within(unit: Unit, man: int, other: Unit, inches: int) -> bool:
    """Is a model of the other unit within so many inches of this man?"""
    return bodies_within([unit.body_of(man)], _bodies(other), inches * INCH)


# -- sight ------------------------------------------------------------------------------------------------


def sight_rules(state: State, viewer: Unit | None = None) -> SightRules:
    """Woods block lines right across them, a house between blocks as what is solid, unless options say otherwise.

    k47.core.los_area, k47.core.los. Who is in a house looks out of its openings (k47.building.shoot_from).
    """
    across = state.options.get("woods_block", "on") != "on"
    through = state.options.get("buildings_between", "block") == "windows"
    return SIGHT_RULES[across, through]


def table_for(state: State, viewer: Unit | None) -> MeasuredTable:
    """The table as a unit sees it: infrared eyes look through smoke (k47.special.ir_vision)."""
    table: MeasuredTable = state.table
    if viewer is None or not viewer.sees_through_smoke:
        return table
    if "smoke" not in table.kind_masks:
        return table
    memory = table.memory.setdefault("clear air", {})
    if "table" not in memory:
        clear_of = [piece for piece in table.pieces if piece.kind.id != "smoke"]
        memory["table"] = MeasuredTable(table.width, table.depth, clear_of)
    clear: MeasuredTable = memory["table"]
    return clear


def hulls(state: State, *besides: Unit) -> list[Body]:
    """Vehicles that could stand between two units; troops block no sight (k47.core.los, k47.core.los_units)."""
    vehicles = [
        unit for unit in state.units if unit.card.kind == "vehicle" and unit.place == "table" and unit not in besides
    ]
    if not vehicles or len(besides) < 2:
        return [unit.bodies[0] for unit in vehicles]
    around = [body for unit in besides for body in presence(state, unit)]
    return in_box_round(around, [unit.bodies[0] for unit in vehicles])


def look(state: State, viewer: Unit, eye: Body, target: Unit, body: Body, blockers: Sequence[Body]) -> Sighting:
    """How one model looks to another."""
    table = table_for(state, viewer)
    sighting = look_from(table, eye_of(eye), body, sight_rules(state), blockers, None if viewer.building else eye)
    return _outward(sighting, viewer, target)


def _outward(sighting: Sighting, viewer: Unit, target: Unit) -> Sighting:
    """Nobody looks back through the house he is in, nor into one through its far side."""
    homes = [home for home in (viewer.building, target.building) if home]
    if homes and any(reason.who in homes for reason in sighting.reasons):
        return Sighting(0, 0, sighting.total, sighting.reasons, sighting.eye)
    return sighting


def sees(state: State, viewer: Unit, target: Unit) -> bool:
    """A unit sees another when one of its models sees one of theirs (k47.core.los); passengers neither see nor are
    seen (k47.transport.target)."""
    if viewer.place != "table" or target.place != "table":
        return False
    if viewer.building and viewer.building == target.building:
        return False
    blockers = hulls(state, viewer, target)
    theirs = presence(state, target)
    eyes = presence(state, viewer)
    table = table_for(state, viewer)
    memory = table.memory.setdefault("sees", {})
    bodies = (*eyes, *theirs, *blockers)  # models that have not moved are the same objects, which the entry keeps alive
    key = (len(eyes), len(theirs), viewer.building, target.building, id(sight_rules(state)), *map(id, bodies))
    known = memory.get(key)
    if known is None:
        if len(memory) > 2_000:
            memory.clear()
        known = memory[key] = (_sees(state, viewer, target, eyes, theirs, blockers, table), bodies)
    seen: bool = known[0]
    return seen


def _sees(
    state: State,
    viewer: Unit,
    target: Unit,
    eyes: Sequence[Body],
    theirs: Sequence[Body],
    blockers: Sequence[Body],
    table: MeasuredTable,
) -> bool:
    rules = sight_rules(state)
    if not spotter_of(table, rules).any_seen(list(eyes), list(theirs), bool(viewer.building)):
        return False
    if not (blockers or viewer.building or target.building):
        return True
    if not (viewer.building or target.building):
        past = list(blockers)
        return any(model_sees(table, eye, body, rules, past) for eye in eyes for body in theirs)
    return any(
        is_seen_from(table, eye_of(eye), body, rules, (), None if viewer.building else eye)
        and look(state, viewer, eye, target, body, blockers).seen
        for eye in eyes
        for body in theirs
    )


def nearest_first(unit: Unit, others: Sequence[Unit]) -> list[Unit]:
    """Units in the order of the distance between first models, for questions that one of them may answer."""
    here = unit.bodies[0] if unit.bodies else None
    if here is None:
        return list(others)

    def far(other: Unit) -> int:
        there = other.bodies[0] if other.bodies else here
        return (there.cx - here.cx) ** 2 + (there.cy - here.cy) ** 2

    return sorted(others, key=far)


def closest_visible_enemy(state: State, unit: Unit) -> Unit | None:
    """The nearest enemy the unit sees; ties go to the first in order."""
    near = sorted(
        ((unit_distance(state, unit, enemy), number, enemy) for number, enemy in enumerate(state.enemies(unit))),
        key=lambda entry: entry[:2],
    )
    for _, _, enemy in near:
        if sees(state, unit, enemy):
            return enemy
    return None


# -- lines of fire ----------------------------------------------------------------------------------------


class Aim(NamedTuple):
    """What a shooting model sees of a target: the closest visible model, whether friends stand in the way."""

    range: int
    covers: tuple[ModelCover, ...]
    blocked_by_friends: bool
    target: Body


def in_the_way(a: Body, b: Body, others: Sequence[Body], reach: int = 0) -> bool:
    """Does a model stand on the line between two others, or within `reach` of it?"""
    low_x, high_x = (a.cx, b.cx) if a.cx < b.cx else (b.cx, a.cx)
    low_y, high_y = (a.cy, b.cy) if a.cy < b.cy else (b.cy, a.cy)
    for body in others:
        room = body.radius + reach
        if body.cx < low_x - room or body.cx > high_x + room or body.cy < low_y - room or body.cy > high_y + room:
            continue
        if distance_from_line(a.cx, a.cy, b.cx, b.cy, body) <= reach:
            return True
    return False


def troops(units: Iterable[Unit]) -> list[Body]:
    """Infantry and artillery models in the open."""
    models: list[Body] = []
    for unit in units:
        if unit.place == "table" and not unit.is_vehicle and not unit.building:
            models.extend(unit.bodies)
            if unit.gun is not None:
                models.append(unit.gun)
    return models


def aim(state: State, shooter: Unit, eye: Body, target: Unit, others: Sequence[Body], foes: Sequence[Body],
        blockers: Sequence[Body], indirect: bool = False) -> Aim | None:  # fmt: skip
    """What one model has in its sights; None if it sees nothing of the target (k47.shoot.who, k47.shoot.range)."""
    table = table_for(state, shooter)
    rules = sight_rules(state)
    best: tuple[int, Body] | None = None
    covers: list[ModelCover] = []
    friendly = False
    viewer = None if shooter.building else eye
    start = eye_of(eye)
    for body in presence(state, target):
        sighting = _outward(look_from(table, start, body, rules, blockers, viewer), shooter, target)
        cover = model_cover(table, viewer, body, sighting, COVER)
        if target.is_vehicle and cover.grade and not _half_hidden(table, body, sighting, cover):
            cover = ModelCover(Cover.NONE, ())
        if sighting.seen:
            if not indirect and others and in_the_way(eye, body, others, INCH):
                friendly = True  # k47.core.los_units
                continue
            if cover.grade < Cover.SOFT and foes and in_the_way(eye, body, foes):
                cover = ModelCover(Cover.SOFT, ())
            far = distance(eye, body)
            if best is None or far < best[0]:
                best = (far, body)
        if body is not target.gun or not target.bodies:  # k47.shoot.cover_def counts the crew
            covers.append(cover)
    if best is None:
        return Aim(-1, (), True, eye) if friendly else None
    return Aim(best[0], tuple(covers), False, best[1])


def _half_hidden(table: MeasuredTable, body: Body, sighting: Sighting, cover: ModelCover) -> bool:
    """A vehicle is in cover if half of it is hidden (k47.shoot.cover_vehicle) or it stands in covering ground."""
    return any(reason.how == "inside" for reason in cover.reasons) or sighting.is_half_hidden


def unit_cover(aims: Sequence[Aim]) -> Cover:
    """The cover of the target unit (k47.shoot.cover_def, k47.shoot.cover)."""
    return majority_cover([aim.covers for aim in aims])


def area_cover(state: State, target: Unit) -> Cover:
    """At least half of the models wholly inside area terrain: always in its cover (k47.shoot.cover_def)."""
    best = Cover.NONE
    for piece in state.table.pieces:
        if not piece.kind.is_area or piece.kind.cover <= best:
            continue
        inside = sum(1 for body in target.bodies if piece.stand(body) is Stand.WHOLLY)
        if target.bodies and 2 * inside >= len(target.bodies):
            best = piece.kind.cover
    return best


# -- terrain under foot --------------------------------------------------------------------------------------


def category(piece: Piece) -> str:
    """The row of the terrain table a piece belongs to."""
    return piece.kind.going.get("all", "open")


def pieces_under(table: MeasuredTable, body: Body) -> list[Piece]:
    """The pieces a model stands on (touching their outline is not enough)."""
    return [piece for piece, _ in table.standing(body) if piece.overlaps(body)]


def is_water(piece: Piece) -> bool:
    """Is it deep water?"""
    return category(piece) == "water"


def is_in_water(table: MeasuredTable, body: Body) -> bool:
    """Does a model stand in deep water?"""
    return any(is_water(piece) for piece in pieces_under(table, body))


def reasons(cover: Cover, rule: str) -> tuple[Because, ...]:
    text = {Cover.SOFT: "soft cover -1", Cover.HARD: "hard cover -2"}.get(cover)
    return (Because(rule, text),) if text else ()
