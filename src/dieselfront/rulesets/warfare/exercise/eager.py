"""The eager player: any legal choice, but rather one that uses what has not been used enough yet."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from dieselfront.kernel.decisions import Answer, Decision, Path, PickOne, PickSome, PlaceFree, YesNo
from dieselfront.kernel.game import Game
from dieselfront.rulesets.warfare.activation import ATTACK, MARCH, MOVE, SUSTAINED
from dieselfront.rulesets.warfare.state import Unit

EAGERNESS = 0.85
"""How often it looks for something unused rather than taking anything."""
TRIES = 5


class Eager:
    """Comes to the enemy, fires whatever it has, takes special actions, rides, reacts."""

    def __init__(self, used: Any, chance: Random) -> None:
        self.used = used
        self.chance = chance

    def choose(self, game: Game, decision: Decision) -> Answer:
        """An answer to the pending decision."""
        if self.chance.random() > EAGERNESS:
            return decision.sample(self.chance)
        if decision.key == "actions" and isinstance(decision, PickOne):
            weights = [sum(self.worth(name) for name in way) + 0.1 for way in decision.options]
            return self.chance.choices(list(decision.options), weights)[0]
        if decision.key == "deploy" and isinstance(decision, PickOne):
            return self.deploy(decision)
        if isinstance(decision, Path | PlaceFree):
            return self.closer(game, decision)
        if isinstance(decision, YesNo):
            return self.chance.random() < 0.8
        if isinstance(decision, PickSome):
            return decision.sample(self.chance)
        if type(decision) is PickOne:
            wanted = [option for option in decision.options if option is not None]
            return self.chance.choice(wanted or list(decision.options))
        return decision.sample(self.chance)

    def worth(self, name: str) -> float:
        """Special actions seldom taken first, then attacks."""
        if name in self.used.specials:
            return 1.5 + 4.0 * max(0.0, 1.0 - float(self.used.specials[name]) / float(self.used.times))
        if name in (ATTACK, SUSTAINED):
            return 4.0
        return 2.0 if name in (MOVE, MARCH) else 6.0

    def deploy(self, decision: PickOne) -> Answer:
        """Rather aboard or off the table, where that can be."""
        rare = [option for option in decision.options if option[0] != "place"]
        if rare and self.chance.random() < 0.6:
            return self.chance.choice(rare)
        return self.chance.choice(list(decision.options))

    def closer(self, game: Game, decision: Path | PlaceFree) -> Answer:
        """Of a few places the one nearest to an enemy."""
        foes = [body for unit in self._enemies(game, decision) for body in unit.bodies]
        answers = [decision.sample(self.chance) for _ in range(TRIES)]
        placed = [answer for answer in answers if answer and isinstance(_last(answer)[0], int)]
        if not foes or not placed:
            return answers[0]
        return min(placed, key=lambda answer: min(math.dist(_last(answer)[:2], (foe.x, foe.y)) for foe in foes))

    def _enemies(self, game: Game, decision: Decision) -> list[Unit]:
        return [unit for unit in game.state.units if unit.on_table and unit.side != decision.player]


def _last(answer: Any) -> Any:
    """The point an answer ends at."""
    return answer[-1] if isinstance(answer[-1], tuple) else answer


__all__ = ["Eager"]
