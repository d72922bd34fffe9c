"""Writes into docs/architecture.md how many lines each game needs, by room, inside its folder and outside.

    .venv/bin/python tools/lines.py            # write the table
    .venv/bin/python tools/lines.py --check    # exit 1 if it is stale

Outside its folder a file counts for a game as a whole if it is named after it or after its card family, and otherwise by
the lines that name it. Data files do not count.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "dieselfront"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- lines per game -->", "<!-- end of lines -->"
ROOMS = ("kernel", "dice", "table", "forces", "scenarios", "odds", "referee", "players", "lab", "gym", "server", "cli")
COMPANIONS = ("adviser", "referee", "odds", "exercise", "bench")
WORDS = {
    "dust1947": r"dust1947|dust 1947|\bd47\b",
    "freeform1947": r"freeform",
    "battlefield": r"dust tactics|\bbattlefield1?\b|\bbf\.",
    "warfare": r"\bwarfare\b|\bdw\.",
    "konflikt47": r"konflikt|\bk47\b",
}
"""What a line says that names a game."""


def lines_of(path: Path) -> int:
    """The lines of a file that hold anything."""
    return sum(1 for line in path.read_text("utf-8").splitlines() if line.strip())


def naming(path: Path, words: str) -> int:
    """The lines of a file that name a game; all of them if the file itself is called after it."""
    if re.search(words, path.stem, re.IGNORECASE):
        return lines_of(path)
    return sum(1 for line in path.read_text("utf-8").splitlines() if re.search(words, line, re.IGNORECASE))


def inside(game: str) -> dict[str, int]:
    """Lines in the game's folder: its rules, and each companion of a higher room."""
    folder = SOURCE / "rulesets" / game
    counts = dict.fromkeys(("rules", *COMPANIONS), 0)
    for path in sorted(folder.rglob("*.py")):
        first = path.relative_to(folder).parts[0].removesuffix(".py")
        counts[first if first in COMPANIONS else "rules"] += lines_of(path)
    return counts


def outside(game: str) -> dict[str, int]:
    """Lines that name the game outside `rulesets/`, by room."""
    counts = {room: sum(naming(path, WORDS[game]) for path in sorted((SOURCE / room).rglob("*.py"))) for room in ROOMS}
    web = [path for ending in ("ts", "svelte") for path in sorted((ROOT / "web" / "src").rglob(f"*.{ending}"))]
    counts["web"] = sum(naming(path, WORDS[game]) for path in web)
    return counts


def table() -> str:
    """Both tables."""
    games = [name for name in WORDS if (SOURCE / "rulesets" / name / "__init__.py").is_file()]
    rows = ["| game | rules | " + " | ".join(COMPANIONS) + " |", "| --- |" + " --- |" * (len(COMPANIONS) + 1)]
    for game in games:
        counts = inside(game)
        rows.append(f"| {game} | " + " | ".join(f"{count:,}" for count in counts.values()) + " |")
    shared = {
        folder.name: sum(lines_of(path) for path in folder.rglob("*.py"))
        for folder in sorted((SOURCE / "rulesets").iterdir())
        if folder.is_dir() and folder.name not in WORDS and folder.name != "__pycache__"
    }
    shared_counts = ", ".join(f"`{name}/` {count:,}" for name, count in shared.items())
    rows += ["", f"Shared by several games: {shared_counts}.", "", "Lines outside `rulesets/` that name a game:", ""]
    rooms = (*ROOMS, "web")
    rows += ["| game | " + " | ".join(rooms) + " | all |", "| --- |" + " --- |" * (len(rooms) + 1)]
    for game in games:
        counts = outside(game)
        rows.append(
            f"| {game} | " + " | ".join(f"{counts[room]:,}" for room in rooms) + f" | {sum(counts.values()):,} |"
        )
    return "\n".join(rows)


def main() -> int:
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    made = f"{before}{BEGIN}\n{table()}\n{END}{after}"
    if "--check" in sys.argv:
        return int(made != text)
    PAGE.write_text(made, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
