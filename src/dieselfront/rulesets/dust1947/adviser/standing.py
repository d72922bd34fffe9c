"""What it is worth to stand on a spot: objectives, the danger there, cover, who sees it (see plans.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.adviser.exposure import Exposure
from dieselfront.rulesets.dust1947.adviser.field import Field
from dieselfront.rulesets.dust1947.adviser.goals import Goals

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.adviser.special import Specials

AFTER_A_MOVE = 0.75
"""What danger counts that needs a move first."""

IN_VIEW, MOST_IN_VIEW = 0.02, 0.4
"""What it costs to be seen by a foe who can do nothing yet, as a share of the unit; and in all."""

FEAR = 0.45
"""How much expected losses count beside expected gains."""

CLOSER, INTO_RANGE = 0.3, 0.1
"""Without objectives: what a square nearer to the enemy is worth, and how much more while he is out of range."""

LOSE_GROUND, HALFWAY = 0.5, 0.6
"""What it costs late in the battle if a unit falls on the objective it holds, as a share of that; and what is late."""


class Standing:
    """The part of a planner that judges spots."""

    weights: Mapping[str, float]
    specials: Specials

    def danger(self, field: Field, unit: Unit, spot: int, *, waiting_only: bool = False, hurry: bool = True) -> float:
        """Points we expect to lose on a spot to foes that see it, and a little to those that could come to see it."""
        return self.dangers(field, unit, spot, waiting_only=waiting_only, hurry=hurry)[0]

    def dangers(
        self,
        field: Field,
        unit: Unit,
        spot: int,
        *,
        waiting_only: bool = False,
        hurry: bool = True,
        close: bool = False,
    ) -> tuple[float, float]:
        """The danger on a spot, and how much of it is of foes that do not see it yet; `close` looks at their ways."""
        state = field.state
        later = 0.0 if waiting_only or state.turn >= state.scenario.turns else 0.5
        total = lurking = 0.0
        piece = field.piece(unit)
        calls = bool(field.callers(1 - unit.side)[0])
        for foe in field.pieces[1 - unit.side]:
            weight = later if foe.acted else 1.0
            if not weight:
                continue
            loss = field.struck(foe, piece, spot)
            if not loss and calls:
                loss = field.called(foe, piece, spot)
            if loss:
                total += weight * loss
            elif close:
                lurking += AFTER_A_MOVE * weight * self._exposure(field).comes(foe, piece, spot)
            elif not hurry:
                lurking += AFTER_A_MOVE * weight * field.lurks(foe, piece, spot)
        seen = min(total, float(piece.points))
        total = min(total + lurking, float(piece.points))
        if not hurry and not piece.foot:
            share = 1.0 + 0.6 * field.cargo(unit) / max(1, piece.points)
            return total * share, (total - seen) * share
        return total, total - seen

    def _exposure(self, field: Field) -> Exposure:
        if field.exposure is None:
            field.exposure = Exposure(field)
        return field.exposure

    def ground_at_stake(self, goals: Goals, unit: Unit, spot: int) -> float:
        """What is lost late in the battle if the unit falls on the objective it holds."""
        return LOSE_GROUND * goals.late * goals.stake(unit, spot) if goals.late > HALFWAY else 0.0

    def doom(self, field: Field, unit: Unit, spot: int) -> float:
        """The chance that a unit on a spot is destroyed by foes that have still to act."""
        piece = field.piece(unit)
        spared = 1.0
        for foe in field.foes(unit):
            if not foe.acted:
                spared *= 1.0 - field.strikes(foe, piece, spot).ends
        return 1.0 - spared

    def fear(self, field: Field, unit: Unit) -> float:
        """How much expected losses count: the fewer units the enemy can choose from, the surer they are to come."""
        return self.weights["lose"] * (FEAR + 0.4 / max(1, len(field.pieces[unit.side])))

    def stand(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> tuple[float, float]:
        """What standing on a spot is worth, and the danger there."""
        return self._standing(field, goals, unit, spot, hurry, self.danger(field, unit, spot, hurry=hurry))

    def glance(self, field: Field, goals: Goals, unit: Unit, spot: int) -> tuple[float, float, float]:
        """The same, and how much better it would be if nobody came to see the spot."""
        danger, lurking = self.dangers(field, unit, spot, hurry=False)
        worth, _ = self._standing(field, goals, unit, spot, False, danger)
        return worth, danger, self.fear(field, unit) * lurking

    def stand_closely(
        self, field: Field, goals: Goals, unit: Unit, spot: int, facing: int | None = None
    ) -> tuple[float, float]:
        """What standing on a spot is worth, and the danger there, with the ways looked at by which foes could come."""
        key = (unit.id, spot, facing, unit.flags)
        stand = field.stands.get(key)
        if stand is None:
            field.whole, field.stood = True, self._squares(field, unit, spot, facing)
            danger, _ = self.dangers(field, unit, spot, hurry=False, close=True)
            worth, _ = self._standing(field, goals, unit, spot, False, danger)
            stand = field.stands[key] = (worth - self._in_view(field, unit, spot), danger)
            field.whole, field.stood = False, ()
        return stand

    def _squares(self, field: Field, unit: Unit, spot: int, facing: int | None) -> tuple[int, ...]:
        """The squares of a unit that stands on several of them, and looks that way."""
        if unit.card.size == "standard" or facing is None or field.play.rules.table == "measured":
            return ()
        squares: tuple[int, ...] = field.table.footprint(unit.card.size, (spot, facing))
        return squares

    def _in_view(self, field: Field, unit: Unit, spot: int) -> float:
        """Of two spots that are as good now the one that fewer foes see is better in turns to come."""
        last = field.state.turn >= field.state.scenario.turns
        piece = field.piece(unit)
        foes = [foe for foe in field.foes(unit) if not (last and foe.acted)]
        eyes = sum(bool(field.look(foe, foe.place, piece, spot)) for foe in foes)
        return min(MOST_IN_VIEW, IN_VIEW * eyes * unit.points)

    def _standing(
        self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool, danger: float
    ) -> tuple[float, float]:
        w = self.weights
        worth = w["advance"] * goals.pull(unit, spot) - self.fear(field, unit) * danger
        if danger and not hurry:
            stake = self.ground_at_stake(goals, unit, spot)
            if stake:
                worth -= stake * self.doom(field, unit, spot)
        if not goals.values:
            far = field.nearest(unit, spot)
            part = unit.fighters()[0]
            whole = len(part.card.soldiers) if part.squad else part.card.damage
            fit = part.left / max(1, whole)  # cripples do not seek a fight
            worth -= w["advance"] * fit * (CLOSER * far + INTO_RANGE * max(0, far - field.fire.reach(unit)))
        if field.covered(spot):
            worth += w["cover"]
        if "on_leads" in unit.effects:
            errands = self.specials.errands(field, unit)
            worth += max((help for piece, help in errands if field.distance(spot, piece) <= 1), default=0.0)
        return worth, danger


__all__ = ["AFTER_A_MOVE", "FEAR", "HALFWAY", "Standing"]
