"""Dice: kinds of dice, plans of throws, and who answers them."""

from dieselfront.dice.die import D6, DICE, DUST_DIE, Die
from dieselfront.dice.rollers import DiceRanOut, FairDice, Roller, ScriptedDice, commitment
from dieselfront.dice.throw import Because, Dice, Reading, Reroll, Throw, Thrown, perform

__all__ = [
    "D6",
    "DICE",
    "DUST_DIE",
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
    "commitment",
    "perform",
]
