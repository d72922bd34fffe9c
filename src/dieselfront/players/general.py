"""The general adviser: plays any game from what its decisions say about themselves.

It reads what options are about (kernel.meaning), what is at stake in them (kernel.stakes) and where everybody stands
(kernel.field), and knows no rules: shoot what dies and matters, take and hold objectives, come closer, recover. A game
nobody wrote an adviser for gets all levels from it; a game's own adviser only adds what is special.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

from dieselfront import odds
from dieselfront.kernel.decisions import Answer, Assign, Decision, Number, PickSome, YesNo
from dieselfront.kernel.field import NoAnswer, Objective, Standing
from dieselfront.kernel.game import Game
from dieselfront.kernel.meaning import About
from dieselfront.kernel.stakes import Stake
from dieselfront.players.adviser import Adviser, Candidate, Memory, Worth
from dieselfront.players.weights import Weights

MOST_ANSWERS = 120
"""So many answers of a decision are looked at."""

MOST_LISTED = 2000
"""Those are taken from so many, evenly, so that a list in rows does not end in its first corner."""

HABITS = {
    "rally": 0.25,
    "support": 0.5,
    "react": 0.3,
    "deploy": 0.6,
    "move": 0.2,
    "activate": 0.2,
    "build": 0.1,
    "wait": 0.05,
    "choose": 0.0,
    "lose": 0.0,
    "attack": 0.6,
    "assault": 0.3,
    "ride": -0.2,
    "pass": -0.3,
}
"""What a kind of act is worth at first sight, where nothing more is known of it."""

STEP = {"squares": 1.0, "measured": 100.0}
"""A step on the table, in its own lengths: a square, or four inches in millimetres."""

NEAR = 6
"""An enemy within so many steps is worth a shot, as far as anybody can say who knows no ranges."""

WORTH_ALL = 0.2
"""Of what is worth as much at first sight as many are taken as may be, of anything else as few."""

NOTHING_AT_STAKE = -0.2
"""An attack that puts nothing at stake is worth less than anything else that a unit can do."""

GOAL = 0.5
"""What the best objective is worth, in units of usual worth, to the one that sees to it."""

HELPING, HELD_BY_OTHERS = 0.4, 0.1
"""The share of it that counts for others, while it is not held and while it is."""

CLOSER = 0.1
"""What it is worth to be near enemies, in units of usual worth."""

HOPE = 0.15
"""The share of its own points that a unit may hope to take with an attack of which nothing more is known."""

CLEAR_LEAD, CLEAR_SHARE = 2, 0.2
"""A lead of so many victory points, and of that share of all that were scored, need not be pressed any further."""

MOVES = 0.5
"""The share of what is missing that one move may bring."""

PLACES = ("place", "place-free", "path")
"""Shapes of decisions whose answers are places."""

MOST_ENEMIES = 5
"""So many enemies are asked after by name."""

WON = 1000.0


class Scene:
    """Who stands where, read once for a decision."""

    def __init__(self, game: Game, player: int) -> None:
        self.game = game
        self.field = field = game.rules.field
        self.player = player
        self.step = STEP[game.rules.table]
        self.units: dict[str, Standing] = {unit.id: unit for unit in field.units(game.state)}
        self.objectives: Sequence[Objective] = field.objectives(game.state)
        self.enemies = [unit for unit in self.units.values() if unit.side != player and unit.on_table]
        points = [unit.points for unit in self.units.values()]
        self.usual = sum(points) / len(points) if points else 1.0
        """What a unit of this battle is worth on average."""
        self.goals = [Goal(self, goal) for goal in self.objectives if any(map(point_of, goal.places))]

    @cached_property
    def urgency(self) -> float:
        """How much it is time for a decision, from 0 to 1: the later the battle, as long as we do not lead clearly."""
        shown = self.game.rules.glance(self.game.state, (self.player,))
        score = shown.get("score") or [side["points"] for side in shown.get("sides", ())] or [0, 0]
        lead = score[self.player] - score[1 - self.player]
        if lead >= max(CLEAR_LEAD, CLEAR_SHARE * sum(score)):
            return 0.0
        turns: int = shown["turns"]
        return min(1.0, shown["turn"] / turns) if turns else 0.0

    def enemy_near(self, unit: Standing) -> float:
        """How near an enemy is: 1 beside the unit, 0 out of reach."""
        if unit.centre is None or not self.enemies:
            return 0.0
        nearest = min(math.dist(unit.centre, enemy.centre) for enemy in self.enemies if enemy.centre is not None)
        return max(0.0, 1.0 - nearest / (NEAR * self.step))

    def can_strike(self, unit: Standing) -> bool:
        """Can a weapon of the unit be used on one of the nearest enemies?"""
        if unit.centre is None:
            return False
        there = [enemy for enemy in self.enemies if enemy.centre is not None]
        there.sort(key=lambda enemy: math.dist(unit.centre, enemy.centre))
        return any(self._bears(unit.id, enemy.id) for enemy in there[:MOST_ENEMIES])

    def _bears(self, unit: str, enemy: str) -> bool:
        try:
            return any(use.usable for use in self.field.weapons(self.game.play, unit, enemy))
        except NoAnswer:
            return False

    def pull(self, point: tuple[float, float], unit: Standing | None, weights: Weights, press: float = 0.0) -> float:
        """How good it is for a unit to stand at a point: near objectives, else near enemies; in points.

        The more a decision is pressed for, the more counts to be near enemies.
        """
        goal = max((goal.pull(point, unit) for goal in self.goals), default=0.0)
        near = [
            1.0 / (1.0 + abs(math.dist(point, enemy.centre) / self.step - 2.0))
            for enemy in self.enemies
            if enemy.centre is not None
        ]
        closer = weights["advance"] * (1.0 + press) * CLOSER * self.usual
        return weights["objective"] * goal + closer * max(near, default=0.0)

    def missing(self, unit: Standing, weights: Weights) -> float:
        """What a move could still bring a unit, in points."""
        if unit.centre is None:
            return 0.0
        goal = max((goal.missing(unit.centre, unit) for goal in self.goals), default=0.0)
        return weights["objective"] * goal + weights["advance"] * CLOSER * self.usual * (1.0 - self.enemy_near(unit))


class Goal:
    """An objective as a general sees it: where it lies, what it is worth, and who of ours should see to it."""

    def __init__(self, scene: Scene, goal: Objective) -> None:
        self.points = [point for point in map(point_of, goal.places) if point is not None]
        self.step = scene.step
        most = max(one.points for one in scene.objectives) or 1
        self.worth = GOAL * scene.usual * max(1, goal.points) / max(1, most)
        self.held = goal.holder == scene.player
        mine = [one for one in scene.units.values() if one.side == scene.player and one.on_table and one.centre]
        self.keeper = min(mine, key=lambda one: self.steps(one.centre), default=None)
        """Our nearest unit."""

    def steps(self, point: tuple[float, float]) -> float:
        return min(math.dist(point, one) for one in self.points) / self.step

    def share(self, unit: Standing | None) -> float:
        """How much of it is this unit's business."""
        if self.keeper is None or (unit is not None and unit.id == self.keeper.id):
            return self.worth
        return self.worth * (HELD_BY_OTHERS if self.held else HELPING)

    def pull(self, point: tuple[float, float], unit: Standing | None) -> float:
        return self.share(unit) / (1.0 + self.steps(point))

    def missing(self, point: tuple[float, float], unit: Standing) -> float:
        far = self.steps(point)
        return self.share(unit) * far / (1.0 + far)


