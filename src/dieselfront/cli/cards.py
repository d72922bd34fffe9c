"""`dieselfront cards`: browse the unit cards, check homebrew ones, compare imported ones with ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from dieselfront.cli.errors import EXIT_USER_ERROR, UserError, complain, print_json
from dieselfront.cli.show import console, item, paragraph, table
from dieselfront.forces import Card, DustCard, ForcesError, KonfliktCard, catalogue
from dieselfront.forces.catalogue import check_file, dust_catalogue, konflikt_catalogue, points_of, side_of
from dieselfront.forces.dust import ARMOUR_CLASSES, DustWeapon
from dieselfront.forces.errors import UnknownCard
from dieselfront.forces.known import untold_rules

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
JSON = typer.Option(False, "--json", help="Print one JSON document and nothing else.")


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
    ruleset: Annotated[str, typer.Option("--ruleset", "-r", help="dust1947 or konflikt47; both if not given.")] = "",
    side: Annotated[str, typer.Option("--side", "-s", help="A bloc or nation, such as Axis or Finland.")] = "",
    kind: Annotated[str, typer.Option("--kind", "-k", help="Such as hero, infantry, vehicle, walker.")] = "",
    json: bool = JSON,
) -> None:
    """List cards: id, name, side, kind and points."""
    with in_plain_words():
        found = _chosen(words or [], ruleset, side, kind)
    if json:
        print_json([_row(card) for card in found])
        return
    if not found:
        raise UserError("No card fits; try fewer words, or `dieselfront cards list` for all of them.")
    wide = max(len(card.id) for card in found)
    for card in found:
        typer.echo(f"{card.id:<{wide}} {points_of(card):>4}  {card.name} ({side_of(card)}, {card.kind})")
    _tell_homebrew_faults()


@app.command("show")
def show(
    id: Annotated[str, typer.Argument(help="The id of a card, as `dieselfront cards list` shows it.")],
    json: bool = JSON,
) -> None:
    """Show one card: values, skills, weapons, options, and the notes on its numbers."""
    card = find_card(id)
    if json:
        print_json({**msgspec.to_builtins(card), "unknown_rules": untold_rules(card)})
    elif isinstance(card, DustCard):
        _show_dust(card)
    else:
        _show_konflikt(card)


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="A file of homebrew cards, JSON or YAML.")],
    json: bool = JSON,
) -> None:
    """Check a file of homebrew cards and name every fault by card and field."""
    cards, errors = check_file(file)
    flagged = {card.id: untold_rules(card) for card in cards if untold_rules(card)}
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
    explained: Annotated[bool, typer.Option("--explained", help="Also list differences a note explains.")] = False,
    json: bool = JSON,
) -> None:
    """Compare BattleScribe catalogues with our cards; differences that no note explains come first."""
    from dieselfront.forces.battlescribe.importing import compare_with_shipped, import_files

    with in_plain_words():
        imported = import_files(files)
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
    told = f"{len(differences) - len(open_ones)} differences explained by notes, {len(open_ones)} not"
    console().print(f"{len(imported.cards.cards)} cards compared: {told}.")


def find_card(id: str) -> Card:
    """A card of either game by its id; the complaint names the nearest ids of both."""
    for cards in (dust_catalogue(), konflikt_catalogue()):
        if id in cards:
            return cards[id]
    known = [*dust_catalogue().cards, *konflikt_catalogue().cards]
    raise UserError(str(UnknownCard(id, "", known)))


def _chosen(words: list[str], ruleset: str, side: str, kind: str) -> list[Card]:
    found: list[Card] = []
    if ruleset:
        found += catalogue(ruleset).find(" ".join(words))
    else:
        found += dust_catalogue().find(" ".join(words))
        found += konflikt_catalogue().find(" ".join(words))
    if side:
        found = [card for card in found if side_of(card).lower() == side.lower()]
    return [card for card in found if card.kind == kind.lower()] if kind else found


def _row(card: Card) -> dict[str, Any]:
    row: dict[str, Any] = {"id": card.id, "name": card.name, "ruleset": card.ruleset, "points": points_of(card)}
    return {**row, "side": side_of(card), "kind": card.kind, "unknown_rules": untold_rules(card)}


def _tell_homebrew_faults() -> None:
    for cards in (dust_catalogue(), konflikt_catalogue()):
        for error in cards.errors:
            complain(f"homebrew card left out: {error}")


def _head(card: Card, line: str) -> None:
    console().print(f"{card.name}  ({card.id})", style="bold")
    console().print(line)


def _foot(card: Card) -> None:
    unknown = untold_rules(card)
    if unknown:
        paragraph(", ".join(unknown), label="Unknown rules, without effect", style="yellow")
    for note in card.notes:
        item(note)
    if card.source:
        paragraph(card.source, label="Source", style="dim")


def _show_dust(card: DustCard) -> None:
    factions = ", ".join(card.factions) or "bloc unit"
    kinds = dict.fromkeys([card.kind, card.locomotion.replace("_", "-")])
    size = f", {card.size}" if card.size != "standard" else ""
    _head(card, f"{card.bloc}, {factions}; {', '.join(kinds)}{size}")
    limit = f", at most {card.max_in_army}" if card.max_in_army else ""
    console().print(
        f"Armour {card.armour_class}, move {card.move}, march {card.march}, "
        f"{f'damage {card.damage}' if card.damage else f'{card.models} soldiers'}, {card.points} AP{limit}"
    )
    if card.skills:
        paragraph(", ".join(map(str, card.skills)), label="Skills")
    for weapon in card.weapons:
        _show_weapon(weapon)
    for soldier in card.soldiers if card.kind != "hero" else ():
        names = ", ".join(card.weapons[line].name for line in soldier.weapons) or "serves the gun"
        item(f"{soldier.name}: {names}")
    for option in card.options:
        item(f"{option.group}: {option.name}, {option.points} AP ({option.id})")
    if card.captured_ap is not None:
        paragraph(f"{card.captured_ap} AP by {', '.join(card.captured_by)}", label="Captured")
    _foot(card)


def _show_weapon(weapon: DustWeapon) -> None:
    """A weapon's name and rules, and its table below: soldiers, vehicles, aircraft."""
    title = weapon.name if weapon.count == 1 else f"{weapon.count}x {weapon.name}"
    small = [f"range {weapon.range_text}", *([weapon.mount] if weapon.mount else []), *map(str, weapon.rules)]
    small += [f"ammo {weapon.ammo}"] if weapon.ammo else []
    console().print(f"{title}: {', '.join(small)}")
    for letter in "SVA":
        cells = [(name, weapon.cells.get(name)) for name in ARMOUR_CLASSES if name[0] == letter]
        if any(cell is not None for _, cell in cells):
            row = "  ".join(f"{name} {cell if cell is not None else '-'!s:<4}" for name, cell in cells)
            console().print(f"    {row.rstrip()}", style="dim")


