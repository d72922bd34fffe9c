"""Card families: what every game's cards can do, asked of all of them alike."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from dieselfront import cli, rulebook, rulesets
from dieselfront.forces import ForcesError, armies, catalogue, families, schema
from dieselfront.forces.armies import Army, ArmyUnit, army_from, starter_armies
from dieselfront.forces.army_check import check_army, known_units
from dieselfront.forces.army_text import army_text, battlescribe_text, parse_text
from dieselfront.forces.battlescribe.match import import_roster
from dieselfront.forces.battlescribe.rosters import parse_roster
from dieselfront.forces.catalogue import check_file
from dieselfront.forces.families import family
from dieselfront.forces.random_army import random_army
from dieselfront.forces.suggest import suggest

GAMES = families.names()
HOMES = [one.ruleset for one in families.catalogued()]
STARTERS = starter_armies()
ROOT = Path(__file__).resolve().parents[2]


def test_every_game_of_the_house_has_cards() -> None:
    assert set(rulesets.names()) <= set(GAMES)
    assert {"battlefield", "dust1947", "freeform1947", "konflikt47", "warfare"} <= set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_playable_ruleset_offers_its_own_family(game: str) -> None:
    if game not in rulesets.names():
        pytest.skip(f"{game} cannot be played yet")
    assert rulesets.load(game).cards is family(game)
    assert rulesets.load(game).cards.ruleset == game


@pytest.mark.parametrize("game", GAMES)
def test_no_game_hands_out_cards_of_another(game: str) -> None:
    for card in catalogue(game):
        assert card.ruleset == family(game).home
        assert family(card.ruleset).home == family(game).home


def test_games_that_share_cards_share_one_catalogue() -> None:
    assert catalogue("freeform1947") is catalogue("dust1947")
    assert families.sharing("dust1947") == ("dust1947", "freeform1947")
    assert catalogue("warfare") is not catalogue("battlefield") is not catalogue("dust1947")


def test_an_unknown_game_is_refused_with_the_nearest() -> None:
    with pytest.raises(ForcesError, match="did you mean konflikt47"):
        catalogue("konflict47")


@pytest.mark.parametrize("game", HOMES)
def test_every_card_has_a_face_of_the_right_shape(game: str) -> None:
    cards = family(game)
    for card in cards.catalogue:
        face = cards.face(card)
        columns = [name for group in face.columns for name in group]
        assert face.headline and face.price and face.figures, card.id
        assert all(len(weapon.cells) == len(columns) for weapon in face.weapons), card.id
        assert all(len(weapon.spoken) in (0, len(columns)) for weapon in face.weapons), card.id
        msgspec.json.encode(cards.document(card))
        assert cards.row(card)["points"] == cards.points(card)


@pytest.mark.parametrize("game", GAMES)
def test_random_armies_are_legal_and_the_same_for_the_same_seed(game: str) -> None:
    points = family(game).usual_points
    for seed in range(4):
        army = random_army(game, points, seed)
        assert check_army(army).ok
        assert army == random_army(game, points, seed)
        assert army.ruleset == game and army.side in family(game).catalogue.sides()


@pytest.mark.parametrize("name", STARTERS)
def test_starter_armies_are_legal_told_and_read_back(name: str) -> None:
    army = STARTERS[name]
    report = check_army(army)
    assert report.ok and not report.warnings, (name, report.errors, report.warnings)
    assert 0.8 * army.points < report.points <= army.points
    assert parse_text(army_text(army)) == army
    assert isinstance(suggest(army), tuple)


@pytest.mark.parametrize("name", STARTERS)
def test_lists_in_the_manner_of_battlescribe_are_imported_again(name: str) -> None:
    army = STARTERS[name]
    back = import_roster(parse_roster(battlescribe_text(army).encode(), f"{name}.txt"))
    assert back.army.ruleset == army.ruleset
    assert sorted(unit.card for unit in back.army.units) == sorted(unit.card for unit in army.units)
    assert not back.unmatched


@pytest.mark.parametrize("name", STARTERS)
def test_starter_armies_print(name: str, tmp_path: Path) -> None:
    pytest.importorskip("fpdf")
    from dieselfront.forces.sheet import print_army

    assert print_army(STARTERS[name], tmp_path / "army.pdf") >= 1


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_three_starter_armies(game: str) -> None:
    assert len([name for name, army in STARTERS.items() if army.ruleset == game]) >= 3


@pytest.mark.parametrize("game", GAMES)
def test_an_army_beyond_its_points_is_no_legal_list(game: str) -> None:
    army = random_army(game, family(game).usual_points, 1)
    assert not check_army(msgspec.structs.replace(army, points=1)).ok


@pytest.mark.parametrize("game", GAMES)
def test_unknown_cards_and_options_are_named(game: str) -> None:
    card = next(iter(catalogue(game))).id
    units = (ArmyUnit("nobody-at-all"), ArmyUnit(card, options={"no-such-thing": 1}))
    report = check_army(Army(game, "x", 1000, units))
    messages = " ".join(fault.message for fault in report.errors)
    assert "nobody-at-all" in messages and "no-such-thing" in messages
    assert known_units(Army(game, "x", 1000, units)) == ()


@pytest.mark.parametrize("game", HOMES)
def test_a_homebrew_file_changes_a_card_of_its_own_game_only(game: str, home: Path) -> None:
    card = next(iter(catalogue(game)))
    path = home / "cards" / "mine.json"
    path.write_text(json.dumps({"ruleset": game, "cards": [{"id": card.id, "name": "Changed"}]}), encoding="utf-8")
    families.forget()
    assert catalogue(game)[card.id].name == "Changed"
    for other in HOMES:
        if other != game and card.id in catalogue(other).cards:
            assert catalogue(other)[card.id].name != "Changed"
    cards, errors = check_file(path)
    assert [one.name for one in cards] == ["Changed"] and not errors


def test_a_file_for_no_game_is_told_which_there_are(home: Path) -> None:
    path = home / "cards" / "mine.json"
    path.write_text('{"ruleset": "chess", "cards": []}', encoding="utf-8")
    _, errors = check_file(path)
    assert errors[0].field == "ruleset" and "konflikt47, warfare" in errors[0].message


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "cards").mkdir()
    monkeypatch.setenv("DIESELFRONT_HOME", str(tmp_path))
    families.forget()
    yield tmp_path
    monkeypatch.undo()
    families.forget()


def test_the_schema_of_cards_holds_every_format() -> None:
    formats = {one.file_type.__name__ for one in families.catalogued()}
    assert formats <= set(schema("cards")["$defs"])


def test_an_army_for_a_game_without_cards_is_refused() -> None:
    with pytest.raises(ForcesError, match="there is no ruleset 'chess'"):
        army_from({"ruleset": "chess", "name": "x", "points": 1})


def test_faults_of_lists_name_rules_that_exist() -> None:
    """Every rule id that a family names stands in a rulebook."""
    known = set(rulebook.all_ids())
    for path in (ROOT / "src/dieselfront").glob("rulesets/*/card_family.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.count(".") >= 2
            and " " not in node.value
        }
        assert {name for name in named if not name.startswith("dieselfront")} <= known, path


GENERAL = (
    *("src/dieselfront/cli/cards.py", "src/dieselfront/cli/army.py", "src/dieselfront/cli/schema.py"),
    *("src/dieselfront/server/routes/library.py", "src/dieselfront/server/routes/armies.py"),
    *("web/src/pages/Armies.svelte", "web/src/pages/Cards.svelte", "web/src/pages/NewBattle.svelte", "web/sw.js"),
)


def general_files() -> Iterator[Path]:
    """Files that serve every game: the Dust family's own modules are none of them."""
    yield from (ROOT / name for name in GENERAL)
    forces = ROOT / "src/dieselfront/forces"
    yield from (path for path in forces.rglob("*.py") if not path.name.startswith(("dust", "crews", "__init__")))
    for folder in ("web/src/armies", "web/src/cards"):
        yield from (path for path in (ROOT / folder).iterdir() if ".test." not in path.name)


