"""Random boards for the open table: those of Dust 1947, converted square by square (ff.scope.convert)."""

from __future__ import annotations

from typing import Any

from dieselfront import rulesets
from dieselfront.rulesets.freeform1947.convert import Unconvertible, converted
from dieselfront.scenarios import random_dust1947

TRIES = 50


def scenario(seed: str) -> dict[str, Any]:
    """The board of a seed, as plain data; a board that needs squares is passed over."""
    kinds = rulesets.load("dust1947").terrain
    for again in range(TRIES):
        plain = random_dust1947.scenario(seed if not again else f"{seed}/{again}")
        try:
            made = converted(plain, kinds)
            rulesets.load("freeform1947").read_scenario(made, made["id"])
        except ValueError:
            continue
        return made
    raise Unconvertible(f"no board of the seed {seed!r} can be converted.")
