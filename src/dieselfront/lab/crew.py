"""Crews: whoever does the many tasks of a long run, in this process, in several, or on a Ray cluster.

Every long run of the laboratory (games, matches, mutants) is a list of tasks and a function of a module that does one.
A crew does them all and hands the results out in the order of the tasks, so that nothing depends on how many work:

>>> from dieselfront.lab.crew import Crew
>>> with Crew(processes=1) as crew:
...     list(crew.run(abs, [-1, -2], int))
[1, 2]

A worker that is killed costs time, not results: its tasks are done again. With a file to resume from every result is
written down as it comes; after a killed run the same command with the same file does only what is missing.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import importlib.util
import multiprocessing
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar, cast

import msgspec

LOCAL = "local"
"""The cluster that is started on this machine, for this run only."""
HERE = "this process"
LARGEST_SHARE = 16
SHARES_EACH = 8
"""Tasks go out in shares; each worker gets about so many, so that the last ones end at about the same time."""
MOST_BREAKDOWNS = 3
"""Workers may die so many times one after the other before any of them has finished a share."""
KNOCK_SECONDS = 10.0
SELDOM = (100_000, 20, 50)
"""How many objects are made before Python looks for cycles among the young, older and oldest ones."""

Task = TypeVar("Task")
Result = TypeVar("Result")
Outcome = tuple[Any, float]
"""What a task came to, and the seconds it took."""


class CrewError(ValueError):
    """Work that cannot be done as asked; one sentence says why."""


class Efficiency(msgspec.Struct):
    """How the work went: who did it, how long it took, and the share of the workers' time that went into tasks."""

    workers: int
    on: str
    """`this process`, `processes` or `ray`."""
    tasks: int
    resumed: int
    """Tasks whose results were found in the file."""
    repeated: int
    """Tasks that were done again because their worker died."""
    busy: float
    """Seconds spent in tasks, added up over all workers."""
    seconds: float
    efficiency: float
    """busy / (workers × seconds)."""


