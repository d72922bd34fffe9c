"""A share of a core for a process: what trials use to compare one process with two on a machine with few cores.

Where players, database and servers share two cores, the machine is full before a second process helps. Give each server
process the same small share of a core, and what they carry can be compared. Linux control groups, as root.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

PERIOD_MICROSECONDS = 20_000
_ROOT = Path("/sys/fs/cgroup")
_numbers = itertools.count(1)


class NoShares(RuntimeError):
    """The system does not let us limit processes."""


@contextlib.contextmanager
def limited(pid: int, cores: float) -> Iterator[None]:
    """Let a process, and what it starts from now on, use so much of a core and no more."""
    quota = max(1000, round(cores * PERIOD_MICROSECONDS))
    old = (_ROOT / "cpu").is_dir()
    group = (_ROOT / "cpu" if old else _ROOT) / f"dieselfront-{os.getpid()}-{next(_numbers)}"
    try:
        if not old:
            (_ROOT / "cgroup.subtree_control").write_text("+cpu")
        group.mkdir()
        if old:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_MICROSECONDS))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (group / "cpu.max").write_text(f"{quota} {PERIOD_MICROSECONDS}")
        (group / "cgroup.procs").write_text(str(pid))
    except OSError as error:
        with contextlib.suppress(OSError):
            group.rmdir()
        raise NoShares(f"processes cannot be given a share of a core here: {error}") from error
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # whoever has ended has left the group
            (group.parent / "cgroup.procs").write_text(str(pid))
        with contextlib.suppress(OSError):
            group.rmdir()
