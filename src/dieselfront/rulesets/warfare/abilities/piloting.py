"""Abilities with the Pilot keyword: they go over to the vehicle the hero pilots (dw.ability.panzer_ace_*,
dw.ability.schwerpunkt, dw.ability.pilot_keyword). Boarding is in transport.py.
"""

from __future__ import annotations

from dieselfront.dice import Throw
from dieselfront.kernel.decisions import YesNo
from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.warfare.abilities.moving import FreeGoing
from dieselfront.rulesets.warfare.events import Used
from dieselfront.rulesets.warfare.firing import Strike
from dieselfront.rulesets.warfare.going import Move
from dieselfront.rulesets.warfare.hooks import Ability
from dieselfront.rulesets.warfare.state import PILOTING, State, Unit
from dieselfront.rulesets.warfare.throws import inverted
from dieselfront.rulesets.warfare.weapon_rules.piercing import is_penetrated
from dieselfront.table.measured.terrain import Piece


def owner(state: State, unit: Unit, ability: str) -> Unit:
    """Whose uses are counted: the pilot's, on foot and aboard together (dw.ability.pilot_keyword)."""
    pilots = [pilot for pilot in state.aboard(unit, PILOTING) if pilot.card.has(ability)]
    return pilots[0] if pilots else unit


class PanzerAce(FreeGoing):
    """Difficult terrain does not slow the vehicle he pilots (dw.ability.panzer_ace_move)."""

    name = "Panzer Ace"
    rule = "dw.ability.panzer_ace_move"
    pilot = True
    impassable = False

    def frees(self, unit: Unit, piece: Piece, move: Move) -> bool:
        return unit.is_machine


class PanzerAceArmor(Ability):
    """Once per game the vehicle inverts an armor roll (dw.ability.panzer_ace_armor)."""

    name = "Panzer Ace"
    rule = "dw.ability.panzer_ace_armor"
    pilot = True

    def on_armor_rolling(self, throw: Throw, play: Play, strike: Strike) -> Procedure:
        unit = strike.target
        bearer = owner(play.state, unit, self.name)
        if not unit.is_machine or bearer.has_used(self.name) or not strike.total or not strike.armor_dice:
            return throw
        turned = inverted(throw, self.rule, "Panzer Ace: inverted")
        attacking, tallies = play.rules.attacking, dict(strike.tallies)
        wanted = yield YesNo(
            unit.side,
            "panzer ace",
            text=f"{strike.total} points of damage threaten {unit.name}. Does {bearer.name} invert the armor roll?",
            rule=self.rule,
            unit=unit.id,
            act="react",
            stakes=lambda wanted: attacking.rest_stakes(strike, tallies, armor_throw=turned if wanted else throw),
        )
        if not wanted:
            return throw
        bearer.use(self.name)
        play.emit(Used(self.rule, bearer.id, self.name))
        return turned


class Schwerpunkt(Ability):
    """All weapons of the vehicle he pilots are penetrators (dw.ability.schwerpunkt)."""

    name = "Schwerpunkt"
    rule = "dw.ability.schwerpunkt"
    pilot = True

    def on_armor_halved(self, halved: bool, strike: Strike) -> bool:
        if halved or not strike.unit.is_machine or not is_penetrated(strike, strike.pools):
            return halved
        strike.note(self.rule, "Schwerpunkt: half of the armor dice")
        return True
