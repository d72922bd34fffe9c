"""What stands before the API: how much one address may ask, how many sockets it may hold, and strict headers."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import Any

import msgspec
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from dieselfront.server.refusals import asker
from dieselfront.server.settings import Limits

log = logging.getLogger("dieselfront.server")
ADDRESSES = 20_000
EVERY_SECONDS = 10.0
MOST_LETTERS = 2000
UPLOADS = "/api/armies/import"
"""Where files are brought along as a form."""
UNREAD = (UPLOADS, "/api/records")
"""Whose bodies are read in processes of their own."""
EACH_THING = 80
"""Bytes that a list or an object takes in memory."""

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

BEGINNINGS = ("/api/games", "/api/people", "/api/people/recover", "/api/lobby")
"""Where something new is kept: counted by the minute."""

EXPENSIVE = (
    ("/odds", 5.0),
    ("/qr", 5.0),
    ("/cards", 3.0),
    ("/rules", 2.0),
    ("/preview", 2.0),
    ("/sight", 2.0),
    ("/replay", 2.0),
    ("/branch", 10.0),
    ("/sealed-lists", 4.0),
    ("/lobby", 2.0),
    ("/armies", 4.0),
    ("/records", 10.0),
    ("/puzzle", 2.0),
    ("/luck", 5.0),
    ("/review", 2.0),
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

    def spend(self, cost: float) -> None:
        """Take permissions out even if there are not enough; whoever takes next waits longer."""
        self.take(0.0)
        self.left -= cost

    def wait(self, cost: float) -> int:
        """Seconds until there are enough."""
        return max(1, int((cost - self.left) / self.filled) + 1)


class Complaints:
    """Refusals are logged, but whoever is refused ten thousand times does not fill the log."""

    def __init__(self) -> None:
        self._logged: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def about(self, what: str, address: str) -> None:
        """One line for the first refusal, then one for every while, with how many there were."""
        now = time.monotonic()
        logged_at, since = self._logged.pop((what, address), (-EVERY_SECONDS, 0))
        if now - logged_at >= EVERY_SECONDS:
            log.warning("too many %s from %s%s", what, address, f" ({since} more refused)" if since else "")
            logged_at, since = now, 0
        else:
            since += 1
        self._logged[what, address] = (logged_at, since)
        if len(self._logged) > ADDRESSES:
            self._logged.popitem(last=False)


class Held:
    """The bodies of requests that arrive or are being answered: all of them together are bounded."""

    def __init__(self, most: int, per_address: int) -> None:
        self.most = most
        self.per_address = per_address
        self.all = 0
        self.by_address: dict[str, int] = {}

    def take(self, address: str, size: int) -> None:
        """More of a body is there; TooFull if there is no room for it."""
        held = self.by_address.get(address, 0) + size
        if held > self.per_address:
            raise TooFull(detail="Too much of yours is arriving at once; wait a moment.")
        if self.all + size > self.most:
            raise TooFull(status_code=503, detail="Too much is arriving at once; try again in a moment.")
        self.by_address[address] = held
        self.all += size

    def give_back(self, address: str, size: int) -> None:
        """A request is answered."""
        left = self.by_address.get(address, 0) - size
        self.all -= size
        if left > 0:
            self.by_address[address] = left
        else:
            self.by_address.pop(address, None)


class Visitors:
    """Buckets and open sockets by address; addresses not seen for long are forgotten."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._requests: OrderedDict[str, Bucket] = OrderedDict()
        self._games: OrderedDict[str, Bucket] = OrderedDict()
        self._bytes: OrderedDict[str, Bucket] = OrderedDict()
        self.held = Held(limits.bodies_bytes, limits.bodies_per_address)
        self.sockets: dict[str, int] = {}
        self.answers: Counter[int] = Counter()
        """Answers so far, by status."""
        self.complaints = Complaints()

    def requests(self, address: str) -> Bucket:
        """What an address may ask."""
        return self._bucket(self._requests, address, self.limits.requests_per_second, self.limits.requests_burst)

    def bytes(self, address: str) -> Bucket:
        """What an address is sent."""
        return self._bucket(self._bytes, address, self.limits.bytes_per_second, self.limits.bytes_burst)

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


def is_local(scope: Any) -> bool:
    """Does somebody on this machine ask, and not a proxy for somebody else?"""
    forwarded = any(name in (b"x-forwarded-for", b"forwarded", b"x-real-ip") for name, _ in scope["headers"])
    client = scope.get("client")
    try:
        return not forwarded and bool(client) and ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False


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
    """How much a request costs."""
    return next((cost for part, cost in EXPENSIVE if part in path), 1.0)


def normal_path(path: str) -> str:
    """A path as it is routed: one slash between its parts, none at the end."""
    return "/" + "/".join(part for part in path.split("/") if part)


def why_not_path(path: str) -> tuple[int, str] | None:
    """Why a path is no address of ours."""
    if len(path) > MOST_LETTERS:
        return 414, f"An address has at most {MOST_LETTERS} letters."
    if not path.isprintable():
        return 400, "The address holds letters that no address has."
    return None


