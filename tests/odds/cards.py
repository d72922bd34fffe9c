"""Cards for the tests of the odds room: plain squads, heroes and walkers with a weapon or two."""

from __future__ import annotations

import re
from typing import Any

from dieselfront import rulesets
from dieselfront.forces import ARMOUR_CLASSES, Cell, DustCard, DustWeapon, Soldier
from dieselfront.forces.skills import read_skill

RULES: Any = rulesets.load("dust1947")


def weapon(name: str, dice: int, damage: int = 1, reach: int = 6, rules: str = "", count: int = 1) -> DustWeapon:
    """A weapon that is the same against everything; a reach of 0 is close combat."""
    return DustWeapon(
        id=re.sub(r"[^a-z]+", "-", name.lower()),
        name=name,
        count=count,
        cells={armour: Cell(dice, 0, damage) for armour in ARMOUR_CLASSES},
        range_max=reach,
        close=reach == 0,
        rules=_refs(rules),
    )


def _refs(text: str) -> Any:
    return tuple(read_skill(word) for word in text.split(",") if word.strip())


def squad(*weapons: DustWeapon, men: int = 3, skills: str = "", name: str = "Squad") -> DustCard:
    """A squad in which everybody carries everything."""
    lines = tuple(range(len(weapons)))
    leader, plain = Soldier("Leader", ("leader",), lines), Soldier("Soldier", (), lines)
    soldiers = (leader, *[plain] * (men - 1))
    counted = tuple(_counted(line, men) for line in weapons)
    return _card("infantry", "S", name, counted, soldiers, 0, skills)


def hero(*weapons: DustWeapon, damage: int = 3, skills: str = "", name: str = "Hero") -> DustCard:
    """A hero."""
    soldiers = (Soldier("Hero", ("leader",), tuple(range(len(weapons)))),)
    return _card("hero", "S", name, weapons, soldiers, damage, skills)


def walker(*weapons: DustWeapon, damage: int = 4, skills: str = "", name: str = "Walker") -> DustCard:
    """A walker."""
    return _card("vehicle", "V", name, weapons, (), damage, skills)


def _counted(line: DustWeapon, count: int) -> DustWeapon:
    import msgspec

    return msgspec.structs.replace(line, count=count)


def _card(
    kind: str,
    armour: str,
    name: str,
    weapons: tuple[DustWeapon, ...],
    soldiers: tuple[Soldier, ...],
    damage: int,
    skills: str,
) -> DustCard:
    numbered = f"{name}-{kind}-{skills}-{damage}-{len(soldiers)}-{[(w.name, w.count) for w in weapons]}"
    return DustCard(
        id=re.sub(r"[^a-z0-9]+", "-", numbered.lower()),
        name=name,
        bloc="Allies",
        kind=kind,  # type: ignore[arg-type]
        armour_type=armour,  # type: ignore[arg-type]
        armour=2,
        move=2,
        march=4,
        damage=damage,
        points=10,
        locomotion="infantry" if armour == "S" else "walker",
        skills=_refs(skills),
        weapons=weapons,
        soldiers=soldiers,
    )
