"""Special weapons of Battlefield (bf.weapon.*)."""

from __future__ import annotations

from typing import Any

from dieselfront.dice import Because
from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Play, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.hooks import WeaponRule
from dieselfront.rulesets.dust.shots import Aim, Saves, Shot
from dieselfront.rulesets.dust.state import STUNNED, Part, Unit
from dieselfront.rulesets.dust1947 import weapons as dust1947
from dieselfront.rulesets.dust1947.activation import Activation, SpecialAction
from dieselfront.rulesets.dust1947.dice import ARMY, task
from dieselfront.rulesets.dust1947.weapons import flames, hits, loading

RELOAD, SALVO = "Reload", "Salvo"


class Grenade(WeaponRule):
    """No cover save for anybody; infantry keeps its infantry save (bf.weapon.grenade)."""

    name = "Grenade"
    rule = "bf.weapon.grenade"

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        saves.negate_cover(self.rule, "grenade: no cover save")
        return saves


class Flame(flames.NoSaves):
    """Neither infantry nor cover save, and no token beyond the usual one (bf.weapon.flame)."""

    name = "Flame"
    rule = "bf.weapon.flame"


class Spray(flames.NoSaves):
    """Played like a flame weapon of its range (bf.weapon.spray, bf.open.square_leftovers)."""

    name = "Spray"
    rule = "bf.weapon.spray"


class SniperPick(hits.SniperPick):
    """The attacker may name any miniature; all unsaved hits fall on it, saves are allowed (bf.weapon.sniper)."""

    rule = "bf.weapon.sniper"

    def victims(self, unit: Unit) -> list[tuple[str, int]]:
        victims: list[tuple[str, int]] = []
        for part in unit.fighters():
            victims += [(part.card.id, soldier) for soldier in (part.alive if part.squad else (-1,))]
        return victims


class Tesla(WeaponRule):
    """A unit that is hit is stunned, saved or not (bf.weapon.tesla)."""

    name = "Tesla"
    rule = "bf.weapon.tesla"

    def on_struck(self, play: Play, shot: Shot, hits: int) -> None:
        play.rules.suppression.give(play, shot.target, STUNNED, self.rule)


class Grapple(WeaponRule):
    """A hit stuns; the token goes too when the grappling unit does anything but NOTHING (bf.weapon.grapple)."""

    name = "Grapple"
    rule = "bf.weapon.grapple"

    def on_struck(self, play: Play, shot: Shot, hits: int) -> None:
        activation = shot.attack.flags.get("activation")
        if activation is not None:
            activation.memory["grips"] = (*activation.memory.get("grips", ()), shot.target.id)
        play.rules.suppression.give(play, shot.target, STUNNED, self.rule)
        shot.target.held_by = shot.unit.id


class WireGuided(hits.WireGuided):
    """Fired alone in an ATTACK, its misses are thrown again (bf.weapon.wire_guided, bf.open.reroll_limit)."""

    rule = "bf.weapon.wire_guided"


class BlutkreuzWeapon(WeaponRule):
    """The Blutkreuz as a weapon: mindless zombies look for its bearer (bf.skill.blutkreuz)."""

    name = "Blutkreuz"
    rule = "bf.skill.blutkreuz"


# -- loading ----------------------------------------------------------------------------------------


def weapons_with(part: Part, rule: str) -> list[int]:
    """The weapon lines of a part with a rule."""
    return [index for index, weapon in enumerate(part.card.weapons) if weapon.has(rule)]


class LoadedToken(WeaponRule):
    """One token for all weapons of a unit with the rule (bf.open.loaded_token_shared)."""

    def empty(self, part: Part) -> bool:
        return any(index in weapons_with(part, self.name) for index, _ in part.unloaded)

    def spend(self, unit: Unit) -> None:
        for part in unit.parts:
            for index in weapons_with(part, self.name):
                part.unload(index, 0)

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play, part: Part, index: int) -> dict[str, Any]:
        specials.setdefault("reload", ReloadAction())
        return specials


class Reload(LoadedToken):
    """It attacks only while the unit has its Loaded token, and takes it (bf.weapon.reload)."""

    name = RELOAD
    rule = "bf.weapon.reload"

    def on_bearers(self, bearers: tuple[int, ...], part: Part, index: int) -> tuple[int, ...]:
        return () if self.empty(part) else bearers

    def on_fired(self, play: Play, shot: Shot) -> None:
        self.spend(shot.unit)


