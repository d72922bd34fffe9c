"""What the server and the terminal tell of a decision before it is answered, in every game."""

from __future__ import annotations

import msgspec
import pytest

from dieselfront.cli.terminal.outlook import outlook
from dieselfront.kernel.decisions import Assign
from dieselfront.odds import choices
from dieselfront.server import forecasts, shapes
from odds.test_choices import GAMES, answers_of, played


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_game_tells_the_odds_of_its_options(ruleset: str) -> None:
    told = 0
    for game in (game for seed in range(4) for game in played(ruleset, seed, 900)):
        facts = forecasts.options(game.copy())
        msgspec.convert(msgspec.to_builtins({"version": 1, **facts}), shapes.OptionsOdds)
        decision = game.pending
        assert decision is not None
        if isinstance(decision, Assign):
            assert all(decision.check(one["answer"]) == one["answer"] for one in facts["targets"])
            assert all(one["answer"] in decision.choices[one["item"]] for one in facts["options"])
        else:
            assert not facts["options"]
        told += bool(facts["targets"])
        if told >= 8:
            return
    assert told >= 4


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_preview_and_the_terminal_tell_the_same_odds(ruleset: str) -> None:
    for game in (game for seed in range(4) for game in played(ruleset, seed, 900)):
        decision = game.pending
        assert decision is not None
        answer = next((one for one in answers_of(decision) if one is not None and decision.at_stake(one)), None)
        if answer is None or decision.key == "order":
            continue
        found = choices.of_choice(game, answer)
        if not found:
            continue
        shown = forecasts.preview(game.copy(), answer, (0, 1))
        assert set(shown["odds"]) == {one.target for one in found}
        lines = outlook(game, decision, [("everything", answer)])
        assert len(lines) == len(found) and found[0].target in lines[0] and "destroyed" in lines[0]
        return
    pytest.fail("nobody could attack")
