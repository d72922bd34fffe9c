"""Coming onto the table: meeting engagements, reserves, ambushes (bf.scenario.*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dieselfront.kernel.decisions import Chance, YesNo
from dieselfront.kernel.game import Play, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.battlefield.faces import AMBUSH, LEFT_CORNER, OWN_EDGE, RIGHT_CORNER
from dieselfront.rulesets.battlefield.flags import AMBUSHES
from dieselfront.rulesets.battlefield.playing import battle_rules
from dieselfront.rulesets.battlefield.zones import BattleZone
from dieselfront.rulesets.dust.events import Deployed, Happened
from dieselfront.rulesets.dust.state import ABOARD, AWAY, HIDDEN, RESERVE, DustState, Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.dice import task
from dieselfront.rulesets.dust_open import scenario as scenarios
from dieselfront.rulesets.dust_open.chapters import OpenReserves
from dieselfront.rulesets.dust_open.ground import measures
from dieselfront.rulesets.dust_open.places import at
from dieselfront.rulesets.dust_open.ways import FromEdge

LEFT, RIGHT = 1 << 30, 1 << 31
"""Flags of a scattered unit: it enters near the left or the right corner of its edge."""

DICE = {"reserves": {1: 1, 2: 2}, "delayed": {2: 1, 3: 2}}
AUTOMATIC = {"reserves": 3, "delayed": 4}
"""Dice of the arrival roll by turn, and the turn from which nobody rolls (bf.scenario.reserves_auto)."""


class BattleReserves(OpenReserves):
    """Units that are not on the table yet."""

    def eligible(self, play: Play, part: Part, side: int) -> bool:
        """Eliminated units come back by an officer's order only (bf.command.reinforcements)."""
        return False

    def may_enter(self, play: Play, side: int) -> list[Unit]:
        """They have their activations like everybody (bf.open.spy_counts)."""
        return []

    # -- arriving -------------------------------------------------------------------------------

    def arrive(self, activation: Activation) -> Procedure:
        """What the activation of a unit off the table begins with."""
        unit = activation.unit
        if unit.is_(AMBUSHES):
            yield from self.reveal(activation)
        elif unit.status == RESERVE:
            yield from self._roll(activation)

    def _roll(self, activation: Activation) -> Procedure:
        """One ARMY on the dice of the turn; those who fail take NOTHING.

        bf.scenario.reserves_roll, bf.scenario.reserves_delayed, bf.scenario.reserves_transport,
        bf.scenario.reserves_hero.
        """
        play, unit = activation.play, activation.unit
        state = play.state
        arrival = state.scenario.arrival[unit.side]
        if arrival in DICE and not activation.memory.get("sent"):
            dice = DICE[arrival].get(state.turn, 0)
            if state.turn < AUTOMATIC[arrival]:
                rule = "bf.scenario.reserves_delayed" if arrival == "delayed" else "bf.scenario.reserves_roll"
                thrown = yield from play.throw(task("arrival", rule), dice, unit.side, unit.id) if dice else _none()
                if not dice or not thrown.successes:
                    play.emit(Happened(rule, f"{unit.name} stays in reserve", unit.id))
                    activation.ended = True
                    return
        if arrival == "meeting" and unit.is_aircraft and state.turn == 1 and (yield self._stay(unit)):
            play.emit(Happened("bf.scenario.meeting_aircraft", f"{unit.name} comes later", unit.id))
            activation.ended = True
            return
        yield from self._scatter(activation)
        if not any(self.may_move(play, unit)):
            play.emit(Happened("bf.scenario.reserves_move", f"there is no room for {unit.name}", unit.id))
            activation.ended = True

    def _stay(self, unit: Unit) -> YesNo:
        return YesNo(
            unit.side,
            "stay-off",
            text=f"{unit.name}: keep it off the table this turn?",
            rule="bf.scenario.meeting_aircraft",
            unit=unit.id,
            act="wait",
            about=lambda yes: About(act="wait" if yes else "deploy", unit=unit.id),
        )

    def _scatter(self, activation: Activation) -> Procedure:
        """ARMY: anywhere along its edge; TARGET, SHIELD: near a corner (bf.scenario.reserves_scattered)."""
        play, unit = activation.play, activation.unit
        unit.drop(LEFT | RIGHT)
        if not play.state.scenario.scattered[unit.side]:
            return
        rule = "bf.scenario.reserves_scattered"
        thrown = yield from play.throw(task("scatter", rule), 1, unit.side, unit.id)
        face = thrown.stages[0][1][0]
        unit.set({OWN_EDGE: 0, LEFT_CORNER: LEFT, RIGHT_CORNER: RIGHT}[face])

    def boxes(self, state: DustState, unit: Unit) -> list[tuple[int, int, int, int]]:
        """Where it comes on: its arrival zone, or 40 cm round a corner of its own edge."""
        if not unit.flags & (LEFT | RIGHT):
            return scenarios.entry_boxes(state.scenario, unit.side)
        table, far = state.table, 4 * measures(state).range // 10
        south = state.scenario.deploy[unit.side].facing == "north"
        left = bool(unit.flags & LEFT)
        x = 0 if left == south else table.width
        y = table.height if south else 0
        low_x, low_y = max(0, x - far), max(0, y - far)
        return [(low_x, low_y, min(table.width, x + far), min(table.height, y + far))]

    def reach(self, play: Play, unit: Unit, budget: int) -> Any:
        """Onto the table with a MOVE or MARCH MOVE (bf.scenario.meeting_entry, bf.scenario.reserves_move)."""
        ground, state = play.rules.ground, play.state
        facing = play.rules.setup.facing(state, unit.side)
        figure = ground.figures_of(unit)[0]
        heading = 0 if unit.is_infantry else facing
        body = state.table.body(ground.shape(state.table, unit, figure), 0, heading, (unit.id, *figure))
        origin = FromEdge(body, self.boxes(state, unit), (state.table.width, state.table.height))
        entry = ground.entry(ground, state, unit, ground.length(state, budget), 0, origin)
        entry.facing = facing
        return entry

    def enter(self, activation: Activation, action: str) -> Procedure:
        """Those aboard come with their carrier, not yet activated (bf.scenario.reserves_transport)."""
        yield from super().enter(activation, action)

    def _bring_cargo(self, play: Play, unit: Unit) -> None:
        for other in play.state.units:
            if other.aboard == unit.id and other.alive and other.status != AWAY:
                other.status = ABOARD

    # -- ambush ---------------------------------------------------------------------------------

    def reveal(self, activation: Activation) -> Procedure:
        """In its own deployment area, 20 cm from all enemies and in cover from them; then dice for its actions.

        bf.scenario.ambush_reveal, bf.scenario.ambush_actions, bf.open.ambush_cover.
        """
        play, unit = activation.play, activation.unit
        spots = play.now(lambda: AmbushZone.of(play, unit)).bound(play.state)
        if not spots or not (yield self._spring(unit)):
            play.emit(Happened("bf.scenario.ambush_hold", f"{unit.name} waits", unit.id))
            activation.ended = True
            return
        unit.drop(AMBUSHES | HIDDEN)
        spot, facing = yield from battle_rules(play).ground.ask_for(
            play,
            unit,
            "ambush-spot",
            spots,
            text=f"{unit.name}: where does it lie in ambush?",
            rule="bf.scenario.ambush_reveal",
            act="deploy",
            about=lambda answer: About(act="deploy", unit=unit.id, places=(tuple(answer[:2]),)),
        )
        play.rules.ground.put(play.state, unit, spot, facing)
        self._bring_cargo(play, unit)
        play.emit(Deployed("bf.scenario.ambush_reveal", unit.id, unit.where, unit.facing))
        hero = next((u.id for u in play.state.units if u.aboard == unit.id and u.status == AWAY), None)
        if hero is not None:  # he acts with it and then goes his own way
            activation.memory["hero"] = hero
        thrown = yield from play.throw(task("ambush", "bf.scenario.ambush_actions", AMBUSH), 2, unit.side, unit.id)
        activation.budget = thrown.successes
        if not thrown.successes:
            activation.ended = True

    def _spring(self, unit: Unit) -> YesNo:
        return YesNo(
            unit.side,
            "spring-ambush",
            text=f"{unit.name}: spring the ambush?",
            rule="bf.scenario.ambush_reveal",
            unit=unit.id,
            act="deploy",
            about=lambda yes: About(act="deploy" if yes else "wait", unit=unit.id),
        )


