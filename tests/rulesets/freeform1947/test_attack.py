"""Attacks on the open table: participants, templates, flames, casualties, leaders (ff.attack/blast/flame/damage.*)."""

from __future__ import annotations

import pytest

from dieselfront import rulesets
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.dust.events import Hits, SoldierLost, TokenGained, WeaponsDeclared
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust_open.attack import is_under_barrel
from dieselfront.rulesets.dust_open.places import at, xy
from dieselfront.table.measured.formation import Circle
from dieselfront.table.measured.templates import flame_tape
from rulesets.dust1947.table import hero, knife, squad, support, vehicle, weapon
from rulesets.freeform1947.field import RED, Field, box, house

RULES = rulesets.load("freeform1947")


def men(count: int = 1, reach: int = 6, dice: int = 1, **more: object):
    return squad(weapon("Rifle", f"{dice}/1", reach), men=count, **more)


def declaration(field: Field, unit: object):
    attack = Attack(unit)
    lines = RULES.attacks.weapon_lines(field.play, attack)
    return RULES.attacks.declaration(field.play, attack, lines)


# -- who takes part -------------------------------------------------------------------------------------


@pytest.mark.rule("ff.attack.need_los")
def test_without_the_leaders_sight_there_is_no_attack():
    field = Field(box("rock", 480, 740, 40, 15))
    unit = field.put(men(3), (500, 800), others=[(450, 800), (550, 800)])
    foe = field.put(men(1), (500, 500), RED)
    assert not field.may_aim(unit, "Rifle", foe)
    assert not RULES.attacks.has_target(field.play, Attack(unit))


@pytest.mark.rule("ff.attack.participants")
def test_only_those_attack_who_see_a_target_model():
    field = Field(box("rock", 525, 740, 100, 15))
    unit = field.put(men(5), (500, 800), others=[(470, 800), (500, 830), (550, 780), (555, 810)])
    foe = field.put(men(5), (500, 600), RED)
    game = field.attack(unit, foe, "SSS")
    assert game.dice("to hit") == [3]


@pytest.mark.rule("ff.open.los_who")
def test_a_man_who_sees_other_models_than_his_leader_joins_but_losses_are_those_the_leader_sees():
    field = Field(box("rock", 440, 640, 95, 15))
    unit = field.put(men(2, dice=3), (540, 800), others=[(500, 800)])
    foe = field.put(men(2), (560, 600), RED, others=[(520, 560)])
    assert field.seen(unit, foe) == [0]
    game = field.attack(unit, foe, "AAAAAA TTTTTT")
    assert game.dice("to hit") == [6]
    assert [event.left for event in game.of(SoldierLost)] == [1]


@pytest.mark.rule("ff.attack.one_weapon")
def test_a_soldier_with_two_weapons_uses_one():
    field = Field()
    unit = field.put(squad(weapon("Rifle", "1/1", 6), weapon("Pistol", "1/1", 2), men=1), (500, 800))
    foe = field.put(men(3), (500, 620), RED)
    decision = declaration(field, unit)
    aim = (foe.id,)
    with pytest.raises(IllegalChoice):
        decision.check((aim, aim))
    assert decision.check((aim, None)) == (aim, None)


@pytest.mark.rule("ff.attack.under_barrel")
def test_a_launcher_under_the_barrel_fires_besides():
    launcher = weapon("Under-Barrel Grenade Launcher", "1/1", 3)
    assert is_under_barrel(launcher)
    field = Field()
    unit = field.put(squad(weapon("Rifle", "1/1", 6), launcher, men=1), (500, 800))
    foe = field.put(men(3), (500, 720), RED)
    game = field.attack(unit, foe, "S S")
    assert game.dice("to hit") == [1, 1]


@pytest.mark.rule("ff.attack.heroes_all", "ff.open.vehicle_weapons")
@pytest.mark.parametrize("kind", [hero, vehicle])
def test_heroes_and_machines_use_everything(kind: object):
    field = Field()
    card = kind(weapon("Rifle", "1/1", 6), weapon("Gun", "1/1", 6), weapon("Third", "1/1", 6))  # type: ignore[operator]
    unit = field.put(card, (500, 800))
    foe = field.put(men(3), (500, 700), RED)
    game = field.attack(unit, foe, "S S S")
    assert game.dice("to hit") == [1, 1, 1]


