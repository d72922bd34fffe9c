"""What a game promises about its speed: `speed.json` in its folder."""

from __future__ import annotations

import msgspec

from dieselfront import rulesets

FILE = "speed.json"


class Promises(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing, where a game says nothing."""

    decisions: float | None = None
    """Random decisions, as a share of random chess moves in the same time."""
    playouts: float | None = None
    """Of the ace, in a second of processor time."""


def promises(ruleset: str) -> Promises:
    """What a game promises."""
    file = rulesets.folders()[ruleset] / FILE
    return msgspec.json.decode(file.read_bytes(), type=Promises) if file.is_file() else Promises()


__all__ = ["Promises", "promises"]
