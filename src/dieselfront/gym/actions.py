"""Actions: an index into the options of the current decision, each with its words and what it is about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Any, NamedTuple, overload

from dieselfront.kernel.decisions import Answer, Assign, Decision, PickSome, Place, say
from dieselfront.kernel.meaning import NOTHING, About, Option

MOST_LISTED = 5_000
"""Decisions with more combinations than this are sampled without counting which of them are legal."""
DRAWS = 4
"""How often, for each place in the list, an answer is drawn where there are too many to list."""


class Gist(NamedTuple):
    """What the columns of an option need to know of what it is about."""

    act: str
    unit: str
    target: str | None
    place: Any
    weapons: int
    careless: bool


def gist(about: About) -> Gist:
    """The gist of an answer."""
    return Gist(
        about.act,
        about.unit,
        about.targets[0] if about.targets else None,
        about.places[0] if about.places else None,
        len(about.weapons),
        about.careless,
    )


class Options(Sequence[Option]):
    """The options behind the indices of one decision, listed and put into words when somebody looks.

    That must be before the next step. All legal answers if there are at most `most`, else as many, drawn by the seed.
    """

    __slots__ = ("_answers", "_complete", "_decision", "_key", "_most", "_options", "_seed")

    def __init__(self, decision: Decision, most: int, seed: str) -> None:
        self._decision: Decision | None = decision
        self._key = (decision.player, decision.key, decision.unit)
        self._most = most
        self._seed = seed
        self._answers: list[Answer] | None = None
        self._options: dict[int, Option] = {}
        self._complete = True

    @property
    def answers(self) -> list[Answer]:
        """The plain answers, in the order of the indices."""
        if self._answers is None:
            self._answers, self._complete = list_answers(self.decision, self._most, self._seed)
        return self._answers

    @property
    def complete(self) -> bool:
        """Are these all legal answers, or a sample of them?"""
        return bool(self.answers) and self._complete

    @property
    def decision(self) -> Decision:
        """The decision itself, as long as it has not been made."""
        if self._decision is None:
            raise RuntimeError("These options belong to an earlier decision; read them before the next step.")
        return self._decision

    def expire(self) -> None:
        """The decision has been made: what nobody asked for can no longer be worked out."""
        self._decision = None

    def __len__(self) -> int:
        return len(self.answers)

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> list[Option]: ...
    def __getitem__(self, index: int | slice) -> Option | list[Option]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        if place not in self._options:
            answer = self.answers[place]
            self._options[place] = Option(answer, label(self.decision, answer), self.decision.meaning(answer))
        return self._options[place]

    def gists(self) -> list[Gist]:
        """The gist of every option, without its words."""
        decision = self.decision
        if isinstance(decision, Assign):
            return _assigned_gists(decision, self.answers)
        return [gist(decision.meaning(answer)) for answer in self.answers]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and (self._key, self.answers) == (other._key, other.answers)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Options of {self._key[1]!r}"


def _assigned_gists(decision: Assign, answers: Sequence[Answer]) -> list[Gist]:
    """The gists of assignments, from those of their parts, each of which is asked for once."""
    items, unit = decision.items, decision.unit
    known: dict[Any, About] = {}
    gists = []
    for answer in answers:
        parts = []
        for place, option in enumerate(answer):
            if option is not None:
                key = (place, option)
                if key not in known:
                    known[key] = decision.part_meaning(items[place], option)
                parts.append(known[key])
        gists.append(_joined(parts, unit) if parts else gist(NOTHING))
    return gists


def _joined(parts: Sequence[About], unit: str) -> Gist:
    """The gist of several things at once, as the meaning of an assignment tells them (Assign.meaning)."""
    target = place = None
    for part in parts:
        if target is None and part.targets:
            target = part.targets[0]
        if place is None and part.places:
            place = part.places[0]
    weapons = {weapon for part in parts for weapon in part.weapons}
    return Gist(parts[0].act, parts[0].unit or unit, target, place, len(weapons), False)


def label(decision: Decision, answer: Answer) -> str:
    """A whole answer in words; some decisions have words only for the parts of an answer."""
    if isinstance(decision, Assign):
        given = zip(decision.items, answer, strict=True)
        parts = [f"{decision.item(item)}: {decision.named(option)}" for item, option in given if option is not None]
        return "; ".join(parts) or say(None)
    if isinstance(decision, PickSome):
        return ", ".join(map(decision.named, answer)) or say(None)
    if isinstance(decision, Place):
        spot, facing = answer[:2]
        return decision.named(spot) if facing is None else f"{decision.named(spot)}, facing {say(facing)}"
    return decision.named(answer) or say(None)


def list_answers(decision: Decision, most: int, seed: str) -> tuple[list[Answer], bool]:
    """The answers behind the indices, and whether these are all."""
    if _combinations(decision) <= MOST_LISTED:
        answers = list(islice(decision.answers(), most + 1))
        if 0 < len(answers) <= most:
            return answers, True
    return _drawn(decision, most, Random(seed)), False


def _combinations(decision: Decision) -> int:
    """At most how many answers have to be tried to list the legal ones, where a list might take long."""
    if isinstance(decision, Assign):
        return math.prod(len(options) for options in decision.choices)
    if isinstance(decision, PickSome):
        count = len(decision.options)
        return sum(math.comb(count, size) for size in range(decision.least, min(decision.most, count) + 1))
    return 0


def _drawn(decision: Decision, most: int, chance: Random) -> list[Answer]:
    """Different legal answers, drawn until the list is full or nothing new comes."""
    drawn: dict[Any, None] = {}
    for _ in range(DRAWS * most):
        drawn[decision.sample(chance)] = None
        if len(drawn) == most:
            break
    return list(drawn)
