"""Outlooks: what the features of a position are worth at the beginning and at the end of a battle, as data.

`dieselfront lab fit` proposes the numbers from played games; an adviser measures the features.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from dieselfront.players.weights import adviser_data


class Outlook:
    """The weights of features in points, growing or shrinking from the first turn to the last."""

    def __init__(self, weights: Mapping[str, tuple[float, float]]) -> None:
        self.weights = dict(weights)

    def worth(self, features: Mapping[str, float], late: float) -> float:
        """What features are worth together; `late` goes from 0 at the beginning to 1 in the last turn."""
        weights = self.weights
        total = 0.0
        for name, amount in features.items():
            early, end = weights[name]
            total += amount * (early + (end - early) * late)
        return total


@cache
def outlook(ruleset: str) -> Outlook:
    """The outlook of a ruleset, or of the one it inherits from."""
    known = adviser_data(ruleset, "outlook")
    return Outlook({name: (float(early), float(end)) for name, (early, end) in known.items()})


__all__ = ["Outlook", "outlook"]
