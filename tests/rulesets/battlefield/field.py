"""A table of Battlefield to try rules on: terrain in millimetres, miniatures where the test wants them, scripted dice.

    field = Field(box("trees", 300, 280, 200, 100))
    rifles = field.put(squad(weapon("Rifle", "2/1", 4), men=2), (300, 700))
    target = field.put(squad(men=2), (300, 400), RED, others=[(340, 400)])
    game = field.attack(rifles, target, dice="AAAA TTTT")

Bases of soldiers are 25 mm; a point of Move or Range is 100 mm. Events name the rules of this game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dieselfront.forces import DustCard
from dieselfront.kernel.game import Play
from dieselfront.rulesets.battlefield import RULESET, scenario
from dieselfront.rulesets.battlefield.citing import CitingPlay, citing
from dieselfront.rulesets.battlefield.forts import Fort
from dieselfront.rulesets.battlefield.ground import BattleLine
from dieselfront.rulesets.battlefield.ways import BattleWays
from dieselfront.rulesets.dust.state import DustState, Part, Side, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust_open import scenario as open_scenario
from dieselfront.rulesets.dust_open.places import Hand, at, xy
from dieselfront.rulesets.dust_open.table import OpenTable
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Opening, Piece, building
from dieselfront.table.measured.terrain import disc as round_piece
from dieselfront.table.measured.terrain import house as whole_house
from rulesets.dust1947.table import BLUE, RED, TOKENS, Game, Table

Point = tuple[int, int]


def box(kind: str, x: int, y: int, width: int, depth: int, height: int | None = None, id: str = "") -> Piece:
    """A rectangle of terrain (mm)."""
    corners = [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]
    return Piece(id or f"{kind} {x},{y}", RULESET.kinds[kind], [corners], height)


def disc(kind: str, x: int, y: int, radius: int) -> Piece:
    """A round piece of terrain (mm)."""
    return round_piece(f"{kind} {x},{y}", RULESET.kinds[kind], x, y, radius * 10)


def house(x: int, y: int, width: int, depth: int, floors: int = 1) -> Piece:
    """A house with a door in the middle of every wall."""
    return whole_house("house", RULESET.kinds["building"], x, y, width, depth, floors)


def hut(x: int, y: int, width: int, depth: int, *openings: Opening, floors: int = 1) -> Piece:
    """A house with these openings only."""
    corners = [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]
    return building("hut", RULESET.kinds["building"], corners, floors, openings=openings)


class Field(Table):
    """An open table with units on it, in the middle of turn 1."""

    def __init__(
        self,
        *pieces: Piece,
        size: Point = (1800, 1200),
        options: dict[str, str] | None = None,
        objectives: dict[str, Point] | None = None,
        forts: Sequence[Fort] = (),
        **details: Any,
    ) -> None:
        self.rules = RULESET
        plain: dict[str, Any] = {
            "id": "test",
            "name": "test",
            "size": [size[0] / 10, size[1] / 10],
            "deploy": [
                {"boxes": [[0, size[1] / 10 - 30, size[0] / 10, 30]], "facing": "north"},
                {"boxes": [[0, 0, size[0] / 10, 30]], "facing": "south"},
            ],
            "turns": 8,
            "objectives": [
                {"name": name, "at": [[x / 10, y / 10]], "points": 5} for name, (x, y) in (objectives or {}).items()
            ],
        }
        setting = scenario.read(plain | details)
        lengths = RULESET.measures(options or {})
        table = OpenTable(MeasuredTable(*size, pieces), RULESET.terrain, RULESET.kinds, {}, lengths)
        self.state = DustState(table, [Side("Blue"), Side("Red")], [], setting, options or {})
        self.state.objectives = open_scenario.objectives(setting)
        self.state.forts = tuple(forts)
        if forts:
            self.state.table = table.with_pieces([fort.piece(table.kinds) for fort in forts])
        self.state.turn = 1
        self.state.phase = "activations"
        self.play = CitingPlay(Play(RULESET, self.state))

    def put(  # type: ignore[override]
        self,
        main: DustCard,
        at_: Point | None = None,
        side: int = BLUE,
        *,
        others: Sequence[Point] = (),
        floor: int = 0,
        joined: DustCard | Sequence[DustCard] = (),
        pilot: DustCard | None = None,
        heading: int = 0,
        tokens: str = "",
        aboard: Unit | None = None,
        status: str = "",
    ) -> Unit:
        """Stand a unit round its first miniature; `others` sets the others down one by one."""
        heroes = (joined,) if isinstance(joined, DustCard) else tuple(joined)
        parts = [Part(main), *(Part(one, "joined") for one in heroes)]
        if pilot is not None:
            parts.append(Part(pilot, "pilot"))
        number = sum(1 for unit in self.state.units if unit.side == side) + 1
        unit = Unit(f"{'ab'[side]}{number}", side, parts)
        self.rules.index(unit)
        self.state.add(unit)
        unit.facing = heading
        if aboard is not None:
            unit.status, unit.aboard = "aboard", aboard.id
        elif at_ is not None:
            spot = Hand(at(*at_, floor))
            spot.others = tuple(others)
            found = self.rules.ground.formation(self.state, unit, spot, heading)
            assert not isinstance(found, str), found
            self.rules.ground.put(self.state, unit, spot, heading)
        if status:
            unit.status = status
        for token in filter(None, (word.strip() for word in tokens.split(","))):
            unit.set(TOKENS[token])
        return unit

    def run(self, procedure: Any, dice: str = "", target: Unit | None = None, **answers: Any) -> Game:
        """With scripted dice and answers; unless told otherwise the last man is lost and nobody joins anybody."""
        answers.setdefault("casualty", lambda decision: decision.options[-1])
        for key in ("join", "mount", "pilot", "airlift"):
            answers.setdefault(key, lambda decision: None)
        return super().run(citing(procedure), dice, target, **answers)

    # -- asking ----------------------------------------------------------------------------------

    def line(self, unit: Unit, target: Unit, mount: str | None = None) -> BattleLine:
        """Sight, range and cover of the whole unit."""
        ground = self.rules.ground
        found: BattleLine = ground.line(self.state, unit, target, mount, ground.sight_blockers(self.state, unit))
        return found

    def sees(self, unit: Unit, target: Unit) -> bool:
        return self.line(unit, target).visible

    def in_cover(self, unit: Unit, target: Unit) -> bool:
        return self.line(unit, target).cover

    def ways(self, unit: Unit, action: str = "move") -> BattleWays:
        """Where a unit can go with a MOVE or a MARCH MOVE in one go."""
        move, march = self.rules.movement.pace(self.play, unit)
        budget = move if action == "move" else march
        found = self.rules.movement.reach(self.play, unit, budget, action)
        return found.marching(2 if action == "move" else 4)

    def why_not(
        self, unit: Unit, goal: Point, action: str = "move", heading: int | None = None, floor: int = 0
    ) -> str | None:
        """Why the unit cannot end a move there; None if it can."""
        turned = unit.facing if heading is None else heading
        return self.ways(unit, action).problem(at(*goal, floor), turned)

    def may_go(self, unit: Unit, goal: Point, action: str = "move", floor: int = 0) -> bool:
        return self.why_not(unit, goal, action, floor=floor) is None

    def pace(self, unit: Unit) -> tuple[int, int]:
        found: tuple[int, int] = self.rules.movement.pace(self.play, unit)
        return found

    def moment(self, unit: Unit, *actions: str) -> int:
        """When the enemy may react to these actions."""
        activation = Activation(self.play, unit)
        activation.actions = actions
        found: int = self.rules.reactions.moment(activation)
        return found

    def points(self, unit: Unit) -> list[Point]:
        """Where its miniatures stand."""
        return [xy(place) for place in unit.where]


__all__ = ["BLUE", "RED", "Field", "Fort", "box", "disc", "house", "hut"]
