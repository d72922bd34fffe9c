"""Bars of distributions as a picture: SVG written here, PNG where Pillow is installed.

The picture is a short list of boxes and words; both writers draw the same list.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from dieselfront.odds.games import OddsError

WIDTH, ROW, BAR, LEFT, RIGHT = 760, 26, 18, 150, 90
HEAD, GAP = 64, 22
PAPER, INK, FAINT, ACCENT, DEAD = "#f6f1e4", "#2b2a26", "#8a8475", "#b4532a", "#6d1f14"
SMALLEST = 0.0005


class Panel(NamedTuple):
    """One distribution to be drawn: its title, the chances, and what the values are called."""

    title: str
    chances: Sequence[float]
    unit: str
    last_is_dead: bool = False


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    colour: str


class Words(NamedTuple):
    x: float
    y: float
    text: str
    size: int
    colour: str
    anchor: str = "start"  # start, end
    bold: bool = False


class Picture(NamedTuple):
    """What is drawn, and how large it is."""

    width: int
    height: int
    items: list[Box | Words]


def picture(title: str, subtitle: str, panels: Sequence[Panel]) -> Picture:
    """Lay the panels out below each other."""
    items: list[Box | Words] = [Words(20, 30, title, 20, INK, bold=True), Words(20, 52, subtitle, 13, FAINT)]
    top = float(HEAD)
    for panel in panels:
        top = _lay(items, panel, top) + GAP
    return Picture(WIDTH, int(top), items)


def _lay(items: list[Box | Words], panel: Panel, top: float) -> float:
    items.append(Words(20, top + 16, panel.title, 14, INK, bold=True))
    top += 28
    rows = _rows(panel.chances)
    longest = max((chance for _, chance in rows), default=1.0)
    room = WIDTH - LEFT - RIGHT
    for value, chance in rows:
        dead = panel.last_is_dead and value == len(panel.chances) - 1
        label = f"{value} {panel.unit}" + (" (all)" if dead else "")
        items.append(Words(LEFT - 10, top + 14, label, 13, INK, "end"))
        items.append(Box(LEFT, top + 1, max(1.0, room * chance / longest), BAR, DEAD if dead else ACCENT))
        items.append(Words(LEFT + room * chance / longest + 8, top + 14, f"{chance:.1%}", 13, FAINT))
        top += ROW
    return top


def _rows(chances: Sequence[float]) -> list[tuple[int, float]]:
    """The values worth a bar, from the first to the last that is."""
    worth = [value for value, chance in enumerate(chances) if chance >= SMALLEST]
    if not worth:
        return []
    return [(value, chances[value]) for value in range(worth[0], worth[-1] + 1)]


def svg(drawn: Picture) -> str:
    """The picture as SVG."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{drawn.width}" height="{drawn.height}" '
        f'viewBox="0 0 {drawn.width} {drawn.height}" font-family="Helvetica, Arial, sans-serif">',
        f'<rect width="{drawn.width}" height="{drawn.height}" fill="{PAPER}"/>',
    ]
    for item in drawn.items:
        if isinstance(item, Box):
            lines.append(
                f'<rect x="{item.x:.1f}" y="{item.y:.1f}" width="{item.width:.1f}" height="{item.height:.1f}" '
                f'fill="{item.colour}"/>'
            )
        else:
            weight = ' font-weight="bold"' if item.bold else ""
            lines.append(
                f'<text x="{item.x:.1f}" y="{item.y:.1f}" font-size="{item.size}" fill="{item.colour}" '
                f'text-anchor="{item.anchor}"{weight}>{escape(item.text)}</text>'
            )
    return "\n".join([*lines, "</svg>", ""])


def png(drawn: Picture, file: Path) -> None:
    """The picture as PNG, twice as large so that it prints well."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise OddsError("a PNG picture needs the package 'pillow'; install it, or ask for a .svg file") from None
    scale = 2
    image = Image.new("RGB", (drawn.width * scale, drawn.height * scale), PAPER)
    draw = ImageDraw.Draw(image)
    for item in drawn.items:
        if isinstance(item, Box):
            corner = (item.x * scale, item.y * scale)
            draw.rectangle((corner, ((item.x + item.width) * scale, (item.y + item.height) * scale)), fill=item.colour)
        else:
            font: Any = ImageFont.load_default(size=item.size * scale)
            anchor = "rs" if item.anchor == "end" else "ls"
            draw.text((item.x * scale, item.y * scale), item.text, fill=item.colour, font=font, anchor=anchor)
    image.save(file, "PNG")


def write(drawn: Picture, file: Path) -> None:
    """Write the picture; the ending of the file's name tells how."""
    ending = file.suffix.lower()
    if ending == ".svg":
        file.write_text(svg(drawn), encoding="utf-8")
    elif ending == ".png":
        png(drawn, file)
    else:
        raise OddsError(f"a picture is a .svg or a .png file, not '{file.name}'")
