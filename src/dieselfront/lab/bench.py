"""Our speed beside named peers: both measured in alternating slices of one run, so that the ratio means something.

Entries are plug-ins: every module in lab/benches/ has a function `entries()` that yields them. An entry whose peer is
not installed is left out, with the reason.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

Work = Callable[[], int]
"""Does a piece of work and returns how many units of it were done."""


Clock = Callable[[], float]
WALL: Clock = perf_counter
CPU: Clock = process_time
"""Time of this process alone: what other programs do on the machine matters little then."""


class Entry(NamedTuple):
    """One comparison. `prepare` sets both sides up, unmeasured, and returns their work; a number is a stated figure."""

    name: str
    unit: str
    peer: str  # who the peer is, in a few words
    prepare: Callable[[], tuple[Work | float, Work | float]]
    goal: float | None = None  # the ratio we promise
    clock: Clock = WALL
    also_pure: bool = False  # is it measured without compiled kernels, too?


class Measured(NamedTuple):
    """What came out: units a second of ours and of the peer, and how many times the peer we are."""

    ours: float
    peer: float
    ratio: float
    unit: str
    peer_name: str
    goal: float | None

    @property
    def met(self) -> bool | None:
        """Is the promised ratio reached? None if none was promised."""
        return None if self.goal is None else self.ratio >= self.goal

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        return self._asdict() | {"met": self.met}


class Missing(Exception):
    """What an entry needs is not here; the message says what."""


def measure(entry: Entry, seconds: float = 2.0, slices: int = 8) -> Measured:
    """Both sides in turn, slice by slice; the ratio is the median of the slices' ratios."""
    from dieselfront.lab.crew import seldom_collecting

    ours, peer = entry.prepare()
    length = seconds / slices / 2
    mine: list[float] = []
    theirs: list[float] = []
    with seldom_collecting():
        for _ in range(slices):
            mine.append(rate(ours, length, entry.clock))
            theirs.append(rate(peer, length, entry.clock))
    ratios = [one / other for one, other in zip(mine, theirs, strict=True)]
    return Measured(median(mine), median(theirs), median(ratios), entry.unit, entry.peer, entry.goal)


def rate(work: Work | float, length: float, clock: Clock = WALL) -> float:
    """Units a second, for at least so long; a stated figure is what it is."""
    if not callable(work):
        return work
    done = 0
    start = clock()
    while (spent := clock() - start) < length:
        done += work()
    return done / spent


def entries(names: Iterable[str] = ()) -> Iterator[Entry]:
    """The entries of all plug-ins, or those whose name begins with one of the words."""
    from dieselfront.lab import benches

    wanted = tuple(names)
    for module in sorted(info.name for info in pkgutil.iter_modules(benches.__path__)):
        plug_in = importlib.import_module(f"dieselfront.lab.benches.{module}")
        for entry in plug_in.entries():
            if not wanted or entry.name.startswith(wanted):
                yield entry
