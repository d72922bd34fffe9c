"""Computer opponents think in processes of their own, so that nobody at the tables waits for them.

The processes are this machine's, or actors of a Ray cluster, on whatever machines it has. Each keeps the games it has
seen and follows them by their new choices; one it has not seen, or that went another way, it rebuilds from the header.
With no processes at all, threads of the server think.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import msgspec

from dieselfront import players, rulesets
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import Header, new_game
from dieselfront.lab.crew import awaited, joined_cluster
from dieselfront.server.live import game_from

log = logging.getLogger("dieselfront.server")
T = TypeVar("T")
MOST_LOST = 2
"""So many actors of a cluster may be lost in place of one thinker before a process here takes over."""
GAMES_IN_MEMORY = 64


class Position(NamedTuple):
    """Everything a process needs to stand where the game stands."""

    id: str
    header: bytes
    seed: str | None
    choices: tuple[Any, ...]
    base: bytes | None = None
    """The state it goes on from, where its rules have moved; the choices are those since."""


class Thought(NamedTuple):
    """What a computer answers, and why, if it begins something with it."""

    answer: Any
    reason: str = ""


class Thinkers:
    """The processes, and how to ask them.

    A game stays with one of them: there its computers remember what they are about.
    """

    def __init__(self, processes: int, seconds: float = 120.0, cluster: str = "") -> None:
        self.processes = processes
        self.cluster = cluster
        self.seconds = seconds
        self.killed = 0
        self._pools: list[Executor] = []
        self._busy: list[int] = []
        self._lost: list[int] = []
        self._homes: OrderedDict[str, int] = OrderedDict()
        self._ray: Any = None

    def join_cluster(self) -> None:
        """Connect to the cluster, if they are to think there; CrewError if it cannot be used."""
        if self.cluster and self._ray is None:
            self._ray = joined_cluster(self.cluster, max(1, self.processes))

    def open(self) -> None:
        """Start them; they load the rules before anybody asks."""
        self.join_cluster()
        count = max(1, self.processes)
        self._busy, self._lost = [0] * count, [0] * count
        self._pools = [self._start(number) for number in range(count)]

    def _start(self, number: int) -> Executor:
        if self._ray is not None and self._lost[number] < MOST_LOST:
            return ActorExecutor(self._ray)
        if self._ray is not None:
            log.error("a computer thinks on this machine now: the cluster %s loses its actors", self.cluster)
        if self.processes <= 0:
            return ThreadPoolExecutor(2, thread_name_prefix="thinker")
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(1, mp_context=context, initializer=_begin)
        pool.submit(_warm_up)
        return pool

    def close(self) -> None:
        """Let them go, whatever they think about."""
        for pool in self._pools:
            _end(pool)
        self._pools = []
        if self._ray is not None:
            self._ray.shutdown()
            self._ray = None

    async def choose(self, position: Position, level: str, name: str) -> Thought:
        """What a computer of this level answers."""
        return await self._ask(self._home(position.id), _choose, position, level, name)

    async def ask(self, work: Callable[..., T], *details: Any) -> T:
        """Any other long work, where least is being done."""
        return await self._ask(self._idlest(), work, *details)

    def _home(self, id: str) -> int:
        """Where a game is thought about; a new one goes where least is being done."""
        number = self._homes.pop(id, None)
        if number is None:
            number = self._idlest()
        self._homes[id] = number
        while len(self._homes) > GAMES_IN_MEMORY * len(self._pools):
            self._homes.popitem(last=False)
        return number

    def _idlest(self) -> int:
        assert self._pools, "the thinkers have not been started"
        return min(range(len(self._pools)), key=lambda one: self._busy[one])

    async def _ask(self, number: int, work: Callable[..., T], *details: Any) -> T:
        """Ask a process; one that died or thinks for too long is replaced."""
        self._busy[number] += 1
        try:
            return await self._tried(number, work, *details)
        finally:
            self._busy[number] -= 1

    async def _tried(self, number: int, work: Callable[..., T], *details: Any) -> T:
        for attempt in range(MOST_LOST + 1):
            pool = self._pools[number]
            try:
                answer = await self._within_time(pool, work, *details)
            except (BrokenExecutor, TimeoutError) as error:
                self._replace(number, pool)
                if isinstance(error, TimeoutError) or attempt == MOST_LOST:
                    raise
            else:
                self._lost[number] = 0 if isinstance(pool, ActorExecutor) else self._lost[number]
                return answer
        raise AssertionError("the last attempt returns or raises")

    async def _within_time(self, pool: Executor, work: Callable[..., T], *details: Any) -> T:
        async with asyncio.timeout(self.seconds):
            return await asyncio.get_running_loop().run_in_executor(pool, work, *details)

    def _replace(self, number: int, pool: Executor) -> None:
        """A new process instead of this one, unless somebody else replaced it already."""
        if self._pools and self._pools[number] is pool:
            self.killed += 1
            self._lost[number] += 1
            _end(pool)
            self._pools[number] = self._start(number)


class ActorExecutor(Executor):
    """One actor of a Ray cluster as an executor: what is asked of it is done there, one after the other."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._actor = ray.remote(_Actor).options(num_cpus=1, max_restarts=0).remote()
        self._actor.do.remote(_warm_up)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return awaited(self._ray, self._actor.do.remote(fn, *args, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the actor, whatever it thinks about."""
        try:
            self._ray.kill(self._actor)
        except Exception:  # the cluster has gone, and the actor with it
            log.info("an actor could not be ended: the cluster has gone")


class _Actor:
    """What runs on the cluster."""

    def do(self, work: Callable[..., Any], *details: Any, **more: Any) -> Any:
        return work(*details, **more)


def _end(pool: Executor) -> None:
    """Let a pool go, whatever its processes think about."""
    processes = dict(getattr(pool, "_processes", None) or {})
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes.values():
        process.kill()


# -- inside a process -------------------------------------------------------------------------------

_games: OrderedDict[str, Game] = OrderedDict()
_players: dict[str, dict[tuple[str, str], players.Player]] = {}
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
        except Exception:  # a ruleset that cannot be loaded is reported to whoever wants to play it
            continue


def _choose(position: Position, level: str, name: str) -> Thought:
    with _one_at_a_time:
        game = standing_at(position)
        player = _player(position, level, name, game.rules.id)
        before = player.reason
        answer = player.choose(game)
        return Thought(answer, player.reason if player.reason != before else "")


def _player(position: Position, level: str, name: str, ruleset: str) -> players.Player:
    """Who plays this seat; he remembers what he is about while the game goes on from where he saw it."""
    seated = _players.setdefault(position.id, {})
    player = seated.get((level, name))
    if player is None:
        player = seated[level, name] = players.make(level, f"{position.id}/{name}/{len(position.choices)}", ruleset)
    return player


def standing_at(position: Position) -> Game:
    """The game at this position; it may be looked at and copied, not changed."""
    game = _games.pop(position.id, None)
    wanted = position.choices
    if game is None or not _is_before(game.choices, wanted):
        header = msgspec.json.decode(position.header, type=Header)
        rules = rulesets.load(header.ruleset)
        if position.base is None:
            game = new_game(rules, header, position.seed, keep_history=False)
        else:
            game = game_from(rules, header, position.seed, position.base)
        _players.pop(position.id, None)
    for answer in wanted[len(game.choices) :]:
        game.choose_trusted(answer)
    _games[position.id] = game
    while len(_games) > GAMES_IN_MEMORY:
        gone, _ = _games.popitem(last=False)
        _players.pop(gone, None)
    return game


def _is_before(made: Sequence[Any], wanted: Sequence[Any]) -> bool:
    return len(made) <= len(wanted) and tuple(made) == tuple(wanted[: len(made)])


__all__ = ["Position", "Thinkers", "Thought", "standing_at"]
