"""Volleys of Konflikt '47 in closed form: what the dice of one unit's fire come to, before anything is removed
(k47.shoot.simultaneous). Pools do not touch each other's dice: their outcomes are worked out one by one and multiplied.

What becomes of a volley, casualties, pins, damage results and morale, is carried on in konflikt.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, NamedTuple

from dieselfront.dice import Dice
from dieselfront.dice.rollers import Roller
from dieselfront.kernel.game import Play
from dieselfront.odds import oracle
from dieselfront.odds.exchange import NO_DICE
from dieselfront.odds.forecast import forecast
from dieselfront.odds.konflikt_fire import damaging, multiplied, number_odds, to_hit
from dieselfront.rulesets.konflikt47.assault import HAND_TO_HAND
from dieselfront.rulesets.konflikt47.charts import HE_TABLE
from dieselfront.rulesets.konflikt47.damage import ArmourHit, Volley
from dieselfront.rulesets.konflikt47.firing import Pool, Wound, damage_throw
from dieselfront.rulesets.konflikt47.state import State, Unit

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
    rules: Any, state: State, unit: Unit, target: Unit, pools: Sequence[Pool], how: str, policy: Any = oracle.first
) -> Salvos:
    """Everything that measured pools can come to."""
    most = capacity(rules, state, target)
    found: Salvos = {NOTHING: 1.0}
    for place, pool in enumerate(pools):
        if is_closed(rules, state, unit, target, pool):
            one = of_pool(rules, state, unit, target, pool, place, policy)
        else:
            one = by_procedure(rules, state, unit, target, pool, how, policy)
        found = both(found, one, most)
    return found


def both(one: Salvos, other: Salvos, most: int) -> Salvos:
    """Two independent outcomes together."""
    found: Salvos = {}
    for a, p in one.items():
        for b, q in other.items():
            key = joined(a, b, most)
            found[key] = found.get(key, 0.0) + p * q
    return found


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


def capacity(rules: Any, state: State, target: Unit) -> int:
    """How many casualties matter: as many as there are models, unless a medic may save some of them."""
    saved = rules.specials.medic_score(state, target) <= 6
    return 10**6 if saved or target.is_vehicle else len(target.men)


def is_closed(rules: Any, state: State, unit: Unit, target: Unit, pool: Pool) -> bool:
    """Do hits and damage rolls alone decide? Else the procedure itself is followed."""
    weapon = pool.weapon
    if weapon.has("Compression Wave") or weapon.has("Multiple Launcher"):
        return False
    if target.building and (pool.he or weapon.has("Rail Gun")):  # the house may come down
        return False
    if weapon.at_gun and pool.round != "HE" and any(one.has("Target Designator") for one in state.friends(unit)):
        return False
    if target.is_armoured:
        burning = weapon.has("Flamethrower") and state.options["flame_armour_rolls"] == "each_hit"
        return not burning and not weapon.has("Meteor Strike")
    return True


def of_pool(rules: Any, state: State, unit: Unit, target: Unit, pool: Pool, place: int, policy: Any) -> Salvos:
    """One pool: hits, pins, and what the damage rolls leave."""
    weapon = pool.weapon
    hits = to_hit(pool) if pool.dice else [1.0]
    found: Salvos = {}
    missed, struck = _ranged(pool, place, False), _ranged(pool, place, True)
    found[Salvo(ranged=missed)] = hits[0]
    if weapon.has("Flamethrower") and target.has("Immune to Fire"):
        found[Salvo(ranged=struck)] = found.get(Salvo(ranged=struck), 0.0) + 1.0 - hits[0]
        return found
    pins = pin_odds(rules, state, target, pool)
    flamed = weapon.has("Flamethrower")
    for salvo, chance in _damage(rules, state, unit, target, pool, place, hits, policy):
        for number, share in enumerate(pins):
            if share:
                key = salvo._replace(hit=True, pins=number, flamed=flamed, ranged=struck)
                found[key] = found.get(key, 0.0) + chance * share
    return found


def _ranged(pool: Pool, place: int, hit: bool) -> tuple[tuple[int, bool], ...]:
    return ((place, hit),) if pool.indirect else ()


def pin_odds(rules: Any, state: State, target: Unit, pool: Pool) -> tuple[float, ...]:
    """How many pins a pool that hits is worth (k47.pin.gain, k47.he.pins, k47.wrule.flame_pins)."""
    weapon = pool.weapon
    if pool.he:
        return number_odds(HE_TABLE[pool.he].pins)
    if weapon.has("Flamethrower"):
        return (0.0, *number_odds("D3"))
    if target.is_enclosed and weapon.small_arm:  # k47.pin.armour_small_arms
        return (1.0,)
    if target.is_armoured and not weapon.small_arm:  # k47.pin.armour_no_chance
        return (0.0, 1.0) if 6 + pool.pen >= rules.damage.value(target, wound_of(state, pool)) else (1.0,)
    return (0.0, 1.0)


def wound_of(state: State, pool: Pool) -> Wound:
    """What the target's rules ask about a hit of the pool."""
    return Wound(state, pool.weapon, pool.pen, pool.facing, pool.sniper, False, pool.indirect)


