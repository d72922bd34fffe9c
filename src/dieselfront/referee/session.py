"""A game under the referee's hand: it stops at every decision and at every quiet moment, and its dice are scripted.

Nothing runs further than it is asked to: a leg from one quiet moment to the next that would need dice nobody scripted
is taken back, and the session says which dice it waits for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dieselfront.dice.throw import Dice
from dieselfront.kernel.decisions import NOT_FORCED, Answer, Decision
from dieselfront.kernel.game import Play, Procedure, Quiet
from dieselfront.kernel.trail import Trail


class OutOfDice(Exception):
    """A throw asked for more dice than were scripted."""

    def __init__(self, question: Dice, left: int) -> None:
        super().__init__(
            f"{question.label} needs {question.count} dice ({question.stage}), {left} are left in the script"
        )
        self.question = question
        self.left = left


class BadFace(Exception):
    """A scripted face that the die asked for does not have."""

    def __init__(self, message: str, face: Any) -> None:
        super().__init__(message)
        self.face = face


class Script:
    """Scripted faces, in order; each face may carry its line."""

    def __init__(self, faces: Sequence[Any] = ()) -> None:
        self.faces = list(faces)
        self.used = 0

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
                raise BadFace(str(error), face) from None
        self.used = end
        return tuple(rolled)


class Session:
    """One position being played on."""

    def __init__(self, rules: Any, state: Any, script: Script) -> None:
        self.rules = rules
        self.script = script
        self.play = Play(rules, state)
        self.decision: Decision | None = None
        self.waits_for: Dice | None = None
        self.over = False
        self._fresh = False  # is the pending decision the first after a quiet moment
        self._procedure: Procedure = rules.resume(self.play)
        self._send(None)

    @property
    def state(self) -> Any:
        return self.play.state

    @property
    def resting(self) -> bool:
        """Is it a quiet moment, with no decision looked for yet?"""
        return self.decision is None and not self.over

    def next_decision(self) -> Decision | None:
        """Go on from quiet moment to quiet moment until somebody has to decide; None if dice or the end come first."""
        while self.resting and self._leg():
            pass
        return self.decision

    def answer(self, answer: Answer) -> None:
        """Answer the pending decision and go on to the next one or the next quiet moment."""
        assert self.decision is not None
        self.decision = None
        self._fresh = False
        self._send(answer)

    def is_forced(self) -> bool:
        """Is there only one legal answer, in the middle of things?"""
        return self.decision is not None and not self._fresh and self.decision.forced() is not NOT_FORCED

    def _leg(self) -> bool:
        """One leg; taken back, and False, if it needs dice and no scripted face is left."""
        before, logged = self.play.state.clone(), len(self.play.events)
        used = self.script.used
        try:
            self._send(None)
        except OutOfDice as error:
            if used < len(self.script.faces):
                raise
            self.waits_for = error.question
            self.play = Play(self.rules, before, Trail(self.play.events[:logged]))
            self._procedure = self.rules.resume(self.play)
            self._procedure.send(None)
            self.script.used = used
            return False
        self._fresh = self.decision is not None
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
                return
            if not isinstance(question, Dice):
                self.decision = question
                return
            answer = self.script.roll(question)
            self.play.state.dice_thrown += 1


__all__ = ["BadFace", "OutOfDice", "Script", "Session"]
