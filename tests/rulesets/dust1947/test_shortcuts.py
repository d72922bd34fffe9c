"""Shortcuts of speed give what the long way gives: aims without lines, games without pauses, attacks without cycles."""

from __future__ import annotations

import gc
from random import Random
from typing import Any

import pytest

from dieselfront.kernel.events import encode
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust1947.attack import Attacks
from dieselfront.rulesets.dust1947.ground import Ground
from dieselfront.scenarios import battle


def a_game(number: int, *, copyable: bool = False) -> Any:
    names = battle.starters("dust1947")
    armies = [names[place % len(names)] for place in (number, number + 1)]
    header = battle.header("dust1947", "crossroads", armies, seed=str(number))
    return battle.start(header, str(number), keep_history=False, copyable=copyable)


def play_on(game: Any, chance: Random) -> None:
    while game.pending is not None:
        game.choose_trusted(game.pending.sample(chance))


@pytest.mark.parametrize("number", [3, 4, 5])
def test_aims_at_a_glance_are_those_of_whole_lines(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game, chance, compared = a_game(number), Random(number), 0
    while game.pending is not None:
        if game.pending.key == "actions":
            attacks, play = game.rules.attacks, game.play
            for unit in game.state.on_board():
                quick = attacks.weapon_lines(play, Attack(unit))
                with monkeypatch.context() as long_way:
                    long_way.setattr(Ground, "looks_from_a_square", lambda self, state, unit: False)
                    assert attacks.weapon_lines(play, Attack(unit)) == quick
                assert attacks.has_target(play, Attack(unit)) == bool(quick)
                compared += bool(quick)
        game.choose_trusted(game.pending.sample(chance))
    assert compared > 50


def test_a_game_that_nobody_copies_is_the_same_without_its_pauses() -> None:
    with_pauses, without = a_game(7, copyable=True), a_game(7)
    play_on(with_pauses, Random(1))
    play_on(without, Random(1))
    assert encode(with_pauses.events) == encode(without.events)


def test_plans_that_a_copy_inherits_are_those_it_would_make() -> None:
    game, chance, in_attacks = a_game(9, copyable=True), Random(9), 0
    while game.pending is not None:
        if game.pending.key in ("casualty", "pool-order"):
            copy = game.copy()
            copy.play._known.clear()  # it works everything out again
            assert copy.pending is not None
            inherits = game.copy()
            play_on(copy, Random(5))
            play_on(inherits, Random(5))
            assert encode(copy.events) == encode(inherits.events)
            in_attacks += 1
        game.choose_trusted(game.pending.sample(chance))
    assert in_attacks > 3


@pytest.mark.parametrize("number", [2, 8])
def test_a_copy_has_the_log_the_position_and_the_question_of_its_original(number: int) -> None:
    game, chance = a_game(number, copyable=True), Random(number)
    while game.pending is not None:
        copy = game.copy()
        assert copy.pending.facts() == game.pending.facts()
        assert copy.state.facts() == game.state.facts()
        assert encode(copy.events) == encode(game.events)
        game.choose_trusted(game.pending.sample(chance))


def test_a_copy_in_an_attack_neither_asks_nor_looks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game, chance, copies = a_game(9, copyable=True), Random(9), []
    while game.pending is not None:
        if game.pending.key in ("casualty", "pool-order") and not game.state.interrupted:
            copies.append(game.copy())
        game.choose_trusted(game.pending.sample(chance))
    asked: list[str] = []
    monkeypatch.setattr(Attacks, "declaration", lambda *_: asked.append("declaration"))
    monkeypatch.setattr(Attacks, "shots", lambda *_: asked.append("shots"))
    monkeypatch.setattr(Attacks, "plan", lambda *_: asked.append("plan"))
    assert [copy.pending.key for copy in copies].count("casualty") > 3
    assert not asked


def test_a_copy_left_in_the_middle_of_an_attack_is_forgotten_at_once() -> None:
    game, chance, copies = a_game(9, copyable=True), Random(9), []
    while game.pending is not None:
        if game.pending.key in ("casualty", "pool-order"):
            copies.append(game.copy())
        game.choose_trusted(game.pending.sample(chance))
    gc.collect()
    gc.disable()
    try:
        for copy in copies:
            assert copy.copy().pending is not None
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_attacks_leave_nothing_for_the_search_for_cycles() -> None:
    a_game(11)
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        game = a_game(11)
        play_on(game, Random(2))
        del game
        gc.collect()
        assert not [left for left in gc.garbage if isinstance(left, Attack | Shot)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
