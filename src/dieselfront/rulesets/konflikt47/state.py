"""The position: units, turn, forces. Small, slotted and plain; cards and table are shared by all copies."""

from __future__ import annotations

from typing import Any

from dieselfront.rulesets.konflikt47.cards import Man, UnitCard
from dieselfront.rulesets.konflikt47.charts import Weapon
from dieselfront.rulesets.konflikt47.hooks import Effects, Mark
from dieselfront.rulesets.konflikt47.notes import Note
from dieselfront.table.measured.shapes import Body

Spot = tuple[int, int]
Ranging = tuple[int, str, int, int, int, int]
"""A weapon, its target, the moves of both, the number needed to hit (0: zeroed in), the turn."""

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

    # -- notes: remembered for a while, or for the rest of the game -----------------------------

    characteristic: Note[str] = Note("")
    """The national characteristic its side has chosen."""
    lost_rules: Note[tuple[str, ...]] = Note(())
    lost_weapons: Note[tuple[int, ...]] = Note(())
    trained: Note[str] = Note("", "quality")
    """The quality it has shown to have, where that is not the one of its card."""
    outflank: Note[str] = Note("")
    """The edge of the table it will come from."""
    dug_in: Note[bool] = Note(False)
    floor: Note[int] = Note(0)
    """Of the building it is in."""
    last_building: Note[str] = Note("")
    ranging: Note[tuple[Ranging, ...]] = Note(())
    """Indirect fire that has begun, by weapon."""
    shell: Note[str] = Note("")
    """The round that a gun in ambush has loaded."""
    rail_half: Note[bool] = Note(False)
    afloat: Note[bool] = Note(False)
    in_flight: Note[bool] = Note(False)
    blooded: Note[bool] = Note(False)
    tested: Note[bool] = Note(False)
    released: Note[bool] = Note(False)
    called: Note[bool] = Note(False)
    """Has its observer called the barrage?"""
    elite_used: Note[bool] = Note(False)
    elite_wait: Note[bool] = Note(False)
    recce_used: Note[bool] = Note(False)
    hunters: Note[bool] = Note(False)
    medic_bonus: Note[bool] = Note(False)
    halted: Note[bool] = Note(False)
    slowed: Note[bool] = Note(False)
    evaded: Note[bool] = Note(False)
    counts_as_advanced: Note[bool] = Note(False)
    parted: Note[bool] = Note(False)
    """Odds: the assault came apart."""
    answers: Note[bool] = Note(False)
    """Odds: the target fires back."""
    afraid: Note[bool] = Note(False)
    """Odds: Horror troops have frightened it."""

    # -- marks: what its special rules say of it (hooks.py tells what each means) ---------------

    flies = Mark("on_flies")
    ignores_terrain = Mark("on_ignores_terrain")
    jumps = Mark("on_jumps")
    turns_on_spot = Mark("on_turns_on_spot")
    swims = Mark("on_swims")
    is_emplaced = Mark("on_emplaced")
    lends_turn = Mark("on_lends_turn")
    is_mounted = Mark("on_mounted")
    defuses = Mark("on_defuses")
    waits_for_others = Mark("on_waits")
    needs_no_nco = Mark("on_needs_no_nco")
    is_fearsome = Mark("on_fearsome")
    frightens_friends = Mark("on_frightens_friends")
    is_fearless = Mark("on_fearless")
    spurs_on = Mark("on_spurs_on")
    demands_loyalty = Mark("on_demands_loyalty")
    bears_colours = Mark("on_colours")
    is_noncombatant = Mark("on_noncombatant")
    crew_fires = Mark("on_crew_fires")
    fires_both = Mark("on_fires_both")
    fires_on_the_move = Mark("on_fires_on_the_move")
    fires_one = Mark("on_fires_one")
    designates = Mark("on_designates")
    sees_through_smoke = Mark("on_sees_through_smoke")
    heals = Mark("on_heals")
    is_beyond_medics = Mark("on_no_medic")
    is_fireproof = Mark("on_fireproof")
    is_open = Mark("on_open")
    drops_fuel = Mark("on_drops_fuel")
    scouts = Mark("on_scouts")
    escapes_freely = Mark("on_escapes_freely")
    never_reacts = Mark("on_never_reacts")
    is_struck_as_vehicle = Mark("on_struck_as_vehicle")
    strikes_again = Mark("on_strikes_again")
    hunts_tanks = Mark("on_hunts_tanks")

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

    def forget_turn(self) -> None:
        """Forget what counts for one turn only."""
        del self.elite_used, self.elite_wait, self.recce_used, self.halted, self.hunters, self.medic_bonus
        del self.counts_as_advanced

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
        return self.is_armoured and not self.is_open

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

    @property
    def is_lone_crew(self) -> bool:
        """A weapon team or gun crew reduced to one man (k47.wrule.team_one_man, k47.artillery.crew_lost)."""
        served = self.is_artillery or self.card.team
        return served and len(self.men) == 1 and len(self.card.men) > 1

    def man(self, index: int) -> Man:
        return self.card.men[index]

    def weapon(self, index: int) -> Weapon:
        return self.card.weapons[index]

    def carries(self, role: str) -> bool:
        """Is a model of this role still alive in the unit?"""
        return any(role in self.card.men[man].roles for man in self.men)

    def weapons_of(self, man: int) -> list[int]:
        """What a model can still use: one-shot weapons that were fired and guns that broke are gone."""
        lost = self.lost_weapons
        return [index for index in self.card.men[man].weapons if index not in lost and (man, index) not in self.spent]

    def quality(self, state: State) -> str:
        """The quality that counts for morale and damage."""
        quality: str = self.ask("on_troop_quality", self.trained or self.card.quality, self, state)
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

    stage: Note[str] = Note("edges")
    """How far setting up has come."""
    to_place: Note[tuple[str, ...]] = Note(())
    """Units that wait to be set up."""
    placing: Note[int] = Note(0)
    """The side that sets up next."""
    smoke: Note[tuple[tuple[str, int], ...]] = Note(())
    """Pieces of smoke, each with the turn after which it is gone."""
    smoke_count: Note[int] = Note(0)
    cleared: Note[tuple[str, ...]] = Note(())
    """Minefields that engineers have cleared."""
    barrages: Note[tuple[tuple[int, int, int], ...]] = Note(())
    """Barrages called: the side, and where."""
    avanti: Note[tuple[int, ...]] = Note(())
    """Sides that the rule Avanti helps now."""

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
