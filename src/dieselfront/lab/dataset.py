"""Datasets: positions and games as Parquet files that any tool can read. The columns are explained in docs/data.md.

`lab selfplay` writes one file of positions; `lab export` makes a folder of finished games from their records.
pyarrow is needed: pip install 'dieselfront[learn]'.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.kernel import record
from dieselfront.kernel.record import BrokenRecord
from dieselfront.lab.crew import Crew, crew_of
from dieselfront.lab.selfplay import EVERY, PlayedOut, Recorder, SeatPosition, SelfPlay, digest_of
from dieselfront.lab.simulate import SimulationError
from dieselfront.players.position import DATA_VERSION

GAME_COLUMNS = {
    "game": "the digest of the game: a hash of its final state and log",
    "file": "the file of the record",
    "ruleset": "the game that was played, by its id",
    "version": "the version of its rules",
    "scenario": "the scenario, by its id",
    "blue": "the name of the first army",
    "red": "the name of the second army",
    "blue_player": "who played the first army",
    "red_player": "who played the second army",
    "winner": "0 for the first army, 1 for the second, nothing for a draw",
    "turns": "turns begun",
    "choices": "choices made by both players",
    "record": "the whole record as JSON: header, choices, check values, seed; `dieselfront replay` reads it",
}
"""The columns of games.parquet."""

POSITION_COLUMNS = {
    "game": "the digest of the game: a hash of its final state and log",
    "battle": "the same for both games of a battle that was fought both ways; leave such games out together",
    "ruleset": "the game that was played, by its id",
    "version": "the version of its rules",
    "scenario": "the scenario, by its id",
    "blue": "the first army: a starter list, or random:NUMBER",
    "red": "the second army",
    "blue_player": "who played the first army",
    "red_player": "who played the second army",
    "choices": "choices made before the position",
    "turn": "the turn, from 1",
    "side": "from whose seat the position is seen: 0 or 1",
    "to_act": "whose decision is pending: 0 or 1",
    "decision": "what is to be decided, by its key",
    "result": "1 if the side won in the end, 0 if it lost, 0.5 for a draw",
    "worth": "what the adviser's hand-made judgement gives the position, in points for the side",
}
"""The columns of positions before the features."""


def arrow() -> Any:
    """pyarrow with its Parquet module."""
    if importlib.util.find_spec("pyarrow") is None:
        raise SimulationError("Datasets need pyarrow, which is not installed: pip install 'dieselfront[learn]'.")
    import pyarrow
    import pyarrow.parquet

    return pyarrow


class FinishedGame(msgspec.Struct, frozen=True):
    """A finished game with its positions, from self-play or from a record."""

    game: str
    battle: str
    ruleset: str
    version: str
    scenario: str
    armies: tuple[str, str]
    players: tuple[str, str]
    winner: int | None
    columns: list[str]
    positions: list[SeatPosition]

    def rows(self) -> Iterator[list[Any]]:
        """One row a position, in the order of POSITION_COLUMNS and then the features."""
        before = (self.game, self.battle, self.ruleset, self.version, self.scenario, *self.armies, *self.players)
        for one in self.positions:
            result = 0.5 if self.winner is None else float(self.winner == one.side)
            yield [*before, one.choices, one.turn, one.side, one.to_act, one.decision, result, one.worth, *one.features]


def write_positions(path: Path, games: Sequence[FinishedGame], about: dict[str, Any]) -> int:
    """Write the positions of games into one Parquet file; returns how many there are."""
    pa = arrow()
    features = next((game.columns for game in games if game.columns), [])
    strange = next((game for game in games if game.columns and game.columns != features), None)
    if strange is not None:
        raise SimulationError(f"Games of {games[0].ruleset} and {strange.ruleset} measure other features; split them.")
    rows = [row for game in games for row in game.rows()]
    whole = {"choices": pa.int32(), "turn": pa.int16(), "side": pa.int8(), "to_act": pa.int8()}
    numbers = {"result": pa.float32(), "worth": pa.float32()}
    fields = [(name, {**whole, **numbers}.get(name, pa.string())) for name in POSITION_COLUMNS]
    fields += [(name, pa.float32()) for name in features]
    _write(pa, path, fields, rows, {"data_version": DATA_VERSION, **about})
    return len(rows)


def _write(pa: Any, path: Path, fields: list[tuple[str, Any]], rows: list[list[Any]], about: dict[str, Any]) -> None:
    schema = pa.schema(fields, metadata={"dieselfront": msgspec.json.encode(about)})
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(fields)
    arrays = [pa.array(values, kind) for values, (_, kind) in zip(columns, fields, strict=True)]
    pa.parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), path, compression="zstd")


def read_positions(path: Path) -> tuple[Any, dict[str, Any]]:
    """A file of positions as an Arrow table, and what it says about itself."""
    pa = arrow()
    try:
        table = pa.parquet.read_table(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise SimulationError(f"{path} is no Parquet file: {str(error).splitlines()[0]}") from None
    about = msgspec.json.decode((table.schema.metadata or {}).get(b"dieselfront", b"{}"))
    if not set(POSITION_COLUMNS) <= set(table.column_names):
        raise SimulationError(f"{path} holds no positions; `dieselfront lab selfplay` writes such files.")
    return table, about


# -- self-play ------------------------------------------------------------------------------------------------


def from_selfplay(wanted: SelfPlay, games: Sequence[PlayedOut]) -> list[FinishedGame]:
    """Games of a self-play as they go into a dataset."""
    version = rulesets.load(wanted.ruleset).version
    armies = "random" if wanted.random_armies else "starters"
    series = f"{wanted.seed}/{'-'.join(wanted.players)}/{armies}"
    return [
        FinishedGame(
            game.digest,
            f"{series}/{game.number // 2}",
            wanted.ruleset,
            version,
            game.scenario,
            game.armies,
            game.players,
            game.winner,
            game.columns,
            game.positions,
        )
        for game in games
    ]


def about_selfplay(wanted: SelfPlay, games: Sequence[PlayedOut]) -> dict[str, Any]:
    """What a file says about itself: how it was made, so that anybody can make it again."""
    return {
        "made_by": "dieselfront lab selfplay",
        "ruleset": wanted.ruleset,
        "version": rulesets.load(wanted.ruleset).version,
        "selfplay": msgspec.to_builtins(wanted),
        "games": len(games),
        "digest": digest_of(games),
    }


# -- records --------------------------------------------------------------------------------------------------


class Kept(msgspec.Struct, frozen=True):
    """A record with what it came to, as a row of games.parquet."""

    file: str
    turns: int
    choices: int
    record: str
    game: FinishedGame

    def row(self) -> list[Any]:
        game = self.game
        before = [game.game, self.file, game.ruleset, game.version, game.scenario, *game.armies, *game.players]
        return [*before, game.winner, self.turns, self.choices, self.record]


class Exported(msgspec.Struct):
    """What an export wrote."""

    games: int
    positions: int
    files: list[str]
    left_out: dict[str, str]
    """Files that are no finished games, each with the reason."""
    digest: str


def export(files: Sequence[Path], folder: Path, every: int = EVERY, workers: int | Crew = 1) -> Exported:
    """Replay records, prove them, and write games and positions; a file of positions for every ruleset."""
    arrow()
    tasks = [(str(path), every) for path in files]
    left_out: dict[str, str] = {}
    kept: list[Kept] = []
    with crew_of(workers) as crew:
        for (name, _), result in zip(tasks, crew.run(read_record, tasks, Kept | str), strict=True):
            if isinstance(result, str):
                left_out[name] = result
            else:
                kept.append(result)
    if not kept:
        first = next(iter(left_out.items()), ("", "no files were named"))
        raise SimulationError(
            f"There is no finished game among the {len(files)} files: {': '.join(filter(None, first))}."
        )
    return _written(kept, folder, left_out)


def read_record(task: tuple[str, int]) -> Kept | str:
    """One record, replayed with all its check values; a sentence why not."""
    path, every = Path(task[0]), task[1]
    try:
        text = path.read_bytes()
        kept = record.load(text, path.name)
        rules = rulesets.load(kept.header.ruleset)
        game = record.start_replay(rules, kept)
        recorder = Recorder(rules.id, every)
        recorder.see(game)
        for _ in record.steps(game, kept):
            recorder.see(game)
    except (BrokenRecord, OSError, UnicodeDecodeError) as error:
        return str(error)
    if not game.over:
        return "the game is not over"
    seats = tuple(kept.header.seats)
    armies = tuple(str(force.get("name", "")) for force in kept.header.forces)
    finished = FinishedGame(
        record.digest(game),
        record.digest(game),
        rules.id,
        rules.version,
        str(kept.header.scenario.get("id", "")),
        (armies[0], armies[1]),
        (seats[0], seats[1]) if len(seats) == 2 else ("", ""),
        game.winner,
        recorder.columns,
        recorder.positions,
    )
    turns = game.turn
    return Kept(path.name, turns, len(kept.choices), text.decode("utf-8"), finished)


def _written(kept: Sequence[Kept], folder: Path, left_out: dict[str, str]) -> Exported:
    pa = arrow()
    folder.mkdir(parents=True, exist_ok=True)
    numbers = {"winner": pa.int8(), "turns": pa.int16(), "choices": pa.int32()}
    fields = [(name, numbers.get(name, pa.string())) for name in GAME_COLUMNS]
    about = {"made_by": "dieselfront lab export", "data_version": DATA_VERSION}
    _write(pa, folder / "games.parquet", fields, [one.row() for one in kept], about)
    names, positions = ["games.parquet"], 0
    for ruleset in dict.fromkeys(one.game.ruleset for one in kept):
        name = f"positions-{ruleset}.parquet"
        games = [one.game for one in kept if one.game.ruleset == ruleset]
        positions += write_positions(folder / name, games, about | {"ruleset": ruleset})
        names.append(name)
    whole = hashlib.sha256("".join(one.game.game for one in kept).encode()).hexdigest()
    return Exported(len(kept), positions, names, left_out, whole)


__all__ = [
    "GAME_COLUMNS",
    "POSITION_COLUMNS",
    "Exported",
    "FinishedGame",
    "about_selfplay",
    "export",
    "from_selfplay",
    "read_positions",
    "write_positions",
]
