"""The search: candidates played on copies, with dice of its own."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from dieselfront.dice import DUST_DIE
from dieselfront.dice.throw import Dice
from dieselfront.kernel.decisions import Answer, PickOne, YesNo
from dieselfront.kernel.game import QUIET, Game, Play, Procedure
from dieselfront.kernel.record import digest
from dieselfront.lab import simulate
from dieselfront.players import make
from dieselfront.players.adviser import Adviser, Candidate, Effort, Level, Memory, Worth
from dieselfront.players.opponent import Opponent
from dieselfront.players.search import OwnDice, Search, number_of, playout, search
from dieselfront.rulesets.dust1947.adviser.fire import PLAIN
from dieselfront.rulesets.dust1947.adviser.open_table import field_of
from dieselfront.scenarios import battle

SMALL = Effort(candidates=4, playouts=8, replies=1)


class Purse:
    """The state of the smallest game there is: what each player has won."""

    def __init__(self) -> None:
        self.dice_thrown = 0
        self.won = [0, 0]
        self.to_act = 0
        self.rounds = 0

    def clone(self) -> Purse:
        twin = Purse()
        twin.dice_thrown, twin.to_act, twin.rounds = self.dice_thrown, self.to_act, self.rounds
        twin.won = self.won.copy()
        return twin

    def facts(self) -> dict[str, Any]:
        return {"won": self.won}


class Coins:
    """Take a sure 2, or throw a die for 12 or nothing; players alternate, five rounds."""

    id = "coins"
    version = "1"

    def resume(self, play: Play) -> Procedure:
        state = play.state
        while state.rounds < 10:
            yield QUIET
            taken = yield PickOne(state.to_act, "take", ["nothing", "sure", "throw"])
            if taken == "sure":
                state.won[state.to_act] += 2
            elif taken == "throw":
                face = (yield Dice(DUST_DIE, 1, state.to_act, "throw"))[0]
                state.won[state.to_act] += 12 if face == 0 else 0
            state.to_act = 1 - state.to_act
            state.rounds += 1


class Miser(Adviser):
    """Counts coins."""

    starts = frozenset({"take"})
    acts: frozenset[str] = frozenset()

    def answer(self, game: Game, memory: Memory) -> Answer:
        return "sure"

    def candidates(self, game: Game, memory: Memory, most: int) -> Sequence[Candidate]:
        return [Candidate("nothing", 0.0, words="waits"), Candidate("sure", 0.0), Candidate("throw", 0.0)]

    def worth(self, game: Game, player: int) -> Worth:
        mine, theirs = game.state.won[player], game.state.won[1 - player]
        return Worth(mine - theirs, mine, theirs, 0.0)

    def to_the_end(self, game: Game) -> int:
        return 0

    def imagine(self, game: Game, player: int, chance: int) -> None:
        pass


class Sealed:
    """Dice that nobody may look at."""

    def roll(self, question: Dice, number: int) -> tuple[int, ...]:
        raise AssertionError("somebody looked at the game's own dice")


def a_game(scenario: str = "crossroads", seed: str = "7") -> Game:
    """A battle right before its first activation."""
    armies = ["dust1947-allies", "dust1947-axis"]
    game = battle.start(battle.header("dust1947", scenario, armies, seed=seed), seed)
    player = make("regular", "set up", "dust1947")
    while game.pending is not None and game.pending.key != "activate":
        game.choose(player.choose(game))
    return game


def test_the_search_takes_the_candidate_that_pays_on_average() -> None:
    game = Game(Coins(), Purse(), Sealed())
    found = search(game, Miser(), {}, Miser().candidates(game, {}, 3), Effort(playouts=400, replies=0), "1")
    assert found.best.answer == "throw"  # a sixth or more of 12 beats 2 on this die


def test_a_search_with_few_playouts_keeps_to_first_sight_when_it_is_trusted() -> None:
    game = Game(Coins(), Purse(), Sealed())
    candidates = [Candidate("nothing", 9.0), Candidate("sure", 0.0)]
    trusting = search(game, Miser(), {}, candidates, Effort(playouts=2, replies=0, trust=50), "1")
    doubting = search(game, Miser(), {}, candidates, Effort(playouts=2, replies=0, trust=0), "1")
    assert (trusting.best.answer, doubting.best.answer) == ("nothing", "sure")


def test_replies_are_played_before_the_position_is_judged() -> None:
    game = Game(Coins(), Purse(), Sealed())
    candidates = [Candidate("sure", 0.0), Candidate("nothing", 0.0)]
    alone = search(game, Miser(), {}, candidates, Effort(playouts=2, replies=0), "1")
    answered = search(game, Miser(), {}, candidates, Effort(playouts=2, replies=1), "1")
    assert (alone.mean.theirs, answered.mean.theirs) == (0, 2)


class Noting(Miser):
    """Notes when a position is judged; where only the result counts so many activations are left."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.seen: list[int] = []

    def worth(self, game: Game, player: int) -> Worth:
        self.seen.append(game.state.rounds)
        return super().worth(game, player)

    def to_the_end(self, game: Game) -> int:
        return self.left


