"""Replays: any moment of a game within a moment, from copies set aside every few choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dieselfront import rulesets
from dieselfront.dice.die import Die
from dieselfront.kernel.events import GameEnded, Rolled, die_of
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import Record, start_replay, steps
from dieselfront.odds.luck import report as luck_report
from dieselfront.server.live import game_from

if TYPE_CHECKING:
    from dieselfront.kernel.ruleset import Ruleset

STEP = 8


class Replay:
    """A recorded game, ready to be looked at after any number of choices."""

    __slots__ = ("_copies", "_lines_of", "first", "kept", "last", "lines", "rules")

    def __init__(self, kept: Record, seed: str | None = None, since: Since | None = None) -> None:
        self.kept = kept
        self.rules = rulesets.load(kept.header.ruleset)
        self.first = 0 if since is None else since.choices
        """How many choices were made before its rules moved; they cannot be shown one by one."""
        if since is None:
            game = start_replay(self.rules, kept, seed)
            moves = steps(game, kept)
        else:
            game = game_from(self.rules, kept.header, seed or kept.seed, since.state)
            moves = unchecked_steps(game, kept.choices[since.choices :])
        self._copies = [game.copy()]
        for made in moves:
            if made % STEP == 0:
                self._copies.append(game.copy())
        self.last = game
        self.lines = list(lines(game, self.first, 0 if since is None else since.lines))
        self._lines_of: dict[int, list[dict[str, Any]]] = {}
        for line in self.lines:
            self._lines_of.setdefault(line["choice"], []).append(line)

    @property
    def choices(self) -> int:
        return len(self.kept.choices)

    def at(self, choices: int) -> Game:
        """The game after so many choices; a copy of its own."""
        after = choices - self.first
        game = self._copies[after // STEP].copy()
        for answer in self.kept.choices[self.first + after // STEP * STEP : choices]:
            game.choose(answer)
        return game

    def frame(self, choices: int) -> dict[str, Any]:
        """One moment: the position, what the last choice led to, and who decides next."""
        return self._frame(self.at(choices), choices)

    def frames(self) -> Iterator[dict[str, Any]]:
        """All moments that can be shown, one after another."""
        game = self._copies[0].copy()
        yield self._frame(game, self.first)
        for number, answer in enumerate(self.kept.choices[self.first :], self.first + 1):
            game.choose(answer)
            yield self._frame(game, number)

    def _frame(self, game: Game, choices: int) -> dict[str, Any]:
        decision = game.pending
        asked = None if decision is None else {"player": decision.player, "text": decision.text, "mine": False}
        return {
            "at": choices,
            "choices": self.choices,
            "view": self.rules.view(game.state),
            "log": self._lines_of.get(choices, []),
            "lines": len(game.events),
            "decision": asked,
            "answer": self.kept.choices[choices] if choices < self.choices else None,
            "turn": game.turn,
            "over": game.over,
        }

    def story(self) -> dict[str, Any]:
        """The whole game in one piece, for a page that shows a record."""
        header = self.kept.header
        ends = [event for event in self.last.events if isinstance(event, GameEnded)]
        result = {"winner": ends[-1].winner, "reason": ends[-1].reason, "kind": "played"} if ends else None
        return {
            "ruleset": header.ruleset,
            "scenario": {name: header.scenario.get(name) for name in ("id", "name", "text", "turns")},
            "seats": [
                {"seat": number, "name": name, "side": header.forces[number].get("name", "")}
                for number, name in enumerate(header.seats)
            ],
            "choices": self.choices,
            "log": self.lines,
            "view": self.rules.view(self.last.state),
            "turn": self.last.turn,
            "over": self.last.over,
            "result": result,
            "options": header.options,
            "commitment": header.commitment,
            "salt": header.salt,
            "seed": self.kept.seed,
            "thrown": int(self.last.state.dice_thrown),
            "dice": dice_facts(self.rules),
            "explained": [],
        }


class Since(NamedTuple):
    """Where a game goes on since its rules moved: the state, and how many choices and lines there were before."""

    state: bytes
    choices: int
    lines: int


def unchecked_steps(game: Game, choices: Sequence[Any]) -> Iterator[int]:
    """Make choices one by one; yields how many were made."""
    for number, answer in enumerate(choices, 1):
        game.choose(answer)
        yield number


def lines(game: Game, first_choice: int = 0, first_line: int = 0) -> Iterator[dict[str, Any]]:
    """The log of a game as snapshots tell it."""
    names = game.rules.names(game.state)
    marks = [*game.marks[1:], len(game.events)] if game.marks else [len(game.events)]
    choice = 0 if not game.marks else 1
    first = game.marks[0] if game.marks else len(game.events)
    for number, event in enumerate(game.events):
        while choice and number >= marks[choice - 1] and choice < len(marks):
            choice += 1
        yield {
            "n": number + first_line,
            "rule": event.rule,
            "kind": type(event).__name__,
            "text": event.sentence(names),
            "data": msgspec.to_builtins(event),
            "choice": first_choice + (0 if number < first else choice),
        }


# -- luck -------------------------------------------------------------------------------------------


def luck(game: Game) -> dict[str, Any]:
    """How the dice treated both sides: successes beside what was to be expected of the same dice."""
    sides = [_Luck(), _Luck()]
    rolls = []
    for number, event in enumerate(game.events):
        if isinstance(event, Rolled) and event.player in (0, 1):
            facts = sides[event.player].add(event, die_of(event, game.rules.dice))
            if facts is not None:
                rolls.append({"n": number, "player": event.player, "rule": event.rule, "label": event.label, **facts})
    return {"sides": [side.facts() for side in sides], "rolls": rolls}


def judged(shown: Replay, seed: str | None = None) -> dict[str, Any]:
    """The same with a verdict: how often luck like this comes up, exactly."""
    verdict = luck(shown.last)
    report = luck_report(shown.rules, shown.kept, seed)
    for side, tally in zip(verdict["sides"], report.sides, strict=True):
        side |= {"throws": tally.throws, "as_good": tally.as_good, "as_bad": tally.as_bad}
    verdict |= {"balance": report.balance, "as_extreme": report.as_extreme, "sentences": report.sentences()}
    return verdict


class _Luck:
    """One side's dice, added up."""

    def __init__(self) -> None:
        self.dice = 0
        self.successes = 0
        self.expected = 0.0
        self.variance = 0.0

    def add(self, event: Rolled, die: Die) -> dict[str, Any] | None:
        """One throw: every die of every stage against the faces it needed."""
        faces = [face for _, stage in event.stages for face in stage]
        if not faces:
            return None
        chance = float(die.chance(die.mask(event.needs)))
        successes = sum(face in event.needs for face in faces)
        self.dice += len(faces)
        self.successes += successes
        self.expected += len(faces) * chance
        self.variance += len(faces) * chance * (1.0 - chance)
        return {"dice": len(faces), "successes": successes, "expected": round(len(faces) * chance, 4)}

    def facts(self) -> dict[str, Any]:
        """In numbers: how many standard deviations above or below the expectation."""
        over = self.successes - self.expected
        return {
            "dice": self.dice,
            "successes": self.successes,
            "expected": round(self.expected, 3),
            "deviation": round(over / self.variance**0.5, 3) if self.variance > 0 else 0.0,
        }


def dice_facts(rules: Ruleset[Any]) -> list[dict[str, Any]]:
    """The dice of a game by name, with what stands on each side; the first is the usual one."""
    return [{"name": die.name, "sides": [die.faces[side] for side in die.sides]} for die in rules.dice]
