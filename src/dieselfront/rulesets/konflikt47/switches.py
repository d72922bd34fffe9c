"""Switches: every effect that the mutation run can leave out, with its rule (special rules, weapon rules, terrain)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.kernel import hooks
from dieselfront.rulesets.konflikt47 import charts, ground
from dieselfront.rulesets.konflikt47.hooks import Special
from dieselfront.rulesets.konflikt47.nations import CHARACTERISTICS, NATIONS
from dieselfront.rulesets.konflikt47.specials import SPECIALS
from dieselfront.rulesets.konflikt47.vehicle_rules import VEHICLE_RULES
from dieselfront.table.measured.terrain import Cover, Sight

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

Switch = tuple[str, str, Callable[[], None]]

WEAPON_RULES = {  # what a name in the special column of the weapons chart stands for
    "Team": "k47.wrule.team_one_man",
    "Fixed": "k47.wrule.fixed_arc",
    "Assault": "k47.wrule.assault_cq",
    "One-shot": "k47.wrule.one_shot",
    "Shaped Charge": "k47.wrule.shaped_hit",
    "Flamethrower": "k47.wrule.flame_hit",
    "Indirect Fire": "k47.wrule.indirect_hit",
    "Howitzer": "k47.wrule.howitzer",
    "Tesla": "k47.wrule.tesla_arc",
    "Shockwave": "k47.wrule.shockwave_line",
    "Gravity Pulse": "k47.wrule.gravity_pen",
    "Compression Wave": "k47.special.compression",
    "Meteor Strike": "k47.special.meteor",
    "Multiple Launcher": "k47.special.multiple_launcher",
    "Rail Gun": "k47.special.rail_gun",
}


def switches(rules: Konflikt47) -> Iterator[Switch]:
    """Every effect with its rule and the way to leave it out."""
    yield from _specials(rules)
    yield from _weapons()
    yield from _going()
    yield from _cover()


def _specials(rules: Konflikt47) -> Iterator[Switch]:
    """Each answer of each special rule, once."""
    seen: set[tuple[int, str]] = set()
    groups: list[tuple[str, Iterable[Special]]] = [(name, [special]) for name, special in SPECIALS.items()]
    groups += [(name, [special]) for name, special in VEHICLE_RULES.items()]
    groups += list(NATIONS.items())
    groups += [(name, [special]) for name, special in CHARACTERISTICS.items()]
    for name, specials in groups:
        for special in specials:
            for hook in hooks.answered(type(special)):
                key = (id(special), hook)
                if key not in seen:
                    seen.add(key)
                    yield special.rule, f"{name}, {hook}", lambda key=key: _leave_out(rules, key)  # type: ignore[misc]


def _leave_out(rules: Konflikt47, key: tuple[int, str]) -> None:
    hooks.oversight.off.add(key)
    rules.forget()


def _weapons() -> Iterator[Switch]:
    for name, rule in WEAPON_RULES.items():
        yield rule, f"weapons, {name}", lambda name=name: _strip(name)  # type: ignore[misc]


def _strip(rule: str) -> None:
    """Take a rule off every weapon of the charts."""
    for name, weapon in list(charts.CHART.items()):
        if weapon.has(rule):
            bare = msgspec.structs.replace(weapon, special=tuple(one for one in weapon.special if one != rule))
            charts.CHART[name] = bare
            charts._BY_LOWER[name.lower()] = bare


def _going() -> Iterator[Switch]:
    for terrain, row in charts.TERRAIN_TABLE.items():
        for mover, code in row.items():
            if terrain in ("rough", "obstacle", "building", "road") and code != charts.OK:
                what = f"terrain table, {terrain} for {mover}"
                yield "k47.terrain.table", what, lambda row=row, mover=mover: row.update({mover: charts.OK})  # type: ignore[misc]


def _cover() -> Iterator[Switch]:
    for name, rule in (("woods", "k47.shoot.cover_def"), ("wall", "k47.shoot.cover"), ("wreck", "k47.armour.wreck")):
        yield rule, f"{name}, cover", lambda name=name: _flatten(name, cover=Cover.NONE)  # type: ignore[misc]
    yield "k47.core.los_area", "woods, sight", lambda: _flatten("woods", sight=Sight.OPEN)
    yield "k47.core.los", "high wall, sight", lambda: _flatten("high-wall", sight=Sight.OPEN)
    yield "k47.wrule.smoke", "smoke, sight", lambda: _flatten("smoke", sight=Sight.OPEN)


def _flatten(name: str, **change: Any) -> None:
    ground.KINDS[name] = replace(ground.KINDS[name], **change)
