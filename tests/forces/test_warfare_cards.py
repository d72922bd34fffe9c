"""Warfare cards: converted by stated formulas, said wherever they are shown, replaced by anybody's own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from dieselfront.forces import families
from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.army_check import check_army
from dieselfront.forces.families import family
from dieselfront.forces.muster import muster

CARDS = family("warfare").catalogue


def army(*units: ArmyUnit, points: int = 1000) -> Army:
    return Army("warfare", "x", points, units, bloc="Allies")


def rules(*units: ArmyUnit, points: int = 1000) -> list[str]:
    return [fault.rule for fault in check_army(army(*units, points=points)).errors]


def test_all_cards_are_there_and_say_what_they_are() -> None:
    assert Counter(card.bloc for card in CARDS) == {"Allies": 90, "Axis": 90, "SSU": 78, "Mercenaries": 5}
    for card in CARDS:
        assert card.conversion == "bf-dw-1"
        assert "converted" in family("warfare").face(card).origin
        assert "converted" in family("warfare").document(card)["origin"]
    assert sum(card.price != "converted" for card in CARDS) == 12


def test_a_card_reads_as_the_formulas_say() -> None:
    card = CARDS["allies-recon-boys"]
    assert (card.armor_class, card.move, card.models, card.capacity, card.points) == ("S2", 6, 5, 1, 18)
    rifle = card.weapon("m1-automatic-rifle")
    assert (rifle.range, rifle.reach, str(rifle.cells["S2"]), rifle.count) == (18, "ranged", "2/1", 4)
    assert "V7" not in rifle.cells
    assert card.soldiers[0].roles == ("leader",)
    carried = Counter(line for soldier in card.soldiers for line in soldier.weapons)
    assert carried == {0: 4, 1: 4, 2: 1}


def test_ranges_of_close_combat_artillery_and_bombs() -> None:
    ranges = {weapon.reach: (weapon.range, weapon.min_range) for card in CARDS for weapon in card.weapons}
    assert ranges["close"] == (3, 0) and ranges["artillery"] == (36, 12) and ranges["bomb"] == (0, 0)
    mortar = CARDS["allies-leathernecks"].weapon("m47-120mm-mortar")
    assert mortar.crewed and mortar.cells["S1"].spray == 1 and mortar.cells["S1"].dice == 0
    assert all(2 not in soldier.weapons for soldier in CARDS["allies-leathernecks"].soldiers)


def test_side_weapons_stand_left_and_right() -> None:
    arcs = [weapon.arc for weapon in CARDS["allies-recon-mickey"].weapons]
    assert arcs.count("left") == arcs.count("right") == 1


def test_a_commissar_joins_the_soldiers_with_a_converted_profile() -> None:
    unit = muster(army(ArmyUnit("ssu-frontoviki", options={"commissar-tank-hunter": 1})))[0]
    assert unit.points == 16 + 7
    assert unit.fielded.models == 6 and unit.fielded.has("Commissar") and unit.fielded.has("Badass")
    bazooka = unit.fielded.weapon("ptrs-47-bazooka")
    assert bazooka.range == 12 and str(bazooka.cells["V1"]) == "1/5" and str(bazooka.cells["S1"]) == "1/1"


@pytest.mark.rule("dw.setup.army_points")
def test_the_total_agreed_is_not_exceeded() -> None:
    two = (ArmyUnit("allies-pounder"), ArmyUnit("allies-the-boss"))  # 32 + 25
    assert rules(*two, points=57) == []
    assert rules(*two, points=56) == ["dw.setup.army_points"]


def test_heroes_join_units_of_their_own_move_and_armor() -> None:
    joe = ArmyUnit("allies-bazooka-joe", joins="allies-recon-boys")
    assert rules(joe, ArmyUnit("allies-recon-boys")) == []
    heavy = ArmyUnit("allies-bazooka-joe", joins="allies-grim-reapers")
    assert set(rules(heavy, ArmyUnit("allies-grim-reapers"))) == {"dw.hero.join"}
    assert (
        rules(ArmyUnit("allies-ozz-117", joins="allies-recon-boys"), ArmyUnit("allies-recon-boys"))[0] == "dw.hero.join"
    )


def test_passengers_need_room() -> None:
    carrier = next(
        card for card in CARDS if card.ability("Carry Capacity") and card.ability("Carry Capacity").number == 6
    )
    squad = ArmyUnit("allies-recon-boys", mounted_in=carrier.id)
    assert rules(ArmyUnit(carrier.id), squad) == []
    two = (squad, ArmyUnit("allies-recon-boys", mounted_in=carrier.id))
    assert rules(ArmyUnit(carrier.id), *two) == ["dw.ability.carry_capacity_size"]
    assert rules(ArmyUnit("allies-pounder"), ArmyUnit("allies-recon-boys", mounted_in="allies-pounder")) == [
        "dw.ability.carry_capacity"
    ]


def test_the_shape_of_platoons_is_advice_and_no_rule() -> None:
    report = check_army(army(ArmyUnit("allies-recon-boys")))
    assert report.ok and "Command Section" in report.warnings[0].message


def test_homebrew_replaces_a_card_and_then_says_nothing_of_conversions(home: Path) -> None:
    changed = {"id": "allies-recon-boys", "points": 20}
    own = {"id": "allies-pounder", "conversion": "", "points": 40}
    path = home / "cards" / "mine.json"
    path.write_text(json.dumps({"ruleset": "warfare", "cards": [changed, own]}), encoding="utf-8")
    families.forget()
    cards = family("warfare").catalogue
    assert cards["allies-recon-boys"].points == 20 and "converted" in cards["allies-recon-boys"].origin
    assert cards["allies-pounder"].points == 40 and cards["allies-pounder"].origin == ""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "cards").mkdir()
    monkeypatch.setenv("DIESELFRONT_HOME", str(tmp_path))
    families.forget()
    yield tmp_path
    monkeypatch.undo()
    families.forget()


def test_the_printed_sheet_says_that_cards_are_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fpdf")
    from dieselfront.forces.sheet import Sheet, print_army

    words: list[str] = []
    write = Sheet.text

    def listening(self: Sheet, x: float, y: float, text: str, size: float, style: str = "") -> None:
        words.append(text)
        write(self, x, y, text, size, style)

    monkeypatch.setattr(Sheet, "text", listening)
    print_army(army(ArmyUnit("allies-recon-boys"), ArmyUnit("allies-pounder")), tmp_path / "x.pdf")
    assert sum("converted from the Battlefield card" in row for row in words) == 2


def test_the_shipped_files_are_what_the_tool_makes_of_the_facts(shared: Path) -> None:
    facts = {row["id"]: row for row in json.loads((shared / "data/dustwarfare-units.json").read_text(encoding="utf-8"))}
    assert list(facts) and set(facts) == set(CARDS.cards)
    for card in CARDS:
        row = facts[card.id]
        assert (card.points, card.move, card.armor) == (row["ap"], row["move"], row["armor"])
        assert (card.models, card.capacity) == (row["models"], row["damage_capacity"])
        assert [str(ref) for ref in card.abilities] == row["abilities"]
        assert sum(weapon.count for weapon in card.weapons) == sum(one["count"] for one in row["weapons"])
