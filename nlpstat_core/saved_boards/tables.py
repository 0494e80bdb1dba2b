"""The tables, as SQLAlchemy knows them; the migrations make them.

Times are text (ISO 8601, UTC) and structured values JSON text with sorted keys: the same bytes on every
database, because the log's hashes are made from them.
"""

from typing import Any, TypeVar

from sqlalchemy import (
    Column,
    Connection,
    CursorResult,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    RowMapping,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects import postgresql, sqlite

metadata = MetaData()
Record = TypeVar("Record")


def _board(*, key: bool = False) -> Column[str]:
    return Column(
        "board", String(32), ForeignKey("board.id", ondelete="CASCADE"), nullable=False, primary_key=key
    )


user = Table(
    "user_account",  # "user" is a word of SQL
    metadata,
    Column("id", String(32), primary_key=True),
    Column("issuer", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("name", Text, nullable=False),
    UniqueConstraint("issuer", "subject"),
)
board = Table(
    "board",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("title", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("published", Integer, nullable=False),  # number of the version that is published, else 0
    Column("revision", Integer, nullable=False),  # grows with every change but comments
    Column("creator", String(32), ForeignKey("user_account.id"), nullable=False),
    Column("created_at", String(32), nullable=False),
    Column("changed_at", String(32), nullable=False, index=True),
    Column("events", Integer, nullable=False),  # how many rows its log has, and the hash of the last
    Column("head", String(64), nullable=False),
)
member = Table(
    "member",
    metadata,
    _board(key=True),
    Column("identity", Text, primary_key=True),  # with its kind before it: `Identity.tagged`
    Column("role", String(16), nullable=False),
    Column("system", Text),  # JSON text: a name may hold anything
)
blob = Table(
    "blob",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("size", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
version = Table(
    "version",
    metadata,
    _board(key=True),
    Column("number", Integer, primary_key=True),
    Column("fingerprint", String(80), nullable=False),
    Column("config", Text, nullable=False),
    Column("core_version", String(32), nullable=False),
    Column("blob", String(64), ForeignKey("blob.sha256"), nullable=False, index=True),
    Column("systems", Integer, nullable=False),
    Column("units", Integer, nullable=False),
    Column("remark", Text, nullable=False),
    Column("saved_by", Text, nullable=False),
    Column("saved_at", String(32), nullable=False),
)
comment = Table(
    "comment",
    metadata,
    Column("id", String(32), primary_key=True),
    _board(),
    Column("version", Integer, nullable=False),
    Column("anchor", Text, nullable=False),  # JSON: ["board"], ["pair", a, b], ["system", s], ["unit", u]
    Column("text", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("written_at", String(32), nullable=False),
    Column("resolved_by", Text),
    Column("resolved_at", String(32)),
)
link = Table(
    "link",
    metadata,
    Column("id", String(32), primary_key=True),
    _board(),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("kind", String(16), nullable=False),
    Column("system", Text),
    Column("hide_names", Integer, nullable=False),
    Column("expires_at", String(32)),
    Column("revoked_at", String(32)),
    Column("made_at", String(32), nullable=False),
)
event = Table(
    "event",
    metadata,
    _board(key=True),
    Column("number", Integer, primary_key=True),
    Column("happened_at", String(32), nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", String(32), nullable=False),
    Column("details", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
)
server_event = Table(  # which boards there are: it outlives them, and names nobody
    "server_event",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("happened_at", String(32), nullable=False),
    Column("action", String(32), nullable=False),
    Column("subject", String(64), nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
)
signed_out = Table(
    "signed_out",
    metadata,
    Column("cookie", String(64), primary_key=True),
    Column("forget_at", String(32), nullable=False),
)
setting = Table(
    "server_setting",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)


def as_record(kind: type[Record], row: RowMapping, **others: Any) -> Record:
    """A row as a record of the columns that its fields name. `others`: values that differ from the row's."""
    return kind(**{name: others.get(name, row[name]) for name in kind.__annotations__})


def insert_once(connection: Connection, table: Table, **values: Any) -> CursorResult[Any]:
    """Insert a row unless it is there; two may do it at once."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    return connection.execute(dialect.insert(table).values(**values).on_conflict_do_nothing())
