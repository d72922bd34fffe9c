"""Lanes of the firing range: how units are set so far apart. Every table has its own; here it is that of squares."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from dieselfront import rulesets
from dieselfront.odds.games import OddsError
from dieselfront.rulesets.dust.state import DustState, Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947 import Dust1947

FARTHEST = 22  # squares, or points of range


class Lane(Protocol):
    """An empty board, and how to stand on it."""

    cover: str  # terrain that covers everybody who stands in it

    def board(self, rules: Dust1947) -> tuple[Any, Any]:
        """The scenario and its table."""

    def stand(self, rules: Dust1947, state: DustState, attacker: Unit, target: Unit, wanted: int) -> None:
        """The attacker looks up the lane, the target stands so far from it and looks back."""

    def stand_beside(
        self, rules: Dust1947, state: DustState, attacker: Unit, target: Unit, wanted: int, there: Sequence[Unit]
    ) -> None:
        """A further target, as far away as the others and clear of them."""


def lane(rules: Dust1947) -> Lane:
    """The lane of the game that the rules are of."""
    room = rulesets.companion(rules.id, "odds")
    assert room is not None
    own: Lane = room.LANE
    return own


def too_far(attacker: Unit, target: Unit, wanted: int) -> OddsError:
    return OddsError(f"{target.name} cannot stand at range {wanted} of {attacker.name}")


class SquareLane:
    """A row of squares."""

    cover = "rubble"
    width, height = 32, 8
    east, west = 1, 3
    row, first = 3, 4
    other_rows = (6, 0, 5, 1, 4, 2)

    def board(self, rules: Dust1947) -> tuple[Any, Any]:
        """The empty board of a ruleset."""
        return _square_board(rules.id)

    def stand(self, rules: Dust1947, state: DustState, attacker: Unit, target: Unit, wanted: int) -> None:
        """In one row."""
        rules.ground.put(state, attacker, state.table.place(self.first, self.row), self.east)
        if not self._find(rules, state, attacker, target, wanted, self.row, (attacker,)):
            raise too_far(attacker, target, wanted)

    def stand_beside(
        self, rules: Dust1947, state: DustState, attacker: Unit, target: Unit, wanted: int, there: Sequence[Unit]
    ) -> None:
        """In another row."""
        taken = (attacker, *there)
        if not any(self._find(rules, state, attacker, target, wanted, row, taken) for row in self.other_rows):
            raise too_far(attacker, target, wanted)

    def _find(
        self,
        rules: Dust1947,
        state: DustState,
        attacker: Unit,
        target: Unit,
        wanted: int,
        row: int,
        taken: Sequence[Unit],
    ) -> bool:
        ground = rules.ground
        for column in range(self.first + (row == self.row), self.width - 2):
            ground.put(state, target, state.table.place(column, row), self.west)
            free = not any(set(unit.where) & set(target.where) for unit in taken)
            if free and ground.distance(state, attacker, target) == wanted:
                return True
        return False


@cache
def _square_board(ruleset: str) -> tuple[Any, Any]:
    from dieselfront.rulesets.dust1947 import Dust1947
    from dieselfront.rulesets.dust1947 import scenario as scenarios

    scenario = scenarios.read(
        {
            "id": "firing-range",
            "name": "Firing range",
            "board": {"size": [SquareLane.width, SquareLane.height]},
            "deploy": [{"squares": "A1", "facing": "east"}, {"squares": "B1", "facing": "west"}],
            "turns": 1,
        }
    )
    rules = rulesets.load(ruleset)
    assert isinstance(rules, Dust1947)
    return scenario, scenarios.build(scenario, rules.terrain)
