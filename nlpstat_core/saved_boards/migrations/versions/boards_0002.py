"""Review: comments, and links for people without an account."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision: str | None = "0001"


def _board() -> sa.Column[str]:
    return sa.Column("board", sa.String(32), sa.ForeignKey("board.id", ondelete="CASCADE"), nullable=False)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "comment",
        sa.Column("id", sa.String(32), primary_key=True),
        _board(),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("anchor", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("written_at", sa.String(32), nullable=False),
        sa.Column("resolved_by", sa.Text),
        sa.Column("resolved_at", sa.String(32)),
    )
    op.create_table(
        "link",
        sa.Column("id", sa.String(32), primary_key=True),
        _board(),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("system", sa.Text),
        sa.Column("hide_names", sa.Integer, nullable=False),
        sa.Column("expires_at", sa.String(32)),
        sa.Column("revoked_at", sa.String(32)),
        sa.Column("made_at", sa.String(32), nullable=False),
    )


def downgrade() -> None:
    """Drop them; boards, versions and their log stay."""
    op.drop_table("link")
    op.drop_table("comment")
