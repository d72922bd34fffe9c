"""The compiled kernel against the Python functions it stands for: the same answers, and the same whole games."""

from __future__ import annotations

import importlib.util
import json
import os
import pickle
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from shutil import which

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.table.measured import (
    MeasuredTable,
    SightRules,
    TerrainKind,
    house,
    hull,
    inches,
    native,
    polygon,
    round_base,
)
from dieselfront.table.measured import wall as wall_piece
from dieselfront.table.measured.corners import Corners
from dieselfront.table.measured.formation import AllWithin, Chain, Circle, Leash, arrange
from dieselfront.table.measured.kinds import HOUSE, WALL
from dieselfront.table.measured.movement import NO_ENTRY, Going, _is_entered, passes_over
from dieselfront.table.measured.placement import Crowd, Keep, Places
from dieselfront.table.measured.reach import reach
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.sight import (
    _look,
    eye_of,
    eyes_all_round,
    first_seen,
    sees,
    sees_spot,
    sight,
    spotter_of,
)
from dieselfront.table.measured.terrain import Cover, Piece, Sight, Stand

ROOT = Path(__file__).resolve().parents[2]
KERNEL = native.KERNEL
needs_kernel = pytest.mark.skipif(KERNEL is None, reason="the compiled kernel is not built or switched off")
PLAIN_BODY = native.PURE["Body"]

coarse = st.integers(-6, 14)  # a lattice: lines through corners and along edges happen all the time
fine = st.integers(-9_000, 41_000)
huge = st.integers(-(1 << 40), 1 << 40)  # too large for C
numbers = st.one_of(coarse, fine, huge)
points = st.one_of(st.tuples(coarse, coarse), st.tuples(fine, fine))
polygons = st.one_of(
    st.lists(st.tuples(coarse, coarse), min_size=3, max_size=8, unique=True),
    st.lists(st.tuples(fine, fine), min_size=3, max_size=8, unique=True),
).map(tuple)


def both(name: str, *args: object) -> tuple[object, object]:
    """The compiled and the Python answer."""
    return getattr(KERNEL, name)(*args), native.PURE[name](*args)


def assert_same(name: str, *args: object) -> None:
    compiled, python = both(name, *args)
    assert compiled == python and type(compiled) is type(python)


COORDINATES = {
    "cross": 6, "on_segment": 6, "segments_cross": 8, "point_segment_square": 6, "segment_segment_square": 8,
}  # fmt: skip


@needs_kernel
@pytest.mark.parametrize("name", sorted(COORDINATES))
@settings(max_examples=60)
@given(data=st.data())
def test_questions_about_points_and_segments_have_one_answer(name: str, data: st.DataObject):
    kind = data.draw(st.sampled_from([coarse, fine, numbers]))
    assert_same(name, *[data.draw(kind) for _ in range(COORDINATES[name])])


@needs_kernel
@pytest.mark.parametrize("name", ["point_in_polygon", "point_polygon_square", "outline_square"])
@settings(max_examples=60)
@given(point=points, shape=polygons)
def test_questions_about_a_point_and_a_polygon_have_one_answer(name: str, point, shape):
    assert_same(name, *point, shape)


@needs_kernel
@pytest.mark.parametrize("name", ["segment_polygon_square", "line_enters", "stretches"])
@settings(max_examples=120)
@given(a=points, b=points, shape=polygons)
def test_questions_about_a_line_and_a_polygon_have_one_answer(name: str, a, b, shape):
    assert_same(name, *a, *b, shape)


@needs_kernel
@settings(max_examples=120)
@given(a=points, b=points, one=polygons, other=polygons, reach=st.integers(-5, 3000))
def test_questions_about_polygons_have_one_answer(a, b, one, other, reach):
    assert_same("comes_nearer", *a, *b, one, reach)
    assert_same("polygon_polygon_square", one, other)
    assert_same("convex_overlap", one, other)
    assert_same("is_simple", one)
    assert_same("convex_hull", one)


@needs_kernel
@given(
    st.integers(0, 1 << 70), st.integers(-(1 << 62), 1 << 62), st.integers(1, 1 << 40), st.tuples(fine, fine), points
)
def test_roots_and_roundings_have_one_answer(square, top, bottom, vector, other):
    assert_same("ceil_sqrt", square)
    assert_same("round_half_up", top, bottom)
    assert_same("leg_micrometres", vector, other)
    if vector != (0, 0):
        assert_same("stretched", *vector, bottom % 3000)


