"""Abilities of the target: armor, cover, markers; Blutkreuz units; pilots' abilities."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.warfare.firing import SUSTAINED
from dieselfront.rulesets.warfare.routes import Route
from dieselfront.rulesets.warfare.state import OFF
from dieselfront.table.measured.terrain import Cover
from rulesets.warfare.duels import HEDGE, WALL, duel
from rulesets.warfare.field import BLUE, RED, Field, gap, hero, inch, squad, vehicle, weapon

PHASER = [weapon("Phaser", 18, "3/1", "3/1", rules=["Phaser"])]
GUN = [weapon("Gun", 24, "4/1", "4/1")]


@pytest.mark.rule("dw.ability.badass")
@pytest.mark.parametrize("markers, reaction, actions", [(1, True, 1), (1, False, 1), (0, True, 1), (0, False, 2)])
def test_badass_units_always_have_an_action(markers, reaction, actions):
    field = Field()
    a = field.put(BLUE, squad(5, abilities=["Badass"]), suppression=markers, reaction=reaction)
    assert field.rules.activation.action_count(field.state, a) == actions
    other = field.put(BLUE, squad(5), 900, 800, suppression=1, reaction=True)
    assert field.rules.activation.action_count(field.state, other) == 0


@pytest.mark.rule("dw.ability.cheat_death")
@pytest.mark.rule("dw.open.cheat_death_face")
def test_a_blank_cheats_death_once_per_game():
    field, a, b = duel(squad(6), squad(3, armor=1, abilities=["Cheat Death"]))
    ran = field.attack(a, b, "HHHHHH B", answers={"cheat death": True})
    assert ran.struck(b).damage == 6 and ran.struck(b).suffered == 0 and len(b.men) == 3
    assert "dw.ability.cheat_death" in ran.rules() and b.suppression == 1
    b.suppression = 0
    ran = field.attack(a, b, "HBBBBB H")
    assert "cheat death" not in ran.asked
    field, a, b = duel(squad(6), squad(3, armor=1, abilities=["Cheat Death"]))
    ran = field.attack(a, b, "HHBBBB H B", answers={"cheat death": True})
    assert ran.struck(b).suffered == 2 and ran.dice("armor") == [1]


@pytest.mark.rule("dw.ability.damage_resilient")
def test_damage_resilient_rolls_one_more_armor_die_where_there_is_a_roll():
    field, a, b = duel(squad(3), squad(5, armor=2, abilities=["Damage Resilient"]))
    assert field.strike(a, b).armor_dice == 3
    field, a, b = duel(squad(1, PHASER), squad(5, armor=2, abilities=["Damage Resilient"]))
    assert field.strike(a, b).armor_dice == 0


@pytest.mark.rule("dw.ability.dozer_blade_armor")
@pytest.mark.parametrize("front, of, dice", [(3, 5, 5), (1, 2, 4), (2, 4, 4)])
def test_a_dozer_blade_counts_against_those_most_of_whom_stand_in_front(front, of, dice):
    field = Field()
    walker = field.put(RED, vehicle(4, abilities=["Dozer Blade"]), 900, 600)
    spots = [(860 + 40 * number, 300) for number in range(front)]
    spots += [(1200, 560 + 40 * number) for number in range(of - front)]
    a = field.put(BLUE, squad(of, [weapon("Gun", 24, "1/1", "1/1", count=of)]), spots=spots)
    assert field.strike(a, walker).armor_dice == dice


@pytest.mark.rule("dw.ability.entrench")
def test_an_unmoved_entrenched_unit_cancels_one_point_more():
    field, a, b = duel(squad(3), squad(5, armor=1, abilities=["Entrench"]))
    assert field.attack(a, b, "HHH H").struck(b).suffered == 1
    field, a, b = duel(squad(3), squad(5, armor=1, abilities=["Entrench"]))
    b.notes["moved"] = field.state.turn
    assert field.attack(a, b, "HHH H").struck(b).suffered == 2
    field.state.turn += 1
    assert field.strike(a, b).bonus == 1


@pytest.mark.rule("dw.ability.entrench_phaser")
def test_the_point_counts_against_phasers():
    field, a, b = duel(squad(1, PHASER), squad(5, abilities=["Entrench"]))
    assert field.attack(a, b, "HHH").struck(b).suffered == 2
    field, a, b = duel(squad(1, PHASER), squad(5, abilities=["Entrench"]))
    b.notes["moved"] = field.state.turn
    assert field.attack(a, b, "HHH").struck(b).suffered == 3


@pytest.mark.rule("dw.open.armor_bonus_without_roll")
def test_without_an_armor_roll_there_is_no_bonus_and_dice_are_added_before_they_are_halved():
    rubble = {"kind": "rubble", "at": [33, 10], "size": [12, 5]}
    dug_in = squad(5, abilities=["Entrench", "Legendary Tactician"])
    field, a, b = duel(squad(3, abilities=["Sniper"]), dug_in, 10, rubble)
    assert field.strike(a, b).bonus == 0
    field, a, b = duel(squad(3), dug_in, 10, rubble)
    assert field.strike(a, b).bonus == 2
    field, a, b = duel(squad(1, [weapon("Burst", 18, "3/1", rules=["Burst"])]), dug_in, 10, rubble)
    assert field.strike(a, b).bonus == 2 and field.strike(a, b).cover is Cover.NONE
    drill = [weapon("Drill", 18, "3/1", "3/1", rules=["Penetrator"])]
    field, a, b = duel(squad(1, drill), vehicle(5, abilities=["Damage Resilient"]))
    assert field.strike(a, b).armor_dice == 3  # 6 halved, not 3 and one more


@pytest.mark.rule("dw.ability.legendary_tactician")
def test_a_legendary_tactician_makes_more_of_terrain():
    rubble = {"kind": "rubble", "at": [33, 10], "size": [12, 5]}
    card = squad(5, armor=1, abilities=["Legendary Tactician"])
    field, a, b = duel(squad(4), card, 10, rubble)
    assert field.attack(a, b, "HHHH B").struck(b).suffered == 2  # soft cover 1, tactician 1
    field, a, b = duel(squad(4), card, 10, HEDGE)
    assert field.attack(a, b, "HHHH B").struck(b).suffered == 3  # behind a hedge, not in terrain


# -- Blutkreuz -------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.blutkreuz_ape_suppression", "dw.ability.blutkreuz_zombie")
@pytest.mark.parametrize("name", ["Blutkreuz Ape", "Blutkreuz Zombie"])
def test_apes_and_zombies_are_never_suppressed_and_do_not_hit_the_dirt(name):
    field, a, b = duel(squad(3), squad(3, armor=1, abilities=[name]))
    ran = field.attack(a, b, "HBB H")
    assert b.suppression == 0
    assert (b.id, "hit the dirt") not in ran.offered.get("reaction", [])
    b.suppression = 3  # even if somebody put markers there
    assert field.rules.activation.action_count(field.state, b) == 2


@pytest.mark.rule("dw.ability.blutkreuz_ape_orders")
def test_orders_reach_apes_anywhere():
    field = Field(phase="command")
    field.state.orders = 1
    field.put(BLUE, squad(3, tags=["command_section"]), 100, 100)
    apes = field.put(BLUE, squad(3, abilities=["Blutkreuz Ape"]), 1500, 1100)
    others = field.put(BLUE, squad(3), 1500, 900)
    assert field.rules.command.reach(field.state, apes).rule == "dw.ability.blutkreuz_ape_orders"
    assert field.rules.command.reach(field.state, others) is None


@pytest.mark.rule("dw.ability.blutkreuz_ape_climb")
def test_apes_climb():
    field = Field({"kind": "rocks", "at": [25, 20.5], "size": [25, 1], "height": 150})
    apes = field.put(BLUE, squad(1, abilities=["Blutkreuz Ape"]))
    assert isinstance(field.route(apes, (900, 600 - inch(6))), Route)
    assert apes.ask("on_floors", 1, apes, None) == 2


def joins(name: str, other: str) -> str | None:
    """Why a hero with one ability cannot join a squad with another."""
    field = Field()
    unit = field.put(BLUE, squad(3, abilities=[other] if other else []), place=OFF)
    man = field.put(BLUE, hero(abilities=[name] if name else []), place=OFF)
    refused = field.rules.heroes.why_not_join(field.state, man, unit)
    return refused[0] if refused else None


@pytest.mark.rule("dw.ability.blutkreuz_ape_join", "dw.ability.blutkreuz_zombie_join")
@pytest.mark.parametrize("name, rule", [("Ape", "blutkreuz_ape_join"), ("Zombie", "blutkreuz_zombie_join")])
def test_only_their_own_kind_joins_apes_and_zombies(name, rule):
    kind = f"Blutkreuz {name}"
    assert joins("", kind) == f"dw.ability.{rule}"
    assert joins(kind, kind) is None
    assert joins(kind, "") == f"dw.ability.{rule}"


@pytest.mark.rule("dw.ability.blutkreuz_ubertoten_join")
def test_heroes_join_ubertoten_zombies_among_them():
    assert joins("", "Blutkreuz Übertoten") is None
    assert joins("Blutkreuz Zombie", "Blutkreuz Übertoten") is None


@pytest.mark.rule("dw.ability.blutkreuz_ubertoten")
def test_ubertoten_take_no_markers_and_gain_nothing_in_the_dirt():
    grenades = [weapon("Grenades", 12, "1/1", rules=["Grenades"])]
    field, a, b = duel(squad(1, grenades), squad(5, abilities=["Blutkreuz Übertoten"]), 8)
    field.attack(a, b, "B")
    assert b.suppression == 0
    field, a, b = duel(squad(3), squad(5, armor=1, abilities=["Blutkreuz Übertoten"]), 14)
    ran = field.attack(a, b, "HBB B", answers={"reaction": (b.id, "hit the dirt")})
    assert ran.struck(b).cover == 0 and b.suppression == 0


@pytest.mark.rule("dw.ability.blutkreuz_zombie_cover")
@pytest.mark.parametrize("terrain, points", [(WALL, 1), (HEDGE, 0)])
def test_the_cover_of_zombies_is_one_step_worse(terrain, points):
    field, a, b = duel(squad(3), squad(5, abilities=["Blutkreuz Zombie"]), 10, terrain)
    assert field.attack(a, b, "BBB").struck(b).cover == points


# -- pilots ----------------------------------------------------------------------------------------------------


def piloted(*abilities: str, armor: int = 3):
    """A walker with a pilot aboard, attacked from 10" in front."""
    field, a, b = duel(squad(1, GUN), vehicle(armor))
    man = field.put(RED, hero(abilities=["Pilot", *abilities]), place=OFF)
    field.aboard(man, b, "piloting")
    return field, a, b, man


