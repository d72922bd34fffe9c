"""Which special rules on cards are known; the others load, play without effect, and are flagged."""

from __future__ import annotations

import re
from functools import lru_cache

from dieselfront import rulebook
from dieselfront.forces.catalogue import Card, all_rules

CHAPTERS = {
    "dust1947": ("skill", "weapon", "hero", "command", "fort", "setup", "move", "terrain"),
    "konflikt47": ("special", "wrule", "vehicle", "weapon", "officer", "he", "cq", "cqw", "nation", "shoot"),
}
ALIASES = {
    "Infrared (IR) Vision": "IR vision",
    "Gyro-Stabilised": "gyro stabiliser",
    "Schuerzen Armoured Skirts": "armoured skirts",
    "Rally to the Colors!": "rally colours",
    "Turret Rear-Mounted Machine Gun": "rear turret MG",
    "Dual Weapon System": "dual weapon pack",
}
"""Rules that cards and rulebook call by different names."""

ALSO_PLAYED = (
    *("Ace Gunner", "Combat Medic", "Crazy Jimmy", "Head Shot", "Mechanic Crew", "Possessed", "Quick Recovery"),
    *("Radar", "Stealth"),
)
"""Rules of Dust cards that are played though the rulebook has no entry under their name."""

_WORD = re.compile(r"[a-z0-9]+")


@lru_cache(maxsize=8)
def told_words(ruleset: str) -> tuple[tuple[str, ...], ...]:
    """Titles, ids, texts and tables of the chapters that tell special rules, as words."""
    book = "konflikt47" if ruleset == "konflikt47" else "dust1947"
    rows: list[str] = []
    for rule in rulebook.load(book).rules:
        chapter = rule.id.split(".")[1]
        if chapter in CHAPTERS[book]:
            rows += [rule.title, rule.id.rpartition(".")[2].replace("_", " "), rule.text]
            rows += table_words(rule.table)
    return tuple(dict.fromkeys(words(row) for row in rows))


def table_words(table: object) -> list[str]:
    """The names of rules that a rule's table lists."""
    rows = table if isinstance(table, list | tuple) else []
    found: list[str] = []
    for row in rows:
        if isinstance(row, dict):
            found += [
                text for key in ("rule", "weapon", "gear", "item") for text in [row.get(key)] if isinstance(text, str)
            ]
            found += [text for text in row.get("special", ()) if isinstance(text, str)]
    return [part for text in found for part in text.split(",")]


def words(text: str) -> tuple[str, ...]:
    """Lower-case words without their plural s, so that Snipers is Sniper."""
    return tuple(word.rstrip("s") if len(word) > 3 else word for word in _WORD.findall(text.lower()))


@lru_cache(maxsize=2048)
def is_told(ruleset: str, name: str) -> bool:
    """Whether the rulebook has a rule of this name or about it, or the game plays it all the same."""
    if ruleset != "konflikt47" and name in ALSO_PLAYED:
        return True
    wanted = words(ALIASES.get(name, name))
    if not wanted:
        return False
    return any(contains(row, wanted) for row in told_words(ruleset))


def contains(row: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    size = len(wanted)
    return any(row[at : at + size] == wanted for at in range(len(row) - size + 1))


def untold_rules(card: Card) -> tuple[str, ...]:
    """The names of a card's special rules that nobody knows, in the order of the card."""
    names = dict.fromkeys(ref.name for ref in all_rules(card))
    return tuple(name for name in names if not is_told(card.ruleset, name))
