"""Small differences of other chapters in freeform games: leaders who fall otherwise than by an attack."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.hooks import Effects
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.activation import Activation, Activations
from dieselfront.rulesets.dust1947.engineering import FORT, Task
from dieselfront.rulesets.dust_open.chapters import OpenEngineering, OpenHazards, far_from
from dieselfront.rulesets.dust_open.forts import inside_of
from dieselfront.rulesets.dust_open.ground import measures
from dieselfront.rulesets.freeform1947.playing import Play, free_rules


class FreeActivations(Activations):
    """As on squares; whoever lost his leader otherwise than by an attack names another at the end."""

    def finish(self, activation: Activation) -> Procedure:
        yield from super().finish(activation)
        yield from free_rules(activation.play).leaders.settle(activation.play)


class FreeHazards(OpenHazards):
    """Wire, mines and burning wrecks may take a leader."""

    def _attack(self, play: Play, unit: Unit, card: Any, effects: Effects) -> Procedure:
        yield from super()._attack(play, unit, card, effects)
        yield from free_rules(play).leaders.settle(play)


class FreeEngineering(OpenEngineering):
    """Fortifications, too, are worked on as whole pieces within range 1 (ff.scope.convert, d47.engineer.bury)."""

    def tasks(self, activation: Activation) -> list[Task]:
        play, unit = activation.play, activation.unit
        tasks = super().tasks(activation)
        if not unit.on_board or not self.may_work_on(play, unit, FORT) or not self._has_time(activation):
            return tasks
        return tasks + [(FORT, fort.place) for fort in self._forts_near(play, unit, measures(play.state).range)]

    def _in_reach(self, play: Play, unit: Unit, kinds: list[str], ahead: int) -> bool:
        others = [kind for kind in kinds if kind != FORT]
        if others and super()._in_reach(play, unit, others, ahead):
            return True
        stands = play.rules.transport.carrier_or_self(play, unit)
        far = ((ahead or play.rules.movement.pace(play, unit)[0]) + 1) * measures(play.state).range
        return FORT in kinds and stands.on_board and bool(self._forts_near(play, stands, far))

    def _forts_near(self, play: Play, unit: Unit, far: int) -> list[Any]:
        state = play.state
        body = free_rules(play).ground.first(state, unit)
        return [fort for fort in state.forts if fort.placed and far_from(body, fort.piece(state.table.kinds)) <= far]

    def _inside(self, play: Play, fort: Any) -> list[Unit]:
        return inside_of(play.state, fort)
