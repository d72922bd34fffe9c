"""Choices in words, for every shape of decision."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dieselfront.kernel.decisions import Assign, IllegalChoice, Number, PickOne, PickSome, Place, YesNo
from dieselfront.referee.choices import Unclear, read

UNITS = {"b1": "Grenadiers", "b2": "Ludwig", "b10": "Ludwig's Crew"}
WEAPONS = ["Rifle", "Rifle", "Rifle", "Bazooka", "Knife"]
ACTIONS = [(), ("move",), ("move", "attack"), ("attack", "move"), ("special:reload",)]


def activate():
    return PickOne(
        0,
        "activate",
        ["b1", "b2", "b10", "pass"],
        labels=lambda id: UNITS.get(id, id),
        refusals=lambda: {"b3": ("d47.turn.alternate", "it has had its turn")},
    )


def actions():
    return PickOne(0, "actions", ACTIONS, labels=lambda answer: " + ".join(answer) or "nothing")


def declare(**more):
    aims = (None, ("b1", ""), ("b2", ""), ("b2", "salvo"))
    choices = [aims, aims, aims, aims, (None, ("b1", ""))]
    return Assign(
        0,
        "declare",
        list(range(5)),
        choices,
        item_labels=lambda item: f"{WEAPONS[item]} (soldier {item})",
        labels=lambda aim: "hold fire" if aim is None else UNITS[aim[0]] + (f" ({aim[1]})" if aim[1] else ""),
        default=(None,) * 5,
        **more,
    )


B1, B2 = ("b1", ""), ("b2", "")


@pytest.mark.parametrize(
    ("words", "answer"),
    [("b1", "b1"), ("grenadiers", "b1"), ("Ludwig", "b2"), ("ludwig's", "b10"), ("pass", "pass"), ("gren", "b1")],
)
def test_one_of_a_list_by_id_name_or_part_of_it(words, answer):
    assert read(activate(), words) == answer


@pytest.mark.parametrize(
    ("words", "reason"),
    [("b3", "it has had its turn"), ("zz", "not among"), ("lud", "may mean"), ("r", "not among"), ([1], "not among")],
)
def test_words_that_fit_nothing_or_too_much_are_refused(words, reason):
    with pytest.raises(Unclear, match=reason):
        read(activate(), words)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("move + attack", ("move", "attack")),
        ("attack+move", ("attack", "move")),
        ("move", ("move",)),
        ("nothing", ()),
        (["move", "attack"], ("move", "attack")),
        ("reload", ("special:reload",)),
        ([], ()),
    ],
)
def test_actions_in_their_order(words, answer):
    assert read(actions(), words) == answer


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("all at b1", (B1, B1, B1, B1, B1)),
        ("b2", (B2, B2, B2, B2, None)),
        ("all at Ludwig", (B2, B2, B2, B2, None)),
        ("hold", (None,) * 5),
        ("bazooka at b2, rest at b1", (B1, B1, B1, B2, B1)),
        ("2 rifles at b1, rifle at b2", (B1, B1, B2, None, None)),
        ("bazooka at b2 salvo", (None, None, None, ("b2", "salvo"), None)),
        ({"rifle": "b1", "knife": "b1"}, (B1, B1, B1, None, B1)),
        (["rifle at b1", "bazooka at b2"], (B1, B1, B1, B2, None)),
        ([None, "b1", "b2", ["b2", "salvo"], None], (None, B1, B2, ("b2", "salvo"), None)),
    ],
)
def test_weapons_at_targets(words, answer):
    assert read(declare(), words) == answer


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("all at b9", "nothing can be aimed at 'b9'"),
        ("cannon at b1", "no weapon here is called 'cannon'"),
        ("5 rifles at b1", "only 3 of 'rifles'"),
        ("knife at b2", "Knife .* cannot be aimed at 'b2'"),
        (["b1"], "expected 5 targets"),
        (7, "expected for instance"),
    ],
)
def test_weapons_that_cannot_are_told(words, reason):
    with pytest.raises(Unclear, match=reason):
        read(declare(), words)


def test_all_takes_only_what_goes_together():
    """The knife conflicts with the bazooka: the later, improvised one stays out."""
    assert read(declare(conflicts=[(4, 3)]), "all at b1") == (B1, B1, B1, B1, None)

    def at_most_two(answer):
        return IllegalChoice("only two") if sum(aim is not None for aim in answer) > 2 else None

    assert read(declare(agree=at_most_two), "all at b1") == (B1, B1, None, None, None)
    with pytest.raises(Unclear, match="only two"):
        read(declare(agree=at_most_two), "rifle at b1")


def move(facings=(0, 1, 2, 3)):
    names = {12: "C2", 13: "D2"}
    return Place(0, "move", {12: 0, 13: 1}, facings, labels=lambda spot: names[spot])


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("D2", (13, 1)),
        ("d2 n", (13, 0)),
        ("D2 facing west", (13, 3)),
        ({"to": "C2", "facing": "S"}, (12, 2)),
        (["C2", 0], (12, 0)),
        ([12, 3], (12, 3)),
    ],
)
def test_a_square_and_a_facing(words, answer):
    assert read(move(), words, facing=1) == answer


NAMED = {"B2": 11, "C2": 12, "D2": 13}


def move_by_a_way():
    def why_not_by(spot, facing, way):
        return None if way[-1] == spot else f"that way ends on {way[-1]}"

    return Place(
        0, "move", {12: 0, 13: 1}, (0, 1), why_not_by, NAMED.__getitem__, labels={12: "C2", 13: "D2"}.__getitem__
    )


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("D2 via B2, C2", (13, 1, (11, 12, 13))),
        ("D2 facing N via B2 -> C2 -> D2", (13, 0, (11, 12, 13))),
        ({"to": "D2", "way": ["B2", "C2", "D2"]}, (13, 1, (11, 12, 13))),
        ([13, 0, [11, 13]], (13, 0, (11, 13))),
        ("D2", (13, 1)),
    ],
)
def test_a_way_may_be_named(words, answer):
    assert read(move_by_a_way(), words, facing=1) == answer


def test_a_place_without_ways_takes_none():
    with pytest.raises(Unclear, match="expected the way as squares"):
        read(move(), "D2 via C2")
    with pytest.raises(IllegalChoice, match="no way"):
        move().check((13, 1, (12, 13)))
    with pytest.raises(IllegalChoice, match="ends on 12"):
        move_by_a_way().check((13, 1, (11, 12)))


def test_who_has_no_facing_needs_none():
    assert read(move((None,)), "D2 N") == (13, None)
    with pytest.raises(Unclear, match="E9 is not among the legal squares"):
        read(move(), "E9")
    with pytest.raises(Unclear, match="facing"):
        read(move((0,)), "D2 S")


def test_yes_numbers_and_some_of_a_list():
    some = PickSome(0, "some", ["b1", "b2", "b10"], 0, 2, labels=lambda id: UNITS[id])
    assert read(YesNo(0, "sure"), "yes") is True
    assert read(Number(0, "many", 1, 3), "2") == 2
    assert read(some, "Grenadiers, b2") == ("b1", "b2")
    assert read(some, "none") == ()
    with pytest.raises(Unclear, match="from 0 to 2"):
        read(some, "all")
    with pytest.raises(Unclear, match="from 1 to 3"):
        read(Number(0, "many", 1, 3), "9")


@given(st.text(max_size=20), st.sampled_from([activate, actions, declare, move]))
def test_whatever_is_typed_is_legal_or_refused_politely(words, make):
    decision = make()
    try:
        answer = read(decision, words)
    except Unclear:
        return
    assert decision.check(answer) == answer
