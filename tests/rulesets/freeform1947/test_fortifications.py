"""Fortifications on the open table: boxes with walls, slit and doors, bought, placed, entered, fought (d47.fort.*)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.kernel.record import Header
from dieselfront.rulesets.dust.events import Happened, TerrainChanged
from dieselfront.rulesets.dust.state import LOST, Unit
from dieselfront.rulesets.dust1947.scenario import ScenarioError
from dieselfront.rulesets.dust_open.forts import fort_of
from dieselfront.rulesets.dust_open.places import at, xy
from dieselfront.rulesets.freeform1947 import RULESET
from dieselfront.rulesets.freeform1947.forts import FreeFort
from rulesets.dust1947.table import aircraft, hero, knife, squad, vehicle, weapon
from rulesets.freeform1947.field import BLUE, RED, Field

RIFLE = weapon("Rifle", "2/1", 12)
WORK = "special:engineering"
KNIFE = knife("3/1")
MIDDLE = (700, 550)
"""A box here that faces north reaches from 600 to 800 and from 475 (the slit) to 625 (the doors)."""


def fortress(kind: str = "bunker", *pieces: Any, facing: int = 0, **more: Any) -> Field:
    field = Field(*pieces, **more)
    loose = FreeFort(kind, RED)
    field.state.forts = (loose,)
    field.rules.fortifications.build(field.play, loose, loose.stood((*MIDDLE, facing)))
    return field


def crew(*weapons: Any, **facts: Any) -> Any:
    """A strongpoint unit."""
    facts = {"men": 4, "move": 0, "march": 0, "damage": 4, "locomotion": "immobile", "kind": "fortification"} | facts
    skills = facts.pop("skills", "Strongpoint, Support Weapon")
    return squad(weapon("Field Gun", "2/2", 12, count=1, crewed=True), *weapons, skills=skills, **facts)


# -- buying, placing, manning -----------------------------------------------------------------------


def deploying(blue: list[Any], red: list[Any], **scenario: Any) -> Field:
    """A table whose game is about to be set up: 64" by 64", areas 28" deep."""
    plain = {
        "id": "t",
        "name": "t",
        "size": [64, 64],
        "deploy": [{"boxes": [[0, 0, 64, 28]], "facing": "south"}, {"boxes": [[0, 36, 64, 28]], "facing": "north"}],
        "turns": 4,
        "points": 100,
    }
    forces = [
        {"name": name, "cards": {card.id: card for card in cards}, "units": [{"cards": [card.id]} for card in cards]}
        for name, cards in (("Blue", blue), ("Red", red))
    ]
    field = Field()
    field.state = RULESET.new_state(Header("freeform1947", RULESET.version, plain | scenario, forces, ["a", "b"]))
    field.play.state = field.state
    return field


def deploy_next(field: Field, **answers: Any) -> Any:
    return field.run(field.rules.setup.deploy(field.play), **answers)


@pytest.mark.rule("d47.fort.placement_free_or_paid")
@pytest.mark.parametrize("kind, left", [("bunker", 85), ("strongpoint", 90)])
def test_an_optional_fortification_is_paid_for(kind, left):
    field = deploying([], [], fortifications=[{"kind": kind, "side": 0, "optional": True}])
    game = deploy_next(field, buy_fortification=True, place_fortification=(500, 400, 180))
    assert game.asked == ["buy-fortification", "place-fortification"]
    assert field.rules.works.points_left(field.play, BLUE) == left
    assert any(event.rule == "d47.fort.placement_free_or_paid" for event in game.of(Happened))


@pytest.mark.rule("d47.fort.placement_free_or_paid")
def test_an_assigned_fortification_is_free_and_one_declined_or_too_expensive_is_left_out():
    optional = [{"kind": "bunker", "side": 0, "optional": True}]
    field = deploying([squad(points=100)], [], fortifications=[{"kind": "bunker", "side": 0, "at": [20, 15]}])
    assert field.rules.works.points_left(field.play, BLUE) == 0
    assert field.state.table.has(field.state.forts[0].place, "bunker")
    field = deploying([], [], fortifications=optional)
    deploy_next(field, buy_fortification=False)
    assert field.state.forts == ()
    field = deploying([squad(points=90)], [], fortifications=optional)
    assert deploy_next(field).asked == []
    assert field.state.forts == ()


