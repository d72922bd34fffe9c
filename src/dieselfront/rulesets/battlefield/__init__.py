"""Dust Tactics Battlefield: Dust on the open table without squares and without leaders.

Every miniature measures, sees and is covered for itself; heroes join and leave by activation. Turn, dice, saves, tokens
and most skills are those of Dust 1947 under this game's ids (cites.yaml); the open table is shared (dust_open).
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dieselfront.rulesets.battlefield.ruleset import RULESET, Battlefield

__all__ = ["RULESET", "Battlefield"]


def __getattr__(name: str) -> Any:
    """The game itself is loaded when somebody plays it; its cards are read without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from dieselfront.rulesets.battlefield import ruleset

    return getattr(ruleset, name)
