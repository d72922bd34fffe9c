"""Crews: the same results in the same order, whoever works, whoever is killed, and wherever a run was stopped."""

from __future__ import annotations

import importlib.util
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dieselfront.cli.workers import spelled_out
from dieselfront.lab.crew import LOCAL, Crew, CrewError
from dieselfront.lab.exercise import run as exercise
from dieselfront.lab.league import League, play
from dieselfront.lab.simulate import Matches, Played, play_all, play_task

SMALL = Matches("dust1947", games=5, seed="crew")


def digests(crew: Crew) -> list[str]:
    return [played.digest for played in play_all(SMALL, crew)]


@pytest.fixture(scope="module")
def expected() -> list[str]:
    with Crew() as crew:
        return digests(crew)


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


def kill_after_the_first(crew: Crew, pids: Callable[[], list[int]]) -> Callable[[Any], None]:
    """Kills one worker when the first result comes, and no other."""
    seen: list[Any] = []

    def step(result: Any) -> None:
        seen.append(result)
        if len(seen) == 1:
            for _ in range(100):  # a worker between two tasks is not always listed
                if running := pids():
                    os.kill(running[0], signal.SIGKILL)
                    return
                time.sleep(0.05)
            raise AssertionError("there was no worker to kill")

    return step


def test_two_processes_give_the_results_of_one_in_the_same_order(expected):
    with Crew(2) as crew:
        assert digests(crew) == expected
        assert (crew.efficiency.on, crew.efficiency.workers, crew.efficiency.tasks) == ("processes", 2, 5)


def test_a_game_does_not_depend_on_the_games_played_before_it_in_the_process():
    matches = Matches("dust1947", 24, "ray", ("regular", "random"), swap=True)
    alone = play_task((matches, 9)).digest
    play_task((matches, 7))  # once filled a cache with numbers that game 9 then read
    assert play_task((matches, 9)).digest == alone


def test_a_killed_process_costs_no_game(expected):
    with Crew(2) as crew:
        crew.progress = kill_after_the_first(crew, lambda: list(crew._executor._processes))  # type: ignore[union-attr]
        assert digests(crew) == expected
        assert crew.efficiency.repeated > 0


def test_workers_that_always_die_end_the_run_with_a_sentence():
    with Crew(2) as crew, pytest.raises(CrewError, match="Workers died 3 times"):
        list(crew.run(os._exit, [1, 1], int))


def test_an_error_in_a_task_is_raised_as_it_is():
    with Crew(2) as crew, pytest.raises(ValueError, match="invalid literal"):
        list(crew.run(int, ["1", "x", "3"], int))


def test_progress_is_told_for_every_result():
    seen: list[int] = []
    with Crew(2, progress=seen.append) as crew:
        assert list(crew.run(abs, [-3, -1, -2], int)) == [3, 1, 2]
    assert sorted(seen) == [1, 2, 3]


# -- files to resume from ---------------------------------------------------------------------------------------


def test_a_stopped_run_goes_on_where_it_was_stopped(tmp_path: Path, expected):
    file = tmp_path / "results.jsonl"
    with Crew(resume=file) as crew:
        first: Iterator[Played] = play_all(SMALL, crew)
        assert [next(first).digest for _ in range(2)] == expected[:2]
    with file.open("ab") as torn:
        torn.write(b'["half a line')
    with Crew(resume=file) as crew:
        assert digests(crew) == expected
        assert (crew.efficiency.resumed, crew.efficiency.tasks) == (2, 5)
    with Crew(2, resume=file) as crew:
        assert digests(crew) == expected
        assert crew.efficiency.resumed == 5 and crew.efficiency.on == "this process"


def test_results_of_other_games_are_not_taken_over(tmp_path: Path):
    file = tmp_path / "results.jsonl"
    with Crew(resume=file) as crew:
        list(crew.run(play_task, [(SMALL, 0)], Played, "dust1947 1"))
    with Crew(resume=file) as crew:
        list(crew.run(play_task, [(SMALL, 0)], Played, "dust1947 2"))
        assert crew.efficiency.resumed == 0


def test_a_strange_file_is_refused(tmp_path: Path):
    file = tmp_path / "notes.txt"
    file.write_text("my notes\n")
    with pytest.raises(CrewError, match="holds no results"):
        Crew(resume=file)
    assert file.read_text() == "my notes\n"


# -- other runs -------------------------------------------------------------------------------------------------


def test_a_league_over_processes_is_the_same_league():
    wanted = League("dust1947", ("random", "random", "random"), games=2, seed="9")
    with Crew(2) as crew:
        assert play(wanted, crew) == play(wanted)
        assert crew.efficiency.tasks == 4


@pytest.mark.slow
def test_an_exercise_depends_on_games_together_and_not_on_workers():
    alone = list(exercise(1, 3, 2, together=2))[-1]
    with Crew(2) as crew:
        assert list(exercise(1, 3, 2, together=2, workers=crew))[-1] == alone


@pytest.mark.parametrize(
    "given, meant",
    [
        (["--cluster"], ["--cluster", "local"]),
        (["--cluster", "--json"], ["--cluster", "local", "--json"]),
        (["--cluster", "ray://host:10001"], ["--cluster", "ray://host:10001"]),
        (["-n", "2"], ["-n", "2"]),
    ],
)
def test_a_cluster_without_an_address_is_local(given, meant):
    assert spelled_out(given) == meant


# -- Ray --------------------------------------------------------------------------------------------------------


def ray_worker_pids() -> list[int]:
    """Workers of the Ray cluster that this process started: children of its raylet."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                status = (folder / "status").read_text()
                names[int(folder.name)] = (folder / "cmdline").read_text()
            except OSError:
                continue
            parents[int(folder.name)] = int(status.split("PPid:")[1].split()[0])
    ours = (pid for pid, parent in parents.items() if parents.get(parent) == os.getpid())
    return [pid for pid in ours if names[pid].startswith("ray::do_share")]


@pytest.mark.slow
@pytest.mark.usefixtures("ray_works")
def test_ray_gives_the_same_results_even_if_a_worker_is_killed(expected):
    with Crew(2, LOCAL) as crew:
        assert digests(crew) == expected
        assert (crew.efficiency.on, crew.efficiency.workers) == ("ray", 2)
        crew.progress = kill_after_the_first(crew, ray_worker_pids)
        assert digests(crew) == expected


@pytest.mark.slow
@pytest.mark.usefixtures("ray_works")
def test_an_error_in_a_ray_task_is_raised_as_it_is():
    with Crew(1, LOCAL) as crew, pytest.raises(ValueError, match="invalid literal"):
        list(crew.run(int, ["1", "x"], int))


@pytest.mark.slow
@pytest.mark.usefixtures("ray_works")
def test_a_cluster_that_does_not_exist_is_told_in_a_sentence():
    with Crew(1, "127.0.0.1:1") as crew, pytest.raises(CrewError, match="cannot be used"):
        list(crew.run(abs, [-1, -2], int))
