"""`dieselfront rules`: the rules reference, and how much of it is implemented and tested."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from dieselfront import rulebook
from dieselfront.cli.errors import UserError, complain, print_json
from dieselfront.cli.rulesets import JSON, known, known_rule
from dieselfront.cli.show import console, item, paragraph, table
from dieselfront.rulebook.coverage import Coverage, Status, coverage, status, tests_folder

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
FEW = 12


@app.command("show")
def show(
    id: Annotated[str, typer.Argument(help="The id of a rule, such as d47.turn.pass.")],
    json: bool = JSON,
) -> None:
    """Tell one rule: its text, dice, table, example, and the rules to read beside it."""
    rule = known_rule(id)
    if json:
        print_json(_told(rule) | {"status": status(id, tests_folder())})
    else:
        _print_rule(rule)
        paragraph(_in_words(status(id, tests_folder())), label="Status")


@app.command("search")
def search(
    words: Annotated[list[str], typer.Argument(help="Words to look for; the best fit comes first.")],
    ruleset: Annotated[str, typer.Option("--ruleset", "-r", help="Search this game only.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Show at most this many rules.")] = 20,
    json: bool = JSON,
) -> None:
    """Find rules by the words in their titles and texts."""
    books = [known(ruleset)] if ruleset else rulebook.names()
    found = rulebook.search(" ".join(words), (rule for name in books for rule in rulebook.load(name).rules))
    if json:
        print_json([_told(rule) for rule in found[:limit]])
    elif not found:
        raise UserError(f"No rule speaks of '{' '.join(words)}'; try fewer or other words.")
    else:
        table("", ("rule", "title"), [(rule.id, rule.title) for rule in found[:limit]])
        if len(found) > limit:
            console().print(f"... and {len(found) - limit} more; --limit shows them.", style="dim")


@app.command("options")
def options(
    ruleset: Annotated[str, typer.Argument(help="A game, as `dieselfront rulesets` lists it.")],
    json: bool = JSON,
) -> None:
    """List the options of a game: rulings a house may see otherwise, with their default."""
    listed = rulebook.load(known(ruleset)).options
    if json:
        print_json(listed)
        return
    for option in listed:
        paragraph(f"({option.rule})", label=option.name)
        _print_choices(option)


@app.command("coverage")
def coverage_command(
    ruleset: Annotated[str, typer.Argument(help="A game; all of them if left out.")] = "",
    tests: Annotated[Path | None, typer.Option("--tests", help="The folder of tests, if it is elsewhere.")] = None,
    json: bool = JSON,
) -> None:
    """Count which rules are implemented and which are tested, and name those that are not."""
    folder = _tests(tests)
    books = [known(ruleset)] if ruleset else rulebook.names()
    covered = {name: coverage(name, folder) for name in books}
    if folder is None:
        complain("the tests are not here (an installed package comes without them), so nothing is said about them.")
    if json:
        print_json(covered)
    else:
        _print_coverage(covered, detailed=bool(ruleset))


def _tests(given: Path | None) -> Path | None:
    if given is not None and not given.is_dir():
        raise UserError(f"'{given}' is not a folder; --tests wants the folder that holds the tests.")
    return given or tests_folder()


def _told(rule: rulebook.Rule) -> dict[str, Any]:
    """A rule as JSON, with the fields that say something."""
    told: dict[str, Any] = msgspec.to_builtins(rule)
    return told


def _print_rule(rule: rulebook.Rule) -> None:
    console().print(f"{rule.title}  [dim]{rule.id}[/dim]", style="bold")
    if rule.problem:
        paragraph(rule.problem, label="Question")
    paragraph(rule.text, label="Ruling" if rule.is_ruling else "")
    if rule.table:
        columns = list(dict.fromkeys(column for row in rule.table for column in row))
        table("", columns, [[row.get(column) for column in columns] for row in rule.table])
    for label, text in _details(rule):
        if text:
            paragraph(text, label=label)
    if rule.option:
        _print_option(rule.option)


def _in_words(found: Status) -> str:
    """Played or not, tested or not, as a person says it."""
    played = "played by the program" if found.implemented else "not played by the program yet"
    tested = {True: ", tested", False: ", not tested", None: ""}[found.tested]
    return played + tested + (f" ({found.reason})" if found.reason else "")


def _details(rule: rulebook.Rule) -> tuple[tuple[str, str], ...]:
    return (
        ("Dice", " or ".join(rule.dice)),
        ("Why", rule.why),
        ("Note", rule.note),
        ("Example", rule.example),
        ("Compared with its relative", rule.differs),
        ("See also", ", ".join(rule.see_also)),
    )


def _print_option(option: rulebook.Option) -> None:
    paragraph(option.name, label="Option of the game")
    _print_choices(option)


def _print_choices(option: rulebook.Option) -> None:
    for choice in option.choices:
        default = " (default)" if choice.id == option.default else ""
        item(f"{choice.id}{default}: {choice.text}")


def _print_coverage(covered: dict[str, Coverage], *, detailed: bool) -> None:
    columns = ("game", "rules", "implemented", "tested", "inherited")
    rows = [(name, c.total, c.implemented, c.tested, len(c.inherited)) for name, c in covered.items()]
    table("", columns, rows)
    if detailed:
        for name, c in covered.items():
            _print_ids(f"{name}: not implemented", c.missing)
            _print_ids(f"{name}: without a test", c.untested or [])


def _print_ids(label: str, ids: list[str]) -> None:
    if ids:
        more = f" ... and {len(ids) - FEW} more (--json lists all)" if len(ids) > FEW else ""
        paragraph(", ".join(ids[:FEW]) + more, label=f"{label} ({len(ids)})")


@app.command("mutate")
def mutate(
    ruleset: Annotated[str, typer.Argument(help="A game, as `dieselfront rulesets` lists it.")],
    only: Annotated[str, typer.Option("--only", help="Judge only rules whose id contains this.")] = "",
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
    for verdict in mutation.run(rules, tests, only):
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


@app.command("exercise")
def exercise(
    ruleset: Annotated[str, typer.Argument(help="A game, as `dieselfront rulesets` lists it.")],
    times: Annotated[int, typer.Option("--times", "-t", min=1, help="Use everything at least so often.")] = 20,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed plays the same games.")] = 1,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Stop after so many games all the same.")] = 5000,
    json: bool = JSON,
) -> None:
    """Play random games, watched for invariants, until every unit, weapon, skill and special action has been used."""
    if known(ruleset) != "dust1947":
        raise UserError(f"{ruleset} cannot be exercised yet; expected dust1947.")
    used = _exercised(times, seed, games)
    wanting = used.wanting()
    if json:
        print_json(used._asdict() | {"wanting": wanting})
    else:
        _print_used(used)
        for kind, names in wanting.items():
            _print_ids(f"{kind} used fewer than {times} times", names)
    if any(wanting.values()):
        raise typer.Exit(1)


def _exercised(times: int, seed: int, games: int) -> Any:
    """The exercise run, with a bar on stderr while a person is watching."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    from dieselfront.lab import exercise as lab

    columns = (
        *(TextColumn("used"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()),
        TextColumn("{task.fields[games]} games"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("used", total=1.0, games=0)
        for used in lab.run(times, seed, games):
            bar.update(task, completed=used.done, games=used.games)
    return used


def _print_used(used: Any) -> None:
    """What was used how often: the least and the most used of every kind."""
    rows = []
    for kind in ("units", "weapons", "skills", "specials"):
        counts = getattr(used, kind)
        least, most = min(counts.values()), max(counts.values())
        rows.append((kind, len(counts), least, most, sum(counts.values())))
    paragraph(f"{used.games} games, {used.decisions} decisions, no invariant broken", style="bold")
    table("", ("what", "kinds", "least", "most", "uses"), rows)
    for kind in ("units", "weapons", "skills", "specials", "choices"):
        counts = getattr(used, kind)
        table(kind, ("name", "times"), sorted(counts.items(), key=lambda item: (item[1], item[0])))
