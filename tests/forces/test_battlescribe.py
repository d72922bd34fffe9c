"""BattleScribe and New Recruit: catalogues become cards, rosters become lists, nothing is dropped."""

from __future__ import annotations

import zipfile
from pathlib import Path

import msgspec
import pytest

from dieselfront.forces import DustCard, ForcesError, KonfliktCard, dust_catalogue, konflikt_catalogue
from dieselfront.forces.army_text import battlescribe_text
from dieselfront.forces.battlescribe.importing import (
    ImportedCards,
    compare_with_shipped,
    import_files,
    write_cards,
)
from dieselfront.forces.battlescribe.match import ImportedArmy, import_roster
from dieselfront.forces.battlescribe.rosters import parse_roster
from dieselfront.forces.catalogue import catalogue, check_file
from dieselfront.forces.random_army import random_army

FILES = Path(__file__).parent / "files"


def cards_of(*names: str) -> ImportedCards:
    imported = import_files([FILES / name for name in names]).cards
    assert imported is not None
    return imported


def army_of(name: str) -> ImportedArmy:
    return import_files([FILES / name]).armies[0]


# Catalogues of our own making


def test_a_catalogue_of_schema_2_01_becomes_dust_cards() -> None:
    cards = {card.id: card for card in cards_of("mini_dust.gst", "mini_moon.cat").cards}
    assert list(cards) == ["moon-moon-squad", "moon-captain-luna-rifle", "moon-captain-luna-unarmed", "moon-moon-buggy"]
    squad = cards["moon-moon-squad"]
    assert isinstance(squad, DustCard)
    assert (squad.bloc, squad.factions, squad.bloc_wide, squad.points) == ("Moon", ("Luna",), False, 9)
    assert (squad.armour_class, squad.move, squad.march, squad.models) == ("S2", 2, 4, 5)
    assert squad.has("Scout")


def test_signs_of_the_file_become_ours_and_unreadable_ones_are_noted() -> None:
    squad = cards_of("mini_dust.gst", "mini_moon.cat").cards[0]
    assert isinstance(squad, DustCard)
    assert str(squad.weapon("moon-rifle").cells["V1"]) == "1/#"
    assert "S2" not in squad.weapon("moon-rockets").cells
    assert any(note.startswith("Moon Rockets against S2") for note in squad.notes)


def test_volleys_get_ammunition_and_mounts_leave_the_name() -> None:
    cards = cards_of("mini_dust.gst", "mini_moon.cat").cards
    squad, buggy = cards[0], cards[3]
    assert isinstance(squad, DustCard) and isinstance(buggy, DustCard)
    assert (squad.weapon("moon-rockets").count, squad.weapon("moon-rockets").ammo) == (1, 3)
    assert (buggy.weapons[0].name, buggy.weapons[0].mount, buggy.kind) == ("Moon Gun", "turret", "vehicle")
    assert any(note.startswith("Moon Gun range") for note in buggy.notes)


def test_variants_become_cards_of_their_own_and_share_what_the_entry_has() -> None:
    rifle = cards_of("mini_dust.gst", "mini_moon.cat").cards[1]
    assert isinstance(rifle, DustCard)
    assert (rifle.points, rifle.variant_of, rifle.unique) == (9, "Captain Luna", True)
    assert str(rifle.skills[0]) == "Expert: Moon Rifle"


def test_options_of_a_catalogue_become_options_of_the_card() -> None:
    squad = cards_of("mini_dust.gst", "mini_moon.cat").cards[0]
    assert [(option.id, option.points) for option in squad.options] == [("moon-boots", 2)]


def test_entries_that_are_no_units_are_told() -> None:
    assert any("Nothing At All" in warning for warning in cards_of("mini_dust.gst", "mini_moon.cat").warnings)


def test_a_catalogue_without_its_game_system_still_reads() -> None:
    cards = cards_of("mini_moon.cat").cards
    assert [card.kind for card in cards] == ["infantry", "hero", "hero", "vehicle"]


