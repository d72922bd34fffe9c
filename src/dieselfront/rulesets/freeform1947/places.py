"""The lengths of the freeform rules (ff.scope.*)."""

from __future__ import annotations

from dieselfront.rulesets.dust_open.places import Measures
from dieselfront.table.measured.templates import BLAST_RADIUS
from dieselfront.table.measured.units import inches

INCH = inches(1)
RANGE = inches(4)
"""One square, or one point of range or movement, in tenths of a millimetre (ff.scope.range_unit)."""

CIRCLE = BLAST_RADIUS
"""The radius of the command circle, the same as that of the blast template (ff.move.circle, ff.move.circle_tool)."""

MEASURES = Measures(RANGE, BLAST_RADIUS, CIRCLE)
