"""Rosters of BattleScribe (.ros, .rosz) and New Recruit (JSON, text) as one plain form: units with choices."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from dieselfront.forces import documents
from dieselfront.forces.battlescribe.library import check_version
from dieselfront.forces.battlescribe.offers import number
from dieselfront.forces.battlescribe.safe import Node, Refused, parse_xml, unpack

MAX_UNITS = 400
MAX_CHOICES = 20_000
MAX_DEPTH = 20
MAX_JSON = 6 * 1024 * 1024
MAX_NAME = 200


class Choice(msgspec.Struct):
    """A selection: its name, how often, what kind of thing it is, its own price, and what is below it."""

    name: str
    count: int = 1
    kind: str = ""
    points: float = 0.0
    category: str = ""
    below: list[Choice] = []

    def total(self) -> float:
        """The price with everything below."""
        return self.points + sum(one.total() for one in self.below)


class RosterForce(msgspec.Struct):
    """A part of a roster built from one catalogue."""

    catalogue: str
    units: list[Choice]


class Roster(msgspec.Struct):
    """A list as another program wrote it."""

    name: str
    game: str
    forces: list[RosterForce]
    limit: float = 0.0


def parse_roster(data: bytes, name: str) -> Roster:
    """The roster in some bytes: zip, XML, JSON or text, whatever it is."""
    return checked(roster_in(data, name), name)


def checked(roster: Roster, name: str) -> Roster:
    """The roster, if it has no more units than any game."""
    units = sum(len(force.units) for force in roster.forces)
    if units > MAX_UNITS:
        raise Refused(f"{name} has {units} units; rosters of up to {MAX_UNITS} are read.")
    return roster


def roster_in(data: bytes, name: str) -> Roster:
    data = unpack(data, name).removeprefix(b"\xef\xbb\xbf")
    head = data.lstrip()[:1]
    if head == b"<" or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return roster_from_xml(parse_xml(data, name), name)
    if head in (b"{", b"["):
        if len(data) > MAX_JSON:
            raise Refused(f"{name} is larger than {MAX_JSON // 1024**2} MB; it is not read.")
        return roster_from_json(documents.parse_json(data, name), name)
    try:
        return roster_from_text(data.decode("utf-8"), name)
    except UnicodeDecodeError:
        raise Refused(f"{name} is neither XML, nor JSON, nor text; expected a roster.") from None


class Budget:
    """How many selections a roster may still have."""

    __slots__ = ("left", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.left = MAX_CHOICES

    def spend(self, depth: int) -> None:
        self.left -= 1
        if self.left < 0:
            raise Refused(f"{self.name} has more than {MAX_CHOICES} selections; it is not read.")
        if depth > MAX_DEPTH:
            raise Refused(f"{self.name} has selections nested deeper than {MAX_DEPTH} levels; it is not read.")


# BattleScribe


def roster_from_xml(root: Node, name: str) -> Roster:
    if root.tag != "roster":
        raise Refused(f"{name} is a {root.tag[:40]!r}; expected a roster.")
    check_version(root, name)
    budget = Budget(name)
    forces: list[RosterForce] = []
    collect_forces(root, budget, forces, 0)
    limits = [number(one.get("value")) for one in root.inside("costLimits")]
    return Roster(
        short(root.get("name")) or Path(name).stem, short(root.get("gameSystemName")), forces, max(limits, default=0.0)
    )


def collect_forces(node: Node, budget: Budget, forces: list[RosterForce], depth: int) -> None:
    if depth > MAX_DEPTH:
        return
    for force in node.inside("forces"):
        units = [xml_choice(one, budget, 0) for one in force.inside("selections")]
        forces.append(RosterForce(short(force.get("catalogueName") or force.get("name")), units))
        collect_forces(force, budget, forces, depth + 1)


def xml_choice(node: Node, budget: Budget, depth: int) -> Choice:
    budget.spend(depth)
    categories = node.inside("categories")
    primary = next((one for one in categories if one.get("primary") == "true"), None)
    return Choice(
        name=short(node.get("customName") and node.get("name") or node.get("name")),
        count=count_of(node.get("number", "1")),
        kind=short(node.get("type")),
        points=sum(number(one.get("value")) for one in node.inside("costs")),
        category=short(primary.get("name")) if primary else "",
        below=[xml_choice(one, budget, depth + 1) for one in node.inside("selections")],
    )


def short(text: str) -> str:
    """A name, on one line and of bounded length."""
    return " ".join(text.split())[:MAX_NAME]


def count_of(text: str) -> int:
    value = number(text)
    return max(1, min(int(value), 999)) if value else 1


# New Recruit, JSON


def roster_from_json(data: Any, name: str) -> Roster:
    """New Recruit writes BattleScribe's own structure as JSON, sometimes inside another table."""
    if isinstance(data, dict) and isinstance(data.get("roster"), dict):
        data = data["roster"]
    if not isinstance(data, dict) or not isinstance(data.get("forces"), list):
        raise Refused(f"{name} has no forces; expected a roster exported by New Recruit.")
    budget = Budget(name)
    forces: list[RosterForce] = []
    json_forces(data["forces"], budget, forces, 0, name)
    limits = [real(one.get("value")) for one in tables(data.get("costLimits"))]
    title = short(word(data.get("name"))) or Path(name).stem
    return Roster(title, short(word(data.get("gameSystemName"))), forces, max(limits, default=0.0))


