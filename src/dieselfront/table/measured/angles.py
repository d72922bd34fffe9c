"""Headings and directions in whole degrees, worked out with whole numbers only, so that every machine agrees.

Heading 0 looks up the page (towards smaller y), 90 to the right, 180 down, 270 to the left: clockwise, as on a compass.
"""

from __future__ import annotations

from functools import cache

from dieselfront.table.measured.units import round_half_up

SCALE_BITS = 20
SCALE = 1 << SCALE_BITS

_PI = 3141592653589793238462643383279502884197  # pi * 10**39
_ONE = 10**39


def _sine(angle: int) -> int:
    """Sine by its power series, argument and result scaled by 10**39, for angles up to a quarter turn."""
    total = term = angle
    step = 1
    while term:
        term = -term * angle // _ONE * angle // _ONE // ((step + 1) * (step + 2))
        if term == -1:
            break
        total += term
        step += 2
    return total


def _quarter() -> tuple[int, ...]:
    """Sines of 0, 0.5, ... 90 degrees scaled by 2**20 and rounded to the nearest whole number."""
    return tuple(round_half_up(_sine(_PI * half // 360) * SCALE, _ONE) for half in range(181))


_QUARTER = _quarter()


def _sin_half(half: int) -> int:
    """Sine of `half` half-degrees, scaled; the quarters mirror each other exactly."""
    half %= 720
    if half >= 360:
        return -_sin_half(half - 360)
    return _QUARTER[half] if half <= 180 else _QUARTER[360 - half]


SIN = tuple(_sin_half(2 * degree) for degree in range(360))
COS = tuple(_sin_half(2 * degree + 180) for degree in range(360))
_EDGES = tuple((_sin_half(2 * d + 1), -_sin_half(2 * d + 181)) for d in range(360))  # direction of d + 0.5 degrees


def direction(heading: int) -> tuple[int, int]:
    """The unit vector of a heading, scaled by 2**20 (y runs down the page)."""
    heading %= 360
    return SIN[heading], -COS[heading]


def scaled(vector: int, length: int) -> int:
    """One coordinate of a direction stretched to a length and rounded to a whole tenth."""
    return round_half_up(vector * length, SCALE)


def step(heading: int, length: int) -> tuple[int, int]:
    """The way `length` along a heading, each coordinate rounded once."""
    dx, dy = direction(heading)
    return scaled(dx, length), scaled(dy, length)


def heading_of(dx: int, dy: int) -> int:
    """The whole degree nearest to the direction (dx, dy); an exact half goes to the higher degree."""
    if dx == 0 and dy == 0:
        raise ValueError("A heading needs two different points.")
    low = (0 if dy < 0 else 90) if dx >= 0 else (180 if dy > 0 else 270)
    if dx > 0 and dy == 0 or dx == 0 and dy < 0 or dx == 0 and dy > 0 or dx < 0 and dy == 0:
        return _AXES[(dx > 0) - (dx < 0), (dy > 0) - (dy < 0)]
    first, last = low, low + 90
    while first < last:  # the first degree whose upper edge lies clockwise of the direction
        middle = (first + last) // 2
        ex, ey = _EDGES[middle % 360]
        if dx * ey - dy * ex > 0:
            last = middle
        else:
            first = middle + 1
    return first % 360


_AXES = {(0, -1): 0, (1, 0): 90, (0, 1): 180, (-1, 0): 270}


def turn_between(start: int, end: int) -> int:
    """The shorter way round from one heading to another, in degrees without sign (0 to 180)."""
    difference = (end - start) % 360
    return min(difference, 360 - difference)


@cache
def box_corners(width: int, length: int, heading: int) -> tuple[tuple[int, int], ...]:
    """Corner offsets of a box (tenths), clockwise from the front left; each rounded to a whole tenth once."""
    fx, fy = direction(heading)
    rx, ry = -fy, fx
    offsets = ((-width, length), (width, length), (width, -length), (-width, -length))
    return tuple(
        (round_half_up(side * rx + ahead * fx, 2 * SCALE), round_half_up(side * ry + ahead * fy, 2 * SCALE))
        for side, ahead in offsets
    )
