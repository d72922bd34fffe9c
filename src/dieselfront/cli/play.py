"""`dieselfront play`: a game in this terminal, against the computer, a friend, or none at all."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from dieselfront import rulesets
from dieselfront.cli.errors import UserError
from dieselfront.cli.guard import plain_words
from dieselfront.cli.simulate import options_from

PERSON = "you"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play")(play)


def play(
    ruleset: Annotated[
        str, typer.Option("--ruleset", "-r", help="The game, as `dieselfront rulesets` lists it.")
    ] = rulesets.DEFAULT,
    scenario: Annotated[str, typer.Option("--scenario", help="A scenario's id, a file, or random:SEED.")] = "",
    blue: Annotated[str, typer.Option("--blue", help="Blue's army: a starter list, a file, or random:NUMBER.")] = "",
    red: Annotated[str, typer.Option("--red", help="Red's army, in the same form.")] = "",
    players: Annotated[
        str,
        typer.Option(
            "--players",
            "-p",
            help="Who plays, blue first: you, or a computer: random, recruit, regular, veteran, ace, marshal; "
            "veteran:cautious gives it a personality (cautious, aggressive, objective-minded).",
        ),
    ] = "you,regular",
    watch: Annotated[bool, typer.Option("--watch", help="Watch two computers fight.")] = False,
    delay: Annotated[
        float, typer.Option("--delay", min=0.0, max=60.0, help="Seconds between activations when watching.")
    ] = 1.0,
    dice: Annotated[str, typer.Option("--dice", help="fair, or typed: you roll real dice and type them in.")] = "fair",
    seed: Annotated[str, typer.Option("--seed", "-s", help="The dice seed; a fresh secret one if left out.")] = "",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="A ruling of your group, NAME=CHOICE; may be given several times."),
    ] = None,
    load: Annotated[Path | None, typer.Option("--load", help="Continue a saved game.")] = None,
    record: Annotated[
        Path | None, typer.Option("--record", help="Write the record of the game here when it ends.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Start at once, without the setup page.")] = False,
) -> None:
    """Play a game in this terminal: press Enter and a sensible battle begins.

    Enter always does what the computer would do in your place; h lists the commands; ? explains the rule at hand.
    """
    from dieselfront.cli.simulate import two
    from dieselfront.cli.terminal.start import Battle, Leave, ask

    if dice not in ("fair", "typed"):
        raise UserError(f"--dice is fair or typed, not '{dice}'.")
    wanted = Battle(
        ruleset=ruleset,
        scenario=scenario,
        blue=blue,
        red=red,
        seats=["regular", "regular"] if watch else list(two(players)),
        seed=seed or None,
        typed_dice=dice == "typed",
        options=options_from(option or []),
    )
    console = _console()
    with plain_words():
        if load is not None:
            _run(_loaded(load), wanted.seats, wanted.ruleset, console, delay, record)
            return
        wanted.settle()
        if not (yes or watch) and sys.stdin.isatty():
            try:
                ask(wanted, console)
            except Leave:
                return
        _run(_new(wanted), wanted.seats, wanted.ruleset, console, delay, record)


def _console() -> Any:
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


def _new(wanted: Any) -> Any:
    from dieselfront.scenarios import battle

    seed = None if wanted.typed_dice else wanted.seed or secrets.token_hex(16)
    header = battle.header(
        wanted.ruleset,
        wanted.scenario,
        [wanted.blue, wanted.red],
        seed=seed,
        seats=wanted.seats,
        options=wanted.options,
    )
    return battle.start(header, seed)


def _loaded(path: Path) -> Any:
    from dieselfront import rulesets
    from dieselfront.kernel.record import load, replay

    kept = load(path.read_bytes(), path.name)
    return replay(rulesets.load(kept.header.ruleset), kept)


def _run(game: Any, seats: list[str], ruleset: str, console: Any, delay: float, record: Path | None) -> None:
    from dieselfront.cli.terminal.table import Left, Table, save
    from dieselfront.players import make

    seeds = [f"{game.header.commitment or 'typed'}/{side}" for side in (0, 1)]
    players = [None if seat == PERSON else make(seat, seeds[side], ruleset) for side, seat in enumerate(seats)]
    advisor = make("regular", "advice", ruleset)
    table = Table(game, players, advisor, console, delay=delay if console.is_terminal else 0.0)
    try:
        table.play()
    except (Left, KeyboardInterrupt):
        console.print("You leave the table.")
    if record is not None:
        save(game, record)
        console.print(f"The record is in {record}; `dieselfront replay show {record}` tells the battle.")
