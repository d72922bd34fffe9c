"""A takeover trial: several server processes on one PostgreSQL, one of them killed every few seconds, many games.

    python -m dieselfront.server.takeover --games 200 --kills 20

Players connect to any process, as a proxy would have them, and connect again when they are cut off. Every acknowledged
choice must be there, none out of order; in the end the choices of all games are compared with those that were made, and
some games are replayed die by die. With --restart the database itself is stopped in the middle and started again. All
on the loopback interface; stops by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from dieselfront.server.durability import Course, Trial, check_all, compare
from dieselfront.server.trial_postgres import Cluster, cluster
from dieselfront.server.trial_tools import (
    Heard,
    Player,
    Process,
    Script,
    call,
    game_server,
    script,
    share,
    stop_cleanly,
)

MOST_KILLS, MOST_GAMES = 500, 500
CUT_OFF = (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError)
AGAIN_SECONDS = 0.3
REPLAYED = 10
"""So many games are replayed die by die in the end."""
AWAY_SECONDS = 3.0
"""How long the database is away."""


class Swarm:
    """Server processes on one database; players come to any that is up."""

    def __init__(self, count: int, database: str, seed: int) -> None:
        self.chance = random.Random(seed)
        self.servers = [game_server(database) for _ in range(count)]
        self.up: list[Process] = []

    def start(self) -> None:
        for server in self.servers:
            server.start()
        self.up = list(self.servers)

    def stop(self) -> None:
        for server in self.servers:
            server.stop()

    @property
    def url(self) -> str:
        """One of those that are up."""
        return self.chance.choice(self.up).url

    async def kill_one(self) -> None:
        """Kill one, and start it again: on another port, as another process."""
        server = self.chance.choice(self.up)
        self.up.remove(server)
        server.kill()
        await asyncio.to_thread(server.start)
        self.up.append(server)


class TakeoverTrial(Trial):
    """What came of it: besides what a durability trial counts, updates out of order, and how long players waited."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.out_of_order = 0
        self.cut_off = 0
        self.refused = 0
        self.waits: list[float] = []

    def facts(self, kills: int, seconds: float) -> dict[str, Any]:
        return {
            **super().facts(kills, seconds),
            "ok": not self.faults and not self.out_of_order,
            "out_of_order": self.out_of_order,
            "cut_off": self.cut_off,
            "refused_meanwhile": self.refused,
            "p50_ms": round(share(self.waits, 0.5) * 1000, 1),
            "p99_ms": round(share(self.waits, 0.99) * 1000, 1),
            "longest_wait_ms": round(max(self.waits, default=0.0) * 1000, 1),
        }


class Guest:
    """One game: its choices are made one by one, through whichever process is there."""

    def __init__(self, swarm: Swarm, plan: Script, course: Course, trial: TakeoverTrial) -> None:
        self.swarm = swarm
        self.plan = plan
        self.course = course
        self.trial = trial
        self.player: Player | None = None

    async def play(self, every: float, end: float) -> None:
        next_at = time.monotonic() + self.trial.chance.random() * every
        while not self.course.is_over and next_at < end:
            await asyncio.sleep(max(0.0, next_at - time.monotonic()))
            next_at = max(next_at + every, time.monotonic())
            await self.choose(time.monotonic())
        await self.leave()

    async def choose(self, wished_at: float) -> None:
        """One choice, until it is acknowledged or found to be kept."""
        number = self.course.acknowledged
        while self.course.acknowledged == number:
            try:
                player = await self._joined()
                if self.course.acknowledged > number:  # it was kept, though nobody could say so
                    break
                await player.say_choice(number, self.plan.answers[number], number)
                self._heard(await asyncio.wait_for(player.acknowledged(number), 20), number)
            except CUT_OFF:
                self.trial.cut_off += 1
                await self._again()
            except _NotNow:
                self.trial.refused += 1
                await self._again()
        self.trial.waits.append(time.monotonic() - wished_at)

    async def _joined(self) -> Player:
        if self.player is None:
            player = Player(self.swarm.url, self.course.created, self.course.created["table"]["token"])
            compare(self.course, await asyncio.wait_for(player.join(), 20), self.trial)
            self.player = player
        return self.player

    def _heard(self, answer: Heard, number: int) -> None:
        if answer.type == "ack" and answer.version == number + 1:
            self.course.acknowledged += 1
            self.trial.choices += 1
        elif answer.status in (503, 409):
            raise _NotNow
        else:
            self.trial.faults.append(f"choice {number + 1} of {self.course.created['id']} was refused: {answer.reason}")
            raise _NotNow

    async def _again(self) -> None:
        await self.leave()
        await asyncio.sleep(AGAIN_SECONDS)

    async def leave(self) -> None:
        if self.player is not None:
            self.trial.out_of_order += self.player.gaps
            await self.player.leave()
            self.player = None


