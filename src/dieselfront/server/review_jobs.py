"""Reviews of finished games, worked out piece by piece in the processes for long work (see reviews.py).

The outline comes first: who lost what, who held what, best strokes, worst luck, and the chance to win at every
activation. Then activations are judged, as many as a slice of time allows. `players.review` knows how.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from typing import Any

from dieselfront import players
from dieselfront.kernel.game import Game
from dieselfront.players.review import NOBODY, Course, Judged, Moment, Reviewer, doings
from dieselfront.server import replays
from dieselfront.server.jobs import Source, replayed
from dieselfront.server.replays import Replay
from dieselfront.server.shapes import (
    BestStroke,
    HeldObjective,
    JudgedActivation,
    RareThrow,
    Review,
    ReviewMoment,
    SideResult,
    UnitFate,
)

COURSES_KEPT = 4
MOST_JUDGED = 400
"""Activations of a game that are judged; the longest battles have a quarter of them."""
LEAST_SECONDS, MOST_SECONDS = 0.03, 2.0
"""Processor time for one activation."""
SLICE_SECONDS = 2.0
"""Processor time for the activations of one piece."""
OWN_DICE = "The dice were rolled at a real table, so nobody can try other ways with other dice."


class Read:
    """A whole game, read once: its course, and what both sides lost on the way."""

    def __init__(self, course: Course, strokes: list[BestStroke | None]) -> None:
        self.course = course
        self.strokes = strokes


_read: OrderedDict[str, Read] = OrderedDict()


def outline(source: Source, chance: float | None) -> Review:
    """Everything but the judgements; `chance` is the first side's result where the game was not played to its end."""
    made = replayed(source)
    read = reading(source, made, chance)
    course = read.course
    turning = set(course.turning_points())
    field = made.rules.field
    standing = field.units(made.last.state)
    unit_names = {unit.id: unit.name for unit in standing}
    throws = rare_throws(made)
    sides = [side_result(made, standing, side, read.strokes[side], throws[side]) for side in (0, 1)]
    held = [HeldObjective(str(one.name), one.points, one.holder) for one in field.objectives(made.last.state)]
    moments = [review_moment(course, number, unit_names, number in turning) for number in range(len(course.moments))]
    typed = made.last.dice is None
    of = 0 if typed else judged_count(course)
    return Review(of == 0, 0, of, sides, held, moments, [], OWN_DICE if typed else "")


def judge(source: Source, chance: float | None, first: int, seconds: float) -> list[JudgedActivation]:
    """Judgements of the activations from `first` on, as many as a slice of time allows; `seconds` are for all."""
    made = replayed(source)
    course = reading(source, made, chance).course
    reviewer = Reviewer(course)
    count = judged_count(course)
    each = min(MOST_SECONDS, max(LEAST_SECONDS, seconds / max(1, count)))
    stop = time.thread_time() + SLICE_SECONDS
    judgements = []
    for number in range(first, count):
        start, end = course.moments[number], course.moments[number + 1]
        judged = reviewer.judge(number, made.at(start.choice), made.at(end.choice), each)
        judgements.append(judged_activation(number, judged))
        if time.thread_time() > stop:
            break
    return judgements


def judged_count(course: Course) -> int:
    """How many activations of a game are judged: all but the last moment, which is the end."""
    return min(MOST_JUDGED, max(0, len(course.moments) - 1))


# -- reading ----------------------------------------------------------------------------------------


def reading(source: Source, made: Replay, chance: float | None) -> Read:
    """The game's course, kept for the next piece."""
    read = _read.pop(source.key, None)
    if read is None:
        read = read_through(made, chance)
    _read[source.key] = read
    while len(_read) > COURSES_KEPT:
        _read.popitem(last=False)
    return read


def read_through(made: Replay, chance: float | None) -> Read:
    """Play the game once more and look at every position."""
    ruleset = made.rules.id
    course = Course(players.adviser_of(ruleset, players.weights(ruleset)), ruleset, made.first)
    strokes = Strokes()
    game = made.at(made.first)
    strokes.look(game, course)
    for answer in made.kept.choices[made.first :]:
        decision = game.pending
        assert decision is not None
        course.note(game)
        course.choose(decision, decision.check(answer))
        game.choose(answer)
        strokes.look(game, course)
    course.end(game, chance)
    return Read(course, strokes.best)


