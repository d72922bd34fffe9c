"""Referee files of Dust 1947 Freeform: those of every open table, in inches."""

from __future__ import annotations

from dieselfront.rulesets.dust_open.referee import OpenAdaptor

ADAPTOR = OpenAdaptor()
