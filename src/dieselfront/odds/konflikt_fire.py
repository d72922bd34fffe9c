"""Exact odds of fire in Konflikt '47: the pools that play would roll, worked out instead of rolled (k47.shoot.*).

Plain pools are the ruleset's own plans; HE, flames and arcs multiply hits first; armour goes through the damage results
table. Left to the oracle are medics nearby and what several hits on one vehicle add to each other (pins, tracks).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from dieselfront.dice import Because
from dieselfront.odds import exact
from dieselfront.odds.result import Step
from dieselfront.rulesets.konflikt47.charts import HE_TABLE
from dieselfront.rulesets.konflikt47.damage import MASSIVE, SUPERFICIAL
from dieselfront.rulesets.konflikt47.firing import Pool, Shot, Wound, damage_throw, pool_plan
from dieselfront.rulesets.konflikt47.morale import CHECK, Occasion
from dieselfront.rulesets.konflikt47.state import DOWN, State, Unit
from dieselfront.rulesets.konflikt47.throws import needs, parse, three, two

Odds = list[float]
WAYS = (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)  # of 36, by the sum of two dice
RESULTS = ("crew stunned", "immobilised", "on fire", "knocked out")


class FireOdds:
    """What the fire of one unit at one target comes to; `losses` counts models, or 1 for a vehicle destroyed."""

    __slots__ = ("check", "destroyed", "gone", "hit", "hits", "losses", "mean_losses", "pins", "pools", "results")

    def __init__(self) -> None:
        self.pools: list[Pool] = []
        self.hits: Odds = [1.0]
        self.hit = 0.0  # the chance of at least one hit
        self.losses: Odds = [1.0]
        self.mean_losses = 0.0
        self.destroyed = 0.0  # by damage alone
        self.check = 0.0  # the chance that the survivors have to pass a morale check
        self.gone = 0.0  # destroyed, or lost to that check
        self.pins = 0.0  # expected, while it lives
        self.results: dict[str, float] = {}  # armour: expected results of the table


# -- small distributions -------------------------------------------------------------------------------------


@cache
def number_odds(notation: str) -> tuple[float, ...]:
    """The chances of 0, 1, 2 ... for a number such as D3 or 2D6-1."""
    dice, sides, plus = parse(notation)
    found = [1.0]
    for _ in range(dice):
        faces = [two(face) if sides == 2 else three(face) if sides == 3 else face for face in range(1, 7)]
        found = _product(found, [faces.count(value) / 6 for value in range(max(faces) + 1)])
    if plus >= 0:
        return tuple([0.0] * plus + found)
    return (sum(found[: 1 - plus]), *found[1 - plus :])


def _product(one: Sequence[float], other: Sequence[float], most: int = 0) -> Odds:
    """The sum of two independent numbers; with `most`, everything beyond counts as that."""
    found = [0.0] * (len(one) + len(other) - 1)
    for i, p in enumerate(one):
        if p:
            for j, q in enumerate(other):
                found[i + j] += p * q
    if most and len(found) > most + 1:
        found[most:] = [sum(found[most:])]
    return found


def _power(one: Sequence[float], count: int, most: int) -> Odds:
    found: Odds = [1.0]
    for _ in range(count):
        found = _product(found, one, most)
    return found


@cache
def _binomial(count: int, chance: float) -> tuple[float, ...]:
    found: Odds = [1.0]
    for _ in range(count):
        found = _product(found, (1 - chance, chance))
    return tuple(found)


def mixed(amounts: Sequence[float], chance: float, most: int) -> Odds:
    """A random number of dice, each of which succeeds with the same chance."""
    found = [0.0] * (most + 1)
    for amount, weight in enumerate(amounts):
        if weight:
            for successes, p in enumerate(_binomial(amount, chance)):
                found[min(successes, most)] += weight * p
    return found


# -- what to fire ---------------------------------------------------------------------------------------------


def ways_to_fire(rules: Any, state: State, unit: Unit, target: Unit, how: str) -> dict[int, list[tuple[int, str]]]:
    """By model, every (weapon, round) that bears on the target; smoke is left out."""
    found: dict[int, list[tuple[int, str]]] = {}
    for man, index, way in rules.shooting.options_of(state, unit, how):
        if way != "smoke" and rules.shooting.bears(state, unit, unit.weapon(index), target):
            found.setdefault(man, []).append((index, way))
    return found


Wanted = Callable[[int, str], bool]
"""Is a (weapon, round) one that was asked for?"""


def best_shots(
    rules: Any,
    state: State,
    unit: Unit,
    target: Unit,
    how: str,
    allowed: Wanted | None = None,
    preferred: Wanted | None = None,
) -> list[Shot]:
    """What the unit would best fire at a target: every model its best weapon and round, a vehicle all that agree."""
    ways = ways_to_fire(rules, state, unit, target, how)
    worth: dict[tuple[int, str], float] = {}
    shots: list[Shot] = []
    for man, mine in ways.items():
        options = [Shot(man, index, target.id, way) for index, way in mine]
        if allowed is not None:
            options = [shot for shot in options if allowed(shot.weapon, shot.round)]
        if len(options) <= 1:
            shots += options
            continue
        for shot in options:
            if (shot.weapon, shot.round) not in worth:
                liked = preferred is not None and preferred(shot.weapon, shot.round)
                worth[shot.weapon, shot.round] = _worth(rules, state, unit, target, shot, how) + 1000.0 * liked
        if unit.is_vehicle:
            shots += _together(rules, state, unit, options, worth)
        else:
            shots.append(max(options, key=lambda shot: worth[shot.weapon, shot.round]))
    return sorted(shots)


def _worth(rules: Any, state: State, unit: Unit, target: Unit, shot: Shot, how: str) -> float:
    odds = fire_odds(rules, state, unit, target, [shot], how)
    return odds.mean_losses / max(1, len(odds.losses) - 1) + 0.05 * odds.pins


def _together(
    rules: Any, state: State, unit: Unit, options: Sequence[Shot], worth: dict[tuple[int, str], float]
) -> list[Shot]:
    """The best weapons of a vehicle that may fire in one action (k47.shoot.vehicle_weapons)."""
    taken: dict[int, Shot] = {}
    weapons = list(dict.fromkeys(shot.weapon for shot in options))
    for shot in sorted(options, key=lambda shot: -worth[shot.weapon, shot.round]):
        if shot.weapon in taken:
            continue
        tried = {**taken, shot.weapon: shot}
        answer = tuple((tried[index].target, tried[index].round) if index in tried else None for index in weapons)
        if rules.vehicles.agree(state, unit, weapons, answer) is None:
            taken = tried
    return list(taken.values())


# -- a volley ------------------------------------------------------------------------------------------------


def fire_odds(
    rules: Any, state: State, unit: Unit, target: Unit, shots: Sequence[Shot], how: str, answer: str = ""
) -> FireOdds:
    """The odds of declared shots, everything measured as play would."""
    plain = [shot for shot in shots if shot.round != "smoke" and not unit.weapon(shot.weapon).has("Shockwave")]
    pools, _ = rules.shooting.pools(state, unit, target, plain, how, False, answer)
    return pool_odds(rules, state, target, pools)


def pool_odds(rules: Any, state: State, target: Unit, pools: Sequence[Pool]) -> FireOdds:
    """The odds of measured pools."""
    found = FireOdds()
    found.pools = list(pools)
    for pool in pools:
        found.hits = _product(found.hits, to_hit(pool))
    found.hit = 1 - found.hits[0]
    found.pins = _pins(rules, state, target, pools)
    if target.is_armoured:
        _armour(rules, state, target, pools, found)
    else:
        _troops(rules, state, target, pools, found)
    found.mean_losses = sum(number * chance for number, chance in enumerate(found.losses))
    found.gone = min(1.0, found.destroyed + found.check * _fails(rules, state, target, found))
    return found


def chance_to_hit(pool: Pool) -> float:
    """The chance of one die, re-rolled ones included (k47.nation.us)."""
    chance = float(pool.throw().chance())
    return chance + chance / 6 if pool.reroll_ones and pool.need <= 6 else chance


def to_hit(pool: Pool) -> Odds:
    """How many dice of a pool hit."""
    chance = chance_to_hit(pool)
    if not pool.weapon.has("Meteor Strike"):
        return list(_binomial(pool.dice, chance))
    dice = _power(number_odds(pool.weapon.shots), len(pool.men), 0)
    return mixed(dice, chance, len(dice) - 1)


def _troops(rules: Any, state: State, target: Unit, pools: Sequence[Pool], found: FireOdds) -> None:
    """Casualties of troops, or the end of a soft vehicle (k47.damage.roll, k47.damage.softskin)."""
    most = 1 if target.is_vehicle else len(target.men)
    losses: Odds = [1.0]
    flamed = 0.0
    for pool in pools:
        losses = _product(losses, pool_losses(rules, state, target, pool, most), most)
        if pool.weapon.has("Flamethrower"):
            flamed = 1 - (1 - flamed) * to_hit(pool)[0]
    found.losses = losses + [0.0] * (most + 1 - len(losses))
    found.destroyed = found.losses[most]
    if not target.is_vehicle:
        half = sum(chance for lost, chance in enumerate(found.losses[:most]) if lost and 2 * lost >= most)
        found.check = max(half, flamed - found.destroyed)


def pool_losses(rules: Any, state: State, target: Unit, pool: Pool, most: int) -> Odds:
    """The casualties of one pool, cut off at `most`."""
    wound = Wound(state, pool.weapon, pool.pen, pool.facing, pool.sniper, False, pool.indirect)
    damage = damage_throw(rules.damage.value(target, wound), pool.pen, f"damage by {pool.weapon.name}")
    score: int = target.ask("on_ignore_damage", 7, target, wound)
    ignore = needs(score, "damage ignored", "k47.special.tough") if score <= 6 else None
    if pool.weapon.has("Flamethrower") and target.has("Immune to Fire"):
        return [1.0]
    if is_plain(pool, target):
        plan = pool_plan(pool, damage, ignore, max(1, most))
        return exact.losses(plan) if pool.dice else [1.0]
    chance = float(damage.chance()) * (1.0 if ignore is None else 1 - float(ignore.chance()))
    each = mixed(multiplied(pool, target), chance, most)
    hits = to_hit(pool)
    total = [0.0] * (most + 1)
    for number, weight in enumerate(hits):
        if weight:
            for lost, p in enumerate(_power(each, number, most)):
                total[lost] += weight * p
    return total


def is_plain(pool: Pool, target: Unit) -> bool:
    """Is a hit simply one damage roll?"""
    special = pool.he or pool.reroll_ones or pool.weapon.has("Flamethrower") or pool.weapon.has("Meteor Strike")
    return not special and not (pool.weapon.has("Tesla") and not target.is_vehicle)


def multiplied(pool: Pool, target: Unit) -> Odds:
    """How many damage rolls one hit makes (k47.he.hits, k47.wrule.flame_hit, k47.wrule.tesla_arc)."""
    if pool.he:
        odds = number_odds(pool.he)
        if target.order == DOWN and not target.is_vehicle:  # k47.he.down_half
            halved = [0.0] * (len(odds) // 2 + 1)
            for number, chance in enumerate(odds):
                halved[number // 2] += chance
            return halved
        return list(odds)
    if pool.weapon.has("Flamethrower"):
        return list(number_odds(pool.weapon.shots))
    if pool.weapon.has("Tesla") and not target.is_vehicle:
        return [0.0, *number_odds("D6")]
    return [0.0, 1.0]


def _armour(rules: Any, state: State, target: Unit, pools: Sequence[Pool], found: FireOdds) -> None:
    """Damage results of armour (k47.armour.results)."""
    safe = 1.0
    for pool in pools:
        if pool.weapon.small_arm:
            continue
        lost = hit_destroys(rules, state, target, pool)
        hits = to_hit(pool)
        safe *= sum(chance * (1 - lost) ** number for number, chance in enumerate(hits))
        expected = sum(number * chance for number, chance in enumerate(hits))
        for name, chance in hit_results(rules, state, target, pool).items():
            found.results[name] = found.results.get(name, 0.0) + expected * chance
    found.destroyed = 1 - safe
    found.losses = [safe, 1 - safe]


def hit_destroys(rules: Any, state: State, target: Unit, pool: Pool) -> float:
    """The chance that one hit on armour is the end of it, fires and failed checks included."""
    value, bonus, kept = _struck(rules, state, target, pool)
    pins = round(_pins_of(rules, state, target, pool))
    lost = 0.0
    for _, total in damaging(value, pool.pen):
        grade = rules.damage.grade(total, value)
        rolls = [(one, other) for one in range(1, 7) for other in range(1, 7)] if grade == MASSIVE else [
            (one - (3 if grade == SUPERFICIAL else 0),) for one in range(1, 7)
        ]  # fmt: skip
        for roll in rolls:
            shown = [_result(one + bonus) for one in roll]
            lost += kept / 6 / len(rolls) * _ends(rules, state, target, shown, pins, target.immobilised)
    return lost


def _ends(rules: Any, state: State, target: Unit, shown: Sequence[str], pins: int, immobilised: bool) -> float:
    """The chance that results suffered one after the other destroy a vehicle (k47.armour.massive)."""
    if not shown:
        return 0.0
    first, rest = shown[0], shown[1:]
    if first == "knocked out" or (first == "immobilised" and immobilised):
        return 1.0
    burnt = morale_failure(rules, state, target, pins + 1) if first == "on fire" else 0.0
    after = _ends(rules, state, target, rest, pins + 1, immobilised or first == "immobilised")
    return burnt + (1 - burnt) * after


def _struck(rules: Any, state: State, target: Unit, pool: Pool) -> tuple[int, int, float]:
    """Damage value, bonus on the results table, and the chance that damage is not ignored."""
    wound = Wound(state, pool.weapon, pool.pen, pool.facing, pool.sniper, False, pool.indirect)
    score: int = target.ask("on_ignore_damage", 7, target, wound)
    kept = 1 - max(0, 7 - max(score, 1)) / 6
    return rules.damage.value(target, wound), rules.damage.table_bonus(target, wound), kept


def hit_results(rules: Any, state: State, target: Unit, pool: Pool) -> dict[str, float]:
    """What one hit on armour leads to, result by result; of two results the worse one counts here."""
    value, bonus, kept = _struck(rules, state, target, pool)
    results = dict.fromkeys(RESULTS, 0.0)
    for _, total in damaging(value, pool.pen):
        for name, chance in table_odds(rules.damage.grade(total, value), bonus).items():
            results[name] += kept * chance / 6
    return results


def damaging(value: int, pen: int) -> Iterator[tuple[int, int]]:
    """The faces that damage, each with its total (k47.damage.nat1)."""
    faces = damage_throw(value, pen, "").faces
    return ((face, face + pen) for face in range(1, 7) if faces >> (face - 1) & 1)


@cache
def table_odds(grade: str, bonus: int) -> dict[str, float]:
    """The damage results of a grade; of two results the worse one counts here (k47.armour.massive)."""
    found = dict.fromkeys(RESULTS, 0.0)
    if grade == MASSIVE:
        for one in range(1, 7):
            for other in range(1, 7):
                found[_result(max(one, other) + bonus)] += 1 / 36
        return found
    for face in range(1, 7):
        found[_result(face - (3 if grade == SUPERFICIAL else 0) + bonus)] += 1 / 6
    return found


def _result(roll: int) -> str:
    return RESULTS[3 if roll >= 4 else 2 if roll == 3 else 1 if roll == 2 else 0]


# -- pins and morale -----------------------------------------------------------------------------------------


def _pins(rules: Any, state: State, target: Unit, pools: Sequence[Pool]) -> float:
    """Pins to be expected; of several kinds of hits the highest counts (k47.pin.he_replaces)."""
    worth = sorted(((_pins_of(rules, state, target, pool), to_hit(pool)[0]) for pool in pools), reverse=True)
    expected, none_so_far = 0.0, 1.0
    for pins, miss in worth:
        expected += none_so_far * (1 - miss) * pins
        none_so_far *= miss
    return expected


def _pins_of(rules: Any, state: State, target: Unit, pool: Pool) -> float:
    weapon = pool.weapon
    if pool.he:  # k47.he.pins
        return sum(number * chance for number, chance in enumerate(number_odds(HE_TABLE[pool.he].pins)))
    if weapon.has("Flamethrower"):  # k47.wrule.flame_pins
        return 3.0
    if target.is_enclosed and weapon.small_arm:  # k47.pin.armour_small_arms
        return 0.0
    if target.is_armoured and not weapon.small_arm:  # k47.pin.armour_no_chance
        wound = Wound(state, weapon, pool.pen, pool.facing, pool.sniper, False, pool.indirect)
        return 1.0 if 6 + pool.pen >= rules.damage.value(target, wound) else 0.0
    return 1.0


def morale_failure(rules: Any, state: State, unit: Unit, pins: int = 0) -> float:
    """The chance to fail a morale check with so many pins more than now."""
    if unit.has("Animated Corpse"):
        return 0.0
    kept, unit.pins = unit.pins, unit.pins + pins
    try:
        occasion = Occasion(CHECK)
        if unit.ask("on_auto_pass", "", unit, occasion, state):
            return 0.0
        needed, _ = rules.morale.value(state, unit, occasion)
    finally:
        unit.pins = kept
    return 1 - passes(needed)


def passes(needed: int) -> float:
    """The chance that two dice come to no more than this."""
    return sum(WAYS[2 : max(2, min(needed, 12)) + 1]) / 36


def _fails(rules: Any, state: State, target: Unit, found: FireOdds) -> float:
    """The check is taken with the pins of this volley, as many as are to be expected."""
    if not found.check:
        return 0.0
    return morale_failure(rules, state, target, round(found.pins / max(found.hit, 1e-9)))


# -- in words ------------------------------------------------------------------------------------------------


def steps(rules: Any, state: State, target: Unit, found: FireOdds) -> list[Step]:
    """Hit and damage throws of every pool, with the rules behind them."""
    told: list[Step] = []
    for pool in found.pools:
        chance = chance_to_hit(pool)
        hits = sum(number * p for number, p in enumerate(to_hit(pool)))
        throw = pool.throw()
        told.append(Step.of(pool.weapon.name, throw, "hit", float(pool.dice), chance, 0.0, hits))
        if target.is_armoured and pool.weapon.small_arm:
            continue
        wound = Wound(state, pool.weapon, pool.pen, pool.facing, pool.sniper, False, pool.indirect)
        value = rules.damage.value(target, wound)
        because = (Because("k47.damage.values", f"value {value}, pen {pool.pen:+d}"),)
        damage = damage_throw(value, pool.pen, f"damage by {pool.weapon.name}", because)
        rolls = hits if target.is_armoured else hits * sum(n * p for n, p in enumerate(multiplied(pool, target)))
        good = float(damage.chance())
        told.append(Step.of(pool.weapon.name, damage, "damage", rolls, good, 0.0, rolls * good))
    return told


__all__ = [
    "FireOdds",
    "best_shots",
    "chance_to_hit",
    "fire_odds",
    "hit_destroys",
    "hit_results",
    "morale_failure",
    "passes",
    "pool_odds",
    "steps",
    "ways_to_fire",
]
