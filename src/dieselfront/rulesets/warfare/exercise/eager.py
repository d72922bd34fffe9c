"""The eager player: any legal choice, but rather one that uses what has not been used enough yet."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

from dieselfront.kernel.decisions import Answer, Assign, Decision, IllegalChoice, Path, PickOne, PlaceFree, YesNo
from dieselfront.kernel.game import Game
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.activation import ATTACK, MARCH, MOVE, SUSTAINED
from dieselfront.rulesets.warfare.exercise.forces import HOUSE
from dieselfront.rulesets.warfare.profiles import against
from dieselfront.rulesets.warfare.state import ABOARD, LOW, Unit
from dieselfront.rulesets.warfare.unit_cards import WarfareWeapon
from dieselfront.table.measured.shapes import Body

EAGERNESS = 0.9
"""How often it looks for something unused rather than taking anything."""
TRIES = 6
QUARTERS = (0, 90, 180, 270)
IN_ARC = 600
"""What a place is worth from which a wanted weapon bears on somebody, in millimetres of distance."""
CLIMBERS = ("Climb", "Jump")
MARCHERS = ("Assault", "Charge")
RIDES = (
    "Air Cavalry",
    "Pilot",
    "Tank Riders",
    "Carry Capacity",
    "Radio Command",
    "Panzer Ace",
    "Schwerpunkt",
    "Tank Head",
)
"""Abilities that come to use aboard."""


class Eager:
    """Comes to the enemy, fires whatever it has, takes special actions, rides, reacts."""

    def __init__(self, used: Any, chance: Random) -> None:
        self.used = used
        self.chance = chance

    def choose(self, game: Game, decision: Decision) -> Answer:
        """An answer to the pending decision."""
        if self.chance.random() > EAGERNESS:
            return decision.sample(self.chance)
        if isinstance(decision, Assign):
            return self.aim(game, decision)
        if isinstance(decision, Path | PlaceFree):
            return self.closer(game, decision)
        if isinstance(decision, YesNo):
            return self.chance.random() < 0.8
        if type(decision) is PickOne:
            return self.pick(game, decision)
        return decision.sample(self.chance)

    # -- one of several ------------------------------------------------------------------------------------

    def pick(self, game: Game, decision: PickOne) -> Answer:
        """By its key where that says something, else anything but nothing."""
        ways: dict[str, Callable[[Game, Decision, Any], float]] = {
            "deploy": self.deploy,
            "activate": self.first,
            "actions": self.actions,
            "target": self.target,
            "altitude": self.altitude,
        }
        weigh = ways.get(decision.key)
        if weigh is not None:
            weights = [weigh(game, decision, option) for option in decision.options]
            return self.chance.choices(list(decision.options), weights)[0]
        wanted = [option for option in decision.options if option is not None]
        return self.chance.choice(wanted or list(decision.options))

    def first(self, game: Game, _decision: Decision, id: str) -> float:
        """Carriers go before those they carry, who may then want to get off."""
        return 4.0 if game.state.aboard(game.state.unit(id)) else 1.0

    def actions(self, game: Game, decision: Decision, way: tuple[str, ...]) -> float:
        """Special actions seldom taken, then attacks; who may be saved from a lost aircraft stays aboard."""
        unit = game.state.unit(decision.unit)
        if not way and unit.place == ABOARD and self.lacks(game, unit, *RIDES[:2]):
            return 10.0
        weight = 0.1 + sum(self.worth(name) for name in way)
        return weight + 12.0 if MARCH in way and self.lacks(game, unit, *MARCHERS) else weight

    def worth(self, name: str) -> float:
        if name in self.used.specials:
            return 1.5 + 4.0 * max(0.0, 1.0 - float(self.used.specials[name]) / float(self.used.times))
        if name in (ATTACK, SUSTAINED):
            return 4.0
        return 2.0 if name in (MOVE, MARCH) else 6.0

    def target(self, game: Game, decision: Decision, aim: Any) -> float:
        """Whoever can be shot at with weapons that were seldom aimed; carriers, for the sake of who is aboard."""
        if aim is None:
            return 0.1
        unit = game.state.unit(decision.unit)
        wanted = {weapon.name for weapon in self.wanted_weapons(unit)}
        if aim[0] == "choose":
            return 1.0 if wanted else 0.5
        carries = 4.0 if game.state.aboard(game.state.unit(aim[1])) else 0.0
        return 1.0 + carries + 3.0 * len(wanted.intersection(decision.meaning(aim).weapons))

    def deploy(self, game: Game, _decision: Decision, way: tuple[str, ...]) -> float:
        """Aboard where an ability of passenger or carrier wants it, else rather aboard or off the table than on it."""
        if way[0] != "aboard":
            return 1.0
        both = (game.state.unit(way[1]), game.state.unit(way[2]))
        return 12.0 if any(self.lacks(game, unit, *RIDES) for unit in both) else 3.0

    def altitude(self, game: Game, decision: Decision, how: str) -> float:
        """Low, so that passengers get off and everybody may shoot at it."""
        return 1.0 if how != LOW else 6.0 if game.state.aboard(game.state.unit(decision.unit)) else 2.0

    # -- weapons --------------------------------------------------------------------------------------------

    def wanted_weapons(self, unit: Unit) -> list[WarfareWeapon]:
        """The weapons of a unit that have not been aimed often enough."""
        cards = {figure.card.id: figure.card for figure in unit.figures}
        return [
            weapon
            for card in cards.values()
            for weapon in card.weapons
            if self.used.weapons[f"{card.id}/{weapon.id}"] < self.used.times
        ]

    def aim(self, game: Game, decision: Assign) -> Answer:
        """Of a few ways to share the weapons out the one that uses most of those wanted."""
        wanted = {weapon.name for weapon in self.wanted_weapons(game.state.unit(decision.unit))}
        answers = [decision.sample(self.chance) for _ in range(TRIES if wanted else 1)]
        return max(answers, key=lambda answer: len(wanted.intersection(decision.meaning(answer).weapons)))

    def lacks(self, game: Game, unit: Unit, *names: str) -> bool:
        """Has the unit one of these abilities, and is it one not used enough?"""
        kinds = game.play.rules.registry.abilities
        times = self.used.times
        return any(
            self.used.skills.get(kind.__qualname__, times) < times
            for name in names
            if unit.has(name)
            for kind in kinds.get(name, ())
        )

    # -- places ---------------------------------------------------------------------------------------------

    def closer(self, game: Game, decision: PlaceFree) -> Answer:
        """Of a few places the one nearest to an enemy, or one from which a wanted weapon bears on him."""
        unit = game.state.unit(decision.unit)
        answers = [decision.sample(self.chance) for _ in range(TRIES)]
        placed = [answer for answer in answers if answer and isinstance(_last(answer)[0], int)]
        if not placed:
            return answers[0]
        if self.lacks(game, unit, *CLIMBERS):
            return min(placed, key=lambda answer: math.dist(_last(answer)[:2], HOUSE))
        wanted = self.wanted_weapons(unit)
        foes = self._foes(game, decision, wanted)
        if not foes:
            return placed[0]
        arcs = [weapon for weapon in wanted if weapon.arc not in (None, "turret")]
        if not arcs or unit.is_soldier:
            return min(placed, key=lambda answer: _nearest(_last(answer), foes))
        if not isinstance(decision, Path):
            placed += self._turned(decision, placed)
        return min(placed, key=lambda answer: self._by_arc(decision, answer, arcs, foes))

    def _foes(self, game: Game, decision: Decision, wanted: list[WarfareWeapon]) -> list[Body]:
        """The enemies that wanted weapons could hurt, or all of them."""
        foes = [unit for unit in game.state.units if unit.on_table and unit.side != decision.player]
        fit = [unit for unit in foes if any(against(weapon, unit.card.armor_class) for weapon in wanted)]
        return [body for unit in fit or foes for body in unit.bodies]

    def _turned(self, decision: PlaceFree, answers: list[Any]) -> list[Any]:
        """The same places, looking another way, where that is allowed."""
        turned = [(x, y, (heading + quarter) % 360) for x, y, heading in answers[:2] for quarter in QUARTERS[1:]]
        return [answer for answer in turned if _is_legal(decision, answer)]

    def _by_arc(self, decision: PlaceFree, answer: Answer, arcs: list[WarfareWeapon], foes: list[Body]) -> float:
        """The distance to an enemy, much shortened where a wanted weapon would bear on one."""
        trace = decision.region.trace(answer)  # type: ignore[attr-defined]
        near = _nearest(_last(answer), foes)
        if trace is None:
            return near
        bears = any(ground.in_side(trace.bodies[0], weapon.arc or "front", foe) for weapon in arcs for foe in foes)
        return near - IN_ARC if bears else near


def _nearest(spot: Any, foes: list[Body]) -> float:
    return min(math.dist(spot[:2], (foe.x, foe.y)) for foe in foes)


def _is_legal(decision: Decision, answer: Answer) -> bool:
    try:
        decision.check(answer)
    except IllegalChoice:
        return False
    return True


def _last(answer: Any) -> Any:
    """The point an answer ends at."""
    return answer[-1] if isinstance(answer[-1], tuple) else answer


__all__ = ["Eager"]
