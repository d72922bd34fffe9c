"""Databases for tests: an SQLite file, and a PostgreSQL server of our own where its programs are installed."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def postgres_programs() -> Path | None:
    """Where initdb and pg_ctl are, if anywhere."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


class Cluster:
    """A PostgreSQL server that can be stopped and started."""

    def __init__(self, url: str, pg_ctl: list[object], options: list[object], owner: str | None) -> None:
        self.url = url
        self._pg_ctl = pg_ctl
        self._options = options
        self._owner = owner

    def stop(self) -> None:
        _run([*self._pg_ctl, "-m", "immediate", "-w", "stop"], self._owner)

    def start(self) -> None:
        _run([*self._pg_ctl, *self._options, "start"], self._owner)


@contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL server on a free port of the loopback interface; the URL of its database."""
    with cluster() as running:
        yield running.url


@contextmanager
def cluster() -> Iterator[Cluster]:
    """The same, to be stopped and started."""
    programs = postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (no initdb found)")
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'dieselfront[postgres]'")
    owner = _owner()
    folder = Path(tempfile.mkdtemp(prefix="dieselfront-pg-"))
    if owner is not None:
        shutil.chown(folder, owner)
    data, port = folder / "data", _free_port()
    try:
        _run([programs / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync"], owner)
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c max_connections=50"
        url = f"postgresql://tester@127.0.0.1:{port}/postgres"
        starting = ["-l", folder / "log", "-w", "-t", "60", "-o", options]
        running = Cluster(url, [programs / "pg_ctl", "-D", data], starting, owner)
        running.start()
        yield running
    finally:
        if (data / "postmaster.pid").exists():
            _run([programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"], owner)
        shutil.rmtree(folder, ignore_errors=True)


def _owner() -> str | None:
    """PostgreSQL refuses to run as root; the user its package makes will do."""
    return "postgres" if hasattr(os, "geteuid") and os.geteuid() == 0 else None


def _run(command: list[object], owner: str | None) -> None:
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, user=owner, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120
        )
    except (LookupError, PermissionError, ValueError) as error:
        pytest.skip(f"PostgreSQL cannot be started by {getpass.getuser()}: {error}")
    if done.returncode != 0:
        pytest.skip(f"PostgreSQL cannot be started here: {done.stdout.strip()[-200:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
