"""Companions: modules in a game's folder that belong to a higher room, and how that room gets at them.

A companion is a plain module (or package) named after what it is for. The room that loads it says in a Protocol which
names the module must have and of which types, and makes one `Companion` of it; mypy then knows what a module gives,
and a module that lacks a name is refused with a sentence when it is loaded. A variant without the module uses its
relative's.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from dieselfront import rulesets

ModuleT = TypeVar("ModuleT")


class IncompleteCompanion(ValueError):
    """A companion module without what its room asks of it; the sentence says what is missing."""


class Companion(Generic[ModuleT]):
    """One kind of companion: the name of its module, and the Protocol it keeps (runtime checkable)."""

    def __init__(self, name: str, protocol: Any) -> None:
        self.name = name
        self.protocol = protocol

    def of(self, ruleset: str) -> ModuleT | None:
        """The companion of a game or of the nearest relative that has one; None where nobody wrote any."""
        module: Any = rulesets.companion(ruleset, self.name)
        if module is None:
            return None
        if not isinstance(module, self.protocol):
            raise IncompleteCompanion(
                f"{module.__name__} does not keep {self.protocol.__module__}.{self.protocol.__qualname__}; "
                f"it has to give {', '.join(self.names())}."
            )
        companion: ModuleT = module
        return companion

    def own(self, ruleset: str) -> ModuleT | None:
        """The companion in the game's own folder, for what a relative's does not fit."""
        module = self.of(ruleset)
        return module if module is not None and ruleset in str(getattr(module, "__name__", "")).split(".") else None

    def games(self) -> tuple[str, ...]:
        """The games that have one, their own or a relative's."""
        return tuple(name for name in rulesets.names() if rulesets.companion(name, self.name) is not None)

    def names(self) -> list[str]:
        """The names that the module must have."""
        declared = {
            name for kind in self.protocol.__mro__ for name in (*vars(kind), *getattr(kind, "__annotations__", ()))
        }
        return sorted(name for name in declared if not name.startswith("_"))


__all__ = ["Companion", "IncompleteCompanion"]
