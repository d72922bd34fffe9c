"""Weapons used on things (dw.weapon.demolition) and tools (dw.weapon.expert_repair)."""

from __future__ import annotations

from dieselfront.dice import Throw
from dieselfront.kernel.decisions import PickSome
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.warfare.events import Cleared
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.hooks import WeaponRule
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.profiles import best_dice
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.rulesets.warfare.terrain import DEFENCES
from dieselfront.rulesets.warfare.throws import combat, inverted
from dieselfront.table.measured.terrain import Piece

DEMOLISH = "demolish"
DEMOLITION = "Demolition"


def defences_within(state: State, unit: Unit, man: int, inches: int) -> list[Piece]:
    """Obstacles in reach of a miniature."""
    near = state.table.near(unit.body_of(man), inches * INCH)
    return [piece for piece in state.table.pieces if piece.kind.id in DEFENCES and piece in near]


def clear(play: Play, unit: Unit, piece: str, rule: str) -> None:
    """Take a piece of terrain off the battlefield."""
    play.state.table = play.state.table.without_piece(piece)
    play.emit(Cleared(rule, unit.id, piece))


class Demolition(WeaponRule):
    """An attack on defences: the weapon's best dice, each HIT removes one of those aimed at (dw.weapon.demolition,
    dw.open.demolition_dice)."""

    name = DEMOLITION
    rule = "dw.weapon.demolition"

    def on_specials(self, names: list[str], unit: Unit, state: State) -> list[str]:
        reached = any(pieces for _, pieces in self.reached(state, unit))
        return [*names, DEMOLISH] if reached else names

    def reached(self, state: State, unit: Unit) -> list[tuple[int, list[str]]]:
        """For every working demolition weapon its number and the obstacles in its reach."""
        return [
            (index, [piece.id for piece in defences_within(state, unit, man, unit.weapons[index].range)])
            for man in unit.men
            for place, index in enumerate(unit.carried(man))
            if unit.weapons[index].has(DEMOLITION) and index not in unit.empty and (man, place) not in unit.broken
        ]

    def on_special(self, done: bool, play: Play, unit: Unit, name: str) -> Procedure:
        if done or name != DEMOLISH:
            return done
        reached = [(index, pieces) for index, pieces in self.reached(play.state, unit) if pieces]
        options = list(dict.fromkeys(piece for _, pieces in reached for piece in pieces))
        if not options:
            return True
        aimed = yield PickSome(
            unit.side,
            "obstacles",
            options,
            1,
            len(options),
            text=f"{unit.name}: which obstacles are attacked, first to last?",
            rule=self.rule,
            unit=unit.id,
            act="attack",
            about=lambda answer: About(act="attack", unit=unit.id),
        )
        dice = sum(best_dice(unit.weapons[index]) for index, pieces in reached if set(pieces) & set(aimed))
        thrown = yield from play.throw(combat("demolition", self.rule), dice, unit.side, unit.id)
        for piece in aimed[: thrown.successes]:
            clear(play, unit, piece, self.rule)
        return True


class ExpertRepair(WeaponRule):
    """A tool that inverts the die of repair and self repair (dw.weapon.expert_repair,
    dw.open.invert_twice)."""

    name = "Expert Repair"
    rule = "dw.weapon.expert_repair"

    def on_repair_throw(self, throw: Throw, unit: Unit) -> Throw:
        return inverted(throw, self.rule, "Expert Repair: inverted")


__all__ = ["DEMOLISH", "clear", "defences_within"]
