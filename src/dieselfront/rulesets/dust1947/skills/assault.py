"""Fighting at close quarters: Berserk, First Strike, Assassin, shields, Execute, Interrogate, Devour."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.dice import Because, Throw
from dieselfront.kernel.decisions import PickOne, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.dust.events import Damaged, Happened
from dieselfront.rulesets.dust.hooks import Skill
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation, Menu, SpecialAction
from dieselfront.rulesets.dust1947.close_combat import FIRST
from dieselfront.rulesets.dust1947.damage import SINGLE, Picker, describe_soldier
from dieselfront.rulesets.dust1947.dice import ARMY, task
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.skills.common import part_of, protected_leaders
from dieselfront.rulesets.dust1947.skills.marksmanship import is_action


class Charge(Skill):
    """A free close-combat ATTACK right after a MARCH MOVE (d47.skill.charge)."""

    name = "Charge"
    rule = "d47.skill.charge"

    def on_actions(self, menu: Menu, activation: Activation) -> Menu:
        menu.follow("march", "free:close-attack")
        return menu


class Berserk(Skill):
    """Every hit of the hero's close-combat weapons gives another die, until one misses (d47.skill.berserk)."""

    name = "Berserk"
    rule = "d47.skill.berserk"
    shared = False

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        if shot.close and self.helps(shot.part):
            throw.chain |= ARMY  # one die a hit, whatever else chains (d47.open.chain_stacking)
            throw.because += (Because(self.rule, "berserk: every hit gives another die"),)
        return throw


class FirstStrike(Skill):
    """Strikes before the enemy does, and the enemy's losses do not strike back (d47.skill.first_strike)."""

    name = "First Strike"
    rule = "d47.skill.first_strike"
    shared = False

    def on_close_speed(self, speed: int, part: Part, play: Play) -> int:
        return FIRST if self.helps(part) else speed  # two of them strike together (d47.skill.first_strike_both)


class Assassin(Skill):
    """Chooses whom its close-combat hits fall on, leaders excepted (d47.skill.assassin)."""

    name = "Assassin"
    rule = "d47.skill.assassin"
    shared = False

    def on_pick(self, picker: Picker, shot: Shot) -> Picker:
        if shot.close and is_action(shot) and self.helps(shot.part):
            picker.side = shot.unit.side
            picker.protected = protected_leaders(shot.target)
        return picker


class AssaultShield(Skill):
    """Close-combat hits put on the shield of the leader are cancelled on ARMY, or he is lost.

    d47.skill.assault_shield.
    """

    name = "Assault Shield"
    rule = "d47.skill.assault_shield"
    shared = False

    def on_blows(self, hits: int, part: Part, shot: Shot, picker: Picker) -> Generator[Any, Any, int]:
        play, unit = shot.play, shot.target
        for _ in range(hits):
            bearer = self.shield(part)
            if bearer is None or not (yield from self.wanted(unit, part, picker, hits)):
                break
            hits -= 1
            thrown = yield from play.throw(task("assault shield", self.rule), 1, unit.side, unit.id)
            if not thrown.successes and not (yield from self.shrugged_off(play, shot, part)):
                play.rules.damage.remove(play, unit, part, bearer, self.rule)
                play.rules.damage.tell_kill(play, shot, unit, part, bearer)
        return hits

    def shield(self, part: Part) -> int | None:
        """The soldier with the shield, if he lives."""
        if not self.helps(part):
            return None
        return next((man for man in part.alive if "shield" in part.card.soldiers[man].roles), None)

    def wanted(self, unit: Unit, part: Part, picker: Picker, hits: int) -> Generator[Any, Any, bool]:
        """The owner decides hit by hit; an assassin does not let him, unless only the leader is left."""
        if picker.side != unit.side:
            return len(part.alive) == 1
        text = f"{unit.name}: put a hit on the assault shield? {hits} to take"
        answer: bool = yield YesNo(
            unit.side,
            "assault-shield",
            text=text,
            rule=self.rule,
            unit=unit.id,
            act="lose",
        )
        return answer

    def shrugged_off(self, play: Play, shot: Shot, part: Part) -> Generator[Any, Any, bool]:
        """What negates damage still works on a hit past the shield."""
        negate = play.rules.saves.negation(play, shot, part)
        if negate is None:
            return False
        thrown = yield from play.throw(negate, 1, shot.target.side, shot.target.id)
        return bool(thrown.successes)


