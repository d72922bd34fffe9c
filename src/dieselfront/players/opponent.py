"""The computer player of every level: an adviser's candidates, weighed at first sight or by search."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random

from dieselfront.kernel.decisions import Answer, Decision
from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Adviser, Candidate, Level, Memory
from dieselfront.players.search import Verdict, search


class Opponent:
    """Answers decisions; after each activation it chose, `reason` says why in a line.

    `thought` is how long it thought about every choice among several candidates, in seconds of processor time.
    """

    copies = True

    def __init__(self, adviser: Adviser, level: Level, seed: str) -> None:
        self.adviser = adviser
        self.level = level
        self.seed = seed
        self.chance = Random(seed)
        self.memory: Memory = {}
        self.reason = ""
        self.thought: list[float] = []

    def choose(self, game: Game) -> Answer:
        decision = game.pending
        assert decision is not None
        started = time.thread_time()
        candidates = self.adviser.candidates(game, self.memory, self.level.candidates)
        if not candidates:
            return self.adviser.answer(game, self.memory)
        chosen = self._weigh(game, decision, candidates)
        self.memory[decision.player] = chosen.note
        if len(candidates) > 1:
            self.thought.append(time.thread_time() - started)
        return chosen.answer

    def _weigh(self, game: Game, decision: Decision, candidates: Sequence[Candidate]) -> Candidate:
        effort = self.level.effort
        own = self.adviser.begins(decision) or self.adviser.opens(decision)
        if effort is None or len(candidates) == 1 or not (own or effort.reactions):
            noise = self._error(decision)
            if noise:
                candidates = self._sober(game, candidates)
            chosen = max(candidates, key=lambda c: c.value + (self.chance.gauss(0.0, noise) if noise else 0.0))
            self.reason = _with_numbers(chosen.words, chosen.numbers) + against(candidates, chosen)
            return chosen
        seed = f"{self.seed}/{len(game.choices)}"
        verdict = search(game, self.adviser, self.memory, candidates[: effort.candidates], effort, seed)
        self.reason = why(verdict) + against(candidates, verdict.best)
        return verdict.best

    def _error(self, decision: Decision) -> float:
        """How far its judgement errs here."""
        level = self.level
        if not level.confusion or not self.adviser.begins(decision):
            return level.noise
        return level.noise + level.confusion * max(0, decision.count() - 1)

    def _sober(self, game: Game, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """Whoever errs does not err about everything: an adviser may tell plans that no level takes by mistake."""
        best = max(candidates, key=lambda c: c.value)
        return [one for one in candidates if one is best or not self.adviser.gives_up(game, one)]


def why(verdict: Verdict) -> str:
    """A verdict in one line: what is meant, and what is expected of it after the replies."""
    before, after = verdict.before, verdict.mean
    parts = [
        f"expects to destroy {max(0.0, before.theirs - after.theirs):.1f} points",
        f"to lose {max(0.0, before.mine - after.mine):.1f}",
    ]
    goals = after.goals - before.goals
    if abs(goals) >= 0.5:
        parts.append(f"objectives {goals:+.1f}")
    said = ", ".join(parts)
    return _with_numbers(verdict.best.words, f"{said} ({verdict.playouts} playouts)")


def against(candidates: Sequence[Candidate], chosen: Candidate) -> str:
    """The choice it was weighed against: the best other one at first sight."""
    others = [one for one in candidates if one.words and one.words != chosen.words]
    if not chosen.words or not others:
        return ""
    return f"; weighed against {max(others, key=lambda one: one.value).words}"


def _with_numbers(words: str, numbers: str) -> str:
    return f"{words}: {numbers}" if words and numbers else words or numbers


__all__ = ["Level", "Opponent", "why"]
