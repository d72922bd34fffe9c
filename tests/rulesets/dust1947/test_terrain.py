"""Terrain: every kind against every mover, sight and cover of each, walls, openings, floors.

d47.terrain.*, d47.babylon.*, d47.quonset.los.
"""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront.rulesets.dust.events import TerrainChanged
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947 import RULESET
from dieselfront.rulesets.dust1947.scenario import ScenarioError
from rulesets.dust1947.table import RED, Table, aircraft, hero, refused, squad, support, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 12)

MOVERS: dict[str, Any] = {
    "infantry": lambda: squad(RIFLE),
    "walker": lambda: vehicle(RIFLE),
    "tracked": lambda: vehicle(RIFLE, locomotion="tracked"),
    "half_tracked": lambda: vehicle(RIFLE, locomotion="half_tracked"),
    "wheeled": lambda: vehicle(RIFLE, locomotion="wheeled"),
    "amphibious": lambda: vehicle(RIFLE, locomotion="tracked", skills="Amphibious"),
    "flying": lambda: squad(RIFLE, skills="Flying"),
    "aircraft": lambda: aircraft(RIFLE),
}
GROUND = ("infantry", "walker", "tracked", "half_tracked", "wheeled", "amphibious")
ON_FOOT = ("infantry", "walker")
SKY = ("aircraft",)
ANYWHERE = (*GROUND, "flying", "aircraft")


def lane(kind: str, mover: str, **more: Any) -> tuple[Table, Unit]:
    """A lane one square wide with the terrain on its fourth square."""
    table = Table("structure at A1-A9", "structure at C1-C9", *([f"{kind} at B4"] if kind else []), size=(3, 9), **more)
    return table, table.put(MOVERS[mover](), "B3")


def ends(table: Table, unit: Unit, budget: int, action: str = "move") -> set[str]:
    reach = table.rules.movement.reach(table.play, unit, budget, action)
    return {table.state.table.name(end if isinstance(end, int) else end[0]) for end in reach.costs}


STOPS: list[tuple[str, str, tuple[str, ...], tuple[str, ...]]] = [
    # kind, rule, who may stop there, who may pass
    ("", "d47.terrain.open", ANYWHERE, ANYWHERE),
    ("trees", "d47.terrain.trees_move", ANYWHERE, ANYWHERE),
    ("large trees", "d47.terrain.trees_move", ANYWHERE, ANYWHERE),
    ("swamp", "d47.terrain.swamp", (*ON_FOOT, "amphibious", "flying", *SKY), (*ON_FOOT, "amphibious", "flying", *SKY)),
    ("water", "d47.terrain.water", ("amphibious", *SKY), ("amphibious", "flying", *SKY)),
    ("rubble", "d47.terrain.rubble_move", (*ON_FOOT, "flying", *SKY), (*ON_FOOT, "flying", *SKY)),
    ("structure", "d47.terrain.structure", SKY, ("flying", *SKY)),
    ("impassable", "d47.babylon.impassable", SKY, ("flying", *SKY)),
    ("lamassu pillar", "d47.babylon.lamassu", SKY, ("flying", *SKY)),
    ("ammo dump", "d47.terrain.ammo_dump", SKY, ("flying", *SKY)),
    ("ammo crate", "d47.terrain.crate_vehicle", ANYWHERE, ANYWHERE),
    ("tank trap", "d47.terrain.tank_trap_vehicle", ("infantry", "flying", *SKY), ("infantry", "flying", *SKY)),
    ("wreck", "d47.terrain.wreck_move", ("infantry", "flying", *SKY), (*ON_FOOT, "flying", *SKY)),
    ("quonset hut", "d47.quonset.los", SKY, ("flying", *SKY)),
    ("smoke", "d47.attack.los.smoke_inside", ANYWHERE, ANYWHERE),
    ("archeological pit", "d47.babylon.pit", ANYWHERE, ANYWHERE),
    ("rocket prototype", "d47.babylon.rocket", ANYWHERE, ANYWHERE),
    ("trench", "d47.trench.cover", ANYWHERE, ANYWHERE),
    ("wire", "d47.wire.cross", ANYWHERE, ANYWHERE),
    ("minefield", "d47.mines.attack", ANYWHERE, ANYWHERE),
]


@pytest.mark.parametrize("mover", MOVERS)
@pytest.mark.parametrize(
    "kind, stop, pass_",
    [
        pytest.param(kind, stop, pass_, marks=pytest.mark.rule(rule), id=kind or "open")
        for kind, rule, stop, pass_ in STOPS
    ],
)
def test_who_may_stop_in_and_who_may_pass_every_kind_of_terrain(kind, stop, pass_, mover):
    table, unit = lane(kind, mover)
    found = ends(table, unit, 2)
    assert ("B4" in found) is (mover in stop)
    assert ("B5" in found) is (mover in pass_)


