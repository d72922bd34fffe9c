"""Situations of Konflikt '47 by chance: small units with all kinds of weapons, few enough dice to follow them all."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from dieselfront import rulesets
from dieselfront.rulesets.konflikt47.cards import UnitCard, read_card
from dieselfront.rulesets.konflikt47.odds.firing_range import KonfliktSituation

RULES: Any = rulesets.load("konflikt47")

SMALL_ARMS = ("Rifle", "SMG", "Pistol", "Assault Rifle")
HEAVY = (
    "Bazooka",
    "Anti-tank Rifle",
    "Flamethrower (Infantry)",
    "Panzerfaust",
    "Rifle Grenade",
    "M21 Light Tesla Cannon",
)
GUNS = (
    "Turret-Mounted Light AT Gun",
    "Turret-Mounted Heavy AT Gun",
    "Turret-Mounted Super-Heavy AT Gun",
    "Turret-Mounted Light Howitzer (D3 HE)",
    "Light Automatic Cannon",
    "M17 Tesla Cannon",
    "Zvukovoy Proyektor",
    "Schwerefeld Projektor",
    "Compression Cannon",
    "Light Rail Gun",
    "Meteor Launcher",
    "HMG",
)
HULLS = ("light tank", "medium tank", "heavy tank", "light walker", "armoured car", "soft-skin")
TROOP_RULES = ("Tough", "Fanatics", "Stubborn", "Resilient", "Horror", "Shirkers", "Tough Fighters", "Strong", "Green")
HULL_RULES = ("Open-Topped", "Tough Vehicle", "Armoured Skirts")
NATIONS = ("", "Germany", "United States", "Soviet Union", "Great Britain", "Japan")
QUALITIES = ("inexperienced", "regular", "veteran")


class Case(NamedTuple):
    """Two cards and a situation."""

    attacker: UnitCard
    target: UnitCard
    situation: KonfliktSituation


def squad(*weapons: str, rules: tuple[str, ...] = (), quality: str = "regular", **more: Any) -> UnitCard:
    """Troops with these weapons, the first of them the NCO."""
    men = [{"weapons": [weapon], "nco": place == 0} for place, weapon in enumerate(weapons)]
    return read_card(
        {"name": "Squad", "kind": "infantry", "men": men, "rules": rules, "quality": quality, **more}, True
    )


def machine(hull: str, *weapons: str, rules: tuple[str, ...] = (), quality: str = "regular") -> UnitCard:
    """A vehicle."""
    return read_card(
        {
            "name": "Machine",
            "kind": "vehicle",
            "vehicle": {"class": hull},
            "men": [{"weapons": list(weapons)}],
            "rules": rules,
            "quality": quality,
        },
        True,
    )


def gun(*crew: str, shield: bool = False, quality: str = "regular") -> UnitCard:
    """A gun and its crew."""
    men = [{"weapons": [weapon], "gunner": place == 0} for place, weapon in enumerate(crew)]
    rules = ["Gun Shield"] if shield else []
    return read_card(
        {"name": "Gun", "kind": "artillery", "gun": "light", "men": men, "rules": rules, "quality": quality}, True
    )


def some_unit(chance: Random, most: int, *, heavy: bool = True) -> UnitCard:
    """A unit by chance."""
    quality = chance.choice(QUALITIES)
    if chance.random() < 0.12:
        return gun("Light AT Gun", *["Rifle"] * chance.randint(0, 2), shield=chance.random() < 0.5, quality=quality)
    if chance.random() < 0.35:
        rules = (chance.choice(HULL_RULES),) if chance.random() < 0.3 else ()
        return machine(chance.choice(HULLS), chance.choice(GUNS), rules=rules, quality=quality)
    count = chance.randint(1, most)
    weapons = [chance.choice(SMALL_ARMS) for _ in range(count)]
    if heavy and chance.random() < 0.5:
        weapons = [*weapons[: min(1, most - 1)], chance.choice(HEAVY)]
    rules = (chance.choice(TROOP_RULES),) if chance.random() < 0.4 else ()
    return squad(*weapons, rules=rules, quality=quality, nation=chance.choice(NATIONS))


def some_situation(chance: Random) -> KonfliktSituation:
    """How they meet, by chance."""
    down = ("down",) if chance.random() < 0.25 else ()
    return KonfliktSituation(
        range=chance.choice([3, 5, 9, 14]),
        cover=chance.choice(["none", "none", "soft", "hard"]),
        order=chance.choice(["fire", "fire", "advance"]),
        facing=chance.choice(["front", "side", "rear"]),
        pins=chance.choice([0, 0, 1, 3]),
        attacker_pins=chance.choice([0, 0, 1, 2]),
        target_tokens=down,
    )


def some_case(chance: Random) -> Case:
    """A case of shooting."""
    return Case(some_unit(chance, 2), some_unit(chance, 4, heavy=False), some_situation(chance))


def some_reaction(chance: Random) -> Case:
    """A case of fire with a firefight."""
    situation = some_situation(chance).but(reaction=True)
    return Case(some_unit(chance, 1), some_unit(chance, 2, heavy=False), situation)


def some_turns(chance: Random) -> Case:
    """A case of fire in two turns."""
    return Case(some_unit(chance, 1), some_unit(chance, 2, heavy=False), some_situation(chance).but(turns=2))


def some_assault(chance: Random) -> Case:
    """A case of close quarters."""
    situation = some_situation(chance).but(
        close=True,
        range=9,
        rounds=chance.choice([1, 1, 2]),
        reaction=chance.random() < 0.4,
        modes=chance.choice([(), ("point-blank",)]),
    )
    attacker = some_unit(chance, 2, heavy=False)
    while attacker.kind == "artillery" or (attacker.vehicle is not None and not attacker.vehicle.walker):
        attacker = some_unit(chance, 2, heavy=False)
    return Case(attacker, some_unit(chance, 2, heavy=False), situation)
