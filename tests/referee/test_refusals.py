"""What the referee refuses and by which rule, what it takes, and answers that it once got wrong."""

from __future__ import annotations

import json

import pytest

from dieselfront.kernel.events import one_of_each
from dieselfront.referee import RefereeError, judge
from dieselfront.rulesets.konflikt47.referee.position import TRAITS

DUST = """\
ruleset: dust1947
size: 12x6
units:
  a1: {card: allies-ranger-recon-squad, place: D3}
  b1: {card: axis-sturmgrenadier-recon-squad, place: H3}
  b2: {card: axis-sturmgrenadier-recon-squad, place: L6}
turn: blue
"""


def put(more: str = "", base: str = DUST):
    return judge((base + more).encode(), "test.yaml")


def refused(more: str = "", base: str = DUST) -> RefereeError:
    with pytest.raises(RefereeError) as caught:
        put(more, base)
    return caught.value


def with_unit(line: str) -> str:
    return DUST.replace("turn: blue", f"  {line}\nturn: blue")


# -- illegal answers are refused, never replaced ------------------------------------------------------


@pytest.mark.rule("d47.turn.declare_all")
def test_an_attack_with_nothing_in_range_is_refused_and_not_played_as_something_else():
    far = DUST.replace("place: H3", "place: L3").replace("place: D3", "place: A3")
    error = refused("do: [{activate: a1}, {actions: attack}]\n", far)
    assert "'attack' is not" in str(error) and error.rule


def test_a_part_of_an_answer_is_not_the_whole():
    error = refused("do: [{activate: a1}, {actions: attack + attack}]\n")
    assert error.rule == "d47.turn.one_move_one_attack"


def test_an_answer_to_a_decision_with_one_answer_is_refused_by_its_rule():
    alone = DUST.replace("  b2: {card: axis-sturmgrenadier-recon-squad, place: L6}\n", "")
    assert "activate: 'b1' is not" in str(refused("do: [{activate: b1}]\n", alone))


@pytest.mark.rule("d47.attack.declare.weapon_target")
def test_naming_a_weapon_declares_that_weapon_alone():
    near = DUST.replace("place: H3", "place: E3").replace(
        "card: allies-ranger-recon-squad",
        "card: {name: Riflemen, kind: infantry, armour: S2, move: 1, march: 2, "
        "soldiers: [{name: Rifle, weapons: [0]}, {name: Rifle, weapons: [0]}, {name: Rifle, weapons: [0]}], "
        "weapons: [{name: Rifle, count: 3, range: 4, vs: {S1: 1/1, S2: 1/1}}]}",
    )
    done = put("do: [{activate: a1}, {actions: attack}, {declare: rifle at b1}]\n", near)
    declared = next(line for line in done.events if line.event["kind"] == "WeaponsDeclared")
    assert [pool[0] for pool in declared.event["pools"]] == ["Rifle"]
    assert done.decision["shape"] == "dice"


@pytest.mark.parametrize(
    ("aim", "rule"),
    [
        ("shotgun at b1", "d47.attack.range.limit"),
        ("shotgun at b2", "d47.attack.range.limit"),
    ],
)
def test_a_refused_aim_says_which_rule(aim, rule):
    near = with_unit("b3: {card: axis-sturmgrenadier-recon-squad, place: E3}").replace(
        "recon-squad, place: D3", "attack-squad, place: D3"
    )
    error = refused(f"do: [{{activate: a1}}, {{actions: attack}}, {{declare: {aim}}}]\n", near)
    assert error.rule == rule


@pytest.mark.rule("d47.transport.passenger_spaces")
def test_a_refused_ride_says_which_rule():
    truck = with_unit("a2: {card: allies-assault-truck, place: D5}").replace("place: H3", "place: L1")
    error = refused("do: [{activate: a1}, {actions: move}, {move: D4}, {mount: a2}]\n", truck)
    assert error.rule == "d47.transport.passenger_spaces" and "it takes 5 spaces, 2 are left" in str(error)
    riding = truck.replace("recon-squad, place: D3", "recon-squad, aboard: a2")
    assert refused(base=riding).rule == "d47.transport.passenger_spaces"


# -- positions ------------------------------------------------------------------------------------------