@pytest.mark.rule("d47.terrain.wreck_end")
def test_only_infantry_ends_its_movement_in_a_wreck_and_is_in_cover_there():
    table, walker = lane("wreck", "walker")
    assert ends(table, walker, 2) == {"B1", "B2", "B3", "B5"}
    table, men = lane("wreck", "infantry")
    assert "B4" in ends(table, men, 2)
    assert cover(table, "B4")


@pytest.mark.rule("d47.terrain.water", "d47.skill.naval_terrain")
def test_boats_stay_on_the_water():
    table = Table("water from A1 to C9", size=(5, 9))
    boat = table.put(vehicle(RIFLE, locomotion="naval", skills="Naval Unit"), "B3")
    assert all(name[0] in "ABC" for name in ends(table, boat, 4))
    assert "B7" in ends(table, boat, 4)


@pytest.mark.rule("d47.skill.amphibious", "d47.terrain.water", "d47.terrain.swamp")
def test_an_amphibious_tank_crosses_water_and_swamp_at_the_usual_cost():
    table, tank = lane("water", "amphibious")
    table.state.table = table.state.table.placing("swamp", [table.at("B5")])
    assert ends(table, tank, 3) == {"B1", "B2", "B3", "B4", "B5", "B6"}


# -- mud and roads ----------------------------------------------------------------------------------


@pytest.mark.rule("d47.terrain.mud_sand")
@pytest.mark.parametrize("kind", ["mud", "sand"])
@pytest.mark.parametrize("budget, halved", [(3, 1), (5, 2), (1, 1)])
def test_mud_and_sand_halve_the_pace_rounded_down_but_at_least_one(kind, budget, halved):
    table = Table(f"{kind} from A1 to C9", size=(3, 9))
    men = table.put(squad(RIFLE), "B3")
    reach = table.rules.movement.reach(table.play, men, budget, "move")
    assert max(reach.costs.values()) == halved


@pytest.mark.rule("d47.terrain.mud_sand")
@pytest.mark.parametrize("mover", ["flying", "aircraft"])
def test_mud_does_not_slow_those_who_fly(mover):
    table = Table("mud from A1 to C9", size=(3, 9))
    unit = table.put(MOVERS[mover](), "B3")
    assert "B6" in ends(table, unit, 3)


@pytest.mark.rule("d47.open.mud_partial")
def test_a_move_that_enters_mud_is_halved_as_a_whole():
    table, _ = lane("", "infantry")
    table.state.table = table.state.table.placing("mud", [table.at("B6")])
    tank = table.put(vehicle(RIFLE, move=4, locomotion="tracked"), "B4")
    tank.side = 0
    table.state.units.remove(table.state.units[0])
    assert "B6" in ends(table, tank, 4)  # two squares: exactly half
    assert "B7" not in ends(table, tank, 4)
    table.rules.ground.put(table.state, tank, table.at("B3"), None)
    assert "B6" not in ends(table, tank, 4)


@pytest.mark.rule("d47.open.mud_partial", "d47.open.march_split_move")
def test_mud_in_the_first_part_of_a_march_halves_the_whole_march():
    table = Table("mud at A3-I3", size=(9, 9))
    men = table.put(squad(RIFLE, move=4, march=6), "E2")
    table.put(squad(RIFLE), "E9", RED)
    game = table.activate(men, "march", march_first="E4", march="E5")
    second = next(d for d in game.decisions if d.key == "march")
    assert max(second.spots.values()) == 1  # 3 in all, 2 are spent


@pytest.mark.rule("d47.terrain.road_move_bonus", "d47.terrain.road_march_bonus", "d47.terrain.road_neutral")
@pytest.mark.parametrize(
    "mover, bonus", [("infantry", 0), ("walker", 0), ("tracked", 1), ("half_tracked", 1), ("wheeled", 1)]
)
@pytest.mark.parametrize("action, times", [("move", 1), ("march", 2)])
def test_a_whole_action_on_roads_takes_wheels_and_tracks_farther(mover, bonus, action, times):
    table = Table("road from B1 to B12", size=(3, 12))
    unit = table.put(MOVERS[mover](), "B2")
    reach = table.rules.movement.reach(table.play, unit, 3, action)
    assert max(reach.costs.values()) == 3 + bonus * times


@pytest.mark.rule("d47.terrain.road_move_bonus", "d47.open.road_start")
def test_one_square_off_the_road_or_a_start_beside_it_loses_the_bonus():
    table = Table("road from B1 to B4", size=(3, 12))
    tank = table.put(vehicle(RIFLE, locomotion="tracked"), "B2")
    assert "B6" not in ends(table, tank, 3)
    table = Table("road from B2 to B12", size=(3, 12))
    tank = table.put(vehicle(RIFLE, locomotion="tracked"), "B1")
    assert "B5" not in ends(table, tank, 3)


