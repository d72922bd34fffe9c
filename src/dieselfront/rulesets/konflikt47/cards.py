"""Unit cards as the rules read them: who is in the unit, what each carries, what the vehicle is (k47.core.unit_types).

A card is made once per unit of a force, from a plain description (see `read_card`), and shared by all copies of a game.
Catalogue cards and army lists are turned into that description by forces_in.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dieselfront.rulesets.konflikt47.charts import (
    HULLS,
    QUALITIES,
    RANK_BONUS,
    SOFT_CLASSES,
    VEHICLE_VALUE,
    Weapon,
    chart_weapon,
    firing_modes,
)


class BadCard(ValueError):
    """A card the rules cannot read; the message says which field and what was expected."""


class Man(msgspec.Struct, frozen=True):
    """One model: a soldier, a crewman, or the vehicle itself. `weapons` are indices into the card's weapons."""

    name: str
    weapons: tuple[int, ...] = ()
    roles: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    def is_a(self, role: str) -> bool:
        return role in self.roles


ROLES = (
    "nco",
    "officer",
    "medic",
    "gunner",
    "crew",
    "spotter",
    "bodyguard",
    "character",
    "unarmed",
    "observer",
    "handler",
)


class Vehicle(msgspec.Struct, frozen=True):
    """What a vehicle is: class, damage value, how it moves, what it carries and tows."""

    armour: str
    value: int
    mode: str
    capacity: int = 0
    tow: str = ""
    size: tuple[int, int] = (50, 100)

    @property
    def walker(self) -> bool:
        return self.mode == "walker"

    @property
    def soft(self) -> bool:
        return self.armour in SOFT_CLASSES

    @property
    def heavy(self) -> bool:
        return self.armour.startswith(("heavy", "super-heavy"))


