"""Setting up, arriving, objectives and the end (bf.setup.*, bf.scenario.*, bf.end.*), and whole games."""

from __future__ import annotations

import random

import msgspec
import pytest

from dieselfront import rulesets
from dieselfront.dice import commitment
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.kernel.events import GameEnded
from dieselfront.kernel.record import Header, new_game
from dieselfront.rulesets.battlefield import RULESET, random_board, scenario
from dieselfront.rulesets.battlefield.flags import AMBUSHES, MARCHED
from dieselfront.rulesets.battlefield.forts import Fort
from dieselfront.rulesets.battlefield.reserves import LEFT, RIGHT, AmbushZone
from dieselfront.rulesets.dust_open.places import at
from dieselfront.scenarios import library
from rulesets.battlefield.field import BLUE, RED, Field, box
from rulesets.dust1947.table import aircraft, hero, kill, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)
ENTRY = {"entry": [[[0, 100, 180, 20]], [[0, 0, 180, 20]]]}
PLAIN = {
    "id": "t", "name": "t", "turns": 3,
    "deploy": [{"boxes": [[0, 90, 180, 30]], "facing": "north"}, {"boxes": [[0, 0, 180, 30]], "facing": "south"}],
}  # fmt: skip


def force(*cards: object) -> dict[str, object]:
    plain = {card.id: msgspec.json.decode(msgspec.json.encode(card)) for card in cards}
    return {"name": "force", "cards": plain, "units": [{"cards": [card.id]} for card in cards]}


def begin(blue, red, **details: object):
    header = Header(
        "battlefield", RULESET.version, PLAIN | details, [force(*blue), force(*red)], ["a", "b"], commitment("1")
    )
    return new_game(RULESET, header, "1")


# -- setting up ---------------------------------------------------------------------------------------


@pytest.mark.rule("bf.setup.table_size")
def test_a_table_without_a_size_is_180_by_120_centimetres():
    state = RULESET.new_state(
        Header("battlefield", RULESET.version, PLAIN, [force(squad()), force(squad())], ["a", "b"], "")
    )
    assert (state.table.width, state.table.height) == (1800, 1200)


@pytest.mark.rule("bf.setup.scenario")
def test_the_layout_is_there_before_anybody_is_placed():
    game = begin(
        [squad(RIFLE), squad(RIFLE)], [squad(RIFLE)], terrain=[{"kind": "trees", "at": [50, 50], "size": [20, 20]}]
    )
    assert game.state.table.pieces_of("trees") and not game.state.on_board() and game.pending.key == "deploy-unit"
    game.choose(game.pending.options[0])
    with pytest.raises(IllegalChoice):
        game.choose((900, 600))
    game.choose((900, 1000))
    assert len(game.state.on_board()) == 1


@pytest.mark.rule("bf.setup.side_choice")
def test_who_did_not_lay_the_terrain_chooses_his_side():
    game = begin([squad(RIFLE)], [squad(RIFLE)], terrain_by=0)
    assert (game.pending.key, game.pending.player) == ("table-side", RED)
    game.choose("change")
    assert game.state.scenario.deploy[BLUE].facing == "south"


@pytest.mark.rule("bf.setup.defender_by_fortification", "bf.open.defender_tie")
@pytest.mark.parametrize("blue, red, defender", [(15, 20, RED), (15, 10, BLUE), (15, 15, RED)])
def test_more_points_of_fortifications_defend(blue, red, defender):
    battle = scenario.read(PLAIN | {"defender": 1})
    works = {
        15: [Fort("bunker", 0, unit="x")],
        10: [Fort("strongpoint", 0, unit="x")],
        20: [Fort("strongpoint", 0, unit="x")] * 2,
    }
    mine = works[blue]
    theirs = [msgspec.structs.replace(fort, side=1) for fort in works[red]]
    assert RULESET.setup.defender(battle, [*mine, *theirs]) == defender


@pytest.mark.rule("bf.setup.defender_by_fortification")
def test_the_defender_gets_the_defenders_area():
    nest = squad(RIFLE, skills="Strongpoint", kind="fortification")
    game = begin([nest], [squad(RIFLE)], defender=1)
    assert game.state.scenario.deploy[BLUE].facing == "south"


