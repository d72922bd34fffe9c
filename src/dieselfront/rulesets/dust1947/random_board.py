"""Random boards for Dust 1947: from a seed's text to a scenario that can always be played.

Pieces are drawn on one half and mirrored through the centre, so that neither side has the better half. A piece that
would wall off an objective or a deployment area from heavy vehicles is left out again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

from dieselfront.rulesets import dust1947
from dieselfront.table.square import BoardBuilder, Mover, Occupancy, SquareTable, mask_of

SIZES = ((10, 8), (12, 9), (12, 10), (14, 10), (16, 9))
TRIES_PER_SQUARE = 0.14
ZONE_DEPTH = 2
NORTH = 0
TURNS = 8
POINTS = 50

Square = tuple[int, int]
Piece = tuple[str, list[Square]]
"""A piece in words and the squares it takes."""

Maker = Callable[["_Sketch"], list[Piece]]


class _Sketch:
    """A board on the way: its size, its chance, and the pieces put down so far."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(f"dust1947/board/{seed}")
        self.width, self.height = self.chance.choice(SIZES)
        self.pieces: list[str] = []
        self.taken: set[Square] = set()

    def spot(self, width: int = 1, height: int = 1) -> Square:
        """A corner for a piece of this size between the two deployment areas."""
        x = self.chance.randrange(self.width - width + 1)
        y = ZONE_DEPTH + self.chance.randrange(max(1, self.height - 2 * ZONE_DEPTH - height + 1))
        return x, y

    def mirrored(self, square: Square) -> Square:
        return self.width - 1 - square[0], self.height - 1 - square[1]

    def build(self, pieces: Iterable[str]) -> SquareTable:
        return BoardBuilder(self.width, self.height, _kinds()).pieces(pieces).build()


def scenario(seed: str) -> dict[str, Any]:
    """The scenario of a seed: the same board for the same seed, on any machine."""
    sketch = _Sketch(seed)
    goals = _objectives(sketch)
    for _ in range(int(sketch.width * sketch.height * TRIES_PER_SQUARE)):
        maker = sketch.chance.choice(MAKERS)
        _try(sketch, maker(sketch), goals)
    return _as_scenario(sketch, seed, goals)


def _try(sketch: _Sketch, pieces: list[Piece], goals: list[list[Square]]) -> None:
    """Keep the pieces if they touch no other ones and the board can still be played with them."""
    squares = [square for _, taken in pieces for square in taken]
    if len(set(squares)) < len(squares) or sketch.taken.intersection(squares):
        return
    words = [text for text, _ in pieces]
    if is_playable(sketch.build([*sketch.pieces, *words]), [square for goal in goals for square in goal]):
        sketch.pieces += words
        sketch.taken.update(squares)


def is_playable(table: SquareTable, goals: Iterable[Square]) -> bool:
    """Can a tank and a large tank come from either area to the other, and a tank to every objective?"""
    rows = [[table.place(x, y) for x in range(table.width)] for y in range(table.height)]
    areas = [*rows[:ZONE_DEPTH], *rows[-ZONE_DEPTH:]]
    if any(table.features(place) for row in areas for place in row):
        return False
    start = rows[-ZONE_DEPTH][0]
    far = table.size * 2
    tank = table.reach(Mover("tracked", vehicle=True), start, far, Occupancy())
    large = table.reach(Mover("tracked", "large", vehicle=True), (start, NORTH), far, Occupancy())
    return (
        all(place in tank for row in areas for place in row)
        and all(table.place(x, y) in tank for x, y in goals)
        and bool(large.mask & mask_of(rows[0]))
    )


