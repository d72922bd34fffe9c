"""Decisions that lead to dice say what is at stake, and the odds of every answer are told, in every game."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from dieselfront import odds, rulesets
from dieselfront.dice.plan import AnyPlan, names_of
from dieselfront.dice.rollers import Roller
from dieselfront.kernel.decisions import Assign, Decision
from dieselfront.kernel.game import Game
from dieselfront.kernel.stakes import Stake
from dieselfront.odds import choices, oracle, stages
from dieselfront.scenarios import battle, library

PLANS = int(os.environ.get("DIESELFRONT_STAKES_PLANS", "150"))
"""How many plans the long test compares; the proof of a release asks for 1,000."""
MANY = int(os.environ.get("DIESELFRONT_STAKES_GAMES", "4"))
GAMES = [name for name in rulesets.names() if library.names(name)]


def played(ruleset: str, seed: int, most: int = 2000) -> Iterator[Game]:
    """A random game, stopped at every decision that has stakes."""
    chance = Random(f"{ruleset} {seed}")
    scenarios, armies = library.names(ruleset), battle.starters(ruleset)
    forces = [armies[(seed + side) % len(armies)] for side in range(2)]
    made = battle.header(ruleset, scenarios[seed % len(scenarios)], forces, seed=f"stakes {seed}")
    game = battle.start(made, f"stakes {seed}", keep_history=False)
    for _ in range(most):
        decision = game.pending
        if decision is None:
            return
        if decision.has_stakes:
            yield game
        game.choose_trusted(eager(decision, chance))


def eager(decision: Decision, chance: Random) -> object:
    """Any legal answer; weapons are mostly fired."""
    if isinstance(decision, Assign) and decision.has_stakes and chance.random() < 0.8:
        return choices.default_policy(decision)
    return decision.sample(chance)


def check_odds(game: Game, answer: object) -> int:
    """The odds of an answer are probabilities of something; how many units stand to lose."""
    targets = odds.of_choice(game, answer)
    for target in targets:
        assert target.target and target.name and 0.0 <= target.chance <= 1.0
        chances = target.odds
        assert sum(chances.losses) == pytest.approx(1.0, abs=1e-9)
        assert -1e-12 <= chances.destroyed <= 1.0 + 1e-12 and min(chances.losses) >= -1e-12
        assert 0.0 <= chances.mean_losses <= chances.capacity
    return len(targets)


def asked(ruleset: str, games: int, most: int, every: int = 1) -> Counter[str]:
    """How many decisions with stakes gave odds, by their key; under "" how many were asked."""
    with_odds: Counter[str] = Counter()
    number = 0
    for seed in range(games):
        for game in played(ruleset, seed, most):
            number += 1
            if number % every:
                continue
            decision = game.pending
            assert decision is not None
            before = game.play.log, len(game.events)
            answers = answers_of(decision)
            with_odds[""] += 1
            with_odds[decision.key] += sum(check_odds(game, one) for one in answers) > 0
            assert (game.play.log, len(game.events)) == before  # asking changes nothing
    return with_odds


def answers_of(decision: Decision) -> list[object]:
    """Every answer worth asking about: of weapons those that aim them all at one unit."""
    if not isinstance(decision, Assign):
        return list(decision.answers())
    return [choices.massed(decision, target) for target in choices.aimed_at(decision)]


def situations(decision: Decision, chance: Random) -> Iterator[object]:
    """The same, and of weapons every use of each of them alone, and some of them at whatever they bear on."""
    yield from answers_of(decision)
    if isinstance(decision, Assign):
        for place, options in enumerate(decision.choices):
            alone = (choices.alone(decision, place, option) for option in options if option is not None)
            yield from (answer for answer in alone if answer is not None)
        yield from (decision.sample(chance) for _ in range(6))


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_declaration_of_random_games_has_odds(ruleset: str) -> None:
    with_odds = asked(ruleset, 3, 700, every=2)
    del with_odds[""]
    assert sum(with_odds.values()) >= 6, with_odds


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", GAMES)
def test_every_declaration_of_many_random_games_has_odds(ruleset: str) -> None:
    with_odds = asked(ruleset, MANY, 4000)
    number = with_odds.pop("")
    print(
        f"{ruleset}: {MANY} games, {number} decisions with stakes asked, {with_odds.total()} with targets: {with_odds}"
    )
    assert with_odds.total() > MANY


@pytest.mark.parametrize("ruleset", GAMES)
def test_everything_at_one_target_is_legal_and_takes_the_better_round(ruleset: str) -> None:
    seen = 0
    for game in (game for seed in range(8) for game in played(ruleset, seed, 1200)):
        decision = game.pending
        if not isinstance(decision, Assign):
            continue
        whole = [one for one in odds.of_options(game) if one.aim]
        for one in whole:
            assert decision.check(one.answer) == one.answer
            assert any(target.target == one.aim for target in one.targets) or one.targets
        seen += bool(whole)
        if seen >= 6:
            return
    assert seen, "nobody ever fired"


@pytest.mark.parametrize("ruleset", GAMES)
def test_plans_at_stake_agree_with_the_oracle(ruleset: str) -> None:
    assert agreeing(ruleset, 40, 400) >= 20


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", GAMES)
def test_many_plans_at_stake_agree_with_the_oracle(ruleset: str) -> None:
    compared = agreeing(ruleset, PLANS, 3000)
    print(f"{ruleset}: {compared} different plans evaluated and rolled out die by die, the same to 1e-12")
    assert compared == PLANS


def agreeing(ruleset: str, wanted: int, most: int) -> int:
    """Different plans of random games, rolled out die by die where that is not too much, and evaluated: the same to
    1e-12; how many were compared."""
    compared = 0
    for plan in different_plans(ruleset, games=4 * wanted):
        names = [name for name in ("losses", "destroyed", "pins") if name in names_of([plan])]
        try:
            slow = oracle.of_plans(plan, names, most=most)
        except oracle.TooManyPaths:
            continue
        fast = stages.joint(plan, names)
        for values in {*slow.chances, *fast}:
            assert fast.get(values, 0.0) == pytest.approx(float(slow.chances.get(values, 0)), abs=1e-12 + slow.missing)
        compared += 1
        if compared == wanted:
            break
    return compared


def different_plans(ruleset: str, games: int) -> Iterator[AnyPlan]:
    """Every plan that is at stake in so many random games, each kind once."""
    known: set[object] = set()
    chance = Random(f"plans of {ruleset}")
    for game in (game for seed in range(games) for game in played(ruleset, seed, 600)):
        decision = game.pending
        assert decision is not None
        for stake in (stake for answer in situations(decision, chance) for stake in decision.at_stake(answer)):
            for plan in stake.plans:
                key = (*(stage.key() for stage in plan.stages), *plan.start.items())
                if key not in known:
                    known.add(key)
                    yield plan


def test_ends_that_plans_do_not_tell_are_found_by_running_the_procedure() -> None:
    """Blows that are struck back and skills on results: the forecast of copies beside one that follows every die."""
    compared = 0
    for game in (game for seed in range(6) for game in played("dust1947", seed, 900)):
        decision = game.pending
        if not isinstance(decision, Assign):
            continue
        for place, option in ((place, one) for place, row in enumerate(decision.choices) for one in row[1:3]):
            answer = choices.alone(decision, place, option)
            stakes = [] if answer is None else [stake for stake in decision.at_stake(answer) if stake.left is not None]
            plans = [plan for stake in stakes for plan in stake.plans]
            if len(stakes) != 1 or plans[0].tells_all or plans[0].start["dice"] > 2:
                continue
            try:
                quick = choices.procedure_outlook(game, answer, stakes, 60)
                slow = carried_out(game, answer, stakes[0])
            except oracle.TooManyPaths:
                continue
            for ends in {*quick.chances, *slow.chances}:
                assert quick.chances.get(ends, 0.0) == pytest.approx(float(slow.chances.get(ends, 0)), abs=1e-12)
            (target,) = odds.of_choice(game, answer, runs=60)
            assert choices.ONLY_PLANS not in target.odds.notes and sum(target.odds.losses) == pytest.approx(1.0)
            compared += 1
            if compared >= 3:
                return
    assert compared


def carried_out(game: Game, answer: object, stake: Stake) -> oracle.Forecast[tuple[tuple[int, bool], ...]]:
    """The same answer carried out for every way the dice can fall."""
    so_far = len(game.choices)

    def run(dice: Roller) -> tuple[tuple[int, bool], ...]:
        twin = game.copy(dice)
        assert twin.pending is not None and stake.left is not None
        twin.choose_trusted(answer)
        while (decision := twin.pending) is not None and not twin.set_aside_since(so_far):
            twin.choose_trusted(choices.default_policy(decision))
        return (stake.left(twin.state),)

    return oracle.explore(run, most=2000)


def test_the_odds_room_names_no_game() -> None:
    words = list(rulesets.folders())
    room = Path(choices.__file__).parent
    for file in sorted(room.glob("*.py")):
        text = file.read_text("utf-8").lower()
        assert not [word for word in words if word in text], file.name
        assert "konflikt" not in text, file.name


def test_a_decision_without_stakes_has_no_odds() -> None:
    game = next(iter(played(GAMES[0], 0)))
    assert odds.of_choice(game, choices.default_policy(game.pending)) is not None  # type: ignore[arg-type]
    while game.pending is not None and game.pending.has_stakes:
        game.choose_trusted(choices.default_policy(game.pending))
    assert odds.of_options(game) == []
