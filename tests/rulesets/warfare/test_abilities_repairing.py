"""Special actions that mend: medics, mechanics, self repair, serum, engineers, and expert tools."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.warfare.damage_tables import BLINDED, DRIVE
from dieselfront.rulesets.warfare.state import HIGH, LOW
from rulesets.warfare.duels import kill
from rulesets.warfare.field import BLUE, RED, Field, gap, hero, plane, squad, vehicle, weapon

HIGH_WALL = {"kind": "high-wall", "line": [[20, 20], [60, 20]]}


def helped(helper, patient, inches: float = 5, *terrain, base: int = 25, **given):
    """A helper at (900, 600), and a friend in need north of him."""
    field = Field(*terrain)
    a = field.put(BLUE, helper, 900, 600)
    b = field.put(BLUE, patient, 900, 600 - gap(inches, 25, base), **given)
    return field, a, b


# -- medics ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.medic")
def test_a_medic_takes_off_a_marker_and_on_a_hit_brings_a_casualty_back():
    for die, men in (("H", 4), ("B", 3)):
        field, a, b = helped(squad(1, abilities=["Medic"]), squad(5), suppression=2)
        kill(field, b, 3)
        kill(field, b, 4)
        ran = field.activate(a, ("heal",), die, {"heal": b.id})
        assert b.suppression == 1 and len(b.men) == len(b.bodies) == men
        assert "dw.ability.medic" in ran.rules()
        assert field.rules.leaders.could_be_in_formation(b)


@pytest.mark.rule("dw.ability.medic")
def test_a_medic_heals_a_point_of_damage():
    field, a, b = helped(squad(1, abilities=["Medic"]), hero())
    b.wounds = {0: 2}
    field.activate(a, ("heal",), "H")
    assert b.wounds == {0: 1}


@pytest.mark.rule("dw.ability.medic")
@pytest.mark.parametrize("inches, terrain, possible", [(5.5, (), True), (6.5, (), False), (5.5, (HIGH_WALL,), False)])
def test_a_medic_needs_sight_and_six_inches(inches, terrain, possible):
    field, a, _ = helped(squad(1, abilities=["Medic"]), squad(5), inches, *terrain, suppression=1)
    assert (("heal",) in field.menu(a, 1)) is possible
    assert ("move", "heal") in field.menu(a, 2)  # announced before the move that makes it possible


@pytest.mark.rule("dw.open.medic_targets")
def test_medics_and_mechanics_help_friends_of_their_kind_and_bring_back_no_heroes():
    field, a, b = helped(squad(2, abilities=["Medic"]), squad(3))
    foe = field.put(RED, squad(3), 900, 600 + gap(4), suppression=1)
    walker = field.put(BLUE, vehicle(2), 750, 600)
    walker.wounds = {0: 1}
    assert ("heal",) not in field.menu(a, 1) and foe.suppression
    a.suppression = 1
    assert ("heal",) in field.menu(a, 1)  # the own unit
    a.suppression = 0
    field.join(field.put(BLUE, hero(), 200, 200), b)
    kill(field, b, b.hero)
    assert ("heal",) not in field.menu(a, 1)
    mechanic = field.put(BLUE, squad(1, abilities=["Mechanic"]), 700, 600)
    assert ("repair",) in field.menu(mechanic, 1)
    walker.wounds = {}
    aircraft = field.put(BLUE, plane(), 640, 600, altitude=LOW)
    aircraft.wounds = {0: 1}
    assert ("repair",) in field.menu(mechanic, 1)
    aircraft.altitude = HIGH
    assert ("repair",) not in field.menu(mechanic, 1)


# -- mechanics ----------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.mechanic")
@pytest.mark.parametrize("die, damage", [("H", 1), ("B", 2)])
def test_a_mechanic_removes_an_effect_and_on_a_hit_a_point(die, damage):
    field, a, b = helped(squad(1, abilities=["Mechanic"]), vehicle(2), 5, base=50, effects=(BLINDED,))
    b.wounds = {0: 2}
    field.activate(a, ("repair",), die)
    assert b.effects == () and b.wounds == {0: damage}


@pytest.mark.rule("dw.ability.mechanic")
def test_a_mechanic_reaches_six_inches_and_repairs_no_sound_vehicle():
    field, a, b = helped(squad(1, abilities=["Mechanic"]), vehicle(2), 6.5, base=50)
    b.wounds = {0: 2}
    assert ("repair",) not in field.menu(a, 1)
    field, a, b = helped(squad(1, abilities=["Mechanic"]), vehicle(2), 5, base=50)
    assert ("repair",) not in field.menu(a, 1)


@pytest.mark.rule("dw.ability.tank_head")
@pytest.mark.parametrize("die, damage", [("B", 1), ("H", 2)])
def test_a_tank_head_repairs_on_a_blank(die, damage):
    field, a, b = helped(hero(abilities=["Tank Head"]), vehicle(2), 5, base=50)
    b.wounds = {0: 2}
    field.activate(a, ("repair",), die)
    assert b.wounds == {0: damage}


@pytest.mark.rule("dw.ability.engineer_vehicle_mechanic")
def test_an_engineer_vehicle_is_a_mechanic():
    field = Field()
    a = field.put(BLUE, vehicle(3, abilities=["Engineer Vehicle"]), 900, 600)
    b = field.put(BLUE, vehicle(3), 900, 600 - gap(6, 60, 60), effects=(DRIVE,))
    ran = field.activate(a, ("repair",))
    assert b.effects == () and "dw.ability.engineer_vehicle_mechanic" in ran.rules()


@pytest.mark.rule("dw.ability.self_repair")
def test_self_repair_removes_an_effect_and_on_a_hit_a_point():
    field = Field()
    a = field.put(BLUE, vehicle(3, abilities=["Self Repair"]), effects=(DRIVE,))
    a.wounds = {0: 3}
    assert ("move",) not in field.menu(a, 1)
    field.activate(a, ("self repair",), "H")
    assert a.effects == () and a.wounds == {0: 2}
    assert ("move",) in field.menu(a, 1)


@pytest.mark.rule("dw.weapon.expert_repair")
@pytest.mark.parametrize("die, damage", [("B", 1), ("H", 2)])
def test_expert_tools_invert_the_die_of_repairs(die, damage):
    tools = [weapon("Wrench", "C", "1/1", rules=["Expert Repair"])]
    field, a, b = helped(squad(1, tools, abilities=["Mechanic"]), vehicle(2), 5, base=50)
    b.wounds = {0: 2}
    field.activate(a, ("repair",), die)
    assert b.wounds == {0: damage}
    field = Field()
    c = field.put(BLUE, vehicle(3, abilities=["Self Repair", "Expert Repair"]))
    c.wounds = {0: 2}
    field.activate(c, ("self repair",), die)
    assert c.wounds == {0: damage}


@pytest.mark.rule("dw.open.invert_twice")
def test_tank_head_and_expert_tools_invert_only_once():
    field, a, b = helped(hero(abilities=["Tank Head", "Expert Repair"]), vehicle(2), 5, base=50)
    b.wounds = {0: 2}
    field.activate(a, ("repair",), "B")
    assert b.wounds == {0: 1}


# -- serum ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.wiederbelebungsserum")
def test_the_serum_restores_a_point_for_each_hit():
    field = Field()
    a = field.put(BLUE, hero(abilities=["Wiederbelebungsserum"]))
    assert ("regenerate",) not in field.menu(a, 1)
    a.wounds = {0: 3}
    field.activate(a, ("regenerate",), "HHB")
    assert a.wounds == {0: 1}


@pytest.mark.rule("dw.ability.wiederbelebungsserum")
def test_the_serum_brings_fallen_miniatures_back():
    field = Field()
    a = field.put(BLUE, squad(4, abilities=["Wiederbelebungsserum"]))
    for man in (1, 2, 3):
        kill(field, a, man)
    field.activate(a, ("regenerate",), "HHB")
    assert len(a.men) == len(a.bodies) == 3


@pytest.mark.rule("dw.ability.wiederbelebungsserum_medic")
def test_the_serum_heals_zombies_only():
    field, a, b = helped(hero(abilities=["Wiederbelebungsserum"]), squad(5, abilities=["Blutkreuz Zombie"]))
    kill(field, b, 4)
    grenadiers = field.put(BLUE, squad(5), 900, 600 + gap(4))
    kill(field, grenadiers, 4)
    ran = field.activate(a, ("heal zombies",), "H")
    assert len(b.men) == 5 and "dw.ability.wiederbelebungsserum_medic" in ran.rules()
    assert ("heal zombies",) not in field.menu(a, 1)  # the grenadiers are no zombies


# -- engineers ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.engineer_vehicle")
@pytest.mark.parametrize("inches, possible", [(2.5, True), (4, False)])
def test_an_engineer_vehicle_removes_an_obstacle_within_three_inches(inches, possible):
    y = (600 - 30) / 25.4 - inches
    wire = {"kind": "barbed-wire", "id": "wire", "line": [[30, y], [40, y]]}
    field = Field(wire)
    a = field.put(BLUE, vehicle(3, abilities=["Engineer Vehicle"]), 900, 600)
    assert (("remove an obstacle",) in field.menu(a, 1)) is possible
    if possible:
        ran = field.activate(a, ("remove an obstacle",))
        assert not [piece for piece in field.state.table.pieces if piece.id == "wire"]
        assert "dw.ability.engineer_vehicle" in ran.rules() and not ran.of("Rolled")


@pytest.mark.rule("dw.weapon.demolition", "dw.open.demolition_dice")
def test_demolition_removes_a_defence_for_each_hit():
    y = (600 - 30) / 25.4 - 1
    wires = [{"kind": "barbed-wire", "id": f"wire {n}", "line": [[30 + n, y], [40, y]]} for n in (1, 2)]
    saw = [weapon("Saw", "C", "2/1", "3/2", rules=["Demolition"])]
    for dice, left in (("HBB", 1), ("BBB", 2), ("HHB", 0)):
        field = Field(*wires)
        a = field.put(BLUE, vehicle(3, saw), 900, 600)
        field.activate(a, ("demolish",), dice, {"obstacles": ("wire 1", "wire 2")})
        assert len(list(field.state.table.pieces)) == left
    field = Field({"kind": "hedge", "line": [[30, y], [40, y]]})
    assert ("demolish",) not in field.menu(field.put(BLUE, vehicle(3, saw), 900, 600), 1)
