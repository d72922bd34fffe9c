"""New games: from a wish to a header, seats with their tokens, and the first line of a journal."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import msgspec

from dieselfront import players, rulesets
from dieselfront.dice import commitment
from dieselfront.forces import ForcesError
from dieselfront.forces.armies import Army, army_from, starter_armies
from dieselfront.forces.army_check import check_army
from dieselfront.kernel.record import BrokenRecord, Header, Record
from dieselfront.rulesets import UnknownRuleset
from dieselfront.scenarios import ScenarioProblem, battle, lessons, library
from dieselfront.scenarios.lessons import Lesson
from dieselfront.server import tokens
from dieselfront.server.live import CHOICE, Seat
from dieselfront.server.messages import Created, Link, NewGame, NewSeat, SeatLink
from dieselfront.server.refusals import Refused
from dieselfront.server.settings import Limits
from dieselfront.server.storage import Entry, GameRow

COMPUTER = "regular"
NAMES = ("Blue", "Red")
MOST_TURNS = 100
MOST_LETTERS = 200
LESSON = "lesson:"
FIRST = "crossroads"
"""The battle for those who do not choose one."""


class Begun:
    """A new game before it is kept: its row, its first entries, and what its maker is sent."""

    __slots__ = ("created", "entries", "row")

    def __init__(self, row: GameRow, created: Created, entries: list[Entry]) -> None:
        self.row = row
        self.created = created
        self.entries = entries


def begin(wish: NewGame, limits: Limits) -> Begun:
    """A game as it was wished for; Refused with a sentence if it cannot be played so."""
    known_ruleset(wish.ruleset)
    id = tokens.new_id()
    seed = tokens.new_seed() if wish.dice == "fair" else None
    seats = seats_for(wish.seats, wish.ruleset)
    try:
        header = battle.header(
            wish.ruleset,
            scenario_for(wish, limits),
            armies_for(wish, limits),
            seed=seed,
            seats=[seat.name for seat, _ in seats],
            options=wish.options,
            salt=id,
        )
    except Refused:
        raise
    except (UnknownRuleset, ScenarioProblem, ForcesError, ValueError) as error:
        raise Refused(422, sentence(error)) from None
    return made(id, header, seed, seats, pace=wish.pace, webhook=wish.webhook)


def is_plain(wish: NewGame) -> bool:
    """Does the wish name only what comes with the program? Then it is begun in a moment."""
    return not isinstance(wish.scenario, dict) and not any(isinstance(army, dict) for army in wish.armies)


def known_ruleset(id: str) -> None:
    """Refuse a game that cannot be played."""
    if id not in rulesets.names():
        raise Refused(422, f"There is no ruleset '{id[:80]}' to play; there are {', '.join(rulesets.names())}.")


def check_header(header: Header, limits: Limits) -> None:
    """The header of a record from outside obeys the bounds of a game begun here; its cards those of card files."""
    known_ruleset(header.ruleset)
    if len(header.forces) != 2 or len(header.seats) != 2:
        raise Refused(422, "A record has two sides.")
    if any(len(text) > MOST_LETTERS for text in (*header.seats, header.salt, header.commitment)):
        raise Refused(422, f"Names in a record have at most {MOST_LETTERS} letters.")
    own_scenario(header.scenario, header.ruleset, limits)
    for force in header.forces:
        if len(msgspec.json.encode(force)) > limits.force_bytes:
            raise Refused(422, f"A force in a record has at most {limits.force_bytes} bytes.")
        check_units(force.get("units"), limits)


def check_units(units: Any, limits: Limits) -> None:
    """No side fields more units than a table has room for."""
    if isinstance(units, (list, tuple)) and len(units) > limits.units_per_side:
        raise Refused(422, f"A side has at most {limits.units_per_side} units, not {len(units)}.")


def branch(kept: Record, name: str, at: int, wished: list[NewSeat], limits: Limits) -> Begun:
    """A game that goes its own way after some choices of another one, with the same dice."""
    if at > limits.choices:
        raise Refused(422, f"A game is branched after at most {limits.choices} choices.")
    if kept.header.commitment and kept.seed is None:
        raise Refused(409, "A game can be branched when it is over: before that its dice must stay unknown.")
    if at > len(kept.choices):
        raise Refused(422, f"The game has {len(kept.choices)} choices; it cannot be branched after {at}.")
    seats = seats_for(wished, kept.header.ruleset, kept.header.seats)
    id = tokens.new_id()
    begun = made(id, kept.header, kept.seed, seats, pace="live", webhook=None, origin=f"{name}@{at}")
    now = time.time()
    makers = deciders(kept, at)
    begun.entries = [
        Entry(id, number + 1, CHOICE, seat, msgspec.json.encode(answer).decode(), check, now)
        for number, (seat, answer, check) in enumerate(zip(makers, kept.choices[:at], kept.checks[:at], strict=True))
    ]
    return begun


def rematch(row: GameRow, seats: list[Seat]) -> GameRow:
    """The same battle once more with new dice; the two people change sides, and each keeps his link's token."""
    known = msgspec.json.decode(row.header, type=Header)
    id, changed = tokens.new_id(), seats[::-1]
    seed = tokens.new_seed() if row.seed is not None else None
    header = msgspec.structs.replace(
        known,
        version=rulesets.load(known.ruleset).version,
        seats=[seat.name for seat in changed],
        commitment=commitment(seed) if seed is not None else "",
        salt=id,
    )
    return row._replace(
        id=id,
        created=time.time(),
        header=msgspec.json.encode(header),
        seed=seed,
        seats=msgspec.json.encode(changed).decode(),
        origin=None,
        offers="{}",
    )


