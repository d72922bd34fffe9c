"""Reserves: eliminated units that come back (d47.reserve.*)."""

from __future__ import annotations

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.state import Unit


class Reserves:
    """Units in reserve."""

    def after_lost(self, play: Play, unit: Unit) -> Procedure:
        return
        yield

    def may_enter(self, play: Play, side: int) -> list[Unit]:
        return []