# -- models ------------------------------------------------------------------------------------------------

SHAPES = (round_base(25), round_base(40), round_base(60), hull(60, 110), hull(81, 147, height=60))
places = st.tuples(st.integers(0, 700), st.integers(0, 500))
models = st.tuples(st.sampled_from(SHAPES), places, st.integers(-400, 800))


def model(drawn, kind=Body) -> Body:
    shape, (x, y), heading = drawn
    return kind(shape, x, y, heading, 0, "key", None, 0)


@needs_kernel
@given(models)
def test_a_compiled_model_is_the_python_one(drawn):
    compiled, python = model(drawn), model(drawn, PLAIN_BODY)
    fields = PLAIN_BODY.__slots__
    assert [getattr(compiled, field) for field in fields] == [getattr(python, field) for field in fields]
    there = compiled.at(3, 4, heading=7)
    assert (there.x, there.y, there.heading, there.shape, there.key) == (3, 4, 7, compiled.shape, "key")
    again = pickle.loads(pickle.dumps(compiled))
    assert type(again) is Body and (again.x, again.corners) == (compiled.x, compiled.corners)


@needs_kernel
@settings(max_examples=200)
@given(models, models, st.integers(0, 4000), polygons)
def test_distances_of_models_have_one_answer(first, second, length, shape):
    a, b = model(first), model(second)
    for name in ("distance", "overlaps", "distance_from_centre"):
        assert_same(name, a, b)
    assert_same("is_within", a, b, length)
    assert_same("is_nearer", a, b, length)
    assert_same("distance_from_point", length, 70, a)
    assert_same("distance_from_line", length, 70, 300, length, a)
    for name in ("touches_polygon", "overlaps_convex", "is_wholly_in"):
        assert_same(name, a, shape)


@needs_kernel
@given(st.lists(models, min_size=1, max_size=5), st.lists(models, min_size=1, max_size=5), st.integers(0, 4000))
def test_distances_of_units_have_one_answer(first, second, length):
    some, others = [model(one) for one in first], [model(one) for one in second]
    assert_same("unit_distance", some, others)
    assert_same("any_within", some, others, length)
    assert_same("distances", some[0], others)
    assert_same("nearest_first", some[0], others)
    assert_same("any_overlap", [*some, *others])
    assert_same("in_box_round", some, others)
    assert_same("apart_from", [*some, *others], some[0], others[0])
    assert_same("in_the_way", eye_of(some[0]), some[0], others[0], [*some, *others])
    assert_same("any_in_the_way", eye_of(some[0]), some[0], others[0], [*some, *others])


@needs_kernel
@settings(max_examples=200)
@given(models, places, st.lists(st.tuples(models, st.sampled_from([0, 1, 254]), st.booleans()), max_size=6))
def test_models_to_keep_from_have_one_answer(drawn, place, others):
    body = model(drawn)
    keeps = [Keep(model(one), gap, strict) for one, gap, strict in others]
    assert_same("first_not_kept", keeps, body)
    assert_same("passes_all", body, body.at(*place), keeps)
    box = sorted((body.cx, place[0] * 10)), sorted((body.cy, place[1] * 10))
    assert_same("keeps_near", keeps, box[0][0], box[1][0], box[0][1], box[1][1])
    assert Crowd(keeps).is_free(body) is (native.PURE["first_not_kept"](keeps, body) is None)


@needs_kernel
@given(polygons, polygons, st.integers(-600, 0), st.integers(1, 20_000), st.integers(1, 20_000))
def test_grown_outlines_have_one_answer(shape, rim, least, width, depth):
    assert_same("grown_outline", shape, rim, (least, width, depth))


# -- units ---------------------------------------------------------------------------------------------------


class Squad:
    """What the kernel reads of a unit: any object with these names will do."""

    def __init__(self, id: str, where: tuple[int, ...], facing: int = 0, figures: tuple[int, ...] = (1, 2)) -> None:
        self.id = id
        self.where = where
        self.facing = facing
        self.figures = figures
        self.status = "board"
        self.effects: dict[str, object] = {}


def remembered(memory: dict[int, tuple[object, ...]], squad: Squad, bodies: list[Body]) -> Squad:
    memory[id(squad.where)] = (squad.where, squad.facing, squad.figures, squad.id, bodies)
    return squad


