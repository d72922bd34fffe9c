"""Blast templates, flame tapes and artillery fields: where they may be laid and whom they touch.

ff.blast.*, ff.flame.*.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import partial
from itertools import islice
from math import isqrt
from typing import Any

from dieselfront.forces import DustWeapon
from dieselfront.rulesets.dust.hooks import WeaponRule
from dieselfront.rulesets.dust.shots import Aim, Attack, Shot, detail
from dieselfront.rulesets.dust.state import Part, Unit
from dieselfront.rulesets.dust1947 import weapons
from dieselfront.rulesets.dust1947.weapons.areas import (
    ArtilleryIndirect,
    ArtilleryTarget,
    LargeOrdnance,
    Shy,
)
from dieselfront.rulesets.dust1947.weapons.flames import FlameBurst, FlamePath, FlameSquare
from dieselfront.rulesets.dust1947.weapons.hits import SniperPick
from dieselfront.rulesets.dust1947.weather import sight_limit
from dieselfront.rulesets.dust_open.ground import ARCS, OpenGround, measures
from dieselfront.rulesets.dust_open.places import Point, at, floor_of, xy
from dieselfront.rulesets.dust_open.playing import Play, open_rules
from dieselfront.table.measured.angles import step
from dieselfront.table.measured.arcs import ALL_ROUND, arc_polygons, point_in_arc
from dieselfront.table.measured.geometry import LINE, point_polygon_square, stretches
from dieselfront.table.measured.shapes import Body, distance_from_point
from dieselfront.table.measured.table import place_on
from dieselfront.table.measured.templates import Disc, Template, flame_tape
from dieselfront.table.measured.terrain import Piece, Sight, opening_at

BLAST, FLAME, FROM = "blast", "flame", "from"
POINT = "point"
"""The flag of an attack while a point chosen by hand is tried."""
FIELDS = ("area", "burst")
SPARE = 30
"""Tenths that rounding may add to the place of a template."""
BESIDE = 480
"""Tenths of a millimetre from a model to the centre of a template that still touches it."""
STEPS_BESIDE = tuple((dx // 10, dy // 10) for dx, dy in (step(turn, BESIDE) for turn in range(0, 360, 45)))
"""From a model to the centres beside it, in millimetres."""
LOW = 200
"""Tenths of a millimetre: what is lower does not stop a flame."""


class Templates:
    """Laying templates."""

    # -- which template a shot lays ---------------------------------------------------------------

    def of(self, play: Play, shot: Shot) -> tuple[Template, int] | None:
        """The template of a shot and the floor it hits, None for a plain shot."""
        ground: OpenGround = open_rules(play).ground
        for word in FIELDS:
            places = shot.aimed(word)
            if places is not None:
                return ground.template(play.state, places), floor_of(places[0])
        centre = shot.aimed(FLAME)
        if centre is not None:  # ff.flame.line, ff.flame.range1, ff.flame.range23
            return self.flame(play, xy(self._nozzle(play, shot)), xy(centre)), floor_of(centre)
        centre = shot.aimed(BLAST)
        if centre is not None:  # ff.blast.place
            return self.burst(play, centre), floor_of(centre)
        return None

    def burst(self, play: Play, centre: int) -> Disc:
        """The blast template laid round a place (ff.blast.place)."""
        return Disc(*xy(centre), measures(play.state).blast)

    def flame(self, play: Play, nozzle: Point, end: Point) -> Template:
        """The tape of a flame from its bearer to its end (ff.flame.line)."""
        return flame_tape(nozzle, end, radius=measures(play.state).blast)

    def _nozzle(self, play: Play, shot: Shot) -> int:
        figure = self.bearer(shot.unit, shot.part, int(shot.aimed(FROM) or 0))
        figures = shot.unit.figures
        return shot.unit.where[figures.index(figure)] if figure in figures else shot.unit.place

    def bearer(self, unit: Unit, part: Part, soldier: int) -> tuple[str, int]:
        """The model that carries a weapon."""
        return (part.card.id, soldier) if (part.card.id, soldier) in unit.figures else (part.card.id, -1)

    def body_of(self, play: Play, unit: Unit, part: Part, soldier: int) -> Body:
        figure = self.bearer(unit, part, soldier)
        bodies: list[Body] = open_rules(play).ground.bodies(play.state, unit)
        return bodies[unit.figures.index(figure)] if figure in unit.figures else bodies[0]

    # -- blast ------------------------------------------------------------------------------------

    def blast_aims(self, play: Play, attack: Attack, weapon: DustWeapon, aims: list[Aim]) -> list[Aim]:
        """Plain aims at units, each with good centres for the template."""
        centred: list[Aim] = []
        for aim in aims:
            target = play.state.by_id[aim[0]]
            if target.is_aircraft:
                centred.append(aim)
                continue
            centred += [(*aim, BLAST, centre) for centre in self.centres(play, attack, weapon, target)]
        return centred

    def centres(self, play: Play, attack: Attack, weapon: DustWeapon, target: Unit) -> list[int]:
        """The middle of the target, its models, and the nearest point of the nearest one, as far as they are legal."""
        ground: OpenGround = open_rules(play).ground
        spots = dict.fromkeys([middle_of(target), *target.where[:4]])
        burst = Burst(play, attack, weapon)
        legal = list(islice((spot for spot in spots if burst.objection(spot) is None), 3))
        if legal:
            return legal
        mine = ground.first(play.state, attack.unit)
        near = min(ground.bodies(play.state, target), key=lambda body: distance_from_point(mine.cx, mine.cy, body))
        edge = towards(mine, (near.x, near.y), near.radius)
        return [at(*edge, near.floor)] if burst.objection(at(*edge)) is None else []

    def may_burst(self, play: Play, attack: Attack, weapon: DustWeapon, centre: int) -> str | None:
        """The centre of a blast lies in arc, range and sight of the weapon (ff.blast.place, ff.open.blast_sight)."""
        return Burst(play, attack, weapon).objection(centre)

    def ground_aims(self, play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        """Where a blast may be laid though no enemy is a legal target: over enemies nobody sees, else on open ground.

        ff.blast.place, ff.blast.no_los. Any other place in arc, range and sight is as legal.
        """
        weapon, ground, state = part.card.weapons[index], open_rules(play).ground, play.state
        foes = enumerate(_foes(play, attack))
        far_off = sorted((ground.tenths(state, attack.unit, foe), number, foe) for number, foe in foes)
        over: list[int] = []
        burst = Burst(play, attack, weapon)
        sees = partial(self._somebody_sees, play, attack, part, index)
        farthest = weapon.range_max * measures(state).range + BESIDE + SPARE
        for tenths, _, foe in far_off:
            if tenths > farthest:  # so are all that follow
                break
            over += islice(filter(sees, self._spots_over(play, foe, burst)), 1)
            if over and attack.flags.get("any"):
                break
        if over:
            return [(spot, BLAST, spot) for spot in dict.fromkeys(over)]
        mine = ground.first(state, attack.unit)
        for goal in [xy(foe.place) for _, _, foe in far_off] or [_ahead(mine)]:
            for tenth in (9, 7, 5, 3):
                far = weapon.range_max * measures(state).range * tenth // 10
                end = towards((mine.x, mine.y), goal, far, stop=True)
                spot = state.table.place(*end)
                if burst.objection(spot) is None and sees(spot):
                    return [(spot, BLAST, spot)]
        return []

    def _spots_over(self, play: Play, foe: Unit, burst: Burst) -> Iterator[int]:
        """Legal centres from which the template touches a unit: on its models, then beside them."""
        table, ground = play.state.table, open_rules(play).ground
        for place in foe.where[:4]:
            if not burst.comes_near(place):
                continue
            if burst.objection(place) is None:
                yield place
            x, y = xy(place)
            for dx, dy in STEPS_BESIDE:
                spot: int = table.place(x + dx, y + dy)
                if burst.objection(spot) is None and ground.touched(play.state, foe, Disc(*xy(spot)), 0):
                    yield spot

    def _somebody_sees(self, play: Play, attack: Attack, part: Part, index: int, spot: int) -> bool:
        """Is a centre in sight of somebody who fires the weapon?"""
        if not attack.unit.is_infantry:
            return True
        bearers = open_rules(play).attacks.bearers(play, part, index)
        return any(self.bearer_sees(play, attack, part, bearer, spot) for bearer in bearers)

    def bearer_sees(self, play: Play, attack: Attack, part: Part, soldier: int, centre: int) -> bool:
        """Does the model that fires see the centre?"""
        ground, state = open_rules(play).ground, play.state
        body = self.body_of(play, attack.unit, part, soldier)
        in_sight: bool = ground.sees_spot(state, body, centre, ground.sight_blockers(state, attack.unit), attack.unit)
        return in_sight

    # -- flames -----------------------------------------------------------------------------------

    def flame_aims(
        self, play: Play, attack: Attack, part: Part, weapon: DustWeapon, bearers: tuple[int, ...], targets: list[Unit]
    ) -> list[Aim]:
        """Every bearer with his own tape (ff.flame.from_bearer)."""
        aims: list[Aim] = []
        for bearer in bearers:
            body = self.body_of(play, attack.unit, part, bearer)
            for target in targets:
                ends = [middle_of(target), *target.where[:4]]
                tapes = [self.tape(play, attack, weapon, body, end) for end in ends]
                for centre in dict.fromkeys(tape for tape in tapes if tape is not None):
                    if self.burns(play, body, centre, target):
                        aims.append((target.id, FLAME, centre, FROM, bearer))
        return aims

    def tape(self, play: Play, attack: Attack, weapon: DustWeapon, body: Body, goal: int) -> int | None:
        """As far towards a goal as range and walls let the tape run (ff.flame.line, ff.open.flame_walls)."""
        arc = ARCS[None if attack.unit.is_infantry else weapon.mount]
        x, y = xy(goal)
        if not point_in_arc(body, arc, x * 10, y * 10) or (x, y) == (body.x, body.y):
            return None
        end = self._in_reach(body, (x, y), weapon.range_max * measures(play.state).range)
        return at(*self.stopped(play, attack.unit, body, end), floor_of(goal))

    def _in_reach(self, body: Body, goal: Point, reach: int) -> Point:
        """As far towards a goal as a range carries from the rim of a base or hull (ff.range.vehicle_from)."""
        start, far = (body.x, body.y), reach + body.radius
        end = towards(start, goal, far, stop=True)
        while body.corners and far > 0 and distance_from_point(end[0] * 10, end[1] * 10, body) > reach:
            far -= 10
            end = towards(start, goal, far, stop=True)
        return end

    def stopped(self, play: Play, unit: Unit, body: Body, end: Point) -> Point:
        """The first terrain or hull that blocks sight ends the tape; openings let it through (ff.los.walls)."""
        land = open_rules(play).ground.tape_land(play.state, body, end)
        a, b = (body.cx, body.cy), (end[0] * 10, end[1] * 10)
        first = LINE
        for piece, parts in land.stretches_in(a, b, land.sight_mask):
            if piece.is_building:
                walls = (place for part in parts for place in part if 0 < place < LINE)
                first = min(first, *(place for place in walls if _is_blank(piece, a, b, place, body.floor)), LINE)
            elif piece.kind.sight is Sight.BLOCKS and piece.height > LOW:
                first = min(first, parts[0][0])
        for hull in open_rules(play).ground.sight_blockers(play.state, unit):
            inside = stretches(*a, *b, hull.corners) if hull.corners else []
            if inside:
                first = min(first, inside[0][0])
        return end if first == LINE else place_on(a, b, first)

    def burns(self, play: Play, body: Body, centre: int, target: Unit) -> bool:
        template = self.flame(play, (body.x, body.y), xy(centre))
        return bool(open_rules(play).ground.touched(play.state, target, template, floor_of(centre)))

    def may_burn(self, play: Play, attack: Attack, weapon: DustWeapon, part: Part, aim: Aim) -> bool:
        """Is a tape laid by hand legal?"""
        bearer, centre = detail(aim, FROM), detail(aim, FLAME)
        if not isinstance(centre, int) or not isinstance(bearer, int) or not play.state.table.exists(centre):
            return False
        body = self.body_of(play, attack.unit, part, bearer)
        return self.tape(play, attack, weapon, body, centre) == centre


class Burst:
    """Where the centre of a weapon's blast may lie (ff.blast.place, ff.blast.level)."""

    __slots__ = ("_arc", "_blockers", "_is_seen_by_bearer", "_least", "_limit", "_mine", "_play", "_reach", "_unit")

    def __init__(self, play: Play, attack: Attack, weapon: DustWeapon) -> None:
        state, unit, ground, point = play.state, attack.unit, open_rules(play).ground, measures(play.state).range
        self._play, self._unit = play, unit
        self._mine = ground.first(state, unit)
        self._reach = weapon.range_max * point
        self._least = (weapon.range_min - 1) * point if weapon.range_min else -1
        self._is_seen_by_bearer = unit.is_infantry  # the firing model's own sight counts (ff.open.blast_sight)
        self._arc = ARCS[None if unit.is_infantry else weapon.mount]
        limit = sight_limit(state)
        self._limit = None if limit is None else limit * point
        self._blockers: Any = None

    def comes_near(self, place: int) -> bool:
        """Could a centre on a place or beside it be in arc and range? One question in place of nine: most are not."""
        x, y = xy(place)
        mine, beside = self._mine, BESIDE + SPARE
        if distance_from_point(x * 10, y * 10, mine) > self._reach + beside:
            return False
        if self._arc is ALL_ROUND:
            return True
        squares = (point_polygon_square(x * 10, y * 10, polygon) for polygon in arc_polygons(mine, self._arc))
        return any(square <= beside * beside * scale for square, scale in squares)

    def objection(self, centre: int) -> str | None:
        """What is against a centre: it must lie in arc, range and sight."""
        x, y = xy(centre)
        state, mine = self._play.state, self._mine
        far = distance_from_point(x * 10, y * 10, mine)
        if far > self._reach or not state.table.exists(centre):
            return "the template's centre is out of range"
        floor = floor_of(centre)
        if floor and floor > open_rules(self._play).ground.highest(state.table, centre):  # ff.blast.level
            return "only the ground floor can be hit from outside, and only floors that are there from inside"
        if far <= self._least:
            return "the template's centre is too near"
        if self._arc is not ALL_ROUND and not point_in_arc(mine, self._arc, x * 10, y * 10):
            return "the template's centre is out of the weapon's arc"
        if self._limit is not None and far > self._limit:
            return "the weather hides the template's centre"
        if self._is_seen_by_bearer:
            return None
        ground = open_rules(self._play).ground
        if self._blockers is None:
            self._blockers = ground.sight_blockers(state, self._unit)
        seen = ground.sees_spot(state, mine, centre, self._blockers, self._unit)
        return None if seen else "the template's centre cannot be seen"


