"""Replays: any moment of a game within a moment, from copies set aside every few choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.dice.die import Die
from dieselfront.kernel.events import GameEnded, Rolled, die_of
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import Record, start_replay, steps
from dieselfront.odds.luck import report as luck_report

STEP = 8


class Reel:
    """A recorded game, ready to be looked at after any number of choices."""

    __slots__ = ("_copies", "kept", "last", "lines", "rules")

    def __init__(self, kept: Record, seed: str | None = None) -> None:
        self.kept = kept
        self.rules = rulesets.load(kept.header.ruleset)
        game = start_replay(self.rules, kept, seed)
        self._copies = [game.copy()]
        for made in steps(game, kept):
            if made % STEP == 0:
                self._copies.append(game.copy())
        self.last = game
        self.lines = list(lines(game))

    @property
    def choices(self) -> int:
        return len(self.kept.choices)

    def at(self, choices: int) -> Game:
        """The game after so many choices; a copy of its own."""
        game = self._copies[choices // STEP].copy()
        for answer in self.kept.choices[choices // STEP * STEP : choices]:
            game.choose(answer)
        return game

    def frame(self, choices: int) -> dict[str, Any]:
        """One moment: the position, what the last choice led to, and who decides next."""
        game = self.at(choices)
        decision = game.pending
        asked = None if decision is None else {"player": decision.player, "text": decision.text, "mine": False}
        return {
            "at": choices,
            "choices": self.choices,
            "view": self.rules.view(game.state),
            "log": [line for line in self.lines if line["choice"] == choices],
            "lines": len(game.events),
            "decision": asked,
            "answer": self.kept.choices[choices] if choices < self.choices else None,
            "turn": int(getattr(game.state, "turn", 0)),
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
            "turn": int(getattr(self.last.state, "turn", 0)),
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


def lines(game: Game) -> Iterator[dict[str, Any]]:
    """The log of a game as snapshots tell it."""
    names = game.rules.names(game.state)
    marks = [*game.marks[1:], len(game.events)] if game.marks else [len(game.events)]
    choice = 0 if not game.marks else 1
    first = game.marks[0] if game.marks else len(game.events)
    for number, event in enumerate(game.events):
        while choice and number >= marks[choice - 1] and choice < len(marks):
            choice += 1
        yield {
            "n": number,
            "rule": event.rule,
            "kind": type(event).__name__,
            "text": event.sentence(names),
            "data": msgspec.to_builtins(event),
            "choice": 0 if number < first else choice,
        }


# -- luck -------------------------------------------------------------------------------------------


def luck(game: Game) -> dict[str, Any]:
    """How the dice treated both sides: successes beside what was to be expected of the same dice."""
    sides = [_Luck(), _Luck()]
    rolls = []
    for number, event in enumerate(game.events):
        if isinstance(event, Rolled) and event.player in (0, 1):
            told = sides[event.player].add(event, die_of(event, game.rules.dice))
            if told is not None:
                rolls.append({"n": number, "player": event.player, "rule": event.rule, "label": event.label, **told})
    return {"sides": [side.facts() for side in sides], "rolls": rolls}


def judged(reel: Reel, seed: str | None = None) -> dict[str, Any]:
    """The same with a verdict: how often luck like this comes up, exactly."""
    told = luck(reel.last)
    report = luck_report(reel.rules, reel.kept, seed)
    for side, tally in zip(told["sides"], report.sides, strict=True):
        side |= {"throws": tally.throws, "as_good": tally.as_good, "as_bad": tally.as_bad}
    told |= {"balance": report.balance, "as_extreme": report.as_extreme, "sentences": report.sentences()}
    return told


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


def dice_facts(rules: Any) -> list[dict[str, Any]]:
    """The dice of a game by name, with what stands on each side; the first is the usual one."""
    return [{"name": die.name, "sides": [die.faces[side] for side in die.sides]} for die in rules.dice]
