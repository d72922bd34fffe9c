"""A durability trial: the server is killed at random moments while scripted games go on; nothing acknowledged is lost.

    python -m dieselfront.server.durability --kills 50
    python -m dieselfront.server.durability --kills 50 --postgres

After every kill the server starts again on the same database. Every acknowledged choice must be there, every game must
go on where it was, and in the end every record must verify, die by die. All on the loopback interface; stops by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from dieselfront import rulesets
from dieselfront.kernel.record import BrokenRecord, verify
from dieselfront.server.trial_postgres import cluster
from dieselfront.server.trial_tools import Player, Process, Script, call, fetch, game_server, script, stop_cleanly

MOST_KILLS = 500
GAMES = 6
LIVES = (0.15, 1.2)
"""Seconds a server lives between its first game and its end."""


class Course:
    """One scripted game: how far it was asked to go, and how far it was told it had gone."""

    def __init__(self, created: dict[str, Any], length: int) -> None:
        self.created = created
        self.length = length
        self.acknowledged = 0

    @property
    def is_over(self) -> bool:
        return self.acknowledged == self.length


class Trial:
    """A series of kills, and what they broke: nothing, if all is well."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.faults: list[str] = []
        self.choices = 0
        self.in_doubt = 0
        self.games = 0

    def facts(self, kills: int, seconds: float) -> dict[str, Any]:
        """The result in numbers."""
        return {
            "ok": not self.faults,
            "kills": kills,
            "games": self.games,
            "choices": self.choices,
            "kept_though_unacknowledged": self.in_doubt,
            "faults": self.faults[:20],
            "seconds": round(seconds, 1),
        }


async def play_until_killed(server: Process, plan: Script, courses: list[Course], trial: Trial) -> None:
    """All games go on as fast as they can; after a while the server is killed."""
    playing = [asyncio.create_task(_play(plan, course, trial)) for course in courses if not course.is_over]
    await asyncio.sleep(trial.chance.uniform(*LIVES))
    server.kill()
    done, late = await asyncio.wait(playing, timeout=20)
    for task in late:
        task.cancel()
    for task in done:
        error = task.exception()
        if error is not None:
            trial.faults.append(f"a game stopped: {type(error).__name__}: {error}")


async def _play(plan: Script, course: Course, trial: Trial) -> None:
    player = Player(plan.url, course.created, course.created["table"]["token"])
    try:
        stands_at = await player.join()
        compare(course, stands_at, trial)
        while not course.is_over:
            number = course.acknowledged
            await player.say_choice(number, plan.answers[number], number)
            answer = await player.acknowledged(number)
            if answer.type != "ack" or answer.version != number + 1:
                trial.faults.append(f"choice {number + 1} of {course.created['id']} was refused: {answer.reason}")
                return
            course.acknowledged += 1
            trial.choices += 1
    except (ConnectionClosed, InvalidHandshake, OSError, EOFError):
        return


def compare(course: Course, stands_at: int, trial: Trial) -> None:
    """A choice that was on its way at the kill may have been kept; one that was acknowledged must have been."""
    if stands_at not in (course.acknowledged, course.acknowledged + 1):
        fault = f"{course.created['id']}: {course.acknowledged} choices were acknowledged, {stands_at} are there"
        trial.faults.append(fault)
    if stands_at == course.acknowledged + 1:
        trial.in_doubt += 1
    course.acknowledged = stands_at


def check_all(plan: Script, courses: list[Course], trial: Trial) -> None:
    """Every game stands where it should, and its record verifies."""
    for course in courses:
        path, token = f"/api/games/{course.created['id']}", course.created["table"]["token"]
        status, seen = call(plan.url, "GET", path, token=token)
        if status != 200:
            trial.faults.append(f"{course.created['id']} cannot be opened: {seen}")
            continue
        compare(course, seen["choices"], trial)
        if not course.is_over:
            call(plan.url, "POST", f"{path}/concede", token=token)
        _, kept = fetch(plan.url, "GET", f"{path}/record", token=token)
        try:
            verified = verify(rulesets.load, kept)
        except BrokenRecord as error:
            trial.faults.append(f"the record of {course.created['id']} does not verify: {error}")
            continue
        if verified["choices"] != course.acknowledged:
            trial.faults.append(f"the record of {course.created['id']} has {verified['choices']} choices")


def run(
    kills: int, seed: int = 1, games: int = GAMES, folder: Path | None = None, database: str = ""
) -> dict[str, Any]:
    """The whole trial on a database of its own."""
    started = time.monotonic()
    kept = script(f"durability {seed}", level="random")
    trial = Trial(seed)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        server = game_server(database or Path(place) / "games.sqlite3")
        try:
            asyncio.run(_all(server, kept, kills, games, trial))
        finally:
            server.stop()
    return trial.facts(kills, time.monotonic() - started)


async def _all(server: Process, kept: Any, kills: int, games: int, trial: Trial) -> None:
    server.start()
    plan = Script(server.url, kept)
    everything: list[Course] = []
    for _ in range(kills):
        going = [course for course in everything if not course.is_over]
        for _ in range(games - len(going)):
            course = Course(plan.begin(), len(plan.answers))
            everything.append(course)
            going.append(course)
        await play_until_killed(server, plan, going, trial)
        server.start()
        plan.url = server.url
    trial.games = len(everything)
    await asyncio.to_thread(check_all, plan, everything, trial)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Kill the server at random moments; nothing acknowledged is lost.")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="", help="a PostgreSQL database; by default an SQLite file")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server of the trial's own")
    chosen = parser.parse_args()
    stop_cleanly()
    with ExitStack() as stack:
        database = stack.enter_context(cluster()).url if chosen.postgres else chosen.database
        report = run(min(chosen.kills, MOST_KILLS), chosen.seed, database=database)
    print(json.dumps(report, indent=2))
    raise SystemExit(0 if report["ok"] else 1)


if __name__ == "__main__":
    main()
