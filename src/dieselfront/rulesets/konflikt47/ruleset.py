"""Konflikt '47: the rulebook as one object, its chapters as parts; new games and how a screen sees them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace

from dieselfront.dice.die import D6
from dieselfront.forces.twins import told_apart
from dieselfront.kernel.events import Event
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.ruleset import Namer, Ruleset
from dieselfront.kernel.views import plain_on
from dieselfront.rulesets.konflikt47 import ground, weapon_effects
from dieselfront.rulesets.konflikt47.ambush import Ambush
from dieselfront.rulesets.konflikt47.artillery import Artillery
from dieselfront.rulesets.konflikt47.assault import Assault
from dieselfront.rulesets.konflikt47.barrage import ScenarioRules
from dieselfront.rulesets.konflikt47.battle import Battle, make_table, read_battle
from dieselfront.rulesets.konflikt47.buildings import Buildings
from dieselfront.rulesets.konflikt47.damage import Damage
from dieselfront.rulesets.konflikt47.events import Ambushed, DieDrawn, Moved, Ordered, Placed, Reacted
from dieselfront.rulesets.konflikt47.fight_plans import FightPlans
from dieselfront.rulesets.konflikt47.forces_in import describe, read_unit
from dieselfront.rulesets.konflikt47.hooks import Effects, Special
from dieselfront.rulesets.konflikt47.losses import Losses
from dieselfront.rulesets.konflikt47.mines import Mines
from dieselfront.rulesets.konflikt47.morale import Morale
from dieselfront.rulesets.konflikt47.movement import Movement
from dieselfront.rulesets.konflikt47.nations import NATIONAL, Nations
from dieselfront.rulesets.konflikt47.options import OPTIONS, read_options
from dieselfront.rulesets.konflikt47.orders import Orders
from dieselfront.rulesets.konflikt47.outfit import Outfit, make_index
from dieselfront.rulesets.konflikt47.plans import Plans
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.reactions import Reactions
from dieselfront.rulesets.konflikt47.setup import Setup
from dieselfront.rulesets.konflikt47.shooting import Shooting
from dieselfront.rulesets.konflikt47.specials import SPECIALS, Specials
from dieselfront.rulesets.konflikt47.state import ABOARD, ORDERS, TABLE, State, Unit
from dieselfront.rulesets.konflikt47.terrain import Terrain
from dieselfront.rulesets.konflikt47.transports import Transports
from dieselfront.rulesets.konflikt47.turn import SIDES, Turn
from dieselfront.rulesets.konflikt47.vehicle_assault import VehicleAssault
from dieselfront.rulesets.konflikt47.vehicle_rules import VEHICLE_RULES
from dieselfront.rulesets.konflikt47.vehicles import Vehicles
from dieselfront.rulesets.konflikt47.victory import Victory
from dieselfront.rulesets.konflikt47.view import plain_table, view
from dieselfront.rulesets.konflikt47.weapon_rules import WeaponRules
from dieselfront.table.measured.shapes import is_within, overlaps

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.field import KonfliktField

ALL_SPECIALS: dict[str, Special] = {**SPECIALS, **VEHICLE_RULES, **NATIONAL}


class Konflikt47(Ruleset[State]):
    """The rules of Konflikt '47, first edition."""

    id = "konflikt47"
    name = "Konflikt '47"
    version = "1.2"
    table = "measured"
    usual_points = 500
    scenario_type = Battle
    dice = (D6,)
    sides = SIDES
    options: ClassVar[dict[str, tuple[str, ...]]] = {name: tuple(option.choices) for name, option in OPTIONS.items()}

    def __init__(self) -> None:
        self.turn = Turn(self)
        self.orders = Orders(self)
        self.morale = Morale(self)
        self.movement = Movement(self)
        self.shooting = Shooting(self)
        self.plans = Plans(self)
        self.fight_plans = FightPlans(self)
        self.damage = Damage(self)
        self.losses = Losses(self)
        self.weapon_rules = WeaponRules(self)
        self.reactions = Reactions(self)
        self.ambush = Ambush(self)
        self.assault = Assault(self)
        self.vehicle_assault = VehicleAssault(self)
        self.vehicles = Vehicles(self)
        self.artillery = Artillery(self)
        self.transports = Transports(self)
        self.buildings = Buildings(self)
        self.terrain = Terrain(self)
        self.mines = Mines(self)
        self.specials = Specials(self)
        self.nations = Nations(self)
        self.outfit = Outfit(self)
        self.setup = Setup(self)
        self.victory = Victory(self)
        self.scenario_rules = ScenarioRules(self)
        self._indexes: dict[tuple[Any, ...], Effects] = {}

    # -- what the kernel asks -------------------------------------------------------------------------------

    def new_state(self, header: Any) -> State:
        """The position before set-up: all units wait, one order die for each (k47.turn.pool, k47.game.setup)."""
        options = read_options(header.options)
        battle = read_battle(header.scenario)
        units = [
            unit
            for side, force in enumerate(header.forces)
            for unit in self.read_force(side, force, options["supplement_weapons"] == "on")
        ]
        return self.position(units, make_table(battle), options, battle, header.forces)

    def position(
        self,
        units: list[Unit],
        table: Any,
        options: Mapping[str, str] | None = None,
        battle: Any = None,
        forces: Any = (),
    ) -> State:
        """A state from its parts, every unit with its rules indexed and a name that no other unit bears."""
        state = State(units, table, read_options(options or {}), battle, forces)
        for unit, name in zip(units, told_apart([unit.card.name for unit in units]), strict=True):
            unit.card = unit.card if unit.card.name == name else replace(unit.card, name=name)
            self.outfit.refresh(state, unit)
        return state

    def read_force(self, side: int, force: Mapping[str, Any], supplement: bool) -> list[Unit]:
        """The units of one force, named by side and number."""
        nation = str(force.get("nation") or "")
        units = []
        labels: dict[str, Unit] = {}
        for number, entry in enumerate(force.get("units", ())):
            card = read_unit(entry, supplement)
            unit = Unit(f"{SIDES[side]}-{number + 1}", side, card, nation or card.nation)
            if force.get("characteristic"):
                unit.characteristic = str(force["characteristic"])
            units.append(unit)
            labels.setdefault(str(entry.get("label") or entry.get("card") or unit.id), unit)
        for unit, entry in zip(units, force.get("units", ()), strict=True):
            carrier = labels.get(str(entry.get("mounted_in") or ""))
            if carrier is not None and carrier is not unit:
                unit.place = ABOARD
                unit.carrier = carrier.id
        return units

    def resume(self, play: Play) -> Procedure:
        """Go on from the position."""
        return self.turn.resume(play)

    @cached_property
    def field(self) -> KonfliktField:
        """What can be measured and seen on the table."""
        from dieselfront.rulesets.konflikt47.field import KonfliktField

        return KonfliktField(self)

    def hook_index(self, names: Sequence[str], nation: Sequence[Special]) -> Effects:
        """The hooks of some rules, worked out once per combination."""
        key = (tuple(names), tuple(id(special) for special in nation))
        index = self._indexes.get(key)
        if index is None:
            index = self._indexes[key] = make_index(names, ALL_SPECIALS, nation)
        return index

    # -- what command line and screens ask ------------------------------------------------------------------

    def force_from_army(self, army: Any, side: int) -> dict[str, Any]:
        """The force of an army list with every card written out."""
        units = []
        for label, entry in zip(army.labels(), army.units, strict=True):
            plain: dict[str, Any] = {
                "card": entry.card,
                "name": entry.name,
                "experience": entry.experience,
                "models": entry.models,
                "options": dict(entry.options),
            }
            unit: dict[str, Any] = {"label": label, "card": describe(plain)}
            if entry.mounted_in:
                unit["mounted_in"] = entry.mounted_in
            units.append(unit)
        return {"name": army.name, "nation": army.nation or "", "points": army.points, "units": units}

    def read_scenario(self, data: dict[str, Any], where: str = "scenario") -> None:
        """Complain in one sentence about a scenario that cannot be set up."""
        make_table(read_battle(data, where))

    def random_scenario(self, seed: str) -> dict[str, Any]:
        """A board whose halves are alike."""
        from dieselfront.rulesets.konflikt47 import random_board

        return random_board.scenario(seed)

    def view(self, state: State) -> dict[str, Any]:
        """The position as plain data: table, terrain, units with their models, tokens."""
        return plain_on(view(self, state), plain_table(state.table))

    def names(self, state: State) -> Namer:
        """For sentences: ids of units as people call them."""

        def named(field: str, value: Any) -> Any:
            if isinstance(value, str) and value in state._by_id:
                return state.unit(value).card.name
            if field == "side" and isinstance(value, int):
                return SIDES[value]
            return value

        return named

    def switches(self) -> Iterator[tuple[str, str, Any]]:
        """What the mutation run can switch off."""
        from dieselfront.rulesets.konflikt47.switches import switches

        return switches(self)

    def forget(self) -> None:
        """Work out all hooks anew when they are next asked for."""
        self._indexes.clear()
        weapon_effects.forget()

    # -- what must be true of every position ------------------------------------------------------------------

    def invariants(self, state: State, quiet: bool = True) -> Iterator[str]:
        """A sentence for everything that is wrong with a position."""
        for unit in state.units:
            if unit.place == TABLE and len(unit.bodies) != len(unit.men):
                yield f"{unit.id} has {len(unit.men)} models but {len(unit.bodies)} on the table"
            if unit.place != TABLE and unit.bodies:
                yield f"{unit.id} is {unit.place} but stands on the table"
            if unit.pins < 0:
                yield f"{unit.id} has {unit.pins} pins"
            if unit.order not in ("", *ORDERS):
                yield f"{unit.id} has an order die showing {unit.order!r}"
            if unit.order and not unit.alive:  # k47.turn.cup_invariant
                yield f"{unit.id} is gone but keeps its order die"
        if quiet:
            yield from self._crowding(state)

    def event_invariants(self, state: State, event: Event) -> Iterator[str]:
        """What is wrong with something that has just happened: the dead do nothing, who moved stands in coherency
        (k47.core.coherency), and every die drawn was in the cup (k47.turn.cup_invariant)."""
        unit = state.unit(event.unit) if isinstance(event, Ordered | Moved | Placed | Reacted | Ambushed) else None
        if unit is not None and not unit.alive:
            yield f"{unit.id} acts, but is gone"
        if unit is not None and isinstance(event, Moved | Placed) and self.movement.is_scattered(unit):
            yield f"{unit.id} stands out of coherency"
        if isinstance(event, DieDrawn):
            cup = tuple(dice - (side == event.side) for side, dice in enumerate(state.cup()))
            if min(cup) < 0 or cup != event.left:
                yield f"the cup should hold {cup} dice but holds {event.left}"

    def _crowding(self, state: State) -> Iterator[str]:
        """Nobody off the table, on the same ground, or within an inch of another unit (k47.core.one_inch)."""
        standing = [
            (unit, body)
            for unit in state.units
            if unit.place == TABLE and not unit.building
            for body in ground.all_bodies(unit)
        ]
        for number, (unit, body) in enumerate(standing):
            if not state.table.contains(body):
                yield f"{unit.id} stands off the table"
            for other, stranger in standing[:number]:
                if overlaps(body, stranger):
                    yield f"{unit.id} and {other.id} stand on the same ground"
                elif other is not unit and is_within(body, stranger, ground.INCH):
                    yield f"{unit.id} and {other.id} stand within 1 inch of each other"


RULESET = Konflikt47()
