"""Dust 1947 Freeform: all of Dust 1947 on the open table. Only what differs lives here (ff.scope.unchanged).

Squares become inches, a unit becomes models round its leader; cards, skills, orders and dice are the same
(ff.scope.dice, ff.cc.unchanged). So are saves, stunned tokens and what flames do to those they hit
(ff.save.infantry_cover, ff.save.vehicle_cover, ff.save.infantry, ff.open.dice_symbols, ff.damage.stunned_effect,
ff.flame.effect). Models, regions, ways and templates are those of every Dust game on the open table (dust_open).
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dieselfront.rulesets.freeform1947.ruleset import RULESET, Freeform1947

__all__ = ["RULESET", "Freeform1947"]


def __getattr__(name: str) -> Any:
    """The game itself is loaded when somebody plays it; its cards are read without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from dieselfront.rulesets.freeform1947 import ruleset

    return getattr(ruleset, name)
