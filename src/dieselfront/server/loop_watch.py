"""How long the event loop was held up: the processor time that passed in this process between two beats.

Processor time, not the clock: a busy machine does not count, a long computation on the loop or in a thread that starves
it does.
"""

from __future__ import annotations

import asyncio
import time

BEAT_SECONDS = 0.02
STEPS = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class LoopWatch:
    """Beats every few milliseconds, and remembers the longest pause."""

    def __init__(self) -> None:
        self.longest = 0.0
        self.total = 0.0
        self.beats = 0
        self.longer_than = dict.fromkeys(STEPS, 0)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to beat on the running loop."""
        self._task = asyncio.get_running_loop().create_task(self._beat())

    def stop(self) -> None:
        """Beat no more."""
        if self._task is not None:
            self._task.cancel()

    async def _beat(self) -> None:
        before = time.process_time()
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            now = time.process_time()
            self.note(now - before)
            before = now

    def note(self, seconds: float) -> None:
        """One pause."""
        self.beats += 1
        self.total += seconds
        self.longest = max(self.longest, seconds)
        for step in STEPS:
            if seconds <= step:
                break
            self.longer_than[step] += 1

    def buckets(self) -> list[tuple[str, float]]:
        """Pauses up to each length, as Prometheus counts them."""
        counted = [(str(step), float(self.beats - self.longer_than[step])) for step in STEPS]
        return [*counted, ("+Inf", float(self.beats))]


__all__ = ["LoopWatch"]
