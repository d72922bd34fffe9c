"""Flood fill over masks of squares: where a budget leads, and the way back (d47.move.diagonal_cost).

One layer per movement point, kept twice: with the cheap first diagonal still to come and with it spent.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from dieselfront.table.square import native
from dieselfront.table.square.steps import Step, StepGraph

Layers = list[tuple[int, int]]
"""By cost: squares first reached with the cheap diagonal unspent, and with it spent."""


class Scene(NamedTuple):
    """A mover among the units of the moment."""

    graph: StepGraph
    steps: list[Step]
    enter: int
    ends: int


class Run(NamedTuple):
    """One flood fill: where it may go, how far, and what it reached for each number of hazards entered."""

    enter: int
    ends: int
    budget: int
    road: bool
    start: int
    by_hazards: list[Layers]


class State(NamedTuple):
    """A point of a flood fill."""

    hazards: int
    cost: int
    spent: int
    node: int


def flood(start: int, steps: list[Step], enter: int, budget: int, spent: bool) -> Layers:
    """Squares first reached at each cost; the first diagonal is 1, later ones 2 (d47.move.diagonal_cost)."""
    unspent_at = [0] * (budget + 3)
    spent_at = [0] * (budget + 3)
    if spent:
        spent_at[0] = 1 << start
    else:
        unspent_at[0] = 1 << start
    enter |= 1 << start
    free_left, spent_left = enter, enter
    layers = []
    for cost in range(budget + 1):
        free = unspent_at[cost] & free_left
        free_left ^= free
        spent_left &= ~free
        used = spent_at[cost] & spent_left
        spent_left ^= used
        layers.append((free, used))
        if cost < budget and (free or used):
            _spread(steps, free, used, unspent_at, spent_at, cost)
    return layers


def _spread(steps: list[Step], free: int, used: int, unspent_at: list[int], spent_at: list[int], cost: int) -> None:
    straight_free = straight_used = first = later = 0
    for offset, diagonal, leaving in steps:
        from_free = free & leaving
        from_used = used & leaving
        if from_free:
            moved = from_free << offset if offset > 0 else from_free >> -offset
            if diagonal:
                first |= moved
            else:
                straight_free |= moved
        if from_used:
            moved = from_used << offset if offset > 0 else from_used >> -offset
            if diagonal:
                later |= moved
            else:
                straight_used |= moved
    unspent_at[cost + 1] |= straight_free
    spent_at[cost + 1] |= straight_used | first
    spent_at[cost + 2] |= later


def flood_avoiding(start: int, steps: list[Step], enter: int, hazards: int, budget: int, spent: bool) -> list[Layers]:
    """One flood for each number of hazardous squares entered, so that paths can avoid them."""
    length = budget + 3
    free_in, used_in = [0] * length, [0] * length
    (used_in if spent else free_in)[0] = 1 << start
    safe = enter & ~hazards
    known_free, known_used = [0] * length, [0] * length
    result = []
    while any(free_in[: budget + 1]) or any(used_in[: budget + 1]):
        free_next, used_next = [0] * length, [0] * length
        layers = []
        seen_free = seen_used = 0
        for cost in range(budget + 1):
            seen_free |= known_free[cost]
            seen_used |= known_used[cost] | seen_free
            free = free_in[cost] & ~seen_free
            seen_free |= free
            used = used_in[cost] & ~(seen_used | free)
            seen_used |= used | free
            layers.append((free, used))
            if cost < budget and (free or used):
                out_free, out_used = [0] * length, [0] * length
                _spread(steps, free, used, out_free, out_used, cost)
                for later in (cost + 1, cost + 2):
                    free_in[later] |= out_free[later] & safe
                    used_in[later] |= out_used[later] & safe
                    free_next[later] |= out_free[later] & enter & hazards
                    used_next[later] |= out_used[later] & enter & hazards
        for cost, (free, used) in enumerate(layers):
            known_free[cost] |= free
            known_used[cost] |= used
        result.append(layers)
        free_in, used_in = free_next, used_next
    return result


def way_back(run: Run, scene: Scene, state: State) -> list[int]:
    """The nodes from the start (not included) to a state, found backwards over the layers.

    Of equally good ways the first, unless another spares something that the first goes over.
    """
    spared = scene.graph.spared & ~(1 << state.node)
    nodes: list[int] = []
    goal = state
    if len(run.by_hazards) == 1:
        nodes = walk_back(run.by_hazards[0], scene.steps, state.cost, state.spent, state.node)
    else:
        while state.cost:
            nodes.append(state.node)
            state = next(_before(run, scene, state))
        nodes.reverse()
    if spared and any(spared >> node & 1 for node in nodes):
        return _sparing(run, scene, goal, spared, {})[1]
    return nodes


def walk_back(layers: Layers, steps: list[Step], cost: int, spent: int, node: int) -> list[int]:
    """The nodes of the first way back over the layers of one flood, from its start (not included) to a node."""
    nodes: list[int] = []
    while cost:
        nodes.append(node)
        cost, spent, node = next(_one_back(layers, steps, cost, spent, node))
    nodes.reverse()
    return nodes


def _one_back(layers: Layers, steps: list[Step], cost: int, spent: int, node: int) -> Iterator[tuple[int, int, int]]:
    """Where the last step can have come from, in the order of the steps: cost, whether spent, node."""
    for offset, diagonal, leaving in steps:
        source = node - offset
        if source < 0 or not leaving >> source & 1:
            continue
        for price, before in _prices(diagonal, spent):
            if cost >= price and layers[cost - price][before] >> source & 1:
                yield cost - price, before, source


Spared = tuple[int, list[int]]
"""How many squares that could be spared a way goes over, and its nodes."""


def _sparing(run: Run, scene: Scene, state: State, spared: int, known: dict[State, Spared]) -> Spared:
    """The way to a state that spares most, among those that are as good otherwise."""
    if not state.cost:
        return 0, []
    if state not in known:
        before = [_sparing(run, scene, one, spared, known) for one in _before(run, scene, state)]
        losses, nodes = min(before, key=lambda way: way[0])
        known[state] = losses + (spared >> state.node & 1), [*nodes, state.node]
    return known[state]


def _before(run: Run, scene: Scene, state: State) -> Iterator[State]:
    """The states a state can have come from, in the order of the steps."""
    hazards, cost, spent, node = state
    hazards -= len(run.by_hazards) > 1 and scene.graph.hazards >> node & 1
    for earlier in _one_back(run.by_hazards[hazards], scene.steps, cost, spent, node):
        yield State(hazards, *earlier)


def _prices(diagonal: bool, spent: int) -> tuple[tuple[int, int], ...]:
    """Cost and earlier state of a step that ended in this state."""
    if not diagonal:
        return ((1, spent),)
    return ((1, 0), (2, 1)) if spent else ()


def meet_no_hazards(runs: list[Run]) -> bool:
    """Does none of some floods enter a hazardous square?"""
    for run in runs:  # noqa: SIM110 (asked very often)
        if len(run.by_hazards) != 1:
            return False
    return True


def by_preference(runs: list[Run]) -> list[tuple[int, int, int]]:
    """All layers of all runs: fewest hazards first, then cheapest, then the earlier run."""
    if meet_no_hazards(runs):
        return _order_of(tuple([len(run.by_hazards[0]) for run in runs]))
    order = [
        (hazards, cost, number)
        for number, run in enumerate(runs)
        for hazards, layers in enumerate(run.by_hazards)
        for cost in range(len(layers))
    ]
    order.sort()
    return order


@lru_cache(maxsize=4096)
def _order_of(lengths: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """The same for runs that meet no hazards, by how many layers each of them has."""
    return sorted((0, cost, number) for number, length in enumerate(lengths) for cost in range(length))


native.take_over(globals(), "flood", "walk_back")
