"""Play the leagues of docs/opponents.md, and write its tables from docs/opponents.json and the games' value.json.

    python tools/opponents_page.py                                       # the tables only
    python tools/opponents_page.py play FOLDER [-m MINUTES] [-w WORKERS] [-r RULESET] [-p marshal,ace]

`play` goes through the leagues in turn, keeps every game in a file of FOLDER and stops when the minutes are over; the same
command goes on where it stopped. Results count for the players as they are: after a change of players take a new folder
and a new SEED. Leagues that are not finished stand in the tables with the battles that were fought both ways so far.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from dieselfront import rulebook, rulesets
from dieselfront.lab.crew import Crew
from dieselfront.lab.league import Met, Pair, meet_task, pair_of
from dieselfront.lab.simulate import Matches, line_up, version_of
from dieselfront.players.learned import FILE, ValueModel

DOCS = Path(__file__).parent.parent / "docs"
PAGE, RESULTS = DOCS / "opponents.md", DOCS / "opponents.json"
SEED = "91"
"""Fresh when these leagues were played: no level was chosen by it."""
MUCH_PLAYED = ("dust1947", "konflikt47")
ORDER = ("dust1947", "konflikt47", "freeform1947", "battlefield", "warfare")
PLAYERS = ("marshal", "ace", "veteran", "regular", "random")
AT_ONCE = 8
"""So many games a worker are played between two looks at the clock."""


class Seeded(Pair, frozen=True, kw_only=True):
    """A pair and the seed of its battles."""

    seed: str


class League(msgspec.Struct):
    """What was played of one game."""

    ruleset: str
    pairs: list[Seeded]


class Leagues(msgspec.Struct):
    """The file of results."""

    leagues: list[League]


class Wanted(NamedTuple):
    """Two neighbours in one game, and how many games they play."""

    ruleset: str
    first: str
    second: str
    games: int

    @property
    def file(self) -> str:
        return f"{self.ruleset}-{self.first}-{self.second}.results"


def wanted() -> Iterator[Wanted]:
    """All leagues, the most important first."""
    for first, second in pairwise(PLAYERS):
        for ruleset in ORDER:
            few = first == "marshal" and ruleset not in MUCH_PLAYED
            yield Wanted(ruleset, first, second, 40 if few else 100)


# -- playing --------------------------------------------------------------------------------------


def play(folder: Path, minutes: float, workers: int, chosen: Iterable[Wanted]) -> None:
    """Play on until the minutes are over, and write the tables after every league."""
    folder.mkdir(parents=True, exist_ok=True)
    stop = time.monotonic() + 60 * minutes
    for one in chosen:
        met = played(one, folder, stop, workers)
        met = met[: len(met) // 2 * 2]
        if met:
            pair = pair_of((one.first, one.second), met, timed=True)
            print(f"{one.ruleset}: {one.first} – {one.second} {pair.won}–{pair.drawn}–{pair.lost}", flush=True)
            keep(one.ruleset, Seeded(**msgspec.structs.asdict(pair), seed=SEED))
            write_tables()


def played(one: Wanted, folder: Path, stop: float, workers: int) -> list[Met]:
    """The games of a league from the first on, as far as time allows."""
    if time.monotonic() > stop:
        return []
    matches = Matches(one.ruleset, games=1, seed=SEED, players=(one.first, one.second), swap=True)
    line_up(matches, 0)  # what the first game loads, forked processes need not load again
    met: list[Met] = []
    with Crew(workers, resume=folder / one.file) as crew:
        while len(met) < one.games and time.monotonic() < stop:
            some = range(len(met), min(one.games, len(met) + AT_ONCE * workers))
            met += crew.run(meet_task, [(matches, number) for number in some], Met, version_of(one.ruleset))
    return met


# -- the file of results --------------------------------------------------------------------------


def results() -> Leagues:
    """What was played so far."""
    return msgspec.json.decode(RESULTS.read_bytes(), type=Leagues)


def keep(ruleset: str, pair: Seeded) -> None:
    """Put a league in place of the one between the same players, in the order of the levels."""
    kept = results()
    league = next((one for one in kept.leagues if one.ruleset == ruleset), None)
    if league is None:
        league = League(ruleset, [])
        kept.leagues.append(league)
    league.pairs = [one for one in league.pairs if (one.first, one.second) != (pair.first, pair.second)] + [pair]
    league.pairs.sort(key=lambda one: PLAYERS.index(one.first))
    kept.leagues.sort(key=lambda one: ORDER.index(one.ruleset))
    RESULTS.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")


# -- the tables -----------------------------------------------------------------------------------


def write_tables() -> None:
    """Write the page's tables between their markers."""
    page = PAGE.read_text(encoding="utf-8")
    leagues = results().leagues
    for name, lines in (
        ("leagues", league_lines(leagues)), ("thinking", thinking_lines(leagues)), ("models", model_lines(models())),
    ):  # fmt: skip
        page = between(page, name, lines)
    PAGE.write_text(page, encoding="utf-8")


