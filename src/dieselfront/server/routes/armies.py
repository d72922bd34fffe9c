"""Army lists: check, import, print, draw at random, tell what they lack. Nothing is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, Router, post
from litestar.datastructures import State, UploadFile
from litestar.params import JSONBody, MultipartBody
from msgspec import Meta

from dieselfront.forces.armies import Army
from dieselfront.forces.families import newest
from dieselfront.server import jobs
from dieselfront.server.games import Games
from dieselfront.server.messages import Id, Plain, Request
from dieselfront.server.refusals import Refused
from dieselfront.server.routes.common import json_bytes
from dieselfront.server.shapes import ArmyReport, Imported

MOST_FILES = 5


class RandomWish(Request, frozen=True):
    """A random legal list; the same seed gives the same list."""

    ruleset: Id = msgspec.field(default_factory=newest)
    points: Annotated[int, Meta(ge=1, le=5000)] = 50
    seed: Annotated[int, Meta(ge=0, le=10**18)] = 1
    bloc: Id | None = None
    faction: Id | None = None


class TextWish(Request, frozen=True):
    """A list and how to tell it."""

    army: Plain
    style: Literal["chat", "battlescribe", "yaml", "json"] = "chat"


@post("/armies/check", status_code=200, summary="Check a list", operation_id="check_army")
async def check(data: JSONBody[Plain], state: State) -> Response[ArmyReport]:
    """Points, faults with the rule each breaks, and what the list could do with."""
    games: Games = state.games
    return json_bytes(await games.long_work.run(jobs.check_list, data))


@post("/armies/random", status_code=200, summary="A random army", operation_id="random_army")
async def draw(data: JSONBody[RandomWish], state: State) -> Response[Army]:
    """A legal list of at most that many points."""
    games: Games = state.games
    wish = (data.ruleset, data.points, data.seed, data.bloc, data.faction)
    return json_bytes(await games.long_work.run(jobs.draw_list, *wish))


@post("/armies/text", status_code=200, summary="A list as text", operation_id="army_text")
async def tell(data: JSONBody[TextWish], state: State) -> dict[str, str]:
    """Short for a chat, in BattleScribe's manner, or as a file."""
    games: Games = state.games
    return {"text": await games.long_work.run(jobs.tell_list, data.army, data.style)}


@post("/armies/print", status_code=200, summary="A list as a sheet of cards (PDF)", operation_id="print_army")
async def print_sheet(data: JSONBody[Plain], state: State) -> Response[bytes]:
    """A PDF to take to the table."""
    games: Games = state.games
    pdf = await games.long_work.run(jobs.print_list, data)
    headers = {"Content-Disposition": 'attachment; filename="army.pdf"'}
    return Response(pdf, media_type="application/pdf", headers=headers)


@dataclass
class Rosters:
    """The files of an upload, all under the name `files`."""

    files: list[UploadFile]


@post("/armies/import", status_code=200, summary="Import rosters of other programs", operation_id="import_armies")
async def import_rosters(data: MultipartBody[Rosters], state: State) -> Response[Imported]:
    """BattleScribe .ros and .rosz, New Recruit .json, or text: lists of our cards, and whatever found no card."""
    if not 1 <= len(data.files) <= MOST_FILES:
        raise Refused(422, f"Expected from one to {MOST_FILES} files.")
    files = [(file.filename, await file.read()) for file in data.files]
    games: Games = state.games
    return json_bytes(await games.long_work.run(jobs.import_lists, files))


handlers: list[Any] = [check, draw, tell, print_sheet]
router = Router("/", route_handlers=handlers, tags=["Armies"])
