"""Hazards on the way: wire, mines, burning wrecks (d47.wire.*, d47.mines.*, d47.critical.fire_wreck_entry)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.table.square import Reach


class Hazards:
    """What a path meets."""

    def cross(self, activation: Activation, reach: Reach, end: Any) -> Generator[Any, Any, bool]:
        """Resolve hazards on the path; True if the unit was stopped and stands where it was stopped."""
        return False
        yield
