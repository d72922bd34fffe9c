"""Areas on squares: artillery blocks, paths of flames (d47.weapon.artillery_area, d47.weapon.flame_*)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from dieselfront.table.square.geometry import EIGHT, Place, offset_distance

if TYPE_CHECKING:
    from dieselfront.table.square.board import SquareTable

Surroundings = tuple[tuple[Place, ...], tuple[tuple[Place, ...], ...]]
Areas = tuple[tuple[Place, ...], ...]
Named = tuple[Place, str, tuple[Place, ...]]
"""An area as rules of play name it: the point it belongs to, what it is, its squares."""


def blocks_of_four(table: SquareTable, place: Place) -> tuple[tuple[Place, ...], ...]:
    """The 2x2 blocks on the same level that contain a square and lie on the board."""
    return _blocks_of_four(table.width, table.height, table.existing, place)


@lru_cache(maxsize=4096)
def _blocks_of_four(width: int, height: int, existing: int, place: Place) -> tuple[tuple[Place, ...], ...]:
    level, ground = divmod(place, width * height)
    y, x = divmod(ground, width)
    blocks = []
    for left in (x - 1, x):
        for top in (y - 1, y):
            if left < 0 or top < 0 or left + 1 >= width or top + 1 >= height:
                continue
            corner = level * width * height + top * width + left
            block = (corner, corner + 1, corner + width, corner + width + 1)
            if all(existing >> square & 1 for square in block):
                blocks.append(block)
    return tuple(sorted(blocks))


def area_blocks(table: SquareTable, place: Place, blockers: int) -> tuple[tuple[Place, ...], ...]:
    """The areas of an attack on a point: each further square is seen from it and one step away.

    Where walls leave no whole block, the largest parts of blocks that are left.
    """
    near = table.ring(place)
    key = (place, blockers & near & ~(1 << place), table.around(place) if near & table.changed_since_first else ())
    known = table.areas.get(key)
    if known is None:
        known = table.areas[key] = _area_blocks(table, place, key[1])
    return known


def areas_at(table: SquareTable, places: Iterable[Place], blockers: int) -> list[Named]:
    """The areas of attacks on some points, each as (point, "area", its squares), in the order of the points."""
    in_the_way = blockers | table.changed_since_first
    ready = table.undisturbed
    aims: list[Named] = []
    for place in places:
        if in_the_way & table.ring(place):
            aims += [(place, "area", block) for block in area_blocks(table, place, blockers)]
            continue
        undisturbed = ready.get(place)
        if undisturbed is None:
            undisturbed = [(place, "area", block) for block in area_blocks(table, place, 0)]
            ready[place] = undisturbed
        aims += undisturbed
    return aims


@lru_cache(maxsize=4096)
def named_blocks(width: int, height: int, existing: int, place: Place, word: str) -> tuple[Named, ...]:
    """The 2x2 blocks that contain a square, each as (the square, a word, the squares of the block)."""
    return tuple((place, word, block) for block in _blocks_of_four(width, height, existing, place))


def _area_blocks(table: SquareTable, place: Place, blockers: int) -> tuple[tuple[Place, ...], ...]:
    near, blocks = _surroundings(table, place)
    allowed = set(table.seen_from(place, near, blockers=blockers, eye="tall"))
    allowed.add(place)
    whole = tuple(block for block in blocks if allowed.issuperset(block))
    if whole:
        return whole
    areas = {tuple(square for square in block if square in allowed) for block in blocks}
    areas.add((place,))
    largest = max(map(len, areas))
    return tuple(sorted(area for area in areas if len(area) == largest))


def _surroundings(table: SquareTable, place: Place) -> Surroundings:
    """The neighbours one step away from a place, and the blocks around it: what units do not change."""
    key = (place, table.around(place))
    known = table.surroundings.get(key)
    if known is None:
        near = tuple(other for other in table.neighbours(place) if _one_step(table, place, other))
        known = table.surroundings[key] = (near, blocks_of_four(table, place))
    return known


def _one_step(table: SquareTable, a: Place, b: Place) -> bool:
    """Somebody on foot could step across, units aside."""
    if not any(True for _ in _ways(table, a, b)):
        return False
    return all(kind.passable and not kind.corner for kind in table.kinds_at(b))


def _ways(table: SquareTable, a: Place, b: Place) -> list[tuple[Place, ...]]:
    """The ways from a square to a neighbour past no solid wall and no impassable corner."""
    (x, y), (to_x, to_y) = table.xy(a), table.xy(b)
    if x == to_x or y == to_y:
        return [] if _solid(table, a, b) else [(a, b)]
    level = table.level(a)
    flanks = (table.index(to_x, y, level), table.index(x, to_y, level))
    return [
        (a, flank, b)
        for flank in flanks
        if table.has_dot(flank) and not _solid(table, a, flank) and not _solid(table, flank, b)
    ]


def _solid(table: SquareTable, a: Place, b: Place) -> bool:
    wall = table.wall(a, b)
    return wall is not None and wall.is_solid


def flame_lines(
    table: SquareTable, a: Place, b: Place, blockers: int, ignore: int = 0
) -> tuple[tuple[Place, ...], ...]:
    """All shortest paths by the way range is counted, each cut where the flame is stopped."""
    lines = {_cut(table, a, path, blockers, ignore) for path in shortest_paths(table, a, b)}
    return tuple(sorted(line for line in lines if line))


def shortest_paths(table: SquareTable, a: Place, b: Place) -> list[tuple[Place, ...]]:
    """Every path from `a` (not included) to `b` that counts no more squares than the range between them."""
    goal = table.xy(b)
    paths: list[tuple[Place, ...]] = []

    def extend(x: int, y: int, left: int, spent: bool, path: tuple[tuple[int, int], ...]) -> None:
        if (x, y) == goal:
            if left == 0:
                paths.append(tuple(_on_the_way(table, square, b) for square in path))
            return
        for dx, dy in EIGHT:
            cost = 2 if dx and dy and spent else 1
            now_spent = spent or bool(dx and dy)
            to_go = _to_go(goal[0] - x - dx, goal[1] - y - dy, now_spent)
            if to_go <= left - cost:
                extend(x + dx, y + dy, left - cost, now_spent, (*path, (x + dx, y + dy)))

    (x, y), (to_x, to_y) = table.xy(a), goal
    extend(x, y, offset_distance(to_x - x, to_y - y), False, ())
    return sorted(paths)


def _to_go(dx: int, dy: int, spent: bool) -> int:
    return abs(dx) + abs(dy) if spent else offset_distance(dx, dy)


def _on_the_way(table: SquareTable, xy: tuple[int, int], target: Place) -> Place:
    """The place over a square on the target's level, or the highest below it."""
    for level in range(table.level(target), 0, -1):
        place = table.index(*xy, level)
        if table.exists(place):
            return place
    return table.index(*xy)


def _cut(table: SquareTable, a: Place, path: tuple[Place, ...], blockers: int, ignore: int) -> tuple[Place, ...]:
    """The flame stops at a wall, or after a square that blocks sight (d47.weapon.flame_stop)."""
    burnt: list[Place] = []
    here = a
    for square in path:
        if table.level(here) == table.level(square) and not _flame_passes(table, here, square):
            break
        burnt.append(square)
        stops = any(kind.sight != "no" for kind in table.kinds_at(square)) and not ignore >> square & 1
        if stops or blockers >> square & 1:
            break
        here = square
    return tuple(burnt)


def _flame_passes(table: SquareTable, here: Place, there: Place) -> bool:
    """No solid wall lies between two neighbouring squares."""
    (x, y), (to_x, to_y) = table.xy(here), table.xy(there)
    if x == to_x or y == to_y:
        return not _solid(table, here, there)
    level = table.level(here)
    flanks = (table.index(to_x, y, level), table.index(x, to_y, level))
    return any(not _solid(table, here, flank) and not _solid(table, flank, there) for flank in flanks)
