"""Names of special rules on cards: one spelling each, with what stands in brackets kept apart."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta

Text = Annotated[str, Meta(max_length=400)]

SPELLINGS = {
    "trail blazer": "Trailblazer",
    "super human": "Superhuman",
    "superhumans": "Superhuman",
    "sibling": "Siblings",
    "half tracked": "Half-Tracked",
    "get moving you": "Get Moving You...",
    "smoke launcher": "Smoke Launchers",
    "wire-guided": "Wire Guided",
    "one-shot": "One-shot",
    "gyro-stabilisers": "Gyro-Stabilised",
    "tough fighter": "Tough Fighters",
    "1-man turret": "One Man Turret",
    "sniper team": "Snipers",
}
"""Spellings met on cards (lower case) and the one name we use for the rule."""

NAMING = ("Pilot", "Siblings", "Expert")
"""Rules whose argument is a name and stands after a colon."""

_BRACKET = re.compile(r"^(?P<name>[^():]+?)\s*\((?P<argument>[^()]+)\)$")
_COLON = re.compile(r"^(?P<name>[^():]+?)\s*:\s*(?P<argument>.+)$")
_DASH = re.compile(r"^(?P<name>[^()]+?)\s+[-–]\s+(?P<argument>.+)$")


class SkillRef(msgspec.Struct, frozen=True, order=True):
    """A special rule printed on a card: its name and, for "Passengers (6)" or "Pilot: Koshka", its
    argument."""

    name: Text
    argument: Text | None = None

    def __str__(self) -> str:
        if self.argument is None:
            return self.name
        if self.name in NAMING:
            return f"{self.name}: {self.argument}"
        return f"{self.name} ({self.argument})"

    @property
    def number(self) -> int:
        """The argument as a number, 0 where the card prints none."""
        return int(self.argument) if self.argument is not None and self.argument.isdigit() else 0


@lru_cache(maxsize=4096)
def read_skill(text: str) -> SkillRef:
    """Read a skill as printed: "Passengers (6)", "Pilot: Koshka", "Expert - Flamethrower", "Scout"."""
    text = " ".join(text.split())
    for shape in (_BRACKET, _COLON, _DASH):
        match = shape.match(text)
        if match:
            return SkillRef(one_spelling(match["name"]), match["argument"])
    return SkillRef(one_spelling(text))


def one_spelling(name: str) -> str:
    """The one name we use for a rule, whatever the card's spelling."""
    return SPELLINGS.get(name.strip().lower().rstrip(". "), name.strip())


_PLAIN = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss", "é": "e", "è": "e", "á": "a", "å": "a", "ï": "i"})


@lru_cache(maxsize=4096)
def slug(name: str) -> str:
    """A name as an id: lower case, dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().translate(_PLAIN)).strip("-") or "unnamed"
