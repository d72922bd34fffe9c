"""What the processes for long work are asked: each a function from plain data to bytes or plain data.

A job knows its game by a Position, and a record by its bytes; what it built from them stays in the process for the next
question about the same game. Whatever is wrong with a wish is a Refused.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
import zlib
from collections import OrderedDict
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dieselfront import players, rulesets
from dieselfront.dice.rollers import TooManyDice
from dieselfront.forces import ForcesError, catalogue
from dieselfront.forces.armies import Army, army_from, army_json, army_yaml
from dieselfront.forces.army_check import check_army, known_units
from dieselfront.forces.army_text import army_text, battlescribe_text
from dieselfront.forces.random_army import random_army
from dieselfront.forces.suggest import suggest
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import BrokenRecord, Header, UnreadableRecord, load, new_game, record
from dieselfront.lab import puzzles
from dieselfront.lab.moments import MomentError
from dieselfront.lab.puzzles import Puzzle
from dieselfront.lab.simulate import SimulationError
from dieselfront.odds.games import OddsError, adapter
from dieselfront.rulesets import UnknownRuleset
from dieselfront.scenarios import battle, lessons, library
from dieselfront.server import new_games, replays
from dieselfront.server.messages import NewGame, NewSeat
from dieselfront.server.new_games import Begun, sentence
from dieselfront.server.refusals import Refused
from dieselfront.server.replays import Replay, Since
from dieselfront.server.settings import Limits
from dieselfront.server.storage import LUCK
from dieselfront.server.thinkers import Position, standing_at

SAFE = re.compile(r"[^A-Za-z0-9._-]+")
STYLES = {"chat": army_text, "battlescribe": battlescribe_text, "yaml": army_yaml, "json": army_json}
REPLAYS_KEPT = 8
FRAMES_TOGETHER = 32
PICTURE_SEED, PICTURE_LEVEL, PICTURE_TURN, PICTURE_CHOICES = "1", "recruit", 2, 16
PUZZLE = "puzzle:"
"""The origin of a battle that began at a puzzle: this, the puzzle's id, and @ with the number of choices before."""
UNWRITABLE = "This game cannot be written down for the referee"
encode = msgspec.json.encode


# -- pictures ---------------------------------------------------------------------------------------


def picture(ruleset: str) -> bytes:
    """A position to look at: the first lesson (or scenario) of a game in the middle of its first turn."""
    rules = rulesets.load(ruleset)
    taught = lessons.lessons(ruleset)[:1]
    field: Any = taught[0].scenario if taught else library.names(ruleset)[0]
    armies: list[Any] = [army_from(one) for one in taught[0].armies] if taught else list(battle.starters(ruleset)[:2])
    game = battle.start(battle.header(ruleset, field, armies, seed=PICTURE_SEED), PICTURE_SEED)
    player = players.make(PICTURE_LEVEL, PICTURE_SEED, ruleset)
    view = rules.view(game.state)
    begun = 0  # choices made since both sides were placed
    while game.pending is not None and view["turn"] < PICTURE_TURN and begun < PICTURE_CHOICES:
        begun += view["turn"] > 0
        game.choose(player.choose(game))
        view = rules.view(game.state)
    return encode(view)


def diagram(file: str) -> bytes:
    """The drawing of a rule's diagram, one of ours."""
    from dieselfront.referee import judge
    from dieselfront.referee.svg import draw

    position = Path(file)
    verdict = judge(position.read_bytes(), position.name)
    return draw(verdict.state, verdict.answers, verdict.title).encode()


# -- odds -------------------------------------------------------------------------------------------


def card_odds(ruleset: str, attacker: str, target: str, given: dict[str, Any]) -> bytes:
    """Exact odds of an attack between two cards."""
    try:
        rules = rulesets.load(ruleset)
        game = adapter(ruleset)
        situation = msgspec.convert(given, game.situation_type)
        cards = catalogue(ruleset)
        return encode(game.attack(rules, cards.called(attacker), cards.called(target), situation).to_json())
    except msgspec.ValidationError as error:
        raise Refused(422, f"The situation is not understood: {error}.") from None
    except (OddsError, ForcesError, UnknownRuleset, ValueError) as error:
        raise Refused(422, sentence(error)) from None


def options_odds(position: Position, version: int) -> bytes:
    """The odds of every attack that can be declared now."""
    from dieselfront.server import forecasts

    return encode({"version": version, **forecasts.options(standing_at(position).copy())})


def case(position: Position, why: str) -> bytes:
    """The position at hand as a case file for the referee, with the choices and dice since the last quiet moment."""
    from dieselfront.referee import CannotTell, RefereeError, case_text

    if position.base is not None:
        raise Refused(410, "The rules of this game have moved, so its beginning cannot be written down any more.")
    header = msgspec.json.decode(position.header, type=Header)
    game = new_game(rulesets.load(header.ruleset), header, position.seed)
    for answer in position.choices:
        game.choose_trusted(answer)
    try:
        return encode({"name": f"case-{position.id}.yaml", "text": case_text(game, why)})
    except CannotTell as error:
        raise Refused(422, sentence(error)) from None
    except RefereeError as error:
        reason = f"{UNWRITABLE}, because the file would not lead to the same position again: {error}"
        raise Refused(422, sentence(ValueError(reason))) from None


