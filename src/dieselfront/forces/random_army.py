"""Random armies: legal lists for a number of points, the same for the same seed."""

from __future__ import annotations

import random

from dieselfront.forces.armies import Army
from dieselfront.forces.army_check import check_army
from dieselfront.forces.errors import ForcesError
from dieselfront.forces.families import family

ATTEMPTS = 40


def random_army(ruleset: str, points: int, seed: int, bloc: str | None = None, faction: str | None = None) -> Army:
    """A legal list of at most that many points and seldom much fewer; `bloc` is the side, a nation in some games."""
    cards = family(ruleset)
    if points < 1:
        raise ForcesError(f"An army of {points} points cannot be built; expected 1 or more.")
    for attempt in range(ATTEMPTS):
        dice = random.Random(f"{ruleset}/{points}/{seed}/{bloc}/{faction}/{attempt}")
        army = cards.draw_army(points, dice, bloc, faction)
        if army is not None and army.units and check_army(army).ok:
            return army
    side = f" of {bloc}" if bloc else ""
    raise ForcesError(f"No legal army{side} could be built for {points} points; expected more points.")
