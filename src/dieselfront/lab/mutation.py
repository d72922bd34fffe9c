"""The mutation run: switch every skill, weapon rule and terrain effect off in turn and see a test go red.

A rule whose effect can be left out without any test marked with its id failing is not really tested. The tests are
collected once; every mutant runs in a process of its own, so that nothing leaks into the next.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dieselfront import rulesets
from dieselfront.lab.crew import Crew, crew_of, process_context

KILLED, SURVIVED, UNTESTED = "killed", "survived", "untested"


class Mutant(NamedTuple):
    """An effect that can be switched off: the rule it stands for, what it is, and how to switch it off."""

    rule: str
    what: str
    switch_off: Callable[[], None]


class Verdict(NamedTuple):
    """What became of a mutant."""

    rule: str
    what: str
    outcome: str
    tests: int


def mutants(ruleset: Any) -> list[Mutant]:
    """Everything a ruleset can switch off; it offers the list itself."""
    return [Mutant(rule, what, switch) for rule, what, switch in ruleset.switches()]


class Task(NamedTuple):
    """A mutant to be judged, as it goes to a worker: the ruleset, its place in the list, and the tests of its rule."""

    ruleset: str
    place: int
    rule: str
    what: str
    tests: str
    nodes: list[str]


def run(ruleset: Any, tests: Path, only: str = "", workers: int | Crew = 1) -> Iterator[Verdict]:
    """Judge every mutant, in the order of the ruleset's list."""
    marked = collect(tests)
    tasks = [
        Task(ruleset.id, place, mutant.rule, mutant.what, str(tests), marked.get(mutant.rule, []))
        for place, mutant in enumerate(mutants(ruleset))
        if only in mutant.rule
    ]
    with crew_of(workers) as crew:
        yield from crew.run(judge, tasks, Verdict, f"{ruleset.id} {ruleset.version}")


def judge(task: Task) -> Verdict:
    """What becomes of one mutant."""
    if not task.nodes:
        return Verdict(task.rule, task.what, UNTESTED, 0)
    child = process_context().Process(target=_in_child, args=(task,))
    child.start()
    child.join()
    red = child.exitcode == pytest.ExitCode.TESTS_FAILED
    return Verdict(task.rule, task.what, KILLED if red else SURVIVED, len(task.nodes))


def _in_child(task: Task) -> None:
    """Run the tests with the effect switched off and leave with pytest's exit code."""
    code = 2
    try:
        tests = Path(task.tests)
        mutants(rulesets.load(task.ruleset))[task.place].switch_off()
        with _quiet():
            arguments = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={tests.parent}"]
            code = int(pytest.main([*arguments, *[str(tests.parent / node) for node in task.nodes]]))
    finally:
        os._exit(code)


class _Collector:
    """Remembers which tests are marked with which rules."""

    def __init__(self) -> None:
        self.marked: dict[str, list[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            for mark in item.iter_markers("rule"):
                for rule in mark.args:
                    self.marked.setdefault(rule, []).append(item.nodeid)


def collect(tests: Path) -> dict[str, list[str]]:
    """The tests of every rule, by one collection."""
    collector = _Collector()
    with _quiet():
        pytest.main(
            ["--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(tests)], plugins=[collector]
        )
    return collector.marked


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield
    sys.stdout.flush()
