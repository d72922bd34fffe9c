"""Referee files of Battlefield: those of every open table, in centimetres where a file says no other unit."""

from __future__ import annotations

from typing import ClassVar

from dieselfront.rulesets.dust_open.referee import OpenAdaptor


class BattlefieldAdaptor(OpenAdaptor):
    """What a file may say and ask."""

    objective_rules: ClassVar[tuple[str, ...]] = ("bf.objective.capture",)


ADAPTOR = BattlefieldAdaptor()
