"""What the referee asks of a game: the keys of its position files, the state they describe, questions of its own.

A game keeps this in a companion module (`rulesets/<id>/referee`) as `ADAPTOR`; a variant without one uses its
relative's, and a game without any words of its own still has the general questions and `played:` positions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

from dieselfront.kernel.decisions import Decision, IllegalChoice
from dieselfront.kernel.record import Header
from dieselfront.kernel.ruleset import Ruleset
from dieselfront.referee.choices import Unclear
from dieselfront.referee.document import Entry
from dieselfront.referee.odds import odds
from dieselfront.referee.questions import HANDLERS, Questions
from dieselfront.referee.results import Answer
from dieselfront.referee.session import Session
from dieselfront.rulesets import Companion

RulesT = TypeVar("RulesT", bound=Ruleset[Any])

ODDS = "odds"
OwnQuestion = Callable[[Session[Any, Any], Entry], Answer]


class Adaptor(ABC, Generic[RulesT]):
    """How positions of a game are written, and what it alone can be asked."""

    keys: ClassVar[tuple[str, ...]]
    """What may stand at the top of a file, besides what every file has."""
    unit_keys: ClassVar[tuple[str, ...]]
    """What may be said about a unit."""
    phases: ClassVar[tuple[str, ...]] = ()
    statuses: ClassVar[tuple[str, ...]] = ()
    own_questions: ClassVar[Mapping[str, OwnQuestion]] = {}
    """Questions that only this game knows, `odds` among them."""
    objective_rules: ClassVar[tuple[str, ...]] = ()
    """The rules of holding objectives."""

    aim_words: ClassVar[Mapping[str, str]] = {}
    """Words behind the target of an aim, each with its meaning."""
    card_keys: ClassVar[Mapping[str, str]] = {}
    """What may be said about a card that is written out in a file."""
    traits: ClassVar[Mapping[str, str]] = {}
    """Words about single pieces of terrain."""
    tokens: ClassVar[tuple[str, ...]] = ()

    def fact_words(self) -> Mapping[str, Collection[str]]:
        """Facts of units that are words of closed lists, each by the last part of its path.

        A word of the list may have a number before it ("2 pins") or more words behind it ("out of ammo: Rifle").
        """
        return {"tokens": self.tokens, "status": self.statuses}

    def terrain_words(self, rules: RulesT) -> Mapping[str, str]:
        """The kinds of terrain, each with what it is or does."""
        return {}

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions that can be asked about its positions."""
        return tuple(dict.fromkeys((*HANDLERS, ODDS, *self.own_questions)))

    @abstractmethod
    def position(self, rules: RulesT, root: dict[str, Entry], options: dict[str, str]) -> Any:
        """The state that a file describes."""

    @abstractmethod
    def facing(self, state: Any, unit: str) -> Any:
        """Which way a unit looks, kept where a choice names no facing."""

    def words(self, session: Any, decision: Decision, wanted: Any) -> Any:
        """Words of this game that the shapes of decisions do not know; anything else comes back as it was."""
        return wanted

    def written(self, decision: Decision, answer: Any) -> Any:
        """An answer as it stands in a file, plain data that `words` reads back."""
        return [self.written(decision, part) for part in answer] if isinstance(answer, tuple | list) else answer

    def why_refused(
        self, session: Any, decision: Decision, wanted: Any, error: Unclear | IllegalChoice
    ) -> tuple[str, str] | None:
        """The rule and the reason that refuse an answer, where the game knows better than the decision does."""
        return None

    def why_not_asked(self, session: Any, key: str, wanted: Any, unit: str) -> tuple[str, str] | None:
        """The rule and the reason why a decision that a step speaks of is not asked; `unit` acted last."""
        return None

    def answer(self, session: Session, kind: str, entry: Entry) -> Answer:
        """The answer to one question about the position as it is now."""
        own = self.own_questions.get(kind)
        if own is not None:
            return own(session, entry)
        if kind == ODDS:
            return odds(session, entry)
        answer = Questions(session, lengths_of(session)).answer(kind, entry)
        if kind == "objectives":
            answer.rules = list(self.objective_rules)
        return answer


class PlainAdaptor(Adaptor[Ruleset[Any]]):
    """A game without words of its own: a file gives scenario and forces as a game's header holds them.

    All general questions can be asked, and `played:` leads to any position.
    """

    keys = ("scenario", "forces")
    unit_keys = ()

    def position(self, rules: Ruleset[Any], root: dict[str, Entry], options: dict[str, str]) -> Any:
        """The position before the first choice."""
        for key in self.keys:
            if key not in root:
                raise root["ruleset"].wrong(f"'{key}' is missing; {rules.name} begins from scenario and forces")
        scenario, forces = root["scenario"].plain(), root["forces"].plain()
        try:
            return rules.new_state(
                Header(rules.id, rules.version, scenario, forces, list(rules.sides), options=options)
            )
        except (ValueError, KeyError, TypeError) as error:
            raise root["scenario"].wrong(f"the game cannot be set up: {error}") from None

    def facing(self, state: Any, unit: str) -> Any:
        """Nothing is known about facings."""
        return None


@runtime_checkable
class RefereeModule(Protocol):
    """What a game's module `referee` gives."""

    @property
    def ADAPTOR(self) -> Adaptor[Any]:
        """How its positions are written, and what it alone can be asked."""


REFEREE: Companion[RefereeModule] = Companion("referee", RefereeModule)


def lengths_of(session: Session) -> str:
    """What bare numbers mean in the file that is being carried out."""
    return session.lengths


def adaptor_for(ruleset: str) -> Adaptor[Any]:
    """The adaptor of a ruleset or of its relative; a plain one where nobody wrote any."""
    module = REFEREE.of(ruleset)
    return PlainAdaptor() if module is None else module.ADAPTOR


__all__ = ["REFEREE", "Adaptor", "OwnQuestion", "PlainAdaptor", "adaptor_for", "lengths_of"]
