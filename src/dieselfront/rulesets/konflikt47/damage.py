"""Damage: what hits do to troops, soft targets and armour (k47.damage.*, k47.he.*, k47.armour.*, k47.pin.*)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from dieselfront.dice import D6, Because, Dice, Reading, Throw
from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import HE_TABLE, TROOP_VALUE, Weapon
from dieselfront.rulesets.konflikt47.events import Counted, Damaged, DamageResult, Shrugged
from dieselfront.rulesets.konflikt47.firing import Pool, Wound, damage_throw
from dieselfront.rulesets.konflikt47.state import DOWN, State, Unit
from dieselfront.rulesets.konflikt47.throws import at_least, fell, number

SUPERFICIAL, FULL, MASSIVE = "superficial", "full", "massive"
TABLE_DICE = {SUPERFICIAL: ("D6-3", 1, 3), FULL: ("D6", 1, 0), MASSIVE: ("2 x D6", 2, 0)}  # notation, dice, less
STUNNED, IMMOBILISED, ON_FIRE, KNOCKED_OUT = "crew stunned", "immobilised", "on fire", "knocked out"


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
        if unit.building and not wound.hand_to_hand and not wound.flame:  # k47.building.cover, k47.wrule.flame_shield
            changed += self.rules.buildings.protection(wound.state, unit)
        return changed

    def behind_shield(self, wound: Wound) -> bool:
        """From the front, and not by snipers or flamethrowers (k47.wrule.flame_shield)."""
        return wound.facing == "front" and not wound.sniper and not wound.flame and not wound.hand_to_hand

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
        pen = weapon.pen
        if weapon.has("Squeeze-bore"):  # k47.vehicle.gun_variants
            pen = 2 if pool.long else 6 if pool.near else 4
        if weapon.has("Gravity Pulse") and target.card.vehicle is not None:  # k47.wrule.gravity_pen
            value = target.card.vehicle.value
            pen += 2 if value >= 10 else 1 if value >= 8 else 0
        if weapon.has("Rail Gun") and unit.notes.get("rail_half"):  # k47.special.rail_gun
            pen = (pen + 1) // 2
        return pen

    def keeps_pen(self, weapon: Weapon, pool: Pool) -> bool:
        """Rounds that lose nothing at long range."""
        if pool.he:  # k47.he.no_long_range
            return True
        if weapon.has("Shaped Charge") or weapon.has("Flamethrower"):  # k47.wrule.shaped_pen, k47.wrule.flame_top
            return True
        if weapon.has("Tesla") or weapon.has("Rail Gun") or weapon.has("Superior Range"):
            return True
        return weapon.has("Squeeze-bore") or weapon.pack == "Dual Weapon Pack"  # k47.weapon.dual_pack

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
        target, weapon = volley.target, pool.weapon
        if weapon.has("Flamethrower") and target.has("Immune to Fire"):  # k47.special.quirks
            return
        volley.hit = True
        yield from self.count_pins(play, volley, pool)
        if weapon.has("Flamethrower"):
            volley.flamed = True
        if target.is_armoured:
            if not weapon.small_arm:  # k47.damage.small_arms_armour
                yield from self.roll_armour(play, volley, pool)
            return
        hits = yield from self.multiplied(play, volley, pool)
        if not volley.collapse:
            yield from self.roll_troops(play, volley, pool, hits)

    def count_pins(self, play: Play, volley: Volley, pool: Pool) -> Procedure:
        """One pin for being hit, more by HE and flames, the highest counts (k47.pin.gain, k47.pin.he_replaces)."""
        unit, target, weapon = volley.unit, volley.target, pool.weapon
        pins = 1
        if pool.he:  # k47.he.pins
            row = HE_TABLE[pool.he]
            pins = yield from number(play, row.pins, "pins", "k47.he.pins", unit.side, target.id)
        elif weapon.has("Flamethrower"):  # k47.wrule.flame_pins
            pins = 1 + (yield from number(play, "D3", "pins", "k47.wrule.flame_pins", unit.side, target.id))
        elif target.is_enclosed and weapon.small_arm:  # k47.pin.armour_small_arms
            pins = 0
        elif target.is_armoured and not weapon.small_arm and self.cannot_hurt(play.state, volley, pool):
            pins = 0  # k47.pin.armour_no_chance
        volley.pins = max(volley.pins, pins)

    def cannot_hurt(self, state: State, volley: Volley, pool: Pool) -> bool:
        """Not even a natural 6 would reach the damage value."""
        wound = Wound(state, pool.weapon, pool.pen, pool.facing, pool.sniper, False, pool.indirect)
        return 6 + pool.pen < self.value(volley.target, wound)

    def multiplied(self, play: Play, volley: Volley, pool: Pool) -> Procedure:
        """HE, flames and arcs turn one hit into several (k47.he.hits, k47.wrule.flame_hit, k47.wrule.tesla_arc)."""
        unit, target, weapon = volley.unit, volley.target, pool.weapon
        if pool.he:
            total = 0
            for _ in range(pool.hits):
                rolled = yield from number(play, pool.he, "HE hits", "k47.he.hits", unit.side, unit.id)
                if target.building and rolled >= 10 and play.state.is_on("building_collapse"):
                    volley.collapse = True  # k47.building.he
                halved = target.order == DOWN and not target.is_vehicle  # k47.he.down_half
                total += rolled // 2 if halved else rolled
            return total
        if weapon.has("Flamethrower"):
            total = 0
            for _ in range(pool.hits):
                total += yield from number(play, weapon.shots, "flames", "k47.wrule.flame_hit", unit.side, unit.id)
            return total
        if weapon.has("Tesla") and not target.is_vehicle:  # k47.open.tesla_count
            total = pool.hits
            for _ in range(pool.hits):
                total += yield from number(play, "D6", "arcing", "k47.wrule.tesla_arc", unit.side, unit.id)
            return min(total, len(target.men))
        return pool.hits

    def roll_troops(self, play: Play, volley: Volley, pool: Pool, hits: int) -> Procedure:
        """Damage rolls against troops and soft targets, one for each hit (k47.damage.roll)."""
        unit, target = volley.unit, volley.target
        wound = Wound(play.state, pool.weapon, pool.pen, pool.facing, pool.sniper, False, pool.indirect)
        value = self.value(target, wound)
        because = (Because("k47.damage.values", f"value {value}, pen {pool.pen:+d}"),)
        throw = damage_throw(value, pool.pen, f"damage by {pool.weapon.name}", because)
        if not throw.faces or hits <= 0:
            return
        thrown = yield from play.throw(throw, hits, unit.side, unit.id)
        faces = thrown.stages[0][1]
        sixes = sum(face == 5 for face in faces)
        others = thrown.successes - sixes
        sixes, others = yield from self.ignored(play, volley, wound, sixes, others)
        if not sixes + others:
            return
        if pool.weapon.has("Gravity Pulse"):
            volley.gravity = True
        if target.is_vehicle:  # k47.damage.softskin
            volley.soft_kill = True
            return
        if pool.mark is not None and pool.mark not in volley.marked:  # k47.special.sniper: the named model
            volley.marked.append(pool.mark)
            return
        chosen = yield from self.exceptional(play, volley, sixes)
        volley.chosen += chosen
        if not pool.weapon.small_arm:
            volley.heavy_exceptional += chosen
        losses = sixes + others - chosen
        volley.total_losses += losses
        if pool.weapon.small_arm:
            volley.small_losses += losses

    def ignored(self, play: Play, volley: Volley, wound: Wound, sixes: int, others: int) -> Procedure:
        """Tough targets ignore damage, before exceptional damage is rolled (k47.special.tough)."""
        target = volley.target
        score: int = target.ask("on_ignore_damage", 7, target, wound)
        if score > 6 or not sixes + others:
            return sixes, others
        rule = "k47.vehicle.slow_tough_agile" if target.is_vehicle else "k47.special.tough"
        throw = Throw("damage ignored", D6, at_least(score), rule)
        saved_six = (yield from play.throw(throw, sixes, target.side, target.id)).successes if sixes else 0
        saved = (yield from play.throw(throw, others, target.side, target.id)).successes if others else 0
        if saved_six + saved:
            play.emit(Shrugged(rule, target.id, saved_six + saved))
        return sixes - saved_six, others - saved

    def exceptional(self, play: Play, volley: Volley, sixes: int) -> Procedure:
        """A natural six is rolled again; another six lets the shooter choose (k47.damage.exceptional)."""
        if not sixes:
            return 0
        throw = Throw("exceptional damage", D6, at_least(6), "k47.damage.exceptional")
        thrown = yield from play.throw(throw, sixes, volley.unit.side, volley.unit.id)
        return thrown.successes

    def roll_armour(self, play: Play, volley: Volley, pool: Pool) -> Procedure:
        """Every hit on armour is rolled on its own; HE and flames once (k47.armour.multi_hits, k47.he.vs_armour)."""
        unit, target, weapon = volley.unit, volley.target, pool.weapon
        wound = Wound(play.state, weapon, pool.pen, pool.facing, pool.sniper, False, pool.indirect)
        value = self.value(target, wound)
        dice, pen = pool.hits, pool.pen
        if weapon.has("Flamethrower") and play.state.options["flame_armour_rolls"] == "each_hit":
            dice = yield from self.multiplied(play, volley, pool)  # k47.open.flame_armour_rolls
        if weapon.has("Meteor Strike"):  # k47.special.meteor
            dice, pen = 1, pen + pool.hits
        throw = damage_throw(value, pen, f"damage by {weapon.name}", (Because("k47.armour.mods", f"pen {pen:+d}"),))
        if not throw.faces or not dice:
            return
        thrown = yield from play.throw(throw, dice, unit.side, unit.id)
        for face in thrown.stages[0][1]:
            if throw.faces >> face & 1:
                yield from self.damaged(play, volley, wound, face + 1 + pen, value, pool)

    def damaged(self, play: Play, volley: Volley, wound: Wound, total: int, value: int, pool: Pool) -> Procedure:
        """A damaging hit: its grade, unless a tough vehicle ignores it."""
        kept, _ = yield from self.ignored(play, volley, wound, 1, 0)
        if not kept:
            return
        target = volley.target
        play.emit(Damaged("k47.armour.result_grade", target.id, total, value, self.grade(total, value), pool.facing))
        if pool.weapon.has("Gravity Pulse"):
            volley.gravity = True
        bonus = self.table_bonus(target, wound)
        volley.armour.append(ArmourHit(total, value, self.grade(total, value), pool.facing, bonus))

    def grade(self, total: int, value: int) -> str:
        """Equal: superficial; 1 or 2 above: full; 3: massive (k47.armour.result_grade, k47.open.grade_limits)."""
        if total >= value + 3:
            return MASSIVE
        return FULL if total > value else SUPERFICIAL

    def table_bonus(self, target: Unit, wound: Wound) -> int:
        """Additions to rolls on the damage results table (k47.armour.open_indirect, k47.wrule.flame_carrier)."""
        bonus = 1 if wound.indirect and target.has("Open-Topped") else 0
        carries_fuel = any(weapon.has("Flamethrower") for weapon in target.card.weapons)
        if carries_fuel and not target.has("Jettison Fuel Trailer"):
            bonus += 1
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
            target.notes["slowed"] = True
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
        if roll >= 4:
            play.emit(DamageResult("k47.armour.ko", unit.id, roll, KNOCKED_OUT))
            yield from self.rules.losses.destroy(play, unit, "knocked out", "k47.armour.ko")
        elif roll == 3:
            play.emit(DamageResult("k47.armour.fire", unit.id, roll, ON_FIRE))
            yield from self.on_fire(play, unit)
        elif roll == 2:
            play.emit(DamageResult("k47.armour.immobilised", unit.id, roll, IMMOBILISED))
            yield from self.immobilise(play, unit)
        else:
            play.emit(DamageResult("k47.armour.stunned", unit.id, roll, STUNNED))
            yield from self.stun(play, unit, "k47.armour.stunned")

    def stun(self, play: Play, unit: Unit, rule: str) -> Procedure:
        """One more pin, Down, halted for the turn (k47.armour.stunned, k47.armour.pin_extra)."""
        yield from self.rules.morale.pin(play, unit, 1, "k47.armour.pin_extra")
        self.halt(play, unit, rule)

    def halt(self, play: Play, unit: Unit, rule: str) -> None:
        """Down and no further action this turn (k47.vehicle.halted)."""
        if unit.alive:
            unit.notes["halted"] = True
            self.rules.orders.turn_die(play, unit, DOWN, rule)

    def immobilise(self, play: Play, unit: Unit) -> Procedure:
        """Never moves again; a second time it is knocked out (k47.armour.immobilised, k47.armour.immobilised2)."""
        if unit.has("Turret Emplacement"):  # k47.vehicle.misc: counts as stunned
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
