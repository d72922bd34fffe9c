"""A throw says which die it was, unless it is the game's usual one."""

from __future__ import annotations

from contextlib import suppress

from dieselfront.dice import D6, DUST_DIE, Throw
from dieselfront.kernel.events import Rolled, die_of, encode
from dieselfront.kernel.game import Play


class TwoKinds:
    dice = (DUST_DIE, D6)


def thrown(throw: Throw) -> Rolled:
    play = Play(TwoKinds(), None)
    procedure = play.throw(throw, 1, 0)
    next(procedure)
    with suppress(StopIteration):
        procedure.send((0,))
    (event,) = play.events
    assert isinstance(event, Rolled)
    return event


def test_the_usual_die_goes_without_saying() -> None:
    event = thrown(Throw("hit", DUST_DIE, DUST_DIE.mask(["ARMY"]), "toy.hit"))
    assert b"die" not in encode([event]).replace(b"dice", b"")
    assert die_of(event, TwoKinds.dice) is DUST_DIE


def test_another_die_is_named() -> None:
    event = thrown(Throw("morale", D6, D6.mask("456"), "toy.morale"))
    assert event.die == D6.name and D6.name.encode() in encode([event])
    assert die_of(event, TwoKinds.dice) is D6
