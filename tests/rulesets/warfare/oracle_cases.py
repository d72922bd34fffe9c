"""Situations by chance for the oracle: small units with all kinds of weapons, cover, markers, effects and reactions.

What the stakes of the last decision before the dice tell is compared with the real procedure, run for every way its
dice can fall.
"""

from __future__ import annotations

import contextlib
from random import Random
from typing import Any, NamedTuple

from dieselfront.kernel.game import Play
from dieselfront.odds import choices, oracle
from dieselfront.rulesets.warfare import RULESET
from dieselfront.rulesets.warfare.firing import ATTACK, SUSTAINED
from dieselfront.rulesets.warfare.odds import trial
from dieselfront.rulesets.warfare.plans import TABLE_HITS
from dieselfront.rulesets.warfare.state import State, Unit
from rulesets.warfare.field import BLUE, RED, Field, gap, plane, squad, vehicle, weapon

WEAPON_RULES = ("", "", "", "Laser", "Phaser", "Radiation", "Penetrator", "Tank Killer", "Burst", "Grenades",
                "Incendiary", "Inverted", "Rocket Punch")  # fmt: skip
ATTACKING = ("", "", "Berserk", "Sniper", "Headshot", "All in One", "Frenzy", "Take Aim", "Supercharged")
DEFENDING = ("", "", "Damage Resilient", "Entrench", "Cheat Death", "Camouflage", "Assault")
VEHICLE_ARMOR = ("", "Dozer Blade", "Damage Resilient")
EFFECTS = ("blinded", "external fire", "hull breach", "drive damaged")
COVER = ("", "", "hedge", "wall", "forest")
MOST_PATHS = 60_000


class Told(NamedTuple):
    """What a stake said of one unit."""

    target: str
    losses: list[float]
    destroyed: float
    effects: dict[str, float]
    blast: bool
    tells_all: bool


def situation(seed: str) -> tuple[Field, Unit, Unit, str, str]:
    """A field with two units, the kind of attack, and how the target reacts."""
    chance = Random(seed)
    cover = chance.choice(COVER)
    y = 600 - gap(7)
    pieces = []
    if cover == "forest":
        pieces = [{"kind": cover, "at": [30, (y - 100) / 25.4], "size": [12, 6]}]
    elif cover:
        pieces = [{"kind": cover, "line": [[30, (y + 60) / 25.4], [44, (y + 60) / 25.4]]}]
    field = Field(*pieces)
    target_kind = chance.choice(("squad", "squad", "vehicle", "vehicle", "plane"))
    a = field.put(BLUE, _squad(chance, ATTACKING, most=2), 900, 600) if chance.random() < 0.8 else field.put(
        BLUE, vehicle(2, [_weapon(chance, 1, arc="turret")], capacity=4), 900, 600
    )  # fmt: skip
    if target_kind == "squad":
        b = field.put(RED, _squad(chance, DEFENDING, most=3), 900, y, suppression=chance.choice((0, 0, 0, 1)))
    elif target_kind == "vehicle":
        named = chance.choice(VEHICLE_ARMOR)
        abilities = [named] if named else []
        card = vehicle(chance.choice((1, 2, 3)), [_weapon(chance, 1, arc="turret")], capacity=4, abilities=abilities)
        effects = tuple(chance.sample(EFFECTS, chance.choice((0, 0, 1, 2))))
        b = field.put(RED, card, 900, y, heading=chance.choice((0, 90, 180)), effects=effects)
    else:
        card = plane(chance.choice((1, 2)), [_weapon(chance, 1, arc="front")], capacity=3)
        b = field.put(RED, card, 900, y, heading=180, altitude="low", reaction=True)
    kind = SUSTAINED if chance.random() < 0.3 else ATTACK
    return field, a, b, kind, chance.choice(("none", "none", "attack", "hit the dirt"))


def _squad(chance: Random, abilities: tuple[str, ...], most: int) -> dict[str, Any]:
    count = chance.randint(1, most)
    arms = [_weapon(chance, count)]
    if chance.random() < 0.3:
        arms.append(_weapon(chance, 1, name="Second"))
    named = chance.choice(abilities)
    tags = ["team"] if chance.random() < 0.2 else []
    return squad(count, arms, armor=chance.choice((1, 2)), abilities=[named] if named else [], tags=tags)


def _weapon(chance: Random, count: int, name: str = "First", arc: str | None = None) -> dict[str, Any]:
    rule = chance.choice(WEAPON_RULES)
    cell = "*/1" if chance.random() < 0.1 else f"{chance.randint(1, 2)}/{chance.choice((1, 1, 2))}"
    machines = f"{chance.randint(1, 3)}/{chance.choice((1, 2))}"
    return weapon(name, 18, cell, machines, machines, count=count, rules=[rule] if rule else [], arc=arc)


