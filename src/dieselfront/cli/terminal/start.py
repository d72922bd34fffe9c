"""Before the battle: what will be fought, one Enter to begin, a letter to change something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from dieselfront import rulesets
from dieselfront.players import LEVELS
from dieselfront.scenarios import balance, battle, find, names


class Battle(msgspec.Struct):
    """What will be fought: who plays which side is a computer's level or 'you'."""

    ruleset: str = rulesets.DEFAULT
    scenario: str = ""
    blue: str = ""
    red: str = ""
    seats: list[str] = msgspec.field(default_factory=lambda: [PERSON, "regular"])
    seed: str | None = None
    typed_dice: bool = False
    options: dict[str, str] = {}

    def settle(self) -> None:
        """Fill in what nobody chose."""
        starters = battle.starters(self.ruleset)
        scenarios = names(self.ruleset)
        self.scenario = self.scenario or ("crossroads" if "crossroads" in scenarios else (*scenarios, "random")[0])
        self.blue = self.blue or (starters[0] if starters else "random:1")
        others = [name for name in starters if name != self.blue]
        self.red = self.red or (others[0] if others else "random:2")


PERSON = "you"


class Leave(Exception):
    """Nobody wants to play."""


def ask(wanted: Battle, console: Console) -> None:
    """Show the battle and change it until the player presses Enter."""
    while True:
        show(wanted, console)
        try:
            text = console.input("[bold]Enter to begin > [/bold]").strip().lower()
        except EOFError:
            raise Leave from None
        if not text:
            return
        if text in ("q", "quit"):
            raise Leave
        change = CHANGES.get(text[0])
        if change is None:
            console.print(Text("Press Enter to begin, or type one of the letters.", style="yellow"))
        else:
            change(wanted)


def show(wanted: Battle, console: Console) -> None:
    """The battle in a few lines."""
    scenario = find(wanted.scenario, wanted.ruleset)
    blue, red = battle.army(wanted.blue, wanted.ruleset), battle.army(wanted.red, wanted.ruleset)
    sides = rulesets.load(wanted.ruleset).sides
    if console.is_terminal:
        console.clear()
    console.print(Text("DIESELFRONT", style="bold"), Text(rulesets.load(wanted.ruleset).name))
    console.print()
    console.print(Text(f"{scenario['name']}  ", style="bold") + Text(f"({wanted.scenario})", style="dim"))
    console.print(Text(str(scenario.get("text", ""))))
    _warn(console, _words(balance.scenario_note(wanted.ruleset, wanted.scenario)))
    console.print()
    for seat, army, style, place in (
        (0, blue, "bright_cyan", "from the south"),
        (1, red, "bright_red", "from the north"),
    ):
        who = "you" if wanted.seats[seat] == PERSON else f"the computer ({wanted.seats[seat]})"
        console.print(
            Text(f"  {army.name}", style=f"bold {style}") + Text(f", {army.side}, {sides[seat]}, {place}: {who}")
        )
        _warn(console, _words(balance.army_note(wanted.ruleset, (wanted.blue, wanted.red)[seat])))
    _warn(console, balance.pairing_note(wanted.ruleset, wanted.blue, wanted.red))
    console.print()
    console.print(
        Text(
            "s another scenario   a another army   e another enemy   o opponent   x change sides   w watch   q quit",
            style="dim",
        )
    )


def _words(note: balance.Note | None) -> str:
    return note.text if note is not None else ""


def _warn(console: Console, text: str) -> None:
    """What to know of a choice that is lopsided between equal players, if it is."""
    if text:
        console.print(Padding(Text(f"! {text}", style="yellow"), (0, 0, 0, 2)))


def _next(known: tuple[str, ...] | list[str], now: str) -> str:
    if not known:
        return now
    return known[(list(known).index(now) + 1) % len(known)] if now in known else known[0]


def _other_scenario(wanted: Battle) -> None:
    known = [*names(wanted.ruleset), "random:1", "random:2", "random:3"]
    wanted.scenario = _next(known, wanted.scenario)


def _other_army(wanted: Battle) -> None:
    wanted.blue = _next([name for name in battle.starters(wanted.ruleset) if name != wanted.red], wanted.blue)


def _other_enemy(wanted: Battle) -> None:
    wanted.red = _next([name for name in battle.starters(wanted.ruleset) if name != wanted.blue], wanted.red)


def _other_opponent(wanted: Battle) -> None:
    levels = [*LEVELS, PERSON]
    seat = 1 if wanted.seats[0] == PERSON else 0
    wanted.seats[seat] = _next(levels, wanted.seats[seat])


def _change_sides(wanted: Battle) -> None:
    wanted.seats.reverse()


def _watch(wanted: Battle) -> None:
    wanted.seats = ["regular", "regular"]


CHANGES: dict[str, Callable[[Battle], Any]] = {
    "s": _other_scenario,
    "a": _other_army,
    "e": _other_enemy,
    "o": _other_opponent,
    "x": _change_sides,
    "w": _watch,
}
