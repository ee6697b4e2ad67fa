"""`ClassRecords`: what a class of pupils at the page keeps, each record a document of its own. The store does not read them."""

from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Select, select

from noughts.rules.errors import StoreError
from noughts.store.database import Database
from noughts.store.run import now
from noughts.store.run_lock import RunLock
from noughts.store.tables import class_records, with_checksum


@dataclass(frozen=True)
class ClassRecord:
    """A record of a class.

    Attributes:
        class_id: Of which class.
        kind: What it is: the class itself, a pupil, a game.
        id: What it is called among those of its kind.
        document: JSON text.
        updated: When it was written, ISO 8601 in UTC.
    """

    class_id: str
    kind: str
    id: str
    document: str
    updated: str = ""


class ClassRecords:
    """The records of all classes of a store. What was put is on the disk when `put` returns; StoreError if it cannot be."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, class_id: str) -> tuple[ClassRecord, ...]:
        """The records of a class, by kind, and those of a kind by id."""
        chosen = select(class_records).where(class_records.c.class_id == class_id)
        return self._read(chosen.order_by(class_records.c.kind, class_records.c.id))

    def of_kind(self, kind: str) -> tuple[ClassRecord, ...]:
        """The records of a kind in all classes, the one that was written last at the end."""
        chosen = select(class_records).where(class_records.c.kind == kind)
        return self._read(chosen.order_by(class_records.c.updated, class_records.c.class_id))

    def put(self, *records: ClassRecord) -> None:
        """Write records, in the place of those of the same class, kind and id: all of them, or none."""
        moment = now().isoformat(timespec="microseconds")
        rows = [with_checksum(class_records, {**vars(record), "updated": moment}) for record in records]
        with self._database.writing() as connection:
            connection.execute(self._database.upsert(class_records), rows)

    def lock(self, class_id: str) -> RunLock:
        """The lock of a class, which one process has at a time; StoreError if another one has it."""
        lock = self._database.lock(f"class-{class_id}")
        if lock is None:
            raise StoreError(
                f"{self._database.called}: another `noughts serve --class` is at work there: stop it first"
            )
        return lock

    def _read(self, chosen: Select[Any]) -> tuple[ClassRecord, ...]:
        names = [field.name for field in fields(ClassRecord)]
        rows = self._database.rows(class_records, chosen)
        return tuple(ClassRecord(**{name: row[name] for name in names}) for row in rows)
