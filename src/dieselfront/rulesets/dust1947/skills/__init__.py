"""Every skill of Dust 1947, a few lines each."""

from __future__ import annotations

from dieselfront.rulesets.dust.hooks import Skill

ALL: list[type[Skill]] = []
