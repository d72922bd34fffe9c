"""What the environment needs beyond the game itself: loaded first, to tell a missing library in one sentence."""

from __future__ import annotations

import importlib.util

LIBRARIES = ("gymnasium", "pettingzoo")


def require(libraries: tuple[str, ...] = LIBRARIES) -> None:
    """Complain about a library that is not installed, with the command that installs it."""
    for library in libraries:
        if importlib.util.find_spec(library) is None:
            raise ImportError(f"dieselfront.gym needs {library}, which is not installed: pip install dieselfront[gym]")


require()
