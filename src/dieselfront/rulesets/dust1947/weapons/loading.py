"""Loading and spending: reload and salvo weapons, volleys.

d47.weapon.reload_*, d47.weapon.salvo_*, d47.weapon.volley.
"""

from __future__ import annotations

from typing import Any

from dieselfront.dice import Because
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.hooks import WeaponRule
from dieselfront.rulesets.dust.shots import Aim, Shot
from dieselfront.rulesets.dust.state import Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation, SpecialAction
from dieselfront.rulesets.dust1947.playing import Play


class Loaded(WeaponRule):
    """A weapon that fires only while it has its loaded token."""

    def on_bearers(self, bearers: tuple[int, ...], part: Part, index: int) -> tuple[int, ...]:
        return tuple(bearer for bearer in bearers if part.is_loaded(index, bearer)) if part.unloaded else bearers


class Reloading(WeaponRule):
    """Offers the RELOAD special action."""

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play, part: Part, index: int) -> dict[str, Any]:
        specials.setdefault("reload", ReloadAction(self.rule))
        return specials


class ReloadAction(SpecialAction):
    """RELOAD: one action loads all weapons of the unit (d47.open.reload_several)."""

    __slots__ = ("rule",)

    name = "reload"
    rearms = True

    def __init__(self, rule: str) -> None:
        self.rule = rule

    def perform(self, activation: Activation) -> Procedure:
        reload_all(activation.play, activation.unit, self.rule)
        return
        yield


def reload_all(play: Play, unit: Unit, rule: str) -> None:
    """All weapons of the unit get their loaded tokens back."""
    if any(part.unloaded for part in unit.parts):
        for part in unit.parts:
            part.unloaded = ()
        play.emit(Happened(rule, f"{unit.name} reloads", unit.id))


class ReloadToken(Loaded):
    """Attacking with it takes its loaded token (d47.weapon.reload_token)."""

    name = "Reload"
    rule = "d47.weapon.reload_token"

    def on_fired(self, play: Play, shot: Shot) -> None:
        for bearer in shot.bearers:
            shot.part.unload(shot.index, bearer)


class Reload(Reloading):
    """A RELOAD action gives the token back (d47.weapon.reload_action)."""

    name = "Reload"
    rule = "d47.weapon.reload_action"


class Salvo(Loaded):
    """A salvo doubles the dice and takes the token; a normal attack keeps it (d47.weapon.salvo_attack)."""

    name = "Salvo"
    rule = "d47.weapon.salvo_attack"

    def on_aims(self, aims: list[Aim], shot: Shot) -> list[Aim]:
        return [*aims, *((*aim, "salvo", 2) for aim in aims if "smoke" not in aim)]

    def on_dice(self, dice: int, shot: Shot, because: list[Because]) -> int:
        times: int | None = shot.aimed("salvo")
        if times is None:
            return dice
        because.append(Because(self.rule, "salvo: twice the dice"))
        return dice * times

    def on_fired(self, play: Play, shot: Shot) -> None:
        if shot.aimed("salvo"):
            for bearer in shot.bearers:
                shot.part.unload(shot.index, bearer)


class SalvoReload(Reloading):
    """After a salvo it needs a RELOAD action (d47.weapon.salvo_reload)."""

    name = "Salvo"
    rule = "d47.weapon.salvo_reload"


class Volley(WeaponRule):
    """As many bombs or rockets as wished: so many times the dice, so many boxes.

    d47.weapon.volley, d47.open.volley_sustained.
    """

    name = "Volley"
    rule = "d47.weapon.volley"

    def on_aims(self, aims: list[Aim], shot: Shot) -> list[Aim]:
        part, boxes = shot.part, shot.weapon.ammo
        if boxes is None:
            return aims
        left = [boxes - part.marked(shot.index, bearer) for bearer in range(shot.weapon.count)]
        most = min((count for count in left if count > 0), default=0)
        return [(*aim, "volley", number) for aim in aims for number in range(1, most + 1)]

    def on_dice(self, dice: int, shot: Shot, because: list[Because]) -> int:
        number: int = shot.aimed("volley") or 1
        if number > 1:
            because.append(Because(self.rule, f"a volley of {number}"))
        return dice * number

    def on_boxes(self, boxes: int, shot: Shot) -> int:
        return boxes * (shot.aimed("volley") or 1)


ALL: list[type[WeaponRule]] = [ReloadToken, Reload, Salvo, SalvoReload, Volley]
