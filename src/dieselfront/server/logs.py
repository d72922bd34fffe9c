"""The server's log: one line an event, as text or as JSON, and never a secret in it.

Tokens of seats, dice seeds and passwords of databases are struck out wherever they might come from.
"""

from __future__ import annotations

import json
import logging
import re
import time
from typing import Any

SECRET = "[secret]"
_SECRETS = (
    re.compile(r"(?<![\w-])[\w-]{32}(?![\w-])"),  # a token of a seat, or a dice seed
    re.compile(r"(?<=://)[^/\s:@]*:[^/\s@]*(?=@)"),  # name and password of a database
    re.compile(r"(?i)(?<=x-seat: )\S+"),
    re.compile(r"(?<=#)[\w,-]{20,}"),  # behind the # of a link
)
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def redacted(text: str) -> str:
    """A text without anything that opens a seat, tells dice or reaches a database."""
    for secret in _SECRETS:
        text = secret.sub(SECRET, text)
    return text


class TextLines(logging.Formatter):
    """LEVEL name: message, for people."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


class JsonLines(logging.Formatter):
    """One JSON object a line, for programs: time, level, logger, message, and what else the event carries."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redacted(record.getMessage()),
        }
        if record.exc_info:
            fields["error"] = redacted(self.formatException(record.exc_info))
        more = {name: value for name, value in vars(record).items() if name not in _USUAL}
        fields |= {name: redacted(str(value)) for name, value in more.items()}
        return json.dumps(fields, ensure_ascii=False)


def set_up(level: str, form: str = "text") -> None:
    """Let everything be logged on stderr in one form."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


__all__ = ["JsonLines", "TextLines", "redacted", "set_up"]
