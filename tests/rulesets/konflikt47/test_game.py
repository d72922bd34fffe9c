"""Set-up, reserves, length, victory, options, whole games (k47.game.*, k47.open.*)."""

from __future__ import annotations

from random import Random

import pytest

from dieselfront import scenarios
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.kernel.record import digest
from dieselfront.lab.invariants import play_watched
from dieselfront.rulesets.konflikt47 import RULESET, ground
from dieselfront.rulesets.konflikt47.battle import BadBattle, read_battle
from dieselfront.rulesets.konflikt47.cards import BadCard, read_card
from dieselfront.rulesets.konflikt47.charts import HE_TABLE, RANK_BONUS
from dieselfront.rulesets.konflikt47.forces_in import read_unit
from dieselfront.rulesets.konflikt47.going import Clearance
from dieselfront.rulesets.konflikt47.options import OPTIONS, BadOption, read_options
from dieselfront.rulesets.konflikt47.spots import SpotRegion
from dieselfront.rulesets.konflikt47.victory import Victory
from dieselfront.scenarios import battle
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, inch, squad, tank, team, usual

NAMES = ("break-through", "crossroads", "hold-the-village", "meeting-engagement", "supply-dumps", "the-minefield")


def new_game(scenario: str = "meeting-engagement", seed: str = "7", **options: str):
    armies = ["konflikt47-germany", "konflikt47-soviet-union"]
    return battle.start(battle.header("konflikt47", scenario, armies, seed=seed, options=options), seed)


def set_up(game) -> None:
    """Random set-up until the first die is drawn."""
    chance = Random(1)
    while game.state.phase == "setup":
        game.choose(game.pending.sample(chance))


@pytest.mark.rule("k47.game.setup", "k47.turn.pool")
def test_a_game_begins_with_one_die_per_unit_and_a_draw():
    game = new_game()
    units = len(game.state.units)
    assert sum(game.state.cup()) == units
    set_up(game)
    assert game.state.turn == 1 and sum(game.state.cup()) == units - 0
    assert all(unit.pins == 0 and not unit.order for unit in game.state.units)
    kinds = [type(event).__name__ for event in game.events]
    assert kinds[kinds.index("TurnBegan") + 1] == "DieDrawn"
    assert scenarios.find("meeting-engagement", "konflikt47")["size"] == [48, 48]  # 500 points


@pytest.mark.rule("k47.game.deploy")
def test_the_default_deployment_rolls_off_for_edges_and_alternates():
    field = Field(size=(72, 48))
    field.state.phase = "setup"
    a, b = (field.put(side, squad(3), place="reserve") for side in (BLUE, RED))
    c = field.put(BLUE, squad(3), place="reserve")
    ran = field.run(lambda play: field.rules.setup.edges(play), [3, 3, 2, 5], {"table edge": "north"})
    assert ran.offered["table edge"] == ["north", "south"]  # long edges only
    assert field.state.edges == ("south", "north")
    assert field.rules.setup.next_side(field.state) == RED
    answers = {"deploy": [b.id], "set up": (900, 150, 180)}
    field.run(lambda play: field.rules.setup.deploy_one(play, RED), [], answers)
    assert b.on_table and b.heading == 180
    assert field.rules.setup.next_side(field.state) == BLUE
    with pytest.raises(IllegalChoice, match="set-up zone"):
        field.run(lambda play: field.rules.setup.deploy_one(play, BLUE), [], {"deploy": a.id, "set up": (900, 850, 0)})
    field.run(lambda play: field.rules.setup.deploy_one(play, BLUE), [], {"deploy": c.id, "set up": (900, 1100, 0)})
    assert c.on_table


