"""Random boards for Dust Warfare: its kinds of ground (table/measured/random_board.py draws them)."""

from __future__ import annotations

from dieselfront.table.measured.random_board import RandomBoards

BOARDS = RandomBoards(
    ruleset="warfare",
    points=150,
    turns=6,
    areas={
        "forest": ((6, 9), (5, 8)),
        "jungle": ((6, 8), (5, 7)),
        "rubble": ((5, 6), (4, 5)),
        "crater": ((5, 7), (4, 5)),
        "swamp": ((6, 8), (4, 6)),
        "shallow-water": ((6, 9), (4, 5)),
        "deep-water": ((6, 9), (4, 5)),
        "hill": ((8, 10), (6, 7)),
        "trench": ((6, 10), (2, 2)),
        "building": ((5, 6), (4, 5)),
    },
    lines={
        "hedge": (8, 14),
        "wall": (7, 12),
        "high-wall": (5, 8),
        "fence": (8, 12),
        "barbed-wire": (6, 10),
        "tank-obstacle": (5, 8),
    },
    objective=20,
    roofs=True,
)
scenario = BOARDS.scenario
