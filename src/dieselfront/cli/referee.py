"""`dieselfront referee`: a position, questions about it and choices with scripted dice; answers, events, a drawing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from dieselfront.cli.errors import UserError, print_json
from dieselfront.cli.guard import plain_words
from dieselfront.cli.rulesets import JSON

EXIT_FAILED = 1
"""Something that a case file expects did not come."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("referee")(referee)


def referee(
    file: Annotated[
        Path,
        typer.Argument(help="A YAML or JSON file (see docs/referee.md and examples/), - for stdin, or the word check."),
    ],
    folder: Annotated[
        Path | None, typer.Argument(help="After check: a folder of case files, or one case file.", show_default=False)
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Draw the position and what was asked into this SVG file.")
    ] = None,
    board: Annotated[bool, typer.Option("--board", help="Show the board in the terminal, too.")] = False,
    json: bool = JSON,
) -> None:
    """Ask the referee about a position: questions and choices in, answers with reasons and rules out.

    `dieselfront referee check FOLDER` runs every case file below a folder and says which ones fail.
    """
    if str(file) == "check" and (folder is not None or not file.is_file()):
        _check(folder, json)
        return
    if folder is not None:
        raise UserError(f"expected one file, or the word check and a folder, not {file} and {folder}.")
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
    if verdict.failed:
        raise typer.Exit(EXIT_FAILED)


def _check(folder: Path | None, json: bool) -> None:
    """Run a folder of cases; the exit code says whether all of them hold."""
    import msgspec

    from dieselfront.cli.show import console
    from dieselfront.referee import check

    if folder is None:
        raise UserError("expected a folder of case files after check, such as: dieselfront referee check cases/.")
    if not folder.exists():
        raise UserError(f"{folder} does not exist; expected a folder of case files.")
    report = check(folder)
    if not report.cases:
        raise UserError(f"{folder} holds no case files (.yaml, .yml or .json).")
    if json:
        print_json(msgspec.to_builtins(report))
    else:
        for failed in report.failed:
            console().print(f"{failed.file}: {failed.case}", style="bold", markup=False, highlight=False)
            console().print(f"  {failed.why}", markup=False, highlight=False)
        held = "1 case" if report.cases == 1 else f"{report.cases} cases"
        console().print(f"{held}, {report.held} held, {len(report.failed)} failed", highlight=False)
    if report.failed:
        raise typer.Exit(EXIT_FAILED)


def schema(name: str = "referee") -> dict[str, Any]:
    """The JSON Schema of referee files."""
    from dieselfront.referee.schema import schema as referee_schema

    return referee_schema()


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

    out = console()
    if verdict.title:
        out.print(verdict.title, style="bold")
    if board:
        from dieselfront.cli.terminal.board import render

        out.print(render(verdict.state, width=out.width))
    later = list(verdict.answers)
    for line in verdict.events:
        while later and later[0].after < line.step:
            _print_answer(later.pop(0))
        _print_event(line)
    for answer in later:
        _print_answer(answer)
    _print_decision(verdict.decision)
    for failure in verdict.failed:
        out.print(f"Not as expected: {failure['why']}", style="bold", markup=False, highlight=False)


def _print_answer(answer: Any) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from dieselfront.cli.show import console

    first, *rest = answer.text
    console().print(Text(f"{answer.kind}: ", style="bold") + Text(first))
    for sentence in rest:
        console().print(Padding(Text(sentence), (0, 0, 0, 2)))


def _print_event(line: Any) -> None:
    from rich.table import Table
    from rich.text import Text

    from dieselfront.cli.show import console

    row = Table.grid(padding=(0, 1))
    row.add_row(f"{line.step:>3}", Text(f"{line.text} ") + Text(line.event["rule"], style="dim"))
    console().print(row)


def _print_decision(decision: dict[str, Any] | None) -> None:
    from dieselfront.cli.show import paragraph

    if decision is None:
        paragraph("the game is over", label="Now")
    else:
        paragraph(f"{decision['text'] or decision['key']} (side {decision['player'] + 1})", label="Now")
