"""What computer players know of Dust Warfare: targets, reactions, orders, who falls; and that they play to the end."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dieselfront import players
from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Game, Play
from dieselfront.players.weights import weights
from dieselfront.rulesets.warfare import RULESET
from dieselfront.rulesets.warfare.adviser import adviser
from dieselfront.rulesets.warfare.adviser.estimates import fire
from dieselfront.rulesets.warfare.adviser.plans import Planner
from dieselfront.rulesets.warfare.adviser.reacting import Reacting
from dieselfront.rulesets.warfare.odds import trial
from rulesets.warfare.field import BLUE, RED, Field, gap, squad, vehicle, weapon
from rulesets.warfare.test_game import a_game

WEIGHTS = weights("warfare")


class Asked:
    """A game that is asked one question, for advisers."""

    def __init__(self, field: Field, decision: Any) -> None:
        self.rules, self.state, self.pending = RULESET, field.state, decision


def answers(field: Field, procedure: Any, keys: tuple[str, ...], dice: str = "") -> dict[str, Any]:
    """What the adviser answers to some questions of a procedure; others get the dullest answer."""
    mind, memory, given = adviser(WEIGHTS), {}, {}

    def answer(decision: Any) -> Any:
        if decision.key not in keys:
            return None if decision.shape == "pick-one" and None in decision.options else next(decision.answers())
        given[decision.key] = mind.answer(Asked(field, decision), memory)
        return given[decision.key]

    field.run(procedure, dice, {}, default=answer)
    return given


def test_estimates_are_the_odds_of_play_in_the_open():
    field = Field()
    a = field.put(BLUE, squad(5), 900, 600)
    for card in (squad(3, armor=1), vehicle(1)):
        b = field.put(RED, card, 900, 600 - gap(10), heading=180)
        strike = trial.best(trial.strikes(RULESET, field.state, a, b))
        guess = fire(a, b, 10)
        assert guess.losses == pytest.approx(0 if strike is None else trial.evaluate([strike]).mean_losses)
        b.place, b.bodies = "gone", []


def test_an_enemy_has_one_good_shot_however_many_it_could_reach():
    field = Field()
    field.put(RED, squad(5), 900, 600 - gap(10))
    a = field.put(BLUE, squad(5), 900, 600)
    planner = Planner(RULESET, field.state, WEIGHTS)
    alone = planner.fire_to_come(BLUE)
    assert alone == pytest.approx(planner.danger(a, planner.here(a), here=True)) and alone > 0
    field.put(BLUE, squad(5), 1100, 600)
    both = Planner(RULESET, field.state, WEIGHTS).fire_to_come(BLUE)
    assert alone < both < 1.5 * alone


def test_it_attacks_what_it_can_destroy():
    field = Field()
    a = field.put(BLUE, squad(5), 900, 600)
    field.put(RED, squad(5, armor=4, name="Hard"), 1200, 400)
    weak = field.put(RED, squad(1, armor=1, name="Weak", points=20), 700, 400)
    given = answers(field, lambda play: RULESET.attacking.attack(play, a, "attack"), ("target",), "BBBBB")
    assert given["target"] == ("direct", weak.id)


def test_plain_soldiers_fall_before_the_leader_and_the_gunner():
    field = Field()
    a = field.put(BLUE, squad(5), 900, 600)
    arms = [weapon(count=3), weapon("Big gun", 24, "6/2", count=1)]
    b = field.put(RED, squad(4, arms, armor=1), 900, 600 - gap(14))
    given = answers(
        field, lambda play: RULESET.attacking.attack(play, a, "attack", reactions=False), ("target", "casualties"),
        "HHBBB B",
    )  # fmt: skip
    lost = [man for man, _ in given["casualties"]]
    gunner = next(man for man in range(4) if any(b.weapons[i].name == "Big gun" for i in b.figures[man].weapons))
    assert b.leader not in lost and gunner not in lost and len(lost) == 2


def test_a_unit_that_has_acted_fires_back_for_nothing():
    field = Field()
    a = field.put(BLUE, squad(2), 900, 600)
    b = field.put(RED, squad(5, armor=2), 900, 600 - gap(8), activated=True)
    attack = ("target", "reaction")
    given = answers(field, lambda play: RULESET.attacking.attack(play, a, "attack"), attack, "BB HHBBB BB")
    assert given["reaction"] == (b.id, "attack")
    waiting = field.put(RED, squad(5), 1300, 400)
    field.put(BLUE, squad(5), 1300, 600)
    planner = Planner(RULESET, field.state, WEIGHTS)
    assert planner.action_worth(waiting) > 0
    reacting = Reacting(planner, PickOne(RED, "reaction", [None], text="Somebody (b9) is about to move."))
    assert reacting.cost(waiting) > 0
    waiting.activated = True
    assert reacting.cost(waiting) == 0


def test_the_shaken_are_regrouped():
    field = Field(phase="command")
    field.put(BLUE, squad(5, tags=["command_section"]), 300, 600, pitch=26)
    shaken = field.put(BLUE, squad(3), 300, 800, suppression=3)
    field.put(RED, squad(5), 300, 500)
    field.state.orders = 1
    mind = adviser(WEIGHTS)
    (question,) = [next(RULESET.command.step(Play(RULESET, field.state)))]
    found = mind.candidates(Asked(field, question), {}, 5)
    assert found[0].answer == ("regroup", shaken.id)
    assert any(one.answer is None for one in mind.candidates(Asked(field, question), {}, 50))


def test_a_squad_with_nothing_in_range_comes_closer():
    field = Field()
    unit = field.put(BLUE, squad(5), 900, 1100)
    field.put(RED, squad(5), 900, 150)
    plans = Planner(RULESET, field.state, WEIGHTS).plans(unit, field.menu(unit))
    assert plans[0].actions == ("march",) and plans[0].way[-1][1] < 1000


@pytest.mark.slow
def test_a_veteran_plays_a_game_to_its_end_and_beats_chance():
    game: Game = a_game("meeting-engagement", seed="adviser")
    seats = [players.make("veteran", "v", "warfare"), players.make("random", "r", "warfare")]
    while game.pending is not None:
        game.choose(seats[game.pending.player].choose(game))
    assert game.winner == BLUE


def test_units_are_set_up_apart_and_not_in_a_corner():
    game: Game = a_game("meeting-engagement", seed="deployment")
    mind, memory = adviser(WEIGHTS), {}
    while game.state.phase == "setup":
        game.choose(mind.answer(game, memory))
    for side in (BLUE, RED):
        middles = [unit.bodies[0] for unit in game.state.on_table(side)]
        gaps = [
            math.dist((one.x, one.y), (other.x, other.y))
            for number, one in enumerate(middles)
            for other in middles[:number]
        ]
        assert min(gaps) > 90
        assert max(body.x for body in middles) - min(body.x for body in middles) > game.state.table.width / 3


def test_a_hero_joins_a_squad_that_fights_rather_than_the_command_section():
    game: Game = a_game("meeting-engagement", seed="heroes")
    mind = adviser(WEIGHTS)
    assert game.pending is not None and game.pending.key == "join"
    answer = mind.answer(game, {})
    assert answer is not None and not game.state.unit(answer[1]).card.may_command


def test_no_order_is_given_to_a_unit_that_has_nobody_to_shoot_at():
    field = Field(phase="command")
    field.put(BLUE, squad(5, tags=["command_section"]), 300, 900, pitch=26)
    field.put(BLUE, squad(3), 300, 1100)
    field.put(RED, squad(5), 1500, 100)
    field.state.orders = 2
    question = next(RULESET.command.step(Play(RULESET, field.state)))
    assert [one.answer for one in adviser(WEIGHTS).candidates(Asked(field, question), {}, 50)] == [None]


def test_nothing_is_declared_that_nothing_comes_of():
    field = Field()
    unit = field.put(BLUE, squad(5), 900, 1100)
    field.put(RED, squad(5), 900, 150)
    question = PickOne(BLUE, "actions", field.menu(unit), unit=unit.id)
    offered = [one.answer for one in adviser(WEIGHTS).candidates(Asked(field, question), {}, 50)]
    assert offered and all("attack" not in actions for actions in offered)


def test_the_weapons_of_a_squad_are_known_again_when_a_hero_has_joined_it():
    field = Field()
    alone = field.put(BLUE, squad(5), 900, 600)
    foe = field.put(RED, squad(5), 900, 600 - gap(8))
    before = fire(alone, foe, 8).losses
    stronger = field.put(BLUE, squad(5, [weapon("Big gun", 24, "6/2", count=5)]), 1200, 600)
    assert fire(stronger, foe, 8).losses > before == fire(alone, foe, 8).losses


def test_whoever_is_ordered_to_act_fires_if_he_can():
    field = Field(phase="command")
    unit = field.put(BLUE, squad(5), 900, 600)
    field.put(RED, squad(5), 900, 600 - gap(10))
    question = PickOne(BLUE, "ordered action", ["move", "attack"], unit=unit.id)
    assert adviser(WEIGHTS).answer(Asked(field, question), {}) == "attack"
