"""A Dust game on the open table: the chapters that every one of them takes instead of those on squares."""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar

import yaml

from dieselfront.forces.armies import Army
from dieselfront.kernel.views import plain_on
from dieselfront.rulesets.dust.hooks import Registry
from dieselfront.rulesets.dust.state import DustState
from dieselfront.rulesets.dust.view import Namer
from dieselfront.rulesets.dust1947 import Dust1947, skills
from dieselfront.rulesets.dust_open import chapters, scenario, templates, view
from dieselfront.rulesets.dust_open.attack import OpenAttacks
from dieselfront.rulesets.dust_open.damage import OpenDamage
from dieselfront.rulesets.dust_open.ground import OpenGround
from dieselfront.rulesets.dust_open.movement import OpenMovement
from dieselfront.rulesets.dust_open.places import Measures
from dieselfront.rulesets.dust_open.setup import OpenSetup
from dieselfront.rulesets.dust_open.sizes import home_sizes
from dieselfront.rulesets.dust_open.terrain import Kind, kinds_from
from dieselfront.table.measured.terrain import TerrainKind

if TYPE_CHECKING:
    from dieselfront.rulesets.dust_open.field import OpenField


class OpenDust(Dust1947):
    """What Dust games on the open table have in common; a game adds its ground, its lengths and its own rules."""

    table = "measured"
    scenario_type: ClassVar[Any] = scenario.Scenario
    attacks: OpenAttacks
    damage: OpenDamage
    setup: OpenSetup
    ground: OpenGround
    """Given by each game."""

    def __init__(self) -> None:
        super().__init__()
        self.attacks = OpenAttacks()
        self.command = chapters.OpenCommand()
        self.criticals = chapters.OpenCriticals()
        self.damage = OpenDamage()
        self.engineering = chapters.OpenEngineering()
        self.fortifications = chapters.OpenFortifications()
        self.hazards = chapters.OpenHazards()
        self.heroes = chapters.OpenHeroes()
        self.movement = OpenMovement()
        self.reactions = chapters.OpenReactions()
        self.reserves = chapters.OpenReserves()
        self.scenery = chapters.OpenScenery()
        self.setup = OpenSetup()
        self.templates = templates.Templates()
        self.transport = chapters.OpenTransport()
        self.works = chapters.OpenWorks()
        self.special_chapters = (self.command, self.engineering, self.scenery, self.heroes)
        self.registry = Registry(skills.ALL, templates.ALL)

    @cached_property
    def field(self) -> OpenField:
        """What can be measured and seen, given by each game."""
        raise NotImplementedError

    def measures(self, options: dict[str, str]) -> Measures:
        """The lengths of a game."""
        raise NotImplementedError

    @cached_property
    def terrain(self) -> dict[str, Kind]:  # type: ignore[override]
        """The terrain kinds of the game, from the file in its folder (ff.area.definition, ff.area.table)."""
        text = files(f"dieselfront.rulesets.{self.id}").joinpath("terrain.yaml").read_text("utf-8")
        return kinds_from(yaml.safe_load(text))

    @cached_property
    def kinds(self) -> dict[str, TerrainKind]:
        """The same as the table knows them; one object, by which games on one scenario find the ground they share."""
        return {id: kind.on_table(id) for id, kind in self.terrain.items()}

    def force_from_army(self, army: Army, side: int) -> dict[str, Any]:
        """The force of a list, with the user's own sizes of its models."""
        force = super().force_from_army(army, side)
        own = {
            id: size
            for id, size in home_sizes(self.id).items()
            if any(card.partition("+")[0] == id for card in force["cards"])
        }
        return force | ({"bases": own} if own else {})

    def read_scenario(self, data: dict[str, Any], where: str = "scenario") -> None:
        scenario.check(scenario.read(data, where), self.terrain, self.kinds, where, self.measures({}))

    def names(self, state: DustState) -> Namer:
        return view.names(state, self.ground.length_label)

    def view(self, state: DustState) -> dict[str, Any]:
        table = view.plain_table(state.table.land, view.length_unit(self.field))
        return plain_on(view.view(self, state), table)
