"""Puzzles: positions of played battles in which one activation is clearly best, with the solution and the reason.

`rulesets/NAME/puzzles/ID.yaml` holds them, each a position of the blunder suite (blunders.py) that says by which battle
it came about and what kind of puzzle it is; see docs/puzzles.md. They are mined by puzzle_mine.py.

>>> from dieselfront.lab import puzzles
>>> puzzles.daily("2026-01-01").id == puzzles.daily("2026-01-01").id
True
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date as calendar_day
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from dieselfront import rulesets
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.kernel.game import Game
from dieselfront.lab import blunders
from dieselfront.lab.blunder_words import Scene, Taken
from dieselfront.lab.blunders import SIDES, Blunder, BlunderError
from dieselfront.lab.moments import reached
from dieselfront.lab.simulate import SimulationError
from dieselfront.referee.document import read

FOLDER = "puzzles"
OBJECTIVE = "objective"
"""The theme of puzzles that are about an objective; all others are kinds of acts (kernel/meaning.py)."""
LONGEST_ID = 28
"""A battle that began at a puzzle remembers it by its id; servers keep no longer ones."""


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What kind of puzzle it is; chances to win are those of the side that decides."""

    themes: list[str]
    difficulty: Literal["easy", "medium", "hard"]
    """Easy if the solution looks best at first sight, hard if several plans look better."""
    turn: int
    before: float
    best: float
    next_best: float
    best_words: str
    next_words: str
    tuning: Literal["fresh", "used"] = "fresh"
    """`used` once a player was improved with it: from then on it proves nothing about players."""


class Puzzle(msgspec.Struct, frozen=True):
    """One puzzle: a position of the blunder suite and what kind of puzzle it is."""

    blunder: Blunder
    facts: Facts

    @property
    def id(self) -> str:
        return self.blunder.id

    @property
    def ruleset(self) -> str:
        return self.blunder.ruleset

    @property
    def before(self) -> str:
        """The choices that lead to the position, as JSON."""
        return self.blunder.battle.choices if self.blunder.battle is not None else "[]"


class Verdict(msgspec.Struct, frozen=True):
    """What was made of a puzzle: is the activation over, was it right, and what was chosen?"""

    done: bool
    right: bool
    did: list[str]


