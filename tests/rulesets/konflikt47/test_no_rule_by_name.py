"""Chapters ask what a rule says, never what it is called: only the files of the rules themselves know their names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from dieselfront.kernel.hooks import Effect, answered
from dieselfront.rulesets import konflikt47
from dieselfront.rulesets.konflikt47.hooks import HOOKS, WEAPON_HOOKS, Mark
from dieselfront.rulesets.konflikt47.nations import CHARACTERISTICS, NATIONS
from dieselfront.rulesets.konflikt47.ruleset import ALL_SPECIALS
from dieselfront.rulesets.konflikt47.weapon_effects import WEAPON_RULES

FOLDER = Path(konflikt47.__file__).parent
NAMES = {*ALL_SPECIALS, *WEAPON_RULES, *CHARACTERISTICS}

EFFECTS = ("specials.py", "vehicle_rules.py", "nations.py", "weapon_effects.py")
"""Where the rules themselves are."""
PRINTED = ("army/", "cards.py", "charts.py", "forces_in.py")
"""These read what is printed on cards and charts, before there are units with rules."""


def chapters() -> list[str]:
    files = sorted(str(file.relative_to(FOLDER)) for file in FOLDER.rglob("*.py"))
    return [file for file in files if file not in EFFECTS and not file.startswith(PRINTED)]


def names_in_conditions(tree: ast.AST) -> Iterator[str]:
    """Names of rules that are compared with something, looked up in a call of `has`, or kept in a tuple of names."""
    for node in ast.walk(tree):
        asked: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "has":
            asked = list(node.args)
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            asked = list(node.elts)
        for one in asked:
            if isinstance(one, ast.Constant) and one.value in NAMES:
                yield f"line {one.lineno}: {one.value}"


@pytest.mark.parametrize("file", chapters())
def test_a_chapter_names_no_rule_in_a_condition(file):
    assert list(names_in_conditions(ast.parse((FOLDER / file).read_text("utf-8")))) == []


@pytest.mark.parametrize(
    "code",
    ['unit.has("Flight")', '"Automaton" in unit.rules', 'name == "Strong"', 'KINDS = ("One-shot", "Rail Gun")'],
)
def test_the_look_out_sees_names(code):
    assert list(names_in_conditions(ast.parse(code)))


def test_every_hook_is_asked_and_every_hook_asked_for_is_listed():
    asked = {
        node.value
        for file in FOLDER.rglob("*.py")
        if file.name != "hooks.py"
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("on_")
    }
    assert asked == {*HOOKS, *WEAPON_HOOKS}


def test_a_mark_that_no_rule_can_set_is_refused():
    with pytest.raises(TypeError, match="no mark"):
        Mark("on_flys")
    with pytest.raises(TypeError, match="no mark"):
        Mark("on_rates")


# -- the map in docs/hooks.md ------------------------------------------------------------------------------------------

MAP = (Path(__file__).resolve().parents[3] / "docs" / "hooks.md").read_text("utf-8")


def row(name: str, effects: Iterable[Effect]) -> str:
    """A rule as the map shows it: what is printed, the rules it applies, the hooks it answers."""
    rules = dict.fromkeys(effect.rule for effect in effects)
    hooks = dict.fromkeys(hook for effect in effects for hook in answered(type(effect)))
    return f"| {name} | {', '.join(f'`{rule}`' for rule in rules)} | {', '.join(f'`{hook}`' for hook in hooks)} |"


def rows() -> list[str]:
    hooks = [f"| `{hook}` | {told} |" for hook, told in (*HOOKS.items(), *WEAPON_HOOKS.items())]
    printed = [row(name, [special]) for name, special in (*ALL_SPECIALS.items(), *CHARACTERISTICS.items())]
    nations = [row(name, specials) for name, specials in NATIONS.items()]
    return [*hooks, *printed, *nations, *(row(name, effects) for name, effects in WEAPON_RULES.items())]


def test_every_hook_and_every_rule_stands_on_the_map():
    on_the_map = MAP.partition("## Konflikt '47\n")[2].splitlines()
    assert [line for line in rows() if line not in on_the_map] == []
