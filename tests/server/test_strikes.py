"""What an answer does to a unit is told once, all ways together, and never says more than can be reached."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront.odds.choices import TargetOdds
from dieselfront.server.strikes import by_target, together


class Told:
    """Odds as their JSON tells them."""

    def __init__(self, losses: dict[str, float], capacity: int) -> None:
        self.losses, self.capacity = losses, capacity
        self.further: dict[str, Any] = {}

    def to_json(self) -> dict[str, Any]:
        mean = sum(int(lost) * chance for lost, chance in self.losses.items())
        return {
            "hits": self.losses,
            "losses": self.losses,
            "destroyed": self.losses.get(str(self.capacity), 0.0),
            "capacity": self.capacity,
            "expected": {"losses": mean},
            "median": 0,
            "steps": [],
            "rules": ["x.y"],
            "notes": [],
            "chances": {"pins": 0.5},
        }


def odds(chance: float, losses: dict[str, float], capacity: int = 2, target: str = "a1") -> TargetOdds:
    return TargetOdds(target, "Rifles", "b1", "attack", chance, Told(losses, capacity), 4)  # type: ignore[arg-type]


def test_an_attack_that_is_sure_to_come_is_told_as_it_is():
    facts = by_target([odds(1.0, {"0": 0.5, "2": 0.5})], {"a1": 2})["a1"]
    assert facts["destroyed"] == 0.5
    assert "strength" not in facts
    assert facts["notes"] == []


def test_a_reaction_that_may_fail_counts_what_comes_of_it_and_nothing_for_the_rest():
    ways = [odds(0.4, {"0": 0.5, "2": 0.5}), odds(0.1, {"2": 1.0})]
    facts = by_target(ways, {"a1": 2})["a1"]
    assert facts["destroyed"] == pytest.approx(0.3)
    assert facts["expected"]["losses"] == pytest.approx(0.6)
    assert facts["losses"] == pytest.approx({"0": 0.7, "2": 0.3})
    assert sum(facts["losses"].values()) == pytest.approx(1.0)
    assert facts["median"] == 0
    assert facts["chances"]["pins"] == pytest.approx(0.25)
    assert facts["notes"][-1] == "50%: nothing comes of it"


def test_a_unit_of_which_only_some_are_in_reach_is_not_destroyed():
    facts = by_target([odds(1.0, {"0": 0.2, "2": 0.8})], {"a1": 5})["a1"]
    assert facts["destroyed"] == 0.0
    assert (facts["capacity"], facts["strength"]) == (2, 5)


def test_every_unit_struck_has_its_own_entry():
    struck = by_target([odds(1.0, {"0": 1.0}), odds(1.0, {"2": 1.0}, target="a2")], {"a1": 2, "a2": 2})
    assert {target: facts["destroyed"] for target, facts in struck.items()} == {"a1": 0.0, "a2": 1.0}


def test_the_likeliest_way_is_told_step_by_step():
    rare, usual = ({"steps": [name], "notes": [], **_plain()} for name in ("rare", "usual"))
    assert together([(0.1, rare), (0.6, usual)])["steps"] == ["usual"]


def _plain() -> dict[str, Any]:
    told = Told({"0": 1.0}, 1).to_json()
    return {name: told[name] for name in told if name not in ("steps", "notes")}
