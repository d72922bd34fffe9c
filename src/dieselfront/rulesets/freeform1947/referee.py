"""Referee files of Dust 1947 Freeform: those of every open table, in inches, with fortifications that stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from dieselfront.referee.document import Entry
from dieselfront.rulesets.dust_open.playing import on_open_table
from dieselfront.rulesets.dust_open.referee import OpenAdaptor
from dieselfront.rulesets.dust_open.referee.position import KEYS, FortPosition

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947


class FreeAdaptor(OpenAdaptor):
    """What a file of a freeform game may say and ask."""

    keys: ClassVar[tuple[str, ...]] = (*KEYS, "fortifications")

    def position(self, rules: Dust1947, root: dict[str, Entry], options: dict[str, str]) -> Any:
        return FortPosition(on_open_table(rules), root, options).state()


ADAPTOR = FreeAdaptor()
