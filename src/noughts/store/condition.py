"""What a store holds, and in which condition: every row, every line and every byte that has a hash is compared with it."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Table, func, select

from noughts.rules import NoughtsError, StoreError, Value
from noughts.store.certificates import ENDING, certificate_folder, read_certificate_file
from noughts.store.checkpoints import Checkpoints
from noughts.store.database import Database
from noughts.store.file_format import NewerFormatError
from noughts.store.place import is_url, store_folder, store_place, without_secrets
from noughts.store.quarantine import DAMAGED_RUN, name_of
from noughts.store.run_folder import RunFolder, run_names, training_folder
from noughts.store.sqlite_file import damage, file_url
from noughts.store.tables import CHECKED, NAMES, is_whole, quarantine, runs

_MOST = 100  # lines of SQLite's verdict


class Part(Value):
    """A part of a store.

    Attributes:
        name: A table of the database, the database itself, a training run, or the certificates.
        count: Rows; of a training run, its sets of weights.
        bytes: On the disk; None where it has no file of its own.
        damaged: A line for everything that is damaged.
        set_aside: How many rows of a table were set aside before.
    """

    name: str
    count: int | None = None
    bytes: int | None = None
    damaged: tuple[str, ...] = ()
    set_aside: int = 0


class Condition(Value):
    """The condition of a store.

    Attributes:
        place: Where it is.
        parts: The database, its tables, the training runs, and the certificates if there are some.
    """

    place: str
    parts: tuple[Part, ...]

    @property
    def damaged(self) -> tuple[str, ...]:
        """A line for everything that is damaged."""
        return tuple(line for part in self.parts for line in part.damaged)


def condition(place: str | None = None) -> Condition:
    """Look at all of a store; nothing is changed.

    Args:
        place: As for `Store.open`.

    Raises:
        StoreError: there is no store, or a newer noughts wrote something of it.
    """
    place = store_place(place)
    folder = store_folder(place)
    file = database_file(place)
    parts: list[Part] = []
    if file is None or file.exists():
        faults = [] if file is None else file_faults(file)
        if faults:
            parts.append(Part(name="database", bytes=file and file_bytes(file), damaged=tuple(faults)))
        else:
            with contextlib.closing(Database(place if file is None else file_url(file), folder / "locks")) as database:
                size = file_bytes(file) if file is not None else database.read(database.dialect.bytes)
                parts += [Part(name="database", bytes=size), *table_parts(database)]
    training = [training_part(name, training_folder(place)) for name in run_names(place)]
    if not parts and not training:
        raise StoreError(f"there is no store in {folder}")
    proofs = certificates_part(certificate_folder(place))
    return Condition(
        place=str(folder if file is not None else without_secrets(place)),
        parts=(*parts, *training, *([proofs] if proofs.count else ())),
    )


def database_file(place: str) -> Path | None:
    """The file of a store's database; None for one on a server."""
    if not is_url(place):
        return store_folder(place) / "results.sqlite"
    return Path(str(sqlalchemy.make_url(place).database)) if place.startswith("sqlite") else None


def file_bytes(file: Path) -> int:
    """How large an SQLite file and its log are."""
    return sum(path.stat().st_size for path in (file, Path(f"{file}-wal")) if path.exists())


def file_faults(file: Path) -> list[str]:
    """What SQLite finds wrong with a file, a line each."""
    try:
        with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return [f"{file}: {fault}" for fault in damage(connection, most=_MOST)]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return [f"{file}: {' '.join(str(error).split())}"]


def damaged_rows(database: Database, connection: Connection, table: Table) -> Iterator[dict[str, Any]]:
    """The rows of a table that are not as they were written, all values by name."""
    for values in database.dialect.rows(connection, table):
        if not is_whole(table, values):
            yield dict(zip(NAMES[table.name], values, strict=True))


def table_parts(database: Database) -> list[Part]:
    """The tables of a database."""
    return database.read(lambda connection: [_table_part(database, connection, table) for table in CHECKED])


def _table_part(database: Database, connection: Connection, table: Table) -> Part:
    damaged = damaged_rows(database, connection, table)
    lines = [f"{name_of(table, row)}: it has a wrong checksum" for row in damaged]
    there = select(func.count()).select_from(table)
    if table is runs:
        there = there.where(runs.c.status != DAMAGED_RUN["status"])
    aside = select(func.count()).where(quarantine.c.source == table.name)
    count, set_aside = (connection.execute(question).scalar_one() for question in (there, aside))
    return Part(name=table.name, count=count, damaged=tuple(lines), set_aside=set_aside)


def certificates_part(folder: Path) -> Part:
    """The certificates that are kept: each must be what its name says."""
    paths = sorted(folder.glob(f"*{ENDING}"))
    damaged = damaged_certificates(paths)
    size = sum(path.stat().st_size for path in paths)
    return Part(name="certificates", count=len(paths), bytes=size, damaged=tuple(damaged.values()))


def damaged_certificates(paths: Iterable[Path]) -> dict[Path, str]:
    """Which of these files are not what their names say, and how."""
    found = {}
    for path in paths:
        try:
            read_certificate_file(path.name.removesuffix(ENDING), path)
        except StoreError as error:
            found[path] = str(error)
    return found


def training_part(name: str, training: Path) -> Part:
    """A training run."""
    folder = training / name
    lines: list[str] = []
    count = None

    def look(read: Callable[[], object]) -> None:
        try:
            read()
        except NewerFormatError:
            raise
        except NoughtsError as error:
            lines.append(f"training run {name}: {error}")

    look(lambda: RunFolder.open(folder))
    if not lines:
        run = RunFolder.open(folder)
        look(run.status)
        if not lines:
            look(run.lines)
        count = len(run.iterations())
        for series in (run.weights, run.checkpoints):
            lines += [f"training run {name}: {line}" for line in damaged_sets(series).values()]
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return Part(name=f"training run {name}", count=count, bytes=size, damaged=tuple(lines))


def damaged_sets(series: Checkpoints) -> dict[int, str]:
    """Which of a series are damaged, and how, by iteration."""
    found = {}
    for iteration in series.iterations():
        try:
            series.read(iteration)
        except NewerFormatError:
            raise
        except StoreError as error:
            found[iteration] = str(error)
    return found
