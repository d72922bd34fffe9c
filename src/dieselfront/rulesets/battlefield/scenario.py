"""Scenarios of Battlefield: centimetres, arrival zones, reserves, ambushes, fortifications (bf.scenario.*).

Trenches, wire and minefields are pieces of a scenario's terrain; nobody buys them (bf.fort.scenario_free).
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dieselfront.rulesets.battlefield.forts import Fort
from dieselfront.rulesets.dust1947.scenario import ScenarioError
from dieselfront.rulesets.dust_open import scenario
from dieselfront.rulesets.dust_open.places import at
from dieselfront.rulesets.dust_open.scenario import HEADING_NAMES, Spot

Arrival = Literal["deploy", "meeting", "reserves", "delayed"]


class FortEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bunker or strongpoint that the scenario gives to a side: at a place, or for its owner to set up."""

    kind: Literal["bunker", "strongpoint"]
    side: Literal[0, 1]
    at: Spot | None = None
    facing: int = 0


class BattleScenario(scenario.Scenario, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle: who attacks, how the sides arrive, what they may keep back."""

    size: Spot = (180, 120)  # bf.setup.table_size
    lengths: Literal["in", "cm"] = "cm"
    points: int = 75  # bf.setup.ap_limit
    arrival: tuple[Arrival, Arrival] = ("deploy", "deploy")
    scattered: tuple[bool, bool] = (False, False)  # bf.scenario.reserves_scattered
    ambush: tuple[bool, bool] = (False, False)  # bf.scenario.ambush_hold
    defender: Literal[0, 1] | None = None  # whose deployment area is the defender's
    terrain_by: Literal[0, 1] | None = None  # who laid the terrain; the other chooses his side (bf.setup.side_choice)
    fortifications: tuple[FortEntry, ...] = ()


def read(data: dict[str, Any], where: str = "scenario") -> BattleScenario:
    """A scenario from plain data, with errors that name the field."""
    try:
        return msgspec.convert(data, BattleScenario)
    except msgspec.ValidationError as error:
        raise ScenarioError(f"{where}: {error}") from None


def forts(battle: BattleScenario) -> tuple[Fort, ...]:
    """The fortifications of a scenario, placed or still to be set up (bf.fort.cost)."""
    return tuple(
        Fort(
            one.kind,
            one.side,
            one.facing if one.at is not None else HEADING_NAMES[battle.deploy[one.side].facing],
            at(*scenario.spot(one.at, battle.lengths)) if one.at is not None else -1,
        )
        for one in battle.fortifications
    )


def swapped(battle: BattleScenario) -> BattleScenario:
    """The same battle with the sides of the table changed over."""
    pairs = ("deploy", "arrival", "scattered", "ambush")
    changed = {name: tuple(reversed(getattr(battle, name))) for name in pairs}
    entry = tuple(reversed(battle.entry))
    works = tuple(msgspec.structs.replace(one, side=1 - one.side) for one in battle.fortifications)
    return msgspec.structs.replace(battle, **changed, entry=entry, fortifications=works)
