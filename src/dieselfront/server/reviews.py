"""Reviews of finished games: begun when somebody asks, worked out in pieces, and stored with the game.

Each piece is one turn in the queue for long work, so that a review holds nobody up; whoever asks meanwhile gets what
is there so far. Reviews of records that were brought along are kept in memory only.
"""

from __future__ import annotations

import asyncio
import logging
import time
import zlib
from collections import OrderedDict
from typing import NamedTuple

import msgspec

from dieselfront.server import review_jobs
from dieselfront.server.jobs import Source
from dieselfront.server.long_work import LongWork
from dieselfront.server.refusals import Refused, asker
from dieselfront.server.settings import Limits
from dieselfront.server.shapes import Review
from dieselfront.server.storage import REVIEW, Storage, StorageError

log = logging.getLogger("dieselfront.server")
REVIEWS_KEPT = 64
PIECE_SECONDS = 60.0
"""How long a piece may take: long battles on measured tables take a while to be played again."""


class Wanted(NamedTuple):
    """Which game is to be reviewed, and how it ended if it was not played out."""

    source: Source
    chance: float | None
    game: str | None
    """Under which id the review is stored; none for records that were brought along."""


class Reviews:
    """The reviews under way, and the last ones asked for."""

    def __init__(self, limits: Limits, storage: Storage, long_work: LongWork) -> None:
        self.limits = limits
        self.storage = storage
        self.long_work = long_work
        self._one_at_a_time = asyncio.Semaphore(1)
        self._known: OrderedDict[str, Review] = OrderedDict()
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._askers: dict[str, str] = {}
        self._problems: dict[str, Refused] = {}

    async def close(self) -> None:
        """Give up what is under way."""
        tasks = [*self._under_way.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def stored(self, game: str) -> Review | None:
        """The review stored with a game."""
        data = await self.storage.frames(game, REVIEW)
        return None if data is None else msgspec.json.decode(zlib.decompress(data), type=Review)

    async def review(self, wanted: Wanted) -> Review:
        """The review of a game as far as it has come; begins it if nobody has."""
        key = wanted.source.key
        known = self._known.get(key)
        if known is None and wanted.game is not None:
            known = await self.stored(wanted.game)
        if known is not None and (known.ready or key in self._under_way):
            return known
        if key not in self._under_way:
            self._begin(wanted)
        first = await self._first(key)
        if first is None and wanted.game is not None:
            first = await self.stored(wanted.game)  # done, stored and forgotten meanwhile
        if first is None:
            raise Refused(503, "The review was given up; ask again.")
        return first

    async def _first(self, key: str) -> Review | None:
        """Wait for the outline, as long as for any other work; none if the work has ended and left nothing here."""
        until = time.monotonic() + self.limits.work_seconds
        while key in self._under_way and key not in self._known:
            if time.monotonic() > until:
                raise Refused(503, "The review is being worked out; ask again in a moment.")
            await asyncio.wait([self._under_way[key]], timeout=0.05)
        known = self._known.get(key)
        if known is None and key in self._problems:
            raise self._problems.pop(key)
        return known

    def _begin(self, wanted: Wanted) -> None:
        address, key = asker.get(), wanted.source.key
        if sum(one == address for one in self._askers.values()) >= self.limits.reviews_per_address:
            raise Refused(429, "Other games of yours are being reviewed; wait until they are done.")
        if len(self._under_way) >= self.limits.reviews:
            raise Refused(503, "The server is reviewing other games; try again in a moment.")
        self._askers[key] = address
        task = self._under_way[key] = asyncio.create_task(self._work(wanted))
        task.add_done_callback(lambda _: self._done(key))

    def _done(self, key: str) -> None:
        self._under_way.pop(key, None)
        self._askers.pop(key, None)

    async def _work(self, wanted: Wanted) -> None:
        key = wanted.source.key
        try:
            await self._work_out(wanted)
        except Refused as refusal:
            self._problems[key] = refusal
        except StorageError as error:
            log.error("the review of game %s could not be stored: %s", wanted.game, error)

    async def _work_out(self, wanted: Wanted) -> None:
        source, chance = wanted.source, wanted.chance
        key = source.key
        async with self._one_at_a_time:  # so that the other processes are free for whoever plays
            review = await self.long_work.run(review_jobs.outline, source, chance, home=key, seconds=PIECE_SECONDS)
        self._keep(key, review)
        while not review.ready:
            asked = (source, chance, review.done, self.limits.review_seconds)
            async with self._one_at_a_time:
                judged = await self.long_work.run(review_jobs.judge, *asked, home=key, seconds=PIECE_SECONDS)
            done = review.done + len(judged)
            ready = done >= review.of or not judged
            activations = [*review.activations, *judged]
            review = msgspec.structs.replace(review, activations=activations, done=done, ready=ready)
            self._keep(key, review)
        if wanted.game is not None:
            await self.storage.put_block(wanted.game, REVIEW, zlib.compress(msgspec.json.encode(review), 6))

    def _keep(self, key: str, review: Review) -> None:
        self._known[key] = review
        self._known.move_to_end(key)
        while len(self._known) > REVIEWS_KEPT:
            self._known.popitem(last=False)


__all__ = ["Reviews", "Wanted"]
