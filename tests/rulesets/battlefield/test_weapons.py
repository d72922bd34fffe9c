"""Special weapons (bf.weapon.*)."""

from __future__ import annotations

import pytest

from dieselfront.forces.families import family
from dieselfront.forces.skills import one_spelling
from dieselfront.rulesets.battlefield import RULESET, skills, weapons
from dieselfront.rulesets.dust_open.places import at
from rulesets.battlefield.field import RED, Field, box
from rulesets.dust1947.table import aircraft, hero, squad, support, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)


def duel(gun, card, covered: bool = True, between: int = 250, men: int = 1):
    field = Field(*([box("trees", 400, 350, 300, 110)] if covered else []))
    foe = field.put(card, (500, 440), RED)
    return field, field.put(squad(gun, men=men), (500, 440 + between)), foe


@pytest.mark.rule("bf.weapon.grenade", "bf.weapon.phaser")
@pytest.mark.parametrize("rule", ["Grenade", "Phaser"])
def test_no_cover_save_and_infantry_keeps_its_own(rule):
    field, men, foe = duel(weapon("Gun", "3/1", 4, rule), squad(men=6))
    game = field.attack(men, foe, dice="AAA AST")
    assert "infantry save" in game.labels and len(foe.main.alive) == 4
    field, men, tank = duel(weapon("Gun", "2/1", 4, rule), vehicle(damage=9))
    assert field.attack(men, tank, dice="AA").labels == ["to hit"]


@pytest.mark.rule("bf.weapon.tesla")
def test_a_tesla_hit_stuns_even_if_it_is_saved():
    field, men, foe = duel(weapon("Tesla", "1/1", 4, "Tesla"), squad(men=3))
    field.attack(men, foe, dice="A A")
    assert foe.stunned and len(foe.main.alive) == 3


@pytest.mark.rule("bf.weapon.grapple")
def test_a_grip_lasts_until_the_holder_does_something_else():
    field = Field()
    walker = field.put(vehicle(weapon("Claw", "1/1", "C", "Grapple"), move=2), (500, 500))
    tank = field.put(vehicle(damage=9), (500, 425), RED)
    field.activate(walker, "attack", dice="A", declare={"Claw": tank})
    assert tank.stunned
    walker.drop(1)
    field.activate(walker, "move", move=(500, 600, 0))
    assert not tank.stunned


@pytest.mark.rule("bf.weapon.sniper")
def test_a_sniper_names_anybody_and_his_saves_count():
    field, men, foe = duel(weapon("Sniper Rifle", "2/1", 6, "Sniper"), squad(men=4, roles={2: "medic"}), covered=False)
    card = foe.card.id
    game = field.attack(men, None, dice="AA TT", declare=((foe.id, "at", (card, 0)),))
    assert foe.main.alive == (1, 2, 3) and "infantry save" in game.labels  # the leader, and one hit is lost
    assert ((foe.id, "at", (card, 2)),) and any(
        aim[-1] == (card, 2) for aim in field.aims(men, "Sniper Rifle") if len(aim) > 1
    )


@pytest.mark.rule("bf.weapon.spotter", "bf.weapon.power_scope")
def test_spotters_and_scopes_help_sustained_fire():
    gun = weapon("Sniper Rifle", "1/1", 6, "Sniper", count=1)
    for idle, hits in ((True, 1), (False, 0)):
        field = Field()
        card = squad(weapon("Rifle", "1/1", 6), gun, men=2, skills="Spotter", roles={0: "spotter"})
        men, foe = field.put(card, (500, 700)), field.put(squad(men=5), (500, 440), RED)
        answer = {"Sniper Rifle": foe} if idle else {"Sniper Rifle": foe, "Rifle": [foe]}
        dice = "T T" if idle else "S S T T"
        game = field.attack(men, None, dice=dice, declare=answer, sustained=True, pool_order=lambda d: d.options[0])
        assert (
            sum(e.hits for e in game.events if getattr(e, "weapon", "") == "Sniper Rifle" and hasattr(e, "hits"))
            == hits
        )
    field, men, foe = duel(weapon("Scoped", "1/1", 4, "Power Scope"), squad(men=3), covered=False)
    assert field.attack(men, foe, dice="T T", sustained=True).hits == 1 and field.attack(men, foe, dice="T").hits == 0


