"""Regions of the open table: where a unit may be set down, and how answers to "where to?" look (ff.move.place_rest).

An answer is (x, y) in millimetres, (x, y, heading) for what has a front, (x, y, heading, floor) inside a building; the
points of all other models may follow as a fifth, () to leave them to themselves, and the points of the way between
start and end as a sixth. Ways are described in ways.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any, Self

from dieselfront.kernel.decisions import Answer, Chance, IllegalChoice, PlaceFree, plain
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust1947.ground import Objection
from dieselfront.rulesets.dust_open.places import HEADINGS, MOST, Hand, at, floor_of, xy
from dieselfront.table.measured.angles import heading_of, step
from dieselfront.table.measured.geometry import point_polygon_square
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.trace import Trace
from dieselfront.table.measured.units import ceil_sqrt_ratio

TRIES = 10
RINGS = (0, 40, 65, 90, 115, 140, 165, 190, 215)
"""How far from a place spots beside it are looked for (mm)."""


# -- answers ----------------------------------------------------------------------------------------


def read(answer: Any) -> tuple[int, int | None]:
    """An answer as place and facing; points of the other models go with the place."""
    x, y, *more = answer
    heading = more[0] if more else None
    floor = more[1] if len(more) > 1 else 0
    if len(more) <= 2:
        return at(x, y, floor), heading
    place = Hand(at(x, y, floor))
    place.others = tuple(more[2])
    place.way = tuple(more[3]) if len(more) > 3 else ()
    return place, heading


def label(answer: Any) -> str:
    """An answer, or a place, in words."""
    if isinstance(answer, int):
        answer = (*xy(answer), 0, floor_of(answer))
    x, y, *more = answer
    turned = f" heading {more[0]}" if more and more[0] else ""
    floor = f" on floor {more[1]}" if len(more) > 1 and more[1] else ""
    return f"{x / 10:g}/{y / 10:g} cm{turned}{floor}"


class Spot(PlaceFree):
    """Where a unit goes; players may also answer with a place and a facing, as they do on squares."""

    __slots__ = ()

    region: Region

    @property
    def spots(self) -> Mapping[int, int]:
        """Good spots with what they cost."""
        return self.region.costs

    def facings(self, spot: int) -> Sequence[int | None]:
        """The facings possible on a spot."""
        return self.region.facings(spot)

    def tidy(self, answer: Answer) -> Answer:
        """A place and a facing become x, y and heading."""
        return self.region.tidy(answer)

    def check(self, answer: Answer) -> Answer:
        tidy = self.region.tidy(plain(answer))
        if tidy is None:
            raise IllegalChoice("expected x and y in millimetres, then a heading where it matters", self.rule or None)
        return super().check(tidy)


class Region(Mapping[int, int]):
    """Where a unit may be set down."""

    takes_ways = False

    def __init__(self, ground: Any, state: DustState, unit: Unit) -> None:
        self.ground = ground
        self.state = state
        self.unit = unit
        self._costs: dict[int, int] | None = None

    def bound(self, state: DustState) -> Self:
        """The same region in a copy of its game: what was found out stays, but it looks at the copy's position."""
        if self.state is state:
            return self
        twin = copy(self)
        twin.state = state
        twin.unit = state.by_id[self.unit.id]
        return twin

    # -- what kinds of regions say for themselves -------------------------------------------------

    def problem(self, place: int, heading: int) -> str | None:
        """Why the unit may not be set down there."""
        raise NotImplementedError

    def listed(self) -> dict[int, int]:
        """A fair choice of legal spots with their costs."""
        raise NotImplementedError

    def anywhere(self, chance: Chance) -> tuple[int, int]:
        """Some place and heading, legal or not."""
        raise NotImplementedError

    # -- as a mapping of spots ----------------------------------------------------------------------

    @property
    def costs(self) -> dict[int, int]:
        if self._costs is None:
            self._costs = self.listed()
        return self._costs

    def __iter__(self) -> Iterator[int]:
        return iter(self.costs)

    def __len__(self) -> int:
        return len(self.costs)

    def __getitem__(self, place: int) -> int:
        return self.costs[place]

    def __bool__(self) -> bool:
        return bool(self.costs)

    def facings(self, place: int) -> Sequence[int | None]:
        if self.unit.is_infantry:
            return (None,)
        fitting = [heading for heading in HEADINGS if self.problem(place, heading) is None]
        return fitting or [self.usual(place)]

    def usual(self, place: int) -> int:
        """The way a unit looks there unless the answer says otherwise."""
        return self.unit.facing

    # -- as a region of a decision ------------------------------------------------------------------

    def tidy(self, answer: Any) -> Answer | None:
        """An answer in its plain form, None if it is none."""
        if not isinstance(answer, tuple) or len(answer) < 2:
            return None
        if isinstance(answer[0], int) and answer[0] > MOST and len(answer) == 2:  # a place and a facing
            heading = answer[1] if isinstance(answer[1], int) else self.usual(answer[0])
            return self.as_answer(answer[0], heading)
        numbers, others, way = answer[:4], answer[4:5], answer[5:]
        if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
            return None
        if way and not (
            self.takes_ways and len(way) == 1 and isinstance(way[0], tuple) and all(map(_is_point, way[0]))
        ):
            return None
        x, y = numbers[:2]
        floor = numbers[3] if len(numbers) > 3 else 0
        if not (0 <= x <= self.state.table.width and 0 <= y <= self.state.table.height and 0 <= floor < 16):
            return None
        heading = numbers[2] % 360 if len(numbers) > 2 else self.usual(at(x, y))
        if not others:
            return self.as_answer(at(x, y, floor), heading)
        points = others[0]
        count = len(self.ground.figures_of(self.unit)) - 1
        if not isinstance(points, tuple) or not all(map(_is_point, points)):
            return None
        if len(points) != count and (points or not way):
            return None
        return (x, y, heading, floor, points, *way)

    def as_answer(self, place: int, heading: int) -> tuple[int, ...]:
        """A place as the answer that stands for it."""
        x, y = xy(place)
        if floor_of(place):
            return (x, y, heading, floor_of(place))
        return (x, y) if self.unit.is_infantry else (x, y, heading % 360)

    def why_not(self, answer: Answer) -> str | None:
        place, heading = read(answer)
        return self.problem(place, self.usual(place) if heading is None else heading)

    def trace(self, answer: Answer) -> Trace | None:
        """Where an answer leads, for screens."""
        tidy = self.tidy(answer)
        if tidy is None or self.why_not(tidy) is not None:
            return None
        place, heading = read(tidy)
        bodies = self.ground.formation(self.state, self.unit, place, self.usual(place) if heading is None else heading)
        return None if isinstance(bodies, str) else self.traced(place, bodies)

    def traced(self, place: int, bodies: Sequence[Body]) -> Trace:
        """The models there, and the way of a region that has one."""
        return Trace(bodies)

    def spots(self) -> list[Answer]:
        answers: list[Answer] = []
        for place in self.costs:
            heading = self.unit.facing if self.unit.is_infantry else self.facing_for(place)
            answers.append(self.as_answer(place, heading))
        return answers

    def facing_for(self, place: int) -> int:
        """Towards the nearest enemy where that is possible."""
        wanted = self.towards_enemy(place)
        return wanted if self.problem(place, wanted) is None else int(self.facings(place)[0] or 0)

    def towards_enemy(self, place: int) -> int:
        x, y = xy(place)
        foes = [xy(foe.place) for foe in self.state.on_board(1 - self.unit.side)]
        if not foes:
            return self.usual(place)
        fx, fy = min(foes, key=lambda foe: ((foe[0] - x) ** 2 + (foe[1] - y) ** 2, foe))
        return heading_of(fx - x, fy - y) if (fx, fy) != (x, y) else self.usual(place)

    def sample(self, chance: Chance) -> Answer:
        for _ in range(TRIES):
            place, heading = self.anywhere(chance)
            if self.problem(place, heading) is None:
                return self.as_answer(place, heading)
        answers = self.spots()
        return answers[chance.randrange(len(answers))]

    def facts(self) -> dict[str, Any]:
        return {"kind": "spot", "facing": self.usual(0), "spots": [list(spot) for spot in self.spots()]}


