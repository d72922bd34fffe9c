"""The main choice is never the careless one: doing nothing is marked in every game, and stands last on screen."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from dieselfront import players
from dieselfront.cli.terminal.ask import useful_first
from dieselfront.forces.armies import army_from
from dieselfront.kernel.decisions import Assign, Decision, PickOne
from dieselfront.scenarios import battle, lessons
from dieselfront.scenarios.lessons import Lesson

IDLE = re.compile(r"(nothing|none|no reaction|hold|pass|do not|wait)\b", re.IGNORECASE)


def decisions(lesson: Lesson) -> Iterator[Decision]:
    """Every decision of a small battle between two computers."""
    game = battle.start(
        battle.header(lesson.ruleset, lesson.scenario, list(map(army_from, lesson.armies)), seed="2"), "2"
    )
    player = players.make("recruit", "2", lesson.ruleset)
    while game.pending is not None:
        yield game.pending
        game.choose(player.choose(game))


@pytest.mark.parametrize("lesson", lessons.every_lesson(), ids=lambda lesson: lesson.ruleset)
def test_doing_nothing_is_marked_and_never_offered_first(lesson: Lesson) -> None:
    asked = 0
    for decision in decisions(lesson):
        if isinstance(decision, PickOne):
            asked += 1
            _is_marked(decision)
            _is_last(decision)
        elif isinstance(decision, Assign):
            _has_a_shot(decision)
    assert asked > 10


def _idle(decision: PickOne, option: object) -> bool:
    about = decision.meaning(option)
    return about.careless or about.act == "pass"


def _is_marked(decision: PickOne) -> None:
    """What reads as doing nothing says so to screens."""
    for option in decision.options:
        if IDLE.match(decision.label(option)):
            assert _idle(decision, option), f"{decision.key}: '{decision.label(option)}' is not marked"


def _is_last(decision: PickOne) -> None:
    """With something to do, the first option does it."""
    options = useful_first(decision)
    assert sorted(map(str, options)) == sorted(map(str, decision.options))
    if not all(_idle(decision, option) for option in options):
        assert not _idle(decision, options[0])


def _has_a_shot(decision: Assign) -> None:
    """Weapons are only assigned where something can be done with one of them."""
    assert any(option is not None for options in decision.choices for option in options)
