"""`dieselfront lab league`, `lab tune` and `lab fit`: computer players against each other, and what they weigh."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dieselfront import rulesets
from dieselfront.cli.errors import UserError
from dieselfront.cli.guard import plain_words
from dieselfront.cli.rulesets import JSON, known
from dieselfront.cli.workers import CLUSTER, RESUME, WORKERS, hired, print_result, print_work

if TYPE_CHECKING:
    from dieselfront.lab.crew import Crew

RULESET = typer.Option("--ruleset", "-r", help="The game, as `dieselfront rulesets` lists it.")
SEED = typer.Option("--seed", "-s", help="The same seed plays the same games, on any machine.")
OUTPUT = typer.Option("--output", "-o", help="Write the result into this file as JSON, too.")


def league(
    ruleset: Annotated[str, RULESET] = rulesets.DEFAULT,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            "-p",
            help="Players with commas between them, each as LEVEL or LEVEL:PERSONALITY; neighbours meet.",
        ),
    ] = "ace,veteran,regular,random",
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", min=2, max=1_000_000, help="Games a pair; an even number, each battle is fought both ways."
        ),
    ] = 200,
    seed: Annotated[str, SEED] = "1",
    everybody: Annotated[bool, typer.Option("--all", help="Everybody meets everybody, not only neighbours.")] = False,
    timed: Annotated[bool, typer.Option("--thinking", help="Tell how long the players thought, too.")] = False,
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    resume: Annotated[Path | None, RESUME] = None,
    output: Annotated[Path | None, OUTPUT] = None,
    json: bool = JSON,
) -> None:
    """Play a league and print who beats whom, with 95 % intervals (Wilson)."""
    from dieselfront.lab import league as lab

    known(ruleset)
    names = tuple(name.strip() for name in players.split(",") if name.strip())
    wanted = lab.League(ruleset, names, games, seed, everybody, timed)
    with hired(workers, cluster, resume, lab.games_of(wanted)) as crew:
        table = lab.play(wanted, crew)
    _finish(table, output, json, crew)
    if not json:
        _print_pairs(table.pairs)


def tune(
    ruleset: Annotated[str, RULESET] = rulesets.DEFAULT,
    level: Annotated[
        str, typer.Option("--level", help="The level whose weights play; regular is the quickest.")
    ] = "regular",
    weight: Annotated[
        list[str] | None, typer.Option("--weight", help="Tune this weight only; may be given several times.")
    ] = None,
    matches: Annotated[
        int, typer.Option("--matches", min=1, max=100_000, help="Matches; each shifts all weights at once.")
    ] = 20,
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, max=1_000_000, help="Games a match, an even number.")
    ] = 12,
    proof: Annotated[
        int, typer.Option("--proof", min=0, max=1_000_000, help="Games of the new weights against the old ones.")
    ] = 100,
    seed: Annotated[str, SEED] = "1",
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    resume: Annotated[Path | None, RESUME] = None,
    output: Annotated[Path | None, OUTPUT] = None,
    json: bool = JSON,
) -> None:
    """Look for better weights of the computer players (SPSA), and prove them against the old ones."""
    from dieselfront.lab import league as lab

    known(ruleset)
    if games % 2 or proof % 2:
        raise UserError("Every battle is fought both ways: --games and --proof want even numbers.")
    wanted = lab.Tuning(ruleset, level, matches, games, proof, seed, tuple(weight or ()))
    with hired(workers, cluster, resume, lab.games_of(wanted)) as crew:
        tuned = lab.tune(wanted, crew)
    _finish(tuned, output, json, crew)
    if not json:
        _print_tuned(tuned)


def fit(
    ruleset: Annotated[str, RULESET] = rulesets.DEFAULT,
    games: Annotated[
        int, typer.Option("--games", "-n", min=8, max=1_000_000, help="Games that positions are taken from.")
    ] = 440,
    noise: Annotated[
        float,
        typer.Option("--noise", min=0.0, max=1000.0, help="Points by which the players err, so that games differ."),
    ] = 0.8,
    seed: Annotated[str, SEED] = "fit",
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    resume: Annotated[Path | None, RESUME] = None,
    output: Annotated[Path | None, OUTPUT] = None,
    json: bool = JSON,
) -> None:
    """Fit what features of a position are worth to who won (logistic regression over played games)."""
    from dieselfront.cli.show import paragraph, table
    from dieselfront.lab import fit as lab

    known(ruleset)
    with hired(workers, cluster, resume, games) as crew:
        fitted = lab.fit(lab.Fitting(ruleset, games, seed, noise), crew)
    _finish(fitted, output, json, crew)
    if not json:
        paragraph(f"{fitted.positions} positions of {fitted.games} games of {fitted.ruleset}", style="bold")
        rows = [(name, f"{early:.3f}", f"{end:.3f}") for name, (early, end) in fitted.weights.items()]
        table("", ("feature", "at the beginning", "at the end"), rows)
        paragraph(f"{fitted.loss} on games left out; {fitted.before} with the outlook in use.", label="Log loss")


def write_json(result: Any, output: Path | None) -> None:
    """Write a result into a file, if one is named."""
    import msgspec

    if output is not None:
        with plain_words():
            output.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n")


def _finish(result: Any, output: Path | None, json: bool, crew: Crew) -> None:
    write_json(result, output)
    if json:
        print_result(result, crew)
    else:
        print_work(crew)


def _print_pairs(pairs: Any) -> None:
    from dieselfront.cli.show import table

    rows = [
        (
            f"{one.first} – {one.second}",
            one.games,
            one.won,
            one.drawn,
            one.lost,
            f"{one.share:.1%}",
            f"{one.low:.1%} – {one.high:.1%}",
        )
        for one in pairs
    ]
    table("", ("players", "games", "won", "drawn", "lost", "share", "95 % interval"), rows)
    timed = [
        (name, against, one.choices, f"{one.median:.2f} s", f"{one.longest:.2f} s")
        for pair in pairs
        for name, against, one in zip((pair.first, pair.second), (pair.second, pair.first), pair.thinking)  # noqa: B905
        if one.choices
    ]
    if timed:
        table("Thinking, processor time a choice", ("player", "against", "choices", "median", "longest"), timed)


def _print_tuned(tuned: Any) -> None:
    from dieselfront.cli.show import paragraph, table

    paragraph(f"Weights of {tuned.level} in {tuned.ruleset} after {len(tuned.scores)} matches", style="bold")
    rows = [(name, f"{number:.3f}", f"{tuned.after[name]:.3f}") for name, number in tuned.before.items()]
    table("", ("weight", "before", "after"), rows)
    if tuned.proof is not None:
        _print_pairs([tuned.proof])
