"""The database of what people made: saved games and the records of classes. On SQLite it is a file of its own, with a backup.

Answers can be computed again, and what people made cannot. So the file `saved.sqlite` has a copy beside it, written by SQLite's own
backup when the file is closed, while it changes once a minute, and when it is opened after a process was killed, and only from a file in
which every row is as it was written. When the file or a row is damaged or lost, a new file is made of all that can be read. A server's
administrator makes its backups.
"""

import contextlib
import logging
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Table, select

from noughts.machine import disk
from noughts.rules.errors import StoreError
from noughts.store.database import Database, text_of
from noughts.store.tables import SAVED, class_records, is_whole, saved, saved_games

BACKUP_SECONDS = 60.0
"""How old the backup may be when something is written."""

_TABLES = (saved_games, class_records)
_LOG = logging.getLogger("noughts.store")


def open_saved(results: Database) -> Database:
    """Open the database that belongs to a database of results: on a server the same one, else a file beside it.

    Raises:
        StoreError: as of `Database`.
    """
    if results.path is None:
        return Database(results.engine.url, results.locks, saved, SAVED)
    return SavedFile(results)


class SavedFile(Database):
    """The file, which is restored from its backup when it is opened, and backed up when it was changed."""

    check = "integrity_check"

    def __init__(self, results: Database) -> None:
        assert results.path is not None
        name = "saved.sqlite" if results.path.name == "results.sqlite" else f"{results.path.name}.saved"
        path = results.path.with_name(name)
        self._results = results.path
        self._backup = path.with_name(f"{name}.backup")
        self._changed = False
        self._backed_up = time.monotonic()
        super().__init__(sqlalchemy.URL.create("sqlite", database=str(path)), results.locks, saved, SAVED)
        if self._is_newer_than_backup():
            self._back_up()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """As of `Database`; a backup is made if the last one is older than `BACKUP_SECONDS`."""
        with super().writing() as connection:
            yield connection
        self._changed = True
        if time.monotonic() - self._backed_up > BACKUP_SECONDS:
            self._back_up()

    def close(self) -> None:
        """Make a backup of what was changed, and close the connections."""
        if self._changed:
            self._back_up()
        super().close()

    def _file_is_ready(self) -> bool:
        """As of `Database`; a file with a damaged row is renamed, too."""
        if not super()._file_is_ready():
            return False
        if self._is_whole():
            return True
        self.engine.dispose()
        if self.set_aside is None:
            self._set_aside("a row has a wrong checksum")
        return False

    def _make_tables(self, connection: Connection) -> None:
        """Make a new file's tables, and insert in the same transaction what people made and can be read elsewhere.

        Of the sources, the first that has a row counts: the damaged file that was renamed last, the backup, and results of schema 4,
        which held these tables.
        """
        super()._make_tables(connection)
        assert self.path is not None
        sources = [_last_damaged(self.path), self._backup, self._results, _last_damaged(self._results)]
        inserts = [
            self.insert(table).values(**row).on_conflict_do_nothing()
            for source in sources
            if source is not None
            for table in _TABLES
            for row in _readable(source, table)
        ]
        if found := sum(connection.execute(insert).rowcount for insert in inserts):
            _LOG.warning("%s: took over %d saved games and records of classes", self.called, found)

    def _is_whole(self) -> bool:
        """Whether every row can be read and is as it was written."""
        try:
            with self.reading() as connection:
                return all(
                    is_whole(table, dict(row))
                    for table in _TABLES
                    for row in connection.execute(select(table)).mappings()
                )
        except StoreError:
            if self.set_aside is None:  # the file is sound, and locked for instance
                raise
            return False

    def _is_newer_than_backup(self) -> bool:
        """Whether there is no backup, or something was written after it by a process that was killed."""
        assert self.path is not None
        try:
            backed_up = self._backup.stat().st_mtime
        except FileNotFoundError:
            return True
        written = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return any(file.exists() and file.stat().st_mtime > backed_up for file in written)

    def _back_up(self) -> None:
        """Copy the file over its backup, unless something in it is damaged."""
        assert self.path is not None
        self._backed_up = time.monotonic()
        if not self._is_whole():
            return
        name = f".{self._backup.name}.new"
        with self._explaining(), disk.made_whole(self._backup, name) as new:
            new.unlink(missing_ok=True)  # what a crash left
            with (
                contextlib.closing(sqlite3.connect(self.path)) as source,
                contextlib.closing(sqlite3.connect(new)) as target,
            ):
                source.backup(target)
        self._changed = False


def _last_damaged(path: Path) -> Path | None:
    """The damaged file that was renamed last, of those that had a name; None if there is none."""
    return max(path.parent.glob(f"{path.name}.damaged-*[0-9]"), default=None)


def _readable(source: Path, table: Table) -> list[dict[str, Any]]:
    """The rows of a file that can be read and are as they were written; none if there is no such file."""
    if not source.exists():
        return []
    found: list[dict[str, Any]] = []
    columns = [column.name for column in table.c]
    with (
        contextlib.suppress(sqlite3.Error, UnicodeDecodeError),
        contextlib.closing(sqlite3.connect(source)) as connection,
    ):
        connection.text_factory = text_of
        for values in connection.execute(f"SELECT {', '.join(columns)} FROM {table.name}"):
            row = dict(zip(columns, values, strict=True))
            if is_whole(table, row):
                found.append(row)
    return found
