"""SQLite: a database in a file, opened carefully, so that nothing of anyone else's is touched.

Write-ahead logging, so that readers and a writer do not wait for each other; a commit returns when
the disk has it (synchronous=FULL); a second writer waits for the first. A file is opened only if SQLite finds it sound,
and if its tables are written down as they were when they were made. Runs are locked by files.
"""

import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import filelock
import sqlalchemy
from sqlalchemy import Connection, Table, event, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from noughts.rules.errors import StoreError
from noughts.store import files
from noughts.store.dialect import MOVE_AWAY, REPAIR, Dialect, RunLock, check_version, is_ours
from noughts.store.place import OTHER_PLACE
from noughts.store.tables import FIRST_TABLES

BUSY_SECONDS = 30.0
"""How long a writer waits for another one."""

FULL_CHECK_BYTES = 128 << 20
"""The largest file of which every index is compared with its table before it is opened: that takes 0.4 s. Of a larger
one only the pages are looked at, in a third of the time."""

_MAGIC = b"SQLite format 3\0"
_TABLES_AS_TEXT = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"


class FileLock(RunLock):
    """A run's lock as a file, which the system lets go of when the process ends."""

    def __init__(self, lock: filelock.BaseFileLock, database: "SqliteFile") -> None:
        self._lock = lock
        self._database = database

    @property
    def held(self) -> bool:
        """Whether it was not released yet."""
        return self._lock.is_locked

    def writing(self) -> contextlib.AbstractContextManager[Connection]:
        """As any other: nobody can take the file from us."""
        return self._database.writing()

    def release(self, done: bool = False) -> None:
        """Let go of the file, and remove it if nobody will ask for it again."""
        if self._lock.is_locked:
            if done:
                Path(self._lock.lock_file).unlink(missing_ok=True)
            self._lock.release()


