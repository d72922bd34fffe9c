"""Konflikt '47 cards on a printed sheet: models to tick, and the weapons that the unit carries."""

from __future__ import annotations

import msgspec

from dieselfront.forces.card_face import WeaponFace
from dieselfront.forces.sheet import LEFT, RIGHT, WIDTH, Sheet, headline, marked
from dieselfront.rulesets.konflikt47.army.cards import KonfliktCard
from dieselfront.rulesets.konflikt47.army.face import weapon_faces
from dieselfront.rulesets.konflikt47.army.units import KonfliktUnit
from dieselfront.rulesets.konflikt47.charts import RATES

MORALE = {"inexperienced": 8, "regular": 9, "veteran": 10}


def draw_konflikt(sheet: Sheet, one: KonfliktUnit, card: KonfliktCard) -> None:
    """One unit: name and values, rules and choices, models to tick, weapons it carries."""
    level = one.unit.experience or card.usual_experience
    carried = [
        msgspec.structs.replace(row, count=one.build.weapons[weapon.id])
        for weapon in card.weapons
        if one.build.weapons.get(weapon.id)
        for row in weapon_faces(card, weapon)
    ]
    chosen = [f"{count}x {card.option(name).name}" for name, count in one.unit.options.items()]
    rules = [marked(card, ref.name, str(ref)) for ref in (*card.skills, *one.build.rules)]
    words = "  -  ".join([level.capitalize(), *rules, *chosen])
    text = sheet.lines(words, 10, WIDTH - 4)
    height = 13 + 5 * len(text) + 11 + 6 + 8 * max(1, len(carried)) + 4
    sheet.room(height)
    top = sheet.y
    figures = [("MORALE", str(MORALE[level])), ("DAMAGE VALUE", f"{card.damage_values[level]}+")]
    if card.vehicles:
        hull = card.vehicles[0]
        rates = RATES[hull.mode.replace("_", "-")]
        figures += [("ADVANCE", f'{rates.advance}"'), ("RUN", f'{rates.run}"')]
    headline(sheet, one.title, f"{one.points} pts", figures, "")
    y = top + 13
    for row in text:
        sheet.text(LEFT + 2, y + 2.5, row, 10)
        y += 5
    draw_models(sheet, one.build.models, card, y + 1)
    y += 11
    draw_shots(sheet, carried, y)
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


def draw_shots(sheet: Sheet, rows: list[WeaponFace], y: float) -> None:
    for x, word in SHOT_COLUMNS:
        sheet.text(LEFT + 2 + x, y + 3, word, 7)
    y += 6
    if not rows:
        sheet.pdf.line(LEFT, y, RIGHT, y)
        sheet.text(LEFT + 2, y + 4, "No weapon that shoots", 10)
    for weapon in rows:
        sheet.pdf.line(LEFT, y, RIGHT, y)
        sheet.fitted(LEFT + 2, y + 4, weapon.title, 10, 74, "B")
        for x, words in zip((78, 103, 120), weapon.cells, strict=True):
            sheet.fitted(LEFT + 2 + x, y + 4, words, 11, 22, "B")
        sheet.fitted(LEFT + 2 + 137, y + 4, ", ".join((*weapon.details, *weapon.rules)), 9, WIDTH - 141)
        y += 8
