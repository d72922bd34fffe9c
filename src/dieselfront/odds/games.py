"""What the odds of a game between two cards are made of: every game tells it in the `odds` room of its folder.

Command line, matrix and server ask an adapter and know no rules: what a situation can hold, what an attack between two
cards comes to, and which other situations are worth a line. A game's adapter is `ADAPTOR` of `rulesets/<id>/odds`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    NamedTuple,
    Protocol,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

import msgspec

from dieselfront import rulesets
from dieselfront.odds.result import AttackOdds
from dieselfront.rulesets import Companion

if TYPE_CHECKING:
    from dieselfront.kernel.ruleset import Ruleset


class OddsError(ValueError):
    """Odds that cannot be worked out as asked; one sentence says why and what was expected."""


class Cell(NamedTuple):
    """One attack: losses to be expected, the chance to kill, and army points destroyed per army point spent."""

    expected: float
    destroyed: float
    worth: float
    plain: bool  # do dice and saves tell everything, or do skills change what becomes of hits

    def to_json(self) -> dict[str, Any]:
        """The cell as plain data."""
        return self._asdict()


class Adapter(Protocol):
    """What command line, matrix and server ask of a game's odds."""

    name: str
    """What the game is called in complaints."""

    @property
    def situation_type(self) -> type[Any]:
        """The struct of a situation; its fields are the options of the command line."""

    def situation(self, given: Mapping[str, Any]) -> Any:
        """The situation of the options that were given; what means nothing in this game is refused."""

    def attack(self, rules: Ruleset[Any], attacker: Any, target: Any, situation: Any) -> AttackOdds:
        """The odds of one card attacking another."""

    def what_ifs(self, odds: AttackOdds) -> list[tuple[str, Any]]:
        """Situations with one thing changed, each with its name."""

    def weapons(self, card: Any) -> list[str]:
        """The names of a card's weapons."""

    def cells(self, rules: Ruleset[Any], situation: Any) -> Callable[[Any, str, Any], Cell | None]:
        """How to work out a cell of a matrix from a card, one of its weapons or '' for all, and a target."""


@runtime_checkable
class OddsModule(Protocol):
    """What a game's module `odds` gives."""

    @property
    def ADAPTOR(self) -> Adapter:
        """The odds between two of its cards."""


ODDS: Companion[OddsModule] = Companion("odds", OddsModule)


def adapter(ruleset: str) -> Adapter:
    """The odds of a ruleset."""
    module = ODDS.of(ruleset) if ruleset in rulesets.names() else None
    if module is None:
        raise OddsError(f"odds between cards can be had for {', '.join(games())}, not for {ruleset}")
    return module.ADAPTOR


def games() -> list[str]:
    """The games whose cards can be set against each other; a game comes before its variants."""
    return sorted(ODDS.games(), key=lambda name: len(rulesets.lineage(name)))


# -- the fields of a situation -----------------------------------------------------------------------------------


def within(name: str, number: int | None, least: int, most: int) -> None:
    """Complain about a number of a situation that is out of its bounds."""
    if number is not None and not least <= number <= most:
        raise OddsError(f"{name} is a number from {least} to {most}, not {number}")


class Asked(NamedTuple):
    """How a field of a situation is asked for on a command line."""

    help: str
    flag: str = ""
    """By default the field's own name."""
    short: str = ""
    least: int | None = None
    most: int | None = None
    holds: str = ""
    """`card` or `cards`: ids of cards, found by words of their names; `rulings`: NAME=CHOICE of the game's options;
    `aims`: WEAPON=CARD."""
    values: tuple[tuple[str, Any], ...] = ()
    """Switches that stand for a value: --hard for cover="hard"."""


class Field(NamedTuple):
    """One field of a situation: what it may hold and how it is asked for."""

    name: str
    kind: Any
    """bool, int, str, tuple or dict."""
    default: Any
    asked: Asked

    @property
    def flag(self) -> str:
        """The option's name on a command line."""
        return self.asked.flag or f"--{self.name.replace('_', '-')}"


def fields(kind: type[Any]) -> tuple[Field, ...]:
    """The fields of a situation that can be asked for."""
    hints = get_type_hints(kind, include_extras=True)
    defaults = {field.name: field.default for field in msgspec.structs.fields(kind)}
    askable = []
    for name, hint in hints.items():
        asked = next((item for item in get_args(hint)[1:] if isinstance(item, Asked)), None)
        if asked is not None and get_origin(hint) is Annotated:
            default = defaults[name] if defaults[name] is not msgspec.NODEFAULT else None
            askable.append(Field(name, _plain_kind(get_args(hint)[0]), default, asked))
    return tuple(askable)


def _plain_kind(hint: Any) -> Any:
    """bool of `bool | None`, tuple of `tuple[str, ...]`."""
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(one for one in get_args(hint) if one is not type(None))
    return get_origin(hint) or hint


def read(kind: type[Any], given: Mapping[str, Any], game: str) -> Any:
    """Options by the names of fields as a situation of this kind."""
    known = kind.__struct_fields__
    for name in given:
        if name not in known:
            raise OddsError(f"{_flag_anywhere(name)} means nothing in {game}")
    try:
        return kind(**given)
    except (TypeError, msgspec.ValidationError) as error:
        raise OddsError(str(error)) from None


def _flag_anywhere(name: str) -> str:
    """What an option is called, in whichever game has it."""
    for game in games():
        for field in fields(adapter(game).situation_type):
            if field.name == name:
                return field.flag
    return f"--{name.replace('_', '-')}"


__all__ = ["Adapter", "Asked", "Cell", "Field", "OddsError", "adapter", "fields", "games", "read"]
