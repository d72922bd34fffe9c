"""Push notifications: a person's browsers are told that it is his turn, even while no page is open (Web Push).

What is sent is encrypted for the browser (pywebpush) and signed with the server's own key (VAPID), which all processes
on a database share. It goes out like every other notification: never into the server's own network, with a deadline.
"""

from __future__ import annotations

import asyncio
import base64
import time
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from dieselfront.server import tables, tokens
from dieselfront.server.live import LiveGame
from dieselfront.server.messages import Subscription
from dieselfront.server.refusals import Refused
from dieselfront.server.settings import Settings
from dieselfront.server.storage import Conflict, Storage
from dieselfront.server.webhooks import Webhooks, why_not_address

if TYPE_CHECKING:
    from py_vapid import Vapid02

KEY_NAME = "vapid"
MOST_BROWSERS = 10
SIGNED_SECONDS = 12 * 3600
KEPT_SECONDS = 24 * 3600
"""How long a push service keeps a notification for a browser that is off."""
GONE = (404, 410)
"""What a push service says about a browser that does not listen any more."""


class Push:
    """Sends push notifications."""

    def __init__(self, storage: Storage, settings: Settings, webhooks: Webhooks) -> None:
        self.storage = storage
        self.settings = settings
        self.webhooks = webhooks
        self._signer: Vapid02 | None = None

    async def signer(self) -> Vapid02:
        """The server's own key pair, made when it is first asked for."""
        if self._signer is None:
            from py_vapid import Vapid02

            kept = await self._kept_key()
            if kept is None:
                made = Vapid02()
                made.generate_keys()
                try:
                    row = {"name": KEY_NAME, "value": made.private_pem().decode()}
                    await self.storage.write(lambda connection: connection.execute(insert(tables.server_keys), row))
                except Conflict:
                    pass  # another process was faster
                kept = await self._kept_key()
            self._signer = Vapid02.from_pem(str(kept).encode())
        return self._signer

    async def _kept_key(self) -> str | None:
        keys = tables.server_keys
        wanted = select(keys.c.value).where(keys.c.name == KEY_NAME)
        return await self.storage.read(lambda connection: connection.execute(wanted).scalar())

    async def public_key(self) -> str:
        """The public half, as browsers want it."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        public = (await self.signer()).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(public).rstrip(b"=").decode()

    async def subscribe(self, person: str, given: Subscription) -> int:
        """One more browser of a person; returns how many there are."""
        if not given.endpoint.startswith("https://") and not self.settings.private_webhooks:
            raise Refused(422, "Push services have addresses that begin with https://.")
        fault = why_not_address(given.endpoint, self.settings.private_webhooks)
        if fault is not None:
            raise Refused(422, fault)
        await asyncio.to_thread(sealed, given, {})  # keys that encrypt nothing are refused now
        subscriptions = tables.subscriptions
        row = {"id": tokens.hashed(given.endpoint), "person": person, "created": time.time()}
        row["data"] = msgspec.json.encode(given).decode()
        count = 0

        def work(connection: Connection) -> None:
            nonlocal count
            connection.execute(delete(subscriptions).where(subscriptions.c.id == row["id"]))
            mine = select(func.count()).select_from(subscriptions).where(subscriptions.c.person == person)
            count = connection.execute(mine).scalar_one() + 1
            if count > MOST_BROWSERS:
                raise Refused(429, f"At most {MOST_BROWSERS} browsers of yours are notified.")
            connection.execute(insert(subscriptions), row)

        await self.storage.write(work)
        return count

    async def unsubscribe(self, person: str, endpoint: str | None = None) -> int:
        """One of a person's browsers no more, or none; returns how many there are still."""
        subscriptions = tables.subscriptions
        gone = delete(subscriptions).where(subscriptions.c.person == person)
        if endpoint is not None:
            gone = gone.where(subscriptions.c.id == tokens.hashed(endpoint))
        await self.storage.write(lambda connection: connection.execute(gone))
        left = select(func.count()).select_from(subscriptions).where(subscriptions.c.person == person)
        return await self.storage.read(lambda connection: connection.execute(left).scalar_one())

    async def notify(self, person: str, live: LiveGame, seat: int) -> None:
        """Tell a person how a game stands."""
        if self.settings.push:
            message = self.webhooks.message(live, seat)
            await self.send(person, message["game"], message["text"], message["over"])

    async def send(self, person: str, game: str, text: str, over: bool = False) -> None:
        """Tell all browsers of a person; those that listen no more are forgotten."""
        if not self.settings.push:
            return
        subscriptions = tables.subscriptions
        wanted = select(subscriptions.c.id, subscriptions.c.data).where(subscriptions.c.person == person)
        for id, data in await self.storage.read(lambda connection: list(connection.execute(wanted).all())):
            given = msgspec.json.decode(data, type=Subscription)
            body = await asyncio.to_thread(sealed, given, {"game": game, "text": text, "over": over})
            headers = self._headers(await self.signer(), given.endpoint)
            if await self.webhooks.deliver(given.endpoint, body, headers, game) in GONE:
                await self.storage.write(partial(_forget, id=id))

    def _headers(self, signer: Vapid02, endpoint: str) -> dict[str, str]:
        parts = urlsplit(endpoint)
        contact = self.settings.public_url or "https://localhost"
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": contact, "exp": int(time.time()) + SIGNED_SECONDS}
        signed: dict[str, str] = signer.sign(claims)
        return {
            **signed,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT_SECONDS),
        }


def _forget(connection: Connection, id: str) -> None:
    connection.execute(delete(tables.subscriptions).where(tables.subscriptions.c.id == id))


def sealed(given: Subscription, message: dict[str, Any]) -> bytes:
    """A message that only this browser can read."""
    from pywebpush import WebPusher  # slow to import, and many servers never push

    try:
        encrypted = WebPusher(msgspec.to_builtins(given)).encode(msgspec.json.encode(message), "aes128gcm")
        return bytes(encrypted["body"])
    except Exception:  # whatever a forged key leads to
        raise Refused(422, "These are no keys of a browser.") from None


__all__ = ["Push", "sealed"]
