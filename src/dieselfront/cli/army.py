"""`dieselfront army`: import, check, build, tell and print army lists."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dieselfront.cli.cards import JSON, in_plain_words
from dieselfront.cli.errors import EXIT_USER_ERROR, complain, print_json
from dieselfront.cli.show import console, item, table
from dieselfront.forces import families
from dieselfront.forces.armies import Army, army_json, army_yaml, find_army, starter_armies, write_army
from dieselfront.forces.army_check import ArmyReport, check_army, known_units
from dieselfront.forces.army_text import army_text, battlescribe_text
from dieselfront.forces.catalogue import points_of
from dieselfront.forces.errors import ForcesError
from dieselfront.forces.random_army import random_army
from dieselfront.forces.suggest import suggest

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
LIST = typer.Argument(help="A list: a file (YAML, JSON or our text), or the name of a starter army.")
OUT = typer.Option("--out", "-o", help="Write to this file: .yaml, .json or .txt.")


@app.command("list")
def list_armies(json: bool = JSON) -> None:
    """List the starter armies that come with the program, and which of them are lopsided between equal players."""
    from dieselfront.scenarios.balance import army_note

    armies = starter_armies()
    notes = {id: army_note(army.ruleset, id) for id, army in armies.items()}
    keys = ("id", "name", "ruleset", "side", "points", "limit")
    rows = [
        (id, army.name, army.ruleset, army.side, check_army(army).points, army.points) for id, army in armies.items()
    ]
    if json:
        print_json([dict(zip(keys, row, strict=True)) | {"balance": notes[row[0]]} for row in rows])
        return
    table("Starter armies", keys, rows)
    for id, note in notes.items():
        if note is not None:
            item(f"{armies[id].name} ({id}): {note.text}")


@app.command("import")
def import_files(
    files: Annotated[list[Path], typer.Argument(help="BattleScribe .ros .rosz .cat .gst, New Recruit .json or text.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the list or the cards to this file.")] = None,
    ruleset: Annotated[str, typer.Option("--ruleset", "-r", help="The game, if the file does not tell.")] = "",
    json: bool = JSON,
) -> None:
    """Turn rosters into army lists of our cards, and catalogues into homebrew cards.

    Everything that finds no card is listed with the nearest ones; nothing is dropped silently.
    """
    from dieselfront.forces.battlescribe import importing

    with in_plain_words():
        imported = importing.import_files(files, ruleset or None)
        if out is not None and imported.cards is not None:
            importing.write_cards(imported.cards, out)
        elif out is not None:
            if len(imported.armies) > 1:
                raise ForcesError("Several rosters do not fit into one file; import them one by one.")
            write_army(imported.armies[0].army, out)
    document: dict[str, Any] = {"units": [], "unmatched": [], "warnings": []}
    if imported.cards is not None:
        document["units"] += [_card_row(card) for card in imported.cards.cards]
        document["warnings"] += imported.cards.warnings
    for one in imported.armies:
        document["units"] += [_unit_row(unit) for unit in known_units(one.army)]
        document["unmatched"] += list(one.unmatched)
        document["warnings"] += list(one.warnings)
    document["armies"] = [one.army for one in imported.armies]
    if json:
        print_json(document)
    else:
        _tell_import(document, out)


@app.command("check")
def check(army: Annotated[str, LIST], json: bool = JSON) -> None:
    """Check a list against the rules of its game: points, side, heroes, passengers, platoons."""
    with in_plain_words():
        report = check_army(find_army(army))
    if json:
        print_json(report)
    else:
        _tell_report(report)
    if not report.ok:
        raise typer.Exit(EXIT_USER_ERROR)


@app.command("print")
def print_sheet(
    army: Annotated[str, LIST],
    out: Annotated[Path, typer.Option("--out", "-o", help="The PDF to write.")],
    json: bool = JSON,
) -> None:
    """Print the list as a sheet of unit cards (PDF)."""
    from dieselfront.forces.sheet import print_army

    with in_plain_words():
        pages = print_army(find_army(army), out)
    if json:
        print_json({"file": str(out), "pages": pages})
    else:
        console().print(f"{out}: {pages} pages.")


@app.command("random")
def random_list(
    ruleset: Annotated[str, typer.Option("--ruleset", "-r", help="The game; the newest cards if not given.")] = "",
    points: Annotated[int, typer.Option("--points", "-p", min=1, max=100_000, help="The limit.")] = 50,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same list.")] = 1,
    side: Annotated[str, typer.Option("--side", "-s", help="A bloc or nation; any if not given.")] = "",
    faction: Annotated[str, typer.Option("--faction", help="A faction of the side, such as USMC.")] = "",
    out: Annotated[Path | None, OUT] = None,
    json: bool = JSON,
) -> None:
    """Build a random legal list."""
    with in_plain_words():
        army = random_army(ruleset or families.newest(), points, seed, side or None, faction or None)
        _give(army, out, json)


@app.command("suggest")
def suggest_units(army: Annotated[str, LIST], json: bool = JSON) -> None:
    """Say what a list lacks and which cards would add it."""
    with in_plain_words():
        suggestions = suggest(find_army(army))
    if json:
        print_json(suggestions)
    elif not suggestions:
        console().print("Nothing obvious is missing.")
    for one in () if json else suggestions:
        item(str(one))


@app.command("text")
def text(
    army: Annotated[str, LIST],
    style: Annotated[str, typer.Option("--style", help="chat, battlescribe, yaml or json.")] = "chat",
    json: bool = JSON,
) -> None:
    """Print a list as text: short for a chat, in the style of BattleScribe, or as a file."""
    styles = {"chat": army_text, "battlescribe": battlescribe_text, "yaml": army_yaml, "json": army_json}
    with in_plain_words():
        if style not in styles:
            raise ForcesError(f"There is no style {style!r}; expected one of {', '.join(styles)}.")
        written = styles["json" if json else style](find_army(army))
    typer.echo(written, nl=False)


def _give(army: Army, out: Path | None, json: bool) -> None:
    if out is not None:
        write_army(army, out)
    if json:
        typer.echo(army_json(army), nl=False)
    elif out is None:
        typer.echo(army_text(army), nl=False)
    else:
        console().print(f"{out}: {army.name}, {check_army(army).points} points.")


def _card_row(card: Any) -> dict[str, Any]:
    return {"id": card.id, "name": card.name, "ruleset": card.ruleset, "points": points_of(card)}


def _unit_row(unit: Any) -> dict[str, Any]:
    row = {"label": unit.label, "card": unit.card.id, "name": unit.card.name, "points": unit.points}
    return {**row, "options": unit.unit.options, "experience": unit.unit.experience, "captured": unit.unit.captured}


def _tell_import(document: dict[str, Any], out: Path | None) -> None:
    rows = [(row.get("card") or row["id"], row["name"], row["points"]) for row in document["units"]]
    for card_id, name, points in rows:
        typer.echo(f"{card_id}  {points}  {name}")
    for one in document["unmatched"]:
        near = f"; nearest: {', '.join(one.nearest)}" if one.nearest else ""
        complain(f"no card for {one.name!r} ({one.points} points){near}.")
    for warning in document["warnings"]:
        complain(warning)
    saved = f" Written to {out}." if out else ""
    console().print(f"{len(document['units'])} units, {len(document['unmatched'])} without a card.{saved}")


def _tell_report(report: ArmyReport) -> None:
    for fault in report.errors:
        complain(str(fault))
    for warning in report.warnings:
        console().print(str(warning), style="yellow")
    free = f", {report.bonus} more free for heroes" if report.bonus else ""
    verdict = "a legal list" if report.ok else "not a legal list"
    console().print(f"{report.points} of {report.limit} points{free}: {verdict}.")
