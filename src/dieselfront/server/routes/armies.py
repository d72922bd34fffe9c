"""Army lists: check, import, print, draw at random, tell what they lack. Nothing is kept."""

from __future__ import annotations

import asyncio
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, Router, post
from litestar.datastructures import State, UploadFile
from litestar.params import JSONBody, MultipartBody
from msgspec import Meta

from dieselfront.forces import ForcesError
from dieselfront.forces.armies import Army, army_from, army_json, army_yaml
from dieselfront.forces.army_check import check_army, known_units
from dieselfront.forces.army_text import army_text, battlescribe_text
from dieselfront.forces.families import newest
from dieselfront.forces.random_army import random_army
from dieselfront.forces.suggest import suggest
from dieselfront.server.beginnings import sentence
from dieselfront.server.house import Refused
from dieselfront.server.messages import Id, Plain, Request
from dieselfront.server.routes.common import json_of
from dieselfront.server.shapes import ArmyReport, Imported

MOST_FILES = 5
SAFE = re.compile(r"[^A-Za-z0-9._-]+")
STYLES = {"chat": army_text, "battlescribe": battlescribe_text, "yaml": army_yaml, "json": army_json}


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


def read(data: dict[str, Any]) -> Army:
    """Plain data as an army list, or the reason why it is none."""
    try:
        return army_from(data)
    except ForcesError as error:
        raise Refused(422, sentence(error)) from None


@post("/armies/check", status_code=200, summary="Check a list", operation_id="check_army")
async def check(data: JSONBody[Plain]) -> Response[ArmyReport]:
    """Points, faults with the rule each breaks, and what the list could do with."""
    return json_of(await asyncio.to_thread(_check, data))


def _check(data: dict[str, Any]) -> dict[str, Any]:
    army = read(data)
    try:
        report: dict[str, Any] = msgspec.to_builtins(check_army(army))
        units = [
            {"label": one.label, "card": one.card.id, "name": one.card.name, "points": one.points}
            for one in known_units(army)
        ]
        suggestions = msgspec.to_builtins(suggest(army))
    except ForcesError as error:
        raise Refused(422, sentence(error)) from None
    return {**report, "units": units, "suggestions": suggestions}


@post("/armies/random", status_code=200, summary="A random army", operation_id="random_army")
async def draw(data: JSONBody[RandomWish], state: State) -> Response[Army]:
    """A legal list of at most that many points."""
    async with state.house.long_work:
        try:
            army = await asyncio.to_thread(random_army, data.ruleset, data.points, data.seed, data.bloc, data.faction)
        except ForcesError as error:
            raise Refused(422, sentence(error)) from None
    return json_of(army)


@post("/armies/text", status_code=200, summary="A list as text", operation_id="army_text")
async def tell(data: JSONBody[TextWish]) -> dict[str, str]:
    """Short for a chat, in BattleScribe's manner, or as a file."""
    army = read(data.army)
    try:
        return {"text": await asyncio.to_thread(STYLES[data.style], army)}
    except ForcesError as error:
        raise Refused(422, sentence(error)) from None


@post("/armies/print", status_code=200, summary="A list as a sheet of cards (PDF)", operation_id="print_army")
async def print_sheet(data: JSONBody[Plain], state: State) -> Response[bytes]:
    """A PDF to take to the table."""
    async with state.house.long_work:
        pdf = await asyncio.to_thread(_print, data)
    headers = {"Content-Disposition": 'attachment; filename="army.pdf"'}
    return Response(pdf, media_type="application/pdf", headers=headers)


def _print(data: dict[str, Any]) -> bytes:
    army = read(data)
    try:
        from dieselfront.forces.sheet import print_army

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "army.pdf"
            print_army(army, path)
            return path.read_bytes()
    except ForcesError as error:
        raise Refused(422, sentence(error)) from None
    except ModuleNotFoundError:
        raise Refused(501, "Printing needs the package fpdf2: pip install 'dieselfront[print]'.") from None


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
    async with state.house.long_work:
        return json_of(await asyncio.to_thread(_import, files))


def _import(files: list[tuple[str, bytes]]) -> dict[str, Any]:
    from dieselfront.forces.battlescribe.importing import import_files

    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, (name, content) in enumerate(files):
            path = Path(folder) / f"{number}-{safe_name(name)}"
            path.write_bytes(content)
            paths.append(path)
        try:
            imported = import_files(paths)
        except ForcesError as error:
            raise Refused(422, re.sub(r"\b\d-(?=\S)", "", sentence(error), count=1)) from None
    told: dict[str, Any] = {"armies": [], "unmatched": [], "warnings": [], "cards": []}
    for one in imported.armies:
        told["armies"].append(one.army)
        told["unmatched"] += one.unmatched
        told["warnings"] += one.warnings
    if imported.cards is not None:
        told["cards"] = [{"id": card.id, "name": card.name} for card in imported.cards.cards]
        told["warnings"] += imported.cards.warnings
    return told


def safe_name(name: str) -> str:
    """A file's name without anything that could lead elsewhere; its ending stays."""
    return SAFE.sub("-", Path(name.replace("\\", "/")).name)[-80:].lstrip(".-") or "file"


handlers: list[Any] = [check, draw, tell, print_sheet]
router = Router("/", route_handlers=handlers, tags=["Armies"])
