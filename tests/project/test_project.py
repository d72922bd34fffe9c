"""The project itself: locks, paths, and what must not be in it."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted(ROOT.glob("requirements*.lock"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(lock: Path) -> set[str]:
    return {normal(name) for name in re.findall(r"^([A-Za-z0-9._-]+)==", lock.read_text(), re.MULTILINE)}


def named(requirements: list[str]) -> set[str]:
    return {normal(re.split(r"[\[<>=;! ]", line, maxsplit=1)[0]) for line in requirements}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_names_versions_and_hashes_and_no_host(lock: Path):
    text = lock.read_text()
    entries = re.split(r"\n(?=[A-Za-z0-9])", text[text.index("\n", text.index("make lock")) :].strip())
    assert entries
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)
    assert "://" not in text and "--index" not in text and "--find-links" not in text


def test_the_locks_hold_what_the_project_asks_for():
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    build = PROJECT["dependency-groups"]["build"]
    wanted = named(project["dependencies"] + extras["print"] + build)
    assert wanted <= locked(ROOT / "requirements.lock")
    assert wanted | named(extras["dev"] + extras["bench"]) <= locked(ROOT / "requirements-dev.lock")


def test_both_locks_agree_on_versions():
    versions = re.compile(r"^(\S+==\S+(?: ; [^\\]+)?)", re.MULTILINE)
    play = set(versions.findall((ROOT / "requirements.lock").read_text()))
    assert play <= set(versions.findall((ROOT / "requirements-dev.lock").read_text()))


def test_the_product_never_reads_the_shared_folder():
    outside = re.compile(r"\.\./shared|[\"']shared[\"'](?!:)")  # a key of that name is no path
    readers = [path for path in (ROOT / "src").rglob("*.py") if outside.search(path.read_text())]
    assert readers == []


def test_every_folder_of_code_is_a_package():
    """A folder without __init__.py would escape the check of import directions.

    A game that has cards and cannot be played yet has no __init__.py: that is how it is told from the others.
    """
    folders = {path.parent for path in (ROOT / "src" / "dieselfront").rglob("*.py")}
    folders -= {folder for folder in folders if (folder / "rulebook.yaml").is_file()}
    assert sorted(str(folder) for folder in folders if not (folder / "__init__.py").is_file()) == []


@pytest.mark.parametrize("script", ["make_venv", "with_node", "ensure_chromium", "lock"])
def test_scripts_are_sound_shell(script: str):
    path = ROOT / "scripts" / script
    assert path.stat().st_mode & 0o111
    subprocess.run(["sh", "-n", str(path)], check=True)


def test_make_lists_its_targets():
    shown = subprocess.run(["make", "-C", str(ROOT)], capture_output=True, text=True, check=True).stdout
    assert {"play", "test", "check"} <= {line.split()[1] for line in shown.splitlines() if line.startswith("make ")}
