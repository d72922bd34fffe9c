"""The end: game length, victory points, wiped out sides (k47.game.length, k47.game.victory)."""

from __future__ import annotations

from dieselfront.kernel.events import GameEnded
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47.battle import Battle, Objective, mm
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.events import Destroyed, Scored
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import ABOARD, GONE, RESERVE, TOWED, State, Unit
from dieselfront.rulesets.konflikt47.throws import number
from dieselfront.rulesets.konflikt47.turn import SIDES
from dieselfront.table.measured.shapes import distance_from_point


class Victory(Chapter):
    """Who has won, and when."""

    def is_wiped_out(self, play: Play) -> bool:
        """A side without living units loses at once; if both are gone points decide (k47.game.victory)."""
        state: State = play.state
        alive = [bool(state.of(side)) for side in (0, 1)]
        if all(alive):
            return False
        state.over = True
        if not any(alive):
            self.count(play)
        else:
            winner = 0 if alive[0] else 1
            play.emit(GameEnded("k47.game.victory", winner, f"{SIDES[1 - winner]} has no unit left"))
        return True

    def is_over(self, play: Play) -> Procedure:
        """Six turns, a seventh on 4+ (k47.game.length)."""
        state: State = play.state
        battle: Battle = state.scenario
        if state.turn < battle.turns:
            return False
        if state.turn == battle.turns and battle.extra_turn <= 6:
            roll = yield from number(play, "D6", "one more turn", "k47.game.length", 0, good=0)
            if roll >= battle.extra_turn:
                return False
        state.over = True
        for unit in [one for one in state.units if self.never_arrived(state, one)]:  # k47.game.reserve
            unit.place = GONE
            play.emit(Destroyed("k47.game.reserve", unit.id, "never arrived"))
        self.count(play)
        return True

    def never_arrived(self, state: State, unit: Unit) -> bool:
        """Still off the table, itself or in a transport that is."""
        if unit.place in (ABOARD, TOWED):
            return state.unit(unit.carrier).place == RESERVE
        return unit.place == RESERVE

    def count(self, play: Play) -> None:
        """Victory points; a lead of 2 wins (k47.game.victory)."""
        state: State = play.state
        battle: Battle = state.scenario
        points = self.points(state)
        state.scores = list(points)
        lead = battle.lead
        winner = 0 if points[0] >= points[1] + lead else 1 if points[1] >= points[0] + lead else None
        play.emit(Scored("k47.game.victory", points, battle.victory))
        result = f"{points[0]} points to {points[1]}, " + ("a draw" if winner is None else f"{SIDES[winner]} wins")
        play.emit(GameEnded("k47.game.victory", winner, result))

    def points(self, state: State) -> tuple[int, int]:
        """Points by the scenario's way of winning."""
        battle: Battle = state.scenario
        scored = [0, 0]
        if battle.victory in ("destruction", "both"):
            for side in (0, 1):
                scored[side] += sum(unit.side != side and unit.place == GONE for unit in state.units)
        if battle.victory in ("objectives", "both"):
            for objective in battle.objectives:
                holder = self.holder(state, objective)
                if holder is not None:
                    scored[holder] += objective.points
        if battle.victory == "breakthrough":
            for side in (0, 1):
                scored[side] += sum(unit.side != side and unit.place == GONE for unit in state.units)
            attacker = battle.attacker or 0
            scored[attacker] += 2 * sum(self.is_through(state, unit) for unit in state.on_table(attacker))
        return (scored[0], scored[1])

    def holder(self, state: State, objective: Objective) -> int | None:
        """The side with infantry within reach and no enemy there; medics hold nothing (k47.special.medic)."""
        near = [False, False]
        holds = [False, False]
        for unit in state.units:
            if unit.on_table and self.is_at(unit, objective):
                near[unit.side] = True
                holds[unit.side] = holds[unit.side] or (unit.is_infantry and not unit.is_noncombatant)
        for side in (0, 1):
            if holds[side] and not near[1 - side]:
                return side
        return None

    def is_at(self, unit: Unit, objective: Objective) -> bool:
        x, y = mm(objective.at[0]) * 10, mm(objective.at[1]) * 10
        return any(distance_from_point(x, y, body) <= int(objective.radius * INCH) for body in unit.bodies)

    def is_through(self, state: State, unit: Unit) -> bool:
        """Stands wholly within 12" of the enemy's edge."""
        battle: Battle = state.scenario
        enemy = state.edges[1 - unit.side]
        width, height, depth = mm(battle.size[0]), mm(battle.size[1]), mm(12)
        for body in unit.bodies:
            at = {"north": body.y, "south": height - body.y, "west": body.x, "east": width - body.x}[enemy]
            if at > depth:
                return False
        return bool(unit.bodies)
