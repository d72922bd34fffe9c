"""Special rules of weapons that need the whole rulebook: ranging, fuel, shockwave, smoke and their kin (k47.wrule.*).

What a weapon's rules answer at the hooks is in weapon_effects.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from dieselfront.dice import D6, Because, Throw
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.damage import Volley
from dieselfront.rulesets.konflikt47.events import Gained, NoShot
from dieselfront.rulesets.konflikt47.firing import ADVANCE, Aimed, Pool, Shot, Wound, damage_throw
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import Ranging, State, Unit
from dieselfront.rulesets.konflikt47.throws import at_least, number
from dieselfront.table.measured.angles import heading_of, step
from dieselfront.table.measured.templates import Strip


class WeaponRules(Chapter):
    """Procedures behind the names in the special column of the weapons chart."""

    # -- indirect fire ------------------------------------------------------------------------------------

    def ranging(self, aimed: Aimed) -> tuple[int, tuple[Because, ...]]:
        """6, then one better each turn at the same unmoved target; zeroed in it stays 2+
        (k47.wrule.indirect_hit, k47.wrule.indirect_zero)."""
        need = self.ranged_number(aimed.state, aimed.unit, aimed.target, aimed.weapon_index)
        rule = "k47.wrule.indirect_zero" if need == 2 else "k47.wrule.indirect_hit"
        ranged: tuple[int, tuple[Because, ...]] = need, (Because(rule, "ranging in"),)
        ranged = aimed.weapon.ask("on_ranging", ranged, aimed)
        return ranged

    def ranged_number(self, state: State, unit: Unit, target: Unit, weapon: int) -> int:
        last = self.last_ranging(unit, weapon)
        if last is None or unit.order == ADVANCE:
            return 6
        _, id, own, theirs, needed, turn = last
        if id != target.id or own != unit.moves or theirs != target.moves:
            return 6
        if needed == 0:
            return 2
        return max(2, needed - 1) if turn == state.turn - 1 else 6

    def last_ranging(self, unit: Unit, weapon: int) -> Ranging | None:
        return next((entry for entry in unit.ranging if entry[0] == weapon), None)

    def remember_ranging(self, state: State, unit: Unit, target: Unit, pool: Pool, hits: int) -> None:
        """Keep what the next shot at this target will need."""
        last = self.last_ranging(unit, pool.weapon_index)
        zeroed = hits > 0 or (
            last is not None and last[4] == 0 and last[1] == target.id and last[2:4] == (unit.moves, target.moves)
        )
        entry: Ranging = (
            pool.weapon_index, target.id, unit.moves, target.moves, 0 if zeroed else pool.need, state.turn,
        )  # fmt: skip
        others = [kept for kept in unit.ranging if kept[0] != pool.weapon_index]
        unit.ranging = (*others, entry)

    # -- after the dice to hit ------------------------------------------------------------------------------

    def after_hitting(self, play: Play, volley: Volley, pool: Pool) -> Procedure:
        """Rules that speak between hitting and damage; returns the hits that remain."""
        unit, target, weapon = volley.unit, volley.target, pool.weapon
        hits = pool.hits
        if pool.indirect:
            self.remember_ranging(play.state, unit, target, pool, hits)
        if not hits and pool.dice and weapon.at_gun and pool.round != "HE":
            hits = yield from self.rules.specials.designated(play, unit, target, pool)
        for answer in weapon.hooks.get("on_hits", ()):
            hits = yield from answer(hits, play, volley, pool)
        if hits and target.building:
            for answer in weapon.hooks.get("on_house_hit", ()):
                yield from answer(None, play, volley, pool)
        return hits

    def compression(self, play: Play, volley: Volley, pool: Pool, hits: int) -> Procedure:
        """Three hits of three: more rolls to hit, a gun may burst (k47.special.compression)."""
        unit, target = volley.unit, volley.target
        if target.is_artillery:
            roll = yield from number(play, "D6", "compression wave", "k47.special.compression", unit.side, unit.id)
            if roll >= 5:
                yield from self.rules.losses.destroy(play, target, "the gun burst", "k47.special.compression")
                return 0
        extra = 1 if target.is_vehicle else 3
        thrown = yield from play.throw(pool.throw(), extra, unit.side, unit.id, "k47.special.compression")
        return hits + thrown.successes

    def launcher_spread(self, play: Play, volley: Volley, pool: Pool) -> Procedure:
        """Every unit within 6" of the target is rolled for as well (k47.special.multiple_launcher)."""
        state: State = play.state
        unit, target = volley.unit, volley.target
        least = pool.weapon.min_range * INCH
        near = [
            other
            for other in state.units
            if other.on_table and other is not target and other is not unit and ground.within(other, target, 6)
            and any(ground.distance(self.rules.shooting.shooter_body(state, unit), body) >= least
                    for body in ground.presence(state, other))
        ]  # fmt: skip
        for other in near:
            thrown = yield from play.throw(
                pool.throw(), len(pool.men), unit.side, unit.id, "k47.special.multiple_launcher"
            )
            if thrown.successes and other.alive:
                yield from self.splash(play, unit, other, pool, thrown.successes)

    def splash(self, play: Play, unit: Unit, other: Unit, pool: Pool, hits: int) -> Procedure:
        """An HE hit on a neighbour of the target."""
        aside = Pool.__new__(Pool)
        for name in Pool.__slots__:
            setattr(aside, name, getattr(pool, name))
        aside.hits = hits
        aside.facing = "top" if other.is_vehicle else ""
        aside.pen = self.rules.damage.penetration(play.state, unit, other, aside)
        volley = Volley(unit, other, "fire")
        yield from self.rules.damage.roll_damage(play, volley, aside)
        yield from self.rules.damage.apply(play, volley)

    # -- after the action -----------------------------------------------------------------------------------

    def after_firing(self, play: Play, unit: Unit, shots: Sequence[Shot]) -> Procedure:
        """One-shot weapons are spent (k47.wrule.one_shot), fuel may run out, rail guns run hot."""
        if not unit.alive:
            return
        del unit.rail_half
        for shot in shots:
            for answer in unit.weapon(shot.weapon).hooks.get("on_fired", ()):
                yield from answer(None, play, unit, shot)

    def fuel(self, play: Play, unit: Unit, shot: Shot) -> Procedure:
        """On a 1 the fuel is gone (k47.wrule.flame_fuel)."""
        roll = yield from number(play, "D6", "fuel", "k47.wrule.flame_fuel", unit.side, unit.id)
        if roll > 1:
            return
        if unit.is_vehicle:
            unit.lost_weapons = (*unit.lost_weapons, shot.weapon)
            play.emit(Gained("k47.wrule.flame_fuel", unit.id, "the flamethrower is empty"))
        elif unit.card.team:
            yield from self.rules.losses.destroy(play, unit, "out of fuel", "k47.wrule.flame_fuel")
        else:
            yield from self.rules.losses.remove(play, unit, [shot.man])

    # -- shockwave ------------------------------------------------------------------------------------------

    def wave(self, state: State, unit: Unit, target: Unit, shot: Shot) -> tuple[str, ...]:
        """Who stands on the line of a shockwave when it is fired, friend or foe (k47.wrule.shockwave_line)."""
        line = self.wave_line(state, unit, target, unit.weapon(shot.weapon).range)
        return tuple(
            other.id
            for other in state.units
            if other.on_table
            and other is not unit
            and any(line.touches(body) for body in ground.presence(state, other))
        )

    def shockwave(self, play: Play, unit: Unit, touched: Sequence[str]) -> Procedure:
        """A line across the target to the full range; every unit on it is hit on 4+ (k47.wrule.shockwave_line).

        In a firefight it runs on even if the shooter has fallen meanwhile (k47.open.firefight_timing).
        """
        throw = Throw("shockwave", D6, at_least(4), "k47.wrule.shockwave_line")
        for id in touched:
            other = play.state.unit(id)
            if not other.on_table:
                continue
            thrown = yield from play.throw(throw, 1, unit.side, unit.id)
            if thrown.successes:
                yield from self.shocked(play, unit, other)

    def wave_line(self, state: State, unit: Unit, target: Unit, inches: int) -> Strip:
        """From the muzzle through the nearest visible model of the target."""
        start = self.rules.shooting.shooter_body(state, unit)
        bodies = ground.presence(state, target)
        aim = min(bodies, key=lambda body: (ground.distance(start, body), body.x, body.y))
        dx, dy = step(
            heading_of(aim.x - start.x, aim.y - start.y) if (aim.x, aim.y) != (start.x, start.y) else 0, inches * INCH
        )
        return Strip((start.x, start.y), (start.x + dx // 10, start.y + dy // 10))

    def shocked(self, play: Play, unit: Unit, other: Unit) -> Procedure:
        """D3 pins; troops take D3 hits at +1, vehicles are stunned (k47.wrule.shockwave_effect)."""
        pins = yield from number(play, "D3", "pins", "k47.wrule.shockwave_effect", unit.side, other.id)
        before = len(other.men)
        if not other.is_vehicle:
            hits = yield from number(play, "D3", "hits", "k47.wrule.shockwave_effect", unit.side, other.id)
            yield from self.hurt(play, unit, other, hits, 1, "shockwave")
        if other.alive:
            yield from self.rules.morale.pin(play, other, pins, "k47.wrule.shockwave_effect")
        if other.alive and other.is_vehicle:
            yield from self.rules.damage.stun(play, other, "k47.wrule.shockwave_effect")
        yield from self.rules.damage.half_check(play, other, before)

    def hurt(self, play: Play, unit: Unit, target: Unit, hits: int, pen: int, what: str) -> Procedure:
        """Plain hits at a penetration on troops, outside a volley: shockwaves, mines, burning transports."""
        wound = Wound(play.state, None, pen)
        value = self.rules.damage.value(target, wound)
        throw = damage_throw(value, pen, f"damage by {what}")
        if not throw.faces or hits <= 0:
            return
        thrown = yield from play.throw(throw, hits, unit.side, target.id)
        volley = Volley(unit, target, what)
        sixes, others = yield from self.rules.damage.ignored(
            play, volley, self.rules.plans.ignore(target, wound), 0, thrown.successes
        )
        volley.total_losses = sixes + others
        if volley.total_losses and target.alive:
            yield from self.rules.losses.take(play, volley)

    # -- smoke ------------------------------------------------------------------------------------------------

    def smoke(self, play: Play, unit: Unit, target: Unit, shot: Shot) -> Procedure:
        """A hit places smoke of 3" radius on the target (k47.wrule.smoke)."""
        state: State = play.state
        pools, lost = self.rules.shooting.pools(state, unit, target, [shot], "fire")
        if not pools:
            if lost:
                play.emit(NoShot(lost[0], unit.id, target.id, lost[1]))
            return
        pool = pools[0]
        pool.round = "smoke"
        hits = yield from self.rules.shooting.roll_to_hit(play, unit, target, pool)
        self.remember_ranging(state, unit, target, pool, hits)
        if hits:
            bodies = ground.presence(state, target)
            x = sum(body.x for body in bodies) // len(bodies)
            y = sum(body.y for body in bodies) // len(bodies)
            self.rules.terrain.put_smoke(play, x, y)
