"""Activations: the rolls before, the menu of actions, and carrying them out (d47.turn.*, d47.action.*)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import ANSWERED, PAUSE, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.dust.events import ActionsDeclared, Activated, Happened
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import (
    ACTED,
    ACTIVATED,
    BURNING,
    EVADES,
    EVADES_WELL,
    FOR_ONE_ACTIVATION,
    GRAPPLED,
    HAS_ACTIVATED_EVER,
    JINKING,
    LANDED,
    NO_COVER,
    STIMULATED,
    SUPPRESSED,
    UNDER_FIRE,
    Unit,
)
from dieselfront.rulesets.dust1947.playing import Play

COSTS = {"nothing": 1, "move": 1, "attack": 1, "march": 2, "sustained": 2, "ranged-sustained": 2}
MOVEMENTS = ("move", "march")
ATTACKS = ("attack", "sustained")
LIMITED_ATTACKS = ("close-attack", "ranged-attack", "ranged-sustained")
STEPS_LEFT = "steps left"
"""What an activation remembers of its movement: squares left, and whether the cheap diagonal is used up."""
MOST_ACTIONS = 3  # d47.turn.max_three_actions
NOT_MOVED, AFTER_MOVE, AFTER_MARCH = 0, 1, 2
"""When a special action may be declared: at any time, or only counting on a movement before it."""
MOVED_BY = {"move": AFTER_MOVE, "march": AFTER_MARCH}

Sequence = tuple[str, ...]
"""Actions in order. "free:move" is an action that a skill gives for nothing, "special:reload" a special action.

