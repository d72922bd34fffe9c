"""Quality, officers, checks, pins (k47.morale.*, k47.pin.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.konflikt47.morale import CHECK, ORDER, REACTION, Occasion
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, squad, tank, team


def value(field: Field, unit, kind: str = ORDER) -> int:
    return field.rules.morale.value(field.state, unit, Occasion(kind, "fire"))[0]


@pytest.mark.rule("k47.morale.quality", "k47.vehicle.quality")
@pytest.mark.parametrize("quality, morale", [("inexperienced", 8), ("regular", 9), ("veteran", 10)])
def test_quality_fixes_basic_morale_for_troops_and_crews(quality, morale):
    field = Field()
    assert value(field, field.put(BLUE, squad(3, quality=quality), 300, 300)) == morale
    crew = field.put(BLUE, tank(quality=quality), 900, 300)
    assert value(field, crew) == morale
    assert crew.card.vehicle.value == 9


@pytest.mark.rule("k47.morale.officers")
@pytest.mark.parametrize(
    "rank, bonus", [("second lieutenant", 1), ("first lieutenant", 2), ("captain", 3), ("major", 4)]
)
def test_rank_fixes_the_officers_bonus(rank, bonus):
    field = Field()
    unit = field.put(BLUE, squad(3, quality="inexperienced"), 600, 400, pins=3)
    field.put(BLUE, squad(1, officer=True, rank=rank), 600, 460)
    assert value(field, unit) == 5 + bonus


@pytest.mark.rule("k47.morale.officer_range")
@pytest.mark.parametrize(
    "rank, option, heard",
    [("second lieutenant", "by_rank", False), ("captain", "by_rank", True), ("captain", "six_inches", False)],
)
def test_lieutenants_are_heard_to_six_inches_captains_to_twelve(rank, option, heard):
    field = Field(officer_range=option)
    unit = field.put(BLUE, squad(3), 600, 400, pins=4)
    field.put(BLUE, squad(1, officer=True, rank=rank), 600, 400 + gap(7))
    assert (value(field, unit) > 5) is heard


@pytest.mark.rule("k47.morale.officer_range")
def test_vehicles_do_not_listen_to_officers_on_foot():
    field = Field()
    crew = field.put(BLUE, tank(), 600, 400, pins=2)
    field.put(BLUE, squad(1, officer=True, rank="major"), 600, 500)
    assert value(field, crew) == 7


@pytest.mark.rule("k47.morale.officer_stack")
def test_only_the_best_officer_counts():
    field = Field()
    unit = field.put(BLUE, squad(3), 600, 400, pins=5)
    field.put(BLUE, squad(1, officer=True, rank="second lieutenant"), 600, 460)
    field.put(BLUE, squad(1, officer=True, rank="captain"), 700, 460)
    assert value(field, unit) == 7


@pytest.mark.rule("k47.morale.check", "k47.pin.morale")
def test_a_failed_check_destroys_and_removes_no_pin_and_is_no_fubar():
    field = Field()
    unit = field.put(BLUE, squad(3), 600, 400, pins=1)
    ran = field.run(lambda play: field.rules.morale.check_or_die(play, unit, "test", "k47.morale.check"), [6, 6])
    assert not unit.alive and not ran.of("Fubar")
    unit = field.put(BLUE, squad(3), 600, 400, pins=1)
    ran = field.run(lambda play: field.rules.morale.check_or_die(play, unit, "test", "k47.morale.check"), [4, 4])
    assert unit.alive and unit.pins == 1


@pytest.mark.rule("k47.morale.check_causes", "k47.special.horror")
def test_failing_the_check_of_horror_only_forbids_reactions():
    field = Field()
    horror = field.put(BLUE, squad(3, rules=["Horror"]), 600, 400, order="run")
    victim = field.put(RED, squad(5), 600, 400 + gap(8))
    ran = field.run(lambda play: field.rules.assault.horror(play, horror, victim), [6, 6])
    assert ran.result is False and victim.alive
    assert ran.of("Tested")[0].needed == 8


def volley(field: Field, losses: int, before: int, *, dice: list[int] | None = None, **card):
    """A squad of `before` loses so many to one volley of rifles."""
    firer = field.put(RED, squad(losses), 600, 400 + gap(10))
    target = field.put(BLUE, squad(before, **card), 600, 400, order="fire")
    ran = field.shoot(
        firer, target, [6] * losses + [5] * losses + (dice or []), answers={"casualties": tuple(range(losses))}
    )
    return target, ran


@pytest.mark.rule("k47.morale.half", "k47.pin.timing")
def test_losing_half_to_one_volley_calls_for_a_check_with_the_new_pin():
    target, ran = volley(Field(), 4, 8, dice=[4, 5])
    assert ran.of("Tested")[0].needed == 8
    assert not target.alive
    target, ran = volley(Field(), 3, 8)
    assert not ran.of("Tested") and target.pins == 1


@pytest.mark.rule("k47.morale.one_check", "k47.wrule.flame_pins")
def test_flames_and_half_losses_are_one_check():
    field = Field()
    firer = field.put(RED, team("Flamethrower (Infantry)", 2), 600, 400 + gap(3))
    target = field.put(BLUE, squad(8), 600, 400, order="fire")
    dice = [6, 2, 5, 5, 5, 5, 5, 5, 1, 1, 6]  # hit, D3 pins 1+1, five flames, damage, check, fuel
    ran = field.shoot(firer, target, dice, answers={"casualties": (0, 1, 2, 3, 4)})
    assert len(ran.of("Tested")) == 1
    assert target.pins == 2


@pytest.mark.rule("k47.morale.nco")
def test_losing_the_nco_costs_one_morale_for_good():
    field = Field()
    unit = field.put(BLUE, squad(5, nco=True), 600, 400)
    field.run(lambda play: field.rules.losses.remove(play, unit, [0]))
    assert value(field, unit) == 8
    plain = field.put(BLUE, squad(5), 600, 700)
    field.run(lambda play: field.rules.losses.remove(play, plain, [0]))
    assert value(field, plain) == 9


@pytest.mark.rule("k47.morale.rout")
@pytest.mark.parametrize(
    "quality, pins, alive", [("inexperienced", 8, False), ("regular", 8, True), ("regular", 9, False)]
)
def test_as_many_pins_as_basic_morale_destroy_the_unit(quality, pins, alive):
    field = Field()
    unit = field.put(BLUE, squad(3, quality=quality), 600, 400, pins=pins - 1)
    field.put(BLUE, squad(1, officer=True, rank="major"), 600, 460)
    field.run(lambda play: field.rules.morale.pin(play, unit, 1, "k47.pin.gain"))
    assert unit.alive is alive


@pytest.mark.rule("k47.open.vehicle_rout")
def test_a_crew_with_too_many_pins_abandons_its_vehicle():
    field = Field()
    unit = field.put(BLUE, tank(), 600, 400, pins=8)
    field.run(lambda play: field.rules.morale.pin(play, unit, 1, "k47.pin.gain"))
    assert not unit.alive
    assert any(piece.kind.id == "wreck" for piece in field.state.table.pieces)


@pytest.mark.rule("k47.pin.gain", "k47.shoot.simultaneous")
def test_one_pin_for_being_hit_however_often():
    field = Field()
    firer = field.put(RED, squad(9), 600, 400 + gap(10))
    target = field.put(BLUE, squad(5), 600, 400, order="fire")
    field.shoot(firer, target, [6] * 9 + [1] * 9)
    assert target.pins == 1 and len(target.men) == 5
    field.shoot(firer, target, [1] * 9)
    assert target.pins == 1


@pytest.mark.rule("k47.pin.to_hit")
@pytest.mark.parametrize("pins, need", [(0, 3), (2, 5), (4, 7)])
def test_every_pin_spoils_the_shooting(pins, need):
    field = Field()
    firer = field.put(BLUE, squad(3), 600, 400, pins=pins)
    target = field.put(RED, squad(5), 600, 400 + gap(10))
    assert field.need(firer, target) == need


@pytest.mark.rule("k47.pin.morale")
@pytest.mark.parametrize("kind", [ORDER, REACTION, CHECK])
def test_pins_lower_morale_in_every_kind_of_test(kind):
    field = Field()
    unit = field.put(BLUE, squad(3, quality="veteran"), 600, 400, pins=4)
    assert value(field, unit, kind) == 6


@pytest.mark.rule("k47.pin.armour_small_arms", "k47.damage.small_arms_armour", "k47.vehicle.open_topped")
@pytest.mark.parametrize("rules, pins", [([], 0), (["Open-Topped"], 1)])
def test_small_arms_do_not_pin_closed_armour_and_never_damage_it(rules, pins):
    field = Field()
    firer = field.put(BLUE, squad(2, "LMG"), 600, 400)
    target = field.put(RED, tank("carrier", (), rules=rules), 600, 700, heading=90, order="fire")
    ran = field.shoot(firer, target, [6] * 6, answers={"suppressive fire": False})
    assert target.pins == pins
    assert not ran.of("Damaged")


@pytest.mark.rule("k47.pin.armour_no_chance")
@pytest.mark.parametrize("armour, pins, dice", [("medium tank", 0, []), ("armoured car", 1, [1, 1, 1])])
def test_heavy_hits_that_cannot_hurt_do_not_pin(armour, pins, dice):
    field = Field()
    firer = field.put(BLUE, team("HMG"), 600, 400, heading=180)
    target = field.put(RED, tank(armour), 600, 700, order="fire")
    field.shoot(firer, target, [6, 6, 6, *dice])
    assert target.pins == pins


@pytest.mark.rule("k47.pin.he_replaces", "k47.he.pins", "k47.he.hits", "k47.he.table")
def test_he_pins_replace_the_single_pin():
    field = Field()
    firer = field.put(BLUE, team("Medium Mortar"), 600, 100, heading=180)
    target = field.put(RED, squad(10), 600, 100 + gap(25), order="fire")
    ran = field.shoot(firer, target, [6, 4, 3, 1, 1, 1], answers={"weapons": ((0, "indirect", target.id),)})
    assert target.pins == 2  # D2 shows 2
    assert [event.total for event in ran.of("Counted")] == [2, 3]


@pytest.mark.rule("k47.pin.remove")
def test_pins_never_fall_below_zero():
    field = Field()
    unit = field.put(BLUE, squad(3), 600, 400, pins=1)
    field.order(unit, "ambush", [1, 1])
    assert unit.pins == 0


@pytest.mark.rule("k47.wrule.team_one_man", "k47.artillery.crew_lost")
@pytest.mark.parametrize("card", [team("MMG"), gun("Medium AT Gun")])
def test_a_crew_of_one_man_has_less_heart_and_aim(card):
    field = Field()
    unit = field.put(BLUE, card, 600, 400, heading=180)
    target = field.put(RED, squad(5), 600, 400 + gap(12))
    before = field.need(unit, target)
    for man in unit.men[1:]:
        unit.lose(man)
    assert value(field, unit) == 8
    assert field.need(unit, target) == before + 1


@pytest.mark.rule("k47.vehicle.command", "k47.vehicle.command_senior")
@pytest.mark.parametrize(
    "rules, bonus",
    [(["Command Vehicle"], 1), (["Senior Command Vehicle"], 3), (["Command Vehicle", "Radio Network"], 2)],
)
def test_command_vehicles_steady_armour_within_twelve_inches(rules, bonus):
    field = Field()
    command = field.put(BLUE, tank(rules=rules), 600, 400, pins=3)
    near = field.put(BLUE, tank(), 600, 640, pins=4)
    far = field.put(BLUE, tank(), 600, 1100, pins=4)
    assert value(field, command) == 6 + bonus
    assert value(field, near) == 5 + bonus
    assert value(field, far) == 5
    assert not field.rules.orders.may_snap(field.state, command, "fire")
