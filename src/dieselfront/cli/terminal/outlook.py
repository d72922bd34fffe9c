"""What to expect of an attack before it is declared: exact odds of every shortcut, from the plans play would roll."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.decisions import Answer, Assign, Decision
from dieselfront.kernel.game import Game
from dieselfront.odds import evaluate

DECLARATIONS = ("declare", "retaliate")


def outlook(game: Game, decision: Decision, answers: list[tuple[str, Answer]]) -> list[str]:
    """One line per numbered answer and target; nothing where the game cannot tell."""
    if not isinstance(decision, Assign) or decision.key not in DECLARATIONS or not hasattr(game.rules, "attacks"):
        return []
    lines = []
    for number, (label, answer) in enumerate(answers, 1):
        lines += [f"{number:>3} {label}: {text}" for text in _targets(game, decision, answer)]
    return lines


def _targets(game: Game, decision: Assign, answer: Answer) -> list[str]:
    """The odds of a declaration, target by target."""
    from dieselfront.rulesets.dust.shots import Attack

    attacks, play = game.rules.attacks, game.play
    unit = game.state.by_id[decision.unit]
    attack = Attack(unit, sustained=_sustained(game, decision.unit), retaliation=decision.key == "retaliate")
    plans: dict[str, list[Any]] = {}
    for shot in attacks.shots(play, attack, decision.items, answer):
        for struck in attacks.victims(play, shot):
            plans.setdefault(struck.target.id, []).append(attacks.plan(play, struck))
    found = []
    for target, pools in plans.items():
        odds = evaluate(pools)
        dice = sum(pool.dice for pool in pools)
        what = "soldiers" if pools[0].squad else "damage"
        found.append(
            f"{dice} dice at {target}, {odds.mean_hits:.1f} hits, {odds.mean_losses:.1f} of {odds.capacity} {what}, "
            f"destroyed {odds.destroyed:.0%}"
        )
    return found


def _sustained(game: Game, unit: str) -> bool:
    """Did the unit declare a sustained attack in this activation?"""
    for event in reversed(game.events):
        if type(event).__name__ == "ActionsDeclared" and getattr(event, "unit", "") == unit:
            return any("sustained" in action for action in getattr(event, "actions", ()))
    return False
