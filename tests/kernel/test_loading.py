"""Games are loaded when somebody asks for them, from any number of threads."""

from __future__ import annotations

import subprocess
import sys

LOAD_ALL_AT_ONCE = """
from concurrent.futures import ThreadPoolExecutor
from dieselfront import rulesets
from dieselfront.forces import families

with ThreadPoolExecutor(16) as pool:
    games = [pool.submit(rulesets.load, name) for name in rulesets.names()]
    cards = [pool.submit(families.family, name) for name in reversed(families.names())]
    for job in (*games, *cards):
        job.result()
"""


def test_threads_that_load_related_games_at_once_never_see_one_half_made() -> None:
    for _ in range(3):
        run = subprocess.run([sys.executable, "-c", LOAD_ALL_AT_ONCE], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
