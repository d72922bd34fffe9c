"""Movement on squares: one action's reach, turning, single steps and stops (d47.move.*).

What terrain allows is in steps.py, the flood fill in flood.py, the answer in reach.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

from dieselfront.table.square.flood import Run, Scene, flood, flood_avoiding
from dieselfront.table.square.geometry import Place, Stance, mask_of
from dieselfront.table.square.large import LargeReach, can_swing
from dieselfront.table.square.large import rotations as large_rotations
from dieselfront.table.square.movers import Mover, Occupancy
from dieselfront.table.square.reach import End, HugeReach, Reach, StandardReach, place_of
from dieselfront.table.square.steps import Step
from dieselfront.table.terrain import TableError

if TYPE_CHECKING:
    from dieselfront.table.square.board import SquareTable


def reach(
    table: SquareTable,
    mover: Mover,
    start: End,
    budget: int,
    occupancy: Occupancy,
    diagonal_used: bool,
    road_bonus: int,
    halved_budget: int | None,
) -> Reach:
    """Everywhere one movement action can end."""
    if mover.size != "standard" and isinstance(start, int):
        raise TableError(f"A {mover.size} unit starts from a stance (square, facing), not from a square alone.")
    if mover.size == "huge" and (mover.kind == "aircraft" or mover.flying):
        raise TableError("Nothing huge flies; expected a standard or large unit.")
    if mover.size == "standard":
        start = place_of(start)
        own: tuple[Place, ...] = (start,) if table.exists(start) else table.footprint("standard", (start, 0))
    else:
        own = table.footprint(mover.size, start if isinstance(start, tuple) else (start, 0))
    scene = _scene(table, mover, mask_of(own), occupancy)
    graph = scene.graph
    starts = own if mover.size == "large" else (place_of(start),)
    nodes = [graph.node(place) for place in starts]
    runs: list[Run] = []
    new = tuple.__new__  # half the price of calling Run
    under = mask_of(nodes)
    for enter, limit, road in _limits(scene, under, max(budget, 0), road_bonus, halved_budget):
        hazards = graph.hazards & enter
        for node in nodes:
            if hazards and not graph.landing:
                by_hazards = flood_avoiding(node, scene.steps, enter, hazards, limit, diagonal_used)
            else:
                by_hazards = [flood(node, scene.steps, enter, limit, diagonal_used)]
            runs.append(new(Run, (enter, scene.ends & enter, limit, road, node, by_hazards)))
    return _ANSWERS[mover.size](table, mover, start, scene, runs, diagonal_used)


_ANSWERS: dict[str, type[StandardReach] | type[LargeReach] | type[HugeReach]] = {
    "standard": StandardReach,
    "large": LargeReach,
    "huge": HugeReach,
}


def _scene(table: SquareTable, mover: Mover, own: int, occupancy: Occupancy) -> Scene:
    """What a mover may enter and where it may end, among the units of the moment; the last answer is kept."""
    key = (mover, own, occupancy)
    last = table.last_scene
    if last is not None and last[0] == key:
        return last[1]
    scene = _new_scene(table, mover, own, occupancy)
    table.last_scene = (key, scene)
    return scene


def _new_scene(table: SquareTable, mover: Mover, own: int, occupancy: Occupancy) -> Scene:
    graph = table.graph(mover)
    if mover.kind == "aircraft":
        return Scene(graph, graph.steps, graph.nodes, graph.nodes & ~(occupancy.aircraft & ~own))
    friends, enemies = occupancy.friends & ~own, occupancy.enemies & ~own
    taken = enemies if mover.shares else enemies | friends
    if graph.landing:
        return Scene(graph, graph.steps, graph.nodes, graph.stoppable & ~graph.units_in_nodes(taken))
    blocked = 0 if mover.through_enemies else enemies
    if mover.vehicle:
        blocked |= occupancy.friend_vehicles & ~own
    steps = graph.live_steps(friends, enemies, blocked)
    ends = graph.stoppable & graph.passable & ~taken
    if mover.size == "huge":
        width = table.width
        whole = ends & (ends >> 1) & (ends >> width) & (ends >> (width + 1)) & graph.nodes
        return Scene(graph, steps, graph.nodes, whole)
    return Scene(graph, steps, graph.passable & ~blocked, ends)


def _limits(
    scene: Scene, under: int, budget: int, road_bonus: int, halved_budget: int | None
) -> list[tuple[int, int, bool]]:
    """The floods one action needs: off the mud, through it, all on roads (d47.open.mud_partial)."""
    graph, enter = scene.graph, scene.enter
    mud = graph.halves if halved_budget is not None else 0
    halved = min(budget, max(halved_budget or 0, 0))
    if mud & under:
        return [(enter, halved, False)]
    limits = [(enter & ~mud, budget, False)]
    if mud & enter:
        limits.append((enter, halved, False))
    if road_bonus > 0 and not under & ~graph.roads:
        limits.append((enter & graph.roads & ~mud, budget + road_bonus, True))
    return limits


def rotations(table: SquareTable, mover: Mover, stance: Stance, occupancy: Occupancy) -> tuple[Stance, ...]:
    """Stances reached by turning in place (d47.move.huge_rotate, d47.open.large_rotate)."""
    own = mask_of(table.footprint(mover.size, stance))
    if mover.size != "large":
        return tuple((stance[0], facing) for facing in range(4))
    return tuple(large_rotations(table, stance, _scene(table, mover, own, occupancy)))


def can_step(table: SquareTable, mover: Mover, a: Place, b: Place, occupancy: Occupancy) -> bool:
    """Whether a one-square unit may step from one place to another."""
    return path_cost(table, mover, (a, b), occupancy, False) is not None


def path_cost(
    table: SquareTable, mover: Mover, path: tuple[Place, ...], occupancy: Occupancy, diagonal_used: bool
) -> int | None:
    """The cost of a path, or None if one of its steps is not legal; where it ends is not judged."""
    scene = _scene(table, mover, 1 << path[0], occupancy)
    nodes = [scene.graph.node(place) for place in path]
    cost = 0
    for here, there in pairwise(nodes):
        step = _step_between(scene, here, there)
        if step is None:
            return None
        cost += 2 if step.diagonal and diagonal_used else 1
        diagonal_used = diagonal_used or step.diagonal
    return cost


def _step_between(scene: Scene, here: int, there: int) -> Step | None:
    if not scene.enter >> there & 1:
        return None
    for step in scene.steps:
        if step.offset == there - here and step.leaving >> here & 1:
            return step
    return None


def stops_among(table: SquareTable, mover: Mover, places: Iterable[Place], occupancy: Occupancy) -> list[Place]:
    """The places where a one-square unit may stand; like `can_stop` for each."""
    scene = _scene(table, mover, 0, occupancy)
    graph, ends = scene.graph, scene.ends
    if not graph.landing:
        return [place for place in places if ends >> place & 1]
    nodes = [(place, graph.node(place)) for place in places]
    return [place for place, node in nodes if ends >> node & 1 and graph.place(node) == place]


def can_stop(table: SquareTable, mover: Mover, where: End, occupancy: Occupancy) -> bool:
    """Whether a unit may stand there; its own present squares must not be in the masks."""
    scene = _scene(table, mover, 0, occupancy)
    if mover.size != "large":
        node = scene.graph.node(place_of(where))
        return bool(scene.ends >> node & 1) and scene.graph.place(node) == place_of(where)
    assert not isinstance(where, int)
    if not table.fits("large", where):
        return False
    front, rear = table.footprint("large", where)
    linked = can_swing(scene, rear, where[1], front)
    return linked and bool(scene.ends >> rear & 1)
