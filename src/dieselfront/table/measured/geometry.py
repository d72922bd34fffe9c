"""Exact plane geometry on whole numbers: sides, crossings, distances, overlaps, stretches of a line inside a polygon.

Coordinates are tenths of a millimetre. Places along a line are measured in parts of LINE = 2**30 of its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from dieselfront.table.measured import native

Point = tuple[int, int]
Polygon = tuple[Point, ...]
Stretch = tuple[int, int]

LINE_BITS = 30
LINE = 1 << LINE_BITS


def cross(ax: int, ay: int, bx: int, by: int, px: int, py: int) -> int:
    """Positive when p lies clockwise (to the right, y down) of the way from a to b, 0 on the line."""
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax)


def double_area(polygon: Sequence[Point]) -> int:
    """Twice the signed area; positive for a polygon that runs clockwise on the page."""
    px, py = polygon[-1]
    total = 0
    for qx, qy in polygon:
        total += px * qy - py * qx
        px, py = qx, qy
    return total


def on_segment(px: int, py: int, ax: int, ay: int, bx: int, by: int) -> bool:
    """Is p on the closed segment a-b?"""
    if cross(ax, ay, bx, by, px, py):
        return False
    return min(ax, bx) <= px <= max(ax, bx) and min(ay, by) <= py <= max(ay, by)


def point_in_polygon(x: int, y: int, polygon: Sequence[Point]) -> int:
    """1 strictly inside, 0 on the outline, -1 outside."""
    inside = False
    px, py = polygon[-1]
    for qx, qy in polygon:
        if (py > y) != (qy > y):
            side = (qx - px) * (y - py) - (qy - py) * (x - px)
            if side == 0:
                return 0
            if (side > 0) == (qy > py):
                inside = not inside
        elif py == y == qy:
            if min(px, qx) <= x <= max(px, qx):
                return 0
        elif (px == x and py == y) or (qx == x and qy == y):
            return 0
        px, py = qx, qy
    return 1 if inside else -1


def segments_cross(ax: int, ay: int, bx: int, by: int, cx: int, cy: int, dx: int, dy: int) -> bool:
    """Do two closed segments share a point?"""
    c = cross(ax, ay, bx, by, cx, cy)
    d = cross(ax, ay, bx, by, dx, dy)
    a = cross(cx, cy, dx, dy, ax, ay)
    b = cross(cx, cy, dx, dy, bx, by)
    if ((c > 0 > d) or (c < 0 < d)) and ((a > 0 > b) or (a < 0 < b)):
        return True
    return (
        on_segment(cx, cy, ax, ay, bx, by)
        or on_segment(dx, dy, ax, ay, bx, by)
        or on_segment(ax, ay, cx, cy, dx, dy)
        or on_segment(bx, by, cx, cy, dx, dy)
    )


def point_segment_square(px: int, py: int, ax: int, ay: int, bx: int, by: int) -> tuple[int, int]:
    """The squared distance from a point to a segment as an exact fraction (numerator, denominator)."""
    ux, uy, vx, vy = bx - ax, by - ay, px - ax, py - ay
    length = ux * ux + uy * uy
    along = ux * vx + uy * vy
    if along <= 0 or length == 0:
        return vx * vx + vy * vy, 1
    if along >= length:
        wx, wy = px - bx, py - by
        return wx * wx + wy * wy, 1
    area = ux * vy - uy * vx
    return area * area, length


def _less(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] * b[1] < b[0] * a[1]


def segment_segment_square(ax: int, ay: int, bx: int, by: int, cx: int, cy: int, dx: int, dy: int) -> tuple[int, int]:
    """The squared distance between two segments as an exact fraction."""
    if segments_cross(ax, ay, bx, by, cx, cy, dx, dy):
        return 0, 1
    best = point_segment_square(ax, ay, cx, cy, dx, dy)
    for other in (
        point_segment_square(bx, by, cx, cy, dx, dy),
        point_segment_square(cx, cy, ax, ay, bx, by),
        point_segment_square(dx, dy, ax, ay, bx, by),
    ):
        if _less(other, best):
            best = other
    return best


def segment_polygon_square(ax: int, ay: int, bx: int, by: int, polygon: Sequence[Point]) -> tuple[int, int]:
    """The squared distance between a segment and a filled polygon as an exact fraction."""
    if point_in_polygon(ax, ay, polygon) >= 0:
        return 0, 1
    px, py = polygon[-1]
    best: tuple[int, int] | None = None
    for qx, qy in polygon:
        square = segment_segment_square(ax, ay, bx, by, px, py, qx, qy)
        if best is None or _less(square, best):
            best = square
        px, py = qx, qy
    assert best is not None
    return best


def comes_nearer(ax: int, ay: int, bx: int, by: int, polygon: Sequence[Point], reach: int) -> bool:
    """Is a segment nearer to a filled polygon than `reach`? It stops at the first edge that is."""
    if reach <= 0:
        return False
    if point_in_polygon(ax, ay, polygon) >= 0:
        return True
    low_x, high_x = (ax - reach, bx + reach) if ax < bx else (bx - reach, ax + reach)
    low_y, high_y = (ay - reach, by + reach) if ay < by else (by - reach, ay + reach)
    limit = reach * reach
    px, py = polygon[-1]
    for qx, qy in polygon:
        beside = (px < low_x and qx < low_x) or (px > high_x and qx > high_x)
        if not (beside or (py < low_y and qy < low_y) or (py > high_y and qy > high_y)):
            square, scale = segment_segment_square(ax, ay, bx, by, px, py, qx, qy)
            if square < limit * scale:
                return True
        px, py = qx, qy
    return False


def point_polygon_square(x: int, y: int, polygon: Sequence[Point]) -> tuple[int, int]:
    """The squared distance from a point to a filled polygon as an exact fraction."""
    if point_in_polygon(x, y, polygon) >= 0:
        return 0, 1
    return outline_square(x, y, polygon)


def outline_square(x: int, y: int, polygon: Sequence[Point]) -> tuple[int, int]:
    """The squared distance from a point to the outline of a polygon as an exact fraction."""
    px, py = polygon[-1]
    best: tuple[int, int] | None = None
    for qx, qy in polygon:
        square = point_segment_square(x, y, px, py, qx, qy)
        if best is None or _less(square, best):
            best = square
        px, py = qx, qy
    assert best is not None
    return best


def polygon_polygon_square(a: Sequence[Point], b: Sequence[Point]) -> tuple[int, int]:
    """The squared distance between two filled polygons as an exact fraction."""
    if point_in_polygon(*b[0], a) >= 0:
        return 0, 1
    px, py = a[-1]
    best: tuple[int, int] | None = None
    for qx, qy in a:
        square = segment_polygon_square(px, py, qx, qy, b)
        if square[0] == 0:
            return 0, 1
        if best is None or _less(square, best):
            best = square
        px, py = qx, qy
    assert best is not None
    return best


def _separates(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """Is there an edge of the clockwise convex polygon a with all of b on its outer side or on it?"""
    px, py = a[-1]
    for qx, qy in a:
        ex, ey = qx - px, qy - py
        if all(ex * (y - py) - ey * (x - px) <= 0 for x, y in b):
            return True
        px, py = qx, qy
    return False


def convex_overlap(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """Do two clockwise convex polygons share more than their outlines?"""
    return not (_separates(a, b) or _separates(b, a))


def is_convex(polygon: Sequence[Point]) -> bool:
    """Is a clockwise polygon convex?"""
    (ax, ay), (bx, by) = polygon[-2], polygon[-1]
    for cx, cy in polygon:
        if cross(ax, ay, bx, by, cx, cy) < 0:
            return False
        ax, ay, bx, by = bx, by, cx, cy
    return True


def is_simple(polygon: Sequence[Point]) -> bool:
    """Does the outline never touch or cross itself?"""
    count = len(polygon)
    if count < 3 or len(set(polygon)) != count:
        return False
    edges = [(*polygon[i], *polygon[(i + 1) % count]) for i in range(count)]
    for i in range(count):
        for j in range(i + 1, count):
            if j == i + 1 or (i == 0 and j == count - 1):
                if _folds_back(polygon, i, j):
                    return False
            elif segments_cross(*edges[i], *edges[j]):
                return False
    return True


def _folds_back(polygon: Sequence[Point], i: int, j: int) -> bool:
    """Do two neighbouring edges lie on top of each other?"""
    count = len(polygon)
    first, second = (j, i) if (i == 0 and j == count - 1 and count > 2) else (i, j)
    ax, ay = polygon[first]
    bx, by = polygon[second]
    cx, cy = polygon[(second + 1) % count]
    if cross(ax, ay, bx, by, cx, cy):
        return False
    return (bx - ax) * (cx - bx) + (by - ay) * (cy - by) < 0


def triangles(polygon: Sequence[Point]) -> tuple[Polygon, ...]:
    """A clockwise simple polygon cut into clockwise triangles by clipping ears (no new corners)."""
    rest = list(polygon)
    ears: list[Polygon] = []
    while len(rest) > 3:
        for i in range(len(rest)):
            a, b, c = rest[i - 1], rest[i], rest[(i + 1) % len(rest)]
            turn = cross(*a, *b, *c)
            if turn == 0 or (turn > 0 and not any(_in_ear(p, a, b, c) for p in rest if p not in (a, b, c))):
                if turn:
                    ears.append((a, b, c))
                del rest[i]
                break
        else:  # cannot happen for a simple polygon
            raise ValueError("The outline of a terrain piece crosses itself.")
    if double_area(rest):
        ears.append(tuple(rest))
    return tuple(ears)


def _in_ear(p: Point, a: Point, b: Point, c: Point) -> bool:
    return cross(*a, *b, *p) >= 0 and cross(*b, *c, *p) >= 0 and cross(*c, *a, *p) >= 0


def convex_parts(polygon: Sequence[Point]) -> tuple[Polygon, ...]:
    """Convex clockwise pieces that fill the polygon: itself when convex, else triangles."""
    return (tuple(polygon),) if is_convex(polygon) else triangles(polygon)


def line_enters(ax: int, ay: int, bx: int, by: int, polygon: Sequence[Point]) -> bool:
    """Does the segment a-b pass through the inside of the polygon? Touching the outline does not count."""
    dx, dy = bx - ax, by - ay
    c = dx * ay - dy * ax
    px, py = polygon[-1]
    before = dx * py - dy * px - c
    if before == 0:
        return enters_exactly(ax, ay, bx, by, polygon)
    for qx, qy in polygon:
        after = dx * qy - dy * qx - c
        if after == 0:
            return enters_exactly(ax, ay, bx, by, polygon)
        if (after > 0) is not (before > 0):
            ex, ey = qx - px, qy - py
            a = ex * (ay - py) - ey * (ax - px)
            b = ex * (by - py) - ey * (bx - px)
            if a == 0 or b == 0:
                return enters_exactly(ax, ay, bx, by, polygon)
            if (a > 0) is not (b > 0):
                return True
        px, py, before = qx, qy, after
    return point_in_polygon(ax, ay, polygon) > 0


def enters_exactly(ax: int, ay: int, bx: int, by: int, polygon: Sequence[Point]) -> bool:
    """The same by exact fractions, for lines through a corner, along an edge or ending on one."""
    return bool(_stretches_exact(ax, ay, bx, by, polygon))


def stretches(ax: int, ay: int, bx: int, by: int, polygon: Sequence[Point]) -> list[Stretch]:
    """The stretches of a-b inside the polygon, in parts of LINE, rounded inwards (never overstated)."""
    dx, dy = bx - ax, by - ay
    c = dx * ay - dy * ax
    px, py = polygon[-1]
    side = dx * py - dy * px
    if side == c:
        return _snap(_stretches_exact(ax, ay, bx, by, polygon))
    places: list[tuple[int, int]] = []
    was = side > c
    is_cut = False  # does the endless line through a and b cut the polygon?
    for qx, qy in polygon:
        side = dx * qy - dy * qx
        if side == c:
            return _snap(_stretches_exact(ax, ay, bx, by, polygon))
        if (side > c) is not was:
            is_cut, was = True, not was
            ex, ey = qx - px, qy - py
            a = ex * (ay - py) - ey * (ax - px)
            b = ex * (by - py) - ey * (bx - px)
            if a == 0 or b == 0:
                return _snap(_stretches_exact(ax, ay, bx, by, polygon))
            if (a > 0) is not (b > 0):
                places.append((a << LINE_BITS, a - b) if a > b else (-a << LINE_BITS, b - a))
        px, py = qx, qy
    if not is_cut:
        return []
    begins_inside = point_in_polygon(ax, ay, polygon) > 0
    if not places:
        return [(0, LINE)] if begins_inside else []
    return _paired(places, begins_inside)


def _paired(places: list[tuple[int, int]], begins_inside: bool) -> list[Stretch]:
    """Where a line goes in and out, as stretches rounded inwards."""
    floors = [(top // bottom, -(-top // bottom)) for top, bottom in places]
    if len(floors) > 1:
        floors.sort()
    if begins_inside:
        floors.insert(0, (0, 0))
    if len(floors) % 2:
        floors.append((LINE, LINE))
    inside = []
    for i in range(0, len(floors), 2):
        start, end = floors[i][1], floors[i + 1][0]
        if start < end:
            inside.append((start, end))
    return inside


def _snap(exact: list[tuple[Fraction, Fraction]]) -> list[Stretch]:
    """Exact stretches rounded inwards to parts of LINE."""
    snapped = []
    for start, end in exact:
        first = -((-start.numerator << LINE_BITS) // start.denominator)
        last = (end.numerator << LINE_BITS) // end.denominator
        if first < last:
            snapped.append((first, last))
    return snapped


def _stretches_exact(ax: int, ay: int, bx: int, by: int, polygon: Sequence[Point]) -> list[tuple[Fraction, Fraction]]:
    """The same with exact fractions, for lines that run through a corner, along an edge or end on one."""
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    if length == 0:
        return [(Fraction(0), Fraction(1))] if point_in_polygon(ax, ay, polygon) > 0 else []
    places = {Fraction(0), Fraction(1)}
    px, py = polygon[-1]
    for qx, qy in polygon:
        ex, ey = qx - px, qy - py
        bottom = dx * ey - dy * ex
        if bottom:
            along = Fraction((px - ax) * ey - (py - ay) * ex, bottom)
            across = Fraction((px - ax) * dy - (py - ay) * dx, bottom)
            if 0 <= along <= 1 and 0 <= across <= 1:
                places.add(along)
        elif dx * (py - ay) == dy * (px - ax):
            for x, y in ((px, py), (qx, qy)):
                along = Fraction((x - ax) * dx + (y - ay) * dy, length)
                if 0 <= along <= 1:
                    places.add(along)
        px, py = qx, qy
    marks = sorted(places)
    inside: list[tuple[Fraction, Fraction]] = []
    for start, end in pairwise(marks):
        middle = (start + end) / 2
        scale = middle.denominator
        x, y = ax * scale + dx * middle.numerator, ay * scale + dy * middle.numerator
        if point_in_polygon(x, y, [(u * scale, v * scale) for u, v in polygon]) > 0:
            if inside and inside[-1][1] == start:
                inside[-1] = (inside[-1][0], end)
            else:
                inside.append((start, end))
    return inside


def merge(parts: Sequence[Stretch]) -> list[Stretch]:
    """Overlapping or touching stretches made one, in order."""
    merged: list[Stretch] = []
    for start, end in sorted(parts):
        if merged and start <= merged[-1][1]:
            if end > merged[-1][1]:
                merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


native.take_over(
    globals(),
    "cross",
    "on_segment",
    "point_in_polygon",
    "segments_cross",
    "point_segment_square",
    "segment_segment_square",
    "segment_polygon_square",
    "comes_nearer",
    "point_polygon_square",
    "outline_square",
    "polygon_polygon_square",
    "convex_overlap",
    "is_simple",
    "line_enters",
    "stretches",
)
