"""Skills of Battlefield: those of Dust 1947 that read the same here, and those that differ (bf.skill.*)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from msgspec.structs import replace

from dieselfront.dice import DUST_DIE, Because, Throw, Thrown
from dieselfront.dice.plan import PoolPlan
from dieselfront.kernel.decisions import IllegalChoice, YesNo
from dieselfront.kernel.game import Play, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.battlefield.faces import RESURRECTION
from dieselfront.rulesets.battlefield.flags import FRESH_PILOT
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.hooks import Skill
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import CAMOUFLAGED, HIDDEN, STUNNED, Part, Unit
from dieselfront.rulesets.dust1947 import skills as dust1947
from dieselfront.rulesets.dust1947.activation import Activation, Menu
from dieselfront.rulesets.dust1947.damage import Picker
from dieselfront.rulesets.dust1947.dice import ARMY, SHIELD, task
from dieselfront.rulesets.dust1947.skills import (
    assault,
    command,
    deployment,
    joining,
    marksmanship,
    movement,
    natures,
    observers,
    recovery,
    transport,
)
from dieselfront.rulesets.dust1947.skills.command import Deed
from dieselfront.rulesets.dust1947.skills.common import is_spent, spend
from dieselfront.rulesets.dust1947.skills.deployment import SpyRevealed
from dieselfront.rulesets.dust1947.skills.marksmanship import is_action
from dieselfront.rulesets.dust_open.ground import measures
from dieselfront.table.square import Mover

HIDES_BEYOND = 3  # points: from here on a camouflaged unit in cover is not seen
SMOKE = "Smoke Launchers"
PERSONAL = ("submachine", "rifle", "carbine", "pistol")
"""What the weapons of a vehicle's crew are called on the cards."""


# -- shooting ---------------------------------------------------------------------------------------


class Lucky(marksmanship.Lucky):
    """Once a game, declared before any die: the misses of all the hero's weapons are thrown again (bf.skill.lucky)."""

    rule = "bf.skill.lucky"

    def on_aimed(self, attack: Attack, shots: list[Shot]) -> Procedure:
        mine = [shot for shot in shots if self.helps(shot.part)]
        if not mine or self.name in mine[0].part.spent or attack.retaliation:
            return
        unit = attack.unit
        answer = yield YesNo(
            unit.side,
            "lucky",
            text=f"{unit.name}: use Lucky in this attack?",
            rule=self.rule,
            unit=unit.id,
            act="choose",
            about=lambda yes: About(unit=unit.id, skills=(self.name,) if yes else ()),
        )
        if answer:
            mine[0].part.spent += (self.name,)
            attack.flags[self.name] = True

    def on_rolled(self, thrown: Thrown, shot: Shot, hits: int, plan: PoolPlan) -> Generator[Any, Any, int]:
        if not thrown.misses or not self.helps(shot.part) or not shot.attack.flags.get(self.name):
            return hits
        if self.comes_late(shot, plan):
            return hits
        again = Throw("lucky re-roll", DUST_DIE, plan.hit.faces, self.rule, chain=plan.hit.chain)
        second = yield from shot.play.throw(again, thrown.misses, shot.unit.side, shot.unit.id)
        return hits + int(second.successes)


class MoveAndFire(Skill):
    """A free MOVE right after an ATTACK or SUSTAINED ATTACK with ranged weapons (bf.skill.move_and_fire).

    It may come on top of another MOVE (bf.open.move_and_fire_extra).
    """

    name = "Move and Fire"
    rule = "bf.skill.move_and_fire"

    def on_actions(self, menu: Menu, activation: Activation) -> Menu:
        move, _, armed, _, _ = menu.basis
        if not move or not armed:
            return menu
        for plain, ranged in (("attack", "ranged-attack"), ("sustained", "ranged-sustained")):
            for sequence in list(menu.sequences):
                if plain in sequence:
                    place = sequence.index(plain)
                    menu.add((*sequence[:place], ranged, "free:move", *sequence[place + 1 :]))
        return menu


# -- moving -----------------------------------------------------------------------------------------


class Fast(Skill):
    """One point farther in every MOVE and MARCH MOVE (bf.skill.fast)."""

    name = "Fast"
    rule = "bf.skill.fast"

    def on_pace(self, pace: tuple[int, int], unit: Unit) -> tuple[int, int]:
        return pace[0] + 1, pace[1] + 1


class Agile(Fast):
    """Agile is Fast by another name (bf.skill.fast)."""

    name = "Agile"


