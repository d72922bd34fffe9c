"""The browser app: the files of web/dist, read once and kept compressed; every other address is a page of the app."""

from __future__ import annotations

import gzip
import mimetypes
from importlib.resources import files
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State

from dieselfront.server.games import Games
from dieselfront.server.refusals import Refused
from dieselfront.server.settings import Settings

FOREVER = "public, max-age=31536000, immutable"
ALWAYS_ASK = "no-cache"
SMALL = 1000
TEXTS = ("text/", "application/javascript", "application/json", "application/manifest+json", "image/svg+xml")

NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Dieselfront</title></head>
<body>
<h1>Dieselfront</h1>
<p>The server is up, but the browser app has not been built yet.</p>
<p>In a clone, <code>make play</code> builds it and starts everything; <code>make web</code> only builds it.
Then reload this page.</p>
<p>The API is described at <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</body>
</html>
"""

mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("font/woff2", ".woff2")


class Page:
    """A file as it is sent."""

    __slots__ = ("body", "etag", "kind", "packed", "stamp")

    def __init__(self, path: Path, stamp: tuple[int, int]) -> None:
        self.body = path.read_bytes()
        self.kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        self.stamp = stamp
        self.etag = f'"{stamp[0]:x}-{stamp[1]:x}"'
        packs = self.kind.startswith(TEXTS) and len(self.body) > SMALL
        self.packed = gzip.compress(self.body, 9) if packs else None


class Pages:
    """The files of the browser app."""

    def __init__(self, settings: Settings) -> None:
        self.folder = find_folder(settings)
        self._kept: dict[Path, Page] = {}

    def page(self, path: str) -> tuple[Page, bool] | None:
        """The file of an address, or the app's first page; and whether it never changes. None: there is no app."""
        if self.folder is None or not (self.folder / "index.html").is_file():
            return None
        wanted = self._file(path)
        if wanted is None:
            if is_file_name(path):
                raise Refused(404, "There is no such file.")
            wanted = self.folder / "index.html"
        return self._read(wanted), "assets" in wanted.relative_to(self.folder).parts

    def _file(self, path: str) -> Path | None:
        """The file an address names; none if there is no such file in the folder."""
        assert self.folder is not None
        try:
            wanted = (self.folder / path.lstrip("/")).resolve()
            return wanted if wanted.is_relative_to(self.folder) and wanted.is_file() else None
        except (OSError, ValueError):  # a name that is too long, or holds what no name may hold
            return None

    def _read(self, path: Path) -> Page:
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        kept = self._kept.get(path)
        if kept is None or kept.stamp != stamp:
            kept = self._kept[path] = Page(path, stamp)
        return kept


def find_folder(settings: Settings) -> Path | None:
    """Where the built app lies: as set, inside the package, or in the checkout."""
    if settings.web_folder:
        return Path(settings.web_folder).resolve()
    inside = Path(str(files("dieselfront.server"))) / "web"
    beside = Path(__file__).resolve().parents[4] / "web" / "dist"
    return inside if (inside / "index.html").is_file() else beside


def is_file_name(path: str) -> bool:
    """Is a file asked for, rather than a page such as /rules/d47.attack.range?"""
    return "." in path.rpartition("/")[2] and (path.count("/") == 1 or path.startswith("/assets/"))


@get(["/", "/{page_path:path}"], include_in_schema=False)
async def page(request: Request[Any, Any, State], state: State) -> Response[bytes]:
    """A file of the browser app, or the app itself."""
    path = str(request.scope["path"])
    if path.startswith("/api/") or path == "/api":
        raise Refused(404, "There is no such address; /api/openapi.json lists them all.")
    pages: Pages = state.pages
    games: Games = state.games
    served = await games.pools.pages.run(pages.page, path)
    if served is None:
        return Response(
            NOT_BUILT.encode(), media_type="text/html; charset=utf-8", headers={"Cache-Control": ALWAYS_ASK}
        )
    return answer(request, *served)


def answer(request: Request[Any, Any, State], shown: Page, lasting: bool) -> Response[bytes]:
    """The file, packed if the browser can unpack it, or nothing if it has it already."""
    headers = {"Cache-Control": FOREVER if lasting else ALWAYS_ASK, "ETag": shown.etag, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == shown.etag:
        return Response(b"", status_code=304, headers=headers, media_type=shown.kind)
    kind = shown.kind
    if shown.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(shown.packed, media_type=kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(shown.body, media_type=kind, headers=headers)