"close-attack", "ranged-attack" and "ranged-sustained" are attacks with one kind of weapons only.
"""


ACT_OF_ACTION = {"sustained": "attack", "attack": "attack", "move": "move", "march": "move"}
"""The kind of act that an action is, the deadliest first."""


PAST_WHEN_ACTIVATED = EVADES | EVADES_WELL | JINKING | NO_COVER
"""What a unit has of its last activation until it is activated again."""


class UnderWay(NamedTuple):
    """An activation set down between two actions; `place` is that of the next action, `moment` that of the reaction."""

    unit: str
    budget: int
    nothing_first: bool
    actions: Sequence
    done: tuple[str, ...]
    memory: tuple[tuple[str, Any], ...]
    place: int
    moment: int


class Special(Protocol):
    """A special action: its name, what it costs, and how it is carried out.

    It holds nothing of the state that changes: copies of the game inherit what was declared.
    """

    name: str
    cost: int

    def perform(self, activation: Activation) -> Procedure: ...


class SpecialAction:
    """What most special actions are: one action, as often as the actions last.

    `free` ones cost none, `rearms` makes an attack possible after it, `once` names the rule that allows it once a turn.
    """

    __slots__ = ()

    name: str = ""
    cost: int = 1
    free: bool = False
    rearms: bool = False
    once: str = ""

    def perform(self, activation: Activation) -> Procedure:
        raise NotImplementedError


class Activation:
    """One activation under way."""

    __slots__ = (
        "actions",
        "budget",
        "done",
        "ended",
        "memory",
        "nothing_first",
        "outermost",
        "play",
        "reactivation",
        "unit",
    )

    def __init__(self, play: Play, unit: Unit, reactivation: bool = False) -> None:
        self.play = play
        self.unit = unit
        self.budget = 2  # d47.turn.two_actions
        self.nothing_first = False
        self.actions: Sequence = ()
        self.done: list[str] = []
        self.ended = False
        self.reactivation = reactivation
        self.outermost = False  # is nothing else under way?
        self.memory: dict[str, Any] = {}

    def lost(self, action: str, reason: str) -> None:
        """A declared action that finds nobody to work on in the end is lost (d47.turn.declare_all)."""
        words = f"{self.unit.name}: {action} is lost, {reason}"
        self.play.emit(Happened("d47.turn.declare_all", words, self.unit.id))

    def set_down(self, place: int, moment: int) -> UnderWay | None:
        """What is needed to go on from before an action, if that can be written down."""
        if not self.outermost or self.ended or "specials" in self.memory:
            return None  # what a special action asks belongs to its declaration
        memory, done = tuple(self.memory.items()), tuple(self.done)
        return UnderWay(self.unit.id, self.budget, self.nothing_first, self.actions, done, memory, place, moment)

    @classmethod
    def taken_up(cls, play: Play, under_way: UnderWay) -> Activation:
        """The activation that was set down."""
        unit, budget, nothing_first, actions, done, memory, _, _ = under_way
        activation = cls(play, play.state.by_id[unit])
        activation.budget, activation.nothing_first, activation.actions = budget, nothing_first, actions
        activation.done, activation.memory, activation.outermost = [*done], dict(memory), True
        return activation


class Menu:
    """The action sequences a unit may declare; skills add to it and take from it."""

    __slots__ = ("activation", "basis", "later", "refused", "sequences", "specials")

    def __init__(
        self,
        activation: Activation,
        basis: tuple[Any, ...],
        specials: dict[str, Special],
        later: Mapping[str, int] | None = None,
    ) -> None:
        self.activation = activation
        self.basis = basis
        self.sequences: list[Sequence] = list(sequences(self.budget, *basis))
        self.specials = specials
        self.later = later or {}
        self.refused: dict[Sequence, tuple[str, str]] = {}

    @property
    def budget(self) -> int:
        """Actions to assign after a forced NOTHING."""
        return self.activation.budget - (1 if self.activation.nothing_first else 0)

    def within(self, budget: int) -> tuple[Sequence, ...]:
        """What the unit could declare with so many actions."""
        return sequences(budget, *self.basis)

    def weight(self, sequence: Sequence) -> int:
        """How many actions a sequence counts, free ones included."""
        weight = 0
        for action in sequence:
            weight += COSTS.get(action) or self.cost(action)
        return weight

    def cost(self, action: str) -> int:
        action = action.removeprefix("free:")
        if action.startswith("special:"):
            return self.specials[action[8:]].cost
        return COSTS.get(action, 1)

    def follow(self, action: str, extra: str) -> None:
        """Offer an extra action right after another one, wherever that stands."""
        for sequence in list(self.sequences):
            if action in sequence:
                place = sequence.index(action) + 1
                self.add((*sequence[:place], extra, *sequence[place:]))

    def add_free(self, name: str) -> None:
        """Offer a free special action at every place of every sequence."""
        action = f"free:special:{name}"
        for sequence in list(self.sequences):
            for place in range(len(sequence) + 1):
                self.add((*sequence[:place], action, *sequence[place:]))

    def allow_once(self, name: str, rule: str) -> None:
        """Take away sequences with a special action twice that is taken once a turn."""
        action = f"special:{name}"
        for sequence in self.sequences:
            if sum(one.removeprefix("free:") == action for one in sequence) > 1:
                self.refused[sequence] = (rule, f"{name} is taken once a turn")
        self.sequences = [sequence for sequence in self.sequences if sequence not in self.refused]

    def add(self, sequence: Sequence) -> None:
        """Offer one more sequence, within the cap of three (d47.turn.max_three_actions)."""
        forced = 1 if self.activation.nothing_first else 0
        if (
            self.weight(sequence) + forced <= MOST_ACTIONS
            and sequence not in self.sequences
            and self.is_timely(sequence)
        ):
            self.sequences.append(sequence)

    def is_timely(self, sequence: Sequence) -> bool:
        """Does every special action that counts on a movement come after one that is long enough?"""
        if not self.later:
            return True
        moved = NOT_MOVED
        for action in sequence:
            plain = action.removeprefix("free:")
            moved = max(moved, MOVED_BY.get(plain, NOT_MOVED))
            if self.later.get(plain.removeprefix("special:"), NOT_MOVED) > moved:
                return False
        return True


class Lazy:
    """A menu that is worked out on first look."""

    __slots__ = ("_find", "_menu")

    def __init__(self, find: Callable[[], Menu]) -> None:
        self._find = find
        self._menu: Menu | None = None

    @property
    def is_known(self) -> bool:
        """Has somebody looked?"""
        return self._menu is not None

    def __call__(self) -> Menu:
        if self._menu is None:
            self._menu = self._find()
        return self._menu


class Activations:
    """What an activated unit does."""

    def run(self, play: Play, unit: Unit, *, reactivation: bool = False, outermost: bool = False) -> Procedure:
        """The whole activation, in the order of d47.open.suppression_declare_order.

        d47.hero.combined_activation, d47.pilot.same_actions.
        """
        activation = Activation(play, unit, reactivation)
        activation.outermost = outermost
        play.state.reacted = False
        unit.flags = (unit.flags | ACTIVATED | ACTED) & ~PAST_WHEN_ACTIVATED  # d47.open.evade_mid_march, d47.wire.cross
        play.emit(Activated("d47.turn.alternate", unit.id))
        yield from self.prepare(activation)
        if unit.alive and not activation.ended:
            yield from self.declare(activation)
            yield from self.carry_out(activation, 0, play.rules.reactions.moment(activation))
        yield from self.finish(activation)

    def go_on(self, play: Play) -> Procedure:
        """The rest of an activation that was set down between two actions."""
        under_way = play.state.under_way
        activation = Activation.taken_up(play, under_way)
        yield from self.carry_out(activation, under_way.place, under_way.moment)
        yield from self.finish(activation)

    def prepare(self, activation: Activation) -> Procedure:
        """Fire first, then rolls of skills, then recovery (d47.open.activation_start_fire)."""
        play, unit = activation.play, activation.unit
        if unit.flags & BURNING:
            yield from play.rules.criticals.burn(play, unit)
            if not unit.alive:
                return
        if "on_activation" in unit.effects:
            for answer in unit.effects["on_activation"]:
                yield from answer(activation)
        if unit.flags & STIMULATED:
            yield from play.rules.command.use_stimulants(activation)
        if unit.flags & (UNDER_FIRE | SUPPRESSED):
            yield from play.rules.suppression.recover(play, unit)
        if play.rules.suppression.must_do_nothing(unit):
            activation.nothing_first = True

    def finish(self, activation: Activation) -> Procedure:
        """The end of an activation, whatever became of it."""
        play, unit = activation.play, activation.unit
        unit.set(HAS_ACTIVATED_EVER)
        unit.drop(FOR_ONE_ACTIVATION)
        play.rules.suppression.settle_deferred(play)
        yield from ()

    # -- declaring ------------------------------------------------------------------------------

    def declare(self, activation: Activation) -> Procedure:
        """All actions are announced before the first is resolved (d47.turn.declare_all)."""
        play, unit = activation.play, activation.unit
        menu = Lazy(lambda: self.menu(activation))  # worked out only if somebody looks
        offered = play.once(lambda: tuple(menu().sequences))
        chosen: Sequence = (
            yield ANSWERED
            if play.answered
            else PickOne(
                unit.side,
                "actions",
                offered,
                labels=lambda sequence: describe(sequence),
                refusals=lambda: self._refusals(menu()),
                text=f"{unit.name}: choose its actions",
                rule="d47.turn.two_actions",
                unit=unit.id,
                act="activate",
                about=lambda sequence: about(unit, sequence),
            )
        )
        if activation.nothing_first:
            chosen = ("nothing", *chosen)
        activation.actions = chosen
        names = [action.rpartition(":")[2] for action in chosen if "special:" in action]
        if names:
            activation.memory["specials"] = play.now(lambda: self._declared(activation, names, menu))
        play.emit(ActionsDeclared("d47.turn.declare_all", unit.id, chosen))

    def _declared(self, activation: Activation, names: list[str], menu: Lazy) -> dict[str, Special]:
        """The special actions that were declared, by name."""
        specials = menu().specials if menu.is_known else self.declarable(activation.play, activation.unit)[0]
        if not all(name in specials for name in names):
            specials = menu().specials
        return {name: specials[name] for name in names}

    def menu(self, activation: Activation) -> Menu:
        """Every legal sequence of actions, in a fixed order."""
        play, unit = activation.play, activation.unit
        specials, later = self.declarable(play, unit)
        move, march = play.rules.movement.may_move(play, unit)
        armed = not unit.is_(GRAPPLED)  # d47.weapon.grapple_held
        attack_now = armed and self._has_target(activation)
        rearms = armed and not attack_now and self._has_target_reloaded(activation, specials)
        costs = tuple(
            (name, special.cost, rearms and getattr(special, "rearms", False), later.get(name, NOT_MOVED))
            for name, special in specials.items()
            if not getattr(special, "free", False)
        )
        menu = Menu(activation, (move, march, armed, attack_now, costs), specials, later)
        play.rules.movement.limit_menu(menu)
        changed: Menu = ask(unit.effects, "on_actions", play.rules.command.change_menu(menu), activation)
        for name, special in specials.items():
            if getattr(special, "free", False):
                changed.add_free(name)
            if getattr(special, "once", ""):
                changed.allow_once(name, getattr(special, "once", ""))
        if not changed.sequences:
            changed.sequences = [()]
        return changed

    def _has_target(self, activation: Activation) -> bool:
        """Is there something to attack from here, once a forced NOTHING has shaken off the stun?"""
        play, unit = activation.play, activation.unit
        attack = self.plain_attack(play, unit)
        attack.flags["after_nothing"] = activation.nothing_first
        return bool(play.rules.attacks.has_target(play, attack))

    def _has_target_reloaded(self, activation: Activation, specials: Mapping[str, Special]) -> bool:
        """Would there be something to attack with all weapons loaded?"""
        if not any(getattr(special, "rearms", False) for special in specials.values()):
            return False
        parts = activation.unit.parts
        unloaded = [part.unloaded for part in parts]
        for part in parts:
            part.unloaded = ()
        has_target = self._has_target(activation)
        for part, before in zip(parts, unloaded, strict=True):
            part.unloaded = before
        return has_target

    def plain_attack(self, play: Play, unit: Unit) -> Attack:
        """An ordinary attack of the unit as it stands."""
        return Attack(unit)

    def declarable(self, play: Play, unit: Unit) -> tuple[dict[str, Special], dict[str, int]]:
        """The special actions the unit may declare, and which of them only after a movement, of which kind.

        All actions are declared together and resolved in order, so that a declaration may count on the movement
        before it (d47.turn.declare_all).
        """
        specials = self.specials(play, unit)
        later: dict[str, int] = {}
        if unit.held_by or not self._may_look_ahead(play, unit):
            return specials, later
        for after, paces in zip((AFTER_MOVE, AFTER_MARCH), play.rules.movement.pace(play, unit), strict=True):
            if paces > 0:
                for name, special in self.specials_ahead(play, unit, paces).items():
                    if name not in specials:
                        specials[name] = special
                        later[name] = after
        return specials, later

    def _may_look_ahead(self, play: Play, unit: Unit) -> bool:
        """Could a movement make a difference to its special actions? A quick look."""
        if "on_specials_ahead" in unit.effects or not unit.on_board:
            return True
        for chapter in play.rules.chapters_ahead:  # noqa: SIM110 (asked very often)
            if chapter.looks_ahead(play, unit):
                return True
        return False

    def specials_ahead(self, play: Play, unit: Unit, ahead: int) -> dict[str, Special]:
        """The special actions that a movement of so many squares could bring the unit into a position for."""
        specials: dict[str, Special] = ask(unit.effects, "on_specials_ahead", {}, unit, play, ahead)
        for chapter in play.rules.chapters_ahead:
            specials = chapter.specials(specials, unit, play, ahead)
        return specials

    def specials(self, play: Play, unit: Unit) -> dict[str, Special]:
        """The special actions the unit may take now."""
        if "on_specials" not in unit.effects:
            specials: dict[str, Special] = {}
        else:
            specials = ask(unit.effects, "on_specials", {}, unit, play)
        answers_of = play.rules.registry.answers_of_weapons
        for part in unit.parts:
            for index, answers in answers_of(part.card, "on_specials"):
                for answer in answers:
                    specials = answer(specials, unit, play, part, index)
        for chapter in play.rules.special_chapters:
            specials = chapter.specials(specials, unit, play)
        return specials

    def _refusals(self, menu: Menu) -> dict[Any, tuple[str, str]]:
        """Why ordinary sequences that are missing from the menu are not offered."""
        refused = dict(menu.refused)
        activation = menu.activation
        if activation.nothing_first:
            for sequence in (("march",), ("sustained",), ("move", "attack"), ("attack", "move")):
                refused.setdefault(
                    sequence,
                    ("d47.attack.suppress.nothing_first", "a suppressed or stunned unit loses its first action"),
                )
        for sequence in (("attack",), ("sustained",), ("attack", "move")):
            if sequence not in menu.sequences:
                refused.setdefault(
                    sequence, ("d47.attack.declare.weapon_target", "there is nothing to attack from here")
                )
        refused.setdefault(("attack", "attack"), ("d47.turn.one_move_one_attack", "only one attack per activation"))
        refused.setdefault(("move", "move"), ("d47.turn.two_moves_become_march", "two MOVEs are one MARCH MOVE"))
        return {sequence: why for sequence, why in refused.items() if sequence not in menu.sequences}

    # -- carrying out ---------------------------------------------------------------------------

    def carry_out(self, activation: Activation, first: int, moment: int) -> Procedure:
        """Action by action from the first, with the enemy's reaction at its moment (d47.reactive.timing)."""
        play, unit = activation.play, activation.unit
        for place, action in enumerate(activation.actions[first:], first):
            if play.pauses:
                state = play.state
                if state.under_way is None:  # else it has just been taken up from there
                    state.under_way = activation.set_down(place, moment)
                if state.under_way is not None:
                    yield PAUSE
                    state.under_way = None
            if place == moment:
                yield from play.rules.reactions.offer(play, unit)
            if activation.ended or not unit.alive or not self._still_there(unit):
                return
            yield from self.perform(activation, action)
            self.tell_done(activation, action)
        if moment == len(activation.actions):
            yield from play.rules.reactions.offer(play, unit)

    def tell_done(self, activation: Activation, action: str) -> None:
        """An action is over: grips are released, skills hear of it."""
        play, unit = activation.play, activation.unit
        activation.done.append(action)
        if action != "nothing":
            play.rules.suppression.let_go(play, unit, activation.memory.pop("grips", ()))
        if unit.alive:
            for answer in unit.effects.get("on_action_done", ()):
                answer(activation, action)

    def _still_there(self, unit: Unit) -> bool:
        return unit.status != "lost"

    def perform(self, activation: Activation, action: str) -> Procedure:
        """One action."""
        play, unit = activation.play, activation.unit
        plain = action.removeprefix("free:")
        if plain == "nothing":  # d47.action.nothing
            play.rules.suppression.after_nothing(play, unit)
        elif plain == "move":  # d47.action.move
            yield from play.rules.movement.move(activation)
        elif plain == "march":  # d47.action.march
            yield from play.rules.movement.march(activation)
        elif plain in ATTACKS or plain in LIMITED_ATTACKS:
            yield from self._attack(activation, plain)
        elif plain.startswith("special:"):  # d47.action.special
            special: Special = activation.memory["specials"][plain[8:]]
            yield from special.perform(activation)

    def _attack(self, activation: Activation, action: str) -> Procedure:
        play, unit = activation.play, activation.unit
        attack = self.plain_attack(play, unit)
        attack.sustained = action.endswith("sustained") or bool(activation.memory.get("sustain_attack"))
        if action == "close-attack":
            attack.ranged_allowed = False
        if action.startswith("ranged-"):
            attack.close_allowed = False
        attack.flags["activation"] = activation
        yield from play.rules.attacks.run(play, attack)


