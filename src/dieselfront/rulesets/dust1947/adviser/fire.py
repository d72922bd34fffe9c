"""Firepower of Dust units: the exact worth of an attack at a distance, with and without cover, worked out once.

The worth comes from the very plans that play would roll (skills, weapon rules and saves included), evaluated exactly.
It depends on few things: who shoots with what is left, who is shot at, distance, cover, arcs. So it is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from dieselfront.odds.exact import losses_of, mean_hits
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Attack, Line, Shot
from dieselfront.rulesets.dust.state import (
    CAMOUFLAGED,
    DUG_IN,
    EVADES,
    EVADES_WELL,
    GRAPPLED,
    HAS_ACTIVATED_EVER,
    JINKING,
    NO_COVER,
    STIMULATED,
    STUNNED,
    SUPPRESSED,
    UNDER_FIRE,
    Part,
    Unit,
)
from dieselfront.rulesets.dust1947.attack import IMPROVISED, IMPROVISED_INDEX
from dieselfront.rulesets.dust1947.playing import Play

FRONT, REAR, LEFT, RIGHT = 1, 2, 4, 8
EVERY_ARC = 15
ARC_BITS = {None: EVERY_ARC, "turret": EVERY_ARC, "front": FRONT, "rear": REAR, "left": LEFT, "right": RIGHT}

PLAIN, SUSTAINED, CLOSE_ONLY, RANGED_ONLY, REACTION = 0, 1, 2, 3, 4
"""Kinds of attack."""

MOST_KEPT = 300_000

SHAKES, GRIPS = ("on_hit_token", "on_damaged"), "on_struck"
"""What weapons answer that shake their target more than a hit does (flames, Tesla), and that hold it fast."""

ALONE = "Wire Guided"
"""Weapons that are better when nothing else is fired (d47.weapon.wire_guided)."""

SHOOTING = SUPPRESSED | STUNNED | GRAPPLED | STIMULATED
"""States of a unit that change how it shoots."""

HIT = CAMOUFLAGED | DUG_IN | NO_COVER | EVADES | EVADES_WELL | JINKING
"""States of a unit that change how it is hit."""


class Salvo(NamedTuple):
    """What an attack on one target comes to on average: points destroyed, chance of its end, of a hit at all.

    And the chance that a hit shakes it more than usual (suppressed at once, stunned), or holds it fast.
    """

    points: float
    ends: float
    hits: float
    stops: float = 0.0
    grips: float = 0.0


NOTHING = Salvo(0.0, 0.0, 0.0)


MOST_TABLES = 8
"""Tables whose places are remembered; each keeps what was seen on it alive."""


class _Given:
    """A line that is given rather than looked for."""

    __slots__ = ("line",)

    def __init__(self, line: Line) -> None:
        self.line = line

    def to(self, target: Unit, mount: str | None) -> Line:
        return self.line


class Firepower:
    """Worth of attacks by signature; one for all copies of a game."""

    def __init__(self, finish: float) -> None:
        self.finish = finish
        self._kept: dict[tuple[Any, ...], Salvo] = {}
        self._single: dict[tuple[Any, ...], tuple[float, float, float]] = {}
        self._numbers: dict[Any, int] = {}
        self._crews: dict[Any, int] = {}
        self._strides: dict[tuple[str, bool], int] = {}
        self._reaches: dict[str, int] = {}
        self._longest: dict[str, int] = {}
        self._covers: dict[int, tuple[Any, dict[int, bool]]] = {}

    # -- signatures -----------------------------------------------------------------------------

    def signature(self, unit: Unit) -> int:
        """A number for all that decides how a unit shoots, but for where it stands."""
        parts = unit.parts
        flags = unit.flags & SHOOTING
        if len(parts) == 1:
            return self._number((flags, self._weapons(parts[0]), unit.criticals))
        return self._number((flags, tuple(self._weapons(part) for part in parts), unit.criticals))

    def mark(self, unit: Unit) -> int:
        """A number for all that decides how a unit is hit, but for where it stands."""
        parts = unit.parts
        flags = unit.flags & HIT
        if len(parts) == 1:
            return self._number((flags, parts[0].card.id, parts[0].left))
        return self._number((flags, tuple((part.card.id, part.left) for part in parts)))

    def _weapons(self, part: Part) -> Any:
        """What a part can fire: its card and who is left to fire it."""
        crew: Any = part.alive
        if crew:
            key = (part.card.id, crew)
            known = self._crews.get(key)
            if known is None:
                soldiers = part.card.soldiers
                known = self._crews[key] = self._number(tuple(sorted(soldiers[man].weapons for man in crew)))
            crew = known
        if part.ammo or part.unloaded or part.broken:
            ammo = tuple(sorted(part.ammo.items())) if part.ammo else None
            return (part.card.id, crew, part.role, ammo, part.unloaded, part.broken)
        return (part.card.id, crew, part.role)

    def _number(self, key: Any) -> int:
        numbers = self._numbers
        number = numbers.get(key)
        if number is None:
            if len(numbers) > MOST_KEPT:
                self._forget()
            number = numbers[key] = len(numbers)
        return number

    def _forget(self) -> None:
        for kept in (self._numbers, self._kept, self._single, self._crews):
            kept.clear()

    def stride(self, unit: Unit) -> int:
        """How far a unit comes and still strikes: those that charge march first, scouts in their first activation."""
        card = unit.parts[0].card
        first = not unit.flags & HAS_ACTIVATED_EVER
        stride = self._strides.get((card.id, first))
        if stride is None:
            marches = card.has("Charge") or (first and card.has("Scout"))
            stride = self._strides[card.id, first] = card.march if marches else card.move
        return stride

    def reach(self, unit: Unit) -> int:
        """How far the fire of a unit reaches, the mean of its weapons by what they do."""
        card = unit.parts[0].card
        reach = self._reaches.get(card.id)
        if reach is None:
            total = far = 0
            for weapon in card.weapons:
                most = max((cell.dice + 6 * cell.blast for cell in weapon.cells.values()), default=0)
                total += most * weapon.count
                far += most * weapon.count * (1 if weapon.close else weapon.range_max)
            reach = self._reaches[card.id] = far // total if total else 1
        return reach

    def longest(self, unit: Unit) -> int:
        """How far the longest range of a unit reaches."""
        card = unit.parts[0].card
        longest = self._longest.get(card.id)
        if longest is None:
            longest = max((1 if weapon.close else weapon.range_max for weapon in card.weapons), default=1)
            self._longest[card.id] = longest
        return longest

    def covers(self, table: Any) -> dict[int, bool]:
        """Which places of a table are known to give cover or not; filled by whoever asks."""
        known = self._covers.get(id(table))
        if known is None or known[0] is not table:
            if len(self._covers) > MOST_TABLES:
                self._covers.clear()
            known = self._covers[id(table)] = (table, {})
        return known[1]

    # -- a whole unit at one target -------------------------------------------------------------

    def salvo(
        self,
        play: Play,
        unit: Unit,
        number: int,
        target: Unit,
        its_number: int,
        distance: int,
        cover: bool,
        kind: int = PLAIN,
        arcs: int = EVERY_ARC,
        weather: str = "",
    ) -> Salvo:
        """Everything a unit has at one target; the numbers are its signature and the target's mark."""
        key = (number, its_number, distance, cover, kind, arcs, weather)
        salvo = self._kept.get(key)
        if salvo is None:
            salvo = self._kept[key] = self._work_out(play, unit, target, distance, cover, kind, arcs)
        return salvo

    def _work_out(
        self, play: Play, unit: Unit, target: Unit, distance: int, cover: bool, kind: int, arcs: int
    ) -> Salvo:
        if target.fighters()[0].left < 1 or unit.flags & GRAPPLED:  # d47.weapon.grapple_held
            return NOTHING
        attack = Attack(
            unit,
            sustained=kind == SUSTAINED,
            ranged_allowed=kind != CLOSE_ONLY,
            close_allowed=kind not in (RANGED_ONLY, REACTION) and not unit.suppressed,
            reactive=kind == REACTION,
        )
        seen = _Given(Line(distance, True, cover))
        best = self._together(play, attack, target, distance, seen, arcs, guns=True)
        weapons = [weapon for part in unit.fighters() for weapon in part.card.weapons]
        if any(weapon.crewed and weapon.range_min <= distance <= weapon.range_max for weapon in weapons):
            hands = self._together(play, attack, target, distance, seen, arcs, guns=False)
            best = max(best, hands, key=lambda salvo: salvo.points)
        if any(weapon.has(ALONE) for weapon in weapons):
            alone = self._together(play, attack, target, distance, seen, arcs, guns=True, alone=True)
            best = max(best, alone, key=lambda salvo: salvo.points)
        return best

    def _together(
        self,
        play: Play,
        attack: Attack,
        target: Unit,
        distance: int,
        seen: _Given,
        arcs: int,
        *,
        guns: bool,
        alone: bool = False,
    ) -> Salvo:
        """All weapons that go together: crews serve their guns, or every man uses his own weapon.

        d47.skill.support_weapon_crew.
        """
        unit = attack.unit
        plans, fights, missing = [], [], 1.0
        shrugs, slips = 1.0, 1.0
        heeded = any(weapon.has(ALONE) for part in unit.fighters() for weapon in part.card.weapons)
        attack.shots = []
        for part in unit.fighters():
            armed = False
            busy = 0
            for index in self._guns_first(part):
                weapon = part.card.weapons[index]
                if not ARC_BITS[weapon.mount] & arcs or (weapon.crewed and not guns):
                    continue
                if alone and not weapon.has(ALONE):
                    continue
                shot = self._shot(play, attack, part, index, target, distance, seen, busy)
                if shot is None:
                    continue
                if weapon.crewed and part.squad:
                    busy += 2 * shot.count
                if heeded:
                    attack.shots = [shot] if alone else [shot, shot]
                plan = play.rules.attacks.plan(play, shot)
                missed = max(0.0, 1.0 - mean_hits(plan) / max(1, plan.dice)) ** max(0, plan.dice)
                if any(hook in shot.effects for hook in SHAKES):
                    shrugs *= missed
                if GRIPS in shot.effects:
                    slips *= missed
                if weapon.close:
                    armed = True
                    fights.append(plan)
                else:
                    plans.append(plan)
                    missing *= missed
            if distance <= 1 and attack.close_allowed and not armed and not unit.is_aircraft:
                shot = self._shot(play, attack, part, IMPROVISED_INDEX, target, distance, seen, busy)
                if shot is not None:
                    fights.append(play.rules.attacks.plan(play, shot))
        if not plans and not fights:
            return NOTHING
        points, ends = self.worth(target, losses_of([*plans, *fights]))
        return Salvo(points, ends, 1.0 - missing, 1.0 - shrugs, 1.0 - slips)

    def _guns_first(self, part: Part) -> Iterable[int]:
        weapons = part.card.weapons
        return sorted(range(len(weapons)), key=lambda index: not weapons[index].crewed)

    def _shot(
        self, play: Play, attack: Attack, part: Part, index: int, target: Unit, distance: int, seen: _Given, busy: int
    ) -> Shot | None:
        """The shot of one weapon line; so many of the crew have their hands full."""
        attacks = play.rules.attacks
        weapon = IMPROVISED if index == IMPROVISED_INDEX else part.card.weapons[index]
        if weapon.close:
            if distance > 1 or not attack.close_allowed:
                return None
        elif not attack.ranged_allowed or not weapon.range_min <= distance <= weapon.range_max:
            return None
        if target.parts[0].card.armour_class not in weapon.cells:
            return None
        bearers = (part.alive or (0,)) if index == IMPROVISED_INDEX else attacks.bearers(play, part, index)
        if busy:
            free = part.alive[busy:]
            bearers = tuple(bearer for bearer in bearers if bearer in free)
        if not bearers:
            return None
        effects = attacks.effects_of(play, part, index)
        lines: Any = seen  # the one line that is asked for
        shot = attacks._aimed(play, attack, part, index, weapon, effects, target, lines)
        if not isinstance(shot, Shot):
            return None
        shot.count, shot.bearers, shot.aim = len(bearers), tuple(bearers), (target.id,)
        if weapon.rules and "on_dice" in effects and "on_aims" in effects:
            shot.aim = _fullest(ask(effects, "on_aims", [shot.aim], shot))
        return shot

    # -- one weapon at one target, as declared -----------------------------------------------------

    def single(self, play: Play, shot: Shot, number: int, its_number: int) -> tuple[float, float, float]:
        """Share of the target that one declared shot takes on average, the chance of a hit and of the target's end."""
        line = shot.line
        sustained = shot.attack.sustained
        aim = shot.aim[1:]
        key = (
            number,
            its_number,
            shot.part.card.id,
            shot.index,
            shot.count,
            line.distance,
            line.cover,
            line.above,
            sustained,
            shot.attack.reactive,
            shot.attack.by_observer is not None,
            aim if not aim or aim[0] != "area" else "area",
            play.state.weather,
        )
        outcome = self._single.get(key)
        if outcome is None:
            outcome = self._single[key] = self.exact(play, shot)
        return outcome

    def exact(self, play: Play, shot: Shot) -> tuple[float, float, float]:
        """The same, worked out anew for the shot as it is declared among others."""
        plan = play.rules.attacks.plan(play, shot)
        if plan.dice <= 0 or plan.capacity < 1:
            return (0.0, 0.0, 0.0)
        odds = losses_of([plan])
        taken = sum(lost * chance for lost, chance in enumerate(odds)) / plan.capacity
        missing = max(0.0, 1.0 - mean_hits(plan) / plan.dice) ** plan.dice
        return (taken, 1.0 - missing, odds[-1])

    # -- points ---------------------------------------------------------------------------------

    def worth(self, target: Unit, odds: list[float]) -> tuple[float, float]:
        """Points that losses are worth: a share by what is lost, the rest for the end of the part."""
        part = target.fighters()[0]
        whole = len(part.card.soldiers) if part.squad else part.card.damage
        expected = sum(lost * chance for lost, chance in enumerate(odds))
        ends = odds[-1] if len(odds) > part.left else 0.0
        points = part.card.points
        return (1 - self.finish) * points * expected / max(1, whole) + self.finish * points * ends, ends


def _fullest(aims: Sequence[Any]) -> Any:
    """Of the ways to aim at a target the one with the most dice: all bombs, or a salvo.

    d47.weapon.volley, d47.weapon.salvo_attack.
    """
    return max(aims, key=lambda aim: aim[2] if len(aim) > 2 and aim[1] in ("volley", "salvo") else 0)


def token_worth(target: Unit, shaken: float) -> float:
    """What one more step of suppression takes from a unit for the moment."""
    if target.flags & SUPPRESSED:
        return 0.0
    step = shaken if target.flags & UNDER_FIRE else 0.4 * shaken
    return step * target.points * (0.6 if target.activated else 1.0)


__all__ = ["EVERY_ARC", "FRONT", "Firepower", "Salvo", "token_worth"]
