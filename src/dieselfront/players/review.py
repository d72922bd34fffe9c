"""Review of a finished game: the chance to win at every activation, and what each gave up against the best one found.

An activation is judged three times, by the mean of many continuations with dice of their own: after the best plan that
the computer finds, after what the player really did, and where the real dice led. The first difference is what the
player gave up; the second is luck (and what the enemy did in between). No ruleset is named here.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from dieselfront.kernel.decisions import Answer, Decision, IllegalChoice, PickOne
from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Adviser, Candidate, Effort, Memory
from dieselfront.players.chance import Scales
from dieselfront.players.search import LONGEST, OwnDice, number_of, search

NOBODY = -1
"""Whose activation begins at the end of the game."""
TURNING = 0.08
"""A change of the chance by so much is a turning point."""
MOST_TURNING = 6
MOST_WORDS = 3
CANDIDATES = 8
FIRST_LOOK = 32
"""Continuations in which the best plan is looked for."""
CONTINUATIONS = 24
"""Fresh ones in which it is compared with what was done."""


class Moment(NamedTuple):
    """The beginning of an activation: after how many choices, in which turn, whose it is, the first side's chance."""

    choice: int
    turn: int
    player: int
    chance: float


class Made(NamedTuple):
    """One choice of the game as it was made: by whom, for which unit, and in words where they are few."""

    player: int
    key: str
    answer: Answer
    unit: str
    words: str


class Judged(NamedTuple):
    """What an activation was worth to the player who made it; all numbers are his chance to win.

    `best` is what the best plan promised, `chosen` what his own did, `after` where it led; `sure` tells whether the
    difference is larger than what so few continuations may err.
    """

    moment: Moment
    until: int
    unit: str
    text: str
    best: float
    chosen: float
    after: float
    instead: str
    continuations: int
    sure: bool

    @property
    def gave_up(self) -> float:
        return max(0.0, self.best - self.chosen) if self.sure else 0.0

    @property
    def luck(self) -> float:
        return self.after - self.chosen


class Course:
    """A whole game read once: what was chosen, and where activations begin.

    The first choices of a game whose rules moved meanwhile (`unknown` of them) cannot be looked at.
    """

    def __init__(self, adviser: Adviser, ruleset: str, unknown: int = 0) -> None:
        self.adviser = adviser
        self.scales = Scales(adviser, ruleset)
        self.made: list[Made] = [Made(NOBODY, "", None, "", "")] * unknown
        self.moments: list[Moment] = []
        self._counted = False

    def note(self, game: Game) -> None:
        """Look at a position of the game, before each choice."""
        decision = game.pending
        if decision is not None and self._begins(game, decision):
            turn = game.turn
            self.moments.append(Moment(len(self.made), turn, decision.player, self.scales.chance(game)))

    def choose(self, decision: Decision, answer: Answer) -> None:
        """Keep a choice."""
        about = decision.meaning(answer)
        words = decision.label(answer) if isinstance(decision, PickOne) else ""
        self.made.append(Made(decision.player, decision.key, answer, about.unit or decision.unit, words))

    def end(self, game: Game, chance: float | None = None) -> None:
        """The end of the game; `chance` is its result where it was given up or drawn by agreement."""
        turn = game.turn
        if not self.moments or self.moments[-1].choice < len(self.made):
            self.moments.append(Moment(len(self.made), turn, NOBODY, 0.5))
        last = self.scales.chance(game) if chance is None else chance
        self.moments[-1] = self.moments[-1]._replace(player=NOBODY, chance=last)

    def _begins(self, game: Game, decision: Decision) -> bool:
        """Does an activation begin here? Counted as playouts count (search.playout)."""
        begins, opens = self.adviser.begins(decision), self.adviser.opens(decision)
        fresh = begins or (opens and not self._counted and not self.adviser.inside(game))
        self._counted = begins or (self._counted and not opens)
        return fresh

    def turning_points(self) -> list[int]:
        """The activations after which the chance had changed most, in their order; numbers of moments."""
        changes = [
            (abs(after.chance - before.chance), number)
            for number, (before, after) in enumerate(zip(self.moments, self.moments[1:], strict=False))
        ]
        great = sorted((change for change in changes if change[0] >= TURNING), reverse=True)[:MOST_TURNING]
        return sorted(number for _, number in great)


