"""What the exercise run asks of Dust 1947 Freeform: the cards and uses of Dust 1947, on an open table of its own."""

from __future__ import annotations

from random import Random
from typing import Any

from dieselfront.forces import DustCard
from dieselfront.rulesets.dust1947 import exercise as squares
from dieselfront.rulesets.dust1947.exercise import cards, count, differs, effects, is_mark, seen
from dieselfront.rulesets.dust1947.exercise.forces import Recruiter
from dieselfront.rulesets.dust1947.exercise.uses import Uses
from dieselfront.rulesets.dust1947.ruleset import Dust1947
from dieselfront.rulesets.dust_open.exercise import OpenEager as Eager

SPECIALS = squares.SPECIALS
UNUSABLE = squares.UNUSABLE
TERRAIN: tuple[dict[str, Any], ...] = (
    {"kind": "water", "at": [0, 0], "size": [7, 46]},
    {"kind": "rubble", "at": [17, 17], "size": [4, 6]},
    {"kind": "trees", "at": [28, 18], "size": [7, 6]},
    {"kind": "structure", "at": [25, 25], "size": [3, 3]},
    {"kind": "mud", "at": [41, 21], "size": [4, 4]},
    {"kind": "road", "line": [[14, 22], [14, 46]], "width": 3},
    {"kind": "swamp", "at": [36, 25], "size": [4, 4]},
    {"kind": "ammo_dump", "at": [24, 17], "size": [3, 3]},
    {"kind": "rocket", "at": [11, 28], "size": [2, 2]},
    {"kind": "archeological_pit", "at": [20, 25], "size": [3, 3]},
    {"kind": "tank_trap", "at": [46, 21], "size": [3, 3]},
    {"kind": "wire", "at": [32, 29], "size": [4, 4]},
    {"kind": "minefield", "at": [45, 29], "size": [4, 4]},
    {"kind": "trench", "at": [17, 29], "size": [4, 3]},
    {"kind": "low_wall", "line": [[22, 30], [28, 30]]},
    {"kind": "building", "at": [40, 26], "size": [6, 5], "floors": 2},
)
OBJECTIVES = (("the shore", [12, 23], 2), ("the middle", [26, 23], 2), ("the east", [42, 19], 2))


def scenario(chance: Random) -> dict[str, Any]:
    """A small table with everything on it, near enough to fight from the first turn on."""
    return {
        "id": "exercise",
        "name": "Exercise",
        "size": [52, 46],
        "terrain": list(TERRAIN),
        "deploy": [{"boxes": [[0, 0, 52, 16]], "facing": "south"}, {"boxes": [[0, 33, 52, 13]], "facing": "north"}],
        "turns": 6,
        "objectives": [{"name": name, "at": [where], "each_turn": points} for name, where, points in OBJECTIVES],
        "weather": chance.choice(["none", "none", "high"]),
        "reserve": chance.choice([0, 0, 2]),
    }


def battle(
    rules: Dust1947, cards: list[DustCard], used: Uses, chance: Random
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A table and two forces, made of what has not been used enough."""
    recruiter = Recruiter(rules, cards, used, chance)
    forces = [recruiter.force(side) for side in (0, 1)]
    return scenario(chance), forces


__all__ = ["SPECIALS", "UNUSABLE", "Eager", "battle", "cards", "count", "differs", "effects", "is_mark", "seen"]
