"""Builds the compiled kernels of both kinds of tables where there is a C compiler; Dieselfront plays without them, too.

`python scripts/build_kernel.py` builds them in the source tree. Hatchling calls the hook below for editable installs
(`make` does one) and for wheels, which are then made for one Python and platform. `DIESELFRONT_PURE=1` leaves them out.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TABLES = ROOT / "src" / "dieselfront" / "table"
SOURCE = TABLES / "measured" / "_kernel.c"
SOURCES = (SOURCE, TABLES / "square" / "_kernel.c")
FLAGS = ("-O2", "-fPIC", "-std=gnu11", "-Wall", "-Wextra", "-Wno-missing-field-initializers")


def output(folder: Path = SOURCE.parent) -> Path:
    """The file that this Python would import."""
    return folder / f"_kernel{sysconfig.get_config_var('EXT_SUFFIX')}"


def command(target: Path, source: Path = SOURCE) -> list[str] | None:
    """How to compile one here; None where Python does not know how."""
    linker = shlex.split(sysconfig.get_config_var("LDSHARED") or "")
    if not linker:
        return None
    if "CC" in os.environ:
        linker[:1] = shlex.split(os.environ["CC"])
    return [*linker, *FLAGS, f"-I{sysconfig.get_path('include')}", str(source), "-o", str(target), "-lm"]


def build_all() -> list[Path]:
    """Compile all of them, each beside its source; those that could be built."""
    return [built for source in SOURCES if (built := build(source.parent, source)) is not None]


def build(folder: Path = SOURCE.parent, source: Path = SOURCE) -> Path | None:
    """Compile one into a folder; None where that is not possible, with the reason on the error channel."""
    if os.environ.get("DIESELFRONT_PURE", "") not in ("", "0"):
        return None
    target = output(folder)
    fresh = target.with_name(f"{target.name}.new")  # a running process keeps the old file
    words = command(fresh, source)
    try:
        if words is None:
            raise OSError("this Python does not say how extensions are linked")
        subprocess.run(words, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as problem:
        reason = getattr(problem, "stderr", None) or problem
        print(f"{source.parent.name}: no compiled kernel was built, Python answers instead: {reason}", file=sys.stderr)
        return None
    fresh.replace(target)
    return target


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand
    pass
else:

    class KernelHook(BuildHookInterface):  # type: ignore[type-arg]
        """Puts the kernels into wheels and beside editable sources."""

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            built = build_all()
            if built and version != "editable":
                build_data["artifacts"] += [str(one.relative_to(ROOT)) for one in built]
                build_data["pure_python"] = False
                build_data["infer_tag"] = True


if __name__ == "__main__":
    sys.exit(0 if len(build_all()) == len(SOURCES) else 1)
