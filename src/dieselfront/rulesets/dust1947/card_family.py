"""The cards of Dust 1947."""

from __future__ import annotations

from dieselfront.forces.dust_family import DustFamily

FAMILY = DustFamily("dust1947")
