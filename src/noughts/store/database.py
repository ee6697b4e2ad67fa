"""A database of ours, on an SQLite file or a PostgreSQL server: it is opened and made, read and written.

SQLAlchemy does the rest. An SQLite file has a write-ahead log, so that readers and a writer do not wait for each other, and a commit
returns when the disk has it (synchronous=FULL). A server's commit does too, even where the server was configured otherwise.
"""

import contextlib
import logging
import sqlite3
import weakref
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import filelock
import sqlalchemy
from sqlalchemy import Connection, CursorResult, MetaData, Select, Table, event, func, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from noughts.machine import disk
from noughts.rules.errors import MissingLibraryError, StoreError
from noughts.store.database_errors import MOVE_AWAY, is_corrupt, is_no_damage, meaning_of, words_of
from noughts.store.file_format import FileFormat
from noughts.store.place import OTHER_PLACE, without_secrets
from noughts.store.run_lock import RunLock, lock_file, lock_on_server
from noughts.store.tables import is_whole, meta, metadata, saved

BUSY_SECONDS = 30.0
"""How long a writer waits for another one."""

_MAGIC = b"SQLite format 3\0"
_FILES = ("", "-wal", "-shm")  # what belongs to an SQLite file
_ROWS = {tables.info["version"] for tables in (metadata, saved)}  # of `meta`, each with a version
_MAKING = 0x6E6F7567687473  # "noughts": a server knows locks by number
_POOL = "sqlalchemy.pool.impl.QueuePool"
_LOG = logging.getLogger("noughts.store")  # without further configuration, a warning is a line on standard error