@pytest.mark.rule("d47.terrain.road_march_bonus", "d47.open.march_split_move")
def test_a_march_interrupted_on_the_road_keeps_its_bonus():
    table = Table("road from B1 to B16", size=(3, 16))
    truck = table.put(vehicle(RIFLE, locomotion="wheeled", move=3, march=6), "B1")
    table.put(squad(RIFLE), "B14", RED)
    game = table.activate(truck, "march", march_first="B4", march="B9 S")
    first, second = (next(d for d in game.decisions if d.key == key) for key in ("march-first", "march"))
    assert max(first.spots.values()) == 3
    assert max(second.spots.values()) == 5
    assert truck.place == table.at("B9")


# -- sight and cover --------------------------------------------------------------------------------


def cover(table: Table, at: str, target: Any = None) -> bool:
    """Is somebody on that square in cover from a rifle far to the north?"""
    foe = table.put(target or squad(men=3), at, RED)
    shooter = table.put(squad(RIFLE, men=1), "B1")
    labels = [save.label for save in table.plan(shooter, "Rifle", foe).saves]
    table.state.units.remove(foe), table.state.units.remove(shooter)
    return labels == ["cover save"]


SIGHT: list[tuple[str, str, str, bool]] = [
    # kind, rule of its effect, does it block sight through it, is it cover to stand in it
    ("trees", "d47.attack.los.trees_block", "blocks", True),
    ("trees", "d47.terrain.trees_cover", "blocks", True),
    ("large trees", "d47.attack.los.trees_block", "blocks", True),
    ("large trees", "d47.terrain.trees_cover", "blocks", True),
    ("rubble", "d47.terrain.rubble_los", "clear", True),
    ("ammo crate", "d47.terrain.crate_infantry", "clear", True),
    ("tank trap", "d47.terrain.tank_trap_infantry", "clear", True),
    ("wreck", "d47.terrain.wreck_los_cover", "blocks", True),
    ("smoke", "d47.attack.los.smoke_blocks", "blocks", True),
    ("smoke", "d47.attack.los.smoke_inside", "blocks", True),
    ("mud", "d47.terrain.mud_sand", "clear", False),
    ("road", "d47.terrain.road_neutral", "clear", False),
    ("swamp", "d47.terrain.swamp", "clear", False),
    ("archeological pit", "d47.babylon.pit", "clear", False),
    ("", "d47.terrain.open", "clear", False),
]


@pytest.mark.parametrize(
    "kind, through, covered",
    [pytest.param(kind, sight, covered, marks=pytest.mark.rule(rule)) for kind, rule, sight, covered in SIGHT],
)
def test_what_every_kind_of_terrain_does_to_sight_and_cover(kind, through, covered):
    table = Table(*([f"{kind} at B5"] if kind else []), size=(3, 9))
    shooter = table.put(squad(RIFLE, men=1), "B1")
    inside, behind = table.put(squad(), "B5", RED), table.put(squad(), "B8", RED)
    assert table.may_aim(shooter, "Rifle", inside)
    assert table.may_aim(shooter, "Rifle", behind) is (through == "clear")
    assert cover(table, "B5") is covered


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=pytest.mark.rule(rule))
        for kind, rule in (
            ("structure", "d47.terrain.structure"),
            ("ammo dump", "d47.terrain.ammo_dump"),
            ("lamassu", "d47.babylon.lamassu"),
            ("impassable", "d47.babylon.impassable"),
            ("plinth", "d47.babylon.plinth"),
        )
    ],
)
def test_structures_block_sight_and_cover_those_at_their_corners(kind):
    table = Table(f"{kind} at B5", size=(5, 9))
    shooter = table.put(squad(RIFLE, men=1), "B1")
    assert not table.may_aim(shooter, "Rifle", table.put(squad(), "B8", RED))
    corner = table.put(squad(men=3), "C7", RED)
    looking = table.put(squad(RIFLE, men=1), "A5")
    assert [save.label for save in table.plan(looking, "Rifle", corner).saves] == ["cover save"]


@pytest.mark.rule("d47.open.trees_obscure")
def test_a_line_through_trees_is_blocked_and_one_past_their_corner_covered():
    table = Table("trees at B4", size=(5, 9))
    shooter = table.put(squad(RIFLE, men=1), "A4")
    past = table.put(squad(men=3), "C6", RED)
    assert [save.label for save in table.plan(shooter, "Rifle", past).saves] == ["cover save"]
    straight = table.put(squad(men=3), "D4", RED)
    assert not table.may_aim(shooter, "Rifle", straight)


@pytest.mark.rule("d47.open.cover_adjacent_objects", "d47.terrain.crate_infantry", "d47.terrain.tank_trap_infantry")
@pytest.mark.parametrize("kind", ["ammo crate", "tank trap"])
@pytest.mark.parametrize("at, covered", [("B4", True), ("B6", False), ("B3", False)])
def test_an_object_covers_the_unit_right_behind_it(kind, at, covered):
    table = Table(f"{kind} at {at}", size=(3, 9))
    assert cover(table, "B5") is covered


