"""Bunkers, strongpoints, trenches, wire, mines and engineers (bf.fort.*, bf.engineer.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust_open.places import at
from rulesets.battlefield.field import RED, Field, Fort, box
from rulesets.dust1947.table import aircraft, hero, kill, knife, squad, support, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 6)
BUNKER = Fort("bunker", RED, 180, int(at(900, 400)))  # faces south: its slit at y 475, its doors at y 325
STRONG = Fort("strongpoint", RED, 180, int(at(900, 400)))


def held(fort=BUNKER, card=None):
    field = Field(forts=[fort])
    return field, field.put(
        card or squad(RIFLE, knife(), men=3), (900, 440), RED, others=[(870, 440), (930, 440)] if card is None else ()
    )


@pytest.mark.rule("bf.fort.bunker_vision", "bf.fort.strongpoint_vision")
@pytest.mark.parametrize(
    "fort, place, seen",
    [
        (BUNKER, (900, 800), True),
        (BUNKER, (1300, 460), True),
        (BUNKER, (1300, 360), False),
        (BUNKER, (900, 100), False),
        (STRONG, (900, 100), True),
    ],
)
def test_a_bunker_has_a_blind_side_and_a_strongpoint_none(fort, place, seen):
    field, inside = held(fort)
    men = field.put(squad(RIFLE, men=1), place)
    assert field.sees(men, inside) is field.sees(inside, men) is seen


@pytest.mark.rule("bf.fort.los_block")
@pytest.mark.parametrize("fort", [BUNKER, STRONG])
def test_nobody_looks_across_a_fortification(fort):
    field = Field(forts=[fort])
    assert not field.sees(field.put(squad(RIFLE, men=1), (900, 520)), field.put(squad(men=1), (900, 290), RED))


@pytest.mark.rule("bf.fort.bunker_walls", "bf.fort.strongpoint_walls", "bf.fort.infantry_only")
def test_who_gets_in_and_where():
    field = Field(forts=[BUNKER])
    behind = field.put(squad(RIFLE, men=1), (900, 290), RED)
    before = field.put(squad(RIFLE, men=1), (900, 520), RED)
    assert field.may_go(behind, (900, 400)) and "bunker" in field.why_not(before, (900, 440))
    field.put(squad(men=1), (850, 400))
    assert not field.may_go(behind, (900, 400))  # an enemy holds it
    strong = Field(forts=[STRONG])
    assert strong.may_go(strong.put(squad(RIFLE, men=1, move=3), (900, 520)), (900, 420))
    assert not strong.may_go(strong.put(squad(RIFLE, men=1, move=3), (950, 650)), (950, 420))  # slowed to 20 cm
    assert not strong.may_go(strong.put(vehicle(), (1100, 400)), (950, 400))


@pytest.mark.rule("bf.fort.bunker_save", "bf.fort.strongpoint_save")
@pytest.mark.parametrize(
    "fort, dice, left", [(BUNKER, "AA TA S", 3), (BUNKER, "AA TA T", 2), (STRONG, "AA TA S", 2), (STRONG, "AA TA A", 3)]
)
def test_failed_saves_are_rolled_again_behind_walls(fort, dice, left):
    field, inside = held(fort)
    men = field.put(squad(RIFLE, men=1), (900, 900))
    field.attack(men, inside, dice=dice)
    assert len(inside.main.alive) == left


@pytest.mark.rule("bf.fort.cc_reach", "bf.fort.cc_save_bunker", "bf.fort.cc_save_strongpoint")
@pytest.mark.parametrize("fort, left", [(BUNKER, 2), (STRONG, 1)])
def test_blows_at_the_slit_and_what_the_walls_save(fort, left):
    field, inside = held(fort)
    men = field.put(squad(knife("3/1"), men=1), (900, 500))
    aside = field.put(squad(knife("3/1"), men=1), (1025, 400))
    assert field.may_aim(aside, "Knife", inside) is (fort is STRONG)
    field.attack(men, None, dice="AAA SAT", declare={"Knife": inside}, retaliate=None)
    assert len(inside.main.alive) == left


@pytest.mark.rule("bf.fort.main_weapon")
@pytest.mark.parametrize("place, able", [((1000, 800), True), ((1350, 700), False)])
def test_the_main_weapon_fires_45_degrees_to_each_side(place, able):
    card = squad(
        weapon("Nest Gun", "4/1", 9, crewed=True, count=1), RIFLE, men=3, skills="Strongpoint", kind="fortification"
    )
    field = Field(forts=[BUNKER])
    nest = field.put(card, (900, 420), RED, heading=180)
    foe = field.put(squad(men=3), place)
    assert field.may_aim(nest, "Nest Gun", foe) is able and field.may_aim(nest, "Rifle", foe)


@pytest.mark.rule("bf.fort.no_aa", "bf.fort.no_artillery")
def test_neither_flak_nor_artillery_from_a_bunker():
    field, inside = held(card=squad(weapon("Gun", "2/1", 9), weapon("Mortar", "2/1", 9, "Artillery"), men=1))
    plane, foe = field.put(aircraft(skills="Helicopter"), (900, 800)), field.put(squad(men=3), (1000, 800))
    assert not field.may_aim(inside, "Gun", plane) and field.may_aim(inside, "Gun", foe)
    assert field.aims(inside, "Mortar") == []


@pytest.mark.rule("bf.fort.special_actions")
def test_no_medic_reaches_out_of_a_bunker():
    medic = squad(men=3, skills="Command Squad", roles={1: "medic"})
    field = Field(forts=[BUNKER])
    inside = field.put(medic, (900, 420), RED)
    outside = field.put(squad(men=4), (900, 510), RED)
    kill(outside, 3)
    field.rules.ground.regroup(field.state, outside)
    assert field.rules.command.to_heal(field.play, inside) == []


@pytest.mark.rule("bf.fort.trench")
def test_a_trench_covers_in_open_view():
    field = Field(box("trench", 800, 380, 300, 60))
    foe = field.put(squad(men=6), (900, 410), RED, others=[(870, 410), (930, 410), (960, 410), (840, 410), (990, 410)])
    men = field.put(squad(weapon("Rifle", "4/1", 6), men=1), (900, 800))
    game = field.attack(men, foe, dice="AAAA ASTT")
    assert "cover save" in game.labels and len(foe.main.alive) == 4


@pytest.mark.rule("bf.fort.spacing", "bf.fort.placement")
@pytest.mark.parametrize(
    "place, able",
    [
        ((900, 175), True),
        ((900, 174), False),
        ((199, 300), False),
        ((200, 300), True),
        ((1300, 300), True),
        ((1299, 300), False),
    ],
)
def test_how_far_a_fortification_keeps_from_edges_and_others(place, able):
    field = Field(
        forts=[Fort("bunker", RED, 180, int(at(900 if place[0] != 900 else 300, 300 if place[0] != 900 else 700)))]
    )
    new = Fort("strongpoint", RED, 180, int(at(*place)))
    assert (field.rules.setup.fort_problem(field.state, new) is None) is able


@pytest.mark.rule("bf.fort.placement")
def test_no_fortification_on_an_objective():
    field = Field(objectives={"the gate": (900, 500)})
    assert "objective" in field.rules.setup.fort_problem(field.state, Fort("bunker", RED, 180, int(at(900, 500))))


@pytest.mark.rule("bf.fort.cost", "bf.open.free_strongpoint_worth")
def test_what_fortifications_are_worth():
    assert BUNKER.worth == 15 and STRONG.worth == 10


@pytest.mark.rule("bf.fort.strongpoint_units", "bf.skill.strongpoint")
def test_a_strongpoint_unit_starts_inside():
    field = Field(forts=[STRONG])
    nest = field.put(squad(RIFLE, men=3, skills="Strongpoint", kind="fortification"), None, RED)
    field.run(field.rules.works.man(field.play, nest), man_fortification=STRONG.place)
    assert nest.on_board and field.rules.fort_rules.fort_of(field.state, nest) == STRONG
    bare = Field()
    lost = bare.put(squad(RIFLE, men=3, skills="Strongpoint", kind="fortification"), None, RED)
    bare.run(bare.rules.works.man(bare.play, lost))
    assert lost.status == "lost"


@pytest.mark.rule("bf.fort.scenario_free")
def test_wire_mines_and_trenches_are_pieces_of_a_scenario():
    from dieselfront.rulesets.battlefield import RULESET

    assert {"wire", "minefield", "trench"} <= set(RULESET.terrain)


# -- wire and mines -----------------------------------------------------------------------------------


@pytest.mark.rule("bf.fort.wire_move")
@pytest.mark.parametrize("die, through", [("A", True), ("S", False), ("T", False)])
def test_wire_holds_infantry_that_may_still_attack(die, through):
    field = Field(box("wire", 700, 700, 400, 20))
    men = field.put(squad(RIFLE, men=1), (900, 800))
    foe = field.put(squad(men=3), (900, 300), RED)
    game = field.activate(men, "move", "attack", dice=f"{die} SS", target=foe, move=(900, 640))
    assert (field.points(men)[0][1] == 640) is through and "to hit" in game.labels


@pytest.mark.rule("bf.fort.wire_move")
def test_wire_holds_infantry_for_the_rest_of_its_march():
    field = Field(box("wire", 700, 700, 400, 20))
    men = field.put(squad(RIFLE, men=1, move=2), (900, 800))
    field.put(squad(RIFLE, men=1), (900, 450), RED)
    game = field.activate(men, "march", dice="S", march_first=(900, 640), march=(900, 560), react=None)
    assert "march" not in game.asked and field.points(men)[0][1] > 700


@pytest.mark.rule("bf.open.wire_vehicles")
def test_vehicles_roll_no_die_for_wire_and_are_slowed():
    field = Field(box("wire", 700, 700, 400, 20))
    walker = field.put(vehicle(move=3), (900, 850))
    assert field.may_go(walker, (900, 650)) and not field.may_go(walker, (900, 640))
    field.activate(walker, "move", move=(900, 650, 0))
    assert field.state.table.pieces_of("wire")


@pytest.mark.rule("bf.fort.mine_attack", "bf.open.minefield_attack")
def test_mines_roll_for_every_miniature_once_an_action():
    field = Field(box("minefield", 700, 700, 400, 60))
    men = field.put(squad(RIFLE, men=5), (900, 830))
    game = field.activate(men, "move", dice="AASSS AT", move=(900, 670))
    assert game.dice("to hit") == [5] and len(men.main.alive) == 4 and men.under_fire
    tank = field.put(vehicle(damage=5, move=2), (1000, 850))
    field.activate(tank, "move", dice="A", move=(1000, 730, 0))
    assert tank.main.damage == 2
    flyer = field.put(squad(men=1, skills="Flying"), (800, 830))
    field.activate(flyer, "move", move=(800, 670))


@pytest.mark.rule("bf.fort.wire_cut")
@pytest.mark.parametrize("die, left", [("A", 0), ("S", 1)])
def test_infantry_cuts_wire_and_may_go_on_if_it_fails(die, left):
    field = Field(box("wire", 700, 700, 400, 20))
    men = field.put(squad(RIFLE, men=1), (900, 780))
    foe = field.put(squad(men=3), (900, 300), RED)
    game = field.activate(
        men, "special:engineering", "attack", dice=f"{die} SS", target=foe, engineering=lambda d: d.options[0]
    )
    assert len(field.state.table.pieces_of("wire")) == left and "to hit" in game.labels


@pytest.mark.rule("bf.fort.mine_clear")
@pytest.mark.parametrize("dice, left", [("A", 0), ("S SSS", 1)])
def test_infantry_clears_mines_or_sets_them_off(dice, left):
    field = Field(box("minefield", 700, 700, 400, 20))
    men = field.put(squad(RIFLE, men=3), (900, 800))
    field.activate(men, "special:engineering", dice=dice, engineering=lambda d: d.options[0])
    assert len(field.state.table.pieces_of("minefield")) == left and men.suppressed is bool(left)


# -- engineers ----------------------------------------------------------------------------------------


@pytest.mark.rule("bf.engineer.cut_wire", "bf.vehicle.engineer")
def test_claws_cut_wire_paired_ones_with_two_dice():
    field = Field(box("wire", 700, 700, 400, 20))
    walker = field.put(vehicle(weapon("Claws", "1/1", "C", "Grapple", count=2), skills="Engineer Vehicle"), (900, 780))
    game = field.activate(walker, "special:engineering", dice="TA", engineering=lambda d: d.options[0])
    assert game.dice("cutting wire") == [2] and not field.state.table.pieces_of("wire")
    plain = Field(box("wire", 700, 700, 400, 20))
    assert "engineering" not in plain.rules.activations.specials(plain.play, plain.put(vehicle(), (900, 780)))


@pytest.mark.rule("bf.engineer.clear_mines", "bf.engineer.fill_trench", "bf.vehicle.dozer_engineering")
@pytest.mark.parametrize("kind", ["minefield", "trench"])
@pytest.mark.parametrize("die, left", [("A", 0), ("T", 1)])
def test_a_dozer_clears_mines_and_fills_trenches(kind, die, left):
    field = Field(box(kind, 700, 700, 400, 20))
    dozer = field.put(vehicle(skills="Dozer Blade"), (900, 780))
    field.activate(dozer, "special:engineering", dice=die, engineering=lambda d: d.options[0])
    assert len(field.state.table.pieces_of(kind)) == left and dozer.main.damage == 0


@pytest.mark.rule("bf.engineer.bury_bunker", "bf.open.bury_strongpoint")
def test_a_dozer_buries_a_bunker_with_two_actions_and_no_strongpoint():
    field, inside = held()
    dozer = field.put(vehicle(skills="Dozer Blade"), (1060, 400))
    pick = lambda d: next(o for o in d.options if o[0] == "fort")  # noqa: E731
    game = field.activate(dozer, "special:engineering", "special:engineering", dice="A", engineering=pick)
    assert inside.status == "lost" and not field.state.forts and game.labels == ["burying"]
    field, _ = held(STRONG)
    dozer = field.put(vehicle(skills="Dozer Blade"), (1060, 400))
    assert "engineering" not in field.rules.activations.specials(field.play, dozer)


def test_a_flamer_ignores_a_bunker_of_its_own_kind():
    field, inside = held()
    men = field.put(squad(weapon("Flamer", "*/1", 2, "Flame"), men=1), (900, 560))
    assert field.rules.attacks.has_target(field.play, Attack(men)) and inside.alive


def test_support_weapons_and_heroes_are_infantry_too():
    field = Field(forts=[STRONG])
    gun = field.put(support(weapon("MG", "4/1", 6)), (900, 560), RED)
    joe = field.put(hero(), (800, 520), RED)
    assert field.may_go(gun, (900, 420)) and field.may_go(joe, (850, 400))