_SERVER = {
    "connect_timeout": 5,  # seconds for one address; a name may have two
    "client_encoding": "utf8",
    "application_name": "noughts",
    # A server that vanished is noticed after 30 + 3 * 10 s, even while nothing is sent.
    **{"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 60_000},
}
"""libpq's parameters, unless the URL sets them."""

_SERVER_SETTINGS = f"""
    SELECT set_config('lock_timeout', '{BUSY_SECONDS:g}s', false),
        set_config('idle_in_transaction_session_timeout', '60s', false),
        set_config('tcp_keepalives_idle', '30', false), set_config('tcp_keepalives_interval', '10', false),
        set_config('tcp_keepalives_count', '3', false),
        CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END
"""  # the server notices a vanished machine too, and releases its locks


class Database:
    """A database of ours, with connections to it.

    Attributes:
        called: Its name in errors; it holds no password.
        engine: SQLAlchemy's.
        path: The file of an SQLite database; None on a server, which several machines may use at once.
        locks: As given.
        set_aside: The damaged file that was renamed when this one was opened; None if it was sound.
    """

    check: ClassVar = "quick_check"
    """SQLite's check of a file when it is opened: of its pages, but not of indexes, since an answer that is not found is computed."""

    def __init__(self, url: str | sqlalchemy.URL, locks: Path, tables: MetaData, version: FileFormat) -> None:
        """Open it, and make the tables that it lacks. An SQLite file of ours that is damaged is renamed, and a new one is made.

        Args:
            url: An SQLite file or a PostgreSQL server.
            locks: A folder; processes that use the same SQLite file wait for each other by locks in it.
            tables: The tables that it must have; their `info` names the row of `meta` with their version.
            version: The version of these tables.

        Raises:
            StoreError: it cannot be opened, is not ours, or is of another version of noughts.
        """
        self.locks = locks
        self._tables = tables
        self._version = version
        self.set_aside: Path | None = None
        self._row: str = tables.info["version"]
        self.called = f"the store {without_secrets(str(url))}"
        try:
            parsed = sqlalchemy.make_url(url)
        except ValueError:  # its message quotes the whole URL
            raise StoreError(f"{self.called} is not possible (its port is no number)") from None
        except SQLAlchemyError as error:
            raise self._explained(error) from None
        self.path = Path(str(parsed.database)) if parsed.drivername.partition("+")[0] == "sqlite" else None
        if self.path is not None:
            self._open_file(parsed)
        elif parsed.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
            self._open_server(parsed)
        else:
            raise StoreError(f"{self.called} is not possible: give a folder, sqlite:/// or postgresql://")
        logging.getLogger(_POOL).addFilter(_is_no_interrupt)
        weakref.finalize(self, self.engine.dispose)  # SQLAlchemy warns of a connection that is dropped and not closed
        try:
            self._prepare()
        except BaseException:
            self.engine.dispose()
            raise

    def insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """An insert that can state what is done if there is such a row already."""
        return postgresql.insert(table) if self.path is None else sqlite.insert(table)

    def upsert(self, table: Table, where: Callable[[Any], Any] = lambda new: None) -> sqlite.Insert | postgresql.Insert:
        """An insert that puts a row in the place of one with an equal key; the condition for that may ask about the new row."""
        insert = self.insert(table)
        changed = {column.name: insert.excluded[column.name] for column in table.c if not column.primary_key}
        keys = [column.name for column in table.primary_key]
        return insert.on_conflict_do_update(index_elements=keys, set_=changed, where=where(insert.excluded))

    def rows(self, table: Table, chosen: Select[Any]) -> list[dict[str, Any]]:
        """What is chosen of a table, as of `whole_rows`."""
        with self.reading() as connection:
            return whole_rows(table, connection.execute(chosen))

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the database; errors become StoreError."""
        with self._explaining(), self._reads.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction, which is on the disk after the block; after an error, a StoreError, nothing of it is,
        unless the connection to a server was lost while it acknowledged the commit."""
        with self._explaining(), self._writes.begin() as connection:
            yield connection

    def lock(self, run_id: str) -> RunLock | None:
        """The lock of a run; None if a living process has it. StoreError if it cannot be locked."""
        if self.path is None:
            with self._explaining():
                return lock_on_server(self.engine, run_id)
        return lock_file(self.locks / f"{run_id}.lock")

    def server_bytes(self) -> int | None:
        """How large our tables on a server are with their indexes; None for a file."""
        if self.path is not None:
            return None
        sizes = [func.pg_total_relation_size(func.to_regclass(name)) for name in self._tables.tables]
        with self.reading() as connection:
            return sum(size or 0 for size in connection.execute(select(*sizes)).one())

    def shrink(self) -> None:
        """Return the room of removed rows to the disk, which takes as much room again while it lasts; a server does so by itself."""
        if self.path is None:
            return
        with self._explaining(), contextlib.closing(self.engine.raw_connection()) as connection:
            cursor = connection.cursor()  # outside of any transaction
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close its connections."""
        self.engine.dispose()

    def _open_file(self, url: sqlalchemy.URL) -> None:
        self.called = url.render_as_string()
        if url.database in (None, "", ":memory:"):
            raise StoreError(f"the store {self.called} would save nothing: name a file, as in sqlite:///results.sqlite")
        self.called = str(self.path)
        self.engine = sqlalchemy.create_engine(url, connect_args={"timeout": BUSY_SECONDS})
        event.listen(self.engine, "connect", _on_file)
        event.listen(self.engine, "begin", _on_begin)
        self._reads: sqlalchemy.Engine = self.engine
        self._writes: sqlalchemy.Engine = self.engine.execution_options(noughts_writes=True)

    def _open_server(self, url: sqlalchemy.URL) -> None:
        self.called = sqlalchemy.URL.create(
            "postgresql", url.username, None, url.host, url.port, url.database
        ).render_as_string()
        if "@" in (url.host or ""):
            raise StoreError(
                "the store's URL has more than one @: write one in a password as %40, "
                "or leave the password out and put it into ~/.pgpass"
            )
        given = {name: value for name, value in _SERVER.items() if name not in url.query}
        driven = url.set(drivername="postgresql+psycopg")
        try:
            # As many connections as there are threads that read or write; two are kept for later.
            self.engine = sqlalchemy.create_engine(
                driven, connect_args=given, pool_size=2, max_overflow=-1, pool_pre_ping=True
            )
        except ImportError as error:
            missing = MissingLibraryError.of("psycopg", "postgres")
            raise StoreError(f"{self.called} cannot be used: {missing}") from error
        event.listen(self.engine, "connect", _on_server)
        self._reads = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._writes = self.engine

    def _prepare(self) -> None:
        """Have all tables there. Processes that make them at once wait for each other."""
        with self._explaining():
            if self.path is None:
                if not self._server_is_ready():
                    self._make_on_server()
            elif not self._file_is_ready():
                with filelock.FileLock(self.locks / "create.lock", timeout=BUSY_SECONDS):
                    if not self._file_is_ready():
                        with self._writes.begin() as connection:
                            self._make_tables(connection)
                        disk.DISK.sync_folder(self.path.absolute().parent)

    def _file_is_ready(self) -> bool:
        """Whether the file holds all tables. One of ours that is damaged is renamed, so that a new one is made.

        Raises:
            StoreError: it holds something else, or tables of another version of noughts.
        """
        assert self.path is not None
        try:
            with open(self.path, "rb") as file:
                magic = file.read(len(_MAGIC))
        except FileNotFoundError:
            return False
        if not magic:
            return False
        if magic != _MAGIC:  # SQLite would take a file of one byte for an empty one
            raise StoreError(f"{self.called} is not a noughts database: {MOVE_AWAY}")
        try:
            # A file opened for reading only cannot be changed, not even by SQLite's recovery when it is closed.
            uri = f"{self.path.absolute().as_uri()}?mode=ro"
            with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as connection:
                connection.text_factory = text_of
                names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
                if not names:
                    return False
                if _columns(connection, meta.name) != {*meta.c.keys()}:
                    raise StoreError(f"{self.called} is not a noughts database: {MOVE_AWAY}")
                current = self._is_current(dict(connection.execute("SELECT name, value FROM meta")))
                (fault,) = connection.execute(f"PRAGMA {self.check}(1)").fetchone()
                for name in names & self._tables.tables.keys() if current else ():
                    if _columns(connection, name) != {*self._tables.tables[name].c.keys()}:
                        fault = f"table {name} has other columns"
            if fault == "ok":
                return current and names >= self._tables.tables.keys()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the text of an error may hold bad bytes, too
            if is_no_damage(error):
                raise
            fault = words_of(error)
        self._set_aside(fault)
        return False

    def _server_is_ready(self) -> bool:
        """The same of a server, which looks after its files itself."""
        with self._reads.connect() as connection:
            names = set(sqlalchemy.inspect(connection).get_table_names())
            if not names & self._tables.tables.keys():
                return False
            if meta.name not in names:
                raise StoreError(f"{self.called} is not a noughts database: {MOVE_AWAY}")
            current = self._is_current(_versions(connection))
            return current and names >= self._tables.tables.keys()

    def _is_current(self, versions: Mapping[str, str]) -> bool:
        """Whether its tables are of this version; StoreError if this noughts cannot read them."""
        found = versions.get(self._row)
        if found is None and versions.keys() & _ROWS:
            return False  # a server has the tables of the other database already
        if not str(found).isdecimal():
            raise StoreError(f"{self.called} is not a noughts database: {MOVE_AWAY}")
        version, newest = int(str(found)), self._version.version
        if version < self._version.oldest:
            raise StoreError(
                f"{self.called} was written by an older noughts (its schema is {version}, this one writes {newest}): "
                f"rename it to keep it, and a new one is made in its place, or {OTHER_PLACE}"
            )
        if version > newest:
            raise StoreError(
                f"{self.called} was written by a newer noughts (its schema is {version}, this one knows {newest}): "
                f"update noughts or {OTHER_PLACE}"
            )
        return version == newest

    def _make_on_server(self) -> None:
        with self.engine.begin() as connection:
            if (encoding := connection.execute(text("SHOW server_encoding")).scalar_one()) != "UTF8":
                raise StoreError(
                    f"{self.called} stores text as {encoding}, which lacks letters: create it with `createdb -E UTF8 -T template0`"
                )
            # Until this transaction ends, other processes that make them wait.
            connection.execute(select(func.pg_advisory_xact_lock(_MAKING)))
            self._make_tables(connection)

    def _make_tables(self, connection: Connection) -> None:
        if sqlalchemy.inspect(connection).has_table(meta.name):
            self._is_current(_versions(connection))
        self._tables.create_all(connection)
        connection.execute(self.upsert(meta), {"name": self._row, "value": str(self._version.version)})

    def _set_aside(self, fault: str) -> None:
        """Rename a damaged file, and what belongs to it."""
        assert self.path is not None
        aside = self.path.with_name(f"{self.path.name}.damaged-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}")
        for ending in _FILES:
            file = Path(f"{self.path}{ending}")
            if file.exists():
                disk.DISK.rename(file, Path(f"{aside}{ending}"))
        disk.DISK.sync_folder(aside.absolute().parent)
        self.set_aside = aside
        _LOG.warning("%s is damaged (%s): it was renamed to %s, and a new one is made", self.called, fault, aside.name)

    @contextlib.contextmanager
    def _explaining(self) -> Iterator[None]:
        """Errors of the database and of its files become StoreError; a file in which SQLite met damage is renamed."""
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error, filelock.Timeout, OSError, UnicodeError) as error:
            if is_corrupt(error) and self.set_aside is None:
                self._set_aside(words_of(error))
            raise self._explained(error) from error

    def _explained(self, error: Exception) -> StoreError:
        """An error in one line that names the database."""
        url = self.engine.url if hasattr(self, "engine") else None
        return StoreError(f"{self.called} {meaning_of(error, url, BUSY_SECONDS)}")


def whole_rows(table: Table, found: CursorResult[Any]) -> list[dict[str, Any]]:
    """The rows of a result that are as they were written; the others are treated as missing, and a warning counts them."""
    names = tuple(found.keys())
    rows = [dict(zip(names, row, strict=True)) for row in found]
    whole = [row for row in rows if is_whole(table, row)]
    if len(whole) < len(rows):
        _LOG.warning(
            "%d damaged rows of %s are ignored: computing them again fixes that", len(rows) - len(whole), table
        )
    return whole


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {column[1] for column in connection.execute(f"PRAGMA table_info({table})")}


def _versions(connection: Connection) -> dict[str, str]:
    return {str(name): str(value) for name, value in connection.execute(select(meta.c.name, meta.c.value))}


def _on_file(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # transactions begin where `_on_begin` says, and not where sqlite3 guesses
    connection.text_factory = text_of
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def text_of(content: bytes) -> str:
    """A text that is read: a byte that is no UTF-8 damages its own row, and hides no other."""
    return content.decode("utf-8", "replace")


def _on_begin(connection: Connection) -> None:
    # A transaction that reads first and then writes would fail, not wait, if another wrote in between.
    writes = connection.get_execution_options().get("noughts_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _on_server(connection: Any, record: object) -> None:
    connection.autocommit = True
    connection.execute(_SERVER_SETTINGS)
    connection.autocommit = False


def _is_no_interrupt(record: logging.LogRecord) -> bool:
    """Whether a record is logged: not Ctrl-C while a connection is returned, which is raised as well."""
    return not (record.exc_info and isinstance(record.exc_info[1], KeyboardInterrupt))
