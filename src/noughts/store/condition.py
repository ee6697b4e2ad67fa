"""What a store holds, and in which condition: every row, every line and every byte that has a hash is compared with it."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Table, func, select

from noughts.rules import NoughtsError, StoreError, Value
from noughts.store.checkpoints import Checkpoints
from noughts.store.database import Database, damage
from noughts.store.place import is_url, store_folder, store_place
from noughts.store.quarantine import DAMAGED_RUN, name_of
from noughts.store.run_folder import RunFolder, run_names, training_folder
from noughts.store.tables import CHECKED, NAMES, is_whole, quarantine, runs

_MOST = 100  # lines of SQLite's verdict


class Part(Value):
    """A part of a store.

    Attributes:
        name: A table of the database, the database itself, or a training run.
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
        parts: The database, its tables, and the training runs.
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
        StoreError: there is no store.
    """
    place = store_place(place)
    folder = store_folder(place)
    file = database_file(place)
    parts: list[Part] = []
    if file is None or file.exists():
        faults = [] if file is None else file_faults(file)
        parts.append(Part(name="database", bytes=file and file_bytes(file), damaged=tuple(faults)))
        if not faults:
            with contextlib.closing(Database(place if file is None else file_url(file), folder / "locks")) as database:
                parts += table_parts(database)
    training = [training_part(name, training_folder(place)) for name in run_names(place)]
    if not parts and not training:
        raise StoreError(f"there is no store in {folder}")
    return Condition(place=str(folder if file is not None else place), parts=(*parts, *training))


def database_file(place: str) -> Path | None:
    """The file of a store's database; None for one on a server."""
    if not is_url(place):
        return store_folder(place) / "results.sqlite"
    url = sqlalchemy.make_url(place)
    return Path(str(url.database)) if url.get_dialect().name == "sqlite" else None


def file_url(file: Path) -> sqlalchemy.URL:
    """The URL of an SQLite file."""
    return sqlalchemy.URL.create("sqlite", database=str(file))


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


@contextlib.contextmanager
def undecoded(connection: Connection) -> Iterator[None]:
    """Let SQLite's connection give text that is none, too; otherwise one such value hides all rows."""
    raw = connection.connection.driver_connection
    if not isinstance(raw, sqlite3.Connection):
        yield
        return
    raw.text_factory = lambda content: content.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        raw.text_factory = str


def damaged_rows(connection: Connection, table: Table) -> Iterator[dict[str, Any]]:
    """The rows of a table that are not as they were written, all values by name."""
    with undecoded(connection):
        for values in connection.execute(select(table)):
            if not is_whole(table, values):
                yield dict(zip(NAMES[table.name], values, strict=True))


def table_parts(database: Database) -> list[Part]:
    """The tables of a database."""
    parts = []
    with database.reading() as connection:
        for table in CHECKED:
            lines = [f"{name_of(table, row)}: it has a wrong checksum" for row in damaged_rows(connection, table)]
            there = select(func.count()).select_from(table)
            if table is runs:
                there = there.where(runs.c.status != DAMAGED_RUN["status"])
            aside = select(func.count()).where(quarantine.c.source == table.name)
            count, set_aside = (connection.execute(question).scalar_one() for question in (there, aside))
            parts.append(Part(name=table.name, count=count, damaged=tuple(lines), set_aside=set_aside))
    return parts


def training_part(name: str, training: Path) -> Part:
    """A training run."""
    folder = training / name
    lines: list[str] = []
    count = None

    def look(read: Callable[[], object]) -> None:
        try:
            read()
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
        except StoreError as error:
            found[iteration] = str(error)
    return found
