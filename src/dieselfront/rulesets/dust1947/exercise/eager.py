"""The eager player: any legal choice, but rather one that uses what has not been used enough yet."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from random import Random
from typing import Any

from dieselfront.kernel.decisions import Answer, Assign, Decision, PickNext, PickOne, Place, YesNo
from dieselfront.kernel.game import Game
from dieselfront.rulesets.dust1947.exercise.uses import Uses

Point = tuple[int, int]

EAGERNESS = 0.85
"""How often it looks for something unused rather than taking anything."""

MOST_SPOTS = 60
TURNED = {"left": 1, "right": 3, "rear": 2}
"""How to turn so that a weapon of this mount looks ahead."""

REFUSALS = ("pass", None)
RARELY = {"spy-revealed": 0.3}
"""Questions that are mostly answered with no."""

HINTS = {
    "TakeAim": "sustained",
    "PowerScope": "sustained",
    "Spotter": "sustained",
    "CrazyJimmy": "march",
    "AirborneObjective": "march",
    "GetMovingSpetsnaz": "special:get-moving",
    "DesertFox": "special:get-moving",
}
"""Skills that need a certain action."""

ON_OBJECTIVES = ("AirborneObjective",)
INDOORS = ("ArtilleryNotInside",)
AT_HEROES = ("Interrogate",)
"""Skills that need a certain place: on an objective, in a building, beside enemy heroes."""

HOLDS_FIRE = (0.0, 0.0, 0.0, 0.5, 0.9)
"""How many weapons are kept back, so that spotters watch and missiles fly alone."""


class Eager:
    """Moves to the enemy, fires whatever it has, takes special actions."""

    places: type[Any] = Place
    """Decisions that set a unit down somewhere."""

    def __init__(self, used: Uses, chance: Random) -> None:
        self.used = used
        self.chance = chance

    def choose(self, game: Game, decision: Decision) -> Answer:
        """An answer to the pending decision."""
        if self.chance.random() > EAGERNESS:
            return decision.sample(self.chance)
        if decision.key == "actions" and isinstance(decision, PickOne):
            return self.actions(game, decision)
        if isinstance(decision, Assign):
            return self.aims(game, decision)
        if isinstance(decision, self.places):
            return self.spot(game, decision)
        if isinstance(decision, YesNo):
            return self.chance.random() < RARELY.get(decision.key, 0.8)
        if isinstance(decision, PickNext) or type(decision) is PickOne:
            wanted = [option for option in decision.options if option not in REFUSALS]
            return self.chance.choice(wanted or list(decision.options))
        return decision.sample(self.chance)

    def actions(self, game: Game, decision: PickOne) -> Answer:
        """Rather attacks, and rather special actions seldom taken."""
        hinted = self.hints(game, decision.unit)
        weights = [sum(self.worth(action, hinted) for action in way) ** 2 + 0.1 for way in decision.options]
        return self.chance.choices(list(decision.options), weights)[0]

    def hints(self, game: Game, unit_id: str) -> list[str]:
        """Actions that would bring skills of the unit to use that are still wanting."""
        return [HINTS[kind] for kind in self.wanting(game, game.state.by_id.get(unit_id)) if kind in HINTS]

    def wanting(self, game: Game, unit: Any) -> list[str]:
        """Skills and weapon rules of the unit that have not been used often enough."""
        if unit is None:
            return []
        registry = game.play.rules.registry
        cards = [part.card for part in unit.parts]
        kinds: list[Any] = [kind for card in cards for ref in card.skills for kind in registry.skills.get(ref.name, ())]
        rules = [ref.name for card in cards for weapon in card.weapons for ref in weapon.rules]
        kinds += [kind for name in rules for kind in registry.weapon_rules.get(name, ())]
        return [
            kind.__qualname__
            for kind in kinds
            if self.used.skills.get(kind.__qualname__, self.used.times) < self.used.times
        ]

    def worth(self, action: str, hinted: list[str]) -> float:
        name = action.removeprefix("free:")
        if name in hinted:
            return 8.0
        if name.startswith("special:call"):
            return 6.0  # for jammers and observers alike
        if name.startswith("special:"):
            return 1 + 4 * self.lack(self.used.specials[name[8:]])
        if name.endswith("sustained"):
            return 4.5
        return 3.0 if "attack" in name else 1.5

    def lack(self, count: int) -> float:
        return max(0.0, 1 - count / self.used.times)

    # -- aiming -------------------------------------------------------------------------------------

    def aims(self, game: Game, decision: Assign) -> Answer:
        """Every weapon that can be used is aimed at something, the least used ones first."""
        answer: list[Answer] = list(decision.default or (None,) * len(decision.items))
        if decision.objection(tuple(answer)) is not None or any(
            chosen not in options for chosen, options in zip(answer, decision.choices, strict=True)
        ):
            return decision.sample(self.chance)
        unit = game.state.by_id[decision.unit] if decision.unit else None
        order = sorted(range(len(answer)), key=lambda place: self.uses(unit, decision.items[place]))
        holding = self.chance.choice(HOLDS_FIRE)
        for place in order:
            options = [option for option in decision.choices[place] if option is not None]
            if not options or (place != order[0] and self.chance.random() < holding):
                continue
            before, answer[place] = answer[place], self.chance.choice(options)
            if decision.objection(tuple(answer)) is not None:
                answer[place] = before
        return tuple(answer)

    def uses(self, unit: Any, item: Answer) -> float:
        """How often the weapon line of an item was used, with a little chance to vary the order."""
        part, index, _ = item
        if unit is None or index < 0:
            return self.used.times * 100.0
        card = unit.parts[part].card
        name = f"{printed(card)}/{card.weapons[index].id}"
        return self.used.weapons.get(name, 0) + 3 * self.chance.random()

    # -- moving -------------------------------------------------------------------------------------

    def spot(self, game: Game, decision: Any) -> Answer:
        """Near the enemy, looking at him."""
        state = game.state
        table = state.table
        unit = state.by_id.get(decision.unit)
        wanting = self.wanting(game, unit)
        enemies = state.on_board(1 - decision.player)
        if any(kind in AT_HEROES for kind in wanting):
            enemies = [foe for foe in enemies if any(part.card.kind == "hero" for part in foe.parts)] or enemies
        foes = [place for foe in enemies for place in foe.where]
        spots = list(islice(decision.spots, 4 * MOST_SPOTS))
        if not foes or not all(isinstance(spot, int) for spot in spots):
            return decision.sample(self.chance)
        goals = [spot for spot in spots if any(self.is_at(table, spot, one.places) for one in state.objectives)]
        if goals and self.chance.random() < (0.95 if any(kind in ON_OBJECTIVES for kind in wanting) else 0.4):
            spots = goals
        if any(kind in INDOORS for kind in wanting):
            spots = [spot for spot in spots if table.is_indoor(spot)] or spots
        spots = self.chance.sample(spots, min(len(spots), MOST_SPOTS))
        weapon = self.wanted_weapon(unit)
        wished = self.distance_for(weapon)
        best = min(spots, key=lambda spot: self.misfit(table, spot, foes, wished))
        nearest = min(foes, key=lambda foe: table.distance(best, foe))
        quarters = TURNED.get(weapon.mount if weapon else "", 0)
        return best, self.facing(decision, best, (table.xy(best), table.xy(nearest)), quarters)

    def misfit(self, table: Any, spot: int, foes: list[int], wished: int) -> float:
        """By how much a spot is nearer to the enemies, or farther from them, than wished."""
        return float(abs(min(table.distance(spot, foe) for foe in foes) - wished))

    def is_at(self, table: Any, spot: int, places: Collection[int]) -> bool:
        """Does a spot lie on an objective?"""
        return spot in places

    def facing(self, decision: Any, spot: int, line: tuple[Point, Point], quarters: int) -> int | None:
        """Along a line to an enemy, or so many quarter turns from that, as far as the spot allows it."""
        facings = list(decision.facings(spot))
        ahead = (towards(*line) + quarters) % 4
        return ahead if ahead in facings else self.chance.choice(facings)

    def wanted_weapon(self, unit: Any) -> Any:
        """The weapon of the unit that was used least, if it has any."""
        weapons = [
            (self.used.weapons.get(f"{printed(part.card)}/{weapon.id}", 0) + self.chance.random(), weapon)
            for part in (unit.fighters() if unit is not None else ())
            for weapon in part.card.weapons
        ]
        return min(weapons, key=lambda pair: pair[0])[1] if weapons else None

    def distance_for(self, weapon: Any) -> int:
        """How near it wants to be: where that weapon reaches, and rather near."""
        if weapon is None or weapon.close or self.chance.random() < 0.3:
            return 1
        return self.chance.randint(max(1, weapon.range_min), max(1, weapon.range_min, min(weapon.range_max, 4)))


def printed(card: Any) -> str:
    """The id of the card as it is printed, without what was bought for it."""
    return str(card.id.partition("+")[0])


def towards(here: tuple[int, int], there: tuple[int, int]) -> int:
    """The facing from one square to another: 0 north, 1 east, 2 south, 3 west."""
    across, down = there[0] - here[0], there[1] - here[1]
    if abs(across) > abs(down):
        return 1 if across > 0 else 3
    return 2 if down > 0 else 0
