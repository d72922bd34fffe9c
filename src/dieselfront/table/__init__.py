"""Tables: where things stand (square and measured tables), what is seen, reached and covered there."""

from __future__ import annotations

from dieselfront.table.terrain import Column, TableError, TerrainKind, Wall, kinds_from, load_kinds

__all__ = ["Column", "TableError", "TerrainKind", "Wall", "kinds_from", "load_kinds"]
