"""Questions that come up seldom (altitude, hovering, bombs, floors, flight): every answer is tried on copies.

Playouts themselves take the first sensible answer, so that peeking never peeks again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.kernel.decisions import Answer
from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Candidate, Memory
from dieselfront.players.search import OwnDice, number_of

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.adviser.adviser import WarfareAdviser

PEEKED = frozenset(
    {"altitude", "compulsory move", "turn", "bombs", "floor", "flight", "way of moving", "embark", "leader",
     "section leader", "obstacle"}
)  # fmt: skip
"""Questions whose answers are tried."""
TRIES = 4
MOST = 7
LONGEST = 60
TURNS = (0, -90, -45, 45, 90, -20, 20)


def peeked(adviser: WarfareAdviser, game: Game, memory: Memory) -> list[Candidate]:
    """Every answer with what the position is worth at the end of the activation; empty where none can be tried."""
    decision: Any = game.pending
    if not game.copyable or decision is None:
        return []
    answers = _answers(decision)
    if len(answers) < 2:
        return []
    before = adviser.worth(game, decision.player).total
    seed = number_of(f"peek/{len(game.choices)}/{decision.key}")
    made = []
    for answer in answers:
        total = sum(_tried(adviser, game, memory, answer, seed + number) for number in range(TRIES))
        made.append(Candidate(answer, total / TRIES - before, memory.get(decision.player), decision.label(answer)))
    return made


def _answers(decision: Any) -> Sequence[Answer]:
    if decision.key == "turn":
        return [turn for turn in TURNS if decision.least <= turn <= decision.most]
    return _first(decision.answers(), MOST)


def _first(answers: Iterable[Answer], most: int) -> list[Answer]:
    listed = []
    for answer in answers:
        listed.append(answer)
        if len(listed) >= most:
            break
    return listed


def _tried(adviser: WarfareAdviser, game: Game, memory: Memory, answer: Answer, seed: int) -> float:
    """What the position is worth once the activation is over."""
    assert game.pending is not None
    player, unit = game.pending.player, game.pending.unit
    part = _part(game)
    twin = game.copy(dice=OwnDice(seed))
    notes = dict(memory)
    assert twin.pending is not None
    twin.choose_trusted(answer)
    for _ in range(LONGEST):
        pending = twin.pending
        if pending is None or adviser.begins(pending) or (adviser.opens(pending) and pending.unit != unit):
            break
        if _part(twin) != part:
            break
        twin.choose_trusted(adviser.answer(twin, notes))
    return adviser.worth(twin, player).total


def _part(game: Game) -> tuple[int, str, int]:
    """Turn, phase, and whose part of it: when it is over so is the activation."""
    return game.state.turn, game.state.phase, game.state.active


__all__ = ["PEEKED", "peeked"]
