"""The computer player of every level: an adviser's candidates, weighed at first sight or by search."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from dieselfront.kernel.decisions import Answer
from dieselfront.kernel.game import Game
from dieselfront.players.search import Adviser, Candidate, Effort, Memory, Verdict, search


class Level(msgspec.Struct, frozen=True):
    """What makes a level: how many candidates it sees, how far its judgement errs, and how much it searches."""

    candidates: int = 12
    noise: float = 0.0
    """Points by which its judgement of a candidate errs, as a standard deviation."""
    confusion: float = 0.0
    """Points more for every unit beyond the first that could act: the more there is to look at, the more is missed."""
    effort: Effort | None = None


class Opponent:
    """Answers decisions; after each activation it chose, `reason` says why in a line."""

    def __init__(self, adviser: Adviser, level: Level, seed: str) -> None:
        self.adviser = adviser
        self.level = level
        self.seed = seed
        self.chance = Random(seed)
        self.memory: Memory = {}
        self.reason = ""

    def choose(self, game: Game) -> Answer:
        decision = game.pending
        assert decision is not None
        found = self.adviser.candidates(game, self.memory, self.level.candidates)
        if not found:
            return self.adviser.answer(game, self.memory)
        chosen = self._weigh(game, decision.key, found)
        self.memory[decision.player] = chosen.note
        return chosen.answer

    def _weigh(self, game: Game, key: str, found: Sequence[Candidate]) -> Candidate:
        effort = self.level.effort
        own = key in self.adviser.starts or key in self.adviser.acts
        if effort is None or len(found) == 1 or not (own or effort.reactions):
            noise = self._error(game, key)
            if noise:
                found = self._sober(game, found)
            chosen = max(found, key=lambda c: c.value + (self.chance.gauss(0.0, noise) if noise else 0.0))
            self.reason = _told(chosen.words, chosen.numbers)
            return chosen
        seed = f"{self.seed}/{len(game.choices)}"
        verdict = search(game, self.adviser, self.memory, found[: effort.candidates], effort, seed)
        self.reason = why(verdict)
        return verdict.best

    def _error(self, game: Game, key: str) -> float:
        """How far its judgement errs here."""
        level = self.level
        if not level.confusion or key not in self.adviser.starts:
            return level.noise
        options = getattr(game.pending, "options", ())
        return level.noise + level.confusion * max(0, len(options) - 1)

    def _sober(self, game: Game, found: Sequence[Candidate]) -> Sequence[Candidate]:
        """Whoever errs does not err about everything: an adviser may tell plans that no level takes by mistake."""
        says = getattr(self.adviser, "gives_up", None)
        if says is None:
            return found
        best = max(found, key=lambda c: c.value)
        return [one for one in found if one is best or not says(game, one)]


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
    return _told(verdict.best.words, f"{said} ({verdict.playouts} playouts)")


def _told(words: str, numbers: str) -> str:
    return f"{words}: {numbers}" if words and numbers else words or numbers


__all__ = ["Level", "Opponent", "why"]
