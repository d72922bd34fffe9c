"""Case files: referee files with `expect:`; a whole folder of them is checked in one process.

A file holds one case, several as a YAML stream, or a common position with a list of `cases:` laid over it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from dieselfront.referee.document import Entry, merged, read_all
from dieselfront.referee.errors import RefereeError
from dieselfront.referee.expectations import refusal_problem
from dieselfront.referee.runner import FileRun, prepare

SUFFIXES = (".yaml", ".yml", ".json")


class FailedCase(msgspec.Struct, frozen=True):
    """A case that did not hold, and why."""

    file: str
    case: str
    why: str


class CaseReport(msgspec.Struct, frozen=True):
    """What became of a folder of cases."""

    cases: int
    held: int
    failed: list[FailedCase]


def check(folder: Path) -> CaseReport:
    """Every case file below a folder (or the one file), in the order of their names."""
    cases = 0
    failed: list[FailedCase] = []
    for file in case_files(folder):
        name = str(file.relative_to(folder)) if folder.is_dir() else file.name
        for title, why in check_file(file.read_bytes(), name):
            cases += 1
            if why:
                failed.append(FailedCase(name, title, why))
    return CaseReport(cases, cases - len(failed), failed)


def case_files(folder: Path) -> list[Path]:
    """The YAML and JSON files below a folder."""
    if folder.is_file():
        return [folder]
    return sorted(file for file in folder.rglob("*") if file.suffix in SUFFIXES and file.is_file())


def check_file(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """The cases of one file, each with its title and why it did not hold (nothing if it did)."""
    try:
        entries = list(cases_of(data, name))
    except RefereeError as error:
        yield "the whole file", str(error)
        return
    for number, entry in enumerate(entries, 1):
        yield title_of(entry, number), problem_of(entry)


def cases_of(data: bytes, name: str) -> Iterator[Entry]:
    """Every case of a file as a referee file of its own."""
    for document in read_all(data, name):
        top = document.table()
        if "cases" not in top:
            yield document
            continue
        common = Entry(document.line, document.path)
        common.pairs = {key: entry for key, entry in top.items() if key != "cases"}
        for own in top["cases"].entries():
            own.table()
            yield merged(common, own)


def title_of(entry: Entry, number: int) -> str:
    """What a case is called: its title, else its number."""
    pairs = entry.pairs or {}
    title = pairs.get("title")
    return title.text() if title is not None and isinstance(title.value, str | int) else f"case {number}"


def problem_of(entry: Entry) -> str:
    """Why a case does not hold; nothing if it does."""
    pairs = entry.table()
    refused = pairs.get("refused")
    if refused is None and not _expects_something(pairs):
        return "the case expects nothing; write expect or refused beside a question, a step or the whole"
    file_run: FileRun | None = None
    try:
        file_run = prepare(entry)
        file_run.carry_out()
    except RefereeError as error:
        if refused is None:
            return "; ".join(map(str, [*(file_run.failures if file_run is not None else ()), error]))
        if not error.is_refusal:
            return f"{error} (this is a mistake of the file, no refusal by the rules)"
        return refusal_problem(refused.plain(), error) or ""
    except Exception as error:  # one mistake of ours must not keep the other cases from being checked
        return f"this is a mistake of ours: {type(error).__name__}: {error}"
    if refused is not None:
        return "the file was accepted, expected that it is refused"
    return "; ".join(str(failure) for failure in file_run.failures)


def _expects_something(pairs: dict[str, Entry]) -> bool:
    if "expect" in pairs:
        return True
    inner = [*(pairs["ask"].entries() if "ask" in pairs else ()), *(pairs["do"].entries() if "do" in pairs else ())]
    for entry in inner:
        if entry.pairs is not None and ("expect" in entry.pairs or "refused" in entry.pairs):
            return True
        if entry.pairs is not None and "ask" in entry.pairs and _expects_something({"ask": entry.pairs["ask"]}):
            return True
    return False


__all__ = ["CaseReport", "FailedCase", "case_files", "cases_of", "check", "check_file", "problem_of"]
