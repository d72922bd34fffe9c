"""Plain values of a command line are handed on as they are, without Pydantic.

Typer checks every value with Pydantic, and loading that takes longer than most of our commands do. Texts need no check,
and neither do defaults; numbers that a user typed and everything else is Typer's affair as before. A Typer that works
in another way is left alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer import core

UNCONVERTED = object()
"""The value takes a closer look."""


def spare_pydantic() -> None:
    """Let all parameters look first whether a value is plain."""
    parameter: Any = getattr(core, "_TyperParameter", None)
    typers_own = getattr(parameter, "get_runtime_param", None)
    if typers_own is not None and typers_own.__module__ == core.__name__:
        parameter.get_runtime_param = lambda self: PlainFirst(lambda: typers_own(self))


class PlainFirst:
    """What Typer asks to convert the value of a parameter; it makes its own converter where that is needed."""

    def __init__(self, typers_own: Callable[[], Any]) -> None:
        self._typers_own = typers_own

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as the command gets it."""
        converted = plain_value(value, param)
        return self._typers_own().coerce(value, param=param, ctx=ctx) if converted is UNCONVERTED else converted


def plain_value(value: Any, param: Any) -> Any:
    """A value that needs no check, or UNCONVERTED."""
    wanted, info = param.type_descriptor.annotation, param.type_descriptor.parameter_info
    if value is None:
        return () if param.multiple or param.nargs == -1 else None
    if getattr(info, "parser", None) is not None:
        return UNCONVERTED
    if wanted in (str, int, float, bool) and type(value) is wanted:  # a text, or a default
        return value
    if wanted == list[str] and isinstance(value, list | tuple) and all(type(one) is str for one in value):
        return list(value)
    if wanted is Path and isinstance(value, str) and _is_any_path(info) and os.access(value, os.R_OK):
        return Path(value)
    return UNCONVERTED


def _is_any_path(info: Any) -> bool:
    """Will any file or folder do that can be read?"""
    return bool(info.file_okay and info.dir_okay and not (info.writable or info.resolve_path or info.path_type))


__all__ = ["spare_pydantic"]
