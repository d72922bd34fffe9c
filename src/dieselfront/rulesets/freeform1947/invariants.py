"""What is true of every freeform position: leaders, and models in their circles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dieselfront.rulesets.dust.state import ON_BOARD, DustState
from dieselfront.rulesets.dust_open import invariants as open_table
from dieselfront.rulesets.freeform1947.damage import LEADERLESS

if TYPE_CHECKING:
    from dieselfront.rulesets.freeform1947.ruleset import Freeform1947


def invariants(rules: Freeform1947, state: DustState, quiet: bool = True) -> Iterator[str]:
    """A sentence for everything that is wrong."""
    yield from open_table.invariants(rules, state, quiet)
    for unit in state.units:
        if unit.status != ON_BOARD or len(unit.where) != len(unit.figures):
            continue
        leaderless = unit.is_(LEADERLESS)
        if not leaderless and rules.ground.together(state, unit).broken(
            rules.ground.bodies(state, unit)
        ):  # ff.move.circle
            yield f"{unit.name} is out of coherency"
        if quiet and leaderless:
            yield f"{unit.name} has no leader"
