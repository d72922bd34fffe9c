"""What a unit is meant to do with an order die."""

from __future__ import annotations

from typing import Any


class Intent:
    """What a unit is meant to do: an order, where it goes (or enters), and whom it shoots at or assaults."""

    __slots__ = ("enter", "numbers", "order", "path", "target", "unit", "urgent", "value")

    def __init__(
        self, unit: str, order: str, value: float, path: Any = None, target: str = "", enter: Any = None
    ) -> None:
        self.unit = unit
        self.order = order
        self.value = value
        self.path = path
        self.target = target
        self.enter = enter
        self.urgent = 0.0
        self.numbers = ""


__all__ = ["Intent"]
