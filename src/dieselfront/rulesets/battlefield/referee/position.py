"""Positions of Battlefield: centimetres, fortifications that stand, heroes on their own, units in ambush."""

from __future__ import annotations

from dieselfront.kernel.game import Play
from dieselfront.referee.document import Entry
from dieselfront.rulesets.battlefield.citing import cite
from dieselfront.rulesets.battlefield.flags import AMBUSHES
from dieselfront.rulesets.dust.state import HIDDEN, OFF_BOARD, SUPPRESSED, UNDER_FIRE, DustState, Unit
from dieselfront.rulesets.dust1947.referee import refusals
from dieselfront.rulesets.dust1947.referee.position import _Described
from dieselfront.rulesets.dust_open.referee import position as open_position
from dieselfront.rulesets.dust_open.referee.position import FortPosition, FreeDescribed

KEYS = (*(key for key in open_position.KEYS if key != "weather"), "fortifications")
UNIT_KEYS = tuple(key for key in open_position.UNIT_KEYS if key != "criticals")


class BattlePosition(FortPosition):
    """A file's description on its way to a state."""

    usual_size = (180.0, 120.0)  # bf.setup.table_size

    def describe(self, entry: Entry, key: str, counts: list[int]) -> _Described:
        return BattleDescribed(self, entry, key, counts)


class BattleDescribed(FreeDescribed):
    """One unit of the file."""

    keys = UNIT_KEYS

    def _check_company(self) -> None:
        """Heroes are units of their own; they join when a unit is activated (bf.hero.join)."""
        if "joined" in self.pairs:
            why = "a hero joins when the unit is activated: place him as a unit within 15 cm of it"
            self._refuse("joined", ("bf.hero.join", why))

    def _refuse(self, key: str, why: tuple[str, str] | None) -> None:
        super()._refuse(key, None if why is None else (cite(why[0]), why[1]))

    def _apply_flags(self, unit: Unit) -> None:
        super()._apply_flags(unit)
        if unit.is_hero and unit.is_(UNDER_FIRE | SUPPRESSED):
            self._refuse("tokens", ("bf.hero.no_suppression", "heroes are never under fire or suppressed"))

    def _apply_place(self, state: DustState, unit: Unit) -> None:
        super()._apply_place(state, unit)
        if unit.is_(AMBUSHES):  # bf.scenario.ambush_hold
            unit.set(HIDDEN)
            unit.status = OFF_BOARD

    def has(self, key: str) -> bool:
        """A unit in ambush needs no place."""
        waits = key == "status" and "tokens" in self.pairs and "in ambush" in self.pairs["tokens"].words()
        return super().has(key) or waits

    def _status(self) -> str:
        return super()._status() if "status" in self.pairs else OFF_BOARD

    def _check_aboard(self, state: DustState, unit: Unit) -> None:
        """Could its carrier carry it, as a passenger or outside (bf.transport.spaces, bf.vehicle.tank_riders)?"""
        self._refuse("aboard", refusals.ride(Play(self.position.rules, state), unit, state.by_id[unit.aboard]))


__all__ = ["KEYS", "UNIT_KEYS", "BattlePosition"]
