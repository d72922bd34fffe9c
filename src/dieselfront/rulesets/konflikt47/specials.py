"""Special rules of units (k47.special.*): small objects that answer hooks, and the few that need the whole rulebook.

Vehicle rules are in vehicle_rules.py, national rules in nations.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dieselfront.kernel.decisions import PickOne, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About, on_unit
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.battle import EDGES
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import Rates, Weapon
from dieselfront.rulesets.konflikt47.events import DieReturned, Gained
from dieselfront.rulesets.konflikt47.firing import ADVANCE as MOVING
from dieselfront.rulesets.konflikt47.firing import AMBUSH as FROM_AMBUSH
from dieselfront.rulesets.konflikt47.firing import FIRE as FIRING
from dieselfront.rulesets.konflikt47.firing import Aimed, Modifier, Pool, Wound, without
from dieselfront.rulesets.konflikt47.hooks import Special
from dieselfront.rulesets.konflikt47.morale import ORDER, Occasion, Result
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.reactions import GO_DOWN
from dieselfront.rulesets.konflikt47.state import ADVANCE, AMBUSH, DOWN, FIRE, RALLY, RUN, State, Unit
from dieselfront.rulesets.konflikt47.throws import number
from dieselfront.table.measured.terrain import Cover


class Resilient(Special):
    """Damage value 6+ against shooting (k47.special.resilient)."""

    rule = "k47.special.resilient"

    def on_damage_value(self, value: int, unit: Unit, wound: Wound) -> int:
        return value if wound.hand_to_hand or unit.is_vehicle else max(value, 6)


class Pace(Special):
    """Infantry with rates of its own: Slow, Fast, Cavalry, Flight, Motorbikes (k47.special.slow_fast)."""

    def __init__(self, rule: str, advance: int, run: int) -> None:
        self.rule = rule  # type: ignore[misc]
        self.paces = (advance, run)

    def on_rates(self, rates: Rates, unit: Unit) -> Rates:
        return rates if unit.is_vehicle or unit.is_artillery else Rates(*self.paces)


class Tough(Special):
    """Damage is ignored on 5+, unless the weapon has penetration +2 or more (k47.special.tough)."""

    rule = "k47.special.tough"

    def on_ignore_damage(self, score: int, unit: Unit, wound: Wound) -> int:
        return min(score, 5) if wound.pen < 2 and not unit.is_vehicle else score


class Fanatics(Special):
    """No check for heavy losses while two men remain; must follow on after winning (k47.special.fanatics)."""

    rule = "k47.special.fanatics"

    def on_half_loss_check(self, check: bool, unit: Unit) -> bool:
        return check and len(unit.men) < 2

    def on_follow_on(self, must: bool, unit: Unit) -> bool:
        return True


class Shirkers(Special):
    """Always tests for orders, and pins weigh double (k47.special.shirkers)."""

    rule = "k47.special.shirkers"

    def on_must_test(self, must: bool, unit: Unit, occasion: Occasion) -> bool:
        return True

    def on_pin_weight(self, weight: int, unit: Unit, occasion: Occasion) -> int:
        return 2 * weight


class Stubborn(Special):
    """Morale checks ignore pins (k47.special.stubborn)."""

    rule = "k47.special.stubborn"

    def on_pin_weight(self, weight: int, unit: Unit, occasion: Occasion) -> int:
        return 0 if occasion.is_check else weight


class Green(Special):
    """At the first casualty: panic, nothing, or a regular from now on (k47.special.green)."""

    rule = "k47.special.green"

    def on_casualties(self, value: Any, play: Play, unit: Unit, lost: int) -> Procedure:
        if unit.blooded:
            return
        unit.blooded = True
        roll = yield from number(play, "D6", "Green", self.rule, unit.side, unit.id)
        if roll == 1 and play.rules.nations.may_show_loyalty(play.state, unit):
            roll = yield from number(play, "D6", "Green, again", "k47.nation.japan", unit.side, unit.id)
        if roll == 1:
            pins = yield from number(play, "D6", "pins", self.rule, unit.side, unit.id, good=-1)
            play.rules.orders.turn_die(play, unit, DOWN, self.rule)
            yield from play.rules.morale.pin(play, unit, pins, self.rule)
        elif roll >= 5:
            unit.trained = "regular"
            play.emit(Gained(self.rule, unit.id, "becomes regular"))


class NonTestati(Special):
    """The first time under attack: Shirkers, nothing, or Stubborn (k47.special.quirks)."""

    rule = "k47.special.quirks"

    def on_attacked(self, value: Any, play: Play, unit: Unit) -> Procedure:
        if unit.tested:
            return
        unit.tested = True
        roll = yield from number(play, "D6", "Non-Testati", self.rule, unit.side, unit.id)
        gained = "Shirkers" if roll <= 2 else "Stubborn" if roll >= 5 else ""
        if gained:
            play.rules.outfit.gain(play.state, unit, gained)
            play.emit(Gained(self.rule, unit.id, f"gains {gained}"))


class Sniper(Special):
    """+1 to hit and no cover for the sniper's aimed shot: Fire or Ambush with a rifle (k47.special.sniper)."""

    rule = "k47.special.sniper"

    def on_snipes(self, snipes: bool, unit: Unit, man: int, weapon: Weapon, how: str) -> bool:
        if how not in (FIRING, FROM_AMBUSH) or unit.hunters:
            return False
        marksman = next((one for one in unit.men if unit.man(one).is_a("gunner")), unit.men[0])
        return man == marksman and weapon.chart in ("Rifle", "Anti-tank Rifle", "Automatic Rifle")

    def on_hit_modifiers(self, modifiers: list[Modifier], aimed: Aimed) -> list[Modifier]:
        if not aimed.sniper:
            return modifiers
        return [*without(modifiers, "k47.shoot.cover"), Modifier(self.rule, "sniper", 1)]