@pytest.mark.rule("ff.target.declare")
def test_two_targets_are_declared_before_any_die_and_kept_apart():
    field = Field()
    unit = field.put(men(2), (500, 800))
    one = field.put(men(2), (450, 600), RED)
    other = field.put(men(2), (650, 600), RED)
    game = field.attack(unit, None, "A T S", declare={"Rifle": [one, other]}, pool_order=0)
    (told,) = game.of(WeaponsDeclared)
    assert {aim for _, _, aim in told.pools} == {one.id, other.id}
    assert [event.target for event in game.of(Hits)] == [one.id, other.id]


# -- blast ----------------------------------------------------------------------------------------------


def mortar(cells: str = "S */1, V 4/1", reach: int = 6):
    return vehicle(weapon("Howitzer", cells, reach, mount="turret"), name="Gun")


@pytest.mark.rule("ff.blast.place")
def test_the_template_may_be_laid_on_open_ground_between_two_squads():
    field = Field()
    gun = field.put(mortar(), (500, 900))
    field.put(men(2), (440, 600), RED)
    field.put(men(2), (560, 600), RED)
    decision = declaration(field, gun)
    centre = at(500, 600)
    assert decision.check(((centre, "blast", centre),))
    far = at(500, 900 - 35 - 615)
    with pytest.raises(IllegalChoice):
        decision.check(((far, "blast", far),))


@pytest.mark.rule("ff.blast.place", "ff.blast.no_los")
def test_a_blast_on_open_ground_needs_no_legal_target():
    field = Field(box("structure", 440, 640, 120, 20))
    gun = field.put(mortar(), (500, 900))
    foe = field.put(men(3), (500, 615), RED)
    assert not field.sees(gun, foe)
    aims = [aim for aim in declaration(field, gun).choices[0] if aim is not None]
    assert aims and all(aim[0] == aim[2] for aim in aims), "places, not units"
    touched = RULES.ground.touched(field.state, foe, RULES.ground.template(field.state, (aims[0][2],)))
    game = field.attack(gun, None, "S" * len(touched), declare=(aims[0],))
    assert touched and game.dice("to hit") == [len(touched)]


@pytest.mark.rule("ff.blast.place")
def test_a_blast_may_be_laid_where_nobody_is():
    field = Field()
    gun = field.put(mortar(), (500, 900))
    field.put(men(2), (500, 100), RED)  # far out of range
    decision = declaration(field, gun)
    centre = at(600, 700)
    assert decision.check(((centre, "blast", centre),))
    assert field.attack(gun, None, "", declare=((centre, "blast", centre),)).labels == []


@pytest.mark.rule("ff.blast.place", "ff.blast.units")
def test_a_template_is_named_only_for_an_enemy_it_touches():
    field = Field()
    gun = field.put(mortar(), (500, 900))
    friend = field.put(men(2), (640, 600))
    foe = field.put(men(2), (440, 600), RED)
    decision = declaration(field, gun)
    near, far = at(445, 610), at(640, 600)
    assert decision.check(((foe.id, "blast", near),))
    for named, centre in ((foe.id, far), (friend.id, far), (gun.id, near)):
        with pytest.raises(IllegalChoice):
            decision.check(((named, "blast", centre),))


@pytest.mark.rule("ff.blast.place")
def test_a_centre_out_of_sight_or_arc_is_refused():
    field = Field(box("structure", 450, 700, 100, 60))
    gun = field.put(vehicle(weapon("Howitzer", "*/1", 6, mount="front")), (500, 900), heading=0)
    field.put(men(2), (700, 640), RED)
    decision = declaration(field, gun)
    for spot in ((500, 650), (500, 1000)):
        with pytest.raises(IllegalChoice):
            decision.check(((at(*spot), "blast", at(*spot)),))


@pytest.mark.rule("ff.blast.infantry")
def test_one_die_for_each_man_touched():
    field = Field()
    gun = field.put(mortar(), (500, 900))
    foe = field.put(men(8), (500, 600), RED)
    centre = at(500, 545)
    template = RULES.ground.template(field.state, (centre,))
    touched = len(RULES.ground.touched(field.state, foe, template))
    assert 0 < touched < 8
    game = field.attack(gun, None, "S" * touched, declare=((centre, "blast", centre),))
    assert game.dice("to hit") == [touched]


