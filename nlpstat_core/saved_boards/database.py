"""The database: opened by file or URL, migrated, with transactions that wait for each other."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    create_engine,
    event,
    inspect,
    text,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError

from nlpstat_core.errors import shown
from nlpstat_core.installed import install_command
from nlpstat_core.saved_boards import VARIABLE, configured
from nlpstat_core.saved_boards.errors import BoardError, DiskFull

HEAD = "0003"  # the revision of Alembic's that this code works with
BUSY_SECONDS = 60
_WRITES = "nlpstat_writes"
_MIGRATING = 4_151_623_017  # PostgreSQL's advisory lock around migrations
_KINDS = ("sqlite", "postgresql")
_UNUSABLE = f"{VARIABLE} has an option, a name or a port that can't be used."


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Database:
    """An open database and the clock that its rows are dated by."""

    engine: Engine
    now: Callable[[], datetime] = utc_now

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file."""
        return self.engine.dialect.name == "sqlite"

    def time(self) -> str:
        """The time as the rows hold it."""
        return as_text(self.now())

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of everything and changes nothing."""
        with _in_sentences(), self.engine.connect() as connection, connection.begin():
            if not self.is_sqlite:
                connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that changes things, all of them or none; on SQLite one at a time."""
        with _in_sentences(), self.engine.connect() as connection:
            writes = connection.execution_options(**{_WRITES: True})
            with writes.begin():
                yield writes

    def close(self) -> None:
        """Give the connections up."""
        self.engine.dispose()