class Policy:
    """Answers everything in the same way in every run and keeps what the stakes of the last question said."""

    def __init__(self, state: State, seed: str, reaction: str) -> None:
        self.state = state
        self.chance = Random(seed)
        self.reaction = reaction
        self.told: list[Told] = []
        self.answers: dict[str, Any] = {}

    def __call__(self, decision: Any) -> Any:
        answer = self._answer(decision)
        closed = self.told and decision.key in ("target", "weapons") and self.answers.get("reaction") is not None
        if decision.has_stakes and not closed and decision.key not in ("cheat death", "panzer ace"):
            self.told = [_read(self.state, stake) for stake in decision.at_stake(answer)]
        return answer

    def _answer(self, decision: Any) -> Any:
        if decision.key in self.answers:
            return None if decision.key == "reaction" else self._again(decision)
        self.answers[decision.key] = self._fresh(decision)
        return self.answers[decision.key]

    def _again(self, decision: Any) -> Any:
        return next(iter(decision.answers()))

    def _fresh(self, decision: Any) -> Any:
        if decision.key == "reaction":
            wanted = [one for one in decision.options if one is not None and one[1] == self.reaction]
            return wanted[0] if wanted else None
        if decision.shape == "yes-no":
            return False
        if decision.key == "target":
            return decision.options[0]
        if decision.shape == "pick-some" and decision.key == "abilities":
            return tuple(name for name in decision.options if self.chance.random() < 0.5)
        return next(iter(decision.answers()))


def _read(state: State, stake: Any) -> Told:
    target = state.unit(stake.target)
    (found,) = choices.of_stakes([stake])
    odds = found.odds
    hits = odds.further.get(TABLE_HITS, ())
    effects = trial.effects(odds, target) if TABLE_HITS in odds.further else {}
    tells = all(plan.tells_all for plan in stake.plans)
    return Told(stake.target, list(odds.losses), odds.destroyed, effects, sum(hits[5:]) > 0, tells)


def told_before(seed: str) -> list[Told]:
    """What the last question before the dice told."""
    field, a, b, kind, reaction = situation(seed)
    policy = Policy(field.state, seed, reaction)
    play = Play(RULESET, field.state)
    with contextlib.suppress(oracle.DiceAsked):
        oracle.drive(RULESET.attacking.attack(play, a, kind, only=b), oracle.NO_DICE, policy)
    return policy.told


def outcomes(seed: str, most: int = MOST_PATHS) -> oracle.Forecast[Any]:
    """Everything the real procedure can lead to: points lost and new effects of both units."""

    def run(dice: Any) -> Any:
        field, a, b, kind, reaction = situation(seed)
        had = [(unit.points_left, unit.effects) for unit in field.state.units]
        play = Play(RULESET, field.state)
        oracle.drive(RULESET.attacking.attack(play, a, kind, only=b), dice, Policy(field.state, seed, reaction))
        return tuple(
            (points - unit.points_left, unit.alive, tuple(one for one in unit.effects if one not in effects))
            for unit, (points, effects) in zip(field.state.units, had, strict=True)
        )

    return oracle.explore(run, lump=True, most=most)


def disagreement(seed: str, most: int = MOST_PATHS) -> str | None:
    """A sentence if the stakes and the procedure differ; '' if there was nothing to compare; None if they agree."""
    told = told_before(seed)
    if not told or not all(one.tells_all for one in told):
        return ""
    try:
        found = outcomes(seed, most)
    except oracle.TooManyPaths:
        return ""
    for one in told:
        place = 0 if one.target.startswith("blue") else 1
        if any(other.blast for other in told if other is not one):  # the detonation of the other comes on top
            continue
        losses = found.distribution(lambda end, place=place: end[place][0])
        for number in range(max(len(losses), len(one.losses))):
            mine = one.losses[number] if number < len(one.losses) else 0.0
            theirs = losses[number] if number < len(losses) else 0.0
            if abs(mine - theirs) > 1e-9:
                return f"{seed}: {one.target} loses {number} with {mine}, the procedure says {theirs}"
        dead = found.chance(lambda end, place=place: not end[place][1])
        if abs(dead - one.destroyed) > 1e-9:
            return f"{seed}: {one.target} destroyed {one.destroyed}, the procedure says {dead}"
        for effect, chance in one.effects.items():
            seen = found.chance(lambda end, place=place, effect=effect: effect in end[place][2])
            if abs(chance - seen) > 1e-9:
                return f"{seed}: {one.target} {effect} {chance}, the procedure says {seen}"
    return None
