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

from noughts.store.file_format import FileFormat
from noughts.store.records import GameRecord, StoredGame

SCHEMA = 4
"""Version of these tables; `meta` says which one a database has. A table that is added, and that older versions of
noughts need not know, leaves it as it is, and is made in databases that lack it. Schema 3 did not say whose saved games
are: all become the owner's. Schema 2 had no checksums, too; it gets them. Schema 1 kept results under names that each
study made up, and not under their questions: it is refused."""

OLDEST = 2
"""The oldest schema that is brought to this one when a database is opened."""

DATABASE = FileFormat("the results database", SCHEMA, OLDEST, where="the row `schema` of the table `meta`")

FIRST_TABLES = frozenset(("meta", "runs", "games"))
"""Those that every database has; without them it is not ours."""

# Byte order on every database: it is the order of pages of games, and the order users see.
_Text = Text().with_variant(Text(collation="C"), "postgresql")

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("name", _Text, primary_key=True),
    Column("value", _Text, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", _Text, primary_key=True),
    Column("kind", _Text, nullable=False),
    Column("name", _Text, nullable=False),
    Column("identity", _Text, nullable=False),  # canonical JSON: equal texts are equal identities
    Column("seed", _Text, nullable=False),  # as text: seeds have 64 bits, and SQLite's integers 63 and a sign
    Column("status", _Text, nullable=False),
    Column("environment", _Text, nullable=False),
    Column("started", _Text, nullable=False),
    Column("finished", _Text),
    Column("seconds", Double, nullable=False),
    Column("checksum", _Text, nullable=False),
    Column("result", _Text),
)

games = Table(
    "games",
    metadata,
    Column("key", _Text, primary_key=True),  # of the question that it answers
    Column("basis", _Text, primary_key=True),  # what the answer depends on besides
    Column("run_id", ForeignKey(runs.c.id), nullable=False, index=True),  # in which it was played
    Column("rules", _Text, nullable=False),
    Column("first", _Text, nullable=False),
    Column("second", _Text, nullable=False),
    Column("seed", _Text, nullable=False),
    Column("opening", Integer, nullable=False),
    Column("moves", _Text, nullable=False),  # a JSON list
    Column("ending", _Text, nullable=False),
    Column("error", _Text, nullable=False),
    Column("culprit", _Text, nullable=False),
    Column("seconds_first", Double, nullable=False),
    Column("seconds_second", Double, nullable=False),
    Column("checksum", _Text, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("key", _Text, primary_key=True),
    Column("basis", _Text, primary_key=True),
    Column("run_id", ForeignKey(runs.c.id), nullable=False, index=True),  # in which it was found
    Column("question", _Text, nullable=False),  # JSON
    Column("answer", _Text, nullable=False),  # JSON
    Column("error", _Text, nullable=False),
    Column("checksum", _Text, nullable=False),
)

saved_games = Table(
    "saved_games",
    metadata,
    Column("id", _Text, primary_key=True),
    Column("name", _Text, nullable=False),
    Column("rules", _Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("created", _Text, nullable=False),
    Column("updated", _Text, nullable=False),
    Column("keeper", _Text, nullable=False),  # whose it is; empty for the owner
    Column("checksum", _Text, nullable=False),
    Column("document", _Text, nullable=False),  # JSON
)

class_records = Table(
    "class_records",
    metadata,
    Column("class_id", _Text, primary_key=True),
    Column("kind", _Text, primary_key=True),  # the class itself, a pupil, a game, ...
    Column("id", _Text, primary_key=True),
    Column("updated", _Text, nullable=False),
    Column("checksum", _Text, nullable=False),
    Column("document", _Text, nullable=False),  # JSON
)

quarantine = Table(
    "quarantine",
    metadata,
    Column("id", _Text, primary_key=True),
    Column("moment", _Text, nullable=False),  # when it was set aside
    Column("source", _Text, nullable=False),  # the table in which it stood
    Column("key", _Text, nullable=False),  # what it was called there
    Column("row", _Text, nullable=False),  # JSON
)

CHECKED = (runs, games, answers, saved_games, class_records)
"""The tables whose rows have a checksum."""

NAMES = {table.name: tuple(column.name for column in table.c) for table in metadata.tables.values()}
"""Of the columns of each table, in their order."""

_PLACES = {table: NAMES[table.name].index("checksum") for table in CHECKED}


def checksum(table: Table, values: Sequence[Any]) -> str:
    """The checksum of a row with these values, in the order of the columns; its own is not looked at. What stands after
    it may be left out."""
    place = _PLACES[table]
    return checksum_of(values[:place], values[place + 1 :])


def checksum_of(before: Sequence[Any], after: Sequence[Any]) -> str:
    """The checksum of a row with these values before it, and at most one after it."""
    return _hash("\x1f".join(map(str, before))) + "".join(_hash(str(value)) for value in after)


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


def stored_game(row: Mapping[str, Any]) -> StoredGame:
    """The same, with the run and the basis."""
    return StoredGame(**{name: row[name] for name in StoredGame.model_fields} | {"moves": json.loads(row["moves"])})


def is_failure(columns: Any) -> Any:
    """Whether a row of `games` or `answers` says that something failed; of columns, the condition for it."""
    return columns["ending"] == "error" if "ending" in columns else columns["error"] != ""
