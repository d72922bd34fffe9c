"""`dieselfront cards`: browse the unit cards, check homebrew ones, compare imported ones with ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from dieselfront.cli.errors import EXIT_USER_ERROR, UserError, complain, print_json
from dieselfront.cli.show import console, item, paragraph, table
from dieselfront.forces import ForcesError, families
from dieselfront.forces.card_face import CardFace, OptionFace, WeaponFace
from dieselfront.forces.catalogue import check_file
from dieselfront.forces.errors import SeveralCards, UnknownCard
from dieselfront.forces.family import CardFamily
from dieselfront.forces.known import unknown_rules

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
JSON = typer.Option(False, "--json", help="Print one JSON document and nothing else.")
RULESET = typer.Option("--ruleset", "-r", help="The game, as `dieselfront rulesets` names it; any if not given.")
Cards = CardFamily[Any, Any]


@contextmanager
def in_plain_words() -> Iterator[None]:
    """Mistakes in the user's files and words become one sentence and exit 2."""
    try:
        yield
    except ForcesError as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{error.filename or 'A file'} cannot be used: {error.strerror or error}.") from None


@app.command("list")
def list_cards(
    words: Annotated[list[str] | None, typer.Argument(help="Only cards whose name holds all these words.")] = None,
    ruleset: Annotated[str, RULESET] = "",
    side: Annotated[str, typer.Option("--side", "-s", help="A bloc or nation, such as Axis or Finland.")] = "",
    kind: Annotated[str, typer.Option("--kind", "-k", help="Such as hero, infantry, vehicle, walker.")] = "",
    lent: Annotated[bool, typer.Option("--lent", help="Also cards of other games that this one may use.")] = False,
    json: bool = JSON,
) -> None:
    """List cards: id, name, side, kind and points."""
    with in_plain_words():
        games = [families.family(ruleset)] if ruleset else families.catalogued()
        chosen = [(game, card) for game in games for card in _chosen(game, words or [], side, kind, lent)]
    if json:
        print_json([game.row(card) for game, card in chosen])
        return
    if not chosen:
        raise UserError("No card fits; try fewer words, or `dieselfront cards list` for all of them.")
    wide = max(len(card.id) for _, card in chosen)
    several = len({game.ruleset for game, _ in chosen}) > 1
    for game, card in chosen:
        where = f"{game.ruleset}: " if several else ""
        typer.echo(f"{card.id:<{wide}} {game.points(card):>4}  {card.name} ({where}{game.side(card)}, {card.kind})")
    for origin, count in Counter(game.origin(card) for game, card in chosen).items():
        if origin:  # beside the list, so that its lines stay cards
            typer.echo(f"{count} of these cards: {origin}.", err=True)
    for game in games:
        for error in game.catalogue.errors:
            complain(f"homebrew card left out: {error}")


@app.command("show")
def show(
    id: Annotated[str, typer.Argument(help="The id of a card as `dieselfront cards list` shows it, or its name.")],
    ruleset: Annotated[str, RULESET] = "",
    json: bool = JSON,
) -> None:
    """Show one card with the numbers that play uses: values, skills, weapons, options, and notes on them."""
    with in_plain_words():
        game, card = find_card(id, ruleset)
    if json:
        print_json(game.document(card))
        return
    _show(game, card)
    others = [
        other.ruleset for other in families.catalogued() if other is not game and card.id in other.catalogue.cards
    ]
    if others and not ruleset:
        where = f"{', '.join(others)} (cards show {card.id} --ruleset {others[0]})"
        paragraph(where, label="Also a card of", style="dim")


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="A file of homebrew cards, JSON or YAML.")],
    json: bool = JSON,
) -> None:
    """Check a file of homebrew cards and name every fault by card and field."""
    cards, errors = check_file(file)
    flagged = {card.id: unknown_rules(card) for card in cards if unknown_rules(card)}
    if json:
        document = {"ok": not errors, "cards": [card.id for card in cards], "errors": errors}
        print_json({**document, "unknown_rules": flagged})
    else:
        for error in errors:
            complain(str(error))
        for card_id, names in flagged.items():
            console().print(f"{card_id}: nobody knows {', '.join(names)}; the card plays without.", style="yellow")
        if not errors:
            console().print(f"{file.name}: {len(cards)} cards, no faults.")
    if errors:
        raise typer.Exit(EXIT_USER_ERROR)


