"""Movement: paths and their length, terrain charged by the part of the path inside, pivots, driving and reversing.

A leg's length is rounded up to a whole micrometre, stretches inside terrain are rounded down, and the sum of a path
is rounded up to a whole tenth: a path of one leg is exact, one of n legs is overstated by less than n micrometres.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import isqrt
from typing import Any

from dieselfront.table.measured import native
from dieselfront.table.measured.angles import SCALE, direction
from dieselfront.table.measured.geometry import (
    LINE,
    Point,
    Polygon,
    Stretch,
    comes_nearer,
    convex_overlap,
    merge,
    point_in_polygon,
    point_polygon_square,
    point_segment_square,
    polygon_polygon_square,
    segment_polygon_square,
)
from dieselfront.table.measured.placement import Crowd, Keep, Places, Problem, keeps_near
from dieselfront.table.measured.shapes import Body, distance_from_point
from dieselfront.table.measured.table import FAR_OFF, MeasuredTable, place_on
from dieselfront.table.measured.terrain import Part, Piece, opening_at
from dieselfront.table.measured.units import ceil_sqrt, round_half_up

NO_ENTRY = 0


@dataclass(frozen=True, slots=True)
class Going:
    """What terrain costs one mover: per kind id 1 (normal), 2 (half rate), ... or NO_ENTRY; 1 where nothing is said.

    Costs are charged along the path of the centre. NO_ENTRY holds for the whole base or hull unless `by_centre`.
    `barred` names single pieces that may not be entered (an obstacle marked so), `allowed` pieces that may after all.
    """

    costs: Mapping[str, int] = field(default_factory=dict, hash=False)
    by_centre: bool = False
    walls: str = "open"  # walls of buildings: "open" to all, passed at "doors" only, at any "openings", or "closed"
    barred: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()

    @property
    def no_entry(self) -> list[str]:
        return [kind for kind, cost in self.costs.items() if cost == NO_ENTRY]


FREE = Going()


@dataclass(frozen=True, slots=True)
class Walk:
    """A path measured: its length and what it costs (tenths), the pieces it goes over, and what is wrong with it."""

    length: int
    cost: int
    entered: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def is_legal(self) -> bool:
        return not self.problems


def leg_micrometres(a: Point, b: Point) -> int:
    """The length of a straight leg (mm points) in micrometres, rounded up."""
    dx, dy = (b[0] - a[0]) * 1000, (b[1] - a[1]) * 1000
    return ceil_sqrt(dx * dx + dy * dy)


def path_length(path: Sequence[Point]) -> int:
    """The length of a path (mm points) in tenths, rounded up."""
    return -(-sum(leg_micrometres(a, b) for a, b in pairwise(path)) // 100)


def walk(
    table: MeasuredTable,
    body: Body,
    path: Sequence[Point],
    going: Going = FREE,
    limit: int | None = None,
    avoid: Iterable[Keep] | Crowd = (),
) -> Walk:
    """Moves a model along a path of points (mm; the first is where it stands) without turning, and measures it."""
    crowd = avoid if isinstance(avoid, Crowd) else Crowd(avoid)
    slow, barred = terrain_masks(table, going)
    micrometres = charged = 0
    entered: dict[str, None] = {}
    problems: list[Problem] = []
    for a, b in pairwise(path):
        length = leg_micrometres(a, b)
        micrometres += length
        charged += length
        charged += extra_micrometres(table, a, b, length, slow, going)
        problems += _leg_problems(table, body.at(*a), body.at(*b), going, barred, crowd)
        for piece in passes_over(table, body.at(*a), body.at(*b), table.index.all_parts):
            entered[piece.id] = None
    cost = -(-charged // 100)
    if limit is not None and cost > limit:
        problems.append(Problem("too far", None, path[-1]))
    return Walk(-(-micrometres // 100), cost, tuple(entered), tuple(problems))


def terrain_masks(table: MeasuredTable, going: Going) -> tuple[int, int]:
    """The parts that slow a mover, and those it may not enter."""
    slow = table.mask_of(kind for kind, cost in going.costs.items() if cost > 1)
    barred = table.mask_of(going.no_entry)
    if not (going.barred or going.allowed):
        return slow, barred
    for number, piece in enumerate(table.part_piece):
        if piece.id in going.barred:
            barred |= 1 << number
        elif piece.id in going.allowed:
            barred &= ~(1 << number)
    return slow, barred


def extra_micrometres(table: MeasuredTable, a: Point, b: Point, length: int, slow: int, going: Going) -> int:
    """What the slow stretches of a leg cost on top of its length; where pieces overlap the slower one counts."""
    if not slow:
        return 0
    met = table.stretches_in((a[0] * 10, a[1] * 10), (b[0] * 10, b[1] * 10), slow)
    if not met:
        return 0
    extra, paid = 0, 1
    for cost in sorted({going.costs[piece.kind.id] for piece, _ in met}):
        inside = merge([part for piece, parts in met if going.costs[piece.kind.id] >= cost for part in parts])
        extra += (cost - paid) * sum((end - start) * length // LINE for start, end in inside)
        paid = cost
    return extra


def grown(table: MeasuredTable, body: Body, kinds: Iterable[str]) -> MeasuredTable:
    """The terrain of some kinds as the middle of a model meets it: the middle is inside while base or hull touches.

    A table of its own, with the pieces grown by the shape of the model as it is turned now. Lengths measured on it for
    the path of the middle are those of the edge; for round bases they are right to a tenth of a millimetre.
    """
    wanted = sorted(kind for kind in kinds if kind in table.kind_masks)
    if not wanted:
        return table
    key = (body.shape.code, body.heading if body.corners else 0, tuple(wanted))
    memory: dict[object, MeasuredTable] = table.memory.setdefault("grown", {})
    known = memory.get(key)
    if known is None:
        if len(memory) >= MOST_GROWN:
            memory.clear()
        pieces = [piece for piece in table.pieces if piece.kind.id in wanted]
        known = MeasuredTable(table.width, table.depth, [_grown(table, piece, body) for piece in pieces])
        memory[key] = known
    return known


MOST_GROWN = 200


def _rim(body: Body) -> tuple[Point, ...]:
    """The corners of a hull about its middle, or 24 points round a base; both are the same seen from behind."""
    if body.corners:
        return tuple((x - body.cx, y - body.cy) for x, y in body.corners)
    ways = (direction(15 * turn) for turn in range(24))
    return tuple((round_half_up(dx * body.radius, SCALE), round_half_up(dy * body.radius, SCALE)) for dx, dy in ways)


def _grown(table: MeasuredTable, piece: Piece, body: Body) -> Piece:
    """One piece, worked out once for a shape and its heading: tables that differ elsewhere share their pieces."""
    key = (id(piece), body.shape.code, body.heading if body.corners else 0, table.width, table.depth)
    known = _GROWN.get(key)
    if known is None:
        if len(_GROWN) >= MOST_PIECES:
            _GROWN.clear()
        rim, limits = _rim(body), (-FAR_OFF, table.width * 10 + FAR_OFF, table.depth * 10 + FAR_OFF)
        outlines = [grown_outline(polygon, rim, limits) for part in piece.parts for polygon in part.convex]
        known = _GROWN[key] = (Piece(piece.id, piece.kind, outlines, in_tenths=True), piece)
    return known[0]


MOST_PIECES = 5_000
_GROWN: dict[tuple[int, ...], tuple[Piece, Piece]] = {}
"""Grown pieces; each entry keeps alive the piece by whose identity it is found."""


def grown_outline(polygon: Polygon, rim: Sequence[Point], limits: tuple[int, int, int]) -> Polygon:
    """A convex polygon grown by a rim, no farther out than limits (the least of both, the most of x and of y)."""
    least, width, depth = limits
    return convex_hull(
        [(min(width, max(least, x + dx)), min(depth, max(least, y + dy))) for x, y in polygon for dx, dy in rim]
    )


def stretches_inside(table: MeasuredTable, path: Sequence[Point], kinds: Iterable[str]) -> list[tuple[int, bool]]:
    """A path cut where it enters and leaves terrain of some kinds: lengths in tenths, each with "is inside"."""
    mask = table.mask_of(kinds)
    cuts: list[tuple[int, bool]] = []
    for a, b in pairwise(path):
        length = leg_micrometres(a, b)
        at = 0
        for start, end in _union(table, a, b, mask):
            cuts += [((start - at) * length // LINE, False), ((end - start) * length // LINE, True)]
            at = end
        cuts.append(((LINE - at) * length // LINE, False))
    joined: list[tuple[int, bool]] = []
    for length, inside in cuts:
        if not length:
            continue
        if joined and joined[-1][1] is inside:
            joined[-1] = (joined[-1][0] + length, inside)
        else:
            joined.append((length, inside))
    return [((length + 50) // 100, inside) for length, inside in joined]


def _union(table: MeasuredTable, a: Point, b: Point, mask: int) -> list[Stretch]:
    met = table.stretches_in((a[0] * 10, a[1] * 10), (b[0] * 10, b[1] * 10), mask)
    return merge([(max(0, start - 8), min(LINE, end + 8)) for _, parts in met for start, end in parts])


def runs_on(table: MeasuredTable, path: Sequence[Point], kinds: Iterable[str]) -> bool:
    """Does the whole path (of the centre) run over terrain of these kinds, a road for example?"""
    mask = table.mask_of(kinds)
    legs = [(a, b) for a, b in pairwise(path) if a != b]
    return bool(legs) and all(_union(table, a, b, mask) == [(0, LINE)] for a, b in legs)


# -- sweeping ----------------------------------------------------------------------------------------------


def swept(start: Body, end: Body) -> Polygon:
    """The ground a hull passes over on a straight leg: the convex hull of both places, clockwise."""
    return convex_hull([*start.corners, *end.corners])


def convex_hull(points: Sequence[Point]) -> Polygon:
    """Clockwise on the page, by monotone chain."""
    ordered = sorted(set(points))

    def half(sequence: Iterable[Point]) -> list[Point]:
        chain: list[Point] = []
        for x, y in sequence:
            while len(chain) > 1 and (chain[-1][0] - chain[-2][0]) * (y - chain[-2][1]) <= (
                chain[-1][1] - chain[-2][1]
            ) * (x - chain[-2][0]):
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return tuple(half(ordered) + half(reversed(ordered)))


def passes_over(table: MeasuredTable, a: Body, b: Body, mask: int) -> list[Piece]:
    """The pieces among `mask` that a model passes over on a straight leg (touching is not enough)."""
    if table.compiled is not None:
        pieces: list[Piece] | None = table.compiled.passes_over(a, b, mask)
        if pieces is not None:
            return pieces
    r = max(a.radius, b.radius)
    low_x, high_x = min(a.cx, b.cx) - r, max(a.cx, b.cx) + r
    low_y, high_y = min(a.cy, b.cy) - r, max(a.cy, b.cy) + r
    mask = table.index.near_box(low_x, low_y, high_x, high_y, mask)
    crossed: list[Piece] = []
    ground = swept(a, b) if mask and a.corners else ()
    while mask:
        bit = mask & -mask
        mask ^= bit
        number = bit.bit_length() - 1
        piece = table.part_piece[number]
        if crossed and crossed[-1] is piece:
            continue
        part = table.parts[number]
        if not _comes_near(a, b, part, r):
            continue
        if ground:
            hit = any(convex_overlap(ground, polygon) for polygon in part.convex)
        else:
            hit = comes_nearer(a.cx, a.cy, b.cx, b.cy, part.polygon, a.radius)
        if hit:
            crossed.append(piece)
    return crossed


def _comes_near(a: Body, b: Body, part: Part, radius: int) -> bool:
    """Does a leg come near the circle round a part? (A quick first question.)"""
    reach = radius + part.radius
    square, scale = point_segment_square(*part.centre, a.cx, a.cy, b.cx, b.cy)
    return square < reach * reach * scale


def leg_is_free(table: MeasuredTable, a: Body, b: Body, going: Going, barred: int, crowd: Crowd) -> bool:
    """Is a straight leg on the table, out of barred terrain and clear of others?"""
    if not table.contains(b) or not passes_all(a, b, crowd.keeps):
        return False
    if going.walls != "open" and _walls_crossed(table, a, b, going.walls):
        return False
    if not barred:
        return True
    if going.by_centre:
        return not table.stretches_in((a.cx, a.cy), (b.cx, b.cy), barred)
    return not _is_entered(table, a, b, barred)


WALLS = ("open", "doors", "openings", "closed")


def compiled_legs(
    table: MeasuredTable,
    charged: MeasuredTable,
    body: Body,
    going: Going,
    masks: tuple[int, int],
    crowd: Crowd,
    limit: int,
) -> Any:
    """Compiled questions about many legs of one model, or None where Python answers.

    `masks` are the parts of `charged` that slow it and those of the table that it may not enter; `limit` is in
    micrometres.
    """
    if table.compiled is None or charged.compiled is None or going.by_centre or native.KERNEL is None:
        return None
    costs = tuple(max(0, going.costs.get(piece.kind.id, 0)) for piece in charged.pieces)
    sizes = (table.width, table.depth, WALLS.index(going.walls))
    return native.KERNEL.legs(table.compiled, charged.compiled, body, crowd.keeps, *masks, costs, sizes, limit)


def _is_entered(table: MeasuredTable, a: Body, b: Body, mask: int) -> bool:
    """Does a model pass over any of these pieces on a straight leg?"""
    answer: bool | None = None if table.compiled is None else table.compiled.is_entered(a, b, mask)
    return bool(passes_over(table, a, b, mask)) if answer is None else answer


def _walls_crossed(table: MeasuredTable, a: Body, b: Body, walls: str) -> list[tuple[Piece, Point]]:
    """The walls a centre goes through where it may not, each with the place (mm).

    A leg that begins or ends on the line of a wall goes through it, too: a way that bends there needs an opening.
    """
    start, end = (a.cx, a.cy), (b.cx, b.cy)
    crossed = []
    for piece, parts in table.stretches_in(start, end, table.building_mask):
        for place in (place for part in parts for place in part):
            x = start[0] + (end[0] - start[0]) * place // LINE
            y = start[1] + (end[1] - start[1]) * place // LINE
            if place in (0, LINE) and not _is_on_outline(piece, x, y):
                continue
            opening = opening_at(piece, x, y, a.floor)
            if walls == "closed" or opening is None or (walls == "doors" and not opening.is_door):
                crossed.append((piece, (x // 10, y // 10)))
    return crossed


def _is_on_outline(piece: Piece, x: int, y: int) -> bool:
    return any(part.is_near(x, y, 0) and point_in_polygon(x, y, part.polygon) == 0 for part in piece.parts)


def _leg_problems(table: MeasuredTable, a: Body, b: Body, going: Going, barred: int, crowd: Crowd) -> list[Problem]:
    problems = []
    if not table.contains(b):
        problems.append(Problem("off table", None, (b.x, b.y)))
    if barred:
        if going.by_centre:
            met = table.stretches_in((a.cx, a.cy), (b.cx, b.cy), barred)
            problems += [
                Problem("terrain", piece.id, place_on((a.cx, a.cy), (b.cx, b.cy), parts[0][0])) for piece, parts in met
            ]
        else:
            problems += [Problem("terrain", piece.id, (b.x, b.y)) for piece in passes_over(table, a, b, barred)]
    if going.walls != "open":
        problems += [Problem("wall", piece.id, at) for piece, at in _walls_crossed(table, a, b, going.walls)]
    if passes_all(a, b, crowd.keeps):
        return problems
    for keep in crowd.keeps:
        if not _passes(a, b, keep):
            problems.append(Problem("model", keep.body.key, (keep.body.x, keep.body.y)))
    return problems


def passes_all(a: Body, b: Body, keeps: list[Keep]) -> bool:
    """Does a model on a straight leg stay as far from all of these as it must?"""
    return all(_passes(a, b, keep) for keep in keeps)


def _passes(a: Body, b: Body, keep: Keep) -> bool:
    """Does a model on a straight leg stay as far from another as it must?"""
    other = keep.body
    reach = max(a.radius, b.radius) + other.radius + keep.gap
    if not (
        min(a.cx, b.cx) - reach <= other.cx <= max(a.cx, b.cx) + reach
        and min(a.cy, b.cy) - reach <= other.cy <= max(a.cy, b.cy) + reach
    ):
        return True
    square, scale, room = _leg_square(a, b, other)
    limit = (room + keep.gap) ** 2 * scale
    if keep.gap == 0 and room == 0:
        return not convex_overlap(swept(a, b), other.corners)
    return square > limit or (square == limit and (keep.gap == 0 or not keep.strict))


def _leg_square(a: Body, b: Body, other: Body) -> tuple[int, int, int]:
    """The squared distance of centre line or swept hull to another model (fraction), and the radii to add."""
    if a.corners:
        ground = swept(a, b)
        if other.corners:
            return *polygon_polygon_square(ground, other.corners), 0
        return *point_polygon_square(other.cx, other.cy, ground), other.radius
    if other.corners:
        return *segment_polygon_square(a.cx, a.cy, b.cx, b.cy, other.corners), a.radius
    square = point_segment_square(other.cx, other.cy, a.cx, a.cy, b.cx, b.cy)
    return *square, a.radius + other.radius


def step_towards(body: Body, x: int, y: int, length: int) -> Body:
    """The place at most `length` tenths straight towards a point (mm), in whole mm rounded towards the start."""
    dx, dy = x - body.x, y - body.y
    if 100 * (dx * dx + dy * dy) <= length * length:
        return body.at(x, y)
    root = isqrt((dx * dx + dy * dy) << 40) + 1
    return body.at(body.x + _part(dx, length, root), body.y + _part(dy, length, root))


def _part(way: int, length: int, root: int) -> int:
    whole = ((abs(way) * length) << 20) // (10 * root)
    return whole if way >= 0 else -whole


def step_away(body: Body, x: int, y: int, length: int) -> Body:
    """The place `length` tenths straight away from a point (mm); table edges are the caller's affair."""
    dx, dy = body.x - x, body.y - y
    if dx == 0 and dy == 0:
        raise ValueError("Straight away needs two different points.")
    return step_towards(body, body.x + dx * 4000, body.y + dy * 4000, length)