class Flying(Skill):
    """Over any terrain as if it were open, if everybody in the unit can (bf.skill.flying)."""

    name = "Flying"
    rule = "bf.skill.flying"

    def on_mover(self, mover: Mover, unit: Unit) -> Mover:
        able = all(part.card.has("Flying") or part.card.has("Jump") for part in unit.fighters())
        return replace(mover, flying=True) if able else mover


class Jump(Flying):
    """The same for those who jump; a vehicle that jumps on an old card is Fast (bf.skill.jump)."""

    name = "Jump"
    rule = "bf.skill.jump"

    def on_mover(self, mover: Mover, unit: Unit) -> Mover:
        return mover if unit.is_vehicle else super().on_mover(mover, unit)

    def on_pace(self, pace: tuple[int, int], unit: Unit) -> tuple[int, int]:
        return (pace[0] + 1, pace[1] + 1) if unit.is_vehicle else pace


class AcePilot(movement.AcePilot):
    """A third action on ARMY or TARGET for the vehicle he pilots, not in the turn he mounted it (bf.skill.ace_pilot).

    bf.open.mount_then_drive.
    """

    rule = "bf.skill.ace_pilot"

    def applies(self, unit: Unit) -> bool:
        return super().applies(unit) and not unit.is_(FRESH_PILOT)


class AceAirPilot(movement.AceAirPilot):
    """The same for the aircraft he flies (bf.skill.ace_air_pilot)."""

    rule = "bf.skill.ace_air_pilot"

    def applies(self, unit: Unit) -> bool:
        return super().applies(unit) and not unit.is_(FRESH_PILOT)


class SmokeLaunchers(Skill):
    """Once a game, for an action: a screen of smoke round the vehicle (bf.vehicle.smoke_launchers)."""

    name = SMOKE
    rule = "bf.vehicle.smoke_launchers"

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        if unit.on_board and not is_spent(unit, self.name):
            specials["launch-smoke"] = Deed("launch-smoke", self.perform)
        return specials

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        if unit.on_board and not is_spent(unit, self.name):
            spend(unit, self.name)
            play.rules.smoke.place(play, unit.where[:1], self.rule)
        return
        yield


class Camouflage(movement.Camouflage):
    """Not seen by enemies 30 cm away or more from whom it is in cover (bf.skill.camouflage).

    It sees them all the same (bf.open.camouflage_one_way); with a hero who is not camouflaged it is seen
    (bf.open.camouflage_rejoin).
    """

    rule = "bf.skill.camouflage"

    def on_targeted(self, refusal: tuple[str, str] | None, shot: Shot) -> tuple[str, str] | None:
        target = shot.target
        if not target.is_(CAMOUFLAGED) or not movement.can_hide(target) or not shot.line.cover:
            return refusal
        state = shot.play.state
        eyes = shot.attack.by_observer or shot.unit
        viewer = shot.play.rules.transport.carrier_or_self(shot.play, eyes)
        if shot.play.rules.ground.tenths(state, viewer, target) < HIDES_BEYOND * measures(state).range:
            return refusal
        return refusal or (self.rule, f"{target.name} is camouflaged")


# -- fighting ---------------------------------------------------------------------------------------


class Assassin(assault.Assassin):
    """The hero's player chooses whom his close combat hits fall on, leaders too (bf.skill.assassin)."""

    rule = "bf.skill.assassin"

    def on_pick(self, picker: Picker, shot: Shot) -> Picker:
        if shot.close and is_action(shot) and self.helps(shot.part):
            picker.side = shot.unit.side
        return picker


# -- recovering -------------------------------------------------------------------------------------


class DamageResilient(recovery.DamageResilient):
    """A die for every point of an unsaved hit on its bearer, one for a soldier of a squad; ARMY cancels it.

    bf.skill.damage_resilient_squad, bf.skill.damage_resilient_track; never shared (bf.skill.damage_resilient_sharing).
    A kill counts as many points as are left (bf.open.resilient_vs_kill).
    """

    rule = "bf.skill.damage_resilient_track"

    def on_negate(self, throw: Throw | None, part: Part, shot: Shot | None) -> Throw | None:
        if throw is not None or not self.protects(part, shot):
            return throw
        squad = part.squad and part.card.kind == "infantry"
        rule = "bf.skill.damage_resilient_squad" if squad else self.rule
        because = (Because(rule, f"{self.name}: each ARMY negates a point of damage"),)
        return Throw("damage resilient", DUST_DIE, ARMY, rule, because=because)


