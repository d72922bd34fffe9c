"""Field works before the battle: buying, placing and manning fortifications (d47.fort.placement*).

What they do once they stand is described in fortifications.py.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import msgspec

from dieselfront.kernel.decisions import PickOne, Place, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import at_place
from dieselfront.rulesets.dust.events import Deployed, Happened
from dieselfront.rulesets.dust.state import LOST, Unit
from dieselfront.rulesets.dust1947 import scenario as scenarios
from dieselfront.rulesets.dust1947.fortifications import BUNKER, STRONGPOINT, WALLS, Fort, hindrances, layout, why_not
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.scenario import FACING_NAMES
from dieselfront.table.square import SquareTable

ALL_FACINGS = (0, 1, 2, 3)
Spots = dict[int, dict[int, Fort]]
"""Where a fortification may stand: by the first square of its footprint and by its facing."""


class Works:
    """Fortifications on their way onto the board."""

    def strongpoints(self, units: list[Unit]) -> list[Fort]:
        """The points of a strongpoint unit include a strongpoint, or for 5 more a bunker.

        d47.fort.strongpoint_unit_included.
        """
        return [
            Fort(BUNKER if BUNKER in unit.card.id.split("+") else STRONGPOINT, unit.side, unit=unit.id)
            for unit in units
            if unit.has("Strongpoint")
        ]

    # -- buying and placing ---------------------------------------------------------------------

    def raise_next(self, play: Play) -> Generator[Any, Any, bool]:
        """One fortification after the other is bought and placed, before anything else; False once all stand."""
        fort = next((fort for fort in play.state.forts if not fort.placed or (fort.price and not fort.bought)), None)
        if fort is None:
            return False
        wanted = fort
        if fort.price and not fort.bought:
            bought = yield from self.buy(play, fort)
            if not bought:
                self._forget(play, fort)
                return True
            wanted = msgspec.structs.replace(fort, bought=True)
        if fort.placed:
            play.rules.fortifications.build(play, fort, wanted)
        else:
            yield from self._place(play, fort, wanted)
        return True

    def points_left(self, play: Play, side: int) -> int:
        """Army points that a side has not spent (d47.fort.placement_free_or_paid)."""
        state = play.state
        spent = sum(unit.points for unit in state.units if unit.side == side)
        paid = sum(fort.price for fort in state.forts if fort.side == side and fort.bought)
        left: int = state.scenario.points - spent - paid
        return left

    def buy(self, play: Play, fort: Fort) -> Generator[Any, Any, bool]:
        """An optional fortification costs points: a bunker 15, a strongpoint 10; an assigned one is free."""
        left = self.points_left(play, fort.side)
        if left < fort.price:
            return False
        bought: bool = yield YesNo(
            fort.side,
            "buy-fortification",
            text=f"Pay {fort.price} of {left} points left for a {fort.kind}?",
            rule="d47.fort.placement_free_or_paid",
            act="build",
        )
        if bought:
            play.emit(Happened("d47.fort.placement_free_or_paid", f"a {fort.kind} is bought for {fort.price} points"))
        return bought

    def _forget(self, play: Play, fort: Fort) -> None:
        play.state.forts = tuple(other for other in play.state.forts if other is not fort)

    def _place(self, play: Play, fort: Fort, wanted: Fort) -> Procedure:
        """The owner places it in the deployment area (d47.fort.placement)."""
        table = play.state.table
        spots = self.spots(play, wanted)
        if not spots:
            self._forget(play, fort)
            play.emit(Happened("d47.fort.placement", f"there is no room for a {fort.kind}"))
            return
        spot, facing = yield Place(
            fort.side,
            "place-fortification",
            dict.fromkeys(spots, 0),
            lambda corner: tuple(spots[corner]),
            labels=lambda corner: table.name(corner),
            text=f"Where does the {fort.kind} stand (its first square) and which way does it face?",
            rule="d47.fort.placement",
            unit=fort.unit,
            act="build",
        )
        play.rules.fortifications.build(play, fort, spots[spot][facing])

    def spots(self, play: Play, fort: Fort) -> Spots:
        """Where it may stand; where the area has no room for its walls, the interior alone stands for it."""
        return self._spots(play, fort, WALLS) or self._spots(play, fort, 0)

    def _spots(self, play: Play, fort: Fort, walls: int) -> Spots:
        state = play.state
        table: SquareTable = state.table
        zone = state.scenario.deploy[fort.side]
        area = frozenset(scenarios.squares(table, zone.squares))
        goals = frozenset(place for goal in state.objectives for place in goal.places if not fort.over_objectives)
        usual = FACING_NAMES[zone.facing]
        hindered = hindrances(table, state.forts, area, goals, edge=bool(walls))
        spots: Spots = {}
        for corner in sorted(area):
            for facing in (usual, *(way for way in ALL_FACINGS if way != usual)):
                if self._on_board(table, corner, facing, walls):
                    footprint, interior = layout(table, corner, facing, walls)
                    stood = msgspec.structs.replace(fort, facing=facing, footprint=footprint, interior=interior)
                    if why_not(stood, hindered) is None:
                        spots.setdefault(corner, {})[facing] = stood
        return spots

    def _on_board(self, table: SquareTable, corner: int, facing: int, walls: int) -> bool:
        x, y = table.xy(corner)
        wide, high = (walls, walls) if walls else (2, 1) if facing in (0, 2) else (1, 2)
        return x + wide <= table.width and y + high <= table.height

    # -- manning --------------------------------------------------------------------------------

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
        spot = yield PickOne(
            unit.side,
            "man-fortification",
            [fort.interior[0] for fort in own],
            labels=lambda place: state.table.name(place),
            text=f"{unit.name}: which fortification?",
            rule="d47.fort.strongpoint_deploy",
            unit=unit.id,
            act="deploy",
            about=at_place("deploy", unit.id, state.table.name),
        )
        fort = next(fort for fort in own if fort.interior[0] == spot)
        play.rules.fortifications.occupy(state, unit, fort)
        play.emit(Deployed("d47.skill.strongpoint", unit.id, unit.where, unit.facing))

    def _is_empty(self, play: Play, fort: Fort) -> bool:
        return fort.placed and not any(set(unit.where) & set(fort.interior) for unit in play.state.on_board())

    def free_squares(self, play: Play, unit: Unit) -> dict[int, int]:
        """Infantry may start in a fortification of its side that no strongpoint unit fills.

        d47.fort.infantry_only, d47.fort.full.
        """
        taken = {place for other in play.state.on_board() for place in other.where}
        mine = [fort for fort in play.state.forts if fort.side == unit.side and not fort.unit]
        return {place: 0 for fort in mine for place in fort.interior if place not in taken}
