"""The players of Konflikt '47: sensible, legal, repeatable, clearly better than chance; they do not peek at dice."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront.kernel.decisions import PickSome, YesNo
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import digest
from dieselfront.lab.simulate import Matches, line_up, play_out, seats, seed_of
from dieselfront.players import make, weights
from dieselfront.players.adviser import Candidate, Level
from dieselfront.players.opponent import Opponent
from dieselfront.rulesets import load
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.adviser.adviser import KonfliktAdviser, along, is_way
from dieselfront.rulesets.konflikt47.adviser.area_fire import wave_gain
from dieselfront.rulesets.konflikt47.adviser.guess import Guess, middle
from dieselfront.rulesets.konflikt47.adviser.intent import Intent
from dieselfront.rulesets.konflikt47.adviser.suppression import SUPPRESS
from dieselfront.rulesets.konflikt47.battle import make_table, read_battle
from dieselfront.rulesets.konflikt47.cards import read_card
from dieselfront.rulesets.konflikt47.events import Declared
from dieselfront.rulesets.konflikt47.firing import Shot
from dieselfront.rulesets.konflikt47.odds.fire_odds import best_shots, fire_odds
from dieselfront.rulesets.konflikt47.state import ABOARD, TABLE, Unit
from dieselfront.scenarios import battle

RULES: Any = load("konflikt47")


def squad(count: int = 6, weapon: str = "Rifle", **more: Any) -> dict[str, Any]:
    men = [{"weapons": [weapon], "nco": True}, {"weapons": [weapon], "count": count - 1}]
    return {"name": "Squad", "kind": "infantry", "points": 60, "men": men, **more}


def tank(**more: Any) -> dict[str, Any]:
    gun = "Turret-Mounted Medium AT Gun"
    return {
        "name": "Tank",
        "kind": "vehicle",
        "points": 200,
        "vehicle": {"class": "medium tank"},
        "men": [{"weapons": [gun]}],
        **more,
    }


class OneSide:
    """Dice that always draw one side's die and roll threes."""

    def __init__(self, side: int) -> None:
        self.side = side

    def roll(self, question: Any, number: int) -> tuple[int, ...]:
        return (self.side if question.die.name == "order cup" else 2,) * question.count


class NoDice:
    """Dice that nobody may roll."""

    def roll(self, question: Any, number: int) -> tuple[int, ...]:
        raise AssertionError(f"somebody rolled the game's own dice: {question.label}")


def at_the_order(*units: tuple[int, dict[str, Any], int, int, dict[str, Any]], turn: int = 1, **scenario: Any) -> Game:
    """A game at the first order of the first unit given, places in inches."""
    made = []
    for number, (side, card, _, _, given) in enumerate(units):
        unit = Unit(f"{'ab'[side]}{number}", side, read_card(card))
        for name, value in given.items():
            setattr(unit, name, value)
        made.append(unit)
    fought = read_battle({"id": "test", "name": "Test", **scenario})
    state = RULES.position(made, make_table(fought), {"national_rules": "off", "snap_to_action": "off"}, fought)
    state.turn, state.phase = turn, "orders"
    for unit, (_, _, x, y, _) in zip(made, units, strict=True):
        unit.place = TABLE
        row = [(round(x * 25.4) + 30 * place, round(y * 25.4)) for place in range(len(unit.men))]
        row += [(round(x * 25.4) + 30, round(y * 25.4) - 60)] if unit.is_artillery else []
        ground.stand(state.table, unit, row, 0 if unit.side == 0 else 180)
    game = Game(RULES, state, OneSide(0), keep_history=False)
    while game.pending is not None and game.pending.key != "order":
        game.choose("a0")
    return game


def first_sight() -> Opponent:
    """A player who takes the adviser's best plan and never errs."""
    return Opponent(KonfliktAdviser(weights("konflikt47")), Level(candidates=8), "seed")


def order(game: Game) -> Any:
    return first_sight().choose(game)


def test_a_unit_with_a_good_target_fires():
    assert order(at_the_order((0, squad(), 20, 30, {}), (1, squad(), 20, 20, {}))) == "fire"


def test_a_heavily_pinned_unit_rallies():
    assert order(at_the_order((0, squad(), 20, 40, {"pins": 6}), (1, squad(), 20, 5, {}))) == "rally"


def test_a_unit_far_from_an_objective_goes_there():
    goal = {"objectives": [{"id": "ford", "at": [24, 24], "points": 2}], "victory": "objectives"}
    game = at_the_order((0, squad(), 20, 44, {}), (1, squad(), 2, 3, {}), **goal)
    player = first_sight()
    choice = player.choose(game)
    assert choice in ("run", "advance")
    game.choose(choice)
    way = player.choose(game)
    assert way[-1][1] < round(44 * 25.4) - 100


