"""Search: plays candidate answers on copies of the game and keeps the one that ends best. No ruleset is named here.

A ruleset gives an *adviser*: quick judgement that answers every decision, proposes a handful of candidates where a
decision is worth thought, and says what a position is worth. The search plays each candidate on a copy with dice of its
own, lets the adviser answer the rest of that activation and a few replies, and asks what came of it. Either bad
candidates are dropped half by half (sequential halving), or the search widens: it begins with the few that look best,
takes more of them in as playouts grow, and plays on with those that may still turn out best. How much is played is a
number, so the same seed plays the same game; the clock only stops a search that takes far too long.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Sequence
from typing import NamedTuple

from dieselfront.dice.throw import Dice
from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Adviser, Candidate, Effort, Memory, Worth
from dieselfront.players.learned import value_model

CALM_FROM = 4
"""Throws of so many dice and more are evened out in playouts."""

LONGEST = 400
"""No playout takes so many decisions; one that does is judged where it stands."""

FEWEST = 4
"""A search that widens begins with so many candidates."""

FEW = 3
"""So many playouts with the spread of all are added to those of a candidate."""

EVENLY = 4
"""One of so many playouts goes to whoever had fewest, so that nobody is dropped for one unlucky throw."""

SURE = 0.5
"""At the end what is known better counts more: so many standard errors are taken off."""

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
            fallen = []
            for _ in range(count):
                key = _mixed(key)
                fallen.append(sides[(key >> 16) % many])
            return tuple(fallen)
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


class Search:
    """What is known of the candidates for a decision: the playouts of each, and what they came to."""

    def __init__(
        self, game: Game, adviser: Adviser, memory: Memory, candidates: Sequence[Candidate], effort: Effort, seed: str
    ) -> None:
        assert game.pending is not None
        self.game = game
        self.adviser = adviser
        self.memory = memory
        self.candidates = candidates
        self.effort = effort
        self.player = game.pending.player
        self.root = number_of(seed)
        self.before = judged(game, adviser, self.player, effort)
        self.scale = in_points(game, effort)
        self.begun = time.thread_time()
        self.sums = [[0.0, 0.0, 0.0, 0.0] for _ in candidates]
        self.squares = [0.0] * len(candidates)
        self.counts = [0] * len(candidates)
        self.played = 0

    def is_late(self, share: float = 1.0) -> bool:
        """Has the clock run out, or that share of its time? One playout there is always."""
        return bool(self.played) and time.thread_time() - self.begun > share * self.effort.seconds

    def play(self, place: int) -> None:
        """One more playout of a candidate; all of them share their dice by number."""
        chance = self.root + self.counts[place]
        candidate = self.candidates[place]
        worth = playout(self.game, self.adviser, self.memory, candidate, self.player, self.effort, chance)
        self.counts[place] += 1
        self.played += 1
        total = self.sums[place]
        for part in range(4):
            total[part] += worth[part]
        self.squares[place] += (worth[0] - self.before.total) ** 2

    def score(self, place: int) -> float:
        """What the playouts gained on average, first sight counted as some playouts more."""
        value, count = self.scale * self.candidates[place].value, self.counts[place]
        trust = self.effort.trust
        return (self._gained(place) + trust * value) / (count + trust) if count else -1e9 + value

    def verdict(self, best: int) -> Verdict:
        mean = Worth(*(total / max(1, self.counts[best]) for total in self.sums[best]))
        return Verdict(self.candidates[best], mean, self.before, self.played)

    # -- half by half -------------------------------------------------------------------------------

    def halve(self) -> int:
        """All candidates get some playouts, the worse half goes, the rest get more; returns the best.

        Every round has an equal share of the time, and what earlier rounds left of theirs.
        """
        left = list(range(len(self.candidates)))
        rounds = max(1, (len(left) - 1).bit_length())
        for number in range(rounds):
            each = max(1, round(self.effort.playouts / (rounds * len(left))))
            for _ in range(each):
                if self.is_late((number + 1) / rounds):
                    break
                for place in left:
                    self.play(place)
            left.sort(key=lambda place: (-self.score(place), place))
            left = left[: (len(left) + 1) // 2]
        return left[0]

    # -- wider and wider ----------------------------------------------------------------------------

    def widen(self) -> int:
        """The most promising candidate gets the next playout, more of them take part as playouts grow."""
        while self.played < self.effort.playouts and not self.is_late():
            width = min(len(self.candidates), max(FEWEST, round(self.effort.widen * math.sqrt(self.played))))
            least = max(1, self.played // (EVENLY * width))
            neglected = next((place for place in range(width) if self.counts[place] < least), None)
            self.play(self._promising(width) if neglected is None else neglected)
        seen = [place for place, count in enumerate(self.counts) if count]
        usual, common = self._usual(), self._common()
        return max(seen, key=lambda one: (self._weighed(one, common) - SURE * self._error(one, usual), -one))

    def _promising(self, width: int) -> int:
        """Where the next playout tells most: a candidate that is good as far as is known, or of which little is."""
        doubt = self.effort.curious * math.sqrt(math.log(self.played + 1.0))
        usual, common = self._usual(), self._common()
        return max(range(width), key=lambda one: (self._weighed(one, common) + doubt * self._error(one, usual), -one))

    def _weighed(self, place: int, common: float) -> float:
        """What a candidate gains: its playouts, and first sight as some more of them."""
        trust = self.effort.trust
        expected = self.scale * self.candidates[place].value + common
        return (self._gained(place) + trust * expected) / (self.counts[place] + trust)

    def _common(self) -> float:
        """What playouts gain beyond first sight, whatever the candidate: after each of them the enemy is to act.

        Without it whoever had few playouts would be measured by another rule than whoever had many.
        """
        beyond = sum(
            self._gained(place) - count * self.scale * self.candidates[place].value
            for place, count in enumerate(self.counts)
        )
        return beyond / self.played if self.played else 0.0

    def _error(self, place: int, usual: float) -> float:
        """The standard error of a score; a candidate that had few playouts is taken to spread as all of them do."""
        count = self.counts[place]
        apart = self.squares[place] - self._gained(place) ** 2 / count if count else 0.0
        spread = (max(0.0, apart) + FEW * usual) / (FEW + max(0, count - 1))
        return math.sqrt(spread / (count + self.effort.trust))

    def _usual(self) -> float:
        """The variance of all playouts."""
        gained = sum(self._gained(place) for place in range(len(self.candidates)))
        return max(0.0, sum(self.squares) / self.played - (gained / self.played) ** 2) if self.played else 1.0

    def _gained(self, place: int) -> float:
        return self.sums[place][0] - self.counts[place] * self.before.total


def search(
    game: Game, adviser: Adviser, memory: Memory, candidates: Sequence[Candidate], effort: Effort, seed: str
) -> Verdict:
    """The best of the candidates for the player who has to decide."""
    looking = Search(game, adviser, memory, candidates, effort, seed)
    return looking.verdict(looking.widen() if effort.widen else looking.halve())


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
    worths: list[Worth] = []
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
                worths.append(judged(twin, adviser, player, effort))
        chosen = begins or (chosen and not opens)
        twin.choose_trusted(adviser.answer(twin, notes))
    last = judged(twin, adviser, player, effort)
    if not worths or pending is None:
        return last
    worths.append(last)
    return Worth(*(sum(part) / len(worths) for part in zip(*worths, strict=True)))


def in_points(game: Game, effort: Effort) -> float:
    """What a point at first sight is worth in judged positions: more than one where a better chance counts besides."""
    model = value_model(game.rules.id) if effort.learned else None
    return 1.0 if model is None else 1.0 + effort.learned * (model.base.early + model.base.end) / 8.0


def judged(game: Game, adviser: Adviser, player: int, effort: Effort) -> Worth:
    """What a position is worth: the adviser's judgement, and what was learned from played games if that counts."""
    model = value_model(game.rules.id) if effort.learned else None
    if model is None:
        return adviser.worth(game, player)
    worth, chance = model.judged(game, player, adviser)
    return worth._replace(total=worth.total + effort.learned * (chance - 0.5))


__all__ = ["Adviser", "Candidate", "Effort", "Memory", "OwnDice", "Verdict", "Worth", "number_of", "playout", "search"]
