"""Inks and patterns of the map: one small drawing per kind of terrain, distinct without colour."""

from __future__ import annotations

from dataclasses import dataclass

INK = "#2b2a26"
PAPER = "#f5f0e1"
RIM = "#ebe4d0"
PALE = "#d8cfb8"
MOSS, EARTH, DEEP, CORN = "#3f4f24", "#6b4e22", "#35606f", "#8a6d1f"


@dataclass(frozen=True, slots=True)
class Stroke:
    """How the outline of a kind is drawn."""

    width: float = 1.4
    dash: str = ""
    colour: str = INK


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
    "fence": PAPER,
    "sandbags": "#cdb88c",
    "tank-traps": "#ddd7c8",
    "wreck": "#b5aea2",
    "smoke": "#dedbd3",
    "house": "#d9cdb4",
}

STROKES = {
    "": Stroke(),
    "wood": Stroke(1.6, "1 5", MOSS),
    "ruin": Stroke(3, "16 6 5 6"),
    "rubble": Stroke(1.2, "7 4"),
    "crater": Stroke(1.6, "4 3"),
    "crops": Stroke(1, "5 3"),
    "mud": Stroke(1, "3 5", EARTH),
    "sand": Stroke(1, "1 4", CORN),
    "swamp": Stroke(1.2, "6 4", "#3d5a46"),
    "river": Stroke(1.6, "", DEEP),
    "water": Stroke(2, "", DEEP),
    "road": Stroke(1.4, "", "#8b7d60"),
    "hill": Stroke(1.5, "", "#8a6330"),
    "rock": Stroke(2),
    "wall": Stroke(1.2),
    "hedge": Stroke(1.4, "", MOSS),
    "fence": Stroke(1.2),
    "sandbags": Stroke(1.4),
    "tank-traps": Stroke(1, "4 4"),
    "wreck": Stroke(2.2),
    "smoke": Stroke(1.2, "2 5", "#6b675e"),
    "house": Stroke(6),
}


def _pattern(name: str, width: int, height: int, inside: str, turn: int = 0) -> str:
    turned = f" patternTransform='rotate({turn})'" if turn else ""
    size = f"width='{width}' height='{height}' patternUnits='userSpaceOnUse'"
    return f"<pattern id='{name}' {size}{turned}>{inside}</pattern>"


def _crown(x: int, y: int, r: int) -> str:
    """A tree from above: a round crown, stippled on its shadow side."""
    crown = f"<circle cx='{x}' cy='{y}' r='{r}' fill='#b9c593' stroke='{MOSS}' stroke-width='1.2'/>"
    dots = f"M{x - r // 2} {y + r // 3} h1.6 M{x} {y + r // 2} h1.6 M{x + r // 3} {y + r // 4} h1.6 M{x + 1} {y} h1.6"
    return crown + _lines(dots, MOSS, 1.6)


def _lines(path: str, colour: str = INK, width: float = 1.2) -> str:
    return f"<path d='{path}' fill='none' stroke='{colour}' stroke-width='{width}' stroke-linecap='round'/>"


_PUFFS = "M4 14 a7 7 0 1 1 13 3 a6 6 0 1 1 11 2 M24 8 a5 5 0 1 1 9 2 M8 28 a5 5 0 1 1 9 1"
_TUFTS = "M4 10 h14 M8 10 v-5 M11 10 v-7 M14 10 v-5 M22 22 h14 M29 22 v-7"
_CROSSES = "M5 5 L15 15 M15 5 L5 15 M22 22 L32 32 M32 22 L22 32"

PATTERNS = {
    "wood": _pattern("wood", 56, 48, _crown(14, 13, 10) + _crown(41, 18, 9) + _crown(24, 36, 8) + _crown(50, 41, 5)),
    "ruin": _pattern("ruin", 26, 26, _lines("M2 6 h9 M15 3 h8 M4 16 h6 M14 13 v8 M18 22 h6 M3 24 v-4")),
    "rubble": _pattern("rubble", 30, 26, _lines("M3 8 l5 -5 l6 4 M16 18 l4 -5 l6 5 l-3 4 M4 20 l4 2 M20 5 l5 2")),
    "crater": _pattern("crater", 14, 14, _lines("M3 7 h4 M10 3 v4", width=1)),
    "crops": _pattern("crops", 12, 16, _lines("M2 0 V16 M8 2 v5 M8 11 v4", "#77691d", 1)),
    "mud": _pattern("mud", 34, 20, _lines("M3 6 h10 M19 12 h11 M6 17 h6", EARTH)),
    "sand": _pattern("sand", 22, 18, _lines("M4 5 h.1 M14 3 h.1 M10 12 h.1 M19 14 h.1 M2 15 h.1", CORN, 2)),
    "swamp": _pattern("swamp", 40, 26, _lines(_TUFTS, "#3d5a46")),
    "river": _pattern("river", 44, 16, _lines("M0 8 q5.5 -6 11 0 t11 0 t11 0 t11 0", DEEP, 1.1)),
    "water": _pattern("water", 44, 11, _lines("M0 6 q5.5 -5 11 0 t11 0 t11 0 t11 0", DEEP, 1.3)),
    "rock": _pattern("rock", 16, 16, _lines("M0 0 L16 16 M16 0 L0 16", width=1)),
    "hedge": _pattern("hedge", 12, 12, "<circle cx='6' cy='6' r='4' fill='#5f7440'/>"),
    "fence": _pattern("fence", 14, 14, _lines("M3 3 L11 11 M11 3 L3 11", width=1.3)),
    "sandbags": _pattern("sandbags", 14, 10, _lines("M0 5 H14 M4 0 V5 M11 5 V10", width=1)),
    "tank-traps": _pattern("tank-traps", 34, 34, _lines(_CROSSES, width=2.4)),
    "wreck": _pattern("wreck", 9, 9, _lines("M0 0 V9", width=2), 30),
    "smoke": _pattern("smoke", 44, 34, _lines(_PUFFS, "#77736a")),
    "house": _pattern("house", 10, 10, _lines("M0 10 L10 0", "#a2957a", 0.9)),
}
