"""`dieselfront rules`: the rules reference, and how much of it is implemented and tested."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from dieselfront import rulebook
from dieselfront.cli import proofs
from dieselfront.cli.errors import UserError, complain, print_json
from dieselfront.cli.rulesets import JSON, known, known_rule
from dieselfront.cli.show import console, item, paragraph, table
from dieselfront.rulebook.coverage import Coverage, Status, coverage, status, tests_folder
from dieselfront.rulebook.diagrams import diagrams

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
FEW = 12


@app.command("show")
def show(
    id: Annotated[str, typer.Argument(help="The id of a rule, as the log and `rules search` name it.")],
    json: bool = JSON,
) -> None:
    """Show one rule: its text, dice, table, example, and related rules."""
    rule = known_rule(id)
    if json:
        drawn = _diagram(id)
        diagram = {"diagram": str(drawn)} if drawn else {}
        print_json(_as_json(rule) | diagram | {"status": status(id, tests_folder())})
    else:
        _print_rule(rule)
        paragraph(_in_words(status(id, tests_folder())), label="Status")
        _print_diagram(id)


@app.command("search")
def search(
    words: Annotated[list[str], typer.Argument(help="Words to look for; the best fit comes first.")],
    ruleset: Annotated[str, typer.Option("--ruleset", "-r", help="Search this game only.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=10_000, help="Show at most this many rules.")] = 20,
    json: bool = JSON,
) -> None:
    """Find rules by the words in their titles and texts."""
    books = [known(ruleset)] if ruleset else rulebook.names()
    hits = rulebook.search(" ".join(words), (rule for name in books for rule in rulebook.load(name).rules))
    if json:
        print_json([_as_json(rule) for rule in hits[:limit]])
    elif not hits:
        raise UserError(f"No rule speaks of '{' '.join(words)}'; try fewer or other words.")
    else:
        table("", ("rule", "title"), [(rule.id, rule.title) for rule in hits[:limit]])
        if len(hits) > limit:
            console().print(f"... and {len(hits) - limit} more; --limit shows them.", style="dim")


@app.command("options")
def options(
    ruleset: Annotated[str, typer.Argument(help="A game, as `dieselfront rulesets` lists it.")],
    json: bool = JSON,
) -> None:
    """List the options of a game: rulings that groups may decide differently, with their default."""
    listed = _taken(known(ruleset))
    if json:
        print_json(listed)
        return
    for option in listed:
        paragraph(f"({option.rule})", label=option.name)
        _print_choices(option)


def _taken(ruleset: str) -> list[Any]:
    """The options that the game takes; those of a game that cannot be played yet are all shown."""
    from dieselfront import rulesets

    listed = list(rulebook.load(ruleset).options)
    if ruleset not in rulesets.names():
        return listed
    taken = rulesets.load(ruleset).options
    return [option for option in listed if option.name in taken]


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


def _as_json(rule: rulebook.Rule) -> dict[str, Any]:
    """A rule as JSON, with the fields that say something."""
    plain: dict[str, Any] = msgspec.to_builtins(rule)
    return plain


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


def _diagram(id: str) -> Path | None:
    """The position file that shows the rule."""
    return diagrams().get(id)


def _print_diagram(id: str) -> None:
    """Name the position file that shows the rule, and how to see it."""
    file = _diagram(id)
    if file is not None:
        paragraph(f"{file} (dieselfront referee FILE --svg OUT.svg draws it)", label="Diagram")


def _in_words(status: Status) -> str:
    """Played or not, tested or not, as a person says it."""
    played = "played by the program" if status.implemented else "not played by the program yet"
    tested = {True: ", tested", False: ", not tested", None: ""}[status.tested]
    return played + tested + (f" ({status.reason})" if status.reason else "")


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
            _print_ids(f"{name}: of a relative, not played here", [id for id in c.unimplemented if id not in c.missing])
            _print_ids(f"{name}: without a test", c.untested or [])


def _print_ids(label: str, ids: list[str]) -> None:
    if ids:
        more = f" ... and {len(ids) - FEW} more (--json lists all)" if len(ids) > FEW else ""
        paragraph(", ".join(ids[:FEW]) + more, label=f"{label} ({len(ids)})")


proofs.register(app)
