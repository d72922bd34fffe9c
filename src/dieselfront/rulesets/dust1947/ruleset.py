"""Dust 1947 on squares: the rulebook, chapter by chapter.

A chapter is a class without fields. A variant inherits from this ruleset and names the chapters it replaces.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar

from dieselfront.dice.die import DUST_DIE
from dieselfront.forces.armies import Army
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.ruleset import Ruleset
from dieselfront.kernel.views import plain_on
from dieselfront.rulesets.dust.hooks import Registry
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust.view import Namer
from dieselfront.rulesets.dust1947 import skills, view, weapons
from dieselfront.rulesets.dust1947.activation import Activations
from dieselfront.rulesets.dust1947.attack import Attacks
from dieselfront.rulesets.dust1947.close_combat import CloseCombat
from dieselfront.rulesets.dust1947.command import Command
from dieselfront.rulesets.dust1947.criticals import Criticals
from dieselfront.rulesets.dust1947.damage import Damage
from dieselfront.rulesets.dust1947.engineering import Engineering
from dieselfront.rulesets.dust1947.force import check_scenario, force_from_army
from dieselfront.rulesets.dust1947.fortifications import Fortifications
from dieselfront.rulesets.dust1947.ground import Ground
from dieselfront.rulesets.dust1947.hazards import Hazards
from dieselfront.rulesets.dust1947.heights import Heights
from dieselfront.rulesets.dust1947.heroes import Heroes
from dieselfront.rulesets.dust1947.movement import Movement
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.reaction import Reactions
from dieselfront.rulesets.dust1947.reserves import Reserves
from dieselfront.rulesets.dust1947.saves import SavesChapter
from dieselfront.rulesets.dust1947.scenario import Scenario
from dieselfront.rulesets.dust1947.scenery import Scenery
from dieselfront.rulesets.dust1947.setup import Setup
from dieselfront.rulesets.dust1947.smoke import Smoke
from dieselfront.rulesets.dust1947.suppression import Suppression
from dieselfront.rulesets.dust1947.transport import Transport
from dieselfront.rulesets.dust1947.turn import Turn
from dieselfront.rulesets.dust1947.victory import Victory
from dieselfront.rulesets.dust1947.weather import Weather
from dieselfront.rulesets.dust1947.works import Works
from dieselfront.table.terrain import TerrainKind, kinds_from

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.field import DustField


class Dust1947(Ruleset[DustState]):
    """The ruleset: its chapters, its skills, its terrain."""

    id = "dust1947"
    name = "Dust 1947"
    table = "squares"
    version = "2"
    lengths = "squares"
    dice = (DUST_DIE,)
    usual_points = 50
    """What an army of a usual battle costs."""
    scenario_type: ClassVar[Any] = Scenario

    options: ClassVar[dict[str, tuple[str, ...]]] = {
        "reactive_other_actions": ("aircraft_always", "trigger_list_only"),
        "reactive_three_actions_charge": ("mid_march", "after_move"),
        "critical_destroyed": ("roll", "no_roll"),
        "critical_transport": ("before_survivors", "after_attack"),
        "low_wall_wheeled": ("cross", "never"),
        "get_moving_aircraft": ("by_radio", "never"),
        "mechanic_mounted": ("never", "other_vehicles"),
        "reroll_limit": ("each_effect_once", "one_forced_one_chosen"),
    }
    """Rulings that a house may see otherwise: the first reading is the default (rulebook, designer's notes)."""

    def __init__(self) -> None:
        self.activations = Activations()
        self.attacks = Attacks()
        self.close_combat = CloseCombat()
        self.command = Command()
        self.criticals = Criticals()
        self.damage = Damage()
        self.engineering = Engineering()
        self.fortifications = Fortifications()
        self.ground = Ground()
        self.hazards = Hazards()
        self.heights = Heights()
        self.heroes = Heroes()
        self.movement = Movement()
        self.reactions = Reactions()
        self.reserves = Reserves()
        self.saves = SavesChapter()
        self.scenery = Scenery()
        self.setup = Setup()
        self.smoke = Smoke()
        self.suppression = Suppression()
        self.transport = Transport()
        self.turn = Turn()
        self.victory = Victory()
        self.weather = Weather()
        self.works = Works()
        self.special_chapters: tuple[Any, ...] = (self.command, self.engineering, self.scenery, self.heroes)
        self.registry = Registry(skills.ALL, weapons.ALL)

    @cached_property
    def terrain(self) -> dict[str, TerrainKind]:
        """The terrain kinds of this ruleset."""
        import yaml

        text = files("dieselfront.rulesets.dust1947").joinpath("terrain.yaml").read_text("utf-8")
        return kinds_from(yaml.safe_load(text), "dust1947/terrain.yaml")

    @cached_property
    def chapters_ahead(self) -> tuple[Any, ...]:
        """Chapters whose special actions a movement before them may make possible (d47.turn.declare_all)."""
        return self.command, self.engineering, self.scenery

    @cached_property
    def field(self) -> DustField:
        """What can be measured and seen on squares."""
        from dieselfront.rulesets.dust1947.field import SquareField

        return SquareField(self)

    def index(self, unit: Unit) -> None:
        """Index the effects of a unit by moment, when it is made or loses a part."""
        cards = tuple(part.card for part in unit.parts)
        unit.effects = self.registry.of_unit(cards, tuple(part.role for part in unit.parts))

    def forget(self) -> None:
        """Index all effects anew when they are next asked for."""
        self.registry.forget()

    def new_state(self, header: Any) -> DustState:
        """The first position of a game."""
        return self.setup.new_state(self, header)

    def resume(self, play: Play) -> Procedure:
        """Go on from a quiet moment."""
        return self.turn.resume(play)

    # -- what the rooms above ask of every ruleset ----------------------------------------------

    def force_from_army(self, army: Army, side: int) -> dict[str, Any]:
        """The force of an army list, as it stands in a game's header."""
        return force_from_army(army, side)

    def read_scenario(self, data: dict[str, Any], where: str = "scenario") -> None:
        """A ScenarioError or TableError with one sentence for a scenario that cannot be set up."""
        check_scenario(data, self.terrain, where)

    def random_scenario(self, seed: str) -> dict[str, Any]:
        """A board with terrain for both sides alike."""
        from dieselfront.rulesets.dust1947 import random_board

        return random_board.scenario(seed)

    def names(self, state: DustState) -> Namer:
        """What turns ids, places and sides into what people call them, for the sentences of events."""
        return view.names(state)

    def view(self, state: DustState) -> dict[str, Any]:
        """The position as plain data, for screens."""
        return plain_on(view.view(self, state), view.plain_table(state.table))

    def glance(self, state: DustState, players: Iterable[int]) -> dict[str, Any]:
        """What computers count in a position on squares; nothing is hidden."""
        return view.glance(self, state) if self.table == "squares" else super().glance(state, players)

    def invariants(self, state: DustState, quiet: bool = True) -> Any:
        """What is wrong with a position, if anything; random games ask after every choice."""
        from dieselfront.rulesets.dust1947.invariants import invariants

        return invariants(state, quiet)

    def event_invariants(self, state: DustState, event: Any) -> Any:
        """What is wrong with something that has just happened, if anything; random games ask after every event."""
        from dieselfront.rulesets.dust1947.invariants import event_invariants

        return event_invariants(state, event)

    def switches(self) -> Any:
        """What the mutation run can switch off."""
        from dieselfront.rulesets.dust1947.switches import switches

        return switches(self)


RULESET = Dust1947()
