"""What computer players know about Dust Warfare, beyond what every game tells them."""

from dieselfront.rulesets.warfare.adviser.adviser import adviser

__all__ = ["adviser"]
