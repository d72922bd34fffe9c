"""A training recipe that needs NumPy only: a linear softmax policy over the options, learned by policy gradient.

Every option of a decision is described by a row of numbers; the policy gives each row a score, and the softmax of the
scores says how likely it is taken. Masked actions have no row, so they are never taken and never learned from. After
each battle the rows of what was chosen move up or down with the result (REINFORCE with a baseline, Adam steps).

    python -m dieselfront.gym.recipe --name dust1947 --stage duel --output policy.json --picture curve.svg

docs/training.md goes through it step by step.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Annotated, Any

import msgspec
import numpy as np
import typer
from numpy.typing import NDArray

from dieselfront.gym.curriculum import stage as stage_of
from dieselfront.gym.environment import Observation
from dieselfront.gym.features import BATTLE_COLUMNS, OPTION_COLUMNS
from dieselfront.gym.single import SoloEnv
from dieselfront.lab.crew import Crew, crew_of
from dieselfront.lab.league import wilson

Floats = NDArray[np.float64]

OPTION = {name: number for number, name in enumerate(OPTION_COLUMNS)}
BATTLE = {name: number for number, name in enumerate(BATTLE_COLUMNS)}
EXTRA = (
    "enemy_target", "own_target", "weak_target", "all_at_enemy", "first", "last",
    "deploy_near_enemy", "deploy_near_objective", "late_near_enemy", "late_near_objective", "holding_near_objective",
)  # fmt: skip
"""Columns that the recipe adds: who is the target, how little is left of it, the place in the list; and how much more
nearness counts when units are set up, late in the battle, and when the agent holds more objectives than the enemy."""
WIDTH = len(OPTION_COLUMNS) + len(EXTRA)

SHARES = 4
"""A batch is played in so many tasks, however many workers there are; so the result is the same for any number."""
STEP, KEEP, KEEP_SQUARES = 0.15, 0.9, 0.99
TEMPERED = 0.01
"""How strongly weights are pulled back to zero, so that the policy goes on trying things."""


class Recipe(msgspec.Struct, frozen=True):
    """What is trained: a stage of a game against a computer level, batch after batch."""

    name: str
    stage: str = "duel"
    opponent: str = "random"
    batches: int = 120
    games: int = 64
    """Battles a batch."""
    proof: int = 200
    """Battles on fresh seeds when training is over."""
    seed: int = 1


class Trained(msgspec.Struct):
    """What came out: the weights, the share won in every batch, and the proof with its 95 % interval."""

    recipe: Recipe
    columns: list[str]
    weights: list[float]
    curve: list[float]
    won: int
    drawn: int
    proof: int
    low: float
    high: float
    cpu_seconds: float


class Task(msgspec.Struct, frozen=True):
    """Some battles, as they go to a worker. Greedy play takes the best option always."""

    name: str
    stage: str
    opponent: str
    weights: list[float]
    seeds: list[int]
    greedy: bool


class Battles(msgspec.Struct, frozen=True):
    """What some battles came to: results, and for each the sum of what its choices had beyond the average option."""

    results: list[float]
    pushes: list[list[float]]
    cpu_seconds: float


# -- the policy ---------------------------------------------------------------------------------------------------


def rows(observation: Observation) -> Floats:
    """A row for every legal option: the environment's own columns and a few more."""
    count = int(observation["action_mask"].sum())
    options = observation["options"][:count].astype(np.float64)
    extra = np.zeros((count, len(EXTRA)))
    has_target, own = options[:, OPTION["has_target"]], options[:, OPTION["target_own"]]
    extra[:, 0], extra[:, 1] = has_target * (1.0 - own), has_target * own
    extra[:, 2] = extra[:, 0] * (1.0 - options[:, OPTION["target_share"]])
    extra[:, 3] = extra[:, 0] * options[:, OPTION["assigned"]]
    extra[0, 4] = extra[-1, 5] = 1.0
    near = options[:, [OPTION["near_enemy"], OPTION["near_objective"]]]
    battle = observation["battle"]
    extra[:, 6:8] = near * options[:, [OPTION["act_deploy"]]]
    extra[:, 8:10] = near * battle[BATTLE["turn"]]
    extra[:, 10] = near[:, 1] * (battle[BATTLE["own_objectives"]] - battle[BATTLE["enemy_objectives"]])
    return np.hstack([options, extra])


