"""Battlefields made larger: the same battle, with more ground beside it.

Deployment areas and objectives stay where they are. The ground of a measured table is laid out again beside itself, on
squares the new ones are empty.
"""

from __future__ import annotations

from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.scenarios import library

Shift = tuple[float, float]
POINTS = ("at", "a", "b")
"""What of a piece of terrain is a point; `LINES` are lists of points or of boxes, which begin with one."""
LINES = ("line", "points", "boxes")


LARGER: dict[int, tuple[float, int]] = {150: (1.5, 1), 300: (1.5, 2)}
"""By how many percent of the usual ground there is: how many times as wide and as deep the table is."""


def enlarged(scenario: str, ruleset: str, percent: int) -> dict[str, Any]:
    """A scenario with so much ground."""
    plain = library.find(scenario, ruleset)
    across, down = LARGER[percent]
    if "board" in plain:
        columns, rows = plain["board"]["size"]
        return plain | {"board": plain["board"] | {"size": [int(columns * across), rows * down]}}
    width, depth = plain.get("size") or _usual_size(ruleset)
    shifts = [(width * x, depth * y) for y in range(down) for x in (0, 1)]
    laid = [_moved(entry, shift) for shift in shifts for entry in plain.get("terrain", ())]
    return plain | {
        "size": [width * across, depth * down],
        "terrain": [entry for entry in laid if _right_end(entry) <= width * across],
    }


def _usual_size(ruleset: str) -> Any:
    """Of battlefields that do not name theirs."""
    fields = msgspec.structs.fields(rulesets.load(ruleset).scenario_type)
    return next(field.default for field in fields if field.name == "size")


def _right_end(entry: dict[str, Any]) -> float:
    """How far to the right a piece of terrain reaches, but for the thickness of its lines."""
    size = entry.get("size", (0, 0))[0] + entry.get("radius", 0)
    ends = [point[0] for name in ("line", "points") for point in entry.get(name, ())]
    ends += [box[0] + box[2] for box in entry.get("boxes", ())]
    right: float = max([*ends, entry["at"][0] + size] if "at" in entry else ends)
    return right


def _moved(entry: dict[str, Any], shift: Shift) -> dict[str, Any]:
    """A piece of terrain, or an opening of one, laid out again somewhere else."""
    if shift == (0, 0):
        return entry
    moved = dict(entry)
    if entry.get("id"):
        moved["id"] = f"{entry['id']} {shift[0]}/{shift[1]}"
    for name in POINTS:
        if name in entry:
            moved[name] = _point(entry[name], shift)
    for name in LINES:
        if name in entry:
            moved[name] = [_point(one, shift) for one in entry[name]]
    if "openings" in entry:
        moved["openings"] = [_moved(one, shift) for one in entry["openings"]]
    return moved


def _point(point: list[Any], shift: Shift) -> list[Any]:
    return [point[0] + shift[0], point[1] + shift[1], *point[2:]]


__all__ = ["enlarged"]