@pytest.mark.rule("ff.blast.vehicle", "ff.open.blast_vehicle_base")
@pytest.mark.parametrize("cells, dice", [("**/1", 2), ("4/1", 4)])
def test_a_vehicle_touched_takes_a_die_per_symbol_or_the_number(cells: str, dice: int):
    field = Field()
    gun = field.put(mortar(f"S */1, V {cells}"), (500, 900))
    field.put(men(1), (500, 640), RED)
    field.put(vehicle(), (500, 560), RED)  # its hull ends at 595
    centre = at(500, 640)
    game = field.attack(gun, None, "S" + "S" * dice, declare=((centre, "blast", centre),))
    assert game.dice("to hit") == [1, dice]


@pytest.mark.rule("ff.blast.multi")
def test_two_symbols_are_two_dice_for_each_man():
    field = Field()
    gun = field.put(mortar("S **/1"), (500, 900))
    foe = field.put(men(4), (500, 600), RED)
    centre = field.points(foe)[0]
    game = field.attack(gun, None, "S" * 8, declare=((foe.id, "blast", at(*centre)),))
    assert game.dice("to hit") == [8]


@pytest.mark.rule("ff.blast.support")
def test_a_support_weapon_takes_a_die_for_each_of_its_crew():
    field = Field()
    gun = field.put(mortar(), (500, 900))
    foe = field.put(support(weapon("Mortar", "1/1", 6), men=3), (500, 600), RED)
    game = field.attack(gun, foe, "SSS")
    assert game.dice("to hit") == [3]


@pytest.mark.rule("ff.blast.units", "ff.blast.mixed")
def test_friend_and_foe_under_the_template_are_rolled_for_apart():
    field = Field()
    gun = field.put(mortar(), (500, 900))
    friends = field.put(men(2), (470, 600), others=[(470, 630)])
    foes = field.put(men(3), (530, 600), RED, others=[(530, 630), (530, 570)])
    tank = field.put(vehicle(), (584, 615), RED)
    centre = at(500, 615)
    disc = RULES.ground.template(field.state, (centre,))
    count = {u.id: len(RULES.ground.touched(field.state, u, disc)) for u in (friends, foes)}
    game = field.attack(
        gun, None, "S" * (count[friends.id] + count[foes.id] + 4), declare=((foes.id, "blast", centre),), pool_order=0
    )
    assert {hit.target for hit in game.of(Hits)} == {friends.id, foes.id, tank.id}
    assert sorted(game.dice("to hit")) == sorted([count[friends.id], count[foes.id], 4])


@pytest.mark.rule("ff.blast.level")
def test_with_the_centre_outside_only_the_ground_floor_is_hit():
    field = Field(house(450, 400, 150, 150, floors=2))
    gun = field.put(mortar(), (520, 900))
    above = field.put(men(2), (525, 530), RED, floor=1)
    outside = at(525, 570)
    shot = RULES.ground.template(field.state, (outside,))
    assert RULES.ground.under(field.state, shot, gun, 0) == []
    assert RULES.ground.under(field.state, shot, gun, 1) == [above]
    howitzer = gun.card.weapons[0]
    may = RULES.templates.may_burst
    assert may(field.play, Attack(gun), howitzer, at(525, 570)) is None
    assert may(field.play, Attack(gun), howitzer, at(525, 570, 1)) is not None  # no upper floor out there


@pytest.mark.rule("ff.blast.no_los", "ff.open.blast_casualties")
def test_men_behind_a_wall_but_under_the_template_are_hit_and_lost():
    field = Field(box("wall", 400, 600, 200, 6))
    gun = field.put(mortar(), (500, 900))
    foe = field.put(men(4), (500, 585), RED, others=[(470, 585), (530, 585), (500, 545)])
    decoy = field.put(men(1), (530, 660), RED)
    assert not field.sees(gun, foe)
    centre = at(500, 615)
    touched = len(RULES.ground.touched(field.state, foe, RULES.ground.template(field.state, (centre,))))
    assert touched == 3
    assert decoy.alive
    game = field.attack(gun, None, "AAA TTT S", declare=((centre, "blast", centre),), pool_order=0)
    assert len(foe.main.alive) == 1
    assert sum(1 for event in game.of(SoldierLost) if event.unit == foe.id) == 3