@pytest.mark.rule("d47.fort.placement")
def test_fortifications_are_placed_before_any_unit_in_their_owners_area():
    field = deploying([squad()], [squad()], fortifications=[{"kind": "bunker", "side": 1}])
    game = deploy_next(field, place_fortification=(500, 1300, 0))
    asked = game.decisions[0]
    assert (asked.key, asked.player) == ("place-fortification", RED)
    assert min(y for _, y, _ in asked.options) >= 36 * 25.4 + 74
    assert [event.rule for event in game.of(TerrainChanged)] == ["d47.fort.placement"]
    assert deploy_next(field, deploy_unit="a1", deploy=(300, 200)).asked == ["deploy"]


@pytest.mark.rule("d47.fort.placement")
@pytest.mark.parametrize(
    "spot, legal", [((511, 1307, 30), True), ((511, 600, 0), False), ((511, 1307, "north"), False)]
)
def test_any_place_and_facing_in_the_area_may_be_named(spot, legal):
    field = deploying([], [], fortifications=[{"kind": "bunker", "side": 1}])
    if legal:
        deploy_next(field, place_fortification=spot)
        assert (field.state.forts[0].facing, xy(field.state.forts[0].place)) == (30, (511, 1307))
    else:
        with pytest.raises(IllegalChoice):
            deploy_next(field, place_fortification=spot)


@pytest.mark.rule("d47.fort.placement")
def test_no_fortification_stands_on_an_objective_unless_the_scenario_says_so():
    goal = [{"name": "hill", "at": [[21, 15]], "points": 1}]
    spec = {"kind": "bunker", "side": 0, "at": [20, 15]}
    with pytest.raises(ScenarioError, match="objective"):
        deploying([], [], fortifications=[spec], objectives=goal)
    deploying([], [], fortifications=[spec | {"over_objectives": True}], objectives=goal)


@pytest.mark.rule("d47.fort.spacing")
@pytest.mark.parametrize(
    "where, terrain, legal",
    [
        ([20, 15], [], True),
        ([7.8, 15], [], False),  # its side is 3.9" from the edge
        ([8.0, 15], [], True),
        ([20, 6.8], [], False),
        ([20, 15], [{"kind": "structure", "at": [28, 14], "size": [2, 2]}], True),
        ([20, 15], [{"kind": "structure", "at": [27.8, 14], "size": [2, 2]}], False),
        ([20, 15], [{"kind": "rubble", "at": [21, 14], "size": [2, 2]}], False),
        ([20, 15], [{"kind": "mud", "at": [21, 14], "size": [2, 2]}], True),
    ],
)
def test_a_fortification_keeps_range_1_from_edges_and_impassable_terrain(where, terrain, legal):
    spec = [{"kind": "bunker", "side": 0, "at": where}]
    if legal:
        deploying([], [], terrain=terrain, fortifications=spec)
    else:
        with pytest.raises(ScenarioError, match="cannot stand there"):
            deploying([], [], terrain=terrain, fortifications=spec)


@pytest.mark.rule("d47.fort.spacing")
@pytest.mark.parametrize("second, legal", [([35.9, 15], True), ([35.7, 15], False)])
def test_range_2_lies_between_fortifications(second, legal):
    specs = [{"kind": "bunker", "side": 0, "at": [20, 15]}, {"kind": "strongpoint", "side": 0, "at": second}]
    if legal:
        deploying([], [], fortifications=specs)
    else:
        with pytest.raises(ScenarioError, match="any other fortification"):
            deploying([], [], fortifications=specs)


@pytest.mark.rule("d47.fort.spacing", "d47.open.fort_footprint")
def test_in_a_narrow_area_the_edge_of_the_table_may_be_near():
    zones = [{"boxes": [[0, 0, 64, 8]], "facing": "south"}, {"boxes": [[0, 56, 64, 8]]}]
    field = deploying([crew()], [], deploy=zones)
    deploy_next(field, place_fortification=(500, 100, 180))
    assert field.state.forts[0].placed


@pytest.mark.rule("d47.fort.strongpoint_unit_included", "d47.fort.strongpoint_deploy", "d47.skill.strongpoint")
@pytest.mark.parametrize("upgrade, kind", [("", "strongpoint"), ("+bunker", "bunker")])
def test_a_strongpoint_unit_brings_its_fortification_and_starts_in_it(upgrade, kind):
    card = crew(points=20)
    field = deploying([msgspec.structs.replace(card, id=card.id + upgrade)], [])
    deploy_next(field, place_fortification=(500, 400, 90))
    deploy_next(field)
    (unit,) = field.state.units
    assert field.state.forts[0].kind == kind
    assert fort_of(field.state, unit) == field.state.forts[0]
    assert unit.facing == 90