class Strokes:
    """Watches what units lose from choice to choice, and keeps each side's best stroke."""

    def __init__(self) -> None:
        self.best: list[BestStroke | None] = [None, None]
        self._left: dict[str, float] = {}

    def look(self, game: Game, course: Course) -> None:
        """Compare with the position before."""
        units = game.rules.field.units(game.state)
        for side in (0, 1):
            struck = [
                (unit, self._left[unit.id] - unit.share * unit.points)
                for unit in units
                if unit.side != side and unit.share * unit.points < self._left.get(unit.id, 0.0)
            ]
            points = round(sum(lost for _, lost in struck), 1)
            before = self.best[side]
            if struck and (before is None or points > before.points):
                targets = list(dict.fromkeys(unit.name for unit, _ in struck))
                striker = self._striker(units, course, side)
                turn = game.turn
                self.best[side] = BestStroke(len(course.made), turn, striker, targets, points)
        self._left = {unit.id: unit.share * unit.points for unit in units}

    def _striker(self, units: Any, course: Course, side: int) -> str:
        """Whose choice it was, if it was this side's."""
        names = {unit.id: unit.name for unit in units if unit.side == side}
        last = course.moments[-1].choice if course.moments else 0
        for made in reversed(course.made[last:]):
            if made.player == side and made.unit in names:
                return str(names[made.unit])
        return ""


# -- telling ----------------------------------------------------------------------------------------


def side_result(made: Replay, standing: Any, side: int, best: BestStroke | None, worst: RareThrow | None) -> SideResult:
    """Losses by unit, the dearest first."""
    own = [unit for unit in standing if unit.side == side]
    fates = [UnitFate(unit.id, unit.name, unit.points, round(unit.share, 3)) for unit in own]
    fates.sort(key=lambda fate: -fate.points * (1 - fate.left))
    lost = sum(fate.points * (1 - fate.left) for fate in fates)
    name = str(made.kept.header.forces[side].get("name", ""))
    return SideResult(name, sum(unit.points for unit in own), round(lost, 1), fates, best, worst)


def rare_throws(made: Replay) -> list[RareThrow | None]:
    """The unluckiest throw of each side."""
    lines = made.lines
    worst: list[RareThrow | None] = [None, None]
    for roll in replays.luck(made.last)["rolls"]:
        dice, successes, expected = roll["dice"], roll["successes"], roll["expected"]
        chance = at_most(dice, expected / dice, successes)
        before = worst[roll["player"]]
        if successes < expected and (before is None or chance < before.chance):
            choice = lines[roll["n"]]["choice"] if roll["n"] < len(lines) else 0
            rare = RareThrow(choice, roll["label"], dice, successes, expected, round(chance, 6))
            worst[roll["player"]] = rare
    return worst


def at_most(dice: int, chance: float, successes: int) -> float:
    """The chance of so few successes or fewer."""
    return sum(
        math.comb(dice, count) * chance**count * (1 - chance) ** (dice - count) for count in range(successes + 1)
    )


def review_moment(course: Course, number: int, names: dict[str, str], turning: bool) -> ReviewMoment:
    moment = course.moments[number]
    if moment.player == NOBODY:
        return ReviewMoment(moment.choice, moment.turn, None, "", "", round(moment.chance, 4), False)
    done = course.made[moment.choice : until(course.moments, number)]
    unit = names.get(done[0].unit, "")
    text = doings(done, moment.player)
    if unit and not text.startswith(unit):
        text = f"{unit}: {text}" if text else unit
    return ReviewMoment(moment.choice, moment.turn, moment.player, unit, text, round(moment.chance, 4), turning)


def until(moments: list[Moment], number: int) -> int | None:
    """After how many choices an activation ends."""
    return moments[number + 1].choice if number + 1 < len(moments) else None


def judged_activation(number: int, judged: Judged) -> JudgedActivation:
    return JudgedActivation(
        number,
        round(judged.best, 4),
        round(judged.chosen, 4),
        round(judged.after, 4),
        round(judged.gave_up, 4),
        round(judged.luck, 4),
        judged.instead,
        judged.continuations,
    )


__all__ = ["judge", "outline"]
