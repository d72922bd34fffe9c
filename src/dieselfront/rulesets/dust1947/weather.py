"""Weather: how it begins and ends, and what it does to sight, cover and movement (d47.weather.*)."""

from __future__ import annotations

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.shots import Line, Saves, Shot
from dieselfront.rulesets.dust.state import DustState, Unit


class Weather:
    """The weather of the battle."""

    def roll(self, play: Play, winner: int) -> Procedure:
        return
        yield

    def dim(self, state: DustState, unit: Unit, target: Unit, line: Line) -> Line:
        return line

    def slow(self, state: DustState, unit: Unit, move: int, march: int) -> tuple[int, int]:
        return move, march

    def change_saves(self, play: Play, saves: Saves, shot: Shot) -> None:
        return