class Automaton(Special):
    """No Ambush, no reactions, always tests, no help from officers (k47.special.automaton)."""

    rule = "k47.special.automaton"

    def on_orders(self, orders: list[str], unit: Unit) -> list[str]:
        return [order for order in orders if order != AMBUSH]

    def on_reactions(self, reactions: list[str], unit: Unit, cause: str) -> list[str]:
        return []

    def on_must_test(self, must: bool, unit: Unit, occasion: Occasion) -> bool:
        return True

    def on_officer_bonus(self, bonus: int, unit: Unit) -> int:
        return 0

    def on_hit_modifiers(self, modifiers: list[Modifier], aimed: Aimed) -> list[Modifier]:
        return without(modifiers, "k47.shoot.moving") if aimed.unit.is_infantry else modifiers

    def on_may_assault(self, may: bool, unit: Unit) -> bool:
        return may and not unit.is_infantry

    def on_never_reacts(self) -> None: ...

    def on_fires_on_the_move(self) -> None: ...

    def on_fearless(self) -> None: ...

    def on_no_medic(self) -> None: ...


class AnimatedCorpse(Special):
    """Ignores pins; its morale checks always pass (k47.special.animated_corpse)."""

    rule = "k47.special.animated_corpse"

    def on_check_passes(self, rule: str, unit: Unit) -> str:
        return self.rule

    def on_fearless(self) -> None: ...

    def on_no_medic(self) -> None: ...

    def on_pins_gained(self, pins: int, unit: Unit) -> int:
        return 0


class Attacks(Special):
    """So many hand-to-hand attacks per model, whatever it carries (k47.special.tooth_claw, k47.special.cavalry)."""

    def __init__(self, rule: str, attacks: int) -> None:
        self.rule = rule  # type: ignore[misc]
        self.number = attacks

    def on_attacks(self, attacks: int, unit: Unit, man: int) -> int:
        return self.number


class Strong(Special):
    """+1 penetration in hand-to-hand, hits on vehicles count double (k47.special.strong)."""

    rule = "k47.special.strong"

    def on_attack_pen(self, pen: int, unit: Unit) -> int:
        return pen + 1

    def on_vehicle_hit_worth(self, worth: int, unit: Unit) -> int:
        return 2


