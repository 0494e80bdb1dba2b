"""Boards with versions, members and their log."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision: str | None = None


def _board() -> sa.Column[str]:
    return sa.Column("board", sa.String(32), sa.ForeignKey("board.id", ondelete="CASCADE"), nullable=False)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "user_account",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("issuer", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.UniqueConstraint("issuer", "subject"),
    )
    op.create_table(
        "board",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("published", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("creator", sa.String(32), sa.ForeignKey("user_account.id"), nullable=False),
        sa.Column("created_at", sa.String(32), nullable=False),
        sa.Column("changed_at", sa.String(32), nullable=False),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
    )
    op.create_index("ix_board_changed_at", "board", ["changed_at"])
    op.create_table(
        "member",
        _board(),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("system", sa.Text),
        sa.PrimaryKeyConstraint("board", "identity"),
    )
    op.create_table(
        "blob",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "version",
        _board(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("fingerprint", sa.String(80), nullable=False),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("core_version", sa.String(32), nullable=False),
        sa.Column("blob", sa.String(64), sa.ForeignKey("blob.sha256"), nullable=False),
        sa.Column("systems", sa.Integer, nullable=False),
        sa.Column("units", sa.Integer, nullable=False),
        sa.Column("remark", sa.Text, nullable=False),
        sa.Column("saved_by", sa.Text, nullable=False),
        sa.Column("saved_at", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("board", "number"),
    )
    op.create_index("ix_version_blob", "version", ["blob"])
    op.create_table(
        "event",
        _board(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("happened_at", sa.String(32), nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("board", "number"),
    )
    op.create_table(
        "server_setting",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop them with everything in them."""
    for name in ("server_setting", "event", "version", "blob", "member", "board", "user_account"):
        op.drop_table(name)
