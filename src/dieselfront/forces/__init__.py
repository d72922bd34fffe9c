"""Forces: unit cards, catalogues, army lists, and what comes from or goes to other army builders."""

from __future__ import annotations

from dieselfront.forces.catalogue import Card, Catalogue, catalogue, dust_catalogue, konflikt_catalogue
from dieselfront.forces.dust import ARMOUR_CLASSES, Cell, DustCard, DustOption, DustWeapon, Soldier
from dieselfront.forces.errors import CardError, ForcesError, UnknownCard
from dieselfront.forces.konflikt import KonfliktCard, KonfliktOption, KonfliktVehicle, KonfliktWeapon
from dieselfront.forces.schemas import schema
from dieselfront.forces.skills import SkillRef

__all__ = [
    "ARMOUR_CLASSES",
    "Card",
    "CardError",
    "Catalogue",
    "Cell",
    "DustCard",
    "DustOption",
    "DustWeapon",
    "ForcesError",
    "KonfliktCard",
    "KonfliktOption",
    "KonfliktVehicle",
    "KonfliktWeapon",
    "SkillRef",
    "Soldier",
    "UnknownCard",
    "catalogue",
    "dust_catalogue",
    "konflikt_catalogue",
    "schema",
]