@needs_kernel
@given(st.lists(models, min_size=1, max_size=4), st.lists(models, min_size=1, max_size=3), st.integers(0, 4000))
def test_remembered_units_have_one_answer(first, second, length):
    memory: dict[int, tuple[object, ...]] = {}
    near = [remembered(memory, Squad(f"unit {n}", (n, n + 1)), [model(one)]) for n, one in enumerate(first)]
    for squad in near:
        assert_same("bodies_kept", memory, squad)
        assert both("bodies_kept", memory, squad)[0] is not None
    assert_same("units_within", memory, [model(one) for one in second], near, length)
    stranger = Squad("stranger", (7, 8, 9))
    assert both("units_within", memory, [model(second[0])], [*near, stranger], length) == (None, None)
    assert_same("stamp_of", [*near, stranger])


@needs_kernel
@pytest.mark.parametrize("name, value", [("facing", 90), ("figures", (2,)), ("id", "other"), ("where", (3, 4, 5))])
def test_a_unit_that_has_changed_is_not_remembered(name: str, value: object):
    memory: dict[int, tuple[object, ...]] = {}
    squad = remembered(memory, Squad("unit", (1, 2)), [model((SHAPES[0], (5, 5), 0))])
    setattr(squad, name, value)
    assert both("bodies_kept", memory, squad) == (None, None)


@needs_kernel
@pytest.mark.parametrize("name", ["where", "figures", "status", "id", "effects", "facing"])
def test_every_change_of_a_unit_changes_the_stamp_of_its_position(name: str):
    squad = Squad("unit", (1, 2))
    before = both("stamp_of", [squad])
    setattr(squad, name, {"facing": 45, "effects": {"on_move": 1}}.get(name, ("something", "else")))
    after = both("stamp_of", [squad])
    assert before[0] == before[1] != after[0] == after[1]


# -- terrain and sight ----------------------------------------------------------------------------------------

WOOD = TerrainKind("wood", "Wood", Sight.AREA, Cover.SOFT, height=60, is_area=True)
FENCE = TerrainKind("fence", "Fence", Sight.SCREEN, Cover.SOFT, height=20)
CRAG = TerrainKind("crag", "Crag", Sight.BLOCKS, Cover.HARD, height=200)
LANDSCAPE: list[Piece] = [
    polygon("wood", WOOD, [(100, 40), (260, 60), (300, 180), (200, 140), (90, 200)]),
    polygon("grove", WOOD, [(420, 300), (520, 300), (520, 420), (400, 380)]),
    house("farm", HOUSE, 330, 80, 160, 120, floors=2),
    wall_piece("wall", WALL, [(60, 300), (200, 300), (200, 420)]),
    wall_piece("fence", FENCE, [(250, 250), (330, 330)]),
    polygon("crag", CRAG, [(560, 60), (640, 90), (600, 160)]),
]
RULES = (
    SightRules(),
    SightRules(columns=3, area_depth=inches(4), opening_reach=inches(4), indoor_reach=inches(12), storeys=1),
    SightRules(area_through=True, area_depth=inches(2), indoor_reach=inches(3), indoor_for_all=True),
    SightRules(columns=4, rows=2, openings=False, stand=Stand.CENTRE),
    SightRules(edge_reach=inches(1), area_depth=inches(3), closed_areas=("wood",), open_buildings=True),
)


def in_python(table: MeasuredTable) -> MeasuredTable:
    """The same table without compiled terrain."""
    twin = MeasuredTable(table.width, table.depth, table.pieces)
    twin.compiled = None
    return twin


TABLE = MeasuredTable(700, 500, LANDSCAPE)
TWIN = in_python(TABLE)


def standing(drawn) -> Body:
    """A model on the table; some of them on a floor of the house."""
    shape, (x, y), heading = drawn
    if shape.is_round and 340 <= x <= 480 and 90 <= y <= 190:
        return TABLE.stand_inside(shape, "farm", heading % 2, x, y)
    return TABLE.stand(shape, x, y, heading)


@needs_kernel
@settings(max_examples=300, deadline=None)
@given(st.sampled_from(RULES), models, models)
def test_compiled_sight_sees_what_python_sees(rules, first, second):
    viewer, target = standing(first), standing(second)
    spotter, plain = spotter_of(TABLE, rules), spotter_of(TWIN, rules)
    assert spotter.compiled is not None and plain.compiled is None
    for who in (viewer, None):
        for eye in [eye_of(viewer), *eyes_all_round(viewer)[:2]]:
            view, python = _look(TABLE, eye, who, target, rules), _look(TWIN, eye, who, target, rules)
            assert (view.columns, view.heights, view.states) == (python.columns, python.heights, python.states)
            assert list(view.obstacles.items()) == list(python.obstacles.items())
            assert view.sighting == python.sighting
            seen = spotter.is_seen(eye, who, target)
            assert seen is plain.is_seen(eye, who, target) is (python.sighting.seen > 0)