def json_forces(rows: Any, budget: Budget, forces: list[RosterForce], depth: int, name: str) -> None:
    if depth > MAX_DEPTH:
        raise Refused(f"{name} has forces nested deeper than {MAX_DEPTH} levels; it is not read.")
    for force in tables(rows):
        units = [json_choice(one, budget, 0) for one in tables(force.get("selections"))]
        forces.append(RosterForce(short(word(force.get("catalogueName")) or word(force.get("name"))), units))
        json_forces(force.get("forces"), budget, forces, depth + 1, name)


def json_choice(row: dict[str, Any], budget: Budget, depth: int) -> Choice:
    budget.spend(depth)
    primary = next((one for one in tables(row.get("categories")) if one.get("primary") is True), {})
    return Choice(
        name=short(word(row.get("name"))),
        count=max(1, min(int(real(row.get("number", 1))), 999)),
        kind=short(word(row.get("type"))),
        points=sum(real(one.get("value")) for one in tables(row.get("costs"))),
        category=short(word(primary.get("name"))),
        below=[json_choice(one, budget, depth + 1) for one in tables(row.get("selections"))],
    )


def tables(rows: Any) -> list[dict[str, Any]]:
    return [one for one in rows if isinstance(one, dict)] if isinstance(rows, list) else []


def word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def real(value: Any) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6
    return float(value) if good else 0.0


# Text, as BattleScribe, New Recruit and we ourselves write it


_PRICE = r"[\[(]\s*(?P<points>\d[\d,.' ]{0,9}?)\s*(?:AP|pts?\.?|points?)?\s*(?:[,;/|][^\])]*)?[\])]"
_UNIT = re.compile(rf"^(?:(?P<count>\d{{1,3}})\s*[x×]\s+)?(?P<name>[^\[:]+?)\s*{_PRICE}\s*(?::\s*(?P<rest>.*))?$", re.I)
_BULLET = re.compile(r"^(?P<pad>\s*)(?P<sign>[•·◦‣▪.\-*–]+)\s+(?P<text>.+)$")
_COUNTED = re.compile(r"^(?P<count>\d{1,3})\s*[x×]?\s+(?P<name>.+)$", re.I)
_PRICED = re.compile(rf"\s*{_PRICE}\s*$", re.I)
_TITLE = re.compile(r"^(?:\+\+|#+)\s*(?P<title>.+?)\s*(?:\+\+)?\s*$")


def roster_from_text(text: str, name: str) -> Roster:
    """A roster printed as text: lines with a price are units, lines with a bullet their choices."""
    budget = Budget(name)
    roster = Roster(Path(name).stem, "", [RosterForce("", [])])
    titled = False
    category = ""
    for raw in text.replace("\r", "").split("\n")[:MAX_CHOICES]:
        line = raw.rstrip()[:2000]
        if not line.strip():
            continue
        title = _TITLE.match(line.strip())
        single = line.strip()
        if title and (line.startswith("++") or line.startswith("# ")):
            if not titled and not title["title"].lower().startswith(("total", "created", "configuration")):
                start_force(roster, title["title"])
                titled = True
            continue
        if title or (single.startswith("+ ") and single.endswith(" +")):
            category = short(single.strip("+# "))
            continue
        budget.spend(0)
        add_line(roster.forces[-1].units, line, category, budget)
    roster.forces = [force for force in roster.forces if force.units]
    if not roster.forces:
        raise Refused(f"{name} has no line that looks like a unit, such as: Rifle Squad [10 pts].")
    return roster


def start_force(roster: Roster, title: str) -> None:
    """The headline names the roster and, in brackets, the game and the catalogue."""
    plain = _PRICED.sub("", title)
    brackets = re.findall(r"\(([^()]*)\)", plain)
    roster.name = short(re.sub(r"\s*\([^()]*\)\s*$", "", plain)) or roster.name
    roster.game = short(" ".join(brackets))
    roster.forces[-1].catalogue = short(plain)


def add_line(units: list[Choice], line: str, category: str, budget: Budget) -> None:
    bullet = _BULLET.match(line)
    if bullet and units:
        holder = units[-1]
        inner = len(bullet["pad"].replace("\t", "    ")) >= 4 or len(bullet["sign"]) > 1
        if inner and holder.below:
            holder = holder.below[-1]
        holder.below += choices_in(bullet["text"], budget)
        return
    match = _UNIT.match(line.strip())
    if match:
        if len(units) >= MAX_UNITS:
            raise Refused(f"{budget.name} has more than {MAX_UNITS} units; it is not read.")
        digits = re.sub(r"[^\d]", "", match["points"])[:6]
        unit = Choice(short(match["name"]), count_of(match["count"] or "1"), "unit", float(digits or 0), category)
        unit.below = choices_in(match["rest"] or "", budget)
        units.append(unit)
    elif units and line[:1] in (" ", "\t"):
        units[-1].below += choices_in(line.strip(), budget)


def choices_in(text: str, budget: Budget) -> list[Choice]:
    """`NCO: SMG, 5x Soldier with Rifle` as choices; what follows a colon belongs to what precedes it."""
    head, colon, rest = text.partition(": ")
    if colon and "," not in head:
        owner = one_choice(head, budget)
        owner.below = [one_choice(part, budget) for part in split_list(rest)]
        return [owner]
    return [one_choice(part, budget) for part in split_list(text)]


def split_list(text: str) -> list[str]:
    """Split at commas outside brackets."""
    parts = re.split(r",\s+(?![^()]*\))", text)
    return [part.strip() for part in parts if part.strip()][:200]


def one_choice(text: str, budget: Budget) -> Choice:
    budget.spend(1)
    plain = _PRICED.sub("", text.strip())
    match = _COUNTED.match(plain)
    if match:
        return Choice(short(match["name"]), count_of(match["count"]))
    return Choice(short(plain))
