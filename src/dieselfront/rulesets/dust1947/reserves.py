"""Reserves: eliminated units that come back, and how they enter the board (d47.reserve.*)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.kernel.decisions import YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import Deployed, Happened
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import ABOARD, HAS_ACTIVATED_EVER, LOST, RESERVE, RETURNS, Part, Unit
from dieselfront.rulesets.dust1947 import scenario as scenarios
from dieselfront.rulesets.dust1947.activation import STEPS_LEFT, Activation
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.scenario import FACING_NAMES
from dieselfront.table.square import Mover, Occupancy, Reach, SquareTable
from dieselfront.table.square.geometry import Side

WAIT = "reserves wait"
"""Marks a side that brings nobody on in the rest of this turn."""

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
SIDES: tuple[Side, ...] = ("north", "east", "south", "west")


class Entry:
    """Where a unit can end its first movement: in over the board edge, then on as usual."""

    __slots__ = ("_depth", "_ways", "costs", "mover")

    def __init__(self, mover: Mover, depth: int) -> None:
        self.mover = mover
        self.costs: dict[Any, int] = {}
        self._depth = depth  # squares until the whole unit is on the board
        self._ways: dict[Any, tuple[Any, Reach]] = {}

    def add(self, start: Any, reach: Reach, may_stop: bool) -> None:
        """All that is reached from one square of the edge, where it is nearer than from the others."""
        for end, cost in reach.costs.items():
            whole = cost + self._depth
            if (end != start or may_stop) and whole < self.costs.get(end, whole + 1):
                self.costs[end] = whole
                self._ways[end] = (start, reach)

    def sort(self) -> Entry:
        """Cheapest first, then in order of squares."""
        self.costs = dict(sorted(self.costs.items(), key=lambda item: (item[1], item[0])))
        return self

    def __getitem__(self, end: Any) -> int:
        return self.costs[end]

    def path(self, end: Any) -> tuple[int, ...]:
        start, reach = self._ways[end]
        return (start if isinstance(start, int) else start[0], *reach.path(end))

    def diagonal_used(self, end: Any) -> bool:
        return self._ways[end][1].diagonal_used(end)

    def left(self, end: Any) -> int:
        return self._ways[end][1].left(end)

    def hazards(self, end: Any) -> tuple[int, ...]:
        return self._ways[end][1].hazards(end)


class Reserves:
    """Units in reserve."""

    # -- going into reserve ---------------------------------------------------------------------

    def after_lost(self, play: Play, unit: Unit) -> Procedure:
        """An eliminated unit may go into reserve, as often as the scenario allows (d47.reserve.eligible)."""
        if self.eligible(play, unit.main, unit.side):
            yield from self._offer(play, unit)

    def part_lost(self, play: Play, unit: Unit, part: Part) -> Procedure:
        """A squad that its hero outlives was a unit of its own and may go into reserve as one.

        A commissar waits for his unit (d47.skill.commissar_return).
        """
        if self.eligible(play, part, unit.side) and not part.card.has("Commissar"):
            number = sum(1 for other in play.state.units if other.id.startswith(f"{unit.id}r"))
            squad = Unit(f"{unit.id}r{number + 1}", unit.side, [part], part.card.name)
            squad.status = LOST
            squad.flags = unit.flags & HAS_ACTIVATED_EVER
            if (yield from self._offer(play, squad)):
                play.state.add(squad)

    def eligible(self, play: Play, part: Part, side: int) -> bool:
        """No heroes but Poon, no strongpoint units, and only so many.

        d47.reserve.heroes, d47.skill.commissar_poon, d47.fort.strongpoint_deploy.
        """
        if not play.state.sides[side].reserves_left:
            return False
        if part.card.kind == "hero":
            return bool(part.card.has("Commissar"))
        return part.card.kind != "fortification" and not part.card.has("Strongpoint")

    def _offer(self, play: Play, unit: Unit) -> Generator[Any, Any, bool]:
        agreed: bool = yield YesNo(
            unit.side,
            "reserve",
            text=f"Put {unit.main.card.name} into reserve?",
            rule="d47.reserve.eligible",
            unit=unit.id,
            act="wait",
        )
        if agreed:
            play.state.sides[unit.side].reserves_left -= 1
            unit.set(RETURNS)
            self._refresh(play, unit)
            play.emit(Happened("d47.reserve.eligible", f"{unit.main.card.name} goes into reserve", unit.id))
        return agreed

    def gather(self, play: Play) -> None:
        """At the start of a turn those put into reserve in the last one are ready to enter (d47.reserve.entry)."""
        for unit in play.state.units:
            if unit.flags & RETURNS:
                unit.flags &= HAS_ACTIVATED_EVER
                unit.status = RESERVE
                play.emit(Happened("d47.reserve.refresh", f"{unit.name} is ready to return", unit.id))

    def _refresh(self, play: Play, unit: Unit) -> None:
        """In reserve a unit is as good as new (d47.reserve.refresh).

        A commissar returns with his squad, hero or not (d47.skill.commissar_poon, d47.skill.commissar_return).
        """
        commissars = [part for part in (*unit.fallen, *unit.parts[1:]) if part.card.has("Commissar")]
        unit.parts = [Part(unit.main.card), *(Part(part.card, "joined") for part in commissars)]
        unit.name = " + ".join(part.card.name for part in unit.parts)
        unit.criticals, unit.fallen, unit.held_by, unit.aboard = (), (), "", ""
        play.rules.index(unit)

    # -- entering -------------------------------------------------------------------------------

    def may_enter(self, play: Play, side: int) -> list[Unit]:
        """Units in reserve that may be activated to enter; nobody has to.

        d47.reserve.entry, d47.open.reserve_pass_count.
        """
        state = play.state
        waiting = [unit for unit in state.units if unit.status == RESERVE and unit.side == side]
        if not waiting or WAIT in state.sides[side].used:
            return []
        return [unit for unit in waiting if not unit.activated and self._can_enter(play, unit)]

    def wait(self, play: Play, side: int) -> None:
        """With nobody else left to activate, passing means that no more reserves come this turn."""
        play.state.sides[side].used += (WAIT,)

    def _can_enter(self, play: Play, unit: Unit) -> bool:
        """A unit that cannot enter a free legal square stays in reserve (d47.open.reserve_entry_move)."""
        if play.rules.weather.grounds(play.state, unit):
            return False
        return self.lands(play, unit) or any(self.may_move(play, unit))

    def lands(self, play: Play, unit: Unit) -> bool:
        """Units with an entry of their own do not come over the edge (d47.skill.airborne_entry)."""
        return bool(ask(unit.effects, "on_deploy", "place", unit, play) == "off")

    def may_move(self, play: Play, unit: Unit) -> tuple[bool, bool]:
        """Can it come on with a MOVE, with a MARCH MOVE?"""
        move, march = play.rules.movement.pace(play, unit)
        return bool(self.reach(play, unit, move).costs), bool(self.reach(play, unit, march).costs)

    def enter(self, activation: Activation, action: str) -> Procedure:
        """Over the board edge with a MOVE or MARCH MOVE; then all is as usual (d47.open.reserve_entry_move)."""
        play, unit = activation.play, activation.unit
        movement = play.rules.movement
        move, march = movement.pace(play, unit)
        movement._begin(unit, action)
        unit.facing = play.rules.setup.facing(play.state, unit.side)
        short = self.reach(play, unit, min(move, march))
        split = action == "march" and short.costs and self._awaited(play, unit)
        activation.memory["mud"] = activation.memory["off_road"] = False
        if action == "move" or split:
            cost, diagonal = yield from self._come_on(activation, short, action, last=not split)
        else:
            cost, diagonal = yield from self._come_on(activation, self.reach(play, unit, march), action, last=True)
        in_mud = activation.memory.pop("mud")
        if split:  # d47.reactive.trigger_march
            yield from play.rules.reactions.offer(play, unit)
            if unit.alive and unit.on_board and not activation.ended:
                most = max(1, march // 2) if in_mud else march
                reach = movement.reach(play, unit, most, "march", cost, diagonal, on_road=False)
                yield from movement._leg(activation, reach, "march")
        if unit.on_board and not activation.ended:
            yield from play.rules.transport.offer_mounting(activation)

    def _awaited(self, play: Play, unit: Unit) -> bool:
        """Is there an enemy who could react at all?"""
        return any(
            other.side != unit.side and play.rules.reactions.may_react(play, other) for other in play.state.units
        )

    def _come_on(
        self, activation: Activation, entry: Entry, action: str, *, last: bool
    ) -> Generator[Any, Any, tuple[int, bool]]:
        play, unit = activation.play, activation.unit
        key = action if last else "march-first"
        way: Any = entry  # it answers what movement asks of a Reach
        spot, facing = yield play.rules.movement.decision(play, unit, way, key, last)
        end = spot if unit.card.size == "standard" else (spot, facing)
        activation.memory[STEPS_LEFT] = (entry.left(end), entry.diagonal_used(end))
        yield from play.rules.movement.go(activation, way, end, facing)
        if unit.on_board:
            self._bring_cargo(play, unit)
            play.emit(Deployed("d47.reserve.entry", unit.id, unit.where, unit.facing))
        return entry[end], entry.diagonal_used(end)

    def _bring_cargo(self, play: Play, unit: Unit) -> None:
        """Everything aboard an aircraft comes back with it (d47.open.weather_aircraft_cargo)."""
        for other in play.state.units:
            if other.aboard == unit.id and other.alive:
                other.status = ABOARD

    # -- where ----------------------------------------------------------------------------------

    def reach(self, play: Play, unit: Unit, budget: int) -> Entry:
        """Where the unit can end a move of so many squares that begins beyond the edge of its deployment area."""
        state, ground = play.state, play.rules.ground
        table: SquareTable = state.table
        mover, occupancy = ground.mover(unit), ground.occupancy(state, unit)
        depth = 1 if mover.size == "standard" else 2
        entry = Entry(mover, depth)
        if budget < depth:
            return entry
        halved = max(0, max(1, budget // 2) - depth)
        for start in self._starts(play, unit, mover, occupancy):
            may_stop = table.can_stop(mover, start, occupancy)
            if may_stop or mover.size == "standard":
                reach = table.reach(mover, start, budget - depth, occupancy, halved_budget=halved)
                entry.add(start, reach, may_stop)
        return entry.sort()

    def _starts(self, play: Play, unit: Unit, mover: Mover, occupancy: Occupancy) -> list[Any]:
        """Squares of the edge that can be entered, or the first stances of large and huge units inside it."""
        table: SquareTable = play.state.table
        edge = self.edge(play, unit)
        if mover.size == "large":
            return [
                (place + step, facing)
                for place in edge
                for facing in self._inward(table, place)
                if table.fits("large", (place + (step := _ahead(table, facing)), facing))
            ]
        if mover.size == "huge":
            corners = {place + shift for place in edge for shift in (0, -1, -table.width, -1 - table.width)}
            facing = FACING_NAMES[play.state.scenario.deploy[unit.side].facing]
            return [
                (corner, facing) for corner in sorted(corners) if corner >= 0 and table.fits("huge", (corner, facing))
            ]
        if mover.kind == "aircraft" or mover.flying:
            return list(edge)
        blocked = occupancy.enemies | (occupancy.friend_vehicles if mover.vehicle else 0)
        enterable = table.graph(mover).passable & ~blocked
        return [place for place in edge if enterable >> place & 1]

    def edge(self, play: Play, unit: Unit) -> list[int]:
        """The board edge of its deployment area, or the squares that the scenario names (d47.reserve.entry).

        Where the area touches several edges, the one it lies along; aircraft use any of them
        (d47.weather.severe_aircraft_return).
        """
        state = play.state
        table: SquareTable = state.table
        if state.scenario.entry:
            return list(scenarios.squares(table, state.scenario.entry[unit.side]))
        area = scenarios.squares(table, state.scenario.deploy[unit.side].squares)
        edges = [[place for place in area if place in table.edge_squares(side)] for side in SIDES]
        longest = max(map(len, edges))
        used = [edge for edge in edges if len(edge) == longest or unit.is_aircraft]
        return list(dict.fromkeys(place for edge in used for place in edge)) or list(area)

    def _inward(self, table: SquareTable, place: int) -> list[int]:
        """The ways from a square of the edge into the board."""
        x, y = table.xy(place)
        sides = ((y == table.height - 1, NORTH), (x == 0, EAST), (y == 0, SOUTH), (x == table.width - 1, WEST))
        return [facing for at_edge, facing in sides if at_edge]


def _ahead(table: SquareTable, facing: int) -> int:
    """How the number of a place changes with one step that way."""
    return (-table.width, 1, table.width, -1)[facing]
