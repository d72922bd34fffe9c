"""Names nobody can guess: ids of games, and the tokens that open a seat or let a spectator watch.

Tokens are kept only as their hash, so that a stolen database opens no seat.
"""

from __future__ import annotations

import hashlib
import secrets

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LETTERS = 12
LONGEST = 64


def new_id() -> str:
    """The id of a game or a record: short enough to read aloud."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LETTERS))


def new_token() -> str:
    """A token of 192 bits."""
    return secrets.token_urlsafe(24)


def new_seed() -> str:
    """A dice seed of 128 bits."""
    return secrets.token_hex(16)


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_id(text: str) -> bool:
    """Could this be an id?"""
    return len(text) == ID_LETTERS and all(letter in ALPHABET for letter in text)
