"""Skills (bf.skill.*)."""

from __future__ import annotations

import pytest

from dieselfront.forces.dust_check import why_not_pilot
from dieselfront.forces.families import family
from dieselfront.rulesets.dust.state import CAMOUFLAGED, HIDDEN
from dieselfront.rulesets.dust1947.dice import TARGET
from rulesets.battlefield.field import RED, Field, box, disc
from rulesets.dust1947.table import hero, kill, knife, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)


def duel(attacker, defender, between: int = 200):
    field = Field()
    return field, field.put(attacker, (500, 700)), field.put(defender, (500, 700 - between), RED)


@pytest.mark.rule("bf.skill.lucky", "bf.open.reroll_limit")
def test_lucky_is_declared_before_the_dice_and_throws_every_miss_again_once_a_game():
    field, joe, foe = duel(hero(weapon("SMG", "5/1", 4), skills="Lucky"), squad(men=9))
    game = field.attack(joe, foe, dice="ASSTT AATS ASS", lucky=True)
    assert game.asked[:2] == ["declare", "lucky"] and game.hits == 3
    again = field.attack(joe, foe, dice="SSSSS")
    assert "lucky" not in again.asked
    field, joe, foe = duel(hero(weapon("SMG", "3/1", 4), skills="Lucky"), squad(men=9))
    game = field.attack(joe, foe, dice="SSS SSS AAS AA", lucky=True, sustained=True)
    assert game.hits == 2  # rolled three times in all


@pytest.mark.rule("bf.skill.move_and_fire", "bf.open.move_and_fire_extra")
def test_a_free_move_follows_a_ranged_attack_even_after_a_move():
    field, men, _ = duel(squad(RIFLE, skills="Move and Fire"), squad(men=3))
    menu = field.menu(men)
    assert ("move", "ranged-attack", "free:move") in menu and ("ranged-sustained", "free:move") in menu
    assert not any("close-attack" in sequence for sequence in menu)


@pytest.mark.rule("bf.skill.camouflage", "bf.open.camouflage_one_way")
@pytest.mark.parametrize("between, covered, seen", [(300, True, False), (299, True, True), (350, False, True)])
def test_camouflage_hides_a_unit_in_cover_from_thirty_centimetres_on(between, covered, seen):
    field = Field(*([box("trees", 400, 300, 300, 110)] if covered else []))
    sniper = field.put(squad(RIFLE, men=1, skills="Camouflage"), (500, 400), RED)
    sniper.set(CAMOUFLAGED)
    men = field.put(squad(RIFLE, men=1), (500, 400 + between + 25))
    assert field.may_aim(men, "Rifle", sniper) is seen
    assert field.may_aim(sniper, "Rifle", men)


@pytest.mark.rule("bf.skill.camouflage_end")
@pytest.mark.parametrize(
    "actions, kept", [(("move",), True), ((), True), (("march",), False), (("special:camouflage",), True)]
)
def test_what_ends_camouflage(actions, kept):
    field = Field()
    unit = field.put(squad(RIFLE, men=1, skills="Camouflage"), (500, 900))
    unit.set(CAMOUFLAGED)
    field.activate(unit, *actions, move=(500, 850), march=(500, 850))
    assert unit.is_(CAMOUFLAGED) is kept


@pytest.mark.rule("bf.open.camouflage_rejoin")
def test_a_hero_who_is_seen_gives_the_unit_away():
    field = Field(box("trees", 400, 300, 300, 160))
    unit = field.put(squad(RIFLE, men=1, skills="Camouflage"), (500, 400), RED)
    unit.set(CAMOUFLAGED)
    men = field.put(squad(weapon("Rifle", "2/1", 6), men=1), (500, 800))
    assert not field.may_aim(men, "Rifle", unit)
    joe = field.put(hero(), (540, 400), RED)
    field.rules.heroes.couple(field.play, unit, joe)
    assert field.may_aim(men, "Rifle", unit)


@pytest.mark.rule("bf.skill.assassin")
def test_an_assassin_picks_whom_his_blows_fell():
    field = Field()
    killer = field.put(hero(knife("2/1"), skills="Assassin"), (500, 500))
    foe = field.put(squad(men=3), (500, 460), RED, others=[(475, 470), (525, 470)])
    game = field.attack(killer, None, dice="AA", declare={"Knife": foe}, casualty=[0, 1])
    casualties = [d for d in game.decisions if d.key == "casualty"]
    assert foe.main.alive == (2,) and all(d.player == 0 for d in casualties)


@pytest.mark.rule("bf.skill.berserk", "bf.skill.killing_spree", "bf.weapon.cutting", "bf.weapon.laser")
@pytest.mark.parametrize(
    "card, name, between",
    [
        (hero(knife("2/1"), skills="Berserk"), "Knife", 70),
        (hero(weapon("SMG", "2/1", 4), skills="Killing Spree"), "SMG", 200),
        (hero(weapon("Saw", "2/1", "C", "Cutting")), "Saw", 70),
        (squad(weapon("Laser", "2/1", 4, "Laser"), men=1), "Laser", 200),
    ],
)
def test_hits_give_more_dice_until_none_hits(card, name, between):
    field, unit, foe = duel(card, vehicle(damage=9, armour=2), between)
    game = field.attack(unit, None, dice="AA AS T", declare={name: foe})
    assert game.hits == 3


