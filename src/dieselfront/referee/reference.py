"""The reference part of docs/referee.md, worked out from the code: decisions, aims, inline cards, terrain, tokens.

Every decision that a game can ask is found in the source of its chapters, so that the page stays true.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from dieselfront import rulesets
from dieselfront.referee.contract import REFEREE, Adaptor, adaptor_for
from dieselfront.rulebook.load import folders

SHAPES = {
    "PickOne": "one of its options",
    "PickNext": "one of its options",
    "PickSome": "some of its options",
    "Assign": "weapons to targets",
    "Place": "a place, a facing where it matters",
    "PlaceFree": "a place, a facing where it matters",
    "Path": "a way or a place",
    "YesNo": "yes or no",
    "Number": "a number",
}
DEEPEST = 4
NOT_CHAPTERS = ("referee", "adviser", "odds", "field", "exercise", "bench")


class Asked(NamedTuple):
    """A kind of decision: its key, the shape of its answers, the question as it is put."""

    key: str
    shape: str
    question: str


# -- decisions in the source ------------------------------------------------------------------------


@cache
def decisions(ruleset: str) -> tuple[Asked, ...]:
    """Every decision that the chapters of a game and of its relatives can ask, by key."""
    trees = list(_sources(ruleset))
    carriers = _carriers(trees)
    asked: dict[str, Asked] = {}
    for tree in trees:
        for call in ast.walk(tree):
            if isinstance(call, ast.Call):
                for one in _asked(call, carriers):
                    known = asked.get(one.key)
                    if known is None or not known.question:
                        asked[one.key] = one
    return tuple(asked[key] for key in sorted(asked))


def _sources(ruleset: str) -> Iterator[ast.Module]:
    for name in rulesets.lineage(ruleset):
        folder = Path(str(folders()[name]))
        for file in sorted(folder.rglob("*.py")):
            inner = file.relative_to(folder).parts
            if inner[0].removesuffix(".py") not in NOT_CHAPTERS:
                yield ast.parse(file.read_text("utf-8"))


Carriers = dict[str, dict[int, str]]
"""Functions that are handed the key of a decision: where it stands among their arguments, and the shape."""


def _carriers(trees: list[ast.Module]) -> Carriers:
    functions = [
        node
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and "key" in _arguments(node)
    ]
    carriers: Carriers = {}
    for _ in range(DEEPEST):  # a key may be handed on
        for function in functions:
            shape = _shape_made(function, carriers)
            if shape:
                carriers.setdefault(function.name, {})[_arguments(function).index("key")] = shape
    return carriers


def _arguments(function: ast.FunctionDef) -> list[str]:
    named = (*function.args.args, *function.args.kwonlyargs)
    return [argument.arg for argument in named if argument.arg != "self"]


def _shape_made(function: ast.FunctionDef, carriers: Carriers) -> str:
    """The shape of the decision that a function makes of the key it is handed."""
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and any(_is_key(value) for value in (*call.args, *map(_value, call.keywords))):
            name = _called(call)
            if name in SHAPES or name in carriers:
                return name if name in SHAPES else next(iter(carriers[name].values()))
    return ""


def _is_key(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id == "key"


def _value(keyword: ast.keyword) -> ast.expr:
    return keyword.value


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _asked(call: ast.Call, carriers: Carriers) -> Iterator[Asked]:
    name = _called(call)
    question = next((keyword.value for keyword in call.keywords if keyword.arg == "text"), None)
    for place, shape in ({1: name} if name in SHAPES else carriers.get(name, {})).items():
        given = call.args[place] if len(call.args) > place else None
        given = given or next((keyword.value for keyword in call.keywords if keyword.arg == "key"), None)
        for key in _texts(given):
            yield Asked(key, SHAPES[shape], next(iter(_texts(question)), ""))


def _texts(node: ast.expr | None) -> Iterator[str]:
    """The texts an expression may be; what is filled in later is an ellipsis."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    elif isinstance(node, ast.JoinedStr):
        parts = [str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values]
        yield "".join(parts)


# -- the page ---------------------------------------------------------------------------------------


def reference() -> str:
    """The reference of every game that the referee knows, in Markdown."""
    known = REFEREE.games()
    return "\n".join(section(name) for name in known)


def section(ruleset: str) -> str:
    """The reference of one game."""
    adaptor = adaptor_for(ruleset)
    rules = rulesets.load(ruleset)
    parts = [f"### {rules.name} (`{ruleset}`)\n"]
    parts.append(f"Questions: {_code(sorted((*adaptor.questions, 'options')))}.\n")
    parts.append(_decisions(ruleset))
    parts.append(_events(ruleset))
    for title, words in _vocabulary(ruleset, adaptor).items():
        if words:
            parts.append(_table(title, words))
    return "\n".join(parts)


def _decisions(ruleset: str) -> str:
    relatives = rulesets.lineage(ruleset)[1:]
    inherited = {asked.key for name in relatives for asked in decisions(name)}
    own = [asked for asked in decisions(ruleset) if asked.key not in inherited]
    lines = ["| decision | is answered with | asks |", "| --- | --- | --- |"]
    lines += [f"| `{asked.key}` | {asked.shape} | {asked.question} |" for asked in own]
    more = f"\nBesides, all decisions of {', '.join(f'`{name}`' for name in relatives)}.\n" if relatives else ""
    return "\n".join(lines) + "\n" + more


def _events(ruleset: str) -> str:
    """What `events` and `no_events` may name, with the fields of each kind."""
    from dieselfront.referee.vocabulary import TOLD_OF_EVENTS, event_kinds  # which looks up decisions here

    shown = []
    for kind, fields in event_kinds(ruleset).items():
        own = [f"`{name}`" for name in fields if name not in TOLD_OF_EVENTS]
        shown.append(f"`{kind}`" + (f" ({', '.join(own)})" if own else ""))
    return f"Events, with their fields: {', '.join(shown)}.\n"


def _vocabulary(ruleset: str, adaptor: Adaptor[Any]) -> dict[str, Mapping[str, str]]:
    return {
        "words of an aim or a shot": adaptor.aim_words,
        "keys of an inline card": adaptor.card_keys,
        "terrain": adaptor.terrain_words(rulesets.load(ruleset)),
        "traits of a piece of terrain": adaptor.traits,
        "tokens": dict.fromkeys(adaptor.tokens, ""),
    }


def _table(title: str, words: Mapping[str, str]) -> str:
    if not any(words.values()):
        return f"{title.capitalize()}: {_code(words)}.\n"
    lines = [f"| {title} | means |", "| --- | --- |"]
    lines += [f"| `{word}` | {meaning} |" for word, meaning in words.items()]
    return "\n".join(lines) + "\n"


def _code(words: object) -> str:
    return ", ".join(f"`{word}`" for word in words)  # type: ignore[attr-defined]


__all__ = ["Asked", "decisions", "reference"]
