"""What can be measured and seen in Battlefield: from every miniature, in centimetres, in formation within 15 cm."""

from __future__ import annotations

from typing import ClassVar

from dieselfront.kernel.field import Coherency
from dieselfront.rulesets.battlefield.places import formation
from dieselfront.rulesets.dust.state import DustState
from dieselfront.rulesets.dust_open.field import OpenField
from dieselfront.rulesets.dust_open.ground import measures
from dieselfront.table.measured.shapes import distance


class BattleField(OpenField):
    """The open table of Battlefield."""

    unit_tenths = 100
    unit_sign = " cm"
    cites: ClassVar[dict[str, str]] = {
        "model": "bf.cover.definition",
        "range": "bf.attack.range_measure",
        "range from hull": "bf.attack.range_points",
        "lengths": "bf.attack.range_scale",
        "sight": "bf.attack.los_trace",
        "cover": "bf.cover.half_unit",
        "participants": "bf.attack.los_trace",
        "arc infantry": "bf.attack.fof_infantry",
        "arc turret": "bf.attack.fof_turret",
        "arc front": "bf.attack.fof_front",
        "arc side": "bf.attack.fof_side",
        "arc rear": "bf.attack.fof_rear",
        "move": "bf.move.distance",
        "march": "bf.move.march_distance",
        "slow": "bf.move.terrain_limit",
        "way": "bf.move.distance",
        "terrain": "bf.move.terrain_list",
        "blast": "bf.attack.blast_template",
        "flame": "bf.attack.flame_template",
        "burns": "bf.attack.flame_dice",
    }

    def coherency(self, state: DustState, unit: str) -> Coherency:
        """Is every miniature within 15 cm of every other (bf.move.formation)?"""
        one = self.unit(state, unit)
        bodies = self.rules.ground.bodies(state, one)
        far = formation(measures(state))
        out = [
            self.model(one, figure)
            for figure, body in zip(one.figures, bodies, strict=True)
            if any(distance(body, other) > far for other in bodies)
        ]
        return Coherency(holds=not out, out=out, rules=["bf.move.formation"])


__all__ = ["BattleField"]
