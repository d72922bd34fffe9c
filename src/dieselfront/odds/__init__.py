"""Odds: exact probabilities of anything the rules can roll.

    from dieselfront import odds
    attack = odds.attack("allies-ranger-recon-squad", "axis-grenadier-recon-squad", cover=True, sustained=True)
    print(f"{attack.target_odds.mean_losses:.2f} lost, destroyed {attack.target_odds.destroyed:.1%}")
    for rule in attack.target_odds.rules():
        print(rule)

`evaluate` takes plans, `attack` takes cards, `of_choice` and `of_options` take a game and its pending decision,
`oracle` and `forecast` take any procedure, `luck` takes a record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dieselfront.odds.choices import of_choice, of_options
from dieselfront.odds.exact import evaluate, losses
from dieselfront.odds.games import OddsError, adapter, games
from dieselfront.odds.result import Odds, Step

if TYPE_CHECKING:
    from dieselfront.odds.result import AttackOdds


def attack(attacker: Any, target: Any, ruleset: str = "", **situation: Any) -> AttackOdds:
    """The odds of one card attacking another, by id or as a card; the situation by name, as the game's adapter knows
    it (`adapter(ruleset).situation_type`). Without a ruleset the first game that has the cards."""
    from dieselfront import rulesets
    from dieselfront.forces import catalogue

    game = ruleset or game_of(attacker, target)
    odds = adapter(game)
    cards = catalogue(game)
    mine = cards[attacker] if isinstance(attacker, str) else attacker
    theirs = cards[target] if isinstance(target, str) else target
    return odds.attack(rulesets.load(game), mine, theirs, odds.situation(situation))


def game_of(*cards: Any) -> str:
    """The first game whose catalogue holds a card of these ids."""
    from dieselfront.forces import catalogue

    rulesets_with_odds = games()
    for game in rulesets_with_odds:
        known = catalogue(game)
        if any((card if isinstance(card, str) else card.id) in known for card in cards):
            return game
    return rulesets_with_odds[0]


__all__ = [
    "Odds",
    "OddsError",
    "Step",
    "adapter",
    "attack",
    "evaluate",
    "game_of",
    "games",
    "losses",
    "of_choice",
    "of_options",
]
