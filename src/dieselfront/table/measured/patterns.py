"""Inks and patterns of the map: one small drawing per kind of terrain, told apart without colour."""

from __future__ import annotations

from dataclasses import dataclass

INK = "#2b2a26"
PAPER = "#f5f0e1"
RIM = "#ebe4d0"
PALE = "#d8cfb8"


@dataclass(frozen=True, slots=True)
class Stroke:
    """How the outline of a kind is drawn."""

    width: float = 1.4
    dash: str = ""
    colour: str = INK

    @property
    def svg(self) -> str:
        """As attributes of a shape."""
        dash = f" stroke-dasharray='{self.dash}'" if self.dash else ""
        return f"stroke='{self.colour}' stroke-width='{self.width}'{dash} stroke-linejoin='round'"


FILLS = {
    "wood": "#d5dcb9",
    "ruin": "#ddd2bd",
    "rubble": "#e2d8c3",
    "crater": "#e6dcc6",
    "crops": "#eae2b0",
    "mud": "#d9c6a5",
    "sand": "#efe2bd",
    "swamp": "#d3dbc8",
    "river": "#c5d9e0",
    "water": "#b4cdd8",
    "road": "#e9dfc9",
    "hill": "#e6d5ae",
    "rock": "#c9c2b2",
    "wall": "#6d675c",
    "hedge": "#8ca06c",
    "fence": "none",
    "sandbags": "#cdb88c",
    "tank-traps": "#ddd7c8",
    "wreck": "#b5aea2",
    "smoke": "#dedbd3",
}

STROKES = {
    "": Stroke(),
    "wood": Stroke(1.6, "1 5", "#3f4f24"),
    "ruin": Stroke(3, "16 6 5 6"),
    "rubble": Stroke(1.2, "7 4"),
    "crater": Stroke(1.6, "4 3"),
    "crops": Stroke(1, "5 3"),
    "mud": Stroke(1, "3 5", "#6b4e22"),
    "sand": Stroke(1, "1 4", "#8a6d1f"),
    "swamp": Stroke(1.2, "6 4", "#3d5a46"),
    "river": Stroke(1.6, "", "#35606f"),
    "water": Stroke(2, "", "#35606f"),
    "road": Stroke(1.2, "", "#8b7d60"),
    "hill": Stroke(1.5, "", "#8a6330"),
    "rock": Stroke(2),
    "wall": Stroke(1.2),
    "hedge": Stroke(1.4, "", "#3f4f24"),
    "fence": Stroke(1.2),
    "sandbags": Stroke(1.4),
    "tank-traps": Stroke(1, "4 4"),
    "wreck": Stroke(2.2),
    "smoke": Stroke(1.2, "2 5", "#6b675e"),
}


def _pattern(name: str, width: int, height: int, inside: str, turn: int = 0) -> str:
    turned = f" patternTransform='rotate({turn})'" if turn else ""
    return f"<pattern id='{name}' width='{width}' height='{height}' patternUnits='userSpaceOnUse'{turned}>{inside}</pattern>"


def _crown(x: int, y: int, r: int) -> str:
    """A tree from above: a scalloped crown with a dotted shadow side."""
    return (
        f"<circle cx='{x}' cy='{y}' r='{r}' fill='#b9c593' stroke='#3f4f24' stroke-width='1.2'/>"
        f"<path d='M{x - r // 2} {y + r // 3} h1.6 M{x} {y + r // 2} h1.6 M{x + r // 3} {y + r // 4} h1.6 M{x + 1} {y} h1.6' "
        f"stroke='#3f4f24' stroke-width='1.6'/>"
    )


def _lines(path: str, colour: str = INK, width: float = 1.2) -> str:
    return f"<path d='{path}' fill='none' stroke='{colour}' stroke-width='{width}' stroke-linecap='round'/>"


PATTERNS = {
    "wood": _pattern("wood", 56, 48, _crown(14, 13, 10) + _crown(41, 18, 9) + _crown(24, 36, 8) + _crown(50, 41, 5)),
    "ruin": _pattern("ruin", 26, 26, _lines("M2 6 h9 M15 3 h8 M4 16 h6 M14 13 v8 M18 22 h6 M3 24 v-4")),
    "rubble": _pattern("rubble", 30, 26, _lines("M3 8 l5 -5 l6 4 M16 18 l4 -5 l6 5 l-3 4 M4 20 l4 2 M20 5 l5 2")),
    "crater": _pattern("crater", 14, 14, _lines("M3 7 h4 M10 3 v4", width=1)),
    "crops": _pattern("crops", 12, 16, _lines("M2 0 V16 M8 2 v5 M8 11 v4", "#77691d", 1)),
    "mud": _pattern("mud", 34, 20, _lines("M3 6 h10 M19 12 h11 M6 17 h6", "#6b4e22")),
    "sand": _pattern("sand", 22, 18, _lines("M4 5 h.1 M14 3 h.1 M10 12 h.1 M19 14 h.1 M2 15 h.1", "#8a6d1f", 2)),
    "swamp": _pattern(
        "swamp", 40, 26, _lines("M4 10 h14 M8 10 v-5 M11 10 v-7 M14 10 v-5 M22 22 h14 M29 22 v-7", "#3d5a46")
    ),
    "river": _pattern("river", 44, 16, _lines("M0 8 q5.5 -6 11 0 t11 0 t11 0 t11 0", "#35606f", 1.1)),
    "water": _pattern("water", 44, 11, _lines("M0 6 q5.5 -5 11 0 t11 0 t11 0 t11 0", "#35606f", 1.3)),
    "rock": _pattern("rock", 16, 16, _lines("M0 0 L16 16 M16 0 L0 16", width=1)),
    "wall": "",
    "hedge": _pattern("hedge", 12, 12, "<circle cx='6' cy='6' r='4' fill='#5f7440'/>"),
    "fence": _pattern("fence", 14, 14, _lines("M3 3 L11 11 M11 3 L3 11", width=1.3)),
    "sandbags": _pattern("sandbags", 14, 10, _lines("M0 5 H14 M4 0 V5 M11 5 V10", width=1)),
    "tank-traps": _pattern(
        "tank-traps", 34, 34, _lines("M5 5 L15 15 M15 5 L5 15 M22 22 L32 32 M32 22 L22 32", width=2.4)
    ),
    "wreck": _pattern("wreck", 9, 9, _lines("M0 0 V9", width=2), 30),
    "smoke": _pattern(
        "smoke",
        44,
        34,
        _lines("M4 14 a7 7 0 1 1 13 3 a6 6 0 1 1 11 2 M24 8 a5 5 0 1 1 9 2 M8 28 a5 5 0 1 1 9 1", "#77736a"),
    ),
    "house": _pattern("house", 10, 10, _lines("M0 10 L10 0", "#a2957a", 0.9)),
}