@pytest.mark.rule("d47.terrain.tank_trap_infantry", "d47.terrain.crate_infantry")
@pytest.mark.parametrize("kind, covered", [("ammo crate", True), ("tank trap", False)])
def test_a_tank_trap_covers_no_vehicle(kind, covered):
    table = Table(f"{kind} at B4", size=(3, 9))
    shooter, tank = table.put(squad(RIFLE, men=1), "B1"), table.put(vehicle(locomotion="tracked"), "B5", RED)
    assert [save.label for save in table.plan(shooter, "Rifle", tank).saves] == ["cover save"] * covered


@pytest.mark.rule("d47.move.vehicle_corner")
@pytest.mark.parametrize("kind", ["rubble", "tank trap", "water", "wreck", "swamp", "structure"])
@pytest.mark.parametrize("locomotion", ["tracked", "walker"])
def test_a_vehicle_does_not_cut_past_what_it_cannot_enter(kind, locomotion):
    table = Table(f"{kind} at C3", size=(5, 5))
    unit = table.put(vehicle(locomotion=locomotion, move=1), "B3")
    past = table.at("C4") in table.rules.movement.reach(table.play, unit, 1, "move")
    assert past is (locomotion == "walker" and kind in ("rubble", "wreck", "swamp"))


@pytest.mark.rule("d47.terrain.trees_height", "d47.open.height_units")
@pytest.mark.parametrize("kind, floor, seen", [("trees", 1, True), ("large trees", 1, False), ("large trees", 2, True)])
def test_trees_are_one_floor_high_and_large_trees_two(kind, floor, seen):
    houses = (f"building at B2, {floor} floors", f"building at F2, {floor} floors")
    table = Table(*houses, f"{kind} at D2", size=(8, 4))
    one, other = table.put(squad(RIFLE, men=1), f"B2+{floor}"), table.put(squad(), f"F2+{floor}", RED)
    assert table.may_aim(one, "Rifle", other) is seen


@pytest.mark.rule("d47.quonset.los", "d47.open.quonset_walkers")
@pytest.mark.parametrize(
    "card, seen",
    [
        (squad(RIFLE), False),
        (hero(RIFLE), False),
        (vehicle(RIFLE, locomotion="tracked"), False),
        (vehicle(RIFLE, locomotion="wheeled"), False),
        (vehicle(RIFLE), True),
        (vehicle(RIFLE, locomotion="tracked", size="large"), True),
        (vehicle(RIFLE, size="huge"), True),
    ],
    ids=["squad", "hero", "tank", "truck", "walker", "large tank", "huge walker"],
)
def test_walkers_and_big_vehicles_look_over_quonset_huts(card, seen):
    table = Table("quonset hut at B5-C5", size=(4, 12))
    one, other = table.put(card, "B2", facing="south"), table.put(squad(), "B10", RED)
    assert table.may_aim(one, "Rifle", other) is seen


@pytest.mark.rule("d47.quonset.los")
def test_infantry_on_an_upper_floor_looks_over_quonset_huts():
    table = Table("building at B2, 1 floor, window on south of B2", "quonset hut at B6-C6", size=(4, 12))
    upstairs, foe = table.put(squad(RIFLE), "B2+1"), table.put(squad(RIFLE), "B8", RED)
    assert table.may_aim(upstairs, "Rifle", foe)
    table.rules.ground.put(table.state, upstairs, table.at("B3"), None)
    assert not table.may_aim(upstairs, "Rifle", foe), "at ground level the hut is in the way"


@pytest.mark.rule("d47.quonset.los")
def test_infantry_on_a_roof_looks_over_quonset_huts():
    table = Table("building at B2", "building at B8", "quonset hut at B5", size=(3, 9))
    one, other = table.put(squad(RIFLE), "B2+1"), table.put(squad(), "B8+1", RED)
    assert table.may_aim(one, "Rifle", other)


# -- crates and wrecks ------------------------------------------------------------------------------


@pytest.mark.rule("d47.terrain.crate_vehicle")
@pytest.mark.parametrize(
    "mover, crushed", [("walker", True), ("tracked", True), ("infantry", False), ("aircraft", False)]
)
def test_a_vehicle_that_drives_over_a_crate_removes_it(mover, crushed):
    table, unit = lane("ammo crate", mover)
    game = table.activate(unit, "move", move="B5")
    assert table.state.table.has(table.at("B4"), "ammo_crate") is not crushed
    assert any(event.rule == "d47.terrain.crate_vehicle" for event in game.of(TerrainChanged)) is crushed


