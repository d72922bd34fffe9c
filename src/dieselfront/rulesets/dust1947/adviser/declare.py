"""Declaring an attack: every weapon at the target it is worth most against, without wasting fire on the nearly dead."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from dieselfront.forces import DustWeapon
from dieselfront.kernel.decisions import Answer, Assign
from dieselfront.rulesets.dust.events import ActionsDeclared
from dieselfront.rulesets.dust.shots import Attack, Line, Shot
from dieselfront.rulesets.dust.state import Part, Unit
from dieselfront.rulesets.dust1947.adviser.fire import ALONE, Firepower, token_worth
from dieselfront.rulesets.dust1947.playing import Play

LEAST = 0.03
"""A shot worth less is not fired where it costs ammunition."""

MOST_AREAS = 12

MOST_PAID = 0.7
"""The share of what a blow does that the blows which come back may take from it, when a target is chosen."""

AT_ALL = 0.4
"""What a weapon counts for foes that are not there."""

Missed = Callable[[Unit, Part, int], float]
"""What a unit could no longer do without one of its soldiers, in points."""


class Hit(NamedTuple):
    """What a shot does to a unit: the share of it that is lost on average, the chance of a hit, and of its end."""

    victim: Unit
    share: float
    chance: float
    ends: float


def soldier_worth(part: Part, soldier: Any, foes: Sequence[Unit] = ()) -> float:
    """What a soldier is worth by his roles and weapons, best against the foes that are there."""
    if not isinstance(soldier, int) or soldier >= len(part.card.soldiers):
        return 0.0
    man = part.card.soldiers[soldier]
    worth = 1.0 + sum(_duty(part, role) for role in man.roles)
    for index in man.weapons:
        weapon = part.card.weapons[index]
        if weapon.ammo is not None and part.marked(index, soldier) >= weapon.ammo:  # d47.command.get_up_ammo
            continue
        plain = sum(cell.dice + 3 * cell.blast + cell.damage for cell in weapon.cells.values()) / 14
        if foes:
            plain = AT_ALL * plain + max(strikes(weapon, foe) for foe in foes)
        worth += plain
    return worth


def _duty(part: Part, role: str) -> float:
    """What a role is worth: leading is nothing but a name, everything else is lost with the last who can do it."""
    if role == "leader":
        return 0.5
    able = sum(role in part.card.soldiers[man].roles for man in part.alive)
    return 3.0 / max(1, able)


def strikes(weapon: DustWeapon, foe: Unit) -> float:
    """Points that one shot of a weapon takes from a foe, roughly, before saves."""
    cell = weapon.cells.get(foe.card.armour_class)
    if cell is None:
        return 0.0
    target = foe.fighters()[0]
    each = 1 if target.squad else (target.left if cell.kill else cell.damage)
    dice = cell.blast * foe.models if cell.blast else cell.dice
    return float(target.card.points * min(1.0, dice / 3 * each / max(1, target.left)))


def weapon_worth(weapon: DustWeapon) -> float:
    """What a weapon is worth against all that it may meet."""
    cells = weapon.cells.values()
    far = 1.0 if weapon.close else 1.0 + 0.1 * weapon.range_max
    return far * sum((cell.dice + 3 * cell.blast) * max(1, cell.damage) for cell in cells)


class Declaration:
    """One declaration being filled in; `smoke` is where artillery lays a screen instead of firing."""

    def __init__(
        self,
        play: Play,
        decision: Assign,
        fire: Firepower,
        weights: Mapping[str, float],
        smoke: tuple[int, ...] = (),
        missed: Missed | None = None,
        beyond: Callable[[Unit], float] | None = None,
        struck_back: Callable[[Unit], float] | None = None,
    ) -> None:
        self.beyond = beyond
        self.struck_back = struck_back
        self.fought: set[str] = set()  # whom blows are aimed at
        self.smoke = smoke
        self.missed = missed
        self.play = play
        self.decision = decision
        self.fire = fire
        self.weights = weights
        self.unit: Unit = play.state.by_id[decision.unit]
        self.attack = Attack(self.unit, retaliation=decision.key == "retaliate")
        self.number = fire.signature(self.unit)
        self.numbers: dict[str, int] = {}
        self.lines: dict[tuple[str, str | None], Line] = {}
        self.taken: dict[str, float] = {}
        self.spared: dict[str, float] = {}  # the chance that nothing declared so far ends a target
        self.hits: dict[tuple[Any, ...], list[Hit]] = {}
        self.areas: dict[int, tuple[Any, ...]] = {}
        self.gains: list[float] = []  # what each weapon adds
        self.leasts: dict[tuple[int, int], float] = {}

    def answer(self) -> Answer:
        decision = self.decision
        chosen: list[Any] = []
        for item, options in zip(decision.items, decision.choices, strict=True):
            screen = self._screen(options)
            if screen is not None:
                self.gains.append(math.inf)
            chosen.append(screen or self._aim(item, options))
        for one, other in decision.conflicts:
            if chosen[one] is not None and chosen[other] is not None:
                chosen[one] = None
        if self.unit.has("Spotter") and not self.attack.retaliation and self._sustained():
            self._let_watch(chosen)
        self._fire_alone(chosen)
        answer = tuple(chosen)
        if decision.objection(answer) is None:
            return answer
        return self._fewer(chosen)

    def _screen(self, options: Any) -> Any:
        """The aim that lays the smoke which is wanted, if this weapon can."""
        if not self.smoke:
            return None
        wanted = set(self.smoke)
        aims = (aim for aim in options if aim is not None and len(aim) > 2 and aim[1] == "smoke")
        return next((aim for aim in aims if set(aim[2]) == wanted), None)

    def _sustained(self) -> bool:
        """Has the unit announced a sustained attack?"""
        for event in reversed(self.play.events[-24:]):
            if isinstance(event, ActionsDeclared) and event.unit == self.unit.id:
                return any(action.endswith("sustained") for action in event.actions)
        return False

    def _let_watch(self, chosen: list[Any]) -> None:
        """A spotter whose eyes do more for the snipers than his own weapon would keeps it silent."""
        watchers = [
            place
            for place, (part, index, bearer) in enumerate(self.decision.items)
            if chosen[place] is not None and index >= 0 and "spotter" in self._roles(part, bearer)
        ]
        snipers = [
            place
            for place, (part, index, _) in enumerate(self.decision.items)
            if chosen[place] is not None and index >= 0 and self.unit.parts[part].card.weapons[index].has("Sniper")
        ]
        if not watchers or not snipers:
            return
        silent = self._together(chosen, snipers, ())
        if silent > self._together(chosen, snipers, watchers):
            for place in watchers:
                chosen[place] = None

    def _fire_alone(self, chosen: list[Any]) -> None:
        """A weapon that is better alone is fired alone if that does more than all together (d47.weapon.wire_guided)."""
        fired = [place for place, aim in enumerate(chosen) if aim is not None and self.decision.items[place][1] >= 0]
        if len(fired) < 2 or self.attack.retaliation:
            return
        guided = [place for place in fired if self._weapon(place).has(ALONE)]
        if not guided:
            return
        sustained = self._sustained()
        together = self._together(chosen, fired, (), sustained)
        best = max(guided, key=lambda place: self._together(chosen, [place], (), sustained))
        if self._together(chosen, [best], (), sustained) > together:
            for place in fired:
                chosen[place] = chosen[place] if place == best else None

    def _weapon(self, place: int) -> DustWeapon:
        part, index, _ = self.decision.items[place]
        weapon: DustWeapon = self.unit.parts[part].card.weapons[index]
        return weapon

    def _roles(self, part: int, bearer: int) -> Sequence[str]:
        soldiers = self.unit.parts[part].card.soldiers
        return soldiers[bearer].roles if bearer < len(soldiers) else ()

    def _together(
        self, chosen: list[Any], snipers: Sequence[int], others: Sequence[int], sustained: bool = True
    ) -> float:
        """Points that some weapons take together, each as it is with the others declared."""
        attack = Attack(self.unit, sustained=sustained)
        attacks = self.play.rules.attacks
        items = self.decision.items

        def declared(place: int) -> Shot:
            part, index, *bearers = items[place]
            return attacks.shot(self.play, attack, part, index, chosen[place], tuple(bearers))

        shots, busy = [declared(place) for place in snipers], [declared(place) for place in others]
        attack.shots = [*shots, *busy]
        total = 0.0
        for shot in attack.shots:
            share, _, ends = self.fire.exact(self.play, shot)
            total += shot.target.fighters()[0].card.points * ((1 - self.fire.finish) * share + self.fire.finish * ends)
        return total

    def _fewer(self, chosen: list[Any]) -> Answer:
        """Weapons that do not go together: give up what does least; or the guns whose crews then have their hands free.

        d47.skill.support_weapon_crew.
        """
        aimed = [place for place, aim in enumerate(chosen) if aim is not None]
        aimed.sort(key=lambda place: (self.gains[place], -place))
        ways = [aimed, sorted(aimed, key=lambda place: not self._crewed(place))]
        kept = [rest for rest in (self._without(chosen, way) for way in ways) if rest is not None]
        if not kept:
            return self.decision.default if self.decision.default is not None else next(self.decision.answers())
        return max(kept, key=self._gained)

    def _without(self, chosen: list[Any], order: Sequence[int]) -> tuple[Any, ...] | None:
        """What is left when weapons are given up in an order until the rest goes together."""
        left = list(chosen)
        for place in order:
            left[place] = None
            rest = tuple(left)
            if self.decision.objection(rest) is None:
                return rest
        return None

    def _crewed(self, place: int) -> bool:
        part, index, _ = self.decision.items[place]
        return index >= 0 and bool(self.unit.parts[part].card.weapons[index].crewed)

    def _gained(self, answer: tuple[Any, ...]) -> float:
        return sum(self.gains[place] for place, aim in enumerate(answer) if aim is not None)

    def _aim(self, item: Any, options: Any) -> Any:
        part, index, bearer = item
        best, most, struck = None, 0.0, []
        least = self.leasts.get((part, index))
        if least is None:
            least = self.leasts[part, index] = self._least(part, index)
        limited = least > 0.0
        for aim in self._worth_looking(options):
            hits = self._victims(part, index, bearer, aim)
            worth = sum(self._marginal(hit) for hit in hits) + self._named(aim, hits)
            if worth and self.struck_back is not None and self._is_blow(part, index):
                worth -= self._paid_for(hits, worth)
            if limited and len(aim) > 2 and aim[1] in ("volley", "salvo"):
                worth *= 0.9
            if worth > most and worth > least:
                best, most, struck = aim, worth, hits
        self.gains.append(most)
        if struck and self._is_blow(part, index):
            self.fought.update(hit.victim.id for hit in struck)
        for hit in struck:
            name = hit.victim.id
            self.taken[name] = self.taken.get(name, 0.0) + hit.share
            self.spared[name] = self.spared.get(name, 1.0) * (1.0 - hit.ends)
        return best

    def _is_blow(self, part: int, index: int) -> bool:
        return bool(self.play.rules.attacks.weapon_of(self.unit.parts[part], index).close)

    def _paid_for(self, hits: Sequence[Hit], worth: float) -> float:
        """What those struck back with who are not fought yet; somebody is struck all the same."""
        assert self.struck_back is not None
        others = [hit.victim for hit in hits if hit.victim.id not in self.fought]
        return min(MOST_PAID * worth, sum(self.struck_back(victim) for victim in others))

    def _least(self, part: int, index: int) -> float:
        """What a shot must be worth: more where it costs ammunition that a better target could be given."""
        weapon = self.unit.parts[part].card.weapons[index] if index >= 0 else None
        state = self.play.state
        if weapon is None or weapon.ammo is None or state.turn >= state.scenario.turns:
            return 0.0
        best = max((strikes(weapon, foe) for foe in state.on_board(1 - self.unit.side)), default=0.0)
        return max(LEAST * 8, 0.3 * best)

    def _named(self, aim: Any, hits: list[Hit]) -> float:
        """A soldier picked by name is worth more than the one his owner would give up."""
        if len(aim) < 3 or "at" not in aim or not hits:
            return 0.0
        card, soldier = aim[aim.index("at") + 1]
        part = next((part for part in hits[0].victim.parts if part.card.id == card), None)
        if part is None:
            return 0.0
        if not part.squad:
            return hits[0].chance * (self._next_hit(part) - self._next_hit(hits[0].victim.fighters()[0]))
        own = self.play.state.on_board(self.unit.side)
        worths = [soldier_worth(part, man, own) for man in part.alive]
        more = soldier_worth(part, soldier, own) - min(worths, default=0.0)
        worth = part.card.points * more / max(1.0, sum(worths)) * 0.6
        if self.missed is not None:
            worth += self.missed(hits[0].victim, part, soldier)
        return hits[0].chance * worth

    def _next_hit(self, part: Part) -> float:
        """Points that the next hit takes from a part: a hero with one wound left is gone with it."""
        whole = len(part.card.soldiers) if part.squad else part.card.damage
        finish = self.fire.finish
        return part.card.points * ((1 - finish) / max(1, whole) + (finish if part.left == 1 else 0.0))

    def _worth_looking(self, options: Any) -> tuple[Any, ...]:
        """Of aims at squares only those that strike a foe, one for every set of victims."""
        known = self.areas.get(id(options))
        if known is None:
            known = self.areas[id(options)] = self._few(options)
        return known

    def _few(self, options: Any) -> tuple[Any, ...]:
        aims = [aim for aim in options if aim is not None]
        by_id = self.play.state.by_id
        if not aims or aims[0][0] in by_id:
            return tuple(aims)
        stands: dict[int, list[Unit]] = {}
        for unit in self.play.state.units:
            if unit.on_board and not unit.is_aircraft:
                for place in unit.where:
                    stands.setdefault(place, []).append(unit)
        groups: dict[tuple[str, ...], tuple[float, Any]] = {}
        for aim in aims:
            if len(aim) > 2 and aim[1] == "area":
                victims = self._in_area(aim[2], stands)
            elif len(aim) > 2 and aim[1] == "smoke":
                continue
            else:
                victims = {unit.id: unit for unit in stands.get(aim[0], ())}
                if len(aim) > 1:  # an area of its own kind: let the plan tell
                    victims = {unit.id: unit for unit in self.play.state.on_board()}
            side = self.unit.side
            worth = sum(u.points * (1 if u.side != side else -1.5) for u in victims.values() if u is not self.unit)
            if worth <= 0:
                continue
            centre = 1.0 if aim[0] in stands and any(u.side != side for u in stands[aim[0]]) else 0.0
            key = tuple(sorted(victims))
            if key not in groups or centre > groups[key][0] % 1 * 10:
                groups[key] = (worth + centre / 10, aim)
        best = sorted(groups.values(), key=lambda pair: -pair[0])[:MOST_AREAS]
        return tuple(aim for _, aim in best)

    def _in_area(self, places: Any, stands: dict[int, list[Unit]]) -> dict[str, Unit]:
        """Who stands on the places of an area; on an open table they are fields that the ground knows."""
        if self.play.rules.table == "measured":
            units = self.play.rules.ground.standing_on(self.play.state, places, self.unit)
            return {unit.id: unit for unit in units}
        return {unit.id: unit for place in places for unit in stands.get(place, ())}

    def _victims(self, part: int, index: int, bearer: int, aim: Any) -> list[Hit]:
        """Who is struck by the aim, what share of each it takes, and the chance of a hit."""
        key = (part, index, aim)
        known = self.hits.get(key)
        if known is None:
            shot = self._shot(part, index, bearer, aim)
            known = self.hits[key] = []
            for struck in self._struck(shot):
                target = struck.target
                if target.fighters()[0].left > 0:
                    known.append(Hit(target, *self.fire.single(self.play, struck, self.number, self._number(target))))
        return known

    def _struck(self, shot: Shot) -> list[Shot]:
        direct = shot.target is not shot.unit and "on_victims" not in shot.effects
        if direct and not any(cell.blast for cell in shot.weapon.cells.values()):
            return [shot] if shot.cell is not None else []
        victims: list[Shot] = self.play.rules.attacks.victims(self.play, shot)
        return victims

    def _shot(self, part: int, index: int, bearer: int, aim: Any) -> Shot:
        attacks = self.play.rules.attacks
        target = self.play.state.by_id.get(aim[0])
        if target is None or self.unit.where == ():
            made: Shot = attacks.shot(self.play, self.attack, part, index, aim, (bearer,))
            return made
        owner = self.unit.parts[part]
        weapon = attacks.weapon_of(owner, index)
        mount = weapon.mount if weapon.mount != "turret" else None
        line = self.lines.get((target.id, mount))
        if line is None:
            made = attacks.shot(self.play, self.attack, part, index, aim, (bearer,))
            self.lines[target.id, mount] = made.line
            return made
        effects = attacks.effects_of(self.play, owner, index)
        return Shot(self.play, self.attack, owner, index, weapon, effects, target, line, 1, aim, (bearer,))

    def _number(self, unit: Unit) -> int:
        number = self.numbers.get(unit.id)
        if number is None:
            number = self.numbers[unit.id] = self.fire.mark(unit)
        return number

    def _marginal(self, hit: Hit) -> float:
        """Points that one more shot adds: more where it finishes a unit, nothing beyond its end."""
        victim = hit.victim
        before, spared = self.taken.get(victim.id, 0.0), self.spared.get(victim.id, 1.0)
        finish = self.fire.finish
        part = victim.fighters()[0]
        whole = len(part.card.soldiers) if part.squad else part.card.damage
        left = part.left / max(1, whole)
        old, new = _cap(before), _cap(before + hit.share)
        worth = (1 - finish) * left * (new - old)
        worth += finish * (max(1.0 - spared * (1.0 - hit.ends), new * new) - max(1.0 - spared, old * old))
        worth *= part.card.points
        if self.beyond is not None and hit.ends and victim.side != self.unit.side:
            worth += self.beyond(victim) * spared * hit.ends
        if before < 0.3:
            worth += hit.chance * token_worth(victim, self.weights["shaken"]) * 0.5
        return -1.5 * worth if victim.side == self.unit.side else worth


def _cap(share: float) -> float:
    """Expected shares beyond the whole are mostly wasted; a little more makes sure of it."""
    if share <= 0.8:
        return share
    return 0.8 + 0.2 * (1.0 - 0.2 / (0.2 + (share - 0.8) * 1.5)) if share < 3 else 1.0


__all__ = ["Declaration", "soldier_worth", "weapon_worth"]
