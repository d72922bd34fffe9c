"""Assaults on vehicles and by vehicles: infantry against armour, walkers, overruns (k47.cqv.*, k47.cqw.*)."""

from __future__ import annotations

from dieselfront.dice import D6, Dice, Reading
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.stakes import Stake
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import WALKER_PEN
from dieselfront.rulesets.konflikt47.damage import ArmourHit, Volley
from dieselfront.rulesets.konflikt47.events import Assaulted, Counted, Damaged, FightRound
from dieselfront.rulesets.konflikt47.fight_plans import hit_throw
from dieselfront.rulesets.konflikt47.firing import POINT_BLANK, Wound
from dieselfront.rulesets.konflikt47.going import Clearance
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.plans import SUPERFICIAL
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.routes import DriveLimits, DriveRegion, Reach, Route
from dieselfront.rulesets.konflikt47.shooting import FACING_NAME
from dieselfront.rulesets.konflikt47.state import ADVANCE, RUN, State, Unit
from dieselfront.rulesets.konflikt47.throws import fell, number
from dieselfront.table.measured.angles import heading_of, turn_between
from dieselfront.table.measured.arcs import facing_shot_at
from dieselfront.table.measured.movement import ahead_of
from dieselfront.table.measured.shapes import Body, distance

CANNOT = 7


