"""Army lists handed in one by one."""

from __future__ import annotations

import msgspec
import pytest

from dieselfront import rulesets
from dieselfront.scenarios import battle
from dieselfront.scenarios.sealed_lists import ListRefused, SealedLists

ALLIES = battle.army("warfare-allies", "warfare")
AXIS = battle.army("warfare-axis", "warfare")


@pytest.mark.rule("dw.setup.secret_lists")
def test_a_list_is_shown_to_its_own_side_until_both_are_in() -> None:
    one = SealedLists().hand_in(0, ALLIES)
    assert one.seen_by({0}) == (ALLIES, None)
    assert one.seen_by({1}) == (None, None)
    assert one.seen_by(()) == (None, None)
    both = one.hand_in(1, AXIS)
    assert both.seen_by({0}) == both.seen_by({1}) == both.seen_by(()) == (ALLIES, AXIS)


@pytest.mark.rule("dw.setup.secret_lists")
def test_a_list_that_is_in_cannot_be_changed() -> None:
    one = SealedLists().hand_in(1, ALLIES)
    with pytest.raises(ListRefused, match="already"):
        one.hand_in(1, AXIS)


def test_the_second_list_is_for_the_same_game_and_no_larger() -> None:
    one = SealedLists().hand_in(0, ALLIES)
    with pytest.raises(ListRefused, match="160 points a side, not with 161"):
        one.hand_in(1, msgspec.structs.replace(AXIS, points=161))
    with pytest.raises(ListRefused, match="for warfare, this one for dust1947"):
        one.hand_in(1, msgspec.structs.replace(AXIS, ruleset="dust1947"))


@pytest.mark.rule("dw.setup.secret_lists")
def test_a_game_names_the_rule_that_wants_secret_lists() -> None:
    assert rulesets.load("warfare").secret_lists == "dw.setup.secret_lists"
