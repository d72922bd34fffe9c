"""Army lists as files and texts: they come back the same, and bad ones are refused in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.forces import ForcesError
from dieselfront.forces.armies import (
    Army,
    ArmyUnit,
    army_from,
    army_json,
    army_yaml,
    find_army,
    read_army,
    starter_armies,
    write_army,
)
from dieselfront.forces.army_check import check_army
from dieselfront.forces.army_text import army_text, battlescribe_text, parse_text
from dieselfront.forces.documents import parse_document
from dieselfront.forces.random_army import random_army
from dieselfront.forces.suggest import suggest


def back(text: str) -> Army:
    return army_from(parse_document(text.encode(), "list"))


def test_a_thousand_random_lists_are_legal_and_come_back_the_same_from_text_and_json() -> None:
    for seed in range(500):
        for ruleset, points in (("dust1947", 40 + seed % 160), ("konflikt47", 400 + seed % 800)):
            army = random_army(ruleset, points, seed)
            assert parse_text(army_text(army)) == army
            assert back(army_json(army)) == army


def test_random_lists_come_back_the_same_from_yaml() -> None:
    for seed in range(20):
        army = random_army("dust1947", 100, seed)
        assert back(army_yaml(army)) == army


@pytest.mark.parametrize("suffix", [".yaml", ".json", ".txt"])
def test_a_list_written_to_a_file_is_read_back(tmp_path: Path, suffix: str) -> None:
    army = starter_armies()["dust1947-ssu"]
    write_army(army, tmp_path / f"list{suffix}")
    assert read_army(tmp_path / f"list{suffix}") == army
    assert find_army(str(tmp_path / f"list{suffix}")) == army


LINE = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=20)
LABEL = st.from_regex(r"[a-z0-9][a-z0-9-]{0,12}", fullmatch=True)
UNIT = st.builds(
    ArmyUnit,
    card=st.sampled_from(["allies-pounder", "allies-costa", "no-such-card", "ssu-karl"]),
    label=st.none() | LABEL,
    name=st.none() | LINE,
    options=st.dictionaries(LABEL, st.integers(1, 100), max_size=2),
    experience=st.sampled_from([None, "regular", "veteran"]),
    models=st.none() | st.integers(1, 100),
    joins=st.none() | LABEL | st.just("allies-pounder"),
    pilots=st.none() | LABEL,
    mounted_in=st.none() | LABEL,
    platoon=st.none() | LABEL,
    role=st.sampled_from([None, "command", "combat", "support"]),
    captured=st.booleans(),
)
ARMY = st.builds(
    Army,
    ruleset=st.just("dust1947"),
    name=LINE,
    points=st.integers(0, 1000),
    units=st.lists(UNIT, max_size=5).map(tuple),
    bloc=st.none() | LINE,
    nation=st.none() | LINE,
    faction=st.none() | LINE,
    platoons=st.dictionaries(LABEL, LABEL, max_size=2),
    unrestricted=st.booleans(),
    data=LINE,
)


@settings(max_examples=60)
@given(ARMY)
def test_any_list_at_all_comes_back_the_same_from_text(army: Army) -> None:
    assert parse_text(army_text(army)) == army


@settings(max_examples=60)
@given(ARMY)
def test_any_list_at_all_comes_back_the_same_from_json(army: Army) -> None:
    assert back(army_json(army)) == army


@given(st.text(max_size=200))
def test_text_that_is_no_list_gets_a_sentence(text: str) -> None:
    with pytest.raises(ForcesError):
        parse_text("Dieselfront army: x\n" + text + "\n?")


def test_options_may_be_a_list_of_ids() -> None:
    army = back("ruleset: dust1947\nname: A\npoints: 9\nunits:\n- {card: allies-field-phaser, options: [bunker]}\n")
    assert army.units[0].options == {"bunker": 1}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ruleset": "dust1974"}, "dust1947"),
        ({"points": "many"}, "points"),
        ({"name": "two\nlines"}, "one line"),
        ({"units": [{"card": "a b"}]}, "units[0].card"),
        ({"units": [{"card": "a", "colour": 1}]}, "units[0].colour"),
        ({"units": [{"card": "a", "models": 0}]}, "units[0].models"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_faulty_list_is_refused_by_field(changes: dict[str, Any], words: str) -> None:
    data = {"ruleset": "dust1947", "name": "A", "points": 50, "units": [], **changes}
    with pytest.raises(ForcesError) as caught:
        army_from(data)
    assert words in str(caught.value)


def test_the_stamp_is_always_written() -> None:
    army = Army("dust1947", "A", 10, data="1")
    assert '"data": "1"' in army_json(army) and "data: '1'" in army_yaml(army)


def test_an_unknown_list_names_the_nearest_starter() -> None:
    with pytest.raises(ForcesError, match="dust1947-axis"):
        find_army("dust1947-axs")


def test_the_same_seed_gives_the_same_army() -> None:
    assert random_army("dust1947", 80, 7) == random_army("dust1947", 80, 7)
    assert random_army("dust1947", 80, 7) != random_army("dust1947", 80, 8)


@pytest.mark.parametrize(("ruleset", "points"), [("dust1947", 50), ("dust1947", 150), ("konflikt47", 500)])
def test_random_armies_are_legal_and_use_most_of_their_points(ruleset: str, points: int) -> None:
    for seed in range(25):
        found = check_army(random_army(ruleset, points, seed))
        assert found.ok and found.points >= 0.75 * points


def test_random_armies_of_a_chosen_side_are_of_that_side() -> None:
    assert random_army("dust1947", 60, 1, "ssu").bloc == "SSU"
    assert random_army("konflikt47", 600, 1, "Finland").nation == "Finland"
    assert random_army("dust1947", 60, 1, "Allies", "usmc").faction == "USMC"


def test_an_army_nobody_can_build_is_refused() -> None:
    with pytest.raises(ForcesError, match="more points"):
        random_army("konflikt47", 20, 1)
    with pytest.raises(ForcesError, match="did you mean Allies"):
        random_army("dust1947", 50, 1, "Alies")


def test_the_battlescribe_text_names_every_unit_with_its_price() -> None:
    text = battlescribe_text(starter_armies()["dust1947-ssu"])
    assert text.startswith("++ Koshka's Vanguard (Dust 1947 - SSU) [50 AP] ++")
    assert "Red Army Battle Squad [8 AP]: NKVD Political Commissar Submachine Gunner" in text


def test_suggestions_tell_what_is_missing() -> None:
    thin = Army("dust1947", "Thin", 50, (ArmyUnit("allies-costa"),), bloc="Allies")
    told = [one.message for one in suggest(thin)]
    assert any("walker" in message for message in told) and any("44 points are left" in message for message in told)
    assert all(card.startswith(("allies-", "mercenaries-")) for one in suggest(thin) for card in one.cards)


def test_suggestions_name_what_a_platoon_lacks() -> None:
    bare = Army("konflikt47", "Bare", 500, (ArmyUnit("germany-sniper-team"),), nation="Germany")
    told = [one.message for one in suggest(bare)]
    assert "Reinforced Platoon lacks 1 of officer" in told and "Reinforced Platoon lacks 2 of infantry squad" in told
    half = Army("dust1947", "Half", 50, platoons={"first": "allies-medium-walker"}, bloc="Allies")
    assert any("lacks its command unit" in one.message for one in suggest(half))