@needs_kernel
@settings(max_examples=60, deadline=None)
@given(st.sampled_from(RULES), st.lists(models, max_size=3), st.lists(models, max_size=3), st.booleans())
def test_compiled_sight_of_units_is_that_of_python(rules, first, second, are_inside):
    viewers, targets = [standing(one) for one in first], [standing(one) for one in second]
    answers = [spotter_of(table, rules).any_seen(viewers, targets, are_inside) for table in (TABLE, TWIN)]
    assert answers[0] is answers[1]


@needs_kernel
@settings(max_examples=200, deadline=None)
@given(st.sampled_from(RULES), models, st.lists(models, min_size=1, max_size=3), st.lists(models, max_size=4))
def test_compiled_sight_past_models_is_that_of_python(rules, first, second, others):
    viewer = keyed(standing(first), "viewer")
    targets = [keyed(standing(one), ("target", number)) for number, one in enumerate(second)]
    blockers = [keyed(standing(one), ("other", number)) for number, one in enumerate(others)]
    blockers += [viewer, targets[0]]
    for eyes in ([eye_of(viewer)], eyes_all_round(viewer)[:3]):
        answers = [
            (
                sees(table, viewer, targets[0], rules, blockers, eyes),
                sees_spot(table, viewer, targets[-1], rules, blockers, eyes),
                first_seen(table, viewer, targets, rules, blockers, eyes),
            )
            for table in (TABLE, TWIN)
        ]
        assert answers[0] == answers[1]
        assert answers[0][0] is (sight(TWIN, viewer, targets[0], rules, blockers, eyes).seen > 0)


def keyed(body: Body, key: object) -> Body:
    return Body(body.shape, body.x, body.y, body.heading, body.z, key, body.inside, body.floor)


COHERENCIES = (Circle(inches(2)), Leash(inches(3)), Chain(inches(1)), AllWithin(inches(4)))


@needs_kernel
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(COHERENCIES),
    st.lists(st.tuples(st.sampled_from(SHAPES[:3]), places, st.just(0)), min_size=2, max_size=4),
    st.lists(models, max_size=3),
    st.sampled_from([None, inches(2)]),
)
def test_compiled_formations_are_those_of_python(coherency, drawn, others, limit):
    wanted = [keyed(TABLE.stand(shape, x, y), number) for number, (shape, (x, y), _) in enumerate(drawn)]
    origins = [(body.x, body.y) for body in wanted] if limit is not None else None
    crowd = [Keep(model(one)) for one in others]
    found = [
        arrange(wanted, Places(table, ("crag", "wall"), Crowd(crowd)), coherency, origins, limit, step=12)
        for table in (TABLE, TWIN)
    ]
    spots = [None if bodies is None else [(body.x, body.y) for body in bodies] for bodies in found]
    assert spots[0] == spots[1]


@needs_kernel
@settings(max_examples=200, deadline=None)
@given(models, st.lists(models, max_size=4), places)
def test_compiled_places_are_those_of_python(drawn, others, place):
    body = standing(drawn).at(*place)
    keeps = [Keep(model(one)) for one in others]
    laws = [Places(table, ("wood", "wall"), Crowd(keeps)) for table in (TABLE, TWIN)]
    assert laws[0].is_legal(body) is laws[1].is_legal(body) is (laws[1].problem(body) is None)
    assert laws[0].problem(body) == laws[1].problem(body)


@needs_kernel
@settings(max_examples=200, deadline=None)
@given(models, places, st.integers(0, (1 << 20) - 1))
def test_compiled_terrain_is_met_where_python_meets_it(drawn, place, bits):
    body = standing(drawn)
    mask = bits & TABLE.index.all_parts
    a, b = (body.cx, body.cy), (place[0] * 10, place[1] * 10)
    assert TABLE.stretches_in(a, b, mask) == TWIN.stretches_in(a, b, mask)
    assert TABLE.pieces_at(*b) == TWIN.pieces_at(*b)
    assert TABLE.standing(body) == TWIN.standing(body)
    assert TABLE.near(body, 300) == TWIN.near(body, 300)
    whole = TABLE.mask_of([*TABLE.kind_masks][: bits % 6])
    assert TABLE.overlapped(body, whole) == TWIN.overlapped(body, whole)
    there = body.at(*place)
    assert passes_over(TABLE, body, there, mask) == passes_over(TWIN, body, there, mask)
    entered = _is_entered(TABLE, body, there, mask), _is_entered(TWIN, body, there, mask)
    assert entered[0] is entered[1]


