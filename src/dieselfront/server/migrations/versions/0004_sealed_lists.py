"""Army lists handed in one by one, each secret until both are there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sealed_lists",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("offer", sa.Text, nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("reply", sa.Text),
        sa.Column("reply_token", sa.String(64)),
        sa.Column("game", sa.String(16)),
    )


def downgrade() -> None:
    op.drop_table("sealed_lists")
