"""Who could come to see a spot: what foes that do not see it now could do there after a move of their own.

The field tells it roughly by distance (field.py); here it is looked at closely, for the few spots of candidates.
"""

from __future__ import annotations

from typing import Any

from dieselfront.rulesets.dust1947.adviser.field import COVERED, Field, Piece
from dieselfront.rulesets.dust1947.adviser.fire import CLOSE_ONLY, EVERY_ARC, PLAIN

ON_SQUARES, MEASURED = 40, 6
"""So many of the places that a foe could come to are looked from, those nearest to the spot."""


class Exposure:
    """What foes could do after a move, in one position; kept with the field."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.measured = field.play.rules.table == "measured"
        self._places: dict[str, list[int]] = {}
        self._comes: dict[tuple[str, str, int, int], float] = {}

    def comes(self, foe: Piece, piece: Piece, spot: int) -> float:
        """Points that a foe could take from a unit on a spot which it does not see now, after a move of its own."""
        if self.field.distance(spot, foe) - foe.stride > self.field.fire.longest(foe.unit):
            return 0.0
        key = (foe.unit.id, piece.unit.id, spot, piece.mark)
        comes = self._comes.get(key)
        if comes is None:
            comes = self._comes[key] = self._after_a_move(foe, piece, spot)
        return comes

    def _after_a_move(self, foe: Piece, piece: Piece, spot: int) -> float:
        field = self.field
        if field.play.rules.suppression.must_do_nothing(foe.unit):
            return 0.0  # one action is left, to move or to fire
        kind = CLOSE_ONLY if foe.stride > foe.unit.card.move else PLAIN
        for place in self._nearest(foe, spot):
            distance: int = field.table.distance(place, spot)
            salvo = field.salvo(foe, piece, distance, False, kind, EVERY_ARC)
            if not salvo.points:
                continue
            look = field.look(foe, place, piece, spot)
            if look:
                covered = look == COVERED
                return field.salvo(foe, piece, distance, True, kind, EVERY_ARC).points if covered else salvo.points
        return 0.0

    def _nearest(self, foe: Piece, spot: int) -> list[int]:
        places = self._places.get(foe.unit.id)
        if places is None:
            places = self._places[foe.unit.id] = self._ends(foe)
        distance = self.field.table.distance
        near = sorted(places, key=lambda place: (distance(place, spot), place))
        return near[: MEASURED if self.measured else ON_SQUARES]

    def _ends(self, foe: Piece) -> list[int]:
        """Where a foe could stand after a move of its own, or the charge of those that charge."""
        play, unit = self.field.play, foe.unit
        action = "march" if foe.stride > unit.card.move else "move"
        move, march = play.rules.movement.pace(play, unit)
        reach: Any = play.rules.movement.reach(play, unit, march if action == "march" else move, action).costs
        ends = dict.fromkeys(end[0] if isinstance(end, tuple) else end for end in reach)
        return [end for end in ends if end != unit.place]


__all__ = ["Exposure"]
