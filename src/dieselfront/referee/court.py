"""The referee: reads a position, answers the questions about it, carries out the choices with their scripted dice.

What a position looks like and which questions can be asked about it is told by an adaptor for each ruleset.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any, Protocol

import msgspec

from dieselfront import rulesets
from dieselfront.kernel.decisions import NOT_FORCED, Decision, IllegalChoice, say
from dieselfront.kernel.events import facts
from dieselfront.referee import choices
from dieselfront.referee.choices import Unclear, simple
from dieselfront.referee.document import Entry, read
from dieselfront.referee.errors import RefereeError, suggestion
from dieselfront.referee.session import BadFace, OutOfDice, Script, Session
from dieselfront.scenarios.battle import BattleError, checked_options

COMMON_KEYS = ("ruleset", "title", "text", "options", "ask", "do", "dice", "defaults")
UNNAMED = ("answer", "choose")


class Answer(msgspec.Struct):
    """The answer to one question: facts, told in sentences, with the rules behind it; `marks` are for drawings."""

    kind: str
    text: list[str]
    facts: dict[str, Any]
    rules: list[str] = []
    marks: dict[str, Any] = {}
    line: int = 0
    after: int = 0


class Told(msgspec.Struct):
    """An event with its sentence; `step` is the choice that led to it, 0 before the first."""

    event: dict[str, Any]
    text: str
    step: int


class Verdict(msgspec.Struct):
    """Everything the referee has to say about a file."""

    ruleset: str
    title: str
    answers: list[Answer]
    events: list[Told]
    state: dict[str, Any]
    decision: dict[str, Any] | None
    dice_used: int

    def to_json(self) -> dict[str, Any]:
        """The verdict as `dieselfront referee --json` prints it."""
        return {
            "ruleset": self.ruleset,
            "title": self.title,
            "answers": [
                {
                    "ask": one.kind,
                    "line": one.line,
                    "after": one.after,
                    **one.facts,
                    "text": one.text,
                    "rules": one.rules,
                }
                for one in self.answers
            ],
            "events": [{**told.event, "text": told.text, "step": told.step} for told in self.events],
            "state": self.state,
            "decision": self.decision,
            "dice_used": self.dice_used,
        }


class Adaptor(Protocol):
    """What the referee asks of a ruleset's adaptor."""

    keys: tuple[str, ...]
    questions: tuple[str, ...]

    def position(self, rules: Any, root: dict[str, Entry], options: dict[str, str]) -> Any: ...
    def answer(self, session: Session, kind: str, entry: Entry) -> Answer: ...
    def facing(self, state: Any, unit: str) -> Any: ...


def adaptor_for(ruleset: str) -> Adaptor:
    """The adaptor of a ruleset: the module of its name in this room."""
    module = f"dieselfront.referee.{ruleset}"
    if importlib.util.find_spec(module) is None:
        raise RefereeError(f"The referee does not know positions of {ruleset} yet.")
    made: Adaptor = importlib.import_module(module).ADAPTOR
    return made


def judge(data: bytes, name: str = "the file") -> Verdict:
    """The whole file: position, questions, choices. Anything wrong is a RefereeError with its line."""
    root = read(data, name)
    top = root.table()
    if "ruleset" not in top:
        raise RefereeError(f"'ruleset' is missing; expected one of {', '.join(rulesets.names())}", root.line)
    id = top["ruleset"].text()
    if id not in rulesets.names():
        raise top["ruleset"].wrong(f"there is no ruleset '{id}' to referee{suggestion(id, rulesets.names())}")
    adaptor = adaptor_for(id)
    root.table((*COMMON_KEYS, *adaptor.keys))
    rules = rulesets.load(id)
    state = adaptor.position(rules, top, _options(rules, top))
    return _Court(rules, adaptor, top, state).hear()


def _options(rules: Any, top: dict[str, Entry]) -> dict[str, str]:
    """House rulings, each checked where it stands."""
    found: dict[str, str] = {}
    for name, entry in top["options"].table().items() if "options" in top else ():
        try:
            found |= checked_options(rules, {name: entry.text()})
        except BattleError as error:
            raise RefereeError(str(error).rstrip("."), entry.line) from None
    return found


