"""The ground on squares: range, sight, cover, arcs and reach between units (d47.attack.range.*, .arc.*, .los.*).

All other chapters ask here and never speak of squares, so that a measured table can take this chapter's place.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import msgspec

from dieselfront.kernel.decisions import Place
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Line
from dieselfront.rulesets.dust.state import BURNING, ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust1947 import fortifications
from dieselfront.rulesets.dust1947.criticals import move_smoke
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.weather import sight_limit
from dieselfront.table.square import Mover, Occupancy, Reach, Sight, SquareTable, mask_of

COVERED_SQUARES = {"standard": 1, "large": 1, "huge": 2}
"""How many covered squares put a unit in cover (d47.attack.save.large_cover, d47.attack.save.huge_cover)."""

ARC_OF_MOUNT: dict[str | None, Any] = {
    None: "all",
    "turret": "all",
    "front": "front",
    "rear": "rear",
    "left": "left",
    "right": "right",
}
"""d47.attack.arc.infantry, d47.attack.arc.turret, d47.attack.arc.front, d47.attack.arc.rear, d47.attack.arc.side"""

REASON_RULES = {
    "interior": "d47.attack.los.blocked_square",
    "corner": "d47.attack.los.corner_gives_cover",
    "corners": "d47.attack.los.two_corners_block",
    "blocker": "d47.attack.los.vehicle_blocks",
    "wall": "d47.attack.los.walls_block",
    "low_wall": "d47.terrain.low_wall_los",
    "opening": "d47.attack.los.building_opening",
    "indoors": "d47.attack.los.building_opening",
    "floor": "d47.terrain.floors_los",
    "floors_apart": "d47.terrain.floors_los",
    "in_terrain": "d47.attack.save.cover_sources",
    "object": "d47.open.cover_adjacent_objects",
    "range": "d47.weather.severe_los",
}

MOVER_KINDS = {
    "infantry": "infantry",
    "walker": "walker",
    "tracked": "tracked",
    "half_tracked": "half_tracked",
    "wheeled": "wheeled",
    "naval": "naval",
    "aircraft": "aircraft",
    "immobile": "infantry",
}


CRUSHED = ("ammo_crate",)
"""What vehicles drive over only where they must, or where they are told to (d47.terrain.crate_vehicle)."""

FACINGS = (0, 1, 2, 3)
NO_FACING: tuple[int | None, ...] = (None,)
Turns = Sequence[Any] | Callable[[Any], Sequence[Any]]
Objection = Callable[[DustState, int], str | None]
"""What is against a place in a position; nothing if None."""


class UnseenLine(Line):
    """A line on which nothing of the target is seen; the reason is put into words when somebody asks for it."""

    __slots__ = ("_why",)

    def __init__(
        self, distance: int, origin: int, above: int, reasons: tuple[Any, ...], why: Callable[[], tuple[str, str]]
    ) -> None:
        self.distance = distance
        self.visible = False
        self.cover = False
        self.reasons = reasons
        self.origin = origin
        self.above = above
        self._why = why

    def __getattr__(self, name: str) -> Any:
        """Only called for what has not been set yet."""
        if name != "refusal":
            raise AttributeError(name)
        self.refusal = self._why()
        return self.refusal

    @property
    def is_refused(self) -> bool:
        return True


class LateLine(Line):
    """A line between two squares: cover and reasons are worked out when somebody reads them, which few do."""

    __slots__ = ("asked",)

    asked: tuple[Ground, SquareTable, Unit, int, int, bool]

    def __init__(self) -> None:
        """Everything is set by who makes it."""

    def __getattr__(self, name: str) -> Any:
        """Only called for what has not been set yet."""
        if name not in ("cover", "reasons", "refusal"):
            raise AttributeError(name)
        ground, table, target, square, blockers, tall = self.asked
        sight = table.plain_sight(self.origin, square, blockers, tall)
        if sight.cover:
            sight = ground.covering(table, target, sight)
        self.cover = sight.cover
        self.reasons = sight.reasons
        self.refusal = None if self.visible else ground._why_unseen(table, target, sight.reasons)
        del self.asked  # copies inherit lines that are settled, but no unit
        return getattr(self, name)

    @property
    def is_refused(self) -> bool:
        return not self.visible

    def settled(self) -> Line:
        """With cover and reasons as they are now: the target may change."""
        _ = self.cover
        return self


class Ground:
    """Questions about the table, asked in terms of units."""

    def length(self, state: DustState, points: int) -> int:
        """Points of movement as the table counts ways."""
        return points

    # -- choosing places ------------------------------------------------------------------------

    def turns(self, unit: Unit) -> tuple[int | None, ...]:
        """The facings a unit of one square may choose from; those of infantry do not matter."""
        return NO_FACING if unit.is_infantry else FACINGS

    def choose(
        self, play: Play, unit: Unit, key: str, spots: Mapping[Any, int], turns: Turns = NO_FACING, **details: Any
    ) -> Generator[Any, Any, tuple[int, int | None]]:
        """Its owner chooses where a unit stands, and which way it looks."""
        spot, facing = yield Place(unit.side, key, spots, turns, labels=play.state.table.name, unit=unit.id, **details)
        return spot, facing

    def landing(
        self, state: DustState, unit: Unit, objection: Objection, near: Sequence[int] = ()
    ) -> Mapping[int, Any]:
        """Where a unit may come from nowhere: free squares without objection, with the facings possible there.

        `near` names places beside which there is surely something to look for; squares are all looked at anyway.
        """
        stances = self.free_stances(state, unit)
        return {place: facings for place, facings in stances.items() if objection(state, place) is None}

    def arrive(
        self, play: Play, unit: Unit, key: str, places: Mapping[int, Any], **details: Any
    ) -> Generator[Any, Any, tuple[int, int | None]]:
        """Its owner chooses one of the places of `landing`."""
        spots = dict.fromkeys(places, 0)
        spot, facing = yield from self.choose(play, unit, key, spots, lambda place: places[place], **details)
        return spot, facing

    def would_be_near(self, state: DustState, unit: Unit, spot: int, other: Unit, most: int) -> bool:
        """Would the unit, set down there, be within so many squares of another one?"""
        return self.spot_distance(state, spot, other) <= most

    def free_stances(self, state: DustState, unit: Unit) -> dict[int, tuple[int | None, ...]]:
        """Every square the unit could legally stand on, with the facings possible there; never inside a building."""
        table: SquareTable = state.table
        mover, occupancy = self.mover(unit), self.occupancy(state, unit)
        size = unit.card.size
        stances: dict[int, tuple[int | None, ...]] = {}
        for place in table.places():
            if size == "standard":
                if not table.is_indoor(place) and table.can_stop(mover, place, occupancy):
                    stances[place] = (unit.facing,) if unit.is_infantry else FACINGS
                continue
            facings = tuple(
                facing
                for facing in FACINGS
                if table.fits(size, (place, facing)) and table.can_stop(mover, (place, facing), occupancy)
            )
            if facings:
                stances[place] = facings
        return stances

    def beside(self, state: DustState, unit: Unit, where: tuple[int, ...], *, on: bool = False) -> dict[int, int]:
        """Places next to others that can hold a unit of one square; with `on` those places themselves too."""
        table: SquareTable = state.table
        mover, occupancy = self.mover(unit), self.occupancy(state, unit)
        near = dict.fromkeys((*(where if on else ()), *(other for place in where for other in table.neighbours(place))))
        free = sorted(place for place in near if on or place not in where)
        return {place: 0 for place in free if table.can_stop(mover, place, occupancy)}

    def standing_on(self, state: DustState, places: Sequence[int], but: Unit) -> list[Unit]:
        """Every ground unit on these squares, friend or foe, each once (d47.hero.shared_square_area_attack)."""
        wanted = set(places)
        return [
            unit
            for unit in state.units
            if unit.status == ON_BOARD
            and not wanted.isdisjoint(unit.where)
            and unit is not but
            and unit.parts[0].card.armour_type != "A"
        ]

    def stands_at(self, state: DustState, unit: Unit, places: frozenset[int]) -> bool:
        """Does the unit stand on an objective (d47.victory.hold_objective)?"""
        return not places.isdisjoint(unit.where)

    # -- where things stand ---------------------------------------------------------------------

    def stance(self, unit: Unit) -> Any:
        """How the table knows the unit's position: a place, or (place, facing) for large and huge ones."""
        if unit.card.size == "standard":
            return unit.where[0]
        if unit.card.size == "large":
            return (unit.where[0], unit.facing)
        return (min(unit.where), unit.facing)

    def put(self, state: DustState, unit: Unit, spot: int, facing: int | None) -> None:
        """Stand a unit on its squares.

        d47.setup.footprint_standard, d47.setup.footprint_large, d47.setup.footprint_huge,
        d47.setup.infantry_one_square, d47.setup.overhang, d47.open.aircraft_squares.
        """
        size, before = unit.card.size, unit.where
        unit.facing = unit.facing if facing is None else facing
        if size == "standard":
            unit.where = (spot,)
        else:
            unit.where = state.table.footprint(size, (spot, unit.facing))
        unit.place = unit.where[0]
        unit.status = ON_BOARD
        unit.aboard = ""
        if unit.flags & BURNING:
            move_smoke(state, unit, before)

    def lift(self, unit: Unit, status: str) -> None:
        """Take a unit off the table."""
        unit.where = ()
        unit.place = -1
        unit.status = status

    def occupancy(self, state: DustState, mover: Unit) -> Occupancy:
        """Who stands where, as seen by a moving unit; aircraft fly in a layer of their own.

        d47.open.diagonal_between_friends, d47.hero.separate_share_square.
        """
        friends = friend_vehicles = enemies = aircraft = 0
        side = mover.side
        for unit in state.units:
            if unit.status != ON_BOARD or unit is mover:
                continue
            mask = 0
            for place in unit.where:
                mask |= 1 << place
            kind = unit.parts[0].card.armour_type
            if kind == "A":  # d47.open.aircraft_stacking_ground
                aircraft |= mask
            elif unit.side != side:  # d47.move.enemy_blocks
                enemies |= mask
            else:
                friends |= mask  # d47.move.pass_friends
                if kind == "V":  # d47.move.vehicle_not_through_vehicle
                    friend_vehicles |= mask
        if state.forts:
            enemies |= fortifications.closed_squares(state, mover, self.mover(mover).flying)
        return Occupancy(friends, friend_vehicles, enemies, aircraft)

    def rename(self, unit: Unit, old: str, new: str) -> None:
        """A hero goes on as another card; squares hold units and no models, so nothing has to be done here."""

    def mover(self, unit: Unit, state: DustState | None = None) -> Mover:
        """How the unit moves from where it is."""
        changed = self.mover_by_nature(unit, state)
        if state is not None and state.forts and changed.flying and fortifications.in_bunker(state, unit):
            changed = msgspec.structs.replace(changed, flying=False)  # out through the doors (d47.fort.bunker_walls)
        return changed

    def mover_by_nature(self, unit: Unit, state: DustState | None = None) -> Mover:
        """How the unit moves wherever it is; skills speak here."""
        card = unit.card
        crosses = card.armour_type != "V" or self.crosses_low_walls(unit, state)
        mover = plain_mover(card.locomotion, card.size, card.armour_type == "V", crosses, card.kind == "hero")
        changed: Mover = ask(unit.effects, "on_mover", mover, unit) if "on_mover" in unit.effects else mover
        return changed

    def crosses_low_walls(self, unit: Unit, state: DustState | None = None) -> bool:
        """Walkers always, other vehicles from armour 2 (d47.terrain.low_wall_cross, d47.open.low_wall_wheeled)."""
        options = {} if state is None else state.options
        if unit.card.locomotion in ("wheeled", "half_tracked") and options.get("low_wall_wheeled") == "never":
            return False
        return unit.card.locomotion == "walker" or unit.card.armour >= 2

    def reach(
        self,
        state: DustState,
        unit: Unit,
        budget: int,
        *,
        diagonal_used: bool = False,
        road_bonus: int = 0,
        halved_budget: int | None = None,
        start: Any = None,
    ) -> Reach:
        """Where the unit can end a move of so many squares, with all its squares (d47.open.rear_square_terrain).

        d47.move.vehicle_corner, d47.move.infantry_corner_ok, d47.move.diagonal_between_two,
        d47.move.infantry_building_exit_diagonal, d47.move.aircraft_ignore_ground, d47.move.aircraft_corners,
        d47.move.large_aircraft, d47.open.diagonal_scope, d47.open.large_leading_end.
        """
        table: SquareTable = state.table
        return table.reach(
            self.mover(unit, state),
            self.stance(unit) if start is None else start,
            budget,
            self.occupancy(state, unit),
            diagonal_used=diagonal_used,
            road_bonus=road_bonus,
            halved_budget=halved_budget,
        )

    # -- distances ------------------------------------------------------------------------------

    def distance(self, state: DustState, one: Unit, other: Unit) -> int:
        """The smallest distance between any two squares of the units (d47.open.range_origin_large)."""
        table: SquareTable = state.table
        if len(one.where) == 1 and len(other.where) == 1:
            return table.distance(one.place, other.place)
        return min(table.distance(a, b) for a in one.where for b in other.where)

    def in_contact(self, state: DustState, one: Unit, other: Unit) -> bool:
        """Adjacent for close combat: diagonals count, walls and floors part.

        d47.attack.cc.adjacent, d47.open.cc_in_buildings.
        """
        table: SquareTable = state.table
        if state.forts:
            past_walls = fortifications.in_contact(state, one, other)
            if past_walls is not None:
                return past_walls
        if len(one.where) == 1 and len(other.where) == 1:
            return table.contact(one.place, other.place)
        return any(table.contact(a, b) for a in one.where for b in other.where)

    def near(self, state: DustState, one: Unit, other: Unit, most: int) -> bool:
        """Is the other unit within so many squares? Range 1 ends at the walls of a fortification.

        d47.fort.special_range1.
        """
        if most <= 1 and state.forts and fortifications.parted(state, one, other):
            return False
        return bool(one.where and other.where) and self.distance(state, one, other) <= most

    # -- sight ----------------------------------------------------------------------------------

    def sight_blockers(self, state: DustState, viewer: Unit) -> int:
        """Squares of ground vehicles, friend or enemy (d47.attack.los.vehicle_blocks); infantry never block.

        d47.attack.los.infantry_transparent.
        """
        mask = 0
        for unit in state.units:
            if unit.status != ON_BOARD or unit.parts[0].card.armour_type != "V" or unit is viewer:
                continue
            if "on_blocks_sight" in unit.effects and not ask(unit.effects, "on_blocks_sight", True, unit, viewer):
                continue
            for place in unit.where:
                mask |= 1 << place
        return mask

    def origins(self, unit: Unit, mount: str | None) -> Sequence[int]:
        """From which squares a weapon sees.

        d47.attack.los.large_origin, d47.attack.los.huge_origin, d47.open.arc_origin.
        """
        where = unit.where
        if unit.card.size == "standard":
            return where
        if mount in ("left", "right"):
            return where
        half = len(where) // 2
        return where[half:] if mount == "rear" else where[:half]

    def eye(self, unit: Unit, table: SquareTable | None = None, place: int | None = None) -> Literal["low", "tall"]:
        """Walkers and big vehicles look over low huts, and so does infantry on upper floors and roofs.

        d47.quonset.los, d47.open.quonset_walkers.
        """
        card = unit.card
        if card.locomotion == "walker" or card.size != "standard":
            return "tall"
        where = unit.place if place is None else place
        upstairs = table is not None and unit.is_infantry and where >= 0 and table.level(where) > 0
        return "tall" if upstairs else "low"

    def line(
        self,
        state: DustState,
        unit: Unit,
        target: Unit,
        mount: str | None,
        blockers: int,
        *,
        arc: Any = None,
        eyes: Unit | None = None,
    ) -> Line:
        """Range, arc, sight and cover from a unit's weapon to a target, from its best square.

        `eyes` is another unit that does the seeing (an artillery observer).

        d47.open.side_arc_ends.
        """
        table: SquareTable = state.table
        arc = arc or ARC_OF_MOUNT[mount]
        squares = target.where
        facing = unit.facing
        if eyes is None and len(squares) == 1 and len(unit.where) == 1 and self._is_plain(state, unit, target):
            if arc == "all" or table.in_arc(unit.place, facing, squares[0], arc):
                return self._plain_line(table, unit, target, blockers)
            return self._outside(target)
        best: Line | None = None
        for origin in self.origins(unit, mount):
            seen_in_arc = squares if arc == "all" else [sq for sq in squares if table.in_arc(origin, facing, sq, arc)]
            if not seen_in_arc:
                continue
            distance = min(table.distance(origin, square) for square in seen_in_arc)
            looking = origin if eyes is None else eyes.where[0]
            line = self._look(state, eyes or unit, looking, target, blockers, distance)
            if best is None or _better(line, best):
                best = line
                if line.visible and not line.cover:
                    break
        return self._outside(target) if best is None else best

    def _outside(self, target: Unit) -> Line:
        rule = "d47.attack.arc.turn_needs_move"
        return Line(99, False, refusal=(rule, f"{target.name} is outside the weapon's arc"))

    def _is_plain(self, state: DustState, unit: Unit, target: Unit) -> bool:
        """Is a line between two units one between two squares, with no fortification and nobody in the air?"""
        return not state.forts and unit.parts[0].card.armour_type != "A" and target.parts[0].card.armour_type != "A"

    def looks_from_a_square(self, state: DustState, unit: Unit) -> bool:
        """Does the unit look from one square of a square table, with no fortification, weather or wings about it?"""
        if state.forts or state.weather or unit.status != ON_BOARD or len(unit.where) != 1:
            return False
        return type(state.table) is SquareTable and unit.parts[0].card.armour_type != "A"

    def sees_square(self, state: DustState, unit: Unit, square: int, blockers: int) -> bool:
        """Does such a unit see one on another square? The same answer as a line's."""
        origin = unit.place
        table: SquareTable = state.table
        return table.sees(origin, square, blockers & ~(1 << origin | 1 << square), self._is_tall(table, unit))

    def _is_tall(self, table: SquareTable, unit: Unit) -> bool:
        """The eye of a unit that stands on one square."""
        card = unit.parts[0].card
        if card.locomotion == "walker" or card.size != "standard":
            return True
        return unit.place >= table.plane and card.armour_type == "S"

    def _plain_line(self, table: SquareTable, unit: Unit, target: Unit, blockers: int) -> Line:
        """Like `_look` from one square to another; most lines are such."""
        origin, square = unit.place, target.place
        plane = table.plane
        tall = self._is_tall(table, unit)
        blockers &= ~(1 << origin | 1 << square)
        line = LateLine()
        line.distance = table.distance(origin, square)
        line.visible = table.sees(origin, square, blockers, tall)
        line.origin = origin
        line.above = origin // plane - square // plane
        line.asked = (self, table, target, square, blockers, tall)
        return line

    def _look(self, state: DustState, viewer: Unit, origin: int, target: Unit, blockers: int, distance: int) -> Line:
        """Sight from one square to every square of the target (d47.open.los_large_target).

        d47.move.aircraft_not_inside, d47.attack.save.cover_corner, d47.attack.save.own_squares_no_cover,
        d47.open.los_corner_meaning, d47.open.los_corner_blockers.
        """
        table: SquareTable = state.table
        if viewer.is_aircraft and origin in target.where and not target.is_aircraft:
            rule = "d47.attack.arc.aircraft_below"
            return Line(distance, False, refusal=(rule, f"{target.name} is right below the aircraft"))
        ignore = 0
        if state.forts:
            blind = fortifications.unseen(state, viewer, origin, target)
            if blind is not None:
                return Line(distance, False, refusal=blind)
            ignore = fortifications.own_walls(state, viewer, target)
        air: Any = False
        if viewer.is_aircraft:
            air = "both" if target.is_aircraft else "attacker"
        elif target.is_aircraft:
            air = "target"
        blockers &= ~(mask_of(target.where) | mask_of(viewer.where))
        eye = self.eye(viewer, table, origin)
        covered = 0
        visible = False
        reasons: tuple[Any, ...] = ()
        for square in target.where:
            sight = table.sight(origin, square, blockers=blockers, eye=eye, air=air, ignore=ignore)
            if sight.cover:
                sight = self.covering(table, target, sight)
            reasons += sight.reasons
            if sight.visible:
                visible = True
            if sight.cover or not sight.visible:
                covered += 1
        above = table.level(origin) - table.level(target.place)
        if not visible:
            return UnseenLine(distance, origin, above, reasons, lambda: self._why_unseen(table, target, reasons))
        cover = covered >= COVERED_SQUARES[target.card.size]
        return Line(distance, True, cover, reasons, origin, above)

    def covering(self, table: SquareTable, target: Unit, sight: Sight) -> Sight:
        """A sight with only the cover that counts for this target: objects it could not enter do not cover it.

        So tank traps cover infantry alone.

        d47.terrain.tank_trap_infantry.
        """
        if not sight.cover or target.is_infantry:
            return sight
        kind = MOVER_KINDS[target.card.locomotion]
        reasons = tuple(
            reason for reason in sight.reasons if reason.code != "object" or kind in table.kinds[reason.what].passable
        )
        return Sight(sight.visible, bool(reasons), reasons)

    def line_from(self, state: DustState, place: int, target: Unit) -> Line:
        """Cover of a unit from a shell that bursts on a square (d47.weapon.artillery_saves)."""
        table: SquareTable = state.table
        blockers = self.sight_blockers(state, target) & ~mask_of(target.where) & ~(1 << place)
        sights = [
            self.covering(table, target, table.sight(place, square, blockers=blockers, eye="tall"))
            for square in target.where
        ]
        covered = sum(1 for sight in sights if sight.cover or not sight.visible)
        reasons = tuple(reason for sight in sights for reason in sight.reasons)
        cover = covered >= COVERED_SQUARES[target.card.size]
        return Line(min(table.distance(place, square) for square in target.where), True, cover, reasons, place)

    def _why_unseen(self, table: SquareTable, target: Unit, reasons: tuple[Any, ...]) -> tuple[str, str]:
        for reason in reasons:
            if reason.blocks:
                places = ", ".join(table.name(place) for place in reason.places)
                rule = REASON_RULES.get(reason.code, "d47.attack.los.trace_center")
                return rule, f"{target.name} cannot be seen: {reason.what} at {places} is in the way"
        return "d47.attack.los.trace_center", f"{target.name} cannot be seen"

    def sees(self, state: DustState, unit: Unit, other: Unit) -> bool:
        """Plain sight between two units, for orders and skills."""
        if unit is other:
            return True
        blockers = self.sight_blockers(state, unit)
        line = self.line(state, unit, other, None, blockers, arc="all")
        farthest = sight_limit(state)
        return line.visible and (farthest is None or line.distance <= farthest)

    # -- what players ask of spots where nobody stands yet ----------------------------------------

    def spot_distance(self, state: DustState, spot: int, unit: Unit) -> int:
        """The range from a spot to the nearest part of a unit."""
        table: SquareTable = state.table
        return min((table.distance(spot, place) for place in unit.where), default=99)

    def spot_sight(self, state: DustState, unit: Unit, spot: int, other: Unit, end: int, blockers: Any) -> int:
        """Would a unit on a spot see another on its own: 0 no, 1 yes, 2 yes but in cover?"""
        table: SquareTable = state.table
        own = mask_of(unit.where) | mask_of(other.where) | 1 << spot | 1 << end
        air: Any = False
        if unit.is_aircraft or other.is_aircraft:
            air = ("both" if other.is_aircraft else "attacker") if unit.is_aircraft else "target"
        sight = table.sight(spot, end, blockers=blockers & ~own, eye=self.eye(unit, table, spot), air=air)
        return 0 if not sight.visible else 2 if sight.cover else 1

    def spot_arcs(self, state: DustState, unit: Unit, spot: int, facing: int, other: Unit) -> tuple[str, ...]:
        """The arcs in which another unit would stand from a spot."""
        arcs: tuple[Any, ...] = ("front", "rear", "left", "right")
        return tuple(arc for arc in arcs if state.table.in_arc(spot, facing, other.place, arc))

    def facing_to(self, state: DustState, start: int, end: int) -> int:
        """The facing from one spot towards another."""
        (x1, y1), (x2, y2) = state.table.xy(start), state.table.xy(end)
        if abs(x2 - x1) > abs(y2 - y1):
            return 1 if x2 > x1 else 3
        return 2 if y2 > y1 else 0


@lru_cache(maxsize=256)
def plain_mover(locomotion: str, size: Any, vehicle: bool, crosses_low_walls: bool, hero: bool) -> Mover:
    """How a unit moves that no skill helps."""
    return Mover(
        MOVER_KINDS[locomotion],
        size,
        vehicle=vehicle,
        crosses_low_walls=crosses_low_walls,
        shares=hero,  # d47.move.hero_may_share
        spares=CRUSHED if vehicle else (),  # d47.terrain.crate_vehicle
    )


def _better(one: Line, other: Line) -> bool:
    """A line that sees beats one that does not, then the one without cover, then the shorter one."""
    return (not one.visible, one.cover, one.distance) < (not other.visible, other.cover, other.distance)