@pytest.mark.rule("bf.fort.placement", "bf.fort.strongpoint_units")
def test_fortifications_are_placed_first_and_then_manned():
    nest = squad(RIFLE, skills="Strongpoint", kind="fortification")
    game = begin([nest], [squad(RIFLE)])
    assert game.pending.key == "place-fortification"
    game.choose(game.pending.options[0])
    while game.pending.key != "first":
        game.choose(game.pending.sample(random.Random(1)))
    unit = game.state.units[0]
    assert RULESET.fort_rules.fort_of(game.state, unit) is not None


@pytest.mark.rule("bf.fort.cost")
def test_bought_works_are_set_up_and_count():
    header = Header(
        "battlefield",
        RULESET.version,
        PLAIN,
        [force(squad(RIFLE)) | {"works": ["bunker"]}, force(squad())],
        ["a", "b"],
        "",
    )
    works = RULESET.new_state(header).forts
    assert [(fort.kind, fort.price, fort.placed) for fort in works] == [("bunker", 15, False)]


@pytest.mark.rule("bf.scenario.ambush_hold")
def test_a_hero_may_wait_with_the_unit_in_ambush():
    game = begin([squad(RIFLE), hero()], [squad(RIFLE)], ambush=[True, False])
    game.choose(game.state.units[0].id)
    assert game.pending.key == "ambush-hero"
    game.choose(game.state.units[1].id)
    squad_in_ambush, waiting = game.state.units[:2]
    assert waiting.status == "away" and len(squad_in_ambush.parts) == 2
    while game.state.phase != "turn":
        game.choose(next(iter(game.pending.answers())))
    assert waiting.aboard == squad_in_ambush.id  # he is still with it when the battle begins


# -- arriving -----------------------------------------------------------------------------------------


def arriving(arrival: str = "reserves", card=None, turn: int = 1, **details: object):
    field = Field(arrival=[arrival, "deploy"], **(ENTRY | details))
    field.state.turn = turn
    return field, field.put(card or squad(RIFLE, men=3), status="reserve")


@pytest.mark.rule("bf.scenario.meeting_entry", "bf.scenario.meeting_no_sustained")
def test_everybody_marches_on_and_nobody_sustains_in_the_first_turn():
    field, men = arriving("meeting")
    field.put(squad(men=3), (900, 700), RED)
    menu = field.menu(men, budget=3)
    assert all(sequence and sequence[0] in ("move", "march") for sequence in menu)
    assert ("move", "attack") in menu and not any("sustained" in sequence for sequence in menu)
    field.activate(men, "move", move=(900, 1050))
    assert men.on_board


@pytest.mark.rule("bf.scenario.meeting_aircraft")
def test_aircraft_do_not_attack_in_the_first_turn_and_may_stay_off():
    field, plane = arriving("meeting", aircraft(weapon("Gun", "2/1", 8)))
    assert not any("attack" in a for sequence in field.menu(plane) for a in sequence)
    field.activate(plane, stay_off=True)
    assert plane.status == "reserve" and plane.activated
    field.state.turn = 2
    assert ("move", "attack") in field.menu(plane)


@pytest.mark.rule("bf.scenario.reserves_half")
def test_at_least_half_rounded_up_stay_in_reserve():
    cards = [squad(RIFLE) for _ in range(6)] + [hero()]
    game = begin(cards, [squad(RIFLE)], arrival=["reserves", "deploy"])
    assert game.pending.key == "reserves" and game.pending.least == 4


ROLLS = [
    ("reserves", 1, "A", True), ("reserves", 1, "T", False), ("reserves", 2, "SA", True), ("reserves", 2, "ST", False),
    ("reserves", 3, "", True), ("delayed", 1, "", False), ("delayed", 2, "A", True), ("delayed", 3, "SA", True),
    ("delayed", 4, "", True),
]  # fmt: skip


@pytest.mark.rule(
    "bf.scenario.reserves_roll",
    "bf.scenario.reserves_auto",
    "bf.scenario.reserves_delayed",
    "bf.scenario.reserves_move",
)
@pytest.mark.parametrize("arrival, turn, dice, comes", ROLLS)
def test_when_reserves_arrive(arrival, turn, dice, comes):
    field, men = arriving(arrival, turn=turn)
    game = field.activate(men, "move", dice=dice, move=(900, 1050))
    assert men.on_board is comes and men.activated
    assert game.dice("arrival") == ([len(dice)] if dice else [])


