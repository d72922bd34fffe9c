"""Height advantage: who stands higher, and what it is worth (d47.height.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.state import ABOARD
from rulesets.dust1947.table import RED, Table, aircraft, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 8)
HOUSE = "building from C3 to D4 with 2 floors, door on south of C4, window on south of C4+1"


def again(table: Table, shooter: object, target: object, name: str = "Rifle") -> list[tuple[bool, str]]:
    """Re-rolls of the target's save: (are successes rolled again, by which rule)."""
    saves = table.plan(shooter, name, target).saves  # type: ignore[arg-type]
    return [(reroll.successes, reroll.rule) for save in saves for reroll in save.rerolls]


@pytest.mark.rule("d47.height.attacker")
def test_a_squad_on_a_roof_makes_those_below_roll_their_saves_again():
    table = Table(HOUSE, "rubble at C7", size=(8, 9))
    high = table.put(squad(RIFLE, men=1), "C4+2")
    low = table.put(squad(men=5), "C7", RED)
    assert again(table, high, low) == [(True, "d47.height.attacker")]
    game = table.attack(high, low, dice="AA AS TA")
    assert game.saved == 1
    assert "d47.height.attacker" in game.reasons


@pytest.mark.rule("d47.height.target")
def test_a_squad_on_a_roof_rolls_failed_saves_again():
    table = Table(HOUSE, size=(8, 9))
    high = table.put(squad(men=5), "C4+2", RED)
    low = table.put(squad(RIFLE, men=1), "C7")
    assert again(table, low, high) == [(False, "d47.height.target")]
    game = table.attack(low, high, dice="AA TT AT")
    assert game.saved == 1
    assert "d47.height.target" in game.reasons


@pytest.mark.rule("d47.height.attacker")
def test_on_one_level_nobody_has_the_advantage():
    table = Table(size=(8, 9))
    one, other = table.put(squad(RIFLE, men=1), "C2"), table.put(squad(men=5), "C7", RED)
    assert again(table, one, other) == []


@pytest.mark.rule("d47.open.height_units")
@pytest.mark.parametrize("above", ["C4+1", "C4+2"])
def test_every_floor_and_roof_counts_as_range_one_of_height(above):
    table = Table(HOUSE, size=(8, 9))
    high, low = table.put(squad(RIFLE, men=1), above), table.put(squad(men=5), "C7", RED)
    assert again(table, high, low) == [(True, "d47.height.attacker")]


@pytest.mark.rule("d47.height.attacker")
def test_vehicles_in_cover_roll_their_saves_again_too():
    table = Table(HOUSE, "rubble at C7", size=(8, 9))
    high, walker = table.put(squad(RIFLE, men=1), "C4+2"), table.put(vehicle(), "C7", RED)
    assert again(table, high, walker) == [(True, "d47.height.attacker")]


@pytest.mark.rule("d47.height.aircraft")
def test_aircraft_neither_have_height_advantage_nor_suffer_it():
    table = Table(HOUSE, "rubble at C7", size=(8, 9))
    plane = table.put(aircraft(RIFLE), "G7")
    high, low = table.put(squad(RIFLE, men=5), "C4+2", RED), table.put(squad(men=5), "C7", RED)
    plane.set(1 << 13)
    assert again(table, plane, low) == []
    assert again(table, plane, high) == []
    assert again(table, high, plane) == []


@pytest.mark.rule("d47.height.aircraft")
def test_passengers_of_aircraft_have_no_height_advantage():
    table = Table(HOUSE, size=(8, 9))
    plane = table.put(aircraft(RIFLE, skills="Passengers (6)"), "G4", facing="north")
    riders = table.put(squad(RIFLE, men=2))
    riders.status, riders.aboard = ABOARD, plane.id
    high = table.put(squad(men=5), "C4+2", RED)
    assert again(table, riders, high) == []


@pytest.mark.rule("d47.height.flying")
def test_a_flying_squad_has_only_the_height_of_the_ground_it_stands_on():
    table = Table(HOUSE, size=(8, 9))
    low = table.put(squad(men=5), "C8", RED)
    flyer = table.put(squad(RIFLE, men=1, skills="Flying"), "C6")
    assert again(table, flyer, low) == []
    table.rules.ground.put(table.state, flyer, table.at("C4+2"), None)
    assert again(table, flyer, low) == [(True, "d47.height.attacker")]


@pytest.mark.rule("d47.height.vehicle_height")
def test_a_tank_on_the_ground_does_not_block_sight_between_roofs():
    roofs = ("building at B2, 2 floors", "building at F2, 2 floors")
    table = Table(*roofs, size=(8, 5))
    one, other = table.put(squad(RIFLE, men=1), "B2+2"), table.put(squad(men=1), "F2+2", RED)
    table.put(vehicle(size="huge"), "D2")
    assert table.may_aim(one, "Rifle", other)
    table = Table(size=(8, 5))
    one, other = table.put(squad(RIFLE, men=1), "B2"), table.put(squad(men=1), "F2", RED)
    table.put(vehicle(), "D2")
    assert not table.may_aim(one, "Rifle", other)


@pytest.mark.rule("d47.height.attacker", "d47.fort.bunker_saves", "d47.open.reroll_limit")
def test_forced_rerolls_of_height_come_before_the_rerolls_of_a_bunker():
    table = Table(HOUSE, size=(10, 14), fortifications=[{"kind": "bunker", "side": 1, "at": "B8", "facing": "north"}])
    table.raise_forts()
    high, inside = table.put(squad(RIFLE, men=1), "C4+2"), table.put(squad(men=5), "C9", RED)
    assert again(table, high, inside) == [(True, "d47.height.attacker"), (False, "d47.fort.bunker_saves")]
    game = table.attack(high, inside, dice="AA AS TA S")
    assert game.saved == 2
