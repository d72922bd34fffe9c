"""The adviser of the Dust games: what it answers, and that its quick numbers are the exact ones."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront.kernel.game import Game
from dieselfront.lab import blunders
from dieselfront.lab.simulate import play_out
from dieselfront.odds.exact import losses_of
from dieselfront.players import make, weights
from dieselfront.players.dust import DustAdviser, adviser
from dieselfront.players.dust_field import COVERED, Field
from dieselfront.players.dust_fire import EVERY_ARC, PLAIN, SUSTAINED
from dieselfront.players.dust_plans import Intent
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.scenarios import battle


def an_adviser() -> DustAdviser:
    return adviser(weights("dust1947"))


def a_position(name: str) -> Game:
    """A position of the blunder suite."""
    return blunders.start(blunders.chosen("dust1947", [name])[0])


def a_battle(seed: str, armies: list[Any], scenario: str = "crossroads") -> Game:
    return battle.start(battle.header("dust1947", scenario, armies, seed=seed), seed)


@pytest.mark.parametrize("sustained", [False, True])
def test_the_kept_worth_of_an_attack_is_that_of_the_plans_that_play_would_roll(sustained: bool) -> None:
    game = a_position("sustain-from-the-rubble")
    play = game.play
    shooters = [unit for unit in play.state.on_board() if unit.is_infantry]
    fire = an_adviser().fire
    compared = 0
    for unit in shooters:
        for target in play.state.on_board(1 - unit.side):
            attack = Attack(unit, sustained=sustained, close_allowed=False, only=target.id)
            shots = [
                play.rules.attacks.shot(play, attack, line.part, line.index, line.aims[0], line.bearers)
                for line in play.rules.attacks.weapon_lines(play, attack)
            ]
            if not shots or shots[0].line.distance <= 1:
                continue
            plans = [play.rules.attacks.plan(play, shot) for shot in shots]
            exact, ends = fire.worth(target, losses_of(plans))
            kind = SUSTAINED if sustained else PLAIN
            line = shots[0].line
            kept = fire.salvo(
                play, unit, fire.signature(unit), target, fire.mark(target), line.distance, line.cover, kind, EVERY_ARC
            )
            assert [kept.points, kept.ends] == pytest.approx([exact, ends])
            compared += 1
    assert compared


def test_quick_sight_agrees_with_the_ground() -> None:
    game = a_battle("5", ["dust1947-allies", "dust1947-axis"])
    player = make("regular", "1", "dust1947")
    for _ in range(60):
        if game.pending is not None:
            game.choose(player.choose(game))
    field = Field(game.play, an_adviser().fire)
    ground, state = game.rules.ground, game.state
    for piece in field.pieces[0]:
        for foe in field.pieces[1]:
            line = ground.line(state, piece.unit, foe.unit, None, ground.sight_blockers(state, piece.unit), arc="all")
            look = field.look(piece, piece.place, foe, foe.place)
            assert bool(look) == line.visible
            if line.visible and len(foe.where) == 1:
                assert (look == COVERED) == line.cover


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_every_question_of_a_battle_with_chance_armies_gets_a_legal_answer(seed: str) -> None:
    game = a_battle(seed, [f"random:{seed}", f"random:{int(seed) + 50}"])
    players = [make("regular", "1", "dust1947"), make("random", "2", "dust1947")]
    play_out(game, players)  # every answer is checked
    assert game.over


def test_a_plan_serves_one_activation_only() -> None:
    game = a_position("sustain-from-the-rubble")
    judge = an_adviser()
    memory: dict[int, Any] = {}
    while game.pending is not None and game.pending.key != "actions":
        game.choose(judge.answer(game, memory))
    decision = game.pending
    assert decision is not None
    stale = Intent(decision.unit, (), 99.0).announced()
    memory[decision.player] = stale
    assert judge.candidates(game, memory, 5)  # it thinks anew
    memory[decision.player] = Intent(decision.unit, (), 99.0)
    assert not judge.candidates(game, memory, 5)  # a fresh plan is followed
    assert judge.answer(game, memory) == ()


def test_thinking_leaves_the_units_as_they_were() -> None:
    game = a_position("reload-and-fire")
    before = game.state.facts()
    judge = an_adviser()
    judge.candidates(game, {}, 10)
    judge.worth(game, 0)
    assert game.state.facts() == before


def test_what_one_side_gains_the_other_loses() -> None:
    game = a_battle("5", ["dust1947-allies", "dust1947-ssu"])
    player = make("regular", "1", "dust1947")
    judge = adviser(weights("dust1947", changes={"destroy": 1.0, "lose": 1.0}))
    for _ in range(120):
        if game.pending is None:
            break
        mine, theirs = judge.worth(game, 0), judge.worth(game, 1)
        assert mine.mine == theirs.theirs and mine.goals == pytest.approx(-theirs.goals)
        assert mine.total == pytest.approx(-theirs.total)
        game.choose(player.choose(game))


@pytest.mark.parametrize(
    "name",
    [
        "last-turn-hold",
        "last-turn-take",
        "last-turn-contest",
        "finish-the-walker",
        "artillery-off-our-own-men",
        "save-the-panzerfaust",
        "sniper-picks-the-officer",
        "rally-the-line",
        "call-the-mortar",
    ],
)
def test_the_regular_player_uses_what_its_units_can_do(name: str) -> None:
    blunder = blunders.chosen("dust1947", [name])[0]
    assert blunders.attempt(blunder, "regular", "1").right
