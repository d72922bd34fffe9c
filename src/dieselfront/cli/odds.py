"""`dieselfront odds`: exact odds of an attack, a matrix of many, the luck of a finished game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from dieselfront.cli.errors import UserError, print_json, unknown
from dieselfront.cli.guard import plain_words, sentence
from dieselfront.cli.rulesets import JSON
from dieselfront.cli.situation_options import Given, fields_of, with_situation

if TYPE_CHECKING:
    from dieselfront.kernel.ruleset import Ruleset

DEFAULT = "attack"
BAR = 34
SMALLEST = 0.0005
RULESET = typer.Option(
    None, "--ruleset", "-r", help="The game, as `dieselfront rulesets` lists it; by default the one the cards are of."
)


SITUATIONAL: dict[str, Callable[..., None]] = {}
"""Commands that take the options of situations: those of all games, which are loaded for nothing else here."""


class Shortcut(TyperGroup):
    """`odds A B` is short for `odds attack A B`; a command of SITUATIONAL gets its options when it is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if name in SITUATIONAL:
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            alone.command(name)(with_situation(SITUATIONAL[name]))
            command = get_command(alone)
        return name, command, rest

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=Shortcut,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def odds() -> None:
    """Exact odds: `odds ATTACKER TARGET` for one attack, `odds matrix` for many, `odds luck FILE` for a game."""