def kept_share(target: Unit, wound: Wound) -> float:
    """The chance that damage is not ignored (k47.special.tough)."""
    score: int = target.ask("on_ignore_damage", 7, target, wound)
    return 1.0 - max(0, 7 - max(score, 1)) / 6


def _damage(
    rules: Any, state: State, unit: Unit, target: Unit, pool: Pool, place: int, hits: Sequence[float], policy: Any
) -> Iterable[tuple[Salvo, float]]:
    """What a pool that hits does, each with its chance."""
    if target.is_armoured:
        if pool.weapon.small_arm:
            return [(NOTHING, 1.0 - hits[0])]
        return [(Salvo(struck=((place, number),)), p) for number, p in enumerate(hits) if number and p]
    return _troops(rules, state, unit, target, pool, rolls(pool, target, hits), policy)


def rolls(pool: Pool, target: Unit, hits: Sequence[float]) -> list[float]:
    """The chances of so many damage rolls together with at least one hit (k47.he.hits, k47.wrule.tesla_arc)."""
    each = multiplied(pool, target)
    most = len(target.men) if pool.weapon.has("Tesla") and not target.is_vehicle else None  # k47.open.tesla_count
    found: list[float] = []
    power = [1.0]
    for number, chance in enumerate(hits):
        if number:
            power = added(power, each)
            for rolled, share in enumerate(power):
                at = rolled if most is None else min(rolled, most)
                found += [0.0] * (at + 1 - len(found))
                found[at] += chance * share
    return found


def added(one: Sequence[float], other: Sequence[float]) -> list[float]:
    if len(other) == 2 and other[1] == 1.0:  # one hit is one roll
        return [0.0, *one]
    found = [0.0] * (len(one) + len(other) - 1)
    for i, p in enumerate(one):
        if p:
            for j, q in enumerate(other):
                found[i + j] += p * q
    return found


def _troops(
    rules: Any, state: State, unit: Unit, target: Unit, pool: Pool, rolled: Sequence[float], policy: Any
) -> Iterable[tuple[Salvo, float]]:
    """Damage rolls against troops and soft vehicles (k47.damage.roll, k47.damage.exceptional)."""
    wound = wound_of(state, pool)
    picked, ordinary = shares(rules, target, wound)
    kept = picked + ordinary
    slows = pool.weapon.has("Gravity Pulse")
    if target.is_vehicle or pool.sniper:
        safe = sum(chance * (1.0 - kept) ** number for number, chance in enumerate(rolled))
        hurt = Salvo(soft_kill=True, gravity=slows)
        if not target.is_vehicle:
            mark = oracle.drive(rules.specials.mark(Play(rules, state), unit, target), NO_DICE, policy)
            hurt = Salvo(marked=(mark,), gravity=slows)
        return [(NOTHING, safe), (hurt, max(0.0, sum(rolled) - safe))]
    most = capacity(rules, state, target)
    medic = most > len(target.men)
    small = medic and pool.weapon.small_arm
    heavy = target.gun is not None and not pool.weapon.small_arm
    found: dict[tuple[int, int], float] = {}
    for table, chance in zip(_tables(picked, ordinary, len(rolled), most), rolled, strict=True):
        if chance:
            for key, share in table.items():
                found[key] = found.get(key, 0.0) + chance * share
    return [
        (
            Salvo(
                small=total if small else 0,
                total=total,
                chosen=chosen,
                heavy=chosen if heavy else 0,
                gravity=slows and chosen + total > 0,
            ),
            chance,
        )
        for (chosen, total), chance in found.items()
    ]


