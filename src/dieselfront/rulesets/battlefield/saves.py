"""Saves: cover or infantry save, none in close combat (bf.save.*); nothing else changes them (bf.damage.no_extras)."""

from __future__ import annotations

from dieselfront.kernel.game import Play
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Saves, Shot
from dieselfront.rulesets.dust1947.dice import ARMY, SHIELD
from dieselfront.rulesets.dust1947.saves import SavesChapter


class BattleSaves(SavesChapter):
    """Which saves a target gets against a shot.

    bf.save.infantry_cover, bf.save.infantry, bf.save.vehicle_cover, bf.save.cc_none. Aircraft save like vehicles
    (bf.attack.aircraft_as_vehicles).
    """

    def allowed(self, play: Play, shot: Shot) -> Saves:
        target = shot.target
        infantry = target.is_infantry
        saves = Saves(self.in_cover(shot), ARMY | SHIELD if infantry else ARMY, ARMY if infantry else 0)
        play.rules.fortifications.change_saves(play, saves, shot)
        saves = ask(target.effects, "on_save", saves, shot)
        allowed: Saves = ask(shot.effects, "on_save", saves, shot)
        return allowed
