"""Damage: what hits do to troops, soft targets and armour (k47.damage.*, k47.he.*, k47.armour.*, k47.pin.*)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from dieselfront.dice import D6, Dice, Reading, Throw
from dieselfront.dice.plan import Check, Highest, Number, Score, Table, Tallies, amount_of, perform_stage
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import HE_TABLE, TROOP_VALUE, Weapon
from dieselfront.rulesets.konflikt47.events import Counted, Damaged, DamageResult, Shrugged
from dieselfront.rulesets.konflikt47.firing import Pool, Wound
from dieselfront.rulesets.konflikt47.plans import (
    EXCEPTIONAL,
    FULL,
    GRADES,
    IMMOBILISED,
    KNOCKED_OUT,
    MASSIVE,
    ON_FIRE,
    PICKED,
    PLAIN,
    POOL_TALLIES,
    RESULTS,
    SHAKEN,
    SIXES,
    STRUCK,
    SUPERFICIAL,
    TABLE_DICE,
    PoolStages,
    result_of,
    wound_of,
)
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import DOWN, State, Unit
from dieselfront.rulesets.konflikt47.throws import fell, parse
from dieselfront.rulesets.konflikt47.throws import number as roll_number

RESULT_RULES = {name: rule for _, name, rule in RESULTS}


@cache
def table_lines(plus: int) -> tuple[int, ...]:
    """The faces of a D6 that lead to each line of the damage results table (k47.armour.results)."""
    lines: dict[int, int] = {}
    for face in range(6):
        line = min(max(face + 1 + plus, 1), 4)
        lines[line] = lines.get(line, 0) | 1 << face
    return tuple(lines.values())


class ArmourHit:
    """A damaging hit on an armoured vehicle, still to be rolled on the table."""

    __slots__ = ("bonus", "facing", "grade", "total", "value")

    def __init__(self, total: int, value: int, grade: str, facing: str, bonus: int) -> None:
        self.total = total
        self.value = value
        self.grade = grade
        self.facing = facing
        self.bonus = bonus


class Volley:
    """What the fire of one unit did to one target: dice rolled, nothing applied yet."""

    __slots__ = (
        "armour",
        "chosen",
        "collapse",
        "flamed",
        "gravity",
        "gun_lost",
        "heavy_exceptional",
        "hit",
        "how",
        "marked",
        "pins",
        "small_losses",
        "soft_kill",
        "suppressive",
        "target",
        "total_losses",
        "unit",
        "waves",
    )

    def __init__(self, unit: Unit, target: Unit, how: str) -> None:
        self.unit = unit
        self.target = target
        self.how = how
        self.hit = False
        self.pins = 0
        self.small_losses = 0  # ordinary casualties by small arms, which a medic may save
        self.total_losses = 0  # ordinary casualties, small arms included
        self.chosen = 0  # casualties the shooter picks
        self.heavy_exceptional = 0  # of those, by heavy weapons at a gun
        self.marked: list[int] = []  # models a sniper named
        self.armour: list[ArmourHit] = []
        self.soft_kill = False
        self.flamed = False
        self.gravity = False
        self.gun_lost = False
        self.collapse = False
        self.suppressive = False
        self.waves: list[tuple[str, ...]] = []  # whom shockwaves touch

    @property
    def losses(self) -> int:
        return self.total_losses + self.chosen + len(self.marked)


class Rolling:
    """The hand that rolls the stages of a volley and writes them down."""

    __slots__ = ("faces", "play", "volley")

    def __init__(self, play: Play, volley: Volley) -> None:
        self.play = play
        self.volley = volley
        self.faces: tuple[int, ...] = ()  # of the throw before

    def throw(self, throw: Throw, count: int, by: int, rule: str) -> Procedure:
        """Roll a throw for the shooter or his target."""
        who = self.volley.target if by else self.volley.unit
        thrown = yield from self.play.throw(throw, count, who.side, who.id, rule)
        self.faces = thrown.stages[0][1] if thrown.stages else ()
        return thrown

    def number(self, number: Number, by: int) -> Procedure:
        """Roll a number; an HE shell that rolls 10 or more brings a building down (k47.building.he)."""
        if not number.dice:
            return number.plus
        volley, play = self.volley, self.play
        about = volley.target.id if number.label == "pins" else volley.unit.id
        shown = yield from roll_number(play, number.notation, number.label, number.rule, volley.unit.side, about)
        if number.rule == "k47.he.hits" and volley.target.building and shown >= 10:
            volley.collapse = volley.collapse or play.state.is_on("building_collapse")
        return shown + number.plus - parse(number.notation)[2]

    def read(self, table: Table) -> Procedure:
        """Damage results are rolled by `Damage.result`, which carries them out."""
        raise NotImplementedError

    def check(self, check: Check, needed: int) -> Procedure:
        """Morale is checked by `Morale.check`, whose rules may speak."""
        raise NotImplementedError


class Damage(Chapter):
    """Damage rolls and what they lead to."""

    # -- values -------------------------------------------------------------------------------------------

    def value(self, unit: Unit, wound: Wound) -> int:
        """The damage value of a target (k47.damage.values, k47.damage.values_armour, k47.vehicle.quality)."""
        if unit.card.vehicle is not None:
            value = unit.card.vehicle.value
        else:
            value = TROOP_VALUE[unit.quality(wound.state)]
            if unit.gun is not None and unit.card.gun_shield and self.behind_shield(wound):
                value = 6  # k47.artillery.gun_shield
        changed: int = unit.ask("on_damage_value", value, unit, wound)
        if (
            unit.building and not wound.hand_to_hand and not wound.passes_shields
        ):  # k47.building.cover, k47.wrule.flame_shield
            changed += self.rules.buildings.protection(wound.state, unit)
        return changed

    def behind_shield(self, wound: Wound) -> bool:
        """From the front, and not by snipers or flamethrowers (k47.wrule.flame_shield)."""
        return wound.facing == "front" and not wound.sniper and not wound.passes_shields and not wound.hand_to_hand

    def penetration(self, state: State, unit: Unit, target: Unit, pool: Pool) -> int:
        """The penetration of a hit, facing and range included (k47.armour.mods)."""
        weapon = pool.weapon
        pen = self.basic_pen(unit, target, weapon, pool)
        if target.is_armoured and not weapon.small_arm:  # k47.armour.heavy_only, k47.open.small_arms_rear
            if not target.is_walker:  # k47.armour.walkers
                pen += {"side": 1, "top": 1, "rear": 2}.get(pool.facing, 0)
            if pool.long and not self.keeps_pen(weapon, pool):  # k47.armour.long
                pen -= 1
        wound = Wound(state, weapon, pen, pool.facing, indirect=pool.indirect)
        changed: int = target.ask("on_hit_pen", pen, target, wound)
        return changed

    def basic_pen(self, unit: Unit, target: Unit, weapon: Weapon, pool: Pool) -> int:
        """The number of the chart, of the HE row, or of the weapon's own rule."""
        if pool.he:  # k47.he.table
            return HE_TABLE[pool.he].pen
        if weapon.pen_vehicle is not None and target.is_vehicle:  # k47.wrule.tesla_pen
            return weapon.pen_vehicle
        pen: int = weapon.ask("on_pen", weapon.pen, unit, target, pool)
        return pen

    def keeps_pen(self, weapon: Weapon, pool: Pool) -> bool:
        """Rounds that lose nothing at long range."""
        if pool.he:  # k47.he.no_long_range
            return True
        return weapon.keeps_pen or weapon.pack == "Dual Weapon Pack"  # k47.weapon.dual_pack

    # -- rolling -------------------------------------------------------------------------------------------

    def roll(self, play: Play, unit: Unit, target: Unit, pools: Sequence[Pool], how: str) -> Procedure:
        """All hits first, then all damage (k47.shoot.simultaneous)."""
        volley = Volley(unit, target, how)
        for pool in pools:
            if pool.sniper:
                pool.mark = yield from self.rules.specials.mark(play, unit, target)
            pool.hits = yield from self.rules.shooting.roll_to_hit(play, unit, target, pool)
            pool.hits = yield from self.rules.weapon_rules.after_hitting(play, volley, pool)
        for pool in pools:
            if pool.hits:
                yield from self.roll_damage(play, volley, pool)
        return volley

    def roll_damage(self, play: Play, volley: Volley, pool: Pool) -> Procedure:
        """The damage dice of one pool, and the pins its hits are worth; open-topped armour uses the damage table like
        any armour when it is shot at (k47.open.open_topped)."""
        parts = self.rules.plans.of_pool(play.state, volley.target, pool)
        if parts.pins is None:  # k47.special.quirks
            return
        hand = Rolling(play, volley)
        tallies = {**dict.fromkeys(POOL_TALLIES, 0), STRUCK: pool.hits, SHAKEN: volley.pins}
        volley.hit = True
        yield from perform_stage(Highest(SHAKEN, parts.pins), tallies, hand)  # k47.pin.gain, k47.pin.he_replaces
        volley.pins = tallies[SHAKEN]
        if pool.weapon.burns:
            volley.flamed = True
        if parts.worth is not None:
            yield from perform_stage(parts.worth, tallies, hand)
        if volley.target.is_armoured:
            yield from self.roll_armour(play, volley, pool, parts, tallies)
        elif not volley.collapse:
            yield from self.roll_troops(play, volley, pool, parts, tallies)

    def roll_troops(self, play: Play, volley: Volley, pool: Pool, parts: PoolStages, tallies: Tallies) -> Procedure:
        """Damage rolls against troops and soft targets, one for each hit (k47.damage.roll, k47.damage.exceptional)."""
        if parts.damage is None:
            return
        hand = Rolling(play, volley)
        yield from perform_stage(parts.damage, tallies, hand)
        saved = yield from self.ignored(play, volley, parts.ignore, tallies[SIXES], tallies[PLAIN])
        tallies[SIXES], others = saved
        if not tallies[SIXES] + others:
            return
        if pool.weapon.slows:
            volley.gravity = True
        if volley.target.is_vehicle:  # k47.damage.softskin
            volley.soft_kill = True
            return
        if pool.mark is not None and pool.mark not in volley.marked:  # k47.special.sniper: the named model
            volley.marked.append(pool.mark)
            return
        yield from perform_stage(Score(EXCEPTIONAL, SIXES, PICKED), tallies, hand)
        chosen = tallies[PICKED]
        volley.chosen += chosen
        if not pool.weapon.small_arm:
            volley.heavy_exceptional += chosen
        losses = tallies[SIXES] + others - chosen
        volley.total_losses += losses
        if pool.weapon.small_arm:
            volley.small_losses += losses

    def ignored(self, play: Play, volley: Volley, throw: Throw | None, sixes: int, others: int) -> Procedure:
        """Tough targets ignore damage, before exceptional damage is rolled (k47.special.tough)."""
        target = volley.target
        if throw is None or not sixes + others:
            return sixes, others
        saved_six = (yield from play.throw(throw, sixes, target.side, target.id)).successes if sixes else 0
        saved = (yield from play.throw(throw, others, target.side, target.id)).successes if others else 0
        if saved_six + saved:
            play.emit(Shrugged(throw.rule, target.id, saved_six + saved))
        return sixes - saved_six, others - saved

    def roll_armour(self, play: Play, volley: Volley, pool: Pool, parts: PoolStages, tallies: Tallies) -> Procedure:
        """Every hit on armour is rolled on its own; HE and flames once (k47.armour.multi_hits, k47.he.vs_armour)."""
        target = volley.target
        score, pen = parts.damage, pool.pen
        wound = wound_of(play.state, pool)
        value = self.value(target, wound)
        if pool.weapon.strikes_as_one:  # k47.special.meteor
            pen += pool.hits
            score = self.rules.plans.damage(target, pool, value, pen, 1)
        if score is None or not amount_of(score.dice, tallies):
            return
        tallies.update(dict.fromkeys(GRADES, 0))
        hand = Rolling(play, volley)
        yield from perform_stage(score, tallies, hand)
        for face in hand.faces:
            if score.throw.faces >> face & 1:
                yield from self.damaged(play, volley, parts.ignore, face + 1 + pen, value, pool)

    def damaged(
        self, play: Play, volley: Volley, ignore: Throw | None, total: int, value: int, pool: Pool
    ) -> Procedure:
        """A damaging hit: its grade, unless a tough vehicle ignores it."""
        kept, _ = yield from self.ignored(play, volley, ignore, 1, 0)
        if not kept:
            return
        target = volley.target
        play.emit(Damaged("k47.armour.result_grade", target.id, total, value, self.grade(total, value), pool.facing))
        if pool.weapon.slows:
            volley.gravity = True
        bonus = self.table_bonus(target, wound_of(play.state, pool))
        volley.armour.append(ArmourHit(total, value, self.grade(total, value), pool.facing, bonus))

    def grade(self, total: int, value: int) -> str:
        """Equal: superficial; 1 or 2 above: full; 3: massive (k47.armour.result_grade, k47.open.grade_limits)."""
        if total >= value + 3:
            return MASSIVE
        return FULL if total > value else SUPERFICIAL

    def table_bonus(self, target: Unit, wound: Wound) -> int:
        """Additions to rolls on the damage results table (k47.armour.open_indirect, k47.wrule.flame_carrier)."""
        carries_fuel = any(weapon.carries_fuel for weapon in target.card.weapons)
        bonus = 1 if carries_fuel and not target.drops_fuel else 0
        changed: int = target.ask("on_damage_roll", bonus, target, wound)
        return changed

    # -- applying -----------------------------------------------------------------------------------------

    def apply(self, play: Play, volley: Volley) -> Procedure:
        """Casualties, pins, then morale (k47.shoot.sequence, k47.pin.timing)."""
        target = volley.target
        for touched in volley.waves:
            yield from self.rules.weapon_rules.shockwave(play, volley.unit, touched)
        before = len(target.men)
        if (yield from self.land(play, volley)):
            for hit in volley.armour:
                if target.alive:
                    yield from self.result(play, target, hit)
            if target.alive:
                yield from self.shaken(play, volley, before)

    def land(self, play: Play, volley: Volley) -> Procedure:
        """Casualties and pins of a volley; True if damage results and morale are still to come."""
        target = volley.target
        if not target.alive:
            return False
        if volley.collapse:
            yield from self.rules.buildings.collapse(play, target.building)
            return False
        pins = self.pins_of(volley)
        if volley.soft_kill:
            yield from self.rules.losses.destroy(play, target, "damaged", "k47.damage.softskin")
            return False
        if not target.is_vehicle and volley.losses:
            yield from self.rules.losses.take(play, volley)
        if target.alive and pins:
            yield from self.rules.morale.pin(play, target, pins, self.pin_rule(volley))
        if target.alive and volley.gravity:  # k47.wrule.gravity_slow
            target.slowed = True
        return True

    def pins_of(self, volley: Volley) -> int:
        """Suppressive Fire pins without hits, and once more with them (k47.special.suppressive_fire)."""
        if volley.suppressive:
            return 2 if volley.hit else 1
        return volley.pins if volley.hit else 0

    def pin_rule(self, volley: Volley) -> str:
        if volley.suppressive:
            return "k47.special.suppressive_fire"
        return "k47.wrule.flame_pins" if volley.flamed else "k47.pin.gain"

    def shaken(self, play: Play, volley: Volley, before: int) -> Procedure:
        """One morale check at most for one shooting (k47.morale.half, k47.morale.one_check)."""
        target = volley.target
        if volley.flamed:
            yield from self.rules.morale.check_or_die(play, target, "flames", "k47.wrule.flame_pins")
            return
        yield from self.half_check(play, target, before)

    def half_check(self, play: Play, target: Unit, before: int) -> Procedure:
        """At least half of the models lost (k47.morale.half); fanatics may shrug it off."""
        lost = before - len(target.men)
        if not target.alive or target.is_vehicle or 2 * lost < before or not lost:
            return
        if target.ask("on_half_loss_check", True, target):
            yield from self.rules.morale.check_or_die(play, target, "half lost", "k47.morale.half")

    # -- the damage results table ---------------------------------------------------------------------------

    def result(self, play: Play, unit: Unit, hit: ArmourHit) -> Procedure:
        """Roll on the table: D6-3, D6, or two D6 (k47.armour.superficial, k47.armour.full, k47.armour.massive)."""
        notation, count, less = TABLE_DICE[hit.grade]
        rule, label = f"k47.armour.{hit.grade}", f"{hit.grade} damage"
        reading = Reading(rule, apart=True, bands=table_lines(hit.bonus - less))
        faces = yield Dice(D6, count, 1 - unit.side, f"{label} ({notation})", reading=reading)
        rolls = [face + 1 - less for face in faces]
        play.emit(Counted(rule, 1 - unit.side, label, fell(faces), notation, sum(rolls), unit.id))
        for roll in rolls:
            if unit.alive:
                yield from self.suffer(play, unit, roll + hit.bonus)

    def suffer(self, play: Play, unit: Unit, roll: int) -> Procedure:
        """One line of the damage results table (k47.armour.results)."""
        shown = result_of(roll)
        play.emit(DamageResult(RESULT_RULES[shown], unit.id, roll, shown))
        if shown == KNOCKED_OUT:
            yield from self.rules.losses.destroy(play, unit, "knocked out", "k47.armour.ko")
        elif shown == ON_FIRE:
            yield from self.on_fire(play, unit)
        elif shown == IMMOBILISED:
            yield from self.immobilise(play, unit)
        else:
            yield from self.stun(play, unit, "k47.armour.stunned")

    def stun(self, play: Play, unit: Unit, rule: str) -> Procedure:
        """One more pin, Down, halted for the turn (k47.armour.stunned, k47.armour.pin_extra)."""
        yield from self.rules.morale.pin(play, unit, 1, "k47.armour.pin_extra")
        self.halt(play, unit, rule)

    def halt(self, play: Play, unit: Unit, rule: str) -> None:
        """Down and no further action this turn (k47.vehicle.halted)."""
        if unit.alive:
            unit.halted = True
            self.rules.orders.turn_die(play, unit, DOWN, rule)

    def immobilise(self, play: Play, unit: Unit) -> Procedure:
        """Never moves again; a second time it is knocked out (k47.armour.immobilised, k47.armour.immobilised2)."""
        if unit.is_emplaced:  # k47.vehicle.misc: counts as stunned
            yield from self.stun(play, unit, "k47.vehicle.misc")
            return
        if unit.immobilised:
            yield from self.rules.losses.destroy(play, unit, "immobilised twice", "k47.armour.immobilised2")
            return
        if self.rules.terrain.is_in_water(play.state, unit):  # k47.vehicle.amphibious
            yield from self.rules.losses.destroy(play, unit, "immobilised in water", "k47.vehicle.amphibious", True)
            return
        unit.immobilised = True
        yield from self.rules.morale.pin(play, unit, 1, "k47.armour.pin_extra")
        if unit.order:  # it has acted, or is acting now (k47.armour.mid_move)
            self.halt(play, unit, "k47.armour.immobilised")

    def on_fire(self, play: Play, unit: Unit) -> Procedure:
        """One more pin, then a morale check: failed is knocked out, passed is Down (k47.armour.fire)."""
        yield from self.rules.morale.pin(play, unit, 1, "k47.armour.pin_extra")
        if not unit.alive:
            return
        passed = yield from self.rules.morale.check(play, unit, "on fire", "k47.armour.fire")
        if passed:
            self.halt(play, unit, "k47.armour.fire")
        else:
            yield from self.rules.losses.destroy(play, unit, "burnt out", "k47.armour.fire")
