"""The command line `dieselfront`: its commands, each loaded only when it is called.

A command lives in a module of this package and is named in COMMANDS. The module exposes either `app`, a
`typer.Typer` (a group such as `rules`, or one command under its own name), or `register(app)`, which adds the
command to the Typer it is given. A module that does not exist yet is left out of the help.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import os
import sys
from typing import Any, NamedTuple

import typer

from dieselfront.cli.errors import EXIT_USER_ERROR, UserError, complain, unknown
from dieselfront.cli.plain_values import spare_pydantic

HELP = """Weird-war miniature wargames, played by their full rules.

Start with `dieselfront rulesets` for the games, `dieselfront play` for a battle in this terminal, and
`dieselfront COMMAND --help` for everything a command can do. Most commands print JSON with `--json`.
"""
EXIT_BUG = 1
EXIT_INTERRUPTED = 130
SETTINGS = {"help_option_names": ["-h", "--help"]}


class Command(NamedTuple):
    """A command: the word the user types, where it lives, its line in the overview, the extra it may need."""

    name: str
    module: str
    help: str
    extra: str = ""


COMMANDS = (
    Command("play", "play", "Play a game in this terminal, against the computer or a friend."),
    Command("serve", "serve", "Start the web app on this machine.", "server"),
    Command("server", "server", "Back up, restore and tidy a server's database.", "server"),
    Command("rulesets", "rulesets", "List the games."),
    Command("rules", "rules", "Look up rules; see which are implemented and tested."),
    Command("cards", "cards", "Browse unit cards; check homebrew ones."),
    Command("army", "army", "Import, check, build and print army lists.", "print"),
    Command("odds", "odds", "Exact odds of an attack."),
    Command("referee", "referee", "Ask the referee about a position: questions and choices in, answers out."),
    Command("simulate", "simulate", "Let computer players fight many games."),
    Command("lab", "lab", "Measure computer players and balance; make datasets of games.", "learn"),
    Command("replay", "replay", "Verify, show or export a recorded game."),
    Command("bench", "bench", "Compare our speed with other programs.", "bench"),
    Command("schema", "schema", "Print the JSON Schema of one of our file formats."),
)


SELDOM = (20_000, 10, 10)
"""Modules and cards are many objects and hardly any cycles: Python need not look for cycles that often."""


def main() -> None:
    """Run the command line: 0 on success, 2 and one sentence when the user can mend it, never a traceback."""
    try:
        run(sys.argv[1:])
    except UserError as error:
        complain(error.message)
        raise SystemExit(EXIT_USER_ERROR) from None
    except KeyboardInterrupt:
        raise SystemExit(EXIT_INTERRUPTED) from None
    except BrokenPipeError:
        _drop_stdout()
        raise SystemExit(0) from None
    except Exception as error:
        if os.environ.get("DIESELFRONT_DEBUG"):
            raise
        if _is_about_a_book(error):
            complain(f"{error}.")
            raise SystemExit(EXIT_USER_ERROR) from None
        complain(
            f"this is a mistake of ours, not yours: {type(error).__name__}: {error}. "
            "Run it again with DIESELFRONT_DEBUG=1 for the details, and please report them."
        )
        raise SystemExit(EXIT_BUG) from None


def _is_about_a_book(error: Exception) -> bool:
    """Is it a rulebook that cannot be read, as somebody who writes a game may have it?"""
    from dieselfront.rulebook import RulebookError  # needed only where something is wrong

    return isinstance(error, RulebookError)


def run(arguments: list[str]) -> None:
    """Carry out one command line; the command named in it is the only one that gets loaded."""
    gc.set_threshold(*SELDOM)
    commands = available()
    wanted = next((word for word in arguments if not word.startswith("-")), None)
    if wanted is not None and wanted not in commands:
        raise unknown("command", wanted, commands, listed_by="dieselfront --help")
    spare_pydantic()
    build(commands, wanted)(args=arguments, prog_name="dieselfront")


def available() -> dict[str, Command]:
    """The commands whose module exists, in the order of the overview."""
    return {command.name: command for command in COMMANDS if _exists(command)}


def build(commands: dict[str, Command], wanted: str | None) -> typer.Typer:
    """The Typer application: the wanted command for real, of all others only the line in the overview."""
    app = typer.Typer(
        help=HELP,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=SETTINGS,
    )
    app.callback()(_front)
    for command in commands.values():
        if command.name == wanted:
            mount(app, command)
        else:
            app.command(command.name, help=command.help)(_stub)
    return app


def mount(app: typer.Typer, command: Command) -> None:
    """Load a command's module and hang it into the application."""
    module = _load(command)
    group: typer.Typer | None = getattr(module, "app", None)
    if group is None:
        module.register(app)
    elif _is_single(group, command.name):
        app.registered_commands.extend(group.registered_commands)
    else:
        app.add_typer(group, name=command.name, help=command.help)


def _is_single(group: typer.Typer, name: str) -> bool:
    """A Typer with one command that bears the group's own name is that command, not a group around it."""
    alone = len(group.registered_commands) == 1 and not group.registered_groups and not group.registered_callback
    if not alone:
        return False
    only = group.registered_commands[0]
    return name == (only.name or getattr(only.callback, "__name__", ""))


def _load(command: Command) -> Any:
    try:
        return importlib.import_module(f"dieselfront.cli.{command.module}")
    except ModuleNotFoundError as missing:
        if not command.extra or (missing.name or "").startswith("dieselfront"):
            raise
        raise UserError(
            f"`dieselfront {command.name}` needs the package '{missing.name}', which is not installed; "
            f"install it with: pip install 'dieselfront[{command.extra}]'."
        ) from None


def _exists(command: Command) -> bool:
    return importlib.util.find_spec(f"dieselfront.cli.{command.module}") is not None


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"dieselfront {version('dieselfront')}")
        raise typer.Exit


_VERSION = typer.Option(False, "--version", help="Print the version and stop.", is_eager=True, callback=_print_version)


def _front(version: bool = _VERSION) -> None:
    """Holds the options that stand before a command."""


def _stub() -> None:
    """Stands in the overview for a command that was not asked for."""


def _drop_stdout() -> None:
    """The reader of our output went away; give the interpreter something harmless to flush into."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