def _show_konflikt(card: KonfliktCard) -> None:
    size = f"{card.models_min}" if card.models_min == card.models_max else f"{card.models_min}-{card.models_max}"
    _head(card, f"{card.nation}; {card.kind}, {size} models")
    prices = ", ".join(f"{level} {card.points[level]} ({card.damage_values[level]}+)" for level in card.experiences)
    paragraph(prices, label="Points (damage value)")
    for hull in card.vehicles:
        carry = f", carries {hull.transport}" if hull.transport else ""
        moves = f'{hull.advance}"/{hull.run}"'
        item(f"{hull.variant or card.name}: {hull.vehicle_class} {hull.damage_value}+, {hull.mode}, {moves}{carry}")
    if card.skills:
        paragraph(", ".join(map(str, card.skills)), label="Rules")
    rows = [
        (f"{w.count}x" if w.count else "option", w.name, w.range_text, w.shots, w.pen_text, tuple(map(str, w.rules)))
        for w in card.weapons
    ]
    table("", ("", "weapon", "range", "shots", "pen", "rules"), rows)
    for option in card.options:
        price = "/".join(map(str, dict.fromkeys(option.points.values())))
        whose = f" for {option.for_model}" if option.for_model else ""
        standard = ", standard" if option.default else ""
        item(f"{option.name}{whose}: {price} points{' per model' if option.per_model else ''}{standard} ({option.id})")
    _foot(card)
