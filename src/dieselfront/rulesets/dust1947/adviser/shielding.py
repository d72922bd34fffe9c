"""Hulls between friends and guns: what a vehicle saves others where it stops (d47.attack.los.vehicle_blocks)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.adviser.field import Field, Piece

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.adviser.standing import Standing

WORTH_SHIELDING = 1.5
"""Points that a friend must expect to lose to one foe before anybody drives between them."""

MOST_LINES = 3


class Shield:
    """The lines of fire from foes that have still to act to friends of a vehicle, as if that were not there."""

    def __init__(self, planner: Standing, field: Field, unit: Unit) -> None:
        self.field = field
        self.lines: list[tuple[float, Piece, Piece]] = []
        piece = field.piece(unit)
        if piece.foot or piece.flying or field.play.rules.table == "measured" or unit.id not in field.by_id:
            return
        self.others = field.blockers & ~piece.mask
        lines = []
        before, field.blockers = field.blockers, self.others
        for foe in field.foes(unit):
            for friend in field.pieces[unit.side] if not foe.acted else ():
                if friend is not piece:
                    loss = field.struck(foe, friend, friend.place)
                    if loss >= WORTH_SHIELDING:
                        lines.append((planner.fear(field, friend.unit) * loss, foe, friend))
        field.blockers = before
        lines.sort(key=lambda line: -line[0])
        self.lines = lines[:MOST_LINES]
        self.here = self._stopped(piece.mask) if self.lines else 0.0

    def gain(self, squares: Sequence[int]) -> float:
        """What a vehicle saves its friends on these squares, beside where it stands now."""
        mask = 0
        for square in squares:
            mask |= 1 << square
        return self._stopped(mask) - self.here

    def _stopped(self, mask: int) -> float:
        """What the lines take that the hull would stop."""
        field = self.field
        before, field.blockers = field.blockers, self.others | mask
        stopped = sum(loss for loss, foe, friend in self.lines if not field.look(foe, foe.place, friend, friend.place))
        field.blockers = before
        return stopped


__all__ = ["Shield"]
