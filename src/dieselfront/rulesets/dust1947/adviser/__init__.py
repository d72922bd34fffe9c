"""What computer players know about Dust 1947 and its variants, beyond what every game tells them."""

from dieselfront.rulesets.dust1947.adviser.adviser import adviser

__all__ = ["adviser"]