def preview(position: Position, answer: Any, seats: tuple[int, ...]) -> bytes:
    """What a choice would lead to."""
    from dieselfront.server import forecasts

    try:
        return encode(forecasts.preview(standing_at(position).copy(), answer, seats))
    except IllegalChoice as error:
        return encode(forecasts.refused(sentence(error), error.rule or ""))
    except TooManyDice as error:
        raise Refused(422, sentence(error)) from None


def hint(position: Position, version: int) -> bytes:
    """What a computer would answer, and why."""
    from dieselfront.server import hints

    return encode({"version": version, **hints.hint(position.id, standing_at(position))})


def too_late() -> bytes:
    """The preview of an answer to a decision that has been answered meanwhile."""
    from dieselfront.server import forecasts

    return encode(forecasts.refused("The game has moved on."))


def sight(position: Position, version: int, unit: str) -> bytes:
    """What a unit sees."""
    from dieselfront.server import sight_lines

    game = sight_lines.caught_up(standing_at(position).copy())
    if not sight_lines.is_known(game, unit):
        raise Refused(404, f"There is no unit '{unit[:80]}'.")
    return encode({"version": version, **sight_lines.sights(game, unit)})


# -- armies -----------------------------------------------------------------------------------------


def read_army(data: dict[str, Any]) -> Army:
    """Plain data as an army list, or the reason why it is none."""
    try:
        return army_from(data)
    except ForcesError as error:
        raise Refused(422, sentence(error)) from None


def check_list(data: dict[str, Any]) -> bytes:
    """Points, faults and suggestions of an army list."""
    army = read_army(data)
    try:
        report: dict[str, Any] = msgspec.to_builtins(check_army(army))
        units = [
            {"label": one.label, "card": one.card.id, "name": one.card.name, "points": one.points}
            for one in known_units(army)
        ]
        suggestions = msgspec.to_builtins(suggest(army))
    except ForcesError as error:
        raise Refused(422, sentence(error)) from None
    return encode({**report, "units": units, "suggestions": suggestions})


def draw_list(ruleset: str, points: int, seed: int, bloc: str | None, faction: str | None) -> bytes:
    """A random legal list."""
    try:
        return encode(random_army(ruleset, points, seed, bloc, faction))
    except ForcesError as error:
        raise Refused(422, sentence(error)) from None


def tell_list(data: dict[str, Any], style: str) -> str:
    """A list as text."""
    army = read_army(data)
    try:
        return STYLES[style](army)
    except ForcesError as error:
        raise Refused(422, sentence(error)) from None


def print_list(data: dict[str, Any]) -> bytes:
    """A list as a PDF."""
    army = read_army(data)
    try:
        from dieselfront.forces.sheet import print_army

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "army.pdf"
            print_army(army, path)
            return path.read_bytes()
    except ForcesError as error:
        raise Refused(422, sentence(error)) from None
    except ModuleNotFoundError:
        raise Refused(501, "Printing needs the package fpdf2: pip install 'dieselfront[print]'.") from None


def import_lists(files: list[tuple[str, bytes]]) -> bytes:
    """Rosters of other programs as lists of our cards."""
    from dieselfront.forces.battlescribe.importing import import_files

    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, (name, content) in enumerate(files):
            path = Path(folder) / f"{number}-{safe_name(name)}"
            path.write_bytes(content)
            paths.append(path)
        try:
            imported = import_files(paths)
        except ForcesError as error:
            raise Refused(422, re.sub(r"\b\d-(?=\S)", "", sentence(error), count=1)) from None
    summary: dict[str, Any] = {"armies": [], "unmatched": [], "warnings": [], "cards": []}
    for one in imported.armies:
        summary["armies"].append(one.army)
        summary["unmatched"] += one.unmatched
        summary["warnings"] += one.warnings
    if imported.cards is not None:
        summary["cards"] = [{"id": card.id, "name": card.name} for card in imported.cards.cards]
        summary["warnings"] += imported.cards.warnings
    return encode(summary)


def safe_name(name: str) -> str:
    """A file's name without anything that could lead elsewhere; its ending stays."""
    return SAFE.sub("-", Path(name.replace("\\", "/")).name)[-80:].lstrip(".-") or "file"


# -- new games --------------------------------------------------------------------------------------


def begin(wish: NewGame, limits: Limits) -> Begun:
    """A game as it was wished for."""
    return new_games.begin(wish, limits)


def branch(data: bytes, name: str, at: int, seats: list[NewSeat], limits: Limits) -> Begun:
    """A game that goes its own way after some choices of a record."""
    return new_games.branch(load(data), name, at, seats, limits)


# -- puzzles ----------------------------------------------------------------------------------------

