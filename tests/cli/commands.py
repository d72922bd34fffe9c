"""The command line as a user runs it, in this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from dieselfront import cli

Run = Callable[..., tuple[int, str, str]]


def runner(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command here: exit code, stdout, stderr."""

    def run(*words: str, stdin: str | None = None) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dieselfront", *map(str, words)])
        if stdin is not None:
            import io

            monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as stop:
            cli.main()
        shown = capsys.readouterr()
        return int(stop.value.code or 0), shown.out, shown.err

    return run


def in_a_process(*words: str, hash_seed: str = "0") -> subprocess.CompletedProcess[str]:
    """Runs a command in a process of its own."""
    command = [sys.executable, "-c", "from dieselfront.cli import main; main()", *words]
    env = os.environ | {"PYTHONHASHSEED": hash_seed}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=env)
