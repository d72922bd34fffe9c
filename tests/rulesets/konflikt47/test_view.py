"""What a screen is told about units: leaders, specialists, hulls, and where those are who are not on the table."""

from __future__ import annotations

from typing import Any

from dieselfront import rulesets
from dieselfront.rulesets.konflikt47.forces_in import read_unit
from dieselfront.rulesets.konflikt47.state import ABOARD, TABLE, Unit
from dieselfront.rulesets.konflikt47.view import (
    hull_view,
    marks_of,
    models_view,
    rank_and_file,
    unit_facts,
    where_it_is,
)
from dieselfront.table.measured.shapes import Body, hull, round_base

RULES: Any = rulesets.load("konflikt47")


def a_unit(card: str, **fields: Any) -> Unit:
    unit = Unit("blue-1", 0, read_unit({"card": card, **fields}))
    unit.place = TABLE
    return unit


def test_the_leader_and_those_with_a_weapon_of_their_own_are_marked() -> None:
    unit = a_unit("germany-medium-machine-gun-team")
    unit.bodies = [Body(round_base(25), 100 + 30 * man, 100) for man in unit.men]
    models = models_view(unit)
    assert [model.get("role") for model in models].count("gunner") == 1
    assert {"x", "y", "base", "name"} <= models[0].keys() and models[0]["base"] == 25
    assert any("weapon" in model for model in models)


def test_what_most_of_a_squad_carries_marks_nobody() -> None:
    squad = a_unit("soviet-union-infantry-squad")
    common = rank_and_file(squad.card)
    plain = [man for man in squad.men if squad.card.men[man].weapons == common]
    assert len(plain) > 1 and all("weapon" not in marks_of(squad, man, common) for man in plain)


def test_a_hull_is_told_at_its_true_size_and_heading() -> None:
    tank = a_unit("germany-tiger-ii")
    tank.heading = 135
    tank.bodies = [Body(hull(70, 140), 500, 600, 135)]
    assert hull_view(tank)["hull"] == {"x": 500, "y": 600, "heading": 135, "length": 140, "width": 70}
    assert unit_facts(tank)["locomotion"] == "tracked"
    assert any("AT Gun" in weapon for weapon in unit_facts(tank)["weapons"])


def test_who_rides_or_hides_is_told_with_its_carrier_or_floor() -> None:
    squad = a_unit("soviet-union-infantry-squad")
    squad.place, squad.carrier = ABOARD, "blue-9"
    assert where_it_is(squad) == {"carrier": "blue-9", "building": "", "floor": 0}
    squad.place, squad.carrier, squad.building = TABLE, "", "farm"
    squad.notes["floor"] = 1
    assert where_it_is(squad) == {"carrier": "", "building": "farm", "floor": 1}
    assert RULES.view_unit(squad)["building"] == "farm"
