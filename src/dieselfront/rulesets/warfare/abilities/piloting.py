"""Abilities with the Pilot keyword: they go over to the vehicle the hero pilots (dw.ability.panzer_ace_*,
dw.ability.schwerpunkt, dw.ability.pilot_keyword). Boarding is in transport.py.
"""

from __future__ import annotations

from dieselfront.kernel.decisions import YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.warfare.abilities.moving import FreeGoing
from dieselfront.rulesets.warfare.events import Used
from dieselfront.rulesets.warfare.firing import Strike
from dieselfront.rulesets.warfare.going import Move
from dieselfront.rulesets.warfare.hooks import Ability
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import PILOTING, State, Unit
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
    """Once per game the vehicle inverts the results of an armor roll (dw.ability.panzer_ace_armor).

    Nothing has to be said before the roll, as it has for Take Aim; a roll that inverting makes no better is left.
    """

    name = "Panzer Ace"
    rule = "dw.ability.panzer_ace_armor"
    pilot = True

    def on_armor_rolled(self, saved: int, play: Play, strike: Strike) -> Procedure:
        unit = strike.target
        bearer = owner(play.state, unit, self.name)
        turned = strike.armor_dice - saved
        if not unit.is_machine or bearer.has_used(self.name) or turned <= saved:
            return saved
        attacking, tallies = play.rules.attacking, dict(strike.tallies)
        wanted = yield YesNo(
            unit.side,
            "panzer ace",
            text=(
                f"The armor of {unit.name} stops {saved} points of damage. "
                f"Does {bearer.name} invert the roll, so that it stops {turned}?"
            ),
            rule=self.rule,
            unit=unit.id,
            act="react",
            stakes=lambda wanted: attacking.rest_stakes(strike, tallies, saved=turned if wanted else saved),
        )
        if not wanted:
            return saved
        bearer.use(self.name)
        play.emit(Used(self.rule, bearer.id, self.name))
        strike.note(self.rule, "Panzer Ace: inverted")
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
