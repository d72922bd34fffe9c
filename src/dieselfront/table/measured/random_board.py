"""Random boards on measured tables in inches: from a seed's text to ground that neither side can call unfair.

Pieces are drawn on one half and turned half round the middle for the other. Between any two of them, and round the
objectives, there is room for the widest vehicle. A game says its kinds of ground and what objectives are worth.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

WIDTH = DEPTH = 48  # inches
ROOM = 3
"""Inches between pieces, and between a piece and an objective's middle."""

DEPLOY = 9
"""Inches from the edges where nothing stands: room to set up behind what there is."""

PAIRS, TRIES = 5, 60
"""So many pieces on each half, or as many as that many tries find room for."""

MIDDLE = (WIDTH / 2, DEPTH / 2)

Span = tuple[int, int]
"""From and to, in inches."""


class Box(NamedTuple):
    """What a piece covers, in inches."""

    left: float
    top: float
    right: float
    bottom: float

    def is_near(self, other: Box) -> bool:
        """Is there no room between the two?"""
        return (
            self.left < other.right + ROOM
            and other.left < self.right + ROOM
            and self.top < other.bottom + ROOM
            and other.top < self.bottom + ROOM
        )

    def turned(self) -> Box:
        return Box(WIDTH - self.right, DEPTH - self.bottom, WIDTH - self.left, DEPTH - self.top)


@dataclass(frozen=True)
class RandomBoards:
    """The random boards of one game."""

    ruleset: str
    points: int
    turns: int
    areas: Mapping[str, tuple[Span, Span]]
    """Kinds of ground with their width and depth."""
    lines: Mapping[str, Span]
    """Kinds of obstacle with their length."""
    objective: int
    """What an objective is worth; twice that where it is the only one."""
    roofs: bool = False
    """Do buildings say whether they have a roof?"""

    def scenario(self, seed: str) -> dict[str, Any]:
        """The scenario of a seed: the same board for the same seed, on any machine."""
        chance = random.Random(f"{self.ruleset}/board/{seed}")
        objectives = self._objectives(chance)
        taken = [Box(x, y, x, y) for x, y in (one["at"] for one in objectives)]
        terrain: list[dict[str, Any]] = []
        for _ in range(TRIES):
            if len(terrain) == 2 * PAIRS:
                break
            box, entry = chance.choice((self._area, self._area, self._line))(chance)
            twin = box.turned()
            if not box.is_near(twin) and not any(box.is_near(other) for other in taken):
                taken += [box, twin]
                number = len(terrain) + 1
                terrain += [{**entry, "id": f"{entry['kind']} {number}"}, _turned(entry, number + 1)]
        return {
            "id": f"random:{seed}",
            "name": "A random board",
            "ruleset": self.ruleset,
            "text": "Ground that nobody has fought over before, and that is the same from both ends.",
            "points": self.points,
            "size": [WIDTH, DEPTH],
            "turns": self.turns,
            "victory": "both" if objectives else "destruction",
            **({"objectives": objectives} if objectives else {}),
            "terrain": terrain,
        }

    def _objectives(self, chance: random.Random) -> list[dict[str, Any]]:
        """None, one in the middle, a pair, or all three."""
        out = chance.choice((10, 12, 14))
        middle = {"id": "the middle", "at": list(MIDDLE), "points": 2 * self.objective}
        pair = [
            {"id": "the west post", "at": [MIDDLE[0] - out, MIDDLE[1]], "points": self.objective},
            {"id": "the east post", "at": [MIDDLE[0] + out, MIDDLE[1]], "points": self.objective},
        ]
        three = [{**middle, "points": self.objective}, *pair]
        return chance.choice(([], [middle], pair, three))

    def _area(self, chance: random.Random) -> tuple[Box, dict[str, Any]]:
        kind = chance.choice(list(self.areas))
        (narrow, wide), (shallow, deep) = self.areas[kind]
        width, depth = chance.randint(narrow, wide), chance.randint(shallow, deep)
        x, y = chance.randint(2, WIDTH - 2 - width), chance.randint(DEPLOY, DEPTH // 2)
        entry: dict[str, Any] = {"kind": kind, "at": [x, y], "size": [width, depth]}
        if kind == "building":
            entry["floors"] = chance.choice((1, 1, 2))
            if self.roofs:
                entry["roofed"] = chance.random() < 0.5
        return Box(x, y, x + width, y + depth), entry

    def _line(self, chance: random.Random) -> tuple[Box, dict[str, Any]]:
        kind = chance.choice(list(self.lines))
        length = chance.randint(*self.lines[kind])
        along = chance.random() < 0.7  # most of them face the enemy
        width, depth = (length, 0) if along else (0, length)
        x, y = chance.randint(2, WIDTH - 2 - width), chance.randint(DEPLOY, DEPTH // 2)
        return Box(x, y, x + width, y + depth), {"kind": kind, "line": [[x, y], [x + width, y + depth]]}


def _turned(entry: dict[str, Any], number: int) -> dict[str, Any]:
    """The same piece on the other half."""
    twin = {**entry, "id": f"{entry['kind']} {number}"}
    if "line" in entry:
        twin["line"] = [[WIDTH - x, DEPTH - y] for x, y in entry["line"]]
    else:
        (x, y), (width, depth) = entry["at"], entry["size"]
        twin["at"] = [WIDTH - x - width, DEPTH - y - depth]
    return twin


__all__ = ["RandomBoards"]
