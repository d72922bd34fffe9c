"""Odds: exact probabilities of anything the rules can roll.

    from dieselfront import odds
    found = odds.attack("allies-ranger-recon-squad", "axis-grenadier-recon-squad", cover=True, sustained=True)
    print(f"{found.target_odds.mean_losses:.2f} lost, destroyed {found.target_odds.destroyed:.1%}")
    for rule in found.target_odds.rules():
        print(rule)

`evaluate` takes plans, `attack` takes cards, `oracle` and `forecast` take any procedure, `luck` takes a record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dieselfront.odds.exact import evaluate, losses
from dieselfront.odds.games import adapter
from dieselfront.odds.result import Odds, Step
from dieselfront.odds.situation import OddsError, Situation

if TYPE_CHECKING:
    from dieselfront.odds.result import AttackOdds


def attack(attacker: Any, target: Any, ruleset: str = "dust1947", **situation: Any) -> AttackOdds:
    """The odds of one card attacking another, by id or as a card; the situation by name (see Situation, and
    KonfliktSituation for Konflikt '47)."""
    from dieselfront import rulesets
    from dieselfront.forces import catalogue

    odds = adapter(ruleset)
    cards = catalogue(ruleset)
    mine = cards[attacker] if isinstance(attacker, str) else attacker
    theirs = cards[target] if isinstance(target, str) else target
    return odds.attack(rulesets.load(ruleset), mine, theirs, odds.situation(situation))


__all__ = ["Odds", "OddsError", "Situation", "Step", "adapter", "attack", "evaluate", "losses"]