class CheatDeath(recovery.CheatDeath):
    """After every action that eliminated him the hero may stand up again, stunned, not those he is with.

    bf.skill.cheat_death, bf.open.cheat_death_repeat.
    """

    rule = "bf.skill.cheat_death"

    def on_lost(self, play: Play, unit: Unit, part: Part, shot: Shot | None) -> Procedure:
        if not self.can(part):
            return
        thrown = yield from play.throw(task("cheat death", self.rule, ARMY | SHIELD), 1, unit.side, unit.id)
        if thrown.successes:
            part.damage = part.card.damage - 1
            play.emit(Happened(self.rule, f"{part.card.name} cheats death", unit.id))
            himself = play.rules.heroes.himself(play, unit, part)
            play.rules.suppression.give(play, himself, STUNNED, self.rule)

    def can(self, part: Part) -> bool:
        return self.helps(part) and not part.squad


class Mindless(Skill):
    """Mindless zombies deny objectives and never take them (bf.skill.mindless_zombie)."""

    name = "Mindless Zombie"
    rule = "bf.skill.mindless_zombie"

    def on_holds(self, standing: str, unit: Unit, play: Play) -> str:
        return "contest" if standing == "hold" else standing


class Driven(recovery.Driven):
    """Beside the Blutkreuz they are fast and charge (bf.skill.blutkreuz, bf.open.blutkreuz_march)."""

    name = "Mindless Zombie"
    rule = "bf.skill.blutkreuz"


class Resurrection(Skill):
    """A die for every zombie a mindless unit within 10 cm has lost; ARMY or SHIELD brings one back.

    bf.skill.resurrection.
    """

    name = "Resurrection"
    rule = "bf.skill.resurrection"

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        if unit.on_board and self.fallen(play, unit):
            specials["resurrection"] = Deed("resurrection", self.perform)
        return specials

    def fallen(self, play: Play, unit: Unit) -> list[Unit]:
        return [
            friend
            for friend in play.state.on_board(unit.side)
            if friend.has("Mindless Zombie")
            and len(friend.main.alive) < len(friend.main.card.soldiers)
            and play.rules.ground.near(play.state, unit, friend, 1)
        ]

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        able = self.fallen(play, unit)
        if not able:
            return
        chosen = yield from play.rules.command.choose(activation, "resurrect", able, self.rule, "which zombies rise?")
        lost = len(chosen.main.card.soldiers) - len(chosen.main.alive)
        thrown = yield from play.throw(task("resurrection", self.rule, RESURRECTION), lost, unit.side, unit.id)
        yield from play.rules.damage.heal(play, chosen, chosen.main, thrown.successes, self.rule)


class TankHead(Skill):
    """Five dice on a vehicle in sight and within 10 cm, ARMY or SHIELD takes a point off (bf.skill.tank_head)."""

    name = "Tank Head"
    rule = "bf.skill.tank_head"
    shared = False

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        if self.patients(play, unit):
            specials["tank-head"] = Deed("tank-head", self.perform)
        return specials

    def patients(self, play: Play, unit: Unit) -> list[Unit]:
        near = play.rules.command.in_voice(play, unit, "repair", 1) if unit.on_board else []
        return [other for other in near if other.is_vehicle and other.main.damage]

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        able = self.patients(play, unit)
        if not able:
            return
        chosen = yield from play.rules.command.choose(activation, "repair", able, self.rule, "which vehicle?")
        thrown = yield from play.throw(task("tank head", self.rule, ARMY | SHIELD), 5, unit.side, unit.id)
        yield from play.rules.command.heal(play, chosen, chosen.main, thrown.successes, self.rule)


# -- natures ----------------------------------------------------------------------------------------


class SteelGuard(natures.HardSkin):
    """No cover save, infantry save on ARMY or SHIELD, no more (bf.skill.steel_guard)."""

    name = "Steel Guard"
    rule = "bf.skill.steel_guard"


class ZombieNerves(natures.NeverSuppressed):
    """Zombies never take Under Fire or Suppression tokens (bf.skill.zombie_limits)."""

    name = "Zombie"
    rule = "bf.skill.zombie_limits"


class Commissar(joining.Commissar):
    """Three dice against tokens while the commissar of the unit lives (bf.skill.commissar)."""

    rule = "bf.skill.commissar"


class Spy(SpyRevealed):
    """Never placed at the start; two dice when he activates, an action for each ARMY beside an enemy (bf.skill.spy)."""

    rule = "bf.skill.spy"

    def on_deploy(self, manner: str, unit: Unit, play: Play) -> str:
        unit.set(HIDDEN)
        return "off"


