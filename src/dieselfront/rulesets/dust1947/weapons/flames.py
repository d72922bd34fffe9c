"""Flame weapons: whole squares and paths burn, nobody saves, everybody ducks.

d47.weapon.flame_*, d47.skill.flame_burst.
"""

from __future__ import annotations

from collections.abc import Iterable

from dieselfront.rulesets.dust.hooks import WeaponRule
from dieselfront.rulesets.dust.shots import Aim, Saves, Shot
from dieselfront.rulesets.dust.state import SUPPRESSED, Unit
from dieselfront.rulesets.dust1947.fortifications import own_walls
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.weapons.areas import standing_on
from dieselfront.table.square.areas import shortest_paths


class NoSaves(WeaponRule):
    """Units hit get neither infantry nor cover saves."""

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        saves.negate_cover(self.rule, f"{self.name}: no cover save")
        saves.negate_infantry(self.rule, f"{self.name}: no infantry save")
        return saves


class FlameSaves(NoSaves):
    """Flame weapons allow no saves (d47.weapon.flame_saves)."""

    name = "Flame"
    rule = "d47.weapon.flame_saves"


class FlameSuppression(WeaponRule):
    """Whoever is hit is suppressed at once (d47.weapon.flame_suppression)."""

    name = "Flame"
    rule = "d47.weapon.flame_suppression"

    def on_hit_token(self, token: tuple[int, str], shot: Shot) -> tuple[int, str]:
        return SUPPRESSED, self.rule


class FlameSquare(WeaponRule):
    """At range 1 every ground unit in one adjacent square burns (d47.weapon.flame_range1)."""

    name = "Flame"
    rule = "d47.weapon.flame_range1"

    def on_aims(self, aims: list[Aim], shot: Shot) -> list[Aim]:
        if shot.weapon.range_max != 1 or shot.target.is_aircraft:
            return aims
        table, origin = shot.play.state.table, shot.line.origin
        near = [place for place in shot.target.where if table.distance(origin, place) <= 1]
        return [(*aim, "flame", (place,)) for aim in aims for place in near]

    def on_victims(self, victims: list[Unit], shot: Shot, play: Play) -> list[Unit]:
        return burning(victims, shot, play)


class FlamePath(WeaponRule):
    """At range 2 and 3 everybody on a shortest path burns; the attacker picks it (d47.weapon.flame_path).

    The path is declared with the target (d47.open.flame_path_ties); the flame ends at a square that blocks sight
    (d47.weapon.flame_stop). Nothing on the ground stops a flame at an aircraft, as nothing there hides one.
    """

    name = "Flame"
    rule = "d47.weapon.flame_path"

    def on_aims(self, aims: list[Aim], shot: Shot) -> list[Aim]:
        if shot.weapon.range_max == 1:
            return aims
        table, origin, reach = shot.play.state.table, shot.line.origin, shot.weapon.range_max
        near = [place for place in shot.target.where if table.distance(origin, place) <= reach]
        paths = [path for place in near for path in self._paths(shot, origin, place)]
        return [(*aim, "flame", path) for aim in aims for path in dict.fromkeys(paths)]

    def _paths(self, shot: Shot, origin: int, place: int) -> Iterable[tuple[int, ...]]:
        state = shot.play.state
        if shot.target.is_aircraft:
            return shortest_paths(state.table, origin, place)
        blockers = shot.play.rules.ground.sight_blockers(state, shot.unit)
        ignore = own_walls(state, shot.unit, shot.target) if state.forts else 0
        paths: Iterable[tuple[int, ...]] = state.table.flame_lines(origin, place, blockers=blockers, ignore=ignore)
        return paths

    def on_victims(self, victims: list[Unit], shot: Shot, play: Play) -> list[Unit]:
        return burning(victims, shot, play)


def burning(victims: list[Unit], shot: Shot, play: Play) -> list[Unit]:
    """The ground units on the squares that burn; an aircraft burns with those between, not with those below it."""
    squares = shot.aimed("flame")
    if squares is None:
        return victims
    if shot.target.is_aircraft:
        between = tuple(place for place in squares if place not in shot.target.where)
        return [shot.target, *standing_on(play, between, shot.unit)]
    return standing_on(play, squares, shot.unit)


class FlameBurst(NoSaves):
    """Attacks all ground units in one square, without saves, and suppresses them (d47.skill.flame_burst)."""

    name = "Flame Burst"
    rule = "d47.skill.flame_burst"

    def on_aims(self, aims: list[Aim], shot: Shot) -> list[Aim]:
        if shot.target.is_aircraft:
            return aims
        return [(*aim, "burst", (place,)) for aim in aims for place in shot.target.where]

    def on_victims(self, victims: list[Unit], shot: Shot, play: Play) -> list[Unit]:
        square = shot.aimed("burst")
        return victims if square is None else standing_on(play, square, shot.unit)

    def on_hit_token(self, token: tuple[int, str], shot: Shot) -> tuple[int, str]:
        return SUPPRESSED, self.rule


ALL: list[type[WeaponRule]] = [FlameSaves, FlameSuppression, FlameSquare, FlamePath, FlameBurst]
