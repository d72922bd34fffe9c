"""`dieselfront lab balance|selfplay|export|learn`: what armies are worth, data of played games, learned worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dieselfront import rulesets
from dieselfront.cli.errors import UserError, print_json
from dieselfront.cli.guard import plain_words
from dieselfront.cli.league import OUTPUT, RULESET, SEED
from dieselfront.cli.rulesets import JSON, known
from dieselfront.cli.show import item, paragraph, table
from dieselfront.cli.workers import CLUSTER, RESUME, WORKERS, ClusterCommand, hired, print_result, print_work

FEW = 10


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("balance", cls=ClusterCommand)(balance)
    app.command("selfplay", cls=ClusterCommand)(selfplay)
    app.command("export", cls=ClusterCommand)(export)
    app.command("learn")(learn)


def balance(
    ruleset: Annotated[str, RULESET] = rulesets.DEFAULT,
    player: Annotated[str, typer.Option("--player", "-p", help="The computer player on both sides.")] = "veteran",
    games: Annotated[
        int,
        typer.Option("--games", "-n", min=2, max=100_000, help="Games a scenario and pair of armies; an even number."),
    ] = 4,
    units: Annotated[
        int, typer.Option("--units", min=0, max=1_000_000, help="Games between random armies: what units add.")
    ] = 200,
    scenario: Annotated[
        list[str] | None, typer.Option("--scenario", help="Only this scenario; may be given several times.")
    ] = None,
    army: Annotated[
        list[str] | None, typer.Option("--army", help="Instead of the starter lists: this one; give two or more.")
    ] = None,
    seed: Annotated[str, SEED] = "1",
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    resume: Annotated[Path | None, RESUME] = None,
    report: Annotated[Path | None, typer.Option("--report", help="Write a page with charts to this HTML file.")] = None,
    output: Annotated[Path | None, OUTPUT] = None,
    json: bool = JSON,
) -> None:
    """Measure armies, scenarios, sides and units in the hands of equal players, with 95 % intervals.

    A warning names everything whose whole interval lies outside of 45 to 55 %.
    """
    from dieselfront.cli.league import write_json
    from dieselfront.lab import balance as lab

    known(ruleset)
    wanted = lab.Balance(ruleset, player, games, units, seed, tuple(scenario or ()), tuple(army or ()))
    with plain_words():
        total = lab.games_of(wanted)
    with hired(workers, cluster, resume, total) as crew:
        measured = lab.measure(wanted, crew)
    write_json(measured, output)
    if report is not None:
        from dieselfront.lab.balance_page import page

        with plain_words():
            report.write_text(page(measured), encoding="utf-8")
    if json:
        print_result(measured, crew)
        return
    _print_balance(measured)
    print_work(crew)


def _print_balance(measured: Any) -> None:
    sides = rulesets.load(measured.ruleset).sides
    paragraph(f"{measured.games + measured.unit_games} games of {measured.ruleset} by {measured.player}", style="bold")
    head = ("", "games", "won", "drawn", "share", "95 % interval", "")
    table(f"Scenarios: how often {sides[0]} wins", head, map(_share, measured.scenarios))
    table("First activation", head, [_share(measured.first_player)])
    table("Armies", head, map(_share, measured.armies))
    table("Army against army", head, map(_share, measured.pairs))
    if measured.units:
        rows = [
            (one.card, one.games, f"{one.adds:+.1f}", f"{one.low:+.1f} … {one.high:+.1f}", f"{one.per_point:+.2f}")
            for one in (measured.units if len(measured.units) <= 2 * FEW else _ends(measured.units))
        ]
        title = "What a tenth of the army in a card adds, in percentage points (best and worst; --json lists all)"
        table(title, ("card", "games", "adds", "95 % interval", "per point"), rows)
    paragraph("; ".join(measured.warnings) or "nothing is proven to be lopsided", label="Warnings")
    paragraph(measured.digest, label="Digest")


def _ends(units: list[Any]) -> list[Any]:
    return [*units[:FEW], *units[-FEW:]]


def _share(one: Any) -> tuple[Any, ...]:
    return one.name, one.games, one.won, one.drawn, f"{one.share:.0%}", f"{one.low:.0%} – {one.high:.0%}", one.verdict


def selfplay(
    output: Annotated[Path, typer.Option("--output", "-o", help="The Parquet file to write.")],
    ruleset: Annotated[str, RULESET] = rulesets.DEFAULT,
    players: Annotated[
        str, typer.Option("--players", "-p", help="Two computer players with a comma between them; sides change.")
    ] = "regular,regular",
    games: Annotated[int, typer.Option("--games", "-n", min=1, max=1_000_000, help="How many games.")] = 100,
    scenario: Annotated[str, typer.Option("--scenario", help="A scenario, or any of the game's own in turn.")] = "any",
    random_armies: Annotated[
        bool, typer.Option("--random-armies", help="New random armies for every battle instead of the starter lists.")
    ] = False,
    every: Annotated[
        int, typer.Option("--every", min=1, max=1000, help="Take a position at every so many activations.")
    ] = 2,
    seed: Annotated[str, SEED] = "selfplay",
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    resume: Annotated[Path | None, RESUME] = None,
    json: bool = JSON,
) -> None:
    """Let computer players play and write positions with features and results as Parquet (docs/data.md)."""
    from dieselfront.cli.simulate import two
    from dieselfront.lab import dataset
    from dieselfront.lab import selfplay as lab

    known(ruleset)
    wanted = lab.SelfPlay(ruleset, games, seed, two(players), scenario, random_armies, every)
    with hired(workers, cluster, resume, games) as crew:
        dataset.arrow()
        played = lab.play(wanted, crew)
        about = dataset.about_selfplay(wanted, played)
        positions = dataset.write_positions(output, dataset.from_selfplay(wanted, played), about)
    result = {"games": games, "positions": positions, "file": str(output), "digest": about["digest"]}
    if json:
        print_result(result, crew)
        return
    paragraph(f"{positions} positions of {games} games of {ruleset} in {output}", style="bold")
    paragraph(about["digest"], label="Digest")
    print_work(crew)


def export(
    records: Annotated[
        list[Path], typer.Argument(help="Records of finished games, or folders of them (simulate --save, web app).")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write the dataset into.")],
    every: Annotated[
        int, typer.Option("--every", min=1, max=1000, help="Take a position at every so many activations.")
    ] = 2,
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    resume: Annotated[Path | None, RESUME] = None,
    json: bool = JSON,
) -> None:
    """Make a dataset of finished games: records, results and positions as Parquet (docs/data.md).

    Every record is replayed and proven on the way; files that are no finished games are left out and named.
    """
    from dieselfront.lab import dataset

    files = _records(records)
    with hired(workers, cluster, resume, len(files), "records") as crew:
        result = dataset.export(files, output, every, crew)
    if json:
        print_result(result, crew)
        return
    paragraph(f"{result.games} games with {result.positions} positions in {output}", style="bold")
    for name in result.files:
        item(name)
    for name, reason in result.left_out.items():
        paragraph(f"{name}: {reason}", label="Left out")
    paragraph(result.digest, label="Digest")


def _records(given: list[Path]) -> list[Path]:
    files: list[Path] = []
    for path in given:
        if not path.exists():
            raise UserError(f"There is no file or folder '{path}'.")
        files += sorted(path.glob("*.json")) if path.is_dir() else [path]
    return files


def learn(
    data: Annotated[list[Path], typer.Argument(help="Files of positions of one game, written by `lab selfplay`.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write the model into.")],
    trees: Annotated[int, typer.Option("--trees", min=1, max=5000, help="How many trees are grown.")] = 160,
    json: bool = JSON,
) -> None:
    """Learn the chance to win from positions (boosted trees), and prove it on games left out.

    A model in the folder of a game, as adviser/value.json, is what the game uses (docs/opponents.md).
    """
    from dieselfront.lab import learn as lab

    with plain_words():
        model = lab.learn(data, trees)
        size = lab.write(model, output)
    measured = model.measured
    if json:
        print_json({"ruleset": model.ruleset, "bytes": size, "digest": model.digest, "measured": measured})
        return
    paragraph(f"{model.ruleset}: {measured.positions} positions of {measured.games} games, {size} bytes", style="bold")
    losses = (("learned", measured.loss), ("hand-made", measured.hand_made_loss), ("a coin", measured.coin_loss))
    table("Log loss on games left out", ("", "loss"), [(name, f"{loss:.4f}") for name, loss in losses])
    rows = [(f"{one.chance:.0%}", f"{one.won:.0%}", one.positions) for one in measured.calibration]
    table("Calibration on games left out", ("chance", "won", "positions"), rows)
    paragraph(f"{measured.calibration_error:.1%} apart on average.", label="Calibration")
    paragraph(model.digest, label="Digest")