def _is_blank(piece: Piece, a: Point, b: Point, place: int, floor: int) -> bool:
    """Is the wall of a building without an opening where a line passes it?"""
    x, y = a[0] + (b[0] - a[0]) * place // LINE, a[1] + (b[1] - a[1]) * place // LINE
    return opening_at(piece, x, y, floor) is None


def middle_of(unit: Unit) -> int:
    """The middle of all its models."""
    points = [xy(place) for place in unit.where]
    x, y = sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points)
    return at(x, y, floor_of(unit.place))


def _ahead(body: Body) -> Point:
    """A point far in front of a model."""
    dx, dy = step(body.heading, 20_000)
    return body.x + dx // 10, body.y + dy // 10


def towards(start: Body | Point, goal: Point, far: int, stop: bool = False) -> Point:
    """A point on the way: `far` tenths short of the goal, or with `stop` at most so far from the start."""
    x, y = (start.x, start.y) if isinstance(start, Body) else start
    dx, dy = goal[0] - x, goal[1] - y
    length = max(1, isqrt(100 * (dx * dx + dy * dy)))
    part = min(length, far) if stop else max(0, length - far)
    return x + dx * part // length, y + dy * part // length


# -- weapon rules ------------------------------------------------------------------------------------


class Tape(WeaponRule):
    """The tape and the template take the place of squares in a line (ff.flame.affects)."""

    name = "Flame"
    rule = "ff.flame.affects"


