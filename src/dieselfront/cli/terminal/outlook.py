"""What to expect of an answer before it is given: exact odds of every numbered answer, from what it puts at stake."""

from __future__ import annotations

from dieselfront import odds
from dieselfront.kernel.decisions import Answer, Decision
from dieselfront.kernel.game import Game
from dieselfront.odds.choices import TargetOdds


def outlook(game: Game, decision: Decision, answers: list[tuple[str, Answer]]) -> list[str]:
    """One line per numbered answer and target; nothing where no dice follow."""
    if not decision.has_stakes:
        return []
    return [
        f"{number:>3} {label}: {_line(lines)}"
        for number, (label, answer) in enumerate(answers, 1)
        for lines in odds.of_choice(game, answer)
    ]


def _line(target: TargetOdds) -> str:
    """The odds for one target in a line."""
    result = target.odds
    what = "soldiers" if result.squad else "damage"
    likely = "" if target.chance == 1.0 else f"with a chance of {target.chance:.0%}: "
    return (
        f"{likely}{target.dice} dice at {target.target}, {result.mean_hits:.1f} hits, "
        f"{result.mean_losses:.1f} of {result.capacity} {what}, destroyed {result.destroyed:.0%}"
    )
