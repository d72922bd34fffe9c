"""Turns a table of platoon names into our chart file.

python tools/build_platoons.py PLATOONS.json src/dieselfront/rulesets/dust1947/cards/platoons.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def chart(row: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"id": row["id"].lower().replace("_", "-"), "name": row["name"]}
    if row["bloc"]:
        out["bloc"] = row["bloc"]
    for section in row["sections"]:
        name = section["section"].replace("_", " ")
        entry = {"section": name, "one_of": section["one_of"]}
        if name == "Command":
            out["command"] = entry
        else:
            out.setdefault("combat", []).append(entry)
    return out


def main(facts: Path, out: Path) -> None:
    rows = [chart(row) for row in json.loads(facts.read_text(encoding="utf-8"))]
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    out.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
