"""Lessons: their battles are legal, their steps name rules and decisions that exist, and a battle ticks them off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from dieselfront import players, rulebook, rulesets
from dieselfront.forces.armies import army_from
from dieselfront.kernel.game import Game
from dieselfront.scenarios import battle, lessons
from dieselfront.scenarios.lessons import Lesson, LessonStep

LESSONS = lessons.every_lesson()
SEEDS = ("1", "2", "3")
LEARNER = 0


def played(lesson: Lesson, seed: str) -> tuple[Game, set[str]]:
    """The battle of a lesson between two computers, and the keys of what the learner was asked."""
    armies = [army_from(army) for army in lesson.armies]
    game = battle.start(battle.header(lesson.ruleset, lesson.scenario, armies, seed=seed), seed)
    sides = [players.make("recruit", f"{seed}/{side}", lesson.ruleset) for side in (0, 1)]
    keys = set()
    while game.pending is not None:
        if game.pending.player == LEARNER:
            keys.add(game.pending.key)
        game.choose(sides[game.pending.player].choose(game))
    return game, keys


def is_done(step: LessonStep, game: Game) -> bool:
    """Does the log show what the step waits for? The browser's `progress` in plain words."""
    side_of = {unit["id"]: unit["side"] for unit in game.rules.view(game.state)["units"]}
    return any(_shows(step, data, side_of) for data in _lines(game))


def _lines(game: Game) -> Iterator[dict[str, Any]]:
    for event in game.events:
        yield {**msgspec.to_builtins(event), "event": type(event).__name__}


def _shows(step: LessonStep, data: dict[str, Any], side_of: dict[str, int]) -> bool:
    wanted = step.done
    side = side_of.get(data.get("unit") or data.get("attacker") or "", data.get("player"))
    return (
        data["event"] == wanted.event
        and data["rule"].startswith(wanted.rule)
        and all(data.get(name) == value for name, value in wanted.about.items())
        and (wanted.side == "any" or side == LEARNER)
    )


def test_every_game_that_ships_has_a_lesson_and_the_usual_one_comes_first() -> None:
    assert {lesson.ruleset for lesson in LESSONS} >= set(rulesets.names()) - {"outpost"}
    assert LESSONS[0].ruleset == rulesets.DEFAULT


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.ruleset)
def test_the_steps_of_a_lesson_name_rules_of_the_game(lesson: Lesson) -> None:
    book = rulebook.load(lesson.ruleset)
    assert [step.rule for step in lesson.steps if book.find(step.rule) is None] == []
    assert len({step.id for step in lesson.steps}) == len(lesson.steps)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.ruleset)
def test_a_battle_ticks_off_the_steps_of_its_lesson(lesson: Lesson) -> None:
    owed = [step for step in lesson.steps if not step.chance]
    chances = [step for step in lesson.steps if step.chance]
    asked: set[str] = set()
    for seed in SEEDS:
        game, keys = played(lesson, seed)
        asked |= keys
        assert [step.id for step in owed if not is_done(step, game)] == []
        chances = [step for step in chances if not is_done(step, game)]
        if not chances and all(not step.at or asked & set(step.at) for step in lesson.steps):
            break
    assert chances == []
    assert [step.id for step in lesson.steps if step.at and not asked & set(step.at)] == []


def test_a_folder_without_lessons_has_none() -> None:
    assert lessons.lessons("no-such-game") == ()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.ruleset)
def test_asides_are_told_where_no_step_is(lesson: Lesson) -> None:
    taught = {key for step in lesson.steps for key in step.at}
    beside = [key for aside in lesson.asides for key in aside.at]
    assert lesson.asides
    assert not taught & set(beside)
    assert len(beside) == len(set(beside))
