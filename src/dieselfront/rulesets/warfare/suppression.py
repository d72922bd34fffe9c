"""Suppression markers, reaction markers, retreat (dw.suppression.*, dw.retreat.*, dw.hero.*suppression)."""

from __future__ import annotations

from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.events import Marked
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import State, Unit


class Suppression(Chapter):
    """Markers in numbers."""

    def may_be_suppressed(self, state: State, unit: Unit) -> bool:
        """Vehicles and aircraft never (dw.damage.vehicle_no_suppression), nor a hero on his own
        (dw.hero.no_suppression), nor units whose abilities say so."""
        if unit.is_machine or unit.is_lone_hero or not unit.alive:
            return False
        return bool(unit.ask("on_suppressible", True, unit, state))

    def suppress(self, play: Play, unit: Unit, markers: int, rule: str) -> int:
        """Put markers on a unit; returns how many it really took."""
        if markers <= 0 or not self.may_be_suppressed(play.state, unit):
            return 0
        unit.suppression += markers
        play.emit(Marked(rule, unit.id, "suppression", markers, unit.suppression))
        return markers

    def calm(self, play: Play, unit: Unit, markers: int, rule: str) -> None:
        """Take markers off, as far as there are any."""
        taken = min(markers, unit.suppression)
        if taken > 0:
            unit.suppression -= taken
            play.emit(Marked(rule, unit.id, "suppression", -taken, unit.suppression))

    def is_suppressed(self, state: State, unit: Unit) -> bool:
        """Any marker at all, as long as the unit heeds them (dw.suppression.definition, dw.suppression.effects); a hero
        shares the fate of the unit he is in (dw.hero.joined_suppression)."""
        return unit.suppression > 0 and bool(unit.ask("on_suppressed", True, unit, state))

    def is_retreating(self, state: State, unit: Unit) -> bool:
        """More markers than miniatures (dw.retreat.condition); never if a hero leads (dw.hero.no_retreat,
        dw.open.hero_led_pool) or the markers have no effect."""
        if unit.suppression <= len(unit.men) or unit.is_hero_led:
            return False
        return self.is_suppressed(state, unit)

    # -- reaction markers ---------------------------------------------------------------------------------

    def mark_reaction(self, play: Play, unit: Unit, rule: str) -> None:
        """A reaction marker, never a second one (dw.command.take_action_marker, dw.open.air_cavalry_marker)."""
        if unit.alive and not unit.reaction:
            unit.reaction = True
            play.emit(Marked(rule, unit.id, "reaction", 1, 1))

    def unmark_reaction(self, play: Play, unit: Unit, rule: str) -> None:
        if unit.reaction:
            unit.reaction = False
            play.emit(Marked(rule, unit.id, "reaction", -1, 0))
