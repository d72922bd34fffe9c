"""Make the rulebook.yaml of every ruleset from the rule checklists.

    python tools/make_rulebooks.py PATH/TO/rules [--out src/dieselfront/rulesets]

The checklists hold what a rule does, an example, and much about where it was found; a rulebook is for players, so
the last is left out. Three files beside this script complete it: rulebook_books.yaml (the head of each book),
rulebook_wording.yaml (sentences told differently) and rulebook_options.yaml (rulings a house may see otherwise).
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
Entry = dict[str, Any]

TIDY = (
    (re.compile(r"\bthe Dust Tactics sibling\b", re.I), "Dust Tactics"),
    (re.compile(r"\(data name ", re.I), "(on cards: "),
    (re.compile(r"\b1947 summary\b"), "Dust 1947"),
    (re.compile(r"[Kk]eep (?:it|width and lengths) as (?:one )?constants?\.?"), ""),
    (re.compile(r"\s*Keep the faces in one table so they can be changed\."), ""),
    (
        re.compile(r"(?<![.\w])(?<!option )[a-z]+(?:_[a-z]+)+\b"),
        lambda found: found.group().replace("_", " "),
    ),
    (re.compile(r" {2,}"), " "),
)
COLUMNS = {"seed": "earlier"}
FIELDS = (
    "title",
    "text",
    "dice",
    "table",
    "note",
    "example",
    "problem",
    "why",
    "differs",
    "see_also",
    "option",
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Make rulebook.yaml files from rule checklists.")
    parser.add_argument("rules", type=Path, help="folder with the checklists, one NAME.yaml per ruleset")
    parser.add_argument("--out", type=Path, default=HERE.parent / "src" / "dieselfront" / "rulesets")
    arguments = parser.parse_args()
    wording, options = beside("rulebook_wording.yaml"), beside("rulebook_options.yaml")
    for name, head in beside("rulebook_books.yaml").items():
        checklist = read(arguments.rules / f"{name}.yaml")
        rules = [rule(entry, wording.pop(entry["id"], {}), options.pop(entry["id"], None)) for entry in checklist]
        target = arguments.out / name / "rulebook.yaml"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(written(name, head, rules), encoding="utf-8")
        print(f"{target}: {len(rules)} rules")
    for stranger in [*wording, *options]:
        raise SystemExit(f"{stranger} is in no checklist")


def rule(entry: Entry, wording: Entry, option: Entry | None) -> Entry:
    """One rule of the book, with the house's own wording laid over it."""
    entry_now = from_question(entry) if has_question(entry) else from_entry(entry)
    if option:
        entry_now["option"] = option
    entry_now |= wording
    tidied = {key: tidy(value) if isinstance(value, str) else value for key, value in entry_now.items()}
    return {"id": entry["id"]} | {key: tidied[key] for key in FIELDS if tidied.get(key)}


def from_entry(entry: Entry) -> Entry:
    """A rule, or a ruling whose question and answer stand in fields of their own."""
    ruling = entry.get("ruling")
    return {
        "title": entry["title"],
        "text": ruling or entry["does"],
        "problem": entry["does"] if ruling else entry.get("problem"),
        "why": entry.get("why"),
        "dice": dice(entry.get("dice")),
        "table": table(entry.get("table")),
        "note": note(entry),
        "example": entry.get("check"),
        "differs": differs(entry),
        "see_also": see_also(entry),
    }


def from_question(entry: Entry) -> Entry:
    """A ruling written in one paragraph: Question: ... Ruling: ..., with the reason as its note."""
    question, _, answer = entry["does"].removeprefix("Question: ").partition(" Ruling: ")
    reason = entry.get("note", "").removeprefix("Why: ")
    return from_entry(entry) | {"text": answer, "problem": question, "why": reason, "note": None}


def has_question(entry: Entry) -> bool:
    return str(entry["does"]).startswith("Question: ")


def dice(faces: Any) -> list[str]:
    """Success faces as a list; a notation such as `2D6 at -1` stays one item."""
    return [faces] if isinstance(faces, str) else list(faces or ())


def table(rows: Any) -> list[Entry]:
    """Every table as a list of rows with named columns."""
    if isinstance(rows, dict):
        return [{"phase": name.replace("_", " "), "step": step} for name, steps in rows.items() for step in steps]
    named = [row if isinstance(row, dict) else {"step": row} for row in rows or ()]
    return [{COLUMNS.get(key, key): cell(value) for key, value in row.items()} for row in named]


def cell(value: Any) -> Any:
    return tidy(value) if isinstance(value, str) else value


def note(entry: Entry) -> str:
    """The note of the checklist, and what we assumed where nothing could be known."""
    assumed = entry.get("assumption")
    parts = [entry.get("note", "")]
    if isinstance(assumed, str):
        parts.append(f"Our reading: {assumed.rstrip('.')}.")
    return sentence(" ".join(part for part in parts if part))


def differs(entry: Entry) -> str:
    """How the rule differs from the relative's, where that is worth a word."""
    same, replaced = entry.get("differs", ""), entry.get("replaces", "adds")
    if same and not same.startswith("same"):
        return sentence(same)
    if replaced.startswith(("adds", "same")):
        return ""
    return f"Replaces: {replaced}."


def see_also(entry: Entry) -> list[str]:
    return list(dict.fromkeys([*entry.get("interacts", ()), *entry.get("affects", ())]))


def tidy(text: str) -> str:
    for pattern, instead in TIDY:
        text = pattern.sub(instead, text)
    return text.strip().removesuffix(";").strip()


def sentence(text: str) -> str:
    """With a capital at its head, unless it begins with an id."""
    return text[:1].upper() + text[1:] if text and not re.match(r"[a-z0-9]+\.[a-z]", text) else text


class Folding(yaml.SafeDumper):
    """Long sentences folded, short lists in one line."""


def _string(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = ">" if len(text) > 90 else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _sequence(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.SequenceNode:
    plain = all(isinstance(item, str) for item in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=plain)


Folding.add_representer(str, _string)
Folding.add_representer(list, _sequence)


def written(name: str, head: Entry, rules: list[Entry]) -> str:
    opening = f"# {head['name']}: every rule under its id, in our own words. docs/rulebook.md tells the fields.\n"
    top = dumped({"ruleset": name} | head)
    return opening + top + "rules:\n" + "\n".join(dumped([entry]) for entry in rules)


def dumped(value: Any) -> str:
    return yaml.dump(value, Dumper=Folding, sort_keys=False, allow_unicode=True, width=112)


def beside(name: str) -> dict[str, Any]:
    return dict(read(HERE / name))


def read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


if __name__ == "__main__":
    main()
