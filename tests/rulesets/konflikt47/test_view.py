"""What a screen is told about units: leaders, specialists, hulls, and where those are who are not on the table."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from dieselfront.kernel.views import HullView
from dieselfront.rulesets.konflikt47.events import Placed, Scored
from dieselfront.rulesets.konflikt47.forces_in import read_unit
from dieselfront.rulesets.konflikt47.state import ABOARD, TABLE, Unit
from dieselfront.rulesets.konflikt47.view import hull_view, models_view, own_weapon, rank_and_file, unit_view
from dieselfront.table.measured.shapes import Body, hull, round_base


@pytest.mark.parametrize(
    "how, where, sentence",
    [
        ("is set up", "", "blue-1 is set up"),
        ("enters", "east house", "blue-1 enters east house"),
        ("starts mounted", "blue-2", "blue-1 starts mounted on blue-2"),
        ("dismounts", "blue-2", "blue-1 dismounts from blue-2"),
    ],
)
def test_places_are_told_as_people_say_them(how: str, where: str, sentence: str) -> None:
    assert Placed("k47.game.deploy", "blue-1", how, (), 0, where).sentence() == sentence


def test_points_at_the_end_are_told_with_what_they_are_for() -> None:
    told = Scored("k47.game.victory", (10, 2), "both").sentence()
    assert told == "Victory points: 10 to 2, for objectives held and enemy units destroyed"


def a_unit(card: str, **fields: Any) -> Unit:
    unit = Unit("blue-1", 0, read_unit({"card": card, **fields}))
    unit.place = TABLE
    return unit


def test_the_leader_and_those_with_a_weapon_of_their_own_are_marked() -> None:
    unit = a_unit("germany-medium-machine-gun-team")
    unit.bodies = [Body(round_base(25), 100 + 30 * man, 100) for man in unit.men]
    models = models_view(unit)
    assert [model.role for model in models].count("gunner") == 1
    assert (models[0].x, models[0].y, models[0].base) == (100, 100, 25) and models[0].name
    assert any(model.weapon is not UNSET for model in models)


def test_what_most_of_a_squad_carries_marks_nobody() -> None:
    squad = a_unit("soviet-union-infantry-squad")
    common = rank_and_file(squad.card)
    plain = [man for man in squad.men if squad.card.men[man].weapons == common]
    assert len(plain) > 1 and all(not own_weapon(squad, man, common) for man in plain)


def test_a_hull_is_told_at_its_true_size_and_heading() -> None:
    tank = a_unit("germany-tiger-ii")
    tank.heading = 135
    tank.bodies = [Body(hull(70, 140), 500, 600, 135)]
    assert hull_view(tank) == HullView(x=500, y=600, heading=135, length=140, width=70)
    shown = unit_view(tank)
    assert shown.locomotion == "tracked" and any("AT Gun" in weapon for weapon in shown.weapons or ())


def test_who_rides_or_hides_is_told_with_its_carrier_or_floor() -> None:
    squad = a_unit("soviet-union-infantry-squad")
    squad.place, squad.carrier = ABOARD, "blue-9"
    shown = unit_view(squad)
    assert (shown.carrier, shown.building, shown.floor) == ("blue-9", "", 0)
    squad.place, squad.carrier, squad.building = TABLE, "", "farm"
    squad.floor = 1
    shown = unit_view(squad)
    assert (shown.carrier, shown.building, shown.floor) == ("", "farm", 1)
