"""The charts of the quick reference: weapons, HE, damage values, movement, terrain (k47.weapon.*, k47.he.table,
k47.damage.values*, k47.move.rates, k47.terrain.table). Distances are inches. Where the reference points to pages of the
book that are not at hand, these charts are all there is (k47.open.book_pages).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from dieselfront.rulesets.konflikt47.hooks import Effects, LastingMark, ask

QUALITIES = ("inexperienced", "regular", "veteran")
MORALE = {"inexperienced": 8, "regular": 9, "veteran": 10}  # k47.morale.quality
RANK_BONUS = {  # k47.morale.officers
    "second lieutenant": 1,
    "first lieutenant": 2,
    "captain": 3,
    "major": 4,
}
RANK_RANGE = {  # k47.morale.officer_range, k47.officer.snap
    "second lieutenant": 6,
    "first lieutenant": 6,
    "captain": 12,
    "major": 12,
}
TROOP_VALUE = {"inexperienced": 3, "regular": 4, "veteran": 5}  # k47.damage.values

VEHICLE_VALUE = {  # k47.damage.values, k47.damage.values_armour
    "soft-skin": 6,
    "scout walker": 6,
    "armoured car": 7,
    "carrier": 7,
    "light walker": 7,
    "light tank": 8,
    "medium walker": 8,
    "medium tank": 9,
    "heavy walker": 9,
    "heavy tank": 10,
    "super-heavy walker": 10,
    "super-heavy tank": 11,
}
SOFT_CLASSES = ("soft-skin", "scout walker")  # k47.open.scout_walker: scout walkers are damaged like soft-skins

WALKER_PEN = {  # k47.cqw.attacks
    "scout walker": 2,
    "light walker": 3,
    "medium walker": 4,
    "heavy walker": 5,
    "super-heavy walker": 6,
}

HULLS = {  # width and length in whole millimetres: ours, the rules give none
    "soft-skin": (42, 90),
    "armoured car": (42, 84),
    "carrier": (42, 88),
    "light tank": (46, 88),
    "medium tank": (54, 106),
    "heavy tank": (64, 124),
    "super-heavy tank": (70, 140),
    "scout walker": (40, 40),
    "light walker": (50, 50),
    "medium walker": (60, 60),
    "heavy walker": (80, 80),
    "super-heavy walker": (100, 100),
}


class HeRow(NamedTuple):
    """One row of the HE table: dice for pins, and the penetration fixed by the HE value."""

    pins: str
    pen: int


HE_TABLE = {  # k47.he.table
    "D2": HeRow("1", 1),
    "D3": HeRow("1", 1),
    "D6": HeRow("D2", 2),
    "2D6": HeRow("D3", 3),
    "3D6": HeRow("D6", 4),
}


class Rates(NamedTuple):
    """How far a unit moves, in inches, and how often a vehicle may turn by up to 90 degrees; -1 = as it likes."""

    advance: int
    run: int
    advance_turns: int = -1
    run_turns: int = -1


RATES = {  # k47.move.rates
    "infantry": Rates(6, 12),  # k47.move.infantry
    "tracked": Rates(9, 18, 1, 0),  # k47.move.tracked
    "half-tracked": Rates(9, 18, 2, 1),  # k47.move.halftracked
    "wheeled": Rates(12, 24, 2, 1),  # k47.move.wheeled
    "walker": Rates(12, 18, 2, 1),  # k47.move.walker
}

GUN_ADVANCE = {"light": 6, "medium": 3, "heavy": 0, "super-heavy": 0}  # k47.move.artillery

OK, NO_RUN, NO, NO_DUG_IN, DOUBLE = "OK", "No Run", "No", "No*", "x2"
TERRAIN_TABLE: dict[str, dict[str, str]] = {  # k47.terrain.table; half-tracks: k47.open.halftrack_terrain
    "open": dict.fromkeys(("infantry", "artillery", "wheeled", "half-tracked", "tracked", "walker"), OK),
    "rough": {
        "infantry": NO_RUN,
        "artillery": NO_DUG_IN,
        "wheeled": NO,
        "half-tracked": NO_RUN,
        "tracked": NO_RUN,
        "walker": NO_RUN,
    },
    "obstacle": {
        "infantry": NO_RUN,
        "artillery": NO,
        "wheeled": NO,
        "half-tracked": OK,
        "tracked": OK,
        "walker": OK,
    },
    "building": {
        "infantry": OK,
        "artillery": NO_DUG_IN,
        "wheeled": NO,
        "half-tracked": NO,
        "tracked": NO,
        "walker": NO,
    },
    "road": {
        "infantry": OK,
        "artillery": OK,
        "wheeled": DOUBLE,
        "half-tracked": DOUBLE,
        "tracked": DOUBLE,
        "walker": DOUBLE,
    },
    "impassable": dict.fromkeys(("infantry", "artillery", "wheeled", "half-tracked", "tracked", "walker"), NO),
    "water": dict.fromkeys(("infantry", "artillery", "wheeled", "half-tracked", "tracked", "walker"), NO),
}


LARGE_BASES = ("Large Infantry", "Cavalry", "Motorbikes")
"""Rules of cards whose models stand on large bases: ours, the rules give none."""


class Weapon(msgspec.Struct, frozen=True, dict=True):
    """One firing mode of a weapon. `small_arm` is its class (k47.weapon.classes); `arc` is where its mount points."""

    name: str
    range: int = 0
    shots: str = "1"
    pen: int = 0
    small_arm: bool = False
    min_range: int = 0
    indirect_min: int = 0
    he: str = ""
    he_only: bool = False
    pen_vehicle: int | None = None
    special: tuple[str, ...] = ()
    arc: str = "all"
    coaxial: bool = False
    rear_turret: bool = False
    at_gun: bool = False
    pack: str = ""
    chart: str = ""

    def has(self, rule: str) -> bool:
        """Does the weapon have this rule of the chart?"""
        return rule in self.special

    @property
    def shoots(self) -> bool:
        """Can it shoot at all? Swords and fists cannot."""
        return self.range > 0

    @property
    def fires_smoke(self) -> bool:
        """Mortars and howitzers may fire smoke (k47.wrule.smoke)."""
        return "Mortar" in self.chart or "Howitzer" in self.chart

    @cached_property
    def hooks(self) -> Effects:
        """What its special rules answer, indexed once."""
        from dieselfront.rulesets.konflikt47.weapon_effects import effects_of

        return effects_of(self.special)

    def ask(self, hook: str, value: Any, *context: Any) -> Any:
        """Let the weapon's special rules change a value."""
        return ask(self.hooks, hook, value, *context)

    @property
    def anti_tank(self) -> bool:
        """Counts as anti-tank weapon in an assault (k47.open.at_weapons)."""
        return bool(self.ask("on_anti_tank", False, self))

    # -- marks: what its special rules say of it (hooks.py tells what each means) ---------------

    points_ahead = LastingMark("on_points_ahead")
    is_used_up = LastingMark("on_used_up")
    keeps_pen = LastingMark("on_keeps_pen")
    strikes_top = LastingMark("on_strikes_top")
    burns = LastingMark("on_burns")
    passes_shields = LastingMark("on_passes_shields")
    carries_fuel = LastingMark("on_carries_fuel")
    slows = LastingMark("on_slows")
    is_wave = LastingMark("on_wave")
    spreads = LastingMark("on_spreads")
    rolls_shots = LastingMark("on_rolls_shots")
    strikes_as_one = LastingMark("on_strikes_as_one")
    is_linked = LastingMark("on_linked")
    is_stabilised = LastingMark("on_stabilised")
    is_crewed = LastingMark("on_crewed")
    gives_two_attacks = LastingMark("on_two_attacks")
    strikes_again = LastingMark("on_strikes_again")
    is_fist = LastingMark("on_fist")


