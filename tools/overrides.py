"""Write the table of what a variant overrides into docs/architecture.md, from the classes themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dieselfront import rulesets

PAGE = Path(__file__).resolve().parent.parent / "docs" / "architecture.md"
VARIANTS = ("freeform1947", "battlefield")
END = "<!-- end of overrides -->"


def chapters(ruleset: Any) -> dict[str, Any]:
    """The chapters a ruleset object holds, by name."""
    return {
        name: part for name, part in sorted(vars(ruleset).items()) if type(part).__module__.startswith("dieselfront")
    }


def overrides(variant: str) -> list[tuple[str, str, list[str], list[str]]]:
    """For each chapter that differs: its name, its relative's class, the methods replaced and those of its own."""
    own = rulesets.load(variant)
    relative = chapters(rulesets.load(rulesets.lineage(variant)[1]))
    rows = []
    for name, chapter in chapters(own).items():
        base = type(relative[name]) if name in relative else object
        if type(chapter) is base or name in ("registry", "special_chapters", "field"):
            continue
        named = {key for kind in type(chapter).__mro__ if kind not in base.__mro__ for key in vars(kind)}
        methods = sorted(key for key in named if not key.startswith("__") and callable(getattr(type(chapter), key)))
        replaced = [key for key in methods if hasattr(base, key)]
        fresh = [key for key in methods if not hasattr(base, key) and not key.startswith("_")]
        rows.append((name, "" if base is object else base.__name__, replaced, fresh))
    return rows


def table(variant: str) -> str:
    """The table in Markdown."""
    lines = ["| chapter | replaces | methods it replaces | of its own |", "| --- | --- | --- | --- |"]
    for name, base, replaced, fresh in overrides(variant):
        names = ", ".join(f"`{one}`" for one in replaced)
        more = ", ".join(f"`{one}`" for one in fresh)
        lines.append(f"| {name} | {base or 'nothing: it is new'} | {names} | {more} |")
    return "\n".join(lines)


def page(text: str) -> str:
    """The page with all tables as they should be."""
    for variant in VARIANTS:
        before, mark, rest = text.partition(f"<!-- overrides {variant} -->")
        _, end, after = rest.partition(END)
        text = f"{before}{mark}\n{table(variant)}\n{end}{after}"
    return text


def main() -> None:
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
