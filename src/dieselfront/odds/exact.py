"""Exact odds of plans: what play would roll, evaluated instead of rolled.

`losses` is the short way for one pool; `evaluate` works out everything about several plans on one target. Pools come
in closed form, plans of other stages are carried through stage by stage (stages.py). Nothing is sampled; where
exploding dice make hits endless they are cut at a stated tail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dieselfront.dice.plan import (
    DESTROYED,
    HITS,
    LOSSES,
    POINTS,
    UNSAVED,
    Add,
    AnyPlan,
    Check,
    PoolPlan,
    Repeat,
    Save,
    Score,
    Stage,
    Subtract,
    Table,
    When,
    as_list,
)
from dieselfront.dice.throw import Because
from dieselfront.odds import series, stages
from dieselfront.odds.result import Odds, Step, mean
from dieselfront.odds.series import DieOdds
from dieselfront.odds.stages import chances as chances

_SMALL = 1e-6  # below this a chance is added up from its own terms, not taken as what is missing to one


def kept(plan: PoolPlan) -> float:
    """The chance that a hit gets past all saves."""
    through = 1.0
    for save in plan.saves:
        success, chain = chances(save)
        if chain:
            raise ValueError(f"{save.label} is a save and cannot chain: a save cancels one hit a die")
        through *= 1.0 - success
    return through


def losses(plan: PoolPlan) -> list[float]:
    """The chances that the target loses 0, 1, ... capacity soldiers or points; the last entry is its destruction."""
    through = kept(plan)
    if plan.damage != 1 or plan.hit_by_hit:
        return losses_of([plan])
    if plan.negate is not None:  # one point a hit: a negated point is a saved hit
        through *= 1.0 - chances(plan.negate)[0]
    if plan.capacity < 1:
        raise ValueError(f"{plan.label}: the target has nothing left to lose")
    hit, chain = chances(plan.hit)
    none, again = series.one_die(hit, chain, through)
    return _capped(series.first_terms(plan.dice, none, again, plan.capacity), [plan])


def losses_of(plans: Sequence[PoolPlan]) -> list[float]:
    """The same for several pools on one target; what it can lose is in the first plan."""
    capacity = plans[0].capacity
    if capacity < 1:
        raise ValueError(f"{plans[0].label}: the target has nothing left to lose")
    if any(plan.hit_by_hit for plan in plans):
        ends = stages.joint(plans, (LOSSES,))
        return stages.spread(((min(end[0], capacity), chance) for end, chance in ends.items()), capacity + 1)
    if len(plans) == 1 and plans[0].damage == 1:
        return losses(plans[0])
    terms = points_of(plans, capacity)
    return _capped(terms + [0.0] * (capacity - len(terms)), plans)


def _capped(terms: list[float], plans: Sequence[PoolPlan]) -> list[float]:
    """Everything from the capacity on is one thing: destroyed."""
    dead = 1.0 - sum(terms)
    if dead < _SMALL:
        dead = _beyond(plans, len(terms))
    terms.append(dead)
    return terms


def _beyond(plans: Sequence[PoolPlan], capacity: int) -> float:
    """A tiny chance of destruction, added up from its own terms so that its digits are its own."""
    if capacity > sum(plan.dice * plan.damage for plan in plans) and not any(plan.hit.chain for plan in plans):
        return 0.0
    length = capacity + sum(longest(plan) for plan in plans)
    return sum(points_of(plans, length)[capacity:])


def longest(plan: PoolPlan) -> int:
    """How many terms of the points' distribution are worth having."""
    die = unsaved_die(plan)
    return series.cut(plan.dice, die.none, die.again, series.TAIL * 1e-15) * max(plan.damage, 1)


def unsaved_die(plan: PoolPlan) -> DieOdds:
    """One die of the pool, counted in hits that got past the saves."""
    hit, chain = chances(plan.hit)
    return series.one_die(hit, chain, kept(plan))


def hit_die(plan: PoolPlan) -> DieOdds:
    """One die of the pool, counted in hits."""
    hit, chain = chances(plan.hit)
    return DieOdds(1.0 - hit, chain)


