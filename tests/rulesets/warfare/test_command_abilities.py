"""Abilities of the Command phase (dw.ability.radioman, dw.ability.command_squad_*, dw.ability.black_ops,
dw.ability.superhuman*, dw.ability.heroic_stand, dw.ability.radio_command)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.warfare import RULESET
from dieselfront.rulesets.warfare.setup import OverLimit
from dieselfront.table.measured.terrain import Cover
from rulesets.warfare.field import BLUE, RED, Field, gap, hero, inch, squad, usual, vehicle

SIGNALS = squad(5, tags=["command_section"], abilities=["Command Squad", "Radioman"])


def headquarters(card=None, orders: int = 3, **options):
    field = Field(phase="command", **options)
    section = field.put(BLUE, card or SIGNALS, 300, 600, pitch=26)
    far = [field.put(BLUE, squad(2), 300 + inch(40), 300 + 200 * n, pitch=26) for n in range(3)]
    field.state.orders = orders
    return field, section, far


@pytest.mark.rule("dw.command.radioman", "dw.open.radioman_wording")
def test_each_radioman_carries_one_order_a_phase_beyond_range():
    field, section, far = headquarters()
    assert section.bearers("Radioman") == [1]
    reach = field.rules.command.reach(field.state, far[0])
    assert reach.radio and reach.by == section.id
    field.order(far[0], "regroup")
    assert field.rules.command.reach(field.state, far[1]) is None
    assert field.state.orders == 2
    field.state.turn = 2
    assert field.rules.command.reach(field.state, far[1]).radio


@pytest.mark.rule("dw.ability.radioman")
def test_a_radioman_spots_for_artillery():
    field, section, _ = headquarters()
    gun = field.put(BLUE, squad(2), 100, 100)
    spotters = field.rules.artillery.spotters(field.state, gun)
    assert spotters == [(section, 1)]
    section.lose(1)
    field.rules.outfit.refresh(field.state, section)
    assert field.rules.artillery.spotters(field.state, gun) == []


@pytest.mark.rule("dw.ability.radio_command")
def test_a_command_vehicle_adds_a_radioman():
    field, section, _ = headquarters()
    carrier = field.put(BLUE, vehicle(3, abilities=["Carry Capacity (6)", "Radio Command"]), 300, 900)
    field.aboard(section, carrier)
    assert field.rules.command.radios_left(field.state, section) == 2


@pytest.mark.rule("dw.ability.command_squad_order", "dw.open.order_minimum")
def test_command_squads_add_one_order_in_all():
    field, *_ = headquarters()
    field.put(BLUE, SIGNALS, 300, 1000)
    field.state.hits = (2, 0)
    assert field.rules.command.order_count(field.state, BLUE) == 3
    field.state.hits = (0, 0)
    assert field.rules.command.order_count(field.state, BLUE) == 2


@pytest.mark.rule("dw.ability.command_squad_list")
def test_a_command_squad_allows_one_more_sniper_squad():
    snipers = {"card": squad(2, abilities=["Sniper"]), "platoon": "p"}
    boss = {"card": SIGNALS, "platoon": "p"}
    force = {"platoons": {"p": {"specialists": 1}}, "units": [boss, snipers, snipers]}
    assert len(RULESET.read_force(0, force)) == 3
    with pytest.raises(OverLimit, match="command_squad_list"):
        RULESET.read_force(0, {**force, "units": [boss, snipers, snipers, snipers]})
    with pytest.raises(OverLimit, match="command_squad_list"):
        RULESET.read_force(0, {**force, "units": [snipers, snipers]})


@pytest.mark.rule("dw.ability.black_ops")
def test_black_ops_units_get_a_free_order_anywhere():
    field, section, far = headquarters(squad(5, tags=["command_section"]), orders=1)
    ops = field.put(BLUE, squad(2, abilities=["Black Ops"]), 300 + inch(40), 1000)
    field.order(section, "regroup", answers={"regroup": ()})
    assert field.state.orders == 0
    assert field.rules.command.options(field.state, BLUE) == [("take action", ops.id), ("regroup", ops.id)]
    field.order(ops, "regroup", answers={"regroup": ()})
    assert field.state.orders == 0
    assert field.rules.command.options(field.state, BLUE) == []
    assert far[0].notes.get("ordered") is None


@pytest.mark.rule("dw.open.black_ops_shared")
@pytest.mark.parametrize("option, has", [("shared", True), ("bearer_only", False)])
def test_black_ops_is_shared_unless_the_house_says_no(option, has):
    field = Field(phase="command", black_ops_shared=option)
    unit = field.put(BLUE, squad(5), 300, 300)
    field.join(field.put(BLUE, hero(abilities=["Black Ops"]), place="off"), unit)
    assert unit.has("Black Ops") is has


@pytest.mark.rule("dw.ability.superhuman")
def test_a_superhuman_joins_nobody_and_comes_alone():
    field = Field(phase="setup")
    man, troop = field.put(BLUE, hero(abilities=["Superhuman"]), place="off"), field.put(BLUE, squad(5), place="off")
    assert field.rules.heroes.why_not_join(field.state, man, troop)[0] == "dw.ability.superhuman"
    one = {"card": hero(abilities=["Superhuman"])}
    with pytest.raises(OverLimit, match="superhuman"):
        RULESET.read_force(0, {"units": [one, one]})


@pytest.mark.rule("dw.ability.superhuman_orders")
def test_a_superhuman_issues_orders_but_no_special_ones():
    field = Field(phase="command")
    man = field.put(BLUE, hero(abilities=["Superhuman"]), 300, 300)
    field.state.orders = 1
    near = field.put(BLUE, squad(1), 300 + gap(11), 300)
    assert field.rules.command.reach(field.state, near).by == man.id
    section = next(one for one in field.rules.command.sections(field.state, BLUE) if one.unit is man)
    assert (section.inches, section.special) == (12, False)


@pytest.mark.rule("dw.ability.heroic_stand")
def test_heroic_stand_inverts_armor_rolls_and_ends_the_fear_of_markers():
    field = Field(phase="command")
    unit = field.put(BLUE, squad(5, abilities=["Heroic Stand"]), 900, 600)
    field.state.orders = 0
    assert field.rules.command.options(field.state, BLUE) == [("use", unit.id, "Heroic Stand")]
    field.run(lambda play: field.rules.command.give(play, ("use", unit.id, "Heroic Stand")), default=usual)
    assert field.rules.command.options(field.state, BLUE) == []
    unit.suppression = 3
    assert field.rules.activation.action_count(field.state, unit) == 2
    foe = field.put(RED, squad(2), 900, 600 - gap(10))
    ran = field.attack(foe, unit, "HH HB", answers={"casualties": ((0, 1),)}, reactions=False)
    assert ran.struck(unit).suffered == 1


@pytest.mark.rule("dw.open.heroic_stand_cover", "dw.open.hero_led_pool")
def test_after_a_heroic_stand_markers_neither_help_nor_hurt():
    field = Field()
    unit = field.put(BLUE, squad(1, abilities=["Heroic Stand"]), 900, 600, suppression=2, used=("Heroic Stand",))
    foe = field.put(RED, squad(2), 900, 600 - gap(10))
    assert field.strike(foe, unit).cover is Cover.NONE
    assert field.rules.reactions.is_ready(field.state, unit)
    assert not field.rules.suppression.is_retreating(field.state, unit)
    field.attack(foe, unit, "HB BB", reactions=False)
    assert unit.suppression == 3 or not unit.alive