class AmbushZone(BattleZone):
    """The parts of a deployment area where an ambush may be sprung."""

    @classmethod
    def of(cls, play: Play, unit: Unit) -> AmbushZone:
        state = play.state
        facing = play.rules.setup.facing(state, unit.side)
        return cls(play.rules.ground, state, unit, scenarios.zone_boxes(state.scenario, unit.side), facing)

    def problem(self, place: int, heading: int) -> str | None:
        problem = super().problem(place, heading)
        return problem or self._seen_by_enemies(place, heading)

    def _seen_by_enemies(self, place: int, heading: int) -> str | None:
        ground, state, unit = self.ground, self.state, self.unit
        bodies = ground.formation(state, unit, place, heading)
        least = 2 * state.table.measures.range
        before = (unit.where, unit.figures, unit.place, unit.status, unit.facing)
        unit.figures = ground.figures_of(unit)
        unit.where = tuple(at(body.x, body.y, body.floor) for body in bodies)
        unit.place, unit.status, unit.facing = unit.where[0], "board", heading
        try:
            for foe in state.on_board(1 - unit.side):
                if ground.tenths(state, foe, unit) < least:
                    return "that is nearer than 20 cm to an enemy (bf.scenario.ambush_reveal)"
                line = ground.line(state, foe, unit, None, ground.sight_blockers(state, foe), arc="all")
                if line.visible and not line.cover:
                    return "an enemy sees it in the open (bf.scenario.ambush_reveal)"
        finally:
            unit.where, unit.figures, unit.place, unit.status, unit.facing = before
        return None

    def _grid(self, pace: int) -> Iterator[int]:
        return super()._grid(max(pace, 60))

    def anywhere(self, chance: Chance) -> tuple[int, int]:
        places = list(self.costs)
        return places[chance.randrange(len(places))], self.facing


def _none() -> Any:
    """No roll at all."""
    return None
    yield


__all__ = ["BattleReserves"]
