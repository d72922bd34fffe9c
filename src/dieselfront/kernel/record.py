"""Records: a game is its header and its choices, with check values along the way.

Replaying a record gives the same game, die for die, in any process. A check value that differs stops the replay with
the reason. The header carries the commitment to the dice seed; the record of a finished game carries the seed itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.dice.rollers import FairDice, Roller, commitment
from dieselfront.kernel.decisions import Answer, IllegalChoice
from dieselfront.kernel.events import encode
from dieselfront.kernel.game import Game

if TYPE_CHECKING:
    from dieselfront.kernel.ruleset import Ruleset

FORMAT = 1
EXACT = 2**53
"""Whole numbers below this are the same in every language."""
POINT_ZERO = b".0"
"""How JSON writes the fraction of 33.0 (and the beginning of that of 0.05); without it nothing is to do."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that fixes a game before the first choice."""

    ruleset: str
    version: str
    scenario: dict[str, Any]
    forces: list[dict[str, Any]]
    seats: list[str]
    commitment: str = ""
    salt: str = ""
    options: dict[str, str] = {}
    format: int = FORMAT


class Record(msgspec.Struct, forbid_unknown_fields=True):
    """A game as it is kept: header, choices, a check value after each, and the seed once it may be known."""

    header: Header
    choices: list[Any]
    checks: list[str]
    seed: str | None = None
    result: dict[str, Any] | None = None


class BrokenRecord(Exception):
    """A record that cannot be read or does not replay; the message says where and why."""


class UnreadableRecord(BrokenRecord):
    """What is no record at all."""


def whole_numbers(value: Any) -> Any:
    """Facts with 33 for 33.0, as some languages write them: a header that went through one stays as it was sealed.

    They come back as JSON would give them back, which shares nothing with what was handed in.
    """
    written = msgspec.json.encode(value)
    facts = msgspec.json.decode(written)
    return _without_fractions(facts) if POINT_ZERO in written else facts