class _NotNow(Exception):
    """The choice cannot be made at the moment."""


async def disturb(swarm: Swarm, running: Cluster, kills: int, period: float, restart: bool) -> None:
    """Kill a process every few seconds; stop the database in the middle if that is wished."""
    for number in range(kills):
        await asyncio.sleep(period)
        if restart and number == kills // 2:
            await asyncio.to_thread(running.stop)
            await asyncio.sleep(AWAY_SECONDS)
            await asyncio.to_thread(running.start)
            await asyncio.sleep(period)
        await swarm.kill_one()
    await asyncio.sleep(period)


async def _all(swarm: Swarm, running: Cluster, trial: TakeoverTrial, chosen: dict[str, Any]) -> None:
    plan = await asyncio.to_thread(lambda: Script(swarm.url, script("takeover", level="random")))
    courses = [Course(await asyncio.to_thread(plan.begin), len(plan.answers)) for _ in range(chosen["games"])]
    trial.games = len(courses)
    end = time.monotonic() + 3600
    guests = [Guest(swarm, plan, course, trial) for course in courses]
    playing = [asyncio.create_task(guest.play(chosen["every"], end)) for guest in guests]
    await disturb(swarm, running, chosen["kills"], chosen["period"], chosen["restart"])
    for task in playing:
        task.cancel()
    for result in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(result, Exception):
            trial.faults.append(f"a game stopped: {type(result).__name__}: {result}")
    await asyncio.gather(*(guest.leave() for guest in guests))
    plan.url = swarm.url
    await asyncio.to_thread(check_choices, plan, courses, trial)
    await asyncio.to_thread(check_all, plan, courses[:REPLAYED], trial)


def check_choices(plan: Script, courses: list[Course], trial: TakeoverTrial) -> None:
    """Every game holds the choices of the script in their order, as many as were acknowledged."""
    for course in courses:
        status, kept = call(
            plan.url, "GET", f"/api/games/{course.created['id']}/record", token=course.created["table"]["token"]
        )
        if status != 200 or kept["choices"] != plan.answers[: len(kept["choices"])]:
            trial.faults.append(f"{course.created['id']} does not hold the choices that were made: {status}")
        else:
            compare(course, len(kept["choices"]), trial)


def run(
    games: int,
    kills: int,
    period: float = 4.0,
    every: float = 2.0,
    processes: int = 3,
    seed: int = 1,
    restart: bool = False,
) -> dict[str, Any]:
    """The whole trial with servers and a database of its own."""
    trial = TakeoverTrial(seed)
    started = time.monotonic()
    chosen = {"games": games, "kills": kills, "period": period, "every": every, "restart": restart}
    with cluster() as running:
        swarm = Swarm(processes, running.url, seed)
        try:
            swarm.start()
            asyncio.run(_all(swarm, running, trial, chosen))
        finally:
            swarm.stop()
    return trial.facts(kills, time.monotonic() - started)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Kill one of several server processes every few seconds.")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--period", type=float, default=5.0, help="seconds between two kills")
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two choices of a game")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--restart", action="store_true", help="stop the database in the middle and start it again")
    chosen = parser.parse_args()
    stop_cleanly()
    report = run(
        min(chosen.games, MOST_GAMES),
        min(chosen.kills, MOST_KILLS),
        max(0.5, chosen.period),
        max(0.05, chosen.every),
        max(2, min(chosen.processes, 8)),
        chosen.seed,
        chosen.restart,
    )
    print(json.dumps(report, indent=2))
    raise SystemExit(0 if report["ok"] else 1)


if __name__ == "__main__":
    main()