def points(plan: PoolPlan, length: int) -> list[float]:
    """The chances that a pool brings 0, 1, ... length-1 points, whatever the target can bear."""
    none, again = unsaved_die(plan)
    if plan.damage == 0 or plan.dice <= 0:
        return [1.0]
    if plan.negate is None:
        return _spaced(series.first_terms(plan.dice, none, again, -(-length // plan.damage)), plan.damage, length)
    stays = 1.0 - chances(plan.negate)[0]
    worth = series.binomial(plan.damage, stays, length)
    die = series.compound(none, again, worth, length)
    return series.power(die, plan.dice, length)


def _spaced(terms: list[float], damage: int, length: int) -> list[float]:
    """Hits as points: every hit is worth `damage` of them."""
    if damage == 1:
        return terms
    spread = [0.0] * length
    for hits, chance in enumerate(terms):
        spread[hits * damage] = chance
    return spread


def points_of(plans: Sequence[PoolPlan], length: int) -> list[float]:
    """Several pools on one target, one after the other: points simply add up."""
    total = [1.0]
    for plan in plans:
        total = series.product(total, points(plan, length), length)
    return total


def hits(plan: PoolPlan, tail: float = series.TAIL) -> list[float]:
    """The chances of 0, 1, ... hits, cut where less than `tail` lies beyond."""
    return _until(plan.dice, hit_die(plan), tail)


def unsaved(plan: PoolPlan, tail: float = series.TAIL) -> list[float]:
    """The chances of 0, 1, ... hits past the saves, cut where less than `tail` lies beyond."""
    return _until(plan.dice, unsaved_die(plan), tail)


def _until(dice: int, die: DieOdds, tail: float) -> list[float]:
    return series.first_terms(dice, die.none, die.again, series.cut(dice, die.none, die.again, tail))


def evaluate(plans: Sequence[AnyPlan] | AnyPlan, *, label: str = "", tail: float = series.TAIL) -> Odds:
    """Everything about plans on one target, one after the other; hits beyond its capacity are lost."""
    given = as_list(plans)
    pools = [plan for plan in given if isinstance(plan, PoolPlan)]
    if not given:
        raise ValueError("no pool of dice to evaluate; expected at least one")
    if len(pools) < len(given) or any(pool.hit_by_hit for pool in pools):
        return evaluate_stages(given, label)
    share = tail / len(pools)
    return Odds(
        label=label or ", ".join(pool.label for pool in pools),
        hits=lambda: _added([hits(pool, share) for pool in pools]),
        unsaved=lambda: _added([unsaved(pool, share) for pool in pools]),
        points=lambda: points_of(pools, _reach(pools, share)),
        losses=losses_of(pools),
        mean_hits=sum(mean_hits(pool) for pool in pools),
        mean_unsaved=sum(mean_hits(pool) * kept(pool) for pool in pools),
        mean_points=sum(mean_points(pool) for pool in pools),
        squad=all(pool.squad for pool in pools),
        tail=tail if any(pool.hit.chain for pool in pools) else 0.0,
        steps=lambda: [step for pool in pools for step in steps(pool)],
    )


def evaluate_stages(plans: Sequence[AnyPlan], label: str = "") -> Odds:
    """The odds of plans of any stages, from how their tallies can end up."""
    capacity = plans[0].capacity
    shown = tuple(dict.fromkeys(name for plan in plans for name in plan.shows))
    events = dict.fromkeys(name for plan in plans for name in plan.events)
    ends = stages.joint(plans, (LOSSES, DESTROYED, *shown))

    def spread(name: str) -> list[float]:
        return stages.marginal(plans, name)

    odds = Odds(
        label=label or ", ".join(plan.label for plan in plans),
        hits=lambda: spread(HITS),
        unsaved=lambda: spread(UNSAVED),
        points=lambda: spread(POINTS),
        losses=stages.spread(((min(end[0], capacity), chance) for end, chance in ends.items()), capacity + 1),
        mean_hits=lambda: mean(odds.hits),
        mean_unsaved=lambda: mean(odds.unsaved),
        mean_points=lambda: mean(odds.points),
        squad=all(plan.squad for plan in plans),
        tail=max(0.0, 1.0 - sum(ends.values())),
        steps=lambda: stage_steps(plans),
    )
    odds.dead = sum(chance for end, chance in ends.items() if end[1] or end[0] >= capacity)
    for place, name in enumerate(shown, 2):
        odds.further[name] = tuple(stages.spread((end[place], chance) for end, chance in ends.items()))
    odds.tell_chances(lambda: {name: max(0.0, 1.0 - spread(name)[0]) for name in events})
    return odds


def _reach(pools: Sequence[PoolPlan], tail: float) -> int:
    """How far the points of several pools go before the tail is cut."""
    reach = 1
    for pool in pools:
        die = unsaved_die(pool)
        reach += (series.cut(pool.dice, die.none, die.again, tail) - 1) * pool.damage
    return reach


def _added(distributions: list[list[float]]) -> list[float]:
    total = distributions[0]
    for other in distributions[1:]:
        total = series.product(total, other, len(total) + len(other) - 1)
    return total


def mean_hits(plan: PoolPlan) -> float:
    """Hits to be expected, chains included."""
    hit, chain = chances(plan.hit)
    return max(plan.dice, 0) * hit / (1.0 - chain)


def mean_points(plan: PoolPlan) -> float:
    """Points to be expected before the target's capacity limits them."""
    stays = 1.0 - chances(plan.negate)[0] if plan.negate is not None else 1.0
    return mean_hits(plan) * kept(plan) * plan.damage * stays


PROBE = "probe"
"""A tally that counts how many dice a stage is about to roll."""


def stage_steps(plans: Sequence[AnyPlan]) -> list[Step]:
    """Plans line by line: every roll with what to expect of it, and why; what is taken away without a roll (cover)
    gives its reasons to the roll after it, or to the last one."""
    shown: list[Step] = []
    before: list[Stage] = []
    for plan in plans:
        first = True
        reasons: tuple[Because, ...] = ()
        for stage in stages.program(plan):
            for roll, probe in _rolls(stage):
                dice = mean(stages.spread((v[0], c) for v, c in stages.after([*before, probe], (PROBE,)).items()))
                shown.append(_because(_stage_step(plan, roll, dice, before, first), reasons))
                first, reasons = False, ()
            if isinstance(stage, Subtract) and stage.throw is None:
                reasons += stage.because
            before.append(stage)
        if not first:
            shown[-1] = _because(shown[-1], reasons)
    return shown


def _because(step: Step, reasons: tuple[Because, ...]) -> Step:
    """A step with more reasons, each of them once."""
    return step._replace(because=tuple(dict.fromkeys((*step.because, *reasons)))) if reasons else step


def _rolls(stage: Stage) -> Iterator[tuple[Stage, Stage]]:
    """The rolls of a stage, those that may follow inside it too, each with what counts its dice."""
    if isinstance(stage, Score | Subtract) and getattr(stage, "throw", None) is not None:
        yield stage, Add(PROBE, stage.dice)
    elif isinstance(stage, Save | Table):
        yield stage, Add(PROBE, stage.of)
    elif isinstance(stage, Check):
        yield stage, Add(PROBE, 1)
    elif isinstance(stage, Repeat):
        for place, inner in enumerate(stage.then):
            for roll, probe in _rolls(inner):
                yield roll, Repeat(stage.of, (*stage.then[:place], probe, *stage.then[place:]), stage.until)
    elif isinstance(stage, When):
        for inner in stage.then:
            for roll, probe in _rolls(inner):
                yield roll, When(stage.of, stage.least, (probe,), stage.unless)


def _stage_step(plan: AnyPlan, stage: Stage, dice: float, before: Sequence[Stage], first: bool) -> Step:
    """One roll as a step."""
    because = plan.because if first else ()
    if isinstance(stage, Score):
        good, chain = stages.score_chance(stage)
        expected = dice * good / (1.0 - chain)
        return Step.of(plan.label, stage.throw, stage.kind, dice, good, chain, expected, because)
    if isinstance(stage, Save | Subtract):
        assert stage.throw is not None
        good = chances(stage.throw)[0]
        return Step.of(plan.label, stage.throw, stage.kind, dice, good, 0.0, dice * good, because)
    if isinstance(stage, Table):
        names = tuple(f"{row.least}+ {row.name}" if at else row.name for at, row in enumerate(stage.rows))
        dice *= stage.dice
        rules = tuple(Because(row.rule, row.name) for row in stage.rows)
        return Step(plan.label, "table", stage.label, dice, names, 1.0, 0.0, dice, stage.rule, (), (*because, *rules))
    assert isinstance(stage, Check)
    passed = Check("", "", stage.needs, stage.by_tally, passed=(Add(PROBE),), dice=stage.dice)
    ends = stages.after([*before, passed], (PROBE,))
    good = mean(stages.spread((values[0], chance) for values, chance in ends.items()))
    faces = (f"{max(stage.needs)} or less",)
    return Step(plan.label, "check", stage.label, dice, faces, good, 0.0, dice * good, stage.rule, (), because)


def steps(plan: PoolPlan) -> list[Step]:
    """The plan line by line: what is rolled, what succeeds, why, and what to expect of it."""
    hit, chain = chances(plan.hit)
    expected = mean_hits(plan)
    listed = [Step.of(plan.label, plan.hit, "hit", float(plan.dice), hit, chain, expected, plan.because)]
    for save in plan.saves:
        success, _ = chances(save)
        listed.append(Step.of(plan.label, save, "save", expected, success, 0.0, expected * success))
        expected *= 1.0 - success
    if plan.negate is not None:
        success, _ = chances(plan.negate)
        dice = expected * plan.damage
        listed.append(Step.of(plan.label, plan.negate, "negate", dice, success, 0.0, dice * success))
    return listed
