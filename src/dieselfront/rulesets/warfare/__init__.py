"""Dust Warfare (2012): command pools, one side after the other, reactions to everything, inches on a measured table.

Cards are converted and say so; gaps of the source are filled as the rulings of the checklist say.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import RULESET, Warfare

__all__ = ["RULESET", "Warfare"]


def __getattr__(name: str) -> Any:
    """The game itself is loaded when somebody plays it; its cards are read without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from dieselfront.rulesets.warfare import ruleset

    return getattr(ruleset, name)
