"""Bench entries of the engine: decisions, copies and games of every ruleset beside random play in python-chess."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.lab.bench import CPU, Entry, Missing, Work
from dieselfront.lab.larger_tables import LARGER, enlarged
from dieselfront.lab.promises import promises
from dieselfront.lab.simulate import Matches, simulate
from dieselfront.scenarios import battle, library

CHESS = "python-chess, random moves"
SCENARIO = "crossroads"
POSITIONS = 48
MOST_PLIES = 400
WARM_UP = 24
COPIES = 10 / 3
"""Promised: copies in the time of a decision."""
SMALL, SIZES = 5, (10, 20, 40)
GROWN, GROWTH = 20, 0.667
"""Promised: a decision with so many units a side costs at most one and a half times one of a small game."""
MID_SIZE = 10
BATTLES, WORKERS, SOONER = 200, 2, 1.8
"""Promised: two workers play so many games that many times as fast as one."""


def entries() -> Iterator[Entry]:
    """Decisions, copies, growth with units and with the table, games a second, simulations of two workers."""
    for ruleset in rulesets.names():
        goal = promises(ruleset).decisions
        name = f"engine.decisions.{ruleset}"
        yield Entry(name, "decisions/s", CHESS, partial(decisions, ruleset), goal, CPU, also_pure=True)
    for ruleset in rulesets.names():
        name = f"engine.copies.{ruleset}"
        yield Entry(name, "copies/s", "its own decisions", partial(copies, ruleset), COPIES, CPU)
    for ruleset in rulesets.names():
        for units in SIZES:
            promised = GROWTH if units == GROWN else None
            name, peer = f"engine.growth.{ruleset}.{units}", f"the same game, {SMALL} units a side"
            yield Entry(name, "decisions/s", peer, partial(growth, ruleset, units), promised, CPU)
    for ruleset in rulesets.names():
        for percent in LARGER:
            name, peer = f"engine.table.{ruleset}.{percent}", "the same battle on its own table"
            yield Entry(name, "decisions/s", peer, partial(larger, ruleset, percent), None, CPU)
    yield Entry("engine.games", "games/s", "python-chess, random games", games, 0.1, CPU)
    yield Entry("engine.workers", "games/s", f"one worker, {BATTLES} games", workers, SOONER)


def fresh(number: int, ruleset: str = rulesets.DEFAULT, units: int | None = None, percent: int = 100) -> Any:
    """A new game between two of the starter armies, each with so many units if that is said, on so large a table."""
    seed = str(number)
    names = battle.starters(ruleset)
    armies = [_sized(battle.army(names[place % len(names)], ruleset), units) for place in (number, number + 1)]
    scene = scenario(ruleset)
    header = battle.header(ruleset, scene if percent == 100 else enlarged(scene, ruleset, percent), armies, seed=seed)
    return battle.start(header, seed, keep_history=False, copyable=units is not None)


def scenario(ruleset: str) -> str:
    """A crossroads where there is one, else the first battlefield."""
    known = library.names(ruleset)
    return SCENARIO if SCENARIO in known else known[0]


def _sized(army: Any, units: int | None) -> Any:
    """An army with its units taken again from the first one until there are enough."""
    if units is None:
        return army
    taken = [army.units[place % len(army.units)] for place in range(units)]
    points = (army.points or 0) * -(-units // len(army.units))  # enough for all of them
    return msgspec.structs.replace(army, units=taken, points=points)


class Player:
    """Plays random games one after the other, a decision at a time."""

    def __init__(
        self, seed: int = 1, ruleset: str = rulesets.DEFAULT, units: int | None = None, percent: int = 100
    ) -> None:
        self.chance = Random(seed)
        self.number = seed
        self.ruleset = ruleset
        self.units = units
        self.percent = percent
        self.game = fresh(self.number, ruleset, units, percent)

    def step(self) -> bool:
        """One decision, its options listed and one of them chosen; True when that ended the game."""
        decision = self.game.pending
        if decision is None:
            self.number += 1
            self.game = fresh(self.number, self.ruleset, self.units, self.percent)
            return True
        self.game.choose_trusted(decision.sample(self.chance))
        return False


def warmed_up(ruleset: str = rulesets.DEFAULT, units: int | None = None) -> Player:
    """A player whose board has been played on before, as in any longer run: sight and steps are remembered."""
    player = Player(ruleset=ruleset, units=units)
    for _ in range(WARM_UP):
        while not player.step():
            pass
    return player


def decisions(ruleset: str = rulesets.DEFAULT) -> tuple[Work, Work]:
    return _steps(warmed_up(ruleset)), chess_moves()


def growth(ruleset: str, units: int) -> tuple[Work, Work]:
    """Decisions in large battles beside decisions in small ones: whole games, each beginning with its deployment."""
    return _whole_games(Player(ruleset=ruleset, units=units)), _whole_games(Player(ruleset=ruleset, units=SMALL))


def larger(ruleset: str, percent: int) -> tuple[Work, Work]:
    """Decisions in a battle of ten units a side with more ground, beside the same on the table of the scenario."""
    enlarged_battle = Player(ruleset=ruleset, units=MID_SIZE, percent=percent)
    return _whole_games(enlarged_battle), _whole_games(Player(ruleset=ruleset, units=MID_SIZE))


def _whole_games(player: Player) -> Work:
    def ours() -> int:
        made = 1
        while not player.step():
            made += 1
        return made

    ours()  # what the first game loads belongs to neither side
    return ours


def _steps(player: Player) -> Work:
    def ours() -> int:
        for _ in range(50):
            player.step()
        return 50

    return ours


def copies(ruleset: str = rulesets.DEFAULT) -> tuple[Work, Work]:
    """Copies in a battle of ten units a side, beside decisions in that battle.

    A copy counts once it can be used: it has repeated the choices since the last quiet moment.
    """
    player = warmed_up(ruleset, MID_SIZE)
    waiting: list[Any] = []
    while len(waiting) < POSITIONS:
        for _ in range(9):
            player.step()
        if player.game.pending is not None:
            waiting.append(player.game.copy())

    def ours() -> int:
        for game in waiting:
            assert game.copy().pending is not None
        return len(waiting)

    return ours, _steps(player)


def games() -> tuple[Work, Work]:
    player = warmed_up()

    def ours() -> int:
        while not player.step():
            pass
        return 1

    return ours, chess_games()


def workers() -> tuple[Work, Work]:
    """The same games, simulated by two workers and by one."""
    matches = Matches(rulesets.DEFAULT, BATTLES, "bench")

    def simulated_by(count: int) -> Work:
        return lambda: simulate(matches, count).games

    return simulated_by(WORKERS), simulated_by(1)


# -- the peer -----------------------------------------------------------------------------------------------


def chess_moves() -> Work:
    chess = _chess()
    chance = Random(1)
    boards = [chess.Board()]

    def peer() -> int:
        for _ in range(50):
            if not _move(boards[0], chance):
                boards[0] = chess.Board()
        return 50

    return peer


def chess_games() -> Work:
    chess = _chess()
    chance = Random(1)

    def peer() -> int:
        board = chess.Board()
        while _move(board, chance):
            pass
        return 1

    return peer


def _move(board: Any, chance: Random) -> bool:
    """One random legal move; False when the game is over."""
    moves = list(board.legal_moves)
    if not moves or board.ply() >= MOST_PLIES or board.is_insufficient_material():
        return False
    board.push(moves[chance.randrange(len(moves))])
    return True


def _chess() -> Any:
    try:
        import chess
    except ImportError:
        raise Missing("the package 'chess' is not installed (pip install 'dieselfront[bench]')") from None
    return chess
