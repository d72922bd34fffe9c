"""Scenarios of freeform games: those of the open table, with fortifications (d47.fort.placement_free_or_paid)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dieselfront.rulesets.dust1947.fortifications import PRICES
from dieselfront.rulesets.dust1947.scenario import ScenarioError
from dieselfront.rulesets.dust_open import scenario
from dieselfront.rulesets.dust_open.places import at
from dieselfront.rulesets.dust_open.scenario import HEADING_NAMES, Spot
from dieselfront.rulesets.freeform1947.forts import FreeFort


class FortEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fortification of one side: assigned and free, or optional and paid for.

    `at` is the middle of its box; without it the owner places it. `facing` is in degrees, clockwise from north.
    """

    kind: Literal["bunker", "strongpoint"]
    side: Literal[0, 1]
    at: Spot | None = None
    facing: int | None = None
    optional: bool = False
    over_objectives: bool = False


class FreeScenario(scenario.Scenario, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle on the open table, with what is dug in."""

    fortifications: tuple[FortEntry, ...] = ()


def read(data: dict[str, Any], where: str = "scenario") -> FreeScenario:
    """A scenario from plain data, with errors that name the field."""
    try:
        return msgspec.convert(data, FreeScenario)
    except msgspec.ValidationError as error:
        raise ScenarioError(f"{where}: {error}") from None


def forts(battle: FreeScenario) -> tuple[FreeFort, ...]:
    """The scenario's fortifications: those with a place of their own placed, the others still to be placed."""
    return tuple(_fort(battle, entry) for entry in battle.fortifications)


def _fort(battle: FreeScenario, entry: FortEntry) -> FreeFort:
    usual = HEADING_NAMES[battle.deploy[entry.side].facing]
    return FreeFort(
        entry.kind,
        entry.side,
        (usual if entry.facing is None else entry.facing) % 360,
        -1 if entry.at is None else int(at(*scenario.spot(entry.at, battle.lengths))),
        price=PRICES[entry.kind] if entry.optional else 0,
        over_objectives=entry.over_objectives,
    )