def between(page: str, name: str, lines: Iterable[str]) -> str:
    """A page with other lines between two markers."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, _, rest = page.partition(begin)
    _, marker, after = rest.partition(end)
    if not marker:
        raise SystemExit(f"{PAGE} has no markers for {name}.")
    return before + begin + "".join(f"{line}\n" for line in lines) + end + after


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    names = list(head)
    for row in (names, ["---"] * len(names), *rows):
        yield f"| {' | '.join(map(str, row))} |"


def league_lines(leagues: Iterable[League]) -> Iterator[str]:
    """One table of all games."""
    head = ("game", "players", "seed", "games", "won", "drawn", "lost", "share won", "95 % interval")
    return table(head, (league_row(league.ruleset, one) for league in leagues for one in league.pairs))


def league_row(ruleset: str, one: Seeded) -> tuple[object, ...]:
    share, interval = f"{one.share:.1%}", f"{one.low:.1%} – {one.high:.1%}"
    players = f"{one.first} – {one.second}"
    return name_of(ruleset), players, one.seed, one.games, one.won, one.drawn, one.lost, share, interval


def thinking_lines(leagues: Iterable[League]) -> Iterator[str]:
    """How long levels thought in these leagues: median and longest."""
    rows: list[tuple[object, ...]] = []
    for league in leagues:
        for one in league.pairs:
            for player, thinking in zip((one.first, one.second), one.thinking, strict=False):
                if thinking.choices:
                    against = one.second if player == one.first else one.first
                    times = f"{thinking.median:.2f}", f"{thinking.longest:.2f}"
                    rows.append((name_of(league.ruleset), player, against, thinking.choices, *times))
    return table(("game", "player", "against", "choices", "median", "longest"), rows)


def models() -> Iterator[tuple[str, ValueModel, int]]:
    """The learned worth that games ship: the game, the model and its size in bytes."""
    for ruleset in ORDER:
        file = rulebook.folders()[ruleset] / "adviser" / FILE
        if file.is_file():
            yield ruleset, msgspec.json.decode(file.read_bytes(), type=ValueModel), file.stat().st_size


def model_lines(shipped: Iterable[tuple[str, ValueModel, int]]) -> Iterator[str]:
    """How well the models tell battles left out, and their calibration."""
    kept = list(shipped)
    yield "Log loss on battles left out (both games of a battle together, a fifth of them at a time), and how far chance and share won lie"
    yield "apart on average:"
    yield ""
    head = ("game", "games", "positions", "learned", "hand-made worth", "a coin", "calibration", "growth", "size")
    rows = []
    for ruleset, model, size in kept:
        seen = model.measured
        losses = f"{seen.loss:.3f}", f"{seen.hand_made_loss:.3f}", f"{seen.coin_loss:.3f}"
        about = f"{seen.calibration_error:.1%}".replace("%", " %"), model.made["growth"], f"{size / 1000:.0f} kB"
        rows.append((name_of(ruleset), seen.games, seen.positions, *losses, *about))
    yield from table(head, rows)
    yield ""
    yield "Calibration on the same positions: the share won (and the number of positions) by tenths of the learned chance."
    yield ""
    columns = [{int(one.chance * 10): one for one in model.measured.calibration} for _, model, _ in kept]
    cells = (
        [f"{10 * tenth}–{10 * tenth + 10} %"]
        + [
            f"{column[tenth].won:.0%} ({column[tenth].positions})".replace("%", " %") if tenth in column else ""
            for column in columns
        ]
        for tenth in range(10)
    )
    yield from table(("chance", *(name_of(ruleset) for ruleset, _, _ in kept)), cells)


def name_of(ruleset: str) -> str:
    return rulesets.load(ruleset).name


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command")
    playing = commands.add_parser("play", help="play the leagues")
    playing.add_argument("folder", type=Path)
    playing.add_argument("-m", "--minutes", type=float, default=6.0)
    playing.add_argument("-w", "--workers", type=int, default=1)
    playing.add_argument("-r", "--ruleset", default="")
    playing.add_argument("-p", "--players", default="", help="two neighbours with a comma between them")
    given = parser.parse_args()
    if given.command == "play":
        chosen = [
            one
            for one in wanted()
            if given.ruleset in ("", one.ruleset) and given.players in ("", f"{one.first},{one.second}")
        ]
        play(given.folder, given.minutes, given.workers, chosen)
    write_tables()


if __name__ == "__main__":
    main()