@pytest.mark.parametrize("level", ["recruit", "regular", "veteran"])
@pytest.mark.parametrize("seed", [str(seed) for seed in range(12)])
def test_nobody_leaves_an_objective_for_nothing_in_the_last_turn(level, seed):
    goal = {"objectives": [{"id": "ford", "at": [21, 40], "points": 2}], "victory": "objectives", "turns": 6}
    game = at_the_order((0, squad(), 20, 40, {}), (1, squad(), 2, 3, {"order": "run"}), turn=6, extra_turn=7, **goal)
    player = make(level, seed, "konflikt47")
    while not game.over and game.state.turn == 6:
        game.choose(player.choose(game))
    assert game.winner == 0


def test_an_anti_tank_gun_is_aimed_at_the_tank_and_rifles_at_the_squad():
    for weapon, wanted in (("Bazooka", "b1"), ("Rifle", "b2")):
        game = at_the_order((0, squad(weapon=weapon), 20, 24, {}), (1, tank(), 18, 12, {}), (1, squad(), 26, 14, {}))
        player = make("regular", "seed", "konflikt47")
        game.choose("fire")
        assert game.pending is not None and game.pending.key == "target"
        assert player.choose(game) == wanted


def an_adviser(game: Game) -> Any:
    adviser = KonfliktAdviser(weights("konflikt47"))
    adviser._look(game, {})
    return adviser


def test_ordinary_soldiers_fall_first():
    men = [{"weapons": ["SMG"], "nco": True}, {"weapons": ["LMG"]}, {"weapons": ["Rifle"], "count": 4}]
    game = at_the_order((0, squad(men=men), 20, 30, {}), (1, squad(), 20, 20, {}))
    lost = an_adviser(game)._on_casualties(game, PickSome(0, "casualties", [0, 1, 2, 3, 4, 5], 3, 3, unit="a0"))
    assert lost == ((3, 4, 5),)


@pytest.mark.parametrize(("weapon", "far"), [("Rifle", 10), ("Rifle", 20), ("Shotgun", 14), ("SMG", 8)])
def test_in_the_open_a_guess_comes_near_the_exact_odds(weapon, far):
    game = at_the_order((0, squad(weapon=weapon), 20, 40, {}), (1, squad(), 20, 40 - far, {}))
    state = game.state
    unit, target = state.unit("a0"), state.unit("b1")
    guess = an_adviser(game).judge.guesses.volley(state, unit, target)
    odds = fire_odds(RULES, state, unit, target, best_shots(RULES, state, unit, target, "fire"), "fire")
    assert guess.losses == pytest.approx(odds.mean_losses, rel=0.1)
    assert guess.gone == pytest.approx(odds.gone, abs=0.06)
    assert guess.hit * guess.pins == pytest.approx(odds.pins, rel=0.1)


def test_a_wall_of_rock_hides_what_is_behind_it_from_guesses():
    rock = [{"kind": "rocks", "id": "rock", "at": [10, 24], "size": [28, 3]}]
    game = at_the_order((0, squad(), 20, 34, {}), (1, squad(), 20, 18, {}), terrain=rock)
    guesses = an_adviser(game).judge.guesses
    assert guesses.volley(game.state, game.state.unit("a0"), game.state.unit("b1")).hit == 0


@pytest.mark.parametrize("level", ["regular", "veteran", "ace"])
def test_looking_for_the_best_order_changes_nothing_and_rolls_none_of_the_games_dice(level):
    game = at_the_order((0, squad(), 20, 30, {}), (0, squad(), 30, 30, {}), (1, squad(), 20, 20, {"pins": 1}))
    before = game.state.facts()
    game.dice = NoDice()
    make(level, "seed", "konflikt47").choose(game)
    assert game.state.facts() == before


@pytest.mark.parametrize("level", ["regular", "veteran"])
def test_a_player_says_why_with_numbers(level):
    game = at_the_order((0, squad(), 20, 30, {}), (1, squad(), 20, 20, {}))
    player = make(level, "seed", "konflikt47")
    player.choose(game)
    assert player.reason.startswith("Squad ") and any(letter.isdigit() for letter in player.reason)
    assert level == "regular" or player.reason.startswith("Squad 1 fires at Squad 2: ")