class Mounted(Special):
    """Riders: no Down reaction; they may dismount for good (k47.special.cavalry, k47.special.motorbikes)."""

    rule = "k47.special.cavalry"
    printed = ""

    def on_mounted(self) -> None: ...

    def on_reactions(self, reactions: list[str], unit: Unit, cause: str) -> list[str]:
        return [reaction for reaction in reactions if reaction != GO_DOWN]

    def on_dismount(self, value: Any, play: Play, unit: Unit) -> None:
        play.rules.outfit.drop(play.state, unit, self.printed)
        play.emit(Gained("k47.special.cavalry", unit.id, "dismounts"))


class Cavalry(Mounted, Pace, Attacks):
    """9"/18", three attacks, pistols only, no Down reaction (k47.special.cavalry)."""

    rule = "k47.special.cavalry"
    printed = "Cavalry"

    def __init__(self) -> None:
        self.paces = (9, 18)
        self.number = 3

    def on_may_fire(self, may: bool, unit: Unit, man: int, weapon: Weapon, how: str) -> bool:
        return may and weapon.chart == "Pistol"


class Motorbikes(Mounted, Pace):
    """12"/24" with wheeled terrain limits, no Down reaction (k47.special.motorbikes)."""

    rule = "k47.special.motorbikes"
    printed = "Motorbikes"

    def __init__(self) -> None:
        self.paces = (12, 24)

    def on_mover(self, mover: str, unit: Unit) -> str:
        return "wheeled"

    def on_may_fire(self, may: bool, unit: Unit, man: int, weapon: Weapon, how: str) -> bool:
        """Sidecar small arms on Advance, other sidecar weapons on Fire."""
        return may and unit.man(man).is_a("sidecar") and (weapon.small_arm or how != MOVING)

    def on_may_assault(self, may: bool, unit: Unit) -> bool:
        return may and not unit.is_infantry

    def on_escapes_freely(self) -> None: ...

    def on_struck_as_vehicle(self) -> None: ...


class Flight(Pace):
    """12"/18" over everything (k47.special.flight)."""

    def on_flies(self) -> None: ...


class Medic(Special):
    """Saves casualties near him; neither shoots nor assaults nor holds objectives (k47.special.medic)."""

    rule = "k47.special.medic"

    def on_heals(self) -> None: ...

    def on_noncombatant(self) -> None: ...

    def on_may_assault(self, may: bool, unit: Unit) -> bool:
        return may and not unit.is_infantry


class ImmuneToHorror(Special):
    """Nobody frightens it (k47.special.horror)."""

    rule = "k47.special.horror"

    def on_fearless(self) -> None: ...


class Fearsome(ImmuneToHorror):
    """Frightens enemies (k47.special.horror)."""

    def on_fearsome(self) -> None: ...


class Horror(Fearsome):
    """Frightens friend and foe (k47.special.horror)."""

    def on_frightens_friends(self) -> None: ...


class ToughFighters(Special):
    """One more roll for each casualty hand to hand (k47.special.tough_fighters)."""

    rule = "k47.special.tough_fighters"

    def on_strikes_again(self) -> None: ...


class TankHunters(Special):
    """Assaults on closed armour need no nerve and damage it fully (k47.special.tank_hunters)."""

    rule = "k47.special.tank_hunters"

    def on_hunts_tanks(self) -> None: ...


class InfraredVision(Special):
    """Looks through smoke (k47.special.ir_vision)."""

    rule = "k47.special.ir_vision"

    def on_sees_through_smoke(self) -> None: ...


class LargeInfantry(Special):
    """Takes two places each in a transport (k47.special.large_infantry)."""

    rule = "k47.special.large_infantry"

    def on_seats(self, seats: int, unit: Unit) -> int:
        return 2 * seats


class RallyToTheColours(Special):
    """Near the flag units rally better (k47.special.rally_colours)."""

    rule = "k47.special.rally_colours"

    def on_colours(self) -> None: ...


class TargetDesignator(Special):
    """Points a target out for anti-tank guns (k47.special.target_designator)."""

    rule = "k47.special.target_designator"

    def on_designates(self) -> None: ...


