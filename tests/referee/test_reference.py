"""The reference on docs/referee.md is what the code says; `rules options` prints what the referee takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dieselfront import players, rulebook, rulesets
from dieselfront.kernel.record import new_game
from dieselfront.referee.contract import adaptor_for
from dieselfront.referee.reference import decisions, reference
from dieselfront.scenarios import battle, library

ROOT = Path(__file__).parents[2]
GAMES = ("dust1947", "freeform1947", "konflikt47", "warfare")


def test_the_page_is_as_the_tool_writes_it():
    page = (ROOT / "docs" / "referee.md").read_text("utf-8")
    written = page.partition("<!-- reference -->\n")[2].partition("\n<!-- end of reference -->")[0]
    assert written == reference(), "run tools/referee_reference.py"


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_decision_of_random_games_is_on_the_page(ruleset):
    known = {asked.key for asked in decisions(ruleset)}
    patterns = [re.compile(re.escape(key).replace("…", ".+")) for key in known]
    board = library.find(library.names(ruleset)[0], ruleset)
    forces = [battle.army(one, ruleset) for one in battle.starters(ruleset)[:2]]
    header = battle.header(ruleset, board, forces, seed="r", seats=["Ann", "Bob"], options={}, salt="")
    game = new_game(rulesets.load(ruleset), header, "r")
    player = players.make("random", "r", ruleset)
    while game.pending is not None and len(game.choices) < 250:
        assert any(pattern.fullmatch(game.pending.key) for pattern in patterns), game.pending.key
        game.choose(player.choose(game))


def test_every_word_of_an_aim_that_the_code_asks_for_is_explained():
    words = set()
    for name in ("dust1947", "freeform1947"):
        for file in (ROOT / "src" / "dieselfront" / "rulesets" / name).rglob("*.py"):
            words |= set(re.findall(r"""(?:aimed\(|detail\(\w+(?:\.aim)?, )"(\w+)\"""", file.read_text("utf-8")))
    assert words and words <= set(adaptor_for("freeform1947").aim_words)


def test_every_trait_that_the_code_asks_for_is_explained():
    words = set()
    for file in (ROOT / "src" / "dieselfront" / "rulesets" / "konflikt47").glob("*.py"):
        words |= set(re.findall(r'"([\w-]+)" (?:not )?in (?:\w+\.)?traits', file.read_text("utf-8")))
    assert words and words <= set(adaptor_for("konflikt47").traits)


@pytest.mark.parametrize("ruleset", GAMES)
def test_options_of_the_book_are_those_that_the_game_takes(ruleset):
    taken = rulesets.load(ruleset).options
    listed = {option.name: option for option in rulebook.load(ruleset).options if option.name in taken}
    assert set(listed) == set(taken)
    for name, choices in taken.items():
        assert [choice.id for choice in listed[name].choices] == list(choices)
        assert listed[name].default == next(iter(choices))


def test_the_room_names_no_game():
    words = re.compile("|".join([*rulesets.names(), "Dust", "Konflikt", "Freeform"]))
    rooms = [ROOT / "src/dieselfront/referee", ROOT / "src/dieselfront/server/sight_lines.py"]
    files = [file for room in rooms for file in (room.glob("*.py") if room.is_dir() else [room])]
    assert len(files) > 15
    assert not [file.name for file in files if words.search(file.read_text("utf-8"))]
