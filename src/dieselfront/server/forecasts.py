"""What a choice would come to, before it is made: the lines it leads to without dice, where one could go, exact odds.

Everything is tried on a copy whose dice stop the play: the copy runs the real rules up to the first throw, and tells
what is about to be thrown. The odds of an attack come from the very plans that play would roll.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dieselfront.dice.throw import Dice
from dieselfront.kernel.decisions import Assign, Decision, Place, PlaceFree
from dieselfront.kernel.game import Game
from dieselfront.odds import evaluate
from dieselfront.server.live import Seats, checked

DECLARATIONS = ("declare", "retaliate")
MOST_OPTIONS = 400


class DiceAhead(Exception):
    """Dice would fall now."""

    def __init__(self, question: Dice) -> None:
        super().__init__(question.label)
        self.question = question


class NoDice:
    """Dice that never fall."""

    def roll(self, question: Dice, number: int) -> tuple[int, ...]:
        raise DiceAhead(question)


def preview(game: Game, answer: Any, seats: Seats) -> dict[str, Any]:
    """Where an answer leads until dice fall or somebody decides; `game` is a copy and is used up."""
    from dieselfront.server import sight_lines  # its geometry is loaded when somebody looks

    decision = game.pending
    assert decision is not None
    answer = checked(decision, answer)
    told: dict[str, Any] = {"dice": None, "next": None, "reach": [], "region": None, "over": False}
    told["odds"] = {one["target"]: one["odds"] for one in declared(game, decision, answer)}
    told["templates"] = laid(game, decision, answer)
    before = len(game.events)
    if game.dice is not None:
        game.dice = NoDice()
    try:
        game.choose_trusted(answer)
    except DiceAhead as ahead:
        told["dice"] = throw_facts(ahead.question)
    else:
        told |= next_facts(game.pending, seats)
        told["over"] = game.over
    told["sight"] = sight_lines.after(game, decision)
    names = game.rules.names(game.state)
    told["lines"] = [{"rule": event.rule, "text": event.sentence(names)} for event in game.events[before:]]
    return told


def laid(game: Game, decision: Decision, answer: Any) -> list[dict[str, Any]]:
    """The templates that a declaration lays on the table."""
    if not isinstance(decision, Assign) or not tells_odds(game, decision):
        return []
    from dieselfront.server import sight_lines

    return sight_lines.templates(game, attack_under_way(game), decision.items, answer)


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
    told: dict[str, Any] = {"next": {**shown, "unit": decision.unit}}
    if decision.player not in seats:
        return told
    if isinstance(decision, Place):
        told["reach"] = decision.facts()["spots"]
    elif isinstance(decision, PlaceFree):
        told["region"] = decision.region.facts()
    return told


# -- odds of declarations ---------------------------------------------------------------------------


def options(game: Game) -> dict[str, Any]:
    """The odds of every weapon at every target of the pending declaration, and of all weapons at each target."""
    decision = game.pending
    if decision is None or not tells_odds(game, decision):
        return {"options": [], "targets": []}
    assert isinstance(decision, Assign)
    return {"options": list(_single(game, decision)), "targets": list(_massed(game, decision))}


def tells_odds(game: Game, decision: Decision) -> bool:
    """Is weapons' fire being declared, in a game whose attacks are planned before they are rolled?"""
    return isinstance(decision, Assign) and decision.key in DECLARATIONS and hasattr(game.rules, "attacks")


def declared(game: Game, decision: Decision, answer: Any) -> list[dict[str, Any]]:
    """The odds of a whole declaration, one entry for every unit it strikes."""
    if not isinstance(decision, Assign) or not tells_odds(game, decision):
        return []
    attack = attack_under_way(game)
    if attack is None:
        return []
    attacks, play = game.rules.attacks, game.play
    plans: dict[str, list[Any]] = {}
    for shot in attacks.shots(play, attack, decision.items, answer):
        for struck in [shot] if shot.close else attacks.victims(play, shot):
            plans.setdefault(struck.target.id, []).append(attacks.plan(play, struck))
    return [
        {"target": target, "name": play.state.by_id[target].name, "odds": odds_facts(evaluate(pools))}
        for target, pools in plans.items()
    ]


def _single(game: Game, decision: Assign) -> Iterator[dict[str, Any]]:
    """One weapon at one target at a time; weapons of one line are alike and told once."""
    known: dict[Any, list[dict[str, Any]]] = {}
    count = 0
    nothing = [None] * len(decision.items)
    for place, (item, aims) in enumerate(zip(decision.items, decision.choices, strict=True)):
        for aim in aims:
            count += 1
            if aim is None or count > MOST_OPTIONS:
                continue
            line = (item[:-1], aim) if isinstance(item, tuple) else (item, aim)
            if line not in known:
                alone = [*nothing]
                alone[place] = aim
                known[line] = declared(game, decision, tuple(alone))
            for one in known[line]:
                yield {"item": place, "answer": aim, **one}


def _massed(game: Game, decision: Assign) -> Iterator[dict[str, Any]]:
    """All that bears at one aim, a unit or a square, for every aim; one entry for each unit it strikes."""
    targets = dict.fromkeys(aim[0] for aims in decision.choices for aim in aims if isinstance(aim, tuple) and aim)
    for target in targets:
        answer = massed(decision, target)
        if answer is not None:
            for one in declared(game, decision, answer):
                yield {"aim": target, "answer": answer, **one}


def massed(decision: Assign, target: Any) -> tuple[Any, ...] | None:
    """The declaration of every weapon at one target, as far as weapons go together."""
    answer: list[Any] = [None] * len(decision.items)
    for place, aims in enumerate(decision.choices):
        wanted = next((aim for aim in aims if isinstance(aim, tuple) and aim and aim[0] == target), None)
        if wanted is not None:
            answer[place] = wanted
            if decision.objection(tuple(answer)) is not None:
                answer[place] = None
    return tuple(answer) if any(aim is not None for aim in answer) else None


def attack_under_way(game: Game) -> Any:
    """The attack being declared: the innermost one among the procedures that are under way."""
    procedure: Any = game._procedure
    found = None
    while procedure is not None and getattr(procedure, "gi_frame", None) is not None:
        found = procedure.gi_frame.f_locals.get("attack", found)
        procedure = procedure.gi_yieldfrom
    return found


def odds_facts(odds: Any) -> dict[str, Any]:
    """What a screen shows of odds."""
    told = odds.to_json()
    wanted = ("hits", "losses", "destroyed", "capacity", "expected", "median", "steps", "rules", "notes")
    return {name: told[name] for name in wanted if name in told}
