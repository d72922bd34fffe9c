"""All games of a server, who is at them, and every change from the question to the disk.

A change holds its game's lock until it is durable: it is legal, it is kept, then it is shown. Other games go on.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, insert, update

from dieselfront.dice.rollers import TooManyDice
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.server import jobs, new_games, tables, tokens
from dieselfront.server.fair_slots import FairSlots
from dieselfront.server.game_owners import GameOwners, SoleOwner
from dieselfront.server.live import BACK, CHOICE, CONCEDE, DRAW, LiveGame, RulesMoved, Seat, Seats, TooLong, Unplayable
from dieselfront.server.long_work import LongWork
from dieselfront.server.messages import ChatLine, Offers
from dieselfront.server.moved_games import MovedGame, restored
from dieselfront.server.people import People, Person, mark_places, people_at, take_place
from dieselfront.server.push import Push
from dieselfront.server.ratings import rate, rated_sides
from dieselfront.server.refusals import Refused, asker
from dieselfront.server.reviews import Reviews
from dieselfront.server.settings import Settings
from dieselfront.server.storage import (
    LATEST,
    ChatRow,
    Entry,
    GameRow,
    Storage,
    StorageError,
    StoredRow,
    replace_position,
)
from dieselfront.server.stored_states import pack
from dieselfront.server.subscriptions import TICK, Subscriptions
from dieselfront.server.thinkers import Position, Thinkers, Thought
from dieselfront.server.threads import RESTORERS, Pools
from dieselfront.server.webhooks import Webhooks

log = logging.getLogger("dieselfront.server")
GONE_ELSEWHERE = b"gone"
"""The game has gone to another process; whoever connects again is brought there."""
STOP_SECONDS = 5.0
"""How long positions may be stored when the server stops."""
LAST_RESORT = "random"
STORE_SECONDS = 60.0
"""How old the stored position of a running game may become."""
ARCHIVE_SECONDS = 600.0
ARCHIVE_NICENESS = 10
"""Nobody waits for the frames of a game that has just ended: choices and everybody's long work go first."""
MOST_ARCHIVING = 200
"""Finished games that wait for their frames; those of any more are made when somebody looks at the game again."""
LONGEST_REASON = 500
QUICK_REBUILD = 0.5
"""Processor time of all choices of a game that can be made again beside anybody else's."""
T = TypeVar("T")


class StaleChoice(Refused):
    """The choice answers a decision that is no longer pending."""

    def __init__(self, live: LiveGame, seats: Seats, named: int) -> None:
        super().__init__(409, f"The game is at version {live.version}, the choice answers version {named}.")
        self.live = live
        self.seats = seats


class Presence:
    """Who is connected to a game."""

    __slots__ = ("seats", "spectators")

    def __init__(self) -> None:
        self.seats = [0, 0]
        self.spectators = 0

    @property
    def sockets(self) -> int:
        return sum(self.seats) + self.spectators

    def change(self, seats: Seats, by: int) -> None:
        """Somebody came or went."""
        for seat in seats:
            self.seats[seat] += by
        if not seats:
            self.spectators += by

    @property
    def connected(self) -> tuple[bool, bool]:
        return self.seats[0] > 0, self.seats[1] > 0


class Pace:
    """Building views and options is expensive. It may take a share of the server's time; what would take more waits.

    With few games nobody ever waits. When choices pour in, several of them reach a socket as one update, and
    acknowledgements keep their speed.
    """

    __slots__ = ("at", "debt")

    SHARE = 0.15
    CREDIT = 0.02

    def __init__(self) -> None:
        self.debt = 0.0
        self.at = time.monotonic()

    def spent(self, seconds: float) -> None:
        """So much time was taken just now."""
        now = time.monotonic()
        self.debt = max(-self.CREDIT, self.debt - (now - self.at) * self.SHARE) + seconds
        self.at = now

    @property
    def has_time(self) -> bool:
        """May somebody go on at once?"""
        return self._left <= 0

    @property
    def _left(self) -> float:
        return self.debt - (time.monotonic() - self.at) * self.SHARE

    async def wait(self) -> None:
        """Go on when there is time."""
        left = self._left
        if left > 0:
            await asyncio.sleep(left / self.SHARE)


