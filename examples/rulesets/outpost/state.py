"""Outpost's state: the board, the units, whose turn it is."""

from __future__ import annotations

from typing import Any

import msgspec

Square = tuple[int, int]


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario file."""

    id: str
    name: str
    width: int
    height: int
    turns: int
    objectives: dict[str, str]
    text: str = ""
    woods: tuple[str, ...] = ()


def name_of(square: Square) -> str:
    """The name of a square: A1 is the upper left corner."""
    return f"{chr(65 + square[0])}{square[1] + 1}"


def square_of(name: str) -> Square:
    """A square by its name."""
    return ord(name[0]) - 65, int(name[1:]) - 1


def distance(one: Square, other: Square) -> int:
    """Squares from one to the other (op.setup.board)."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


class Unit:
    """A unit: its card, what is left of it, where it stands (None before it is deployed)."""

    __slots__ = ("acted", "at", "card", "id", "men", "move", "name", "pinned", "points", "range", "side")

    def __init__(self, id: str, side: int, card: dict[str, Any]) -> None:
        self.id = id
        self.side = side
        self.card = card
        self.name = str(card["name"])
        self.move = int(card["move"])
        self.range = int(card["range"])
        self.points = int(card["points"])
        self.men = int(card["men"])
        self.at: Square | None = None
        self.pinned = False
        self.acted = False

    def clone(self) -> Unit:
        twin: Unit = object.__new__(Unit)
        for slot in Unit.__slots__:
            setattr(twin, slot, getattr(self, slot))
        return twin

    @property
    def alive(self) -> bool:
        return self.men > 0

    @property
    def stands(self) -> bool:
        return self.alive and self.at is not None


class State:
    """The position."""

    __slots__ = ("dice_thrown", "forces", "scenario", "to_act", "turn", "units")

    def __init__(self, scenario: Scenario, forces: tuple[str, ...], units: list[Unit]) -> None:
        self.scenario = scenario
        self.forces = forces
        self.units = units
        self.turn = 0
        self.to_act = 0
        self.dice_thrown = 0

    def clone(self) -> State:
        twin = State(self.scenario, self.forces, [unit.clone() for unit in self.units])
        twin.turn, twin.to_act, twin.dice_thrown = self.turn, self.to_act, self.dice_thrown
        return twin

    def facts(self) -> dict[str, Any]:
        units = [[unit.id, unit.men, unit.at, unit.pinned, unit.acted] for unit in self.units]
        return {"turn": self.turn, "to_act": self.to_act, "dice": self.dice_thrown, "units": units}

    def unit(self, id: str) -> Unit:
        return {unit.id: unit for unit in self.units}[id]

    def free(self) -> list[Square]:
        """Squares on which nobody stands."""
        taken = {unit.at for unit in self.units if unit.stands}
        battle = self.scenario
        return [(x, y) for y in range(battle.height) for x in range(battle.width) if (x, y) not in taken]

    def in_woods(self, unit: Unit) -> bool:
        return unit.at is not None and name_of(unit.at) in self.scenario.woods

    def holder(self, place: str) -> int | None:
        """Who holds an objective (op.victory.ridge)."""
        near = {unit.side for unit in self.units if unit.at and unit.alive and distance(unit.at, square_of(place)) <= 1}
        return near.pop() if len(near) == 1 else None
