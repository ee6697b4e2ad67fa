"""`Database`: open, create, read and write a noughts database, in an SQLite file or on a PostgreSQL server, with SQLAlchemy.

An SQLite file has a write-ahead log, so that readers and a writer do not wait for each other. A commit returns when the data
is on the disk (synchronous=FULL). So does a server's commit, even if the server is configured otherwise.
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
"""How long a writer waits for another."""

_MAGIC = b"SQLite format 3\0"
_FILES = ("", "-wal", "-shm")  # the endings of an SQLite database's files
_ROWS = {tables.info["version"] for tables in (metadata, saved)}  # the rows of `meta` that have a version
_MAKING = 0x6E6F7567687473  # "noughts": a server identifies locks by number
_POOL = "sqlalchemy.pool.impl.QueuePool"
_LOG = logging.getLogger("noughts.store")  # by default, a warning is a line on standard error

_SERVER = {
    "connect_timeout": 5,  # seconds for one address; a name may have two
    "client_encoding": "utf8",
    "application_name": "noughts",
    # A lost server is detected after 30 + 3 * 10 s, even while nothing is sent.
    **{"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 60_000},
}
"""libpq's parameters, unless the URL sets them."""

_SERVER_SETTINGS = f"""
    SELECT set_config('lock_timeout', '{BUSY_SECONDS:g}s', false),
        set_config('idle_in_transaction_session_timeout', '60s', false),
        set_config('tcp_keepalives_idle', '30', false), set_config('tcp_keepalives_interval', '10', false),
        set_config('tcp_keepalives_count', '3', false),
        CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END
"""  # the server detects a lost client too, and releases its locks


