"""Odds shown beforehand beside the end of the attack in play: whatever follows from it before it is over counts.

`test_choices.py` rolls plans out die by die; here nothing of a plan is used: the real procedure runs on copies, with
fair dice, up to the end of the attack, and the units that are gone are counted.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import pytest

from dieselfront import odds
from dieselfront.dice.throw import Dice
from dieselfront.kernel.decisions import Answer, Assign, Decision
from dieselfront.kernel.game import Game
from dieselfront.odds import choices, oracle
from dieselfront.referee.document import read
from dieselfront.referee.runner import FileRun, prepare
from dieselfront.rulesets.konflikt47.losses import GUN
from dieselfront.rulesets.konflikt47.odds.fire_odds import best_shots
from dieselfront.rulesets.konflikt47.odds.firing_range import casualty_order
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import State
from odds.test_choices import GAMES, answers_of, played

RUNS = int(os.environ.get("DIESELFRONT_ENDS_RUNS", "60"))
"""How often every attack is played; the proof of a release asks for more."""
FAR = 5.0
"""So many standard deviations are allowed to a single attack, of hundreds."""


class FairFaces:
    """Fair dice of a fixed seed."""

    def __init__(self, seed: str) -> None:
        self.chance = Random(seed)

    def roll(self, question: Dice, number: int) -> tuple[int, ...]:
        faces = range(len(question.die.counts))
        return tuple(self.chance.choices(faces, weights=question.die.counts, k=question.count))


def far_off(gone: int, runs: int, promised: float) -> float:
    """How many standard deviations lie between units gone and the chance that was shown."""
    return (gone - runs * promised) / sqrt(max(runs * promised * (1.0 - promised), 0.3))


# -- Konflikt '47: pins, morale, flames, damage tables -----------------------------------------------------------


class Attack(NamedTuple):
    """One unit shooting at another from so many inches."""

    unit: str
    target: str
    inches: int


MACHINE_GUN, SQUAD = "soviet-union-medium-machine-gun-team", "united-states-infantry-squad"
FLAMES, TIGER = "united-states-flamethrower-team", "germany-tiger-ii"
OPEN_TOPPED, GUN_CREW = "united-states-m16-anti-aircraft-carriage", "germany-75mm-pak-40"
ATTACKS = [
    Attack(MACHINE_GUN, SQUAD, 10),
    Attack(MACHINE_GUN, OPEN_TOPPED, 15),
    Attack(MACHINE_GUN, GUN_CREW, 10),
    Attack(SQUAD, MACHINE_GUN, 10),
    Attack(SQUAD, "united-states-sniper-team", 10),
    Attack(FLAMES, SQUAD, 5),
    Attack(FLAMES, TIGER, 5),
    Attack(FLAMES, OPEN_TOPPED, 5),
    Attack(FLAMES, MACHINE_GUN, 5),
    Attack(TIGER, OPEN_TOPPED, 20),
    Attack(TIGER, "germany-panzer-iv", 20),
    Attack(GUN_CREW, TIGER, 15),
    Attack(TIGER, SQUAD, 15),
]


def file_of(attack: Attack, pins: int) -> FileRun:
    """A referee file that asks for the odds."""
    return prepare(
        read(
            f"""
ruleset: konflikt47
size: 48in x 48in
units:
  a1: {{card: {attack.unit}, place: "24in, 40in", facing: north, order: fire}}
  b1: {{card: {attack.target}, place: "24in, {40 - attack.inches}in", facing: south, pins: {pins}}}
ask:
  - odds: {{from: a1, to: b1, order: fire}}
