"""Volleys of Konflikt '47 in closed form: what the dice of one unit's fire come to, before anything is removed
(k47.shoot.simultaneous). Pools do not touch each other's dice: their outcomes are worked out one by one and multiplied.

What becomes of a volley, casualties, pins, damage results and morale, is carried on in konflikt.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from dieselfront.dice import Dice
from dieselfront.dice.plan import HITS, POINTS, Plan
from dieselfront.dice.rollers import Roller
from dieselfront.odds import oracle, stages
from dieselfront.odds.forecast import forecast
from dieselfront.odds.oracle import NO_DICE
from dieselfront.rulesets.konflikt47.assault import HAND_TO_HAND
from dieselfront.rulesets.konflikt47.damage import ArmourHit, Volley
from dieselfront.rulesets.konflikt47.firing import Pool
from dieselfront.rulesets.konflikt47.odds.fire_odds import grades, to_hit
from dieselfront.rulesets.konflikt47.plans import (
    CHOSEN,
    FLAMED,
    GRAVITY,
    HEAVY,
    HIT,
    MARKED,
    ORDINARY,
    SHAKEN,
    SMALL,
    SOFT,
)
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import State, Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

Grade = tuple[str, int]
"""The grade of a damaging hit on armour, and what is added to its roll on the table."""


class Salvo(NamedTuple):
    """What the dice of a volley came to; equal outcomes are one."""

    hit: bool = False
    pins: int = 0
    small: int = 0  # ordinary casualties by small arms, where a medic could save some
    total: int = 0  # ordinary casualties
    chosen: int = 0  # casualties the shooter picks
    heavy: int = 0  # of those, by heavy weapons at a gun
    marked: tuple[int, ...] = ()
    soft_kill: bool = False
    flamed: bool = False
    gravity: bool = False
    ranged: tuple[tuple[int, bool], ...] = ()  # indirect pools by place, and whether they hit
    dead: bool = False  # destroyed while the dice were still rolling
    struck: tuple[tuple[int, int], ...] = ()  # hits on armour by pool, still to be rolled for damage
    armour: tuple[Grade, ...] = ()  # damaging hits on armour that were rolled already


Salvos = dict[Salvo, float]
NOTHING = Salvo()


# -- pools -------------------------------------------------------------------------------------------------------


def of_pools(
    rules: Konflikt47,
    state: State,
    unit: Unit,
    target: Unit,
    pools: Sequence[Pool],
    how: str,
    policy: Any = oracle.first,
) -> Salvos:
    """Everything that measured pools can come to."""
    most = capacity(rules, state, target)
    salvos: Salvos = {NOTHING: 1.0}
    for place, pool in enumerate(pools):
        if is_closed(rules, state, unit, target, pool):
            one = of_pool(rules, state, unit, target, pool, place, policy)
        else:
            one = by_procedure(rules, state, unit, target, pool, how, policy)
        salvos = both(salvos, one, most)
    return salvos


def both(one: Salvos, other: Salvos, most: int) -> Salvos:
    """Two independent outcomes together."""
    salvos: Salvos = {}
    for a, p in one.items():
        for b, q in other.items():
            key = joined(a, b, most)
            salvos[key] = salvos.get(key, 0.0) + p * q
    return salvos


def joined(a: Salvo, b: Salvo, most: int) -> Salvo:
    """Pins of the strongest kind, casualties added up (k47.pin.he_replaces); beyond everybody nothing more is lost."""
    if a is NOTHING:
        return b
    total, chosen, heavy = a.total + b.total, a.chosen + b.chosen, a.heavy + b.heavy
    if total + chosen >= most:
        total, chosen, heavy = most, 0, 0
    return Salvo(
        a.hit or b.hit,
        a.pins if a.pins > b.pins else b.pins,
        a.small + b.small,
        total,
        chosen,
        heavy,
        a.marked + b.marked,
        a.soft_kill or b.soft_kill,
        a.flamed or b.flamed,
        a.gravity or b.gravity,
        a.ranged + b.ranged,
        a.dead or b.dead,
        a.struck + b.struck,
        a.armour + b.armour,
    )


def capacity(rules: Konflikt47, state: State, target: Unit) -> int:
    """How many casualties matter: as many as there are models, unless a medic may save some of them."""
    saved = rules.specials.medic_score(state, target) <= 6
    return 10**6 if saved or target.is_vehicle else len(target.men)


def is_closed(rules: Konflikt47, state: State, unit: Unit, target: Unit, pool: Pool) -> bool:
    """Do hits and damage rolls alone decide? Else the procedure itself is followed."""
    weapon = pool.weapon
    if "on_hits" in weapon.hooks:
        return False
    if target.building and (pool.he or "on_house_hit" in weapon.hooks):  # the house may come down
        return False
    if weapon.at_gun and pool.round != "HE" and any(one.designates for one in state.friends(unit)):
        return False
    if target.is_armoured:
        burning = weapon.burns and state.options["flame_armour_rolls"] == "each_hit"
        return not burning and not weapon.strikes_as_one
    return True


def of_pool(rules: Konflikt47, state: State, unit: Unit, target: Unit, pool: Pool, place: int, policy: Any) -> Salvos:
    """One pool: everything that its stages can come to."""
    missed, struck = _ranged(pool, place, False), _ranged(pool, place, True)
    if target.is_armoured:
        return _at_armour(rules, state, target, pool, place, missed, struck)
    plan = Plan("", rules.plans.pool_program(state, target, pool), {})
    most = capacity(rules, state, target)
    medic = most > len(target.men)
    mark: tuple[int, ...] = ()
    if pool.sniper and not target.is_vehicle:
        mark = (oracle.drive(rules.specials.mark(Play(rules, state), unit, target), NO_DICE, policy),)
    salvos: Salvos = {}
    for values, chance in stages.joint(plan, TALLIES).items():
        tally = dict(zip(TALLIES, values, strict=True))
        total, chosen = tally[ORDINARY], tally[CHOSEN]
        beyond = total + chosen >= most
        salvo = Salvo(
            hit=tally[HIT] > 0,
            pins=tally[SHAKEN],
            small=tally[SMALL] if medic else 0,
            total=most if beyond else total,
            chosen=0 if beyond else chosen,
            heavy=tally[HEAVY] if target.gun is not None and not beyond else 0,
            marked=mark if tally[MARKED] else (),
            soft_kill=tally[SOFT] > 0,
            flamed=tally[FLAMED] > 0,
            gravity=tally[GRAVITY] > 0,
            ranged=struck if tally[HITS] else missed,
        )
        salvos[salvo] = salvos.get(salvo, 0.0) + chance
    return salvos


TALLIES = (HITS, HIT, SHAKEN, ORDINARY, SMALL, CHOSEN, HEAVY, MARKED, SOFT, FLAMED, GRAVITY)
"""What the stages of a pool count that matters for what follows."""


def _at_armour(
    rules: Konflikt47, state: State, target: Unit, pool: Pool, place: int, missed: Ranged, struck: Ranged
) -> Salvos:
    """Hits on armour are kept for the damage table, which is rolled one after the other."""
    parts = rules.plans.of_pool(state, target, pool)
    flamed = pool.weapon.burns
    salvos: Salvos = {}
    for number, chance in enumerate(to_hit(pool, parts.hit)):
        if not number or parts.pins is None:
            key = Salvo(ranged=struck if number else missed)
            salvos[key] = salvos.get(key, 0.0) + chance
            continue
        hits = ((place, number),) if not pool.weapon.small_arm else ()
        for pins, share in enumerate(stages.number_chances(parts.pins)):
            key = Salvo(hit=True, pins=pins, flamed=flamed, ranged=struck, struck=hits)
            if share and chance:
                salvos[key] = salvos.get(key, 0.0) + chance * share
    return salvos


Ranged = tuple[tuple[int, bool], ...]


def _ranged(pool: Pool, place: int, hit: bool) -> Ranged:
    return ((place, hit),) if pool.indirect else ()


# -- pools the closed form does not cover ------------------------------------------------------------------------


def by_procedure(
    rules: Konflikt47, state: State, unit: Unit, target: Unit, pool: Pool, how: str, policy: Any
) -> Salvos:
    """One pool by rolling it out with the rules' own procedure."""

    def run(dice: Roller) -> Salvo:
        twin = state.clone()
        mine, theirs = twin.unit(unit.id), twin.unit(target.id)
        volley = oracle.drive(rules.damage.roll(Play(rules, twin), mine, theirs, [copy(pool)], how), dice, policy)
        return read(volley)

    def by_face(question: Dice) -> bool:
        return question.throw is not None and (question.throw.rule == "k47.damage.roll" or bool(pool.reroll_ones))

    ends = forecast(run, by_face=by_face, apart=lambda question: by_face(question) and target.is_armoured)
    return dict(ends.chances)


