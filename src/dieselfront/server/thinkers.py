"""Computer opponents think in processes of their own, so that nobody at the tables waits for them.

A process keeps the games it has seen and follows them by their new choices; one it has not seen, or that went another
way, it rebuilds from the header. With no processes at all, threads of the server think.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple, TypeVar

import msgspec

from dieselfront import players, rulesets
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import Header, new_game

T = TypeVar("T")
GAMES_IN_MEMORY = 64


class Position(NamedTuple):
    """Everything a process needs to stand where the game stands."""

    id: str
    header: bytes
    seed: str | None
    choices: tuple[Any, ...]


class Thinkers:
    """The processes, and how to ask them."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._pool: Executor | None = None

    def open(self) -> None:
        """Start them; they load the rules before anybody asks."""
        if self.processes <= 0:
            self._pool = ThreadPoolExecutor(2, thread_name_prefix="thinker")
            return
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(self.processes, mp_context=context, initializer=_begin)
        for _ in range(self.processes):
            self._pool.submit(_warm_up)

    def close(self) -> None:
        """Let them go, whatever they think about."""
        if self._pool is not None:
            processes = dict(getattr(self._pool, "_processes", None) or {})
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes.values():
                process.terminate()
            self._pool = None

    async def choose(self, position: Position, level: str, name: str) -> Any:
        """What a computer of this level answers."""
        return await self.ask(_choose, position, level, name)

    async def ask(self, work: Callable[..., T], *details: Any) -> T:
        """Any other long work; a process that died is replaced once."""
        loop = asyncio.get_running_loop()
        pool = self._pool
        assert pool is not None, "the thinkers have not been started"
        try:
            return await loop.run_in_executor(pool, work, *details)
        except BrokenProcessPool:
            if self._pool is pool:
                self.open()
            return await loop.run_in_executor(self._pool, work, *details)


# -- inside a process -------------------------------------------------------------------------------

_games: OrderedDict[str, Game] = OrderedDict()
_one_at_a_time = threading.Lock()


def _begin() -> None:
    """Leave interrupts to the server, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: Any) -> None:
    parent.join()
    os._exit(0)


def _warm_up() -> None:
    for name in rulesets.names():
        try:
            rulesets.load(name)
        except Exception:  # a ruleset that cannot be loaded is told to whoever wants to play it
            continue


def _choose(position: Position, level: str, name: str) -> Any:
    with _one_at_a_time:
        game = standing_at(position)
        player = players.make(level, f"{position.id}/{name}/{len(position.choices)}", game.rules.id)
        return player.choose(game)


def standing_at(position: Position) -> Game:
    """The game at this position; it may be looked at and copied, not changed."""
    game = _games.pop(position.id, None)
    wanted = position.choices
    if game is None or not _is_before(game.choices, wanted):
        header = msgspec.json.decode(position.header, type=Header)
        game = new_game(rulesets.load(header.ruleset), header, position.seed, keep_history=False)
    for answer in wanted[len(game.choices) :]:
        game.choose_trusted(answer)
    _games[position.id] = game
    while len(_games) > GAMES_IN_MEMORY:
        _games.popitem(last=False)
    return game


def _is_before(made: Sequence[Any], wanted: Sequence[Any]) -> bool:
    return len(made) <= len(wanted) and tuple(made) == tuple(wanted[: len(made)])


__all__ = ["Position", "Thinkers", "standing_at"]
