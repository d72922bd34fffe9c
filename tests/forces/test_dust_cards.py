"""Dust cards: numbers, spellings, who carries what, and that nothing of the facts was lost."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from dieselfront.forces import ARMOUR_CLASSES, Cell, SkillRef, UnknownCard, dust_catalogue
from dieselfront.forces.crews import squad, support_crew
from dieselfront.forces.dust import DustWeapon
from dieselfront.forces.dust_files import read_cell
from dieselfront.forces.skills import read_skill

CARDS = dust_catalogue()


def test_every_unit_of_every_bloc_is_there() -> None:
    blocs = Counter(card.bloc for card in CARDS)
    assert blocs == {"Allies": 103, "Axis": 125, "SSU": 86, "Mercenaries": 12, "Mythos": 7}


@pytest.mark.parametrize(
    ("text", "skill"),
    [
        ("Passengers (6)", SkillRef("Passengers", "6")),
        ("Pilot: Koshka", SkillRef("Pilot", "Koshka")),
        ("Expert - Flamethrower", SkillRef("Expert", "Flamethrower")),
        ("Trail Blazer", SkillRef("Trailblazer")),
        ("Super Human", SkillRef("Superhuman")),
        ("Half-Tracked", SkillRef("Half-Tracked")),
        ("Get Moving You...", SkillRef("Get Moving You...")),
        ("HE (D6)", SkillRef("HE", "D6")),
    ],
)
def test_skills_are_read_as_a_name_and_what_belongs_to_it(text: str, skill: SkillRef) -> None:
    assert read_skill(text) == skill


def test_the_number_of_a_skill_is_a_number() -> None:
    assert read_skill("Passengers (12)").number == 12
    assert read_skill("Scout").number == 0


@pytest.mark.parametrize(
    ("text", "cell"),
    [("5/1", Cell(5, 0, 1)), ("*/2", Cell(0, 1, 2)), ("**/#", Cell(0, 2, 0, True)), ("1/#", Cell(1, 0, 0, True))],
)
def test_cells_tell_dice_blasts_damage_and_kills(text: str, cell: Cell) -> None:
    assert read_cell(text) == cell
    assert str(cell) == text


def test_a_cell_that_is_missing_cannot_be_attacked() -> None:
    shotgun = CARDS["allies-crazy-jimmy"].weapon("shotgun")
    assert "A1" not in shotgun.cells
    assert shotgun.cells["S1"] == Cell(7, 0, 1)


def test_weapon_ids_are_unique_inside_a_card() -> None:
    for card in CARDS:
        ids = [weapon.id for weapon in card.weapons]
        assert len(set(ids)) == len(ids), card.id


def test_weapons_of_the_same_name_are_told_apart_by_their_mount() -> None:
    truck = CARDS["allies-gun-truck"]
    assert [weapon.id for weapon in truck.weapons][:3] == [
        "machinegun-front",
        "machinegun-left",
        "machinegun-right",
    ]


def test_ranges_are_numbers_with_close_combat_apart() -> None:
    mortar = CARDS["allies-ranger-heavy-mortar-squad"].weapon("heavy-mortar")
    assert (mortar.range_min, mortar.range_max, mortar.close) == (4, 12, False)
    knives = CARDS["allies-the-chef"].weapon("kitchen-knives")
    assert (knives.range_max, knives.close, knives.range_text) == (0, True, "C")


@pytest.mark.rule("d47.open.who_loses_weapon")
def test_every_weapon_of_a_squad_is_in_somebodys_hands() -> None:
    for card in CARDS:
        if card.kind != "infantry":
            continue
        carried = Counter(line for soldier in card.soldiers for line in soldier.weapons)
        assert [carried[line] for line in range(len(card.weapons))] == [w.count for w in card.weapons], card.id


def test_the_leader_is_the_first_soldier_and_an_ordinary_rifleman() -> None:
    recon = CARDS["allies-ranger-recon-squad"]
    names = [[recon.weapons[line].name for line in soldier.weapons] for soldier in recon.soldiers]
    assert names[0] == ["Automatic Rifle", "Under-Barrel Grenade Launcher"]
    assert names[-1] == ["Machinegun"]
    assert recon.soldiers[0].roles == ("leader",)


@pytest.mark.rule("d47.skill.command_squad")
def test_a_command_squad_has_officer_radio_medic_and_mechanic() -> None:
    roles = [soldier.roles for soldier in CARDS["axis-sturmgrenadier-command-squad"].soldiers]
    assert roles == [("leader", "officer"), ("radio",), ("medic",), ("mechanic",), ()]


@pytest.mark.rule("d47.command.armored_officer_radio")
def test_in_heavy_armour_the_officer_carries_the_radio() -> None:
    roles = [soldier.roles for soldier in CARDS["axis-heavy-grenadier-command-squad"].soldiers]
    assert roles == [("leader", "officer", "radio"), ("medic",), ("mechanic",)]
    assert CARDS["allies-action-jackson"].soldiers[0].roles == ("leader", "officer", "radio")
    assert CARDS["allies-captain-ledger"].soldiers[0].roles == ("leader", "officer")


def test_tools_go_to_the_mechanic() -> None:
    heavy = CARDS["allies-heavy-ranger-command-squad"]
    wrench = next(line for line, weapon in enumerate(heavy.weapons) if weapon.name == "Wrench")
    assert [soldier.roles for soldier in heavy.soldiers if wrench in soldier.weapons] == [("mechanic",)]


@pytest.mark.rule("d47.skill.artillery_observer_radio")
def test_an_observer_squad_has_one_radio_man() -> None:
    assert [soldier.roles for soldier in CARDS["ssu-red-army-observer-squad"].soldiers] == [("leader",), ("radio",)]


@pytest.mark.rule("d47.weapon.spotter")
def test_the_spotter_is_not_the_sniper() -> None:
    for card in CARDS:
        if card.has("Spotter") and card.kind == "infantry":
            spotter = next(soldier for soldier in card.soldiers if "spotter" in soldier.roles)
            assert not any(card.weapons[line].has("Sniper") for line in spotter.weapons)


@pytest.mark.rule("d47.skill.assault_shield")
def test_the_leader_bears_the_assault_shield() -> None:
    assert CARDS["ssu-steel-guards-tesla-squad"].soldiers[0].roles == ("leader", "shield")


@pytest.mark.rule("d47.skill.support_weapon_base")
def test_a_support_weapon_has_as_many_soldiers_as_points_on_its_track() -> None:
    for card in CARDS:
        if card.has("Support Weapon"):
            assert len(card.soldiers) == card.damage, card.id


def test_the_heavy_weapon_belongs_to_the_crew_as_a_whole() -> None:
    gun = CARDS["mercenaries-mercenary-heavy-machine-gun-squad"]
    assert [weapon.name for weapon in gun.weapons if weapon.crewed] == ["Heavy Machinegun"]
    crewed = [line for line, weapon in enumerate(gun.weapons) if weapon.crewed]
    assert all(line not in soldier.weapons for soldier in gun.soldiers for line in crewed)
    assert gun.soldiers[-1].weapons == ()


def test_war_dogs_have_no_heavy_weapon_but_dogs() -> None:
    dogs = CARDS["allies-usmc-war-dogs-recon-squad"]
    assert not any(weapon.crewed for weapon in dogs.weapons)
    assert [soldier.name for soldier in dogs.soldiers][-2:] == ["Dog", "Dog"]


def test_vehicles_have_a_track_and_no_soldiers() -> None:
    for card in CARDS:
        if card.kind in ("vehicle", "aircraft"):
            assert card.damage > 0 and not card.soldiers, card.id


@pytest.mark.parametrize(
    ("card_id", "locomotion", "size"),
    [
        ("allies-pounder", "walker", "standard"),
        ("allies-humber-mk-v", "wheeled", "standard"),
        ("axis-hanomag", "half_tracked", "standard"),
        ("allies-lcm-46", "naval", "standard"),
        ("ssu-karl", "tracked", "large"),
        ("allies-punisher", "walker", "huge"),
        ("ssu-invader", "aircraft", "standard"),
        ("axis-field-laser-gun", "immobile", "standard"),
        ("allies-costa", "infantry", "standard"),
    ],
)
def test_cards_tell_how_they_move_and_how_large_they_are(card_id: str, locomotion: str, size: str) -> None:
    assert (CARDS[card_id].locomotion, CARDS[card_id].size) == (locomotion, size)


@pytest.mark.rule("d47.weapon.volley")
def test_bombs_of_a_volley_weapon_are_its_ammunition() -> None:
    bombs = CARDS["axis-falke"].weapon("light-bomb")
    assert (bombs.count, bombs.ammo) == (1, 6)


@pytest.mark.rule("d47.weapon.limited_ammo")
def test_a_panzerfaust_has_one_shot() -> None:
    squad_card = CARDS["axis-grenadier-tank-hunter-squad"]
    assert (squad_card.weapon("panzerfaust-100").count, squad_card.weapon("panzerfaust-100").ammo) == (5, 1)
    assert squad_card.weapon("submachine-gun").ammo is None


@pytest.mark.rule("d47.skill.pilot_name")
def test_a_vehicle_with_a_named_pilot_is_unique() -> None:
    assert CARDS["ssu-grand-ma"].unique and CARDS["ssu-grand-ma"].max_in_army == 1


@pytest.mark.parametrize(
    ("card_id", "word"),
    [
        ("allies-devastator", "damage"),
        ("axis-mobelwagen-ausf-b", "armour"),
        ("axis-raketenmann", "range"),
        ("ssu-roza", "unique"),
        ("ssu-spetsnaz-assault-squad", "march"),
        ("axis-hermann", "mount"),
    ],
)
def test_every_settled_value_says_so_in_the_cards_notes(card_id: str, word: str) -> None:
    assert any(word in note.partition(":")[0] for note in CARDS[card_id].notes)


def test_an_unknown_id_names_the_nearest_cards() -> None:
    with pytest.raises(UnknownCard) as caught:
        CARDS["allies-rangr-recon"]
    assert "allies-ranger-recon-squad" in str(caught.value)


def test_rules_nobody_knows_can_be_listed() -> None:
    names = {ref.name for card in CARDS for ref in card.skills} - {"Radar"}
    weapon_rules = {ref.name for card in CARDS for weapon in card.weapons for ref in weapon.rules}
    found = CARDS.unknown_rules(names | weapon_rules | {"Commissar", "Brave"})
    assert found == {"Radar": ["axis-geist", "axis-hexe"]}


def test_a_squad_whose_weapons_do_not_add_up_still_gets_all_its_soldiers() -> None:
    rifle = DustWeapon("rifle", "Rifle", 2, {}, range_max=6)
    soldiers = squad(4, (), 2, [rifle])
    assert [soldier.weapons for soldier in soldiers] == [(0,), (0,), (), ()]


def test_crew_without_small_arms_serves_the_gun_only() -> None:
    gun = DustWeapon("gun", "Gun", 1, {}, range_max=12, crewed=True)
    assert [soldier.weapons for soldier in support_crew(3, [gun])] == [(), (), ()]


def test_the_cards_hold_every_number_of_the_facts(shared: Path) -> None:
    facts = json.loads((shared / "data" / "dust1947-units.json").read_text(encoding="utf-8"))
    assert [row["id"] for row in facts if row["id"] not in CARDS] == []
    for row in facts:
        card = CARDS[row["id"]]
        if row.get("suspect") or card.notes:
            continue
        assert (card.move, card.march, card.points) == (row["move"], row["march"], row["ap"]), card.id
        assert card.armour_class == row["armour"], card.id
        for weapon, line in zip(card.weapons, row["weapons"], strict=True):
            cells = {name: str(weapon.cells.get(name, "-")) for name in ARMOUR_CLASSES}
            assert cells == {name: cell.replace("☠", "#") for name, cell in line["vs"].items()}, card.id