def deciders(kept: Record, upto: int) -> list[int]:
    """Which seat made each choice of a record."""
    from dieselfront.kernel.record import start_replay, steps

    try:
        game = start_replay(rulesets.load(kept.header.ruleset), kept)
        seats = []
        moves = steps(game, kept, upto)
        for _ in range(upto):
            decision = game.pending
            seats.append(decision.player if decision is not None else 0)
            next(moves, None)
    except (BrokenRecord, UnknownRuleset) as error:
        raise Refused(422, sentence(error)) from None
    return seats


def made(
    id: str,
    header: Header,
    seed: str | None,
    seats: list[tuple[Seat, str | None]],
    *,
    pace: str,
    webhook: str | None,
    origin: str | None = None,
) -> Begun:
    """The row of a game and the links to its seats."""
    watching = tokens.new_token()
    row = GameRow(
        id=id,
        created=time.time(),
        ruleset=header.ruleset,
        header=msgspec.json.encode(header),
        seed=seed,
        seats=msgspec.json.encode([seat for seat, _ in seats]).decode(),
        spectator=tokens.hashed(watching),
        pace=pace,
        webhook=webhook,
        origin=origin,
        offers="{}",
    )
    links = [
        SeatLink(number, "human" if token else "computer", seat.name, token, link_to(id, token) if token else None)
        for number, (seat, token) in enumerate(seats)
    ]
    everybody = ",".join(token for _, token in seats if token) or watching
    created = Created(
        id, links, Link(watching, link_to(id, watching)), Link(everybody, link_to(id, everybody)), header.commitment
    )
    return Begun(row, created, [])


def link_to(id: str, token: str) -> str:
    """The page of a game; the token stands behind #, which browsers send to nobody."""
    return f"/battle/{id}#{token}"


# -- seats ------------------------------------------------------------------------------------------


def seats_for(wished: list[NewSeat], ruleset: str, names: list[str] | None = None) -> list[tuple[Seat, str | None]]:
    """Two seats with their tokens; by default a person against a computer."""
    wanted = wished or [NewSeat("human"), NewSeat("computer", level=COMPUTER)]
    if len(wanted) != 2:
        raise Refused(422, f"A game has two seats, not {len(wanted)}.")
    return [seat_for(wish, number, ruleset, names) for number, wish in enumerate(wanted)]


def seat_for(wish: NewSeat, number: int, ruleset: str, names: list[str] | None) -> tuple[Seat, str | None]:
    """One seat; a person's has a token."""
    if wish.kind == "human":
        token = tokens.new_token()
        name = wish.name or (names[number] if names else NAMES[number])
        return Seat("human", name, None, tokens.hashed(token), wish.webhook), token
    level = wish.level or COMPUTER
    try:
        players.make(level, "", ruleset)
    except ValueError as error:
        raise Refused(422, sentence(error)) from None
    return Seat("computer", wish.name or f"Computer ({_level_name(level)})", level), None


def _level_name(level: str) -> str:
    """A level as people read it; that it has weights of its own is said, not which."""
    name, personality, changed = players.spelled(level)
    return ", ".join(filter(None, (name, personality, "own weights" if changed else "")))


# -- battlefields and armies ------------------------------------------------------------------------


