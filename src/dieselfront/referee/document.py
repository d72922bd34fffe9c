"""Referee files as a tree of entries that know their line, so that every complaint can name the place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from dieselfront.kernel.field import NoAnswer, UnknownWord
from dieselfront.referee.errors import LineNumber, RefereeError, suggestion

MOST_BYTES = 2_000_000
MOST_ENTRIES = 100_000
DEEPEST = 40
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = "tag:yaml.org,2002:"


class Entry:
    """One value of the file: a table, a list or a single value, with the line it stands on."""

    __slots__ = ("items", "line", "pairs", "path", "value")

    def __init__(self, line: int, path: str) -> None:
        self.line: int = line
        self.path = path
        self.pairs: dict[str, Entry] | None = None
        self.items: list[Entry] | None = None
        self.value: Any = None

    # -- what it is -----------------------------------------------------------------------------

    @property
    def is_table(self) -> bool:
        return self.pairs is not None

    @property
    def is_list(self) -> bool:
        return self.items is not None

    def plain(self) -> Any:
        """The value as plain data."""
        if self.pairs is not None:
            return {key: entry.plain() for key, entry in self.pairs.items()}
        if self.items is not None:
            return [entry.plain() for entry in self.items]
        return self.value

    def wrong(self, message: str) -> RefereeError:
        """A complaint about this entry."""
        named = isinstance(self.line, LineNumber) and self.line.words
        return RefereeError(f"{self.path}: {message}" if self.path and not named else message, self.line)

    def impossible(self, message: str, rule: str | None = None) -> RefereeError:
        """A refusal of what this entry clearly says: the rules, or the laws of a position, do not allow it."""
        error = self.wrong(message)
        error.forbids, error.rule = True, rule
        return error

    def no_answer(self, error: NoAnswer) -> RefereeError:
        """A question that makes no sense here; whether its words exist at all is for the spelling to say."""
        refused = self.wrong(str(error))
        refused.about, refused.forbids = error.about, not isinstance(error, UnknownWord)
        return refused

    # -- reading it -----------------------------------------------------------------------------

    def table(self, known: Iterable[str] | None = None) -> dict[str, Entry]:
        """Its pairs; keys that nobody knows are refused."""
        if self.pairs is None:
            raise self.wrong(f"expected a table of names and values, not {self.described()}")
        if known is not None:
            words = tuple(known)
            for key, entry in self.pairs.items():
                if key not in words:
                    where = f" of {self.path}" if self.path else ""
                    raise RefereeError(f"unknown key '{key}'{where}{suggestion(key, words)}", entry.line)
        return self.pairs

    def entries(self) -> list[Entry]:
        """Its items; a single value is a list of one, nothing an empty one."""
        if self.items is not None:
            return self.items
        if self.pairs is None and self.value is None:
            return []
        return [self]

    def text(self) -> str:
        """A single value as text."""
        if self.pairs is not None or self.items is not None or self.value is None:
            raise self.wrong(f"expected a word, not {self.described()}")
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return str(self.value)

    def words(self) -> list[str]:
        """A list of words, or one text with commas."""
        if self.items is not None:
            return [entry.text() for entry in self.items]
        return [word.strip() for word in self.text().split(",") if word.strip()]

    def number(self, least: int = 0, most: int = 10**6) -> int:
        """A whole number in a range."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not least <= self.value <= most:
            upper = f" to {most}" if most < 10**6 else " or more"
            raise self.wrong(f"expected a whole number, {least}{upper}, not {self.described()}")
        return self.value

    def flag(self) -> bool:
        """Yes or no."""
        if not isinstance(self.value, bool):
            raise self.wrong(f"expected yes or no, not {self.described()}")
        return self.value

    def described(self) -> str:
        """What stands there, for complaints."""
        if self.pairs is not None:
            return "a table"
        if self.items is not None:
            return "a list"
        return "nothing" if self.value is None else repr(self.value)


def read(data: bytes, name: str) -> Entry:
    """A YAML or JSON file as a tree of entries."""
    return read_all(data, name)[0]


