"""Orders: which may be given, the order test, FUBAR, carrying them out, Snap to Action (k47.order.*, k47.officer.*)."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.decisions import PickOne, PickSome
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About, by_unit, on_unit
from dieselfront.kernel.stakes import Stake
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import RANK_BONUS, RANK_RANGE
from dieselfront.rulesets.konflikt47.events import DieTurned, Fubar, Ordered
from dieselfront.rulesets.konflikt47.morale import ORDER, Occasion, Result
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import (
    ABOARD,
    ADVANCE,
    AMBUSH,
    DOWN,
    FIRE,
    ORDERS,
    RALLY,
    RESERVE,
    RUN,
    TOWED,
    State,
    Unit,
)
from dieselfront.rulesets.konflikt47.throws import number

ASSAULT, OVERRUN = "assault", "overrun"

NAMES = {
    FIRE: "Fire",
    ADVANCE: "Advance",
    RUN: "Run",
    AMBUSH: "Ambush",
    RALLY: "Rally",
    DOWN: "Down",
    ASSAULT: "Run: assault",
    OVERRUN: "Run: overrun",
}


ACT_OF_ORDER = {
    FIRE: "attack",
    ADVANCE: "move",
    RUN: "move",
    AMBUSH: "wait",
    RALLY: "rally",
    DOWN: "pass",
    ASSAULT: "assault",
    OVERRUN: "assault",
}
"""The kind of act that an order is."""


def order_of(choice: Any) -> str:
    """The face of the die for a choice: assaults and overruns are Run orders (k47.order.run)."""
    return RUN if isinstance(choice, tuple) else choice


class Orders(Chapter):
    """Giving and carrying out orders."""

    # -- which orders --------------------------------------------------------------------------------

    def legal(self, state: State, unit: Unit) -> list[str]:
        """The orders that may be offered, Down always among them (k47.order.legal)."""
        orders = [order for order in ORDERS if order in self.by_place(state, unit)]
        if unit.on_table and not self.can_shoot(unit):
            orders = [order for order in orders if order not in (FIRE, AMBUSH)]
        if unit.slowed and RUN in orders:  # k47.wrule.gravity_slow
            orders.remove(RUN)
        if self.rules.movement.is_scattered(unit):  # k47.core.coherency: the chain must be restored first
            orders = [order for order in orders if order in (ADVANCE, RUN, DOWN)]
        offered: list[str] = unit.ask("on_orders", orders, unit)
        return offered if DOWN in offered else [*offered, DOWN]

    def by_place(self, state: State, unit: Unit) -> tuple[str, ...]:
        """The table of k47.order.legal: what the unit is, and where."""
        if unit.place == RESERVE:  # k47.game.reserve
            return (ADVANCE, RUN, DOWN) if self.rules.setup.may_arrive(state, unit) else (DOWN,)
        if unit.place == ABOARD:  # k47.transport.orders
            return self.rules.transports.orders(state, unit)
        if unit.place == TOWED:
            return self.rules.artillery.towed_orders(state, unit)
        if unit.is_artillery:  # k47.artillery.no_run
            return (FIRE, ADVANCE, AMBUSH, RALLY, DOWN)
        if unit.is_vehicle and not self.rules.vehicles.can_move(unit):
            return (FIRE, AMBUSH, RALLY, DOWN)
        return ORDERS

    def can_shoot(self, unit: Unit) -> bool:
        """Has the unit any weapon that can shoot, or a call to make?"""
        if unit.is_noncombatant:  # k47.special.medic
            return False
        for man in unit.men:
            for index in unit.weapons_of(man):
                if unit.weapon(index).shoots:
                    return True
        return False

    def choices(self, state: State, unit: Unit) -> list[str]:
        """Orders, then assault and overrun, which are Run orders with a target (k47.cq.declare)."""
        orders = self.legal(state, unit)
        if unit.released:  # k47.special.war_dogs
            return [RUN]
        if RUN in orders:
            if self.rules.assault.has_target(state, unit):
                orders.append(ASSAULT)
            if self.rules.vehicle_assault.overrun_targets(state, unit):
                orders.append(OVERRUN)
        return orders

    # -- giving an order ----------------------------------------------------------------------------

    def activate(self, play: Play, unit: Unit) -> Procedure:
        """The drawn die goes to this unit; it must be used now (k47.turn.draw_one_side)."""
        state: State = play.state
        choice = yield from self.choose(play, unit)
        for friend in state.of(unit.side):
            if friend is not unit:
                del friend.elite_wait
        ready = yield from self.give(play, unit, choice)
        if not ready:
            return
        yield from self.carry_out_group(play, unit, choice)

    def choose(self, play: Play, unit: Unit) -> Procedure:
        """The owner chooses the face of the die; the target of an assault is named with it (k47.cq.declare)."""
        state: State = play.state
        choice = yield PickOne(
            unit.side,
            "order",
            lambda: self.choices(state, unit),
            text=f"Which order for {unit.card.name}?",
            rule="k47.order.list",
            unit=unit.id,
            labels=lambda answer: NAMES[answer],
            act="activate",
            about=lambda answer: About(ACT_OF_ORDER.get(answer, "choose"), unit.id, careless=answer == DOWN),
            stakes=lambda answer: self.stakes(state, unit, answer),
        )
        if choice not in (ASSAULT, OVERRUN):
            return choice
        target = yield PickOne(
            unit.side,
            f"{choice} target",
            play.once(lambda: [target.id for target in self.assault_targets(state, unit, choice)]),
            text=f"Whom does {unit.card.name} {choice}?",
            rule="k47.cq.declare",
            unit=unit.id,
            labels=lambda id: state.unit(id).card.name,
            act="assault",
            about=lambda id: About(act="assault", unit=unit.id, targets=(id,)),
            stakes=lambda id: self.assault_stakes(state, unit, state.unit(id), choice),
        )
        return (choice, target)

    def stakes(self, state: State, unit: Unit, order: str) -> list[Stake]:
        """What an order could roll at each enemy from here: fire at those in sight, blows at those an assault reaches;
        the unit will pick its targets later."""
        if not unit.on_table:
            return []
        if order in (ASSAULT, OVERRUN):
            targets = self.assault_targets(state, unit, order)
            return [stake for target in targets for stake in self.assault_stakes(state, unit, target, order)]
        if order not in (FIRE, ADVANCE):
            return []
        later, chance = self.obeyed(state, unit, order)
        ready, shooting = later.unit(unit.id), self.rules.shooting
        return [
            stake._replace(chance=chance, left=None)
            for target in shooting.targets(later, ready, order)
            for stake in shooting.stakes_at(later, ready, target, order)
        ]

    def assault_targets(self, state: State, unit: Unit, choice: str) -> list[Unit]:
        """Whom an assault or an overrun may be declared at (k47.cq.declare)."""
        if choice == ASSAULT:
            return self.rules.assault.targets(state, unit)
        return self.rules.vehicle_assault.overrun_targets(state, unit)

    def assault_stakes(self, state: State, unit: Unit, target: Unit, choice: str) -> list[Stake]:
        """The blows of an assault or an overrun that reaches its target, if the unit obeys (k47.order.test_when)."""
        chapter = self.rules.assault if choice == ASSAULT else self.rules.vehicle_assault
        later, chance = self.obeyed(state, unit, (choice, target.id))
        stakes = chapter.declared_stakes(later, later.unit(unit.id), later.unit(target.id))
        return [stake._replace(chance=chance) for stake in stakes]

    def obeyed(self, state: State, unit: Unit, choice: Any) -> tuple[State, float]:
        """A copy of the position in which the unit has an order and passed its test, which takes a pin off
        (k47.order.test_pass); and how likely it comes to that."""
        later = state.clone()
        ready = later.unit(unit.id)
        occasion = self.occasion(state, unit, choice)
        tested = self.needs_test(state, unit, occasion)
        ready.order = order_of(choice)
        ready.pins -= 1 if tested and ready.pins else 0
        return later, self.rules.morale.chance(state, unit, occasion) if tested else 1.0

    def give(self, play: Play, unit: Unit, choice: Any) -> Procedure:
        """Place the die and take the order test if one is needed; True if the order may be carried out."""
        order = order_of(choice)
        target = choice[1] if isinstance(choice, tuple) else ""
        unit.order = order
        play.emit(Ordered("k47.turn.one_order", unit.id, order, target))
        for answer in unit.hooks.get("on_before_test", ()):
            yield from answer(None, play, unit, choice)
        del unit.slowed
        occasion = self.occasion(play.state, unit, choice)
        if not self.needs_test(play.state, unit, occasion):  # k47.turn.order_test_step
            return True
        return (yield from self.order_test(play, unit, occasion))

    def occasion(self, state: State, unit: Unit, choice: Any) -> Occasion:
        """What the order test is about."""
        order = order_of(choice)
        target = state.unit(choice[1]) if isinstance(choice, tuple) else None
        assaulting = target is not None and choice[0] == ASSAULT
        return Occasion(
            ORDER,
            order,
            f"order test ({NAMES[order]})",
            assaulting=assaulting,
            nerve=assaulting and target is not None and self.rules.vehicle_assault.needs_nerve(unit, target),
            arriving=unit.place == RESERVE and order in (ADVANCE, RUN),
            outflanking=bool(unit.outflank),
            target=target.id if target else "",
        )

    def needs_test(self, state: State, unit: Unit, occasion: Occasion) -> bool:
        """Only with pins, or if a rule demands it; Down never (k47.order.test_when)."""
        if occasion.order == DOWN:
            return False
        if unit.pins or occasion.nerve or occasion.arriving:
            return True
        return bool(unit.ask("on_must_test", False, unit, occasion))

    def order_test(self, play: Play, unit: Unit, occasion: Occasion) -> Procedure:
        """The test and what follows: obey, go Down, or FUBAR (k47.order.test_pass, k47.order.test_fail).

        Rally is tested like every other order, with all pins counted (k47.order.rally_test).
        """
        result: Result = yield from self.rules.morale.test(play, unit, occasion, "k47.order.test_roll")
        if not result.passed and not result.double_six:
            for answer in unit.hooks.get("on_order_failed", ()):
                result = yield from answer(result, play, unit, occasion)
                if not unit.alive:
                    return False
        if not result.passed and occasion.order == RALLY:
            result = yield from self.rules.specials.rally_again(play, unit, occasion, result)
        if result.passed:
            self.rules.morale.unpin(play, unit, 1, "k47.order.test_pass")
            return True
        if result.double_six:  # k47.order.fubar
            yield from self.fubar(play, unit)
            return False
        yield from self.fail(play, unit)
        return False

    def fail(self, play: Play, unit: Unit) -> Procedure:
        """The die is turned to Down; a vehicle reverses first (k47.order.test_fail, k47.order.test_fail_vehicle)."""
        if unit.is_vehicle and unit.on_table:
            yield from self.rules.vehicles.fall_back(play, unit)
        if unit.alive:
            self.turn_die(play, unit, DOWN, "k47.order.test_fail")

    def turn_die(self, play: Play, unit: Unit, order: str, rule: str) -> None:
        """Show another face; a die still in the cup comes out of it (k47.turn.cup_invariant)."""
        if unit.order != order:
            unit.order = order
            play.emit(DieTurned(rule, unit.id, order))
        if order != AMBUSH:
            del unit.shell

    # -- carrying out ----------------------------------------------------------------------------------

    def carry_out_group(self, play: Play, unit: Unit, choice: Any) -> Procedure:
        """The unit acts; an officer may first bring others along (k47.officer.snap)."""
        group: dict[str, Any] = {unit.id: choice}
        if self.may_snap(play.state, unit, choice):
            extra = yield from self.snap(play, unit)
            group.update(extra)
        state: State = play.state
        while group:
            id = unit.id
            if len(group) > 1:
                id = yield PickOne(
                    unit.side,
                    "next",
                    list(group),
                    text="Which unit of the group acts next?",
                    rule="k47.officer.snap_alloc",
                    labels=lambda answer: state.unit(answer).card.name,
                    act="activate",
                    about=by_unit("activate"),
                )
            elif unit.id not in group:
                id = next(iter(group))
            mine = group.pop(id)
            actor = state.unit(id)
            if not actor.alive or actor.order != order_of(mine):
                continue  # destroyed or forced Down meanwhile
            if actor is not unit:
                occasion = self.occasion(state, actor, mine)
                if self.needs_test(state, actor, occasion) and not (yield from self.order_test(play, actor, occasion)):
                    continue
            yield from self.carry_out(play, actor, mine)

    def carry_out(self, play: Play, unit: Unit, choice: Any) -> Procedure:
        """Execute the order (k47.turn.sequence)."""
        order = order_of(choice)
        for answer in unit.hooks.get("on_ordered", ()):
            yield from answer(None, play, unit, order)
        if unit.place == RESERVE:
            yield from self.rules.setup.reserve_order(play, unit, order)
        elif unit.place == ABOARD:
            yield from self.rules.transports.passenger_order(play, unit, order)
        elif unit.place == TOWED:
            yield from self.rules.artillery.towed_order(play, unit, order)
        elif isinstance(choice, tuple):
            target = play.state.unit(choice[1])
            if not target.on_table:  # gone since the dice were placed: a plain Run remains (k47.officer.snap_alloc)
                yield from self.do_run(play, unit)
            elif choice[0] == OVERRUN:
                yield from self.rules.vehicle_assault.overrun(play, unit, target)
            else:
                yield from self.rules.assault.assault(play, unit, target)
        else:
            yield from getattr(self, f"do_{order}")(play, unit)
        if unit.alive:
            for answer in unit.hooks.get("on_order_done", ()):
                yield from answer(None, play, unit, choice)

    def do_fire(self, play: Play, unit: Unit) -> Procedure:
        """Shoot without moving (k47.order.fire)."""
        if unit.is_artillery and (yield from self.rules.artillery.limber(play, unit)):
            return
        if (yield from self.rules.scenario_rules.call(play, unit)):
            return
        yield from self.rules.shooting.shoot(play, unit, FIRE)

    def do_advance(self, play: Play, unit: Unit) -> Procedure:
        """Move, then shoot on the move (k47.order.advance)."""
        yield from self.rules.movement.move(play, unit, ADVANCE)
        if unit.alive and unit.order == ADVANCE and unit.on_table:
            yield from self.rules.shooting.shoot(play, unit, ADVANCE)

    def do_run(self, play: Play, unit: Unit) -> Procedure:
        """Move fast, no shooting (k47.order.run)."""
        if unit.released:
            yield from self.rules.specials.loose_dogs(play, unit)
        else:
            yield from self.rules.movement.move(play, unit, RUN)

    def do_ambush(self, play: Play, unit: Unit) -> Procedure:
        """Wait; a gun names the round it has loaded (k47.order.ambush, k47.he.ambush_round)."""
        yield from self.rules.ambush.prepare(play, unit)

    def do_rally(self, play: Play, unit: Unit) -> Procedure:
        """Remove D6 pins, besides the one of a passed test (k47.order.rally, k47.open.rally_total)."""
        if not unit.pins:
            return
        pins = yield from self.rules.specials.rally_dice(play, unit)
        self.rules.morale.unpin(play, unit, pins, "k47.order.rally")

    def do_down(self, play: Play, unit: Unit) -> Procedure:
        """Nothing but keeping one's head down (k47.order.down)."""
        return
        yield

    # -- FUBAR --------------------------------------------------------------------------------------------

    def fubar(self, play: Play, unit: Unit) -> Procedure:
        """Double six: friendly fire on 1-2, panic on 3-6 (k47.order.fubar)."""
        roll = yield from number(play, "D6", "FUBAR", "k47.order.fubar", unit.side, unit.id, good=0)
        if roll <= 2:
            yield from self.friendly_fire(play, unit)
        else:
            yield from self.panic(play, unit)

    def friendly_fire(self, play: Play, unit: Unit) -> Procedure:
        """At a friend of the opponent's choice with an enemy within 12" (k47.order.fubar_ff, k47.open.ff_sight)."""
        state: State = play.state
        targets = self.friendly_targets(state, unit)
        play.emit(Fubar("k47.order.fubar_ff", unit.id, "friendly fire"))
        if not targets:
            self.turn_die(play, unit, DOWN, "k47.order.fubar_ff_none")
            return
        self.turn_die(play, unit, FIRE, "k47.order.fubar_ff")
        target = yield PickOne(
            1 - unit.side,
            "friendly fire",
            [target.id for target in targets],
            text=f"Whom does {unit.card.name} shoot at by mistake?",
            rule="k47.order.fubar_ff",
            unit=unit.id,
            labels=lambda id: state.unit(id).card.name,
            act="attack",
            about=on_unit("attack", unit.id),
        )
        yield from self.rules.shooting.friendly_fire(play, unit, state.unit(target))

    def friendly_targets(self, state: State, unit: Unit) -> list[Unit]:
        """Visible friends with an enemy within 12", if the unit can shoot at them (k47.order.fubar_ff_resolve)."""
        if not unit.on_table or not self.can_shoot(unit):
            return []
        return [
            friend
            for friend in state.friends(unit)
            if any(ground.within(friend, enemy, 12) for enemy in state.enemies(unit))
            and ground.sees(state, unit, friend)
            and self.rules.shooting.could_shoot(state, unit, friend, FIRE)
        ]

    def panic(self, play: Play, unit: Unit) -> Procedure:
        """Run away from the closest visible enemy (k47.order.fubar_panic)."""
        state: State = play.state
        play.emit(Fubar("k47.order.fubar_panic", unit.id, "panic"))
        stuck = not unit.on_table or unit.is_artillery or (unit.is_vehicle and not self.rules.vehicles.can_move(unit))
        enemy = None if stuck else ground.closest_visible_enemy(state, unit)
        if enemy is None:  # k47.order.fubar_panic_none, k47.order.fubar_panic_cannot
            rule = "k47.order.fubar_panic_cannot" if stuck else "k47.order.fubar_panic_none"
            self.turn_die(play, unit, DOWN, rule)
            return
        self.turn_die(play, unit, RUN, "k47.order.fubar_panic")
        yield from self.rules.movement.flee(play, unit, enemy, ordered=True)

    # -- Snap to Action -----------------------------------------------------------------------------------

    def may_snap(self, state: State, unit: Unit, choice: Any) -> bool:
        """An officer on the table with an order other than Down, ordered with a drawn die (k47.officer.snap_limits,
        k47.open.snap_chain, k47.open.snap_default)."""
        if not state.is_on("snap_to_action") or choice == DOWN or not unit.on_table:
            return False
        if not unit.card.rank or unit.is_vehicle or not unit.carries("officer"):
            return False
        return bool(self.snap_candidates(state, unit))

    def snap_candidates(self, state: State, officer: Unit) -> list[Unit]:
        """Friendly units without an order near him."""
        reach = RANK_RANGE[officer.card.rank]
        man = next(man for man in officer.men if officer.man(man).is_a("officer"))
        return [
            unit for unit in state.friends(officer) if not unit.order and ground.man_within(officer, man, unit, reach)
        ]

    def snap(self, play: Play, officer: Unit) -> Procedure:
        """All extra dice are placed before anything is executed (k47.officer.snap_alloc)."""
        state: State = play.state
        candidates = [unit.id for unit in self.snap_candidates(state, officer)]
        most = min(len(candidates), RANK_BONUS[officer.card.rank])
        chosen = yield PickSome(
            officer.side,
            "snap to action",
            candidates,
            0,
            most,
            text=f"Which units does {officer.card.name} bring along?",
            rule="k47.officer.snap",
            unit=officer.id,
            labels=lambda answer: (
                ", ".join(state.unit(id).card.name for id in answer)
                if isinstance(answer, tuple)
                else state.unit(answer).card.name
            ),
            act="activate",
        )
        group: dict[str, Any] = {}
        for id in chosen:
            unit = state.unit(id)
            choice = yield from self.choose(play, unit)
            order = order_of(choice)
            unit.order = order
            del unit.slowed
            target = choice[1] if isinstance(choice, tuple) else ""
            play.emit(Ordered("k47.officer.snap", unit.id, order, target))
            group[id] = choice
        return group
