"""`dieselfront rulesets`: the games this program plays."""

from __future__ import annotations

import msgspec
import typer

from dieselfront import rulebook
from dieselfront.cli.errors import UserError, print_json, unknown

JSON = typer.Option(False, "--json", help="Print one JSON document and nothing else.")


class Ruleset(msgspec.Struct, frozen=True):
    """A game as the list shows it."""

    id: str
    name: str
    table: str
    version: str
    rules: int


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("rulesets")(rulesets)


def rulesets(json: bool = JSON) -> None:
    """List the games: id, name, kind of table, version and number of rules."""
    listed = [_ruleset(name) for name in rulebook.names()]
    if json:
        print_json(listed)
        return
    from dieselfront.cli.show import table

    columns = ("id", "name", "table", "version", "rules")
    table("Games", columns, [(game.id, game.name, game.table, game.version, game.rules) for game in listed])


def known(ruleset: str) -> str:
    """A ruleset's id as the user gave it, or the complaint that there is no such game."""
    if ruleset not in rulebook.names():
        raise unknown("ruleset", ruleset, rulebook.names(), listed_by="dieselfront rulesets")
    return ruleset


def known_rule(id: str) -> rulebook.Rule:
    """The rule of this id, or the complaint with the nearest ids."""
    try:
        return rulebook.find(id)
    except rulebook.UnknownRule:
        raise _no_rule(id) from None


def _no_rule(id: str) -> UserError:
    return unknown("rule", id, rulebook.all_ids(), listed_by="dieselfront rules search WORDS")


def _ruleset(name: str) -> Ruleset:
    top = rulebook.head(name)
    return Ruleset(top.ruleset, top.name, top.table, top.version, len(rulebook.ids(name)))
