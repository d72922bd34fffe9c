"""`serve --check`: what is misconfigured about a server, before anybody plays on it. Nothing is changed."""

from __future__ import annotations

import importlib.util
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import SQLAlchemyError

from dieselfront.server import migrate
from dieselfront.server.guard import host_in
from dieselfront.server.routes.pages import find_folder
from dieselfront.server.run import CannotServe, listen
from dieselfront.server.settings import Settings
from dieselfront.server.storage import OnlyOne, StorageError, engine_for

Level = Literal["error", "warning"]


class Finding(NamedTuple):
    """Something that keeps the server from starting, or that its owner should know."""

    level: Level
    about: str
    text: str


def check(settings: Settings) -> list[Finding]:
    """Everything that is wrong or doubtful."""
    parts = (_database, _port, _addresses, _pages, _retention, _system)
    return [finding for part in parts for finding in part(settings)]


def _database(settings: Settings) -> Iterator[Finding]:
    try:
        engine = engine_for(settings.database_url)
    except StorageError as error:
        yield Finding("error", "database", str(error))
        return
    file = Path(engine.url.database or "") if engine.dialect.name == "sqlite" else None
    try:
        if file is not None:
            yield from _file(file)
        if file is None or file.exists():
            with engine.connect() as connection:
                yield from _revision(MigrationContext.configure(connection).get_current_revision())
    except (SQLAlchemyError, OSError) as error:
        cause = str(getattr(error, "orig", None) or error).strip().split("\n", 1)[0]
        shown = engine.url.render_as_string(hide_password=True)
        yield Finding("error", "database", f"{shown} cannot be used: {cause}.")
    finally:
        engine.dispose()


def _file(file: Path) -> Iterator[Finding]:
    folder = next((one for one in file.absolute().parents if one.exists()), Path("/"))
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        yield Finding("error", "database", f"Nothing can be written into {folder}.")
        return
    if file.exists() and not os.access(file, os.W_OK):
        yield Finding("error", "database", f"{file} cannot be written.")
    lock = OnlyOne(str(file))
    if lock.path.exists():
        try:
            lock.take()
        except StorageError as error:
            yield Finding("error", "database", str(error))
        finally:
            lock.let_go()


def _revision(revision: str | None) -> Iterator[Finding]:
    known = ScriptDirectory.from_config(migrate.config(None))
    if revision is None or revision == known.get_current_head():
        return
    if revision in {script.revision for script in known.walk_revisions()}:
        yield Finding(
            "warning", "database", f"Its tables are of revision {revision}; the start brings them up to date."
        )
    else:
        yield Finding("error", "database", f"Its tables are of revision {revision}, which this program does not know.")


def _port(settings: Settings) -> Iterator[Finding]:
    try:
        listen(settings.host, settings.port).close()
    except (CannotServe, socket.gaierror) as error:
        yield Finding("error", "port", str(error))


def _addresses(settings: Settings) -> Iterator[Finding]:
    public = urlsplit(settings.public_url)
    if settings.public_url and (public.scheme not in ("http", "https") or not public.hostname):
        yield Finding("error", "public-url", f"'{settings.public_url}' is no address; expected https://games.example.")
    elif public.scheme == "http" and not settings.is_local:
        yield Finding("warning", "public-url", "Links with http carry the keys of seats unencrypted; use https.")
    if public.hostname and settings.hosts and host_in(public.netloc) not in settings.hosts:
        yield Finding(
            "error", "allow-host", f"The server does not answer to {public.hostname}; name it by --allow-host."
        )
    if not settings.is_local and not settings.allowed_hosts:
        yield Finding("warning", "allow-host", "The server answers to any name; --allow-host names its own.")
    if settings.public_url.startswith("https") and not settings.proxies:
        yield Finding(
            "warning", "proxy", "https needs a proxy in front; --proxy names its address, else all share limits."
        )
    if settings.private_webhooks and not settings.is_local:
        yield Finding("warning", "private-webhooks", "Anybody can make the server call addresses in your own network.")
    if settings.webhooks and not settings.public_url:
        yield Finding("warning", "public-url", "Without --public-url notifications bring no link.")
    if settings.metrics == "all" and not settings.is_local:
        yield Finding("warning", "metrics", "Everybody may read /metrics.")


def _pages(settings: Settings) -> Iterator[Finding]:
    folder = find_folder(settings)
    if folder is None or not (folder / "index.html").is_file():
        yield Finding("warning", "web", "The browser app is not built; `make web` builds it.")


def _retention(settings: Settings) -> Iterator[Finding]:
    if settings.retain_days > 0 and not settings.export_folder:
        yield Finding(
            "error", "export-folder", "--retain-days needs --export-folder: games are exported before they go."
        )
    if settings.export_folder:
        folder = Path(settings.export_folder).absolute()
        base = next((one for one in (folder, *folder.parents) if one.exists()), Path("/"))
        if not base.is_dir() or not os.access(base, os.W_OK):
            yield Finding("error", "export-folder", f"Nothing can be written into {folder}.")


def _system(settings: Settings) -> Iterator[Finding]:
    if settings.thinkers_cluster and importlib.util.find_spec("ray") is None:
        yield Finding("error", "thinkers-cluster", "Ray is not installed: pip install 'dieselfront[ray]'.")
    if importlib.util.find_spec("fpdf") is None:
        yield Finding("warning", "print", "Army lists cannot be printed: pip install 'dieselfront[print]'.")
    try:
        import resource
    except ImportError:  # not on Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 4096:
        yield Finding("warning", "files", f"The system allows {hard} open files; that many connections at most.")


__all__ = ["Finding", "check"]