@pytest.mark.rule("bf.weapon.wire_guided")
def test_a_guided_missile_alone_throws_its_misses_again():
    missile = weapon("Missile", "2/1", 8, "Wire Guided")
    field = Field()
    tank = field.put(vehicle(missile, weapon("MG", "2/1", 8)), (500, 900))
    foe = field.put(squad(men=5), (500, 440), RED)
    assert field.attack(tank, None, dice="SS AS T", declare={"Missile": foe}).hits == 1
    game = field.attack(tank, foe, dice="SS SS", pool_order=lambda d: d.options[0])
    assert len(game.rolls) == 2
    game = field.attack(tank, None, dice="SS SS", declare={"Missile": foe}, sustained=True)
    assert len(game.rolls[0].stages) == 2  # one re-roll only


@pytest.mark.rule("bf.weapon.reload", "bf.open.loaded_token_shared")
def test_one_loaded_token_for_all_reload_weapons_of_a_unit():
    tubes = (weapon("Tube A", "2/1", 8, "Reload"), weapon("Tube B", "2/1", 8, "Reload"), weapon("MG", "2/1", 8))
    field = Field()
    tank, foe = field.put(vehicle(*tubes), (500, 900)), field.put(squad(men=9), (500, 440), RED)
    game = field.activate(tank, "attack", "special:reload", dice="SS SS", declare={"Tube A": foe, "Tube B": foe})
    assert len(game.rolls) == 2 and field.may_aim(tank, "Tube A", foe)
    tank.drop(1)
    field.activate(tank, "attack", dice="SS", declare={"Tube A": foe})
    assert not field.may_aim(tank, "Tube B", foe) and field.may_aim(tank, "MG", foe)


@pytest.mark.rule("bf.weapon.salvo", "bf.open.salvo_unloaded")
@pytest.mark.parametrize("option, fires", [("by_the_rules", True), ("silent", False)])
def test_a_salvo_doubles_the_dice_and_takes_the_token(option, fires):
    field = Field(options={"salvo_unloaded": option})
    tank = field.put(vehicle(weapon("Rockets", "6/1", 8, "Salvo")), (500, 900))
    foe = field.put(squad(men=9), (500, 440), RED)
    game = field.attack(tank, None, dice="S" * 12, declare=((foe.id, "salvo", 2),))
    assert game.dice("to hit") == [12]
    assert [aim for aim in field.aims(tank, "Rockets") if len(aim) == 1] == ([(foe.id,)] if fires else [])
    assert not any("salvo" in aim for aim in field.aims(tank, "Rockets"))


@pytest.mark.rule("bf.weapon.limited_ammo", "bf.open.limited_ammo_squads", "bf.weapon.volley")
def test_every_soldier_who_fires_marks_a_box_and_volleys_mark_more():
    field, men, foe = duel(weapon("Panzerfaust", "1/1", 4, ammo=1), squad(men=9), covered=False, men=2)
    field.attack(men, foe, dice="SS")
    assert not field.may_aim(men, "Panzerfaust", foe)
    field = Field()
    plane = field.put(vehicle(weapon("Rockets", "2/3", 8, "Volley", ammo=4)), (500, 900))
    foe = field.put(squad(men=9), (500, 440), RED)
    game = field.attack(plane, None, dice="SSSSSS", declare=((foe.id, "volley", 3),))
    assert game.dice("to hit") == [6] and plane.main.marked(0) == 3


MORTAR = weapon("Mortar", "*/1", "4-12", "Artillery")


@pytest.mark.rule("bf.weapon.artillery_los", "bf.open.artillery_over_terrain")
def test_vehicles_do_not_block_artillery_and_terrain_does():
    field = Field()
    gun = field.put(support(MORTAR), (500, 1000))
    foe = field.put(squad(men=3), (500, 300), RED)
    field.put(vehicle(), (500, 900))
    assert field.may_aim(gun, "Mortar", foe)
    walled = Field(box("structure", 400, 600, 200, 40))
    gun, foe = walled.put(support(MORTAR), (500, 1000)), walled.put(squad(men=3), (500, 300), RED)
    assert not walled.may_aim(gun, "Mortar", foe)


@pytest.mark.rule("bf.weapon.artillery_inside")
def test_artillery_does_not_fire_from_inside_a_wood():
    field = Field(box("trees", 400, 940, 200, 160))
    foe = field.put(squad(men=3), (500, 300), RED)
    assert not field.may_aim(field.put(support(MORTAR), (500, 1000)), "Mortar", foe)
    assert field.may_aim(field.put(support(MORTAR), (800, 1000)), "Mortar", foe)