@pytest.mark.rule("d47.hero.separate_share_square")
@pytest.mark.parametrize("hero", ["allies-bazooka-joe", "allies-frank"])
def test_a_hero_may_stand_in_the_square_of_a_friend(hero):
    state = put(base=with_unit(f"a2: {{card: {hero}, place: D3}}")).state
    assert [unit["places"] for unit in state["units"] if unit["side"] == 0] == [["D3"], ["D3"]]
    first = DUST.replace("  a1:", f"  a2: {{card: {hero}, place: D3}}\n  a1:")
    assert put(base=first).state["units"]


def test_two_squads_never_share_a_square():
    assert "already stands there" in str(refused(base=with_unit("a2: {card: allies-ranger-recon-squad, place: D3}")))
    assert "already stands there" in str(refused(base=with_unit("a2: {card: allies-bazooka-joe, place: H3}")))


@pytest.mark.rule("d47.skill.spy_revealed")
def test_a_spy_kept_off_the_board_can_be_revealed():
    spy = with_unit("a2: {card: allies-the-priest, status: 'off'}")
    done = put("do: [{activate: a2}, {spy-revealed: yes, dice: [ARMY, ARMY]}, {spy-appears: G3}]\n", spy)
    assert next(unit for unit in done.state["units"] if unit["id"] == "a2")["places"] == ["G3"]


OPEN_SPY = """\
ruleset: RULESET
size: SIZE
units:
  a1: {card: allies-the-priest, status: "off"}
  b1: {card: axis-luther, place: "PLACE", facing: south}
turn: blue
do:
  - activate: a1
  - spy-revealed: yes
    dice: [ARMY, ARMY]
  - spy-appears: "SPOT"
"""


@pytest.mark.rule("bf.skill.spy", "d47.skill.spy_revealed")
@pytest.mark.parametrize(
    ("ruleset", "size", "place", "near", "far"),
    [
        ("battlefield", "150 x 100", "90, 30", ["90, 37", "81.3, 36.6"], ["90, 49", "90, 31"]),
        ("freeform1947", "48in x 40in", "24in, 30in", ["24in, 26.6in", "25.3in, 26.1in"], ["24in, 22in"]),
    ],
)
def test_on_a_measured_table_a_spy_appears_anywhere_within_range_1(ruleset, size, place, near, far):
    base = OPEN_SPY.replace("RULESET", ruleset).replace("SIZE", size).replace("PLACE", place)
    for spot in near:
        done = put(base=base.replace("SPOT", spot))
        assert next(unit for unit in done.state["units"] if unit["id"] == "a1")["places"]
    for spot in far:
        refused(base=base.replace("SPOT", spot))
    assert "within range 1 of an enemy" in str(refused(base=base.replace("SPOT", far[0])))


@pytest.mark.rule("d47.skill.airborne_entry", "d47.open.airborne_objective_distance")
def test_on_a_measured_table_paratroopers_land_anywhere_far_enough_from_objectives():
    base = """\
ruleset: freeform1947
size: 48in x 40in
objectives: [{name: the well, at: "24in, 10in", points: 5}]
units:
  a1: {card: axis-fallschirmjager-battle-squad, status: "off"}
  b1: {card: allies-usmc-fire-squad, place: "24in, 30in"}
turn: blue
do:
  - activate: a1
  - land: "SPOT"
"""
    for spot in ("7.3in, 5.1in", "24in, 21.7in"):
        assert put(base=base.replace("SPOT", spot)).state["units"][0]["status"] == "board"
    assert "too near to an objective" in str(refused(base=base.replace("SPOT", "24in, 17.9in")))


def test_a_soldier_without_the_weapon_is_not_silently_passed_over():
    base = """\
ruleset: freeform1947
size: 40in x 30in
units:
  a1: {card: ssu-red-army-battle-squad, place: "20in, 22in"}
  b1: {card: allies-usmc-fire-squad, place: "20in, 8in"}
turn: blue
do:
  - activate: a1
  - actions: attack
  - declare: {Machinegun: {at: b1, soldier: [3]}}
"""
    assert "soldier 3 has no Machinegun to use now" in str(refused(base=base))


@pytest.mark.rule("d47.critical.secondary_weapon")
def test_weapons_of_one_name_are_told_apart_by_their_mount():
    base = """\
ruleset: dust1947
size: 12x8
units:
  a1: {card: allies-recon-mickey-ii, place: D4, facing: north}
  b1: {card: axis-luther, place: D1, facing: south}
turn: red
do:
  - actions: attack
  - declare: light gun at a1
    dice: [ARMY, TARGET, ARMY, ARMY, TARGET, TARGET]
"""
    asked = put(base=base)
    labels = [option["label"] for option in asked.decision["options"]]
    assert labels == ["Heavy Machinegun (right)", "Heavy Machinegun (left)", "Machinegun"]
    assert "secondary weapon destroyed" in "".join(event.text for event in asked.events)


