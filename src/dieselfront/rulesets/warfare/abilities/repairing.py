"""Special actions that mend: mechanics, medics, self repair, serum, engineers (dw.ability.mechanic,
dw.ability.tank_head, dw.ability.self_repair, dw.ability.medic, dw.ability.wiederbelebungsserum*,
dw.ability.engineer_vehicle*).
"""

from __future__ import annotations

from typing import Any, ClassVar

from dieselfront.dice import Throw
from dieselfront.kernel.decisions import PickOne, PlaceFree
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.abilities.blutkreuz import ZOMBIE
from dieselfront.rulesets.warfare.activation import MOVE as MOVE_ACTION
from dieselfront.rulesets.warfare.events import Placed, Used
from dieselfront.rulesets.warfare.going import REGROUP, Clearance, Move
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.hooks import Ability
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.spots import SpotRegion, box_round
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.rulesets.warfare.throws import combat, inverted
from dieselfront.rulesets.warfare.weapon_rules.tools import clear, defences_within
from dieselfront.table.measured.shapes import Body, distance, is_within, overlaps

CARE_INCHES = 6
OBSTACLE_INCHES = 3
REPAIR, SELF_REPAIR, HEAL, REGENERATE, CLEAR = "repair", "self repair", "heal", "regenerate", "remove an obstacle"
Actions = tuple[str, ...]
Relief = tuple[str, int]  # "point" or "casualty", figure


class Care(Ability):
    """A special action on a friendly unit in unblocked sight no more than 6" away (dw.open.medic_targets)."""

    action: ClassVar[str] = ""

    def needs(self, patient: Unit) -> bool:
        """Is there anything to mend?"""
        raise NotImplementedError

    def carers(self, unit: Unit) -> list[int]:
        return unit.bearers(self.name) or list(unit.men)

    def patients(self, state: State, unit: Unit, more: int = 0) -> list[Unit]:
        """Whom it could be done to now, or after a move of so many inches."""
        near = [one for one in (unit, *state.friends(unit)) if self.needs(one)]
        if more:
            return [one for one in near if ground.within(unit, one, CARE_INCHES + more)]
        return [one for one in near if self.reaches(state, unit, one)]

    def reaches(self, state: State, unit: Unit, patient: Unit) -> bool:
        if patient is unit:
            return True
        blockers = ground.hulls(state, unit, patient)
        eyes = [unit.body_of(man) for man in self.carers(unit)]
        return any(
            distance(eye, body) <= CARE_INCHES * INCH and ground.sees_body(state, unit, eye, patient, body, blockers)
            for eye in eyes
            for body in patient.bodies
        )

    def on_specials(self, names: list[str], unit: Unit, state: State) -> list[str]:
        return [*names, self.action] if self.patients(state, unit) else names

    def on_menu(self, menu: list[Actions], unit: Unit, state: State, count: int) -> list[Actions]:
        """A move may bring it to somebody in need (dw.open.declare_upfront)."""
        after = (MOVE_ACTION, self.action)
        possible = (MOVE_ACTION,) in menu and count >= 2 and after not in menu
        return [*menu, after] if possible and self.patients(state, unit, unit.card.move) else menu

    def on_special(self, done: bool, play: Play, unit: Unit, name: str) -> Procedure:
        if done or name != self.action:
            return done
        patients = self.patients(play.state, unit)
        if patients:
            id = yield PickOne(
                unit.side,
                self.action,
                [patient.id for patient in patients],
                text=f"{unit.name}: whom does it {self.action}?",
                rule=self.rule,
                unit=unit.id,
                labels=lambda id: f"{play.state.unit(id).name} ({id})",
                act="support",
                about=lambda id: About(act="support", unit=unit.id, targets=(id,)),
            )
            play.emit(Used(self.rule, unit.id, f"{self.name}: {self.action}"))
            yield from self.mend(play, unit, play.state.unit(id))
        return True

    def mend(self, play: Play, unit: Unit, patient: Unit) -> Procedure:
        raise NotImplementedError


# -- vehicles -------------------------------------------------------------------------------------------------


def is_damaged(unit: Unit) -> bool:
    return unit.is_machine and not unit.is_high and bool(unit.effects or unit.wounds)


def repair_throw(play: Play, unit: Unit, vehicle: Unit, rule: str) -> Throw:
    """The die that removes a point of damage; inverted by an ability or a tool, at most once
    (dw.open.invert_twice)."""
    throw: Throw = unit.ask("on_repair_throw", combat(f"repair of {vehicle.name}", rule), unit)
    throw = play.rules.attacking.ask_carried("on_repair_throw", throw, unit, unit)
    return throw


