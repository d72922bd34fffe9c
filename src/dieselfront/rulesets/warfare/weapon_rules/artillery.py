"""Artillery: direct and indirect fire, barrages (dw.weapon.artillery_*). Spotters are in artillery.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dieselfront.dice import Throw
from dieselfront.rulesets.warfare.firing import DIRECT, INDIRECT, SUSTAINED, Attack, Pool, Shot
from dieselfront.rulesets.warfare.hooks import WeaponRule
from dieselfront.rulesets.warfare.state import Unit
from dieselfront.rulesets.warfare.throws import with_reason
from dieselfront.rulesets.warfare.unit_cards import WarfareWeapon
from dieselfront.rulesets.warfare.weapon_rules.energy import neighbours

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare


class Artillery(WeaponRule):
    """Directly 12" to 36" (dw.weapon.artillery_direct, dw.open.artillery_direct_min_range); indirectly as a sustained
    attack through a spotter, from 12" to anywhere."""

    name = "Artillery"
    rule = "dw.weapon.artillery_indirect"

    def on_fire_modes(self, modes: Sequence[str], unit: Unit, weapon: WarfareWeapon, attack: Attack) -> Sequence[str]:
        return (DIRECT, INDIRECT) if attack.kind == SUSTAINED else modes

    def on_reach(self, reach: tuple[int, int | None], shot: Shot) -> tuple[int, int | None]:
        return (reach[0], None) if shot.mode == INDIRECT else reach


class Barrage(WeaponRule):
    """Every attack may be aimed at a second unit within 6" of the first, full dice at each
    (dw.weapon.artillery_barrage, dw.open.two_target_weapons)."""

    name = "Barrage"
    rule = "dw.weapon.artillery_barrage"

    def on_second_target(self, targets: list[Unit], attack: Attack, shot: Shot, rules: Warfare) -> list[Unit]:
        """The second one must be a target in its own right: in sight and range."""
        aims = [(unit, Shot(attack, shot.man, shot.place, shot.index, unit, shot.mode)) for unit in neighbours(shot)]
        return [*targets, *[unit for unit, aim in aims if rules.attacking.refusal(aim, {}) is None]]

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        second = any(shot.linked for shot in pool.shots)
        return with_reason(throw, self.rule, "Barrage: the second target") if second else throw


class ArtilleryBarrage(Barrage):
    """The same rule where a card prints its whole name."""

    name = "Artillery Barrage"
