"""`dieselfront rules mutate|watch|exercise`: long runs that prove rules and tests."""

from __future__ import annotations

import hashlib
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dieselfront.cli.errors import UserError, complain, print_json
from dieselfront.cli.rulesets import JSON, known
from dieselfront.cli.show import console, paragraph, table
from dieselfront.cli.workers import CLUSTER, RESUME, WORKERS, ClusterCommand, hired
from dieselfront.rulebook.coverage import tests_folder
from dieselfront.rulesets import DEFAULT, load

if TYPE_CHECKING:
    from dieselfront.lab.exercise import Used
    from dieselfront.lab.watch import Watched

KINDS = ("units", "weapons", "skills", "specials")
FEW = 12


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("mutate", cls=ClusterCommand)(mutate)
    app.command("watch", cls=ClusterCommand)(watch)
    app.command("exercise", cls=ClusterCommand)(exercise)


@contextmanager
def _bar(label: str, total: float, *, counted: str) -> Iterator[Any]:
    """A bar on stderr while a person is watching; yields step(completed, count)."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        *(TextColumn(label), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()),
        TextColumn("{task.fields[count]} " + counted),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(label, total=total, count=0)
        yield lambda completed, count: bar.update(task, completed=completed, count=count)


# -- mutants ------------------------------------------------------------------------------------------


def mutate(
    ruleset: Annotated[str, typer.Argument(help="A game, as `dieselfront rulesets` lists it.")],
    only: Annotated[str, typer.Option("--only", help="Judge only rules whose id contains this.")] = "",
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    resume: Annotated[Path | None, RESUME] = None,
    json: bool = JSON,
) -> None:
    """Switch every skill, weapon rule and terrain effect off in turn; a test marked with its rule must go red."""
    from dieselfront import rulesets
    from dieselfront.lab import mutation

    tests = tests_folder()
    if tests is None:
        raise UserError("The mutation run needs the tests, which are not beside this installation; use a clone.")
    rules = rulesets.load(known(ruleset))
    if not hasattr(rules, "switches"):
        raise UserError(f"{ruleset} has no effects to switch off yet.")
    verdicts = []
    with hired(workers, cluster, resume, len(mutation.mutants(rules)), "mutants") as crew:
        for verdict in mutation.run(rules, tests, only, crew):
            verdicts.append(verdict)
            if not json:
                console().print(f"{verdict.outcome:9} {verdict.rule}  ({verdict.what}, {verdict.tests} tests)")
    alive = [verdict for verdict in verdicts if verdict.outcome != mutation.KILLED]
    if json:
        killed = len(verdicts) - len(alive)
        print_json({"mutants": len(verdicts), "killed": killed, "alive": [v._asdict() for v in alive]})
    else:
        console().print(f"{len(verdicts) - len(alive)} of {len(verdicts)} mutants killed")
    if alive:
        raise typer.Exit(1)


# -- games under watch --------------------------------------------------------------------------------


def watch(
    ruleset: Annotated[str, typer.Argument(help="A game, as `dieselfront rulesets` lists it.")],
    games: Annotated[int, typer.Option("--games", "-n", min=1, max=1_000_000, help="How many games.")] = 100,
    seed: Annotated[str, typer.Option("--seed", "-s", help="The same seed plays the same games.")] = "1",
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    resume: Annotated[Path | None, RESUME] = None,
    json: bool = JSON,
) -> None:
    """Play random games between random armies and check everything after every event and every choice.

    Positions and events against the invariants of the game, every answer offered (the first twelve of long lists) and
    some that are not, a copy at every ninth choice and, at the end of each game, its record, which must replay to the
    same game.
    """
    from dieselfront import rulesets
    from dieselfront.lab import watch as lab
    from dieselfront.lab.invariants import Broken

    if not hasattr(rulesets.load(known(ruleset)), "invariants"):
        raise UserError(f"{ruleset} has no invariants to watch yet.")
    played: list[Watched] = []
    broken: list[str] = []
    started = time.perf_counter()
    with hired(workers, cluster, resume, games) as crew:
        try:
            for one in lab.run(ruleset, games, seed, crew):
                played.append(one)
        except Broken as complaint:
            broken = [str(complaint), *getattr(complaint, "__notes__", ())]
    totals = _added_up(played, time.perf_counter() - started) | {"broken": "; ".join(broken)}
    if json:
        print_json(totals)
    else:
        _print_watched(ruleset, totals)
    if broken:
        complain("; ".join(broken))
        raise typer.Exit(1)


def _added_up(played: list[Watched], seconds: float) -> dict[str, Any]:
    return {
        "games": len(played),
        "decisions": sum(one.decisions for one in played),
        "events": sum(one.events for one in played),
        "seconds": round(seconds, 1),
        "scenarios": Counter(one.scenario for one in played),
        "digest": hashlib.sha256("".join(one.digest for one in played).encode()).hexdigest(),
    }


def _print_watched(ruleset: str, totals: dict[str, Any]) -> None:
    kept = "which kept every invariant before one was broken" if totals["broken"] else "no invariant broken"
    paragraph(f"{totals['games']} random games of {ruleset} under watch, {kept}", style="bold")
    table("", ("scenario", "games"), sorted(totals["scenarios"].items()))
    paragraph(f"{totals['decisions']} decisions, {totals['events']} events, {totals['seconds']} s.")
    paragraph(totals["digest"], label="Digest")


# -- everything used ----------------------------------------------------------------------------------


def exercise(
    ruleset: Annotated[str, typer.Argument(help="A game, as `dieselfront rulesets` lists it.")] = "",
    game: Annotated[str, typer.Option("--ruleset", "-r", help="The same, as an option.")] = "",
    times: Annotated[
        int, typer.Option("--times", "-t", min=1, max=100_000, help="Use everything at least so often.")
    ] = 20,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed plays the same games.")] = 1,
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, max=1_000_000, help="Stop after so many games all the same.")
    ] = 5000,
    together: Annotated[
        int,
        typer.Option("--together", min=1, max=1000, help="Games that begin with the same tallies; as many can work."),
    ] = 1,
    workers: Annotated[int | None, WORKERS] = None,
    cluster: Annotated[str, CLUSTER] = "",
    resume: Annotated[Path | None, RESUME] = None,
    page: Annotated[Path | None, typer.Option("--page", help="Write the tables to this Markdown file too.")] = None,
    json: bool = JSON,
) -> None:
    """Play random games, watched for invariants, until every unit, weapon, skill and special action has been used."""
    from dieselfront.lab import exercise as lab

    asked = known(ruleset or game or DEFAULT)
    if asked not in lab.games():
        raise UserError(f"{asked} cannot be exercised yet; expected {' or '.join(lab.games())}.")
    if page is not None and not page.absolute().parent.is_dir():
        raise UserError(f"'{page}' cannot be written, as its folder does not exist; expected a file in a folder.")
    if together == 1 and ((workers or 1) > 1 or cluster):
        raise UserError("Every game looks for what the games before it left out: --workers needs --together 2 or more.")

    with _bar("used", 1.0, counted="games") as step, hired(workers, cluster, resume, 0) as crew:
        for used in lab.run(times, seed, games, asked, together, crew):
            step(used.done, used.games)
    wanting = used.wanting()
    if page is not None:
        page.write_text(_page(asked, used, seed), encoding="utf-8")
    if json:
        print_json(used._asdict() | {"wanting": wanting})
    else:
        _print_used(used)
    if any(wanting.values()):
        raise typer.Exit(1)


def _totals(used: Used) -> list[tuple[Any, ...]]:
    """The least and the most used of every kind."""
    rows: list[tuple[Any, ...]] = []
    for kind in KINDS:
        counts = getattr(used, kind)
        rows.append((kind, len(counts), min(counts.values()), max(counts.values()), sum(counts.values())))
    return rows


def _listed(counts: Counter[str]) -> list[tuple[Any, ...]]:
    return sorted(counts.items(), key=lambda item: (item[1], item[0]))


def _print_used(used: Used) -> None:
    """What was used how often, what is short, and what cannot be used."""
    paragraph(f"{used.games} games, {used.decisions} decisions, no invariant broken", style="bold")
    table("", ("what", "kinds", "least", "most", "uses"), _totals(used))
    for kind in (*KINDS, "choices"):
        table(kind, ("name", "times"), _listed(getattr(used, kind)))
    paragraph(", ".join(used.marks), label="Marks, used by being borne")
    for name, reason in used.unusable.items():
        paragraph(reason, label=f"Cannot be used: {name}")
    for kind, names in used.wanting().items():
        if names:
            more = f" ... and {len(names) - FEW} more (--json lists all)" if len(names) > FEW else ""
            paragraph(", ".join(names[:FEW]) + more, label=f"{kind} used fewer than {used.times} times ({len(names)})")


PAGE = """\
# {name}: everything used

