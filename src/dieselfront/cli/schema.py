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

SCHEMAS = {
    "cards": "dieselfront.forces:schema",
    "armies": "dieselfront.forces:schema",
    "scenarios": "dieselfront.scenarios:schema",
    "records": "dieselfront.cli.replay:schema",
    "referee": "dieselfront.cli.referee:schema",
}
NAMES = ", ".join(SCHEMAS)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("schema")(schema)


def schema(
    name: Annotated[str, typer.Argument(help=f"One of: {NAMES}.")],
    json: Annotated[bool, typer.Option("--json", help="Accepted for symmetry; a schema is always JSON.")] = True,
) -> None:
    """Print the JSON Schema of one of our file formats, for editors and for your own tools."""
    if name not in SCHEMAS:
        raise unknown("schema", name, SCHEMAS, listed_by="dieselfront schema --help")
    print_json(_schema(name))


def _schema(name: str) -> Any:
    module, _, function = SCHEMAS[name].partition(":")
    offered = importlib.import_module(module) if _exists(module) else None
    if not hasattr(offered, function):
        raise UserError(f"There is no schema of {name} in this version yet.")
    return getattr(offered, function)(name)


def _exists(module: str) -> bool:
    return importlib.util.find_spec(module) is not None
