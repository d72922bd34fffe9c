"""A game under the referee's hand: it stops at every decision and at every quiet moment, and its dice are scripted.

Nothing runs further than it is asked to: a leg from one quiet moment to the next that would need dice nobody scripted
is taken back, a choice that leads to such dice stops at the throw, and the session says which dice it waits for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from dieselfront.dice.throw import Dice
from dieselfront.kernel.decisions import NOT_FORCED, Answer, Decision
from dieselfront.kernel.game import QUIET, Play, Procedure, Quiet, State
from dieselfront.kernel.ruleset import Ruleset
from dieselfront.kernel.trail import Trail
from dieselfront.referee.errors import counted


class OutOfDice(Exception):
    """A throw asked for more dice than were scripted."""

    def __init__(self, question: Dice, left: int) -> None:
        needed = counted(question.count, "die", "dice")
        super().__init__(
            f"{question.label} needs {needed} ({question.stage}), "
            f"{left} {'is' if left == 1 else 'are'} left in the script"
        )
        self.question = question
        self.left = left


class BadFace(Exception):
    """A scripted face that the die asked for does not have."""

    def __init__(self, message: str, face: Any) -> None:
        super().__init__(message)
        self.face = face


class Thrown(NamedTuple):
    """What one throw took from the script."""

    label: str
    stage: str
    faces: tuple[str, ...]

    def __str__(self) -> str:
        stage = "" if self.stage in ("", "roll") else f", {self.stage}"
        return f"{self.label}{stage}: {' '.join(self.faces)}"


class Script:
    """Scripted faces, in order; each face may carry its line."""

    def __init__(self, faces: Sequence[Any] = ()) -> None:
        self.faces = list(faces)
        self.used = 0
        self.throws: list[Thrown] = []

    @property
    def left(self) -> list[Any]:
        return self.faces[self.used :]

    def roll(self, question: Dice) -> tuple[int, ...]:
        end = self.used + question.count
        if end > len(self.faces):
            raise OutOfDice(question, len(self.faces) - self.used)
        rolled = []
        for face in self.faces[self.used : end]:
            try:
                rolled.append(question.die.face(str(face)))
            except ValueError as error:
                raise BadFace(f"{error} ({question.label})", face) from None
        self.used = end
        self.throws.append(Thrown(question.label, question.stage, tuple(question.die.faces[face] for face in rolled)))
        return tuple(rolled)


if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVarWithDefault  # only type checkers know defaults before Python 3.13

    RulesT = TypeVarWithDefault("RulesT", covariant=True, bound=Ruleset[Any], default=Ruleset[Any])
    StateT = TypeVarWithDefault("StateT", bound=State, default=Any)
else:
    RulesT = TypeVar("RulesT")
    StateT = TypeVar("StateT")


class Session(Generic[RulesT, StateT]):
    """One position being played on; `Session` alone is one of any game, and a game's questions name their own types."""

    def __init__(self, rules: RulesT, state: StateT, script: Script, lengths: str = "in") -> None:
        self.rules = rules
        self.lengths = lengths
        """What bare numbers mean on a measured table."""
        self.script = script
        self.play = Play(rules, state)
        self.decision: Decision | None = None
        self.waits_for: Dice | None = None
        self.over = False
        self.stopped = False
        """Does a throw in the middle of things wait for dice?"""
        self.fresh = False
        """Is the pending decision the first after a quiet moment?"""
        self._rests = True  # was the last quiet moment one with nothing under way?
        self._procedure: Procedure = rules.resume(self.play)
        self._send(None)

    @property
    def state(self) -> StateT:
        return self.play.state

    @property
    def resting(self) -> bool:
        """Is it a quiet moment, with no decision looked for yet?"""
        return self.decision is None and not self.over and not self.stopped

    @property
    def begins(self) -> bool:
        """Is a decision pending with nothing under way before it?"""
        return self.fresh and self._rests

    def next_decision(self) -> Decision | None:
        """Go on from quiet moment to quiet moment until somebody has to decide; None if dice or the end come first."""
        while self.resting and self._leg():
            pass
        return self.decision

    def answer(self, answer: Answer) -> None:
        """Answer the pending decision and go on to the next one, the next quiet moment, or dice nobody scripted."""
        assert self.decision is not None
        self.decision = None
        self.fresh = False
        self._send(answer)

    def throw_on(self) -> None:
        """Go on with a throw that waited for its dice."""
        assert self.stopped and self.waits_for is not None
        question = self.waits_for
        rolled = self.script.roll(question)
        self.stopped = False
        self.play.state.dice_thrown += 1
        self._send(rolled)

    def is_forced(self) -> bool:
        """Is there only one legal answer, in the middle of things?"""
        return self.decision is not None and not self.fresh and self.decision.forced() is not NOT_FORCED

    def _leg(self) -> bool:
        """One leg; taken back, and False, if it needs dice and no scripted face is left."""
        before, logged = self.play.state.clone(), len(self.play.events)
        used, thrown = self.script.used, len(self.script.throws)
        try:
            self._send(None)
        except OutOfDice as error:
            if used < len(self.script.faces):
                raise
            self.waits_for = error.question
        if self.waits_for is not None:
            self.stopped = False
            self.play = Play(self.rules, before, Trail(self.play.events[:logged]))
            self._procedure = self.rules.resume(self.play)
            self._procedure.send(None)
            self.script.used = used
            del self.script.throws[thrown:]
            return False
        self.fresh = self.decision is not None
        return self.decision is None and not self.over

    def _send(self, answer: Any) -> None:
        self.waits_for = None
        while True:
            try:
                question = self._procedure.send(answer)
            except StopIteration:
                self.over = True
                return
            if isinstance(question, Quiet):
                self._rests = question is QUIET
                return
            if not isinstance(question, Dice):
                self.decision = question
                return
            if not self.script.faces:  # nobody scripted any dice here
                self.waits_for, self.stopped = question, True
                return
            answer = self.script.roll(question)
            self.play.state.dice_thrown += 1


__all__ = ["BadFace", "OutOfDice", "Script", "Session", "Thrown"]
