"""Konflikt '47, first edition: order dice from a cup, pins and morale, inches on a measured table.

Gaps of the quick reference are filled as k47.open.basis says; there are no aircraft (k47.open.aircraft).
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import RULESET, Konflikt47

__all__ = ["RULESET", "Konflikt47"]


def __getattr__(name: str) -> Any:
    """The game itself is loaded when somebody plays it; its cards are read without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from dieselfront.rulesets.konflikt47 import ruleset

    return getattr(ruleset, name)
