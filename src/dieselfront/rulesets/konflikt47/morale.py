"""Morale: quality, officers, tests, pins, checks and routs (k47.morale.*, k47.pin.*, k47.order.test_*)."""

from __future__ import annotations

from typing import NamedTuple

from dieselfront.dice import D6, Because, Dice, Reading
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import MORALE, RANK_BONUS, RANK_RANGE
from dieselfront.rulesets.konflikt47.events import Automatic, Pinned, Tested, Unpinned
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import GONE, State, Unit
from dieselfront.rulesets.konflikt47.throws import fell

ORDER, REACTION, CHECK = "order test", "reaction test", "morale check"
HIGHEST, LOWEST = 10, 2  # k47.order.test_limits


class Occasion(NamedTuple):
    """What a test is about: its kind, the order given, and what makes it harder."""

    kind: str
    order: str = ""
    what: str = ""
    assaulting: bool = False
    nerve: bool = False  # ordered to assault closed armour without anti-tank weapons
    arriving: bool = False
    outflanking: bool = False
    horror: bool = False  # being assaulted by a unit with Horror
    target: str = ""

    @property
    def is_check(self) -> bool:
        return self.kind == CHECK


class Result(NamedTuple):
    """What a test came to."""

    passed: bool
    faces: tuple[int, int] = (0, 0)
    needed: int = 0

    @property
    def double_six(self) -> bool:
        return self.faces == (6, 6)