class GeneralAdviser(Adviser):
    """Quick judgement for any game."""

    press: ClassVar[float] = 2.0
    """How hard it presses for a decision while the battle grows late and it does not lead clearly."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def begins(self, decision: Decision) -> bool:
        return decision.act == "activate" and not decision.unit

    def opens(self, decision: Decision) -> bool:
        return decision.act == "activate" and bool(decision.unit)

    def answer(self, game: Game, memory: Memory) -> Answer:
        decision = game.pending
        assert decision is not None
        scene = Scene(game, decision.player)
        if isinstance(decision, Number):
            return decision.least
        if isinstance(decision, PickSome):
            return self._some(scene, decision)
        return self._ranked(scene, decision)[0][1]

    def candidates(self, game: Game, memory: Memory, most: int) -> Sequence[Candidate]:
        decision = game.pending
        assert decision is not None
        if not (self.begins(decision) or self.opens(decision)) or isinstance(decision, PickSome):
            return ()
        scene = Scene(game, decision.player)
        return [
            Candidate(answer, value, None, decision.label(answer))
            for value, answer in self._ranked(scene, decision)[:most]
        ]

    def worth(self, game: Game, player: int) -> Worth:
        """Points alive on both sides, and objectives by who holds them or is nearer."""
        scene = Scene(game, player)
        mine = sum(unit.points * unit.share for unit in scene.units.values() if unit.side == player)
        theirs = sum(unit.points * unit.share for unit in scene.units.values() if unit.side != player)
        goals = sum(self._held(scene, goal) for goal in scene.objectives)
        total = self.weights["destroy"] * -theirs + self.weights["lose"] * mine + goals
        if game.over:
            total += 0.0 if game.winner is None else WON if game.winner == player else -WON
        return Worth(total, mine, theirs, goals)

    # -- answers, best first ------------------------------------------------------------------------

    def _ranked(self, scene: Scene, decision: Decision) -> list[tuple[float, Answer]]:
        answers = aims(decision) if isinstance(decision, Assign) else some_of(decision.answers())
        if isinstance(decision, Assign) and decision.has_stakes:
            answers += self._each_its_best(scene, decision)
        rated = [(self._value(scene, decision, answer), answer) for answer in answers]
        rated.sort(key=lambda one: -one[0])
        return rated

    def _each_its_best(self, scene: Scene, decision: Assign) -> list[Answer]:
        """Every item where it gains most by itself, the most gainful first, as long as they go together."""
        nothing: tuple[Answer, ...] = (None,) * len(decision.items)
        if not all(None in options for options in decision.choices):
            return []
        pairs = [(place, option) for place, options in enumerate(decision.choices) for option in options]
        gains: list[tuple[float, int, Answer]] = []
        for place, option in some_of(pair for pair in pairs if pair[1] is not None):
            alone = with_part(nothing, place, option)
            if decision.objection(alone) is None:
                gains.append((self._gain(scene, decision.at_stake(alone), True), place, option))
        gains.sort(key=lambda one: -one[0])
        best = nothing
        for gain, place, option in gains:
            more = with_part(best, place, option)
            if gain > 0.0 and best[place] is None and decision.objection(more) is None:
                best = more
        return [best] if best != nothing else []

    def _some(self, scene: Scene, decision: PickSome) -> Answer:
        """The options worth something, as many as have to be and may be.

        Of models that are lost, the last ones: cards name first who leads and who serves a weapon. Of an enemy's unit
        the first ones go.
        """
        options = decision.options
        wanted = decision.most if HABITS[decision.act] >= WORTH_ALL else decision.least
        hurt = scene.units.get(decision.unit) if decision.act == "lose" else None
        if hurt is not None and hurt.side == scene.player:
            return tuple(options[len(options) - wanted :])
        return tuple(options[:wanted])

    def _value(self, scene: Scene, decision: Decision, answer: Answer) -> float:
        about = decision.meaning(answer)
        value = HABITS[about.act] - 0.2 * about.careless
        if isinstance(decision, YesNo) and not answer:
            value = 0.0
        unit = scene.units.get(about.unit or decision.unit)
        if decision.has_stakes:
            stakes = decision.at_stake(answer)
            if stakes:
                value += self._gain(scene, stakes, isinstance(decision, Assign))
            elif about.act in ("attack", "assault"):
                value = NOTHING_AT_STAKE
        elif about.act in ("attack", "assault", "react"):
            value += self._hope(scene, unit, about)
        return value + self._ground(scene, decision, unit, about)

    def _gain(self, scene: Scene, stakes: Iterable[Stake], together: bool) -> float:
        """Points that the dice may be expected to take from the enemy, less those they take from us.

        Several targets are all struck (`together`), or one of them is going to be chosen.
        """
        press = self._pressed(scene)
        gains: list[float] = []
        for stake in stakes:
            target = scene.units.get(stake.target)
            if target is None or not stake.plans:
                continue
            result = odds.evaluate(list(stake.plans))
            share = result.mean_losses / max(1, result.capacity)
            ended = self.weights["finish"] * result.destroyed
            points = stake.chance * target.points * (target.share * share + ended)
            if press:  # an end is worth something by itself, whoever it is
                points += press * stake.chance * scene.usual * ended
            mine = target.side == scene.player
            gains.append(-self.weights["lose"] * points if mine else self.weights["destroy"] * points)
        return sum(gains) if together else max(gains, default=0.0) + sum(gain for gain in gains if gain < 0)

    def _pressed(self, scene: Scene) -> float:
        """How much a decision is pressed for now."""
        return self.press * scene.urgency if self.press else 0.0

    def _hope(self, scene: Scene, unit: Standing | None, about: About) -> float:
        """What an attack may bring as far as weapons and distances tell."""
        targets = [scene.units[id] for id in about.targets if id in scene.units]
        if targets:
            return max((one.points * 0.1 if one.side != scene.player else -one.points) for one in targets)
        if unit is None or about.act == "react":
            return 0.0
        return HOPE * unit.points * unit.share if scene.can_strike(unit) else NOTHING_AT_STAKE - HABITS[about.act]

    def _ground(self, scene: Scene, decision: Decision, unit: Standing | None, about: About) -> float:
        """What the place is worth where the answer leads; without a place, what a move could bring."""
        points = [point for point in map(point_of, about.places) if point is not None]
        if about.act in ("move", "deploy", "ride") and points:
            return scene.pull(points[-1], unit, self.weights, self._pressed(scene))
        if unit is None or unit.centre is None:
            helped = [scene.units[id] for id in about.targets if id in scene.units] if about.act == "support" else []
            return max(map(scene.enemy_near, helped), default=0.0)
        if decision.shape in PLACES:
            return scene.pull(unit.centre, unit, self.weights, self._pressed(scene))  # it stays where it is
        if about.act == "move":
            return MOVES * scene.missing(unit, self.weights)
        return scene.enemy_near(unit) if about.act == "activate" else 0.0

    def _held(self, scene: Scene, goal: Objective) -> float:
        """What an objective is worth to the player as things stand."""
        weight = self.weights["objective"] * max(1, goal.points)
        if goal.holder is not None:
            return weight if goal.holder == scene.player else -weight
        point = next(iter(map(point_of, goal.places)), None)
        if point is None:
            return 0.0
        far = [math.inf, math.inf]
        for unit in scene.units.values():
            if unit.on_table and unit.centre is not None:
                far[unit.side] = min(far[unit.side], math.dist(unit.centre, point))
        if far[0] == far[1]:
            return 0.0
        nearer = 0 if far[0] < far[1] else 1
        return 0.3 * weight * self.weights["advance"] * (1 if nearer == scene.player else -1)


def some_of(answers: Iterable[Answer]) -> list[Answer]:
    """As many answers as are looked at, from all over the list."""
    listed = list(islice(answers, MOST_LISTED))
    if len(listed) <= MOST_ANSWERS:
        return listed
    return [listed[number * len(listed) // MOST_ANSWERS] for number in range(MOST_ANSWERS)]


def aims(decision: Assign) -> list[Answer]:
    """Ways to assign that are worth a look: everything at one target, each in turn, and nothing."""
    nothing = (None,) * len(decision.items)
    ways: dict[Answer, None] = {}
    targets: dict[Any, None] = {}
    for item, options in zip(decision.items, decision.choices, strict=True):
        for option in options:
            if option is not None:
                about = decision.part_meaning(item, option)
                targets.setdefault(about.targets or about.places or (option,))
    for target in targets:
        answer = list(nothing)
        for place, (item, options) in enumerate(zip(decision.items, decision.choices, strict=True)):
            for option in options:
                if option is None:
                    continue
                aimed = decision.part_meaning(item, option)
                if (aimed.targets or aimed.places or (option,)) == target:
                    answer[place] = option
                    if decision.objection(tuple(answer)) is None:
                        break
                    answer[place] = None
        ways.setdefault(tuple(answer))
    if all(None in options for options in decision.choices):
        ways.setdefault(nothing)
    if decision.default is not None:
        ways.setdefault(decision.default)
    legal = [way for way in ways if is_legal(decision, way)]
    return legal or [next(decision.answers())]


def with_part(answer: tuple[Answer, ...], place: int, option: Answer) -> tuple[Answer, ...]:
    """An assignment in which one item gets another option."""
    return (*answer[:place], option, *answer[place + 1 :])


def is_legal(decision: Assign, answer: Answer) -> bool:
    """Is every part among its options, and do they go together?"""
    parts = zip(answer, decision.choices, strict=True)
    return all(chosen in options for chosen, options in parts) and decision.objection(answer) is None


def point_of(place: Any) -> tuple[float, float] | None:
    """A place as a point: (x, y) in millimetres, or column and row of a square by its name."""
    if isinstance(place, tuple | list) and len(place) >= 2:
        return (float(place[0]), float(place[1]))
    if not isinstance(place, str):
        return None
    letters = place.rstrip("0123456789").split("+")[0] if "+" not in place else place.split("+")[0].rstrip("0123456789")
    number = place.split("+")[0][len(letters) :]
    if not letters.isalpha() or not number.isdigit():
        return None
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return (column - 1.0, int(number) - 1.0)


__all__ = ["GeneralAdviser", "Scene", "aims", "point_of"]
