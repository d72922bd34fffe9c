"""What Dust 1947 shows: names for the log, and positions on squares as plain data for screens."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.dust.state import DustState
from dieselfront.rulesets.dust.view import Namer, common_view, namer
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.table.square import SquareTable

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947 import Dust1947


def names(state: DustState) -> Namer:
    """Ids, places, sides and facings in words."""
    return namer(state, state.table.name)


def view(rules: Dust1947, state: DustState) -> dict[str, Any]:
    """The whole position as plain data."""
    table: SquareTable = state.table
    shown = common_view(state, table.name)
    shown["table"] = table_view(table)
    play = Play(rules, state)
    shown["objectives"] = [
        {
            "name": objective.name,
            "places": [table.name(place) for place in sorted(objective.places)],
            "points": objective.points,
            "holder": rules.victory.holder(play, objective),
        }
        for objective in state.objectives
    ]
    shown["score"] = [rules.victory.score(play, side) for side in (0, 1)]
    return shown


def glance(rules: Dust1947, state: DustState) -> dict[str, Any]:
    """What computers count in a position, as it stands in the view."""
    play = Play(rules, state)
    return {
        "turn": state.turn,
        "turns": getattr(state.scenario, "turns", 0),
        "score": [rules.victory.score(play, side) for side in (0, 1)],
        "table": table_view(state.table),
        "units": [
            {
                "id": unit.id,
                "models_left": unit.models,
                "activated": unit.activated,
                "tokens": [token for token in unit.tokens() if token != "activated"],
            }
            for unit in state.units
        ],
    }


@lru_cache(maxsize=128)
def table_view(table: SquareTable) -> dict[str, Any]:
    """The board: size, terrain, walls and floors by the names of their squares; given once for equal boards."""
    used = sorted({name for place in table.places() for name in table.features(place)})
    return {
        "kind": "squares",
        **table.to_plain(),
        "levels": table.levels,
        "kinds": {name: {"symbol": table.kinds[name].symbol} for name in used},
    }
