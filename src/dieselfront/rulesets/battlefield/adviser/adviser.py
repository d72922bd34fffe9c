"""What computer players know about Battlefield beyond Dust 1947: heroes who join, ambushes and reserves, 5 cm to fight.

Plans, fire and objectives are those of the Dust adviser; belongs to the players' room.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dieselfront.kernel.decisions import PickOne, PickSome
from dieselfront.kernel.game import Game, Play
from dieselfront.players.adviser import Candidate, Effort, Level, Memory
from dieselfront.rulesets.battlefield.flags import MARCHED
from dieselfront.rulesets.battlefield.turn import OUT
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import Part, Unit
from dieselfront.rulesets.dust1947.adviser.adviser import DustAdviser
from dieselfront.rulesets.dust1947.adviser.fire import HIT, Firepower, _Given
from dieselfront.rulesets.dust1947.adviser.intent import Actions
from dieselfront.rulesets.dust1947.adviser.plans import Planner
from dieselfront.rulesets.dust1947.adviser.reacting import Reactions
from dieselfront.rulesets.dust1947.adviser.worth import Judge
from dieselfront.rulesets.dust1947.attack import IMPROVISED_INDEX

LEVELS: Mapping[str, Level] = {
    "recruit": Level(candidates=12, noise=7.5, confusion=2.0),
    "regular": Level(candidates=12, noise=5.0, confusion=1.0),
    "ace": Level(effort=Effort(candidates=10, playouts=48, replies=1, trust=8.0, blend=True, seconds=12.0)),
    "marshal": Level(
        effort=Effort(candidates=12, playouts=48, replies=3, trust=8.0, blend=True, learned=100.0, seconds=12.0),
        sharp=True,
    ),
}
"""How levels think here, where that differs from Dust 1947: units cost as much, but there are fewer of them."""


def adviser(weights: dict[str, float]) -> BattleAdviser:
    """The adviser with these weights."""
    return BattleAdviser(weights)


class BattleFire(Firepower):
    """Worth of attacks; blows only within 5 cm, which the ground tells as no distance at all (bf.cc.reach)."""

    def _shot(
        self, play: Play, attack: Attack, part: Part, index: int, target: Unit, distance: int, seen: _Given, busy: int
    ) -> Shot | None:
        close = index == IMPROVISED_INDEX or part.card.weapons[index].close
        if close and distance > 0:
            return None
        return super()._shot(play, attack, part, index, target, distance, seen, busy)


class BattlePlanner(Planner):
    """Plans; who marched last holds no objective (bf.objective.no_march)."""

    tells = HIT | MARCHED

    def flags_after(self, unit: Unit, bare: Actions) -> int:
        flags = super().flags_after(unit, bare)
        if not bare:
            return flags
        return flags | MARCHED if bare[-1] == "march" else flags & ~MARCHED


class _Units:
    """The units among the choices of a go: pilots who would leave their machines left out."""

    __slots__ = ("options", "player")

    def __init__(self, decision: PickOne) -> None:
        self.options = tuple(choice for choice in decision.options if not choice.startswith(OUT))
        self.player = decision.player


class BattleAdviser(DustAdviser):
    """Quick judgement for Battlefield."""

    levels = LEVELS
    contact = 0

    def __init__(self, weights: dict[str, float]) -> None:
        super().__init__(weights)
        self.fire = BattleFire(weights["finish"])
        self.judge = Judge(weights, self.fire, self.ways)
        self.planner = BattlePlanner(weights)
        self.specials = self.planner.specials
        self.reactions = Reactions(self.planner)

    def _activations(self, game: Game, decision: PickOne, most: int) -> list[Candidate]:
        units: Any = _Units(decision)
        return super()._activations(game, units, most)

    # -- heroes ---------------------------------------------------------------------------------

    def _join(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """The hero worth most: he strikes and moves in the same go and shares his skills (bf.hero.skill_sharing)."""
        heroes = [choice for choice in decision.options if choice is not None]
        return (max(heroes, key=lambda hero: (game.state.by_id[hero].points, hero)),)

    def _stands_with(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """With the unit that can take most hits in his place (bf.open.hero_target_group)."""
        return (max(decision.options, key=lambda unit: (game.state.by_id[unit].models, unit)),)

    def _pilot(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return (decision.options[-1],)

    # -- setting up -----------------------------------------------------------------------------

    def _reserves(self, game: Game, decision: PickSome, memory: Memory) -> Any:
        """As few as the scenario asks for, the cheapest."""
        units = sorted(decision.options, key=lambda unit: (game.state.by_id[unit].points, unit))
        return (tuple(units[: decision.least]),)

    def _ambush(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """Somebody on foot who is worth hiding."""
        units = [game.state.by_id[choice] for choice in decision.options if choice is not None]
        on_foot = [unit for unit in units if unit.is_infantry and not unit.is_hero]
        return (max(on_foot, key=lambda unit: (unit.points, unit.id)).id if on_foot else None,)

    def _spring_ambush(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return (True,)

    def _table_side(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return ("keep",)

    _ambush_spot = DustAdviser._deploy


__all__ = ["BattleAdviser", "adviser"]
