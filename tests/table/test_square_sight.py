"""Sight and cover on the ground (d47.attack.los.*, d47.attack.save.cover_*). Buildings: test_square_buildings.py."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.table.square import Place, Reason, Sight, SquareTable, Wall, mask_of
from dieselfront.table.square.board import _BASES
from dieselfront.table.square.sight import Eye
from table.square_kit import KINDS, at, board, named

WIDTH, HEIGHT = 7, 6


def look(table: SquareTable, a: str, b: str, units: str = "", eye: str = "low") -> Sight:
    return table.sight(table.square(a), table.square(b), blockers=at(table, units), eye=eye)  # type: ignore[arg-type]


def codes(sight: Sight) -> list[str]:
    return [reason.code for reason in sight.reasons]


# --- the rules, one by one ---


@pytest.mark.rule("d47.attack.los.trace_center", "d47.terrain.open")
def test_open_ground_is_seen_across_without_cover() -> None:
    assert look(board(), "A1", "E3") == Sight(True, False, ())


@pytest.mark.rule("d47.attack.los.blocked_square", "d47.terrain.structure")
def test_a_dotless_square_on_the_line_blocks_and_is_named() -> None:
    table = board("silo at C1")
    sight = look(table, "A1", "E1")
    assert not sight.visible
    assert sight.reasons == (Reason("interior", "silo", (table.square("C1"),), True),)


@pytest.mark.rule("d47.open.los_corner_meaning", "d47.attack.los.blocked_square")
def test_any_length_inside_a_blocking_square_blocks() -> None:
    sight = look(board("silo at B1"), "A1", "C2")
    assert codes(sight) == ["interior"]
    assert not sight.visible and not sight.cover


@pytest.mark.rule("d47.attack.los.corner_gives_cover", "d47.attack.save.cover_corner")
def test_touching_one_corner_gives_cover() -> None:
    table = board("silo at B1")
    sight = look(table, "A1", "C3")
    assert sight == Sight(True, True, (Reason("corner", "silo", (table.square("B1"),), False),))


@pytest.mark.rule("d47.attack.los.two_corners_block")
def test_two_corners_at_one_point_block() -> None:
    sight = look(board("silo at B1, A2"), "A1", "B2")
    assert not sight.visible
    assert codes(sight) == ["corners"]


def test_two_single_corners_on_one_line_give_cover_only() -> None:
    assert look(board("silo at B1, B3"), "A1", "C3").cover
    assert look(board("silo at B1, B3"), "A1", "C3").visible


@pytest.mark.rule("d47.open.los_corner_blockers", "d47.attack.los.vehicle_blocks")
def test_units_count_at_corners_like_terrain() -> None:
    table = board("silo at B1")
    assert codes(look(board(), "A1", "C3", units="B1")) == ["corner"]
    assert look(board(), "A1", "C3", units="B1").cover
    assert codes(look(table, "A1", "C3", units="A2")) == ["corners"]
    assert not look(table, "A1", "C3", units="A2").visible
    assert look(table, "A1", "C3", units="B3").visible, "B3 touches the second vertex, alone on it"


@pytest.mark.rule("d47.attack.los.vehicle_blocks", "d47.attack.los.infantry_transparent")
def test_a_vehicle_on_the_line_blocks_and_units_not_given_as_blockers_do_not() -> None:
    table = board()
    assert look(table, "A1", "E1", units="C1") == Sight(
        False, False, (Reason("blocker", "unit", (table.square("C1"),), True),)
    )
    assert look(table, "A1", "E1") == Sight(True, False, ())


@pytest.mark.rule("d47.attack.los.smoke_blocks", "d47.attack.los.smoke_inside", "d47.open.smoke_tree_depth")
def test_smoke_blocks_what_lies_beyond_and_covers_who_stands_in_it() -> None:
    table = board("smoke at C1, D1")
    assert not look(table, "A1", "E1").visible
    inside = look(table, "A1", "C1")
    assert inside.visible and codes(inside) == ["in_terrain"]
    assert not look(table, "A1", "D1").visible, "another smoke square lies strictly between"
    assert look(table, "C1", "B1").visible, "the attacker's own smoke does not block"


@pytest.mark.rule("d47.attack.los.trees_block", "d47.terrain.trees_cover", "d47.open.trees_obscure")
def test_trees_block_beyond_cover_inside_and_cover_by_their_corner() -> None:
    table = board("trees at C1")
    assert look(table, "A1", "C1") == Sight(True, True, (Reason("in_terrain", "trees", (table.square("C1"),), False),))
    assert not look(table, "A1", "D1").visible
    assert codes(look(table, "B1", "D3")) == ["corner"]


@pytest.mark.rule("d47.terrain.rubble_los", "d47.attack.save.cover_sources")
def test_rubble_does_not_block_and_covers_only_inside() -> None:
    table = board("rubble at C1")
    assert look(table, "A1", "D1") == Sight(True, False, ())
    assert look(table, "A1", "C1").cover
    assert table.in_terrain_cover(table.square("C1"))
    assert not table.in_terrain_cover(table.square("D1"))


@pytest.mark.rule("d47.terrain.wreck_los_cover")
def test_a_wreck_blocks_through_its_square_and_covers_by_its_corner() -> None:
    table = board("wreck at C1")
    assert not look(table, "A1", "E1").visible
    assert codes(look(table, "B1", "D3")) == ["corner"]


@pytest.mark.rule("d47.open.cover_adjacent_objects", "d47.terrain.crate_infantry")
def test_an_object_covers_the_unit_right_behind_it() -> None:
    table = board("crate at D1")
    assert codes(look(table, "A1", "E1")) == ["object"]
    assert look(table, "A1", "F1") == Sight(True, False, ()), "not next to the target"
    assert look(table, "H1", "E1") == Sight(True, False, ()), "on the far side"
    assert look(table, "D1", "E1") == Sight(True, False, ()), "the attacker stands on it"
    assert codes(look(table, "A1", "D1")) == ["in_terrain"]


@pytest.mark.rule("d47.quonset.los", "d47.open.quonset_walkers")
def test_a_low_hut_blocks_low_eyes_only() -> None:
    table = board("hut at C1")
    assert not look(table, "A1", "E1").visible
    assert look(table, "A1", "E1", eye="tall") == Sight(True, False, ())
    assert codes(look(table, "B1", "D3")) == ["corner"]
    assert codes(look(table, "B1", "D3", eye="tall")) == []


@pytest.mark.rule("d47.attack.los.walls_block", "d47.terrain.high_wall")
def test_a_high_wall_blocks_except_through_its_opening() -> None:
    assert codes(look(board("wall between B1 and C1"), "A1", "E1")) == ["wall"]
    assert not look(board("wall between B1 and C1"), "A1", "E1").visible
    assert look(board("wall between B1 and C1 with small opening"), "A1", "E1") == Sight(True, False, ())


@pytest.mark.rule("d47.terrain.low_wall_los", "d47.babylon.arch_walls")
def test_a_low_wall_covers_the_unit_directly_behind_it() -> None:
    table = board("low wall between D1 and E1")
    assert codes(look(table, "A1", "E1")) == ["low_wall"]
    assert look(table, "A1", "F1") == Sight(True, False, ())
    assert codes(look(table, "F1", "D1")) == ["low_wall"]


def test_a_line_over_the_vertex_of_a_low_wall_is_covered_only_if_the_wall_goes_on() -> None:
    assert codes(look(board("low wall along south of A1 to B1"), "A1", "B2")) == ["low_wall"]
    assert codes(look(board("low wall along south of A1"), "A1", "B2")) == []
    assert codes(look(board("low wall along south of A1 to B1"), "A1", "C3")) == [], "not at the target"


@pytest.mark.rule("d47.terrain.high_wall", "d47.open.cover_adjacent_objects")
def test_a_window_beside_the_target_covers_it_and_a_gate_does_not() -> None:
    assert codes(look(board("wall between D1 and E1 with small opening"), "A1", "E1")) == ["opening"]
    assert codes(look(board("wall between D1 and E1 with large opening"), "A1", "E1")) == []


def test_a_wall_that_runs_through_a_vertex_blocks_and_one_that_ends_there_covers() -> None:
    assert codes(look(board("wall along south of A1 to B1"), "A1", "B2")) == ["corners"]
    assert codes(look(board("wall along south of A1"), "A1", "B2")) == ["corner"]
    assert look(board("wall along south of A1"), "A1", "B2").cover


def test_out_of_range_is_a_reason_too() -> None:
    table = board()
    sight = table.sight(table.square("A1"), table.square("F1"), max_range=4)
    assert codes(sight) == ["range"] and not sight
    assert table.sight(table.square("A1"), table.square("E1"), max_range=4)


def test_all_blocking_reasons_are_told() -> None:
    sight = look(board("silo at B1", "wall between C1 and D1"), "A1", "F1")
    assert codes(sight) == ["interior", "wall"]


def test_terrain_can_be_left_out_of_account() -> None:
    table = board("silo from C1 to D2")
    own = at(table, "C1 D1 C2 D2")
    assert not table.sight(table.square("C1"), table.square("F1")).visible
    assert table.sight(table.square("C1"), table.square("F1"), ignore=own).visible


def test_the_mask_of_seen_squares_leaves_out_what_is_hidden() -> None:
    table = board("silo at C1", width=6, height=1)
    assert table.visible_mask(0) == at(table, "A1 B1 C1")
    assert table.visible_mask(0, blockers=at(table, "B1")) == at(table, "A1 B1")
    assert table.visible_mask(0, max_range=1) == at(table, "A1 B1")


def test_an_unknown_place_or_eye_is_refused() -> None:
    table = board()
    with pytest.raises(ValueError, match="There is no place 999"):
        table.sight(0, 999)
    with pytest.raises(ValueError, match="not an eye"):
        look(table, "A1", "B1", eye="third")


# --- against a slow twin in fractions ---


class Oracle:
    """Sight by clipping a segment with squares, walls and vertices, one by one, in fractions."""

    def __init__(self, table: SquareTable, a: Place, b: Place, units: int, tall: bool) -> None:
        self.table, self.a, self.b, self.units, self.tall = table, a, b, units, tall
        self.start, self.end = table.xy(a), table.xy(b)
        self.way = (self.end[0] - self.start[0], self.end[1] - self.start[1])

    def blocks(self, x: int, y: int) -> bool:
        place = self.table.place(x, y)
        kinds = [KINDS[name] for name in self.table.features(place)]
        fixed = any(kind.sight == "all" or (kind.sight == "low" and not self.tall) for kind in kinds)
        return fixed or bool(self.units >> place & 1)

    def inside(self, x: int, y: int) -> bool:
        """Whether a positive length of the line lies in a square."""
        first, last = Fraction(0), Fraction(1)
        for low, origin, step in ((x, self.start[0], self.way[0]), (y, self.start[1], self.way[1])):
            if step == 0:
                if low != origin:
                    return False
                continue
            ends = sorted(Fraction(2 * (low - origin) + side, 2 * step) for side in (-1, 1))
            first, last = max(first, ends[0]), min(last, ends[1])
        return first < last

    def on_line(self, x: Fraction, y: Fraction) -> bool:
        """Whether a point lies strictly between the two centres."""
        dx, dy = x - self.start[0], y - self.start[1]
        along = dx * self.way[0] + dy * self.way[1]
        return dx * self.way[1] == dy * self.way[0] and 0 < along < self.way[0] ** 2 + self.way[1] ** 2

    def crossed_walls(self) -> Iterator[tuple[tuple[Place, Place], Wall]]:
        """Walls whose inner points the line crosses: their middle line separates the ends of the segment."""
        for (p, q), wall in self.table.walls().items():
            (px, py), (qx, qy) = self.table.xy(p), self.table.xy(q)
            axis = 0 if py == qy else 1
            if self.way[axis] == 0:
                continue
            middle = Fraction((px + qx) if axis == 0 else (py + qy), 2)
            moment = (middle - self.start[axis]) / self.way[axis]
            if not 0 < moment < 1:
                continue
            other = self.start[1 - axis] + moment * self.way[1 - axis]
            if abs(other - (px, py)[1 - axis]) < Fraction(1, 2):
                yield (p, q), wall

    def side_blocked(self, here: tuple[int, int], flank: tuple[int, int], there: tuple[int, int]) -> bool:
        if self.blocks(*flank):
            return True
        walls = (self.wall(here, flank), self.wall(flank, there))
        return any(wall is not None and wall.is_solid for wall in walls)

    def wall(self, one: tuple[int, int], other: tuple[int, int]) -> Wall | None:
        return self.table.wall(self.table.place(*one), self.table.place(*other))

    def vertices(self) -> Iterator[tuple[list[tuple[int, int]], list[tuple[int, int]]]]:
        """For each vertex on the line: the two squares crossed there and the two that flank it."""
        half = Fraction(1, 2)
        for x in range(self.table.width - 1):
            for y in range(self.table.height - 1):
                if self.on_line(x + half, y + half):
                    around = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
                    yield [s for s in around if self.inside(*s)], [s for s in around if not self.inside(*s)]

    def judge(self) -> tuple[bool, bool]:
        """Visible and in cover."""
        cover = any(KINDS[name].cover for name in self.table.features(self.b))
        visible = True
        for place in range(self.table.plane):
            x, y = self.table.xy(place)
            if place in (self.a, self.b) or not self.inside(x, y):
                continue
            if self.blocks(x, y):
                visible = False
            objects = any(KINDS[name].object_cover for name in self.table.features(place))
            bx, by = self.end
            cover |= objects and max(abs(x - bx), abs(y - by)) == 1
        for pair, wall in self.crossed_walls():
            visible &= not wall.is_solid
            cover |= self.b in pair and (wall.kind == "low" or wall.opening == "small")
        for through, flanks in self.vertices():
            blocked = [self.side_blocked(through[0], flank, through[1]) for flank in flanks]
            visible &= not all(blocked)
            cover |= any(blocked)
            if self.end in through:
                low = [
                    any(
                        wall is not None and wall.kind == "low"
                        for wall in (self.wall(through[0], flank), self.wall(flank, through[1]))
                    )
                    for flank in flanks
                ]
                cover |= all(low)
        return visible, cover and visible


def edges() -> list[tuple[Place, Place]]:
    across = [(y * WIDTH + x, y * WIDTH + x + 1) for y in range(HEIGHT) for x in range(WIDTH - 1)]
    down = [(y * WIDTH + x, (y + 1) * WIDTH + x) for y in range(HEIGHT - 1) for x in range(WIDTH)]
    return across + down


PLACES = st.integers(0, WIDTH * HEIGHT - 1)
WALLS = st.sampled_from([Wall(), Wall("low"), Wall("high", "small"), Wall("high", "large")])
TABLES = st.builds(
    lambda features, walls: SquareTable(WIDTH, HEIGHT, KINDS, features, walls),
    st.dictionaries(
        PLACES,
        st.lists(st.sampled_from(["silo", "trees", "rubble", "hut", "crate"]), max_size=2).map(tuple),
        max_size=12,
    ),
    st.dictionaries(st.sampled_from(edges()), WALLS, max_size=10),
)


@pytest.mark.rule("d47.attack.los.trace_center", "d47.attack.los.blocked_square", "d47.attack.los.two_corners_block")
@settings(max_examples=300)
@given(TABLES, st.sets(PLACES, max_size=6), st.booleans(), st.data())
def test_sight_agrees_with_a_slow_twin_in_fractions(
    table: SquareTable, units: set[Place], tall: bool, data: st.DataObject
) -> None:
    a, b = data.draw(PLACES, "a"), data.draw(PLACES, "b")
    blockers = mask_of(units - {a, b})
    sight = table.sight(a, b, blockers=blockers, eye="tall" if tall else "low")
    assert (sight.visible, sight.cover) == Oracle(table, a, b, blockers, tall).judge()
    assert sight.visible is not any(reason.blocks for reason in sight.reasons)
    assert not sight.visible or sight.cover is bool(sight.reasons)


@given(TABLES, st.sets(PLACES, max_size=6), PLACES, PLACES)
def test_two_units_see_each_other_or_neither_does(table: SquareTable, units: set[Place], a: Place, b: Place) -> None:
    blockers = mask_of(units - {a, b})
    assert table.sight(a, b, blockers=blockers).visible == table.sight(b, a, blockers=blockers).visible


@given(TABLES, PLACES, st.sampled_from(["smoke", "silo", "crate"]), PLACES, PLACES)
def test_a_changed_table_answers_like_one_built_that_way(
    table: SquareTable, where: Place, kind: str, a: Place, b: Place
) -> None:
    table.sight(a, b)
    changed = table.placing(kind, [where])
    built = SquareTable(WIDTH, HEIGHT, KINDS, {p: changed.features(p) for p in changed.places()}, table.walls())
    assert changed == built
    assert changed.sight(a, b) == built.sight(a, b)
    assert changed.clearing(kind, [where]).sight(a, b) == table.clearing(kind, [where]).sight(a, b)


CHANGES = st.lists(
    st.tuples(
        st.booleans(),
        st.sampled_from(["smoke", "silo", "crate", "wreck", "hut", "building"]),
        st.sets(PLACES, max_size=3),
    ),
    max_size=4,
)


@settings(max_examples=200)
@given(TABLES, CHANGES, PLACES, st.sets(PLACES, max_size=6), st.sampled_from(["low", "tall"]))
def test_after_many_changes_everything_is_seen_as_on_a_table_built_that_way(
    table: SquareTable, changes: list[tuple[bool, str, set[Place]]], a: Place, units: set[Place], eye: Eye
) -> None:
    blockers = mask_of(units - {a})
    places = table.places()
    for adds, kind, where in changes:
        list(table.seen_from(a, places, eye=eye))
        table = table.placing(kind, where) if adds else table.clearing(kind, where)
    _BASES.clear()
    built = SquareTable(WIDTH, HEIGHT, KINDS, {p: table.features(p) for p in places}, table.walls())
    expected = [built.sight(a, b, blockers=blockers & ~(1 << b), eye=eye) for b in places]
    assert list(table.seen_from(a, places, blockers=blockers, eye=eye)) == [b for b in places if expected[b].visible]
    assert [table.sight(a, b, blockers=blockers & ~(1 << b), eye=eye) for b in places] == expected


def test_reasons_name_the_squares_a_referee_can_point_at() -> None:
    table = board("silo at C1", "wall between D1 and E1")
    reasons = look(table, "A1", "F1", units="B1").reasons
    assert [(reason.code, named(table, reason.places)) for reason in reasons] == [
        ("interior", ["C1"]),
        ("wall", ["D1", "E1"]),
    ]