@pytest.mark.rule("bf.scenario.reserves_transport")
def test_a_carrier_brings_its_passengers_on_one_roll():
    field, truck = arriving(card=vehicle(skills="Passengers (6)"))
    men = field.put(squad(RIFLE, men=4), aboard=truck)
    men.status = "reserve"
    field.activate(truck, "move", dice="A", move=(900, 1000, 0))
    assert truck.on_board and men.status == "aboard" and not men.activated


@pytest.mark.rule("bf.scenario.reserves_scattered")
@pytest.mark.parametrize(
    "die, flag, place", [("A", 0, (900, 1100)), ("T", LEFT, (200, 1100)), ("S", RIGHT, (1600, 1100))]
)
def test_scattered_reserves_come_from_their_edge_or_a_corner(die, flag, place):
    field, men = arriving("reserves", turn=3, scattered=[True, False])
    field.activate(men, "move", dice=die, move=place)
    assert men.on_board and men.flags & (LEFT | RIGHT) == flag
    assert all(abs(x - 0) <= 650 for x, _ in field.points(men)) if flag == LEFT else True


@pytest.mark.rule("bf.scenario.ambush_hold", "bf.scenario.ambush_actions")
@pytest.mark.parametrize("dice, actions", [("AS", 1), ("TA", 2), ("SS", 0)])
def test_an_ambush_is_sprung_for_as_many_actions_as_dice_say(dice, actions):
    field = Field(box("trees", 700, 950, 400, 200), ambush=[True, False])
    men = field.put(squad(RIFLE, men=2), status="off")
    men.set(AMBUSHES)
    field.put(squad(men=3), (900, 400), RED)
    game = field.activate(men, dice=dice, spring_ambush=True, ambush_spot=(900, 1050), actions=lambda d: ())
    assert men.on_board and ("actions" in game.asked) is bool(actions)
    waiting = field.put(squad(RIFLE, men=2), status="off")
    waiting.set(AMBUSHES)
    field.activate(waiting, spring_ambush=False)
    assert waiting.status == "off" and waiting.activated


@pytest.mark.rule("bf.scenario.ambush_reveal", "bf.open.ambush_cover")
@pytest.mark.parametrize("place, able", [((900, 1050), True), ((300, 1050), False), ((900, 930), False)])
def test_an_ambush_lies_in_cover_and_twenty_centimetres_away(place, able):
    field = Field(box("trees", 700, 905, 400, 250), ambush=[True, False])
    men = field.put(squad(RIFLE, men=1), status="off")
    field.put(squad(men=1), (900, 740), RED)
    zone = AmbushZone.of(field.play, men)
    assert (zone.problem(at(*place), 0) is None) is able


# -- objectives and the end ---------------------------------------------------------------------------


@pytest.mark.rule("bf.objective.capture")
@pytest.mark.parametrize("foe, holder", [(111, BLUE), (100, None)])
def test_a_miniature_within_ten_centimetres_and_no_enemy(foe, holder):
    field = Field(objectives={"the well": (900, 600)})
    field.put(squad(men=1), (900, 600 + 90 + 12))
    field.put(squad(men=1), (900, 600 - foe - 12), RED)
    assert field.rules.victory.holder(field.play, field.state.objectives[0]) == holder


@pytest.mark.rule("bf.objective.no_march", "bf.objective.aircraft")
def test_neither_who_marched_nor_aircraft_hold_anything():
    field = Field(objectives={"the well": (900, 600)})
    men = field.put(squad(RIFLE, men=1, move=2), (900, 950))
    field.activate(men, "march", march=(900, 650))
    goal = field.state.objectives[0]
    assert men.is_(MARCHED) and field.rules.victory.holder(field.play, goal) is None
    men.drop(MARCHED)
    field.put(aircraft(), (900, 560), RED)
    assert field.rules.victory.holder(field.play, goal) == BLUE
    men.set(MARCHED)
    field.put(squad(men=1), (960, 600), RED)
    assert field.rules.victory.holder(field.play, goal) is None  # it still denies


def ended(field):
    game = field.end_turn()
    found = game.of(GameEnded)
    return found[0] if found else None


@pytest.mark.rule("bf.end.conditions", "bf.end.winner")
def test_a_side_without_units_has_lost_at_the_end_of_the_turn():
    field = Field()
    field.put(squad(men=1), (900, 600))
    foe = field.put(squad(men=1), (900, 300), RED)
    assert ended(field) is None
    field.rules.ground.lift(foe, "lost")
    assert ended(field).winner == BLUE


