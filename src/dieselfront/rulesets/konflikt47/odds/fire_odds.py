"""Quick odds of fire in Konflikt '47, for players and referees who weigh many shots (k47.shoot.*).

Every chance comes from the stages that the rules make of a pool (plans.py). Exact are hits and losses; morale is
reckoned with the pins to be expected, and of several hits on one vehicle each is reckoned by itself. The exact end of a
volley is the evaluation of its whole plan (`odds.of_choice`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from dieselfront.dice.plan import Score
from dieselfront.dice.throw import Throw
from dieselfront.odds import series, stages
from dieselfront.odds.result import Step
from dieselfront.rulesets.konflikt47.firing import Pool, Shot
from dieselfront.rulesets.konflikt47.morale import CHECK, Occasion
from dieselfront.rulesets.konflikt47.plans import RESULTS as RESULT_LINES
from dieselfront.rulesets.konflikt47.plans import TABLE_DICE, PoolStages, number_of, result_of, wound_of
from dieselfront.rulesets.konflikt47.state import State, Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

Odds = list[float]
RESULTS = tuple(name for _, name, _ in RESULT_LINES)


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


def added(one: Sequence[float], other: Sequence[float], most: int = 0) -> Odds:
    """The sum of two independent numbers; with `most`, everything beyond counts as that."""
    total = series.product(one, other, len(one) + len(other) - 1)
    if most and len(total) > most + 1:
        total[most:] = [sum(total[most:])]
    return total


def mixed(amounts: Sequence[float], chance: float, most: int) -> Odds:
    """A random number of dice, each of which succeeds with the same chance."""
    total = [0.0] * (most + 1)
    for amount, weight in enumerate(amounts):
        if weight:
            for successes, p in enumerate(stages.successes(amount, chance, 0.0)):
                total[min(successes, most)] += weight * p
    return total


# -- what to fire ---------------------------------------------------------------------------------------------


def ways_to_fire(
    rules: Konflikt47, state: State, unit: Unit, target: Unit, how: str
) -> dict[int, list[tuple[int, str]]]:
    """By model, every (weapon, round) that bears on the target; smoke is left out."""
    by_man: dict[int, list[tuple[int, str]]] = {}
    for man, index, way in rules.shooting.options_of(state, unit, how):
        if way != "smoke" and rules.shooting.bears(state, unit, unit.weapon(index), target):
            by_man.setdefault(man, []).append((index, way))
    return by_man


Wanted = Callable[[int, str], bool]
"""Is a (weapon, round) one that was asked for?"""


def best_shots(
    rules: Konflikt47,
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


def _worth(rules: Konflikt47, state: State, unit: Unit, target: Unit, shot: Shot, how: str) -> float:
    odds = fire_odds(rules, state, unit, target, [shot], how)
    return odds.mean_losses / max(1, len(odds.losses) - 1) + 0.05 * odds.pins


def _together(
    rules: Konflikt47, state: State, unit: Unit, options: Sequence[Shot], worth: dict[tuple[int, str], float]
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
    rules: Konflikt47, state: State, unit: Unit, target: Unit, shots: Sequence[Shot], how: str, answer: str = ""
) -> FireOdds:
    """The odds of declared shots, everything measured as play would."""
    plain = [shot for shot in shots if shot.round != "smoke" and not unit.weapon(shot.weapon).is_wave]
    pools, _ = rules.shooting.pools(state, unit, target, plain, how, False, answer)
    return pool_odds(rules, state, target, pools)


def pool_odds(rules: Konflikt47, state: State, target: Unit, pools: Sequence[Pool]) -> FireOdds:
    """The odds of measured pools."""
    fire = FireOdds()
    fire.pools = list(pools)
    parts = [rules.plans.of_pool(state, target, pool) for pool in pools]
    hits = [to_hit(pool, part.hit) for pool, part in zip(pools, parts, strict=True)]
    for one in hits:
        fire.hits = added(fire.hits, one)
    fire.hit = 1 - fire.hits[0]
    fire.pins = _pins(parts, hits)
    if target.is_armoured:
        _armour(rules, state, target, pools, parts, hits, fire)
    else:
        _troops(target, pools, parts, hits, fire)
    fire.mean_losses = sum(number * chance for number, chance in enumerate(fire.losses))
    fire.gone = min(1.0, fire.destroyed + fire.check * _fails(rules, state, target, fire))
    return fire


def to_hit(pool: Pool, score: Score) -> Odds:
    """How many dice of a pool hit."""
    if not pool.dice:
        return [1.0]
    chance, _ = stages.score_chance(score)
    if not pool.weapon.rolls_shots:
        return list(stages.successes(pool.dice, chance, 0.0))
    shots = number_of(pool.weapon.shots, "", "")
    amounts = stages.sums(shots.dice, shots.sides, shots.plus, False, len(pool.men))
    return mixed(amounts, chance, len(amounts) - 1)


def _troops(
    target: Unit, pools: Sequence[Pool], parts: Sequence[PoolStages], hits: Sequence[Odds], fire: FireOdds
) -> None:
    """Casualties of troops, or the end of a soft vehicle (k47.damage.roll, k47.damage.softskin)."""
    most = 1 if target.is_vehicle else len(target.men)
    losses: Odds = [1.0]
    flamed = 0.0
    for pool, part, struck in zip(pools, parts, hits, strict=True):
        losses = added(losses, mixed(damage_rolls(part, struck), kept_damage(part), most), most)
        if pool.weapon.burns:
            flamed = 1 - (1 - flamed) * struck[0]
    fire.losses = losses + [0.0] * (most + 1 - len(losses))
    fire.destroyed = fire.losses[most]
    if not target.is_vehicle:
        half = sum(chance for lost, chance in enumerate(fire.losses[:most]) if lost and 2 * lost >= most)
        fire.check = max(half, flamed - fire.destroyed)


def damage_rolls(part: PoolStages, hits: Sequence[float]) -> Odds:
    """How many damage dice a pool rolls; HE, flames and arcs make several of one hit."""
    if part.worth is None:
        return list(hits)
    number, most = part.worth.number, part.worth.most
    total: Odds = []
    for times, weight in enumerate(hits):
        if weight:
            for rolled, share in enumerate(stages.sums(number.dice, number.sides, number.plus, number.halved, times)):
                at = rolled if most is None else min(rolled, most)
                total += [0.0] * (at + 1 - len(total))
                total[at] += weight * share
    return total


def kept_damage(part: PoolStages) -> float:
    """The chance that a damage roll counts: it damages and is not ignored."""
    return 0.0 if part.damage is None else stages.chances(part.damage.throw)[0] * not_ignored(part.ignore)


def not_ignored(ignore: Throw | None) -> float:
    """The chance that damage is not ignored (k47.special.tough)."""
    return 1.0 if ignore is None else 1.0 - stages.chances(ignore)[0]


def _armour(
    rules: Konflikt47,
    state: State,
    target: Unit,
    pools: Sequence[Pool],
    parts: Sequence[PoolStages],
    hits: Sequence[Odds],
    fire: FireOdds,
) -> None:
    """Damage results of armour (k47.armour.results)."""
    safe = 1.0
    for pool, part, struck in zip(pools, parts, hits, strict=True):
        if part.damage is None:
            continue
        lost = hit_destroys(rules, state, target, pool)
        safe *= sum(chance * (1 - lost) ** number for number, chance in enumerate(struck))
        expected = sum(number * chance for number, chance in enumerate(struck))
        for name, chance in hit_results(rules, state, target, pool).items():
            fire.results[name] = fire.results.get(name, 0.0) + expected * chance
    fire.destroyed = 1 - safe
    fire.losses = [safe, 1 - safe]


def hit_destroys(rules: Konflikt47, state: State, target: Unit, pool: Pool) -> float:
    """The chance that one hit on armour is the end of it, fires and failed checks included."""
    part = rules.plans.of_pool(state, target, pool)
    pins = round(part.pins.mean()) if part.pins is not None else 0
    lost = 0.0
    for (grade, bonus), share in grades(rules, state, target, pool).items():
        _, dice, less = TABLE_DICE[grade]
        rolls = list(product(range(1 - less, 7 - less), repeat=dice))
        for roll in rolls:
            shown = [result_of(one + bonus) for one in roll]
            lost += share / len(rolls) * _ends(rules, state, target, shown, pins, target.immobilised)
    return lost


def _ends(rules: Konflikt47, state: State, target: Unit, shown: Sequence[str], pins: int, immobilised: bool) -> float:
    """The chance that results suffered one after the other destroy a vehicle (k47.armour.massive)."""
    if not shown:
        return 0.0
    first, rest = shown[0], shown[1:]
    if first == "knocked out" or (first == "immobilised" and immobilised):
        return 1.0
    burnt = morale_failure(rules, state, target, pins + 1) if first == "on fire" else 0.0
    after = _ends(rules, state, target, rest, pins + 1, immobilised or first == "immobilised")
    return burnt + (1 - burnt) * after


def grades(rules: Konflikt47, state: State, target: Unit, pool: Pool) -> dict[tuple[str, int], float]:
    """The grades of damage that one hit of a pool can lead to, with what is added to the roll on the table."""
    part = rules.plans.of_pool(state, target, pool)
    if part.damage is None:
        return {}
    bonus = rules.damage.table_bonus(target, wound_of(state, pool))
    kept = not_ignored(part.ignore)
    return {(grade, bonus): faces.bit_count() * kept / 6 for faces, grade in part.damage.kinds}


def hit_results(rules: Konflikt47, state: State, target: Unit, pool: Pool) -> dict[str, float]:
    """What one hit on armour leads to, result by result; of two results the worse one counts here."""
    results = dict.fromkeys(RESULTS, 0.0)
    for (grade, bonus), share in grades(rules, state, target, pool).items():
        for name, chance in table_odds(grade, bonus).items():
            results[name] += share * chance
    return results


def damaging(rules: Konflikt47, value: int, pen: int) -> Iterator[tuple[int, str]]:
    """The faces that damage, each with its grade (k47.damage.nat1, k47.armour.result_grade)."""
    for faces, grade in rules.plans.grades(value, pen):
        yield from ((face, grade) for face in range(1, 7) if faces >> (face - 1) & 1)


@cache
def table_odds(grade: str, bonus: int) -> dict[str, float]:
    """The damage results of a grade; of two results the worse one counts here (k47.armour.massive)."""
    chances = dict.fromkeys(RESULTS, 0.0)
    _, dice, less = TABLE_DICE[grade]
    for one in range(1, 7):
        for other in range(1, 7):
            worse = max(one, other) if dice == 2 else one
            chances[result_of(worse - less + bonus)] += 1 / 36
    return chances


# -- pins and morale -----------------------------------------------------------------------------------------


def _pins(parts: Sequence[PoolStages], hits: Sequence[Odds]) -> float:
    """Pins to be expected; of several kinds of hits the highest counts (k47.pin.he_replaces)."""
    worth = sorted(
        (
            (part.pins.mean() if part.pins is not None else 0.0, struck[0])
            for part, struck in zip(parts, hits, strict=True)
        ),
        reverse=True,
    )
    expected, none_so_far = 0.0, 1.0
    for pins, miss in worth:
        expected += none_so_far * (1 - miss) * pins
        none_so_far *= miss
    return expected


def morale_failure(rules: Konflikt47, state: State, unit: Unit, pins: int = 0) -> float:
    """The chance to fail a morale check with so many pins more than now."""
    if unit.ask("on_check_passes", "", unit):
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
    return stages.at_most(2, max(2, needed))


def _fails(rules: Konflikt47, state: State, target: Unit, fire: FireOdds) -> float:
    """The check is taken with the pins of this volley, as many as are to be expected."""
    if not fire.check:
        return 0.0
    return morale_failure(rules, state, target, round(fire.pins / max(fire.hit, 1e-9)))


# -- in words ------------------------------------------------------------------------------------------------


def steps(rules: Konflikt47, state: State, target: Unit, pools: Sequence[Pool]) -> list[Step]:
    """Hit and damage throws of every pool, with the rules behind them; tough targets ignore some of the damage."""
    shown: list[Step] = []
    for pool in pools:
        part = rules.plans.of_pool(state, target, pool)
        struck = to_hit(pool, part.hit)
        hits = sum(number * p for number, p in enumerate(struck))
        chance, _ = stages.score_chance(part.hit)
        shown.append(Step.of(pool.weapon.name, part.hit.throw, "hit", float(pool.dice), chance, 0.0, hits))
        if part.damage is None:
            continue
        rolls = hits * (part.worth.number.mean() if part.worth is not None else 1.0)
        good = stages.chances(part.damage.throw)[0]
        shown.append(Step.of(pool.weapon.name, part.damage.throw, "damage", rolls, good, 0.0, rolls * good))
        if part.ignore is not None:
            saved = stages.chances(part.ignore)[0]
            shown.append(
                Step.of(pool.weapon.name, part.ignore, "ignore", rolls * good, saved, 0.0, rolls * good * saved)
            )
    return shown


__all__ = [
    "FireOdds",
    "best_shots",
    "fire_odds",
    "grades",
    "hit_destroys",
    "hit_results",
    "morale_failure",
    "passes",
    "pool_odds",
    "steps",
    "ways_to_fire",
]
