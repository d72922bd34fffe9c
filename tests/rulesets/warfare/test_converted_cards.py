"""No card of Dust Warfare was ever printed: a converted card says so wherever it is shown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dieselfront import cli
from dieselfront.forces import families
from dieselfront.forces.armies import starter_armies
from dieselfront.forces.sheet import Sheet, print_army
from dieselfront.rulesets.warfare import RULESET
from dieselfront.scenarios import battle

SAYS_SO = "converted from the Battlefield card"


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["dieselfront", *words])
    try:
        cli.main()
    except SystemExit as stop:
        assert not stop.code


def test_every_shipped_card_says_so_on_its_face_and_in_its_document():
    game = families.family("warfare")
    for card in RULESET.all_cards().values():
        assert SAYS_SO in game.face(card).origin and SAYS_SO in str(game.document(card)), card.id


def test_a_card_that_somebody_wrote_does_not():
    card = next(iter(RULESET.all_cards().values()))
    assert msgspec.structs.replace(card, conversion="").origin == ""


def test_cards_show_and_cards_list_say_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    run(monkeypatch, "cards", "show", "-r", "warfare", "allies-gunners")
    assert SAYS_SO in " ".join(capsys.readouterr().out.split())
    run(monkeypatch, "cards", "list", "-r", "warfare", "gunners")
    listed = capsys.readouterr()
    assert SAYS_SO in listed.err and all("gunners" in line.lower() for line in listed.out.splitlines())


def test_the_printed_list_says_so_under_every_unit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    pytest.importorskip("fpdf")
    written: list[str] = []
    draw = Sheet.text

    def text(self: Any, x: float, y: float, words: str, *more: Any, **named: Any) -> Any:
        written.append(words)
        return draw(self, x, y, words, *more, **named)

    monkeypatch.setattr(Sheet, "text", text)
    army = starter_armies()["warfare-starter-allies"]
    print_army(army, tmp_path / "list.pdf")
    assert sum(SAYS_SO in words for words in written) == len(army.units)


def test_every_unit_on_the_table_says_so():
    armies = battle.starters("warfare")
    game = battle.start(battle.header("warfare", "crossroads", armies[:2], seed="1"), "1")
    assert all(SAYS_SO in unit["origin"] for unit in RULESET.view(game.state)["units"])