def chances(weights: Floats, described: Floats) -> Floats:
    """How likely each option is taken."""
    scores = described @ weights
    powers = np.exp(scores - scores.max())
    likely: Floats = powers / powers.sum()
    return likely


def choose(weights: Floats, observation: Observation, chance: Random | None) -> tuple[int, Floats]:
    """An option, and what its row has beyond the average; without chance the best one."""
    described = rows(observation)
    likely = chances(weights, described)
    if chance is None:
        return int(likely.argmax()), np.zeros(WIDTH)
    action = int(np.searchsorted(likely.cumsum(), chance.random() * likely.sum()))
    action = min(action, len(likely) - 1)
    return action, described[action] - likely @ described


# -- playing ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _environment(name: str, stage: str, opponent: str) -> SoloEnv:
    return SoloEnv(name, opponent=opponent, side=None, **stage_of(name, stage).parameters)


def play_task(task: Task) -> Battles:
    """Some battles with the same weights."""
    environment = _environment(task.name, task.stage, task.opponent)
    weights = np.array(task.weights)
    started = time.process_time()
    played = [_battle(environment, weights, seed, task.greedy) for seed in task.seeds]
    spent = time.process_time() - started
    return Battles([result for result, _ in played], [push.tolist() for _, push in played], spent)


def _battle(environment: SoloEnv, weights: Floats, seed: int, greedy: bool) -> tuple[float, Floats]:
    observation, _ = environment.reset(seed=seed)
    chance = None if greedy else Random(f"recipe/{seed}")
    push = np.zeros(WIDTH)
    done, reward = environment.over, 0.0
    while not done:
        action, beyond = choose(weights, observation, chance)
        push += beyond
        observation, reward, terminated, truncated, _ = environment.step(action)
        done = terminated or truncated
    return float(reward), push


def play(recipe: Recipe, weights: Floats, seeds: Sequence[int], greedy: bool, crew: Crew) -> Battles:
    """Battles of these seeds, shared among the workers."""
    tasks = [
        Task(recipe.name, recipe.stage, recipe.opponent, weights.tolist(), list(seeds[start::SHARES]), greedy)
        for start in range(min(SHARES, len(seeds)))
    ]
    played = list(crew.run(play_task, tasks, Battles))
    return Battles(
        [result for share in played for result in share.results],
        [push for share in played for push in share.pushes],
        sum(share.cpu_seconds for share in played),
    )


# -- learning -----------------------------------------------------------------------------------------------------


