"""Dust 1947 Freeform: all of Dust 1947 on the open table. Only what differs lives here (ff.scope.unchanged).

Squares become inches, a unit becomes models round its leader; cards, skills, orders and dice are the same
(ff.scope.dice, ff.cc.unchanged). So are saves, stunned tokens and what flames do to those they hit
(ff.save.infantry_cover, ff.save.vehicle_cover, ff.save.infantry, ff.open.dice_symbols, ff.damage.stunned_effect,
ff.flame.effect). Models, regions, ways and templates are those of every Dust game on the open table (dust_open).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

from dieselfront.rulesets.dust.state import DustState
from dieselfront.rulesets.dust1947.ruleset import Dust1947
from dieselfront.rulesets.dust1947.scenario import ScenarioError
from dieselfront.rulesets.dust_open import scenario as open_scenario
from dieselfront.rulesets.dust_open.places import Measures
from dieselfront.rulesets.dust_open.ruleset import OpenDust
from dieselfront.rulesets.dust_open.setup import OpenSetup
from dieselfront.rulesets.freeform1947 import chapters, scenario
from dieselfront.rulesets.freeform1947.attack import FreeAttacks
from dieselfront.rulesets.freeform1947.damage import FreeDamage, Leaders
from dieselfront.rulesets.freeform1947.forts import FreeForts, FreeWorks, why_not
from dieselfront.rulesets.freeform1947.ground import ANY_LINE, THIN_WOODS_OPEN, FreeGround
from dieselfront.rulesets.freeform1947.places import MEASURES

if TYPE_CHECKING:
    from dieselfront.rulesets.freeform1947.field import FreeField


class FreeSetup(OpenSetup):
    """The first position; positions are points, deployment rows strips of 4"."""

    rule = "ff.scope.mode"

    def new_state(self, rules: Dust1947, header: Any) -> DustState:
        """The table with the scenario's fortifications on it, and those that strongpoint units bring."""
        own = cast("Freeform1947", rules)
        state = super().new_state(rules, header)
        for fort in scenario.forts(state.scenario):
            reason = why_not(state, fort) if fort.placed else None
            if reason is not None:
                raise ScenarioError(f"scenario {state.scenario.id}: a {fort.kind} cannot stand there: {reason}.")
            state.forts += (fort,)
            if fort.placed and not fort.price:
                state.table = state.table.with_pieces(own.fortifications.pieces(state, fort))
        state.forts += tuple(rules.works.strongpoints(state.units))
        return state

    def read(self, data: dict[str, Any]) -> scenario.FreeScenario:
        return scenario.read(data)


class Freeform1947(OpenDust):
    """The ruleset: what has to do with leaders."""

    id = "freeform1947"
    name = "Dust 1947 Freeform"
    version = "3"
    lengths = "in"
    scenario_type: ClassVar[Any] = scenario.FreeScenario
    options: ClassVar[dict[str, tuple[str, ...]]] = {
        **OpenDust.options,
        "area_through": ("blocks", THIN_WOODS_OPEN),
        "large_building": ("within", ANY_LINE),
    }

    ground: FreeGround
    damage: FreeDamage
    fortifications: FreeForts

    def __init__(self) -> None:
        super().__init__()
        self.activations = chapters.FreeActivations()
        self.attacks = FreeAttacks()
        self.damage = FreeDamage()
        self.engineering = chapters.FreeEngineering()
        self.fortifications = FreeForts()
        self.ground = FreeGround()
        self.hazards = chapters.FreeHazards()
        self.leaders = Leaders()
        self.setup = FreeSetup()
        self.works = FreeWorks()
        self.special_chapters = (self.command, self.engineering, self.scenery, self.heroes)

    @cached_property
    def field(self) -> FreeField:
        """What can be measured and seen from the leader."""
        from dieselfront.rulesets.freeform1947.field import FreeField

        return FreeField(self)

    def measures(self, options: dict[str, str]) -> Measures:
        """Inches, and the circle of 4" (ff.scope.range_unit); how far one sees through woods and halls."""
        chosen = {options.get("area_through"), options.get("large_building")}
        return MEASURES._replace(readings=tuple(one for one in (THIN_WOODS_OPEN, ANY_LINE) if one in chosen))

    def read_scenario(self, data: dict[str, Any], where: str = "scenario") -> None:
        battle = scenario.read(data, where)
        open_scenario.check(battle, self.terrain, self.kinds, where, self.measures({}))

    def random_scenario(self, seed: str) -> dict[str, Any]:
        """A board of Dust 1947, converted (ff.scope.convert)."""
        from dieselfront.rulesets.freeform1947 import random_board

        return random_board.scenario(self, seed)

    def invariants(self, state: DustState, quiet: bool = True) -> Any:
        from dieselfront.rulesets.freeform1947.invariants import invariants

        return invariants(self, state, quiet)

    def switches(self) -> Any:
        from dieselfront.rulesets.freeform1947.switches import switches

        return switches(self)


RULESET = Freeform1947()
