"""`dieselfront lab`: what computer players, armies and positions are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dieselfront import rulesets
from dieselfront.cli.errors import print_json
from dieselfront.cli.guard import plain_words
from dieselfront.cli.lab_data import register
from dieselfront.cli.lab_puzzles import puzzles as mine_puzzles
from dieselfront.cli.league import fit, league, tune
from dieselfront.cli.rulesets import JSON, known
from dieselfront.cli.workers import ClusterCommand

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


app.command("league", cls=ClusterCommand)(league)
app.command("tune", cls=ClusterCommand)(tune)
app.command("fit", cls=ClusterCommand)(fit)
app.command("puzzles", cls=ClusterCommand)(mine_puzzles)
register(app)


@app.callback()
def lab() -> None:
    """Measure computer players, armies and scenarios; make data of their games."""


@app.command("blunders")
def blunders(
    folder: Annotated[
        Path | None, typer.Argument(help="A folder with positions of your own (docs/blunders.md); else the suite's.")
    ] = None,
    ruleset: Annotated[
        str,
        typer.Option(
            "--ruleset", "-r", help=f"The game, by its id; else {rulesets.DEFAULT}, or every game in the folder."
        ),
    ] = "",
    player: Annotated[str, typer.Option("--player", "-p", help="The computer player that is tried.")] = "regular",
    seeds: Annotated[
        int, typer.Option("--seeds", min=1, max=1000, help="Tries per position; the majority counts.")
    ] = 3,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Try this position only; may be given several times.")
    ] = None,
    show: Annotated[str, typer.Option("--show", help="Print the file of one position and stop.")] = "",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Try the fresh positions only, which no player was improved with.")
    ] = False,
    puzzles: Annotated[
        bool, typer.Option("--puzzles", help="Try mined puzzles instead that no player was improved with.")
    ] = False,
    json: bool = JSON,
) -> None:
    """Let a player try positions with an obviously right answer and count how many it finds."""
    from dieselfront.cli.workers import progress_bar
    from dieselfront.lab import blunders as suite

    if folder is None:
        ruleset = ruleset or rulesets.DEFAULT
    elif fresh or puzzles:
        raise typer.BadParameter("--fresh and --puzzles are about our own positions, not about a folder of yours")
    if ruleset:
        known(ruleset)
    with plain_words():
        wanted = [show] if show else only or []
        if folder is not None:
            positions = suite.in_folder(folder, ruleset, wanted)
            ruleset = ", ".join(sorted({one.ruleset for one in positions}))
        else:
            positions = _unused_puzzles(ruleset, wanted) if puzzles else suite.chosen(ruleset, wanted, fresh)
        if show:
            typer.echo(positions[0].data.decode("utf-8"), nl=False)
            return
        with progress_bar(len(positions)) as step:
            report = suite.measure(ruleset, player, seeds, progress=step, positions=positions)
    if json:
        print_json(report)
    else:
        _print_blunders(report)


def _unused_puzzles(ruleset: str, only: list[str]) -> list[Any]:
    """Puzzles that may still prove something, as positions of the suite."""
    from dieselfront.lab.puzzles import unused

    return [one.blunder for one in unused(ruleset, only)]


def _print_blunders(report: Any) -> None:
    from dieselfront.cli.show import item, paragraph, table

    paragraph(f"{report.player} in {report.ruleset}: {report.found} of {report.total} positions found", style="bold")
    rows = [
        ("found" if one.found else "missed", f"{one.right}/{one.tries}", one.id, one.title) for one in report.positions
    ]
    table("", ("", "right", "position", "what it is about"), rows)
    missed = [one for one in report.positions if not one.found]
    if missed:
        paragraph("What it did instead:", style="bold")
    for one in missed:
        item(f"{one.id}: {'; '.join(one.did) or 'nothing'}. {one.why}")
    paragraph(
        f"{report.share:.0%} of all; {report.special_found} of {report.special_total} about special rules.",
        label="Found",
    )
