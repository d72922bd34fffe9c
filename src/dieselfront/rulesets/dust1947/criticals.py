"""Critical hits and fire on vehicles (d47.critical.*). Mechanics who repair them live in command.py."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from dieselfront.dice import Because, Reroll, Throw
from dieselfront.forces.dust import DustWeapon
from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.dust.events import CriticalHit, Happened, TerrainChanged
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import BURNING, DustState, Unit
from dieselfront.rulesets.dust1947.attack import SAME_FACES
from dieselfront.rulesets.dust1947.dice import ARMY, ARMY_FACE, SHIELD, SHIELD_FACE, TARGET, TARGET_FACE, task
from dieselfront.rulesets.dust1947.playing import Play

MAIN_WEAPON = "main_weapon_destroyed"
ON_FIRE = "on_fire"
REDUCED_MOBILITY = "reduced_mobility"
SECONDARY_WEAPON = "secondary_weapon_destroyed"
TARGETING = "targeting_system_damaged"
IMMOBILIZED = "immobilized"

RESULTS = {  # d47.critical.table: the unordered pair of faces
    (ARMY_FACE, ARMY_FACE): MAIN_WEAPON,
    (ARMY_FACE, TARGET_FACE): ON_FIRE,
    (ARMY_FACE, SHIELD_FACE): REDUCED_MOBILITY,
    (TARGET_FACE, TARGET_FACE): SECONDARY_WEAPON,
    (SHIELD_FACE, TARGET_FACE): TARGETING,
    (SHIELD_FACE, SHIELD_FACE): IMMOBILIZED,
}

RULES = {
    MAIN_WEAPON: "d47.critical.main_weapon",
    ON_FIRE: "d47.critical.fire_smoke",
    REDUCED_MOBILITY: "d47.critical.reduced_mobility",
    SECONDARY_WEAPON: "d47.critical.secondary_weapon",
    TARGETING: "d47.critical.targeting",
    IMMOBILIZED: "d47.critical.immobilized",
}

MISSES_AGAIN = frozenset({"d47.action.sustained", "d47.weapon.wire_guided"})
"""Re-rolls of misses that a damaged targeting system takes away (d47.open.targeting_vs_sustained)."""

FIRE_DAMAGE = 1
MAIN_LINE = 0


class Criticals:
    """What a lucky hit breaks, and what burns."""

    # -- the check ------------------------------------------------------------------------------

    def check(self, play: Play, attack: Attack) -> Procedure:
        """Once per attack and vehicle that it damaged, when all its damage is known.

        d47.critical.trigger, d47.critical.one_per_attack. Only attacks of units come here: mines, fires and crashes do
        not (d47.open.critical_trigger_scope).
        """
        for unit_id, points in attack.damage_to.items():
            unit = play.state.by_id[unit_id]
            if points > 0 and not attack.flags.get(f"checked:{unit_id}") and self.may_suffer(play, attack, unit):
                yield from self._check_one(play, attack, unit)

    def _check_one(self, play: Play, attack: Attack, unit: Unit) -> Procedure:
        throw = task("critical hit", "d47.critical.trigger")
        thrown = yield from play.throw(throw, 2, attack.unit.side, attack.unit.id)
        if thrown.successes == 2:
            yield from self.hit(play, attack, unit)

    def check_wreck(self, play: Play, attack: Attack, unit: Unit) -> Procedure:
        """A destroyed transport may catch fire before its survivors choose where they stand (d47.transport.survivors).

        The roll belongs to the damage; a house may leave it to the end of the attack (option critical_transport).
        """
        if play.state.options.get("critical_transport", "before_survivors") != "before_survivors":
            return
        if attack.damage_to.get(unit.id, 0) > 0 and self.may_suffer(play, attack, unit):
            attack.flags[f"checked:{unit.id}"] = True
            yield from self._check_one(play, attack, unit)

    def may_suffer(self, play: Play, attack: Attack, unit: Unit) -> bool:
        """Vehicles and aircraft (d47.open.critical_aircraft); destroyed ones only because their wreck may burn."""
        if not ask(unit.effects, "on_critical", True, unit):
            return False
        if unit.alive:
            return not unit.is_infantry
        return self.wreck_may_burn(play, attack, unit)

    def wreck_may_burn(self, play: Play, attack: Attack, unit: Unit) -> bool:
        """The check on a destroyed vehicle matters only for fire (d47.open.critical_destroyed)."""
        if play.state.options.get("critical_destroyed", "roll") != "roll":
            return False
        return any(self.is_cold_wreck(play.state, place) for place in self._fell_at(attack, unit))

    def is_cold_wreck(self, state: DustState, place: int) -> bool:
        has = state.table.has
        return has(place, "wreck") and not has(place, "burning_wreck")

    def _fell_at(self, attack: Attack, unit: Unit) -> tuple[int, ...]:
        """Where a vehicle stood when this attack destroyed it."""
        squares: tuple[int, ...] = attack.flags.get(f"stood:{unit.id}", ())
        return squares

    # -- the result -----------------------------------------------------------------------------

    def hit(self, play: Play, attack: Attack, unit: Unit) -> Procedure:
        """Two dice in the table; what the vehicle already has, or cannot have, is rolled again.

        d47.critical.duplicate_reroll.
        """
        possible = self.possible(unit) if unit.alive else list(RULES)
        if not possible:  # d47.open.critical_no_secondary
            play.emit(Happened("d47.open.critical_no_secondary", f"nothing more of {unit.name} can break", unit.id))
            return
        while True:
            result = yield from self.roll_result(play, attack)
            if result in possible:
                break
        if unit.alive:
            yield from self.suffer(play, unit, result)
        elif result == ON_FIRE:
            self.set_wreck_alight(play, self._fell_at(attack, unit), "d47.open.critical_destroyed")

    def roll_result(self, play: Play, attack: Attack) -> Generator[Any, Any, str]:
        """The unordered pair of two dice (d47.critical.table)."""
        throw = task("critical hit table", "d47.critical.table")
        throw.reads = (ARMY, SHIELD, TARGET)
        thrown = yield from play.throw(throw, 2, attack.unit.side, attack.unit.id)
        one, other = sorted(thrown.stages[0][1])
        return RESULTS[one, other]

    def possible(self, unit: Unit) -> list[str]:
        """Results that would be new and have something to break (d47.open.critical_no_secondary)."""
        new = [result for result in RULES if result not in unit.criticals]
        if not unit.main.card.weapons:
            new = [result for result in new if result != MAIN_WEAPON]
        if not self.secondary_lines(unit):
            new = [result for result in new if result != SECONDARY_WEAPON]
        return new

    def secondary_lines(self, unit: Unit) -> list[int]:
        """Weapon lines other than the first that still work."""
        part = unit.main
        return [line for line in range(1, len(part.card.weapons)) if not part.broken >> line & 1]

    def suffer(self, play: Play, unit: Unit, result: str) -> Procedure:
        """The vehicle takes a critical hit; it lasts until it is repaired."""
        unit.criticals += (result,)
        play.emit(CriticalHit(RULES[result], unit.id, result))
        if result == MAIN_WEAPON:  # d47.critical.main_weapon, and nothing more (d47.open.critical_crippled)
            unit.main.broken |= 1 << MAIN_LINE
        elif result == SECONDARY_WEAPON:
            yield from self._break_secondary(play, unit)
        elif result == ON_FIRE:
            self.set_alight(play, unit)
        elif result == IMMOBILIZED and unit.is_aircraft:
            yield from self._crash(play, unit)

    def mark(self, state: DustState, unit: Unit, result: str, line: int = MAIN_LINE + 1) -> None:
        """A critical hit that a position begins with, for referees; `line` is the secondary weapon that is lost."""
        unit.criticals += (result,)
        if result in (MAIN_WEAPON, SECONDARY_WEAPON):
            unit.main.broken |= 1 << (MAIN_LINE if result == MAIN_WEAPON else line)
        elif result == ON_FIRE:
            unit.set(BURNING)
            move_smoke(state, unit, ())

    def _break_secondary(self, play: Play, unit: Unit) -> Procedure:
        """The owner chooses a weapon other than the first line (d47.critical.secondary_weapon)."""
        weapons = unit.main.card.weapons
        line = yield PickOne(
            unit.side,
            "broken-weapon",
            self.secondary_lines(unit),
            labels=lambda index: weapon_name(weapons, index),
            text=f"{unit.name}: which weapon is destroyed?",
            rule="d47.critical.secondary_weapon",
            unit=unit.id,
            act="lose",
            about=lambda index: About("lose", unit.id, weapons=(weapon_name(weapons, index),)),
        )
        unit.main.broken |= 1 << line
        play.emit(Happened("d47.critical.secondary_weapon", f"{weapon_name(weapons, line)} is destroyed", unit.id))

    def _crash(self, play: Play, unit: Unit) -> Procedure:
        """An aircraft that cannot move any more is destroyed (d47.critical.immobilized)."""
        yield from play.rules.damage.lose(play, unit, unit.main, unit.main.left, rule="d47.critical.immobilized")
        yield from play.rules.damage.bury(play, unit)

    # -- living with it -------------------------------------------------------------------------

    def slow(self, unit: Unit, move: int, march: int) -> tuple[int, int]:
        """Half the pace, rounded down, with reduced mobility (d47.critical.reduced_mobility)."""
        if REDUCED_MOBILITY in unit.criticals:
            return move // 2, march // 2
        return move, march

    def may_move(self, unit: Unit, move: int, march: int) -> tuple[bool, bool]:
        """An immobilized vehicle may not even turn, a slowed one that cannot go may (d47.open.immobilized_turn)."""
        if IMMOBILIZED in unit.criticals:  # d47.critical.immobilized
            return False, False
        # a pace of 0 on the card: no movement at all (d47.open.strongpoint_unit_moves)
        return move > 0 or (REDUCED_MOBILITY in unit.criticals and unit.main.card.move > 0), march > 0

    def change_hits(self, hit: Throw, shot: Shot) -> Throw:
        """With a damaged targeting system hits are rolled again; sustained fire is plain instead.

        d47.critical.targeting.
        """
        if not shot.unit.criticals or TARGETING not in shot.unit.criticals or shot.attack.retaliation:
            return hit
        plain = tuple(again for again in hit.rerolls if again.rule not in MISSES_AGAIN)
        if shot.attack.sustained or len(plain) < len(hit.rerolls):
            hit.rerolls = plain
            text = "targeting damaged: misses are not rolled again"
        else:
            hit.rerolls += (Reroll(True, SAME_FACES, "d47.critical.targeting"),)
            text = "targeting damaged: hits are rolled again"
        hit.because += (Because("d47.critical.targeting", text),)
        return hit

    # -- fire -----------------------------------------------------------------------------------

    def set_alight(self, play: Play, unit: Unit) -> None:
        """A burning vehicle fills its squares with smoke (d47.critical.fire_smoke)."""
        unit.set(BURNING)
        if not unit.is_aircraft:
            self._smoke(play, unit.where, True, "d47.critical.fire_smoke")

    def _smoke(self, play: Play, where: tuple[int, ...], added: bool, rule: str) -> None:
        table = play.state.table
        play.state.table = table.placing("fire_smoke", where) if added else table.clearing("fire_smoke", where)
        play.emit(TerrainChanged(rule, "fire_smoke", where, added))

    def burn(self, play: Play, unit: Unit) -> Procedure:
        """A burning vehicle that activates takes a point first of all, whatever its resilience.

        d47.critical.fire_damage.
        """
        if not unit.flags & BURNING:
            return
        yield from play.rules.damage.lose(play, unit, unit.main, FIRE_DAMAGE, rule="d47.critical.fire_damage")
        yield from play.rules.damage.bury(play, unit)  # d47.open.activation_start_fire

    def leave_wreck(self, play: Play, unit: Unit, where: tuple[int, ...]) -> None:
        """The fire burns on after the vehicle is destroyed (d47.critical.fire_smoke)."""
        if unit.flags & BURNING:
            self.set_wreck_alight(play, where, "d47.critical.fire_smoke")

    def set_wreck_alight(self, play: Play, where: tuple[int, ...], rule: str) -> None:
        """A burning wreck: smoke, and harm to those who enter it (d47.critical.fire_wreck_entry)."""
        play.state.table = play.state.table.placing("burning_wreck", where).placing("fire_smoke", where)
        play.emit(TerrainChanged(rule, "burning_wreck", where, True))

    def disperse(self, play: Play) -> None:
        """Smoke whose fire has left the board goes with it."""
        state = play.state
        if "fire_smoke" not in state.table.masks_by_kind():
            return
        burning = {place for unit in state.on_board() if unit.flags & BURNING for place in unit.where}
        cold = [place for place in state.table.squares_with("fire_smoke") if place not in burning]
        state.table = state.table.clearing("fire_smoke", [p for p in cold if not state.table.has(p, "burning_wreck")])

    # -- repairs --------------------------------------------------------------------------------

    def repair_one(self, play: Play, unit: Unit, critical: str, rule: str = "d47.critical.single_repair") -> None:
        """One critical hit is mended, without a roll (d47.critical.single_repair, d47.open.repair_critical_roll)."""
        unit.criticals = tuple(other for other in unit.criticals if other != critical)
        if critical == MAIN_WEAPON:
            unit.main.broken &= ~(1 << MAIN_LINE)
        elif critical == SECONDARY_WEAPON:
            unit.main.broken &= 1 << MAIN_LINE
        elif critical == ON_FIRE:
            unit.drop(BURNING)
            if not unit.is_aircraft:
                self._smoke(play, unit.where, False, rule)
        play.emit(Happened(rule, f"{unit.name}: {critical.replace('_', ' ')} is repaired", unit.id))

    def full_repair(self, play: Play, unit: Unit) -> None:
        """All criticals disappear when a repair brings the vehicle back to an undamaged track.

        d47.critical.full_repair.
        """
        if unit.main.damage == 0:
            for critical in unit.criticals:
                self.repair_one(play, unit, critical, "d47.critical.full_repair")


def move_smoke(state: DustState, unit: Unit, before: tuple[int, ...]) -> None:
    """The smoke of a burning vehicle moves along with it (d47.open.fire_smoke_size)."""
    if unit.is_aircraft:
        return
    table = state.table
    cleared = tuple(place for place in before if not table.has(place, "burning_wreck"))
    state.table = table.clearing("fire_smoke", cleared).placing("fire_smoke", unit.where)


def weapon_name(weapons: Sequence[DustWeapon], index: int) -> str:
    """A weapon's name, with its mount where the vehicle has several of that name."""
    weapon = weapons[index]
    alike = [other for other in weapons if other.name == weapon.name]
    return f"{weapon.name} ({weapon.mount})" if len(alike) > 1 and weapon.mount else weapon.name


__all__ = ["IMMOBILIZED", "MAIN_WEAPON", "ON_FIRE", "REDUCED_MOBILITY", "SECONDARY_WEAPON", "TARGETING", "Criticals"]