def repair(play: Play, unit: Unit, vehicle: Unit, rule: str) -> Procedure:
    """One effect of the damage table is gone, and a point of damage if the die says so
    (dw.open.damage_effects_repairable)."""
    if vehicle.effects:
        effect = yield PickOne(
            unit.side,
            "repaired effect",
            list(vehicle.effects),
            text=f"Which damage of {vehicle.name} is repaired?",
            rule=rule,
            unit=unit.id,
            act="support",
            about=lambda effect: About(act="support", unit=unit.id, targets=(vehicle.id,)),
        )
        play.rules.damage.heal_effect(play, vehicle, effect, rule)
    if vehicle.wounds:
        thrown = yield from play.throw(repair_throw(play, unit, vehicle, rule), 1, unit.side, unit.id)
        play.rules.damage.heal_points(play, vehicle, vehicle.men[0], thrown.successes, rule)


class Mechanic(Care):
    """Repairs a vehicle or low aircraft (dw.ability.mechanic)."""

    name = "Mechanic"
    rule = "dw.ability.mechanic"
    action = REPAIR

    def needs(self, patient: Unit) -> bool:
        return is_damaged(patient)

    def mend(self, play: Play, unit: Unit, patient: Unit) -> Procedure:
        yield from repair(play, unit, patient, self.rule)


class EngineerVehicleMechanic(Mechanic):
    """An engineer vehicle is a mechanic (dw.ability.engineer_vehicle_mechanic)."""

    name = "Engineer Vehicle"
    rule = "dw.ability.engineer_vehicle_mechanic"


class TankHead(Mechanic):
    """Repairs like a mechanic, but a BLANK removes the point of damage (dw.ability.tank_head)."""

    name = "Tank Head"
    rule = "dw.ability.tank_head"

    def on_repair_throw(self, throw: Throw, unit: Unit) -> Throw:
        return inverted(throw, self.rule, "Tank Head: inverted")


class SelfRepair(Ability):
    """The vehicle repairs itself (dw.ability.self_repair)."""

    name = "Self Repair"
    rule = "dw.ability.self_repair"

    def on_specials(self, names: list[str], unit: Unit, state: State) -> list[str]:
        return [*names, SELF_REPAIR] if is_damaged(unit) else names

    def on_special(self, done: bool, play: Play, unit: Unit, name: str) -> Procedure:
        if done or name != SELF_REPAIR:
            return done
        if is_damaged(unit):
            play.emit(Used(self.rule, unit.id, self.name))
            yield from repair(play, unit, unit, self.rule)
        return True


class ExpertRepair(Ability):
    """The same item where a card lists it among the abilities (dw.weapon.expert_repair)."""

    name = "Expert Repair"
    rule = "dw.weapon.expert_repair"

    def on_repair_throw(self, throw: Throw, unit: Unit) -> Throw:
        return inverted(throw, self.rule, "Expert Repair: inverted")


class EngineerVehicle(Ability):
    """Removes an obstacle within 3" without a roll (dw.ability.engineer_vehicle)."""

    name = "Engineer Vehicle"
    rule = "dw.ability.engineer_vehicle"

    def obstacles(self, state: State, unit: Unit) -> list[str]:
        return [piece.id for piece in defences_within(state, unit, unit.men[0], OBSTACLE_INCHES)]

    def on_specials(self, names: list[str], unit: Unit, state: State) -> list[str]:
        return [*names, CLEAR] if self.obstacles(state, unit) else names

    def on_special(self, done: bool, play: Play, unit: Unit, name: str) -> Procedure:
        if done or name != CLEAR:
            return done
        options = self.obstacles(play.state, unit)
        if options:
            piece = yield PickOne(
                unit.side,
                "obstacle",
                options,
                text=f"Which obstacle does {unit.name} remove?",
                rule=self.rule,
                unit=unit.id,
                act="attack",
                about=lambda piece: About(act="attack", unit=unit.id),
            )
            clear(play, unit, piece, self.rule)
        return True


# -- soldiers --------------------------------------------------------------------------------------------------


def casualties(unit: Unit) -> list[int]:
    """Figures that could come back: no heroes, nor the dead squad of a hero left alone (dw.open.medic_targets)."""
    if unit.is_lone_hero:
        return []
    return [man for man, figure in enumerate(unit.figures) if man not in unit.men and not figure.is_hero]


def reliefs(unit: Unit) -> list[Relief]:
    """What a point of healing could do: take damage off a figure, or bring one back."""
    hurt: list[Relief] = [("point", man) for man in unit.men if unit.wounds.get(man)]
    fallen = {(unit.figures[man].card.id, unit.figures[man].weapons): man for man in reversed(casualties(unit))}
    return [*hurt, *[("casualty", man) for man in sorted(fallen.values())]]


def relieve(play: Play, by: Unit, unit: Unit, rule: str, whole: bool) -> Procedure:
    """One point recovered, or one casualty back, as the owner likes; a returning figure is `whole` or has one point."""
    options = reliefs(unit)
    if not options:
        return
    kind, man = yield PickOne(
        by.side,
        "recovery",
        options,
        text=f"What does {unit.name} recover?",
        rule=rule,
        unit=unit.id,
        labels=lambda one: _relief_label(play, unit, one),
        act="support",
        about=lambda one: About(act="support", unit=by.id, targets=(unit.id,)),
    )
    if kind == "point":
        play.rules.damage.heal_points(play, unit, man, 1, rule)
    else:
        yield from bring_back(play, unit, man, rule, whole)