class Crew:
    """Workers for a whole run, however many lists of tasks it has. Use it in a `with` statement.

    `cluster` is empty for processes, `local` for a Ray cluster of this run's own, or the address of one. `progress` is
    called with every result as soon as it is there.
    """

    def __init__(
        self,
        processes: int = 1,
        cluster: str = "",
        resume: Path | None = None,
        progress: Callable[[Any], None] | None = None,
    ) -> None:
        self.processes = processes
        self.cluster = cluster
        self.progress = progress
        self._journal = Journal(resume) if resume is not None else None
        self._executor: Executor | None = None
        self._on = HERE
        self._tasks = self._resumed = self._repeated = 0
        self._busy = self._seconds = 0.0

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=kind is None, cancel_futures=True)
            self._executor = None
        if self._journal is not None:
            self._journal.close()

    def run(
        self, work: Callable[[Task], Result], tasks: Sequence[Task], kind: Any, version: str = ""
    ) -> Iterator[Result]:
        """Do all tasks; their results in the order of the tasks.

        `work` is a function of a module and `kind` the type of its results. Results found in the file to resume from
        count only if the task, the function and the `version` of what is played are the same.
        """
        keys = [_key(work, task, version) for task in tasks] if self._journal else []
        results: dict[int, Result] = {}
        for place, key in enumerate(keys):
            if self._journal is not None and key in self._journal.known:
                results[place] = msgspec.convert(self._journal.known[key], kind)
                self._tell(results[place])
        self._tasks += len(tasks)
        self._resumed += len(results)
        missing = [place for place in range(len(tasks)) if place not in results]
        following = 0
        for place, result in self._done(work, tasks, missing):
            if self._journal is not None:
                self._journal.add(keys[place], result)
            results[place] = result
            self._tell(result)
            while following in results:
                yield results.pop(following)
                following += 1
        while following in results:
            yield results.pop(following)
            following += 1

    def _tell(self, result: Any) -> None:
        if self.progress is not None:
            self.progress(result)

    def _done(
        self, work: Callable[[Task], Result], tasks: Sequence[Task], missing: list[int]
    ) -> Iterator[tuple[int, Result]]:
        """The place and the result of every missing task, as they come."""
        if not missing:
            return
        several = self.cluster or (self.processes > 1 and len(missing) > 1)
        if several:
            self._open()
        started = time.perf_counter()
        try:
            outcomes = self._shared(work, tasks, missing) if several else _alone(work, tasks, missing)
            for place, (result, seconds) in outcomes:
                self._busy += seconds
                yield place, result
        finally:
            self._seconds += time.perf_counter() - started

    def _shared(self, work: Callable[[Task], Any], tasks: Sequence[Task], missing: list[int]) -> Iterator[Any]:
        """Tasks in shares over the workers; what a dead worker left undone is given out again."""
        shares = _shares(missing, self.processes)
        breakdowns = 0
        while shares:
            futures, lost = self._submit(work, tasks, shares)
            try:
                for future in as_completed(futures):
                    try:
                        outcomes = future.result()
                    except BrokenExecutor:
                        lost.append(futures[future])
                        continue
                    yield from zip(futures[future], outcomes, strict=True)
            finally:
                for future in futures:
                    future.cancel()
            breakdowns = breakdowns + 1 if len(lost) == len(shares) else 0
            if breakdowns >= MOST_BREAKDOWNS:
                raise CrewError(
                    f"Workers died {breakdowns} times before any had finished a task; is there enough memory?"
                )
            if lost:
                self._repeated += sum(map(len, lost))
                self._renew()
            shares = lost

    def _submit(
        self, work: Callable[[Task], Any], tasks: Sequence[Task], shares: list[list[int]]
    ) -> tuple[dict[Future[list[Outcome]], list[int]], list[list[int]]]:
        assert self._executor is not None
        futures: dict[Future[list[Outcome]], list[int]] = {}
        lost: list[list[int]] = []
        for share in shares:
            try:
                futures[self._executor.submit(do_share, work, [tasks[place] for place in share])] = share
            except BrokenExecutor:
                lost.append(share)
        return futures, lost

    def _open(self) -> None:
        if self._executor is not None:
            return
        self._on = "ray" if self.cluster else "processes"
        if self.cluster:
            self._executor = RayExecutor(self.cluster, self.processes)
            self.processes = self._executor.workers
        else:
            self._executor = ProcessPoolExecutor(self.processes, mp_context=process_context())

    def _renew(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = None
        self._open()

    @property
    def efficiency(self) -> Efficiency:
        """How the work went so far."""
        workers = self.processes if self._on != HERE else 1
        full = workers * self._seconds
        return Efficiency(
            workers,
            self._on,
            self._tasks,
            self._resumed,
            self._repeated,
            round(self._busy, 3),
            round(self._seconds, 3),
            round(self._busy / full, 3) if full else 1.0,
        )


@contextmanager
def crew_of(workers: int | Crew, progress: Callable[[Any], None] | None = None) -> Iterator[Crew]:
    """A crew as it is, or a new one of so many processes for as long as it is needed."""
    if isinstance(workers, Crew):
        yield workers
        return
    with Crew(workers, progress=progress) as crew:
        yield crew


def process_context() -> Any:
    """New processes are forks where that is safe, so that they find everything loaded, and begin afresh elsewhere."""
    may_fork = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if may_fork else "spawn")


