"""Bunkers and strongpoints on the open table: where they may stand, who is inside, what their walls do.

A bunker or strongpoint is a box with a facing: in front the firing slit, behind the doors (bf.fort.*, d47.fort.*).
Infantry inside stands in the box. How they are bought and set up, and the ways in, are each game's own affair.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import msgspec

from dieselfront.forces import DustWeapon
from dieselfront.kernel.game import Play
from dieselfront.rulesets.dust.events import TerrainChanged
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust1947.fortifications import BUNKER, PRICES, STRONGPOINT
from dieselfront.rulesets.dust_open.chapters import OpenFortifications
from dieselfront.rulesets.dust_open.ground import measures
from dieselfront.rulesets.dust_open.places import Point, at, xy
from dieselfront.table.measured.angles import SCALE, direction, step
from dieselfront.table.measured.geometry import Polygon, polygon_polygon_square, segment_segment_square
from dieselfront.table.measured.shapes import Body, distance_from_line
from dieselfront.table.measured.terrain import Piece
from dieselfront.table.measured.units import ceil_sqrt_ratio

KINDS = (BUNKER, STRONGPOINT)
WIDE, DEEP = 200, 150
"""The box of a bunker or strongpoint, in millimetres: across and along its facing."""

MOST_POINTS = 10_000
SLIT, DOORS = "slit", "doors"
Edge = tuple[Point, Point]
Spot = tuple[int, int, int]
"""Where a fortification may be set up: x and y in millimetres, and its facing."""


class Fort(msgspec.Struct, frozen=True):
    """A bunker or strongpoint; without a place it still has to be set up."""

    kind: str
    side: int
    facing: int = 0
    place: int = -1
    unit: str = ""  # the strongpoint unit that it belongs to
    price: int = 0  # what it cost; those of a scenario are free

    @property
    def placed(self) -> bool:
        return self.place >= 0

    @property
    def footprint(self) -> tuple[int, ...]:
        """The point it stands at, for whoever asks for its squares."""
        return (self.place,) if self.placed else ()

    interior = footprint

    @property
    def id(self) -> str:
        x, y = xy(self.place)
        return f"{self.kind}@{x},{y}"

    @property
    def worth(self) -> int:
        """Army points for the question who defends (bf.fort.cost, bf.open.free_strongpoint_worth)."""
        return PRICES[self.kind]

    def stood(self, spot: Spot) -> Self:
        """The same fortification on a spot."""
        return msgspec.structs.replace(self, place=int(at(*spot[:2])), facing=spot[2])

    def corners(self) -> Polygon:
        """The outline in tenths, clockwise from the left end of its front."""
        x, y = xy(self.place)
        fx, fy = step(self.facing, DEEP * 5)
        sx, sy = step(self.facing + 90, WIDE * 5)
        cx, cy = x * 10, y * 10
        return (
            (cx + fx - sx, cy + fy - sy),
            (cx + fx + sx, cy + fy + sy),
            (cx - fx + sx, cy - fy + sy),
            (cx - fx - sx, cy - fy - sy),
        )

    def edge(self, which: str) -> Edge:
        """Its front with the slit, or its back with the doors (tenths)."""
        corners = self.corners()
        return (corners[0], corners[1]) if which == SLIT else (corners[2], corners[3])

    def edges(self) -> list[Edge]:
        """All four sides (tenths)."""
        corners = self.corners()
        return list(zip(corners, (*corners[1:], corners[0]), strict=True))

    def piece(self, kinds: Any) -> Piece:
        return Piece(self.id, kinds[self.kind], [self.corners()], in_tenths=True)

    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = msgspec.to_builtins(self)
        return facts


# -- who is inside ----------------------------------------------------------------------------------


def fort_of(state: DustState, unit: Unit) -> Any:
    """The bunker or strongpoint an infantry unit is in, or None: its first miniature decides."""
    if unit.status != ON_BOARD or not unit.is_infantry:
        return None
    x, y = xy(unit.place)
    return fort_at(state, x, y)


def fort_at(state: Any, x: int, y: int) -> Any:
    """The bunker or strongpoint round a point (mm), or None."""
    forts = state.forts
    if not forts:
        return None
    memory = state.table.memory.setdefault("forts", {})
    known = memory.get(id(forts))  # which the entry keeps alive
    if known is None or len(known[1]) > MOST_POINTS:
        known = memory[id(forts)] = (forts, {})
    points = known[1]
    if (x, y) not in points:
        points[x, y] = next((fort for fort in forts if fort.placed and is_inside(fort, x * 10, y * 10)), None)
    return points[x, y]


def is_inside(fort: Fort, x: int, y: int) -> bool:
    """Does a point (tenths) lie in the box?"""
    cx, cy = (value * 10 for value in xy(fort.place))
    fx, fy = direction(fort.facing)
    ahead, aside = (x - cx) * fx + (y - cy) * fy, (x - cx) * fy - (y - cy) * fx
    return abs(ahead) <= DEEP * 5 * SCALE and abs(aside) <= WIDE * 5 * SCALE


def in_bunker(state: DustState, unit: Unit) -> bool:
    fort = fort_of(state, unit)
    return fort is not None and fort.kind == BUNKER


def parted(state: DustState, one: Unit, other: Unit) -> bool:
    """Is one of them inside a fortification and the other not in it too?

    bf.fort.special_actions, d47.fort.special_range1.
    """
    return bool(state.forts) and fort_of(state, one) != fort_of(state, other)


def inside_of(state: DustState, fort: Fort) -> list[Unit]:
    """The units in a bunker or strongpoint."""
    return [unit for unit in state.on_board() if fort_of(state, unit) == fort]


# -- past the walls ---------------------------------------------------------------------------------


def on_blind_side(state: Any, mine: Body, body: Body, unit: Any, target: Any) -> bool:
    """From and into a bunker one sees only 90 degrees to either side of its facing; a strongpoint has no blind side.

    bf.fort.bunker_vision, bf.fort.strongpoint_vision, d47.fort.bunker_view, d47.fort.strongpoint_view.
    """
    for inside, outside, who in ((mine, body, unit), (body, mine, target)):
        fort = fort_at(state, inside.x, inside.y) if who.is_infantry else None
        if fort is None or fort.kind != BUNKER or is_inside(fort, outside.cx, outside.cy):
            continue
        fx, fy = direction(fort.facing)
        if (outside.cx - inside.cx) * fx + (outside.cy - inside.cy) * fy < 0:
            return True
    return False


def is_at_wall(fort: Fort, body: Body, reach: int) -> bool:
    """Is a miniature within reach of a place where those inside are fought: the slit or doors of a bunker, any wall
    of a strongpoint?

    bf.fort.cc_reach, d47.fort.cc_access.
    """
    edges = [fort.edge(SLIT), fort.edge(DOORS)] if fort.kind == BUNKER else fort.edges()
    return any(distance_from_line(*a, *b, body) <= reach for a, b in edges)


def is_crossed(a: Point, b: Point, edge: Edge) -> bool:
    """Does a leg of a way (mm) go over one side of a box?"""
    (cx, cy), (dx, dy) = edge
    square, _ = segment_segment_square(a[0] * 10, a[1] * 10, b[0] * 10, b[1] * 10, cx, cy, dx, dy)
    return square == 0


def holds_against(state: DustState, fort: Fort, unit: Unit) -> bool:
    """Is an enemy of the unit inside?"""
    return any(other.side != unit.side for other in inside_of(state, fort))


# -- where they may stand ---------------------------------------------------------------------------

EDGE, OTHERS, TERRAIN, GOAL = "edge", "others", "terrain", "objective"


def hindrance(
    state: DustState, fort: Fort, *, ground: Iterable[str], edge: bool = True, over_objectives: bool = False
) -> str | None:
    """What forbids a bunker or strongpoint to stand there, None if nothing does.

    Range 1 stays free to the table's edges and to impassable terrain, range 2 to others of their kind; it stands on
    open ground (or on the kinds of terrain named), clear of objectives (bf.fort.spacing, d47.fort.spacing).
    """
    point = measures(state).range
    corners = fort.corners()
    room = point if edge else 0
    width, depth = state.table.width * 10, state.table.height * 10
    if any(not (room <= x <= width - room and room <= y <= depth - room) for x, y in corners):
        return EDGE
    if any(other.placed and _apart(corners, other.corners()) < 2 * point for other in state.forts):
        return OTHERS
    for piece in state.table.land.pieces:
        barred = state.table.terrain[piece.kind.id].going.get("all") == "no" or piece.is_building
        clear = point if barred else 0
        if piece.kind.id not in ground and any(_apart(corners, part.polygon) <= clear for part in piece.parts):
            return TERRAIN
    goals = [] if over_objectives else [xy(place) for goal in state.objectives for place in goal.places]
    if any(_apart(corners, ((x * 10, y * 10),) * 3) == 0 for x, y in goals):
        return GOAL
    return None


def _apart(one: Any, other: Any) -> int:
    """How far two outlines are apart (tenths)."""
    return ceil_sqrt_ratio(*polygon_polygon_square(one, other))


def lattice(boxes: Sequence[tuple[int, int, int, int]], headings: Sequence[int]) -> list[Spot]:
    """Spots whose box lies in a deployment area, row by row."""
    spots: list[Spot] = []
    for low_x, low_y, high_x, high_y in boxes:
        for y in range(low_y + DEEP // 2, high_y - DEEP // 2 + 1, 50):
            for x in range(low_x + WIDE // 2, high_x - WIDE // 2 + 1, 50):
                spots += [(x, y, heading) for heading in headings]
    return spots


# -- the chapter ------------------------------------------------------------------------------------


class OpenForts(OpenFortifications):
    """Walls of concrete, walls of sandbags, and trenches, on the open table."""

    placement = "d47.fort.placement"
    """The rule by which they are set up."""

    def covers(self, shot: Shot) -> bool:
        """Those inside are in cover from outside (d47.open.fort_cover); in a trench from everybody."""
        state = shot.play.state
        if state.forts and self.sheltered(state, shot) is not None:
            return True
        return super().covers(shot)

    def sheltered(self, state: DustState, shot: Shot) -> Any:
        fort = fort_of(state, shot.target)
        return None if fort is None or fort_of(state, shot.unit) == fort else fort

    def silences(self, play: Play, unit: Unit, weapon: DustWeapon) -> bool:
        """Artillery cannot fire from inside a bunker (d47.fort.bunker_no_artillery, bf.fort.no_artillery)."""
        return weapon.has("Artillery") and in_bunker(play.state, unit)

    def refusal(self, play: Play, shot: Shot) -> tuple[str, str] | None:
        """Nothing inside a bunker fires at aircraft (d47.fort.bunker_no_aircraft)."""
        if shot.target.is_aircraft and in_bunker(play.state, shot.unit):
            name = shot.weapon.name
            return "d47.fort.bunker_no_aircraft", f"{name} cannot be raised against aircraft inside a bunker"
        return None

    def mount(self, play: Play, unit: Unit, weapon: DustWeapon) -> str | None:
        """The main weapon of a strongpoint unit fires to the front only (d47.fort.main_weapon_arc)."""
        fixed = weapon.crewed and unit.has("Strongpoint") and fort_of(play.state, unit) is not None
        return "front" if fixed else weapon.mount

    def pieces(self, state: DustState, fort: Any) -> list[Piece]:
        """What stands on the table for it."""
        return [fort.piece(state.table.kinds)]

    def build(self, play: Play, old: Any, fort: Any) -> None:
        """It stands on the table."""
        state = play.state
        state.forts = tuple(fort if other is old else other for other in state.forts)
        state.table = state.table.with_pieces(self.pieces(state, fort))
        play.emit(TerrainChanged(self.placement, fort.kind, (fort.place,), True))

    def tear_down(self, play: Play, fort: Any, rule: str) -> None:
        state = play.state
        state.forts = tuple(other for other in state.forts if other != fort)
        gone = {piece.id for piece in self.pieces(state, fort)}
        state.table = state.table.without_pieces(gone)
        play.emit(TerrainChanged(rule, fort.kind, (fort.place,), False))
