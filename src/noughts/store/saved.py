"""The database of what people made: saved games and the records of classes. On SQLite it is a file of its own, with a backup.

Answers can be computed again, and what people made cannot. So the file `saved.sqlite` has a copy beside it, written by SQLite's own
backup whenever the file is opened, closed, or was changed for a minute, and only from a file in which every row is as it was
written. When a file or a row of it is damaged, the missing rows come from the copy. A server's administrator makes its backups.
"""

import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Table, select

from noughts.rules.errors import StoreError
from noughts.store import files
from noughts.store.database import Database, FoundT, text_of
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
    """The file, which is mended from its backup when it is opened, and backed up when it was changed."""

    check = "integrity_check"

    def __init__(self, results: Database) -> None:
        assert results.path is not None
        name = "saved.sqlite" if results.path.name == "results.sqlite" else f"{results.path.name}.saved"
        path = results.path.with_name(name)
        self._backup = path.with_name(f"{name}.backup")
        self._changed = False
        self._backed_up = time.monotonic()
        is_new = not path.exists() or not path.stat().st_size
        super().__init__(sqlalchemy.URL.create("sqlite", database=str(path)), results.locks, saved, SAVED)
        if is_new:
            _move_rows(results, self)
        if not self._is_whole():
            self.engine.dispose()
            if self.set_aside is None:
                self._set_aside("a row has a wrong checksum")
            self._prepare()
        if is_new or self.set_aside is not None:
            self._restore([file for file in (self.set_aside, self._backup) if file is not None])
        self._back_up()

    def write(self, change: Callable[[Connection], FoundT]) -> FoundT:
        """As of `Database`; a backup is made if the last one is older than `BACKUP_SECONDS`."""
        found = super().write(change)
        self._changed = True
        if time.monotonic() - self._backed_up > BACKUP_SECONDS:
            self._back_up()
        return found

    def close(self) -> None:
        """Make a backup of what was changed, and close the connections."""
        if self._changed:
            self._back_up()
        super().close()

    def _is_whole(self) -> bool:
        """Whether every row can be read and is as it was written."""
        try:
            return self.read(
                lambda connection: all(
                    is_whole(table, dict(row))
                    for table in _TABLES
                    for row in connection.execute(select(table)).mappings()
                )
            )
        except StoreError:
            if self.set_aside is None:  # the file is sound, and locked for instance
                raise
            return False

    def _restore(self, sources: list[Path]) -> None:
        """Insert the rows that are missing here and whole in one of these files, the first that has them."""

        def put(connection: Connection) -> int:
            inserts = [
                self.insert(table).values(**row).on_conflict_do_nothing()
                for source in sources
                for table in _TABLES
                for row in _readable(source, table)
            ]
            return sum(connection.execute(insert).rowcount for insert in inserts)

        if restored := super().write(put):
            _LOG.warning("%s: restored %d saved games and records of classes", self.called, restored)

    def _back_up(self) -> None:
        """Copy the file over its backup, unless something in it is damaged."""
        assert self.path is not None
        self._backed_up = time.monotonic()
        if not self._is_whole():
            return
        new = self._backup.with_name(f".{self._backup.name}.new")
        new.unlink(missing_ok=True)
        with self._explaining():
            with (
                contextlib.closing(sqlite3.connect(self.path)) as source,
                contextlib.closing(sqlite3.connect(new)) as target,
            ):
                source.backup(target)
            files.DISK.sync(new)
            files.DISK.rename(new, self._backup)
            files.DISK.sync_folder(self.path.absolute().parent)
        self._changed = False


def _move_rows(results: Database, target: Database) -> None:
    """Move what people made out of a file of results of schema 4, which held it."""
    names = results.read(lambda connection: sqlalchemy.inspect(connection).get_table_names())
    tables = [table for table in _TABLES if table.name in names]

    def read(connection: Connection) -> dict[Table, list[dict[str, Any]]]:
        return {table: [dict(row) for row in connection.execute(select(table)).mappings()] for table in tables}

    rows = results.read(read) if tables else {}

    def put(connection: Connection) -> None:
        for table, some in rows.items():
            for row in some:
                connection.execute(target.insert(table).values(**row).on_conflict_do_nothing())

    def drop(connection: Connection) -> None:
        for table in tables:
            table.drop(connection)

    if tables:
        Database.write(target, put)
        results.write(drop)


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