class UnitCard(msgspec.Struct, frozen=True, dict=True):
    """A unit as it takes the field."""

    id: str
    name: str
    kind: str
    quality: str
    nation: str = ""
    men: tuple[Man, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    rules: tuple[str, ...] = ()
    vehicle: Vehicle | None = None
    gun: str = ""
    gun_shield: bool = False
    squad: bool = False
    rank: str = ""
    points: int = 0
    lent: bool = False
    choice: str = ""
    platoon: int = 0

    @property
    def is_infantry(self) -> bool:
        return self.kind == "infantry"

    @property
    def is_artillery(self) -> bool:
        return self.kind == "artillery"

    @property
    def is_vehicle(self) -> bool:
        return self.kind == "vehicle"

    @property
    def team(self) -> bool:
        """A weapon team: its crew serve one weapon (k47.wrule.team_crew)."""
        known = _TEAMS.get(id(self))
        if known is None:
            if len(_TEAMS) > 1_000:
                _TEAMS.clear()
            known = _TEAMS[id(self)] = (any(man.is_a("gunner") for man in self.men), self)
        return known[0]


_TEAMS: dict[int, tuple[bool, Any]] = {}
"""Which cards are weapon teams, asked for every model that may shoot; each entry keeps its card alive."""

RENAMED = {  # spellings found on cards, and the name the rules use
    "snipers": "Sniper",
    "infrared (ir) vision": "Infrared Vision",
    "assault (vehicle)": "Assault",
    "tough (vehicle)": "Tough Vehicle",
    "slow (vehicle)": "Slow Vehicle",
    "1-man turret": "One Man Turret",
    "one-man turret": "One Man Turret",
    "turn on the spot": "Turn on the Spot",
    "undead": "Animated Corpse",
    "linked weapon": "Linked Weapons",
    "schuerzen armoured skirts": "Armoured Skirts",
    "schurzen armour skirts": "Armoured Skirts",
    "tough fighter": "Tough Fighters",
    "one-shot": "One-shot",
    "reinforced front armor": "Reinforced Front Armour",
    "show your loyalty!": "Show Your Loyalty",
    "dozer blade": "Tough Front Armour",
    "open topped": "Open-Topped",
    "tank hunters (paragon)": "Tank Hunters (Paragon)",
    "team": "Team Weapon",
}


def rule_name(text: str) -> str:
    """The rule's name as the code spells it."""
    return RENAMED.get(text.strip().lower(), text.strip())


GUN_HE = {"75mm HE": "D6", "20pdr HE": "D6", "122mm HE": "2D6", "HE": "2D6", "Small HE": "D3"}


def vary(weapon: Weapon, rules: Sequence[str]) -> Weapon:
    """A gun as changed by the rules of its card (k47.vehicle.gun_variants)."""
    change: dict[str, Any] = {}
    for rule in rules:
        if rule in GUN_HE and weapon.he and weapon.at_gun:
            change["he"] = GUN_HE[rule]
        elif rule == "No HE" and weapon.at_gun:
            change["he"] = ""
        elif rule == "Low-Velocity Light AT Gun" and weapon.chart == "Light AT Gun":
            change["pen"] = 3
        elif rule == "Short Barrel" and weapon.chart == "Heavy Automatic Cannon":
            change["range"] = 48
        elif rule == "Squeeze-Bore" and weapon.at_gun:
            change["special"] = (*weapon.special, "Squeeze-bore")
        elif rule == "Superior Range" and weapon.at_gun:
            change["special"] = (*weapon.special, "Superior Range")
        elif rule == "Short Range Howitzer" and weapon.has("Howitzer"):
            change["special"] = (*weapon.special, "Short Range")
        elif rule == "Bruin Howitzer" and weapon.has("Howitzer"):
            change["special"] = tuple(name for name in weapon.special if name != "Howitzer")
            change["arc"] = "front left right"
        elif rule == "Forward Flak Battery" and weapon.has("Flak"):
            change["arc"] = "front"
        elif rule == "Restricted Arc":
            change["arc"] = "left right rear"
        elif rule in ("Gyro-Stabilised", "Gyro-Stabilisers"):
            change["special"] = (*weapon.special, "Gyro-Stabilised")
    return msgspec.structs.replace(weapon, **change) if change else weapon


def versatile(weapon: Weapon, rules: Sequence[str]) -> tuple[Weapon, ...]:
    """Versatile and AT Rounds: the gun may also fire as light howitzer, or the howitzer as AT gun."""
    if not any(rule in rules for rule in ("Versatile", "AT Rounds")):
        return (weapon,)
    twin = "Light Howitzer" if weapon.at_gun else "Light AT Gun" if weapon.has("Howitzer") else ""
    other = chart_weapon(twin) if twin else None
    if other is None:
        return (weapon,)
    pack = f"{weapon.name} (versatile)"
    return (
        msgspec.structs.replace(weapon, pack=pack),
        msgspec.structs.replace(other, name=f"{weapon.name} as {twin}", pack=pack, arc=weapon.arc),
    )


_ARMOUR = {
    "armored car": "armoured car",
    "armoured carrier": "carrier",
    "armored carrier": "carrier",
    "soft-skin carrier": "soft-skin",
    "soft-skinned vehicle": "soft-skin",
    "soft-skinned": "soft-skin",
    "soft skin": "soft-skin",
    "soft skinned": "soft-skin",
}


def armour_class(text: str) -> str:
    """The armour class as the charts name it."""
    lower = text.strip().lower()
    return _ARMOUR.get(lower, lower)


def _weapons(entry: str | Mapping[str, Any], supplement: bool) -> tuple[Weapon, ...]:
    """A weapon named on a card, or described in full; several modes become several weapons of one pack."""
    if isinstance(entry, str):
        modes = firing_modes(entry, supplement)
        if not modes:
            raise BadCard(f"no chart has a weapon called {entry!r}.")
        return modes
    return _described_weapon(dict(entry), supplement)


def _described_weapon(entry: dict[str, Any], supplement: bool) -> tuple[Weapon, ...]:
    name = str(entry.pop("name", ""))
    rules = [rule_name(rule) for rule in entry.pop("rules", ())]
    base = firing_modes(name, supplement)
    if not base and "range" in entry:
        base = (Weapon(name, chart=name),)
    if not base:
        raise BadCard(f"no chart has a weapon called {name!r}; give its range, shots and pen.")
    known = {field for field in Weapon.__struct_fields__ if field != "name"}
    if strangers := entry.keys() - known:
        raise BadCard(f"weapon {name!r} has unknown fields {', '.join(sorted(strangers))}.")
    if "special" in entry:
        entry["special"] = tuple(map(str, entry["special"]))
    if "shots" in entry:
        entry["shots"] = str(entry["shots"])
    extra = tuple(rule for rule in rules if rule in ("Linked Weapons", "Flak", "Gyro-Stabilised"))
    made = []
    for weapon in base:
        changed = msgspec.structs.replace(weapon, **entry) if entry else weapon
        if extra:
            changed = msgspec.structs.replace(changed, special=(*changed.special, *extra))
        made.append(vary(changed, rules))
    return tuple(made)


MOST_MEN = 100
MOST_WEAPONS = 120
LARGEST = 5000
_LONG_NUMBER = re.compile(r"\d{4}")
DICE_FIELDS = ("shots", "he")


def check_bounds(value: Any, field: str = "") -> None:
    """The bounds of card files hold for every card, in a record's header too: small numbers, few entries."""
    if isinstance(value, Mapping):
        if len(value) > MOST_WEAPONS:
            raise BadCard(f"{field or 'the card'} has {len(value)} entries; at most {MOST_WEAPONS} are allowed.")
        for name, inner in value.items():
            check_bounds(inner, str(name))
    elif isinstance(value, (list, tuple)):
        if len(value) > MOST_WEAPONS:
            raise BadCard(f"{field} has {len(value)} entries; at most {MOST_WEAPONS} are allowed.")
        for inner in value:
            check_bounds(inner, field)
    elif isinstance(value, str):
        if len(value) > 400 or field in DICE_FIELDS and _LONG_NUMBER.search(value):
            raise BadCard(f"{field} is {value[:40]!r}; expected a short text with numbers of at most three digits.")
    elif isinstance(value, (int, float)) and not -LARGEST <= value <= LARGEST:
        raise BadCard(f"{field} is {value}; expected a number between -{LARGEST} and {LARGEST}.")


def read_card(data: Mapping[str, Any], supplement: bool = False) -> UnitCard:
    """A card from its plain description; anything wrong is a BadCard that names the field."""
    rest = dict(data)
    name = str(rest.pop("name", rest.get("id", "unit")))
    try:
        check_bounds(rest)
        return _read_card(name, rest, supplement)
    except BadCard as error:
        raise BadCard(f"card {name!r}: {error}") from None
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise BadCard(f"card {name!r} cannot be read: {error}") from None


def _read_card(name: str, rest: dict[str, Any], supplement: bool) -> UnitCard:
    kind = rest.pop("kind", "infantry")
    if kind not in ("infantry", "artillery", "vehicle"):
        raise BadCard(f"kind is {kind!r}; expected infantry, artillery or vehicle.")
    quality = rest.pop("quality", "regular")
    if quality not in QUALITIES:
        raise BadCard(f"quality is {quality!r}; expected {', '.join(QUALITIES)}.")
    rank = str(rest.pop("rank", "")).lower()
    if rank and rank not in RANK_BONUS:
        raise BadCard(f"rank is {rank!r}; expected {', '.join(RANK_BONUS)}.")
    rules = tuple(rule_name(rule) for rule in rest.pop("rules", ()))
    vehicle = _vehicle(rest.pop("vehicle", None), kind)
    weapons: list[Weapon] = []
    men = _men(rest.pop("men", None) or [{}], weapons, rules, supplement, kind)
    gun = str(rest.pop("gun", ""))
    if kind == "artillery" and not gun:
        gun = "medium"
    card = UnitCard(
        id=str(rest.pop("id", name.lower().replace(" ", "-"))),
        name=name,
        kind=kind,
        quality=quality,
        nation=str(rest.pop("nation", "")),
        men=men,
        weapons=tuple(weapons),
        rules=rules,
        vehicle=vehicle,
        gun=gun,
        gun_shield="Gun Shield" in rules,
        squad=bool(rest.pop("squad", kind == "infantry" and len(men) >= 4)),
        rank=rank,
        points=int(rest.pop("points", 0)),
        lent=bool(rest.pop("lent", False)) or any(rule in rules for rule in ("Allied", "German")),
        choice=str(rest.pop("choice", "")),
        platoon=int(rest.pop("platoon", 0)),
    )
    if rest:
        raise BadCard(f"unknown fields {', '.join(sorted(rest))}.")
    return card


def _vehicle(data: Any, kind: str) -> Vehicle | None:
    if kind != "vehicle":
        if data:
            raise BadCard("only a card of kind vehicle has a vehicle.")
        return None
    entry = dict(data or {})
    armour = armour_class(str(entry.get("class", "medium tank")))
    if armour not in VEHICLE_VALUE:
        raise BadCard(f"vehicle class is {armour!r}; expected {', '.join(VEHICLE_VALUE)}.")
    mode = str(entry.get("mode", "walker" if "walker" in armour else "tracked"))
    return Vehicle(
        armour=armour,
        value=int(entry.get("value", VEHICLE_VALUE[armour])),
        mode=mode,
        capacity=int(entry.get("capacity", 0)),
        tow=str(entry.get("tow", "")),
        size=tuple(entry.get("size", HULLS[armour])),
    )


def _men(
    entries: Sequence[Any], weapons: list[Weapon], rules: Sequence[str], supplement: bool, kind: str
) -> tuple[Man, ...]:
    """Models in order; equal weapons of different men share one entry of the card's weapons."""
    men: list[Man] = []
    for entry in entries:
        fields = dict(entry)
        carried: list[int] = []
        for named in fields.get("weapons", ()):
            for mode in _weapons(named, supplement):
                for variant in versatile(vary(mode, rules), rules):
                    carried.append(_index(weapons, variant, kind))
        man = Man(
            name=str(fields.get("name", "vehicle" if kind == "vehicle" else "soldier")),
            weapons=tuple(carried),
            roles=tuple(role for role in ROLES if fields.get(role)) + tuple(fields.get("roles", ())),
            rules=tuple(rule_name(rule) for rule in fields.get("rules", ())),
        )
        count = int(fields.get("count", 1))
        if len(men) + count > MOST_MEN:
            raise BadCard(f"a unit has at most {MOST_MEN} models, not {len(men) + count}.")
        men.extend([man] * count)
    return tuple(men)


def _index(weapons: list[Weapon], weapon: Weapon, kind: str) -> int:
    """Vehicles keep every gun apart; soldiers share entries."""
    if kind != "vehicle" and weapon in weapons:
        return weapons.index(weapon)
    weapons.append(weapon)
    return len(weapons) - 1
