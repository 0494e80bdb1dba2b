"""What keeps a database small and safe: retention, vacuum, backup."""

import os
import secrets
import sqlite3
from datetime import timedelta
from pathlib import Path

from sqlalchemy import delete, func, select, text

from nlpstat_core.errors import shown
from nlpstat_core.saved_boards.database import Database, as_text
from nlpstat_core.saved_boards.errors import BoardError
from nlpstat_core.saved_boards.limits import keep_days
from nlpstat_core.saved_boards.saving import deleting, remove
from nlpstat_core.saved_boards.tables import blob, board, user, version


def forget_old(database: Database) -> int:
    """Delete boards that nobody has changed for NLPSTAT_KEEP_DAYS."""
    days = keep_days()
    if days is None:
        return 0
    limit = as_text(database.now() - timedelta(days=days))
    old = board.c.changed_at < limit
    with database.reading() as connection:  # most times there is none, and nobody has to wait
        if not connection.scalar(select(func.count()).select_from(board).where(old)):
            return 0

    def forget(there: Database) -> int:
        with there.writing() as connection:
            asked = select(board.c.id).where(old).order_by(board.c.id).with_for_update()
            found = connection.scalars(asked).all()
            for board_id in found:
                remove(connection, board_id, there.time())
        return len(found)

    return deleting(database, forget)


def vacuum(database: Database) -> tuple[int, int]:
    """Forget old boards, scores and accounts no board has, and free the space; how many went."""
    boards = forget_old(database)
    with database.writing() as connection:
        gone = connection.execute(delete(blob).where(blob.c.sha256.not_in(select(version.c.blob))))
        connection.execute(delete(user).where(user.c.id.not_in(select(board.c.creator))))
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if database.is_sqlite:
            raw = connection.connection.driver_connection
            assert isinstance(raw, sqlite3.Connection)
            if raw.in_transaction:
                raw.commit()
            raw.execute("VACUUM")
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            connection.execute(text("VACUUM ANALYZE"))
    return boards, int(gone.rowcount)


def backup(database: Database, target: str) -> int:
    """Copy an SQLite database while it is in use, by SQLite's own backup.

    target: A file that isn't there yet.
    Returns: Its size in bytes.
    Raises BoardError: PostgreSQL, which has pg_dump; a file that is there already, or can't be written.
    """
    if not database.is_sqlite:
        raise BoardError(
            "PostgreSQL has its own backup command: pg_dump --format=custom --file=boards.dump URL."
        )
    path = Path(target)
    if path.exists():
        raise BoardError(f"{shown(target)} exists already; name another file.")
    passing = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        copy = sqlite3.connect(passing)
        try:
            with database.engine.connect() as connection:
                raw = connection.connection.driver_connection
                assert isinstance(raw, sqlite3.Connection)
                raw.backup(copy)
        finally:
            copy.close()
        os.replace(passing, path)
    except OSError as error:
        raise BoardError(f"{shown(target)} can't be written: {error.strerror}.") from error
    except sqlite3.Error as error:
        raise BoardError(f"The database can't be copied to {shown(target)}: {error}.") from error
    finally:
        passing.unlink(missing_ok=True)
    return path.stat().st_size
