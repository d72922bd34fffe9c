"""Reading and writing the small files people edit: JSON or YAML, of bounded size, refused with one clear
sentence."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from dieselfront.forces.errors import ForcesError

MAX_BYTES = 8 * 1024 * 1024
"""No file of cards or army list that a person wrote is larger."""
MAX_YAML = 1024 * 1024
"""YAML takes a hundred times its size in memory while it is read."""

LINE = r"^[^\x00-\x1f\x7f\u2028\u2029\u0085]*$"
"""One line of text: no control characters, no breaks."""

T = TypeVar("T")
_PLACE = re.compile(r"^(?P<message>.*?)(?: - at `(?P<place>[^`]*)`)?$", re.DOTALL)


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The file's bytes, never more than the limit."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except IsADirectoryError:
        raise ForcesError(f"{path} is a folder; expected a file.") from None
    except FileNotFoundError:
        raise ForcesError(f"There is no file {path}.") from None
    except OSError as error:
        raise ForcesError(f"{path} cannot be read: {error.strerror or error}.") from None
    if len(data) > limit:
        raise ForcesError(f"{path} is larger than {limit // (1024 * 1024)} MB; expected a file a person wrote.")
    return data


def read_document(path: Path) -> Any:
    """The plain data of a JSON or YAML file."""
    return parse_document(read_bytes(path), path.name)


def parse_document(data: bytes, name: str) -> Any:
    """JSON if it looks like it, else YAML; anything else is refused."""
    head = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if head in (b"{", b"["):
        return parse_json(data.removeprefix(b"\xef\xbb\xbf"), name)
    return parse_yaml(data, name)


def parse_json(data: bytes, name: str) -> Any:
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        raise ForcesError(f"{name} is not valid JSON: {error}.") from None
    except (UnicodeDecodeError, RecursionError):
        raise ForcesError(f"{name} is not valid JSON: it is nested too deeply or is not UTF-8 text.") from None


def parse_yaml(data: bytes, name: str) -> Any:
    """YAML without aliases (they are how small files grow to gigabytes) and without any tags of objects."""
    import yaml  # slow to import and rarely needed

    if len(data) > MAX_YAML:
        raise ForcesError(f"{name} is larger than {MAX_YAML // 1024**2} MB; write such a file as JSON.")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = data.decode("utf-8-sig")
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1 if event.start_mark else 0
                raise ForcesError(f"{name}, line {line}: YAML aliases are not accepted; write the value out.")
        return yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise ForcesError(f"{name}{place}: not valid YAML: {problem}.") from None
    except UnicodeDecodeError:
        raise ForcesError(f"{name} is not UTF-8 text; expected JSON or YAML.") from None
    except (RecursionError, ValueError, OverflowError, TypeError) as error:
        if isinstance(error, ForcesError):
            raise
        raise ForcesError(f"{name} is not valid YAML: it is nested too deeply or holds an impossible value.") from None


def convert(data: Any, kind: type[T]) -> T:
    """Plain data as one of our structs; raises `msgspec.ValidationError`, to be explained by `place_and_message`."""
    return msgspec.convert(data, kind, strict=True)


IN_WORDS = {
    r"^(S[1-4]|V[1-7]|A[1-3])$": "an armour from S1 to S4, V1 to V7 or A1 to A3",
    r"^(C|\d{1,3}|\d{1,3}-\d{1,3})$": "a range such as 6, 4-12 or C for close combat",
    r"^(-|(\*{1,4}|\d{1,2})/(#|\d{1,2}))$": "dice/damage such as 4/1, */2 for a blast, 1/# for a kill, or -",
    r"^[a-z0-9]+(-[a-z0-9]+)*$": "an id of small letters, digits and dashes",
    r"^[a-z0-9][a-z0-9-]{0,127}$": "an id of small letters, digits and dashes",
    LINE: "one line of text without control characters",
}
"""What the patterns of our formats mean."""


def place_and_message(error: msgspec.ValidationError) -> tuple[str, str]:
    """The field and the message of a validation error, in the words of a file: weapons[0].count."""
    match = _PLACE.match(str(error))
    assert match is not None
    place = (match["place"] or "").removeprefix("$").lstrip(".")
    message = match["message"].replace("Object ", "")
    field = re.search(r"(?:unknown|required) field `([^`]*)`", message)
    if field:
        place = f"{place}.{field[1]}".lstrip(".")
        message = "no such field" if "unknown" in message else "missing; it is required"
    pattern = re.search(r"`str` matching regex '(.*)'$", message, re.DOTALL)
    if pattern:
        shown = pattern[1].replace("\\\\", "\\")
        message = f"expected {IN_WORDS.get(shown, f'text of the form {shown}')}"
    message = message.replace("`", "")
    return place, message[:1].lower() + message[1:]