def farthest(
    table: MeasuredTable,
    body: Body,
    x: int,
    y: int,
    going: Going = FREE,
    avoid: Iterable[Keep] | Crowd = (),
    ends: Places | None = None,
) -> Body:
    """As far as a model gets straight towards a point (mm): stopped by terrain, models and the table edge."""
    crowd = avoid if isinstance(avoid, Crowd) else Crowd(avoid)
    _, barred = terrain_masks(table, going)
    whole = path_length([(body.x, body.y), (x, y)])
    low, high = 0, -(-whole // 10)
    while low < high:  # the longest free leg: a longer one sweeps over all of a shorter one
        middle = (low + high + 1) // 2
        if leg_is_free(table, body, step_towards(body, x, y, middle * 10), going, barred, crowd):
            low = middle
        else:
            high = middle - 1
    for length in range(low, 0, -1):
        place = step_towards(body, x, y, length * 10)
        if ends is None or ends.is_legal(place):
            return place
    return body


# -- driving -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ahead:
    """Straight on by so many tenths; negative is straight back."""

    length: int


@dataclass(frozen=True, slots=True)
class Pivot:
    """A turn on the spot about the centre: degrees, clockwise positive."""

    degrees: int


Manoeuvre = Ahead | Pivot


@dataclass(frozen=True, slots=True)
class Drive:
    """A drive measured: the places after each step (the start first), what it used, and what is wrong with it."""

    places: tuple[Body, ...]
    ahead: int  # tenths driven forward
    back: int  # tenths driven backward
    turns: int
    widest_turn: int
    cost: int  # tenths charged, slow terrain included
    entered: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def end(self) -> Body:
        return self.places[-1]

    @property
    def is_legal(self) -> bool:
        return not self.problems

    @property
    def path(self) -> list[Point]:
        """The way of the centre (mm)."""
        return [(body.x, body.y) for body in self.places]


def ahead_of(body: Body, length: int) -> Body:
    """The place straight ahead (or back) of a model, in whole millimetres rounded towards where it stands."""
    dx, dy = direction(body.heading)
    return body.at(body.x + _towards_zero(dx * length), body.y + _towards_zero(dy * length))


def _towards_zero(scaled: int) -> int:
    whole = abs(scaled) // (10 * SCALE)
    return whole if scaled >= 0 else -whole


def drive(
    table: MeasuredTable,
    body: Body,
    steps: Sequence[Manoeuvre],
    going: Going = FREE,
    limit: int | None = None,
    turns: int | None = None,
    widest: int = 90,
    avoid: Iterable[Keep] | Crowd = (),
) -> Drive:
    """Drives a hull through steps: straight ahead, straight back, pivots (k47.move.turns, k47.move.reverse)."""
    crowd = avoid if isinstance(avoid, Crowd) else Crowd(avoid)
    slow, barred = terrain_masks(table, going)
    places, problems = [body], []
    ahead = back = pivots = widest_turn = charged = 0
    entered: dict[str, None] = {}
    for manoeuvre in steps:
        here = places[-1]
        if isinstance(manoeuvre, Pivot):
            there = here.at(here.x, here.y, here.heading + manoeuvre.degrees)
            pivots += 1
            widest_turn = max(widest_turn, abs(manoeuvre.degrees))
            problems += _pivot_problems(table, here, manoeuvre.degrees, going, barred, crowd)
        else:
            there = ahead_of(here, manoeuvre.length)
            ahead, back = ahead + max(0, manoeuvre.length), back + max(0, -manoeuvre.length)
            a, b = (here.x, here.y), (there.x, there.y)
            charged += abs(manoeuvre.length) * 100 + extra_micrometres(table, a, b, leg_micrometres(a, b), slow, going)
            problems += _leg_problems(table, here, there, going, barred, crowd)
            entered.update((piece.id, None) for piece in passes_over(table, here, there, table.index.all_parts))
        places.append(there)
    cost = -(-charged // 100)
    end = (places[-1].x, places[-1].y)
    if limit is not None and cost > limit:
        problems.append(Problem("too far", None, end))
    if turns is not None and pivots > turns:
        problems.append(Problem("too many turns", None, end))
    if widest_turn > widest:
        problems.append(Problem("turn too wide", None, end))
    return Drive(tuple(places), ahead, back, pivots, widest_turn, cost, tuple(entered), tuple(problems))


def _pivot_problems(
    table: MeasuredTable, body: Body, degrees: int, going: Going, barred: int, crowd: Crowd
) -> list[Problem]:
    """A pivot sweeps the hull through every whole degree; each of them must be free."""
    if not body.corners:
        return []
    keeps = crowd.near(Body(body.shape, body.x, body.y, 45)) if _reaches_any(body, crowd.keeps) else []
    pieces = [piece for piece in table.near(body) if barred and _is_barred(table, piece, barred)] if barred else []
    rim = body.radius + 4  # corners are rounded at every degree
    keeps = [keep for keep in keeps if distance_from_point(body.cx, body.cy, keep.body) <= rim + keep.gap]
    if not (keeps or pieces) and _has_room(table, body, rim):
        return []
    problems: dict[tuple[str, object], Problem] = {}
    sign = 1 if degrees > 0 else -1
    for degree in range(1, abs(degrees) + 1):
        place = body.at(body.x, body.y, body.heading + sign * degree)
        here = (body.x, body.y)
        if not table.contains(place):
            problems.setdefault(("off table", None), Problem("off table", None, here))
        for keep in keeps:
            if not keep.is_kept(place):
                problems.setdefault(("model", keep.body.key), Problem("model", keep.body.key, here))
        for piece in pieces:
            if not going.by_centre and piece.overlaps(place):
                problems.setdefault(("terrain", piece.id), Problem("terrain", piece.id, here))
    return list(problems.values())


def _reaches_any(body: Body, keeps: list[Keep]) -> bool:
    """Could a model come too near to one of these by turning where it stands? (A quick first question.)"""
    rim = body.radius + 4
    near = keeps_near(keeps, body.cx - rim, body.cy - rim, body.cx + rim, body.cy + rim)
    return any(distance_from_point(body.cx, body.cy, keep.body) <= rim + keep.gap for keep in near)


def _has_room(table: MeasuredTable, body: Body, rim: int) -> bool:
    """Does a circle round the middle of a model lie wholly on the table?"""
    return rim <= body.cx <= table.width * 10 - rim and rim <= body.cy <= table.depth * 10 - rim


def _is_barred(table: MeasuredTable, piece: Piece, barred: int) -> bool:
    return any(barred >> number & 1 for number, other in enumerate(table.part_piece) if other is piece)


native.take_over(globals(), "convex_hull", "grown_outline", "leg_micrometres", "passes_all")
