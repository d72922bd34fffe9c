"""A battlefield for tests: put units down, carry a procedure out with scripted answers and dice, look at what happened.

Places are whole millimetres. `gap(10)` is how far apart the centres of two infantry bases are when the bases are
exactly 10 inches apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dieselfront.dice import Dice
from dieselfront.kernel.decisions import NOT_FORCED
from dieselfront.kernel.game import QUIET, Play
from dieselfront.rulesets.konflikt47 import RULESET, ground
from dieselfront.rulesets.konflikt47.battle import Battle, make_table, read_battle
from dieselfront.rulesets.konflikt47.cards import read_card
from dieselfront.rulesets.konflikt47.state import TABLE, State, Unit

BLUE, RED = 0, 1
MM = 25.4


def inch(inches: float) -> int:
    return round(inches * MM)


def gap(inches: float) -> int:
    """Centre to centre in mm of two 25 mm bases that many inches apart."""
    return int(inches * MM) + 25


def squad(count: int = 5, weapon: str = "Rifle", **card: Any) -> dict[str, Any]:
    """A card of infantry with equal weapons; `nco=True` makes the first man one."""
    first: dict[str, Any] = {"weapons": [weapon] if weapon else []}
    if card.pop("nco", False):
        first["nco"] = True
    if card.pop("officer", False):
        first["officer"] = True
    men = [first]
    if count > 1:
        men.append({"weapons": [weapon] if weapon else [], "count": count - 1})
    return {"name": "Squad", "kind": "infantry", "men": card.pop("men", men), **card}


def team(weapon: str, crew: int = 3, **card: Any) -> dict[str, Any]:
    """A weapon team: the first man carries the weapon."""
    men: list[dict[str, Any]] = [{"weapons": [weapon], "gunner": True, "name": "gunner"}]
    if crew > 1:
        men.append({"crew": True, "count": crew - 1, "name": "crew"})
    return {"name": f"{weapon} team", "kind": "infantry", "men": men, "squad": False, **card}


def gun(weapon: str, crew: int = 3, size: str = "medium", **card: Any) -> dict[str, Any]:
    """An artillery unit: a gun with crew."""
    return {**team(weapon, crew, **card), "name": weapon, "kind": "artillery", "gun": size}


def tank(
    armour: str = "medium tank", weapons: Sequence[Any] = ("Turret-Mounted Medium AT Gun",), **card: Any
) -> dict[str, Any]:
    """A vehicle of a class."""
    vehicle = {"class": armour, **{key: card.pop(key) for key in ("mode", "capacity", "tow", "value") if key in card}}
    return {
        "name": armour.capitalize(),
        "kind": "vehicle",
        "vehicle": vehicle,
        "men": [{"weapons": list(weapons)}],
        **card,
    }


class Ran:
    """What a procedure did: its result, the questions it asked, its events."""

    def __init__(self, result: Any, asked: list[str], events: list[Any], offered: dict[str, Any]) -> None:
        self.result = result
        self.asked = asked
        self.events = events
        self.offered = offered

    def of(self, kind: str) -> list[Any]:
        """The events of a kind."""
        return [event for event in self.events if type(event).__name__ == kind]

    def rules(self) -> list[str]:
        return [event.rule for event in self.events]

    def needed(self) -> int:
        """What the first shots needed to hit."""
        return int(self.of("Hit")[0].needed)


class Field:
    """A table with units on it."""

    def __init__(
        self, *terrain: Mapping[str, Any], size: tuple[int, int] = (72, 48), turn: int = 1, **options: str
    ) -> None:
        data = {"id": "test", "name": "Test", "size": size, "terrain": list(terrain)}
        self.battle: Battle = read_battle(data)
        chosen = dict(options)
        chosen.setdefault("national_rules", "off")
        self.state: State = RULESET.position([], make_table(self.battle), chosen, self.battle)
        self.state.turn = turn
        self.state.phase = "orders"
        self.rules = RULESET
        self.count = [0, 0]

    def put(
        self,
        side: int,
        card: Mapping[str, Any],
        x: int = 900,
        y: int = 600,
        heading: int = 0,
        pitch: int = 30,
        spots: Sequence[tuple[int, int]] | None = None,
        place: str = TABLE,
        **given: Any,
    ) -> Unit:
        """Set a unit down: men in a row to the right of (x, y), a gun 45 mm ahead of the first man."""
        self.count[side] += 1
        nation = given.pop("nation", "")
        made = read_card(card, self.state.is_on("supplement_weapons"))
        unit = Unit(f"{'blue' if side == BLUE else 'red'}-{self.count[side]}", side, made, nation or made.nation)
        unit.place = place
        self.state.units.append(unit)
        self.state._by_id[unit.id] = unit
        for name, value in given.items():
            setattr(unit, name, value)
        self.rules.outfit.refresh(self.state, unit)
        if place == TABLE:
            row = list(spots or [(x + pitch * number, y) for number in range(len(unit.men))])
            if unit.is_artillery and spots is None:
                row.append((x, y - 45))
            ground.stand(self.state.table, unit, row, heading)
        return unit

    def run(
        self,
        procedure: Any,
        dice: Sequence[Any] = (),
        answers: Mapping[str, Any] | None = None,
        default: Any = NOT_FORCED,
    ) -> Ran:
        """Carry a procedure out. `dice` are D6 faces or names, all of which must be used; `answers` are by key, a list
        for several in a row; `default` answers every other question."""
        play = Play(self.rules, self.state)
        made = procedure(play) if callable(procedure) else procedure
        left, given = (
            list(dice),
            {key: list(value) if isinstance(value, list) else value for key, value in (answers or {}).items()},
        )
        asked: list[str] = []
        offered: dict[str, Any] = {}
        answer: Any = None
        while True:
            try:
                question = made.send(answer)
            except StopIteration as stop:
                assert not left, f"dice left over: {left}"
                return Ran(stop.value, asked, play.events, offered)
            if question is QUIET:
                answer = None
                continue
            if isinstance(question, Dice):
                assert len(left) >= question.count, f"{question.label} wants {question.count} dice, left are {left}"
                taken, left = left[: question.count], left[question.count :]
                answer = tuple(question.die.face(str(face)) for face in taken)
                continue
            forced = question.forced()
            if forced is not NOT_FORCED:
                answer = forced
                continue
            asked.append(question.key)
            if hasattr(question, "options"):
                offered.setdefault(question.key, list(question.options))
            if question.key in given:
                value = given[question.key]
                wanted = value.pop(0) if isinstance(value, list) else value
            else:
                assert default is not NOT_FORCED, f"nobody answers {question.key!r}: {question.facts()}"
                wanted = default(question) if callable(default) else default
            answer = question.check(wanted)

    # -- the usual actions ------------------------------------------------------------------------------------

    def order(
        self, unit: Unit, order: Any, dice: Sequence[Any] = (), answers: Mapping[str, Any] | None = None, **more: Any
    ) -> Ran:
        """The unit gets an order and carries it out."""
        given = dict(answers or {})
        if isinstance(order, tuple):
            given["order"], given[f"{order[0]} target"] = order
        else:
            given["order"] = order
        return self.run(lambda play: self.rules.orders.activate(play, unit), dice, given, **more)

    def shoot(
        self, unit: Unit, target: Unit, dice: Sequence[Any], how: str = "fire", answers: Mapping[str, Any] | None = None
    ) -> Ran:
        """A shooting action without an order test; the target does not react unless told to."""
        given = {"target": target.id, "reaction": None, **(answers or {})}
        return self.run(lambda play: self.rules.shooting.shoot(play, unit, how), dice, given, default=usual)

    def need(self, unit: Unit, target: Unit, how: str = "fire", weapon: str = "", way: str = "") -> int:
        """What the shots of a weapon need to hit."""
        return self.pool(unit, target, how, weapon, way).need

    def pool(self, unit: Unit, target: Unit, how: str = "fire", weapon: str = "", way: str = "") -> Any:
        """The first pool of a unit's fire at a target, measured."""
        from dieselfront.rulesets.konflikt47.firing import Shot

        shots = [
            Shot(man, index, target.id, round)
            for man, index, round in self.rules.shooting.options_of(self.state, unit, how)
            if (not weapon or weapon in unit.weapon(index).name) and (not way or round == way)
        ]
        pools, lost = self.rules.shooting.pools(self.state, unit, target, shots, how)
        assert pools, lost
        return pools[0]


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
    return ()
