"""Building boards by hand: rows of symbols, or pieces described in words (d47.setup.board)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from dieselfront.table.square.board import SquareTable
from dieselfront.table.square.geometry import FORWARD, SIDES, Place, column_letters, read_name
from dieselfront.table.square.grid import MOST_LEVELS, MOST_SQUARES
from dieselfront.table.terrain import Column, Opening, TableError, TerrainKind, Wall

_RECTANGLE: Final = re.compile(r"^([A-Za-z]+\s*\d+)\s*(?:-|to)\s*([A-Za-z]+\s*\d+)\s*(\+\s*\d+)?$", re.IGNORECASE)
_AT: Final = re.compile(r"^(?P<kind>.+?)\s+(?:at|on)\s+(?P<where>.+)$", re.IGNORECASE)
_FROM: Final = re.compile(r"^(?P<kind>.+?)\s+from\s+(?P<a>\S+)\s+to\s+(?P<b>[^\s,]+)(?P<rest>.*)$", re.IGNORECASE)
_WALL: Final = re.compile(
    r"^(?:(?P<kind>high|low)\s+)?wall\s+between\s+(?P<a>\S+)\s+and\s+(?P<b>\S+)(?P<rest>.*)$", re.IGNORECASE
)
_ALONG: Final = re.compile(
    r"^(?:(?P<kind>high|low)\s+)?wall\s+along\s+(?:the\s+)?(?P<side>\w+)\s+of\s+(?P<where>.+?)(?P<rest>\s+with\s.*)?$",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(r"^with\s+(?:an?\s+)?(?P<size>\w+)(?:\s+opening)?$", re.IGNORECASE)
_HOLE: Final = re.compile(
    r"^(?:with\s+)?(?:an?\s+)?(?P<what>[\w ]+?)\s+(?:on|in)\s+(?:the\s+)?(?P<side>\w+)\s+(?:side\s+)?of\s+"
    r"(?P<square>\S+)$",
    re.IGNORECASE,
)
_FLOORS: Final = re.compile(r"^(?:with\s+)?(?P<count>\d+)\s+floors?$", re.IGNORECASE)

OPENINGS: Final[Mapping[str, Opening]] = {
    "window": "small",
    "door": "small",
    "small opening": "small",
    "small": "small",
    "gate": "large",
    "large opening": "large",
    "large": "large",
    "huge gate": "huge",
    "huge opening": "huge",
    "huge": "huge",
}

WallKind = Literal["high", "low"]


class BoardBuilder:
    """Collects pieces of terrain and makes the table of them."""

    def __init__(self, width: int, height: int, kinds: Mapping[str, TerrainKind]) -> None:
        if width * height > MOST_SQUARES:
            raise TableError(f"A board has at most {MOST_SQUARES} squares, not {width} by {height}.")
        self.width = width
        self.height = height
        self.kinds = dict(kinds)
        self._features: dict[tuple[int, int, int], list[str]] = {}
        self._walls: dict[tuple[tuple[int, int, int], tuple[int, int, int]], Wall] = {}
        self._columns: dict[tuple[int, int], Column] = {}

    def build(self) -> SquareTable:
        """The table of everything put down so far."""
        return SquareTable(
            self.width,
            self.height,
            self.kinds,
            {self._index(square): tuple(names) for square, names in self._features.items()},
            {(self._index(a), self._index(b)): wall for (a, b), wall in self._walls.items()},
            self._columns,
        )

    def _index(self, square: tuple[int, int, int]) -> Place:
        x, y, level = square
        return (level * self.height + y) * self.width + x

    # --- pieces by hand ---

    def put(self, kind: str, *where: str) -> BoardBuilder:
        """Terrain on squares ("C4", "C4 C5") or rectangles ("B2-D4")."""
        known = self._kind(kind)
        for square in self._squares(*where):
            names = self._features.setdefault(square, [])
            if kind not in names:
                names.append(kind)
            if known.climb:
                self._columns[square[:2]] = Column(known.height, "outside")
        return self

    def rows(self, rows: Iterable[str] | str) -> BoardBuilder:
        """Terrain drawn with the kinds' symbols, one line of text per row; a dot or blank is open."""
        lines = rows.split("\n") if isinstance(rows, str) else list(rows)
        if isinstance(rows, str):
            lines = [line.strip() for line in lines if line.strip()]
        if len(lines) != self.height:
            raise TableError(f"The drawing has {len(lines)} rows; expected {self.height}.")
        symbols = {kind.symbol: kind.name for kind in self.kinds.values()}
        for y, line in enumerate(lines):
            if len(line) != self.width:
                raise TableError(f"Row {y + 1} of the drawing has {len(line)} squares; expected {self.width}.")
            for x, symbol in enumerate(line):
                if symbol in ". ":
                    continue
                if symbol not in symbols:
                    raise TableError(f"Row {y + 1}, column {column_letters(x)}: no terrain has the symbol {symbol!r}.")
                self.put(symbols[symbol], f"{column_letters(x)}{y + 1}")
        return self

    def wall(self, a: str, b: str, *, kind: WallKind = "high", opening: Opening = "none") -> BoardBuilder:
        """A wall on the edge between two squares."""
        one, other = self._square(a), self._square(b)
        apart = abs(one[0] - other[0]) + abs(one[1] - other[1])
        if apart != 1 or one[2] != other[2]:
            raise TableError(f"A wall needs two squares side by side, not {a} and {b}.")
        self._walls[(min(one, other), max(one, other))] = Wall(kind, opening)
        return self

    def wall_along(self, side: str, where: str, *, kind: WallKind = "high", opening: Opening = "none") -> BoardBuilder:
        """A wall along one side of every square named."""
        for square in self._squares(where):
            self._edge(square, side, Wall(kind, opening))
        return self

    def building(
        self,
        where: str,
        *,
        floors: int = 1,
        roof: bool = True,
        kind: str = "building",
        openings: Iterable[tuple[str, str, Opening]] = (),
    ) -> BoardBuilder:
        """A building with walls all round on every floor, openings in them, stairs everywhere inside."""
        if not self._kind(kind).indoor:
            raise TableError(f"{kind!r} is not a building; its terrain kind is not indoor.")
        if floors < 1:
            raise TableError(f"A building needs at least 1 floor, not {floors}.")
        if floors >= MOST_LEVELS:
            raise TableError(f"A building has at most {MOST_LEVELS - 1} floors, not {floors}.")
        squares = [square[:2] for square in self._squares(where)]
        inside = set(squares)
        top = floors if roof else floors - 1
        for x, y in squares:
            if top:
                self._columns[(x, y)] = Column(top, "inside")
            for level in range(floors):
                names = self._features.setdefault((x, y, level), [])
                if kind not in names:
                    names.append(kind)
                for side, (dx, dy) in zip(SIDES, FORWARD, strict=True):
                    if (x + dx, y + dy) not in inside:
                        self._edge((x, y, level), side, Wall("high"))
        for where_to, square, opening in openings:
            self._open(square, where_to, opening, inside)
        return self

    def _open(self, square: str, side: str, opening: Opening, inside: set[tuple[int, int]]) -> None:
        at = self._square(square)
        if at[:2] not in inside:
            raise TableError(f"The opening at {square} is not in the building.")
        self._edge(at, side, Wall("high", opening))

    def _edge(self, square: tuple[int, int, int], side: str, wall: Wall) -> None:
        if side.lower() not in SIDES:
            raise TableError(f"{side!r} is not a side; expected north, east, south or west.")
        dx, dy = FORWARD[[str(known) for known in SIDES].index(side.lower())]
        x, y, level = square
        other = (x + dx, y + dy, level)
        if 0 <= other[0] < self.width and 0 <= other[1] < self.height:
            self._walls[(min(square, other), max(square, other))] = wall

    # --- pieces in words ---

    def pieces(self, pieces: Iterable[str]) -> BoardBuilder:
        """Several pieces described in words."""
        for text in pieces:
            self.piece(text)
        return self

    def piece(self, text: str) -> BoardBuilder:
        """One piece described in words, such as "rubble at C4" or "wall between C4 and D4 with small opening"."""
        words = " ".join(text.split()).rstrip(".")
        readers = (
            (_WALL, self._read_wall),
            (_ALONG, self._read_along),
            (_FROM, self._read_from),
            (_AT, self._read_at),
        )
        for pattern, reader in readers:
            match = pattern.match(words)
            if match:
                try:
                    reader(match)
                except TableError as error:
                    raise TableError(f"{text!r}: {error}") from error
                return self
        raise TableError(
            f"{text!r} is not a piece of terrain; expected for instance 'rubble at C4', "
            "'wall between C4 and D4' or 'building from B2 to D4 with 2 floors'."
        )

    def _read_wall(self, match: re.Match[str]) -> None:
        self.wall(
            match["a"],
            match["b"].rstrip(","),
            kind=_wall_kind(match["kind"]),
            opening=_opening(match["rest"]),
        )

    def _read_along(self, match: re.Match[str]) -> None:
        kind, opening = _wall_kind(match["kind"]), _opening(match["rest"] or "")
        self.wall_along(match["side"], match["where"], kind=kind, opening=opening)

    def _read_from(self, match: re.Match[str]) -> None:
        where = f"{match['a']}-{match['b']}"
        kind = self._kind(match["kind"])
        rest = match["rest"].strip(" ,")
        if kind.indoor:
            self._read_building(kind.name, where, rest)
        elif rest:
            raise TableError(f"{rest!r} is not understood after the squares.")
        else:
            self.put(kind.name, where)

    def _read_building(self, kind: str, where: str, rest: str) -> None:
        floors, roof = 1, True
        openings: list[tuple[str, str, Opening]] = []
        for part in re.split(r"\s*,\s*|\s+and\s+", rest) if rest else []:
            floors_match, hole = _FLOORS.match(part), _HOLE.match(part)
            if floors_match:
                floors = int(floors_match["count"])
            elif part.lower() in ("no roof", "without roof"):
                roof = False
            elif hole and _opening_word(hole["what"]) in OPENINGS:
                openings.append((hole["side"], hole["square"], OPENINGS[_opening_word(hole["what"])]))
            else:
                raise TableError(f"{part!r} is not understood; expected floors, an opening or 'no roof'.")
        self.building(where, floors=floors, roof=roof, kind=kind, openings=openings)

    def _read_at(self, match: re.Match[str]) -> None:
        kind = self._kind(match["kind"])
        if kind.indoor:
            where, _, rest = match["where"].partition(",")
            self._read_building(kind.name, where, rest.strip())
        else:
            self.put(kind.name, match["where"])

    # --- squares and kinds ---

    def _kind(self, name: str) -> TerrainKind:
        for known in (name, name.lower(), name.lower().replace(" ", "_"), name.lower().replace(" ", "-")):
            if known in self.kinds:
                return self.kinds[known]
        raise TableError(f"{name!r} is not a terrain kind; known kinds are {', '.join(sorted(self.kinds))}.")

    def _square(self, text: str) -> tuple[int, int, int]:
        x, y, level = read_name(text)
        if not (x < self.width and y < self.height):
            last = f"{column_letters(self.width - 1)}{self.height}"
            raise TableError(f"{text} is off the board; its squares run from A1 to {last}.")
        return x, y, level

    def _squares(self, *where: str) -> list[tuple[int, int, int]]:
        squares = []
        for text in where:
            joined = re.sub(r"\s*(-|\bto\b)\s*", "-", text.strip(), flags=re.IGNORECASE)
            for part in re.split(r"[\s,]+(?:and\s+)?", joined):
                if part:
                    squares += self._rectangle(part)
        return squares

    def _rectangle(self, text: str) -> list[tuple[int, int, int]]:
        match = _RECTANGLE.match(text)
        if match is None:
            return [self._square(text)]
        (ax, ay, _), (bx, by, _) = self._square(match[1]), self._square(match[2])
        level = int(match[3].strip("+ ")) if match[3] else 0
        columns = range(min(ax, bx), max(ax, bx) + 1)
        return [(x, y, level) for y in range(min(ay, by), max(ay, by) + 1) for x in columns]


def _wall_kind(text: str | None) -> WallKind:
    return "low" if text and text.lower() == "low" else "high"


def _opening(text: str) -> Opening:
    text = text.strip(" ,")
    if not text:
        return "none"
    match = _OPENING.match(text)
    word = _opening_word(match["size"]) if match else text
    if word not in OPENINGS:
        raise TableError(f"{text!r} is not an opening; expected a small, large or huge opening.")
    return OPENINGS[word]


def _opening_word(text: str) -> str:
    return re.sub(r"^(an?|the)\s+", "", text.strip().lower())
