"""The play that chapters on the open table hold, and the ruleset in it.

A chapter that replaces one of Dust 1947 is handed the same play, so its type says no more than that of Dust 1947;
`open_rules` gives the ruleset as what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.dust1947.playing import Play

if TYPE_CHECKING:
    from dieselfront.rulesets.dust_open.ruleset import OpenDust


def open_rules(play: Play) -> OpenDust:
    """The ruleset of a game on the open table."""
    rules: Any = play.rules
    return rules  # type: ignore[no-any-return]


__all__ = ["Play", "open_rules"]
