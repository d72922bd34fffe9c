"""States of games as bytes that a later version of the rules can go on from.

A state is plain data: slotted objects of the rulesets, the table and the cards. They are pickled, and read back by an
unpickler that makes objects of these rooms only, calls nothing else, and gives fields that a newer version added the
value they have at the beginning of the game.
"""

from __future__ import annotations

import io
import pickle
import types
import zlib
from collections.abc import Iterator
from typing import Any

import msgspec

ROOMS = ("dice", "table", "forces", "kernel", "rulesets", "scenarios")
PLAIN = {
    ("builtins", name): getattr(__import__("builtins"), name)
    for name in ("set", "frozenset", "bytearray", "complex", "range", "slice")
}
KNOWN = {
    ("collections", "OrderedDict"),
    ("collections", "deque"),
    ("collections", "Counter"),
    ("fractions", "Fraction"),
}
MOST_BYTES = 64 * 1024 * 1024


class Unreadable(Exception):
    """A stored state that this version of the program cannot go on from."""


def pack(state: Any) -> bytes:
    """A state as bytes."""
    out = io.BytesIO()
    _Pickler(out, 5).dump(state)
    return zlib.compress(out.getvalue(), 6)


def unpack(data: bytes, fresh: Any) -> Any:
    """The state, with fields that are new since then as in `fresh`, the first state of the same game."""
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(data, MOST_BYTES)
        state = _Unpickler(io.BytesIO(plain)).load()
        if type(state) is not type(fresh):
            raise Unreadable(f"a {type(state).__name__} is no state of this game")
        _complete(state, fresh)
    except Unreadable:
        raise
    except Exception as error:  # a damaged file may raise anything
        raise Unreadable(f"{type(error).__name__}: {error}") from None
    return state


class _Pickler(pickle.Pickler):
    """Methods of skills are kept by the name of the hook they answer, structs by the names of their fields."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, types.MethodType):
            return bound, (value.__self__, value.__name__)
        if isinstance(value, msgspec.Struct):
            return struct, (type(value), {field: getattr(value, field) for field in value.__struct_fields__})
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in PLAIN:
            return PLAIN[module, name]
        if (module, name) in KNOWN:
            return super().find_class(module, name)
        if module == __name__ and name in ("bound", "struct"):
            return bound if name == "bound" else struct
        room = module.split(".")[1] if module.startswith("dieselfront.") else ""
        loaded = super().find_class(module, name) if room in ROOMS else None
        if not isinstance(loaded, type):
            raise Unreadable(f"{module}.{name} has no place in a state")
        return loaded


def bound(owner: Any, name: str) -> Any:
    """The method of an object that answers a hook."""
    if not name.startswith("on_") or not type(owner).__module__.startswith("dieselfront."):
        raise Unreadable(f"{name} is no hook")
    return getattr(owner, name)


def struct(kind: type[msgspec.Struct], values: dict[str, Any]) -> msgspec.Struct:
    """A struct with these values, whatever it would make of them when it is made new; unknown ones are left out."""
    if not issubclass(kind, msgspec.Struct):
        raise Unreadable(f"{kind.__name__} is no struct")
    known = {field: values[field] for field in kind.__struct_fields__ if field in values}
    made = kind(**known)
    for field, value in known.items():
        msgspec.structs.force_setattr(made, field, value)
    return made


def _complete(state: Any, fresh: Any) -> None:
    """Give every object the fields its class has learned since, from an object of that class in the fresh state."""
    models: dict[type, Any] = {}
    for one in _objects(fresh):
        models.setdefault(type(one), one)
    for one in _objects(state):
        model = models.get(type(one))
        for field in _fields(type(one)):
            if not hasattr(one, field) and model is not None and hasattr(model, field):
                setattr(one, field, getattr(model, field))


def _fields(kind: type) -> Iterator[str]:
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        yield from (slots,) if isinstance(slots, str) else slots


def _objects(root: Any) -> Iterator[Any]:
    """Every object of a ruleset below a state, each once."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple, set, frozenset)):
            waiting += one
        elif type(one).__module__.startswith("dieselfront.rulesets") and not isinstance(one, type):
            yield one
            waiting += [getattr(one, field) for field in _fields(type(one)) if hasattr(one, field)]


__all__ = ["Unreadable", "pack", "unpack"]
