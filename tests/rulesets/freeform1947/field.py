"""A small open table to try rules on: terrain in millimetres, models where the test wants them, scripted dice.

    field = Field(box("rock", 300, 280, 60, 20))
    rifles = field.put(squad(weapon("Rifle", "2/1", 6), men=2), (300, 500))
    target = field.put(squad(men=2), (300, 200), RED, others=[(340, 200)])
    game = field.attack(rifles, target, dice="AAAA TTTT")

Bases of soldiers are 25 mm, 4" are 101.6 mm. Cards, dice and answers are those of the squares' test table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dieselfront.forces import DustCard
from dieselfront.kernel.game import Play
from dieselfront.rulesets.dust.state import DustState, Part, Side, Unit
from dieselfront.rulesets.dust_open import scenario as scenarios
from dieselfront.rulesets.dust_open.ground import OpenLine
from dieselfront.rulesets.dust_open.places import Hand, at, xy
from dieselfront.rulesets.dust_open.table import OpenTable
from dieselfront.rulesets.dust_open.ways import Ways
from dieselfront.rulesets.freeform1947 import RULESET
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Opening, Piece, building
from dieselfront.table.measured.terrain import disc as round_piece
from dieselfront.table.measured.terrain import house as whole_house
from rulesets.dust1947.table import BLUE, RED, TOKENS, Game, Table

INCH = 254  # tenths
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
        size: Point = (1400, 1100),
        options: dict[str, str] | None = None,
        objectives: dict[str, Point] | None = None,
        **scenario: Any,
    ) -> None:
        self.rules = RULESET
        plain: dict[str, Any] = {
            "id": "test",
            "name": "test",
            "size": [size[0] / 25.4, size[1] / 25.4],
            "deploy": [{"boxes": [[0, 30, 40, 12]], "facing": "north"}, {"boxes": [[0, 0, 40, 12]], "facing": "south"}],
            "turns": 8,
            "objectives": [
                {"name": name, "at": [[x / 25.4, y / 25.4]], "points": 5} for name, (x, y) in (objectives or {}).items()
            ],
        }
        setting = scenarios.read(plain | scenario)
        table = OpenTable(MeasuredTable(*size, pieces), RULESET.terrain, RULESET.kinds, {}, RULESET.measures({}))
        self.state = DustState(table, [Side("Blue"), Side("Red")], [], setting, options or {})
        self.state.objectives = scenarios.objectives(setting)
        self.state.turn = 1
        self.state.phase = "activations"
        self.play = Play(RULESET, self.state)

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
    ) -> Unit:
        """Stand a unit round its leader; `others` sets its other models down one by one."""
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
        for token in filter(None, (word.strip() for word in tokens.split(","))):
            unit.set(TOKENS[token])
        return unit

    def run(self, procedure: Any, dice: str = "", target: Unit | None = None, **answers: Any) -> Game:
        """As on squares; unless told otherwise leaders are lost last, and the first man succeeds them."""
        answers.setdefault("casualty", lambda decision: decision.options[-1])
        answers.setdefault("new_leader", lambda decision: decision.options[0])
        return super().run(procedure, dice, target, **answers)

    # -- asking ----------------------------------------------------------------------------------

    def line(self, unit: Unit, target: Unit, mount: str | None = None) -> OpenLine:
        """Sight, range and cover."""
        ground = self.rules.ground
        found: OpenLine = ground.line(self.state, unit, target, mount, ground.sight_blockers(self.state, unit))
        return found

    def sees(self, unit: Unit, target: Unit) -> bool:
        return self.line(unit, target).visible

    def ways(self, unit: Unit, inches: float, bonus: int = 0) -> Ways:
        """Where a unit can go with so many inches."""
        return self.rules.ground.ways(self.rules.ground, self.state, unit, int(inches * INCH), bonus)

    def why_not(self, unit: Unit, goal: Point, inches: float, heading: int | None = None, floor: int = 0) -> str | None:
        """Why the unit cannot end a move there; None if it can."""
        turned = unit.facing if heading is None else heading
        return self.ways(unit, inches).problem(at(*goal, floor), turned)

    def bodies(self, unit: Unit) -> list[Body]:
        found: list[Body] = self.rules.ground.bodies(self.state, unit)
        return found

    def points(self, unit: Unit) -> list[Point]:
        """Where its models stand, the leader first."""
        return [xy(place) for place in unit.where]

    def seen(self, unit: Unit, target: Unit) -> list[int]:
        """The soldiers of the target that the leader sees."""
        return [soldier for _, soldier in self.line(unit, target).seen]

    def covered(self, unit: Unit, target: Unit) -> list[int]:
        return [soldier for _, soldier in self.line(unit, target).covered]


__all__ = ["BLUE", "INCH", "RED", "Field", "box", "disc", "house", "hut"]
