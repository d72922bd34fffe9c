"""The blunder suite: positions with an obviously right answer, and how often a computer player finds it.

Every position is a referee file (docs/referee.md) that also says whose decision it is, what is right and why; see
docs/blunders.md. The player plays one activation, or answers the one decision that a short script leads to.

>>> from dieselfront.lab import blunders
>>> blunders.measure("dust1947", "random", seeds=1, only=["finish-the-walker"]).positions[0].tries
1
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.dice.rollers import FairDice
from dieselfront.dice.throw import Dice
from dieselfront.kernel.decisions import Answer, Decision, IllegalChoice, PickOne
from dieselfront.kernel.game import Game
from dieselfront.lab.blunder_words import BadCondition, Scene, Taken, holds
from dieselfront.lab.moments import Moment, reached
from dieselfront.lab.simulate import SimulationError
from dieselfront.players import make
from dieselfront.referee import choices
from dieselfront.referee.choices import Unclear, simple
from dieselfront.referee.contract import adaptor_for
from dieselfront.referee.document import read
from dieselfront.referee.errors import suggestion
from dieselfront.referee.measured_positions import length_unit
from dieselfront.referee.runner import COMMON_KEYS
from dieselfront.scenarios.battle import checked_options

OWN_KEYS = ("side", "why", "rules", "special", "expect", "solution", "replies", "battle", "puzzle")
NEEDED = ("ruleset", "title", "why", "rules", "expect", "solution")
NEEDED_ELSEWHERE = ("ruleset", "expect")
"""What a position in somebody's own folder has to say; the suite's say everything."""
SIDES = ("blue", "red")
FRESH = "fresh"
"""The folder of positions that no player has been improved with."""
MOST_CHOICES = 200
ORDER_CUP = "order cup"


class BlunderError(SimulationError):
    """A position that cannot be used; one sentence says why."""


class Blunder(msgspec.Struct, frozen=True):
    """One position: `expect` is what is right, `solution` choices that do it, `replies` what the enemy answers."""

    id: str
    ruleset: str
    title: str
    why: str
    rules: list[str]
    special: bool
    side: int
    expect: Any
    solution: list[dict[str, Any]]
    script: list[dict[str, Any]]
    replies: dict[str, Any]
    lengths: str
    data: bytes
    battle: Moment | None = None
    """The battle that led to the position, where no table is told."""


class Try(msgspec.Struct, frozen=True):
    """One attempt of a player: was it right, and what did it do?"""

    right: bool
    did: list[str]
    seconds: float


class Result(msgspec.Struct, frozen=True):
    """What a player made of one position; `found` if most of its tries were right."""

    id: str
    title: str
    special: bool
    found: bool
    right: int
    tries: int
    seconds: float
    did: list[str]
    why: str
    rules: list[str]


class Report(msgspec.Struct, frozen=True):
    """What a player made of the suite."""

    ruleset: str
    player: str
    found: int
    total: int
    share: float
    special_found: int
    special_total: int
    positions: list[Result]


# -- the positions --------------------------------------------------------------------------------------------


ADVICE = {False: "add --fresh", True: "leave --fresh out"}


def load(ruleset: str, fresh: bool = False) -> list[Blunder]:
    """All positions of a ruleset, by name: those of the suite, or the fresh ones."""
    suite = _folder(ruleset, fresh)
    if not suite:
        other = f"; {ADVICE[fresh]}" if _folder(ruleset, not fresh) else ""
        raise BlunderError(
            f"There are no {'fresh ' if fresh else ''}positions for {ruleset} in the blunder suite{other}."
        )
    return suite


def _folder(ruleset: str, fresh: bool) -> list[Blunder]:
    """The positions in one folder of the suite; none, if there is no such folder."""
    folder = files("dieselfront.lab").joinpath("blunders", *([FRESH] if fresh else []), ruleset)
    if not folder.is_dir():
        return []
    paths = sorted((one for one in folder.iterdir() if one.name.endswith(".yaml")), key=lambda one: one.name)
    return [read_blunder(one.read_bytes(), one.name.removesuffix(".yaml")) for one in paths]


def chosen(ruleset: str, only: Iterable[str] = (), fresh: bool = False) -> list[Blunder]:
    """All positions of a ruleset, or those named."""
    suite = {one.id: one for one in load(ruleset, fresh)}
    wanted = list(only)
    for id in wanted:
        if id not in suite:
            if any(one.id == id for one in _folder(ruleset, not fresh)):
                raise BlunderError(
                    f"The position '{id}' is {'not' if fresh else 'one'} of the fresh ones: {ADVICE[fresh]}."
                )
            raise BlunderError(f"There is no position '{id}' for {ruleset}{suggestion(id, suite)}")
    return [suite[id] for id in wanted] if wanted else list(suite.values())


def in_folder(folder: Path, ruleset: str = "", only: Iterable[str] = ()) -> list[Blunder]:
    """The positions in somebody's own folder and below it, of one game or of all; each is called after its file."""
    if not folder.is_dir():
        raise BlunderError(f"There is no folder {folder}.")
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".yaml", ".yml", ".json"))
    positions = [
        read_blunder(path.read_bytes(), path.relative_to(folder).with_suffix("").as_posix(), NEEDED_ELSEWHERE)
        for path in paths
    ]
    named = {one.id: one for one in positions if ruleset in ("", one.ruleset)}
    if not named:
        raise BlunderError(f"There is no position{f' of {ruleset}' if ruleset else ''} in {folder}.")
    wanted = list(only)
    if unknown := next((id for id in wanted if id not in named), None):
        raise BlunderError(f"There is no position '{unknown}' in {folder}{suggestion(unknown, named)}")
    return [named[id] for id in wanted] if wanted else list(named.values())


