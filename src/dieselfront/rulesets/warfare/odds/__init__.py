"""Odds of Dust Warfare between two cards: what a situation can hold, and how an attack in it is worked out.

The plans come from the rules, the numbers from the odds room. firing_range.py sets the units up, trial.py plans an
attack from any position, attack.py tells it. This room belongs above the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dieselfront.odds.games import Cell, read
from dieselfront.odds.result import AttackOdds
from dieselfront.rulesets.warfare.odds.firing_range import WarfareSituation

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare


class WarfareOdds:
    """Dust Warfare."""

    name = "Dust Warfare"

    situation_type = WarfareSituation

    def situation(self, given: Mapping[str, Any]) -> WarfareSituation:
        """Plain cover is soft cover."""
        fields = dict(given)
        if fields.get("cover") is True:
            fields["cover"] = "soft"
        situation: WarfareSituation = read(WarfareSituation, fields, self.name)
        return situation

    def attack(self, rules: Warfare, attacker: Any, target: Any, situation: Any) -> AttackOdds:
        """The odds of one card attacking another."""
        from dieselfront.rulesets.warfare.odds import attack as warfare

        return warfare.attack(rules, attacker, target, situation)

    def what_ifs(self, odds: AttackOdds) -> list[tuple[str, Any]]:
        """Cover, a sustained attack, half the range, the rear of a vehicle, suppression, hit the dirt."""
        now: WarfareSituation = odds.situation
        lines = [
            ("target in soft cover", now.but(cover="soft")),
            ("target in hard cover", now.but(cover="hard")),
            ("target in the open", now.but(cover="none")),
            ("not sustained" if now.sustained else "sustained", now.but(sustained=not now.sustained)),
        ]
        if odds.target_odds.squad:
            lines.append(("target suppressed", now.but(suppression=max(1, now.suppression))))
            if not now.reaction:
                lines.append(("target hits the dirt", now.but(dirt=True)))
        else:
            lines.append(("at its rear", now.but(facing="rear")))
        lines += [
            (f"using {name}", now.but(skills=(*now.skills, name))) for name in odds.choices if name not in now.skills
        ]
        return [(name, other) for name, other in lines if other != now]

    def weapons(self, card: Any) -> list[str]:
        """The names of a card's weapons; bombs are dropped, not fired."""
        return list(dict.fromkeys(weapon.name for weapon in card.weapons if weapon.reach != "bomb"))

    def cells(self, rules: Warfare, situation: Any) -> Callable[[Any, str, Any], Cell | None]:
        """Cells from the plans."""
        from dieselfront.rulesets.warfare.odds import attack as warfare

        return lambda card, weapon, target: warfare.cell(rules, situation, card, weapon, target)


ADAPTOR = WarfareOdds()

__all__ = ["ADAPTOR", "WarfareOdds", "WarfareSituation"]
