"""One server for most tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.kit import Server, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running