@pytest.mark.parametrize(
    ("company", "rule"),
    [
        ("joined: allies-frank", "d47.hero.same_armor"),
        ("joined: axis-angela-spy", "d47.skill.loner"),
        ("joined: [allies-bazooka-joe, allies-the-priest]", "d47.hero.one_per_unit"),
        ("pilot: allies-bazooka-joe", "d47.pilot.skill_required"),
    ],
)
def test_company_that_could_never_be_is_refused_by_its_rule(company, rule):
    card = "allies-pounder" if company.startswith("pilot") else "allies-ranger-recon-squad"
    error = refused(base=DUST.replace("allies-ranger-recon-squad, place: D3", f"{card}, place: D3, {company}"))
    assert error.rule == rule and f"({rule})" in str(error)


def test_company_that_may_be_is_taken():
    joined = DUST.replace("place: D3", "place: D3, joined: allies-bazooka-joe")
    assert put(base=joined).state["units"][0]["name"].endswith("Bazooka Joe")
    piloted = DUST.replace("allies-ranger-recon-squad, place: D3", "allies-pounder, place: D3, pilot: allies-tom")
    assert put(base=piloted).state["units"]


@pytest.mark.rule("d47.skill.scout")
@pytest.mark.parametrize(("said", "offered"), [("", True), (", spent: [scout]", False), (", acted: yes", False)])
def test_what_is_spent_or_acted_counts(said, offered):
    done = put("do: [{activate: a1}]\n", DUST.replace("place: D3", f"place: D3{said}"))
    three = [option["label"] for option in done.decision["options"] if option["label"].count("+") == 2]
    three += [option["label"] for option in done.decision["options"] if option["label"] == "march + attack"]
    assert bool(three) is offered


def test_a_skill_that_the_card_does_not_have_cannot_be_spent():
    assert "has no skill 'Scuot' to spend; did you mean Scout" in str(
        refused(base=DUST.replace("place: D3", "place: D3, spent: [Scuot]"))
    )


@pytest.mark.rule("d47.skill.stunned_cannot_fight")
def test_weapons_of_a_stunned_unit_cannot_be_used():
    base = DUST.replace("place: D3", "place: D3, tokens: [stunned]")
    weapons = put("ask: [{weapons: {from: a1, to: b1}}]\n", base).answers[0].facts["weapons"]
    assert {(one["usable"], one["rule"]) for one in weapons} == {(False, "d47.skill.stunned_cannot_fight")}


# -- answers that were wrong ------------------------------------------------------------------------------


@pytest.mark.rule("d47.fort.strongpoint_view")
def test_a_bare_square_is_seen_into_a_strongpoint():
    fort = DUST.replace("place: H3", "place: L1") + "fortifications: [{kind: strongpoint, side: red, at: F2}]\n"
    answer = put(
        "ask: [{sight: {from: D3, to: G4}}, {sight: {from: a1, to: G4}}, {sight: {from: D3, to: G3}}]\n", fort
    ).answers
    assert [(one.facts["visible"], one.facts["cover"]) for one in answer] == [
        (True, True),
        (True, True),
        (False, False),
    ]


@pytest.mark.rule("d47.action.march")
def test_reach_in_mid_march_knows_what_was_spent():
    base = DUST.replace("place: H3", "place: L1")
    steps = "do: [{activate: a1}, {actions: march}, {ask: [{reach: {unit: a1, action: march}}]}, {march-first: F3}, "
    done = put(steps + "{ask: [{reach: {unit: a1, action: march, to: J3}}]}]\n", base)
    first, second = (answer.facts for answer in done.answers)
    assert "F3" in first["squares"] and "J3" not in second["squares"] and not second["reached"]
    assert max(second["squares"].values()) <= 2


FREEFORM = """\
ruleset: freeform1947
size: 36in x 28in
terrain:
  - rock at 10in, 10in size 6in x 2in
units:
  a1: {card: allies-ranger-attack-squad, place: "18in, 20in"}
  b1: {card: axis-sturmgrenadier-recon-squad, place: "18in, 16in"}
turn: blue
"""