class Morale(Chapter):
    """Tests against morale, and the pins that weigh on it."""

    # -- the value ---------------------------------------------------------------------------------

    def basic(self, state: State, unit: Unit) -> int:
        """The basic morale value of the unit's quality (k47.morale.quality)."""
        value: int = unit.ask("on_basic_morale", MORALE[unit.quality(state)], unit, state)
        return value

    def value(self, state: State, unit: Unit, occasion: Occasion) -> tuple[int, list[Because]]:
        """Morale after all modifiers, limits applied last (k47.order.test_mods, k47.order.test_limits)."""
        basic = self.basic(state, unit)
        because = [Because("k47.morale.quality", f"{unit.quality(state)} {basic}")]
        because += self.modifiers(state, unit, occasion)
        total = basic + sum(int(item.text.rsplit(" ", 1)[1]) for item in because[1:])
        return max(LOWEST, min(HIGHEST, total)), because

    def modifiers(self, state: State, unit: Unit, occasion: Occasion) -> list[Because]:
        """Every modifier of the table that applies, the number last in its text."""
        modifiers: list[Because] = []

        def add(rule: str, text: str, number: int) -> None:
            if number:
                modifiers.append(Because(rule, f"{text} {number:+d}"))

        add("k47.pin.morale", "pins", -self.pin_penalty(unit, occasion))
        add(*self.officer_bonus(state, unit))
        if unit.is_armoured:
            add(*self.command_bonus(state, unit))
        if unit.nco_lost and not unit.needs_no_nco:
            add("k47.morale.nco", "NCO lost", -1)
        if unit.is_lone_crew:
            add("k47.wrule.team_one_man", "one man left", -1)
        if self.feels_horror(state, unit, occasion):
            add("k47.special.horror", "Horror", -1)
        if occasion.nerve:
            add("k47.cqv.nerve", "assaulting closed armour", -3)
        if occasion.arriving:
            penalty = unit.ask("on_arrival_penalty", 1, unit, occasion.outflanking)
            add("k47.game.outflank" if occasion.outflanking else "k47.game.reserve", "arriving", -penalty)
        return modifiers

    def pin_penalty(self, unit: Unit, occasion: Occasion) -> int:
        """Each pin lowers morale by 1 unless a rule says otherwise (k47.pin.morale)."""
        pins: int = unit.ask("on_pins_counted", unit.pins, unit, occasion)
        weight: int = unit.ask("on_pin_weight", 1, unit, occasion)
        return max(0, pins) * weight

    def officer_bonus(self, state: State, unit: Unit) -> tuple[str, str, int]:
        """The best officer in range (k47.morale.officer_range, k47.morale.officer_stack)."""
        best, rank = 0, ""
        for officer in state.units:
            bonus = self.rank_bonus(officer)
            if bonus > best and officer.side == unit.side and self.hears(state, unit, officer):
                best, rank = bonus, officer.card.rank
        best = unit.ask("on_officer_bonus", best, unit)
        return "k47.morale.officers", rank, best

    def rank_bonus(self, unit: Unit) -> int:
        """What an officer gives while his model lives (k47.officer.lost); commissars give nothing."""
        if not unit.card.rank or unit.place == GONE or not unit.carries("officer"):
            return 0
        bonus: int = unit.ask("on_rank_bonus", RANK_BONUS[unit.card.rank], unit)
        return bonus

    def hears(self, state: State, unit: Unit, officer: Unit) -> bool:
        """Is the unit near enough to the officer model? His own unit always is; being Down changes nothing
        (k47.open.officer_down)."""
        if officer is unit:
            return True
        if unit.is_vehicle or not officer.on_table or not unit.on_table:
            return False
        reach = self.officer_reach(state, officer)
        man = next(man for man in officer.men if officer.man(man).is_a("officer"))
        return ground.man_within(officer, man, unit, reach)

    def officer_reach(self, state: State, officer: Unit) -> int:
        """How far an officer reaches, in inches (k47.morale.officer_range)."""
        if state.options.get("officer_range") == "six_inches" and not state.is_on("supplement_weapons"):
            return 6
        return RANK_RANGE[officer.card.rank]

    def command_bonus(self, state: State, unit: Unit) -> tuple[str, str, int]:
        """Command vehicles steady armoured vehicles within 12" (k47.vehicle.command, k47.vehicle.command_senior)."""
        best, rule, text = 0, "", ""
        for other in state.units:
            if other.side != unit.side or not other.alive or not (other is unit or other.on_table):
                continue
            bonus = other.ask("on_command_bonus", 0, other)
            if not bonus:
                continue
            if other is not unit and not (unit.on_table and ground.within(unit, other, 12)):
                continue
            if other.card.platoon == unit.card.platoon:
                bonus = other.ask("on_platoon_bonus", bonus, other, unit)
            if bonus > best:
                best, text = bonus, other.card.name
                rule = "k47.vehicle.command_senior" if bonus > 1 else "k47.vehicle.command"
        return rule, text, best

    def feels_horror(self, state: State, unit: Unit, occasion: Occasion) -> bool:
        """Within 6" of a unit with Horror, or assaulted by one (k47.special.horror)."""
        if unit.is_fearless:
            return False
        if occasion.horror:
            return True
        if not unit.on_table:
            return False
        for other in state.units:
            if other is unit or not other.on_table:
                continue
            frightful = other.is_fearsome and (other.side != unit.side or other.frightens_friends)
            if frightful and ground.within(unit, other, 6):
                return True
        return False

    # -- tests ---------------------------------------------------------------------------------------

    def test(self, play: Play, unit: Unit, occasion: Occasion, rule: str) -> Procedure:
        """Roll 2D6 equal to or under the morale value (k47.order.test_roll); a natural 12 never passes."""
        automatic = unit.ask("on_auto_pass", "", unit, occasion, play.state)
        what = occasion.what or occasion.kind
        if automatic:
            play.emit(Automatic(automatic, unit.id, what))
            return Result(True)
        needed, because = self.value(play.state, unit, occasion)
        faces = yield Dice(D6, 2, unit.side, what, reading=Reading(rule, at_most=needed))
        shown = (faces[0] + 1, faces[1] + 1)
        passed = sum(shown) <= needed
        reasons = tuple((item.rule, item.text) for item in because)
        play.emit(Tested(rule, unit.side, what, fell(faces), unit.id, needed, passed, reasons))
        return Result(passed, shown, needed)

    def chance(self, state: State, unit: Unit, occasion: Occasion) -> float:
        """How likely the unit passes a test now."""
        if unit.ask("on_auto_pass", "", unit, occasion, state):
            return 1.0
        needed, _ = self.value(state, unit, occasion)
        return sum(one + other <= needed for one in range(1, 7) for other in range(1, 7)) / 36

    def check(self, play: Play, unit: Unit, what: str, rule: str, horror: bool = False) -> Procedure:
        """A morale check: no FUBAR, no pin removed (k47.morale.check). True if the unit passes."""
        occasion = Occasion(CHECK, what=f"morale check ({what})", horror=horror)
        automatic = unit.ask("on_check_passes", "", unit)
        if automatic:
            play.emit(Automatic(automatic, unit.id, occasion.what))
            return True
        result = yield from self.test(play, unit, occasion, rule)
        again = unit.ask("on_check_again", "", unit, occasion)
        if again and not result.passed:
            result = yield from self.test(play, unit, occasion, again)
        return result.passed

    def check_or_die(self, play: Play, unit: Unit, what: str, rule: str) -> Procedure:
        """A morale check whose failure destroys the unit (k47.morale.check_causes)."""
        passed = yield from self.check(play, unit, what, rule)
        if not passed:
            yield from self.rules.losses.destroy(play, unit, f"failed its morale check ({what})", "k47.morale.check")
        return passed

    # -- pins -----------------------------------------------------------------------------------------

    def pin(self, play: Play, unit: Unit, pins: int, rule: str) -> Procedure:
        """Place pins; a unit with as many pins as its basic morale is destroyed at once (k47.morale.rout)."""
        pins = unit.ask("on_pins_gained", pins, unit)
        if pins <= 0 or not unit.alive:
            return
        unit.pins += pins
        play.emit(Pinned(rule, unit.id, pins, unit.pins))
        if unit.pins >= self.basic(play.state, unit):
            rule = "k47.open.vehicle_rout" if unit.is_vehicle else "k47.morale.rout"
            yield from self.rules.losses.destroy(play, unit, "too many pins", rule)

    def unpin(self, play: Play, unit: Unit, pins: int, rule: str) -> None:
        """Take pins off, never below zero (k47.pin.remove)."""
        gone = min(pins, unit.pins)
        if gone > 0:
            unit.pins -= gone
            play.emit(Unpinned(rule, unit.id, gone, unit.pins))