def test_a_catalogue_of_schema_2_03_becomes_konflikt_cards() -> None:
    squad, tank = cards_of("mini_konflikt.gst", "mini_konflikt.cat").cards
    assert isinstance(squad, KonfliktCard) and isinstance(tank, KonfliktCard)
    assert squad.points == {"regular": 40, "veteran": 52}
    assert (squad.models_min, squad.models_max, squad.kind) == (4, 9, "infantry")
    assert {weapon.name: weapon.count for weapon in squad.weapons} == {"Rifle": 4, "SMG": 0}
    assert squad.points_per_extra_model == {"regular": 10, "veteran": 13}
    assert (tank.points, tank.vehicles[0].vehicle_class, tank.damage_values) == (
        {"regular": 200},
        "Medium Tank",
        {"regular": 9},
    )


def test_options_by_the_model_and_by_the_soldier_are_priced() -> None:
    squad = cards_of("mini_konflikt.gst", "mini_konflikt.cat").cards[0]
    assert isinstance(squad, KonfliktCard)
    assert squad.option("moon-grenades").per_model and squad.option("moon-grenades").points["regular"] == 2
    smg = squad.option("soldier-with-smg")
    assert (smg.points["regular"], smg.max, smg.adds_model, smg.weapons) == (13, 2, True, ("SMG",))


@pytest.mark.parametrize("names", [("mini_dust.gst", "mini_moon.cat"), ("mini_konflikt.gst", "mini_konflikt.cat")])
def test_imported_cards_are_a_sound_homebrew_file(tmp_path: Path, names: tuple[str, ...]) -> None:
    imported = cards_of(*names)
    write_cards(imported, tmp_path / "moon.json")
    cards, errors = check_file(tmp_path / "moon.json")
    assert errors == [] and [card.id for card in cards] == [card.id for card in imported.cards]


# The community's catalogues


def test_all_dust_catalogues_import_and_differ_only_where_a_note_says_why(shared: Path) -> None:
    imported = import_files(sorted((shared / "data" / "battlescribe" / "dust1947").iterdir())).cards
    assert imported is not None and len(imported.cards) >= 330 and imported.warnings == []
    assert [str(one) for one in compare_with_shipped(imported) if not one.explained] == []


def test_all_konflikt_catalogues_import_and_differ_only_where_a_note_says_why(shared: Path) -> None:
    imported = import_files(sorted((shared / "data" / "battlescribe" / "konflikt47").iterdir())).cards
    assert imported is not None and len(imported.cards) >= 440 and imported.warnings == []
    assert [str(one) for one in compare_with_shipped(imported) if not one.explained] == []


def test_the_comparison_sees_a_changed_number(shared: Path) -> None:
    imported = import_files(sorted((shared / "data" / "battlescribe" / "dust1947").iterdir())).cards
    assert imported is not None
    for place, card in enumerate(imported.cards):
        if card.id == "allies-pounder":
            imported.cards[place] = msgspec.structs.replace(card, points=99)
    found = [one for one in compare_with_shipped(imported) if not one.explained]
    assert [(one.card, one.field) for one in found] == [("allies-pounder", "points")]


# Rosters


def test_a_roster_becomes_a_list_of_our_cards() -> None:
    result = army_of("roster.ros")
    assert (result.army.name, result.army.bloc, result.army.points) == ("Friday night", "Allies", 60)
    assert [unit.card for unit in result.army.units] == [
        "allies-machete-mack-pistol",
        "allies-field-phaser",
        "allies-ranger-recon-squad",
        "axis-ludwig",
    ]
    assert result.army.units[1].options == {"bunker": 1}
    assert result.army.units[3].captured


def test_a_unit_without_a_card_is_reported_with_the_nearest_ones() -> None:
    unmatched = army_of("roster.ros").unmatched
    assert [(one.name, one.points) for one in unmatched] == [("Ranger Reconn Squad", 7)]
    assert unmatched[0].nearest[0] == "allies-ranger-recon-squad"


def test_a_price_that_differs_is_a_warning() -> None:
    assert any("8 points in the roster, 7" in warning for warning in army_of("roster.ros").warnings)


