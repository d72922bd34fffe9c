"""Situations by chance for the oracle: small units with all kinds of weapons, skills and tokens, in and out of cover.

What the stakes of a declaration tell is compared with the real procedure, run for every way its dice can fall.
"""

from __future__ import annotations

import contextlib
from random import Random
from typing import Any, NamedTuple

import msgspec

from dieselfront.forces import DustCard, DustWeapon
from dieselfront.kernel.decisions import Answer, Assign, Decision
from dieselfront.odds import choices, oracle
from dieselfront.rulesets.battlefield.citing import citing
from dieselfront.rulesets.dust.state import Unit
from rulesets.battlefield.field import BLUE, RED, Field, box
from rulesets.dust1947.table import hero, knife, squad, vehicle, weapon

RULES = ("", "", "", "", "Grenade", "Laser", "Phaser", "Tesla", "Sniper", "Flame", "Spray", "Wire-guided", "Blast")
SHOOTING = ("", "", "", "Marksman", "Brave", "Berserk", "Fighting Spirit", "Lucky")
SHOT_AT = ("", "", "", "Damage Resilient", "Cheat Death", "Camouflage", "Lucky", "Self Repair")
COVER = ("", "", "trees", "wall", "trench")
TOKENS = ("", "", "", "under fire", "suppressed")
MOST_PATHS = 20_000
FAR = 250  # millimetres between the middles


class Told(NamedTuple):
    """What the stakes said of one unit."""

    target: str
    losses: list[float]
    destroyed: float
    tells_all: bool


def situation(seed: str) -> tuple[Field, Unit, Unit, bool]:
    """A field with two units, and whether the attack is sustained."""
    chance = Random(f"battlefield {seed}")
    blades = chance.random() < 0.2
    cover = "" if blades else chance.choice(COVER)
    y = 700 - FAR
    pieces = []
    if cover == "wall":
        pieces = [box("wall", 300, y + 40, 600, 10)]
    elif cover:
        pieces = [box(cover, 300, y - 60, 600, 120)]
    field = Field(*pieces)
    attacker, target = _attacker(chance, blades), _target(chance, blades)
    a = field.put(attacker, (600, 700), BLUE, others=_row(attacker, 700))
    if blades:
        y = 700 - _half(attacker) - _half(target) - 10
    b = field.put(target, (600, y), RED, others=_row(target, y), heading=180, tokens=chance.choice(TOKENS))
    return field, a, b, chance.random() < 0.3


def _row(card: DustCard, y: int) -> list[tuple[int, int]]:
    return [(600 + 45 * number, y) for number in range(1, len(card.soldiers) or 1)]


def _half(card: DustCard) -> int:
    """About half the depth of a miniature."""
    return 40 if card.kind == "vehicle" else 20 if card.armour > 2 else 13


def _attacker(chance: Random, blades: bool) -> DustCard:
    skills = chance.choice(SHOOTING)
    arms = [_blade(chance) if blades else _gun(chance)]
    if chance.random() < 0.3:
        arms.append(_gun(chance, "Second", count=1))
    if chance.random() < 0.3:
        return vehicle(*[_turned(line) for line in arms if not line.close or blades], skills=skills)
    return squad(*arms, men=chance.randint(1, 2), skills=skills, armour=chance.choice((1, 2, 3)))


def _target(chance: Random, blades: bool) -> DustCard:
    skills = chance.choice(SHOT_AT)
    arms = [_blade(chance)] if blades and chance.random() < 0.5 else [_gun(chance)]
    kind = chance.choice(("squad", "squad", "squad", "vehicle", "hero"))
    if kind == "squad":
        return squad(*arms, men=chance.randint(1, 3), skills=skills, armour=chance.choice((1, 2, 3)))
    if kind == "hero":
        return hero(*arms, skills=skills, damage=chance.randint(1, 3))
    return vehicle(*map(_turned, arms), skills=skills, armour=chance.choice((2, 3, 4)), damage=chance.randint(1, 4))


