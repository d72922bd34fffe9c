"""Going: what ground a mover may cross, whom it must keep clear of, and whether a way is free
(dw.terrain.*, dw.move.*, dw.aircraft.move_through). Paths are whole millimetres, lengths tenths of a millimetre.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.state import LOW, TABLE, State, Unit
from dieselfront.rulesets.warfare.terrain import DIFFICULT, IMPASSABLE, going
from dieselfront.table.measured.formation import Leash, arrange, follow
from dieselfront.table.measured.movement import Going, leg_micrometres, walk
from dieselfront.table.measured.placement import Crowd, Keep, Places, first_not_kept, keeps_near
from dieselfront.table.measured.shapes import Body, distance
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Piece

Point = tuple[int, int]

MOVE, MARCH, REACTION, COMPULSORY, REGROUP, RETREAT = "move", "march", "reaction", "compulsory", "regroup", "retreat"
DIFFICULT_INCHES = 3  # dw.terrain.difficult_cap
VERTICAL_INCHES = 3  # dw.move.vertical_limit


class Move:
    """One move: who, what kind of move, which way of moving, and what came of it."""

    __slots__ = ("bombs", "entered", "inches", "kind", "length", "path", "start", "state", "unit", "way")

    def __init__(self, state: State, unit: Unit, kind: str = MOVE, way: str = "move") -> None:
        self.state = state
        self.unit = unit
        self.kind = kind
        self.way = way
        self.inches = 0
        self.bombs = False
        """Has the aircraft announced to drop bombs (dw.weapon.bombs_move)?"""
        self.start: list[Body] = list(unit.bodies)
        self.path: tuple[Any, ...] = ()
        self.length = 0
        """How far it went, in tenths."""
        self.entered: tuple[str, ...] = ()

    @property
    def is_march(self) -> bool:
        return self.kind == MARCH


def mover_class(unit: Unit) -> str:
    return "soldier" if unit.is_soldier else "vehicle"


class Clearance:
    """What one unit may pass and where it may stop in one move, in the present position.

    Terrain and miniatures to keep clear of are worked out when they are first asked for, which is before the position
    changes; a game that repeats its answers never asks.
    """

    __slots__ = ("_free_ground", "barred", "difficult", "end_keeps", "flies", "going", "keeps", "move", "no_stop",
                 "state", "table", "unit")  # fmt: skip
    difficult: frozenset[str]
    barred: frozenset[str]
    no_stop: frozenset[str]
    going: Going
    keeps: list[Keep]
    end_keeps: list[Keep]

    def __init__(self, move: Move, free_ground: bool = False) -> None:
        self.move = move
        self.state = move.state
        self.unit = move.unit
        self.table: MeasuredTable = move.state.table
        self.flies = self.unit.is_aircraft or bool(self.unit.ask("on_flies_over", False, self.unit, move))
        self._free_ground = free_ground

    def __getattr__(self, name: str) -> Any:
        """Only called for what has not been worked out yet."""
        if name in ("keeps", "end_keeps"):
            self._keep_clear()
        elif name in ("difficult", "barred", "no_stop", "going"):
            self.difficult = self.barred = self.no_stop = frozenset()
            if not self.unit.is_aircraft:  # dw.aircraft.high_ignores_terrain, dw.open.low_aircraft_terrain
                self._terrain()
            self.going = Going(barred=tuple(sorted(self.barred)))
        else:
            raise AttributeError(name)
        return getattr(self, name)

    def _keep_clear(self) -> None:
        self.keeps = []
        self.end_keeps = []
        for other in self.state.units:
            if other is not self.unit and other.place == TABLE:
                self._keep_from(other)

    def _terrain(self) -> None:
        """Difficult, impassable, and where nobody may stop (dw.terrain.difficult_soldiers, dw.terrain.impassable)."""
        unit, move = self.unit, self.move
        mover = mover_class(unit)
        difficult, barred, no_stop = [], [], []
        for piece in self.table.pieces:
            terrain_going = going(piece, mover)
            if unit.ask("on_difficult", terrain_going == DIFFICULT, unit, piece, move):
                difficult.append(piece.id)
            if unit.ask("on_barred", terrain_going == IMPASSABLE, unit, piece, move):
                barred.append(piece.id)
            if unit.ask("on_no_stop", terrain_going == IMPASSABLE, unit, piece, move):
                no_stop.append(piece.id)
        march_free = move.is_march and unit.ask("on_march_free", True, unit)  # dw.action.march_move
        self.difficult = frozenset() if self._free_ground or march_free else frozenset(difficult)
        self.barred = frozenset(barred)
        self.no_stop = frozenset(no_stop)

    def _keep_from(self, other: Unit) -> None:
        """Whom to keep clear of on the way and at the end."""
        enemy = other.side != self.unit.side
        gap_end, gap_way = self._gaps(other, enemy)
        for body in other.bodies:
            if gap_end is not None:
                self.end_keeps.append(Keep(body, gap_end, strict=False))
            if gap_way is not None:
                self.keeps.append(Keep(body, gap_way, strict=False))

    def _gaps(self, other: Unit, enemy: bool) -> tuple[int | None, int | None]:
        """(at the end, on the way): tenths to keep, None for nothing.

        Soldiers stay 1" from enemies and out of friendly vehicles (dw.move.soldier_enemy_1in,
        dw.move.soldier_through_friends); vehicles go through no vehicle but overrun enemy soldiers
        (dw.move.vehicle_through_vehicles, dw.move.overrun_through, dw.open.vehicle_enemy_distance); flyers and aircraft
        pass everybody and end 1" from enemies (dw.aircraft.move_through, dw.aircraft.end_1in, dw.open.aircraft_friends,
        dw.ability.flight_move). Nobody overruns a flying unit: vehicles pass beneath it and stop elsewhere."""
        if self.flies:
            return (INCH if enemy else 0), None
        if other.is_high:
            return 0, None
        if self.unit.is_soldier:
            if enemy:
                return INCH, INCH
            return 0, (0 if other.is_machine else None)
        if other.is_machine:
            return 0, 0
        return (None if enemy and not other.is_flying else 0), None

    # -- questions ----------------------------------------------------------------------------------

    def leg_problem(self, body: Body, ends: Sequence[Point]) -> tuple[str | None, tuple[str, ...]]:
        """What stops a miniature along some points, and the pieces it goes over."""
        mine = [keep for keep in self._beside(body, ends) if keep.is_kept(body)]
        walked = walk(self.table, body, [(body.x, body.y), *ends], self.going, avoid=mine)
        if walked.problems:
            problem = walked.problems[0]
            if problem.what == "off table":
                return "the way leads off the table", walked.entered
            if problem.what == "terrain":
                return f"{problem.who} cannot be entered (dw.terrain.impassable)", walked.entered
            return f"{named(self.state, problem.who)} is in the way ({self._rule_of(problem.who)})", walked.entered
        return None, walked.entered

    def _beside(self, body: Body, ends: Sequence[Point]) -> Iterable[Keep]:
        """Those to keep clear of who stand near enough to a way to matter at all."""
        cx, cy = body.cx, body.cy
        far = body.radius + max((max(abs(x * 10 - cx), abs(y * 10 - cy)) for x, y in ends), default=0)
        return keeps_near(self.keeps, cx - far, cy - far, cx + far, cy + far)

    def _rule_of(self, who: object) -> str:
        other = self.state.unit(who[0]) if isinstance(who, tuple) else None
        if self.unit.is_machine:
            return "dw.move.vehicle_through_vehicles"
        if other is not None and other.side == self.unit.side:
            return "dw.move.soldier_through_friends"
        return "dw.move.soldier_enemy_1in"

    def slow_problem(self, body: Body, entered: Iterable[str], length: int) -> str | None:
        """Any part of the way in difficult terrain caps the whole move at 3" (dw.terrain.difficult_cap,
        dw.open.difficult_total); terrain farther away than 3" is not entered at all (dw.terrain.difficult_entry)."""
        slow = [id for id in entered if id in self.difficult]
        if not slow or length <= DIFFICULT_INCHES * INCH:
            return None
        far = [id for id in slow if not self.is_near(body, self.table.piece(id))]
        if far:
            return f'{far[0]} is farther than 3" away and may not be entered (dw.terrain.difficult_entry)'
        return f'{slow[0]} is difficult terrain: the move is at most 3" (dw.terrain.difficult_cap)'

    def is_near(self, body: Body, piece: Piece) -> bool:
        """Is a piece within 3" of a miniature?"""
        return piece in self.table.near(body, DIFFICULT_INCHES * INCH)

    def climb_problem(self, body: Body, path: Sequence[Point], entered: Iterable[str]) -> str | None:
        """At most 3" up and down in an activation (dw.move.vertical_limit)."""
        climbed = self.climbed(body, path, entered)
        if not climbed:
            return None
        limit = self.unit.ask("on_vertical", VERTICAL_INCHES, self.unit, self.move) * INCH
        if climbed * 10 + self.unit.notes.get("climbed", 0) * 10 > limit:
            return f'the way climbs more than {limit // INCH}" (dw.move.vertical_limit)'
        return None

    def climbed(self, body: Body, path: Sequence[Point], entered: Iterable[str]) -> int:
        """Millimetres up and down along a path: to the top of every hill on the way and down again."""
        if not path or self.unit.is_aircraft or self.flies:
            return 0
        start, end = self.table.ground(body.x, body.y), self.table.ground(*path[-1])
        tops = [self.table.piece(id).height // 10 for id in entered if self.table.piece(id).kind.is_hill]
        top: int = max([start, end, *(tops if self._crosses_hill(body, path) else ())])
        return (top - start) + (top - end)

    def _crosses_hill(self, body: Body, path: Sequence[Point]) -> bool:
        points = [(body.x, body.y), *path]
        return any(
            piece.kind.is_hill
            for a, b in pairwise(points)
            if a != b
            for piece, _ in self.table.stretches_in(
                (a[0] * 10, a[1] * 10), (b[0] * 10, b[1] * 10), self.table.index.all_parts
            )
        )

    def end_problem(self, bodies: Sequence[Body]) -> str | None:
        """What forbids stopping there."""
        for body in bodies:
            if not self.table.contains(body):
                return "not all miniatures would be on the table"
            keep = first_not_kept(self.end_keeps, body)
            if keep is not None:
                rule = "dw.aircraft.end_1in" if self.unit.is_aircraft else "dw.move.soldier_enemy_1in"
                gap = f' closer than 1" ({rule})' if keep.gap else ""
                return f"{named(self.state, keep.body.key)} stands there{gap}"
            if self.no_stop:
                for piece in self.table.near(body):
                    if piece.id in self.no_stop and piece.overlaps(body):
                        return f"nobody may stop in {piece.id} (dw.terrain.impassable)"
        return None

    def places(self) -> Places:
        """The law of places for automatic placement."""
        stop = self.no_stop

        def free(body: Body) -> bool:
            return not stop or not any(p.id in stop and p.overlaps(body) for p in self.table.near(body))

        return Places(self.table, (), Crowd(self.end_keeps), test=free)

    def settle(
        self, wanted: Sequence[Body], limit: int | None = None, origins: Sequence[Point] | None = None
    ) -> list[Body] | None:
        """The miniatures set down as near to where they should stand as the rules allow, in formation round the first
        (dw.move.soldier_end_formation)."""
        return arrange(wanted, self.places(), Leash(self.unit.card.leadership * INCH), origins, limit)


def named(state: State, who: object) -> str:
    if isinstance(who, tuple) and who and isinstance(who[0], str):
        return state.unit(who[0]).card.name
    return str(who)


def path_length(path: Sequence[Point]) -> int:
    """The length of a path in tenths, rounded up."""
    return -(-sum(leg_micrometres(a, b) for a, b in pairwise(path)) // 100)


__all__ = ["COMPULSORY", "DIFFICULT_INCHES", "LOW", "MARCH", "MOVE", "REACTION", "REGROUP", "RETREAT", "Clearance",
           "Move", "Point", "distance", "follow", "named", "path_length"]  # fmt: skip
