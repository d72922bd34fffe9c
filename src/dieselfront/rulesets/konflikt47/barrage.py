"""What happens at the start of turns: barrages called by observers, Avanti (k47.open.barrage, k47.nation.italy)."""

from __future__ import annotations

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import on_unit
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import HE_TABLE
from dieselfront.rulesets.konflikt47.damage import ArmourHit, Volley
from dieselfront.rulesets.konflikt47.events import Gained
from dieselfront.rulesets.konflikt47.firing import Wound, damage_throw
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import DOWN, State, Unit
from dieselfront.rulesets.konflikt47.throws import number
from dieselfront.table.measured.shapes import distance_from_point


class ScenarioRules(Chapter):
    """Events of the turn that no unit's order causes."""

    def turn_began(self, play: Play) -> Procedure:
        self.rules.nations.turn_began(play)
        yield from self.barrages(play)

    # -- barrages ------------------------------------------------------------------------------------------------

    def may_call(self, state: State, unit: Unit) -> bool:
        """Once per game, with the option on (k47.open.barrage)."""
        return state.is_on("barrage") and unit.carries("observer") and not unit.called

    def call(self, play: Play, unit: Unit) -> Procedure:
        """On Fire the observer names a visible point; here the place of an enemy unit. True if he called."""
        state: State = play.state
        if not self.may_call(state, unit):
            return False
        seen = [enemy.id for enemy in state.enemies(unit) if ground.sees(state, unit, enemy)]
        if not seen:
            return False
        target = yield PickOne(
            unit.side,
            "barrage",
            [None, *seen],
            text="Where shall the barrage fall?",
            rule="k47.open.barrage",
            unit=unit.id,
            labels=lambda id: "no barrage" if id is None else f"on {state.unit(id).card.name}",
            act="attack",
            about=on_unit("attack", unit.id),
        )
        if target is None:
            return False
        unit.called = True
        body = ground.presence(state, state.unit(target))[0]
        state.barrages = (*state.barrages, (unit.side, body.x, body.y))
        play.emit(Gained("k47.open.barrage", unit.id, "calls a barrage"))
        return True

    def barrages(self, play: Play) -> Procedure:
        """1: lost, 2-3: later, 4-6: it falls."""
        state: State = play.state
        waiting = state.barrages
        if not waiting:
            return
        kept = []
        for entry in waiting:
            side, x, y = entry
            roll = yield from number(play, "D6", "barrage", "k47.open.barrage", side)
            if roll in (2, 3):
                kept.append(entry)
            elif roll >= 4:
                yield from self.fall(play, side, x, y)
        state.barrages = tuple(kept)

    def fall(self, play: Play, side: int, x: int, y: int) -> Procedure:
        """Every unit within D6+6" rolls: pins, or a heavy shell (Massed Batteries: k47.nation.soviet)."""
        state: State = play.state
        spread = yield from number(play, "D6", "barrage radius", "k47.open.barrage", side)
        if state.is_on("national_rules") and any(unit.nation == "Soviet Union" for unit in state.of(side)):
            spread = max(spread, (yield from number(play, "D6", "barrage radius", "k47.nation.soviet", side)))
        reach = (spread + 6) * INCH
        for unit in [one for one in state.units if one.on_table]:
            near = any(distance_from_point(x * 10, y * 10, body) <= reach for body in ground.presence(state, unit))
            if not near:
                continue
            roll = yield from number(play, "D6", "barrage", "k47.open.barrage", side, unit.id)
            if roll <= 3:
                yield from self.rules.morale.pin(play, unit, 1, "k47.open.barrage")
            elif roll <= 5:
                pins = yield from number(play, "D2", "pins", "k47.open.barrage", side, unit.id)
                yield from self.rules.morale.pin(play, unit, pins, "k47.open.barrage")
            else:
                yield from self.shell(play, unit)

    def shell(self, play: Play, unit: Unit) -> Procedure:
        """An HE shell of 3D6."""
        row = HE_TABLE["3D6"]
        before = len(unit.men)
        if unit.is_armoured:
            wound = Wound(play.state, None, row.pen, "top", indirect=True)
            pen = row.pen + (0 if unit.is_walker else 1)
            value = self.rules.damage.value(unit, wound)
            thrown = yield from play.throw(
                damage_throw(value, pen, "shell"), 1, 1 - unit.side, unit.id, "k47.open.barrage"
            )
            hit = None
            if thrown.successes:
                total = thrown.stages[0][1][0] + 1 + pen
                bonus = self.rules.damage.table_bonus(unit, wound)
                hit = ArmourHit(total, value, self.rules.damage.grade(total, value), "top", bonus)
            yield from self.pins(play, unit, row.pins)
            if hit is not None and unit.alive:
                yield from self.rules.damage.result(play, unit, hit)
            return
        hits = yield from number(play, "3D6", "HE hits", "k47.he.hits", 1 - unit.side, unit.id)
        if unit.order == DOWN and not unit.is_vehicle:
            hits //= 2
        if unit.is_vehicle:
            thrown = yield from play.throw(
                damage_throw(6, row.pen, "shell"), hits, 1 - unit.side, unit.id, "k47.open.barrage"
            )
            if thrown.successes:
                yield from self.rules.losses.destroy(play, unit, "blown up", "k47.damage.softskin")
                return
        else:
            yield from self.rules.weapon_rules.hurt(play, unit, unit, hits, row.pen, "the barrage")
        yield from self.pins(play, unit, row.pins)
        yield from self.rules.damage.half_check(play, unit, before)

    def pins(self, play: Play, unit: Unit, notation: str) -> Procedure:
        if unit.alive:
            pins = yield from number(play, notation, "pins", "k47.he.pins", 1 - unit.side, unit.id)
            yield from self.rules.morale.pin(play, unit, pins, "k47.he.pins")


__all__ = ["ScenarioRules", "Volley"]