class VehicleAssault(Chapter):
    """Close quarters with at least one vehicle in it."""

    # -- infantry against vehicles ------------------------------------------------------------------------

    def has_anti_tank(self, unit: Unit) -> bool:
        """Shaped charges, AT grenades, flamethrowers, Tank Hunters, Strong (k47.open.at_weapons,
        k47.special.tank_hunters)."""
        if unit.is_vehicle or unit.hunts_tanks:
            return True
        carried = [unit.weapon(index) for man in unit.men for index in unit.weapons_of(man)]
        return any(weapon.anti_tank for weapon in carried)

    def needs_nerve(self, unit: Unit, target: Unit) -> bool:
        """Without anti-tank weapons closed armour takes nerve (k47.cqv.nerve, k47.open.assault_nerve_combined)."""
        return unit.is_infantry and target.is_enclosed and not self.has_anti_tank(unit)

    def score(self, state: State, vehicle: Unit, advanced: bool = False) -> int:
        """What a die needs to hit it: by what the vehicle did this turn (k47.cqv.to_hit)."""
        if vehicle.evaded:  # k47.vehicle.recce_assault
            return 6
        if vehicle.halted or vehicle.immobilised:  # k47.vehicle.halted
            return 4
        order = vehicle.order
        if not order and state.options["vehicle_not_acted"] == "previous_order":  # k47.open.vehicle_not_acted
            order = vehicle.last_order
        if advanced or vehicle.counts_as_advanced:  # k47.cqw.hit_back
            order = ADVANCE
        return CANNOT if order == RUN else 6 if order == ADVANCE else 4

    def roll_hits(self, play: Play, unit: Unit, vehicle: Unit, dice: int) -> Procedure:
        """Dice against a vehicle, or against riders (k47.special.motorbikes)."""
        score = self.score(play.state, vehicle)
        if score > 6 or dice <= 0:
            return 0
        thrown = yield from play.throw(hit_throw(score), dice, unit.side, unit.id)
        return thrown.successes

    def storm_dice(self, unit: Unit) -> int:
        """One die per model, less one per pin (k47.cqv.modifiers)."""
        return max(0, sum(1 for man in unit.men if not unit.man(man).is_a("unarmed")) - unit.pins)

    def storm(self, play: Play, unit: Unit, vehicle: Unit) -> Procedure:
        """Hits, and one damage roll for all of them (k47.cqv.damage, k47.cqv.modifiers)."""
        hits = yield from self.roll_hits(play, unit, vehicle, self.storm_dice(unit))
        if not hits:
            return False
        yield from self.rules.morale.pin(play, vehicle, 1, "k47.cqv.pin")
        if not vehicle.alive:
            return True
        worth: int = unit.ask("on_vehicle_hit_worth", 1, unit)
        reading = Reading("k47.cqv.damage")
        faces = yield Dice(D6, 1, unit.side, "assault damage (D6 + hits)", reading=reading)
        total = faces[0] + 1 + hits * worth
        play.emit(Counted(reading.rule, unit.side, "assault damage", fell(faces), "D6 + hits", total, unit.id))
        assert vehicle.card.vehicle is not None
        value = vehicle.card.vehicle.value
        if total < value:
            return False
        return (yield from self.wrecked_by_hand(play, unit, vehicle, total, value))

    def wrecked_by_hand(self, play: Play, unit: Unit, vehicle: Unit, total: int, value: int) -> Procedure:
        """Soft and open vehicles are destroyed, enclosed ones roll on the table (k47.cqv.soft, k47.cqv.enclosed,
        k47.vehicle.open_topped)."""
        wound = Wound(play.state, None, 0, hand_to_hand=True)
        kept, _ = yield from self.rules.damage.ignored(
            play, Volley(unit, vehicle, "assault"), self.rules.plans.ignore(vehicle, wound), 1, 0
        )
        if not kept:
            return False
        if not vehicle.is_enclosed:
            yield from self.rules.losses.destroy(play, vehicle, "damaged in an assault", "k47.cqv.soft")
            return True
        grade = self.rules.damage.grade(total, value) if self.has_anti_tank(unit) else SUPERFICIAL
        rule = "k47.cqv.grade" if self.has_anti_tank(unit) else "k47.cqv.no_at"
        play.emit(Damaged(rule, vehicle.id, total, value, grade))
        bonus = self.rules.damage.table_bonus(vehicle, wound)
        yield from self.rules.damage.result(play, vehicle, ArmourHit(total, value, grade, "", bonus))
        return True

    # -- the fight -----------------------------------------------------------------------------------------

    def fight(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        """Which fight it is."""
        if unit.is_vehicle:
            unit.counts_as_advanced = True
            if target.is_vehicle:
                yield from self.punch(play, unit, target)
            else:
                yield from self.trample(play, unit, target)
            return
        yield from self.storm(play, unit, target)  # k47.cqw.assaulted: walkers do not strike back
        play.emit(Assaulted("k47.cqv.over", unit.id, target.id, "over"))
        if unit.alive:
            yield from self.regroup(play, unit)

    def regroup(self, play: Play, unit: Unit) -> Procedure:
        """D6" in any direction, more than 1" from the vehicle or its wreck (k47.cqv.regroup)."""
        far = yield from number(play, "D6", "regroup", "k47.cqv.regroup", unit.side, unit.id)
        yield from self.rules.movement.shift(play, unit, far * INCH, "k47.cqv.regroup", must_clear=True)

    # -- walkers ---------------------------------------------------------------------------------------------

    def can_turn_to(self, unit: Unit, target: Unit) -> bool:
        """One turn of up to 90 degrees must bring the target ahead (k47.cqw.assault)."""
        body = unit.bodies[0]
        aim = min(ground.all_bodies(target), key=lambda other: (distance(body, other), other.x, other.y))
        if (aim.x, aim.y) == (body.x, body.y):
            return False
        return turn_between(body.heading, heading_of(aim.x - body.x, aim.y - body.y)) <= 90

    def measure(self, state: State, unit: Unit, target: Unit) -> Reach:
        """Turn once, then straight into contact within the Run move (k47.cqw.assault)."""
        body = unit.bodies[0]
        aim = min(ground.presence(state, target), key=lambda other: (distance(body, other), other.x, other.y))
        start = distance(body, aim)
        heading = heading_of(aim.x - body.x, aim.y - body.y) if (aim.x, aim.y) != (body.x, body.y) else body.heading
        if turn_between(body.heading, heading) > 90:
            return Reach(None, start, False)
        turned = body.at(body.x, body.y, heading)
        run = self.rules.movement.reach(unit, RUN)
        rough = Clearance(state, unit, False, target)
        for clearance, reach in ((Clearance(state, unit, True, target), run),
                                 (rough, self.rules.movement.reach(unit, ADVANCE))):  # fmt: skip
            route = self.drive_into(unit, clearance, turned, aim, reach)
            if route is not None:
                return Reach(route, start, True)
        far = self.drive_short(unit, Clearance(state, unit, True), turned, min(run, start))
        return Reach(far, start, False)

    def drive_into(self, unit: Unit, clearance: Clearance, turned: Body, aim: Body, reach: int) -> Route | None:
        """The drive that ends in touch with the target, if it is near enough and free."""
        far = self.touch(turned, aim)
        if far > reach:
            return None
        region = DriveRegion(clearance, unit, DriveLimits(reach + INCH, 1, 0, 0))
        while far >= 0:
            route = region.route(self.points(unit.bodies[0], turned, far))
            if isinstance(route, Route):
                return route
            far -= 20
            if self.touch(turned, aim) - far > INCH // 2:
                return None
        return None

    def touch(self, turned: Body, aim: Body) -> int:
        """How far straight ahead until the hull touches the other model, to a tenth of an inch."""
        far, step = 0, distance(turned, aim)
        for _ in range(40):
            far += step
            step = distance(ahead_of(turned, far), aim)
            if step < 20:
                break
        return max(0, far - 10)

    def points(self, body: Body, turned: Body, far: int) -> tuple[tuple[int, int, int], ...]:
        there = ahead_of(turned, far)
        pivot = ((body.x, body.y, turned.heading),) if turned.heading != body.heading else ()
        drive = ((there.x, there.y, turned.heading),) if (there.x, there.y) != (body.x, body.y) else ()
        return (*pivot, *drive)

    def drive_short(self, unit: Unit, clearance: Clearance, turned: Body, far: int) -> Route | None:
        region = DriveRegion(clearance, unit, DriveLimits(far + INCH, 1, 0, 0))
        while far > 0:
            there = ahead_of(turned, far)
            if (
                clearance.end_problem([there]) is None
                and clearance.leg_problem([turned], there.x - turned.x, there.y - turned.y) is None
            ):
                route = region.route(self.points(unit.bodies[0], turned, far))
                return route if isinstance(route, Route) else None
            far -= INCH // 2
        return None

    def fists(self, unit: Unit) -> int:
        """Fists among its weapons (k47.cqw.attacks)."""
        carried = sum(unit.weapon(index).is_fist for index in unit.weapons_of(unit.men[0]))
        fists: int = unit.ask("on_fists", carried, unit)
        return fists

    def pen(self, unit: Unit) -> int:
        """Penetration of a walker's blows by its size (k47.cqw.attacks)."""
        assert unit.card.vehicle is not None
        return WALKER_PEN.get(unit.card.vehicle.armour, 4)

    def trample(self, play: Play, walker: Unit, target: Unit) -> Procedure:
        """A walker among troops: guns are crushed, infantry fights back (k47.cqw.gun, k47.cqw.hit_back)."""
        if target.is_artillery:
            yield from self.rules.losses.destroy(play, target, "crushed by a walker", "k47.cqw.gun")
            yield from self.rules.assault.consolidate(play, walker)
            return
        while True:
            winner, losses = yield from self.trample_once(play, walker, target)
            if not walker.alive or not target.alive:
                break
            if not (yield from self.rules.assault.follows_on(play, walker, target, winner, losses)):
                break
        if target.alive and not target.building:
            yield from self.rules.assault.give_way(play, target)
        if walker.alive and (winner is walker or not target.alive):  # k47.cq.consolidate
            yield from self.rules.assault.consolidate(play, walker)
        elif walker.alive:  # after a draw it declines to go, and the infantry gave way (k47.cqw.result)
            self.rules.movement.step_clear(play.state, walker)

    def trample_once(self, play: Play, walker: Unit, target: Unit) -> Procedure:
        """One round and who won it; infantry that lost tests (k47.cqw.result, k47.cq.result_loser)."""
        before = len(target.men)
        hurt = yield from self.trample_round(play, walker, target)
        lost = before - len(target.men)
        losses = (int(hurt), lost)
        winner = walker if lost and not hurt and walker.alive else target if not walker.alive else None
        play.emit(FightRound("k47.cqw.result", walker.id, target.id, losses, winner.id if winner else ""))
        if winner is walker and target.alive:
            yield from self.rules.morale.check_or_die(play, target, "lost the fight", "k47.cq.result_loser")
        return winner, losses

    def trample_round(self, play: Play, walker: Unit, target: Unit) -> Procedure:
        """Point-blank fire with small arms or blows; infantry rolls to hit like against any vehicle."""
        assault = self.rules.assault
        mine = yield from assault.choose_method(play, walker)
        theirs = yield from assault.choose_method(play, target)
        if mine == POINT_BLANK:
            volley = yield from assault.point_blank(play, walker, target)
            yield from self.rules.damage.apply(play, volley)
        fired = False
        if theirs == POINT_BLANK and target.alive:
            before = walker.pins
            back = yield from assault.point_blank(play, target, walker)
            fired = bool(back.armour or back.soft_kill)
            yield from self.rules.damage.apply(play, back)
            fired = fired and walker.pins >= before
        if not walker.alive or not target.alive:
            return fired or not walker.alive
        blows = None
        if mine != POINT_BLANK:
            blows = yield from self.blows(play, walker, target)
        hurt = fired
        if theirs != POINT_BLANK:
            hurt = (yield from self.storm(play, target, walker)) or fired
        if blows is not None and blows.losses and target.alive:
            yield from self.rules.losses.take(play, blows)
        return hurt

    def blows(self, play: Play, walker: Unit, target: Unit) -> Procedure:
        """Attacks at the penetration of the walker's size (k47.cqw.attacks)."""
        volley = Volley(walker, target, "hand-to-hand")
        throw, ignore = self.rules.fight_plans.damage(play.state, target, self.pen(walker), "walker blows")
        thrown = yield from play.throw(throw, self.blow_dice(walker), walker.side, walker.id, "k47.cqw.attacks")
        _, volley.total_losses = yield from self.rules.damage.ignored(play, volley, ignore, 0, thrown.successes)
        return volley

    def blow_dice(self, walker: Unit) -> int:
        """Two attacks and one per fist, one less per pin (k47.cqw.attacks)."""
        return max(0, 2 + self.fists(walker) - walker.pins)

    def punch(self, play: Play, walker: Unit, vehicle: Unit) -> Procedure:
        """A walker's fists against a vehicle (k47.cqw.vs_vehicle)."""
        yield from self.punches(play, walker, vehicle)
        if walker.alive:
            self.rules.movement.step_clear(play.state, walker)

    def punches(self, play: Play, walker: Unit, vehicle: Unit) -> Procedure:
        """One die per fist, every hit rolled for damage (k47.cqw.vs_vehicle, k47.open.walker_hits)."""
        facing, pen = self.punch_pen(walker, vehicle)
        hits = yield from self.roll_hits(play, walker, vehicle, self.punch_dice(walker))
        for _ in range(hits):
            if vehicle.alive:
                yield from self.punched(play, walker, vehicle, pen, facing)

    def punch_dice(self, walker: Unit) -> int:
        """One die per fist, one less if it is pinned at all."""
        return max(0, self.fists(walker) - (1 if walker.pins else 0))

    def punch_pen(self, walker: Unit, vehicle: Unit) -> tuple[str, int]:
        """The side of the vehicle that is struck, and the penetration there."""
        facing = FACING_NAME[facing_shot_at(vehicle.bodies[0], walker.bodies[0])]
        pen = self.pen(walker)
        if not vehicle.is_walker and vehicle.is_armoured:
            pen += {"side": 1, "rear": 2}.get(facing, 0)
        return facing, pen

    def punched(self, play: Play, walker: Unit, vehicle: Unit, pen: int, facing: str) -> Procedure:
        """A blow on a vehicle: it pins, and rolls damage with the walker's penetration."""
        wound = Wound(play.state, None, pen, facing, hand_to_hand=True)
        value = self.rules.damage.value(vehicle, wound)
        throw, ignore = self.rules.fight_plans.damage(play.state, vehicle, pen, "walker blow", facing)
        thrown = yield from play.throw(throw, 1, walker.side, walker.id, "k47.cqw.vs_vehicle")
        yield from self.rules.morale.pin(play, vehicle, 1, "k47.cqv.pin")
        if not thrown.successes or not vehicle.alive:
            return
        kept, _ = yield from self.rules.damage.ignored(play, Volley(walker, vehicle, "assault"), ignore, 1, 0)
        if not kept:
            return
        if vehicle.is_soft:
            yield from self.rules.losses.destroy(play, vehicle, "smashed", "k47.damage.softskin")
            return
        total = thrown.stages[0][1][0] + 1 + pen
        grade = self.rules.damage.grade(total, value)
        play.emit(Damaged("k47.cqw.vs_vehicle", vehicle.id, total, value, grade, facing))
        bonus = self.rules.damage.table_bonus(vehicle, wound)
        yield from self.rules.damage.result(play, vehicle, ArmourHit(total, value, grade, facing, bonus))

    # -- overrun ---------------------------------------------------------------------------------------------

    def overrun_targets(self, state: State, unit: Unit) -> list[Unit]:
        """Troops a tracked vehicle may drive through (k47.cqw.tank_overrun)."""
        vehicle = unit.card.vehicle
        if not state.is_on("tank_overrun") or vehicle is None or vehicle.mode != "tracked" or not unit.on_table:
            return []
        if not self.rules.vehicles.can_move(unit):
            return []
        return [
            enemy
            for enemy in state.enemies(unit)
            if not enemy.is_vehicle
            and not enemy.building
            and self.can_turn_to(unit, enemy)
            and ground.sees(state, unit, enemy)
        ]

    def overrun(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        """Straight through; the target tests its nerve, a gun is crushed (k47.cqw.tank_overrun)."""
        state: State = play.state
        unit.moves += 1
        play.emit(Assaulted("k47.cqw.tank_overrun", unit.id, target.id, "overrun declared"))
        start = distance(
            unit.bodies[0], min(ground.all_bodies(target), key=lambda body: distance(unit.bodies[0], body))
        )
        spent = yield from self.rules.assault.escape(play, unit, target)
        if not target.on_table:
            return
        if not spent:
            yield from self.rules.assault.stand_and_fire(play, unit, target, start)
        if not unit.alive or unit.halted or not target.alive or not self.rules.vehicles.can_move(unit):
            return
        route = self.through(state, unit, target)
        if route is None:
            play.emit(Assaulted("k47.cqw.tank_overrun", unit.id, target.id, "falls short"))
            return
        done = yield from self.rules.movement.go(play, unit, route, RUN, how="overruns")
        if done and target.alive:
            yield from self.overrun_test(play, target)

    def declared_stakes(self, state: State, unit: Unit, target: Unit) -> list[Stake]:
        """The nerve of those who are driven over, if there is a way through them (k47.cqw.tank_overrun)."""
        if self.through(state, unit, target) is None:
            return []
        return [self.rules.assault.stake(target, self.rules.fight_plans.of_overrun(state, target), unit, "assault")]

    def overrun_test(self, play: Play, target: Unit) -> Procedure:
        if target.is_artillery:
            yield from self.rules.losses.destroy(play, target, "driven over", "k47.cqw.tank_overrun")
            return
        yield from self.rules.morale.check_or_die(play, target, "overrun", "k47.cqw.tank_overrun")
        if target.alive:
            self.rules.movement.step_clear(play.state, target)

    def through(self, state: State, unit: Unit, target: Unit) -> Route | None:
        """The shortest straight way that ends beyond the target, inside the Run move."""
        body = unit.bodies[0]
        aim = min(ground.all_bodies(target), key=lambda other: (distance(body, other), other.x, other.y))
        if (aim.x, aim.y) == (body.x, body.y):
            return None
        turned = body.at(body.x, body.y, heading_of(aim.x - body.x, aim.y - body.y))
        clearance = Clearance(state, unit, True, ignore=[target])
        reach = self.rules.movement.reach(unit, RUN)
        region = DriveRegion(clearance, unit, DriveLimits(reach, 1, 0, 0))
        far = distance(body, aim) + 2 * aim.radius
        while far <= reach:
            there = ahead_of(turned, far)
            if all(distance(there, other) > 0 for other in ground.all_bodies(target)):
                route = region.route(self.points(body, turned, far))
                if isinstance(route, Route):
                    return route
            far += INCH // 2
        return None
