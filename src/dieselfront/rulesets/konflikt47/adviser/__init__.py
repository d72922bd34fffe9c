"""What computer players know about Konflikt '47, beyond what every game tells them."""

from dieselfront.rulesets.konflikt47.adviser.adviser import adviser

__all__ = ["adviser"]
