"""Checking army lists: the faults of a list, each with the rule it breaks and the unit it is about."""

from __future__ import annotations

from typing import Any

import msgspec

from dieselfront.forces.armies import Army
from dieselfront.forces.errors import ForcesError
from dieselfront.forces.families import family
from dieselfront.forces.findings import ArmyFault, Findings


class ArmyReport(msgspec.Struct, frozen=True):
    """What checking a list found. An unrestricted list is sound if its units exist; breaches are warnings."""

    ok: bool
    points: int
    limit: int
    bonus: int
    faction_force: bool
    errors: tuple[ArmyFault, ...]
    warnings: tuple[ArmyFault, ...]


def check_army(army: Army) -> ArmyReport:
    """Everything wrong with the list by the rules of its game."""
    report = Findings()
    units = known_units(army, report)
    impossible = len(report.errors)
    check_references(army, report)
    if not army.units:
        report.error("The list has no units.")
    check_version(army, report)
    family(army.ruleset).check(army, units, report)
    total = sum(one.points for one in units)
    if army.unrestricted:
        report.warnings = [*report.errors[impossible:], *report.warnings]
        report.errors = report.errors[:impossible]
    return ArmyReport(
        ok=not report.errors,
        points=total,
        limit=army.points,
        bonus=report.bonus,
        faction_force=report.faction_force,
        errors=tuple(report.errors),
        warnings=tuple(report.warnings),
    )


def known_units(army: Army, findings: Findings | None = None) -> tuple[Any, ...]:
    """The units whose card and options exist; the others are faults that no permission can mend."""
    cards = family(army.ruleset)
    units: list[Any] = []
    for place, (label, unit) in enumerate(zip(army.labels(), army.units, strict=True)):
        try:
            units.append(cards.muster_unit(army, place, label, unit))
        except ForcesError as error:
            if findings is not None:
                findings.error(str(error), unit=label)
    return tuple(units)


def check_references(army: Army, findings: Findings) -> None:
    """Labels are used once, and every unit or platoon that is named exists."""
    labels = army.labels()
    for label in dict.fromkeys(label for label in labels if labels.count(label) > 1):
        findings.error(f"Two units are called {label!r}; labels are used once.", unit=label)
    for label, unit in zip(labels, army.units, strict=True):
        for word, target in (("joins", unit.joins), ("pilots", unit.pilots), ("mounted_in", unit.mounted_in)):
            if target is not None and target not in labels:
                findings.error(f"{label} {word} {target!r}, which is not in the list.", unit=label)
            elif target == label:
                findings.error(f"{label} {word} itself.", unit=label)
        if unit.platoon is not None and unit.platoon not in army.platoons:
            findings.error(f"{label} belongs to platoon {unit.platoon!r}, which the list does not name.", unit=label)


def check_version(army: Army, findings: Findings) -> None:
    """Cards may have changed since the list was built."""
    cards = family(army.ruleset)
    if army.data != cards.data_version:
        findings.warn(
            f"The list was built with cards of edition {army.data}; these are of edition {cards.data_version}."
        )
    for fault in cards.catalogue.errors:
        findings.warn(f"Homebrew card left out: {fault}")
