"""Indirect fire through spotters, and ammunition (dw.weapon.artillery_*, dw.ability.artillery_strike,
dw.weapon.reload)."""

from __future__ import annotations

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.events import Marked
from dieselfront.rulesets.warfare.firing import Attack, Shot
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.table.measured.shapes import Body

MAGAZINE = "Magazine Reload"


class Artillery(Chapter):
    """Who sees for the guns, and what is left in them."""

    # -- spotters -------------------------------------------------------------------------------------------

    def spotters(self, state: State, unit: Unit) -> list[tuple[Unit, int]]:
        """Figures of other friendly units that may spot (dw.ability.artillery_strike, dw.open.indirect_details)."""
        return [
            (friend, man)
            for friend in state.friends(unit)
            for man in friend.men
            if friend.ask("on_spots", False, friend, man, state)
        ]

    def sees_target(self, state: State, spotter: Unit, man: int, target: Unit) -> list[Body]:
        eye = spotter.body_of(man)
        blockers = ground.hulls(state, spotter, target)
        return [body for body in target.bodies if ground.sees_body(state, spotter, eye, target, body, blockers)]

    def spotted(self, shot: Shot) -> list[Body]:
        """What of the target the spotter sees; range is measured from the gun."""
        state, attack = shot.state, shot.attack
        if attack.spotter is not None:
            spotter = self.spotter_of(attack)
            if spotter is None:
                return []
            return self.sees_target(state, spotter[0], attack.spotter[1], shot.target)
        for friend, man in self.spotters(state, shot.unit):
            seen = self.sees_target(state, friend, man, shot.target)
            if seen:
                return seen
        return []

    def spotter_of(self, attack: Attack) -> tuple[Unit, Body] | None:
        if attack.spotter is None:
            return None
        unit = attack.state.unit(attack.spotter[0])
        if not unit.on_table or attack.spotter[1] not in unit.men:
            return None
        return unit, unit.body_of(attack.spotter[1])

    def able_spotters(self, attack: Attack) -> list[tuple[str, int]]:
        """Those who see every target of the attack."""
        return [
            (friend.id, man)
            for friend, man in self.spotters(attack.state, attack.unit)
            if all(self.sees_target(attack.state, friend, man, target) for target in attack.targets)
        ]

    def first_spotter(self, attack: Attack) -> tuple[str, int] | None:
        able = self.able_spotters(attack)
        return able[0] if able else None

    def choose_spotter(self, play: Play, attack: Attack) -> Procedure:
        """The owner chooses whose eyes are used; sight and cover are traced from there (dw.open.indirect_details)."""
        state, unit = attack.state, attack.unit
        able = self.able_spotters(attack)
        if not able:
            attack.shots = []
            return
        attack.spotter = yield PickOne(
            unit.side,
            "spotter",
            able,
            text=f"Who spots for {unit.name}?",
            rule="dw.ability.artillery_strike",
            unit=unit.id,
            labels=lambda who: f"{state.unit(who[0]).name} ({who[0]}), figure {who[1] + 1}",
            act="support",
            about=lambda who: About(act="support", unit=who[0], targets=tuple(t.id for t in attack.targets)),
        )

    # -- ammunition -------------------------------------------------------------------------------------------

    def run_dry(self, play: Play, unit: Unit, index: int, rule: str) -> None:
        """An Out of Ammo marker for one kind of weapon (dw.open.out_of_ammo_scope)."""
        if index not in unit.empty:
            unit.empty = (*unit.empty, index)
            play.emit(Marked(rule, unit.id, f"out of ammo: {unit.weapons[index].name}", 1, 1))

    def reload(self, play: Play, unit: Unit) -> None:
        """One reload action clears all markers (dw.weapon.reload, dw.open.out_of_ammo_scope)."""
        for index in unit.empty:
            play.emit(Marked("dw.weapon.reload", unit.id, f"out of ammo: {unit.weapons[index].name}", -1, 0))
        unit.empty = ()

    def turn_ended(self, play: Play, unit: Unit) -> None:
        """Magazine weapons are reloaded for nothing in the End phase (dw.weapon.magazine_reload)."""
        for index in unit.empty:
            if unit.weapons[index].has(MAGAZINE):
                unit.empty = tuple(one for one in unit.empty if one != index)
                name = unit.weapons[index].name
                play.emit(Marked("dw.weapon.magazine_reload", unit.id, f"out of ammo: {name}", -1, 0))


__all__ = ["Artillery"]
