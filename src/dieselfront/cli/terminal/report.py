"""A recorded battle shown again: positions after every choice, the log between them, a report to read."""

from __future__ import annotations

from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.cli.terminal.views import view_of
from dieselfront.kernel.events import Event, facts
from dieselfront.kernel.record import BrokenRecord, Header, load, start_replay, steps


class LogLine(msgspec.Struct):
    """One line of the log."""

    rule: str
    kind: str
    text: str
    choice: int


class Frame(msgspec.Struct):
    """The position after a choice and how long the log was then."""

    choice: int
    lines: int
    view: dict[str, Any]


class Story(msgspec.Struct):
    """A whole battle."""

    header: Header
    frames: list[Frame]
    lines: list[LogLine]
    events: list[Event]
    winner: int | None
    over: bool

    def to_json(self) -> dict[str, Any]:
        return {
            "ruleset": self.header.ruleset,
            "scenario": self.header.scenario.get("name", ""),
            "sides": [force.get("name", "") for force in self.header.forces],
            "seats": self.header.seats,
            "winner": self.winner,
            "over": self.over,
            "turns": self.frames[-1].view["turn"],
            "log": [
                {"rule": line.rule, "kind": line.kind, "text": line.text, "choice": line.choice, "data": facts(event)}
                for line, event in zip(self.lines, self.events, strict=True)
            ],
        }


def tell(data: bytes, name: str) -> Story:
    """Replay a record, checked at every choice, and put it into words."""
    kept = load(data, name)
    rules = rulesets.load(kept.header.ruleset)
    try:
        game = start_replay(rules, kept)
        lines: list[LogLine] = []
        frames: list[Frame] = []
        _note(game, lines, frames, 0)
        for choice in steps(game, kept):
            _note(game, lines, frames, choice)
    except BrokenRecord:
        raise
    except (ValueError, KeyError, TypeError, msgspec.ValidationError) as error:
        raise BrokenRecord(f"{name} does not describe a game that can be played: {error}") from None
    return Story(kept.header, frames, lines, list(game.events), game.winner, game.over)


def _note(game: Any, lines: list[LogLine], frames: list[Frame], choice: int) -> None:
    """Keep a position if anything was logged since the last one."""
    names = game.rules.names(game.state)
    fresh = game.events[len(lines) :]
    for event in fresh:
        lines.append(LogLine(event.rule, type(event).__name__, event.sentence(names), choice))
    if fresh or not frames:
        frames.append(Frame(choice, len(lines), view_of(game)))


def print_report(story: Story, *, rules: bool, reasons: bool, boards: bool) -> None:
    """The battle report: who fought, then turn by turn, then who won."""
    from rich.padding import Padding
    from rich.text import Text

    from dieselfront.cli.show import console
    from dieselfront.cli.terminal import board, speech, units

    out = console()
    width = out.width
    last = story.frames[-1].view
    title = story.header.scenario.get("name", story.header.ruleset)
    out.print(Text(f"{title}: ", style="bold") + Text(" against ".join(force["name"] for force in story.header.forces)))
    frames = iter(story.frames)
    shown = next(frames)
    for place, (line, event) in enumerate(zip(story.lines, story.events, strict=True)):
        while shown.lines <= place:
            shown = next(frames)
        if line.kind == "TurnBegan":
            out.print()
            out.rule(Text(line.text, style="bold"), align="left", style="dim")
            if boards:
                out.print(board.render(shown.view, width=width))
                out.print(units.abreast(shown.view, width))
            continue
        words = Text(line.text) + Text(f"  {line.rule}" if rules else "", style="dim")
        if line.kind == "Activated":
            words.stylize("bold")
        out.print(Padding(words, (0, 0, 0, 0 if line.kind == "Activated" else 2)))
        if reasons:
            for why in speech.reasons(event):
                out.print(why)
    out.print()
    if boards:
        out.print(board.render(last, width=width))
    out.print(units.abreast(last, width))
