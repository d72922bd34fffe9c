"""Switches: every effect that the mutation run can leave out, with its rule (special rules, weapon rules, terrain)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dieselfront.kernel import hooks
from dieselfront.kernel.hooks import Effect
from dieselfront.rulesets.konflikt47 import charts, ground
from dieselfront.rulesets.konflikt47.nations import CHARACTERISTICS, NATIONAL, NATIONS
from dieselfront.rulesets.konflikt47.specials import SPECIALS
from dieselfront.rulesets.konflikt47.vehicle_rules import VEHICLE_RULES
from dieselfront.rulesets.konflikt47.weapon_effects import WEAPON_RULES
from dieselfront.table.measured.terrain import Cover, Sight

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

Switch = tuple[str, str, Callable[[], None]]


def switches(rules: Konflikt47) -> Iterator[Switch]:
    """Every effect with its rule and the way to leave it out."""
    yield from _specials(rules)
    yield from _going()
    yield from _cover()


def _specials(rules: Konflikt47) -> Iterator[Switch]:
    """Each answer of each rule of units and weapons, once."""
    seen: set[tuple[int, str]] = set()
    printed = {**SPECIALS, **VEHICLE_RULES, **NATIONAL}
    groups: list[tuple[str, Iterable[Effect]]] = [(name, [special]) for name, special in printed.items()]
    groups += list(NATIONS.items())
    groups += [(name, [special]) for name, special in CHARACTERISTICS.items()]
    groups += [(f"weapons, {name}", effects) for name, effects in WEAPON_RULES.items()]
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
