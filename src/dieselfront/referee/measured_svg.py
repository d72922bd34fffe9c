"""Drawings of positions on a measured table, from any ruleset's view: terrain, models, arcs, sight lines, reach."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from shapely import Polygon, unary_union

from dieselfront.table.measured.kinds import STANDARD
from dieselfront.table.measured.patterns import FILLS, INK, PATTERNS
from dieselfront.table.measured.shapes import Body, hull, round_base
from dieselfront.table.measured.sight import Sighting
from dieselfront.table.measured.svg import SIDES, WAY, Drawing, tag
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Opening, Piece, TerrainKind

DRAWN_AS = {  # kinds of rulebooks, and the figure of the map they are drawn with
    "woods": "wood",
    "scrub": "crops",
    "marsh": "swamp",
    "craters": "crater",
    "trench": "sandbags",
    "high-wall": "wall",
    "building": "house",
    "bunker": "house",
    "rocks": "rock",
    "minefield": "tank-traps",
    "trees": "wood",
    "tank_trap": "tank-traps",
    "low_wall": "wall",
    "structure": "rock",
    "impassable": "rock",
    "ammo_crate": "sandbags",
    "ammo_dump": "sandbags",
    "wire": "fence",
    "strongpoint": "sandbags",
    "fire_smoke": "smoke",
    "burning_wreck": "wreck",
    "quonset_hut": "house",
}
ON_TABLE = ("table", "board")
NOTE_WIDTH = 42
NOTES = ("sight", "cover", "reach", "arc", "range", "facing", "assault", "template")


class Sheet(Drawing):
    """A drawing with notes under its legend."""

    def __init__(self, table: MeasuredTable, title: str = "", notes: Sequence[str] = ()) -> None:
        super().__init__(table, title)
        self.notes = notes

    def _legend(self) -> str:
        text = super()._legend()
        y = 28 * (len(self._kinds()) + len(self._keys)) + 24
        for note in self.notes:
            for number, line in enumerate(textwrap.wrap(note, NOTE_WIDTH)):
                indent = 10 if number else 0
                text += tag("text", escape(line), x=2 + indent, y=y, font_size=14, fill=INK)
                y += 18
            y += 6
        return text

    def squad(self, unit: dict[str, Any]) -> Sheet:
        """A unit of a view with its name and what lies beside it."""
        bodies = bodies_of(unit)
        label = str(unit["id"])
        self.models(bodies, unit["side"], label if bodies and bodies[0].corners or len(bodies) > 1 else "")
        gun = unit.get("gun")
        if gun:
            self.muzzle(gun, unit["side"])
        marks = [str(token) for token in unit.get("tokens", ())]
        if bodies and len(bodies) == 1 and not bodies[0].corners:
            marks.insert(0, label)
        if bodies and marks:
            low = max(body.cy + body.radius for body in bodies)
            low = max(low, (gun["y"] + gun["base"]) * 10) if gun else low
            self.words(bodies[0].cx, low + 150, ", ".join(marks))
        return self

    def muzzle(self, gun: dict[str, Any], side: int) -> Sheet:
        """The base of a gun with a barrel that shows where it points."""
        body = Body(round_base(int(gun["base"]), height=25), gun["x"], gun["y"], gun.get("heading", 0))
        self.model(body, side)
        length = body.radius / 10 + 8
        style: dict[str, Any] = {"stroke": SIDES[min(side, 2)][1], "stroke_width": 5}
        barrel = tag("line", x1=0, y1=0, x2=0, y2=-length, **style)
        self._put("models", tag("g", barrel, transform=f"translate({body.x} {body.y}) rotate({body.heading})"))
        return self

    def words(self, x: int, y: int, text: str) -> None:
        """Small words at a place (tenths)."""
        place: dict[str, Any] = {"x": x / 10, "y": y / 10, "font_size": 11, "text_anchor": "middle"}
        rim = tag("text", escape(text), **place, stroke="#f5f0e1", stroke_width=3, fill="#f5f0e1")
        self._put("text", rim + tag("text", escape(text), **place, fill=INK))

    def ghosts(self, bodies: Iterable[Body], label: str = "where the hull can end") -> Sheet:
        """All ground that a hull could end on, as one area."""
        style: dict[str, Any] = {"fill": "url(#reach)", "stroke": WAY, "stroke_width": 1.6, "fill_rule": "evenodd"}
        ends = {(body.x, body.y, body.heading): body for body in bodies}
        area = unary_union([Polygon(body.corners) for body in ends.values()])
        for part in getattr(area, "geoms", [area]):
            lines = (part.exterior, *part.interiors)
            rings = ([f"{x / 10:.1f} {y / 10:.1f}" for x, y in ring.coords] for ring in lines)
            self._put("reach", tag("path", d=" ".join(f"M{' L'.join(ring)} Z" for ring in rings), **style))
        self._keys[label] = (tag("rect", x=4, y=4, width=34, height=16, **style), label)
        return self

    def sights(self, lines: Sequence[tuple[Body, Sighting]]) -> Sheet:
        """Lines of sight; each reason is written once."""
        named: list[object] = []
        for body, sighting in lines:
            fresh = tuple(reason for reason in sighting.reasons if reason.who not in named)
            named += [reason.who for reason in fresh]
            self.sight(body, replace(sighting, reasons=fresh), "" if len(lines) == 1 else " ")
        return self

    def ground(self) -> str:
        """Only the terrain with the patterns it needs."""
        shapes = []
        for piece in self.table.pieces:
            drawing = piece.kind.drawing
            for part in piece.parts:
                points = " ".join(f"{x / 10},{y / 10}" for x, y in part.polygon)
                shapes.append(tag("polygon", points=points, fill=FILLS.get(drawing, "none"), stroke=INK))
                shapes.append(tag("polygon", points=points, fill=f"url(#{drawing})"))
        used = sorted({piece.kind.drawing for piece in self.table.pieces})
        return tag("defs", "".join(PATTERNS.get(drawing, "") for drawing in used)) + "".join(shapes)

    def fragment(self) -> str:
        """Only the models and words put on so far, without a sheet around them."""
        return "".join(self._layers["models"]) + "".join(self._layers["text"])


def draw(view: dict[str, Any], answers: Iterable[Any] = (), title: str = "") -> str:
    """The position with everything that was asked about it, as one SVG file."""
    asked = list(answers)
    sheet = Sheet(table_of(view), title, [note(answer) for answer in asked if answer.kind in NOTES])
    for one in view.get("objectives", ()):
        for x, y in one.get("spots", ()):
            sheet.marker(x, y, one["name"])
    for number, side in enumerate(view["sides"]):
        sheet.side(number, side["name"])
    for unit in view["units"]:
        if unit["status"] in ON_TABLE:
            sheet.squad(unit)
    hulls = [body for answer in asked for body in answer.marks.get("drives", ())]
    if hulls:
        sheet.ghosts(hulls)
    for answer in asked:
        put_marks(sheet, answer.marks)
    return sheet.svg()


def note(answer: Any) -> str:
    """The sentence of an answer that is written beside the drawing."""
    sentence: str = answer.text[-1] if answer.kind == "reach" and "to" in answer.facts else answer.text[0]
    return f"{answer.facts['unit']} {answer.facts['order']}: {sentence}" if sentence is not answer.text[0] else sentence


def put_marks(sheet: Sheet, marks: dict[str, Any]) -> None:
    """What one answer shows on the table."""
    for reach in marks.get("reaches", ()):
        sheet.reach(reach)
    for body, arc, far, label in marks.get("arcs", ()):
        sheet.arc(body, arc, far, label)
    for body in marks.get("facings", ()):
        sheet.facings(body)
    sheet.sights(marks.get("sights", ()))
    for path, label in marks.get("paths", ()):
        if len(path) > 1:
            sheet.path(path, label)
    for template in marks.get("templates", ()):
        sheet.template(template)
    for a, b, length in marks.get("tapes", ()):
        sheet.tape(a, b, length)


# -- from the view -------------------------------------------------------------------------------------------


def table_of(view: dict[str, Any]) -> MeasuredTable:
    """The table of a view: outlines of one name are parts of one piece."""
    shown = view["table"]
    pieces: dict[str, list[dict[str, Any]]] = {}
    for entry in shown["terrain"]:
        pieces.setdefault(str(entry["name"]), []).append(entry)
    made = [_piece(name, parts) for name, parts in pieces.items()]
    return MeasuredTable(int(shown["width"]), int(shown["height"]), made)


def _piece(name: str, parts: Sequence[dict[str, Any]]) -> Piece:
    first = parts[0]
    outlines = [[(round(x * 10), round(y * 10)) for x, y in part["outline"]] for part in parts]
    openings = [Opening((ax, ay), (bx, by), is_door=bool(door)) for ax, ay, bx, by, door in first.get("openings", ())]
    floors = int(first.get("floors") or 0)
    kind = _kind(str(first["kind"]))
    is_building = kind.drawing == "house"
    height = int(first.get("height") or 0) or None
    if not is_building:
        return Piece(name, kind, outlines, height, in_tenths=True)
    return Piece(name, kind, outlines, height or 30 * max(1, floors), max(1, floors), openings, in_tenths=True)


def _kind(id: str) -> TerrainKind:
    drawing = DRAWN_AS.get(id, id)
    known = STANDARD.get(drawing)
    name = id.replace("-", " ").replace("_", " ").capitalize()
    if known is None:
        return TerrainKind(id, name, drawing=drawing if drawing in FILLS else "rubble")
    return replace(known, id=id, name=name, drawing=drawing, height=0 if drawing not in ("hill", "house") else 30)


def bodies_of(unit: dict[str, Any]) -> list[Body]:
    """The models of a unit as they stand."""
    box = unit.get("hull")
    if box:
        return [Body(hull(int(box["width"]), int(box["length"]), height=40), box["x"], box["y"], box["heading"])]
    return [Body(round_base(int(model["base"]), height=30), model["x"], model["y"]) for model in unit["models"]]


__all__ = ["Sheet", "bodies_of", "draw", "table_of"]