def header_of(scope: Any, wanted: bytes) -> str:
    """A header of a request, empty if it was not sent."""
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == wanted), "")


class Guard:
    """The ASGI layer in front of everything."""

    def __init__(
        self,
        app: ASGIApp,
        visitors: Visitors,
        hosts: Sequence[str] = (),
        public_url: str = "",
        forwarding: ASGIApp | None = None,
        peer_key: str = "",
    ) -> None:
        self.app = app
        self.behind = forwarding or app
        self.visitors = visitors
        self.peer_key = peer_key
        self.hosts = frozenset(host.lower() for host in hosts)
        self.public_origin = origin_in(public_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.peer_key and "headers" in scope and self._is_peer(scope):
            await self._from_peer(scope, receive, send)
        elif scope["type"] == ScopeType.HTTP:
            await self._request(scope, receive, send)
        elif scope["type"] == ScopeType.WEBSOCKET:
            await self._socket(scope, receive, send)
        else:
            await self.behind(scope, receive, send)

    def _is_peer(self, scope: Any) -> bool:
        """Does another process of this server ask, which has judged the request already?"""
        shown = header_of(scope, b"x-peer-key")
        return bool(shown and self.peer_key) and hmac.compare_digest(shown.encode(), self.peer_key.encode())

    async def _from_peer(self, scope: Any, receive: Receive, send: Send) -> None:
        scope["peer"] = True
        asker.set(header_of(scope, b"x-peer-for"))
        if scope["type"] == ScopeType.HTTP and cost_of(scope["path"]) > 1.0:
            has_body = scope["method"] not in ("GET", "HEAD")
            arriving = Arriving(receive, self.visitors.limits.body_seconds, has_body)
            await self._while_somebody_waits(scope, arriving, send)
        else:
            await self.behind(scope, receive, send)

    async def _request(self, scope: Any, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        asker.set(address)
        fault = why_not_path(scope["path"])
        if fault is None:
            scope["path"] = normal_path(scope["path"])
            scope["raw_path"] = scope["path"].encode()
        path: str = scope["path"]
        is_api = path == "/api" or path.startswith("/api/")
        secure = scope.get("scheme") == "https"
        sent = self.visitors.bytes(address)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.visitors.answers[message["status"]] += 1
                headers = list(message.get("headers", ()))
                headers += _RAW_HEADERS
                if is_api and not any(name == b"cache-control" for name, _ in headers):
                    headers.append(_NO_STORE)
                if secure:
                    headers.append((b"strict-transport-security", b"max-age=31536000"))
                message["headers"] = headers
            elif message["type"] == "http.response.body":
                sent.spend(len(message.get("body", b"")))
            await send(message)

        refusal = fault or self._why_not(scope, path, is_api)
        if refusal is not None:
            await refuse(with_headers, *refusal)
            return
        has_body = scope["method"] not in ("GET", "HEAD")
        seconds, held = self.visitors.limits.body_seconds, self.visitors.held
        arriving = Arriving(receive, seconds, has_body, held, address, is_read=path not in UNREAD)
        try:
            if is_api and cost_of(path) > 1.0:
                await self._while_somebody_waits(scope, arriving, with_headers)
            else:
                await self.behind(scope, arriving, with_headers)
        finally:
            arriving.let_go()

    def _why_not(self, scope: Any, path: str, is_api: bool) -> tuple[int, str] | tuple[int, str, int] | None:
        """Status and reason if a request may not pass, and the seconds after which it may."""
        if not self._knows(scope):
            return 421, "This server does not go by that name."
        changes = scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if changes and not self._is_our_page(scope):
            return 403, "Pages of other sites may not ask for changes here."
        if changes and is_api and not is_readable(scope):
            return 415, "The body has to be application/json, or multipart/form-data where files are brought along."
        waiting = self._too_much(scope, path) if is_api else self._sent_too_much(address_of(scope))
        return (429, "Too many requests; wait a moment.", waiting) if waiting else None

    async def _while_somebody_waits(self, scope: Any, arriving: Arriving, send: Send) -> None:
        """Answer as long as whoever asked is there; work for somebody who left is given up."""
        answering = asyncio.ensure_future(self.behind(scope, arriving, send))
        watching = asyncio.ensure_future(arriving.gone())
        try:
            await asyncio.wait((answering, watching), return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                answering.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await answering
        finally:
            for task in (answering, watching):
                task.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    def _knows(self, scope: Any) -> bool:
        """Is the server called by one of its names? A page elsewhere must not reach it by a name of its own."""
        return not self.hosts or host_in(header_of(scope, b"host")) in self.hosts

    def _is_our_page(self, scope: Any) -> bool:
        """Does a change come from a page of this server, or from no page at all?"""
        origin = header_of(scope, b"origin").lower()
        if not origin:
            return header_of(scope, b"sec-fetch-site") not in ("cross-site", "same-site")
        host, site = header_of(scope, b"host").lower(), origin_in(origin)
        if host_in(host) == host:  # a proxy may leave the port out
            site = site if site == self.public_origin else host_in(site)
        return bool(site) and site in (host, self.public_origin)

    def _too_much(self, scope: Any, path: str) -> int:
        """Seconds to wait, 0 if the request may pass."""
        address = address_of(scope)
        cost = cost_of(path)
        bucket = self.visitors.requests(address)
        if not bucket.take(cost):
            self.visitors.complaints.about("requests", address)
            return bucket.wait(cost)
        if self._sent_too_much(address):
            return self._sent_too_much(address)
        starts = path in BEGINNINGS or path.startswith("/api/sealed-lists")
        begins = scope["method"] == "POST" and (starts or path.endswith(("/branch", "/join", "/rematch")))
        if begins and not self.visitors.games(address).take(1.0):
            self.visitors.complaints.about("new games", address)
            return self.visitors.games(address).wait(1.0)
        return 0

    def _sent_too_much(self, address: str) -> int:
        """Seconds to wait for whoever has been sent a lot, 0 if there is more for him."""
        sent = self.visitors.bytes(address)
        if sent.take(0.0):
            return 0
        self.visitors.complaints.about("bytes", address)
        return sent.wait(0.0)

    async def _socket(self, scope: Any, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        asker.set(address)
        reason = self._why_no_socket(scope, address)
        if reason is not None:
            await receive()
            await send({"type": "websocket.close", "code": reason[0], "reason": reason[1]})
            return
        scope["path"] = normal_path(scope["path"])
        scope["raw_path"] = scope["path"].encode()
        try:
            await self.behind(scope, receive, send)
        finally:
            self.visitors.go(address)

    def _why_no_socket(self, scope: Any, address: str) -> tuple[int, str] | None:
        if why_not_path(scope["path"]) is not None:
            return 1008, "This is no address of ours."
        if not self._knows(scope):
            return 1008, "This server does not go by that name."
        if not self._is_our_page(scope):
            return 1008, "Pages of other sites may not open sockets here."
        if not self.visitors.requests(address).take(1.0) or not self.visitors.come(address):
            self.visitors.complaints.about("sockets", address)
            return 1013, "Too many sockets from your address."
        return None


class Arriving:
    """A request as it arrives: its body has a deadline and needs room, and whoever leaves is noticed."""

    __slots__ = ("_address", "_complete", "_ended", "_held", "_is_read", "_receive", "_size", "_until")

    def __init__(
        self,
        receive: Receive,
        seconds: float,
        has_body: bool,
        held: Held | None = None,
        address: str = "",
        *,
        is_read: bool = True,
    ) -> None:
        self._receive = receive
        self._is_read = is_read
        self._held = held
        self._address = address
        self._size = 0
        self._until = time.monotonic() + seconds
        self._complete = asyncio.Event()
        self._ended: asyncio.Task[Any] | None = None
        if not has_body:
            self._complete.set()

    async def __call__(self) -> Any:
        """The next message; the body has to be there in time."""
        if self._complete.is_set():
            return await self._end()
        try:
            async with asyncio.timeout(max(0.0, self._until - time.monotonic())):
                message: Any = await self._receive()
        except TimeoutError:
            raise TooSlow(detail="The request took too long to arrive.") from None
        size = self._weight(message.get("body", b""))
        if self._held is not None and size:
            self._held.take(self._address, size)
            self._size += size
        if message["type"] != "http.request" or not message.get("more_body", False):
            self._complete.set()
        return message

    def _weight(self, part: bytes) -> int:
        """How much memory a part of a body takes once it is read: lists and objects take more than their letters."""
        return len(part) + (EACH_THING * (part.count(b"[") + part.count(b"{")) if self._is_read else 0)

    def let_go(self) -> None:
        """The request is answered, its body forgotten."""
        if self._held is not None and self._size:
            self._held.give_back(self._address, self._size)
            self._size = 0

    async def _end(self) -> Any:
        if self._ended is None:
            self._ended = asyncio.ensure_future(self._receive())
        return await asyncio.shield(self._ended)

    async def gone(self) -> None:
        """Returns when the request is there and whoever sent it has left."""
        await self._complete.wait()
        while (await self._end())["type"] != "http.disconnect":
            self._ended = None


class TooSlow(HTTPException):
    """A request whose body drips."""

    status_code = 408


class TooFull(HTTPException):
    """A request for whose body there is no room."""

    status_code = 429


def origin_in(text: str) -> str:
    """Host and port of an origin or an address."""
    return text.partition("://")[2].partition("/")[0].lower()


def is_readable(scope: Any) -> bool:
    """Is the body of a kind that no form of another site can send unasked? No body at all is fine."""
    kind = header_of(scope, b"content-type").partition(";")[0].strip().lower()
    if not kind:
        return header_of(scope, b"content-length") in ("", "0") and not header_of(scope, b"transfer-encoding")
    return kind == "application/json" or kind == "multipart/form-data" and scope["path"] == UPLOADS


async def refuse(send: Send, status: int, reason: str, seconds: int = 0) -> None:
    """Answer with a status and one sentence."""
    headers = [(b"content-type", b"application/json")]
    if seconds:
        headers.append((b"retry-after", str(seconds).encode()))
    body = msgspec.json.encode({"reason": reason})
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