def _small(name: str, inches: int, shots: int, *special: str, pack: str = "") -> Weapon:
    return Weapon(name, inches, str(shots), 0, True, special=special, pack=pack, chart=name)


def _heavy(
    name: str,
    inches: int,
    shots: str,
    pen: int | None,
    he: str = "",
    *special: str,
    least: int = 0,
    indirect: int = 0,
    vehicle: int | None = None,
    pack: str = "",
    at_gun: bool = False,
) -> Weapon:
    value = HE_TABLE[he].pen if pen is None else pen
    return Weapon(
        name, inches, shots, value, False, least, indirect, he, pen is None, vehicle, special,
        pack=pack, chart=name, at_gun=at_gun,
    )  # fmt: skip


_TF = ("Team", "Fixed")

SMALL_ARMS = (  # k47.weapon.small_arms
    _small("Rifle", 24, 1),
    _small("Pistol", 6, 1, "Assault"),
    _small("SMG", 12, 2, "Assault"),
    _small("Shotgun", 18, 1, "Assault"),
    _small("Automatic Rifle", 30, 2),
    _small("Assault Rifle", 24, 2, "Assault"),
    _small("LMG", 30, 3),
    _small("MMG", 36, 4, *_TF),
    _small("Dual Weapon Pack (Small Arm)", 6, 2, "Assault", pack="Dual Weapon Pack"),
)
HEAVY_WEAPONS = (  # k47.weapon.heavy
    _heavy("Dual Weapon Pack (Heavy Weapon)", 18, "1", 2, pack="Dual Weapon Pack"),
    _heavy("HMG", 36, "3", 1, "", *_TF),
    _heavy("Light Automatic Cannon", 48, "2", 2, "D2", *_TF),
    _heavy("Heavy Automatic Cannon", 72, "2", 3, "D2", *_TF),
    _heavy("Anti-tank Rifle", 36, "1", 2, "", "Team"),
    _heavy("PIAT", 12, "1", 5, "", "Team", "Shaped Charge"),
    _heavy("Bazooka", 24, "1", 5, "", "Team", "Shaped Charge"),
    _heavy("Super-Bazooka", 24, "1", 6, "", "Team", "Shaped Charge"),
    _heavy("Panzerschreck", 24, "1", 6, "", "Team", "Shaped Charge"),
    _heavy("Panzerfaust", 12, "1", 6, "", "One-shot", "Shaped Charge"),
    _heavy("Light AT Gun", 48, "1", 4, "D2", *_TF, at_gun=True),
    _heavy("Medium AT Gun", 60, "1", 5, "D2", *_TF, at_gun=True),
    _heavy("Heavy AT Gun", 72, "1", 6, "D3", *_TF, at_gun=True),
    _heavy("Super-Heavy AT Gun", 84, "1", 7, "D3", *_TF, at_gun=True),
    _heavy("Flamethrower (Infantry)", 6, "D6", 2, "", "Team", "Flamethrower"),
    _heavy("Light Flamethrower (Vehicle)", 12, "2D6-1", 2, "", "Flamethrower"),
    _heavy("Flamethrower (Vehicle)", 12, "2D6", 3, "", "Flamethrower"),
    _heavy("Rifle Grenade", 18, "1", None, "D2", "Indirect Fire", least=6),
    _heavy("Light Mortar", 24, "1", None, "D3", "Team", "Indirect Fire", least=12),
    _heavy("Medium Mortar", 60, "1", None, "D6", *_TF, "Indirect Fire", least=18),
    _heavy("Heavy Mortar", 72, "1", None, "2D6", *_TF, "Indirect Fire", least=18),
    _heavy("Light Howitzer", 48, "1", None, "D6", *_TF, "Howitzer", indirect=24),
    _heavy("Medium Howitzer", 60, "1", None, "2D6", *_TF, "Howitzer", indirect=24),
    _heavy("Heavy Howitzer", 72, "1", None, "3D6", *_TF, "Howitzer", indirect=24),
    _heavy("M17 Tesla Cannon", 36, "1", 1, "", *_TF, "Tesla", vehicle=7),
    _heavy("Zvukovoy Proyektor", 24, "1", 1, "", *_TF, "Shockwave"),
    _heavy("Schwerefeld Projektor", 48, "2", 4, "", *_TF, "Gravity Pulse"),
)
SUPPLEMENT_WEAPONS = (  # k47.weapon.data_supplement
    _small("Compression Rifle", 24, 3),
    _small("Heavy Tesla Rifle (Rapid Fire Mode)", 18, 3, "Assault", pack="Heavy Tesla Rifle"),
    _heavy("Heavy Tesla Rifle (Single Shot Mode)", 24, "1", 1, pack="Heavy Tesla Rifle"),
    _heavy("Light Compression Cannon", 36, "3", 3, "", *_TF, "Compression Wave"),
    _heavy("Compression Cannon", 48, "3", 4, "", *_TF, "Compression Wave"),
    _heavy("M21 Light Tesla Cannon", 30, "1", 1, "", *_TF, "Tesla", vehicle=4),
    _heavy("Light Schwerefeld Projektor", 36, "2", 3, "", *_TF, "Gravity Pulse"),
    _heavy("Meteor Launcher", 60, "D6", 4, "", *_TF, "Meteor Strike"),
    # Flak (k47.special.flak) fires at ground targets by its row: there are no aircraft (k47.open.aircraft)
    _heavy("Luftfaust", 24, "1", 2, "D2", "One-shot", "Flak"),
    _heavy("Grenade Launcher (Anti-Tank)", 24, "1", 3, "", "Team", "Shaped Charge", pack="Grenade Launcher"),
    _heavy("Grenade Launcher (HE)", 24, "1", None, "D2", "Team", "Indirect Fire", least=6, pack="Grenade Launcher"),
    _heavy("Light Rocket System", 48, "1", None, "D6", *_TF, "Rocket System"),
    _heavy("Multiple Launcher", 72, "1", None, "2D6", "Indirect Fire", "Multiple Launcher", least=18),
    _heavy("Light Rail Gun", 72, "1", 7, "", "Rail Gun", at_gun=True),
    _heavy("Heavy Rail Gun", 84, "1", 8, "", "Rail Gun", at_gun=True),
    _small("Breda LMG", 30, 3),
    _small("Vickers LMG", 30, 4),
    _heavy("Type 2 Dual Cannon", 48, "4", 2, "D2", *_TF),
    _heavy("Light Howitzer (D3 HE)", 48, "1", None, "D3", *_TF, "Howitzer", indirect=24),
)
BLADES = (  # close-quarters gear: no shooting profile
    Weapon("Fist", special=("Fist",), chart="Fist"),
    Weapon("Axe", chart="Axe"),
    Weapon("Knife", chart="Knife"),
    Weapon("Knives", chart="Knives"),
    Weapon("Sword", special=("Tough Fighters",), chart="Sword"),  # k47.weapon.equipment
    Weapon("Tesla Gauntlet", special=("Tesla Gauntlet",), chart="Tesla Gauntlet"),
)

