"""Balance: armies × scenarios × sides in the hands of equal players, and what each unit adds, all with 95 % intervals.

>>> from dieselfront.lab.balance import Balance, measure
>>> measure(Balance("dust1947", player="random", games=2, scenarios=("crossroads",), unit_games=0)).games
2

Two series are played. In the first every two armies meet in every scenario on both sides: shares of decided games, with
Wilson's interval. In the second, random legal armies meet: a logistic regression (attribution.py) tells what a share of
an army's points is worth in each card, beyond what the same points bring elsewhere.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.forces.muster import muster
from dieselfront.kernel.record import digest
from dieselfront.lab.attribution import UnitWorth, attribution
from dieselfront.lab.crew import Crew, crew_of
from dieselfront.lab.league import wilson
from dieselfront.lab.simulate import SIDES, SimulationError, version_of
from dieselfront.players import adviser_of, make, weights
from dieselfront.scenarios import battle, library

FAIR = (0.45, 0.55)
"""Between equal players everything should end inside this share."""
EVEN, LOPSIDED, UNSURE = "even", "lopsided", "unsure"
MOST_DECISIONS = 200_000


class Balance(msgspec.Struct, frozen=True):
    """What is measured. `games` are per scenario and pair of armies, half of them with sides changed."""

    ruleset: str
    player: str = "veteran"
    games: int = 4
    unit_games: int = 200
    """Games between random armies, for what units add; 0 leaves that out."""
    seed: str = "1"
    scenarios: tuple[str, ...] = ()
    armies: tuple[str, ...] = ()


class Task(msgspec.Struct, frozen=True):
    """One game, as it goes to a worker."""

    ruleset: str
    player: str
    scenario: str
    armies: tuple[str, str]
    seed: str


class Fought(msgspec.Struct, frozen=True):
    """One game: who won, who acted first, and what the armies were made of (points by card)."""

    scenario: str
    armies: tuple[str, str]
    winner: int | None
    first: int
    digest: str
    units: tuple[dict[str, int], dict[str, int]]


class Share(msgspec.Struct, frozen=True):
    """How often something won: games, won, drawn, the share of decided games with its interval, and the verdict."""

    name: str
    games: int
    won: int
    drawn: int
    share: float
    low: float
    high: float
    verdict: str


class Cell(msgspec.Struct, frozen=True):
    """One army on one side of one scenario."""

    scenario: str
    army: str
    side: int
    won: Share


class Report(msgspec.Struct):
    """The whole result. Shares of scenarios are the first side's."""

    ruleset: str
    version: str
    player: str
    seed: str
    games: int
    unit_games: int
    scenarios: list[Share]
    first_player: Share
    armies: list[Share]
    pairs: list[Share]
    cells: list[Cell]
    units: list[UnitWorth]
    warnings: list[str]
    digest: str


def games_of(wanted: Balance) -> int:
    """How many games a measurement plays."""
    return len(_meetings(wanted)) + wanted.unit_games


def measure(wanted: Balance, workers: int | Crew = 1, progress: Callable[[Any], None] | None = None) -> Report:
    """Play both series and add them up."""
    make(wanted.player, "", wanted.ruleset)
    version = version_of(wanted.ruleset)
    with crew_of(workers, progress) as crew:
        met = list(crew.run(fight, _meetings(wanted), Fought, version))
        drawn = list(crew.run(fight, _random_meetings(wanted), Fought, version))
    return added_up(wanted, met, drawn)


def _meetings(wanted: Balance) -> list[Task]:
    if wanted.games < 2 or wanted.games % 2:
        raise SimulationError(
            f"Every battle is fought on both sides: an even number of games is needed, not {wanted.games}."
        )
    rulesets.load(wanted.ruleset)
    armies = wanted.armies or battle.starters(wanted.ruleset)
    if len(armies) < 2:
        raise SimulationError(f"Balance needs two armies or more; {wanted.ruleset} has {len(armies)} starter lists.")
    return [
        Task(wanted.ruleset, wanted.player, scenario, pair if number % 2 == 0 else (pair[1], pair[0]), seed)
        for scenario in wanted.scenarios or library.names(wanted.ruleset)
        for pair in combinations(armies, 2)
        for number in range(wanted.games)
        for seed in (f"balance/{wanted.seed}/{scenario}/{pair[0]}/{pair[1]}/{number}",)
    ]


