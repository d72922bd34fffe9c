"""Cells of a Konflikt '47 matrix: the same exact odds, with everything kept that many attackers share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from dieselfront.forces.catalogue import points_of
from dieselfront.odds.games import Cell, OddsError
from dieselfront.rulesets.konflikt47.odds import attack, firing_range
from dieselfront.rulesets.konflikt47.odds.exchange import Exchange
from dieselfront.rulesets.konflikt47.odds.firing_range import KonfliktSituation, Range
from dieselfront.rulesets.konflikt47.odds.outcomes import Salvo
from dieselfront.rulesets.konflikt47.odds.positions import ExchangePosition
from dieselfront.rulesets.konflikt47.odds.volley import Fire

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47


class Toll(NamedTuple):
    """What a salvo costs the target on average: models, the unit as a whole, and the share of it that is lost."""

    models: float
    unit: float
    share: float


class Cells:
    """Works cells out; what salvos come to is remembered by target."""

    def __init__(self, rules: Konflikt47, situation: KonfliktSituation) -> None:
        self.rules = rules
        self.situation = situation
        self._exchange = Exchange(rules, situation, tells=False)
        self._tolls: dict[Any, Toll] = {}

    def cell(self, card: Any, weapon: str, target: Any) -> Cell | None:
        """One unit, or one weapon of it, against another."""
        situation = self.situation.but(weapons=(weapon,)) if weapon else self.situation
        try:
            place = firing_range.build(self.rules, card, target, situation)
            if situation.close or situation.reaction or situation.turns > 1:
                return self._whole(card, target, situation)
            fire = attack.first_fire(self.rules, place, situation)
        except OddsError:
            return None
        if not fire.pools:
            return self._whole(card, target, situation)
        position = ExchangePosition(place.play.state)
        tolls = [(chance, self._toll(place, position, fire, salvo)) for salvo, chance in fire.salvos.items()]
        models = sum(chance * toll.models for chance, toll in tolls)
        unit = sum(chance * toll.unit for chance, toll in tolls)
        share = sum(chance * toll.share for chance, toll in tolls)
        return Cell(models, unit, share * self._worth(card, target), True)

    def _worth(self, card: Any, target: Any) -> float:
        mine = points_of(card)
        return points_of(target) / mine if mine else 0.0

    def _toll(self, place: Range, position: ExchangePosition, fire: Fire, salvo: Salvo) -> Toll:
        """What becomes of the target by one salvo."""
        signs = tuple((hits, *fire.grades[at].items()) for at, hits in salvo.struck)
        feared = place.attacker.is_fearsome
        key = (place.target.card.id, salvo._replace(struck=(), ranged=()), signs, fire.suppressive, feared)
        toll = self._tolls.get(key)
        if toll is None:
            toll = self._tolls[key] = self._paid(place, position, fire, salvo)
        return toll

    def _paid(self, place: Range, position: ExchangePosition, fire: Fire, salvo: Salvo) -> Toll:
        most = 1 if place.target.is_vehicle else len(place.target.men)
        models = unit = share = 0.0
        for chance, after in self._exchange.apply(position, fire, salvo):
            left = after.target
            lost = int(not left.alive) if left.is_vehicle else len(place.target.men) - len(left.men)
            models += chance * lost
            unit += chance * (not left.alive)
            share += chance * (1.0 if not left.alive else lost / most)
        return Toll(models, unit, share)

    def _whole(self, card: Any, target: Any, situation: KonfliktSituation) -> Cell | None:
        """The attack in full, where more happens than one volley."""
        place = firing_range.build(self.rules, card, target, situation)
        most = 1 if place.target.is_vehicle else len(place.target.men)
        models = unit = share = 0.0
        for end, chance in attack.exchange(self.rules, place, situation).chances.items():
            models += chance * end.target.lost
            unit += chance * end.target.destroyed
            share += chance * (1.0 if end.target.destroyed else end.target.lost / most)
        return Cell(models, unit, share * self._worth(card, target), True)
