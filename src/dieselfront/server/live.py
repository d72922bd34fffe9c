"""A game on the server: the kernel's game, its journal, and what each visitor may see of it.

Nothing here waits or writes: house.py does that. A change is made in memory first, so that whatever the rules refuse
never reaches the journal; if the journal cannot take it, the game is forgotten and rebuilt from what was kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.kernel.decisions import Decision, IllegalChoice, TypeDice
from dieselfront.kernel.events import GameEnded, encode
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import Header, Record, dump, new_game, record
from dieselfront.server.messages import ChatLine, Offers
from dieselfront.server.shapes import Result, ScenarioBrief
from dieselfront.server.storage import ChatRow, Entry, GameRow

CHOICE, BACK, CONCEDE, DRAW = "choice", "back", "concede", "draw"
Seats = tuple[int, ...]
"""The seats a visitor holds: none for a spectator, both for two people at one screen."""


class Unplayable(Exception):
    """A kept game that cannot go on with this program; one sentence says why."""


class Seat(msgspec.Struct, frozen=True):
    """Who sits there; the token is kept as its hash."""

    kind: str
    name: str
    level: str | None = None
    token: str | None = None
    webhook: str | None = None

    @property
    def is_human(self) -> bool:
        return self.kind == "human"


class LiveGame:
    """One game in memory."""

    __slots__ = (
        "_checked",
        "_running",
        "_shown",
        "chat",
        "decider",
        "game",
        "header",
        "id",
        "last_said",
        "lengths",
        "lines",
        "lock",
        "makers",
        "notified",
        "offers",
        "reasons",
        "result",
        "row",
        "rules",
        "seats",
        "thinking",
        "thrown",
        "version",
    )

    def __init__(self, row: GameRow) -> None:
        self.row = row
        self.id = row.id
        self.header = msgspec.json.decode(row.header, type=Header)
        self.rules = rulesets.load(row.ruleset)
        if self.header.version != self.rules.version:
            raise Unplayable(
                f"This game was begun with {self.rules.name} {self.header.version}; "
                f"this program plays {self.rules.version}."
            )
        self.seats = msgspec.json.decode(row.seats, type=list[Seat])
        self.offers = msgspec.json.decode(row.offers, type=Offers)
        self.lock = asyncio.Lock()
        self.chat: list[ChatLine] = []
        self.last_said = 0
        self.version = 0
        self.result: Result | None = None
        self.thinking = False
        self.notified: tuple[int, int] | None = None
        self.reasons: dict[int, tuple[int, str]] = {}  # why a computer made a choice, by the number of choices after it
        self.lengths: dict[int, int] = {}  # how long the log was at each version
        self._start()

    def _start(self) -> None:
        self.game: Game = new_game(self.rules, self.header, self.row.seed)
        self.makers: list[int] = []  # which seat made each choice
        self.thrown: list[int] = []  # how many throws had been made before each choice
        self.lines: list[msgspec.Raw] = []
        self._running = hashlib.sha256(msgspec.json.encode(self.header, order="deterministic"))
        self._checked = 0
        self._look_again()
        self._tell()

    @classmethod
    def restored(cls, row: GameRow, entries: Sequence[Entry], said: Iterable[ChatRow]) -> LiveGame:
        """The game of a journal; check values that differ stop it."""
        live = cls(row)
        kept: list[Entry] = []
        for entry in entries:
            if entry.kind == CHOICE:
                kept.append(entry)
            elif entry.kind == BACK:
                del kept[json.loads(entry.body) :]
        for number, entry in enumerate(kept):
            live._repeat(number, entry)
            live.explain(entry.seat, entry.why)
        for entry in entries:
            if entry.kind in (CONCEDE, DRAW):
                live.finish(entry.kind, entry.seat)
        live.version = entries[-1].version if entries else 0
        live._mark()
        live.chat = [ChatLine(line.n, line.seat, line.name, line.text, line.at) for line in said]
        live.last_said = live.chat[-1].n if live.chat else 0
        return live

    def _repeat(self, number: int, entry: Entry) -> None:
        try:
            self._give(entry.seat, json.loads(entry.body))
        except IllegalChoice as error:
            raise Unplayable(f"Choice {number + 1} of this game is not legal any more: {error.reason}.") from None
        if self.check_value != entry.check:
            raise Unplayable(f"Choice {number + 1} of this game leads elsewhere than it did when it was made.")

    # -- changes --------------------------------------------------------------------------------

    def choose(self, seat: int, answer: Any) -> None:
        """Make a choice; IllegalChoice changes nothing."""
        self._give(seat, answer)
        self._advance()

    def _give(self, seat: int, answer: Any) -> None:
        thrown = self.game.state.dice_thrown
        decision = self.pending
        if decision is None:
            raise IllegalChoice("the game is over")
        self.game.choose_trusted(checked(decision, answer))
        self.makers.append(seat)
        self.thrown.append(thrown)
        self._look_again()
        self._tell()
        self._check()

    def explain(self, seat: int, why: str | None) -> None:
        """Remember why the last choice was made."""
        if why:
            self.reasons[len(self.makers)] = (seat, why)

    def take_back(self, keep: int) -> None:
        """Go back to where only so many choices had been made; dice fall as they fell."""
        if self.game.state.dice_thrown == self.thrown[keep]:
            while len(self.game.choices) > keep:
                self.game.undo()
            del self.makers[keep:], self.thrown[keep:]
        else:
            makers, choices = self.makers[:keep], self.game.choices[:keep]
            self._start()
            for seat, answer in zip(makers, choices, strict=True):
                self._give(seat, answer)
        self.reasons = {number: told for number, told in self.reasons.items() if number <= keep}
        self._recount()
        self._advance()

    def _recount(self) -> None:
        """Log and check values anew, after choices were taken back."""
        del self.lines[len(self.game.events) :]
        self._running = hashlib.sha256(msgspec.json.encode(self.header, order="deterministic"))
        events = self.game.events
        start = 0
        for end in [*self.game.marks[1:], len(events)] if self.game.marks else ():
            self._running.update(encode(events[start:end]))
            start = end
        self._checked = start
        self._look_again()

    def finish(self, kind: str, seat: int) -> None:
        """End the game by a concession or an agreed draw."""
        if kind == CONCEDE:
            self.result = Result(1 - seat, f"{self.seats[seat].name} concedes.", "concession")
        else:
            self.result = Result(None, "Both sides agree to a draw.", "draw")
        self._look_again()

    def end(self, kind: str, seat: int) -> None:
        """The same as a change of its own."""
        self.finish(kind, seat)
        self._advance()

    def _advance(self) -> None:
        self.version += 1
        self._mark()

    def _mark(self) -> None:
        self.lengths[self.version] = len(self.lines)

    def _look_again(self) -> None:
        """Forget what was worked out about the last position."""
        self._shown: dict[Any, Any] = {}
        self.decider = self._decider()

    def _check(self) -> None:
        events = self.game.events
        self._running.update(encode(events[self._checked :]))
        self._checked = len(events)

    @property
    def check_value(self) -> str:
        """The record's check value after the last choice."""
        return self._running.hexdigest()[:12] if self.makers else ""

    # -- questions ------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Has it ended, one way or another?"""
        return self.result is not None or self.game.over

    @property
    def pending(self) -> Decision | None:
        """The decision the game waits for; none once it is over."""
        return None if self.result is not None else self.game.pending

    @property
    def outcome(self) -> Result | None:
        """How it ended."""
        if self.result is not None:
            return self.result
        if not self.game.over:
            return None
        ends = [event for event in self.game.events if isinstance(event, GameEnded)]
        reason = ends[-1].reason if ends else "The battle is over."
        return Result(self.game.winner, reason, "played")

    def _decider(self) -> Seats:
        """The seats that may answer: its own; for dice of a computer at a real table, any person's."""
        decision = self.pending
        if decision is None:
            return ()
        if isinstance(decision, TypeDice) and not self.seats[decision.player].is_human:
            return tuple(seat for seat, who in enumerate(self.seats) if who.is_human)
        return (decision.player,)

    def may_answer(self, seats: Seats) -> int | None:
        """The seat with which this visitor may answer now."""
        return next((seat for seat in self.decider if seat in seats), None)

    @property
    def computer_to_move(self) -> str | None:
        """The level of the computer whose decision is pending."""
        if len(self.decider) != 1:
            return None
        seat = self.seats[self.decider[0]]
        return None if seat.is_human else seat.level

    def undo_point(self, seats: Seats) -> int | None:
        """How many choices remain if this visitor takes his last one back; no die and no other person came since."""
        for number in range(len(self.makers) - 1, -1, -1):
            if self.thrown[number] != self.game.state.dice_thrown:
                return None
            if self.makers[number] in seats:
                return None if self.over else number
            if self.seats[self.makers[number]].is_human:
                return None
        return None

    def takeback_point(self, seats: Seats) -> int | None:
        """How many choices remain if the last choice of these seats is taken back by consent."""
        for number in range(len(self.makers) - 1, -1, -1):
            if self.makers[number] in seats:
                return number
        return None

    def why(self, choice: int) -> tuple[int, str] | None:
        """Who made a choice and why; told once what came of it is settled, so that no plan is given away."""
        return self.reasons.get(choice) if self.over or choice <= self.game.settled else None

    @property
    def explained(self) -> list[int]:
        """The choices whose reasons may be told."""
        return [choice for choice in self.reasons if self.why(choice) is not None]

    # -- what is shown --------------------------------------------------------------------------

    def _tell(self) -> None:
        """Write the lines of new events."""
        events = self.game.events
        names = self.rules.names(self.game.state)
        choice = len(self.makers)
        for number in range(len(self.lines), len(events)):
            event = events[number]
            line = {
                "n": number,
                "rule": event.rule,
                "kind": type(event).__name__,
                "text": event.sentence(names),
                "data": event,
                "choice": choice,
            }
            self.lines.append(msgspec.Raw(msgspec.json.encode(line)))

    def _once(self, key: Any, make: Any) -> Any:
        """Worked out once for a position."""
        found = self._shown.get(key)
        if found is None:
            found = self._shown[key] = make()
        return found

    def _raw(self, key: Any, make: Any) -> msgspec.Raw:
        """Worked out and written as JSON once for a position."""
        written: msgspec.Raw = self._once(key, lambda: msgspec.Raw(msgspec.json.encode(make())))
        return written

    def view_for(self, seats: Seats) -> msgspec.Raw:
        """The position as a visitor may see it."""
        return self._raw(("view", seats), lambda: self.rules.view_for(self.game.state, seats))

    def decision_for(self, seats: Seats) -> msgspec.Raw:
        """The pending decision: whole for those who may answer it, a sentence for all others."""
        if self.may_answer(seats) is None:
            return self._raw("waiting", self._waiting)
        return self._raw("decision", self._asked)

    def seen_from(self, seats: Seats, unit: str) -> bytes | None:
        """What a unit sees, if it was worked out for this position."""
        found: bytes | None = self._shown.get(("sight", seats, unit))
        return found

    def keep_seen(self, seats: Seats, unit: str, version: int, told: bytes) -> None:
        """Keep it as long as the position stands."""
        if version == self.version:
            self._shown["sight", seats, unit] = told

    def _waiting(self) -> dict[str, Any] | None:
        decision = self.pending
        if decision is None:
            return None
        told = {"player": decision.player, "text": decision.text, "shape": decision.shape, "mine": False}
        return {**told, "key": "", "rule": "", "unit": ""}

    def _asked(self) -> dict[str, Any]:
        decision = self.pending
        assert decision is not None
        return {**decision.facts(), "mine": True, "version": self.version}

    @property
    def seed(self) -> str | None:
        """The dice seed, once it may be known."""
        return self.row.seed if self.over else None

    @property
    def turn(self) -> int:
        return int(getattr(self.game.state, "turn", 0))

    @property
    def brief(self) -> ScenarioBrief:
        """The battle in a few words."""
        told = self.header.scenario
        turns = told.get("turns")
        return ScenarioBrief(
            str(told.get("id", "")),
            str(told.get("name", "")),
            str(told.get("text", "")),
            turns if isinstance(turns, int) else 0,
        )

    def sides(self) -> list[str]:
        """The names of the two forces."""
        return [str(force.get("name", "")) for force in self.header.forces]

    def you(self, seats: Seats) -> int | None:
        """The seat a visitor speaks for: the one that decides, if he holds it."""
        answering = self.may_answer(seats)
        return answering if answering is not None else (seats[0] if seats else None)

    def changing(self, seats: Seats) -> dict[str, Any]:
        """What snapshots and updates both tell."""
        return {
            "version": self.version,
            "choices": len(self.makers),
            "you": self.you(seats),
            "view": self.view_for(seats),
            "decision": self.decision_for(seats),
            "turn": self.turn,
            "over": self.over,
            "result": self.outcome,
            "can_undo": self.undo_point(seats) is not None,
            "offers": self.offers,
            "thinking": self.thinking,
            "thrown": int(self.game.state.dice_thrown),
            "explained": self.explained,
            "seed": self.seed,
        }

    def snapshot(self, seats: Seats, connected: Sequence[bool], chat_lines: int) -> dict[str, Any]:
        """The whole game as a visitor sees it."""
        sides = self.sides()
        return {
            "type": "snapshot",
            "id": self.id,
            "ruleset": self.row.ruleset,
            "scenario": self.brief,
            "yours": seats,
            "seats": [
                {
                    "seat": number,
                    "name": seat.name,
                    "side": sides[number],
                    "kind": seat.kind,
                    "level": seat.level,
                    "connected": connected[number] or not seat.is_human,
                }
                for number, seat in enumerate(self.seats)
            ],
            "log": self.lines,
            "chat": self.chat[-chat_lines:],
            "dice": "typed" if self.row.seed is None else "fair",
            "pace": self.row.pace,
            "options": self.header.options,
            "origin": self.row.origin,
            "commitment": self.header.commitment,
            "salt": self.header.salt,
            **self.changing(seats),
        }

    def update(self, seats: Seats, since: int) -> bytes | None:
        """What changed since a version, encoded once for all who see the same; none if that version is too old."""
        if since not in self.lengths:
            return None
        key = ("update", seats, since, self.thinking, self.offers)
        told: bytes = self._once(key, lambda: msgspec.json.encode(self._update(seats, since)))
        return told

    def _update(self, seats: Seats, since: int) -> dict[str, Any]:
        kept = min(self.lengths[version] for version in range(since, self.version + 1))
        return {
            "type": "update",
            "since": since,
            "kept": kept,
            "log": self.lines[kept:],
            **self.changing(seats),
        }

    def record(self) -> Record:
        """The record of the game; with the seed once it is over."""
        return record(self.game, publish_seed=self.over)

    def record_file(self) -> bytes:
        """The record as a file."""
        return dump(self.record())


def checked(decision: Decision, answer: Any) -> Any:
    """An answer in its plain form; one of an unheard-of shape is as illegal as any other."""
    try:
        return decision.check(answer)
    except IllegalChoice:
        raise
    except Exception:  # a table inside a list, a text for a number: decisions need not expect everything
        raise IllegalChoice("this answer has not the shape of the decision", decision.rule or None) from None


__all__ = ["BACK", "CHOICE", "CONCEDE", "DRAW", "LiveGame", "Seat", "Seats", "Unplayable", "checked"]