@pytest.mark.rule("ff.open.blast_sight")
def test_range_is_the_leaders_and_sight_the_bearers():
    field = Field(box("rock", 480, 740, 45, 15))
    bomber = squad(weapon("Rifle", "1/1", 6), weapon("Bomb", "*/1", 3, count=1), men=2)
    unit = field.put(bomber, (460, 800), others=[(500, 800)])
    foe = field.put(men(1), (470, 560), RED)
    attack = Attack(unit)
    weapon_ = bomber.weapons[1]
    templates = RULES.templates
    assert templates.may_burst(field.play, attack, weapon_, at(470, 560)) is None
    assert templates.may_burst(field.play, attack, weapon_, at(470, 800 - 12 - 306)) is not None
    assert templates.bearer_sees(field.play, attack, unit.main, 0, at(500, 640))
    assert not templates.bearer_sees(field.play, attack, unit.main, 1, at(502, 640))
    assert foe.alive


# -- flames -----------------------------------------------------------------------------------------------


def burner(reach: int = 2, cells: str = "S */1, V 2/1", others: int = 1):
    return squad(weapon("Rifle", "1/1", 6), weapon("Flamethrower", cells, reach, "Flame", count=1), men=1 + others)


def flame(field: Field, unit: object, centre: tuple[int, int], bearer: int, whom: object):
    return lambda decision: tuple(
        (whom.id, "flame", at(*centre), "from", bearer) if item[1] == 1 else None for item in decision.items
    )


@pytest.mark.rule("ff.flame.from_bearer")
def test_flames_are_measured_from_the_man_who_carries_them():
    field = Field()
    unit = field.put(burner(2), (500, 900), others=[(500, 840)])
    foe = field.put(men(1), (500, 600), RED)  # the template reaches him from the bearer, not from the leader
    assert field.may_aim(unit, "Flamethrower", foe)
    away = field.put(men(1), (500, 520), RED)  # 11.6" from the bearer: tape and template end before him
    assert not field.may_aim(unit, "Flamethrower", away)


@pytest.mark.rule("ff.flame.line")
@pytest.mark.parametrize("way, legal", [(203, True), (205, False)])
def test_the_centre_lies_up_to_the_range_from_the_bearer(way: int, legal: bool):
    field = Field()
    unit = field.put(burner(2, others=1), (500, 900), others=[(530, 900)])
    foe = field.put(men(2), (530, 660), RED)
    centre = (530, 900 - 12 - way)
    if legal:
        field.attack(unit, None, "SS", declare=flame(field, unit, centre, 1, foe))
    else:
        with pytest.raises(IllegalChoice):
            field.attack(unit, None, "SS", declare=flame(field, unit, centre, 1, foe))


@pytest.mark.rule("ff.flame.range1")
@pytest.mark.parametrize("way, legal", [(76, True), (127, False)])
def test_range_one_flames_reach_four_inches(way: int, legal: bool):
    field = Field()
    unit = field.put(burner(1), (500, 900), others=[(530, 900)])
    foe = field.put(men(1), (530, 780), RED)
    tape = RULES.templates.tape(
        field.play, Attack(unit), unit.card.weapons[1], field.bodies(unit)[1], at(530, 900 - 12 - way)
    )
    assert (xy(tape) == (530, 900 - 12 - way)) is legal
    assert foe.alive


@pytest.mark.rule("ff.flame.range23", "ff.flame.affects", "ff.flame.dice")
def test_everybody_under_tape_and_template_burns_friend_or_foe_each_unit_apart():
    field = Field()
    unit = field.put(burner(3), (500, 900), others=[(530, 900)])
    friends = field.put(men(3), (600, 800), others=[(545, 800), (650, 800)])
    foe = field.put(men(4), (530, 640), RED)
    tank = field.put(vehicle(), (612, 640), RED)
    centre = (530, 640)
    template = flame_tape((530, 900), centre)
    touched = {u.id: len(RULES.ground.touched(field.state, u, template)) for u in (friends, foe, tank)}
    assert touched[friends.id] == 1  # only the one beside the tape
    game = field.attack(
        unit, None, "S" * (touched[friends.id] + touched[foe.id] + 2), pool_order=0,
        declare=flame(field, unit, centre, 1, foe),
    )  # fmt: skip
    assert sorted(game.dice("to hit")) == sorted([1, touched[foe.id], 2])


