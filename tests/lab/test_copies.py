"""Copies repeat the answers since the last quiet moment, but not what was worked out for them."""

from random import Random

import pytest

from dieselfront.lab.benches.engine import fresh
from dieselfront.rulesets.battlefield.activation import BattleActivations
from dieselfront.rulesets.dust1947.activation import Activations
from dieselfront.rulesets.konflikt47.going import Clearance as KonfliktClearance
from dieselfront.rulesets.konflikt47.shooting import Shooting
from dieselfront.rulesets.warfare.attack import Attacking
from dieselfront.rulesets.warfare.going import Clearance as WarfareClearance

EXPENSIVE = [
    ("konflikt47", KonfliktClearance, "_barred"),
    ("konflikt47", Shooting, "round_choices"),
    ("warfare", WarfareClearance, "_terrain"),
    ("warfare", Attacking, "aims"),
    ("battlefield", BattleActivations, "menu"),
    ("freeform1947", Activations, "declarable"),
]


@pytest.mark.parametrize("ruleset, chapter, question", EXPENSIVE)
def test_a_copy_inherits_what_was_worked_out(ruleset, chapter, question, monkeypatch):
    asked = []
    find = getattr(chapter, question)
    monkeypatch.setattr(chapter, question, lambda *args: asked.append(question) or find(*args))
    game, chance, again, first = fresh(3, ruleset, 5), Random(3), 0, 0
    for number in range(400):
        decision = game.pending
        if decision is None:
            break
        if number % 3 == 0:
            first += len(asked)
            asked.clear()
            assert game.copy().pending is not None
            again += len(asked)
            asked.clear()
        game.choose_trusted(decision.sample(chance))
    assert first
    assert again == 0
