"""The lengths of Battlefield, in tenths of a millimetre (bf.setup.measure_system).

The sizes of templates are constants of this file (bf.open.blast_template_size, bf.open.flame_template).
"""

from __future__ import annotations

from dieselfront.rulesets.dust_open.places import Measures
from dieselfront.table.measured.units import cm, inches

METRIC = Measures(range=cm(10), blast=cm("7.5"), effect=cm("7.5"), flight=100)
IMPERIAL = Measures(range=inches(4), blast=inches(3), effect=inches(3), flight=100)
SYSTEMS = {"metric": METRIC, "imperial": IMPERIAL}
CONTACT = 20
"""So near (tenths of a millimetre) bases and hulls touch: spots are whole millimetres."""


def formation(measures: Measures) -> int:
    """How far apart the miniatures of an infantry unit may end a move: 15 cm or 6 in (bf.move.formation)."""
    return 2 * measures.blast


def close(measures: Measures) -> int:
    """Close combat: within 5 cm or 2 in (bf.attack.range_close)."""
    return measures.range // 2


def flame_width(measures: Measures) -> int:
    """The width of a flame template: 5 cm or 2 in (bf.open.flame_template)."""
    return measures.range // 2