@pytest.mark.rule("d47.fort.strongpoint_deploy")
def test_a_strongpoint_unit_without_a_fortification_cannot_be_deployed():
    zones = [{"boxes": [[0, 0, 4, 4]], "facing": "south"}, {"boxes": [[0, 56, 64, 8]]}]
    field = deploying([crew()], [], deploy=zones)
    deploy_next(field)
    deploy_next(field)
    assert field.state.units[0].status == LOST


@pytest.mark.rule("d47.fort.infantry_only", "d47.fort.full")
def test_before_the_battle_infantry_may_start_inside_what_its_side_has_and_vehicles_may_not():
    specs = [{"kind": "bunker", "side": 0, "at": [20, 15]}, {"kind": "strongpoint", "side": 1, "at": [20, 45]}]
    field = deploying([squad(men=3), vehicle()], [squad(men=3)], fortifications=specs)
    men, tank, foe = field.state.units
    inside = at(*xy(field.state.forts[0].place))
    assert field.rules.setup.spots(field.play, men).problem(inside, 180) is None
    assert field.rules.setup.spots(field.play, tank).problem(inside, 180) is not None
    assert field.rules.ground.formation(field.state, foe, inside, 0) != []
    assert isinstance(field.rules.ground.formation(field.state, foe, inside, 0), str)


# -- getting in and out -----------------------------------------------------------------------------


@pytest.mark.rule("d47.fort.bunker_walls")
@pytest.mark.parametrize("start, gets_in", [((700, 660), True), ((700, 440), False), ((840, 550), False)])
def test_a_bunker_is_entered_only_through_its_rear_doors(start, gets_in):
    field = fortress("bunker")
    men = field.put(hero(), start, RED)
    assert (field.why_not(men, MIDDLE, 6) is None) is gets_in


@pytest.mark.rule("d47.fort.bunker_walls")
def test_the_way_from_the_front_leads_round_to_the_doors():
    field = fortress("bunker")
    men = field.put(hero(), (700, 440), RED)
    ways = field.ways(men, 24)
    assert ways.problem(at(*MIDDLE), 0) is None
    assert ways.cost(at(*MIDDLE)) > 4000  # down one side of the box and back up through the doors
    assert min(y for _, y in ways.points(at(*MIDDLE))) >= 440
    assert max(y for _, y in ways.points(at(*MIDDLE))) > 625


@pytest.mark.rule("d47.fort.bunker_walls")
def test_a_bunker_is_not_entered_while_an_enemy_is_inside():
    field = fortress("bunker")
    men = field.put(hero(), (700, 670), BLUE)
    assert field.why_not(men, (700, 590), 6) is None
    field.put(hero(), (640, 510), RED)
    assert field.why_not(men, (700, 590), 6) is not None


@pytest.mark.rule("d47.fort.bunker_walls", "d47.skill.flying_move")
def test_flying_troops_use_the_doors_of_a_bunker_too():
    field = fortress("bunker")
    flyers = field.put(squad(skills="Flying", men=1), (700, 420), RED)
    assert "rear doors" in str(field.why_not(flyers, MIDDLE, 12))
    inside = field.put(squad(skills="Flying", men=1), MIDDLE, RED)
    assert field.why_not(inside, (700, 430), 5) is not None
    assert field.why_not(inside, (700, 665), 5) is None


@pytest.mark.rule("d47.fort.bunker_walls")
def test_nobody_is_set_down_in_a_bunker_from_elsewhere():
    field = fortress("bunker")
    ground, unit = field.rules.ground, field.put(squad(men=1))
    assert not ground.may_stand(field.state, unit, at(*MIDDLE))
    assert fortress("strongpoint").rules.ground.may_stand(fortress("strongpoint").state, unit, at(*MIDDLE))


