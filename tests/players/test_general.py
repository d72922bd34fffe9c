"""The general adviser alone: it plays any game from what decisions say about themselves, and far better than chance."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dieselfront import players, rulesets
from dieselfront.dice.plan import DESTROYED, LOSSES, Add, Plan
from dieselfront.forces.random_army import random_army
from dieselfront.kernel.decisions import Assign, Path, PickOne, PickSome, PlaceFree
from dieselfront.kernel.field import Standing
from dieselfront.kernel.meaning import About
from dieselfront.kernel.stakes import Stake
from dieselfront.players.general import MOST_ANSWERS, GeneralAdviser, Scene, point_of, some_of
from dieselfront.players.opponent import Opponent
from dieselfront.players.weights import book
from dieselfront.scenarios import battle, library


def result(ruleset: str, number: int) -> float:
    """1 for a game won against chance, half for a draw; sides change from game to game."""
    names = library.names(ruleset)
    points = rulesets.load(ruleset).usual_points // 2
    armies = [random_army(ruleset, points, 7 * number + side) for side in (0, 1)]
    made = battle.header(ruleset, names[number % len(names)], armies, seed=str(number))
    game = battle.start(made, str(number), keep_history=False)
    own = number % 2
    seats = {own: players.make("general", str(number), ruleset), 1 - own: players.make("random", str(number), ruleset)}
    while (decision := game.pending) is not None:
        game.choose_trusted(seats[decision.player].choose(game))
    return 0.5 if game.winner is None else float(game.winner == own)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", rulesets.names())
def test_it_beats_chance_in_every_game(ruleset: str):
    assert sum(result(ruleset, number) for number in range(8)) >= 5


@pytest.mark.parametrize("name, level", [("general", "regular"), ("general:veteran", "veteran")])
@pytest.mark.parametrize("ruleset", rulesets.names())
def test_by_the_name_general_it_plays_alone_whatever_adviser_a_game_brings(ruleset: str, name: str, level: str):
    player = players.make(name, "1", ruleset)
    assert isinstance(player, Opponent) and type(player.adviser) is GeneralAdviser
    assert player.level == players.THINKING[level]


def test_a_general_of_no_level_is_refused():
    with pytest.raises(players.UnknownPlayer, match="there is no player 'corporal'"):
        players.make("general:corporal", "1", rulesets.DEFAULT)


def test_of_a_long_list_answers_are_taken_from_all_over_it():
    assert some_of(range(5)) == [0, 1, 2, 3, 4]
    taken = some_of(range(1200))
    assert len(taken) == MOST_ANSWERS and taken[0] == 0 and taken[-1] >= 1180


class Anywhere:
    """A region without borders."""

    def why_not(self, spot):
        return None

    def sample(self, chance):
        return (0, 0)

    def spots(self):
        return [(0, 0)]

    def facts(self):
        return {}


@pytest.mark.parametrize(
    "answer, places, facing", [((10, 20), ((10, 20),), None), ((10, 20, 90), ((10, 20),), 90), ((), (), None)]
)
def test_a_spot_on_a_measured_table_says_where_it_is(answer, places, facing):
    about = PlaceFree(0, "move", Anywhere(), unit="a1").meaning(answer)
    assert (about.act, about.unit, about.places, about.facing) == ("move", "a1", places, facing)


def test_a_way_says_where_it_leads_and_no_way_that_nothing_moves():
    decision = Path(0, "move", Anywhere(), unit="a1")
    about = decision.meaning(((10, 20, 0), (30, 40, 90)))
    assert about.places == ((30, 40),) and about.way == ((10, 20), (30, 40)) and about.facing == 90
    assert decision.meaning(()).careless


@pytest.mark.parametrize("act, taken", [("wait", ()), ("lose", ()), ("activate", ("x", "y"))])
def test_of_what_helps_it_takes_all_and_of_anything_else_none(act, taken):
    decision = PickSome(0, "some", ["x", "y"], 0, 2, act=act)
    adviser = GeneralAdviser(dict(book().weights))
    assert adviser._some(SimpleNamespace(units={}), decision) == taken  # type: ignore[arg-type]


@pytest.mark.parametrize("side, lost", [(0, ("gunner 2", "gunner 3")), (1, ("leader", "gunner 1"))])
def test_of_its_own_models_it_loses_the_last_named_and_of_the_enemys_the_first(side, lost):
    decision = PickSome(0, "casualties", ["leader", "gunner 1", "gunner 2", "gunner 3"], 2, 2, unit="a1", act="lose")
    hurt = Standing(id="a1", side=side, name="", points=20, share=1.0, where="table")
    scene = SimpleNamespace(units={"a1": hurt}, player=0)
    assert GeneralAdviser(dict(book().weights))._some(scene, decision) == lost  # type: ignore[arg-type]


class Volley:
    """Weapons that are aimed one by one: what each does to a target, and which of them cannot be used together."""

    def __init__(self, damage: dict[tuple[str, str], int]) -> None:
        self.damage = damage

    def stakes(self, answer: tuple[str | None, ...]) -> list[Stake]:
        aimed = [(weapon, target) for weapon, target in zip(("gun", "coax", "turret"), answer, strict=True) if target]
        return [
            Stake(target, (Plan("", [Add(LOSSES, self.damage[weapon, target])], {}, 10, squad=True),))
            for weapon, target in aimed
            if (weapon, target) in self.damage
        ]


def test_each_weapon_is_aimed_where_it_does_most_unless_they_exclude_each_other():
    volley = Volley({("coax", "near"): 3, ("turret", "far"): 2, ("gun", "far"): 1})
    targets = [None, "near", "far"]
    decision = Assign(
        0, "weapons", ["gun", "coax", "turret"], [targets] * 3, conflicts=[(0, 1)], default=(None, None, None),
        act="attack", about=lambda pair: About("attack", "a1", targets=(pair[1],)), stakes=volley.stakes,
    )  # fmt: skip
    enemies = {id: Standing(id=id, side=1, name="", points=60, share=1.0, where="table") for id in ("near", "far")}
    scene = SimpleNamespace(units=enemies, usual=60.0, player=0, urgency=0.0, enemy_near=lambda unit: 0.0)
    adviser = GeneralAdviser(dict(book().weights))
    assert adviser._ranked(scene, decision)[0][1] == (None, "near", "far")  # type: ignore[arg-type]


def test_an_attack_that_puts_nothing_at_stake_is_worth_less_than_holding_still():
    adviser = GeneralAdviser(dict(book().weights))
    decision = PickOne(0, "order", ["fire"], about=lambda _: About("attack"), stakes=lambda _: ())

    nobody = SimpleNamespace(units={}, enemies=[], goals=[], enemy_near=lambda unit: 0.0)
    assert adviser._value(nobody, decision, "fire") < 0  # type: ignore[arg-type]


class Shown:
    """A game of which only turn, turns and score are known."""

    def __init__(self, turn: int, score: tuple[int, int], own: str = "score") -> None:
        sides = [{"points": points} for points in score]
        view = {"turn": turn, "turns": 6} | ({"score": list(score)} if own == "score" else {"sides": sides})
        field = SimpleNamespace(units=lambda state: [], objectives=lambda state: [])
        self.rules = SimpleNamespace(table="squares", field=field, glance=lambda state, players: view)
        self.state = None


@pytest.mark.parametrize(
    "turn, score, urgency",
    [(3, (0, 0), 0.5), (6, (2, 2), 1.0), (7, (1, 2), 1.0), (6, (4, 2), 0.0), (6, (12, 10), 1.0), (6, (2, 9), 1.0)],
)
@pytest.mark.parametrize("own", ["score", "sides"])
def test_it_is_time_for_a_decision_when_the_battle_grows_late_without_a_clear_lead(turn, score, urgency, own):
    assert Scene(Shown(turn, score, own), 0).urgency == urgency  # type: ignore[arg-type]


def test_late_and_level_it_would_rather_end_a_cheap_unit_than_wound_a_dear_one():
    cheap = Standing(id="cheap", side=1, name="", points=20, share=1.0, where="table")
    dear = Standing(id="dear", side=1, name="", points=100, share=1.0, where="table")
    ends = Plan("", [Add(LOSSES, 1), Add(DESTROYED)], {}, 1)
    wounds = Plan("", [Add(LOSSES, 4)], {}, 10, squad=True)
    adviser = GeneralAdviser(dict(book().weights))

    def gains(urgency: float) -> list[float]:
        scene = SimpleNamespace(units={"cheap": cheap, "dear": dear}, usual=60.0, player=0, urgency=urgency)
        stakes = [Stake("cheap", (ends,)), Stake("dear", (wounds,))]
        return [adviser._gain(scene, [stake], True) for stake in stakes]  # type: ignore[arg-type]

    early, late = gains(0.0), gains(1.0)
    assert early[0] < early[1] and late[0] > late[1]


def test_points_are_squares_by_name_or_millimetres():
    assert point_of("C4") == (2.0, 3.0) and point_of((10, 20)) == (10.0, 20.0) and point_of("nowhere at all") is None
