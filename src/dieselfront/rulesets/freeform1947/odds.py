"""Odds of Dust 1947 Freeform between two cards: those of Dust 1947 on an open table. Belongs above the rules."""

from __future__ import annotations

from dieselfront.rulesets.dust1947.odds import ADAPTOR
from dieselfront.rulesets.dust_open.odds import OpenLane

LANE = OpenLane()

__all__ = ["ADAPTOR", "LANE"]
