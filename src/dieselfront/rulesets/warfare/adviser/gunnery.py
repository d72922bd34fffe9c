"""Attacks by the rules themselves: what a unit could fire at from where it stands, how, and what that is worth.

Estimates (estimates.py) guess what a shot from anywhere would do; here the attack is planned as play plans it, so that
every special rule of weapons and abilities counts: second targets, sustained attacks used otherwise, abilities declared
for one attack, weapons aimed at different targets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from dieselfront.kernel.hooks import ask
from dieselfront.odds import exact
from dieselfront.rulesets.warfare.adviser.estimates import Fire
from dieselfront.rulesets.warfare.adviser.values import Values
from dieselfront.rulesets.warfare.attack import Aim, Aims, Key
from dieselfront.rulesets.warfare.firing import DIRECT, SUSTAINED, Attack, Shot, Strike
from dieselfront.rulesets.warfare.odds import trial
from dieselfront.rulesets.warfare.plans import TABLE_HITS
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.rulesets.warfare.weapon_rules.energy import OVERCHARGE, TESLA

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare
    from dieselfront.table.measured.shapes import Body

MOST_KNOWN = 20_000
ONCE = 0.06
"""What using up an ability for once a game, or emptying a weapon, costs, as a share of the unit's points."""
MOST_TARGETS = 4
"""So many targets are weighed when weapons are aimed at different ones."""
SPARED = 0.05
"""Weapons are aimed elsewhere only if the main target is hardly better off for it: fire is kept together."""
FEW_WEAPONS = 6
"""Up to so many weapons are aimed one by one, more of them kind by kind."""


class Shooting(NamedTuple):
    """An attack as it is meant: what it is worth, how it is aimed, what is declared with it."""

    value: float
    target: str = ""
    """Whom most of it is aimed at."""
    aim: Aim | None = None
    """Everything at one target; None where weapons are aimed one by one."""
    aims: tuple[tuple[Key, Aim], ...] = ()
    way: str = ""
    tricks: tuple[str, ...] = ()
    second: str = ""
    fires: tuple[tuple[str, Fire], ...] = ()
    """What it does to each target."""

    def at(self, target: str) -> Fire | None:
        """What it does to a unit, None if it does nothing."""
        return next((fire for id, fire in self.fires if id == target), None)


NO_SHOOTING = Shooting(0.0)

_known: dict[Any, tuple[Fire, dict[str, float]]] = {}


@contextmanager
def standing(unit: Unit, bodies: Sequence[Body], heading: int | None = None) -> Iterator[None]:
    """The unit stands somewhere else for a question; nobody sees the state meanwhile."""
    before = unit.bodies, unit.heading
    unit.bodies = list(bodies)
    if heading is not None and unit.is_machine:
        unit.heading = heading
    try:
        yield
    finally:
        unit.bodies, unit.heading = before


