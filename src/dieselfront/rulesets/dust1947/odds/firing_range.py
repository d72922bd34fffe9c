"""The firing range: two units on an otherwise empty board, placed as the situation says, ready for the real rules.

Cover is terrain under the target, range is what the rules measure; only height is told to them rather than built. Where
units stand on squares and on the open table is told in lanes.py.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from dieselfront.forces import DustCard
from dieselfront.odds.games import OddsError
from dieselfront.rulesets.dust.state import TOKEN_NAMES, DustState, Part, Side, Unit
from dieselfront.rulesets.dust1947.odds.lanes import FARTHEST, lane
from dieselfront.rulesets.dust1947.odds.situation import Situation
from dieselfront.rulesets.dust1947.playing import Play

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947 import Dust1947

ATTACKER, TARGET = "a1", "b1"
MOST_OTHERS = 2

TOKENS = {name: flag for flag, name in TOKEN_NAMES.items()}


class Range(NamedTuple):
    """The two units and the position they are in."""

    play: Play
    attacker: Unit
    target: Unit
    others: tuple[Unit, ...] = ()

    def again(self) -> Range:
        """The same position to be played once more."""
        return range_of(Play(self.play.rules, self.play.state.clone()))


def range_of(play: Play) -> Range:
    """The units of a position that began on the firing range."""
    known = play.state.by_id
    others = tuple(unit for unit in play.state.units if unit.id not in (ATTACKER, TARGET))
    return Range(play, known[ATTACKER], known[TARGET], others)


def other_id(number: int) -> str:
    """The id of a further target."""
    return f"b{number + 2}"


class Raised:
    """The ground with one unit standing higher than the other."""

    def __init__(self, ground: Any, unit: str, above: int) -> None:
        self._ground = ground
        self._unit = unit
        self._above = above

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ground, name)

    def line(self, state: Any, unit: Unit, *details: Any, **more: Any) -> Any:
        """The line of the ground, with the height that was asked for."""
        seen = self._ground.line(state, unit, *details, **more)
        seen.above = self._above if unit.id == self._unit else -self._above
        return seen


def build(
    rules: Dust1947,
    attackers: list[DustCard],
    targets: list[DustCard],
    situation: Situation,
    others: list[DustCard] | None = None,
) -> Range:
    """Set the units up."""
    state = _state(rules, attackers, targets, situation, others or [])
    attacker, target, *beside = state.units
    if situation.height:
        rules = copy(rules)
        rules.ground = Raised(rules.ground, attacker.id, situation.height)  # type: ignore[assignment]
    wanted = _range(attackers, targets[0], situation)
    if situation.reaction:
        wanted = _reaction_range(rules, target, wanted, situation)
    standing = lane(rules)
    standing.stand(rules, state, attacker, target, wanted)
    for number, unit in enumerate(beside):
        standing.stand_beside(rules, state, attacker, unit, wanted, [target, *beside[:number]])
    covered = (target, *beside) if situation.cover else ()
    _shelter(state, standing.cover, *covered, attacker if situation.attacker_cover else None)
    _weaken(attacker, situation.attacker_left, situation)
    _weaken(target, situation.target_left, situation)
    _give(attacker, situation.attacker_tokens)
    _give(target, situation.target_tokens)
    return Range(Play(rules, state), attacker, target, tuple(beside))


def _state(
    rules: Dust1947, attackers: list[DustCard], targets: list[DustCard], situation: Situation, others: list[DustCard]
) -> DustState:
    scenario, table = lane(rules).board(rules)
    if len(others) > MOST_OTHERS:
        raise OddsError(f"at most {MOST_OTHERS} further targets fit beside the first, not {len(others)}")
    units = [_unit(rules, ATTACKER, 0, attackers), _unit(rules, TARGET, 1, targets)]
    units += [_unit(rules, other_id(number), 1, [card]) for number, card in enumerate(others)]
    sides = [Side("attacker", attackers[0].bloc), Side("target", targets[0].bloc)]
    return DustState(table, sides, units, scenario, dict(situation.options))


def _unit(rules: Dust1947, id: str, side: int, cards: list[DustCard]) -> Unit:
    """A unit of one card, with heroes who joined it; a hero with a vehicle is its pilot."""
    first = cards[0]
    role = "joined" if first.armour_type == "S" else "pilot"
    parts = [Part(card, "main" if place == 0 else role) for place, card in enumerate(cards)]
    for part in parts[1:]:
        if part.card.kind != "hero":
            raise OddsError(f"{part.card.name} is no hero and cannot join {first.name}")
        if role == "joined" and part.card.armour != first.armour:  # d47.hero.same_armor
            raise OddsError(
                f"{part.card.name} has armour {part.card.armour} and cannot join {first.name}, which has {first.armour}"
            )
    unit = Unit(id, side, parts)
    rules.index(unit)
    return unit


def _range(attackers: list[DustCard], target: DustCard, situation: Situation) -> int:
    """The range asked for, or the farthest at which most of the attacker's weapons bear."""
    if situation.range is not None:
        if not 1 <= situation.range <= FARTHEST:
            raise OddsError(f"a range is a number from 1 to {FARTHEST}, not {situation.range}")
        return situation.range
    bearing = [
        weapon
        for card in attackers
        for weapon in card.weapons
        if not weapon.close and target.armour_class in weapon.cells and _wanted(weapon, situation)
    ]
    if situation.close or not bearing:
        return 1
    ranges = sorted({weapon.range_max for weapon in bearing}, reverse=True)
    return max(ranges, key=lambda far: sum(w.range_min <= far <= w.range_max for w in bearing))


