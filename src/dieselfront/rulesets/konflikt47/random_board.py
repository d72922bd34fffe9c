"""Random boards for Konflikt '47: its kinds of ground (table/measured/random_board.py draws them)."""

from __future__ import annotations

from dieselfront.table.measured.random_board import RandomBoards

BOARDS = RandomBoards(
    ruleset="konflikt47",
    points=500,
    turns=6,
    areas={
        "woods": ((6, 9), (5, 8)),
        "scrub": ((6, 9), (5, 7)),
        "crops": ((7, 10), (5, 7)),
        "rubble": ((5, 6), (4, 5)),
        "craters": ((5, 7), (4, 5)),
        "marsh": ((6, 8), (4, 6)),
        "ruin": ((5, 6), (5, 6)),
        "hill": ((8, 10), (6, 7)),
        "building": ((4, 6), (4, 5)),
    },
    lines={"hedge": (8, 14), "wall": (7, 12), "fence": (8, 12), "sandbags": (5, 8), "tank-traps": (5, 8)},
    objective=2,
)
scenario = BOARDS.scenario
