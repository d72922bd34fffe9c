"""Outlines for drawings: arcs cut to a range, the ground that hulls end on, templates as discs, bands and corners."""

from __future__ import annotations

from typing import Any, NamedTuple

from dieselfront.table.measured.arcs import Arc, arc_polygons
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.templates import Area, Disc, Strip, Together

Ring = list[tuple[float, float]]


class Drawn(NamedTuple):
    """A template in millimetres: a disc, a band from `start` to `at`, or an outline."""

    at: tuple[float, float]
    radius: float = 0
    start: tuple[float, float] | None = None
    width: float = 0
    outline: tuple[tuple[float, float], ...] = ()


def arc_outline(body: Body, arc: Arc, reach: int) -> Ring:
    """The corners of an arc within range (tenths), in millimetres; empty for all round."""
    polygons = arc_polygons(body, arc)
    if not polygons:
        return []
    from shapely.geometry import Point, Polygon  # brings NumPy along, which most questions do without

    hull = Polygon(body.corners) if body.corners else Point(body.cx, body.cy).buffer(body.radius)
    covered: Any = hull.buffer(reach, 12).intersection(Polygon(polygons[0]))
    for polygon in polygons[1:]:
        covered = covered.union(hull.buffer(reach, 12).intersection(Polygon(polygon)))
    outer = covered if covered.geom_type == "Polygon" else max(covered.geoms, key=lambda one: one.area)
    return [(round(x / 10), round(y / 10)) for x, y in outer.exterior.coords[:-1]]


def template_shapes(template: Any) -> list[Drawn]:
    """A template as what is drawn of it."""
    if isinstance(template, Together):
        return [drawn for part in template.parts for drawn in template_shapes(part)]
    if isinstance(template, Disc):
        return [Drawn((template.x, template.y), template.radius / 10)]
    if isinstance(template, Strip):
        return [Drawn(template.b, start=template.a, width=template.width / 10)]
    if isinstance(template, Area):
        corners = tuple((x / 10, y / 10) for x, y in template.corners)
        return [Drawn(corners[0], outline=corners)]
    return []


__all__ = ["Drawn", "Ring", "arc_outline", "template_shapes"]
