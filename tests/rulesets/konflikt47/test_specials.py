"""Special rules of units and nations (k47.special.*, k47.nation.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.charts import CHART
from dieselfront.rulesets.konflikt47.firing import Wound
from dieselfront.rulesets.konflikt47.hooks import HOOKS, Special
from dieselfront.rulesets.konflikt47.morale import CHECK, ORDER, REACTION, Occasion
from dieselfront.rulesets.konflikt47.ruleset import ALL_SPECIALS
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, inch, squad, tank, team, usual


def duel(inches: float = 10, blue: dict | None = None, red: dict | None = None, *terrain, **options):
    field = Field(*terrain, **options)
    a = field.put(BLUE, blue or squad(5), 600, 200, heading=180)
    b = field.put(RED, red or squad(5), 600, 200 + gap(inches), order="fire")
    return field, a, b


def value(field: Field, unit, kind: str = ORDER, order: str = "fire") -> int:
    return field.rules.morale.value(field.state, unit, Occasion(kind, order))[0]


def test_a_rule_that_answers_an_unknown_hook_is_refused():
    with pytest.raises(TypeError, match="nobody calls"):
        type("Typo", (Special,), {"on_moral": lambda self: None})
    assert all(hook.startswith("on_") for hook in HOOKS)
    assert all(special.rule.startswith("k47.") for special in ALL_SPECIALS.values())


@pytest.mark.rule("k47.special.tough_fighters")
def test_tough_fighters_roll_once_more_for_each_casualty():
    field, a, b = duel(2, squad(5, rules=["Tough Fighters"]), squad(10))
    ran = field.run(lambda play: field.rules.assault.hand_to_hand(play, a, b), [4, 4, 4, 1, 1, 4, 4, 1])
    assert ran.result.total_losses == 5


@pytest.mark.rule("k47.special.fanatics")
def test_fanatics_shrug_off_losses_while_two_remain_and_must_follow_on():
    for left, checks in ((4, 0), (1, 1)):
        field = Field()
        a = field.put(RED, squad(8 - left), 600, 200)
        b = field.put(BLUE, squad(8, rules=["Fanatics"]), 600, 200 + gap(8), order="fire")
        dice = [6] * (8 - left) + [5] * (8 - left) + ([1, 1] if checks else [])
        ran = field.shoot(a, b, dice, answers={"casualties": tuple(range(8 - left))})
        assert len(ran.of("Tested")) == checks
    assert b.ask("on_follow_on", False, b) is True


@pytest.mark.rule("k47.special.shirkers")
def test_shirkers_always_test_and_pins_weigh_double():
    field = Field()
    unit = field.put(BLUE, squad(5, rules=["Shirkers"]), 600, 400)
    ran = field.order(unit, "ambush", [4, 5])
    assert ran.of("Tested")[0].needed == 9
    unit.pins = 2
    assert value(field, unit) == 5


@pytest.mark.rule("k47.special.green")
@pytest.mark.parametrize(
    "dice, pins, order, quality",
    [([1, 3], 3, "down", "inexperienced"), ([3], 0, "", "inexperienced"), ([6], 0, "", "regular")],
)
def test_green_troops_learn_or_panic_at_their_first_casualty(dice, pins, order, quality):
    field = Field()
    unit = field.put(BLUE, squad(5, quality="inexperienced", rules=["Green"]), 600, 400)
    field.run(lambda play: field.rules.losses.remove(play, unit, [4]), dice)
    assert (unit.pins, unit.order, unit.quality(field.state)) == (pins, order, quality)
    field.run(lambda play: field.rules.losses.remove(play, unit, [3]), [])
    if quality == "regular":
        assert value(field, unit) == 9 and field.rules.damage.value(unit, Wound(field.state, None, 0)) == 4


@pytest.mark.rule("k47.special.sniper")
def test_a_sniper_reaches_far_ignores_cover_and_names_his_mark():
    field = Field({"kind": "wall", "line": [[10, 37.6], [60, 37.6]]})
    a = field.put(BLUE, squad(2, rules=["Sniper"]), 600, 200)
    b = field.put(RED, squad(5, nco=True), 600, 200 + gap(30), order="down")
    shots = field.rules.shooting.pools(field.state, a, b, [s for s in _shots(field, a, b) if s.man == 0], "fire")[0]
    assert shots[0].need == 4
    ran = field.shoot(a, b, [6, 5], answers={"sniper's mark": 0})
    assert b.men == [1, 2, 3, 4] and b.nco_lost
    assert ran.offered["sniper's mark"] == [0, 1, 2, 3, 4]
    near = field.put(RED, squad(5), 600, 200 + gap(10))
    assert field.rules.specials.snipes(a, 0, CHART["Rifle"], "advance") is False
    assert near.on_table


def _shots(field: Field, unit, target, how: str = "fire"):
    from dieselfront.rulesets.konflikt47.firing import Shot

    return [Shot(m, i, target.id, w) for m, i, w in field.rules.shooting.options_of(field.state, unit, how)]


@pytest.mark.rule("k47.special.cavalry")
def test_cavalry():
    field = Field()
    unit = field.put(BLUE, squad(men=[{"weapons": ["Rifle", "Pistol"], "count": 4}], rules=["Cavalry"]), 600, 400)
    foe = field.put(RED, squad(5), 600, 600)
    assert field.rules.movement.rates(unit)[:2] == (9, 18)
    assert field.rules.reactions.against_shooting(field.state, foe, unit) == [
        "run to cover"
    ] or "go down" not in field.rules.reactions.against_shooting(field.state, foe, unit)
    assert "run to cover" in field.rules.reactions.against_shooting(field.state, foe, unit)
    assert field.rules.assault.attack_dice(unit) == (12, 0)
    assert {unit.weapon(i).name for _, i, _ in field.rules.shooting.options_of(field.state, unit, "fire")} == {"Pistol"}
    field.order(unit, "advance", [], {"manner": "dismount bikes", "move": ((600, 430),)}, default=usual)
    assert not unit.has("Cavalry") and field.rules.movement.rates(unit)[:2] == (6, 12)


@pytest.mark.rule("k47.special.motorbikes")
@pytest.mark.parametrize("order, score", [("run", 7), ("advance", 6), ("fire", 4)])
def test_motorbikes(order, score):
    field = Field({"kind": "woods", "at": [20, 20], "size": [10, 6]})
    men = [{"weapons": ["SMG"], "count": 2}, {"weapons": ["LMG"], "roles": ["sidecar"]}]
    unit = field.put(BLUE, squad(men=men, rules=["Motorbikes"]), 600, 400, order=order)
    assert field.rules.movement.rates(unit)[:2] == (12, 24)
    assert field.rules.movement.region(field.state, unit, "advance").why_not(((600, 560),)) is not None
    assert not field.rules.assault.may_assault(field.state, unit)
    assert {man for man, _, _ in field.rules.shooting.options_of(field.state, unit, "advance")} == {2}
    assert field.rules.vehicle_assault.score(field.state, unit) == score
    assert "escape" in field.rules.assault.escapes(field.state, unit)
    assert unit.ask("on_reactions", ["go down", "run to cover"], unit, "shooting") == ["run to cover"]
    foe = field.put(RED, squad(4), 600, 300)
    dice = [] if score == 7 else [score, 1, 1, 1, 5]
    ran = field.run(lambda play: field.rules.assault.hand_to_hand(play, foe, unit), dice)
    assert ran.result.total_losses == (0 if score == 7 else 1)


@pytest.mark.rule("k47.special.automaton")
def test_automatons():
    field = Field()
    unit = field.put(BLUE, squad(5, rules=["Automaton"]), 600, 400)
    foe = field.put(RED, squad(5, rules=["Horror"]), 600, 400 + gap(5))
    field.put(BLUE, squad(1, officer=True, rank="major"), 600, 340)
    assert "ambush" not in field.rules.orders.choices(field.state, unit)
    assert "assault" not in field.rules.orders.choices(field.state, unit)
    assert field.rules.reactions.against_shooting(field.state, foe, unit) == []
    assert field.rules.orders.needs_test(field.state, unit, Occasion(ORDER, "fire"))
    assert value(field, unit) == 9  # no Horror, no officer
    assert field.need(unit, foe, "advance") == 2
    mmg = field.put(BLUE, team("MMG", rules=["Automaton"]), 1000, 400, heading=180)
    assert field.rules.shooting.options_of(field.state, mmg, "advance")


@pytest.mark.rule("k47.special.tough")
@pytest.mark.parametrize("weapon, saved", [("Rifle", True), ("HMG", True), ("Light Automatic Cannon", False)])
def test_tough_troops_ignore_damage_of_light_weapons(weapon, saved):
    card = squad(1) if weapon == "Rifle" else team(weapon)
    field, a, b = duel(10, card, squad(8, rules=["Tough"]))
    score = b.ask("on_ignore_damage", 7, b, Wound(field.state, CHART[weapon], CHART[weapon].pen))
    assert (score == 5) is saved
    if weapon == "Rifle":
        field.shoot(a, b, [6, 4, 5])
        assert len(b.men) == 8


@pytest.mark.rule("k47.special.tooth_claw")
def test_tooth_and_claw_is_three_attacks_whatever_the_weapon():
    field = Field()
    unit = field.put(BLUE, squad(5, "SMG", rules=["Tooth and Claw"]), 600, 400)
    assert field.rules.assault.attack_dice(unit) == (15, 0)


@pytest.mark.rule("k47.special.large_infantry")
def test_large_infantry_takes_two_seats_each():
    field = Field()
    assert field.rules.transports.seats(field.put(BLUE, squad(5, rules=["Large Infantry"]), 600, 400)) == 10


@pytest.mark.rule("k47.special.flight")
def test_flying_troops_cross_everything_or_walk():
    field = Field({"kind": "woods", "at": [20, 20], "size": [10, 6]}, {"kind": "rocks", "at": [40, 20], "size": [6, 6]})
    unit = field.put(BLUE, squad(3, rules=["Flight"]), 600, 400)
    region = field.rules.movement.region
    assert region(field.state, unit, "run").why_not(((600, 400 + 456),)) is None
    assert region(field.state, unit, "advance").reach == 12 * 254
    assert region(field.state, unit, "advance", "on foot").reach == 6 * 254
    over = field.put(BLUE, squad(1, rules=["Flight"]), 1090, 400)
    assert region(field.state, over, "run").why_not(((1090, 580),)) is not None
    assert region(field.state, over, "run").why_not(((1090, 720),)) is None
    shooter = field.put(RED, squad(3), 600, 900)
    ground.stand(field.state.table, unit, [(600, 580), (630, 580), (660, 580)])
    unit.in_flight = True
    assert not any("cover" in item.text for item in field.pool(shooter, unit).because)


@pytest.mark.rule("k47.special.slow_fast")
@pytest.mark.parametrize("rule, rates", [("Slow", (4, 8)), ("Fast", (8, 16))])
def test_slow_and_fast_infantry(rule, rates):
    field = Field()
    assert field.rules.movement.rates(field.put(BLUE, squad(3, rules=[rule]), 600, 400))[:2] == rates


@pytest.mark.rule("k47.special.resilient")
def test_resilient_troops_are_hard_to_shoot_not_to_stab():
    field = Field()
    unit = field.put(BLUE, squad(3, rules=["Resilient"]), 600, 400)
    damage = field.rules.damage.value
    assert damage(unit, Wound(field.state, CHART["Rifle"], 0)) == 6
    assert damage(unit, Wound(field.state, None, 0, hand_to_hand=True)) == 4


@pytest.mark.rule("k47.special.ir_vision")
def test_infrared_eyes_see_through_smoke():
    field = Field()
    a = field.put(BLUE, squad(1, rules=["Infrared (IR) Vision"]), 600, 300)
    plain = field.put(BLUE, squad(1), 660, 300)
    b = field.put(RED, squad(1), 630, 900)
    field.run(lambda play: _smoke(field, play))
    assert ground.sees(field.state, a, b) and not ground.sees(field.state, plain, b)


def _smoke(field: Field, play):
    field.rules.terrain.put_smoke(play, 630, 600)
    return
    yield


@pytest.mark.rule("k47.special.strong")
def test_strong_troops():
    field = Field()
    unit = field.put(BLUE, squad(2, rules=["Strong"]), 600, 400)
    assert unit.ask("on_attack_pen", 0, unit) == 1 and unit.has("Tank Hunters")
    armour = field.put(RED, tank("medium tank", ()), 600, 550, order="fire")
    ran = field.run(lambda play: field.rules.vehicle_assault.storm(play, unit, armour), [4, 4, 3])
    assert ran.of("Counted")[0].total == 7


@pytest.mark.rule("k47.special.horror")
def test_horror_weighs_on_everyone_near_but_its_own_kind():
    field = Field()
    field.put(BLUE, squad(3, rules=["Horror"]), 600, 400)
    friend = field.put(BLUE, squad(3), 600, 400 + gap(5))
    foe = field.put(RED, squad(3), 600, 400 - gap(5))
    kin = field.put(RED, squad(3, rules=["Horror"]), 750, 400)
    far = field.put(RED, squad(3), 600, 400 + gap(20))
    assert [value(field, unit) for unit in (friend, foe, kin, far)] == [8, 8, 9, 9]


@pytest.mark.rule("k47.special.medic")
def test_a_medic_saves_small_arms_casualties_on_sixes():
    field = Field()
    a = field.put(RED, squad(3), 600, 200)
    b = field.put(BLUE, squad(8), 600, 200 + gap(8), order="fire")
    medic = field.put(BLUE, squad(1, "Pistol", rules=["Medic"]), 600, 200 + gap(8) + 60)
    field.shoot(a, b, [6, 6, 6, 4, 4, 4, 6, 2, 1], answers={"casualties": (0, 1)})
    assert len(b.men) == 6
    assert "fire" not in field.rules.orders.legal(field.state, medic)
    assert not field.rules.assault.may_assault(field.state, medic)
    objective = _objective(field)
    assert field.rules.victory.holder(field.state, objective) is None
    cannon = field.put(RED, gun("Medium AT Gun"), 900, 200, heading=180)
    ran = field.shoot(cannon, b, [6, 5], answers={"weapons": ((0, "AT", b.id),), "casualties": (2,)})
    assert not any(event.label == "medic" for event in ran.of("Rolled"))


def _objective(field: Field):
    from dieselfront.rulesets.konflikt47.battle import Objective

    medic = field.state.units[-1].bodies[0]
    return Objective("x", (medic.x / 25.4, medic.y / 25.4 + 2.2), radius=2)


@pytest.mark.rule("k47.special.stubborn")
def test_stubborn_troops_ignore_pins_in_checks_only():
    field = Field()
    unit = field.put(BLUE, squad(3, rules=["Stubborn"]), 600, 400, pins=4)
    assert [value(field, unit, kind) for kind in (CHECK, ORDER, REACTION)] == [9, 5, 5]


@pytest.mark.rule("k47.special.hunters")
def test_hunters_may_go_into_ambush_after_an_advance():
    field, a, b = duel(12, squad(3, rules=["Hunters", "Sniper"]))
    ran = field.order(a, "advance", [], {"move": ((600, 230),), "hunters": True})
    assert a.order == "ambush" and "target" not in ran.asked
    assert not field.rules.specials.snipes(a, 0, CHART["Rifle"], "ambush") and b.alive


@pytest.mark.rule("k47.special.motivate", "k47.special.characters")
@pytest.mark.parametrize("rules, men", [(["Motivate"], 5), (["Motivate", "Brutal Motivation"], 4)])
def test_a_motivated_unit_acts_again(rules, men):
    field = Field()
    hero = field.put(BLUE, squad(1, rules=rules), 600, 400)
    tired = field.put(BLUE, squad(5), 600, 400 + gap(4), order="fire")
    far = field.put(BLUE, squad(5), 600, 400 + gap(15), order="fire")
    ran = field.order(hero, "ambush", [], {"motivate": tired.id}, default=usual)
    assert tired.order == "" and far.order == "fire" and len(tired.men) == men
    assert ran.offered["motivate"] == [None, tired.id]


@pytest.mark.rule("k47.special.elite")
def test_elite_troops_may_act_again_after_a_friend():
    field = Field()
    unit = field.put(BLUE, squad(3, rules=["Elite"]), 600, 400)
    friend = field.put(BLUE, squad(3), 900, 400)
    field.order(unit, "run", [4, 4], {"move": ((600, 500),), "elite": True})
    assert unit.order == "" and field.rules.turn.selectable(field.state, BLUE) == [friend]
    field.order(friend, "down")
    assert field.rules.turn.selectable(field.state, BLUE) == [unit]
    ran = field.order(unit, "run", [], {"move": ((600, 550),)})
    assert "elite" not in ran.asked


@pytest.mark.rule("k47.special.rally_colours")
def test_near_the_flag_rally_is_easier():
    field = Field()
    unit = field.put(BLUE, squad(5), 600, 400, pins=6)
    flag = field.put(BLUE, squad(2, rules=["Rally to the Colours"]), 600, 400 + gap(11))
    field.order(unit, "rally", [5, 5, 1, 1, 2, 5])
    assert unit.pins == 0
    flag.order = "down"
    assert not field.rules.specials.colours(field.state, unit)


@pytest.mark.rule("k47.special.target_designator")
def test_a_designator_gives_one_missed_shot_another_try():
    field, a, b = duel(12, gun("Medium AT Gun"), tank("medium tank", ()))
    spotter = field.put(BLUE, squad(2, rules=["Target Designator"]), 900, 300, order="fire")
    ran = field.shoot(a, b, [1, 6, 1], answers={"weapons": ((0, "AT", b.id),)})
    assert ran.of("Rolled")[1].rule == "k47.special.target_designator"
    assert spotter.order == "down"


@pytest.mark.rule("k47.special.behind_lines", "k47.special.quirks")
@pytest.mark.parametrize("rule", ["Behind Enemy Lines", "Deep Strike", "Raiders"])
def test_some_outflank_without_penalty(rule):
    field = Field(turn=3)
    unit = field.put(BLUE, squad(3, rules=[rule]), place="reserve", outflank="west")
    arriving = Occasion(ORDER, "run", arriving=True, outflanking=True)
    assert field.rules.morale.value(field.state, unit, arriving)[0] == 9
    plain = field.put(BLUE, squad(3), place="reserve", outflank="west")
    assert field.rules.morale.value(field.state, plain, arriving)[0] == 8


@pytest.mark.rule("k47.special.suppressive_fire")
@pytest.mark.parametrize("hits, pins", [(0, 1), (1, 2)])
def test_suppressive_fire_pins_without_hits(hits, pins):
    field, a, b = duel(10, team("MMG"))
    dice = [4] * hits + [1] * (4 - hits) + [1] * hits
    ran = field.shoot(a, b, dice, answers={"suppressive fire": True})
    assert ran.needed() == 4 and b.pins == pins
    a.pins = 4
    ran = field.shoot(a, b, [], answers={"suppressive fire": True})
    assert not ran.of("Rolled") and b.pins == pins + 1
    armour = field.put(RED, tank("medium tank", ()), 660, 700, order="fire")
    assert "suppressive fire" not in field.shoot(a, armour, [1] * 4).asked


@pytest.mark.rule("k47.special.war_dogs")
def test_released_dogs_run_at_the_nearest_troops():
    field = Field()
    card = squad(men=[{"weapons": ["Pistol"], "handler": True}, {"count": 3}], rules=["War Dogs"])
    dogs = field.put(BLUE, card, 600, 400)
    friend = field.put(BLUE, squad(2), 600, 400 + gap(6), order="fire")
    dice = [1, 1, 1, 1, 1, 2]
    ran = field.order(dogs, "run", dice, {"war dogs": True, "method": "hand-to-hand"}, default=usual)
    assert dogs.men == [1, 2, 3] and dogs.has("Fast") and dogs.has("Fanatics")
    assert ran.of("Assaulted")[0].target == friend.id
    dogs.order = ""
    assert field.rules.orders.choices(field.state, dogs) == ["run"]


@pytest.mark.rule("k47.special.animated_corpse")
def test_animated_corpses_know_neither_pins_nor_fear():
    field, a, b = duel(10, squad(5), squad(5, rules=["Undead"]))
    ran = field.shoot(a, b, [6, 6, 6, 1, 1, 5, 5, 5], answers={"casualties": (0, 1, 2)})
    assert b.pins == 0 and b.alive and not ran.of("Tested")
    field.put(RED, squad(1, rules=["Medic"]), 600, 200 + gap(10) + 60)
    assert field.rules.specials.medic_score(field.state, b) == 7


@pytest.mark.rule("k47.special.compression")
def test_three_compression_hits_bring_more():
    field, a, b = duel(12, gun("Compression Cannon"), squad(10))
    ran = field.shoot(a, b, [6, 6, 6, 6, 1, 1, 1, 1, 1, 1])
    assert [len(event.stages[0][1]) for event in ran.of("Rolled")] == [3, 3, 4]
    field, a, b = duel(12, gun("Compression Cannon"), gun("Light AT Gun"))
    field.shoot(a, b, [6, 6, 6, 5])
    assert not b.alive
    field, a, b = duel(12, gun("Compression Cannon"), tank("heavy tank", ()))
    ran = field.shoot(a, b, [6, 6, 6, 1, 1, 1, 1])
    assert len(ran.of("Rolled")[1].stages[0][1]) == 1


@pytest.mark.rule("k47.special.meteor")
def test_meteors_roll_their_shots_and_pile_up_against_vehicles():
    field, a, b = duel(12, gun("Meteor Launcher"), tank("heavy tank", ()))
    ran = field.shoot(a, b, [5, 6, 6, 6, 6, 1, 2, 1])
    assert ran.of("Damaged")[0].total == 2 + 4 + 4
    field, a, b = duel(12, gun("Meteor Launcher"), squad(8))
    ran = field.shoot(a, b, [3, 6, 6, 1, 1, 1])
    assert ran.of("Hit")[0].dice == 3


@pytest.mark.rule("k47.special.multiple_launcher")
def test_a_multiple_launcher_rolls_for_everyone_around_and_never_ranges_in():
    field, a, b = duel(30, gun("Multiple Launcher"), squad(5))
    near = field.put(BLUE, squad(5), 600, 200 + gap(30) + 100, order="fire")
    far = field.put(RED, squad(5), 1500, 900, order="fire")
    answers = {"weapons": ((0, "indirect", b.id),)}
    a.order = "fire"
    ran = field.shoot(a, b, [1, 6, 2, 1, 1, 1, 1], answers=answers)
    assert near.pins == 1 and b.pins == 0 and far.pins == 0
    field.state.turn += 1
    assert field.need(a, b, way="indirect") == 6 and ran.needed() == 6


@pytest.mark.rule("k47.special.rail_gun")
def test_rail_guns_run_hot_and_shake_houses():
    field = Field({"kind": "building", "id": "house", "at": [22, 30], "size": [6, 6]})
    a = field.put(BLUE, tank("heavy tank", ("Turret-Mounted Light Rail Gun",)), 600, 100, heading=180)
    b = field.put(RED, tank("heavy tank", ()), 1100, 1100, order="fire")
    assert field.pool(a, b).pen == 7  # long range loses nothing
    field.run(
        lambda play: field.rules.shooting.shoot(play, a, "fire"), [1, 1], {"weapons": ((b.id, ""),)}, default=usual
    )
    assert field.pool(a, b).pen == 4
    inside = field.put(RED, squad(5), 100, 100, order="fire")
    field.rules.buildings.put_inside(field.state, inside, field.state.table.piece("house"), 0)
    field.run(
        lambda play: field.rules.shooting.shoot(play, a, "fire"),
        [6, 6, 6, 5],
        {"weapons": ((inside.id, ""),)},
        default=usual,
    )
    assert not inside.alive


MINES = {"kind": "minefield", "id": "mines", "at": [20, 18], "size": [6, 6]}


@pytest.mark.rule("k47.special.minefield")
def test_mines_attack_once_on_advance_and_three_times_on_run():
    field = Field(MINES)
    unit = field.put(BLUE, squad(5), 540, 400)
    dice = [3, 4, 5, 4, 1, 5]
    ran = field.order(unit, "run", dice, {"move": ((540, 640),), "casualties": (0,)}, default=usual)
    assert ran.of("Rolled")[0].successes == 2 and unit.pins == 3 and len(unit.men) == 4
    field = Field(MINES)
    engineers = field.put(BLUE, squad(5, rules=["Engineers"]), 540, 400)
    ran = field.order(engineers, "advance", [4, 3], {"move": ((540, 500),)}, default=usual)
    assert engineers.pins == 0 and len(ran.of("Rolled")) == 2


@pytest.mark.rule("k47.special.mine_kinds")
def test_flame_and_dummy_fields():
    field = Field({**MINES, "traits": ["flame"]})
    unit = field.put(BLUE, squad(5), 540, 400)
    field.order(unit, "advance", [4, 1, 1, 6, 6], {"move": ((540, 500),)}, default=usual)
    assert not unit.alive
    field = Field({**MINES, "traits": ["flame"]})
    armour = field.put(BLUE, tank("medium tank", ()), 580, 400, heading=180)
    field.order(armour, "advance", [4, 1, 1, 6, 1, 1, 1, 1], {"move": ((580, 520, 180),)}, default=usual)
    assert armour.order == "down"
    field = Field({**MINES, "traits": ["dummy"]})
    unit = field.put(BLUE, squad(5), 540, 400)
    ran = field.order(unit, "advance", [4], {"move": ((540, 500),)}, default=usual)
    assert unit.pins == 0 and ran.of("TerrainChanged") and field.state.cleared == ("mines",)


@pytest.mark.rule("k47.special.quirks")
def test_minor_unit_rules():
    field = Field()
    phase = field.put(BLUE, squad(5, rules=["Phase Field"]), 600, 400)
    field.order(phase, "advance", [2, 3, 5, 1, 6], {"move": ((600, 450),)}, default=usual)
    assert phase.pins == 1
    fearsome = field.put(BLUE, squad(3, rules=["Fearsome"]), 1200, 400)
    friend = field.put(BLUE, squad(3), 1200, 480)
    foe = field.put(RED, squad(3), 1200, 320)
    immune = field.put(RED, squad(3, rules=["Immune to Horror"]), 1320, 330)
    assert [value(field, unit) for unit in (friend, foe, immune)] == [9, 8, 9] and fearsome.alive
    nervous = field.put(RED, squad(3, rules=["Non-Testati"]), 300, 800)
    field.run(lambda play: next(iter(nervous.hooks["on_attacked"]))(None, play, nervous), [2])
    assert nervous.has("Shirkers")
    fireproof = field.put(RED, squad(5, rules=["Immune to Fire"]), 600, 800, order="fire")
    flame = field.put(BLUE, team("Flamethrower (Infantry)", 2), 600, 800 - gap(4))
    field.shoot(flame, fireproof, [6, 6])
    assert fireproof.pins == 0 and len(fireproof.men) == 5


@pytest.mark.rule("k47.special.quirks")
def test_first_to_fight_paragons_loaders_and_second_weapons():
    field = Field()
    first = field.put(BLUE, squad(3, rules=["First to Fight"]), 600, 400)
    field.run(lambda play: first.hooks["on_after_setup"][0](None, play, first), [], {"move": ((600, 700),)})
    assert first.bodies[0].y == 700
    men = [{"weapons": ["SMG"], "rules": ["Stubborn (Paragon)"]}, {"weapons": ["Rifle"], "count": 3}]
    led = field.put(BLUE, squad(men=men), 900, 400)
    assert led.has("Stubborn")
    field.run(lambda play: field.rules.losses.remove(play, led, [0]))
    assert not led.has("Stubborn")
    heavy = {
        "name": "Heavy sniper",
        "rules": ["Multiple Weapons"],
        "men": [{"weapons": ["Anti-tank Rifle"], "gunner": True}, {"weapons": ["Rifle"], "crew": True}],
    }
    pair = field.put(BLUE, heavy, 1200, 400)
    target = field.put(RED, squad(5), 1200, 400 + gap(10), order="fire")
    ran = field.shoot(pair, target, [1])
    assert [event.weapon for event in ran.of("Hit")] == ["Anti-tank Rifle"]
    dual = field.put(BLUE, squad(men=[{"weapons": ["Rifle", "Rifle Grenade"]}], rules=["Dual Weapons"]), 1500, 400)
    prey = field.put(RED, squad(5), 1500, 400 + gap(10), order="fire")
    ran = field.shoot(dual, prey, [1, 1])
    assert sorted(event.weapon for event in ran.of("Hit")) == ["Rifle", "Rifle Grenade"]


@pytest.mark.rule("k47.special.quirks")
def test_a_specialist_medic_takes_a_model_for_better_rolls():
    field = Field()
    medic = field.put(BLUE, squad(1, "Pistol", rules=["Medic", "Specialist Medic"]), 600, 400)
    unit = field.put(BLUE, squad(4), 600, 460)
    field.order(medic, "down", [], {"specialist medic": unit.id}, default=usual)
    assert len(unit.men) == 3 and field.rules.specials.medic_score(field.state, unit) == 5


@pytest.mark.rule("k47.special.characters")
def test_named_characters():
    field = Field()
    mover = field.put(BLUE, squad(1, rules=["Get Moving"]), 600, 400)
    pinned = [field.put(BLUE, squad(2), 540 + 70 * n, 480, pins=2) for n in range(3)]
    field.order(mover, "ambush")
    assert [unit.pins for unit in pinned] == [1, 1, 1]
    blood = field.put(BLUE, squad(1, rules=["Blood Fueled"]), 1200, 400)
    field.run(lambda play: blood.hooks["on_killed_in_fight"][0](None, play, blood, 1))
    assert blood.has("Resilient") and blood.has("Strong")
    boss = field.put(
        BLUE,
        squad(men=[{"weapons": ["Pistol"], "character": True}, {"weapons": ["SMG"], "count": 3}], rules=["Bodyguard"]),
        1500,
        400,
    )
    assert boss.ask("on_casualties_chosen", list(boss.men), boss) == [1, 2, 3]
    smg = field.put(BLUE, squad(1, "SMG", rules=["Dual SMGs"]), 300, 400)
    assert smg.ask("on_shots", 2, smg, CHART["SMG"], [0]) == 4
    gauntlet = field.put(BLUE, squad(1, rules=["Tesla Gauntlet"]), 300, 700)
    assert gauntlet.ask("on_attack_pen", 0, gauntlet) == 1
    squaddies = field.put(BLUE, squad(4, quality="veteran", rules=["Character as NCO"]), 900, 700)
    assert value(field, squaddies) == 9


# -- nations -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("k47.nation.scope")
def test_national_rules_are_an_option_and_do_not_bind_automatons_or_lent_units():
    for option, shots in (("on", 4), ("off", 3)):
        field = Field(national_rules=option)
        a = field.put(BLUE, squad(1, "LMG", nation="Germany"), 600, 300)
        b = field.put(RED, squad(5), 600, 300 + gap(10))
        assert field.pool(a, b).dice == shots
    robot = field.put(BLUE, squad(1, "LMG", nation="Germany", rules=["Automaton"]), 900, 300)
    assert field.rules.nations.of(Field(national_rules="on").state, robot) == ()
    lent = field.put(BLUE, squad(1, nation="Germany", lent=True), 900, 500, nation="Italy")
    names = [type(one).__name__ for one in field.rules.nations.of(Field(national_rules="on").state, lent)]
    assert "MachineGunDrill" in names and "Avanti" not in names


def nation(name: str, card: dict, **given):
    field = Field(national_rules="on")
    return field, field.put(BLUE, {**card, "nation": name}, 600, 300, heading=180, **given)


@pytest.mark.rule("k47.nation.germany")
def test_germany():
    field, unit = nation("Germany", squad(8, nco=True), pins=1)
    assert value(field, unit, ORDER, "advance") == 9 and value(field, unit, ORDER, "fire") == 8
    assert field.rules.orders.needs_test(field.state, unit, Occasion(ORDER, "advance"))
    field.run(lambda play: field.rules.losses.remove(play, unit, [0]), [4], {"casualties": (7,)})
    assert 0 in unit.men and 7 not in unit.men and not unit.nco_lost
    field.run(lambda play: field.rules.losses.remove(play, unit, [0]), [3])
    assert unit.nco_lost
    gunner = field.put(BLUE, squad(1, "LMG", nation="Germany"), 900, 300)
    target = field.put(RED, squad(5), 900, 300 + gap(10))
    assert field.pool(gunner, target).dice == 4


@pytest.mark.rule("k47.nation.us")
def test_the_united_states():
    field, unit = nation("United States", squad(5))
    b = field.put(RED, squad(5), 600, 300 + gap(10), order="fire")
    assert field.need(unit, b, "advance") == 3
    mmg = field.put(BLUE, team("MMG", nation="United States"), 900, 300, heading=180)
    prey = field.put(RED, squad(5), 900, 300 + gap(12), order="fire")
    ran = field.shoot(mmg, prey, [1, 3, 4, 6, 1, 1, 1, 1], answers={"suppressive fire": False})
    assert [event.rule for event in ran.of("Rolled")][1] == "k47.nation.us"
    reserve = field.put(BLUE, squad(3, nation="United States"), place="reserve")
    assert field.rules.morale.value(field.state, reserve, Occasion(ORDER, "run", arriving=True))[0] == 9
    gyro = field.put(
        BLUE,
        tank(
            weapons=({"name": "Turret-Mounted Medium AT Gun", "rules": ["Gyro-Stabilised"]},),
            quality="veteran",
            nation="United States",
        ),
        1300,
        300,
        heading=180,
    )
    foe = field.put(RED, squad(5), 1300, 700)
    assert "k47.shoot.moving" not in [item.rule for item in field.pool(gyro, foe, "advance", way="AT").because]


@pytest.mark.rule("k47.nation.britain")
def test_britain():
    field, unit = nation("Great Britain", squad(8), pins=2)
    field.order(unit, "down")
    assert unit.pins == 1
    field, unit = nation("Great Britain", squad(8))
    field.run(lambda play: field.rules.nations.choose(play, BLUE), [], {"national characteristic": "Rapid Fire"})
    b = field.put(RED, squad(8), 600, 300 + gap(10))
    assert field.pool(unit, b).dice == 10
    for choice, check in (
        ("Tough as Boots", lambda f, u: f.rules.assault.attack_dice(u) == (10, 0)),
        (
            "Up And At 'Em",
            lambda f, u: u.ask("on_auto_pass", "", u, Occasion(ORDER, "run", assaulting=True), f.state) != "",
        ),
        ("Blood Curdling Charge", lambda f, u: f.rules.assault.is_unanswerable(f.state, u)),
    ):
        field, unit = nation("Great Britain", squad(8))
        field.run(lambda play, f=field: f.rules.nations.choose(play, BLUE), [], {"national characteristic": choice})
        assert check(field, unit), choice
    field, unit = nation("Great Britain", squad(8), pins=1, characteristic="Vengeance")
    field.put(RED, squad(3), 600, 300 + gap(10))
    ran = field.order(unit, "ambush", [4])
    assert unit.pins == 0 and not ran.of("Tested")


@pytest.mark.rule("k47.nation.britain")
def test_nobody_stands_and_fires_against_a_blood_curdling_charge():
    field, unit = nation("Great Britain", squad(5), characteristic="Blood Curdling Charge")
    b = field.put(RED, squad(5), 600, 300 + gap(8))
    ran = field.order(
        unit, ("assault", b.id), [1] * 10 + [1], {"reaction": None, "method": "hand-to-hand"}, default=usual
    )
    assert "stand and fire" not in ran.asked


@pytest.mark.rule("k47.nation.soviet")
def test_the_soviet_union():
    field, unit = nation("Soviet Union", squad(6), pins=1)
    ran = field.run(lambda play: field.rules.morale.check_or_die(play, unit, "test", "k47.morale.check"), [6, 6, 1, 1])
    assert unit.alive and len(ran.of("Tested")) == 2
    commissar = field.put(
        BLUE, squad(1, officer=True, rank="major", nation="Soviet Union", rules=["Not One Step Back"]), 600, 380
    )
    field.order(unit, "ambush", [6, 5, 1, 1], {"casualties": (5,)})
    assert len(unit.men) == 5 and unit.order == "ambush"
    assert field.rules.morale.rank_bonus(commissar) == 0


@pytest.mark.rule("k47.nation.japan")
def test_japan():
    field, unit = nation("Japan", squad(8), pins=6)
    near = field.put(RED, squad(5), 600, 300 + gap(8), order="fire")
    far = field.put(RED, squad(5), 900, 900, order="fire")

    def ask(target):
        return unit.ask(
            "on_auto_pass", "", unit, Occasion(ORDER, "run", assaulting=True, target=target.id), field.state
        )

    assert ask(near) and not ask(far)
    assert unit.ask("on_half_loss_check", True, unit) is False
    assert unit.ask("on_follow_on", False, unit) is True
    raw = field.put(BLUE, squad(8, nation="Japan", rules=["Raw Recruits"]), 1200, 300)
    assert raw.ask("on_half_loss_check", True, raw) is True
    dice = [1] * 3 + [1] * 5 + [2]  # eight men less five pins
    field.order(unit, ("assault", near.id), dice, {"method": "hand-to-hand"}, default=usual)
    assert unit.pins == 5
    green = field.put(BLUE, squad(4, quality="inexperienced", nation="Japan", rules=["Green"]), 300, 900)
    field.put(BLUE, squad(1, officer=True, rank="major", nation="Japan", rules=["Show Your Loyalty!"]), 300, 960)
    field.run(lambda play: field.rules.losses.remove(play, green, [3]), [1, 6])
    assert green.quality(field.state) == "regular"


@pytest.mark.rule("k47.nation.finland")
def test_finland():
    field, unit = nation("Finland", squad(8))
    for man in (7, 6, 5, 4):
        unit.lose(man)
    assert unit.quality(field.state) == "regular"
    unit.lose(3)
    assert unit.quality(field.state) == "veteran" and value(field, unit) == 10
    b = field.put(RED, squad(5), 600, 300 + gap(10))
    assert field.need(unit, b, "ambush") == 2 and field.need(unit, b, "fire") == 3
    gunner = field.put(BLUE, squad(1, "LMG", nation="Finland"), 900, 300)
    assert field.pool(gunner, b).dice == 4
    reserve = field.put(BLUE, squad(3, nation="Finland"), place="reserve")
    assert (
        field.rules.morale.value(field.state, reserve, Occasion(ORDER, "run", arriving=True, outflanking=True))[0] == 9
    )


@pytest.mark.rule("k47.nation.italy")
def test_italy():
    field, unit = nation("Italy", squad(3))
    for number in range(3):
        field.put(RED, squad(1), 100 + 100 * number, 900, place="gone")
    field.run(lambda play: _began(field, play))
    assert value(field, unit) == 10
    breda = field.put(BLUE, squad(1, "Breda LMG", nation="Italy"), 900, 300)
    b = field.put(RED, squad(5), 900, 300 + gap(10))
    assert field.pool(breda, b).dice == 2


def _began(field: Field, play):
    field.rules.nations.turn_began(play)
    return
    yield


def test_inches_are_whole_millimetres():
    assert inch(10) == 254
