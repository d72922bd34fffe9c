"""Where friends reach this server: the machine's addresses in its own network, and links as QR codes."""

from __future__ import annotations

import io
import ipaddress
import socket
from functools import cache

from dieselfront.server.settings import Settings

ELSEWHERE = ("192.0.2.1", "2001:db8::1")
"""Addresses of nobody (kept for documents): asking for the way to them names our own address and sends nothing."""
EVERYWHERE = ("0.0.0.0", "::")
HOW_TO_OPEN = "make play LAN=1, or dieselfront serve --lan"


@cache
def own_addresses() -> tuple[str, ...]:
    """The machine's addresses in networks of its own, best first; none without a network."""
    addresses = [*(_towards(place) for place in ELSEWHERE), *_by_name()]
    return tuple(dict.fromkeys(address for address in addresses if address and _is_private(address)))


def _towards(place: str) -> str:
    family = socket.AF_INET6 if ":" in place else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((place, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return ""


def _by_name() -> list[str]:
    try:
        entries = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return [str(entry[4][0]) for entry in entries]


def _is_private(address: str) -> bool:
    """An address somebody in the same network can reach, and nobody else."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    return parsed.is_private and not (parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified)


def is_near(address: str) -> bool:
    """Does somebody ask from this machine or its own network?"""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return parsed.is_loopback or parsed.is_private


def is_open(settings: Settings) -> bool:
    """Does the server listen to the network, or only to this machine?"""
    return settings.host in EVERYWHERE or settings.host in own_addresses()


def origins(settings: Settings, port: int) -> list[str]:
    """Where the server is found from the network; the public address before all others."""
    if settings.public_url:
        return [settings.public_url.rstrip("/")]
    if settings.proxies:  # askers may be anywhere, and our own network is not theirs
        return []
    return [f"http://{f'[{one}]' if ':' in one else one}:{port}" for one in own_addresses()]


def qr_svg(text: str) -> bytes:
    """A text as a QR code, black on white with the quiet margin that cameras need."""
    import segno

    drawing = io.BytesIO()
    segno.make(text, error="m", micro=False).save(drawing, kind="svg", scale=4, border=3, dark="#000", light="#fff")
    return drawing.getvalue()


def qr_terminal(text: str) -> str:
    """The same for a terminal."""
    import segno

    drawing = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(drawing, border=2, compact=True)
    return drawing.getvalue()


__all__ = ["HOW_TO_OPEN", "is_near", "is_open", "origins", "own_addresses", "qr_svg", "qr_terminal"]
