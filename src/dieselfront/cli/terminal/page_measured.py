"""Measured tables on the page of a recorded battle: the ground once, models and changes as small drawings."""

from __future__ import annotations

from typing import Any

from dieselfront.cli.terminal.report import Frame, Story
from dieselfront.referee.measured_svg import ON_TABLE, Sheet, bodies_of, table_of
from dieselfront.table.measured.svg import MARGIN

SHOTS = ("Hit",)


def picture(story: Story) -> str:
    """The table with its terrain, and empty groups for what moves."""
    first = story.frames[0].view
    sheet = Sheet(table_of(first))  # wrecks and smoke are drawn when they come
    for one in first.get("objectives", ()):
        for x, y in one.get("spots", ()):
            sheet.marker(x, y, one["name"])
    for number, side in enumerate(first["sides"]):
        sheet.side(number, side["name"])
    text = sheet.svg().strip()
    groups = '<g id="changes"></g><g id="shots"></g><g id="units"></g>'
    moving = f'<g transform="translate({MARGIN} {MARGIN})">{groups}</g>'
    text = text.replace("<svg ", '<svg id="board" role="img" aria-label="the table" ', 1)
    return text.removesuffix("</svg>") + moving + "</svg>"


def battle(story: Story) -> dict[str, Any]:
    """The battle as the page's script reads it."""
    units: dict[str, Any] = {}
    frames = []
    before: Frame | None = None
    known: dict[str, list[Any]] = {}
    for frame in story.frames:
        for unit in frame.view["units"]:
            units.setdefault(unit["id"], {key: unit[key] for key in ("id", "side", "kind")})
        fresh = {unit["id"]: state(frame.view, unit) for unit in frame.view["units"]}
        frames.append(_frame(story, frame, before, {id: one for id, one in fresh.items() if known.get(id) != one}))
        known, before = fresh, frame
    return {
        "measured": True,
        "square": 1,
        "margin": 0,
        "units": units,
        "sides": [side["name"] for side in story.frames[0].view["sides"]],
        "frames": frames,
        "lines": [[line.text, line.rule, line.kind] for line in story.lines],
        "figures": [],
    }


def _frame(story: Story, frame: Frame, before: Frame | None, units: dict[str, Any]) -> dict[str, Any]:
    """What is different from the frame before."""
    first = before.lines if before else 0
    return {
        "lines": frame.lines,
        "turn": frame.view["turn"],
        "score": [side.get("points", 0) for side in frame.view["sides"]],
        "units": units,
        "terrain": changes(frame.view, story.frames[0].view) if _ground(frame) != _ground(before) else {},
        "shots": [
            [getattr(event, "unit", ""), getattr(event, "target", "")]
            for event in story.events[first : frame.lines]
            if type(event).__name__ in SHOTS
        ],
    }


def _ground(frame: Frame | None) -> Any:
    return None if frame is None else frame.view["table"]["terrain"]


def changes(view: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
    """All terrain that was not there at the start, as one drawing."""
    old = first["table"]["terrain"]
    fresh = [piece for piece in view["table"]["terrain"] if piece not in old]
    table = dict(view["table"], terrain=fresh)
    return {"changes": Sheet(table_of({"table": table})).ground() if fresh else ""}


def state(view: dict[str, Any], unit: dict[str, Any]) -> list[Any]:
    """What may change about a unit: name, models, facing, strength, marks, whether it has acted, its drawing."""
    stands = unit["status"] in ON_TABLE
    spots = [[body.x, body.y, 0] for body in bodies_of(unit)] if stands else []
    drawn = Sheet(table_of({"table": dict(view["table"], terrain=[])})).squad(unit).fragment() if spots else ""
    lost = "lost" if unit["status"] in ("gone", "lost") else unit["status"]
    return [
        unit["name"],
        spots,
        unit["facing"],
        unit["models_left"],
        unit["models_max"],
        unit["tokens"],
        unit["activated"],
        lost,
        drawn,
    ]
