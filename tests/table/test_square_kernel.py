"""The compiled kernel of squares beside the Python functions it stands for, and tables that are made once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dieselfront.table.square.reach  # noqa: F401  (every module with compiled twins is loaded)
from dieselfront.table.square import Mover, Occupancy, SquareTable, native
from dieselfront.table.square.steps import Step, _Corner
from dieselfront.table.terrain import TerrainKind

ROOT = Path(__file__).resolve().parents[2]
compiled = pytest.mark.skipif(native.KERNEL is None, reason="no compiled kernel of squares here")

WIDTH, HEIGHT = 12, 9
BOARD = (1 << WIDTH * HEIGHT) - 1
TALLER = st.integers(0, (1 << 1100) - 1)
masks = st.integers(0, BOARD)
sparse = st.sets(st.integers(0, WIDTH * HEIGHT - 1), max_size=20).map(
    lambda places: sum(1 << place for place in places)
)
dense = sparse.map(lambda mask: BOARD & ~mask)
OFFSETS = ((-WIDTH, False), (1, False), (WIDTH, False), (-1, False), (1 - WIDTH, True), (WIDTH + 1, True))


def steps_of(leaving: list[int]) -> list[Step]:
    return [Step(offset, diagonal, mask) for (offset, diagonal), mask in zip(OFFSETS, leaving, strict=True)]


steps = st.lists(dense, min_size=len(OFFSETS), max_size=len(OFFSETS)).map(steps_of)
nodes = st.integers(0, WIDTH * HEIGHT - 1)


def both(name: str):
    return native.PURE[name], getattr(native.KERNEL, name)


@compiled
@given(st.one_of(masks, TALLER))
def test_masks_and_places_are_the_same(mask):
    places_of, twin = both("places_of")
    places = places_of(mask)
    assert twin(mask) == places
    mask_of, twin = both("mask_of")
    assert twin(places) == twin(list(places)) == twin(iter(places)) == mask_of(places) == mask


@compiled
@pytest.mark.parametrize("places, problem", [((1, -1), ValueError), (("a1",), TypeError), (5, TypeError)])
def test_what_is_no_place_is_refused_alike(places, problem):
    for mask_of in both("mask_of"):
        with pytest.raises(problem):
            mask_of(places)


@compiled
@given(nodes, steps, dense, st.integers(0, 12), st.booleans())
def test_a_flood_reaches_the_same_layers(start, steps, enter, budget, spent):
    flood, twin = both("flood")
    layers = flood(start, steps, enter, budget, spent)
    assert twin(start, steps, enter, budget, spent) == layers
    costs_of, costs_twin = both("costs_of")
    walk_back, walk_twin = both("walk_back")
    costs = costs_of(layers, enter, start, {start: 0})
    assert list(costs_twin(layers, enter, start, {start: 0}).items()) == list(costs.items())
    for cost, pair in enumerate(layers):
        for used, layer in enumerate(pair):
            for node in native.PURE["places_of"](layer)[:3]:
                way = walk_back(layers, steps, cost, used, node)
                assert walk_twin(layers, steps, cost, used, node) == way and len(way) <= cost


@compiled
@given(st.integers(WIDTH * HEIGHT, 1300), st.integers(0, 3))
def test_a_flood_on_a_board_too_large_for_c_is_asked_in_python(start, budget):
    flood, twin = both("flood")
    everywhere = (1 << 1400) - 1
    ways = [Step(1, False, everywhere), Step(-40, False, everywhere), Step(41, True, everywhere)]
    assert twin(start, ways, everywhere, budget, False) == flood(start, ways, everywhere, budget, False)


@compiled
@given(st.lists(st.tuples(dense, dense, dense), min_size=1, max_size=4), st.booleans(), sparse, sparse)
def test_corners_are_open_alike(corners, on_wheels, friends, enemies):
    flanks = ((1, -WIDTH), (1, WIDTH), (-1, WIDTH), (-1, -WIDTH))
    made = [
        _Corner(flank + other, leaving, flank, flank_open, other, other_open)
        for (leaving, flank_open, other_open), (flank, other) in zip(corners, flanks, strict=False)
    ]
    open_corners, twin = both("open_corners")
    assert twin(made, on_wheels, friends | enemies, enemies) == open_corners(
        made, on_wheels, friends | enemies, enemies
    )


def digest(pure: bool, seed: int) -> str:
    words = ["simulate", "-n", "6", "-s", str(seed), "-w", "1", "--json", "--blue", "random:any", "--red", "random:any"]
    environment = os.environ | {"DIESELFRONT_PURE": "1" if pure else ""}
    code = "import sys; from dieselfront.cli import main; sys.argv[0] = 'dieselfront'; main()"
    run = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, env=environment)
    assert run.returncode == 0, run.stderr
    return next(line for line in run.stdout.splitlines() if "digest" in line)


@compiled
def test_whole_games_have_the_same_digest_both_ways():
    assert digest(pure=True, seed=71) == digest(pure=False, seed=71)


# -- tables that change ------------------------------------------------------------------------------------------

KINDS = {
    "smoke": TerrainKind("smoke", sight="all"),
    "wreck": TerrainKind("wreck", sight="all", cover=True, passable=("infantry",), stoppable=()),
    "hut": TerrainKind("hut", sight="low", passable=(), stoppable=(), corner=True),
    "wood": TerrainKind("wood", cover=True, object_cover=True),
}
changes = st.lists(
    st.tuples(st.booleans(), st.sampled_from(sorted(KINDS)), st.sets(st.integers(0, 47), min_size=1, max_size=4)),
    max_size=8,
)


def board() -> SquareTable:
    return SquareTable(8, 6, KINDS, {9: ("wood",), 20: ("hut",), 35: ("wreck",)})


def changed(table: SquareTable, steps) -> SquareTable:
    for adds, kind, places in steps:
        table = table.placing(kind, sorted(places)) if adds else table.clearing(kind, sorted(places))
    return table


def afresh(table: SquareTable) -> SquareTable:
    """The same terrain on a table that has been worked out from nothing."""
    from dieselfront.table.square import board as module

    kept = dict(module._BASES)
    module._BASES.clear()
    try:
        return SquareTable(table.width, table.height, KINDS, table._features)
    finally:
        module._BASES.clear()
        module._BASES.update(kept)


@settings(max_examples=60, deadline=None)
@given(changes, st.integers(0, 2**48 - 1), st.integers(0, 47))
def test_a_changed_table_answers_as_one_made_afresh(steps, blockers, a):
    table = changed(board(), steps)
    twin = afresh(table)
    assert table.key() == twin.key() and table.dots == twin.dots and table.masks_by_kind() == twin.masks_by_kind()
    chance = Random(blockers)
    for eye in ("low", "tall"):
        in_the_way = blockers & ~(1 << a)
        wanted = chance.getrandbits(48)
        seen = [b for b in range(48) if wanted >> b & 1 and twin.sight(a, b, blockers=in_the_way & ~(1 << b), eye=eye)]
        assert list(table.seen_from(a, [b for b in range(48) if wanted >> b & 1], blockers=in_the_way, eye=eye)) == seen
        assert table.seen_mask(a, wanted, blockers=in_the_way, eye=eye) == sum(1 << b for b in seen)
        for b in range(0, 48, 5):
            others = in_the_way & ~(1 << b)
            sight = twin.sight(a, b, blockers=others, eye=eye)
            assert table.sight(a, b, blockers=others, eye=eye) == sight
            assert table.plain_sight(a, b, others, eye == "tall") == sight
            assert table.sees(a, b, others, eye == "tall") == sight.visible
    for place in range(0, 48, 7):
        assert table.area_blocks(place, blockers=blockers) == twin.area_blocks(place, blockers=blockers)
        assert table.places_in_arc(place, 1, "front", 5) == twin.places_in_arc(place, 1, "front", 5)
    mover, occupancy = Mover("infantry"), Occupancy(friends=blockers & 0xFF, enemies=blockers >> 40 << 40 & ~(1 << a))
    if not table.has(a, "hut"):
        assert table.reach(mover, a, 3, occupancy).costs == twin.reach(mover, a, 3, occupancy).costs


def test_a_change_that_is_taken_back_gives_the_table_from_before():
    table = board().placing("wood", (0,)).clearing("wood", (0,))  # the one that all such boards lead back to
    smoky = table.placing("smoke", (3, 4))
    assert smoky.clearing("smoke", (3, 4)) is table
    assert table.placing("smoke", (3,)).placing("smoke", (4,)) is smoky
    assert smoky.clearing("smoke", (3,)).masks_by_kind()["smoke"] == 1 << 4


def test_few_changed_tables_of_a_battlefield_are_kept():
    from dieselfront.table.square.board import KEPT_CHANGES

    table = board().placing("wood", (0,)).clearing("wood", (0,))
    for place in range(40):
        table.placing("smoke", (place,))
    assert len(table._family) <= KEPT_CHANGES
    assert table.placing("smoke", (7,)).clearing("smoke", (7,)) is table


@given(st.integers(0, 47), st.integers(0, 9))
def test_places_within_reach_as_a_mask(place, reach):
    table = board()
    assert table.within_mask(place, reach) == sum(1 << other for other in table.within(place, reach))
