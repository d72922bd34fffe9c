"""Victory: objectives held, sides wiped out, points counted (d47.victory.*)."""

from __future__ import annotations

from dieselfront.kernel.events import GameEnded
from dieselfront.rulesets.dust.events import Scored
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.scenario import Objective


class Victory:
    """Who has won, if anybody."""

    def holder(self, play: Play, objective: Objective) -> int | None:
        """The side that holds an objective: a unit of its own able to hold, and no enemy that contests.

        d47.victory.hold_objective, d47.open.objective_contested.
        """
        standing: list[set[str]] = [set(), set()]
        state, stands_at, places = play.state, play.rules.ground.stands_at, objective.places
        for unit in state.on_board():
            if stands_at(state, unit, places):
                standing[unit.side].add(self.standing(play, unit))
        for side in (0, 1):
            if "hold" in standing[side] and not standing[1 - side] & {"hold", "contest"}:
                return side
        return None

    def standing(self, play: Play, unit: Unit) -> str:
        """'hold', 'contest' or 'none': aircraft never count (d47.skill.aircraft_objectives)."""
        if unit.is_aircraft:
            return "none"
        standing: str = ask(unit.effects, "on_holds", "hold", unit, play)
        return standing

    def check(self, play: Play) -> bool:
        """At the end of a turn: objective completed, a side without units, or the last turn.

        d47.victory.end_conditions.
        """
        state = play.state
        self.score_turn(play)
        done = [self.objective_done(play, side) for side in (0, 1)]
        wiped = [not self.has_units(play, side) for side in (0, 1)]
        winners = [side for side in (0, 1) if done[side] or (wiped[1 - side] and not wiped[side])]
        if winners or all(wiped) or state.turn >= state.scenario.turns:
            self._tell_end(play)
        if len(winners) == 1:  # d47.victory.win_objective
            reason = "the objective is taken" if done[winners[0]] else "the enemy has no units left"
            self._finish(play, winners[0], reason, "d47.victory.win_objective")
            return True
        if winners or all(wiped) or state.turn >= state.scenario.turns:
            self._count_points(play)  # d47.open.victory_both
            return True
        return False

    def score_turn(self, play: Play) -> None:
        """Scenario points for holding an objective at the end of every turn (d47.victory.vp)."""
        for objective in play.state.objectives:
            side = self.holder(play, objective) if objective.each_turn else None
            if side is not None:
                play.state.sides[side].points_scored += objective.each_turn
                play.emit(Scored("d47.victory.vp", side, objective.each_turn, f"holds {objective.name} this turn"))

    def _tell_end(self, play: Play) -> None:
        """The game is over: skills speak before points are counted."""
        for unit in play.state.units:
            if unit.alive:
                for answer in unit.effects.get("on_game_end", ()):
                    answer(play, unit)

    def has_units(self, play: Play, side: int) -> bool:
        """Units on the play area, aboard something on it, or spies still hidden (d47.open.elimination_offboard)."""
        return any(unit.status in ("board", "aboard", "off") for unit in play.state.of_side(side))

    def objective_done(self, play: Play, side: int) -> bool:
        """Has the side completed the scenario's objective?"""
        state = play.state
        goal = state.scenario.goal
        if goal is None or state.turn < goal.from_turn or (goal.side is not None and goal.side != side):
            return False
        held = [self.holder(play, objective) for objective in state.objectives if objective.name in goal.hold]
        return len(held) == len(goal.hold) and all(holder == side for holder in held)

    def score(self, play: Play, side: int) -> int:
        """Victory points now: what was eliminated, what was scored turn by turn, and objectives held.

        d47.victory.vp.
        """
        held = sum(o.points for o in play.state.objectives if o.points and self.holder(play, o) == side)
        points: int = play.state.sides[side].points_scored + held
        return points

    def _count_points(self, play: Play) -> None:
        state = play.state
        for objective in state.objectives:
            side = self.holder(play, objective)
            if side is not None and objective.points:
                play.emit(Scored("d47.victory.vp", side, objective.points, f"holds {objective.name}"))
        scores = [self.score(play, side) for side in (0, 1)]
        if scores[0] == scores[1]:  # d47.victory.draw
            self._finish(play, None, f"a draw at {scores[0]} points each", "d47.victory.draw")
            return
        winner = 0 if scores[0] > scores[1] else 1
        reason = f"{state.sides[winner].name} wins with {scores[winner]} points to {scores[1 - winner]}"
        self._finish(play, winner, reason, "d47.victory.vp")

    def _finish(self, play: Play, winner: int | None, reason: str, rule: str) -> None:
        play.state.winner = winner
        play.emit(GameEnded(rule, winner, reason))