LATER: dict[str, dict[str, Any]] = {  # k47.open.weapon_versions: what the supplement option changes
    "Assault Rifle": {"range": 18},
    "LMG": {"shots": "4"},
    "Breda LMG": {"shots": "4"},
    "Vickers LMG": {"shots": "5"},
    "MMG": {"shots": "5"},
    "Flamethrower (Vehicle)": {"shots": "D6+1"},
    "Compression Rifle": {"pen": -1},
}

CHART: dict[str, Weapon] = {
    weapon.name: weapon for weapon in (*SMALL_ARMS, *HEAVY_WEAPONS, *SUPPLEMENT_WEAPONS, *BLADES)
}
_BY_LOWER = {name.lower(): weapon for name, weapon in CHART.items()}
_ALIASES = {
    "submachine gun": "smg",
    "light machine gun": "lmg",
    "medium machine gun": "mmg",
    "heavy machine gun": "hmg",
    "anti-tank rifle": "anti-tank rifle",
    "flamethrower": "flamethrower (infantry)",
    "dual hmg": "dual hmg",
    "grenade launcher (at)": "grenade launcher (anti-tank)",
    "dual weapon pack": "dual weapon pack (small arm)",
    "heavy tesla rifle": "heavy tesla rifle (rapid fire mode)",
    "grenade launcher": "grenade launcher (anti-tank)",
}

