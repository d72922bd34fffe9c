"""Dust cards on a printed sheet: soldiers to tick, and the table of dice against every class of armour.

Columns are marked by shape and letter: a round S for soldiers, a square V for vehicles, a triangle A for
aircraft. In a weapon's table a die with a number is that many dice, a star with B a blast symbol for every
miniature, a black K an automatic kill; the number behind the stroke is the damage of each hit.
"""

from __future__ import annotations

from dieselfront.forces.dust import ARMOUR_CLASSES, Cell, DustCard, DustWeapon, Soldier
from dieselfront.forces.dust_units import DustUnit
from dieselfront.forces.sheet import LEFT, RIGHT, WIDTH, Sheet, badge, company, headline, marked

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
LEGEND = (
    "Boxed number: dice. Star with B: one die for every miniature (2B: two). Behind it: damage of each hit. "
    "Black K: automatic kill. -: cannot attack.",
    f"Round S soldiers, square V vehicles, triangle A aircraft. Letters of soldiers: {ROLE_WORDS}.",
)


def draw_dust(sheet: Sheet, one: DustUnit, card: DustCard, titles: dict[str, str]) -> None:
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


def values(card: DustCard) -> list[tuple[str, str]]:
    return [("MOVE", str(card.move)), ("MARCH", str(card.march))]


def skill_words(one: DustUnit, card: DustCard, titles: dict[str, str]) -> str:
    parts = [card.kind.capitalize()]
    if card.subtitle:
        parts.append(card.subtitle)
    parts += [marked(card, ref.name, str(ref)) for ref in card.skills]
    parts += company(one, titles)
    parts += [option.name for option in one.options if not option.adds_soldier]
    if one.unit.captured:
        parts.append("captured")
    return "  -  ".join(parts)


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
