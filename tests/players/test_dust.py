"""The adviser of the Dust games: what it answers, and that its quick numbers are the exact ones."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from dieselfront.kernel.game import Game
from dieselfront.lab import blunders
from dieselfront.lab.simulate import play_out
from dieselfront.odds.exact import losses_of
from dieselfront.players import make, weights
from dieselfront.players.adviser import Candidate, Level
from dieselfront.players.opponent import Opponent
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import ACTIVATED, CAMOUFLAGED
from dieselfront.rulesets.dust1947.adviser.adviser import DustAdviser, _varied, adviser
from dieselfront.rulesets.dust1947.adviser.field import COVERED, Field
from dieselfront.rulesets.dust1947.adviser.fire import EVERY_ARC, PLAIN, SUSTAINED
from dieselfront.rulesets.dust1947.adviser.goals import Goals
from dieselfront.rulesets.dust1947.adviser.intent import Intent
from dieselfront.scenarios import battle


def an_adviser() -> DustAdviser:
    return adviser(weights("dust1947"))


def a_position(name: str) -> Game:
    """A position of the blunder suite."""
    return blunders.start(blunders.chosen("dust1947", [name])[0])


def a_battle(seed: str, armies: list[Any], scenario: str = "crossroads") -> Game:
    return battle.start(battle.header("dust1947", scenario, armies, seed=seed), seed)


@pytest.mark.parametrize("sustained", [False, True])
def test_the_kept_worth_of_an_attack_is_that_of_the_plans_that_play_would_roll(sustained: bool) -> None:
    game = a_position("sustain-from-the-rubble")
    play = game.play
    shooters = [unit for unit in play.state.on_board() if unit.is_infantry]
    fire = an_adviser().fire
    compared = 0
    for unit in shooters:
        for target in play.state.on_board(1 - unit.side):
            attack = Attack(unit, sustained=sustained, close_allowed=False, only=target.id)
            shots = [
                play.rules.attacks.shot(play, attack, line.part, line.index, line.aims[0], line.bearers)
                for line in play.rules.attacks.weapon_lines(play, attack)
            ]
            if not shots or shots[0].line.distance <= 1:
                continue
            plans = [play.rules.attacks.plan(play, shot) for shot in shots]
            exact, ends = fire.worth(target, losses_of(plans))
            kind = SUSTAINED if sustained else PLAIN
            line = shots[0].line
            kept = fire.salvo(
                play, unit, fire.signature(unit), target, fire.mark(target), line.distance, line.cover, kind, EVERY_ARC
            )
            assert [kept.points, kept.ends] == pytest.approx([exact, ends])
            compared += 1
    assert compared


def test_quick_sight_agrees_with_the_ground() -> None:
    game = a_battle("5", ["dust1947-allies", "dust1947-axis"])
    player = make("regular", "1", "dust1947")
    for _ in range(60):
        if game.pending is not None:
            game.choose(player.choose(game))
    field = Field(game.play, an_adviser().fire)
    ground, state = game.rules.ground, game.state
    for piece in field.pieces[0]:
        for foe in field.pieces[1]:
            line = ground.line(state, piece.unit, foe.unit, None, ground.sight_blockers(state, piece.unit), arc="all")
            look = field.look(piece, piece.place, foe, foe.place)
            assert bool(look) == line.visible
            if line.visible and len(foe.where) == 1:
                assert (look == COVERED) == line.cover


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_every_question_of_a_battle_with_chance_armies_gets_a_legal_answer(seed: str) -> None:
    game = a_battle(seed, [f"random:{seed}", f"random:{int(seed) + 50}"])
    players = [make("regular", "1", "dust1947"), make("random", "2", "dust1947")]
    play_out(game, players)  # every answer is checked
    assert game.over


def test_a_plan_serves_one_activation_only() -> None:
    game = a_position("sustain-from-the-rubble")
    judge = an_adviser()
    memory: dict[int, Any] = {}
    while game.pending is not None and game.pending.key != "actions":
        game.choose(judge.answer(game, memory))
    decision = game.pending
    assert decision is not None
    stale = Intent(decision.unit, (), 99.0).announced()
    memory[decision.player] = stale
    assert judge.candidates(game, memory, 5)  # it thinks anew
    memory[decision.player] = Intent(decision.unit, (), 99.0)
    assert not judge.candidates(game, memory, 5)  # a fresh plan is followed
    assert judge.answer(game, memory) == ()


def test_thinking_leaves_the_units_as_they_were() -> None:
    game = a_position("reload-and-fire")
    before = game.state.facts()
    judge = an_adviser()
    judge.candidates(game, {}, 10)
    judge.worth(game, 0)
    assert game.state.facts() == before


def test_what_one_side_gains_the_other_loses() -> None:
    game = a_battle("5", ["dust1947-allies", "dust1947-ssu"])
    player = make("regular", "1", "dust1947")
    judge = adviser(weights("dust1947"))
    for _ in range(120):
        if game.pending is None:
            break
        mine, theirs = judge.worth(game, 0), judge.worth(game, 1)
        assert mine.mine == theirs.theirs and mine.goals == pytest.approx(-theirs.goals)
        assert mine.total == pytest.approx(-theirs.total)
        game.choose(player.choose(game))


@pytest.mark.parametrize(
    "name",
    [
        "last-turn-hold",
        "last-turn-take",
        "last-turn-contest",
        "finish-the-walker",
        "artillery-off-our-own-men",
        "save-the-panzerfaust",
        "sniper-picks-the-officer",
        "rally-the-line",
        "call-the-mortar",
        "ammo-for-the-tank-hunters",
        "at-the-double",
        "fly-out-the-wounded",
        "out-and-back-again",
        "smoke-over-the-cripple",
        "stay-unseen-on-the-objective",
        "the-spotter-watches",
        "zombies-on-the-leash",
    ],
)
def test_first_sight_without_an_error_uses_what_units_can_do(name: str) -> None:
    blunder = blunders.chosen("dust1947", [name])[0]
    player = Opponent(DustAdviser(weights("dust1947")), Level(), "1")
    assert blunders.judge(blunder, blunders.play(blunder, player, "1"))


# -- special actions ------------------------------------------------------------------------------------------


def a_table(text: str) -> Game:
    """A position told as the referee is told; blue is to act."""
    head = "title: x\nruleset: dust1947\nwhy: x\nrules: [d47.action.special]\nexpect: {unit: a1}\nsolution: []\n"
    return blunders.start(blunders.read_blunder((head + textwrap.dedent(text)).encode(), "here"))


def plans_of(game: Game, unit: str) -> list[Intent]:
    judge = an_adviser()
    field = Field(game.play, judge.fire)
    return judge.planner.plans(field, Goals(game.play, judge.ways, judge.weights), game.state.by_id[unit])


def worth_of(game: Game, unit: str, name: str) -> float:
    judge = an_adviser()
    field = Field(game.play, judge.fire)
    goals = Goals(game.play, judge.ways, judge.weights)
    one = game.state.by_id[unit]
    return judge.specials.worth(field, goals, one, name, one.place, False)


def squares(game: Game, *names: str) -> list[int]:
    table = game.state.table
    return [place for place in range(table.size) if table.name(place) in names]


def test_a_march_and_a_move_after_it_go_farther_than_either() -> None:
    game = blunders.start(blunders.chosen("dust1947", ["at-the-double"])[0])
    best = plans_of(game, "a1")[0]
    assert best.actions == ("march", "free:move") and best.then is not None
    assert [best.then[0]] == squares(game, "I4")
    onward = best.onward()
    assert onward.spot == best.then[0] and onward.then is None and best.then is not None


def test_a_raid_fires_from_one_place_and_ends_in_another() -> None:
    game = blunders.start(blunders.chosen("dust1947", ["out-and-back-again"])[0])
    raid = next(plan for plan in plans_of(game, "a1") if plan.special.startswith("onward raid"))
    field = Field(game.play, an_adviser().fire)
    truck, target = field.by_id["a1"], field.by_id["b1"]
    assert raid.target == "b1" and raid.then is not None
    assert field.look(truck, raid.spot, target, target.place)
    assert not field.look(truck, raid.then[0], target, target.place)


AMBUSH = """
    size: 14x8
    units:
      - {id: a1, card: allies-ranger-observer-squad, side: blue, place: C4, tokens: [camouflaged]}
      - {id: b1, card: axis-grenadier-battle-squad, side: red, place: G4}
