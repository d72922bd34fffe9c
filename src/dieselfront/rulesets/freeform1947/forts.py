"""Fortifications of freeform games (d47.fort.*): the box of a bunker or strongpoint, who gets in, setting them up.

On squares a fortification covers four by four squares of which one by two are its inside (d47.fort.area); here it is
the box of the model, two ranges wide, and whoever is inside stands in it. The rest is described in dust_open/forts.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dieselfront.kernel.decisions import Answer, PickOne, plain
from dieselfront.kernel.game import Play, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.dust.events import Deployed, Happened
from dieselfront.rulesets.dust.state import LOST, DustState, Unit
from dieselfront.rulesets.dust1947.fortifications import BUNKER, GROUND_FOR_FORTS, STRONGPOINT
from dieselfront.rulesets.dust1947.works import Works
from dieselfront.rulesets.dust_open import scenario as scenarios
from dieselfront.rulesets.dust_open.forts import (
    EDGE,
    GOAL,
    KINDS,
    OTHERS,
    TERRAIN,
    Fort,
    OpenForts,
    Spot,
    fort_at,
    fort_of,
    hindrance,
    holds_against,
    inside_of,
    is_at_wall,
    lattice,
)
from dieselfront.rulesets.dust_open.ground import measures
from dieselfront.rulesets.dust_open.places import MOST, Point, xy
from dieselfront.rulesets.dust_open.table import OpenTable
from dieselfront.table.measured.terrain import Piece, wall

WALL = "fort_wall"
THICK = 8  # millimetres
WHY_NOT_THERE = {
    EDGE: "it must stand at least range 1 from the table's edges",
    OTHERS: "it must stand at least range 2 from any other fortification",
    TERRAIN: "other terrain is in its way",
    GOAL: "it may not stand on an objective",
}


class FreeFort(Fort, frozen=True):
    """A bunker or strongpoint that may have to be paid for (d47.fort.placement_free_or_paid)."""

    bought: bool = False
    over_objectives: bool = False  # the scenario lets it stand on an objective

    def walls(self, kinds: Any) -> Piece:
        """The concrete of a bunker: all sides but that of its doors (d47.fort.bunker_walls)."""
        left_front, right_front, right_back, left_back = self.corners()
        line = [_whole(corner) for corner in (right_back, right_front, left_front, left_back)]
        return wall(f"{self.id} walls", kinds[WALL], line, THICK)


def _whole(point: Point) -> Point:
    return (point[0] + 5) // 10, (point[1] + 5) // 10


# -- getting in -------------------------------------------------------------------------------------


def admits(state: DustState, unit: Unit, fort: FreeFort) -> bool:
    """May the unit be inside?

    Infantry only (d47.fort.infantry_only); nobody beside a strongpoint unit (d47.fort.full); not into a bunker that an
    enemy holds (d47.fort.bunker_walls); before the battle into those of its own side that no other unit brought.
    """
    if not unit.is_infantry:
        return False
    if fort_of(state, unit) == fort:
        return True
    inside = [other for other in inside_of(state, fort) if other is not unit]
    if inside and (unit.has("Strongpoint") or any(other.has("Strongpoint") for other in inside)):
        return False
    if state.phase == "deploy":
        return fort.side == unit.side and fort.unit in ("", unit.id)
    return not (fort.kind == BUNKER and holds_against(state, fort, unit))


def doors_open_to(state: DustState, unit: Unit, *, walks: bool) -> tuple[str, ...]:
    """The fortifications that a unit may enter; bunkers only on foot, from the table (d47.fort.bunker_walls)."""
    return tuple(
        fort.id for fort in state.forts if fort.placed and (walks or fort.kind != BUNKER) and admits(state, unit, fort)
    )


def past_walls(table: OpenTable, forts: Iterable[FreeFort]) -> OpenTable:
    """The table as it looks to those in these fortifications: their own walls hide nothing."""
    ids = tuple(fort.id for fort in forts if fort is not None)
    if not ids:
        return table
    memory = table.memory.setdefault("past walls", {})
    if ids not in memory:
        memory[ids] = table.without_pieces(ids)
    without_walls: OpenTable = memory[ids]
    return without_walls


def forts_round(state: Any, points: Iterable[Point]) -> dict[str, FreeFort]:
    """The fortifications in which these points (mm) lie, by id."""
    forts = (fort_at(state, x, y) for x, y in points)
    return {fort.id: fort for fort in forts if fort is not None}


def in_contact(state: DustState, ground: Any, one: Unit, other: Unit) -> bool | None:
    """Close combat past walls: within range 1 of a strongpoint, or of the slit or doors of a bunker.

    d47.fort.cc_access. A unit outside reaches the wall with its leader and is reached at any model (ff.open.cc_range).
    """
    mine, theirs = fort_of(state, one), fort_of(state, other)
    if mine == theirs:
        return None
    if mine is not None and theirs is not None:
        return False
    bodies = ground.bodies(state, other) if mine is not None else ground.measuring(state, one)
    return any(is_at_wall(mine or theirs, body, measures(state).range) for body in bodies)


# -- the chapters -----------------------------------------------------------------------------------


class FreeForts(OpenForts):
    """Walls as on squares: saves behind them, main weapons, aircraft and artillery in bunkers."""

    def pieces(self, state: DustState, fort: Any) -> list[Piece]:
        kinds = state.table.kinds
        return [fort.piece(kinds), fort.walls(kinds)] if fort.kind == BUNKER else [fort.piece(kinds)]


class FortSpot(PickOne):
    """Some places and facings of a fortification to choose from; any other that is legal may be named."""

    __slots__ = ("_is_legal",)

    takes_more = True

    def __init__(
        self, player: int, key: str, options: list[Spot], is_legal: Callable[[Spot], bool], **details: Any
    ) -> None:
        super().__init__(player, key, options, **details)
        self._is_legal = is_legal

    def check(self, answer: Answer) -> Answer:
        spot = plain(answer)
        whole = isinstance(spot, tuple) and len(spot) == 3 and all(type(value) is int for value in spot)
        return spot if whole and self._is_on_table(spot) and self._is_legal(spot) else super().check(spot)

    def _is_on_table(self, spot: Spot) -> bool:
        return 0 <= spot[0] <= MOST and 0 <= spot[1] <= MOST and 0 <= spot[2] < 360


class FreeWorks(Works):
    """Fortifications on their way onto the table."""

    def strongpoints(self, units: list[Unit]) -> list[Any]:
        return [
            FreeFort(BUNKER if BUNKER in unit.card.id.split("+") else STRONGPOINT, unit.side, unit=unit.id)
            for unit in units
            if unit.has("Strongpoint")
        ]

    def _place(self, play: Play, fort: Any, wanted: Any) -> Procedure:
        """The owner places it in the deployment area (d47.fort.placement, d47.fort.spacing)."""
        spots, edge = self.stances(play, wanted)
        if not spots:
            self._forget(play, fort)
            play.emit(Happened("d47.fort.placement", f"there is no room for a {fort.kind}"))
            return
        chosen = yield FortSpot(
            fort.side,
            "place-fortification",
            spots,
            lambda spot: self.may_stand(play, wanted, spot, edge=edge),
            labels=lambda spot: f"{spot[0] / 10:g}/{spot[1] / 10:g} cm facing {spot[2]}°",
            text=f"Where does the middle of the {fort.kind} stand and which way does it face?",
            rule="d47.fort.placement",
            unit=fort.unit,
            act="build",
            about=lambda spot: About(act="build", places=(spot[:2],), facing=spot[2]),
        )
        play.rules.fortifications.build(play, fort, wanted.stood(chosen))

    def stances(self, play: Play, fort: Any) -> tuple[list[Spot], bool]:
        """Where it may stand, and whether range 1 to the table's edges is kept: a narrow area has no room for that."""
        usual = play.rules.setup.facing(play.state, fort.side)
        boxes = scenarios.zone_boxes(play.state.scenario, fort.side)
        tried = lattice(boxes, (usual,))
        for edge in (True, False):
            spots = [spot for spot in tried if self.may_stand(play, fort, spot, edge=edge)]
            if spots:
                return spots, edge
        return [], False

    def may_stand(self, play: Play, fort: Any, spot: Spot, *, edge: bool) -> bool:
        """Wholly in the area of its side, and as far from everything as it must be."""
        state, stood = play.state, fort.stood(spot)
        boxes = [tuple(side * 10 for side in box) for box in scenarios.zone_boxes(state.scenario, fort.side)]
        corners = stood.corners()
        inside = any(
            all(low_x <= x <= high_x and low_y <= y <= high_y for x, y in corners)
            for low_x, low_y, high_x, high_y in boxes
        )
        return inside and why_not(state, stood, edge=edge) is None

    def man(self, play: Play, unit: Unit) -> Procedure:
        """A strongpoint unit has to start inside a fortification, and fills it.

        d47.skill.strongpoint, d47.fort.strongpoint_deploy.
        """
        state = play.state
        free = [fort for fort in state.forts if fort.side == unit.side and self._is_empty(play, fort)]
        own = [fort for fort in free if fort.unit == unit.id] or [fort for fort in free if not fort.unit]
        if not own:
            play.emit(Happened("d47.fort.strongpoint_deploy", f"{unit.name} has no fortification to start in", unit.id))
            play.rules.ground.lift(unit, LOST)
            return
        place = yield PickOne(
            unit.side,
            "man-fortification",
            [fort.place for fort in own],
            labels=lambda spot: state.table.name(spot),
            text=f"{unit.name}: which fortification?",
            rule="d47.fort.strongpoint_deploy",
            unit=unit.id,
            act="deploy",
            about=lambda spot: About(act="deploy", unit=unit.id, places=(xy(spot),)),
        )
        fort = next(fort for fort in own if fort.place == place)
        play.rules.ground.put(state, unit, fort.place, fort.facing)
        play.emit(Deployed("d47.skill.strongpoint", unit.id, unit.where, unit.facing))

    def _is_empty(self, play: Play, fort: Any) -> bool:
        return fort.placed and not inside_of(play.state, fort)


def why_not(state: DustState, fort: FreeFort, *, edge: bool = True) -> str | None:
    """Why it cannot stand there (d47.fort.placement, d47.fort.spacing)."""
    what = hindrance(state, fort, ground=GROUND_FOR_FORTS, edge=edge, over_objectives=fort.over_objectives)
    return None if what is None else WHY_NOT_THERE[what]


__all__ = ["KINDS", "WALL", "FreeFort", "FreeForts", "FreeWorks", "admits", "doors_open_to", "in_contact", "past_walls"]