@pytest.mark.rule("ff.flame.no_los", "ff.open.flame_walls")
def test_a_wall_ends_the_tape_but_not_the_template():
    field = Field(box("wall", 400, 810, 300, 6))
    unit = field.put(burner(2), (500, 900), others=[(530, 900)])
    hidden = field.put(men(1), (530, 790), RED)
    seen = field.put(men(1), (560, 850), RED)
    body = field.bodies(unit)[1]
    tape = RULES.templates.tape(field.play, Attack(unit), unit.card.weapons[1], body, at(530, 760))
    assert 814 <= xy(tape)[1] <= 817  # at the wall
    game = field.attack(unit, None, "AA", declare=flame(field, unit, xy(tape), 1, seen), pool_order=0)
    assert {hit.target for hit in game.of(Hits)} == {hidden.id, seen.id}


@pytest.mark.rule("ff.flame.strip")
@pytest.mark.parametrize("aside, touched", [(18, True), (19, False)])
def test_the_tape_is_half_an_inch_wide(aside: int, touched: bool):
    field = Field()
    man = field.put(men(1), (500 + aside, 700), RED)
    template = flame_tape((500, 900), (500, 600))
    assert bool(RULES.ground.touched(field.state, man, template)) is touched


@pytest.mark.rule("ff.flame.effect")
def test_flames_allow_no_saves_and_suppress_at_once():
    field = Field(box("trees", 450, 600, 200, 200))
    unit = field.put(burner(2), (500, 900), others=[(530, 900)])
    foe = field.put(men(3), (530, 720), RED)
    game = field.attack(unit, None, "ASS", declare=flame(field, unit, (530, 720), 1, foe))
    assert game.labels == ["to hit"]
    assert [event.token for event in game.of(TokenGained)] == ["suppressed"]


# -- casualties --------------------------------------------------------------------------------------------


@pytest.mark.rule("ff.damage.los", "ff.damage.surplus")
def test_hits_beyond_the_men_in_sight_are_lost():
    field = Field(box("rock", 447, 620, 220, 15))
    unit = field.put(men(6), (420, 800))
    foe = field.put(men(5), (440, 600), RED, others=[(410, 600), (485, 582), (475, 556), (448, 563)])
    seen = field.seen(unit, foe)
    hidden = set(range(5)) - set(seen)
    assert hidden
    field.attack(unit, foe, "AAAAAA TTTTTT")
    assert set(foe.main.alive) == hidden


@pytest.mark.rule("ff.damage.order")
def test_those_in_the_open_go_first():
    field = Field(box("low_wall", 400, 620, 62, 8))
    unit = field.put(men(2), (430, 800))
    foe = field.put(men(3), (420, 600), RED, others=[(450, 600), (480, 600)])
    assert field.covered(unit, foe) == [0, 1]
    game = field.attack(unit, foe, "AA TT", casualty=lambda decision: decision.options[-1])
    assert [d.options for d in game.decisions if d.key == "casualty"] == [[0, 1]]  # the open one was not asked about
    assert foe.main.alive == (0,)


@pytest.mark.rule("ff.damage.order_ties")
def test_among_equals_the_owner_chooses_and_may_keep_his_leader():
    field = Field(box("low_wall", 380, 620, 160, 8))
    unit = field.put(men(2), (430, 800))
    foe = field.put(men(3), (420, 600), RED, others=[(450, 600), (480, 600)])
    game = field.attack(unit, foe, "AA TT", casualty=[2, 1])
    assert {decision.player for decision in game.decisions if decision.key == "casualty"} == {RED}
    assert foe.main.alive == (0,)
    assert not foe.stunned


@pytest.mark.rule("ff.damage.leader_loss", "ff.damage.new_leader", "ff.damage.restore_move")
def test_a_lost_leader_leaves_a_stunned_unit_that_closes_up_round_another():
    field = Field()
    unit = field.put(men(1), (500, 800))
    foe = field.put(men(4), (500, 600), RED, others=[(440, 600), (560, 600), (500, 560)])
    game = field.attack(unit, foe, "A T", casualty=0, new_leader=lambda decision: decision.options[0])
    assert foe.stunned
    assert foe.figures[0] == (foe.card.id, 1)
    assert field.points(foe)[0] == (440, 600)
    bodies = field.bodies(foe)
    assert not Circle(508).broken(bodies)
    assert "ff.damage.restore_move" in game.rules
    # the man who was 120 mm away has come to the edge of the circle and no further
    moved = next(body for body in bodies if body.key[2] == 2)
    assert 500 <= moved.x <= 504