class OpenBurst(FlameBurst):
    """All models under a circle round the place aimed at."""

    def on_aims(self, aims: list[Aim], shot: Shot) -> list[Aim]:
        if shot.target.is_aircraft:
            return aims
        return [(*aim, "burst", (place,)) for aim in aims for place in shot.target.where[:3]]


def points(play: Play, attack: Attack, part: Part, index: int, eyes: Unit) -> list[int]:
    """Points worth a shell, in arc and range of the weapon and in sight of `eyes`.

    They are the middles of enemy units; any other point is as legal (d47.weapon.artillery_target). Where no enemy can
    be aimed at, a point on the way to one is offered.
    """
    may_fall = _Fall(play, attack, part, index, eyes)
    by_hand = attack.flags.get(POINT)
    if by_hand is not None:
        return [by_hand] if may_fall(by_hand) and may_fall.may_be_aimed_at(by_hand) else []
    aim_points: list[int] = []
    foes = list(_foes(play, attack))
    for foe in foes:
        spots = dict.fromkeys((middle_of(foe), foe.place))
        aim_points += islice((spot for spot in spots if may_fall.shy.may_be_chosen(foe) and may_fall(spot)), 1)
    if not aim_points and not attack.only:
        aim_points = _short_of(play, attack, part, index, foes, may_fall)
    return sorted(set(aim_points))