def shares(rules: Any, target: Unit, wound: Wound) -> tuple[float, float]:
    """The chances that one damage roll costs a model of the shooter's choice, or one of the owner's."""
    faces = damage_throw(rules.damage.value(target, wound), wound.pen, "").faces
    six = (faces >> 5 & 1) / 6
    others = bin(faces & 31).count("1") / 6
    kept = kept_share(target, wound)
    return six * kept / 6, (six * 5 / 6 + others) * kept


@lru_cache(maxsize=4096)
def _tables(picked: float, ordinary: float, length: int, most: int) -> list[dict[tuple[int, int], float]]:
    """For 0, 1, 2 ... damage rolls: the chances of (chosen, ordinary) casualties."""
    table = {(0, 0): 1.0}
    nothing = 1.0 - picked - ordinary
    found = []
    for _ in range(length):
        found.append(table)
        after: dict[tuple[int, int], float] = {}
        for (chosen, total), chance in table.items():
            if total >= most:
                after[chosen, total] = after.get((chosen, total), 0.0) + chance
                continue
            for key, share in (
                ((chosen, total), nothing), ((chosen + 1, total), picked), ((chosen, total + 1), ordinary),
            ):  # fmt: skip
                if share:
                    key = (0, most) if key[0] + key[1] >= most else key
                    after[key] = after.get(key, 0.0) + chance * share
        table = after
    return found


# -- pools the closed form does not cover ------------------------------------------------------------------------


def by_procedure(rules: Any, state: State, unit: Unit, target: Unit, pool: Pool, how: str, policy: Any) -> Salvos:
    """One pool by rolling it out with the rules' own procedure."""

    def run(dice: Roller) -> Salvo:
        twin = state.clone()
        mine, theirs = twin.unit(unit.id), twin.unit(target.id)
        volley = oracle.drive(rules.damage.roll(Play(rules, twin), mine, theirs, [copy(pool)], how), dice, policy)
        return read(volley)

    def by_face(question: Dice) -> bool:
        return question.throw is not None and (question.throw.rule == "k47.damage.roll" or bool(pool.reroll_ones))

    found = forecast(run, by_face=by_face, apart=lambda question: by_face(question) and target.is_armoured)
    return dict(found.chances)


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


# -- armour ------------------------------------------------------------------------------------------------------


def grades(rules: Any, state: State, target: Unit, pool: Pool) -> dict[Grade, float]:
    """The grades of damage that one hit of a pool can lead to, each with its chance (k47.armour.result_grade)."""
    wound = wound_of(state, pool)
    value, bonus = rules.damage.value(target, wound), rules.damage.table_bonus(target, wound)
    kept = kept_share(target, wound)
    found: dict[Grade, float] = {}
    for _, total in damaging(value, pool.pen):
        grade = (rules.damage.grade(total, value), bonus)
        found[grade] = found.get(grade, 0.0) + kept / 6
    return found


# -- blows -------------------------------------------------------------------------------------------------------


def of_blows(rules: Any, state: State, unit: Unit, target: Unit) -> Salvos:
    """Hand-to-hand attacks on troops: every one hits, Tough Fighters strike again (k47.cq.h2h_attacks)."""
    if target.has("Motorbikes"):
        return blows_by_procedure(rules, state, unit, target)
    pen: int = unit.ask("on_attack_pen", 0, unit)
    wound = Wound(state, None, pen, hand_to_hand=True)
    picked, ordinary = shares(rules, target, wound)
    chance = picked + ordinary
    plain, hard = rules.assault.attack_dice(unit)
    each = [1.0 - chance, chance * (1.0 - chance), chance * chance]  # a kill earns another attack
    losses = [1.0]
    for one in [[1.0 - chance, chance]] * plain + [each] * hard:
        losses = added(losses, one)
    most = capacity(rules, state, target)
    found: Salvos = {}
    for number, share in enumerate(losses):
        key = Salvo(total=min(number, most))
        if share:
            found[key] = found.get(key, 0.0) + share
    return found


def blows_by_procedure(rules: Any, state: State, unit: Unit, target: Unit) -> Salvos:
    """The same by rolling it out."""

    def run(dice: Roller) -> Salvo:
        twin = state.clone()
        procedure = rules.assault.hand_to_hand(Play(rules, twin), twin.unit(unit.id), twin.unit(target.id))
        return read(oracle.drive(procedure, dice))

    return dict(forecast(run).chances)


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
    "shares",
    "written",
]
