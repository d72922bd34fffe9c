"""Games as files of their own, written from what the database holds: nothing is played again for it.

An export holds the record (which `dieselfront replay` reads), the journal with its take-backs, and what was said.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from dieselfront.kernel.record import Header, Record
from dieselfront.server.storage import ChatRow, Entry, GameRow

CHOICE, BACK, MOVE = "choice", "back", "moved"


def record_of(row: GameRow, entries: Sequence[Entry], *, publish_seed: bool) -> Record:
    """The record of a game from its rows."""
    kept = standing(entries)
    header = msgspec.json.decode(row.header, type=Header)
    choices = [json.loads(entry.body) for entry in kept]
    return Record(header, choices, [entry.check for entry in kept], row.seed if publish_seed else None)


def standing(entries: Sequence[Entry]) -> list[Entry]:
    """The choices that still stand, after all take-backs and where the rules moved."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.kind == CHOICE:
            kept.append(entry)
        elif entry.kind == BACK:
            del kept[json.loads(entry.body) :]
        elif entry.kind == MOVE:
            del kept[json.loads(entry.body)["choices"] :]
    return kept


def exported(row: GameRow, entries: Sequence[Entry], said: Sequence[ChatRow]) -> bytes:
    """Everything worth keeping of a game that leaves the server, without what opens its seats."""
    export: dict[str, Any] = {
        "dieselfront": "export",
        "game": row.id,
        "ruleset": row.ruleset,
        "created": row.created,
        "origin": row.origin,
        "journal": [entry._asdict() for entry in entries],
        "chat": [line._asdict() for line in said],
    }
    try:
        export["record"] = record_of(row, entries, publish_seed=True)
    except (msgspec.DecodeError, ValueError, TypeError):  # a damaged row is exported as far as it can be read
        export["record"] = None
    return msgspec.json.format(msgspec.json.encode(export), indent=1) + b"\n"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all, even if the power fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    part.replace(path)


__all__ = ["exported", "record_of", "standing", "write_whole"]
