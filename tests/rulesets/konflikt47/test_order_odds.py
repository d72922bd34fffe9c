"""What an order to shoot says beforehand: its targets are picked later, so nothing is played on for them."""

from __future__ import annotations

import pytest

from dieselfront import odds, players
from dieselfront.forces.armies import army_from
from dieselfront.kernel.game import Game
from dieselfront.odds.choices import MOST_RUNS
from dieselfront.scenarios import battle, lessons


def asked_for_an_order(targets: int) -> Game:
    """A small battle at the order of a squad that sees so many enemies."""
    lesson = lessons.lessons("konflikt47")[0]
    for seed in ("1", "2", "3", "4", "5", "6"):
        armies = [army_from(army) for army in lesson.armies]
        game = battle.start(battle.header("konflikt47", lesson.scenario, armies, seed=seed), seed)
        player = players.make("recruit", seed, "konflikt47")
        while game.pending is not None:
            if game.pending.key == "order" and len(odds.of_choice(game, "fire")) >= targets:
                return game
            game.choose(player.choose(game))
    raise AssertionError("no squad ever sees so many enemies")


@pytest.mark.rule("k47.order.list")
def test_an_order_to_fire_tells_the_losses_of_every_target_it_might_be_given() -> None:
    game = asked_for_an_order(targets=2)
    before = {one.target: one.odds.mean_losses for one in odds.of_choice(game, "fire")}
    looked_into = {one.target: one.odds.mean_losses for one in odds.of_choice(game, "fire", runs=MOST_RUNS)}
    assert looked_into == before
    assert max(before.values()) > 0
