"""Where the weapons of a unit bear, as outlines for the board: fields of fire on squares and on measured tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shapely.geometry import Point, Polygon

from dieselfront.kernel.game import Game
from dieselfront.rulesets.dust.state import DustState
from dieselfront.rulesets.dust1947.ground import ARC_OF_MOUNT
from dieselfront.rulesets.freeform1947.ground import ARCS as FREE_ARCS
from dieselfront.rulesets.freeform1947.places import RANGE
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.state import State
from dieselfront.table.measured.arcs import ALL_ROUND, arc_polygons
from dieselfront.table.measured.templates import Area, Disc, Strip, Together
from dieselfront.table.square import SquareTable

Facts = dict[str, Any]
SIDE_RULES = {"left": "side", "right": "side", "front": "front", "rear": "rear"}
MOST_WEAPONS = 8


def arcs(game: Game, unit: str) -> list[Facts]:
    """One entry for each weapon that bears somewhere in particular, and the longest one that bears all round."""
    state = game.state
    if isinstance(state, DustState) and isinstance(state.table, SquareTable):
        return _on_squares(game, state, unit)
    if isinstance(state, State):
        return _measured(game, state, unit)
    if isinstance(state, DustState):
        return _open(game, state, unit)
    return []


def _on_squares(game: Game, state: DustState, name: str) -> list[Facts]:
    """Fixed mounts of a vehicle: the squares inside arc and range (d47.attack.arc.*)."""
    unit = state.by_id.get(name)
    if unit is None or not unit.where or unit.is_infantry:
        return []
    table: SquareTable = state.table
    found = []
    for part in unit.fighters():
        for weapon in part.card.weapons:
            arc: Any = ARC_OF_MOUNT.get(weapon.mount, "all")
            if arc == "all" or weapon.close:
                continue
            origins = game.rules.ground.origins(unit, weapon.mount)
            squares = [
                table.name(place)
                for place in table.places()
                if table.level(place) == 0
                and any(
                    table.in_arc(origin, unit.facing, place, arc)
                    and weapon.range_min <= table.distance(origin, place) <= weapon.range_max
                    for origin in origins
                )
            ]
            found.append(
                {
                    "weapon": weapon.name,
                    "name": f"{arc} arc",
                    "range": weapon.range_max,
                    "at": table.name(unit.where[0]),
                    "outline": squares,
                    "rule": f"d47.attack.arc.{SIDE_RULES[arc]}",
                }
            )
    return found[:MOST_WEAPONS]


def _open(game: Game, state: DustState, name: str) -> list[Facts]:
    """The same on the open table of the freeform rules (ff.arc.*, ff.scope.range_unit)."""
    unit = state.by_id.get(name)
    if unit is None or not unit.on_board:
        return []
    body = game.rules.ground.leader(state, unit)
    found = []
    for part in unit.fighters():
        for weapon in part.card.weapons:
            if weapon.close:
                continue
            arc = ALL_ROUND if unit.is_infantry else FREE_ARCS[weapon.mount]
            reach = weapon.range_max * RANGE
            side = SIDE_RULES.get(weapon.mount or "", "infantry" if unit.is_infantry else "turret")
            found.append(
                {
                    "weapon": weapon.name,
                    "name": arc.name,
                    "range": round(reach / INCH, 1),
                    "at": [body.x, body.y],
                    "outline": _outline(body, arc, reach),
                    "rule": f"ff.arc.{side}",
                }
            )
    return _few(found)


def _few(found: list[Facts]) -> list[Facts]:
    """Every arc there is, but only the longest of those that go all round."""
    round_about = [one for one in found if not one["outline"]]
    longest = sorted(round_about, key=lambda one: -one["range"])[:1]
    fixed = [one for one in found if one["outline"]]
    return [*longest, *{(one["weapon"], one["name"]): one for one in fixed}.values()][:MOST_WEAPONS]


def _measured(game: Game, state: State, name: str) -> list[Facts]:
    """Arcs of vehicles and fixed weapons, cut to the weapon's range (k47.shoot.arcs, k47.shoot.range)."""
    unit = next((one for one in state.units if one.id == name), None)
    if unit is None or not unit.on_table or not unit.bodies or unit.building:
        return []
    shooting = game.rules.shooting
    body = shooting.mount(unit)
    found: list[Facts] = []
    for weapon in dict.fromkeys(unit.card.weapons):
        if weapon.shoots:
            arc = shooting.arc(unit, weapon)
            found.append(
                {
                    "weapon": weapon.name,
                    "name": arc.name,
                    "range": weapon.range,
                    "at": [body.x, body.y],
                    "outline": _outline(body, arc, weapon.range * INCH),
                    "rule": "k47.shoot.arcs" if unit.is_vehicle else "k47.shoot.range",
                }
            )
    return _few(found)


def _outline(body: Any, arc: Any, reach: int) -> list[list[float]]:
    """The corners of an arc within range, in millimetres; empty for all round."""
    polygons = arc_polygons(body, arc)
    if not polygons:
        return []
    hull = Polygon(body.corners) if body.corners else Point(body.cx, body.cy).buffer(body.radius)
    covered: Any = hull.buffer(reach, 12).intersection(Polygon(polygons[0]))
    for polygon in polygons[1:]:
        covered = covered.union(hull.buffer(reach, 12).intersection(Polygon(polygon)))
    outer = covered if covered.geom_type == "Polygon" else max(covered.geoms, key=lambda one: one.area)
    return [[round(x / 10), round(y / 10)] for x, y in outer.exterior.coords[:-1]]


# -- templates --------------------------------------------------------------------------------------


def templates(laid: Iterable[Any]) -> list[Facts]:
    """What an answer lays on the table: discs, and bands that lead to them; in millimetres."""
    found: dict[str, Facts] = {}
    for template in laid:
        for told in _laid(template):
            found[str(told)] = told
    return list(found.values())


def _laid(template: Any) -> list[Facts]:
    if isinstance(template, Together):
        return [told for part in template.parts for told in _laid(part)]
    told: Facts = {"at": [0, 0], "radius": 0, "start": None, "width": 0, "outline": []}
    if isinstance(template, Disc):
        return [told | {"at": [template.x, template.y], "radius": template.radius / 10}]
    if isinstance(template, Strip):
        return [told | {"at": list(template.b), "start": list(template.a), "width": template.width / 10}]
    if isinstance(template, Area):
        corners = [[x / 10, y / 10] for x, y in template.corners]
        return [told | {"at": corners[0], "outline": corners}]
    return []
