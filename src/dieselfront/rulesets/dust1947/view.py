"""What Dust 1947 shows: names for the log, and positions on squares as screens show them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType, convert

from dieselfront.kernel.views import ObjectiveView, SquaresView, UnitView, Wall, plain
from dieselfront.rulesets.dust.state import DustState
from dieselfront.rulesets.dust.view import DustView, Namer, markers, namer, position_view, unit_view
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.table.square import SquareTable

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947 import Dust1947


class WallView(Wall, frozen=True, kw_only=True):
    """A wall, with what sets it apart from a usual one."""

    height: int | UnsetType = UNSET
    name: str | UnsetType = UNSET
    rules: dict[str, Any] | UnsetType = UNSET


class BoardView(SquaresView, frozen=True, kw_only=True):
    """The board, with its floors and the ways into its buildings."""

    walls: list[WallView]  # type: ignore[assignment]
    levels: int
    passages: list[list[str]] | UnsetType = UNSET


def names(state: DustState) -> Namer:
    """Ids, places, sides and facings in words."""
    return namer(state, state.table.name)


def view(rules: Dust1947, state: DustState) -> DustView:
    """The whole position."""
    table: SquareTable = state.table
    play = Play(rules, state)
    objectives = [
        ObjectiveView(
            name=objective.name,
            places=[table.name(place) for place in sorted(objective.places)],
            points=objective.points,
            holder=rules.victory.holder(play, objective),
        )
        for objective in state.objectives
    ]
    units: list[UnitView] = [unit_view(unit, table.name) for unit in state.units]
    return position_view(state, units, table_view(table), objectives, score(rules, play))


def score(rules: Dust1947, play: Play) -> list[int]:
    """Victory points of both sides now."""
    return [rules.victory.score(play, side) for side in (0, 1)]


def glance(rules: Dust1947, state: DustState) -> dict[str, Any]:
    """What computers count in a position, as it stands in the view."""
    play = Play(rules, state)
    return {
        "turn": state.turn,
        "turns": getattr(state.scenario, "turns", 0),
        "score": score(rules, play),
        "table": plain_table(state.table),
        "units": [
            {
                "id": unit.id,
                "models_left": unit.models,
                "activated": unit.activated,
                "tokens": markers(unit),
            }
            for unit in state.units
        ],
    }


@lru_cache(maxsize=128)
def table_view(table: SquareTable) -> BoardView:
    """The board: size, terrain, walls and floors by the names of their squares; given once for equal boards."""
    used = sorted({name for place in table.places() for name in table.features(place)})
    kinds = {name: {"symbol": table.kinds[name].symbol} for name in used}
    return convert({"kind": "squares", **table.to_plain(), "levels": table.levels, "kinds": kinds}, BoardView)


@lru_cache(maxsize=128)
def plain_table(table: SquareTable) -> dict[str, Any]:
    """The same as plain data."""
    return plain(table_view(table))
