"""Plans of close quarters: blows between troops, troops against vehicles, walkers (k47.cq.*, k47.cqv.*, k47.cqw.*).

What one round rolls; who strikes first, who tests afterwards and whether they fight on is played in assault.py and
vehicle_assault.py. Fire is planned in plans.py.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    Look,
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
from dieselfront.rulesets.konflikt47.firing import Wound, damage_throw
from dieselfront.rulesets.konflikt47.plans import DECIDED, FAILED, IMMOBILISED, MORALE, PINS, PLAIN, SUPERFICIAL
from dieselfront.rulesets.konflikt47.state import State, Unit
from dieselfront.rulesets.konflikt47.throws import at_least

HARD, BONUS, HURT = "hard dice", "assault bonus", "hurt"
PAID, BACK, BEATEN, WALKER_HURT = "lost in return", "back: ", "lost more", "walker hurt"
NO_DAMAGE = "no damage"
MOST_HITS = 40


class FightPlans(Chapter):
    """Makes the plans of blows; changes nothing."""

    # -- troops against troops -----------------------------------------------------------------------------------

    def blow(self, state: State, unit: Unit, enemy: Unit) -> tuple[Throw, Throw | None]:
        """The damage roll of a hand-to-hand attack, and the roll by which it is ignored (k47.cq.h2h_attacks)."""
        pen: int = unit.ask("on_attack_pen", 0, unit)
        return self.damage(state, enemy, pen, "hand-to-hand")

    def damage(self, state: State, enemy: Unit, pen: int, label: str, facing: str = "") -> tuple[Throw, Throw | None]:
        """The damage roll of a blow at a penetration, and the roll by which it is ignored."""
        wound = Wound(state, None, pen, facing, hand_to_hand=True)
        value = self.rules.damage.value(enemy, wound)
        because = (Because("k47.damage.values", f"value {value}, pen {pen:+d}"),)
        return damage_throw(value, pen, label, because), self.rules.plans.ignore(enemy, wound)

    def of_blows(self, state: State, unit: Unit, enemy: Unit) -> Plan:
        """One round of attacks on troops, before anybody tests (k47.cq.h2h_attacks)."""
        stages = self.blows(state, unit, enemy, LOSSES)
        return Plan("hand-to-hand", stages, self.blow_dice(unit, enemy), len(enemy.men), True, tells_all=False)

    def blow_dice(self, unit: Unit, enemy: Unit, whose: str = "") -> dict[str, int]:
        """The dice of ordinary and of Tough Fighters; walkers strike by their size (k47.cqw.attacks)."""
        if unit.is_vehicle:
            return {whose + DICE: self.rules.vehicle_assault.blow_dice(unit), whose + HARD: 0}
        ordinary, hard = self.rules.assault.attack_dice(unit)
        if enemy.is_struck_as_vehicle:
            return {whose + DICE: ordinary + hard, whose + HARD: 0}
        return {whose + DICE: ordinary, whose + HARD: hard}

    def blows(self, state: State, unit: Unit, enemy: Unit, lost: str, whose: str = "") -> list[Stage]:
        """Attacks on troops: every one hits, Tough Fighters strike again for each kill (k47.cq.h2h_attacks,
        k47.special.tough_fighters), and riders have to be hit first (k47.special.motorbikes)."""
        dice, hard, hits, hard_kills = whose + DICE, whose + HARD, whose + HITS, f"{whose}hard kills"
        ordinary_kills = f"{whose}kills"
        strikes: Sequence[tuple[str, str]]
        strikes = ((dice, ordinary_kills), (hard, hard_kills), (hard_kills, f"{whose}more kills"))
        stages: list[Stage] = [Add(hits, dice), Add(hits, hard)]
        if unit.is_vehicle:
            throw, ignore = self.damage(state, enemy, self.rules.vehicle_assault.pen(unit), "walker blows")
        else:
            throw, ignore = self.blow(state, unit, enemy)
            if enemy.is_struck_as_vehicle:
                score = self.rules.vehicle_assault.score(state, enemy)
                strikes = ((hits, ordinary_kills),)
                stages = [Score(hit_throw(score), dice if score <= 6 else 0, hits)]
        for number, kills in strikes:
            stages.append(Score(throw, number, kills, kind="damage"))
            stages += [Save(ignore, kills, kind="ignore")] if ignore is not None else []
        stages += [Add(lost, kills) for _, kills in strikes]
        if not whose:
            stages += [Add(UNSAVED, lost), Add(POINTS, lost)]
        return [*stages, Cap(lost, len(enemy.men))]

    # -- a round and who lost it ---------------------------------------------------------------------------------

    def of_round(self, state: State, unit: Unit, enemy: Unit) -> Plan:
        """What a round of blows does to the enemy: blows of both, and the test of whoever lost more (k47.cq.compare,
        k47.cq.result_loser). Whether they fight on is chosen afterwards."""
        stages = self.exchanged(state, unit, enemy)
        stages.append(When(LOSSES, len(enemy.men), (Add(DESTROYED),)))
        test = self.rules.plans.by_survivors(
            enemy, lambda: self.rules.plans.led_check(state, enemy, "lost the fight", "k47.cq.result_loser")
        )
        if test:
            stages += [*self.beaten(state, unit, enemy), When(BEATEN, 1, test, unless=DESTROYED)]
        start = {**self.blow_dice(unit, enemy), **self.blow_dice(enemy, unit, BACK)}
        events = (MORALE, FAILED)
        return Plan("hand-to-hand", stages, start, len(enemy.men), True, events=events, tells_all=False)

    def exchanged(self, state: State, unit: Unit, enemy: Unit) -> list[Stage]:
        """The blows of both in their order: at the same time, but for victims of Horror, who strike with what is left
        of them (k47.cq.h2h_simul, k47.special.horror)."""
        mine = self.blows(state, unit, enemy, LOSSES)
        if unit.is_vehicle:
            return mine
        theirs = self.blows(state, enemy, unit, PAID, BACK)
        if self.rules.assault.strikes_last(enemy, unit):
            return [*mine, *self.dice_left(enemy, unit, LOSSES, BACK), *theirs]
        if self.rules.assault.strikes_last(unit, enemy):
            return [*theirs, *self.dice_left(unit, enemy, PAID), *mine]
        return [*mine, *theirs]

    def dice_left(self, unit: Unit, enemy: Unit, lost: str, whose: str = "") -> list[Stage]:
        """The dice of those who are left to strike; the last named are lost first."""
        men = unit.men
        left: list[dict[str, int]] = []
        try:
            for number in range(len(men)):
                unit.men = men[: len(men) - number]
                left.append(self.blow_dice(unit, enemy, whose))
        finally:
            unit.men = men
        looks = [Look(lost, name, [*(dice[name] for dice in left), 0]) for name in left[0]]
        return [Set(dict.fromkeys(left[0], 0)), *looks]

    def beaten(self, state: State, unit: Unit, enemy: Unit) -> list[Stage]:
        """Did the enemy suffer more casualties than a unit that is left, or any from a walker it did not hurt
        (k47.cq.compare, k47.cqw.result)?"""
        stages: list[Stage] = [Add(BEATEN, LOSSES)]
        if unit.is_vehicle:
            return [*stages, *self.walker_hurt(state, enemy, unit), When(WALKER_HURT, 1, (Set({BEATEN: 0}),))]
        wiped_out = When(PAID, len(unit.men), (Set({BEATEN: 0}),))
        return [*stages, Subtract(BEATEN, flat=PAID), wiped_out]

    def walker_hurt(self, state: State, unit: Unit, walker: Unit) -> list[Stage]:
        """Do the blows of troops hurt a walker, damaged or broken by a pin (k47.cqw.result)?"""
        chapter = self.rules.vehicle_assault
        score, dice = chapter.score(state, walker, True), chapter.storm_dice(unit)
        if score > 6 or dice <= 0:
            return []
        assert walker.card.vehicle is not None
        wound = Wound(state, None, 0, hand_to_hand=True)
        hurt = tuple(self.kept(walker, wound, HURT, [Add(WALKER_HURT)]))
        value, rule = walker.card.vehicle.value, "k47.cqv.damage"
        rows = [TableRow(-99, NO_DAMAGE, rule), TableRow(value, HURT, rule, hurt)]
        table = Table("assault damage (D6 + hits)", "k47.cqv.damage", rows, 1, more=BONUS)
        struck: list[Stage] = [self.hits_add_up(unit), table]
        if walker.pins + 1 >= self.rules.morale.basic(state, walker):
            struck = [Add(WALKER_HURT)]
        return [Score(hit_throw(score), dice, BACK + HITS), When(BACK + HITS, 1, struck)]

    def hits_add_up(self, unit: Unit, hits: str = BACK + HITS) -> Look:
        """Hits are added to the damage roll (k47.cqv.damage)."""
        worth: int = unit.ask("on_vehicle_hit_worth", 1, unit)
        return Look(hits, BONUS, [number * worth for number in range(MOST_HITS)])

    def of_crushing(self, gun: Unit) -> Plan:
        """A gun under a walker is gone without a die (k47.cqw.gun)."""
        return Plan("crushed", [Add(LOSSES, len(gun.men)), Add(DESTROYED)], {}, len(gun.men), True)

    # -- against vehicles ----------------------------------------------------------------------------------------

    def of_storm(self, state: State, unit: Unit, vehicle: Unit, advanced: bool = False) -> Plan | None:
        """Troops against a vehicle: hits, a pin, one damage roll to which the hits are added (k47.cqv.to_hit,
        k47.cqv.pin, k47.cqv.damage); None if it cannot be hit."""
        chapter = self.rules.vehicle_assault
        score, dice = chapter.score(state, vehicle, advanced), chapter.storm_dice(unit)
        if score > 6 or dice <= 0:
            return None
        pinned = self.rules.plans.one_pin(state, vehicle)
        struck = [*pinned, self.hits_add_up(unit, HITS), self.storm_damage(state, unit, vehicle)]
        stages = [Score(hit_throw(score), DICE, HITS), When(HITS, 1, struck)]
        return self.vehicle_plan("assault", stages, {DICE: dice}, vehicle)

    def storm_damage(self, state: State, unit: Unit, vehicle: Unit) -> Table:
        """Soft and open vehicles are destroyed, enclosed ones damaged by grade if anti-tank weapons are at hand
        (k47.cqv.soft, k47.cqv.enclosed, k47.cqv.grade, k47.cqv.no_at)."""
        assert vehicle.card.vehicle is not None
        value = vehicle.card.vehicle.value
        wound = Wound(state, None, 0, hand_to_hand=True)
        rows = [TableRow(-99, NO_DAMAGE, "k47.cqv.damage")]
        if not vehicle.is_enclosed:
            rows.append(TableRow(value, HURT, "k47.cqv.soft", tuple(self.kept(vehicle, wound, HURT, [Add(DESTROYED)]))))
        else:
            grades = {0: SUPERFICIAL}
            if self.rules.vehicle_assault.has_anti_tank(unit):
                grades = {above: self.rules.damage.grade(value + above, value) for above in (0, 1, 3)}
            for above, grade in grades.items():
                rule = "k47.cqv.grade" if len(grades) > 1 else "k47.cqv.no_at"
                rows.append(
                    TableRow(value + above, f"{grade} damage", rule, tuple(self.graded(state, vehicle, wound, grade)))
                )
        return Table("assault damage (D6 + hits)", "k47.cqv.damage", rows, 1, more=BONUS)

    def graded(self, state: State, vehicle: Unit, wound: Wound, grade: str) -> list[Stage]:
        """One damaging hit of a grade, unless it is ignored: the table."""
        bonus = self.rules.damage.table_bonus(vehicle, wound)
        return self.kept(vehicle, wound, grade, [self.rules.plans.table(state, vehicle, grade, bonus)], whole=True)

    def kept(self, vehicle: Unit, wound: Wound, name: str, then: list[Stage], whole: bool = False) -> list[Stage]:
        """What follows from one damaging hit, if a tough vehicle does not ignore it (k47.vehicle.slow_tough_agile)."""
        ignore = self.rules.plans.ignore(vehicle, wound)
        one = f"{name} now" if not whole else name
        stages: list[Stage] = [Set({one: 1})]
        stages += [Save(ignore, one, kind="ignore")] if ignore is not None else []
        return [*stages, *then] if whole else [*stages, When(one, 1, then)]

    def of_punches(self, state: State, walker: Unit, vehicle: Unit) -> Plan | None:
        """A walker's fists against a vehicle: every hit pins and is rolled for damage (k47.cqw.vs_vehicle)."""
        chapter = self.rules.vehicle_assault
        score, dice = chapter.score(state, vehicle), chapter.punch_dice(walker)
        if score > 6 or dice <= 0:
            return None
        facing, pen = chapter.punch_pen(walker, vehicle)
        throw, ignore = self.damage(state, vehicle, pen, "walker blow", facing)
        wound = Wound(state, None, pen, facing, hand_to_hand=True)
        value = self.rules.damage.value(vehicle, wound)
        kinds = () if vehicle.is_soft else self.rules.plans.grades(value, pen)
        names = [name for _, name in kinds] or [PLAIN]
        blow: list[Stage] = [Set(dict.fromkeys((*names, PLAIN), 0)), Score(throw, 1, PLAIN, kind="damage", kinds=kinds)]
        blow += self.rules.plans.one_pin(state, vehicle)
        blow += [Save(ignore, name, kind="ignore") for name in names] if ignore is not None else []
        if vehicle.is_soft:
            blow.append(When(PLAIN, 1, (Add(DESTROYED),)))
        bonus = self.rules.damage.table_bonus(vehicle, wound)
        blow += [self.rules.plans.table(state, vehicle, name, bonus) for _, name in kinds]
        stages = [Score(hit_throw(score), DICE, HITS), Repeat(HITS, blow)]
        return self.vehicle_plan("walker blows", stages, {DICE: dice}, vehicle)

    def vehicle_plan(self, label: str, stages: list[Stage], start: dict[str, int], vehicle: Unit) -> Plan:
        """A plan against a vehicle: it is lost or not."""
        ended = [When(DESTROYED, 1, (Add(LOSSES),)), Cap(LOSSES, 1)]
        tells_all = not any(hook in vehicle.hooks for hook in DECIDED)
        begin = {**start, IMMOBILISED: int(vehicle.immobilised)}
        return Plan(label, [*stages, *ended], begin, 1, shows=(PINS,), tells_all=tells_all)

    # -- overrun -------------------------------------------------------------------------------------------------

    def of_overrun(self, state: State, target: Unit) -> Plan:
        """Troops driven over test their nerve, a gun is crushed (k47.cqw.tank_overrun)."""
        stages: list[Stage] = [Add(DESTROYED)]
        if not target.is_artillery:
            stages = self.rules.plans.morale_check(state, target, "overrun", "k47.cqw.tank_overrun")
        stages = [*stages, When(DESTROYED, 1, (Add(LOSSES, len(target.men)),))]
        return Plan("overrun", stages, {}, len(target.men), True, shows=(PINS,), tells_all=False)


def hit_throw(score: int) -> Throw:
    """Dice against a vehicle in close quarters (k47.cqv.to_hit)."""
    return Throw("assault", D6, at_least(score), "k47.cqv.to_hit")


__all__ = ["FightPlans", "hit_throw"]