def _random_meetings(wanted: Balance) -> list[Task]:
    scenarios = wanted.scenarios or library.names(wanted.ruleset)
    tasks = []
    for number in range(wanted.unit_games):
        seed = f"balance/{wanted.seed}/units/{number}"
        blue, red = (f"random:{int(_hash(f'{seed}/{side}')[:7], 16)}" for side in SIDES)
        tasks.append(Task(wanted.ruleset, wanted.player, scenarios[number % len(scenarios)], (blue, red), seed))
    return tasks


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def fight(task: Task) -> Fought:
    """One game between equal players."""
    lists = [battle.army(name, task.ruleset) for name in task.armies]
    dice = _hash(f"{task.ruleset}/{task.seed}")[:32]
    game = battle.start(battle.header(task.ruleset, task.scenario, lists, seed=dice), dice, keep_history=False)
    players = [make(task.player, f"{dice}/{side}", task.ruleset) for side in (0, 1)]
    adviser = adviser_of(task.ruleset, weights(task.ruleset))
    first: int | None = None
    while (decision := game.pending) is not None:
        if first is None and (adviser.begins(decision) or adviser.opens(decision)):
            first = decision.player
        game.choose_trusted(players[decision.player].choose(game))
        if len(game.choices) > MOST_DECISIONS:
            raise SimulationError(f"A game did not end after {MOST_DECISIONS} decisions.")
    blue, red = (_made_of(listed) for listed in lists)
    return Fought(task.scenario, task.armies, game.winner, first or 0, digest(game), (blue, red))


def _made_of(army: Any) -> dict[str, int]:
    """The points of an army by card."""
    points: Counter[str] = Counter()
    for one in muster(army):
        points[one.unit.card] += one.points
    return dict(points)


# -- adding up ------------------------------------------------------------------------------------------------


def share_of(name: str, results: Iterable[float | None]) -> Share:
    """The share won of decided games (1 won, 0 lost, None drawn), with its interval and what to think of it."""
    listed = list(results)
    decided = [one for one in listed if one is not None]
    won = int(sum(decided))
    low, high = wilson(won, len(decided))
    share = won / len(decided) if decided else 0.5
    verdict = LOPSIDED if low > FAIR[1] or high < FAIR[0] else EVEN if FAIR[0] <= share <= FAIR[1] else UNSURE
    drawn = len(listed) - len(decided)
    return Share(name, len(listed), won, drawn, round(share, 4), round(low, 4), round(high, 4), verdict)


def added_up(wanted: Balance, met: Sequence[Fought], drawn: Sequence[Fought]) -> Report:
    """All tables from the games of both series."""
    everything = [*met, *drawn]
    scenarios = [
        share_of(name, (_won(game, 0) for game in everything if game.scenario == name))
        for name in dict.fromkeys(game.scenario for game in everything)
    ]
    first = share_of("whoever acts first", (_won(game, game.first) for game in everything))
    names = sorted({name for game in met for name in game.armies})
    armies = [
        share_of(name, (_won(game, game.armies.index(name)) for game in met if name in game.armies)) for name in names
    ]
    pairs = [
        share_of(f"{one} – {other}", (_won(g, g.armies.index(one)) for g in met if set(g.armies) == {one, other}))
        for one, other in combinations(names, 2)
    ]
    units = attribution(drawn, rulesets.load(wanted.ruleset).usual_points) if drawn else []
    return Report(
        wanted.ruleset,
        rulesets.load(wanted.ruleset).version,
        wanted.player,
        wanted.seed,
        len(met),
        len(drawn),
        scenarios,
        first,
        armies,
        [pair for pair in pairs if pair.games],
        _cells(met),
        units,
        _warnings(wanted.ruleset, scenarios, first, armies, pairs),
        _hash("".join(game.digest for game in everything)),
    )


def _cells(met: Sequence[Fought]) -> list[Cell]:
    """Every army on every side of every scenario it fought in."""
    seen = dict.fromkeys((game.scenario, game.armies[side], side) for game in met for side in (0, 1))
    return [
        Cell(
            scenario,
            army,
            side,
            share_of(
                f"{army} as {SIDES[side]} in {scenario}",
                (_won(game, side) for game in met if (game.scenario, game.armies[side]) == (scenario, army)),
            ),
        )
        for scenario, army, side in sorted(seen)
    ]


def _won(game: Fought, side: int) -> float | None:
    return None if game.winner is None else float(game.winner == side)


def _warnings(
    ruleset: str, scenarios: Sequence[Share], first: Share, armies: Sequence[Share], pairs: Sequence[Share]
) -> list[str]:
    """A sentence for everything whose whole interval lies outside of 45 to 55 %."""
    blue = rulesets.load(ruleset).sides[0]
    claims = [(f"Scenario {one.name}: {blue} wins", one) for one in scenarios]
    claims.append(("Whoever acts first wins", first))
    claims += [(f"Army {one.name} wins", one) for one in armies]
    claims += [(f"{one.name}: the first wins", one) for one in pairs]
    return [
        f"{what} {one.share:.0%} of {one.games - one.drawn} decided games ({one.low:.0%} to {one.high:.0%})."
        for what, one in claims
        if one.verdict == LOPSIDED
    ]


__all__ = ["Balance", "Cell", "Fought", "Report", "Share", "added_up", "games_of", "measure", "share_of"]
