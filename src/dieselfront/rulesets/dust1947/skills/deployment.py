"""Coming from nowhere: airborne landings and spies (d47.skill.airborne_*, d47.skill.spy_*)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dieselfront.kernel.decisions import YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.dust.events import Deployed, Happened, Scored
from dieselfront.rulesets.dust.hooks import Skill, ask
from dieselfront.rulesets.dust.state import HIDDEN, LANDED, OFF_BOARD, RESERVE, DustState, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.dice import ARMY, TARGET, task
from dieselfront.rulesets.dust1947.playing import Play

OBJECTIVE_DISTANCE = 3  # d47.open.airborne_objective_distance


def arrive(play: Play, unit: Unit, places: Mapping[int, Any], key: str, rule: str) -> Procedure:
    """The player chooses where the unit appears."""
    text = f"{unit.name}: where does it appear?"
    spot, facing = yield from play.rules.ground.arrive(play, unit, key, places, text=text, rule=rule)
    play.rules.ground.put(play.state, unit, spot, facing)
    play.emit(Deployed(rule, unit.id, unit.where, unit.facing))


# -- airborne -------------------------------------------------------------------------------------


class AirborneEntry(Skill):
    """Never starts on the board; lands in its first activation, away from objectives.

    d47.skill.airborne_entry, d47.open.airborne_first_turn.
    """

    name = "Airborne"
    rule = "d47.skill.airborne_entry"

    def on_deploy(self, manner: str, unit: Unit, play: Play) -> str:
        return "off"

    def on_activation(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        if unit.status not in (OFF_BOARD, RESERVE):
            return
        places = self.landing_spots(play, unit)
        if not places:
            activation.ended = True
            return
        yield from arrive(play, unit, places, "land", self.rule)
        unit.set(LANDED)

    def landing_spots(self, play: Play, unit: Unit) -> Mapping[int, Any]:
        """Any free legal place at least 3 from every objective (d47.open.airborne_objective_distance)."""

        def objection(state: DustState, spot: int) -> str | None:
            goals = (place for objective in state.objectives for place in sorted(objective.places))
            if all(state.table.distance(spot, goal) >= OBJECTIVE_DISTANCE for goal in goals):
                return None
            return "that is too near to an objective (d47.open.airborne_objective_distance)"

        return play.rules.ground.landing(play.state, unit, objection)


class AirborneActions(Skill):
    """On landing the first action is NOTHING, and on SHIELD the second too (d47.skill.airborne_actions)."""

    name = "Airborne"
    rule = "d47.skill.airborne_actions"

    def on_activation(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        fresh = unit.is_(LANDED) and not activation.reactivation
        if not fresh or not ask(unit.effects, "on_landing", True, unit):
            return
        activation.nothing_first = True
        thrown = yield from play.throw(task("landing", self.rule, ARMY | TARGET), 1, unit.side, unit.id)
        if not thrown.successes:
            activation.budget -= 1


class AirborneObjective(Skill):
    """In the turn it lands it neither takes nor contests objectives (d47.skill.airborne_objective)."""

    name = "Airborne"
    rule = "d47.skill.airborne_objective"

    def on_holds(self, standing: str, unit: Unit, play: Play) -> str:
        return "none" if unit.is_(LANDED) else standing


class QuickRecovery(Skill):
    """On foot, the unit loses no action when it lands.

    Only cards name it (d47.open.skills_not_in_source).
    """

    name = "Quick Recovery"
    rule = "d47.open.skills_not_in_source"

    def on_landing(self, stumbles: bool, unit: Unit) -> bool:
        return stumbles and not unit.is_infantry


# -- spies ----------------------------------------------------------------------------------------


class Spy(Skill):
    """Off the board as long as wished, with NOTHING actions (d47.skill.spy_options).

    A spy joined to a squad deploys with it (d47.skill.spy_not_shared).
    """

    name = "Spy"
    rule = "d47.skill.spy_options"
    shared = False

    def on_deploy(self, manner: str, unit: Unit, play: Play) -> str:
        alone = all(self.helps(part) for part in unit.parts)
        return "choose" if alone and manner == "place" else manner


class SpyRevealed(Skill):
    """SPY REVEALED!: two dice; as many actions as ARMY, next to an enemy of choice (d47.skill.spy_revealed)."""

    name = "Spy"
    rule = "d47.skill.spy_revealed"
    shared = False

    def on_activation(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        if not unit.is_(HIDDEN):
            return
        places = beside_enemies(play, unit, self.rule)
        if not places or not (yield self.question(unit)):
            activation.ended = True
            return
        thrown = yield from play.throw(task("spy revealed", self.rule), 2, unit.side, unit.id)
        if not thrown.successes:
            activation.ended = True
            return
        unit.drop(HIDDEN)
        yield from arrive(play, unit, places, "spy-appears", self.rule)
        activation.budget = thrown.successes

    def question(self, unit: Unit) -> YesNo:
        return YesNo(
            unit.side,
            "spy-revealed",
            text=f"{unit.name}: reveal the spy?",
            rule=self.rule,
            unit=unit.id,
            act="deploy",
            about=lambda yes: About(act="deploy" if yes else "wait", unit=unit.id),
        )


def beside_enemies(play: Play, unit: Unit, rule: str) -> Mapping[int, Any]:
    """Free legal places within range 1 of an enemy unit."""

    def objection(state: DustState, spot: int) -> str | None:
        near = play.rules.ground.would_be_near
        if any(near(state, unit, spot, foe, 1) for foe in state.on_board(1 - unit.side)):
            return None
        return f"that is not within range 1 of an enemy unit ({rule})"

    foes = [place for foe in play.state.on_board(1 - unit.side) for place in foe.where]
    return play.rules.ground.landing(play.state, unit, objection, foes)


class SpyUntouchable(Skill):
    """No command action reaches a spy off the board (d47.skill.spy_untouchable)."""

    name = "Spy"
    rule = "d47.skill.spy_untouchable"
    shared = False

    def on_ordered(self, refusal: tuple[str, str] | None, order: Any, unit: Unit) -> tuple[str, str] | None:
        return refusal or ((self.rule, f"{unit.name} is off the board") if unit.is_(HIDDEN) else None)


class SpyEnd(Skill):
    """A spy that never came counts as destroyed (d47.skill.spy_end)."""

    name = "Spy"
    rule = "d47.skill.spy_end"
    shared = False

    def on_game_end(self, play: Play, unit: Unit) -> None:
        if unit.is_(HIDDEN):
            winner = 1 - unit.side
            play.state.sides[winner].points_scored += unit.points
            play.emit(Happened(self.rule, f"{unit.name} never came out of hiding", unit.id))
            play.emit(Scored(self.rule, winner, unit.points, f"{unit.name} counts as destroyed"))


ALL: list[type[Skill]] = [
    AirborneEntry,
    AirborneActions,
    AirborneObjective,
    QuickRecovery,
    Spy,
    SpyRevealed,
    SpyUntouchable,
    SpyEnd,
]
