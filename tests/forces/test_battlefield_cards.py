"""Battlefield cards: all readable, the few rules of building a force, cards of Dust 1947 by a stated rule."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.army_check import check_army
from dieselfront.forces.battlescribe.importing import import_files
from dieselfront.forces.families import family

FAMILY = family("battlefield")
CARDS = FAMILY.catalogue


def check(*units: ArmyUnit, points: int = 1000, bloc: str = "Allies") -> list[str]:
    return [fault.rule for fault in check_army(Army("battlefield", "x", points, units, bloc=bloc)).errors]


def test_all_cards_are_there() -> None:
    kinds = Counter(card.kind for card in CARDS)
    assert kinds == {
        "hero": 43, "infantry": 74, "support": 9, "vehicle": 119, "aircraft": 13, "fortification": 6,
    }  # fmt: skip
    assert Counter(card.bloc for card in CARDS) == {"Allies": 91, "Axis": 90, "SSU": 78, "Mercenaries": 5}


def test_side_mounts_are_one_weapon_left_and_one_right() -> None:
    for name in ("allies-long-tom-ii", "allies-mobile-hq", "allies-recon-mickey", "allies-skysweeper"):
        mounts = [weapon.mount for weapon in CARDS[name].weapons]
        assert mounts.count("left") == mounts.count("right") == 1


def test_suspect_values_are_settled_with_a_note() -> None:
    lions = CARDS["axis-african-lions"]
    assert str(lions.weapon("panzerfaust-100").cells["V6"]) == "1/4"
    assert any(note.startswith("Panzerfaust 100 against V6:") for note in lions.notes)
    assert CARDS["axis-sandstorm"].has("Support Weapon")


def test_march_is_shown_as_it_is_played() -> None:
    card = next(card for card in CARDS if card.move and card.march != 2 * card.move)
    face = FAMILY.face(card)
    assert {figure.name: figure.value for figure in face.figures}["March"] == f"{2 * card.move} ({20 * card.move} cm)"
    assert any(remark.label == "Printed march" and str(card.march) in remark.text for remark in face.remarks)


def test_only_rules_that_the_game_does_not_know_are_flagged() -> None:
    unknown = {name for card in CARDS for name in FAMILY.unknown_rules(card)}
    assert {"Crazy Jimmy", "Follow Me", "Interrogate", "Mercenary"} <= unknown
    assert len(unknown) == 18 and not {"Assassin", "Zombie", "Flame", "Expert", "Fast"} & unknown


@pytest.mark.rule("bf.setup.ap_limit")
def test_the_limit_holds() -> None:
    pair = (ArmyUnit("allies-pounder"), ArmyUnit("allies-blackhawk"))  # 14 + 7
    assert check(*pair, points=21) == []
    assert check(*pair, points=20) == ["bf.setup.ap_limit"]


@pytest.mark.rule("bf.hero.unique")
def test_no_hero_stands_twice_in_whatever_version() -> None:
    assert check(ArmyUnit("axis-angela-sniper"), ArmyUnit("axis-angela-spy"), bloc="Axis") == ["bf.hero.unique"]
    assert check(ArmyUnit("axis-angela-sniper"), bloc="Axis") == []


def test_one_bloc_is_advice_and_no_rule() -> None:
    report = check_army(Army("battlefield", "x", 100, (ArmyUnit("axis-luther"),), bloc="Allies"))
    assert report.ok and "belongs to Axis" in report.warnings[0].message


def test_one_commissar_a_unit() -> None:
    both = {"commissar-tank-hunter": 1, "commissar-machine-gunner": 1}
    assert check(ArmyUnit("ssu-frontoviki", options=both), bloc="SSU") == ["bf.skill.commissar"]


def test_riders_need_room() -> None:
    faults = check(ArmyUnit("allies-recon-boys", mounted_in="allies-pounder"), ArmyUnit("allies-pounder"))
    assert set(faults) == {"bf.transport.spaces"}


def test_cards_of_dust_1947_are_lent_under_their_conversion() -> None:
    lent = CARDS.lent
    assert len(lent) > 150 and not set(lent) & set(CARDS.cards)
    card = next(iter(lent.values()))
    home = family("dust1947").catalogue[card.id]
    assert CARDS[card.id] is card and (card.points, card.weapons) == (home.points, home.weapons)
    assert card.ruleset == "battlefield" and home.ruleset == "dust1947"
    assert "d47-bf-1" in FAMILY.face(card).origin
    report = check_army(Army("battlefield", "x", 1000, (ArmyUnit(card.id),), bloc=card.bloc))
    assert report.ok and "d47-bf-1" in " ".join(fault.message for fault in report.warnings)
    assert card not in list(CARDS)


def test_the_shipped_files_are_what_the_facts_say(shared: Path) -> None:
    facts = {row["id"]: row for row in json.loads((shared / "data/battlefield-units.json").read_text(encoding="utf-8"))}
    assert set(facts) == set(CARDS.cards)
    for card in CARDS:
        row = facts[card.id]
        assert (card.points, card.armour_class) == (row["ap"], row["armour"])
        if not row.get("suspect"):
            assert (card.move, card.march) == (row["move"], row["march"])


def test_the_catalogues_of_battlescribe_1_are_imported(shared: Path) -> None:
    cards = import_files(sorted((shared / "data/battlescribe/dusttactics").iterdir())).cards
    assert cards is not None and cards.ruleset == "battlefield"
    ours = {card.id: card for card in cards.cards if card.id in CARDS.cards}
    assert len(ours) >= 236
    same = [card for card in ours.values() if (card.points, card.armour_class) == price_and_armour(card.id)]
    assert len(same) == len(ours)


def price_and_armour(card_id: str) -> tuple[int, str]:
    return CARDS[card_id].points, CARDS[card_id].armour_class
