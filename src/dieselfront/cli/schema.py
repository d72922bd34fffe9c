"""`dieselfront schema`: the JSON Schemas of our file formats.

A room that owns a format offers a function that takes the format's name and returns its schema; SCHEMAS says
where.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Annotated, Any

import typer

from dieselfront.cli.errors import UserError, print_json, unknown
from dieselfront.cli.rulesets import known

SCHEMAS = {
    "cards": "dieselfront.forces:schema",
    "armies": "dieselfront.forces:schema",
    "scenarios": "dieselfront.scenarios:schema",
    "records": "dieselfront.cli.replay:schema",
    "referee": "dieselfront.cli.referee:schema",
}
BY_GAME = ("scenarios",)
"""Formats that every game has its own of."""

NAMES = ", ".join(SCHEMAS)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("schema")(schema)


def schema(
    name: Annotated[str, typer.Argument(help=f"One of: {NAMES}.")],
    ruleset: Annotated[
        str, typer.Option("--ruleset", "-r", help="The game whose files are meant, where games differ (scenarios).")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Accepted for symmetry; a schema is always JSON.")] = True,
) -> None:
    """Print the JSON Schema of one of our file formats, for editors and for your own tools."""
    if name not in SCHEMAS:
        raise unknown("schema", name, SCHEMAS, listed_by="dieselfront schema --help")
    print_json(_schema(name, known(ruleset) if ruleset else ""))


def _schema(name: str, ruleset: str = "") -> Any:
    module, _, function = SCHEMAS[name].partition(":")
    offered = importlib.import_module(module) if _exists(module) else None
    if not hasattr(offered, function):
        raise UserError(f"There is no schema of {name} in this version yet.")
    offering = getattr(offered, function)
    if not ruleset:
        return offering(name)
    if name not in BY_GAME:
        raise UserError(f"The schema of {name} is the same in every game; expected no --ruleset.")
    return offering(name, ruleset)


def _exists(module: str) -> bool:
    return importlib.util.find_spec(module) is not None
