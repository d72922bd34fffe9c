"""Writes the types of the browser app from the shapes the server speaks: web/src/lib/api-types.ts.

    .venv/bin/python tools/make_api_types.py            # write the file
    .venv/bin/python tools/make_api_types.py --check    # exit 1 if it is stale

The shapes are the structs of `dieselfront.server.messages` and `dieselfront.server.shapes` (positions are those of
`dieselfront.kernel.views`), the same that routes name and `/api/openapi.json` describes; the table of routes at the end comes from that description.
"""

from __future__ import annotations

import inspect
import re
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import msgspec

from dieselfront.forces import armies, card_face
from dieselfront.kernel import views
from dieselfront.scenarios import lessons
from dieselfront.server import messages, shapes
from dieselfront.server.app import create_app
from dieselfront.server.settings import Settings

TARGET = Path(__file__).resolve().parent.parent / "web/src/lib/api-types.ts"
HEAD = """// Written by tools/make_api_types.py from the server's own messages. Do not edit; run the tool again.

/** An answer to a decision: plain data. */
export type Answer = null | boolean | number | string | Answer[]
"""
MODULES = (shapes, messages, armies, card_face, lessons)
POSITIONS_BEFORE = "OddsStep"
"""Positions are defined with the contract of a ruleset; in the file they stand between decisions and odds."""
METHODS = ("get", "post")
UNIONS = {"Incoming": messages.Incoming, "Outgoing": messages.Outgoing}
"""What goes over the socket of a live game, one way and the other."""
REF = "#/{name}"


def structs() -> dict[str, type[msgspec.Struct]]:
    """Every shape by its name, in the order of the modules."""
    by_name: dict[str, type[msgspec.Struct]] = {}
    for module in MODULES:
        for name, one in own_structs(module).items():
            if name == POSITIONS_BEFORE:
                by_name |= own_structs(views)
            by_name[name] = one
    return {name: one for name, one in by_name.items() if one is not messages.Request}


def own_structs(module: ModuleType) -> dict[str, type[msgspec.Struct]]:
    """The structs that a module defines."""
    classes = {name: one for name, one in vars(module).items() if inspect.isclass(one)}
    return {
        name: one
        for name, one in classes.items()
        if issubclass(one, msgspec.Struct) and one.__module__ == module.__name__
    }


def type_of(schema: dict[str, Any]) -> str:
    """A JSON Schema as a type."""
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[-1])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(literal(one) for one in schema["enum"])
    if "const" in schema:
        return literal(schema["const"])
    kind = schema.get("type")
    if kind == "array":
        return array(schema)
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"Record<string, {type_of(inner) if isinstance(inner, dict) else 'unknown'}>"
    plain = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
    if isinstance(kind, str):
        return plain[kind]
    return "Answer" if schema.get("title") == "Answer" else "unknown"


def array(schema: dict[str, Any]) -> str:
    """A list, or a pair where the length is fixed."""
    inner = type_of(schema.get("items") or {})
    length = schema.get("minItems")
    if length is not None and length == schema.get("maxItems") and length <= 4:
        return f"[{', '.join([inner] * length)}]"
    return f"({inner})[]" if " " in inner else f"{inner}[]"


def literal(value: Any) -> str:
    """A constant."""
    return "null" if value is None else f"'{value}'" if isinstance(value, str) else str(value).lower()


def is_optional(struct: type[msgspec.Struct], name: str) -> bool:
    """May a field be missing on the wire? What the server sends is whole but for what is unset."""
    field = next((one for one in msgspec.structs.fields(struct) if one.encode_name == name), None)
    if field is None:  # the tag
        return False
    if field.default is msgspec.UNSET:
        return True
    sparing = issubclass(struct, messages.Request) or struct.__struct_config__.omit_defaults
    return sparing and not field.required


def interface(name: str, struct: type[msgspec.Struct], schema: dict[str, Any]) -> str:
    """One shape."""
    lines = [f"/** {first_sentence(struct)} */", f"export interface {name} {{"]
    for field, inner in schema["properties"].items():
        lines.append(f"  {field}{'?' if is_optional(struct, field) else ''}: {type_of(inner)}")
    return "\n".join([*lines, "}"])


def first_sentence(struct: type[msgspec.Struct]) -> str:
    sentence = inspect.cleandoc(struct.__doc__ or struct.__name__).split("\n\n")[0]
    return re.sub(r"\s+", " ", sentence)


def routes(description: dict[str, Any]) -> str:
    """What each route answers, from the API's own description."""
    lines = ["/** What the routes answer, by method and path. */", "export interface Routes {"]
    for path, operations in sorted(description["paths"].items()):
        for method in METHODS:
            if method in operations:
                answer = answer_of(operations[method]["responses"], description)
                lines.append(f"  '{method.upper()} {path.removeprefix('/api')}': {answer}")
    return "\n".join([*lines, "}"])


def answer_of(responses: dict[str, Any], description: dict[str, Any]) -> str:
    for status in ("200", "201"):
        content = responses.get(status, {}).get("content", {})
        if "application/json" in content:
            return route_type(content["application/json"]["schema"], description)
    return "unknown"


def route_type(schema: dict[str, Any], description: dict[str, Any]) -> str:
    """A schema of the description; its components go by their titles."""
    if "$ref" in schema:
        component = description["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
        title = str(component.get("title", ""))
        return title if title in structs() else "Record<string, unknown>"
    if schema.get("type") == "array":
        return f"{route_type(schema.get('items') or {}, description)}[]"
    return type_of(schema)


def described() -> dict[str, Any]:
    """The description that `/api/openapi.json` gives."""
    with tempfile.TemporaryDirectory() as folder:  # nothing is opened, so nothing is written
        app = create_app(Settings(database=str(Path(folder) / "none.sqlite3"), thinkers=0)).app
    schema: dict[str, Any] = app.openapi_schema.to_schema()
    return schema


def generate() -> str:
    """The whole file."""
    known = structs()
    _, components = msgspec.json.schema_components(known.values(), ref_template=REF)
    pieces = [interface(name, known[name], components[name]) for name in known]
    unions = [
        f"export type {name} = {' | '.join(one.__name__ for one in get_args(union))}" for name, union in UNIONS.items()
    ]
    return "\n\n".join([HEAD.rstrip("\n"), *pieces, *unions, routes(described())]) + "\n"


def main(arguments: list[str]) -> int:
    text = generate()
    if "--check" in arguments:
        if TARGET.read_text(encoding="utf-8") == text:
            return 0
        print("web/src/lib/api-types.ts is stale; run tools/make_api_types.py", file=sys.stderr)
        return 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
