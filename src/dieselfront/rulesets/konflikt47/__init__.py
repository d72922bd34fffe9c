"""Konflikt '47, first edition: order dice from a cup, pins and morale, inches on a measured table."""

from dieselfront.rulesets.konflikt47.ruleset import RULESET, Konflikt47

__all__ = ["RULESET", "Konflikt47"]
