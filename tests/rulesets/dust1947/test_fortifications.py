"""Fortifications: buying, placing, manning, getting in and out, seeing, shooting, fighting (d47.fort.*)."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront.kernel.record import Header
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.state import RESERVE, Unit
from dieselfront.rulesets.dust1947 import RULESET, fortifications
from dieselfront.rulesets.dust1947 import scenario as scenarios
from dieselfront.rulesets.dust1947.fortifications import Fort, fort_of, layout
from dieselfront.rulesets.dust1947.scenario import ScenarioError
from dieselfront.table.square import Mover, Occupancy, SquareTable
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, hero, knife, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 12)
KNIFE = knife("3/1")


def fortress(kind: str = "bunker", *terrain: str, facing: str = "north", side: int = RED, **more: Any) -> Table:
    """A fortification on D4-G7 of a 14x14 board; facing north its interior is E5 and F5."""
    spec = {"kind": kind, "side": side, "at": "D4", "facing": facing}
    table = Table(*terrain, size=(14, 14), fortifications=[spec], **more)
    table.raise_forts()
    return table


def named(table: Table, places: Any) -> set[str]:
    return {table.state.table.name(place) for place in places}


def crew(*weapons: Any, **facts: Any) -> Any:
    """A strongpoint unit."""
    facts = {"men": 4, "move": 0, "march": 0, "damage": 4, "locomotion": "immobile", "kind": "fortification"} | facts
    skills = facts.pop("skills", "Strongpoint, Support Weapon")
    return squad(weapon("Field Gun", "2/2", 12, count=1, crewed=True), *weapons, skills=skills, **facts)


def ends(table: Table, unit: Unit, budget: int) -> set[str]:
    return named(table, table.rules.movement.reach(table.play, unit, budget, "move").costs)


# -- footprint --------------------------------------------------------------------------------------


@pytest.mark.rule("d47.fort.area", "d47.open.fort_footprint")
@pytest.mark.parametrize(
    "facing, interior", [(0, {"E5", "F5"}), (1, {"F5", "F6"}), (2, {"E6", "F6"}), (3, {"E5", "E6"})]
)
def test_four_by_four_squares_hold_two_across_the_facing_in_the_second_row(facing, interior):
    board = SquareTable(14, 14, {})
    footprint, inside = layout(board, board.square("D4"), facing)
    assert len(footprint) == 16
    assert {board.name(place) for place in inside} == interior


@pytest.mark.rule("d47.open.fort_footprint")
def test_a_scenario_may_give_another_footprint_and_interior():
    spec = {"kind": "bunker", "side": 1, "at": "D4-F6", "interior": "E5", "facing": "north"}
    table = Table(size=(14, 14), fortifications=[spec])
    table.raise_forts()
    (fort,) = table.state.forts
    assert len(fort.footprint) == 9
    assert named(table, fort.interior) == {"E5"}


@pytest.mark.rule("d47.fort.area")
def test_range_is_counted_to_the_square_inside():
    table = fortress()
    inside, outside = table.put(squad(men=1), "E5", RED), table.put(squad(RIFLE, men=1), "E1")
    assert table.rules.ground.distance(table.state, outside, inside) == 4


# -- buying, placing, manning -----------------------------------------------------------------------


def header(blue: list[Any], red: list[Any], **scenario: Any) -> Header:
    plain = {
        "id": "t",
        "name": "t",
        "board": {"size": [16, 16]},
        "deploy": [{"squares": "A1-P7", "facing": "south"}, {"squares": "A10-P16", "facing": "north"}],
        "turns": 4,
        "points": 100,
    }
    forces = [
        {"name": name, "cards": {card.id: card for card in cards}, "units": [{"cards": [card.id]} for card in cards]}
        for name, cards in (("Blue", blue), ("Red", red))
    ]
    return Header("dust1947", "1", plain | scenario, forces, ["a", "b"])


def deploying(blue: list[Any], red: list[Any], **scenario: Any) -> Table:
    """A table whose game is about to be set up."""
    table = Table()
    table.state = RULESET.new_state(header(blue, red, **scenario))
    table.play.state = table.state
    return table


def deploy_next(table: Table, **answers: Any) -> Any:
    return table.run(table.rules.setup.deploy(table.play), **answers)


@pytest.mark.rule("d47.fort.placement_free_or_paid")
@pytest.mark.parametrize("kind, price, left", [("bunker", 15, 85), ("strongpoint", 10, 90)])
def test_an_optional_fortification_is_paid_for(kind, price, left):
    table = deploying([], [], fortifications=[{"kind": kind, "side": 0, "optional": True}])
    assert table.rules.works.points_left(table.play, BLUE) == 100
    game = deploy_next(table, buy_fortification=True, place_fortification="C3 S")
    assert game.asked == ["buy-fortification", "place-fortification"]
    assert table.rules.works.points_left(table.play, BLUE) == left
    assert [fort.kind for fort in table.state.forts] == [kind]
    assert any(event.rule == "d47.fort.placement_free_or_paid" for event in game.of(Happened))


@pytest.mark.rule("d47.fort.placement_free_or_paid")
def test_an_optional_fortification_may_be_declined_or_too_dear():
    optional = [{"kind": "bunker", "side": 0, "optional": True}]
    table = deploying([], [], fortifications=optional)
    deploy_next(table, buy_fortification=False)
    assert table.state.forts == ()
    table = deploying([squad(points=90)], [], fortifications=optional)
    game = deploy_next(table)
    assert game.asked == []
    assert table.state.forts == ()


@pytest.mark.rule("d47.fort.placement_free_or_paid")
def test_an_assigned_fortification_is_free():
    table = deploying([squad(points=100)], [], fortifications=[{"kind": "bunker", "side": 0, "at": "C3"}])
    assert table.rules.works.points_left(table.play, BLUE) == 0
    assert named(table, table.state.forts[0].footprint) >= {"C3", "F6"}
    assert table.state.table.has(table.state.forts[0].interior[0], "bunker")


@pytest.mark.rule("d47.fort.strongpoint_unit_included")
def test_a_strongpoint_unit_brings_a_strongpoint_or_for_five_points_a_bunker():
    plain, upgraded = crew(points=20), crew(points=25)
    import msgspec

    upgraded = msgspec.structs.replace(upgraded, id=upgraded.id + "+bunker")
    table = deploying([plain, upgraded], [])
    assert [(fort.kind, fort.unit) for fort in table.state.forts] == [("strongpoint", "a1"), ("bunker", "a2")]
    from dieselfront.forces import dust_catalogue

    card = dust_catalogue()["allies-field-phaser"]
    assert {option.name: option.points for option in card.options} == {"Strongpoint": 0, "Bunker": 5}


@pytest.mark.rule("d47.fort.placement")
def test_fortifications_are_placed_before_any_unit_in_their_owners_area():
    table = deploying([squad()], [squad()], fortifications=[{"kind": "bunker", "side": 1}])
    game = deploy_next(table, place_fortification="C11 N")
    asked = game.decisions[0]
    assert (asked.key, asked.player) == ("place-fortification", RED)
    area = set(scenarios.squares(table.state.table, "A10-P16"))
    for corner in asked.spots:
        assert set(layout(table.state.table, corner, 0)[0]) <= area
    assert deploy_next(table, deploy_unit="a1", deploy="A1").asked == ["deploy"]


@pytest.mark.rule("d47.fort.placement")
def test_no_fortification_stands_on_an_objective_unless_the_scenario_says_so():
    goal = [{"name": "hill", "squares": "D4", "points": 1}]
    spec = {"kind": "bunker", "side": 0, "at": "C3"}
    with pytest.raises(ScenarioError, match="objective"):
        deploying([], [], fortifications=[spec], objectives=goal)
    deploying([], [], fortifications=[spec | {"over_objectives": True}], objectives=goal)


@pytest.mark.rule("d47.fort.spacing")
@pytest.mark.parametrize(
    "at, terrain, legal",
    [
        ("C3", [], True),
        ("A3", [], False),
        ("B2", [], True),
        ("C1", [], False),
        ("C3", ["structure at H4"], True),
        ("C3", ["structure at G4"], False),
        ("C3", ["structure at G7"], False),
        ("C3", ["rubble at D4"], False),
    ],
)
def test_a_fortification_keeps_its_distance_from_edges_and_impassable_terrain(at, terrain, legal):
    board = {"size": [16, 16], "terrain": terrain}
    spec = [{"kind": "bunker", "side": 0, "at": at}]
    if legal:
        deploying([], [], board=board, fortifications=spec)
    else:
        with pytest.raises(ScenarioError, match="cannot stand there"):
            deploying([], [], board=board, fortifications=spec)


@pytest.mark.rule("d47.fort.spacing")
@pytest.mark.parametrize("second, legal", [("I3", True), ("H3", False), ("C9", True), ("C8", False)])
def test_two_squares_lie_between_fortifications(second, legal):
    specs = [{"kind": "bunker", "side": 0, "at": "C3"}, {"kind": "strongpoint", "side": 0, "at": second}]
    if legal:
        deploying([], [], fortifications=specs)
    else:
        with pytest.raises(ScenarioError, match="any other fortification"):
            deploying([], [], fortifications=specs)


@pytest.mark.rule("d47.fort.placement", "d47.open.fort_footprint")
def test_where_the_area_is_too_small_the_interior_alone_stands_for_the_fortification():
    zones = [{"squares": "A1-P2", "facing": "south"}, {"squares": "A15-P16"}]
    table = deploying([crew()], [], deploy=zones)
    deploy_next(table, place_fortification="C1 S")
    (fort,) = table.state.forts
    assert fort.footprint == fort.interior
    assert named(table, fort.interior) == {"C1", "D1"}


@pytest.mark.rule("d47.skill.strongpoint", "d47.fort.strongpoint_deploy", "d47.fort.full")
def test_a_strongpoint_unit_starts_inside_its_fortification_and_fills_it():
    table = deploying([crew()], [])
    deploy_next(table, place_fortification="C3 E")
    deploy_next(table)
    unit = table.state.units[0]
    assert unit.where == table.state.forts[0].interior
    assert unit.facing == 1
    friend = Unit("a9", BLUE, [type(unit.main)(squad(men=2))])
    table.rules.index(friend)
    table.state.add(friend)
    table.rules.ground.put(table.state, friend, table.at("B4"), None)
    assert not ends(table, friend, 3) & named(table, unit.where)


@pytest.mark.rule("d47.skill.strongpoint", "d47.fort.strongpoint_deploy")
def test_a_strongpoint_unit_without_a_fortification_cannot_be_deployed():
    zones = [{"squares": "A1-A1", "facing": "south"}, {"squares": "A15-P16"}]
    table = deploying([crew()], [], deploy=zones)
    deploy_next(table)
    game = deploy_next(table)
    assert not table.state.units[0].alive
    assert "d47.fort.strongpoint_deploy" in game.rules


@pytest.mark.rule("d47.fort.infantry_only")
def test_infantry_may_start_inside_and_vehicles_may_not():
    table = deploying([squad(), vehicle()], [], fortifications=[{"kind": "bunker", "side": 0, "at": "C3"}])
    men, tank = table.state.units
    inside = set(table.state.forts[0].interior)
    assert inside <= set(table.rules.setup.spots(table.play, men))
    assert not inside & set(table.rules.setup.spots(table.play, tank))


@pytest.mark.rule("d47.fort.strongpoint_deploy", "d47.reserve.eligible")
def test_a_strongpoint_unit_never_goes_into_reserve():
    table = fortress(reserve=2)
    table.state.sides[RED].reserves_left = 2
    unit = table.put(crew(), "E5", RED)
    shooter = table.put(squad(weapon("Flame", "9/1", 6, "Flame"), men=1), "E1")
    game = table.run(table.rules.damage.eliminate(table.play, unit))
    assert game.asked == []
    assert unit.status != RESERVE and shooter.alive


# -- getting in and out -----------------------------------------------------------------------------


@pytest.mark.rule("d47.fort.bunker_walls")
@pytest.mark.parametrize("at, gets_in", [("E8", True), ("D8", True), ("H5", False), ("E3", False), ("C6", False)])
def test_a_bunker_is_entered_only_through_its_rear_doors(at, gets_in):
    table = fortress("bunker")
    men = table.put(squad(), at, RED)
    assert bool(ends(table, men, 1) & {"E5", "F5"}) is gets_in


@pytest.mark.rule("d47.fort.bunker_walls")
def test_a_bunker_is_not_entered_while_an_enemy_is_inside():
    table = fortress("bunker")
    men = table.put(squad(), "E8", BLUE)
    assert {"E5", "F5"} <= ends(table, men, 1)
    table.put(squad(), "E5", RED)
    assert not ends(table, men, 3) & {"E5", "F5"}


@pytest.mark.rule("d47.fort.bunker_walls")
def test_a_bunker_is_left_through_its_rear_doors():
    table = fortress("bunker")
    men = table.put(squad(), "E5", RED)
    assert ends(table, men, 1) == {"E5", "F5", "D8", "E8", "F8", "G8"}


@pytest.mark.rule("d47.fort.bunker_walls", "d47.skill.flying_move")
def test_flying_troops_use_the_doors_of_a_bunker_too():
    table = fortress("bunker")
    flyers = table.put(squad(skills="Flying", move=4), "E2", RED)
    assert not ends(table, flyers, 6) & {"E5", "F5"}
    inside = table.put(squad(skills="Flying"), "E5", RED)
    assert ends(table, inside, 1) == {"E5", "F5", "D8", "E8", "F8", "G8"}


@pytest.mark.rule("d47.fort.strongpoint_walls")
@pytest.mark.parametrize("at", ["E8", "H5", "E3", "C6", "C3"])
def test_a_strongpoint_is_entered_from_every_side(at):
    table = fortress("strongpoint")
    men = table.put(squad(), at, RED)
    assert {"E5", "F5"} <= ends(table, men, 1)


@pytest.mark.rule("d47.fort.strongpoint_walls", "d47.fort.area")
def test_a_strongpoint_is_left_on_every_side_with_one_step():
    table = fortress("strongpoint")
    men = table.put(squad(), "E5", RED)
    assert {"C3", "E3", "H8", "C8", "H4"} <= ends(table, men, 1)
    table.activate(men, "move", move="E3")
    assert men.place == table.at("E3")


@pytest.mark.rule("d47.fort.infantry_only", "d47.fort.area")
def test_no_vehicle_gets_into_a_fortification_or_over_its_walls():
    table = fortress("strongpoint")
    squares = named(table, table.state.forts[0].footprint)
    for locomotion in ("walker", "tracked", "half_tracked", "wheeled"):
        tank = table.put(vehicle(locomotion=locomotion), "E3")
        assert not ends(table, tank, 5) & squares
        table.rules.ground.lift(tank, "lost")
    mover = Mover("infantry")
    assert not any(
        table.state.table.can_stop(mover, place, Occupancy())
        for place in table.state.forts[0].footprint
        if place not in table.state.forts[0].interior
    )


@pytest.mark.rule("d47.fort.full")
def test_ordinary_infantry_needs_a_free_square_inside():
    table = fortress("strongpoint")
    table.put(squad(), "E5", RED)
    men = table.put(squad(), "E8", RED)
    assert ends(table, men, 1) & {"E5", "F5"} == {"F5"}
    table.put(squad(), "F5", RED)
    assert not ends(table, men, 1) & {"E5", "F5"}


@pytest.mark.rule("d47.fort.bunker_walls", "d47.fort.infantry_only")
@pytest.mark.parametrize("kind", ["bunker", "strongpoint"])
def test_nobody_stands_on_the_walls_and_no_vehicle_inside(kind):
    table = fortress(kind)
    (fort,) = table.state.forts
    men = table.put(squad(move=4), "H5", RED)
    assert not ends(table, men, 4) & named(table, set(fort.footprint) - set(fort.interior))
    board, nobody = table.state.table, Occupancy()
    for place in fort.interior:
        assert board.can_stop(Mover("infantry"), place, nobody)
        assert not any(
            board.can_stop(Mover(way, vehicle=True), place, nobody)
            for way in ("walker", "tracked", "half_tracked", "wheeled")
        )


@pytest.mark.rule("d47.fort.full", "d47.move.hero_may_share")
def test_not_even_a_hero_gets_in_beside_a_strongpoint_unit():
    table = fortress("strongpoint")
    man = table.put(hero(), "E8", RED)
    assert {"E5", "F5"} <= ends(table, man, 1)
    gun = table.put(crew(), "E5", RED)
    table.rules.fortifications.occupy(table.state, gun, table.state.forts[0])
    assert not ends(table, man, 1) & {"E5", "F5"}


# -- seeing -----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.fort.blocks_los")
@pytest.mark.parametrize("kind", ["bunker", "strongpoint"])
def test_nobody_sees_through_a_fortification(kind):
    table = fortress(kind)
    one, other = table.put(squad(RIFLE), "E2"), table.put(squad(), "E9", RED)
    assert not table.may_aim(one, "Rifle", other)


@pytest.mark.rule("d47.fort.blocks_los")
@pytest.mark.parametrize("kind", ["bunker", "strongpoint"])
def test_both_the_walls_and_the_inside_of_a_fortification_block_sight(kind):
    table = fortress(kind)
    along_the_wall = table.put(squad(RIFLE), "D2"), table.put(squad(), "D9", RED)
    assert not table.may_aim(along_the_wall[0], "Rifle", along_the_wall[1])
    spec = {"kind": kind, "side": 1, "at": "D4-E4", "interior": "D4 E4", "facing": "north"}
    table = Table(size=(14, 14), fortifications=[spec])
    table.raise_forts()
    one, other = table.put(squad(RIFLE), "D2"), table.put(squad(), "D9", RED)
    assert not table.may_aim(one, "Rifle", other)


@pytest.mark.rule("d47.fort.bunker_view", "d47.open.fort_view_arcs")
@pytest.mark.parametrize(
    "at, seen", [("E1", True), ("A5", True), ("J5", True), ("A6", False), ("E10", False), ("M4", True)]
)
def test_from_a_bunker_one_sees_and_is_seen_on_its_front_half_only(at, seen):
    table = fortress("bunker")
    inside, outside = table.put(squad(RIFLE), "E5", RED), table.put(squad(RIFLE), at)
    assert table.may_aim(inside, "Rifle", outside) is seen
    assert table.may_aim(outside, "Rifle", inside) is seen


@pytest.mark.rule("d47.fort.strongpoint_view")
@pytest.mark.parametrize("at", ["E1", "A6", "E10", "J9"])
def test_from_a_strongpoint_one_sees_and_is_seen_all_round(at):
    table = fortress("strongpoint")
    inside, outside = table.put(squad(RIFLE), "E5", RED), table.put(squad(RIFLE), at)
    assert table.may_aim(inside, "Rifle", outside)
    assert table.may_aim(outside, "Rifle", inside)


@pytest.mark.rule("d47.fort.bunker_view")
def test_other_terrain_still_blocks_the_view_from_a_bunker():
    table = fortress("bunker", "structure at E2")
    inside, outside = table.put(squad(RIFLE), "E5", RED), table.put(squad(), "E1")
    assert not table.may_aim(inside, "Rifle", outside)


# -- shooting ---------------------------------------------------------------------------------------


@pytest.mark.rule("d47.fort.main_weapon_arc")
def test_the_main_weapon_of_a_strongpoint_unit_fires_to_the_front_only():
    table = fortress("strongpoint")
    gun = table.put(crew(RIFLE), "E5", RED)
    table.rules.fortifications.occupy(table.state, gun, table.state.forts[0])
    ahead, aside, behind = table.put(squad(), "G2"), table.put(squad(), "K4"), table.put(squad(), "E11")
    assert table.may_aim(gun, "Field Gun", ahead)
    assert not table.may_aim(gun, "Field Gun", aside)
    assert not table.may_aim(gun, "Field Gun", behind)
    for target in (ahead, aside, behind):
        assert table.may_aim(gun, "Rifle", target)


@pytest.mark.rule("d47.fort.bunker_no_aircraft")
@pytest.mark.parametrize("kind, fires", [("bunker", False), ("strongpoint", True)])
def test_nothing_inside_a_bunker_fires_at_aircraft(kind, fires):
    table = fortress(kind)
    inside, plane = table.put(squad(RIFLE), "E5", RED), table.put(aircraft(), "E2")
    assert table.may_aim(inside, "Rifle", plane) is fires


@pytest.mark.rule("d47.fort.bunker_no_artillery")
@pytest.mark.parametrize("kind, fires", [("bunker", False), ("strongpoint", True)])
def test_no_artillery_fires_from_inside_a_bunker(kind, fires):
    table = fortress(kind)
    mortar = table.put(squad(weapon("Mortar", "*/1", "2-9", "Artillery"), men=1), "E5", RED)
    table.put(squad(), "E1")
    assert bool(table.aims(mortar, "Mortar")) is fires


@pytest.mark.rule("d47.open.fort_cover")
@pytest.mark.parametrize("kind", ["bunker", "strongpoint"])
def test_those_inside_are_in_cover_from_outside(kind):
    table = fortress(kind)
    inside, outside = table.put(squad(men=5), "E5", RED), table.put(squad(RIFLE, men=1), "E2")
    (save,) = table.plan(outside, "Rifle", inside).saves
    assert save.label == "cover save"


@pytest.mark.rule("d47.open.fort_cover", "d47.fort.strongpoint_saves")
def test_those_inside_have_no_cover_from_each_other():
    table = fortress("strongpoint")
    one, other = table.put(squad(RIFLE, men=1), "E5", RED), table.put(squad(men=5), "F5", BLUE)
    (save,) = table.plan(one, "Rifle", other).saves
    assert (save.label, save.rerolls) == ("infantry save", ())


@pytest.mark.rule("d47.fort.bunker_saves")
def test_failed_saves_in_a_bunker_are_rolled_again_and_pass_on_army_or_shield():
    table = fortress("bunker")
    inside = table.put(squad(men=5), "E5", RED)
    outside = table.put(squad(weapon("Rifle", "3/1", 8), men=1), "E2")
    game = table.attack(outside, inside, dice="AAA ATT ST")
    assert game.saved == 2
    assert "d47.fort.bunker_saves" in game.reasons


@pytest.mark.rule("d47.fort.strongpoint_saves")
def test_failed_saves_in_a_strongpoint_are_rolled_again_and_pass_on_army_only():
    table = fortress("strongpoint")
    inside = table.put(squad(men=5), "E5", RED)
    outside = table.put(squad(weapon("Rifle", "3/1", 8), men=1), "E2")
    game = table.attack(outside, inside, dice="AAA STT AS")
    assert game.saved == 2


@pytest.mark.rule("d47.fort.bunker_saves", "d47.weapon.sniper_saves")
def test_where_no_save_is_allowed_a_bunker_gives_no_reroll():
    table = fortress("bunker")
    inside = table.put(squad(men=5), "E5", RED)
    sniper = table.put(squad(weapon("Sniper Rifle", "1/1", 8, "Sniper"), men=1), "E2")
    assert table.plan(sniper, "Sniper Rifle", inside).saves == ()


@pytest.mark.rule("d47.fort.bunker_saves", "d47.skill.superhuman_saves")
def test_superhumans_profit_from_a_bunker():
    table = fortress("bunker")
    inside = table.put(hero(skills="Superhuman"), "E5", RED)
    outside = table.put(squad(RIFLE, men=1), "E2")
    (save,) = table.plan(outside, "Rifle", inside).saves
    assert [again.rule for again in save.rerolls] == ["d47.fort.bunker_saves"]


# -- close combat -----------------------------------------------------------------------------------


@pytest.mark.rule("d47.fort.cc_access")
@pytest.mark.parametrize(
    "at, fights", [("E3", True), ("D3", True), ("F8", True), ("H5", False), ("C6", False), ("C3", False)]
)
def test_a_bunker_is_fought_at_its_slit_and_doors(at, fights):
    table = fortress("bunker")
    inside, outside = table.put(squad(KNIFE, men=2), "E5", RED), table.put(squad(KNIFE, men=2), at)
    assert table.may_aim(outside, "Knife", inside) is fights
    assert table.may_aim(inside, "Knife", outside) is fights


@pytest.mark.rule("d47.fort.cc_access")
@pytest.mark.parametrize("at, fights", [("E3", True), ("H5", True), ("C8", True), ("E2", False)])
def test_a_strongpoint_is_fought_from_every_side(at, fights):
    table = fortress("strongpoint")
    inside, outside = table.put(squad(KNIFE, men=2), "E5", RED), table.put(squad(KNIFE, men=2), at)
    assert table.may_aim(outside, "Knife", inside) is fights


@pytest.mark.rule("d47.fort.cc_save_bunker")
def test_a_bunker_saves_from_blows_on_army_or_shield():
    table = fortress("bunker")
    inside, outside = table.put(squad(men=5), "E5", RED), table.put(squad(KNIFE, men=1), "E3")
    game = table.attack(outside, inside, dice="AAA AST", declare={"Knife": inside})
    assert len(inside.main.alive) == 4
    assert game.dice("bunker save") == [3]


@pytest.mark.rule("d47.fort.cc_save_strongpoint")
def test_a_strongpoint_saves_from_blows_on_army_only():
    table = fortress("strongpoint")
    inside, outside = table.put(squad(men=5), "E5", RED), table.put(squad(KNIFE, men=1), "E3")
    table.attack(outside, inside, dice="AAA AST", declare={"Knife": inside})
    assert len(inside.main.alive) == 3


@pytest.mark.rule("d47.fort.cc_save_bunker", "d47.fort.cc_save_strongpoint", "d47.attack.cc.no_saves")
def test_walls_do_not_save_from_blows_struck_inside_nor_those_outside():
    table = fortress("strongpoint")
    one, other = table.put(squad(KNIFE, men=1), "E5", RED), table.put(squad(men=5), "F5", BLUE)
    assert table.plan(one, "Knife", other).saves == ()
    outside = table.put(squad(men=2), "E3", BLUE)
    assert table.plan(one, "Knife", outside).saves == ()


@pytest.mark.rule("d47.fort.special_range1", "d47.command.get_up")
def test_from_inside_special_actions_of_range_one_do_not_reach_outside():
    spec = {"kind": "bunker", "side": 1, "at": "D4-E4", "interior": "D4 E4", "facing": "north"}
    table = Table(size=(14, 14), fortifications=[spec])
    table.raise_forts()
    inside, outside = table.put(squad(), "D4", RED), table.put(squad(), "D5", RED)
    beside = table.put(squad(), "E4", RED)
    assert table.rules.ground.distance(table.state, inside, outside) == 1
    assert not table.rules.ground.near(table.state, inside, outside, 1)
    assert table.rules.ground.near(table.state, inside, beside, 1)
    assert table.rules.ground.near(table.state, inside, outside, 2)


# -- trenches ---------------------------------------------------------------------------------------


@pytest.mark.rule("d47.trench.cover")
def test_infantry_in_a_trench_is_in_cover_and_vehicles_are_not():
    table = Table("trench at C5, E5", size=(9, 9))
    men, tank = table.put(squad(men=5), "C5", RED), table.put(vehicle(), "E5", RED)
    shooter = table.put(squad(RIFLE, men=1), "C1")
    assert [save.label for save in table.plan(shooter, "Rifle", men).saves] == ["cover save"]
    assert table.plan(shooter, "Rifle", tank).saves == ()


@pytest.mark.rule("d47.trench.cover")
def test_a_trench_never_affects_sight():
    table = Table("trench at C3, C4", size=(9, 9))
    men, shooter = table.put(squad(men=5), "C5", RED), table.put(squad(RIFLE, men=1), "C1")
    assert table.may_aim(shooter, "Rifle", men)
    assert [save.label for save in table.plan(shooter, "Rifle", men).saves] == ["infantry save"]


@pytest.mark.rule("d47.trench.cover", "d47.skill.defensive_tactics")
def test_troops_with_defensive_tactics_profit_from_a_trench():
    table = Table("trench at C5", size=(9, 9))
    men = table.put(squad(men=5, skills="Defensive Tactics"), "C5", RED)
    shooter = table.put(squad(RIFLE, men=1), "C1")
    assert table.plan(shooter, "Rifle", men).negate is not None


# -- odds and ends ----------------------------------------------------------------------------------


@pytest.mark.rule("d47.open.strongpoint_unit_moves")
def test_the_card_decides_whether_a_strongpoint_unit_may_move():
    table = fortress("strongpoint")
    fixed, mobile = table.put(crew(), "E5", RED), table.put(crew(move=1, march=2), "F5", RED)
    assert not any("move" in sequence for sequence in table.menu(fixed))
    assert any("move" in sequence for sequence in table.menu(mobile))


@pytest.mark.rule("d47.fort.area")
def test_who_is_above_a_fortification_is_not_in_it():
    table = fortress("bunker")
    plane, men = table.put(aircraft(), "E5"), table.put(squad(), "E5", RED)
    assert fort_of(table.state, plane) is None
    assert fort_of(table.state, men) is table.state.forts[0]


@pytest.mark.rule("d47.fort.area")
def test_a_board_with_fortifications_is_written_and_read_again():
    table = fortress("bunker")
    board = table.state.table
    again = SquareTable.from_plain(board.to_plain(), RULESET.terrain)
    assert again == board
    assert again.passages() == board.passages() != ()
    fort = table.state.forts[0]
    assert fortifications.torn_down(board, fort).passages() == ()
    assert Fort(**fort.facts() | {"footprint": fort.footprint, "interior": fort.interior}) == fort


@pytest.mark.rule("d47.fort.bunker_view", "d47.weapon.artillery_target")
def test_artillery_points_inside_a_bunker_are_seen_from_its_front_only():
    mortar = squad(weapon("Mortar", "*/1", "2-9", "Artillery"), men=1)
    table = fortress("bunker")
    before, behind = table.put(mortar, "E1"), table.put(mortar, "E11")
    inside = table.at("E5")
    assert any(aim[0] == inside for aim in table.aims(before, "Mortar"))
    assert not any(aim[0] == inside for aim in table.aims(behind, "Mortar"))


@pytest.mark.rule("d47.fort.bunker_saves", "d47.weapon.flame_saves", "d47.weapon.flame_path")
def test_a_flame_reaches_through_the_slit_and_leaves_no_save():
    table = fortress("bunker")
    inside = table.put(squad(men=5), "E5", RED)
    thrower = table.put(squad(weapon("Flamethrower", "3/1", 2, "Flame"), men=1), "E3")
    assert table.plan(thrower, "Flamethrower", inside).saves == ()


@pytest.mark.rule("d47.fort.placement_free_or_paid")
def test_an_optional_fortification_with_a_place_of_its_own_stands_once_it_is_paid():
    spec = {"kind": "bunker", "side": 0, "at": "C3", "optional": True}
    table = deploying([squad(points=85)], [], fortifications=[spec])
    assert table.state.table.squares_with("bunker") == ()
    deploy_next(table, buy_fortification=True)
    assert table.state.table.squares_with("bunker") == table.state.forts[0].interior
    assert table.rules.works.points_left(table.play, BLUE) == 0


@pytest.mark.rule("d47.fort.placement")
def test_a_fortification_without_any_room_is_told_and_forgotten():
    zones = [{"squares": "A1-A1", "facing": "south"}, {"squares": "A15-P16"}]
    table = deploying([], [], deploy=zones, fortifications=[{"kind": "bunker", "side": 0}])
    game = deploy_next(table)
    assert table.state.forts == ()
    assert "d47.fort.placement" in game.rules


@pytest.mark.rule("d47.fort.strongpoint_deploy")
def test_a_strongpoint_unit_may_man_a_fortification_of_the_scenario():
    spec = {"kind": "bunker", "side": 0, "at": "C3", "facing": "south"}
    table = deploying([crew()], [], fortifications=[spec])
    deploy_next(table, place_fortification="I2 S")
    own = next(fort for fort in table.state.forts if fort.unit)
    table.rules.works._forget(table.play, own)
    deploy_next(table)
    assert table.state.units[0].where == table.state.forts[0].interior


@pytest.mark.rule("d47.fort.placement", "d47.open.fort_footprint")
@pytest.mark.parametrize("zone, corners", [("A1-P1", {"A1", "O1"}), ("A1-A16", {"A1", "A15"})])
def test_small_fortifications_fit_a_strip_in_its_own_direction(zone, corners):
    table = deploying([crew()], [], deploy=[{"squares": zone, "facing": "south"}, {"squares": "H9"}])
    spots = table.rules.works.spots(table.play, table.state.forts[0])
    assert corners <= named(table, spots)
    assert {facing % 2 for ways in spots.values() for facing in ways} == {0 if zone == "A1-P1" else 1}
