"""Refusals: a wish that is not granted, with its status and one sentence."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

asker: ContextVar[str] = ContextVar("asker", default="")
"""The address whose request is being answered, as the guard counts it."""


LONGEST = 800
"""Letters of a reason; what a wish said is not repeated at length."""


class Refused(Exception):
    """A wish that is not granted, with the reason in one sentence and the status that goes with it."""

    def __init__(
        self, status: int, reason: str, rule: str | None = None, faults: list[dict[str, Any]] | None = None
    ) -> None:
        reason = reason if len(reason) <= LONGEST else f"{reason[: LONGEST - 3]}..."
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.rule = rule
        self.faults = faults

    def __reduce__(self) -> tuple[Any, ...]:
        return Refused, (self.status, self.reason, self.rule, self.faults)


__all__ = ["Refused", "asker"]
