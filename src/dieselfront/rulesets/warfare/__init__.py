"""Dust Warfare (2012): command pools, one side after the other, reactions to everything, inches on a measured table.

Cards are converted and say so; gaps of the source are filled as the rulings of the checklist say.
"""

from dieselfront.rulesets.warfare.ruleset import RULESET, Warfare

__all__ = ["RULESET", "Warfare"]
