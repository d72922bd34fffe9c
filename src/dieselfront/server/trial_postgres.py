"""A PostgreSQL server of our own for trials and tests, where its programs are installed: on a free port of the loopback
interface, in a folder that is gone afterwards."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path


class NoPostgres(Exception):
    """PostgreSQL cannot be had here; one sentence says why."""


def programs() -> Path | None:
    """Where initdb and pg_ctl are, if anywhere."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return installed[-1].parent if installed else None


class Cluster:
    """A PostgreSQL server that can be stopped and started."""

    def __init__(self, url: str, pg_ctl: Sequence[object], options: Sequence[object], owner: str | None) -> None:
        self.url = url
        self._pg_ctl = pg_ctl
        self._options = options
        self._owner = owner

    def stop(self) -> None:
        """As a power cut would."""
        _run([*self._pg_ctl, "-m", "immediate", "-w", "stop"], self._owner)

    def start(self) -> None:
        """Start it and wait until it answers."""
        _run([*self._pg_ctl, *self._options, "start"], self._owner)


@contextmanager
def cluster(port: int = 0) -> Iterator[Cluster]:
    """A server with an empty database; NoPostgres if it cannot be had."""
    place = programs()
    if place is None:
        raise NoPostgres("PostgreSQL is not installed (no initdb found); scripts/ensure_postgres installs it")
    if find_spec("psycopg") is None:
        raise NoPostgres("psycopg is not installed: pip install 'dieselfront[postgres]'")
    owner = _owner()
    folder = Path(tempfile.mkdtemp(prefix="dieselfront-pg-"))
    data = folder / "data"
    try:
        running = _made(place, folder, port or _free_port(), owner)
        running.start()
        yield running
    finally:
        if (data / "postmaster.pid").exists():
            _run([place / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"], owner)
        shutil.rmtree(folder, ignore_errors=True)


def _made(place: Path, folder: Path, port: int, owner: str | None) -> Cluster:
    data = folder / "data"
    try:
        if owner is not None:
            shutil.chown(folder, owner)
    except (LookupError, PermissionError) as error:
        raise NoPostgres(f"PostgreSQL cannot be started by {getpass.getuser()}: {error}") from None
    _run([place / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync"], owner)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c max_connections=100"
    starting = ["-l", folder / "log", "-w", "-t", "60", "-o", options]
    return Cluster(f"postgresql://tester@127.0.0.1:{port}/postgres", [place / "pg_ctl", "-D", data], starting, owner)


def _owner() -> str | None:
    """PostgreSQL refuses to run as root; the user its package makes will do."""
    return "postgres" if hasattr(os, "geteuid") and os.geteuid() == 0 else None


def _run(command: Sequence[object], owner: str | None) -> None:
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, user=owner, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120
        )
    except (LookupError, PermissionError, ValueError) as error:
        raise NoPostgres(f"PostgreSQL cannot be started by {getpass.getuser()}: {error}") from None
    if done.returncode != 0:
        raise NoPostgres(f"PostgreSQL cannot be started here: {done.stdout.strip()[-200:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


__all__ = ["Cluster", "NoPostgres", "cluster", "programs"]