@pytest.mark.rule("d47.fort.strongpoint_walls")
@pytest.mark.parametrize("start", [(700, 660), (700, 440), (840, 550), (560, 550)])
def test_a_strongpoint_is_entered_and_left_on_every_side(start):
    field = fortress("strongpoint")
    men = field.put(hero(), start, RED)
    assert field.why_not(men, MIDDLE, 6) is None
    field.rules.ground.put(field.state, men, at(*MIDDLE), None)
    assert field.why_not(men, start, 8) is None


@pytest.mark.rule("d47.fort.infantry_only")
@pytest.mark.parametrize("kind", ["bunker", "strongpoint"])
@pytest.mark.parametrize("locomotion", ["walker", "tracked", "wheeled"])
def test_no_vehicle_gets_into_a_fortification(kind, locomotion):
    field = fortress(kind)
    tank = field.put(vehicle(locomotion=locomotion), (700, 760))
    assert field.why_not(tank, MIDDLE, 20) is not None
    assert field.why_not(tank, (700, 620), 20) is not None
    assert field.why_not(tank, (900, 760), 20) is None


@pytest.mark.rule("d47.fort.full")
def test_nobody_gets_in_beside_a_strongpoint_unit():
    field = fortress("strongpoint")
    man = field.put(hero(), (700, 660), RED)
    assert field.why_not(man, (640, 600), 6) is None
    field.put(crew(), (740, 520), RED)
    assert field.why_not(man, (640, 600), 6) is not None


@pytest.mark.rule("d47.fort.full")
def test_the_way_past_a_full_strongpoint_leads_round_it():
    field = fortress("strongpoint")
    man = field.put(hero(), (700, 660), RED)
    assert field.ways(man, 24).cost(at(700, 440)) == 2200
    field.put(crew(), MIDDLE, RED)
    assert field.ways(man, 24).cost(at(700, 440)) > 3000


@pytest.mark.rule("d47.fort.area")
def test_a_unit_is_inside_with_all_of_its_models_or_with_none():
    field = fortress("strongpoint")
    men = field.put(squad(men=5), MIDDLE, RED)
    assert all(600 < x < 800 and 475 < y < 625 for x, y in field.points(men))
    outside = field.put(squad(men=5), (700, 660), RED)
    assert all(y > 625 for _, y in field.points(outside))
    assert isinstance(field.rules.ground.formation(field.state, outside, at(700, 620), 0), str)


@pytest.mark.rule("d47.fort.area")
def test_range_is_measured_to_the_models_inside():
    field = fortress("strongpoint")
    inside, outside = field.put(hero(), MIDDLE, RED), field.put(hero(), (700, 260), BLUE)
    assert field.line(outside, inside).distance == 3
    assert field.line(inside, outside).distance == 3


# -- seeing -----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.fort.blocks_los")
@pytest.mark.parametrize("kind", ["bunker", "strongpoint"])
def test_nobody_sees_through_a_fortification(kind):
    field = fortress(kind)
    one, other = field.put(squad(RIFLE, men=1), (700, 300)), field.put(squad(men=1), (700, 800), RED)
    assert not field.sees(one, other)
    assert field.line(one, other).refusal[0] == "ff.los.terrain"
    beside = field.put(squad(men=1), (1000, 800), RED)
    assert field.sees(one, beside)


@pytest.mark.rule("d47.fort.blocks_los")
def test_one_fortification_hides_those_in_another():
    field = fortress("strongpoint")
    second = FreeFort("strongpoint", RED).stood((700, 950, 0))
    field.rules.fortifications.build(field.play, None, second)
    field.state.forts += (second,)
    viewer, inside = field.put(squad(RIFLE, men=1), (700, 300)), field.put(squad(men=1), (700, 950), RED)
    assert not field.sees(viewer, inside)


@pytest.mark.rule("d47.fort.bunker_view", "d47.open.fort_view_arcs")
@pytest.mark.parametrize(
    "where, seen",
    [((700, 300), True), ((300, 545), True), ((1100, 549), True), ((300, 555), False), ((700, 800), False)],
)
def test_from_a_bunker_one_sees_and_is_seen_on_its_front_half_only(where, seen):
    field = fortress("bunker")
    inside, outside = field.put(hero(), MIDDLE, RED), field.put(hero(), where, BLUE)
    assert field.sees(inside, outside) is seen
    assert field.sees(outside, inside) is seen
    if not seen:
        assert field.line(outside, inside).refusal[0] == "d47.fort.bunker_view"


