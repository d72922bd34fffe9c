"""Pictures of a measured table: terrain like a topographic map, models, facings, arcs, sight lines, reach (SVG text).

Everything can be told apart without colour: terrain by its pattern, sides by fill and rim, lines by their dashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from dieselfront.table.measured.angles import step
from dieselfront.table.measured.arcs import Arc, Facing, arc_polygons
from dieselfront.table.measured.geometry import Point
from dieselfront.table.measured.patterns import FILLS, INK, PALE, PAPER, PATTERNS, RIM, STROKES, Stroke
from dieselfront.table.measured.reach import Reach
from dieselfront.table.measured.shapes import Body, outline
from dieselfront.table.measured.sight import Sighting
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.templates import Area, Disc, Strip, Template, Together
from dieselfront.table.measured.terrain import Piece
from dieselfront.table.measured.units import inches, show_cm, show_inches

MARGIN = 34
LEGEND_WIDTH = 330
FONT = "font-family='Barlow Condensed, Roboto Condensed, Arial Narrow, DejaVu Sans Condensed, sans-serif'"
_ORDER = ("hill", "road", "river", "water", "mud", "sand", "swamp", "crops")  # flat things lie below the others


def _n(tenths: float) -> str:
    """A coordinate in millimetres, as short as it can be."""
    return f"{tenths / 10:.1f}".rstrip("0").rstrip(".")


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


class Drawing:
    """Collects what shall be seen and gives the SVG at the end; positions in mm, layers in a fixed order."""

    def __init__(self, table: MeasuredTable, title: str = "", unit: str = "in", legend: bool = True) -> None:
        if unit not in ("in", "cm"):
            raise ValueError(f"Pictures are measured in 'in' or 'cm', not {unit!r}.")
        self.table = table
        self.title = title
        self.unit = unit
        self.with_legend = legend
        self._layers: dict[str, list[str]] = {
            name: [] for name in ("zones", "reach", "arcs", "models", "lines", "text")
        }
        self._clips: list[str] = []
        self._keys: dict[str, tuple[str, str]] = {}  # legend: what was used, its sign, its words

    # -- what is seen ----------------------------------------------------------------------------------------

    def zone(self, corners: Sequence[Point], label: str = "") -> Drawing:
        """A zone (mm) with a dashed rim: deployment, an objective's area."""
        points = [(x * 10, y * 10) for x, y in corners]
        self._layers["zones"].append(
            f"<polygon points='{_points(points)}' fill='{INK}' fill-opacity='.04' stroke='{INK}' stroke-width='1.2' "
            f"stroke-dasharray='14 5 3 5'/>"
        )
        if label:
            x, y = min(x for x, _ in corners) + 8, min(y for _, y in corners) + 18
            self._text(x * 10, y * 10, label, 13, anchor="start", italic=True)
        return self

    def reach(self, found: Reach, label: str = "in reach") -> Drawing:
        """Where a model can go: a hatched area with a firm rim."""
        rings = " ".join(
            "M" + " L".join(f"{_n(x * 10)} {_n(y * 10)}" for x, y in _smooth(ring)) + " Z" for ring in found.outline()
        )
        self._layers["reach"].append(
            f"<path d='{rings}' fill='url(#reach)' fill-rule='evenodd' stroke='#2f5d50' stroke-width='1.6'/>"
        )
        sign = "<rect x='4' y='4' width='34' height='16' fill='url(#reach)' stroke='#2f5d50' stroke-width='1.6'/>"
        self._keys[label] = (sign, f"{label}, up to {self._length(found.limit)}")
        return self

    def model(
        self, body: Body, side: int = 0, label: str = "", is_leader: bool = False, is_selected: bool = False
    ) -> Drawing:
        """A base or hull with its facing; side 0 dark, side 1 light with a double rim, others grey."""
        fill, rim, text = (("#33465c", INK, "#fff"), ("#fbf7ea", "#8c2f1d", INK), ("#b9b4a4", INK, INK))[min(side, 2)]
        layer = self._layers["models"]
        if is_selected:
            layer.append(
                f"<circle cx='{_n(body.cx)}' cy='{_n(body.cy)}' r='{_n(body.radius + 60)}' fill='none' "
                f"stroke='#d98a00' stroke-width='3.2'/>"
            )
        if body.corners:
            layer.append(
                f"<polygon points='{_points((x + 15, y + 22) for x, y in body.corners)}' fill='{INK}' opacity='.22'/>"
            )
            layer.append(
                f"<polygon points='{_points(body.corners)}' fill='{fill}' stroke='{rim}' stroke-width='2.2' "
                f"stroke-linejoin='round'/>"
            )
            if side == 1:
                layer.append(
                    f"<polygon points='{_points(_inset(body, 40))}' fill='none' stroke='{rim}' stroke-width='.9'/>"
                )
            layer.append(
                f"<polyline points='{_points(_chevron(body))}' fill='none' stroke='{text}' stroke-width='2.4' "
                f"stroke-linecap='round' stroke-linejoin='round'/>"
            )
            size, y = 15.0, body.cy + 50
        else:
            r = body.radius
            layer.append(
                f"<circle cx='{_n(body.cx + 12)}' cy='{_n(body.cy + 18)}' r='{_n(r)}' fill='{INK}' opacity='.22'/>"
            )
            layer.append(
                f"<circle cx='{_n(body.cx)}' cy='{_n(body.cy)}' r='{_n(r)}' fill='{fill}' stroke='{rim}' "
                f"stroke-width='1.8'/>"
            )
            if side == 1:
                layer.append(
                    f"<circle cx='{_n(body.cx)}' cy='{_n(body.cy)}' r='{_n(r - 28)}' fill='none' stroke='{rim}' "
                    f"stroke-width='.8'/>"
                )
            if is_leader:
                layer.append(_star(body, text))
            size, y = max(8.0, r / 10 * 0.9), body.cy + max(8.0, r / 10 * 0.9) * 3.5
        if label and not (is_leader and not body.corners):
            layer.append(
                f"<text x='{_n(body.cx)}' y='{_n(y)}' font-size='{size:.3g}' text-anchor='middle' fill='{text}' "
                f"font-weight='600'>{escape(label)}</text>"
            )
        elif label:
            self._text(body.cx, body.cy - body.radius - 30, label, 12)
        return self

    def models(self, bodies: Sequence[Body], side: int = 0, label: str = "", leader: bool = True) -> Drawing:
        """A unit: its first model is the leader; the label stands over him."""
        for number, body in enumerate(bodies):
            self.model(body, side, label if number == 0 else "", is_leader=leader and number == 0)
        return self

    def facings(self, body: Body) -> Drawing:
        """The 45 degree lines that part front, sides and rear."""
        for number, (x, y) in enumerate(body.corners or ((body.cx, body.cy),) * 4):
            dx, dy = step(body.heading - 45 + 90 * number, 1600)
            self._layers["arcs"].append(
                f"<line x1='{_n(x)}' y1='{_n(y)}' x2='{_n(x + dx)}' y2='{_n(y + dy)}' stroke='{INK}' stroke-width='1' "
                f"stroke-dasharray='2 4'/>"
            )
        for facing in Facing:
            far = body.shape.width * 5 if facing.is_side else body.shape.length * 5
            dx, dy = step(body.heading + 90 * facing, far + 260)
            self._text(body.cx + dx, body.cy + dy + 40, facing.name.lower(), 11, italic=True)
        sign = f"<line x1='4' y1='12' x2='38' y2='12' stroke='{INK}' stroke-width='1' stroke-dasharray='2 4'/>"
        self._keys["facings"] = (sign, "front, sides and rear")
        return self

    def arc(self, body: Body, arc: Arc, reach: int, label: str = "") -> Drawing:
        """A fire arc out to a range (tenths) from the hull."""
        clip = f"arc{len(self._clips)}"
        far = reach + body.radius
        self._clips.append(
            f"<clipPath id='{clip}'><circle cx='{_n(body.cx)}' cy='{_n(body.cy)}' r='{_n(far)}'/></clipPath>"
        )
        layer = self._layers["arcs"]
        for polygon in arc_polygons(body, arc):
            layer.append(
                f"<g clip-path='url(#{clip})'><polygon points='{_points(polygon)}' fill='#b5651d' fill-opacity='.10' "
                f"stroke='#8a4a12' stroke-width='1.6' stroke-dasharray='9 4'/></g>"
            )
        layer.append(
            f"<g clip-path='url(#{clip}r)'><circle cx='{_n(body.cx)}' cy='{_n(body.cy)}' r='{_n(far)}' fill='none' "
            f"stroke='#8a4a12' stroke-width='1.6' stroke-dasharray='9 4'/></g>"
        )
        rims = "".join(f"<polygon points='{_points(p)}'/>" for p in arc_polygons(body, arc))
        self._clips.append(f"<clipPath id='{clip}r'>{rims or _rect(self.table)}</clipPath>")
        sign = (
            "<path d='M6 20 L22 2 L38 20' fill='#b5651d' fill-opacity='.10' stroke='#8a4a12' stroke-width='1.6' "
            "stroke-dasharray='9 4'/>"
        )
        self._keys["arc"] = (sign, f"arc {label or arc.name}, {self._length(reach)}")
        return self

    def sight(self, target: Body, sighting: Sighting, label: str = "") -> Drawing:
        """A line of sight from the eye that was used: clear, covered or blocked, with the reason at the obstacle."""
        x, y, _ = sighting.eye
        style = "clear" if sighting.is_clear else "cover" if sighting.is_seen else "blocked"
        dash, width = {"clear": ("", 2.0), "cover": ("10 5", 2.0), "blocked": ("2.5 4", 2.0)}[style]
        words = {"clear": "clear sight", "cover": "seen, partly or in cover", "blocked": "no sight"}[style]
        stroke = {"clear": "#1f6b3b", "cover": "#a86a00", "blocked": "#a32020"}[style]
        line = f"stroke='{stroke}' stroke-width='{width}'" + (f" stroke-dasharray='{dash}'" if dash else "")
        self._layers["lines"].append(
            f"<line x1='{_n(x)}' y1='{_n(y)}' x2='{_n(target.cx)}' y2='{_n(target.cy)}' {line}/>"
        )
        self._keys[f"sight {style}"] = (f"<line x1='4' y1='12' x2='38' y2='12' {line}/>", words)
        for reason in sighting.reasons[:2]:
            self._reason(reason.at, str(reason.who), reason.effect, reason.hides, stroke)
        text = label or f"{sighting.seen}/{sighting.total}"
        self._text((x + 2 * target.cx) // 3, (y + 2 * target.cy) // 3 - 40, text, 12, halo=True)
        return self

    def _reason(self, at: Point, who: str, effect: str, hides: bool, stroke: str) -> None:
        x, y = at[0] * 10, at[1] * 10
        mark = (
            f"<path d='M{_n(x - 50)} {_n(y - 50)} L{_n(x + 50)} {_n(y + 50)} M{_n(x + 50)} {_n(y - 50)} "
            f"L{_n(x - 50)} {_n(y + 50)}' stroke='{stroke}' stroke-width='3' stroke-linecap='round'/>"
            if hides
            else f"<circle cx='{_n(x)}' cy='{_n(y)}' r='4.5' fill='{PAPER}' stroke='{stroke}' stroke-width='2'/>"
        )
        self._layers["lines"].append(mark)
        self._text(x, y + 190, f"{effect}: {who}", 11.5, halo=True)

    def path(self, points: Sequence[Point], label: str = "") -> Drawing:
        """A path walked or driven (mm), with a head at its end."""
        tenths = [(x * 10, y * 10) for x, y in points]
        self._layers["lines"].append(
            f"<polyline points='{_points(tenths)}' fill='none' stroke='{INK}' stroke-width='2.2' marker-end='url(#head)' "
            f"stroke-linejoin='round'/>"
        )
        if label:
            self._text(*tenths[-1], label, 12, halo=True)
        sign = f"<line x1='4' y1='12' x2='34' y2='12' stroke='{INK}' stroke-width='2.2' marker-end='url(#head)'/>"
        self._keys["path"] = (sign, "path")
        return self

    def template(self, template: Template, label: str = "") -> Drawing:
        """A blast, tape, strip or teardrop laid on the table."""
        style = "fill='#8c2f1d' fill-opacity='.12' stroke='#8c2f1d' stroke-width='1.8'"
        for part in template.parts if isinstance(template, Together) else (template,):
            if isinstance(part, Disc):
                x, y = part.x * 10, part.y * 10
                self._layers["lines"].append(f"<circle cx='{part.x}' cy='{part.y}' r='{_n(part.radius)}' {style}/>")
                self._layers["lines"].append(
                    f"<path d='M{_n(x - 60)} {part.y} H{_n(x + 60)} M{part.x} {_n(y - 60)} V{_n(y + 60)}' stroke='#8c2f1d'/>"
                )
                if label:
                    self._text(x, y - part.radius - 30, label, 12, halo=True)
            elif isinstance(part, Strip):
                self._layers["lines"].append(
                    f"<line x1='{part.a[0]}' y1='{part.a[1]}' x2='{part.b[0]}' y2='{part.b[1]}' stroke='#8c2f1d' "
                    f"stroke-opacity='.35' stroke-width='{_n(max(part.width, 10))}'/>"
                )
            elif isinstance(part, Area):
                self._layers["lines"].append(f"<polygon points='{_points(part.corners)}' {style}/>")
        sign = f"<circle cx='21' cy='12' r='9' {style}/>"
        self._keys["template"] = (sign, "template")
        return self

    def marker(self, x: int, y: int, label: str) -> Drawing:
        """An objective or another point of interest."""
        self._layers["models"].append(
            f"<path d='M{x} {y - 14} L{x + 14} {y} L{x} {y + 14} L{x - 14} {y} Z' fill='#d98a00' stroke='{INK}' "
            f"stroke-width='2'/>"
        )
        self._text(x * 10, y * 10 + 290, label, 12, halo=True)
        return self

    def tape(self, a: Body, b: Body, length: int) -> Drawing:
        """A measured distance between two models, written at its middle."""
        self._layers["lines"].append(
            f"<line x1='{_n(a.cx)}' y1='{_n(a.cy)}' x2='{_n(b.cx)}' y2='{_n(b.cy)}' stroke='{INK}' stroke-width='.8'/>"
        )
        self._text((a.cx + b.cx) // 2, (a.cy + b.cy) // 2 - 30, self._length(length), 12, halo=True)
        return self

    # -- the sheet -------------------------------------------------------------------------------------------

    def svg(self) -> str:
        """The picture as SVG text."""
        table = self.table
        used = self._kinds()
        legend = self._legend(used) if self.with_legend else ""
        width = table.width + 2 * MARGIN + (LEGEND_WIDTH if self.with_legend else 0)
        height = table.depth + 2 * MARGIN + 44 + (30 if self.title else 0)
        top = MARGIN + (30 if self.title else 0)
        patterns = "".join(PATTERNS[kind] for kind in sorted(used) if kind in PATTERNS)
        body = "".join(
            [
                f"<rect width='{table.width}' height='{table.depth}' fill='{PAPER}'/>",
                self._grid(),
                "<g clip-path='url(#table)'>",
                *(self._piece(piece) for piece in self._sorted()),
                "</g>",
                *self._layers["zones"],
                "<g clip-path='url(#table)'>",
                *self._layers["reach"],
                *self._layers["arcs"],
                "</g>",
                *(self._name(piece) for piece in self._sorted()),
                *self._layers["models"],
                *self._layers["lines"],
                *self._layers["text"],
                f"<rect width='{table.width}' height='{table.depth}' fill='none' stroke='{INK}' stroke-width='3'/>",
                self._scale_bar(),
            ]
        )
        title = (
            f"<text x='{MARGIN}' y='{MARGIN + 8}' font-size='24' font-weight='700' fill='{INK}'>{escape(self.title)}</text>"
            if self.title
            else ""
        )
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' {FONT}>"
            f"<title>{escape(self.title or 'Table')}</title>"
            f"<defs>{patterns}{_REACH}{_HEAD}<clipPath id='table'>{_rect(table)}</clipPath>{''.join(self._clips)}</defs>"
            f"<rect width='{width}' height='{height}' fill='{RIM}'/>{title}"
            f"<g transform='translate({MARGIN} {top})'>{body}</g>"
            f"<g transform='translate({table.width + 2 * MARGIN} {top})'>{legend}</g></svg>\n"
        )

    def _kinds(self) -> dict[str, str]:
        """Drawing words in use, each with the name of its kind."""
        return {piece.kind.drawing or piece.kind.id: piece.kind.name for piece in self.table.pieces}

    def _sorted(self) -> list[Piece]:
        """Flat things first, walls and houses last."""
        order = {name: rank for rank, name in enumerate(_ORDER)}
        return sorted(self.table.pieces, key=lambda piece: order.get(piece.kind.drawing or piece.kind.id, len(order)))

    def _grid(self) -> str:
        """Thin lines every six inches or 20 cm, with their numbers on the rim."""
        gap, word = (1524, 6) if self.unit == "in" else (2000, 20)
        lines, numbers = [], []
        for k in range(0, self.table.width * 10 // gap + 1):
            lines.append(f"M{_n(k * gap)} 0 V{self.table.depth}")
            numbers.append(f"<text x='{_n(k * gap)}' y='-7' text-anchor='middle'>{k * word}</text>")
        for k in range(0, self.table.depth * 10 // gap + 1):
            lines.append(f"M0 {_n(k * gap)} H{self.table.width}")
            numbers.append(f"<text x='-7' y='{_n(k * gap + 40)}' text-anchor='end'>{k * word}</text>")
        return (
            f"<path d='{' '.join(lines)}' stroke='{PALE}' stroke-width='.8' fill='none'/>"
            f"<g font-size='12' fill='{INK}'>{''.join(numbers)}</g>"
        )

    def _piece(self, piece: Piece) -> str:
        if piece.is_building:
            return _house(piece)
        drawing = piece.kind.drawing or piece.kind.id
        stroke = STROKES.get(drawing, STROKES[""])
        fill = FILLS.get(drawing, "none")
        shapes = []
        for part in piece.parts:
            points = _points(part.polygon)
            if fill != "none":
                shapes.append(f"<polygon points='{points}' fill='{fill}'/>")
            pattern = f"url(#{drawing})" if drawing in PATTERNS else "none"
            shapes.append(f"<polygon points='{points}' fill='{pattern}' {stroke.svg}/>")
        if piece.kind.is_hill:
            shapes += _contours(piece, stroke)
        return "".join(shapes)

    def _name(self, piece: Piece) -> str:
        low_x, low_y, high_x, high_y = piece.parts[0].box
        if min(high_x - low_x, high_y - low_y) < 600 or piece.kind.id == "road":
            return ""
        x, y = (low_x + high_x) // 2, high_y - 70
        height = f" {piece.height // 10} mm" if piece.height else ""
        words = escape(piece.kind.name) + (f" ×{piece.floors}" if piece.is_building else height)
        return _halo(x, y, words, 11, "middle", True)

    def _scale_bar(self) -> str:
        """Twelve inches and thirty centimetres side by side under the table."""
        y = self.table.depth + 14
        inch = "".join(
            f"<rect x='{_n(k * 762)}' y='{y}' width='76.2' height='7' fill='{INK if k % 2 == 0 else PAPER}' stroke='{INK}'/>"
            for k in range(4)
        )
        metric = "".join(
            f"<rect x='{400 + 100 * k}' y='{y}' width='100' height='7' fill='{INK if k % 2 == 0 else PAPER}' stroke='{INK}'/>"
            for k in range(3)
        )
        marks = [(0, '0"'), (76.2, '3"'), (152.4, '6"'), (304.8, '12"'), (400, "0"), (500, "10 cm"), (700, "30 cm")]
        text = "".join(f"<text x='{x}' y='{y + 22}' text-anchor='middle'>{escape(word)}</text>" for x, word in marks)
        return f"{inch}{metric}<g font-size='12.5' fill='{INK}'>{text}</g>"

    def _legend(self, used: dict[str, str]) -> str:
        rows = []
        for drawing, name in used.items():
            stroke = STROKES.get(drawing, STROKES[""])
            fill = FILLS.get(drawing, PAPER)
            pattern = f"url(#{drawing})" if drawing in PATTERNS else "none"
            sign = (
                f"<rect x='3' y='2' width='36' height='20' fill='{fill if fill != 'none' else PAPER}'/>"
                f"<rect x='3' y='2' width='36' height='20' fill='{pattern}' {stroke.svg}/>"
            )
            rows.append((sign, name))
        rows += list(self._keys.values())
        text = "".join(
            f"<g transform='translate(0 {28 * k})'>{sign}<text x='48' y='17' font-size='15' fill='{INK}'>{escape(words)}</text></g>"
            for k, (sign, words) in enumerate(rows)
        )
        return text

    def _text(
        self, x: int, y: int, words: str, size: float, anchor: str = "middle", italic: bool = False, halo: bool = True
    ) -> None:
        self._layers["text"].append(_halo(x, y, escape(words), size, anchor, italic))

    def _length(self, tenths: int) -> str:
        return show_inches(tenths) if self.unit == "in" else show_cm(tenths)


_REACH = (
    "<pattern id='reach' width='10' height='10' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'>"
    "<rect width='10' height='10' fill='#2f5d50' fill-opacity='.10'/>"
    "<path d='M0 0 V10' stroke='#2f5d50' stroke-width='1' stroke-opacity='.55'/></pattern>"
)
_HEAD = (
    f"<marker id='head' viewBox='0 0 10 10' refX='8' refY='5' markerWidth='6' markerHeight='6' orient='auto'>"
    f"<path d='M0 0 L10 5 L0 10 Z' fill='{INK}'/></marker>"
)


def _rect(table: MeasuredTable) -> str:
    return f"<rect width='{table.width}' height='{table.depth}'/>"


def _halo(x: int, y: int, words: str, size: float, anchor: str, italic: bool) -> str:
    style = " font-style='italic'" if italic else ""
    return (
        f"<text x='{_n(x)}' y='{_n(y)}' font-size='{size:g}' text-anchor='{anchor}' fill='{INK}'{style} "
        f"stroke='{PAPER}' stroke-width='3.2' stroke-linejoin='round' paint-order='stroke'>{words}</text>"
    )


def _smooth(ring: Sequence[Point]) -> list[Point]:
    """The corners of a lattice outline cut: the middles of its edges joined up."""
    return [((ax + bx) // 2, (ay + by) // 2) for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True)]


def _inset(body: Body, by: int) -> list[Point]:
    far = max(body.radius, 1)
    return [(x + (body.cx - x) * by // far, y + (body.cy - y) * by // far) for x, y in body.corners]


def _chevron(body: Body) -> list[Point]:
    """An arrow head near the front of a hull."""
    length, width = body.shape.length * 10, body.shape.width * 10
    tip, side, back = (
        step(body.heading, length * 42 // 100),
        step(body.heading + 90, width * 28 // 100),
        length * 24 // 100,
    )
    rear = step(body.heading, back)
    return [
        (body.cx + rear[0] - side[0], body.cy + rear[1] - side[1]),
        (body.cx + tip[0], body.cy + tip[1]),
        (body.cx + rear[0] + side[0], body.cy + rear[1] + side[1]),
    ]


def _star(body: Body, colour: str) -> str:
    """The sign of a leader: a five-pointed figure inside his base."""
    points = []
    for i in range(10):
        dx, dy = step(36 * i, body.radius * (62 if i % 2 == 0 else 27) // 100)
        points.append((body.cx + dx, body.cy + dy))
    return f"<polygon points='{_points(points)}' fill='{colour}'/>"


def _contours(piece: Piece, stroke: Stroke) -> list[str]:
    """Two contour lines inside a hill, drawn in towards its middle."""
    lines = []
    for part in piece.parts:
        cx, cy = part.centre
        for share in (15, 30):
            points = [(x + (cx - x) * share // 100, y + (cy - y) * share // 100) for x, y in part.polygon]
            lines.append(f"<polygon points='{_points(points)}' fill='none' {stroke.svg}/>")
    return lines


def _house(piece: Piece) -> str:
    """A plan view: a hatched floor, thick walls, gaps where the ground floor opens, thin bars for windows above."""
    shapes = []
    for part in piece.parts:
        shapes.append(f"<polygon points='{_points(part.polygon)}' fill='#d9cdb4'/>")
        pattern = "url(#house)" if "house" in PATTERNS else "none"
        shapes.append(
            f"<polygon points='{_points(part.polygon)}' fill='{pattern}' stroke='{INK}' stroke-width='6' "
            f"stroke-linejoin='miter'/>"
        )
    for opening in piece.openings:
        width, colour = (7.5, PAPER) if opening.floor == 0 else (1.6, PAPER)
        shapes.append(
            f"<line x1='{opening.a[0]}' y1='{opening.a[1]}' x2='{opening.b[0]}' y2='{opening.b[1]}' stroke='{colour}' "
            f"stroke-width='{width}'/>"
        )
    return "".join(shapes)


def draw(
    table: MeasuredTable,
    units: Sequence[tuple[int, str, Sequence[Body]]] = (),
    sights: Sequence[tuple[Body, Sighting]] = (),
    found: Reach | None = None,
    arcs: Sequence[tuple[Body, Arc, int]] = (),
    title: str = "",
    unit: str = "in",
) -> str:
    """A picture in one call: units as (side, label, models), sights as (target, sighting), a reach, arcs with ranges."""
    drawing = Drawing(table, title, unit)
    if found is not None:
        drawing.reach(found)
    for body, arc, reach in arcs:
        drawing.arc(body, arc, reach)
    for side, label, bodies in units:
        drawing.models(bodies, side, label)
        for body in bodies:
            if body.corners:
                drawing.facings(body)
    for target, sighting in sights:
        drawing.sight(target, sighting)
    return drawing.svg()


DEFAULT_RANGE = inches(12)
__all__ = ["DEFAULT_RANGE", "Drawing", "draw", "outline"]
