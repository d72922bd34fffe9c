"""Blutkreuz units: apes, Übertoten, zombies (dw.ability.blutkreuz_*). Their serum is in repairing.py."""

from __future__ import annotations

from dieselfront.rulesets.warfare.abilities.moving import Climb, ClimbUp
from dieselfront.rulesets.warfare.cover import worse
from dieselfront.rulesets.warfare.firing import Strike
from dieselfront.rulesets.warfare.hooks import Ability
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.table.measured.terrain import Cover

APE, UBERTOTEN, ZOMBIE = "Blutkreuz Ape", "Blutkreuz Übertoten", "Blutkreuz Zombie"
Refusal = tuple[str, str]


class Fearless(Ability):
    """Takes no suppression markers and heeds none."""

    def on_suppressible(self, may: bool, unit: Unit, state: State) -> bool:
        return False

    def on_suppressed(self, counts: bool, unit: Unit, state: State) -> bool:
        return False


class ApeCourage(Fearless):
    """No suppression, hence no Hit the Dirt (dw.ability.blutkreuz_ape_suppression)."""

    name = APE
    rule = "dw.ability.blutkreuz_ape_suppression"

    def on_hit_the_dirt(self, may: bool, unit: Unit, state: State) -> bool:
        return False


class ApeOrders(Ability):
    """Orders reach it anywhere (dw.ability.blutkreuz_ape_orders)."""

    name = APE
    rule = "dw.ability.blutkreuz_ape_orders"

    def on_orders_anywhere(self, rule: str, unit: Unit, state: State) -> str:
        return self.rule


class ApeClimb(Climb, ClimbUp):
    """Climbs (dw.ability.blutkreuz_ape_climb)."""

    name = APE
    rule = "dw.ability.blutkreuz_ape_climb"


class OwnKind(Ability):
    """Joins and is joined by its own kind only."""

    def on_join(self, refusal: Refusal | None, unit: Unit, joiner: Unit, state: State) -> Refusal | None:
        return refusal or (None if joiner.card.has(self.name) else (self.rule, f"only {self.name} may join it"))

    def on_joins(self, refusal: Refusal | None, joiner: Unit, unit: Unit, state: State) -> Refusal | None:
        return refusal or (None if unit.has(self.name) else (self.rule, f"{joiner.name} joins only {self.name}"))


class ApeJoin(OwnKind):
    """Only apes among apes (dw.ability.blutkreuz_ape_join)."""

    name = APE
    rule = "dw.ability.blutkreuz_ape_join"


class UbertotenCourage(Fearless):
    """Never suppressed; Hit the Dirt, which works by a marker, brings nothing (dw.ability.blutkreuz_ubertoten)."""

    name = UBERTOTEN
    rule = "dw.ability.blutkreuz_ubertoten"


class UbertotenJoin(Ability):
    """Heroes may join it, zombie heroes too (dw.ability.blutkreuz_ubertoten_join)."""

    name = UBERTOTEN
    rule = "dw.ability.blutkreuz_ubertoten_join"

    def on_join(self, refusal: Refusal | None, unit: Unit, joiner: Unit, state: State) -> Refusal | None:
        return None if refusal is not None and refusal[0] == ZombieJoin.rule else refusal


class ZombieCourage(Fearless):
    """No suppression, hence no Hit the Dirt (dw.ability.blutkreuz_zombie)."""

    name = ZOMBIE
    rule = "dw.ability.blutkreuz_zombie"

    def on_hit_the_dirt(self, may: bool, unit: Unit, state: State) -> bool:
        return False


class ZombieCover(Ability):
    """Its cover is one step worse (dw.ability.blutkreuz_zombie_cover)."""

    name = ZOMBIE
    rule = "dw.ability.blutkreuz_zombie_cover"

    def on_cover(self, grade: Cover, strike: Strike) -> Cover:
        if grade:
            strike.note(self.rule, "zombies: one step worse")
        return worse(grade)


class ZombieJoin(OwnKind):
    """Only zombies among zombies (dw.ability.blutkreuz_zombie_join)."""

    name = ZOMBIE
    rule = "dw.ability.blutkreuz_zombie_join"


__all__ = ["APE", "UBERTOTEN", "ZOMBIE"]
