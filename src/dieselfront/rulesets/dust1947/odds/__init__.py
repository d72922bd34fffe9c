"""Odds of the Dust games between two cards: what a situation can hold, and how an attack in it is worked out.

The plans come from the rules, the numbers from the odds room. situation.py says what can be asked, firing_range.py and
lanes.py set the units up, attack.py and exchange.py work an attack out. This room belongs above the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dieselfront.odds.games import Cell, OddsError, read
from dieselfront.odds.result import AttackOdds
from dieselfront.rulesets.dust1947.odds.lanes import SquareLane
from dieselfront.rulesets.dust1947.odds.situation import Situation

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947 import Dust1947


class DustOdds:
    """The Dust games."""

    name = "the Dust games"

    situation_type = Situation

    def situation(self, given: Mapping[str, Any]) -> Situation:
        """Cover is cover, whatever it is made of."""
        fields = dict(given)
        if fields.get("cover"):
            fields["cover"] = True
        close = fields.get("casualties", "cheapest")
        if close not in ("cheapest", "leader", "hero"):
            raise OddsError(f"--casualties is cheapest or leader or hero, not '{close}'")
        situation: Situation = read(Situation, fields, self.name)
        return situation

    def attack(self, rules: Dust1947, attacker: Any, target: Any, situation: Situation) -> AttackOdds:
        """The odds of one card attacking another."""
        from dieselfront.rulesets.dust1947.odds import attack as dust

        return dust.attack(rules, attacker, target, situation)

    def what_ifs(self, odds: AttackOdds) -> list[tuple[str, Situation]]:
        """Cover, a sustained attack, higher ground, one more turn."""
        situation: Situation = odds.situation
        return [
            ("target in the open" if situation.cover else "target in cover", situation.but(cover=not situation.cover)),
            ("not sustained" if situation.sustained else "sustained", situation.but(sustained=not situation.sustained)),
            ("from one level higher", situation.but(height=situation.height + 1)),
            ("after one more turn", situation.but(turns=situation.turns + 1)),
            *(self._choice(situation, skill) for skill in odds.choices),
        ]

    def _choice(self, situation: Situation, skill: str) -> tuple[str, Situation]:
        """A skill that was kept is used, or the other way round."""
        kept = tuple(name for name in situation.skills if name.lower() != skill.lower())
        if len(kept) < len(situation.skills):
            return f"keeping {skill}", situation.but(skills=kept)
        return f"using {skill}", situation.but(skills=(*kept, skill))

    def weapons(self, card: Any) -> list[str]:
        """The names of a card's weapons."""
        return list(dict.fromkeys(weapon.name for weapon in card.weapons))

    def cells(self, rules: Dust1947, situation: Situation) -> Callable[[Any, str, Any], Cell | None]:
        """Cells from the plans alone."""
        from dieselfront.odds import exact
        from dieselfront.rulesets.dust1947.odds import attack as dust

        def cell(card: Any, weapon: str, target: Any) -> Cell | None:
            asked = situation.but(weapons=(weapon,)) if weapon else situation
            try:
                pools = dust.plans(rules, card, target, asked)
            except OddsError:
                return None
            if not pools:
                return None
            losses = exact.losses_of([pool.plan for pool in pools])
            expected = sum(number * chance for number, chance in enumerate(losses))
            share = expected / (len(losses) - 1)
            worth = share * target.points / card.points if card.points else 0.0
            return Cell(expected, losses[-1], worth, all(dust.tells_all(pool) for pool in pools))

        return cell


ADAPTOR = DustOdds()
LANE = SquareLane()

__all__ = ["ADAPTOR", "LANE", "DustOdds", "Situation"]
