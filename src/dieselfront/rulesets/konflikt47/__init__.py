"""Konflikt '47, first edition: order dice from a cup, pins and morale, inches on a measured table.

Gaps of the quick reference are filled as k47.open.basis says; there are no aircraft (k47.open.aircraft).
"""

from dieselfront.rulesets.konflikt47.ruleset import RULESET, Konflikt47

__all__ = ["RULESET", "Konflikt47"]
