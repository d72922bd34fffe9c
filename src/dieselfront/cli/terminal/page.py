"""A recorded battle as one self-contained page: the board, a slider through the battle, the log beside it."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import Any

from dieselfront.cli.terminal import page_measured
from dieselfront.cli.terminal.report import Frame, Story
from dieselfront.referee import svg


def page(story: Story) -> str:
    """The page; nothing in it comes from elsewhere."""
    first = story.frames[0].view
    sides = [force.get("name", "") for force in story.header.forces]
    title = f"{story.header.scenario.get('name', story.header.ruleset)}: {' against '.join(sides)}"
    measured = first["table"]["kind"] != "squares"
    values = {
        "title": escape(title),
        "style": svg.STYLE,
        "picture": page_measured.picture(story) if measured else _board(first),
        "data": _json(page_measured.battle(story) if measured else battle(story)),
        "result": escape(_result(story)),
    }
    text = files("dieselfront.cli.terminal").joinpath("page.html").read_text("utf-8")
    for name, value in values.items():
        text = text.replace("{{" + name + "}}", value)
    return text


def _board(view: dict[str, Any]) -> str:
    """The squares with their terrain, and empty groups for what moves."""
    width, height = svg.Board(view).size
    return (
        f'<svg id="board" viewBox="0 0 {width} {height}" role="img" aria-label="the board"><defs>{svg.FIGURES}</defs>'
        f'<g>{svg.ground(view)}</g><g id="changes"></g><g id="shots"></g><g id="units"></g></svg>'
    )


def battle(story: Story) -> dict[str, Any]:
    """The battle as the page's script reads it: what never changes once, what changes frame by frame."""
    units: dict[str, Any] = {}
    for frame in story.frames:
        for unit in frame.view["units"]:
            units.setdefault(unit["id"], {key: unit[key] for key in ("id", "side", "kind")})
    frames = []
    before: Frame | None = None
    for frame in story.frames:
        frames.append(_frame(story, frame, before))
        before = frame
    return {
        "square": svg.SQUARE,
        "margin": svg.MARGIN,
        "units": units,
        "sides": [side["name"] for side in story.frames[0].view["sides"]],
        "frames": frames,
        "lines": [[line.text, line.rule, line.kind] for line in story.lines],
        "figures": sorted(svg.KNOWN),
    }


def _frame(story: Story, frame: Frame, before: Frame | None) -> dict[str, Any]:
    """What is different from the frame before."""
    old = {unit["id"]: _state(unit) for unit in before.view["units"]} if before else {}
    new = {unit["id"]: _state(unit) for unit in frame.view["units"]}
    old_ground = before.view["table"]["features"] if before else frame.view["table"]["features"]
    ground = frame.view["table"]["features"]
    first = before.lines if before else 0
    return {
        "lines": frame.lines,
        "turn": frame.view["turn"],
        "score": frame.view.get("score", [0, 0]),
        "units": {id: state for id, state in new.items() if old.get(id) != state},
        "terrain": {
            name: ground.get(name, [])
            for name in {**old_ground, **ground}
            if ground.get(name, []) != old_ground.get(name, [])
        },
        "shots": [
            [getattr(event, "unit", ""), getattr(event, "target", "")]
            for event in story.events[first : frame.lines]
            if type(event).__name__ == "PoolPlanned"
        ],
    }


def _state(unit: dict[str, Any]) -> list[Any]:
    """What may change about a unit: name, squares, facing, strength, tokens, whether it has had its turn."""
    places = unit["places"] if unit["status"] == "board" else []
    squares = [list(svg.place(name)) for name in places]
    tokens = [*unit["tokens"], *unit.get("criticals", ())]
    return [
        unit["name"],
        squares,
        unit["facing"],
        unit["left"],
        unit["left_max"],
        tokens,
        unit["activated"],
        unit["status"],
    ]


def _result(story: Story) -> str:
    if not story.over:
        return "The battle is not over yet."
    if story.winner is None:
        return "A draw."
    return f"{story.header.forces[story.winner]['name']} won."


def _json(data: Any) -> str:
    """JSON that can stand inside a page whatever names it holds."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
