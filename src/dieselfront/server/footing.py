"""The ground under a unit's feet: what each kind of terrain does to it, and the ground in reach of one move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shapely.geometry import Polygon
from shapely.ops import unary_union

from dieselfront.kernel.decisions import PlaceFree
from dieselfront.kernel.game import Game
from dieselfront.rulesets.dust.state import DustState
from dieselfront.rulesets.dust_open.terrain import word
from dieselfront.rulesets.konflikt47.charts import DOUBLE, NO, NO_DUG_IN, NO_RUN
from dieselfront.rulesets.konflikt47.going import code
from dieselfront.rulesets.konflikt47.routes import DriveRegion, FootRegion
from dieselfront.rulesets.konflikt47.state import ADVANCE, State, Unit
from dieselfront.table.measured.placement import Crowd
from dieselfront.table.measured.reach import drive_reach
from dieselfront.table.measured.reach import reach as walk_reach
from dieselfront.table.measured.terrain import Cover, Sight
from dieselfront.table.square import SquareTable
from dieselfront.table.square.movers import Mover, may
from dieselfront.table.terrain import TerrainKind

Facts = dict[str, Any]
CODES = {
    NO: ("it may not enter", "k47.terrain.code_no"),
    NO_RUN: ("it may cross, not at a run", "k47.terrain.code_no_run"),
    NO_DUG_IN: ("it may not move here, but be set up", "k47.terrain.code_no_star"),
    DOUBLE: ("along it, it moves twice as far", "k47.terrain.code_x2"),
}
COVERS = {Cover.SOFT: "soft cover, −1 to be hit", Cover.HARD: "hard cover, −2 to be hit"}
SIGHTS = {
    Sight.BLOCKS: ("blocks sight as high as it is", "k47.core.los"),
    Sight.AREA: ("is seen into, not right through", "k47.core.los_area"),
    Sight.SCREEN: ("is seen through", "k47.shoot.cover"),
}
WAYS = {"no": "it may not enter", "half": "halves its movement", "pass": "it may pass, not stop", "ok": "it may enter"}
OPEN_SIGHTS = {"blocks": "blocks sight", "area": "is seen into, not right through", "screen": "is seen through"}


# -- what terrain does ------------------------------------------------------------------------------


def effects(game: Game, unit: str) -> list[Facts]:
    """A line for every kind of terrain on the table: movement, sight and cover, for this unit."""
    state = game.state
    if isinstance(state, DustState) and isinstance(state.table, SquareTable):
        return list(_on_squares(game, state, unit))
    if isinstance(state, State):
        return list(_measured(state, unit))
    if isinstance(state, DustState):
        return list(_open(game, state, unit))
    return []


def _on_squares(game: Game, state: DustState, name: str) -> Iterator[Facts]:
    unit = state.by_id.get(name)
    if unit is None:
        return
    table: SquareTable = state.table
    mover = game.rules.ground.mover(unit, state)
    tall = game.rules.ground.eye(unit) == "tall"
    for kind in sorted({kind for place in table.places() for kind in table.features(place)}):
        terrain = table.kinds[kind]
        said = [_moving(terrain, mover), _seeing(terrain, tall), _covering(terrain)]
        nothing = "has a rule of its own" if terrain.rules else "changes nothing for it"
        text = "; ".join(words for words in said if words) or nothing
        yield {"kind": kind, "text": text, "rules": list(dict.fromkeys(terrain.rules.values()))}


def _open(game: Game, state: DustState, name: str) -> Iterator[Facts]:
    """On the open table of the freeform rules (ff.area.table)."""
    unit = state.by_id.get(name)
    if unit is None:
        return
    mover = game.rules.ground.mover(unit, state)
    for id in sorted({piece.kind.id for piece in state.table.land.pieces}):
        kind = game.rules.terrain.get(id)
        if kind is None:
            continue
        moving = "it flies over it" if mover.flying else WAYS.get(word(kind, id, mover), "")
        covers = kind.cover == "all" or (kind.cover != "none" and unit.is_infantry)
        said = [moving, OPEN_SIGHTS.get(kind.sight, ""), "gives cover" if covers else ""]
        rules = list(dict.fromkeys(["ff.area.table", *kind.rules.values()]))
        yield {"kind": id, "text": "; ".join(words for words in said if words) or "changes nothing", "rules": rules}


def _moving(terrain: TerrainKind, mover: Mover) -> str:
    """How it moves there."""
    if mover.flying:
        return "it flies over it"
    if not may(mover, terrain.passable):
        return "it may not enter"
    if not may(mover, terrain.stoppable):
        return "it may pass, not stop"
    if terrain.hazard and (not terrain.hazard_for or mover.kind in terrain.hazard_for):
        return "dangerous to enter"
    if terrain.halves:
        return "halves its movement"
    if terrain.road:
        return "speeds it up along the way"
    return "it may enter" if terrain.moves_matter else ""


def _seeing(terrain: TerrainKind, tall: bool) -> str:
    """What it sees past it."""
    if terrain.sight == "all":
        return "blocks sight"
    if terrain.sight == "low":
        return "it looks over it" if tall else "blocks its sight"
    return ""


def _covering(terrain: TerrainKind) -> str:
    """What shelter it gives."""
    if terrain.object_cover:
        return "covers who stands in it or right behind it"
    return "gives cover to who stands in it" if terrain.cover else ""


def _measured(state: State, name: str) -> Iterator[Facts]:
    unit = next((one for one in state.units if one.id == name), None)
    if unit is None:
        return
    seen: set[str] = set()
    for piece in sorted(state.table.pieces, key=lambda one: one.kind.id):
        kind = piece.kind
        if kind.id in seen:
            continue
        seen.add(kind.id)
        moving, rule = CODES.get(code(state, unit, piece), ("it may cross", "k47.terrain.code_ok"))
        seeing, sight_rule = SIGHTS.get(kind.sight, ("", ""))
        said = [moving, seeing, COVERS.get(kind.cover, "")]
        rules = ["k47.terrain.table", rule, sight_rule, "k47.shoot.cover" if kind.cover else ""]
        yield {
            "kind": kind.id,
            "text": "; ".join(words for words in said if words),
            "rules": list(dict.fromkeys(rule for rule in rules if rule)),
        }


# -- the ground in reach ----------------------------------------------------------------------------


def reach(game: Game, unit: str) -> list[list[list[float]]]:
    """Rings round the ground in reach, on measured tables: of the move being chosen, else of a plain advance."""
    pending = game.pending
    if isinstance(pending, PlaceFree) and pending.unit == unit:
        return rings(game, pending.region)
    state = game.state
    if not isinstance(state, State):
        return []
    found = next((one for one in state.units if one.id == unit), None)
    if found is None or not _may_move(found):
        return []
    return rings(game, game.rules.movement.region(state, found, ADVANCE))


def _may_move(unit: Unit) -> bool:
    return bool(unit.on_table and unit.bodies and not unit.building and not unit.immobilised)


def rings(game: Game, region: Any) -> list[list[list[float]]]:
    """Outlines of a region; one that knows its own tells it."""
    own = getattr(region, "outline", None)
    if own is not None:
        return [[[float(x), float(y)] for x, y in ring] for ring in own()]
    if isinstance(region, FootRegion) and region.bodies:
        leader, clearance = region.bodies[0], region.clearance
        keeps = [keep for keep in clearance.keeps if keep.is_kept(leader)]
        found = walk_reach(game.state.table, leader, region.reach, clearance.going, Crowd(keeps), step=12)
        return [[[float(x), float(y)] for x, y in ring] for ring in found.outline()]
    if isinstance(region, DriveRegion):
        return _driven(game, region)
    return []


def _driven(game: Game, region: DriveRegion) -> list[list[list[float]]]:
    """The ground a hull can end on: its outline at every end that a choice of drives leads to."""
    limits, clearance = region.limits, region.clearance
    avoid = [keep for keep in clearance.keeps if keep.is_kept(region.body)]
    turns = min(2, limits.turns) if limits.turns >= 0 else 2
    table = game.state.table
    drives = list(drive_reach(table, region.body, limits.ahead, turns, going=clearance.going, avoid=avoid, degrees=45))
    if limits.back:
        drives += drive_reach(table, region.body, limits.back, 0, going=clearance.going, avoid=avoid, backwards=True)
    hulls = [Polygon(drive.end.corners) for drive in drives if clearance.end_problem([drive.end]) is None]
    if not hulls:
        return []
    merged: Any = unary_union(hulls)
    parts = [merged] if merged.geom_type == "Polygon" else list(merged.geoms)
    return [[[round(x / 10), round(y / 10)] for x, y in part.exterior.coords[:-1]] for part in parts]