def yard(size: str = "standard"):
    """A tank on B2 that can go to C4 in two squares by B3, where a crate stands, or by C3."""
    table = Table("ammo crate at B3", size=(6, 6))
    return table, table.put(vehicle(locomotion="tracked", move=4, size=size), "B2", facing="south")


def crate_stands(table: Table) -> bool:
    return table.state.table.has(table.at("B3"), "ammo_crate")


@pytest.mark.rule("d47.terrain.crate_vehicle")
@pytest.mark.parametrize("crate, other", [("B3", "C3"), ("C3", "B3")])
def test_a_vehicle_goes_round_a_crate_where_that_costs_nothing(crate, other):
    table = Table(f"ammo crate at {crate}", size=(6, 6))
    tank = table.put(vehicle(locomotion="tracked", move=4), "B2", facing="south")
    game = table.activate(tank, "move", move="C4 N")
    assert table.state.table.has(table.at(crate), "ammo_crate")
    assert game.moves[0].path == (table.at(other), table.at("C4"))


@pytest.mark.rule("d47.terrain.crate_vehicle")
def test_a_vehicle_goes_straight_over_a_crate_where_the_way_round_is_longer():
    table, tank = yard()
    table.activate(tank, "move", move="B4 N")
    assert not crate_stands(table)


@pytest.mark.rule("d47.terrain.crate_vehicle")
@pytest.mark.parametrize("way, stands", [("B3 C4", False), ("C3 C4", True), ("C2 D3 C4", True), ("A3 B3 C4", False)])
def test_its_player_may_name_the_way(way, stands):
    table, tank = yard()
    squares = tuple(table.at(name) for name in way.split())
    game = table.activate(tank, "move", move=(table.at("C4"), 0, squares))
    assert crate_stands(table) is stands
    assert game.moves[0].path == squares and game.moves[0].where == (table.at("C4"),)


@pytest.mark.rule("d47.terrain.crate_vehicle", "d47.move.diagonal_cost", "d47.move.vehicle_corner")
@pytest.mark.parametrize(
    "way, reason",
    [
        ("B4 C4", "no step from B2 to B4"),
        ("C3 D4", "does not end on C4"),
        ("C2 D3 E4 D5 C4", "costs 8"),
        ("C1 D2 D3 C4", "no step from C1 to D2"),
        ("", "a way needs squares"),
    ],
)
def test_a_way_is_as_legal_as_its_steps(way, reason):
    table = Table("structure at D1", size=(6, 6))
    tank = table.put(vehicle(locomotion="tracked", move=4), "B2")
    squares = tuple(table.at(name) for name in way.split())
    found = refused(lambda: table.activate(tank, "move", move=(table.at("C4"), 0, squares)))
    assert reason in found.reason and tank.where == (table.at("B2"),)


@pytest.mark.rule("d47.move.large_leading_edge")
def test_a_large_vehicle_names_the_way_of_its_leading_end():
    table, tank = yard("large")
    ways = {"C3 C4": True, "B3 B4 C4": False}
    for way, stands in ways.items():
        table, tank = yard("large")
        squares = tuple(table.at(name) for name in way.split())
        facing = 2 if way == "C3 C4" else 1
        table.activate(tank, "move", move=(table.at("C4"), facing, squares))
        assert tank.where[0] == table.at("C4") and crate_stands(table) is stands
    end = table.at("C4"), 3, (table.at("C3"), table.at("C4"))
    table, tank = yard("large")
    assert "does not end" in refused(lambda: table.activate(tank, "move", move=end)).reason


@pytest.mark.rule("d47.mines.attack")
def test_who_likes_may_walk_into_the_mines():
    table = Table("minefield at B3", size=(6, 6))
    unit = table.put(squad(men=2), "B2")
    game = table.activate(unit, "move", move=(table.at("B4"), None, (table.at("B3"), table.at("B4"))), dice="SS")
    assert "d47.mines.attack" in game.rules


@pytest.mark.rule("d47.terrain.wreck_created")
def test_a_destroyed_ground_vehicle_stays_as_a_wreck_on_all_its_squares():
    table = Table(size=(9, 9))
    tank = table.put(vehicle(RIFLE, size="huge", damage=2), "C3")
    where = tank.where
    tank.main.damage = 2
    table.run(table.rules.damage.bury(table.play, tank))
    assert table.state.table.squares_with("wreck") == tuple(sorted(where))


@pytest.mark.rule("d47.terrain.wreck_created", "d47.skill.aircraft_destroyed", "d47.skill.naval_destroyed")
def test_aircraft_and_boats_leave_no_wreck():
    table = Table("water from A1 to I9", size=(9, 9))
    for card in (aircraft(RIFLE, damage=1), vehicle(RIFLE, damage=1, locomotion="naval", skills="Naval Unit")):
        unit = table.put(card, "C3")
        unit.main.damage = 1
        table.run(table.rules.damage.bury(table.play, unit))
    assert table.state.table.squares_with("wreck") == ()
    assert table.state.table.features(table.at("C3")) == ("water",)


