"""What Alembic runs: the migrations on the engine it was given."""

from __future__ import annotations

from alembic import context

from dieselfront.server.tables import metadata

engine = context.config.attributes["engine"]
with engine.begin() as connection:
    if connection.dialect.name == "postgresql":  # a migration may take as long as it takes
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
