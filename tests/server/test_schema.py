"""Hostile input from the API's own description: nothing it can make up may break the server (schemathesis)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from server.kit import Server, Table, serving

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed (extra dev)")


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


@pytest.fixture(scope="module")
def described(target: Server) -> Any:
    return schemathesis.openapi.from_url(f"{target.url}api/openapi.json")


schema = schemathesis.pytest.from_fixture("described")


@schema.parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_that_can_be_made_up_breaks_the_server(case: Any, target: Server, victim: Table) -> None:
    """Half the requests name a real game, with the token of a spectator: they may look, and change nothing."""
    if "game_id" in (case.path_parameters or {}):
        case.path_parameters["game_id"] = victim.id
        case.headers = {**(case.headers or {}), "X-Seat": victim.spectator}
    before = victim.look()["version"]
    answer = case.call()
    assert answer.status_code < 500 or answer.status_code == 501, (case.as_curl_command(), answer.text)
    if answer.status_code >= 400 and answer.headers["content-type"].startswith("application/json"):
        assert answer.json()["reason"]
    assert victim.look()["version"] == before


@schema.parametrize()
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(case: Any, target: Server) -> None:
    answer = case.call()
    case.validate_response(answer, checks=(schemathesis.checks.not_a_server_error,))
