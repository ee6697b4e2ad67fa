"""The results database: one schema on any kind of database, with errors of one line.

What kinds of databases do in ways of their own stands in `sqlite_file` and `postgresql_server`. What reads or writes is
given as a function: where a connection to a server is lost, the function is called again with a new one.
"""

import logging
import sqlite3
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import filelock
import sqlalchemy
from sqlalchemy import Connection
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from noughts.rules.errors import StoreError
from noughts.store.dialect import REPAIR, Dialect, RunLock, check_version
from noughts.store.older_schemas import bring_up
from noughts.store.place import OTHER_PLACE, without_secrets
from noughts.store.tables import SCHEMA, meta, metadata

__all__ = ["REPAIR", "Database"]

RECONNECT_SECONDS = 60.0
"""For how long a lost connection is made again before work ends."""

_PAUSE_SECONDS = 0.1  # before the second attempt; twice as long each time, until
_LONGEST_PAUSE_SECONDS = 2.0

_POOLS = "sqlalchemy.pool.impl.QueuePool"
_LOG = logging.getLogger("noughts.store")  # where nobody has set it up, a warning is a line on standard error

FoundT = TypeVar("FoundT")


class Database:
    """A database of ours, with connections to it.

    Attributes:
        called: What errors call it; it holds no password.
        dialect: What kind it is.
    """

    def __init__(self, url: str | sqlalchemy.URL, locks: Path) -> None:
        """Open it, and make its tables if it has none.

        Args:
            url: An SQLite file or a PostgreSQL server.
            locks: A folder; processes that use the same SQLite file wait for each other by locks in it.

        Raises:
            StoreError: it cannot be opened, is not ours, is damaged, or is of another version of noughts.
        """
        self.called = "the store"
        self._lost: float | None = None  # since when nothing has succeeded
        self._told = False  # whether somebody was told
        self._opened = False
        try:
            self.dialect = self._dialect(url, locks)
        except (
            SQLAlchemyError,
            ImportError,
            ValueError,
        ) as error:  # a malformed URL, or a driver that is not installed
            raise self._explain(error) from error
        logging.getLogger(_POOLS).addFilter(_is_no_interrupt)
        weakref.finalize(self, self.dialect.engine.dispose)  # a connection that is dropped, not closed, is warned of
        try:
            self._try(lambda: self.dialect.prepare(self._make_tables))
        except BaseException:
            self.dialect.engine.dispose()
            raise
        self._opened = True

    @property
    def engine(self) -> sqlalchemy.Engine:
        """SQLAlchemy's."""
        return self.dialect.engine

    def read(self, question: Callable[[Connection], FoundT]) -> FoundT:
        """What a function finds that is given a connection that sees one state of the database; errors become StoreError.

        Args:
            question: May be called again, if the connection is lost; it must take all that it wants of the connection.
        """

        def attempt() -> FoundT:
            with self.dialect.reading() as connection:
                return question(connection)

        return self._try(attempt)

    def write(self, change: Callable[[Connection], FoundT], lock: RunLock | None = None) -> FoundT:
        """What a function gives that is given a connection in a transaction, on the disk when this returns; or nothing of
        it is there, and errors become StoreError.

        Args:
            change: May be called again, if the connection is lost, also when all was written but the word of it was lost:
                it must do the same to a database in which it was done.
            lock: That of the run to which this belongs: nothing is written once another process has it.
        """

        def attempt() -> FoundT:
            with (self.dialect if lock is None else lock).writing() as connection:
                return change(connection)

        return self._try(attempt)

    def lock(self, run_id: str) -> RunLock | None:
        """The lock of a run; None if a living process has it."""
        return self._try(lambda: self.dialect.lock(run_id))

    def shrink(self) -> None:
        """Give the room of rows that were removed back to the disk; StoreError if others are at work in it for too long."""
        self._try(self.dialect.shrink)

    def close(self) -> None:
        """Close its connections."""
        self.dialect.engine.dispose()

    def _dialect(self, url: str | sqlalchemy.URL, locks: Path) -> Dialect:
        if isinstance(url, str):
            self.called = f"the store {without_secrets(url)}"
        try:
            parsed = sqlalchemy.make_url(url)
        except ValueError:  # whose words hold what stands in its place
            raise StoreError(f"{self.called} is not possible (its port is no number)") from None
        if parsed.drivername.partition("+")[0] == "sqlite":
            from noughts.store.sqlite_file import SqliteFile

            self.called = parsed.render_as_string()
            made: Dialect = SqliteFile(parsed, locks)
        elif parsed.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
            from noughts.store.postgresql_server import PostgresqlServer

            made = PostgresqlServer(parsed)
        else:
            raise StoreError(f"{self.called} is not possible: give a folder, sqlite:/// or postgresql://")
        self.called = made.called
        return made

    def _try(self, attempt: Callable[[], FoundT]) -> FoundT:
        """Do something, again and again while the connection is lost, as long as that is allowed."""
        pause = _PAUSE_SECONDS
        while True:
            try:
                found = attempt()
            except (SQLAlchemyError, sqlite3.Error, filelock.Timeout, OSError, UnicodeError) as error:
                reason = self.dialect.passing(error, self._opened)
                if reason is None:
                    raise self._explain(error) from error
                self._wait(pause, reason, error)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            else:
                if self._told:
                    _LOG.warning("%s: it is there again", self.called)
                self._lost, self._told = None, False
                return found

    def _wait(self, pause: float, reason: str, error: Exception) -> None:
        """Wait a moment after something failed that may succeed later; StoreError if that has gone on for too long."""
        now = time.monotonic()
        if self._lost is None:
            self._lost = now
        elif not self._told:
            self._told = True
            _LOG.warning("%s: %s; it is tried again for %g s", self.called, reason, RECONNECT_SECONDS)
        if now - self._lost > RECONNECT_SECONDS:
            raise StoreError(
                f"{self._explain(error)}; that was so for more than {RECONNECT_SECONDS:g} s: what was kept is there, "
                "and the same command goes on with it later"
            ) from error
        try:
            time.sleep(pause)
        except BaseException:  # somebody has had enough: what is kept on the way out is tried once
            self._lost = now - 2 * RECONNECT_SECONDS
            raise

    def _make_tables(self, connection: Connection) -> None:
        """Make the tables that are missing, and bring those of an older version to this one."""
        if sqlalchemy.inspect(connection).has_table(meta.name):
            version = connection.execute(sqlalchemy.select(meta.c.value).where(meta.c.name == "schema")).scalar()
            check_version(version, self.called)
            metadata.create_all(connection)  # what is missing
            bring_up(connection, int(str(version)))
        else:
            metadata.create_all(connection)
        said = {"schema": str(SCHEMA)} | self.dialect.about(connection)
        connection.execute(meta.delete())
        connection.execute(meta.insert(), [{"name": name, "value": value} for name, value in said.items()])

    def _explain(self, error: Exception) -> StoreError:
        """What an error means to the user, in one line."""
        dialect: Dialect | None = getattr(self, "dialect", None)
        cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
        words = " ".join(str(cause).split())
        meaning = dialect.meaning(error) if dialect is not None else None
        if meaning is not None:
            pass
        elif isinstance(cause, OSError):
            meaning = f"cannot be read or written ({cause.strerror or words}): {OTHER_PLACE}"
        elif isinstance(cause, ArgumentError | ImportError) or dialect is None:
            meaning = f"is not possible ({words}): give a folder, or the URL of a database whose driver is installed"
        else:
            meaning = f"failed: {words}"
        return StoreError(f"{self.called} {meaning}")


def _is_no_interrupt(record: logging.LogRecord) -> bool:
    """Whether a record is to be logged: not Ctrl-C while a connection is given back, which is raised as well."""
    return not (record.exc_info and isinstance(record.exc_info[1], KeyboardInterrupt))