@pytest.mark.rule("ff.flame.affects")
def test_nobody_is_touched_by_his_own_flame():
    answer = put('ask: [{template: {at: "18in, 16in", from: a1, weapon: flamethrower}}]\n', FREEFORM).answers[0]
    bearer = "Flamethrower 4"
    assert "b1" in answer.facts["touched"] and bearer not in answer.facts["touched"].get("a1", [])


@pytest.mark.rule("ff.range.all_in")
def test_range_is_measured_to_models_in_sight():
    wall = (
        FREEFORM.replace("rock at 10in, 10in size 6in x 2in", "wall from 12in, 18in to 24in, 18in")
        .replace(
            'card: axis-sturmgrenadier-recon-squad, place: "18in, 16in"',
            "card: axis-sturmgrenadier-recon-squad, "
            'spots: ["18in, 16in", "18in, 15in", "19in, 15in", "17in, 15in", "16in, 16in"]',
        )
        .replace("wall from", "structure from")
    )
    answer = put("ask: [{range: {from: a1, to: b1}}, {weapons: {from: a1, to: b1}}]\n", wall).answers
    assert answer[0].facts["seen"] is False
    assert not any(weapon["reaches"] for weapon in answer[0].facts["weapons"])
    assert not any(weapon["usable"] for weapon in answer[1].facts["weapons"])


KONFLIKT = """\
ruleset: konflikt47
size: 48in x 36in
options: {national_rules: "off"}
units:
  a1: {card: united-states-infantry-squad, place: "20in, 20in", facing: north, models: 5}
  b1: {card: germany-panzer-iv, place: "20in, 14in", facing: south}
"""


@pytest.mark.rule("k47.cqv.to_hit")
@pytest.mark.parametrize(("order", "need", "attacks"), [("none", 4, 5), ("advance", 6, 5), ("run", None, 0)])
def test_an_assault_on_a_vehicle_depends_on_what_it_did(order, need, attacks):
    base = KONFLIKT.replace("facing: south", f"facing: south, order: {order}")
    facts = put("ask: [{assault: {unit: a1, target: b1}}]\n", base).answers[0].facts
    assert (facts["need"], facts["attacks"]) == (need, attacks) and facts["value"] >= 8


@pytest.mark.rule("k47.wrule.shockwave_line")
def test_a_shockwave_is_told_by_whom_it_touches():
    card = "{name: Walker, kind: vehicle, vehicle: {class: light walker}, men: [{weapons: [Zvukovoy Proyektor]}]}"
    base = KONFLIKT.replace("card: united-states-infantry-squad", f"card: {card}").replace(", models: 5", "")
    done = put("ask: [{weapons: {from: a1, to: b1}}]\n", base)
    weapon = done.answers[0].facts["weapons"][0]
    assert weapon["usable"] and weapon["touched"] == ["b1"] and weapon["need"] == 4
    assert "a shockwave rolls" in str(
        refused("ask: [{odds: {attacker: a1, target: b1, weapon: Zvukovoy Proyektor}}]\n", base)
    )


def test_unknown_traits_are_refused_and_known_ones_taken():
    piece = "terrain: [{kind: tank-traps, at: [10, 10], size: [3, 1], traits: [%s]}]\n"
    assert "there is no trait 'antitank'; did you mean anti-tank" in str(refused(piece % "antitank", KONFLIKT))
    assert put(piece % ", ".join(TRAITS), KONFLIKT).state


@pytest.mark.rule("k47.core.los")
def test_a_refused_target_says_which_rule():
    base = KONFLIKT.replace("germany-panzer-iv", "germany-wehrmacht-infantry-squad")
    base += '  b2: {card: germany-wehrmacht-infantry-squad, place: "40in, 20in"}\n'
    base += '  b3: {card: germany-wehrmacht-infantry-squad, place: "10in, 10in"}\n'
    base += "terrain:\n  - high-wall from 32in, 4in to 32in, 34in\n"
    error = refused("do: [{unit: a1, dice: [blue]}, {order: fire}, {target: b2}]\n", base)
    assert error.rule and error.rule.startswith("k47.core.los") and "cannot shoot at" in str(error)


# -- words ----------------------------------------------------------------------------------------------


