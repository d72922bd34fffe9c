"""Running the server: the port, the process's limits, the address on the terminal, and a clean end."""

from __future__ import annotations

import contextlib
import gc
import socket
import sys
from collections.abc import Callable
from typing import Any

import uvicorn

from dieselfront.lab.crew import CrewError
from dieselfront.server import network
from dieselfront.server.app import create_app, load_rules
from dieselfront.server.games import Games
from dieselfront.server.logs import set_up
from dieselfront.server.protocols import Connections, counted
from dieselfront.server.settings import Settings, peer_address
from dieselfront.server.storage import StorageError

GRACE_SECONDS = 3
COLLECT_AFTER = (20_000, 20, 20)
"""How many new objects there are before Python looks for cycles among them, and how often among older ones."""
TURN_SECONDS = 0.0005
"""How long a thread may compute while another one waits for the interpreter."""


class CannotServe(Exception):
    """The server cannot start; one sentence says why."""


def run(
    settings: Settings,
    log_level: str = "warning",
    tell: Callable[[str], None] = print,
    log_format: str = "text",
    *,
    for_friends: bool = False,
) -> None:
    """Serve until somebody stops it."""
    try:
        app = create_app(settings)
        app.app.state.storage.check()
        listening = listen(settings.host, settings.port)
        announce(app, settings, listening)
        app.app.state.games.thinkers.join_cluster()
    except (StorageError, CrewError) as error:
        raise CannotServe(str(error)) from None
    raise_file_limit()
    load_rules()
    collect_seldom()
    take_short_turns()
    set_up(log_level, log_format)
    server = _Server(config(app, settings, log_level))
    server.greeting = f"Dieselfront is at {address(listening, settings.host)} (Ctrl-C stops it)."
    if for_friends:
        server.greeting += "\n" + invitation(settings, listening.getsockname()[1])
    server.tell = tell
    try:
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    finally:
        listening.close()
    if not server.started:
        raise CannotServe("The server could not start; --log info tells more.")


class _Server(uvicorn.Server):
    """Uvicorn's server, saying where it is once it can be reached."""

    greeting = ""
    tell: Callable[[str], None] = print

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish what is being acknowledged, then close."""
        games: Games = self.config.app.app.state.games  # type: ignore[union-attr]
        await games.finish(GRACE_SECONDS)
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.tell(self.greeting)


def config(app: Any, settings: Settings, log_level: str) -> uvicorn.Config:
    """Uvicorn's settings; access logs stay off, since links are nobody's business."""
    connections = Connections(settings.limits.connections_per_address if not settings.proxies else 0)
    http, websockets = counted(connections)
    return uvicorn.Config(
        app,
        http=http,
        ws=websockets,
        ws_max_size=settings.limits.message_bytes,
        ws_max_queue=16,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        ws_per_message_deflate=False,
        log_level=log_level,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=GRACE_SECONDS,
        h11_max_incomplete_event_size=64 * 1024,
        lifespan="on",
    )


def listen(host: str, port: int) -> socket.socket:
    """The listening socket; a port that is taken is reported before anything else happens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise CannotServe(
            f"Port {port} on {host} cannot be used: {error.strerror or error}; --port takes another one."
        ) from None
    made.listen(2048)
    made.setblocking(False)
    return made


def announce(app: Any, settings: Settings, listening: socket.socket) -> None:
    """Let other processes on the same database know where this one is."""
    games: Games = app.app.state.games
    games.owners.address = peer_address(settings, listening.getsockname()[1])


def address(listening: socket.socket, host: str) -> str:
    """What to type into the browser."""
    port = listening.getsockname()[1]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


def invitation(settings: Settings, port: int) -> str:
    """What friends in the same network type or scan."""
    origins = network.origins(settings, port)
    if not origins:
        return "This machine has no address in a network; friends cannot reach it yet."
    return f"Friends in your network find it at {origins[0]}/\n{network.qr_terminal(origins[0] + '/')}"


def collect_seldom() -> None:
    """Rules, cards and games live long and hold few cycles: searching them for garbage all the time is wasted."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def take_short_turns() -> None:
    """The event loop asks for the interpreter at every connection it accepts and every line it reads.

    While threads compute, it waits a turn of theirs each time. Python's own 5 ms make that half a second for a hundred
    connections that come at once.
    """
    sys.setswitchinterval(TURN_SECONDS)


def raise_file_limit() -> None:
    """As many open sockets as the system lets us have."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


__all__ = ["CannotServe", "address", "announce", "config", "listen", "run"]