def _is_point(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(n, int) and 0 <= n <= MOST for n in value)


class Listed(Region):
    """Some places and no others."""

    def __init__(self, ground: Any, state: DustState, unit: Unit, places: Mapping[int, int], turns: Any) -> None:
        super().__init__(ground, state, unit)
        self._costs = dict(places)
        self.may_turn = turns if callable(turns) else lambda place: turns

    def problem(self, place: int, heading: int) -> str | None:
        if place not in self.costs:
            return "expected one of the places offered"
        formation = self.ground.formation(self.state, self.unit, place, heading)
        return formation if isinstance(formation, str) else None

    def anywhere(self, chance: Chance) -> tuple[int, int]:
        places = list(self.costs)
        return places[chance.randrange(len(places))], chance.randrange(24) * 15


class Anywhere(Region):
    """Anywhere outside buildings against which there is no objection: for units that come from nowhere."""

    def __init__(
        self, ground: Any, state: DustState, unit: Unit, objection: Objection, near: Sequence[int] = ()
    ) -> None:
        super().__init__(ground, state, unit)
        self.objection = objection
        self.near = tuple(near)
        """Places beside which good spots are looked for besides those all over the table."""

    def problem(self, place: int, heading: int) -> str | None:
        if self.state.table.is_indoor(place):
            return "nobody comes from nowhere into a building"
        objection = self.objection(self.state, place)
        if objection is not None:
            return objection
        formation = self.ground.formation(self.state, self.unit, place, heading)
        return formation if isinstance(formation, str) else None

    def listed(self) -> dict[int, int]:
        free = (place for place in dict.fromkeys(self._grid()) if self.problem(place, self.usual(place)) is None)
        return dict.fromkeys(sorted(free), 0)

    def __bool__(self) -> bool:
        if self._costs is not None:
            return bool(self._costs)
        return any(self.problem(place, self.usual(place)) is None for place in self._grid())

    def _grid(self) -> Iterator[int]:
        """Places to look at, those nearest to where it matters first."""
        table = self.state.table
        for middle in self.near:
            x, y = xy(middle)
            for dx, dy in (beside for radius in RINGS[1:] for beside in ring(radius)):
                if 0 <= x + dx // 10 <= table.width and 0 <= y + dy // 10 <= table.height:
                    yield at(x + dx // 10, y + dy // 10)
        yield from (at(x, y) for y in range(30, table.height, 70) for x in range(30, table.width, 70))

    def anywhere(self, chance: Chance) -> tuple[int, int]:
        table = self.state.table
        if not self.near:
            return at(chance.randrange(table.width), chance.randrange(table.height)), 15 * chance.randrange(24)
        x, y = xy(self.near[chance.randrange(len(self.near))])
        dx, dy = step(chance.randrange(360), 10 * chance.randrange(RINGS[-1]))
        return self.state.table.place(x + dx // 10, y + dy // 10), 15 * chance.randrange(24)


def ring(radius: int) -> list[tuple[int, int]]:
    """Sixteen steps in all directions (tenths of a millimetre)."""
    return [step(turn * 45 // 2, radius * 10) for turn in range(16)]


class Beside(Region):
    """Within range 1 of a place, or of the wreck that lies there."""

    def __init__(self, ground: Any, state: DustState, unit: Unit, place: int) -> None:
        super().__init__(ground, state, unit)
        self.place = place
        x, y = xy(place)
        lying = [piece for piece in state.table.pieces_of("wreck") if piece.covers_point(x * 10, y * 10)]
        self.rims = tuple(part.polygon for piece in lying for part in piece.parts)

    def problem(self, place: int, heading: int) -> str | None:
        if self.far(place) > self.state.table.measures.range:
            return f"that is farther than range 1 ({self.ground.cites['beside']})"
        formation = self.ground.formation(self.state, self.unit, place, heading)
        return formation if isinstance(formation, str) else None

    def far(self, place: int) -> int:
        """From the rim of the first model's base, or of a hull, to what lies there (tenths)."""
        body = self.ground.spot_body(self.state, self.unit, place)
        if not self.rims:
            return max(0, int(self.state.table.tenths(self.place, place)) - int(body.radius))
        squares = (point_polygon_square(body.cx, body.cy, rim) for rim in self.rims)
        return max(0, min(ceil_sqrt_ratio(*square) for square in squares) - int(body.radius))

    def listed(self) -> dict[int, int]:
        x, y = xy(self.place)
        costs: dict[int, int] = {}
        for radius in RINGS:
            spots = [(0, 0)] if not radius else ring(radius)
            for dx, dy in spots:
                place = self.state.table.place(x + dx // 10, y + dy // 10)
                if self.problem(place, self.usual(place)) is None:
                    costs[place] = 0
        return dict(sorted(costs.items()))

    def anywhere(self, chance: Chance) -> tuple[int, int]:
        x, y = xy(self.place)
        dx, dy = step(chance.randrange(360), 10 * chance.randrange(RINGS[-1]))
        return self.state.table.place(x + dx // 10, y + dy // 10), 15 * chance.randrange(24)


class Zone(Region):
    """A strip or field of the table in which the first model, or the whole hull, is set down (ff.scope.convert)."""

    def __init__(
        self, ground: Any, state: DustState, unit: Unit, boxes: Sequence[tuple[int, int, int, int]], facing: int
    ) -> None:
        super().__init__(ground, state, unit)
        self.boxes = tuple(boxes)
        self.facing = facing

    def usual(self, place: int) -> int:
        return self.facing

    def problem(self, place: int, heading: int) -> str | None:
        formation = self.ground.formation(self.state, self.unit, place, heading)
        if isinstance(formation, str):
            return formation
        if not all(any(_is_in(box, body) for box in self.boxes) for body in self.ground.zoned(formation)):
            return f"that is not inside the deployment area ({self.ground.cites['zone']})"
        return None

    def listed(self) -> dict[int, int]:
        for pace in (90, 40, 15):
            costs = {place: 0 for place in self._grid(pace) if self.problem(place, self.facing) is None}
            if costs:
                return costs
        return {}

    def _grid(self, pace: int) -> Iterator[int]:
        for low_x, low_y, high_x, high_y in self.boxes:
            for y in range(low_y + pace // 2, high_y + 1, pace):
                for x in range(low_x + pace // 2, high_x + 1, pace):
                    yield at(x, y)

    def anywhere(self, chance: Chance) -> tuple[int, int]:
        low_x, low_y, high_x, high_y = self.boxes[chance.randrange(len(self.boxes))]
        x = low_x + chance.randrange(high_x - low_x + 1)
        y = low_y + chance.randrange(high_y - low_y + 1)
        return at(x, y), self.facing

    def __bool__(self) -> bool:
        return self._costs != {} and (bool(self._costs) or self._has_room())

    def _has_room(self) -> bool:
        """Is there any room at all? (One spot is enough to know.)"""
        grids = (self._grid(pace) for pace in (90, 40, 15))
        return any(self.problem(place, self.facing) is None for grid in grids for place in grid)

    def facts(self) -> dict[str, Any]:
        boxes = zip(*self.boxes, strict=True)
        low_x, low_y, high_x, high_y = boxes
        return super().facts() | {"box": [min(low_x), min(low_y), max(high_x), max(high_y)], "facing": self.facing}


def _is_in(box: tuple[int, int, int, int], body: Body) -> bool:
    low_x, low_y, high_x, high_y = (side * 10 for side in box)
    if body.corners:
        return all(low_x <= x <= high_x and low_y <= y <= high_y for x, y in body.corners)
    return low_x <= body.cx <= high_x and low_y <= body.cy <= high_y