MOUNTS: tuple[tuple[str, str], ...] = (  # how a mount is written on cards, and the arc it gives (k47.shoot.arcs)
    ("turret-mounted rear-facing ", "turret"),
    ("turret-mounted ", "turret"),
    ("turred-mounted ", "turret"),
    ("pintle-mounted turret-based ", "turret"),
    ("coaxial ", "turret"),
    ("360-degree platform-mounted ", "all"),
    ("360-degree pintle-mounted ", "all"),
    ("360-degree remote-operated ", "all"),
    ("pintle-mounted forward-facing ", "front"),
    ("pintle-mounted rear-facing ", "rear"),
    ("hull-mounted forward-facing ", "front"),
    ("hull-mounted rear-facing ", "rear"),
    ("linked hull-mounted forward-facing ", "front"),
    ("linked casement-mounted ", "front"),
    ("casement-mounted forward facing ", "front"),
    ("casement-mounted forward-facing ", "front"),
    ("hull-mounted forward facing ", "front"),
    ("hull-mounted left-arc ", "left"),
    ("hull-mounted right-arc ", "right"),
    ("hull-mounted rear-arc ", "rear"),
    ("pintle-mounted rear-arc ", "rear"),
    ("forward-facing ", "front"),
    ("rear-facing ", "rear"),
    ("arm-mounted ", "front"),
)


