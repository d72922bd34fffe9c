"""The square table: every question a rulebook asks about a board of squares.

Squares and terrain live in grid.py, sight in sight.py, reach in movement.py, areas in areas.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dieselfront.table.square import areas, drawing, movement
from dieselfront.table.square.flood import Scene
from dieselfront.table.square.geometry import Arc, Facing, Place, Stance, mask_of
from dieselfront.table.square.grid import Edges, Features, Grid, Key, Passages
from dieselfront.table.square.movers import GraphKey, Mover, Occupancy, graph_key
from dieselfront.table.square.reach import Reach
from dieselfront.table.square.sight import AirSide, Eye, Line, Reason, Sight, retrace, trace, trace_air
from dieselfront.table.square.steps import StepGraph
from dieselfront.table.terrain import Column, TableError, TerrainKind, Wall


class SquareTable(Grid):
    """A board of squares with its terrain. Never changed: every change gives a new table.

    Caches hang on the table and hold only what follows from its content; tables made from one another share
    what their differences cannot touch.
    """

    __slots__ = ("_air_lines", "_before", "_changed", "_graphs", "_arcs", "_lines", "_odd_lines", "areas", "last_scene")

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
        self._before: SquareTable | None = None
        """The table this one was made from by a change of terrain on the squares of `_changed`."""
        self._changed = 0
        self._graphs: dict[GraphKey, StepGraph] = {}
        self._fresh_lines()
        twin = _BASES.get(self.key())
        if twin is None:
            _remember(self)
        else:
            self._share_caches(twin)

    def __reduce__(self) -> tuple[object, ...]:
        """Kept as its terrain; what was worked out from it is worked out again."""
        told = (self.width, self.height, self.kinds, self._features, self._edges, self._columns, self._passages)
        return SquareTable, told

    def _fresh_lines(self) -> None:
        low: dict[int, Line] = {}
        tall = low if self.hiding("low") == self.hiding("tall") else {}
        self._lines: tuple[dict[int, Line], dict[int, Line]] = (low, tall)
        """By eye, low and tall; one and the same where there is nothing that only the tall look over."""
        self._air_lines: dict[tuple[Place, Place, AirSide], Line] = {}
        self._odd_lines: dict[tuple[Place, Place, Eye, int], Line] = {}
        self.areas: dict[tuple[Place, int], tuple[tuple[Place, ...], ...]] = {}
        self._arcs: dict[tuple[Place, Facing, Arc, int], tuple[Place, ...]] = {}
        self.last_scene: tuple[tuple[Mover, int, Occupancy], Scene] | None = None

    def _share_caches(self, other: SquareTable) -> None:
        """Use the caches of a table with the same content."""
        self._graphs, self._lines = other._graphs, other._lines
        self._air_lines, self._odd_lines = other._air_lines, other._odd_lines
        self.areas, self._arcs = other.areas, other._arcs

    # --- changes ---

    def _changed_to(self, features: Features, edges: Edges, changed: int, moves_matter: bool) -> SquareTable:
        """A table with other terrain that keeps every cached answer the change cannot touch."""
        table = object.__new__(SquareTable)
        self._copy_size_to(table)
        table._furnish(features, edges)
        if edges is self._edges:
            table._edges = edges
        table._before = self
        table._changed = changed
        table._graphs = {} if moves_matter else self._graphs
        table._fresh_lines()
        if not moves_matter:
            table._arcs = self._arcs
        ring = self.ring
        table.areas = {key: blocks for key, blocks in self.areas.items() if not ring(key[0]) & changed}
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
        return self._changed_to(features, self._edges, mask_of(where), self.kinds[kind].moves_matter)

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
        return self._changed_to(features, self._edges, mask_of(where), self.kinds[kind].moves_matter)

    def with_edge(self, a: Place, b: Place, wall: Wall | None) -> SquareTable:
        """This table with another wall, or none, between two squares."""
        pair, _ = self._checked_edge((a, b), wall or Wall())
        if self._edges.get(pair) == wall:
            return self
        edges = {other: known for other, known in self._edges.items() if other != pair}
        if wall is not None:
            edges[pair] = wall
        return self._changed_to(self._features, edges, mask_of(pair), True)

    def with_passages(self, passages: Passages) -> SquareTable:
        """This table with other ways into its closed places (a fortification), or none."""
        if passages == self._passages:
            return self
        table = self._changed_to(self._features, self._edges, 0, True)
        table._passages = passages
        return table

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
            found = self._lines[eye == "tall"].get(a * self.size + b)
            line = found if found is not None else self._new_line(a, b, eye)
        units = blockers & line.watch
        return line.with_units(units) if units else line.sight

    def _new_line(self, a: Place, b: Place, eye: Eye) -> Line:
        """A line not asked for before: from the tables this one was made from, if they know it, else traced."""
        tall = eye == "tall"
        number = a * self.size + b
        table, changed = self, 0
        while table._before is not None:
            changed |= table._changed
            table = table._before
            line = table._lines[tall].get(number)
            if line is not None:
                found = self._lines[tall][number] = self._on_this_table(line, table, a, b, eye, changed)
                return found
        if eye not in ("low", "tall"):
            raise TableError(f"{eye!r} is not an eye; expected low or tall.")
        self._must_exist(a)
        self._must_exist(b)
        line = table._lines[tall][number] = trace(table, a, b, eye)
        if table is not self:
            line = self._lines[tall][number] = self._on_this_table(line, table, a, b, eye, changed)
        return line

    def _on_this_table(self, line: Line, before: SquareTable, a: Place, b: Place, eye: Eye, changed: int) -> Line:
        """A line of an earlier table with what has changed since."""
        changed &= line.touched
        if not changed:
            return line
        flat = a < self.plane and b < self.plane
        if flat and not changed & (self.rough | before.rough) and changed < 1 << self.plane:
            return retrace(self, line, a, b, eye, changed)
        return trace(self, a, b, eye)

    def seen_from(self, a: Place, places: Iterable[Place], *, blockers: int = 0, eye: Eye = "low") -> list[Place]:
        """Those of some places that are seen from one; like `sight` for each, and faster.

        What has come to hide on the ground since the first table stands in the way just as a unit does there, so
        that the lines of the first table serve for all tables made from it.
        """
        first = self.first
        lines = first._lines[eye == "tall"]
        hides, hid = self.hiding_mask(eye), first.hiding_mask(eye)
        more, less = hides & ~hid, hid & ~hides
        on_ground = a < self.plane and more < 1 << self.plane
        alike = on_ground and self._edges is first._edges and self.indoor == first.indoor
        number = a * self.size
        found = []
        for b in places:
            line = lines.get(number + b) or first._new_line(a, b, eye)
            if not alike or b >= self.plane or line.touched & less:
                seen = self.sight(a, b, blockers=blockers & ~(1 << b), eye=eye).visible
            else:
                units = (blockers | more) & line.watch & ~(1 << b)
                seen = line.visible_past(units) if units else line.sight.visible
            if seen:
                found.append(b)
        return found

    @property
    def first(self) -> SquareTable:
        """The table that this one was made from by all changes of terrain, or itself."""
        table = self
        while table._before is not None:
            table = table._before
        return table

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

    # --- areas ---

    def blocks_of_four(self, place: Place) -> tuple[tuple[Place, ...], ...]:
        """The 2x2 blocks on this level that contain a square."""
        return areas.blocks_of_four(self, place)

    def places_in_arc(self, origin: Place, facing: Facing, arc: Arc, farthest: int) -> tuple[Place, ...]:
        """Squares with a dot in an arc and within range of a square, the farthest first."""
        key = (origin, facing, arc, farthest)
        found = self._arcs.get(key)
        if found is None:
            inside = [
                place
                for place in self.places()
                if self.has_dot(place)
                and self.distance(origin, place) <= farthest
                and (arc == "all" or self.in_arc(origin, facing, place, arc))
            ]
            found = self._arcs[key] = tuple(sorted(inside, key=lambda place: (-self.distance(origin, place), place)))
        return found

    def area_blocks(self, place: Place, *, blockers: int = 0) -> tuple[tuple[Place, ...], ...]:
        """The areas an artillery attack on this point may cover (d47.weapon.artillery_area)."""
        return areas.area_blocks(self, place, blockers)

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


_BASES: dict[Key, SquareTable] = {}
"""Tables made lately, so that every game on the same battlefield finds the caches of the one before it."""


def _remember(table: SquareTable) -> None:
    if len(_BASES) >= 32:
        del _BASES[next(iter(_BASES))]
    _BASES[table.key()] = table