class Salvo(LoadedToken):
    """The token may be spent for twice the dice; without it the weapon fires as usual.

    bf.weapon.salvo, bf.open.salvo_unloaded.
    """

    name = SALVO
    rule = "bf.weapon.salvo"

    def on_usable(self, refusal: tuple[str, str] | None, shot: Shot) -> tuple[str, str] | None:
        silent = shot.play.state.options.get("salvo_unloaded") == "silent"
        if silent and self.empty(shot.part):
            return refusal or (self.rule, f"{shot.weapon.name} has to be reloaded")
        return refusal

    def on_aims(self, aims: list[Aim], shot: Shot) -> list[Aim]:
        if self.empty(shot.part):
            return aims
        return [*aims, *((*aim, "salvo", 2) for aim in aims if "smoke" not in aim)]

    def on_dice(self, dice: int, shot: Shot, because: list[Because]) -> int:
        times: int | None = shot.aimed("salvo")
        if times is None:
            return dice
        because.append(Because(self.rule, "salvo: twice the dice"))
        return dice * times

    def on_fired(self, play: Play, shot: Shot) -> None:
        if shot.aimed("salvo"):
            self.spend(shot.unit)


class ReloadAction(SpecialAction):
    """RELOAD: one action restores the Reload token or the Salvo token (bf.open.loaded_token_shared)."""

    __slots__ = ()

    name = "reload"
    rearms = True

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        empty = [rule for rule in (RELOAD, SALVO) if self._is_empty(unit, rule)]
        if not empty:
            return
        rule = empty[0]
        if len(empty) > 1:
            rule = yield PickOne(
                unit.side,
                "reload",
                empty,
                text=f"{unit.name}: which weapons are reloaded?",
                rule="bf.open.loaded_token_shared",
                unit=unit.id,
                act="support",
                about=lambda name: About(act="support", unit=unit.id),
            )
        for part in unit.parts:
            lines = weapons_with(part, rule)
            part.unloaded = tuple(pair for pair in part.unloaded if pair[0] not in lines)
        play.emit(Happened("bf.weapon.reload", f"{unit.name} reloads", unit.id))

    def _is_empty(self, unit: Unit, rule: str) -> bool:
        return any(index in weapons_with(part, rule) for part in unit.parts for index, _ in part.unloaded)


# -- artillery --------------------------------------------------------------------------------------


class SmokeShells(WeaponRule):
    """Artillery follows the ordinary blast rules (bf.weapon.artillery_normal_rules, bf.open.artillery_over_terrain).

    Instead of an attack: on ARMY a screen of smoke where the weapon could attack (bf.weapon.artillery_smoke).
    """

    name = "Artillery"
    rule = "bf.weapon.artillery_smoke"

    def on_aims(self, aims: list[Aim], shot: Shot) -> list[Aim]:
        if shot.attack.reactive or shot.target is shot.unit or not shot.target.on_board:
            return aims
        table = shot.play.state.table
        spot = shot.target.place
        return [*aims, (int(spot), "smoke", (int(spot),))] if not table.is_indoor(spot) else aims

    def on_fire(self, play: Play, shot: Shot) -> Procedure:
        places = shot.aimed("smoke")
        if places is None:
            return
        for _ in range(shot.count):
            thrown = yield from play.throw(task("smoke shells", self.rule, ARMY), 1, shot.unit.side, shot.unit.id)
            if thrown.successes:
                play.rules.smoke.place(play, places, self.rule)
                return


INSTEAD: dict[type[WeaponRule], type[WeaponRule]] = {}

SAME: tuple[type[WeaponRule], ...] = (
    hits.Laser, hits.Cutting, hits.ExpertWeapon, hits.PowerScopeWeapon, hits.Phaser, hits.CuttingTool,
    hits.GrappleTool, loading.Volley,
)  # fmt: skip
"""Rules that read the same in Dust 1947; cites.yaml says under which id here."""

ALL: list[type[WeaponRule]] = [
    *SAME, Grenade, Flame, Spray, SniperPick, Tesla, Grapple, WireGuided, BlutkreuzWeapon, Reload, Salvo,
    SmokeShells,
]  # fmt: skip

_known = {rule.name for rule in ALL}
CARD_RULES: list[type[WeaponRule]] = [rule for rule in dust1947.ALL if rule.name not in _known]
