"""The square table: every question a rulebook asks about a board of squares.

Squares and terrain live in grid.py, sight in sight.py, reach in movement.py, areas in areas.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice

from dieselfront.table.square import areas, drawing, movement
from dieselfront.table.square.flood import Scene
from dieselfront.table.square.geometry import Arc, Facing, Place, Stance, mask_of, offset_distance, places_of, union
from dieselfront.table.square.grid import Edges, Features, Grid, Key, Passages
from dieselfront.table.square.movers import GraphKey, Mover, Occupancy, graph_key
from dieselfront.table.square.reach import Reach
from dieselfront.table.square.sight import AirSide, Eye, Line, Outlook, Reason, Sight, retrace, trace, trace_air
from dieselfront.table.square.steps import StepGraph
from dieselfront.table.terrain import Column, TableError, TerrainKind, Wall


class SquareTable(Grid):
    """A board of squares with its terrain. Never changed: every change gives a new table.

    Caches hang on the table and hold only what follows from its content; tables made from one another share
    what their differences cannot touch.
    """

    __slots__ = (
        "_air_lines",
        "_arcs",
        "_before",
        "_changed",
        "_edges_changed",
        "_family",
        "_graphs",
        "_hidden_since_first",
        "_lines",
        "_odd_lines",
        "_outlooks",
        "areas",
        "changed_since_first",
        "dots",
        "first",
        "last_scene",
        "surroundings",
        "undisturbed",
    )

    def __init__(
        self,
        width: int,
        height: int,
        kinds: Mapping[str, TerrainKind],
        features: Features | None = None,
        edges: Edges | None = None,
        columns: Mapping[tuple[int, int], Column] | None = None,
        passages: Passages = (),
    ) -> None:
        super().__init__(width, height, kinds, features, edges, columns, passages)
        self.first = self
        """The table that this one was made from by all changes of terrain, or itself."""
        self._before: SquareTable | None = None
        """The table this one was made from by a change of terrain on the squares of `_changed`."""
        self._changed = self.changed_since_first = self._edges_changed = 0
        self._graphs: dict[GraphKey, StepGraph] = {}
        self._family: dict[frozenset[tuple[str, int]], SquareTable] = {}
        """Tables with the same walls by where each kind of terrain is: a change that was made before gives the same."""
        self._fresh_lines()
        twin = _BASES.get(self.key())
        if twin is None:
            _remember(self)
            self._family[frozenset(self._kind_masks.items())] = self
        else:
            self._share_caches(twin)

    def __reduce__(self) -> tuple[object, ...]:
        """Kept as its terrain; what was worked out from it is worked out again."""
        arguments = (self.width, self.height, self.kinds, self._features, self._edges, self._columns, self._passages)
        return SquareTable, arguments

    def _fresh_lines(self) -> None:
        low: dict[int, Line] = {}
        tall = low if self.hiding("low") == self.hiding("tall") else {}
        self._lines: tuple[dict[int, Line], dict[int, Line]] = (low, tall)
        """By eye, low and tall; one and the same where there is nothing that only the tall look over."""
        self._air_lines: dict[tuple[Place, Place, AirSide], Line] = {}
        self._odd_lines: dict[tuple[Place, Place, Eye, int], Line] = {}
        self.areas: dict[tuple[Place, int, object], areas.Areas] = {}
        self.surroundings: dict[tuple[Place, object], areas.Surroundings] = {}
        self.undisturbed: dict[Place, list[areas.Named]] = {}
        """The areas round every place where nothing has changed and no unit is in the way."""
        self._arcs: dict[tuple[Place, Facing, Arc, int], tuple[tuple[Place, ...], int]] = {}
        dotless = union(where for name, where in self._kind_masks.items() if self.kinds[name].corner)
        self.dots = self.existing & ~dotless
        """The places with a centre dot."""
        self._outlooks: tuple[dict[Place, Outlook], dict[Place, Outlook]] = ({}, {})
        self._hidden_since_first: list[tuple[int, int, bool] | None] = [None, None]
        self.last_scene: tuple[tuple[Mover, int, Occupancy], Scene] | None = None

    def _share_caches(self, other: SquareTable) -> None:
        """Use the caches of a table with the same content."""
        self._graphs, self._lines, self._family = other._graphs, other._lines, other._family
        self._air_lines, self._odd_lines = other._air_lines, other._odd_lines
        self.areas, self.surroundings, self._arcs = other.areas, other.surroundings, other._arcs
        self.undisturbed = other.undisturbed
        self._outlooks = other._outlooks

    # --- changes ---

    def _changed_to(self, changed: int, moves_matter: bool) -> SquareTable:
        """A table without terrain yet, on which every cached answer that the change cannot touch will be kept."""
        table = object.__new__(SquareTable)
        self._copy_size_to(table)
        table.first = self.first
        table._before = self
        table._changed = changed
        table._edges_changed = self._edges_changed
        table._graphs = {} if moves_matter else self._graphs
        return table

    def _is_furnished(self) -> None:
        """The changed table has its terrain: what it knows begins here."""
        before, first = self._before, self.first
        assert before is not None
        now, then = self._kind_masks, first._kind_masks
        changed = self._edges_changed
        for kind in {**now, **then}:
            changed |= now.get(kind, 0) ^ then.get(kind, 0)
        self.changed_since_first = changed
        self._fresh_lines()
        self._arcs, self.areas, self.surroundings = before._arcs, first.areas, first.surroundings
        self.undisturbed = first.undisturbed

    def _with_kind(self, kind: str, where: int, features: Features) -> SquareTable:
        """This table with one kind of terrain come or gone on some squares; one made before, if there is such."""
        masks = self._kind_masks.copy()
        masks[kind] = masks.get(kind, 0) ^ where
        if not masks[kind]:
            del masks[kind]
        content = frozenset(masks.items())
        known = self._family.get(content)
        if known is not None:
            return known
        what = self.kinds[kind]
        table = self._changed_to(where, what.moves_matter)
        table._kind_masks = masks
        self._refurnish(table, what, where, features)
        table._is_furnished()
        table._family = self._family
        if len(self._family) >= KEPT_CHANGES:
            del self._family[next(islice(self._family, 1, None))]  # the oldest but for the one without changes
        self._family[content] = table
        return table

    def placing(self, kind: str, places: Iterable[Place]) -> SquareTable:
        """This table with some terrain added."""
        where = [place for place in places if not self.has(place, kind)]
        if not where:
            self._checked_features(0, (kind,))
            return self
        features = dict(self._features)
        for place in where:
            features[place] = self._checked_features(place, (*features.get(place, ()), kind))
        if len(features) != len(self._features):
            features = dict(sorted(features.items()))
        return self._with_kind(kind, mask_of(where), features)

    def clearing(self, kind: str, places: Iterable[Place]) -> SquareTable:
        """This table with some terrain taken away."""
        where = [place for place in places if self.has(place, kind)]
        if not where:
            return self
        features = dict(self._features)
        for place in where:
            rest = tuple(name for name in features[place] if name != kind)
            if rest:
                features[place] = rest
            else:
                del features[place]
        return self._with_kind(kind, mask_of(where), features)

    def with_edge(self, a: Place, b: Place, wall: Wall | None) -> SquareTable:
        """This table with another wall, or none, between two squares."""
        pair, _ = self._checked_edge((a, b), wall or Wall())
        if self._edges.get(pair) == wall:
            return self
        edges = {other: known for other, known in self._edges.items() if other != pair}
        if wall is not None:
            edges[pair] = wall
        table = self._changed_to(mask_of(pair), True)
        table._furnish(self._features, edges)
        return table._with_other_walls()

    def with_passages(self, passages: Passages) -> SquareTable:
        """This table with other ways into its closed places (a fortification), or none."""
        if passages == self._passages:
            return self
        table = self._changed_to(0, True)
        table._furnish(self._features, self._edges)
        table._edges, table._passages = self._edges, passages
        return table._with_other_walls()

    def _with_other_walls(self) -> SquareTable:
        """The changed table begins a family of its own."""
        self._edges_changed |= self._changed
        self._is_furnished()
        self._family = {frozenset(self._kind_masks.items()): self}
        return self

    # --- sight ---

    def sight(
        self,
        a: Place,
        b: Place,
        *,
        blockers: int = 0,
        eye: Eye = "low",
        air: bool | AirSide = False,
        max_range: int | None = None,
        ignore: int = 0,
    ) -> Sight:
        """Whether a unit on `a` sees one on `b`, whether that one is in cover, and why.

        `blockers` holds the squares of units that block sight, without those of the two themselves.
        """
        if max_range is not None and self.distance(a, b) > max_range:
            return Sight(False, False, (Reason("range", f"range {max_range}", (a, b), True),))
        if air or ignore:
            line = self._air_line(a, b, air) if air else self._odd_line(a, b, eye, ignore)
        else:
            cached = self._lines[eye == "tall"].get(a * self.size + b)
            line = cached if cached is not None else self._new_line(a, b, eye)
        units = blockers & line.watch
        return line.with_units(units) if units else line.sight

    def plain_sight(self, a: Place, b: Place, blockers: int, tall: bool) -> Sight:
        """Like `sight` between two places that are not in the air, past every wall."""
        line = self._lines[tall].get(a * self.size + b) or self._new_line(a, b, "tall" if tall else "low")
        units = blockers & line.watch
        return line.with_units(units) if units else line.sight

    def sees(self, a: Place, b: Place, blockers: int, tall: bool) -> bool:
        """Like `plain_sight`, without the reasons: the lines of the first table serve for all made from it."""
        first = self.first
        eye: Eye = "tall" if tall else "low"
        line = first._lines[tall].get(a * self.size + b) or first._new_line(a, b, eye)
        if first is not self and line.touched & self.changed_since_first:
            more, less, alike = self._hidden_since(eye)
            if not alike or line.touched & less or a >= self.plane or b >= self.plane:
                return self.plain_sight(a, b, blockers, tall).visible
            blockers |= more & ~(1 << b)
        units = blockers & line.watch
        return line.visible_past(units) if units else line.visible

    def _new_line(self, a: Place, b: Place, eye: Eye) -> Line:
        """A line not asked for before: from the tables this one was made from, if they know it, else traced."""
        tall = eye == "tall"
        number = a * self.size + b
        lines, before = self._lines[tall], self._before
        if before is not None:
            line = before._lines[tall].get(number)
            if line is not None and not line.touched & self._changed:
                lines[number] = line
                return line
        if eye not in ("low", "tall"):
            raise TableError(f"{eye!r} is not an eye; expected low or tall.")
        first = self.first
        line = first._lines[tall].get(number)
        if line is None:
            self._must_exist(a)
            self._must_exist(b)
            line = first._lines[tall][number] = trace(first, a, b, eye)
        if first is not self:
            line = lines[number] = self._on_this_table(line, first, a, b, eye)
        return line

    def _on_this_table(self, line: Line, first: SquareTable, a: Place, b: Place, eye: Eye) -> Line:
        """A line of the first table with what has changed since."""
        changed = self.changed_since_first & line.touched
        if not changed:
            return line
        flat = a < self.plane and b < self.plane
        if flat and not changed & (self.rough | first.rough) and changed < 1 << self.plane:
            return retrace(self, line, a, b, eye, changed)
        return trace(self, a, b, eye)

    def seen_from(self, a: Place, places: Iterable[Place], *, blockers: int = 0, eye: Eye = "low") -> Iterator[Place]:
        """Those of some places that are seen from one, one after the other; like `sight` for each, and faster.

        What has come to hide on the ground since the first table stands in the way just as a unit does there, so
        that the lines of the first table serve for all tables made from it.
        """
        first = self.first
        lines = first._lines[eye == "tall"]
        more, less, alike = self._hidden_since(eye)
        alike = alike and a < self.plane
        number = a * self.size
        in_the_way = blockers | more
        plane = self.plane
        for b in places:
            line = lines.get(number + b) or first._new_line(a, b, eye)
            if not alike or b >= plane or line.touched & less:
                if self.sight(a, b, blockers=blockers & ~(1 << b), eye=eye).visible:
                    yield b
                continue
            units = in_the_way & line.watch
            if units:
                units &= ~(1 << b)
            if line.visible_past(units) if units else line.visible:
                yield b

    def seen_mask(self, a: Place, places: int, *, blockers: int = 0, eye: Eye = "low") -> int:
        """Those of the places in a mask that are seen from one; like `seen_from`, for many places at once."""
        more, less, alike = self._hidden_since(eye)
        if not alike or a >= self.plane:
            return mask_of(self.seen_from(a, places_of(places), blockers=blockers, eye=eye))
        outlook = self.first._outlook(a, places, eye)
        seen = outlook.seen(places, blockers | more)
        if self.first is self:
            return seen
        doubtful = places if less else places >> self.plane << self.plane
        for b in places_of(doubtful):
            if outlook.lines[b].touched & (less if b < self.plane else self.changed_since_first):
                bit = 1 << b
                visible = self.sight(a, b, blockers=blockers & ~bit, eye=eye).visible
                seen = seen | bit if visible else seen & ~bit
        return seen

    def _outlook(self, a: Place, places: int, eye: Eye) -> Outlook:
        """What is seen from a place on the ground, as far as it has been asked for."""
        tall = eye == "tall"
        outlook = self._outlooks[tall].get(a)
        if outlook is None:
            outlook = self._outlooks[tall][a] = Outlook()
        unknown = places & ~outlook.known
        if unknown:
            lines, number = self._lines[tall], a * self.size
            for b in places_of(unknown):
                outlook.add(b, lines.get(number + b) or self._new_line(a, b, eye))
        return outlook

    def _hidden_since(self, eye: Eye) -> tuple[int, int, bool]:
        """Where terrain that hides has come and gone since the first table, and whether nothing else has changed."""
        known = self._hidden_since_first[eye == "tall"]
        if known is None:
            first = self.first
            hides, hid = self.hiding_mask(eye), first.hiding_mask(eye)
            more, less = hides & ~hid, hid & ~hides
            alike = more < 1 << self.plane and self._edges is first._edges and self.indoor == first.indoor
            known = self._hidden_since_first[eye == "tall"] = (more, less, alike)
        return known

    def around(self, place: Place) -> tuple[tuple[str, ...], ...] | SquareTable:
        """What has to be the same on two tables for them to be alike on a square and around it."""
        near = self.ring(place)
        if not self.changed_since_first & near:
            return ()
        if self._edges_changed & near:
            return self
        return tuple([self._features.get(square, ()) for square in places_of(near)])

    def _must_exist(self, place: Place) -> None:
        if not self.exists(place):
            raise TableError(f"There is no place {place} on this board.")

    def _air_line(self, a: Place, b: Place, air: bool | AirSide) -> Line:
        side: AirSide = "attacker" if air is True else air or "attacker"
        line = self._air_lines.get((a, b, side))
        if line is None:
            self._must_exist(a)
            self._must_exist(b)
            line = self._air_lines[(a, b, side)] = trace_air(self, a, b, side)
        return line

    def _odd_line(self, a: Place, b: Place, eye: Eye, ignore: int) -> Line:
        line = self._odd_lines.get((a, b, eye, ignore))
        if line is None:
            self._must_exist(a)
            self._must_exist(b)
            line = self._odd_lines[(a, b, eye, ignore)] = trace(self, a, b, eye, ignore)
        return line

    def visible_mask(self, a: Place, *, blockers: int = 0, eye: Eye = "low", max_range: int | None = None) -> int:
        """Every place seen from `a`, as a mask; `a` itself included."""
        mask = 0
        others = 0
        for b in self.places():
            if max_range is None or self.distance(a, b) <= max_range:
                others = blockers & ~((1 << a) | (1 << b))
                if self.sight(a, b, blockers=others, eye=eye).visible:
                    mask |= 1 << b
        return mask

    # --- movement ---

    def graph(self, mover: Mover) -> StepGraph:
        """The steps this kind of mover can make on this table, as far as terrain goes."""
        key = graph_key(mover)
        graph = self._graphs.get(key)
        if graph is None:
            graph = self._graphs[key] = StepGraph(self, mover)
        return graph

    def reach(
        self,
        mover: Mover,
        start: Place | Stance,
        budget: int,
        occupancy: Occupancy,
        *,
        diagonal_used: bool = False,
        road_bonus: int = 0,
        halved_budget: int | None = None,
    ) -> Reach:
        """Everywhere a unit can end one movement action of `budget` squares."""
        return movement.reach(self, mover, start, budget, occupancy, diagonal_used, road_bonus, halved_budget)

    def rotations(self, mover: Mover, stance: Stance, occupancy: Occupancy) -> tuple[Stance, ...]:
        """The stances a unit can turn to in place, the present one included."""
        return movement.rotations(self, mover, stance, occupancy)

    def can_step(self, mover: Mover, a: Place, b: Place, occupancy: Occupancy) -> bool:
        """Whether a one-square unit may step from `a` to `b`."""
        return movement.can_step(self, mover, a, b, occupancy)

    def path_cost(
        self, mover: Mover, path: Iterable[Place], occupancy: Occupancy, *, diagonal_used: bool = False
    ) -> int | None:
        """What a path costs a one-square unit, its start square first; None if a step is not legal."""
        return movement.path_cost(self, mover, tuple(path), occupancy, diagonal_used)

    def can_stop(self, mover: Mover, where: Place | Stance, occupancy: Occupancy) -> bool:
        """Whether a unit may stand there."""
        return movement.can_stop(self, mover, where, occupancy)

    def stops_among(self, mover: Mover, places: Iterable[Place], occupancy: Occupancy) -> list[Place]:
        """Those of some places where a one-square unit may stand, in their order."""
        return movement.stops_among(self, mover, places, occupancy)

    # --- areas ---

    def blocks_of_four(self, place: Place) -> tuple[tuple[Place, ...], ...]:
        """The 2x2 blocks on this level that contain a square."""
        return areas.blocks_of_four(self, place)

    def places_in_arc(self, origin: Place, facing: Facing, arc: Arc, farthest: int) -> tuple[Place, ...]:
        """Squares with a dot in an arc and within range of a square, the farthest first."""
        places, inside = self.area_in_arc(origin, facing, arc, farthest)
        return tuple(place for place in places if inside >> place & 1)

    def area_in_arc(self, origin: Place, facing: Facing, arc: Arc, farthest: int) -> tuple[tuple[Place, ...], int]:
        """All squares in an arc and within range of a square, the farthest first; and those with a dot as a mask."""
        key = (origin, facing, arc, farthest)
        known = self._arcs.get(key)
        if known is None:
            inside = [
                place
                for place in self.places()
                if self.distance(origin, place) <= farthest
                and (arc == "all" or self.in_arc(origin, facing, place, arc))
            ]
            inside.sort(key=lambda place: (-self.distance(origin, place), place))
            known = self._arcs[key] = tuple(inside), mask_of(inside)
        return known[0], known[1] & self.dots

    def within_mask(self, place: Place, reach: int) -> int:
        """Every place at most so far away, as a mask."""
        return within_mask(self.width, self.height, self.levels, place, reach)

    def area_blocks(self, place: Place, *, blockers: int = 0) -> tuple[tuple[Place, ...], ...]:
        """The areas an artillery attack on this point may cover (d47.weapon.artillery_area)."""
        return areas.area_blocks(self, place, blockers)

    def areas_at(self, places: Iterable[Place], blockers: int) -> list[areas.Named]:
        """The same for several points, each area as (point, "area", its squares)."""
        return areas.areas_at(self, places, blockers)

    def named_blocks(self, place: Place, word: str) -> tuple[areas.Named, ...]:
        """The 2x2 blocks that contain a square, each as (the square, a word, its squares)."""
        return areas.named_blocks(self.width, self.height, self.existing, place, word)

    def flame_lines(self, a: Place, b: Place, *, blockers: int = 0, ignore: int = 0) -> tuple[tuple[Place, ...], ...]:
        """The paths a flame may take from `a` to `b`; `ignore` holds walls it passes (d47.weapon.flame_path)."""
        return areas.flame_lines(self, a, b, blockers, ignore)

    # --- for people ---

    def describe(self, place: Place) -> str:
        """One line about a square."""
        return drawing.describe(self, place)

    def ascii(self, marks: Mapping[Place, str] | None = None, level: int = 0) -> str:
        """A drawing of one level in text."""
        return drawing.ascii(self, marks or {}, level)

    def __repr__(self) -> str:
        return f"SquareTable({self.width}x{self.height}, {len(self._features)} squares with terrain)"


KEPT_CHANGES = 32
"""How many changed tables of one battlefield are kept."""

_BASES: dict[Key, SquareTable] = {}
"""Tables made lately, so that every game on the same battlefield finds the caches of the one before it."""


def _remember(table: SquareTable) -> None:
    if len(_BASES) >= 32:
        del _BASES[next(iter(_BASES))]
    _BASES[table.key()] = table


@lru_cache(maxsize=8192)
def within_mask(width: int, height: int, levels: int, place: Place, reach: int) -> int:
    """Every place of such a board at most so far away, whether it exists or not."""
    plane = width * height
    level, square = divmod(place, plane)
    y, x = divmod(square, width)
    mask = 0
    for other in range(plane):
        distance = offset_distance(other % width - x, other // width - y)
        for floor in range(levels):
            if (distance or abs(floor - level)) <= reach:
                mask |= 1 << floor * plane + other
    return mask