@pytest.mark.rule("bf.end.winner")
def test_the_objective_wins_outright():
    field = Field(objectives={"the well": (900, 600)}, goal={"hold": ["the well"]})
    field.put(squad(men=1), (900, 620))
    field.put(squad(men=1), (900, 100), RED)
    event = ended(field)
    assert event.winner == BLUE and event.rule == "bf.end.winner"


@pytest.mark.rule("bf.end.ap_count", "bf.open.victory_tie", "bf.open.both_win")
def test_points_decide_and_equal_ones_are_a_draw():
    field = Field(turns=1)
    men = field.put(squad(RIFLE, men=1), (900, 600))
    foe = field.put(squad(men=1, points=12), (900, 400), RED)
    field.put(squad(men=1), (300, 100), RED)
    field.attack(men, foe, dice="AS T")
    event = ended(field)
    assert event.winner == BLUE and field.state.sides[BLUE].points_scored == 12
    both = Field(turns=5)
    for side in (BLUE, RED):
        both.rules.ground.lift(both.put(squad(men=1), (900, 600 - 200 * side), side), "lost")
    assert ended(both).winner is None


@pytest.mark.rule("bf.open.end_with_reserves")
def test_reserves_do_not_save_a_player_and_late_ones_do_not_lose_the_game():
    field = Field(arrival=["delayed", "deploy"])
    field.put(squad(men=1), status="reserve")
    field.put(squad(men=1), (900, 300), RED)
    assert ended(field) is None
    fallen = field.put(squad(men=1), (900, 900))
    assert ended(field) is None
    kill(fallen, 0)
    field.rules.ground.lift(fallen, "lost")
    assert ended(field).winner == RED


@pytest.mark.rule("bf.open.spy_counts")
def test_those_off_the_table_have_activations_too():
    field = Field()
    field.put(hero(skills="Spy"), status="off")
    field.put(squad(), status="reserve")
    assert len(RULESET.turn.waiting(field.play, BLUE)) == 2


@pytest.mark.rule("bf.setup.ap_limit")
def test_a_battle_has_a_limit_of_points():
    assert scenario.read(PLAIN).points == 75 and RULESET.usual_points == 75


# -- whole games --------------------------------------------------------------------------------------

TROOPS = [
    squad(RIFLE, weapon("Rocket", "*/1", 4, "Reload", count=1), men=5, skills="Scout", points=12),
    squad(weapon("Flamer", "*/1", 2, "Flame", count=1), weapon("Pistol", "1/1", 2), men=3, points=9),
    hero(weapon("SMG", "3/1", 4), skills="Lucky, Infantry Ace", points=15),
    vehicle(
        weapon("Gun", "1/4", 8, mount="turret"), weapon("MG", "4/1", 6, mount="front"), locomotion="tracked", points=20
    ),
    squad(RIFLE, men=5, skills="Command Squad", roles={0: "officer", 1: "radio", 2: "medic", 3: "mechanic"}, points=14),
    aircraft(weapon("Cannon", "3/1", 6), points=15),
]


def copies() -> list[object]:
    return [msgspec.structs.replace(card, id=f"{card.id}-{side}") for side in "x" for card in TROOPS]


@pytest.mark.parametrize("name", [*library.names("battlefield"), "random:1", "random:2"])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_games_end_and_break_nothing(name, seed):
    blue, red = force(*TROOPS), force(*copies())
    header = Header(
        "battlefield",
        RULESET.version,
        library.find(name, "battlefield"),
        [blue, red],
        ["a", "b"],
        commitment(str(seed)),
    )
    game = new_game(rulesets.load("battlefield"), header, str(seed), keep_history=False)
    chance = random.Random(seed)
    for _ in range(3000):
        if game.pending is None:
            break
        game.choose(game.pending.sample(chance))
        assert list(RULESET.invariants(game.state, game.quiet)) == []
    assert game.over
    strange = {event.rule for event in game.events if not event.rule.startswith("bf.")}
    assert not strange, f"events that name rules of another game: {sorted(strange)}"


def test_the_same_seed_gives_the_same_table():
    assert random_board.scenario("7") == random_board.scenario("7") != random_board.scenario("8")
    for seed in range(20):
        RULESET.read_scenario(random_board.scenario(str(seed)))
