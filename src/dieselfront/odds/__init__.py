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
from dieselfront.odds.result import Odds, Step
from dieselfront.odds.situation import OddsError, Situation

if TYPE_CHECKING:
    from dieselfront.odds.dust import AttackOdds

DUST = ("dust1947",)
"""The rulesets whose cards can be set against each other here."""


def attack(attacker: Any, target: Any, ruleset: str = "dust1947", **situation: Any) -> AttackOdds:
    """The odds of one card attacking another, by id or as a card; the situation by name (see Situation)."""
    from dieselfront import rulesets
    from dieselfront.forces import dust_catalogue
    from dieselfront.odds import dust

    check_ruleset(ruleset)
    cards = dust_catalogue()
    mine = cards[attacker] if isinstance(attacker, str) else attacker
    theirs = cards[target] if isinstance(target, str) else target
    return dust.attack(rulesets.load(ruleset), mine, theirs, Situation(**situation))


def check_ruleset(ruleset: str) -> None:
    """Complain about a ruleset whose cards cannot be set against each other."""
    if ruleset not in DUST:
        raise OddsError(f"odds between cards are told for {', '.join(DUST)}, not for {ruleset}")


__all__ = ["Odds", "OddsError", "Situation", "Step", "attack", "check_ruleset", "evaluate", "losses"]