@pytest.mark.rule("bf.skill.first_strike")
def test_first_strike_kills_before_the_others_strike():
    field = Field()
    men = field.put(squad(knife("1/1"), men=4), (500, 500), others=[(470, 500), (530, 500), (560, 500)])
    foe = field.put(squad(knife("1/1"), men=2, skills="First Strike"), (500, 460), RED, others=[(530, 460)])
    game = field.attack(men, foe, dice="AA SS", retaliate=men)
    assert game.dice("to hit") == [2, 2] and len(men.main.alive) == 2


@pytest.mark.rule("bf.skill.cheat_death", "bf.open.cheat_death_repeat")
def test_a_hero_may_cheat_death_again_and_again():
    field, gun, joe = duel(vehicle(weapon("Gun", "1/#", 8)), hero(skills="Cheat Death"), 300)
    for _ in range(2):
        field.attack(gun, joe, dice="A T S")
        assert joe.alive and joe.main.left == 1 and joe.stunned
    field.attack(gun, joe, dice="A T T")
    assert joe.status == "lost"


@pytest.mark.rule("bf.skill.damage_resilient_squad", "bf.skill.damage_resilient_sharing")
def test_resilient_squads_roll_for_each_unsaved_hit_and_lend_it_to_nobody():
    field, men, foe = duel(squad(RIFLE, men=2), squad(men=6, skills="Damage Resilient"))
    game = field.attack(men, foe, dice="AAAS TTT AST")
    assert len(foe.main.alive) == 4 and "bf.skill.damage_resilient_squad" in game.rules
    field = Field()
    unit = field.put(squad(men=3), (500, 400), RED, joined=hero(skills="Damage Resilient"))
    shot = field.shots(field.put(squad(RIFLE, men=1), (500, 700)), "Rifle", unit)[0]
    negation = field.rules.saves.negation
    assert negation(field.play, shot, unit.parts[0]) is None and negation(field.play, shot, unit.parts[1]) is not None


@pytest.mark.rule("bf.skill.defensive_tactics")
@pytest.mark.parametrize("covered", [True, False])
def test_defensive_tactics_makes_resilient_in_cover(covered):
    field = Field(*([box("trees", 400, 300, 300, 110)] if covered else []))
    foe = field.put(squad(men=3, skills="Defensive Tactics"), (500, 390), RED)
    shot = field.shots(field.put(squad(RIFLE, men=1), (500, 700)), "Rifle", foe)[0]
    shot = field.rules.attacks.pools_of(field.play, shot)[0]
    assert (field.rules.saves.negation(field.play, shot, foe.main) is not None) is covered


@pytest.mark.rule("bf.skill.expert", "bf.open.expert_sharing", "bf.skill.take_aim", "bf.skill.fighting_spirit")
def test_more_faces_hit():
    field, joe, foe = duel(hero(weapon("Bazooka", "2/1", 6), skills="Expert: Bazooka"), squad(men=5))
    assert field.attack(joe, foe, dice="TS T").hits == 1
    field, unit, foe = duel(squad(RIFLE, men=1), squad(men=5))
    unit.parts.append(type(unit.main)(hero(skills="Expert: Rifle"), "joined"))
    field.rules.index(unit)
    assert field.rules.attacks.plan_hits(field.play, field.shots(unit, "Rifle", foe)[0]).faces == 1
    field, joe, foe = duel(hero(weapon("SMG", "2/1", 6), skills="Take Aim"), squad(men=5))
    assert field.attack(joe, foe, dice="TS S T", sustained=True).hits == 1
    field, men, foe = duel(squad(RIFLE, men=1, skills="Fighting Spirit"), squad(men=5))
    assert field.attack(men, foe, dice="TA TT", fighting_spirit=True).hits == 2
    assert "fighting-spirit" not in field.attack(men, foe, dice="SS").asked


EXPERTS = [
    ("ssu-koshka", "ssu-grand-ma", ["VK-916 45mm Howitzer", "Heavy Sulphur Jet"]),
    ("axis-sigrid-von-thaler-pilot", "axis-snow-lynx", ["Dual 7.5cm FPKZW Guns"]),
]


@pytest.mark.rule("bf.skill.expert")
@pytest.mark.parametrize("pilot, machine, weapons", EXPERTS)
def test_printed_experts_know_every_weapon_that_their_card_names(pilot, machine, weapons):
    cards = family("battlefield").catalogue
    driver, tank = cards[pilot], cards[machine]
    field = Field()
    assert why_not_pilot(driver, tank) == [] and field.rules.heroes.may_pilot(driver, tank) is None
    unit = field.put(tank, (500, 700), pilot=driver)
    foe = field.put(squad(men=3), (500, 590), RED)
    attacks = field.rules.attacks
    in_use = [line.name for line in tank.weapons if not line.close]
    shots = {name: field.shots(unit, name, foe)[0] for name in in_use}
    assert [name for name in in_use if attacks.plan_hits(field.play, shots[name]).faces & TARGET] == weapons


