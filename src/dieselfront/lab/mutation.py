"""The mutation run: switch every skill, weapon rule and terrain effect off in turn and see a test go red.

A rule whose effect can be left out without any test marked with its id failing is not really tested. The tests are
collected once; every mutant runs in a forked child, so that nothing leaks into the next.
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


def run(ruleset: Any, tests: Path, only: str = "") -> Iterator[Verdict]:
    """Judge every mutant in turn."""
    marked = collect(tests)
    for mutant in mutants(ruleset):
        if only and only not in mutant.rule:
            continue
        nodes = marked.get(mutant.rule, [])
        if not nodes:
            yield Verdict(mutant.rule, mutant.what, UNTESTED, 0)
            continue
        red = in_child(mutant, tests, nodes)
        yield Verdict(mutant.rule, mutant.what, KILLED if red else SURVIVED, len(nodes))


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
    found = _Collector()
    with _quiet():
        pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(tests)], plugins=[found])
    return found.marked


def in_child(mutant: Mutant, tests: Path, nodes: list[str]) -> bool:
    """Run the tests with the effect switched off, in a forked child; True if any of them failed."""
    pid = os.fork()
    if pid == 0:
        code = 2
        try:
            mutant.switch_off()
            with _quiet():
                arguments = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={tests.parent}"]
                code = int(pytest.main([*arguments, *[str(tests.parent / node) for node in nodes]]))
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) == pytest.ExitCode.TESTS_FAILED


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield
    sys.stdout.flush()
