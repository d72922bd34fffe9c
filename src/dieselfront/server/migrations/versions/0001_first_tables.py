"""The first tables: games, journals, chat, records."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("ruleset", sa.String(40), nullable=False),
        sa.Column("header", sa.LargeBinary, nullable=False),
        sa.Column("seed", sa.String(80)),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("spectator", sa.String(64), nullable=False),
        sa.Column("pace", sa.String(20), nullable=False),
        sa.Column("webhook", sa.Text),
        sa.Column("origin", sa.String(40)),
        sa.Column("offers", sa.Text, nullable=False, server_default="{}"),
    )
    op.create_index("games_created", "games", ["created"])
    op.create_table(
        "journal",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("check", sa.String(12), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "chat",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.SmallInteger),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "records",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    for table in ("records", "chat", "journal", "games"):
        op.drop_table(table)
