"""Start-up: commands that do not play load no game, no table and no numbers; squares are played without NumPy."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

HEAVY = (
    "numpy",
    "pydantic",
    "numba",
    "shapely",
    "fastapi",
    "uvicorn",
    "sqlite3",
    "dieselfront.table",
    "dieselfront.players",
)
GAMES = ("dust1947", "freeform1947", "battlefield", "warfare", "konflikt47")
ENGINES = tuple(f"dieselfront.rulesets.{game}.ruleset" for game in GAMES)
LIST_MODULES = """
import sys
from dieselfront.cli import main
sys.argv = ["dieselfront", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print("\\n".join(sys.modules), file=sys.stderr)
"""


def modules_of(*words: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    run = subprocess.run(
        [sys.executable, "-c", LIST_MODULES, *words], capture_output=True, text=True, check=True, env=environment
    )
    return set(run.stderr.splitlines())


@pytest.mark.parametrize(
    "words",
    [
        ("rulesets",),
        ("rules", "show", "d47.turn.pass"),
        ("rules", "search", "smoke"),
        ("cards", "list"),
        ("army", "list"),
        ("simulate", "--help"),
        ("referee", "--help"),
        ("odds", "--help"),
        ("schema", "armies"),
    ],
    ids=" ".join,
)
def test_a_command_that_does_not_play_loads_no_game(words):
    loaded = modules_of(*words)
    assert "dieselfront.cli" in loaded
    heavy = {name for name in loaded if name.startswith(HEAVY) or name in ENGINES}
    assert not heavy, f"{' '.join(words)} loads {', '.join(sorted(heavy)[:5])}"


def test_the_referee_of_a_measured_table_draws_nothing_and_loads_no_numpy():
    loaded = modules_of("referee", "examples/konflikt47-cover.yaml")
    assert "dieselfront.rulesets.konflikt47.field" in loaded
    assert not {"numpy", "shapely"} & loaded


def test_squares_are_played_without_numpy():
    loaded = modules_of("simulate", "-r", "dust1947", "-n", "1")
    assert "dieselfront.rulesets.dust1947.ruleset" in loaded
    assert "numpy" not in loaded
