"""Units that stand nowhere: whoever asks what they may do gets an answer, not a stumble over a missing miniature."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.battlefield.flags import AMBUSHES
from dieselfront.rulesets.dust.state import HIDDEN, OFF_BOARD, RESERVE
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust_open.places import at
from rulesets.battlefield.field import RED, Field, Fort, box
from rulesets.dust1947.table import squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)


def everything() -> Field:
    """A table with all that special actions look for within reach."""
    return Field(
        box("wire", 200, 700, 100, 30),
        box("minefield", 400, 700, 100, 100),
        box("trench", 600, 700, 100, 50),
        forts=[Fort("bunker", RED, 180, place=int(at(900, 300)))],
    )


@pytest.mark.rule("bf.turn.declare_actions", "bf.engineer.cut_wire")
@pytest.mark.parametrize("where", ["aboard", "reserve", "ambush", "off"])
def test_the_menu_of_a_unit_off_the_table_is_worked_out(where: str):
    field = everything()
    truck = field.put(vehicle(skills="Passengers (12)"), (300, 900))
    unit = field.put(squad(RIFLE, men=3), aboard=truck if where == "aboard" else None)
    unit.status = {"aboard": "aboard", "reserve": RESERVE}.get(where, OFF_BOARD)
    if where == "ambush":
        unit.set(AMBUSHES | HIDDEN)
    menu = field.rules.activations.menu(Activation(field.play, unit))
    assert menu.sequences


@pytest.mark.rule("bf.engineer.cut_wire")
def test_passengers_may_count_on_leaving_to_cut_the_wire_beside_their_truck():
    near, far = Field(box("wire", 200, 700, 100, 30)), Field(box("wire", 1500, 100, 100, 30))
    offered = []
    for field in (near, far):
        truck = field.put(vehicle(skills="Passengers (12)"), (300, 900))
        unit = field.put(squad(RIFLE, men=3), aboard=truck)
        offered.append("engineering" in field.rules.activations.menu(Activation(field.play, unit)).specials)
    assert offered == [True, False]
