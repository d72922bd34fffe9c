"""What stands before the API: how much one address may ask, how many sockets it may hold, and strict headers."""

from __future__ import annotations

import ipaddress
import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from dieselfront.server.settings import Limits

log = logging.getLogger("dieselfront.server")
ADDRESSES = 20_000
EVERY_SECONDS = 10.0

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
_NO_STORE = (b"cache-control", b"no-store")

DEAR = (
    ("/odds", 5.0),
    ("/preview", 2.0),
    ("/sight", 2.0),
    ("/replay", 2.0),
    ("/branch", 10.0),
    ("/armies", 4.0),
    ("/records", 10.0),
)


class Bucket:
    """A bucket of permissions that fills up slowly."""

    __slots__ = ("at", "filled", "left", "most")

    def __init__(self, per_second: float, most: float) -> None:
        self.filled = per_second
        self.most = most
        self.left = most
        self.at = time.monotonic()

    def take(self, cost: float) -> bool:
        """Take permissions out; False if there are not enough."""
        now = time.monotonic()
        self.left = min(self.most, self.left + (now - self.at) * self.filled)
        self.at = now
        if self.left < cost:
            return False
        self.left -= cost
        return True

    def wait(self, cost: float) -> int:
        """Seconds until there are enough."""
        return max(1, int((cost - self.left) / self.filled) + 1)


class Complaints:
    """Refusals are logged, but whoever is refused ten thousand times does not fill the log."""

    def __init__(self) -> None:
        self._told: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def about(self, what: str, address: str) -> None:
        """One line for the first refusal, then one for every while, with how many there were."""
        now = time.monotonic()
        told_at, since = self._told.pop((what, address), (-EVERY_SECONDS, 0))
        if now - told_at >= EVERY_SECONDS:
            log.warning("too many %s from %s%s", what, address, f" ({since} more refused)" if since else "")
            told_at, since = now, 0
        else:
            since += 1
        self._told[what, address] = (told_at, since)
        if len(self._told) > ADDRESSES:
            self._told.popitem(last=False)


class Visitors:
    """Buckets and open sockets by address; addresses not seen for long are forgotten."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._requests: OrderedDict[str, Bucket] = OrderedDict()
        self._games: OrderedDict[str, Bucket] = OrderedDict()
        self.sockets: dict[str, int] = {}
        self.complaints = Complaints()

    def requests(self, address: str) -> Bucket:
        """What an address may ask."""
        return self._bucket(self._requests, address, self.limits.requests_per_second, self.limits.requests_burst)

    def games(self, address: str) -> Bucket:
        """The games an address may begin."""
        each_minute = self.limits.new_games_per_minute
        return self._bucket(self._games, address, each_minute / 60, each_minute)

    def _bucket(self, kept: OrderedDict[str, Bucket], address: str, per_second: float, most: float) -> Bucket:
        bucket = kept.get(address)
        if bucket is None:
            bucket = kept[address] = Bucket(per_second, most)
            if len(kept) > ADDRESSES:
                kept.popitem(last=False)
        kept.move_to_end(address)
        return bucket

    def come(self, address: str) -> bool:
        """A socket is opened; False if there are too many from there."""
        open_now = self.sockets.get(address, 0)
        if open_now >= self.limits.sockets_per_address:
            return False
        self.sockets[address] = open_now + 1
        return True

    def go(self, address: str) -> None:
        """A socket is closed."""
        left = self.sockets.get(address, 0) - 1
        if left > 0:
            self.sockets[address] = left
        else:
            self.sockets.pop(address, None)


def address_of(scope: Any) -> str:
    """Who asks: an IPv4 address, or the network of an IPv6 one, which a single household shares."""
    client = scope.get("client")
    host = client[0] if client else ""
    return network_of(host)


def network_of(host: str) -> str:
    """An address as it is counted."""
    try:
        parsed = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def host_in(header: str) -> str:
    """The name in a Host header, without its port."""
    name = header.strip().lower()
    if name.startswith("["):
        return name.partition("]")[0] + "]"
    return name.partition(":")[0]


def cost_of(path: str) -> float:
    """How dear a request is."""
    return next((cost for part, cost in DEAR if part in path), 1.0)


class Guard:
    """The ASGI layer in front of everything."""

    def __init__(self, app: ASGIApp, visitors: Visitors, hosts: Sequence[str] = ()) -> None:
        self.app = app
        self.visitors = visitors
        self.hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            await self._request(scope, receive, send)
        elif scope["type"] == ScopeType.WEBSOCKET:
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Any, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        is_api = path.startswith("/api")
        secure = scope.get("scheme") == "https"

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                headers += _RAW_HEADERS
                if is_api and not any(name == b"cache-control" for name, _ in headers):
                    headers.append(_NO_STORE)
                if secure:
                    headers.append((b"strict-transport-security", b"max-age=31536000"))
                message["headers"] = headers
            await send(message)

        if not self._knows(scope):
            await _refuse(with_headers, 421, "This server does not go by that name.")
            return
        if is_api:
            waiting = self._too_much(scope, path)
            if waiting:
                await _refuse(with_headers, 429, "Too many requests; wait a moment.", waiting)
                return
        await self.app(scope, receive, with_headers)

    def _knows(self, scope: Any) -> bool:
        """Is the server called by one of its names? A page elsewhere must not reach it by a name of its own."""
        if not self.hosts:
            return True
        given = next((value for name, value in scope["headers"] if name == b"host"), b"")
        return host_in(given.decode("latin-1")) in self.hosts

    def _too_much(self, scope: Any, path: str) -> int:
        """Seconds to wait, 0 if the request may pass."""
        address = address_of(scope)
        cost = cost_of(path)
        bucket = self.visitors.requests(address)
        if not bucket.take(cost):
            self.visitors.complaints.about("requests", address)
            return bucket.wait(cost)
        begins = scope["method"] == "POST" and (path.rstrip("/") == "/api/games" or path.endswith("/branch"))
        if begins and not self.visitors.games(address).take(1.0):
            self.visitors.complaints.about("new games", address)
            return self.visitors.games(address).wait(1.0)
        return 0

    async def _socket(self, scope: Any, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        if not self._knows(scope):
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "This server does not go by that name."})
            return
        if not self.visitors.requests(address).take(1.0) or not self.visitors.come(address):
            self.visitors.complaints.about("sockets", address)
            await receive()
            await send({"type": "websocket.close", "code": 1013, "reason": "Too many sockets from your address."})
            return
        try:
            await self.app(scope, receive, send)
        finally:
            self.visitors.go(address)


async def _refuse(send: Send, status: int, reason: str, seconds: int = 0) -> None:
    headers = [(b"content-type", b"application/json")]
    if seconds:
        headers.append((b"retry-after", str(seconds).encode()))
    body = msgspec.json.encode({"reason": reason})
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
