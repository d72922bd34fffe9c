"""The reference attack of the bench: twelve dice of a laser, sustained, at five soldiers in cover."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dieselfront.forces import ARMOUR_CLASSES, Cell, DustCard, DustWeapon, SkillRef, Soldier, dust_catalogue
from dieselfront.rulesets.dust1947 import RULESET
from dieselfront.rulesets.dust1947.odds import Situation
from dieselfront.rulesets.dust1947.odds import attack as attacks

DICE, SOLDIERS = 12, 5
SITUATION = Situation(sustained=True, cover=True)


def cards() -> tuple[DustCard, DustCard]:
    """A laser of twelve dice, and five soldiers for the far side of the range."""
    laser = DustWeapon(
        "laser",
        "Laser",
        1,
        {name: Cell(DICE, 0, 1) for name in ARMOUR_CLASSES},
        range_max=6,
        rules=(SkillRef("Laser"),),
    )
    gunner = DustCard(
        "bench-gunner", "Laser gunner", "Allies", "hero", "S", 2, 2, 4, 3, 10, weapons=(laser,),
        soldiers=(Soldier("Gunner", ("leader",), (0,)),), locomotion="infantry", size="standard",
    )  # fmt: skip
    men = tuple(Soldier("Rifleman", (), ()) for _ in range(SOLDIERS))
    squad = DustCard(
        "bench-squad", "Five soldiers", "Axis", "infantry", "S", 2, 2, 4, 0, 10, soldiers=men,
        locomotion="infantry", size="standard",
    )  # fmt: skip
    return gunner, squad


def plan() -> Any:
    """The plan of the attack, made by the ruleset itself."""
    (pool,) = attacks.plans(RULESET, *cards(), SITUATION)
    return pool.plan


def attack() -> Callable[[], Any]:
    """The whole attack, from the cards to its odds, as often as one likes."""
    rules = RULESET
    gunner, squad = cards()
    return lambda: attacks.attack(rules, gunner, squad, SITUATION)


def rivals(side: int) -> tuple[list[DustCard], list[DustCard]]:
    """So many squads and vehicles of two blocs, for a matrix."""
    fighters = [card for card in dust_catalogue() if card.kind in ("infantry", "vehicle") and card.points]
    allies, axis = ([card for card in fighters if card.bloc == bloc][:side] for bloc in ("Allies", "Axis"))
    return allies, axis


__all__ = ["attack", "cards", "plan", "rivals"]
