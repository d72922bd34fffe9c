"""Odds: exact probabilities of anything the rules can roll.

    from dieselfront import odds
    found = odds.evaluate(plan)
    print(found.mean_losses, found.destroyed)
"""

from dieselfront.odds.exact import evaluate, losses
from dieselfront.odds.result import Odds, Step

__all__ = ["Odds", "Step", "evaluate", "losses"]
