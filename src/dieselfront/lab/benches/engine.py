"""Bench entries of the engine: decisions, copies and games of every ruleset beside random play in python-chess."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.lab.bench import Entry, Missing, Work
from dieselfront.scenarios import battle, library

CHESS = "python-chess, random moves"
SCENARIO = "crossroads"
POSITIONS = 48
MOST_PLIES = 400
WARM_UP = 24
SMALL, SIZES = 5, (10, 20, 40)
GROWN, GROWTH = 20, 0.667
"""A decision with so many units a side costs at most one and a half times one of a small game."""
MID_SIZE = 10


def entries() -> Iterator[Entry]:
    """Decisions a second, the cost of a copy, games a second."""
    yield Entry("engine.decisions", "decisions/s", CHESS, decisions, 0.25)
    yield Entry("engine.copies", "copies/s", "our own decisions", copies, 3.0)
    yield Entry("engine.games", "games/s", "python-chess, random games", games, 0.1)
    for ruleset in rulesets.names():
        if ruleset != rulesets.DEFAULT:
            yield Entry(f"engine.decisions.{ruleset}", "decisions/s", CHESS, partial(decisions, ruleset), 0.02)
            yield Entry(f"engine.copies.{ruleset}", "copies/s", "its own decisions", partial(copies, ruleset), 3.0)
        for units in SIZES:
            goal = GROWTH if units == GROWN else None
            name, peer = f"engine.growth.{ruleset}.{units}", f"the same game, {SMALL} units a side"
            yield Entry(name, "decisions/s", peer, partial(growth, ruleset, units), goal)


def fresh(number: int, ruleset: str = rulesets.DEFAULT, units: int | None = None) -> Any:
    """A new game between two of the starter armies, each with so many units if that is said."""
    seed = str(number)
    names = battle.starters(ruleset)
    armies = [_sized(battle.army(names[place % len(names)], ruleset), units) for place in (number, number + 1)]
    header = battle.header(ruleset, scenario(ruleset), armies, seed=seed)
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

    def __init__(self, seed: int = 1, ruleset: str = rulesets.DEFAULT, units: int | None = None) -> None:
        self.chance = Random(seed)
        self.number = seed
        self.ruleset = ruleset
        self.units = units
        self.game = fresh(self.number, ruleset, units)

    def step(self) -> bool:
        """One decision, its options listed and one of them chosen; True when that ended the game."""
        decision = self.game.pending
        if decision is None:
            self.number += 1
            self.game = fresh(self.number, self.ruleset, self.units)
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
    """Decisions in a larger battle beside decisions in a small one, both from their first deployment on."""
    return _steps(Player(ruleset=ruleset, units=units)), _steps(Player(ruleset=ruleset, units=SMALL))


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