def chart_weapon(name: str, supplement: bool = False) -> Weapon | None:
    """The weapon of that name, mount and all; None if no chart knows it."""
    lower = " ".join(name.lower().split())
    for prefix, arc in MOUNTS:
        if lower.startswith(prefix):
            base = chart_weapon(lower.removeprefix(prefix), supplement)
            return None if base is None else _mounted(base, name, prefix, arc)
    if lower.startswith("dual ") and (single := chart_weapon(lower.removeprefix("dual "), supplement)) is not None:
        doubled = str(2 * int(single.shots)) if single.shots.isdigit() and not single.pack else single.shots
        return msgspec.structs.replace(single, name=name, shots=doubled)
    weapon = _BY_LOWER.get(_ALIASES.get(lower, lower))
    if weapon is not None and supplement and weapon.name in LATER:
        return msgspec.structs.replace(weapon, **LATER[weapon.name])
    return weapon


def _mounted(base: Weapon, name: str, prefix: str, arc: str) -> Weapon:
    """A weapon in a vehicle: Team and Fixed are ignored, the arc of the mount applies (k47.wrule.fixed_vehicle)."""
    special = tuple(rule for rule in base.special if rule not in ("Team", "Fixed"))
    if prefix.startswith("linked"):
        special += ("Linked Weapon",)
    return msgspec.structs.replace(
        base,
        name=name,
        special=special,
        arc=arc,
        coaxial=prefix == "coaxial ",
        rear_turret=prefix == "turret-mounted rear-facing ",
    )


def firing_modes(name: str, supplement: bool = False) -> tuple[Weapon, ...]:
    """All modes of a weapon that has several (k47.weapon.dual_pack), or just the weapon."""
    weapon = chart_weapon(name, supplement)
    if weapon is None:
        return ()
    if not weapon.pack:
        return (weapon,)
    modes = (chart_weapon(known.name, supplement) for known in CHART.values() if known.pack == weapon.pack)
    return tuple(mode for mode in modes if mode is not None)
