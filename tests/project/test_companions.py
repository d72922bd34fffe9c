"""Companions: modules of a game's folder that higher rooms load keep the Protocol of their room."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dieselfront import rulesets
from dieselfront.lab.benches.odds import BENCH
from dieselfront.lab.exercise import EXERCISE
from dieselfront.odds.games import ODDS
from dieselfront.players.adviser import ADVISER
from dieselfront.referee.contract import REFEREE
from dieselfront.rulesets.companions import Companion, IncompleteCompanion

KINDS = (ADVISER, BENCH, EXERCISE, ODDS, REFEREE)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_game_keeps_the_protocol_of_the_companions_it_has(kind: Companion[object]):
    assert kind.games()
    for ruleset in kind.games():
        assert kind.of(ruleset) is not None


def test_a_module_that_lacks_a_name_is_refused_with_what_it_owes(monkeypatch):
    empty = SimpleNamespace(__name__="dieselfront.rulesets.toy.odds")
    monkeypatch.setattr(rulesets, "companion", lambda ruleset, name: empty)
    with pytest.raises(IncompleteCompanion, match=r"toy\.odds does not keep .*OddsModule; it has to give ADAPTOR"):
        ODDS.of("toy")


def test_a_variant_uses_its_relatives_companion_but_does_not_own_it(monkeypatch):
    relatives = SimpleNamespace(__name__="dieselfront.rulesets.toy.adviser", adviser=lambda weights: None)
    monkeypatch.setattr(rulesets, "companion", lambda ruleset, name: relatives)
    assert ADVISER.of("variant") is relatives and ADVISER.own("toy") is relatives
    assert ADVISER.own("variant") is None


def test_a_game_without_the_module_has_no_companion(monkeypatch):
    monkeypatch.setattr(rulesets, "companion", lambda ruleset, name: None)
    assert ODDS.of("toy") is None and ODDS.own("toy") is None and ODDS.games() == ()
