"""The answer to "where can it go": ends, costs, paths and hazards of one movement action (d47.move.*)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Literal, NamedTuple

from dieselfront.table.square import native
from dieselfront.table.square.flood import Layers, Run, Scene, State, by_preference, meet_no_hazards, way_back
from dieselfront.table.square.geometry import Place, Stance, mask_of, places_of
from dieselfront.table.square.movers import Mover

if TYPE_CHECKING:
    from dieselfront.table.square.board import SquareTable

End = Place | Stance
LOOP = 2
"""What it costs to fly out and back again."""
Lead = Literal["front", "rear"]


class Way(NamedTuple):
    """How an end is reached."""

    cost: int
    run: int
    state: State
    last: int
    """The last square entered after `state`; -1 where the state is the end itself."""
    spent: bool


class Reach(ABC):
    """Where a unit can end one movement action, at which cost, and by which path.

    Ends are places for one-square units and stances for large and huge ones.
    """

    __slots__ = ("_compulsory", "_costs", "_runs", "_scene", "_spent", "_start", "_table", "_traced", "mover")

    def __init__(
        self, table: SquareTable, mover: Mover, start: End, scene: Scene, runs: list[Run], spent: bool
    ) -> None:
        self.mover = mover
        self._table = table
        self._start = start
        self._scene = scene
        self._runs = runs
        self._spent = spent
        self._costs: dict[End, int] | None = None
        self._compulsory = False
        self._traced: dict[End, tuple[Way, list[int]]] = {}

    def compulsory(self) -> Reach:
        """The same reach for a unit that must really move: staying is a loop, out and back, turning is no move.

        d47.move.aircraft_physical_move.
        """
        self._compulsory = True
        self._costs = None
        return self

    def _without_moving(self, ends: Iterable[End]) -> dict[End, int]:
        """What it costs to end where the unit began; nothing, unless it must fly a loop."""
        if not self._compulsory:
            return dict.fromkeys(ends, 0)
        farthest = max(run.budget for run in self._runs)
        return dict.fromkeys(ends, LOOP) if farthest >= LOOP else {}

    # --- as a mapping from end to cost ---

    @property
    def costs(self) -> dict[End, int]:
        """Every end with its cost, the cheapest first, then in order of squares."""
        if self._costs is None:
            self._costs = self._all_costs()
            if not self._costs:  # hemmed in: there is nowhere else to be
                self._costs = {self._start: 0}
        return self._costs

    def __getitem__(self, end: End) -> int:
        return self.costs[end]

    def get(self, end: End, default: int | None = None) -> int | None:
        """The cost of an end, or the default."""
        return self.costs.get(end, default)

    def __contains__(self, end: object) -> bool:
        return end in self.costs

    def __iter__(self) -> Iterator[End]:
        return iter(self.costs)

    def __len__(self) -> int:
        return len(self.costs)

    @property
    def mask(self) -> int:
        """All squares the unit could stand on at the end."""
        return mask_of(square for end in self.costs for square in self.squares(end))

    # --- about one end ---

    def path(self, end: End) -> tuple[Place, ...]:
        """The squares entered on the way: those of the leading end, or the min corners of a huge unit."""
        graph, nodes = self._scene.graph, self._trace(end)[1]
        return tuple([graph.place(node) for node in nodes]) if graph.landing else tuple(nodes)

    def by(self, end: End, squares: Sequence[Place]) -> Reach | str:
        """The same end by a way of the mover's own choice, or why that way is not legal.

        `squares` are those entered, as `path` tells them; the answer is a reach of this one end.
        """
        no_step = not_there = ""
        for number, run in enumerate(self._runs):
            walked = self._walk(run, squares)
            if isinstance(walked, str):
                no_step = no_step or walked
                continue
            cost, spent, last = walked
            if not self._arrives(run, self._scene.graph.node(squares[-1]), last, end):
                not_there = f"that way does not end on {self._table.name(place_of(end))} as wanted"
            elif cost > run.budget:
                not_there = f"that way costs {cost}, there are {run.budget} squares of movement"
            else:
                return self._only(end, Way(cost, number, State(0, cost, int(spent), 0), -1, spent), squares)
        return not_there or no_step

    def _walk(self, run: Run, squares: Sequence[Place]) -> tuple[int, bool, int] | str:
        """What a way costs, whether it uses up the cheap diagonal, the number of its last step; or why it is none."""
        graph, table = self._scene.graph, self._table
        here, cost, spent, last = run.start, 0, self._spent, -1
        if not squares or not all(table.exists(place) for place in squares):
            return "a way needs squares of the board"
        for place in squares:
            node = graph.node(place)
            steps = [
                number
                for number, step in enumerate(self._scene.steps)
                if step.offset == node - here and step.leaving >> here & 1
            ]
            if not steps or not (run.enter | 1 << run.start) >> node & 1:
                return f"there is no step from {table.name(graph.place(here))} to {table.name(place)}"
            last = steps[0]
            diagonal = self._scene.steps[last].diagonal
            cost += 2 if diagonal and spent else 1
            spent = spent or diagonal
            here = node
        return cost, spent, last

    def _arrives(self, run: Run, node: int, last: int, end: End) -> bool:
        """Does a way that enters this node with this step lead to the end?"""
        return self._scene.graph.place(node) == place_of(end) and bool(run.ends >> node & 1)

    def _only(self, end: End, way: Way, squares: Sequence[Place]) -> Reach:
        twin = copy(self)
        twin._costs = {end: way.cost}
        twin._traced = {end: (way, [self._scene.graph.node(place) for place in squares])}
        return twin

    def diagonal_used(self, end: End) -> bool:
        """Whether the cheap diagonal of the action is spent on the way."""
        return self._trace(end)[0].spent

    def left(self, end: End) -> int:
        """Squares of movement left after the way to an end, for a step that leads off any road."""
        way = self._trace(end)[0]
        run = self._runs[way.run]
        budget = max((other.budget for other in self._runs if not other.road), default=0) if run.road else run.budget
        return max(0, budget - way.cost)

    @abstractmethod
    def hazards(self, end: End) -> tuple[Place, ...]:
        """Hazardous squares entered on the way, in order."""

    def lead(self, end: End) -> Lead:
        """Which end of the unit leads."""
        return "front"

    def road(self, end: End) -> bool:
        """Whether the way needs the road bonus."""
        way = self._trace(end)[0]
        return way.cost > 0 and self._runs[way.run].road

    def squares(self, end: End) -> tuple[Place, ...]:
        """The squares the unit stands on at that end."""
        return (end,) if isinstance(end, int) else self._table.footprint(self.mover.size, end)

    # --- inside ---

    @abstractmethod
    def _all_costs(self) -> dict[End, int]: ...

    @abstractmethod
    def _way(self, end: End) -> Way: ...

    def _standing(self) -> Way:
        """The way of a unit that does not move."""
        start = self._scene.graph.node(place_of(self._start))
        return Way(0, 0, State(0, 0, int(self._spent), start), -1, self._spent)

    def _trace(self, end: End) -> tuple[Way, list[int]]:
        """The way to an end and the nodes it enters, found once."""
        traced = self._traced.get(end)
        if traced is None:
            way = self._way(end)
            traced = self._traced[end] = way, self._nodes(way)
        return traced

    def _nodes(self, way: Way) -> list[int]:
        if way.cost == 0:
            return []
        nodes = way_back(self._runs[way.run], self._scene, way.state)
        return [*nodes, way.last] if way.last >= 0 else nodes

    def _body_hazards(self, covered: list[Place], end: End) -> tuple[Place, ...]:
        """Hazardous squares a big unit came to stand on, wherever it was not at the start."""
        dangers = _square_hazards(self._table, self.mover)
        seen = mask_of(self.squares(self._start))
        hazards = []
        for square in (*covered, *self.squares(end)):
            if not seen >> square & 1:
                seen |= 1 << square
                if dangers >> square & 1:
                    hazards.append(square)
        return tuple(hazards)


class StandardReach(Reach):
    """The reach of a one-square unit; its ends are places."""

    __slots__ = ()

    @property
    def mask(self) -> int:
        """All squares the unit could stand on at the end."""
        if self._scene.graph.landing:
            return mask_of(end for end in self.costs if isinstance(end, int))
        mask = 1 << place_of(self._start)
        for run in self._runs:
            for layers in run.by_hazards:
                for unspent, spent in layers:
                    mask |= (unspent | spent) & run.ends
        return mask

    def hazards(self, end: End) -> tuple[Place, ...]:
        """Hazardous squares entered on the way, in order; of a flyer only the one it lands on."""
        graph = self._scene.graph
        nodes = self._trace(end)[1]
        if graph.landing:
            nodes = nodes[-1:]
        return tuple(graph.place(node) for node in nodes if graph.hazards >> node & 1)

    def _all_costs(self) -> dict[End, int]:
        graph = self._scene.graph
        start = place_of(self._start)
        costs = self._without_moving((start,))
        runs = self._runs
        if not graph.landing and not self._compulsory and meet_no_hazards(runs):
            alone = _first_tells_all(runs)
            layers, ends = (runs[0].by_hazards[0], runs[0].ends) if alone else _merged(runs)
            return costs_of(layers, ends, start, costs)
        for cost, nodes in _fresh_ends(self._runs, graph.node(start)):
            if graph.landing:
                costs.update({graph.place(node): cost for node in places_of(nodes)})
            else:
                costs.update(dict.fromkeys(places_of(nodes), cost))
        return in_order(costs)

    def _way(self, end: End) -> Way:
        if end == self._start:
            return self._standing()
        if not isinstance(end, int) or not self._table.exists(end):
            raise KeyError(end)
        node = self._scene.graph.node(end)
        if self._scene.graph.place(node) != end:
            raise KeyError(end)
        return _plain_way(self._runs, node, end)


class HugeReach(Reach):
    """The reach of a 2x2 unit; its ends are stances (min corner, any facing) (d47.move.huge_rotate)."""

    __slots__ = ()

    def hazards(self, end: End) -> tuple[Place, ...]:
        """Hazardous squares under the unit on its way, in order."""
        blocks = [self._table.footprint("huge", (node, 0)) for node in self._trace(end)[1]]
        return self._body_hazards([square for block in blocks for square in block], end)

    def _all_costs(self) -> dict[End, int]:
        start = place_of(self._start)
        costs: dict[End, int] = {(start, facing): 0 for facing in range(4)}
        for cost, nodes in _fresh_ends(self._runs, start):
            while nodes:
                low = nodes & -nodes
                nodes ^= low
                for facing in range(4):
                    costs[(low.bit_length() - 1, facing)] = cost
        return in_order(costs)

    def _way(self, end: End) -> Way:
        if isinstance(end, int) or not 0 <= end[1] < 4:
            raise KeyError(end)
        if end[0] == place_of(self._start):
            return self._standing()
        return _plain_way(self._runs, end[0], end)


def place_of(end: End) -> Place:
    """The square of an end."""
    return end if isinstance(end, int) else end[0]


def _fresh_ends(runs: list[Run], start: int) -> list[tuple[int, int]]:
    """The ends each layer adds to those before it, by preference."""
    taken = 1 << start
    ends = []
    for hazards, cost, number in by_preference(runs):
        unspent, spent = runs[number].by_hazards[hazards][cost]
        fresh = (unspent | spent) & runs[number].ends & ~taken
        if fresh:
            taken |= fresh
            ends.append((cost, fresh))
    return ends


def _first_tells_all(runs: list[Run]) -> bool:
    """Do further floods, none of which meets hazards, reach nothing that the first does not reach as well?"""
    first = runs[0].by_hazards[0]
    for run in runs[1:]:
        layers = run.by_hazards[0]
        if layers != first[: len(layers)]:
            return False
    return True


def _merged(runs: list[Run]) -> tuple[Layers, int]:
    """The ends of several floods that meet no hazards as the layers of one, and where they all are."""
    merged = [0] * max(len(run.by_hazards[0]) for run in runs)
    everywhere = 0
    for run in runs:
        ends = run.ends
        everywhere |= ends
        for cost, (unspent, spent) in enumerate(run.by_hazards[0]):
            merged[cost] |= (unspent | spent) & ends
    return [(squares, 0) for squares in merged], everywhere


def costs_of(layers: Layers, ends: int, start: int, costs: dict[End, int]) -> dict[End, int]:
    """Add the ends of one flood to the costs, the cheapest first, then in order of squares."""
    left = ends & ~(1 << start)
    for cost, (unspent, spent) in enumerate(layers):
        fresh = (unspent | spent) & left
        left ^= fresh
        for place in places_of(fresh):
            costs[place] = cost
    return costs


def _plain_way(runs: list[Run], node: int, end: End) -> Way:
    """The preferred way to a node: fewest hazards, then cheapest, then a diagonal saved."""
    if meet_no_hazards(runs) and _first_tells_all(runs):
        for cost, (unspent, spent) in enumerate(runs[0].by_hazards[0] if runs[0].ends >> node & 1 else ()):
            if (unspent | spent) >> node & 1:
                used = not unspent >> node & 1
                return Way(cost, 0, State(0, cost, int(used), node), -1, used)
        raise KeyError(end)
    bit = 1 << node
    leading = [run.by_hazards if run.ends & bit else None for run in runs]
    for hazards, cost, number in by_preference(runs):
        by_hazards = leading[number]
        if by_hazards is not None:
            unspent, spent = by_hazards[hazards][cost]
            if (unspent | spent) & bit:
                used = not unspent & bit
                return Way(cost, number, State(hazards, cost, int(used), node), -1, used)
    raise KeyError(end)


def in_order(costs: dict[End, int]) -> dict[End, int]:
    """Cheapest first, then in order of squares and facings."""
    pairs: list[tuple[int, End]] = [(cost, end) for end, cost in costs.items()]
    pairs.sort()
    return {end: cost for cost, end in pairs}


def _square_hazards(table: SquareTable, mover: Mover) -> int:
    """Hazards square by square, whatever the size of the mover."""
    if mover.kind == "aircraft":
        return 0
    one = Mover(mover.kind, amphibious=mover.amphibious, vehicle=mover.vehicle)
    return table.graph(one).hazards


native.take_over(globals(), "costs_of")
