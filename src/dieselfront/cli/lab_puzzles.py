"""`dieselfront lab puzzles`: mine puzzles from self-play, check those there are, and mark those used for tuning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dieselfront import rulesets
from dieselfront.cli.errors import UserError, print_json
from dieselfront.cli.guard import plain_words
from dieselfront.cli.league import RULESET, SEED
from dieselfront.cli.rulesets import JSON, known
from dieselfront.cli.show import item, paragraph, table
from dieselfront.cli.workers import CLUSTER, RESUME, WORKERS, hired, print_result, print_work


def puzzles(
    ruleset: Annotated[str, RULESET] = rulesets.DEFAULT,
    number: Annotated[int, typer.Option("--puzzles", "-n", min=1, max=10_000, help="How many puzzles.")] = 10,
    games: Annotated[
        int, typer.Option("--games", min=1, max=1_000_000, help="Search at most so many games of self-play.")
    ] = 60,
    player: Annotated[str, typer.Option("--player", "-p", help="The computer player on both sides.")] = "veteran",
    scenario: Annotated[str, typer.Option("--scenario", help="A scenario, or any of the game's own in turn.")] = "any",
    seed: Annotated[str, SEED] = "puzzles",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The folder to write the puzzles into, a file each.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Mine nothing: are the puzzles that come with the game still sound?")
    ] = False,
    mark_used: Annotated[
        list[Path] | None,
        typer.Option("--mark-used", help="Mine nothing: mark this file as used for tuning; may be repeated."),
    ] = None,
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    resume: Annotated[Path | None, RESUME] = None,
    json: bool = JSON,
) -> None:
    """Mine positions of self-play in which one activation is clearly best (docs/puzzles.md).

    The same seed gives the same puzzles for any number of workers.
    """
    known(ruleset)
    if mark_used:
        _mark(mark_used)
    elif check:
        _check(ruleset, json)
    else:
        _mine(ruleset, number, games, player, scenario, seed, output, workers, cluster, resume, json)


def _mine(
    ruleset: str,
    number: int,
    games: int,
    player: str,
    scenario: str,
    seed: str,
    output: Path | None,
    workers: int | None,
    cluster: str,
    resume: Path | None,
    json: bool,
) -> None:
    from dieselfront.lab import puzzle_mine as lab
    from dieselfront.lab.puzzles import write

    wanted = lab.Mining(ruleset, number, games, seed, player, scenario)
    with hired(workers, cluster, resume, games) as crew:
        mined = lab.mine(wanted, crew)
    files = [str(write(one, output)) for one in mined] if output is not None else []
    if json:
        print_result({"ruleset": ruleset, "seed": seed, "puzzles": mined, "files": files}, crew)
        return
    paragraph(f"{len(mined)} puzzles of {ruleset}", style="bold")
    rows = [
        (
            one.id,
            ", ".join(one.puzzle.themes),
            one.puzzle.difficulty,
            f"{one.puzzle.best:.0%}",
            f"{one.puzzle.next_best:.0%}",
        )
        for one in mined
    ]
    table("", ("puzzle", "themes", "difficulty", "solution", "next best"), rows)
    if len(mined) < number:
        paragraph(f"{games} games gave no more; --games searches more of them.", label="Fewer")
    print_work(crew)


def _check(ruleset: str, json: bool) -> None:
    from dieselfront.lab.puzzles import broken
    from dieselfront.lab.puzzles import puzzles as shipped

    with plain_words():
        reasons = broken(ruleset)
        total = len(shipped(ruleset))
    if json:
        print_json({"ruleset": ruleset, "puzzles": total, "broken": reasons})
    else:
        paragraph(f"{total - len(reasons)} of {total} puzzles of {ruleset} are sound.", style="bold")
        for id, reason in reasons.items():
            item(f"{id}: {reason}")
    if reasons:
        raise typer.Exit(1)


def _mark(files: list[Path]) -> None:
    from dieselfront.lab.puzzles import mark_used, read_puzzle

    for file in files:
        if not file.is_file():
            raise UserError(f"There is no file '{file}'.")
    with plain_words():
        for file in files:
            read_puzzle(file.read_bytes(), file.stem)
            mark_used(file)
    paragraph(f"{len(files)} puzzles are marked as used for tuning.")