"""


def test_firing_gives_a_camouflaged_unit_away_and_moving_does_not() -> None:
    planner = an_adviser().planner
    unit = a_table(AMBUSH).state.by_id["a1"]
    assert planner.flags_after(unit, ("move",)) & CAMOUFLAGED
    assert not planner.flags_after(unit, ("attack",)) & CAMOUFLAGED
    assert not planner.flags_after(unit, ("march",)) & CAMOUFLAGED


def test_the_danger_of_a_plan_is_that_of_a_unit_seen_or_unseen() -> None:
    plans = {plan.actions: plan for plan in plans_of(a_table(AMBUSH), "a1")}
    assert plans[()].risk < plans[("attack",)].risk
    hidden = a_table(AMBUSH)
    assert worth_of(hidden, "a1", "camouflage") < 0  # it is hidden already
    hidden.state.by_id["a1"].drop(CAMOUFLAGED)
    assert worth_of(hidden, "a1", "camouflage") > 1


def test_smoke_is_launched_between_the_unit_and_the_guns() -> None:
    game = blunders.start(blunders.chosen("dust1947", ["smoke-over-the-cripple"])[0])
    assert worth_of(game, "a1", "launch-smoke") > 1
    for foe in ("b1", "b2"):
        game.state.by_id[foe].place, game.state.by_id[foe].where = 0, ()
        game.state.by_id[foe].status = "lost"
    assert worth_of(game, "a1", "launch-smoke") < 0  # nobody shoots: it is kept


def test_smoke_hides_a_unit_of_several_squares_only_if_none_of_them_is_seen() -> None:
    game = a_table("""
        size: 18x8
        units:
          - {id: a1, card: allies-bulldog, side: blue, place: D3, facing: north, damage: 6}
          - {id: b1, card: axis-jagdluther, side: red, place: P4, facing: west}
    """)
    field = Field(game.play, an_adviser().fire)
    tank, gun = field.by_id["a1"], field.by_id["b1"]
    half = field.on(field.table.placing("smoke", squares(game, "D2", "E2", "D3", "E3")))
    whole = field.on(field.table.placing("smoke", squares(game, "D3", "E3", "D4", "E4")))
    assert half.look(gun, gun.place, tank, tank.place) and not whole.look(gun, gun.place, tank, tank.place)


def test_ammunition_goes_to_whom_it_helps_and_thinking_about_it_changes_nothing() -> None:
    game = a_table("""
        size: 14x8
        units:
          - {id: a1, card: axis-grenadier-command-squad, side: blue, place: C4}
          - {id: a2, card: axis-grenadier-tank-hunter-squad, side: blue, place: D5}
          - {id: a3, card: axis-grenadier-tank-hunter-squad, side: blue, place: A8}
          - {id: b1, card: allies-bulldog, side: red, place: G5, facing: west, damage: 3, activated: yes}
    """)
    for name in ("a2", "a3"):
        for man in range(5):
            game.state.by_id[name].main.mark(1, 1, man)
    before = game.state.facts()
    judge = an_adviser()
    field, goals = Field(game.play, judge.fire), Goals(game.play, judge.ways, judge.weights)
    near, far = (judge.specials.supplied(field, goals, game.state.by_id[name]) for name in ("a2", "a3"))
    assert near > far + 1
    assert game.state.facts() == before


def test_an_order_that_helps_a_unit_comes_before_it_acts() -> None:
    game = blunders.start(blunders.chosen("dust1947", ["ammo-for-the-tank-hunters"])[0])
    found = an_adviser().candidates(game, {}, 12)
    assert found[0].note.before > 0 and "ammo-drop" in found[0].note.special


def test_an_air_ambulance_is_worth_a_third_of_the_men_lost() -> None:
    game = blunders.start(blunders.chosen("dust1947", ["fly-out-the-wounded"])[0])
    part = game.state.by_id["a2"].main
    assert worth_of(game, "a1", "medevac") == pytest.approx(1.2 * 4 / 3 * part.card.points / 5)
    part.alive = tuple(range(5))
    assert worth_of(game, "a1", "medevac") == 0


WORKSHOP = """
    size: 14x8
    units:
      - {id: a1, card: axis-loth, side: blue, place: C4, facing: east}
      - {id: a2, card: axis-jagdluther, side: blue, place: D4, facing: east, damage: 1, criticals: [CRITICAL]}
      - {id: b1, card: allies-pounder, side: red, place: L4, facing: west, activated: yes}