@pytest.mark.rule("bf.weapon.artillery_normal_rules", "bf.cover.blast")
def test_artillery_is_an_ordinary_blast_with_cover_judged_from_the_gun():
    field = Field(box("ammo_crate", 440, 340, 130, 16))
    gun = field.put(support(MORTAR), (500, 1000))
    foe = field.put(squad(men=2), (490, 310), RED, others=[(520, 310)])
    game = field.attack(gun, None, dice="AA AS", declare=((foe.id, "blast", int(at(505, 310))),))
    assert "cover save" in game.labels  # the crates lie between gun and squad
    plain = Field()
    gun, foe = plain.put(support(MORTAR), (500, 1000)), plain.put(squad(men=2), (490, 310), RED, others=[(520, 310)])
    game = plain.attack(gun, None, dice="AA AS", declare=((foe.id, "blast", int(at(505, 310))),))
    assert "infantry save" in game.labels


@pytest.mark.rule("bf.weapon.artillery_smoke")
@pytest.mark.parametrize("die, smoke", [("A", 1), ("T", 0), ("S", 0)])
def test_smoke_shells_need_army(die, smoke):
    field = Field()
    gun = field.put(support(MORTAR), (500, 1000))
    field.put(squad(men=3), (500, 300), RED)
    aim = next(aim for aim in field.aims(gun, "Mortar") if "smoke" in aim)
    field.attack(gun, None, dice=die, declare=(aim,))
    assert len(field.state.table.pieces_of("smoke")) == smoke


OBSERVER = {"skills": "Artillery Observer", "roles": {0: "radio"}}


def observed(**details: object):
    field = Field(box("structure", 400, 700, 200, 40))
    gun = field.put(support(weapon("Mortar", "*/1", "4-12", "Artillery, Reload"), **details), (500, 1000))
    eyes = field.put(squad(RIFLE, men=1, **OBSERVER), (800, 500))
    return field, gun, eyes, field.put(squad(men=3), (500, 300), RED)


def called(field, eyes, gun, foe, dice, action="special:call-attack", **answers):
    return field.activate(
        eyes, action, dice=dice, battery=gun, declare=((foe.id, "blast", int(foe.where[0])),), **answers
    )


@pytest.mark.rule("bf.skill.artillery_observer", "bf.open.observer_cover")
def test_an_observer_sees_for_the_guns():
    field, gun, eyes, foe = observed()
    assert not field.may_aim(gun, "Mortar", foe)
    game = called(field, eyes, gun, foe, "AAA AST")
    assert gun.activated and game.dice("to hit") == [3] and "infantry save" in game.labels


@pytest.mark.rule("bf.skill.artillery_observer_reload")
def test_an_empty_gun_is_loaded_before_a_called_attack():
    field, gun, eyes, foe = observed()
    gun.main.unload(0, 0)
    game = called(field, eyes, gun, foe, "SSS")
    assert game.labels == ["to hit"]


@pytest.mark.rule("bf.open.observer_suppressed")
def test_a_suppressed_gun_fires_a_called_attack_and_loses_a_called_sustained_one():
    field, gun, eyes, foe = observed()
    gun.set(1 << 3)
    assert called(field, eyes, gun, foe, "ST SSS").labels == ["recovery", "to hit"]
    field, gun, eyes, foe = observed()
    gun.set(1 << 3)
    assert called(field, eyes, gun, foe, "ST", "special:call-sustained-attack").labels == ["recovery"] and gun.activated


@pytest.mark.rule("bf.vehicle.air_alert")
def test_an_air_alert_makes_all_vehicles_hit_on_target():
    field = Field()
    spotter = field.put(vehicle(skills="Air Alert"), (500, 900))
    flak = field.put(vehicle(weapon("Flak", "2/1", 12)), (700, 900))
    plane = field.put(aircraft(), (500, 400), RED)
    field.activate(spotter, "special:air-alert", dice="A")
    assert field.attack(flak, plane, dice="TS").hits == 1


def test_a_hero_with_a_laser_is_no_sniper():
    field = Field()
    joe = field.put(hero(weapon("Laser", "1/1", 6, "Laser")), (500, 700))
    field.put(squad(men=3), (500, 440), RED)
    assert all(len(aim) == 1 for aim in field.aims(joe, "Laser"))


@pytest.mark.rule("bf.open.card_skills")
def test_every_rule_of_this_book_is_called_as_cards_call_it():
    """A rule under a name that the readers of cards never give would have no effect."""
    names = {rule.name for rule in (*skills.ALL, *weapons.ALL)}
    assert {name for name in names if one_spelling(name) != name} == set()


@pytest.mark.rule("bf.weapon.sniper")
def test_no_card_prints_a_rule_of_weapons_among_its_skills():
    known = RULESET.registry
    strays = {
        (card.id, ref.name)
        for card in family("battlefield").catalogue
        for ref in card.skills
        if ref.name not in known.skills and ref.name in known.weapon_rules
    }
    assert not strays
