"""`dieselfront replay`: prove a recorded game, tell it, or make a page of it that anybody can open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dieselfront.cli.errors import print_json
from dieselfront.cli.guard import plain_words, sentence
from dieselfront.cli.rulesets import JSON

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
FILE = Annotated[Path, typer.Argument(help="The record of a game, as play, simulate --save and the web app write it.")]


@app.command("verify")
def verify(file: FILE, json: bool = JSON) -> None:
    """Prove a record: every die from the published seed, every choice legal, every check value and byte as written."""
    from dieselfront import rulesets
    from dieselfront.kernel import record

    with plain_words():
        data = file.read_bytes()
        try:
            proven = record.verify(rulesets.load, data, file.name)
        except record.BrokenRecord as error:
            if json:
                print_json({"ok": False, "turns": None, "winner": None, "digest": None, "reason": sentence(str(error))})
            raise
    if json:
        print_json(proven)
    else:
        _print_proof(proven, data)


@app.command("show")
def show(
    file: FILE,
    rules: Annotated[bool, typer.Option("--rules/--no-rules", help="Name the rule behind every line.")] = False,
    reasons: Annotated[bool, typer.Option("--reasons", help="Explain why every pool has its dice.")] = False,
    boards: Annotated[
        bool, typer.Option("--boards/--no-boards", help="Draw the board at the start of every turn.")
    ] = True,
    json: bool = JSON,
) -> None:
    """Print the battle of a record, turn by turn."""
    with plain_words():
        story = _tell(file)
    if json:
        print_json(story.to_json())
        return
    from dieselfront.cli.terminal.report import print_report

    print_report(story, rules=rules, reasons=reasons, boards=boards)


@app.command("html")
def html(
    file: FILE,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write the page.")],
    json: bool = JSON,
) -> None:
    """Write one self-contained page with the board, a slider through the battle and the whole log."""
    from dieselfront.cli.terminal.page import page

    with plain_words():
        story = _tell(file)
        text = page(story)
        out.write_text(text, encoding="utf-8")
    if json:
        print_json({"out": str(out), "bytes": len(text.encode()), "frames": len(story.frames)})
    else:
        typer.echo(f"{out}: {len(story.frames)} positions; open it in any browser.")


def schema(name: str = "records") -> dict[str, Any]:
    """The JSON Schema of records."""
    import msgspec

    from dieselfront.kernel.record import Record

    schemas: dict[str, Any] = msgspec.json.schema(Record)
    return schemas


def _tell(file: Path) -> Any:
    """Replay a record, keeping the position after every choice."""
    from dieselfront.cli.terminal.report import tell

    return tell(file.read_bytes(), file.name)


def _print_proof(proven: dict[str, Any], data: bytes) -> None:
    from dieselfront.cli.show import paragraph
    from dieselfront.kernel.record import load

    names = [force.get("name", f"side {side + 1}") for side, force in enumerate(load(data).header.forces)]
    winner = proven["winner"]
    result = "a draw" if winner is None else f"{names[winner]} won"
    if not proven["over"]:
        result = "the game is still going on"
    paragraph(
        f"the record is genuine: {proven['choices']} choices, {proven['turns']} turns, {result}.", label="Verified"
    )
    paragraph(proven["dice"], label="Dice")
    paragraph(proven["digest"], label="Digest")
