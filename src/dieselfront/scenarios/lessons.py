"""Lessons: a small battle with a coach. `rulesets/NAME/lessons/*.yaml` holds the battle and the steps the coach tells.

A step is shown at the decisions it names (`at`) or when it is the first one open, and is done when the log shows the
event it waits for. The browser reads the log; nothing of a lesson reaches the rules of the game.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from dieselfront import rulesets
from dieselfront.forces.armies import army_from
from dieselfront.forces.army_check import check_army
from dieselfront.scenarios.library import ScenarioProblem, parse

PREFIX = "lesson-"
"""The id of a lesson's scenario begins with it: so a page knows that a battle has a coach."""


class StepDone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the log must show: an event by its kind, under a rule (or its chapter), by the learner's side or by any."""

    event: str
    rule: str = ""
    side: Literal["mine", "any"] = "mine"
    about: dict[str, str | int] = {}
    """Data the event must hold."""


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to learn."""

    id: str
    title: str
    text: str
    hint: str
    rule: str
    done: StepDone
    at: tuple[str, ...] = ()
    """Keys of the decisions at which it is shown."""
    chance: bool = False
    """It may not come up in every battle."""


class Aside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the coach says at decisions that belong to no step."""

    title: str
    text: str
    at: tuple[str, ...]
    """Keys of the decisions at which it is said."""


class DieFace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A face of the game's die and what it is good for."""

    face: str
    name: str
    text: str


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A small battle and what is learnt in it."""

    name: str
    text: str
    minutes: int
    scenario: dict[str, Any]
    armies: tuple[dict[str, Any], dict[str, Any]]
    steps: tuple[LessonStep, ...]
    end: str
    """What the coach says when all is done."""
    opponent: str = "recruit"
    placed: bool = False
    """The learner's units are placed for him."""
    dice: tuple[DieFace, ...] = ()
    asides: tuple[Aside, ...] = ()
    id: str = ""
    ruleset: str = ""


@cache
def lessons(ruleset: str) -> tuple[Lesson, ...]:
    """The lessons of a game in the order of their files; none for a game that brings none."""
    folder = rulesets.folders().get(ruleset)
    files = sorted((folder / "lessons").glob("*.yaml")) if folder is not None else []
    return tuple(_read(file, ruleset) for file in files)


def every_lesson() -> tuple[Lesson, ...]:
    """The lessons of all games that can be played; the usual game comes first."""
    games = sorted(rulesets.names(), key=lambda name: (name != rulesets.DEFAULT, name))
    return tuple(lesson for name in games for lesson in lessons(name))


def _read(file: Path, ruleset: str) -> Lesson:
    try:
        lesson = msgspec.convert(parse(file.read_bytes(), file.name), Lesson)
    except msgspec.ValidationError as error:
        raise ScenarioProblem(f"{file.name}: {error}") from None
    scenario = {"id": PREFIX + file.stem, "name": lesson.name, "ruleset": ruleset, **lesson.scenario}
    armies = [{"ruleset": ruleset, **army} for army in lesson.armies]
    rulesets.load(ruleset).read_scenario(scenario, file.name)
    for army in armies:
        _check(army, file.name)
    return msgspec.structs.replace(
        lesson, id=file.stem, ruleset=ruleset, scenario=scenario, armies=(armies[0], armies[1])
    )


def _check(army: dict[str, Any], where: str) -> None:
    report = check_army(army_from(army))
    if not report.ok:
        raise ScenarioProblem(f"{where}: {army['name']} is not a legal list: {report.errors[0].message}")


__all__ = ["PREFIX", "Aside", "DieFace", "Lesson", "LessonStep", "StepDone", "every_lesson", "lessons"]
