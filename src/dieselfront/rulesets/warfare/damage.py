"""Damage: losses, suppression markers, the damage tables and their effects, destroyed units
(dw.damage.*, dw.aircraft.damage.*).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dieselfront.dice import Throw
from dieselfront.kernel.decisions import PickOne, PickSome
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.hooks import ask
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.damage_tables import (
    DETONATION,
    FIRE,
    FORCED_LOW,
    WEAPON,
    row_for,
    rule_of,
    table_of,
)
from dieselfront.rulesets.warfare.events import Cleared, Damaged, Destroyed, Hurt, LeaderNamed, Lost
from dieselfront.rulesets.warfare.firing import FREE, Pool, Strike
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.profiles import DamageCell
from dieselfront.rulesets.warfare.state import GONE, JOINED, State, Unit
from dieselfront.rulesets.warfare.terrain import KINDS
from dieselfront.rulesets.warfare.throws import combat
from dieselfront.table.measured.shapes import Body, distance_from_point
from dieselfront.table.measured.sight import solid_outline
from dieselfront.table.measured.terrain import Cover, Piece

BLAST = DamageCell(dice=5, damage=1)  # dw.damage.vehicle.ammo_detonation_blast
BLAST_INCHES = 12


class Damage(Chapter):
    """What strikes do to their targets."""

    # -- everything together ---------------------------------------------------------------------------------

    def apply(self, play: Play, strikes: Sequence[Strike]) -> Procedure:
        """Losses of all strikes, then all markers, then the damage tables, then what became of the destroyed
        (dw.reaction.attack_simultaneous, dw.attack.step_order)."""
        hurt: dict[str, int] = {}
        for strike in strikes:
            points = yield from self.assign(play, strike)
            hurt[strike.target.id] = hurt.get(strike.target.id, 0) + points
        for strike in strikes:
            self.mark(play, strike)
        for strike in strikes:
            yield from self.table_roll(play, strike)
        for id, points in hurt.items():
            yield from self.suffered(play, play.state.unit(id), points)
        for id in hurt:
            yield from self.settle(play, play.state.unit(id))

    def suffered(self, play: Play, unit: Unit, points: int) -> Procedure:
        """The unit has really taken damage (dw.open.tank_riders_damaged)."""
        if points > 0 and unit.alive:
            for answer in unit.hooks.get("on_damage_suffered", ()):
                yield from answer(play, unit, points)

    # -- losses ------------------------------------------------------------------------------------------

    def assign(self, play: Play, strike: Strike) -> Procedure:
        """The owner distributes the damage: figures nobody sees take none (dw.damage.blocked_immune), clear ones come
        before obscured ones (dw.damage.assign_visible_first). Returns the points suffered."""
        target = strike.target
        if not target.alive or not strike.suffered:
            return 0
        eligible = [man for man in target.men if man in strike.seen]
        clear = [man for man in eligible if strike.grades.get(man, Cover.NONE) is Cover.NONE]
        hidden = [man for man in eligible if man not in clear]
        left = strike.suffered
        for group in (clear, hidden):
            taken = yield from self.distribute(play, target, group, left)
            left -= taken
        return strike.suffered - left

    def distribute(self, play: Play, unit: Unit, men: Sequence[int], points: int) -> Procedure:
        """Points among some figures, as their owner likes (dw.damage.assign, dw.open.damage_distribution)."""
        room = sum(unit.capacity(man) for man in men)
        points = min(points, room)
        if not points:
            return 0
        if points == room:
            shares = {man: unit.capacity(man) for man in men}
        elif len(men) == 1:
            shares = {men[0]: points}
        else:
            shares = yield from self._shares(unit, men, points)
        self.wound(play, unit, shares, "dw.damage.assign")
        return points

    def _shares(self, unit: Unit, men: Sequence[int], points: int) -> Procedure:
        tokens = [(man, point) for man in men for point in range(1, unit.capacity(man) + 1)]
        chosen = yield PickSome(
            unit.side,
            "casualties",
            tokens,
            points,
            points,
            text=f"{unit.name}: who takes the {points} points of damage?",
            rule="dw.damage.assign",
            unit=unit.id,
            labels=lambda token: self._token_label(unit, token),
            act="lose",
            about=lambda answer: About(act="lose", unit=unit.id, targets=(unit.id,)),
        )
        shares: dict[int, int] = {}
        for man, _ in chosen:
            shares[man] = shares.get(man, 0) + 1
        return shares

    def _token_label(self, unit: Unit, token: Any) -> str:
        if token and isinstance(token[0], tuple):
            return ", ".join(self._token_label(unit, one) for one in token)
        man = token[0]
        figure = unit.figures[man]
        name = figure.card.name if figure.card.is_hero else f"{self.rules.man_name(unit, man)} {man + 1}"
        leader = " (leads)" if man == unit.leader else ""
        point = f", point {token[1]}" if unit.capacity(man) > 1 else ""
        return f"{name}{leader}{point}"

    def wound(self, play: Play, unit: Unit, shares: dict[int, int], rule: str) -> None:
        """Write damage down and take off who has no capacity left (dw.open.stat_line)."""
        for man, points in shares.items():
            unit.wounds[man] = unit.wounds.get(man, 0) + points
        lost = [man for man in shares if unit.capacity(man) <= 0]
        if lost:
            self.remove(play, unit, lost, rule)
        for man, points in shares.items():
            if man not in lost:
                play.emit(Hurt(rule, unit.id, man, points))

    def remove(self, play: Play, unit: Unit, men: Sequence[int], rule: str) -> None:
        """Casualties; the leader's place stays empty until the next activation (dw.leader.lost_promote)."""
        if unit.is_machine and unit.bodies:
            body = unit.bodies[0]
            unit.notes["stood"] = (body.x, body.y, body.heading)
        for man in men:
            unit.lose(man)
        play.emit(Lost(rule, unit.id, tuple(men)))

    # -- markers --------------------------------------------------------------------------------------------

    def mark(self, play: Play, strike: Strike) -> None:
        """One suppression marker for being hit at all, however often (dw.damage.suppression_marker,
        dw.open.suppression_per_attack)."""
        target = strike.target
        if not target.men:
            return
        markers = 1 if strike.hits else 0
        if strike.attack.kind != FREE:
            markers = self.rules.attacking.ask_strike("on_marker", markers, strike)
        self.rules.suppression.suppress(play, target, markers, "dw.damage.suppression_marker")

    # -- what became of a unit -------------------------------------------------------------------------------

    def settle(self, play: Play, unit: Unit) -> Procedure:
        """A unit without figures is destroyed; a hero left alone is his own unit again (dw.hero.last_alive)."""
        if not unit.alive:
            return
        if not unit.men:
            yield from self.destroy(play, unit, "no miniature left", "dw.damage.assign")
            return
        self.rules.outfit.refresh(play.state, unit)
        if unit.is_lone_hero and len(unit.figures) > 1:
            self.rules.suppression.calm(play, unit, unit.suppression, "dw.hero.last_alive")
            if unit.leader is None:
                unit.leader = unit.men[0]
                play.emit(LeaderNamed("dw.hero.last_alive", unit.id, unit.men[0]))

    def destroy(self, play: Play, unit: Unit, how: str, rule: str) -> Procedure:
        """The unit is gone; passengers get out before a wreck is set (dw.open.wreckage)."""
        state: State = play.state
        if not unit.alive:
            return
        body = self.last_body(state, unit) if unit.is_machine else None
        unit.men.clear()
        unit.bodies = []
        unit.place = GONE
        unit.carrier = unit.seat = ""
        unit.suppression = 0
        unit.reaction = False
        unit.leader = None
        play.emit(Destroyed(rule, unit.id, how))
        self.bury_the_joined(state, unit)
        if unit.is_machine:
            yield from self.rules.transport.carrier_lost(play, unit, body)
            self.wreck(play, unit, body)

    def last_body(self, state: State, unit: Unit) -> Body | None:
        """Where a machine stood when it was lost."""
        if unit.bodies:
            return unit.bodies[0]
        stood = unit.notes.pop("stood", None)
        return state.table.stand(ground.shape_of(unit, 0), *stood, (unit.id, 0)) if stood else None

    def bury_the_joined(self, state: State, unit: Unit) -> None:
        """Units that had joined it are gone with it."""
        for other in state.units:
            if other.place == JOINED and other.carrier == unit.id:
                other.place = GONE

    def wreck(self, play: Play, unit: Unit, body: Body | None) -> None:
        """A ground vehicle leaves wreckage of the size of its base (dw.open.wreckage)."""
        state: State = play.state
        battle = state.scenario
        if body is None or not unit.is_vehicle or (battle is not None and not battle.wrecks):
            return
        piece = Piece(f"wreck of {unit.id}", KINDS["wreck"], [solid_outline(body)], in_tenths=True)
        state.table = state.table.with_piece(piece)
        play.emit(Cleared("dw.open.wreckage", unit.id, piece.id, appeared=True))

    # -- the tables -----------------------------------------------------------------------------------------

    def table_roll(self, play: Play, strike: Strike) -> Procedure:
        """A damaged machine that was not destroyed: dice for the damage before armor less cover
        (dw.damage.vehicle_table_roll, dw.open.damage_roll_condition, dw.open.destroyed_no_table)."""
        target = strike.target
        if not target.is_machine or not target.men or not target.alive or strike.suffered <= 0:
            return
        scored = [pool for pool in strike.pools if pool.hits]
        throw = self.table_throw(strike, scored)
        if throw is None:
            given = self.given_effect(strike, scored)
            if given not in target.effects:
                yield from self.give_effect(play, target, given, strike.unit.side)
            return
        thrown = yield from play.throw(throw, strike.table_pool, strike.unit.side, strike.unit.id)
        row = row_for(table_of(target), thrown.successes)
        effect = yield from self.fresh_effect(play.state, target, row.effect, strike.unit.side)
        if effect:
            yield from self.give_effect(play, target, effect, strike.unit.side)

    def given_effect(self, strike: Strike, pools: Sequence[Pool]) -> str:
        """An effect that these weapons give in place of the roll, '' for none."""
        given = ""
        for pool in pools:
            given = ask(self.rules.registry.of_weapon(pool.weapon), "on_table_effect", given, strike)
        return given

    def table_throw(self, strike: Strike, pools: Sequence[Pool]) -> Throw | None:
        """The roll on the damage table if these weapons scored; none where they give an effect instead."""
        if self.given_effect(strike, pools):
            return None
        throw = combat(f"damage to {strike.target.name}", "dw.damage.vehicle_table_roll")
        for pool in pools:
            throw = ask(self.rules.registry.of_weapon(pool.weapon), "on_table_throw", throw, strike)
        return throw

    def lesser(self, unit: Unit, effect: str) -> list[str]:
        """Effects below one that the unit does not have yet, the next lower first."""
        names = [row.effect for row in table_of(unit)]
        below = names[1 : names.index(effect)] if effect in names else []
        return [name for name in reversed(below) if name not in unit.effects]

    def fresh_effect(self, state: State, unit: Unit, effect: str, attacker: int) -> Procedure:
        """No effect twice: the next lower one instead, or by choice of the house any lesser one the attacker picks
        (dw.damage.vehicle_one_effect, dw.open.one_effect_at_a_time)."""
        if not effect or effect not in unit.effects:
            return effect
        below = self.lesser(unit, effect)
        if not below:
            return ""
        if state.option("one_effect_at_a_time") == "next_lower" or len(below) == 1:
            return below[0]
        chosen = yield PickOne(
            attacker,
            "effect",
            below,
            text=f"Which lesser effect does {unit.name} suffer?",
            rule="dw.open.one_effect_at_a_time",
            unit=unit.id,
            act="choose",
            about=lambda name: About(act="choose", targets=(unit.id,)),
        )
        return chosen

    def give_effect(self, play: Play, unit: Unit, effect: str, attacker: int) -> Procedure:
        """The effect stays with the machine until it is repaired (dw.open.damage_effects_repairable)."""
        unit.effects = (*unit.effects, effect)
        play.emit(Damaged(rule_of(unit, effect), unit.id, effect))
        if effect in (WEAPON, DETONATION):
            yield from self.lose_weapon(play, unit, effect, attacker)
        if effect == DETONATION:
            yield from self.blast(play, unit)
        if effect == FORCED_LOW:
            unit.notes["forced low"] = True

    def lose_weapon(self, play: Play, unit: Unit, effect: str, attacker: int) -> Procedure:
        """Damaged: the attacker chooses on a HIT, the owner on a BLANK (dw.damage.vehicle.weapon_damaged,
        dw.aircraft.damage.weapon); detonation: the attacker chooses (dw.damage.vehicle.ammo_detonation)."""
        rule = rule_of(unit, effect)
        chooser = attacker
        if effect == WEAPON:
            thrown = yield from play.throw(combat("who chooses the weapon", rule), 1, attacker, unit.id)
            chooser = attacker if thrown.successes else unit.side
        working = [
            (man, place)
            for man in unit.men
            for place in range(len(unit.carried(man)))
            if (man, place) not in unit.broken and (man, place) not in unit.spent
        ]
        if not working:
            return
        names = {pair: unit.weapons[unit.carried(pair[0])[pair[1]]].name for pair in working}
        chosen = yield PickOne(
            chooser,
            "weapon lost",
            working,
            text=f"Which weapon of {unit.name} is out of action?",
            rule=rule,
            unit=unit.id,
            labels=lambda pair: names[pair],
            act="lose",
            about=lambda pair: About(act="lose", unit=unit.id, targets=(unit.id,), weapons=(names[pair],)),
        )
        unit.broken = (*unit.broken, chosen)
        unit.notes[f"broken by {effect}"] = chosen
        play.emit(Damaged(rule, unit.id, f"{names[chosen]} out of action"))

    def heal_effect(self, play: Play, unit: Unit, effect: str, rule: str) -> None:
        """An effect is repaired, and with it the weapon it put out of action (dw.open.damage_effects_repairable)."""
        if effect not in unit.effects:
            return
        unit.effects = tuple(one for one in unit.effects if one != effect)
        weapon = unit.notes.pop(f"broken by {effect}", None)
        if weapon is not None:
            unit.broken = tuple(pair for pair in unit.broken if pair != weapon)
        if effect == FORCED_LOW:
            unit.notes.pop("forced low", None)
        play.emit(Damaged(rule, unit.id, effect, gone=True))

    def heal_points(self, play: Play, unit: Unit, man: int, points: int, rule: str) -> None:
        """Points of damage recovered on one figure."""
        healed = min(points, unit.wounds.get(man, 0))
        if healed > 0:
            left = unit.wounds[man] - healed
            unit.wounds.pop(man)
            if left:
                unit.wounds[man] = left
            play.emit(Hurt(rule, unit.id, man, -healed))

    def blast(self, play: Play, unit: Unit) -> Procedure:
        """Everybody on foot within 12" of the centre (aircraft: of the base), and who is inside, suffers a 5/1 attack
        (dw.damage.vehicle.ammo_detonation_blast, dw.aircraft.damage.ammo_detonation,
        dw.open.ammo_detonation_attack)."""
        state: State = play.state
        body = unit.bodies[0] if unit.bodies else None
        strikes = []
        if body is not None:
            for other in state.units:
                if other.on_table and other.is_soldier and self._in_blast(unit, body, other):
                    strikes.append(
                        self.rules.attacking.free_strike(state, unit, other, BLAST, "ammunition detonation", body)
                    )
        for other in state.aboard(unit):
            if other.is_soldier:
                strikes.append(
                    self.rules.attacking.free_strike(
                        state, unit, other, BLAST, "ammunition detonation", None, cover=False
                    )
                )
        yield from self.rules.attacking.free_attacks(play, strikes)

    def _in_blast(self, unit: Unit, body: Body, other: Unit) -> bool:
        if unit.is_aircraft:
            return any(ground.distance(body, one) <= BLAST_INCHES * INCH for one in other.bodies)
        return any(distance_from_point(body.cx, body.cy, one) <= BLAST_INCHES * INCH for one in other.bodies)

    # -- fire ---------------------------------------------------------------------------------------------

    def burn(self, play: Play, unit: Unit) -> Procedure:
        """A burning vehicle suffers 1 damage at the end of its activation, without the table
        (dw.damage.vehicle.external_fire)."""
        if FIRE not in unit.effects or not unit.alive or not unit.men:
            return
        yield from self.hit(play, unit, 1, "dw.damage.vehicle.external_fire", "burnt out")

    def hit(self, play: Play, unit: Unit, points: int, rule: str, how: str) -> Procedure:
        """Damage without an attack: a fire, a flight hazard."""
        man = unit.men[0]
        taken = min(points, unit.capacity(man))
        if taken <= 0:
            return
        self.wound(play, unit, {man: taken}, rule)
        yield from self.suffered(play, unit, taken)
        if not unit.men:
            yield from self.destroy(play, unit, how, rule)


__all__ = ["BLAST", "Damage"]