@pytest.mark.rule("ff.damage.leader_timing")
def test_in_close_combat_survivors_strike_back_before_they_are_stunned():
    field = Field()
    unit = field.put(squad(knife("1/1"), men=1), (500, 800))
    foe = field.put(squad(knife("1/1", name="Spade"), men=3), (500, 720), RED)
    game = field.attack(unit, foe, "A AAA", declare={"Knife": foe}, retaliate={"Spade": unit}, casualty=0)
    assert not unit.alive
    assert foe.stunned
    rules = game.rules
    assert rules.index("ff.damage.new_leader") > rules.index("d47.attack.cc.no_saves")


@pytest.mark.rule("ff.damage.leader_timing")
def test_a_leader_lost_in_a_reaction_stuns_after_the_units_own_actions():
    field = Field()
    mover = field.put(men(3, move=1), (500, 800))
    foe = field.put(men(1), (500, 560), RED)
    game = field.activate(
        mover, "move", "attack", dice="AS A T SS", move=(500, 790), react=foe, casualty=0,
        declare=lambda decision: tuple(options[1] for options in decision.choices),
    )  # fmt: skip
    assert mover.stunned
    assert game.rules.index("ff.damage.new_leader") < game.rules.index("d47.attack.suppress.deferred")
    assert game.dice("to hit")[-1] == 2  # the two men left fired before the token came


@pytest.mark.rule("ff.damage.hero_leader")
def test_a_hero_who_led_is_lost_with_his_track_and_his_loss_counts():
    field = Field()
    chief = hero(damage=2, name="Chief")
    unit = field.put(men(2), (500, 800))
    foe = field.put(men(3), (500, 600), RED, joined=chief)
    field.attack(unit, foe, "AA TT", divide_hits=2)
    assert [part.card.name for part in foe.parts] == [foe.card.name]
    assert foe.stunned
    assert foe.figures[0][0] == foe.card.id


@pytest.mark.rule("ff.damage.hero_leader")
def test_a_hero_in_cover_takes_no_hit_while_his_men_stand_in_the_open():
    field = Field(box("low_wall", 470, 620, 45, 8))
    unit = field.put(men(2), (500, 800))
    chief = hero(damage=3)
    foe = field.put(men(3), (495, 600), RED, joined=chief, others=[(550, 600), (550, 570), (520, 570)])
    assert (chief.id, -1) in field.line(unit, foe).covered
    game = field.attack(unit, foe, "AA TT")
    assert "divide-hits" not in game.asked
    assert foe.parts[1].damage == 0
    assert len(foe.main.alive) == 1


@pytest.mark.rule("ff.open.stun_stack", "ff.open.last_model")
def test_the_last_man_leads_at_once_and_holds_one_token():
    field = Field()
    unit = field.put(men(2), (500, 800))
    foe = field.put(men(3), (500, 600), RED)
    field.attack(unit, foe, "AA TT", casualty=[0, 1])
    assert foe.main.alive == (2,)
    assert foe.figures == ((foe.card.id, 2),)
    assert [token for token in foe.tokens() if token == "stunned"] == ["stunned"]


def test_a_medic_brings_a_man_back_into_the_circle():
    field = Field()
    foe = field.put(men(3), (500, 600), RED)
    foe.main.alive = (0, 1)
    RULES.ground.regroup(field.state, foe)
    assert len(foe.where) == 2
    field.run(RULES.damage.heal(field.play, foe, foe.main, 1, "test"))
    assert len(foe.where) == 3
    assert not Circle(508).broken(field.bodies(foe))


@pytest.mark.rule("d47.open.skills_not_in_source")
def test_the_model_of_a_hero_who_turns_into_another_goes_by_the_new_card_at_once():
    from dieselfront.forces import dust_catalogue

    field = Field()
    cards = dust_catalogue()
    lilith = field.put(squad(men=2), (300, 300), joined=cards["mythos-lilith"])
    part = lilith.parts[1]
    part.other = cards["mythos-lilith-possessed"]
    part.damage = 1
    field.rules.damage.tell_hurt(field.play, lilith, part)
    assert ("mythos-lilith-possessed", -1) in lilith.figures
    assert sorted(lilith.figures) == sorted(field.rules.ground.models(lilith))