def read_blunder(data: bytes, id: str, needed: Sequence[str] = NEEDED) -> Blunder:
    """A position from its file; its table is checked when it is set up."""
    top = read(data, f"{id}.yaml").table()
    for key in needed:
        if key not in top:
            raise BlunderError(f"{id}: '{key}' is missing.")
    plain = {key: entry.plain() for key, entry in top.items() if key in (*OWN_KEYS, "title", "ruleset", "do")}
    side = plain.get("side", SIDES[0])
    if side not in SIDES:
        raise BlunderError(f"{id}: there is no side '{side}'{suggestion(str(side), SIDES)}")
    return Blunder(
        id=id,
        ruleset=plain["ruleset"],
        title=plain.get("title", id),
        why=plain.get("why", ""),
        rules=plain.get("rules", []),
        special=bool(plain.get("special", False)),
        side=SIDES.index(side),
        expect=plain["expect"],
        solution=plain.get("solution", []),
        script=plain.get("do", []),
        replies={simple(key): answer for key, answer in plain.get("replies", {}).items()},
        lengths=length_unit(top, rulesets.load(plain["ruleset"])),
        data=data,
        battle=_battle(plain["battle"], id) if "battle" in plain else None,
    )


def _battle(given: Any, id: str) -> Moment:
    try:
        return msgspec.convert(given, Moment)
    except msgspec.ValidationError as error:
        raise BlunderError(f"{id}: battle: {error}") from None


def position(blunder: Blunder) -> tuple[Any, Any]:
    """The rules and the state that the file describes."""
    root = read(blunder.data, f"{blunder.id}.yaml")
    adaptor = adaptor_for(blunder.ruleset)
    root.table((*COMMON_KEYS, *OWN_KEYS, *adaptor.keys))
    top = {key: entry for key, entry in root.table().items() if key not in OWN_KEYS}
    rules = rulesets.load(blunder.ruleset)
    options = top["options"].plain() if "options" in top else {}
    return rules, adaptor.position(rules, top, checked_options(rules, options))


