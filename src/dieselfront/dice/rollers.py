"""Who answers when dice are asked for: fair dice, a script, or people with dice of their own.

Fair dice are HMAC-SHA-256 of (seed, salt, number of the throw): cheap, copyable, the same on every platform, and
provable. The seed's SHA-256 is published before the game and the seed after it, so anyone can check every die.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol

from dieselfront.dice.die import Die
from dieselfront.dice.throw import Dice

_TAG = b"dieselfront-dice-1"
_BLOCK = 64
"""Bytes that SHA-256 takes at once; HMAC makes keys that long (RFC 2104)."""
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
MOST_DICE = 1000
"""Dice of one throw. No card of any game comes near it; a forged one must not keep a roller busy for ever."""


class TooManyDice(ValueError):
    """A throw of more dice than anybody rolls."""


class Roller(Protocol):
    """Answers a question for dice; `number` counts the throws of the game from 0."""

    def roll(self, question: Dice, number: int) -> tuple[int, ...]: ...


def commitment(seed: str) -> str:
    """What is published before the game: the SHA-256 of the seed's text."""
    return hashlib.sha256(seed.encode()).hexdigest()


class FairDice:
    """Dice from a keyed hash of (seed, salt, throw); bytes that would favour a side are thrown away."""

    __slots__ = ("_inner", "_outer", "salt", "seed")

    def __init__(self, seed: str, salt: str = "") -> None:
        self.seed = seed
        self.salt = salt
        key = seed.encode()
        key = (hashlib.sha256(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
        self._inner = hashlib.sha256(key.translate(_INNER) + _TAG + b"|" + salt.encode() + b"|")
        self._outer = hashlib.sha256(key.translate(_OUTER))

    def __reduce__(self) -> tuple[object, ...]:
        return FairDice, (self.seed, self.salt)

    def roll(self, question: Dice, number: int) -> tuple[int, ...]:
        return self.faces(question.die, question.count, number)

    def faces(self, die: Die, count: int, number: int) -> tuple[int, ...]:
        """The faces of throw `number`: read the hash byte by byte, block by block."""
        if not 0 <= count <= MOST_DICE:
            raise TooManyDice(f"a throw has at most {MOST_DICE} dice, not {count}")
        if not count:
            return ()
        fallen = b""
        block = 0
        while True:
            fallen += self._hash(number, block).translate(die.face_of_byte, die.unfair_bytes)
            if len(fallen) >= count:
                return tuple(fallen[:count])
            block += 1

    def _hash(self, number: int, block: int) -> bytes:
        """HMAC-SHA-256 of the number of a throw and of the block; what it takes of the key alone is done once."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(b"%d|%d" % (number, block))
        outer.update(inner.digest())
        return outer.digest()

    def number(self, below: int, number: int) -> int:
        """A fair whole number from 0 to below-1, for draws that are not dice (an order cup)."""
        fair = 2**64 - 2**64 % below
        block = 0
        while True:
            value = int.from_bytes(self._hash(number, block)[:8], "big")
            if value < fair:
                return value % below
            block += 1


class DiceRanOut(Exception):
    """A scripted throw asked for more dice than the script holds."""


class ScriptedDice:
    """Faces from a list, in order; for tests, referee files and physical dice typed in."""

    __slots__ = ("faces", "used")

    def __init__(self, faces: Sequence[str]) -> None:
        self.faces = list(faces)
        self.used = 0

    def roll(self, question: Dice, number: int) -> tuple[int, ...]:
        end = self.used + question.count
        if end > len(self.faces):
            left = len(self.faces) - self.used
            raise DiceRanOut(
                f"{question.label} needs {question.count} dice ({question.stage}), the script has {left} left"
            )
        taken = tuple(question.die.face(name) for name in self.faces[self.used : end])
        self.used = end
        return taken

    @property
    def left(self) -> list[str]:
        """The faces nobody asked for."""
        return self.faces[self.used :]
