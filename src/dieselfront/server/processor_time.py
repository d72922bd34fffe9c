"""Processor time that other processes have taken, as the system tells it."""

from __future__ import annotations

import os
from pathlib import Path


def processor_seconds(pid: int) -> float | None:
    """What a process has taken so far; nothing where the system does not tell, or when the process is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


__all__ = ["processor_seconds"]
