"""Quick guesses for Konflikt '47: who sees whom, what a volley or a fight is worth (k47.shoot.*, k47.cq.*).

One model looks and measures for its unit, places are rounded to some centimetres, losses are spread like rare events;
what was guessed is kept. What dice do comes from the rules' own plans; guesses are for places nobody stands on yet and
for playouts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import atan2, degrees, erf, exp, isqrt, sqrt
from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.charts import Weapon
from dieselfront.rulesets.konflikt47.firing import Aimed, Pool, Shot, Wound, damage_throw, hit_throw
from dieselfront.rulesets.konflikt47.ground import COVER, INCH
from dieselfront.rulesets.konflikt47.morale import CHECK, Occasion
from dieselfront.rulesets.konflikt47.odds.fire_odds import not_ignored, passes, table_odds
from dieselfront.rulesets.konflikt47.plans import number_of
from dieselfront.rulesets.konflikt47.state import ADVANCE, DOWN, FIRE, RUN, TABLE, State, Unit
from dieselfront.table.measured.cover import model_cover
from dieselfront.table.measured.shapes import Body, round_base
from dieselfront.table.measured.sight import SightRules, eye_of, look_from
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Stand

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

CELL = 40  # millimetres: looks are kept for places rounded to this
HIDDEN = -1
TALL = round_base(50, height=50)
GLANCES = tuple(SightRules(columns=1, rows=2, area_through=through, stand=Stand.CENTRE) for through in (False, True))
SNIPER_REACH = 36  # inches (k47.special.sniper)
SHAKEN_HULL = 0.05  # how much of a vehicle a stunned crew is worth, besides its pins
MOST = 60_000  # entries a table of guesses may hold before it starts afresh

Way = tuple[int, str]
Group = tuple[tuple[Way, ...], tuple[int, ...]]
WeaponGuess = tuple[float, float, float, float, int]
"""Mean losses, chance of a hit, pins of a hit, chance that flames hit, the weapon."""


class Guess:
    """What a volley is guessed to do: mean losses (or the chance to destroy), chance of a hit, pins if it hits, end."""

    __slots__ = ("gone", "hit", "losses", "pins")

    def __init__(self, losses: float, hit: float, pins: float, gone: float) -> None:
        self.losses = losses
        self.hit = hit
        self.pins = pins
        self.gone = gone


NOTHING = Guess(0.0, 0.0, 0.0, 0.0)


class Gist:
    """What is asked of a unit again and again while a position is judged; where it stands is not among it."""

    __slots__ = (
        "fixed",
        "groups",
        "key",
        "limit",
        "lobs",
        "reach",
        "run",
        "snipes",
        "spotter",
        "spread",
        "storms",
        "walk",
    )

    def __init__(self) -> None:
        self.key: Any = ()  # stands for the models it has and what they can still fire
        self.groups: dict[str, list[Group]] = {}  # by the way of coming to shoot
        self.reach = 0  # of its longest weapon, in tenths of a millimetre
        self.run = 0  # its Run rate, likewise
        self.walk = 0  # how far it comes and still fires, likewise
        self.limit = 9  # so many pins are its end (k47.morale.rout)
        self.spread = 0  # how far it reaches round its middle, likewise
        self.fixed = False  # has it weapons that point one way?
        self.lobs = False  # does it fire over the heads of others (k47.wrule.indirect_los)?
        self.spotter = False
        self.snipes = False  # does it name whom it hits (k47.special.sniper)?
        self.storms = False  # may it assault?


# -- small numbers ---------------------------------------------------------------------------------------------


@cache
def mean_of(notation: str) -> float:
    """The mean of a number such as D6 or 2D6-1."""
    return number_of(notation, "", "").mean()


@cache
def hit_chance(need: int) -> float:
    """The chance of a die to hit, as the rules throw it."""
    return float(hit_throw(need, "").chance())


@cache
def wound_chance(value: int, pen: int) -> float:
    return float(damage_throw(value, pen, "").chance())


@cache
def tail(quarters: int, count: int) -> float:
    """The chance of `count` or more where `quarters` / 4 are expected, spread like rare events."""
    if count <= 0:
        return 1.0
    mean = quarters / 4
    term = below = exp(-mean)
    for number in range(1, count):
        term *= mean / number
        below += term
    return max(0.0, 1.0 - below)


def at_least(mean: float, count: int) -> float:
    return tail(int(4 * mean + 0.5), count)


def lasting(odds: Mapping[str, float], vehicle: Unit) -> float:
    """How much of a vehicle a roll on the damage table takes: its end, and a little for lesser results."""
    stuck = 1.0 if vehicle.immobilised else 0.25
    lesser = 0.35 * odds["on fire"] + 0.1 * odds["crew stunned"] + stuck * odds["immobilised"]
    return float(odds["knocked out"] + lesser)


# -- where and how far --------------------------------------------------------------------------------------------


def middle(unit: Unit) -> Body:
    """The model that stands for its unit: the gun, the hull, or a man in the middle."""
    return unit.gun if unit.gun is not None else unit.bodies[len(unit.bodies) // 2]


def stand_in(state: State, unit: Unit, x: int, y: int) -> Body:
    """What others look at: the middle model, or the opening of its floor nearest to a place."""
    if not unit.building:
        return middle(unit)
    return min(ground.openings_of(state.table, unit), key=lambda b: ((b.x - x) ** 2 + (b.y - y) ** 2, b.x, b.y))


def spread(unit: Unit) -> int:
    """How far a unit reaches round its middle, in tenths of a millimetre."""
    if unit.card.vehicle is not None:
        return unit.bodies[0].radius if unit.bodies else 300
    return 60 + int(130 * sqrt(len(unit.men)))


def apart(one: Body, other: Body) -> int:
    """Tenths of a millimetre between two places."""
    dx, dy = one.cx - other.cx, one.cy - other.cy
    return isqrt(dx * dx + dy * dy)


def bearing(one: Body, other: Body) -> float:
    """The heading from one place to another: 0 is north, clockwise, y grows to the south."""
    return degrees(atan2(other.cx - one.cx, one.cy - other.cy)) % 360


def off(heading: float, wanted: float) -> float:
    """How far a heading is turned away from another."""
    return abs((heading - wanted + 180) % 360 - 180)


@cache
def _centre(at: int) -> int:
    return at // CELL * CELL + CELL // 2


def cover_at(state: State, eye: Body, target: Body, tall: bool, exact: bool) -> int:
    """The cover of a target seen from an eye: 0 to 2, or HIDDEN; terrain only, places rounded."""
    table = state.table
    rules = GLANCES[state.options.get("woods_block", "on") != "on"]
    memory: dict[Any, int] = table.memory.setdefault(("guesses", id(rules)), {})
    ex, ey, tx, ty = eye.x, eye.y, target.x, target.y
    if not exact:
        ex, ey, tx, ty = _centre(ex), _centre(ey), _centre(tx), _centre(ty)
    key = (ex, ey, eye.z, tx, ty, target.z, tall)
    cover = memory.get(key)
    if cover is None:
        if len(memory) > MOST:
            memory.clear()
        cover = memory[key] = _look(table, rules, eye, target, tall, ex, ey, tx, ty)
    return cover


def _look(
    table: MeasuredTable, rules: SightRules, eye: Body, target: Body, tall: bool, ex: int, ey: int, tx: int, ty: int
) -> int:
    viewer = Body(ground.FOOT, ex, ey, 0, eye.z)
    body = Body(TALL if tall else ground.FOOT, tx, ty, 0, target.z)
    mask = table.sight_mask
    near = table.index.near_line(viewer.cx, viewer.cy, body.cx, body.cy, mask) if mask else 0
    if not near:
        return 0
    sighting = look_from(table, eye_of(viewer), body, rules, (), viewer)
    if not sighting.seen:
        return HIDDEN
    cover = model_cover(table, viewer, body, sighting, COVER)
    if tall and not sighting.is_half_hidden and not any(reason.how == "inside" for reason in cover.reasons):
        return 0
    return int(cover.grade)


# -- guesses -------------------------------------------------------------------------------------------------------


NOBODYS: Any = object()
"""The forces of no game."""


class Guesses:
    """The guesses of one game; what it keeps are caches only."""

    __slots__ = ("_armies", "_battle", "_blows", "_gists", "_now", "_pairs", "_values", "_volleys", "keeps", "rules")

    def __init__(self) -> None:
        self.rules: Konflikt47  # given by `use`
        self._armies: Any = NOBODYS
        self._battle: Any = None
        self.keeps = True  # switched off while places are tried in thought
        self._forget()

    def _forget(self) -> None:
        self._gists: dict[Any, Gist] = {}
        self._now: dict[str, Gist] = {}
        self._pairs: dict[Any, tuple[Guess, Body, Body]] = {}
        self._values: dict[Any, tuple[int, float]] = {}
        self._volleys: dict[Any, Guess] = {}
        self._blows: dict[Any, Any] = {}

    def use(self, rules: Konflikt47, state: State) -> None:
        """Guess about this game; another game's guesses are forgotten."""
        known = state.forces is self._armies and state.scenario is self._battle and rules is self.rules
        if not known or len(self._pairs) > MOST:
            self.rules, self._armies, self._battle = rules, state.forces, state.scenario
            self._forget()
        self._now = {}

    # -- who fires what --------------------------------------------------------------------------------------

    def gist(self, state: State, unit: Unit) -> Gist:
        """The gist of a unit as it is now; kept until the next position is looked at."""
        gist = self._now.get(unit.id)
        if gist is None:
            key = (unit.id, tuple(unit.men), unit.spent, unit.lost_weapons)
            gist = self._gists.get(key)
            if gist is None:
                gist = self._gists[key] = self._new_gist(state, unit, len(self._gists))
            gist.run = self.rules.movement.reach(unit, RUN)
            gist.walk = self.rules.movement.reach(unit, ADVANCE) if self._may_walk(unit) else 0
            gist.storms = self.rules.assault.may_assault(state, unit)
            gist.spread = spread(unit)
            self._now[unit.id] = gist
        return gist

    def _new_gist(self, state: State, unit: Unit, number: int) -> Gist:
        gist = Gist()
        gist.key = number
        groups = self._groups_of(state, unit, FIRE)
        ways = [way for group, _ in groups for way in group]
        gist.reach = max((unit.weapon(index).range for index, _ in ways), default=0) * INCH
        snipes = self.rules.specials.snipes
        if any(snipes(unit, man, unit.weapon(index), FIRE) for own, men in groups for index, _ in own for man in men):
            gist.reach = max(gist.reach, SNIPER_REACH * INCH)
            gist.snipes = True
        gist.fixed = unit.is_vehicle or any(weapon.points_ahead for weapon in unit.card.weapons)
        gist.lobs = any(way == "indirect" for _, way in ways)
        gist.spotter = unit.carries("spotter")
        gist.limit = self.rules.morale.basic(state, unit)
        return gist

    def _may_walk(self, unit: Unit) -> bool:
        """May it advance at all (k47.order.legal)?"""
        if unit.is_vehicle:
            return self.rules.vehicles.can_move(unit)
        return not (unit.is_artillery or unit.is_noncombatant)

    def groups(self, state: State, unit: Unit, how: str) -> list[Group]:
        """Equal models together: the ways each may fire, and which models they are."""
        gist = self.gist(state, unit)
        groups = gist.groups.get(how)
        if groups is None:
            groups = gist.groups[how] = self._groups_of(state, unit, how)
        return groups

    def _groups_of(self, state: State, unit: Unit, how: str) -> list[Group]:
        by_man: dict[tuple[int, int], list[Way]] = {}
        for man, index, way in self.rules.shooting.options_of(state, unit, how):
            if way != "smoke":
                by_man.setdefault((man, index if unit.is_vehicle else 0), []).append((index, way))
        equal: dict[tuple[Way, ...], tuple[int, ...]] = {}
        for (man, _), ways in by_man.items():
            equal[tuple(ways)] = (*equal.get(tuple(ways), ()), man)
        return list(equal.items())

    def reach(self, state: State, unit: Unit) -> int:
        """The range of its longest weapon, in tenths of a millimetre."""
        return self.gist(state, unit).reach

    # -- a volley -----------------------------------------------------------------------------------------------

    def sight(self, state: State, unit: Unit, target: Unit) -> tuple[int, int, str]:
        """Cover of the target (or HIDDEN), distance, and the side of it that is hit."""
        here = middle(unit)
        there = stand_in(state, target, here.x, here.y) if target.building else middle(target)
        if unit.building:
            here = stand_in(state, unit, there.x, there.y)
        far = max(0, apart(here, there) - self.gist(state, target).spread)
        vehicle = target.card.vehicle is not None
        cover = cover_at(state, here, there, vehicle, bool(unit.building or target.building))
        if cover != HIDDEN and target.building:
            cover = 2
        side = self.side_hit(target, here, there) if vehicle or target.gun is not None else ""
        return cover, far, side

    def side_hit(self, target: Unit, here: Body, there: Body) -> str:
        """Front, side or rear of a hull or a gun shield."""
        if target.is_walker or not (target.is_vehicle or target.gun is not None):
            return "front" if target.is_vehicle else ""
        turned = off(there.heading, bearing(there, here))
        if target.gun is not None:
            return "front" if turned <= 45 else "side"
        return "front" if turned <= 35 else "rear" if turned >= 145 else "side"

    def bears(self, unit: Unit, weapon: Weapon, here: Body, there: Body) -> bool:
        """Is the target roughly in the arc of the weapon?"""
        if unit.building:
            return True
        if unit.is_vehicle:
            if weapon.arc in ("all", "turret"):
                return True
            turned = (bearing(here, there) - here.heading) % 360
            side = "front" if turned <= 50 or turned >= 310 else "right" if turned < 130 else "left"
            side = "rear" if 130 <= turned <= 230 else side
            return side in weapon.arc.split()
        return not weapon.points_ahead or off(unit.heading, bearing(here, there)) <= 45

    def volley(self, state: State, unit: Unit, target: Unit, how: str = FIRE, turned: bool = False) -> Guess:
        """The fire of a unit at a target where both stand; `turned` overlooks where fixed weapons point."""
        if unit.place != TABLE or target.place != TABLE or not unit.bodies or not target.bodies:
            return NOTHING
        gist = self._now.get(unit.id) or self.gist(state, unit)
        reach = gist.reach
        here, there = middle(unit), middle(target)
        dx, dy = here.cx - there.cx, here.cy - there.cy
        if not reach or dx * dx + dy * dy > (reach + 1500) * (reach + 1500):
            return NOTHING
        other = self._now.get(target.id) or self.gist(state, target)
        key = (
            id(here), id(there), gist.key, other.key, unit.pins, target.pins, target.order == DOWN, how, turned,
            unit.heading, unit.building, target.building, gist.lobs and state.turn,
        )  # fmt: skip
        known = self._pairs.get(key)
        if known is None:
            known = (self._measured(state, unit, target, gist, here, there, how, turned), here, there)
            if self.keeps:  # the bodies are kept with the guess, so that their ids stay theirs
                self._pairs[key] = known
        guess = known[0]
        if guess.hit and not gist.lobs and self.friends_between(state, unit, target, here, there):
            return Guess(0.3 * guess.losses, 0.4 * guess.hit, guess.pins, 0.2 * guess.gone)
        return guess

    def _measured(
        self, state: State, unit: Unit, target: Unit, gist: Gist, here: Body, there: Body, how: str, turned: bool
    ) -> Guess:
        cover, far, side = self.sight(state, unit, target)
        if cover == HIDDEN and not (gist.spotter and gist.lobs):
            return NOTHING
        mask = 0
        if gist.fixed and not turned:
            for index, weapon in enumerate(unit.card.weapons):
                if not self.bears(unit, weapon, here, there):
                    mask |= 1 << index
        return self.at(state, unit, target, how, far, cover, side, mask)

    def after_advance(self, state: State, unit: Unit, target: Unit) -> Guess:
        """What a unit could fire after an Advance at a target that is just out of its range now."""
        gist = self._now.get(unit.id) or self.gist(state, unit)
        if not gist.walk or unit.place != TABLE or target.place != TABLE or unit.building:
            return NOTHING
        here, there = middle(unit), middle(target)
        dx, dy = here.cx - there.cx, here.cy - there.cy
        square, most = dx * dx + dy * dy, gist.reach + gist.walk + 1500
        if not gist.reach or square < gist.reach * gist.reach or square > most * most:
            return NOTHING
        far = isqrt(square) - (self._now.get(target.id) or self.gist(state, target)).spread
        if not gist.reach < far <= gist.reach + gist.walk or not self.groups(state, unit, ADVANCE):
            return NOTHING
        cover, far, side = self.sight(state, unit, target)
        if cover == HIDDEN:
            return NOTHING
        return self.at(state, unit, target, ADVANCE, max(0, far - gist.walk), cover, side)

    def friends_between(self, state: State, unit: Unit, target: Unit, here: Body, there: Body) -> bool:
        """Do friendly troops, or anybody's vehicle, stand in most of the lines of fire (k47.core.los_units)?"""
        dx, dy = there.cx - here.cx, there.cy - here.cy
        square = dx * dx + dy * dy
        if not square:
            return False
        side = unit.side
        for friend in state.units:
            if friend.side != side and friend.card.vehicle is None:
                continue
            if friend.place != TABLE or friend is unit or friend is target or friend.building:
                continue
            body = middle(friend)
            fx, fy = body.cx - here.cx, body.cy - here.cy
            along = fx * dx + fy * dy
            if 0 < along < square:
                across = fx * dy - fy * dx
                room = INCH + (self._now.get(friend.id) or self.gist(state, friend)).spread // 2
                if across * across <= room * room * square:
                    return True
        return False

    def at(
        self, state: State, unit: Unit, target: Unit, how: str, far: int, cover: int, side: str = "", silent: int = 0
    ) -> Guess:
        """The fire of a unit at a distance and cover; weapons in the mask `silent` do not fire."""
        key = (
            self.gist(state, unit).key, unit.pins, how, target.id, len(target.men), target.pins, target.order == DOWN,
            target.building, far // 254, cover, side, silent, self._ranged(state, unit, target),
        )  # fmt: skip
        guess = self._volleys.get(key)
        if guess is None:
            guess = self._volleys[key] = self._volley(state, unit, target, how, far, cover, side, silent)
        return guess

    def _ranged(self, state: State, unit: Unit, target: Unit) -> tuple[int, ...]:
        """What mortars and howitzers need to hit this target now."""
        if not unit.ranging:
            return ()
        number = self.rules.weapon_rules.ranged_number
        return tuple(
            number(state, unit, target, index) for index, weapon in enumerate(unit.card.weapons) if weapon.he_only
        )

    def _volley(
        self, state: State, unit: Unit, target: Unit, how: str, far: int, cover: int, side: str, silent: int
    ) -> Guess:
        lines: list[WeaponGuess] = []
        for ways, men in self.groups(state, unit, how):
            best: WeaponGuess | None = None
            for index, way in ways:
                if silent >> index & 1 or (cover == HIDDEN and way != "indirect"):
                    continue
                line = self.line(state, unit, target, index, way, how, far, max(cover, 0), side, men)
                if line is not None and (best is None or line[0] + 0.1 * line[1] > best[0] + 0.1 * best[1]):
                    best = line
            if best is not None:
                lines.append(best)
        if unit.is_vehicle:
            lines = self._together(unit, lines)
        guess = self.summed(state, target, lines)
        if how != ADVANCE and self.gist(state, unit).snipes:
            guess.gone = max(guess.gone, min(1.0, guess.losses) * self.hangs_on_one(target))
        return guess

    def hangs_on_one(self, target: Unit) -> float:
        """How much of a unit goes with one man of it, if he may be named (k47.wrule.team_gunner, k47.officer.lost)."""
        if target.card.team and not target.is_artillery and target.carries("gunner"):
            return 1.0
        return 0.7 if target.card.rank or target.carries("observer") else 0.0

    def _together(self, unit: Unit, lines: list[WeaponGuess]) -> list[WeaponGuess]:
        """The best weapons of a vehicle that may fire in one action."""
        groups = [set(group) for group, _ in self.rules.vehicles.alternatives(unit)]
        kept: list[WeaponGuess] = []
        for line in sorted(lines, key=lambda line: -line[0] - 0.1 * line[1]):
            mine = [group for group in groups if line[4] in group]
            if not any(other[4] in group for group in mine for other in kept):
                kept.append(line)
        return kept

    def line(
        self, state: State, unit: Unit, target: Unit, index: int, way: str, how: str, far: int, cover: int, side: str,
        men: Sequence[int],
    ) -> WeaponGuess | None:  # fmt: skip
        """What equal weapons do, by the rules' own table of modifiers: only range, cover and side are guessed."""
        rules = self.rules
        aimed = Aimed(state, unit, target, Shot(men[0], index, target.id, way), how)
        weapon = aimed.weapon
        aimed.sniper = rules.specials.snipes(unit, men[0], weapon, how)
        aimed.range = far
        aimed.long = 2 * far > rules.shooting.weapon_range(aimed) * INCH
        aimed.point_blank = far <= 6 * INCH
        aimed.cover = cover
        if rules.shooting.out_of_range(aimed) is not None:
            return None
        if weapon.is_wave:
            return self._wave(state, unit, target, index, side)
        pool = Pool(aimed, *rules.shooting.needed(aimed))
        pool.men = list(men)
        pool.he = weapon.he if way in ("HE", "direct", "indirect") or weapon.he_only else ""
        pool.facing = "top" if target.is_vehicle and (aimed.indirect or weapon.strikes_top) else side
        chance = hit_chance(pool.need)
        dice = self._dice(unit, weapon, men)
        if target.is_armoured and weapon.small_arm:
            return None if target.is_enclosed else (0.0, 1 - (1 - chance) ** dice, 1.0, 0.0, index)
        pool.pen = rules.damage.penetration(state, unit, target, pool)
        if pool.he or weapon.burns:
            dice = len(men)
        hit = 1 - (1 - chance) ** dice
        if target.is_armoured:
            each = self.ends(state, target, weapon, pool.pen, pool.facing)
            return dice * chance * each, hit, 1.0 if each else 0.0, 0.0, index  # k47.pin.armour_no_chance
        value, kept = self.toughness(state, unit, target, index, way, pool.pen, side, aimed.indirect)
        each = kept * wound_chance(value, pool.pen)
        worth = rules.plans.worth(state, target, pool)
        if worth is not None:
            each = min(each * worth.number.mean(), float(len(target.men)))
        pins = rules.plans.pins_of_hit(target, pool, value).mean()
        return dice * chance * each, hit, pins, hit if weapon.burns else 0.0, index

    def _wave(self, state: State, unit: Unit, target: Unit, index: int, side: str) -> WeaponGuess:
        """A shockwave hits on 4+, whatever the cover: D3 hits at +1 on troops, D3 pins (k47.wrule.shockwave_effect)."""
        if target.is_vehicle:
            return 0.5 * SHAKEN_HULL, 0.5, 3.0, 0.0, index
        value, kept = self.toughness(state, unit, target, index, "", 1, side, False)
        return 0.5 * 2.0 * kept * wound_chance(value, 1), 0.5, 2.0, 0.0, index

    def wave(self, state: State, unit: Unit, target: Unit, index: int) -> Guess:
        """What a shockwave does to one of those on its line."""
        return self.summed(state, target, [self._wave(state, unit, target, index, "")])

    def _dice(self, unit: Unit, weapon: Weapon, men: Sequence[int]) -> float:
        if weapon.shots.isdigit():
            return float(unit.ask("on_shots", len(men) * int(weapon.shots), unit, weapon, list(men)))
        return len(men) * mean_of(weapon.shots)

    def toughness(
        self, state: State, unit: Unit, target: Unit, index: int, way: str, pen: int, side: str, indirect: bool
    ) -> tuple[int, float]:
        """Damage value of a target, and the chance that damage counts."""
        key = (unit.id, index, way, pen, target.id, target.building, side, len(target.men) > 2)
        entry = self._values.get(key)
        if entry is None:
            wound = Wound(state, unit.weapon(index), pen, side, False, False, indirect)
            kept = not_ignored(self.rules.plans.ignore(target, wound))
            entry = self._values[key] = (self.rules.damage.value(target, wound), kept)
        return entry

    def ends(self, state: State, target: Unit, weapon: Weapon, pen: int, side: str) -> float:
        """The chance that one hit is the end of an armoured vehicle; lesser damage counts a little."""
        key = ("ends", target.id, weapon.name, pen, side, target.immobilised, target.pins)
        entry = self._values.get(key)
        if entry is None:
            wound = Wound(state, weapon, pen, side)
            value = self.rules.damage.value(target, wound)
            kept = not_ignored(self.rules.plans.ignore(target, wound))
            bonus = self.rules.damage.table_bonus(target, wound)
            lost = sum(
                faces.bit_count() * lasting(table_odds(grade, bonus), target)
                for faces, grade in self.rules.plans.grades(value, pen)
            )
            entry = self._values[key] = (0, min(1.0, kept * lost / 6))
        return entry[1]

    def summed(self, state: State, target: Unit, lines: Sequence[WeaponGuess]) -> Guess:
        if not lines:
            return NOTHING
        losses = sum(line[0] for line in lines)
        missed, pins, flamed = 1.0, 0.0, 0.0
        for _, hit, worth, burnt, _ in sorted(lines, key=lambda line: -line[2]):
            pins += missed * hit * worth
            missed *= 1 - hit
            flamed = 1 - (1 - flamed) * (1 - burnt)
        hit = 1 - missed
        routed = hit * self.routs(state, target, pins / hit) if hit else 0.0
        if target.is_vehicle:
            gone = 1 - exp(-losses) if losses < 3 else 1.0
            gone = max(gone, routed)
            return Guess(gone, hit, pins / hit if hit else 0.0, gone)
        strength = len(target.men)
        gone = at_least(losses, strength)
        checked = max(at_least(losses, (strength + 1) // 2) - gone, flamed - gone)
        if checked > 0.01:
            gone += checked * self.breaks(state, target, round(pins / hit) if hit else 0)
        gone = max(gone, routed)
        return Guess(min(losses, float(strength)), hit, pins / hit if hit else 0.0, min(1.0, gone))

    # -- morale -------------------------------------------------------------------------------------------------

    def routs(self, state: State, unit: Unit, pins: float) -> float:
        """The chance that so many pins (on average) are as many as the unit bears (k47.morale.rout)."""
        room = self.gist(state, unit).limit - unit.pins
        if room > 2 * pins:
            return 0.0
        most = max(1.0, 2 * pins - 1)
        return max(0.0, min(1.0, (most - room + 1) / most))

    def breaks(self, state: State, unit: Unit, pins: int) -> float:
        """The chance to fail a morale check with so many pins more."""
        if unit.ask("on_check_passes", "", unit):
            return 0.0
        kept, unit.pins = unit.pins, unit.pins + pins
        try:
            return 1 - self.obeys(state, unit, Occasion(CHECK))
        finally:
            unit.pins = kept

    def obeys(self, state: State, unit: Unit, occasion: Occasion) -> float:
        """The chance to pass a test."""
        if unit.ask("on_auto_pass", "", unit, occasion, state):
            return 1.0
        return passes(self.rules.morale.value(state, unit, occasion)[0])

    def order_chance(self, state: State, unit: Unit, order: str) -> float:
        """The chance that the unit carries an order out."""
        if not unit.pins and unit.on_table and "on_must_test" not in unit.hooks:
            return 1.0
        occasion = self.rules.orders.occasion(state, unit, order)
        if not self.rules.orders.needs_test(state, unit, occasion):
            return 1.0
        return self.obeys(state, unit, occasion)

    def ready(self, unit: Unit) -> float:
        """A rough chance to act at all with its pins, for judging positions."""
        return 1.0 if not unit.pins else max(0.1, 1.0 - 0.11 * unit.pins)

    # -- close quarters ------------------------------------------------------------------------------------------

    def blows(self, state: State, unit: Unit, target: Unit) -> tuple[float, float]:
        """Kills to expect in a round of hand-to-hand between troops, and their variance."""
        key = (self.gist(state, unit).key, unit.pins, target.id, len(target.men))
        kills: tuple[float, float] | None = self._blows.get(key)
        if kills is None:
            ordinary, hard = self.rules.assault.attack_dice(unit)
            throw, ignore = self.rules.fight_plans.blow(state, unit, target)
            chance = float(throw.chance()) * not_ignored(ignore)
            dice = ordinary + hard * (1 + chance)
            kills = self._blows[key] = (dice * chance, dice * chance * (1 - chance))
        return kills

    def fight(self, state: State, unit: Unit, target: Unit, shaken: float = 0.0) -> tuple[float, float, float]:
        """The chance to win an assault on troops, and losses to expect on both sides; `shaken` men fall on the way."""
        mine, spread_of_mine = self.blows(state, unit, target)
        theirs, spread_of_theirs = self.blows(state, target, unit)
        left = max(0.0, 1 - shaken / max(1, len(unit.men)))
        mine *= left
        mine, theirs = min(mine, float(len(target.men))), min(theirs, float(len(unit.men)))
        wiped = at_least(mine, len(target.men))
        mean = mine - theirs + 0.5 * wiped
        scale = sqrt(spread_of_mine + spread_of_theirs) or 0.5
        return 0.5 * (1 + erf(mean / scale / sqrt(2))), mine, theirs


__all__ = ["NOTHING", "Guess", "Guesses", "apart", "lasting", "middle", "spread"]
