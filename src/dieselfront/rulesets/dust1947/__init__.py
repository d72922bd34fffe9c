"""Dust 1947 on squares: the rulebook, chapter by chapter.

A chapter is a class without fields. A variant inherits from this ruleset and names the chapters it replaces.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import RULESET, Dust1947

__all__ = ["RULESET", "Dust1947"]


def __getattr__(name: str) -> Any:
    """The game itself is loaded when somebody plays it; its cards are read without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from dieselfront.rulesets.dust1947 import ruleset

    return getattr(ruleset, name)
