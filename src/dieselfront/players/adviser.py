"""Advisers: the quick judgement that a computer player searches with, and what it says.

A game may bring an adviser of its own (`adviser` in its folder); where it brings none, the general one advises
(general.py). Search and levels know only what stands here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import msgspec

from dieselfront.kernel.decisions import Answer, Decision
from dieselfront.kernel.game import Game
from dieselfront.rulesets import Companion

Memory = dict[int, Any]
"""What an adviser wants to remember in one line of play, by player: mostly the plan of the activation under way."""


class Candidate:
    """One way to answer the pending decision: the answer, its worth at first sight, and what is meant by it.

    `note` goes into the memory of the player who follows the candidate, so that later answers of the same activation
    carry out the plan. `words` say it in a few words, `numbers` with numbers where the adviser has them.
    """

    __slots__ = ("answer", "note", "numbers", "value", "words")

    def __init__(self, answer: Answer, value: float, note: Any = None, words: str = "", numbers: str = "") -> None:
        self.answer = answer
        self.value = value
        self.note = note
        self.words = words
        self.numbers = numbers


class Worth(NamedTuple):
    """What a position is worth to a player, in points: `total` decides, the rest explains it.

    `mine` and `theirs` are the points still alive on both sides, `goals` what objectives are worth to the player.
    """

    total: float
    mine: float
    theirs: float
    goals: float


class Effort(msgspec.Struct, frozen=True):
    """How much a level thinks: candidates, playouts in all, activations played after the own one, the brake."""

    candidates: int = 8
    playouts: int = 24
    replies: int = 1
    trust: float = 3.0
    """First sight counts as so many playouts."""
    blend: bool = False
    """Is the position judged after every reply and the mean taken, so that nobody's turn to act counts double?"""
    reactions: bool = True
    """Does it search in between, too (reactions), or only what to do with its own activations?"""
    learned: float = 0.0
    """Points that a certain win counts in the learned worth of a position (learned.py); 0 leaves it out."""
    widen: float = 0.0
    """More candidates come in as playouts grow: so many times their square root. 0 weighs all from the beginning."""
    curious: float = 0.7
    """While it widens: how much a candidate is worth another playout because little is known of it."""
    seconds: float = 3.0
    """A search that takes longer, in time of its own processor, answers with the best so far."""


class Level(msgspec.Struct, frozen=True):
    """What makes a level: how many candidates it sees, how far its judgement errs, and how much it searches."""

    candidates: int = 12
    noise: float = 0.0
    """Points by which its judgement of a candidate errs, as a standard deviation."""
    confusion: float = 0.0
    """Points more for every unit beyond the first that could act: the more there is to look at, the more is missed."""
    effort: Effort | None = None
    sharp: bool = False
    """Does it get the adviser's best proposals, those that cost more time?"""


class Adviser(ABC):
    """A game's quick judgement. It keeps no notes of its own but caches: what it remembers lies in the memory."""

    starts: ClassVar[frozenset[str]] = frozenset()
    """Keys of the decisions that begin an activation (who acts?); playouts are counted in them."""

    acts: ClassVar[frozenset[str]] = frozenset()
    """Keys of the first decision inside an activation: with one unit left to act nobody is asked who acts."""

    sharp: bool = False
    """Is it asked for its best proposals, those that cost more time? Levels say so."""

    levels: Mapping[str, Level] = {}
    """How levels think in this game, where that differs from the usual."""

    @abstractmethod
    def answer(self, game: Game, memory: Memory) -> Answer:
        """A sensible legal answer to the pending decision at once, following the plan in the memory."""

    @abstractmethod
    def candidates(self, game: Game, memory: Memory, most: int) -> Sequence[Candidate]:
        """Up to `most` different answers worth comparing, best first sight first; empty to follow `answer`."""

    @abstractmethod
    def worth(self, game: Game, player: int) -> Worth:
        """What the position is worth to a player."""

    def begins(self, decision: Decision) -> bool:
        """Does the decision begin an activation: who acts?"""
        return decision.key in self.starts

    def opens(self, decision: Decision) -> bool:
        """Is it the first decision inside an activation: what does the unit do?"""
        return decision.key in self.acts

    def inside(self, game: Game) -> bool:
        """Does the pending decision belong to an activation that was counted already?"""
        return False

    def imagine(self, game: Game, player: int, chance: int) -> None:  # noqa: B027, games without secrets need none
        """Replace what the player cannot know in a copy by a guess; `chance` is a number to draw from."""

    def measures(self, game: Game, player: int) -> tuple[Worth, dict[str, float]]:
        """What the position is worth to a player, and what can be counted in it; override to count once for both."""
        return self.worth(game, player), self.features(game, player)[1]

    def features(self, game: Game, player: int) -> tuple[float, dict[str, float]]:
        """How late it is, from 0 to 1, and what can be counted in the position, for `lab fit`."""
        return 0.0, {}

    def gives_up(self, game: Game, candidate: Candidate) -> bool:
        """Is this a plan that no level takes by mistake, such as leaving an objective in the last turn?"""
        return False

    def to_the_end(self, game: Game) -> int:
        """How many activations are left where only the result counts and playouts go all the way."""
        return 0


@runtime_checkable
class AdviserModule(Protocol):
    """What a game's module `adviser` gives."""

    def adviser(self, weights: dict[str, float]) -> Adviser:
        """Its adviser, with these weights."""


ADVISER: Companion[AdviserModule] = Companion("adviser", AdviserModule)

__all__ = ["ADVISER", "Adviser", "AdviserModule", "Candidate", "Effort", "Level", "Memory", "Worth"]
