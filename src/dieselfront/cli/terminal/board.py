"""The board as text: coordinates, terrain symbols, walls, units with their facings, squares to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from dieselfront.referee.svg import letters, place

SIDE_STYLES = ("bold bright_cyan", "bold bright_red")
ARROWS = "↑→↓←"
FLAG = "⚑"
TERRAIN = "green"
WALLS = {"none": "┃", "small": "╏", "large": "╎", "huge": "╎"}
FLOORS = {"none": "━━━", "small": "━ ━", "large": "╸ ╺", "huge": "╸ ╺"}
LOW_WALL, LOW_FLOOR = "┆", "┄┄┄"
FLAT = ("road", "mud", "sand")
"""Terrain that other terrain on the same square hides."""

TURNING = ("vehicle", "aircraft", "fortification")


def render(view: dict[str, Any], spots: Mapping[str, int | None] | None = None, width: int = 100) -> RenderableType:
    """The table of a view; `spots` are squares that may be chosen, with what they cost."""
    if view["table"]["kind"] == "squares":
        return Group(Squares(view, spots or {}, width).drawn(), legend(view, width))
    from dieselfront.cli.terminal.measured import drawn

    return drawn(view, width)


class Squares:
    """A board of squares: three characters a square and one for what stands between squares."""

    def __init__(self, view: dict[str, Any], spots: Mapping[str, int | None], width: int) -> None:
        table = view["table"]
        self.spots = spots
        self.across, self.down = int(table["width"]), int(table["height"])
        self.cell = 3 if self.across * 4 + 4 <= width else 2
        self.features: dict[str, list[str]] = table["features"]
        self.kinds: dict[str, dict[str, Any]] = table.get("kinds", {})
        self.right: dict[str, dict[str, Any]] = {}
        self.under: dict[str, dict[str, Any]] = {}
        for wall in table["walls"]:
            self._file(wall)
        self.flags = {name for objective in view.get("objectives", ()) for name in objective["places"]}
        self.units: dict[str, dict[str, Any]] = {}
        for unit in view["units"]:
            for name in unit["places"] if unit["status"] == "board" else ():
                self._stand(name, unit)

    def _file(self, wall: dict[str, Any]) -> None:
        """Walls by the square to their left or above them."""
        first, second = (place(name) for name in wall["between"])
        if first[2]:
            return
        name = wall["between"][0] if first < second else wall["between"][1]
        (self.right if first[1] == second[1] else self.under)[name] = wall

    def _stand(self, name: str, unit: dict[str, Any]) -> None:
        """Who is shown on a square: the one on the ground before those above."""
        ground = name.partition("+")[0]
        if "+" not in name and unit["kind"] != "aircraft":
            self.units[ground] = unit
        else:
            self.units.setdefault(ground, unit)

    def drawn(self) -> Text:
        head = "    " + " ".join(f"{letters(x):^{self.cell}}" for x in range(self.across))
        text = Text(head + "\n", style="bold")
        for y in range(self.down):
            text.append_text(self._row(y))
        text.rstrip()
        return text

    def _row(self, y: int) -> Text:
        row = Text(f"{y + 1:>3} ", style="bold")
        under = Text("    ")
        some = False
        for x in range(self.across):
            name = f"{letters(x)}{y + 1}"
            row.append_text(self._square(name))
            row.append(self._bar(self.right.get(name)), style="white")
            dash = self._dash(self.under.get(name))
            some = some or bool(dash.strip())
            under.append(dash + " ", style="white")
        row.append("\n")
        if some:
            row.append_text(under)
            row.append("\n")
        return row

    def _square(self, name: str) -> Text:
        unit = self.units.get(name)
        if unit is not None:
            return self._unit(name, unit)
        symbol = self._symbol(name)
        flag = FLAG if name in self.flags else ""
        if name in self.spots:
            cost = self.spots[name]
            shown = symbol.strip(".") + ("•" if cost is None else str(cost))
            return Text(f"{flag + shown:^{self.cell}}"[: self.cell], style="bold black on yellow")
        style = "dim" if symbol == "." and not flag else "bold yellow" if flag else TERRAIN
        return Text(f"{flag + symbol:^{self.cell}}"[: self.cell], style=style)

    def _unit(self, name: str, unit: dict[str, Any]) -> Text:
        first = name == unit["places"][0].partition("+")[0]
        arrow = ARROWS[unit["facing"]] if unit["kind"] in TURNING and first else ""
        shown = unit["id"] + arrow if len(unit["id"]) < self.cell else unit["id"]
        style = SIDE_STYLES[unit["side"]] + (" dim" if unit["activated"] else "")
        if name in self.flags:
            style += " underline"
        if name in self.spots:
            style += " on yellow"
        return Text(f"{shown:<{self.cell}}"[: self.cell], style=style)

    def _symbol(self, name: str) -> str:
        symbol = sorted(self.features.get(name, ()), key=lambda kind: kind in FLAT)
        if not symbol:
            return "."
        kind = self.kinds.get(symbol[0])
        return kind["symbol"] if kind is not None else symbol[0][0].upper()

    def _bar(self, wall: dict[str, Any] | None) -> str:
        if wall is None:
            return " "
        return LOW_WALL if wall.get("kind", "high") == "low" else WALLS[wall.get("opening", "none")]

    def _dash(self, wall: dict[str, Any] | None) -> str:
        if wall is None:
            return " " * self.cell
        return (LOW_FLOOR if wall.get("kind", "high") == "low" else FLOORS[wall.get("opening", "none")])[: self.cell]


def legend(view: dict[str, Any], width: int) -> Text:
    """What the symbols stand for, only those on this board."""
    parts = [f"{kind['symbol']} {name.replace('_', ' ')}" for name, kind in view["table"].get("kinds", {}).items()]
    if view.get("objectives"):
        parts.append(f"{FLAG} objective")
    if any(wall.get("kind", "high") == "low" for wall in view["table"]["walls"]):
        parts.append(f"{LOW_WALL} low wall")
    if any(wall.get("kind", "high") != "low" for wall in view["table"]["walls"]):
        parts.append("┃ wall")
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + len(part) + 2 > width - 6:
            lines.append("")
        lines[-1] += ("  " if lines[-1] else "") + part
    return Text("\n".join("    " + line for line in lines), style="dim")