class Engineers(Special):
    """One mine that hits is rolled again when they advance (k47.special.minefield)."""

    rule = "k47.special.minefield"

    def on_defuses(self) -> None: ...


class ImmuneToFire(Special):
    """Flames do nothing to it (k47.special.quirks)."""

    rule = "k47.special.quirks"

    def on_fireproof(self) -> None: ...


class DualWeapons(Special):
    """A rifle grenade is fired besides the other weapon (k47.special.quirks)."""

    rule = "k47.special.quirks"

    def on_fires_both(self) -> None: ...


class NoNco(Special):
    """Has no NCO to lose (k47.morale.nco)."""

    rule = "k47.morale.nco"

    def on_needs_no_nco(self) -> None: ...


class TowedRiftGun(Special):
    """Counts as a medium gun when it is towed (k47.special.quirks)."""

    rule = "k47.special.quirks"

    def on_tow_size(self, size: str, unit: Unit) -> str:
        return "medium"


class GetMoving(Special):
    """On his activation friends within 6" lose a pin each (k47.special.characters)."""

    rule = "k47.special.characters"

    def on_ordered(self, value: Any, play: Play, unit: Unit, order: str) -> Procedure:
        for friend in play.state.friends(unit):
            if not friend.is_vehicle and unit.on_table and ground.within(unit, friend, 6):
                play.rules.morale.unpin(play, friend, 1, self.rule)
        return
        yield


class Motivate(Special):
    """One activated infantry unit within 6" may act again (k47.special.motivate)."""

    rule = "k47.special.motivate"

    def on_ordered(self, value: Any, play: Play, unit: Unit, order: str) -> Procedure:
        state: State = play.state
        tired = [
            friend
            for friend in state.friends(unit)
            if friend.is_infantry and friend.order and unit.on_table and ground.within(unit, friend, 6)
        ]
        if not tired:
            return
        chosen = yield PickOne(
            unit.side,
            "motivate",
            [None, *[friend.id for friend in tired]],
            text="Whose order die goes back into the cup?",
            rule=self.rule,
            unit=unit.id,
            labels=lambda id: "nobody" if id is None else state.unit(id).card.name,
            act="support",
            about=on_unit("support", unit.id),
        )
        if chosen is None:
            return
        friend = state.unit(chosen)
        friend.order = ""
        play.emit(DieReturned(self.rule, friend.id))
        if unit.has("Brutal Motivation"):  # k47.special.characters
            lost = yield from play.rules.losses.owner_picks(play, friend, 1, [])
            yield from play.rules.losses.remove(play, friend, lost)


class Elite(Special):
    """After an order it may test to put its die back, once a turn (k47.special.elite)."""

    rule = "k47.special.elite"

    def on_order_done(self, value: Any, play: Play, unit: Unit, choice: Any) -> Procedure:
        if choice in (AMBUSH, DOWN) or unit.order in ("", AMBUSH, DOWN) or unit.elite_used:
            return
        wants = yield YesNo(
            unit.side,
            "elite",
            text="Test to act again this turn?",
            rule=self.rule,
            unit=unit.id,
            act="rally",
        )
        if not wants:
            return
        unit.elite_used = True
        result = yield from play.rules.morale.test(play, unit, Occasion(ORDER, what="order test (Elite)"), self.rule)
        if result.passed:
            unit.order = ""
            unit.elite_wait = True
            play.emit(DieReturned(self.rule, unit.id))


class Hunters(Special):
    """After an Advance the die may be turned to Ambush instead of shooting (k47.special.hunters)."""

    rule = "k47.special.hunters"

    def on_move_done(self, value: Any, play: Play, unit: Unit) -> Procedure:
        if unit.order != ADVANCE:
            return
        wants = yield YesNo(
            unit.side,
            "hunters",
            text="Go into Ambush instead of shooting?",
            rule=self.rule,
            unit=unit.id,
            act="wait",
        )
        if wants:
            unit.hunters = True
            play.rules.orders.turn_die(play, unit, AMBUSH, self.rule)


