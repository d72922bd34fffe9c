"""Puzzles: the list, the puzzle of the day, battles that begin at one, and whether an answer is right."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter

from dieselfront.kernel.views import View
from dieselfront.lab import puzzles
from dieselfront.lab.puzzles import Puzzle, Verdict
from dieselfront.lab.simulate import SimulationError
from dieselfront.server import jobs
from dieselfront.server.games import Games
from dieselfront.server.jobs import PUZZLE
from dieselfront.server.live import LiveGame
from dieselfront.server.messages import Created, PuzzleAnswer
from dieselfront.server.new_games import known_ruleset, sentence
from dieselfront.server.refusals import Refused
from dieselfront.server.routes.common import PathId, SeatHeader, json_bytes, visitor
from dieselfront.server.routes.library import RulesetId, kept
from dieselfront.server.shapes import PuzzleRow, PuzzleVerdict

Theme = Annotated[str, QueryParameter(name="theme", max_length=40, description="A kind of act, or objective.")]
Day = Annotated[
    str, QueryParameter(name="date", max_length=10, description="A day such as 2026-11-18; today if left out.")
]
GiveUp = Annotated[bool, QueryParameter(name="solution", description="Tell the solution in any case.")]


def row(puzzle: Puzzle) -> PuzzleRow:
    """A puzzle without its solution."""
    facts, blunder = puzzle.facts, puzzle.blunder
    return PuzzleRow(
        puzzle.id,
        puzzle.ruleset,
        blunder.title,
        facts.themes,
        facts.difficulty,
        facts.turn,
        blunder.side,
        facts.before,
    )


def with_solution(puzzle: Puzzle, verdict: Verdict, in_any_case: bool) -> PuzzleVerdict:
    """A verdict, with the solution if it may be shown."""
    plain = PuzzleVerdict(row(puzzle), verdict.done, verdict.right, verdict.did)
    if not verdict.done and not in_any_case:
        return plain
    facts, blunder = puzzle.facts, puzzle.blunder
    return msgspec.structs.replace(
        plain,
        solution=facts.best_words,
        why=blunder.why,
        rules=blunder.rules,
        best=facts.best,
        next_best=facts.next_best,
    )


async def known_puzzle(ruleset: str, id: str) -> Puzzle:
    """A puzzle by its game and id."""
    known_ruleset(ruleset)
    puzzle = await asyncio.to_thread(puzzles.find, ruleset, id)
    if puzzle is None:
        raise Refused(404, f"There is no puzzle '{id[:80]}' for {ruleset}.")
    return puzzle


@get("/puzzles", summary="Puzzles", operation_id="puzzles")
async def list_puzzles(ruleset: RulesetId = "", theme: Theme = "") -> Response[list[PuzzleRow]]:
    """Positions in which one activation is clearly best; without their solutions."""
    if ruleset:
        known_ruleset(ruleset)
    known = (
        await asyncio.to_thread(puzzles.puzzles, ruleset) if ruleset else await asyncio.to_thread(puzzles.every_puzzle)
    )
    return kept(msgspec.json.encode([row(one) for one in known if theme in ("", *one.facts.themes)]))


@get("/puzzles/daily", summary="The puzzle of the day", operation_id="daily_puzzle")
async def daily_puzzle(ruleset: RulesetId = "", date: Day = "") -> PuzzleRow:
    """The same for everybody; all of them come up before one comes again."""
    if ruleset:
        known_ruleset(ruleset)
    day = date or datetime.now(UTC).date().isoformat()
    try:
        return row(await asyncio.to_thread(puzzles.daily, day, ruleset))
    except SimulationError as error:
        raise Refused(422 if date else 404, sentence(error)) from None


@get("/puzzles/{ruleset_id:str}/{puzzle_id:str}/view", summary="The position of a puzzle", operation_id="puzzle_view")
async def show_puzzle(ruleset_id: PathId, puzzle_id: PathId, state: State) -> Response[View]:
    """The table as the side that decides finds it."""
    games: Games = state.games
    puzzle = await known_puzzle(ruleset_id, puzzle_id)
    name = (puzzle.ruleset, puzzle.id)
    if name not in _views:
        _views[name] = await games.long_work.run(jobs.puzzle_view, puzzle)
    return kept(_views[name])


_views: dict[tuple[str, str], bytes] = {}


@post("/puzzles/{ruleset_id:str}/{puzzle_id:str}/branch", summary="Solve a puzzle", operation_id="begin_puzzle")
async def begin_puzzle(ruleset_id: PathId, puzzle_id: PathId, state: State) -> Created:
    """A battle that begins at the puzzle; whoever begins it decides, a computer plays the other side."""
    games: Games = state.games
    puzzle = await known_puzzle(ruleset_id, puzzle_id)
    made = await games.long_work.run(jobs.puzzle_battle, puzzle, games.settings.limits)
    await games.add(made.row, made.entries)
    return made.created


@post(
    "/puzzles/{ruleset_id:str}/{puzzle_id:str}/answer",
    summary="Try an answer",
    operation_id="answer_puzzle",
    status_code=200,
)
async def answer_puzzle(
    ruleset_id: PathId, puzzle_id: PathId, data: JSONBody[PuzzleAnswer], state: State
) -> PuzzleVerdict:
    """Choices from the position on, until the activation is over: right or wrong, and why."""
    games: Games = state.games
    puzzle = await known_puzzle(ruleset_id, puzzle_id)
    verdict = await games.long_work.run(jobs.puzzle_verdict, puzzle, tuple(data.choices))
    return with_solution(puzzle, verdict, False)


@get("/games/{game_id:str}/puzzle", summary="What was made of a puzzle", operation_id="puzzle_verdict")
async def show_verdict(
    game_id: PathId, state: State, solution: GiveUp = False, seat: SeatHeader = None
) -> Response[PuzzleVerdict]:
    """For a battle that began at a puzzle: is the activation over, was it right, and why."""
    games: Games = state.games
    live, _ = await visitor(games, game_id, seat)
    puzzle, first = await puzzle_of(live)
    async with live.lock:
        choices = games.position(live).choices
    if msgspec.json.encode(choices[:first]) != puzzle.before.encode():
        raise Refused(409, "This battle went back behind the puzzle, so there is nothing to judge any more.")
    verdict = await games.long_work.run(jobs.puzzle_verdict, puzzle, choices[first:], home=live.id)
    return json_bytes(msgspec.json.encode(with_solution(puzzle, verdict, solution)))


async def puzzle_of(live: LiveGame) -> tuple[Puzzle, int]:
    """The puzzle that a battle began at, and after how many choices."""
    name, _, first = (live.row.origin or "").removeprefix(PUZZLE).partition("@")
    if not (live.row.origin or "").startswith(PUZZLE):
        raise Refused(404, "This battle did not begin at a puzzle.")
    return await known_puzzle(live.row.ruleset, name), int(first)


handlers: list[Any] = [list_puzzles, daily_puzzle, show_puzzle, begin_puzzle, answer_puzzle, show_verdict]
router = Router("/", route_handlers=handlers, tags=["Puzzles"])