def _shares(places: list[int], workers: int) -> list[list[int]]:
    """Tasks in shares that become smaller towards the end, so that nobody waits long for the last one."""
    shares: list[list[int]] = []
    start = 0
    while start < len(places):
        size = max(1, min(LARGEST_SHARE, (len(places) - start) // (workers * SHARES_EACH)))
        shares.append(places[start : start + size])
        start += size
    return shares


def _alone(work: Callable[[Task], Any], tasks: Sequence[Task], missing: list[int]) -> Iterator[tuple[int, Outcome]]:
    with seldom_collecting():
        for place in missing:
            yield place, _timed(work, tasks[place])


def do_share(work: Callable[[Any], Any], tasks: list[Any]) -> list[Outcome]:
    """What a worker does: some tasks, one after the other."""
    with seldom_collecting():
        return [_timed(work, task) for task in tasks]


def _timed(work: Callable[[Any], Any], task: Any) -> Outcome:
    started = time.perf_counter()
    result = work(task)
    return result, time.perf_counter() - started


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Games make many small objects and few cycles: inside, Python looks for cycles less often."""
    before = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


# -- Ray ------------------------------------------------------------------------------------------------------


class RayExecutor(Executor):
    """A Ray cluster as an executor of the standard library. Ray itself queues, spreads and repeats the tasks."""

    def __init__(self, address: str, processes: int) -> None:
        self._ray = ray = joined_cluster(address, processes)
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._references: list[Any] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        remote = self._ray.remote(fn).options(num_cpus=1, max_retries=MOST_BREAKDOWNS)
        reference = remote.remote(*args, **kwargs)
        self._references.append(reference)
        return awaited(self._ray, reference)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures and not wait:
            for reference in self._references:
                self._ray.cancel(reference, force=True)
        self._references.clear()
        self._ray.shutdown()


def joined_cluster(address: str, processes: int) -> Any:
    """Ray, connected to the cluster at an address, or to one of this process's own; CrewError if it cannot be."""
    if importlib.util.find_spec("ray") is None:
        raise CrewError("--cluster needs Ray, which is not installed: pip install 'dieselfront[ray]'.")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # its default warns
    if ":" in address:
        _knock(address)
    ray: Any = importlib.import_module("ray")  # untyped where it is not installed, half typed where it is
    try:
        quiet = {"log_to_driver": False, "logging_level": "error"}
        if address == LOCAL:
            ray.init(LOCAL, num_cpus=processes, include_dashboard=False, **quiet)
        else:
            ray.init(address, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise CrewError(f"The Ray cluster '{address}' cannot be used: {str(error).splitlines()[0]}") from None
    return ray


def awaited(ray: Any, reference: Any) -> Future[Any]:
    """A future of the standard library for a result that is being worked out on a cluster."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    reference.future().add_done_callback(partial(_hand_over, ray.exceptions, future))
    return future


def _hand_over(exceptions: Any, future: Future[Any], done: Future[Any]) -> None:
    """The result, or the error as the task raised it; a worker that died too often is a broken executor."""
    error = done.exception()
    broken = exceptions.WorkerCrashedError | exceptions.NodeDiedError | exceptions.RayActorError
    if error is None:
        future.set_result(done.result())
    elif isinstance(error, exceptions.RayTaskError):
        future.set_exception(cast(BaseException, error.cause))
    elif isinstance(error, broken):
        future.set_exception(BrokenExecutor(str(error)))
    else:
        future.set_exception(error)


def _knock(address: str) -> None:
    """Complain at once about a cluster that does not answer; Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=KNOCK_SECONDS).close()
    except (OSError, ValueError) as error:
        raise CrewError(f"The Ray cluster '{address}' cannot be used: {error}.") from None


# -- results on disk ------------------------------------------------------------------------------------------


class Journal:
    """A file of results, one JSON line each, written as they come; what a killed run had done is known again."""

    HEAD = b'{"file":"dieselfront results","version":1}\n'

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, Any] = {}
        kept = self._read(path.read_bytes()) if path.exists() else 0
        self._file = path.open("r+b" if path.exists() else "wb")
        self._file.truncate(kept)  # a line that was torn when the run was killed goes
        self._file.seek(kept)
        if not kept:
            self._write(self.HEAD)

    def _read(self, data: bytes) -> int:
        """Take over all whole lines; returns where they end."""
        if data and not self.HEAD.startswith(data[: len(self.HEAD)]):
            raise CrewError(f"{self.path} holds no results of an earlier run; --resume wants a new file or such a one.")
        end = data.rfind(b"\n") + 1
        for line in data[len(self.HEAD) : end].splitlines():
            key, result = msgspec.json.decode(line)
            self.known[key] = result
        return end

    def add(self, key: str, result: Any) -> None:
        self._write(msgspec.json.encode((key, result)) + b"\n")

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _key(work: Callable[..., Any], task: Any, version: str) -> str:
    """What a result is known by in the file: the function, what is played, and the task itself."""
    name = f"{work.__module__}.{work.__qualname__}/{version}/"
    return hashlib.sha256(name.encode() + msgspec.json.encode(task)).hexdigest()[:24]


__all__ = [
    "LOCAL",
    "Crew",
    "CrewError",
    "Efficiency",
    "awaited",
    "crew_of",
    "joined_cluster",
    "process_context",
    "seldom_collecting",
]
