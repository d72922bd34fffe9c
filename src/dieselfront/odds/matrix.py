"""Who should shoot at whom: every unit of one list against every unit of another, at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dieselfront.forces.catalogue import points_of
from dieselfront.odds.games import Cell, adapter

if TYPE_CHECKING:
    from dieselfront.kernel.ruleset import Ruleset


class Row(NamedTuple):
    """A unit, or one weapon of it."""

    card: Any
    weapon: str = ""

    @property
    def name(self) -> str:
        return f"{self.card.name}: {self.weapon}" if self.weapon else str(self.card.name)


class Matrix(NamedTuple):
    """The whole table; a cell is None where the unit cannot attack the target at all."""

    rows: list[Row]
    columns: list[Any]
    cells: list[list[Cell | None]]

    def points(self, column: int) -> int:
        """What the unit of a column costs."""
        return points_of(self.columns[column])

    def to_json(self) -> dict[str, Any]:
        """The matrix as plain data."""
        return {
            "rows": [{"id": row.card.id, "name": row.name, "weapon": row.weapon} for row in self.rows],
            "columns": [{"id": card.id, "name": card.name, "points": points_of(card)} for card in self.columns],
            "cells": [[cell.to_json() if cell is not None else None for cell in row] for row in self.cells],
        }


def matrix(
    rules: Ruleset[Any], mine: Sequence[Any], theirs: Sequence[Any], situation: Any = None, *, by_weapon: bool = False
) -> Matrix:
    """Every attack of the table, each as far away as most weapons of the attacker reach unless a range is given."""
    odds = adapter(rules.id)
    cell = odds.cells(rules, situation if situation is not None else odds.situation({}))
    rows = [Row(card, name) for card in mine for name in (odds.weapons(card) if by_weapon else [""])]
    return Matrix(rows, list(theirs), [[cell(row.card, row.weapon, target) for target in theirs] for row in rows])


__all__ = ["Cell", "Matrix", "Row", "matrix"]
