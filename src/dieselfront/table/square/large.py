"""Large units: two squares in a line, one end leads and the other follows (d47.move.large_*)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dieselfront.table.square.flood import Run, Scene, State
from dieselfront.table.square.geometry import DIAGONALS, FORWARD, Place, Stance, shift
from dieselfront.table.square.reach import End, Lead, Reach, Way, in_order

if TYPE_CHECKING:
    from dieselfront.table.square.board import SquareTable


class LargeReach(Reach):
    """The reach of a two-square unit: one end leads, the other follows (d47.move.large_leading_edge).

    Its ends are stances (front square, facing). Without moving it may also turn in place.
    """

    __slots__ = ("_arrived", "_turned")

    def lead(self, end: End) -> Lead:
        """Which end of the unit leads; the floods of the front and of the rear take turns."""
        return "front" if self._trace(end)[0].run % 2 == 0 else "rear"

    def hazards(self, end: End) -> tuple[Place, ...]:
        """Hazardous squares under either end on the way, in order."""
        return self._body_hazards(self._trace(end)[1], end)

    def _all_costs(self) -> dict[End, int]:
        """The best way to every stance: fewest hazards, then cheapest; it may then face either way."""
        offsets = [dy * self._table.width + dx for dx, dy in FORWARD]
        self._arrived: dict[End, _Arrival] = {}
        turned: list[Stance] = rotations(self._table, self._start, self._scene)
        if self._compulsory:  # swinging one end round is a move of its own
            turned = [stance for stance in turned if set(self.squares(stance)) == set(self.squares(self._start))]
        costs = self._without_moving(turned)
        self._turned = frozenset(turned)
        taken = [0, 0, 0, 0]
        for arrival in sorted(_arrivals(self._table, self._scene, self._runs)):
            facing, back = arrival.facing, (arrival.facing + 2) % 4
            fresh = arrival.squares & ~taken[facing]
            taken[facing] |= fresh
            taken[back] |= shift(fresh, -offsets[facing])
            while fresh:
                low = fresh & -fresh
                fresh ^= low
                square = low.bit_length() - 1
                for stance in ((square, facing), (square - offsets[facing], back)):
                    if stance not in costs and stance not in self._turned:
                        costs[stance] = arrival.cost
                        self._arrived[stance] = arrival
        return in_order(costs)

    def _arrives(self, run: Run, node: int, last: int, end: End) -> bool:
        """The leading end stands there, the other in the square behind it; it may then face either way."""
        if isinstance(end, int):
            return False
        offsets = [dy * self._table.width + dx for dx, dy in FORWARD]
        for facing in _FACINGS_AFTER[last]:
            rear = node - offsets[facing]
            fits = run.ends >> node & 1 and rear >= 0 and run.ends >> rear & 1
            linked = fits and self._scene.steps[facing].leaving >> rear & 1
            if linked and end in ((node, facing), (rear, (facing + 2) % 4)):
                return True
        return False

    def _way(self, end: End) -> Way:
        if self.costs[end] == 0 or isinstance(end, int) or end in self._turned:
            return self._standing()
        arrival = self._arrived[end]
        offset = FORWARD[end[1]][1] * self._table.width + FORWARD[end[1]][0]
        square = end[0] if end[1] == arrival.facing else end[0] - offset
        step = self._scene.steps[arrival.step]
        before = State(arrival.from_hazards, arrival.from_cost, arrival.from_spent, square - step.offset)
        spent = step.diagonal or bool(arrival.from_spent)
        return Way(arrival.cost, arrival.run, before, square, spent)


class _Arrival(NamedTuple):
    """A last step of a leading end: the squares it may reach with the body behind it in one direction."""

    hazards: int
    cost: int
    run: int
    facing: int
    step: int
    from_hazards: int
    from_cost: int
    from_spent: int
    squares: int


class _Body:
    """Where the body of a large unit fits behind its leading end, and which lies are taken at a lower price."""

    __slots__ = ("behind", "offsets", "taken")

    def __init__(self, table: SquareTable, scene: Scene, run: Run) -> None:
        self.offsets = [dy * table.width + dx for dx, dy in FORWARD]
        self.behind = [shift(run.ends & scene.steps[way].leaving, self.offsets[way]) for way in range(4)]
        self.taken = [[0, 0, 0, 0] for _ in range(len(run.by_hazards) + 1)]

    def fresh(self, squares: int, facing: int, hazards: int) -> int:
        """The squares among these whose lie in this direction is new; they are new only once."""
        taken = self.taken[hazards]
        new = squares & ~taken[facing]
        taken[facing] |= new
        taken[(facing + 2) % 4] |= shift(new, -self.offsets[facing])
        return new


def _arrivals(table: SquareTable, scene: Scene, runs: list[Run]) -> list[_Arrival]:
    """Every last step the leading end can make, with the directions the body may lie in after it."""
    arrivals: list[_Arrival] = []
    for number, run in enumerate(runs):
        body = _Body(table, scene, run)
        for hazards, layers in enumerate(run.by_hazards):
            for cost, masks in enumerate(layers):
                for spent, squares in enumerate(masks):
                    if squares:
                        arrivals += _last_steps(scene, run, number, (hazards, cost, spent), squares, body)
    return arrivals


def _last_steps(
    scene: Scene, run: Run, number: int, state: tuple[int, int, int], squares: int, body: _Body
) -> list[_Arrival]:
    hazards, cost, spent = state
    dangers = scene.graph.hazards
    arrivals = []
    for index, (offset, diagonal, leaving) in enumerate(scene.steps):
        price = cost + (2 if diagonal and spent else 1)
        arrived = shift(squares & leaving, offset) & run.ends
        if price > run.budget or not arrived:
            continue
        for facing in _FACINGS_AFTER[index]:
            good = arrived & body.behind[facing]
            for extra, part in ((0, good & ~dangers), (1, good & dangers)):
                new = body.fresh(part, facing, hazards + extra) if part else 0
                if new:
                    arrivals.append(_Arrival(hazards + extra, price, number, facing, index, hazards, cost, spent, new))
    return arrivals


def _facings_after(step: int) -> tuple[int, ...]:
    """How a large unit may lie after its last step (d47.open.large_diagonal_footprint)."""
    if step < 4:
        return (step,)
    dx, dy = DIAGONALS[step - 4]
    return (0 if dy < 0 else 2, 1 if dx > 0 else 3)


_FACINGS_AFTER = tuple(_facings_after(step) for step in range(8))


def rotations(table: SquareTable, stance: End, scene: Scene) -> list[Stance]:
    """Stay, swap the ends, or swing one end into a free square beside the other (d47.open.large_rotate)."""
    assert not isinstance(stance, int)
    front, facing = stance
    offsets = [dy * table.width + dx for dx, dy in FORWARD]
    rear = front - offsets[facing]
    turned = [stance, (rear, (facing + 2) % 4)]
    for side in ((facing + 1) % 4, (facing + 3) % 4):
        if can_swing(scene, rear, side, rear + offsets[side]):
            turned.append((rear + offsets[side], side))
        if can_swing(scene, front, (side + 2) % 4, front - offsets[side]):
            turned.append((front, side))
    return sorted(turned, key=lambda other: (other != stance, other))


def can_swing(scene: Scene, kept: Place, side: int, square: Place) -> bool:
    """Whether the other end fits into the square on that side of the one that stays."""
    return bool(scene.steps[side].leaving >> kept & 1) and bool(scene.ends >> square & 1)
