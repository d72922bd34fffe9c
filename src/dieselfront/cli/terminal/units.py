"""The units of both sides in a few lines: strength in pips, tokens, who has had his turn."""

from __future__ import annotations

from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from dieselfront.cli.terminal.board import ARROWS, SIDE_STYLES, TURNING
from dieselfront.cli.terminal.measured import short

MOST_PIPS = 10
SHORT_TOKENS = {
    "under fire": "fire",
    "suppressed": "SUPP",
    "camouflaged": "camo",
    "stimulated": "stim",
    "dug in": "dug",
}


def both(view: dict[str, Any], width: int) -> RenderableType:
    """Both sides: one above the other beside a board, side by side under it."""
    return Group(*(side(view, number, width) for number in (0, 1)))


def abreast(view: dict[str, Any], width: int) -> RenderableType:
    """Both sides next to each other."""
    half = (width - 2) // 2
    return Columns([side(view, number, half) for number in (0, 1)], padding=(0, 1), width=half)


def side(view: dict[str, Any], number: int, width: int) -> Table:
    """One side's units in lines that never wrap."""
    force = view["sides"][number]
    score = view.get("score", [one.get("points", 0) for one in view["sides"]])[number]
    drawn = Table(
        title=Text(f"{force['name']}  {score} points", style=SIDE_STYLES[number]),
        title_justify="left",
        box=None,
        pad_edge=False,
        show_header=False,
        width=width,
        padding=(0, 1, 0, 0),
    )
    drawn.add_column(no_wrap=True)
    drawn.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    drawn.add_column(no_wrap=True)
    drawn.add_column(no_wrap=True)
    for unit in view["units"]:
        if unit["side"] == number and unit["status"] != "lost":
            drawn.add_row(*_cells(unit, width))
    lost = [unit["name"] for unit in view["units"] if unit["side"] == number and unit["status"] == "lost"]
    if lost:
        drawn.add_row("", Text(f"lost: {', '.join(lost)}", style="dim"), "", "")
    return drawn


def _cells(unit: dict[str, Any], width: int) -> tuple[Text, ...]:
    style = SIDE_STYLES[unit["side"]] + (" dim" if unit["activated"] else "")
    name = Text(unit["name"], style="dim" if unit["activated"] else "")
    for token in [*unit["tokens"], *unit.get("criticals", ())]:
        name = name + Text(f" {SHORT_TOKENS.get(token, token)}", style="bold yellow")
    id = unit["id"] if unit["places"] or len(unit["id"]) < 4 else short(unit["id"])
    return (Text(id + ("✓" if unit["activated"] else ""), style=style), name, pips(unit), Text(where(unit)))


def pips(unit: dict[str, Any]) -> Text:
    """Strength: full pips left, empty ones lost; figures where there are too many."""
    left, most = int(unit["left"]), int(unit["left_max"])
    if most > MOST_PIPS:
        return Text(f"{left}/{most}")
    return Text("●" * left, style="green") + Text("○" * (most - left), style="dim")


def where(unit: dict[str, Any]) -> str:
    """The square it stands on and where it looks, or where else it is."""
    if unit["status"] == "board" and unit["places"]:
        return str(unit["places"][0]) + (ARROWS[unit["facing"]] if unit["kind"] in TURNING else "")
    if unit["status"] == "board":
        return "table"
    if unit["status"] == "aboard":
        return f"in {unit['aboard']}"
    return {"off": "–", "reserve": "res."}.get(unit["status"], str(unit["status"]))
