"""Objectives as a Dust adviser sees them: what each is worth now, who holds it, and how far every place is from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.table.square import Occupancy

FARTHEST = 30
MOST_KEPT = 64
GOAL_POINTS = 12.0
"""What an objective is worth, in points, because holding all of its kind wins the battle."""


class Ways:
    """How far every place is from each objective on foot, by wheel or by air, worked out once a battle."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, Any], tuple[Any, tuple[Mapping[int, int], ...]]] = {}

    def to_objectives(self, play: Play, unit: Unit) -> tuple[Mapping[int, int], ...]:
        """For each objective the cost from every place that the unit's kind of mover can stand on."""
        state: DustState = play.state
        card = unit.card
        key = (id(state.scenario), (card.locomotion, card.size, card.armour >= 2))
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
            from dieselfront.rulesets.dust1947.adviser.open_table import Straight

            ground: Any = play.rules.ground  # that of an open table, which this folder does not know
            near = ground.hold_reach(state)
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
        scale = weights["objective"] * (early + (1.0 - early) * self.late)
        self.values: list[tuple[float, float]] = [self._values(one, scale) for one in state.objectives]
        self.holders: list[int | None] = [play.rules.victory.holder(play, one) for one in state.objectives]
        self._standing: list[list[Unit]] | None = None
        self._wishes: dict[str, list[tuple[frozenset[int], Mapping[int, int], float, float]]] = {}

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

    def standing(self, place: int) -> list[Unit]:
        """The units on an objective, by its number."""
        if self._standing is None:
            self._standing = [
                [u for u in self.state.on_board() if self.play.rules.ground.stands_at(self.state, u, one.places)]
                for one in self.state.objectives
            ]
        return self._standing[place]

    def pull(self, unit: Unit, spot: int) -> float:
        """What it is worth for the unit to be on a spot: on an objective, or on the way to one that is wanted."""
        wishes = self._wishes.get(unit.id)
        if wishes is None:
            wishes = self._wishes[unit.id] = self._wishes_of(unit)
        best = 0.0
        for places, way, inside, outside in wishes:
            far = way.get(spot, FARTHEST)
            if spot in places or not far:
                worth = inside
            else:
                worth = outside * (1.0 - 0.09 * far if far < 10 else 1.0 / far)
            if worth > best:
                best = worth
        return best

    def stake(self, unit: Unit, spot: int) -> float:
        """What a unit holds on a spot: the worth of the objective it would stand on there."""
        self.pull(unit, spot)
        return max((inside for places, _, inside, _ in self._wishes[unit.id] if spot in places), default=0.0)

    def ahead(self, unit: Unit, place: int) -> bool:
        """Does a place lie on the way to an objective that is wanted, or is there no objective at all?"""
        self.pull(unit, place)
        wishes = self._wishes[unit.id]
        return not wishes or any(
            inside > 1.0 and way.get(place, FARTHEST) < way.get(unit.place, FARTHEST) for _, way, inside, _ in wishes
        )

    def _wishes_of(self, unit: Unit) -> list[tuple[frozenset[int], Mapping[int, int], float, float]]:
        """For each objective its places, the ways to it, and what it is worth to stand there or to be near."""
        if not self.values or unit.is_aircraft:
            return []
        side = unit.side
        ways = self.ways.to_objectives(self.play, unit)
        wishes = []
        for number, one in enumerate(self.state.objectives):
            value = self.values[number][side]
            friends = any(u.side == side and u is not unit for u in self.standing(number))
            foes = any(u.side != side for u in self.standing(number))
            kept = friends and not foes
            inside = value * (0.75 + 0.25 * self.late) + one.each_turn
            wishes.append(
                (one.places, ways[number], inside * (0.15 if kept else 1.0), value * (0.12 if kept else 0.72))
            )
        return wishes


__all__ = ["Goals", "Ways"]
