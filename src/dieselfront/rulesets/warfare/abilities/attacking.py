"""Attacks made better (dw.ability.air_superiority, dw.ability.berserk, dw.ability.take_aim, dw.ability.spotter,
dw.ability.fighting_spirit, dw.ability.frenzy, dw.ability.sniper, dw.ability.headshot, dw.ability.all_in_one,
dw.ability.supercharged, dw.ability.charge, dw.ability.combined_shots*, dw.ability.artillery_strike).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dieselfront.dice import Because, Reroll, Throw
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.activation import ATTACK as ATTACK_ACTION
from dieselfront.rulesets.warfare.activation import MOVE as MOVE_ACTION
from dieselfront.rulesets.warfare.damage_tables import BLINDED
from dieselfront.rulesets.warfare.events import Used
from dieselfront.rulesets.warfare.firing import ATTACK, CHARGE, REACTION, Attack, Pool, Shot, Strike
from dieselfront.rulesets.warfare.going import Move
from dieselfront.rulesets.warfare.hooks import Ability
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.rulesets.warfare.throws import inverted, with_reason
from dieselfront.rulesets.warfare.unit_cards import WarfareWeapon

ORDINARY = (ATTACK, REACTION)
"""Attack actions that cost one action, or none because they are a reaction (dw.reaction.single_action)."""
TAKE_AIM = "take aim"
FIGHTING_SPIRIT = "fighting spirit"
COMBINED = "combined"
COMBINED_INCHES = 6  # dw.open.combined_shots_range
ENERGY = ("Phaser", "Laser", "Tesla")
Refusal = tuple[str, str]
Actions = tuple[str, ...]


def rerolled(throw: Throw, rule: str, text: str) -> Throw:
    """The throw with every failure rolled once more, unless it is so already (dw.dice.reroll_once)."""
    if throw.rerolls:
        return throw
    again = (Reroll(False, throw.faces, rule),)
    return Throw(throw.label, throw.die, throw.faces, throw.rule, again, because=(*throw.because, Because(rule, text)))


def takes_part(strike: Strike, ability: str) -> bool:
    """Does a bearer fire at this target (dw.open.unshared_unit_effects)? An ability gained in play is everybody's."""
    bearers = strike.unit.bearers(ability)
    return not bearers or any(shot.man in bearers for pool in strike.pools for shot in pool.shots)


# -- rerolls and inversions -------------------------------------------------------------------------------


class AirSuperiority(Ability):
    """An ordinary attack on an aircraft is rerolled like a sustained one (dw.ability.air_superiority)."""

    name = "Air Superiority"
    rule = "dw.ability.air_superiority"

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        blind = BLINDED in pool.unit.effects  # dw.damage.vehicle.blinded
        if pool.attack.kind not in ORDINARY or not pool.target.is_aircraft or blind:
            return throw
        return rerolled(throw, self.rule, "Air Superiority: failures are rolled again")


class Berserk(Ability):
    """Once per game an ordinary attack is rerolled like a sustained one (dw.ability.berserk)."""

    name = "Berserk"
    rule = "dw.ability.berserk"

    def on_tricks(self, names: list[str], attack: Attack) -> list[str]:
        barred = attack.kind not in ORDINARY or attack.unit.has_used(self.name) or BLINDED in attack.unit.effects
        return names if barred else [*names, self.name]

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        return (
            rerolled(throw, self.rule, "Berserk: failures are rolled again") if pool.attack.uses(self.name) else throw
        )

    def on_declared(self, play: Play, attack: Attack) -> Procedure:
        yield from spend(self, play, attack)


def spend(ability: Ability, play: Play, attack: Attack) -> Procedure:
    """A once-per-game ability was declared for a real attack: it is used up."""
    if attack.uses(ability.name):
        attack.unit.use(ability.name)
        play.emit(Used(ability.rule, attack.unit.id, ability.name))
    return
    yield


class TakeAim(Ability):
    """A sustained attack may be inverted instead of rerolled (dw.ability.take_aim), by a blinded vehicle too
    (dw.open.blinded_inversion), but not indirect fire (dw.open.indirect_details)."""

    name = "Take Aim"
    rule = "dw.ability.take_aim"

    def on_sustained(self, ways: list[str], attack: Attack) -> list[str]:
        return ways if attack.is_indirect else [*ways, TAKE_AIM]

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        return inverted(throw, self.rule, "Take Aim: inverted") if pool.attack.way == TAKE_AIM else throw


