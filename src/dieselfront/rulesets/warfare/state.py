"""The position: units, turn, forces. Small, slotted and plain; cards and table are shared by all copies."""

from __future__ import annotations

from typing import Any, NamedTuple

from dieselfront.kernel.hooks import NO_EFFECTS, Effects, ask
from dieselfront.rulesets.warfare.profiles import AIRCRAFT, SOLDIER, VEHICLE, bears, carried, crew_guns
from dieselfront.rulesets.warfare.unit_cards import WarfareCard, WarfareWeapon
from dieselfront.table.measured.shapes import Body

Spot = tuple[int, int]

TABLE, OFF, ABOARD, JOINED, GONE = "table", "off", "aboard", "joined", "gone"
AWAY = (GONE, JOINED)
"""Not in play as a unit of its own."""
INSIDE, RIDING, PILOTING, LIFTED = "inside", "riding", "piloting", "lifted"
HIGH, LOW = "high", "low"


class Figure(NamedTuple):
    """One miniature as its card describes it: the numbers of its weapons in the unit's list."""

    card: WarfareCard
    weapons: tuple[int, ...]
    number: int = 0
    """Its place among the miniatures of its card."""
    guns: tuple[int, ...] = ()
    """Weapons of the unit that the whole crew of its card serves."""
    label: str = ""
    """Which card of the unit it came with, where units were merged."""

    @property
    def is_hero(self) -> bool:
        return self.card.is_hero


