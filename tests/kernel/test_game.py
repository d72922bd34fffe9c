"""The loop: choices, forced answers, copies in the middle of a procedure, undo up to the dice."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dieselfront.dice import FairDice, ScriptedDice
from dieselfront.kernel.decisions import IllegalChoice, TypeDice
from dieselfront.kernel.game import CannotCopy, CannotUndo, Game
from dieselfront.kernel.record import digest
from tests.kernel.toy import Stepped, Toy, ToyState


def toy(seed: str = "s") -> Game:
    return Game(Toy(), ToyState(), FairDice(seed))


def play_on(game: Game, chance: Random, most: int = 1000) -> None:
    for _ in range(most):
        if game.pending is None:
            return
        game.choose(game.pending.sample(chance))


def test_a_forced_answer_is_given_without_asking():
    game = toy()
    game.choose("jump")
    assert game.state.at == [2, 0]
    assert game.pending.player == 1


def test_an_illegal_answer_is_refused_with_its_rule_and_changes_nothing():
    game = toy()
    before = game.state.facts()
    with pytest.raises(IllegalChoice) as refusal:
        game.choose("fly")
    assert (refusal.value.reason, refusal.value.rule) == ("no wings", "toy.fly")
    assert game.state.facts() == before and game.choices == [] and game.pending.key == "how"


@given(seed=st.integers(0, 10_000), steps=st.integers(0, 40))
def test_a_copy_taken_anywhere_plays_on_like_the_original(seed: int, steps: int):
    game, chance = toy(str(seed)), Random(seed)
    play_on(game, chance, steps)
    twin = game.copy()
    assert (twin.pending is None) == (game.pending is None)
    if game.pending is not None:
        assert twin.pending.facts() == game.pending.facts()
    before = digest(game)
    play_on(twin, Random(seed + 1))
    assert digest(game) == before, "the copy must not touch the original"
    play_on(game, Random(seed + 1))
    assert digest(twin) == digest(game)


def test_a_copy_can_be_given_other_dice():
    game = toy()
    game.choose("dice")
    game.choose(3)
    twin = game.copy(dice=ScriptedDice(["6", "6", "6"]))
    twin.choose(True)
    assert twin.state.at == [3, 0]


def test_a_game_begun_without_copies_sets_nothing_aside_and_plays_the_same():
    usual, plain = toy(), Game(Toy(), ToyState(), FairDice("s"), keep_history=False, copyable=False)
    play_on(usual, Random(1))
    play_on(plain, Random(1))
    assert digest(plain) == digest(usual) and plain.checkpoint.state is None
    with pytest.raises(CannotCopy, match="copyable=True"):
        plain.copy()


def test_undo_takes_back_choices_up_to_the_dice():
    game = toy()
    game.choose("walk")
    game.choose("dice")
    game.choose(2)
    game.undo()
    game.undo()
    assert game.pending.key == "how" and game.pending.player == 1
    game.undo()
    assert game.pending.player == 0 and game.state.at == [0, 0] and game.events == []
    game.choose("dice")
    game.choose(1)
    game.choose(True)
    with pytest.raises(CannotUndo, match="dice have fallen"):
        game.undo()


def test_undo_with_nothing_done_says_so():
    with pytest.raises(CannotUndo, match="no choice"):
        toy().undo()


@given(st.lists(st.integers(0, 2), min_size=1, max_size=12), st.integers(1, 5))
def test_undo_and_the_same_choices_again_give_the_same_game(picks: list[int], back: int):
    game = toy()
    for pick in picks:
        if game.pending is None:
            break
        game.choose(["walk", "jump", "walk"][pick])
    made = list(game.choices)
    taken = min(back, len(made))
    whole = digest(game)
    for _ in range(taken):
        game.undo()
    for answer in made[len(made) - taken :]:
        game.choose(answer)
    assert digest(game) == whole and game.choices == made


def test_without_dice_people_type_in_their_own():
    game = Game(Toy(), ToyState(), None)
    game.choose("dice")
    game.choose(2)
    game.choose(True)
    assert isinstance(game.pending, TypeDice) and game.pending.count_ == 2
    with pytest.raises(IllegalChoice, match="no die shows 7"):
        game.choose(["7", "1"])
    with pytest.raises(IllegalChoice, match="expected 2 faces"):
        game.choose(["1"])
    game.choose(["6", "1"])
    assert game.state.at == [1, 0]
    assert [event for event in game.events if isinstance(event, Stepped)][-1].by == 1
    with pytest.raises(CannotUndo):
        game.undo()


def test_a_copy_of_a_game_that_waits_for_typed_dice_waits_too():
    game = Game(Toy(), ToyState(), None)
    for answer in ("dice", 2, True):
        game.choose(answer)
    twin = game.copy()
    assert isinstance(twin.pending, TypeDice)
    rolled = game.copy(dice=ScriptedDice(["4", "4"]))
    assert rolled.pending.player == 1 and rolled.state.at == [2, 0]


def test_a_pause_inside_a_procedure_is_where_copies_and_undo_begin_but_settles_nothing():
    game = toy()
    game.choose("walk")
    game.choose("stones")
    game.choose(2)
    game.choose(1)
    assert game.settled == 1 and not game.quiet  # two stones lie, the third is to come
    twin = game.copy()
    assert twin.pending.key == "stone" and twin.state.facts() == game.state.facts() and twin.events == game.events
    assert twin.choices == game.choices and twin.marks == game.marks and twin.settled == 1
    game.undo()
    assert game.state.stones == 1 and len(game.choices) == 3 and game.settled == 1
    game.choose(1)
    game.choose(1)
    assert game.state.stones is None and game.settled == 5 and game.quiet


def test_what_the_original_does_later_never_shows_in_a_copy():
    game = toy()
    game.choose("walk")
    twin = game.copy()
    second = twin.copy()
    game.choose("walk")
    game.undo()
    game.undo()
    game.choose("jump")
    twin.choose("walk")
    third = twin.copy()
    twin.choose("walk")
    assert second.choices == ["walk"] and [event.by for event in second.events] == [1]
    assert third.choices == ["walk", "walk"] and [event.by for event in third.events] == [1, 1]
    assert game.choices == ["jump"]
