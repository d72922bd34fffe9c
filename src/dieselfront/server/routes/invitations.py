"""Inviting a friend: where this server is found from the network, and a link as a QR code."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody

from dieselfront.server import network
from dieselfront.server.messages import LinkText
from dieselfront.server.settings import Settings
from dieselfront.server.shapes import Reach


@get("/reach", summary="Where friends find this server", operation_id="reach")
async def reach(request: Request[Any, Any, State], state: State) -> Reach:
    """The addresses of this machine in its own network are shown only to those who are in it."""
    settings: Settings = state.games.settings
    asker = request.client.host if request.client else ""
    near = network.is_near(asker)
    server = request.scope.get("server") or ("", settings.port)
    origins = await asyncio.to_thread(network.origins, settings, int(server[1] or settings.port)) if near else []
    return Reach(network.is_open(settings), origins, network.HOW_TO_OPEN)


@post("/qr", status_code=200, summary="A link as a QR code", operation_id="qr", media_type="image/svg+xml")
async def qr(data: JSONBody[LinkText]) -> Response[bytes]:
    """An SVG. The text is neither kept nor logged."""
    drawing = await asyncio.to_thread(network.qr_svg, data.text)
    return Response(drawing, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


handlers: list[Any] = [reach, qr]
router = Router("/", route_handlers=handlers, tags=["Invitations"])
