"""The tables of the results database, the checksum of each row, and how a `GameRecord` stands in one.

A row's checksum is BLAKE2b with 8 bytes, in hexadecimal digits, of the texts of the values before it, joined by the
character 31; a value after it, which may be large, so that lists leave it out, has 16 more digits. Whoever reads a row
looks whether it is whole.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from sqlalchemy import Column, Double, ForeignKey, Integer, MetaData, Table, Text

from noughts.store.records import GameRecord

SCHEMA = 3
"""Version of these tables; `meta` says which one a database has. A table that is added, and that older versions of
noughts need not know, leaves it as it is, and is made in databases that lack it. Schema 2 had no checksums; it gets
them. Schema 1 kept results under names that each study made up, and not under their questions: it is refused."""

FIRST_TABLES = frozenset(("meta", "runs", "games"))
"""Those that every database has; without them it is not ours."""

# Byte order on every database: it is the order of pages of games, and the order users see.
_Key = Text().with_variant(Text(collation="C"), "postgresql")

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("identity", Text, nullable=False),  # canonical JSON: equal texts are equal identities
    Column("seed", Text, nullable=False),  # as text: seeds have 64 bits, and SQLite's integers 63 and a sign
    Column("status", Text, nullable=False),
    Column("environment", Text, nullable=False),
    Column("started", Text, nullable=False),
    Column("finished", Text),
    Column("seconds", Double, nullable=False),
    Column("checksum", Text, nullable=False),
    Column("result", Text),
)

games = Table(
    "games",
    metadata,
    Column("key", _Key, primary_key=True),  # of the question that it answers
    Column("basis", Text, primary_key=True),  # what the answer depends on besides
    Column("run_id", ForeignKey(runs.c.id), nullable=False, index=True),  # in which it was played
    Column("rules", Text, nullable=False),
    Column("first", Text, nullable=False),
    Column("second", Text, nullable=False),
    Column("seed", Text, nullable=False),
    Column("opening", Integer, nullable=False),
    Column("moves", Text, nullable=False),  # a JSON list
    Column("ending", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("culprit", Text, nullable=False),
    Column("seconds_first", Double, nullable=False),
    Column("seconds_second", Double, nullable=False),
    Column("checksum", Text, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("key", _Key, primary_key=True),
    Column("basis", Text, primary_key=True),
    Column("run_id", ForeignKey(runs.c.id), nullable=False, index=True),  # in which it was found
    Column("question", Text, nullable=False),  # JSON
    Column("answer", Text, nullable=False),  # JSON
    Column("error", Text, nullable=False),
    Column("checksum", Text, nullable=False),
)

saved_games = Table(
    "saved_games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("created", Text, nullable=False),
    Column("updated", Text, nullable=False),
    Column("checksum", Text, nullable=False),
    Column("document", Text, nullable=False),  # JSON
)

quarantine = Table(
    "quarantine",
    metadata,
    Column("id", Text, primary_key=True),
    Column("moment", Text, nullable=False),  # when it was set aside
    Column("source", Text, nullable=False),  # the table in which it stood
    Column("key", Text, nullable=False),  # what it was called there
    Column("row", Text, nullable=False),  # JSON
)

CHECKED = (runs, games, answers, saved_games)
"""The tables whose rows have a checksum."""

NAMES = {table.name: tuple(column.name for column in table.c) for table in metadata.tables.values()}
"""Of the columns of each table, in their order."""

_PLACES = {table: NAMES[table.name].index("checksum") for table in CHECKED}


def checksum(table: Table, values: Sequence[Any]) -> str:
    """The checksum of a row with these values, in the order of the columns; its own is not looked at. What stands after
    it may be left out."""
    place = _PLACES[table]
    found = _hash("\x1f".join(map(str, values[:place])))
    return found + _hash(str(values[-1])) if len(values) > place + 1 else found


def with_checksum(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row to be written, of the values of all columns but its checksum, by name."""
    values = {name: row[name] if name != "checksum" else "" for name in NAMES[table.name]}
    return values | {"checksum": checksum(table, list(values.values()))}


def is_whole(table: Table, values: Sequence[Any]) -> bool:
    """Whether a row has the values that were written; if what stands after its checksum was not read, the others."""
    found = values[_PLACES[table]]
    return isinstance(found, str) and found.startswith(checksum(table, values))


def _hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def game_row(run_id: str, key: str, basis: str, record: GameRecord) -> dict[str, Any]:
    """The record as a row of `games`, with its checksum."""
    moves = f"[{','.join(map(str, record.moves))}]"
    row = {"key": key, "basis": basis, "run_id": run_id, **vars(record), "seed": str(record.seed), "moves": moves}
    row["checksum"] = checksum(games, list(row.values()))
    return row


def game_record(row: Mapping[str, Any]) -> GameRecord:
    """The record that `game_row` wrote."""
    return GameRecord(**{name: row[name] for name in GameRecord.model_fields} | {"moves": json.loads(row["moves"])})


def is_failure(columns: Any) -> Any:
    """Whether a row of `games` or `answers` says that something failed; of columns, the condition for it."""
    return columns["ending"] == "error" if "ending" in columns else columns["error"] != ""
