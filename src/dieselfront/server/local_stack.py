"""The parts of deploy/compose.yaml on one machine, without containers: a temporary PostgreSQL server, server processes,
and nginx with the very configuration of the containers in front of them. `deploy/start` runs it."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from dieselfront.server.trial_postgres import NoPostgres, cluster
from dieselfront.server.trial_tools import Process, stop_cleanly

MOST_PROCESSES = 8
START_SECONDS = 20.0
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


class NoNginx(Exception):
    """nginx cannot be had here; one sentence says why."""


def nginx() -> str:
    """The program."""
    for name in (os.environ.get("NGINX", ""), "nginx", "/usr/sbin/nginx"):
        program = shutil.which(name) if name else None
        if program:
            return program
    raise NoNginx("nginx is not installed (scripts/ensure_nginx installs it; or name one: NGINX=/path)")


def app_server(database: str, *options: str) -> Process:
    """A server process as a host starts it."""
    command = ["-c", "from dieselfront.cli import main; main()", "serve", "--port", "0", "--database", database]
    return Process([*command, "--proxy", "127.0.0.1", *options])


def local_configuration(text: str, upstreams: Sequence[str], port: int, folder: Path) -> str:
    """The configuration of the containers with the addresses and folders of this machine."""
    servers = iter(upstreams)
    text = re.sub(r"server app\d+:8047", lambda _: f"server {next(servers)}", text, count=len(upstreams))
    text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};")
    places = "".join(f"    {name}_temp_path {folder / name};\n" for name in TEMPORARY)
    text = text.replace("http {\n", f"http {{\n    access_log off;\n{places}", 1)
    return f"daemon off;\npid {folder / 'nginx.pid'};\nerror_log {folder / 'error.log'};\n{text}"


@contextmanager
def proxy(configuration: Path, upstreams: Sequence[str]) -> Iterator[str]:
    """nginx in front of some processes; the address it is reached at."""
    program = nginx()
    port = _free_port()
    with tempfile.TemporaryDirectory(prefix="dieselfront-nginx-") as place:
        folder = Path(place)
        written = folder / "nginx.conf"
        written.write_text(local_configuration(configuration.read_text(), upstreams, port, folder))
        running = subprocess.Popen([program, "-p", place, "-c", str(written), "-e", str(folder / "error.log")])
        try:
            _wait_for(port, running, folder / "error.log")
            yield f"http://127.0.0.1:{port}"
        finally:
            running.send_signal(signal.SIGTERM)
            running.wait(20)


def _wait_for(port: int, running: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and running.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise NoNginx(f"nginx did not start: {log.read_text().strip()[-200:] if log.exists() else 'no reason was given'}")


@contextmanager
def stack(configuration: Path, processes: int = 2) -> Iterator[tuple[str, list[Process]]]:
    """Everything; the proxy's address and the server processes."""
    with ExitStack() as parts:
        nginx()
        database = parts.enter_context(cluster())
        servers = [parts.enter_context(app_server(database.url, "--thinkers", "1")) for _ in range(processes)]
        upstreams = [server.url.removeprefix("http://") for server in servers]
        yield parts.enter_context(proxy(configuration, upstreams)), servers


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="PostgreSQL, two server processes and nginx, without containers.")
    parser.add_argument("--nginx-conf", type=Path, required=True)
    chosen = parser.parse_args()
    stop_cleanly()
    try:
        with stack(chosen.nginx_conf) as (url, servers), contextlib.suppress(KeyboardInterrupt):
            behind = ", ".join(one.url for one in servers)
            print(f"Dieselfront is at {url}/ (Ctrl-C stops it); behind it: {behind}.", flush=True)
            signal.pause()
    except (NoNginx, NoPostgres) as missing:
        raise SystemExit(str(missing)) from None


if __name__ == "__main__":
    main()