@pytest.mark.rule("d47.terrain.wreck_los_cover")
def test_a_line_that_touches_the_corner_of_a_wreck_is_covered():
    table = Table("wreck at B4", size=(5, 9))
    shooter, foe = table.put(squad(RIFLE, men=1), "A4"), table.put(squad(men=3), "C6", RED)
    assert [save.label for save in table.plan(shooter, "Rifle", foe).saves] == ["cover save"]


# -- walls and openings -----------------------------------------------------------------------------

OPENINGS: list[tuple[str, str, tuple[str, ...]]] = [
    ("", "d47.terrain.high_wall", ()),
    (" with small opening", "d47.terrain.opening_small", ("infantry",)),
    (" with large opening", "d47.terrain.opening_large", ("infantry", "standard", "large")),
    (" with huge opening", "d47.terrain.opening_huge", ("infantry", "standard", "large", "huge")),
]


@pytest.mark.parametrize("who", ["infantry", "standard", "large", "huge"])
@pytest.mark.parametrize(
    "opening, through",
    [pytest.param(text, who, marks=pytest.mark.rule(rule)) for text, rule, who in OPENINGS],
)
def test_openings_of_three_sizes_let_through_who_fits(opening, through, who):
    walls = [f"wall between {column}4 and {column}5{opening}" for column in "ABCD"]
    table = Table(*walls, size=(4, 10))
    card = squad(RIFLE, move=4) if who == "infantry" else vehicle(RIFLE, size=who, move=4)
    unit = table.put(card, "B3" if who != "huge" else "B2", facing="south")
    crossed = any(int(name[1:]) > 5 for name in ends(table, unit, 4))
    assert crossed is (who in through)


@pytest.mark.rule("d47.open.large_opening_large_vehicle")
@pytest.mark.parametrize("size, passes", [("standard", True), ("large", True), ("huge", False)])
def test_vehicles_one_square_wide_fit_through_large_openings(size, passes):
    walls = ["wall along south of A4-D4 with large opening"]
    table = Table(*walls, size=(4, 10))
    unit = table.put(vehicle(RIFLE, size=size, move=4), "B2", facing="south")
    assert any(int(name[1:]) > 5 for name in ends(table, unit, 4)) is passes


@pytest.mark.rule("d47.open.rear_square_terrain")
def test_no_part_of_a_large_vehicle_ends_on_terrain_it_cannot_stand_on():
    table = Table("structure at B4", size=(3, 9))
    tank = table.put(vehicle(RIFLE, locomotion="tracked", size="large", move=3), "A4", facing="south")
    for end in table.rules.movement.reach(table.play, tank, 3, "move").costs:
        assert table.at("B4") not in table.state.table.footprint("large", end)


@pytest.mark.rule("d47.terrain.high_wall", "d47.attack.los.walls_block")
def test_a_high_wall_blocks_sight_except_through_its_openings():
    for opening, seen in (("", False), (" with small opening", True)):
        table = Table(f"wall between B4 and B5{opening}", size=(3, 9))
        one, other = table.put(squad(RIFLE), "B2"), table.put(squad(), "B7", RED)
        assert table.may_aim(one, "Rifle", other) is seen


@pytest.mark.rule("d47.terrain.high_wall")
def test_a_wall_covers_those_behind_its_opening():
    table = Table("wall between B4 and B5 with small opening", size=(3, 9))
    assert cover(table, "B5")
    assert not cover(table, "B6")


@pytest.mark.rule("d47.terrain.low_wall_cross")
@pytest.mark.parametrize(
    "card, crosses",
    [
        (squad(RIFLE), True),
        (vehicle(RIFLE, armour=1), True),
        (vehicle(RIFLE, armour=1, locomotion="tracked"), False),
        (vehicle(RIFLE, armour=2, locomotion="tracked"), True),
        (vehicle(RIFLE, armour=1, locomotion="wheeled"), False),
        (vehicle(RIFLE, armour=1, locomotion="half_tracked"), False),
    ],
)
def test_low_walls_stop_light_vehicles(card, crosses):
    table = Table("low wall along south of A4-C4", size=(3, 9))
    unit = table.put(card, "B3")
    assert ("B5" in ends(table, unit, 2)) is crosses


@pytest.mark.rule("d47.open.low_wall_wheeled")
@pytest.mark.parametrize("locomotion", ["wheeled", "half_tracked", "tracked"])
@pytest.mark.parametrize("option, wheels_cross", [("cross", True), ("never", False)])
def test_a_house_may_rule_that_wheels_never_cross_low_walls(locomotion, option, wheels_cross):
    table = Table("low wall along south of A4-C4", size=(3, 9), options={"low_wall_wheeled": option})
    unit = table.put(vehicle(RIFLE, armour=2, locomotion=locomotion), "B3")
    assert ("B5" in ends(table, unit, 2)) is (wheels_cross or locomotion == "tracked")


