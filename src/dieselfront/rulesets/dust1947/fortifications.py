"""Fortifications: bunkers, strongpoints and trenches, what they shelter and who gets in (d47.fort.*, d47.trench.cover).

A fortification covers four by four squares of walls around an interior of two (d47.fort.area). Placing them before the
game is described in setup.py, burying them in engineering.py.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from dieselfront.dice import DUST_DIE, Because, Reroll, Throw
from dieselfront.forces import DustWeapon
from dieselfront.rulesets.dust.events import TerrainChanged
from dieselfront.rulesets.dust.shots import Saves, Shot
from dieselfront.rulesets.dust.state import ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust1947.dice import ARMY, SHIELD
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.table.square import SquareTable, mask_of, places_of
from dieselfront.table.square.geometry import union

BUNKER, STRONGPOINT = "bunker", "strongpoint"
PRICES = {BUNKER: 15, STRONGPOINT: 10}  # d47.fort.placement_free_or_paid
WALLS = 4  # squares along each side (d47.fort.area)
CLEAR_OF_FORTS = 2  # squares left free; one to board edges and impassable terrain (d47.fort.spacing)
AHEAD = ((0, -1), (1, 0), (0, 1), (-1, 0))
GROUND_FOR_FORTS = frozenset({"mud", "sand", "road"})
SAVE_FACES = {BUNKER: ARMY | SHIELD, STRONGPOINT: ARMY}
SAVE_RULES = {BUNKER: "d47.fort.bunker_saves", STRONGPOINT: "d47.fort.strongpoint_saves"}
CLOSE_RULES = {BUNKER: "d47.fort.cc_save_bunker", STRONGPOINT: "d47.fort.cc_save_strongpoint"}


class Fort(msgspec.Struct, frozen=True):
    """A fortification; without squares it still has to be placed."""

    kind: str
    side: int
    facing: int = 0
    footprint: tuple[int, ...] = ()
    interior: tuple[int, ...] = ()
    unit: str = ""  # the strongpoint unit that it belongs to
    price: int = 0  # what an optional one costs its side
    bought: bool = False
    over_objectives: bool = False  # the scenario lets it stand on an objective

    @property
    def placed(self) -> bool:
        return bool(self.footprint)

    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = msgspec.to_builtins(self)
        return facts


# -- where they stand -------------------------------------------------------------------------------


def layout(table: SquareTable, corner: int, facing: int, walls: int = WALLS) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Footprint and interior from the footprint's min corner.

    The interior is two squares side by side across the facing, in the second row from the front
    (d47.open.fort_footprint). Without walls the footprint is the interior alone.
    """
    x, y = table.xy(corner)
    if not walls:
        pair = ((x, y), (x + 1, y)) if facing in (0, 2) else ((x, y), (x, y + 1))
        places = tuple(table.place(*xy) for xy in pair)
        return places, places
    block = [(x + dx, y + dy) for dy in range(walls) for dx in range(walls)]
    ahead_x, ahead_y = AHEAD[facing]
    rows = sorted({dx * ahead_x + dy * ahead_y for dx in range(walls) for dy in range(walls)})
    middle = (walls // 2 - 1, walls // 2)
    inside = tuple(
        (x + dx, y + dy)
        for dy in range(walls)
        for dx in range(walls)
        if dx * ahead_x + dy * ahead_y == rows[-2] and (dx if ahead_y else dy) in middle
    )
    return tuple(table.place(*xy) for xy in block), tuple(table.place(*xy) for xy in inside)


def ahead(table: SquareTable, fort: Fort, place: int) -> int:
    """How far a square lies toward the fortification's facing."""
    (x, y), (ahead_x, ahead_y) = table.xy(place), AHEAD[fort.facing]
    return x * ahead_x + y * ahead_y


def aside(table: SquareTable, fort: Fort, place: int) -> int:
    """How far a square lies across the fortification's facing."""
    (x, y), (ahead_x, ahead_y) = table.xy(place), AHEAD[fort.facing]
    return x * ahead_y + y * ahead_x


@lru_cache(maxsize=512)
def _sides(fort: Fort, width: int, height: int) -> tuple[int, int, int]:
    """Masks of the squares around a fortification, before its firing slit, and at its rear doors."""
    table = SquareTable(width, height, {})
    own = set(fort.footprint)
    rows = [ahead(table, fort, place) for place in fort.footprint]
    columns = {aside(table, fort, place) for place in fort.interior}
    doors = [place for place in fort.footprint if aside(table, fort, place) in columns]
    around = front = rear = 0
    for place in fort.footprint:
        for other in table.neighbours(place):
            if other not in own:
                around |= 1 << other
    for place in doors:
        for other in table.neighbours(place):
            if ahead(table, fort, other) > max(rows):
                front |= 1 << other
            elif ahead(table, fort, other) < min(rows):
                rear |= 1 << other
    return around, front, rear


def around(table: SquareTable, fort: Fort) -> int:
    """The squares next to a fortification."""
    return _sides(fort, table.width, table.height)[0]


def entrances(table: SquareTable, fort: Fort) -> int:
    """Squares from which one steps inside: all round a strongpoint, behind a bunker.

    d47.fort.strongpoint_walls, d47.fort.bunker_walls.
    """
    sides = _sides(fort, table.width, table.height)
    return sides[2] if fort.kind == BUNKER else sides[0]


def close_squares(table: SquareTable, fort: Fort) -> int:
    """Squares from which one fights those inside: next to a strongpoint, at a bunker's slit or doors.

    d47.fort.cc_access.
    """
    all_round, front, rear = _sides(fort, table.width, table.height)
    return front | rear if fort.kind == BUNKER else all_round


def built(table: SquareTable, fort: Fort) -> SquareTable:
    """The board with the fortification on it."""
    walls = [place for place in fort.footprint if place not in fort.interior]
    table = table.placing(fort.kind, fort.interior).placing("fort_wall", walls)
    ways = entrances(table, fort)
    passages = [(outside, inside) for outside in table.places() if ways >> outside & 1 for inside in fort.interior]
    return table.with_passages(tuple(sorted({*table.passages(), *passages})))


def torn_down(table: SquareTable, fort: Fort) -> SquareTable:
    """The board without it."""
    table = table.clearing(fort.kind, fort.interior).clearing("fort_wall", fort.footprint)
    return table.with_passages(tuple(pair for pair in table.passages() if pair[1] not in fort.interior))


def hindrances(
    table: SquareTable, forts: tuple[Fort, ...], area: frozenset[int], objectives: frozenset[int], edge: bool = True
) -> list[tuple[int, str]]:
    """Squares where no fortification may stand, with the reasons (d47.fort.placement, d47.fort.spacing).

    One square stays free to the board edges and to impassable terrain, two to any other fortification.
    """
    masks = table.masks_by_kind()
    everywhere = (1 << table.plane) - 1
    rough = union(where for name, where in masks.items() if name not in GROUND_FOR_FORTS)
    corners = union(where for name, where in masks.items() if table.kinds[name].corner)
    beside = union(mask_of(table.neighbours(place)) for place in places_of(corners))
    too_close = [
        mask_of(table.within(place, CLEAR_OF_FORTS)) for fort in forts for place in fort.footprint if fort.placed
    ]
    return [
        (everywhere & ~mask_of(area) if area else 0, "it must stand in its owner's deployment area"),
        (mask_of(objectives), "it may not stand on an objective"),
        (mask_of(table.edge_squares()) if edge else 0, "it must stand at least range 1 from the board edges"),
        (union(too_close), "it must stand at least range 2 from any other fortification"),
        (beside, "it must stand at least range 1 from impassable terrain"),
        (rough, "other terrain is in its way"),
    ]


def why_not(fort: Fort, hindered: list[tuple[int, str]]) -> str | None:
    """Why a fortification cannot stand on its squares."""
    footprint = mask_of(fort.footprint)
    return next((reason for squares, reason in hindered if squares & footprint), None)


# -- who is inside ----------------------------------------------------------------------------------


def fort_of(state: DustState, unit: Unit) -> Fort | None:
    """The fortification a unit is in; aircraft above one are not."""
    for fort in state.forts:
        if unit.place in fort.interior and unit.status == ON_BOARD and not unit.is_aircraft:
            shelter: Fort = fort
            return shelter
    return None


def in_bunker(state: DustState, unit: Unit) -> bool:
    """Is the unit inside a bunker?"""
    fort = fort_of(state, unit)
    return fort is not None and fort.kind == BUNKER


def parted(state: DustState, one: Unit, other: Unit) -> bool:
    """Is one of them inside a fortification and the other not in it too?"""
    return bool(state.forts) and fort_of(state, one) != fort_of(state, other)


def in_contact(state: DustState, one: Unit, other: Unit) -> bool | None:
    """Contact for close combat past the walls of a fortification; None if it is an ordinary question.

    d47.fort.cc_access.
    """
    forts = fort_of(state, one), fort_of(state, other)
    if forts[0] == forts[1]:
        return None
    if all(forts):
        return False
    fort = forts[0] or forts[1]
    outsider = other if forts[0] else one
    assert fort is not None
    return bool(mask_of(outsider.where) & close_squares(state.table, fort))


def own_walls(state: DustState, viewer: Unit, target: Unit) -> int:
    """Walls that do not stop sight from or to those behind them; smoke on them does."""
    mask = 0
    for unit in (viewer, target):
        fort = fort_of(state, unit)
        if fort is not None:
            mask |= mask_of(place for place in fort.footprint if not state.table.has(place, "smoke"))
    return mask


def unseen(state: DustState, viewer: Unit, origin: int, target: Unit) -> tuple[str, str] | None:
    """From and into a bunker one sees only on the side it faces (d47.fort.bunker_view, d47.open.fort_view_arcs).

    A strongpoint has no blind side (d47.fort.strongpoint_view).
    """
    table = state.table
    mine, theirs = fort_of(state, viewer), fort_of(state, target)
    if mine == theirs:
        return None
    if mine is not None and mine.kind == BUNKER:
        line = ahead(table, mine, origin)
        if all(ahead(table, mine, square) < line for square in target.where):
            return "d47.fort.bunker_view", f"{target.name} is behind the bunker"
    if theirs is not None and theirs.kind == BUNKER:
        line = min(ahead(table, theirs, square) for square in target.where)
        if ahead(table, theirs, origin) < line:
            return "d47.fort.bunker_view", f"{target.name} cannot be seen from behind its bunker"
    return None


def past_walls(state: DustState, start: int, place: int) -> int | None:
    """Walls that do not stop the view from one square to another; None on the blind side of a bunker."""
    table, mask = state.table, 0
    mine, theirs = _fort_at(state, start), _fort_at(state, place)
    if mine is theirs:
        return 0
    for fort, far, near in ((mine, place, start), (theirs, start, place)):
        if fort is not None:
            if fort.kind == BUNKER and ahead(table, fort, far) < ahead(table, fort, near):
                return None
            mask |= mask_of(square for square in fort.footprint if not table.has(square, "smoke"))
    return mask


def _fort_at(state: DustState, place: int) -> Fort | None:
    fort: Fort | None = next((one for one in state.forts if place in one.interior), None)
    return fort


def closed_squares(state: DustState, mover: Unit, flying: bool) -> int:
    """Interiors it may not enter: filled by a strongpoint unit, or a bunker held by an enemy or closed from above.

    d47.fort.full, d47.fort.bunker_walls.
    """
    mask = 0
    for fort in state.forts:
        if mover.place in fort.interior:
            continue
        inside = [unit for unit in state.on_board() if unit.place in fort.interior and not unit.is_aircraft]
        full = any(unit.has("Strongpoint") for unit in inside)
        shut = flying or not mover.on_board or any(unit.side != mover.side for unit in inside)
        if full or (fort.kind == BUNKER and shut):
            mask |= mask_of(fort.interior)
    return mask


class Fortifications:
    """Walls of concrete, walls of sandbags, and trenches."""

    # -- shooting -------------------------------------------------------------------------------

    def covers(self, shot: Shot) -> bool:
        """Those inside are in cover from outside (d47.open.fort_cover), infantry in a trench from everybody.

        d47.trench.cover.
        """
        state, target = shot.play.state, shot.target
        if state.forts and self.sheltered(state, shot) is not None:
            return True
        if not target.is_infantry or "trench" not in state.table.masks_by_kind():
            return False
        return any(state.table.has(place, "trench") for place in target.where)

    def sheltered(self, state: DustState, shot: Shot) -> Fort | None:
        """The fortification around the target, if the shot comes from outside it."""
        fort = fort_of(state, shot.target)
        return None if fort is None or fort_of(state, shot.unit) == fort else fort

    def change_saves(self, play: Play, saves: Saves, shot: Shot) -> None:
        """Failed saves are rolled again behind walls (d47.fort.bunker_saves, d47.fort.strongpoint_saves)."""
        if not play.state.forts:
            return
        fort = self.sheltered(play.state, shot)
        if fort is not None:
            rule = SAVE_RULES[fort.kind]
            saves.rerolls.append(Reroll(False, SAVE_FACES[fort.kind], rule))
            saves.because.append(Because(rule, f"in a {fort.kind}: failed saves are rolled again"))

    def close_saves(self, play: Play, shot: Shot) -> tuple[Throw, ...]:
        """Walls save even from blows struck from outside (d47.fort.cc_save_bunker, d47.fort.cc_save_strongpoint)."""
        if not play.state.forts:
            return ()
        fort = self.sheltered(play.state, shot)
        if fort is None:
            return ()
        return (Throw(f"{fort.kind} save", DUST_DIE, SAVE_FACES[fort.kind], CLOSE_RULES[fort.kind]),)

    def silences(self, play: Play, unit: Unit, weapon: DustWeapon) -> bool:
        """Artillery cannot fire from inside a bunker (d47.fort.bunker_no_artillery)."""
        return weapon.has("Artillery") and in_bunker(play.state, unit)

    def refusal(self, play: Play, shot: Shot) -> tuple[str, str] | None:
        """Nothing inside a bunker fires at aircraft (d47.fort.bunker_no_aircraft)."""
        if shot.target.is_aircraft and in_bunker(play.state, shot.unit):
            return (
                "d47.fort.bunker_no_aircraft",
                f"{shot.weapon.name} cannot be raised against aircraft inside a bunker",
            )
        return None

    def mount(self, play: Play, unit: Unit, weapon: DustWeapon) -> str | None:
        """The main weapon of a strongpoint unit fires to the front only (d47.fort.main_weapon_arc)."""
        if weapon.crewed and unit.has("Strongpoint") and fort_of(play.state, unit) is not None:
            return "front"
        return weapon.mount

    # -- building and burying -------------------------------------------------------------------

    def build(self, play: Play, old: Fort, fort: Fort) -> None:
        """A fortification takes its place on the board."""
        state = play.state
        state.forts = tuple(fort if other is old else other for other in state.forts)
        state.table = built(state.table, fort)
        play.emit(TerrainChanged("d47.fort.placement", fort.kind, fort.footprint, True))

    def tear_down(self, play: Play, fort: Fort, rule: str) -> None:
        """A fortification is no more."""
        state = play.state
        state.forts = tuple(other for other in state.forts if other is not fort)
        state.table = torn_down(state.table, fort)
        play.emit(TerrainChanged(rule, fort.kind, fort.footprint, False))

    def occupy(self, state: DustState, unit: Unit, fort: Fort) -> None:
        """A strongpoint unit fills its fortification (d47.fort.full) and looks where it faces."""
        unit.where = fort.interior
        unit.place = fort.interior[0]
        unit.facing = fort.facing
        unit.status = ON_BOARD
