"""Weights: what advisers care about, by ruleset, and personalities that shift them (personalities.yaml)."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml

from dieselfront import rulebook

Weights = dict[str, float]


class Book(msgspec.Struct, forbid_unknown_fields=True):
    """The file: weights of games without their own, personalities as factors on them, and what each is like."""

    weights: Weights
    personalities: dict[str, Weights]
    about: dict[str, str]


class UnknownPlayer(ValueError):
    """There is no computer player of that name."""


class UnknownPersonality(UnknownPlayer):
    """There is no personality or weight of that name."""


@cache
def book() -> Book:
    """The weights and personalities that come with the program."""
    text = files("dieselfront.players").joinpath("personalities.yaml").read_text("utf-8")
    return msgspec.convert(yaml.safe_load(text), Book, strict=False)


def personalities() -> tuple[str, ...]:
    """The personalities there are."""
    return tuple(book().personalities)


def about(personality: str) -> str:
    """A personality in a line."""
    return book().about[personality]


def weights(ruleset: str, personality: str = "balanced", changes: Mapping[str, float] | None = None) -> Weights:
    """The weights of a ruleset as a personality sees them; `changes` put other numbers in their place (a tuner's)."""
    known = book()
    if personality not in known.personalities:
        close = difflib.get_close_matches(personality, known.personalities, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known.personalities)}."
        raise UnknownPersonality(f"There is no personality '{personality}'; {hint}")
    own = dict(adviser_data(ruleset, "weights") or known.weights)
    for name, number in (changes or {}).items():
        if name not in own:
            raise UnknownPersonality(f"There is no weight '{name}' for {ruleset}; there are {', '.join(own)}.")
        own[name] = float(number)
    for name, factor in known.personalities[personality].items():
        if name in own:
            own[name] *= factor
    return own


@cache
def adviser_data(ruleset: str, name: str) -> dict[str, Any]:
    """A data file of a game's adviser, or of its relative's; empty where there is none."""
    folders = rulebook.folders()
    for id in lineage(ruleset):
        file = folders[id] / "adviser" / f"{name}.yaml" if id in folders else None
        if file is not None and file.is_file():
            data: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))
            return data
    return {}


def lineage(ruleset: str) -> tuple[str, ...]:
    """A ruleset and those it inherits from, the nearest first; an unknown one has no parents."""
    if ruleset not in rulebook.names():
        return (ruleset,)
    relatives: tuple[str, ...] = (ruleset,)
    while parent := rulebook.head(relatives[-1]).inherits:
        relatives += (parent,)
    return relatives


__all__ = ["UnknownPersonality", "UnknownPlayer", "Weights", "personalities", "weights"]
