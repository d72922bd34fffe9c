"""Places out of the enemy's sight, and shorter ways where the whole way is barred (k47.core.los)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dieselfront.rulesets.konflikt47.adviser.guess import HIDDEN, cover_at, middle, spread
from dieselfront.rulesets.konflikt47.adviser.worth import Judge
from dieselfront.rulesets.konflikt47.routes import DriveRegion, FootRegion
from dieselfront.rulesets.konflikt47.state import FIRE, Unit
from dieselfront.table.measured.angles import heading_of
from dieselfront.table.measured.movement import ahead_of
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.terrain import Sight

WATCHERS = 2  # those who could hurt most
MOST = 5
SHARES = (0.93, 0.85, 0.75, 0.6, 0.4)
LOWEST = 40  # millimetres: what is lower hides nobody
BARRIERS = (Sight.BLOCKS, Sight.AREA)

Place = tuple[Any, Body]


def shadows(judge: Judge, unit: Unit, region: Any) -> list[Place]:
    """Ways to places that the most dangerous enemies do not see."""
    leader = region.bodies[0] if isinstance(region, FootRegion) else region.body
    reach = region.reach if isinstance(region, FootRegion) else region.limits.ahead
    home = middle(unit)
    watchers = _watchers(judge, unit)
    places: list[Place] = []
    spots: list[tuple[int, int, int]] = []
    for watcher in watchers:
        for x, y in _behind(judge, unit, middle(watcher), home, reach):
            hidden = sum(_is_hidden(judge, other, unit, home.at(x, y)) for other in watchers)
            if hidden:
                far = (x - home.x) ** 2 + (y - home.y) ** 2
                spots.append((-hidden, far, x * 100_000 + y))
    for _, _, packed in sorted(set(spots))[:MOST]:
        x, y = divmod(packed, 100_000)
        way = _way(region, leader, x + leader.x - home.x, y + leader.y - home.y, reach)
        if way is not None:
            path, end = way
            places.append((path, home.at(end.x + home.x - leader.x, end.y + home.y - leader.y, end.heading)))
    return places


def _watchers(judge: Judge, unit: Unit) -> list[Unit]:
    state = judge.state
    threats = [
        (judge.gain(unit, judge.guesses.volley(state, enemy, unit, FIRE, True)), enemy.id, enemy)
        for enemy in state.enemies(unit)
    ]
    threats.sort(key=lambda one: (-one[0], one[1]))
    return [enemy for gain, _, enemy in threats[:WATCHERS] if gain > 1.0 and enemy.bodies]


def _is_hidden(judge: Judge, watcher: Unit, unit: Unit, body: Body) -> bool:
    return cover_at(judge.state, middle(watcher), body, unit.is_vehicle, True) == HIDDEN


def _behind(judge: Judge, unit: Unit, eye: Body, home: Body, reach: int) -> Iterable[tuple[int, int]]:
    """Beyond each barrier in reach, as seen from an enemy: past its middle, and past the point nearest to the unit."""
    room = 35 + spread(unit) // 10
    state = judge.state
    for piece in state.table.pieces:
        if piece.kind.sight not in BARRIERS or piece.height < 10 * LOWEST:
            continue
        low_x, low_y, high_x, high_y = (value // 10 for value in piece.parts[0].box)
        near_x, near_y = min(max(home.x, low_x), high_x), min(max(home.y, low_y), high_y)
        if 10 * max(abs(near_x - home.x), abs(near_y - home.y)) > reach + 10 * room:
            continue
        for x, y in dict.fromkeys((((low_x + high_x) // 2, (low_y + high_y) // 2), (near_x, near_y))):
            dx, dy = x - eye.x, y - eye.y
            far = max(1.0, (dx * dx + dy * dy) ** 0.5)
            beyond = 0
            while beyond < 400 and _inside(x + dx * beyond / far, y + dy * beyond / far, low_x, low_y, high_x, high_y):
                beyond += 20
            beyond += room
            spot = round(x + dx * beyond / far), round(y + dy * beyond / far)
            if 100 * ((spot[0] - home.x) ** 2 + (spot[1] - home.y) ** 2) <= reach * reach:
                yield spot


def _inside(x: float, y: float, low_x: int, low_y: int, high_x: int, high_y: int) -> bool:
    return low_x <= x <= high_x and low_y <= y <= high_y


def _way(region: Any, leader: Body, x: int, y: int, reach: int) -> tuple[Any, Body] | None:
    """Straight there on foot; a vehicle turns first, or backs."""
    if (x, y) == (leader.x, leader.y):
        return None
    far = int(10 * ((x - leader.x) ** 2 + (y - leader.y) ** 2) ** 0.5)
    heading = heading_of(x - leader.x, y - leader.y)
    if isinstance(region, FootRegion):
        path: Any = region.towards(heading, min(reach, far))
        return None if path is None else (path, leader.at(path[-1][0], path[-1][1]))
    off = (heading - leader.heading + 180) % 360 - 180
    if abs(off) <= 90 and (abs(off) <= 2 or region.limits.turns):
        turned = leader.at(leader.x, leader.y, leader.heading + (off if abs(off) > 2 else 0))
        gone = ahead_of(turned, min(far, region.limits.ahead))
        first = ((leader.x, leader.y, turned.heading),) if abs(off) > 2 else ()
        return (*first, (gone.x, gone.y, turned.heading)), gone
    if abs(off) >= 165 and region.limits.back:
        gone = ahead_of(leader, -min(far, region.limits.back))
        return ((gone.x, gone.y, leader.heading),), gone
    return None


def shortened(region: Any, path: Any) -> Iterable[Any]:
    """The same way, its last leg ever shorter: where the end is taken or barred, a place before it may be free."""
    if not path:
        return
    if isinstance(region, DriveRegion):
        start = path[-2] if len(path) > 1 else (region.body.x, region.body.y, region.body.heading)
        if (path[-1][0], path[-1][1]) == (start[0], start[1]):
            return
    else:
        start = path[-2] if len(path) > 1 else (region.bodies[0].x, region.bodies[0].y)
    end = path[-1]
    for share in SHARES:
        x = start[0] + int((end[0] - start[0]) * share)
        y = start[1] + int((end[1] - start[1]) * share)
        yield (*path[:-1], (x, y, *end[2:]))


__all__ = ["shadows", "shortened"]