def _relief_label(play: Play, unit: Unit, relief: Relief) -> str:
    name = f"{play.rules.man_name(unit, relief[1])} {relief[1] + 1}"
    return f"1 point on {name}" if relief[0] == "point" else f"{name} comes back"


def bring_back(play: Play, unit: Unit, man: int, rule: str, whole: bool) -> Procedure:
    """The figure is set down in formation, clear of everybody and 1" from enemies."""
    state: State = play.state
    leader = unit.acting_leader if unit.acting_leader in unit.men else unit.men[0]
    assert leader is not None
    region = ReturnRegion(state, unit, man, unit.body_of(leader))
    answer = yield PlaceFree(
        unit.side,
        "return",
        region,
        text=f"Where does the miniature of {unit.name} come back?",
        rule=rule,
        unit=unit.id,
        act="support",
        about=lambda spot: About(act="support", unit=unit.id, places=(tuple(spot[:2]),) if spot else ()),
    )
    bodies = region.bodies(answer)
    if isinstance(bodies, str) or not bodies:
        return
    place = sum(other < man for other in unit.men)
    unit.men.insert(place, man)
    unit.bodies.insert(place, bodies[0])
    unit.wounds.pop(man, None)
    if not whole and unit.figures[man].card.capacity > 1:
        unit.wounds[man] = unit.figures[man].card.capacity - 1
    play.rules.outfit.refresh(state, unit)
    play.emit(Placed(rule, unit.id, "gets a miniature back", unit.spots, unit.heading))


class ReturnRegion(SpotRegion):
    """Where one miniature may join its unit again: within Leadership range of the leader, on free ground."""

    def __init__(self, state: State, unit: Unit, man: int, leader: Body) -> None:
        reach = ground.leadership(unit)
        table = state.table

        def free(body: Body) -> bool:
            return is_within(leader, body, reach) and not any(overlaps(body, mate) for mate in unit.bodies)

        box = box_round([leader], reach)
        box = (max(0, box[0]), max(0, box[1]), min(table.width, box[2]), min(table.depth, box[3]))
        refusal = f'it comes back within {unit.card.leadership}" of the leader, on free ground'
        super().__init__(Clearance(Move(state, unit, REGROUP)), unit, box, free, unit.heading, refusal, pace=30)
        self.order = [man]

    def bodies(self, answer: Any) -> list[Body] | str:
        bodies = super().bodies(answer)
        return bodies if isinstance(bodies, str) or not bodies or self.test(bodies[0]) else self.refusal


class Medic(Care):
    """Takes off a suppression marker; on a HIT a point of damage or a casualty is recovered (dw.ability.medic)."""

    name = "Medic"
    rule = "dw.ability.medic"
    action = HEAL

    def needs(self, patient: Unit) -> bool:
        return patient.is_soldier and bool(patient.suppression or reliefs(patient))

    def mend(self, play: Play, unit: Unit, patient: Unit) -> Procedure:
        play.rules.suppression.calm(play, patient, 1, self.rule)
        if reliefs(patient):
            thrown = yield from play.throw(combat(f"{unit.name} heals", self.rule), 1, unit.side, unit.id)
            if thrown.successes:
                yield from relieve(play, unit, patient, self.rule, whole=True)


class ZombieMedic(Medic):
    """The serum heals, but zombies only (dw.ability.wiederbelebungsserum_medic)."""

    name = "Wiederbelebungsserum"
    rule = "dw.ability.wiederbelebungsserum_medic"
    action = "heal zombies"

    def needs(self, patient: Unit) -> bool:
        return patient.has(ZOMBIE) and super().needs(patient)


class Serum(Ability):
    """Regenerate: a die for each point the unit has lost, a point back for each HIT
    (dw.ability.wiederbelebungsserum)."""

    name = "Wiederbelebungsserum"
    rule = "dw.ability.wiederbelebungsserum"

    def lost(self, unit: Unit) -> int:
        fallen = sum(unit.figures[man].card.capacity for man in casualties(unit))
        return fallen + sum(unit.wounds.get(man, 0) for man in unit.men)

    def on_specials(self, names: list[str], unit: Unit, state: State) -> list[str]:
        return [*names, REGENERATE] if self.lost(unit) else names

    def on_special(self, done: bool, play: Play, unit: Unit, name: str) -> Procedure:
        if done or name != REGENERATE:
            return done
        play.emit(Used(self.rule, unit.id, REGENERATE))
        thrown = yield from play.throw(combat("regenerate", self.rule), self.lost(unit), unit.side, unit.id)
        for _ in range(thrown.successes):
            yield from relieve(play, unit, unit, self.rule, whole=False)
        return True


__all__ = ["CLEAR", "HEAL", "REGENERATE", "REPAIR", "SELF_REPAIR"]