class Spotter(Ability):
    """All attacks of the unit but close combat are inverted while the spotter lives (dw.ability.spotter,
    dw.open.spotter_scope)."""

    name = "Spotter"
    rule = "dw.ability.spotter"

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        return throw if pool.weapon.close else inverted(throw, self.rule, "Spotter: inverted")


class FightingSpirit(Ability):
    """Once per game, declared with both actions: a move, then an inverted attack (dw.ability.fighting_spirit)."""

    name = "Fighting Spirit"
    rule = "dw.ability.fighting_spirit"

    def on_menu(self, menu: list[Actions], unit: Unit, state: State, count: int) -> list[Actions]:
        if unit.has_used(self.name) or (MOVE_ACTION, ATTACK_ACTION) not in menu:
            return menu
        return [*menu, (MOVE_ACTION, FIGHTING_SPIRIT)]

    def on_special(self, done: bool, play: Play, unit: Unit, name: str) -> Procedure:
        if name != FIGHTING_SPIRIT:
            return done
        unit.use(self.name)
        play.emit(Used(self.rule, unit.id, self.name))
        if unit.on_table:
            data: dict[str, Any] = {FIGHTING_SPIRIT: True}
            yield from play.rules.attacking.attack(play, unit, ATTACK, **data)
        return True

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        spirited = pool.attack.data.get(FIGHTING_SPIRIT)
        return inverted(throw, self.rule, "Fighting Spirit: inverted") if spirited else throw


# -- more dice, better hits ---------------------------------------------------------------------------------


class Frenzy(Ability):
    """One die more for each HIT of the first roll (dw.ability.frenzy, dw.open.extra_dice_chain)."""

    name = "Frenzy"
    rule = "dw.ability.frenzy"

    def on_extra(self, extra: int, pool: Pool) -> int:
        return extra + 1 if takes_part(pool.strike, self.name) else extra

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        part = takes_part(pool.strike, self.name)
        return with_reason(throw, self.rule, "Frenzy: a die more for each HIT") if part else throw


class Sniper(Ability):
    """No armor roll and no cover against an attack in which the sniper takes part (dw.ability.sniper,
    dw.open.whole_attack_scope)."""

    name = "Sniper"
    rule = "dw.ability.sniper"

    def on_armor_allowed(self, may: bool, strike: Strike) -> bool:
        if not takes_part(strike, self.name):
            return may
        strike.note(self.rule, "Sniper: no armor roll and no cover")
        return False

    def on_cover_counts(self, counts: bool, strike: Strike) -> bool:
        return counts and not takes_part(strike, self.name)


