"""What can be switched off in Battlefield, for the mutation run: skills, weapons, terrain, and rules of one method."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.kernel import hooks
from dieselfront.rulesets.battlefield import forts, ground, movement, reserves, suppression
from dieselfront.rulesets.battlefield.activation import BattleActivations
from dieselfront.rulesets.battlefield.attack import BattleAttacks
from dieselfront.rulesets.battlefield.citing import cite
from dieselfront.rulesets.battlefield.command import BattleCommand
from dieselfront.rulesets.battlefield.damage import BattleDamage
from dieselfront.rulesets.battlefield.forts import BattleForts
from dieselfront.rulesets.battlefield.ground import BattleGround
from dieselfront.rulesets.battlefield.hazards import BattleHazards
from dieselfront.rulesets.battlefield.heroes import BattleHeroes
from dieselfront.rulesets.battlefield.movement import BattleMovement
from dieselfront.rulesets.battlefield.reaction import BattleReactions
from dieselfront.rulesets.battlefield.reserves import AmbushZone, BattleReserves
from dieselfront.rulesets.battlefield.setup import BattleSetup
from dieselfront.rulesets.battlefield.suppression import BattleSuppression
from dieselfront.rulesets.battlefield.templates import BattleTemplates
from dieselfront.rulesets.battlefield.transport import BattleTransport
from dieselfront.rulesets.battlefield.victory import BattleVictory
from dieselfront.rulesets.battlefield.ways import BattleWays
from dieselfront.rulesets.dust.hooks import CALLED
from dieselfront.rulesets.dust_open.ground import ARCS
from dieselfront.table.measured.arcs import ALL_ROUND
from dieselfront.table.measured.sight import SightRules

if TYPE_CHECKING:
    from dieselfront.rulesets.battlefield.ruleset import Battlefield

Switch = tuple[str, str, Callable[[], None]]

WITHOUT: dict[str, dict[str, Any]] = {"sight": {"sight": "open"}, "cover": {"cover": "none"}, "move": {"going": {}}}
"""What a terrain kind is like without one of its effects."""


def nothing(*_: Any, **__: Any) -> Any:
    """A procedure in which nothing happens."""
    return
    yield


def _plain_sight(point: int, glance: bool = False) -> SightRules:
    return SightRules(columns=3, rows=3, area_through=True)


_survey = BattleGround._survey

METHODS: tuple[tuple[str, Any, str, Any], ...] = (
    ("bf.move.formation", ground, "formation", lambda measures: 99_999),
    ("bf.move.terrain_limit", BattleWays, "is_rough", lambda self, path, body=None: False),
    ("bf.move.through_enemies", BattleWays, "kept_from", lambda self, other, bodies: []),
    ("bf.open.terrain_cap_unit", BattleWays, "_all_in_reach", lambda self, bodies: True),
    ("bf.move.floors", BattleWays, "floor_cost", 0),
    ("bf.move.tracked_stuck_roll", movement, "STUCK", {}),
    ("bf.move.stuck_duration", movement, "STUCK", {}),
    ("bf.move.march_distance", BattleMovement, "pace", lambda self, play, unit: (unit.card.move, unit.card.move)),
    ("bf.attack.los_woods", ground, "sight_rules", _plain_sight),
    ("bf.attack.los_inside_limit", ground, "sight_rules", _plain_sight),
    ("bf.fort.los_block", ground, "sight_rules", _plain_sight),
    ("bf.attack.los_infantry_transparent", BattleGround, "sight_blockers", lambda self, state, viewer: []),
    ("bf.cover.half_unit", BattleGround, "is_covered", lambda self, target, models, covered: covered == models),
    ("bf.cover.definition", BattleGround, "model_covered", lambda *_: False),
    ("bf.cover.per_attacker", BattleAttacks, "_is_covered_from", lambda *_: False),
    ("bf.cc.reach", BattleAttacks, "_may_strike", lambda *_: True),
    ("bf.attack.range_close", ground, "close", lambda measures: 300),
    ("bf.attack.min_range", BattleAttacks, "reach_of", lambda self, play, weapon: (0, weapon.range_max * 1000)),
    ("bf.attack.squad_weapon_limit", BattleAttacks, "_excludes", lambda *_: False),
    ("bf.cc.sustained_choice", BattleAttacks, "_one_kind", lambda self, attack, shots: _same(shots)),
    ("bf.attack.blast_centre_los", BattleTemplates, "exposed", lambda self, play, shot, unit, touched: touched),
    ("bf.attack.blast_template", BattleTemplates, "may_lay", lambda *_: "nowhere"),
    ("bf.damage.valid_targets", BattleDamage, "reached", lambda self, unit, shot: None),
    ("bf.open.kill_vs_support", BattleAttacks, "damage_per_hit", lambda self, shot, part: 1),
    ("bf.supp.ten_hits", suppression, "MANY_HITS", 99),
    ("bf.supp.under_fire", BattleSuppression, "after_attack", nothing),
    ("bf.hero.rally_bonus", BattleSuppression, "recovery_dice", lambda self, play, unit: 2),
    ("bf.supp.no_fighting", BattleAttacks, "_in_contact", lambda self, play, attack, targets: targets),
    ("bf.react.trigger", BattleReactions, "moment", lambda self, activation: -2),
    ("bf.hero.join", BattleHeroes, "could_join", lambda *_: False),
    ("bf.hero.defend_together", BattleHeroes, "form_targets", lambda *_: _same([])),
    ("bf.skill.loner", BattleHeroes, "may_join", lambda self, hero, unit: True),
    ("bf.pilot.mount", BattleHeroes, "seats", lambda *_: []),
    ("bf.objective.no_march", BattleVictory, "standing", lambda self, play, unit: "hold"),
    ("bf.scenario.reserves_roll", reserves, "DICE", {}),
    ("bf.scenario.reserves_scattered", BattleReserves, "_scatter", nothing),
    ("bf.scenario.ambush_reveal", AmbushZone, "_seen_by_enemies", lambda *_: None),
    ("bf.scenario.meeting_no_sustained", BattleActivations, "menu", BattleActivations.__mro__[1].menu),  # type: ignore[attr-defined]
    ("bf.command.attack_stimulants", BattleActivations, "use_stimulants", nothing),
    ("bf.command.reinforcements", BattleCommand, "_may_return", lambda *_: False),
    ("bf.fort.bunker_vision", forts, "unseen", lambda *_: None),
    ("bf.fort.bunker_walls", forts, "way_problem", lambda *_: None),
    ("bf.fort.cc_reach", forts, "at_the_wall", lambda *_: False),
    ("bf.fort.bunker_save", BattleForts, "change_saves", lambda *_: None),
    ("bf.fort.spacing", BattleSetup, "fort_problem", lambda *_: None),
    ("bf.fort.wire_move", BattleHazards, "_caught_in", lambda *_: _same(False)),
    ("bf.fort.mine_attack", BattleHazards, "mines", nothing),
    ("bf.vehicle.tank_riders_hits", BattleTransport, "shake_riders", nothing),
    ("bf.airlift.load", BattleTransport, "below", lambda *_: []),
    ("bf.transport.no_sustained", BattleTransport, "may_fire", lambda *_: True),
)  # fmt: skip
"""Rules that one method or one number carries: where it is, and what it is without the rule."""


def _same(value: Any) -> Any:
    """A procedure that asks nothing and gives a value."""
    return value
    yield


def switches(rules: Battlefield) -> Iterator[Switch]:
    """Every effect with its rule and the way to leave it out."""
    for rule, place, name, other in METHODS:
        yield rule, name, lambda p=place, n=name, o=other: setattr(p, n, o)  # type: ignore[misc]
    for arc, rule in (("front", "bf.attack.fof_front"), ("rear", "bf.attack.fof_rear"), ("left", "bf.attack.fof_side")):
        yield rule, arc, lambda a=arc: ARCS.__setitem__(a, ALL_ROUND)  # type: ignore[misc]
    yield from _skills(rules)
    yield from _terrain(rules)


def _skills(rules: Battlefield) -> Iterator[Switch]:
    seen: set[str] = set()
    for names in (rules.registry.skills, rules.registry.weapon_rules):
        for name, kinds in names.items():
            for kind in kinds:
                if not any(hook in CALLED for hook in hooks.answered(kind)):  # a mark that chapters read by its name
                    continue
                if kind.rule and kind.rule not in seen and cite(kind.rule).startswith("bf."):
                    seen.add(kind.rule)
                    off = lambda rule=kind.rule: hooks.oversight.off.add(rule)  # noqa: E731
                    yield cite(kind.rule), name, off


def _terrain(rules: Battlefield) -> Iterator[Switch]:
    for id, kind in rules.terrain.items():
        for aspect, rule in kind.rules.items():
            if aspect in WITHOUT and msgspec.structs.replace(kind, **WITHOUT[aspect]) != kind:
                yield rule, f"{id}, {aspect}", lambda i=id, a=aspect: _flatten(rules, i, a)  # type: ignore[misc]


def _flatten(rules: Battlefield, id: str, aspect: str) -> None:
    rules.terrain[id] = msgspec.structs.replace(rules.terrain[id], **WITHOUT[aspect])
