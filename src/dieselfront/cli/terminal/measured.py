"""A measured table as text: one character for a few inches, terrain by its letter, models by their unit's id."""

from __future__ import annotations

from typing import Any

from rich.text import Text

STYLES = ("bold bright_cyan", "bold bright_red")
MOST_COLUMNS = 96


def drawn(view: dict[str, Any], width: int) -> Text:
    """The table from above; characters are twice as high as wide, so rows stand for twice the length of columns."""
    table = view["table"]
    columns = min(MOST_COLUMNS, max(24, width - 2))
    step = max(1, -(-int(table["width"]) // columns))
    across = -(-int(table["width"]) // step)
    down = -(-int(table["height"]) // (step * 2))
    cells = [[(".", "dim")] * across for _ in range(down)]
    for piece in table.get("terrain", ()):
        _fill(cells, piece, step)
    for unit in view["units"]:
        if unit["status"] in ("board", "table"):
            _stand(cells, unit, step)
    text = Text()
    for row in cells:
        for symbol, style in row:
            text.append(symbol, style=style)
        text.append("\n")
    text.rstrip()
    return text


def _fill(cells: list[list[tuple[str, str]]], piece: dict[str, Any], step: int) -> None:
    """The letter of a piece of terrain on every character whose middle lies inside its outline."""
    outline = [(int(x), int(y)) for x, y in piece.get("outline", ())]
    letter = (str(piece.get("kind") or piece.get("name") or "?"))[:1].upper()
    for row in range(len(cells)):
        for column in range(len(cells[row])):
            if _inside(column * step + step // 2, row * step * 2 + step, outline):
                cells[row][column] = (letter, "green")


def _inside(x: int, y: int, outline: list[tuple[int, int]]) -> bool:
    """Even-odd rule, in whole numbers."""
    inside = False
    for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1], strict=True):
        if (y1 > y) != (y2 > y):
            left = (x - x1) * (y2 - y1)
            right = (x2 - x1) * (y - y1)
            if (left < right) == (y2 > y1):
                inside = not inside
    return inside


def _stand(cells: list[list[tuple[str, str]]], unit: dict[str, Any], step: int) -> None:
    """A unit's id where its first model stands, its letter where the others do."""
    style = STYLES[unit["side"]] + (" dim" if unit["activated"] else "")
    models = unit.get("models") or ([unit["hull"]] if unit.get("hull") else [])
    for number, model in reversed(list(enumerate(models))):
        row = min(len(cells) - 1, max(0, int(model["y"]) // (step * 2)))
        column = min(len(cells[0]) - 1, max(0, int(model["x"]) // step))
        shown = short(unit["id"]) if number == 0 else unit["id"][:1]
        for place, letter in enumerate(shown):
            if column + place < len(cells[0]):
                cells[row][column + place] = (letter, style)


def short(id: str) -> str:
    """An id of few letters: blue-3 is b3."""
    word, dash, number = id.partition("-")
    return f"{word[:1]}{number}" if dash else id