@pytest.mark.rule("k47.game.deploy")
def test_at_most_half_of_the_units_stay_in_reserve():
    field = Field(size=(72, 48), outflanking="off")
    field.state.phase = "setup"
    units = [field.put(BLUE, squad(3), place="reserve") for _ in range(3)]
    field.state.to_place = tuple(unit.id for unit in units)
    field.state.placing = BLUE
    assert ("reserve", units[0].id) in field.rules.setup.deploy_options(field.state, BLUE)
    field.run(lambda play: field.rules.setup.deploy_one(play, BLUE), [], {"deploy": ("reserve", units[0].id)})
    assert not any(isinstance(option, tuple) for option in field.rules.setup.deploy_options(field.state, BLUE))


@pytest.mark.rule("k47.game.reserve")
@pytest.mark.parametrize("roll, arrives", [([4, 4], True), ([4, 5], False)])
def test_reserves_arrive_after_a_test_at_minus_one(roll, arrives):
    field = Field(turn=2)
    unit = field.put(BLUE, squad(3), place="reserve")
    ran = field.order(unit, "run", roll, {"arrive": (900, 1100, 0)} if arrives else {}, default=usual)
    assert ran.of("Tested")[0].needed == 8
    assert unit.on_table is arrives and unit.order == ("run" if arrives else "down")
    assert sum(field.state.cup()) == 0


@pytest.mark.rule("k47.game.reserve")
def test_reserve_dice_return_at_turn_end_and_units_that_never_arrive_are_lost():
    field = Field(turn=6)
    unit = field.put(BLUE, squad(3), place="reserve", order="down")
    field.put(RED, squad(3), 600, 400)
    field.put(BLUE, squad(3), 600, 900)
    ran = field.run(field.rules.turn.turn_end, [3])
    assert "keep" not in ran.asked
    assert unit.place == "gone" and ran.of("Scored")[0].points == (0, 1)


@pytest.mark.rule("k47.game.outflank")
def test_outflankers_come_from_turn_three_along_the_side():
    field = Field(turn=2, size=(72, 72))
    unit = field.put(BLUE, squad(3), place="reserve", outflank="west")
    assert field.rules.orders.legal(field.state, unit) == ["down"]
    field.state.turn = 3
    assert field.rules.orders.legal(field.state, unit) == ["advance", "run", "down"]
    box = field.rules.setup.arrival(field.state, unit, "run").box
    assert box[0] == 0 and box[1] == inch(72) - inch(24)
    field.state.turn = 4
    assert field.rules.setup.arrival(field.state, unit, "run").box[1] == inch(72) - inch(36)


@pytest.mark.rule("k47.game.length")
@pytest.mark.parametrize("roll, over", [(3, True), (4, False)])
def test_a_seventh_turn_on_four_or_more(roll, over):
    field = Field(turn=6)
    field.put(BLUE, squad(3), 600, 900)
    field.put(RED, squad(3), 600, 400)
    field.run(field.rules.turn.turn_end, [roll])
    assert field.state.over is over
    field = Field(turn=7)
    field.put(BLUE, squad(3), 600, 900)
    field.put(RED, squad(3), 600, 400)
    field.run(field.rules.turn.turn_end, [])
    assert field.state.over


@pytest.mark.rule("k47.game.victory")
@pytest.mark.parametrize("lost, winner", [((4, 5), None), ((4, 6), 0), ((3, 1), 1)])
def test_a_lead_of_two_destroyed_units_wins(lost, winner):
    field = Field(turn=7)
    for side in (BLUE, RED):
        field.put(side, squad(1), 600, 300 + 500 * side)
        for _ in range(lost[side]):
            field.put(side, squad(1), place="gone")
    ran = field.run(field.rules.turn.turn_end, [])
    assert ran.of("GameEnded")[0].winner == winner


@pytest.mark.rule("k47.game.victory")
def test_a_side_without_units_loses_at_once():
    field = Field()
    field.put(BLUE, squad(1), 600, 300)
    gone = field.put(RED, squad(1), 600, 600)
    field.run(lambda play: field.rules.losses.destroy(play, gone, "test", "k47.game.victory"))
    ran = field.run(field.rules.turn.resume)
    assert ran.of("GameEnded")[0].winner == BLUE and field.state.over


