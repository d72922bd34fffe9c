"""JSON Schemas of the files people write: cards and army lists."""

from __future__ import annotations

from typing import Any

import msgspec

from dieselfront.forces.armies import Army
from dieselfront.forces.errors import ForcesError
from dieselfront.forces.families import catalogued

REFERENCE = "#/$defs/{name}"


def schema(name: str) -> dict[str, Any]:
    """The schema of `cards` (a file of cards of any game) or `armies` (an army list)."""
    kinds: tuple[type[msgspec.Struct], ...]
    if name == "cards":
        kinds = tuple(dict.fromkeys(family.file_type for family in catalogued()))
    elif name == "armies":
        kinds = (Army,)
    else:
        raise ForcesError(f"There is no schema of {name!r} here; expected cards or armies.")
    tops, parts = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    top = tops[0] if len(tops) == 1 else {"oneOf": list(tops)}
    title = "Dieselfront cards" if name == "cards" else "Dieselfront army list"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **top, "$defs": parts}
