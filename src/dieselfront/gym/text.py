"""A position as text: the table from above, one character for each unit, and what is left of both armies."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.game import Game
from dieselfront.kernel.ruleset import Ruleset

MOST_COLUMNS = 48
LETTERS = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def draw(game: Game, rules: Ruleset[Any]) -> str:
    """Capital letters for the first side, small ones for the second; a character is one square, or a few cm."""
    view = rules.view(game.state)
    units = rules.field.units(game.state)
    width, height = float(view["table"]["width"]), float(view["table"]["height"])
    scale = max(1.0, width / MOST_COLUMNS)
    high = scale * 2 if scale > 1 else 1.0  # characters are about twice as high as wide
    cells = [["."] * max(1, round(width / scale)) for _ in range(max(1, round(height / high)))]
    lines = [f"{rules.name}: turn {view['turn']} of {view['turns']}, {view['phase']}"]
    counts = [0, 0]
    for unit in units:
        letter = LETTERS[unit.side][counts[unit.side] % 26]
        counts[unit.side] += 1
        lines.append(f"{letter} {unit.name}: {unit.share:.0%} left, {unit.where}")
        if unit.on_table and unit.centre is not None:
            row = min(len(cells) - 1, max(0, int(unit.centre[1] / high)))
            column = min(len(cells[0]) - 1, max(0, int(unit.centre[0] / scale)))
            cells[row][column] = letter
    decision = game.pending
    asked = f"Side {decision.player + 1}: {decision.text or decision.key}" if decision else "The battle is over."
    return "\n".join([lines[0], *("".join(row) for row in cells), *lines[1:], asked])


def draw_svg(game: Game, rules: Ruleset[Any]) -> str:
    """The position as an SVG drawing, as the referee draws it."""
    from dieselfront.referee import svg

    return svg.draw(rules.view(game.state))
