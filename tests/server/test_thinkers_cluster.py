"""Computer players that think on a Ray cluster, here one on this machine."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from dieselfront.lab.crew import LOCAL, Crew
from dieselfront.scenarios import battle, library
from dieselfront.server.long_work import waste
from dieselfront.server.run import CannotServe, run
from dieselfront.server.settings import Settings
from dieselfront.server.thinkers import MOST_LOST, ActorExecutor, Position, Thinkers


@pytest.fixture(scope="module")
def ray_works() -> None:
    """Skips where Ray is not installed or no local cluster can be started."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("the extra dieselfront[ray] is not installed")
    try:
        with Crew(1, LOCAL) as crew:
            assert list(crew.run(abs, [-1], int)) == [1]
    except Exception as error:
        pytest.skip(f"no local Ray cluster can be started here: {error}")


@asynccontextmanager
async def thinking(cluster: str = "", seconds: float = 60.0) -> AsyncIterator[Thinkers]:
    thinkers = Thinkers(1, seconds, cluster)
    thinkers.open()
    try:
        yield thinkers
    finally:
        thinkers.close()


def a_position() -> Position:
    armies = battle.starters("dust1947")
    header = battle.header("dust1947", library.names("dust1947")[0], [armies[0], armies[1]], seed="x")
    return Position("somegame", msgspec.json.encode(header), "x", ())


@pytest.mark.slow
@pytest.mark.usefixtures("ray_works")
def test_a_computer_answers_from_a_cluster_as_it_does_from_a_process() -> None:
    async def answers(cluster: str) -> list[object]:
        position = a_position()
        async with thinking(cluster) as thinkers:
            first = await thinkers.choose(position, "recruit", "0")
            second = await thinkers.choose(position._replace(choices=(first.answer,)), "recruit", "0")
            assert thinkers.killed == 0
            return [first.answer, second.answer]

    assert asyncio.run(answers(LOCAL)) == asyncio.run(answers(""))


@pytest.mark.slow
@pytest.mark.usefixtures("ray_works")
def test_actors_that_die_or_think_too_long_are_replaced_and_in_the_end_by_a_process_here(tmp_path: Path) -> None:
    async def trial() -> None:
        async with thinking(LOCAL) as thinkers:
            once = tmp_path / "once"
            assert await thinkers.ask(_die_unless, str(once)) == 42
            assert thinkers.killed == 1 and isinstance(thinkers._pools[0], ActorExecutor)
            thinkers.seconds = 0.5
            with pytest.raises(TimeoutError):
                await thinkers.ask(waste, 60.0)
            thinkers.seconds = 60.0
            assert (await thinkers.ask(waste, 0.0)).startswith("0.0 s")
            assert isinstance(thinkers._pools[0], ActorExecutor)
            assert await thinkers.ask(_die_often, str(tmp_path / "often"), MOST_LOST) == 42
            assert not isinstance(thinkers._pools[0], ActorExecutor)

    asyncio.run(trial())


def _die_unless(mark: str) -> int:
    return _die_often(mark, 1)


def _die_often(mark: str, times: int) -> int:
    """Ends its process so many times, counted in a file."""
    path = Path(mark)
    so_far = len(path.read_bytes()) if path.exists() else 0
    if so_far < times:
        path.write_bytes(b"x" * (so_far + 1))
        os._exit(1)
    return 42


def test_a_cluster_that_cannot_be_reached_keeps_the_server_from_starting(tmp_path: Path) -> None:
    if importlib.util.find_spec("ray") is None:
        pytest.skip("the extra dieselfront[ray] is not installed")
    settings = Settings(port=0, database=str(tmp_path / "games.sqlite3"), thinkers_cluster="127.0.0.1:1")
    with pytest.raises(CannotServe, match="cannot be used"):
        run(settings)