def _reaction_range(rules: Dust1947, target: Unit, wanted: int, situation: Situation) -> int:
    """Near enough for the target to react."""
    farthest = rules.reactions.reaction(target).range
    if target.is_aircraft:
        raise OddsError(f"{target.name} is an aircraft and never reacts")
    if situation.range is not None and wanted > farthest:
        raise OddsError(f"{target.name} reacts up to range {farthest}, not at range {wanted}")
    return int(min(wanted, farthest))


def _wanted(weapon: Any, situation: Situation) -> bool:
    names = [name.lower() for name in situation.weapons]
    return not names or weapon.id in names or weapon.name.lower() in names


def _shelter(state: DustState, kind: str, *units: Unit | None) -> None:
    for unit in units:
        if unit is not None:
            state.table = state.table.placing(kind, unit.where)


def _weaken(unit: Unit, left: int | None, situation: Situation) -> None:
    """Take losses until so much of the unit's own card is left."""
    if left is None:
        return
    part = unit.main
    full = part.left
    if not 1 <= left <= full:
        kind = "soldiers" if part.squad else "points of damage"
        raise OddsError(f"{part.card.name} can have from 1 to {full} {kind} left, not {left}")
    if part.squad:
        order = casualty_order(part, situation.casualties)
        gone = set(order[: full - left])
        part.alive = tuple(soldier for soldier in part.alive if soldier not in gone)
    else:
        part.damage = full - left


def casualty_order(part: Part, policy: str) -> list[int]:
    """Soldiers in the order in which they are lost: by default those with the most common weapons and no role first."""
    if policy == "leader":
        return list(part.alive)
    return sorted(part.alive, key=lambda soldier: (_worth(part, soldier), -soldier))


def _worth(part: Part, soldier: int) -> tuple[int, int, int]:
    """What a soldier is worth keeping for: his roles, then the rarity of his weapons, then their number."""
    man = part.card.soldiers[soldier]
    rarest = max((-sum(w in other.weapons for other in part.card.soldiers) for w in man.weapons), default=-99)
    return (rarest, len(man.roles), len(man.weapons))


def _give(unit: Unit, tokens: tuple[str, ...]) -> None:
    for name in tokens:
        flag = TOKENS.get(name.lower().replace("-", " "))
        if flag is None:
            raise OddsError(f"there is no token '{name}'; expected one of {', '.join(sorted(TOKENS))}")
        unit.set(flag)
