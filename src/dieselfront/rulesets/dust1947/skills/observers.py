"""Artillery observers: a radio man who brings down the fire of a battery (d47.skill.artillery_observer_*)."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.decisions import PickOne, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import by_unit
from dieselfront.rulesets.dust.events import Activated, Happened
from dieselfront.rulesets.dust.hooks import Skill
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import ACTED, ACTIVATED, HAS_ACTIVATED_EVER, Unit
from dieselfront.rulesets.dust1947.activation import AFTER_MOVE, Activation, Menu, SpecialAction
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.skills.common import part_of

RELOAD = "d47.skill.artillery_observer_reload"


class ArtilleryObserver(Skill):
    """Instead of its own weapons, an ATTACK may use the artillery of a friendly battery.

    d47.skill.artillery_observer_fire.
    """

    name = "Artillery Observer"
    rule = "d47.skill.artillery_observer_fire"

    def on_actions(self, menu: Menu, activation: Activation) -> Menu:
        play, unit = activation.play, activation.unit
        if not unit.on_board or not batteries(play, unit):
            return menu
        plain = CallFire(sustained=False)
        is_ready = bool(plain.ready(play, unit))
        for action in (plain, CallFire(sustained=True)):
            menu.specials[action.name] = action
            if action.sustained and is_ready and any(part.unloaded for one in play.state.units for part in one.parts):
                is_ready = bool(action.ready(play, unit))  # only a plain call reloads first
            if not is_ready:
                menu.later = {**menu.later, action.name: AFTER_MOVE}  # from here nobody can shoot at anything
            for sequence in self.without_attack(menu, activation, action.cost):
                for place in range(len(sequence) + 1):
                    menu.add((*sequence[:place], f"special:{action.name}", *sequence[place:]))
        return menu

    def without_attack(self, menu: Menu, activation: Activation, cost: int) -> list[Any]:
        """Sequences with room for the call and no other attack (d47.turn.one_move_one_attack)."""
        most = menu.budget - cost
        if most < 0:
            return []
        return [
            sequence
            for sequence in menu.sequences
            if menu.weight(sequence) <= most and not any("attack" in a or "sustained" in a for a in sequence)
        ]


class RadioNeeded(Skill):
    """The observer is deaf and dumb without the soldier who carries the radio (d47.skill.artillery_observer_radio)."""

    name = "Artillery Observer"
    rule = "d47.skill.artillery_observer_radio"

    def on_actions(self, menu: Menu, activation: Activation) -> Menu:
        if not has_radio(activation.unit, self.bearer):
            menu.sequences = [s for s in menu.sequences if not any(action.startswith("special:call") for action in s)]
        return menu


def has_radio(unit: Unit, card: str) -> bool:
    """Vehicles always have one; a squad has it while the soldier who carries it lives."""
    part = part_of(unit, card)
    if part is None or not part.squad:
        return part is not None
    soldiers = part.card.soldiers
    return not any("radio" in man.roles for man in soldiers) or any(
        "radio" in soldiers[man].roles for man in part.alive
    )


def guns(play: Play, unit: Unit) -> tuple[tuple[int, int], ...]:
    """The artillery weapons of a unit, as (part, line)."""
    return tuple(
        (place, index)
        for place, part in enumerate(unit.parts)
        if part.role != "pilot"
        for index, weapon in enumerate(part.card.weapons)
        if weapon.has("Artillery")
    )


def batteries(play: Play, observer: Unit) -> list[Unit]:
    """Friendly units with artillery that have not activated."""
    return [
        unit
        for unit in play.state.on_board(observer.side)
        if unit is not observer and not unit.flags & ACTIVATED and guns(play, unit)
    ]


class CallFire(SpecialAction):
    """A call for fire: the battery activates at once and makes the same kind of attack, or fires smoke."""

    __slots__ = ("cost", "name", "sustained")

    def __init__(self, *, sustained: bool) -> None:
        self.sustained = sustained
        self.name = "call-sustained-attack" if sustained else "call-attack"
        self.cost = 2 if sustained else 1

    def perform(self, activation: Activation) -> Procedure:
        play, observer = activation.play, activation.unit
        activation.memory["unseen"] = True  # d47.skill.camouflage_lost: a call for fire betrays nobody
        ready = self.ready(play, observer) if observer.on_board else []
        if not ready:
            activation.lost("call for fire", "no battery has anything to shoot at")
            return
        chosen = yield PickOne(
            observer.side,
            "battery",
            [unit.id for unit in ready],
            labels=lambda unit_id: play.state.by_id[unit_id].name,
            text=f"{observer.name}: which battery fires?",
            rule=ArtilleryObserver.rule,
            unit=observer.id,
            act="attack",
            about=by_unit("attack"),
        )
        yield from self.fire(play, observer, play.state.by_id[chosen])

    def ready(self, play: Play, observer: Unit) -> list[Unit]:
        """The batteries that can shoot at something the observer sees: arc and range are their own.

        d47.skill.artillery_observer_los.
        """
        return [battery for battery in batteries(play, observer) if self._has_target(play, observer, battery)]

    def _has_target(self, play: Play, observer: Unit, battery: Unit) -> bool:
        """Is there anything to shoot at, loaded and recovered as far as the call allows?"""
        attack = self.called_attack(play, observer, battery)
        attack.flags["after_nothing"] = True
        unloaded = [part.unloaded for part in battery.parts]
        if not self.sustained:  # d47.skill.artillery_observer_reload
            for part in battery.parts:
                part.unloaded = ()
        able = bool(play.rules.attacks.has_target(play, attack))
        for part, before in zip(battery.parts, unloaded, strict=True):
            part.unloaded = before
        return able

    def fire(self, play: Play, observer: Unit, battery: Unit) -> Procedure:
        """The battery's activation: what burns, recovery, NOTHING if it must, then the attack."""
        called = Activation(play, battery)
        battery.set(ACTIVATED | ACTED)
        play.emit(Activated(ArtilleryObserver.rule, battery.id))
        yield from play.rules.criticals.burn(play, battery)
        if not battery.alive:
            return
        yield from play.rules.suppression.recover(play, battery)
        hindered = play.rules.suppression.must_do_nothing(battery)
        if hindered:  # d47.open.observer_battery_tokens
            play.rules.suppression.after_nothing(play, battery)
        may_reload = not hindered and not self.sustained
        if not (hindered and self.sustained):
            loaded_first = may_reload and self.reload(play, battery)
            yield from self.attack(play, observer, battery, called)
            if may_reload and not loaded_first:
                yield from self.offer_reload(play, battery)
        battery.set(HAS_ACTIVATED_EVER)

    def called_attack(self, play: Play, observer: Unit, battery: Unit) -> Attack:
        """The attack that the battery makes with its guns, by the eyes of the observer."""
        attack = Attack(battery, sustained=self.sustained, close_allowed=False, by_observer=observer)
        attack.weapons = guns(play, battery)
        return attack

    def attack(self, play: Play, observer: Unit, battery: Unit, called: Activation) -> Procedure:
        attack = self.called_attack(play, observer, battery)
        attack.flags["activation"] = called
        yield from play.rules.attacks.run(play, attack)
        play.rules.activations.tell_done(called, "sustained" if self.sustained else "attack")

    def reload(self, play: Play, battery: Unit) -> bool:
        """An empty weapon is loaded before it fires (d47.skill.artillery_observer_reload)."""
        if not any(part.unloaded for part in battery.parts):
            return False
        _load(play, battery)
        return True

    def offer_reload(self, play: Play, battery: Unit) -> Procedure:
        if any(part.unloaded for part in battery.parts) and (
            yield YesNo(
                battery.side,
                "reload",
                text=f"{battery.name}: reload now?",
                rule=RELOAD,
                unit=battery.id,
                act="rally",
            )
        ):
            _load(play, battery)


def _load(play: Play, battery: Unit) -> None:
    for part in battery.parts:
        part.unloaded = ()
    play.emit(Happened(RELOAD, f"{battery.name} reloads", battery.id))


ALL: list[type[Skill]] = [ArtilleryObserver, RadioNeeded]
