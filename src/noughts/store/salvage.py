"""A damaged SQLite file is written anew from all rows that can be read; the file itself is set aside, whole."""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table

from noughts.rules.errors import StoreError
from noughts.store import files
from noughts.store.database import Database
from noughts.store.older_schemas import was_whole
from noughts.store.quarantine import DAMAGED_RUN, keep_aside, name_of
from noughts.store.sqlite_file import file_url
from noughts.store.tables import CHECKED, NAMES, class_records, is_whole, quarantine, runs, saved_games, with_checksum

_AT_ONCE = 1000
_FURTHEST = 1 << 40  # rows that are tried behind one that cannot be read


def rebuild(file: Path, aside: Path) -> list[str]:
    """Write a database anew, and put it in the place of the damaged one; gives a line for everything that was set aside.

    Args:
        file: The damaged database.
        aside: A folder, in which a copy of it stays.

    Raises:
        StoreError: somebody uses it, or nothing can be written.
    """
    new = file.with_name(f".{file.name}.repaired")
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as lock:
            _lock(lock, file)
            _forget(new)
            for old in _with_logs(file):
                shutil.copyfile(old, aside / old.name)
                files.DISK.sync(aside / old.name)
            files.DISK.sync_folder(aside)
            lines = _copy(aside / file.name, new, aside)
        _forget(*_with_logs(file)[1:])
        files.DISK.sync(new)
        files.DISK.rename(new, file)
        files.DISK.sync_folder(file.parent)
    except OSError as error:
        raise StoreError(f"{file} cannot be mended: {error.strerror or error}") from error
    return lines


def _lock(connection: sqlite3.Connection, file: Path) -> None:
    """Keep everybody else from a file, as far as it is a database."""
    try:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise StoreError(f"{file} is in use: stop every noughts that uses it, and try again") from error
    except sqlite3.DatabaseError:
        pass  # nobody can use it


def _with_logs(file: Path) -> list[Path]:
    """A database and its log, where there is one; without the log's index, which can be made of it."""
    return [path for path in (file, Path(f"{file}-wal")) if path.exists()]


def _forget(*paths: Path) -> None:
    for path in paths:
        for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            name.unlink(missing_ok=True)


def _copy(old: Path, new: Path, aside: Path) -> list[str]:
    """Every row that can be read and is as it was written goes into a new file; what else can be read into its quarantine."""
    lines: list[str] = []
    known: set[str] = set()
    with contextlib.closing(sqlite3.connect(old)) as source, contextlib.closing(Database(file_url(new), aside)) as made:
        source.text_factory = lambda content: content.decode("utf-8", "surrogateescape")
        with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
            source.execute("PRAGMA writable_schema=ON")  # whatever is wrong with one table, the others are read

        def copy(target: Connection) -> None:
            older = _is_of_schema_3(source)
            for table in (*CHECKED, quarantine):
                if older and table is class_records:  # there was none
                    continue
                batch: list[dict[str, Any]] = []
                for values in _rows(source, table, lines, older and table is saved_games):
                    row = dict(zip(NAMES[table.name], values, strict=True))
                    if older and table is saved_games and was_whole(row):
                        row = with_checksum(table, row)
                    if table is not quarantine and not is_whole(table, list(row.values())):
                        keep_aside(target, table, row)
                        lines.append(name_of(table, row))
                        continue
                    known.update({row["id"]} if table is runs else ())
                    if "run_id" in row and row["run_id"] not in known:
                        known.add(row["run_id"])
                        _insert(target, runs, [with_checksum(runs, {"id": row["run_id"], **DAMAGED_RUN})])
                    batch.append(row)
                    if len(batch) == _AT_ONCE:
                        _insert(target, table, batch)
                        batch = []
                _insert(target, table, batch)

        made.write(copy)
    return lines


def _insert(target: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    if rows:
        target.execute(table.insert().prefix_with("OR REPLACE"), rows)


def _is_of_schema_3(source: sqlite3.Connection) -> bool:
    """Whether saved games have no keeper yet, as far as that can be read."""
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        names = {str(column[1]) for column in source.execute("PRAGMA table_info(saved_games)")}
        return bool(names) and "keeper" not in names
    return False


def _rows(
    source: sqlite3.Connection, table: Table, lines: list[str], without_keeper: bool
) -> Iterator[tuple[Any, ...]]:
    """The rows of a table in the order in which they were written; a line for each gap where they cannot be read."""
    columns = ", ".join("''" if without_keeper and name == "keeper" else f'"{name}"' for name in NAMES[table.name])
    question = f"SELECT rowid, {columns} FROM {table.name} NOT INDEXED WHERE rowid > ? ORDER BY rowid"
    last = -1
    while True:
        try:
            for number, *values in source.execute(question, (last,)):
                last = number
                yield tuple(values)
            return
        except (sqlite3.Error, UnicodeDecodeError) as error:
            lines.append(f"{table.name}: rows after the {last}th cannot be read ({' '.join(str(error).split())})")

        def readable(number: int) -> bool:
            with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
                return source.execute(f"{question} LIMIT 1", (number,)).fetchone() is not None
            return False

        step = 1
        while not readable(last + step):
            step *= 2
            if step > _FURTHEST:
                return
        low, high = last + step // 2, last + step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if readable(middle) else (middle, high)
        last = high