def test_general_files_name_no_game_and_no_family() -> None:
    names = [*rulebook.names(), "Konflikt", "DustCard", "WarfareCard", "dust_catalogue"]
    words = re.compile("|".join(names))
    for path in general_files():
        lines = path.read_text(encoding="utf-8").splitlines()
        named = [line for line in lines if words.search(line)]
        assert named == [], path


TINY = {
    "rulebook.yaml": """\
ruleset: tiny
name: Tiny Skirmish
prefix: tiny
table: squares
version: '1'
rules:
- id: tiny.skill.brave
  title: Brave
  text: Brave units never run.
""",
    "card_family.py": '''\
"""The cards of the tiny game."""
import msgspec
from dieselfront.forces.card_face import CardFace, Figure
from dieselfront.forces.family import CardFamily
from dieselfront.forces.skills import SkillRef, read_skill


class Entry(msgspec.Struct):
    id: str
    name: str
    points: int
    skills: tuple[str, ...] = ()


class File(msgspec.Struct):
    ruleset: str
    cards: tuple[Entry, ...]
    bloc: str | None = None
    source: str = ""
    option_sets: dict[str, tuple[str, ...]] = {}


class Card(msgspec.Struct, frozen=True):
    id: str
    name: str
    bloc: str
    points: int
    skills: tuple[SkillRef, ...] = ()
    kind: str = "infantry"
    ruleset: str = "tiny"
    notes: tuple[str, ...] = ()
    source: str = ""


class TinyFamily(CardFamily):
    file_type = File
    entry_type = Entry
    usual_points = 10

    def make(self, entry, file, source, shelf):
        return Card(entry.id, entry.name, file.bloc, entry.points, tuple(map(read_skill, entry.skills)), source=source)

    def side(self, card):
        return card.bloc

    def points(self, card):
        return card.points

    def face(self, card):
        return CardFace(card.bloc, f"{card.points} points", (Figure("Strength", "1"),))


FAMILY = TinyFamily("tiny")
''',
    "cards/all.json": json.dumps(
        {
            "ruleset": "tiny",
            "bloc": "Red",
            "source": "made up",
            "cards": [
                {"id": "red-guard", "name": "Guard", "points": 3, "skills": ["Brave", "Moody"]},
                {"id": "red-scout", "name": "Scout", "points": 2},
            ],
        }
    ),
    "armies/tiny-red.yaml": """\
ruleset: tiny
name: Reds
points: 5
bloc: Red
units: [{card: red-guard}, {card: red-scout}]
""",
}


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A game of the user's own that nobody here has heard of: rulebook and cards, no rules yet."""
    for name, text in TINY.items():
        path = tmp_path / "tiny" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("DIESELFRONT_RULESETS", str(tmp_path))
    look_anew()
    yield "tiny"
    monkeypatch.undo()
    look_anew()


