"""Kinds of terrain: their cover and what they do to movers (dw.terrain.*, dw.cover.soft_list, dw.cover.hard_list).

What the book does not list has no effect on movement and gives no cover; buildings give hard cover and keep vehicles
out (dw.open.terrain_unlisted). Heights are millimetres; 4" (102 mm) make a flight hazard
(dw.aircraft.hazard_definition).
"""

from __future__ import annotations

from dieselfront.table.measured.terrain import Cover, Piece, Sight, TerrainKind

OPEN, DIFFICULT, IMPASSABLE = "open", "difficult", "impassable"
HAZARD_MM = 102
ROOFED = "roofed"  # closed from above (dw.aircraft.los_high_roof, dw.ability.flight_roof)
DEFENCES = ("barbed-wire", "tank-obstacle", "barricade")  # what Demolition and engineers clear


def _kind(
    id: str, name: str, sight: Sight, cover: Cover, height: int, soldiers: str = OPEN, vehicles: str = OPEN,
    is_area: bool = False, is_hill: bool = False,
) -> TerrainKind:  # fmt: skip
    going = {"soldier": soldiers, "vehicle": vehicles}
    return TerrainKind(id, name, sight, cover, height, is_area=is_area, is_hill=is_hill, going=going)


KINDS: dict[str, TerrainKind] = {
    kind.id: kind
    for kind in (
        # soft cover (dw.cover.soft_list)
        _kind("crater", "Craters", Sight.SCREEN, Cover.SOFT, 8, vehicles=DIFFICULT, is_area=True),
        _kind("fence", "Fence", Sight.SCREEN, Cover.SOFT, 20, soldiers=DIFFICULT),
        _kind("forest", "Forest", Sight.SCREEN, Cover.SOFT, 130, vehicles=DIFFICULT, is_area=True),
        _kind("jungle", "Jungle", Sight.AREA, Cover.SOFT, 130, vehicles=DIFFICULT, is_area=True),
        _kind("hedge", "Hedge", Sight.BLOCKS, Cover.SOFT, 20),
        _kind("hill", "Hill", Sight.BLOCKS, Cover.SOFT, 30, vehicles=DIFFICULT, is_hill=True),
        _kind("rubble", "Rubble", Sight.SCREEN, Cover.SOFT, 15, vehicles=DIFFICULT, is_area=True),
        _kind("shallow-water", "Shallow water", Sight.OPEN, Cover.SOFT, 0, vehicles=DIFFICULT, is_area=True),
        # hard cover (dw.cover.hard_list)
        _kind("wall", "Stone wall", Sight.BLOCKS, Cover.HARD, 22, soldiers=DIFFICULT, vehicles=DIFFICULT),
        _kind("high-wall", "High brick wall", Sight.BLOCKS, Cover.HARD, 60, soldiers=DIFFICULT, vehicles=DIFFICULT),
        _kind("tank-obstacle", "Tank obstacle", Sight.SCREEN, Cover.HARD, 18, vehicles=IMPASSABLE),
        _kind("trench", "Trench", Sight.OPEN, Cover.HARD, 0, vehicles=DIFFICULT, is_area=True),
        _kind("wreck", "Wreckage", Sight.SCREEN, Cover.HARD, 45, vehicles=DIFFICULT, is_area=True),
        _kind("deep-water", "Deep water", Sight.OPEN, Cover.HARD, 0, DIFFICULT, IMPASSABLE, is_area=True),
        _kind("building", "Building", Sight.AREA, Cover.HARD, 110, vehicles=IMPASSABLE, is_area=True),
        # neither
        _kind("barbed-wire", "Barbed wire", Sight.OPEN, Cover.NONE, 0, soldiers=DIFFICULT, vehicles=DIFFICULT),
        _kind("barricade", "Barricade", Sight.OPEN, Cover.NONE, 0),
        _kind("swamp", "Swamp", Sight.OPEN, Cover.NONE, 0, vehicles=DIFFICULT, is_area=True),
        _kind("cliff", "Cliff", Sight.BLOCKS, Cover.NONE, 102, is_hill=True),
        _kind("rocks", "Rocks", Sight.BLOCKS, Cover.HARD, 90, soldiers=IMPASSABLE, vehicles=IMPASSABLE),
        _kind("road", "Road", Sight.OPEN, Cover.NONE, 0),
    )
}


def going(piece: Piece, mover: str) -> str:
    """What a piece is to soldiers or vehicles (dw.terrain.difficult_soldiers, dw.terrain.difficult_vehicles,
    dw.terrain.impassable_vehicles)."""
    return piece.kind.going.get(mover, OPEN)


def is_water(piece: Piece) -> bool:
    return piece.kind.id in ("shallow-water", "deep-water")


def is_roofed(piece: Piece) -> bool:
    return ROOFED in piece.traits


def floors_of(piece: Piece) -> int:
    """Levels of a building; scenario data writes them as a trait."""
    return next((int(trait.split()[1]) for trait in piece.traits if trait.startswith("floors ")), 1)


def is_hazard(piece: Piece) -> bool:
    """Cover with elements of at least 4" (dw.aircraft.hazard_definition, dw.open.hazard_details)."""
    return piece.kind.cover > Cover.NONE and piece.height >= HAZARD_MM * 10


__all__ = ["DEFENCES", "DIFFICULT", "IMPASSABLE", "KINDS", "OPEN", "ROOFED", "floors_of", "going", "is_hazard",
           "is_roofed", "is_water"]  # fmt: skip