def situational(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options of situations; until it is called only its name and its first words are known."""

    def stub() -> None:
        pass

    stub.__doc__ = command.__doc__
    app.command(command.__name__)(stub)
    SITUATIONAL[command.__name__] = command
    return command


@contextmanager
def plain_complaints() -> Iterator[None]:
    """Complaints of the odds room as one sentence, exit 2."""
    from dieselfront.odds import OddsError

    with plain_words():
        try:
            yield
        except OddsError as error:
            raise UserError(sentence(str(error))) from None


# -- one attack ---------------------------------------------------------------------------------------------


@situational
def attack(
    given: Given,
    attacker: Annotated[str, typer.Argument(help="The attacking unit: a card's id, or words of its name.")],
    target: Annotated[str, typer.Argument(help="The unit attacked, in the same form.")],
    ruleset: str | None = RULESET,
    what_if: Annotated[bool, typer.Option("--what-if/--no-what-if", help="Add lines for other situations.")] = True,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the odds into this .svg or .png file.")] = None,
    json: bool = JSON,
) -> None:
    """The exact odds of one unit attacking another."""
    from dieselfront import rulesets
    from dieselfront.odds import adapter

    with plain_complaints():
        game = ruleset or _game_of(attacker, target)
        odds = adapter(game)
        rules = rulesets.load(game)
        situation = odds.situation(_situation(given, game, rules))
        mine, theirs = _card(attacker, game), _card(target, game)
        attack_odds = odds.attack(rules, mine, theirs, situation)
        others = _what_ifs(odds, rules, mine, theirs, attack_odds) if what_if else []
        if plot is not None:
            _plot(attack_odds, plot)
    if json:
        document = attack_odds.to_json()
        document["what_if"] = [_what_if_json(name, other) for name, other in others]
        print_json(document)
    else:
        _show(attack_odds, others)
        if plot is not None:
            _line(f"Drawn into {plot}.")


def _situation(given: Given, game: str, rules: Ruleset[Any]) -> dict[str, Any]:
    """The options of the situation that were given, as the game's fields."""
    return fields_of(given, game, lambda words: _card(words, game).id, lambda pairs: _options(rules, pairs))


def _game_of(*words: str) -> str:
    """The ruleset of which a card was named by its id or its full name."""
    from dieselfront.forces import catalogue
    from dieselfront.odds import games

    rulesets_with_odds = games()
    for game in rulesets_with_odds:
        cards = catalogue(game)
        if any(word in cards or cards.named(word) for word in words):
            return game
    return rulesets_with_odds[0]


def _card(words: str, ruleset: str) -> Any:
    """A card by its id, or by words that only its name holds."""
    from dieselfront.forces import ForcesError, UnknownCard, catalogue

    try:
        return catalogue(ruleset).called(words)
    except UnknownCard:
        raise unknown(
            "card", words, [card.id for card in catalogue(ruleset)], listed_by="dieselfront cards list"
        ) from None
    except ForcesError as error:
        raise UserError(str(error)) from None


def _check_choice(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise UserError(f"--{name} is {' or '.join(known)}, not '{value}'.")


def _options(rules: Ruleset[Any], given: Sequence[str]) -> dict[str, str]:
    """House rulings from NAME=CHOICE."""
    from dieselfront.scenarios.battle import checked_options

    pairs = dict(one.partition("=")[::2] for one in given)
    chosen: dict[str, str] = checked_options(rules, pairs)
    return chosen


def _what_ifs(odds: Any, rules: Ruleset[Any], mine: Any, theirs: Any, attack_odds: Any) -> list[tuple[str, Any]]:
    """The same attack with one thing changed at a time."""
    from dieselfront.odds import OddsError

    lines = []
    for name, situation in odds.what_ifs(attack_odds):
        try:
            lines.append((name, odds.attack(rules, mine, theirs, situation)))
        except OddsError:
            continue
    return lines


def _what_if_json(name: str, other: Any) -> dict[str, Any]:
    odds = other.target_odds
    return {"what_if": name, "expected": odds.expected(), "destroyed": odds.destroyed}


# -- showing ------------------------------------------------------------------------------------------------


def _line(text: str = "", style: str = "") -> None:
    from rich.text import Text

    from dieselfront.cli.show import console

    console().print(Text(text, style=style))


def _show(attack_odds: Any, others: list[tuple[str, Any]]) -> None:
    odds = attack_odds.target_odds
    _line(f"{attack_odds.attacker} attacks {attack_odds.target}", "bold")
    _line(f"{odds.label}; {attack_odds.situation.words()}", "dim")
    _show_steps(odds)
    thing, count = odds.words
    _show_bars(f"{thing.capitalize()} lost by {attack_odds.target}", odds.losses)
    further = "".join(f", {mean:.2f} {name}" for name, mean in odds.expected().items() if name in odds.further)
    _line(
        f"Expected: {odds.mean_hits:.2f} hits, {odds.mean_unsaved:.2f} {count}, "
        f"{odds.mean_losses:.2f} of {odds.capacity} {thing} lost{further}. Destroyed: {odds.destroyed:.1%}."
    )
    _show_chances(odds)
    _show_others(attack_odds)
    if attack_odds.attacker_odds is not None:
        back = attack_odds.attacker_odds
        _line()
        _show_bars(f"Lost by {attack_odds.attacker} meanwhile", back.losses)
        _line(f"Expected: {back.mean_losses:.2f} of {back.capacity} lost. Destroyed: {back.destroyed:.1%}.")
        _show_chances(back)
    _show_reasons(attack_odds)
    _show_what_ifs(odds, others)


def _show_others(attack_odds: Any) -> None:
    """Further targets, and what becomes of all of them together."""
    for name, other in attack_odds.other_odds:
        _line()
        _line(f"{other.label} at {name}", "bold")
        _show_steps(other)
        _show_bars(f"{other.words[0].capitalize()} lost by {name}", other.losses)
        _line(f"Expected: {other.mean_losses:.2f} of {other.capacity} lost. Destroyed: {other.destroyed:.1%}.")
    if attack_odds.other_odds:
        ways = attack_odds.joint()
        every = sum(way["chance"] for way in ways if all(way["destroyed"]))
        some = sum(way["chance"] for way in ways if any(way["destroyed"]))
        _line(f"Taken together: all targets destroyed {every:.1%}, at least one {some:.1%}.")


def _show_steps(odds: Any) -> None:
    from dieselfront.cli.show import table

    rows = [
        (
            f"{step.pool}: {step.label}" if step.kind == "hit" else f"  {step.label}",
            f"{step.dice:.3g}",
            " or ".join(step.faces) + (" (chains)" if step.chain else ""),
            f"{step.chance:.1%}",
            f"{step.expected:.2f}",
            step.rule,
        )
        for step in odds.steps
    ]
    table("", ["roll", "dice", "succeeds on", "each", "expected", "rule"], rows)


def _show_bars(title: str, chances: Sequence[float]) -> None:
    from rich.text import Text

    from dieselfront.cli.show import console

    worth = [value for value, chance in enumerate(chances) if chance >= SMALLEST]
    if not worth:
        return
    longest = max(chances)
    lines = [Text(title, style="bold")]
    for value in range_of(worth):
        bar = bar_of(chances[value] / longest)
        style = "red" if value == len(chances) - 1 else "yellow"
        lines.append(Text.assemble(f"{value:>4} ", (f"{bar:<{BAR}}", style), f" {chances[value]:6.1%}"))
    for line in lines:
        console().print(line)


def range_of(worth: Sequence[int]) -> Iterator[int]:
    """All values from the first to the last worth a bar."""
    return iter([*range(worth[0], worth[-1] + 1)])


def bar_of(share: float) -> str:
    """A bar of eighths of a character."""
    eighths = round(share * BAR * 8)
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]


def _show_chances(odds: Any) -> None:
    if odds.chances:
        _line("; ".join(f"{name} {chance:.1%}" for name, chance in odds.chances.items()).capitalize() + ".")


def _show_reasons(attack_odds: Any) -> None:
    """Every modifier with its rule, and the weapons that take no part."""
    from dieselfront.cli.show import item

    seen: dict[str, None] = {}
    for step in attack_odds.target_odds.steps:
        for because in step.because:
            seen.setdefault(f"{because.text} ({because.rule})")
    refused = [f"{name} takes no part: {reason} ({rule})" for name, rule, reason in attack_odds.refused]
    if seen or refused:
        _line()
        _line("Why", "bold")
        for text in [*seen, *refused]:
            item(text)


def _show_what_ifs(odds: Any, others: list[tuple[str, Any]]) -> None:
    from dieselfront.cli.show import table

    if others:
        _line()
        rows = [("as it is", f"{odds.mean_losses:.2f}", f"{odds.destroyed:.1%}")]
        rows += [(name, f"{o.target_odds.mean_losses:.2f}", f"{o.target_odds.destroyed:.1%}") for name, o in others]
        table("What if", ["situation", "lost", "destroyed"], rows)


def _plot(attack_odds: Any, file: Path) -> None:
    from dieselfront.odds import plot

    odds = attack_odds.target_odds
    unit = "lost"
    panels = [
        plot.Panel(f"Lost by {attack_odds.target}", odds.losses, unit, True),
        plot.Panel("Hits", odds.hits, "hits"),
    ]
    if attack_odds.attacker_odds is not None:
        panels.insert(1, plot.Panel(f"Lost by {attack_odds.attacker}", attack_odds.attacker_odds.losses, unit, True))
    panels += [plot.Panel(name.capitalize(), chances, name) for name, chances in odds.further.items()]
    panels = [panel for panel in panels if panel.chances]
    title = f"{attack_odds.attacker} attacks {attack_odds.target}"
    subtitle = f"{attack_odds.situation.words()}; {odds.mean_losses:.2f} lost, destroyed {odds.destroyed:.1%}"
    plot.write(plot.picture(title, subtitle, panels), file)


# -- many attacks -------------------------------------------------------------------------------------------


@situational
def matrix(
    given: Given,
    mine: Annotated[
        str, typer.Argument(help="My units: card ids with commas, an army list, a bloc (allies) or a nation (germany).")
    ],
    theirs: Annotated[str, typer.Argument(help="Their units, in the same form.")],
    ruleset: str | None = RULESET,
    weapons: Annotated[bool, typer.Option("--weapons", help="A row for every weapon instead of every unit.")] = False,
    show: Annotated[
        str, typer.Option("--show", help="worth: points destroyed per point; kill: chance to destroy; lost: losses.")
    ] = "worth",
    limit: Annotated[int, typer.Option("--limit", min=1, max=400, help="At most so many units a side.")] = 20,
    json: bool = JSON,
) -> None:
    """Every unit of one list against every unit of another."""
    from dieselfront import rulesets
    from dieselfront.odds import adapter
    from dieselfront.odds.matrix import matrix as worked_out

    with plain_complaints():
        game = ruleset or _game_of_list(mine, theirs)
        _check_choice("show", show, tuple(SHOWN))
        rules = rulesets.load(game)
        situation = adapter(game).situation(_situation(given, game, rules))
        rows, columns = _units(mine, game)[:limit], _units(theirs, game)[:limit]
        table = worked_out(rules, rows, columns, situation, by_weapon=weapons)
    if json:
        print_json(table.to_json())
    else:
        _show_matrix(table, show)


SHOWN: dict[str, tuple[str, Callable[[Any], float], str]] = {
    "worth": ("Army points destroyed per army point attacking", lambda cell: float(cell.worth), "{:.2f}"),
    "kill": ("Chance to destroy", lambda cell: float(cell.destroyed), "{:.0%}"),
    "lost": ("Losses to be expected", lambda cell: float(cell.expected), "{:.1f}"),
}
NAME_WIDTH, CELL_WIDTH = 26, 6


def _game_of_list(*lists: str) -> str:
    """The ruleset whose blocs, nations, army lists or cards were named."""
    from dieselfront.forces import catalogue
    from dieselfront.odds import games
    from dieselfront.scenarios.battle import starters

    for game in games():
        sides = [_simple(side) for side in catalogue(game).sides()]
        if any(_simple(words) in sides or words in starters(game) for words in lists):
            return game
    return _game_of(*(word.strip() for words in lists for word in words.split(",")))


def _simple(words: str) -> str:
    return words.lower().replace(" ", "-")


def _units(words: str, ruleset: str) -> list[Any]:
    """Cards of a bloc or nation, of an army list, or by id."""
    from dieselfront.forces import catalogue
    from dieselfront.forces.catalogue import points_of, side_of

    cards = catalogue(ruleset)
    if _simple(words) in [_simple(side) for side in cards.sides()]:
        return [card for card in cards if _simple(side_of(card)) == _simple(words) and points_of(card)]
    if "," not in words and words not in cards and not cards.find(words):
        from dieselfront.scenarios.battle import army

        listed = army(words, ruleset)
        return list({unit.card: cards[unit.card] for unit in listed.units}.values())
    return [_card(word.strip(), ruleset) for word in words.split(",") if word.strip()]


def _show_matrix(table: Any, show: str) -> None:
    from dieselfront.cli.show import console

    title, _, _ = SHOWN[show]
    _line(title, "bold")
    fitting = max(1, (console().width - NAME_WIDTH) // (CELL_WIDTH + 1))
    for start in range(0, len(table.columns), fitting):
        _show_columns(table, show, start, min(start + fitting, len(table.columns)))
    for place, card in enumerate(table.columns, 1):
        _line(f"{place:>3}  {card.name} ({table.points(place - 1)} points)", "dim")
    if any(cell is not None and not cell.plain for row in table.cells for cell in row):
        _line("*  dice and saves only: skills change what becomes of hits; `odds ATTACKER TARGET` tells all.", "dim")


def _show_columns(table: Any, show: str, start: int, end: int) -> None:
    """As many columns as the terminal holds."""
    from rich.table import Table
    from rich.text import Text

    from dieselfront.cli.show import console

    _, read, form = SHOWN[show]
    drawn = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    drawn.add_column("", width=NAME_WIDTH, no_wrap=True, overflow="ellipsis")
    for place in range(start + 1, end + 1):
        drawn.add_column(str(place), justify="right", width=CELL_WIDTH, no_wrap=True)
    most = max((read(cell) for row in table.cells for cell in row if cell is not None), default=0.0) or 1.0
    for row, cells in zip(table.rows, table.cells, strict=True):
        drawn.add_row(Text(row.name), *(_matrix_cell(cell, read, form, most) for cell in cells[start:end]))
    console().print(drawn)


def _matrix_cell(cell: Any, read: Callable[[Any], float], form: str, most: float) -> Any:
    from rich.text import Text

    if cell is None:
        return Text("·", style="dim")
    share = read(cell) / most
    style = "bold red" if share > 0.66 else "yellow" if share > 0.33 else "" if share > 0.1 else "dim"
    return Text(form.format(read(cell)) + ("" if cell.plain else "*"), style=style)


# -- a finished game ----------------------------------------------------------------------------------------


@app.command("luck")
def luck(
    file: Annotated[Path, typer.Argument(help="The record of a game.")],
    rolls: Annotated[bool, typer.Option("--rolls", help="List every throw.")] = False,
    json: bool = JSON,
) -> None:
    """Who was lucky in a recorded game, where, and how likely luck like that is."""
    from dieselfront import rulesets
    from dieselfront.kernel import record
    from dieselfront.odds.luck import report

    with plain_complaints():
        kept = record.load(file.read_bytes(), file.name)
        luck_of_game = report(rulesets.load(kept.header.ruleset), kept)
    if json:
        print_json(luck_of_game.to_json())
    else:
        _show_luck(luck_of_game, rolls)


def _show_luck(luck_of_game: Any, rolls: bool) -> None:
    from dieselfront.cli.show import item, table

    for text in luck_of_game.sentences():
        _line(text)
    for player, (name, kinds) in enumerate(zip(luck_of_game.names, luck_of_game.kinds, strict=True)):
        _line()
        rows = [
            (kind, tally.dice, f"{tally.expected:.1f}", tally.successes, f"{tally.luck:+.1f}")
            for kind, tally in kinds.items()
        ]
        table(name, ["throw", "dice", "expected", "successes", "luck"], rows)
        for good, word in ((True, "Luckiest"), (False, "Unluckiest")):
            for roll in luck_of_game.strokes(player, 1, good=good):
                item(_stroke(word, roll, good))
    if rolls:
        _line()
        table(
            "Every throw",
            ["no", "turn", "side", "throw", "dice", "expected", "successes", "luck"],
            [_roll_row(roll, luck_of_game.names) for roll in luck_of_game.rolls],
        )


def _roll_row(roll: Any, names: Sequence[str]) -> tuple[Any, ...]:
    side = names[roll.player]
    expected, luck = f"{roll.expected:.2f}", f"{roll.luck:+.2f}"
    return (roll.number, roll.turn, side, roll.label, roll.dice, expected, roll.successes, luck)


def _stroke(word: str, roll: Any, good: bool) -> str:
    chance = roll.as_good if good else roll.as_bad
    if roll.kind == "test":
        verdict = "passed" if roll.successes else "failed"
        return f"{word}: {roll.label} in turn {roll.turn}, {verdict}, which has a chance of {chance:.1%}."
    how = "or more" if good else "or fewer"
    shown = f"a {roll.successes}" if roll.kind == "number" else f"{roll.successes} of {roll.dice} dice"
    return (
        f"{word}: {roll.label} in turn {roll.turn}, {shown} where {roll.expected:.1f} "
        f"were to be expected; {roll.successes} {how} has a chance of {chance:.1%}."
    )


@app.command("file")
def file(
    position: Annotated[Path, typer.Argument(help="A referee file whose `ask:` asks for odds (see docs/referee.md).")],
    json: bool = JSON,
) -> None:
    """The odds that a referee file asks for, from the position it describes."""
    from dieselfront.referee import judge

    with plain_complaints():
        verdict = judge(position.read_bytes(), position.name).to_json()
    answers = [answer for answer in verdict["answers"] if answer.get("kind", answer.get("ask")) == "odds"]
    if not answers:
        raise UserError(f"{position.name} asks for no odds; add `ask: [{{odds: {{attacker: ..., target: ...}}}}]`.")
    if json:
        print_json(answers)
        return
    for answer in answers:
        text = answer.get("text", ())
        for line in [text] if isinstance(text, str) else text:
            _line(line)
