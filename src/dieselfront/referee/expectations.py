"""What a case file expects (`expect:`, `refused:`), compared with what came: facts, events, units, the next decision.

`expect` beside a question names facts of its answer, beside a step what that step led to, at the top what is true in
the end. Facts are named by path (`lines.1.visible`, `weapons.Rifle.usable`); docs/referee.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.referee import measured_words
from dieselfront.referee.choices import NOBODY, Unclear, simple
from dieselfront.referee.contract import lengths_of
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import LineNumber, RefereeError, suggestion
from dieselfront.referee.results import Answer, EventLine, answer_json, event_json
from dieselfront.referee.spelling import Spelling
from dieselfront.referee.vocabulary import (
    DICE,
    KIND,
    RULE,
    check_decision,
    check_field,
    check_kind,
    check_rule,
    check_rules_in,
    event_kinds,
    nearest,
    texts,
)

if TYPE_CHECKING:
    from dieselfront.referee.runner import FileRun

KEYS = ("events", "sequence", "no_events", "units", "state", "decision", "score")
DECISION_KEYS = ("key", "player", "unit", "shape", "rule", "text", "legal", "illegal", "count", "options")
NAMING = ("id", "name", "weapon", "model", "unit", "to", "square", "kind", "label", "item")
"""The keys by which a table inside a list is called."""
CONTAINED = ("rules", "text")
"""Facts of answers and events of which only the part that is written must be there."""
TESTS = ("has", "lacks", "not", "least", "most", "about", "within", "any", "count")
CLOSE = 0.0005
NEAR = 2
"""Millimetres between two places that count as the same."""
NEGATIVE = ("lacks", "not")
"""Tests that a word nobody knows would always pass."""
SHAPES = ("pick-one", "pick-some", "yes-no", "number", "place", "place-free", "assign", "dice")
ILLEGAL_KEYS = ("answer", "rule", "refused")
_NUMBER_BEFORE = re.compile(r"^\d+ ")


class Failure(msgspec.Struct, frozen=True):
    """One expectation that was not met: where it stands and what came instead."""

    line: int
    why: str

    def __str__(self) -> str:
        place = self.line.named() if isinstance(self.line, LineNumber) else f"line {self.line}" if self.line else ""
        return f"{place}: {self.why}" if place else self.why

    def to_json(self) -> dict[str, Any]:
        return {"line": int(self.line), "why": str(self)}


# -- one fact against what is expected of it --------------------------------------------------------


def mismatch(expected: Any, actual: Any, name: str) -> str | None:
    """Why a fact is not as expected; None if it is."""
    if isinstance(expected, Mapping):
        if expected and all(key in TESTS for key in expected):
            return _tested(expected, actual, name)
        return _parts(expected, actual, name)
    if isinstance(expected, list | tuple):
        return _listed(list(expected), actual, name)
    return None if same(expected, actual) else f"{name} is {shown(actual)}, expected {shown(expected)}"


def same(expected: Any, actual: Any) -> bool:
    """Is a single value as written? Words without regard to capitals and dashes, a number of a list its length."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return _truth(expected) is not None and _truth(expected) == _truth(actual)
    if isinstance(expected, int | float) and isinstance(actual, int | float):
        return abs(expected - actual) <= CLOSE
    if isinstance(actual, list | tuple | Mapping) and isinstance(expected, int):
        return len(actual) == expected
    if isinstance(actual, list | tuple) and len(actual) == 1:
        return same(expected, actual[0])
    if actual is None or expected is None:
        return _is_nothing(expected) and _is_nothing(actual)
    return simple(str(expected)) == simple(str(actual))


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"yes": True, "no": False, "true": True, "false": False}.get(str(value).lower())


def _is_nothing(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, str) and simple(value) in NOBODY)


def _parts(expected: Mapping[str, Any], actual: Any, name: str) -> str | None:
    """Every path that is written; what is not written does not matter."""
    for path, wanted in expected.items():
        there, value = at_path(actual, str(path))
        if not there:
            return f"{name} has no '{path}'{_known(actual, str(path))}"
        if str(path).rpartition(".")[2] in CONTAINED and not _is_test(wanted):
            wanted = {"has": wanted}
        problem = mismatch(wanted, value, f"{name} {path}")
        if problem is not None:
            return problem
    return None


