"""`ClassRecords`: the records of school classes in the web app, each as one document, which the store does not interpret."""

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
        class_id: The id of the class.
        kind: The kind of record: the class itself, a pupil, a game.
        id: The record's id, unique in its class and kind.
        document: JSON text.
        updated: The time of writing, ISO 8601 in UTC.
    """

    class_id: str
    kind: str
    id: str
    document: str
    updated: str = ""


class ClassRecords:
    """The records of all classes of a store. Records are on the disk when `put` returns; StoreError if that fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, class_id: str) -> tuple[ClassRecord, ...]:
        """The records of a class, in the order of kinds, then of ids."""
        chosen = select(class_records).where(class_records.c.class_id == class_id)
        return self._read(chosen.order_by(class_records.c.kind, class_records.c.id))

    def of_kind(self, kind: str) -> tuple[ClassRecord, ...]:
        """The records of a kind in all classes, the newest last."""
        chosen = select(class_records).where(class_records.c.kind == kind)
        return self._read(chosen.order_by(class_records.c.updated, class_records.c.class_id))

    def put(self, *records: ClassRecord) -> None:
        """Write all records, or none; they replace those of the same class, kind and id."""
        moment = now().isoformat(timespec="microseconds")
        rows = [with_checksum(class_records, {**vars(record), "updated": moment}) for record in records]
        with self._database.writing() as connection:
            connection.execute(self._database.upsert(class_records), rows)

    def lock(self, class_id: str) -> RunLock:
        """Lock a class for this process; StoreError if another process holds the lock."""
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
