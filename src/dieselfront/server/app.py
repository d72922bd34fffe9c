"""The application: routes, guards, the database and the computers, put together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, Response, Router, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from dieselfront.server.forwarding import Forwarding
from dieselfront.server.game_owners import owners_for
from dieselfront.server.games import Games
from dieselfront.server.guard import Guard, TooFull, Visitors, is_local
from dieselfront.server.loop_watch import LoopWatch
from dieselfront.server.messages import Problem
from dieselfront.server.metrics import CONTENT_TYPE, Metrics
from dieselfront.server.packing import Packing
from dieselfront.server.refusals import Refused
from dieselfront.server.retention import tidy_on
from dieselfront.server.routes import (
    after,
    armies,
    games,
    invitations,
    library,
    live,
    odds,
    pages,
    people,
    puzzles,
    replays,
    sealed_lists,
    shared_games,
)
from dieselfront.server.routes.common import Ask, json_bytes, json_of, tell_refusal
from dieselfront.server.settings import Settings, peer_address
from dieselfront.server.storage import Storage, StorageError
from dieselfront.server.thinkers import Thinkers

log = logging.getLogger("dieselfront.server")
LIBRARIANS = 2
"""Threads for the pages of the library: more of them would only fight for the processor with the event loop."""


@get("/health", summary="Is the server well?", operation_id="health", tags=["Server"])
async def health(state: State) -> dict[str, str]:
    """Answers when the server is up and its database can be read; 503 if it cannot."""
    return await well(state)


@get("/health", include_in_schema=False)
async def root_health(state: State) -> dict[str, str]:
    """The same where load balancers look for it."""
    return await well(state)


async def well(state: State) -> dict[str, str]:
    """Read the database once; StorageError if it is away."""
    storage: Storage = state.storage
    await storage.read(lambda connection: connection.exec_driver_sql("SELECT 1").scalar())
    return {"status": "ok", "version": program_version()}


@get("/metrics", include_in_schema=False)
async def metrics(request: Ask, state: State) -> Response[bytes]:
    """Counters for Prometheus."""
    settings: Settings = state.settings
    if settings.metrics == "off" or settings.metrics == "local" and not is_local(request.scope):
        raise Refused(404, "There is no such page.")
    numbers: Metrics = state.metrics
    return Response(numbers.page(), media_type=CONTENT_TYPE)


@get("/openapi.json", include_in_schema=False)
async def openapi(request: Ask) -> Response[bytes]:
    """The description of this API; it is written once."""
    kept = request.app.state
    if "description" not in kept:
        await asyncio.to_thread(describe, request.app)
    return json_bytes(kept.description)


def describe(app: Litestar) -> None:
    """Write down what the server is asked and answers, as JSON."""
    app.state.description = msgspec.json.encode(app.openapi_schema.to_schema())


def create_app(settings: Settings) -> Any:
    """The ASGI application of a server."""
    storage = Storage(settings.database_url)
    visitors = Visitors(settings.limits)
    watch = LoopWatch()
    thinkers = Thinkers(settings.thinking_processes, settings.limits.think_seconds, settings.thinkers_cluster)
    owners = owners_for(storage, peer_address(settings, settings.port))
    kept_games = Games(settings, storage, thinkers, owners)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None, None]:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(LIBRARIANS, thread_name_prefix="library"))
        load_rules()
        await asyncio.to_thread(storage.open)
        await asyncio.to_thread(owners.start, partial(loop.call_soon_threadsafe, kept_games.lose_all))
        thinkers.open()
        watch.start()
        describing = asyncio.create_task(asyncio.to_thread(describe, app))
        tidying = start_tidying(settings, storage, kept_games)
        storing = asyncio.create_task(kept_games.store_on())
        try:
            yield
        finally:
            watch.stop()
            storing.cancel()
            if tidying is not None:
                tidying.cancel()
            await describing
            await kept_games.close()
            await forwarding.close()
            thinkers.close()
            await asyncio.to_thread(owners.stop)
            await asyncio.to_thread(storage.close)

    uploads = Router(
        "/",
        route_handlers=[replays.upload, armies.import_rosters],
        request_max_body_size=settings.limits.upload_bytes,
        tags=["Uploads"],
    )
    parts = [
        games.router,
        sealed_lists.router,
        replays.router,
        after.router,
        shared_games.router,
        odds.router,
        library.router,
        puzzles.router,
        armies.router,
        people.router,
        invitations.router,
        uploads,
    ]
    api = Router("/api", route_handlers=[health, openapi, live.live_game, *parts])
    app = Litestar(
        route_handlers=[api, root_health, metrics, pages.page],
        lifespan=[lifespan],
        state=State(
            {
                "games": kept_games,
                "storage": storage,
                "settings": settings,
                "visitors": visitors,
                "metrics": Metrics(kept_games, visitors, watch, program_version()),
                "pages": pages.Pages(settings),
            }
        ),
        exception_handlers={
            Refused: tell_refusal,
            StorageError: _tell_storage,
            ValidationException: _tell_invalid,
            HTTPException: _tell_http,
            RecursionError: _tell_too_deep,
            Exception: _tell_bug,
        },
        request_max_body_size=settings.limits.body_bytes,
        openapi_config=OpenAPIConfig(
            title="Dieselfront",
            version=program_version(),
            description="Weird-war miniature wargames over the web. docs/api.md tells the messages of the live game.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        logging_config=None,
    )
    forwarding = Forwarding(Packing(app, kept_games.pools.packing), owners, settings.limits)
    app.state.metrics.forwarding = forwarding
    return Guard(app, visitors, settings.hosts, settings.public_url, forwarding, owners.key)


def start_tidying(settings: Settings, storage: Storage, games: Games) -> asyncio.Task[None] | None:
    """Export and drop old games every hour, if the host wishes so."""
    if settings.retain_days <= 0 or not settings.export_folder:
        return None
    folder = Path(settings.export_folder)
    return asyncio.create_task(
        tidy_on(storage, settings.retain_days, folder, games.let_go, lambda: games.owners.process)
    )


def load_rules() -> None:
    """Load rules, cards and starter armies before anybody asks for them."""
    from dieselfront import rulesets
    from dieselfront.server.new_games import starters

    try:
        starters()
        for name in rulesets.names():
            rulesets.load(name)
    except Exception:
        log.exception("a ruleset cannot be loaded")
    prepare_types()


def prepare_types() -> None:
    """Let msgspec look at every type it may be asked to read, while there is only one thread that asks.

    It does so when a type is read for the first time, and a second thread that reads the same type meanwhile finds a
    half of what is known about it: that ends the process.
    """
    for kind in _kinds_of(msgspec.Struct):
        with suppress(TypeError, NameError):  # one that is never read from JSON
            msgspec.json.Decoder(kind)


def _kinds_of(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _kinds_of(one)


def program_version() -> str:
    try:
        return version("dieselfront")
    except PackageNotFoundError:
        return "0"


def _tell_invalid(_: Ask, error: ValidationException) -> Response[Any]:
    """A request that is not what was expected; the first fault is reported."""
    extra = error.extra if isinstance(error.extra, list) else []
    faults = [one for one in extra if isinstance(one, dict)]
    reason = "; ".join(_fault(one) for one in faults[:3]) or error.detail
    return json_of(Problem(f"The request is not understood: {reason}"), 400)


def _fault(fault: dict[str, Any]) -> str:
    place = fault.get("key")
    return f"{place}: {fault.get('message')}" if place else str(fault.get("message"))


def _tell_http(_: Ask, error: HTTPException) -> Response[Any]:
    ours = error.status_code >= 500 and not isinstance(error, TooFull)
    reason = "Something went wrong here; nothing was changed." if ours else error.detail
    return json_of(Problem(reason or "This cannot be done."), error.status_code)


def _tell_storage(_: Ask, error: StorageError) -> Response[Any]:
    return json_of(Problem(str(error)), 503)


def _tell_too_deep(_: Ask, error: RecursionError) -> Response[Any]:
    return json_of(Problem("The request is nested too deeply to be understood."), 400)


def _tell_bug(request: Ask, error: Exception) -> Response[Any]:
    log.error("a mistake of ours at %s %s", request.method, request.scope["path"], exc_info=error)
    return json_of(Problem("Something went wrong here; nothing was changed."), 500)
