"""Minefields (k47.special.minefield, k47.special.mine_kinds)."""

from __future__ import annotations

from collections.abc import Sequence

from dieselfront.dice import D6, Throw
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.damage import ArmourHit, Volley
from dieselfront.rulesets.konflikt47.events import Damaged, TerrainChanged
from dieselfront.rulesets.konflikt47.firing import Wound, damage_throw
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.routes import Route, midway
from dieselfront.rulesets.konflikt47.state import RUN, State, Unit
from dieselfront.rulesets.konflikt47.throws import at_least, number
from dieselfront.table.measured.shapes import Body

SCORE = {"inexperienced": 3, "regular": 4, "veteran": 5}
PACE = INCH  # how finely a way is looked at for the first step into a field


class Mines(Chapter):
    """Fields that attack whoever enters them."""

    def stops(
        self, state: State, unit: Unit, route: Route, start: Sequence[Body], gun: Body | None
    ) -> list[tuple[int, str, str]]:
        """The first step into each field on the way; one attack per field and move."""
        cleared = state.cleared
        fields = [piece for piece in state.table.pieces if piece.kind.id == "minefield" and piece.id not in cleared]
        if not fields or not route.path or unit.flies:
            return []
        stops = []
        for field in fields:
            if any(field.overlaps(body) for body in start):
                continue
            for far in [*range(PACE, route.length, PACE), route.length]:
                bodies, _ = midway(route, start, gun, far)
                if any(field.overlaps(body) for body in bodies):
                    stops.append((far, "mines", field.id))
                    break
        return stops

    def attack(self, play: Play, unit: Unit, field_id: str, order: str) -> Procedure:
        """One die on Advance, three on Run, hitting by the unit's quality (k47.special.minefield)."""
        state: State = play.state
        field = state.table.piece(field_id)
        dice = 3 if order == RUN else 1
        throw = Throw("mines", D6, at_least(SCORE[unit.quality(state)]), "k47.special.minefield")
        thrown = yield from play.throw(throw, dice, 1 - unit.side, unit.id)
        hits = thrown.successes
        if hits and unit.defuses and order != RUN:
            again = yield from play.throw(throw, 1, 1 - unit.side, unit.id)
            hits += again.successes - 1
        if not hits:
            return
        if "dummy" in field.traits:  # k47.special.mine_kinds
            state.cleared = (*state.cleared, field_id)
            play.emit(TerrainChanged("k47.special.mine_kinds", field_id, "turns out to be a dummy"))
            return
        yield from self.blast(play, unit, field.traits, hits)

    def blast(self, play: Play, unit: Unit, traits: Sequence[str], hits: int) -> Procedure:
        """Damage rolls and D3 pins; flame fields frighten and burn (k47.special.mine_kinds)."""
        before = len(unit.men)
        against_tanks = "anti-tank" in traits or "mixed" in traits
        if unit.is_vehicle:
            yield from self.hurt_vehicle(play, unit, 5 if against_tanks else 3, hits)
        elif "anti-tank" not in traits:
            yield from self.rules.weapon_rules.hurt(play, unit, unit, hits, 2, "mines")
        if not unit.alive:
            return
        pins = yield from number(play, "D3", "pins", "k47.special.minefield", 1 - unit.side, unit.id)
        yield from self.rules.morale.pin(play, unit, pins, "k47.special.minefield")
        if not unit.alive:
            return
        if "flame" in traits:
            if unit.is_vehicle:
                fire = yield from number(play, "D6", "fire", "k47.special.mine_kinds", 1 - unit.side, unit.id)
                if fire == 6:
                    yield from self.rules.damage.on_fire(play, unit)
            if unit.alive:
                yield from self.rules.morale.check_or_die(play, unit, "flame mines", "k47.special.mine_kinds")
        else:
            yield from self.rules.damage.half_check(play, unit, before)

    def hurt_vehicle(self, play: Play, unit: Unit, pen: int, hits: int) -> Procedure:
        """Each hit is one damage roll against the vehicle."""
        wound = Wound(play.state, None, pen)
        value = self.rules.damage.value(unit, wound)
        throw = damage_throw(value, pen, "mine damage")
        thrown = yield from play.throw(throw, hits, 1 - unit.side, unit.id, "k47.special.minefield")
        if not throw.faces:
            return
        for face in thrown.stages[0][1]:
            if not unit.alive or not throw.faces >> face & 1:
                continue
            kept, _ = yield from self.rules.damage.ignored(
                play, Volley(unit, unit, "mines"), self.rules.plans.ignore(unit, wound), 1, 0
            )
            if not kept:
                continue
            if unit.is_soft:
                yield from self.rules.losses.destroy(play, unit, "blown up", "k47.special.minefield")
                return
            total = face + 1 + pen
            grade = self.rules.damage.grade(total, value)
            play.emit(Damaged("k47.special.minefield", unit.id, total, value, grade))
            bonus = self.rules.damage.table_bonus(unit, wound)
            yield from self.rules.damage.result(play, unit, ArmourHit(total, value, grade, "", bonus))