def a_battle(number: int, players: tuple[str, str]) -> tuple[Game, list[Any], tuple[int, int]]:
    matches = Matches("konflikt47", games=2, seed="duel", players=players, swap=True, scenario="meeting-engagement")
    header, _ = line_up(matches, number)
    game = battle.start(header, seed_of(matches, number), keep_history=False)
    seated = seats(matches, number)
    return game, [make(players[one], f"{number}/{one}", "konflikt47") for one in seated], seated


@pytest.mark.parametrize("number", [0, 1])
def test_it_beats_chance_from_both_sides_of_the_table(number):
    game, players, seated = a_battle(number, ("regular", "random"))
    play_out(game, players)
    assert game.winner is not None and seated[game.winner] == 0


def some_choices(level: str, count: int) -> tuple[list[Any], str]:
    game, players, _ = a_battle(0, (level, "recruit"))
    while len(game.choices) < count and game.pending is not None:
        game.choose(players[game.pending.player].choose(game))
    return list(game.choices), digest(game)


@pytest.mark.parametrize(("level", "count"), [("regular", 70), ("veteran", 28)])
def test_it_plays_the_same_way_again_and_every_choice_is_legal(level, count):
    assert some_choices(level, count) == some_choices(level, count)


def in_a_playout(game: Game, order: str, target: str) -> list[Any]:
    """What happens when the adviser carries out an order on a copy, as the search does."""
    adviser = KonfliktAdviser(weights("konflikt47", "balanced"))
    plan = Intent("a0", order, 0.0, target=target)
    twin = game.copy(dice=OneSide(0))
    notes: dict[int, Any] = {0: (plan,)}
    seen = len(twin.events)
    twin.choose_trusted(order)
    while twin.pending is not None and twin.pending.key not in ("unit", "order"):
        twin.choose_trusted(adviser.answer(twin, notes))
    return list(twin.events[seen:])


def test_a_tank_in_a_playout_fires_at_whom_the_plan_means():
    enemies = [(1, squad(3), 18, 10, {}), (1, squad(10), 30, 10, {})]
    for meant, number in (("b1", 1), ("b2", 2)):
        game = at_the_order((0, tank(), 24, 24, {}), *enemies)
        [declared] = [event for event in in_a_playout(game, "fire", meant) if isinstance(event, Declared)]
        assert {shot[1] for shot in declared.shots} == {f"b{number}"}


@pytest.mark.rule("k47.core.los_units")
def test_a_tank_in_a_playout_does_not_fire_at_enemies_behind_friends():
    friends = (0, squad(8), 23, 18, {})
    game = at_the_order((0, tank(), 24, 24, {}), friends, (1, squad(4), 24, 10, {}), (1, squad(3), 40, 14, {}))
    declared = [event for event in in_a_playout(game, "fire", "b2") if isinstance(event, Declared)]
    assert [shot[1] for event in declared for shot in event.shots] == ["b3"]


def test_the_place_along_a_way_is_found_leg_by_leg():
    body = at_the_order((0, squad(1), 24, 24, {}), (1, squad(3), 24, 10, {})).state.units[0].bodies[0]
    way = [body, body, body.at(body.x + 100, body.y), body.at(body.x + 100, body.y + 50)]
    assert [(one.x - body.x, one.y - body.y) for one in (along(way, 400), along(way, 1200), along(way, 9000))] == [
        (40, 0),
        (100, 20),
        (100, 50),
    ]
    assert is_way(((3, 4), (5, 6))) and is_way(((3, 4, 90),))
    assert not is_way(()) and not is_way("move") and not is_way((("mount", "a1"),))


def test_plans_that_give_up_an_objective_in_the_last_turn_are_told_from_others():
    goal = {"objectives": [{"id": "ford", "at": [21, 40], "points": 2}], "victory": "objectives", "turns": 6}
    for turn, told in ((6, True), (5, False)):
        game = at_the_order((0, squad(), 20, 40, {}), (1, squad(), 2, 3, {"order": "run"}), turn=turn, **goal)
        adviser = an_adviser(game)
        away = Candidate("run", 9.0, (Intent("a0", "run", 9.0, path=((508, 600),)),))
        near = Candidate("advance", 0.0, (Intent("a0", "advance", 0.0, path=((540, 1010),)),))
        stays = Candidate("down", 0.0, (Intent("a0", "down", 0.0),))
        assert [adviser.gives_up(game, one) for one in (away, near, stays)] == [told, False, False]


# -- kinds of plans --------------------------------------------------------------------------------------------


def plans_of(game: Game, unit: str = "a0") -> list[Intent]:
    """What the adviser proposes for a unit, looked at with care, the best first."""
    adviser = an_adviser(game)
    adviser.planner.looks = True
    options = RULES.orders.choices(game.state, game.state.unit(unit))
    plans: list[Intent] = adviser.planner.intents(game.state.unit(unit), options, True, 12)
    return plans