class LockedGame:
    """A game with its lock as long as the block runs."""

    __slots__ = ("games", "id", "live")

    def __init__(self, games: Games, id: str) -> None:
        self.games = games
        self.id = id

    async def __aenter__(self) -> LiveGame:
        while True:
            live = await self.games.game(self.id)
            await live.lock.acquire()
            if self.games.is_kept(live):
                self.live = live
                return live
            live.lock.release()

    async def __aexit__(self, *error: object) -> None:
        self.live.lock.release()


class Games:
    """All games of a server."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        thinkers: Thinkers,
        owners: GameOwners | None = None,
    ) -> None:
        self.settings = settings
        self.storage = storage
        self.owners = owners or SoleOwner()
        self.thinkers = thinkers
        self.subscriptions = Subscriptions()
        self.pools = Pools()
        self.webhooks = Webhooks(settings)
        self.push = Push(storage, settings, self.webhooks)
        self.people = People(storage, settings.refused_names)
        self.pace = Pace()
        self.long_work = _long_work(settings, settings.limits.work_processes)
        self.archive_work = _long_work(settings, 1, ARCHIVE_NICENESS)
        self.reviews = Reviews(settings.limits, storage, self.long_work)
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        self._presence: dict[str, Presence] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._errands: set[asyncio.Task[None]] = set()
        self._archiving: set[asyncio.Task[None]] = set()
        self._archiver = asyncio.Lock()
        self._rebuilding = FairSlots(RESTORERS, per_owner=1)
        self._in_flight = 0
        self.stopping = False

    async def close(self) -> None:
        """Stop thinking and notifying."""
        if self._archiving:
            await asyncio.wait(self._archiving, timeout=STOP_SECONDS)
        tasks = [*self._tasks.values(), *self._errands, *self._archiving]
        for task in tasks:
            task.cancel()
        await self.store_all(STOP_SECONDS)
        await self.reviews.close()
        self._end_work()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.pools.close()

    # -- stopping -------------------------------------------------------------------------------

    @contextmanager
    def answering(self) -> Iterator[None]:
        """A change on its way, from the question to its acknowledgement; refused while the server stops."""
        if self.stopping:
            raise Refused(503, "The server is stopping; nothing was changed. Come back in a moment.")
        self._in_flight += 1
        try:
            yield
        finally:
            self._in_flight -= 1

    async def finish(self, seconds: float) -> None:
        """Take no more changes, wait until those under way are acknowledged, and give up work that takes long."""
        self.stopping = True
        deadline = time.monotonic() + seconds
        while self._in_flight and time.monotonic() < deadline:
            await asyncio.sleep(0.01)
        if self._archiving:
            await asyncio.wait(self._archiving, timeout=STOP_SECONDS)
        self._end_work()

    def _end_work(self) -> None:
        self.long_work.close()
        self.archive_work.close()

    # -- finding games --------------------------------------------------------------------------

    async def game(self, id: str) -> LiveGame:
        """A game by its id, from memory or rebuilt from its journal."""
        live = self._games.get(id)
        if live is not None and self.owners.fence(id) == live.fence:
            self._games.move_to_end(id)
            return live
        if live is not None:
            self.forget(live)
        if not tokens.is_id(id):
            raise Refused(404, "There is no such game.")
        loading = self._loading.get(id)
        if loading is None:
            loading = self._loading[id] = asyncio.create_task(self._load(id))
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(loading)

    def stands_at(self, id: str, version: int) -> bool:
        """Is a game in memory, and at this version? Then there is nothing to tell those who were sent it."""
        live = self._games.get(id)
        return live is not None and live.version == version

    def at(self, id: str) -> LockedGame:
        """A game with its lock, for a change: the one that is kept, not one that left the memory meanwhile."""
        return LockedGame(self, id)

    def is_kept(self, live: LiveGame) -> bool:
        """Is this the game that is in memory under its id?"""
        return self._games.get(live.id) is live

    async def _load(self, id: str) -> LiveGame:
        try:
            fence = await self._claim(id)
            rows = await self.storage.whole_game(id)
        except StorageError as error:
            raise Refused(503, str(error)) from None
        if rows is None:
            raise Refused(404, "There is no such game.")
        try:
            live = await self._rebuild(restored, *rows)
        except Unplayable as error:
            raise Refused(410, str(error)) from None
        except Exception as error:  # whatever a damaged row leads to
            log.error("game %s cannot be read: %s", id, type(error).__name__)
            raise Refused(410, "This game cannot be read any more: what was kept of it is damaged.") from None
        live.fence = fence
        self.keep(live)
        self.wake(live)
        self._mark_places(live)
        if LATEST not in rows[3]:
            live.stored_version = -1
        if live.over and not isinstance(live, MovedGame) and await self.storage.frames(id, len(live.makers)) is None:
            self._errand(self._archive(live), self._archiving)
        return live

    async def _rebuild(self, work: Callable[..., T], *details: Any) -> T:
        """Make the choices of a game again, in one of a few threads; one address has only one of them."""
        async with self._rebuilding.slot(asker.get(), ""):
            return await self.pools.restoring.run(work, *details)

    async def _claim(self, id: str) -> int:
        """Make a game this process's own, from before its journal is read; returns under which number."""
        owner = await self.owners.owner(id)
        if owner is None:
            raise Refused(404, "There is no such game.")
        fence = self.owners.fence(id)
        if fence is None:
            raise Refused(503, "This game has just gone to another server; try again in a moment.")
        return fence

    def keep(self, live: LiveGame) -> None:
        """Hold a game in memory; those nobody looked at for longest go."""
        self._games[live.id] = live
        self._games.move_to_end(live.id)
        spare = len(self._games) - self.settings.limits.games_in_memory
        if spare > 0:
            for id in [id for id, other in self._games.items() if self._is_idle(other)][:spare]:
                self._errand(self._put_away(self._games.pop(id)))

    async def _put_away(self, live: LiveGame) -> None:
        """Store a game that leaves the memory, and let any process have it."""
        await self._store(live)
        if live.id not in self._games and live.id not in self._loading:
            await self.owners.release(live.id)

    def lose_all(self) -> None:
        """Other processes have taken the games over: forget them, and send their visitors there."""
        self._games.clear()
        for id in self._presence:
            self.subscriptions.publish(GONE_ELSEWHERE, id)

    def _is_idle(self, live: LiveGame) -> bool:
        return not live.lock.locked() and not live.thinking and self.sockets(live.id) == 0

    def forget(self, live: LiveGame) -> None:
        """Let go of a game that may be ahead of its journal; it is rebuilt when it is asked for."""
        if self.is_kept(live):
            del self._games[live.id]

    def let_go(self, id: str) -> bool:
        """Let a game leave the memory; False if somebody is at it."""
        live = self._games.get(id)
        if live is None:
            return id not in self._loading
        if not self._is_idle(live):
            return False
        self.forget(live)
        return True

    def identify(self, live: LiveGame, given: str | list[str] | None) -> Seats:
        """The seats that some tokens open; a spectator's token opens none but lets one watch."""
        parts = given.split(",") if isinstance(given, str) else given or []
        seats: list[int] = []
        watching = False
        for token in parts[:3]:
            digest = tokens.hashed(token.strip()[: tokens.LONGEST])
            watching = watching or hmac.compare_digest(digest, live.row.spectator)
            for number, seat in enumerate(live.seats):
                if seat.token is not None and hmac.compare_digest(digest, seat.token) and number not in seats:
                    seats.append(number)
        if not seats and not watching:
            raise Refused(403, "This game is not open without the link of a seat or of a spectator.")
        return tuple(sorted(seats))

    async def admit(self, live: LiveGame, given: str | list[str] | None) -> Seats:
        """The same for tokens and for the keys of people who hold a seat."""
        try:
            return self.identify(live, given)
        except Refused:
            parts = given.split(",") if isinstance(given, str) else given or []
            held = people_at(live) if self.settings.people else {}
            for key in parts[:3] if held else ():
                person = await self.people.known(key)
                if person is not None and person.id in held:
                    return tuple(held[person.id])
            raise

    async def claim_seat(self, id: str, token: str | None, person: Person) -> int:
        """A seat whose token somebody has is his from now on, on all his devices."""
        async with self.at(id) as live:
            seats = self.identify(live, token)
            free = [seat for seat in seats if live.seats[seat].person is None]
            if not free:
                raise Refused(409 if seats else 403, "This link opens no seat that could be yours.")
            seat = free[0]
            held = [*live.seats]
            held[seat] = msgspec.structs.replace(held[seat], person=person.id)
            written, turn, over = msgspec.json.encode(held).decode(), seat in live.decider, live.over

            def work(connection: Connection) -> None:
                take_place(connection, id, seat, person.id, turn, over)
                games = tables.games
                connection.execute(update(games).where(games.c.id == id).values(seats=written))

            await self.storage.write(work, live.fence)
            live.seats = held
            live.row = live.row._replace(seats=written)
            return seat

    def _mark_places(self, live: LiveGame) -> None:
        """Keep whose turn it is where people look at all their games, if that has changed."""
        state = (live.decider, live.over)
        if live.marked == state or not people_at(live):
            return
        live.marked = state
        self._errand(self._write_places(live, *state))

    async def _write_places(self, live: LiveGame, deciders: Seats, over: bool) -> None:
        sides = rated_sides(live) if over and self.settings.ratings and live.outcome is not None else None
        winner = live.outcome.winner if live.outcome is not None else None

        def work(connection: Connection) -> None:
            mark_places(connection, live.id, deciders, over)
            if sides is not None:
                rate(connection, live.id, live.row.ruleset, sides, winner)

        try:
            await self.storage.write(work, live.fence)
        except StorageError as error:
            live.marked = None
            log.error("whose turn it is in game %s could not be kept: %s", live.id, error)

    # -- who is there ---------------------------------------------------------------------------

    def sockets(self, id: str) -> int:
        """How many sockets are on a game."""
        presence = self._presence.get(id)
        return presence.sockets if presence is not None else 0

    @property
    def in_memory(self) -> int:
        """How many games are kept ready."""
        return len(self._games)

    @property
    def visited(self) -> int:
        """How many games have somebody connected."""
        return len(self._presence)

    @property
    def archiving(self) -> int:
        """How many finished games wait until their frames are kept."""
        return len(self._archiving)

    @property
    def thinking(self) -> int:
        """In how many games a computer thinks now."""
        return len(self._tasks)

    def connected(self, id: str) -> tuple[bool, bool]:
        """Which seats are connected."""
        presence = self._presence.get(id)
        return presence.connected if presence is not None else (False, False)

    def come(self, live: LiveGame, seats: Seats) -> None:
        """Somebody opened a socket."""
        self._presence.setdefault(live.id, Presence()).change(seats, 1)
        self._tell_presence(live.id)
        self.wake(live)

    def go(self, id: str, seats: Seats) -> None:
        """A socket is gone."""
        presence = self._presence.get(id)
        if presence is None:
            return
        presence.change(seats, -1)
        self._tell_presence(id)
        if presence.sockets == 0:
            del self._presence[id]

    def _tell_presence(self, id: str) -> None:
        presence = self._presence[id]
        self.tell(id, {"type": "presence", "connected": presence.connected, "spectators": presence.spectators})

    # -- telling --------------------------------------------------------------------------------

    def tell(self, id: str, message: dict[str, Any]) -> None:
        """A message for everybody at a game."""
        self.subscriptions.publish(msgspec.json.encode(message), id)

    def tick(self, live: LiveGame) -> None:
        """The position changed: every socket fetches what its visitor may see."""
        self.subscriptions.publish(TICK, live.id)

    async def snapshot(self, live: LiveGame, seats: Seats) -> bytes:
        """The whole game as JSON, never ahead of the disk."""
        async with live.lock:
            return self.snapshot_now(live, seats)

    def snapshot_now(self, live: LiveGame, seats: Seats) -> bytes:
        """The same, for those who hold the lock."""
        shown = live.snapshot(seats, self.connected(live.id), self.settings.limits.chat_shown)
        if self.settings.people and people_at(live):
            for view, seat in zip(shown["seats"], live.seats, strict=True):
                if seat.person is not None:
                    view["person"] = seat.person
            if self.settings.ratings and rated_sides(live) is not None:
                shown["rated"] = True
        return msgspec.json.encode(shown)

    def update_now(self, live: LiveGame, seats: Seats, since: int) -> tuple[int, bytes] | None:
        """What changed since a version, and the version now; none if nothing did. For those who hold the lock."""
        if live.version == since:
            return None
        changes = live.update(seats, since)
        return live.version, changes if changes is not None else self.snapshot_now(live, seats)

    # -- changes --------------------------------------------------------------------------------

    async def choose(self, id: str, seats: Seats, named: int, answer: Any) -> int:
        """Answer the pending decision; returns the new version once the choice is durable."""
        async with self.at(id) as live:
            self._must_go_on(live)
            self.must_not_wait(live)
            if named != live.version:
                raise StaleChoice(live, seats, named)
            if len(live.makers) >= self.settings.limits.choices:
                raise Refused(422, f"A game has at most {self.settings.limits.choices} choices.")
            if live.spent > self.settings.limits.rebuild_seconds:
                raise Refused(422, "The choices of this game have taken all the time that a game may have here.")
            seat = live.may_answer(seats)
            if seat is None:
                raise Refused(403, "This decision is not yours.")
            return await self._choose(live, seat, answer)

    async def _choose(self, live: LiveGame, seat: int, answer: Any, why: str | None = None) -> int:
        try:
            if live.is_quick:
                live.choose(seat, answer)
            else:  # sight and movement on a measured table, or with many units, may take a while
                await self.pools.choosing.run(live.choose, seat, answer)
        except IllegalChoice as error:
            raise Refused(422, _sentence(error.reason), error.rule) from None
        except TooManyDice as error:
            self.forget(live)
            raise Refused(422, _sentence(str(error))) from None
        except Exception:
            self.forget(live)
            log.exception("the rules failed in game %s at version %d", live.id, live.version)
            raise Refused(500, "The rules failed at this choice; it was not made.") from None
        live.explain(seat, why)
        await self._keep_entry(live, CHOICE, seat, live.game.choices[-1], why)
        if live.offers != Offers():
            await self._set_offers(live, Offers())
        self._after(live)
        return live.version

    async def _keep_entry(self, live: LiveGame, kind: str, seat: int, body: Any, why: str | None = None) -> None:
        """Write the last change down; a change that cannot be kept is forgotten."""
        text = msgspec.json.encode(body).decode()
        entry = Entry(live.id, live.version, kind, seat, text, live.check_value, time.time(), why)
        try:
            await self.storage.append(entry, fence=live.fence)
        except BaseException as error:
            self.forget(live)
            if isinstance(error, StorageError):
                raise Refused(503, str(error)) from None
            raise

    def _after(self, live: LiveGame) -> None:
        """What follows every change: tell it, let the computer think, notify who is away."""
        self.tick(live)
        self.wake(live)
        self._notify(live)
        self._mark_places(live)
        if live.over and not isinstance(live, MovedGame):
            self._errand(self._archive(live), self._archiving)

    # -- stored positions -----------------------------------------------------------------------

    async def _store(self, live: LiveGame) -> None:
        """Keep the last position from which a game can go on, in case its rules move."""
        if isinstance(live, MovedGame) or live.version == live.stored_version or not live.makers:
            return
        async with live.lock:
            version = live.version
            choices, state, picture = live.position_to_store()
        rules, id = live.rules.version, live.id
        try:
            data, log_data = await self.pools.storing.run(lambda: (pack(state), picture.packed()))
            row = StoredRow(id, LATEST, choices, rules, data, log_data, time.time())
            await self.storage.put_position(row, live.fence)
        except (StorageError, TypeError, ValueError, AttributeError) as error:
            log.error("the position of game %s could not be stored: %s", id, type(error).__name__)
            return
        live.stored_version = max(live.stored_version, version)
        live.stored_at = time.monotonic()

    async def store_on(self) -> None:
        """Keep the positions of games that go on, every now and then."""
        while True:
            await asyncio.sleep(STORE_SECONDS / 4)
            for live in [*self._games.values()]:
                if time.monotonic() - live.stored_at >= STORE_SECONDS:
                    await self._store(live)

    async def store_all(self, seconds: float) -> None:
        """Keep all of them, as far as there is time."""
        deadline = time.monotonic() + seconds
        for live in [*self._games.values()]:
            if time.monotonic() < deadline:
                await self._store(live)

    async def _archive(self, live: LiveGame) -> None:
        """Keep the frames of a finished game, so that it can be replayed whatever becomes of its rules."""
        asker.set("")  # the server's own work, not that of whoever ended the game
        live.stored_version = -1
        await self._store(live)
        if self.archiving > MOST_ARCHIVING:
            return
        async with self._archiver:
            await self._store_frames(live)

    async def _store_frames(self, live: LiveGame) -> None:
        try:
            async with live.lock:
                source = self.source(live)
            blocks = await self.archive_work.run(jobs.archive, source, seconds=ARCHIVE_SECONDS)
            await self.storage.put_frames(live.id, blocks, live.fence)
        except (Refused, StorageError) as error:
            level = logging.INFO if self.stopping else logging.ERROR
            log.log(level, "the frames of game %s could not be stored: %s", live.id, error)

    def source(self, live: LiveGame) -> jobs.Source:
        """The record of a game as far as it has come, for other processes. For those who hold the lock."""
        base = live.base
        key, seed = f"{live.id}/{live.version}", live.row.seed
        if base is None:
            return jobs.Source(key, live.record_file(), seed)
        return jobs.Source(key, live.record_file(), seed, base.state, base.choices, len(base.lines))

    async def undo(self, id: str, seats: Seats, named: int | None) -> int:
        """Take one's own last choice back, up to the dice."""
        async with self.at(id) as live:
            self._must_be_player(live, seats)
            self.must_not_wait(live)
            self._must_be_at(live, seats, named)
            keep = live.undo_point(seats)
            if keep is None:
                raise Refused(
                    422, "No choice of yours can be taken back: dice have fallen or others have chosen since."
                )
            await self._take_back(live, live.makers[keep], keep)
            return live.version

    async def _take_back(self, live: LiveGame, seat: int, keep: int) -> None:
        if live.spent < QUICK_REBUILD:
            await self.pools.choosing.run(live.take_back, keep)
        else:
            await self._rebuild(live.take_back, keep)
        await self._keep_entry(live, BACK, seat, keep)
        if live.offers != Offers():
            await self._set_offers(live, Offers())
        self._after(live)

    async def takeback(self, id: str, seats: Seats, action: str) -> int:
        """Ask the other side to let one take a choice back, dice or not; or answer such a wish."""
        async with self.at(id) as live:
            self._must_be_player(live, seats)
            self.must_not_wait(live)
            asking = await self._offer(live, seats, "takeback", action)
            if asking is not None:
                keep = live.takeback_point((asking,))
                if keep is None:
                    raise Refused(422, "There is no choice to take back.")
                await self._take_back(live, asking, keep)
            return live.version

    async def draw(self, id: str, seats: Seats, action: str) -> int:
        """Offer a draw, or answer the offer."""
        async with self.at(id) as live:
            self._must_be_player(live, seats)
            offered_by = await self._offer(live, seats, "draw", action)
            if offered_by is not None:
                await self._end(live, DRAW, offered_by)
            return live.version

    async def move(self, id: str, seats: Seats, action: str) -> int:
        """Consent to go on under rules that have moved, or answer the other side's consent."""
        async with self.at(id) as live:
            self._must_be_player(live, seats)
            if not isinstance(live, MovedGame):
                raise Refused(409, "The rules of this game have not moved.")
            if live.going_on is None:
                raise Refused(409, "This game cannot go on under the rules as they are now; it can be given up.")
            agreed = await self._offer(live, seats, "move", action)
            if agreed is None:
                return live.version
            version = await self._move_on(live, agreed)
        await self.game(id)
        self.subscriptions.publish(TICK, id)
        return version

    async def _move_on(self, live: MovedGame, seat: int) -> int:
        """Keep the position and the line in the journal; the game is rebuilt from them."""
        row, entries = await self._rebuild(live.move_on, seat)

        def work(connection: Connection) -> None:
            replace_position(connection, row)
            connection.execute(insert(tables.journal), [entry._asdict() for entry in entries])

        try:
            await self.storage.write(work, live.fence)
            await self._set_offers(live, Offers())
        except StorageError as error:
            raise Refused(503, str(error)) from None
        finally:
            self.forget(live)
        return entries[-1].version

    async def concede(self, id: str, seats: Seats, seat: int | None = None) -> int:
        """Give the game up."""
        async with self.at(id) as live:
            self._must_be_player(live, seats)
            if seat is not None and seat not in seats:
                raise Refused(403, "Nobody can give up for the other side.")
            await self._end(live, CONCEDE, seats[0] if seat is None else seat)
            return live.version

    async def rematch(self, id: str, seats: Seats) -> str:
        """The same battle with sides changed: the game that waits for both, begun by whoever asks first."""
        live = await self.game(id)
        async with live.lock:
            if not seats:
                raise Refused(403, "Spectators watch; only players may do this.")
            if not live.over:
                raise Refused(409, "There is a rematch once the game is over.")
            if live.offers.rematch is None:
                self.must_not_wait(live)
                row = new_games.rematch(live.row, live.seats)
                await self.add(row, [])
                await self._take_places(row)
                await self._set_offers(live, msgspec.structs.replace(live.offers, rematch=row.id))
            assert live.offers.rematch is not None
            return live.offers.rematch

    async def _take_places(self, row: GameRow) -> None:
        """Whoever held a seat as a person holds it in the rematch as well."""
        held = [(number, seat.person) for number, seat in enumerate(msgspec.json.decode(row.seats, type=list[Seat]))]

        def work(connection: Connection) -> None:
            for number, person in held:
                if person is not None:
                    take_place(connection, row.id, number, person, False, False)

        if any(person for _, person in held):
            await self.storage.write(work)

    async def _end(self, live: LiveGame, kind: str, seat: int) -> None:
        live.end(kind, seat)
        await self._keep_entry(live, kind, seat, None)
        if isinstance(live, MovedGame):
            self.forget(live)  # it is rebuilt with its end
        if live.offers != Offers():
            await self._set_offers(live, Offers())
        self._after(live)

    async def _offer(self, live: LiveGame, seats: Seats, what: str, action: str) -> int | None:
        """Make, answer or withdraw an offer; returns who made it if it is now agreed."""
        standing: int | None = getattr(live.offers, what)
        theirs = standing is not None and standing not in seats
        if action == "offer" and not theirs:
            return await self._make_offer(live, seats, what)
        if standing is None:
            raise Refused(422, "There is no such offer.")
        if action in ("decline", "withdraw"):
            await self._set_offers(live, msgspec.structs.replace(live.offers, **{what: None}))
            return None
        if not theirs:
            raise Refused(422, "An offer is agreed to by the other side.")
        return standing

    async def _make_offer(self, live: LiveGame, seats: Seats, what: str) -> int | None:
        """Offer or ask; at one screen both sides agree at once, and a computer answers at once."""
        seat = seats[0]
        if what == "takeback":
            last = live.takeback_point(seats)
            if last is None:
                raise Refused(422, "There is no choice of yours to take back.")
            seat = live.makers[last]
        if len(seats) == 2:
            return seat
        if not live.seats[1 - seat].is_human:
            return self._computer_agrees(what, seat)
        await self._set_offers(live, msgspec.structs.replace(live.offers, **{what: seat}))
        return None

    def _computer_agrees(self, what: str, seat: int) -> int | None:
        """Computers grant every take-back and fight every battle to its end."""
        if what == "draw":
            raise Refused(422, "The computer declines the draw.")
        return seat

    async def _set_offers(self, live: LiveGame, offers: Offers) -> None:
        try:
            await self.storage.set_offers(live.id, msgspec.json.encode(offers).decode(), live.fence)
        except StorageError as error:
            raise Refused(503, str(error)) from None
        live.offers = offers
        self.tell(live.id, {"type": "offer", "offers": offers})

    async def say(self, id: str, seats: Seats, text: str) -> int:
        """A line of chat, cleaned and kept."""
        clean = "".join(letter for letter in text if letter.isprintable()).strip()
        if not clean:
            raise Refused(422, "A line of chat needs some letters.")
        if len(clean) > self.settings.limits.chat_letters:
            raise Refused(413, f"A line of chat has at most {self.settings.limits.chat_letters} letters.")
        async with self.at(id) as live:
            seat = live.you(seats)
            name = live.seats[seat].name if seat is not None else "Spectator"
            line = ChatLine(live.last_said + 1, seat, name, clean, time.time())
            try:
                row = ChatRow(live.id, line.n, seat, name, clean, line.at)
                await self.storage.say(row, self.settings.limits.chat_lines, live.fence)
            except StorageError as error:
                self.forget(live)
                raise Refused(503, str(error)) from None
            live.last_said = line.n
            live.chat.append(line)
            del live.chat[: -self.settings.limits.chat_lines]
            self.tell(live.id, {"type": "chat", "line": line})
            return line.n

    async def add(self, row: GameRow, entries: list[Entry]) -> None:
        """Keep a new game. Where several processes share the database, it is for the first that is asked for it."""
        try:
            if entries:
                most = self.settings.limits.rebuild_seconds
                live = await self._rebuild(LiveGame.restored, row, entries, (), None, most)
            else:
                live = await self.pools.beginning.run(LiveGame.restored, row, entries, ())
        except TooLong:
            raise Refused(422, "The choices of this game take too long to be made again.") from None
        except (Unplayable, RulesMoved) as error:
            raise Refused(422, str(error)) from None
        try:
            await self.storage.add_game(row, entries)
        except StorageError as error:
            raise Refused(503, str(error)) from None
        if not self.owners.shared:
            self.keep(live)
            self.wake(live)

    def _must_go_on(self, live: LiveGame) -> None:
        if live.over:
            raise Refused(409, "The game is over.")

    def must_not_wait(self, live: LiveGame) -> None:
        """A game whose rules have moved waits for the players' consent."""
        if isinstance(live, MovedGame):
            raise Refused(409, f"{live.reason} It goes on when both sides consent (POST .../move).")

    def _must_be_player(self, live: LiveGame, seats: Seats) -> None:
        if not seats:
            raise Refused(403, "Spectators watch; only players may do this.")
        self._must_go_on(live)

    def _must_be_at(self, live: LiveGame, seats: Seats, named: int | None) -> None:
        if named is not None and named != live.version:
            raise StaleChoice(live, seats, named)

    # -- computers ------------------------------------------------------------------------------

    def wake(self, live: LiveGame) -> None:
        """Let the computer think if it is to decide, and somebody cares."""
        if live.thinking or live.over or self.stopping or live.computer_to_move is None:
            return
        if not any(seat.is_human for seat in live.seats) and self.sockets(live.id) == 0:
            return
        live.thinking = True
        task = asyncio.create_task(self._think(live))
        self._tasks[live.id] = task
        task.add_done_callback(lambda done: self._thought(live.id, done))

    def _thought(self, id: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(id) is task:
            del self._tasks[id]

    async def _think(self, live: LiveGame) -> None:
        """Answer for the computer until somebody else is to decide."""
        self.tell(live.id, {"type": "thinking", "thinking": True})
        try:
            while self.is_kept(live) and await self._think_once(live):
                pass
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("nobody could answer for the computer in game %s at version %d", live.id, live.version)
            return
        finally:
            live.thinking = False
            self.tell(live.id, {"type": "thinking", "thinking": False})
        if self.is_kept(live):
            self.wake(live)

    async def _think_once(self, live: LiveGame) -> bool:
        level = live.computer_to_move
        if level is None or live.over or self.stopping:
            return False
        version, seat = live.version, live.decider[0]
        position = self.position(live)
        thought = await self._thought_out(position, level, seat)
        async with live.lock:
            kept = self.is_kept(live)
            if kept and live.version == version and not live.over and live.decider == (seat,):
                await self._choose(live, seat, thought.answer, thought.reason[:LONGEST_REASON] or None)
        return True

    async def _thought_out(self, position: Position, level: str, seat: int) -> Thought:
        """What the computer answers; one that fails is helped out by the player that takes any legal answer."""
        try:
            return await self.thinkers.choose(position, level, str(seat))
        except Exception:
            log.exception("the computer (%s) failed in game %s", level, position.id)
            return await self.thinkers.choose(position, LAST_RESORT, str(seat))

    def position(self, live: LiveGame) -> Position:
        """Where a game stands, for another process."""
        choices = tuple(live.game.choices)
        if live.base is None:
            return Position(live.id, live.row.header, live.row.seed, choices)
        return Position(f"{live.id}/{live.base.version}", live.row.header, live.row.seed, choices, live.base.state)

    # -- notifications --------------------------------------------------------------------------

    def _notify(self, live: LiveGame) -> None:
        """Tell a player who is away that it is his turn, once for every time it comes to him."""
        if live.row.pace != "correspondence":
            return
        seat = live.decider[0] if live.decider and not live.over else -1
        if live.notified is not None and live.notified[0] == seat:
            return
        live.notified = (seat, live.version)
        if seat >= 0 and (not live.seats[seat].is_human or self.connected(live.id)[seat]):
            return
        for url, message in self.webhooks.messages(live, seat):
            self._errand(self.webhooks.send(url, message))
        for person in {who.person for number, who in enumerate(live.seats) if who.person and seat in (-1, number)}:
            self._errand(self.push.notify(person, live, seat))

    def tell_host(self, person: str, game: str, text: str) -> None:
        """Tell somebody who waited in the lobby that his battle has begun."""
        self._errand(self.push.send(person, game, text))

    def _errand(self, work: Coroutine[Any, Any, None], among: set[asyncio.Task[None]] | None = None) -> None:
        errands = self._errands if among is None else among
        task = asyncio.create_task(work)
        errands.add(task)
        task.add_done_callback(errands.discard)


def _long_work(settings: Settings, processes: int, niceness: int = 0) -> LongWork:
    limits = settings.limits
    return LongWork(
        processes,
        seconds=limits.work_seconds,
        megabytes=limits.work_megabytes,
        per_address=limits.work_per_address,
        waiting=limits.work_waiting,
        niceness=niceness,
    )


def _sentence(text: str) -> str:
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else text + "."


__all__ = ["GONE_ELSEWHERE", "TICK", "Games", "Presence", "Refused", "StaleChoice"]
