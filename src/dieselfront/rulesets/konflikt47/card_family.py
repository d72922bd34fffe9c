"""The cards of Konflikt '47."""

from __future__ import annotations

from dieselfront.rulesets.konflikt47.army.family import KonfliktFamily

FAMILY = KonfliktFamily("konflikt47")
