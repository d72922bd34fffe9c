"""Reactions at first sight: what a shot brings beside the activation it costs (d47.reactive.*)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from dieselfront.rulesets.dust.events import ActionsDeclared
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.adviser.field import Field, Piece
from dieselfront.rulesets.dust1947.adviser.fire import REACTION, SUSTAINED
from dieselfront.rulesets.dust1947.adviser.goals import Goals
from dieselfront.rulesets.dust1947.adviser.intent import KINDS, MOVES
from dieselfront.rulesets.dust1947.adviser.plans import Planner
from dieselfront.rulesets.dust1947.adviser.standing import HALFWAY

USELESS = 0.5
"""What it costs to react with nothing that could hurt."""


class Reactions:
    """What reactions are worth, by the weights of a planner."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner

    def worth(self, field: Field, goals: Goals, unit: Unit, trigger: Unit) -> float:
        """What the shot brings, and what it forestalls, less the activation it costs (d47.reactive.uses_activation)."""
        piece, foe = field.piece(unit), field.piece(trigger)
        shot = field.shoots(piece, unit.place, foe, REACTION, turned=False)
        if shot is None or not shot.points + shot.hits:
            return -self._later(field, unit, None) - USELESS
        declared = self._declared(field, trigger)
        gain = self.planner.gain(field, trigger, shot) + shot.ends * goals.would_spoil(trigger)
        leaves = _last_of(declared, MOVES) > _last_of(declared, KINDS)
        later = self._later(field, unit, foe if leaves else None)
        if any(action in KINDS for action in declared) and not leaves:
            hurt = min(1.0, shot.points / max(1, trigger.points))
            gain += hurt * max((field.struck(foe, own, own.place) for own in field.pieces[unit.side]), default=0.0)
            later *= 1.0 - field.strikes(foe, piece, piece.place).ends  # who falls now never acts later
        worth = gain * self._reacts(field, unit) * 1.25 - 0.6 * later
        if worth > 0.0:  # the way to an objective and the grip on a foe are given up, too
            worth -= self._ground_to_gain(field, goals, unit) + self.planner.hold(field, unit)
        return worth

    def _later(self, field: Field, unit: Unit, leaving: Piece | None) -> float:
        """What a unit could do with its own activation instead; not to somebody who is gone by then."""
        piece = field.piece(unit)
        best = (0.06 if field.state.turn < field.state.scenario.turns else 0.02) * unit.points
        for foe in field.foes(unit):
            if foe is not leaving:
                salvo = field.shoots(piece, unit.place, foe, SUSTAINED, turned=False)
                if salvo is not None:
                    best = max(best, self.planner.gain(field, foe.unit, salvo))
        return best

    def _reacts(self, field: Field, unit: Unit) -> float:
        """The chance that a unit gets to react (d47.reactive.roll, d47.attack.suppress.reactive_one_die)."""
        reaction = field.play.rules.reactions.reaction(unit)
        dice: int = 1 if unit.suppressed or unit.stunned else reaction.dice
        misses = 1.0 - reaction.faces.bit_count() / 3
        return 1.0 - math.pow(misses, dice)

    def _ground_to_gain(self, field: Field, goals: Goals, unit: Unit) -> float:
        """What the unit would gain of objectives by walking instead; early in the battle there is time for both."""
        if goals.late <= HALFWAY or not goals.values:
            return 0.0
        here = goals.pull(unit, unit.place)
        reach = self.planner.reach(field.play, unit, "march")
        ends = [end[0] if isinstance(end, tuple) else end for end in reach]
        there: float = max((goals.pull(unit, end) for end in ends), default=here)
        return float(goals.late * self.planner.weights["advance"] * max(0.0, there - here))

    def _declared(self, field: Field, trigger: Unit) -> tuple[str, ...]:
        """The actions that the unit which acts has announced."""
        for event in reversed(field.play.events[-12:]):
            if isinstance(event, ActionsDeclared) and event.unit == trigger.id:
                return tuple(action.removeprefix("free:") for action in event.actions)
        return ()


def _last_of(actions: Sequence[str], kinds: Iterable[str]) -> int:
    """The place of the last action of some kinds, -1 if there is none."""
    return max((place for place, action in enumerate(actions) if action in kinds), default=-1)


__all__ = ["Reactions"]
