"""Search: plays candidate answers on copies of the game and keeps the one that ends best. No ruleset is named here.

A ruleset gives an *adviser*: quick judgement that answers every decision, proposes a handful of candidates where a
decision is worth thought, and says what a position is worth. The search plays each candidate on a copy with dice of its
own, lets the adviser answer the rest of that activation and a few replies, and asks what came of it. Bad candidates are
dropped half by half (sequential halving). How much is played is a number, so the same seed plays the same game; the
clock only stops a search that takes far too long.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from typing import NamedTuple

from dieselfront.dice.throw import Dice
from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Adviser, Candidate, Effort, Memory, Worth

CALM_FROM = 4
"""Throws of so many dice and more are evened out in playouts."""

LONGEST = 400
"""No playout takes so many decisions; one that does is judged where it stands."""

_MASK = (1 << 64) - 1


class Verdict(NamedTuple):
    """What a search found: the candidate, its mean worth, the worth before, and how many playouts it had."""

    best: Candidate
    mean: Worth
    before: Worth
    playouts: int


class OwnDice:
    """The dice of a playout: never those of the game, and evened out so that few playouts tell much.

    A throw of many dice takes one face from each of as many equal slices of chance, three times out of four; the
    fourth throw is plain, so that nothing that hangs on a tie goes on for ever.
    """

    __slots__ = ("seed",)

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def roll(self, question: Dice, number: int) -> tuple[int, ...]:
        sides = question.die.sides
        many = len(sides)
        count = question.count
        key = _mixed(self.seed + number * 0x9E3779B97F4A7C15)
        if count < CALM_FROM or not key & 3:
            found = []
            for _ in range(count):
                key = _mixed(key)
                found.append(sides[(key >> 16) % many])
            return tuple(found)
        slices = count * 4096
        calm = []
        for place in range(count):
            key = _mixed(key)
            calm.append(sides[(place * 4096 + (key >> 16) % 4096) * many // slices])
        return tuple(calm)

    def number(self, below: int, number: int) -> int:
        """A whole number from 0 to below-1, for draws that are not dice."""
        return (_mixed(self.seed + number * 0x9E3779B97F4A7C15) >> 16) % below


def _mixed(key: int) -> int:
    """A number well mixed from another one (SplitMix64)."""
    key = (key + 0x9E3779B97F4A7C15) & _MASK
    key = ((key ^ (key >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    key = ((key ^ (key >> 27)) * 0x94D049BB133111EB) & _MASK
    return key ^ (key >> 31)


def number_of(seed: str) -> int:
    """A seed's text as a number."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")


def search(
    game: Game, adviser: Adviser, memory: Memory, candidates: Sequence[Candidate], effort: Effort, seed: str
) -> Verdict:
    """The best of the candidates for the player who has to decide."""
    decision = game.pending
    assert decision is not None
    player = decision.player
    before = adviser.worth(game, player)
    stop = time.thread_time() + effort.seconds
    root = number_of(seed)
    sums = [[0.0, 0.0, 0.0, 0.0] for _ in candidates]
    counts = [0] * len(candidates)
    left = list(range(len(candidates)))
    rounds = max(1, (len(candidates) - 1).bit_length())
    played = 0
    for _ in range(rounds):
        each = max(1, round(effort.playouts / (rounds * len(left))))
        for _ in range(each):
            if played and time.thread_time() > stop:
                break
            for place in left:
                found = playout(game, adviser, memory, candidates[place], player, effort, root + counts[place])
                counts[place] += 1
                played += 1
                total = sums[place]
                for part in range(4):
                    total[part] += found[part]
        left.sort(key=lambda place: (-_score(sums[place][0], counts[place], candidates[place], before, effort), place))
        left = left[: (len(left) + 1) // 2]
    best = left[0]
    mean = Worth(*(total / max(1, counts[best]) for total in sums[best]))
    return Verdict(candidates[best], mean, before, played)


def _score(total: float, count: int, candidate: Candidate, before: Worth, effort: Effort) -> float:
    """What the playouts gained on average, first sight counted as some playouts more."""
    gained = total - count * before.total
    return (gained + effort.trust * candidate.value) / (count + effort.trust) if count else -1e9 + candidate.value


def playout(
    game: Game, adviser: Adviser, memory: Memory, candidate: Candidate, player: int, effort: Effort, chance: int
) -> Worth:
    """Play one candidate on a copy, the rest of its activation and some replies, and see what it is worth."""
    twin = game.copy(dice=OwnDice(chance))
    adviser.imagine(twin, player, chance)
    notes = dict(memory)
    decision = twin.pending
    assert decision is not None
    twin.choose_trusted(candidate.answer)
    notes[player] = candidate.note
    replies = max(effort.replies, adviser.to_the_end(game))
    judged: list[Worth] = []
    chosen = adviser.begins(decision)  # has the activation that comes next been counted?
    for _ in range(LONGEST):
        pending = twin.pending
        if pending is None:
            break
        begins, opens = adviser.begins(pending), adviser.opens(pending)
        if begins or (opens and not chosen and not adviser.inside(twin)):
            if not replies:
                break
            replies -= 1
            if effort.blend:
                judged.append(adviser.worth(twin, player))
        chosen = begins or (chosen and not opens)
        twin.choose_trusted(adviser.answer(twin, notes))
    last = adviser.worth(twin, player)
    if not judged or pending is None:
        return last
    judged.append(last)
    return Worth(*(sum(part) / len(judged) for part in zip(*judged, strict=True)))


__all__ = ["Adviser", "Candidate", "Effort", "Memory", "OwnDice", "Verdict", "Worth", "number_of", "playout", "search"]