def _objectives(sketch: _Sketch) -> list[list[Square]]:
    """The middle, as wide as the board's middle is, and a pair of outposts mirrored through it."""
    middle = [
        (x, y)
        for y in range((sketch.height - 1) // 2, sketch.height // 2 + 1)
        for x in range((sketch.width - 1) // 2, sketch.width // 2 + 1)
    ]
    side = sketch.spot()
    while side in middle:
        side = sketch.spot()
    return [middle, [side], [sketch.mirrored(side)]]


def _as_scenario(sketch: _Sketch, seed: str, goals: list[list[Square]]) -> dict[str, Any]:
    """The sketch as a scenario file would say it."""
    last = _name((sketch.width - 1, sketch.height - 1))
    names = ("the middle", "the first outpost", "the second outpost")
    return {
        "id": f"random:{seed}",
        "name": f"Unknown Ground ({seed})",
        "ruleset": "dust1947",
        "text": "No map shows this place. Take what looks worth taking.",
        "points": POINTS,
        "turns": TURNS,
        "board": {"size": [sketch.width, sketch.height], "terrain": sketch.pieces},
        "deploy": [
            {"squares": f"A{sketch.height - ZONE_DEPTH + 1}-{last}", "facing": "north"},
            {"squares": f"A1-{_name((sketch.width - 1, ZONE_DEPTH - 1))}", "facing": "south"},
        ],
        "objectives": [
            {"name": name, "squares": " ".join(map(_name, goal)), "points": 10 if place == 0 else 5}
            for place, (name, goal) in enumerate(zip(names, goals, strict=True))
        ],
    }


# -- pieces -------------------------------------------------------------------------------------


def _single(kind: str) -> Maker:
    def make(sketch: _Sketch) -> list[Piece]:
        square = sketch.spot()
        return [(f"{kind} at {_name(one)}", [one]) for one in (square, sketch.mirrored(square))]

    return make


def _patch(kind: str) -> Maker:
    def make(sketch: _Sketch) -> list[Piece]:
        width, height = sketch.chance.choice(((2, 1), (1, 2), (2, 2)))
        corner = sketch.spot(width, height)
        far = (corner[0] + width - 1, corner[1] + height - 1)
        return [_rectangle(kind, corner, far), _rectangle(kind, sketch.mirrored(far), sketch.mirrored(corner))]

    return make


def _wall(words: str) -> Maker:
    def make(sketch: _Sketch) -> list[Piece]:
        length = sketch.chance.choice((2, 3))
        x, y = sketch.spot(length, 2)
        pieces: list[Piece] = []
        for step in range(length):
            pair = [(x + step, y), (x + step, y + 1)]
            for one, other in (pair, [sketch.mirrored(square) for square in pair]):
                pieces.append((words.format(_name(one), _name(other)), [one, other]))
        return pieces

    return make


def _house(sketch: _Sketch) -> list[Piece]:
    """A house of two by two with doors and windows, and its twin."""
    floors = sketch.chance.choice((1, 1, 2))
    corner = sketch.spot(2, 2)
    twin = sketch.mirrored((corner[0] + 1, corner[1] + 1))
    return [_house_at(x, y, floors) for x, y in (corner, twin)]


def _house_at(x: int, y: int, floors: int) -> Piece:
    """One house; turned half round it looks the same, so its twin is described by the same words."""
    words = (
        f"building from {_name((x, y))} to {_name((x + 1, y + 1))} with {floors} floor{'s' if floors > 1 else ''}, "
        f"door on west of {_name((x, y + 1))}, door on east of {_name((x + 1, y))}, "
        f"window on north of {_name((x, y))}, window on south of {_name((x + 1, y + 1))}"
    )
    return words, [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]


def _rectangle(kind: str, corner: Square, far: Square) -> Piece:
    squares = [(x, y) for y in range(corner[1], far[1] + 1) for x in range(corner[0], far[0] + 1)]
    return f"{kind} from {_name(corner)} to {_name(far)}", squares


def _name(square: Square) -> str:
    """A square as players call it; boards here have at most 26 columns."""
    return f"{chr(ord('A') + square[0])}{square[1] + 1}"


def _kinds() -> Any:
    return dust1947.RULESET.terrain


MAKERS: tuple[Maker, ...] = (
    _single("rubble"),
    _single("trees"),
    _single("ammo_crate"),
    _single("tank_trap"),
    _single("wreck"),
    _single("structure"),
    _single("large_trees"),
    _patch("trees"),
    _patch("rubble"),
    _patch("mud"),
    _patch("sand"),
    _patch("swamp"),
    _patch("water"),
    _wall("low wall between {} and {}"),
    _wall("wall between {} and {}"),
    _wall("wall between {} and {} with small opening"),
    _house,
)