def _short_of(play: Play, attack: Attack, part: Part, index: int, foes: list[Unit], may_fall: _Fall) -> list[int]:
    """Points on open ground, on the way to enemies who are out of reach or out of sight."""
    weapon, mine = part.card.weapons[index], open_rules(play).ground.first(play.state, attack.unit)
    reach = weapon.range_max * measures(play.state).range
    least = weapon.range_min * measures(play.state).range
    for foe in foes:
        for tenth in (9, 7, 5, 3):
            far = reach * tenth // 10
            spot = play.state.table.place(*towards((mine.x, mine.y), xy(foe.place), far, stop=True))
            if far >= least and may_fall(spot) and may_fall.may_be_aimed_at(spot):
                return [spot]
    return []


class _Fall:
    """Where a shell may fall: in arc and range of its weapon, in sight of whoever looks."""

    __slots__ = ("_arc", "_blockers", "_eyes", "_limit", "_looking", "_mine", "_play", "_reach", "shy")

    def __init__(self, play: Play, attack: Attack, part: Part, index: int, eyes: Unit) -> None:
        state, ground, weapon = play.state, open_rules(play).ground, part.card.weapons[index]
        self._play, self._eyes = play, eyes
        self._mine, self._looking = ground.first(state, attack.unit), ground.first(state, eyes)
        self._blockers = ground.sight_blockers(state, eyes)
        self._arc = ARCS[None if attack.unit.is_infantry else weapon.mount]
        self._reach = weapon.range_max * measures(state).range
        limit = sight_limit(state)
        self._limit = None if limit is None else limit * measures(state).range
        self.shy = Shy(play, attack, part, index)

    def __call__(self, spot: int) -> bool:
        x, y = xy(spot)
        if distance_from_point(x * 10, y * 10, self._mine) > self._reach:
            return False
        if not point_in_arc(self._mine, self._arc, x * 10, y * 10):
            return False
        if self._limit is not None and distance_from_point(x * 10, y * 10, self._looking) > self._limit:
            return False
        seen: bool = open_rules(self._play).ground.sees_spot(
            self._play.state, self._looking, spot, self._blockers, self._eyes
        )
        return seen

    def may_be_aimed_at(self, spot: int) -> bool:
        """An empty point always, one under enemies if any of them may be chosen (d47.open.camouflage_area)."""
        (x, y), ground, state = xy(spot), open_rules(self._play).ground, self._play.state
        foes = {foe.id: foe for here in self.shy.foes.values() for foe in here}
        under = [
            foe
            for foe in foes.values()
            if any(distance_from_point(x * 10, y * 10, body) == 0 for body in ground.bodies(state, foe))
        ]
        return not under or any(map(self.shy.may_be_chosen, under))


