"""A game on the server: the kernel's game, its journal, and what each visitor may see of it.

Nothing here waits or writes: games.py does that. A change is made in memory first, so that whatever the rules refuse
never reaches the journal; if the journal cannot take it, the game is forgotten and rebuilt from what was kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dieselfront import rulesets
from dieselfront.dice.rollers import FairDice, TooManyDice
from dieselfront.kernel.decisions import Decision, IllegalChoice, TypeDice
from dieselfront.kernel.events import GameEnded, encode
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import Header, Record, dump, new_game, record
from dieselfront.server.exports import standing
from dieselfront.server.messages import ChatLine, Moved, Offers
from dieselfront.server.shapes import Result, ScenarioBrief
from dieselfront.server.storage import ChatRow, Entry, GameRow, StoredRow
from dieselfront.server.stored_states import unpack

if TYPE_CHECKING:
    from dieselfront.kernel.ruleset import Ruleset

QUICK_BYTES = 80_000
"""Headers up to this size are games of a usual size: starter armies have a third of it."""
QUICK_SECONDS = 0.03
"""Processor time of a choice that nobody notices."""
CHOICE, BACK, CONCEDE, DRAW, MOVE = "choice", "back", "concede", "draw", "moved"
NEVER = -1
Seats = tuple[int, ...]
"""The seats a visitor holds: none for a spectator, both for two people at one screen."""


class Unplayable(Exception):
    """A kept game that cannot go on with this program; one sentence says why."""


class TooLong(Exception):
    """A game whose choices take more processor time than it may have."""


class RulesMoved(Exception):
    """The rules are not the ones this game was played by; `choices` is how many choices still lead where they led."""

    def __init__(self, reason: str, choices: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.choices = choices


class Base(NamedTuple):
    """Where a game goes on from since its rules moved: a position, and everything that led there."""

    version: int
    rules: str
    state: bytes
    lines: list[msgspec.Raw]
    makers: list[int]
    answers: list[Any]
    checks: list[str]

    @property
    def choices(self) -> int:
        return len(self.makers)


class Picture(msgspec.Struct):
    """A position as it was shown: enough to look at it when nobody can play it any more."""

    check: str
    lines: list[msgspec.Raw]
    view: msgspec.Raw
    turn: int
    thrown: int
    over: bool
    result: Result | None

    def packed(self) -> bytes:
        return zlib.compress(msgspec.json.encode(self), 6)

    @classmethod
    def unpacked(cls, data: bytes) -> Picture:
        return msgspec.json.decode(zlib.decompress(data), type=cls)


def game_from(rules: Ruleset[Any], header: Header, seed: str | None, state: bytes) -> Game:
    """A game that goes on from a stored state; dice fall on from where they were."""
    made = unpack(state, rules.new_state(header))
    return Game(rules, made, FairDice(seed, header.salt) if seed is not None else None, header)


class Seat(msgspec.Struct, frozen=True):
    """Who sits there; the token is kept as its hash."""

    kind: str
    name: str
    level: str | None = None
    token: str | None = None
    webhook: str | None = None
    person: str | None = None

    @property
    def is_human(self) -> bool:
        return self.kind == "human"


class LiveGame:
    """One game in memory."""

    __slots__ = (
        "_checked",
        "_running",
        "_shown",
        "base",
        "chat",
        "checks",
        "decider",
        "fence",
        "forces_bytes",
        "game",
        "header",
        "id",
        "last_said",
        "lengths",
        "lines",
        "lock",
        "makers",
        "marked",
        "notified",
        "offers",
        "reasons",
        "result",
        "row",
        "rules",
        "seats",
        "slowest",
        "spent",
        "stored_at",
        "stored_version",
        "thinking",
        "thrown",
        "version",
    )

    def __init__(self, row: GameRow, base: Base | None = None) -> None:
        self.base = base
        self.row = row
        self.id = row.id
        self.header = msgspec.json.decode(row.header, type=Header)
        self.forces_bytes = len(row.header)
        self.rules = rulesets.load(row.ruleset)
        self.seats = msgspec.json.decode(row.seats, type=list[Seat])
        self.offers = msgspec.json.decode(row.offers, type=Offers)
        self.lock = asyncio.Lock()
        self.chat: list[ChatLine] = []
        self.last_said = 0
        self.version = 0
        self.fence = 0  # under which number this process has the game
        self.slowest = 0.0
        self.result: Result | None = None
        self.thinking = False
        self.notified: tuple[int, int] | None = None
        self.marked: tuple[Seats, bool] | None = None  # whose turn people have been told it is
        self.reasons: dict[int, tuple[int, str]] = {}  # why a computer made a choice, by the number of choices after it
        self.lengths: dict[int, int] = {}  # how long the log was at each version
        self.stored_version = 0
        self.stored_at = time.monotonic()
        self._start()

    def _start(self) -> None:
        base = self.base
        if base is None:
            self.game: Game = new_game(self.rules, self.header, self.row.seed)
        else:
            self.game = game_from(self.rules, self.header, self.row.seed, base.state)
        self.spent = 0.0  # processor time of its choices: what it takes to make them again
        self.makers: list[int] = [] if base is None else list(base.makers)  # which seat made each choice
        self.thrown = [NEVER] * len(self.makers)  # how many throws had been made before each choice
        self.lines: list[msgspec.Raw] = [] if base is None else list(base.lines)
        self._running = self._seal()
        self._checked = 0
        self.checks: list[str] = []
        self._look_again()
        self._tell()

    def _seal(self) -> hashlib._Hash:
        """Check values begin with the header, and go on from the last one where the rules moved."""
        running = hashlib.sha256(msgspec.json.encode(self.header, order="deterministic"))
        if self.base is not None:
            running.update(f"{MOVE} {self.base.rules} {self.base.checks[-1:]}".encode())
        return running

    @property
    def first_choice(self) -> int:
        """How many choices were made before the rules moved last."""
        return 0 if self.base is None else self.base.choices

    @property
    def first_line(self) -> int:
        """How many lines the log had by then."""
        return 0 if self.base is None else len(self.base.lines)

    @classmethod
    def restored(
        cls,
        row: GameRow,
        entries: Sequence[Entry],
        said: Iterable[ChatRow],
        stored: Mapping[int, StoredRow] | None = None,
        most_seconds: float = math.inf,
    ) -> LiveGame:
        """The game of a journal; RulesMoved if it was played by other rules, or a check value differs.

        TooLong if its choices take more processor time than is given for them.
        """
        base = base_of(entries, stored or {})
        live = cls(row, base)
        before = live.header.version if base is None else base.rules
        if before != live.rules.version:
            reason = f"This game was played by {live.rules.name} {before}; this program plays {live.rules.version}."
            raise RulesMoved(reason, live.first_choice)
        live.repeat(standing(entries)[live.first_choice :], most_seconds)
        live.end_as(entries)
        live.hear(said)
        return live

    def repeat(self, kept: Sequence[Entry], most_seconds: float = math.inf) -> None:
        """Make the choices of a journal again; RulesMoved at the first that does not lead where it led."""
        for entry in kept:
            if self.spent > most_seconds:
                raise TooLong
            number = len(self.makers) + 1
            try:
                self._give(entry.seat, json.loads(entry.body))
            except (IllegalChoice, TooManyDice) as error:
                fault = getattr(error, "reason", str(error))
                raise RulesMoved(f"Choice {number} of this game is not legal any more: {fault}.", number - 1) from None
            if self.check_value != entry.check:
                reason = f"Choice {number} of this game leads elsewhere than it did when it was made."
                raise RulesMoved(reason, number - 1)
            self.explain(entry.seat, entry.why)

    def end_as(self, entries: Sequence[Entry]) -> None:
        """Concessions and draws, and the version it all came to."""
        for entry in entries:
            if entry.kind in (CONCEDE, DRAW):
                self.finish(entry.kind, entry.seat)
        self.version = self.stored_version = entries[-1].version if entries else 0
        self._mark()

    def hear(self, said: Iterable[ChatRow]) -> None:
        """What was said so far."""
        self.chat = [ChatLine(line.n, line.seat, line.name, line.text, line.at) for line in said]
        self.last_said = self.chat[-1].n if self.chat else 0

    # -- stored positions -----------------------------------------------------------------------

    def position_to_store(self) -> tuple[int, Any, Picture]:
        """The last position from which the game can go on, how many choices led there, and what it looks like."""
        last = self.game.checkpoint
        if self.over:
            return len(self.makers), last.state, self.picture()
        choices, lines = self.first_choice + last.choices, self.first_line + last.events
        checks = [*(self.base.checks if self.base else ()), *self.checks]
        view = self._open_view(last.state)
        turn, thrown = int(last.state.turn), int(last.state.dice_thrown)
        check = checks[choices - 1] if choices else ""
        return choices, last.state, Picture(check, self.lines[:lines], view, turn, thrown, False, None)

    def _open_view(self, state: Any) -> msgspec.Raw:
        """What everybody may see of a position: all of it once the game is over, before that what spectators see."""
        view = self.rules.view(state) if self.over else self.rules.view_for(state, ())
        return msgspec.Raw(msgspec.json.encode(view))

    def picture(self) -> Picture:
        """The game as it stands, for those who can only look."""
        view = self._open_view(self.game.state)
        thrown = int(self.game.state.dice_thrown)
        return Picture(self.check_value, list(self.lines), view, self.turn, thrown, self.over, self.outcome)

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
        started = time.thread_time()
        self.game.choose_trusted(checked(decision, answer))
        taken = time.thread_time() - started
        self.slowest = max(self.slowest, taken)
        self.spent += taken
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
        first = self.first_choice
        if self.game.state.dice_thrown == self.thrown[keep]:
            while len(self.game.choices) > keep - first:
                self.game.undo()
            del self.makers[keep:], self.thrown[keep:]
        else:
            makers, choices = self.makers[first:keep], self.game.choices[: keep - first]
            self._start()
            for seat, answer in zip(makers, choices, strict=True):
                self._give(seat, answer)
        self.reasons = {number: reason for number, reason in self.reasons.items() if number <= keep}
        self._recount()
        self._advance()

    def _recount(self) -> None:
        """Log and check values anew, after choices were taken back."""
        del self.lines[self.first_line + len(self.game.events) :]
        self._running = self._seal()
        self.checks = []
        events = self.game.events
        start = 0
        for end in [*self.game.marks[1:], len(events)] if self.game.marks else ():
            self._running.update(encode(events[start:end]))
            self.checks.append(self._running.hexdigest()[:12])
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
        self.checks.append(self._running.hexdigest()[:12])

    @property
    def check_value(self) -> str:
        """The record's check value after the last choice."""
        if self.checks:
            return self.checks[-1]
        return self.base.checks[-1] if self.base is not None and self.base.checks else ""

    # -- questions ------------------------------------------------------------------------------

    @property
    def is_quick(self) -> bool:
        """Do choices take so little that nobody notices? Squares, forces of a usual size, and none took long so far."""
        usual = self.rules.table == "squares" and self.forces_bytes <= QUICK_BYTES
        return usual and self.slowest <= QUICK_SECONDS

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
        for number in range(len(self.makers) - 1, self.first_choice - 1, -1):
            if self.thrown[number] != self.game.state.dice_thrown:
                return None
            if self.makers[number] in seats:
                return None if self.over else number
            if self.seats[self.makers[number]].is_human:
                return None
        return None

    def takeback_point(self, seats: Seats) -> int | None:
        """How many choices remain if the last choice of these seats is taken back by consent."""
        for number in range(len(self.makers) - 1, self.first_choice - 1, -1):
            if self.makers[number] in seats:
                return number
        return None

    def why(self, choice: int) -> tuple[int, str] | None:
        """Who made a choice and why; shown once what came of it is settled, so that no plan is given away."""
        return self.reasons.get(choice) if self.over or choice <= self.first_choice + self.game.settled else None

    @property
    def explained(self) -> list[int]:
        """The choices whose reasons may be shown."""
        return [choice for choice in self.reasons if self.why(choice) is not None]

    @property
    def moved(self) -> Moved | None:
        """Whether its rules have moved, so that it waits for the players' consent."""
        return None

    # -- what is shown --------------------------------------------------------------------------

    def _tell(self) -> None:
        """Write the lines of new events."""
        events = self.game.events
        names = self.rules.names(self.game.state)
        choice = len(self.makers)
        for number in range(len(self.lines) - self.first_line, len(events)):
            event = events[number]
            line = {
                "n": number + self.first_line,
                "rule": event.rule,
                "kind": type(event).__name__,
                "text": event.sentence(names),
                "data": event,
                "choice": choice,
            }
            self.lines.append(msgspec.Raw(msgspec.json.encode(line)))

    def _once(self, key: Any, make: Any) -> Any:
        """Worked out once for a position."""
        made = self._shown.get(key)
        if made is None:
            made = self._shown[key] = make()
        return made

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
        sight: bytes | None = self._shown.get(("sight", seats, unit))
        return sight

    def keep_seen(self, seats: Seats, unit: str, version: int, sight: bytes) -> None:
        """Keep it as long as the position stands."""
        if version == self.version:
            self._shown["sight", seats, unit] = sight

    def hinted(self, seats: Seats) -> bytes | None:
        """The hint for the pending decision, if somebody asked for it before: it does not change by asking again."""
        known: bytes | None = self._shown.get(("hint", seats))
        return known

    def keep_hint(self, seats: Seats, version: int, hint: bytes) -> None:
        """Keep it as long as the position stands."""
        if version == self.version:
            self._shown["hint", seats] = hint

    def _waiting(self) -> dict[str, Any] | None:
        decision = self.pending
        if decision is None:
            return None
        facts = {"player": decision.player, "text": decision.text, "shape": decision.shape, "mine": False}
        named = decision.unit if decision.unit and self._is_named(decision.unit, decision.text) else ""
        return {**facts, "key": "", "rule": "", "unit": named}

    def _is_named(self, unit: str, text: str) -> bool:
        """Does the sentence that everybody reads name the unit? Then everybody may see which one it is."""
        name = next((one.name for one in self.rules.field.units(self.game.state) if one.id == unit), "")
        return bool(name) and name in text

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
        return self.game.turn

    @property
    def brief(self) -> ScenarioBrief:
        """The battle in a few words."""
        scenario = self.header.scenario
        turns = scenario.get("turns")
        return ScenarioBrief(
            str(scenario.get("id", "")),
            str(scenario.get("name", "")),
            str(scenario.get("text", "")),
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
            "moved": self.moved,
            **self.changing(seats),
        }

    def update(self, seats: Seats, since: int) -> bytes | None:
        """What changed since a version, encoded once for all who see the same; none if that version is too old."""
        if since not in self.lengths:
            return None
        key = ("update", seats, since, self.thinking, self.offers)
        message: bytes = self._once(key, lambda: msgspec.json.encode(self._update(seats, since)))
        return message

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
        if self.base is None:
            return record(self.game, publish_seed=self.over)
        choices = [*self.base.answers, *self.game.choices]
        return Record(self.header, choices, [*self.base.checks, *self.checks], self.seed)

    def record_file(self) -> bytes:
        """The record as a file."""
        written: bytes = self._once("record", lambda: dump(self.record()))
        return written