def test_a_zipped_roster_reads_like_the_plain_one(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "list.rosz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(FILES / "roster.ros", "roster.ros")
    assert import_files([tmp_path / "list.rosz"]).armies[0] == army_of("roster.ros")


def test_a_roster_of_schema_2_01_reads_too() -> None:
    old = (FILES / "roster.ros").read_bytes().replace(b"2.03", b"2.01").replace(b"typeId", b"costTypeId")
    assert import_roster(parse_roster(old, "roster.ros")) == army_of("roster.ros")


def test_new_recruits_json_keeps_experience_size_and_weapons() -> None:
    result = army_of("newrecruit.json")
    unit = result.army.units[0]
    assert (result.army.nation, result.army.points) == ("Germany", 500)
    assert (unit.card, unit.experience, unit.models) == ("germany-fallschirmjaeger-squad", "veteran", 7)
    assert unit.options == {"smg": 1, "soldier-with-lmg": 1}
    assert result.warnings == ()
    assert [one.name for one in result.unmatched] == ["Moon Rakers"]


def test_new_recruits_text_is_read() -> None:
    result = army_of("newrecruit.txt")
    assert result.army.nation == "Finland"
    assert [(unit.card, unit.experience) for unit in result.army.units] == [
        ("finland-officer", "regular"),
        ("finland-partisan-squad", "inexperienced"),
    ]
    assert result.unmatched[0].nearest[0] == "finland-sniper-team"


def test_our_own_battlescribe_text_comes_back_as_the_same_units() -> None:
    for seed in range(30):
        for ruleset, points in (("dust1947", 80), ("konflikt47", 800)):
            army = random_army(ruleset, points, seed)
            result = import_roster(parse_roster(battlescribe_text(army).encode(), "list.txt"))
            assert result.unmatched == () and result.warnings == ()
            assert result.army.side == army.side
            assert sorted(told(result.army, ruleset)) == sorted(told(army, ruleset))


def told(army: object, ruleset: str) -> list[tuple[object, ...]]:
    """Card, experience, size and options of each unit, as text that can be sorted."""
    rows: list[tuple[object, ...]] = []
    for unit in army.units:  # type: ignore[attr-defined]
        card = catalogue(ruleset)[unit.card]
        level = unit.experience or card.usual_experience if isinstance(card, KonfliktCard) else ""
        rows.append((unit.card, level, str(unit.models), str(sorted(unit.options.items())), unit.captured))
    return rows


@pytest.mark.parametrize("card_id", ["allies-pounder", "axis-sigrid-with-panzerfaust", "mercenaries-silence"])
def test_every_dust_unit_is_found_by_its_name(card_id: str) -> None:
    card = dust_catalogue()[card_id]
    text = f"++ List (Dust 1947 - {card.bloc}) ++\n{card.name} [{card.points} AP]\n"
    assert import_roster(parse_roster(text.encode(), "x.txt")).army.units[0].card == card_id


def test_units_of_the_same_name_are_told_apart_by_their_nation() -> None:
    for nation in ("Germany", "Finland", "Japan"):
        text = f"++ List (Konflikt '47 - {nation}) ++\nSniper Team [50 pts]: Regular\n"
        found = import_roster(parse_roster(text.encode(), "x.txt")).army.units[0].card
        assert konflikt_catalogue()[found].nation == nation


def test_a_catalogue_from_another_program_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "new.cat"
    path.write_text('<catalogue name="X" battleScribeVersion="9.9"/>')
    with pytest.raises(ForcesError, match=r"9\.9"):
        import_files([path])


def test_links_to_a_missing_file_leave_the_rest_alone(tmp_path: Path) -> None:
    text = (FILES / "mini_konflikt.cat").read_bytes()
    path = tmp_path / "broken.cat"
    path.write_bytes(text.replace(b'targetId="s-smg"', b'targetId="gone"'))
    imported = import_files([FILES / "mini_konflikt.gst", path]).cards
    assert imported is not None
    squad = imported.cards[0]
    assert squad.name == "Moon Infantry" and [weapon.name for weapon in squad.weapons] == ["Rifle"]
