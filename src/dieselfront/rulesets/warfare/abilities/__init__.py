"""Abilities printed on unit cards (dw.ability.*): each one a small class in a module of this folder.

A module is found by itself; every class with a name of its own that derives from `Ability` counts.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil

from dieselfront.rulesets.warfare.hooks import Ability


def all_abilities() -> list[type[Ability]]:
    """Every class of this folder, module by module in alphabetical order, in the order they are written."""
    kinds: list[type[Ability]] = []
    for module in sorted(one.name for one in pkgutil.iter_modules(__path__)):
        loaded = importlib.import_module(f"{__name__}.{module}")
        for kind in vars(loaded).values():
            if inspect.isclass(kind) and issubclass(kind, Ability) and kind.__module__ == loaded.__name__ and kind.name:
                kinds.append(kind)
    return kinds
