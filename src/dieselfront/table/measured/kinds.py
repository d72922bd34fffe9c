"""A common stock of terrain kinds, by the words of the tabletop. Rulesets replace what their books say differently."""

from __future__ import annotations

from dieselfront.table.measured.terrain import Cover, Sight, TerrainKind

WOOD = TerrainKind("wood", "Wood", Sight.AREA, Cover.SOFT, 150, is_area=True)
RUIN = TerrainKind("ruin", "Ruin", Sight.AREA, Cover.HARD, 100, is_area=True)
RUBBLE = TerrainKind("rubble", "Rubble", Sight.OPEN, Cover.HARD, 10, is_area=True)
CRATER = TerrainKind("crater", "Crater", Sight.OPEN, Cover.SOFT, 0, is_area=True)
CROPS = TerrainKind("crops", "Crops", Sight.OPEN, Cover.SOFT, 20, is_area=True)
MUD = TerrainKind("mud", "Mud")
SAND = TerrainKind("sand", "Sand")
SWAMP = TerrainKind("swamp", "Swamp")
RIVER = TerrainKind("river", "River")
WATER = TerrainKind("water", "Deep water")
ROAD = TerrainKind("road", "Road")
HILL = TerrainKind("hill", "Hill", Sight.BLOCKS, Cover.HARD, 60, is_hill=True)
ROCK = TerrainKind("rock", "Rock", Sight.BLOCKS, Cover.HARD, 100)
WALL = TerrainKind("wall", "Stone wall", Sight.BLOCKS, Cover.HARD, 25)
HEDGE = TerrainKind("hedge", "Hedge", Sight.BLOCKS, Cover.SOFT, 25)
FENCE = TerrainKind("fence", "Fence", Sight.SCREEN, Cover.SOFT, 20)
SANDBAGS = TerrainKind("sandbags", "Sandbags", Sight.BLOCKS, Cover.HARD, 20)
TANK_TRAPS = TerrainKind("tank-traps", "Tank traps", Sight.SCREEN, Cover.HARD, 25, is_area=True)
WRECK = TerrainKind("wreck", "Wreck", Sight.BLOCKS, Cover.HARD, 45)
SMOKE = TerrainKind("smoke", "Smoke", Sight.AREA, Cover.SOFT, 200, is_area=True)
HOUSE = TerrainKind("house", "House", Sight.BLOCKS, Cover.HARD, 80)

STANDARD = {
    kind.id: kind
    for kind in (
        WOOD,
        RUIN,
        RUBBLE,
        CRATER,
        CROPS,
        MUD,
        SAND,
        SWAMP,
        RIVER,
        WATER,
        ROAD,
        HILL,
        ROCK,
        WALL,
        HEDGE,
        FENCE,
        SANDBAGS,
        TANK_TRAPS,
        WRECK,
        SMOKE,
        HOUSE,
    )
}
