"""People, their devices, the seats they hold, whom they wish to play, how well they play, whom they block."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def person(name: str = "person", **more: bool) -> sa.Column[str]:
    return sa.Column(name, sa.String(16), sa.ForeignKey("people.id", ondelete="CASCADE"), **more)  # type: ignore[arg-type]


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("recovery", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "devices",
        sa.Column("key", sa.String(64), primary_key=True),
        person(nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "places",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True, autoincrement=False),
        person(nullable=False),
        sa.Column("turn", sa.Boolean, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "lobby",
        sa.Column("id", sa.String(16), primary_key=True),
        person(nullable=False),
        sa.Column("ruleset", sa.String(40), nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("pace", sa.String(20), nullable=False),
        sa.Column("wish", sa.Text, nullable=False),
        sa.Column("pair", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("who", sa.String(60), primary_key=True),
        sa.Column("ruleset", sa.String(40), primary_key=True),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
    )
    op.create_table(
        "rated",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.String(64), primary_key=True),
        person(nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "server_keys", sa.Column("name", sa.String(40), primary_key=True), sa.Column("value", sa.Text, nullable=False)
    )
    op.create_table("blocks", person(primary_key=True), person("other", primary_key=True))
    for table in ("devices", "places", "lobby", "subscriptions"):
        op.create_index(f"{table}_person", table, ["person"])


def downgrade() -> None:
    for table in ("blocks", "server_keys", "subscriptions", "rated", "ratings", "lobby", "places", "devices", "people"):
        op.drop_table(table)
