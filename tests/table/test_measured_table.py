"""The table object itself: data, changes, errors, the same answers everywhere; its bench and its pictures."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dieselfront.table.measured import (
    Body,
    Chain,
    Disc,
    Facing,
    MeasuredTable,
    Opening,
    Piece,
    Places,
    Stand,
    TerrainKind,
    building,
    corner_arc,
    disc,
    flame_tape,
    house,
    hull,
    inches,
    mm,
    place_unit,
    polygon,
    reach,
    rectangle,
    road,
    round_base,
    sight,
    speed,
    teardrop,
    wall,
)
from dieselfront.table.measured.bench import bench_sight
from dieselfront.table.measured.index import AXES, LineIndex, axis_bits, axis_offset
from dieselfront.table.measured.kinds import HEDGE, HILL, HOUSE, MUD, ROAD, ROCK, STANDARD, WALL, WOOD
from dieselfront.table.measured.svg import Drawing, draw

MAN = round_base(25)
PIECES = [
    polygon("wood", WOOD, [(520, 140), (700, 110), (790, 220), (600, 300), (740, 360), (500, 390)]),
    rectangle("hill", HILL, 1300, 80, 330, 230),
    road("road", ROAD, [(0, 640), (700, 620), (1100, 760), (1800, 740)], 90),
    house("farm", HOUSE, 980, 380, 220, 150, 2),
    wall("wall", WALL, [(960, 560), (1230, 560), (1230, 400)]),
    disc("crater", STANDARD["crater"], 700, 760, mm(45)),
    Piece("marked", HEDGE, [[(100, 100), (200, 100), (200, 110), (100, 110)]], traits=("anti-tank",)),
]
TABLE = MeasuredTable(1800, 1200, PIECES)


# -- data and changes ---------------------------------------------------------------------------------------


def test_a_table_comes_back_from_its_data_unchanged():
    again = MeasuredTable.from_data(TABLE.to_data(), STANDARD)
    assert again == TABLE and hash(again) == hash(TABLE)
    assert again.piece("marked").traits == ("anti-tank",)
    assert again.piece("farm").openings == TABLE.piece("farm").openings
    assert pickle.loads(pickle.dumps(TABLE)) == TABLE


def test_changing_terrain_gives_a_new_table_and_leaves_the_old_one_alone():
    more = TABLE.with_piece(rectangle("mud", MUD, 10, 10, 100, 100))
    assert len(more.pieces) == len(TABLE.pieces) + 1 and more != TABLE
    assert more.without_piece("mud") == TABLE
    flat = TABLE.with_piece(rectangle("hill", MUD, 1300, 80, 330, 230))
    assert flat.ground(1400, 200) == 0 and TABLE.ground(1400, 200) == 60
    assert [piece.id for piece in flat.pieces] == [piece.id for piece in TABLE.pieces]


def test_pieces_know_how_much_of_a_model_is_in_them():
    mud = rectangle("mud", MUD, 500, 500, 100, 100)
    grades = [mud.stand(Body(MAN, x, 550)) for x in (487, 488, 499, 500, 512, 513)]
    assert grades == [Stand.OUT, Stand.TOUCH, Stand.TOUCH, Stand.CENTRE, Stand.CENTRE, Stand.WHOLLY]
    notched = polygon(
        "u", MUD, [(0, 0), (300, 0), (300, 200), (160, 200), (160, 100), (140, 100), (140, 200), (0, 200)]
    )
    assert notched.stand(Body(hull(80, 80), 150, 140)) is Stand.TOUCH
    assert notched.stand(Body(hull(80, 80), 150, 50)) is Stand.WHOLLY
    assert notched.stand(Body(hull(200, 60), 120, 150)) is Stand.CENTRE  # all corners inside, the notch between them
    assert not notched.overlaps(Body(hull(20, 80), 150, 150)) and notched.overlaps(Body(hull(22, 80), 150, 150))


def test_what_stands_where_is_told_in_table_order():
    table = MeasuredTable(600, 600, [rectangle("a", MUD, 0, 0, 300, 300), rectangle("b", WOOD, 200, 200, 200, 200)])
    assert [(piece.id, grade) for piece, grade in table.standing(Body(MAN, 205, 250))] == [
        ("a", Stand.WHOLLY),
        ("b", Stand.CENTRE),
    ]
    assert [piece.id for piece in table.pieces_at(2000, 2000)] == ["a", "b"]
    assert table.pieces_at(5000, 5000) == []


def test_a_model_on_the_edge_is_on_the_table_and_one_over_it_is_not():
    assert TABLE.contains(Body(round_base(20), 10, 10)) and not TABLE.contains(Body(round_base(20), 9, 10))
    assert TABLE.contains(Body(hull(60, 100), 1770, 50)) and not TABLE.contains(Body(hull(60, 100), 1770, 50, 45))


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: MeasuredTable(0, 100), "expected sides from 1 to 3200 mm"),
        (lambda: MeasuredTable(100, 4000), "expected sides from 1 to 3200 mm"),
        (lambda: MeasuredTable(100, 100, [PIECES[0], PIECES[0]]), "same id"),
        (lambda: MeasuredTable(100, 100, [rectangle("far", MUD, 5000, 0, 10, 10)]), "'far' lies far off the table"),
        (lambda: wall("w", WALL, [(0, 0)]), "at least two points"),
        (lambda: road("r", ROAD, [(0, 0)]), "at least two points"),
        (lambda: wall("w", WALL, [(5, 5), (5, 5)]), "are the same"),
        (lambda: Piece("p", WOOD, []), "has no outline"),
        (lambda: building("b", TerrainKind("x", "X"), [(0, 0), (9, 0), (9, 9)], 2, 0), "needs a height"),
        (lambda: TABLE.stand_inside(MAN, "farm", 2, 1000, 400), "floors 0 to 1, not 2"),
        (lambda: Drawing(TABLE, unit="feet"), "'in' or 'cm'"),
    ],
)
def test_bad_terrain_is_refused_in_one_clear_sentence(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_unknown_pieces_and_kinds_are_named():
    with pytest.raises(KeyError, match="no terrain piece 'nowhere'"):
        TABLE.piece("nowhere")
    with pytest.raises(ValueError, match="unknown kind 'hill'"):
        MeasuredTable.from_data(TABLE.to_data(), {"wood": WOOD, "mud": MUD})


def test_openings_have_middles_and_lie_in_walls():
    assert Opening((0, 10), (30, 10)).middle == (150, 100)
    assert all(opening.is_door == (opening.floor == 0) for opening in TABLE.piece("farm").openings)


# -- the same everywhere ------------------------------------------------------------------------------------

SCENE = """
import hashlib, sys
from dieselfront.table.measured import *
from dieselfront.table.measured.bench import sample_table, sample_lines
from dieselfront.table.measured.kinds import *
from dieselfront.table.measured import speed
from dieselfront.table.measured.svg import draw
if sys.argv[1] == "compiled":
    speed.use_compiled()