def test_objectives_belong_to_whoever_holds_them_alone():
    game = new_game("crossroads")
    set_up(game)
    state = game.state
    (objective,) = state.scenario.objectives
    mine = next(unit for unit in state.on_table(BLUE) if unit.is_infantry and not unit.building)
    ground.stand(state.table, mine, [(inch(24) + 26 * n, inch(24)) for n in range(len(mine.men))])
    assert Victory(RULESET).holder(state, objective) == BLUE
    foe = next(unit for unit in state.on_table(RED) if not unit.building and not unit.is_artillery)
    ground.stand(state.table, foe, [(inch(24) - 30 - 26 * n, inch(24) + 40) for n in range(len(foe.men))])
    assert Victory(RULESET).holder(state, objective) is None


@pytest.mark.rule("k47.game.platoon")
def test_the_starter_forces_are_legal_platoons_of_about_500_points():
    from dieselfront.forces.armies import find_army
    from dieselfront.forces.army_check import check_army

    for name in battle.starters("konflikt47"):
        army = find_army(name)
        found = check_army(army)
        assert found.ok, (name, found.errors)
        assert 400 <= found.points <= 500


# -- rulings -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("k47.open.basis", "k47.open.book_pages", "k47.open.hidden")
def test_the_first_edition_is_the_basis():
    field = Field()
    a = field.put(BLUE, squad(5), 600, 300)
    b = field.put(RED, squad(5), 600, 300 + gap(10), order="down")
    down = [item for item in field.pool(a, b).because if item.rule == "k47.shoot.down"]
    assert down[0].text.endswith("-1")  # never -2
    assert set(HE_TABLE) == {"D2", "D3", "D6", "2D6", "3D6"} and len(RANK_BONUS) == 4
    game = new_game()
    set_up(game)
    assert not any(type(event).__name__ in ("Hidden", "Bombarded") for event in game.events)


@pytest.mark.rule("k47.open.barrage")
def test_a_barrage_needs_the_option_and_falls_on_a_four():
    off = Field()
    observer = off.put(BLUE, squad(men=[{"weapons": ["Rifle"], "observer": True}]), 600, 300)
    off.put(RED, squad(5), 600, 700)
    assert not off.rules.scenario_rules.may_call(off.state, observer)
    field = Field(barrage="on")
    observer = field.put(BLUE, squad(men=[{"weapons": ["Rifle"], "observer": True}]), 600, 100)
    target = field.put(RED, squad(10), 600, 900)
    field.order(observer, "fire", [], {"barrage": target.id})
    assert not field.rules.scenario_rules.may_call(field.state, observer)
    field.run(field.rules.scenario_rules.turn_began, [2])
    assert field.state.barrages
    dice = [4, 3, 6, 1, 1, 2, 1, 1, 1, 1, 2]  # falls, 9 inches, a 6: shell, four hits, D6 pins
    field.run(field.rules.scenario_rules.turn_began, dice)
    assert target.pins == 2 and not field.state.barrages


def test_every_option_has_a_rule_and_a_default():
    assert read_options({}) == {name: option.default for name, option in OPTIONS.items()}
    with pytest.raises(BadOption, match="no option"):
        read_options({"woods": "on"})
    with pytest.raises(BadOption, match="no choice"):
        read_options({"woods_block": "maybe"})


@pytest.mark.parametrize(
    "card, told",
    [
        ({"name": "X", "kind": "ship"}, "kind"),
        ({"name": "X", "quality": "heroic"}, "quality"),
        ({"name": "X", "men": [{"weapons": ["Laser"]}]}, "Laser"),
        ({"name": "X", "wings": 2}, "wings"),
        ({"name": "X", "kind": "vehicle", "vehicle": {"class": "boat"}}, "boat"),
    ],
)
def test_bad_cards_are_refused_with_the_field(card, told):
    with pytest.raises(BadCard, match=told):
        read_card(card)