def read(volley: Volley) -> Salvo:
    """A volley that was rolled, as a salvo."""
    return Salvo(
        volley.hit,
        volley.pins,
        volley.small_losses,
        volley.total_losses,
        volley.chosen,
        volley.heavy_exceptional,
        tuple(volley.marked),
        volley.soft_kill,
        volley.flamed,
        volley.gravity,
        (),
        not volley.target.alive,
        (),
        tuple((hit.grade, hit.bonus) for hit in volley.armour),
    )


def written(salvo: Salvo, unit: Unit, target: Unit, how: str, suppressive: bool = False) -> Volley:
    """The volley of a salvo, ready to be applied."""
    volley = Volley(unit, target, how)
    volley.hit = salvo.hit
    volley.pins = salvo.pins
    volley.small_losses = salvo.small
    volley.total_losses = salvo.total
    volley.chosen = salvo.chosen
    volley.heavy_exceptional = salvo.heavy
    volley.marked = list(salvo.marked)
    volley.soft_kill = salvo.soft_kill
    volley.flamed = salvo.flamed
    volley.gravity = salvo.gravity
    volley.suppressive = suppressive
    volley.armour = [ArmourHit(0, 0, grade, "", bonus) for grade, bonus in salvo.armour]
    return volley


# -- blows -------------------------------------------------------------------------------------------------------


def of_blows(rules: Konflikt47, state: State, unit: Unit, target: Unit) -> Salvos:
    """Hand-to-hand attacks on troops: every one hits, Tough Fighters strike again (k47.cq.h2h_attacks)."""
    most = capacity(rules, state, target)
    salvos: Salvos = {}
    for lost, chance in enumerate(stages.marginal(rules.fight_plans.of_blows(state, unit, target), POINTS)):
        key = Salvo(total=min(lost, most))
        if chance:
            salvos[key] = salvos.get(key, 0.0) + chance
    return salvos


__all__ = [
    "HAND_TO_HAND",
    "NOTHING",
    "Salvo",
    "Salvos",
    "both",
    "by_procedure",
    "grades",
    "of_blows",
    "of_pool",
    "of_pools",
    "read",
    "written",
]
