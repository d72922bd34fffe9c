"""Dice: kinds of dice, plans of throws, and who answers them."""

from dieselfront.dice.die import D6, DICE, DUST_DIE, Die
from dieselfront.dice.rollers import MOST_DICE, DiceRanOut, FairDice, Roller, ScriptedDice, TooManyDice, commitment
from dieselfront.dice.throw import Because, Dice, Reading, Reroll, Throw, Thrown, perform

__all__ = [
    "D6",
    "DICE",
    "DUST_DIE",
    "MOST_DICE",
    "Because",
    "Dice",
    "DiceRanOut",
    "Die",
    "FairDice",
    "Reading",
    "Reroll",
    "Roller",
    "ScriptedDice",
    "Throw",
    "Thrown",
    "TooManyDice",
    "commitment",
    "perform",
]
