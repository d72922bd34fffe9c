"""The hook engine: special rules as small objects that answer named moments.

A game lists its moments once, each with a sentence, and derives its own base of effects from `Effect`:

    class Skill(Effect, moments=HOOKS): ...

An effect answers only the moments it cares about, by methods of their names; one that answers a moment nobody calls is
refused when its file loads. What the effects of a unit answer is indexed by moment once, when the unit is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

Effects = Mapping[str, tuple[Callable[..., Any], ...]]
"""For every moment the bound methods that answer it, in the order of the effects."""

NO_EFFECTS: Effects = {}

Watch = Callable[[Any, str, Callable[..., Any]], Callable[..., Any]]


class Oversight:
    """What the proofs do to effects: the mutation run switches some off, the exercise run counts their use."""

    __slots__ = ("off", "watch")

    def __init__(self) -> None:
        self.off: set[object] = set()
        """Ids of rules whose effects are left out, or pairs (id of an effect, moment) for a single answer."""
        self.watch: Watch | None = None
        """Looks over the shoulder of every answer that is indexed."""

    def is_off(self, effect: Effect, moment: str) -> bool:
        """Is this answer left out?"""
        return bool(self.off) and (effect.rule in self.off or (id(effect), moment) in self.off)


oversight = Oversight()
"""Empty in play."""


class Effect:
    """A special rule: `rule` is its id, its `on_…` methods are its answers."""

    moments: ClassVar[Mapping[str, str]] = {}
    rule: ClassVar[str] = ""

    __slots__ = ()

    def __init_subclass__(cls, moments: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init_subclass__(**more)
        if moments is not None:
            cls.moments = moments
        strangers = {name for name in vars(cls) if name.startswith("on_")} - cls.moments.keys()
        if strangers:
            raise TypeError(f"{cls.__name__} answers hooks nobody calls: {', '.join(sorted(strangers))}")


_answered: dict[type[Effect], tuple[str, ...]] = {}


def answered(kind: type[Effect]) -> tuple[str, ...]:
    """The moments that a kind of effect answers, in the order of the game's list."""
    if kind not in _answered:
        _answered[kind] = tuple(moment for moment in kind.moments if getattr(kind, moment, None) is not None)
    return _answered[kind]


def index(effects: Iterable[Effect]) -> dict[str, tuple[Callable[..., Any], ...]]:
    """Sort the answers of some effects by moment."""
    answers: dict[str, list[Callable[..., Any]]] = {}
    watch = oversight.watch
    for effect in effects:
        for moment in answered(type(effect)):
            if oversight.is_off(effect, moment):
                continue
            answer = getattr(effect, moment)
            answers.setdefault(moment, []).append(answer if watch is None else watch(effect, moment, answer))
    return {moment: tuple(bound) for moment, bound in answers.items()}


def ask(effects: Effects, moment: str, value: Any, *context: Any) -> Any:
    """Let every effect change the value in turn."""
    for answer in effects.get(moment, ()):
        value = answer(value, *context)
    return value


__all__ = ["NO_EFFECTS", "Effect", "Effects", "Oversight", "answered", "ask", "index", "oversight"]
