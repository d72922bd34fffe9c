"""The log in words: every event as a sentence with its rule, every die with what it meant."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from dieselfront.kernel.events import Event, GameEnded, Rolled

HEADINGS = ("TurnBegan",)
UNIT_FIELDS = ("unit", "target", "to")
SHORTEST = 14


def called(view: dict[str, Any], names: Any, width: int) -> Any:
    """Names for a log beside a board: the id that stands on the board, then as much of the name as fits."""
    room = max(SHORTEST, (width - 44) // 2)
    short = {unit["id"]: f"{unit['id']} {_cut(unit['name'], room)}" for unit in view["units"]}

    def name(field: str, value: Any) -> Any:
        if field in UNIT_FIELDS and value in short:
            return short[value]
        words = names(field, value)
        if field == "pools":
            for unit in view["units"]:
                words = words.replace(unit["name"], unit["id"])
        return words

    return name


def _cut(name: str, room: int) -> str:
    if len(name) <= room:
        return name
    first = name.partition(" + ")[0]
    return first if len(first) <= room else first[: room - 1].rstrip() + "…"


def line_of(event: Event, names: Any, *, rules: bool = True) -> Text:
    """One event as a line."""
    line = _dice(event, names) if isinstance(event, Rolled) else Text(event.sentence(names))
    if type(event).__name__ in HEADINGS or isinstance(event, GameEnded):
        line.stylize("bold")
    if rules and event.rule:
        line.append(f"  {event.rule}", style="dim")
    return line


def reasons(event: Event) -> list[Text]:
    """Why the dice of a plan are as they are, one line each."""
    lines = getattr(event, "reasons", ())
    return [Text(f"    because {text}  ", style="dim") + Text(rule, style="dim") for rule, text in lines]


def _dice(event: Rolled, names: Any) -> Text:
    """Dice by their first letters, successes in brackets; re-rolls and other stages follow by name."""
    who = names("unit", event.unit) if event.unit else names("player", event.player)
    line = Text(f"{who}, " if isinstance(who, str) else "")
    line.append(f"{event.label} ({' or '.join(event.needs)}): ")
    for number, (stage, faces) in enumerate(event.stages):
        if number:
            line.append(f"{stage}: ", style="italic")
        for face in faces:
            good = face in event.needs
            line.append(f"[{face[0]}]" if good else face[0].lower(), style="bold green" if good else "dim")
            line.append(" ")
    line.append(f"→ {event.successes}", style="bold" if event.successes else "")
    return line


__all__ = ["called", "line_of", "reasons"]
