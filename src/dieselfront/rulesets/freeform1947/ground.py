"""The ground of freeform games: range, sight and cover of a unit from its leader (ff.los.*, ff.range.*, ff.cover.*).

What models see of each other is told in dust_open/ground.py.
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust_open.ground import ARCS, OpenGround, OpenLine
from dieselfront.rulesets.dust_open.models import Figure
from dieselfront.rulesets.dust_open.places import xy
from dieselfront.rulesets.dust_open.table import OpenTable
from dieselfront.rulesets.freeform1947.models import Led
from dieselfront.rulesets.freeform1947.places import CIRCLE, INCH, MEASURES, RANGE
from dieselfront.rulesets.freeform1947.ways import FreeEntry, FreeExits, FreeWays
from dieselfront.table.measured.arcs import ALL_ROUND, Arc, in_arc
from dieselfront.table.measured.shapes import Body, distance, distance_from_point
from dieselfront.table.measured.sight import SightRules
from dieselfront.table.measured.terrain import Sight


@cache
def sight_rules(more: int = 0, glance: bool = False) -> SightRules:
    """What hides whom; lines are drawn from middle to middle, the depth of area terrain is measured between bases."""
    return SightRules(
        columns=1 if glance else 3,
        rows=2 if glance else 3,
        area_through=False,  # ff.los.area_behind, ff.open.area_through
        area_depth=RANGE + more,  # ff.los.area_length, ff.los.area_deep, ff.open.area_sum
        opening_reach=RANGE,  # ff.los.opening
        indoor_reach=3 * RANGE + more,  # ff.los.large_building
    )


def rules_between(table: OpenTable, mine: Body, body: Body, glance: bool = False) -> SightRules:
    """The rules of sight between two models; bases inside area terrain reach as far as their rims."""
    if not table.land.sight_mask:
        return sight_rules(0, glance)
    own = 0 if mine.corners or not _is_within(table, mine) else mine.radius
    return sight_rules(own + (0 if body.corners else body.radius), glance)


def _is_within(table: OpenTable, body: Body) -> bool:
    """Does a model stand in something that hides by its depth?"""
    if body.inside is not None:
        return True
    return any(piece.kind.sight is Sight.AREA for piece, _ in table.land.standing(body))


BELOW = CIRCLE  # the same square as an aircraft: within 2" of its stand


class FreeGround(Led, OpenGround):
    """Questions about the open table, asked in terms of units and their leaders."""

    ways = FreeWays
    exits = FreeExits
    entry = FreeEntry

    cites: ClassVar[dict[str, str]] = {
        "arc": "ff.arc.turn_first",
        "below": "d47.attack.arc.aircraft_below",
        "beside": "ff.scope.convert",
        "blast": "ff.blast.infantry",
        "blocked": "ff.move.enemy_block, ff.move.vehicle_blocked_hull",
        "casualty": "ff.damage.order_ties",
        "deploy": "ff.scope.mode",
        "divide": "ff.damage.hero_leader",
        "facing": "ff.move.facing",
        "loop": "ff.move.aircraft_must",
        "march": "ff.move.march",
        "move": "ff.move.move",
        "overlap": "ff.move.no_overlap",
        "terrain": "ff.move.leader_path",
        "terrain_blocks": "ff.los.terrain",
        "together": "ff.move.circle",
        "too_far": "ff.move.move, ff.move.multi_segments",
        "unseen": "ff.attack.need_los",
        "vehicle_blocks": "ff.los.vehicles_block",
        "zone": "ff.scope.convert",
    }
    reason_rules: ClassVar[dict[str, str]] = {
        "blocks": "ff.los.terrain",
        "through": "ff.los.area_behind",
        "depth": "ff.los.area_length",
        "floor": "ff.los.walls",
        "reach": "ff.los.large_building",
    }

    def length_label(self, tenths: int) -> str:
        return f'{tenths / INCH:.1f}"'

    def looks_from_middle(self, viewer: Unit, mine: Body) -> bool:
        """A leader looks from where he stands, a gun from its rim."""
        return viewer.is_infantry and self.has_circle(viewer)

    def sight_rules(self, table: OpenTable, mine: Body, body: Body, glance: bool = False) -> SightRules:
        return rules_between(table, mine, body, glance)

    def burst_rules(self) -> SightRules:
        return sight_rules()

    # -- distances ------------------------------------------------------------------------------

    def in_contact(self, state: DustState, one: Unit, other: Unit) -> bool:
        """Close combat reaches as far as range 1 from the leader to a model he sees, on his own floor.

        ff.open.cc_range.
        """
        if not self.near(state, one, other, 1) or one.is_aircraft != other.is_aircraft:
            return False
        mine = self.leader(state, one)
        if all(mine.floor != body.floor for body in self.bodies(state, other)):
            return False
        line = self.line(state, one, other, None, self.sight_blockers(state, one))
        return line.visible and line.distance <= 1

    def stands_at(self, state: DustState, unit: Unit, places: frozenset[int]) -> bool:
        """A marker is held within the command circle, or within 2" of a hull (ff.open.objectives)."""
        mine = self.leader(state, unit)
        for x, y in map(xy, places):
            if self.has_circle(unit):
                if (mine.x - x) ** 2 + (mine.y - y) ** 2 <= (CIRCLE // 10) ** 2:
                    return True
            elif distance_from_point(x * 10, y * 10, mine) <= CIRCLE:
                return True
        return False

    # -- sight ----------------------------------------------------------------------------------

    def line(
        self,
        state: DustState,
        unit: Unit,
        target: Unit,
        mount: str | None,
        blockers: Any,
        *,
        arc: Any = None,
        eyes: Unit | None = None,
    ) -> OpenLine:
        """Range, arc, sight and cover from leader, hull or base to the models of a target (ff.los.trace).

        ff.attack.viewpoint, ff.range.target_point.
        """
        mine = self.leader(state, unit)
        looking = mine if eyes is None else self.leader(state, eyes)
        theirs = self.bodies(state, target)
        fire_arc = ALL_ROUND if arc == "all" or unit.is_infantry else ARCS[mount]
        in_front = [body for body in theirs if fire_arc is ALL_ROUND or in_arc(mine, fire_arc, body)]
        if not in_front:
            reason = f"{target.name} is outside the weapon's arc"
            return OpenLine(99, False, refusal=("ff.arc.turn_first", reason))
        viewer = eyes or unit
        if viewer.is_aircraft and not target.is_aircraft and distance(looking, in_front[0]) <= BELOW:
            below = (f"{target.name} is right below the aircraft",)
            return OpenLine(0, False, refusal=("d47.attack.arc.aircraft_below", *below))
        memory = state.table.land.memory.setdefault("lines", {})
        key = (
            *_standing(looking), *_standing(mine), fire_arc.name, viewer.is_aircraft, target.is_aircraft,
            target.is_vehicle, target.where, target.facing, target.figures, tuple(map(_standing, blockers)),
        )  # fmt: skip
        found = memory.get(key)
        if found is None:
            if len(memory) > 20_000:
                memory.clear()
            found = memory[key] = self._judge(
                state, viewer, looking, fire_arc, mine, target, theirs, in_front, blockers
            )
        far, seen, covered, reasons = found
        cover = self.is_covered(target, len(theirs), len(covered))
        above = state.table.level(unit.where[0]) - state.table.level(target.place)
        line = OpenLine(far, bool(seen), bool(seen) and cover, reasons, unit.where[0], above)
        line.seen, line.covered = seen, covered
        if not seen:
            line.refusal = self._unseen(target, reasons)
        return line

    def _judge(
        self,
        state: DustState,
        viewer: Unit,
        looking: Body,
        arc: Arc,
        mine: Body,
        target: Unit,
        theirs: list[Body],
        in_front: list[Body],
        blockers: Any,
    ) -> tuple[int, tuple[Figure, ...], tuple[Figure, ...], tuple[Any, ...]]:
        """The range, the models seen and those covered, and why."""
        seen: list[Figure] = []
        covered: list[Figure] = []
        reasons: list[Any] = []
        reached: list[Body] = []
        for figure, body in zip(target.figures, theirs, strict=True):
            sighting = self.look(state, viewer, looking, target, body, blockers, arc)
            ahead = body in in_front
            if sighting.seen and ahead:
                seen.append(figure)
                reached.append(body)
            if not sighting.seen or not ahead or self.model_covered(state, viewer, looking, target, body, sighting):
                covered.append(figure)
            reasons += [reason for reason in sighting.reasons if reason not in reasons]
        far = MEASURES.ranges(min(distance(mine, body) for body in reached or in_front))  # ff.range.all_in
        return far, tuple(seen), tuple(covered), tuple(reasons)

    def is_covered(self, target: Unit, models: int, covered: int) -> bool:
        """Half of the models, rounded for the target and at least one; a vehicle is but one model.

        ff.cover.unit, ff.open.cover_half, ff.cover.doubt, ff.cover.vehicle.
        """
        return covered >= max(1, models // 2)


def _standing(body: Body) -> tuple[Any, ...]:
    return body.shape, body.x, body.y, body.heading, body.floor


__all__ = ["ARCS", "FreeGround"]
