"""What can be switched off in Dust 1947, for the mutation run: skills, weapon rules, effects of terrain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.kernel import hooks
from dieselfront.table.terrain import TerrainKind

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947 import Dust1947

EVERY_MOVER = ("infantry", "walker", "tracked", "half_tracked", "wheeled")
WITHOUT: dict[str, dict[str, Any]] = {
    "sight": {"sight": "no"},
    "cover": {"cover": False, "object_cover": False},
    "move": {"passable": EVERY_MOVER, "stoppable": EVERY_MOVER, "halves": False, "corner": False, "road": False},
    "stop": {"stoppable": EVERY_MOVER},
    "height": {"height": 0},
}
"""What a terrain kind is like without one of its effects."""

Switch = tuple[str, str, Callable[[], None]]


def switches(rules: Dust1947) -> Iterator[Switch]:
    """Every effect with its rule and the way to leave it out."""
    yield from _skills(rules)
    yield from _terrain(rules)


def _skills(rules: Dust1947) -> Iterator[Switch]:
    seen: set[str] = set()
    for names in (rules.registry.skills, rules.registry.weapon_rules):
        for name, kinds in names.items():
            for kind in kinds:
                if kind.rule and kind.rule not in seen:
                    seen.add(kind.rule)
                    yield kind.rule, name, lambda rule=kind.rule: hooks.oversight.off.add(rule)  # type: ignore[misc]


def _terrain(rules: Dust1947) -> Iterator[Switch]:
    for name, kind in rules.terrain.items():
        for aspect, rule in kind.rules.items():
            if aspect in WITHOUT and changed(kind, aspect) != kind:
                yield rule, f"{name}, {aspect}", lambda n=name, a=aspect: _flatten(rules, n, a)  # type: ignore[misc]


def changed(kind: TerrainKind, aspect: str) -> TerrainKind:
    """The terrain kind without one of its effects."""
    return msgspec.structs.replace(kind, **WITHOUT[aspect])


def _flatten(rules: Dust1947, name: str, aspect: str) -> None:
    rules.terrain[name] = changed(rules.terrain[name], aspect)