def read_all(data: bytes, name: str) -> list[Entry]:
    """All documents of a YAML stream (one, in JSON) as trees of entries."""
    if len(data) > MOST_BYTES:
        raise RefereeError(f"{name} is too long ({len(data)} bytes); a referee file has at most {MOST_BYTES}.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RefereeError(f"{name} is not UTF-8 text.") from None
    is_json = text.lstrip().startswith(("{", "["))
    if is_json:
        text = text.replace("\t", "    ")  # YAML reads JSON, but not its tabs
    try:
        nodes = [node for node in yaml.compose_all(text, Loader=_Loader) if node is not None]
    except yaml.YAMLError as error:
        raise _unreadable(error, name) from None
    except RecursionError:
        raise RefereeError(f"{name} is nested too deeply.") from None
    if not nodes:
        raise RefereeError(f"{name} is empty; expected a table with ruleset, size and units.")
    return [_Reader(is_json).entry(node, "", 0) for node in nodes]


def entry_of(value: Any, path: str = "", line: int = 0) -> Entry:
    """Plain data as a tree of entries, for questions that no file asks."""
    made = Entry(line, path)
    if isinstance(value, dict):
        made.pairs = {str(key): entry_of(one, f"{path} {key}".strip(), line) for key, one in value.items()}
    elif isinstance(value, list | tuple):
        made.items = [entry_of(one, f"{path} {place}".strip(), line) for place, one in enumerate(value, 1)]
    else:
        made.value = value
    return made


def merged(common: Entry, own: Entry) -> Entry:
    """A table laid over another one: tables are merged key by key, anything else is replaced; nothing removes a key."""
    if common.pairs is None or own.pairs is None:
        return own
    made = Entry(own.line, own.path)
    made.pairs = dict(common.pairs)
    for key, entry in own.pairs.items():
        if entry.pairs is None and entry.items is None and entry.value is None:
            made.pairs.pop(key, None)
        else:
            made.pairs[key] = merged(made.pairs[key], entry) if key in made.pairs else entry
    return made


def in_words(path: str) -> str:
    """A path as people say it: "do 3 move" is "step 3 (move)"."""
    first, _, rest = path.partition(" ")
    number, _, inner = rest.partition(" ")
    if first == "do" and number:
        return f"step {number}" + (f" ({inner})" if inner else "")
    if first == "ask" and number:
        return f"question {number}" + (f" ({inner})" if inner else "")
    return path


def _unreadable(error: yaml.YAMLError, name: str) -> RefereeError:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or "it is not YAML"
    return RefereeError(f"{name} cannot be read: {problem}", mark.line + 1 if mark else 0)


class _Reader:
    """Turns nodes into entries, with a limit on their number."""

    def __init__(self, is_json: bool = False) -> None:
        self.is_json = is_json
        self.left = MOST_ENTRIES
        self.constructor = yaml.constructor.SafeConstructor()

    def entry(self, node: yaml.Node, path: str, depth: int) -> Entry:
        line = self._line(node, path)
        self.left -= 1
        if self.left < 0 or depth > DEEPEST:
            raise RefereeError("the file is too large or nested too deeply", line)
        made = Entry(line, path)
        if isinstance(node, yaml.MappingNode):
            made.pairs = dict(self._pairs(node, path, depth))
        elif isinstance(node, yaml.SequenceNode):
            made.items = [
                self.entry(item, f"{path} {place}".strip(), depth + 1) for place, item in enumerate(node.value, 1)
            ]
        else:
            made.value = self._value(node, line)
        return made

    def _line(self, node: yaml.Node, path: str) -> int:
        """The line; in JSON the place is given as its path, since everything may stand on one line."""
        number: int = node.start_mark.line + 1
        return LineNumber.of_path(number, in_words(path)) if self.is_json else number

    def _pairs(self, node: yaml.MappingNode, path: str, depth: int) -> Iterator[tuple[str, Entry]]:
        seen: set[str] = set()
        for key_node, value_node in node.value:
            line = self._line(key_node, f"{path} {key_node.value}".strip())
            if not isinstance(key_node, yaml.ScalarNode):
                raise RefereeError("expected a word before the colon", line)
            key = str(key_node.value)
            if key in seen:
                raise RefereeError(f"'{key}' stands here a second time", line)
            seen.add(key)
            made = self.entry(value_node, f"{path} {key}".strip(), depth + 1)
            made.line = line
            yield key, made

    def _value(self, node: yaml.Node, line: int) -> Any:
        """Numbers, yes/no, nothing and words; dates and other notions of YAML stay words."""
        tag = node.tag.removeprefix(_PLAIN)
        if tag in ("int", "bool", "null", "float"):
            try:
                return self.constructor.construct_object(node)
            except (ValueError, yaml.YAMLError):
                return str(node.value)
        if tag not in ("str", "timestamp", "merge", "value"):
            raise RefereeError(f"a value of the kind {node.tag} is not expected", line)
        return str(node.value)
