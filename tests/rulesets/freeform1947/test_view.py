"""What a screen is told about models on the open table: the leader, weapons of their own, wounds, buildings."""

from __future__ import annotations

from dieselfront.rulesets.freeform1947 import RULESET
from rulesets.dust1947.table import hero, squad, vehicle, weapon
from rulesets.freeform1947.field import Field, house


def test_the_first_model_leads_and_a_lone_one_needs_no_mark() -> None:
    field = Field()
    field.put(squad(weapon(), men=3), (300, 300))
    field.put(hero(), (600, 300))
    rifles, lone = RULESET.view(field.state)["units"]
    assert [model.get("role") for model in rifles["models"]] == ["leader", None, None]
    assert "role" not in lone["models"][0]


def test_a_model_with_several_points_of_damage_shows_what_is_left() -> None:
    field = Field()
    unit = field.put(hero(), (300, 300))
    unit.main.damage = 1
    model = RULESET.view(field.state)["units"][0]["models"][0]
    assert (model["left"], model["left_max"]) == (unit.main.card.damage - 1, unit.main.card.damage)


def test_the_table_tells_doors_and_windows_of_buildings() -> None:
    field = Field(house(200, 200, 160, 120))
    field.put(vehicle(weapon()), (600, 600), heading=45)
    shown = RULESET.view(field.state)
    piece = shown["table"]["terrain"][0]
    assert piece["floors"] == 1 and all(len(opening) == 5 for opening in piece["openings"])
    assert shown["units"][0]["hull"]["heading"] == 45
