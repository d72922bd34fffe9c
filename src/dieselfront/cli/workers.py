"""Who does the work of long commands: `--workers`, `--cluster` and `--resume`, the bar, and how well it went."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer
from typer.core import TyperCommand

from dieselfront.cli.errors import print_json
from dieselfront.cli.guard import plain_words
from dieselfront.cli.show import paragraph

if TYPE_CHECKING:
    from dieselfront.lab.crew import Crew

WORKERS = typer.Option(
    "--workers", "-w", min=1, max=256, help="How many games or runs at once: processes, or CPUs of a local cluster."
)
CLUSTER = typer.Option(
    "--cluster", metavar="[ADDRESS]", help="Work on a Ray cluster: its address, or none for one on this machine."
)
RESUME = typer.Option(
    "--resume", help="Keep every result in this file; the same command with it continues where it was stopped."
)
LOCAL = "local"


class ClusterCommand(TyperCommand):
    """A command whose `--cluster` may stand alone."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, spelled_out(args))


def spelled_out(arguments: list[str]) -> list[str]:
    """Put `local` behind a `--cluster` that names no address."""
    spelled: list[str] = []
    for place, word in enumerate(arguments):
        spelled.append(word)
        following = arguments[place + 1 : place + 2]
        if word == "--cluster" and (not following or following[0].startswith("-")):
            spelled.append(LOCAL)
    return spelled


@contextmanager
def hired(workers: int | None, cluster: str, resume: Path | None, total: int, what: str = "battles") -> Iterator[Crew]:
    """A crew for the length of a command, with a bar on stderr while a person is watching (none for a total of 0)."""
    from dieselfront.lab.crew import Crew

    processes = workers or ((os.cpu_count() or 1) if cluster else 1)
    bar = progress_bar(total, what) if total else nullcontext()
    with plain_words(), bar as step, Crew(processes, cluster, resume, step) as crew:
        yield crew


@contextmanager
def progress_bar(total: int, what: str = "battles") -> Iterator[Callable[[Any], None]]:
    """A bar on stderr while a person is watching."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)
        yield lambda _: bar.advance(task)


def print_result(result: Any, crew: Crew) -> None:
    """The result as JSON, with how the work went beside it."""
    print_json(msgspec.to_builtins(result, str_keys=True) | {"work": crew.efficiency})


def print_work(crew: Crew) -> None:
    """How the work went, in a line."""
    work = crew.efficiency
    workers = f"{work.workers} worker{'s' * (work.workers > 1)} ({work.on})"
    parts = [f"{workers}, {work.seconds:.1f} s, {work.efficiency:.0%} of their time in tasks"]
    if work.resumed:
        parts.append(f"{work.resumed} of {work.tasks} results from the file")
    if work.repeated:
        parts.append(f"{work.repeated} tasks done again after a worker died")
    paragraph("; ".join(parts) + ".", label="Work")
