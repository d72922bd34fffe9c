"""Dice: faces, fair throws that anyone can check, scripts, and plans of throws."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dieselfront.dice import D6, DUST_DIE, Dice, DiceRanOut, FairDice, Reroll, ScriptedDice, Throw, commitment, perform
from dieselfront.dice.throw import Thrown


@pytest.mark.rule("d47.dice.faces")
def test_a_dust_die_has_two_sides_of_each_face():
    assert [DUST_DIE.faces[side] for side in DUST_DIE.sides] == ["ARMY"] * 2 + ["SHIELD"] * 2 + ["TARGET"] * 2
    assert DUST_DIE.chance(DUST_DIE.mask(["ARMY", "TARGET"])) == Fraction(4, 6)


def test_an_unknown_face_is_named():
    with pytest.raises(ValueError, match="no face 'SKULL'; its faces are ARMY, SHIELD, TARGET"):
        DUST_DIE.face("SKULL")


def test_fair_dice_are_the_published_hash_and_nothing_else():
    """Anyone can do this by hand: HMAC-SHA-256, bytes below 252, remainder by six, side to face."""
    seed, salt, number = "the seed", "the salt", 7
    message = b"dieselfront-dice-1|" + salt.encode() + b"|7|0"
    by_hand = [byte % 6 for byte in hmac.digest(seed.encode(), message, "sha256") if byte < 252][:5]
    assert list(FairDice(seed, salt).faces(D6, 5, number)) == by_hand
    assert commitment(seed) == hashlib.sha256(seed.encode()).hexdigest()


def test_fair_dice_are_fair():
    dice = FairDice("fairness")
    seen = Counter(face for number in range(3000) for face in dice.faces(D6, 10, number))
    expected = 30_000 / 6
    chi_squared = sum((seen[face] - expected) ** 2 / expected for face in range(6))
    assert chi_squared < 20.5  # the 99.9 % quantile for five degrees of freedom


def test_a_throw_of_many_dice_goes_on_into_further_blocks():
    faces = FairDice("many").faces(D6, 200, 0)
    assert len(faces) == 200 and faces[:20] == FairDice("many").faces(D6, 20, 0)


def test_a_script_that_runs_out_says_what_was_due():
    dice = ScriptedDice(["ARMY"])
    with pytest.raises(DiceRanOut, match="cover save needs 2 dice"):
        dice.roll(Dice(DUST_DIE, 2, 0, "cover save"), 0)
    assert dice.left == ["ARMY"]


def thrown(throw: Throw, faces: str) -> Thrown:
    """Perform a throw with faces given by their first letters."""
    names = {"A": "ARMY", "S": "SHIELD", "T": "TARGET"}
    script = ScriptedDice([names[letter] for letter in faces.split("|")[1].replace(" ", "")])
    count = int(faces.split("|")[0])
    run = perform(throw, count, 0)
    answer = None
    try:
        while True:
            answer = script.roll(run.send(answer), 0)
    except StopIteration as stop:
        assert not script.left
        result: Thrown = stop.value
        return result


ARMY = DUST_DIE.mask(["ARMY"])
SHIELD = DUST_DIE.mask(["SHIELD"])
TARGET = DUST_DIE.mask(["TARGET"])


@pytest.mark.parametrize(
    ("throw", "faces", "successes"),
    [
        (Throw("t", DUST_DIE, ARMY, "r"), "3|A S T", 1),
        (Throw("t", DUST_DIE, ARMY, "r", (Reroll(False, ARMY, "again"),)), "3|AST AS", 2),
        (Throw("t", DUST_DIE, ARMY, "r", (Reroll(True, ARMY, "forced"),)), "2|AA AS", 1),
        (Throw("t", DUST_DIE, ARMY, "r", (Reroll(True, ARMY, "f"), Reroll(False, ARMY, "a"))), "2|AS S AT", 1),
        (Throw("t", DUST_DIE, ARMY, "r", chain=ARMY), "2|AS A A T", 3),
        (Throw("t", DUST_DIE, ARMY | TARGET, "r", chain=ARMY), "2|AT AT S", 3),
        (Throw("t", DUST_DIE, ARMY, "r", confirm=SHIELD), "3|AAS ST", 1),
        (Throw("t", DUST_DIE, ARMY, "r"), "0|", 0),
    ],
)
def test_throws_roll_again_explode_and_confirm(throw: Throw, faces: str, successes: int):
    assert thrown(throw, faces).successes == successes


@given(
    st.integers(0, 7),
    st.lists(st.tuples(st.booleans(), st.integers(0, 7)), max_size=3),
    st.integers(0, 7),
)
def test_the_chance_of_a_die_is_what_counting_all_cases_gives(
    faces: int, rerolls: list[tuple[bool, int]], confirm: int
):
    throw = Throw("t", DUST_DIE, faces, "r", tuple(Reroll(a, b, "r") for a, b in rerolls), confirm=confirm)

    def good(success: bool, left: list[tuple[bool, int]]) -> Fraction:
        if not left:
            if not success:
                return Fraction(0)
            return DUST_DIE.chance(confirm) if confirm else Fraction(1)
        takes, mask = left[0]
        if takes != success:
            return good(success, left[1:])
        again = DUST_DIE.chance(mask)
        return again * good(True, left[1:]) + (1 - again) * good(False, left[1:])

    first = DUST_DIE.chance(faces)
    assert throw.chance() == first * good(True, rerolls) + (1 - first) * good(False, rerolls)
