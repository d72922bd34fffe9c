"""Wire and mines on the way (bf.fort.wire_move, bf.fort.mine_attack). Clearing them: engineering.py."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.forces import ARMOUR_CLASSES, Cell, DustCard, DustWeapon
from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.battlefield.movement import STOPPED
from dieselfront.rulesets.dust.events import Happened, Moved
from dieselfront.rulesets.dust.hooks import NO_EFFECTS, Effects
from dieselfront.rulesets.dust.shots import Attack, Line, Pool, Shot
from dieselfront.rulesets.dust.state import Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.dice import task
from dieselfront.rulesets.dust1947.hazards import MINES, WIRE
from dieselfront.rulesets.dust_open.chapters import OpenHazards

MINE = DustWeapon(
    MINES, "Minefield", 1, {column: Cell(0, 1, 2) for column in ARMOUR_CLASSES if column[0] != "A"}
)  # bf.fort.mine_attack
MINE_CARD = DustCard(MINES, MINE.name, "", "fortification", "S", 1, 0, 0, 1, 0, "immobile", weapons=(MINE,))


class BattleHazards(OpenHazards):
    """What a path meets; those who fly meet nothing (bf.open.minefield_attack)."""

    def cross(self, activation: Activation, reach: Any, end: Any) -> Generator[Any, Any, bool]:
        play, unit = activation.play, activation.unit
        kinds = play.state.table.masks_by_kind()
        if unit.is_aircraft or reach.flies or not (WIRE in kinds or MINES in kinds):
            return False
        met: frozenset[str] = activation.memory.get(f"hazards {len(activation.done)}", frozenset())
        for piece, place, walked in self._on_the_way(play, reach, reach.points(end)):
            kind = piece.kind.id
            if piece.id in met or (kind == WIRE and not unit.is_infantry) or kind not in (WIRE, MINES):
                continue
            met |= {piece.id}
            activation.memory[f"hazards {len(activation.done)}"] = met
            if kind == WIRE:
                if (yield from self._caught_in(activation, place, walked)):
                    return True
                continue
            yield from self.mines(play, unit)
            if not unit.alive:
                return True
        return False

    def _caught_in(self, activation: Activation, place: int, walked: int) -> Generator[Any, Any, bool]:
        """ARMY gets through; otherwise the unit stops for this activation and may still act (bf.fort.wire_move)."""
        play, unit = activation.play, activation.unit
        thrown = yield from play.throw(task("barbed wire", "bf.fort.wire_move"), 1, unit.side, unit.id)
        if thrown.successes:
            return False
        activation.memory[STOPPED] = True
        if unit.on_board and place != unit.place:
            play.rules.ground.put(play.state, unit, place, None)
            play.emit(Moved("bf.fort.wire_move", unit.id, (place,), unit.where, unit.facing, walked))
        play.emit(Happened("bf.fort.wire_move", f"{unit.name} is held by the wire", unit.id))
        return True

    def mines(self, play: Play, unit: Unit) -> Procedure:
        """One die per miniature, 2 damage, saves but no cover; hits put the unit under fire.

        bf.fort.mine_attack, bf.open.minefield_attack.
        """
        play.emit(Happened("bf.fort.mine_attack", f"{unit.name} is in a minefield", unit.id))
        yield from self._attack(play, unit, MINE_CARD, {"on_save": (self._no_cover,)})

    def _attack(self, play: Play, unit: Unit, card: DustCard, effects: Effects) -> Procedure:
        attacks = play.rules.attacks
        attacker = Unit(card.id, 1 - unit.side, [Part(card)], card.name)
        attack = Attack(attacker)
        shot = Shot(play, attack, attacker.main, 0, card.weapons[0], effects or NO_EFFECTS, unit, Line(0, True))
        yield from attacks.resolve(play, Pool(shot, attacks.plan(play, shot)))
        yield from play.rules.damage.settle_dying(play, attack)
        yield from play.rules.suppression.after_attack(play, attack)
        attack.let_go()
