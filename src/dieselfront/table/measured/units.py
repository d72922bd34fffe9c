"""Lengths of the measured table: whole tenths of a millimetre. Positions are whole millimetres.

What is rounded, and where, is written down in docs/measured-table.md.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from dieselfront.table.measured import native

TENTHS_PER_MM = 10
TENTHS_PER_CM = 100
TENTHS_PER_INCH = 254

Amount = int | float | str | Fraction


def _exact(value: Amount, tenths: int, unit: str) -> int:
    """A length in tenths of a millimetre, refused when it is not a whole number of them."""
    try:
        length = Fraction(str(value)) * tenths
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"{value!r} {unit} is not a length: expected a number such as 6, 4.5 or 1/2.") from error
    if length.denominator != 1:
        raise ValueError(f"{value} {unit} is not a whole number of tenths of a millimetre.")
    return length.numerator


def inches(value: Amount) -> int:
    """`inches(6) == 1524`: a length of the rules in tenths of a millimetre, exact."""
    return _exact(value, TENTHS_PER_INCH, "in")


def cm(value: Amount) -> int:
    """`cm(10) == 1000`."""
    return _exact(value, TENTHS_PER_CM, "cm")


def mm(value: Amount) -> int:
    """`mm(25) == 250`."""
    return _exact(value, TENTHS_PER_MM, "mm")


def ceil_sqrt(square: int) -> int:
    """The smallest whole number whose square is at least `square`."""
    root = isqrt(square)
    return root if root * root == square else root + 1


def ceil_sqrt_ratio(numerator: int, denominator: int) -> int:
    """The smallest whole n with n * n >= numerator / denominator, exactly."""
    return ceil_sqrt(-(-numerator // denominator))


def round_half_up(numerator: int, denominator: int) -> int:
    """The nearest whole number to a fraction (denominator > 0), halves going away from zero on both sides."""
    if numerator < 0:
        return -((-2 * numerator + denominator) // (2 * denominator))
    return (2 * numerator + denominator) // (2 * denominator)


def show_inches(tenths: int) -> str:
    """`show_inches(1651) == '6.5"'`: two decimals at most, for people, never for rules."""
    text = f"{round_half_up(tenths * 100, TENTHS_PER_INCH) / 100:.2f}".rstrip("0").rstrip(".")
    return f'{text}"'


def show_cm(tenths: int) -> str:
    """`show_cm(1005) == "10.1 cm"`: one decimal at most, for people, never for rules."""
    text = f"{round_half_up(tenths, 10) / 10:.1f}".rstrip("0").rstrip(".")
    return f"{text} cm"


native.take_over(
    globals(),
    "ceil_sqrt",
    "round_half_up",
)