def test_nothing_may_be_written_out_and_two_moves_are_a_march():
    done = put("do: [{activate: a1}, {actions: NOTHING + move}, {move: C3}]\n")
    declared = [line.event["actions"] for line in done.events if line.event["kind"] == "ActionsDeclared"]
    assert [list(actions) for actions in declared] == [["move"]]
    done = put("do: [{activate: a1}, {actions: move + move}]\n")
    assert done.decision["key"].startswith("march")


@pytest.mark.parametrize("facing", ["north", "N", "0", "360", "north"])
def test_a_facing_is_said_the_same_way_everywhere(facing):
    tank = DUST.replace("allies-ranger-recon-squad, place: D3", f"allies-pounder, place: D3, facing: {facing}")
    done = put(f"do: [{{activate: a1}}, {{actions: move}}, {{move: D4 facing {facing}}}]\n", tank)
    assert done.state["units"][0]["facing"] == 0
    konflikt = KONFLIKT.replace("facing: south", f"facing: {facing}")
    assert put(base=konflikt).state["units"][1]["facing"] == 0


def test_on_squares_nobody_faces_a_corner():
    assert "expected north, east, south or west" in str(
        refused(base=DUST.replace("allies-ranger-recon-squad, place: D3", "allies-pounder, place: D3, facing: NE"))
    )


def test_a_none_may_be_written_for_what_is_never_asked():
    alone = DUST.replace("place: H3", "place: L1")
    steps = "do: [{activate: a1}, {actions: move}, {react: none}, {move: C3}, {react: none}, {activate: b1}]\n"
    assert put(steps, alone).decision["key"] == "actions"
    assert "waits for" in str(refused("do: [{activate: a1}, {react: b1}]\n", alone))


def test_json_files_name_the_step():
    file = {
        "ruleset": "dust1947",
        "size": "12x6",
        "units": {"a1": {"card": "allies-ranger-recon-squad", "place": "D3"}},
        "do": [{"activate": "a1"}, {"actions": "dance"}],
    }
    file["units"]["b1"] = {"card": "axis-sturmgrenadier-recon-squad", "place": "H3"}
    with pytest.raises(RefereeError, match=r"^step 2 \(actions\): actions: 'dance' is not among"):
        judge(json.dumps(file).encode())
    file["units"]["a1"]["place"] = "Z9"
    with pytest.raises(RefereeError, match=r"^units a1 place: Z9 is off the board"):
        judge(json.dumps(file).encode())


@pytest.mark.parametrize(
    ("plural", "singular"),
    [("scores 1 hits", "scores 1 hit"), ("1 dice", "1 die"), ("11 hits, 1.1 hits", "11 hits, 1.1 hits")],
)
def test_one_hit_is_one_hit(plural, singular):
    assert one_of_each(plural) == singular


def test_no_packed_numbers_in_sentences():
    error = refused(
        "do: [{activate: a1}, {actions: attack}, "
        '{declare: {flamethrower: {at: b1, centre: "30in, 2in", soldier: 4}}}]\n',
        FREEFORM.replace('"18in, 16in"', '"18in, 17in"'),
    )
    assert not any(len(word) > 5 and word.isdigit() for word in str(error).replace(",", " ").split()), str(error)


@pytest.mark.rule("k47.transport.capacity")
def test_a_ride_that_does_not_fit_is_refused_by_its_rule():
    truck = "{name: Truck, kind: vehicle, vehicle: {class: soft-skin, mode: wheeled, capacity: %d}}"
    base = KONFLIKT.replace('place: "20in, 20in", facing: north, models: 5', "aboard: a2, models: 5")
    small = base + f'  a2: {{card: {truck % 4}, place: "10in, 10in"}}\n'
    error = refused(base=small)
    assert error.rule == "k47.transport.capacity" and "it takes 5 places, 4 are left" in str(error)
    assert put(base=base + f'  a2: {{card: {truck % 5}, place: "10in, 10in"}}\n').state


@pytest.mark.rule("k47.transport.mount")
def test_a_transport_that_is_too_far_is_not_mounted():
    truck = "{name: Truck, kind: vehicle, vehicle: {class: soft-skin, mode: wheeled, capacity: 12}}"
    base = KONFLIKT + f'  a2: {{card: {truck}, place: "40in, 30in"}}\n'
    steps = "do: [{unit: a1, dice: [blue]}, {order: run}, {manner: mount a2}]\n"
    assert refused(steps, base).rule == "k47.transport.mount"
    near = base.replace('"40in, 30in"', '"26in, 24in"')
    assert put(steps, near).state["units"][0]["status"] == "aboard"
