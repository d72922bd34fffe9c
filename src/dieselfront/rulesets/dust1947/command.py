"""Command: officers, radios, medics, mechanics (d47.command.*)."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.activation import Activation


class Command:
    """Orders and those who give them."""

    def use_stimulants(self, activation: Activation) -> Procedure:
        return
        yield

    def specials(self, found: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        return found
