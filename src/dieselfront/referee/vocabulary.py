"""The closed vocabularies of a game: its rules, the kinds of its events with their fields, its decisions.

What a file names must be among them, so that a slip of the pen never makes an expectation hold by itself. The words of
answers and sentences are free; spelling.py says which of them a game knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from dieselfront import rulesets
from dieselfront.kernel.events import Event
from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import suggestion
from dieselfront.referee.reference import decisions
from dieselfront.rulebook import folders, head, ids, names

RULE = re.compile(r"^[a-z][a-z0-9]*(\.[a-z0-9_]+)+$")
KIND = re.compile(r"^[A-Z][a-z0-9]*([A-Z][a-z0-9]*)+$")
"""Two capitals in one word: the kind of an event, never a word of its sentence."""
TOLD_OF_EVENTS = ("kind", "rule", "text", "step")
"""What the referee tells of every event."""
DICE = "dice"
"""What a game waits for where nobody decides."""
PACKAGE = "dieselfront.rulesets"
_IMPORTED = re.compile(rf"{re.escape(PACKAGE)}\.(\w+)")


@cache
def relatives(ruleset: str) -> tuple[str, ...]:
    """The folders whose code a game uses: its own, its relatives', and what they share."""
    known: dict[str, None] = dict.fromkeys(rulesets.lineage(ruleset))
    waiting = list(known)
    while waiting:
        for file in source_files(waiting.pop()):
            for name in _IMPORTED.findall(file.read_text("utf-8")):
                if name not in known and folder_of(name).is_dir():
                    known[name] = None
                    waiting.append(name)
    return tuple(known)


def folder_of(name: str) -> Path:
    """Where the code of a game lies, or of what several games share."""
    books = folders()
    return books[name] if name in books else Path(rulesets.__file__).parent / name


def source_files(name: str) -> Iterator[Path]:
    """Its modules, in the order of their names."""
    yield from sorted(folder_of(name).rglob("*.py"))


@cache
def rule_ids(ruleset: str) -> frozenset[str]:
    """The rules of a game and of its relatives."""
    return frozenset(id for name in rulesets.lineage(ruleset) for id in ids(name))


@cache
def prefixes() -> frozenset[str]:
    """How the ids of all rulebooks begin."""
    return frozenset(head(name).prefix for name in names())


@cache
def event_kinds(ruleset: str) -> dict[str, tuple[str, ...]]:
    """The kinds of events a game can tell of, each with its fields."""
    homes = {Event.__module__, *(f"{PACKAGE}.{name}" for name in relatives(ruleset))}
    kinds: dict[str, tuple[str, ...]] = {}
    for kind in _subclasses(Event):
        home = ".".join(kind.__module__.split(".")[:3])
        is_told = bool(kind.says) or kind.sentence is not Event.sentence
        if is_told and home in homes:
            own = [name for name in kind.__struct_fields__ if name not in TOLD_OF_EVENTS]
            kinds[str(kind.__struct_config__.tag)] = (*TOLD_OF_EVENTS, *own)
    return kinds


def _subclasses(kind: type[Event]) -> Iterator[type[Event]]:
    for one in kind.__subclasses__():
        yield one
        yield from _subclasses(one)


@cache
def decision_keys(ruleset: str) -> tuple[str, ...]:
    """Every decision a game can ask, in the words of files."""
    return tuple(asked.key for asked in decisions(ruleset))


# -- refusing what is in none of them -------------------------------------------------------------------


def check_rule(ruleset: str, id: str, entry: Entry) -> None:
    """A rule must stand in the book of the game or of a relative."""
    if id not in rule_ids(ruleset):
        raise entry.wrong(f"there is no rule '{id}' in {ruleset}{nearest(id, sorted(rule_ids(ruleset)))}")


def check_rules_in(ruleset: str, value: object, entry: Entry) -> None:
    """Whatever looks like the id of a rule of some book must be one of this game."""
    for text in texts(value):
        if RULE.match(text) and text.partition(".")[0] in prefixes():
            check_rule(ruleset, text, entry)


def check_kind(ruleset: str, kind: str, entry: Entry) -> str:
    """The kind of event that was meant."""
    known = {simple(name): name for name in event_kinds(ruleset)}
    if simple(kind) not in known:
        raise entry.wrong(f"{ruleset} has no event '{kind}'{nearest(kind, event_kinds(ruleset))}")
    return known[simple(kind)]


def check_field(ruleset: str, field: str, kinds: Iterable[str], entry: Entry) -> None:
    """The first part of a path must be a field of the kinds that are meant; of any kind, where none is named."""
    named = list(kinds)
    every = event_kinds(ruleset)
    fields = list(dict.fromkeys(name for kind in named or every for name in every[kind]))
    first = simple(field.partition(".")[0])
    if first not in map(simple, fields):
        of = f"an event {' or '.join(named)}" if named else "no event"
        sentence = f"{of} has no field '{field}'" if named else f"{of} has a field '{field}'"
        raise entry.wrong(f"{sentence}{nearest(field, fields)}")


def check_decision(ruleset: str, key: str, entry: Entry) -> None:
    """The key of a decision, as `do` and `defaults` name it."""
    if not is_decision(ruleset, key):
        raise entry.wrong(f"{ruleset} never asks '{key}'{nearest(key, decision_keys(ruleset))}")


def is_decision(ruleset: str, key: str) -> bool:
    """Can the game ask this? A game whose decisions nobody can look up may ask anything."""
    keys = decision_keys(ruleset)
    return not keys or any(_fits(simple(key), simple(one)) for one in keys)


def _fits(key: str, known: str) -> bool:
    """Keys that are made while the game runs have an ellipsis in the reference."""
    if "…" not in known:
        return key == known
    return re.fullmatch(".+".join(map(re.escape, known.split("…"))), key) is not None


def nearest(word: str, known: Iterable[str]) -> str:
    """The likeliest words that were meant; nothing where none is like it, since all would be too many."""
    listed = list(known)
    by_simple = {simple(one): one for one in listed}
    hint = suggestion(simple(word), list(by_simple))
    if not hint.startswith("; did you mean") and len(listed) > 30:
        return ""
    for plain in sorted(by_simple, key=len, reverse=True):
        hint = re.sub(rf"(?<![\w.]){re.escape(plain)}(?![\w.])", by_simple[plain], hint)
    return hint


def texts(value: object) -> Iterator[str]:
    """Every text inside a value; the keys of tables are not among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts(one)


__all__ = [
    "DICE",
    "KIND",
    "RULE",
    "check_decision",
    "check_field",
    "check_kind",
    "check_rule",
    "check_rules_in",
    "event_kinds",
    "is_decision",
    "nearest",
    "relatives",
    "source_files",
    "texts",
]
