"""The odds of a pending decision: what an answer puts at stake, evaluated exactly, in every game and every shape.

Decisions say what would be rolled for an answer (`Decision.at_stake`); the plans are evaluated here. Where plans do not
tell the end (blows that are struck back, skills that act on results), the real procedure is run on copies of the game
for every result of its dice, if that is not too much; else the odds are those of the plans alone, with a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from dieselfront.dice.rollers import Roller
from dieselfront.kernel.decisions import Answer, Assign, Decision, PickSome, Place, PlaceFree, YesNo
from dieselfront.kernel.game import Game
from dieselfront.kernel.stakes import Stake
from dieselfront.odds import exact
from dieselfront.odds.forecast import Outlook, forecast
from dieselfront.odds.oracle import TooManyPaths
from dieselfront.odds.result import Odds

MOST_OPTIONS = 400
"""No more answers of one decision than this are worked out."""

MOST_RUNS = 300
"""No more ways for the dice to fall than this are followed by running the procedure."""

ONLY_PLANS = "dice and saves only: skills, or blows struck back, change what becomes of hits"


class TargetOdds(NamedTuple):
    """The odds of an answer for one unit that stands to lose by it."""

    target: str
    name: str
    unit: str
    """Who rolls."""
    act: str
    chance: float
    """How likely it comes to these rolls at all."""
    odds: Odds
    dice: int
    """How many dice the plans begin with."""


class OptionOdds(NamedTuple):
    """One answer, or one option of one item of an assignment, and the odds for every unit it strikes."""

    answer: Answer
    targets: list[TargetOdds]
    item: int | None = None
    """The place of the item, where only this item is given an option."""
    aim: str = ""
    """The unit that everything is aimed at, where all items that can are."""


def of_choice(game: Game, answer: Answer, *, runs: int = 0) -> list[TargetOdds]:
    """The odds of an answer to the pending decision, one entry for every unit that stands to lose by it.

    With `runs`, ends that plans do not give come from running the procedure, following up to so many ways for the
    dice to fall (MOST_RUNS is a good number).
    """
    decision = game.pending
    if decision is None or not decision.has_stakes:
        return []
    return of_stakes(decision.at_stake(answer), game, answer, runs)


def of_stakes(
    stakes: Sequence[Stake], game: Game | None = None, answer: Answer = None, runs: int = 0, state: Any = None
) -> list[TargetOdds]:
    """The odds of stakes, target by target; the state, if there is no game, tells what the targets have left."""
    now = state if game is None else game.state
    targets: list[TargetOdds] = []
    for group in _by_target(stakes):
        first = group[0]
        plans = [plan for stake in group for plan in stake.plans]
        if not plans:
            continue
        odds = exact.evaluate(plans)
        if now is not None:
            _within_reach(now, first, odds)
        if not all(plan.tells_all for plan in plans):
            if runs and game is not None and first.left is not None:
                odds = _by_procedure(game, answer, first, odds, runs)
            else:
                odds.notes.append(ONLY_PLANS)
        dice = sum(plan.start.get("dice", 0) for plan in plans)
        targets.append(TargetOdds(first.target, first.name, first.unit, first.act, first.chance, odds, dice))
    return targets


def _within_reach(state: Any, stake: Stake, odds: Odds) -> None:
    """What cannot be reached cannot be lost: a unit is destroyed only where all it has left is in reach."""
    strength = stake.left(state)[0] if stake.left is not None else 0
    if strength > odds.capacity:
        odds.dead = 0.0
        odds.notes.append(f"{odds.capacity} of {strength} in reach")


def _by_target(stakes: Iterable[Stake]) -> list[list[Stake]]:
    """Stakes of the same act of one unit on one target belong together."""
    groups: dict[tuple[Any, ...], list[Stake]] = {}
    for stake in stakes:
        groups.setdefault((stake.unit, stake.target, stake.act, stake.chance), []).append(stake)
    return list(groups.values())


# -- every answer ------------------------------------------------------------------------------------------------


def of_options(game: Game, *, most: int = MOST_OPTIONS) -> list[OptionOdds]:
    """The odds of every answer of the pending decision.

    Of an assignment each option of each item alone, and then everything at each unit that can be aimed at.
    """
    return of_decision(game.pending, most=most, state=game.state) if game.pending is not None else []


def of_decision(decision: Decision, *, most: int = MOST_OPTIONS, state: Any = None) -> list[OptionOdds]:
    """The same for any decision, as far as its plans tell; the state knows what the targets have left."""
    if not decision.has_stakes:
        return []
    if isinstance(decision, Assign):
        return [*_single(decision, most, state), *_massed(decision, state)]
    answers = _answers(decision, most)
    return [OptionOdds(one, targets) for one in answers if (targets := of_stakes(decision.at_stake(one), state=state))]


def _answers(decision: Decision, most: int) -> Iterator[Answer]:
    """As many answers as are worth a line; places and paths have too many."""
    if isinstance(decision, Place | PlaceFree | PickSome):
        return
    for number, answer in enumerate(decision.answers()):
        if number >= most:
            return
        yield answer


def _single(decision: Assign, most: int, state: Any) -> Iterator[OptionOdds]:
    """One item with one of its options at a time, as far as that is legal by itself."""
    count = 0
    for place, options in enumerate(decision.choices):
        for option in options:
            if option is None:
                continue
            count += 1
            if count > most:
                return
            answer = alone(decision, place, option)
            targets = of_stakes(decision.at_stake(answer), state=state) if answer is not None else []
            if targets:
                yield OptionOdds(option, targets, item=place)


def alone(decision: Assign, place: int, option: Answer) -> tuple[Answer, ...] | None:
    """The assignment in which one item has an option and all others nothing; None if that is not legal."""
    answer: list[Answer] = [None if None in options else options[0] for options in decision.choices]
    answer[place] = option
    whole = tuple(answer)
    return whole if decision.objection(whole) is None else None


def _massed(decision: Assign, state: Any) -> Iterator[OptionOdds]:
    """Everything that bears on one unit, for every unit that can be aimed at."""
    for target in aimed_at(decision):
        answer = massed(decision, target)
        if answer is not None:
            targets = of_stakes(decision.at_stake(answer), state=state)
            if targets:
                yield OptionOdds(answer, targets, aim=target)


def aimed_at(decision: Assign) -> list[str]:
    """Every unit that some option is about."""
    names: dict[str, None] = {}
    for item, options in zip(decision.items, decision.choices, strict=True):
        for option in options:
            if option is not None:
                names.update(dict.fromkeys(decision.part_meaning(item, option).targets))
    return list(names)


def massed(decision: Assign, target: str) -> tuple[Answer, ...] | None:
    """The assignment of everything that bears on a unit, the better option where there are several; None if there is
    no legal one."""
    answer: list[Answer] = [None if None in options else options[0] for options in decision.choices]
    aimed = False
    offers: list[tuple[float, int, Answer]] = []
    known: dict[Any, float] = {}
    for place, (item, options) in enumerate(zip(decision.items, decision.choices, strict=True)):
        fitting = [
            option for option in options if option is not None and target in decision.part_meaning(item, option).targets
        ]
        for option in fitting:
            key = (decision.part_meaning(item, option).weapons, option)
            if key not in known:
                known[key] = _worth(decision, place, option, target) if len(fitting) > 1 else 1.0
            offers.append((known[key], place, option))
    for _, place, option in sorted(offers, key=lambda offer: (-offer[0], offer[1])):
        if answer[place] is None or (not aimed and answer[place] == decision.choices[place][0]):
            before, answer[place] = answer[place], option
            if decision.objection(tuple(answer)) is not None:
                answer[place] = before
            else:
                aimed = True
    whole = tuple(answer)
    return whole if aimed and decision.objection(whole) is None else None


def _worth(decision: Assign, place: int, option: Answer, target: str) -> float:
    """What an option alone does to a unit: the share of it that is lost, and a little for everything else."""
    answer = alone(decision, place, option)
    if answer is None:
        return 0.0
    for worth in of_stakes(decision.at_stake(answer)):
        if worth.target == target:
            odds = worth.odds
            shaken = sum(value * chance for name in odds.further for value, chance in enumerate(odds.further[name]))
            return odds.mean_losses / max(1, odds.capacity) + odds.destroyed + 0.02 * odds.mean_hits + 0.02 * shaken
    return 0.0


# -- the real procedure ------------------------------------------------------------------------------------------


def default_policy(decision: Decision) -> Answer:
    """Who decides inside a forecast: whatever bears strikes back, no optional skill is used, owners lose the models
    named last (cards name first who leads and who serves a weapon), else the first answer."""
    if isinstance(decision, YesNo):
        return False
    if isinstance(decision, PickSome) and decision.act == "lose":
        return tuple(decision.options[len(decision.options) - decision.least :])
    if isinstance(decision, Assign):
        answer: list[Answer] = [None if None in options else options[0] for options in decision.choices]
        for place, options in enumerate(decision.choices):
            wanted = next((option for option in options if option is not None), None)
            before, answer[place] = answer[place], wanted
            if decision.objection(tuple(answer)) is not None:
                answer[place] = before
        whole = tuple(answer)
        return whole if decision.objection(whole) is None else next(iter(decision.answers()))
    return next(iter(decision.answers()))


def _by_procedure(game: Game, answer: Answer, stake: Stake, planned: Odds, runs: int) -> Odds:
    """Losses and destruction as the procedure itself brings them about; the plans' own, if there are too many ways."""
    assert stake.left is not None
    before, _ = stake.left(game.state)
    try:
        outlook = procedure_outlook(game, answer, [stake], runs)
    except TooManyPaths:
        planned.notes.append(ONLY_PLANS)
        return planned
    losses = outlook.distribution(lambda ends: min(before - ends[0][0], before), before + 1)
    odds = Odds(
        planned.label,
        lambda: planned.hits,
        lambda: planned.unsaved,
        lambda: planned.points,
        losses,
        planned.mean_hits,
        planned.mean_unsaved,
        planned.mean_points,
        planned.squad,
        max(outlook.missing, planned.tail),
        lambda: planned.steps,
    )
    odds.dead = outlook.chance(lambda ends: not ends[0][1])
    return odds


def procedure_outlook(
    game: Game, answer: Answer, stakes: Sequence[Stake], runs: int = 0
) -> Outlook[tuple[tuple[int, bool], ...]]:
    """What is left of the targets once an answer was carried out, for every result of the dice on the way."""
    settled = len(game.choices)

    def run(dice: Roller) -> tuple[tuple[int, bool], ...]:
        twin = game.copy(dice)
        assert twin.pending is not None
        twin.choose_trusted(answer)
        while (decision := twin.pending) is not None and not twin.set_aside_since(settled):
            twin.choose_trusted(default_policy(decision))
        return tuple(stake.left(twin.state) for stake in stakes if stake.left is not None)

    return forecast(run, most=runs)


__all__ = [
    "MOST_OPTIONS",
    "MOST_RUNS",
    "OptionOdds",
    "TargetOdds",
    "aimed_at",
    "alone",
    "default_policy",
    "massed",
    "of_choice",
    "of_decision",
    "of_options",
    "of_stakes",
    "procedure_outlook",
]
