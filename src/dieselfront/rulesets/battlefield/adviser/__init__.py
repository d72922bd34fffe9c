"""What computer players know about Battlefield beyond what they know of Dust 1947."""

from dieselfront.rulesets.battlefield.adviser.adviser import adviser

__all__ = ["adviser"]
