"""Values of a command line: plain ones are handed on as they are, everything else is checked by Typer as before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from dieselfront.cli.plain_values import spare_pydantic

spare_pydantic()
app = typer.Typer()


@app.command()
def say(
    words: Annotated[list[str] | None, typer.Argument()] = None,
    name: str = "nobody",
    count: Annotated[int, typer.Option(min=1, max=9)] = 3,
    share: float = 0.5,
    file: Path | None = None,
    new: Annotated[Path | None, typer.Option(exists=False)] = None,
) -> None:
    typer.echo(repr((words, name, count, share, file, new)))


def said(*words: str) -> str:
    return CliRunner().invoke(app, list(words)).output.strip()


def test_defaults_arrive_as_they_are():
    assert said() == "(None, 'nobody', 3, 0.5, None, None)"


def test_texts_lists_and_paths_arrive_as_typed():
    here = str(Path(__file__))
    told = said("one", "two", "--name", "7", "--file", here)
    assert told == repr((["one", "two"], "7", 3, 0.5, Path(here), None))


def test_numbers_and_new_files_are_converted_by_typer():
    assert said("--count", "4", "--share", "2", "--new", "not-there.yaml") == (
        "(None, 'nobody', 4, 2.0, None, PosixPath('not-there.yaml'))"
    )


@pytest.mark.parametrize("value", ["0", "10", "four"])
def test_numbers_out_of_bounds_are_refused_as_before(value):
    assert "Invalid value for '--count'" in said("--count", value)


def test_a_command_without_numbers_loads_no_pydantic():
    code = "import sys; from dieselfront.cli import run; run(sys.argv[1:])"
    ended = "import atexit, sys; atexit.register(lambda: print('pydantic' in sys.modules))\n"
    told = subprocess.run([sys.executable, "-c", ended + code, "rulesets"], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "False"