class PhaseField(Special):
    """Ignores terrain when moving; any 1 on a die per model is a pin (k47.special.quirks)."""

    rule = "k47.special.quirks"

    def on_ignores_terrain(self) -> None: ...

    def on_move_done(self, value: Any, play: Play, unit: Unit) -> Procedure:
        from dieselfront.dice import D6, Throw

        throw = Throw("phase field", D6, 1, self.rule)
        thrown = yield from play.throw(throw, len(unit.men), unit.side, unit.id)
        if thrown.successes:
            yield from play.rules.morale.pin(play, unit, 1, self.rule)


class BloodFueled(Special):
    """Resilient and Strong for the game after a kill in hand-to-hand (k47.special.characters)."""

    rule = "k47.special.characters"

    def on_killed_in_fight(self, value: Any, play: Play, unit: Unit, kills: int) -> Procedure:
        if not unit.has("Strong"):
            play.rules.outfit.gain(play.state, unit, "Resilient", "Strong")
            play.emit(Gained(self.rule, unit.id, "is blood fueled"))
        return
        yield


class TeslaGauntlet(Special):
    """+1 to hand-to-hand damage against troops (k47.special.characters)."""

    rule = "k47.special.characters"

    def on_attack_pen(self, pen: int, unit: Unit) -> int:
        return pen + 1


class Bodyguard(Special):
    """Damage goes to the bodyguards first (k47.special.characters)."""

    rule = "k47.special.characters"

    def on_casualties_chosen(self, men: list[int], unit: Unit) -> list[int]:
        guards = [man for man in men if not (unit.man(man).is_a("character") or unit.man(man).is_a("officer"))]
        return guards or men


class CharacterAsNco(Special):
    """Counts as NCO; without any NCO the squad has basic morale 9 (k47.special.characters)."""

    rule = "k47.special.characters"

    def on_basic_morale(self, value: int, unit: Unit, state: State) -> int:
        return value if unit.carries("nco") or unit.carries("character") else min(value, 9)


class DualSmgs(Special):
    """Fires both SMGs at once (k47.special.characters)."""

    rule = "k47.special.characters"

    def on_shots(self, shots: int, unit: Unit, weapon: Weapon, men: Sequence[int]) -> int:
        if weapon.chart != "SMG":
            return shots
        owners = [man for man in men if unit.man(man).is_a("character") or unit.man(man).is_a("officer")] or men[:1]
        return shots + int(weapon.shots) * len(owners)


class FreeArrival(Special):
    """No -1 when outflanking (k47.special.behind_lines, k47.special.quirks: Raiders)."""

    def __init__(self, rule: str) -> None:
        self.rule = rule  # type: ignore[misc]

    def on_arrival_penalty(self, penalty: int, unit: Unit, outflanking: bool) -> int:
        return 0 if outflanking else penalty


class DeepStrike(FreeArrival):
    """Outflanks from any edge (k47.special.behind_lines)."""

    def on_flanks(self, edges: list[str], unit: Unit) -> list[str]:
        return list(EDGES)


class FirstToFight(Special):
    """One free Run move after set-up (k47.special.quirks)."""

    rule = "k47.special.quirks"

    def on_after_setup(self, value: Any, play: Play, unit: Unit) -> Procedure:
        if unit.on_table and not unit.building:
            yield from play.rules.movement.travel(play, unit, RUN)


class SpecialistMedic(Special):
    """A friendly model may be given up for better medic rolls this turn (k47.special.quirks)."""

    rule = "k47.special.quirks"

    def on_ordered(self, value: Any, play: Play, unit: Unit, order: str) -> Procedure:
        state: State = play.state
        near = [
            friend
            for friend in state.friends(unit)
            if friend.is_infantry and len(friend.men) > 1 and unit.on_table and ground.within(unit, friend, 6)
        ]
        if not near:
            return
        chosen = yield PickOne(
            unit.side,
            "specialist medic",
            [None, *[friend.id for friend in near]],
            text="Who gives up a model for +1 to medic rolls this turn?",
            rule=self.rule,
            unit=unit.id,
            labels=lambda id: "nobody" if id is None else state.unit(id).card.name,
            act="support",
            about=on_unit("support", unit.id),
        )
        if chosen is None:
            return
        unit.medic_bonus = True
        friend = state.unit(chosen)
        lost = yield from play.rules.losses.owner_picks(play, friend, 1, [])
        yield from play.rules.losses.remove(play, friend, lost)


