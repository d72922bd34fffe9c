"""Army lists: the small file that says which units a player brings, and how to read and write it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from dieselfront.forces import documents, families
from dieselfront.forces.errors import ForcesError, nearest
from dieselfront.rulebook.load import folders

Line = Annotated[str, Meta(min_length=1, max_length=120, pattern=documents.LINE)]
Label = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,127}$")]
Size = Annotated[int, Meta(ge=1, le=100)]
Limit = Annotated[int, Meta(ge=0, le=100_000)]
PlatoonRole = Literal["command", "combat", "support"]
MAX_UNITS = 400
DATA_VERSION = "1"
"""Edition of the shipped cards that a new list is stamped with."""


class ArmyUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One unit of a list.

    `label` is what other units call it; without one it is its card's id, numbered from the second on.
    `options` are ids of the card's options, each with how often it is taken. A hero `joins` a squad or
    `pilots` a vehicle; any unit may start `mounted_in` a transport; all three name a label.
    """

    card: Label
    label: Label | None = None
    name: Line | None = None
    options: dict[Label, Size] = {}
    experience: Literal["inexperienced", "regular", "veteran"] | None = None
    models: Size | None = None
    joins: Label | None = None
    pilots: Label | None = None
    mounted_in: Label | None = None
    platoon: Label | None = None
    role: PlatoonRole | None = None
    captured: bool = False


class Army(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An army list. `bloc` or `nation` names the side, as the game calls it; `points` is the limit agreed for the game.

    `platoons` name the platoons units are assigned to, each with its chart. `unrestricted` is stamped on
    lists that choose to break the rules of composition. `data` is the edition of the cards the list was
    built with.
    """

    ruleset: str
    name: Line
    points: Limit
    units: Annotated[tuple[ArmyUnit, ...], Meta(max_length=MAX_UNITS)] = ()
    bloc: Line | None = None
    nation: Line | None = None
    faction: Line | None = None
    platoons: dict[Label, Label] = {}
    unrestricted: bool = False
    data: Line = msgspec.field(default_factory=lambda: DATA_VERSION)

    @property
    def side(self) -> str | None:
        """The bloc or nation the list is for."""
        return self.bloc or self.nation

    def labels(self) -> tuple[str, ...]:
        """What each unit is called inside the list, in order; numbered where names repeat."""
        chosen = {unit.label for unit in self.units if unit.label}
        unique: list[str] = []
        taken = set(chosen)
        for unit in self.units:
            label = unit.label or free_label(unit.card, taken)
            taken.add(label)
            unique.append(label)
        return tuple(unique)


def free_label(card_id: str, taken: set[str]) -> str:
    label = card_id
    number = 2
    while label in taken:
        label = f"{card_id}-{number}"
        number += 1
    return label


def read_army(path: Path) -> Army:
    """Read an army list from a JSON or YAML file, or from our own text form."""
    from dieselfront.forces.army_text import HEADER, parse_text  # the text form builds on this module

    data = documents.read_bytes(path)
    if data.lstrip(b"\xef\xbb\xbf \r\n").startswith(HEADER.encode()):
        try:
            return parse_text(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise ForcesError(f"{path.name} is not UTF-8 text.") from None
    return army_from(documents.parse_document(data, path.name), path.name)


def army_from(data: Any, name: str = "army list") -> Army:
    """Plain data as an army list; options may also be a list of ids."""
    if not isinstance(data, dict):
        raise ForcesError(f"{name}: expected a table with ruleset, name, points and units.")
    units = data.get("units")
    if isinstance(units, list):
        data = {**data, "units": [with_counted_options(unit) for unit in units]}
    if data.get("data") is not None:
        data = {**data, "data": str(data["data"])}
    try:
        army = msgspec.convert(data, Army)
    except msgspec.ValidationError as error:
        place, message = documents.place_and_message(error)
        raise ForcesError(f"{name}{', ' + place if place else ''}: {message}.") from None
    if army.ruleset not in families.names():
        sentence = families.no_such(army.ruleset)
        raise ForcesError(f"{name}, ruleset: {sentence[:1].lower()}{sentence[1:]}")
    return army


def with_counted_options(unit: Any) -> Any:
    """`options: [bunker]` is short for `options: {bunker: 1}`."""
    if isinstance(unit, dict) and isinstance(unit.get("options"), list):
        counted: dict[Any, int] = {}
        for option in unit["options"]:
            key = option if isinstance(option, str) else str(option)
            counted[key] = counted.get(key, 0) + 1
        return {**unit, "options": counted}
    return unit


def army_json(army: Army) -> str:
    """The list as JSON, one unit per line."""
    head = msgspec.to_builtins(army)
    units = head.pop("units", [])
    lines = [f"  {quoted(key)}: {quoted(value)}" for key, value in head.items()]
    rows = ",\n".join(f"    {quoted(unit)}" for unit in units)
    lines.append(f'  "units": [\n{rows}\n  ]' if rows else '  "units": []')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def quoted(value: Any) -> str:
    """A value on one line of JSON, with room behind colons and commas."""
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def army_yaml(army: Army) -> str:
    """The list as YAML, the form people edit."""
    import yaml  # slow to import and rarely needed

    text: str = yaml.safe_dump(msgspec.to_builtins(army), sort_keys=False, allow_unicode=True, width=110)
    return text


def write_army(army: Army, path: Path) -> None:
    """Write the list: JSON for .json, our text for .txt, else YAML."""
    from dieselfront.forces.army_text import army_text  # the text form builds on this module

    suffix = path.suffix.lower()
    text = army_json(army) if suffix == ".json" else army_text(army) if suffix == ".txt" else army_yaml(army)
    path.write_text(text, encoding="utf-8")


@cache
def _shipped_armies() -> dict[str, Army]:
    files = [file for folder in folders().values() for file in folder.glob("armies/*.yaml")]
    return {
        file.stem: army_from(documents.parse_yaml(file.read_bytes(), file.name), file.name)
        for file in sorted(files, key=lambda file: file.name)
    }


def starter_armies() -> dict[str, Army]:
    """The lists that come with the games (`armies/*.yaml` in their folders), by name."""
    return dict(_shipped_armies())


def find_army(name: str) -> Army:
    """An army by the name of a starter list or by the path of a file; unknown names suggest the nearest."""
    if Path(name).exists():
        return read_army(Path(name))
    starters = starter_armies()
    if name in starters:
        return starters[name]
    hint = nearest(name, starters)
    wanted = f"did you mean {' or '.join(hint)}?" if hint else f"expected a file or one of {', '.join(starters)}."
    raise ForcesError(f"There is no army list {name!r}; {wanted}")
