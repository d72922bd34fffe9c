"""Every special weapon rule of Dust 1947, a few lines each (d47.weapon.*)."""

from __future__ import annotations

from dieselfront.rulesets.dust.hooks import WeaponRule
from dieselfront.rulesets.dust1947.weapons import areas, flames, hits, loading

ALL: list[type[WeaponRule]] = [*areas.ALL, *flames.ALL, *hits.ALL, *loading.ALL]
