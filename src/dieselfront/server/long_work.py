"""Work that may take seconds, in processes that can be killed: odds, previews, prints, imports, replays.

A process is killed when its work reaches the time limit or when whoever asked has gone; its memory is bounded. The
limit is one of processor time, so that a busy machine ends nothing that is short; the clock may go on for a few times
as long. Askers wait in a queue that takes one of each address in turn, so that nobody can keep the others out.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, TypeVar

from dieselfront.server.processor_time import processor_seconds
from dieselfront.server.refusals import Refused, asker
from dieselfront.server.threads import Threads

log = logging.getLogger("dieselfront.server")
T = TypeVar("T")
MEGABYTE = 1024 * 1024
STOPPING = "The server is stopping; come back in a moment."
TOO_SLOW = "This takes longer than the server gives it; ask for something smaller."
TOO_MUCH = "This takes more than the server gives it; ask for something smaller."
TOO_LARGE = "This takes more memory than the server gives it; ask for something smaller."
START_SECONDS = 60.0
"""How long a process may take to start."""
PATIENCE = 4.0
"""How many times its processor time a piece of work may take by the clock."""
SHORTEST_WAIT = 0.05
PRELOADED = ["dieselfront.server.worker_preload"]


class Worker:
    """One process, started when it is first needed and again after it was killed."""

    def __init__(self, megabytes: int, niceness: int = 0) -> None:
        self.megabytes = megabytes
        self.niceness = niceness
        self.homes: OrderedDict[str, None] = OrderedDict()
        """What it has worked on lately, and may remember."""
        self._killed = False
        self._process: Any = None
        self._pipe: Any = None

    @property
    def is_up(self) -> bool:
        """Is the process there, as far as is known?"""
        return self._process is not None and not self._killed

    @property
    def seconds(self) -> float:
        """Processor time the process has taken so far, or the clock where the system does not tell it."""
        taken = None if self._process is None else processor_seconds(self._process.pid)
        return time.monotonic() if taken is None else taken

    def exchange(self, work: Callable[..., Any], details: tuple[Any, ...]) -> tuple[str, Any]:
        """Hand the work over and wait for what came of it; EOFError if the process ended instead. In a thread."""
        self.start()
        pipe = self._pipe
        pipe.send_bytes(pickle.dumps((work, details), 5))
        answer: tuple[str, Any] = pickle.loads(pipe.recv_bytes())
        return answer

    def start(self) -> None:
        """Start the process, unless it is up. In a thread."""
        if self._process is not None and not self._killed and self._process.is_alive():
            return
        if self._process is not None:
            self._process.join(5)
            self._pipe.close()
        context = _context()
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, self.megabytes, self.niceness), daemon=True)
        process.start()
        theirs.close()
        self._pipe, self._process, self._killed = ours, process, False

    def kill(self) -> None:
        """End it, whatever it is doing; the thread that waits for it hears so."""
        self.homes.clear()
        self._killed = True
        if self._process is not None:
            self._process.kill()


class LongWork:
    """The processes, and the queue before them."""

    KEPT_HOMES = 24

    def __init__(
        self,
        processes: int,
        *,
        seconds: float,
        megabytes: int,
        per_address: int,
        waiting: int,
        niceness: int = 0,
    ) -> None:
        self.seconds = seconds
        self.per_address = per_address
        self.most_waiting = waiting
        self.killed = 0
        self.done = 0
        self._workers = [Worker(megabytes, niceness) for _ in range(max(1, processes))]
        self._idle: list[Worker] = list(self._workers)
        self._threads = Threads("long-work", len(self._workers))
        self._waiting: OrderedDict[str, deque[tuple[str, asyncio.Future[Worker]]]] = OrderedDict()
        self._closed = False

    def close(self) -> None:
        """Let the processes go, whatever they are doing; whoever waits is told so."""
        self._closed = True
        for worker in self._workers:
            worker.kill()
        for queue in self._waiting.values():
            for _, turn in queue:
                if not turn.done():
                    turn.set_exception(Refused(503, STOPPING))
        self._waiting.clear()
        self._threads.close()

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return sum(len(queue) for queue in self._waiting.values())

    @property
    def busy(self) -> int:
        """How many are being worked for."""
        return len(self._workers) - len(self._idle)

    async def run(
        self,
        work: Callable[..., T],
        *details: Any,
        home: str = "",
        seconds: float | None = None,
        too_much: str = "",
    ) -> T:
        """Do the work in a process; `home` names what it is about, so that it goes where that is known.

        `too_much` is the sentence for whoever asks for more than there is time and memory for.
        """
        worker = await self._turn(asker.get(), home)
        await self._up(worker)
        if self._closed:
            raise Refused(503, STOPPING)
        exchange = asyncio.ensure_future(self._threads.run(worker.exchange, work, details))
        exchange.add_done_callback(lambda done: self._over(worker, done))
        try:
            kind, value = await _outcome(exchange, worker, seconds or self.seconds)
        except TimeoutError:
            self._kill(worker)
            raise Refused(422, too_much or TOO_SLOW) from None
        except asyncio.CancelledError:
            self._kill(worker)
            raise
        except (EOFError, OSError):
            if self._closed:
                raise Refused(503, STOPPING) from None
            self.killed += 1
            raise Refused(422, too_much or TOO_MUCH) from None
        self.done += 1
        self._remember(worker, home)
        result: T = _unpacked(work, kind, value, too_much)
        return result

    async def _up(self, worker: Worker) -> None:
        """Have the process started; on a busy machine that takes a while, and the work's own time begins after it."""
        if worker.is_up:
            return
        starting = asyncio.ensure_future(self._threads.run(worker.start))
        try:
            async with asyncio.timeout(START_SECONDS):
                await asyncio.shield(starting)
        except BaseException as error:
            starting.add_done_callback(lambda done: self._over(worker, done))
            if isinstance(error, asyncio.CancelledError):
                raise
            raise Refused(503, STOPPING if self._closed else "The server is busy; try again in a moment.") from None

    def _kill(self, worker: Worker) -> None:
        self.killed += 1
        worker.kill()

    def _remember(self, worker: Worker, home: str) -> None:
        if home:
            worker.homes[home] = None
            worker.homes.move_to_end(home)
            while len(worker.homes) > self.KEPT_HOMES:
                worker.homes.popitem(last=False)

    # -- taking turns ---------------------------------------------------------------------------

    async def _turn(self, address: str, home: str) -> Worker:
        """Wait for a process; each address in turn."""
        if self._closed:
            raise Refused(503, STOPPING)
        if self._idle and not self._waiting:
            return self._take(home)
        queue = self._waiting.get(address)
        if queue is not None and len(queue) >= self.per_address:
            raise Refused(429, "Too much of yours is being worked out already; wait a moment.")
        if self.waiting >= self.most_waiting:
            raise Refused(503, "The server is busy; try again in a moment.")
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append((home, turn))
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back(turn.result())
            else:
                self._leave_queue(address, turn)
            raise

    def _take(self, home: str) -> Worker:
        worker = next((one for one in self._idle if home in one.homes), self._idle[0])
        self._idle.remove(worker)
        return worker

    def _leave_queue(self, address: str, turn: asyncio.Future[Worker]) -> None:
        queue = self._waiting.get(address)
        if queue is not None:
            kept = deque(entry for entry in queue if entry[1] is not turn)
            if kept:
                self._waiting[address] = kept
            else:
                del self._waiting[address]

    def _over(self, worker: Worker, exchange: asyncio.Future[Any]) -> None:
        """The thread is done with the process: the next in the queue takes it."""
        if not exchange.cancelled():
            exchange.exception()  # raised for whoever awaited it, if he still does
        self._give_back(worker)

    def _give_back(self, worker: Worker) -> None:
        self._idle.append(worker)
        while self._idle and self._waiting and not self._closed:
            address, queue = self._waiting.popitem(last=False)
            home, turn = queue.popleft()
            if queue:
                self._waiting[address] = queue  # behind all others
            if not turn.done():
                turn.set_result(self._take(home))


