"""Weather: how it begins and ends, and what it does to sight, cover, movement and aircraft (d47.weather.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.state import ABOARD, AWAY, ON_BOARD, RESERVE, Unit
from dieselfront.rulesets.dust1947.weather import SEVERITY_OF, sight_limit
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, squad, vehicle, weapon

RIFLE = weapon("Rifle", "3/1", 12)


def storm(weather: str, *terrain: str, size: tuple[int, int] = (12, 12), **more: object) -> Table:
    """A table under weather of that severity."""
    table = Table(*terrain, size=size, weather="high", severity="severe" if weather == "clear" else weather, **more)
    table.state.severity = table.state.scenario.severity
    table.state.weather = "" if weather == "clear" else weather
    return table


def pair(table: Table, distance: int, shooter: object = None, target: object = None) -> tuple[Unit, Unit]:
    one = table.put(shooter or squad(RIFLE, men=1), "A1")  # type: ignore[arg-type]
    other = table.put(target or squad(men=5), f"A{1 + distance}", RED)  # type: ignore[arg-type]
    return one, other


def roll(table: Table, dice: str, winner: int = BLUE) -> object:
    return table.run(table.rules.weather.roll(table.play, winner), dice=dice)


# -- severity ---------------------------------------------------------------------------------------


@pytest.mark.rule("d47.weather.severity")
@pytest.mark.parametrize(
    "pair, severity",
    [
        ("AA", "severe"),
        ("AT", "severe"),
        ("TA", "severe"),
        ("TT", "moderate"),
        ("TS", "moderate"),
        ("ST", "moderate"),
        ("SS", "mild"),
        ("AS", "mild"),
        ("SA", "mild"),
    ],
)
def test_two_dice_before_the_game_fix_the_severity(pair, severity):
    table = Table(weather="low")
    game = table.run(table.rules.weather.settle_severity(table.play), dice=pair)
    assert table.state.severity == severity
    assert game.rolls[0].player == RED  # who placed terrain last
    assert [event.text for event in game.of(Happened)] == [f"the weather can turn {severity}"]


@pytest.mark.rule("d47.weather.severity")
def test_each_severity_is_equally_likely():
    sides = {0: 2, 1: 2, 2: 2}
    ways = dict.fromkeys(("mild", "moderate", "severe"), 0)
    for (one, other), severity in SEVERITY_OF.items():
        ways[severity] += sides[one] * sides[other] * (1 if one == other else 2)
    assert set(ways.values()) == {12}


@pytest.mark.rule("d47.weather.severity")
def test_a_scenario_may_fix_the_severity_without_a_roll():
    table = Table(weather="low", severity="moderate")
    game = table.run(table.rules.weather.settle_severity(table.play))
    assert table.state.severity == "moderate"
    assert game.rolls == []


@pytest.mark.rule("d47.weather.severity")
def test_severity_is_rolled_once_for_the_whole_game():
    table = Table(weather="high")
    table.run(table.rules.weather.settle_severity(table.play), dice="AA")
    table.run(table.rules.weather.settle_severity(table.play))
    roll(table, "AAA")
    assert table.state.weather == "severe"
    roll(table, "AAA")
    assert table.state.weather == ""
    roll(table, "AAA")
    assert table.state.weather == "severe"


# -- beginning and ending ---------------------------------------------------------------------------


@pytest.mark.rule("d47.weather.begin_roll")
@pytest.mark.parametrize(
    "risk, dice, begins",
    [
        ("low", "AAA", True),
        ("low", "AAS", False),
        ("medium", "AAS", True),
        ("medium", "ASS", False),
        ("high", "ASS", True),
        ("high", "STS", False),
    ],
)
def test_how_many_army_begin_weather_depends_on_the_risk(risk, dice, begins):
    table = Table(weather=risk, severity="moderate")
    game = roll(table, dice)
    assert bool(table.state.weather) is begins
    assert any(isinstance(event, Happened) for event in game.events) is begins
    assert game.rolls[0].player == BLUE  # the winner of the initiative


@pytest.mark.rule("d47.weather.end_roll", "d47.open.weather_thresholds", "d47.open.weather_end_misprint")
@pytest.mark.parametrize(
    "turns, dice, ends",
    [
        (0, "AAA", True),
        (0, "AAS", False),
        (1, "AAS", True),
        (1, "ASS", False),
        (2, "ASS", True),
        (5, "AAT", True),
        (5, "TSS", False),
    ],
)
def test_how_many_army_end_weather_depends_on_the_full_turns_it_has_lasted(turns, dice, ends):
    table = storm("moderate")
    table.state.weather_turns = turns  # before this roll counts the turn just played
    game = roll(table, dice)
    assert bool(table.state.weather) is not ends
    assert game.rolls[0].player == RED  # the loser of the initiative


@pytest.mark.rule("d47.open.weather_thresholds")
def test_weather_of_turns_two_and_three_ends_on_two_army_in_turn_four():
    table = Table(weather="high", severity="moderate")
    roll(table, "AAA")  # turn 2
    roll(table, "AAS")  # turn 3: one full turn
    assert table.state.weather
    roll(table, "AAS")  # turn 4: two full turns
    assert not table.state.weather


@pytest.mark.rule("d47.weather.persists")
def test_weather_that_no_roll_ends_goes_on():
    table = storm("moderate")
    for _ in range(5):
        assert "d47.weather.persists" in roll(table, "SST").rules
    assert table.state.weather == "moderate"


@pytest.mark.rule("d47.weather.clear_round")
def test_in_the_round_weather_ends_nobody_rolls_for_new_weather():
    table = storm("moderate")
    game = roll(table, "AAA")
    assert game.labels == ["weather ends"]
    assert roll(table, "SSS").labels == ["weather begins"]


@pytest.mark.rule("d47.open.weather_risk_vs_begin")
def test_a_turn_begins_with_initiative_then_weather_then_the_first_activation():
    table = Table(weather="low", severity="mild")
    game = table.run(table.rules.turn.begin(table.play), dice="AAA SSS STT", first=BLUE)
    assert game.labels == ["initiative", "initiative", "weather begins"]
    assert game.asked == ["first"]


@pytest.mark.rule("d47.weather.begin_roll")
def test_a_scenario_without_weather_never_rolls_for_it():
    table = Table()
    assert roll(table, "").rolls == []


@pytest.mark.rule("d47.weather.type")
def test_a_sandstorm_is_as_severe_as_a_blizzard():
    plans = []
    for name in ("sandstorm", "blizzard"):
        table = storm("severe", weather_name=name)
        one, other = pair(table, 5)
        plan = table.plan(one, "Rifle", other)
        plans.append([(save.key(), save.label) for save in plan.saves])
        assert table.rules.weather.slow(table.state, one, 5, 8) == (2, 4)
    assert plans[0] == plans[1] != []


# -- sight ------------------------------------------------------------------------------------------


@pytest.mark.rule("d47.weather.severe_los")
def test_in_severe_weather_sight_ends_at_range_six():
    table = storm("severe")
    one, other = pair(table, 6)
    far = table.put(squad(men=1), "A8", RED)
    assert table.may_aim(one, "Rifle", other)
    assert not table.may_aim(one, "Rifle", far)
    assert sight_limit(table.state) == 6
    assert table.rules.ground.sees(table.state, one, other)
    assert not table.rules.ground.sees(table.state, one, far)


@pytest.mark.rule("d47.weather.moderate_los")
def test_in_moderate_weather_sight_ends_at_range_eight():
    table = storm("moderate")
    one, other = pair(table, 8)
    far = table.put(squad(men=1), "A10", RED)
    assert table.may_aim(one, "Rifle", other)
    assert not table.may_aim(one, "Rifle", far)
    assert sight_limit(table.state) == 8


@pytest.mark.rule("d47.weather.severe_los")
def test_a_target_lost_in_the_weather_is_refused_by_its_rule():
    table = storm("severe")
    one, far = pair(table, 8)
    from dieselfront.rulesets.dust.shots import Attack

    refusal = table.rules.attacks.why_not(table.play, Attack(one), 0, 0, far)
    assert refusal is not None
    assert refusal[0] == "d47.weather.severe_los"


# -- cover ------------------------------------------------------------------------------------------


@pytest.mark.rule("d47.weather.severe_cover")
@pytest.mark.parametrize("distance, cover", [(2, False), (3, True), (6, True)])
def test_in_severe_weather_targets_at_range_three_or_more_are_in_cover(distance, cover):
    table = storm("severe")
    one, other = pair(table, distance)
    label = "cover save" if cover else "infantry save"
    assert [save.label for save in table.plan(one, "Rifle", other).saves] == [label]


@pytest.mark.rule("d47.weather.moderate_cover")
@pytest.mark.parametrize("distance, cover", [(4, False), (5, True), (8, True)])
def test_in_moderate_weather_targets_at_range_five_or_more_are_in_cover(distance, cover):
    table = storm("moderate")
    one, other = pair(table, distance)
    label = "cover save" if cover else "infantry save"
    assert [save.label for save in table.plan(one, "Rifle", other).saves] == [label]


@pytest.mark.rule("d47.weather.severe_cover", "d47.weapon.phaser")
def test_phasers_do_not_take_the_cover_of_severe_weather_away():
    table = storm("severe")
    one, other = pair(table, 4, squad(weapon("Phaser", "3/1", 12, "Phaser"), men=1))
    assert [save.label for save in table.plan(one, "Phaser", other).saves] == ["cover save"]


@pytest.mark.rule("d47.weather.moderate_cover", "d47.weapon.sniper_saves")
def test_snipers_do_not_take_the_cover_of_moderate_weather_away():
    table = storm("moderate")
    one, other = pair(table, 5, squad(weapon("Sniper Rifle", "1/1", 12, "Sniper"), men=1))
    assert [save.label for save in table.plan(one, "Sniper Rifle", other).saves] == ["cover save"]


@pytest.mark.rule("d47.weather.severe_cover", "d47.wire.cross")
def test_a_squad_caught_in_wire_has_no_cover_save_in_any_weather():
    table = storm("severe")
    one, other = pair(table, 4)
    other.set(1 << 10)
    assert [save.label for save in table.plan(one, "Rifle", other).saves] == ["infantry save"]


@pytest.mark.rule("d47.weather.severe_reroll")
@pytest.mark.parametrize("distance, again", [(4, 0), (5, 1), (6, 1)])
def test_far_off_in_severe_weather_failed_cover_saves_are_rolled_again(distance, again):
    table = storm("severe")
    one, other = pair(table, distance)
    save = table.plan(one, "Rifle", other).saves[0]
    assert len(save.rerolls) == again
    assert all(not reroll.successes for reroll in save.rerolls)


@pytest.mark.rule("d47.weather.severe_reroll", "d47.skill.zombie_saves")
def test_the_reroll_of_severe_weather_helps_cover_saves_only():
    table = storm("severe")
    one, other = pair(table, 5, target=squad(men=5, skills="Zombie"))
    save = table.plan(one, "Rifle", other).saves[0]
    assert save.label == "infantry save"
    assert save.rerolls == ()


@pytest.mark.rule("d47.weather.severe_reroll")
def test_two_failed_cover_saves_at_range_five_are_both_rolled_again():
    table = storm("severe")
    one, other = pair(table, 5)
    game = table.attack(one, other, dice="AAA ATT AT")
    assert game.saved == 2
    assert {"d47.weather.severe_cover", "d47.weather.severe_reroll"} <= set(game.reasons)


@pytest.mark.rule("d47.weather.moderate_aircraft_attacks")
def test_in_moderate_weather_ground_units_are_in_cover_from_aircraft():
    table = storm("moderate")
    plane, men = pair(table, 2, aircraft(weapon("Phaser", "2/1", 8, "Phaser")))
    rival = table.put(aircraft(RIFLE), "C3", RED)
    assert [save.label for save in table.plan(plane, "Phaser", men).saves] == ["cover save"]
    assert table.plan(plane, "Phaser", rival).saves == ()


@pytest.mark.rule("d47.open.evade_and_cover", "d47.weather.moderate_cover")
def test_an_aircraft_evades_first_and_then_takes_cover_in_the_weather():
    table = storm("moderate")
    one, plane = pair(table, 6, target=aircraft(RIFLE))
    plane.set(1 << 13)
    assert [save.label for save in table.plan(one, "Rifle", plane).saves] == ["evade save", "cover save"]


# -- movement ---------------------------------------------------------------------------------------


@pytest.mark.rule("d47.weather.severe_move")
def test_nobody_moves_more_than_two_and_four_in_severe_weather():
    table = storm("severe")
    tank = table.put(vehicle(move=4, march=6), "C5")
    assert table.rules.movement.pace(table.play, tank) == (2, 4)
    slow = table.put(squad(move=1, march=3), "E5")
    assert table.rules.movement.pace(table.play, slow) == (1, 3)


@pytest.mark.rule("d47.weather.moderate_move")
def test_nobody_moves_more_than_three_and_six_in_moderate_weather():
    table = storm("moderate")
    tank = table.put(vehicle(move=5, march=8), "C5")
    assert table.rules.movement.pace(table.play, tank) == (3, 6)


@pytest.mark.rule("d47.weather.severe_move", "d47.terrain.road_move_bonus")
def test_a_road_carries_nobody_past_the_limit_of_the_weather():
    table = storm("severe", "road from A5 to L5")
    tank = table.put(vehicle(move=4, march=6, locomotion="tracked"), "B5", facing="east")
    assert max(table.rules.movement.reach(table.play, tank, 2, "move").costs.values()) == 2
    table.state.weather = ""
    assert table.at("G5") in table.rules.movement.reach(table.play, tank, 4, "move").costs


@pytest.mark.rule("d47.weather.mild")
def test_mild_weather_changes_nothing():
    table = storm("mild")
    one, other = pair(table, 10)
    plane = table.put(aircraft(RIFLE), "F6")
    assert table.may_aim(one, "Rifle", other)
    assert [save.label for save in table.plan(one, "Rifle", other).saves] == ["infantry save"]
    assert table.rules.movement.pace(table.play, plane) == (6, 12)
    assert plane.on_board


# -- aircraft ---------------------------------------------------------------------------------------


@pytest.mark.rule("d47.weather.severe_aircraft_leave", "d47.open.weather_aircraft_cargo")
def test_severe_weather_drives_all_aircraft_off_with_what_they_carry():
    table = storm("clear")
    plane = table.put(aircraft(RIFLE, skills="Passengers (6)"), "C3")
    rider = table.put(squad(men=3))
    rider.status, rider.aboard = ABOARD, plane.id
    enemy = table.put(aircraft(RIFLE), "H3", RED)
    walker = table.put(vehicle(RIFLE), "E5")
    rider.main.alive = (0, 1)
    assert roll(table, "AAA").rules.count("d47.weather.severe_aircraft_leave") == 2
    assert [unit.status for unit in (plane, enemy, rider, walker)] == [AWAY, AWAY, AWAY, ON_BOARD]
    assert table.rules.turn.waiting(table.play, BLUE) == [walker]
    assert plane.alive and rider.main.alive == (0, 1)


@pytest.mark.rule("d47.weather.severe_aircraft_leave")
def test_moderate_weather_leaves_aircraft_in_the_sky():
    table = Table(weather="high", severity="moderate")
    plane = table.put(aircraft(RIFLE), "C3")
    roll(table, "AAA")
    assert plane.on_board


@pytest.mark.rule("d47.weather.severe_aircraft_return", "d47.open.weather_aircraft_cargo")
def test_when_severe_weather_ends_aircraft_may_be_brought_on_again_with_their_cargo():
    table = storm("clear")
    plane = table.put(aircraft(RIFLE, skills="Passengers (6)", move=4), "C3")
    plane.main.damage = 2
    rider = table.put(squad(men=3))
    rider.status, rider.aboard = ABOARD, plane.id
    roll(table, "AAA")
    assert table.rules.reserves.may_enter(table.play, BLUE) == []
    assert "d47.weather.severe_aircraft_return" in roll(table, "AAA").rules
    assert plane.status == RESERVE
    assert table.rules.reserves.may_enter(table.play, BLUE) == [plane]
    table.activate(plane, "move", move="D4")
    assert plane.on_board and plane.main.damage == 2
    assert rider.status == ABOARD and rider.aboard == plane.id


@pytest.mark.rule("d47.weather.severe_aircraft_leave")
def test_while_severe_weather_lasts_no_aircraft_enters_from_reserve():
    table = storm("severe")
    plane = table.put(aircraft(RIFLE))
    plane.status = RESERVE
    assert table.rules.reserves.may_enter(table.play, BLUE) == []
    table.state.weather = ""
    assert table.rules.reserves.may_enter(table.play, BLUE) == [plane]


@pytest.mark.rule("d47.weather.severe_cover", "d47.attack.los.smoke_inside", "d47.weapon.sniper_saves")
def test_a_sniper_takes_the_cover_of_smoke_away_but_not_that_of_severe_weather():
    sniper = squad(weapon("Sniper Rifle", "1/1", 12, "Sniper"), men=1)
    for weather, near, far in (("clear", [], []), ("severe", [], ["cover save"])):
        table = storm(weather, "smoke at A3, A5", "smoke at D5")
        shooter = table.put(sniper, "A1")
        hidden = table.put(squad(men=5), "A3", RED)
        assert [save.label for save in table.plan(shooter, "Sniper Rifle", hidden).saves] == near
        table.state.table = table.state.table.clearing("smoke", [table.at("A3")])
        table.rules.ground.lift(hidden, AWAY)
        beyond = table.put(squad(men=5), "A5", RED)
        assert [save.label for save in table.plan(shooter, "Sniper Rifle", beyond).saves] == far
        behind = table.put(squad(men=5), "A6", RED)
        assert not table.may_aim(shooter, "Sniper Rifle", behind)  # the smoke between blocks sight in any weather
