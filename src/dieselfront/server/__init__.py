"""The web server: games over HTTP and WebSockets, kept so that an acknowledged choice is never lost.

    from dieselfront.server import Settings, create_app
    app = create_app(Settings(database="sqlite:///games.sqlite3"))

`dieselfront serve` starts it. The API is described in docs/api.md, how to host it in docs/hosting.md.
"""

from __future__ import annotations

from dieselfront.server.settings import Settings

__all__ = ["Settings", "create_app"]


def create_app(settings: Settings | None = None) -> object:
    """The ASGI application."""
    from dieselfront.server.app import create_app as create  # Litestar is slow to import

    return create(settings or Settings())
