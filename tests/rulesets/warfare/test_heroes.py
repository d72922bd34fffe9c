"""Heroes and commissars joining units (dw.hero.join*, dw.ability.commissar_*)."""

from __future__ import annotations

import pytest

from rulesets.warfare.field import BLUE, Field, hero, squad, usual, weapon

COMMISSAR = squad(1, [weapon("Pistol", 12)], name="Commissar", abilities=["Commissar"])


def mustered(*cards, **options):
    """A blue force before its deployment."""
    field = Field(phase="setup", **options)
    return field, *[field.put(BLUE, card, place="off") for card in cards]


def why_not(field, joiner, unit):
    refused = field.rules.heroes.why_not_join(field.state, joiner, unit)
    return refused[0] if refused else None


@pytest.mark.rule("dw.hero.join")
def test_a_hero_joins_units_of_his_move_and_armor_for_good():
    field, man, same, heavy, fast = mustered(hero(armor=2), squad(5), squad(5, armor=3), squad(5, move=9))
    assert why_not(field, man, same) is None
    assert why_not(field, man, heavy) == "dw.hero.join"
    assert why_not(field, man, fast) == "dw.hero.join"
    ran = field.run(lambda play: field.rules.setup.set_up(play), answers={"join": ("join", same.id)}, default=usual)
    assert ran.offered["join"] == [None, ("join", same.id)]
    assert man.place == "joined" and len(same.men) == 6 and len(same.bodies) == 6
    assert field.rules.command.pool(field.state, BLUE) == 3


@pytest.mark.rule("dw.hero.join_limit")
def test_one_hero_a_unit():
    field, one, other, troop, second = mustered(hero(), hero(name="Other"), squad(5), squad(5, name="Second"))
    field.join(one, troop)
    assert why_not(field, other, troop) == "dw.hero.join_limit"
    assert why_not(field, other, second) is None


@pytest.mark.rule("dw.open.hero_leads")
def test_a_joined_hero_leads_with_the_units_leadership_range():
    field, man, troop = mustered(hero(), squad(5, leadership=8))
    field.join(man, troop)
    assert troop.leader == 5 and troop.is_hero_led
    assert troop.card.leadership == 8


@pytest.mark.rule("dw.ability.commissar_attach")
def test_a_commissar_is_no_hero_and_comes_once_a_unit():
    field, first, second, man, troop = mustered(COMMISSAR, {**COMMISSAR, "name": "Second"}, hero(), squad(5))
    assert why_not(field, first, troop) is None
    field.join(first, troop)
    assert why_not(field, second, troop) == "dw.ability.commissar_attach"
    assert why_not(field, man, troop) is None
    field.join(man, troop)
    assert len(troop.men) == 7 and troop.is_hero_led


@pytest.mark.rule("dw.ability.commissar_combine", "dw.open.commissar_merge", "dw.ability.commissar_leader")
def test_a_commissar_makes_two_equal_squads_one():
    field, man, a, b, other = mustered(COMMISSAR, squad(5, id="red"), squad(5, id="red"), squad(5, id="blue"))
    assert field.rules.heroes.merges(field.state, man) == [(a.id, b.id)]
    answers = {"join": ("merge", a.id, b.id)}
    ran = field.run(lambda play: field.rules.setup.set_up(play), answers=answers, default=usual)
    assert len(a.men) == 11 and a.leader == 10
    assert a.figures[a.leader].card.name == "Commissar"
    assert a.notes["role"] == "support" and other.place == "table"
    assert [event.unit for event in ran.of("Joined")] == [b.id, man.id]
    assert field.rules.heroes.merges(field.state, man) == []


@pytest.mark.rule("dw.ability.commissar_leader")
def test_a_hero_in_the_merged_unit_leads_it():
    field, man, a, b, champion = mustered(COMMISSAR, squad(5, id="red"), squad(5, id="red"), hero())
    from dieselfront.kernel.game import Play

    field.rules.heroes.combine(Play(field.rules, field.state), man, a, b)
    assert not a.is_hero_led
    field.join(champion, a)
    assert a.is_hero_led and len(a.men) == 12


@pytest.mark.rule("dw.hero.join")
def test_a_list_may_say_whom_a_hero_joins():
    field, man, troop, _ = mustered(hero(), squad(5), squad(5))
    man.notes["joins"] = troop.id
    ran = field.run(lambda play: field.rules.setup.set_up(play), default=usual)
    assert "join" not in ran.asked and man.carrier == troop.id
