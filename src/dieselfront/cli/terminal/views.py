"""Views as the terminal draws them: what a ruleset leaves out is filled in, whatever kind of table it plays on."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.game import Game

STATUS_OF_PLACE = {"table": "board", "gone": "lost", "towed": "aboard"}
TENTHS = 10


def view_of(game: Game) -> dict[str, Any]:
    """The position of a game, with everything the terminal counts on."""
    view: dict[str, Any] = dict(game.rules.view(game.state))
    scenario = game.header.scenario if game.header is not None else {}
    forces = game.header.forces if game.header is not None else []
    view.setdefault("scenario", scenario.get("name", ""))
    score = view.setdefault("score", view.get("scores", [0, 0]))
    names = [force.get("name", f"Side {side + 1}") for side, force in enumerate(forces)]
    view.setdefault("sides", [{"name": name, "points": score[side]} for side, name in enumerate(names)])
    if "kind" not in view["table"]:
        view["table"] = measured_table(view["table"])
    view["units"] = [unit if "left" in unit and "places" in unit else measured_unit(unit) for unit in view["units"]]
    return view


def measured_table(table: dict[str, Any]) -> dict[str, Any]:
    """A measured table: its size and the outlines of its terrain, all in millimetres."""
    terrain = [
        {"kind": piece["kind"], "outline": [[x // TENTHS, y // TENTHS] for x, y in outline]}
        for piece in table.get("pieces", ())
        for outline in piece.get("outlines", ())
    ]
    return {"kind": "measured", "width": table["width"], "height": table.get("depth", 0), "terrain": terrain}


def measured_unit(unit: dict[str, Any]) -> dict[str, Any]:
    """A unit of models, in the terms of units on squares."""
    pins = [f"{unit['pins']} pins"] if unit.get("pins") and not unit.get("tokens") else []
    orders = [unit["order"]] if unit.get("order") else []
    left, most = unit.get("models_left", unit.get("strength", 0)), unit.get("models_max", unit.get("full_strength", 0))
    if most == 1 and unit.get("damage_max"):  # one model, which suffers damage
        left, most = unit["damage_max"] - unit.get("damage", 0), unit["damage_max"]
    place = unit.get("status", unit.get("place", "off"))
    return {
        "places": [],
        "left": left,
        "left_max": most or left,
        "aboard": unit.get("carrier", ""),
        **unit,
        "status": STATUS_OF_PLACE.get(place, place),
        "tokens": [*pins, *orders, *unit.get("tokens", ())],
        "activated": bool(unit.get("activated") or unit.get("order")),
    }
