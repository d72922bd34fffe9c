"""Unit-card sheets as PDF: a few units a page, big enough to read across a table, without any need of colour.

A family may draw cards in a manner of its own; the others are drawn here from their faces.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dieselfront.forces.armies import Army
from dieselfront.forces.card_face import CardFace, WeaponFace
from dieselfront.forces.errors import ForcesError
from dieselfront.forces.families import family
from dieselfront.forces.muster import Mustered, muster

LEFT, RIGHT, TOP, BOTTOM = 10.0, 200.0, 10.0, 285.0
WIDTH = RIGHT - LEFT
LONG_AGO = datetime(1947, 1, 1, tzinfo=UTC)
"""Sheets carry this date, so that the same list always gives the same file."""


def print_army(army: Army, path: Path) -> int:
    """Write the sheet of a list; returns the number of pages."""
    units = muster(army)
    total = sum(one.points for one in units)
    cards = family(army.ruleset)
    sheet = Sheet(f"{army.name} - {army.side or army.ruleset}, {total} points{stamp(army)}", cards.legend)
    titles = {one.label: one.title for one in units}
    for one in units:
        cards.draw(sheet, one, titles)
    return sheet.save(path)


def stamp(army: Army) -> str:
    """What every print of the list says: that it breaks rules by choice, and the edition of its cards."""
    return f"{', unrestricted' if army.unrestricted else ''} (cards of edition {army.data})"


class Sheet:
    """Pages and the few strokes that cards need; all lengths are millimetres."""

    def __init__(self, title: str, legend: tuple[str, ...] = ()) -> None:
        try:
            from fpdf import FPDF
        except ImportError:
            raise ForcesError("Printing needs the package fpdf2: pip install 'dieselfront[print]'.") from None
        self.pdf: Any = FPDF("P", "mm", "A4")
        self.pdf.set_auto_page_break(False)
        self.pdf.set_margins(0, 0, 0)
        self.pdf.c_margin = 0
        self.pdf.set_creation_date(LONG_AGO)
        self.pdf.set_title(latin(title))
        self.title = title
        self.legend = legend
        self.y = BOTTOM
        self._font: tuple[str, float] | None = None
        self._widths: dict[tuple[str, float, str], float] = {}

    def room(self, height: float) -> None:
        """Start a new page if a card of that height does not fit any more."""
        if self.y + height > BOTTOM:
            self.pdf.add_page()
            self.pdf.set_line_width(0.25)
            self.text(LEFT, 5.5, self.title, 9)
            page = f"page {self.pdf.page_no()}"
            self.text(RIGHT - self.width(page, 9), 5.5, page, 9)
            for place, row in enumerate(self.legend):
                self.text(LEFT, BOTTOM + 4 + 3.6 * place, row, 7.5)
            self.y = TOP

    def text(self, x: float, y: float, words: str, size: float, style: str = "") -> None:
        """Words with their baseline's middle at y."""
        self._set_font(style, size)
        self.pdf.text(x, y + size * 0.12, latin(words))

    def centred(self, x: float, y: float, words: str, size: float, style: str = "") -> None:
        self.text(x - self.width(words, size, style) / 2, y, words, size, style)

    def width(self, words: str, size: float, style: str = "") -> float:
        """How wide words are; cards repeat the same words, so each is measured once."""
        key = (words, size, style)
        width = self._widths.get(key)
        if width is None:
            self._set_font(style, size)
            width = self._widths[key] = float(self.pdf.get_string_width(latin(words)))
        return width

    def _set_font(self, style: str, size: float) -> None:
        if self._font != (style, size):
            self.pdf.set_font("Helvetica", style, size)
            self._font = (style, size)

    def fitted(self, x: float, y: float, words: str, size: float, most: float, style: str = "") -> None:
        """Words made smaller, and at last cut, until they fit."""
        while size > 6.5 and self.width(words, size, style) > most:
            size -= 0.5
        while len(words) > 1 and self.width(words, size, style) > most:
            words = words[:-2] + "."
        self.text(x, y, words, size, style)

    def lines(self, words: str, size: float, most: float) -> list[str]:
        """Words broken into lines of that width."""
        rows: list[str] = []
        row = ""
        for word in words.split():
            longer = f"{row} {word}".strip()
            if row and self.width(longer, size) > most:
                rows.append(row)
                row = word
            else:
                row = longer
        return [*rows, row] if row else rows

    def box(self, x: float, y: float, width: float, height: float, fill: int | None = None) -> None:
        if fill is not None:
            self.pdf.set_fill_color(fill)
        self.pdf.rect(x, y, width, height, style="D" if fill is None else "DF")

    def white(self) -> None:
        self.pdf.set_text_color(255)

    def black(self) -> None:
        self.pdf.set_text_color(0)

    def save(self, path: Path) -> int:
        if self.pdf.page_no() == 0:
            raise ForcesError("The list has no units; there is nothing to print.")
        try:
            self.pdf.output(str(path))
        except OSError as error:
            raise ForcesError(f"{path} cannot be written: {error.strerror or error}.") from None
        pages: int = self.pdf.page_no()
        return pages


def latin(words: str) -> str:
    """Words in the letters the built-in fonts have."""
    plain = words.replace("–", "-").replace("’", "'").replace("•", "-")
    return plain.encode("latin-1", "replace").decode("latin-1")