def _without_fractions(value: Any) -> Any:
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < EXACT else value
    if isinstance(value, dict):
        return {key: _without_fractions(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_without_fractions(one) for one in value]
    return value


def new_game(
    rules: Ruleset[Any], header: Header, seed: str | None, *, keep_history: bool = True, copyable: bool = True
) -> Game:
    """Start a game from its header; without a seed people type in their own dice."""
    dice: Roller | None = None
    if seed is not None:
        if commitment(seed) != header.commitment:
            raise BrokenRecord("the dice seed does not match the commitment in the header")
        dice = FairDice(seed, header.salt)
    return Game(rules, rules.new_state(header), dice, header, keep_history=keep_history, copyable=copyable)


def checks(game: Game) -> list[str]:
    """The check value after every choice: a running hash over the log."""
    ends = [*game.marks[1:], len(game.events)] if game.marks else []
    running = _seal(game.header)
    values = []
    start = 0
    for end in ends:
        running.update(encode(game.events[start:end]))
        values.append(running.hexdigest()[:12])
        start = end
    return values


def _seal(header: Header) -> hashlib._Hash:
    """The running hash begins with the header, so that no byte of it can change unnoticed."""
    return hashlib.sha256(msgspec.json.encode(header, order="deterministic"))


def digest(game: Game) -> str:
    """A hash of the final state and the whole log: equal digests are equal games."""
    whole = hashlib.sha256(encode(game.events))
    whole.update(msgspec.json.encode(game.state.facts(), order="deterministic"))
    return whole.hexdigest()


def record(game: Game, *, publish_seed: bool | None = None) -> Record:
    """The record of a game; the seed is published once the game is over, or when asked."""
    over = game.over
    publish = over if publish_seed is None else publish_seed
    seed = game.dice.seed if publish and isinstance(game.dice, FairDice) else None
    result = {"winner": game.winner, "digest": digest(game)} if over else None
    return Record(game.header, list(game.choices), checks(game), seed, result)


def dump(kept: Record) -> bytes:
    """A record as JSON, one choice a line so that people can read it."""
    body = msgspec.json.encode(kept, order="deterministic")
    return msgspec.json.format(body, indent=1) + b"\n"


def load(data: bytes, name: str = "record") -> Record:
    """Read a record; anything wrong is reported with its place."""
    try:
        kept = msgspec.json.decode(data, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableRecord(f"{name} is not a game record: {error}") from None
    if kept.header.format != FORMAT:
        raise BrokenRecord(f"{name} has format {kept.header.format}; this program reads format {FORMAT}")
    if len(kept.checks) != len(kept.choices):
        raise BrokenRecord(f"{name} has {len(kept.choices)} choices but {len(kept.checks)} check values")
    return kept


def replay(rules: Ruleset[Any], kept: Record, upto: int | None = None, seed: str | None = None) -> Game:
    """Play a record again, checking every value; BrokenRecord tells at which choice it stopped and why."""
    game = start_replay(rules, kept, seed)
    for _ in steps(game, kept, upto):
        pass
    return game


def start_replay(rules: Ruleset[Any], kept: Record, seed: str | None = None) -> Game:
    """The game of a record before its first choice."""
    if kept.header.version != rules.version:
        raise BrokenRecord(
            f"the record was made with {rules.id} {kept.header.version}, this program plays {rules.version}"
        )
    seed = seed or kept.seed
    if kept.header.commitment and seed is None:
        raise BrokenRecord("the dice seed of this game has not been published, so it cannot be replayed yet")
    return new_game(rules, kept.header, seed)


def steps(game: Game, kept: Record, upto: int | None = None) -> Iterator[int]:
    """Give the record's choices one by one, each checked; yields the number of choices made so far."""
    running = _seal(kept.header)
    seen = 0
    for index, (answer, check) in enumerate(zip(kept.choices, kept.checks, strict=True)):
        if upto is not None and index >= upto:
            return
        _give(game, index, answer)
        running.update(encode(game.events[seen:]))
        seen = len(game.events)
        if running.hexdigest()[:12] != check:
            raise BrokenRecord(
                f"choice {index + 1} leads to another game than the one recorded: "
                f"check value {running.hexdigest()[:12]}, recorded {check}"
            )
        yield index + 1


def _give(game: Game, index: int, answer: Answer) -> None:
    try:
        game.choose(answer)
    except IllegalChoice as error:
        raise BrokenRecord(f"choice {index + 1} is not legal: {error.reason}") from None


def _same_bytes(written: bytes, data: bytes, name: str) -> None:
    """A record has one form only, so that not even a blank of it can change unnoticed."""
    if written != data:
        pairs = zip(written, data, strict=False)
        place = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(written), len(data)))
        line = data[:place].count(b"\n") + 1
        raise BrokenRecord(f"{name} was changed: line {line} is not as this program writes it (byte {place + 1})")


def _replayed(rules: Callable[[str], Any], kept: Record) -> Game:
    """The game of a record; whatever a forged header leads to is a reason to refuse it."""
    try:
        return replay(rules(kept.header.ruleset), kept)
    except BrokenRecord:
        raise
    except Exception as error:
        raise BrokenRecord(f"the record does not describe a game that can be played: {error}") from None


def verify(rules: Callable[[str], Any], data: bytes, name: str = "record") -> dict[str, Any]:
    """Prove dice and rules of a record: every die from the seed, every choice legal, every check value equal."""
    kept = load(data, name)
    _same_bytes(dump(kept), data, name)
    game = _replayed(rules, kept)
    if kept.result is not None:
        if not game.over:
            raise BrokenRecord("the record claims a result, but the game is not over after its last choice")
        if kept.result.get("digest") != digest(game) or kept.result.get("winner") != game.winner:
            raise BrokenRecord("the recorded result differs from the result of the replay")
    return {
        "ok": True,
        "over": game.over,
        "turns": game.turn,
        "winner": game.winner,
        "digest": digest(game),
        "choices": len(kept.choices),
        "dice": "proven from the published seed" if kept.header.commitment else "typed in by the players",
    }
