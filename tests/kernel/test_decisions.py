"""The shapes of decisions: what they list is what they accept, and what they sample is legal."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dieselfront.kernel.decisions import (
    NOT_FORCED,
    Assign,
    Decision,
    IllegalChoice,
    Number,
    OpenOptions,
    PickNext,
    PickOne,
    PickSome,
    Place,
    YesNo,
)


def shapes() -> list[Decision]:
    return [
        PickOne(0, "one", ["a", "b", ("c", 1)]),
        YesNo(0, "yes"),
        Number(0, "number", -1, 3),
        PickSome(0, "some", ["a", "b", "c"], 1, 2),
        Assign(0, "assign", [0, 1, 2], [(None, "x", "y"), (None, "x"), (None, "y")], conflicts=[(0, 2)]),
        Place(0, "place", {4: 0, 7: 2}, (0, 3)),
    ]


@pytest.mark.parametrize("decision", shapes(), ids=lambda decision: decision.shape)
def test_every_listed_answer_is_accepted_also_as_json_would_bring_it(decision: Decision):
    listed = list(decision.answers())
    assert listed and len(listed) == decision.count()
    for answer in listed:
        assert decision.check(answer) == answer
        as_list = list(answer) if isinstance(answer, tuple) else answer
        assert decision.check(as_list) == answer


@pytest.mark.parametrize("decision", shapes(), ids=lambda decision: decision.shape)
def test_samples_reach_every_answer_and_nothing_else(decision: Decision):
    chance = Random(1)
    seen = {decision.sample(chance) for _ in range(600)}
    assert seen == set(decision.answers())


@pytest.mark.parametrize("decision", shapes(), ids=lambda decision: decision.shape)
@pytest.mark.parametrize("stranger", ["zzz", 99, ("a", "a"), {}, None, ("x", "x", "y"), (4, 2)])
def test_strangers_are_refused_in_words(decision: Decision, stranger: object):
    if stranger in [*decision.answers()]:
        return
    with pytest.raises(IllegalChoice) as refusal:
        decision.check(stranger)
    assert refusal.value.reason


def test_conflicting_items_cannot_both_be_used():
    decision = shapes()[4]
    with pytest.raises(IllegalChoice, match="cannot both be used"):
        decision.check(("x", None, "y"))
    assert decision.check(("x", "x", None)) == ("x", "x", None)


def test_one_option_is_forced_and_two_are_not():
    assert PickOne(0, "k", ["only"]).forced() == "only"
    assert PickNext(0, "k", ["a", "b"]).facts()["ordering"] and "ordering" not in PickOne(0, "k", ["a"]).facts()
    assert PickOne(0, "k", ["a", "b"]).forced() is NOT_FORCED
    assert Number(0, "k", 2, 2).forced() == 2
    assert Place(0, "k", {5: 1}).forced() == (5, None)
    assert Assign(0, "k", [1], [("x",)]).forced() == ("x",)


@given(st.integers(0, 4), st.integers(0, 4), st.randoms(use_true_random=False))
def test_picking_some_keeps_the_limits(least: int, more: int, chance: Random):
    decision = PickSome(0, "k", list(range(8)), least, least + more)
    answer = decision.sample(chance)
    assert least <= len(answer) <= least + more and decision.check(answer) == answer


def test_options_are_worked_out_only_when_somebody_looks():
    looked = []

    def options() -> list[str]:
        looked.append(1)
        return ["a", "b"]

    decision = PickOne(0, "k", options)
    assert not looked
    assert decision.count() == 2 and decision.check("a") == "a"
    assert len(looked) == 1


def test_open_options_take_more_than_they_list():
    aims = OpenOptions((None, ("b1",)))
    closed = Assign(0, "aim", ["gun"], [aims])
    assert not closed.takes_more and list(closed.answers()) == [(None,), (("b1",),)]
    with pytest.raises(IllegalChoice):
        closed.check([["ground", 7]])
    aims.legal = lambda aim: aim[0] == "ground"
    decision = Assign(0, "aim", ["gun"], [aims])
    assert decision.takes_more and decision.check([["ground", 7]]) == (("ground", 7),)
    with pytest.raises(IllegalChoice):
        decision.check([["sky", 7]])
