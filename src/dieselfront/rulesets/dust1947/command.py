"""Command: officers, radios, medics and mechanics and what they order (d47.command.*).

Skills that give orders of their own live in skills/command.py.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, NamedTuple

from dieselfront.dice import Reroll, Throw
from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About, on_unit
from dieselfront.rulesets.dust.events import Happened, Healed, TokenGained
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import (
    ABOARD,
    ACTIVATED,
    DOUBLE_TIME,
    GRAPPLED,
    REACTIVATED,
    STIMULATED,
    STUNNED,
    SUPPRESSED,
    TOKEN_NAMES,
    UNDER_FIRE,
    Part,
    Unit,
)
from dieselfront.rulesets.dust1947.activation import Activation, Menu
from dieselfront.rulesets.dust1947.attack import SAME_FACES, settle
from dieselfront.rulesets.dust1947.dice import ARMY, SHIELD, SHIELD_FACE, TARGET, TARGET_FACE, task, widen
from dieselfront.rulesets.dust1947.playing import Play

VOICE = 2
"""Range of an officer without a radio (d47.command.radio_operator)."""

OFFICER, MEDIC, MECHANIC = "officer", "medic", "mechanic"
NOBODY = "nobody is near enough for it"


Wanted = Callable[[Unit], bool]
"""Whom an order could do any good: asked before who is near and seen, which costs more."""


def anybody(unit: Unit) -> bool:
    return True


class Order(NamedTuple):
    """A special action of a command unit: its name, its cost, who gives it, and what it does."""

    name: str
    rule: str
    giver: str
    perform: Callable[[Activation], Procedure]
    cost: int = 1


class Command:
    """Orders and those who give them."""

    # -- who can order what ---------------------------------------------------------------------

    def specials(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int = 0) -> dict[str, Any]:
        """The orders a unit may give now, or after a movement of so many squares (d47.turn.declare_all).

        An order without anybody to receive it is not offered.
        """
        if not self.leads(unit):
            return specials
        if self.has(unit, OFFICER) and self._may_command(play, unit, OFFICER, ahead):
            self._officer(specials, unit, play, ahead)
        if self.has(unit, MEDIC) and self._may_command(play, unit, MEDIC, ahead):
            self._medic(specials, unit, play, ahead)
        if self.has(unit, MECHANIC) and self._may_command(play, unit, MECHANIC, ahead):
            self._mechanic(specials, unit, play, ahead)
        return specials

    def looks_ahead(self, play: Play, unit: Unit) -> bool:
        """Could a movement bring the unit to somebody it may order?"""
        return self.leads(unit)

    def _officer(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> None:
        if self.in_hearing(play, unit, "rally", ahead, self._shaken):
            specials["rally"] = Order("rally", "d47.command.rally_scope", OFFICER, self.rally)
        if self.to_reactivate(play, unit, ahead):
            specials["get-moving"] = Order("get-moving", "d47.command.get_moving", OFFICER, self.get_moving)
        if self.to_supply(play, unit, ahead):
            specials["ammo-drop"] = Order("ammo-drop", "d47.command.ammo_drop", OFFICER, self.ammo_drop)

    def _medic(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> None:
        if self.to_heal(play, unit, ahead):
            specials["get-up"] = Order("get-up", "d47.command.get_up", MEDIC, self.get_up)
        if self.to_stimulate(play, unit, ahead):
            specials["stimulants"] = Order("stimulants", "d47.command.stimulants_give", MEDIC, self.give_stimulants)

    def _mechanic(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> None:
        if self.to_repair(play, unit, ahead):
            specials["repair"] = Order("repair", "d47.command.makeshift_repair", MECHANIC, self.repair)

    def leads(self, unit: Unit) -> bool:
        """Could the unit give any order at all? A quick look at its cards."""
        return "on_leads" in unit.effects

    def has(self, unit: Unit, role: str) -> bool:
        """Is there a living officer, medic or mechanic (d47.command.specialists, d47.command.officer_sources)?"""
        for part in unit.parts:
            if any(part.card.has(skill) for skill in HERO_SKILLS[role]) and part.left > 0:
                return True
            if part.card.has("Command Squad") and self.soldier(part, role):
                return True
        return False

    def soldier(self, part: Part, role: str) -> bool:
        """Does a living soldier of the part hold the role? It is lost with him (d47.command.specialists)."""
        soldiers = part.card.soldiers
        return any(role in soldiers[man].roles for man in part.alive)

    def _may_command(self, play: Play, unit: Unit, role: str, ahead: int = 0) -> bool:
        """From vehicles all may command, from aircraft officers only; mounted mechanics repair nothing.

        Who moves first has left his vehicle by then.

        d47.command.from_ground_vehicle, d47.command.from_aircraft, d47.command.makeshift_repair_mounted,
        d47.open.mechanic_mounted.
        """
        pilot = any(part.role == "pilot" for part in unit.parts)
        if unit.status != ABOARD or ahead:
            return bool(unit.on_board or ahead) and not (pilot and role == MECHANIC)
        carrier = play.state.by_id[unit.aboard]
        if carrier.is_aircraft:
            return role == OFFICER
        if role == MECHANIC:
            return bool(play.state.options.get("mechanic_mounted", "never") == "other_vehicles")
        return True

    # -- radios ---------------------------------------------------------------------------------

    def has_radio(self, play: Play, unit: Unit) -> bool:
        """May the unit's officer use a radio (d47.command.radio_operator, d47.command.hero_radio_sources)?"""
        carrier = play.state.by_id.get(unit.aboard) if unit.status == ABOARD else None
        for part in unit.parts:
            if part.left <= 0:
                continue
            squad = part.card.has("Command Squad")
            if squad and self._squad_radio(part, carrier):
                return True
            if part.card.kind == "hero" and part.card.has("Officer"):
                if part.card.armour >= 3:  # d47.command.armored_officer_radio
                    return True
                if part.role == "pilot" or carrier is not None:  # d47.command.vehicle_radio
                    return True
        return False

    def _squad_radio(self, part: Part, carrier: Unit | None) -> bool:
        """The squad's own operator, or one lent by a Command Vehicle (d47.skill.command_vehicle_radio)."""
        if self.soldier(part, "radio"):
            return True
        if part.card.armour >= 3 and self.soldier(part, OFFICER):  # d47.command.armored_officer_radio
            return True
        return carrier is not None and "on_lends_radio" in carrier.effects  # d47.open.vehicle_radio_squads

    def jammed(self, play: Play, unit: Unit) -> bool:
        """Is an enemy jammer within range 6 of the one who uses the radio (d47.skill.jammer_radio)?"""
        place = play.rules.transport.carrier_or_self(play, unit)
        return any(
            "on_jams" in other.effects and play.rules.ground.near(play.state, place, other, 6)
            for other in play.state.on_board(1 - unit.side)
        )

    # -- who can be ordered ---------------------------------------------------------------------

    def in_voice(
        self, play: Play, unit: Unit, order: str, most: int = VOICE, ahead: int = 0, wanted: Wanted = anybody
    ) -> list[Unit]:
        """Friendly units near enough and in sight (d47.open.command_targets); of those only the wanted ones.

        With `ahead` those a movement of so many squares could bring near; what is seen from there nobody knows yet.

        d47.transport.skills_not_on_vehicle.
        """
        friends = [other for other in play.state.on_board(unit.side) if wanted(other)]
        if not friends:
            return []
        here = play.rules.transport.carrier_or_self(play, unit)
        ground = play.rules.ground
        if ahead:
            return [
                other
                for other in friends
                if (other in (unit, here) or not here.where or ground.near(play.state, here, other, most + ahead))
                and self.may_receive(order, other)
            ]
        return [
            other
            for other in friends
            if (other is unit or (other is not here and ground.near(play.state, here, other, most)))
            and (other is unit or ground.sees(play.state, here, other))
            and self.may_receive(order, other)
        ]

    def by_radio(self, play: Play, unit: Unit, order: str, wanted: Wanted = anybody) -> list[Unit]:
        """With a radio: friendly units anywhere on the play area, the own transport excepted."""
        friends = [other for other in play.state.of_side(unit.side) if wanted(other)]
        if not friends or not self.has_radio(play, unit):
            return []
        return [
            other
            for other in friends
            if other.status in ("board", ABOARD) and other.id != unit.aboard and self.may_receive(order, other)
        ]

    def in_hearing(self, play: Play, unit: Unit, order: str, ahead: int = 0, wanted: Wanted = anybody) -> list[Unit]:
        """Everybody wanted whom an officer can reach, by voice or radio, in the order of the units."""
        hearers = {other.id for other in self.in_voice(play, unit, order, ahead=ahead, wanted=wanted)}
        hearers.update([other.id for other in self.by_radio(play, unit, order, wanted)])
        return [other for other in play.state.units if other.id in hearers] if hearers else []

    def may_receive(self, order: str, unit: Unit) -> bool:
        """Some natures cannot be ordered; hidden spies cannot be reached.

        d47.open.superhuman_vs_command.
        """
        return "on_ordered" not in unit.effects or ask(unit.effects, "on_ordered", None, order, unit) is None

    # -- rolling --------------------------------------------------------------------------------

    def roll(
        self, activation: Activation, label: str, rule: str, faces: int, radio: bool, dice: int = 1
    ) -> Generator[Any, Any, int]:
        """The roll of a command action: a command vehicle rolls failures again, a jammer successes."""
        play, unit = activation.play, activation.unit
        throw = task(label, rule, faces)
        jammed = radio and self.jammed(play, unit)
        mounted = unit.status == ABOARD and play.state.by_id[unit.aboard].has("Command Vehicle")
        if jammed:
            throw.rerolls += (Reroll(True, SAME_FACES, "d47.skill.jammer_radio"),)
        if mounted:
            throw.rerolls += (Reroll(False, SAME_FACES, "d47.skill.command_vehicle_reroll"),)
        settle(throw)
        if jammed and mounted:  # the jammer strikes the second try too (d47.skill.jammer_command_vehicle)
            throw.rerolls += (Reroll(True, throw.faces, "d47.skill.jammer_command_vehicle"),)
        throw, dice = ask(unit.effects, "on_command_roll", (throw, dice), label, unit, play)
        thrown = yield from play.throw(throw, dice, unit.side, unit.id)
        return thrown.successes

    def choose(
        self, activation: Activation, key: str, units: list[Unit], rule: str, text: str
    ) -> Generator[Any, Any, Unit]:
        play = activation.play
        chosen = yield PickOne(
            activation.unit.side,
            key,
            [other.id for other in units],
            labels=lambda other: play.state.by_id[other].name,
            text=f"{activation.unit.name}: {text}",
            rule=rule,
            unit=activation.unit.id,
            act="support",
            about=on_unit("support", activation.unit.id),
        )
        receiver: Unit = play.state.by_id[chosen]
        return receiver

    def _by_radio_or_voice(
        self, activation: Activation, voice: list[Unit], radio: list[Unit]
    ) -> Generator[Any, Any, bool]:
        """Voice or radio is settled before the dice; asked only if it can make a difference."""
        if not radio:
            return False
        if not voice or not self.jammed(activation.play, activation.unit):
            return True
        answer = yield PickOne(
            activation.unit.side,
            "order-by",
            ["voice", "radio"],
            text="Give the order by voice or by the jammed radio?",
            rule="d47.skill.jammer_radio",
            unit=activation.unit.id,
            act="choose",
        )
        return bool(answer == "radio")

    # -- the officer's orders -------------------------------------------------------------------

    def to_reactivate(self, play: Play, unit: Unit, ahead: int = 0) -> list[Unit]:
        """Units that could be activated again: done this turn, not reactivated yet (d47.command.get_moving_once)."""
        voice, radio = self._reactivable(play, unit, False, ahead), self._reactivable(play, unit, True)
        return [*dict.fromkeys([*voice, *radio])]

    def _reactivable(self, play: Play, unit: Unit, radio: bool, ahead: int = 0) -> list[Unit]:
        order = "get-moving"
        flying = radio and play.state.options.get("get_moving_aircraft", "by_radio") == "by_radio"

        def wanted(other: Unit) -> bool:
            done = other.flags & (ACTIVATED | REACTIVATED) == ACTIVATED
            return done and other is not unit and (not other.is_aircraft or flying)  # d47.open.get_moving_aircraft

        if radio:
            return self.by_radio(play, unit, order, wanted)
        return self.in_voice(play, unit, order, ahead=ahead, wanted=wanted)

    def get_moving(self, activation: Activation) -> Procedure:
        """On ARMY another unit acts again at once; the officer's own activation ends (d47.command.get_moving)."""
        play, unit = activation.play, activation.unit
        voice, radio = self._reactivable(play, unit, False), self._reactivable(play, unit, True)
        if not voice and not radio:
            activation.lost("get moving", NOBODY)
            return
        by_radio = yield from self._by_radio_or_voice(activation, voice, radio)
        successes = yield from self.roll(activation, "get moving", "d47.command.get_moving", ARMY, by_radio)
        if not successes:
            return
        rule = "d47.command.get_moving_radio" if by_radio else "d47.command.get_moving"
        chosen = yield from self.choose(activation, "get-moving", radio if by_radio else voice, rule, "who acts again?")
        for answer in unit.effects.get("on_reactivates", ()):
            answer(play, unit, chosen)
        yield from self.reactivate(activation, chosen, rule)

    def reactivate(self, activation: Activation, chosen: Unit, rule: str) -> Procedure:
        """A complete new activation, once per turn and unit.

        d47.command.get_moving_once, d47.open.reactivation_full.
        """
        play = activation.play
        activation.ended = True
        chosen.set(REACTIVATED)
        play.emit(Happened(rule, f"{chosen.name} is activated again", chosen.id))
        yield from play.rules.activations.run(play, chosen, reactivation=True)

    def _shaken(self, unit: Unit) -> bool:
        return bool(unit.flags & (UNDER_FIRE | SUPPRESSED | STUNNED | GRAPPLED))

    def rally(self, activation: Activation) -> Procedure:
        """All within hearing, or one unit by radio; two dice each (d47.command.rally_scope, d47.command.rally_roll)."""
        play, unit = activation.play, activation.unit
        near = [other for other in self.in_voice(play, unit, "rally") if self._shaken(other)]
        far = [other for other in self.by_radio(play, unit, "rally") if self._shaken(other)]
        options: list[Any] = ["near"] if near else []
        options += [other.id for other in far]
        if not options:
            activation.lost("rally", NOBODY)
            return
        chosen = yield PickOne(
            unit.side,
            "rally",
            options,
            labels=lambda o: "everybody within hearing" if o == "near" else f"{play.state.by_id[o].name} by radio",
            text=f"{unit.name}: whom to rally?",
            rule="d47.command.rally_scope",
            unit=unit.id,
            act="rally",
            about=lambda o: About("rally", unit.id, targets=tuple(n.id for n in near) if o == "near" else (o,)),
        )
        rallied = near if chosen == "near" else [play.state.by_id[chosen]]
        for other in rallied:
            yield from self._rally_one(activation, other, radio=chosen != "near")

    def _rally_one(self, activation: Activation, other: Unit, radio: bool) -> Procedure:
        play = activation.play
        dice = play.rules.suppression.recovery_dice(play, other)  # d47.open.red_banner_rally
        successes = yield from self.roll(activation, "rally", "d47.command.rally_roll", ARMY, radio, dice)
        if successes >= 2:
            for token in (STUNNED, GRAPPLED):  # d47.open.rally_stunned, d47.open.grapple_vs_stun
                play.rules.suppression.drop(play, other, token, "d47.command.rally_roll")
            other.held_by = ""
        play.rules.suppression.shake_off(play, other, successes)

    def to_supply(self, play: Play, unit: Unit, ahead: int = 0) -> list[Unit]:
        """Ground units that have used up ammunition."""
        return self.in_hearing(
            play, unit, "ammo-drop", ahead, lambda other: self.spent_ammo(other) and not other.is_aircraft
        )

    def spent_ammo(self, unit: Unit) -> bool:
        for part in unit.parts:  # noqa: SIM110 (asked very often)
            if part.ammo and any(part.ammo.values()):
                return True
        return False

    def ammo_drop(self, activation: Activation) -> Procedure:
        """On ARMY or TARGET a unit's ammunition is full again (d47.command.ammo_drop, d47.command.ammo_drop_radio)."""
        play, unit = activation.play, activation.unit
        voice = [other for other in self.in_voice(play, unit, "ammo-drop") if other in self.to_supply(play, unit)]
        radio = [other for other in self.by_radio(play, unit, "ammo-drop") if other in self.to_supply(play, unit)]
        if not voice and not radio:
            activation.lost("ammo drop", NOBODY)
            return
        by_radio = yield from self._by_radio_or_voice(activation, voice, radio)
        faces = ARMY | TARGET
        successes = yield from self.roll(activation, "ammo drop", "d47.command.ammo_drop", faces, by_radio)
        if successes:
            rule = "d47.command.ammo_drop_radio" if by_radio else "d47.command.ammo_drop"
            able = radio if by_radio else voice
            chosen = yield from self.choose(activation, "ammo-drop", able, rule, "who gets ammunition?")
            self.refill(play, chosen, rule)

    def refill(self, play: Play, unit: Unit, rule: str) -> None:
        """All limited-ammo weapons of a unit are full again."""
        for part in unit.parts:
            part.ammo = None
        play.emit(Happened(rule, f"{unit.name} has full ammunition again", unit.id))

    # -- the medic ------------------------------------------------------------------------------

    def near_medic(self, play: Play, unit: Unit, order: str, ahead: int = 0) -> list[Unit]:
        """Infantry within range 1 and sight of the medic, his own unit included."""
        return [other for other in self.in_voice(play, unit, order, 1, ahead) if other.is_infantry]

    def to_heal(self, play: Play, unit: Unit, ahead: int = 0) -> list[Unit]:
        return [other for other in self.near_medic(play, unit, "get-up", ahead) if self.wounds(other)]

    def wounds(self, unit: Unit) -> list[Part]:
        """Parts that have lost something and are still in play.

        d47.open.heal_eliminated_unit, d47.open.heal_combined.
        """
        return [part for part in unit.fighters() if 0 < part.left < full(part)]

    def get_up(self, activation: Activation) -> Procedure:
        """On ARMY or SHIELD a soldier returns or a point is healed (d47.command.get_up)."""
        play = activation.play
        able = self.to_heal(play, activation.unit)
        if not able:
            activation.lost("get up", NOBODY)
            return
        successes = yield from self.roll(activation, "get up", "d47.command.get_up", ARMY | SHIELD, False)
        if not successes:
            return
        chosen = yield from self.choose(activation, "get-up", able, "d47.command.get_up", "who is helped up?")
        hurt = self.wounds(chosen)
        part = hurt[0]
        if len(hurt) > 1:
            place = yield PickOne(
                activation.unit.side,
                "heal-part",
                list(range(len(hurt))),
                labels=lambda place: hurt[place].card.name,
                text="Whom does the medic help?",
                rule="d47.open.heal_combined",
                unit=chosen.id,
                act="support",
                about=lambda place: About("support", activation.unit.id, targets=(chosen.id,)),
            )
            part = hurt[place]
        yield from self.heal(play, chosen, part, 1, "d47.command.get_up")

    def heal(self, play: Play, unit: Unit, part: Part, points: int, rule: str) -> Procedure:
        """Points off a track, or soldiers back, never above full strength; ammunition stays spent.

        d47.command.get_up_ammo.

        d47.open.medevac_passengers.
        """
        healed = min(points, full(part) - part.left)
        if not healed:
            return
        if part.squad:
            for _ in range(healed):
                yield from self._return_soldier(play, unit, part, rule)
        else:
            part.damage -= healed
        play.emit(Healed(rule, unit.id, part.card.name, healed))

    def _return_soldier(self, play: Play, unit: Unit, part: Part, rule: str) -> Procedure:
        """Which of the lost comes back, with his role and weapons; those alike are offered once."""
        lost: dict[tuple[Any, ...], int] = {}
        for number, man in enumerate(part.card.soldiers):
            if number not in part.alive:
                lost.setdefault((man.roles, man.weapons), number)
        chosen = yield PickOne(
            unit.side,
            "return-soldier",
            list(lost.values()),
            labels=lambda man: part.card.soldiers[man].name,
            text=f"{unit.name}: who comes back?",
            rule=rule,
            unit=unit.id,
            act="support",
        )
        part.alive = tuple(sorted((*part.alive, chosen)))

    def to_stimulate(self, play: Play, unit: Unit, ahead: int = 0) -> list[Unit]:
        return [other for other in self.near_medic(play, unit, "stimulants", ahead) if not other.is_(STIMULATED)]

    def give_stimulants(self, activation: Activation) -> Procedure:
        """No roll: one infantry unit gets the token (d47.command.stimulants_give)."""
        play = activation.play
        able = self.to_stimulate(play, activation.unit)
        if not able:
            activation.lost("stimulants", NOBODY)
            return
        rule = "d47.command.stimulants_give"
        chosen = yield from self.choose(activation, "stimulants", able, rule, "who gets stimulants?")
        chosen.set(STIMULATED)
        play.emit(TokenGained(rule, chosen.id, TOKEN_NAMES[STIMULATED]))

    def use_stimulants(self, activation: Activation) -> Procedure:
        """The token is rolled for when its bearer activates (d47.command.stimulants_use).

        d47.open.stimulants_no_matching_action.
        """
        play, unit = activation.play, activation.unit
        if not unit.is_(STIMULATED):
            return
        unit.drop(STIMULATED)
        rule = "d47.command.stimulants_use"
        thrown = yield from play.throw(task("stimulants", rule, ARMY), 1, unit.side, unit.id)
        face = thrown.stages[0][1][0]
        effect = {TARGET_FACE: "attack", SHIELD_FACE: "move"}.get(face, "")
        if not effect:
            effect = yield PickOne(
                unit.side,
                "stimulants-effect",
                ["attack", "move"],
                text="Which effect?",
                rule=rule,
                unit=unit.id,
                act="choose",
            )
        key = "sustain_attack" if effect == "attack" else "march_instead"
        activation.memory[key] = True
        activation.budget = min(activation.budget, 2)  # d47.command.stimulants_cap
        words = "its ATTACK is sustained" if effect == "attack" else "its MOVE is a MARCH MOVE"
        play.emit(Happened(rule, f"{unit.name} is stimulated: {words}", unit.id))

    # -- the mechanic ---------------------------------------------------------------------------

    def to_repair(self, play: Play, unit: Unit, ahead: int = 0) -> list[Unit]:
        """Damaged vehicles within range 1 and sight, never the mechanic's own (d47.skill.mechanic)."""
        return [
            other
            for other in self.in_voice(play, unit, "repair", 1, ahead)
            if other is not unit and not other.is_infantry and (other.main.damage or other.criticals)
        ]

    def repair(self, activation: Activation) -> Procedure:
        """Five dice, every ARMY restores a point; or one critical hit is mended (d47.command.makeshift_repair)."""
        able = self.to_repair(activation.play, activation.unit)
        if not able:
            activation.lost("repair", NOBODY)
            return
        rule = "d47.command.makeshift_repair"
        chosen = yield from self.choose(activation, "repair", able, rule, "which vehicle is repaired?")
        yield from self.mend(activation, chosen)

    def mend(self, activation: Activation, vehicle: Unit) -> Procedure:
        """Damage, or one critical of choice without a roll.

        d47.critical.single_repair, d47.open.repair_critical_roll.
        """
        play = activation.play
        options: list[str] = ["damage"] if vehicle.main.damage else []
        options += list(vehicle.criticals)
        what = yield PickOne(
            activation.unit.side,
            "mend",
            options,
            text=f"Repair what on {vehicle.name}?",
            rule="d47.critical.single_repair",
            unit=vehicle.id,
            act="support",
            about=lambda what: About("support", activation.unit.id, targets=(vehicle.id,)),
        )
        if what != "damage":
            play.rules.criticals.repair_one(play, vehicle, what, "d47.critical.single_repair")
            return
        rule = "d47.command.makeshift_repair"
        successes = yield from self.roll(activation, "repair", rule, ARMY, False, 5)
        yield from self.heal(play, vehicle, vehicle.main, successes, rule)
        if not vehicle.main.damage:  # d47.critical.full_repair
            play.rules.criticals.full_repair(play, vehicle)

    # -- what orders leave behind ---------------------------------------------------------------

    def change_hits(self, hit: Throw, shot: Shot) -> Throw:
        """Vehicles shooting at an aircraft on alert hit on TARGET too (d47.skill.air_alert)."""
        used = shot.play.state.sides[shot.unit.side].used
        if used and shot.unit.is_vehicle and shot.target.is_aircraft and f"alert:{shot.target.id}" in used:
            return widen(hit, TARGET, "d47.skill.air_alert", "air alert: TARGET hits too")
        return hit

    def change_menu(self, menu: Menu) -> Menu:
        """A unit sent on by an order that lends At the Double may add a MOVE to its MARCH (d47.skill.desert_fox)."""
        if menu.activation.unit.is_(DOUBLE_TIME):
            for sequence in list(menu.sequences):
                if sequence[-1:] == ("march",):
                    menu.add((*sequence, "free:move"))
        return menu


HERO_SKILLS = {OFFICER: ("Officer", "General"), MEDIC: ("Combat Medic",), MECHANIC: ("Mechanic",)}
"""Skills that make a single model a specialist; in command squads soldiers hold the roles."""


def full(part: Part) -> int:
    """The strength of a part that has lost nothing."""
    return len(part.card.soldiers) if part.squad else part.card.damage
