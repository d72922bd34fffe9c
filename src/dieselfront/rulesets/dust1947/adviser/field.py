"""The field as a Dust adviser sees it: one position, and quick answers about distance, sight, fire and danger on it.

All geometry of the advisers is here, so that another table takes another field.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.dust.state import ABOARD, ACTIVATED, ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust1947.adviser.fire import (
    EVERY_ARC,
    FRONT,
    LEFT,
    NOTHING,
    PLAIN,
    REAR,
    RIGHT,
    Firepower,
    Salvo,
)
from dieselfront.rulesets.dust1947.fortifications import past_walls
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.skills.observers import RadioNeeded, guns, has_radio
from dieselfront.rulesets.dust1947.weather import sight_limit

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.adviser.exposure import Exposure
    from dieselfront.rulesets.dust1947.adviser.goals import Goals

UNSEEN, SEEN, COVERED = 0, 1, 2

ARCS = (("front", FRONT), ("rear", REAR), ("left", LEFT), ("right", RIGHT))
FAR = 99
LURKING = 6
"""Foes that could come as near as this are a danger even unseen."""


class Piece:
    """What the field knows of a unit on it."""

    __slots__ = (
        "acted",
        "eye",
        "flying",
        "foot",
        "mark",
        "mask",
        "number",
        "place",
        "points",
        "stride",
        "unit",
        "where",
    )

    def __init__(self, unit: Unit, number: int, mark: int, stride: int) -> None:
        card = unit.parts[0].card
        kind = card.armour_type
        self.unit = unit
        self.number = number
        self.mark = mark
        self.points = unit.points
        self.place = unit.place
        self.where = unit.where
        self.acted = bool(unit.flags & ACTIVATED)
        self.flying = kind == "A"
        self.foot = kind == "S"
        self.stride = stride
        self.eye: Any = "tall" if card.locomotion == "walker" or card.size != "standard" else "low"
        self.mask = 0
        for place in unit.where:
            self.mask |= 1 << place


class Field:
    """One position on squares. It is made for a moment and thrown away when the position changes."""

    def __init__(self, play: Play, fire: Firepower) -> None:
        self.play = play
        state: DustState = play.state
        self.state = state
        self.table = state.table
        self.fire = fire
        self.limit = sight_limit(state)
        self.weather = state.weather
        self.pieces: tuple[list[Piece], list[Piece]] = ([], [])
        self.by_id: dict[str, Piece] = {}
        self.riders: dict[str, int] = {}  # points aboard, by carrier
        blockers = 0
        signature, mark = fire.signature, fire.mark
        for unit in state.units:
            if unit.status == ON_BOARD:
                piece = Piece(unit, signature(unit), mark(unit), fire.stride(unit))
                self.pieces[unit.side].append(piece)
                self.by_id[unit.id] = piece
                if not piece.foot and not piece.flying:
                    blockers |= piece.mask
            elif unit.status == ABOARD:
                self.riders[unit.aboard] = self.riders.get(unit.aboard, 0) + unit.points
        self.blockers = blockers
        self.dug = bool(state.forts) or "trench" in state.table.masks_by_kind()
        self._observers: list[tuple[list[Piece], list[Piece]] | None] = [None, None]
        self._calls: dict[str, float] = {}
        self._threats: dict[str, float] = {}
        self.errands: dict[str, list[tuple[Piece, float]]] = {}  # whom a unit could help from beside, next turn
        self._covers = fire.covers(self.table)
        self.goals: Goals | None = None  # the objectives, for those who ask what a foe's end changes there
        self.plums: dict[str, float] = {}  # what it is worth to pick the best man of a foe
        self.behind = False  # are the other squares of a unit being looked at?
        self.stood: Sequence[int] = ()  # the squares of a big unit that is thought to have moved
        self.whole = False  # is every model of a unit looked for that is thought to have moved?
        self.exposure: Exposure | None = None  # who could come to see a spot, once somebody looks closely
        self.stands: dict[tuple[str, int, int | None, int], tuple[float, float]] = {}  # what was looked at closely

    def piece(self, unit: Unit) -> Piece:
        """What is known of a unit, on the table or not."""
        piece = self.by_id.get(unit.id)
        if piece is None:
            fire = self.fire
            piece = Piece(unit, fire.signature(unit), fire.mark(unit), fire.stride(unit))
        return piece

    def on(self, table: Any) -> Field:
        """The same units on another table, one with smoke on it for example."""
        twin = copy.copy(self)
        twin.table = table
        twin._covers = {}
        twin._observers, twin._calls, twin._threats = [None, None], {}, {}
        twin.exposure, twin.stands = None, {}
        return twin

    def foes(self, unit: Unit) -> list[Piece]:
        """The enemies of a unit on the table."""
        return self.pieces[1 - unit.side]

    # -- geometry -------------------------------------------------------------------------------

    def distance(self, spot: int, piece: Piece) -> int:
        """From a spot to the nearest square of a unit."""
        where = piece.where
        if len(where) == 1:
            distance: int = self.table.distance(spot, where[0])
            return distance
        return min((self.table.distance(spot, place) for place in where), default=FAR)

    def nearest(self, unit: Unit, spot: int) -> int:
        """How far the nearest enemy is from a spot; 0 if there is none."""
        return min((self.distance(spot, foe) for foe in self.foes(unit)), default=0)

    def nearest_foe(self, unit: Unit, spot: int) -> Piece | None:
        """The nearest enemy."""
        return min(self.foes(unit), key=lambda foe: (self.distance(spot, foe), foe.unit.id), default=None)

    def look(self, viewer: Piece, start: int, other: Piece, end: int) -> int:
        """Would one unit on its spot see another on its own, and is that in cover?"""
        if self.limit is not None and self.table.distance(start, end) > self.limit:
            return UNSEEN
        blockers = self.blockers
        if blockers:
            blockers &= ~(viewer.mask | other.mask | 1 << start | 1 << end)
        if viewer.flying or other.flying:
            air: Any = ("both" if other.flying else "attacker") if viewer.flying else "target"
            sight = self.table.sight(start, end, blockers=blockers, eye=viewer.eye, air=air)
        elif self.state.forts:
            walls = past_walls(self.state, start, end)
            if walls is None:  # d47.fort.bunker_view
                return UNSEEN
            sight = self.table.sight(start, end, blockers=blockers, eye=viewer.eye, ignore=walls)
        else:
            sight = self.table.sight(start, end, blockers=blockers, eye=viewer.eye)
        if not sight.visible:
            return self._look_behind(viewer, start, other, end)
        if sight.cover or (other.foot and self.dug and self._in_works(start, end)):
            return COVERED
        return SEEN

    def _in_works(self, start: int, end: int) -> bool:
        """Is somebody on foot in a trench, or inside walls that the viewer is outside of (d47.trench.cover)?"""
        if self.table.has(end, "trench"):
            return True
        return any(end in fort.interior and start not in fort.interior for fort in self.state.forts)

    def _look_behind(self, viewer: Piece, start: int, other: Piece, end: int) -> int:
        """A unit of several squares is seen if any of them is."""
        where = self.stood if self.stood and end == self.stood[0] else other.where if end == other.place else ()
        if len(where) < 2 or self.behind:
            return UNSEEN
        self.behind = True
        looks = (self.look(viewer, start, other, place) for place in where[1:])
        look = next((look for look in looks if look), UNSEEN)
        self.behind = False
        return look

    def arcs(self, piece: Piece, spot: int, facing: int | None, foe: Piece) -> int:
        """The arcs of a unit in which a foe stands; men on foot shoot all around."""
        if piece.foot:
            return EVERY_ARC
        look = piece.unit.facing if facing is None else facing
        return sum(bit for arc, bit in ARCS if self.table.in_arc(spot, look, foe.place, arc))

    def facing_to(self, start: int, end: int) -> int:
        """The facing from one spot towards another."""
        (x1, y1), (x2, y2) = self.table.xy(start), self.table.xy(end)
        if abs(x2 - x1) > abs(y2 - y1):
            return 1 if x2 > x1 else 3
        return 2 if y2 > y1 else 0

    def covered(self, spot: int) -> bool:
        """Does the terrain of a spot give cover?"""
        covered = self._covers.get(spot)
        if covered is None:
            covered = self._covers[spot] = bool(self.table.in_terrain_cover(spot)) or (
                self.dug and self._in_works(-1, spot)
            )
        return covered

    # -- fire -----------------------------------------------------------------------------------

    def salvo(self, one: Piece, other: Piece, distance: int, cover: bool, kind: int, arcs: int) -> Salvo:
        """Everything one unit has at another."""
        return self.fire.salvo(
            self.play, one.unit, one.number, other.unit, other.mark, distance, cover, kind, arcs, self.weather
        )

    def shoots(
        self, piece: Piece, spot: int, foe: Piece, kind: int = PLAIN, facing: int | None = None, turned: bool = True
    ) -> Salvo | None:
        """What a unit on a spot does to a foe, None if it does not see it; `turned` faces the foe first."""
        look = self.look(piece, spot, foe, foe.place)
        if not look:
            return None
        distance = self.distance(spot, foe)
        if not distance and piece.flying:  # straight above it, nothing is before the guns
            turned, facing = False, self.facing_to(spot, foe.place)
        arcs = (EVERY_ARC if piece.foot else FRONT) if turned else self.arcs(piece, spot, facing, foe)
        return self.salvo(piece, foe, distance, look == COVERED, kind, arcs)

    def struck(self, foe: Piece, piece: Piece, spot: int) -> float:
        """Points a foe takes from a unit standing on a spot; it may turn first."""
        return self.strikes(foe, piece, spot).points

    def strikes(self, foe: Piece, piece: Piece, spot: int) -> Salvo:
        """What a foe does to a unit standing on a spot; it may turn first."""
        look = self.look(foe, foe.place, piece, spot)
        if not look:
            return NOTHING
        arcs = EVERY_ARC if foe.foot else FRONT
        return self.salvo(foe, piece, self.distance(spot, foe), look == COVERED, PLAIN, arcs)

    def threat(self, foe: Piece) -> float:
        """The most that a foe could take from any unit of ours where it stands."""
        threat = self._threats.get(foe.unit.id)
        if threat is None:
            threat = max((self.struck(foe, own, own.place) for own in self.foes(foe.unit)), default=0.0)
            self._threats[foe.unit.id] = threat
        return threat

    def lurks(self, foe: Piece, piece: Piece, spot: int, kind: int = PLAIN) -> float:
        """Points a foe that does not see the spot now could take after a move of its own."""
        distance = self.distance(spot, foe) - foe.stride
        if distance > LURKING:
            return 0.0
        return self.salvo(foe, piece, max(1, distance), self.covered(spot), kind, EVERY_ARC).points

    def called(self, gun: Piece, piece: Piece, spot: int) -> float:
        """Points that a battery takes from a unit on a spot which only an observer of its side sees.

        d47.skill.artillery_observer_fire: both of them must have still to act.
        """
        observers, batteries = self.callers(gun.unit.side)
        if gun not in batteries:
            return 0.0
        for observer in observers:
            look = self.look(observer, observer.place, piece, spot) if observer is not gun else UNSEEN
            if look:
                return self.salvo(gun, piece, self.distance(spot, gun), look == COVERED, PLAIN, EVERY_ARC).points
        return 0.0

    def calls(self, observer: Piece) -> float:
        """The most that the calls of an observer take from any foe that the batteries do not see themselves."""
        observers, batteries = self.callers(observer.unit.side)
        if observer not in observers:
            return 0.0
        taken = self._calls.get(observer.unit.id)
        if taken is None:
            foes = self.foes(observer.unit)
            unseen = [(gun, foe) for gun in batteries for foe in foes if not self.struck(gun, foe, foe.place)]
            taken = max((self.called(gun, foe, foe.place) for gun, foe in unseen), default=0.0)
            self._calls[observer.unit.id] = taken
        return taken

    def callers(self, side: int) -> tuple[list[Piece], list[Piece]]:
        """Units that can call for fire, and batteries that would answer; none without the other."""
        callers = self._observers[side]
        if callers is None:
            waiting = [piece for piece in self.pieces[side] if not piece.acted]
            observers = [piece for piece in waiting if can_call(piece.unit)]
            batteries = [piece for piece in waiting if guns(self.play, piece.unit)] if observers else []
            callers = self._observers[side] = (observers, batteries) if batteries else ([], [])
        return callers

    def cargo(self, unit: Unit) -> int:
        """Points of those who ride in a unit."""
        return self.riders.get(unit.id, 0)


def can_call(unit: Unit) -> bool:
    """Has the unit an observer with a radio (d47.skill.artillery_observer_radio)?"""
    skills = (getattr(answer, "__self__", None) for answer in unit.effects.get("on_actions", ()))
    return any(isinstance(skill, RadioNeeded) and has_radio(unit, skill.bearer) for skill in skills)


__all__ = ["COVERED", "FAR", "SEEN", "UNSEEN", "Field", "Piece"]
