"""Homebrew: the user's own cards add to ours or change them; faults are told by file, card and field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dieselfront.forces import catalogue, dust_catalogue, konflikt_catalogue, schema
from dieselfront.forces.catalogue import check_file, forget
from dieselfront.forces.errors import nearest
from dieselfront.forces.known import unknown_rules
from dieselfront.rulesets.dust.hooks import Registry
from dieselfront.rulesets.dust1947 import skills, weapons

ZAPPERS = """\
ruleset: dust1947
bloc: Moon
weapons:
- {name: Zap Gun, range: 6, vs: {S1: 4/1, V1: 1/#}, rules: [Laser]}
cards:
- id: moon-zappers
  name: Zappers
  kind: infantry
  factions: [Luna]
  armour: S2
  move: 2
  march: 4
  points: 9
  models: 3
  skills: [Scout, Moonwalk]
  weapons: [{name: Zap Gun, count: 3}]
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home folder of the user's own; catalogues are read anew before and after."""
    monkeypatch.setenv("DIESELFRONT_HOME", str(tmp_path))
    (tmp_path / "cards").mkdir()
    forget()
    yield tmp_path / "cards"
    forget()


def a_card(**changes: Any) -> dict[str, Any]:
    """A sound homebrew card with some values changed; None takes a field away."""
    card: dict[str, Any] = {"id": "moon-men", "name": "Men", "kind": "infantry", "armour": "S1", "models": 3}
    card |= {"move": 2, "march": 4, "points": 5, "weapons": [{"name": "Gun", "range": "4", "vs": {"S1": "1/1"}}]}
    card |= changes
    return {key: value for key, value in card.items() if value is not None}


def check(folder: Path, *cards: Any, **head: Any) -> tuple[list[str], list[tuple[str, str]]]:
    """Ids that load and (card, field) of every fault."""
    path = folder / "mine.json"
    path.write_text(json.dumps({"ruleset": "dust1947", "bloc": "Moon", "cards": list(cards), **head}))
    good, errors = check_file(path)
    assert all(error.file == "mine.json" and error.message for error in errors)
    return [card.id for card in good], [(error.card, error.field) for error in errors]


def test_a_homebrew_faction_joins_the_catalogue(home: Path) -> None:
    (home / "moon.yaml").write_text(ZAPPERS)
    card = dust_catalogue()["moon-zappers"]
    assert card.weapons[0].range_max == 6 and len(card.soldiers) == 3
    assert "Moon" in dust_catalogue().sides() and dust_catalogue().factions("Moon") == ["Luna"]
    assert len(dust_catalogue()) == 334


def test_a_card_with_a_rule_nobody_knows_loads_and_says_so(home: Path) -> None:
    (home / "moon.yaml").write_text(ZAPPERS)
    assert unknown_rules(dust_catalogue()["moon-zappers"]) == ("Moonwalk",)


def test_shipped_cards_have_only_the_unknown_rules_we_know_of() -> None:
    names = {
        name for ruleset in ("dust1947", "konflikt47") for card in catalogue(ruleset) for name in unknown_rules(card)
    }
    assert names == {"Machine Gun Team"}


def test_the_flag_agrees_with_what_the_dust_rules_really_play(home: Path) -> None:
    (home / "moon.yaml").write_text(ZAPPERS)
    registry = Registry(skills.ALL, weapons.ALL)
    for card in dust_catalogue():
        assert set(unknown_rules(card)) == set(registry.unknown(card)), card.id


def test_a_card_with_a_shipped_id_changes_only_what_it_names(home: Path) -> None:
    (home / "mine.json").write_text(
        '{"ruleset":"dust1947","bloc":"Moon","cards":[{"id":"allies-pounder","points":12}]}'
    )
    changed = dust_catalogue()["allies-pounder"]
    assert (changed.points, changed.bloc, changed.armour_class, len(changed.weapons)) == (12, "Allies", "V4", 3)


def test_a_homebrew_weapon_profile_counts_for_all_konflikt_cards(home: Path) -> None:
    profile = {"name": "Rifle", "range": 30, "shots": 1, "pen": "-"}
    (home / "rifles.json").write_text(json.dumps({"ruleset": "konflikt47", "profiles": [profile]}))
    assert konflikt_catalogue()["germany-officer"].weapon("rifle").range_max == 30


def test_a_homebrew_konflikt_unit_may_use_shipped_weapons(home: Path) -> None:
    unit = {"id": "moon-squad", "name": "Squad", "kind": "infantry", "points": {"regular": 40}, "models_min": 4}
    unit["weapons"] = [{"name": "Rifle", "count": 4}]
    (home / "moon.json").write_text(json.dumps({"ruleset": "konflikt47", "nation": "Moon", "cards": [unit]}))
    assert konflikt_catalogue()["moon-squad"].damage_values == {"regular": 4}


def test_a_broken_file_leaves_the_other_cards_alone_and_is_told(home: Path) -> None:
    (home / "a-broken.json").write_text("{")
    (home / "b-good.yaml").write_text(ZAPPERS)
    assert "moon-zappers" in dust_catalogue()
    assert [error.file for error in dust_catalogue().errors] == ["a-broken.json"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"armour": "X9"}, "armour"),
        ({"move": "two"}, "move"),
        ({"name": None}, "name"),
        ({"colour": "red"}, "colour"),
        ({"models": None}, "models"),
        ({"kind": "tank"}, "kind"),
        ({"damage": 3}, "damage"),
        ({"weapons": [{"name": "Gun", "range": "12-4", "vs": {"S1": "1/1"}}]}, "weapons[0].range"),
        ({"weapons": [{"name": "Gun", "range": "far", "vs": {"S1": "1/1"}}]}, "weapons[0].range"),
        ({"weapons": [{"name": "Gun", "range": "4", "vs": {"S9": "1/1"}}]}, "weapons[0].vs"),
        ({"weapons": [{"name": "Gun", "range": "4", "vs": {"S1": "lots"}}]}, "weapons[0].vs[...]"),
        ({"weapons": [{"name": "Gun"}]}, "weapons[0].vs"),
        ({"options": "none-such"}, "options"),
        ({"soldiers": [{"name": "A", "weapons": [4]}]}, "soldiers[0].weapons"),
    ],
)
def test_a_fault_names_the_card_and_the_field(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    assert check(tmp_path, a_card(**changes)) == ([], [("moon-men", field)])


def test_one_bad_card_does_not_spoil_the_others(tmp_path: Path) -> None:
    good, errors = check(tmp_path, a_card(), a_card(id="bad", points=-3), 7, a_card())
    assert good == ["moon-men"]
    assert errors == [("bad", "points"), ("number 3", ""), ("moon-men", "id")]


def test_a_file_of_an_unknown_game_is_refused(tmp_path: Path) -> None:
    assert check(tmp_path, a_card(), ruleset="chess") == ([], [("", "ruleset")])


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    cards, errors = check_file(tmp_path / "none.yaml")
    assert cards == [] and "no file" in errors[0].message


def test_yaml_aliases_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.yaml"
    path.write_text("a: &a [x, x]\nb: [*a, *a]\n")
    assert "aliases" in check_file(path)[1][0].message


def test_soldiers_told_by_the_card_are_taken_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    soldiers = [{"name": "Chief", "roles": ["leader", "radio"], "weapons": [0]}, {"name": "Boy"}]
    path.write_text(json.dumps({"ruleset": "dust1947", "bloc": "Moon", "cards": [a_card(soldiers=soldiers)]}))
    card = check_file(path)[0][0]
    assert [soldier.name for soldier in card.soldiers] == ["Chief", "Boy"]  # type: ignore[union-attr]


def test_a_card_with_very_many_weapons_loads_at_once(tmp_path: Path) -> None:
    weapons = [{"name": f"Gun {n}", "range": "4", "vs": {"S1": "1/1"}} for n in range(60)]
    assert check(tmp_path, a_card(weapons=weapons, models=37)) == (["moon-men"], [])


@pytest.mark.parametrize("name", ["cards", "armies"])
def test_there_is_a_schema_of_cards_and_of_armies(name: str) -> None:
    told = schema(name)
    assert told["$defs"] and "dieselfront" in told["title"].lower()


def test_suggestions_mend_slips_in_parts_of_an_id() -> None:
    ids = ["allies-ranger-recon-squad", "allies-frank", "axis-hans"]
    assert nearest("allies-rangr-recn", ids)[0] == "allies-ranger-recon-squad"
    assert nearest("hans", ids) == ("axis-hans",)
    assert nearest("x" * 5000, ids) == ()