def _foes(play: Play, attack: Attack) -> Iterator[Unit]:
    for unit in play.state.on_board(1 - attack.unit.side):
        if not unit.is_aircraft and attack.only in ("", unit.id):
            yield unit


class OpenTarget(ArtilleryTarget):
    """Aimed at a point of the table."""

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        if attack.by_observer is not None:
            return aims
        return [*aims, *((place,) for place in points(play, attack, part, index, attack.unit))]


class OpenIndirect(ArtilleryIndirect):
    """A point that the observer sees."""

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        if attack.by_observer is None:
            return aims
        return [*aims, *((place,) for place in points(play, attack, part, index, attack.by_observer))]


class OpenOrdnance(LargeOrdnance):
    """A field of 8" by 8"."""

    def on_area_aims(self, aims: list[Aim], play: Play, attack: Attack, part: Part, index: int) -> list[Aim]:
        blocks = play.state.table.blocks_of_four
        seen = points(play, attack, part, index, attack.unit)
        return [*aims, *((place, "area", block) for place in seen for block in blocks(place))]


class OpenPick(SniperPick):
    """Every man stands somewhere else: each is named for himself, however he is armed."""

    def alike(self, part: Part, soldier: int) -> Hashable:
        return soldier


INSTEAD: dict[type[WeaponRule], type[WeaponRule]] = {
    FlameSquare: Tape,
    FlameBurst: OpenBurst,
    ArtilleryTarget: OpenTarget,
    ArtilleryIndirect: OpenIndirect,
    LargeOrdnance: OpenOrdnance,
    SniperPick: OpenPick,
}
"""Rules of weapons that speak of squares, and what takes their place."""

ALL: list[type[WeaponRule]] = [INSTEAD.get(kind, kind) for kind in weapons.ALL if kind is not FlamePath]
