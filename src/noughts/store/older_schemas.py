"""Databases of older schemas are brought to this one when they are opened, in one transaction.

Each step adds columns, and writes the checksums of rows that have new values. A row whose checksum was wrong before keeps
a wrong one: it stays damaged, and is named by whoever reads it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Table

from noughts.store.tables import CHECKED, NAMES, SCHEMA, checksum_of, saved_games, with_checksum

_AT_ONCE = 1000  # rows


def bring_up(connection: Connection, version: int) -> None:
    """Bring the tables of an older schema, where those that it lacked are made, to this one; nothing if it is this one."""
    if version < SCHEMA and _lacks(connection, saved_games, "keeper"):
        with_checksums = not _lacks(connection, saved_games, "checksum")
        connection.exec_driver_sql("ALTER TABLE saved_games ADD COLUMN keeper TEXT NOT NULL DEFAULT ''")
        if with_checksums:
            _write_checksums(connection, saved_games, was_whole)
    if version < 3:  # the first schema that had checksums
        for table in CHECKED:
            if _lacks(connection, table, "checksum"):  # others were made just now
                connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN checksum TEXT NOT NULL DEFAULT ''")
                _write_checksums(connection, table, lambda row: True)


def was_whole(row: Mapping[str, Any]) -> bool:
    """Whether a saved game, its values by name, was as it had been written by schema 3, which had no keeper."""
    names = [name for name in NAMES[saved_games.name] if name not in ("keeper", "checksum", "document")]
    return bool(row["checksum"] == checksum_of([row[name] for name in names], [row["document"]]))


def _lacks(connection: Connection, table: Table, column: str) -> bool:
    return column not in {found["name"] for found in sqlalchemy.inspect(connection).get_columns(table.name)}


def _write_checksums(connection: Connection, table: Table, whole: Callable[[Mapping[str, Any]], bool]) -> None:
    """Write the checksum of every row that is whole."""
    this = [column == sqlalchemy.bindparam(f"this_{column.name}") for column in table.primary_key]
    update = table.update().where(*this).values(checksum=sqlalchemy.bindparam("found"))
    for rows in connection.execute(sqlalchemy.select(table)).mappings().partitions(_AT_ONCE):
        found = [
            {"found": with_checksum(table, dict(row))["checksum"]}
            | {f"this_{column.name}": row[column.name] for column in table.primary_key}
            for row in rows
            if whole(dict(row))
        ]
        if found:
            connection.execute(update, found)
