"""What can be set about a server: where it listens, where games are kept, and how much one visitor may ask of it."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import msgspec

from dieselfront.forces.catalogue import home_folder

KILOBYTE = 1024


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on what one address, one socket or one message may ask for."""

    body_bytes: int = 256 * KILOBYTE
    """A request that is not an upload."""
    upload_bytes: int = 4096 * KILOBYTE
    """A record, a roster or a catalogue."""
    message_bytes: int = 32 * KILOBYTE
    """One message of a WebSocket."""
    chat_letters: int = 500
    """One line of chat."""
    chat_lines: int = 2000
    """Lines of chat a game keeps; older ones go."""
    chat_shown: int = 100
    """Lines of chat a snapshot brings."""
    requests_per_second: float = 50.0
    """Requests one address may make for long; expensive ones count several times."""
    requests_burst: float = 400.0
    """Requests one address may make at once."""
    messages_per_second: float = 30.0
    """Messages one socket may send for long."""
    messages_burst: float = 120.0
    """Messages one socket may send at once."""
    syncs_per_second: float = 0.5
    """Whole snapshots one socket may ask for, for long."""
    syncs_burst: float = 6.0
    """Whole snapshots one socket may ask for at once."""
    sockets_per_address: int = 64
    """WebSockets one address may hold open."""
    connections_per_address: int = 256
    """Connections of any kind one address may hold open; 0 for no limit (behind a proxy all come from one)."""
    sockets_per_game: int = 200
    """WebSockets on one game: players and spectators."""
    hello_seconds: float = 10.0
    """How long a new socket may wait before it says who it is."""
    new_games_per_minute: float = 60.0
    """Games one address may begin."""
    games_in_memory: int = 400
    """Games kept ready; the others are rebuilt from their choices when somebody comes back."""
    squares: int = 1024
    """Squares of an inline scenario's board."""
    scenario_bytes: int = 8 * KILOBYTE
    """An inline scenario; the longest of ours has a third of it."""
    offer_bytes: int = 16 * KILOBYTE
    """An offer of the lobby with its army list; the longest of our lists have a quarter of it."""
    force_bytes: int = 512 * KILOBYTE
    """One side in the header of a record, its cards included."""
    units_per_side: int = 100
    """Units of one side."""
    choices: int = 8000
    """Choices of a game; a long battle has a tenth of them."""
    rebuild_seconds: float = 10.0
    """Processor time of all choices of a game, from which it has to be rebuilt; usual battles take a tenth of one."""
    work_seconds: float = 10.0
    """Processor time that odds, a preview, a print, an import or a replay may take before its process is killed."""
    work_megabytes: int = 1024
    """How much memory such a process may take."""
    work_processes: int = 2
    """How many of them there are."""
    work_per_address: int = 12
    """How many such wishes of one address may wait."""
    work_waiting: int = 200
    """How many may wait altogether."""
    review_seconds: float = 90.0
    """Processor time for judging the activations of one game."""
    reviews: int = 24
    """Games that are reviewed at a time; they take turns."""
    reviews_per_address: int = 6
    """Games that are reviewed at a time for one address."""
    body_seconds: float = 30.0
    """How long a request may take to arrive."""
    bodies_bytes: int = 96 * 1024 * KILOBYTE
    """What all requests that arrive or are being answered may hold together."""
    bodies_per_address: int = 24 * 1024 * KILOBYTE
    """The same for one address."""
    bytes_per_second: float = 4096.0 * KILOBYTE
    """What one address is sent for long, in answers and whole snapshots."""
    bytes_burst: float = 64 * 1024.0 * KILOBYTE
    """What one address is sent at once."""
    think_seconds: float = 120.0
    """How long a computer player may think about one choice before its process is killed."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a server that its owner may choose."""

    host: str = "127.0.0.1"
    port: int = 8047
    database: str = ""
    """An SQLAlchemy URL; empty for an SQLite file in the user's own folder."""
    public_url: str = ""
    """How players reach the server from outside, such as https://games.example.org; for links in notifications."""
    allowed_hosts: tuple[str, ...] = ()
    """Names the server answers to; empty: any name, except on the loopback interface, where only local ones count."""
    proxies: str = ""
    """Addresses of reverse proxies whose X-Forwarded-For is believed, with commas between them."""
    peer_url: str = ""
    """How other processes on the same database reach this one, such as http://10.0.0.7:8047; empty: found out."""
    thinkers: int | None = None
    """Processes in which computer opponents think; 0: threads of the server itself."""
    thinkers_cluster: str = ""
    """The Ray cluster on which they think instead: its address, or `local`; empty: processes of this machine."""
    webhooks: bool = True
    """May games notify an address on the web?"""
    private_webhooks: bool = False
    """May that address be in the server's own network? Only for servers whose users are trusted."""
    people: bool = True
    """May people register: a key for each device, their games together, seats of their own?"""
    lobby: bool = True
    """May they look for each other?"""
    ratings: bool = True
    """Are their games rated?"""
    push: bool = True
    """Are they told by their browsers when it is their turn?"""
    sharing: bool = True
    """May players give finished games to everybody?"""
    refused_names: tuple[str, ...] = ()
    """Words that no name may hold."""
    retain_days: float = 0.0
    """Games and records untouched for so long are exported and dropped; 0: everything is kept."""
    export_folder: str = ""
    """Where they are exported to."""
    metrics: str = "local"
    """Who may read /metrics: local (this machine only), all, or off."""
    web_folder: str = ""
    """Where the built browser app lies; empty: found in the package or beside it."""
    limits: Limits = Limits()

    @property
    def database_url(self) -> str:
        """The database, by default games.sqlite3 in the user's own folder."""
        if self.database:
            return normal_url(self.database)
        return f"sqlite:///{home_folder() / 'games.sqlite3'}"

    @property
    def is_local(self) -> bool:
        """Does the server listen on the loopback interface only?"""
        return self.host in ("127.0.0.1", "::1", "localhost")

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names the server answers to; none means any."""
        if self.allowed_hosts or not self.is_local:
            return self.allowed_hosts
        return ("localhost", "127.0.0.1", "[::1]", "::1")

    @property
    def thinking_processes(self) -> int:
        """How many processes think for computer opponents."""
        if self.thinkers is not None:
            return self.thinkers
        return max(1, min(4, (os.cpu_count() or 2) - 1))


def peer_address(settings: Settings, port: int) -> str:
    """Where other processes on the same database reach this one."""
    if settings.peer_url:
        return settings.peer_url.rstrip("/")
    host = settings.host
    if host in ("0.0.0.0", "::", ""):
        host = socket.gethostname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def normal_url(url: str) -> str:
    """A database as people write it: a PostgreSQL URL without its driver, or the path of an SQLite file."""
    for short in ("postgres://", "postgresql://"):
        if url.startswith(short):
            return "postgresql+psycopg://" + url.removeprefix(short)
    if "://" not in url:
        return f"sqlite:///{Path(url)}"
    return url
