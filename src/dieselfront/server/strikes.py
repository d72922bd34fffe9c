"""What an answer does to every unit it strikes, as a screen tells it: one entry a unit, whatever ways lead to it.

A reaction may fail, or come to fire of two kinds: its odds are the odds of all that together, nothing included. And
what cannot be reached cannot be lost: a unit is destroyed only where all it has left is in reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dieselfront.kernel.game import Game
from dieselfront.odds.choices import TargetOdds

Facts = dict[str, Any]
SHOWN = ("hits", "losses", "destroyed", "capacity", "expected", "median", "steps", "rules", "notes")


def strengths(game: Game) -> dict[str, int]:
    """What every unit has left, by its id, in the points or soldiers that the table shows."""
    units = game.rules.view(game.state).get("units", ())
    return {unit["id"]: left for unit in units if (left := _left(unit)) is not None}


def _left(unit: Mapping[str, Any]) -> int | None:
    if "left" in unit:
        return int(unit["left"])
    if unit.get("damage_max"):
        return int(unit["damage_max"]) - int(unit.get("damage", 0))
    return int(unit["models_left"]) if "models_left" in unit else None


def by_target(odds: Sequence[TargetOdds], strength: Mapping[str, int]) -> dict[str, Facts]:
    """The odds of an answer for every unit it strikes."""
    ways: dict[str, list[TargetOdds]] = {}
    for one in odds:
        ways.setdefault(one.target, []).append(one)
    return {target: _struck(together, strength.get(target)) for target, together in ways.items()}


def _struck(ways: Sequence[TargetOdds], strength: int | None) -> Facts:
    facts = [(one.chance, odds_facts(one)) for one in ways]
    certain = len(facts) == 1 and facts[0][0] >= 1.0
    struck = facts[0][1] if certain else together(facts)
    if strength is not None and strength > struck["capacity"]:
        struck |= {"destroyed": 0.0, "strength": strength}
    return struck


def odds_facts(one: TargetOdds) -> Facts:
    """What a screen shows of odds."""
    numbers = one.odds.to_json()
    facts = {name: numbers[name] for name in SHOWN if name in numbers}
    facts["chances"] = dict(numbers.get("chances", {}))
    for name, chances in one.odds.further.items():
        facts["chances"].setdefault(name, 1.0 - (chances[0] if chances else 1.0))
    return facts


def together(ways: Sequence[tuple[float, Facts]]) -> Facts:
    """Several ways it may come to, each by its chance, and nothing for the rest; the likeliest step by step."""
    ways = sorted(ways, key=lambda way: -way[0])
    nothing = max(0.0, 1.0 - sum(chance for chance, _ in ways))
    likeliest = ways[0][1]
    losses = _mixed(ways, "losses", nothing)
    comes_to = [f"{chance:.0%}: {facts['expected'].get('losses', 0):.1f} lost on average" for chance, facts in ways]
    notes = dict.fromkeys(note for _, facts in ways for note in facts["notes"])
    return {
        **likeliest,
        "hits": _mixed(ways, "hits", nothing),
        "losses": losses,
        "destroyed": sum(chance * facts["destroyed"] for chance, facts in ways),
        "capacity": max(facts["capacity"] for _, facts in ways),
        "expected": _weighed(ways, "expected"),
        "median": _median(losses),
        "rules": list(dict.fromkeys(rule for _, facts in ways for rule in facts["rules"])),
        "notes": [*comes_to, *([f"{nothing:.0%}: nothing comes of it"] if nothing > 0.0005 else []), *notes],
        "chances": _weighed(ways, "chances"),
    }


def _mixed(ways: Sequence[tuple[float, Facts]], name: str, nothing: float) -> dict[str, float]:
    """One distribution of several; what comes to nothing counts as none."""
    mixed = {0: nothing}
    for chance, facts in ways:
        for value, share in facts[name].items():
            mixed[int(value)] = mixed.get(int(value), 0.0) + chance * share
    return {str(value): mixed[value] for value in sorted(mixed)}


def _weighed(ways: Sequence[tuple[float, Facts]], name: str) -> dict[str, float]:
    weighed: dict[str, float] = {}
    for chance, facts in ways:
        for what, number in facts[name].items():
            weighed[what] = weighed.get(what, 0.0) + chance * number
    return weighed


def _median(losses: Mapping[str, float]) -> int:
    """The least number of losses that half of all ends do not exceed."""
    sum_so_far = 0.0
    for value, chance in losses.items():
        sum_so_far += chance
        if sum_so_far >= 0.5:
            return int(value)
    return 0


__all__ = ["by_target", "odds_facts", "strengths", "together"]
