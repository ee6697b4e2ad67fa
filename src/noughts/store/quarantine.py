"""Where damaged rows go: out of their tables, so that what they answered is asked again, and into one of their own."""

import json
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Table, select

from noughts.store.tables import NAMES, is_whole, quarantine, runs, with_checksum

DAMAGED_RUN = {
    **dict.fromkeys(("kind", "name", "started"), ""),
    **{"identity": "{}", "seed": "0", "status": "damaged", "environment": "{}"},
    **{"finished": None, "seconds": 0.0, "result": None},
}
"""What stands in place of a run that was set aside, since what it asked for is kept under its id. Nobody is shown it."""


def name_of(table: Table, row: Mapping[str, Any]) -> str:
    """What a row is called: its table, and its key as far as that can be read, on one line."""
    key = str(row["key"] if "key" in row else row["id"])
    return f"{table.name} {key.encode('unicode_escape').decode()}"


def keep_aside(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Keep a damaged row of a table, with the values of all its columns by name, in the quarantine."""
    moment = datetime.now(UTC)
    kept = {
        "id": f"{moment:%Y%m%d-%H%M%S}-{secrets.token_hex(8)}",
        "moment": moment.isoformat(timespec="microseconds"),
        "source": table.name,
        "key": name_of(table, row),
        "row": json.dumps(dict(row), default=repr),
    }
    connection.execute(quarantine.insert().values(**kept))


def set_aside(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Take a damaged row out of its table and keep it, unless somebody else has done so since it was read."""
    this = [column == row[column.name] for column in table.primary_key]
    found = connection.execute(select(table).where(*this).with_for_update()).first()
    if found is None or is_whole(table, found):
        return
    keep_aside(connection, table, dict(zip(NAMES[table.name], found, strict=True)))
    if table is runs:
        connection.execute(runs.update().where(*this).values(**with_checksum(runs, {"id": row["id"], **DAMAGED_RUN})))
    else:
        connection.execute(table.delete().where(*this))