def _is_test(wanted: Any) -> bool:
    return isinstance(wanted, Mapping) and any(key in TESTS for key in wanted)


def _known(actual: Any, path: str) -> str:
    if isinstance(actual, Mapping):
        return suggestion(path, [str(key) for key in actual])
    return f"; it is {shown(actual)}"


def at_path(value: Any, path: str) -> tuple[bool, Any]:
    """What lies at a path: keys of tables; in lists the number from 1, or what an entry is called."""
    if isinstance(value, Mapping):
        for key in value:  # a key may hold dots itself
            if simple(str(key)) == simple(path):
                return True, value[key]
    first, dot, rest = path.partition(".")
    there, inner = _step(value, first)
    if not there or not dot:
        return there, inner
    return at_path(inner, rest)


def _step(value: Any, part: str) -> tuple[bool, Any]:
    if isinstance(value, Mapping):
        for key in value:
            if simple(str(key)) == simple(part):
                return True, value[key]
        return False, None
    if isinstance(value, list | tuple):
        if part.isdigit():
            return (True, value[int(part) - 1]) if 1 <= int(part) <= len(value) else (False, None)
        for one in value:
            if isinstance(one, Mapping) and any(simple(str(one.get(key, ""))) == simple(part) for key in NAMING):
                return True, one
    return False, None


def _listed(expected: list[Any], actual: Any, name: str) -> str | None:
    """A list holds just these, in any order."""
    if not isinstance(actual, list | tuple):
        actual = list(actual) if isinstance(actual, Mapping) else [] if _is_nothing(actual) else [actual]
    left = list(actual)
    for wanted in expected:
        place = next((place for place, one in enumerate(left) if mismatch(wanted, one, "") is None), None)
        if place is None:
            return f"{name} is {shown(actual)}, without {shown(wanted)}"
        left.pop(place)
    return f"{name} is {shown(actual)}, expected only {shown(expected)}" if left else None


def _tested(tests: Mapping[str, Any], actual: Any, name: str) -> str | None:
    """`has`, `lacks`, `not`, `least`, `most`, `about` (with `within`), `any`, `count`: all must hold."""
    for test, wanted in tests.items():
        if not _holds(test, wanted, actual, tests):
            return f"{name} is {shown(actual)}, expected {test} {shown(wanted)}"
    return None


def _holds(test: str, wanted: Any, actual: Any, tests: Mapping[str, Any]) -> bool:
    if test == "has":
        return all(contains(actual, one) for one in _several(wanted))
    if test == "lacks":
        return not any(contains(actual, one) for one in _several(wanted))
    if test == "not":
        return mismatch(wanted, actual, "") is not None
    if test == "any":
        return any(mismatch(one, actual, "") is None for one in _several(wanted))
    if test == "count":
        return hasattr(actual, "__len__") and len(actual) == wanted
    if test == "within":
        return "about" in tests
    if not all(isinstance(one, int | float) and not isinstance(one, bool) for one in (actual, wanted)):
        return False
    if test == "about":
        return bool(abs(actual - wanted) <= _number(tests.get("within", 0.01)))
    return bool(actual >= wanted - CLOSE if test == "least" else actual <= wanted + CLOSE)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def contains(actual: Any, wanted: Any) -> bool:
    """Is a value among those of a list, a key of a table, or words of a text?"""
    if isinstance(actual, Mapping):
        return any(same(wanted, key) for key in actual)
    if isinstance(actual, list | tuple):
        if any(mismatch(wanted, one, "") is None for one in actual):
            return True
        return (
            isinstance(wanted, str)
            and not RULE.match(wanted)
            and any(isinstance(one, str) and simple(wanted) in simple(one) for one in actual)
        )
    return simple(str(wanted)) in simple(str(actual))


def _several(wanted: Any) -> list[Any]:
    return list(wanted) if isinstance(wanted, list | tuple) else [wanted]


def shown(value: Any) -> str:
    """A value for a complaint, cut short."""
    text = "nothing" if value is None else "yes" if value is True else "no" if value is False else str(value)
    return text if len(text) <= 160 else text[:157] + "..."