def base_of(entries: Sequence[Entry], stored: Mapping[int, StoredRow]) -> Base | None:
    """Where a game goes on from, if its rules ever moved."""
    moves = [number for number, entry in enumerate(entries) if entry.kind == MOVE]
    if not moves:
        return None
    entry = entries[moves[-1]]
    row = stored.get(entry.version)
    if row is None:
        raise Unplayable("The position from which this game went on when its rules moved is missing.")
    kept = standing(entries[: moves[-1]])[: row.choices]
    return Base(
        entry.version,
        row.rules,
        row.state,
        Picture.unpacked(row.log).lines,
        [one.seat for one in kept],
        [json.loads(one.body) for one in kept],
        [one.check for one in kept],
    )


def checked(decision: Decision, answer: Any) -> Any:
    """An answer in its plain form; one of an unheard-of shape is as illegal as any other."""
    try:
        return decision.check(answer)
    except IllegalChoice:
        raise
    except Exception:  # a table inside a list, a text for a number: decisions need not expect everything
        raise IllegalChoice("this answer has not the shape of the decision", decision.rule or None) from None


__all__ = [
    "BACK",
    "CHOICE",
    "CONCEDE",
    "DRAW",
    "MOVE",
    "Base",
    "LiveGame",
    "Picture",
    "RulesMoved",
    "Seat",
    "Seats",
    "TooLong",
    "Unplayable",
    "base_of",
    "checked",
    "game_from",
]
