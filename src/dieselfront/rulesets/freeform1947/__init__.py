"""Dust 1947 Freeform: all of Dust 1947 on the open table. Only what differs lives here (ff.scope.unchanged).

Squares become inches, a unit becomes models round its leader; cards, skills, orders and dice are the same
(ff.scope.dice, ff.cc.unchanged). So are saves, stunned tokens and what flames do to those they hit
(ff.save.infantry_cover, ff.save.vehicle_cover, ff.save.infantry, ff.open.dice_symbols, ff.damage.stunned_effect,
ff.flame.effect).
"""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files
from typing import Any

import yaml

from dieselfront.forces.armies import Army
from dieselfront.kernel.field import Field
from dieselfront.rulesets.dust.hooks import Registry
from dieselfront.rulesets.dust.state import DustState
from dieselfront.rulesets.dust.view import Namer
from dieselfront.rulesets.dust1947 import Dust1947, skills
from dieselfront.rulesets.freeform1947 import chapters, scenario, templates, view
from dieselfront.rulesets.freeform1947.attack import FreeAttacks
from dieselfront.rulesets.freeform1947.damage import FreeDamage, Leaders
from dieselfront.rulesets.freeform1947.ground import FreeGround
from dieselfront.rulesets.freeform1947.movement import FreeMovement
from dieselfront.rulesets.freeform1947.setup import FreeSetup
from dieselfront.rulesets.freeform1947.sizes import home_sizes
from dieselfront.rulesets.freeform1947.terrain import Kind, kinds_from
from dieselfront.table.measured.terrain import TerrainKind


class Freeform1947(Dust1947):
    """The ruleset: the chapters it replaces, and two of its own."""

    id = "freeform1947"
    name = "Dust 1947 Freeform"
    table = "measured"
    version = "1"
    lengths = "in"

    def __init__(self) -> None:
        super().__init__()
        self.activations = chapters.FreeActivations()
        self.attacks = FreeAttacks()
        self.command = chapters.FreeCommand()
        self.criticals = chapters.FreeCriticals()
        self.damage = FreeDamage()
        self.engineering = chapters.FreeEngineering()
        self.fortifications = chapters.FreeFortifications()
        self.ground = FreeGround()
        self.hazards = chapters.FreeHazards()
        self.heroes = chapters.FreeHeroes()
        self.leaders = Leaders()
        self.movement = FreeMovement()
        self.reactions = chapters.FreeReactions()
        self.reserves = chapters.FreeReserves()
        self.scenery = chapters.FreeScenery()
        self.setup = FreeSetup()
        self.templates = templates.Templates()
        self.transport = chapters.FreeTransport()
        self.works = chapters.FreeWorks()
        self.special_chapters = (self.command, self.engineering, self.scenery, self.heroes)
        self.registry = Registry(skills.ALL, templates.ALL)

    @cached_property
    def terrain(self) -> dict[str, Kind]:  # type: ignore[override]
        """The terrain kinds of the open table (ff.area.definition, ff.area.table)."""
        text = files("dieselfront.rulesets.freeform1947").joinpath("terrain.yaml").read_text("utf-8")
        return kinds_from(yaml.safe_load(text))

    @property
    def kinds(self) -> dict[str, TerrainKind]:
        """The same as the table knows them."""
        return {id: kind.on_table(id) for id, kind in self.terrain.items()}

    @cached_property
    def field(self) -> Field[DustState]:
        """What can be measured and seen on the open table."""
        from dieselfront.rulesets.freeform1947.field import OpenField

        return OpenField(self)

    def force_from_army(self, army: Army, side: int) -> dict[str, Any]:
        """The force of a list, with the user's own sizes of its models."""
        force = super().force_from_army(army, side)
        own = {
            id: size
            for id, size in home_sizes().items()
            if any(card.partition("+")[0] == id for card in force["cards"])
        }
        return force | ({"bases": own} if own else {})

    def read_scenario(self, data: dict[str, Any], where: str = "scenario") -> None:
        scenario.check(data, self.terrain, self.kinds, where)

    def random_scenario(self, seed: str) -> dict[str, Any]:
        """A board of Dust 1947, converted (ff.scope.convert)."""
        from dieselfront.rulesets.freeform1947 import random_board

        return random_board.scenario(self, seed)

    def names(self, state: DustState) -> Namer:
        return view.names(state)

    def view(self, state: DustState) -> dict[str, Any]:
        return view.view(self, state)

    def invariants(self, state: DustState, quiet: bool = True) -> Any:
        from dieselfront.rulesets.freeform1947.invariants import invariants

        return invariants(self, state, quiet)

    def switches(self) -> Any:
        from dieselfront.rulesets.freeform1947.switches import switches

        return switches(self)


RULESET = Freeform1947()
