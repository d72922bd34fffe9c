"""A battlefield for tests: put units down, carry a procedure out with scripted answers and dice, look at what happened.

Places are whole millimetres. `gap(10)` is how far apart the centres of two 25 mm bases are when the bases are exactly
10 inches apart. Dice are written as text, H for HIT and B for BLANK: "HHB".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dieselfront.dice import Dice
from dieselfront.kernel.decisions import NOT_FORCED
from dieselfront.kernel.game import Play, Quiet
from dieselfront.rulesets.warfare import RULESET, ground
from dieselfront.rulesets.warfare.battle import Battle, make_table, read_battle
from dieselfront.rulesets.warfare.firing import ATTACK, Attack
from dieselfront.rulesets.warfare.going import MOVE, Clearance, Move
from dieselfront.rulesets.warfare.profiles import read_card
from dieselfront.rulesets.warfare.routes import Route
from dieselfront.rulesets.warfare.state import ABOARD, JOINED, LOW, TABLE, State, Unit

BLUE, RED = 0, 1
MM = 25.4
FACES = {"H": "HIT", "B": "BLANK"}
SOLDIERS = ("S1", "S2", "S3", "S4")
VEHICLES = ("V1", "V2", "V3", "V4", "V5", "V6", "V7")
AIRCRAFT = ("A1", "A2", "A3")


def inch(inches: float) -> int:
    return round(inches * MM)


def gap(inches: float, base: int = 25, other: int = 25) -> int:
    """Centre to centre in mm of two round bases that many inches apart, rounded down."""
    return int(inches * MM) + (base + other) // 2


def weapon(
    name: str = "Rifle", range: Any = 18, soldiers: str = "1/1", vehicles: str = "-", aircraft: str = "-",
    count: int = 1, rules: Sequence[str] = (), arc: str | None = None, min_range: int = 0,
) -> dict[str, Any]:  # fmt: skip
    """A weapon line with the same profile against all classes of a type."""
    vs = {
        **dict.fromkeys(SOLDIERS, soldiers), **dict.fromkeys(VEHICLES, vehicles), **dict.fromkeys(AIRCRAFT, aircraft),
    }  # fmt: skip
    line: dict[str, Any] = {"name": name, "range": range, "count": count, "vs": vs, "rules": list(rules)}
    if arc:
        line["arc"] = arc
    if min_range:
        line["min_range"] = min_range
    return line


def squad(
    models: int = 5, weapons: Sequence[Mapping[str, Any]] | None = None, armor: int = 2, move: int = 6, **more: Any
) -> dict[str, Any]:
    """A card of soldiers; without weapons everybody has a rifle 1/1 with 18"."""
    arms = [weapon(count=models)] if weapons is None else list(weapons)
    name = more.pop("name", "Squad")
    return {
        "id": more.pop("id", name.lower().replace(" ", "-")), "name": name, "kind": more.pop("kind", "infantry"),
        "armor": f"S{armor}", "move": move, "points": more.pop("points", 20), "models": models, "weapons": arms, **more,
    }  # fmt: skip


