"""Options of a command that are made from what a situation can hold, in whichever game has odds.

A game's adapter names the struct of its situations; every field that says how it is asked for becomes an option here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_type_hints

import typer

Given = Mapping[str, Any]
"""The options of a situation that were given, by their flags."""


class Kind(NamedTuple):
    """One option and the fields it stands for, game by game."""

    flag: str
    fields: list[tuple[str, Any]]
    """What the game is called, and its field."""
    switch: bool
    """Is it a switch that stands for one value?"""


def with_situation(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes every option of every game's situations besides its own; its first parameter gets them."""
    first, *own = inspect.signature(command).parameters.values()
    hints = get_type_hints(command, include_extras=True)
    taken = {flag for one in own for flag in _flags_of(one, hints[one.name])}
    options = {name_of(kind): kind for kind in kinds().values() if kind.flag not in taken}

    def run(**values: Any) -> None:
        asked = {kind.flag: (values.pop(name), kind.switch) for name, kind in options.items()}
        command({flag: value for flag, (value, switch) in asked.items() if _is_given(value, switch)}, **values)

    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=made(kind), annotation=type_of(kind))
        for name, kind in options.items()
    ]
    plain = [one.replace(annotation=hints[one.name], kind=inspect.Parameter.KEYWORD_ONLY) for one in own]
    run.__signature__ = inspect.Signature([*plain, *more])  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in [*plain, *more]}
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    assert first.name == "given"
    return run


def _is_given(value: Any, switch: bool) -> bool:
    """Was an option given? A switch that is off was not; `--no-close` was."""
    return bool(value) if switch else value is not None and value != []


def _flags_of(parameter: inspect.Parameter, hint: Any) -> list[str]:
    """The flags that a command's own parameter already has."""
    details = [parameter.default, *getattr(hint, "__metadata__", ())]
    return [flag for one in details for flag in (getattr(one, "param_decls", None) or ())]


def name_of(kind: Kind) -> str:
    """The name of the parameter that an option is passed by."""
    return "situation_" + kind.flag.removeprefix("--").replace("-", "_")


def kinds() -> dict[str, Kind]:
    """Every option by its flag, in the order of the games and their fields."""
    from dieselfront.odds.games import adapter, fields, games

    by_flag: dict[str, Kind] = {}
    seen: list[Any] = []
    for game in games():
        game_odds = adapter(game)
        if any(one is game_odds for one in seen):
            continue
        seen.append(game_odds)
        for field in fields(game_odds.situation_type):
            for flag, switch in flags(field):
                by_flag.setdefault(flag, Kind(flag, [], switch)).fields.append((game_odds.name, field))
    return by_flag


def flags(field: Any) -> list[tuple[str, bool]]:
    """The flags of a field, and whether each is a switch."""
    if field.asked.values:
        return [(flag, True) for flag, _ in field.asked.values]
    return [(field.flag, field.kind is bool and field.default is False)]


def type_of(kind: Kind) -> Any:
    """What the command line reads."""
    _, field = kind.fields[0]
    if kind.switch:
        return bool
    if field.kind in (tuple, dict):
        return list[str] | None
    return field.kind | None


def made(kind: Kind) -> Any:
    """An option as the command line takes it."""
    _, field = kind.fields[0]
    names = [kind.flag, *([field.asked.short] if field.asked.short else [])]
    if kind.switch:
        return typer.Option(False, *names, help=_help(kind))
    if field.kind is bool:
        return typer.Option(None, f"{kind.flag}/--no-{kind.flag.removeprefix('--')}", help=_help(kind))
    least, most = _limits(kind) if field.kind is int else (None, None)
    return typer.Option(None, *names, help=_help(kind), min=least, max=most)


def _limits(kind: Kind) -> tuple[int | None, int | None]:
    """The lowest and the highest number that some game takes."""
    least = [field.asked.least for _, field in kind.fields]
    most = [field.asked.most for _, field in kind.fields]
    return None if None in least else min(least), None if None in most else max(most)


def _help(kind: Kind) -> str:
    """What the option means; where games differ, which means what."""
    words: dict[str, str] = {name: field.asked.help for name, field in kind.fields}
    if len(set(words.values())) == 1 and len(words) == len(names_of_games()):
        return next(iter(words.values()))
    return " ".join(f"{name[0].upper()}{name[1:]}: {text}" for name, text in words.items())


def names_of_games() -> list[str]:
    """What the games with odds are called."""
    from dieselfront.odds.games import adapter, games

    return list(dict.fromkeys(adapter(game).name for game in games()))


def fields_of(given: Given, game: str, card: Callable[[str], Any], rulings: Callable[[Any], Any]) -> dict[str, Any]:
    """The options that were given, as fields of the game's situation.

    `card` finds the id of a card by words, `rulings` reads house rulings.
    """
    from dieselfront.odds.games import OddsError, adapter, fields

    game_odds = adapter(game)
    left = dict(given)
    values: dict[str, Any] = {}
    for field in fields(game_odds.situation_type):
        for flag, switch in flags(field):
            if flag in left:
                value = left.pop(flag)
                if field.asked.values and switch:
                    values.setdefault(field.name, dict(field.asked.values)[flag])
                else:
                    values[field.name] = _read(field, value, card, rulings)
    if left:
        raise OddsError(f"{next(iter(left))} means nothing in {game_odds.name}")
    return values


def _read(field: Any, value: Any, card: Callable[[str], Any], rulings: Callable[[Any], Any]) -> Any:
    """A value as the field holds it."""
    holds = field.asked.holds
    if holds == "cards":
        return tuple(card(words) for words in value)
    if holds == "rulings":
        return rulings(value)
    if holds == "aims":
        return _pairs(field.flag, value, card)
    return tuple(value) if field.kind is tuple else value


def _pairs(flag: str, value: Any, card: Callable[[str], Any]) -> Mapping[str, str]:
    """Which weapons are aimed at which further target, from WEAPON=CARD."""
    from dieselfront.cli.errors import UserError

    pairs = {}
    for one in value:
        weapon, equals, words = one.partition("=")
        if not equals:
            raise UserError(f"{flag} is WEAPON=CARD, not '{one}'.")
        pairs[weapon.strip()] = card(words.strip())
    return pairs


__all__ = ["Given", "fields_of", "with_situation"]
