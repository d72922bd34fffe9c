"""Konflikt '47 cards: prices by experience, weapons, options and what a bought unit carries."""

from __future__ import annotations

from collections import Counter

import pytest

from dieselfront.forces import ForcesError, konflikt_catalogue
from dieselfront.rulesets.konflikt47.army.card_files import read_arc, read_inches, read_pen
from dieselfront.rulesets.konflikt47.army.cards import build

CARDS = konflikt_catalogue()
FALL = CARDS["germany-fallschirmjaeger-squad"]


def test_every_unit_of_every_nation_is_there() -> None:
    nations = Counter(card.nation for card in CARDS)
    assert nations == {
        "Germany": 80,
        "United States": 68,
        "Great Britain": 83,
        "Soviet Union": 65,
        "Japan": 52,
        "Finland": 36,
        "Italy": 189,
    }
    assert sum(card.borrowed_from is None for card in CARDS) == 447


def test_every_card_has_prices_models_damage_values_and_vehicles_a_rate_of_movement() -> None:
    for card in CARDS:
        assert card.points and card.models_min >= 1, card.id
        assert set(card.damage_values) == set(card.points), card.id
        assert all(hull.advance > 0 and hull.run > hull.advance for hull in card.vehicles), card.id


@pytest.mark.parametrize(
    ("text", "ranges"),
    [('36"', (0, None, 36)), ('6-18"', (6, None, 18)), ('0/24-48"', (0, 24, 48)), ("-", (0, None, 0))],
)
def test_ranges_in_inches_are_read(text: str, ranges: tuple[int, int | None, int]) -> None:
    assert read_inches(text) == ranges


@pytest.mark.parametrize(
    ("text", "pen"), [("-", (0, None)), ("+6", (6, None)), ("+1/+7", (1, 7)), ("HE", (None, None)), ("-1", (-1, None))]
)
def test_penetration_is_read(text: str, pen: tuple[int | None, int | None]) -> None:
    assert read_pen(text) == pen


def test_a_weapons_name_tells_its_arc() -> None:
    assert read_arc("Hull-Mounted Forward-Facing MMG") == "front"
    assert read_arc("Turret-Mounted Heavy AT Gun") == "all"
    assert read_arc("360-Degree Pintle-Mounted MMG") == "all"
    assert read_arc("Rifle") is None


def test_the_plainest_build_costs_the_cards_price() -> None:
    for card in CARDS:
        for level in card.experiences:
            assert build(card, level).points == card.points[level], card.id


def test_more_men_cost_the_price_of_the_plainest_soldier() -> None:
    assert build(FALL, "regular", 8).points == 50 + 3 * 10
    assert build(FALL, "veteran", 8).points == 65 + 3 * 13
    assert build(FALL, "regular", 8).weapons["rifle"] == 8


def test_a_soldier_with_another_weapon_costs_the_difference() -> None:
    bought = build(FALL, "regular", 5, {"soldier-with-smg": 2, "soldier-with-lmg": 1})
    assert bought.points == 50 + 2 * 3 + 20
    assert bought.weapons == {"rifle": 2, "smg": 2, "lmg": 1}


def test_what_is_priced_per_model_counts_all_models() -> None:
    assert build(FALL, "regular", 7, {"anti-tank-grenades": 1}).points == 70 + 7 * 2


def test_the_leaders_weapon_replaces_his_plain_one() -> None:
    bought = build(FALL, "regular", 5, {"assault-rifle": 1})
    assert bought.points == 55
    assert bought.weapons == {"rifle": 4, "assault-rifle": 1}


def test_an_option_beyond_its_limit_is_refused() -> None:
    with pytest.raises(ForcesError, match="at most 2"):
        build(FALL, "regular", 10, {"soldier-with-lmg": 3})


def test_an_experience_the_unit_does_not_come_in_is_refused() -> None:
    with pytest.raises(ForcesError, match="regular or veteran"):
        build(FALL, "inexperienced")


def test_an_unknown_option_names_the_nearest() -> None:
    with pytest.raises(ForcesError, match="soldier-with-smg"):
        build(FALL, "regular", 5, {"soldier-with-smgg": 1})


def test_an_option_for_a_model_needs_the_model() -> None:
    officer = CARDS["germany-officer"]
    with pytest.raises(ForcesError, match="has none"):
        build(officer, "regular", None, {"soldier-smg": 1})
    assert build(officer, "regular", None, {"soldier": 1, "soldier-smg": 1}).models == 2


def test_settled_prices_say_so_in_the_notes() -> None:
    hetzer = CARDS["germany-hetzer"]
    assert hetzer.points["regular"] == 230
    assert any(note.startswith("points") for note in hetzer.notes)


def test_rocket_launchers_without_numbers_got_those_of_the_multiple_launcher() -> None:
    launcher = CARDS["soviet-union-katyusha"].weapon("katyusha")
    assert (launcher.range_min, launcher.range_max, launcher.he) == (18, 72, "2D6")


def test_a_card_is_shown_with_the_numbers_of_the_charts_that_play_uses() -> None:
    """The facts of the catalogue give machine guns a shot more than the charts of the game."""
    from dieselfront.forces.families import family
    from dieselfront.rulesets.konflikt47.forces_in import read_unit

    shown = different = 0
    for card in CARDS:
        unit = read_unit({"card": card.id})
        played = {(weapon.name, weapon.shots) for weapon in unit.weapons if weapon.shoots}
        rows = {
            (row.name.partition(": ")[2] or row.name, row.cells[1]) for row in family("konflikt47").face(card).weapons
        }
        names = {name for name, _ in rows}
        for name, shots in played:
            if name in names:
                shown += 1
                assert (name, shots) in rows, (card.id, name)
        different += any(weapon.name == "LMG" and weapon.shots == "4" for weapon in card.weapons)
    assert shown > 500 and different > 20