@pytest.mark.rule("dw.ability.panzer_ace_move")
def test_a_panzer_ace_drives_through_craters_at_full_speed():
    field = Field({"kind": "crater", "at": [25, 20], "size": [25, 2]})
    walker = field.put(BLUE, vehicle(3))
    assert isinstance(field.route(walker, (900, 600 - inch(6), 0)), str)
    man = field.put(BLUE, hero(abilities=["Pilot", "Panzer Ace"]), place=OFF)
    field.aboard(man, walker, "piloting")
    assert isinstance(field.route(walker, (900, 600 - inch(6), 0)), Route)


@pytest.mark.rule("dw.ability.panzer_ace_armor")
@pytest.mark.rule("dw.ability.pilot_keyword")
def test_a_panzer_ace_inverts_one_armor_roll_and_his_uses_are_counted_with_the_vehicle():
    field, a, b, man = piloted("Panzer Ace")
    ran = field.attack(a, b, "HHHB HBB BBB", answers={"panzer ace": True})  # the table rolls 3 dice
    assert ran.struck(b).suffered == 1
    assert man.has_used("Panzer Ace") and not b.has_used("Panzer Ace")
    ran = field.attack(a, b, "HHHB HBB BBB")
    assert "panzer ace" not in ran.asked and ran.struck(b).suffered == 2


@pytest.mark.rule("dw.ability.pilot_keyword")
def test_only_abilities_with_the_pilot_keyword_reach_the_vehicle():
    _, _, walker, _ = piloted("Panzer Ace", "Schwerpunkt", "Berserk", "Damage Resilient")
    assert walker.abilities == {"Panzer Ace", "Schwerpunkt"}


@pytest.mark.rule("dw.ability.schwerpunkt")
def test_schwerpunkt_makes_penetrators_of_all_weapons():
    field = Field()
    walker = field.put(BLUE, vehicle(3, [weapon("Gun", 36, "1/1", "4/1", arc="turret")]), 900, 900)
    near = field.put(RED, vehicle(5), 900, 900 - gap(20, 60, 80), heading=180)
    far = field.put(RED, vehicle(5), 1100, 900 - gap(25, 60, 80), heading=180)
    assert field.strike(walker, near).armor_dice == 5
    man = field.put(BLUE, hero(abilities=["Pilot", "Schwerpunkt"]), place=OFF)
    field.aboard(man, walker, "piloting")
    assert field.strike(walker, near).armor_dice == 3
    assert field.strike(walker, far, SUSTAINED).armor_dice == 5