# -- refusals ---------------------------------------------------------------------------------------


def refusal_problem(expected: Any, error: RefereeError) -> str | None:
    """Was it refused for the reason that was expected: a rule's id, words of the sentence, or just refused?"""
    for wanted in _several(expected):
        if wanted is True or wanted is None:
            continue
        text = str(wanted)
        fits = (error.rule == text or text in str(error)) if RULE.match(text) else simple(text) in simple(str(error))
        if not fits:
            return f"it was refused otherwise ({error}), expected {text}"
    return None


# -- a whole expectation ------------------------------------------------------------------------------


class Expectations:
    """One `expect:` of a file that is being carried out."""

    def __init__(self, run: FileRun, entry: Entry) -> None:
        self.run = run
        self.entry = entry
        self.ruleset = run.rules.id
        self._spelling: Spelling | None = None

    def of_answer(self, answer: Answer) -> list[Failure]:
        """Facts of an answer by path."""
        facts = answer_json(answer)
        pairs = self.entry.table().items()
        for _, one in pairs:
            self._check_negatives(one, one.plain())
            check_rules_in(self.ruleset, one.plain(), one)
        return self._failures((entry.line, mismatch({key: entry.plain()}, facts, answer.kind)) for key, entry in pairs)

    def of_step(self) -> list[Failure]:
        """What a step led to: its events, then the position after it."""
        return self._compare([line for line in self.run.events if line.step == self.run.step])

    def of_end(self) -> list[Failure]:
        """What is true in the end, and everything that happened."""
        return self._compare(self.run.events)

    def _compare(self, events: Sequence[EventLine]) -> list[Failure]:
        pairs = self.entry.table(KEYS)
        self._check_words(pairs)
        problems: list[tuple[int, str | None]] = []
        for one in pairs["events"].entries() if "events" in pairs else ():
            problems.append((one.line, self._missing(one.plain(), events)))
        for one in pairs["no_events"].entries() if "no_events" in pairs else ():
            problems.append((one.line, self._unwanted(one.plain(), events)))
        if "sequence" in pairs:
            problems.append((pairs["sequence"].line, self._out_of_order(pairs["sequence"].plain(), events)))
        if "units" in pairs or "state" in pairs or "score" in pairs:
            problems += self._of_state(pairs)
        if "decision" in pairs:
            problems += self._of_decision(pairs["decision"])
        return self._failures(problems)

    def _failures(self, problems: Any) -> list[Failure]:
        return [Failure(line, problem) for line, problem in problems if problem is not None]

    # -- words that nobody knows ------------------------------------------------------------------

    @property
    def spelling(self) -> Spelling:
        """The words of the table as it is now."""
        if self._spelling is None:
            self._spelling = self.run.spelling()
        return self._spelling

    def _check_words(self, pairs: Mapping[str, Entry]) -> None:
        """What is named must exist in this game, lest an expectation holds because of a slip of the pen."""
        for key in ("events", "no_events", "sequence"):
            for one in pairs[key].entries() if key in pairs else ():
                self._check_event(one, key == "no_events")
        for unit in pairs["units"].table().values() if "units" in pairs else ():
            for path, one in unit.table().items():
                self._check_fact(one, path, one.plain())
        if "state" in pairs:
            self._check_fact(pairs["state"], "", pairs["state"].plain())

    def _check_event(self, entry: Entry, unwanted: bool) -> None:
        """A rule, a kind, or fields of a kind; where the event must not happen, also every other word."""
        pattern = entry.plain()
        if isinstance(pattern, Mapping):
            self._check_fields(entry, pattern, unwanted or pattern.get("times") == 0)
        elif RULE.match(str(pattern)):
            check_rule(self.ruleset, str(pattern), entry)
        elif simple(str(pattern)) in map(simple, event_kinds(self.ruleset)):
            return
        elif KIND.match(str(pattern)) and not self.spelling.knows(str(pattern)):
            check_kind(self.ruleset, str(pattern), entry)
        elif unwanted:
            self._check_spelling(entry, pattern)

    def _check_fields(self, entry: Entry, pattern: Mapping[str, Any], unwanted: bool) -> None:
        kinds = [check_kind(self.ruleset, kind, entry.table()["kind"]) for kind in texts(pattern.get("kind"))]
        for path, one in entry.table().items():
            if path == "times":
                continue
            check_field(self.ruleset, path, kinds, one)
            for rule in texts(one.plain()) if path == "rule" else ():
                check_rule(self.ruleset, rule, one)
            if path not in ("kind", "rule"):
                self._check_fact(one, path, one.plain())
                if unwanted:
                    self._check_spelling(one, one.plain())

    def _check_fact(self, entry: Entry, path: str, wanted: Any) -> None:
        """Tokens, states and the like come from closed lists; elsewhere a word that must be missing must exist."""
        words = self._closed_list(path)
        if words is not None:
            for text in texts(wanted):
                self._check_listed(entry, path, text, words)
            return
        if isinstance(wanted, Mapping) and not _is_test(wanted):
            for key, one in wanted.items():
                self._check_fact(entry, f"{path}.{key}" if path else str(key), one)
            return
        self._check_negatives(entry, wanted)
        check_rules_in(self.ruleset, wanted, entry)

    def _closed_list(self, path: str) -> Collection[str] | None:
        lists = self.run.adaptor.fact_words()
        last = path.rpartition(".")[2]
        words = lists.get(last, lists.get(f"{last}s") if last == "token" else None)
        return words or None

    def _check_listed(self, entry: Entry, path: str, text: str, words: Collection[str]) -> None:
        word = _NUMBER_BEFORE.sub("", simple(text))
        if (
            not word
            or word in NOBODY
            or any(word == simple(one) or word.startswith(f"{simple(one)} ") for one in words)
        ):
            return
        raise entry.wrong(f"{path}: there is no '{text}'{suggestion(word, words)}")

    def _check_negatives(self, entry: Entry, wanted: Any) -> None:
        """Whatever must be missing, or must not be so, is spelt as something in this game is."""
        if isinstance(wanted, Mapping):
            for key, one in wanted.items():
                if key in NEGATIVE and _is_test(wanted):
                    self._check_spelling(entry, one)
                else:
                    self._check_negatives(entry, one)
        elif isinstance(wanted, list):
            for one in wanted:
                self._check_negatives(entry, one)

    def _check_spelling(self, entry: Entry, wanted: Any) -> None:
        """Every word must occur in this game; rules are looked up in their book."""
        check_rules_in(self.ruleset, wanted, entry)
        for text in texts(wanted):
            word = None if RULE.match(text) else self.spelling.unknown(text)
            if word is not None:
                kinds = nearest(text, event_kinds(self.ruleset)) if word == simple(text) else ""
                hint = kinds if "did you mean" in kinds else ""
                raise entry.wrong(f"nobody knows '{word}', so nothing can be told from its being missing{hint}")

    # -- events -----------------------------------------------------------------------------------

    def _missing(self, pattern: Any, events: Sequence[EventLine]) -> str | None:
        times = pattern.get("times") if isinstance(pattern, Mapping) else None
        fitting = sum(fits(pattern, line) for line in events)
        if times is not None:
            if fitting == times:
                return None
            return f"{shown(pattern)} happened {fitting} times, expected {times}; there were {_kinds(events)}"
        return None if fitting else f"no event {shown(pattern)}; there were {_kinds(events)}"

    def _unwanted(self, pattern: Any, events: Sequence[EventLine]) -> str | None:
        line = next((line for line in events if fits(pattern, line)), None)
        return None if line is None else f"an event {shown(pattern)} was not expected, but: {line.text}"

    def _out_of_order(self, patterns: Any, events: Sequence[EventLine]) -> str | None:
        left = iter(events)
        for pattern in _several(patterns):
            if not any(fits(pattern, line) for line in left):
                return f"no event {shown(pattern)} at its place in the order; there were {_kinds(events)}"
        return None

    # -- the position -------------------------------------------------------------------------------

    def _of_state(self, pairs: Mapping[str, Entry]) -> list[tuple[int, str | None]]:
        view = self.run.rules.view(self.run.session.state)
        problems: list[tuple[int, str | None]] = []
        for id, entry in pairs["units"].table().items() if "units" in pairs else ():
            unit = next((one for one in view["units"] if one["id"] == id), None)
            if unit is None:
                raise entry.wrong(f"there is no unit '{id}'{suggestion(id, [one['id'] for one in view['units']])}")
            problems.append((entry.line, self._of_unit(entry, unit_facts(unit))))
        if "state" in pairs:
            problems.append((pairs["state"].line, mismatch(pairs["state"].plain(), view, "state")))
        if "score" in pairs:
            score = view.get("score") or [side["points"] for side in view["sides"]]
            wanted = pairs["score"].plain()
            fits = isinstance(wanted, list) and len(wanted) == 2 and all(map(same, wanted, score))
            problems.append((pairs["score"].line, None if fits else f"the score is {score}, expected {wanted}"))
        return problems

    def _of_unit(self, entry: Entry, facts: dict[str, Any]) -> str | None:
        for path, one in entry.table().items():
            if path == "place":
                problem = _place_problem(one.plain(), facts, lengths_of(self.run.session))
            else:
                problem = mismatch({path: one.plain()}, facts, facts["id"])
            if problem is not None:
                return problem
        return None

    # -- the decision ---------------------------------------------------------------------------------

    def _of_decision(self, entry: Entry) -> list[tuple[int, str | None]]:
        """What the game waits for: its key, whose it is, which answers are legal and which are not."""
        from dieselfront.referee.runner import decision_facts

        session = self.run.session
        self.run.look_ahead(entry)
        facts = decision_facts(session)
        if not entry.is_table:
            wanted = entry.plain()
            self._check_key(entry, facts)
            key = None if facts is None else facts["key"]
            fits = _is_nothing(wanted) if facts is None else same(wanted, key)
            return [(entry.line, None if fits else f"the game waits for {shown(key)}, expected {shown(wanted)}")]
        if facts is None:
            return [(entry.line, "the game is over, nobody decides")]
        problems: list[tuple[int, str | None]] = []
        for key, one in entry.table(DECISION_KEYS).items():
            if key in ("legal", "illegal"):
                problems += [(each.line, self._answer_problem(each, key == "legal")) for each in one.entries()]
            elif key == "key":
                self._check_key(one, facts)
                problems.append((one.line, mismatch({key: one.plain()}, facts, "decision")))
            elif key == "player":
                problems.append((one.line, self._player_problem(one, facts)))
            elif key == "count":
                count = session.decision.count() if session.decision is not None else facts.get("count")
                problems.append((one.line, mismatch(one.plain(), count, "the number of answers")))
            elif key == "options":
                self._check_negatives(one, one.plain())
                labels = [option["label"] for option in facts.get("options", facts.get("spots", ()))]
                problems.append((one.line, mismatch(one.plain(), labels, "the options")))
            else:
                self._check_other(one, key)
                problems.append((one.line, mismatch({key: one.plain()}, facts, "decision")))
        return problems

    def _check_key(self, entry: Entry, facts: Mapping[str, Any] | None) -> None:
        """The key of a decision is one that the game can ask."""
        for key in texts(entry.plain()):
            if simple(key) not in (*NOBODY, DICE) and (facts is None or simple(key) != simple(facts["key"])):
                check_decision(self.ruleset, key, entry)

    def _check_other(self, entry: Entry, key: str) -> None:
        for text in texts(entry.plain()) if key == "shape" else ():
            if simple(text) not in map(simple, SHAPES):
                raise entry.wrong(f"there is no shape '{text}'{suggestion(text, SHAPES)}")
        check_rules_in(self.ruleset, entry.plain(), entry)
        self._check_negatives(entry, entry.plain())

    def _player_problem(self, entry: Entry, facts: dict[str, Any]) -> str | None:
        wanted = entry.plain()
        names = {name: place for place, name in enumerate(self.run.rules.sides)} | {"a": 0, "b": 1, "1": 0, "2": 1}
        sides = self.run.rules.view(self.run.session.state)["sides"]
        names |= {simple(side["name"]): place for place, side in enumerate(sides)}
        meant = names.get(simple(str(wanted)))
        if meant is None:
            raise entry.wrong(f"there is no side '{wanted}'{suggestion(str(wanted), names)}")
        return None if meant == facts["player"] else f"side {facts['player'] + 1} decides, expected {wanted}"

    def _answer_problem(self, entry: Entry, legal: bool) -> str | None:
        """May this be answered? `illegal` ones may be tables with `answer` and the `rule` or words that refuse it."""
        decision = self.run.session.decision
        if decision is None:
            return "the game waits for dice, not for an answer"
        pairs = entry.table(ILLEGAL_KEYS) if entry.is_table and "answer" in entry.table() else None
        answer = pairs["answer"] if pairs is not None else entry
        try:
            self.run.read(decision, answer.plain(), answer)
        except (RefereeError, Unclear, IllegalChoice) as error:
            if legal:
                return f"{shown(answer.plain())} is refused: {error}"
            if isinstance(error, RefereeError) and not error.is_refusal:
                raise error  # what cannot be read is neither legal nor illegal
            reasons = [pairs[key].plain() for key in ("rule", "refused") if key in pairs] if pairs is not None else []
            check_rules_in(self.ruleset, reasons, entry)
            return refusal_problem(reasons, error) if reasons and isinstance(error, RefereeError) else None
        return None if legal else f"{shown(answer.plain())} is legal, expected that it is refused"


