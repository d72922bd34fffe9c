"""A small table to try rules on: cards in a line, units on squares, scripted dice and answers.

    table = Table("rubble at C4", size=(9, 9))
    rifles = table.put(squad(weapon("Rifle", "2/1", 6), men=3, skills="Brave"), "C1")
    target = table.put(squad(men=5), "C4", side=RED)
    game = table.attack(rifles, target, dice="AAASST AS T")     # to hit, then saves, in the order they fall
    assert game.hits == 3 and len(target.main.alive) == 4

Dice are letters (A army, S shield, T target) or names; too few or too many are an error. Decisions are answered by
their key (`casualty="Gunner"`, `declare={"Rifle": target}`); quiet ones have a default, any other is an error.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from dieselfront.dice import Dice
from dieselfront.dice.plan import PoolPlan
from dieselfront.dice.rollers import ScriptedDice
from dieselfront.forces import ARMOUR_CLASSES, Cell, DustCard, DustWeapon, Soldier
from dieselfront.forces.skills import SkillRef, read_skill
from dieselfront.kernel.decisions import NOT_FORCED, Assign, Decision, IllegalChoice, Number, PickOne, Place, YesNo
from dieselfront.kernel.events import Event, Rolled
from dieselfront.kernel.game import Play, Quiet
from dieselfront.rulesets.dust import state as states
from dieselfront.rulesets.dust.events import Hits, Moved
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import DustState, Part, Side, Unit
from dieselfront.rulesets.dust1947 import RULESET
from dieselfront.rulesets.dust1947 import scenario as scenarios

BLUE, RED = 0, 1
FACINGS = {"north": 0, "east": 1, "south": 2, "west": 3, "N": 0, "E": 1, "S": 2, "W": 3}
TOKENS = {name: flag for flag, name in states.TOKEN_NAMES.items()} | {
    "acted": states.ACTED,
    "has activated": states.HAS_ACTIVATED_EVER,
    "reactivated": states.REACTIVATED,
    "landed": states.LANDED,
    "hidden": states.HIDDEN,
}

_numbers = itertools.count(1)
E = TypeVar("E", bound=Event)


# -- cards --------------------------------------------------------------------------------------


def weapon(
    name: str = "Rifle",
    cells: str = "1/1",
    reach: int | str = 6,
    rules: str = "",
    *,
    count: int = 0,
    mount: str | None = None,
    ammo: int | None = None,
    crewed: bool = False,
) -> DustWeapon:
    """A weapon line. `cells` is "2/1" for everything or "S 2/1, V 1/3, S4 1/1"; `reach` is 6, "4-12" or "C".

    `count` 0 means one for every model of a squad.
    """
    least, _, most = str(reach).rpartition("-")
    close = str(reach) == "C"
    return DustWeapon(
        id=re.sub(r"[^a-z0-9]+", "-", name.lower()),
        name=name,
        count=count,
        cells=_cells(cells),
        range_min=int(least or 0),
        range_max=0 if close else int(most),
        close=close,
        mount=mount,  # type: ignore[arg-type]
        rules=_skills(rules),
        ammo=ammo,
        crewed=crewed,
    )


def knife(cells: str = "1/1", rules: str = "", name: str = "Knife", **details: Any) -> DustWeapon:
    """A close-combat weapon."""
    return weapon(name, cells, "C", rules, **details)


def _cells(text: str) -> dict[str, Cell]:
    found: dict[str, Cell] = {}
    for piece in text.split(","):
        words = piece.split()
        wanted = words[0] if len(words) > 1 else ""
        left, right = words[-1].split("/")
        kill = right == "#"
        cell = Cell(0 if "*" in left else int(left), left.count("*"), 0 if kill else int(right), kill)
        found |= {name: cell for name in ARMOUR_CLASSES if name.startswith(wanted)}
    return found


def _skills(text: str) -> tuple[SkillRef, ...]:
    return tuple(read_skill(word) for word in text.split(",") if word.strip())


def card(kind: str, weapons: Iterable[DustWeapon], **facts: Any) -> DustCard:
    """Any card; the helpers below know the usual numbers of each kind."""
    number = next(_numbers)
    name = facts.pop("name", None) or f"{kind.title()} {number}"
    facts["skills"] = _skills(facts.pop("skills", ""))
    return DustCard(
        id=f"test-{number}",
        name=name,
        bloc=facts.pop("bloc", "Allies"),
        kind=kind,  # type: ignore[arg-type]
        weapons=tuple(weapons),
        points=facts.pop("points", 10),
        **facts,
    )


def squad(
    *weapons: DustWeapon,
    men: int = 3,
    name: str = "",
    skills: str = "",
    armour: int = 2,
    move: int = 2,
    march: int = 4,
    roles: Mapping[int, str] | None = None,
    kind: str = "infantry",
    **facts: Any,
) -> DustCard:
    """A squad of soldiers; soldier 0 is the leader, a weapon of count n is carried by the last n."""
    lines = [_counted(line, line.count or men) for line in weapons]
    crew = []
    for place in range(men):
        carried = [index for index, line in enumerate(lines) if not line.crewed and place >= men - line.count]
        extra = (roles or {}).get(place, "").split()
        titles = tuple((["leader"] if place == 0 else []) + extra)
        called = lines[carried[0]].name if carried and len(carried) < len(lines) else "Soldier"
        crew.append(Soldier("Leader" if place == 0 else called, titles, tuple(carried)))  # type: ignore[arg-type]
    facts = {"locomotion": "infantry", "damage": 0} | facts
    return card(
        kind,
        lines,
        name=name,
        skills=skills,
        armour_type="S",
        armour=armour,
        move=move,
        march=march,
        soldiers=tuple(crew),
        **facts,
    )


def support(gun: DustWeapon, *weapons: DustWeapon, men: int = 4, skills: str = "", **facts: Any) -> DustCard:
    """A support weapon with its crew on one base."""
    big = _counted(_replace(gun, crewed=True), gun.count or 1)
    skills = f"Support Weapon, {skills}" if skills else "Support Weapon"
    return squad(big, *weapons, men=men, skills=skills, kind="support", damage=men, **facts)


def hero(
    *weapons: DustWeapon,
    name: str = "",
    skills: str = "",
    armour: int = 2,
    damage: int = 4,
    move: int = 2,
    march: int = 4,
    **facts: Any,
) -> DustCard:
    """A hero."""
    lines = [_counted(line, line.count or 1) for line in weapons]
    crew = (Soldier("Hero", ("leader",), tuple(range(len(lines)))),)
    return card(
        "hero",
        lines,
        name=name,
        skills=skills,
        armour_type="S",
        armour=armour,
        damage=damage,
        move=move,
        march=march,
        locomotion="infantry",
        soldiers=crew,
        **facts,
    )


def vehicle(
    *weapons: DustWeapon,
    name: str = "",
    skills: str = "",
    armour: int = 3,
    damage: int = 5,
    move: int = 3,
    march: int = 5,
    locomotion: str = "walker",
    size: str = "standard",
    **facts: Any,
) -> DustCard:
    """A walker, unless `locomotion` says otherwise."""
    lines = [_counted(line, line.count or 1) for line in weapons]
    return card(
        "vehicle",
        lines,
        name=name,
        skills=skills,
        armour_type="V",
        armour=armour,
        damage=damage,
        move=move,
        march=march,
        locomotion=locomotion,
        size=size,
        **facts,
    )


def aircraft(
    *weapons: DustWeapon, name: str = "", skills: str = "", move: int = 6, march: int = 12, **facts: Any
) -> DustCard:
    """An aircraft."""
    lines = [_counted(line, line.count or 1) for line in weapons]
    facts = {"armour": 2, "damage": 5, "size": "standard"} | facts
    return card(
        "aircraft",
        lines,
        name=name,
        skills=skills,
        armour_type="A",
        move=move,
        march=march,
        locomotion="aircraft",
        **facts,
    )


def _replace(line: DustWeapon, **changes: Any) -> DustWeapon:
    import msgspec

    return msgspec.structs.replace(line, **changes)


def _counted(line: DustWeapon, count: int) -> DustWeapon:
    return _replace(line, count=count)


# -- dice and answers ---------------------------------------------------------------------------


def faces(text: str) -> list[str]:
    """ "A ST target" → ARMY SHIELD TARGET TARGET."""
    found: list[str] = []
    for word in text.replace(",", " ").replace("/", " ").split():
        if word.upper() in ("ARMY", "SHIELD", "TARGET"):
            found.append(word.upper())
        else:
            found += [{"A": "ARMY", "S": "SHIELD", "T": "TARGET"}[letter] for letter in word.upper()]
    return found


class Unanswered(AssertionError):
    """A decision that the test says nothing about."""


class Script:
    """Answers by the key of the decision; a list is used up in order."""

    def __init__(self, table: Table, answers: Mapping[str, Any], target: Unit | None = None) -> None:
        self.table = table
        self.wanted = {
            key.replace("_", "-"): list(value) if isinstance(value, list) else value for key, value in answers.items()
        }
        self.target = target
        self.asked: list[str] = []
        self.decisions: list[Decision] = []

    def answer(self, decision: Decision) -> Any:
        self.asked.append(decision.key)
        self.decisions.append(decision)
        if decision.key in self.wanted:
            wanted = self.wanted[decision.key]
            if isinstance(wanted, list):
                if not wanted:
                    raise Unanswered(f"{decision.key} was asked once more than answered")
                wanted = wanted.pop(0)
            return decision.check(self.read(decision, wanted))
        return self.quiet(decision)

    def read(self, decision: Decision, wanted: Any) -> Any:
        """What the test wrote, as the decision wants it."""
        if callable(wanted) and not isinstance(wanted, Unit):
            return wanted(decision)
        if isinstance(decision, Assign):
            return self.assignment(decision, wanted)
        if isinstance(decision, Place) and isinstance(wanted, str):
            return self.place(decision, wanted)
        if isinstance(decision, PickOne):
            return self.option(decision, wanted)
        return wanted

    def option(self, decision: PickOne, wanted: Any) -> Any:
        if isinstance(wanted, Unit):
            wanted = wanted.id
        try:
            if wanted in decision.options:
                return wanted
        except TypeError:
            pass
        matches = [
            o for o in decision.options if isinstance(wanted, str) and wanted.lower() in decision.label(o).lower()
        ]
        return matches[0] if matches else wanted

    def place(self, decision: Place, wanted: str) -> Any:
        name, _, facing = wanted.partition(" ")
        spot = self.table.at(name)
        legal = decision.facings(spot) if spot in decision.spots else (None,)
        return (spot, FACINGS[facing] if facing else legal[0])

    def assignment(self, decision: Assign, wanted: Any) -> Any:
        """A unit (everything that can is aimed at it), {"Rifle": unit or aim or None} or a full answer."""
        if wanted is None:
            return (None,) * len(decision.items)
        if isinstance(wanted, tuple):
            return wanted
        answer = []
        unit = self.table.state.by_id[decision.unit]
        used: dict[str, int] = {}
        for item, options in zip(decision.items, decision.choices, strict=True):
            part, index, _ = item
            name = self.table.rules.attacks.weapon_of(unit.parts[part], index).name
            goal = wanted.get(name) if isinstance(wanted, Mapping) else wanted
            if isinstance(goal, list):
                place = used.get(name, 0)
                used[name] = place + 1
                goal = goal[place] if place < len(goal) else None
            improvised = index < 0 and not (isinstance(wanted, Mapping) and name in wanted)
            answer.append(None if improvised else self.aim(options, goal))
        return tuple(answer)

    def aim(self, options: Sequence[Any], goal: Any) -> Any:
        if goal is None:
            return None
        if isinstance(goal, Unit):
            return next((aim for aim in options if aim is not None and aim[0] == goal.id), None)
        if callable(goal):
            return next(aim for aim in options if aim is not None and goal(aim))
        return goal

    def quiet(self, decision: Decision) -> Any:
        """Defaults that disturb nobody."""
        if decision.key == "declare" and self.target is not None:
            return decision.check(self.assignment(decision, self.target))  # type: ignore[arg-type]
        if isinstance(decision, Assign) and decision.key == "retaliate":
            return (None,) * len(decision.items)
        if decision.key == "react":
            return None
        if decision.key in ("pool-order", "casualty"):
            return next(iter(decision.answers()))
        if isinstance(decision, Number):
            return decision.least
        if isinstance(decision, YesNo):
            return False
        shown = list(itertools.islice(decision.answers(), 12))
        raise Unanswered(f"nobody answered {decision.key!r} ({decision.text}); answers: {shown}")


class Game:
    """What came of it: the events, the questions asked, the dice that fell."""

    def __init__(self, table: Table, events: list[Event], script: Script, result: Any) -> None:
        self.table = table
        self.events = events
        self.asked = script.asked
        self.decisions = script.decisions
        self.result = result

    def of(self, kind: type[E]) -> list[E]:
        """All events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def rules(self) -> list[str]:
        """The rule of every event, in order."""
        return [event.rule for event in self.events]

    @property
    def reasons(self) -> list[str]:
        """The rules named by the plans of all pools."""
        return [rule for event in self.events for rule, _ in getattr(event, "reasons", ())]

    @property
    def rolls(self) -> list[Rolled]:
        return self.of(Rolled)

    @property
    def labels(self) -> list[str]:
        """The names of the rolls, in order."""
        return [roll.label for roll in self.rolls]

    def dice(self, label: str) -> list[int]:
        """How many dice the rolls of that name began with."""
        return [len(roll.stages[0][1]) for roll in self.rolls if roll.label == label]

    @property
    def hits(self) -> int:
        return sum(event.hits for event in self.of(Hits))

    @property
    def saved(self) -> int:
        return sum(event.saved for event in self.of(Hits))

    @property
    def moves(self) -> list[Moved]:
        return self.of(Moved)


