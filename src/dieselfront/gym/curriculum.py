"""Curricula: battles from small to usual, for agents that learn.

>>> from dieselfront import gym
>>> [stage.id for stage in gym.curriculum("dust1947")][:2]
['duel', 'skirmish']

A game may bring small battles of its own (`curriculum.yaml` in its folder); random armies of a third, a half and the
whole of the usual points follow for every game.
"""

from __future__ import annotations

from typing import Any

import msgspec
import yaml

from dieselfront import rulebook, rulesets
from dieselfront.forces.armies import Army
from dieselfront.gym.battles import GymError, ruleset_of

SHARES = {"third": (3, "A third"), "half": (2, "Half"), "usual": (1, "All")}


class Stage(msgspec.Struct, frozen=True):
    """One stage: what it is, and the parameters of the environment that plays it."""

    id: str
    text: str
    parameters: dict[str, Any]


class _Battle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A small battle as it stands in the file."""

    id: str
    text: str
    scenario: dict[str, Any]
    armies: tuple[Army, Army]


def curriculum(name: str) -> tuple[Stage, ...]:
    """The stages of a game, the easiest first."""
    ruleset = ruleset_of(name)
    points = rulesets.load(ruleset).usual_points
    own = [Stage(one.id, one.text, {"scenario": one.scenario, "armies": one.armies}) for one in _own(ruleset)]
    general = [
        Stage(id, f"{share} of the usual points, random armies, any scenario.", _random(points // part))
        for id, (part, share) in SHARES.items()
    ]
    return (*own, *general)


def stage(name: str, id: str) -> Stage:
    """One stage of a game by its id."""
    stages = {one.id: one for one in curriculum(name)}
    if id not in stages:
        raise GymError(f"{name} has no stage '{id}'; expected {' or '.join(stages)}.")
    return stages[id]


def _random(points: int) -> dict[str, Any]:
    return {"points": points, "scenario": "any"}


def _own(ruleset: str) -> list[_Battle]:
    folder = rulebook.folders().get(ruleset)
    file = folder / "curriculum.yaml" if folder is not None else None
    if file is None or not file.is_file():
        return []
    return msgspec.convert(yaml.safe_load(file.read_text("utf-8")), list[_Battle])


__all__ = ["Stage", "curriculum", "stage"]
