"""Saves: cover, infantry and evade saves, and damage that is negated after them (d47.attack.save.*)."""

from __future__ import annotations

from dieselfront.dice import DUST_DIE, Because, Reroll, Throw
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Saves, Shot
from dieselfront.rulesets.dust.state import EVADES, EVADES_WELL, NO_COVER, Part, Unit
from dieselfront.rulesets.dust1947.attack import settle
from dieselfront.rulesets.dust1947.dice import ARMY, SHIELD
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.weather import COVER_SAVES_ONLY


class SavesChapter:
    """Which saves a target gets against a shot, as throws in the order they are rolled."""

    def plan(self, play: Play, shot: Shot) -> tuple[Throw, ...]:
        """No saves in close combat (d47.attack.cc.no_saves), save behind walls of a fortification."""
        saves = self.allowed(play, shot)
        throws: list[Throw] = []
        if saves.evade:  # evade first (d47.open.evade_and_cover)
            throws.append(self._evade(play, saves))
        if shot.close:
            return (*throws[:0], *play.rules.fortifications.close_saves(play, shot))
        faces, label, rule = self._which(shot.target, saves)
        if faces:
            only = COVER_SAVES_ONLY if label != "cover save" else ()
            rerolls = tuple(again for again in saves.rerolls if again.rule not in only)
            throw = Throw(label, DUST_DIE, faces, rule, rerolls, because=tuple(saves.because))
            settle(throw, play.state.options.get("reroll_limit", ""))
            throws.append(throw)
        return tuple(throws)

    def _evade(self, play: Play, saves: Saves) -> Throw:
        """The save of an aircraft in flight, better after a MARCH MOVE."""
        improved = saves.evade != ARMY
        rule = "d47.skill.aircraft_improved_evade" if improved else "d47.skill.aircraft_evade"
        text = "marched: a better evade save" if improved else "moved: an evade save"
        again = tuple(saves.evade_rerolls)
        throw = Throw("evade save", DUST_DIE, saves.evade, rule, again, because=(Because(rule, text),))
        settle(throw, play.state.options.get("reroll_limit", ""))
        return throw

    def _which(self, target: Unit, saves: Saves) -> tuple[int, str, str]:
        """Cover save or infantry save, never both (d47.attack.save.infantry_open)."""
        if saves.cover and not saves.no_cover:
            rule = "d47.attack.save.infantry_cover" if target.is_infantry else "d47.attack.save.vehicle_cover"
            return saves.cover_faces, "cover save", rule
        if saves.infantry_faces and not saves.no_infantry:
            return saves.infantry_faces, "infantry save", "d47.attack.save.infantry_open"
        return 0, "", ""

    def allowed(self, play: Play, shot: Shot) -> Saves:
        """The target's saves, changed by terrain and weather, its skills and the weapon."""
        target = shot.target
        infantry = target.is_infantry
        cover = self.in_cover(shot)
        saves = Saves(cover, ARMY | SHIELD if infantry else ARMY, ARMY if infantry else 0)
        if target.flags & NO_COVER:  # d47.wire.cross
            saves.no_cover = True
            saves.because.append(Because("d47.wire.cross", "caught in wire: no cover save"))
        if target.flags & EVADES:
            saves.evade = ARMY
        elif target.flags & EVADES_WELL:
            saves.evade = ARMY | SHIELD
        play.rules.weather.change_saves(play, saves, shot)
        play.rules.heights.change_saves(play, saves, shot)
        play.rules.fortifications.change_saves(play, saves, shot)
        saves = ask(target.effects, "on_save", saves, shot)
        allowed: Saves = ask(shot.effects, "on_save", saves, shot)
        return allowed

    def in_cover(self, shot: Shot) -> bool:
        """Cover on the line of fire, in field works, or of the unit's own (digging in, small vehicles)."""
        return shot.line.cover or self.covers_itself(shot.target) or shot.play.rules.fortifications.covers(shot)

    def covers_itself(self, unit: Unit) -> bool:
        """Is the unit in cover whatever the line of fire?"""
        covered: bool = ask(unit.effects, "on_cover_always", False, unit)
        return covered

    def negation(self, play: Play, shot: Shot, part: Part) -> Throw | None:
        """Dice that negate damage after the saves, for one part of the target (d47.skill.damage_resilient)."""
        throw: Throw | None = ask(shot.target.effects, "on_negate", None, part, shot)
        if throw is not None:
            settle(throw)
        return throw


__all__ = ["Reroll", "SavesChapter"]
