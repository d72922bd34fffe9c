"""From squares to the open table: a scenario of Dust 1947 by the table of equivalents (ff.scope.convert).

A square is 4" by 4"; ground covers it whole, objects stand in its middle, walls run along its edges, connected squares
of a building are one building with openings where the walls have them. A fortification stands with its box round the
middle of its inside.
"""

from __future__ import annotations

from typing import Any

from dieselfront.rulesets.dust1947 import scenario as squares
from dieselfront.table.square import SquareTable
from dieselfront.table.terrain import TerrainKind

SIDE = 4
SAME = {"large_trees": "trees", "ruined_house": "building", "large_ruined_house": "building"}
OBJECTS = {"ammo_crate": (1.6, 1), "wreck": (2.4, 3.2), "burning_wreck": (2.4, 3.2), "structure": (3.2, 3.2)}
"""Things that do not fill their square, and how big they are (inches)."""

FIELDS = ("wire", "minefield")
"""What is cleared square by square stays field by field."""

OPENING = {"small": 1.6, "large": 3.8, "huge": 4}
"""How wide openings are (inches): a large one nearly its square, two huge ones side by side make one of two squares."""

DOORS = ("small", "large", "huge")


class Unconvertible(ValueError):
    """A scenario that needs squares."""


def converted(data: dict[str, Any], kinds: dict[str, TerrainKind]) -> dict[str, Any]:
    """The scenario for the open table, as plain data."""
    scenario = squares.read(data)
    table = squares.build(scenario, kinds)
    kept = ("weather", "severity", "weather_name", "reserve")
    made: dict[str, Any] = {
        "id": scenario.id,
        "name": scenario.name,
        "ruleset": "freeform1947",
        "converted_from": scenario.id,
        "text": scenario.text.strip(),
        "points": scenario.points,
        "turns": scenario.turns,
        **{name: data[name] for name in kept if name in data},
        "size": [table.width * SIDE, table.height * SIDE],
        "terrain": [*_ground(table), *_buildings(table), *_walls(table)],
        "deploy": [{"boxes": _boxes(table, zone.squares), "facing": zone.facing} for zone in scenario.deploy],
        "objectives": [_objective(table, spec) for spec in scenario.objectives],
    }
    if scenario.fortifications:
        works = squares.forts(scenario, table)
        made["fortifications"] = [
            _fort(table, spec, fort) for spec, fort in zip(scenario.fortifications, works, strict=True)
        ]
    if scenario.goal is not None:
        made["goal"] = data["goal"]
    if scenario.entry:
        made["entry"] = [_boxes(table, text) for text in scenario.entry]
    return made


def _boxes(table: SquareTable, text: str) -> list[list[int]]:
    """Squares as boxes, row by row."""
    return _rows([table.xy(place) for place in squares.squares(table, text)])


def _rows(cells: list[tuple[int, int]]) -> list[list[int]]:
    """Cells joined to boxes: runs of a row, then equal runs of rows below each other."""
    runs: list[list[int]] = []
    for x, y in sorted(set(cells), key=lambda cell: (cell[1], cell[0])):
        if runs and runs[-1][1] == y and runs[-1][0] + runs[-1][2] == x:
            runs[-1][2] += 1
        else:
            runs.append([x, y, 1, 1])
    joined: list[list[int]] = []
    for run in runs:
        above = next((b for b in joined if b[0] == run[0] and b[2] == run[2] and b[1] + b[3] == run[1]), None)
        if above is None:
            joined.append(run)
        else:
            above[3] += 1
    return [[part * SIDE for part in box] for box in joined]


def _objective(table: SquareTable, spec: Any) -> dict[str, Any]:
    """One marker in the middle of the objective's squares."""
    cells = [table.xy(place) for place in squares.squares(table, spec.squares)]
    made: dict[str, Any] = {"name": spec.name, "at": [_middle(cells)]}
    return made | {key: getattr(spec, key) for key in ("points", "each_turn") if getattr(spec, key)}


def _fort(table: SquareTable, spec: squares.FortSpec, fort: Any) -> dict[str, Any]:
    """A fortification with the middle of its inside; one that its owner places has none yet."""
    made: dict[str, Any] = {"kind": spec.kind, "side": spec.side}
    if fort.placed:
        made["at"] = _middle([table.xy(place) for place in fort.interior])
        made["facing"] = fort.facing * 90
    return made | {key: True for key in ("optional", "over_objectives") if getattr(spec, key)}


def _middle(cells: list[tuple[int, int]]) -> list[int | float]:
    """The middle of some squares, in inches."""
    sums = (sum(cell[axis] for cell in cells) for axis in (0, 1))
    return [_tidy(total * SIDE / len(cells) + SIDE / 2) for total in sums]


def _tidy(value: float) -> int | float:
    return int(value) if value == int(value) else round(value, 2)


def _ground(table: SquareTable) -> list[dict[str, Any]]:
    """Every kind of ground in connected pieces, objects one by one."""
    made: list[dict[str, Any]] = []
    where: dict[str, list[tuple[int, int]]] = {}
    for place in table.places():
        if table.level(place) == 0:
            for kind in table.features(place):
                where.setdefault(SAME.get(kind, kind), []).append(table.xy(place))
    for kind, cells in where.items():
        if kind == "building":
            continue
        if kind in OBJECTS or kind == "fire_smoke":
            made += [_object(kind, *cell) for cell in cells]
        elif kind in FIELDS:
            made += [_piece(kind, [cell]) for cell in cells]
        else:
            made += [_piece(kind, group) for group in _groups(cells)]
    return made


