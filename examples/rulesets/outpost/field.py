"""What can be measured and seen in Outpost: squares, woods, nothing that blocks sight."""

from __future__ import annotations

from typing import Any

from dieselfront.rulesets.outpost.state import Square, State, Unit, distance, name_of, square_of

from dieselfront.kernel.field import (
    Arc,
    At,
    Bearing,
    Distance,
    End,
    Field,
    NoAnswer,
    Objective,
    Point,
    Reach,
    Reason,
    Sight,
    SightLine,
    Standing,
    TerrainEffect,
    WeaponUse,
)
from dieselfront.kernel.game import Play

OPEN, WOODS = "open", "woods"


class OutpostField(Field[State]):
    """Squares."""

    def units(self, state: State) -> list[Standing]:
        return [self._standing(unit) for unit in state.units]

    def _standing(self, unit: Unit) -> Standing:
        return Standing(
            id=unit.id,
            side=unit.side,
            name=unit.name,
            points=unit.points,
            share=unit.men / int(unit.card["men"]),
            where="table" if unit.stands else "reserve" if unit.alive else "gone",
            centre=unit.at,
        )

    def objectives(self, state: State) -> list[Objective]:
        places = state.scenario.objectives.items()
        return [Objective(name=name, points=1, holder=state.holder(at), places=(at,)) for name, at in places]

    def square(self, state: State, end: End) -> Square:
        """Where a question begins or ends."""
        if isinstance(end, At):
            return square_of(end.place)
        unit = next((one for one in state.units if one.id == end), None)
        if unit is None or unit.at is None or not unit.alive:
            raise NoAnswer(f"{end} is not on the board", end)
        return unit.at

    def distance(self, state: State, one: End, other: End) -> Distance:
        here, there = self.square(state, one), self.square(state, other)
        start, end = name_of(here), name_of(there)
        return Distance(length=distance(here, there), start=start, end=end, rules=["op.setup.board"])

    def sight(self, play: Play, viewer: End, target: End, weapon: str = "") -> Sight:
        far = self.distance(play.state, viewer, target)
        woods = far.end in play.state.scenario.woods
        rule = "op.fire.cover" if woods else "op.fire.range"
        because = [Reason(text="the target stands in woods", rule=rule)] if woods else []
        line = SightLine(kind="cover" if woods else "clear", eye=far.start, end=far.end, reasons=because)
        return Sight(
            viewer=str(viewer),
            target=str(target),
            viewer_name=self.called(play.state, viewer),
            target_name=self.called(play.state, target),
            visible=True,
            cover=WOODS if woods else "none",
            distance=far.length,
            lines=[line],
            because=because,
            rules=[rule],
        )

    def called(self, state: State, end: End) -> str:
        return str(end.place) if isinstance(end, At) else state.unit(end).name

    def cover(self, play: Play, viewer: str, target: str, weapon: str = "") -> Sight:
        return self.sight(play, viewer, target, weapon)

    def arcs(self, state: State, unit: str) -> list[Arc]:
        at = name_of(self.square(state, unit))
        return [Arc(weapon="rifles", name="all round", range=state.unit(unit).range, at=at, rules=["op.fire.range"])]

    def bearing(self, state: State, unit: str, target: End, weapon: str = "", facing: Any = None) -> Bearing:
        return Bearing(weapon="rifles", arc="all round", inside=True, rules=["op.fire.range"])

    def reach(
        self, play: Play, unit: str, how: str = "", goal: Any = None, facing: Any = None, under_way: Any = None
    ) -> Reach:
        here = self.square(play.state, unit)
        budget = 0 if play.state.unit(unit).pinned else play.state.unit(unit).move
        answer = Reach(how="move", budget=budget, may=budget > 0, rules=["op.move.step"])
        if goal is None:
            answer.squares = self._in_reach(play.state, here, budget)
            return answer
        there = square_of(goal)
        answer.cost = distance(here, there)
        answer.reached = there in play.state.free() and answer.cost <= budget
        answer.reason = "" if answer.reached else f"{goal} is taken or more than {budget} squares away"
        return answer

    def _in_reach(self, state: State, here: Square, budget: int) -> dict[str, float]:
        return {name_of(to): distance(here, to) for to in state.free() if distance(here, to) <= budget}

    def outline(self, play: Play, unit: str, region: Any = None) -> list[list[Point]]:
        return []

    def weapons(self, play: Play, unit: str, target: str, how: str = "") -> list[WeaponUse]:
        far = self.distance(play.state, unit, target).length
        usable = far <= play.state.unit(unit).range
        return [
            WeaponUse(weapon="rifles", usable=usable, rule="op.fire.range", reason="" if usable else "out of range")
        ]

    def terrain(self, state: State, unit: str) -> list[TerrainEffect]:
        return [TerrainEffect(kind=WOODS, text="covers", rules=["op.fire.cover"])] if state.scenario.woods else []

    def terrain_at(self, state: State, place: At) -> TerrainEffect:
        kind = WOODS if place.place in state.scenario.woods else OPEN
        return TerrainEffect(kind=kind, text=f"{place.place} is {kind}", rules=["op.fire.cover"])
