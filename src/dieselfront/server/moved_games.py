"""Games whose rules have moved: they can be looked at and exported always, and go on from a stored position.

A game is played by one version of its ruleset. When the server plays another one, or a choice no longer leads where it
led, the game is shown as it was stored. A running game waits for both players' consent; then it goes on from the best
position there is: the last one that the new rules reach by themselves, or the last one that was stored. A line in the
log says so. A finished game needs nothing of this: it is looked at, replayed from its frames, and exported.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from dieselfront import rulesets
from dieselfront.kernel.decisions import Decision
from dieselfront.kernel.record import Header, Record, dump
from dieselfront.server.exports import record_of, standing
from dieselfront.server.live import (
    CHOICE,
    MOVE,
    Base,
    LiveGame,
    Picture,
    RulesMoved,
    Seat,
    Seats,
    Unplayable,
    base_of,
    game_from,
)
from dieselfront.server.messages import Moved, Offers
from dieselfront.server.shapes import Result
from dieselfront.server.storage import LATEST, ChatRow, Entry, GameRow, StoredRow
from dieselfront.server.stored_states import Unreadable, pack


class GoingOn(NamedTuple):
    """From where a game can go on: a state after so many choices, and the choices since that can be made again."""

    choices: int
    state: bytes
    again: list[Entry]


class MovedGame(LiveGame):
    """A game that is shown as it was stored."""

    __slots__ = ("before", "entries", "going_on", "reason", "shown")

    def __init__(
        self,
        row: GameRow,
        entries: Sequence[Entry],
        said: Iterable[ChatRow],
        stored: Mapping[int, StoredRow],
        moved: RulesMoved,
    ) -> None:
        self.row = row
        self.id = row.id
        self.header = msgspec.json.decode(row.header, type=Header)
        self.rules = rulesets.load(row.ruleset)
        self.seats = msgspec.json.decode(row.seats, type=list[Seat])
        self.offers = msgspec.json.decode(row.offers, type=Offers)
        self.lock = asyncio.Lock()
        self.entries = list(entries)
        self.reason = moved.reason
        base = base_of(entries, stored)
        self.base = base
        self.before = self.header.version if base is None else base.rules
        kept = standing(entries)
        self.makers = [entry.seat for entry in kept]
        self.checks = [entry.check for entry in kept]
        self.shown, self.going_on = stored_or_replayed(row, entries, stored, base, moved)
        self.lines = self.shown.lines
        self.reasons = {}
        self.lengths = {}
        self.thinking = False
        self.notified = None
        self.marked = None
        self.fence = 0
        self.forces_bytes = len(row.header)
        self.slowest = self.spent = 0.0
        self.stored_at = time.monotonic()
        self.result = self.shown.result
        self._look_again()
        self.end_as(entries)
        self.hear(said)

    # -- nothing is pending -----------------------------------------------------------------------

    @property
    def pending(self) -> Decision | None:
        return None

    @property
    def over(self) -> bool:
        return self.result is not None or self.shown.over

    @property
    def outcome(self) -> Result | None:
        return self.result

    @property
    def turn(self) -> int:
        return self.shown.turn

    @property
    def moved(self) -> Moved:
        going_on = self.going_on
        lost = 0 if going_on is None else len(self.makers) - going_on.choices - len(going_on.again)
        can = going_on is not None and not self.over
        return Moved(self.before, self.rules.version, self.reason, can, lost if can else 0)

    def _decider(self) -> Seats:
        return ()

    def undo_point(self, seats: Seats) -> int | None:
        return None

    def takeback_point(self, seats: Seats) -> int | None:
        return None

    def why(self, choice: int) -> tuple[int, str] | None:
        return None

    # -- what is shown ----------------------------------------------------------------------------

    def view_for(self, seats: Seats) -> msgspec.Raw:
        return self.shown.view

    def changing(self, seats: Seats) -> dict[str, Any]:
        return {
            "version": self.version,
            "choices": len(self.makers),
            "you": self.you(seats),
            "view": self.shown.view,
            "decision": None,
            "turn": self.turn,
            "over": self.over,
            "result": self.outcome,
            "can_undo": False,
            "offers": self.offers,
            "thinking": False,
            "thrown": self.shown.thrown,
            "explained": [],
            "seed": self.seed,
        }

    def record(self) -> Record:
        return record_of(self.row, self.entries, publish_seed=self.over)

    def record_file(self) -> bytes:
        return dump(self.record())

    # -- going on ---------------------------------------------------------------------------------

    def move_on(self, seat: int) -> tuple[StoredRow, list[Entry]]:
        """The position it goes on from and the entries of its journal: the move, and the choices made again."""
        going_on = self.going_on
        assert going_on is not None
        now, version = time.time(), self.version + 1
        body = {"from": self.before, "to": self.rules.version, "choices": going_on.choices}
        move = Entry(self.id, version, MOVE, seat, json.dumps(body), "", now)
        lines = [*self.lines_upto(going_on.choices)]
        lines.append(self._line(len(lines), going_on.choices))
        picture = msgspec.structs.replace(self.shown, lines=lines)
        row = StoredRow(self.id, version, going_on.choices, self.rules.version, going_on.state, picture.packed(), now)
        base = base_of([*self.entries, move], {version: row})
        live = LiveGame(self.row, base)
        entries = [move]
        for number, entry in enumerate(going_on.again, 1):
            live._give(entry.seat, json.loads(entry.body))
            entries.append(entry._replace(version=version + number, check=live.check_value))
        return row, entries

    def lines_upto(self, choices: int) -> list[msgspec.Raw]:
        """The log as long as it was after so many choices."""
        return [line for line in self.shown.lines if msgspec.json.decode(line)["choice"] <= choices]

    def _line(self, number: int, choice: int) -> msgspec.Raw:
        lost = self.moved.lost
        taken = f" The last {lost} choices are taken back." if lost else ""
        text = f"The rules have moved from version {self.before} to {self.rules.version}; both sides go on.{taken}"
        line = {"n": number, "rule": "", "kind": "RulesMoved", "text": text, "data": {}, "choice": choice}
        return msgspec.Raw(msgspec.json.encode(line))


def restored(
    row: GameRow, entries: Sequence[Entry], said: Sequence[ChatRow], stored: Mapping[int, StoredRow]
) -> LiveGame:
    """The game of a journal, or what was stored of it where its rules have moved."""
    try:
        return LiveGame.restored(row, entries, said, stored)
    except RulesMoved as moved:
        return MovedGame(row, entries, said, stored, moved)
    except Unreadable as error:
        return MovedGame(row, entries, said, stored, RulesMoved(f"Its position cannot be read: {error}.", 0))


def stored_or_replayed(
    row: GameRow,
    entries: Sequence[Entry],
    stored: Mapping[int, StoredRow],
    base: Base | None,
    moved: RulesMoved,
) -> tuple[Picture, GoingOn | None]:
    """What to show, and from where to go on: whichever keeps more of the game."""
    kept = standing(entries)
    latest = _latest(kept, stored)
    replayed = _as_far_as_possible(row, kept, base)
    if replayed is not None and (latest is None or replayed[1].choices + len(replayed[1].again) >= latest[1].choices):
        picture, going_on = replayed
        if latest is not None and latest[0].over:  # a finished game is shown as it ended
            return latest[0], going_on
        return picture, going_on
    if latest is None:
        raise Unplayable(moved.reason)
    picture, going_on = latest
    return picture, going_on if _can_go_on(row, going_on) else None


def _latest(kept: Sequence[Entry], stored: Mapping[int, StoredRow]) -> tuple[Picture, GoingOn] | None:
    """The position that was stored last, if the choices that led there still stand."""
    row = stored.get(LATEST)
    if row is None or row.choices > len(kept):
        return None
    picture = Picture.unpacked(row.log)
    if row.choices and kept[row.choices - 1].check != picture.check:
        return None
    return picture, GoingOn(row.choices, row.state, [])


def _as_far_as_possible(row: GameRow, kept: Sequence[Entry], base: Base | None) -> tuple[Picture, GoingOn] | None:
    """The game by the rules as they are, up to the last choice that still leads where it led."""
    try:
        live = LiveGame(row, base)
        kept = kept[live.first_choice :]
        agreeing = len(kept)
        try:
            live.repeat(kept)
        except RulesMoved as moved:
            agreeing = moved.choices - live.first_choice
            live = LiveGame(row, base)
            live.repeat(kept[:agreeing])
    except Exception:  # a header, a state or rules that do not go together any more
        return None
    last = live.game.checkpoint
    again = [entry for entry in kept[last.choices : agreeing] if entry.kind == CHOICE]
    return live.picture(), GoingOn(live.first_choice + last.choices, pack(last.state), again)


def _can_go_on(row: GameRow, going_on: GoingOn) -> bool:
    """Can the rules as they are play on from this state?"""
    header = msgspec.json.decode(row.header, type=Header)
    try:
        game = game_from(rulesets.load(row.ruleset), header, row.seed, going_on.state)
        game.rules.view(game.state)
        return game.pending is not None
    except Exception:  # whatever a state of other rules leads to
        return False


__all__ = ["MovedGame", "restored"]
