"""Which server process has a game, where several share a database."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("address", sa.String(200), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
    )
    op.create_table(
        "owners",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("process", sa.Integer, sa.ForeignKey("processes.number", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("owners_process", "owners", ["process"])


def downgrade() -> None:
    op.drop_table("owners")
    op.drop_table("processes")