class Gunnery:
    """Attacks in one position."""

    def __init__(self, rules: Warfare, state: State, values: Values) -> None:
        self.rules = rules
        self.state = state
        self.values = values
        self._best: dict[tuple[str, str, str], Shooting] = {}

    # -- the best attack --------------------------------------------------------------------------------------

    def best(self, unit: Unit, kind: str, only: Unit | None = None, **data: Any) -> Shooting:
        """The attack of a kind that is worth most from where the unit stands."""
        return max(self.ways(unit, kind, only, **data), key=lambda one: one.value, default=NO_SHOOTING)

    def best_here(self, unit: Unit, kind: str) -> Shooting:
        """The same from its real place, worked out once for a position."""
        key = (unit.id, kind, "")
        best = self._best.get(key)
        if best is None:
            best = self._best[key] = self.best(unit, kind)
        return best

    def ways(self, unit: Unit, kind: str, only: Unit | None = None, **data: Any) -> list[Shooting]:
        """Every target with the best way to attack it, and weapons aimed at several if that is better."""
        attacking = self.rules.attacking
        attack = Attack(self.state, unit, kind)
        attack.data.update(data)
        aims = attacking.aims(attack, only)
        if not aims:
            return []
        made = []
        for aim in attacking.ways(self.state, aims):
            keys = [(key, aim) for key, options in aims.items() if aim in options]
            made.append(self._refined(attack, keys)._replace(aim=aim))
        if len(made) > 1 or any(len(one.aims) < len(aims) for one in made):
            made += self._apart(attack, aims, made)
        return made

    def _refined(self, attack: Attack, aims: Sequence[tuple[Key, Aim]]) -> Shooting:
        """The best use of a sustained attack, of abilities and of further targets with these weapons."""
        best = NO_SHOOTING
        plain = self._trial(attack, aims)
        ways = self.rules.attacking.sustained_ways(plain) if attack.kind == SUSTAINED else [attack.way]
        names = list(dict.fromkeys(attack.unit.ask("on_tricks", [], plain)))
        for way in ways:
            for tricks in ((), *[(name,) for name in names]):
                made = self._with(attack, aims, way, tricks)
                if made.value > best.value or best is NO_SHOOTING:
                    best = made
        return best

    def _with(self, attack: Attack, aims: Sequence[tuple[Key, Aim]], way: str, tricks: tuple[str, ...]) -> Shooting:
        shot = self._trial(attack, aims, way, tricks)
        best = self._judged(shot, aims)
        if way == TESLA or attack.kind != "reaction":
            for second, linked in self._seconds(shot):
                shot = self._trial(attack, aims, way, tricks)
                shot.shots += [Shot(shot, s.man, s.place, s.index, second, s.mode, linked=True) for s in linked]
                made = self._judged(shot, aims)
                if made.value > best.value:
                    best = made._replace(second=second.id)
        return best

    def _trial(
        self, attack: Attack, aims: Iterable[tuple[Key, Aim]], way: str | None = None, tricks: tuple[str, ...] = ()
    ) -> Attack:
        shot = Attack(self.state, attack.unit, attack.kind)
        shot.data.update(attack.data)
        shot.way = attack.way if way is None else way
        shot.tricks = tricks
        shot.shots = [self.rules.attacking._shot(shot, key, aim) for key, aim in aims]
        for name in tricks:
            for answer in shot.unit.hooks.get("on_trick", ()):
                answer(shot, name)
        if shot.is_indirect:
            shot.spotter = self.rules.artillery.first_spotter(shot)
        return shot

    def _seconds(self, attack: Attack) -> list[tuple[Unit, list[Shot]]]:
        """Further targets, each with the shots that reach it through their first one."""
        reached: dict[str, tuple[Unit, list[Shot]]] = {}
        for shot in list(attack.shots):
            if not shot.weapon.rules:
                continue
            effects = self.rules.registry.of_weapon(shot.weapon)
            targets: list[Unit] = ask(effects, "on_second_target", [], attack, shot, self.rules)
            for target in targets:
                if self.rules.attacking.cell(shot.weapon, target) is not None:
                    reached.setdefault(target.id, (target, []))[1].append(shot)
        return list(reached.values())

    # -- weapons at different targets -------------------------------------------------------------------------

    def _apart(self, attack: Attack, aims: Aims, whole: Sequence[Shooting]) -> list[Shooting]:
        """From the best targets on: every kind of weapon goes where it brings most, as long as that is better."""
        direct = [one for one in whole if one.aim is not None and one.aim[0] == DIRECT and one.aim[1]]
        direct.sort(key=lambda one: -one.value)
        if len(direct) < 2:
            return []
        best = direct[0]
        keys = [key for key, options in aims.items() if any(aim[0] == DIRECT for aim in options)]
        groups = self._groups(attack.unit, keys)
        targets = [one.aim for one in direct[:MOST_TARGETS]]
        chosen: dict[Key, Aim] = dict(best.aims)
        tricks = best.tricks
        improved = False
        for group in groups:
            for aim in targets:
                assert aim is not None
                changed = {**chosen, **{key: aim for key in group if aim in aims[key]}}
                if changed == chosen:
                    continue
                made = self._with(attack, list(changed.items()), best.way, tricks)
                if made.value > best.value + 0.01 and self._is_still_sure(direct[0], made):
                    best, chosen, improved = made, changed, True
        return [best._replace(aim=None)] if improved else []

    def _is_still_sure(self, whole: Shooting, apart: Shooting) -> bool:
        """Does the main target still get what it would get from all weapons together, or nearly?"""
        all_of_it, rest = whole.at(whole.target), apart.at(whole.target)
        if all_of_it is None or rest is None:
            return False
        return rest.destroyed >= all_of_it.destroyed - SPARED and rest.losses >= (1.0 - SPARED) * all_of_it.losses

    def _groups(self, unit: Unit, keys: Sequence[Key]) -> list[list[Key]]:
        """Weapons that are aimed together."""
        if len(keys) <= FEW_WEAPONS:
            return [[key] for key in keys]
        kinds: dict[int, list[Key]] = {}
        for key in keys:
            kinds.setdefault(unit.carried(key[0])[key[1]], []).append(key)
        return list(kinds.values())

    # -- worth ------------------------------------------------------------------------------------------------

    def _judged(self, attack: Attack, aims: Sequence[tuple[Key, Aim]]) -> Shooting:
        if not attack.shots or (attack.is_indirect and attack.spotter is None):
            return NO_SHOOTING
        value = -self._spent(attack)
        fires: list[tuple[str, Fire]] = []
        for target in attack.targets:
            fire, effects = self.fire_of(self.rules.attacking.plan(attack, target))
            fires.append((target.id, fire))
            gain = self.values.gain(target, fire)
            if effects:
                gain += self.values.crippling(target, effects)
            value += -gain if target.side == attack.unit.side else gain
        first = max(fires, key=lambda one: one[1].losses)[0] if len(fires) > 1 else fires[0][0]
        way = attack.way if attack.kind == SUSTAINED else ""
        return Shooting(value, first, None, tuple(aims), way, attack.tricks, "", tuple(fires))

    def _spent(self, attack: Attack) -> float:
        """What the attack uses up: abilities for once a game, and weapons that are empty after it."""
        if self.values.is_last_turn:
            return 0.0
        unit = attack.unit
        used = len(attack.tricks) - ("Headshot" in attack.tricks)
        emptied = any(
            (attack.way == OVERCHARGE and shot.weapon.has("Phaser")) or shot.weapon.has("Reload")
            for shot in attack.shots
        )
        return ONCE * unit.ap * (used + emptied)

    def fire_of(self, strike: Strike) -> tuple[Fire, dict[str, float]]:
        """What a planned strike comes to; for machines the chances of effects, too."""
        defence = strike.defence
        assert defence is not None and strike.plan is not None
        target = strike.target
        marker = target.is_soldier and bool(self.rules.attacking.ask_strike("on_marker", 0, strike))
        table = self.rules.damage.table_throw(strike, strike.pools) if target.is_machine and strike.pools else None
        armor = defence.armor_throw
        key = (
            tuple(
                (one.dice, one.throw.faces, bool(one.throw.rerolls), one.damage, one.extra, one.piercing)
                for one in strike.groups
            ),
            defence.cover, defence.armor_dice, None if armor is None else (armor.faces, bool(armor.rerolls)),
            defence.bonus, defence.capacity, defence.pierced, None if table is None else table.faces, marker,
            target.points_left, (target.effects, target.is_aircraft) if table is not None else None,
        )  # fmt: skip
        known = _known.get(key)
        if known is None:
            if len(_known) > MOST_KNOWN:
                _known.clear()
            known = _known[key] = self._evaluated(strike, marker)
        return known

    def _evaluated(self, strike: Strike, marker: bool) -> tuple[Fire, dict[str, float]]:
        assert strike.plan is not None and strike.defence is not None
        if strike.defence.capacity <= 0:
            return Fire(0.0, 0.0, 0.0), {}
        odds = exact.evaluate([strike.plan])
        target = strike.target
        destroyed = odds.destroyed if strike.defence.capacity >= target.points_left else 0.0
        effects = trial.effects(odds, target) if target.is_machine and TABLE_HITS in odds.further else {}
        return Fire(odds.mean_losses, destroyed, 1.0 if marker else 1.0 - odds.hits[0]), effects


__all__ = ["NO_SHOOTING", "Gunnery", "Shooting", "standing"]