def as_text(moment: datetime) -> str:
    """A time as text that sorts.

    >>> as_text(datetime(2026, 1, 31, 12, 0, tzinfo=UTC))
    '2026-01-31T12:00:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def open_database(target: str) -> Database:
    """Open a database and bring its tables up to date.

    target: A path of an SQLite file, or a URL: sqlite:///…, postgresql://….
    Raises BoardError: It can't be opened, or belongs to a later version.
    """
    url = _url(target)
    with _in_sentences(url):
        database = Database(_engine(url))
        try:
            if _first_look(database) != HEAD:
                _migrate(database, HEAD)
        except BaseException:
            database.close()
            raise
        return database


_open: dict[str, Database] = {}
_opening = threading.Lock()


def located(target: str) -> str:
    """The same database for a process started in another folder: a URL, which may hold a password."""
    url = _url(target)
    if url.get_backend_name() == "sqlite":
        url = url.set(database=str(Path(str(url.database)).absolute()))
    return url.render_as_string(hide_password=False)


def shared_database(target: str | None = None) -> Database:
    """The database that the environment names, opened once per process.

    target: Another one.
    Raises BoardError: None is named, or it can't be opened.
    """
    target = target or configured()
    if target is None:
        raise BoardError(f"No database is configured: set {VARIABLE} to a file, for example boards.sqlite.")
    with _opening:
        if target not in _open:
            _open[target] = open_database(target)
        return _open[target]


def change_revision(database: Database, revision: str) -> None:
    """Migrate up or down, with all data that the revision has room for.

    revision: "0001", "0002", "0003", or "base" for none.
    """
    _migrate(database, revision)


def _url(target: str) -> URL:
    if "://" not in target:
        try:
            return URL.create("sqlite+pysqlite", database=str(Path(target).expanduser().absolute()))
        except RuntimeError as error:  # ~somebody who isn't here
            raise BoardError(f"{VARIABLE} names a file of an unknown user: {shown(target)}.") from error
    try:
        url = make_url(target)
    except (ArgumentError, ValueError) as error:  # it may hold a password, and isn't repeated
        raise BoardError(
            f"{VARIABLE} is not a readable database URL: its port must be a whole number."
            if isinstance(error, ValueError)
            else f"{VARIABLE} is not a readable database URL."
        ) from error
    if "@" in (url.host or ""):
        raise BoardError(f"{VARIABLE}: write an @ of the user or password as %40.")
    kind = url.get_backend_name()
    if kind == "postgres":  # how some services write it
        url, kind = url.set(drivername="postgresql"), "postgresql"
    if kind not in _KINDS:
        raise BoardError(f"{VARIABLE}: {shown(kind)} isn't supported; use an SQLite file or postgresql://….")
    if kind == "sqlite" and (not url.database or url.database.startswith((":", "file:"))):
        raise BoardError(f"{VARIABLE} names no file: a database in memory would be lost.")
    if kind == "sqlite" and url.query:
        raise BoardError(f"{VARIABLE}: an SQLite file takes no options; leave out what follows the ?.")
    return url.set(drivername="sqlite+pysqlite" if kind == "sqlite" else "postgresql+psycopg")


def narrow_database(database: Database) -> Database:
    """The same SQLite file, where deleting takes as little of the disk as it can: nothing is overwritten.

    Returns: To be closed.
    """
    engine = _engine(database.engine.url)
    event.listen(engine, "connect", _overwrite_nothing)
    return Database(engine, database.now)


def _overwrite_nothing(connection: Any, _: object) -> None:
    connection.execute("PRAGMA secure_delete = FAST")


def _engine(url: URL) -> Engine:
    sqlite = url.get_backend_name() == "sqlite"
    # The pool waits as long as SQLite does: whoever comes in a crowd is late, not refused.
    more: dict[str, Any] = {"connect_args": {"timeout": BUSY_SECONDS}} if sqlite else {"pool_pre_ping": True}
    try:
        engine = create_engine(url, pool_timeout=BUSY_SECONDS, hide_parameters=True, **more)
    except (ImportError, NoSuchModuleError) as error:
        raise BoardError(f"PostgreSQL needs the packages of: {install_command('boards')}") from error
    except ArgumentError as error:
        raise BoardError(_UNUSABLE) from error
    if sqlite:
        _only_ours(Path(str(url.database)))
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _only_ours(file: Path) -> None:
    """Make the file before SQLite does, so that other users of the machine can't read it."""
    try:
        file.touch(mode=0o600, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no valid path"
        raise BoardError(f"The database {shown(file)} can't be opened: {reason}.") from error


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout = {1000 * BUSY_SECONDS}",
        "journal_mode = WAL",
        "foreign_keys = ON",
        "secure_delete = ON",  # what was deleted is overwritten, not left in free pages
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """A transaction that will write takes its turn at once: one that asked later could have to give up."""
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _first_look(database: Database) -> str | None:
    """The revision of its tables; the first connection also tries whatever stands in the URL."""
    try:
        with database.engine.connect() as connection:
            return _revision_at(connection)
    except (ArgumentError, TypeError, ValueError) as error:  # the driver's, in words of its own
        raise BoardError(_UNUSABLE) from error


def _revision_at(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def _migrate(database: Database, revision: str) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    known = {found.revision: found for found in ScriptDirectory.from_config(config).walk_revisions()}
    with database.writing() as connection:
        if not database.is_sqlite:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
        now = _revision_at(connection)
        if now is not None and now not in known:
            raise BoardError(
                f"The database was made by a later version (its tables are of revision {shown(now)}); update "
                "this program."
            )
        if now == revision:
            return
        config.attributes["connection"] = connection
        down = revision == "base" or (now is not None and now > revision)
        (command.downgrade if down else command.upgrade)(config, revision)


@contextmanager
def _in_sentences(url: URL | None = None) -> Iterator[None]:
    """What a database says, in a sentence: neither statements nor values nor a password stand in it."""
    try:
        yield
    except OperationalError as error:
        said = str(error.orig)
        if "locked" in said or "busy" in said:
            raise BoardError("Many people are saving just now. Nothing was changed; try again.") from error
        if "full" in said or "No space" in said:
            raise DiskFull from error
        where = "" if url is None else f" {shown(url.render_as_string(hide_password=True))}"
        raise BoardError(
            f"The database{where} can't be reached or written: check {VARIABLE} and its rights."
        ) from error
    except DBAPIError as error:
        if url is None:
            raise
        raise BoardError(
            f"{shown(url.render_as_string(hide_password=True))} is not a database of this program."
        ) from error
