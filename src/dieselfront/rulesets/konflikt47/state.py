"""The position: units, turn, forces. Small, slotted and plain; cards and table are shared by all copies."""

from __future__ import annotations

from typing import Any

from dieselfront.rulesets.konflikt47.cards import Man, UnitCard
from dieselfront.rulesets.konflikt47.charts import Weapon
from dieselfront.rulesets.konflikt47.hooks import Effects
from dieselfront.table.measured.shapes import Body

Spot = tuple[int, int]

FIRE, ADVANCE, RUN, AMBUSH, RALLY, DOWN = "fire", "advance", "run", "ambush", "rally", "down"
ORDERS = (FIRE, ADVANCE, RUN, AMBUSH, RALLY, DOWN)  # k47.order.list

TABLE, RESERVE, ABOARD, TOWED, GONE = "table", "reserve", "aboard", "towed", "gone"


class Unit:
    """One unit. `men` are indices of the card's models still there, `bodies` where each stands on the table."""

    __slots__ = (
        "bodies",
        "building",
        "card",
        "carrier",
        "gained",
        "gun",
        "heading",
        "hooks",
        "id",
        "immobilised",
        "last_order",
        "men",
        "moves",
        "nation",
        "nco_lost",
        "notes",
        "order",
        "pins",
        "place",
        "rules",
        "side",
        "spent",
    )

    def __init__(self, id: str, side: int, card: UnitCard, nation: str = "") -> None:
        self.id = id
        self.side = side
        self.card = card
        self.nation = nation
        self.men = list(range(len(card.men)))
        self.bodies: list[Body] = []
        self.gun: Body | None = None
        self.heading = 0
        self.pins = 0
        self.order = ""
        self.last_order = ""
        self.place = RESERVE
        self.carrier = ""
        self.building = ""
        self.immobilised = False
        self.nco_lost = False
        self.moves = 0
        self.spent: tuple[tuple[int, int], ...] = ()
        self.gained: tuple[str, ...] = ()
        self.notes: dict[str, Any] = {}
        self.rules: frozenset[str] = frozenset()
        self.hooks: Effects = {}

    # -- questions ------------------------------------------------------------------------------

    def has(self, rule: str) -> bool:
        """Does one of its rules have this name?"""
        return rule in self.rules

    def ask(self, hook: str, value: Any, *context: Any) -> Any:
        """Let the unit's special rules change a value."""
        for answer in self.hooks.get(hook, ()):
            value = answer(value, *context)
        return value

    @property
    def alive(self) -> bool:
        return self.place != GONE

    @property
    def on_table(self) -> bool:
        return self.place == TABLE

    @property
    def is_infantry(self) -> bool:
        return self.card.kind == "infantry"

    @property
    def is_artillery(self) -> bool:
        return self.card.kind == "artillery"

    @property
    def is_vehicle(self) -> bool:
        return self.card.kind == "vehicle"

    @property
    def is_walker(self) -> bool:
        return self.card.vehicle is not None and self.card.vehicle.walker

    @property
    def is_soft(self) -> bool:
        """A soft target among vehicles (k47.open.scout_walker)."""
        return self.card.vehicle is not None and self.card.vehicle.soft

    @property
    def is_armoured(self) -> bool:
        """An armoured vehicle, enclosed or open-topped."""
        return self.card.vehicle is not None and not self.card.vehicle.soft

    @property
    def is_enclosed(self) -> bool:
        """A fully enclosed armoured vehicle."""
        return self.is_armoured and "Open-Topped" not in self.rules

    @property
    def is_down(self) -> bool:
        return self.order == DOWN

    @property
    def in_cup(self) -> bool:
        """Its die lies in the cup: a living unit without an order (k47.turn.cup_invariant)."""
        return self.place != GONE and not self.order

    @property
    def strength(self) -> int:
        return len(self.men)

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Where its models stand, in whole millimetres."""
        return tuple((body.x, body.y) for body in self.bodies)

    def body_of(self, man: int) -> Body:
        """The model of a man on the table."""
        return self.bodies[self.men.index(man)]

    def lose(self, man: int) -> None:
        """Take a model off."""
        index = self.men.index(man)
        del self.men[index]
        if self.bodies:
            del self.bodies[index]

    @property
    def is_small(self) -> bool:
        """One or two models left, crew for a gun; never a vehicle (k47.shoot.small_def)."""
        return not self.is_vehicle and len(self.men) <= 2

    def man(self, index: int) -> Man:
        return self.card.men[index]

    def weapon(self, index: int) -> Weapon:
        return self.card.weapons[index]

    def carries(self, role: str) -> bool:
        """Is a model of this role still alive in the unit?"""
        return any(role in self.card.men[man].roles for man in self.men)

    def weapons_of(self, man: int) -> list[int]:
        """What a model can still use: one-shot weapons that were fired and guns that broke are gone."""
        lost = self.notes.get("lost_weapons", ())
        return [index for index in self.card.men[man].weapons if index not in lost and (man, index) not in self.spent]

    def quality(self, state: State) -> str:
        """The quality that counts for morale and damage."""
        quality: str = self.ask("on_troop_quality", self.notes.get("quality", self.card.quality), self, state)
        return quality

    # -- copies ----------------------------------------------------------------------------------

    def clone(self) -> Unit:
        twin: Unit = Unit.__new__(Unit)
        twin.id = self.id
        twin.side = self.side
        twin.card = self.card
        twin.nation = self.nation
        twin.men = self.men.copy()
        twin.bodies = self.bodies.copy()
        twin.gun = self.gun
        twin.heading = self.heading
        twin.pins = self.pins
        twin.order = self.order
        twin.last_order = self.last_order
        twin.place = self.place
        twin.carrier = self.carrier
        twin.building = self.building
        twin.immobilised = self.immobilised
        twin.nco_lost = self.nco_lost
        twin.moves = self.moves
        twin.spent = self.spent
        twin.gained = self.gained
        twin.notes = self.notes.copy()
        twin.rules = self.rules
        twin.hooks = self.hooks
        return twin

    def facts(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "side": self.side,
            "card": self.card.id,
            "men": list(self.men),
            "spots": [[body.x, body.y] for body in self.bodies],
            "gun": [self.gun.x, self.gun.y] if self.gun else None,
            "heading": self.heading,
            "pins": self.pins,
            "order": self.order,
            "place": self.place,
            "carrier": self.carrier,
            "building": self.building,
            "immobilised": self.immobilised,
            "nco_lost": self.nco_lost,
            "moves": self.moves,
            "spent": [list(pair) for pair in self.spent],
            "gained": list(self.gained),
            "last_order": self.last_order,
            "notes": {name: self.notes[name] for name in sorted(self.notes)},
        }

    def __repr__(self) -> str:
        return f"Unit({self.id}, {self.card.name})"


class State:
    """Everything that changes during play. `table` is immutable; a change of terrain puts another one in its place."""

    __slots__ = (
        "dice_thrown",
        "edges",
        "forces",
        "notes",
        "options",
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
        self.dice_thrown = 0
        self.edges: tuple[str, str] = ("south", "north")
        self.scores: list[int] = [0, 0]
        self.over = False
        self.notes: dict[str, Any] = {}

    def unit(self, id: str) -> Unit:
        return self._by_id[id]

    def of(self, side: int) -> list[Unit]:
        """The living units of a side, wherever they are."""
        return [unit for unit in self.units if unit.side == side and unit.place != GONE]

    def on_table(self, side: int) -> list[Unit]:
        return [unit for unit in self.units if unit.side == side and unit.place == TABLE]

    def enemies(self, unit: Unit) -> list[Unit]:
        """Enemy units on the table."""
        return [other for other in self.units if other.place == TABLE and other.side != unit.side]

    def friends(self, unit: Unit) -> list[Unit]:
        """Other units of its side on the table."""
        return [other for other in self.units if other.place == TABLE and other.side == unit.side and other is not unit]

    def cup(self) -> tuple[int, int]:
        """How many dice of each side lie in the cup (k47.turn.cup_invariant)."""
        count = [0, 0]
        for unit in self.units:
            if unit.place != GONE and not unit.order:
                count[unit.side] += 1
        return (count[0], count[1])

    def is_on(self, option: str) -> bool:
        return self.options.get(option) == "on"

    def passengers(self, carrier: Unit) -> list[Unit]:
        return [unit for unit in self.units if unit.carrier == carrier.id and unit.place in (ABOARD, TOWED)]

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
            "edges": list(self.edges),
            "scores": list(self.scores),
            "over": self.over,
            "units": [unit.facts() for unit in self.units],
            "notes": {name: self.notes[name] for name in sorted(self.notes)},
            "table": self.table.to_data() if self.table is not None else None,
            "dice_thrown": self.dice_thrown,
        }
