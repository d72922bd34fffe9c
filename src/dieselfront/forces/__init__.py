"""Forces: unit cards, catalogues, army lists, and what comes from or goes to other army builders."""

from __future__ import annotations

from typing import Any

from dieselfront.forces.catalogue import Card, Catalogue, catalogue
from dieselfront.forces.dust import ARMOUR_CLASSES, Cell, DustCard, DustOption, DustWeapon, Soldier
from dieselfront.forces.dust_units import dust_catalogue
from dieselfront.forces.errors import CardError, ForcesError, UnknownCard
from dieselfront.forces.family import CardFamily
from dieselfront.forces.schemas import schema
from dieselfront.forces.skills import SkillRef

__all__ = [
    "ARMOUR_CLASSES",
    "Card",
    "CardError",
    "CardFamily",
    "Catalogue",
    "Cell",
    "DustCard",
    "DustOption",
    "DustWeapon",
    "ForcesError",
    "SkillRef",
    "Soldier",
    "UnknownCard",
    "catalogue",
    "dust_catalogue",
    "schema",
]


def __getattr__(name: str) -> Any:
    """Names of a game's own cards that were once offered here."""
    import importlib

    if name.lower().startswith("konflikt"):
        for module in ("cards", "units"):
            home = importlib.import_module(f"dieselfront.rulesets.konflikt47.army.{module}")
            if hasattr(home, name):
                return getattr(home, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
