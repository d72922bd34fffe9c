"""Objectives as a Dust adviser sees them: what each is worth now, who holds it, and how far every place is from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dieselfront.rulesets.dust.state import ABOARD, DustState, Unit
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.table.square import Occupancy

FARTHEST = 30
NOWHERE: frozenset[int] = frozenset()
MOST_KEPT = 64
GOAL_POINTS = 12.0
"""What an objective is worth, in points, because holding all of its kind wins the battle."""

IN_CASE = 0.15
"""What a second unit on an objective is worth: the first one may fall."""

NOT_THERE = 0.03
"""What it is worth in the last turn to be near an objective that is not reached."""

BROUGHT = 0.9
"""What it is worth to bring riders near enough, beside being there."""

LIKELY = 0.8
"""The chance that a foe who can spoil an objective does."""


class Ways:
    """How far every place is from each objective on foot, by wheel or by air, worked out once a battle."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, Any], tuple[Any, tuple[Mapping[int, int], ...]]] = {}

    def to_objectives(self, play: Play, unit: Unit) -> tuple[Mapping[int, int], ...]:
        """For each objective the cost from every place that the unit's kind of mover can stand on."""
        state: DustState = play.state
        card = unit.card
        mover: tuple[Any, ...] = (card.locomotion, card.size, card.armour >= 2)
        if play.rules.table == "measured" and not unit.is_infantry:
            mover = (card.id,)  # its hull tells from how far it holds a marker
        key = (id(state.scenario), mover)
        entry = self._kept.get(key)
        if entry is None or entry[0] is not state.scenario:
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            entry = (state.scenario, self._measure(play, unit))
            self._kept[key] = entry
        return entry[1]

    def _measure(self, play: Play, unit: Unit) -> tuple[Mapping[int, int], ...]:
        state: DustState = play.state
        if play.rules.table == "measured":
            from dieselfront.rulesets.dust1947.adviser.open_table import Straight, half_a_hull

            ground: Any = play.rules.ground  # that of an open table, which this folder does not know
            near = ground.hold_reach(state) + (0 if unit.is_infantry else half_a_hull(ground, state, unit))
            return tuple(Straight(state.table, one.places, near) for one in state.objectives)
        table = state.table
        nobody = Occupancy(0, 0, 0, 0)
        mover = play.rules.ground.mover(unit, state)
        if mover.size != "standard":
            mover = _of_one_square(mover)
        measured: list[Mapping[int, int]] = []
        for objective in state.objectives:
            costs: dict[int, int] = {}
            for place in sorted(objective.places):
                for end, cost in table.reach(mover, place, FARTHEST, nobody).costs.items():
                    if cost < costs.get(end, FARTHEST + 1):
                        costs[end] = cost
            measured.append(costs)
        return tuple(measured)


def _of_one_square(mover: Any) -> Any:
    import msgspec

    return msgspec.structs.replace(mover, size="standard")


class Wish(NamedTuple):
    """What a unit wants of an objective: its places, the way to them, what it is worth to stand there, to be near.

    A carrier need not come nearer than `within`: from there its riders walk.
    """

    places: frozenset[int]
    way: Mapping[int, int]
    inside: float
    outside: float
    within: int = 0