def _object(kind: str, x: int, y: int) -> dict[str, Any]:
    middle = (x * SIDE + SIDE / 2, y * SIDE + SIDE / 2)
    if kind == "fire_smoke":
        return {"kind": kind, "at": [_tidy(middle[0]), _tidy(middle[1])], "radius": 2}
    wide, deep = OBJECTS[kind]
    return {
        "kind": kind,
        "at": [_tidy(middle[0] - wide / 2), _tidy(middle[1] - deep / 2)],
        "size": [wide, deep],
    }


def _piece(kind: str, cells: list[tuple[int, int]]) -> dict[str, Any]:
    boxes = _rows(cells)
    if len(boxes) == 1:
        x, y, wide, deep = boxes[0]
        return {"kind": kind, "at": [x, y], "size": [wide, deep]}
    return {"kind": kind, "boxes": boxes}


def _groups(cells: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Cells that hang together edge to edge."""
    left = sorted(cells, key=lambda cell: (cell[1], cell[0]))
    groups = []
    while left:
        group, edge = [left.pop(0)], [0]
        while edge:
            x, y = group[edge.pop()]
            for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if other in left:
                    left.remove(other)
                    group.append(other)
                    edge.append(len(group) - 1)
        groups.append(group)
    return groups


def _buildings(table: SquareTable) -> list[dict[str, Any]]:
    """Rectangles of indoor squares with their floors and openings."""
    cells = [table.xy(place) for place in table.places() if table.level(place) == 0 and table.is_indoor(place)]
    made = []
    for group in _groups(cells):
        boxes = _rows(group)
        if len(boxes) != 1:
            raise Unconvertible("a building that is no rectangle cannot be converted.")
        x, y, wide, deep = boxes[0]
        floors = max(_floors(table, *cell) for cell in group)
        openings = [opening for cell in group for opening in _openings(table, cell, group, floors)]
        made.append({"kind": "building", "at": [x, y], "size": [wide, deep], "floors": floors, "openings": openings})
    return made


def _floors(table: SquareTable, x: int, y: int) -> int:
    """Floors of a building at a square, the ground floor included; a roof is none."""
    levels = [table.index(x, y, level) for level in range(table.levels)]
    return sum(1 for place in levels if table.exists(place) and table.is_indoor(place))


def _openings(
    table: SquareTable, cell: tuple[int, int], group: list[tuple[int, int]], floors: int
) -> list[dict[str, Any]]:
    openings = []
    x, y = cell
    for other in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
        if other in group or not (0 <= other[0] < table.width and 0 <= other[1] < table.height):
            continue
        for floor in range(floors):
            here, there = table.index(*cell, floor), table.index(*other, floor)
            wall = table.wall(here, there) or table.wall(there, here)
            if wall is not None and wall.opening != "none":
                a, b = _gap(cell, other, OPENING[wall.opening])
                openings.append({"a": a, "b": b, "floor": floor, "door": floor == 0})
    return openings


def _gap(cell: tuple[int, int], other: tuple[int, int], wide: float) -> tuple[list[Any], list[Any]]:
    """An opening in the middle of the edge between two squares."""
    (a, b), half = _edge(cell, other), wide / 2
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    along = (1, 0) if a[1] == b[1] else (0, 1)
    ends = [[_tidy(middle[0] + s * along[0] * half), _tidy(middle[1] + s * along[1] * half)] for s in (-1, 1)]
    return ends[0], ends[1]


def _edge(cell: tuple[int, int], other: tuple[int, int]) -> tuple[list[int], list[int]]:
    """The edge between two neighbouring squares, in inches."""
    x, y = max(cell[0], other[0]) * SIDE, max(cell[1], other[1]) * SIDE
    return ([x, y], [x, y + SIDE]) if cell[1] == other[1] else ([x, y], [x + SIDE, y])


def _walls(table: SquareTable) -> list[dict[str, Any]]:
    """Walls outside of buildings along the edges of squares, joined where they run on."""
    lines: dict[str, list[tuple[list[int], list[int]]]] = {}
    for (one, other), wall in sorted(table.walls().items()):
        if table.level(one) or table.is_indoor(one) or table.is_indoor(other) or wall.opening != "none":
            continue
        kind = "low_wall" if wall.kind == "low" else "wall"
        edge = _edge(table.xy(one), table.xy(other))
        known = lines.setdefault(kind, [])
        before = next((line for line in known if line[1] == edge[0] and _straight(line, edge)), None)
        if before is None:
            known.append(edge)
        else:
            known[known.index(before)] = (before[0], edge[1])
    return [{"kind": kind, "line": [list(a), list(b)]} for kind, edges in lines.items() for a, b in edges]


def _straight(one: tuple[list[int], list[int]], other: tuple[list[int], list[int]]) -> bool:
    return (one[0][0] == one[1][0]) == (other[0][0] == other[1][0])