def train(recipe: Recipe, workers: int | Crew = 1, progress: Callable[[int, float], None] | None = None) -> Trained:
    """Learn batch by batch, then prove the mean of the last third of the weights on fresh seeds."""
    weights, speed, squares = np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH)
    average = np.zeros(WIDTH)
    curve: list[float] = []
    spent, baseline = 0.0, 0.0
    seeds = Random(f"recipe/{recipe.seed}")
    with crew_of(workers) as crew:
        for number in range(1, recipe.batches + 1):
            played = play(recipe, weights, [seeds.randrange(2**30) for _ in range(recipe.games)], False, crew)
            results = np.array(played.results)
            push = ((results - baseline)[:, None] * np.array(played.pushes)).mean(axis=0) - TEMPERED * weights
            baseline = 0.8 * baseline + 0.2 * float(results.mean())
            speed = KEEP * speed + (1 - KEEP) * push
            squares = KEEP_SQUARES * squares + (1 - KEEP_SQUARES) * push**2
            size = np.sqrt(squares / (1 - KEEP_SQUARES**number)) + 1e-8
            weights = weights + STEP * (speed / (1 - KEEP**number)) / size
            settled = number - recipe.batches * 2 // 3  # weights swing; the mean of the last third does not
            average = weights if settled <= 1 else average + (weights - average) / settled
            curve.append(round(float((results > 0).mean()), 4))
            spent += played.cpu_seconds
            if progress is not None:
                progress(number, curve[-1])
        fresh = [2**30 + seeds.randrange(2**30) for _ in range(recipe.proof)]
        proof = play(recipe, average, fresh, True, crew)
    won, drawn = sum(r > 0 for r in proof.results), sum(r == 0 for r in proof.results)
    low, high = wilson(won, recipe.proof)
    columns = [*OPTION_COLUMNS, *EXTRA]
    learned = [round(float(weight), 5) for weight in average]
    spent = round(spent + proof.cpu_seconds, 1)
    return Trained(recipe, columns, learned, curve, won, drawn, recipe.proof, round(low, 4), round(high, 4), spent)


def picture(trained: Trained) -> str:
    """The share won in every batch, as an SVG picture."""
    width, height, left, bottom = 640, 300, 48, 264
    span = max(1, len(trained.curve) - 1)
    points = [
        (left + (width - left - 16) * n / span, bottom - (bottom - 20) * share) for n, share in enumerate(trained.curve)
    ]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-size="13" '
        'font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#f3ecdb"/>',
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = bottom - (bottom - 20) * share
        parts.append(f'<line x1="{left}" x2="{width - 16}" y1="{y:.1f}" y2="{y:.1f}" stroke="#c3b695"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#272318">{share:.0%}</text>')
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#b3340f" stroke-width="2.5"/>')
    recipe = trained.recipe
    words = (
        f"{recipe.name}, {recipe.stage}: share of battles won against {recipe.opponent}, "
        f"by batches of {recipe.games} battles"
    )
    parts.append(f'<text x="{left}" y="{height - 12}" fill="#272318">{words}</text></svg>')
    return "\n".join(parts) + "\n"


def main(
    name: Annotated[str, typer.Option(help="The game.")],
    stage: Annotated[str, typer.Option(help="The stage of its curriculum.")] = "duel",
    opponent: Annotated[str, typer.Option(help="The computer level that is fought.")] = "random",
    batches: Annotated[int, typer.Option(min=1, help="Batches of battles.")] = 120,
    games: Annotated[int, typer.Option(min=2, help="Battles a batch.")] = 64,
    proof: Annotated[int, typer.Option(min=1, help="Battles on fresh seeds at the end.")] = 200,
    seed: Annotated[int, typer.Option(help="The same seed learns the same.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="Processes that play at once.")] = 1,
    output: Annotated[Path | None, typer.Option(help="Write what was learned into this JSON file.")] = None,
    picture_file: Annotated[Path | None, typer.Option("--picture", help="Draw the curve into this SVG file.")] = None,
) -> None:
    """Train a linear policy and tell how often it wins."""
    recipe = Recipe(name, stage, opponent, batches, games, proof, seed)
    trained = train(recipe, workers, lambda number, share: print(f"batch {number}: {share:.0%} won", flush=True))
    print(f"{trained.won} of {trained.proof} won, {trained.drawn} drawn ({trained.low:.1%} to {trained.high:.1%})")
    print(f"{trained.cpu_seconds:.0f} s of processor time")
    if output is not None:
        output.write_bytes(msgspec.json.format(msgspec.json.encode(trained)))
    if picture_file is not None:
        picture_file.write_text(picture(trained), encoding="utf-8")


def values(trained: Trained) -> dict[str, Any]:
    """The weights by their columns."""
    return dict(zip(trained.columns, trained.weights, strict=True))


if __name__ == "__main__":
    typer.run(main)
