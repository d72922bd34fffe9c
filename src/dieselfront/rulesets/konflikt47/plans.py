"""Plans: what fire and blows roll, stage by stage, from dice to casualties, pins, damage results and morale.

shooting.py, damage.py and assault.py perform these very stages; the odds room evaluates them (k47.shoot.*, k47.he.*,
k47.damage.*, k47.armour.*, k47.pin.*, k47.morale.half). So a rule of dice stands once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from dieselfront.dice import D6, Because, Throw
from dieselfront.dice.plan import (
    DESTROYED,
    DICE,
    HITS,
    LOSSES,
    POINTS,
    UNSAVED,
    Add,
    Cap,
    Check,
    Highest,
    Look,
    Multiply,
    Number,
    Plan,
    Repeat,
    Save,
    Score,
    Set,
    Stage,
    Subtract,
    Table,
    TableRow,
    When,
)
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import HE_TABLE
from dieselfront.rulesets.konflikt47.firing import Pool, Wound, damage_throw
from dieselfront.rulesets.konflikt47.morale import CHECK, LOWEST, Occasion
from dieselfront.rulesets.konflikt47.state import DOWN, State, Unit
from dieselfront.rulesets.konflikt47.throws import at_least, parse

SUPERFICIAL, FULL, MASSIVE = "superficial", "full", "massive"
GRADES = (SUPERFICIAL, FULL, MASSIVE)
TABLE_DICE = {SUPERFICIAL: ("D6-3", 1, 3), FULL: ("D6", 1, 0), MASSIVE: ("2 x D6", 2, 0)}  # notation, dice, less
STUNNED, IMMOBILISED, ON_FIRE, KNOCKED_OUT = "crew stunned", "immobilised", "on fire", "knocked out"

RESULTS = (  # k47.armour.results: from which roll on, what, by which rule
    (1, STUNNED, "k47.armour.stunned"),
    (2, IMMOBILISED, "k47.armour.immobilised"),
    (3, ON_FIRE, "k47.armour.fire"),
    (4, KNOCKED_OUT, "k47.armour.ko"),
)

# tallies of a volley
STRUCK, ROLLS, PLAIN, SIXES, MEN = "struck", "damage rolls", "plain wounds", "sixes", "men"
WOUNDS, PICKED, GAINED = "wounds", "picked", "pins gained"
HIT, SHAKEN, PINS, FLAMED, GRAVITY = "hit", "shaken", "pins", "flamed", "gravity"
ORDINARY, SMALL, CHOSEN, HEAVY, MARKED, SOFT = "ordinary", "small", "chosen", "heavy", "marked", "soft"
SERVANTS, LAST_MAN, LEADERLESS = "carriers of the weapon lost", "last man", "leader lost"
MORALE, FAILED = "morale check", "failed morale check"
SIX, ONE = 1 << 5, 1


def number_of(notation: str, label: str, rule: str, plus: int = 0, halved: bool = False) -> Number:
    """A number such as D3 or 2D6-1, perhaps with something added."""
    dice, sides, more = parse(notation)
    return Number(label, rule, dice, sides, more + plus, halved, notation)


@cache
def result_of(roll: int) -> str:
    """The line of the damage results table that a roll leads to (k47.armour.results)."""
    return next(name for least, name, _ in reversed(RESULTS) if roll >= least or least == 1)


EXCEPTIONAL = Throw("exceptional damage", D6, at_least(6), "k47.damage.exceptional")
POOL_TALLIES = (STRUCK, ROLLS, PLAIN, SIXES, WOUNDS, PICKED)
"""What every pool counts for itself."""

DECIDED = ("on_casualties", "on_casualties_chosen", "on_attacked", "on_troop_quality")
"""Where these rules speak, the dice of a plan alone do not tell the end: they act on losses, or go by those left."""


class PoolStages(NamedTuple):
    """The stages of one pool, in the order of resolution; what does not apply is empty."""

    shots: tuple[Multiply, ...]
    """How many dice to hit, where that is rolled (k47.special.meteor)."""
    hit: Score
    pins: Number | None
    """The pins that being hit is worth; None for those who are not touched by it at all."""
    worth: Multiply | None
    """How many damage rolls a hit makes, where it is not one."""
    damage: Score | None
    """The damage rolls; None where nothing can be damaged."""
    ignore: Throw | None
    """The roll by which a tough target ignores damage."""


class Plans(Chapter):
    """Makes plans; changes nothing."""

    # -- one pool ------------------------------------------------------------------------------------------------

    def of_pool(self, state: State, target: Unit, pool: Pool) -> PoolStages:
        """The stages of a pool of shots."""
        hit = self.to_hit(pool)
        if pool.weapon.burns and target.is_fireproof:  # k47.special.quirks
            return PoolStages(self.shots(pool), hit, None, None, None, None)
        wound = wound_of(state, pool)
        value = self.rules.damage.value(target, wound)
        pins = self.pins_of_hit(target, pool, value)
        if target.is_armoured and pool.weapon.small_arm:  # k47.damage.small_arms_armour
            return PoolStages(self.shots(pool), hit, pins, None, None, None)
        worth = self.worth(state, target, pool)
        damage = self.damage(target, pool, value, pool.pen, ROLLS if worth is not None else STRUCK)
        return PoolStages(self.shots(pool), hit, pins, worth, damage, self.ignore(target, wound))

    def shots(self, pool: Pool) -> tuple[Multiply, ...]:
        """Some weapons roll how often they fire (k47.special.meteor)."""
        if not pool.weapon.rolls_shots:
            return ()
        return (Multiply(number_of(pool.weapon.shots, "shots", "k47.special.meteor"), MEN, DICE),)

    def to_hit(self, pool: Pool) -> Score:
        """The dice to hit; some roll ones again (k47.nation.us)."""
        again = ONE if pool.reroll_ones and pool.need <= 6 else 0
        return Score(pool.throw(), DICE, STRUCK, again=again, again_rule=pool.reroll_ones)

    def pins_of_hit(self, target: Unit, pool: Pool, value: int) -> Number:
        """One pin for being hit, more by HE and flames (k47.pin.gain, k47.he.pins, k47.wrule.flame_pins)."""
        weapon = pool.weapon
        if pool.he:
            return number_of(HE_TABLE[pool.he].pins, "pins", "k47.he.pins")
        special: Number | None = weapon.ask("on_pins", None, pool)
        if special is not None:
            return special
        if target.is_enclosed and weapon.small_arm:
            return Number("pins", "k47.pin.armour_small_arms")
        if target.is_armoured and not weapon.small_arm and 6 + pool.pen < value:  # not even a natural 6 would do
            return Number("pins", "k47.pin.armour_no_chance")
        return Number("pins", "k47.pin.gain", plus=1)

    def worth(self, state: State, target: Unit, pool: Pool) -> Multiply | None:
        """HE, flames and arcs turn one hit into several damage rolls (k47.he.hits, k47.wrule.flame_hit,
        k47.wrule.tesla_arc); against armour only flames may, by a ruling (k47.open.flame_armour_rolls)."""
        worth: Multiply | None = None
        if pool.he and not target.is_armoured:
            halved = target.order == DOWN and not target.is_vehicle  # k47.he.down_half
            worth = Multiply(number_of(pool.he, "HE hits", "k47.he.hits", halved=halved), STRUCK, ROLLS)
        worth = pool.weapon.ask("on_worth", worth, state, target, pool)
        return worth

    def damage(self, target: Unit, pool: Pool, value: int, pen: int, rolls: str | int) -> Score | None:
        """Damage rolls: natural sixes against troops and grades against armour are kept apart (k47.damage.roll,
        k47.armour.result_grade)."""
        rule = "k47.armour.mods" if target.is_armoured else "k47.damage.values"
        because = (Because(rule, f"value {value}, pen {pen:+d}"),)
        throw = damage_throw(value, pen, f"damage by {pool.weapon.name}", because)
        kinds = self.grades(value, pen) if target.is_armoured else ((SIX, SIXES),)
        throw.reads, throw.ordered = tuple(faces for faces, _ in kinds), target.is_armoured
        return Score(throw, rolls, PLAIN, kind="damage", kinds=kinds) if throw.faces else None

    def grades(self, value: int, pen: int) -> tuple[tuple[int, str], ...]:
        """The faces of a damage roll that lead to each grade of damage (k47.armour.result_grade)."""
        faces = damage_throw(value, pen, "").faces
        masks = dict.fromkeys(GRADES, 0)
        for face in range(6):
            if faces >> face & 1:
                masks[self.rules.damage.grade(face + 1 + pen, value)] |= 1 << face
        return tuple((mask, grade) for grade, mask in masks.items() if mask)

    def ignore(self, target: Unit, wound: Wound) -> Throw | None:
        """Tough targets ignore damage, before exceptional damage is rolled (k47.special.tough)."""
        score: int = target.ask("on_ignore_damage", 7, target, wound)
        if score > 6:
            return None
        rule = "k47.vehicle.slow_tough_agile" if target.is_vehicle else "k47.special.tough"
        return Throw("damage ignored", D6, at_least(score), rule)

    # -- a volley at troops and soft vehicles --------------------------------------------------------------------

    def pool_program(self, state: State, target: Unit, pool: Pool) -> list[Stage]:
        """A pool from its dice to wounds and pins, before anything is removed (k47.shoot.simultaneous)."""
        parts = self.of_pool(state, target, pool)
        stages: list[Stage] = [Set(self.pool_start(pool)), *parts.shots, parts.hit, Add(HITS, STRUCK)]
        stages += self.struck(pool, parts, STRUCK)
        if parts.worth is not None:
            stages.append(parts.worth)
        if parts.damage is None:
            return stages
        stages.append(parts.damage)
        if parts.ignore is not None:
            stages += [Save(parts.ignore, SIXES, kind="ignore"), Save(parts.ignore, PLAIN, kind="ignore")]
        return stages + self.wounds(target, pool)

    def pool_start(self, pool: Pool) -> dict[str, int]:
        """What the tallies of one pool begin with."""
        rolled = pool.weapon.rolls_shots
        return {**dict.fromkeys(POOL_TALLIES, 0), DICE: 0 if rolled else pool.dice, MEN: len(pool.men)}

    def struck(self, pool: Pool, parts: PoolStages, hits: str) -> list[Stage]:
        """What being hit at all means: the pins of the strongest kind count (k47.pin.he_replaces)."""
        if parts.pins is None:
            return []
        then: list[Stage] = [Add(HIT), Highest(SHAKEN, parts.pins)]
        if pool.weapon.burns:
            then.append(Add(FLAMED))
        return [When(hits, 1, then)]

    def wounds(self, target: Unit, pool: Pool) -> list[Stage]:
        """What damaging hits count as: the end of a soft vehicle, a marked model, casualties of either's choice."""
        stages: list[Stage] = [Add(WOUNDS, SIXES), Add(WOUNDS, PLAIN), Add(UNSAVED, WOUNDS)]
        if pool.weapon.slows:
            stages.append(When(WOUNDS, 1, (Add(GRAVITY),)))
        if target.is_vehicle:  # k47.damage.softskin
            return [*stages, When(WOUNDS, 1, (Add(SOFT),))]
        if pool.sniper:  # k47.special.sniper: the named model
            return [*stages, When(WOUNDS, 1, (Add(MARKED),))]
        stages += [Score(EXCEPTIONAL, SIXES, PICKED, kind="exceptional"), Subtract(WOUNDS, flat=PICKED)]
        stages += [Add(CHOSEN, PICKED), Add(ORDINARY, WOUNDS)]
        stages.append(Add(SMALL, WOUNDS) if pool.weapon.small_arm else Add(HEAVY, PICKED))
        return stages

    def casualties(self, state: State, target: Unit) -> list[Stage]:
        """Models lost, a medic's saves taken off (k47.special.medic); a shooter who may choose picks the gun itself
        (k47.damage.exceptional_gun), or who carries the weapon, whom the owner keeps (k47.wrule.team_gunner)."""
        stages: list[Stage] = []
        score = self.rules.specials.medic_score(state, target)
        if score <= 6:
            medic = Throw("medic", D6, at_least(score), "k47.special.medic")
            stages.append(Subtract(ORDINARY, medic, SMALL, kind="save"))
        stages += [Add(LOSSES, ORDINARY), Add(LOSSES, CHOSEN), Add(LOSSES, MARKED), Add(POINTS, LOSSES)]
        stages += [Cap(LOSSES, len(target.men)), When(LOSSES, len(target.men), (Add(DESTROYED),))]
        if target.gun is not None:
            stages.append(When(HEAVY, 1, (Add(DESTROYED),), unless=DESTROYED))
        gunners = sum(target.man(man).is_a("gunner") for man in target.men)
        if target.card.team and not target.is_artillery and gunners:
            stages += [Add(SERVANTS, CHOSEN), Add(SERVANTS, MARKED)]
            stages.append(When(SERVANTS, gunners, (Add(DESTROYED),), unless=DESTROYED))
        return stages

    # -- pins and morale -----------------------------------------------------------------------------------------

    def pinned(self, state: State, target: Unit, gained: str) -> list[Stage]:
        """Pins as the unit really takes them; as many as its basic morale destroy it (k47.morale.rout)."""
        taken = [max(0, target.ask("on_pins_gained", pins, target)) if pins else 0 for pins in range(MOST_PINS)]
        most = self.rules.morale.basic(state, target) - target.pins
        return [Look(gained, PINS, taken), When(PINS, max(1, most), (Add(DESTROYED),), unless=DESTROYED)]

    def volley_pins(self, state: State, target: Unit, suppressive: bool) -> list[Stage]:
        """The pins of a volley; Suppressive Fire pins without hits, and once more with them
        (k47.special.suppressive_fire)."""
        if suppressive:
            return [Look(HIT, GAINED, (1, 2)), *self.pinned(state, target, GAINED)]
        return self.pinned(state, target, SHAKEN)

    def morale_check(self, state: State, target: Unit, what: str, rule: str) -> list[Stage]:
        """A morale check with the pins gained so far, whose failure is the end (k47.morale.check)."""
        occasion = Occasion(CHECK, what=f"morale check ({what})")
        if target.ask("on_check_passes", "", target) or target.ask("on_auto_pass", "", target, occasion, state):
            return []
        needs = self.needs(state, target, occasion)
        failed: tuple[Stage, ...] = (Add(DESTROYED), Add(FAILED))
        again = target.ask("on_check_again", "", target, occasion)
        if again:
            failed = (Check(f"{occasion.what}, again", again, needs, PINS, failed),)
        return [Add(MORALE), Check(occasion.what, rule, needs, PINS, failed)]

    def needs(self, state: State, target: Unit, occasion: Occasion) -> list[int]:
        """What a test needs with 0, 1, 2 ... pins more than now (k47.pin.morale)."""
        before = target.pins
        needs: list[int] = []
        try:
            for more in range(MOST_PINS):
                target.pins = before + more
                needs.append(self.rules.morale.value(state, target, occasion)[0])
                if needs[-1] <= LOWEST:
                    break
        finally:
            target.pins = before
        return needs

    def shaken(self, state: State, target: Unit) -> list[Stage]:
        """One check at most: of flames, or of half the models lost (k47.morale.one_check, k47.morale.half)."""
        flames = self.by_survivors(target, lambda: self.led_check(state, target, "flames", "k47.wrule.flame_pins"))
        stages: list[Stage] = [When(FLAMED, 1, flames, unless=DESTROYED)] if flames else []
        if target.is_vehicle:
            return stages
        least = (len(target.men) + 1) // 2
        half = self.by_survivors(target, lambda: self.half_check(state, target))
        if half:
            stages.append(When(LOSSES, least, (When(LOSSES, least, half, unless=FLAMED),), unless=DESTROYED))
        return stages

    def half_check(self, state: State, target: Unit) -> list[Stage]:
        """The check for heavy losses of those who are left; fanatics may shrug it off (k47.special.fanatics)."""
        asked = target.ask("on_half_loss_check", True, target)
        return self.led_check(state, target, "half lost", "k47.morale.half") if asked else []

    def by_survivors(self, target: Unit, check: Callable[[], list[Stage]]) -> list[Stage]:
        """A check that may be another one for the last man than for several (k47.wrule.team_one_man,
        k47.special.fanatics)."""
        several = check()
        served = target.is_artillery or target.card.team
        if len(target.men) == 1 or not (served or "on_half_loss_check" in target.hooks):
            return several
        men = target.men
        target.men = men[:1]
        try:
            last = check()
        finally:
            target.men = men
        if [stage.key() for stage in several] == [stage.key() for stage in last]:
            return several
        most = len(men) - 1
        one_left = Look(LOSSES, LAST_MAN, [0] * most + [1])
        return [one_left, When(LAST_MAN, 0, several, unless=LAST_MAN), When(LAST_MAN, 1, last)]

    def led_check(self, state: State, target: Unit, what: str, rule: str) -> list[Stage]:
        """The check of the survivors; whoever may choose a casualty takes the NCO, the owner keeps him
        (k47.morale.nco)."""
        led = self.morale_check(state, target, what, rule)
        if not led or target.is_vehicle or target.nco_lost or not target.carries("nco"):
            return led
        target.nco_lost = True
        try:
            alone = self.morale_check(state, target, what, rule)
        finally:
            target.nco_lost = False
        lost: list[Stage] = [Look(CHOSEN, LEADERLESS, (0, 1)), Look(MARKED, LEADERLESS, (0, 1)), Cap(LEADERLESS, 1)]
        spared: Throw | None = target.ask("on_nco_spared", None, target)
        if spared is not None:
            lost.append(Save(spared, LEADERLESS, kind="save"))
        return [*lost, When(LEADERLESS, 0, led, unless=LEADERLESS), When(LEADERLESS, 1, alone)]

    # -- armour --------------------------------------------------------------------------------------------------

    def table(self, state: State, target: Unit, grade: str, bonus: int) -> Table:
        """The damage results table for one grade of damage (k47.armour.results)."""
        notation, dice, less = TABLE_DICE[grade]
        then: dict[str, list[Stage]] = {
            STUNNED: self.one_pin(state, target),
            IMMOBILISED: self.immobilised(state, target),
            ON_FIRE: [*self.one_pin(state, target), *self.burning(state, target)],
            KNOCKED_OUT: [Add(DESTROYED)],
        }
        rows = [TableRow(least, name, rule, tuple(then[name])) for least, name, rule in RESULTS]
        return Table(f"{grade} damage ({notation})", f"k47.armour.{grade}", rows, grade, dice, bonus - less)

    def one_pin(self, state: State, target: Unit) -> list[Stage]:
        """Every result but the last brings a pin (k47.armour.pin_extra)."""
        return [Set({GAINED: 1}), *self.pinned(state, target, GAINED)]

    def immobilised(self, state: State, target: Unit) -> list[Stage]:
        """Twice is the end, and so is once in water (k47.armour.immobilised2, k47.vehicle.amphibious)."""
        if target.is_emplaced:  # k47.vehicle.misc: counts as stunned
            return self.one_pin(state, target)
        if target.immobilised or self.rules.terrain.is_in_water(state, target):
            return [Add(DESTROYED)]
        again = When(IMMOBILISED, 2, (Add(DESTROYED),))
        return [again, *(When(IMMOBILISED, 1, (stage,), unless=DESTROYED) for stage in self.one_pin(state, target))]

    def burning(self, state: State, target: Unit) -> list[Stage]:
        """A failed check is the end (k47.armour.fire)."""
        check = self.morale_check(state, target, "on fire", "k47.armour.fire")
        return [When(PINS, 0, check, unless=DESTROYED)] if check else []

    def armour_hit(self, state: State, target: Unit, pool: Pool, parts: PoolStages) -> list[Stage]:
        """One hit on armour: its grade, unless a tough vehicle ignores it, and what the table says."""
        assert parts.damage is not None
        bonus = self.rules.damage.table_bonus(target, wound_of(state, pool))
        names = [grade for _, grade in parts.damage.kinds]
        damage = parts.damage
        one = Score(damage.throw, 1, PLAIN, kind="damage", kinds=damage.kinds)
        stages: list[Stage] = [Set(dict.fromkeys((*names, PLAIN), 0)), one]
        if parts.ignore is not None:
            stages += [Save(parts.ignore, grade, kind="ignore") for grade in names]
        for grade in names:
            stages += [Add(UNSAVED, grade), Add(f"{grade} damage", grade)]
        return stages + [self.table(state, target, grade, bonus) for grade in names]

    def armour_program(self, state: State, target: Unit, pools: Sequence[Pool], suppressive: bool) -> list[Stage]:
        """All hits, then pins, then damage hit by hit (k47.armour.multi_hits)."""
        stages: list[Stage] = []
        later: list[Stage] = []
        for place, pool in enumerate(pools):
            parts = self.of_pool(state, target, pool)
            hits = f"{STRUCK} {place}"
            stages += [Set(self.pool_start(pool)), *parts.shots, parts.hit, Add(HITS, STRUCK), Add(hits, STRUCK)]
            stages += self.struck(pool, parts, hits)
            if parts.worth is not None:
                later += [Set({STRUCK: 0, ROLLS: 0}), Add(STRUCK, hits), parts.worth]
            if parts.damage is not None:
                rolls = hits if parts.worth is None else ROLLS
                later.append(Repeat(rolls, self.armour_hit(state, target, pool, parts)))
        return [*stages, *self.volley_pins(state, target, suppressive), *later]

    # -- whole volleys -------------------------------------------------------------------------------------------

    def of_volley(self, state: State, target: Unit, pools: Sequence[Pool], suppressive: bool = False) -> Plan:
        """The fire of one unit at one target: hits, damage, casualties, pins, damage results, morale."""
        start = {IMMOBILISED: int(target.immobilised)}
        if target.is_armoured:
            stages = self.armour_program(state, target, pools, suppressive)
        else:
            stages = [stage for pool in pools for stage in self.pool_program(state, target, pool)]
            if target.is_vehicle:
                stages.append(When(SOFT, 1, (Add(DESTROYED),)))
            else:
                stages += self.casualties(state, target)
            stages += self.volley_pins(state, target, suppressive)
        stages += self.shaken(state, target)
        if target.is_vehicle:
            stages += [When(DESTROYED, 1, (Add(LOSSES),)), Cap(LOSSES, 1)]
        because = tuple(dict.fromkeys(item for pool in pools for item in pool.because))
        return Plan(
            label_of(pools),
            stages,
            start,
            1 if target.is_vehicle else len(target.men),
            not target.is_vehicle,
            because,
            (PINS,),
            self.events(target),
            self.tells_all(state, target, pools),
        )

    def events(self, target: Unit) -> tuple[str, ...]:
        """What is worth telling besides losses."""
        if target.is_armoured:
            return (HIT, *(f"{grade} damage" for grade in GRADES), *(name for _, name, _ in RESULTS), MORALE, FAILED)
        return (HIT, MORALE, FAILED) if target.is_vehicle else (HIT, CHOSEN, MORALE, FAILED)

    def tells_all(self, state: State, target: Unit, pools: Sequence[Pool]) -> bool:
        """Do the dice decide alone, or rules that speak afterwards and players?"""
        if target.carries("officer") or any(hook in target.hooks for hook in DECIDED):
            return False
        return not any(
            "on_hits" in pool.weapon.hooks  # its hits lead to more than damage rolls
            or pool.weapon.rolls_shots
            or (target.building and (pool.he or pool.weapon.at_gun))
            for pool in pools
        )


MOST_PINS = 24


def wound_of(state: State, pool: Pool) -> Wound:
    """What the target's rules ask about a hit of the pool."""
    return Wound(state, pool.weapon, pool.pen, pool.facing, pool.sniper, False, pool.indirect)


def label_of(pools: Sequence[Pool]) -> str:
    """What is fired, in words."""
    shown = []
    for pool in pools:
        name = pool.weapon.name + (f" ({pool.round})" if pool.round else "")
        shown.append(f"{len(pool.men)} × {name}" if len(pool.men) > 1 else name)
    return ", ".join(shown)
