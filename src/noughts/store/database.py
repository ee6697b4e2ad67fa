"""The results database: opened carefully, so that nothing of anyone else's is touched, with errors of one line.

On SQLite: write-ahead logging, so that readers and a writer do not wait for each other; a commit returns when
the disk has it (synchronous=FULL); a second writer waits for the first. A file is opened only if SQLite finds it sound,
and if its tables are written down as they were when they were made.
"""

import contextlib
import hashlib
import logging
import sqlite3
import weakref
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import filelock
import sqlalchemy
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from noughts.rules.errors import StoreError
from noughts.store import files
from noughts.store.place import OTHER_PLACE
from noughts.store.tables import CHECKED, FIRST_TABLES, SCHEMA, meta, metadata, with_checksum

BUSY_SECONDS = 30.0
"""How long a writer waits for another one."""

FULL_CHECK_BYTES = 128 << 20
"""The largest file of which every index is compared with its table before it is opened: that takes 0.4 s. Of a larger
one only the pages are looked at, in a third of the time."""

REPAIR = "see what is lost by `noughts store check`, and mend it by `noughts store repair`"

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
            self.engine = _sqlite_engine(parsed) if dialect == "sqlite" else sqlalchemy.create_engine(parsed)
            logging.getLogger(_POOLS).addFilter(_is_no_interrupt)
        except (SQLAlchemyError, ImportError) as error:  # a malformed URL, or a driver that is not installed
            raise self._explain(error) from error
        self._writes = self.engine.execution_options(noughts_writes=True)
        weakref.finalize(self, self.engine.dispose)  # a connection that is dropped, not closed, is warned of
        try:
            if dialect == "sqlite":
                self._open_sqlite(parsed.database, locks)
            else:
                self._make_tables(self._writes)
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
                if path.exists() and path.stat().st_size:
                    if not self._is_ours(path):
                        self._make_tables(self._writes)
                else:
                    self._make_file(path)

    def _make_file(self, path: Path) -> None:
        """Make an SQLite file under another name first: it is there whole or not at all, also after a loss of power."""
        new = path.with_name(f".{path.name}.new")
        for left in new.parent.glob(f"{new.name}*"):
            left.unlink()
        with contextlib.closing(sqlite3.connect(new)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
        engine = _sqlite_engine(self.engine.url.set(database=str(new)))
        try:
            self._make_tables(engine.execution_options(noughts_writes=True))
        finally:
            engine.dispose()
        files.DISK.sync(new)
        files.DISK.rename(new, path)
        files.DISK.sync_folder(path.parent)

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
            if not names >= FIRST_TABLES:
                self._check_version(None)
            # Also of the log of a process that was killed, or is at work, which SQLite will write into the file.
            if faults := damage(connection, whole=path.stat().st_size <= FULL_CHECK_BYTES):
                raise StoreError(f"{self.called} is damaged ({faults[0]}): {REPAIR}")
            version = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone()
        self._check_version(version and version[0])
        return bool(version[0] == str(SCHEMA) and names >= set(metadata.tables))

    def _make_tables(self, engine: sqlalchemy.Engine) -> None:
        with self._explained(), engine.begin() as connection:
            if self.engine.dialect.name == "postgresql":  # until this transaction ends, others who make them wait
                connection.execute(sqlalchemy.select(sqlalchemy.func.pg_advisory_xact_lock(_MAKING)))
            if sqlalchemy.inspect(connection).has_table(meta.name):
                version = connection.execute(sqlalchemy.select(meta.c.value).where(meta.c.name == "schema")).scalar()
                self._check_version(version)
                metadata.create_all(connection)  # what is missing
                if int(str(version)) < SCHEMA:
                    _add_checksums(connection)
            else:
                metadata.create_all(connection)
            said = {"schema": str(SCHEMA)}
            if connection.dialect.name == "sqlite":
                said["tables"] = tables_hash(connection.exec_driver_sql(_TABLES_AS_TEXT))
            connection.execute(meta.delete())
            connection.execute(meta.insert(), [{"name": name, "value": value} for name, value in said.items()])

    def _check_version(self, version: object) -> None:
        if not str(version).isdecimal():
            raise StoreError(f"{self.called} is not a noughts database: {_MOVE_AWAY}")
        if int(str(version)) < SCHEMA - 1:
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
        except (SQLAlchemyError, sqlite3.Error, filelock.Timeout, OSError, UnicodeDecodeError) as error:
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
        elif name == "CORRUPT" or "not decode" in words or isinstance(cause, UnicodeDecodeError):
            meaning = f"is damaged ({words}): {REPAIR}"
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


_TABLES_AS_TEXT = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"


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


def _add_checksums(connection: sqlalchemy.Connection) -> None:
    """Bring schema 2 to schema 3."""
    for table in CHECKED:
        if "checksum" in {column["name"] for column in sqlalchemy.inspect(connection).get_columns(table.name)}:
            continue  # the table was made just now
        connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN checksum TEXT NOT NULL DEFAULT ''")
        this = [column == sqlalchemy.bindparam(f"this_{column.name}") for column in table.primary_key]
        update = table.update().where(*this).values(checksum=sqlalchemy.bindparam("found"))
        for rows in connection.execute(sqlalchemy.select(table)).mappings().partitions(1000):
            found = [
                {"found": with_checksum(table, dict(row))["checksum"]}
                | {f"this_{column.name}": row[column.name] for column in table.primary_key}
                for row in rows
            ]
            connection.execute(update, found)


def _sqlite_engine(url: sqlalchemy.URL) -> sqlalchemy.Engine:
    engine = sqlalchemy.create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


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
