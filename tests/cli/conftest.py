"""The command line as a fixture."""

from __future__ import annotations

import pytest

from tests.cli.commands import Run, runner


@pytest.fixture
def dieselfront(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capsys, monkeypatch)
