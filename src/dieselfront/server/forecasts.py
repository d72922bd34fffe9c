"""What a choice would come to, before it is made: the lines it leads to without dice, where one could go, exact odds.

Everything is tried on a copy whose dice stop the play: the copy runs the real rules up to the first throw, and tells
what is about to be thrown. Odds come from what a decision says is at stake: the very plans that play would roll.
"""

from __future__ import annotations

from typing import Any

from dieselfront import odds
from dieselfront.dice.throw import Dice
from dieselfront.kernel.decisions import Assign, Decision, Place, PlaceFree
from dieselfront.kernel.game import Game
from dieselfront.odds.choices import MOST_RUNS, OptionOdds
from dieselfront.odds.oracle import NO_DICE, DiceAsked
from dieselfront.server import strikes
from dieselfront.server.live import Seats, checked


def preview(game: Game, answer: Any, seats: Seats) -> dict[str, Any]:
    """Where an answer leads until dice fall or somebody decides; `game` is a copy and is used up."""
    from dieselfront.server import sight_lines  # its geometry is loaded when somebody looks

    decision = game.pending
    assert decision is not None
    answer = checked(decision, answer)
    facts: dict[str, Any] = {"dice": None, "next": None, "reach": [], "region": None, "over": False}
    struck = odds.of_choice(game, answer, runs=MOST_RUNS)
    facts["odds"] = strikes.by_target(struck, strikes.strengths(game)) if struck else {}
    facts["templates"] = laid(decision, answer)
    facts["route"] = sight_lines.route(game, decision, answer)
    before = len(game.events)
    if game.dice is not None:
        game.dice = NO_DICE
    try:
        game.choose_trusted(answer)
    except DiceAsked as ahead:
        facts["dice"] = throw_facts(ahead.question)
    else:
        facts |= next_facts(game.pending, seats)
        facts["over"] = game.over
    facts["sight"] = sight_lines.after(game, decision)
    names = game.rules.names(game.state)
    facts["lines"] = [{"rule": event.rule, "text": event.sentence(names)} for event in game.events[before:]]
    return facts


def refused(reason: str, rule: str = "") -> dict[str, Any]:
    """The preview of an answer that cannot be given: why."""
    nothing: dict[str, Any] = {"dice": None, "next": None, "region": None, "odds": {}, "over": False, "route": None}
    return nothing | {"lines": [], "reach": [], "sight": [], "templates": [], "refused": {"rule": rule, "text": reason}}


def laid(decision: Decision, answer: Any) -> list[dict[str, Any]]:
    """The templates that an answer lays on the table."""
    from dieselfront.server import sight_lines

    return sight_lines.templates(template for stake in decision.at_stake(answer) for template in stake.templates)


def throw_facts(question: Dice) -> dict[str, Any]:
    """The throw that comes next, with the chance of each die."""
    throw = question.throw
    return {
        "label": question.label,
        "player": question.player,
        "count": question.count,
        "rule": throw.rule if throw is not None else "",
        "needs": question.die.names(throw.faces) if throw is not None else (),
        "chance": float(throw.chance()) if throw is not None else None,
        "because": [{"rule": item.rule, "text": item.text} for item in throw.because] if throw is not None else [],
    }


def next_facts(decision: Decision | None, seats: Seats) -> dict[str, Any]:
    """The decision that follows, and where one could go if it asks for a place."""
    if decision is None:
        return {}
    shown = {"player": decision.player, "key": decision.key, "text": decision.text, "shape": decision.shape}
    facts: dict[str, Any] = {"next": {**shown, "unit": decision.unit}}
    if decision.player not in seats:
        return facts
    if isinstance(decision, Place):
        facts["reach"] = decision.facts()["spots"]
    elif isinstance(decision, PlaceFree):
        facts["region"] = decision.region.facts()
    return facts


# -- odds of every option ---------------------------------------------------------------------------


def options(game: Game) -> dict[str, Any]:
    """The odds of every answer of the pending decision; of weapons each at each target, and all at each target."""
    decision = game.pending
    if decision is None or not decision.has_stakes:
        return {"options": [], "targets": []}
    every = odds.of_options(game)
    strength = strikes.strengths(game)
    weapons = [one for each in every if each.item is not None for one in _facts(each, strength, item=each.item)]
    whole = [one for each in every if each.item is None for one in _facts(each, strength, aim=_aim(decision, each))]
    return {"options": weapons, "targets": whole}


def _aim(decision: Decision, option: OptionOdds) -> Any:
    """What an answer as a whole is aimed at: the unit, or the answer itself where it is no assignment."""
    return option.aim if isinstance(decision, Assign) else option.answer


def _facts(option: OptionOdds, strength: dict[str, int], **where: Any) -> list[dict[str, Any]]:
    """One entry for every unit that an answer strikes."""
    names = {one.target: one.name for one in option.targets}
    return [
        {**where, "answer": option.answer, "target": target, "name": names[target], "odds": facts}
        for target, facts in strikes.by_target(option.targets, strength).items()
    ]
