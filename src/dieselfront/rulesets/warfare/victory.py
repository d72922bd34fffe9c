"""The end: game length, points, wiped out sides (dw.open.scenario_data, dw.end.scenario_actions)."""

from __future__ import annotations

from dieselfront.kernel.events import GameEnded
from dieselfront.rulesets.warfare.battle import Battle, Objective, mm
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.events import Scored
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import GONE, State, Unit
from dieselfront.rulesets.warfare.turn import SIDES
from dieselfront.table.measured.shapes import distance_from_point

THROUGH_INCHES = 12


class Victory(Chapter):
    """Who has won, and when."""

    def is_wiped_out(self, play: Play) -> bool:
        """A side without living units loses at once; if both are gone points decide."""
        state: State = play.state
        alive = [bool(state.of(side)) for side in (0, 1)]
        if all(alive):
            return False
        state.over = True
        if not any(alive):
            self.count(play)
        else:
            winner = 0 if alive[0] else 1
            play.emit(GameEnded("dw.open.scenario_data", winner, f"{SIDES[1 - winner]} has no unit left"))
        return True

    def is_over(self, play: Play) -> bool:
        """The set number of turns is played."""
        state: State = play.state
        battle: Battle = state.scenario
        if state.turn < battle.turns:
            return False
        state.over = True
        self.count(play)
        return True

    def scenario_actions(self, play: Play) -> None:
        """The End phase begins with what the scenario requires (dw.end.scenario_actions): scoring."""
        state: State = play.state
        battle: Battle = state.scenario
        if battle.scoring == "each turn" and battle.victory in ("objectives", "both"):
            for objective in battle.objectives:
                holder = self.holder(state, objective)
                if holder is not None:
                    state.scores[holder] += objective.points
        play.emit(Scored("dw.end.scenario_actions", self.points(state), "so far"))

    def count(self, play: Play) -> None:
        """Points decide; a lead wins."""
        state: State = play.state
        battle: Battle = state.scenario
        points = self.points(state)
        winner = 0 if points[0] >= points[1] + battle.lead else 1 if points[1] >= points[0] + battle.lead else None
        play.emit(Scored("dw.open.scenario_data", points, battle.victory))
        result = f"{points[0]} points to {points[1]}, " + ("a draw" if winner is None else f"{SIDES[winner]} wins")
        play.emit(GameEnded("dw.open.scenario_data", winner, result))

    def points(self, state: State) -> tuple[int, int]:
        """AP destroyed, objectives held, and units through, by the scenario's way of winning."""
        battle: Battle = state.scenario
        scored = list(state.scores)
        for side in (0, 1):
            if battle.victory != "objectives":
                scored[side] += sum(self.ap_lost(unit) for unit in state.units if unit.side != side)
        if battle.victory in ("objectives", "both") and battle.scoring == "end":
            for objective in battle.objectives:
                holder = self.holder(state, objective)
                if holder is not None:
                    scored[holder] += objective.points
        if battle.victory == "breakthrough":
            attacker = battle.attacker or 0
            scored[attacker] += sum(2 * unit.ap for unit in state.on_table(attacker) if self.is_through(state, unit))
        return (scored[0], scored[1])

    def ap_lost(self, unit: Unit) -> int:
        """The price of a destroyed unit; what had joined another is counted with it."""
        return unit.ap if unit.place == GONE and not unit.carrier else 0

    def holder(self, state: State, objective: Objective) -> int | None:
        """The side with a unit within reach and no enemy there; aircraft hold nothing."""
        near = [False, False]
        for unit in state.units:
            if unit.on_table and not unit.is_aircraft and self.is_at(unit, objective):
                near[unit.side] = True
        if near[0] == near[1]:
            return None
        return 0 if near[0] else 1

    def is_at(self, unit: Unit, objective: Objective) -> bool:
        x, y = mm(objective.at[0]) * 10, mm(objective.at[1]) * 10
        return any(distance_from_point(x, y, body) <= int(objective.radius * INCH) for body in unit.bodies)

    def is_through(self, state: State, unit: Unit) -> bool:
        """Stands wholly within 12" of the enemy's edge."""
        battle: Battle = state.scenario
        enemy = state.edges[1 - unit.side]
        width, height, depth = mm(battle.size[0]), mm(battle.size[1]), mm(THROUGH_INCHES)
        for body in unit.bodies:
            at = {"north": body.y, "south": height - body.y, "west": body.x, "east": width - body.x}[enemy]
            if at > depth:
                return False
        return bool(unit.bodies)


__all__ = ["Victory"]
