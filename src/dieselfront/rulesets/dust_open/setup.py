"""Setting up on the open table: positions are points, deployment areas fields (ff.scope.mode, bf.setup.scenario)."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.rulesets.dust.state import DustState, Side, Unit
from dieselfront.rulesets.dust1947.setup import Setup
from dieselfront.rulesets.dust_open import scenario as scenarios
from dieselfront.rulesets.dust_open.playing import Play, on_open_table, open_rules
from dieselfront.rulesets.dust_open.regions import Zone
from dieselfront.rulesets.dust_open.sizes import shapes_of

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947


class OpenSetup(Setup):
    """The first position on a measured table."""

    def new_state(self, rules: Dust1947, header: Any) -> DustState:
        scenario = self.read(header.scenario)
        sides: list[Side] = []
        units: list[Unit] = []
        cards: dict[str, Any] = {}
        sizes: dict[str, Any] = {id: msgspec.to_builtins(size) for id, size in scenario.bases.items()}
        for side, force in enumerate(header.forces):
            sides.append(Side(force.get("name", f"Side {side + 1}"), force.get("bloc", "")))
            sides[side].reserves_left = scenario.reserve
            units += self.units(rules, force, side)
            cards |= {id: self.card(plain) for id, plain in force["cards"].items()}
            sizes |= force.get("bases", {})
        self.tell_apart(units)
        options = dict(header.options)
        shapes = shapes_of(cards, sizes)
        own = on_open_table(rules)
        table = scenarios.build(scenario, own.terrain, own.kinds, shapes, own.measures(options))
        state = DustState(table, sides, units, scenario, options)
        state.objectives = scenarios.objectives(scenario)
        return state

    def read(self, data: dict[str, Any]) -> scenarios.Scenario:
        """The scenario of a game's header."""
        return scenarios.read(data)

    def facing(self, state: DustState, side: int) -> int:
        return scenarios.HEADING_NAMES[state.scenario.deploy[side].facing]

    def spots(self, play: Play, unit: Unit) -> Any:
        """Inside the strip."""
        state = play.state
        facing = self.facing(state, unit.side)
        return Zone(open_rules(play).ground, state, unit, scenarios.zone_boxes(state.scenario, unit.side), facing)

    def room(self, play: Play, unit: Unit) -> Any:
        """The same area in a copy of the game looks at the copy's position."""
        return super().room(play, unit).bound(play.state)

    def choose_spot(self, play: Play, unit: Unit, spots: Any) -> Generator[Any, Any, tuple[int, int | None]]:
        unit.facing = self.facing(play.state, unit.side)
        text = f"{unit.name}: where does it deploy?"
        spot, facing = yield from open_rules(play).ground.ask_for(
            play, unit, "deploy", spots, text=text, rule=self.rule
        )
        return spot, facing