def machine_gun(**more: Any) -> dict[str, Any]:
    men = [{"weapons": ["MMG"], "gunner": True}, {"weapons": [], "count": 2}]
    return {"name": "Machine Gun", "kind": "infantry", "points": 50, "men": men, **more}


def gun(weapon: str, **more: Any) -> dict[str, Any]:
    men = [{"weapons": [weapon], "count": 3}]
    return {"name": "Gun", "kind": "artillery", "gun": "medium", "points": 90, "men": men, **more}


@pytest.mark.rule("k47.wrule.shockwave_line")
def test_a_shockwave_is_aimed_where_its_line_crosses_enemies_and_not_our_own():
    enemies = [(1, squad(), 24, 24, {}), (1, squad(), 24, 18, {}), (1, squad(), 38, 24, {})]
    game = at_the_order((0, gun("Zvukovoy Proyektor"), 24, 36, {}), *enemies)
    adviser = an_adviser(game)
    state = game.state
    [index] = [number for number, weapon in enumerate(state.unit("a0").card.weapons) if weapon.is_wave]
    along_two, at_one = (
        wave_gain(adviser.judge, state.unit("a0"), state.unit(id), Shot(0, index, id, "")) for id in ("b1", "b3")
    )
    assert along_two > 1.5 * at_one > 0
    friend = (0, squad(), 24, 24, {})
    game = at_the_order((0, gun("Zvukovoy Proyektor"), 24, 36, {}), friend, (1, squad(), 24, 18, {}))
    judge = an_adviser(game).judge
    assert wave_gain(judge, game.state.unit("a0"), game.state.unit("b2"), Shot(0, index, "b2", "")) < 0


@pytest.mark.rule("k47.special.sniper")
def test_a_sniper_is_thought_to_reach_three_feet():
    sniper = {"name": "Sniper", "kind": "infantry", "points": 50, "rules": ["Snipers"]}
    sniper["men"] = [{"weapons": ["Rifle"], "gunner": True}, {"weapons": []}]
    game = at_the_order((0, sniper, 24, 44, {}), (1, squad(), 24, 12, {}))
    guesses = an_adviser(game).judge.guesses
    assert guesses.volley(game.state, game.state.unit("a0"), game.state.unit("b1")).hit > 0


@pytest.mark.rule("k47.morale.rout")
def test_a_unit_one_pin_short_of_a_rout_is_worth_shooting_at():
    game = at_the_order((0, squad(), 20, 30, {}), (1, squad(), 20, 20, {"pins": 8}), (1, squad(), 28, 20, {}))
    guesses = an_adviser(game).judge.guesses
    unit = game.state.unit("a0")
    assert guesses.volley(game.state, unit, game.state.unit("b1")).gone > 0.8
    assert guesses.volley(game.state, unit, game.state.unit("b2")).gone < 0.2


@pytest.mark.rule("k47.pin.armour_no_chance")
def test_a_shell_that_cannot_hurt_a_tank_is_not_thought_to_pin_it():
    game = at_the_order((0, squad(weapon="HMG"), 20, 30, {}), (1, tank(), 20, 12, {}))
    guess = an_adviser(game).judge.guesses.volley(game.state, game.state.unit("a0"), game.state.unit("b1"))
    assert guess.pins == 0


def test_enemies_who_need_one_step_to_fire_are_a_danger():
    near, far = (at_the_order((0, squad(), 20, 40, {}), (1, squad(), 20, 40 - distance, {})) for distance in (28, 36))
    assert an_adviser(near).judge.danger(near.state.unit("a0")) > 1
    assert an_adviser(far).judge.danger(far.state.unit("a0")) == 0


@pytest.mark.rule("k47.transport.destroyed")
def test_a_loaded_truck_is_a_better_target_than_an_empty_one():
    truck = {"name": "Truck", "kind": "vehicle", "points": 39, "vehicle": {"class": "soft-skin", "carries": 12}}
    truck["men"] = [{"weapons": []}]
    game = at_the_order(
        (0, squad(), 20, 40, {}), (1, truck, 16, 20, {}), (1, truck, 26, 20, {}), (1, squad(), 5, 5, {})
    )
    rider = game.state.unit("b3")
    rider.place, rider.carrier = ABOARD, "b1"
    judge = an_adviser(game).judge
    loaded, empty = (judge.gain(game.state.unit(id), Guess(1.0, 1.0, 0.0, 1.0)) for id in ("b1", "b2"))
    assert loaded > empty + 10