@app.command("compare")
def compare(
    files: Annotated[list[Path], typer.Argument(help="Catalogues: .gst and .cat files of one game, together.")],
    ruleset: Annotated[str, RULESET] = "",
    explained: Annotated[bool, typer.Option("--explained", help="Also list differences a note explains.")] = False,
    json: bool = JSON,
) -> None:
    """Compare BattleScribe catalogues with our cards; differences that no note explains come first."""
    from dieselfront.forces.battlescribe.importing import compare_with_shipped, import_files

    with in_plain_words():
        imported = import_files(files, ruleset or None)
        if imported.cards is None:
            raise ForcesError("There is no catalogue among these files; expected .cat and .gst files.")
        differences = compare_with_shipped(imported.cards)
    open_ones = [one for one in differences if not one.explained]
    if json:
        known = len(differences) - len(open_ones)
        print_json({"cards": len(imported.cards.cards), "explained": known, "unexplained": open_ones})
        return
    for one in open_ones:
        item(str(one))
    for one in differences if explained else ():
        if one.explained:
            item(str(one))
    summary = f"{len(differences) - len(open_ones)} differences explained by notes, {len(open_ones)} not"
    console().print(f"{len(imported.cards.cards)} cards compared: {summary}.")


def find_card(words: str, ruleset: str = "") -> tuple[Cards, Any]:
    """A card of a game by id or name, or of the newest game that has it; the complaint names the nearest ids."""
    if ruleset:
        game = families.family(ruleset)
        return game, game.catalogue.called(words)
    games = families.catalogued()
    for game in games:
        if words in game.catalogue.cards:
            return game, game.catalogue[words]
    return _by_name(words, games)


def _by_name(words: str, games: Sequence[Cards]) -> tuple[Cards, Any]:
    """The card of the newest game in which the words fit one card; of several, the complaint lists them."""
    several: SeveralCards | None = None
    for game in games:
        try:
            return game, game.catalogue.called(words)
        except SeveralCards as error:
            several = several or error
        except UnknownCard:
            continue
    if several is not None:
        raise several
    raise UserError(str(UnknownCard(words, "", [known for game in games for known in game.catalogue.cards])))


def _chosen(game: Cards, words: list[str], side: str, kind: str, lent: bool) -> list[Any]:
    wanted = " ".join(words).lower().split()
    borrowed = game.catalogue.lent.values() if lent else ()
    cards = [*game.catalogue.find(" ".join(words))]
    cards += [card for card in borrowed if all(word in f"{card.id} {card.name}".lower() for word in wanted)]
    if side:
        cards = [card for card in cards if game.side(card).lower() == side.lower()]
    return [card for card in cards if card.kind == kind.lower()] if kind else cards


def _show(game: Cards, card: Any) -> None:
    face = game.face(card)
    console().print(f"{card.name}  ({card.id})", style="bold")
    console().print(f"{game.game_name}: {face.headline}")
    if face.origin:
        paragraph(face.origin, label="Origin", style="yellow")
    console().print(", ".join(f"{figure.name} {figure.value}" for figure in face.figures))
    paragraph(face.price, label="Price")
    if face.rules:
        paragraph(", ".join(face.rules), label=face.rules_word)
    _show_weapons(face)
    for member in face.members:
        item(member)
    for option in face.options:
        item(_option_words(option))
    for remark in face.remarks:
        paragraph(remark.text, label=remark.label)
    _foot(game, card)


def _option_words(option: OptionFace) -> str:
    group = f"{option.group}: " if option.group and not option.carrier else ""
    carrier = f" for {option.carrier}" if option.carrier else ""
    standard = ", standard" if option.standard else ""
    return f"{group}{option.name}{carrier}: {option.price}{standard} ({option.id})"


def _show_weapons(face: CardFace) -> None:
    """One group of columns is a table; several stand below each weapon, a line for each."""
    if len(face.columns) > 1:
        for weapon in face.weapons:
            _show_weapon(face, weapon)
        return
    columns = face.columns[0] if face.columns else ()
    rows = [
        ("option" if weapon.spare else f"{weapon.count}x", weapon.name, *weapon.cells, (*weapon.details, *weapon.rules))
        for weapon in face.weapons
    ]
    table("", ("", "weapon", *(name.lower() for name in columns), "rules"), rows)


def _show_weapon(face: CardFace, weapon: WeaponFace) -> None:
    """A weapon's name and rules, and its table below: soldiers, vehicles, aircraft."""
    names = [name for group in face.columns for name in group]
    cells = dict(zip(names, weapon.cells, strict=True))
    first = [f"{name.lower()} {cells[name]}" for name in face.columns[0]]
    console().print(f"{weapon.title}: {', '.join((*first, *weapon.details, *weapon.rules))}")
    for group in face.columns[1:]:
        if any(cells[name] != "-" for name in group):
            row = "  ".join(f"{name} {cells[name]:<4}" for name in group)
            console().print(f"    {row.rstrip()}", style="dim")


def _foot(game: Cards, card: Any) -> None:
    unknown = game.unknown_rules(card)
    if unknown:
        paragraph(", ".join(unknown), label="Unknown rules, without effect", style="yellow")
    for note in card.notes:
        item(note)
    if card.source:
        paragraph(card.source, label="Source", style="dim")
