"""Bringing a database up to date: Alembic's migrations, run from inside the program."""

from __future__ import annotations

from importlib.resources import files

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine


def config(engine: Engine | None) -> Config:
    """Alembic's settings, without a file of its own."""
    made = Config()
    made.set_main_option("script_location", str(files("dieselfront.server") / "migrations"))
    made.attributes["engine"] = engine
    return made


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Run the migrations that a database has not seen yet."""
    command.upgrade(config(engine), revision)


def downgrade(engine: Engine, revision: str) -> None:
    """Take migrations back."""
    command.downgrade(config(engine), revision)
