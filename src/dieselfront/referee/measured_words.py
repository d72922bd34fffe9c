"""Words of a measured table: lengths, spots, headings and ways as people write them.

"12in", '6"', "30 cm", "305 mm"; "12in, 8in"; "north", "NE", "45"; "forward 4in, right 90, forward 5in"; "6in north".
Bare numbers are inches unless a file says otherwise. Positions become whole millimetres, lengths tenths of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING, Any

from dieselfront.kernel.decisions import Answer, PlaceFree, plain

if TYPE_CHECKING:  # positions on squares are judged without the measured table
    from dieselfront.table.measured.shapes import Body

TENTHS = {
    **dict.fromkeys(("in", "inch", "inches", '"', "”", "″", "''"), 254),
    **dict.fromkeys(("cm", "centimetres", "centimeters"), 100),
    **dict.fromkeys(("mm", "millimetres", "millimeters"), 10),
    **dict.fromkeys(("ft", "feet", "foot", "'"), 3048),
}
COMPASS = {
    name: 45 * place
    for place, names in enumerate(
        (
            ("n", "north"),
            ("ne", "north-east", "northeast"),
            ("e", "east"),
            ("se", "south-east", "southeast"),
            ("s", "south"),
            ("sw", "south-west", "southwest"),
            ("w", "west"),
            ("nw", "north-west", "northwest"),
        )
    )
    for name in names
}
STAYING = ("stay", "nowhere", "none", "no", "nothing", "-")
SLACK = 15  # tenths: what rounding both ends of a way to whole millimetres can add to it

_UNIT = "|".join(re.escape(name) for name in sorted(TENTHS, key=len, reverse=True))
_NUMBER = r"\d+(?:\.\d+)?(?:\s?\d?/\d+)?"
_LENGTH = rf"-?(?:{_NUMBER})\s*(?:{_UNIT})?"
_HEADING = r"(?:north|south|east|west|[ns][ew]?|[ew]|-?\d+)(?:-?(?:east|west))?(?:°|\s*degrees)?"
_ONE = re.compile(rf"^\s*(?P<sign>-?)(?P<number>{_NUMBER})\s*(?P<unit>{_UNIT})?\s*$", re.IGNORECASE)
_SPOT = re.compile(rf"(?P<x>{_LENGTH})\s*(?:,|x|by|\s)\s*(?P<y>{_LENGTH})", re.IGNORECASE)
_FACING = re.compile(rf"[\s,]*(?:facing|heading|towards?)\s+(?P<heading>{_HEADING})", re.IGNORECASE)
_DRIVE = re.compile(
    rf"(?P<verb>forwards?|ahead|straight on|on|back|backwards?|reverse)\s+(?P<far>{_LENGTH})", re.IGNORECASE
)
_TURN = re.compile(
    r"(?:(?:turn|pivot)\s+)?(?P<side>left|right)\s+(?:by\s+)?(?P<degrees>\d+)(?:°|\s*degrees)?", re.IGNORECASE
)
_FACE = re.compile(rf"(?:turn|pivot|face)\s+(?:to\s+)?(?P<heading>{_HEADING})", re.IGNORECASE)
_STEP = re.compile(rf"(?P<far>{_LENGTH})\s+(?:to\s+the\s+|heading\s+|at\s+)?(?P<heading>{_HEADING})\b", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:\s|,|;|->|→|\bthen\b|\band\b|\bto\b|\bvia\b)+", re.IGNORECASE)


class NotUnderstood(ValueError):
    """Words that tell no length, spot, heading or way; the sentence says what was expected."""


Spot = tuple[int, int]


# -- lengths, spots, headings --------------------------------------------------------------------------------


def length(wanted: Any, unit: str = "in") -> int:
    """A length in tenths of a millimetre, to the nearest one."""
    exact = _exact(wanted, unit)
    return int((2 * exact + 1) // 2)


def position(wanted: Any, unit: str = "in") -> int:
    """A coordinate in whole millimetres, to the nearest one."""
    return int((2 * _exact(wanted, unit) + 10) // 20)


def _exact(wanted: Any, unit: str) -> Fraction:
    if isinstance(wanted, int | float) and not isinstance(wanted, bool):
        return Fraction(str(wanted)) * TENTHS[unit]
    match = _ONE.match(str(wanted))
    if match is None:
        raise NotUnderstood(f"{wanted!r} is no length; expected for instance 12in, 30cm or 305mm")
    whole, _, part = match["number"].replace("/", " /").partition(" /")
    value = Fraction(whole.split()[0])
    if part:
        top = whole.split()
        value = Fraction(int(top[-1]), max(1, int(part))) + (int(top[0]) if len(top) > 1 else 0)
    tenths = value * TENTHS[(match["unit"] or unit).lower()]
    return -tenths if match["sign"] else tenths


def spot(wanted: Any, unit: str = "in") -> Spot:
    """A place on the table in whole millimetres: "12in, 8in", [12, 8] or {x: 12in, y: 8in}."""
    x, y = _two(wanted)
    return position(x, unit), position(y, unit)


def pair(wanted: Any, unit: str = "in") -> tuple[int, int]:
    """Two lengths in tenths of a millimetre: a size, or a place that is rounded later."""
    x, y = _two(wanted)
    return length(x, unit), length(y, unit)


def _two(wanted: Any) -> tuple[Any, Any]:
    if isinstance(wanted, Mapping) and set(wanted) == {"x", "y"}:
        return wanted["x"], wanted["y"]
    if isinstance(wanted, list | tuple) and len(wanted) == 2:
        return wanted[0], wanted[1]
    match = _SPOT.fullmatch(wanted.strip()) if isinstance(wanted, str) else None
    if match is None:
        raise NotUnderstood(f"{wanted!r} is no place; expected for instance '12in, 8in'")
    return match["x"], match["y"]


def heading(wanted: Any) -> int:
    """Degrees clockwise from north (up the page), or a point of the compass."""
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        return wanted % 360
    text = re.sub(r"(?:°|\s*degrees)$", "", str(wanted).strip().lower())
    if text in COMPASS:
        return COMPASS[text]
    if text.lstrip("-").isdigit():
        return int(text) % 360
    raise NotUnderstood(f"nobody can face {wanted!r}; expected degrees from north, or north, NE, east ...")


def show_spot(x: int, y: int, sign: str = '"') -> str:
    """A place in inches or centimetres, for people."""
    if sign == "cm":
        return f"{x / 10:g}cm, {y / 10:g}cm"
    return f"{_inches(x)}, {_inches(y)}"


def _inches(mm: int) -> str:
    return f"{mm / 25.4:.1f}".removesuffix(".0") + '"'


# -- answers to decisions ------------------------------------------------------------------------------------


def points(decision: PlaceFree, wanted: Any, unit: str = "in") -> Answer:
    """What was meant for a way or a place on a measured table; raw answers of whole millimetres are read too."""
    if not isinstance(wanted, str):
        return _from_data(decision, wanted, unit)
    if wanted.strip().lower() in STAYING:
        return ()
    region = decision.region.facts()
    if region.get("kind") == "drive":
        return _drive(wanted, region, unit)
    if region.get("kind") == "foot":
        return _walk(wanted, region, unit)
    return _placed(wanted, region, unit)


def _from_data(decision: PlaceFree, wanted: Any, unit: str) -> Answer:
    """Lists of whole numbers are raw; a list of texts is a list of places or manoeuvres."""
    if wanted is None:
        return ()
    if isinstance(wanted, Mapping):
        return _from_table(decision, wanted, unit)
    if isinstance(wanted, list | tuple) and wanted and all(isinstance(one, str) for one in wanted):
        return points(decision, " then ".join(wanted), unit)
    if not isinstance(wanted, list | tuple) or any(isinstance(one, float) for one in wanted):
        raise NotUnderstood(f"{wanted!r} is no place and no way; expected for instance '20in, 12in'")
    return plain(wanted)


def _from_table(decision: PlaceFree, wanted: Mapping[str, Any], unit: str) -> Answer:
    """A place with a facing; `models` sets the others down by hand, after the first, who stands at `to`."""
    if set(wanted) - {"to", "facing", "models"}:
        raise NotUnderstood("a place is given by 'to', perhaps 'facing', perhaps 'models'")
    turned = f" facing {wanted['facing']}" if "facing" in wanted else ""
    answer = points(decision, f"{wanted.get('to', '')}{turned}", unit)
    if "models" not in wanted:
        return answer
    if decision.region.facts().get("kind") != "spot" or not isinstance(wanted["models"], list | tuple):
        raise NotUnderstood("'models' is a list of places, where a unit is set down")
    others = [_placed(str(one), {}, unit) for one in wanted["models"]]
    return (*answer, answer[:2], *others)


def _placed(text: str, region: Mapping[str, Any], unit: str) -> Answer:
    """Where a unit is set down, and which way it looks."""
    match = _SPOT.match(text.strip())
    if match is None:
        raise NotUnderstood(f"{text!r} is no place; expected for instance '12in, 8in facing north'")
    placed = (position(match["x"], unit), position(match["y"], unit))
    if "start" in region and "reach" in region:  # exactly as far as it goes, whatever rounding adds
        (placed,) = snug((region["start"][0], region["start"][1]), [placed], int(region["reach"]))
    rest = text.strip()[match.end() :]
    turned = _FACING.match(rest)
    left_over = rest[turned.end() :] if turned else rest
    if left_over.strip():
        raise NotUnderstood(f"{text!r} is more than a place: nothing is known of {left_over.strip()!r}")
    if "facing" not in region:
        return placed
    return (*placed, heading(turned["heading"]) if turned else int(region["facing"]))


def _walk(text: str, region: Mapping[str, Any], unit: str) -> Answer:
    """A way on foot: places, or steps such as "6in north", one after the other."""
    way: list[Spot] = []
    here: Spot = (region["start"][0], region["start"][1])
    rest = _after(text)
    while rest:
        taken, here = _foot_leg(rest, here, unit)
        way.append(here)
        rest = _after(rest[taken:])
    if not way:
        raise NotUnderstood(f"{text!r} is no way; expected for instance '20in, 12in' or '6in north'")
    return snug((region["start"][0], region["start"][1]), way, int(region["reach"]))


def _foot_leg(rest: str, here: Spot, unit: str) -> tuple[int, Spot]:
    match = _SPOT.match(rest)
    if match is not None:
        return match.end(), (position(match["x"], unit), position(match["y"], unit))
    match = _STEP.match(rest)
    if match is None:
        raise NotUnderstood(f"{rest!r} is no part of a way; expected for instance '20in, 12in' or '6in north'")
    from dieselfront.table.measured.angles import step

    dx, dy = step(heading(match["heading"]), length(match["far"], unit))
    return match.end(), (here[0] + int(dx / 10), here[1] + int(dy / 10))


def snug(start: Spot, way: Sequence[Spot], reach: int) -> tuple[Spot, ...]:
    """A way that is too long only because its ends were rounded to millimetres ends one millimetre earlier."""
    spots = list(way)
    while 0 < _measured([start, *spots]) - reach <= SLACK:
        before = spots[-2] if len(spots) > 1 else start
        x, y = spots[-1]
        dx, dy = before[0] - x, before[1] - y
        if abs(dx) >= abs(dy):
            spots[-1] = (x + (1 if dx > 0 else -1), y)
        else:
            spots[-1] = (x, y + (1 if dy > 0 else -1))
    return tuple(spots)


def _measured(way: Sequence[Spot]) -> int:
    """The length of a way in tenths, rounded up leg by leg."""
    legs = (isqrt(((bx - ax) ** 2 + (by - ay) ** 2) * 10**6) for (ax, ay), (bx, by) in pairwise(way))
    return sum(-(-micrometres // 100) for micrometres in legs)


def _drive(text: str, region: Mapping[str, Any], unit: str) -> Answer:
    """A drive: forward, reverse, left and right, or places to drive to, one after the other."""
    from dieselfront.table.measured.shapes import Body, round_base

    x, y, turned = region["start"]
    here = Body(round_base(2, height=1), x, y, turned)
    way: list[tuple[int, int, int]] = []
    rest = _after(text)
    while rest:
        taken, here, passed = _manoeuvre(rest, here, unit)
        way += [(body.x, body.y, body.heading) for body in passed]
        rest = _after(rest[taken:])
    if not way:
        raise NotUnderstood(f"{text!r} is no drive; expected for instance 'forward 4in, right 90, forward 5in'")
    return tuple(way)


def _manoeuvre(rest: str, here: Body, unit: str) -> tuple[int, Body, list[Body]]:
    if match := _DRIVE.match(rest):
        from dieselfront.table.measured.movement import ahead_of

        back = match["verb"].lower().startswith(("back", "reverse"))
        there = ahead_of(here, -length(match["far"], unit) if back else length(match["far"], unit))
        return match.end(), there, [there]
    if match := _TURN.match(rest):
        degrees = int(match["degrees"]) * (1 if match["side"].lower() == "right" else -1)
        there = here.at(here.x, here.y, here.heading + degrees)
        return match.end(), there, [there]
    if match := _SPOT.match(rest):
        goal = (position(match["x"], unit), position(match["y"], unit))
        facing = _FACING.match(rest[match.end() :])
        passed = _driven_to(here, goal, heading(facing["heading"]) if facing else None)
        return match.end() + (facing.end() if facing else 0), passed[-1] if passed else here, passed
    if match := _FACE.match(rest):
        there = here.at(here.x, here.y, heading(match["heading"]))
        return match.end(), there, [there]
    raise NotUnderstood(f"{rest!r} is no manoeuvre; expected for instance 'forward 4in', 'right 90' or '20in, 12in'")


def _driven_to(here: Body, goal: Spot, facing: int | None) -> list[Body]:
    """Turn towards a place (or back up to it), go there, turn as asked."""
    from dieselfront.table.measured.angles import heading_of, turn_between

    passed: list[Body] = []
    if goal != (here.x, here.y):
        way = heading_of(goal[0] - here.x, goal[1] - here.y)
        off = turn_between(way, here.heading)
        if 2 < off < 178:
            here = here.at(here.x, here.y, way)
            passed.append(here)
        here = here.at(*goal, here.heading)
        passed.append(here)
    if facing is not None and facing != here.heading:
        passed.append(here.at(here.x, here.y, facing))
    return passed


def _after(text: str) -> str:
    """What follows the commas and words between two parts."""
    match = _BETWEEN.match(text)
    return text[match.end() :].rstrip() if match else text.strip()
