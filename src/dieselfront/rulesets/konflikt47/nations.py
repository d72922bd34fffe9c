"""National rules (k47.nation.*): a named option, on by default; they bind every unit of the list except Automatons and
units lent by another nation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dieselfront.dice import D6, Throw
from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import QUALITIES, Weapon
from dieselfront.rulesets.konflikt47.events import Gained
from dieselfront.rulesets.konflikt47.firing import AMBUSH as FROM_AMBUSH
from dieselfront.rulesets.konflikt47.firing import Aimed, Modifier, without
from dieselfront.rulesets.konflikt47.hooks import Special
from dieselfront.rulesets.konflikt47.morale import CHECK, ORDER, Occasion, Result
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import ADVANCE, DOWN, GONE, RUN, State, Unit
from dieselfront.rulesets.konflikt47.throws import at_least, number


def is_seasoned(unit: Unit, state: State) -> bool:
    """Regular or veteran, and not Green."""
    return unit.quality(state) != "inexperienced" and not unit.has("Green")


class InitiativeTraining(Special):
    """On 4+ another model falls in the NCO's place (k47.nation.germany)."""

    rule = "k47.nation.germany"
    spared = Throw("Initiative Training", D6, at_least(4), rule)

    def on_nco_spared(self, throw: Throw | None, unit: Unit) -> Throw | None:
        return self.spared if unit.card.squad else throw

    def on_nco_lost(self, nco: int, play: Play, unit: Unit, men: Sequence[int]) -> Procedure:
        others = [man for man in unit.men if man not in men]
        if not others or not unit.card.squad:
            return nco
        roll = yield from number(play, "D6", self.spared.label, self.rule, unit.side, unit.id)
        if not self.spared.faces >> (roll - 1) & 1:
            return nco
        lost = yield from play.rules.losses.owner_picks(play, unit, 1, men)
        return lost[0]


class MachineGunDrill(Special):
    """LMGs and MMGs fire one extra shot (k47.nation.germany, k47.nation.finland)."""

    def __init__(self, rule: str) -> None:
        self.rule = rule  # type: ignore[misc]

    def on_shots(self, shots: int, unit: Unit, weapon: Weapon, men: Sequence[int]) -> int:
        return shots + len(men) if weapon.chart in ("LMG", "MMG") else shots


class FatherlandResurgent(Special):
    """Infantry of more than 5 models leaves one pin out of Advance tests (k47.nation.germany)."""

    rule = "k47.nation.germany"

    def on_pins_counted(self, pins: int, unit: Unit, occasion: Occasion) -> int:
        if unit.is_infantry and len(unit.men) > 5 and occasion.kind == ORDER and occasion.order == ADVANCE:
            return max(0, pins - 1)
        return pins


class PlentifulSupply(Special):
    """Team weapons re-roll hit rolls of 1 (k47.nation.us)."""

    rule = "k47.nation.us"

    def on_reroll_ones(self, rule: str, unit: Unit, weapon: Weapon) -> str:
        return self.rule if weapon.is_crewed and not unit.is_vehicle else rule


class FireAndManoeuvre(Special):
    """Infantry with rifles or automatic rifles has no moving penalty (k47.nation.us)."""

    rule = "k47.nation.us"

    def on_hit_modifiers(self, modifiers: list[Modifier], aimed: Aimed) -> list[Modifier]:
        if aimed.unit.is_infantry and aimed.weapon.chart in ("Rifle", "Automatic Rifle"):
            return without(modifiers, "k47.shoot.moving")
        return modifiers


class ModernCommunications(Special):
    """No -1 when arriving from reserve (k47.nation.us)."""

    rule = "k47.nation.us"

    def on_arrival_penalty(self, penalty: int, unit: Unit, outflanking: bool) -> int:
        return penalty if outflanking else 0


class GyroStabilisers(Special):
    """Marked vehicles with veteran crew have no moving penalty, co-axial guns excepted (k47.nation.us)."""

    rule = "k47.nation.us"

    def on_hit_modifiers(self, modifiers: list[Modifier], aimed: Aimed) -> list[Modifier]:
        unit, weapon = aimed.unit, aimed.weapon
        steady = weapon.is_stabilised and not weapon.coaxial
        if steady and unit.is_vehicle and unit.card.quality == "veteran":
            return without(modifiers, "k47.shoot.moving")
        return modifiers


class KeepCalm(Special):
    """Infantry ordered Down removes a pin (k47.nation.britain)."""

    rule = "k47.nation.britain"

    def on_ordered(self, value: Any, play: Play, unit: Unit, order: str) -> Procedure:
        if order == DOWN and unit.is_infantry and unit.on_table:
            play.rules.morale.unpin(play, unit, 1, self.rule)
        return
        yield