class Database:
    """A noughts database, with connections to it.

    Attributes:
        called: The name in errors, without a password.
        engine: SQLAlchemy's engine.
        path: The file of an SQLite database; None on a server, which several machines may use at once.
        locks: The folder of locks.
        set_aside: The damaged file that was renamed when the database was opened; None if it was sound.
    """

    check: ClassVar = "quick_check"
    """SQLite's check when a file is opened. It skips indexes, because an answer that is not found is computed again."""

    def __init__(self, url: str | sqlalchemy.URL, locks: Path, tables: MetaData, version: FileFormat) -> None:
        """Open the database, and create missing tables. A damaged SQLite file is renamed, and a new one is created.

        Args:
            url: An SQLite file or a PostgreSQL server.
            locks: A folder for locks, by which processes that use the same SQLite file wait for each other.
            tables: The required tables; their `info` names the row of `meta` with their version.
            version: The version of these tables.

        Raises:
            StoreError: it cannot be opened, is not a noughts database, or is of an incompatible version.
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
        weakref.finalize(self, self.engine.dispose)  # SQLAlchemy warns if a connection is dropped without being closed
        try:
            self._prepare()
        except BaseException:
            self.engine.dispose()
            raise

    def insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """An insert statement that can handle conflicts with existing rows."""
        return postgresql.insert(table) if self.path is None else sqlite.insert(table)

    def upsert(self, table: Table, where: Callable[[Any], Any] = lambda new: None) -> sqlite.Insert | postgresql.Insert:
        """An insert that replaces a row of equal key if `where`, a condition on the new row, holds."""
        insert = self.insert(table)
        changed = {column.name: insert.excluded[column.name] for column in table.c if not column.primary_key}
        keys = [column.name for column in table.primary_key]
        return insert.on_conflict_do_update(index_elements=keys, set_=changed, where=where(insert.excluded))

    def rows(self, table: Table, chosen: Select[Any]) -> list[dict[str, Any]]:
        """The undamaged rows of a selection, as in `whole_rows`."""
        with self.reading() as connection:
            return whole_rows(table, connection.execute(chosen))

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that reads one consistent state of the database; errors become StoreError."""
        with self._explaining(), self._reads.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction, which is on the disk after the block. After an error, which becomes StoreError,
        nothing is written, unless the connection to a server was lost while it acknowledged the commit."""
        with self._explaining(), self._writes.begin() as connection:
            yield connection

    def lock(self, run_id: str) -> RunLock | None:
        """Lock a run; None if a living process holds the lock. StoreError if locking fails."""
        if self.path is None:
            with self._explaining():
                return lock_on_server(self.engine, run_id)
        return lock_file(self.locks / f"{run_id}.lock")

    def server_bytes(self) -> int | None:
        """The bytes of the tables on a server with their indexes; None for a file."""
        if self.path is not None:
            return None
        sizes = [func.pg_total_relation_size(func.to_regclass(name)) for name in self._tables.tables]
        with self.reading() as connection:
            return sum(size or 0 for size in connection.execute(select(*sizes)).one())

    def shrink(self) -> None:
        """Return the space of removed rows to the disk, which needs as much space meanwhile. A server does so by itself."""
        if self.path is None:
            return
        with self._explaining(), contextlib.closing(self.engine.raw_connection()) as connection:
            cursor = connection.cursor()  # outside of any transaction
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the connections."""
        self.engine.dispose()

    def _open_file(self, url: sqlalchemy.URL) -> None:
        self.called = url.render_as_string()
        if url.database in (None, "", ":memory:"):
            raise StoreError(f"the store {self.called} would save nothing: name a file, as in sqlite:///results.sqlite")
        self.called = str(self.path)
        assert self.path is not None
        uri = f"{self.path.absolute().as_uri()}?mode=ro"
        if disk.is_read_only(self.path) and not Path(f"{self.path}-wal").exists():
            uri += "&immutable=1"  # else SQLite wants to create the files that readers and writers share
            self.engine = sqlalchemy.create_engine(
                url, creator=lambda: sqlite3.connect(uri, uri=True, check_same_thread=False)
            )
        else:
            self.engine = sqlalchemy.create_engine(url, connect_args={"timeout": BUSY_SECONDS})
        self._to_read = uri
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
            # A connection for each thread that reads or writes; two stay open for reuse.
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
        """Create missing tables. Processes that do so at the same time wait for each other."""
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
        """Whether the file has all tables. A damaged noughts database is renamed, so that a new one is created.

        Raises:
            StoreError: the file contains something else, or tables of an incompatible version.
        """
        assert self.path is not None
        try:
            with open(self.path, "rb") as file:
                magic = file.read(len(_MAGIC))
        except FileNotFoundError:
            return False
        if not magic:
            return False
        if magic != _MAGIC:  # SQLite would treat a file of one byte as an empty database
            raise StoreError(f"{self.called} is not a noughts database: {MOVE_AWAY}")
        try:
            # Read-only, so that not even SQLite's recovery on closing can change the file.
            with contextlib.closing(sqlite3.connect(self._to_read, uri=True, timeout=BUSY_SECONDS)) as connection:
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
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the text of an error may contain bad bytes, too
            if is_no_damage(error):
                raise
            fault = words_of(error)
        self._set_aside(fault)
        return False

    def _server_is_ready(self) -> bool:
        """Whether the server has all tables; it checks its files itself."""
        with self._reads.connect() as connection:
            names = set(sqlalchemy.inspect(connection).get_table_names())
            if not names & self._tables.tables.keys():
                return False
            if meta.name not in names:
                raise StoreError(f"{self.called} is not a noughts database: {MOVE_AWAY}")
            current = self._is_current(_versions(connection))
            return current and names >= self._tables.tables.keys()

    def _is_current(self, versions: Mapping[str, str]) -> bool:
        """Whether the tables are of this version; StoreError if this noughts cannot read them."""
        found = versions.get(self._row)
        if found is None and versions.keys() & _ROWS:
            return False  # on a server, only the tables of the other database exist
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
                f"{self.called} was written by a newer noughts (its schema is {version}, this one reads {newest}): "
                f"update noughts or {OTHER_PLACE}"
            )
        return version == newest

    def _make_on_server(self) -> None:
        with self.engine.begin() as connection:
            if (encoding := connection.execute(text("SHOW server_encoding")).scalar_one()) != "UTF8":
                raise StoreError(
                    f"{self.called} stores text as {encoding}, which lacks letters: create it with `createdb -E UTF8 -T template0`"
                )
            # Other processes that create tables wait until this transaction ends.
            connection.execute(select(func.pg_advisory_xact_lock(_MAKING)))
            self._make_tables(connection)

    def _make_tables(self, connection: Connection) -> None:
        if sqlalchemy.inspect(connection).has_table(meta.name):
            self._is_current(_versions(connection))
        self._tables.create_all(connection)
        connection.execute(self.upsert(meta), {"name": self._row, "value": str(self._version.version)})

    def _set_aside(self, fault: str) -> None:
        """Rename a damaged database with all its files."""
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
        """Turn errors of the database and its files into StoreError; rename a file that SQLite finds damaged."""
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error, filelock.Timeout, OSError, UnicodeError) as error:
            if is_corrupt(error) and self.set_aside is None:
                self._set_aside(words_of(error))
            raise self._explained(error) from error

    def _explained(self, error: Exception) -> StoreError:
        """A one-line error that names the database."""
        url = self.engine.url if hasattr(self, "engine") else None
        return StoreError(f"{self.called} {meaning_of(error, url, BUSY_SECONDS)}")


def whole_rows(table: Table, found: CursorResult[Any]) -> list[dict[str, Any]]:
    """The undamaged rows of a result. Damaged ones are treated as missing, and a warning counts them."""
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
    connection.isolation_level = None  # `_on_begin` begins transactions, instead of sqlite3's guesses
    connection.text_factory = text_of
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def text_of(content: bytes) -> str:
    """Decode a text. Invalid UTF-8 is replaced, so that it damages only its own row."""
    return content.decode("utf-8", "replace")


def _on_begin(connection: Connection) -> None:
    # Otherwise a transaction that reads and then writes would fail, not wait, if another one wrote in between.
    writes = connection.get_execution_options().get("noughts_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _on_server(connection: Any, record: object) -> None:
    connection.autocommit = True
    connection.execute(_SERVER_SETTINGS)
    connection.autocommit = False


def _is_no_interrupt(record: logging.LogRecord) -> bool:
    """Whether to log a record: not Ctrl-C while a connection is returned, because it is raised as well."""
    return not (record.exc_info and isinstance(record.exc_info[1], KeyboardInterrupt))