@pytest.mark.rule("bf.skill.zombie_save", "bf.skill.steel_guard")
@pytest.mark.parametrize("nature", ["Zombie", "Steel Guard"])
def test_hard_skins_save_on_shields_and_never_by_cover(nature):
    field = Field(box("trees", 400, 300, 300, 110))
    foe = field.put(squad(men=6, skills=nature), (500, 390), RED)
    men = field.put(squad(weapon("Rifle", "4/1", 4), men=1), (500, 700))
    game = field.attack(men, foe, dice="AAAA ASST")
    assert "infantry save" in game.labels and len(foe.main.alive) == 5


@pytest.mark.rule("bf.skill.zombie_limits")
def test_zombies_take_neither_tokens_nor_orders_nor_rides():
    field, men, foe = duel(squad(weapon("Gatling", "10/1", 6), men=1), squad(men=12, skills="Zombie"))
    field.attack(men, foe, dice="A" * 10 + " " + "A" * 10)
    assert not foe.tokens() and not field.rules.command.may_receive("get-moving", foe)
    truck = field.put(vehicle(skills="Passengers (20)"), (900, 500), RED)
    assert not field.rules.transport.fits(field.play, foe, truck)


@pytest.mark.rule("bf.skill.mindless_zombie", "bf.skill.blutkreuz", "bf.open.blutkreuz_march", "bf.skill.resurrection")
def test_mindless_zombies_and_the_one_who_drives_them():
    field = Field()
    leader = field.put(hero(skills="Blutkreuz, Resurrection"), (500, 500))
    zombies = field.put(squad(knife(), men=6, move=1, skills="Mindless Zombie, Zombie"), (500, 560))
    assert field.rules.victory.standing(field.play, zombies) == "contest"
    game = field.activate(zombies, actions=lambda d: ())
    options = next(d for d in game.decisions if d.key == "actions").options
    assert ("march", "free:close-attack") in options and "bf.skill.blutkreuz" in game.rules
    zombies.set(1 << 18)
    assert field.pace(zombies) == (3, 4)
    kill(zombies, 2, 3, 4, 5)
    field.rules.ground.regroup(field.state, zombies)
    field.activate(leader, "special:resurrection", dice="ASTT", returning=lambda d: d.options[0])
    assert len(zombies.main.alive) == 4


@pytest.mark.rule("bf.skill.spy")
@pytest.mark.parametrize("dice, actions", [("AT", 1), ("AA", 2), ("ST", 0)])
def test_a_spy_appears_beside_an_enemy(dice, actions):
    field = Field()
    foe = field.put(squad(men=3), (500, 500), RED)
    spy = field.put(hero(RIFLE, skills="Spy"), status="off")
    spy.set(HIDDEN)
    field.activate(
        spy, dice=dice, spy_revealed=True, spy_appears=lambda d: next(iter(d.answers())), actions=lambda d: ()
    )
    assert spy.on_board is bool(actions) and spy.activated
    if actions:
        assert field.rules.ground.near(field.state, spy, foe, 1)


@pytest.mark.rule("bf.skill.officer")
def test_an_officer_hero_gives_orders():
    field = Field()
    officer = field.put(hero(skills="Officer"), (500, 500))
    field.put(squad(men=3), (500, 600), tokens="activated")
    assert "get-moving" in field.rules.activations.specials(field.play, officer)


@pytest.mark.rule("bf.open.card_skills")
def test_skills_that_these_rules_do_not_describe_have_no_effect():
    from dieselfront.rulesets.battlefield.setup import plain_card

    card = squad(men=3, skills="Assault Shield, Brave")
    assert [skill.name for skill in plain_card(card).skills] == ["Brave"]


@pytest.mark.rule("bf.vehicle.smoke_launchers", "bf.weapon.smoke_screen")
def test_smoke_launchers_work_once_for_an_action_and_the_screen_lasts_a_turn():
    field = Field()
    tank = field.put(vehicle(skills="Smoke Launchers"), (500, 500))
    field.activate(tank, "special:launch-smoke")
    assert len(field.state.table.pieces_of("smoke")) == 1
    assert "launch-smoke" not in field.rules.activations.specials(field.play, tank)
    field.end_turn()
    assert field.state.table.pieces_of("smoke")
    field.state.turn += 1
    field.end_turn()
    assert not field.state.table.pieces_of("smoke")


@pytest.mark.rule("bf.weapon.smoke_screen", "bf.cover.area_terrain")
def test_smoke_covers_as_area_terrain():
    field = Field(disc("smoke", 500, 500, 75))
    rifles = field.put(squad(RIFLE, men=1), (500, 800))
    inside = field.put(squad(men=1), (500, 500), RED)
    beside = field.put(squad(men=1), (700, 500), RED)
    assert field.in_cover(rifles, inside) and not field.in_cover(rifles, beside)