class LoadedDice:
    """Faces that the position writes down, then fair dice; the first order die is of the side whose turn it is."""

    __slots__ = ("draw", "faces", "fair")

    def __init__(self, seed: str, draw: int | None) -> None:
        self.fair = FairDice(seed)
        self.faces: list[str] = []
        self.draw = draw

    def roll(self, question: Dice, number: int) -> tuple[int, ...]:
        if question.die.name == ORDER_CUP and self.draw is not None:
            drawn, self.draw = self.draw, None
            return (drawn,)
        if not self.faces:
            return self.fair.roll(question, number)
        taken, self.faces = self.faces[: question.count], self.faces[question.count :]
        if len(taken) < question.count:
            raise BlunderError(f"{question.label} needs {question.count} dice, the script has {len(taken)} left.")
        return tuple(question.die.face(face) for face in taken)


def start(blunder: Blunder, seed: str = "0") -> Game:
    """The game at the decision that is asked of the player."""
    if blunder.battle is not None:
        return reached(blunder.ruleset, blunder.battle).copy(dice=FairDice(seed))
    rules, state = position(blunder)
    script = [dict(step) for step in blunder.script]
    mover = 1 - blunder.side if script else blunder.side
    dice = LoadedDice(seed, mover)
    game = Game(rules, state, dice)
    for step in script:
        carry_out(blunder, game, dice, step)
    if dice.faces:
        raise BlunderError(f"{blunder.id}: scripted dice are left over: {', '.join(dice.faces)}.")
    if game.pending is None or game.pending.player != blunder.side:
        raise BlunderError(f"{blunder.id}: it is not the decision of {SIDES[blunder.side]} that the position leads to.")
    return game


def carry_out(blunder: Blunder, game: Game, dice: LoadedDice | None, step: dict[str, Any]) -> None:
    """One step of a script: a choice by its key, perhaps with the dice that follow from it."""
    own = dict(step)
    faces = [str(face) for face in own.pop("dice", [])]
    if len(own) != 1:
        raise BlunderError(f"{blunder.id}: a step is one choice and perhaps dice, not {', '.join(own)}.")
    ((key, wanted),) = own.items()
    if dice is not None:
        dice.faces += faces
    decision = game.pending
    if decision is None or simple(decision.key) != simple(key):
        waits = "nothing" if decision is None else f"'{decision.key}'"
        raise BlunderError(f"{blunder.id}: '{key}' cannot be answered, the game waits for {waits}.")
    game.choose(answer_in_words(blunder, game, decision, wanted))


class Reading:
    """What an adaptor asks of whoever reads words: the game's rules and state, and what bare numbers mean."""

    def __init__(self, game: Game, lengths: str) -> None:
        self.lengths = lengths
        self.rules, self.state, self.play = game.rules, game.state, game.play


def answer_in_words(blunder: Blunder, game: Game, decision: Decision, wanted: Any) -> Answer:
    """An answer written as in referee files."""
    adaptor = adaptor_for(blunder.ruleset)
    facing = adaptor.facing(game.state, decision.unit) if decision.unit else None
    try:
        meant = adaptor.words(Reading(game, blunder.lengths), decision, wanted)
        return decision.check(choices.read(decision, meant, facing))
    except (Unclear, IllegalChoice) as error:
        raise BlunderError(f"{blunder.id}: {decision.key}: {error}") from None


# -- playing them ---------------------------------------------------------------------------------------------


class Bystander:
    """The enemy while the player plays: what the position says, else nothing, else anything."""

    def __init__(self, blunder: Blunder, seed: str) -> None:
        self.blunder = blunder
        self.chance = Random(seed)

    def choose(self, game: Game) -> Answer:
        decision = game.pending
        assert decision is not None
        if simple(decision.key) in self.blunder.replies:
            return answer_in_words(self.blunder, game, decision, self.blunder.replies[simple(decision.key)])
        if isinstance(decision, PickOne) and None in decision.options:
            return None
        return decision.sample(self.chance)


