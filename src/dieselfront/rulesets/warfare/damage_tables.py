"""The damage tables as data: how many HITs lead to which effect (dw.damage.vehicle_table, dw.aircraft.damage_table).

The counts of the last rows are our reading of an unclear print (dw.open.damage_table_counts); they stand here alone.
"""

from __future__ import annotations

from typing import NamedTuple

from dieselfront.rulesets.warfare.state import Unit

BLINDED, FIRE, WEAPON, DRIVE, DETONATION, BREACH = (
    "blinded",
    "external fire",
    "weapon damaged",
    "drive damaged",
    "ammunition detonation",
    "hull breach",
)
FIRE_CONTROL, ENGINE, FORCED_LOW = "fire control", "engine damaged", "forced low"


class Row(NamedTuple):
    """From so many HITs on: the effect and its rule."""

    hits: int
    effect: str
    rule: str


VEHICLE: tuple[Row, ...] = (
    Row(0, "", "dw.damage.vehicle_table"),
    Row(1, BLINDED, "dw.damage.vehicle.blinded"),
    Row(2, FIRE, "dw.damage.vehicle.external_fire"),
    Row(3, WEAPON, "dw.damage.vehicle.weapon_damaged"),
    Row(4, DRIVE, "dw.damage.vehicle.drive_damaged"),
    Row(5, DETONATION, "dw.damage.vehicle.ammo_detonation"),
    Row(6, BREACH, "dw.damage.vehicle.hull_breach"),
)

AIRCRAFT: tuple[Row, ...] = (
    Row(0, "", "dw.aircraft.damage_table"),
    Row(1, FIRE_CONTROL, "dw.aircraft.damage.fire_control"),
    Row(2, ENGINE, "dw.aircraft.damage.engine"),
    Row(3, WEAPON, "dw.aircraft.damage.weapon"),
    Row(4, FORCED_LOW, "dw.aircraft.damage.forced_low"),
    Row(5, DETONATION, "dw.aircraft.damage.ammo_detonation"),
    Row(6, BREACH, "dw.aircraft.damage.hull_breach"),
)


def table_of(unit: Unit) -> tuple[Row, ...]:
    """The table that counts for a unit."""
    return AIRCRAFT if unit.is_aircraft else VEHICLE


def row_for(table: tuple[Row, ...], hits: int) -> Row:
    """The row that a number of HITs leads to; the last one holds for all beyond."""
    return next(row for row in reversed(table) if hits >= row.hits)


def rule_of(unit: Unit, effect: str) -> str:
    """The rule of an effect on this unit."""
    return next(row.rule for row in table_of(unit) if row.effect == effect)


__all__ = ["AIRCRAFT", "BLINDED", "BREACH", "DETONATION", "DRIVE", "ENGINE", "FIRE", "FIRE_CONTROL", "FORCED_LOW",
           "VEHICLE", "WEAPON", "Row", "row_for", "rule_of", "table_of"]  # fmt: skip