class UpAndAtEm(Special):
    """Order tests to assault are passed (k47.nation.britain)."""

    rule = "k47.nation.britain"

    def on_auto_pass(self, rule: str, unit: Unit, occasion: Occasion, state: State) -> str:
        ready = occasion.kind == ORDER and occasion.assaulting and unit.is_infantry and is_seasoned(unit, state)
        return self.rule if ready else rule


class BloodCurdlingCharge(Special):
    """Enemies may not stand and fire against its assaults (k47.nation.britain)."""

    rule = "k47.nation.britain"

    def on_charge_unanswered(self, unanswered: bool, unit: Unit, state: State) -> bool:
        return unanswered or is_seasoned(unit, state)


class ToughAsBoots(Special):
    """One extra hand-to-hand die per 3 men (k47.nation.britain)."""

    rule = "k47.nation.britain"

    def on_extra_attacks(self, extra: int, unit: Unit, men: Sequence[int]) -> int:
        raw = unit.card.quality == "inexperienced" or not unit.is_infantry
        return extra if raw else extra + len(men) // 3


class RapidFire(Special):
    """One extra shot per 3 men shooting rifles (k47.nation.britain)."""

    rule = "k47.nation.britain"

    def on_shots(self, shots: int, unit: Unit, weapon: Weapon, men: Sequence[int]) -> int:
        raw = unit.card.quality == "inexperienced" or not unit.is_infantry
        return shots if raw or weapon.chart != "Rifle" else shots + len(men) // 3


class Vengeance(Special):
    """Ordered within 12" of an enemy: 4+ removes a pin before the test (k47.nation.britain)."""

    rule = "k47.nation.britain"

    def on_before_test(self, value: Any, play: Play, unit: Unit, choice: Any) -> Procedure:
        state: State = play.state
        if not unit.pins or choice == DOWN or not unit.on_table or not is_seasoned(unit, state):
            return
        if any(ground.within(unit, enemy, 12) for enemy in state.enemies(unit)):
            roll = yield from number(play, "D6", "Vengeance", self.rule, unit.side, unit.id)
            if roll >= 4:
                play.rules.morale.unpin(play, unit, 1, self.rule)


CHARACTERISTICS: dict[str, Special] = {  # k47.nation.britain: one is chosen for the whole force
    "Up And At 'Em": UpAndAtEm(),
    "Blood Curdling Charge": BloodCurdlingCharge(),
    "Tough as Boots": ToughAsBoots(),
    "Rapid Fire": RapidFire(),
    "Vengeance": Vengeance(),
}


class GreatPatrioticWar(Special):
    """A morale check that would destroy troops is taken once more (k47.nation.soviet)."""

    rule = "k47.nation.soviet"

    def on_check_again(self, rule: str, unit: Unit, occasion: Occasion) -> str:
        return rule if unit.is_vehicle or occasion.horror or occasion.kind != CHECK else self.rule


class NotOneStepBack(Special):
    """Beside a commissar a failed order test costs a model and is taken again (k47.nation.soviet)."""

    rule = "k47.nation.soviet"

    def on_order_failed(self, result: Result, play: Play, unit: Unit, occasion: Occasion) -> Procedure:
        state: State = play.state
        if result.passed or not unit.is_infantry or len(unit.men) < 3 or not unit.on_table:
            return result
        commissars = [other for other in state.friends(unit) if other.spurs_on]
        if not any(ground.within(unit, other, 6) for other in commissars):
            return result
        lost = yield from play.rules.losses.owner_picks(play, unit, 1, [])
        yield from play.rules.losses.remove(play, unit, lost)
        if not unit.alive:
            return result
        return (yield from play.rules.morale.test(play, unit, occasion, self.rule))


class DeathBeforeDishonour(Special):
    """All units are Fanatics, conscripts excepted (k47.nation.japan)."""

    rule = "k47.nation.japan"

    def on_half_loss_check(self, check: bool, unit: Unit) -> bool:
        return check if unit.has("Raw Recruits") else check and len(unit.men) < 2

    def on_follow_on(self, must: bool, unit: Unit) -> bool:
        return must or not unit.has("Raw Recruits")


class BanzaiCharge(Special):
    """A Run at the closest visible enemy passes its test as with a double one (k47.nation.japan)."""

    rule = "k47.nation.japan"

    def on_auto_pass(self, rule: str, unit: Unit, occasion: Occasion, state: State) -> str:
        if occasion.kind != ORDER or not occasion.assaulting or not unit.is_infantry:
            return rule
        closest = ground.closest_visible_enemy(state, unit)
        return self.rule if closest is not None and closest.id == occasion.target else rule


class Sisu(Special):
    """Squads below half strength count one quality higher (k47.nation.finland)."""

    rule = "k47.nation.finland"

    def on_troop_quality(self, quality: str, unit: Unit, state: State) -> str:
        if unit.is_infantry and unit.card.squad and 2 * len(unit.men) < len(unit.card.men):
            return QUALITIES[min(2, QUALITIES.index(quality) + 1)]
        return quality