def headline(sheet: Sheet, title: str, price: str, figures: list[tuple[str, str]], armour: str) -> None:
    """The black bar: name, the unit's values, its armour and its price."""
    y = sheet.y
    sheet.box(LEFT, y, WIDTH, 11, 0)
    sheet.white()
    x = RIGHT - 2 - sheet.width(price, 13, "B")
    sheet.text(x, y + 5.5, price, 13, "B")
    for label, value in reversed(figures):
        wide = max(sheet.width(value, 13, "B"), sheet.width(label, 7)) + 4
        x -= wide
        sheet.centred(x + wide / 2 - 1, y + 4.2, value, 13, "B")
        sheet.centred(x + wide / 2 - 1, y + 9, label, 7)
    sheet.black()
    if armour:
        x -= 12
        badge(sheet, x + 4, y + 5.5, 4.4, armour[0], armour)
    sheet.white()
    sheet.fitted(LEFT + 3, y + 5.5, title, 16, x - LEFT - 5, "B")
    sheet.black()


def badge(sheet: Sheet, x: float, y: float, radius: float, shape: str, words: str) -> None:
    """A round S, a square V, a triangular A: told apart by shape as well as letter."""
    sheet.pdf.set_fill_color(255)
    if shape == "S":
        sheet.pdf.ellipse(x - radius, y - radius, 2 * radius, 2 * radius, style="DF")
    elif shape == "V":
        sheet.pdf.rect(x - radius, y - radius * 0.9, 2 * radius, 1.8 * radius, style="DF")
    else:
        corners = [(x - radius * 1.15, y + radius), (x + radius * 1.15, y + radius), (x, y - radius * 1.1)]
        sheet.pdf.polygon(corners, style="DF")
    size = radius * 2.6 if len(words) < 3 else radius * 2.0
    sheet.centred(x, y + (radius * 0.25 if shape == "A" else 0), words, min(size, 11), "B")


def marked(card: Any, name: str, words: str) -> str:
    """A rule as printed; one the rulebook does not explain says so."""
    return words if family(card.ruleset).known_rules.explains(name) else f"{words} [rule unknown, no effect]"


def company(one: Mustered, titles: dict[str, str]) -> list[str]:
    """Whom a unit joins, what it pilots, what it rides in."""
    links = (("joins", one.unit.joins), ("pilots", one.unit.pilots), ("aboard", one.unit.mounted_in))
    return [f"{word} {titles.get(target, target)}" for word, target in links if target]


# From the face of a card


NAME_WIDTH = 62.0


def draw_face(sheet: Sheet, one: Mustered, face: CardFace, titles: dict[str, str]) -> None:
    """One unit: name and values, rules, boxes to tick, weapons, and where its numbers come from."""
    cards = family(one.card.ruleset)
    chosen = [words.removeprefix(". ") for words in cards.choices(one)]
    rules = [marked(one.card, ref.name, str(ref)) for ref in cards.skills(one.card)]
    text = sheet.lines("  -  ".join([face.headline, *rules, *chosen, *company(one, titles)]), 10, WIDTH - 4)
    text += sheet.lines(face.origin, 10, WIDTH - 4)
    rows = len(face.weapons)
    sheet.room(13 + 5 * len(text) + (11 if face.track else 0) + (7 + 8 * rows if rows else 0) + 3)
    top = sheet.y
    figures = [(figure.name.upper(), figure.value) for figure in face.figures]
    headline(sheet, one.title, f"{one.points} {cards.price_word}", figures, "")
    y = top + 13
    for row in text:
        sheet.text(LEFT + 2, y + 2.5, row, 10)
        y += 5
    if face.track:
        draw_boxes(sheet, face.track, y + 1)
        y += 11
    if rows:
        draw_weapon_rows(sheet, face, y)
        y += 7 + 8 * rows
    sheet.box(LEFT, top, WIDTH, y - top)
    sheet.y = y + 3


def draw_boxes(sheet: Sheet, boxes: int, y: float) -> None:
    step = min(8.5, (WIDTH - 6) / boxes)
    for place in range(boxes):
        sheet.box(LEFT + 2 + place * step, y + 0.5, step - 1.5, 7)


def draw_weapon_rows(sheet: Sheet, face: CardFace, y: float) -> None:
    """The weapon table: a column for each of the face's, as wide as there is room."""
    columns = [name for group in face.columns for name in group]
    wide = (WIDTH - NAME_WIDTH) / max(1, len(columns))
    sheet.text(LEFT + 2, y + 4, "WEAPON", 7)
    for place, name in enumerate(columns):
        sheet.centred(LEFT + NAME_WIDTH + wide * (place + 0.5), y + 4, name.upper(), 7)
    y += 7
    for weapon in face.weapons:
        draw_weapon_row(sheet, weapon, wide, y)
        y += 8


def draw_weapon_row(sheet: Sheet, weapon: WeaponFace, wide: float, y: float) -> None:
    sheet.pdf.line(LEFT, y, RIGHT, y)
    small = ", ".join((*weapon.details, *weapon.rules))
    sheet.fitted(LEFT + 2, y + (2.9 if small else 4), weapon.title, 10, NAME_WIDTH - 4, "B")
    if small:
        sheet.fitted(LEFT + 2, y + 6.3, small, 8, NAME_WIDTH - 4)
    for place, cell in enumerate(weapon.cells):
        sheet.centred(LEFT + NAME_WIDTH + wide * (place + 0.5), y + 4, cell, 10)