OPPONENT = "regular"
"""Who plays the other side of a puzzle."""


def puzzle_view(puzzle: Puzzle) -> bytes:
    """The position of a puzzle."""
    game = _at_puzzle(puzzle)
    return encode(game.rules.view(game.state))


def puzzle_battle(puzzle: Puzzle, limits: Limits) -> Begun:
    """A battle that begins at the position of a puzzle, the computer on the other side."""
    kept = record(_at_puzzle(puzzle), publish_seed=True)
    seats = [NewSeat("computer", level=OPPONENT), NewSeat("computer", level=OPPONENT)]
    seats[puzzle.blunder.side] = NewSeat("human", name="You")
    return new_games.branch(kept, PUZZLE + puzzle.id, len(kept.choices), seats, limits)


def puzzle_verdict(puzzle: Puzzle, choices: tuple[Any, ...]) -> puzzles.Verdict:
    """What somebody made of a puzzle with these choices from its position on."""
    try:
        return puzzles.judge(puzzle, choices)
    except MomentError as error:
        raise Refused(410, sentence(error)) from None
    except SimulationError as error:
        raise Refused(422, sentence(error)) from None


def _at_puzzle(puzzle: Puzzle) -> Game:
    try:
        return puzzles.start(puzzle)
    except MomentError as error:
        raise Refused(410, sentence(error)) from None


# -- replays ----------------------------------------------------------------------------------------


class Source(NamedTuple):
    """A record to be replayed: what to remember it by, the file, and the dice seed if the file has none yet."""

    key: str
    data: bytes
    seed: str | None = None
    state: bytes | None = None
    """Where the game goes on since its rules moved, after so many choices and lines."""
    choices: int = 0
    lines: int = 0

    @property
    def since(self) -> Since | None:
        return None if self.state is None else Since(self.state, self.choices, self.lines)


class RecordFacts(NamedTuple):
    """What is reported about a record that was brought along and verifies."""

    choices: int
    winner: int | None
    turns: int


_replays: OrderedDict[str, Replay] = OrderedDict()


def replayed(source: Source) -> Replay:
    """The replay of a record, kept for the next question about it."""
    made = _replays.pop(source.key, None)
    if made is None:
        try:
            made = Replay(load(source.data), source.seed, source.since)
        except BrokenRecord as error:
            raise Refused(422, sentence(error)) from None
        except (MemoryError, RecursionError):
            raise
        except Exception:  # a header may hold anything; what cannot be played is refused
            raise Refused(422, "This record cannot be replayed: its scenario or forces are not sound.") from None
    _replays[source.key] = made
    while len(_replays) > REPLAYS_KEPT:
        _replays.popitem(last=False)
    return made


def check_record(source: Source, limits: Limits) -> RecordFacts:
    """A record that somebody brings along: is it within bounds, and does it replay?"""
    try:
        kept = load(source.data)
        if len(kept.choices) > limits.choices:
            raise Refused(422, f"A record has at most {limits.choices} choices, not {len(kept.choices)}.")
        new_games.check_header(kept.header, limits)
    except (BrokenRecord, UnknownRuleset, ValueError) as error:
        raise Refused(400 if isinstance(error, UnreadableRecord) else 422, sentence(error)) from None
    made = replayed(source)
    return RecordFacts(made.choices, made.last.winner, made.last.turn)


def frame(source: Source, at: int) -> bytes:
    """One moment of a replay."""
    made = replayed(source)
    if at > made.choices:
        raise Refused(422, f"The game has {made.choices} choices, so there is no moment after {at}.")
    if at < made.first:
        raise Refused(410, f"The first {made.first} choices were played by earlier rules; the log tells them.")
    return encode(made.frame(at))


def archive(source: Source) -> list[tuple[int, bytes]]:
    """Everything a replay shows, in packed blocks of frames; and how the dice fell."""
    made = replayed(source)
    blocks, frames = [], made.frames()
    for first in range(made.first, made.choices + 1, FRAMES_TOGETHER):
        blocks.append((first, zlib.compress(encode([*islice(frames, FRAMES_TOGETHER)]), 6)))
    with contextlib.suppress(BrokenRecord):  # dice of a game whose rules moved are not judged
        if source.since is None:
            blocks.append((LUCK, zlib.compress(encode(replays.judged(made, source.seed)), 6)))
    return blocks


def from_archive(block: bytes, at: int) -> bytes | None:
    """One frame of a block, or nothing if it is not in it."""
    frames: list[dict[str, Any]] = msgspec.json.decode(zlib.decompress(block))
    wanted = next((frame for frame in frames if frame["at"] == at), None)
    return None if wanted is None else encode(wanted)


def story(source: Source, id: str) -> bytes:
    """The whole game in one piece."""
    return encode({"id": id, **replayed(source).story()})


def luck(source: Source) -> bytes:
    """How the dice fell, with a verdict."""
    if source.since is not None:
        raise Refused(410, "The rules of this game have moved; how its dice fell cannot be judged any more.")
    return encode(replays.judged(replayed(source), source.seed))
