"""Write the Dust 1947 scenarios that are also played on the open table; run it after changing one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from dieselfront import rulesets
from dieselfront.rulesets.freeform1947.convert import converted
from dieselfront.scenarios import library

CONVERTED = ("crossroads", "burning-convoy", "river-line", "blizzard-pass", "bunker-line", "dig-in")
FOLDER = Path(__file__).parent.parent / "src/dieselfront/rulesets/freeform1947/scenarios"
HEAD = (
    "# Converted from squares by the table of equivalents (ff.scope.convert); written by tools/freeform_scenarios.py.\n"
)


class _Flow(yaml.SafeDumper):
    """Short lists and entries of lists in one line."""


def _entry(dumper: Any, data: Any) -> Any:
    return dumper.represent_mapping("tag:yaml.org,2002:map", data, flow_style=True)


class _Line(dict[str, Any]):
    """A mapping written in one line."""


_Flow.add_representer(_Line, _entry)


def text(id: str) -> str:
    """The file of a converted scenario."""
    data = converted(library.find(id, "dust1947"), rulesets.load("dust1947").terrain)
    for name in ("terrain", "deploy", "objectives", "fortifications"):
        if name in data:
            data[name] = [_Line(one) for one in data[name]]
    return HEAD + yaml.dump(data, Dumper=_Flow, sort_keys=False, width=118, default_flow_style=None, allow_unicode=True)


def main() -> None:
    for id in CONVERTED:
        (FOLDER / f"{id}.yaml").write_text(text(id), encoding="utf-8")


if __name__ == "__main__":
    main()