async def _outcome(exchange: asyncio.Future[T], worker: Worker, seconds: float) -> T:
    """What came of the work; TimeoutError when it has taken its processor time, or several times that by the clock."""
    end, taken = time.monotonic() + PATIENCE * seconds, worker.seconds
    left = seconds
    while left > 0:
        await asyncio.wait((exchange,), timeout=max(left, SHORTEST_WAIT))
        if exchange.done():
            return exchange.result()
        left = min(seconds - (worker.seconds - taken), end - time.monotonic())
    raise TimeoutError


def _unpacked(work: Callable[..., Any], kind: str, value: Any, too_much: str) -> Any:
    if kind == "done":
        return value
    if kind == "refused":
        raise value
    if kind == "memory":
        raise Refused(422, too_much or TOO_LARGE)
    log.error("a mistake of ours in %s: %s", getattr(work, "__name__", "long work"), value)
    raise Refused(500, "Something went wrong here; nothing was changed.")


def _context() -> Any:
    """Processes from a server process that has loaded the rules already, where the system can do so."""
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(PRELOADED)
        return context
    return multiprocessing.get_context("spawn")


# -- inside a process -------------------------------------------------------------------------------


def _serve(pipe: Any, megabytes: int, niceness: int) -> None:
    """Do what is asked until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if niceness and hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    _bound_memory(megabytes)
    with contextlib.suppress(EOFError, OSError):
        while True:
            work, details = pickle.loads(pipe.recv_bytes())
            pipe.send_bytes(_answer(work, details))


def _answer(work: Callable[..., Any], details: tuple[Any, ...]) -> bytes:
    try:
        return pickle.dumps(("done", work(*details)), 5)
    except Refused as refusal:
        return pickle.dumps(("refused", refusal), 5)
    except MemoryError:
        return pickle.dumps(("memory", None), 5)
    except RecursionError:
        return pickle.dumps(("refused", Refused(422, "This is nested too deeply to be understood.")), 5)
    except Exception:
        return pickle.dumps(("bug", traceback.format_exc(limit=8)), 5)


def _leave_with(parent: Any) -> None:
    parent.join()
    os._exit(0)


def _bound_memory(megabytes: int) -> None:
    """No more data than this, where the system can bound it."""
    if not sys.platform.startswith("linux"):
        return
    import resource

    most = megabytes * MEGABYTE
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def waste(seconds: float, megabytes: int = 0) -> str:
    """Work for trials of the limits: takes that much processor time and that much memory."""
    held = bytearray(megabytes * MEGABYTE)
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return f"{seconds} s, {len(held)} bytes"


__all__ = ["LongWork", "Worker", "waste"]
