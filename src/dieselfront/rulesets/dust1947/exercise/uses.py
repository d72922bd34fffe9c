"""What the exercise run has counted so far, as far as forces and the eager player look at it."""

from __future__ import annotations

from collections import Counter
from typing import Protocol


class Uses(Protocol):
    """How often everything was used, and how often it should be."""

    @property
    def times(self) -> int: ...
    @property
    def units(self) -> Counter[str]: ...
    @property
    def weapons(self) -> Counter[str]: ...
    @property
    def skills(self) -> Counter[str]: ...
    @property
    def specials(self) -> Counter[str]: ...
    @property
    def choices(self) -> Counter[str]: ...


__all__ = ["Uses"]
