"""The command line for tests of the laboratory."""

from tests.cli.conftest import dieselfront  # noqa: F401
