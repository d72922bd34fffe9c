"""Weapons that run dry: Reload, Magazine Reload (dw.weapon.reload, dw.weapon.magazine_reload,
dw.open.out_of_ammo_scope)."""

from __future__ import annotations

from dieselfront.rulesets.warfare.firing import Attack, Shot
from dieselfront.rulesets.warfare.hooks import WeaponRule
from dieselfront.rulesets.warfare.playing import Play


class Reload(WeaponRule):
    """Used once, the weapon is out of ammunition until a reload action; bombs are used up anyway."""

    name = "Reload"
    rule = "dw.weapon.reload"

    def on_fired(self, play: Play, attack: Attack, shot: Shot) -> None:
        if shot.weapon.reach != "bomb":
            play.rules.artillery.run_dry(play, shot.unit, shot.index, self.rule)


class MagazineReload(WeaponRule):
    """The same, but reloaded for nothing in the End phase."""

    name = "Magazine Reload"
    rule = "dw.weapon.magazine_reload"

    def on_fired(self, play: Play, attack: Attack, shot: Shot) -> None:
        play.rules.artillery.run_dry(play, shot.unit, shot.index, self.rule)
