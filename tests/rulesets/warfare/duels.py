"""Two units facing each other, for tests of abilities and weapon rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dieselfront.rulesets.warfare.state import Unit
from rulesets.warfare.field import BLUE, RED, Field, gap, squad

HEDGE = {"kind": "hedge", "line": [[30, 19], [48, 19]]}
WALL = {"kind": "wall", "line": [[30, 18], [48, 18]]}
HIGH_WALL = {"kind": "high-wall", "line": [[10, 18], [60, 18]]}


def duel(
    blue: Mapping[str, Any] | None = None, red: Mapping[str, Any] | None = None, inches: float = 10,
    *terrain: Mapping[str, Any], **options: Any,
) -> tuple[Field, Unit, Unit]:  # fmt: skip
    """Blue at (900, 600) looks north at red; terrain in inches, blue stands at (35.4, 23.6)."""
    field = Field(*terrain, **options)
    a = field.put(BLUE, blue or squad(5), 900, 600)
    b = field.put(RED, red or squad(5), 900, 600 - gap(inches), heading=180)
    return field, a, b


def kill(field: Field, unit: Unit, man: int) -> None:
    """Take a figure off, as a casualty would be."""
    unit.lose(man)
    field.rules.outfit.refresh(field.state, unit)
