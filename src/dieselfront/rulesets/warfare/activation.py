"""The Unit phase: activate every unit once, in five steps, with 0 to 2 actions (dw.unit_phase.*, dw.action.*)."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.damage_tables import FIRE
from dieselfront.rulesets.warfare.events import Activated, Declared
from dieselfront.rulesets.warfare.firing import ATTACK as ATTACK_KIND
from dieselfront.rulesets.warfare.firing import SUSTAINED as SUSTAINED_KIND
from dieselfront.rulesets.warfare.going import MARCH as MARCH_KIND
from dieselfront.rulesets.warfare.going import MOVE as MOVE_KIND
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import ABOARD, PILOTING, TABLE, State, Unit
from dieselfront.rulesets.warfare.throws import combat

MOVE, ATTACK, MARCH, SUSTAINED = "move", "attack", "march", "sustained attack"
EXTINGUISH, EMBARK, DISEMBARK, RELOAD, ENTER = "put out the fire", "embark", "disembark", "reload", "enter"
DOUBLE = (MARCH, SUSTAINED)
Sequence = tuple[str, ...]


class Activation(Chapter):
    """One unit's activation."""

    # -- the phase ------------------------------------------------------------------------------------------

    def step(self, play: Play) -> Procedure:
        """One activation; a side activates everybody before the other begins (dw.unit_phase.order_of_play)."""
        state: State = play.state
        waiting = [unit for unit in state.of(state.active) if not unit.activated]
        if not waiting:
            self.next_side(play)
            return
        id = yield PickOne(
            state.active,
            "activate",
            [unit.id for unit in waiting],
            text="Which unit is activated next?",
            rule="dw.unit_phase.order_of_play",
            labels=lambda id: f"{state.unit(id).name} ({id})",
            act="activate",
            about=lambda id: About(act="activate", unit=id),
        )
        yield from self.activate(play, state.unit(id))

    def next_side(self, play: Play) -> None:
        """The responding side follows; then the End phase (dw.turn.phases)."""
        state: State = play.state
        if state.active == state.initiative:
            self.rules.turn.begin_units(play, 1 - state.initiative)
        else:
            state.phase = "end"

    # -- the five steps ----------------------------------------------------------------------------------------

    def activate(self, play: Play, unit: Unit) -> Procedure:
        """Leader, formation, suppression, retreat, actions (dw.unit_phase.step_order); the whole unit acts together
        (dw.unit.act_together). Aircraft have steps of their own (dw.aircraft.activation_order)."""
        state: State = play.state
        unit.activated = True
        unit.notes.pop("climbed", None)
        for name in ("fast used",):
            unit.notes.pop(name, None)
        if unit.is_aircraft:
            yield from self.rules.aircraft.before_actions(play, unit)
        else:
            yield from self.prepare(play, unit)
        if unit.alive and unit.men:
            for answer in unit.hooks.get("on_activation_began", ()):
                yield from answer(play, unit)
            count = self.action_count(state, unit)
            if unit.notes.pop("retreated", False) and state.option("retreat_move_distance") == "is_the_action":
                count = max(0, count - 1)
            play.emit(Activated("dw.unit_phase.action_count", unit.id, count))
            yield from self.act(play, unit, count)
        yield from self.end(play, unit)

    def prepare(self, play: Play, unit: Unit) -> Procedure:
        """Steps 1 to 4."""
        if unit.leader is None:  # dw.unit_phase.replace_leader
            yield from self.rules.leaders.name_leader(play, unit, "dw.unit_phase.replace_leader")
            self.rules.suppression.suppress(play, unit, 1, "dw.unit_phase.replace_leader")
        if unit.place == TABLE:
            self.rules.movement.close_up(play, unit)
        yield from self.remove_suppression(play, unit)
        if unit.place == TABLE and self.rules.suppression.is_retreating(play.state, unit):  # dw.retreat.recovery
            unit.notes["retreated"] = True
            yield from self.rules.movement.retreat(play, unit)

    def remove_suppression(self, play: Play, unit: Unit) -> Procedure:
        """One die for each marker, one off for each HIT (dw.unit_phase.remove_suppression); inverted if a hero leads
        (dw.hero.invert_removal)."""
        if not unit.suppression or not unit.is_soldier:
            return
        rule = "dw.hero.invert_removal" if unit.is_hero_led else "dw.unit_phase.remove_suppression"
        throw = combat("remove suppression", rule, inverted=unit.is_hero_led)
        thrown = yield from play.throw(throw, unit.suppression, unit.side, unit.id)
        self.rules.suppression.calm(play, unit, thrown.successes, rule)

    def action_count(self, state: State, unit: Unit) -> int:
        """Two, less one for a reaction marker, less one for any suppression (dw.unit_phase.action_count,
        dw.reaction.lose_action, dw.aircraft.action_count)."""
        count = 2 - int(unit.reaction) - int(self.rules.suppression.is_suppressed(state, unit))
        count = unit.ask("on_action_count", count, unit, state)
        if unit.is_machine and not self.rules.transport.has_its_pilot(state, unit):
            count = 0
        return max(0, count)

    def end(self, play: Play, unit: Unit) -> Procedure:
        """The fire of a burning vehicle, and what abilities do."""
        unit.stand_in = None
        unit.notes["been active"] = True
        if unit.is_vehicle and unit.place == TABLE:
            yield from self.rules.damage.burn(play, unit)
        if unit.alive:
            for answer in unit.hooks.get("on_activation_ended", ()):
                yield from answer(play, unit)
        unit.notes.pop("climbed", None)

    # -- declaring actions ------------------------------------------------------------------------------------

    def act(self, play: Play, unit: Unit, count: int) -> Procedure:
        """All actions are announced, then resolved (dw.unit_phase.declare, dw.open.declare_upfront); markers gained
        on the
        way cost nothing now (dw.unit_phase.mid_activation_suppression)."""
        state: State = play.state
        menu = play.now(lambda: self.menu(state, unit, count))
        if menu == [()]:
            return
        chosen = yield PickOne(
            unit.side,
            "actions",
            menu,
            text=f"What does {unit.name} do?",
            rule="dw.unit_phase.declare",
            unit=unit.id,
            labels=lambda names: ", then ".join(names) if names else "nothing",
            act="activate",
            about=lambda names: self._about(unit, names),
        )
        play.emit(Declared("dw.unit_phase.declare", unit.id, chosen))
        unit.notes["declared"] = chosen
        for name in chosen:
            if not unit.alive or not unit.men:
                break
            yield from self.take(play, unit, name)
        unit.notes.pop("declared", None)

    def _about(self, unit: Unit, names: Sequence) -> About:
        acts = {MOVE: "move", MARCH: "move", ATTACK: "attack", SUSTAINED: "attack", EMBARK: "ride", DISEMBARK: "ride"}
        if not names:
            return About(act="pass", unit=unit.id, careless=True)
        act = next((acts[name] for name in names if acts.get(name) == "attack"), acts.get(names[0], "support"))
        return About(act=act, unit=unit.id, skills=names, cost=sum(2 if name in DOUBLE else 1 for name in names))

    def menu(self, state: State, unit: Unit, count: int) -> list[Sequence]:
        """Everything that may be declared with so many actions. Two moves are a march, two attacks a sustained attack
        (dw.open.same_action_twice); the whole unit does the same (dw.unit_phase.same_action)."""
        singles = self.singles(state, unit)
        menu: list[Sequence] = [()]
        if unit.seat == PILOTING:  # dw.ability.pilot_disembark
            return [*menu, *[(name,) for name in singles if count]]
        if count >= 1:
            menu += [(name,) for name in singles]
        if count >= 2:
            second = self.later(state, unit, singles)
            menu += [
                (one, other)
                for one in singles
                for other in second
                if not (one == other and one in (MOVE, ATTACK)) and not self.clash(one, other)
            ]
            menu += [(name,) for name in self.doubles(state, unit)]
        return list(unit.ask("on_menu", menu, unit, state, count))

    def singles(self, state: State, unit: Unit) -> list[str]:
        """Single actions that are possible now."""
        if unit.place == ABOARD:  # dw.ability.carry_capacity_inside
            return [DISEMBARK] if self.rules.transport.may_disembark(state, unit) else []
        if unit.place != TABLE:
            return [ENTER] if self.rules.setup.may_enter_by_move(state, unit) else []
        actions = []
        if self.rules.movement.can_move(state, unit, MOVE_KIND):
            actions.append(MOVE)
        if self.rules.attacking.can_attack(state, unit, ATTACK_KIND):
            actions.append(ATTACK)
        return [*actions, *self.specials(state, unit)]

    def has_singles(self, state: State, unit: Unit) -> bool:
        """Is any single action possible now? (One of them is enough to know.)"""
        if unit.place == TABLE and (
            self.rules.movement.can_move(state, unit, MOVE_KIND)
            or self.rules.attacking.can_attack(state, unit, ATTACK_KIND)
        ):
            return True
        return bool(self.specials(state, unit) if unit.place == TABLE else self.singles(state, unit))

    def specials(self, state: State, unit: Unit) -> list[str]:
        """Special actions (dw.action.special)."""
        actions = []
        if FIRE in unit.effects and unit.is_vehicle:  # dw.open.fire_extinguish
            actions.append(EXTINGUISH)
        if unit.empty:
            actions.append(RELOAD)
        if self.rules.transport.may_embark(state, unit):
            actions.append(EMBARK)
        actions = self.rules.attacking.ask_carried("on_specials", actions, unit, unit, state)  # Demolition
        actions = unit.ask("on_specials", actions, unit, state)
        return list(dict.fromkeys(actions))

    def later(self, state: State, unit: Unit, singles: list[str]) -> list[str]:
        """What may be announced as the second action: also what only becomes possible by the first."""
        if unit.place != TABLE:
            return [MOVE, ATTACK, *self.after_landing(state, unit)] if singles else []
        actions = list(dict.fromkeys([*singles, ATTACK]))
        if not self.rules.attacking.weapons(unit) and not unit.empty and ATTACK in actions:
            actions.remove(ATTACK)
        if self.rules.transport.could_embark_later(state, unit) and EMBARK not in actions:
            actions.append(EMBARK)
        return actions

    def after_landing(self, state: State, unit: Unit) -> list[str]:
        return []

    def clash(self, one: str, other: str) -> bool:
        """Announcements that cannot follow each other."""
        if one == EMBARK or other == ENTER:
            return True
        return one == DISEMBARK and other in (DISEMBARK, EMBARK)

    def doubles(self, state: State, unit: Unit) -> list[str]:
        """Actions that cost both (dw.action.march_move, dw.action.sustained_attack)."""
        if unit.place == TABLE:
            actions = []
            if self.rules.movement.can_move(state, unit, MARCH_KIND):
                actions.append(MARCH)
            if self.rules.attacking.can_attack(state, unit, SUSTAINED_KIND):
                actions.append(SUSTAINED)
            return actions
        return [MARCH] if self.rules.setup.may_enter_by_march(state, unit) else []

    # -- taking actions ------------------------------------------------------------------------------------------

    def take(self, play: Play, unit: Unit, name: str) -> Procedure:
        """One declared action; what has become impossible is lost (dw.open.declare_upfront)."""
        state: State = play.state
        if name in (MOVE, MARCH):
            kind = MARCH_KIND if name == MARCH else MOVE_KIND
            if unit.place == TABLE and self.rules.movement.can_move(state, unit, kind):
                yield from self.rules.movement.move(play, unit, kind)
            elif name == MARCH and self.rules.setup.may_enter_by_march(state, unit):
                yield from self.rules.setup.enter_by_march(play, unit)
        elif name in (ATTACK, SUSTAINED):
            if unit.place == TABLE:
                kind = SUSTAINED_KIND if name == SUSTAINED else ATTACK_KIND
                yield from self.rules.attacking.attack(play, unit, kind)
        else:
            yield from self.special(play, unit, name)

    def special(self, play: Play, unit: Unit, name: str) -> Procedure:
        """A special action; nobody reacts to it (dw.open.reaction_triggers)."""
        state: State = play.state
        if name == EXTINGUISH:
            self.rules.damage.heal_effect(play, unit, FIRE, "dw.open.fire_extinguish")
        elif name == EMBARK:
            if self.rules.transport.may_embark(state, unit):
                yield from self.rules.transport.embark(play, unit)
        elif name == DISEMBARK:
            if self.rules.transport.may_disembark(state, unit):
                yield from self.rules.transport.disembark(play, unit)
        elif name == RELOAD:
            self.rules.artillery.reload(play, unit)
        elif name == ENTER:
            yield from self.rules.setup.enter_by_move(play, unit)
        else:
            done: Any = False
            for answer in (*unit.hooks.get("on_special", ()), *self.rules.attacking.answers("on_special", unit)):
                done = yield from answer(done, play, unit, name)


__all__ = ["ATTACK", "DISEMBARK", "DOUBLE", "EMBARK", "ENTER", "EXTINGUISH", "MARCH", "MOVE", "RELOAD", "SUSTAINED",
           "Activation"]  # fmt: skip