class Devour(Skill):
    """Every point of damage it does in close combat heals it a point, before the blows it takes (d47.skill.devour)."""

    name = "Devour"
    rule = "d47.skill.devour"

    def on_lands_first(self, first: bool, shot: Shot) -> bool:
        return True

    def on_damaged(self, play: Play, shot: Shot, points: int) -> Procedure:
        part = part_of(shot.unit, self.bearer)
        if shot.close and part is not None:
            yield from play.rules.damage.heal(play, shot.unit, part, points, self.rule)


class Interrogate(Skill):
    """An enemy hero or officer killed at close quarters tells enough for four initiative dice.

    d47.skill.interrogate.
    """

    name = "Interrogate"
    rule = "d47.skill.interrogate"

    def on_kill(self, play: Play, victim: Unit, part: Part, soldier: int | None, manner: str) -> None:
        side = play.state.sides[1 - victim.side]
        if manner != "ranged" and not side.extra_initiative and self.is_worth_asking(part, soldier):
            side.extra_initiative = True
            play.emit(Happened(self.rule, f"{side.name} learns the enemy's plans", victim.id))

    def is_worth_asking(self, part: Part, soldier: int | None) -> bool:
        if soldier is None or not part.squad:
            return part.card.kind == "hero"
        return "officer" in part.card.soldiers[soldier].roles


class Execute(Skill):
    """EXECUTE: one soldier of a stunned enemy unit within range 1 is eliminated (d47.skill.execute)."""

    name = "Execute"
    rule = "d47.skill.execute"

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        if any(foe.is_infantry for foe in play.state.on_board(1 - unit.side)):  # its own attack may stun them first
            specials["execute"] = Execution()
        return specials


class Execution(SpecialAction):
    """The EXECUTE special action: no roll, no save."""

    name = "execute"

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        victims = self.victims(play, unit)
        if not victims:
            return
        foe_id, card, soldier = yield PickOne(
            unit.side,
            "execute",
            victims,
            labels=lambda victim: self.label(play, victim),
            text="Who is executed?",
            rule=Execute.rule,
            unit=unit.id,
            act="assault",
            about=lambda victim: About("assault", unit.id, targets=(victim[0],)),
        )
        foe = play.state.by_id[foe_id]
        part = part_of(foe, card)
        assert part is not None
        if soldier == SINGLE:
            points, part.damage = part.left, part.card.damage
            play.emit(Damaged(Execute.rule, foe.id, part.card.name, points, 0))
        else:
            play.rules.damage.remove(play, foe, part, soldier, Execute.rule)
        yield from play.rules.damage.bury(play, foe)
        if part.left <= 0 or part.squad:  # whoever cheats death says nothing
            for answer in unit.effects.get("on_kill", ()):
                answer(play, foe, part, soldier, "execute")

    def victims(self, play: Play, unit: Unit) -> list[tuple[str, str, int]]:
        """Every miniature of stunned enemies within range 1, those alike once."""
        victims: list[tuple[str, str, int]] = []
        for foe in play.state.on_board(1 - unit.side):
            if not foe.stunned or not foe.is_infantry or not play.rules.ground.near(play.state, unit, foe, 1):
                continue
            for part in foe.fighters():
                kinds = {
                    (part.card.soldiers[man].roles, part.card.soldiers[man].weapons): man for man in part.alive[::-1]
                }
                men = sorted(kinds.values()) if part.squad else [SINGLE]
                victims += [(foe.id, part.card.id, man) for man in men]
        return victims

    def label(self, play: Play, victim: tuple[str, str, int]) -> str:
        foe = play.state.by_id[victim[0]]
        part = part_of(foe, victim[1])
        assert part is not None
        return part.card.name if victim[2] == SINGLE else f"{foe.name}: {describe_soldier(part, victim[2])}"


ALL: list[type[Skill]] = [
    Charge,
    Berserk,
    FirstStrike,
    Assassin,
    AssaultShield,
    Devour,
    Interrogate,
    Execute,
]
