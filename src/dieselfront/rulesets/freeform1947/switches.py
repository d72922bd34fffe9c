"""What can be switched off in freeform games, for the mutation run: movement, sight, fire, losses, terrain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.rulesets.dust_open import attack, ways
from dieselfront.rulesets.dust_open.ground import ARCS
from dieselfront.rulesets.dust_open.models import BesideFirst
from dieselfront.rulesets.dust_open.places import Measures
from dieselfront.rulesets.dust_open.templates import Burst, Templates
from dieselfront.rulesets.freeform1947 import ground, models
from dieselfront.rulesets.freeform1947.attack import FreeAttacks
from dieselfront.rulesets.freeform1947.damage import FreeDamage, Leaders
from dieselfront.rulesets.freeform1947.ground import FreeGround
from dieselfront.rulesets.freeform1947.playing import free_rules
from dieselfront.rulesets.freeform1947.ways import FreeWays
from dieselfront.table.measured.arcs import ALL_ROUND
from dieselfront.table.measured.placement import Keep
from dieselfront.table.measured.sight import SightRules

if TYPE_CHECKING:
    from dieselfront.rulesets.freeform1947.ruleset import Freeform1947

Switch = tuple[str, str, Callable[[], None]]

WITHOUT: dict[str, dict[str, Any]] = {
    "sight": {"sight": "open"},
    "cover": {"cover": "none"},
    "move": {"going": {}},
}
"""What a terrain kind is like without one of its effects."""


def nothing(*_: Any, **__: Any) -> Any:
    """A procedure in which nothing happens."""
    return
    yield


def _all_alive(self: Any, unit: Any, part: Any, shot: Any) -> tuple[list[int], list[int]]:
    return list(part.alive), []


def _whole_or_none(self: Any, unit: Any, part: Any, shot: Any) -> tuple[list[int], list[int]]:
    """All who are in sight, open or not."""
    in_open, covered = _classes(self, unit, part, shot)
    return sorted(in_open + covered), []


def _leads(self: Any, play: Any, unit: Any, *_: Any) -> Any:
    return free_rules(play).ground.first(play.state, unit)


_classes = FreeDamage.classes
_keeps = FreeWays._keeps

METHODS: tuple[tuple[str, Any, str, Any], ...] = (
    ("ff.move.circle", models, "CIRCLE", 9_999),
    ("ff.move.no_overlap", FreeGround, "others", lambda self, state, unit: []),
    ("ff.move.leader_circles", models, "keeps_from_centres", lambda *_: True),
    ("ff.move.enemy_block", FreeWays, "_circle", lambda self, leader: Keep(leader)),
    ("ff.move.vehicle_vehicle", FreeWays, "_keeps", lambda self: [k for k in _keeps(self) if not k.body.corners]),
    ("ff.move.vehicle_blocked_hull", FreeWays, "_keeps", lambda self: []),
    ("ff.move.leader_path", BesideFirst, "admits", lambda self, body: True),
    ("ff.move.hero_leader", FreeGround, "first_figure", lambda self, unit, models: models[0]),
    ("ff.move.multi_segments", FreeWays, "_fits", lambda self, path, cost, spent: cost <= self.limit),
    ("ff.open.rounding_step", FreeWays, "_fits", lambda self, path, cost, spent: cost <= self.limit),
    ("ff.area.roads", ways, "runs_on", lambda *_: False),
    ("ff.open.height_levels", FreeWays, "_climb", lambda self, place: 0),
    ("ff.suppress.no_advance", FreeWays, "advances", lambda self, path: False),
    ("ff.attack.participants", FreeAttacks, "may_take", lambda *_: True),
    ("ff.attack.one_weapon", FreeAttacks, "_excludes", lambda *_: False),
    ("ff.attack.under_barrel", attack, "is_under_barrel", lambda weapon: False),
    ("ff.open.cc_range", FreeGround, "in_contact", lambda self, state, one, other: self.near(state, one, other, 9)),
    ("ff.open.objectives", FreeGround, "stands_at", lambda self, state, unit, places: unit.place in places),
    ("ff.cover.unit", FreeGround, "is_covered", lambda self, target, models, covered: covered > models // 2 + 1),
    ("ff.cover.model", FreeGround, "model_covered", lambda *_: False),
    ("ff.los.vehicles_block", FreeGround, "sight_blockers", lambda self, state, viewer: []),
    ("ff.los.area_deep", ground, "sight_rules", lambda *_: SightRules(columns=3, rows=3)),
    ("ff.los.area_behind", ground, "sight_rules", lambda *_: SightRules(3, 3, area_through=True)),
    ("ff.los.opening", ground, "sight_rules", lambda *_: SightRules(columns=3, rows=3)),
    ("ff.los.large_building", ground, "sight_rules", lambda *_: SightRules(columns=3, rows=3)),
    ("ff.los.aircraft_in_building", FreeGround, "_at_an_opening", lambda *_: True),
    ("ff.range.leader", Measures, "ranges", lambda self, tenths: 1),
    ("ff.blast.infantry", FreeAttacks, "miniatures", lambda self, unit, touched: unit.models),
    ("ff.blast.support", FreeAttacks, "miniatures", lambda self, unit, touched: len(touched)),
    ("ff.flame.from_bearer", Templates, "body_of", _leads),
    ("ff.open.flame_walls", Templates, "stopped", lambda self, play, unit, body, end: end),
    ("ff.blast.place", Burst, "objection", lambda *_: None),
    ("ff.damage.los", FreeDamage, "classes", _all_alive),
    ("ff.damage.order", FreeDamage, "classes", _whole_or_none),
    ("ff.damage.leader_loss", Leaders, "settle", nothing),
    ("ff.damage.restore_move", FreeGround, "_drawn", lambda self, state, unit, wanted: wanted),
)  # fmt: skip
"""Rules that one method or one number carries: where it is, and what it is without the rule."""


def switches(rules: Freeform1947) -> Iterator[Switch]:
    """Every effect with its rule and the way to leave it out."""
    for rule, place, name, other in METHODS:
        yield rule, name, lambda p=place, n=name, o=other: setattr(p, n, o)  # type: ignore[misc]
    for arc, rule in (("front", "ff.arc.front"), ("rear", "ff.arc.rear"), ("left", "ff.arc.side")):
        yield rule, arc, lambda a=arc: ARCS.__setitem__(a, ALL_ROUND)  # type: ignore[misc]
    for id, kind in rules.terrain.items():
        for aspect, rule in kind.rules.items():
            if aspect in WITHOUT and msgspec.structs.replace(kind, **WITHOUT[aspect]) != kind:
                yield rule, f"{id}, {aspect}", lambda i=id, a=aspect: _flatten(rules, i, a)  # type: ignore[misc]


def _flatten(rules: Freeform1947, id: str, aspect: str) -> None:
    rules.terrain[id] = msgspec.structs.replace(rules.terrain[id], **WITHOUT[aspect])
