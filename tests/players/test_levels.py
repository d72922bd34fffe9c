"""Levels, personalities and weights of the computer players."""

from __future__ import annotations

import pytest

from dieselfront import rulesets
from dieselfront.players import (
    LEVELS,
    UnknownPersonality,
    UnknownPlayer,
    adviser_of,
    level_of,
    make,
    personalities,
)
from dieselfront.players import weights as weights_of
from dieselfront.players.opponent import Opponent


def test_every_level_plays_every_game() -> None:
    for ruleset in rulesets.names():
        for level in LEVELS:
            assert callable(make(level, "1", ruleset).choose)


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_higher_levels_err_less_and_the_highest_searches(ruleset: str) -> None:
    adviser = adviser_of(ruleset, weights_of(ruleset))
    recruit, regular, veteran, ace = (level_of(name, adviser) for name in ("recruit", "regular", "veteran", "ace"))
    assert recruit.noise > regular.noise > veteran.noise >= ace.noise == 0
    assert veteran.effort is None and ace.effort is not None and ace.effort.playouts > ace.effort.candidates
    marshal = level_of("marshal", adviser)
    assert marshal.effort is not None and marshal.sharp and not ace.sharp
    assert marshal.effort.replies > ace.effort.replies and marshal.effort.learned and marshal.effort.blend


def test_a_level_that_searches_may_be_given_a_time_budget() -> None:
    player = make("marshal:cautious/seconds=10", "1", "dust1947")
    assert isinstance(player, Opponent) and player.level.effort is not None
    assert player.level.effort.seconds == 10 and player.level.effort.playouts > 100_000
    assert player.adviser.weights["lose"] == weights_of("dust1947", "cautious")["lose"]  # type: ignore[attr-defined]
    for name in ("veteran:seconds=10", "marshal:seconds=0", "marshal:seconds=1000"):
        with pytest.raises(UnknownPlayer, match="seconds"):
            make(name, "1", "dust1947")


def test_only_the_level_that_wants_them_gets_the_best_proposals() -> None:
    for level in LEVELS:
        player = make(level, "1", "dust1947")
        assert getattr(getattr(player, "adviser", None), "sharp", False) == (level == "marshal")


def test_a_personality_shifts_the_weights_of_every_ruleset() -> None:
    assert {"balanced", "cautious", "aggressive", "objective-minded"} <= set(personalities())
    for ruleset in rulesets.names():
        plain = weights_of(ruleset)
        assert weights_of(ruleset, "cautious")["lose"] > plain["lose"] > weights_of(ruleset, "aggressive")["lose"]
        assert weights_of(ruleset, "objective-minded")["objective"] > plain["objective"]


def test_a_player_may_be_spelled_with_personality_and_weights() -> None:
    player = make("regular:cautious/destroy=2", "1", "dust1947")
    assert isinstance(player, Opponent)
    found = player.adviser.weights  # type: ignore[attr-defined]
    assert found["destroy"] == 2 and found["lose"] == weights_of("dust1947", "cautious")["lose"]


@pytest.mark.parametrize("name", ["captain", "regular:brave", "regular:destroy=much", "regular:luck=2"])
def test_a_player_that_does_not_exist_is_refused_in_one_sentence(name: str) -> None:
    with pytest.raises(UnknownPlayer) as told:
        make(name, "1", "dust1947")
    assert "\n" not in str(told.value)


def test_an_unknown_personality_suggests_the_nearest() -> None:
    with pytest.raises(UnknownPersonality, match="did you mean cautious"):
        weights_of("dust1947", "cautios")


def test_the_terminal_offers_every_level() -> None:
    from dieselfront.cli.terminal.start import PERSON, Battle, _other_opponent

    wanted, offered = Battle(), set()
    for _ in range(len(LEVELS) + 1):
        _other_opponent(wanted)
        offered.add(next(seat for seat in wanted.seats if seat != PERSON) if set(wanted.seats) != {PERSON} else PERSON)
    assert offered >= set(LEVELS)
