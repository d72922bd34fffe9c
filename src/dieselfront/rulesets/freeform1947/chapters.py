"""Small differences of other chapters in freeform games: leaders who fall otherwise than by an attack."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.hooks import Effects
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.activation import Activation, Activations
from dieselfront.rulesets.dust_open.chapters import OpenHazards


class FreeActivations(Activations):
    """As on squares; whoever lost his leader otherwise than by an attack names another at the end."""

    def finish(self, activation: Activation) -> Procedure:
        yield from super().finish(activation)
        yield from activation.play.rules.leaders.settle(activation.play)


class FreeHazards(OpenHazards):
    """Wire, mines and burning wrecks may take a leader."""

    def _attack(self, play: Play, unit: Unit, card: Any, effects: Effects) -> Procedure:
        yield from super()._attack(play, unit, card, effects)
        yield from play.rules.leaders.settle(play)