@pytest.mark.rule("d47.fort.bunker_view")
def test_every_soldier_in_a_bunker_looks_for_himself_and_shells_are_not_aimed_backwards():
    field = fortress("bunker")
    inside = field.put(squad(RIFLE, men=2), (700, 530), RED, others=[(700, 580)])
    outside = field.put(squad(men=1), (300, 555))
    blockers = field.rules.ground.sight_blockers(field.state, inside)
    sees = [field.rules.ground.model_sees(field.state, inside, f, outside, blockers) for f in inside.figures]
    assert sees == [False, True]
    spot = field.rules.ground.sees_spot
    first = field.bodies(inside)[0]
    assert spot(field.state, first, at(700, 200), blockers, inside)
    assert not spot(field.state, first, at(700, 900), blockers, inside)


@pytest.mark.rule("d47.fort.strongpoint_view")
@pytest.mark.parametrize("where", [(700, 300), (300, 560), (700, 800), (1100, 900)])
def test_from_a_strongpoint_one_sees_and_is_seen_all_round(where):
    field = fortress("strongpoint")
    inside, outside = field.put(hero(), (640, 590), RED), field.put(hero(), where, BLUE)
    assert field.sees(inside, outside)
    assert field.sees(outside, inside)


# -- shooting ---------------------------------------------------------------------------------------


@pytest.mark.rule("d47.fort.main_weapon_arc")
@pytest.mark.parametrize("facing, ahead, aside", [(0, (800, 300), (1100, 500)), (90, (1100, 600), (800, 200))])
def test_the_main_weapon_of_a_strongpoint_unit_fires_to_the_front_only(facing, ahead, aside):
    field = fortress("strongpoint", facing=facing)
    gun = field.put(crew(RIFLE), MIDDLE, RED, heading=facing)
    one, other = field.put(squad(men=1), ahead), field.put(squad(men=1), aside)
    assert field.may_aim(gun, "Field Gun", one)
    assert not field.may_aim(gun, "Field Gun", other)
    assert field.may_aim(gun, "Rifle", other)


@pytest.mark.rule("d47.fort.bunker_no_aircraft")
@pytest.mark.parametrize("kind, fires", [("bunker", False), ("strongpoint", True)])
def test_nothing_inside_a_bunker_fires_at_aircraft(kind, fires):
    field = fortress(kind)
    inside, plane = field.put(squad(RIFLE, men=1), MIDDLE, RED), field.put(aircraft(), (700, 300))
    assert field.may_aim(inside, "Rifle", plane) is fires


@pytest.mark.rule("d47.fort.bunker_no_artillery")
@pytest.mark.parametrize("kind, fires", [("bunker", False), ("strongpoint", True)])
def test_no_artillery_fires_from_inside_a_bunker(kind, fires):
    field = fortress(kind)
    mortar = field.put(squad(weapon("Mortar", "*/1", "2-9", "Artillery"), men=1), MIDDLE, RED)
    field.put(squad(men=1), (700, 200))
    assert bool(field.aims(mortar, "Mortar")) is fires


@pytest.mark.rule("d47.open.fort_cover")
@pytest.mark.parametrize("kind", ["bunker", "strongpoint"])
def test_those_inside_are_in_cover_from_outside(kind):
    field = fortress(kind)
    inside, outside = field.put(squad(men=3), MIDDLE, RED), field.put(squad(RIFLE, men=1), (700, 300))
    (save,) = field.plan(outside, "Rifle", inside).saves
    assert save.label == "cover save"


@pytest.mark.rule("d47.open.fort_cover", "d47.fort.strongpoint_saves")
def test_those_inside_have_no_cover_from_each_other():
    field = fortress("strongpoint")
    inside, beside = field.put(squad(men=3), MIDDLE, RED), field.put(squad(RIFLE, men=1), (630, 505), BLUE)
    (save,) = field.plan(beside, "Rifle", inside).saves
    assert (save.label, save.rerolls) == ("infantry save", ())


@pytest.mark.rule("d47.fort.bunker_saves", "d47.fort.strongpoint_saves")
@pytest.mark.parametrize("kind, dice, saved", [("bunker", "AAA ATT ST", 2), ("strongpoint", "AAA ATT AS", 2)])
def test_failed_saves_are_rolled_again(kind, dice, saved):
    field = fortress(kind)
    inside = field.put(squad(men=5), MIDDLE, RED)
    outside = field.put(squad(weapon("Rifle", "3/1", 8), men=1), (700, 300))
    game = field.attack(outside, inside, dice=dice)
    assert game.saved == saved
    assert f"d47.fort.{kind}_saves" in game.reasons


