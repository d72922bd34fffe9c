"""The game loop: drives a ruleset's procedures, asks the players, answers dice, copies and takes back.

A procedure is a generator that yields questions: a Decision, a Dice question, or QUIET at a moment when no procedure is
under way except the outermost. At quiet moments the state is set aside; a copy or an undo starts from there and
repeats the few answers since. PAUSE is the same in the middle of a longer procedure that has written into the state
how to go on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from dieselfront.dice.rollers import Roller
from dieselfront.dice.throw import NOTHING_THROWN, Dice, Throw, Thrown, perform
from dieselfront.kernel.decisions import NOT_FORCED, Answer, Decision, IllegalChoice, TypeDice
from dieselfront.kernel.events import Event, GameEnded, Rolled, rolled
from dieselfront.kernel.trail import Trail

CHECK_TRUSTED = bool(os.environ.get("DIESELFRONT_CHECK_TRUSTED"))
"""Are answers that players give unchecked checked all the same? The tests do."""


class Quiet:
    """A marker: the state may be saved here."""

    __slots__ = ()


QUIET = Quiet()
PAUSE = Quiet()

ANSWERED: Any = object()
"""What a procedure may yield in place of a decision that a copy only repeats, see `Play.answered`."""

Question = Decision | Dice | Quiet
Procedure = Generator[Any, Any, Any]
"""Yields Questions; the answers come back by send."""


class State(Protocol):
    """What changes during play: small, slotted, plain."""

    turn: int
    """The turn that is played, from 1; 0 before the first."""
    dice_thrown: int

    def clone(self) -> Any: ...
    def facts(self) -> dict[str, Any]: ...


T = TypeVar("T")
_UNKNOWN: Any = object()

if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVarWithDefault  # only type checkers know defaults before Python 3.13

    from dieselfront.kernel.ruleset import Ruleset

    RulesT = TypeVarWithDefault("RulesT", covariant=True, bound=Ruleset[Any], default=Any)
    StateT = TypeVarWithDefault("StateT", default=Any)
else:
    RulesT = TypeVar("RulesT")
    StateT = TypeVar("StateT")


class Play(Generic[RulesT, StateT]):
    """What procedures hold in their hands: the state, the log and the ruleset.

    A game names the types of its own ruleset and state once (`playing.py` in its folder), and its chapters import
    `Play` from there; `Play` alone is the play of any game.
    """

    __slots__ = ("_asked", "_known", "answered", "log", "pauses", "rules", "state")

    def __init__(
        self, rules: RulesT, state: StateT, log: Trail[Event] | None = None, known: dict[int, Any] | None = None
    ) -> None:
        self.rules = rules
        self.state = state
        self.log: Trail[Event] = Trail() if log is None else log
        self.pauses = True
        """Is PAUSE of any use? Not where nobody can come back."""
        self.answered = False
        """Is the next question answered already? Then a copy repeats, and ANSWERED will do for a decision."""
        self._asked = 0
        self._known: dict[int, Any] = {} if known is None else known

    def once(self, find: Callable[[], T]) -> Callable[[], T]:
        """A value that follows from the position, worked out when it is first asked for.

        Copies of the game inherit it, so that repeating answers does not work it out again. Only procedures call this,
        never what lists options, and the value holds nothing of the state that changes: ids, places, cards.
        """
        number = self._asked
        self._asked = number + 1
        known = self._known

        def value() -> T:
            value_now: T = known.get(number, _UNKNOWN)
            if value_now is _UNKNOWN:
                value_now = known[number] = find()
            return value_now

        return value

    def now(self, find: Callable[[], T]) -> T:
        """The same for a value that is needed at once."""
        number = self._asked
        self._asked = number + 1
        value: T = self._known.get(number, _UNKNOWN)
        if value is _UNKNOWN:
            value = self._known[number] = find()
        return value

    def settle(self) -> None:
        """A quiet moment: what was known follows from a position that is left behind."""
        self._asked = 0
        self._known = {}

    def repeat(self) -> None:
        """Begin again at the quiet moment, knowing what was found out after it."""
        self._asked = 0

    def found_out(self) -> dict[int, Any]:
        """What is known since the quiet moment, for a copy."""
        return self._known.copy()

    @property
    def events(self) -> list[Event]:
        """The log so far."""
        return self.log.all()

    def emit(self, event: Event) -> None:
        """Write an event into the log."""
        self.log.own.append(event)

    def throw(
        self, throw: Throw, count: int, player: int, unit: str = "", rule: str = ""
    ) -> Generator[Dice, Any, Thrown]:
        """Roll a throw and log it under its rule. A copy that repeats it inherits what it came to."""
        if count <= 0:
            return NOTHING_THROWN
        number = self._asked
        self._asked = number + 1
        known: tuple[Thrown, Rolled] | None = self._known.get(number) if self.answered else None
        if known is None:
            thrown = yield from perform(throw, count, player)
            usual = self.rules.dice[0]
            event = rolled(rule or throw.rule, player, thrown, throw.label, throw.die, throw.faces, unit, usual)
            if self.pauses:
                self._known[number] = thrown, event
        else:
            thrown, event = known
            again = Dice(throw.die, count, player, throw.label)
            for _ in thrown.stages:
                yield again
        self.emit(event)
        return thrown


class Checkpoint:
    """The state at a quiet moment, how far log and choices were then, and choices at the last one that was no pause."""

    __slots__ = ("choices", "events", "settled", "state")

    def __init__(self, state: Any, events: int, choices: int, settled: int) -> None:
        self.state = state
        self.events = events
        self.choices = choices
        self.settled = settled


class CannotUndo(Exception):
    """Nothing to take back, or a die has been seen since."""


class CannotCopy(Exception):
    """The game was begun with `copyable=False`: no state has been set aside from which a copy could start."""


class Game:
    """One game under way: `decision` is what it waits for, None when it is over."""

    __slots__ = (
        "_answers",
        "_checkpoints",
        "_choices",
        "_dice_since",
        "_marks",
        "_pending_dice",
        "_procedure",
        "_stale",
        "copyable",
        "decision",
        "dice",
        "header",
        "keep_history",
        "play",
        "rules",
    )

    def __init__(
        self,
        rules: Ruleset[Any],
        state: Any,
        dice: Roller | None,
        header: Any = None,
        *,
        keep_history: bool = True,
        copyable: bool = True,
    ) -> None:
        """`keep_history` allows undo; without `copyable` (and history) no state is ever set aside, which is faster."""
        self.rules = rules
        self.header = header
        self.dice = dice
        self.keep_history = keep_history
        self.copyable = copyable or keep_history
        self.play: Play = Play(rules, state)
        self.play.pauses = self.copyable
        self._choices: Trail[Answer] = Trail()
        self._marks: Trail[int] = Trail()  # how long the log was when each choice was made
        self.decision: Decision | None = None
        self._answers: list[Any] = []
        self._checkpoints: list[Checkpoint] = []
        self._dice_since: list[int] = []
        self._pending_dice: Dice | None = None
        self._stale = False
        self._procedure: Procedure = rules.resume(self.play)
        self._run(None)

    # -- what people ask of a game --------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The position now."""
        return self.play.state

    @property
    def events(self) -> list[Event]:
        """The log so far."""
        return self.play.events

    @property
    def choices(self) -> list[Answer]:
        """Every answer given so far."""
        return self._choices.all()

    @property
    def marks(self) -> list[int]:
        """How long the log was when each choice was made."""
        return self._marks.all()

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return self.pending is None

    @property
    def pending(self) -> Decision | None:
        """The decision the game waits for."""
        if self._stale:
            self._revive()
        return self.decision

    @property
    def quiet(self) -> bool:
        """Is this a quiet moment: has nothing been answered since, and is nothing under way?"""
        last = self._checkpoints[-1]
        return not self._answers and last.settled == last.choices

    @property
    def settled(self) -> int:
        """How many choices had been made at the last quiet moment."""
        return self._checkpoints[-1].settled

    def set_aside_since(self, choices: int) -> bool:
        """Has the state been set aside after so many choices: is what was under way then over?"""
        return self._checkpoints[-1].choices > choices

    @property
    def checkpoint(self) -> Checkpoint:
        """The last moment from which a game can go on: its state, and how long log and choices were then."""
        return self._checkpoints[-1]

    @property
    def turn(self) -> int:
        """The turn that is played, from 1; 0 before the first."""
        turn: int = self.play.state.turn
        return turn

    @property
    def winner(self) -> int | None:
        """Who won, once the game is over; None for a draw."""
        for event in reversed(self.events):
            if isinstance(event, GameEnded):
                return event.winner
        return None

    def choose(self, answer: Answer) -> None:
        """Answer the pending decision; an illegal answer raises IllegalChoice and changes nothing."""
        decision = self.pending
        if decision is None:
            raise IllegalChoice("the game is over")
        self._accept(decision, decision.check(answer))

    def choose_trusted(self, answer: Answer) -> None:
        """Answer with one of the decision's own answers, unchecked; for players that read the options."""
        if self._stale:
            self._revive()
        decision = self.decision
        assert decision is not None
        answer = decision.tidy(answer)
        if CHECK_TRUSTED and not isinstance(decision, TypeDice):
            checked = decision.check(answer)
            if checked != answer or type(checked) is not type(answer):
                raise AssertionError(f"{decision.key!r} was answered with {answer!r}, which should be {checked!r}")
        self._accept(decision, answer)

    # -- copies and taking back -------------------------------------------------------------------

    def copy(self, dice: Roller | EllipsisType | None = ...) -> Game:
        """An independent game in the same position; `dice` replaces the dice of the copy.

        The copy repeats the answers since the last quiet moment when it is first used.
        """
        if not self.copyable:
            raise CannotCopy("This game was begun without copies; begin it with copyable=True.")
        last = self._checkpoints[-1]
        twin: Game = Game.__new__(Game)
        twin.rules = self.rules
        twin.header = self.header
        twin.dice = self.dice if isinstance(dice, EllipsisType) else dice
        twin.keep_history = False
        twin.copyable = True
        play = self.play
        twin.play = Play(self.rules, last.state.clone(), play.log.fork(last.events), play.found_out())
        twin._choices = self._choices.fork_all()
        twin._marks = self._marks.fork_all()
        twin.decision = None
        twin._answers = self._answers.copy()
        twin._checkpoints = [last]
        twin._dice_since = []
        twin._pending_dice = None
        twin._stale = True
        return twin

    def undo(self) -> None:
        """Take back the last choice; refused once dice have fallen after it."""
        if not self.choices or not self.keep_history:
            raise CannotUndo("there is no choice to take back")
        if self._dice_since and self._dice_since[-1] >= len(self._choices):
            raise CannotUndo("dice have fallen since the last choice; it cannot be taken back")
        wanted = len(self._choices) - 1
        while len(self._checkpoints) > 1 and self._checkpoints[-1].choices > wanted:
            self._checkpoints.pop()
        start = self._checkpoints[-1]
        again = self.choices[start.choices : wanted]
        self._choices = Trail(self.choices[: start.choices])
        self._marks = Trail(self.marks[: start.choices])
        self._dice_since = [seen for seen in self._dice_since if seen <= start.choices]
        self.play = Play(self.rules, start.state.clone(), Trail(self.play.events[: start.events]))
        self._checkpoints.pop()
        self._answers = []
        self._procedure = self.rules.resume(self.play)
        self._run(None)
        for answer in again:
            self.choose(answer)

    # -- the loop -------------------------------------------------------------------------------

    def _accept(self, decision: Decision, answer: Answer) -> None:
        pending = self._pending_dice
        log = self.play.log
        self._marks.own.append(log.inherited + len(log.own))
        self._choices.own.append(answer)
        if pending is not None:
            self._pending_dice = None
            self.play.state.dice_thrown += 1
            self._dice_since.append(len(self._choices))
            answer = tuple(pending.die.face(name) for name in answer)
        self._answers.append(answer)
        self._run(answer)

    def _run(self, answer: Any) -> None:
        """Go on until somebody has to decide, or the game is over."""
        send = self._procedure.send
        state = self.play.state
        answers = self._answers
        while True:
            try:
                question = send(answer)
            except StopIteration:
                self.decision = None
                return
            if isinstance(question, Dice):
                if self.dice is None:
                    self._ask_for_dice(question)
                    return
                answer = self.dice.roll(question, state.dice_thrown)
                state.dice_thrown += 1
                if self.keep_history and (not self._dice_since or self._dice_since[-1] != len(self._choices)):
                    self._dice_since.append(len(self._choices))
                answers.append(answer)
            elif isinstance(question, Quiet):
                self._set_aside(question)
                answer = None
            else:
                answer = question.forced()
                if answer is NOT_FORCED:
                    self.decision = question
                    return
                answers.append(answer)

    def _ask_for_dice(self, question: Dice) -> None:
        self._pending_dice = question
        self.decision = TypeDice(
            question.player,
            question.die.faces,
            question.count,
            question.stage,
            text=f"{question.label}: roll {question.count} dice and enter what they show",
            rule=question.throw.rule if question.throw else "",
        )

    def _set_aside(self, moment: Quiet) -> None:
        play = self.play
        choices = self._choices.inherited + len(self._choices.own)
        settled = choices if moment is QUIET or not self._checkpoints else self._checkpoints[-1].settled
        state = play.state.clone() if self.copyable else None
        mark = Checkpoint(state, play.log.inherited + len(play.log.own), choices, settled)
        if self.keep_history:
            self._checkpoints.append(mark)
        else:
            self._checkpoints = [mark]
        self._answers.clear()
        play.settle()

    def _revive(self) -> None:
        """Repeat the answers since the checkpoint, blindly: they were legal when they were given."""
        self._stale = False
        answers = self._answers
        play = self.play
        self._procedure = self.rules.resume(play)
        send = self._procedure.send
        state = play.state
        repeated, due = 0, len(answers)
        play.answered = due > 0
        answer: Any = None
        while True:
            try:
                question = send(answer)
            except StopIteration:
                self.decision = None
                return
            if isinstance(question, Quiet):
                play.repeat()
                answer = None
                continue
            if repeated == due:
                break
            if isinstance(question, Dice):
                state.dice_thrown += 1
            answer = answers[repeated]
            repeated += 1
            play.answered = repeated < due
        if not isinstance(question, Dice):
            self.decision = question
        elif self.dice is None:
            self._ask_for_dice(question)
        else:
            answer = self.dice.roll(question, state.dice_thrown)
            state.dice_thrown += 1
            answers.append(answer)
            self._run(answer)


__all__ = [
    "ANSWERED",
    "PAUSE",
    "QUIET",
    "CannotUndo",
    "Game",
    "Play",
    "Procedure",
    "Question",
    "Quiet",
    "Rolled",
    "State",
]
