"""Mining puzzles: positions of self-play where one activation is clearly best, by search and on fresh dice.

At the beginning of activations the best plan is searched for as the highest level does. What is particular about it
(who acts, at whom, which objective it takes) becomes the condition that an answer must meet. Then it is compared, on
dice that the search has not seen, with the best plans that do not meet the condition. Only a gap that is large, and
sure, makes a puzzle; one that chance finds easily is dropped.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from itertools import islice, pairwise
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

import msgspec

from dieselfront.dice.rollers import FairDice
from dieselfront.kernel.decisions import Answer, Decision, PickOne
from dieselfront.kernel.game import Game
from dieselfront.kernel.meaning import ACTS
from dieselfront.lab.blunder_words import UNIT_DECISIONS, BadCondition, Scene, holds
from dieselfront.lab.blunders import BlunderError, play_on
from dieselfront.lab.crew import Crew, crew_of
from dieselfront.lab.moments import Moment, moment_of
from dieselfront.lab.puzzles import OBJECTIVE, Facts
from dieselfront.lab.simulate import ANY, Matches, SimulationError, check, line_up, seats, seed_of, version_of
from dieselfront.players import LEVELS, adviser_of, level_of, make, weights
from dieselfront.players.adviser import Adviser, Candidate, Effort, Memory
from dieselfront.players.random_player import RandomPlayer
from dieselfront.players.review import Course, Reviewer
from dieselfront.players.search import Search, number_of
from dieselfront.referee.choices import simple
from dieselfront.scenarios import battle

EVERY = 2
"""Positions are looked at at every so many activations."""
MOST_LOOKS = 12
"""So many positions of a game are searched; the first puzzle ends it, so that puzzles differ."""
FEWEST_PLANS = 3
RIVALS = 3
"""So many plans that do not meet the condition are compared with the best."""
FRESH_DICE = (6, 18, 48)
"""Continuations: after each of these numbers the search goes on only if the gap may still be large enough."""
GAP = 0.06
"""The chance to win that the next best plan gives up, at least."""
SURE = 2.5
"""The gap is at least so many standard errors."""
PROMISING = 0.5
"""Before the fresh dice are thrown, the search must see so much of the gap."""
CHANCE_TRIES, CHANCE_MAY = 8, 2
"""Of so many random activations at most so many may meet the condition."""
MOST_DECISIONS = 200_000
TOLD_BY_ANSWER = ("assault", "rally", "support", "build", "ride", "wait")
"""Acts that are told by the answer itself where no shot tells them."""
MOST_RULES = 4


class Mining(msgspec.Struct, frozen=True):
    """What is mined: at most so many puzzles from at most so many games of self-play."""

    ruleset: str
    puzzles: int = 10
    games: int = 60
    seed: str = "puzzles"
    player: str = "veteran"
    scenario: str = ANY

    @property
    def matches(self) -> Matches:
        players = (self.player, self.player)
        return Matches(self.ruleset, self.games, self.seed, players, ANY, ANY, scenario=self.scenario, swap=True)


class Mined(msgspec.Struct, frozen=True):
    """A puzzle as it is written down (puzzles.py)."""

    id: str
    title: str
    ruleset: str
    side: int
    why: str
    rules: list[str]
    expect: dict[str, Any]
    solution: list[dict[str, Any]]
    battle: Moment
    puzzle: Facts


class Vein(msgspec.Struct, frozen=True):
    """What one game gave: how many positions were searched, and the first puzzle among them."""

    number: int
    looked: int
    puzzle: Mined | None


class Task(msgspec.Struct, frozen=True):
    """One game, as it goes to a worker."""

    matches: Matches
    number: int


def mine(wanted: Mining, workers: int | Crew = 1, progress: Callable[[Any], None] | None = None) -> list[Mined]:
    """The first puzzles of the games in the order of their numbers; the same for any number of workers."""
    if wanted.puzzles < 1:
        raise SimulationError(f"At least 1 puzzle has to be mined, not {wanted.puzzles}.")
    check(wanted.matches)
    plain = msgspec.structs.replace(wanted.matches, games=1)
    tasks = [Task(plain, number) for number in range(wanted.games)]
    mined: list[Mined] = []
    with crew_of(workers, progress) as crew:
        for vein in crew.run(mine_task, tasks, Vein, f"{version_of(wanted.ruleset)}/{GAP}/{SURE}"):
            mined += [vein.puzzle] if vein.puzzle is not None else []
            if len(mined) >= wanted.puzzles:
                break
    return mined[: wanted.puzzles]


def mine_task(task: Task) -> Vein:
    """One game of self-play; its activations are searched on the way."""
    matches, number = task.matches, task.number
    header, armies = line_up(matches, number)
    seed = seed_of(matches, number)
    game = battle.start(header, seed, keep_history=False)
    named = [matches.players[place] for place in seats(matches, number)]
    players = [make(name, f"{seed}/{side}", matches.ruleset) for side, name in enumerate(named)]
    prospector = Prospector(matches.ruleset, armies, seed, number)
    while (decision := game.pending) is not None and prospector.is_looking:
        prospector.see(game)
        game.choose_trusted(players[decision.player].choose(game))
        if len(game.choices) > MOST_DECISIONS:
            raise SimulationError(f"A game did not end after {MOST_DECISIONS} decisions.")
    return Vein(number, prospector.looked, prospector.puzzle)


class Plan:
    """Plays a candidate: its answer, then what the adviser makes of the plan."""

    def __init__(self, adviser: Adviser, candidate: Candidate) -> None:
        self.adviser = adviser
        self.candidate: Candidate | None = candidate
        self.memory: Memory = {}
        self.answers: list[tuple[str, Answer, str]] = []
        self.acts: list[str] = []

    def choose(self, game: Game) -> Answer:
        decision = game.pending
        assert decision is not None
        if self.candidate is None:
            answer = self.adviser.answer(game, self.memory)
        else:
            answer = self.candidate.answer
            self.memory[decision.player] = self.candidate.note
            self.candidate = None
        words = decision.label(answer) if isinstance(decision, PickOne) else ""
        self.answers.append((decision.key, answer, words))
        self.acts.append(decision.meaning(answer).act)
        return answer


class Idle:
    """The enemy while a plan is played: nothing if he may, else anything."""

    def __init__(self, seed: str) -> None:
        self.chance = Random(seed)

    def choose(self, game: Game) -> Answer:
        decision = game.pending
        assert decision is not None
        if isinstance(decision, PickOne) and None in decision.options:
            return None
        return decision.sample(self.chance)


class Deed(NamedTuple):
    """A candidate carried out once: what was chosen, and what can be seen afterwards."""

    plan: Plan
    scene: Scene


class Compared(NamedTuple):
    """The best plan beside the best rival on the same fresh dice, as chances to win."""

    best: float
    rival: float
    other: Candidate
    is_clear: bool


class Prospector:
    """Looks at the activations of one game for puzzles."""

    def __init__(self, ruleset: str, armies: tuple[str, str], seed: str, number: int) -> None:
        self.ruleset = ruleset
        self.armies = armies
        self.seed = seed
        self.adviser: Adviser = adviser_of(ruleset, weights(ruleset))
        effort = level_of(list(LEVELS)[-1], self.adviser).effort
        assert effort is not None
        self.effort: Effort = effort
        self.reviewer = Reviewer(Course(self.adviser, ruleset))
        self.looked = 0
        self.puzzle: Mined | None = None
        self._begun = number  # games begin at different activations

    @property
    def is_looking(self) -> bool:
        """May there still be something to find?"""
        return self.puzzle is None and self.looked < MOST_LOOKS

    def see(self, game: Game) -> None:
        """Look at the pending decision; search it if it is one of those that are looked at."""
        decision = game.pending
        if decision is None or not self._begins(game, decision):
            return
        self._begun += 1
        if game.turn < 1 or self._begun % EVERY:
            return
        candidates = self.adviser.candidates(game, {}, self.effort.candidates)[: self.effort.candidates]
        if len(candidates) >= FEWEST_PLANS:
            self.looked += 1
            self.puzzle = self._searched(game.copy(), candidates)

    def _begins(self, game: Game, decision: Decision) -> bool:
        """Does an activation begin here, with nothing chosen since the last quiet moment?"""
        opens = self.adviser.opens(decision) and not self.adviser.inside(game)
        return (self.adviser.begins(decision) or opens) and game.settled == len(game.choices)

    def _searched(self, game: Game, candidates: Sequence[Candidate]) -> Mined | None:
        """The puzzle of a position, if it is one."""
        seed = f"{self.seed}/{len(game.choices)}"
        search = Search(game, self.adviser, {}, candidates, self.effort, seed)
        best = search.halve()
        deed = self._deed(game, candidates[best], seed)
        expect = condition(deed, game) if deed is not None else None
        if deed is None or expect is None or not _meets(deed.scene, expect):
            return None
        order = sorted(range(len(candidates)), key=lambda place: -search.score(place))
        others = (candidates[place] for place in order if place != best)
        rivals = list(islice((one for one in others if not self._would_meet(game, one, expect, seed)), RIVALS))
        if not rivals or self._found_by_chance(game, expect, seed):
            return None
        compared = self._compared(game, candidates[best], rivals, seed)
        if not compared.is_clear:
            return None
        rank = sorted(candidates, key=lambda one: -one.value).index(candidates[best])
        return self._written(game, candidates[best], deed, expect, compared, rank)

    def _deed(self, game: Game, candidate: Candidate, seed: str) -> Deed | None:
        """A candidate carried out; None where it cannot be, or leads on without an end."""
        plan = Plan(self.adviser, candidate)
        twin = game.copy(dice=FairDice(seed))
        assert twin.pending is not None
        try:
            scene = play_on(twin, twin.pending.player, plan, Idle(seed), game.rules.lengths)
        except BlunderError:
            return None
        return Deed(plan, scene)

    def _would_meet(self, game: Game, candidate: Candidate, expect: dict[str, Any], seed: str) -> bool:
        deed = self._deed(game, candidate, seed)
        return deed is not None and _meets(deed.scene, expect)

    def _found_by_chance(self, game: Game, expect: dict[str, Any], seed: str) -> bool:
        met = 0
        for number in range(CHANCE_TRIES):
            twin = game.copy(dice=FairDice(f"{seed}/{number}"))
            assert twin.pending is not None
            name = f"{seed}/chance/{number}"
            try:
                scene = play_on(twin, twin.pending.player, RandomPlayer(name), Idle(name), game.rules.lengths)
            except BlunderError:
                continue
            met += _meets(scene, expect)
        return met > CHANCE_MAY

    def _compared(self, game: Game, best: Candidate, rivals: Sequence[Candidate], seed: str) -> Compared:
        """On fresh dice, the same for all; the first of them tell whether the rest is worth throwing."""
        assert game.pending is not None
        player, root = game.pending.player, number_of(f"{seed}/fresh")
        chances: list[list[float]] = [[] for _ in (best, *rivals)]
        for first, last in pairwise((0, *FRESH_DICE)):
            for plan, shares in zip((best, *rivals), chances, strict=True):
                shares += [self.reviewer.planned(game, player, root + number, plan) for number in range(first, last)]
            gap = fmean(chances[0]) - max(map(fmean, chances[1:]))
            if gap < GAP * PROMISING:
                break
        nearest = max(range(1, len(chances)), key=lambda place: fmean(chances[place]))
        gaps = [one - other for one, other in zip(chances[0], chances[nearest], strict=True)]
        sure = fmean(gaps) > SURE * stdev(gaps) / math.sqrt(len(gaps))
        clear = len(gaps) == FRESH_DICE[-1] and fmean(gaps) >= GAP and sure
        return Compared(fmean(chances[0]), fmean(chances[nearest]), rivals[nearest - 1], clear)

    def _written(
        self, game: Game, best: Candidate, deed: Deed, expect: dict[str, Any], compared: Compared, rank: int
    ) -> Mined:
        decision = game.pending
        assert decision is not None
        moment = moment_of(game, self.armies, self.seed)
        chance = self.reviewer.course.scales.chance(game)
        scenario = str(game.header.scenario.get("name", moment.scenario))
        numbers = f" ({best.numbers})" if best.numbers else ""
        why = (
            f"{best.words}{numbers}. It leads to a chance to win of about {compared.best:.0%}; the next best plan "
            f"found, {compared.other.words}, leads to {compared.rival:.0%}."
        )
        name = hashlib.sha256(f"{self.seed}/{len(game.choices)}".encode()).hexdigest()[:6]
        return Mined(
            id=f"{moment.scenario}-{name}",
            title=f"{scenario}, turn {game.turn}",
            ruleset=self.ruleset,
            side=decision.player,
            why=why,
            rules=_rules(deed.scene),
            expect=expect,
            solution=[
                {key: msgspec.to_builtins(answer), **({"note": words} if words else {})}
                for key, answer, words in deed.plan.answers
            ],
            battle=moment,
            puzzle=Facts(
                themes=themes(deed, expect),
                difficulty="easy" if rank == 0 else "medium" if rank < RIVALS else "hard",
                turn=game.turn,
                before=round(chance if decision.player == 0 else 1.0 - chance, 3),
                best=round(compared.best, 3),
                next_best=round(compared.rival, 3),
                best_words=best.words,
                next_words=compared.other.words,
            ),
        )


# -- what is particular about a plan ----------------------------------------------------------------------


def condition(deed: Deed, before: Game) -> dict[str, Any] | None:
    """What an answer must do to be right, in the words of the blunder suite; None if nothing tells the plan apart."""
    scene = deed.scene
    unit = _acting(scene)
    if not unit:
        return None
    enemies = [unit.id for unit in scene.state.units if unit.side != scene.side]
    struck = list(dict.fromkeys(target for _, target in scene.shots() if target in enemies))
    if struck:
        return {"unit": unit, "target": struck}
    taken = _objectives_taken(scene, before)
    if taken:
        return {"unit": unit, "holds": taken[0]}
    for one, act in zip(scene.taken, deed.plan.acts, strict=True):
        if act in TOLD_BY_ANSWER and one.words:
            return {"unit": unit, "answer": {one.key: one.words[-1]}}
    return None


def _acting(scene: Scene) -> str:
    """The unit that the activation is about, by its id."""
    known = {simple(unit.id): unit.id for unit in scene.state.units}
    for one in scene.taken:
        if one.key in UNIT_DECISIONS:
            called = (simple(one.unit),) if one.unit else (*one.words, *one.parts)
            return next((known[name] for name in called if name in known), "")
    return ""


def _objectives_taken(scene: Scene, before: Game) -> list[str]:
    held = {goal.name for goal in before.rules.field.objectives(before.state) if goal.holder == scene.side}
    now = scene.rules.field.objectives(scene.state)
    return [goal.name for goal in now if goal.holder == scene.side and goal.name not in held]


def themes(deed: Deed, expect: dict[str, Any]) -> list[str]:
    """What kind of puzzle it is: the kinds of acts of the solution, and whether it takes an objective."""
    acts = [act for act in ACTS if act in deed.plan.acts and act not in ("activate", "choose", "pass", "lose")]
    if "target" in expect and not {"attack", "assault"} & set(acts):
        acts.insert(0, "attack")
    return [*acts, *([OBJECTIVE] if "holds" in expect else [])] or ["choose"]


def _meets(scene: Scene, expect: dict[str, Any]) -> bool:
    try:
        return holds(scene, expect)
    except BadCondition:
        return False


def _rules(scene: Scene) -> list[str]:
    """The rules that the solution goes by, the first few."""
    return list(dict.fromkeys(event.rule for event in scene.happened if event.rule))[:MOST_RULES]


__all__ = ["Mined", "Mining", "mine"]
