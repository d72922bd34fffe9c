"""The test table of squares, played on the open table: every square is its middle, 4" from the next (ff.scope.convert).

Tests of Dust 1947 that do not speak of squares run on it unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dieselfront import rulesets
from dieselfront.forces import DustCard
from dieselfront.kernel.decisions import Decision, PlaceFree
from dieselfront.kernel.game import Play
from dieselfront.rulesets.dust.state import DustState, Part, Side, Unit
from dieselfront.rulesets.dust1947 import scenario as squares
from dieselfront.rulesets.dust_open import scenario as scenarios
from dieselfront.rulesets.dust_open.places import at
from dieselfront.rulesets.freeform1947 import RULESET
from dieselfront.rulesets.freeform1947.convert import converted
from rulesets.dust1947 import table as kit
from rulesets.dust1947.table import BLUE, TOKENS, Game, Table

HEADINGS = {"north": 0, "east": 90, "south": 180, "west": 270, "N": 0, "E": 90, "S": 180, "W": 270}
SQUARE = 101  # a hair less than 4", so that whole millimetres never make a way too long


class Converted(Table):
    """A board of squares turned into an open table."""

    def __init__(
        self,
        *terrain: str,
        size: tuple[int, int] = (12, 12),
        options: dict[str, str] | None = None,
        objectives: Mapping[str, str] | None = None,
        **scenario: Any,
    ) -> None:
        self.rules = RULESET
        width, height = size
        last = chr(ord("A") + width - 1)
        plain: dict[str, Any] = {
            "id": "test",
            "name": "test",
            "board": {"size": [width, height], "terrain": list(terrain)},
            "deploy": [{"squares": f"A1-{last}2", "facing": "south"}, {"squares": f"A{height - 1}-{last}{height}"}],
            "turns": 8,
            "objectives": [{"name": name, "squares": where} for name, where in (objectives or {}).items()],
        }
        kinds = rulesets.load("dust1947").terrain
        data = plain | scenario
        self.board = squares.build(squares.read(data), kinds)
        setting = scenarios.read(converted(data, kinds))
        table = scenarios.build(setting, RULESET.terrain, RULESET.kinds, {}, RULESET.measures({}))
        self.state = DustState(table, [Side("Blue"), Side("Red")], [], setting, options or {})
        self.state.objectives = scenarios.objectives(setting)
        self.state.turn = 1
        self.state.phase = "activations"
        self.play = Play(RULESET, self.state)

    def at(self, name: str) -> int:
        x, y = self.board.xy(self.board.square(name))
        return at(round((x + 0.5) * SQUARE), round((y + 0.5) * SQUARE), self.board.level(self.board.square(name)))

    def put(
        self,
        main: DustCard,
        at: str = "",
        side: int = BLUE,
        *,
        joined: DustCard | Sequence[DustCard] = (),
        pilot: DustCard | None = None,
        facing: str = "north",
        tokens: str = "",
        fielded: bool = False,
    ) -> Unit:
        heroes = (joined,) if isinstance(joined, DustCard) else tuple(joined)
        parts = [Part(main), *(Part(one, "joined") for one in heroes)]
        if pilot is not None:
            parts.append(Part(pilot, "pilot"))
        number = sum(1 for unit in self.state.units if unit.side == side) + 1
        unit = Unit(f"{'ab'[side]}{number}", side, parts)
        self.rules.index(unit)
        self.state.add(unit)
        unit.facing = HEADINGS[facing]
        if at:
            self.rules.ground.put(self.state, unit, self.at(at), HEADINGS[facing])
        for token in filter(None, (word.strip() for word in tokens.split(","))):
            unit.set(TOKENS[token])
        if fielded:
            for answer in unit.effects.get("on_fielded", ()):
                answer(self.play, unit)
        return unit

    def run(self, procedure: Any, dice: str = "", target: Unit | None = None, **answers: Any) -> Game:
        answers.setdefault("casualty", lambda decision: decision.options[-1])
        answers.setdefault("new_leader", lambda decision: decision.options[0])
        before, kit.Script = kit.Script, OpenScript  # type: ignore[misc]
        try:
            return super().run(procedure, dice, target, **answers)
        finally:
            kit.Script = before  # type: ignore[misc]


class OpenScript(kit.Script):
    """Places by the name of their square."""

    def read(self, decision: Decision, wanted: Any) -> Any:
        if isinstance(decision, PlaceFree) and isinstance(wanted, str):
            name, _, facing = wanted.partition(" ")
            return (self.table.at(name), HEADINGS[facing] if facing else None)
        return super().read(decision, wanted)
