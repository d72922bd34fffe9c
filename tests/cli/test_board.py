"""The board as text."""

from __future__ import annotations

from io import StringIO
from typing import Any

from rich.console import Console

from dieselfront.cli.terminal.board import render
from dieselfront.kernel.views import KindView, SquaresView, View, plain


def printed(**more: Any) -> str:
    """A board of nine squares with a swamp in its middle."""
    table = SquaresView(3, 3, {"B2": ["swamp"]}, [], **more)
    view = View(turn=1, turns=2, phase="battle", sides=[], units=[], table=table, objectives=[])
    console = Console(width=60, record=True, file=StringIO())
    console.print(render(plain(view), width=60))
    return console.export_text()


def test_terrain_is_drawn_with_the_symbols_of_its_game() -> None:
    shown = printed(kinds={"swamp": KindView("~")})
    assert "~ swamp" in shown and shown.count("~") == 2


def test_a_game_without_symbols_gets_first_letters() -> None:
    assert "S" in printed() and "swamp" not in printed()
