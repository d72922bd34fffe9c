"""Databases for tests: a PostgreSQL server of our own where its programs are installed; tests are skipped elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from dieselfront.server import trial_postgres
from dieselfront.server.trial_postgres import Cluster, NoPostgres


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server that can be stopped and started."""
    try:
        with trial_postgres.cluster() as running:
            yield running
    except NoPostgres as missing:
        pytest.skip(str(missing))


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of such a server's database."""
    with cluster() as running:
        yield running.url
