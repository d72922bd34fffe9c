"""Random tables: terrain laid alike for both sides, turned about the middle, and one of the ways to arrive."""

from __future__ import annotations

import hashlib
from typing import Any

WIDTH, DEPTH = 180, 120
STRIP = 26
KINDS = ("trees", "trees", "building", "hedge", "crops", "rubble", "rock", "hill", "ammo_crate", "swamp")
SIZES = {
    "trees": ((16, 28), (14, 20)),
    "building": ((14, 20), (12, 16)),
    "crops": ((18, 26), (14, 20)),
    "rubble": ((12, 18), (10, 14)),
    "rock": ((5, 9), (5, 8)),
    "hill": ((18, 26), (12, 18)),
    "ammo_crate": ((5, 8), (3, 4)),
    "swamp": ((16, 24), (10, 16)),
    "hedge": ((16, 28), (2, 2)),
}
ARRIVALS = (("deploy", "deploy"), ("meeting", "meeting"), ("delayed", "delayed"), ("reserves", "reserves"))


class _Chance:
    """Numbers from a seed, the same everywhere."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.count = 0

    def below(self, most: int) -> int:
        self.count += 1
        digest = hashlib.sha256(f"battlefield/{self.seed}/{self.count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % most

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)


def scenario(seed: str) -> dict[str, Any]:
    """The table of a seed as plain data."""
    chance = _Chance(seed)
    boxes: list[tuple[int, int, int, int]] = []
    terrain: list[dict[str, Any]] = []
    for _ in range(40):
        kind = KINDS[chance.below(len(KINDS))]
        (least_w, most_w), (least_d, most_d) = SIZES[kind]
        width, depth = chance.between(least_w, most_w), chance.between(least_d, most_d)
        x = chance.between(6, WIDTH - 6 - width)
        y = chance.between(STRIP + 2, DEPTH // 2 - 2)
        if y + depth > DEPTH // 2 + 4:
            continue
        mine = (x, y, x + width, y + depth)
        twin = (WIDTH - x - width, DEPTH - y - depth, WIDTH - x, DEPTH - y)
        if any(_near(one, other) for one in (mine, twin) for other in boxes) or _near(mine, twin):
            continue
        boxes += [mine, twin]
        terrain += [_entry(kind, mine), _entry(kind, twin)]
        if len(terrain) >= 14:
            break
    arrival = ARRIVALS[chance.below(len(ARRIVALS))]
    return {
        "id": f"random:{seed}",
        "name": f"Random table {seed}",
        "ruleset": "battlefield",
        "text": "A table from a seed, the same from both ends.",
        "points": 75,
        "turns": 6,
        "size": [WIDTH, DEPTH],
        "arrival": list(arrival),
        "terrain": terrain,
        "deploy": [
            {"boxes": [[0, DEPTH - STRIP, WIDTH, STRIP]], "facing": "north"},
            {"boxes": [[0, 0, WIDTH, STRIP]], "facing": "south"},
        ],
        "objectives": [{"name": "the middle", "at": [[WIDTH // 2, DEPTH // 2]], "points": 10}],
    }


def _near(one: tuple[int, int, int, int], other: tuple[int, int, int, int], room: int = 6) -> bool:
    return (
        one[0] < other[2] + room and other[0] < one[2] + room and one[1] < other[3] + room and other[1] < one[3] + room
    )


def _entry(kind: str, box: tuple[int, int, int, int]) -> dict[str, Any]:
    x, y, high_x, high_y = box
    entry: dict[str, Any] = {"kind": kind, "at": [x, y], "size": [high_x - x, high_y - y]}
    if kind == "building":
        entry["floors"] = 1
    return entry