class WarDogs(Special):
    """On a Run order the handlers may release the dogs (k47.special.war_dogs)."""

    rule = "k47.special.war_dogs"

    def on_ordered(self, value: Any, play: Play, unit: Unit, order: str) -> Procedure:
        if order != RUN or unit.released or not unit.on_table:
            return
        wants = yield YesNo(
            unit.side,
            "war dogs",
            text="Release the dogs?",
            rule=self.rule,
            unit=unit.id,
            act="assault",
        )
        if not wants:
            return
        unit.released = True
        handlers = [man for man in unit.men if unit.man(man).is_a("handler")]
        if handlers and len(handlers) < len(unit.men):
            for man in handlers:
                unit.lose(man)
        play.rules.outfit.gain(play.state, unit, "Fast", "Fanatics", "Tough Fighters", "Immune to Horror")
        play.emit(Gained(self.rule, unit.id, "the dogs are loose"))


SPECIALS: dict[str, Special] = {
    "Resilient": Resilient(),
    "Slow": Pace("k47.special.slow_fast", 4, 8),
    "Fast": Pace("k47.special.slow_fast", 8, 16),
    "Flight": Flight("k47.special.flight", 12, 18),
    "Tough": Tough(),
    "Fanatics": Fanatics(),
    "Shirkers": Shirkers(),
    "Stubborn": Stubborn(),
    "Green": Green(),
    "Non-Testati": NonTestati(),
    "Sniper": Sniper(),
    "Automaton": Automaton(),
    "Animated Corpse": AnimatedCorpse(),
    "Tooth and Claw": Attacks("k47.special.tooth_claw", 3),
    "Strong": Strong(),
    "Cavalry": Cavalry(),
    "Motorbikes": Motorbikes(),
    "Get Moving": GetMoving(),
    "Motivate": Motivate(),
    "Elite": Elite(),
    "Hunters": Hunters(),
    "Phase Field": PhaseField(),
    "Blood Fueled": BloodFueled(),
    "Tesla Gauntlet": TeslaGauntlet(),
    "Bodyguard": Bodyguard(),
    "Character as NCO": CharacterAsNco(),
    "Dual SMGs": DualSmgs(),
    "Behind Enemy Lines": FreeArrival("k47.special.behind_lines"),
    "Deep Strike": DeepStrike("k47.special.behind_lines"),
    "Raiders": FreeArrival("k47.special.quirks"),
    "First to Fight": FirstToFight(),
    "Specialist Medic": SpecialistMedic(),
    "War Dogs": WarDogs(),
    "Medic": Medic(),
    "Horror": Horror(),
    "Fearsome": Fearsome(),
    "Immune to Horror": ImmuneToHorror(),
    "Tough Fighters": ToughFighters(),
    "Tank Hunters": TankHunters(),
    "Infrared Vision": InfraredVision(),
    "Large Infantry": LargeInfantry(),
    "Rally to the Colours": RallyToTheColours(),
    "Target Designator": TargetDesignator(),
    "Engineers": Engineers(),
    "Immune to Fire": ImmuneToFire(),
    "Dual Weapons": DualWeapons(),
    "No NCO in Unit": NoNco(),
    **dict.fromkeys(("Tesla Towing", "Towed Schwerefeld Projektor", "Towed ZP Gun"), TowedRiftGun()),
}

IMPLIED = {"Strong": ("Tank Hunters",)}
"""Rules that bring others with them (k47.special.strong)."""