def puzzles(ruleset: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game in the order of their files; none for a game that brings none."""
    folder = rulesets.folders().get(ruleset)
    return in_folder(folder / FOLDER) if folder is not None else ()


@cache
def in_folder(folder: Path) -> tuple[Puzzle, ...]:
    """The puzzles in a folder."""
    return tuple(read_puzzle(file.read_bytes(), file.stem) for file in sorted(folder.glob("*.yaml")))


def every_puzzle() -> tuple[Puzzle, ...]:
    """The puzzles of all games that can be played; the usual game comes first."""
    games = sorted(rulesets.names(), key=lambda name: (name != rulesets.DEFAULT, name))
    return tuple(puzzle for name in games for puzzle in puzzles(name))


def read_puzzle(data: bytes, id: str) -> Puzzle:
    """A puzzle from its file; its battle is played when it is set up."""
    blunder = blunders.read_blunder(data, id)
    if blunder.battle is None:
        raise BlunderError(f"{id}: 'battle' is missing.")
    if len(id) > LONGEST_ID:
        raise BlunderError(f"{id}: the name of a puzzle has at most {LONGEST_ID} letters.")
    top = read(data, f"{id}.yaml").table()
    try:
        facts = msgspec.convert(top["puzzle"].plain() if "puzzle" in top else None, Facts)
    except msgspec.ValidationError as error:
        raise BlunderError(f"{id}: puzzle: {error}") from None
    return Puzzle(blunder, facts)


def find(ruleset: str, id: str) -> Puzzle | None:
    """A puzzle by its game and its id."""
    return next((one for one in puzzles(ruleset) if one.id == id), None)


def unused(ruleset: str, only: Sequence[str] = ()) -> list[Puzzle]:
    """Those with which no player was improved yet, or those of them that are named."""
    known = {one.id: one for one in puzzles(ruleset) if one.facts.tuning == "fresh"}
    for id in only:
        if id not in known:
            spent = find(ruleset, id) is not None
            why = "has been used for tuning already." if spent else "does not exist."
            raise BlunderError(f"The puzzle '{id}' of {ruleset} {why}")
    if not known:
        raise BlunderError(f"There are no unused puzzles for {ruleset}; mine some with `dieselfront lab puzzles`.")
    return [known[id] for id in only] if only else list(known.values())


def daily(date: str, ruleset: str = "") -> Puzzle:
    """The puzzle of a day: all of them come up before one comes again, in an order that looks like chance."""
    known = puzzles(ruleset) if ruleset else every_puzzle()
    if not known:
        raise BlunderError(f"There are no puzzles for {ruleset or 'any game'}.")
    number = _day(date)
    circle, place = divmod(number, len(known))
    shuffled = sorted(known, key=lambda one: hashlib.sha256(f"{circle}/{one.ruleset}/{one.id}".encode()).digest())
    return shuffled[place]


def _day(date: str) -> int:
    try:
        return calendar_day.fromisoformat(date).toordinal()
    except ValueError:
        raise BlunderError(f"'{date}' is no day; expected one such as 2026-11-18.") from None


def start(puzzle: Puzzle, seats: tuple[str, str] = ("blue", "red")) -> Game:
    """The game at the position, with the dice of its battle ahead."""
    assert puzzle.blunder.battle is not None
    return reached(puzzle.ruleset, puzzle.blunder.battle, seats)


def judge(puzzle: Puzzle, choices: Sequence[Any]) -> Verdict:
    """What somebody chose from the position on: right as soon as the activation is over and meets the condition.

    Choices of both sides stand in their order; what comes after the activation is not looked at.
    """
    game = start(puzzle)
    began, events, side = len(game.choices), len(game.events), puzzle.blunder.side
    taken: list[Taken] = []
    for answer in choices:
        decision = game.pending
        if decision is None or game.settled > began:
            break
        try:
            checked = decision.check(answer)
        except IllegalChoice as error:
            raise BlunderError(f"{decision.key}: {error}") from None
        if decision.player == side:
            taken.append(Taken(decision, checked))
        game.choose(checked)
    done = game.pending is None or game.settled > began
    scene = Scene(game, side, taken, events, puzzle.blunder.lengths)
    return Verdict(done, done and blunders.judge(puzzle.blunder, scene), [one.in_words() for one in taken])


# -- writing ----------------------------------------------------------------------------------------------


def text_of(mined: Any) -> str:
    """A mined puzzle as a file."""
    facts = msgspec.to_builtins(mined)
    facts.pop("id")
    facts["side"] = SIDES[mined.side]
    written: str = yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=110)
    return written


def write(mined: Any, folder: Path) -> Path:
    """Write a mined puzzle into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{mined.id}.yaml"
    file.write_text(text_of(mined), encoding="utf-8")
    return file


def broken(ruleset: str) -> dict[str, str]:
    """The puzzles of a game that the rules of today do not lead to, or do not solve any more, each with the reason."""
    reasons = {}
    for one in puzzles(ruleset):
        try:
            scene = blunders.play(one.blunder, blunders.Solver(one.blunder))
            if not blunders.judge(one.blunder, scene):
                reasons[one.id] = "its solution does not meet its condition."
        except (SimulationError, IllegalChoice) as error:
            reasons[one.id] = str(error)
    return reasons


def mark_used(file: Path) -> None:
    """Mark the file of a puzzle: a player has been improved with it."""
    data = yaml.safe_load(file.read_text(encoding="utf-8"))
    data["puzzle"]["tuning"] = "used"
    file.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110), encoding="utf-8")


__all__ = [
    "Facts",
    "Puzzle",
    "Verdict",
    "broken",
    "daily",
    "every_puzzle",
    "find",
    "in_folder",
    "judge",
    "mark_used",
    "puzzles",
    "read_puzzle",
    "start",
    "text_of",
    "unused",
    "write",
]
