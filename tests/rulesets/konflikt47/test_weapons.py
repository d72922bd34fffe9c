"""The weapons charts and the special rules of weapons (k47.weapon.*, k47.wrule.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.konflikt47.cards import read_card
from dieselfront.rulesets.konflikt47.charts import CHART, chart_weapon, firing_modes
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, squad, tank, team


def duel(inches: float = 10, blue: dict | None = None, red: dict | None = None, **options):
    field = Field(**options)
    a = field.put(BLUE, blue or squad(5), 600, 200, heading=180)
    b = field.put(RED, red or squad(5), 600, 200 + gap(inches), order="fire")
    return field, a, b


SMALL = {
    "Rifle": (24, "1", ()),
    "Pistol": (6, "1", ("Assault",)),
    "SMG": (12, "2", ("Assault",)),
    "Shotgun": (18, "1", ("Assault",)),
    "Automatic Rifle": (30, "2", ()),
    "Assault Rifle": (24, "2", ("Assault",)),
    "LMG": (30, "3", ()),
    "MMG": (36, "4", ("Team", "Fixed")),
    "Dual Weapon Pack (Small Arm)": (6, "2", ("Assault",)),
}


@pytest.mark.rule("k47.weapon.small_arms", "k47.weapon.classes")
@pytest.mark.parametrize("name", list(SMALL))
def test_the_small_arms_chart(name):
    weapon = CHART[name]
    assert (weapon.range, weapon.shots, weapon.special) == SMALL[name]
    assert weapon.small_arm and weapon.pen == 0


HEAVY = {
    "Dual Weapon Pack (Heavy Weapon)": (0, 18, "1", 2, "", ()),
    "HMG": (0, 36, "3", 1, "", ("Team", "Fixed")),
    "Light Automatic Cannon": (0, 48, "2", 2, "D2", ("Team", "Fixed")),
    "Heavy Automatic Cannon": (0, 72, "2", 3, "D2", ("Team", "Fixed")),
    "Anti-tank Rifle": (0, 36, "1", 2, "", ("Team",)),
    "PIAT": (0, 12, "1", 5, "", ("Team", "Shaped Charge")),
    "Bazooka": (0, 24, "1", 5, "", ("Team", "Shaped Charge")),
    "Super-Bazooka": (0, 24, "1", 6, "", ("Team", "Shaped Charge")),
    "Panzerschreck": (0, 24, "1", 6, "", ("Team", "Shaped Charge")),
    "Panzerfaust": (0, 12, "1", 6, "", ("One-shot", "Shaped Charge")),
    "Light AT Gun": (0, 48, "1", 4, "D2", ("Team", "Fixed")),
    "Medium AT Gun": (0, 60, "1", 5, "D2", ("Team", "Fixed")),
    "Heavy AT Gun": (0, 72, "1", 6, "D3", ("Team", "Fixed")),
    "Super-Heavy AT Gun": (0, 84, "1", 7, "D3", ("Team", "Fixed")),
    "Flamethrower (Infantry)": (0, 6, "D6", 2, "", ("Team", "Flamethrower")),
    "Light Flamethrower (Vehicle)": (0, 12, "2D6-1", 2, "", ("Flamethrower",)),
    "Flamethrower (Vehicle)": (0, 12, "2D6", 3, "", ("Flamethrower",)),
    "Rifle Grenade": (6, 18, "1", 1, "D2", ("Indirect Fire",)),
    "Light Mortar": (12, 24, "1", 1, "D3", ("Team", "Indirect Fire")),
    "Medium Mortar": (18, 60, "1", 2, "D6", ("Team", "Fixed", "Indirect Fire")),
    "Heavy Mortar": (18, 72, "1", 3, "2D6", ("Team", "Fixed", "Indirect Fire")),
    "Light Howitzer": (0, 48, "1", 2, "D6", ("Team", "Fixed", "Howitzer")),
    "Medium Howitzer": (0, 60, "1", 3, "2D6", ("Team", "Fixed", "Howitzer")),
    "Heavy Howitzer": (0, 72, "1", 4, "3D6", ("Team", "Fixed", "Howitzer")),
    "M17 Tesla Cannon": (0, 36, "1", 1, "", ("Team", "Fixed", "Tesla")),
    "Zvukovoy Proyektor": (0, 24, "1", 1, "", ("Team", "Fixed", "Shockwave")),
    "Schwerefeld Projektor": (0, 48, "2", 4, "", ("Team", "Fixed", "Gravity Pulse")),
}


@pytest.mark.rule("k47.weapon.heavy", "k47.weapon.classes")
@pytest.mark.parametrize("name", list(HEAVY))
def test_the_heavy_weapons_chart(name):
    weapon = CHART[name]
    found = (weapon.min_range, weapon.range, weapon.shots, weapon.pen, weapon.he, weapon.special)
    assert found == HEAVY[name]
    assert not weapon.small_arm


@pytest.mark.rule("k47.weapon.data_supplement")
@pytest.mark.parametrize(
    "name, inches, shots, pen",
    [
        ("Light Compression Cannon", 36, "3", 3),
        ("Compression Cannon", 48, "3", 4),
        ("Meteor Launcher", 60, "D6", 4),
        ("Light Rail Gun", 72, "1", 7),
        ("Heavy Rail Gun", 84, "1", 8),
        ("Light Schwerefeld Projektor", 36, "2", 3),
        ("Light Rocket System", 48, "1", 2),
        ("Multiple Launcher", 72, "1", 3),
        ("Luftfaust", 24, "1", 2),
    ],
)
def test_supplement_profiles(name, inches, shots, pen):
    weapon = CHART[name]
    assert (weapon.range, weapon.shots, weapon.pen) == (inches, shots, pen)


@pytest.mark.rule("k47.open.weapon_versions")
@pytest.mark.parametrize(
    "name, field, early, late",
    [
        ("LMG", "shots", "3", "4"),
        ("MMG", "shots", "4", "5"),
        ("Assault Rifle", "range", 24, 18),
        ("Flamethrower (Vehicle)", "shots", "2D6", "D6+1"),
    ],
)
def test_the_supplement_option_brings_the_later_values(name, field, early, late):
    assert getattr(chart_weapon(name), field) == early
    assert getattr(chart_weapon(name, supplement=True), field) == late
    battle = Field(supplement_weapons="on")
    unit = battle.put(BLUE, squad(1, "LMG"), 600, 300)
    assert unit.card.weapons[0].shots == "4"


@pytest.mark.rule("k47.weapon.dual_pack", "k47.open.dual_pack")
def test_a_dual_pack_fires_one_of_two_modes_and_keeps_its_pen_at_long_range():
    assert [mode.small_arm for mode in firing_modes("Dual Weapon Pack (Small Arm)")] == [True, False]
    field, a, b = duel(15, squad(2, "Dual Weapon Pack (Small Arm)"), tank("light walker", ()))
    pool = field.pool(a, b, weapon="Heavy")
    assert pool.need == 4 and pool.pen == 2
    field, a, b = duel(5, squad(2, "Dual Weapon Pack (Small Arm)"))
    ran = field.shoot(a, b, [1, 1, 1, 1], answers={"weapons": ((0, "", b.id),)})
    assert ran.of("Hit")[0].dice == 4
    assert len(list(ran.of("Declared")[0].shots)) == 1


@pytest.mark.rule("k47.weapon.equipment")
def test_gear_grants_its_rule():
    field = Field()
    hunters = field.put(BLUE, squad(5, rules=["Tank Hunters"]), 600, 300)
    armour = field.put(RED, tank(), 600, 600)
    assert not field.rules.vehicle_assault.needs_nerve(hunters, armour)
    sword = field.put(BLUE, squad(men=[{"weapons": ["Pistol", "Sword"]}, {"weapons": ["Rifle"]}]), 900, 300)
    assert field.rules.assault.is_tough_fighter(sword, 0) and not field.rules.assault.is_tough_fighter(sword, 1)
    flag = field.put(BLUE, squad(2, rules=["Rally to the Colours"]), 600, 360)
    assert field.rules.specials.colours(field.state, hunters) and flag.on_table


# -- team and fixed ------------------------------------------------------------------------------------------


@pytest.mark.rule("k47.wrule.team_crew")
def test_team_crew_only_serve_the_weapon():
    field, a, b = duel(10, team("MMG"))
    ran = field.shoot(a, b, [1] * 4, answers={"suppressive fire": False})
    assert [event.dice for event in ran.of("Hit")] == [4]
    armed = read_card(
        {"name": "T", "men": [{"weapons": ["MMG"], "gunner": True}, {"weapons": ["Rifle"], "crew": True}]}
    )
    field = Field()
    unit = field.put(
        BLUE,
        {"name": "T", "men": [{"weapons": ["MMG"], "gunner": True}, {"weapons": ["Rifle"], "crew": True}]},
        600,
        300,
    )
    assert armed.team and {man for man, _, _ in field.rules.shooting.options_of(field.state, unit, "fire")} == {0}


@pytest.mark.rule("k47.wrule.team_one_man", "k47.wrule.shaped_hit")
def test_the_last_man_of_a_bazooka_team_needs_fives():
    field, a, b = duel(10, team("Bazooka", 2))
    assert field.need(a, b) == 4
    a.lose(1)
    assert field.need(a, b) == 5


@pytest.mark.rule("k47.wrule.team_gunner")
def test_a_team_dies_with_the_man_who_carries_the_weapon():
    field = Field()
    mortar = field.put(RED, team("Light Mortar"), 600, 300)
    field.run(lambda play: field.rules.losses.remove(play, mortar, [0]))
    assert not mortar.alive
    crew = field.put(RED, gun("Light AT Gun"), 600, 600)
    field.run(lambda play: field.rules.losses.remove(play, crew, [0]))
    assert crew.alive


@pytest.mark.rule("k47.wrule.fixed_move")
def test_fixed_weapons_do_not_fire_on_advance():
    field = Field()
    a = field.put(BLUE, team("MMG"), 600, 200, heading=180)
    field.put(RED, squad(5), 600, 600)
    ran = field.order(a, "advance", [], {"move": (), "facing": 180})
    assert "target" not in ran.asked
    assert field.rules.shooting.options_of(field.state, a, "fire")


@pytest.mark.rule("k47.wrule.fixed_arc")
def test_a_target_behind_a_fixed_weapon_is_not_selectable():
    field = Field()
    a = field.put(BLUE, gun("Medium AT Gun"), 600, 400, heading=0)
    field.put(RED, squad(5), 560, 700)
    assert field.rules.shooting.targets(field.state, a, "fire") == []


@pytest.mark.rule("k47.wrule.fixed_vehicle")
def test_team_and_fixed_mean_nothing_in_a_vehicle():
    weapon = chart_weapon("Turret-Mounted HMG")
    assert weapon.special == () and weapon.arc == "turret"
    field, a, b = duel(10, tank("light tank", ("Turret-Mounted HMG",)))
    assert field.need(a, b, "advance") == 4


@pytest.mark.rule("k47.wrule.assault_cq")
def test_assault_weapons_give_two_attacks_against_troops_and_one_die_against_vehicles():
    field = Field()
    a = field.put(BLUE, squad(5, "SMG"), 600, 300)
    assert field.rules.assault.attack_dice(a) == (10, 0)
    armour = field.put(RED, tank("medium tank", ()), 600, 400, order="fire")
    ran = field.run(lambda play: field.rules.vehicle_assault.storm(play, a, armour), [1] * 5)
    assert len(ran.of("Rolled")[0].stages[0][1]) == 5


@pytest.mark.rule("k47.wrule.shaped_pen")
def test_shaped_charges_keep_their_penetration_at_long_range():
    field, a, b = duel(20, team("Bazooka", 2), tank("heavy tank", ()))
    pool = field.pool(a, b)
    assert pool.pen == 5 and pool.need == 5


# -- flames --------------------------------------------------------------------------------------------------


@pytest.mark.rule("k47.wrule.flame_hit", "k47.open.pb_and_long")
def test_flames_ignore_cover_and_down_and_turn_one_hit_into_many():
    field = Field({"kind": "wall", "line": [[10, 10.4], [50, 10.4]]})
    a = field.put(BLUE, team("Flamethrower (Infantry)", 2), 600, 200)
    b = field.put(RED, squad(8), 600, 200 + gap(3), order="down")
    assert field.need(a, b) == 2
    ran = field.shoot(a, b, [2, 2, 4, 1, 1, 1, 1, 1, 1, 6])
    assert ran.of("Counted")[1].total == 4
    field, a, b = duel(5, team("Flamethrower (Infantry)", 2))
    assert field.need(a, b) == 3  # point blank and long range cancel


@pytest.mark.rule("k47.wrule.flame_top", "k47.open.flame_armour_rolls")
@pytest.mark.parametrize(
    "option, dice", [("one_roll", [6, 2, 4, 1, 1, 6]), ("each_hit", [6, 2, 1, 2, 4, 4, 4, 1, 1, 6])]
)
def test_flames_strike_the_top_of_armour_with_one_roll_unless_the_option_says_each(option, dice):
    field, a, b = duel(
        5,
        tank("medium tank", ("Turret-Mounted Flamethrower (Vehicle)",)),
        tank("medium tank", ()),
        flame_armour_rolls=option,
    )
    pool = field.pool(a, b)
    assert (pool.facing, pool.pen) == ("top", 4)
    answers = {"weapons": ((b.id, ""),)}
    ran = field.run(lambda play: field.rules.shooting.shoot(play, a, "fire"), dice, answers)
    rolls = [event for event in ran.of("Rolled") if event.label.startswith("damage")]
    assert len(rolls[0].stages[0][1]) == (1 if option == "one_roll" else 3)


@pytest.mark.rule("k47.wrule.flame_shield", "k47.artillery.gun_shield")
def test_gun_shields_help_from_the_front_but_not_against_flames():
    field = Field()
    crew = field.put(RED, gun("Medium AT Gun", quality="inexperienced", rules=["Gun Shield"]), 600, 600, heading=0)
    from dieselfront.rulesets.konflikt47.firing import Wound

    rifle, flame = CHART["Rifle"], CHART["Flamethrower (Infantry)"]
    value = field.rules.damage.value
    assert value(crew, Wound(field.state, rifle, 0, "front")) == 6
    assert value(crew, Wound(field.state, rifle, 0, "side")) == 3
    assert value(crew, Wound(field.state, flame, 2, "front")) == 3
    assert value(crew, Wound(field.state, rifle, 0, "front", sniper=True)) == 3
    front = field.put(BLUE, squad(5), 600, 555 - gap(10))
    aside = field.put(BLUE, squad(5), 1000, 600)
    assert field.pool(front, crew).facing == "front" and field.pool(aside, crew).facing == "side"


@pytest.mark.rule("k47.wrule.flame_pins")
def test_flames_pin_and_terrify_vehicles_too():
    field, a, b = duel(5, team("Flamethrower (Infantry)", 2), tank("medium tank", ()))
    ran = field.shoot(a, b, [6, 3, 1, 3, 4, 6])
    assert ran.of("Tested")[0].needed == 9 - 3
    assert not b.alive


@pytest.mark.rule("k47.wrule.flame_fuel")
def test_a_one_for_fuel_ends_a_man_pack_and_empties_a_vehicle():
    field, a, b = duel(5, team("Flamethrower (Infantry)", 2))
    field.shoot(a, b, [1, 1])
    assert not a.alive
    field, a, b = duel(5, tank("light tank", ("Turret-Mounted Flamethrower (Vehicle)", "Coaxial MMG")))
    field.run(lambda play: field.rules.shooting.shoot(play, a, "fire"), [1, 1], {"weapons": ((b.id, ""), None)})
    assert a.alive and a.weapons_of(0) == [1]


@pytest.mark.rule("k47.wrule.flame_carrier")
def test_vehicles_carrying_flamethrowers_burn_easier():
    from dieselfront.rulesets.konflikt47.firing import Wound

    field = Field()
    flame = field.put(RED, tank("light tank", ("Turret-Mounted Flamethrower (Vehicle)",)), 600, 300)
    plain = field.put(RED, tank("light tank"), 900, 300)
    jettison = field.put(
        RED, tank("light tank", ("Turret-Mounted Flamethrower (Vehicle)",), rules=["Jettison Fuel Trailer"]), 1200, 300
    )
    wound = Wound(field.state, None, 0)
    assert [field.rules.damage.table_bonus(unit, wound) for unit in (flame, plain, jettison)] == [1, 0, 0]


# -- indirect fire ---------------------------------------------------------------------------------------------


def ranged(field: Field, a, b, die: int, *more: int) -> int:
    """One turn of mortar fire; returns what it needed."""
    a.order = "fire"
    ran = field.shoot(a, b, [die, *more], answers={"weapons": ((0, "indirect", b.id),)})
    field.state.turn += 1
    a.order = ""
    return ran.needed()


@pytest.mark.rule("k47.wrule.indirect_hit")
def test_indirect_fire_ranges_in_turn_by_turn_whatever_the_modifiers():
    field, a, b = duel(25, team("Medium Mortar", quality="inexperienced"), squad(2))
    a.pins = 3
    assert [ranged(field, a, b, 1) for _ in range(6)] == [6, 5, 4, 3, 2, 2]


@pytest.mark.rule("k47.wrule.indirect_hit")
def test_a_pause_another_target_or_a_move_start_the_ranging_again():
    field, a, b = duel(25, team("Medium Mortar"))
    c = field.put(RED, squad(5), 900, 900, order="fire")
    assert [ranged(field, a, b, 1), ranged(field, a, b, 1)] == [6, 5]
    field.state.turn += 1
    assert ranged(field, a, b, 1) == 6
    assert ranged(field, a, b, 1) == 5
    assert ranged(field, a, c, 1) == 6
    assert ranged(field, a, b, 1) == 6
    b.moves += 1
    assert ranged(field, a, b, 1) == 6


@pytest.mark.rule("k47.wrule.indirect_zero")
def test_once_zeroed_in_it_stays_two_plus_until_somebody_moves():
    field, a, b = duel(25, team("Medium Mortar"), squad(10))
    assert ranged(field, a, b, 6, 1, 1, 1) == 6
    field.state.turn += 2  # a mere pause does not lose it
    assert ranged(field, a, b, 1) == 2
    assert ranged(field, a, b, 1) == 2
    b.moves += 1
    assert ranged(field, a, b, 1) == 6


@pytest.mark.rule("k47.wrule.indirect_ambush")
def test_no_indirect_fire_from_ambush():
    field, a, _ = duel(30, gun("Light Howitzer"))
    assert field.rules.shooting.rounds(field.state, a, a.card.weapons[0], "ambush") == ("direct",)
    mortar = field.put(BLUE, team("Medium Mortar"), 1000, 200)
    assert field.rules.shooting.rounds(field.state, mortar, mortar.card.weapons[0], "ambush") == ()


@pytest.mark.rule("k47.wrule.spotter")
def test_a_spotter_sees_for_the_weapon_and_stays_behind_when_it_moves():
    field = Field({"kind": "high-wall", "line": [[10, 14], [30, 14]]})
    card = {
        **team("Medium Mortar", 2),
        "men": [{"weapons": ["Medium Mortar"], "gunner": True}, {"crew": True}, {"spotter": True}],
    }
    a = field.put(BLUE, card, spots=[(500, 200), (530, 200), (1000, 350)], heading=180)
    b = field.put(RED, squad(5), 500, 200 + gap(25), order="fire")
    assert field.pool(a, b, way="indirect").need == 6
    assert not field.rules.movement.is_scattered(a)
    field.order(a, "advance", [], {"move": ((480, 200),), "facing": 180})
    assert a.spots == ((480, 200), (510, 200), (1000, 350))
    blind = field.put(BLUE, team("Medium Mortar", 2), spots=[(400, 200), (430, 200)], heading=180)
    from dieselfront.rulesets.konflikt47 import ground

    assert not ground.sees(field.state, blind, b)


@pytest.mark.rule("k47.wrule.howitzer")
def test_a_howitzer_fires_directly_at_any_range_or_indirectly_from_24_inches():
    field, a, b = duel(15, gun("Light Howitzer"))
    assert field.rules.shooting.rounds(field.state, a, a.card.weapons[0], "fire")[:2] == ("direct", "indirect")
    assert field.need(a, b, way="direct") == 3
    ran = field.shoot(a, b, [], answers={"weapons": ((0, "indirect", b.id),)})
    assert ran.of("NoShot")[0].rule == "k47.wrule.indirect_min"
    far, a, b = duel(30, gun("Light Howitzer"))
    assert far.need(a, b, way="indirect") == 6


@pytest.mark.rule("k47.wrule.smoke")
def test_smoke_hides_until_the_end_of_the_next_turn():
    from dieselfront.rulesets.konflikt47 import ground

    field, a, b = duel(25, team("Medium Mortar"))
    watcher = field.put(BLUE, squad(1), 660, 500)
    behind = field.put(RED, squad(1), 660, 1050)
    assert ground.sees(field.state, watcher, behind)
    field.state.turn = 2
    field.shoot(a, b, [6], answers={"weapons": ((0, "smoke", b.id),)})
    assert not ground.sees(field.state, watcher, behind)
    assert ground.sees(field.state, watcher, b)
    infrared = field.put(BLUE, squad(1, rules=["Infrared Vision"]), 700, 500)
    assert ground.sees(field.state, infrared, behind)
    play = field.run(lambda play: _end(field, play))
    assert any(piece.kind.id == "smoke" for piece in field.state.table.pieces) and play
    field.state.turn = 3
    field.run(lambda play: _end(field, play))
    assert not any(piece.kind.id == "smoke" for piece in field.state.table.pieces)
    off = Field(smoke_shells="off")
    mortar = off.put(BLUE, team("Medium Mortar"), 600, 200)
    assert "smoke" not in off.rules.shooting.rounds(off.state, mortar, mortar.card.weapons[0], "fire")


def _end(field: Field, play):
    field.rules.terrain.turn_ended(play)
    return
    yield


# -- rift weapons ------------------------------------------------------------------------------------------------


@pytest.mark.rule("k47.wrule.tesla_pen")
def test_tesla_weapons_have_another_penetration_against_vehicles_at_any_range():
    field, a, b = duel(30, gun("M17 Tesla Cannon"), tank("medium tank", ()))
    assert field.pool(a, b).pen == 7
    men = field.put(RED, squad(5), 900, 700)
    assert field.pool(a, men).pen == 1


@pytest.mark.rule("k47.wrule.tesla_arc", "k47.open.tesla_count")
@pytest.mark.parametrize("men, roll, hits", [(10, 4, 5), (5, 6, 5)])
def test_a_tesla_hit_arcs_to_more_models_but_never_beyond_the_unit(men, roll, hits):
    field, a, b = duel(12, gun("M17 Tesla Cannon"), squad(men))
    ran = field.shoot(a, b, [6, roll, *[1] * hits])
    assert len(ran.of("Rolled")[1].stages[0][1]) == hits


@pytest.mark.rule("k47.wrule.shockwave_line", "k47.wrule.shockwave_effect")
def test_a_shockwave_rolls_for_every_unit_on_its_line():
    field = Field()
    a = field.put(BLUE, gun("Zvukovoy Proyektor"), 600, 200, heading=180)
    first = field.put(RED, squad(5), 540, 400, order="fire")
    friend = field.put(BLUE, squad(5), 540, 500)
    armour = field.put(RED, tank("medium tank", ()), 600, 650, heading=90, order="fire")
    aside = field.put(RED, squad(5), 900, 400, order="fire")
    beyond = field.put(RED, squad(5), 540, 900, order="fire")
    # the units on the line one after another: 4+ hits; then D3 pins, D3 hits, damage
    dice = [4, 6, 3, 1, 1, 3, 5, 4]
    ran = field.shoot(a, first, dice)
    assert first.pins == 3 and len(first.men) == 5
    assert friend.pins == 0 and aside.pins == 0 and beyond.pins == 0
    assert armour.pins == 3 and armour.order == "down"
    rolls = [event for event in ran.of("Rolled") if event.label == "shockwave"]
    assert len(rolls) == 3 and rolls[0].needs == ("4", "5", "6")


@pytest.mark.rule("k47.wrule.gravity_pen")
@pytest.mark.parametrize("armour, pen", [("heavy tank", 6), ("medium walker", 5), ("armoured car", 4)])
def test_gravity_weapons_bite_deeper_into_heavier_armour(armour, pen):
    field, a, b = duel(12, gun("Schwerefeld Projektor"), tank(armour, ()))
    assert field.pool(a, b).pen == pen


@pytest.mark.rule("k47.wrule.gravity_slow")
def test_whoever_is_damaged_by_gravity_cannot_run_next():
    field, a, b = duel(12, gun("Schwerefeld Projektor"))
    field.shoot(a, b, [6, 1, 5], answers={"casualties": (0,)})
    b.order = ""
    assert "run" not in field.rules.orders.legal(field.state, b)
    field.order(b, "rally", [1, 1])
    b.order = ""
    assert "run" in field.rules.orders.legal(field.state, b)