class SqliteFile(Dialect):
    """An SQLite file.

    Args:
        url: Names the file.
        locks: A folder; processes that make the same file, or take the same run, wait for each other by locks in it.
    """

    shared = False

    def __init__(self, url: sqlalchemy.URL, locks: Path) -> None:
        self.called = url.render_as_string()
        if url.database in (None, "", ":memory:"):
            raise StoreError(f"the store {self.called} would keep nothing: name a file, as in sqlite:///results.sqlite")
        self._path = Path(str(url.database))
        self._locks = locks
        self.called = str(self._path)
        self.engine = _engine(url)
        self._writes = self.engine.execution_options(noughts_writes=True)

    def prepare(self, make: Callable[[Connection], None]) -> None:
        """Make the file, or the tables that it lacks."""
        if self._is_ours():
            return
        with filelock.FileLock(self._locks / "create.lock", timeout=BUSY_SECONDS):
            if self._path.exists() and self._path.stat().st_size:
                if not self._is_ours():
                    with self.writing() as connection:
                        make(connection)
            else:
                self._make_file(make)

    def about(self, connection: Connection) -> dict[str, str]:
        """How its tables are written down."""
        return {"tables": tables_hash(connection.exec_driver_sql(_TABLES_AS_TEXT))}

    def reading(self) -> contextlib.AbstractContextManager[Connection]:
        """A connection that sees one state of the database."""
        return self.engine.connect()

    def writing(self) -> contextlib.AbstractContextManager[Connection]:
        """A connection in a transaction, which waits for that of another process first."""
        return self._writes.begin()

    def insert(self, table: Table) -> sqlite.Insert:
        """SQLite's insert."""
        return sqlite.insert(table)

    def rows(self, connection: Connection, table: Table) -> Iterator[Sequence[Any]]:
        """All rows; what is no text is given with surrogates in it, otherwise one such value would hide all rows."""
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        raw.text_factory = lambda content: content.decode("utf-8", "surrogateescape")
        try:
            yield from connection.execute(select(table))
        finally:
            raw.text_factory = str

    def lock(self, run_id: str) -> FileLock | None:
        """The lock of a run, a file in the folder of locks."""
        path = self._locks / f"{run_id}.lock"
        lock = filelock.FileLock(path, timeout=0, thread_local=False)
        try:
            lock.acquire()
        except filelock.Timeout:
            return None
        except (OSError, NotImplementedError) as error:
            raise StoreError(f"{path} cannot be locked ({error}): {OTHER_PLACE}") from error
        return FileLock(lock, self)

    def bytes(self, connection: Connection) -> None:
        """Its file says so."""

    def shrink(self) -> None:
        """Write the file anew without its gaps. It takes as much room again for as long as that lasts, and waits for writers."""
        with contextlib.closing(self.engine.raw_connection()) as connection:  # as this is done outside a transaction
            cursor = connection.cursor()
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def passing(self, error: Exception, opened: bool) -> None:
        """Nothing succeeds later: SQLite itself has waited."""

    def meaning(self, error: Exception) -> str | None:
        """What an error of SQLite, or of the file, means."""
        cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
        words = " ".join(str(cause).split())
        name = str(getattr(cause, "sqlite_errorname", "")).removeprefix("SQLITE_").partition("_")[0]
        if isinstance(cause, filelock.Timeout) or name in ("BUSY", "LOCKED"):
            return f"has been locked by another process for more than {BUSY_SECONDS:g} s: try again when it is done"
        if name == "NOTADB":
            return f"is not a noughts database: {MOVE_AWAY}"
        if name == "CORRUPT" or "not decode" in words or isinstance(cause, UnicodeDecodeError):
            return f"is damaged ({words}): {REPAIR}"
        if name == "FULL":
            return f"cannot be written: the disk is full; make room or {OTHER_PLACE}"
        if name in ("CANTOPEN", "READONLY", "PERM", "IOERR"):
            return f"cannot be read or written ({words}): {OTHER_PLACE}"
        return None

    def _make_file(self, make: Callable[[Connection], None]) -> None:
        """Make the file under another name first: it is there whole or not at all, also after a loss of power."""
        name = f".{self._path.name}.new"  # the same each time, so that what a crash left is found
        for left in self._path.parent.glob(f"{name}*"):
            left.unlink()
        with files.made_whole(self._path, name) as new:
            with contextlib.closing(sqlite3.connect(new)) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
            engine = _engine(self.engine.url.set(database=str(new)))
            try:
                with engine.execution_options(noughts_writes=True).begin() as made:
                    make(made)
            finally:
                engine.dispose()

    def _is_ours(self) -> bool:
        """Whether the file holds all our tables; false if there is none, or it is empty, or of an older noughts that
        did not have all of them. Never changes it.

        Raises:
            StoreError: it holds something else, or tables of another version of noughts.
        """
        try:
            with open(self._path, "rb") as file:
                magic = file.read(len(_MAGIC))
        except FileNotFoundError:
            return False
        if not magic:
            return False
        if magic != _MAGIC:  # SQLite itself would take a file of one byte for an empty one
            check_version(None, self.called)
        # A file opened for reading only cannot be changed, not even by SQLite's repairs when it is closed.
        uri = f"{self._path.absolute().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as connection:
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            if not names:
                return False
            if not names >= FIRST_TABLES:
                check_version(None, self.called)
            # Also of the log of a process that was killed, or is at work, which SQLite will write into the file.
            if faults := damage(connection, whole=self._path.stat().st_size <= FULL_CHECK_BYTES):
                raise StoreError(f"{self.called} is damaged ({faults[0]}): {REPAIR}")
            version = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone()
        return is_ours(names, version and version[0], self.called)


def file_url(file: Path) -> sqlalchemy.URL:
    """The URL of an SQLite file."""
    return sqlalchemy.URL.create("sqlite", database=str(file))


def tables_hash(rows: Iterable[Sequence[Any]]) -> str:
    """A hash of how the tables are written down in an SQLite file: `meta` holds what it was when they were made."""
    text = "\n".join(f"{name} {sql}" for name, sql in rows)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def damage(connection: sqlite3.Connection, whole: bool = True, most: int = 1) -> list[str]:
    """What SQLite finds wrong with a file, a line each; sqlite3.Error if it cannot even look.

    Args:
        whole: Whether indexes are compared with their tables.
        most: How many lines at most.
    """
    pragma = "integrity_check" if whole else "quick_check"
    found = [" ".join(line.split()) for (line,) in connection.execute(f"PRAGMA {pragma}({most})") if line != "ok"]
    said = dict(connection.execute("SELECT name, value FROM meta WHERE name = 'tables'"))
    if not found and said and said["tables"] != tables_hash(connection.execute(_TABLES_AS_TEXT)):
        found = ["its tables are not written down as they were made"]
    return found


def _engine(url: sqlalchemy.URL) -> sqlalchemy.Engine:
    engine = sqlalchemy.create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # transactions begin where `_on_begin` says, and not where sqlite3 guesses
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _on_begin(connection: sqlalchemy.Connection) -> None:
    # A transaction that reads first and then writes would fail, not wait, if another wrote in between.
    writes = connection.get_execution_options().get("noughts_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
