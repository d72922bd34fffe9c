"""What a list could do with: a sentence and the cards that would give it."""

from __future__ import annotations

import msgspec

FEW = 5
"""So many cards are named with a suggestion."""


class Suggestion(msgspec.Struct, frozen=True):
    """Something the list could do with, and the cards that would give it."""

    message: str
    cards: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.message}: {', '.join(self.cards)}" if self.cards else self.message
