"""Drawings of positions on squares as SVG, made to be read without colour: terrain by pattern and name, sides by shape.

Blue's units are dark with light letters, red's are light with a double rim; a wedge shows the facing. A solid line of
sight is clear, a dashed one gives cover, a dotted one with a cross is blocked. Squares in reach are hatched and carry
their cost. The figures of terrain are in terrain.xml, each under the id t-KIND.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from typing import Any

SQUARE = 60
MARGIN = 30
LINE_HEIGHT = 17
WEDGES = (
    ((-9, -21), (9, -21), (0, -29)),
    ((21, -9), (21, 9), (29, 0)),
    ((-9, 21), (9, 21), (0, 29)),
    ((-21, -9), (-21, 9), (-29, 0)),
)
OPENINGS = {"none": 0.0, "small": 0.34, "large": 0.6, "huge": 0.84}
_NAME = re.compile(r"^([A-Z]+)(\d+)(?:\+(\d+))?$")

FIGURES = files("dieselfront.referee").joinpath("terrain.xml").read_text("utf-8")
"""The figures of terrain and the hatching, for the <defs> of a drawing."""

KNOWN = frozenset(re.findall(r'id="t-(\w+)"', FIGURES))


class Board:
    """A board of squares being drawn."""

    def __init__(self, view: dict[str, Any]) -> None:
        self.view = view
        self.table = view["table"]
        self.width = int(self.table["width"])
        self.height = int(self.table["height"])
        self.out: list[str] = []

    # -- geometry -------------------------------------------------------------------------------

    def corner(self, name: str) -> tuple[float, float]:
        """The upper left corner of a square, in the drawing."""
        x, y, _ = place(name)
        return MARGIN + x * SQUARE, MARGIN + y * SQUARE

    def centre(self, name: str) -> tuple[float, float]:
        x, y = self.corner(name)
        return x + SQUARE / 2, y + SQUARE / 2

    @property
    def size(self) -> tuple[int, int]:
        return self.width * SQUARE + 2 * MARGIN, self.height * SQUARE + 2 * MARGIN

    # -- layers ---------------------------------------------------------------------------------

    def ground(self) -> None:
        """Squares, coordinates, terrain, walls, objectives."""
        across, down = self.width * SQUARE, self.height * SQUARE
        self.out.append(f'<rect x="{MARGIN}" y="{MARGIN}" width="{across}" height="{down}" fill="#f6f3ea"/>')
        for name, kinds in self.table["features"].items():
            if "+" not in name:
                self.terrain(name, kinds)
        self._grid(across, down)
        for name, column in self.table.get("columns", {}).items():
            x, y = self.corner(name)
            self.out.append(
                f'<text x="{x + SQUARE - 4}" y="{y + 11}" text-anchor="end" class="small">+{column["top"]}</text>'
            )
        for objective in self.view.get("objectives", ()):
            for name in objective["places"]:
                self.objective(name)

    def walls(self) -> None:
        """All walls of the ground floor; drawn after what lies on the squares."""
        for wall in self.table["walls"]:
            self.wall(wall)

    def _grid(self, across: int, down: int) -> None:
        lines = [f"M{MARGIN + x * SQUARE} {MARGIN}v{down}" for x in range(self.width + 1)]
        lines += [f"M{MARGIN} {MARGIN + y * SQUARE}h{across}" for y in range(self.height + 1)]
        self.out.append(f'<path d="{"".join(lines)}" stroke="#b9b2a0" stroke-width="1" fill="none"/>')
        for x in range(self.width):
            self._coordinate(MARGIN + (x + 0.5) * SQUARE, MARGIN - 9, letters(x))
            self._coordinate(MARGIN + (x + 0.5) * SQUARE, MARGIN + down + 19, letters(x))
        for y in range(self.height):
            self._coordinate(MARGIN / 2, MARGIN + (y + 0.5) * SQUARE + 5, str(y + 1))
            self._coordinate(MARGIN * 1.5 + across, MARGIN + (y + 0.5) * SQUARE + 5, str(y + 1))

    def _coordinate(self, x: float, y: float, text: str) -> None:
        self.out.append(f'<text x="{x:g}" y="{y:g}" text-anchor="middle" class="coordinate">{text}</text>')

    def terrain(self, name: str, kinds: Iterable[str]) -> None:
        """What lies on a square: a pattern or small figures, and the name."""
        x, y = self.corner(name)
        for kind in kinds:
            self.out.append(figure(kind, x, y))
        words = ", ".join(kind.replace("_", " ") for kind in kinds)
        if words:
            shown = words if len(words) <= 13 else words[:12] + "…"
            self.out.append(haloed(x + 3, y + SQUARE - 4, escape(shown), "small"))

    def wall(self, wall: dict[str, Any]) -> None:
        """A thick line; low walls are thin and double; an opening is a gap."""
        a, b = wall["between"]
        if place(a)[2]:
            return
        (x1, y1), (x2, y2) = self.corner(a), self.corner(b)
        x, y = max(x1, x2), max(y1, y2)
        dx, dy = (0, SQUARE) if x1 != x2 else (SQUARE, 0)
        gap = OPENINGS[wall.get("opening", "none")]
        style = 'stroke="#3a3630" stroke-width="6"'
        if wall.get("kind") == "low":
            style = 'stroke="#6d655a" stroke-width="5" stroke-dasharray="7 3"'
        for start, end in ((0.0, 0.5 - gap / 2), (0.5 + gap / 2, 1.0)):
            way = f"M{x + dx * start:g} {y + dy * start:g}L{x + dx * end:g} {y + dy * end:g}"
            self.out.append(f'<path d="{way}" {style}/>')

    def objective(self, name: str) -> None:
        x, y = self.corner(name)
        self.out.append(
            f'<path d="M{x + 6} {y + 24}V{y + 5}l13 5l-13 5" fill="#fff" stroke="#222" stroke-width="1.6"/>'
        )

    def reach(self, covered: Iterable[str], costs: dict[str, int]) -> None:
        for name in covered:
            x, y = self.corner(name)
            self.out.append(f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="url(#reach)"/>')
        for name, cost in costs.items():
            x, y = self.corner(name)
            self.out.append(haloed(x + SQUARE - 5, y + 15, str(cost), "cost", 'text-anchor="end"'))

    def units(self) -> None:
        for unit in self.view["units"]:
            if unit["status"] == "board" and unit["places"]:
                self.unit(unit)

    def unit(self, unit: dict[str, Any]) -> None:
        """A counter: round for people, square for vehicles, a diamond for aircraft; id, strength, tokens."""
        centres = [self.centre(name) for name in unit["places"]]
        x = sum(one[0] for one in centres) / len(centres)
        y = sum(one[1] for one in centres) / len(centres)
        dark = unit["side"] == 0
        fill, ink = ("#27405e", "#fff") if dark else ("#fbeee6", "#5e1f12")
        half_x = (max(one[0] for one in centres) - min(one[0] for one in centres)) / 2 + 20
        half_y = (max(one[1] for one in centres) - min(one[1] for one in centres)) / 2 + 20
        self.out.append(f"<g><title>{escape(unit['name'])} ({escape(unit['id'])})</title>")
        self.out.append(_counter(unit["kind"], x, y, half_x, half_y, fill, ink))
        if not dark:
            self.out.append(_counter(unit["kind"], x, y, half_x - 3.5, half_y - 3.5, "none", ink))
        if unit["kind"] in ("vehicle", "aircraft", "fortification"):
            self.out.append(_wedge(unit["facing"], x, y, half_x, half_y, ink if not dark else fill))
        level = place(unit["places"][0])[2]
        label = unit["id"] + (f"+{level}" if level else "")
        self.out.append(
            f'<text x="{x:g}" y="{y + 1:g}" text-anchor="middle" class="unit" fill="{ink}">{escape(label)}</text>'
        )
        strength = f"{unit['left']}/{unit['left_max']}"
        self.out.append(
            f'<text x="{x:g}" y="{y + 13:g}" text-anchor="middle" class="small" fill="{ink}">{strength}</text>'
        )
        self._tokens(unit, x, y - half_y)
        self.out.append("</g>")

    def _tokens(self, unit: dict[str, Any], x: float, y: float) -> None:
        marks = "".join(word[:2].upper() + " " for word in unit["tokens"]) + ("✓" if unit["activated"] else "")
        if marks.strip():
            width = 6 * len(marks.strip()) + 6
            box = f'x="{x - width / 2:g}" y="{y - 7:g}" width="{width}" height="11" rx="3"'
            self.out.append(
                f'<rect {box} fill="#fff" stroke="#222"/>'
                f'<text x="{x:g}" y="{y + 2:g}" text-anchor="middle" class="small">{marks.strip()}</text>'
            )

    def sight(self, line: dict[str, Any]) -> None:
        """One line of sight, its kind shown by its strokes, its reason beside it."""
        (x1, y1), (x2, y2) = self.centre(line["from"]), self.centre(line["to"])
        state = "blocked" if not line["visible"] else "cover" if line["cover"] else "clear"
        strokes = {
            "clear": "",
            "cover": 'stroke-dasharray="10 6"',
            "blocked": 'stroke-dasharray="2 6" stroke-linecap="round"',
        }[state]
        way = f'd="M{x1:g} {y1:g}L{x2:g} {y2:g}"'
        self.out.append(
            f'<path {way} stroke="#fff" stroke-width="6" stroke-opacity=".7"/>'
            f'<path {way} stroke="#111" stroke-width="2.4" {strokes}/>'
        )
        for reason in line["reasons"][:2]:
            self._cause(reason)

    def _cause(self, reason: dict[str, Any]) -> None:
        """A ring on the squares (or the edge between two) that matter, crossed if they block."""
        names = list(dict.fromkeys(reason["places"]))
        spots = [(*self.centre(name), 25.0) for name in names]
        if len(names) == 2 and reason["code"] in ("wall", "low_wall", "opening"):
            spots = [((spots[0][0] + spots[1][0]) / 2, (spots[0][1] + spots[1][1]) / 2, 11.0)]
        for x, y, radius in spots:
            self.out.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="none" stroke="#111" stroke-width="2"/>'
            )
            if reason["blocks"]:
                arm = radius * 0.4
                cross = f"M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}m0 {-2 * arm:g}l{-2 * arm:g} {2 * arm:g}"
                self.out.append(f'<path d="{cross}" stroke="#111" stroke-width="3"/>')


def haloed(x: float, y: float, text: str, style: str, more: str = "") -> str:
    """Text that can be read on any ground."""
    at = f'x="{x:g}" y="{y:g}" class="{style}" {more}'
    return f'<text {at} stroke="#fff" stroke-width="3" stroke-linejoin="round">{text}</text><text {at}>{text}</text>'


def draw(view: dict[str, Any], answers: Iterable[Any] = (), title: str = "") -> str:
    """The position with everything that was asked about it, as one SVG file."""
    if view["table"]["kind"] == "measured":
        from dieselfront.referee import measured_svg

        return measured_svg.draw(view, answers, title)
    board = Board(view)
    board.ground()
    asked = list(answers)
    covered: dict[str, None] = {}
    costs: dict[str, int] = {}
    for answer in asked:
        covered |= dict.fromkeys(answer.marks.get("covered", ()))
        for name, cost in answer.marks.get("reach", {}).items():
            costs[name] = min(cost, costs.get(name, cost))
    board.reach(covered, costs)
    board.walls()
    for answer in asked:
        for line in answer.marks.get("lines", ()):
            board.sight(line)
    board.units()
    return _page(board, _caption(asked, title, board.size[0]))


def ground(view: dict[str, Any]) -> str:
    """Only the ground, without a page around it; for drawings that put moving units on it."""
    board = Board(view)
    board.ground()
    board.walls()
    return "".join(board.out)


def _caption(answers: list[Any], title: str, width: int) -> list[str]:
    lines = [title] if title else []
    for answer in answers:
        if answer.kind in ("sight", "cover", "reach", "arc", "range"):
            for text in answer.text[1:2] or answer.text[:1] if answer.kind == "reach" else answer.text[:4]:
                lines += _wrapped(text, max(30, width // 7))
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width, subsequent_indent="   ") or [""]


def _page(board: Board, caption: list[str]) -> str:
    width, height = board.size
    whole = height + (LINE_HEIGHT * len(caption) + 14 if caption else 0)
    texts = "".join(
        f'<text x="{MARGIN}" y="{height + 4 + LINE_HEIGHT * place}" class="caption">{escape(line)}</text>'
        for place, line in enumerate(caption, 1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {whole}" width="{width}" height="{whole}" '
        f'font-family="system-ui, sans-serif" role="img"><style>{STYLE}</style><defs>{FIGURES}</defs>'
        f'<rect width="{width}" height="{whole}" fill="#fffdf7"/>{"".join(board.out)}{texts}</svg>\n'
    )


STYLE = (
    ".small{font-size:9px}.coordinate{font-size:13px;font-weight:600}.unit{font-size:14px;font-weight:700}"
    ".cost{font-size:14px;font-weight:700}.caption{font-size:13px}"
)


def figure(kind: str, x: float, y: float) -> str:
    """The picture of a terrain kind on a square."""
    return f'<use href="#t-{kind if kind in KNOWN else "other"}" x="{x:g}" y="{y:g}"/>'


def _counter(kind: str, x: float, y: float, half_x: float, half_y: float, fill: str, ink: str) -> str:
    style = f'fill="{fill}" stroke="{ink if fill == "none" else "#1a1a1a"}" stroke-width="1.6"'
    if kind == "aircraft":
        points = f"{x:g},{y - half_y:g} {x + half_x:g},{y:g} {x:g},{y + half_y:g} {x - half_x:g},{y:g}"
        return f'<polygon points="{points}" {style}/>'
    round_ = 4 if kind in ("vehicle", "fortification") else min(half_x, half_y)
    box = f'x="{x - half_x:g}" y="{y - half_y:g}" width="{2 * half_x:g}" height="{2 * half_y:g}" rx="{round_:g}"'
    return f"<rect {box} {style}/>"


def _wedge(facing: int, x: float, y: float, half_x: float, half_y: float, ink: str) -> str:
    """A wedge on the side the unit looks to, moved out to the edge of big counters."""
    grow_x, grow_y = half_x - 20, half_y - 20
    push = ((0, -grow_y), (grow_x, 0), (0, grow_y), (-grow_x, 0))[facing]
    points = " ".join(f"{x + push[0] + px:g},{y + push[1] + py:g}" for px, py in WEDGES[facing])
    return f'<polygon points="{points}" fill="{ink}" stroke="#1a1a1a"/>'


def place(name: str) -> tuple[int, int, int]:
    """Column, row and level of a square's name."""
    match = _NAME.match(name)
    if match is None:
        raise ValueError(f"{name!r} is no square")
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1, int(match[2]) - 1, int(match[3] or 0)


def letters(x: int) -> str:
    """The letters of a column: A, B, ... Z, AA."""
    text = ""
    x += 1
    while x:
        x, rest = divmod(x - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


__all__ = ["Board", "draw", "figure", "ground", "letters", "place"]
