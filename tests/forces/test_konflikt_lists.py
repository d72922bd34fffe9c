"""Konflikt '47 army lists: reinforced platoons and their slots (k47.game.platoon)."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.army_check import check_army

BASE = ("germany-officer", "germany-wehrmacht-infantry-squad", "germany-wehrmacht-infantry-squad")


def faults(*units: ArmyUnit | str, **head: Any) -> list[str]:
    rows = tuple(ArmyUnit(unit) if isinstance(unit, str) else unit for unit in units)
    army = Army(**{"ruleset": "konflikt47", "name": "T", "points": 9000, "nation": "Germany", "units": rows, **head})
    return [fault.message for fault in check_army(army).errors]


@pytest.mark.rule("k47.game.platoon")
def test_an_officer_and_two_squads_are_a_platoon() -> None:
    assert faults(*BASE) == []
    assert "1 of infantry squad; at least 2" in faults(*BASE[:2])[0]
    assert "0 of officer; at least 1" in faults(*BASE[1:])[0]


@pytest.mark.rule("k47.game.platoon")
def test_the_example_of_the_rulebook_is_legal() -> None:
    more = ("germany-medium-machine-gun-team", "germany-medium-mortar-team", "germany-spinne-light-panzermech")
    assert faults(*BASE, *more, "germany-panzer-iv") == []


@pytest.mark.rule("k47.game.platoon")
def test_two_tanks_in_one_platoon_are_too_many() -> None:
    assert "at most 1" in faults(*BASE, "germany-panzer-iv", "germany-tiger")[0]


@pytest.mark.rule("k47.game.platoon")
@pytest.mark.parametrize(
    "team",
    ["germany-medium-machine-gun-team", "germany-sniper-team", "germany-flamethrower-team", "germany-medic"],
)
def test_one_of_each_support_is_allowed_two_are_not(team: str) -> None:
    assert faults(*BASE, team) == []
    assert "at most 1" in faults(*BASE, team, team)[0]


@pytest.mark.rule("k47.game.platoon")
def test_a_force_has_one_senior_officer() -> None:
    assert faults(*BASE, "germany-senior-officer") == []
    assert "one a force" in faults(*BASE, "germany-senior-officer", "germany-senior-officer")[0]


@pytest.mark.rule("k47.game.platoon")
def test_transports_need_somebody_to_carry() -> None:
    assert faults(*BASE, *["germany-truck"] * 3) == []
    assert "transports and tows" in faults(*BASE, *["germany-truck"] * 4)[0]


@pytest.mark.rule("k47.game.platoon")
def test_a_second_platoon_has_its_own_slots() -> None:
    platoons = {"first": "reinforced", "second": "reinforced"}
    second = tuple(ArmyUnit(card, platoon="second") for card in (*BASE, "germany-sniper-team"))
    assert faults(*BASE, "germany-sniper-team", *second, platoons=platoons) == []


@pytest.mark.rule("k47.game.platoon")
def test_an_armoured_platoon_needs_three_vehicles() -> None:
    armoured = {"first": "armoured"}
    assert faults(*["germany-panzer-iv"] * 3, platoons=armoured) == []
    assert "at least 3" in faults(*["germany-panzer-iv"] * 2, platoons=armoured)[0]


@pytest.mark.rule("k47.vehicle.command_senior")
def test_command_vehicles_belong_to_armoured_platoons() -> None:
    command = ArmyUnit("germany-panzer-iv", options={"command-vehicle": 1})
    assert "armoured platoons only" in faults(*BASE, command)[0]
    assert faults(command, "germany-panzer-iv", "germany-panzer-iv", platoons={"first": "armoured"}) == []


@pytest.mark.rule("k47.nation.italy")
def test_italy_borrows_one_unit() -> None:
    base = ("italy-officer", "italy-alpini-infantry-squad", "italy-alpini-infantry-squad")
    one = faults(*base, "italy-usa-sniper-team", nation="Italy")
    two = faults(*base, "italy-usa-sniper-team", "italy-usa-bazooka-team", nation="Italy")
    assert one == [] and "one is allowed" in two[0]


def test_a_unit_of_another_nation_is_refused() -> None:
    assert "is of Finland" in faults(*BASE, "finland-sniper-team")[0]


def test_a_squad_outside_its_size_is_refused() -> None:
    assert "8 to" not in " ".join(faults(*BASE))
    assert "5 to 8" in faults(*BASE, ArmyUnit("germany-wehrmacht-infantry-squad", models=9))[0]


def test_a_unique_card_stands_once_and_points_have_a_limit() -> None:
    assert "limit is 100" in faults(*BASE, points=100)[0]


def test_an_unknown_nation_names_the_nearest() -> None:
    assert "Germany" in faults(*BASE, nation="Germny")[0]