class _Court:
    """One hearing."""

    def __init__(self, rules: Any, adaptor: Adaptor, top: dict[str, Entry], state: Any) -> None:
        self.rules = rules
        self.adaptor = adaptor
        self.top = top
        self.main = Script([Face(entry) for entry in top["dice"].entries()] if "dice" in top else [])
        self.session = Session(rules, state, self.main)
        self.answers: list[Answer] = []
        self.told: list[Told] = []
        self.step = 0
        self.steps = top["do"].entries() if "do" in top else []
        self.defaults = {simple(key): entry.plain() for key, entry in self._default_entries()}

    def _default_entries(self) -> list[tuple[str, Entry]]:
        return list(self.top["defaults"].table().items()) if "defaults" in self.top else []

    # -- the order of the hearing ---------------------------------------------------------------

    def hear(self) -> Verdict:
        for question in self.top["ask"].entries() if "ask" in self.top else ():
            self._ask(question)
        for number, entry in enumerate(self.steps, 1):
            self.step = number
            self._do(entry)
        self._guard(self.top.get("dice") or self.top.get("do") or self.top["ruleset"], self._finish)
        self._check_left(self.main)
        return self._verdict()

    def _finish(self) -> None:
        """Whatever follows by itself from the last choice, as far as the dice go."""
        if self.steps or self.main.left:
            self._settle(None)
            self.session.next_decision()
            self._settle(None)
            self._note()

    def _verdict(self) -> Verdict:
        session = self.session
        self._guard(self.top["ruleset"], session.next_decision)
        self._note()
        title = self.top["title"].text() if "title" in self.top else ""
        decision = decision_facts(session)
        state = self.rules.view(session.state)
        return Verdict(self.rules.id, title, self.answers, self.told, state, decision, self.main.used + self.extra_dice)

    extra_dice = 0

    def _note(self) -> None:
        """Put new events into words, while the names they speak of are still true."""
        names = self.rules.names(self.session.state)
        for event in self.session.play.events[len(self.told) :]:
            self.told.append(Told(facts(event), event.sentence(names), self.step))

    # -- questions ------------------------------------------------------------------------------

    def _ask(self, question: Entry) -> None:
        """A question is a table with one key, or one word."""
        if question.is_table:
            pairs = question.table()
            if len(pairs) != 1:
                raise question.wrong(f"expected one question, such as sight, not {len(pairs)}: {', '.join(pairs)}")
            kind, entry = next(iter(pairs.items()))
        else:
            kind, entry = question.text(), question
        if kind == "options":
            answer = self._guarded_options(entry)
        elif kind not in self.adaptor.questions:
            known = ("options", *self.adaptor.questions)
            raise RefereeError(f"'{kind}' is no question the referee knows{suggestion(kind, known)}", question.line)
        else:
            answer = self.adaptor.answer(self.session, kind, entry)
        answer.line, answer.after = question.line, self.step
        self.answers.append(answer)

    def _guarded_options(self, entry: Entry) -> Answer:
        self._guard(entry, self.session.next_decision)
        return options_answer(self.session)

    # -- choices --------------------------------------------------------------------------------

    def _do(self, entry: Entry) -> None:
        """One step: a choice by its key or its words, perhaps with dice of its own; or a question in between."""
        key, choice, dice = self._parts(entry)
        if key == "ask":
            for question in choice.entries():
                self._ask(question)
            return
        own = Script([Face(face) for face in dice.entries()]) if dice is not None else None
        script, self.session.script = self.session.script, own or self.session.script
        try:
            self._guard(entry, lambda: self._choose(entry, key, choice))
            self._guard(entry, lambda: self._settle(self._next_key()))
            if own is not None and own.left and self.session.resting:
                self._guard(entry, self.session.next_decision)
        finally:
            self.session.script = script
        self._note()
        if own is not None:
            self.extra_dice += own.used
            self._check_left(own, "of this choice ")

    def _parts(self, entry: Entry) -> tuple[str, Entry, Entry | None]:
        """Key, choice and dice of a step; the key is empty where only the answer is written."""
        if not entry.is_table:
            return "", entry, None
        pairs = dict(entry.table())
        dice = pairs.pop("dice", None)
        if len(pairs) != 1:
            raise entry.wrong(f"expected one choice and perhaps dice, not {', '.join(pairs) or 'dice alone'}")
        key, choice = next(iter(pairs.items()))
        return "" if key in UNNAMED else key, choice, dice

    def _choose(self, entry: Entry, key: str, choice: Entry) -> None:
        """Find the decision that the step answers, letting forced and default answers pass, and answer it."""
        while True:
            decision = self._pending(entry)
            if not key:
                key = self._key_in_words(decision, choice)
            if key and simple(key) != simple(decision.key):
                self._pass_over(entry, key, decision)
                continue
            if not key and self.session.is_forced():
                self.session.answer(decision.forced())
                continue
            self._give(decision, choice, key)
            return

    def _pending(self, entry: Entry) -> Decision:
        decision = self.session.next_decision()
        if decision is not None:
            return decision
        if self.session.over:
            raise entry.wrong("the game is over, nobody has to choose any more")
        waits = self.session.waits_for
        shown = f"{waits.label}: {waits.count} × {waits.die.name}" if waits else "dice"
        raise entry.wrong(f"scripted dice are missing: the game waits for {shown}")

    def _key_in_words(self, decision: Decision, choice: Entry) -> str:
        """ "activate a1" names its decision in its first word."""
        if choice.is_table or choice.is_list:
            return ""
        first, _, rest = choice.text().partition(" ")
        if rest and simple(first.rstrip(":")) == simple(decision.key):
            choice.value = rest.strip()
            return decision.key
        return ""

    def _pass_over(self, entry: Entry, key: str, decision: Decision) -> None:
        """A decision the step does not speak of: it must be forced, or have a default answer."""
        if decision.forced() is not NOT_FORCED:
            self.session.answer(decision.forced())
            return
        if simple(decision.key) in self.defaults:
            self._answer(decision, self.defaults[simple(decision.key)], self.top["defaults"])
            return
        raise entry.wrong(
            f"'{key}' cannot be answered now: the game waits for '{decision.key}' of side {decision.player + 1} "
            f"({decision.text or decision.key})"
        )

    def _give(self, decision: Decision, choice: Entry, key: str) -> None:
        self._answer(decision, choice.plain(), choice)

    def _answer(self, decision: Decision, wanted: Any, where: Entry) -> None:
        try:
            wanted = self._in_words(decision, wanted)
            answer = decision.check(choices.read(decision, wanted, self._facing(decision)))
        except (Unclear, IllegalChoice) as error:
            rule = f" ({error.rule})" if error.rule else ""
            raise RefereeError(f"{decision.key}: {error}{rule}", where.line) from None
        self.session.answer(answer)

    def _in_words(self, decision: Decision, wanted: Any) -> Any:
        """An adaptor may know words of its ruleset that the shapes of decisions do not."""
        reader = getattr(self.adaptor, "words", None)
        return wanted if reader is None else reader(self.session, decision, wanted)

    def _facing(self, decision: Decision) -> Any:
        return self.adaptor.facing(self.session.state, decision.unit) if decision.unit else None

    def _next_key(self) -> Entry | None:
        return self.steps[self.step] if self.step < len(self.steps) else None

    def _settle(self, following: Entry | None) -> None:
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

    def _speaks_of(self, following: Entry, decision: Decision) -> bool:
        key, choice, _ = self._parts(following)
        if not key or simple(key) != simple(decision.key):
            return False
        try:
            choices.read(decision, self._in_words(decision, choice.plain()), None)
        except (Unclear, IllegalChoice):
            return False
        return True

    # -- dice -----------------------------------------------------------------------------------

    def _guard(self, entry: Entry, act: Any) -> Any:
        """Dice that are missing, or faces that do not exist, are told with their line."""
        try:
            return act()
        except OutOfDice as error:
            raise RefereeError(f"scripted dice are missing: {error}", entry.line) from None
        except BadFace as error:
            raise RefereeError(str(error), error.face.line) from None

    def _check_left(self, script: Script, what: str = "") -> None:
        if script.left:
            faces = ", ".join(str(face) for face in script.left)
            raise RefereeError(f"scripted dice {what}are left over: {faces}", script.left[0].line)


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
            "text": f"{waits.label}: roll {waits.count} dice",
            "count": waits.count,
            "faces": list(waits.die.faces),
        }
    return None


