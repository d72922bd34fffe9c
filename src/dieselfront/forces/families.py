"""Which card family each game has: found in the game's own folder, loaded when first asked for.

A folder under `rulesets/` with a module `card_family.py` has cards, whether or not its game can be played yet; the
module holds `FAMILY`. This room lies below the rulesets, so families are loaded by name and never imported.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from dieselfront.forces.errors import ForcesError, nearest
from dieselfront.rulebook.load import folders, member

if TYPE_CHECKING:
    from dieselfront.forces.family import CardFamily

MODULE = "card_family"


@cache
def names() -> tuple[str, ...]:
    """The games that have cards, in alphabetical order."""
    return tuple(sorted(name for name, folder in folders().items() if folder.joinpath(f"{MODULE}.py").is_file()))


@cache
def family(ruleset: str) -> CardFamily[Any, Any]:
    """The card family of a game; an unknown game is refused with the nearest."""
    if ruleset not in names():
        raise ForcesError(no_such(ruleset))
    member("dieselfront.rulesets", "names")()
    loaded: CardFamily[Any, Any] = member(f"dieselfront.rulesets.{ruleset}.{MODULE}", "FAMILY")
    return loaded


def no_such(ruleset: str) -> str:
    """The sentence for a game that nobody knows."""
    known = names()
    if ruleset in folders():
        return f"{ruleset} has no cards yet; {', '.join(known)} have."
    hint = nearest(ruleset, known)
    wanted = f"did you mean {' or '.join(hint)}?" if hint else f"expected one of {', '.join(known)}."
    return f"There is no ruleset {ruleset!r}; {wanted}"


def catalogued() -> list[CardFamily[Any, Any]]:
    """One family for each catalogue, the newest edition first; games that share their cards are named once."""
    homes = [family(name) for name in names() if family(name).home == name]
    return sorted(homes, key=lambda one: (-one.edition, one.ruleset))


def newest() -> str:
    """The game that is meant where nobody names one: that of the newest cards."""
    return catalogued()[0].ruleset


def sharing(ruleset: str) -> tuple[str, ...]:
    """The games that play with the same catalogue as this one."""
    home = family(ruleset).home
    return tuple(name for name in names() if family(name).home == home)


def forget() -> None:
    """Look for folders anew, and read all cards anew at the next use."""
    for name in names():
        family(name).forget()
    names.cache_clear()
    family.cache_clear()


__all__ = ["catalogued", "family", "forget", "names", "newest", "no_such", "sharing"]
