"""Cover: what obscures a target, and the steps that change it (dw.cover.*, dw.open.cover_step_order)."""

from __future__ import annotations

from dieselfront.dice import Because
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.firing import INDIRECT, Strike
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.terrain import Cover

FIRE_CONTROL = "fire control"


def better(grade: Cover) -> Cover:
    """One step up: none, soft, hard, and no further."""
    return Cover(min(grade + 1, Cover.HARD))


def worse(grade: Cover) -> Cover:
    return Cover(max(grade - 1, Cover.NONE))


class Covering(Chapter):
    """The cover of one target against one attack."""

    def measure(self, strike: Strike) -> None:
        """Write the cover of a strike: who is obscured, the terrain's grade, and the grade after all steps."""
        target, state = strike.target, strike.state
        grades = self.grades(state, strike)
        strike.grades = dict(zip(target.men, grades, strict=True))
        strike.terrain = self.unit_grade(state, strike, grades)
        strike.cover = self.steps(strike)

    def grades(self, state: State, strike: Strike) -> list[Cover]:
        """For each figure what obscures it, from the leader's base or the spotter's (dw.attack.obscured_los,
        dw.open.indirect_details)."""
        attacker, eye = self.eye(state, strike)
        if eye is None:
            return [Cover.NONE] * len(strike.target.men)
        return ground.obscured(state, attacker, eye, strike.target)

    def eye(self, state: State, strike: Strike) -> tuple[Unit, Body | None]:
        attack = strike.attack
        unit = attack.unit
        if attack.spotter is not None and any(shot.mode == INDIRECT for shot in attack.at(strike.target)):
            spotter = state.unit(attack.spotter[0])
            return spotter, spotter.body_of(attack.spotter[1])
        if (
            "eye" in attack.data
        ):  # a blast: the vehicle's centre is attacker and leader (dw.open.ammo_detonation_attack)
            body: Body | None = attack.data["eye"]
            return unit, body
        leader = unit.acting_leader
        if leader is None or leader not in unit.men:
            leader = unit.men[0]
        return unit, unit.body_of(leader)

    def unit_grade(self, state: State, strike: Strike, grades: list[Cover]) -> Cover:
        """Half of the unit decides (dw.attack.obscured_half); a clear line from any attacker may count for vehicles by
        choice of the house (dw.open.vehicle_cover_line)."""
        target = strike.target
        if (
            target.is_machine
            and state.option("vehicle_cover_line") == "any_miniature"
            and grades != [Cover.NONE]
            and "eye" not in strike.attack.data
        ):
            shots = strike.attack.at(target)
            firing = dict.fromkeys(shot.man for shot in shots if shot.mode != INDIRECT)
            men = firing if shots else strike.unit.men  # nothing is declared yet: anybody may come to fire
            lines = [
                ground.obscured(state, strike.unit, strike.unit.body_of(man), target)[0]
                for man in men
                if man in strike.unit.men
            ]
            return min([*lines, *grades])
        return ground.half_cover(grades)

    def steps(self, strike: Strike) -> Cover:
        """Terrain, then suppression or Hit the Dirt, the fire-control minimum, the Team upgrade, the target's abilities
        (dw.open.cover_step_order); hard is the most."""
        target, state = strike.target, strike.state
        grade = strike.terrain
        because: list[Because] = []
        if grade:
            because.append(Because("dw.attack.obscured_half", f"{grade.name.lower()} cover"))
        team_first = state.option("cover_step_order") == "team_first"
        if team_first:
            grade = self.team(target, grade, because)
        if self.is_low_in_the_dirt(strike):  # dw.cover.suppressed_upgrade, dw.open.hit_the_dirt_stacking
            grade = better(grade)
            because.append(Because("dw.cover.suppressed_upgrade", "suppressed: one step better"))
        if FIRE_CONTROL in strike.unit.effects:  # dw.aircraft.damage.fire_control
            grade = max(grade, Cover.SOFT)
            because.append(Because("dw.aircraft.damage.fire_control", "damaged fire control: at least soft cover"))
        strike.because = tuple(because)
        if not team_first:
            before = grade
            grade = self.team(target, grade, because)
            if before is Cover.SOFT and grade is Cover.HARD:
                strike.attack.data.setdefault("team soft", set()).add(target.id)
        strike.because = tuple(because)
        grade = target.ask("on_cover", grade, strike)
        return Cover(grade)

    def team(self, target: Unit, grade: Cover, because: list[Because]) -> Cover:
        """A Team in soft cover is in hard cover (dw.cover.teams)."""
        if target.card.is_team and grade is Cover.SOFT:
            because.append(Because("dw.cover.teams", "a Team: hard cover"))
            return Cover.HARD
        return grade

    def is_low_in_the_dirt(self, strike: Strike) -> bool:
        """Markers present before the attack, or from Hit the Dirt, count; the one it earns does not
        (dw.open.suppressed_cover_timing)."""
        target, state = strike.target, strike.state
        if not target.suppression or not self.rules.suppression.is_suppressed(state, target):
            return False
        return not target.is_flying  # dw.ability.flight_no_suppressed_cover

    def piercing_grade(self, strike: Strike) -> Cover:
        """The cover that counts against weapons which soft cover does not stop: a Team's upgrade does not help
        (dw.weapon.radiation)."""
        if strike.target.id in strike.attack.data.get("team soft", ()):
            return Cover.SOFT
        return strike.cover


__all__ = ["FIRE_CONTROL", "Covering", "better", "worse"]
