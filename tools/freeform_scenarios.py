"""Write the Dust 1947 scenarios that are also played on the open table; run it after changing one of them or its scene.

Everything but the terrain is what the table of equivalents makes of the squares; tools/freeform_scenes.yaml draws the land.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from dieselfront import rulesets
from dieselfront.rulesets.freeform1947.convert import converted
from dieselfront.scenarios import library

CONVERTED = ("crossroads", "burning-convoy", "river-line", "blizzard-pass", "bunker-line", "dig-in")
FOLDER = Path(__file__).parent.parent / "src/dieselfront/rulesets/freeform1947/scenarios"
SCENES = Path(__file__).parent / "freeform_scenes.yaml"
HEAD = (
    "# Converted from squares by the table of equivalents (ff.scope.convert), its land drawn by hand; written by\n"
    "# tools/freeform_scenarios.py from tools/freeform_scenes.yaml.\n"
)


class _Flow(yaml.SafeDumper):
    """Short lists and entries of lists in one line."""


def _entry(dumper: Any, data: Any) -> Any:
    return dumper.represent_mapping("tag:yaml.org,2002:map", data, flow_style=True)


class _Line(dict[str, Any]):
    """A mapping written in one line."""


_Flow.add_representer(_Line, _entry)


def squared(id: str) -> dict[str, Any]:
    """A scenario as the table of equivalents makes it of squares."""
    return converted(library.find(id, "dust1947"), rulesets.load("dust1947").terrain)


def text(id: str) -> str:
    """The file of a converted scenario, with its scene."""
    scenes = yaml.safe_load(SCENES.read_text(encoding="utf-8"))
    data = squared(id) | {"terrain": scenes[id]}
    for name in ("terrain", "deploy", "objectives", "fortifications"):
        if name in data:
            data[name] = [_Line(one) for one in data[name]]
    return HEAD + yaml.dump(data, Dumper=_Flow, sort_keys=False, width=118, default_flow_style=None, allow_unicode=True)


def main() -> None:
    for id in CONVERTED:
        (FOLDER / f"{id}.yaml").write_text(text(id), encoding="utf-8")


if __name__ == "__main__":
    main()