@pytest.mark.rule("d47.terrain.low_wall_los")
def test_a_low_wall_hides_nobody_but_covers_those_right_behind_it():
    table = Table("low wall between B4 and B5", size=(3, 9))
    assert cover(table, "B5")
    assert not cover(table, "B6")


# -- buildings and floors ---------------------------------------------------------------------------

HOUSE = "building from B4 to D6 with 2 floors, door on north of C4, window on north of C4+1"


@pytest.mark.rule("d47.terrain.building_floors")
def test_infantry_climbs_a_floor_for_one_square_up_to_the_roof():
    table = Table(HOUSE, size=(6, 9))
    men = table.put(squad(RIFLE), "C5")
    reach = table.rules.movement.reach(table.play, men, 2, "move")
    assert reach[table.at("C5+1")] == 1
    assert reach[table.at("C4+1")] == 2
    assert reach[table.at("C5+2")] == 2
    assert table.at("C4+2") not in reach


@pytest.mark.rule("d47.terrain.building_floors")
def test_vehicles_do_not_climb():
    table = Table("building from B4 to D6 with 2 floors, gate on north of C4", size=(6, 9))
    walker = table.put(vehicle(RIFLE), "C5")
    assert not any("+" in name for name in ends(table, walker, 4))


@pytest.mark.rule("d47.terrain.building_los_cover", "d47.attack.los.building_opening")
def test_those_at_a_window_are_seen_and_in_cover_and_those_deeper_inside_are_not_seen():
    table = Table(HOUSE, size=(6, 9))
    shooter = table.put(squad(RIFLE, men=1), "C1")
    window, deep = table.put(squad(men=3), "C4", RED), table.put(squad(men=3), "C6", RED)
    assert [save.label for save in table.plan(shooter, "Rifle", window).saves] == ["cover save"]
    assert not table.may_aim(shooter, "Rifle", deep)
    blind = table.put(squad(RIFLE, men=1), "C9")
    assert not table.may_aim(blind, "Rifle", deep)


@pytest.mark.rule("d47.terrain.building_los_cover")
def test_those_inside_a_building_are_in_cover_from_each_other():
    table = Table(HOUSE, size=(6, 9))
    one, other = table.put(squad(RIFLE, men=1), "B4"), table.put(squad(men=3), "D4", RED)
    assert [save.label for save in table.plan(one, "Rifle", other).saves] == ["cover save"]


@pytest.mark.rule("d47.terrain.floors_los")
def test_one_floor_between_gives_cover_and_two_block_sight():
    table = Table("building from B4 to D6 with 3 floors, door on north of C4", size=(6, 9))
    top = table.put(squad(RIFLE, men=1), "C5+1")
    below, far = table.put(squad(men=3), "C4", RED), table.put(squad(men=3), "C4+2", RED)
    (save,) = table.plan(top, "Rifle", below).saves
    assert save.label == "cover save"
    assert [again.rule for again in save.rerolls] == ["d47.height.attacker"]
    assert table.may_aim(top, "Rifle", far)
    cellar = table.put(squad(RIFLE, men=1), "B5")
    assert not table.may_aim(cellar, "Rifle", far)


@pytest.mark.rule("d47.terrain.floors_not_adjacent")
def test_nobody_fights_through_a_floor():
    table = Table(HOUSE, size=(6, 9))
    one, other = table.put(squad(RIFLE), "C5"), table.put(squad(), "C5+1", RED)
    beside = table.put(squad(), "C4", RED)
    assert not table.rules.ground.in_contact(table.state, one, other)
    assert table.rules.ground.in_contact(table.state, one, beside)


# -- Babylon ----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.babylon.arch_walls")
def test_archeological_walls_are_low_walls():
    table = Table("archeological wall along south of A4-C4", size=(3, 9))
    men = table.put(squad(RIFLE), "B3")
    assert "B5" in ends(table, men, 2)
    table.state.units.clear()
    assert cover(table, "B5")


@pytest.mark.rule("d47.babylon.arch_walls")
def test_archeological_walls_linked_together_make_a_building():
    table = Table("archeological building from B4 to C5, door on north of B4", size=(5, 9))
    assert table.state.table.is_indoor(table.at("B4"))


@pytest.mark.rule("d47.babylon.wall_set")
@pytest.mark.parametrize("piece, passes", [("wall set", False), ("low wall set", True)])
def test_walls_of_the_set_are_high_unless_agreed_otherwise(piece, passes):
    table = Table(f"{piece} along south of A4-C4", size=(3, 9))
    men, foe = table.put(squad(RIFLE), "B3"), table.put(squad(), "B8", RED)
    assert ("B5" in ends(table, men, 2)) is passes
    assert table.may_aim(men, "Rifle", foe) is passes


