"""Positions of Dust Warfare, as a person would describe a table: terrain and places in inches, units and markers.

Cards, terrain and placing are the ruleset's own; units.py puts each unit where the file says and gives it its state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import RefereeError, suggestion
from dieselfront.referee.measured_positions import Lengths, Pieces, length_unit
from dieselfront.referee.positions import listed_units, read_sides, side_number
from dieselfront.rulesets.warfare.battle import (
    INWARD,
    OPPOSITE,
    BadBattle,
    Battle,
    TerrainEntry,
    make_piece,
    make_table,
    read_battle,
)
from dieselfront.rulesets.warfare.referee.units import Described
from dieselfront.rulesets.warfare.state import State
from dieselfront.rulesets.warfare.terrain import KINDS

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

KEYS = (
    *("size", "lengths", "terrain", "sides", "units", "turn", "phase", "active", "initiative", "orders", "hits"),
    *("edges", "objectives", "victory", "turns", "scenario"),
)
SIDE_KEYS = ("name", "edge", "points")
PHASES = {
    "initiative": "initiative", "command": "command", "units": "units", "unit": "units", "end": "end",
    "setup": "setup", "deploy": "setup",
}  # fmt: skip
TRAITS = {"roofed": "closed from above: high aircraft do not see in (dw.aircraft.los_high_roof)"}


class PositionFile:
    """A file's description on its way to a state."""

    def __init__(self, rules: Warfare, top: dict[str, Entry], options: dict[str, str]) -> None:
        self.rules = rules
        self.top = top
        self.options = options
        self.lengths = Lengths(length_unit(top))
        self.sides = read_sides(top, SIDE_KEYS, self._side_value)
        self.battle = self._battle()
        self.described: list[Described] = listed_units(
            top, lambda entry, key, counts: Described(self.rules, self.lengths, self.side, entry, key, counts)
        )

    # -- the table --------------------------------------------------------------------------------------------

    def _battle(self) -> Battle:
        """The scenario around the position; `scenario:` may say more, in the words of scenario files."""
        extra = self.top["scenario"].plain() if "scenario" in self.top else {}
        if not isinstance(extra, dict):
            raise self.top["scenario"].wrong("expected a table, as in scenario files")
        made: dict[str, Any] = {
            "id": "referee",
            "name": "A question to the referee",
            "size": self.lengths.pair(self.top["size"]) if "size" in self.top else (48.0, 48.0),
            "terrain": self._terrain(),
            "objectives": self._objectives(),
        }
        if "victory" in self.top:
            made["victory"] = self.top["victory"].text()
        elif made["objectives"]:
            made["victory"] = "both"
        if "turns" in self.top:
            made["turns"] = self.top["turns"].number(1)
        try:
            return read_battle(made | extra, "the position")
        except BadBattle as error:
            line = next((self.top[key].line for key in ("scenario", "victory", "size") if key in self.top), 1)
            raise RefereeError(str(error).rstrip("."), line) from None

    def _terrain(self) -> list[dict[str, Any]]:
        """Pieces of terrain, each tried where it stands so that a mistake has its line."""
        reader = Pieces(self.lengths, tuple(KINDS), tuple(TRAITS))
        pieces: list[dict[str, Any]] = []
        for number, entry in enumerate(self.top["terrain"].entries() if "terrain" in self.top else (), 1):
            piece = reader.read(entry, number)
            if any(other["id"] == piece["id"] for other in pieces):
                raise entry.wrong(f"a second piece of terrain is called '{piece['id']}'")
            try:
                make_piece(msgspec.convert(piece, TerrainEntry))
            except BadBattle as error:
                raise RefereeError(str(error).rstrip("."), entry.line) from None
            pieces.append(piece)
        return pieces

    def _objectives(self) -> list[dict[str, Any]]:
        objectives = []
        for number, entry in enumerate(self.top["objectives"].entries() if "objectives" in self.top else (), 1):
            pairs = entry.table(("id", "name", "at", "points", "radius"))
            if "at" not in pairs:
                raise entry.wrong("'at' is missing: where is the objective?")
            name = pairs.get("id") or pairs.get("name")
            made: dict[str, Any] = {
                "id": name.text() if name else f"objective {number}",
                "at": self.lengths.pair(pairs["at"]),
            }
            if "points" in pairs:
                made["points"] = pairs["points"].number(0)
            if "radius" in pairs:
                made["radius"] = self.lengths.inches(pairs["radius"])
            objectives.append(made)
        return objectives

    # -- sides ------------------------------------------------------------------------------------------------

    def _side_value(self, name: str, entry: Entry) -> Any:
        if name == "points":
            return entry.number(0)
        text = entry.text()
        if name == "edge" and text not in INWARD:
            raise entry.wrong(f"there is no edge '{text}'{suggestion(text, INWARD)}")
        return text

    def side(self, entry: Entry) -> int:
        """A side by its colour, letter, number or name."""
        return side_number(self.sides, entry)

    # -- the state --------------------------------------------------------------------------------------------

    def state(self) -> State:
        units = [one.make() for one in self.described]
        forces = [{"name": side["name"], "units": []} for side in self.sides]
        state: State = self.rules.position(units, make_table(self.battle), self.options, self.battle, forces)
        self._set_clock(state)
        for step in (Described.join, Described.reduce, Described.stand, Described.board, Described.mark):
            for one in self.described:
                step(one, state)
        self.rules.outfit.refresh_all(state)
        for one in self.described:
            one.check(state)
        self._set_orders(state)
        return state

    def _set_clock(self, state: State) -> None:
        """Turn, phase, whose part of it, edges and points."""
        phase = simple(self.top["phase"].text()) if "phase" in self.top else "units"
        if phase not in PHASES:
            raise self.top["phase"].wrong(f"there is no phase '{phase}'{suggestion(phase, PHASES)}")
        state.phase = PHASES[phase]
        state.turn = self.top["turn"].number(0, 99) if "turn" in self.top else (0 if state.phase == "setup" else 1)
        state.active = self.side(self.top["active"]) if "active" in self.top else 0
        state.initiative = self.side(self.top["initiative"]) if "initiative" in self.top else state.active
        edges = [str(side.get("edge", "")) for side in self.sides]
        if "edges" in self.top:
            edges = self.top["edges"].words()
            if len(edges) != len(self.sides) or any(edge not in INWARD for edge in edges):
                raise self.top["edges"].wrong("expected the edges of both sides, such as [south, north]")
        first = edges[0] or (OPPOSITE[edges[1]] if edges[1] else "south")
        state.edges = (first, edges[1] or OPPOSITE[first])
        state.scores = [int(side.get("points", 0)) for side in self.sides]

    def _set_orders(self, state: State) -> None:
        """What the Command Pools came to, and the orders that are left (dw.command.order_count)."""
        if "hits" in self.top:
            hits = self.top["hits"].entries()
            if len(hits) != len(self.sides):
                raise self.top["hits"].wrong("expected the HITs of both sides, such as [3, 4]")
            state.hits = (hits[0].number(0, 99), hits[1].number(0, 99))
        if "orders" in self.top:
            state.orders = self.top["orders"].number(0, 99)
        elif state.phase == "command":
            state.orders = self.rules.command.order_count(state, state.active)


__all__ = ["KEYS", "PHASES", "SIDE_KEYS", "TRAITS", "PositionFile"]
