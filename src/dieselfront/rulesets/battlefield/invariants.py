"""What is true of every position of Battlefield; the random games under watch ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dieselfront.rulesets.dust.state import ON_BOARD, DustState
from dieselfront.rulesets.dust_open import invariants as open_table

if TYPE_CHECKING:
    from dieselfront.rulesets.battlefield.ruleset import Battlefield


def invariants(rules: Battlefield, state: DustState, quiet: bool = True) -> Iterator[str]:
    """A sentence for everything that is wrong: models, overlaps, the edges of the table, heroes in two places."""
    yield from open_table.invariants(rules, state, quiet)
    for unit in state.units:
        if unit.status == ON_BOARD and rules.ground.together(state, unit).broken(rules.ground.bodies(state, unit)):
            yield f"{unit.name} is out of formation"  # bf.move.formation: losses never break it
        if unit.status == "away" and not unit.aboard:
            yield f"{unit.name} is away and with nobody"
        if quiet and unit.status == "away" and state.by_id[unit.aboard].status not in (ON_BOARD, "off"):
            yield f"{unit.name} is with somebody who is not on the table"