@pytest.mark.rule("d47.babylon.plinth")
def test_infantry_beside_a_plinth_climbs_it_for_one_and_stands_higher():
    table = Table("plinth at B4", size=(5, 9))
    men = table.put(squad(RIFLE, men=1), "B3")
    reach = table.rules.movement.reach(table.play, men, 2, "move")
    assert reach[table.at("B4+1")] == 1
    assert table.at("B4") not in reach
    table.activate(men, "move", move="B4+1")
    foe = table.put(squad(men=3), "D7", RED)
    assert [again.rule for save in table.plan(men, "Rifle", foe).saves for again in save.rerolls] == [
        "d47.height.attacker"
    ]
    walker = table.put(vehicle(RIFLE), "C3")
    assert not any("+" in name for name in ends(table, walker, 3))


@pytest.mark.rule("d47.babylon.ruined_house")
@pytest.mark.parametrize("kind, enters", [("ruined house", False), ("large ruined house", True)])
def test_vehicles_enter_only_the_larger_ruined_house(kind, enters):
    table = Table(f"{kind} from B4 to D6, gate on north of C4", size=(6, 9))
    walker = table.put(vehicle(RIFLE), "C3")
    assert ("C4" in ends(table, walker, 1)) is enters
    table.rules.ground.lift(walker, "lost")
    assert "C4" in ends(table, table.put(squad(RIFLE), "C3"), 1)


@pytest.mark.rule("d47.babylon.ruined_house")
@pytest.mark.parametrize("kind", ["ruined house", "large ruined house"])
def test_infantry_in_a_ruined_house_is_in_cover_and_reaches_its_top_for_one(kind):
    table = Table(f"{kind} from B4 to D6, gate on north of B4", size=(6, 9))
    men = table.put(squad(RIFLE), "C5")
    assert table.rules.movement.reach(table.play, men, 1, "move")[table.at("C5+1")] == 1
    table.state.units.clear()
    assert cover(table, "B4")


# -- smoke and words --------------------------------------------------------------------------------


@pytest.mark.rule("d47.weapon.smoke_duration")
def test_smoke_lasts_through_the_following_turn():
    table = Table(size=(9, 9))
    table.put(squad(), "A1"), table.put(squad(), "I9", RED)
    table.state.turn = 2
    table.rules.smoke.place(table.play, (table.at("C3"), table.at("C4")), "d47.weapon.smoke_shells")
    told = [event for event in table.play.events if isinstance(event, TerrainChanged)]
    assert [(event.rule, event.added) for event in told] == [("d47.weapon.smoke_shells", True)]
    table.end_turn()
    assert table.state.table.has(table.at("C3"), "smoke")
    table.state.turn = 3
    game = table.end_turn()
    assert [(event.rule, event.added) for event in game.of(TerrainChanged)] == [("d47.weapon.smoke_duration", False)]
    assert not table.state.table.has(table.at("C3"), "smoke")


@pytest.mark.rule("d47.weapon.smoke_duration")
def test_a_younger_screen_keeps_smoke_up():
    table = Table(size=(9, 9))
    table.put(squad(), "A1"), table.put(squad(), "I9", RED)
    for turn in (1, 2):
        table.state.turn = turn
        table.rules.smoke.place(table.play, (table.at("C3"),), "d47.weapon.smoke_shells")
        table.end_turn()
    assert table.state.table.has(table.at("C3"), "smoke")


@pytest.mark.rule("d47.weapon.smoke_not_buildings")
def test_no_smoke_lies_in_buildings_and_bunkers():
    spec = {"kind": "bunker", "side": 1, "at": "D4", "facing": "north"}
    table = Table("building at B2", size=(14, 14), fortifications=[spec])
    table.raise_forts()
    squares = tuple(table.at(name) for name in ("B2", "C2", "E5", "D4"))
    table.rules.smoke.place(table.play, squares, "d47.weapon.smoke_shells")
    assert table.state.table.squares_with("smoke") == (table.at("C2"),)


def test_every_terrain_kind_names_its_rules_and_has_a_symbol_of_its_own():
    symbols = [kind.symbol for kind in RULESET.terrain.values()]
    assert len(set(symbols)) == len(symbols)
    assert all(kind.rules for kind in RULESET.terrain.values())


def test_a_piece_nobody_knows_is_refused_with_its_words():
    with pytest.raises(ScenarioError, match="lava"):
        Table("lava at C4")


@pytest.mark.rule("d47.terrain.tank_trap_vehicle")
def test_support_weapons_are_infantry_to_tank_traps():
    table, _ = lane("tank trap", "infantry")
    gun = table.put(support(weapon("Mortar", "1/1", 6)), "B2")
    table.state.units.remove(table.state.units[0])
    assert "B4" in ends(table, gun, 2)
