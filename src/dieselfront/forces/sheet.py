"""Unit-card sheets as PDF: a few units a page, big enough to read across a table, without any need of colour.

Columns are marked by shape and letter: a round S for soldiers, a square V for vehicles, a triangle A for
aircraft. In a weapon's table a die with a number is that many dice, a star with B a blast symbol for every
miniature, a black K an automatic kill; the number behind the stroke is the damage of each hit.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dieselfront.forces.armies import Army
from dieselfront.forces.catalogue import DUST_RULESETS
from dieselfront.forces.dust import ARMOUR_CLASSES, Cell, DustCard, DustWeapon, Soldier
from dieselfront.forces.errors import ForcesError
from dieselfront.forces.known import is_told
from dieselfront.forces.konflikt import KonfliktCard
from dieselfront.forces.muster import Mustered, fielded_card, muster

LEFT, RIGHT, TOP, BOTTOM = 10.0, 200.0, 10.0, 285.0
WIDTH = RIGHT - LEFT
CELL = 8.3
NAME = WIDTH - CELL * 14 - 11.0
ROLE_LETTERS = {
    "leader": "L",
    "officer": "O",
    "radio": "R",
    "medic": "+",
    "mechanic": "M",
    "spotter": "S",
    "shield": "H",
    "commissar": "C",
}
ROLE_WORDS = "L leader, O officer, R radio, + medic, M mechanic, S spotter, H shield, C commissar"
DUST_LEGEND = (
    "Boxed number: dice. Star with B: one die for every miniature (2B: two). Behind it: damage of each hit. "
    "Black K: automatic kill. -: cannot attack.",
    f"Round S soldiers, square V vehicles, triangle A aircraft. Letters of soldiers: {ROLE_WORDS}.",
)
LONG_AGO = datetime(1947, 1, 1, tzinfo=UTC)
"""Sheets carry this date, so that the same list always gives the same file."""


def print_army(army: Army, path: Path) -> int:
    """Write the sheet of a list; returns the number of pages."""
    units = muster(army)
    total = sum(one.points for one in units)
    legend = DUST_LEGEND if army.ruleset in DUST_RULESETS else ()
    sheet = Sheet(f"{army.name} - {army.side or army.ruleset}, {total} points{stamp(army)}", legend)
    titles = {one.label: one.title for one in units}
    for one in units:
        if isinstance(one.card, DustCard):
            draw_dust(sheet, one, fielded_card(one), titles)
        else:
            draw_konflikt(sheet, one, one.card)
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


# Dust


def draw_dust(sheet: Sheet, one: Mustered, card: DustCard, titles: dict[str, str]) -> None:
    """One unit: name and values, skills, soldiers or damage track, weapons."""
    skills = sheet.lines(skill_words(one, card, titles), 10, WIDTH - 4)
    rows = len(card.weapons)
    track = card.soldiers or card.damage
    height = 13 + 5 * len(skills) + (11 if track else 0) + (7 + 8 * rows if rows else 0) + 3
    sheet.room(height)
    top = sheet.y
    headline(sheet, one.title, f"{one.points} AP", values(card), card.armour_class)
    y = top + 13
    for row in skills:
        sheet.text(LEFT + 2, y + 2.5, row, 10)
        y += 5
    if track:
        draw_track(sheet, card, y + 1)
        y += 11
    if rows:
        draw_columns(sheet, y + 1)
        y += 7
        for weapon in card.weapons:
            draw_weapon(sheet, weapon, y)
            y += 8
    sheet.box(LEFT, top, WIDTH, y - top)
    sheet.y = y + 3


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


def values(card: DustCard) -> list[tuple[str, str]]:
    return [("MOVE", str(card.move)), ("MARCH", str(card.march))]


def skill_words(one: Mustered, card: DustCard, titles: dict[str, str]) -> str:
    parts = [card.kind.capitalize()]
    if card.subtitle:
        parts.append(card.subtitle)
    parts += [marked(card, ref.name, str(ref)) for ref in card.skills]
    for word, target in (("joins", one.unit.joins), ("pilots", one.unit.pilots), ("aboard", one.unit.mounted_in)):
        if target:
            parts.append(f"{word} {titles.get(target, target)}")
    parts += [option.name for option in one.options if not option.adds_soldier]
    if one.unit.captured:
        parts.append("captured")
    return "  -  ".join(parts)


def marked(card: DustCard | KonfliktCard, name: str, words: str) -> str:
    """A rule as printed; one the rulebook does not tell says so."""
    return words if is_told(card.ruleset, name) else f"{words} [rule unknown, no effect]"


def draw_track(sheet: Sheet, card: DustCard, y: float) -> None:
    """Boxes to tick: one for each soldier with letters for its jobs, or one for each point of damage."""
    x = LEFT + 2
    if card.soldiers and card.kind != "hero":
        step = min(37.0, (WIDTH - 2) / len(card.soldiers))
        for soldier in card.soldiers:
            sheet.box(x, y, 8, 8)
            sheet.centred(x + 4, y + 4, letters(soldier), 10, "B")
            names = [card.weapons[line].name for line in soldier.weapons][:2] or ["crew"]
            for row, name in enumerate(names):
                middle = y + 4 if len(names) == 1 else y + 2.2 + 3.6 * row
                sheet.fitted(x + 8.8, middle, name, 8, step - 10)
            x += step
    else:
        sheet.text(x, y + 4, "DAMAGE", 8)
        x += 15
        for _ in range(card.damage):
            sheet.box(x, y + 0.5, 7, 7)
            x += 8.5


def letters(soldier: Soldier) -> str:
    return "".join(ROLE_LETTERS[role] for role in soldier.roles)


def draw_columns(sheet: Sheet, y: float) -> None:
    sheet.text(LEFT + 2, y + 3, "WEAPON", 7)
    sheet.centred(LEFT + NAME + 5.5, y + 3, "RANGE", 7)
    for place, name in enumerate(ARMOUR_CLASSES):
        badge(sheet, LEFT + NAME + 11 + CELL * (place + 0.5), y + 3, 2.7, name[0], name)


def draw_weapon(sheet: Sheet, weapon: DustWeapon, y: float) -> None:
    """A line of the table."""
    sheet.pdf.line(LEFT, y, RIGHT, y)
    title = f"{weapon.count}x {weapon.name}" if weapon.count > 1 else weapon.name
    small = ", ".join([*([weapon.mount] if weapon.mount else []), *map(str, weapon.rules)])
    boxes = min((weapon.ammo or 0) * weapon.count, 8)
    room = NAME - 4 - boxes * 4
    sheet.fitted(LEFT + 2, y + (2.9 if small else 4), title, 10, room, "B")
    if small:
        sheet.fitted(LEFT + 2, y + 6.3, small, 8, room)
    for place in range(boxes):
        sheet.box(LEFT + NAME - 1 - (place + 1) * 4, y + 2.4, 3.2, 3.2)
    sheet.centred(LEFT + NAME + 5.5, y + 4, weapon.range_text, 11, "B")
    for place, name in enumerate(ARMOUR_CLASSES):
        x = LEFT + NAME + 11 + CELL * place
        sheet.pdf.line(x, y, x, y + 8)
        cell = weapon.cells.get(name)
        if cell is None:
            sheet.centred(x + CELL / 2, y + 4, "-", 9)
        else:
            draw_cell(sheet, cell, x, y)


def draw_cell(sheet: Sheet, cell: Cell, x: float, y: float) -> None:
    """Dice in a die, blasts in a star with B, then the damage or a black K."""
    if cell.blast:
        star(sheet, x + 2.7, y + 4, 2.6)
        sign, size = ("B", 8) if cell.blast == 1 else (f"{cell.blast}B", 6.5)
        sheet.centred(x + 2.7, y + 4, sign, size, "B")
    else:
        sheet.pdf.rect(x + 0.5, y + 1.7, 4.6, 4.6, style="D", round_corners=True, corner_radius=0.8)
        sheet.centred(x + 2.8, y + 4, str(cell.dice), 10.5 if cell.dice < 10 else 9, "B")
    if cell.kill:
        sheet.box(x + 5.4, y + 2.4, 2.6, 3.2, 0)
        sheet.white()
        sheet.centred(x + 6.7, y + 4, "K", 7, "B")
        sheet.black()
    else:
        sheet.centred(x + 6.7, y + 4, str(cell.damage), 10.5)


def star(sheet: Sheet, x: float, y: float, radius: float) -> None:
    """A star of eight points, drawn as two squares on each other."""
    half = radius * 0.72
    sheet.pdf.set_fill_color(255)
    sheet.pdf.polygon([(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)], style="DF")
    sheet.pdf.rect(x - half, y - half, 2 * half, 2 * half, style="DF")


# Konflikt '47


MORALE = {"inexperienced": 8, "regular": 9, "veteran": 10}


def draw_konflikt(sheet: Sheet, one: Mustered, card: KonfliktCard) -> None:
    """One unit: name and values, rules and choices, models to tick, weapons it carries."""
    level = one.unit.experience or card.usual_experience
    assert one.build is not None
    carried = [weapon for weapon in card.weapons if one.build.weapons.get(weapon.id)]
    chosen = [f"{count}x {card.option(name).name}" for name, count in one.unit.options.items()]
    told = [marked(card, ref.name, str(ref)) for ref in (*card.skills, *one.build.rules)]
    words = "  -  ".join([level.capitalize(), *told, *chosen])
    text = sheet.lines(words, 10, WIDTH - 4)
    height = 13 + 5 * len(text) + 11 + 6 + 8 * max(1, len(carried)) + 4
    sheet.room(height)
    top = sheet.y
    figures = [("MORALE", str(MORALE[level])), ("DAMAGE VALUE", f"{card.damage_values[level]}+")]
    if card.vehicles:
        hull = card.vehicles[0]
        figures += [("ADVANCE", f'{hull.advance}"'), ("RUN", f'{hull.run}"')]
    headline(sheet, one.title, f"{one.points} pts", figures, "")
    y = top + 13
    for row in text:
        sheet.text(LEFT + 2, y + 2.5, row, 10)
        y += 5
    draw_models(sheet, one.build.models, card, y + 1)
    y += 11
    draw_shots(sheet, [(weapon, one.build.weapons[weapon.id]) for weapon in carried], y)
    y += 6 + 8 * max(1, len(carried))
    sheet.box(LEFT, top, WIDTH, y - top)
    sheet.y = y + 4


def draw_models(sheet: Sheet, models: int, card: KonfliktCard, y: float) -> None:
    if card.vehicles:
        hull = card.vehicles[0]
        carry = f", carries {hull.transport}" if hull.transport else ""
        sheet.text(LEFT + 2, y + 4, f"{hull.vehicle_class}, {hull.mode.replace('_', '-')}{carry}", 10)
        return
    sheet.text(LEFT + 2, y + 4, "MODELS", 8)
    step = min(8.5, (WIDTH - 20) / max(1, models))
    for place in range(models):
        sheet.box(LEFT + 18 + place * step, y + 0.5, step - 1.5, 7)


SHOT_COLUMNS = ((0.0, "WEAPON"), (78.0, "RANGE"), (103.0, "SHOTS"), (120.0, "PEN"), (137.0, "RULES"))


def draw_shots(sheet: Sheet, rows: list[tuple[Any, int]], y: float) -> None:
    for x, word in SHOT_COLUMNS:
        sheet.text(LEFT + 2 + x, y + 3, word, 7)
    y += 6
    if not rows:
        sheet.pdf.line(LEFT, y, RIGHT, y)
        sheet.text(LEFT + 2, y + 4, "No weapon that shoots", 10)
    for weapon, count in rows:
        sheet.pdf.line(LEFT, y, RIGHT, y)
        title = f"{count}x {weapon.name}" if count > 1 else weapon.name
        sheet.fitted(LEFT + 2, y + 4, title, 10, 74, "B")
        for x, words in ((78, weapon.range_text), (103, weapon.shots), (120, weapon.pen_text)):
            sheet.fitted(LEFT + 2 + x, y + 4, words, 11, 22, "B")
        sheet.fitted(LEFT + 2 + 137, y + 4, ", ".join(map(str, weapon.rules)), 9, WIDTH - 141)
        y += 8