class TrainedHuntsmen(Special):
    """Rifles firing from Ambush have +1 to hit (k47.nation.finland)."""

    rule = "k47.nation.finland"

    def on_hit_modifiers(self, modifiers: list[Modifier], aimed: Aimed) -> list[Modifier]:
        if aimed.how == FROM_AMBUSH and aimed.weapon.chart in ("Rifle", "Anti-tank Rifle"):
            return [*modifiers, Modifier(self.rule, "huntsmen", 1)]
        return modifiers


class Motti(Special):
    """No -1 when outflanking (k47.nation.finland)."""

    rule = "k47.nation.finland"

    def on_arrival_penalty(self, penalty: int, unit: Unit, outflanking: bool) -> int:
        return 0 if outflanking else penalty


class Avanti(Special):
    """+1 basic morale while the enemy has lost 3 units more (k47.nation.italy)."""

    rule = "k47.nation.italy"

    def on_basic_morale(self, value: int, unit: Unit, state: State) -> int:
        return min(10, value + 1) if unit.side in state.avanti else value


class Breda(Special):
    """This LMG fires 1 shot fewer (k47.nation.italy)."""

    rule = "k47.nation.italy"

    def on_shots(self, shots: int, unit: Unit, weapon: Weapon, men: Sequence[int]) -> int:
        return shots - len(men) if weapon.chart == "Breda LMG" else shots


class Commissar(Special):
    """Spurs others on instead of leading them (k47.nation.soviet)."""

    rule = "k47.nation.soviet"

    def on_spurs_on(self) -> None: ...

    def on_rank_bonus(self, bonus: int, unit: Unit) -> int:
        return 0


class ShowYourLoyalty(Special):
    """Green troops near him may roll again (k47.nation.japan)."""

    rule = "k47.nation.japan"

    def on_demands_loyalty(self) -> None: ...


NATIONAL: dict[str, Special] = {  # rules printed on the cards of one nation
    "Not One Step Back": Commissar(),
    "Show Your Loyalty": ShowYourLoyalty(),
}

NATIONS: dict[str, tuple[Special, ...]] = {
    "Germany": (InitiativeTraining(), MachineGunDrill("k47.nation.germany"), FatherlandResurgent()),
    "United States": (PlentifulSupply(), FireAndManoeuvre(), ModernCommunications(), GyroStabilisers()),
    "Great Britain": (KeepCalm(),),
    "Soviet Union": (GreatPatrioticWar(), NotOneStepBack()),
    "Japan": (DeathBeforeDishonour(), BanzaiCharge()),
    "Finland": (Sisu(), TrainedHuntsmen(), Motti(), MachineGunDrill("k47.nation.finland")),
    "Italy": (Avanti(), Breda()),
}


class Nations(Chapter):
    """Which national rules bind a unit (k47.nation.scope)."""

    def of(self, state: State | None, unit: Unit) -> tuple[Special, ...]:
        """The rules of the unit's nation, if the option is on and nothing exempts the unit."""
        if state is not None and not state.is_on("national_rules"):
            return ()
        if "Automaton" in unit.card.rules:
            return ()
        if unit.card.lent and unit.nation != unit.card.nation:
            return NATIONS.get(unit.card.nation, ())
        specials = NATIONS.get(unit.nation, ())
        choice = unit.characteristic
        return (*specials, CHARACTERISTICS[choice]) if choice in CHARACTERISTICS else specials

    def choose(self, play: Play, side: int) -> Procedure:
        """The British player chooses the characteristic of his force before the game (k47.nation.britain)."""
        state: State = play.state
        units = [unit for unit in state.of(side) if unit.nation == "Great Britain"]
        if not state.is_on("national_rules") or not units:
            return
        choice = units[0].characteristic
        if not choice:
            choice = yield PickOne(
                side,
                "national characteristic",
                list(CHARACTERISTICS),
                text="Which characteristic has the force?",
                rule="k47.nation.britain",
            )
        for unit in units:
            unit.characteristic = choice
            self.rules.outfit.refresh(state, unit)
        play.emit(Gained("k47.nation.britain", units[0].id, f"the force has {choice}"))

    def turn_began(self, play: Play) -> None:
        """Avanti is judged at the start of a turn (k47.nation.italy)."""
        state: State = play.state
        lost = [sum(unit.side == side and unit.place == GONE for unit in state.units) for side in (0, 1)]
        ahead = tuple(side for side in (0, 1) if lost[1 - side] >= lost[side] + 3)
        if ahead != state.avanti:
            state.avanti = ahead

    def may_show_loyalty(self, state: State, unit: Unit) -> bool:
        """Green rolls within 6" of the marked officer may be re-rolled (k47.nation.japan)."""
        return any(other.demands_loyalty and ground.within(other, unit, 6) for other in state.friends(unit))


__all__ = ["CHARACTERISTICS", "NATIONAL", "NATIONS", "RUN", "Nations"]