class Unit:
    """One unit. `men` are the numbers of its living figures, `bodies` where each of them stands on the table."""

    __slots__ = (
        "abilities",
        "activated",
        "altitude",
        "bodies",
        "broken",
        "card",
        "carrier",
        "effects",
        "empty",
        "figures",
        "heading",
        "hooks",
        "id",
        "leader",
        "men",
        "notes",
        "place",
        "reacted",
        "reaction",
        "seat",
        "side",
        "spent",
        "stand_in",
        "suppression",
        "used",
        "weapons",
        "wounds",
    )

    def __init__(self, id: str, side: int, card: WarfareCard) -> None:
        self.id = id
        self.side = side
        self.card = card
        self.weapons: tuple[WarfareWeapon, ...] = card.weapons
        guns = crew_guns(card)
        self.figures: tuple[Figure, ...] = tuple(
            Figure(card, mine, number, guns, id) for number, mine in enumerate(carried(card))
        )
        self.men = list(range(len(self.figures)))
        self.bodies: list[Body] = []
        self.wounds: dict[int, int] = {}
        self.heading = 0
        self.leader: int | None = 0
        """The unit leader; None while the unit is leaderless (dw.leader.lost_promote)."""
        self.stand_in: int | None = None
        """Named by the opponent for one event (dw.leader.opponent_nominates)."""
        self.suppression = 0
        self.reaction = False
        self.reacted = False
        """Has it reacted in this turn, whatever became of the marker (dw.reaction.once_per_turn)?"""
        self.activated = False
        self.place = OFF
        self.carrier = ""
        self.seat = ""
        self.altitude = ""
        self.effects: tuple[str, ...] = ()
        """What the damage tables did to it."""
        self.broken: tuple[tuple[int, int], ...] = ()
        """Weapons out of action: (figure, place among its weapons)."""
        self.spent: tuple[tuple[int, int], ...] = ()
        """Bombs dropped: (figure, place among its weapons)."""
        self.empty: tuple[int, ...] = ()
        """Weapon numbers with an Out of Ammo marker (dw.open.out_of_ammo_scope)."""
        self.used: tuple[str, ...] = ()
        """Once-per-game abilities that have been used."""
        self.notes: dict[str, Any] = {}
        self.abilities: frozenset[str] = frozenset()
        self.hooks: Effects = NO_EFFECTS

    # -- questions ------------------------------------------------------------------------------

    def has(self, ability: str) -> bool:
        """Is the ability in force for the unit?"""
        return ability in self.abilities

    def ask(self, hook: str, value: Any, *context: Any) -> Any:
        """Let the unit's abilities change a value."""
        if not self.hooks:
            return value
        return ask(self.hooks, hook, value, *context)

    def bearers(self, ability: str) -> list[int]:
        """The living figures whose own card has the ability (dw.ability.shared)."""
        return [man for man in self.men if bears(self.figures[man].card, self.figures[man].number, ability)]

    def carried(self, man: int) -> tuple[int, ...]:
        """The numbers of a figure's weapons; the first one left of a crew also serves its gun."""
        figure = self.figures[man]
        if not figure.guns or any(self.figures[other].label == figure.label for other in self.men if other < man):
            return figure.weapons
        return (*figure.weapons, *figure.guns)

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def alive(self) -> bool:
        return self.place not in AWAY

    @property
    def on_table(self) -> bool:
        return self.place == TABLE

    @property
    def is_soldier(self) -> bool:
        return self.card.type == SOLDIER

    @property
    def is_vehicle(self) -> bool:
        """A ground vehicle."""
        return self.card.type == VEHICLE

    @property
    def is_aircraft(self) -> bool:
        return self.card.type == AIRCRAFT

    @property
    def is_machine(self) -> bool:
        """A vehicle or an aircraft: effects that speak of one mean both (dw.aircraft.vehicle_interchangeable)."""
        return self.card.type != SOLDIER

    @property
    def is_high(self) -> bool:
        """An aircraft at high altitude."""
        return self.altitude == HIGH

    @property
    def is_flying(self) -> bool:
        """Soldiers in the air by the Flight ability (dw.ability.flight_state)."""
        return bool(self.notes.get("flying"))

    @property
    def is_above(self) -> bool:
        """Seen from above and looking down: high aircraft and flying soldiers."""
        return self.is_high or self.is_flying

    @property
    def armor(self) -> int:
        return self.card.armor

    @property
    def strength(self) -> int:
        return len(self.men)

    @property
    def hero(self) -> int | None:
        """The living hero of the unit."""
        return next((man for man in self.men if self.figures[man].is_hero), None)

    @property
    def is_lone_hero(self) -> bool:
        """A hero on his own (dw.hero.independent, dw.hero.last_alive)."""
        return len(self.men) == 1 and self.figures[self.men[0]].is_hero

    @property
    def is_hero_led(self) -> bool:
        """Is its leader a hero (dw.open.hero_leads)?"""
        return self.leader is not None and self.figures[self.leader].is_hero

    @property
    def acting_leader(self) -> int | None:
        """The leader, or who stands in for him in this event."""
        return self.leader if self.leader is not None else self.stand_in

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Where its models stand, in whole millimetres."""
        return tuple((body.x, body.y) for body in self.bodies)

    def body_of(self, man: int) -> Body:
        """The model of a figure on the table."""
        return self.bodies[self.men.index(man)]

    def capacity(self, man: int) -> int:
        """What a figure can still suffer (dw.open.stat_line)."""
        return self.figures[man].card.capacity - self.wounds.get(man, 0)

    @property
    def points_left(self) -> int:
        """What the unit as a whole can still suffer."""
        return sum(self.capacity(man) for man in self.men)

    def lose(self, man: int) -> None:
        """Take a figure off."""
        index = self.men.index(man)
        del self.men[index]
        if self.bodies:
            del self.bodies[index]
        self.wounds.pop(man, None)
        if self.leader == man:
            self.leader = None
        if self.stand_in == man:
            self.stand_in = None

    def has_used(self, ability: str) -> bool:
        return ability in self.used

    def use(self, ability: str) -> None:
        """Mark a once-per-game ability as used."""
        self.used = (*self.used, ability)

    @property
    def ap(self) -> int:
        """The price of everything in the unit."""
        return sum({figure.label: figure.card.points for figure in self.figures}.values())

    # -- copies ----------------------------------------------------------------------------------

    def clone(self) -> Unit:
        twin: Unit = Unit.__new__(Unit)
        twin.id = self.id
        twin.side = self.side
        twin.card = self.card
        twin.weapons = self.weapons
        twin.figures = self.figures
        twin.men = self.men.copy()
        twin.bodies = self.bodies.copy()
        twin.wounds = self.wounds.copy()
        twin.heading = self.heading
        twin.leader = self.leader
        twin.stand_in = self.stand_in
        twin.suppression = self.suppression
        twin.reaction = self.reaction
        twin.reacted = self.reacted
        twin.activated = self.activated
        twin.place = self.place
        twin.carrier = self.carrier
        twin.seat = self.seat
        twin.altitude = self.altitude
        twin.effects = self.effects
        twin.broken = self.broken
        twin.spent = self.spent
        twin.empty = self.empty
        twin.used = self.used
        twin.notes = self.notes.copy()
        twin.abilities = self.abilities
        twin.hooks = self.hooks
        return twin

    def facts(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "side": self.side,
            "card": self.card.id,
            "figures": [figure.label for figure in self.figures],
            "men": list(self.men),
            "spots": [[body.x, body.y, body.z] for body in self.bodies],
            "wounds": {str(man): points for man, points in sorted(self.wounds.items())},
            "heading": self.heading,
            "leader": self.leader,
            "stand_in": self.stand_in,
            "suppression": self.suppression,
            "reaction": self.reaction,
            "reacted": self.reacted,
            "activated": self.activated,
            "place": self.place,
            "carrier": self.carrier,
            "seat": self.seat,
            "altitude": self.altitude,
            "effects": list(self.effects),
            "broken": [list(pair) for pair in self.broken],
            "spent": [list(pair) for pair in self.spent],
            "empty": list(self.empty),
            "used": list(self.used),
            "notes": {name: self.notes[name] for name in sorted(self.notes)},
        }

    def __repr__(self) -> str:
        return f"Unit({self.id}, {self.card.name})"


class State:
    """Everything that changes during play. `table` is immutable; a change of terrain puts another one in its place."""

    __slots__ = (
        "active",
        "dice_thrown",
        "edges",
        "forces",
        "hits",
        "initiative",
        "notes",
        "options",
        "orders",
        "over",
        "phase",
        "scenario",
        "scores",
        "table",
        "turn",
        "units",
        "_by_id",
    )

    def __init__(
        self, units: list[Unit], table: Any, options: dict[str, str], scenario: Any = None, forces: Any = ()
    ) -> None:
        self.units = units
        self._by_id = {unit.id: unit for unit in units}
        self.table = table
        self.options = options
        self.scenario = scenario
        self.forces = forces
        self.turn = 0
        self.phase = "setup"
        self.active = 0
        """The side whose part of the phase it is."""
        self.initiative = 0
        """The initiating side (dw.initiative.fewest_first)."""
        self.hits: tuple[int, int] = (0, 0)
        """What the Command Pools came to."""
        self.orders = 0
        """Orders the active side may still give."""
        self.dice_thrown = 0
        self.edges: tuple[str, str] = ("south", "north")
        self.scores: list[int] = [0, 0]
        self.over = False
        self.notes: dict[str, Any] = {}

    def unit(self, id: str) -> Unit:
        return self._by_id[id]

    def of(self, side: int) -> list[Unit]:
        """The living units of a side, wherever they are."""
        return [unit for unit in self.units if unit.side == side and unit.place not in AWAY]

    def on_table(self, side: int) -> list[Unit]:
        return [unit for unit in self.units if unit.side == side and unit.place == TABLE]

    def enemies(self, unit: Unit) -> list[Unit]:
        """Enemy units on the table."""
        return [other for other in self.units if other.place == TABLE and other.side != unit.side]

    def friends(self, unit: Unit) -> list[Unit]:
        """Other units of its side on the table."""
        return [other for other in self.units if other.place == TABLE and other.side == unit.side and other is not unit]

    def aboard(self, carrier: Unit, seat: str = "") -> list[Unit]:
        """The units a carrier holds, or those in one kind of seat."""
        return [
            unit
            for unit in self.units
            if unit.place == ABOARD and unit.carrier == carrier.id and (not seat or unit.seat == seat)
        ]

    def option(self, name: str) -> str:
        return self.options[name]

    def clone(self) -> State:
        twin: State = State.__new__(State)
        units = [unit.clone() for unit in self.units]
        twin.units = units
        twin._by_id = {unit.id: unit for unit in units}
        twin.table = self.table
        twin.options = self.options
        twin.scenario = self.scenario
        twin.forces = self.forces
        twin.turn = self.turn
        twin.phase = self.phase
        twin.active = self.active
        twin.initiative = self.initiative
        twin.hits = self.hits
        twin.orders = self.orders
        twin.dice_thrown = self.dice_thrown
        twin.edges = self.edges
        twin.scores = self.scores.copy()
        twin.over = self.over
        twin.notes = self.notes.copy()
        return twin

    def facts(self) -> dict[str, Any]:
        return {
            "turn": self.turn,
            "phase": self.phase,
            "active": self.active,
            "initiative": self.initiative,
            "hits": list(self.hits),
            "orders": self.orders,
            "edges": list(self.edges),
            "scores": list(self.scores),
            "over": self.over,
            "units": [unit.facts() for unit in self.units],
            "notes": {name: self.notes[name] for name in sorted(self.notes)},
            "table": self.table.to_data() if self.table is not None else None,
            "dice_thrown": self.dice_thrown,
        }
