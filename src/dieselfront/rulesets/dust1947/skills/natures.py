"""What a unit is: zombies, Steel Guards, superhumans, creatures, flyers, boats, small and tracked vehicles.

Who may join whom is checked when the army is built (forces/dust_check.py).
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from dieselfront.dice import Because
from dieselfront.rulesets.dust.hooks import Skill
from dieselfront.rulesets.dust.shots import Saves, Shot
from dieselfront.rulesets.dust.state import SUPPRESSED, UNDER_FIRE, Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation, Menu
from dieselfront.rulesets.dust1947.dice import SHIELD
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.skills.recovery import Resilience
from dieselfront.table.square import Mover

Refusal = tuple[str, str] | None


class NeverSuppressed(Skill):
    """Takes neither under fire nor suppression tokens, whoever hands them out (d47.open.token_immunity)."""

    def on_token(self, token: int | None, unit: Unit) -> int | None:
        return None if token in (UNDER_FIRE, SUPPRESSED) else token


class HardSkin(Skill):
    """No cover saves, but infantry saves on ARMY or SHIELD."""

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        saves.no_cover = True
        saves.infantry_faces |= SHIELD
        saves.because.append(Because(self.rule, f"{self.name}: no cover save, infantry save on ARMY or SHIELD"))
        return saves


# -- zombies --------------------------------------------------------------------------------------


class ZombieSaves(HardSkin):
    """Zombies never make cover saves; their infantry save passes on ARMY or SHIELD (d47.skill.zombie_saves)."""

    name = "Zombie"
    rule = "d47.skill.zombie_saves"


class ZombieCommand(Skill):
    """Officers, medics and mechanics cannot order zombies (d47.skill.zombie_command)."""

    name = "Zombie"
    rule = "d47.skill.zombie_command"

    def on_ordered(self, refusal: Refusal, order: Any, unit: Unit) -> Refusal:
        return refusal or (self.rule, f"{unit.name}: zombies do not listen to command actions")


class ZombieTransport(Skill):
    """Zombies are never passengers (d47.skill.zombie_transport)."""

    name = "Zombie"
    rule = "d47.skill.zombie_transport"

    def on_passenger(self, refusal: Refusal, unit: Unit, carrier: Unit) -> Refusal:
        return refusal or (self.rule, f"{unit.name}: zombies never ride in anything")


class MindlessObjectives(Skill):
    """Mindless zombies only contest objectives (d47.skill.mindless_objectives)."""

    name = "Mindless"
    rule = "d47.skill.mindless_objectives"

    def on_holds(self, standing: str, unit: Unit, play: Play) -> str:
        return "contest" if standing == "hold" else standing


class MindlessSuppression(NeverSuppressed):
    """Mindless zombies and those joined to them are never suppressed (d47.skill.mindless_suppression)."""

    name = "Mindless"
    rule = "d47.skill.mindless_suppression"


# -- Steel Guards, superhumans, creatures, gorillas ---------------------------------------------------


class SteelGuardSave(HardSkin):
    """Steel Guards never make cover saves; their infantry save passes on ARMY or SHIELD.

    d47.skill.steel_guard_save.
    """

    name = "Steel Guard"
    rule = "d47.skill.steel_guard_save"


class SteelGuardArtillery(Skill):
    """Artillery does not cancel the infantry saves of Steel Guards (d47.skill.steel_guard_artillery)."""

    name = "Steel Guard"
    rule = "d47.skill.steel_guard_artillery"

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        saves.immune_to += ("d47.weapon.artillery_saves",)
        return saves


class SteelGuardResilient(Resilience):
    """Steel Guards are Damage Resilient too (d47.skill.steel_guard_resilient)."""

    name = "Steel Guard"
    rule = "d47.skill.steel_guard_resilient"

    def protects(self, part: Part, shot: Shot | None) -> bool:
        return True


class SuperhumanSaves(Skill):
    """Superhumans pass infantry saves on ARMY or SHIELD as well (d47.skill.superhuman_saves)."""

    name = "Superhuman"
    rule = "d47.skill.superhuman_saves"

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        saves.infantry_faces |= SHIELD
        saves.because.append(Because(self.rule, "superhuman: infantry save on ARMY or SHIELD"))
        return saves


class SuperhumanSuppression(NeverSuppressed):
    """Superhumans never receive under fire or suppression tokens (d47.skill.superhuman_suppression).

    Orders and medics reach them like everybody (d47.open.superhuman_vs_command).
    """

    name = "Superhuman"
    rule = "d47.skill.superhuman_suppression"


class MythosCreature(NeverSuppressed):
    """Immune to suppression and to critical hits (d47.skill.mythos_creature)."""

    name = "Mythos Creature"
    rule = "d47.skill.mythos_creature"

    def on_critical(self, may: bool, unit: Unit) -> bool:
        return False


class LesserMythos(Skill):
    """Never the target of command squad, officer or medic actions (d47.skill.lesser_mythos)."""

    name = "Lesser Mythos Creatures"
    rule = "d47.skill.lesser_mythos"

    def on_ordered(self, refusal: Refusal, order: Any, unit: Unit) -> Refusal:
        return refusal or (self.rule, f"{unit.name}: mythos creatures take no orders")


class Gorilla(Skill):
    """Gorillas keep to gorillas, which the army check sees to (d47.skill.gorilla)."""

    name = "Gorilla"


class Loner(Skill):
    """Joins nobody, which the army check sees to (d47.skill.loner)."""

    name = "Loner"


class Mercenary(Skill):
    """May be fielded by any bloc, which the army check knows (d47.skill.mercenary)."""

    name = "Mercenary"


# -- how it moves -------------------------------------------------------------------------------------


class Flying(Skill):
    """Passes over units and terrain, counted in two dimensions (d47.skill.flying_move, d47.skill.flying_2d).

    It is never lent: the unit flies only if every model can (d47.open.flying_sharing).
    """

    name = "Flying"
    rule = "d47.skill.flying_move"

    def on_mover(self, mover: Mover, unit: Unit) -> Mover:
        if all(part.card.has(self.name) for part in unit.fighters()):
            return replace(mover, flying=True)
        return mover


class Trailblazer(Skill):
    """May move through enemy units, not stop there (d47.skill.trailblazer)."""

    name = "Trailblazer"
    rule = "d47.skill.trailblazer"

    def on_mover(self, mover: Mover, unit: Unit) -> Mover:
        return replace(mover, through_enemies=True)


class Amphibious(Skill):
    """Water and swamp are open terrain to it (d47.skill.amphibious)."""

    name = "Amphibious"
    rule = "d47.skill.amphibious"

    def on_mover(self, mover: Mover, unit: Unit) -> Mover:
        return replace(mover, amphibious=True)


class Drive(Skill):
    """What a vehicle drives on decides what terrain it can enter."""

    kind = ""

    def on_mover(self, mover: Mover, unit: Unit) -> Mover:
        return replace(mover, kind=self.kind)


class Tracked(Drive):
    """A tracked vehicle for all terrain rules (d47.skill.tracked)."""

    name = "Tracked"
    rule = "d47.skill.tracked"
    kind = "tracked"


class HalfTracked(Drive):
    """A half-tracked vehicle for all terrain rules (d47.skill.half_tracked)."""

    name = "Half-Tracked"
    rule = "d47.skill.half_tracked"
    kind = "half_tracked"


class Wheeled(Drive):
    """A wheeled vehicle for all terrain rules (d47.skill.wheeled)."""

    name = "Wheeled"
    rule = "d47.skill.wheeled"
    kind = "wheeled"


class NavalTerrain(Drive):
    """Water is its open terrain, and it enters no other (d47.skill.naval_terrain)."""

    name = "Naval Unit"
    rule = "d47.skill.naval_terrain"
    kind = "naval"


class NavalFreeAttack(Skill):
    """A free ATTACK right after a MARCH MOVE (d47.skill.naval_free_attack)."""

    name = "Naval Unit"
    rule = "d47.skill.naval_free_attack"

    def on_actions(self, menu: Menu, activation: Activation) -> Menu:
        menu.follow("march", "free:attack")
        return menu


class NavalDestroyed(Skill):
    """Leaves water, not a wreck (d47.skill.naval_destroyed)."""

    name = "Naval Unit"
    rule = "d47.skill.naval_destroyed"

    def on_wreck(self, leaves: bool, unit: Unit) -> bool:
        return False


class Helicopter(Skill):
    """Need not move first: it may hover (d47.skill.helicopter)."""

    name = "Helicopter"
    rule = "d47.skill.helicopter"

    def on_must_move(self, must: bool, unit: Unit) -> bool:
        return False


# -- how big it is -------------------------------------------------------------------------------------


class SmallVehicleCover(Skill):
    """Always counts as in cover (d47.skill.small_vehicle_cover)."""

    name = "Small Vehicle"
    rule = "d47.skill.small_vehicle_cover"

    def on_cover_always(self, in_cover: bool, unit: Unit) -> bool:
        return True


class SmallVehicleSight(Skill):
    """Blocks sight for other small vehicles only (d47.skill.small_vehicle_los)."""

    name = "Small Vehicle"
    rule = "d47.skill.small_vehicle_los"

    def on_blocks_sight(self, blocks: bool, unit: Unit, viewer: Unit) -> bool:
        return viewer.has(self.name)


class LargeVehicle(Skill):
    """Stands on two squares; the card's size says so (d47.setup.footprint_large)."""

    name = "Large Vehicle"


class HugeVehicle(Skill):
    """Stands on four squares; the card's size says so (d47.setup.footprint_huge)."""

    name = "Huge Vehicle"


ALL: list[type[Skill]] = [
    ZombieSaves,
    ZombieCommand,
    ZombieTransport,
    MindlessObjectives,
    MindlessSuppression,
    SteelGuardSave,
    SteelGuardArtillery,
    SteelGuardResilient,
    SuperhumanSaves,
    SuperhumanSuppression,
    MythosCreature,
    LesserMythos,
    Gorilla,
    Loner,
    Mercenary,
    Flying,
    Trailblazer,
    Amphibious,
    Tracked,
    HalfTracked,
    Wheeled,
    NavalTerrain,
    NavalFreeAttack,
    NavalDestroyed,
    Helicopter,
    SmallVehicleCover,
    SmallVehicleSight,
    LargeVehicle,
    HugeVehicle,
]