class Reviewer:
    """Judges activations of a game whose course is known."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.adviser = course.adviser

    def judge(self, number: int, game: Game, after: Game, seconds: float) -> Judged:
        """The activation that begins at a moment; `game` stands there, `after` where it ended."""
        course, moment = self.course, self.course.moments[number]
        until = course.moments[number + 1].choice
        done = course.made[moment.choice : until]
        best = self._best(game, f"review/{moment.choice}", seconds * 0.5)
        root = number_of(f"continuations/{moment.choice}")
        seeds = range(root, root + CONTINUATIONS)
        promised, own = zip(*self._pairs(game, best, done, seeds, seconds * 0.5), strict=True)
        reached = fmean(self._on(after, moment.player, chance) for chance in seeds[: len(own)])
        return Judged(
            moment,
            until,
            done[0].unit,
            doings(done, moment.player),
            fmean(promised),
            fmean(own),
            reached,
            best.words if best else "",
            len(own),
            _is_sure(promised, own),
        )

    def _best(self, game: Game, seed: str, seconds: float) -> Candidate | None:
        """The best plan found; None where there is nothing to choose."""
        candidates = self.adviser.candidates(game, {}, CANDIDATES)
        if not candidates:
            return None
        effort = Effort(candidates=CANDIDATES, playouts=FIRST_LOOK, replies=1, blend=True, seconds=seconds)
        return search(game, self.adviser, {}, candidates[:CANDIDATES], effort, seed).best

    def _pairs(
        self, game: Game, best: Candidate | None, done: Sequence[Made], seeds: Sequence[int], seconds: float
    ) -> Iterator[tuple[float, float]]:
        """The player's chance after the best plan and after his own, with the same dice for both."""
        stop = time.thread_time() + seconds
        player = done[0].player
        for number, chance in enumerate(seeds):
            if number >= 2 and time.thread_time() > stop:
                return
            own = self._continued(game, player, chance, done)
            yield own if best is None else self.planned(game, player, chance, best), own

    # -- continuations ------------------------------------------------------------------------------

    def planned(self, game: Game, player: int, chance: int, best: Candidate) -> float:
        """The player's chance after a plan and one reply, with dice of this number."""
        twin = self._twin(game, player, chance)
        twin.choose_trusted(best.answer)
        return self._finished(twin, player, {player: best.note})

    def _continued(self, game: Game, player: int, chance: int, done: Sequence[Made]) -> float:
        """Do what the player did, as long as the new dice let him; the computer answers the rest."""
        twin = self._twin(game, player, chance)
        memory: Memory = {}
        for made in done:
            decision = twin.pending
            while decision is not None and decision.player != player and made.player == player:
                twin.choose_trusted(self.adviser.answer(twin, memory))
                decision = twin.pending
            if made.player != player:
                continue
            if decision is None or decision.key != made.key or not _allows(decision, made.answer):
                break
            twin.choose(made.answer)
        return self._finished(twin, player, memory)

    def _on(self, after: Game, player: int, chance: int) -> float:
        """From where the activation really ended."""
        return self._finished(self._twin(after, player, chance), player, {}, has_ended=True)

    def _twin(self, game: Game, player: int, chance: int) -> Game:
        twin = game.copy(dice=OwnDice(chance))
        self.adviser.imagine(twin, player, chance)
        return twin

    def _finished(self, twin: Game, player: int, memory: Memory, *, has_ended: bool = False) -> float:
        """Let the computer end the activation and play one reply; the mean of the chances after both."""
        chances: list[float] = []
        counted = not has_ended
        for _ in range(LONGEST):
            decision = twin.pending
            if decision is None:
                chances.append(self._chance(twin, player))
                break
            begins, opens = self.adviser.begins(decision), self.adviser.opens(decision)
            if begins or (opens and not counted and not self.adviser.inside(twin)):
                chances.append(self._chance(twin, player))
                if len(chances) == 2:
                    break
            counted = begins or (counted and not opens)
            twin.choose_trusted(self.adviser.answer(twin, memory))
        return fmean(chances) if chances else self._chance(twin, player)

    def _chance(self, twin: Game, player: int) -> float:
        first = self.course.scales.chance(twin)
        return first if player == 0 else 1.0 - first


def _allows(decision: Decision, answer: Answer) -> bool:
    try:
        decision.check(answer)
    except IllegalChoice:
        return False
    return True


def _is_sure(promised: Sequence[float], own: Sequence[float]) -> bool:
    """Is the mean difference larger than its standard error?"""
    gaps = [one - other for one, other in zip(promised, own, strict=True)]
    if len(gaps) < 2:
        return False
    return fmean(gaps) > stdev(gaps) / math.sqrt(len(gaps))


def doings(done: Sequence[Made], player: int) -> str:
    """What a player did in an activation, in a few words."""
    words = dict.fromkeys(made.words for made in done if made.player == player and made.words)
    return ", ".join(list(words)[:MOST_WORDS])


__all__ = ["NOBODY", "Course", "Judged", "Made", "Moment", "Reviewer", "doings"]
