"""Reactions: what units may do in the enemy's part of the Unit phase (dw.reaction.*).

Nobody is asked when nobody may react. The reacting side is asked one question that lists every unit with what it may
do; after each reaction it is asked again only if others could still react.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.kernel.stakes import Stake
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.events import Reacted
from dieselfront.rulesets.warfare.firing import REACTION, Attack
from dieselfront.rulesets.warfare.going import REACTION as REACTION_MOVE
from dieselfront.rulesets.warfare.going import Move
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.table.measured.shapes import Body

REACTION_INCHES = 12
MOVE, ATTACK, DIRT = "move", "attack", "hit the dirt"
BEFORE, AFTER = "before", "after"
Choice = tuple[str, str]  # unit, what it does


class Reactions(Chapter):
    """Windows for the side that is not acting."""

    # -- who may -------------------------------------------------------------------------------------------

    def is_ready(self, state: State, unit: Unit) -> bool:
        """Neither marker, not yet this turn, in formation (dw.reaction.eligibility, dw.reaction.once_per_turn,
        dw.reaction.formation_required); whether it has activated does not matter (dw.reaction.no_action_needed)."""
        if not unit.on_table or unit.reaction or unit.reacted or not unit.men:
            return False
        if self.rules.suppression.is_suppressed(state, unit):
            return False
        return self.rules.leaders.could_be_in_formation(unit)

    def windows_open(self, state: State, actor: Unit) -> bool:
        """Only to the actions of an activation in the Unit phase (dw.unit_phase.reactions_allowed,
        dw.command.no_reactions), never to a reaction (dw.reaction.no_chain)."""
        return state.phase == "units" and state.active == actor.side and not state.notes.get("reacting")

    # -- moves ---------------------------------------------------------------------------------------------

    def to_move(self, play: Play, move: Move, moment: str) -> Procedure:
        """Before an enemy begins to move or after it has finished, never in between (dw.reaction.move_timing)."""
        state: State = play.state
        mover = move.unit
        if not self.windows_open(state, mover):
            return
        if moment not in mover.ask("on_move_windows", (BEFORE, AFTER), mover, move):
            return
        while mover.alive and mover.on_table:
            options = play.now(lambda: self.move_options(state, move, moment))
            if not options:
                return
            choice = yield self.question(state, mover, options, self._move_text(state, mover, moment))
            if choice is None:
                return
            yield from self.react_to_move(play, state.unit(choice[0]), mover, choice[1])

    def _move_text(self, state: State, mover: Unit, moment: str) -> str:
        if moment == BEFORE:
            return f'{mover.name} ({mover.id}) is about to move within 12" of your units. Who reacts before it goes?'
        return f'{mover.name} ({mover.id}) has moved within 12" of your units. Who reacts to it?'

    def move_options(self, state: State, move: Move, moment: str) -> list[Choice]:
        """Units with the mover within 12" at its start, or afterwards at its start or end (dw.reaction.move_within_12,
        dw.open.reaction_move_trigger), and what each may do (dw.reaction.single_action)."""
        mover = move.unit
        places = [move.start] if moment == BEFORE else [move.start, mover.bodies]
        choices: list[Choice] = []
        for unit in state.enemies(mover):
            if not self.is_ready(state, unit) or not self._any_near(unit, places):
                continue
            if self.can_move(state, unit):
                choices.append((unit.id, MOVE))
            if self.rules.attacking.can_attack(state, unit, REACTION, mover):
                choices.append((unit.id, ATTACK))
        return choices

    def _any_near(self, unit: Unit, places: Sequence[Sequence[Body]]) -> bool:
        return any(bodies and ground.bodies_within(unit.bodies, bodies, REACTION_INCHES * INCH) for bodies in places)

    def can_move(self, state: State, unit: Unit) -> bool:
        """Has it a move at all?"""
        return self.rules.movement.can_move(state, unit, REACTION_MOVE)

    def react_to_move(self, play: Play, unit: Unit, mover: Unit, how: str) -> Procedure:
        """One move or one attack aimed at the mover only (dw.reaction.move_attack_target)."""
        state: State = play.state
        if not (yield from self.leads(play, unit)):
            return
        play.emit(Reacted("dw.reaction.move_within_12", unit.id, how, mover.id))
        unit.reacted = True
        state.notes["reacting"] = True
        if how == MOVE:
            yield from self.rules.movement.move(play, unit, REACTION_MOVE)
        else:
            yield from self.rules.attacking.attack(play, unit, REACTION, reactions=False, only=mover)
        state.notes.pop("reacting", None)
        self.done(play, unit)

    def leads(self, play: Play, unit: Unit) -> Procedure:
        """A leaderless unit reacts under a stand-in and only if all are in his range (dw.open.leaderless_reaction)."""
        yield from self.rules.leaders.stand_in(play, unit)
        if ground.out_of_formation(unit):
            unit.stand_in = None
            unit.notes["tried"] = True
            unit.reacted = True
            return False
        return True

    def done(self, play: Play, unit: Unit) -> None:
        """A reaction marker afterwards (dw.reaction.marker)."""
        unit.stand_in = None
        if unit.alive:
            self.rules.suppression.mark_reaction(play, unit, "dw.reaction.marker")

    # -- attacks --------------------------------------------------------------------------------------------

    def to_attack(self, play: Play, attack: Attack) -> Procedure:
        """Declared after the targets and before the dice (dw.reaction.attack_timing): moves and Hit the Dirt are
        carried
        out at once in the order their owner likes, counter-attacks wait for the attack itself (dw.reaction.multiple,
        dw.open.multi_reaction_simultaneous)."""
        state: State = play.state
        if not self.windows_open(state, attack.unit):
            return
        while True:
            options = play.now(lambda: self.attack_options(state, attack))
            if not options:
                return
            choice = yield self.question(state, attack.unit, options, self._attack_text(state, attack), attack)
            if choice is None:
                return
            yield from self.react_to_attack(play, state.unit(choice[0]), attack, choice[1])

    def _attack_text(self, state: State, attack: Attack) -> str:
        """Who attacks whom with what from how far, what was declared against it so far, and the question."""
        weapons_at: dict[str, dict[str, None]] = {}
        for shot in attack.shots:
            weapons_at.setdefault(shot.target.id, {})[shot.weapon.name] = None
        whom = "; ".join(self._aimed_at(attack.unit, state.unit(id), names) for id, names in weapons_at.items())
        back = [f"{counter.unit.name} ({counter.unit.id}) fires back" for counter in attack.counters]
        low = [f"{state.unit(id).name} ({id}) is in the dirt" for id in attack.dirt]
        so_far = f" So far: {', '.join([*low, *back])}." if low or back else ""
        return f"{attack.unit.name} ({attack.unit.id}) is about to attack {whom}.{so_far} Which target reacts?"

    def _aimed_at(self, attacker: Unit, target: Unit, weapons: Iterable[str]) -> str:
        text = f"{target.name} ({target.id}) with {', '.join(weapons)}"
        if not (attacker.bodies and target.bodies):
            return text
        return f'{text} from {ground.unit_distance(attacker, target) / INCH:.0f}" away'

    def attack_options(self, state: State, attack: Attack) -> list[Choice]:
        """Targets within 12" may move or fire back (dw.reaction.attack_within_12), at any distance soldiers may hit the
        dirt (dw.reaction.hit_the_dirt); nobody moves out of close combat (dw.weapon.close_combat_reaction)."""
        choices: list[Choice] = []
        close = attack.is_close
        for unit in attack.targets:
            if not self.is_ready(state, unit) or unit.side == attack.unit.side:
                continue
            if ground.within(unit, attack.unit, REACTION_INCHES):
                if not close and self.can_move(state, unit):
                    choices.append((unit.id, MOVE))
                data = {"close only": True} if close else {}
                if self.rules.attacking.can_attack(state, unit, REACTION, attack.unit, **data):
                    choices.append((unit.id, ATTACK))
            if self.may_hit_the_dirt(state, unit):
                choices.append((unit.id, DIRT))
        return choices

    def may_hit_the_dirt(self, state: State, unit: Unit) -> bool:
        """Soldiers only, and not those who never take markers (dw.open.hit_the_dirt_hero)."""
        if not unit.is_soldier or unit.is_lone_hero:
            return False
        return bool(unit.ask("on_hit_the_dirt", True, unit, state))

    def react_to_attack(self, play: Play, unit: Unit, attack: Attack, how: str) -> Procedure:
        """Aimed at the attacker only (dw.reaction.attack_target)."""
        state: State = play.state
        if not (yield from self.leads(play, unit)):
            return
        rule = "dw.reaction.hit_the_dirt" if how == DIRT else "dw.reaction.attack_within_12"
        play.emit(Reacted(rule, unit.id, how, attack.unit.id))
        unit.reacted = True
        if how == DIRT:
            self.hit_the_dirt(play, unit, attack)
        elif how == MOVE:
            state.notes["reacting"] = True
            yield from self.rules.movement.move(play, unit, REACTION_MOVE)
            state.notes.pop("reacting", None)
        else:
            yield from self.counter(play, unit, attack)
            return
        self.done(play, unit)

    def hit_the_dirt(self, play: Play, unit: Unit, attack: Attack) -> None:
        """A suppression marker, and with it one step of cover against this attack (dw.reaction.hit_the_dirt_effects,
        dw.open.hit_the_dirt_stacking)."""
        attack.dirt = (*attack.dirt, unit.id)
        self.rules.suppression.suppress(play, unit, 1, "dw.reaction.hit_the_dirt_effects")

    def counter(self, play: Play, unit: Unit, attack: Attack) -> Procedure:
        """Fire back: declared now, rolled and applied together with the attack (dw.reaction.attack_simultaneous);
        nobody
        strikes back by himself (dw.open.c_retaliation)."""
        back = Attack(play.state, unit, REACTION)
        if attack.is_close:
            back.data["close only"] = True
        declared = yield from self.rules.attacking.declare(play, back, attack.unit)
        if declared:
            attack.counters.append(back)
            back.data["counter"] = True
            self.rules.suppression.mark_reaction(play, unit, "dw.reaction.marker")
        else:
            self.done(play, unit)

    # -- the question ---------------------------------------------------------------------------------------

    def question(
        self, state: State, actor: Unit, options: Sequence[Choice], text: str, attack: Attack | None = None
    ) -> PickOne:
        """One question with every unit that may react and what it may do; none of them is an answer too."""
        return PickOne(
            1 - actor.side,
            "reaction",
            [None, *options],
            text=text,
            rule="dw.reaction.eligibility",
            labels=lambda choice: self._label(state, actor, choice),
            act="react",
            about=lambda choice: self._about(actor, choice),
            stakes=lambda choice: self._stakes(state, actor, choice, attack),
        )

    def _label(self, state: State, actor: Unit, choice: Any) -> str:
        if choice is None:
            return "no reaction"
        unit = state.unit(choice[0])
        words = {
            MOVE: f'moves, up to {unit.card.move}"',
            ATTACK: f"attacks {actor.name} ({actor.id})",
            DIRT: "hits the dirt: one step more cover, one suppression marker",
        }
        return f"{unit.name} ({unit.id}) {words[choice[1]]}"

    def _about(self, actor: Unit, choice: Any) -> About:
        if choice is None:
            return About(act="pass")
        targets = (actor.id,) if choice[1] == ATTACK else ()
        return About(act="react", unit=choice[0], targets=targets, skills=(choice[1],))

    def _stakes(self, state: State, actor: Unit, choice: Any, attack: Attack | None) -> Sequence[Stake]:
        """What the attack and the counter-attacks declared so far would roll, and what the answer adds: a
        counter-attack, or a step of cover for who hits the dirt. What becomes of whoever moves is
        open."""
        attacking = self.rules.attacking
        stakes: list[Stake] = []
        unit = None if choice is None else state.unit(choice[0])
        if attack is not None:
            stakes += self._struck(attack, unit if choice is not None and choice[1] == DIRT else None)
            for counter in attack.counters:
                stakes += attacking._stakes_of(counter, counter.shots)
        if unit is None:
            return stakes
        if choice[1] == MOVE:
            return [stake for stake in stakes if stake.target != unit.id]
        if choice[1] == ATTACK:
            back = Attack(state, unit, REACTION)
            if attack is not None and attack.is_close:
                back.data["close only"] = True
            aims = attacking.aims(back, actor)
            if aims:
                stakes += attacking.stakes(back, aims, attacking.ways(state, aims)[0])
        return stakes

    def _struck(self, attack: Attack, lying: Unit | None) -> Sequence[Stake]:
        """The plans of an attack, with a unit that hits the dirt as it would lie then."""
        if lying is None:
            return self.rules.attacking._stakes_of(attack, attack.shots)
        lying.suppression += 1  # as hit_the_dirt will; nobody sees the state meanwhile
        try:
            return self.rules.attacking._stakes_of(attack, attack.shots)
        finally:
            lying.suppression -= 1


__all__ = ["AFTER", "ATTACK", "BEFORE", "DIRT", "MOVE", "Reactions"]