table = sample_table(40).with_piece(rectangle("wood", WOOD, 300, 300, 300, 300)).with_piece(
    house("farm", HOUSE, 980, 380, 220, 150, 2))
law = Places(table, ["rock", "house"])
man, seen, units = round_base(25), [], []
for ax, ay, bx, by in sample_lines(60).tolist():
    unit = place_unit(man, 6, ax, ay, law, Chain(inches(1)), heading=ax % 360)
    if unit:
        units.append(unit)
        tank = table.stand(hull(60, 110), bx, by, by % 360, "tank")
        seen.append([repr(sight(table, body, tank, SightRules(area_depth=inches(4)))) for body in unit])
        seen.append([table.is_clear(body.x, body.y, bx, by) for body in unit])
        seen.append([distance(body, tank) for body in unit] + [facing_shot_at(tank, unit[0])])
found = reach(table, units[0][0], inches(12), Going({"rock": 0, "wood": 2, "house": 0}), [Keep(units[1][0], inches(1))])
drives = [(d.end.x, d.end.y, d.end.heading) for d in drive_reach(table, tank, inches(9), 1, Going({"rock": 0}))]
clear = table.are_clear(sample_lines(500)).tolist()
spots = [[(b.x, b.y) for b in unit] for unit in units]
picture = draw(table, [(0, "A", units[0]), (1, "B", [tank])], [(tank, sight(table, units[0][0], tank))], found)
print(hashlib.sha256(repr((seen, spots, found.spots, found.outline(), drives, clear, picture)).encode()).hexdigest())
"""


def test_every_answer_is_the_same_with_another_hash_seed_and_with_compiled_code():
    modes = [("0", "pure"), ("1", "pure"), ("4711", "compiled" if speed.is_available() else "pure")]
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", SCENE, mode],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed, mode in modes
    ]
    digests = {run.communicate(timeout=60)[0].strip() for run in runs}
    assert len(digests) == 1 and len(digests.pop()) == 64


# -- bench and pictures -------------------------------------------------------------------------------------


def test_the_bench_reports_both_sides_and_their_ratio():
    found = bench_sight(seconds=0.02, count=50)
    assert {"sight one", "sight batch", "sight one, pure", "sight batch, pure"} <= set(found)
    for entry in found.values():
        assert set(entry) == {"ours", "peer", "ratio", "unit"} and float(entry["ratio"]) > 0


def a_picture():
    unit = place_unit(MAN, 5, 360, 520, Places(TABLE, ["house"]), Chain(inches(1)))
    assert unit is not None
    tank = TABLE.stand(hull(65, 115), 800, 500, 70, "tank")
    drawing = Drawing(TABLE, "Farm <turn 3> & 'more'")
    drawing.zone([(0, 0), (150, 0), (150, 1200), (0, 1200)], "blue").reach(reach(TABLE, unit[0], inches(6)))
    drawing.arc(tank, corner_arc(Facing.FRONT), inches(24)).facings(tank).models(unit, 0, "Rifles").model(tank, 1, "T1")
    drawing.sight(tank, sight(TABLE, unit[0], tank)).template(Disc(900, 900), "blast").marker(50, 50, "A")
    drawing.template(flame_tape((100, 900), (200, 900))).template(teardrop((300, 900), 90, inches(8), inches(3)))
    return drawing.path([(800, 500), (850, 450)], "way").tape(unit[0], tank, 1234).side(0, "Blue").side(1, "Red").svg()


def test_a_picture_is_sound_svg_with_terrain_models_lines_and_scale():
    root = ElementTree.fromstring(a_picture())
    name = "{http://www.w3.org/2000/svg}"
    words = [element.text for element in root.iter(f"{name}text")]
    for expected in (
        "Rifles",
        "T1",
        "blast",
        "front",
        '12"',
        "10 cm",
        "Wood",
        "Farm <turn 3> & 'more'",
        'in reach, up to 6"',
    ):
        assert expected in words
    patterns = {element.get("id") for element in root.iter(f"{name}pattern")}
    assert {"wood", "hedge", "house", "reach"} <= patterns and "swamp" not in patterns
    used = {value[5:-1] for element in root.iter() for value in element.attrib.values() if value.startswith("url(#")}
    assert used <= {element.get("id") for element in root.iter()}


def test_a_picture_in_one_call_and_in_centimetres():
    text = draw(TABLE, [(0, "A", [TABLE.stand(hull(60, 100), 400, 400)])], unit="cm", title="Metric")
    assert "rear" in text and ">180<" in text and ElementTree.fromstring(text).tag.endswith("svg")


def test_every_standard_kind_has_its_own_look():
    looks = set()
    for kind in STANDARD.values():
        table = MeasuredTable(400, 400, [Piece("x", kind, [[(100, 100), (300, 100), (300, 300), (100, 300)]])])
        text = Drawing(table).svg().replace(kind.name, "").replace(kind.id, "")
        looks.add(text)
    assert len(looks) == len(STANDARD)


def test_rocks_block_and_hedges_only_up_to_their_height():
    assert ROCK.height > HEDGE.height and HILL.is_hill and "infantry" not in WOOD.going


@given(st.lists(st.tuples(st.integers(0, 1700), st.integers(0, 1100), st.integers(1, 99)), max_size=6))
def test_rows_of_masks_hold_what_has_begun_and_what_has_not_ended(boxes):
    polygons = [((10 * x, 10 * y), (10 * (x + a), 10 * y), (10 * (x + a), 10 * (y + a))) for x, y, a in boxes]
    for (kx, ky), (starts, ends) in zip(AXES, LineIndex(polygons).rows, strict=True):
        bits, offset = axis_bits(kx, ky), axis_offset(kx, ky)
        spans = [[(kx * x + ky * y + offset) >> bits for x, y in polygon] for polygon in polygons]
        for cell in range(0, len(starts), 7):
            assert starts[cell] == sum(1 << n for n, span in enumerate(spans) if min(span) <= cell)
            assert ends[cell] == sum(1 << n for n, span in enumerate(spans) if max(span) >= cell)