GOINGS = (
    Going({"wood": 2, "crag": NO_ENTRY}),
    Going({"wood": 2, "fence": 3, "wall": NO_ENTRY}, walls="doors"),
    Going({"wood": 3, "fence": 2}, walls="openings", barred=("crag",)),
    Going({"crag": NO_ENTRY}, walls="closed"),
)


@needs_kernel
@settings(max_examples=40, deadline=None)
@given(st.sampled_from(GOINGS), models, st.lists(st.tuples(models, st.sampled_from([0, 254])), max_size=4), places)
def test_compiled_ways_are_those_of_python(going, drawn, others, place):
    body = standing(drawn)
    keeps = [keep for keep in (Keep(model(one), gap) for one, gap in others) if keep.is_kept(body)]
    compiled, python = (reach(table, body, inches(4), going, keeps, step=24) for table in (TABLE, TWIN))
    assert compiled.spots == python.spots and compiled._nodes == python._nodes
    assert compiled.path_to(*place) == python.path_to(*place)
    ways = [Corners(table, body, inches(8), going, Crowd(keeps)) for table in (TABLE, TWIN)]
    assert ways[0].path_to(*place) == ways[1].path_to(*place)
    assert ways[0]._reached() == ways[1]._reached()


def test_a_table_with_more_parts_than_a_machine_word_has_bits_is_met_alike():
    pieces = [wall_piece(f"wall {row}", WALL, [(20, 20 + 9 * row), (300, 24 + 9 * row)]) for row in range(90)]
    table = MeasuredTable(900, 900, pieces)
    twin = in_python(table)
    a, b = (1500, 0), (1510, 8990)
    for mask in (table.index.all_parts, 1 << 70 | 1 << 3, 0):
        assert table.stretches_in(a, b, mask) == twin.stretches_in(a, b, mask)
    body = table.stand(SHAPES[0], 150, 660)
    assert table.near(body, 100) == twin.near(body, 100) and len(table.near(body, 100)) > 3


# -- building, and whole games ----------------------------------------------------------------------------------


def has_compiler() -> bool:
    words = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("LDSHARED") or "")
    return bool(words and which(words[0])) and (Path(sysconfig.get_path("include")) / "Python.h").is_file()


@pytest.mark.skipif(not has_compiler(), reason="there is no C compiler with Python's headers here")
def test_the_kernel_builds_without_a_warning_and_is_of_this_interface(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.delenv("DIESELFRONT_PURE", raising=False)
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import build_kernel

    words = build_kernel.command(tmp_path / "strict.so")
    assert words is not None
    subprocess.run([*words, "-Werror"], check=True, capture_output=True)
    built = build_kernel.build(tmp_path)
    assert built is not None and [path.name for path in tmp_path.glob("*.new")] == []
    script = f"""
import importlib.util
spec = importlib.util.spec_from_file_location("dieselfront.table.measured._kernel", {str(built)!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(module.INTERFACE)
"""
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert int(shown) == native.INTERFACE
    monkeypatch.setenv("CC", "no-such-compiler")
    assert build_kernel.build(tmp_path) is None
    assert "Python answers instead" in capsys.readouterr().err


PLAY = """
import json
from dieselfront import rulesets
from dieselfront.lab.simulate import Matches, simulate
from dieselfront.table.measured import native
names = [name for name in rulesets.names() if name != rulesets.DEFAULT]
played = {name: simulate(Matches(name, games=1, seed="kernel")).digest for name in names}
print(json.dumps([native.is_compiled(), played]))
"""


def played(pure: str) -> list[object]:
    environment = os.environ | {native.SWITCH: pure, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, env=environment, check=True)
    return json.loads(ran.stdout)


@pytest.mark.skipif(
    importlib.util.find_spec("dieselfront.table.measured._kernel") is None, reason="the compiled kernel is not built"
)
def test_whole_games_are_the_same_compiled_and_in_python():
    (is_compiled, compiled), (is_plain, python) = played(""), played("1")
    assert (is_compiled, is_plain) == (True, False)
    assert compiled == python and len(compiled) >= 4