def hero(weapons: Sequence[Mapping[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    """A hero with 4 points of damage capacity."""
    more.setdefault("name", "Hero")
    more.setdefault("capacity", 4)
    arms = [weapon("Pistol", 12, count=1)] if weapons is None else weapons
    return squad(1, arms, kind="hero", **more)


def vehicle(
    armor: int = 3, weapons: Sequence[Mapping[str, Any]] | None = None, move: int = 6, capacity: int = 6, **more: Any
) -> dict[str, Any]:
    """A walker on a round base, with a turret gun 4/2 against vehicles and 3/1 against soldiers."""
    arms = [weapon("Gun", 24, "3/1", "4/2", arc="turret")] if weapons is None else list(weapons)
    name = more.pop("name", "Walker")
    return {
        "id": more.pop("id", name.lower().replace(" ", "-")), "name": name, "kind": more.pop("kind", "vehicle"),
        "armor": f"V{armor}", "move": move, "points": more.pop("points", 30), "capacity": capacity, "weapons": arms,
        "tags": more.pop("tags", ["walker"]), **more,
    }  # fmt: skip


def plane(
    armor: int = 2, weapons: Sequence[Mapping[str, Any]] | None = None, move: int = 12, capacity: int = 6, **more: Any
) -> dict[str, Any]:
    """An aircraft with a front gun."""
    arms = [weapon("Guns", 18, "3/1", "2/1", "2/1", arc="front")] if weapons is None else list(weapons)
    more.setdefault("name", "Plane")
    card = vehicle(armor, arms, move, capacity, kind="aircraft", tags=[], **more)
    return {**card, "armor": f"A{armor}"}


class Ran:
    """What a procedure did: its result, the questions it asked, its events."""

    def __init__(
        self, result: Any, asked: list[str], events: list[Any], offered: dict[str, Any], questions: list[Any]
    ) -> None:
        self.result = result
        self.asked = asked
        self.events = events
        self.offered = offered
        """The options of the first question of each key."""
        self.questions = questions

    def of(self, kind: str) -> list[Any]:
        """The events of a kind."""
        return [event for event in self.events if type(event).__name__ == kind]

    def rules(self) -> list[str]:
        return [event.rule for event in self.events]

    def struck(self, target: Any) -> Any:
        """What happened to one target."""
        id = getattr(target, "id", target)
        return next(event for event in self.of("Struck") if event.target == id)

    def dice(self, word: str) -> list[int]:
        """How many dice were rolled first in every throw whose label holds a word."""
        return [len(event.stages[0][1]) for event in self.of("Rolled") if word in event.label]


class Field:
    """A table with units on it."""

    def __init__(
        self, *terrain: Mapping[str, Any], size: tuple[int, int] = (72, 48), turn: int = 1, phase: str = "units",
        active: int = BLUE, scenario: Mapping[str, Any] | None = None, **options: str,
    ) -> None:  # fmt: skip
        data = {"id": "test", "name": "Test", "size": size, "terrain": list(terrain), **(scenario or {})}
        self.battle: Battle = read_battle(data)
        self.rules = RULESET
        self.state: State = RULESET.position([], make_table(self.battle), options, self.battle)
        self.state.turn = turn
        self.state.phase = phase
        self.state.active = active
        self.state.initiative = active
        self.count = [0, 0]

    # -- putting units down ---------------------------------------------------------------------------------

    def put(
        self, side: int, card: Mapping[str, Any], x: int = 900, y: int = 600, heading: int = 0, pitch: int = 30,
        spots: Sequence[tuple[int, int]] | None = None, place: str = TABLE, **given: Any,
    ) -> Unit:  # fmt: skip
        """Set a unit down: figures in a row to the right of (x, y), the leader first."""
        self.count[side] += 1
        unit = Unit(f"{'blue' if side == BLUE else 'red'}-{self.count[side]}", side, read_card(card))
        unit.place = place
        if unit.is_aircraft:
            unit.altitude = given.pop("altitude", LOW)
        self.state.units.append(unit)
        self.state._by_id[unit.id] = unit
        for name, value in given.items():
            if name in Unit.__slots__:
                setattr(unit, name, value)
            else:
                unit.notes[name] = value
        if place == TABLE:
            row = list(spots or [(x + pitch * number, y) for number in range(len(unit.men))])
            ground.stand(self.state.table, unit, row, heading)
        self.rules.outfit.refresh(self.state, unit)
        return unit

    def join(self, joiner: Unit, unit: Unit) -> None:
        """A hero becomes part of a unit, standing behind it."""
        play = Play(self.rules, self.state)
        body = unit.bodies[0] if unit.bodies else None
        if joiner.place == TABLE:
            joiner.bodies = []
        self.rules.heroes.join(play, joiner, unit)
        if body is not None:
            spots = [*unit.spots, (body.x, body.y + 45)]
            ground.stand(self.state.table, unit, spots)
        assert joiner.place == JOINED

    def aboard(self, unit: Unit, carrier: Unit, seat: str = "inside") -> None:
        """Put a unit into a carrier."""
        unit.place = ABOARD
        unit.bodies = []
        unit.carrier = carrier.id
        unit.seat = seat
        self.rules.outfit.refresh(self.state, carrier)

    # -- carrying things out -----------------------------------------------------------------------------------

    def run(
        self, procedure: Any, dice: str = "", answers: Mapping[str, Any] | None = None, default: Any = NOT_FORCED
    ) -> Ran:
        """Carry a procedure out. All dice must be used; `answers` are by key, a list for several in a row; `default`
        answers every other question."""
        play = Play(self.rules, self.state)
        made = procedure(play) if callable(procedure) else procedure
        left = list(dice.replace(" ", ""))
        given = {key: list(value) if isinstance(value, list) else value for key, value in (answers or {}).items()}
        asked: list[str] = []
        offered: dict[str, Any] = {}
        questions: list[Any] = []
        answer: Any = None
        while True:
            try:
                question = made.send(answer)
            except StopIteration as stop:
                assert not left, f"dice left over: {left}"
                return Ran(stop.value, asked, play.events, offered, questions)
            if isinstance(question, Quiet):
                answer = None
                continue
            if isinstance(question, Dice):
                assert len(left) >= question.count, f"{question.label} wants {question.count} dice, left are {left}"
                taken, left = left[: question.count], left[question.count :]
                answer = tuple(question.die.face(FACES[face]) for face in taken)
                continue
            forced = question.forced()
            if forced is not NOT_FORCED:
                answer = forced
                continue
            asked.append(question.key)
            questions.append(question)
            if hasattr(question, "options"):
                offered.setdefault(question.key, list(question.options))
            if question.key in given and given[question.key] != []:
                value = given[question.key]
                wanted = value.pop(0) if isinstance(value, list) else value
            else:
                assert default is not NOT_FORCED, f"nobody answers {question.key!r}: {question.facts()}"
                wanted = default(question) if callable(default) else default
            answer = question.check(wanted)

    # -- the usual actions ------------------------------------------------------------------------------------

    def attack(
        self, unit: Unit, target: Unit, dice: str, kind: str = ATTACK, answers: Mapping[str, Any] | None = None,
        mode: str = "direct", reactions: bool = True,
    ) -> Ran:  # fmt: skip
        """An attack with everything at one target; nobody reacts unless told to."""
        given = {"target": (mode, target.id), "reaction": None, **(answers or {})}
        return self.run(
            lambda play: self.rules.attacking.attack(play, unit, kind, reactions=reactions), dice, given, default=usual
        )

    def strike(self, unit: Unit, target: Unit, kind: str = ATTACK, mode: str = "direct", **data: Any) -> Any:
        """The plan of an attack with everything at one target, nothing rolled."""
        attack = Attack(self.state, unit, kind)
        attack.data.update(data)
        aims = self.rules.attacking.aims(attack, target)
        attack.shots = self.rules.attacking._all_at(attack, aims, (mode, target.id))
        assert attack.shots, f"{unit} cannot attack {target}"
        if attack.is_indirect:
            attack.spotter = self.rules.artillery.first_spotter(attack)
        return self.rules.attacking.plan(attack, target)

    def can_attack(self, unit: Unit, target: Unit, kind: str = ATTACK) -> bool:
        return self.rules.attacking.can_attack(self.state, unit, kind, target)

    def refusal(
        self, unit: Unit, target: Unit, man: int = 0, place: int = 0, kind: str = ATTACK, mode: str = "direct"
    ) -> Any:
        """Why a weapon cannot be used at a target: the rule's id, or None."""
        from dieselfront.rulesets.warfare.firing import Shot

        attack = Attack(self.state, unit, kind)
        shot = Shot(attack, man, place, unit.carried(man)[place], target, mode)
        refused = self.rules.attacking.refusal(shot, {})
        return refused[0] if refused else None

    def route(self, unit: Unit, *path: tuple[int, ...], kind: str = MOVE, way: str = "move") -> Route | str:
        """The way along some points, or why not."""
        return self.rules.movement.region(Move(self.state, unit, kind, way)).route(tuple(path))

    def move(
        self,
        unit: Unit,
        *path: tuple[int, ...],
        kind: str = MOVE,
        dice: str = "",
        answers: Mapping[str, Any] | None = None,
    ) -> Ran:
        """A move action with its windows; nobody reacts unless told to."""
        given = {"move": tuple(path), "reaction": None, **(answers or {})}
        return self.run(lambda play: self.rules.movement.move(play, unit, kind), dice, given, default=usual)

    def activate(
        self, unit: Unit, actions: tuple[str, ...] | None = None, dice: str = "",
        answers: Mapping[str, Any] | None = None, default: Any = None,
    ) -> Ran:  # fmt: skip
        """A whole activation with these actions."""
        given = {"actions": () if actions is None else actions, "reaction": None, **(answers or {})}
        return self.run(lambda play: self.rules.activation.activate(play, unit), dice, given, default or usual)

    def menu(self, unit: Unit, count: int | None = None) -> list[tuple[str, ...]]:
        """What the unit could declare now."""
        actions = self.rules.activation.action_count(self.state, unit) if count is None else count
        return self.rules.activation.menu(self.state, unit, actions)

    def order(
        self, unit: Unit, order: str, dice: str = "", answers: Mapping[str, Any] | None = None, default: Any = None
    ) -> Ran:
        """An order given in the Command phase."""
        return self.run(lambda play: self.rules.command.give(play, (order, unit.id)), dice, answers, default or usual)

    def clearance(self, unit: Unit, kind: str = MOVE) -> Clearance:
        return Clearance(Move(self.state, unit, kind))


def usual(question: Any) -> Any:
    """The dullest legal answer: nothing, the first, no."""
    shape = question.shape
    if shape == "yes-no":
        return False
    if shape == "pick-one":
        return None if None in question.options else question.options[0]
    if shape == "pick-some":
        return tuple(question.options[: question.least])
    if shape == "assign":
        return question.default
    if shape == "number":
        return 0
    if shape == "place-free":
        return question.region.spots()[0]
    return ()
