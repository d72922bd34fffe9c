"""Special rules printed on weapon lines (dw.weapon.*): each one a small class in a module of this folder.

A module is found by itself; every class with a name of its own that derives from `WeaponRule` counts.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil

from dieselfront.rulesets.warfare.hooks import WeaponRule


def all_weapon_rules() -> list[type[WeaponRule]]:
    """Every class of this folder, module by module in alphabetical order, in the order they are written."""
    kinds: list[type[WeaponRule]] = []
    for module in sorted(one.name for one in pkgutil.iter_modules(__path__)):
        loaded = importlib.import_module(f"{__name__}.{module}")
        own = [kind for kind in vars(loaded).values() if inspect.isclass(kind) and kind.__module__ == loaded.__name__]
        kinds += [kind for kind in own if issubclass(kind, WeaponRule) and kind.name]
    return kinds
