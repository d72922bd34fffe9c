"""Compiled twins of hot functions: `_kernel.c`, where it has been built, in the place of the Python functions.

The Python functions say what is meant and remain: as the answer where nothing is compiled or `DIESELFRONT_PURE` is set,
for numbers too large for C, and as the oracle of the tests. `scripts/build_kernel` builds it; see docs/speed.md.
"""

from __future__ import annotations

import os
from types import ModuleType
from typing import Any

INTERFACE = 3
"""Counted up when functions of the kernel come, go or change: an old build is left aside."""

SWITCH = "DIESELFRONT_PURE"

PURE: dict[str, Any] = {}
"""The Python functions that have a compiled twin, by name."""


def _load() -> ModuleType | None:
    if os.environ.get(SWITCH, "") not in ("", "0"):
        return None
    try:
        from dieselfront.table.measured import _kernel
    except ImportError:
        return None
    return _kernel if _kernel.INTERFACE == INTERFACE else None


KERNEL = _load()


def is_compiled() -> bool:
    """Do compiled answers come in this process?"""
    return KERNEL is not None


def take_over(namespace: dict[str, Any], *names: str) -> None:
    """Let compiled functions (or classes) stand for those of a module; the module calls this at its end."""
    python = {name: namespace[name] for name in names}
    PURE.update(python)
    if KERNEL is not None:
        KERNEL.fall_back_on(python)
        namespace.update({name: getattr(KERNEL, name) for name in names})