def test_bad_scenarios_are_refused_with_the_field():
    with pytest.raises(BadBattle, match="turns"):
        read_battle({"id": "x", "name": "X", "turns": "many"})
    with pytest.raises(BadBattle, match="unknown kind"):
        RULESET.read_scenario(
            {"id": "x", "name": "X", "terrain": [{"kind": "lava", "at": [1, 1], "size": [2, 2]}]}, "x"
        )
    with pytest.raises(BadBattle, match="at least one"):
        read_battle({"id": "x", "name": "X", "victory": "objectives"})


# -- whole games --------------------------------------------------------------------------------------------------


WATCHED = [name if name == "the-minefield" else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]


@pytest.mark.parametrize("name", WATCHED)
def test_random_games_of_every_scenario_keep_all_invariants(name):
    game = new_game(name, seed=f"watch {name}")
    assert play_watched(game, Random(5), copies=True) > 50
    assert game.over


def test_the_same_seed_is_the_same_game():
    def play_out(seed: str) -> str:
        game = new_game("crossroads", seed)
        chance = Random(3)
        while game.pending is not None:
            game.choose_trusted(game.pending.sample(chance))
        return digest(game)

    assert play_out("11") == play_out("11") != play_out("12")


def test_every_card_of_the_catalogue_can_take_the_field():
    from dieselfront.forces import konflikt_catalogue

    for card in konflikt_catalogue():
        unit = read_unit({"card": card.id})
        assert unit.men and (unit.vehicle is not None) == unit.is_vehicle


def test_the_view_is_plain_data():
    import msgspec

    game = new_game()
    set_up(game)
    shown = RULESET.view(game.state)
    msgspec.json.encode(shown)
    assert {"turn", "turns", "phase", "sides", "units", "objectives", "table"} <= shown.keys()
    unit = next(one for one in shown["units"] if one["status"] == "table")
    assert unit["models"][0].keys() >= {"x", "y", "base"}
    for event in game.events:
        assert event.sentence(RULESET.names(game.state))


def test_guns_and_teams_are_read_from_the_catalogue():
    assert read_unit({"card": "germany-75mm-pak-40"}).gun == "heavy"
    mmg = read_unit({"card": "germany-medium-machine-gun-team"})
    assert mmg.team and [man.is_a("gunner") for man in mmg.men] == [True, False, False]
    officer = read_unit({"card": "germany-officer"})
    assert officer.rank == "second lieutenant" and officer.men[0].is_a("officer")
    assert gun("Light AT Gun")["kind"] == "artillery" and team("MMG")["men"] and tank()["vehicle"]


def test_spots_to_set_a_unit_down_lie_all_over_its_region():
    field = Field(size=(48, 48))
    unit = field.put(BLUE, squad(3), place="reserve")
    box = (50, 50, 1150, 250)
    region = SpotRegion(Clearance(field.state, unit, False), unit, box, lambda body: True, 0, "")
    spots = region.spots(12)
    assert len(spots) == 12 and region.first() == spots[0]
    assert max(x for x, _, _ in spots) > 800 and max(y for _, y, _ in spots) > 150
    assert all(region.why_not(spot) is None for spot in spots)


def test_notes_of_a_unit_are_fields_kept_only_where_somebody_wrote_them():
    field = Field()
    unit = field.put(BLUE, squad(3), 600, 400)
    assert unit.notes == {} and unit.floor == 0 and not unit.dug_in
    unit.floor, unit.elite_used, unit.dug_in = 2, True, True
    twin = unit.clone()
    unit.forget_turn()
    assert unit.notes == {"floor": 2, "dug_in": True} and twin.elite_used
    del unit.floor
    assert unit.floor == 0 and twin.floor == 2
