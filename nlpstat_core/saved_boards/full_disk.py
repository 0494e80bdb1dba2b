"""A full disk still lets boards be deleted: SQLite needs some room for that, kept beside its file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import OperationalError

from nlpstat_core.saved_boards.database import Database, narrow_database
from nlpstat_core.saved_boards.errors import DiskFull
from nlpstat_core.saved_boards.limits import MEGABYTE

RESERVE = 4 * MEGABYTE


def reserve_of(database: Database) -> Path:
    """The file that takes the room."""
    return Path(f"{database.engine.url.database}-reserve")


def keep_reserve(database: Database) -> None:
    """Take the room while there is some; for an SQLite file."""
    if not database.is_sqlite:
        return
    path = reserve_of(database)
    if path.exists() and path.stat().st_size == RESERVE:
        return
    path.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(os.urandom(RESERVE))  # which no file system packs
    except FileExistsError:  # another process was faster
        return
    except OSError:  # there is none: then whatever is free is what deleting has
        path.unlink(missing_ok=True)


@contextmanager
def room_to_delete(database: Database) -> Iterator[Database]:
    """The database for a deletion that the disk was too full for, with the room that was kept.

    What is deleted isn't overwritten here; `nlpstat boards vacuum` does that when there is room again.

    Raises DiskFull: Still, or it is no SQLite file.
    """
    if not database.is_sqlite:
        raise DiskFull
    reserve_of(database).unlink(missing_ok=True)
    narrow = narrow_database(database)
    try:
        _move_into_the_file(narrow)
        yield narrow
        _move_into_the_file(narrow)
    finally:
        narrow.close()
        keep_reserve(database)


def _move_into_the_file(database: Database) -> None:
    """Have SQLite empty its journal, which may be as large as what was saved last; readers may bar it."""
    try:
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    except OperationalError:
        return
