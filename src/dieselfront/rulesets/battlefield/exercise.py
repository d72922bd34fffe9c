"""What the exercise run asks of Battlefield: its cards, forces, board, special actions, and what counts as a use.

The uses are those of every Dust game (dust1947/exercise); heroes fight on their own here and join as they activate.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from dieselfront.forces import DustCard
from dieselfront.forces.armies import ArmyUnit
from dieselfront.forces.dust_check import why_not_pilot
from dieselfront.forces.families import family
from dieselfront.rulesets.battlefield import skills, weapons
from dieselfront.rulesets.dust import hooks
from dieselfront.rulesets.dust1947.exercise import count, differs, is_mark, seen
from dieselfront.rulesets.dust1947.exercise import forces as of_dust
from dieselfront.rulesets.dust1947.exercise.forces import Recruiter, homebrew
from dieselfront.rulesets.dust1947.exercise.uses import Uses
from dieselfront.rulesets.dust_open.exercise import OpenEager as Eager

if TYPE_CHECKING:
    from dieselfront.rulesets.battlefield.ruleset import Battlefield

SPECIALS = (
    *("air-alert", "ammo-drop", "call-attack", "call-sustained-attack", "camouflage", "dozer", "engineering"),
    *("execute", "get-moving", "get-up", "inject", "launch-smoke", "leave-vehicle", "medevac", "mount-vehicle"),
    *("reinforcement", "reload", "repair", "replacement", "resurrection", "tank-head"),
)
"""Every special action of Battlefield; a game that declares another one is stopped."""

UNUSABLE: dict[str, str] = {}
"""Skills that no game can bring to use, each with its rule and the reason; they are listed and not counted."""

TERRAIN: tuple[dict[str, Any], ...] = (
    {"kind": "water", "at": [0, 0], "size": [18, 116]},
    {"kind": "rubble", "at": [44, 44], "size": [10, 14]},
    {"kind": "trees", "at": [72, 46], "size": [18, 14]},
    {"kind": "structure", "at": [64, 64], "size": [8, 8]},
    {"kind": "road", "line": [[36, 56], [36, 116]], "width": 8},
    {"kind": "swamp", "at": [92, 64], "size": [10, 9]},
    {"kind": "tank_trap", "at": [118, 54], "size": [8, 6]},
    {"kind": "wire", "at": [82, 74], "size": [10, 4]},
    {"kind": "minefield", "at": [114, 74], "size": [10, 8]},
    {"kind": "trench", "at": [44, 74], "size": [10, 6]},
    {"kind": "low_wall", "line": [[56, 76], [70, 76]]},
    {"kind": "building", "at": [100, 44], "size": [14, 12], "floors": 2},
)
OBJECTIVES = (("the shore", [30, 58], 2), ("the middle", [60, 58], 2), ("the east", [110, 62], 2))
WORKS = ({"kind": "bunker", "side": 0, "at": [60, 30], "facing": 180},)


def cards(rules: Battlefield) -> list[DustCard]:
    """Every card of the game, and made-up ones for rules that none of them prints."""
    printed = list(family("battlefield").catalogue)
    known = {kind.name for kind in (*skills.ALL, *weapons.ALL)}
    return [*printed, *(card for card in homebrew(rules.registry, printed) if _rule_of(card, printed) in known)]


def _rule_of(card: DustCard, printed: list[DustCard]) -> str:
    """The rule for which a card was made up."""
    return card.name.rpartition(" with ")[2]


def effects(rules: Battlefield) -> list[type[hooks.Skill]]:
    """Every skill and weapon rule of this book; skills of borrowed cards have no effect (bf.open.card_skills)."""
    return [*skills.ALL, *weapons.ALL]


class BattleRecruiter(Recruiter):
    """Heroes on their own, or in a vehicle that they pilot (bf.hero.join, bf.pilot.who)."""

    company: ClassVar[dict[str, Callable[[DustCard], bool]]] = of_dust.COMPANY | {
        "Command Squad": lambda card: card.kind == "infantry" and not card.has("Command Squad"),
        "Mechanic": lambda card: card.kind == "vehicle",
        "Officer": lambda card: card.kind == "infantry",
        "Tank Riders": lambda card: card.kind == "infantry" and card.armour <= 2,
        "Assassin": lambda card: card.kind == "infantry",
    }

    def seat(self, hero: DustCard, units: list[ArmyUnit]) -> None:
        if self.chance.random() < 0.4 and self._beside(
            hero, units, "pilots", lambda card: not why_not_pilot(hero, card)
        ):
            return
        units.append(ArmyUnit(hero.id, label=f"u{len(units)}"))


def scenario(chance: Random) -> dict[str, Any]:
    """A small table with everything on it, near enough to fight from the first turn on."""
    return {
        "id": "exercise",
        "name": "Exercise",
        "size": [132, 116],
        "terrain": list(TERRAIN),
        "fortifications": list(WORKS),
        "deploy": [{"boxes": [[0, 0, 132, 42]], "facing": "south"}, {"boxes": [[0, 80, 132, 36]], "facing": "north"}],
        "turns": 6,
        "objectives": [{"name": name, "at": [where], "each_turn": points} for name, where, points in OBJECTIVES],
        "arrival": [chance.choice(["deploy", "deploy", "reserves"]), "deploy"],
    }


def battle(
    rules: Battlefield, cards: list[DustCard], used: Uses, chance: Random
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A table and two forces, made of what has not been used enough."""
    recruiter = BattleRecruiter(rules, cards, used, chance)
    forces = [recruiter.force(side) for side in (0, 1)]
    return scenario(chance), forces


__all__ = ["SPECIALS", "UNUSABLE", "Eager", "battle", "cards", "count", "differs", "effects", "is_mark", "seen"]
