"""The Command phase: orders from the Command Pool (dw.command.*, dw.initiative.command_pool). Nobody reacts in it
(dw.command.no_reactions).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import NOTHING, About
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.activation import ENTER
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.events import LeaderNamed, Ordered, Promoted
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.profiles import COMMAND_RANGE, TEMPORARY_RANGE
from dieselfront.rulesets.warfare.state import ABOARD, TABLE, State, Unit
from dieselfront.table.measured.shapes import Body

TAKE_ACTION, REGROUP, SPECIAL, PROMOTE, USE = "take action", "regroup", "special", "promote", "use"

SPECIAL_ORDERS: dict[str, Callable[[Any, Play, Unit], Procedure]] = {}
"""Effects of platoon special orders by name: none is given by our sources, unit data and houses add their own
(dw.open.special_orders)."""


class Section(NamedTuple):
    """A unit that may issue orders: its range, and whether it may give its platoon's special order."""

    unit: Unit
    inches: int
    special: bool
    temporary: bool = False


class Reach(NamedTuple):
    """How an order gets to a unit: who issues it, whether a radio is used, and by which rule."""

    by: str
    radio: bool
    rule: str
    free: bool = False


class Command(Chapter):
    """Orders."""

    # -- pools and orders ---------------------------------------------------------------------------------

    def pool(self, state: State, side: int) -> int:
        """A die for every unit on the table that is not retreating (dw.initiative.command_pool,
        dw.retreat.command_pool);
        embarked and joined ones add none (dw.open.pool_embarked)."""
        return sum(not self.rules.suppression.is_retreating(state, unit) for unit in state.on_table(side))

    def order_count(self, state: State, side: int) -> int:
        """An order for each HIT, at least one, and what Command Squads add (dw.command.order_count,
        dw.open.order_minimum)."""
        orders = max(1, state.hits[side])
        bonus = 0
        for unit in state.on_table(side):
            bonus = unit.ask("on_order_bonus", bonus, unit, state)
        return orders + bonus

    # -- the phase ------------------------------------------------------------------------------------------

    def step(self, play: Play) -> Procedure:
        """One order, or the end of the side's part of the phase."""
        state: State = play.state
        side = state.active
        yield from self.promote_if_needed(play, side)
        options = play.now(lambda: self.options(state, side))
        if not options:
            self.next_side(play)
            return
        choice = yield PickOne(
            side,
            "order",
            [*options, None],
            text=f"Which order is given? {state.orders or 'Only free ones'} left.",
            rule="dw.command.order_count",
            labels=lambda choice: self._label(state, choice),
            act="support",
            about=self._about,
        )
        if choice is None:
            self.next_side(play)
            return
        yield from self.give(play, choice)

    def next_side(self, play: Play) -> None:
        """The responding side commands next; then the Unit phase (dw.turn.phases)."""
        state: State = play.state
        if state.active == state.initiative:
            self.rules.turn.begin_command(play, 1 - state.initiative)
        else:
            self.rules.turn.begin_units(play, state.initiative)

    def _label(self, state: State, choice: Any) -> str:
        if choice is None:
            return "no more orders"
        return f"{choice[0]}: {state.unit(choice[1]).name} ({choice[1]})" + (
            f", {choice[2]}" if len(choice) > 2 else ""
        )

    def _about(self, choice: Any) -> About:
        if choice is None:
            return NOTHING
        act = "rally" if choice[0] == REGROUP else "support"
        return About(act=act, targets=(choice[1],), skills=(choice[0], *choice[2:]), cost=0 if choice[0] == USE else 1)

    def options(self, state: State, side: int) -> list[Any]:
        """Every order that could be given now: at most one for each unit and phase (dw.open.orders_per_unit)."""
        orders: list[Any] = []
        sections = self.sections(state, side)
        for unit in state.of(side):
            orders += [(USE, unit.id, name) for name in unit.ask("on_command_uses", [], unit, state)]
            if unit.notes.get("ordered") == state.turn:
                continue
            reach = self.reach(state, unit, sections)
            if reach is None:
                continue
            if self.rules.activation.has_singles(state, unit):
                orders.append((TAKE_ACTION, unit.id))
            if unit.place == TABLE:
                orders.append((REGROUP, unit.id))
            if not reach.free:
                orders += [(SPECIAL, unit.id, name) for name in self.special_orders(state, side, reach, sections)]
        return orders

    def special_orders(self, state: State, side: int, reach: Reach, sections: list[Section] | None = None) -> list[str]:
        """The special order of the issuing section's platoon (dw.command.special, dw.open.special_orders)."""
        force: Mapping[str, Any] = state.forces[side] if state.forces else {}
        issuer = state.unit(reach.by) if reach.by else None
        known = self.sections(state, side) if sections is None else sections
        section = next((one for one in known if one.unit is issuer), None)
        if section is None or not section.special or issuer is None:
            return []
        mine = issuer.notes.get("platoon", "")
        return [
            order["name"]
            for order in force.get("special_orders", ())
            if order.get("platoon", "") == mine and order["name"] in SPECIAL_ORDERS
        ]

    # -- who issues and who is reached ------------------------------------------------------------------------

    def sections(self, state: State, side: int) -> list[Section]:
        """Command Sections with a leader; without any, temporary ones and heroes (dw.command.temp_section,
        dw.open.section_new_leader, dw.hero.temp_command, dw.open.temp_section_details)."""
        leaders = [unit for unit in state.of(side) if unit.leader is not None and self.spot(state, unit) is not None]
        real = [Section(unit, COMMAND_RANGE, True) for unit in leaders if self.is_section(unit)]
        others = [
            Section(unit, inches, bool(unit.ask("on_special_orders", False, unit, state)))
            for unit in leaders
            if (inches := unit.ask("on_command_range", 0, unit, state)) and not self.is_section(unit)
        ]
        if real or others:
            return [*real, *others]
        promoted = [
            Section(unit, TEMPORARY_RANGE, True, True)
            for unit in state.on_table(side)
            if unit.notes.get("temporary section") is not None and unit.leader == unit.notes["temporary section"]
        ]
        heroes = [
            Section(unit, TEMPORARY_RANGE, False, True)
            for unit in state.on_table(side)
            if unit.hero is not None and unit.is_hero_led and unit not in [one.unit for one in promoted]
        ]
        return [*promoted, *heroes]

    def is_section(self, unit: Unit) -> bool:
        """By its card, or by the hero who joined it as one (dw.hero.join_command_section)."""
        return any(unit.figures[man].card.may_command for man in unit.men)

    def spot(self, state: State, unit: Unit) -> Body | None:
        """Where command range is measured from: the leader, or the hull of the transport he is in
        (dw.ability.carry_capacity_command)."""
        if unit.place == TABLE and unit.leader is not None:
            return unit.body_of(unit.leader)
        if unit.place == ABOARD:
            carrier = state.unit(unit.carrier)
            return carrier.bodies[0] if carrier.bodies else None
        return None

    def reach(self, state: State, unit: Unit, sections: list[Section] | None = None) -> Reach | None:
        """How an order gets to the unit, None if none does. Sight is not needed (dw.command.command_range)."""
        free = unit.ask("on_free_order", "", unit, state)
        if free and unit.notes.get("free order") != state.turn and self.may_be_ordered(state, unit):
            return Reach("", False, free, free=True)
        if state.orders <= 0 or not self.may_be_ordered(state, unit):
            return None
        if sections is None:
            sections = self.sections(state, unit.side)
        if not sections:
            return None
        for section in sections:
            if section.unit is unit or self.is_in_range(state, section, unit):
                return Reach(section.unit.id, False, "dw.command.command_range")
        anywhere = unit.ask("on_orders_anywhere", "", unit, state)
        if anywhere and unit.place == TABLE:
            return Reach(sections[0].unit.id, False, anywhere)
        if unit.hero is not None and unit.place == TABLE:  # dw.hero.orders_any_range
            return Reach(sections[0].unit.id, False, "dw.hero.orders_any_range")
        for section in sections:
            if self.radios_left(state, section.unit) > 0:  # dw.command.radioman
                return Reach(section.unit.id, True, "dw.command.radioman")
        return None

    def may_be_ordered(self, state: State, unit: Unit) -> bool:
        """Aircraft off the table take no orders (dw.aircraft.leave_table, dw.open.orders_off_table)."""
        if unit.place == TABLE:
            return True
        if unit.is_aircraft or not unit.alive:
            return False
        return unit.place == ABOARD or self.rules.setup.may_enter_by_move(state, unit)

    def is_in_range(self, state: State, section: Section, unit: Unit) -> bool:
        """One miniature within command range of the section's leader is enough (dw.command.command_range)."""
        spot = self.spot(state, section.unit)
        bodies = unit.bodies
        if unit.place == ABOARD:
            carrier = state.unit(unit.carrier)
            bodies = carrier.bodies
        if spot is None or not bodies:
            return False
        return ground.bodies_within([spot], bodies, section.inches * INCH)

    def radios_left(self, state: State, unit: Unit) -> int:
        """Orders beyond command range that the section's radiomen can still pass on (dw.open.radioman_wording)."""
        radios = unit.ask("on_radios", 0, unit, state)
        if unit.place == ABOARD:
            carrier = state.unit(unit.carrier)
            radios = carrier.ask("on_section_radios", radios, carrier, unit, state)
        used = unit.notes.get("radio used", (0, 0))
        spent: int = used[1] if used[0] == state.turn else 0
        return int(radios) - spent

    # -- giving ------------------------------------------------------------------------------------------------

    def give(self, play: Play, choice: Any) -> Procedure:
        """Carry an order out."""
        state: State = play.state
        kind, unit = choice[0], state.unit(choice[1])
        if kind == USE:
            for answer in unit.hooks.get("on_command_use", ()):
                yield from answer(play, unit, choice[2])
            return
        reach = self.reach(state, unit)
        assert reach is not None
        self.pay(state, unit, reach)
        order = choice[2] if kind == SPECIAL else kind
        play.emit(Ordered(reach.rule, unit.id, order, reach.by))
        if kind == TAKE_ACTION:
            yield from self.take_action(play, unit)
        elif kind == REGROUP:
            yield from self.regroup(play, unit)
        else:
            yield from SPECIAL_ORDERS[choice[2]](self.rules, play, unit)

    def pay(self, state: State, unit: Unit, reach: Reach) -> None:
        unit.notes["ordered"] = state.turn
        if reach.free:
            unit.notes["free order"] = state.turn
            return
        state.orders -= 1
        if reach.radio:
            issuer = state.unit(reach.by)
            used = issuer.notes.get("radio used", (0, 0))
            spent = used[1] if used[0] == state.turn else 0
            issuer.notes["radio used"] = (state.turn, spent + 1)

    def take_action(self, play: Play, unit: Unit) -> Procedure:
        """One single action at once, whatever markers it carries, no activation; then a reaction marker
        (dw.command.take_action, dw.command.take_action_marker, dw.open.take_action_steps,
        dw.open.take_action_double)."""
        state: State = play.state
        yield from self.rules.leaders.stand_in(play, unit)
        names = [name for name in self.rules.activation.singles(state, unit) if name != ENTER or unit.place != TABLE]
        if names:
            name = yield PickOne(
                unit.side,
                "ordered action",
                names,
                text=f"{unit.name}: which action?",
                rule="dw.command.take_action",
                unit=unit.id,
                act="activate",
                about=lambda name: self.rules.activation._about(unit, (name,)),
            )
            yield from self.rules.activation.take(play, unit, name)
        unit.stand_in = None
        self.rules.suppression.mark_reaction(play, unit, "dw.command.take_action_marker")

    def regroup(self, play: Play, unit: Unit) -> Procedure:
        """All markers off, a leader if there is none, and the others close up (dw.command.regroup,
        dw.command.regroup_move)."""
        self.rules.suppression.calm(play, unit, unit.suppression, "dw.command.regroup")
        self.rules.suppression.unmark_reaction(play, unit, "dw.command.regroup")
        if unit.leader is None:
            yield from self.rules.leaders.name_leader(play, unit, "dw.command.regroup")
        yield from self.rules.movement.regroup_move(play, unit)

    # -- temporary sections ------------------------------------------------------------------------------------

    def promote_if_needed(self, play: Play, side: int) -> Procedure:
        """Without any Command Section leader one order promotes a unit before others can be given
        (dw.command.temp_section)."""
        state: State = play.state
        if state.orders <= 0 or play.now(lambda: bool(self.sections(state, side))):
            return
        able = [unit for unit in state.on_table(side) if unit.is_soldier or unit.is_vehicle]
        if not able:
            return
        id = yield PickOne(
            side,
            "promote",
            [None, *[unit.id for unit in able]],
            text="No Command Section has a leader. Which unit is promoted for one order?",
            rule="dw.command.temp_section",
            labels=lambda id: "nobody" if id is None else f"{state.unit(id).name} ({id})",
            act="support",
            about=lambda id: NOTHING if id is None else About(act="support", targets=(id,), cost=1),
        )
        if id is None:
            state.orders = 0
            return
        unit = state.unit(id)
        state.orders -= 1
        man = yield self.rules.leaders.question(
            unit, side, "section leader", f"Who leads the new Command Section {unit.name}?", "dw.command.temp_section"
        )
        unit.leader = man
        unit.notes["temporary section"] = man
        play.emit(Promoted("dw.command.temp_section", unit.id))
        play.emit(LeaderNamed("dw.command.temp_section", unit.id, man))


__all__ = ["PROMOTE", "REGROUP", "SPECIAL", "SPECIAL_ORDERS", "TAKE_ACTION", "USE", "Command", "Reach", "Section"]
