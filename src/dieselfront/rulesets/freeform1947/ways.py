"""Ways of freeform games: circles of leaders, slow terrain by the inch, no advance while suppressed (ff.move.*)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from dieselfront.rulesets.dust.state import ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust_open import ways
from dieselfront.rulesets.dust_open.places import Point
from dieselfront.rulesets.freeform1947.places import CIRCLE, INCH
from dieselfront.table.measured.movement import stretches_inside
from dieselfront.table.measured.placement import Keep
from dieselfront.table.measured.shapes import Body, distance_from_line, distance_from_point


class FreeWays(ways.Ways):
    """A move of the leader; he and hulls stay out of enemy circles."""

    def __init__(
        self, ground: Any, state: DustState, unit: Unit, limit: int, bonus: int = 0, start: ways.Origin | None = None
    ) -> None:
        super().__init__(ground, state, unit, limit, bonus, start)
        self.threat = self._threat() if unit.suppressed else None

    def kept_from(self, other: Unit, bodies: list[Body]) -> list[Keep]:
        """Enemy circles besides hulls and models (ff.move.enemy_block, ff.open.leader_circle_meaning)."""
        found = super().kept_from(other, bodies)
        enemy = other.side != self.unit.side and not self.mover.through_enemies
        if enemy and self.ground.has_circle(other):
            found.append(self._circle(bodies[0]))
        return found

    def _circle(self, leader: Body) -> Keep:
        """Hulls stay out of the circle, leaders with their middle."""
        own = 0 if self.unit.is_vehicle else self.body.radius
        return Keep(leader, max(0, CIRCLE - leader.radius - own), strict=False)

    def _threat(self) -> tuple[list[Body], int] | None:
        """The nearest enemy a suppressed unit sees, and how far away it is (ff.open.advance_towards)."""
        state, unit, ground = self.state, self.unit, self.ground
        if not unit.where:
            return None
        foes = [foe for foe in state.units if foe.side != unit.side and foe.status == ON_BOARD]
        foes.sort(key=lambda foe: ground.tenths(state, unit, foe))
        for foe in foes:
            if ground.sees(state, unit, foe):
                bodies = ground.bodies(state, foe)
                return bodies, min(distance_from_point(self.body.cx, self.body.cy, body) for body in bodies)
        return None

    def objection(self, path: Sequence[Point]) -> str | None:
        if self.advances(path):
            return "a suppressed unit may not advance on the enemy (ff.suppress.no_advance)"
        return None

    def advances(self, path: Sequence[Point]) -> bool:
        """Does the way come nearer to that enemy at any point (ff.suppress.no_advance)?"""
        if self.threat is None:
            return False
        bodies, least = self.threat
        return any(
            distance_from_line(ax * 10, ay * 10, bx * 10, by * 10, body) < least
            for (ax, ay), (bx, by) in pairwise(path)
            for body in bodies
        )

    def _fits(self, path: Sequence[Point], cost: int, spent: int) -> bool:
        """Within the limit; where the move ends inside slow terrain the last stretch is rounded down.

        Slow terrain is measured at the edge of base or hull, from where it touches (ff.open.touch_or_inside). Ends are
        whole millimetres, so that a move of exactly the limit may come out a hair longer.

        ff.move.terrain_part, ff.move.multi_segments, ff.move.terrain_example, ff.open.rounding_step,
        ff.open.move_units.
        """
        limit = self.most(path)
        parts = stretches_inside(self.mire, path, self.law.slow) if self.slow else []
        ends_inside = bool(parts) and parts[-1][1]
        if cost > limit + (2 * self.hair if ends_inside else self.hair):
            return False
        if not ends_inside:
            return True
        last = parts[-1][0]
        left = limit + self.hair - (cost - 2 * last)
        return last <= left // (2 * INCH) * INCH + self.hair

    def _no_fit(self) -> str:
        return "the stretch inside slow terrain is rounded down to whole inches (ff.move.terrain_part)"


class FreeExits(FreeWays, ways.ExitWays):
    """Out of a carrier."""


class FreeEntry(FreeWays, ways.EntryWays):
    """Onto the table over its edge."""
