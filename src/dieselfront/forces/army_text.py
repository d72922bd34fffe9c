"""Army lists as text: short for a chat (and read back, word for word), or in the manner of BattleScribe."""

from __future__ import annotations

import re

import msgspec

from dieselfront.forces.armies import Army, ArmyUnit, army_from
from dieselfront.forces.army_check import known_units
from dieselfront.forces.errors import ForcesError
from dieselfront.forces.families import family
from dieselfront.forces.muster import Mustered

HEADER = "Dieselfront army: "
_HEAD = re.compile(r"^(?P<key>[a-z]+): (?P<value>.+)$")
_UNIT = re.compile(r"^(?P<number>\d+)\. (?P<name>.*?) \[(?P<card>[a-z0-9-]+)\](?P<rest>.*)$")
WORDS = "called|label|models|with|joins|pilots|mounted in|platoon|role|captured|inexperienced|regular|veteran"
_VALUE = r"\"(?:[^\"\\]|\\.)*\"(?: x\d{1,3})?|[^;\"]+"
_PART = re.compile(rf"; (?P<word>{WORDS})(?: (?P<value>{_VALUE}))?(?=; |$)")
_PRICE = re.compile(r"(?: -?\d+)?")


def army_text(army: Army) -> str:
    """The list in a few lines for a chat; `parse_text` reads it back to the very same list."""
    units = {one.place: one for one in known_units(army)}
    labels = army.labels()
    lines = [f"{HEADER}{army.name}", head_line(army, sum(one.points for one in units.values()))]
    lines += [f"platoon {label}: {chart}" for label, chart in army.platoons.items()]
    lines += [unit_line(place, unit, units.get(place), labels) for place, unit in enumerate(army.units)]
    return "\n".join(lines) + "\n"


def head_line(army: Army, total: int) -> str:
    parts = [f"ruleset: {army.ruleset}"]
    for key, value in (("bloc", army.bloc), ("nation", army.nation), ("faction", army.faction)):
        if value is not None:
            parts.append(f"{key}: {value}")
    parts += [f"limit: {army.points}", f"total: {total}", f"data: {army.data}"]
    if army.unrestricted:
        parts.append("unrestricted: yes")
    return " | ".join(part.replace("\\", r"\b").replace("|", r"\p") for part in parts)


def unit_line(place: int, unit: ArmyUnit, mustered: Mustered | None, labels: tuple[str, ...]) -> str:
    name = mustered.card.name if mustered else "?"
    price = f" {mustered.points}" if mustered else ""
    parts = []
    if unit.name is not None:
        parts.append(f"called {in_quotes(unit.name)}")
    if unit.label is not None:
        parts.append(f"label {unit.label}")
    if unit.experience is not None:
        parts.append(unit.experience)
    if unit.models is not None:
        parts.append(f"models {unit.models}")
    parts += [f"with {in_quotes(option)}{f' x{n}' if n > 1 else ''}" for option, n in unit.options.items()]
    for word, target in (("joins", unit.joins), ("pilots", unit.pilots), ("mounted in", unit.mounted_in)):
        if target is not None:
            parts.append(f"{word} {reference(target, labels)}")
    if unit.platoon is not None:
        parts.append(f"platoon {unit.platoon}")
    if unit.role is not None:
        parts.append(f"role {unit.role}")
    if unit.captured:
        parts.append("captured")
    return f"{place + 1}. {name} [{unit.card}]{price}" + "".join(f"; {part}" for part in parts)


def reference(target: str, labels: tuple[str, ...]) -> str:
    """Another unit by its number where that says enough, else by its label."""
    return f"#{labels.index(target) + 1}" if labels.count(target) == 1 else target


def in_quotes(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def out_of_quotes(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1])


def parse_text(text: str) -> Army:
    """Read back what `army_text` wrote; a line that is none of ours is refused by number."""
    lines = text.removeprefix("\ufeff").strip("\r\n").split("\n")
    if not lines[0].startswith(HEADER):
        raise ForcesError(f"Line 1: expected {HEADER!r} and the name of the list.")
    data: dict[str, object] = {"name": lines[0].removeprefix(HEADER).rstrip("\r")}
    platoons: dict[str, str] = {}
    rows: list[dict[str, object]] = []
    for number, raw in enumerate(lines[1:], start=2):
        line = raw.rstrip("\r")
        if not line.strip():
            continue
        if number == 2:
            data |= parse_head(line)
        elif line.startswith("platoon ") and ": " in line:
            label, _, chart = line.removeprefix("platoon ").partition(": ")
            platoons[label] = chart
        else:
            rows.append(parse_unit(line, number))
    army = army_from({**data, "units": [named_only(row) for row in rows], "platoons": platoons}, "army text")
    return with_references(army, rows)


