"""Heroes who join and leave, stand with a unit under fire, and pilot (bf.hero.*, bf.pilot.*, bf.superhuman.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.battlefield.flags import FRESH_PILOT, IDLE
from dieselfront.rulesets.dust.events import Happened
from rulesets.battlefield.field import RED, Field, box
from rulesets.dust1947.table import aircraft, hero, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)


def with_hero(card=None, men: int = 3, place=(500, 560), **details: object):
    field = Field()
    unit = field.put(squad(RIFLE, men=men, **details), (500, 500))
    joe = field.put(card or hero(weapon("Pistol", "1/1", 2)), place)
    return field, unit, joe


def could(field, joe, unit):
    return field.rules.heroes.could_join(field.state, field.rules.ground, joe, unit)


@pytest.mark.rule("bf.hero.join")
def test_a_hero_joins_for_an_activation_and_leaves_at_its_end():
    field, unit, joe = with_hero()
    foe = field.put(squad(men=3), (500, 380), RED)
    game = field.activate(
        unit, "move", "attack", dice="SSSSSS S", join=joe, move=(500, 490),
        declare=lambda d: tuple(next(a for a in c if a and a[0] == foe.id) if c[-1] else None for c in d.choices)
    )  # fmt: skip
    assert game.dice("to hit") == [6, 1]  # he fires with them
    assert joe.on_board and joe.activated and joe.main.card.kind == "hero" and len(unit.parts) == 1
    assert field.points(joe)[0][1] == 550  # he has moved with them


JOINS = [
    ({}, (500, 560), True),
    ({}, (500, 680), False),  # more than 15 cm from somebody
    ({"armour": 3}, (500, 560), False),
    ({"skills": "Loner"}, (500, 560), False),
    ({"skills": "Superhuman"}, (500, 560), False),
    ({"skills": "Gorilla"}, (500, 560), False),
    ({"skills": "Zombie"}, (500, 560), False),
    ({"skills": "Steel Guard"}, (500, 560), False),
]


@pytest.mark.rule(
    "bf.hero.join",
    "bf.skill.loner",
    "bf.superhuman.no_join",
    "bf.skill.gorilla",
    "bf.skill.zombie_limits",
    "bf.skill.steel_guard",
)
@pytest.mark.parametrize("details, place, able", JOINS)
def test_who_may_join_whom(details, place, able):
    field, unit, joe = with_hero(hero(**details), place=place)
    assert could(field, joe, unit) is able


@pytest.mark.rule("bf.skill.gorilla", "bf.skill.steel_guard", "bf.skill.zombie_limits")
@pytest.mark.parametrize("nature", ["Gorilla", "Steel Guard", "Zombie"])
def test_some_natures_join_each_other_only(nature):
    field, unit, joe = with_hero(hero(skills=nature), skills=nature)
    assert could(field, joe, unit)
    stranger = field.put(hero(), (560, 560))
    assert not could(field, stranger, unit)


@pytest.mark.rule("bf.superhuman.sidekick")
def test_a_sidekick_joins_his_superhuman():
    field = Field()
    boss = field.put(hero(name="The Priest", skills="Superhuman"), (500, 500))
    friend = field.put(hero(skills="Sidekick: The Priest"), (560, 500))
    other = field.put(hero(skills="Sidekick: Somebody"), (440, 500))
    assert could(field, friend, boss) and not could(field, other, boss)


@pytest.mark.rule("bf.hero.separate")
def test_a_hero_may_act_on_his_own():
    field, unit, joe = with_hero()
    field.activate(joe, "move", move=(560, 560))
    assert joe.activated and not unit.activated


@pytest.mark.rule("bf.hero.defend_together", "bf.open.hero_target_group", "bf.open.mixed_group_saves")
def test_a_hero_beside_a_unit_is_one_target_with_it_and_takes_no_token():
    field, unit, joe = with_hero()
    joe.set(1)  # he has activated; that does not matter
    foe = field.put(squad(weapon("Rifle", "3/1", 4), men=1), (500, 250), RED)
    game = field.attack(foe, unit, dice="AAA TTT", divide_hits=1)
    assert joe.main.damage == 1 and len(unit.main.alive) == 1
    assert unit.under_fire and joe.tokens() == ["activated"] and joe.on_board
    assert "bf.hero.defend_together" in [decision.rule for decision in game.decisions]


@pytest.mark.rule("bf.open.hero_target_group")
def test_the_owner_says_with_whom_a_hero_stands():
    field, unit, joe = with_hero()
    other = field.put(squad(RIFLE, men=2), (560, 590), others=[(590, 590)])
    foe = field.put(squad(RIFLE, men=1), (500, 250), RED)
    game = field.attack(foe, unit, dice="SS", stands_with=other)
    assert game.asked[0] == "stands-with" and joe.on_board and len(other.parts) == 1


@pytest.mark.rule("bf.hero.skill_sharing")
def test_skills_are_shared_while_he_is_with_them_and_spent_for_both():
    field, unit, joe = with_hero(hero(weapon("Pistol", "1/1", 4), skills="Fighting Spirit"), skills="Fighting Spirit")
    foe = field.put(squad(men=9), (500, 250), RED)
    field.activate(
        unit, "attack", dice="TTTTTT T SSSSSSS".replace("SSSSSSS", "AAAAAA A"), join=joe, fighting_spirit=True,
        declare=lambda d: tuple(next(a for a in c if a and a[0] == foe.id) if c[-1] else None for c in d.choices)
    )  # fmt: skip
    assert "Fighting Spirit" in unit.main.spent and "Fighting Spirit" in joe.main.spent


@pytest.mark.rule("bf.hero.enter_together", "bf.scenario.reserves_hero")
def test_a_hero_comes_onto_the_table_with_a_squad_on_one_roll():
    field = Field(arrival=["reserves", "deploy"], entry=[[[0, 100, 180, 20]], [[0, 0, 180, 20]]])
    unit = field.put(squad(RIFLE, men=3), status="reserve")
    joe = field.put(hero(), status="reserve")
    game = field.activate(unit, "move", dice="A", join=joe, move=(500, 1050))
    assert unit.on_board and joe.on_board and game.labels == ["arrival"]


@pytest.mark.rule("bf.hero.shares_suppression")
def test_a_joined_hero_loses_the_action_too():
    field, unit, joe = with_hero()
    unit.set(1 << 3)
    field.put(squad(men=3), (500, 300), RED)
    game = field.activate(unit, dice="TTT", join=joe, actions=lambda d: d.options[0])
    assert joe.activated and unit.suppressed
    assert all(
        sum(2 if a in ("march", "sustained") else 1 for a in o) <= 1
        for d in game.decisions
        if d.key == "actions"
        for o in d.options
    )


@pytest.mark.rule("bf.hero.unique")
def test_a_hero_is_one_miniature():
    field = Field()
    assert len(field.put(hero(), (500, 500)).figures) == 1


def test_a_hero_outlives_the_squad_he_joined():
    field, unit, joe = with_hero(men=1)
    foe = field.put(squad(weapon("Rifle", "3/1", 4), men=1), (500, 250), RED)
    field.attack(foe, unit, dice="AAS TT", divide_hits=1)
    assert unit.status == "lost" and joe.on_board and joe.main.damage == 1
    assert list(field.rules.invariants(field.state)) == []


def test_a_squad_that_falls_is_itself_and_a_copy_of_the_game_stays_as_it_was():
    field = Field()
    unit = field.put(squad(RIFLE, men=1, name="The Squad"), (500, 500))
    first = field.put(hero(damage=1, name="First"), (500, 560))
    foe = field.put(squad(weapon("Rifle", "3/1", 4), men=1), (500, 250), RED)
    field.attack(foe, unit, dice="ASS T", divide_hits=1)  # the hero falls, the squad stands
    assert first.status == "lost" and unit.on_board
    twin = field.state.clone()
    before = twin.facts()
    second = field.put(hero(name="Second"), (500, 560))
    field.attack(foe, unit, dice="AAS TT", divide_hits=1)  # the squad falls, another hero is left
    assert unit.status == "lost" and second.on_board and second.card.name == "Second"
    assert unit.card.name == unit.name == "The Squad"
    assert twin.facts() == before  # the copy shares nothing that the original changes
    assert first.main not in unit.fallen and unit.main not in unit.fallen
    assert [part.role for part in (first.main, unit.main, second.main)] == ["main"] * 3


# -- pilots -------------------------------------------------------------------------------------------


@pytest.mark.rule("bf.pilot.who", "bf.skill.pilot", "bf.skill.air_pilot", "bf.vehicle.pilot_name")
@pytest.mark.parametrize(
    "skills, machine, able",
    [
        ("Pilot", vehicle(), True),
        ("Ace Pilot", vehicle(), True),
        ("Pilot", aircraft(), False),
        ("Air Pilot", aircraft(), True),
        ("Air Pilot", vehicle(), False),
        ("Ace Air Pilot", aircraft(), True),
        ("", vehicle(), False),
        ("Pilot", vehicle(skills="Pilot: Koshka"), False),
    ],
)
def test_who_may_pilot_what(skills, machine, able):
    field = Field()
    assert (field.rules.heroes.may_pilot(hero(skills=skills), machine) is None) is able


@pytest.mark.rule("bf.pilot.mount", "bf.pilot.no_same_activation", "bf.open.mount_then_drive")
def test_a_pilot_mounts_by_moving_into_contact_and_the_vehicle_may_still_act():
    field = Field()
    walker = field.put(vehicle(move=2), (500, 500))
    ace = field.put(hero(skills="Ace Pilot"), (500, 650))
    field.activate(ace, "move", move=(500, 549), pilot=walker)
    assert not ace.on_board and field.rules.heroes.pilot(walker) is not None and walker.is_(FRESH_PILOT)
    game = field.activate(walker, "move", move=(500, 400, 0))
    assert game.labels == []  # no ace die this turn
    walker.drop(FRESH_PILOT | 1)
    assert field.activate(walker, dice="T").labels == ["ace pilot"]


@pytest.mark.rule("bf.pilot.dismount", "bf.pilot.empty_vehicle")
def test_a_pilot_leaves_before_his_machine_acts_and_it_waits_for_him():
    field = Field()
    walker = field.put(vehicle(), (500, 500), pilot=hero(weapon("Pistol", "1/1", 4), skills="Pilot"))
    assert field.rules.heroes.pilots_out(field.play, 0) == [walker.id]
    field.run(field.rules.transport.pilot_leaves(field.play, walker), dismount=(500, 700), actions=("move",))
    pilot = field.state.units[-1]
    assert pilot.on_board and pilot.activated and walker.is_(IDLE)
    game = field.activate(walker)
    assert any(event.rule == "bf.pilot.empty_vehicle" for event in game.of(Happened))
    big = field.put(vehicle(size="large"), (1000, 500), pilot=hero(skills="Pilot"))
    field.run(field.rules.transport.pilot_leaves(field.play, big), dismount=(1000, 700), actions=("move",))
    assert not big.is_(IDLE)
    done = field.put(vehicle(), (1400, 500), pilot=hero(skills="Pilot"), tokens="activated")
    assert done.id not in field.rules.heroes.pilots_out(field.play, 0)


@pytest.mark.rule("bf.pilot.protection")
def test_a_pilot_is_neither_shot_at_nor_shoots():
    field = Field()
    walker = field.put(vehicle(), (500, 500), pilot=hero(RIFLE, skills="Pilot"))
    foe = field.put(squad(RIFLE, men=1), (500, 300), RED)
    assert field.aims(walker, "Rifle") == [] and [aim[0] for aim in field.aims(foe, "Rifle")] == [walker.id]


@pytest.mark.rule("bf.pilot.escape")
@pytest.mark.parametrize("die, damage", [("A", 0), ("S", 0), ("T", 1)])
def test_a_pilot_gets_out_of_a_wreck(die, damage):
    field = Field()
    walker = field.put(vehicle(damage=1), (500, 500), pilot=hero(skills="Pilot"))
    gun = field.put(vehicle(weapon("Gun", "1/4", 8)), (500, 900), RED)
    field.attack(gun, walker, dice=f"A {die}", pilot_lands=lambda d: next(iter(d.answers())))
    pilot = field.state.units[-1]
    assert pilot.on_board and pilot.activated and pilot.main.damage == damage


@pytest.mark.rule("bf.skill.ace_pilot", "bf.skill.ace_air_pilot", "bf.skill.infantry_ace")
@pytest.mark.parametrize("die, three", [("A", True), ("T", True), ("S", False)])
def test_aces_roll_for_a_third_action(die, three):
    field = Field()
    units = [
        field.put(vehicle(weapon("Gun", "1/1", 8)), (500, 500), pilot=hero(skills="Ace Pilot")),
        field.put(
            aircraft(weapon("Gun", "1/1", 8), skills="Helicopter"), (900, 500), pilot=hero(skills="Ace Air Pilot")
        ),
        field.put(hero(RIFLE, skills="Infantry Ace"), (1300, 500)),
    ]
    field.put(squad(men=3), (900, 300), RED)
    for unit in units:
        game = field.activate(unit, dice=die, actions=lambda d: ())
        options = next(d for d in game.decisions if d.key == "actions").options
        assert any("move" in o and "sustained" in o for o in options) is three


@pytest.mark.rule("bf.skill.tank_head")
def test_a_tank_head_mends_on_army_or_shield():
    field = Field()
    mechanic = field.put(hero(skills="Tank Head"), (500, 500))
    tank = field.put(vehicle(damage=8), (500, 420))
    tank.main.damage = 5
    field.activate(mechanic, "special:tank-head", dice="ASTTA")
    assert tank.main.damage == 2


def test_terrain_does_not_keep_a_hero_from_seeing_his_men():
    field = Field(box("trees", 400, 400, 300, 300))
    unit, joe = field.put(squad(men=3), (500, 500)), field.put(hero(), (500, 560))
    assert could(field, joe, unit)
