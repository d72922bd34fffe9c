"""`dieselfront referee`: a position, questions about it and choices with scripted dice; answers, events, a drawing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from dieselfront.cli.errors import UserError, print_json
from dieselfront.cli.guard import plain_words
from dieselfront.cli.rulesets import JSON


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("referee")(referee)


def referee(
    file: Annotated[
        Path, typer.Argument(help="A YAML or JSON file (see docs/referee.md and examples/), or - for stdin.")
    ],
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Draw the position and what was asked into this SVG file.")
    ] = None,
    board: Annotated[bool, typer.Option("--board", help="Show the board in the terminal, too.")] = False,
    json: bool = JSON,
) -> None:
    """Put a position to the referee: questions and choices in, answers with reasons and rules out."""
    from dieselfront.referee import judge

    with plain_words():
        data, name = _read(file)
        verdict = judge(data, name)
        if svg is not None:
            _draw(verdict, svg)
    if json:
        print_json(verdict.to_json())
    else:
        _print(verdict, board=board)
        if svg is not None:
            from dieselfront.cli.show import paragraph

            paragraph(str(svg), label="Drawing")


def schema(name: str = "referee") -> dict[str, Any]:
    """The JSON Schema of referee files."""
    from dieselfront.referee.schema import schema as found

    return found()


def _read(file: Path) -> tuple[bytes, str]:
    if str(file) == "-":
        return sys.stdin.buffer.read(), "stdin"
    try:
        return file.read_bytes(), file.name
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror or error}.") from None


def _draw(verdict: Any, out: Path) -> None:
    from dieselfront.referee.svg import draw

    out.write_text(draw(verdict.state, verdict.answers, verdict.title), encoding="utf-8")


def _print(verdict: Any, *, board: bool) -> None:
    from dieselfront.cli.show import console
    from dieselfront.cli.terminal.board import render

    out = console()
    if verdict.title:
        out.print(verdict.title, style="bold")
    if board:
        out.print(render(verdict.state, width=out.width))
    later = list(verdict.answers)
    for told in verdict.events:
        while later and later[0].after < told.step:
            _print_answer(later.pop(0))
        _print_event(told)
    for answer in later:
        _print_answer(answer)
    _print_decision(verdict.decision)


def _print_answer(answer: Any) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from dieselfront.cli.show import console

    first, *rest = answer.text
    console().print(Text(f"{answer.kind}: ", style="bold") + Text(first))
    for line in rest:
        console().print(Padding(Text(line), (0, 0, 0, 2)))


def _print_event(told: Any) -> None:
    from rich.table import Table
    from rich.text import Text

    from dieselfront.cli.show import console

    line = Table.grid(padding=(0, 1))
    line.add_row(f"{told.step:>3}", Text(f"{told.text} ") + Text(told.event["rule"], style="dim"))
    console().print(line)


def _print_decision(decision: dict[str, Any] | None) -> None:
    from dieselfront.cli.show import paragraph

    if decision is None:
        paragraph("the game is over", label="Now")
    else:
        paragraph(f"{decision['text'] or decision['key']} (side {decision['player'] + 1})", label="Now")