@pytest.mark.parametrize(("left", "rounds"), [(0, 1), (3, 4), (400, 10)])
def test_where_only_the_result_counts_playouts_go_all_the_way(left: int, rounds: int) -> None:
    adviser = Noting(left)
    game = Game(Coins(), Purse(), Sealed())
    playout(game, adviser, {}, Candidate("sure", 0.0), 0, Effort(playouts=1, replies=0), 1)
    assert adviser.seen == [rounds]


def test_a_brake_of_no_time_at_all_still_answers() -> None:
    game = Game(Coins(), Purse(), Sealed())
    found = search(game, Miser(), {}, Miser().candidates(game, {}, 3), Effort(playouts=90, seconds=0.0), "1")
    assert found.best.answer in ("nothing", "sure", "throw")
    assert found.playouts < 90


def test_the_more_units_could_act_the_more_a_confused_level_errs() -> None:
    game = Game(Coins(), Purse(), Sealed())
    wide = Opponent(Miser(), Level(noise=1.0, confusion=2.0), "seed")
    assert wide._error(game.pending) == 5.0  # three answers, two beyond the first
    assert wide._error(YesNo(0, "reaction")) == 1.0
    assert Opponent(Miser(), Level(noise=1.0), "seed")._error(game.pending) == 1.0


class Faithful(Miser):
    """Knows that throwing is a folly and that taking the sure coins is best."""

    def candidates(self, game: Game, memory: Memory, most: int) -> Sequence[Candidate]:
        return [Candidate("nothing", 0.0), Candidate("sure", 1.0), Candidate("throw", 0.5)]

    def gives_up(self, game: Game, candidate: Candidate) -> bool:
        return candidate.answer != "nothing"


def test_nobody_errs_into_a_folly_but_the_best_plan_is_always_open() -> None:
    chosen = {
        Opponent(Faithful(), Level(noise=9.0), str(seed)).choose(Game(Coins(), Purse(), Sealed())) for seed in range(40)
    }
    assert chosen == {"nothing", "sure"}