"""


@pytest.mark.parametrize(
    ("critical", "mended"), [("main_weapon_destroyed", "main_weapon_destroyed"), ("reduced_mobility", "damage")]
)
def test_a_mechanic_mends_what_costs_most(critical: str, mended: str) -> None:
    game = a_table(WORKSHOP.replace("CRITICAL", critical).replace("damage: 1", "damage: 5"))
    specials = an_adviser().specials
    tank = game.state.by_id["a2"]
    if critical == "main_weapon_destroyed":
        tank.main.damage = 1
    assert max(("damage", critical), key=lambda what: specials.mending(tank, what)) == mended


def test_a_far_gun_is_rallied_by_radio_rather_than_a_squad_that_has_acted() -> None:
    game = a_table("""
        size: 16x8
        terrain: [structure at F1 to F8]
        units:
          - {id: a1, card: allies-ranger-command-squad, side: blue, place: C4}
          - {id: a2, card: allies-pounder, side: blue, place: H4, facing: east, tokens: [suppressed]}
          - {id: a3, card: allies-ranger-recon-squad, side: blue, place: D4, tokens: [under fire], activated: yes}
          - {id: b1, card: axis-luther, side: red, place: N4, facing: west, activated: yes}
        turn: blue
    """)
    judge = an_adviser()
    memory: dict[int, Any] = {}
    officer = next(c for c in judge.candidates(game, memory, 12) if c.answer == "a1" and "rally" in c.note.special)
    game.choose("a1")
    memory[0] = officer.note
    while game.pending is not None and game.pending.key != "rally":
        game.choose(judge.answer(game, memory))
    assert judge.answer(game, memory) == "a2"


def test_a_squad_goes_aboard_a_truck_that_takes_it_farther() -> None:
    game = a_table("""
        size: 18x8
        objectives: [{name: the hut, squares: N4, points: 20}]
        turns: 6
        units:
          - {id: a1, card: allies-ranger-combat-squad, side: blue, place: B4}
          - {id: a2, card: allies-transport-truck, side: blue, place: C4, facing: east}
          - {id: b1, card: axis-grenadier-battle-squad, side: red, place: R1, models: 1, activated: yes}
        turn: {side: blue, number: 2}
    """)
    rides = [plan for plan in plans_of(game, "a1") if plan.mount == "a2"]
    walks = [plan for plan in plans_of(game, "a1") if plan.mount is None]
    assert rides and rides[0].value > walks[0].value
    judge = an_adviser()
    memory: dict[int, Any] = {}
    game.choose("a1")
    memory[0] = rides[0]
    while game.pending is not None and game.pending.key != "mount":
        game.choose(judge.answer(game, memory))
    assert judge.answer(game, memory) == "a2"
    game.state.by_id["a2"].set(ACTIVATED)  # a truck that has driven takes nobody anywhere
    assert not [plan for plan in plans_of(game, "a1") if plan.mount]


def test_artillery_lays_smoke_before_the_gun_that_threatens_most() -> None:
    game = a_table("""
        size: 18x8
        units:
          - {id: a1, card: allies-mortar-truck, side: blue, place: B2, facing: east}
          - {id: a2, card: allies-pounder, side: blue, place: D4, facing: east, damage: 5, activated: yes}
          - {id: b1, card: axis-jagdluther, side: red, place: N4, facing: west}
        turn: blue
    """)
    plan = next(plan for plan in plans_of(game, "a1") if plan.smoke)
    judge = an_adviser()
    memory: dict[int, Any] = {0: plan}
    while game.pending is not None and game.pending.key != "declare":
        game.choose(judge.answer(game, memory))
    aims = [aim for aim in judge.answer(game, memory) if aim is not None]
    assert aims[0][1] == "smoke" and sorted(aims[0][2]) == sorted(plan.smoke)


@pytest.mark.parametrize(("action", "weapons"), [("sustained", 1), ("attack", 2)])
def test_a_spotter_watches_only_when_the_sniper_takes_his_time(action: str, weapons: int) -> None:
    game = blunders.start(blunders.chosen("dust1947", ["the-spotter-watches"])[0])
    judge = an_adviser()
    game.choose((action,))
    assert sum(aim is not None for aim in judge.answer(game, {})) == weapons


def test_men_leave_mines_alone_and_a_dozer_clears_those_ahead() -> None:
    game = a_position("plough-the-mines")
    assert worth_of(game, "a1", "engineering") > 2
    men = game.state.by_id["a2"]
    game.rules.ground.put(game.state, men, squares(game, "E2")[0], None)
    assert worth_of(game, "a2", "engineering") < 0


def test_a_unit_that_may_do_more_than_was_planned_thinks_anew() -> None:
    game = a_position("sustain-from-the-rubble")
    judge = an_adviser()
    decision: Any = game.pending
    assert decision.key == "actions"
    plan = Intent(decision.unit, ("attack",), 99.0)
    plan.menu = len(decision.options)
    assert not judge.candidates(game, {decision.player: plan}, 5)
    plan.menu -= 1
    assert judge.candidates(game, {decision.player: plan}, 5)


def test_plans_with_special_actions_keep_a_place_among_the_candidates() -> None:
    def a_candidate(value: float, *actions: str) -> Candidate:
        plan = Intent("a1", actions, value)
        return Candidate(actions, value, plan)

    plain = [a_candidate(20.0 - n, "move", "attack") for n in range(9)]
    rally = a_candidate(2.0, "special:rally")
    wasted = a_candidate(0.1, "special:camouflage")
    few = _varied([*plain, rally, wasted], 6)
    assert len(few) == 6 and rally in few and wasted not in few and plain[0] is few[0]


def test_a_unit_that_has_fired_may_hide_again() -> None:
    game = a_table(AMBUSH)
    plans = {plan.actions: plan for plan in plans_of(game, "a1")}
    again, bare = plans[("attack", "special:camouflage")], plans[("attack",)]
    assert again.value > bare.value + 0.5
