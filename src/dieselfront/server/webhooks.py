"""Notifications of correspondence games: a short JSON message to an address on the web when it is somebody's turn.

The address is looked up first, and must not lie in the server's own network; redirections are not followed, the answer
is not read. What is sent opens no seat.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import socket
import ssl
from collections.abc import Mapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

import msgspec

from dieselfront.server.fair_slots import Crowded, FairSlots
from dieselfront.server.guard import network_of
from dieselfront.server.live import LiveGame
from dieselfront.server.refusals import asker
from dieselfront.server.settings import Settings
from dieselfront.server.threads import in_own_thread

log = logging.getLogger("dieselfront.server")
SECONDS = 10.0
"""For everything: looking the name up, connecting, sending, hearing the first line. Who drips bytes gains nothing."""
AT_ONCE = 32
OF_ONE_OWNER = OF_ONE_HOST = 8
"""Of those at once: caused by one address, and sent to one host. Nobody's slow receivers hold up the others'."""
WAITING_OF_ONE_OWNER = 64
MOST_WAITING = 1024
TRIES = 3
MOST_BYTES = 4096
UNICAST = ipaddress.ip_network("2000::/3")
"""The addresses that IPv6 gives to the open internet."""


JSON_HEADERS = {"Content-Type": "application/json"}


class ForbiddenAddress(Exception):
    """An address that notifications must not go to."""


class Webhooks:
    """Sends notifications, a few at a time; whoever causes them shares the slots fairly with others."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.sent = 0
        self.failed = 0
        self.slots = FairSlots(
            AT_ONCE,
            per_owner=OF_ONE_OWNER,
            per_host=OF_ONE_HOST,
            waiting_per_owner=WAITING_OF_ONE_OWNER,
            most_waiting=MOST_WAITING,
        )

    def messages(self, live: LiveGame, seat: int) -> list[tuple[str, dict[str, Any]]]:
        """Who is sent what: the player whose turn it is, or everybody that the game is over."""
        if not self.settings.webhooks:
            return []
        urls = [live.row.webhook]
        urls += [who.webhook for number, who in enumerate(live.seats) if seat in (-1, number)]
        return [(url, self.message(live, seat)) for url in dict.fromkeys(urls) if url]

    def message(self, live: LiveGame, seat: int) -> dict[str, Any]:
        """What is sent: whose turn it is, or that the game is over."""
        decision = live.pending
        if seat < 0 or decision is None:
            outcome = live.outcome
            text = f"{live.brief.name}: the game is over. {outcome.reason if outcome else ''}".strip()
        else:
            text = f"{live.brief.name}, turn {live.turn}: {live.seats[seat].name} is to decide. {decision.text}"
        link = f"{self.settings.public_url.rstrip('/')}/battle/{live.id}" if self.settings.public_url else None
        facts = {"game": live.id, "seat": seat if seat >= 0 else None, "turn": live.turn, "version": live.version}
        return {**facts, "over": live.over, "link": link, "text": text, "content": text}

    async def send(self, url: str, message: dict[str, Any]) -> None:
        """Send one as JSON."""
        await self.deliver(url, msgspec.json.encode(message), JSON_HEADERS, message["game"])

    async def deliver(self, url: str, body: bytes, headers: Mapping[str, str], game: str) -> int:
        """Post it, with a few tries; returns the last status, 0 if there was none.

        Failures are logged without the address's path, which may be a secret.
        """
        status = 0
        for attempt in range(TRIES):
            try:
                async with self.slots.slot(asker.get(), host_of(url)), asyncio.timeout(SECONDS):
                    status = await self._post(url, body, headers)
            except ForbiddenAddress as error:
                log.warning("notification of game %s: %s", game, error)
                break
            except Crowded:
                log.warning("notification of game %s is not sent: too many wait", game)
                break
            except (OSError, EOFError, ValueError, TimeoutError) as error:
                log.warning("notification of game %s failed: %s", game, type(error).__name__)
            else:
                if status < 500:
                    self.sent += 1
                    return status
            await asyncio.sleep(2.0**attempt)
        self.failed += 1
        return status

    async def _post(self, url: str, body: bytes, headers: Mapping[str, str] = JSON_HEADERS) -> int:
        """Post something to an address; returns the status. Whoever waits for it brings the deadline."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        secure = parts.scheme == "https"
        port = parts.port or (443 if secure else 80)
        address = await in_own_thread(public_address, host, port, self.settings.private_webhooks)
        reader, writer = await asyncio.open_connection(
            address,  # the very address that was looked up, whatever the name says a moment later
            port,
            ssl=ssl.create_default_context() if secure else None,
            server_hostname=host if secure else None,
            limit=MOST_BYTES,
        )
        try:
            writer.write(request_head(parts, len(body), headers) + body)
            await writer.drain()
            return status_of(await reader.readuntil(b"\n"))
        finally:
            writer.transport.abort()


def host_of(url: str) -> str:
    """The host of an address as it is counted: a name, or the network of an IPv6 address."""
    return network_of(urlsplit(url).hostname or "")


def why_not_address(url: str, allow_private: bool) -> str | None:
    """Why nothing will ever be sent to an address; names are looked up when something is sent."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "This is no address that anything could be sent to."
    if not host or parts.username is not None or parts.password is not None:
        return "This is no address that anything could be sent to."
    with contextlib.suppress(ValueError):
        if not allow_private and not is_public(host):
            return "Notifications do not go to addresses in a private network."
    return None


def request_head(parts: SplitResult, length: int, headers: Mapping[str, str]) -> bytes:
    """The head of the request; addresses hold visible ASCII only, so nothing can slip in between the lines."""
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host = parts.netloc.rpartition("@")[2]
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: {host}",
        *(f"{name}: {value}" for name, value in headers.items()),
        "User-Agent: dieselfront",
        f"Content-Length: {length}",
        "Connection: close",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


def status_of(line: bytes) -> int:
    """The status in the first line of an answer; the rest is not read."""
    version, _, rest = line.partition(b" ")
    if not version.startswith(b"HTTP/1."):
        raise ValueError("not an answer of a web server")
    return int(rest[:3])


def public_address(host: str, port: int, allow_private: bool) -> str:
    """The address of a host, looked up once; one in the server's own network is refused."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in entries]
    if not allow_private:
        for address in addresses:
            if not is_public(address):
                raise ForbiddenAddress("the address lies in a private network")
    return addresses[0]


def is_public(address: str) -> bool:
    """Is it an address of the open internet? One that leads on to an older kind of address is not."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            parsed = parsed.ipv4_mapped
        elif parsed not in UNICAST or parsed.teredo is not None or parsed.sixtofour is not None:
            return False  # translated (64:ff9b::/96), compatible (::127.0.0.1), site-local (fec0::), tunnels
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


__all__ = ["ForbiddenAddress", "Webhooks", "is_public", "public_address", "why_not_address"]