""".encode(),
            "test",
        )
    )


def played_ends(state: State, rules: Any, runs: int, seed: str) -> int:
    """How often the target is gone when the real fire of the attacker is over."""
    shots = best_shots(rules, state, state.unit("a1"), state.unit("b1"), "fire")
    dice = FairFaces(seed)
    gone = 0
    for _ in range(runs):
        twin = state.clone()
        procedure = rules.shooting.fire(Play(rules, twin), twin.unit("a1"), shots, "fire", reactions=False)
        oracle.drive(procedure, dice, lambda decision, twin=twin: sensible(twin, decision))  # type: ignore[misc]
        gone += not twin.unit("b1").alive
    return gone


def sensible(state: State, decision: Decision) -> Answer:
    """The shooter picks the gun or who is missed most, the owner keeps those."""
    if decision.key in ("exceptional damage", "sniper's mark"):
        options = list(decision.answers())
        order = casualty_order(state.unit("b1"))
        return GUN if GUN in options else max(options, key=order.index)
    return choices.default_policy(decision)


@pytest.mark.rule("k47.morale.rout", "k47.open.vehicle_rout", "k47.wrule.flame_pins", "k47.wrule.team_gunner")
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack.unit} at {attack.target}")
def test_units_are_destroyed_as_often_as_the_referee_says(attack: Attack) -> None:
    squares = 0.0
    for pins in range(10):
        file = file_of(attack, pins)
        rules: Any = file.session.rules
        state = file.session.state
        if pins >= rules.morale.basic(state, state.unit("b1")):
            break
        file.carry_out()
        promised = file.answers[0].facts["destroyed"]
        (stake,) = rules.shooting.stakes(
            state, state.unit("a1"), best_shots(rules, state, state.unit("a1"), state.unit("b1"), "fire"), "fire"
        )
        assert odds.evaluate(list(stake.plans)).destroyed == pytest.approx(promised, abs=1e-12)
        z = far_off(played_ends(state, rules, RUNS, f"{attack} {pins}"), RUNS, promised)
        assert abs(z) < FAR, (pins, promised, z)
        squares += z * z
    assert squares < 30


def test_what_was_found_from_outside() -> None:
    """A hit gives the ninth pin, which destroys a unit of morale 9; flames frighten the crew of a Tiger."""
    for target in (SQUAD, OPEN_TOPPED):
        file = file_of(Attack(MACHINE_GUN, target, 15), 8)
        file.carry_out()
        facts = file.answers[0].facts
        assert facts["destroyed"] == pytest.approx(facts["hit"]) and facts["hit"] > 0.98
    file = file_of(Attack(FLAMES, TIGER, 5), 5)
    file.carry_out()
    assert file.answers[0].facts["destroyed"] > 0.7


# -- every game --------------------------------------------------------------------------------------------------


def declared(ruleset: str, wanted: int) -> Iterator[tuple[Game, Answer, choices.TargetOdds]]:
    """Attacks of random games that nothing but their own dice decides, on one unit each."""
    number = 0
    for game in (game for seed in range(20) for game in played(ruleset, seed, 900)):
        decision = game.pending
        assert decision is not None
        if not isinstance(decision, Assign):
            continue
        for answer in answers_of(decision)[:2]:
            stakes = decision.at_stake(answer) if answer is not None else []
            if any(stake.left is None or stake.chance < 1.0 for stake in stakes):
                continue
            targets = odds.of_choice(game, answer)
            if len(targets) == 1 and tells_the_end(stakes, targets[0]):
                yield game, answer, targets[0]
                number += 1
        if number >= wanted:
            return


def tells_the_end(stakes: Any, target: choices.TargetOdds) -> bool:
    """Are dice and saves the whole end, or those of a squad and the hero with it?"""
    if all(plan.tells_all for stake in stakes for plan in stake.plans):
        return True
    partly = any(note.endswith("in reach") for note in target.odds.notes)
    return "+" in target.name and target.act == "attack" and not partly


def gone_in_play(game: Game, answer: Answer, target: str, runs: int) -> tuple[int, int]:
    """How often the unit is gone when the attack is over, and in how many games; the end of a turn does not count."""
    decision = game.pending
    assert decision is not None
    (left, *_) = [stake.left for stake in decision.at_stake(answer) if stake.target == target]
    assert left is not None
    settled, gone, counted = len(game.choices), 0, 0
    for number in range(runs):
        twin = game.copy(FairFaces(f"{settled} {number}"))
        assert twin.pending is not None
        twin.choose_trusted(answer)
        while (asked := twin.pending) is not None and not twin.set_aside_since(settled):
            twin.choose_trusted(choices.default_policy(asked))
        if twin.turn == game.turn and not twin.over:
            counted += 1
            gone += not left(twin.state)[1]
    return gone, counted


@pytest.mark.parametrize("ruleset", GAMES)
def test_units_of_every_game_are_destroyed_as_often_as_shown(ruleset: str) -> None:
    scores = []
    for game, answer, target in declared(ruleset, 25):
        gone, runs = gone_in_play(game, answer, target.target, RUNS // 2)
        if runs:
            scores.append(far_off(gone, runs, target.odds.destroyed))
            assert abs(scores[-1]) < FAR, (target.name, target.odds.label, target.odds.destroyed, gone, runs)
    assert len(scores) >= 10
    assert sum(score * score for score in scores) / len(scores) < 2.0
