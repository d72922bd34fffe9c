"""Write the reference part of docs/referee.md from the code: decisions, aims, inline cards, terrain, tokens."""

from __future__ import annotations

from pathlib import Path

from dieselfront.referee.reference import reference

PAGE = Path(__file__).resolve().parent.parent / "docs" / "referee.md"
BEGIN, END = "<!-- reference -->", "<!-- end of reference -->"


def page(text: str) -> str:
    """The page with its reference as it should be."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{begin}\n{reference()}\n{end}{after}"


def main() -> None:
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
