"""Switches: every effect that the mutation run can leave out, with its rule: abilities, weapons, terrain, tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dieselfront.kernel.hooks import answered, oversight
from dieselfront.rulesets.warfare import damage_tables, plans, terrain
from dieselfront.rulesets.warfare.terrain import DIFFICULT, IMPASSABLE, KINDS, OPEN
from dieselfront.table.measured.terrain import Cover

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

Switch = tuple[str, str, Callable[[], None]]

GOING_RULES = {
    ("soldier", DIFFICULT): "dw.terrain.difficult_soldiers",
    ("vehicle", DIFFICULT): "dw.terrain.difficult_vehicles",
    ("vehicle", IMPASSABLE): "dw.terrain.impassable_vehicles",
}
COVER_RULES = {Cover.SOFT: "dw.cover.soft_list", Cover.HARD: "dw.cover.hard_list"}


def switches(rules: Warfare) -> Iterator[Switch]:
    """Every effect with its rule and the way to leave it out."""
    yield from _effects(rules)
    yield from _terrain()
    yield from _cover_points()
    yield from _tables()


def _effects(rules: Warfare) -> Iterator[Switch]:
    """Each ability and weapon rule, once for each rule id."""
    seen: set[str] = set()
    for kinds in (rules.registry.abilities, rules.registry.weapon_rules):
        for name, classes in kinds.items():
            for kind in classes:
                if kind.rule not in seen and answered(kind):
                    seen.add(kind.rule)
                    yield kind.rule, name, lambda rule=kind.rule: _leave_out(rules, rule)  # type: ignore[misc]


def _leave_out(rules: Warfare, rule: str) -> None:
    oversight.off.add(rule)
    rules.forget()


def _terrain() -> Iterator[Switch]:
    """What a kind of terrain does to movers and to damage."""
    for id, kind in KINDS.items():
        for mover, going in kind.going.items():
            rule = GOING_RULES.get((mover, going))
            if rule is not None:
                yield rule, f"{id} for {mover}s", lambda id=id, mover=mover: _open(id, mover)  # type: ignore[misc]
        if kind.cover in COVER_RULES and id not in ("jungle", "high-wall", "building", "rocks"):
            yield COVER_RULES[kind.cover], f"cover of {id}", lambda id=id: _bare(id)  # type: ignore[misc]


def _open(id: str, mover: str) -> None:
    kind = terrain.KINDS[id]
    terrain.KINDS[id] = replace(kind, going={**kind.going, mover: OPEN})


def _bare(id: str) -> None:
    terrain.KINDS[id] = replace(terrain.KINDS[id], cover=Cover.NONE)


def _cover_points() -> Iterator[Switch]:
    yield "dw.cover.soft_value", "points of soft cover", lambda: plans.COVER_POINTS.update({Cover.SOFT: 0})
    yield "dw.cover.hard_value", "points of hard cover", lambda: plans.COVER_POINTS.update({Cover.HARD: 0})


def _tables() -> Iterator[Switch]:
    """Each row of the damage tables."""
    for name, rule in (("VEHICLE", "dw.damage.vehicle_table"), ("AIRCRAFT", "dw.aircraft.damage_table")):
        table: tuple[damage_tables.Row, ...] = getattr(damage_tables, name)
        for row in table[1:]:
            yield rule, f"{name.lower()} table, {row.effect}", lambda name=name, row=row: _drop(name, row)  # type: ignore[misc]


def _drop(name: str, row: damage_tables.Row) -> None:
    table: tuple[damage_tables.Row, ...] = getattr(damage_tables, name)
    setattr(damage_tables, name, tuple(one for one in table if one is not row))


__all__ = ["switches"]
