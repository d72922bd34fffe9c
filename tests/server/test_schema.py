"""Hostile input from the API's own description: nothing it can make up may break the server (schemathesis)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from dieselfront.server.app import create_app
from dieselfront.server.settings import Settings
from server.kit import Server, Table, serving

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed (extra dev)")

DESCRIBED: dict[str, Any] = create_app(Settings(database="never-opened.sqlite3")).app.openapi_schema.to_schema()
OPERATIONS = [
    (path, method) for path, methods in DESCRIBED["paths"].items() for method in methods if method in ("get", "post")
]
SCHEMA = schemathesis.openapi.from_dict(DESCRIBED)


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("hostile")
    with serving(folder) as server:
        yield server


@pytest.fixture(scope="module")
def victim(target: Server) -> Table:
    table = target.begin()
    table.play(6)
    return table


def test_the_description_has_all_operations() -> None:
    assert len(OPERATIONS) > 30


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=lambda part: str(part).removeprefix("/api/"))
def test_no_request_that_can_be_made_up_breaks_the_server(
    path: str, method: str, mode: str, target: Server, victim: Table
) -> None:
    """Half the requests name a real game, with the token of a spectator: they may look, and change nothing."""
    modes = {"positive": schemathesis.GenerationMode.POSITIVE, "negative": schemathesis.GenerationMode.NEGATIVE}
    operation = SCHEMA[path][method]
    before = victim.look()["version"]

    @settings(max_examples=8, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=modes[mode]), real=st.booleans())
    def attack(case: Any, real: bool) -> None:
        if real and "{game_id}" in path:
            case.path_parameters = {**(case.path_parameters or {}), "game_id": victim.id}
            case.headers = {**(case.headers or {}), "X-Seat": victim.spectator}
        answer = case.call(base_url=target.url.rstrip("/"), timeout=30)
        assert answer.status_code < 500 or answer.status_code == 501, (case.as_curl_command(), answer.text)
        if answer.status_code >= 400 and "json" in answer.headers.get("content-type", ""):
            assert answer.json()["reason"]

    with contextlib.suppress(Unsatisfiable):  # nothing wrong can be made up for a request without parameters
        attack()
    assert victim.look()["version"] == before
