"""What kinds of databases do in ways of their own: `Dialect` says what a kind must offer, and each has a module beside.

The tables, their checksums and all questions about them are the same for every kind.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar

import sqlalchemy
from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from noughts.rules.errors import StoreError
from noughts.store.place import OTHER_PLACE
from noughts.store.tables import DATABASE, metadata

REPAIR = "see what is lost by `noughts store check`, and mend it by `noughts store repair`"
MOVE_AWAY = f"move it away or {OTHER_PLACE}"


class RunLock(ABC):
    """That a run is this process's: until it is released, or the process ends, however it ends."""

    @property
    @abstractmethod
    def held(self) -> bool:
        """Whether it was not released yet."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Connection]:
        """A connection in a transaction that comes about only while the lock is held; left, it is on the disk.

        Raises:
            StoreError: another process has taken the run over meanwhile.
        """

    @abstractmethod
    def release(self, done: bool = False) -> None:
        """Let go of the run; `done` says that nobody will ask for this lock again."""


class Dialect(ABC):
    """A kind of database, at one place. Nothing is opened before `prepare`.

    Attributes:
        called: What errors call it; it holds no password.
        engine: SQLAlchemy's.
        shared: Whether several machines are expected to use it at once.
    """

    shared: ClassVar[bool]
    called: str
    engine: sqlalchemy.Engine

    @abstractmethod
    def prepare(self, make: Callable[[Connection], None]) -> None:
        """Have all tables there; `make` makes in a transaction those that are not, and is called only if need be.

        Processes that do so at once wait for each other.
        """

    @abstractmethod
    def about(self, connection: Connection) -> dict[str, str]:
        """What `meta` is to hold besides the schema's version."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Connection]:
        """A connection that sees one state of the database."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Connection]:
        """A connection in a transaction, which is on the disk when the context is left."""

    @abstractmethod
    def insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """An insert that can say what is done if there is such a row already."""

    @abstractmethod
    def rows(self, connection: Connection, table: Table) -> Iterator[Sequence[Any]]:
        """All rows of a table, also those that hold what is no text, and never all of them in memory."""

    @abstractmethod
    def lock(self, run_id: str) -> RunLock | None:
        """The lock of a run; None if a living process has it. StoreError if nobody could lock it."""

    @abstractmethod
    def bytes(self, connection: Connection) -> int | None:
        """How large the tables are with their indexes; None where a file says so."""

    @abstractmethod
    def shrink(self) -> None:
        """Give the room of rows that were removed back to the disk, where nobody else does."""

    @abstractmethod
    def passing(self, error: Exception, opened: bool) -> str | None:
        """Why the same may succeed a moment later, as when the connection was lost; None if it would not.

        Args:
            error: What was raised.
            opened: Whether the database was used before, so that it is there.
        """

    @abstractmethod
    def meaning(self, error: Exception) -> str | None:
        """What an error means, in words that follow what the database is called; None if that is not known here."""


def is_ours(names: set[str], version: object, called: str) -> bool:
    """Whether a database with tables of these names, and this version in `meta`, needs nothing to be done.

    Raises:
        StoreError: it is of another version of noughts, or something else.
    """
    check_version(version, called)
    return version == str(DATABASE.version) and names >= metadata.tables.keys()


def check_version(version: object, called: str) -> None:
    """StoreError unless this noughts can go on with a database of this version."""
    if not str(version).isdecimal():
        raise StoreError(f"{called} is not a noughts database: {MOVE_AWAY}")
    if int(str(version)) < DATABASE.oldest:
        raise StoreError(
            f"{called} was written by an older noughts (its schema is {version}, this one writes {DATABASE.version}), whose "
            f"results cannot be gone on with: rename it to keep it, and a new one is made in its place, or {OTHER_PLACE}"
        )
    if int(str(version)) > DATABASE.version:
        raise StoreError(
            f"{called} was written by a newer noughts (its schema is {version}, this one knows {DATABASE.version}): "
            f"update noughts or {OTHER_PLACE}"
        )