@pytest.mark.rule("d47.weapon.flame_stop", "d47.fort.blocks_los")
def test_flames_reach_into_a_fortification_and_not_through_it():
    field = fortress("strongpoint")
    inside = field.put(squad(men=1), (700, 510), RED)
    thrower = field.put(squad(weapon("Flamethrower", "9/1", "2", "Flame"), men=1), (700, 420))
    assert field.may_aim(thrower, "Flamethrower", inside)
    stopped = field.rules.templates.stopped(field.play, thrower, field.bodies(thrower)[0], (700, 700))
    assert stopped[1] <= 476


# -- close combat, special actions, burying ---------------------------------------------------------


@pytest.mark.rule("d47.fort.cc_access")
@pytest.mark.parametrize(
    "kind, where, fights",
    [
        ("bunker", (700, 400), True),
        ("bunker", (700, 355), False),
        ("bunker", (700, 700), True),
        ("bunker", (915, 550), False),
        ("strongpoint", (900, 550), True),
        ("strongpoint", (915, 550), False),
    ],
)
def test_a_bunker_is_fought_at_its_slit_and_doors_and_a_strongpoint_all_round(kind, where, fights):
    field = fortress(kind)
    inside, outside = field.put(squad(KNIFE, men=1), MIDDLE, RED), field.put(squad(KNIFE, men=1), where)
    assert field.rules.ground.in_contact(field.state, outside, inside) is fights
    assert field.may_aim(outside, "Knife", inside) is fights
    assert field.may_aim(inside, "Knife", outside) is fights


@pytest.mark.rule("d47.fort.cc_save_bunker", "d47.fort.cc_save_strongpoint")
@pytest.mark.parametrize("kind, left", [("bunker", 4), ("strongpoint", 3)])
def test_walls_save_from_blows_struck_from_outside(kind, left):
    field = fortress(kind)
    inside = field.put(squad(men=5), MIDDLE, RED)
    outside = field.put(squad(KNIFE, men=1), (700, 450))
    game = field.attack(outside, inside, dice="AAA AST", declare={"Knife": inside})
    assert game.dice(f"{kind} save") == [3]
    assert inside.main.models == left


@pytest.mark.rule("d47.fort.special_range1")
def test_range_1_ends_at_the_walls():
    field = fortress("bunker")
    inside, outside = field.put(hero(), (700, 590), RED), field.put(hero(), (700, 650), RED)
    ground = field.rules.ground
    assert not ground.near(field.state, inside, outside, 1)
    assert ground.near(field.state, inside, outside, 2)
    assert ground.near(field.state, inside, field.put(hero(), (640, 590), RED), 1)


@pytest.mark.rule("d47.engineer.bury")
def test_a_dozer_buries_a_fortification_with_all_inside():
    field = fortress("bunker")
    inside: Unit = field.put(squad(men=2), MIDDLE, RED)
    dozer = field.put(vehicle(skills="Dozer Blade"), (700, 730))
    before = len(field.state.table.land.pieces)
    game = field.activate(dozer, WORK, WORK, dice="A")
    assert "d47.engineer.bury" in game.rules
    assert not inside.alive
    assert field.state.forts == ()
    assert len(field.state.table.land.pieces) == before - 2


# -- scenarios --------------------------------------------------------------------------------------


@pytest.mark.rule("ff.scope.convert", "d47.fort.placement_free_or_paid")
def test_the_bunker_line_stands_on_the_open_table_too():
    from dieselfront.rulesets.freeform1947.convert import converted
    from dieselfront.scenarios import library

    made = library.find("bunker-line", "freeform1947")
    assert made["fortifications"] == converted(library.find("bunker-line", "dust1947"), _kinds())["fortifications"]
    field = deploying(
        [], [], **{key: made[key] for key in ("size", "terrain", "deploy", "objectives", "fortifications")}
    )
    assert [fort.kind for fort in field.state.forts] == ["bunker", "bunker", "strongpoint"]
    assert all(fort.placed and fort.facing == 180 for fort in field.state.forts)


def _kinds() -> Any:
    from dieselfront import rulesets

    return rulesets.load("dust1947").terrain