@lru_cache(maxsize=4096)
def sequences(
    budget: int,
    move: bool,
    march: bool,
    armed: bool,
    attack_now: bool,
    specials: tuple[tuple[str, int, bool, int], ...],
) -> tuple[Sequence, ...]:
    """All sequences within the budget: one movement, one attack, specials at will (d47.turn.one_move_one_attack).

    An attack before any movement is offered only if there is something to attack; unspent actions are NOTHING. Specials
    come with their cost, whether they make an attack possible, and after which movement they may be declared.

    d47.turn.repeat_special.
    """
    rearming = {f"special:{name}" for name, _, rearms, _ in specials if rearms}
    later = {f"special:{name}": after for name, _, _, after in specials if after}
    options: list[tuple[str, int]] = []
    if armed:
        options += [("attack", 1), ("sustained", 2)]
    if move:
        options.append(("move", 1))
    if march:
        options.append(("march", 2))
    options += [(f"special:{name}", cost) for name, cost, _, _ in specials]
    in_budget: list[Sequence] = []

    def extend(so_far: Sequence, left: int, moved: int, attacked: bool, able: bool) -> None:
        in_budget.append(so_far)
        for action, cost in options:
            if cost > left:
                continue
            if action in MOVEMENTS:
                if not moved:
                    extend((*so_far, action), left - cost, MOVED_BY[action], attacked, True)
            elif action in ATTACKS:
                if not attacked and able:
                    extend((*so_far, action), left - cost, moved, True, able)
            elif later.get(action, NOT_MOVED) <= moved:
                extend((*so_far, action), left - cost, moved, attacked, able or action in rearming)

    extend((), budget, NOT_MOVED, False, attack_now)
    return tuple(in_budget)


def describe(sequence: Sequence) -> str:
    """A sequence in words."""
    if not sequence:
        return "nothing"
    return " + ".join(action.removeprefix("special:").replace("free:", "free ") for action in sequence)


def about(unit: Unit, sequence: Sequence) -> About:
    """What a sequence of actions is about: its deadliest action, and the special actions in it."""
    words = [action.removeprefix("free:") for action in sequence]
    specials = tuple(word.removeprefix("special:") for word in words if word.startswith("special:"))
    act = next((ACT_OF_ACTION[word] for word in ACT_OF_ACTION if word in words), "support" if specials else "pass")
    spent = sum(COSTS.get(action, 1) for action in sequence if not action.startswith("free:"))
    return About(act, unit.id, skills=specials, cost=spent, careless=act == "pass")


__all__ = ["LANDED", "Activation", "Activations", "Generator", "Menu", "Special", "sequences"]