def look_anew() -> None:
    rulesets.forget()
    families.forget()
    armies._shipped_armies.cache_clear()
    sys.modules.pop("dieselfront.rulesets.tiny.card_family", None)


def test_a_folder_with_a_family_is_all_a_new_game_needs(tiny: str, tmp_path: Path) -> None:
    assert tiny in families.names() and tiny not in rulesets.names()
    cards = family(tiny)
    assert [card.id for card in catalogue(tiny)] == ["red-guard", "red-scout"]
    assert cards.unknown_rules(catalogue(tiny)["red-guard"]) == ("Moody",)
    reds = starter_armies()["tiny-red"]
    assert check_army(reds).ok and check_army(reds).points == 5
    assert parse_text(army_text(reds)) == reds
    back = import_roster(parse_roster(battlescribe_text(reds).encode(), "reds.txt"), tiny)
    assert [unit.card for unit in back.army.units] == ["red-guard", "red-scout"]
    assert check_army(random_army(tiny, 10, 1)).ok
    assert "File" in schema("cards")["$defs"]
    if importlib.util.find_spec("fpdf"):
        from dieselfront.forces.sheet import print_army

        assert print_army(reds, tmp_path / "reds.pdf") == 1


def test_the_cards_of_a_new_game_are_listed_and_shown(
    tiny: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["dieselfront", *words])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        assert not stop.value.code
        return capsys.readouterr().out

    listed = json.loads(run("cards", "list", "--ruleset", tiny, "--json"))
    assert [row["id"] for row in listed] == ["red-guard", "red-scout"]
    assert "Strength 1" in run("cards", "show", "red-guard")
