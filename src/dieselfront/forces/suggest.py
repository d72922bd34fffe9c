"""What a list lacks: missing units of its platoons, points left and what they buy, gaps an enemy would find."""

from __future__ import annotations

from dieselfront.forces.armies import Army
from dieselfront.forces.army_check import known_units
from dieselfront.forces.families import family
from dieselfront.forces.suggestion import FEW, Suggestion


def suggest(army: Army) -> tuple[Suggestion, ...]:
    """What the list lacks, the musts before the shoulds."""
    units = known_units(army)
    left = army.points - sum(one.points for one in units)
    needs = family(army.ruleset).suggest(army, units, left)
    if left < 0:
        needs.append(Suggestion(f"{-left} points over the limit; leave something out"))
    return tuple(needs)


__all__ = ["FEW", "Suggestion", "suggest"]
