"""Matrices of real cards, and pictures of odds."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from dieselfront.forces import dust_catalogue
from dieselfront.odds import OddsError, plot
from dieselfront.odds.matrix import matrix
from dieselfront.rulesets.dust1947.odds import attack as dust
from odds.cards import RULES, squad, weapon

RIFLES = squad(weapon("Rifle", 2), weapon("Knife", 1, reach=0), men=3, name="Rifles")


def test_a_matrix_has_a_cell_for_every_pair() -> None:
    cards = [card for card in dust_catalogue() if card.kind == "infantry" and card.points]
    found = matrix(RULES, cards[:6], cards[6:12])
    assert len(found.cells) == 6 and all(len(row) == 6 for row in found.cells)
    cell = found.cells[0][0]
    assert cell is not None
    single = dust.plans(RULES, cards[0], cards[6])
    assert single and 0.0 <= cell.destroyed <= 1.0
    assert cell.worth == pytest.approx(cell.expected / single[0].plan.capacity * cards[6].points / cards[0].points)
    assert found.to_json()["columns"][0]["id"] == cards[6].id


def test_a_matrix_by_weapon_has_a_row_for_each() -> None:
    found = matrix(RULES, [RIFLES], [RIFLES], by_weapon=True)
    assert [row.name for row in found.rows] == ["Rifles: Rifle", "Rifles: Knife"]
    ranged, close = found.cells[0][0], found.cells[1][0]
    assert ranged is not None and close is not None
    assert close.expected == pytest.approx(1.0)  # three knives, no saves in close combat
    assert ranged.plain and not close.plain


def drawn() -> plot.Picture:
    return plot.picture("A & B", "in the <open>", [plot.Panel("Lost", [0.25, 0.0, 0.75], "lost", True)])


def test_a_picture_is_well_formed_svg_with_a_bar_for_every_value(tmp_path: Path) -> None:
    plot.write(drawn(), tmp_path / "odds.svg")
    root = ET.parse(tmp_path / "odds.svg").getroot()
    names = [child.tag.rpartition("}")[2] for child in root]
    assert names.count("rect") == 4  # paper and three bars
    texts = [child.text for child in root if child.tag.endswith("text")]
    assert "A & B" in texts and "75.0%" in texts and "2 lost (all)" in texts


def test_a_picture_is_written_as_png_where_pillow_is_installed(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    plot.write(drawn(), tmp_path / "odds.png")
    assert (tmp_path / "odds.png").read_bytes().startswith(b"\x89PNG")


def test_other_kinds_of_pictures_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OddsError, match=r"\.svg or a \.png"):
        plot.write(drawn(), tmp_path / "odds.gif")
