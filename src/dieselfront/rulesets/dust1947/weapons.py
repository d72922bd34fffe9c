"""Every special weapon rule of Dust 1947, a few lines each (d47.weapon.*)."""

from __future__ import annotations

from dieselfront.rulesets.dust.hooks import WeaponRule

ALL: list[type[WeaponRule]] = []
