"""The results database: opened carefully, so that nothing of anyone else's is touched, with errors of one line.

On SQLite: write-ahead logging, so that readers and a writer do not wait for each other; a commit returns when
the disk has it (synchronous=FULL); a second writer waits for the first.
"""

import contextlib
import logging
import sqlite3
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import filelock
import sqlalchemy
from sqlalchemy import event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from noughts.rules.errors import StoreError
from noughts.store.place import OTHER_PLACE
from noughts.store.tables import FIRST_TABLES, SCHEMA, meta, metadata

BUSY_SECONDS = 30.0
"""How long a writer waits for another one."""

_MAKING = 0x6E6F7567687473  # "noughts": a server knows locks by number
_POOLS = "sqlalchemy.pool.impl.QueuePool"
_MAGIC = b"SQLite format 3\0"
_MOVE_AWAY = f"move it away or {OTHER_PLACE}"


class Database:
    """A database of ours, with connections to it.

    Attributes:
        engine: SQLAlchemy's.
        called: What errors call it.
    """

    def __init__(self, url: str | sqlalchemy.URL, locks: Path) -> None:
        """Open it, and make its tables if it has none.

        Args:
            url: An SQLite file or a PostgreSQL server.
            locks: A folder; processes that make the same SQLite file wait for each other by a lock in it.

        Raises:
            StoreError: it cannot be opened, is not ours, is damaged, or is of another version of noughts.
        """
        self.called = "the store"
        try:
            parsed = sqlalchemy.make_url(url)
            self.called = parsed.render_as_string(hide_password=True)
            dialect = parsed.get_dialect().name
            if dialect not in ("sqlite", "postgresql"):
                raise StoreError(f"the store {self.called} is not possible: give a folder, sqlite:/// or postgresql://")
            options: dict[str, Any] = {"timeout": BUSY_SECONDS} if dialect == "sqlite" else {}
            self.engine = sqlalchemy.create_engine(parsed, connect_args=options)
            logging.getLogger(_POOLS).addFilter(_is_no_interrupt)
        except (SQLAlchemyError, ImportError) as error:  # a malformed URL, or a driver that is not installed
            raise self._explain(error) from error
        if dialect == "sqlite":
            event.listen(self.engine, "connect", _on_connect)
            event.listen(self.engine, "begin", _on_begin)
        self._writes = self.engine.execution_options(noughts_writes=True)
        weakref.finalize(self, self.engine.dispose)  # a connection that is dropped, not closed, is warned of
        try:
            if dialect == "sqlite":
                self._open_sqlite(parsed.database, locks)
            else:
                self._make_tables()
        except BaseException:
            self.engine.dispose()
            raise

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlalchemy.Connection]:
        """A connection that sees one state of the database; errors become StoreError."""
        with self._explained(), self.engine.connect() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlalchemy.Connection]:
        """A connection in a transaction, which is on the disk when the context is left; errors become StoreError."""
        with self._explained(), self._writes.begin() as connection:
            yield connection

    def insert(self, table: sqlalchemy.Table) -> "postgresql.Insert | sqlite.Insert":
        """An insert that knows what to do on conflict; every database has its own."""
        return postgresql.insert(table) if self.engine.dialect.name == "postgresql" else sqlite.insert(table)

    def close(self) -> None:
        """Close its connections."""
        self.engine.dispose()

    def _open_sqlite(self, file: str | None, locks: Path) -> None:
        if file in (None, "", ":memory:"):
            raise StoreError(f"the store {self.called} would keep nothing: name a file, as in sqlite:///results.sqlite")
        path = Path(str(file))
        self.called = str(path)
        with self._explained():
            if self._is_ours(path):
                return
            with filelock.FileLock(locks / "create.lock", timeout=BUSY_SECONDS):
                if not self._is_ours(path):
                    with contextlib.closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
                        connection.execute("PRAGMA journal_mode=WAL")
                    self._make_tables()

    def _is_ours(self, path: Path) -> bool:
        """Whether the file holds all our tables; false if there is none, or it is empty, or of an older noughts that
        did not have all of them. Never changes it.

        Raises:
            StoreError: it holds something else, or tables of another version of noughts.
        """
        try:
            with open(path, "rb") as file:
                magic = file.read(len(_MAGIC))
        except FileNotFoundError:
            return False
        if not magic:
            return False
        if magic != _MAGIC:  # SQLite itself would take a file of one byte for an empty one
            self._check_version(None)
        # A file opened for reading only cannot be changed, not even by SQLite's repairs when it is closed.
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as connection:
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            if not names:
                return False
            log = Path(f"{path}-wal")
            if log.exists() and log.stat().st_size:
                # A process was killed, or is at work. SQLite will write this log into the file, so all of it is checked first.
                (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
                if verdict != "ok":
                    raise StoreError(f"{self.called} is damaged ({' '.join(verdict.split())}): {_MOVE_AWAY}")
            version = None
            if names >= FIRST_TABLES:
                version = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone()
        self._check_version(version and version[0])
        return names >= set(metadata.tables)

    def _make_tables(self) -> None:
        with self.writing() as connection:
            if self.engine.dialect.name == "postgresql":  # until this transaction ends, others who make them wait
                connection.execute(sqlalchemy.select(sqlalchemy.func.pg_advisory_xact_lock(_MAKING)))
            if sqlalchemy.inspect(connection).has_table(meta.name):
                version = connection.execute(sqlalchemy.select(meta.c.value).where(meta.c.name == "schema")).scalar()
                self._check_version(version)
                metadata.create_all(connection)  # what is missing
            else:
                metadata.create_all(connection)
                connection.execute(meta.insert().values(name="schema", value=str(SCHEMA)))

    def _check_version(self, version: object) -> None:
        if not str(version).isdecimal():
            raise StoreError(f"{self.called} is not a noughts database: {_MOVE_AWAY}")
        if int(str(version)) < SCHEMA:
            raise StoreError(
                f"{self.called} was written by an older noughts (its schema is {version}, this one writes {SCHEMA}), whose "
                f"results cannot be gone on with: rename it to keep it, and a new one is made in its place, or {OTHER_PLACE}"
            )
        if int(str(version)) > SCHEMA:
            raise StoreError(
                f"{self.called} was written by a newer noughts (its schema is {version}, this one knows {SCHEMA}): "
                f"update noughts or {OTHER_PLACE}"
            )

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error, filelock.Timeout, OSError) as error:
            raise self._explain(error) from error

    def _explain(self, error: Exception) -> StoreError:
        """What an error means to the user, in one line."""
        cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
        words = " ".join(str(cause).split())
        name = str(getattr(cause, "sqlite_errorname", "")).removeprefix("SQLITE_").partition("_")[0]
        if isinstance(cause, filelock.Timeout) or name in ("BUSY", "LOCKED"):
            meaning = f"has been locked by another process for more than {BUSY_SECONDS:g} s: try again when it is done"
        elif name == "NOTADB":
            meaning = f"is not a noughts database: {_MOVE_AWAY}"
        elif name == "CORRUPT":
            meaning = f"is damaged ({words}): {_MOVE_AWAY}"
        elif name == "FULL":
            meaning = f"cannot be written: the disk is full; make room or {OTHER_PLACE}"
        elif name in ("CANTOPEN", "READONLY", "PERM", "IOERR"):
            meaning = f"cannot be read or written ({words}): {OTHER_PLACE}"
        elif isinstance(cause, OSError):
            meaning = f"cannot be read or written ({cause.strerror or words}): {OTHER_PLACE}"
        elif isinstance(cause, ArgumentError | ImportError):
            meaning = f"is not possible ({words}): give a folder, or the URL of a database whose driver is installed"
        else:
            meaning = f"failed: {words}"
        return StoreError(f"{self.called} {meaning}")


def _is_no_interrupt(record: logging.LogRecord) -> bool:
    """Whether a record is to be logged: not Ctrl-C while a connection is given back, which is raised as well."""
    return not (record.exc_info and isinstance(record.exc_info[1], KeyboardInterrupt))


def _on_connect(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # transactions begin where `_on_begin` says, and not where sqlite3 guesses
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _on_begin(connection: sqlalchemy.Connection) -> None:
    # A transaction that reads first and then writes would fail, not wait, if another wrote in between.
    writes = connection.get_execution_options().get("noughts_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