def scenario_for(wish: NewGame, limits: Limits) -> dict[str, Any]:
    """The scenario: one of ours, a random board, or the whole of it; never a file of the server."""
    wanted = wish.scenario
    known = library.names(wish.ruleset)
    if wanted is None:
        wanted = FIRST if FIRST in known else known[0] if known else library.RANDOM
    if isinstance(wanted, str):
        lesson = lesson_for(wish)
        if lesson is not None:
            return dict(lesson.scenario)
        if wanted in known or wanted == library.RANDOM or wanted.startswith(library.RANDOM + ":"):
            return library.find(wanted, wish.ruleset)
        raise Refused(422, f"There is no scenario '{wanted}'; there are {', '.join(known)} and random:SEED.")
    return own_scenario(wanted, wish.ruleset, limits)


def lesson_for(wish: NewGame) -> Lesson | None:
    """The lesson that `lesson:ID` names; its battle needs no armies of one's own."""
    if not isinstance(wish.scenario, str) or not wish.scenario.startswith(LESSON):
        return None
    wanted = wish.scenario.removeprefix(LESSON)
    taught = {lesson.id: lesson for lesson in lessons.lessons(wish.ruleset)}
    if wanted not in taught:
        raise Refused(422, f"There is no lesson '{wanted[:80]}' for {wish.ruleset}; there are {', '.join(taught)}.")
    return taught[wanted]


def own_scenario(given: dict[str, Any], ruleset: str, limits: Limits) -> dict[str, Any]:
    """A scenario that came with the wish, checked and within bounds."""
    if given.get("ruleset", ruleset) != ruleset:
        raise Refused(422, f"The scenario is for {str(given['ruleset'])[:80]}, not for {ruleset}.")
    board = given.get("board")
    if len(msgspec.json.encode(given)) > limits.scenario_bytes:
        raise Refused(422, f"A scenario has at most {limits.scenario_bytes} bytes.")
    size: Any = board.get("size") if isinstance(board, dict) else None
    is_size = isinstance(size, list) and len(size) == 2 and all(isinstance(side, int) for side in size)
    if is_size and size[0] * size[1] > limits.squares:
        raise Refused(422, f"A board has at most {limits.squares} squares, not {size[0] * size[1]}.")
    turns = given.get("turns")
    if isinstance(turns, int) and not 1 <= turns <= MOST_TURNS:
        raise Refused(422, f"A battle has from one to {MOST_TURNS} turns, not {turns}.")
    rulesets.load(ruleset).read_scenario(given, "scenario")
    return given


def armies_for(wish: NewGame, limits: Limits) -> list[str | Army]:
    """Two armies: starters by name, random ones by number, or whole lists that break no rule."""
    lesson = lesson_for(wish)
    if lesson is not None and not wish.armies:
        return [army_from(army) for army in lesson.armies]
    starters = battle.starters(wish.ruleset)
    wanted = list(wish.armies) or list(starters[:2])
    if len(wanted) == 1:
        wanted.append(next((name for name in starters if name != wanted[0]), wanted[0]))
    if len(wanted) != 2:
        raise Refused(422, f"There are no starter armies for {wish.ruleset}; a battle needs two army lists.")
    return [army_for(one, wish.ruleset, limits) for one in wanted]


def army_for(wanted: str | dict[str, Any], ruleset: str, limits: Limits) -> Army:
    """One army; names are never taken for files of the server."""
    if isinstance(wanted, dict):
        return own_army(wanted, ruleset, limits)
    if wanted == "random" or wanted.startswith("random:"):
        return battle.army(wanted, ruleset)
    listed = starters().get(wanted)
    if listed is None or listed.ruleset != ruleset:
        known = ", ".join(battle.starters(ruleset))
        raise Refused(422, f"There is no army '{wanted}' for {ruleset}; there are {known} and random:NUMBER.")
    return listed


def own_army(given: dict[str, Any], ruleset: str, limits: Limits) -> Army:
    """A list that came with the wish; it must be for this game and legal."""
    army = army_from(given)
    if army.ruleset != ruleset:
        raise Refused(422, f"The army list is for {army.ruleset}, not for {ruleset}.")
    check_units(army.units, limits)
    report = check_army(army)
    if not report.ok:
        faults: list[dict[str, Any]] = msgspec.to_builtins(report.errors)
        first = report.errors[0]
        raise Refused(422, f"{army.name} is not a legal list: {first.message}", first.rule or None, faults)
    return army


@cache
def starters() -> dict[str, Army]:
    """The starter armies, read once."""
    return starter_armies()


def sentence(error: Exception) -> str:
    """An error of a room below as a sentence."""
    text = str(error).strip() or "This cannot be done."
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else text + "."