class Specials(Chapter):
    """Special rules that need the whole rulebook: the other chapters ask them here."""

    # -- snipers (k47.special.sniper) -----------------------------------------------------------------------

    def snipes(self, unit: Unit, man: int, weapon: Weapon, how: str) -> bool:
        """Is this the aimed shot of a sniper?"""
        return bool(unit.ask("on_snipes", False, unit, man, weapon, how))

    def mark(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        """The sniper names any model he sees."""
        if target.is_vehicle:
            return None
        men = list(target.men)
        if not target.building:
            blockers = ground.hulls(play.state, unit, target)
            eye = self.rules.shooting.eye(unit, unit.men[0])
            men = [
                man
                for man in target.men
                if ground.look(play.state, unit, eye, target, target.body_of(man), blockers).seen
            ] or men
        return (
            yield PickOne(
                unit.side,
                "sniper's mark",
                men,
                text=f"Which model of {target.card.name} is in the sights?",
                rule="k47.special.sniper",
                unit=unit.id,
                labels=lambda man: target.man(man).name,
                act="attack",
                about=lambda man: About("attack", unit.id, targets=(target.id,)),
            )
        )

    # -- medics (k47.special.medic) -----------------------------------------------------------------------------

    def medic_score(self, state: State, unit: Unit) -> int:
        """What a die needs to save a casualty; 7 without a medic within 6"."""
        if unit.is_vehicle or unit.is_beyond_medics or not unit.on_table:
            return 7
        best = 7
        for medic in state.units:
            if medic.side != unit.side or not medic.on_table or not (medic.heals or medic.carries("medic")):
                continue
            if medic is unit or ground.within(medic, unit, 6):
                best = min(best, 5 if medic.medic_bonus else 6)
        return best

    # -- rallying (k47.special.rally_colours) -----------------------------------------------------------------

    def colours(self, state: State, unit: Unit) -> bool:
        """A flag within 12" whose bearer is neither in Ambush nor Down."""
        if unit.is_vehicle or not unit.on_table:
            return False
        return any(
            other.bears_colours
            and other.order not in (AMBUSH, DOWN)
            and (other is unit or ground.within(other, unit, 12))
            for other in [unit, *state.friends(unit)]
        )

    def rally_again(self, play: Play, unit: Unit, occasion: Occasion, result: Result) -> Procedure:
        """A failed Rally test near the flag is taken again."""
        if not self.colours(play.state, unit):
            return result
        return (yield from self.rules.morale.test(play, unit, occasion, "k47.special.rally_colours"))

    def rally_dice(self, play: Play, unit: Unit) -> Procedure:
        """D6 pins, or the better of two near the flag."""
        first = yield from number(play, "D6", "pins removed", "k47.order.rally", unit.side, unit.id)
        if not self.colours(play.state, unit):
            return first
        second = yield from number(play, "D6", "pins removed", "k47.special.rally_colours", unit.side, unit.id)
        return max(first, second)

    # -- target designators (k47.special.target_designator) -----------------------------------------------------

    def designated(self, play: Play, unit: Unit, target: Unit, pool: Pool) -> Procedure:
        """A missed AT or rail gun shot may be rolled again if a designator sees the target."""
        state: State = play.state
        helpers = [
            other
            for other in state.friends(unit)
            if other.designates and other.order in (FIRE, ADVANCE) and ground.sees(state, other, target)
        ]
        if not helpers:
            return 0
        self.rules.orders.turn_die(play, helpers[0], DOWN, "k47.special.target_designator")
        thrown = yield from play.throw(pool.throw(), 1, unit.side, unit.id, "k47.special.target_designator")
        return thrown.successes

    # -- fights and dogs -----------------------------------------------------------------------------------------

    def fight_hooks(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        """Remember where the target lived, for those who clear a building."""
        if target.building:
            target.last_building = target.building
        return
        yield

    def loose_dogs(self, play: Play, unit: Unit) -> Procedure:
        """Released dogs run at the nearest troops, friend or foe (k47.special.war_dogs)."""
        state: State = play.state
        others = [other for other in state.units if other.on_table and other is not unit and not other.is_vehicle]
        if not others:
            return
        nearest = min(others, key=lambda other: (ground.unit_distance(state, unit, other), other.id))
        yield from self.rules.assault.assault(play, unit, nearest)


__all__ = ["RALLY", "SPECIALS", "Cover", "Specials"]
