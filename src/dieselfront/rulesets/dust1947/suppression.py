"""Under fire, suppressed, stunned: gaining tokens and shaking them off (d47.attack.suppress.*)."""

from __future__ import annotations

from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import TokenGained, TokenLost, TokenRefused
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import GRAPPLED, STUNNED, SUPPRESSED, TOKEN_NAMES, UNDER_FIRE, Unit
from dieselfront.rulesets.dust1947.dice import task
from dieselfront.rulesets.dust1947.playing import Play

RECOVERY_DICE = 2


class Suppression:
    """Tokens on units under fire."""

    def after_fire(self, play: Play, attack: Attack) -> Procedure:
        """Every unit hit by the ranged part moves up one step, saved or not.

        d47.attack.suppress.under_fire, d47.attack.suppress.saved_hits_count.

        d47.open.suppression_steps.
        """
        for target_id, shots in attack.hit_units.items():
            target = play.state.by_id[target_id]
            if not target.stands:
                continue
            token = UNDER_FIRE
            rule = "d47.attack.suppress.under_fire"
            for shot in shots:
                for effects in (shot.effects, shot.unit.effects):
                    token, rule = ask(effects, "on_hit_token", (token, rule), shot)
            self.give(play, target, token, rule)
        return
        yield

    def give(self, play: Play, unit: Unit, token: int, rule: str, by: str = "") -> None:
        """Give a token now, or after its actions if the unit is being interrupted (d47.attack.suppress.deferred)."""
        state = play.state
        if state.interrupted == unit.id:
            state.deferred += ((unit.id, token, by),)
            return
        self.gain(play, unit, token, rule, by)

    def gain(self, play: Play, unit: Unit, token: int, rule: str, by: str = "") -> None:
        """The token as the unit takes it; immune units take none (d47.open.token_immunity)."""
        granted: int | None = ask(unit.effects, "on_token", token, unit)
        if not granted:
            play.emit(TokenRefused(rule, unit.id, TOKEN_NAMES[token]))
            return
        if granted == UNDER_FIRE:
            granted = self._step(unit)
        if granted == SUPPRESSED:
            if unit.suppressed:  # d47.attack.suppress.cap
                return
            unit.drop(UNDER_FIRE)  # d47.attack.suppress.upgrade
        if granted == GRAPPLED:
            unit.held_by = by
        if not granted or unit.is_(granted):
            return
        unit.set(granted)
        play.emit(TokenGained(rule, unit.id, TOKEN_NAMES[granted]))

    def _step(self, unit: Unit) -> int:
        """none → under fire → suppressed, and no further (d47.attack.suppress.upgrade, d47.attack.suppress.cap)."""
        if unit.suppressed:
            return 0
        return SUPPRESSED if unit.under_fire else UNDER_FIRE

    def settle_deferred(self, play: Play) -> None:
        """An interrupted unit takes its tokens once its actions are done (d47.open.suppression_deferred_underfire)."""
        state = play.state
        waiting, state.deferred = state.deferred, ()
        for unit_id, token, by in waiting:
            unit = state.by_id[unit_id]
            if unit.alive:
                self.gain(play, unit, token, "d47.attack.suppress.deferred", by)

    # -- recovery -------------------------------------------------------------------------------

    def recover(self, play: Play, unit: Unit) -> Procedure:
        """When it activates, a unit with a token rolls to shake it off (d47.attack.suppress.recovery_two)."""
        if not unit.flags & (UNDER_FIRE | SUPPRESSED):
            return
        throw = task("recovery", "d47.attack.suppress.recovery_two")
        thrown = yield from play.throw(throw, self.recovery_dice(play, unit), unit.side, unit.id)
        self.shake_off(play, unit, thrown.successes)

    def recovery_dice(self, play: Play, unit: Unit) -> int:
        """Two dice, or the number that a skill of the unit or of a friend near it sets."""
        dice: int = ask(unit.effects, "on_recovery_dice", RECOVERY_DICE, unit, play)
        for friend in play.state.on_board(unit.side):
            if "on_recovery_near" in friend.effects:
                dice = ask(friend.effects, "on_recovery_near", dice, friend, unit, play)
        return dice

    def shake_off(self, play: Play, unit: Unit, successes: int) -> None:
        """Two remove everything, one removes a step, none leaves it (d47.open.three_dice_recovery).

        d47.attack.suppress.recovery_none.
        """
        if successes >= 2:
            self._lose(play, unit, UNDER_FIRE, "d47.attack.suppress.recovery_two")
            self._lose(play, unit, SUPPRESSED, "d47.attack.suppress.recovery_two")
        elif successes == 1 and unit.suppressed:
            self._lose(play, unit, SUPPRESSED, "d47.attack.suppress.recovery_one_suppressed")
            unit.set(UNDER_FIRE)
            play.emit(TokenGained("d47.attack.suppress.recovery_one_suppressed", unit.id, TOKEN_NAMES[UNDER_FIRE]))
        elif successes == 1:
            self._lose(play, unit, UNDER_FIRE, "d47.attack.suppress.recovery_one_under_fire")

    def _lose(self, play: Play, unit: Unit, token: int, rule: str) -> None:
        if token == GRAPPLED:
            unit.held_by = ""
        if unit.is_(token):
            unit.drop(token)
            play.emit(TokenLost(rule, unit.id, TOKEN_NAMES[token]))

    def drop(self, play: Play, unit: Unit, token: int, rule: str) -> None:
        """Remove a token for a rule's reason."""
        self._lose(play, unit, token, rule)

    def let_go(self, play: Play, unit: Unit, keeping: tuple[str, ...] = ()) -> None:
        """A unit that acts or is gone releases whom it grappled before (d47.weapon.grapple_release)."""
        for held in play.state.units:
            if held.held_by == unit.id and held.id not in keeping:
                held.held_by = ""
                self._lose(play, held, GRAPPLED, "d47.weapon.grapple_release")

    def must_do_nothing(self, unit: Unit) -> bool:
        """Suppressed or stunned units begin with NOTHING, once.

        d47.attack.suppress.nothing_first, d47.weapon.tesla_with_suppression.

        d47.attack.suppress.under_fire_no_effect.
        """
        return unit.suppressed or unit.stunned

    def after_nothing(self, play: Play, unit: Unit) -> None:
        """Stunned tokens go after the NOTHING action (d47.skill.stunned_activation)."""
        self._lose(play, unit, STUNNED, "d47.skill.stunned_activation")
