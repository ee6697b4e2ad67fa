"""The database of what people made: saved games and the records of classes. On SQLite, it is a separate file with a backup.

Answers can be computed again, but what people made cannot. So the file `saved.sqlite` has a backup in the same folder. SQLite's
backup function writes it when the file is closed, once a minute while it changes, and when it is opened after a process was
killed, but only if no row is damaged. If the file or a row is damaged or lost, a new file is made from all that is readable.
On a server, backups are the administrator's task.
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
"""The age at which a write renews the backup."""

_TABLES = (saved_games, class_records)
_LOG = logging.getLogger("noughts.store")


def open_saved(results: Database) -> Database:
    """Open the saved database of a results database: on a server the same one, else a file in the same folder.

    Raises:
        StoreError: as for `Database`.
    """
    if results.path is None:
        return Database(results.engine.url, results.locks, saved, SAVED)
    return SavedFile(results)


class SavedFile(Database):
    """The SQLite file. Opening it restores lost data from the backup; changes are backed up."""

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
        """As in `Database`; a backup follows if the last one is older than `BACKUP_SECONDS`."""
        with super().writing() as connection:
            yield connection
        self._changed = True
        if time.monotonic() - self._backed_up > BACKUP_SECONDS:
            self._back_up()

    def close(self) -> None:
        """Back up changes, and close the connections."""
        if self._changed:
            self._back_up()
        super().close()

    def _file_is_ready(self) -> bool:
        """As in `Database`; a file with a damaged row is renamed, too."""
        if not super()._file_is_ready():
            return False
        if self._is_whole():
            return True
        self.engine.dispose()
        if self.set_aside is None:
            self._set_aside("a row has a wrong checksum")
        return False

    def _make_tables(self, connection: Connection) -> None:
        """Create a new file's tables, and insert readable rows from other files in the same transaction.

        The sources are the damaged file that was renamed last, the backup, and results of schema 4, which had these tables.
        The first source with a row wins.
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
        """Whether every row is readable and matches its checksum."""
        try:
            with self.reading() as connection:
                return all(
                    is_whole(table, dict(row))
                    for table in _TABLES
                    for row in connection.execute(select(table)).mappings()
                )
        except StoreError:
            if self.set_aside is None:  # the file is not damaged but, for example, locked
                raise
            return False

    def _is_newer_than_backup(self) -> bool:
        """Whether there is no backup, or a killed process wrote something after it."""
        assert self.path is not None
        try:
            backed_up = self._backup.stat().st_mtime
        except FileNotFoundError:
            return True
        written = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return any(file.exists() and file.stat().st_mtime > backed_up for file in written)

    def _back_up(self) -> None:
        """Copy the file over its backup, unless the file is damaged."""
        assert self.path is not None
        self._backed_up = time.monotonic()
        if not self._is_whole():
            return
        name = f".{self._backup.name}.new"
        with self._explaining(), disk.made_whole(self._backup, name) as new:
            new.unlink(missing_ok=True)  # a crash may have left it
            with (
                contextlib.closing(sqlite3.connect(self.path)) as source,
                contextlib.closing(sqlite3.connect(new)) as target,
            ):
                source.backup(target)
        self._changed = False


def _last_damaged(path: Path) -> Path | None:
    """The damaged file that was renamed last from this path; None if there is none."""
    return max(path.parent.glob(f"{path.name}.damaged-*[0-9]"), default=None)


def _readable(source: Path, table: Table) -> list[dict[str, Any]]:
    """The undamaged rows of a table in a file; none if there is no such file."""
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
