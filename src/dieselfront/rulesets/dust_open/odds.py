"""Odds between two cards on an open table: how the units are set so far apart. Belongs above the rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from dieselfront import rulesets
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust1947.odds.lanes import too_far
from dieselfront.rulesets.dust_open import scenario as scenarios
from dieselfront.rulesets.dust_open.ruleset import OpenDust

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947


class OpenLane:
    """The middle of an open table, in millimetres; a point of range is as many of them as the rules say."""

    cover = "trees"
    size = (3200, 2300)  # millimetres
    x, y = 300, 1100
    beside = (700, -700)
    east, west = 90, 270
    range_mm = 102

    def board(self, rules: Dust1947) -> tuple[Any, Any]:
        """The empty table of a ruleset."""
        return _open_board(rules.id)

    def stand(self, rules: Dust1947, state: DustState, attacker: Unit, target: Unit, wanted: int) -> None:
        """One behind the other."""
        rules.ground.put(state, attacker, state.table.place(self.x, self.y), self.east)
        self._move_to(rules, state, attacker, target, wanted, self.y)

    def stand_beside(
        self, rules: Dust1947, state: DustState, attacker: Unit, target: Unit, wanted: int, there: Sequence[Unit]
    ) -> None:
        """To one side, if that is not too far."""
        aside = min(abs(self.beside[0]), wanted * self.range_mm * 2 // 3) * (1 if len(there) == 1 else -1)
        self._move_to(rules, state, attacker, target, wanted, self.y + aside)

    def _move_to(self, rules: Dust1947, state: DustState, attacker: Unit, target: Unit, wanted: int, y: int) -> None:
        """Nearer and nearer until the range is right."""
        ground = rules.ground
        far = wanted * self.range_mm + 400
        while far > 0:
            ground.put(state, target, state.table.place(self.x + far, y), self.west)
            apart = ground.distance(state, attacker, target)
            if apart == wanted:
                return
            far -= max(5, (apart - wanted - 1) * self.range_mm)
        raise too_far(attacker, target, wanted)


@cache
def _open_board(ruleset: str) -> tuple[Any, Any]:
    rules = rulesets.load(ruleset)
    assert isinstance(rules, OpenDust)
    millimetres = scenarios.UNITS[rules.lengths]
    scenario = rules.setup.read(
        {
            "id": "firing-range",
            "name": "Firing range",
            "size": [float(side / millimetres) for side in OpenLane.size],
            "lengths": rules.lengths,
            "deploy": [{"boxes": [[0, 0, 10, 10]]}, {"boxes": [[20, 0, 10, 10]]}],
            "turns": 1,
        }
    )
    return scenario, scenarios.build(scenario, rules.terrain, rules.kinds, {}, rules.measures({}))


__all__ = ["OpenLane"]
