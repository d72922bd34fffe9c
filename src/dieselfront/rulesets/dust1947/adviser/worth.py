"""What a position of a Dust game is worth: strength, ground and fire to come, weighed by the outlook of the battle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Worth
from dieselfront.players.outlook import outlook
from dieselfront.players.weights import weights as usual
from dieselfront.rulesets.dust.state import (
    ABOARD,
    GRAPPLED,
    LOST,
    STIMULATED,
    STUNNED,
    SUPPRESSED,
    UNDER_FIRE,
    Unit,
)
from dieselfront.rulesets.dust1947.adviser.field import Field, Piece
from dieselfront.rulesets.dust1947.adviser.fire import Firepower
from dieselfront.rulesets.dust1947.adviser.goals import Goals, Ways
from dieselfront.rulesets.dust1947.adviser.open_table import field_of

MARGIN = 0.1
"""What everything else counts once the game is over: a sure win is better than a likely one by more."""

HINDERED = SUPPRESSED | STUNNED | GRAPPLED
SLOWED, ROUSED = 0.8, 1.15
"""What the fire of a unit that loses its first action counts, and of one whose next attack is sustained."""

LURKING, ROUND_THE_CORNER = 0.6, 0.3
"""What fire counts that needs a move first, to come into range or to see its target at all."""


class Judge:
    """Values positions by the weights of a personality."""

    def __init__(self, weights: Mapping[str, float], fire: Firepower, ways: Ways) -> None:
        self.weights = weights
        self.fire = fire
        self.ways = ways
        self.outlook = outlook("dust1947")
        plain = usual("dust1947")
        self.factor = {name: number / plain[name] for name, number in weights.items()}

    def worth(self, game: Game, player: int) -> Worth:
        """Points alive and scored, objectives, and the fire that can still come; when the game is over, the result."""
        return self.measures(game, player)[0]

    def measures(self, game: Game, player: int) -> tuple[Worth, dict[str, float]]:
        """The worth of a position, and what was counted for it."""
        state = game.state
        goals = Goals(game.play, self.ways, self.weights)
        mine, theirs, features = self._strengths(state, player)
        if game.pending is None:
            return self._decided(features, goals, mine, theirs, self._result(state, player, state.winner)), features
        winner = self._alone(game)
        field = field_of(game.play, self.fire)
        ground = self.ground(field, goals, player)
        if winner is not None:
            worth = self._decided(features, goals, mine, theirs, self._result(state, player, winner))
            return worth, features | self._fire(field, player) | ground
        held = self.outlook.worth(ground, goals.late)
        features |= self._fire(field, player)
        worth = Worth(self.outlook.worth(features, goals.late) + held, mine, theirs, held)
        return worth, features | ground

    def _decided(self, features: dict[str, float], goals: Goals, mine: float, theirs: float, won: float) -> Worth:
        """The worth of a battle that is won or lost; the margin counts little."""
        return Worth(MARGIN * self.outlook.worth(features, goals.late) + won, mine, theirs, won)

    def features(self, game: Game, player: int) -> tuple[float, dict[str, float]]:
        """How late it is, and everything the outlook weighs."""
        goals = Goals(game.play, self.ways, self.weights)
        field = field_of(game.play, self.fire)
        features = (
            self._strengths(game.state, player)[2] | self.ground(field, goals, player) | self._fire(field, player)
        )
        return goals.late, features

    # -- strength -------------------------------------------------------------------------------

    def _strengths(self, state: Any, player: int) -> tuple[float, float, dict[str, float]]:
        strength, count = [0.0, 0.0], [0, 0]
        for unit in state.units:
            if unit.status != LOST:
                strength[unit.side] += self.strength(unit)
                count[unit.side] += 1
        mine, theirs = strength[player], strength[1 - player]
        features = {
            "material": self.factor["lose"] * mine - self.factor["destroy"] * theirs,
            "units": float(count[player] - count[1 - player]),
            "scored": float(state.sides[player].points_scored - state.sides[1 - player].points_scored),
        }
        return mine, theirs, features

    def strength(self, unit: Unit) -> float:
        """The points of a unit that are still there; shaken units count a little less."""
        if unit.status == LOST:
            return 0.0
        finish = self.fire.finish
        total = 0.0
        for part in unit.parts:
            card = part.card
            whole = len(card.soldiers) if part.squad else card.damage
            share = part.left / whole if whole and part.role != "pilot" else 1.0
            total += card.points * (finish + (1.0 - finish) * share)
        flags = unit.flags
        if flags & HINDERED:
            total *= 1.0 - self.weights["shaken"]
        elif flags & UNDER_FIRE:
            total *= 1.0 - 0.4 * self.weights["shaken"]
        return total

    def _alone(self, game: Game) -> int | None:
        """The side that has won as soon as the turn is over, for the other one has nobody left."""
        has_units = game.play.rules.victory.has_units
        here = [has_units(game.play, side) for side in (0, 1)]
        return None if here[0] == here[1] else here.index(True)

    def _result(self, state: Any, player: int, winner: int | None) -> float:
        """What winning is worth: both armies and all objectives, more than any lead in a game that goes on."""
        if winner is None:
            return 0.0
        stake = sum(unit.points for unit in state.units) + sum(one.points for one in state.objectives)
        return float(stake if winner == player else -stake)

    # -- ground ---------------------------------------------------------------------------------

    def ground(self, field: Field, goals: Goals, side: int) -> dict[str, float]:
        """Objectives: who holds them now, and whose men are near in numbers; without any, who seeks the enemy."""
        own = [piece for piece in field.pieces[side] if not piece.flying]
        others = [piece for piece in field.pieces[1 - side] if not piece.flying]
        held = control = 0.0
        for number, values in enumerate(goals.values):
            mine = self._influence(field, goals, own, number) + self._riding(field, goals, side, number)
            theirs = self._influence(field, goals, others, number) + self._riding(field, goals, 1 - side, number)
            lead = (mine - theirs) / (mine + theirs + 4.0)
            control += lead * (values[side] if lead > 0 else values[1 - side])
            holder = goals.holders[number]
            if holder is not None:
                held += values[side] if holder == side else -values[1 - side]
        if not goals.values:
            control -= 0.15 * sum(field.nearest(piece.unit, piece.place) for piece in own)
        covered = sum(field.covered(piece.place) for piece in own) - sum(field.covered(piece.place) for piece in others)
        return {
            "held": held,
            "control": self.factor["advance"] * control,
            "cover": self.factor["cover"] * covered,
        }

    def _influence(self, field: Field, goals: Goals, pieces: list[Piece], number: int) -> float:
        """How much strength is how near to an objective."""
        total = 0.0
        for piece in pieces:
            unit = piece.unit
            near = 1.0 - 0.075 * goals.ways.to_objectives(field.play, unit)[number].get(piece.place, 30)
            if near > 0:
                total += near * near * (2.0 + 0.5 * unit.points)
        return total

    def _riding(self, field: Field, goals: Goals, side: int, number: int) -> float:
        """What those aboard count, where their carrier is."""
        total = 0.0
        for unit in field.state.units:
            if unit.status == ABOARD and unit.side == side and unit.aboard in field.by_id:
                place = field.by_id[unit.aboard].place
                near = 1.0 - 0.075 * goals.ways.to_objectives(field.play, unit)[number].get(place, 30)
                if near > 0:
                    total += 0.9 * near * near * (2.0 + 0.5 * unit.points)
        return total

    # -- fire to come ---------------------------------------------------------------------------

    def _fire(self, field: Field, side: int) -> dict[str, float]:
        (now, later), (now_theirs, later_theirs) = self._fire_of(field, side), self._fire_of(field, 1 - side)
        threat = self.factor["threat"]
        return {"fire": threat * (now - now_theirs), "next_fire": threat * (later - later_theirs)}

    def _fire_of(self, field: Field, side: int) -> tuple[float, float]:
        """The best attack of each unit from where it stands: of those still to act, and of the others next turn."""
        now = later = best = 0.0
        foes = field.pieces[1 - side]
        batteries = field.callers(side)[1]
        for piece in field.pieces[side]:
            most = 0.0
            for foe in foes:
                salvo = field.shoots(piece, piece.place, foe)
                worth = salvo.points if salvo is not None else 0.0
                if not worth:
                    nearly = LURKING if salvo is not None else ROUND_THE_CORNER
                    worth = nearly * field.lurks(piece, foe, foe.place)
                    if piece in batteries:
                        worth = max(worth, field.called(piece, foe, foe.place))
                if worth > most:
                    most = worth
            flags = piece.unit.flags
            if flags & HINDERED:
                most *= SLOWED
            elif flags & STIMULATED:
                most *= ROUSED
            if piece.acted:
                later += most
            else:
                now += most
                best = max(best, most)
        state = field.state
        if state.to_act == side:
            now += self.weights["tempo"] * best
        return now, later if state.turn < state.scenario.turns else 0.0


__all__ = ["Judge"]
