"""Slots that are shared fairly, between those who cause notifications and those whose games are rebuilt."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dieselfront.server.fair_slots import Crowded, FairSlots
from dieselfront.server.games import Games
from dieselfront.server.refusals import asker
from dieselfront.server.settings import Limits, Settings
from dieselfront.server.storage import Storage
from dieselfront.server.thinkers import Thinkers
from dieselfront.server.trial_tools import script
from dieselfront.server.webhooks import AT_ONCE, OF_ONE_HOST, OF_ONE_OWNER, WAITING_OF_ONE_OWNER, Webhooks
from server.kit import serving, some_answer


class SlowWebhooks(Webhooks):
    """Receivers that answer when they are told to."""

    def __init__(self) -> None:
        super().__init__(Settings(private_webhooks=True))
        self.under_way: list[str] = []
        self.answer = asyncio.Event()

    async def _post(self, url: str, *_: Any) -> int:
        self.under_way.append(url)
        await self.answer.wait()
        return 200


async def begun(*work: Coroutine[Any, Any, Any]) -> list[asyncio.Task[Any]]:
    """Tasks that have come as far as they come by themselves."""
    tasks = [asyncio.ensure_future(one) for one in work]
    for _ in range(5):
        await asyncio.sleep(0)
    return tasks


def test_a_stranger_with_slow_receivers_leaves_slots_for_others() -> None:
    async def play() -> None:
        webhooks = SlowWebhooks()
        asker.set("stranger")
        slow = await begun(*(webhooks.send(f"http://slow{number}.example/", {"game": "x"}) for number in range(60)))
        assert len(webhooks.under_way) == OF_ONE_OWNER and webhooks.slots.waiting == 60 - OF_ONE_OWNER
        asker.set("friend")
        friend = await begun(webhooks.send("http://friend.example/", {"game": "y"}))
        assert webhooks.under_way[-1] == "http://friend.example/"
        webhooks.answer.set()
        await asyncio.gather(*slow, *friend)
        assert (webhooks.sent, webhooks.slots.taken, webhooks.slots.waiting) == (61, 0, 0)

    asyncio.run(play())


def test_one_slow_host_leaves_slots_for_others_whoever_causes_it() -> None:
    async def play() -> None:
        webhooks = SlowWebhooks()
        slow: list[asyncio.Task[Any]] = []
        for number in range(20):
            asker.set(f"stranger {number}")
            slow += await begun(webhooks.send(f"http://slow.example/{number}", {"game": "x"}))
        assert len(webhooks.under_way) == OF_ONE_HOST < AT_ONCE
        webhooks.answer.set()
        await asyncio.gather(*slow)

    asyncio.run(play())


def test_what_waits_is_bounded_and_dropped_with_a_count() -> None:
    async def play() -> None:
        webhooks = SlowWebhooks()
        room = OF_ONE_OWNER + WAITING_OF_ONE_OWNER
        await begun(*(webhooks.send(f"http://slow{number}.example/", {"game": "x"}) for number in range(room + 5)))
        assert webhooks.failed == 5 and webhooks.slots.waiting == WAITING_OF_ONE_OWNER

    asyncio.run(play())


def test_a_free_slot_goes_to_whoever_has_fewest() -> None:
    async def play() -> None:
        slots, order, done = FairSlots(2, per_owner=2), [], asyncio.Event()

        async def take(owner: str) -> None:
            async with slots.slot(owner, ""):
                order.append(owner)
                await done.wait()

        tasks = await begun(take("a"), take("a"), take("a"), take("b"))
        assert order == ["a", "a"]
        tasks[0].cancel()
        await begun()
        assert order == ["a", "a", "b"]
        tasks[2].cancel()  # one who waits and leaves
        await begun()
        assert slots.waiting == 0 and slots.taken == 2
        done.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert slots.taken == 0

    asyncio.run(play())


def test_too_many_who_wait_are_refused() -> None:
    async def play() -> None:
        slots = FairSlots(1, per_owner=1, most_waiting=0)
        async with slots.slot("a", ""):
            with pytest.raises(Crowded):
                async with slots.slot("b", ""):
                    pass

    asyncio.run(play())


PEOPLE = [{"kind": "human"}, {"kind": "human"}]


def test_a_record_whose_choices_take_too_long_begins_no_game(tmp_path: Path) -> None:
    kept = script("long")
    with serving(tmp_path, limits=Limits(rebuild_seconds=0.0)) as server:
        path = f"/api/records/{server.post('/api/records', msgspec.to_builtins(kept)).json()['id']}/branch"
        refused = server.post(path, {"at": len(kept.choices) - 1, "seats": PEOPLE})
        assert refused.status_code == 422 and "too long to be made again" in refused.json()["reason"]
        assert server.post(path, {"at": 0, "seats": PEOPLE}).status_code == 201


def test_a_game_takes_no_more_choices_than_it_can_be_rebuilt_from(tmp_path: Path) -> None:
    with serving(tmp_path, limits=Limits(rebuild_seconds=0.0)) as server:
        table = server.begin(seats=PEOPLE)
        chance = random.Random(1)
        assert table.choose(some_answer(table.look()["decision"], chance)).status_code == 200
        refused = table.choose(some_answer(table.look()["decision"], chance))
        assert refused.status_code == 422 and "all the time" in refused.json()["reason"]
        assert table.do("concede", {"seat": 0}).status_code == 200


def test_games_of_others_begin_and_are_rebuilt_while_one_address_has_long_ones(tmp_path: Path) -> None:
    async def play() -> None:
        settings = Settings(database=str(tmp_path / "games.sqlite3"), thinkers=0)
        games = Games(settings, Storage(settings.database_url), Thinkers(0, 1.0, ""))
        go_on = threading.Event()
        asker.set("stranger")
        long_ones = await begun(*(games._rebuild(go_on.wait, 60) for _ in range(8)))
        try:
            asker.set("friend")
            assert await asyncio.wait_for(games._rebuild(lambda: "rebuilt"), 20) == "rebuilt"
            assert await asyncio.wait_for(games.pools.beginning.run(lambda: "begun"), 20) == "begun"
            assert (games._rebuilding.taken, games._rebuilding.waiting) == (1, 7)
        finally:
            go_on.set()
        await asyncio.gather(*long_ones)
        games.pools.close()

    asyncio.run(play())
