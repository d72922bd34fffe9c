"""What can be measured and seen in freeform games: as on every open table, from the leader and within his circle."""

from __future__ import annotations

from typing import ClassVar

from dieselfront.kernel.field import Coherency
from dieselfront.rulesets.dust.state import DustState
from dieselfront.rulesets.dust_open.field import OpenField
from dieselfront.rulesets.freeform1947.places import CIRCLE
from dieselfront.table.measured.shapes import distance
from dieselfront.table.measured.templates import Disc


class FreeField(OpenField):
    """The open table of the freeform rules."""

    cites: ClassVar[dict[str, str]] = {
        "model": "ff.cover.model",
        "range": "ff.range.leader",
        "range from hull": "ff.range.vehicle_from",
        "lengths": "ff.scope.range_unit",
        "sight": "ff.los.trace",
        "cover": "ff.cover.unit",
        "participants": "ff.attack.participants",
        "arc infantry": "ff.arc.infantry",
        "arc turret": "ff.arc.turret",
        "arc front": "ff.arc.front",
        "arc side": "ff.arc.side",
        "arc rear": "ff.arc.rear",
        "move": "ff.move.move",
        "march": "ff.move.march",
        "slow": "ff.move.terrain_part",
        "way": "ff.move.multi_segments",
        "terrain": "ff.area.table",
        "blast": "ff.blast.place",
        "flame": "ff.flame.line",
        "burns": "ff.flame.affects",
    }

    def coherency(self, state: DustState, unit: str) -> Coherency:
        """Does every base touch the command circle of its leader?"""
        one = self.unit(state, unit)
        bodies = self.rules.ground.bodies(state, one)
        leader = bodies[0]
        out = [
            self.model(one, figure)
            for figure, body in zip(one.figures[1:], bodies[1:], strict=True)
            if distance(leader, body) + leader.radius > CIRCLE
        ]
        return Coherency(
            holds=not out,
            out=out,
            rules=["ff.move.circle"],
            notes=[f"It is led by {self.model(one, one.figures[0])}."],
            facts={"leader": self.model(one, one.figures[0])},
            marks={"templates": [Disc(leader.x, leader.y, CIRCLE)]},
        )


__all__ = ["FreeField"]