# -- the table ----------------------------------------------------------------------------------


class Table:
    """A board with units on it, in the middle of turn 1."""

    def __init__(
        self,
        *terrain: str,
        size: tuple[int, int] = (12, 12),
        options: dict[str, str] | None = None,
        objectives: Mapping[str, str] | None = None,
        rules: Any = RULESET,
        **scenario: Any,
    ) -> None:
        self.rules = rules
        width, height = size
        last = chr(ord("A") + width - 1)
        plain: dict[str, Any] = {
            "id": "test",
            "name": "test",
            "board": {"size": [width, height], "terrain": list(terrain)},
            "deploy": [{"squares": f"A1-{last}2", "facing": "south"}, {"squares": f"A{height - 1}-{last}{height}"}],
            "turns": 8,
            "objectives": [{"name": name, "squares": where} for name, where in (objectives or {}).items()],
        }
        setting = scenarios.read(plain | scenario)
        board = scenarios.build(setting, rules.terrain)
        self.state = DustState(board, [Side("Blue"), Side("Red")], [], setting, options or {})
        self.state.objectives = scenarios.objectives(setting, board)
        self.state.turn = 1
        self.state.phase = "activations"
        self.play = Play(rules, self.state)

    def at(self, name: str) -> int:
        """A square by name."""
        place: int = self.state.table.square(name)
        return place

    def put(
        self,
        main: DustCard,
        at: str = "",
        side: int = BLUE,
        *,
        joined: DustCard | Sequence[DustCard] = (),
        pilot: DustCard | None = None,
        facing: str = "north",
        tokens: str = "",
        fielded: bool = False,
    ) -> Unit:
        """Stand a unit on the table; without a square it stays off. `fielded`: the game begins for it."""
        heroes = (joined,) if isinstance(joined, DustCard) else tuple(joined)
        parts = [Part(main), *(Part(one, "joined") for one in heroes)]
        if pilot is not None:
            parts.append(Part(pilot, "pilot"))
        number = sum(1 for unit in self.state.units if unit.side == side) + 1
        unit = Unit(f"{'ab'[side]}{number}", side, parts)
        self.rules.index(unit)
        self.state.add(unit)
        unit.facing = FACINGS[facing]
        if at:
            self.rules.ground.put(self.state, unit, self.at(at), FACINGS[facing])
        for token in filter(None, (word.strip() for word in tokens.split(","))):
            unit.set(TOKENS[token])
        if fielded:
            for answer in unit.effects.get("on_fielded", ()):
                answer(self.play, unit)
        return unit

    def raise_forts(self) -> None:
        """Put up the fortifications of the scenario that have their place."""
        self.state.forts = scenarios.forts(self.state.scenario, self.state.table)
        self.state.table = scenarios.with_forts(self.state.table, self.state.forts)

    # -- running rules ---------------------------------------------------------------------------

    def run(
        self, procedure: Generator[Any, Any, Any], dice: str = "", target: Unit | None = None, **answers: Any
    ) -> Game:
        """Drive any procedure of the rules with these dice and answers."""
        script = Script(self, answers, target)
        roller = ScriptedDice(faces(dice))
        start = len(self.play.events)
        result = None
        answer: Any = None
        while True:
            try:
                question = procedure.send(answer)
            except StopIteration as done:
                result = done.value
                break
            if isinstance(question, Quiet):
                answer = None
            elif isinstance(question, Dice):
                answer = roller.roll(question, self.state.dice_thrown)
                self.state.dice_thrown += 1
            else:
                answer = question.forced()
                if answer is NOT_FORCED:
                    answer = script.answer(question)
        assert not roller.left, f"dice left over: {' '.join(roller.left)}"
        return Game(self, self.play.events[start:], script, result)

    def attack(
        self, unit: Unit, target: Unit | None = None, dice: str = "", *, sustained: bool = False, **answers: Any
    ) -> Game:
        """One attack of a unit; unless `declare` says otherwise everything is aimed at the target."""
        attack = self.rules.activations.plain_attack(self.play, unit)
        attack.sustained = sustained
        for name in ("reactive", "only", "ranged_allowed", "close_allowed"):
            if name in answers:
                setattr(attack, name, answers.pop(name))
        return self.run(self.rules.attacks.run(self.play, attack), dice, target, **answers)

    def activate(
        self,
        unit: Unit,
        *actions: str,
        dice: str = "",
        target: Unit | None = None,
        reactivation: bool = False,
        **answers: Any,
    ) -> Game:
        """One activation with these actions (the forced NOTHING of a suppressed unit is not named)."""
        answers.setdefault("actions", tuple(actions))
        procedure = self.rules.activations.run(self.play, unit, reactivation=reactivation)
        return self.run(procedure, dice, target, **answers)

    def end_turn(self, dice: str = "", **answers: Any) -> Game:
        """The end of the turn."""
        return self.run(self.rules.turn.end(self.play), dice, **answers)

    # -- asking ----------------------------------------------------------------------------------

    def menu(
        self, unit: Unit, *, budget: int = 2, nothing_first: bool = False, reactivation: bool = False
    ) -> list[tuple[str, ...]]:
        """The action sequences the unit may declare now."""
        from dieselfront.rulesets.dust1947.activation import Activation

        activation = Activation(self.play, unit, reactivation)
        activation.budget = budget
        activation.nothing_first = nothing_first
        found: list[tuple[str, ...]] = list(self.rules.activations.menu(activation).sequences)
        return found

    def aims(self, unit: Unit, name: str, **attack: Any) -> list[Any]:
        """The ways a weapon of the unit may be aimed now."""
        for line in self.rules.attacks.weapon_lines(self.play, Attack(unit, **attack)):
            if line.weapon.name == name:
                return list(line.aims)
        return []

    def may_aim(self, unit: Unit, name: str, target: Unit, **attack: Any) -> bool:
        """May this weapon be aimed at that unit?"""
        return any(aim[0] == target.id for aim in self.aims(unit, name, **attack))

    def shots(self, unit: Unit, name: str, target: Unit, count: int = 1, **attack: Any) -> list[Shot]:
        """The pools of a weapon aimed at a unit: one for each unit it strikes."""
        making = Attack(unit, **attack)
        for line in self.rules.attacks.weapon_lines(self.play, making):
            for aim in line.aims:
                if line.weapon.name == name and aim[0] == target.id:
                    shot = self.rules.attacks.shot(self.play, making, line.part, line.index, aim, line.bearers[:count])
                    return list(self.rules.attacks.victims(self.play, shot))
        raise AssertionError(f"{name} cannot be aimed at {target.name}")

    def plan(self, unit: Unit, name: str, target: Unit, count: int = 1, **attack: Any) -> PoolPlan:
        """The plan of one pool, as play would roll it and the odds room evaluates it."""
        for shot in self.shots(unit, name, target, count, **attack):
            if shot.target is target:
                found: PoolPlan = self.rules.attacks.plan(self.play, shot)
                return found
        raise AssertionError(f"{name} does not strike {target.name}")


def kill(unit: Unit, *soldiers: int) -> None:
    """Take soldiers out of the unit's first part, for a test to begin with."""
    unit.main.alive = tuple(man for man in unit.main.alive if man not in soldiers)


def refused(decide: Callable[[], Any]) -> IllegalChoice:
    """The refusal that the rules answer to an illegal choice."""
    try:
        decide()
    except IllegalChoice as refusal:
        return refusal
    raise AssertionError("nothing was refused")
