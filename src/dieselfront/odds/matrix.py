"""Who should shoot at whom: every unit of one list against every unit of another, at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dieselfront.forces import DustCard
from dieselfront.odds import dust, exact
from dieselfront.odds.situation import OddsError, Situation


class Cell(NamedTuple):
    """One attack: losses to be expected, the chance to kill, and army points destroyed per army point spent."""

    expected: float
    destroyed: float
    worth: float
    plain: bool  # do dice and saves tell everything, or do skills change what becomes of hits

    def to_json(self) -> dict[str, Any]:
        """The cell as plain data."""
        return self._asdict()


class Row(NamedTuple):
    """A unit, or one weapon of it."""

    card: DustCard
    weapon: str = ""

    @property
    def name(self) -> str:
        return f"{self.card.name}: {self.weapon}" if self.weapon else self.card.name


class Matrix(NamedTuple):
    """The whole table; a cell is None where the unit cannot attack the target at all."""

    rows: list[Row]
    columns: list[DustCard]
    cells: list[list[Cell | None]]

    def to_json(self) -> dict[str, Any]:
        """The matrix as plain data."""
        return {
            "rows": [{"id": row.card.id, "name": row.name, "weapon": row.weapon} for row in self.rows],
            "columns": [{"id": card.id, "name": card.name, "points": card.points} for card in self.columns],
            "cells": [[cell.to_json() if cell is not None else None for cell in row] for row in self.cells],
        }


def matrix(
    rules: Any,
    mine: Sequence[DustCard],
    theirs: Sequence[DustCard],
    situation: Situation | None = None,
    *,
    by_weapon: bool = False,
) -> Matrix:
    """Every attack of the table, each as far away as most weapons of the attacker reach unless a range is given."""
    situation = situation or Situation()
    rows = [row for card in mine for row in (weapon_rows(card) if by_weapon else [Row(card)])]
    return Matrix(rows, list(theirs), [[cell(rules, row, target, situation) for target in theirs] for row in rows])


def weapon_rows(card: DustCard) -> list[Row]:
    """One row for every weapon line of a card."""
    return [Row(card, name) for name in dict.fromkeys(weapon.name for weapon in card.weapons)]


def cell(rules: Any, row: Row, target: DustCard, situation: Situation) -> Cell | None:
    """One attack, from the plans alone."""
    if row.weapon:
        situation = situation.but(weapons=(row.weapon,))
    try:
        pools = dust.plans(rules, row.card, target, situation)
    except OddsError:
        return None
    if not pools:
        return None
    losses = exact.losses_of([pool.plan for pool in pools])
    expected = sum(number * chance for number, chance in enumerate(losses))
    share = expected / (len(losses) - 1)
    worth = share * target.points / row.card.points if row.card.points else 0.0
    return Cell(expected, losses[-1], worth, all(dust.tells_all(pool) for pool in pools))
