"""`dieselfront simulate`: computer players fight many games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dieselfront import rulesets
from dieselfront.cli.errors import UserError
from dieselfront.cli.rulesets import JSON
from dieselfront.cli.workers import CLUSTER, RESUME, WORKERS, ClusterCommand, hired, print_result, print_work

ANY = "any"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate", cls=ClusterCommand)(simulate)


def simulate(
    ruleset: Annotated[
        str, typer.Option("--ruleset", "-r", help="The game, as `dieselfront rulesets` lists it.")
    ] = rulesets.DEFAULT,
    games: Annotated[int, typer.Option("--games", "-n", min=1, max=1_000_000, help="How many games.")] = 10,
    seed: Annotated[
        str, typer.Option("--seed", "-s", help="The same seed plays the same games, on any machine.")
    ] = "1",
    players: Annotated[
        str, typer.Option("--players", "-p", help="Two computer players, blue first: LEVEL or LEVEL:PERSONALITY.")
    ] = "random,random",
    blue: Annotated[
        str,
        typer.Option(
            "--blue", help="Blue's army: a starter list, a file, random:NUMBER, random:any, or any of the starters."
        ),
    ] = ANY,
    red: Annotated[str, typer.Option("--red", help="Red's army, in the same form.")] = ANY,
    scenario: Annotated[
        str, typer.Option("--scenario", help="A scenario's id, a file, random:SEED, or any of the game's own in turn.")
    ] = ANY,
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    resume: Annotated[Path | None, RESUME] = None,
    swap: Annotated[
        bool, typer.Option("--swap", help="Change sides every game, each battle fought both ways.")
    ] = False,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="A ruling of your group, NAME=CHOICE; may be given several times."),
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Write a record of every game into this folder.")] = None,
    json: bool = JSON,
) -> None:
    """Let computer players fight many games and count the wins.

    The digest is a hash of all games: the same for the same seed, however many workers play them.
    """
    from dieselfront.lab import simulate as lab

    matches = lab.Matches(
        ruleset=ruleset,
        games=games,
        seed=seed,
        players=two(players),
        blue=blue,
        red=red,
        scenario=scenario,
        options=options_from(option or []),
        swap=swap,
        save=str(save) if save else "",
    )
    with hired(workers, cluster, resume, games) as crew:
        report = lab.simulate(matches, crew)
    if json:
        print_result(report, crew)
    else:
        _print(report)
        print_work(crew)


def two(players: str) -> tuple[str, str]:
    """Two player names from "A,B"."""
    names = [name.strip() for name in players.split(",")]
    if len(names) != 2 or not all(names):
        raise UserError(
            f"--players wants two names with a comma between them, such as regular,random, not '{players}'."
        )
    return names[0], names[1]


def options_from(given: list[str]) -> dict[str, str]:
    """House rulings from NAME=CHOICE."""
    chosen: dict[str, str] = {}
    for text in given:
        name, equals, choice = text.partition("=")
        if not equals:
            raise UserError(
                f"--option wants NAME=CHOICE, not '{text}'; `dieselfront rules options RULESET` lists them."
            )
        chosen[name.strip()] = choice.strip()
    return chosen


def _print(report: Any) -> None:
    from dieselfront.cli.show import paragraph, table

    rows = [(name, won, f"{won / report.games:.0%}") for name, won in report.wins.items()]
    rows.append(("draw", report.draws, f"{report.draws / report.games:.0%}"))
    paragraph(
        f"{report.games} games of {report.ruleset}, {report.players[0]} against {report.players[1]}", style="bold"
    )
    table("", ("won by", "games", "share"), rows)
    rate = report.games / report.seconds if report.seconds else 0.0
    paragraph(
        f"{report.decisions} decisions, {report.events} events, {report.turns:g} turns a game; "
        f"{report.seconds:.1f} s, {rate:.1f} games a second."
    )
    paragraph(report.digest, label="Digest")
