"""Close combat: both sides strike, first strikers before the others (d47.attack.cc.*)."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any

from dieselfront.dice.plan import PoolPlan
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import Hits
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.playing import Play

FIRST, NORMAL = 0, 1


class CloseCombat:
    """The close combat step of an attack."""

    def fight(self, play: Play, attack: Attack, shots: list[Shot]) -> Procedure:
        """Every unit attacked strikes back once; equal speeds are simultaneous (d47.attack.cc.simultaneous).

        d47.open.ranged_effects_before_cc.
        """
        shots = [shot for shot in shots if shot.target.on_board]
        foes = list(dict.fromkeys(shot.target.id for shot in shots))
        answers: list[Attack] = []
        try:
            for foe in foes:
                back = yield from self.retaliation(play, attack, play.state.by_id[foe])
                if back is not None:
                    answers.append(back[0])
                    shots = [*shots, *back[1]]
            for speed in (FIRST, NORMAL):  # d47.skill.first_strike
                round_ = [shot for shot in shots if self.speed(play, shot) == speed]
                yield from self._strike(play, round_)
            for back_attack in answers:
                yield from play.rules.criticals.check(play, back_attack)
        finally:  # a copy may be left in the middle of it
            for back_attack in answers:
                back_attack.let_go()

    def speed(self, play: Play, shot: Shot) -> int:
        """Models strike at the normal moment unless a skill makes them first."""
        speed: int = ask(shot.unit.effects, "on_close_speed", NORMAL, shot.part, play)
        return speed

    def retaliation(
        self, play: Play, attack: Attack, foe: Unit
    ) -> Generator[Any, Any, tuple[Attack, list[Shot]] | None]:
        """The attacked unit may strike back with its own close-combat weapons (d47.attack.cc.retaliate).

        d47.attack.suppress.may_retaliate, d47.attack.cc.retaliation_not_sustained, d47.open.cc_adjacent_targets.
        """
        if not foe.on_board or foe.stunned or not ask(foe.effects, "on_retaliate", True, foe, play):
            return None
        back = Attack(foe, retaliation=True, only=attack.unit.id, ranged_allowed=False)
        back.dying = attack.dying  # who may cheat death does so when the whole combat is over
        shots = yield from play.rules.attacks.declare(play, back)
        for shot in shots:
            play.rules.attacks.use(play, shot)
        return back, shots

    def _strike(self, play: Play, shots: list[Shot]) -> Procedure:
        """Roll all blows of one speed with those who still stand, then take the losses of all."""
        landed: list[tuple[Shot, PoolPlan, int]] = []
        for shot in shots:
            count = self.still_striking(shot)
            if not count or not shot.target.stands or not self.takes_part(shot.unit) or shot.cell is None:
                continue
            if shot.unit.stunned:  # d47.skill.first_strike_stun, d47.skill.stunned_cannot_fight
                continue
            shot.count = count
            plan = play.now(partial(play.rules.attacks.plan, play, shot))
            play.rules.attacks.tell_plan(play, shot, plan)
            hits = yield from play.rules.attacks.roll_hits(play, shot, plan)
            landed.append((shot, plan, hits))
        landed.sort(key=lambda blow: not ask(blow[0].unit.effects, "on_lands_first", False, blow[0]))
        for shot, plan, hits in landed:
            yield from self._land(play, shot, plan, hits)

    def _land(self, play: Play, shot: Shot, plan: PoolPlan, hits: int) -> Procedure:
        """No cover or infantry saves (d47.attack.cc.no_saves), no tokens (d47.attack.suppress.not_cc)."""
        if hits and shot.target.stands:
            play.rules.attacks.tell_struck(play, shot, hits)
        saved = yield from play.rules.attacks.roll_saves(play, shot, plan, hits)
        play.emit(Hits("d47.attack.cc.no_saves", shot.unit.id, shot.target.id, shot.weapon.name, hits, saved))
        if shot.target.alive:
            yield from play.rules.attacks.land(play, shot, hits, saved)

    def takes_part(self, unit: Unit) -> bool:
        """Is it where blows are struck?"""
        return unit.on_board

    def still_striking(self, shot: Shot) -> int:
        """How many of the weapons declared still have somebody to wield them."""
        part = shot.part
        if part not in shot.unit.parts:
            return 0
        if part.squad:
            return sum(1 for bearer in shot.bearers if bearer in part.alive)
        return shot.count if part.left > 0 else 0