def _gun(chance: Random, name: str = "First", count: int = 0) -> DustWeapon:
    dice = "*" if chance.random() < 0.1 else str(chance.randint(1, 2))
    return weapon(name, f"{dice}/{chance.choice((1, 1, 2))}", 4, chance.choice(RULES), count=count)


def _blade(chance: Random) -> DustWeapon:
    return knife(f"{chance.randint(1, 2)}/{chance.choice((1, 2))}")


def _turned(line: DustWeapon) -> DustWeapon:
    return msgspec.structs.replace(line, mount="turret")


class Policy:
    """Answers everything in the same way in every run and keeps what the stakes of the declaration said."""

    def __init__(self, target: Unit) -> None:
        self.target = target
        self.told: list[Told] = []

    def __call__(self, decision: Decision) -> Answer:
        answer = choices.default_policy(decision)
        if isinstance(decision, Assign) and decision.key == "declare" and decision.has_stakes and not self.told:
            answer = choices.massed(decision, self.target.id)
            self.told = _read(list(decision.at_stake(answer)))
        return answer


def _read(stakes: list[Any]) -> list[Told]:
    """What the stakes say of each unit; blows that are struck back tell two."""
    tells = all(plan.tells_all for stake in stakes for plan in stake.plans)
    return [Told(one.target, list(one.odds.losses), one.odds.destroyed, tells) for one in choices.of_stakes(stakes)]


def run(seed: str, dice: Any) -> tuple[Field, Policy]:
    """Carry the attack out with these dice."""
    field, a, b, sustained = situation(seed)
    attack = field.rules.activations.plain_attack(field.play, a)
    attack.sustained = sustained
    policy = Policy(b)
    oracle.drive(citing(field.rules.attacks.run(field.play, attack)), dice, policy)
    return field, policy


def told_before(seed: str) -> list[Told]:
    """What the declaration told."""
    field, a, b, sustained = situation(seed)
    attack = field.rules.activations.plain_attack(field.play, a)
    attack.sustained = sustained
    policy = Policy(b)
    with contextlib.suppress(oracle.DiceAsked):
        oracle.drive(citing(field.rules.attacks.run(field.play, attack)), oracle.NO_DICE, policy)
    return policy.told


def points_left(unit: Unit) -> int:
    """What a unit can still lose."""
    return sum(part.left for part in unit.parts)


def outcomes(seed: str, most: int = MOST_PATHS) -> oracle.Forecast[tuple[int, bool]]:
    """Everything the real procedure can lead to: points the target lost, and whether it still stands."""

    def once(dice: Any) -> tuple[int, bool]:
        before = points_left(situation(seed)[2])
        field, _ = run(seed, dice)
        target = field.state.units[1]
        return before - (points_left(target) if target.alive else 0), target.alive

    return oracle.explore(once, lump=True, most=most)


def disagreement(seed: str, most: int = MOST_PATHS) -> str | None:
    """A sentence if the stakes and the procedure differ; '' if there was nothing to compare; None if they agree."""
    told = told_before(seed)
    if len(told) != 1 or not told[0].tells_all:
        return ""
    try:
        found = outcomes(seed, most)
    except oracle.TooManyPaths:
        return ""
    (one,) = told
    losses = found.distribution(lambda end: end[0])
    for number in range(max(len(losses), len(one.losses))):
        mine = one.losses[number] if number < len(one.losses) else 0.0
        theirs = losses[number] if number < len(losses) else 0.0
        if abs(mine - theirs) > 1e-9:
            return f"{seed}: {one.target} loses {number} with {mine}, the procedure says {theirs}"
    dead = found.chance(lambda end: not end[1])
    if abs(dead - one.destroyed) > 1e-9:
        return f"{seed}: {one.target} destroyed {one.destroyed}, the procedure says {dead}"
    return None
