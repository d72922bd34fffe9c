"""Odds of Konflikt '47 between two cards: what a situation can hold, and how an attack in it is worked out.

The plans come from the rules, the numbers from the odds room. firing_range.py sets the units up, attack.py asks,
exchange.py follows every position, cells.py fills a matrix. This room belongs above the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dieselfront.odds.games import Cell, read
from dieselfront.odds.result import AttackOdds
from dieselfront.rulesets.konflikt47.odds.firing_range import KonfliktSituation, taken

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47


class KonfliktOdds:
    """Konflikt '47."""

    name = "Konflikt '47"

    situation_type = KonfliktSituation

    def situation(self, given: Mapping[str, Any]) -> KonfliktSituation:
        """Plain cover is soft cover."""
        fields = dict(given)
        if fields.get("cover") is True:
            fields["cover"] = "soft"
        fields = {name: value for name, value in fields.items() if (name, value) != ("close", False)}
        situation: KonfliktSituation = read(KonfliktSituation, fields, self.name)
        return situation

    def attack(self, rules: Konflikt47, attacker: Any, target: Any, situation: Any) -> AttackOdds:
        """The odds of one card shooting at another, or assaulting it."""
        from dieselfront.rulesets.konflikt47.odds import attack as konflikt

        return konflikt.attack(rules, attacker, target, situation)

    def what_ifs(self, odds: AttackOdds) -> list[tuple[str, Any]]:
        """Cover, movement, range, facing, going Down, one more turn; in an assault a reaction, one more round."""
        now = odds.situation
        if now.close:
            return [
                ("without a reaction" if now.reaction else "after stand and fire", now.but(reaction=not now.reaction)),
                ("target with one more pin", now.but(pins=now.pins + 1)),
                ("one more round", now.but(rounds=now.rounds + 1)),
            ]
        far = now.range or 0
        lines = [
            ("target in soft cover", now.but(cover="soft")),
            ("target in hard cover", now.but(cover="hard")),
            ("target in the open", now.but(cover="none")),
            ("standing still", now.but(order="fire")),
            ("moving", now.but(order="advance")),
            ("twice as far", now.but(range=min(2 * far, 96))),
            ("from half as far", now.but(range=max(1, far // 2))),
        ]
        if odds.target_odds.squad:
            lines.append(("target Down", now.but(target_tokens=("down",))))
        else:
            lines += [("at its side", now.but(facing="side")), ("at its rear", now.but(facing="rear"))]
        lines.append(("after one more turn", now.but(turns=now.turns + 1)))
        return [(name, other) for name, other in lines if other != now]

    def weapons(self, card: Any) -> list[str]:
        """The names of the weapons that the plainest build of a card carries."""
        return list(dict.fromkeys(weapon.name for weapon in taken(card, "").weapons if weapon.shoots))

    def cells(self, rules: Konflikt47, situation: Any) -> Callable[[Any, str, Any], Cell | None]:
        """Cells with everything that follows from the dice; what was worked out for a target is kept."""
        from dieselfront.rulesets.konflikt47.odds.cells import Cells

        return Cells(rules, situation).cell


ADAPTOR = KonfliktOdds()

__all__ = ["ADAPTOR", "KonfliktOdds", "KonfliktSituation"]
