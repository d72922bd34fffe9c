"""What the exercise run asks of Dust 1947: its cards, forces, boards, special actions, and what counts as a use.

The run itself is the laboratory's (`rules exercise`), which loads this module; an eager player looks for what is
wanting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, Any

from dieselfront.forces import DustCard, dust_catalogue
from dieselfront.kernel.decisions import Answer, Assign, Decision
from dieselfront.kernel.game import Game, Play
from dieselfront.kernel.hooks import answered
from dieselfront.rulesets.dust import hooks
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.exercise.eager import Eager, printed
from dieselfront.rulesets.dust1947.exercise.forces import Recruiter, homebrew, scenario
from dieselfront.rulesets.dust1947.exercise.uses import Uses

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947 import Dust1947

SPECIALS = (
    *("abandon-vehicle", "air-alert", "air-traffic-control", "ammo-drop", "ammo-replenish", "call-attack"),
    *("call-sustained-attack", "camouflage", "crew-repair", "dozer", "engineering", "execute", "follow-me"),
    *("get-moving", "get-up", "launch-smoke", "medevac", "psychic-scream", "raid", "rally", "reload", "repair"),
    *("resurrection", "scenery-repair", "stimulants"),
)
"""Every special action of Dust 1947; a game that declares another one is stopped."""

UNUSABLE = {
    "SpyUntouchable": "d47.skill.spy_untouchable: forbids what is never offered, as command actions reach only units "
    "on the board and a hidden spy is off it",
}
"""Skills that no game can bring to use, each with its rule and the reason; they are listed and not counted."""


def cards(rules: Dust1947) -> list[DustCard]:
    """Every card of the catalogue, and homebrew for rules that none of them prints."""
    printed_cards = list(dust_catalogue())
    return [*printed_cards, *homebrew(rules.registry, printed_cards)]


def effects(rules: Dust1947) -> list[type[hooks.Skill]]:
    """Every skill and weapon rule there is."""
    registry = rules.registry
    return [kind for table in (registry.skills, registry.weapon_rules) for kinds in table.values() for kind in kinds]


def is_mark(kind: type[hooks.Skill]) -> bool:
    """Is the rule asked nothing in play, because its name on the card is all there is to it?"""
    return not any(hook in hooks.CALLED for hook in answered(kind))


def battle(
    rules: Dust1947, cards: list[DustCard], used: Uses, chance: Random
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A board and two forces, made of what has not been used enough."""
    recruiter = Recruiter(rules, cards, used, chance)
    forces = [recruiter.force(side) for side in (0, 1)]
    return scenario(chance), forces


def count(game: Game, decision: Decision, answer: Answer, used: Uses) -> None:
    """Note what a choice uses."""
    if answer is None or answer is False:
        return
    used.choices[decision.key] += 1
    if decision.key == "activate" and answer in game.state.by_id:
        _count_unit(game, game.state.by_id[answer], used)
    elif decision.key == "actions":
        _count_specials(answer, used)
    elif isinstance(decision, Assign) and decision.unit:
        _count_weapons(game, game.state.by_id[decision.unit], decision.items, answer, used)
    if decision.key == "actions" and "free:special:psychic-scream" in answer:
        unit = game.state.by_id[decision.unit]
        _count_lines(unit, lambda weapon: weapon.has("Psychic Scream"), used)


def _count_unit(game: Game, unit: Unit, used: Uses) -> None:
    """The cards of an activated unit; skills that only mark a card are used with it."""
    for part in unit.parts:
        used.units[printed(part.card)] += 1
    registry = game.play.rules.registry
    for name in dict.fromkeys(ref.name for part in unit.parts for ref in part.card.skills):
        _count_marks(registry.skills.get(name, ()), used)


def _count_marks(kinds: Iterable[type[hooks.Skill]], used: Uses) -> None:
    """Marks count with the card or weapon that bears them."""
    for kind in kinds:
        if is_mark(kind):
            used.skills[kind.__qualname__] += 1


def _count_specials(actions: tuple[str, ...], used: Uses) -> None:
    for action in actions:
        name = action.removeprefix("free:")
        if name.startswith("special:"):
            if name[8:] not in used.specials:
                raise AssertionError(f"{name[8:]} is a special action that the exercise run does not know")
            used.specials[name[8:]] += 1


def _count_weapons(game: Game, unit: Unit, items: Any, answer: Answer, used: Uses) -> None:
    """Every weapon line that is aimed, once an attack; rules that only mark a weapon are used with it."""
    lines = dict.fromkeys((part, index) for (part, index, _), aim in zip(items, answer, strict=True) if aim is not None)
    for place, index in lines:
        if index >= 0:
            card = unit.parts[place].card
            _count_line(card, card.weapons[index].id, used)
            for ref in card.weapons[index].rules:
                _count_marks(game.play.rules.registry.weapon_rules.get(ref.name, ()), used)


def _count_lines(unit: Unit, fits: Callable[[Any], bool], used: Uses) -> None:
    for part in unit.parts:
        for weapon in part.card.weapons:
            if fits(weapon):
                _count_line(part.card, weapon.id, used)


def _count_line(card: DustCard, weapon: str, used: Uses) -> None:
    name = f"{printed(card)}/{weapon}"
    if name in used.weapons:  # what a commissar brings is no line of the card
        used.weapons[name] += 1


def changes_value(hook: str) -> bool:
    """Does a hook hand a value through, whose change is a use?"""
    return not hooks.HOOKS[hook].startswith(("(play", "(activation"))


def differs(hook: str, before: list[Any], result: Any) -> bool:
    """Is the answer another value than the one that went in? What a vehicle drives on is also on its card."""
    if hook == "on_combination":
        return result is not None
    if hook == "on_mover":
        return True
    return changes_value(hook) and bool(seen(result) != before[0])


def seen(value: Any) -> Any:
    """What can be seen of a value, to tell whether it was changed."""
    if isinstance(value, Play):
        return len(value.events)
    if isinstance(value, Unit):
        return value.flags, value.criticals
    if isinstance(value, Activation):
        states = value.unit.flags, value.budget, value.nothing_first, value.ended, len(value.memory)
        return len(value.play.events), states
    if isinstance(value, Shot):
        return len(value.play.events), value.part.unloaded, value.target.flags, len(value.attack.flags)
    if isinstance(value, tuple):
        return tuple(map(seen, value))
    if isinstance(value, list | dict):
        return tuple(map(str, value)) if isinstance(value, dict) else tuple(map(id, value))
    slots = getattr(type(value), "__slots__", None)
    if isinstance(slots, tuple) and slots and not hasattr(value, "__struct_fields__"):
        return tuple(_shallow(getattr(value, slot, None)) for slot in slots)
    return value


def _shallow(value: Any) -> Any:
    return tuple(value) if isinstance(value, list | dict) else value


__all__ = ["SPECIALS", "UNUSABLE", "Eager", "battle", "cards", "count", "differs", "effects", "is_mark", "seen"]
