"""Casualties on the open table: from those in sight, the open ones first (ff.damage.*, bf.damage.*)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from dieselfront.kernel.decisions import Number, PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.dust.events import SoldierLost, TerrainChanged
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import ON_BOARD, Part, Unit
from dieselfront.rulesets.dust1947.attack import describe_soldier, is_leader, label_of_soldier
from dieselfront.rulesets.dust1947.damage import Damage, Picker
from dieselfront.rulesets.dust_open.models import SINGLE
from dieselfront.rulesets.dust_open.places import xy
from dieselfront.rulesets.dust_open.playing import Play, open_rules
from dieselfront.table.measured.sight import solid_outline
from dieselfront.table.measured.terrain import Piece

WEST_TO_EAST, NORTH_TO_SOUTH = ("west", "", "east"), ("north", "", "south")


def side_of(where: Sequence[int], index: int) -> str:
    """On which side of its unit a model stands, as the map lies; nothing for the middle."""
    points = [xy(place) for place in where]
    spread = [max(axis) - min(axis) for axis in zip(*points, strict=True)]
    thirds = [
        1 if not wide else min(2, 3 * (mine - min(axis)) // (wide + 1))
        for wide, mine, axis in zip(spread, points[index], zip(*points, strict=True), strict=True)
    ]
    words = NORTH_TO_SOUTH[thirds[1]], WEST_TO_EAST[thirds[0]]
    return "-".join(word for word in words if word)


class OpenDamage(Damage):
    """From unsaved hits to losses, model by model."""

    # -- who can be lost ------------------------------------------------------------------------

    def classes(self, unit: Unit, part: Part, shot: Shot | None) -> tuple[list[int], list[int]]:
        """The soldiers of a part that may be lost now: those in the open, and those in cover.

        Templates take whom they touch, seen or not (ff.open.blast_casualties); all other fire only whom the attacking
        leader sees (ff.damage.los); blows, mines and crashes anybody.
        """
        alive = list(part.alive)
        line = None if shot is None or shot.close else shot.line
        seen = getattr(line, "touched", None)
        seen = getattr(line, "seen", None) if seen is None else seen
        if seen is None or line is None or unit.status != ON_BOARD:
            return alive, []
        if (part.card.id, SINGLE) in unit.figures:  # the crew of a gun stands on one base
            return (alive, []) if (part.card.id, SINGLE) in seen else ([], [])
        within = [soldier for soldier in alive if (part.card.id, soldier) in seen]
        hidden = getattr(line, "covered", ())
        covered = [soldier for soldier in within if (part.card.id, soldier) in hidden]
        return [soldier for soldier in within if soldier not in covered], covered

    def room(self, shot: Shot, part: Part) -> tuple[int, int]:
        """How many hits the part can be given in the open, and in cover (ff.damage.order)."""
        most = self.hits_to_finish(shot, part)
        if part.squad:
            in_open, covered = self.classes(shot.target, part, shot)
            if most == 99:  # whom resilience may save can be given any number
                return (99 if in_open else 0), (99 if covered else 0)
            return min(len(in_open), most), min(len(covered), most)
        figure = (part.card.id, SINGLE)
        line = shot.line
        seen = getattr(line, "touched", None)
        seen = getattr(line, "seen", None) if seen is None else seen
        if shot.close or seen is None or shot.target.status != ON_BOARD:
            return most, 0
        if figure not in seen:
            return 0, 0
        return (0, most) if figure in getattr(line, "covered", ()) else (most, 0)

    def divide(self, play: Play, shot: Shot, picker: Picker, hits: int) -> Generator[Any, Any, list[tuple[Part, int]]]:
        """Hits divided between hero and squad, within the casualty order (ff.damage.hero_leader).

        What finds nobody is lost (ff.damage.surplus).
        """
        if picker.named is not None:
            return (yield from super().divide(play, shot, picker, hits))
        parts = [part for part in shot.target.fighters() if part.left > 0]
        rooms = [self.room(shot, part) for part in parts]
        shares = [0] * len(parts)
        left = hits
        for grade in (0, 1):
            due = min(left, sum(room[grade] for room in rooms))
            left -= due
            for place in range(len(parts) - 1, -1, -1):
                taken = due
                if place:
                    rest = sum(room[grade] for room in rooms[:place])
                    most = min(due, rooms[place][grade])
                    taken = yield self._share(picker, shot, parts[place], max(0, due - rest), most, due)
                shares[place] += taken
                due -= taken
        return list(zip(parts, shares, strict=True))

    def _share(self, picker: Picker, shot: Shot, part: Part, least: int, most: int, due: int) -> Number:
        return Number(
            picker.side,
            "divide-hits",
            least,
            most,
            text=f"{due} hits on {shot.target.name}: how many does {part.card.name} take?",
            rule=open_rules(shot.play).ground.cites["divide"],
            unit=shot.target.id,
            act="lose",
        )

    def lose(
        self,
        play: Play,
        unit: Unit,
        part: Part,
        points: int,
        picker: Picker | None = None,
        rule: str = "",
        shot: Shot | None = None,
    ) -> Generator[Any, Any, int]:
        """Soldier by soldier, the open ones first, the owner choosing among equals (ff.damage.order_ties)."""
        picker = picker or Picker(unit.side)
        if not part.squad or picker.named is not None:
            return (yield from super().lose(play, unit, part, points, picker, rule, shot))
        lost = 0
        while lost < points:
            in_open, covered = self.classes(unit, part, shot)
            able = in_open or covered
            if not able:  # ff.damage.surplus
                break
            soldier = yield from self._choose_one(play, unit, part, picker, able)
            self.remove(play, unit, part, soldier, rule)
            self.tell_kill(play, shot, unit, part, soldier)
            lost += 1
        return lost

    def _choose_one(
        self, play: Play, unit: Unit, part: Part, picker: Picker, able: list[int]
    ) -> Generator[Any, Any, int]:
        spared = [soldier for soldier in able if (part.card.id, soldier) not in picker.protected]
        chosen: int = yield PickOne(
            picker.side,
            "casualty",
            spared or able,
            labels=lambda soldier: self.label(play, unit, part, soldier),
            text=f"{unit.name}: who is lost?",
            rule=open_rules(play).ground.cites["casualty"],
            unit=unit.id,
            about=lambda soldier: About("lose", unit.id, careless=self.leads(unit, part, soldier)),
        )
        return chosen

    def leads(self, unit: Unit, part: Part, soldier: int) -> bool:
        """Is he the one who leads? Screens do not make him the first to be lost."""
        return is_leader(part, soldier)

    def label(self, play: Play, unit: Unit, part: Part, soldier: int) -> str:
        """A soldier as a choice: what he carries, and on which side of his unit he stands."""
        words = label_of_soldier(part, soldier)
        figure = (part.card.id, soldier)
        if figure not in unit.figures:
            return words
        side = side_of(unit.where, unit.figures.index(figure))
        return f"{words} ({side})" if side else words

    def describe(self, play: Play, unit: Unit, part: Part, soldier: int) -> str:
        """A soldier in words, with his place."""
        words = describe_soldier(part, soldier)
        figure = (part.card.id, soldier)
        if figure not in unit.figures:
            return words
        return f"{words} at {play.state.table.name(unit.where[unit.figures.index(figure)])}"

    # -- losing models --------------------------------------------------------------------------

    def remove(self, play: Play, unit: Unit, part: Part, soldier: int, rule: str) -> None:
        part.alive = tuple(other for other in part.alive if other != soldier)
        self._notice(play, unit)
        play.emit(SoldierLost(rule, unit.id, part.card.soldiers[soldier].name, len(part.alive)))

    def _part_lost(self, play: Play, unit: Unit, part: Part, shot: Shot | None = None) -> Procedure:
        yield from super()._part_lost(play, unit, part, shot)
        self._notice(play, unit)

    def stand_again(self, play: Play, unit: Unit) -> None:
        """He stands with the others before anybody is told."""
        self._notice(play, unit)

    def _notice(self, play: Play, unit: Unit) -> None:
        """The table shows who is left."""
        open_rules(play).ground.regroup(play.state, unit)

    def leave_wreck(self, play: Play, unit: Unit, where: tuple[int, ...]) -> None:
        """The hull stays where it stood (d47.terrain.wreck_created)."""
        if not ask(unit.effects, "on_wreck", True, unit):
            return
        table = play.state.table
        shape = open_rules(play).ground.shape(table, unit, (unit.card.id, SINGLE))
        body = table.body(shape, where[0], unit.facing, unit.id)
        x, y = xy(where[0])
        wreck = Piece(f"wreck@{x},{y}", table.kinds["wreck"], [solid_outline(body)], in_tenths=True)
        if all(piece.id != wreck.id for piece in table.land.pieces):
            play.state.table = table.with_pieces([wreck])
        play.emit(TerrainChanged("d47.terrain.wreck_created", "wreck", where, True))
        open_rules(play).criticals.leave_wreck(play, unit, where)
