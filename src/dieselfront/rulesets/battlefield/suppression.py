"""Under Fire and Suppression: one step for an action, ten hits at once, heroes never (bf.supp.*)."""

from __future__ import annotations

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.events import TokenRefused
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import STUNNED, SUPPRESSED, TOKEN_NAMES, UNDER_FIRE, Unit
from dieselfront.rulesets.dust1947.suppression import Suppression

MANY_HITS = 10


class BattleSuppression(Suppression):
    """Tokens of units that are hit."""

    def after_fire(self, play: Play, attack: Attack) -> Procedure:
        """Tokens come after the whole action, close combat included (bf.supp.under_fire)."""
        return
        yield

    def after_attack(self, play: Play, attack: Attack) -> Procedure:
        """One step per unit and action, however many weapons hit it (bf.open.one_token_per_action)."""
        if attack.retaliation and play.state.options.get("cc_suppression") != "both":
            return
        counted: dict[str, int] = attack.flags.get("hits", {})
        for target_id, hits in counted.items():
            target = play.state.by_id[target_id]
            if not target.stands or not hits:
                continue
            token, rule = (SUPPRESSED, "bf.supp.ten_hits") if hits >= MANY_HITS else (UNDER_FIRE, "bf.supp.under_fire")
            for shot in attack.hit_units.get(target_id, []):
                for effects in (shot.effects, shot.unit.effects):
                    token, rule = ask(effects, "on_hit_token", (token, rule), shot)
            self.give(play, target, token, rule)
        return
        yield

    def give(self, play: Play, unit: Unit, token: int, rule: str, by: str = "") -> None:
        """At once, also in the middle of an activation (bf.open.token_mid_activation)."""
        self.gain(play, unit, token, rule, by)

    def gain(self, play: Play, unit: Unit, token: int, rule: str, by: str = "") -> None:
        """Heroes never take Under Fire or Suppression tokens (bf.hero.no_suppression, bf.superhuman.no_suppression)."""
        if unit.is_hero and token in (UNDER_FIRE, SUPPRESSED):
            play.emit(TokenRefused("bf.hero.no_suppression", unit.id, TOKEN_NAMES[token]))
            return
        super().gain(play, unit, token, rule, by)

    def let_go(self, play: Play, unit: Unit, keeping: tuple[str, ...] = ()) -> None:
        """A unit that acts, or is gone, lets go of whom it held; the token goes with the grip (bf.weapon.grapple)."""
        for held in play.state.units:
            if held.held_by == unit.id and held.id not in keeping:
                held.held_by = ""
                self.drop(play, held, STUNNED, "bf.weapon.grapple")

    def recovery_dice(self, play: Play, unit: Unit) -> int:
        """Two dice, three with a hero, a pilot or a skill; sources do not add up.

        bf.supp.remove_under_fire, bf.supp.remove_suppression, bf.supp.more_dice, bf.hero.rally_bonus,
        bf.open.pilot_rally.
        """
        dice = super().recovery_dice(play, unit)
        helped = len(unit.parts) > 1 and any(part.card.kind == "hero" for part in unit.parts[1:])
        return max(dice, 3) if helped and not play.rules.heroes.pilot_is_new(unit) else dice