class Goals:
    """The objectives of one position."""

    def __init__(self, play: Play, ways: Ways, weights: Mapping[str, float]) -> None:
        self.play = play
        self.state: DustState = play.state
        self.ways = ways
        state = self.state
        self.left = max(0, state.scenario.turns - state.turn)
        self.late = min(1.0, state.turn / max(1, state.scenario.turns))
        early = weights["early"]
        self._weight = weights["objective"]
        scale = self._weight * (early + (1.0 - early) * self.late)
        self.values: list[tuple[float, float]] = [self._values(one, scale) for one in state.objectives]
        self.holders: list[int | None] = [play.rules.victory.holder(play, one) for one in state.objectives]
        self._standing: list[list[Unit]] | None = None
        self._wishes: dict[tuple[str, int], list[Wish]] = {}
        self._clears: dict[tuple[str, str, int], float] = {}
        self._spoils: dict[str, float] = {}

    def _values(self, one: Any, weight: float) -> tuple[float, float]:
        """What the objective is worth to either side."""
        goal = self.state.scenario.goal
        plain = one.points + one.each_turn * (self.left + 1)
        values = []
        for side in (0, 1):
            wins = goal is not None and one.name in goal.hold and goal.side in (None, side)
            matters = goal is not None and one.name in goal.hold  # the other side must keep it from falling
            extra = GOAL_POINTS / max(1, len(goal.hold)) if goal is not None and (wins or matters) else 0.0
            values.append(weight * (plain + extra))
        return values[0], values[1]

    # -- who holds what -------------------------------------------------------------------------

    def standing(self, place: int) -> list[Unit]:
        """The units on an objective, by its number."""
        if self._standing is None:
            self._standing = [
                [u for u in self.state.on_board() if self.play.rules.ground.stands_at(self.state, u, one.places)]
                for one in self.state.objectives
            ]
        return self._standing[place]

    def counts(self, unit: Unit) -> str:
        """How a unit counts on an objective as it is now: 'hold', 'contest' or 'none'."""
        counts: str = self.play.rules.victory.standing(self.play, unit)
        return counts

    def side_that_holds(self, number: int, gone: Sequence[Unit] = (), come: Sequence[Unit] = ()) -> int | None:
        """Who would hold an objective if some units were gone and others had come."""
        here = [unit for unit in self.standing(number) if unit not in gone and unit not in come]
        counted: tuple[set[str], set[str]] = (set(), set())
        for unit in (*here, *come):
            counted[unit.side].add(self.counts(unit))
        for side in (0, 1):
            if "hold" in counted[side] and not counted[1 - side] & {"hold", "contest"}:
                return side
        return None

    def result(self, number: int, side: int, holder: int | None) -> float:
        """What it is worth to a side that somebody holds an objective when the battle ends."""
        values = self.values[number]
        return 0.0 if holder is None else values[side] if holder == side else -values[1 - side]

    def taken_by(self, number: int, unit: Unit) -> float:
        """What changes if a unit stands on an objective at the end, beside its being elsewhere."""
        before = self.side_that_holds(number, gone=(unit,))
        after = self.side_that_holds(number, gone=(unit,), come=(unit,))
        return self.result(number, unit.side, after) - self.result(number, unit.side, before)

    # -- what it is worth to be where -----------------------------------------------------------------

    def pull(self, unit: Unit, spot: int) -> float:
        """What it is worth for the unit to be on a spot: on an objective, or on the way to one that is wanted."""
        best = 0.0
        for wish in self.wishes(unit):
            far = wish.way.get(spot, FARTHEST)
            if far <= wish.within or spot in wish.places:
                worth = wish.inside
            else:
                worth = wish.outside * (1.0 - 0.09 * far if far < 10 else 1.0 / far)
            if worth > best:
                best = worth
        return best

    def stake(self, unit: Unit, spot: int) -> float:
        """What a unit holds on a spot: the worth of the objective it would stand on there."""
        return max((wish.inside for wish in self.wishes(unit) if spot in wish.places), default=0.0)

    def held_from(self, unit: Unit, spot: int) -> int:
        """The objectives on which a unit stands on a spot, as bits."""
        there = 0
        for number, wish in enumerate(self.wishes(unit)):
            if spot in wish.places or (not wish.way.get(spot, FARTHEST) and not wish.within):
                there |= 1 << number
        return there

    def ahead(self, unit: Unit, place: int) -> bool:
        """Does a place lie on the way to an objective that is wanted, or is there no objective at all?"""
        wishes = self.wishes(unit)
        return not wishes or any(
            wish.inside > 1.0 and wish.way.get(place, FARTHEST) < wish.way.get(unit.place, FARTHEST) for wish in wishes
        )

    def wishes(self, unit: Unit) -> list[Wish]:
        """What a unit wants of each objective."""
        if not self.values:
            return []
        key = (unit.id, unit.flags)  # who marched may count for less
        wishes = self._wishes.get(key)
        if wishes is None:
            wishes = self._wishes[key] = self._wishes_of(unit) if self.counts(unit) != "none" else []
            if not self.left:
                wishes += self._wishes_of_riders(unit)
        return wishes

    def _wishes_of_riders(self, carrier: Unit) -> list[Wish]:
        """Where a carrier brings those who get off after it has moved, in the last turn."""
        wishes: list[Wish] = []
        for rider in self.state.units:
            if rider.aboard != carrier.id or rider.status != ABOARD or rider.activated:
                continue
            if "on_unloads_late" not in carrier.effects and "on_leaves_late" not in rider.effects:
                continue  # d47.transport.no_dismount_after
            march = self.play.rules.movement.pace(self.play, rider)[1]
            ways = self.ways.to_objectives(self.play, rider)
            for number, way in enumerate(ways):
                wish = self._last_wish(rider, number, way)
                wishes.append(wish._replace(places=NOWHERE, inside=BROUGHT * wish.inside, within=march))
        return wishes

    def _wishes_of(self, unit: Unit) -> list[Wish]:
        ways = self.ways.to_objectives(self.play, unit)
        wish = self._last_wish if not self.left else self._wish
        return [wish(unit, number, ways[number]) for number in range(len(self.values))]

    def _wish(self, unit: Unit, number: int, way: Mapping[int, int]) -> Wish:
        one, value = self.state.objectives[number], self.values[number][unit.side]
        friends = any(u.side == unit.side and u is not unit for u in self.standing(number))
        foes = any(u.side != unit.side for u in self.standing(number))
        kept = friends and not foes
        inside = value * (0.75 + 0.25 * self.late) + one.each_turn
        return Wish(one.places, way, inside * (0.15 if kept else 1.0), value * (0.12 if kept else 0.72))

    def _last_wish(self, unit: Unit, number: int, way: Mapping[int, int]) -> Wish:
        """In the last turn only who stands there counts, and whoever does not get there is hardly of use."""
        one, value = self.state.objectives[number], self.values[number][unit.side]
        inside = max(self.taken_by(number, unit), IN_CASE * value)
        return Wish(one.places, way, inside + one.each_turn, NOT_THERE * value)

    # -- what it is worth that somebody falls --------------------------------------------------------

    def clears(self, foe: Unit, unit: Unit, spot: int) -> float:
        """What changes on objectives in the last turn if a foe falls to a unit that ends its activation on a spot."""
        if self.left or not self.values:
            return 0.0
        there = self.held_from(unit, spot)
        key = (foe.id, unit.id, there)
        clears = self._clears.get(key)
        if clears is None:
            clears = self._clears[key] = self._cleared(foe, unit, there)
        return clears

    def _cleared(self, foe: Unit, unit: Unit, there: int) -> float:
        total = 0.0
        for number in range(len(self.values)):
            if foe not in self.standing(number):
                continue
            come = (unit,) if there >> number & 1 else ()
            before = self.side_that_holds(number, gone=(unit,), come=come)
            after = self.side_that_holds(number, gone=(unit, foe), come=come)
            total += self.result(number, unit.side, after) - self.result(number, unit.side, before)
        return total + self.spoils(foe)

    def spoils(self, unit: Unit) -> float:
        """What a unit that has still to act in the last turn may yet change on the objectives, for its own side."""
        return 0.0 if unit.activated or unit.stunned else self.would_spoil(unit)

    def would_spoil(self, unit: Unit) -> float:
        """The same of a unit that is on its way."""
        if self.left:
            return 0.0
        spoils = self._spoils.get(unit.id)
        if spoils is None:
            reached = [number for number in range(len(self.values)) if self.is_in_reach(unit, number)]
            best = max((self._changed_by(number, unit) for number in reached), default=0.0)
            spoils = self._spoils[unit.id] = LIKELY * best
        return spoils

    def _changed_by(self, number: int, unit: Unit) -> float:
        """What changes if a unit comes onto an objective, beside the position as it is."""
        before = self.side_that_holds(number)
        after = self.side_that_holds(number, come=(unit,))
        return self.result(number, unit.side, after) - self.result(number, unit.side, before)

    def is_in_reach(self, unit: Unit, number: int) -> bool:
        """Could a unit march onto an objective, if nothing stands in its way?"""
        if unit.place < 0 or unit.is_aircraft:
            return False
        march = self.play.rules.movement.pace(self.play, unit)[1]
        far: int = self.ways.to_objectives(self.play, unit)[number].get(unit.place, FARTHEST)
        return far <= march


__all__ = ["Goals", "Ways"]
