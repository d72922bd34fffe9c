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
    Table,
    TableRow,
    When,
)
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.firing import Wound, damage_throw
from dieselfront.rulesets.konflikt47.plans import DECIDED, IMMOBILISED, PINS, PLAIN, SUPERFICIAL
from dieselfront.rulesets.konflikt47.state import State, Unit
from dieselfront.rulesets.konflikt47.throws import at_least

HARD, BONUS, HURT = "hard dice", "assault bonus", "hurt"
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
        """One round of attacks on troops: every one hits, Tough Fighters strike again for each kill
        (k47.cq.h2h_attacks, k47.special.tough_fighters); walkers strike by their size (k47.cqw.attacks), and riders
        have to be hit first (k47.special.motorbikes)."""
        strikes: Sequence[tuple[str, str]] = ((DICE, "kills"), (HARD, "hard kills"), ("hard kills", "more kills"))
        stages: list[Stage] = [Add(HITS, DICE), Add(HITS, HARD)]
        if unit.is_vehicle:
            chapter = self.rules.vehicle_assault
            ordinary, hard = chapter.blow_dice(unit), 0
            throw, ignore = self.damage(state, enemy, chapter.pen(unit), "walker blows")
        else:
            ordinary, hard = self.rules.assault.attack_dice(unit)
            throw, ignore = self.blow(state, unit, enemy)
            if enemy.is_struck_as_vehicle:
                score = self.rules.vehicle_assault.score(state, enemy)
                ordinary, hard = ordinary + hard if score <= 6 else 0, 0
                strikes = ((HITS, "kills"),)
                stages = [Score(hit_throw(score), DICE, HITS)]
        for dice, kills in strikes:
            stages.append(Score(throw, dice, kills, kind="damage"))
            stages += [Save(ignore, kills, kind="ignore")] if ignore is not None else []
        stages += [Add(LOSSES, kills) for _, kills in strikes]
        stages += [Add(UNSAVED, LOSSES), Add(POINTS, LOSSES), Cap(LOSSES, len(enemy.men))]
        stages.append(When(LOSSES, len(enemy.men), (Add(DESTROYED),)))
        start = {DICE: ordinary, HARD: hard}
        return Plan("hand-to-hand", stages, start, len(enemy.men), True, tells_all=False)

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
        worth: int = unit.ask("on_vehicle_hit_worth", 1, unit)
        pinned = self.rules.plans.one_pin(state, vehicle)
        bonus = Look(HITS, BONUS, [hits * worth for hits in range(MOST_HITS)])
        struck = [*pinned, bonus, self.storm_damage(state, unit, vehicle)]
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
