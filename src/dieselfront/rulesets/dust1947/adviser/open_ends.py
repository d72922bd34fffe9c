"""Ends of a movement on an open table that its list of spots leaves out: beside markers, behind what hides.

A list is a lattice; whoever answers may name any place (dust_open/regions.py), so plans may end between its points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.adviser.field import Field
from dieselfront.rulesets.dust1947.adviser.goals import Goals, Wish

RING = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
SAFELY = 0.9
"""Of the distance from which a marker is held: so near a plan means to come."""

BEHIND = (30, 70, 120)
"""So far behind a piece of terrain, a tank or a house its shelter is looked for (mm)."""

MOST_BEHIND = 10
"""So many pieces of terrain are looked at for shelter."""


def ends_at_markers(goals: Goals, unit: Unit, region: Any, costs: Mapping[int, int]) -> dict[int, int]:
    """A place at every marker that can be reached and at which no spot of the list stands."""
    ends: dict[int, int] = {}
    for wish in goals.wishes(unit):
        if any(not wish.way.get(spot, 1) for spot in costs):
            continue
        end = next((place for place in _around(goals, unit, wish) if _is_open(region, place)), None)
        if end is not None:
            ends[end] = _cost(region, end)
    return ends


def _around(goals: Goals, unit: Unit, wish: Wish) -> Iterator[int]:
    """Places from which a marker is held, those on the near side first."""
    table: Any = goals.state.table
    near = getattr(wish.way, "near", 0)
    x, y = table.xy(unit.place)
    march = goals.play.rules.movement.pace(goals.play, unit)[1] * table.measures.range
    for marker in sorted(wish.places):
        if table.tenths(unit.place, marker) - near > march:
            continue
        mx, my = table.xy(marker)
        far = max(1.0, ((x - mx) ** 2 + (y - my) ** 2) ** 0.5)
        for share in (SAFELY, 0.5):
            reach = min(far, share * near / 10)
            yield table.place(round(mx + (x - mx) * reach / far), round(my + (y - my) * reach / far))
            ways = sorted(RING, key=lambda way: -(way[0] * (x - mx) + way[1] * (y - my)))
            for dx, dy in ways:
                length = (dx * dx + dy * dy) ** 0.5
                px, py = round(mx + dx * reach / length), round(my + dy * reach / length)
                if 0 <= px <= table.width and 0 <= py <= table.height:
                    yield table.place(px, py)


def ends_in_shelter(field: Field, unit: Unit, region: Any) -> dict[int, int]:
    """Places behind terrain and hulls, as the most dangerous foes that see the unit look at them."""
    piece = field.piece(unit)
    guns = sorted(
        ((field.struck(foe, piece, unit.place), foe.place) for foe in field.foes(unit) if not foe.acted), reverse=True
    )
    threats = [place for loss, place in guns if loss][:2]
    if not threats:
        return {}
    ends: dict[int, int] = {}
    for gun in threats:
        for place in _behind(field, unit, region, gun):
            if place not in ends and _is_open(region, place):
                ends[place] = _cost(region, place)
    return ends


def _behind(field: Field, unit: Unit, region: Any, gun: int) -> Iterator[int]:
    table: Any = field.table
    gx, gy = table.xy(gun)
    for cx, cy, size in _shelters(field, unit, region)[:MOST_BEHIND]:
        far = max(1.0, ((cx - gx) ** 2 + (cy - gy) ** 2) ** 0.5)
        for extra in BEHIND:
            reach = (far + size + extra) / far
            px, py = round(gx + (cx - gx) * reach), round(gy + (cy - gy) * reach)
            if 0 <= px <= table.width and 0 <= py <= table.height:
                yield table.place(px, py)


def _shelters(field: Field, unit: Unit, region: Any) -> list[tuple[float, float, float]]:
    """Middles of terrain and of tanks near enough, and how far they reach towards somebody behind them (mm)."""
    table: Any = field.table
    x, y = table.xy(unit.place)
    shelters = []
    for terrain in table.land.near(region.body, region.limit):
        for part in terrain.parts:
            px, py = part.centre[0] / 10, part.centre[1] / 10
            shelters.append((px, py, _thickness(part)))
    for piece in (*field.pieces[0], *field.pieces[1]):
        if not piece.foot and not piece.flying and piece.unit is not unit:
            px, py = table.xy(piece.place)
            shelters.append((px, py, 40.0))
    shelters.sort(key=lambda one: (one[0] - x) ** 2 + (one[1] - y) ** 2)
    return shelters


def _thickness(part: Any) -> float:
    """From the middle of a piece to its nearer side, in millimetres."""
    cx, cy = part.centre
    xs, ys = [abs(point[0] - cx) for point in part.polygon], [abs(point[1] - cy) for point in part.polygon]
    return float(min(max(xs), max(ys))) / 10


def _is_open(region: Any, place: int) -> bool:
    return region.problem(place, region.usual(place)) is None


def _cost(region: Any, place: int) -> int:
    cost: int = region.state.table.measures.ranges(region.cost(place))
    return cost


__all__ = ["ends_at_markers", "ends_in_shelter"]
