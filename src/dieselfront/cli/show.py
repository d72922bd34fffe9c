"""How commands show things to a person: plain tables and wrapped paragraphs that fit the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # slow to import, and commands that print plain lines or JSON do without it
    from rich.console import Console


def console() -> Console:
    """A console on stdout; colours only where a person looks at them."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table with a line under its head and numbers to the right."""
    from rich.table import Table
    from rich.text import Text

    shown = [[_cell(value) for value in row] for row in rows]
    numeric = [all(isinstance(value, int) for value in column) for column in zip(*shown, strict=True)] if shown else []
    drawn = Table(
        title=title or None,
        title_justify="left",
        title_style="bold",
        header_style="bold",
        box=None,
        pad_edge=False,
    )
    for index, name in enumerate(columns):
        right = bool(numeric) and numeric[index]
        drawn.add_column(name, justify="right" if right else "left", overflow="fold")
    for row in shown:
        drawn.add_row(*(Text(str(value)) for value in row))
    console().print(drawn)


def paragraph(text: str, *, label: str = "", style: str = "") -> None:
    """A paragraph, with its label before it."""
    from rich.text import Text

    head = Text(f"{label}: ", style="bold") if label else Text()
    console().print(head + Text(text, style=style))


def item(text: str) -> None:
    """One item of a list, its further lines set in."""
    from rich.table import Table
    from rich.text import Text

    line = Table.grid(padding=(0, 1, 0, 0))
    line.add_row("  -", Text(text))
    console().print(line)


def _cell(value: Any) -> Any:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value) or "-"
    return value
