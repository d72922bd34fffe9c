"""A game at the terminal: people, computers, or both; the screen, the commands, the log."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.rule import Rule as Ruler
from rich.table import Table as Grid
from rich.text import Text

from dieselfront import rulebook
from dieselfront.cli.terminal import board, speech, units
from dieselfront.cli.terminal.ask import Menu, spots_of
from dieselfront.cli.terminal.outlook import outlook
from dieselfront.cli.terminal.views import view_of
from dieselfront.kernel.decisions import Answer, Decision, IllegalChoice, TypeDice
from dieselfront.kernel.game import CannotUndo, Game
from dieselfront.kernel.record import dump, record
from dieselfront.referee.choices import Unclear

WIDE = 116
FEWEST_LINES = 6
DEPLOYMENT = ("deploy", "deploy-unit")

HELP = """\
a number      the answer of that number          C4, C4 N      a square, and a facing
words         an answer in words: a1, move + attack, machinegun at b1, rest hold
Enter         what the computer would do here    deploy        let it place the rest of your units
?             the rule behind this question      ? ID          any rule, by the id that the log names
u             take back, as long as no die fell  log [N]       the last N lines of the log
board         draw the board again               card ID       a unit's weapons and skills
odds          what each declared attack promises
save FILE     write the game to a file           q             leave the game
"""


class Left(Exception):
    """The player leaves the table."""


class Table:
    """One game, its players (None is a person) and the screen it is played on."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Any],
        advisor: Any,
        console: Console,
        *,
        delay: float = 0.0,
    ) -> None:
        self.game = game
        self.players = list(players)
        self.advisor = advisor
        self.console = console
        self.delay = delay
        self.seen = 0
        self.fresh = 0
        self.lines: list[Text] = []
        self.notice: list[RenderableType] = []
        self.deploying = False

    @property
    def watching(self) -> bool:
        """Is nobody at the keyboard going to decide anything?"""
        return all(player is not None for player in self.players)

    def play(self) -> None:
        """Until the game is over, or the player leaves."""
        while (decision := self.game.pending) is not None:
            computer = None if isinstance(decision, TypeDice) else self.players[decision.player]
            if computer is not None:
                self._let(computer, decision)
            elif self.deploying and decision.key in DEPLOYMENT:
                self._suggested(decision)
            else:
                self._ask(decision)
        self._gather()
        self._screen(None)
        self.say(Text("The battle is over.", style="bold"))

    def _let(self, computer: Any, decision: Decision) -> None:
        """The computer chooses; those who watch see the board before every activation."""
        if self.watching and decision.key == "activate":
            self._gather()
            if self.console.is_terminal:
                self._screen(None)
            if self.delay:
                time.sleep(self.delay)
        self.game.choose(computer.choose(self.game))

    def _suggested(self, decision: Decision) -> None:
        self.game.choose(self.advisor.choose(self.game))

    # -- asking ---------------------------------------------------------------------------------

    def _ask(self, decision: Decision) -> None:
        """Show everything, then read commands until one is an answer."""
        self._gather()
        menu = Menu(decision, self._facing(decision))
        self._screen(decision, menu)
        while self.game.pending is decision:
            text = self._line()
            try:
                answer = self._command(decision, menu, text)
                if answer is not None:
                    self.game.choose(answer[0])
            except (Unclear, IllegalChoice) as error:
                rule = getattr(error, "rule", None)
                self.say(Text(f"{error}" + (f"  ({rule})" if rule else ""), style="yellow"))

    def _line(self) -> str:
        try:
            return self.console.input("[bold]> [/bold]").strip()
        except EOFError:
            raise Left from None

    def _command(self, decision: Decision, menu: Menu, text: str) -> tuple[Answer] | None:
        """Carry out a command, or read an answer (in a tuple, since None is one too)."""
        word, _, rest = text.partition(" ")
        commands = {
            "?": self._explain,
            "help": self._help,
            "h": self._help,
            "log": self._log,
            "board": self._again,
            "card": self._card,
            "units": self._units,
            "odds": self._odds,
            "save": self._save,
            "u": self._undo,
            "undo": self._undo,
            "q": self._leave,
            "quit": self._leave,
            "deploy": self._deploy,
        }
        if not text:
            return (self.advisor.choose(self.game),)
        if text.startswith("?") and len(word) > 1:
            word, rest = "?", text[1:]
        if word.lower() in commands:
            commands[word.lower()](decision, menu, rest.strip())
            return None
        return (menu.read(text),)

    # -- commands -------------------------------------------------------------------------------

    def _explain(self, decision: Decision, menu: Menu, rest: str) -> None:
        wanted = rest or decision.rule
        if not wanted:
            self.say(Text("No single rule stands behind this question; ? ID explains any rule of the log."))
            return
        try:
            rule = rulebook.find(wanted)
        except rulebook.RulebookError:
            self.say(Text(f"There is no rule '{wanted}'.", style="yellow"))
            return
        self.say(Text(f"{rule.title}  ", style="bold") + Text(rule.id, style="dim"))
        self.say(Text(rule.text))
        if rule.example:
            self.say(Text(f"Example: {rule.example}", style="italic"))

    def _help(self, decision: Decision, menu: Menu, rest: str) -> None:
        self.say(Text(HELP))

    def _log(self, decision: Decision, menu: Menu, rest: str) -> None:
        count = int(rest) if rest.isdigit() else 40
        for line in self.lines[-count:]:
            self.say(line)

    def _again(self, decision: Decision, menu: Menu, rest: str) -> None:
        self._screen(decision, menu)

    def _units(self, decision: Decision, menu: Menu, rest: str) -> None:
        self.say(units.abreast(self._view(), self.console.width))

    def _card(self, decision: Decision, menu: Menu, rest: str) -> None:
        wanted = rest or decision.unit
        for unit in self._view()["units"]:
            if wanted in (unit["id"], unit["name"]):
                self.say(card(unit))
                return
        self.say(Text(f"There is no unit '{wanted}'; the ids stand on the board.", style="yellow"))

    def _odds(self, decision: Decision, menu: Menu, rest: str) -> None:
        lines = outlook(self.game, decision, menu.numbered)
        for line in lines or ["There is no attack to declare just now."]:
            self.say(Text(line))

    def _save(self, decision: Decision, menu: Menu, rest: str) -> None:
        path = Path(rest or "battle.json")
        try:
            save(self.game, path)
        except OSError as error:
            self.say(Text(f"{path} cannot be written: {error.strerror or error}", style="yellow"))
            return
        self.say(Text(f"Saved to {path}; `dieselfront play --load {path}` goes on from here."))

    def _undo(self, decision: Decision, menu: Menu, rest: str) -> None:
        """Take back the person's own last choice, and what computers answered since, unless dice have fallen."""
        try:
            self.game.undo()
            while (now := self.game.pending) is not None and self.players[now.player] is not None:
                self.game.undo()
        except CannotUndo as error:
            self.say(Text(f"{error}.".capitalize(), style="yellow"))
        self.seen = len(self.game.events)
        del self.lines[self.seen :]
        self.deploying = False

    def _deploy(self, decision: Decision, menu: Menu, rest: str) -> None:
        if decision.key not in DEPLOYMENT:
            self.say(Text("The deployment is over.", style="yellow"))
            return
        self.deploying = True
        self._suggested(decision)

    def _leave(self, decision: Decision, menu: Menu, rest: str) -> None:
        raise Left

    # -- the screen -----------------------------------------------------------------------------

    def say(self, what: RenderableType) -> None:
        self.console.print(what)

    def _view(self) -> dict[str, Any]:
        return view_of(self.game)

    def _facing(self, decision: Decision) -> Any:
        for unit in self._view()["units"]:
            if unit["id"] == decision.unit and unit["places"]:
                return unit["facing"]
        return None

    def _gather(self) -> None:
        """Put new events into words."""
        names = speech.called(self._view(), self.game.rules.names(self.game.state), self.console.width)
        self.fresh = len(self.game.events) - self.seen
        for event in self.game.events[self.seen :]:
            line = speech.line_of(event, names)
            self.lines.append(line)
            if not self.console.is_terminal:
                self.say(line)
        self.seen = len(self.game.events)

    def _screen(self, decision: Decision | None, menu: Menu | None = None) -> None:
        """Board, units, the last lines of the log, the question."""
        view = self._view()
        width = self.console.width
        if self.console.is_terminal:
            self.console.clear()
        self.say(headline(view, self.game))
        table = board.render(view, spots_of(decision), width if width < WIDE else width - 60)
        if width >= WIDE:
            grid = Grid.grid(padding=(0, 3))
            grid.add_row(table, units.both(view, max(40, min(70, width - self._board_width(view) - 4))))
            self.say(grid)
        else:
            self.say(table)
            self.say(units.abreast(view, width))
        if self.console.is_terminal:
            self.say(Ruler(style="dim"))
            self._last_lines(view)
        if decision is not None and menu is not None:
            self._question(decision, menu)

    def _board_width(self, view: dict[str, Any]) -> int:
        squares = view["table"]["kind"] == "squares"
        return int(view["table"]["width"]) * 4 + 4 if squares else self.console.width - 60

    def _last_lines(self, view: dict[str, Any]) -> None:
        """As much of what happened since the last question as the screen has room for."""
        rows = int(view["table"]["height"]) if view["table"]["kind"] == "squares" else 24
        used = rows + 8 + (0 if self.console.width >= WIDE else len(view["units"]) // 2)
        room = max(FEWEST_LINES, self.console.height - used - 9)
        for line in self.lines[-min(room, max(self.fresh, FEWEST_LINES)) :]:
            if line.cell_len > self.console.width:
                rule = next((span for span in line.spans[-1:] if span.style == "dim"), None)
                line = line[: rule.start] if rule is not None else line
            self.say(line)

    def _question(self, decision: Decision, menu: Menu) -> None:
        who = self._view()["sides"][decision.player]["name"]
        self.say(Ruler(Text(who, style=board.SIDE_STYLES[decision.player]), align="left", style="dim"))
        self.say(Text(decision.text or decision.key, style="bold"))
        self.say(menu.shown(self.console.width))
        self.say(Text("Enter: let the computer choose   ? rule   u undo   h help", style="dim"))


def headline(view: dict[str, Any], game: Game) -> Text:
    """What is being played, and how far it has come."""
    turn = f"turn {view['turn']} of {view['turns']}" if view["turn"] else "deployment"
    score = view.get("score", [side.get("points", 0) for side in view["sides"]])
    names = [side["name"] for side in view["sides"]]
    line = Text(f"{view.get('scenario') or game.rules.name}  ", style="bold")
    line.append(f"{turn}  ", style="dim")
    line.append(f"{names[0]} {score[0]}", style=board.SIDE_STYLES[0])
    line.append(" : ")
    line.append(f"{score[1]} {names[1]}", style=board.SIDE_STYLES[1])
    return line


def card(unit: dict[str, Any]) -> RenderableType:
    """What is printed on a unit's cards, with ammunition left."""
    parts: list[RenderableType] = [
        Text(f"{unit['name']} ({unit['id']})  armour {unit.get('armour', '')}", style="bold")
    ]
    for part in unit.get("parts", ()):
        if part["soldiers"]:
            parts.append(Text(f"  {part['name']}: {', '.join(part['soldiers'])}"))
        if part["skills"]:
            parts.append(Text(f"  skills: {', '.join(part['skills'])}", style="italic"))
        for weapon in part["weapons"]:
            ammo = "" if weapon["ammo"] is None else f", {weapon['ammo_left']} of {weapon['ammo']} shots left"
            state = "" if weapon["loaded"] else ", not loaded"
            state += ", destroyed" if weapon["broken"] else ""
            parts.append(Text(f"  {weapon['count']} × {weapon['name']}, range {weapon['range']}{ammo}{state}"))
    return Group(*parts)


def save(game: Game, path: Path) -> None:
    """Write the game so that it can be played on, seed and all."""
    path.write_bytes(dump(record(game, publish_seed=True)))