def test_own_dice_show_every_face_equally_often() -> None:
    for count in (1, 3, 6, 7):
        dice = OwnDice(number_of("fair"))
        question = Dice(DUST_DIE, count, 0, "test")
        faces = Counter(face for number in range(6000 // count) for face in dice.roll(question, number))
        expected = {face: DUST_DIE.sides.count(face) / len(DUST_DIE.sides) for face in set(DUST_DIE.sides)}
        total = sum(faces.values())
        assert all(abs(faces[face] / total - share) < 0.03 for face, share in expected.items())


def test_own_dice_are_the_same_for_the_same_seed_only() -> None:
    question = Dice(DUST_DIE, 8, 0, "test")
    throws = [[OwnDice(seed).roll(question, number) for number in range(20)] for seed in (1, 1, 2)]
    assert throws[0] == throws[1] != throws[2]


@pytest.mark.parametrize("level", ["recruit", "regular", "veteran", "ace", "marshal"])
def test_nobody_looks_at_the_dice_of_the_game_or_changes_it_by_thinking(level: str) -> None:
    game = a_game()
    before, logged = digest(game), len(game.events)
    game.dice = Sealed()
    player = make(level, "1", "dust1947")
    assert isinstance(player, Opponent)
    if player.level.effort is not None:
        player.level = Level(effort=SMALL)
    answer = player.choose(game)
    assert game.pending is not None
    game.pending.check(answer)
    assert (digest(game), len(game.events)) == (before, logged)


def test_the_same_seed_thinks_the_same() -> None:
    answers = []
    for _ in range(2):
        player = make("veteran", "same", "dust1947")
        assert isinstance(player, Opponent)
        player.level = Level(effort=SMALL)
        game = a_game()
        chosen = []
        for _ in range(12):
            if game.pending is None:
                break
            chosen.append(player.choose(game))
            game.choose(chosen[-1])
        answers.append((chosen, player.reason))
    assert answers[0] == answers[1]


def test_the_reason_says_what_is_meant_and_what_is_expected() -> None:
    player = make("veteran", "1", "dust1947")
    assert isinstance(player, Opponent)
    player.level = Level(effort=SMALL)
    player.choose(a_game())
    assert "expects to destroy" in player.reason and "playouts" in player.reason
    assert "; weighed against " in player.reason
    plain = make("regular", "1", "dust1947")
    plain.choose(a_game())
    meant, other = plain.reason.split("; weighed against ")
    assert ("points" in meant or "nothing to be had" in meant) and other and not meant.startswith(other)


@pytest.mark.parametrize("players", [("recruit", "random"), ("regular", "recruit")])
def test_games_of_all_levels_come_to_an_end(players: tuple[str, str]) -> None:
    report = simulate.simulate(simulate.Matches("dust1947", games=2, seed="9", players=players, scenario="crossroads"))
    assert report.games == 2


def test_a_searching_player_finishes_a_game_with_legal_answers() -> None:
    game = a_game("river-line", "3")
    searcher = make("ace", "1", "dust1947")
    assert isinstance(searcher, Opponent)
    searcher.level = Level(effort=Effort(candidates=3, playouts=3, replies=1))
    players = [searcher, make("regular", "2", "dust1947")]
    decisions = simulate.play_out(game, players)  # game.choose checks every answer
    assert game.over and decisions < 2000


# -- wider and wider --------------------------------------------------------------------------------

WIDE = Effort(playouts=400, replies=0, widen=1.0)


def test_a_search_that_widens_takes_the_candidate_that_pays_on_average() -> None:
    game = Game(Coins(), Purse(), Sealed())
    verdict = search(game, Miser(), {}, Miser().candidates(game, {}, 3), WIDE, "1")
    assert verdict.best.answer == "throw" and verdict.playouts == 400


def widened(playouts: int, many: int = 30) -> Search:
    """A search among many candidates of which all but the last are worth nothing."""
    game = Game(Coins(), Purse(), Sealed())
    candidates = [*(Candidate("nothing", 0.0) for _ in range(many - 1)), Candidate("throw", 0.0)]
    looking = Search(game, Miser(), {}, candidates, Effort(playouts=playouts, replies=0, widen=1.5), "1")
    looking.widen()
    return looking


def test_more_candidates_come_in_as_playouts_grow_in_the_order_of_first_sight() -> None:
    seen = []
    for playouts in (1, 16, 100, 500):
        counts = widened(playouts).counts
        seen.append(sum(count > 0 for count in counts))
        assert all(counts[: seen[-1]]) and sum(counts) == playouts
    assert seen == [1, 6, 15, 30]


def test_a_late_candidate_that_pays_gets_most_of_what_is_left() -> None:
    looking = widened(2000)
    assert looking.counts[-1] > 10 * max(looking.counts[1:-1])
    assert looking.verdict(looking.widen()).best.answer == "throw"


class Gloomy(Miser):
    """Thinks every position poor in which the enemy is to act."""

    def worth(self, game: Game, player: int) -> Worth:
        seen = super().worth(game, player)
        return seen._replace(total=seen.total - 50.0 * (game.state.to_act != player))


def test_what_every_playout_loses_does_not_count_against_whoever_had_most_of_them() -> None:
    game = Game(Coins(), Purse(), Sealed())
    candidates = [Candidate("sure", 0.0), *(Candidate("nothing", 0.0) for _ in range(19))]
    looking = Search(game, Gloomy(), {}, candidates, Effort(playouts=200, replies=0, widen=1.5), "1")
    assert looking.widen() == 0 and looking.counts[0] == max(looking.counts)


@pytest.mark.parametrize(
    "effort", [Effort(playouts=10**6, seconds=0.2), Effort(playouts=10**6, seconds=0.2, widen=1.0)]
)
def test_a_time_budget_is_kept_and_used(effort: Effort) -> None:
    game = Game(Coins(), Purse(), Sealed())
    started = time.thread_time()
    verdict = search(game, Miser(), {}, Miser().candidates(game, {}, 3), effort, "1")
    assert 0.15 < time.thread_time() - started < 0.4 and verdict.playouts > 100


def test_a_time_budget_leaves_time_for_every_round() -> None:
    game = Game(Coins(), Purse(), Sealed())
    candidates = [Candidate("sure", 0.0), *(Candidate("nothing", 0.0) for _ in range(7))]
    looking = Search(game, Miser(), {}, candidates, Effort(playouts=10**6, seconds=0.2), "1")
    assert looking.halve() == 0
    assert sorted(looking.counts)[-2] > 1.5 * min(looking.counts)


def test_first_sight_counts_in_the_points_that_playouts_are_judged_by() -> None:
    effort = Effort(playouts=8, learned=100.0)
    game = a_game()
    player = make("veteran", "1", "dust1947")
    assert isinstance(player, Opponent) and game.pending is not None
    while not player.adviser.begins(game.pending):
        game.choose(player.choose(game))
    candidates = player.adviser.candidates(game, {}, 2)
    looking = Search(game, player.adviser, {}, candidates, effort, "1")
    looking.counts[0], looking.sums[0][0] = 1, looking.before.total
    assert looking.scale > 1.0
    trust = effort.trust / (effort.trust + 1.0)
    assert looking.score(0) == pytest.approx(trust * looking.scale * candidates[0].value)


def test_the_highest_level_plays_the_same_game_again() -> None:
    answers = []
    for _ in range(2):
        game = a_game()
        player = make("marshal", "same", "dust1947")
        answers.append([player.choose(game)])
        for _ in range(8):
            game.choose(answers[-1][-1])
            answers[-1].append(player.choose(game))
        answers[-1].append(player.reason)
    assert answers[0] == answers[1]


def test_the_highest_level_deploys_by_the_fire_to_be_expected() -> None:
    """It gains more by its own fire and loses less by the enemy's, counted over both sides of two battles."""

    def exchange(level: str) -> float:
        total = 0.0
        for scenario in ("crossroads", "river-line"):
            game = battle.start(
                battle.header("dust1947", scenario, ["dust1947-allies", "dust1947-axis"], seed="7"), "7"
            )
            players = [make(level, "one", "dust1947"), make("veteran", "two", "dust1947")]
            while game.pending is not None and game.pending.key != "activate":
                game.choose(players[game.pending.player].choose(game))
            adviser: Any = make("veteran", "judge", "dust1947").adviser  # type: ignore[attr-defined]
            field = field_of(game.play, adviser.fire)
            for unit in game.state.on_board(0):
                total += adviser.planner.shoot(field, unit, unit.place, PLAIN, turned=True).gain
                total -= adviser.planner.danger(field, unit, unit.place)
        return total

    assert exchange("marshal") > exchange("veteran")
