"""Notifications of correspondence games: a short JSON message to an address on the web when it is somebody's turn.

The address is looked up first, and must not lie in the server's own network; redirections are not followed, the answer
is not read. What is sent opens no seat.
"""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import logging
import socket
import ssl
from typing import Any
from urllib.parse import urlsplit

import msgspec

from dieselfront.server.live import LiveGame
from dieselfront.server.settings import Settings

log = logging.getLogger("dieselfront.server")
SECONDS = 10.0
AT_ONCE = 8
TRIES = 3


class ForbiddenAddress(Exception):
    """An address that notifications must not go to."""


class Webhooks:
    """Sends notifications, a few at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._slots = asyncio.Semaphore(AT_ONCE)

    def messages(self, live: LiveGame, seat: int) -> list[tuple[str, dict[str, Any]]]:
        """Who is to be told what: the player whose turn it is, or everybody that the game is over."""
        if not self.settings.webhooks:
            return []
        urls = [live.row.webhook]
        urls += [who.webhook for number, who in enumerate(live.seats) if seat in (-1, number)]
        return [(url, self._message(live, seat)) for url in dict.fromkeys(urls) if url]

    def _message(self, live: LiveGame, seat: int) -> dict[str, Any]:
        decision = live.pending
        if seat < 0 or decision is None:
            outcome = live.outcome
            text = f"{live.brief.name}: the game is over. {outcome.reason if outcome else ''}".strip()
        else:
            text = f"{live.brief.name}, turn {live.turn}: {live.seats[seat].name} is to decide. {decision.text}"
        link = f"{self.settings.public_url.rstrip('/')}/battle/{live.id}" if self.settings.public_url else None
        told = {"game": live.id, "seat": seat if seat >= 0 else None, "turn": live.turn, "version": live.version}
        return {**told, "over": live.over, "link": link, "text": text, "content": text}

    async def send(self, url: str, message: dict[str, Any]) -> None:
        """Send one, with a few tries; failures are logged without the address's path, which may be a secret."""
        body = msgspec.json.encode(message)
        async with self._slots:
            for attempt in range(TRIES):
                try:
                    status = await asyncio.to_thread(post, url, body, self.settings.private_webhooks)
                except ForbiddenAddress as error:
                    log.warning("webhook of game %s: %s", message["game"], error)
                    return
                except (OSError, http.client.HTTPException, ValueError) as error:
                    log.warning("webhook of game %s failed: %s", message["game"], type(error).__name__)
                else:
                    if status < 500:
                        return
                await asyncio.sleep(2.0**attempt)


def post(url: str, body: bytes, allow_private: bool) -> int:
    """Post JSON to an address; returns the status."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = _Pinned(host, port, public_address(host, port, allow_private), parts.scheme == "https")
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"Content-Type": "application/json", "User-Agent": "dieselfront"}
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    finally:
        connection.close()


def public_address(host: str, port: int, allow_private: bool) -> str:
    """The address of a host, looked up once; one in the server's own network is refused."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in found]
    if not allow_private:
        for address in addresses:
            if not is_public(address):
                raise ForbiddenAddress("the address lies in a private network")
    return addresses[0]


def is_public(address: str) -> bool:
    """Is it an address of the open internet?"""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour
        if inner is not None:
            parsed = inner
    return parsed.is_global and not parsed.is_multicast


class _Pinned(http.client.HTTPConnection):
    """A connection to the very address that was looked up, whatever the name says a moment later."""

    def __init__(self, host: str, port: int, address: str, secure: bool) -> None:
        super().__init__(host, port, timeout=SECONDS)
        self._address = address
        self._secure = secure

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address, self.port), self.timeout)
        if self._secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)
