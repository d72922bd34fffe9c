"""Wheels: one for this Python and platform that holds the compiled kernels, and a pure one for everywhere else."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("pyproject.toml", "README.md", "LICENSE")
COMPILER = shutil.which(os.environ.get("CC", "cc"))
HEADERS = Path(sysconfig.get_path("include")) / "Python.h"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("hatchling") is None, reason="hatchling is not installed"),
]


def built(folder: Path, pure: bool) -> Path:
    """The wheel of the sources as they are, built in a folder of its own."""
    source = folder / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    shutil.copytree(ROOT / "scripts", source / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    for name in NEEDED:
        shutil.copy(ROOT / name, source)
    environment = os.environ | {"DIESELFRONT_PURE": "1" if pure else ""}
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(words, cwd=source, env=environment, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def kernels(wheel: Path) -> set[str]:
    """The folders that have a compiled kernel in them."""
    return {name.split("/")[2] for name in ZipFile(wheel).namelist() if name.endswith((".so", ".pyd"))}


@pytest.mark.skipif(COMPILER is None or not HEADERS.is_file(), reason="there is no C compiler with Python's headers")
def test_a_wheel_built_with_a_compiler_holds_both_kernels_and_is_for_this_platform(tmp_path):
    wheel = built(tmp_path, pure=False)
    assert kernels(wheel) == {"measured", "square"}
    assert sysconfig.get_platform().replace("-", "_").replace(".", "_") in wheel.name


def test_a_wheel_built_without_one_is_for_every_platform(tmp_path):
    wheel = built(tmp_path, pure=True)
    assert not kernels(wheel)
    assert wheel.name.endswith("-py3-none-any.whl")