def parse_head(line: str) -> dict[str, object]:
    data: dict[str, object] = {}
    for part in line.split(" | "):
        match = _HEAD.match(part.replace(r"\p", "|").replace(r"\b", "\\"))
        if match is None:
            raise ForcesError(f"Line 2: {part[:60]!r} is not of the form key: value.")
        key, value = match["key"], match["value"]
        if key == "limit":
            if not value.isdecimal() or len(value) > 9:
                raise ForcesError(f"Line 2: the limit is {value[:30]!r}; expected a whole number.")
            data["points"] = int(value)
        elif key == "unrestricted":
            data["unrestricted"] = value == "yes"
        elif key != "total":
            data[key] = value
    return data


def parse_unit(line: str, number: int) -> dict[str, object]:
    match = _UNIT.match(line)
    if match is None:
        raise ForcesError(f"Line {number}: {line[:60]!r} is no unit; expected 1. Name [card-id] points; ...")
    row: dict[str, object] = {"card": match["card"]}
    options: dict[str, int] = {}
    rest = match["rest"]
    price = _PRICE.match(rest)
    at = price.end() if price else 0
    while at < len(rest):
        part = _PART.match(rest, at)
        if part is None:
            raise ForcesError(f"Line {number}: {rest[at : at + 40]!r} is nothing we know to say of a unit.")
        read_part(part["word"], part["value"] or "", row, options, number)
        at = part.end()
    if options:
        row["options"] = options
    return row


def read_part(word: str, value: str | None, row: dict[str, object], options: dict[str, int], number: int) -> None:
    text = value or ""
    if word in ("inexperienced", "regular", "veteran"):
        row["experience"] = word
    elif word == "captured":
        row["captured"] = True
    elif word == "called" and text.startswith('"'):
        row["name"] = out_of_quotes(text)
    elif word == "with" and text.startswith('"'):
        quoted, _, times = text.rpartition('"')
        options[out_of_quotes(quoted + '"')] = int(times.removeprefix(" x")) if times.strip() else 1
    elif word == "models" and text.isdecimal() and len(text) < 9:
        row["models"] = int(text)
    elif word in ("label", "platoon", "role", "joins", "pilots"):
        row[word] = text
    elif word == "mounted in":
        row["mounted_in"] = text
    else:
        raise ForcesError(f"Line {number}: {word} {text[:40]!r} cannot be read.")


REFERENCES = ("joins", "pilots", "mounted_in")


def named_only(row: dict[str, object]) -> dict[str, object]:
    """The unit without its references, which need the labels of the whole list."""
    return {key: value for key, value in row.items() if key not in REFERENCES}


def with_references(army: Army, rows: list[dict[str, object]]) -> Army:
    """Numbers like #2 become the label of that unit."""
    labels = army.labels()
    units = [{**row, **{key: label_of(str(row[key]), labels) for key in REFERENCES if key in row}} for row in rows]
    return army_from({**msgspec.to_builtins(army), "units": units}, "army text")


def label_of(text: str, labels: tuple[str, ...]) -> str:
    if not text.startswith("#"):
        return text
    place = text[1:]
    if not place.isdecimal() or len(place) > 6 or not 1 <= int(place) <= len(labels):
        raise ForcesError(f"There is no unit {text[:20]} in the list; it has {len(labels)}.")
    return labels[int(place) - 1]


# In the manner of BattleScribe


def battlescribe_text(army: Army) -> str:
    """The list the way BattleScribe and New Recruit print it: categories, then units with their choices."""
    cards = family(army.ruleset)
    units = known_units(army)
    total = sum(one.points for one in units)
    game = cards.game_name
    lines = [f"++ {army.name} ({game} - {army.side or 'no side'}) [{total} {cards.price_word}] ++", ""]
    groups: dict[str, list[Mustered]] = {}
    for one in units:
        groups.setdefault(cards.category(one), []).append(one)
    for title, members in groups.items():
        lines.append(f"+ {title} +")
        lines.append("")
        lines += [unit_text(one, cards.choices(one), cards.price_word) for one in members]
        lines.append("")
    lines.append(f"++ Total: [{total} {cards.price_word}] ++")
    return "\n".join(lines) + "\n"


def unit_text(one: Mustered, choices: list[str], price_word: str) -> str:
    """A unit with its choices; what single models carry stands on lines of its own, which begin with a dot."""
    plain = [words for words in choices if not words.startswith(". ")]
    head = f"{one.card.name} [{one.points} {price_word}]" + (f": {', '.join(plain)}" if plain else "")
    return "\n".join([head, *(words for words in choices if words.startswith(". "))])


def counted(name: str, count: int) -> str:
    """A choice with its number; commas part choices, so a name has none."""
    name = name.replace(",", " /")
    return f"{count}x {name}" if count > 1 else name