class Headshot(Ability):
    """Half of the dice against each target, rounded up, but no armor roll and no cover (dw.ability.headshot,
    dw.open.whole_attack_scope)."""

    name = "Headshot"
    rule = "dw.ability.headshot"

    def on_tricks(self, names: list[str], attack: Attack) -> list[str]:
        return [*names, self.name]

    def on_pools(self, pools: list[Pool], strike: Strike) -> list[Pool]:
        """The attacker keeps the dice that hurt most."""
        if strike.attack.uses(self.name):
            left = -(-sum(pool.dice for pool in pools) // 2)
            for pool in sorted(pools, key=lambda one: -one.damage):
                pool.dice = min(pool.dice, left)
                left -= pool.dice
        return pools

    def on_armor_allowed(self, may: bool, strike: Strike) -> bool:
        if not strike.attack.uses(self.name):
            return may
        strike.note(self.rule, "Headshot: half the dice, no armor roll and no cover")
        return False

    def on_cover_counts(self, counts: bool, strike: Strike) -> bool:
        return counts and not strike.attack.uses(self.name)


class AllInOne(Ability):
    """Once per game twice the dice in one attack, then a suppression marker (dw.ability.all_in_one)."""

    name = "All in One"
    rule = "dw.ability.all_in_one"

    def on_tricks(self, names: list[str], attack: Attack) -> list[str]:
        return names if attack.unit.has_used(self.name) else [*names, self.name]

    def on_dice(self, dice: int, pool: Pool) -> int:
        return 2 * dice if pool.attack.uses(self.name) else dice

    def on_declared(self, play: Play, attack: Attack) -> Procedure:
        yield from spend(self, play, attack)

    def on_attack_over(self, play: Play, attack: Attack) -> Procedure:
        if attack.uses(self.name):
            play.rules.suppression.suppress(play, attack.unit, 1, self.rule)
        return
        yield


class Supercharged(Ability):
    """The first attack with phasers, lasers or tesla weapons has twice their dice; then they are empty
    (dw.ability.supercharged, dw.open.out_of_ammo_scope)."""

    name = "Supercharged"
    rule = "dw.ability.supercharged"

    def charged(self, unit: Unit, weapon: WarfareWeapon) -> bool:
        return not unit.has_used(self.name) and any(weapon.has(kind) for kind in ENERGY)

    def on_dice(self, dice: int, pool: Pool) -> int:
        return 2 * dice if self.charged(pool.unit, pool.weapon) else dice

    def on_fired(self, play: Play, attack: Attack, shot: Shot) -> None:
        if self.charged(shot.unit, shot.weapon):
            play.rules.artillery.run_dry(play, shot.unit, shot.index, self.rule)
            attack.data[self.name] = True

    def on_attack_over(self, play: Play, attack: Attack) -> Procedure:
        if attack.data.get(self.name):
            attack.unit.use(self.name)
            play.emit(Used(self.rule, attack.unit.id, self.name))
        return
        yield


class Charge(Ability):
    """A free attack with weapons of 6" or less at the end of a march (dw.ability.charge, dw.open.charge_weapons)."""

    name = "Charge"
    rule = "dw.ability.charge"

    def on_move_done(self, play: Play, unit: Unit, move: Move) -> Procedure:
        if move.is_march and unit.men and play.rules.attacking.can_attack(play.state, unit, CHARGE):
            attacked = yield from play.rules.attacking.attack(play, unit, CHARGE)
            if attacked:
                play.emit(Used(self.rule, unit.id, self.name))


# -- two guns as one ------------------------------------------------------------------------------------------


def copies(unit: Unit, name: str) -> list[tuple[int, int]]:
    """(figure, place) of every weapon of that name, broken ones too."""
    return [
        (man, place)
        for man in unit.men
        for place, index in enumerate(unit.carried(man))
        if unit.weapons[index].name == name
    ]


class CombinedShots(Ability):
    """Only one of the named weapons fires, with 6" more range (dw.ability.combined_shots,
    dw.open.combined_shots_range)."""

    name = "Combined Shots"
    rule = "dw.ability.combined_shots"

    def on_fire_modes(self, modes: Sequence[str], unit: Unit, weapon: WarfareWeapon, attack: Attack) -> Sequence[str]:
        named = weapon.name == self.argument and len(copies(unit, weapon.name)) > 1
        return (*modes, COMBINED) if named else modes

    def on_reach(self, reach: tuple[int, int | None], shot: Shot) -> tuple[int, int | None]:
        least, most = reach
        return (least, most + COMBINED_INCHES) if shot.mode == COMBINED and most is not None else reach

    def on_usable(self, refusal: Refusal | None, shot: Shot) -> Refusal | None:
        """The first of them that bears on the target fires for all."""
        if shot.mode != COMBINED or refusal is not None:
            return refusal
        bearing = [one for one in copies(shot.unit, shot.weapon.name) if self.bears(shot, one)]
        if bearing and bearing[0] != (shot.man, shot.place):
            return (self.rule, "only one of the combined weapons fires")
        return None

    def bears(self, shot: Shot, copy: tuple[int, int]) -> bool:
        arc = shot.unit.weapons[shot.unit.carried(copy[0])[copy[1]]].arc
        if arc is None or arc == "turret" or shot.unit.is_soldier:
            return True
        return any(ground.in_side(shot.unit.body_of(copy[0]), arc, body) for body in shot.target.bodies)

    def on_together(self, refusal: Refusal | None, attack: Attack) -> Refusal | None:
        fired = [shot for shot in attack.shots if shot.weapon.name == self.argument]
        if len(fired) > 1 and any(shot.mode == COMBINED for shot in fired):
            return (self.rule, "only one of the combined weapons fires")
        return refusal


class CombinedShotsLost(Ability):
    """Not any more once one of the named weapons is out of action (dw.ability.combined_shots_lost)."""

    name = "Combined Shots"
    rule = "dw.ability.combined_shots_lost"

    def on_fire_modes(self, modes: Sequence[str], unit: Unit, weapon: WarfareWeapon, attack: Attack) -> Sequence[str]:
        whole = not any(copy in unit.broken for copy in copies(unit, self.argument))
        return modes if whole else [mode for mode in modes if mode != COMBINED]


class ArtilleryStrike(Ability):
    """Its miniatures see for the artillery of other units (dw.ability.artillery_strike)."""

    name = "Artillery Strike"
    rule = "dw.ability.artillery_strike"

    def on_spots(self, may: bool, unit: Unit, man: int, state: State) -> bool:
        return may or man in unit.bearers(self.name)


__all__ = ["COMBINED", "FIGHTING_SPIRIT", "TAKE_AIM", "rerolled", "takes_part"]