Written by `dieselfront rules exercise {ruleset} --times {times} --seed {seed} --page FILE`: random games, watched for
invariants after every event and every choice, until every unit card, weapon line, skill, weapon rule and special
action has been used at least {times} times.

A unit is used when it activates, a weapon line when it is aimed, a special action when it is declared, a skill or
weapon rule when its answer makes a difference. Nothing counts twice for one choice; checks, copies and replays count
nothing. Cards named `homebrew-…` bear rules that no card of the catalogue prints. Marks are rules that are asked
nothing in play, as their name on the card is all there is to them; they count with the card or weapon that bears them.

**{games} games, {decisions} decisions, no invariant broken.**

{totals}
## Short of the goal

{wanting}

## What cannot be used, and why

{unusable}

## Marks

{marks}.
"""


def _page(ruleset: str, used: Used, seed: int) -> str:
    """The same as a page for people."""
    page = PAGE.format(
        name=load(ruleset).name,
        ruleset=ruleset,
        times=used.times,
        seed=seed,
        games=used.games,
        decisions=used.decisions,
        totals=_markdown(("what", "kinds", "least", "most", "uses"), _totals(used)),
        wanting="\n".join(f"- {kind}: {', '.join(names) or 'nothing'}" for kind, names in used.wanting().items()),
        unusable="\n".join(f"- `{name}`: {reason}." for name, reason in used.unusable.items()) or "Nothing.",
        marks=", ".join(used.marks),
    )
    for kind in (*KINDS, "choices"):
        page += f"\n## {kind.capitalize()}\n\n{_markdown(('name', 'times'), _listed(getattr(used, kind)))}"
    return page


def _markdown(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    lines = [columns, ("---",) * len(columns), *rows]
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in lines)
