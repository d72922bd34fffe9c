"""Bunkers, strongpoints and trenches on the open table (bf.fort.*).

A bunker or strongpoint is a box with a facing: in front the firing slit, behind the doors. Infantry inside stands in
the box. Who defends because of them is told in setup.py, burying them in engineering.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from dieselfront.forces import DustWeapon
from dieselfront.kernel.game import Play
from dieselfront.rulesets.battlefield.places import close
from dieselfront.rulesets.dust.events import TerrainChanged
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust1947.fortifications import BUNKER, PRICES, STRONGPOINT
from dieselfront.rulesets.dust_open.chapters import OpenFortifications
from dieselfront.rulesets.dust_open.places import Point, xy
from dieselfront.table.measured.angles import SCALE, direction, step
from dieselfront.table.measured.geometry import Polygon, segment_segment_square
from dieselfront.table.measured.shapes import Body, distance_from_line
from dieselfront.table.measured.terrain import Piece

KINDS = (BUNKER, STRONGPOINT)
WIDE, DEEP = 200, 150
"""The box of a bunker or strongpoint, in millimetres: across and along its facing."""

UPGRADE = 5  # bf.fort.cost: from the strongpoint of a unit to a bunker
SLIT, DOORS = "slit", "doors"


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

    def edge(self, which: str) -> tuple[Point, Point]:
        """Its front with the slit, or its back with the doors (tenths)."""
        corners = self.corners()
        return (corners[0], corners[1]) if which == SLIT else (corners[2], corners[3])

    def piece(self, kinds: Any) -> Piece:
        return Piece(self.id, kinds[self.kind], [self.corners()], in_tenths=True)

    def facts(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found


# -- who is inside ----------------------------------------------------------------------------------


def fort_of(state: DustState, unit: Unit) -> Fort | None:
    """The bunker or strongpoint an infantry unit is in: its first miniature decides."""
    if unit.status != ON_BOARD or not unit.is_infantry:
        return None
    x, y = xy(unit.place)
    return fort_at(state, x, y)


def fort_at(state: DustState, x: int, y: int) -> Fort | None:
    for fort in state.forts:
        if fort.placed and is_inside(fort, x * 10, y * 10):
            found: Fort = fort
            return found
    return None


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
    """Is one of them inside a fortification and the other not in it too (bf.fort.special_actions)?"""
    return bool(state.forts) and fort_of(state, one) != fort_of(state, other)


def unseen(state: Any, mine: Body, body: Body, unit: Any, target: Any) -> tuple[str, str] | None:
    """From and into a bunker one sees only 90 degrees to either side of its facing (bf.fort.bunker_vision).

    A strongpoint has no blind side (bf.fort.strongpoint_vision).
    """
    for inside, outside, who in ((mine, body, unit), (body, mine, target)):
        fort = fort_at(state, inside.x, inside.y) if who.is_infantry else None
        if fort is None or fort.kind != BUNKER or is_inside(fort, outside.cx, outside.cy):
            continue
        fx, fy = direction(fort.facing)
        if (outside.cx - inside.cx) * fx + (outside.cy - inside.cy) * fy < 0:
            return "bf.fort.bunker_vision", "the target is on the blind side of a bunker"
    return None


def in_contact(state: DustState, ground: Any, one: Unit, other: Unit) -> bool | None:
    """Close combat past walls: at a strongpoint, or at the slit or doors of a bunker (bf.fort.cc_reach)."""
    mine, theirs = fort_of(state, one), fort_of(state, other)
    if mine == theirs:
        return None
    if mine is not None and theirs is not None:
        return False
    fort, outside = (mine, other) if mine is not None else (theirs, one)
    assert fort is not None
    return any(at_the_wall(state, fort, body) for body in ground.bodies(state, outside))


def at_the_wall(state: DustState, fort: Fort, body: Body) -> bool:
    """Is a miniature within 5 cm of a place where those inside are fought?"""
    edges = [fort.edge(SLIT), fort.edge(DOORS)] if fort.kind == BUNKER else _sides(fort)
    reach = close(state.table.measures)
    return any(distance_from_line(*a, *b, body) <= reach for a, b in edges)


def _sides(fort: Fort) -> list[tuple[Point, Point]]:
    corners = fort.corners()
    return list(zip(corners, (*corners[1:], corners[0]), strict=True))


# -- getting in -------------------------------------------------------------------------------------


def way_problem(state: DustState, unit: Unit, path: Sequence[Point]) -> str | None:
    """Why a way may not lead into or out of a fortification (bf.fort.bunker_walls, bf.fort.infantry_only)."""
    for fort in state.forts:
        if not fort.placed:
            continue
        for a, b in pairwise(path):
            crossed = [edge for edge in _sides(fort) if _crosses(a, b, edge)]
            if not crossed:
                continue
            if not unit.is_infantry:
                return "only infantry enters bunkers and strongpoints (bf.fort.infantry_only)"
            if fort.kind == BUNKER and any(edge != fort.edge(DOORS) for edge in crossed):
                return "the walls of a bunker are impassable; its doors are at the rear (bf.fort.bunker_walls)"
            if fort.kind == BUNKER and _held_against(state, fort, unit):
                return "an enemy holds the bunker (bf.fort.bunker_walls)"
    return None


def _crosses(a: Point, b: Point, edge: tuple[Point, Point]) -> bool:
    (cx, cy), (dx, dy) = edge
    square, _ = segment_segment_square(a[0] * 10, a[1] * 10, b[0] * 10, b[1] * 10, cx, cy, dx, dy)
    return square == 0


def _held_against(state: DustState, fort: Fort, unit: Unit) -> bool:
    return any(other.side != unit.side and fort_of(state, other) == fort for other in state.on_board())


def is_main(unit: Unit, weapon: DustWeapon) -> bool:
    """Is it the weapon that the crew serves, or the first one where none is marked so?"""
    lines = unit.card.weapons
    return weapon.crewed if any(line.crewed for line in lines) else lines[:1] == (weapon,)


# -- the chapter ------------------------------------------------------------------------------------


class BattleForts(OpenFortifications):
    """Walls of concrete, walls of sandbags, and trenches.

    The saves behind them are those of Dust 1947 (bf.fort.bunker_save, bf.fort.strongpoint_save,
    bf.fort.cc_save_bunker, bf.fort.cc_save_strongpoint).
    """

    def covers(self, shot: Shot) -> bool:
        """Those inside are in cover from outside; infantry in a trench from everybody (bf.fort.trench)."""
        state = shot.play.state
        if state.forts and self.sheltered(state, shot) is not None:
            return True
        return super().covers(shot)

    def sheltered(self, state: DustState, shot: Shot) -> Any:
        fort = fort_of(state, shot.target)
        return None if fort is None or fort_of(state, shot.unit) == fort else fort

    def silences(self, play: Play, unit: Unit, weapon: DustWeapon) -> bool:
        """Artillery cannot fire from inside a bunker (bf.fort.no_artillery)."""
        return weapon.has("Artillery") and in_bunker(play.state, unit)

    def refusal(self, play: Play, shot: Shot) -> tuple[str, str] | None:
        """Nothing inside a bunker fires at aircraft (bf.fort.no_aa)."""
        if shot.target.is_aircraft and in_bunker(play.state, shot.unit):
            return "bf.fort.no_aa", f"{shot.weapon.name} cannot be raised against aircraft inside a bunker"
        return None

    def mount(self, play: Play, unit: Unit, weapon: DustWeapon) -> str | None:
        """The main weapon of a strongpoint unit fires 45 degrees to each side of a bunker's facing.

        bf.fort.main_weapon.
        """
        return (
            "front"
            if is_main(unit, weapon) and unit.has("Strongpoint") and in_bunker(play.state, unit)
            else weapon.mount
        )

    def build(self, play: Play, old: Any, fort: Any) -> None:
        """It stands on the table (bf.fort.placement)."""
        state = play.state
        state.forts = tuple(fort if other is old else other for other in state.forts)
        state.table = state.table.with_pieces([fort.piece(state.table.kinds)])
        play.emit(TerrainChanged("bf.fort.placement", fort.kind, (fort.place,), True))

    def tear_down(self, play: Play, fort: Any, rule: str) -> None:
        state = play.state
        state.forts = tuple(other for other in state.forts if other != fort)
        state.table = state.table.clearing(fort.kind, (fort.place,))
        play.emit(TerrainChanged(rule, fort.kind, (fort.place,), False))
