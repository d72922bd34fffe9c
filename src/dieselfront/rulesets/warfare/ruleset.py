"""Dust Warfare: the rulebook as one object, its chapters as parts; new games and how a screen sees them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from dieselfront.kernel.events import Event
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.ruleset import Namer, Ruleset
from dieselfront.kernel.views import plain_on
from dieselfront.rulesets.warfare import abilities, ground, weapon_rules
from dieselfront.rulesets.warfare.activation import Activation
from dieselfront.rulesets.warfare.aircraft import Aircraft
from dieselfront.rulesets.warfare.artillery import Artillery
from dieselfront.rulesets.warfare.attack import Attacking
from dieselfront.rulesets.warfare.battle import Battle, make_table, read_battle
from dieselfront.rulesets.warfare.command import Command
from dieselfront.rulesets.warfare.cover import Covering
from dieselfront.rulesets.warfare.damage import Damage
from dieselfront.rulesets.warfare.events import Activated, Aimed, Moved, Placed, Reacted
from dieselfront.rulesets.warfare.heroes import Heroes
from dieselfront.rulesets.warfare.leaders import Leaders
from dieselfront.rulesets.warfare.movement import Movement
from dieselfront.rulesets.warfare.options import OPTIONS, read_options
from dieselfront.rulesets.warfare.outfit import Outfit, Registry
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.profiles import read_card
from dieselfront.rulesets.warfare.reactions import Reactions
from dieselfront.rulesets.warfare.setup import Setup, check_list, check_points
from dieselfront.rulesets.warfare.state import ABOARD, HIGH, INSIDE, LOW, OFF, RIDING, TABLE, Figure, State, Unit
from dieselfront.rulesets.warfare.suppression import Suppression
from dieselfront.rulesets.warfare.throws import COMBAT_DIE
from dieselfront.rulesets.warfare.transport import Transport
from dieselfront.rulesets.warfare.turn import SIDES, Turn
from dieselfront.rulesets.warfare.unit_cards import WarfareCard, bought_soldier, shipped_cards
from dieselfront.rulesets.warfare.victory import Victory
from dieselfront.rulesets.warfare.view import plain_table, view
from dieselfront.table.measured.shapes import overlaps

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.field import WarfareField


class Warfare(Ruleset[State]):
    """The rules of Dust Warfare (2012)."""

    id = "warfare"
    name = "Dust Warfare"
    version = "1.2"
    table = "measured"
    usual_points = 150
    scenario_type = Battle
    dice = (COMBAT_DIE,)
    secret_lists = "dw.setup.secret_lists"
    sides = SIDES
    options: ClassVar[dict[str, tuple[str, ...]]] = {name: tuple(option.choices) for name, option in OPTIONS.items()}

    def __init__(self) -> None:
        self.registry = Registry(abilities.all_abilities(), weapon_rules.all_weapon_rules())
        self.turn = Turn(self)
        self.command = Command(self)
        self.activation = Activation(self)
        self.reactions = Reactions(self)
        self.movement = Movement(self)
        self.attacking = Attacking(self)
        self.cover = Covering(self)
        self.damage = Damage(self)
        self.suppression = Suppression(self)
        self.leaders = Leaders(self)
        self.heroes = Heroes(self)
        self.artillery = Artillery(self)
        self.transport = Transport(self)
        self.aircraft = Aircraft(self)
        self.setup = Setup(self)
        self.victory = Victory(self)
        self.outfit = Outfit(self)

    # -- what the kernel asks -------------------------------------------------------------------------------

    def new_state(self, header: Any) -> State:
        """The position before set-up: all units wait off the table."""
        options = read_options(header.options)
        battle = read_battle(header.scenario)
        units = [unit for side, force in enumerate(header.forces) for unit in self.read_force(side, force)]
        return self.position(units, make_table(battle), options, battle, header.forces)

    def position(
        self,
        units: list[Unit],
        table: Any,
        options: Mapping[str, str] | None = None,
        battle: Any = None,
        forces: Any = (),
    ) -> State:
        """A state from its parts, every unit with its abilities indexed."""
        state = State(units, table, read_options(options or {}), battle, forces)
        self.outfit.refresh_all(state)
        for unit in units:
            if unit.place == ABOARD:
                self.check_berth(state, unit)
        return state

    def check_berth(self, state: State, unit: Unit) -> None:
        """A unit that its list puts aboard stays there only if the carrier has room (dw.ability.carry_capacity)."""
        carrier, seat = state.unit(unit.carrier), unit.seat
        unit.place = OFF
        seats = self.transport.seats(state, unit, carrier)
        if seat in seats or (seat == INSIDE and RIDING in seats):
            unit.place = ABOARD
            unit.seat = seat if seat in seats else RIDING
            self.outfit.refresh(state, carrier)
        else:
            unit.carrier = unit.seat = ""

    def read_force(self, side: int, force: Mapping[str, Any]) -> list[Unit]:
        """The units of one force, named by side and number (dw.unit.definition); every unit has a leader
        (dw.leader.always)."""
        units: list[Unit] = []
        labels: dict[str, Unit] = {}
        entries = list(force.get("units", ()))
        total = 0
        for number, entry in enumerate(entries):
            card = read_card(entry["card"])
            unit = Unit(f"{SIDES[side]}-{number + 1}", side, card)
            total += card.points + self.add_options(unit, entry.get("options", {}))
            if entry.get("platoon"):
                unit.notes["platoon"] = str(entry["platoon"])
            units.append(unit)
            labels.setdefault(str(entry.get("label") or card.id), unit)
        check_points(force, total)
        check_list(force, [unit.card for unit in units], [str(unit.notes.get("platoon", "")) for unit in units])
        for unit, entry in zip(units, entries, strict=True):
            joins = labels.get(str(entry.get("joins") or ""))
            if joins is not None and joins is not unit:
                unit.notes["joins"] = joins.id
            self.start_aboard(unit, labels, entry)
        return units

    def start_aboard(self, unit: Unit, labels: Mapping[str, Unit], entry: Mapping[str, Any]) -> None:
        """A list may say in which carrier a unit starts, or which vehicle a hero pilots."""
        for key, seat in (("mounted_in", "inside"), ("pilots", "piloting")):
            carrier = labels.get(str(entry.get(key) or ""))
            if carrier is not None and carrier is not unit and carrier.is_machine:
                unit.place = ABOARD
                unit.carrier = carrier.id
                unit.seat = seat

    def add_options(self, unit: Unit, chosen: Mapping[str, int]) -> int:
        """Bought options: more abilities for everybody, or another soldier; returns their price."""
        price = 0
        for option in unit.card.options:
            if option.id not in chosen:
                continue
            price += option.points
            if option.adds_soldier:
                shift = len(unit.weapons)
                unit.weapons = (*unit.weapons, *option.weapons)
                card = bought_soldier(unit.card, option)
                mine = tuple(range(shift, len(unit.weapons)))
                unit.figures = (*unit.figures, Figure(card, mine, 0, (), f"{unit.id}+{option.id}"))
                unit.men.append(len(unit.figures) - 1)
            elif option.abilities:
                unit.notes["gained"] = (*unit.notes.get("gained", ()), *option.abilities)
        return price

    def resume(self, play: Play) -> Procedure:
        """Go on from the position."""
        return self.turn.resume(play)

    @property
    def field(self) -> WarfareField:
        """What can be measured and seen on the table."""
        from dieselfront.rulesets.warfare.field import WarfareField

        return WarfareField(self)

    # -- what command line and screens ask ------------------------------------------------------------------

    def force_from_army(self, army: Any, side: int) -> dict[str, Any]:
        """The force of an army list with every card written out."""
        cards = self.all_cards()
        units = []
        for label, entry in zip(army.labels(), army.units, strict=True):
            unit: dict[str, Any] = {"label": label, "card": msgspec.to_builtins(cards[entry.card])}
            for key in ("joins", "pilots", "mounted_in", "platoon"):
                if getattr(entry, key, None):
                    unit[key] = getattr(entry, key)
            if entry.options:
                unit["options"] = dict(entry.options)
            units.append(unit)
        force: dict[str, Any] = {"name": army.name, "points": army.points, "units": units}
        if army.unrestricted:
            force["unrestricted"] = True
        return force

    def all_cards(self) -> Mapping[str, WarfareCard]:
        """Every card of the game by its id."""
        return shipped_cards()

    def read_scenario(self, data: dict[str, Any], where: str = "scenario") -> None:
        """Complain in one sentence about a scenario that cannot be set up."""
        make_table(read_battle(data, where))

    def random_scenario(self, seed: str) -> dict[str, Any]:
        """A board whose halves are alike."""
        from dieselfront.rulesets.warfare import random_board

        return random_board.scenario(seed)

    def man_name(self, unit: Unit, man: int) -> str:
        """What a figure is called on the screen."""
        figure = unit.figures[man]
        soldiers = figure.card.soldiers
        return soldiers[figure.number].name if figure.number < len(soldiers) else figure.card.name

    def view(self, state: State) -> dict[str, Any]:
        """The position as plain data: table, terrain, units with their miniatures, markers."""
        return plain_on(view(self, state), plain_table(state.table))

    def names(self, state: State) -> Namer:
        """For sentences: ids of units as people call them."""

        def named(field: str, value: Any) -> Any:
            if isinstance(value, str) and value in state._by_id:
                unit = state.unit(value)
                return f"{unit.card.name} ({value})"
            if field == "men" and isinstance(value, tuple):
                return f"{len(value)} miniature{'' if len(value) == 1 else 's'}"
            if field in ("side", "player") and isinstance(value, int) and 0 <= value < 2:
                return SIDES[value]
            return value

        return named

    def switches(self) -> Iterator[tuple[str, str, Any]]:
        """What the mutation run can switch off."""
        from dieselfront.rulesets.warfare.switches import switches

        return switches(self)

    def forget(self) -> None:
        """Work out all hooks anew when they are next asked for."""
        self.registry.forget()

    # -- what must be true of every position ------------------------------------------------------------------

    def invariants(self, state: State, quiet: bool = True) -> Iterator[str]:
        """A sentence for everything that is wrong with a position."""
        for unit in state.units:
            if unit.place == TABLE and len(unit.bodies) != len(unit.men):
                yield f"{unit.id} has {len(unit.men)} miniatures but {len(unit.bodies)} on the table"
            if unit.place != TABLE and unit.bodies:
                yield f"{unit.id} is {unit.place} but stands on the table"
            if unit.suppression < 0:
                yield f"{unit.id} has {unit.suppression} suppression markers"
            if unit.suppression and unit.is_machine:  # dw.damage.vehicle_no_suppression
                yield f"{unit.id} is no soldier unit but has suppression markers"
            if len(set(unit.effects)) != len(unit.effects):  # dw.damage.vehicle_one_effect
                yield f"{unit.id} has an effect twice"
            if unit.leader is not None and unit.alive and unit.leader not in unit.men:
                yield f"{unit.id} is led by a figure that is gone"
            for man in unit.men:
                if unit.capacity(man) <= 0:
                    yield f"figure {man} of {unit.id} should be gone"
            if quiet and unit.place == ABOARD and not state.unit(unit.carrier).alive:
                yield f"{unit.id} rides in a carrier that is gone"
            if unit.is_aircraft and unit.place == TABLE and unit.altitude not in (HIGH, LOW):
                yield f"{unit.id} flies at no altitude"
        if quiet:
            yield from self._crowding(state)
            for unit in state.units:
                if unit.stand_in is not None:
                    yield f"{unit.id} keeps a stand-in leader after the event"

    def event_invariants(self, state: State, event: Event) -> Iterator[str]:
        """The dead do nothing, and who moved by an action stands in formation (dw.move.soldier_end_formation)."""
        unit = state.unit(event.unit) if isinstance(event, Moved | Placed | Reacted | Activated | Aimed) else None
        if unit is not None and not unit.alive:
            yield f"{unit.id} acts, but is gone"
        acted = isinstance(event, Moved) and event.path and event.rule in ("dw.action.move", "dw.action.march_move")
        if unit is not None and acted and ground.out_of_formation(unit):
            yield f"{unit.id} moved and stands out of formation"

    def _crowding(self, state: State) -> Iterator[str]:
        """Nobody off the table or on the same ground."""
        standing = [(unit, body) for unit in state.units if unit.place == TABLE for body in unit.bodies]
        for number, (unit, body) in enumerate(standing):
            if not state.table.contains(body):
                yield f"{unit.id} stands off the table at ({body.x}, {body.y})"
            for other, mate in standing[:number]:
                if overlaps(body, mate):
                    yield f"{unit.id} and {other.id} stand on the same ground at ({body.x}, {body.y})"


RULESET = Warfare()

__all__ = ["RULESET", "Warfare"]
