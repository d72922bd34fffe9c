"""No game is named outside its own folder: adding a folder under `rulesets/` is all a new game does.

Comments and docstrings may speak of games (the rules that a kind of table serves, examples); code may not: neither its
names nor its strings. Data files and tests are left out.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from dieselfront import rulebook, rulesets

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "dieselfront"
ROOMS = ("kernel", "table", "odds", "referee", "server", "cli", "lab", "players", "scenarios", "gym")
WEB = ROOT / "web" / "src"

EXCEPTIONS = {
    "web/src/rules/book.ts": "rule ids to games by prefix: the rulebook route gives it",
    "web/src/pages/Rules.svelte": "the game whose rules are shown first",
    "web/src/pages/Companion.svelte": "the game that the companion page shows first",
}
"""Files that name a game all the same, each with the reason; at most ten."""

PLAIN_WORDS = {"battlefield"}
"""Ids that are everyday words as well: only a whole string or a part of a module's path names the game."""


def games() -> tuple[str, ...]:
    """Every game that has a rulebook."""
    return tuple(sorted(rulebook.folders()))


def prefixes() -> set[str]:
    """What the rule ids of the games begin with."""
    return {rule.id.split(".")[0] for game in games() for rule in rulebook.load(game).rules}


def families() -> set[str]:
    """The words that names of games, of their card families and of their folders are made of."""
    words = {re.sub(r"\d+$", "", game) for game in games()} - PLAIN_WORDS
    return words | {"dust"}


def pattern_of_strings() -> re.Pattern[str]:
    ids = [re.escape(game) for game in games() if game not in PLAIN_WORDS]
    whole = [re.escape(game) for game in games() if game in PLAIN_WORDS]
    names = [re.escape(rulesets.load(game).name) for game in rulesets.names()]
    parts = [rf"\b(?:{'|'.join(ids)})\b", rf"\b(?:{'|'.join(sorted(prefixes()))})\.[a-z]", *names]
    parts += [rf"""^["'](?:{word})["']$|rulesets[./]{word}\b""" for word in whole]
    return re.compile("|".join(parts))


def pattern_of_names() -> re.Pattern[str]:
    ids = "|".join(re.escape(game) for game in games() if game not in PLAIN_WORDS)
    words = "|".join(sorted(families()))
    capitals = "|".join(word.capitalize() for word in sorted(families()))
    return re.compile(rf"{ids}|(?:^|_)(?:{words})(?:_|\d|$)|(?:{capitals})(?:[A-Z\d]|$)|^(?:{words.upper()})_")


STRINGS, NAMES = pattern_of_strings(), pattern_of_names()


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Everything imported from the folder of a game, or of what games share."""
    for node in ast.walk(tree):
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        yield from ((node.lineno, module) for module in modules if module.startswith("dieselfront.rulesets."))


def docstrings(text: str) -> set[int]:
    """The first lines of strings that stand by themselves: docstrings, and sentences under a constant."""
    return {
        node.value.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }


def named_in_python(text: str) -> Iterator[tuple[int, str]]:
    """Line and token of everything in the code that names a game."""
    yield from imports(ast.parse(text))
    sentences = docstrings(text)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        line = token.start[0]
        if token.type == tokenize.NAME and NAMES.search(token.string):
            yield line, token.string
        elif token.type == tokenize.STRING and line not in sentences and STRINGS.search(token.string):
            yield line, token.string[:60]


COMMENTS = re.compile(r"/\*.*?\*/|(?<![:'\"])//[^\n]*|<!--.*?-->", re.DOTALL)
QUOTED = re.compile(r"""'[^'\n]*'|"[^"\n]*"|`[^`]*`|>[^<>{}]+<""")


def named_in_web(text: str) -> Iterator[tuple[int, str]]:
    """Line and text of every string or sentence of a page that names a game."""
    bare = COMMENTS.sub(lambda match: "\n" * match[0].count("\n"), text)
    for match in QUOTED.finditer(bare):
        if STRINGS.search(match[0]):
            yield bare.count("\n", 0, match.start()) + 1, match[0].strip()[:60]


def violations() -> dict[str, list[tuple[int, str]]]:
    """Every place that names a game, by file."""
    files = [path for room in ROOMS for path in sorted((SOURCE / room).rglob("*.py"))]
    pages = [
        path
        for ending in ("ts", "svelte")
        for path in sorted(WEB.rglob(f"*.{ending}"))
        if not path.name.endswith(".test.ts")
    ]
    by_file = {path: list(named_in_python(path.read_text("utf-8"))) for path in files}
    by_file |= {path: list(named_in_web(path.read_text("utf-8"))) for path in pages}
    return {path.relative_to(ROOT).as_posix(): places for path, places in by_file.items() if places}


def test_no_game_is_named_outside_its_folder():
    named = {file: places for file, places in violations().items() if file not in EXCEPTIONS}
    assert not named, "\n".join(f"{file}:{line}: {what}" for file, places in named.items() for line, what in places)


def test_the_exceptions_are_few_and_needed():
    assert len(EXCEPTIONS) <= 10
    assert set(EXCEPTIONS) <= set(violations()), "a file no longer names a game: take it off the list"


@pytest.mark.parametrize(
    "code, named",
    [
        ("import dieselfront.rulesets.konflikt47", True),
        ("from dieselfront.rulesets.battlefield import ground", True),
        ("from dieselfront.rulesets import DEFAULT, load", False),
        ("rules = load('battlefield')", True),
        ("text = 'The battlefield after so many choices'", False),
        ("rule = 'd47.attack.range'", True),
        ("from dieselfront.forces import DustCard", True),
        ("cards = dust_catalogue()", True),
        ("industry = Industrial = 1", False),
        ('def f():\n    """As in dust1947 (d47.attack.range)."""', False),
        ("x = 1  # dust1947", False),
    ],
)
def test_what_counts_as_naming_a_game(code: str, named: bool):
    assert bool(list(named_in_python(code))) == named
