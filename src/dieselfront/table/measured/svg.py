"""Pictures of a measured table: terrain like a topographic map, models, arcs, sight lines, reach (SVG text).

Everything is distinct without colour: terrain by its pattern, sides by fill and rim, lines by their dashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from dieselfront.table.measured.angles import step
from dieselfront.table.measured.arcs import Arc, Facing, arc_polygons
from dieselfront.table.measured.geometry import Point
from dieselfront.table.measured.patterns import FILLS, INK, PALE, PAPER, PATTERNS, RIM, STROKES
from dieselfront.table.measured.reach import Reach
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.sight import Reason, Sighting
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.templates import Area, Disc, Strip, Template, Together
from dieselfront.table.measured.terrain import Piece
from dieselfront.table.measured.units import show_cm, show_inches

MARGIN = 34
LEGEND_WIDTH = 330
FONT = "Barlow Condensed, Roboto Condensed, Arial Narrow, DejaVu Sans Condensed, sans-serif"
LAYERS = ("zones", "reach", "arcs", "models", "lines", "text")
FLAT = ("hill", "road", "river", "water", "mud", "sand", "swamp", "crops")  # these lie below the others
SIDES = (("#33465c", INK, "#fff"), ("#fbf7ea", "#8c2f1d", INK), ("#b9b4a4", INK, INK))  # fill, rim, text
RANGE, FIRE, WAY = "#8a4a12", "#8c2f1d", "#2f5d50"
SIGHTS = {
    "clear": ("#1f6b3b", "", "clear sight"),
    "cover": ("#a86a00", "10 5", "seen in part, or in cover"),
    "blocked": ("#a32020", "2.5 4", "no sight"),
}

Value = str | int | float


def tag(name: str, inside: str = "", /, **attributes: Value) -> str:
    """One element; underscores in names become dashes, empty values are left out."""
    kept = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value != "")
    written = "".join(f" {key}='{_value(value)}'" for key, value in kept)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def _value(value: Value) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _points(points: Iterable[Point]) -> str:
    """Corners (tenths) as millimetres."""
    return " ".join(f"{_value(x / 10)},{_value(y / 10)}" for x, y in points)


def _circle(x: int, y: int, r: int, /, **attributes: Value) -> str:
    return tag("circle", cx=x / 10, cy=y / 10, r=r / 10, **attributes)


def _line(x: int, y: int, u: int, v: int, /, **attributes: Value) -> str:
    return tag("line", x1=x / 10, y1=y / 10, x2=u / 10, y2=v / 10, **attributes)


def _words(x: int, y: int, words: str, size: float, anchor: str = "middle", italic: bool = False) -> str:
    """Text with a rim of paper, written twice so that every viewer shows it."""
    style = "italic" if italic else ""
    place: dict[str, Value] = {"x": x / 10, "y": y / 10, "font_size": size, "text_anchor": anchor, "font_style": style}
    text = escape(words)
    rim = tag("text", text, **place, stroke=PAPER, fill=PAPER, stroke_width=3.2, stroke_linejoin="round")
    return rim + tag("text", text, **place, fill=INK)


class Drawing:
    """Collects what shall be seen and gives the SVG at the end; positions in mm, layers in a fixed order."""

    def __init__(self, table: MeasuredTable, title: str = "", unit: str = "in", legend: bool = True) -> None:
        if unit not in ("in", "cm"):
            raise ValueError(f"Pictures are measured in 'in' or 'cm', not {unit!r}.")
        self.table = table
        self.title = title
        self.unit = unit
        self.with_legend = legend
        self._layers: dict[str, list[str]] = {name: [] for name in LAYERS}
        self._clips: list[str] = []
        self._keys: dict[str, tuple[str, str]] = {}  # legend: what was used, its sign, its words

    # -- what is seen ----------------------------------------------------------------------------------------

    def zone(self, corners: Sequence[Point], label: str = "") -> Drawing:
        """A zone (mm) with a dashed rim: deployment, an objective's area."""
        points = _points((x * 10, y * 10) for x, y in corners)
        self._put(
            "zones",
            tag("polygon", points=points, fill=INK, fill_opacity=".04", stroke=INK, stroke_dasharray="14 5 3 5"),
        )
        if label:
            x, y = min(x for x, _ in corners) + 8, min(y for _, y in corners) + 18
            self._put("text", _words(x * 10, y * 10, label, 13, "start", True))
        return self

    def reach(self, reachable: Reach, label: str = "in reach") -> Drawing:
        """Where a model can go: a hatched area with a firm rim."""
        rings = ("M" + " L".join(f"{x} {y}" for x, y in _smooth(ring)) + " Z" for ring in reachable.outline())
        style: dict[str, Value] = {"fill": "url(#reach)", "stroke": WAY, "stroke_width": 1.6}
        self._put("reach", tag("path", d=" ".join(rings), fill_rule="evenodd", **style))
        sign = tag("rect", x=4, y=4, width=34, height=16, **style)
        self._keys[label] = (sign, f"{label}, up to {self._length(reachable.limit)}")
        return self

    def model(
        self, body: Body, side: int = 0, label: str = "", is_leader: bool = False, is_selected: bool = False
    ) -> Drawing:
        """A base or hull with its facing; side 0 dark, side 1 light with a double rim, others grey."""
        if is_selected:
            self._put(
                "models", _circle(body.cx, body.cy, body.radius + 60, fill="none", stroke="#d98a00", stroke_width=3.2)
            )
        _, _, ink = SIDES[min(side, 2)]
        if body.corners:
            self._put("models", _hull(body, min(side, 2)))
            self._put("models", _label(body.cx, body.cy + 50, label, 15, ink))
        else:
            self._put("models", _base(body, min(side, 2), is_leader))
            size = max(8.0, body.radius / 11)
            if is_leader:
                self._put("text", _words(body.cx, body.cy - body.radius - 30, label, 12) if label else "")
            else:
                self._put("models", _label(body.cx, body.cy + round(size * 3.5), label, size, ink))
        return self

    def models(self, bodies: Sequence[Body], side: int = 0, label: str = "") -> Drawing:
        """A unit: the first round base is its leader and carries the label."""
        for number, body in enumerate(bodies):
            self.model(body, side, label if number == 0 else "", is_leader=number == 0 and len(bodies) > 1)
        return self

    def facings(self, body: Body) -> Drawing:
        """The 45 degree lines that part front, sides and rear."""
        style: dict[str, Value] = {"stroke": INK, "stroke_width": 1, "stroke_dasharray": "2 4"}
        for number, (x, y) in enumerate(body.corners or ((body.cx, body.cy),) * 4):
            dx, dy = step(body.heading - 45 + 90 * number, 1600)
            self._put("arcs", _line(x, y, x + dx, y + dy, **style))
        for facing in Facing:
            far = body.shape.width * 5 if facing.is_side else body.shape.length * 5
            dx, dy = step(body.heading + 90 * facing, far + 260)
            self._put("text", _words(body.cx + dx, body.cy + dy + 40, facing.name.lower(), 11, italic=True))
        self._keys["facings"] = (_line(40, 120, 380, 120, **style), "front, sides and rear")
        return self

    def arc(self, body: Body, arc: Arc, reach: int, label: str = "") -> Drawing:
        """A fire arc out to a range (tenths) from the hull."""
        far = reach + body.radius
        polygons = [_points(polygon) for polygon in arc_polygons(body, arc)]
        disc = self._clip(_circle(body.cx, body.cy, far))
        wedge = self._clip("".join(tag("polygon", points=points) for points in polygons) or _rect(self.table))
        style: dict[str, Value] = {"stroke": RANGE, "stroke_width": 1.6, "stroke_dasharray": "9 4"}
        shade: dict[str, Value] = {"fill": "#b5651d", "fill_opacity": ".10", **style}
        for points in polygons:
            self._put("arcs", tag("g", tag("polygon", points=points, **shade), clip_path=disc))
        self._put("arcs", tag("g", _circle(body.cx, body.cy, far, fill="none", **style), clip_path=wedge))
        sign = tag("path", d="M6 20 L22 2 L38 20", **shade)
        self._keys[f"arc {label or arc.name}"] = (sign, f"arc {label or arc.name}, {self._length(reach)}")
        return self

    def sight(self, target: Body, sighting: Sighting, label: str = "") -> Drawing:
        """A line of sight from the eye that was used: clear, covered or blocked, with the reason at the obstacle."""
        x, y, _ = sighting.eye
        name = "clear" if sighting.is_clear else "cover" if sighting.is_seen else "blocked"
        colour, dash, words = SIGHTS[name]
        style: dict[str, Value] = {"stroke": colour, "stroke_width": 2, "stroke_dasharray": dash}
        self._put("lines", _line(x, y, target.cx, target.cy, **style))
        self._keys[f"sight {name}"] = (_line(40, 120, 380, 120, **style), words)
        for reason in sighting.reasons[:2]:
            self._reason(reason, colour)
        text = label or f"{sighting.seen} of {sighting.total}"
        self._put("text", _words((x + 3 * target.cx) // 4, (y + 3 * target.cy) // 4 - 40, text, 12))
        return self

    def _reason(self, reason: Reason, colour: str) -> None:
        x, y = reason.at
        if reason.hides:
            cross = f"M{x - 5} {y - 5} L{x + 5} {y + 5} M{x + 5} {y - 5} L{x - 5} {y + 5}"
            self._put("lines", tag("path", d=cross, stroke=colour, stroke_width=3, stroke_linecap="round"))
        else:
            self._put("lines", tag("circle", cx=x, cy=y, r=4.5, fill=PAPER, stroke=colour, stroke_width=2))
        self._put("text", _words(x * 10, y * 10 + 190, f"{reason.effect}: {reason.who}", 11.5))

    def path(self, points: Sequence[Point], label: str = "") -> Drawing:
        """A path walked or driven (mm), with a head at its end."""
        style: dict[str, Value] = {"fill": "none", "stroke": INK, "stroke_width": 2.2, "marker_end": "url(#head)"}
        self._put("lines", tag("polyline", points=_points((x * 10, y * 10) for x, y in points), **style))
        if label:
            self._put("text", _words(points[-1][0] * 10, points[-1][1] * 10 - 60, label, 12))
        self._keys["path"] = (_line(40, 120, 340, 120, **style), "path")
        return self

    def template(self, template: Template, label: str = "") -> Drawing:
        """A blast, tape, strip or teardrop laid on the table."""
        style: dict[str, Value] = {"fill": FIRE, "fill_opacity": ".12", "stroke": FIRE, "stroke_width": 1.8}
        for part in template.parts if isinstance(template, Together) else (template,):
            if isinstance(part, Disc):
                self._put("lines", _circle(part.x * 10, part.y * 10, part.radius, **style))
                plus = f"M{part.x - 6} {part.y} h12 M{part.x} {part.y - 6} v12"
                self._put("lines", tag("path", d=plus, stroke=FIRE))
                if label:
                    self._put("text", _words(part.x * 10, part.y * 10 - part.radius - 30, label, 12))
            elif isinstance(part, Strip):
                (ax, ay), (bx, by) = part.a, part.b
                wide = max(part.width, 10) / 10
                ends = {"x1": ax, "y1": ay, "x2": bx, "y2": by}
                self._put("lines", tag("line", **ends, stroke=FIRE, stroke_opacity=".35", stroke_width=wide))
            elif isinstance(part, Area):
                self._put("lines", tag("polygon", points=_points(part.corners), **style))
        self._keys["template"] = (tag("circle", cx=21, cy=12, r=9, **style), "template")
        return self

    def marker(self, x: int, y: int, label: str) -> Drawing:
        """An objective or another point of interest."""
        diamond = f"M{x} {y - 14} l14 14 l-14 14 l-14 -14 Z"
        self._put("models", tag("path", d=diamond, fill="#d98a00", stroke=INK, stroke_width=2))
        self._put("text", _words(x * 10, y * 10 + 290, label, 12))
        return self

    def tape(self, a: Body, b: Body, length: int) -> Drawing:
        """A measured distance between two models, written at its middle."""
        self._put("lines", _line(a.cx, a.cy, b.cx, b.cy, stroke=INK, stroke_width=0.8))
        self._put("text", _words((a.cx + b.cx) // 2, (a.cy + b.cy) // 2 - 30, self._length(length), 12))
        return self

    def side(self, side: int, name: str) -> Drawing:
        """A line in the legend for the models of a side."""
        fill, rim, _ = SIDES[min(side, 2)]
        sign = tag("circle", cx=21, cy=12, r=10, fill=fill, stroke=rim, stroke_width=1.8)
        inner = tag("circle", cx=21, cy=12, r=7.2, fill="none", stroke=rim, stroke_width=0.8) if side == 1 else ""
        self._keys[f"side {side}"] = (sign + inner, name)
        return self

    def _put(self, layer: str, element: str) -> None:
        self._layers[layer].append(element)

    def _clip(self, inside: str) -> str:
        self._clips.append(tag("clipPath", inside, id=f"clip{len(self._clips)}"))
        return f"url(#clip{len(self._clips) - 1})"

    def _length(self, tenths: int) -> str:
        return show_inches(tenths) if self.unit == "in" else show_cm(tenths)

    # -- the sheet -------------------------------------------------------------------------------------------

    def svg(self) -> str:
        """The picture as SVG text."""
        width = self.table.width + 2 * MARGIN + (LEGEND_WIDTH if self.with_legend else 0)
        top = MARGIN + (30 if self.title else 0)
        height = self.table.depth + top + MARGIN + 44
        sheet = tag("rect", width=width, height=height, fill=RIM)
        if self.title:
            sheet += tag("text", escape(self.title), x=MARGIN, y=MARGIN + 8, font_size=24, font_weight=700, fill=INK)
        sheet += tag("g", self._map(), transform=f"translate({MARGIN} {top})")
        if self.with_legend:
            sheet += tag("g", self._legend(), transform=f"translate({self.table.width + 2 * MARGIN} {top})")
        title = tag("title", escape(self.title or "Table"))
        head: dict[str, Value] = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}"}
        return tag("svg", title + self._defs() + sheet, **head, width=width, height=height, font_family=FONT) + "\n"

    def _defs(self) -> str:
        used = [PATTERNS.get(drawing, "") for drawing in sorted(self._kinds())]
        clips = tag("clipPath", _rect(self.table), id="table") + "".join(self._clips)
        return tag("defs", "".join(used) + REACH_PATTERN + ARROW_HEAD + clips)

    def _map(self) -> str:
        size: dict[str, Value] = {"width": self.table.width, "height": self.table.depth}
        layers = {name: "".join(elements) for name, elements in self._layers.items()}
        pieces = self._sorted()
        return "".join(
            [
                tag("rect", **size, fill=PAPER),
                self._grid(),
                tag("g", "".join(_piece(piece) for piece in pieces), clip_path="url(#table)"),
                layers["zones"],
                tag("g", layers["reach"] + layers["arcs"], clip_path="url(#table)"),
                *(_name(piece) for piece in pieces),
                layers["models"],
                layers["lines"],
                layers["text"],
                tag("rect", **size, fill="none", stroke=INK, stroke_width=3),
                self._scale_bar(),
            ]
        )

    def _kinds(self) -> dict[str, str]:
        """Drawing words in use, each with the name of its kind."""
        return {_drawing(piece): piece.kind.name for piece in self.table.pieces}

    def _sorted(self) -> list[Piece]:
        """Flat things first, walls and houses last."""
        order = {name: rank for rank, name in enumerate(FLAT)}
        return sorted(self.table.pieces, key=lambda piece: order.get(_drawing(piece), len(order)))

    def _grid(self) -> str:
        """Thin lines every six inches or 20 cm, with their numbers on the rim."""
        gap, word = (1524, 6) if self.unit == "in" else (2000, 20)
        lines, numbers = [], []
        for k in range(self.table.width * 10 // gap + 1):
            lines.append(f"M{_value(k * gap / 10)} 0 V{self.table.depth}")
            numbers.append(tag("text", str(k * word), x=k * gap / 10, y=-7, text_anchor="middle"))
        for k in range(self.table.depth * 10 // gap + 1):
            lines.append(f"M0 {_value(k * gap / 10)} H{self.table.width}")
            numbers.append(tag("text", str(k * word), x=-7, y=k * gap / 10 + 4, text_anchor="end"))
        grid = tag("path", d=" ".join(lines), stroke=PALE, stroke_width=0.8, fill="none")
        return grid + tag("g", "".join(numbers), font_size=12, fill=INK)

    def _scale_bar(self) -> str:
        """Twelve inches and thirty centimetres side by side under the table."""
        y = self.table.depth + 14
        bars = [(76.2 * k, 76.2, k) for k in range(4)] + [(400.0 + 100 * k, 100.0, k) for k in range(3)]
        boxes = [
            tag("rect", x=x, y=y, width=width, height=7, fill=PAPER if k % 2 else INK, stroke=INK)
            for x, width, k in bars
        ]
        marks = [
            (0.0, '0"'),
            (76.2, '3"'),
            (152.4, '6"'),
            (304.8, '12"'),
            (400.0, "0"),
            (500.0, "10 cm"),
            (700.0, "30 cm"),
        ]
        texts = [tag("text", escape(word), x=x, y=y + 22, text_anchor="middle") for x, word in marks]
        return "".join(boxes) + tag("g", "".join(texts), font_size=12.5, fill=INK)

    def _legend(self) -> str:
        rows = [(_swatch(drawing), name) for drawing, name in self._kinds().items()] + list(self._keys.values())
        return "".join(
            tag(
                "g",
                sign + tag("text", escape(words), x=48, y=17, font_size=15, fill=INK),
                transform=f"translate(0 {28 * k})",
            )
            for k, (sign, words) in enumerate(rows)
        )


REACH_PATTERN = (
    "<pattern id='reach' width='10' height='10' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'>"
    f"<rect width='10' height='10' fill='{WAY}' fill-opacity='.10'/>"
    f"<path d='M0 0 V10' stroke='{WAY}' stroke-width='1' stroke-opacity='.55'/></pattern>"
)
ARROW_HEAD = (
    "<marker id='head' viewBox='0 0 10 10' refX='8' refY='5' markerWidth='6' markerHeight='6' orient='auto'>"
    f"<path d='M0 0 L10 5 L0 10 Z' fill='{INK}'/></marker>"
)


# -- terrain -------------------------------------------------------------------------------------------------


def _drawing(piece: Piece) -> str:
    return piece.kind.drawing or ("house" if piece.is_building else piece.kind.id)


def _fill(drawing: str) -> str:
    return f"url(#{drawing})" if drawing in PATTERNS else "none"


def _piece(piece: Piece) -> str:
    """The outline of all parts first, then their inside, so that joints do not show."""
    drawing = _drawing(piece)
    stroke = STROKES.get(drawing, STROKES[""])
    style: dict[str, Value] = {"stroke": stroke.colour, "stroke_dasharray": stroke.dash, "stroke_linejoin": "round"}
    outlines = [_points(part.polygon) for part in piece.parts]
    rim = 2 * stroke.width if len(outlines) > 1 else stroke.width
    shapes = [tag("polygon", points=points, fill="none", stroke_width=rim, **style) for points in outlines]
    shapes += [tag("polygon", points=points, fill=FILLS.get(drawing, PAPER)) for points in outlines]
    shapes += [tag("polygon", points=points, fill=_fill(drawing)) for points in outlines]
    if len(outlines) == 1:
        shapes.append(tag("polygon", points=outlines[0], fill="none", stroke_width=stroke.width, **style))
    if piece.kind.is_hill:
        shapes += [
            tag("polygon", points=points, fill="none", stroke_width=stroke.width, **style)
            for points in _contours(piece)
        ]
    return "".join(shapes) + "".join(_opening(o.a, o.b, o.floor) for o in piece.openings)


def _opening(a: Point, b: Point, floor: int) -> str:
    """A gap in the wall on the ground floor, a thin light bar for the windows above."""
    ends: dict[str, Value] = {"x1": a[0], "y1": a[1], "x2": b[0], "y2": b[1]}
    return tag("line", **ends, stroke=PAPER, stroke_width=7.5 if floor == 0 else 1.6)


def _contours(piece: Piece) -> list[str]:
    """Two contour lines inside a hill, drawn in towards its middle."""
    lines = []
    for part in piece.parts:
        cx, cy = part.centre
        for share in (15, 30):
            lines.append(_points((x + (cx - x) * share // 100, y + (cy - y) * share // 100) for x, y in part.polygon))
    return lines


def _name(piece: Piece) -> str:
    """What a piece is, near its lower edge; small and thin ones go without."""
    low_x, low_y, high_x, high_y = piece.parts[0].box
    if min(high_x - low_x, high_y - low_y) < 600 or len(piece.parts) > 1:
        return ""
    more = f" ×{piece.floors}" if piece.is_building else f" {piece.height // 10} mm" if piece.height else ""
    return _words((low_x + high_x) // 2, high_y - 70, piece.kind.name + more, 11, italic=True)


def _swatch(drawing: str) -> str:
    stroke = STROKES.get(drawing, STROKES[""])
    box: dict[str, Value] = {"x": 3, "y": 2, "width": 36, "height": 20}
    rim: dict[str, Value] = {"stroke": stroke.colour, "stroke_width": stroke.width, "stroke_dasharray": stroke.dash}
    return tag("rect", **box, fill=FILLS.get(drawing, PAPER)) + tag("rect", **box, fill=_fill(drawing), **rim)


# -- models --------------------------------------------------------------------------------------------------


def _hull(body: Body, side: int) -> str:
    fill, rim, ink = SIDES[side]
    shadow = tag("polygon", points=_points((x + 15, y + 22) for x, y in body.corners), fill=INK, opacity=".22")
    box = tag("polygon", points=_points(body.corners), fill=fill, stroke=rim, stroke_width=2.2, stroke_linejoin="round")
    inner = (
        tag("polygon", points=_points(_inset(body, 60)), fill="none", stroke=rim, stroke_width=0.9) if side == 1 else ""
    )
    front: dict[str, Value] = {"fill": "none", "stroke": ink, "stroke_width": 2.6, "stroke_linecap": "round"}
    return shadow + box + inner + tag("polyline", points=_points(_chevron(body)), **front)


def _base(body: Body, side: int, is_leader: bool) -> str:
    fill, rim, ink = SIDES[side]
    shadow = _circle(body.cx + 12, body.cy + 18, body.radius, fill=INK, opacity=".22")
    base = _circle(body.cx, body.cy, body.radius, fill=fill, stroke=rim, stroke_width=1.8)
    inner = _circle(body.cx, body.cy, body.radius - 28, fill="none", stroke=rim, stroke_width=0.8) if side == 1 else ""
    star = tag("polygon", points=_points(_star(body)), fill=ink) if is_leader else ""
    return shadow + base + inner + star


def _label(x: int, y: int, words: str, size: float, ink: str) -> str:
    if not words:
        return ""
    return tag(
        "text", escape(words), x=x / 10, y=y / 10, font_size=size, text_anchor="middle", fill=ink, font_weight=600
    )


def _inset(body: Body, by: int) -> list[Point]:
    """The corners of a hull drawn in by so many tenths along both sides."""
    ahead, aside = step(body.heading, by), step(body.heading + 90, by)
    signs = ((1, -1), (-1, -1), (-1, 1), (1, 1))  # towards the middle, corner by corner: across, back
    return [
        (x + across * aside[0] + back * ahead[0], y + across * aside[1] + back * ahead[1])
        for (x, y), (across, back) in zip(body.corners, signs, strict=True)
    ]


def _chevron(body: Body) -> list[Point]:
    """An arrow head near the front of a hull."""
    length, width = body.shape.length * 10, body.shape.width * 10
    tip, rear = step(body.heading, length * 42 // 100), step(body.heading, length * 27 // 100)
    side = step(body.heading + 90, width * 28 // 100)
    return [
        (body.cx + rear[0] - side[0], body.cy + rear[1] - side[1]),
        (body.cx + tip[0], body.cy + tip[1]),
        (body.cx + rear[0] + side[0], body.cy + rear[1] + side[1]),
    ]


def _star(body: Body) -> list[Point]:
    """The sign of a leader: a five-pointed figure inside his base."""
    tips = [step(36 * i, body.radius * (62 if i % 2 == 0 else 27) // 100) for i in range(10)]
    return [(body.cx + dx, body.cy + dy) for dx, dy in tips]


def _smooth(ring: Sequence[Point]) -> list[Point]:
    """A lattice outline drawn softer: every corner moved to the middle of its neighbourhood."""
    count = len(ring)
    near = range(-2, 4)
    return [
        (sum(ring[(i + k) % count][0] for k in near) // 6, sum(ring[(i + k) % count][1] for k in near) // 6)
        for i in range(count)
    ]


def _rect(table: MeasuredTable) -> str:
    return tag("rect", width=table.width, height=table.depth)


def draw(
    table: MeasuredTable,
    units: Sequence[tuple[int, str, Sequence[Body]]] = (),
    sights: Sequence[tuple[Body, Sighting]] = (),
    reachable: Reach | None = None,
    arcs: Sequence[tuple[Body, Arc, int]] = (),
    title: str = "",
    unit: str = "in",
) -> str:
    """A picture in one call: units as (side, label, models), sights as (target, sighting), reach, arcs with ranges."""
    drawing = Drawing(table, title, unit)
    if reachable is not None:
        drawing.reach(reachable)
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