@pytest.mark.rule("k47.core.los")
def test_a_squad_in_danger_is_offered_a_place_behind_a_high_wall():
    wall = [{"kind": "high-wall", "id": "wall", "line": [[10, 30], [20, 30]]}]
    guns = [(1, machine_gun(), 15, 6, {}), (1, machine_gun(), 19, 6, {})]
    game = at_the_order((0, squad(), 23, 33, {}), *guns, terrain=wall)
    best = next(plan for plan in plans_of(game) if plan.order == "run")
    adviser = an_adviser(game)
    unit = game.state.unit("a0")
    end, first = best.path[-1], unit.bodies[0]
    here = middle(unit)
    adviser.planner.move_to(unit, here.at(here.x + end[0] - first.x, here.y + end[1] - first.y))
    assert adviser.judge.danger(unit) == 0


@pytest.mark.rule("k47.terrain.code_x2")
def test_a_car_on_a_road_is_offered_twice_the_way():
    road = [{"kind": "road", "id": "road", "line": [[24, 2], [24, 46]], "width": 5}]
    goal = {"objectives": [{"id": "ford", "at": [24, 8], "points": 5}], "victory": "objectives", "turns": 6}
    car = {**tank(), "vehicle": {"class": "armoured car"}}
    game = at_the_order((0, car, 24, 44, {}), (1, squad(), 24, 8, {"order": "fire"}), terrain=road, turn=6, **goal)
    ways = [plan.path[-1][1] for plan in plans_of(game) if plan.order == "run" and plan.path]
    assert min(ways) < round((44 - 25) * 25.4)


@pytest.mark.rule("k47.special.suppressive_fire")
def test_suppressive_fire_is_chosen_where_hits_are_next_to_impossible():
    house = [{"kind": "rubble", "id": "rubble", "at": [14, 8], "size": [14, 6]}]
    game = at_the_order((0, machine_gun(), 20, 40, {}), (1, squad(10), 17, 11, {"order": "down"}), terrain=house)
    [fire] = [plan for plan in plans_of(game) if plan.order == "fire"]
    assert fire.enter == SUPPRESS


@pytest.mark.rule("k47.morale.officers")
def test_an_officer_goes_to_the_pinned_who_could_still_take_an_objective():
    goal = {"objectives": [{"id": "ford", "at": [20, 20], "points": 5}], "victory": "objectives", "turns": 6}
    major = {"name": "Major", "kind": "infantry", "points": 110, "rank": "major"}
    major["men"] = [{"weapons": ["Pistol"], "officer": True}]
    pinned = (0, squad(), 20, 29, {"pins": 5})
    game = at_the_order((0, major, 20, 46, {}), pinned, (1, squad(), 2, 2, {"order": "run"}), turn=6, **goal)
    best = plans_of(game)[0]
    assert best.order in ("run", "advance") and best.value > 50


@pytest.mark.rule("k47.special.war_dogs")
@pytest.mark.parametrize(("friend_at", "released"), [(26, False), (47, True)])
def test_dogs_are_let_loose_only_if_the_nearest_is_an_enemy(friend_at, released):
    units = [(0, squad(), 20, 32, {}), (0, squad(), 20, friend_at, {}), (1, gun("Light Howitzer"), 20, 20, {})]
    game = at_the_order(*units)
    answer = an_adviser(game)._on_war_dogs(game, YesNo(0, "war dogs", text="", rule="", unit="a0"))
    assert answer == (released,)


def test_a_reaction_does_not_spend_the_order_that_takes_an_objective():
    goal = {"objectives": [{"id": "ford", "at": [20, 30], "points": 5}], "victory": "objectives", "turns": 6}
    game = at_the_order((0, squad(), 20, 40, {}), (1, squad(3), 20, 20, {"order": "fire"}), turn=6, **goal)
    adviser = an_adviser(game)
    scores = adviser._scores_under_fire(game.state.unit("a0"), game.state.unit("b1"), [None, "go down", "firefight"])
    assert max(scores, key=scores.__getitem__) is None


def test_a_position_is_judged_alike_whether_its_playout_went_over_into_the_next_turn_or_not():
    game = at_the_order((0, squad(), 20, 40, {}), (1, squad(), 20, 22, {"order": "fire"}), turn=2)
    adviser = KonfliktAdviser(weights("konflikt47"))
    adviser.candidates(game, {}, 8)
    state = game.state
    state.unit("a0").order = "fire"
    ended = adviser.worth(game, 0).total
    for unit in state.units:
        unit.order = ""
    state.turn = 3
    assert adviser.worth(game, 0).total == pytest.approx(ended)
