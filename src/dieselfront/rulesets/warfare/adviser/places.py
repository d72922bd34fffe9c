"""Places worth a look in a move: all round, at objectives, in cover and behind it, at a good distance from enemies.

A place is a way that the move may be answered with, the middle of the unit there, and its heading.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dieselfront.rulesets.warfare.adviser.estimates import MM, Point, bearing_of, turned
from dieselfront.rulesets.warfare.battle import mm
from dieselfront.rulesets.warfare.state import Unit
from dieselfront.table.measured.terrain import Sight

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.adviser.plans import Planner

DIRECTIONS = 12
TENTHS = 10
HALF_ARC = 45
MOST_TURN = 90
BEHIND, WELL_BEHIND = 45.0, 85.0
"""Millimetres behind an edge that hides: a base and a hair, a hull or a squad."""
NEAREST_PIECES = 5
CLOSE_GAP = 26.0
"""Millimetres between bases where close combat weapons reach and nobody stands too near."""
SHORT_OF_IT = 25.0
"""A hideout that is missed by more millimetres hides nobody."""
DETOURS = (35, -35, 60, -60)
"""Degrees by which a way to an objective may set out sideways."""


class Place(NamedTuple):
    """Where a move may lead."""

    way: Any
    at: Point
    heading: float
    is_hideout: bool = False
    """Is it meant to be out of sight?"""


def places_of(planner: Planner, unit: Unit, region: Any) -> list[Place]:
    """Everything worth a look, each once; in playouts only what lies round about and at objectives."""
    made: dict[Any, Place] = {}
    for place in _round_about(planner, unit, region):
        made.setdefault(place.way, place)
    if planner.is_quick:
        for goal, _ in planner.goals:
            for place in _towards(planner, unit, region, goal, round_it=False):
                made.setdefault(place.way, place)
        return list(made.values())
    at = planner.here(unit)[0]
    reach = (region.reach if unit.is_soldier else region.limits.ahead) / TENTHS + SHORT_OF_IT
    for point in _shelters(planner, unit, at):
        if math.dist(at, point) > reach:
            continue
        for place in _towards(planner, unit, region, point, round_it=True):
            if math.dist(place.at, point) < SHORT_OF_IT:
                made[place.way] = place._replace(is_hideout=True)
    goals = [goal for goal, _ in planner.goals]
    for point in _points(planner, unit):
        near_goal = any(math.dist(point, goal) < 90.0 for goal in goals)
        for place in _towards(planner, unit, region, point, round_it=near_goal):
            made.setdefault(place.way, place)
    return list(made.values())


# -- all round ------------------------------------------------------------------------------------------------


def _round_about(planner: Planner, unit: Unit, region: Any) -> Iterator[Place]:
    """Full and half moves all round, or what a hull can do."""
    if not unit.is_soldier:
        for way in region.spots():
            if way:
                yield Place(way, (way[-1][0], way[-1][1]), float(way[-1][2]))
        return
    for number in range(DIRECTIONS):
        for far in (region.reach, region.reach // 2)[: 1 + (number % 2 == 0)]:
            way = region.towards(number * 360 // DIRECTIONS, far)
            if way:
                yield _on_foot(planner, unit, region, way)


def _on_foot(planner: Planner, unit: Unit, region: Any, way: Any) -> Place:
    middle, heading = planner.here(unit)
    first = region.bodies[0]
    x, y = way[-1]
    return Place(way, (middle[0] + x - first.x, middle[1] + y - first.y), heading)


# -- with a purpose -------------------------------------------------------------------------------------------


def _points(planner: Planner, unit: Unit) -> Iterator[Point]:
    """Points to go to: objectives, enemies at the range of a weapon."""
    at = planner.here(unit)[0]
    for goal, _ in planner.goals:
        yield goal
        yield _short_of(goal, at, 60.0)
    yield from _ranges(planner, unit, at)


def _short_of(point: Point, start: Point, gap: float) -> Point:
    """A point so many millimetres before another one, or where one stands if that is nearer."""
    far = math.dist(start, point)
    if far <= gap:
        return start
    share = (far - gap) / far
    return (start[0] + (point[0] - start[0]) * share, start[1] + (point[1] - start[1]) * share)


def _shelters(planner: Planner, unit: Unit, at: Point) -> Iterator[Point]:
    """Into cover and behind what blocks sight, seen from the enemies that matter most."""
    pieces = [piece for piece in planner.state.table.pieces if piece.kind.cover]
    boxes = [(piece, _box(piece)) for piece in pieces]
    boxes.sort(key=lambda one: _far_from(one[1], at))
    enemies = planner.nearest_enemies(unit, 2)
    for piece, box in boxes[:NEAREST_PIECES]:
        if piece.kind.is_area:
            yield _nearest_in(box, at)
            yield ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        if piece.kind.sight in (Sight.BLOCKS, Sight.AREA) or not piece.kind.is_area:
            for enemy in enemies:
                foe = planner.scene.centres[enemy.id]
                yield _beyond(box, foe, BEHIND)
                yield _beyond(box, foe, WELL_BEHIND)
                yield _beyond(_nearer_half(box, at), foe, WELL_BEHIND)
    for friend in planner.scene.sides[unit.side]:
        if friend.is_machine and friend is not unit and not friend.is_high:
            centre = planner.scene.centres[friend.id]
            for enemy in enemies[:1]:
                yield _past(planner.scene.centres[enemy.id], centre, 75.0)


def _box(piece: Any) -> tuple[float, float, float, float]:
    boxes = [part.box for part in piece.parts]
    return (
        min(box[0] for box in boxes) / TENTHS, min(box[1] for box in boxes) / TENTHS,
        max(box[2] for box in boxes) / TENTHS, max(box[3] for box in boxes) / TENTHS,
    )  # fmt: skip


def _far_from(box: tuple[float, float, float, float], at: Point) -> float:
    return math.dist(at, _nearest_in(box, at, 0.0))


def _nearest_in(box: tuple[float, float, float, float], at: Point, inside: float = 30.0) -> Point:
    """The nearest point of a box, a little inside it."""
    margin_x, margin_y = min(inside, (box[2] - box[0]) / 2), min(inside, (box[3] - box[1]) / 2)
    x = min(max(at[0], box[0] + margin_x), box[2] - margin_x)
    y = min(max(at[1], box[1] + margin_y), box[3] - margin_y)
    return (x, y)


def _nearer_half(box: tuple[float, float, float, float], at: Point) -> tuple[float, float, float, float]:
    """The half of a piece, along its longer side, that is nearer to a point."""
    low_x, low_y, high_x, high_y = box
    middle_x, middle_y = (low_x + high_x) / 2, (low_y + high_y) / 2
    if high_x - low_x >= high_y - low_y:
        return (low_x, low_y, middle_x, high_y) if at[0] < middle_x else (middle_x, low_y, high_x, high_y)
    return (low_x, low_y, high_x, middle_y) if at[1] < middle_y else (low_x, middle_y, high_x, high_y)


def _beyond(box: tuple[float, float, float, float], enemy: Point, gap: float) -> Point:
    """Behind a piece as seen from an enemy."""
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    far = math.dist(enemy, middle)
    if not far:
        return middle
    dx, dy = (middle[0] - enemy[0]) / far, (middle[1] - enemy[1]) / far
    through = min(
        (box[2] - box[0]) / 2 / abs(dx) if dx else math.inf, (box[3] - box[1]) / 2 / abs(dy) if dy else math.inf
    )
    return (middle[0] + dx * (through + gap), middle[1] + dy * (through + gap))


def _past(start: Point, point: Point, far: float) -> Point:
    """A point so many millimetres beyond another one."""
    whole = math.dist(start, point)
    if not whole:
        return point
    return (point[0] + (point[0] - start[0]) / whole * far, point[1] + (point[1] - start[1]) / whole * far)


def _ranges(planner: Planner, unit: Unit, at: Point) -> Iterator[Point]:
    """As near to enemies as a weapon needs, just out of reach of theirs, behind vehicles, into close combat."""
    scene = planner.scene
    for enemy in planner.nearest_enemies(unit, 4):
        foe = scene.centres[enemy.id]
        gap = scene.inches(unit, at, enemy)
        between = math.dist(at, foe) - gap * MM
        arms = scene.arms(unit).against(enemy.card.armor_class, len(enemy.men))
        for inches in sorted({arm.range for arm in arms if arm.range < gap}):
            yield _short_of(foe, at, between + inches * MM - 6.0)
        if any(arm.is_close for arm in arms):
            yield _short_of(foe, at, between + CLOSE_GAP)
        theirs = scene.reach(enemy, unit)
        if gap <= theirs:
            yield _past(foe, at, (theirs - gap) * MM + 8.0)
        if enemy.is_vehicle and arms:
            reach = max(arm.range for arm in arms) * MM
            back = math.radians(enemy.heading + 180)
            for far in (min(reach, 200.0), min(reach, 110.0)):
                yield (foe[0] + math.sin(back) * (far + between), foe[1] - math.cos(back) * (far + between))


def _towards(planner: Planner, unit: Unit, region: Any, point: Point, round_it: bool) -> Iterator[Place]:
    """Ways to a point, or as far in its direction as the move goes; soldiers may also go round something."""
    if unit.is_soldier:
        yield from _walk(planner, unit, region, point, round_it)
    else:
        yield from _drive(planner, unit, region, point)


def _walk(planner: Planner, unit: Unit, region: Any, point: Point, round_it: bool) -> Iterator[Place]:
    """The leader goes so that the middle of the unit comes to the point."""
    middle = planner.here(unit)[0]
    first = region.bodies[0]
    reach = region.reach / TENTHS
    goal = (first.x + point[0] - middle[0], first.y + point[1] - middle[1])
    far = math.dist((first.x, first.y), goal)
    if far < 5.0:
        return
    share = min(1.0, (reach - 2.0) / far)
    end = (round(first.x + (goal[0] - first.x) * share), round(first.y + (goal[1] - first.y) * share))
    yield _on_foot(planner, unit, region, (end,))
    if share >= 0.6 and round_it and region.why_not((end,)) is not None:
        start = (float(first.x), float(first.y))
        corners = [_aside(start, goal, degrees) for degrees in DETOURS]
        for corner in (*corners, (start[0], goal[1]), (goal[0], start[1])):
            length = math.dist((first.x, first.y), corner) + math.dist(corner, goal)
            if length <= reach - 2.0:
                way = ((round(corner[0]), round(corner[1])), (round(goal[0]), round(goal[1])))
                yield _on_foot(planner, unit, region, way)


def _aside(start: Point, goal: Point, degrees: int) -> Point:
    """Half of the way, set out sideways."""
    far = math.dist(start, goal) / 2 / math.cos(math.radians(degrees))
    bearing = math.radians(bearing_of(start, goal) + degrees)
    return (start[0] + math.sin(bearing) * far, start[1] - math.cos(bearing) * far)


def _drive(planner: Planner, unit: Unit, region: Any, point: Point) -> Iterator[Place]:
    """Straight there with the turn it needs before, or with a turn afterwards towards the nearest enemy."""
    body, limits = region.body, region.limits
    start = (float(body.x), float(body.y))
    far = math.dist(start, point)
    if far < 5.0:
        return
    bearing = bearing_of(start, point)
    off = (bearing - body.heading + 180) % 360 - 180
    end = _along(start, point, min(far, limits.ahead / TENTHS - 2.0))
    if abs(off) <= HALF_ARC:
        yield Place(((*end, body.heading),), end, float(body.heading))
        if limits.turns and limits.turn_after:
            facing = round(_faced(planner, unit, end, body.heading))
            if facing != body.heading:
                yield Place(((*end, body.heading), (*end, facing)), end, float(facing))
    elif limits.turns and abs(off) <= MOST_TURN + HALF_ARC:
        turn = max(-MOST_TURN, min(MOST_TURN, round(off)))
        heading = (body.heading + turn) % 360
        yield Place(((body.x, body.y, heading), (*end, heading)), end, float(heading))
    elif limits.back and abs(off) >= 180 - HALF_ARC:
        back = _along(start, point, min(far, limits.back / TENTHS - 2.0))
        yield Place(((*back, body.heading),), back, float(body.heading))


def _along(start: Point, point: Point, length: float) -> tuple[int, int]:
    """So many millimetres on the way to a point."""
    share = length / math.dist(start, point)
    return (round(start[0] + (point[0] - start[0]) * share), round(start[1] + (point[1] - start[1]) * share))


def _faced(planner: Planner, unit: Unit, at: Point, heading: int) -> float:
    """The heading nearest to the most dangerous enemy that a turn of 90 degrees allows."""
    enemies = planner.nearest_enemies(unit, 1)
    if not enemies:
        return float(heading)
    wanted = bearing_of(at, planner.scene.centres[enemies[0].id])
    off = (wanted - heading + 180) % 360 - 180
    return (heading + max(-MOST_TURN, min(MOST_TURN, off))) % 360


def turn_ways(unit: Unit, region: Any, bearings: Sequence[float]) -> Iterator[Place]:
    """Turns on the spot towards some directions."""
    body, limits = region.body, region.limits
    if not limits.spot_turn:
        return
    for bearing in bearings:
        if turned(float(body.heading), bearing) > 2.0:
            heading = round(bearing) % 360
            yield Place(((body.x, body.y, heading),), (float(body.x), float(body.y)), float(heading))


def goal_points(planner: Planner) -> list[tuple[Point, float]]:
    """Objectives in millimetres, with what they are worth now."""
    values = planner.values
    return [((mm(one.at[0]), mm(one.at[1])), one.points * values.share()) for one in values.objectives]


__all__ = ["Place", "goal_points", "places_of", "turn_ways"]
