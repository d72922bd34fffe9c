"""Casualties on the open table: from those in sight, the open ones first; and leaders lost (ff.damage.*)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.kernel.decisions import Number, PickOne
from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.events import Happened, Moved, SoldierLost, TerrainChanged
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import ON_BOARD, STUNNED, Part, Unit
from dieselfront.rulesets.dust1947.attack import describe_soldier
from dieselfront.rulesets.dust1947.damage import Damage, Picker
from dieselfront.rulesets.freeform1947.models import SINGLE, Figure
from dieselfront.rulesets.freeform1947.places import xy
from dieselfront.table.measured.sight import solid_outline
from dieselfront.table.measured.terrain import Piece

LEADERLESS = 1 << 22
"""A flag of units that lost their leader in an attack that is not over yet."""


class FreeDamage(Damage):
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
            text=f"{due} hit{'s' * (due != 1)} on {shot.target.name}: how many does {part.card.name} take?",
            rule="ff.damage.hero_leader",
            unit=shot.target.id,
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
            labels=lambda soldier: self.describe(play, unit, part, soldier),
            text=f"{unit.name}: who is lost?",
            rule="ff.damage.order_ties",
            unit=unit.id,
        )
        return chosen

    def describe(self, play: Play, unit: Unit, part: Part, soldier: int) -> str:
        """A soldier in words, with his place."""
        words = describe_soldier(part, soldier)
        figure = (part.card.id, soldier)
        if figure not in unit.figures:
            return words
        number = unit.figures.index(figure)
        leads = "the leader, " if number == 0 else ""
        return f"{leads}{words} at {play.state.table.name(unit.where[number])}"

    # -- losing models --------------------------------------------------------------------------

    def remove(self, play: Play, unit: Unit, part: Part, soldier: int, rule: str) -> None:
        part.alive = tuple(other for other in part.alive if other != soldier)
        self._notice(play, unit)
        play.emit(SoldierLost(rule, unit.id, part.card.soldiers[soldier].name, len(part.alive)))

    def _part_lost(self, play: Play, unit: Unit, part: Part) -> Procedure:
        yield from super()._part_lost(play, unit, part)
        self._notice(play, unit)

    def heal(self, play: Play, unit: Unit, part: Part, points: int, rule: str) -> Generator[Any, Any, int]:
        healed = yield from super().heal(play, unit, part, points, rule)
        self._notice(play, unit)
        return healed

    def _notice(self, play: Play, unit: Unit) -> None:
        """The table shows who is left; a unit has no leader until the attack is over if he fell (ff.scope.leader)."""
        if play.rules.ground.regroup(play.state, unit):
            unit.set(LEADERLESS)

    def leave_wreck(self, play: Play, unit: Unit, where: tuple[int, ...]) -> None:
        """The hull stays where it stood (d47.terrain.wreck_created)."""
        if not ask(unit.effects, "on_wreck", True, unit):
            return
        table = play.state.table
        shape = play.rules.ground.shape(table, unit, (unit.card.id, SINGLE))
        body = table.body(shape, where[0], unit.facing, unit.id)
        x, y = xy(where[0])
        wreck = Piece(f"wreck@{x},{y}", table.kinds["wreck"], [solid_outline(body)], in_tenths=True)
        if all(piece.id != wreck.id for piece in table.land.pieces):
            play.state.table = table.with_pieces([wreck])
        play.emit(TerrainChanged("d47.terrain.wreck_created", "wreck", where, True))
        play.rules.criticals.leave_wreck(play, unit, where)


class Leaders:
    """What happens when a leader falls (ff.damage.leader_loss)."""

    def settle(self, play: Play) -> Procedure:
        """At the end of an attack: a new leader, coherency, a stunned token (ff.damage.leader_timing)."""
        state = play.state
        for unit in list(state.units):
            if unit.status == ON_BOARD and play.rules.ground.regroup(state, unit):
                unit.set(LEADERLESS)
            if unit.is_(LEADERLESS) and unit.status == ON_BOARD:
                yield from self.succeed(play, unit)
            unit.drop(LEADERLESS)

    def succeed(self, play: Play, unit: Unit) -> Procedure:
        """The owner names another model; the survivors close up round him.

        ff.damage.new_leader, ff.open.last_model, ff.open.stun_stack.
        """
        chosen: Figure = yield PickOne(
            unit.side,
            "new-leader",
            list(unit.figures),
            labels=lambda figure: self.name(play, unit, figure),
            text=f"{unit.name}: who leads now?",
            rule="ff.damage.new_leader",
            unit=unit.id,
        )
        before = unit.where
        play.rules.ground.close_up(play.state, unit, unit.figures.index(tuple(chosen)))
        unit.drop(LEADERLESS)
        play.emit(Happened("ff.damage.new_leader", f"{self.name(play, unit, chosen)} leads {unit.name}", unit.id))
        if sorted(before) != sorted(unit.where):
            play.emit(Moved("ff.damage.restore_move", unit.id, (), unit.where, unit.facing, 0))
        play.rules.suppression.give(play, unit, STUNNED, "ff.damage.leader_loss")

    def name(self, play: Play, unit: Unit, figure: Figure) -> str:
        part = next(part for part in unit.parts if part.card.id == figure[0])
        if figure[1] == SINGLE:
            return part.card.name
        found: str = play.rules.damage.describe(play, unit, part, figure[1])
        return found
