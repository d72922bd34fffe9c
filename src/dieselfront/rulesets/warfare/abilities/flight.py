"""Soldiers who fly (dw.ability.flight_*): landed or flying, declared at deployment and after every move. Lines of sight
from above and below are in ground.py, the cover of suppressed flyers in cover.py.
"""

from __future__ import annotations

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.warfare.events import Used
from dieselfront.rulesets.warfare.firing import Shot
from dieselfront.rulesets.warfare.going import Clearance, Move
from dieselfront.rulesets.warfare.hooks import Ability
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.table.measured.terrain import Piece

LANDED, FLYING = "landed", "flying"
SHORT_INCHES = 6
Refusal = tuple[str, str]


class Flight(Ability):
    """Landed or flying, as declared when the unit is set down and at the end of each of its moves
    (dw.ability.flight_state)."""

    name = "Flight"
    rule = "dw.ability.flight_state"
    everyone = True

    def on_deployed(self, play: Play, unit: Unit) -> Procedure:
        yield from self.declare(play, unit)

    def on_moved(self, play: Play, unit: Unit, move: Move) -> Procedure:
        yield from self.declare(play, unit)

    def declare(self, play: Play, unit: Unit) -> Procedure:
        states = [LANDED, FLYING] if may_land(play.state, unit) else [FLYING]
        chosen = yield PickOne(
            unit.side,
            "flight",
            states,
            text=f"Is {unit.name} landed or flying now?",
            rule=self.rule,
            unit=unit.id,
            act="move",
            about=lambda how: About(act="move", unit=unit.id, skills=(how,)),
        )
        was = unit.is_flying
        unit.notes.pop("flying", None)
        if chosen == FLYING:
            unit.notes["flying"] = True
        if was != unit.is_flying:
            play.emit(Used(self.rule, unit.id, f"Flight: {chosen}"))


def may_land(state: State, unit: Unit) -> bool:
    """Could soldiers on foot stand here (dw.open.flight_state_in_move)?"""
    flying = unit.notes.pop("flying", None)
    problem = Clearance(Move(state, unit)).end_problem(unit.bodies)
    if flying:
        unit.notes["flying"] = flying
    return problem is None


class FlightOverUnits(Ability):
    """A move begun flying passes over everybody and ends clear of enemies and friendly vehicles
    (dw.ability.flight_move, dw.open.flight_state_in_move)."""

    name = "Flight"
    rule = "dw.ability.flight_move"
    everyone = True

    def on_flies_over(self, over: bool, unit: Unit, move: Move) -> bool:
        return over or unit.is_flying


class FlightOverTerrain(Ability):
    """Flying, it ignores all terrain and may stop anywhere (dw.ability.flight_terrain)."""

    name = "Flight"
    rule = "dw.ability.flight_terrain"
    everyone = True

    def on_difficult(self, is_difficult: bool, unit: Unit, piece: Piece, move: Move) -> bool:
        return is_difficult and not unit.is_flying

    def on_barred(self, is_barred: bool, unit: Unit, piece: Piece, move: Move) -> bool:
        return is_barred and not unit.is_flying

    def on_no_stop(self, may_not: bool, unit: Unit, piece: Piece, move: Move) -> bool:
        return may_not and not unit.is_flying


class FlightOutOfReach(Ability):
    """Weapons of 6" or less and bombs do not reach flyers from the ground (dw.ability.flight_target_limit)."""

    name = "Flight"
    rule = "dw.ability.flight_target_limit"
    everyone = True

    def on_targetable(self, refusal: Refusal | None, shot: Shot) -> Refusal | None:
        if not shot.target.is_flying:
            return refusal
        if shot.weapon.reach == "bomb":
            return (self.rule, "bombs do not strike a flying unit")
        if shot.weapon.range <= SHORT_INCHES and not shot.unit.is_above:
            return (self.rule, f'{shot.weapon.name} reaches 6" or less: no weapon against a flying unit')
        return refusal


class FlightCloseCombat(Ability):
    """Close combat with high aircraft only while flying, and only with weapons that list aircraft
    (dw.ability.flight_c_vs_aircraft)."""

    name = "Flight"
    rule = "dw.ability.flight_c_vs_aircraft"
    everyone = True

    def on_usable(self, refusal: Refusal | None, shot: Shot) -> Refusal | None:
        if shot.weapon.close and shot.target.is_high and not shot.unit.is_flying:
            return (self.rule, "a landed unit cannot fight a high aircraft in close combat")
        return refusal


__all__ = ["FLYING", "LANDED", "Flight"]
