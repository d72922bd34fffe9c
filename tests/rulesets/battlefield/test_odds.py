"""Odds: what a declaration tells is what the procedure comes to, whichever way the dice fall."""

from __future__ import annotations

import pytest

from rulesets.battlefield import oracle_cases

SEEDS = ["8", "12", "26", "48", "57", "62", "71", "85", "93", "104"]


@pytest.mark.parametrize("seed", SEEDS)
def test_stakes_are_what_the_procedure_comes_to(seed):
    assert oracle_cases.disagreement(seed, most=1500) is None


def test_the_oracle_notices_a_difference(monkeypatch):
    told = oracle_cases.told_before("12")
    wrong = [told[0]._replace(destroyed=told[0].destroyed + 0.01)]
    monkeypatch.setattr(oracle_cases, "told_before", lambda seed: wrong)
    assert "destroyed" in (oracle_cases.disagreement("12", most=1500) or "")