class Solver:
    """Plays the solution that the position gives; what it does not speak of is answered by chance."""

    def __init__(self, blunder: Blunder, seed: str = "solution") -> None:
        self.blunder = blunder
        self.steps = [dict(step) for step in blunder.solution]
        self.chance = Random(seed)

    def choose(self, game: Game) -> Answer:
        decision = game.pending
        assert decision is not None
        for place, step in enumerate(self.steps):
            if simple(next(iter(step))) == simple(decision.key):
                del self.steps[: place + 1]
                wanted = step[next(iter(step))]
                if self.blunder.battle is not None:
                    return self._as_recorded(decision, wanted)
                return answer_in_words(self.blunder, game, decision, wanted)
        return decision.sample(self.chance)

    def _as_recorded(self, decision: Decision, wanted: Answer) -> Answer:
        """An answer as records keep it; where other dice leave it no room (losses), chance answers."""
        try:
            return decision.check(wanted)
        except IllegalChoice:
            return decision.sample(self.chance)


def play(blunder: Blunder, player: Any, seed: str = "0") -> Scene:
    """Let a player play to the next quiet moment; what can be seen then."""
    game = start(blunder, seed)
    try:
        return play_on(game, blunder.side, player, Bystander(blunder, seed), blunder.lengths)
    except BlunderError as error:
        raise BlunderError(f"{blunder.id}: {error}") from None


def play_on(game: Game, side: int, player: Any, enemy: Any, lengths: str) -> Scene:
    """Let a player play from where a game stands to the next quiet moment; what can be seen then."""
    began, events = len(game.choices), len(game.events)
    taken: list[Taken] = []
    while (decision := game.pending) is not None and game.settled <= began:
        if decision.player == side:
            answer = decision.check(player.choose(game))
            taken.append(Taken(decision, answer))
        else:
            answer = enemy.choose(game)
        game.choose(answer)
        if len(game.choices) - began > MOST_CHOICES:
            raise BlunderError(f"the activation does not end after {MOST_CHOICES} choices.")
    return Scene(game, side, taken, events, lengths)


def attempt(blunder: Blunder, level: str, seed: str) -> Try:
    """One try of a computer player."""
    began = time.perf_counter()
    scene = play(blunder, make(level, f"{blunder.id}/{seed}", blunder.ruleset), f"{blunder.id}/{seed}")
    seconds = time.perf_counter() - began
    return Try(judge(blunder, scene), [one.in_words() for one in scene.taken], round(seconds, 3))


def judge(blunder: Blunder, scene: Scene) -> bool:
    """Is what the player did right?"""
    try:
        return holds(scene, blunder.expect)
    except BadCondition as error:
        raise BlunderError(f"{blunder.id}: expect: {error}") from None


def result(blunder: Blunder, tries: Sequence[Try]) -> Result:
    """The verdict on several tries: the majority counts."""
    right = sum(one.right for one in tries)
    shown = next((one for one in tries if not one.right), tries[0])
    return Result(
        id=blunder.id,
        title=blunder.title,
        special=blunder.special,
        found=2 * right > len(tries),
        right=right,
        tries=len(tries),
        seconds=round(sum(one.seconds for one in tries) / len(tries), 3),
        did=shown.did,
        why=blunder.why,
        rules=blunder.rules,
    )


def measure(
    ruleset: str,
    level: str,
    seeds: int = 3,
    only: Iterable[str] = (),
    progress: Callable[[Result], None] | None = None,
    fresh: bool = False,
    positions: Sequence[Blunder] | None = None,
) -> Report:
    """Let a computer player try every position a few times: those of the suite, or those given."""
    results = []
    for blunder in chosen(ruleset, only, fresh) if positions is None else positions:
        one = result(blunder, [attempt(blunder, level, str(seed)) for seed in range(seeds)])
        results.append(one)
        if progress is not None:
            progress(one)
    special = [one for one in results if one.special]
    right = sum(one.found for one in results)
    return Report(
        ruleset=ruleset,
        player=level,
        found=right,
        total=len(results),
        share=round(right / max(1, len(results)), 3),
        special_found=sum(one.found for one in special),
        special_total=len(special),
        positions=results,
    )


__all__ = ["Blunder", "BlunderError", "Report", "Result", "chosen", "in_folder", "load", "measure", "play", "start"]
