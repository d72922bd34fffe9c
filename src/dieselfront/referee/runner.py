"""One referee file from beginning to end: the position, the questions, the choices with their scripted dice.

What a position looks like is the affair of each game's companion module (contract.py); what a case file expects is
compared in expectations.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dieselfront import rulesets
from dieselfront.kernel.decisions import NOT_FORCED, Decision, IllegalChoice, say
from dieselfront.kernel.events import facts
from dieselfront.referee import choices
from dieselfront.referee.choices import NOBODY, Unclear, Unreadable, simple
from dieselfront.referee.contract import ODDS, Adaptor, adaptor_for
from dieselfront.referee.document import Entry, read_all
from dieselfront.referee.errors import RefereeError, counted, suggestion
from dieselfront.referee.expectations import Expectations, Failure, refusal_problem, shown
from dieselfront.referee.from_game import played_state
from dieselfront.referee.measured_positions import length_unit
from dieselfront.referee.results import Answer, EventLine, Verdict
from dieselfront.referee.session import BadFace, OutOfDice, Script, Session
from dieselfront.referee.spelling import Spelling
from dieselfront.referee.vocabulary import check_decision, check_rule, check_rules_in
from dieselfront.scenarios.battle import BattleError, checked_options

if TYPE_CHECKING:
    from dieselfront.kernel.ruleset import Ruleset

COMMON_KEYS = (
    *("ruleset", "title", "text", "options", "ask", "do", "dice", "defaults"),
    *("expect", "refused", "rules", "source"),
)
MOST_EVENTS = 12
UNNAMED = ("answer", "choose")
BESIDE = ("dice", "expect", "refused", "note")
"""What may stand beside a choice; `note` is for readers."""


def judge(data: bytes, name: str = "the file") -> Verdict:
    """The whole file: position, questions, choices. Anything wrong is a RefereeError with its line."""
    documents = read_all(data, name)
    if len(documents) > 1 or "cases" in (documents[0].pairs or {}):
        raise RefereeError(f"{name} holds several cases; `dieselfront referee check` runs them all")
    return judge_entry(documents[0])


def judge_entry(root: Entry) -> Verdict:
    """The same for a file that has been read."""
    file_run = prepare(root)
    file_run.carry_out()
    return file_run.verdict()


def prepare(root: Entry) -> FileRun:
    """The position of a file, set up and ready for its questions and choices."""
    top = root.table()
    if "ruleset" not in top:
        raise RefereeError(f"'ruleset' is missing; expected one of {', '.join(rulesets.names())}", root.line)
    id = top["ruleset"].text()
    if id not in rulesets.names():
        raise top["ruleset"].wrong(f"there is no ruleset '{id}' to referee{suggestion(id, rulesets.names())}")
    adaptor = adaptor_for(id)
    rules = rulesets.load(id)
    for entry in top["rules"].entries() if "rules" in top else ():
        for rule in entry.words():
            check_rule(id, rule, entry)
    if "played" in top:
        root.table((*COMMON_KEYS, "played"))
        return FileRun(rules, adaptor, top, played_state(rules, top["played"]))
    root.table((*COMMON_KEYS, *adaptor.keys))
    state = adaptor.position(rules, top, _options(rules, top))
    return FileRun(rules, adaptor, top, state)


def _options(rules: Ruleset[Any], top: dict[str, Entry]) -> dict[str, str]:
    """House rulings, each checked where it stands."""
    chosen: dict[str, str] = {}
    for name, entry in top["options"].table().items() if "options" in top else ():
        try:
            chosen |= checked_options(rules, {name: entry.text()})
        except BattleError as error:
            raise RefereeError(str(error).rstrip("."), entry.line) from None
    return chosen


class Step:
    """One step of `do`: the key of its decision (empty where only the answer is written), the answer, and more."""

    __slots__ = ("beside", "choice", "entry", "key")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.beside: dict[str, Entry] = {}
        if not entry.is_table:
            self.key, self.choice = "", entry
            return
        pairs = dict(entry.table())
        self.beside = {name: pairs.pop(name) for name in BESIDE if name in pairs}
        if len(pairs) > 1 or (not pairs and not self.beside):
            raise entry.wrong(f"expected one choice and perhaps dice, not {', '.join(pairs) or 'nothing'}")
        key, self.choice = next(iter(pairs.items())) if pairs else ("", entry)
        self.key = "" if key in UNNAMED else key
        if not pairs:
            self.key = "nothing to choose"

    @property
    def has_choice(self) -> bool:
        return self.choice is not self.entry or not self.entry.is_table

    @property
    def dice(self) -> Entry | None:
        return self.beside.get("dice")


class FileRun:
    """One file being carried out."""

    def __init__(self, rules: Ruleset[Any], adaptor: Adaptor[Any], top: dict[str, Entry], state: Any) -> None:
        self.rules = rules
        self.adaptor = adaptor
        self.top = top
        self.main = Script([Face(entry) for entry in top["dice"].entries()] if "dice" in top else [])
        self.session = Session(rules, state, self.main, length_unit(top, rules))
        self.answers: list[Answer] = []
        self.events: list[EventLine] = []
        self.failures: list[Failure] = []
        self.step = 0
        self.dice_of_steps = 0
        self.steps = [Step(entry) for entry in top["do"].entries()] if "do" in top else []
        self.defaults = {simple(key): entry.plain() for key, entry in self._default_entries()}
        self._acting = ""  # the unit of the last answer
        self._passed: RefereeError | None = None  # why a forced decision did not take the answer of the next step

    def _default_entries(self) -> list[tuple[str, Entry]]:
        return list(self.top["defaults"].table().items()) if "defaults" in self.top else []

    # -- the order of things --------------------------------------------------------------------

    def carry_out(self) -> None:
        """Questions, choices, and whatever follows by itself."""
        self._check_defaults()
        for question in self.top["ask"].entries() if "ask" in self.top else ():
            self._ask(question)
        for number, step in enumerate(self.steps, 1):
            self.step = number
            self._do(step)
        self._guard(self.top.get("dice") or self.top.get("do") or self.top["ruleset"], self._finish)
        self._check_left(self.main)
        self._guard(self.top["ruleset"], self.session.next_decision)
        self._note()
        if "expect" in self.top:
            self.failures += Expectations(self, self.top["expect"]).of_end()

    def _check_defaults(self) -> None:
        """Defaults may never be needed; all the same they must name decisions, and answers that can be read."""
        for key, entry in self._default_entries():
            check_decision(self.rules.id, key, entry)
            answer = entry.plain()
            if answer != choices.FIRST and not self._is_nothing(entry):
                unread = self.spelling().unreadable(None, answer)
                if unread is not None:
                    raise entry.wrong(f"{answer!r} can never be an answer; {unread}")

    def _finish(self) -> None:
        """Whatever follows by itself from the last choice, as far as the dice go."""
        if self.steps or self.main.left:
            self._settle(None)
            self.session.next_decision()
            self._settle(None)
            self._note()

    def verdict(self) -> Verdict:
        """What came of it."""
        session = self.session
        title = self.top["title"].text() if "title" in self.top else ""
        decision = decision_facts(session)
        state = self.rules.view(session.state)
        used = self.main.used + self.dice_of_steps
        failed = [failure.to_json() for failure in self.failures]
        return Verdict(self.rules.id, title, self.answers, self.events, state, decision, used, failed)

    def _note(self) -> None:
        """Put new events into words, while the names they speak of are still true."""
        names = self.rules.names(self.session.state)
        for event in self.session.play.events[len(self.events) :]:
            self.events.append(EventLine(facts(event), event.sentence(names), self.step))

    def spelling(self) -> Spelling:
        """The words of the table as it is now, and of what has happened on it."""
        return Spelling(self.session, [line.text for line in self.events])

    # -- questions ------------------------------------------------------------------------------

    def _ask(self, question: Entry) -> None:
        """A question is a table with one key, or one word; `expect` and `refused` may stand beside it."""
        beside: dict[str, Entry] = {}
        if question.is_table:
            pairs = dict(question.table())
            beside = {name: pairs.pop(name) for name in BESIDE if name in pairs}
            if len(pairs) != 1:
                raise question.wrong(f"expected one question, such as sight, not {len(pairs)}: {', '.join(pairs)}")
            kind, entry = next(iter(pairs.items()))
        else:
            kind, entry = question.text(), question
        try:
            answer = self._answered(question, kind, entry)
        except RefereeError as error:
            if "refused" not in beside:
                raise
            self._expect_refusal(beside["refused"], error)
            return
        if "refused" in beside:
            self.failures.append(Failure(beside["refused"].line, f"the question {kind} was answered, not refused"))
        answer.line, answer.after = int(question.line), self.step
        self.answers.append(answer)
        if "expect" in beside:
            self.failures += Expectations(self, beside["expect"]).of_answer(answer)

    def _answered(self, question: Entry, kind: str, entry: Entry) -> Answer:
        if kind == "options":
            self._guard(entry, self.session.next_decision)
            return options_answer(self.session)
        if kind not in self.adaptor.questions:
            known = ("options", *self.adaptor.questions)
            raise RefereeError(f"'{kind}' is no question the referee knows{suggestion(kind, known)}", question.line)
        if kind == ODDS and kind not in self.adaptor.own_questions:
            self._guard(entry, self.session.next_decision)
        try:
            return self.adaptor.answer(self.session, kind, entry)
        except RefereeError as error:
            if error.about and error.forbids:  # what nobody has heard of is misspelt
                error.forbids = self.spelling().knows(error.about)
            raise

    def _expect_refusal(self, expected: Entry, error: RefereeError) -> None:
        """Only what was understood can be refused; anything else is a mistake of the file."""
        if not error.is_refusal:
            raise error
        check_rules_in(self.rules.id, expected.plain(), expected)
        problem = refusal_problem(expected.plain(), error)
        if problem is not None:
            self.failures.append(Failure(expected.line, problem))

    # -- choices --------------------------------------------------------------------------------

    def _do(self, step: Step) -> None:
        """One step: a choice by its key or its words, perhaps with dice of its own; or a question in between."""
        if step.key == "ask":
            for question in step.choice.entries():
                self._ask(question)
            return
        try:
            self._carry_out(step)
        except RefereeError as error:
            if "refused" not in step.beside:
                raise
            self._note()
            self._expect_refusal(step.beside["refused"], error)
            return
        if "refused" in step.beside:
            what = f"step {self.step} ({step.key or 'answer'})"
            self.failures.append(Failure(step.beside["refused"].line, f"{what} was carried out, not refused"))
        if "expect" in step.beside:
            self.failures += Expectations(self, step.beside["expect"]).of_step()

    def _carry_out(self, step: Step) -> None:
        own = Script([Face(face) for face in step.dice.entries()]) if step.dice is not None else None
        script, self.session.script = self.session.script, own or self.session.script
        try:
            if own is not None and own.faces and self.session.stopped:
                self._guard(step.entry, self.session.throw_on)
            if step.has_choice:
                self._guard(step.entry, lambda: self._choose(step))
            self._guard(step.entry, lambda: self._settle(self._next_step()))
            if own is not None and own.left and self.session.resting:
                self._guard(step.entry, self.session.next_decision)
        finally:
            self.session.script = script
        self._note()
        if own is not None:
            self.dice_of_steps += own.used
            self._check_left(own, "of this choice ")

    def _choose(self, step: Step) -> None:
        """Find the decision that the step answers, letting forced and default answers pass, and answer it."""
        key = step.key
        while True:
            if self._is_idle(step, key):
                return
            decision = self._pending(step)
            if not key:
                key = self._key_in_words(decision, step.choice)
            if key and simple(key) != simple(decision.key):
                if self._is_nothing(step.choice) and self._never_asked(decision):
                    return
                self._pass_over(step, key, decision)
                continue
            if not key and self.session.is_forced():
                self.session.answer(decision.forced())
                continue
            self._answer(decision, step.choice.plain(), step.choice)
            self._passed = None
            return

    def _is_idle(self, step: Step, key: str) -> bool:
        """A written "none" to a question that the game, at rest or over, has no occasion to ask."""
        session = self.session
        if not key or session.decision is not None or not self._is_nothing(step.choice):
            return False
        return session.next_decision() is None and not session.stopped

    def _is_nothing(self, choice: Entry) -> bool:
        value = choice.plain()
        return value is None or value is False or (isinstance(value, str) and simple(value) in NOBODY)

    def _never_asked(self, decision: Decision) -> bool:
        """Does the game wait for something else, which begins afresh or which the next step answers?"""
        following = self._next_step()
        answered = following is not None and simple(following.key) == simple(decision.key)
        return self.session.begins or (answered and decision.forced() is NOT_FORCED)

    def _pending(self, step: Step) -> Decision:
        decision = self.session.next_decision()
        if decision is not None:
            return decision
        if self.session.over:
            self._check_words(step)
            raise step.entry.impossible("the game is over, nobody has to choose any more")
        waits = self.session.waits_for
        dice = f"{waits.label}: {waits.count} × {waits.die.name}" if waits else "dice"
        self._check_words(step)
        error = self._with_events(f"scripted dice are missing: the game waits for {dice}", step.entry.line)
        error.forbids = True  # nobody asks this before the dice have fallen
        raise error

    def _key_in_words(self, decision: Decision, choice: Entry) -> str:
        """ "activate a1" names its decision in its first word."""
        if choice.is_table or choice.is_list:
            return ""
        first, _, rest = choice.text().partition(" ")
        if rest and simple(first.rstrip(":")) == simple(decision.key):
            choice.value = rest.strip()
            return decision.key
        return ""

    def _pass_over(self, step: Step, key: str, decision: Decision) -> None:
        """A decision the step does not speak of: it must be forced, or have a default answer."""
        if decision.forced() is not NOT_FORCED:
            self.session.answer(decision.forced())
            return
        if simple(decision.key) in self.defaults:
            self._answer(decision, self.defaults[simple(decision.key)], self.top["defaults"])
            return
        if self._passed is not None:
            raise self._passed
        why = self.adaptor.why_not_asked(self.session, key, step.choice.plain(), self._acting)
        if why is not None:
            raise RefereeError(f"{key}: {why[1]} ({why[0]})", step.entry.line, why[0])
        self._check_words(step)
        raise step.entry.impossible(
            f"'{key}' cannot be answered now: the game waits for '{decision.key}' of side {decision.player + 1} "
            f"({decision.text or decision.key})"
        )

    def _check_words(self, step: Step) -> None:
        """A step that comes at the wrong time must all the same name a decision, and an answer that can be read."""
        if step.key:
            check_decision(self.rules.id, step.key, step.entry)
        unread = self.spelling().unreadable_later(step.key, step.choice.plain()) if step.has_choice else None
        if unread is not None:
            raise step.choice.wrong(f"{shown(step.choice.plain())} cannot be read: {unread}")

    def _answer(self, decision: Decision, wanted: Any, where: Entry) -> None:
        answer = self.read(decision, wanted, where)
        self._acting = decision.unit or (answer if isinstance(answer, str) else self._acting)
        self.session.answer(answer)

    def read(self, decision: Decision, wanted: Any, where: Entry) -> Any:
        """The legal answer that was meant, or a RefereeError with the rule that refuses it."""
        try:
            return self.legal_answer(decision, wanted)
        except (Unclear, IllegalChoice) as error:
            unread = "" if isinstance(error, Unreadable) else self.spelling().unreadable(decision, wanted)
            if unread is not None:
                more = f"; {unread}" if unread else ""
                raise RefereeError(f"{decision.key}: {error}{more}", where.line) from None
            rule, reason = self._why(decision, wanted, error)
            shown = f" ({rule})" if rule else ""
            raise RefereeError(f"{decision.key}: {reason}{shown}", where.line, rule, forbids=True) from None

    def legal_answer(self, decision: Decision, wanted: Any) -> Any:
        """The legal answer that was meant; Unclear or IllegalChoice if there is none."""
        wanted = self.adaptor.words(self.session, decision, wanted)
        return decision.check(choices.read(decision, wanted, self._facing(decision)))

    def _why(self, decision: Decision, wanted: Any, error: Unclear | IllegalChoice) -> tuple[str | None, str]:
        """The rule behind a refusal; the game may know a better one than the decision does."""
        better = self.adaptor.why_refused(self.session, decision, wanted, error)
        return better if better is not None else (error.rule, str(error))

    def _facing(self, decision: Decision) -> Any:
        return self.adaptor.facing(self.session.state, decision.unit) if decision.unit else None

    def look_ahead(self, entry: Entry) -> None:
        """Go on to the next decision, as far as the dice go."""
        self._guard(entry, self.session.next_decision)
        self._note()

    def _next_step(self) -> Step | None:
        return self.steps[self.step] if self.step < len(self.steps) else None

    def _settle(self, following: Step | None) -> None:
        """Answer what is forced, unless the next step speaks of it; answer what has a default."""
        while (decision := self.session.decision) is not None:
            if following is not None and self._speaks_of(following, decision):
                return
            if self.session.is_forced():
                self.session.answer(decision.forced())
            elif following is None and simple(decision.key) in self.defaults:
                self._answer(decision, self.defaults[simple(decision.key)], self.top["defaults"])
            else:
                return

    def _speaks_of(self, following: Step, decision: Decision) -> bool:
        if not following.key or simple(following.key) != simple(decision.key):
            return False
        if "refused" in following.beside:  # it waits to be refused, whether there is a choice or not
            return True
        try:
            self.read(decision, following.choice.plain(), following.choice)
        except RefereeError as error:
            self._passed = error
            return False
        return True

    # -- dice -----------------------------------------------------------------------------------

    def _guard(self, entry: Entry, act: Any) -> Any:
        """Dice that are missing, or faces that do not exist, are named with their line."""
        try:
            return act()
        except OutOfDice as error:
            raise self._with_events(f"scripted dice are missing: {error}", entry.line) from None
        except BadFace as error:
            raise self._with_events(str(error), error.face.line) from None

    def _check_left(self, script: Script, what: str = "") -> None:
        """Dice left over are an error that shows what every throw took."""
        if script.left:
            faces = ", ".join(str(face) for face in script.left)
            took = "; ".join(str(thrown) for thrown in script.throws)
            thrown = f"; the throws took {took}" if took else "; nothing was thrown"
            self._note()
            happened = "; ".join(event.text for event in self.events[-MOST_EVENTS:]) or "nothing"
            raise self._with_events(
                f"scripted dice {what}are left over: {faces}{thrown}; what happened: {happened}", script.left[0].line
            )

    def _with_events(self, message: str, line: int) -> RefereeError:
        self._note()
        return RefereeError(message, line, events=[event.text for event in self.events])


class Face:
    """A scripted face and its line."""

    __slots__ = ("line", "name")

    def __init__(self, entry: Entry) -> None:
        self.line = entry.line
        self.name = entry.text()

    def __str__(self) -> str:
        return self.name


def decision_facts(session: Session) -> dict[str, Any] | None:
    """What the game waits for: a decision, dice that were not scripted, or nothing."""
    if session.decision is not None:
        return session.decision.facts()
    if session.waits_for is not None:
        waits = session.waits_for
        return {
            "shape": "dice",
            "player": waits.player,
            "key": "dice",
            "text": f"{waits.label}: roll {counted(waits.count, 'die', 'dice')}",
            "count": waits.count,
            "faces": list(waits.die.faces),
        }
    return None


def options_answer(session: Session) -> Answer:
    """The legal options of the current decision, in words."""
    shown = decision_facts(session)
    if shown is None:
        return Answer("options", ["The game is over."], {"decision": None})
    decision = session.decision
    if decision is None:
        return Answer("options", [f"The game waits for dice: {shown['text']}."], {"decision": shown})
    text = [f"{decision.text or decision.key} ({decision.key})"]
    text += [f"- {label}" for label in labels(decision)]
    for refused in shown.get("refused", ()):
        text.append(f"- not {decision.label(refused['answer'])}: {refused['reason']} ({refused['rule']})")
    return Answer("options", text, {"decision": shown}, [decision.rule] if decision.rule else [])


def labels(decision: Decision) -> list[str]:
    """The options of a decision, one line each."""
    shown = decision.facts()
    if "spots" in shown:
        return [f"{spot['label']} (cost {spot['cost']})" for spot in shown["spots"]]
    if "items" in shown:
        return [
            f"{item['label']}: {', '.join(option['label'] for option in item['options'])}" for item in shown["items"]
        ]
    if "options" in shown:
        names = [option["label"] for option in shown["options"]]
        return [
            f"{name} ({say(option['answer'])})" if names.count(name) > 1 else name
            for name, option in zip(names, shown["options"], strict=True)
        ]
    if "least" in shown:
        return [f"{shown['least']} to {shown['most']}"]
    return ["yes", "no"] if shown["shape"] == "yes-no" else [shown["shape"]]


__all__ = ["COMMON_KEYS", "FileRun", "judge", "judge_entry", "prepare"]
