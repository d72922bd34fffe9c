"""Printed sheets: every unit is on them, pages fill up, the same list gives the same file."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fpdf")

from dieselfront.forces import ForcesError, dust_catalogue
from dieselfront.forces.armies import Army, ArmyUnit, starter_armies
from dieselfront.forces.random_army import random_army
from dieselfront.forces.sheet import BOTTOM, LEFT, RIGHT, Sheet, print_army

UNKNOWN = "great-britain-machine-gun-team"
"""A card with a rule that nobody knows."""


@pytest.fixture
def strokes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, float, str, float]]:
    """Everything written on the sheet: x, y, words and width."""
    seen: list[tuple[float, float, str, float]] = []
    write = Sheet.text

    def noted(self: Sheet, x: float, y: float, words: str, size: float, style: str = "") -> None:
        seen.append((x, y, words, self.width(words, size, style)))
        write(self, x, y, words, size, style)

    monkeypatch.setattr(Sheet, "text", noted)
    return seen


@pytest.mark.parametrize("name", sorted(starter_armies()))
def test_starter_armies_print_on_a_few_pages(name: str, tmp_path: Path) -> None:
    pages = print_army(starter_armies()[name], tmp_path / "list.pdf")
    assert pages == 2
    assert (tmp_path / "list.pdf").read_bytes().startswith(b"%PDF")


def test_every_unit_and_weapon_is_on_the_sheet(strokes: list[tuple[float, float, str, float]], tmp_path: Path) -> None:
    army = starter_armies()["dust1947-ssu"]
    print_army(army, tmp_path / "list.pdf")
    words = {stroke[2] for stroke in strokes}
    for unit in army.units:
        card = dust_catalogue()[unit.card]
        assert card.name in words
        assert all(weapon.name in words or f"{weapon.count}x {weapon.name}" in words for weapon in card.weapons)


def test_nothing_is_written_beyond_the_margins(strokes: list[tuple[float, float, str, float]], tmp_path: Path) -> None:
    for seed in range(3):
        print_army(random_army("dust1947", 200, seed), tmp_path / "dust.pdf")
        print_army(random_army("konflikt47", 1500, seed), tmp_path / "konflikt.pdf")
    for x, y, words, width in strokes:
        assert x >= LEFT and x + width <= RIGHT + 0.5, words
        assert 0 < y < BOTTOM + 10, words


def test_the_same_list_gives_the_same_file(tmp_path: Path) -> None:
    army = starter_armies()["dust1947-axis"]
    print_army(army, tmp_path / "a.pdf")
    print_army(army, tmp_path / "b.pdf")
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_an_unknown_rule_is_marked_on_the_sheet(strokes: list[tuple[float, float, str, float]], tmp_path: Path) -> None:
    print_army(Army("konflikt47", "A", 99, (ArmyUnit(UNKNOWN),), nation="Great Britain"), tmp_path / "a.pdf")
    print_army(Army("dust1947", "A", 20, (ArmyUnit("axis-geist"),), bloc="Axis"), tmp_path / "b.pdf")
    assert any("Machine Gun Team [rule unknown, no effect]" in stroke[2] for stroke in strokes)
    assert any("Radar" in stroke[2] and "unknown" not in stroke[2] for stroke in strokes)


def test_letters_the_font_lacks_do_no_harm(tmp_path: Path) -> None:
    unit = ArmyUnit("allies-pounder", name="戦車 – “Tank”")
    assert print_army(Army("dust1947", "Имя", 20, (unit,), bloc="Allies"), tmp_path / "a.pdf") == 1


def test_an_empty_list_is_not_printed(tmp_path: Path) -> None:
    with pytest.raises(ForcesError, match="nothing to print"):
        print_army(Army("dust1947", "A", 20), tmp_path / "a.pdf")


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ForcesError, match="cannot be written"):
        print_army(starter_armies()["dust1947-axis"], tmp_path / "none" / "a.pdf")
