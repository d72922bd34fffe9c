"""The play that chapters on the open table hold, and the ruleset in it.

A chapter that replaces one of Dust 1947 is handed the same play, so its type says no more than that of Dust 1947;
`open_rules` gives the ruleset as what it is, and `on_open_table` does so where a ruleset is handed over alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dieselfront.rulesets.dust1947.playing import Play

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947
    from dieselfront.rulesets.dust_open.ruleset import OpenDust


def open_rules(play: Play) -> OpenDust:
    """The ruleset of a game on the open table."""
    return play.rules  # type: ignore[return-value]  # only rulesets on the open table have such chapters


def on_open_table(rules: Dust1947) -> OpenDust:
    """The same for a ruleset."""
    return rules  # type: ignore[return-value]  # as above


__all__ = ["Play", "on_open_table", "open_rules"]