def options_answer(session: Session) -> Answer:
    """The legal options of the current decision, in words."""
    found = decision_facts(session)
    if found is None:
        return Answer("options", ["The game is over."], {"decision": None})
    decision = session.decision
    if decision is None:
        return Answer("options", [f"The game waits for dice: {found['text']}."], {"decision": found})
    text = [f"{decision.text or decision.key} ({decision.key})"]
    text += [f"- {label}" for label in labels(decision)]
    for refused in found.get("refused", ()):
        text.append(f"- not {decision.label(refused['answer'])}: {refused['reason']} ({refused['rule']})")
    return Answer("options", text, {"decision": found}, [decision.rule] if decision.rule else [])


def labels(decision: Decision) -> list[str]:
    """The options of a decision, one line each."""
    found = decision.facts()
    if "spots" in found:
        return [f"{spot['label']} (cost {spot['cost']})" for spot in found["spots"]]
    if "items" in found:
        return [
            f"{item['label']}: {', '.join(option['label'] for option in item['options'])}" for item in found["items"]
        ]
    if "options" in found:
        names = [option["label"] for option in found["options"]]
        return [
            f"{name} ({say(option['answer'])})" if names.count(name) > 1 else name
            for name, option in zip(names, found["options"], strict=True)
        ]
    if "least" in found:
        return [f"{found['least']} to {found['most']}"]
    return ["yes", "no"] if found["shape"] == "yes-no" else [found["shape"]]


__all__ = ["Adaptor", "Answer", "Told", "Verdict", "adaptor_for", "judge"]