def fits(pattern: Any, line: EventLine) -> bool:
    """Is it the event that is meant: a rule's id, a kind, words of its sentence, or a table of its fields?"""
    facts = event_json(line)
    if isinstance(pattern, Mapping):
        fields = {key: value for key, value in pattern.items() if key != "times"}
        return mismatch(fields, facts, "") is None
    text = str(pattern)
    if RULE.match(text):
        return bool(facts.get("rule") == text)
    return simple(text) == simple(str(facts.get("kind", ""))) or simple(text) in simple(line.text)


def _kinds(events: Sequence[EventLine]) -> str:
    listed = [f"{line.event.get('kind')} ({line.event.get('rule')})" for line in events]
    few = listed[-8:]
    return ("... " if len(listed) > len(few) else "") + ", ".join(few) if listed else "none"


def unit_facts(unit: Mapping[str, Any]) -> dict[str, Any]:
    """A unit of a view with the words of case files: how many models, which soldiers, whether it is gone."""
    facts = dict(unit)
    facts["models"] = unit["models_left"]
    facts["spots"] = unit.get("models", [])
    facts["on_table"] = unit["status"] in ("board", "table")
    facts["gone"] = unit["status"] in ("lost", "gone", "destroyed")
    parts = unit.get("parts")
    if parts is not None:
        facts["soldiers"] = [name for part in parts for name in part["soldiers"]]
        facts["spent"] = [word for part in parts for word in part["spent"]]
        facts["weapons"] = [weapon for part in parts for weapon in part["weapons"]]
    return facts


def _place_problem(wanted: Any, facts: Mapping[str, Any], lengths: str) -> str | None:
    """Squares by name; on a measured table the first model, hull or gun within two millimetres."""
    places = facts.get("places")
    if places and not (facts.get("spots") or facts.get("hull")):
        words = [word for one in _several(wanted) for word in str(one).replace(",", " ").split()]
        fits = all(any(same(word, place) for place in places) for word in words)
        return None if fits and words else f"{facts['id']} stands at {', '.join(places)}, expected {shown(wanted)}"
    body = facts.get("hull") or facts.get("gun") or next(iter(facts.get("spots") or ()), None)
    if body is None:
        return f"{facts['id']} is not on the table, expected at {shown(wanted)}"
    try:
        x, y = measured_words.spot(wanted, lengths)
    except measured_words.NotUnderstood as error:
        return str(error)
    if abs(x - body["x"]) <= NEAR and abs(y - body["y"]) <= NEAR:
        return None
    return (
        f"{facts['id']} stands at {measured_words.show_spot(body['x'], body['y'], lengths)}, expected {shown(wanted)}"
    )


__all__ = ["Expectations", "Failure", "mismatch", "refusal_problem"]
