"""Making, changing, comparing and drawing square tables; terrain files (d47.setup.board)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dieselfront.table.square import (
    BoardBuilder,
    Column,
    Occupancy,
    SquareTable,
    TableError,
    Wall,
    kinds_from,
    load_kinds,
)
from table.square_kit import KINDS, NOBODY, SQUAD, at, board, named


@pytest.mark.rule("d47.setup.board")
def test_a_scenario_of_two_mats_is_one_grid_with_exactly_its_terrain() -> None:
    table = board("rubble at C4, K2", "silo from H5 to I6", width=18, height=6)
    assert (table.width, table.height, len(table.places())) == (18, 6, 108)
    assert named(table, table.squares_with("rubble")) == ["K2", "C4"]
    assert named(table, table.squares_with("silo")) == ["H5", "I5", "H6", "I6"]


# --- changes give new tables ---


def test_placing_and_clearing_leave_the_old_table_alone() -> None:
    old = board("silo at C4")
    d4 = old.square("D4")
    new = old.placing("smoke", [d4])
    assert old.features(d4) == () and new.features(d4) == ("smoke",)
    assert new.clearing("smoke", [d4]) == old
    assert new != old and hash(new.clearing("smoke", [d4])) == hash(old)


def test_placing_what_is_there_and_clearing_what_is_not_change_nothing() -> None:
    table = board("silo at C4")
    assert table.placing("silo", [table.square("C4")]) is table
    assert table.clearing("smoke", [table.square("C4")]) is table


def test_an_edge_can_be_built_changed_and_torn_down() -> None:
    table = board()
    a, b = table.square("A1"), table.square("B1")
    walled = table.with_edge(b, a, Wall())
    assert walled.wall(a, b) == walled.wall(b, a) == Wall()
    assert not walled.can_step(SQUAD, a, b, NOBODY) and not walled.sight(a, b).visible
    assert walled.with_edge(a, b, None) == table
    assert walled.with_edge(a, b, None).sight(a, b).visible


def test_movement_follows_changes_of_terrain() -> None:
    table = board(width=3, height=1)
    assert named(table, table.reach(SQUAD, 0, 2, NOBODY)) == ["A1", "B1", "C1"]
    blocked = table.placing("silo", [1])
    assert named(blocked, blocked.reach(SQUAD, 0, 2, NOBODY)) == ["A1"]
    smoky = blocked.placing("smoke", [1])
    assert named(smoky, smoky.reach(SQUAD, 0, 2, NOBODY)) == ["A1"]
    cleared = smoky.clearing("silo", [1])
    assert named(cleared, cleared.reach(SQUAD, 0, 2, NOBODY)) == ["A1", "B1", "C1"]


def test_bad_changes_are_refused_and_change_nothing() -> None:
    table = board()
    key = table.key()
    with pytest.raises(TableError, match="'lava' on A1 is not a terrain kind"):
        table.placing("lava", [0])
    with pytest.raises(TableError, match="There is no square 999"):
        table.placing("smoke", [0, 999])
    with pytest.raises(TableError, match="needs two squares side by side, not A1 and C1"):
        table.with_edge(0, 2, Wall())
    assert table.key() == key and table.features(0) == ()


def test_equal_content_is_an_equal_table_however_it_was_made() -> None:
    one = board("silo at C4", "rubble at D4")
    other = board("rubble at D4").placing("silo", [one.square("C4")])
    assert one == other and one.key() == other.key() and hash(one) == hash(other)
    assert one != board("silo at C4")
    assert one != "a table"


def test_a_table_survives_being_written_down() -> None:
    table = board(
        "building from B2 to D4 with 2 floors, door on south of C4",
        "plinth at F6",
        "low wall along east of G2 to G5",
        "smoke at A1, B2",
    )
    data = json.loads(json.dumps(table.to_plain()))
    assert SquareTable.from_plain(data, KINDS) == table


@pytest.mark.parametrize(
    "data, message",
    [
        ({"width": 3}, "not as expected"),
        ({"width": 3, "height": 3, "colour": 1}, "colour"),
        ({"width": 3, "height": 3, "features": {"Z9": ["silo"]}}, "Z9 is off the 3 by 3 board"),
        ({"width": 3, "height": 3, "walls": [{"between": ["A1", "C1"]}]}, "side by side"),
        ({"width": 3, "height": 3, "walls": [{"between": ["A1", "B1"], "kind": "thin"}]}, "thin"),
    ],
)
def test_wrong_table_data_is_refused(data: dict[str, object], message: str) -> None:
    with pytest.raises(TableError, match=message):
        SquareTable.from_plain(data, KINDS)


def test_impossible_boards_are_refused() -> None:
    with pytest.raises(TableError, match="at least one square each way, not 0 by 5"):
        SquareTable(0, 5, KINDS)
    with pytest.raises(TableError, match="off the board"):
        SquareTable(3, 3, KINDS, columns={(3, 0): Column(1)})


# --- building by hand ---


def test_rows_of_symbols_draw_a_board() -> None:
    table = BoardBuilder(4, 2, KINDS).rows(["S..r", ".tt."]).build()
    assert named(table, table.squares_with("trees")) == ["B2", "C2"]
    assert table == BoardBuilder(4, 2, KINDS).rows("S..r\n.tt.").build()
    assert table.ascii().split("\n") == ["     A  B  C  D", "  1  S  .  .  r", "  2  .  t  t  ."]


def test_pieces_in_words_and_by_hand_are_the_same() -> None:
    words = board("building from B2 to D4 with 2 floors, window on east of D3+1, door on south of C4, no roof")
    hand = BoardBuilder(12, 9, KINDS)
    openings = [("east", "D3+1", "small"), ("south", "C4", "small")]
    hand.building("B2-D4", floors=2, roof=False, openings=openings)  # type: ignore[arg-type]
    assert words == hand.build()
    assert words.wall(words.square("C4"), words.square("C5")) == Wall("high", "small")
    assert words.wall(words.square("C4"), words.square("C3")) is None
    assert words.levels == 2 and not words.is_indoor(words.square("C5"))


@pytest.mark.parametrize(
    "text, message",
    [
        ("lava at C4", "'lava' is not a terrain kind"),
        ("rubble", "is not a piece of terrain; expected for instance"),
        ("rubble at Z9", "Z9 is off the board"),
        ("rubble at C4x", "is not a square"),
        ("wall between A1 and C1", "two squares side by side"),
        ("wall between A1 and B1 with tiny opening", "is not an opening"),
        ("building from B2 to D4 with 0 floors", "at least 1 floor"),
        ("building from B2 to D4, chimney on south of C4", "is not understood"),
        ("building from B2 to D4, door on south of G7", "is not in the building"),
        ("low wall along up of B2", "is not a side"),
    ],
)
def test_pieces_that_make_no_sense_are_refused_with_their_text(text: str, message: str) -> None:
    with pytest.raises(TableError, match=message) as error:
        board(text)
    assert repr(text) in str(error.value)


def test_drawings_of_the_wrong_size_or_with_strange_symbols_are_refused() -> None:
    with pytest.raises(TableError, match="has 1 rows; expected 2"):
        BoardBuilder(3, 2, KINDS).rows(["..."])
    with pytest.raises(TableError, match="Row 2 of the drawing has 2 squares"):
        BoardBuilder(3, 2, KINDS).rows(["...", ".."])
    with pytest.raises(TableError, match="Row 1, column B: no terrain has the symbol '%'"):
        BoardBuilder(3, 2, KINDS).rows([".%.", "..."])


def test_squares_are_described_in_words() -> None:
    table = board("rubble at C4", "wall between C4 and D4 with small opening", "low wall along north of C4")
    assert table.describe(table.square("C4")) == (
        "C4: rubble; low wall to the north; high wall with a small opening to the east"
    )
    assert table.describe(table.square("A1")) == "A1: open ground"


def test_a_drawing_shows_walls_and_marks() -> None:
    table = board("wall between A1 and B1", "low wall between A1 and A2", width=2, height=2)
    assert table.ascii({table.square("B2"): "X"}).split("\n") == [
        "     A  B",
        "  1  .| .",
        "    ~~",
        "  2  .  X",
    ]


# --- terrain files ---


def test_terrain_kinds_load_from_yaml(tmp_path: Path) -> None:
    file = tmp_path / "terrain.yaml"
    file.write_text("- {name: bog, halves: true, symbol: b}\n- {name: rock, sight: all, corner: true}\n")
    kinds = load_kinds(file)
    assert list(kinds) == ["bog", "rock"]
    assert kinds["bog"].halves and kinds["rock"].sight == "all"


@pytest.mark.parametrize(
    "data, message",
    [
        ([{"halves": True}], "book.yaml: entry 1: name: missing"),
        ({"bog": {"sight": "some"}}, "book.yaml: bog: sight: Invalid enum value 'some'"),
        ({"bog": {"colour": "red"}}, "book.yaml: bog: colour: unknown field; expected one of name, sight"),
        ({"bog": {"halves": "yes"}}, "book.yaml: bog: halves: Expected `bool`, got `str`"),
        ({"bog": {"passable": ["cats"]}}, "book.yaml: bog: passable: unknown mover 'cats'"),
        ({"bog": {"height": -1}}, "book.yaml: bog: height: expected 0 or more"),
        ({"bog": {"climb": True}}, "book.yaml: bog: climb: needs a height"),
        ({"bog": {"symbol": "bog"}}, "book.yaml: bog: symbol: expected one character"),
        ([{"name": "bog"}, {"name": "bog"}], "book.yaml: bog: defined twice"),
        ("bog", "book.yaml: expected a list of terrain kinds"),
        ({"bog": 3}, "book.yaml: bog: expected fields"),
    ],
)
def test_wrong_terrain_is_refused_naming_file_kind_and_field(data: object, message: str) -> None:
    with pytest.raises(TableError) as error:
        kinds_from(data, where="book.yaml")
    assert message in str(error.value)


def test_missing_and_broken_terrain_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="cannot read the terrain file"):
        load_kinds(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_text("[unclosed")
    with pytest.raises(TableError, match="not valid YAML"):
        load_kinds(tmp_path / "bad.yaml")


# --- the same everywhere ---

SCRIPT = """
import hashlib, sys
sys.path.insert(0, {folder!r})
from table.square_kit import *
house = "building from B2 to D4 with 2 floors, door on south of C4"
table = board(house, "silo at F5", "trees at G3, H3", "mines at E7")
text = repr(table.key())
units = Occupancy(enemies=at(table, "G6 F7"), friends=at(table, "E5"))
for mover, start in ((SQUAD, table.square("E6")), (FLYERS, table.square("E6")), (LARGE_TANK, (table.square("E6"), 0))):
    found = table.reach(mover, start, 5, units)
    text += repr([(end, found[end], found.path(end), found.hazards(end)) for end in found])
text += repr([table.sight(a, b, blockers=at(table, "G6")) for a in table.places() for b in table.places()[::7]])
print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_answers_do_not_depend_on_the_hash_seed() -> None:
    script = SCRIPT.format(folder=str(Path(__file__).resolve().parent.parent))
    prints = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(prints) == 1


def test_equal_tables_made_twice_share_what_they_have_worked_out() -> None:
    one, other = (board("silo at C4", "rubble at A9") for _ in range(2))
    assert one is not other
    assert one.sight(0, 50) is other.sight(0, 50)


def test_occupancy_counts_friendly_vehicles_as_friends() -> None:
    table = board(width=3, height=1)
    assert Occupancy(friend_vehicles=at(table, "B1")).friends == at(table, "B1")
