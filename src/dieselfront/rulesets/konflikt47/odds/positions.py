"""Positions on the way through an attack of Konflikt '47: never changed, told apart by what matters, merged."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.konflikt47.events import DamageResult, Destroyed, Tested
from dieselfront.rulesets.konflikt47.odds.firing_range import ATTACKER, TARGET
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import State, Unit
from dieselfront.rulesets.konflikt47.terrain import Terrain

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

TOO_UNLIKELY = 1e-17

News = tuple[tuple[str, str], ...]
"""What is known of a position besides itself: units and what happened to them."""


# -- positions ---------------------------------------------------------------------------------------------------


class ExchangePosition:
    """A position on the way, and what was told of it so far; never changed once made."""

    __slots__ = ("_key", "_keys", "_state", "_units", "news")

    def __init__(
        self, state: State, news: News = (), keys: dict[str, Any] | None = None, units: dict[str, Unit] | None = None
    ) -> None:
        self._state = state
        self._units = units  # those that are not as in the state
        self.news = news
        self._keys = keys if keys is not None else {unit.id: _unit_key(unit) for unit in state.units}
        self._key: Any = None

    @property
    def state(self) -> State:
        """The position itself; parts that nobody touched are shared with others."""
        if self._units:
            self._state, self._units = _sharing(self._state, self._units), None
        return self._state

    @property
    def attacker(self) -> Unit:
        return self.unit(ATTACKER)

    @property
    def target(self) -> Unit:
        return self.unit(TARGET)

    def unit(self, id: str) -> Unit:
        """A unit by its id."""
        return self._units[id] if self._units and id in self._units else self._state.unit(id)

    def with_unit(self, unit: Unit, key: Any, news: News) -> ExchangePosition:
        """The same position with one unit in another state, and more news of it."""
        units = {**self._units, unit.id: unit} if self._units else {unit.id: unit}
        news = more_news(self.news, news) if news else self.news
        return ExchangePosition(self._state, news, {**self._keys, unit.id: key}, units)

    def without_news(self) -> ExchangePosition:
        """The same position, without news."""
        return ExchangePosition(self._state, (), self._keys, self._units)

    def unit_key(self, id: str) -> Any:
        """What tells a unit of this position from the same unit in others."""
        return self._keys[id]

    def key(self) -> Any:
        """What tells this position from others."""
        if self._key is None:
            self._key = (self.news, *self._keys.values())
        return self._key


def _sharing(state: State, units: dict[str, Unit]) -> State:
    """A state with some units replaced and everything else shared."""
    twin: State = State.__new__(State)
    for name in State.__slots__:
        setattr(twin, name, getattr(state, name))
    twin.units = [units.get(one.id, one) for one in state.units]
    twin._by_id = {unit.id: unit for unit in twin.units}
    return twin


def _unit_key(unit: Unit) -> Any:
    return (
        unit.place,
        tuple(unit.men),
        unit.pins,
        unit.order,
        unit.immobilised,
        unit.nco_lost,
        unit.spent,
        unit.gained,
        tuple(sorted(unit.notes.items())),
    )


def is_feared(unit: Unit) -> bool:
    """Does it make others test worse by being there (k47.special.horror)?"""
    return unit.alive and unit.is_fearsome


Branches = list[tuple[float, ExchangePosition]]


def merged(branches: Iterable[tuple[float, ExchangePosition]]) -> Branches:
    """Equal positions as one."""
    by_key: dict[Any, tuple[float, ExchangePosition]] = {}
    for chance, position in branches:
        if chance > TOO_UNLIKELY:
            key = position.key()
            before = by_key.get(key)
            by_key[key] = (chance, position) if before is None else (before[0] + chance, before[1])
    return list(by_key.values())


def noticed(events: Iterable[Any]) -> Iterable[tuple[str, str]]:
    """What is worth telling of the events of a step."""
    for event in events:
        if isinstance(event, Tested) and event.label.startswith("morale check"):
            yield event.unit, "morale check"
            if not event.passed:
                yield event.unit, "failed morale check"
        elif isinstance(event, Tested) and event.label.startswith("reaction test"):
            yield event.unit, "reacts" if event.passed else "fails to react"
        elif isinstance(event, DamageResult):
            yield event.unit, event.result
        elif isinstance(event, Destroyed):
            yield event.unit, f"gone: {event.reason}"


# -- rules -----------------------------------------------------------------------------------------


class Unwrecked(Terrain):
    """Terrain without wrecks: nobody drives on after the odds."""

    def wreck(self, play: Play, unit: Unit, hull: Any) -> None:
        return None


@cache
def bare(rules: Konflikt47) -> Any:
    """The same rules, but nothing is left lying about."""
    bare = type(rules)()
    bare.terrain = Unwrecked(bare)
    return bare


def more_news(news: News, more: Iterable[tuple[str, str]]) -> News:
    """The news so far, and what is new; always in the same order."""
    fresh = [one for one in dict.fromkeys(more) if one not in news]
    return tuple(sorted([*news, *fresh])) if fresh else news