class Crew(Skill):
    """A vehicle uses its own weapons or those of its crew, of these as many as it has points left.

    So it is with blows: its crew strikes with one man for every point left.

    bf.vehicle.crew, bf.open.crew_open_topped.
    """

    name = "Crew"
    rule = "bf.vehicle.crew"

    def on_combination(self, items: list[Any], answer: tuple[Any, ...], attack: Attack) -> IllegalChoice | None:
        part = next(part for part in attack.unit.parts if part.card.id == self.bearer)
        lines = [index for (_, index, _), aim in zip(items, answer, strict=True) if aim is not None and index >= 0]
        ranged = [line for line in lines if not part.card.weapons[line].close]
        crew = [line for line in ranged if self.is_personal(part, line)]
        if crew and len(crew) != len(ranged):
            return IllegalChoice("it is either the vehicle's weapons or those of its crew", self.rule)
        if len(crew) > part.left:
            return IllegalChoice(f"only {part.left} of the crew are left", self.rule)
        return None

    def is_personal(self, part: Part, line: int) -> bool:
        """Is a weapon line carried by the crew, rather than mounted?"""
        name = part.card.weapons[line].name.lower()
        return any(word in name for word in PERSONAL)

    def on_dice(self, dice: int, shot: Shot, because: list[Because]) -> int:
        if shot.close and shot.index < 0 and shot.part.card.id == self.bearer:
            because.append(Because(self.rule, f"its crew strikes: {shot.part.left} men"))
            return max(dice, shot.part.left)
        return dice


class TankRiders(transport.Carrier):
    """Infantry rides outside (bf.vehicle.tank_riders_hits)."""

    name, rule = "Tank Riders", "bf.vehicle.tank_riders_hits"


class Superhuman(Skill):
    """Stands alone and takes no orders; heroes.py and command.py ask for it (bf.superhuman.no_join)."""

    name = "Superhuman"


class Sidekick(Skill):
    """May join the superhuman that the card names; heroes.py asks for it (bf.superhuman.sidekick)."""

    name = "Sidekick"


INSTEAD: dict[type[Skill], type[Skill]] = {
    marksmanship.Lucky: Lucky,
    movement.MoveAndFire: MoveAndFire,
    movement.AcePilot: AcePilot,
    movement.AceAirPilot: AceAirPilot,
    movement.SmokeLaunchers: SmokeLaunchers,
    movement.Camouflage: Camouflage,
    natures.Flying: Flying,
    assault.Assassin: Assassin,
    recovery.CheatDeath: CheatDeath,
    recovery.DamageResilient: DamageResilient,
    recovery.Resurrection: Resurrection,
    joining.Commissar: Commissar,
    natures.SteelGuardSave: SteelGuard,
    deployment.Spy: Spy,
}
"""Skills of Dust 1947 that read otherwise here."""

SAME: tuple[type[Skill], ...] = (
    marksmanship.Expert, marksmanship.TakeAim, marksmanship.PowerScope, marksmanship.FightingSpirit,
    marksmanship.Spotter, marksmanship.KillingSpree, marksmanship.LongReaction, marksmanship.SureReaction,
    marksmanship.SupportWeapon, movement.InfantryAce, movement.Scout,
    movement.AtTheDouble, movement.Hiding, movement.Exposed, movement.DozerBlade, movement.DozerEngineering,
    movement.EngineerVehicle, movement.BlackOps, assault.Charge, assault.Berserk, assault.FirstStrike,
    recovery.Brave, recovery.DefensiveTactics, recovery.Blutkreuz,
    natures.ZombieSaves, natures.ZombieCommand, natures.ZombieTransport, natures.Gorilla, natures.Loner,
    natures.Amphibious, natures.Tracked, natures.HalfTracked, natures.Wheeled, natures.NavalTerrain,
    natures.NavalFreeAttack, natures.NavalDestroyed, natures.Helicopter, natures.LargeVehicle, natures.HugeVehicle,
    joining.Pilot, joining.Strongpoint, transport.Passengers, transport.Airlifter, transport.Sealifter,
    transport.Airmobile, transport.AirAssault, command.Officer, command.CommandSquad, command.Mechanic,
    command.CommandVehicle, command.Medevac, command.AirAlert, observers.ArtilleryObserver,
)  # fmt: skip
"""Skills that read the same in both games; cites.yaml says under which id here."""

OWN: tuple[type[Skill], ...] = (
    *INSTEAD.values(), Fast, Agile, Jump, Mindless, Driven, TankHead, ZombieNerves, Crew, TankRiders, Superhuman,
    Sidekick,
)  # fmt: skip

ALL: list[type[Skill]] = [*SAME, *OWN]

_known = {skill.name for skill in ALL}
CARD_SKILLS: list[type[Skill]] = [skill for skill in dust1947.ALL if skill.name not in _known]
"""Skills that only Dust 1947 describes; an option of the game switches them on (bf.open.card_skills)."""
