"""What the exercise run asks of Dust Warfare: its cards, forces, boards, special actions, and what counts as a use.

The run itself is the laboratory's (`rules exercise`), which loads this module; an eager player looks for what is
wanting.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from dieselfront.kernel.decisions import Answer, Assign, Decision
from dieselfront.kernel.game import Game, Play
from dieselfront.kernel.hooks import answered
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.activation import DISEMBARK, EMBARK, ENTER, EXTINGUISH, RELOAD
from dieselfront.rulesets.warfare.exercise.eager import Eager
from dieselfront.rulesets.warfare.exercise.forces import FOES, Recruiter, bought_soldiers, scenario
from dieselfront.rulesets.warfare.exercise.homebrew import homebrew
from dieselfront.rulesets.warfare.firing import Attack, Pool, Shot, Strike
from dieselfront.rulesets.warfare.hooks import HOOKS, Ability
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.rulesets.warfare.unit_cards import WarfareCard, WarfareWeapon, bought_soldier

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

SPECIALS = (EXTINGUISH, EMBARK, DISEMBARK, RELOAD, ENTER)
"""Special actions that every unit may come to; those of abilities are counted with the abilities."""

UNUSABLE: dict[str, str] = {}
"""Abilities that no game can bring to use, each with the reason; they are reported and not counted."""


def cards(rules: Warfare) -> list[WarfareCard]:
    """Every card, every soldier who can be bought, and homebrew for rules that none of them prints."""
    bought = [bought_soldier(card, option) for card, option in bought_soldiers(rules).values()]
    return [*rules.all_cards().values(), *bought, *homebrew(rules)]


def effects(rules: Warfare) -> list[type[Ability]]:
    """Every ability and weapon rule there is."""
    registry = rules.registry
    tables = (registry.abilities, registry.weapon_rules)
    return [kind for table in tables for kinds in table.values() for kind in kinds]


def is_mark(kind: type[Ability]) -> bool:
    """Is the rule asked nothing in play, because its name on the card is all there is to it?"""
    return not answered(kind)


def battle(rules: Warfare, cards: list[WarfareCard], used: Any, chance: Random) -> tuple[dict[str, Any], list[Any]]:
    """A board and two forces, made of what has not been used enough."""
    recruiter = Recruiter(rules, cards, used, chance)
    first = recruiter.force(0)
    borne = {ref["name"] for unit in first["units"] for ref in unit["card"]["abilities"]}
    foes = [name for name in FOES if name in borne and recruiter.is_wanted(name)]
    return scenario(chance), [first, recruiter.force(1, foes * 2)]


def count(game: Game, decision: Decision, answer: Answer, used: Any) -> None:
    """Note what a choice uses."""
    if answer is None or answer is False:
        return
    used.choices[decision.key] += 1
    state: State = game.state
    if decision.key == "activate":
        for card in _cards(state.unit(answer)):
            if card.id in used.units:
                used.units[card.id] += 1
            _count_marks(game, card, used)
    elif decision.key in ("actions", "ordered action"):
        for name in (answer,) if isinstance(answer, str) else answer:
            if name in used.specials:
                used.specials[name] += 1
    elif isinstance(decision, Assign):
        unit = state.unit(decision.unit)
        keys = [item for item, aim in zip(decision.items, answer, strict=True) if aim is not None]
        _count_lines(dict.fromkeys(_line(unit, man, place) for man, place in keys), used)
    elif decision.key in ("target", "bomb target"):
        _count_lines(_lines(state, decision, answer), used)


def _line(unit: Unit, man: int, place: int) -> str:
    """The weapon line of one weapon of one figure."""
    return f"{unit.figures[man].card.id}/{unit.weapons[unit.carried(man)[place]].id}"


def _lines(state: State, decision: Decision, answer: Answer) -> list[str]:
    """The weapon lines that are aimed when everything is fired at one target."""
    unit = state.unit(decision.unit)
    if decision.key == "bomb target":
        names: Sequence[str] = [decision.text.removeprefix("On whom does ").removesuffix(" fall?")]
    else:
        names = decision.meaning(answer).weapons
    target = state.unit(answer[1]) if decision.key == "target" and answer[0] != "choose" else None
    return [
        f"{card.id}/{weapon.id}"
        for card in _cards(unit)
        for weapon in card.weapons
        if weapon.name in names and (target is None or _bears(unit, weapon, target))
    ]


def _bears(unit: Unit, weapon: WarfareWeapon, target: Unit) -> bool:
    """Tells guns of one name apart that point to different sides."""
    if weapon.arc in (None, "turret") or unit.is_soldier:
        return True
    return any(ground.in_side(unit.bodies[0], weapon.arc or "", body) for body in target.bodies)


def _cards(unit: Unit) -> list[WarfareCard]:
    return list({figure.card.id: figure.card for figure in unit.figures}.values())


def _count_marks(game: Game, card: WarfareCard, used: Any) -> None:
    for ref in card.abilities:
        for kind in game.play.rules.registry.abilities.get(ref.name, ()):
            if is_mark(kind):
                used.skills[kind.__qualname__] += 1


def _count_lines(lines: Iterable[str], used: Any) -> None:
    for line in lines:
        if line in used.weapons:
            used.weapons[line] += 1


def differs(hook: str, before: list[Any], result: Any) -> bool:
    """Is the answer another value than the one that went in?"""
    meaning = HOOKS[hook]
    hands_on = not meaning.startswith(("(play", "procedure", "mark"))
    return hands_on and bool(seen(result) != before[0])


def seen(value: Any) -> Any:
    """What can be seen of a value, to tell whether it was changed."""
    if isinstance(value, Play):
        return len(value.events)
    if isinstance(value, Unit):
        return (value.suppression, value.reaction, value.place, value.used, value.effects, len(value.men), value.empty)
    if isinstance(value, Attack):
        return (len(value.shots), value.way, value.tricks, len(value.data))
    if isinstance(value, Pool):
        return (value.dice, value.damage, value.extra, value.piercing, id(value.throw))
    if isinstance(value, Strike):
        return (value.armor_dice, value.cover, value.bonus, value.because, id(value.armor_throw), value.markers)
    if isinstance(value, Shot | State):
        return id(value)
    if isinstance(value, list | tuple):
        return tuple(map(seen, value))
    return value


__all__ = ["SPECIALS", "UNUSABLE", "Eager", "battle", "cards", "count", "differs", "effects", "is_mark", "seen"]
