"""The exercise run: random games until every unit, weapon line, skill and special action has been used often enough.

Forces and boards are made from what is still wanting (exercise_forces.py), the players look for it (eager.py), and
every game is watched for invariants. What was used, and how often, is the result. A unit is used when it activates, a
weapon line when it is aimed, a special action when it is declared, a skill or weapon rule when its answer makes a
difference; nothing counts twice for one choice, and checks, copies and replays count nothing.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from dieselfront import rulesets
from dieselfront.dice import commitment
from dieselfront.forces import DustCard, dust_catalogue
from dieselfront.kernel.decisions import Answer, Assign, Decision
from dieselfront.kernel.game import Game, Play
from dieselfront.kernel.hooks import answered, oversight
from dieselfront.kernel.record import Header, new_game
from dieselfront.lab.eager import Eager, printed
from dieselfront.lab.exercise_forces import Recruiter, homebrew, scenario
from dieselfront.lab.invariants import (
    COPY_EVERY,
    Broken,
    check_copy,
    check_decision,
    check_position,
    check_record,
    check_twin,
    watch_events,
)
from dieselfront.rulesets.dust import hooks
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.activation import Activation

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
"""Skills that no game can bring to use, each with its rule and the reason; they are told and not counted."""


class Used(NamedTuple):
    """How often everything was used; what was never used stands at 0. `marks` are skills used by being borne."""

    times: int
    games: int
    decisions: int
    units: Counter[str]
    weapons: Counter[str]
    skills: Counter[str]
    specials: Counter[str]
    choices: Counter[str]
    marks: list[str]
    unusable: dict[str, str]

    def wanting(self) -> dict[str, list[str]]:
        """What has not been used often enough yet, by its kind."""
        return {
            kind: [name for name, count in counter.items() if count < self.times]
            for kind, counter in (
                ("units", self.units),
                ("weapons", self.weapons),
                ("skills", self.skills),
                ("specials", self.specials),
            )
        }

    @property
    def done(self) -> float:
        """The share of all wanted uses that has been reached."""
        counters = (self.units, self.weapons, self.skills, self.specials)
        reached = sum(min(count, self.times) for counter in counters for count in counter.values())
        return reached / (self.times * sum(map(len, counters)))


def run(times: int, seed: int, most_games: int = 5000) -> Iterator[Used]:
    """Play until everything was used so many times; yields the tallies after every game."""
    rules: Any = rulesets.load("dust1947")
    cards = [*dust_catalogue(), *homebrew(rules.registry)]
    used = _nothing_used(rules.registry, cards, times)
    tally = Tally(used.skills)
    oversight.watch = tally.watch
    rules.registry.forget()
    try:
        for number in range(1, most_games + 1):
            game = _game(rules, cards, used, f"{seed}/{number}")
            try:
                decisions = _play(game, used, tally, Random(f"{seed}/{number}/choices"))
            except Exception as error:
                error.add_note(f"in game {number} of seed {seed}, after {len(game.choices)} choices")
                raise
            used = used._replace(games=number, decisions=used.decisions + decisions)
            yield used
            if not any(used.wanting().values()):
                return
    finally:
        oversight.watch = None
        rules.registry.forget()


def _nothing_used(registry: hooks.Registry, cards: list[DustCard], times: int) -> Used:
    kinds: list[type[hooks.Skill]] = [kind for of_name in registry.skills.values() for kind in of_name]
    kinds += [kind for of_name in registry.weapon_rules.values() for kind in of_name]
    return Used(
        times,
        0,
        0,
        Counter(dict.fromkeys((card.id for card in cards), 0)),
        Counter(dict.fromkeys((f"{card.id}/{weapon.id}" for card in cards for weapon in card.weapons), 0)),
        Counter(dict.fromkeys((kind.__qualname__ for kind in kinds if kind.__qualname__ not in UNUSABLE), 0)),
        Counter(dict.fromkeys(SPECIALS, 0)),
        Counter(),
        sorted({kind.__qualname__ for kind in kinds if is_mark(kind)}),
        UNUSABLE,
    )


def is_mark(kind: type[hooks.Skill]) -> bool:
    """Is the rule asked nothing in play, because its name on the card is all there is to it?"""
    return not any(hook in hooks.CALLED for hook in answered(kind))


def _game(rules: Any, cards: list[DustCard], used: Used, seed: str) -> Game:
    chance = Random(f"{seed}/forces")
    recruiter = Recruiter(rules, cards, used, chance)
    forces = [recruiter.force(side) for side in (0, 1)]
    header = Header("dust1947", rules.version, scenario(chance), forces, ["a", "b"], commitment(seed))
    return new_game(rules, header, seed)


def _play(game: Game, used: Used, tally: Tally, chance: Random) -> int:
    """One game, watched after every event and choice; its record is replayed at the end."""
    eager = Eager(used, chance)
    made = 0
    watch_events(game, tally.pause)
    while (decision := game.pending) is not None:
        list(islice(decision.answers(), 1))  # options are worked out before the checks, so that their rules count
        twin = None
        with tally.pause():
            check_position(game)
            check_decision(game, decision, chance)
            if made % COPY_EVERY == 0:
                twin = game.copy()
                check_twin(twin, decision)
        answer = eager.choose(game, decision)
        _count(game, decision, answer, used)
        game.choose(answer)
        tally.settle()
        if twin is not None:
            with tally.pause():
                check_copy(game, twin, decision, answer)
        made += 1
    with tally.pause():
        check_position(game)
        check_record(game)
    return made


# -- counting -----------------------------------------------------------------------------------------


def _count(game: Game, decision: Decision, answer: Answer, used: Used) -> None:
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


def _count_unit(game: Game, unit: Unit, used: Used) -> None:
    """The cards of an activated unit; skills that only mark a card are used with it."""
    for part in unit.parts:
        used.units[printed(part.card)] += 1
    registry = game.rules.registry
    for name in dict.fromkeys(ref.name for part in unit.parts for ref in part.card.skills):
        _count_marks(registry.skills.get(name, ()), used)


def _count_marks(kinds: Iterable[type[hooks.Skill]], used: Used) -> None:
    """Marks count with the card or weapon that bears them."""
    for kind in kinds:
        if is_mark(kind):
            used.skills[kind.__qualname__] += 1


def _count_specials(actions: tuple[str, ...], used: Used) -> None:
    for action in actions:
        name = action.removeprefix("free:")
        if name.startswith("special:"):
            if name[8:] not in used.specials:
                raise Broken(f"{name[8:]} is a special action that the exercise run does not know")
            used.specials[name[8:]] += 1


def _count_weapons(game: Game, unit: Unit, items: Any, answer: Answer, used: Used) -> None:
    """Every weapon line that is aimed, once an attack; rules that only mark a weapon are used with it."""
    lines = dict.fromkeys((part, index) for (part, index, _), aim in zip(items, answer, strict=True) if aim is not None)
    for place, index in lines:
        if index >= 0:
            card = unit.parts[place].card
            _count_line(card, card.weapons[index].id, used)
            for ref in card.weapons[index].rules:
                _count_marks(game.rules.registry.weapon_rules.get(ref.name, ()), used)


def _count_lines(unit: Unit, fits: Callable[[Any], bool], used: Used) -> None:
    for part in unit.parts:
        for weapon in part.card.weapons:
            if fits(weapon):
                _count_line(part.card, weapon.id, used)


def _count_line(card: DustCard, weapon: str, used: Used) -> None:
    name = f"{printed(card)}/{weapon}"
    if name in used.weapons:  # what a commissar brings is no line of the card
        used.weapons[name] += 1


class Tally:
    """Counts skills whose answer makes a difference: a value changed, a token given, a question asked."""

    def __init__(self, counts: Counter[str]) -> None:
        self.counts = counts
        self.fresh: dict[str, None] = {}  # used since the last choice
        self.paused = False

    @contextmanager
    def pause(self) -> Iterator[None]:
        """What is asked meanwhile is no use of anything."""
        before, self.paused = self.paused, True
        try:
            yield
        finally:
            self.paused = before

    def settle(self) -> None:
        """A choice has been carried out: whatever was used for it counts once."""
        self.counts.update(self.fresh.keys())
        self.fresh.clear()

    def watch(self, skill: hooks.Skill, hook: str, answer: Callable[..., Any]) -> Callable[..., Any]:
        """The skill's answer, with somebody looking over its shoulder."""
        name = type(skill).__qualname__

        def asked(*context: Any) -> Any:
            if self.paused or name not in self.counts:
                return answer(*context)
            before = [_seen(one) for one in context]
            result = answer(*context)
            if _differs(hook, before, result) or [_seen(one) for one in context] != before:
                self.fresh[name] = None
            return result

        def carried_out(*context: Any) -> Any:
            before = [_seen(one) for one in context]
            procedure = answer(*context)
            spoke = False
            reply: Any = None
            while True:
                try:
                    question = procedure.send(reply)
                except StopIteration as end:
                    if not self.paused and name in self.counts and (spoke or [_seen(one) for one in context] != before):
                        self.fresh[name] = None
                    return end.value
                spoke = True
                reply = yield question

        return carried_out if inspect.isgeneratorfunction(answer) else asked


def _differs(hook: str, before: list[Any], result: Any) -> bool:
    """Is the answer another value than the one that went in? What a vehicle drives on is also on its card."""
    if hook == "on_combination":
        return result is not None
    if hook == "on_mover":
        return True
    changes_a_value = not hooks.HOOKS[hook].startswith(("(play", "(activation"))
    return changes_a_value and bool(_seen(result) != before[0])


def _seen(value: Any) -> Any:
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
        return tuple(map(_seen, value))
    if isinstance(value, list | dict):
        return tuple(map(str, value)) if isinstance(value, dict) else tuple(map(id, value))
    slots = getattr(type(value), "__slots__", None)
    if isinstance(slots, tuple) and slots and not hasattr(value, "__struct_fields__"):
        return tuple(_shallow(getattr(value, slot, None)) for slot in slots)
    return value


def _shallow(value: Any) -> Any:
    return tuple(value) if isinstance(value, list | dict) else value
