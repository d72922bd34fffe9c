"""Random boards for the open table: those of Dust 1947, converted square by square (ff.scope.convert)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.dust1947 import RULESET as DUST1947
from dieselfront.rulesets.dust1947 import random_board
from dieselfront.rulesets.freeform1947.convert import Unconvertible, converted

if TYPE_CHECKING:
    from dieselfront.rulesets.freeform1947 import Freeform1947

TRIES = 50


def scenario(rules: Freeform1947, seed: str) -> dict[str, Any]:
    """The board of a seed, as plain data; a board that needs squares is passed over."""
    kinds = DUST1947.terrain
    for again in range(TRIES):
        plain = random_board.scenario(seed if not again else f"{seed}/{again}")
        try:
            made = converted(plain, kinds)
            rules.read_scenario(made, made["id"])
        except ValueError:
            continue
        return made
    raise Unconvertible(f"no board of the seed {seed!r} can be converted.")
