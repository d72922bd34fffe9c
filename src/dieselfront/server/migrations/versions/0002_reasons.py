"""Why computers chose as they did, beside their choices."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("journal", sa.Column("why", sa.Text))


def downgrade() -> None:
    op.drop_column("journal", "why")
