"""The tables of the results database, and the checksum of each row.

Answers can be computed again, so a row that does not match its checksum is treated as missing. The checksum is 16 hexadecimal
digits of BLAKE2b over the values of the columns before it, joined by the character 31. A column after it can be large, so
lists do not read it; it adds 16 more digits.
"""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, TypeVar

from sqlalchemy import Column, Double, ForeignKey, Integer, MetaData, Table, Text

from noughts.store.file_format import FileFormat
from noughts.store.records import GameRecord

RecordT = TypeVar("RecordT", bound=GameRecord)

SCHEMA = 5
"""The version of these tables, which the table `meta` contains. New tables that older versions can ignore do not change it.
In schema 4, saved games and classes were in the same SQLite file; opening it moves them to `saved.sqlite`."""

OLDEST = 4
"""The oldest schema that can be read."""

DATABASE = FileFormat("the results database", SCHEMA, OLDEST, where="the row `schema` of the table `meta`")

# Sorted by bytes on every database, because users see this order, for example in pages of games.
_Text = Text().with_variant(Text(collation="C"), "postgresql")

metadata = MetaData(info={"version": "schema"})
"""Answers and the runs that requested them: a cache, because all can be computed again."""

saved = MetaData(info={"version": "saved"})
"""What people made: on SQLite, a separate file with a backup."""


def _meta(tables: MetaData) -> Table:
    """The table with the versions of tables, which both databases have."""
    return Table("meta", tables, Column("name", _Text, primary_key=True), Column("value", _Text, nullable=False))


meta = _meta(metadata)
_meta(saved)

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
    Column("key", _Text, primary_key=True),  # the key of its question
    Column("basis", _Text, primary_key=True),  # a hash of its other dependencies
    Column("run_id", ForeignKey(runs.c.id), nullable=False, index=True),  # the run that played it
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
    Column("run_id", ForeignKey(runs.c.id), nullable=False, index=True),  # the run that computed it
    Column("question", _Text, nullable=False),  # JSON
    Column("answer", _Text, nullable=False),  # JSON
    Column("error", _Text, nullable=False),
    Column("checksum", _Text, nullable=False),
)

saved_games = Table(
    "saved_games",
    saved,
    Column("id", _Text, primary_key=True),
    Column("name", _Text, nullable=False),
    Column("rules", _Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("created", _Text, nullable=False),
    Column("updated", _Text, nullable=False),
    Column("keeper", _Text, nullable=False),  # empty for the store's owner
    Column("checksum", _Text, nullable=False),
    Column("document", _Text, nullable=False),  # JSON
)

class_records = Table(
    "class_records",
    saved,
    Column("class_id", _Text, primary_key=True),
    Column("kind", _Text, primary_key=True),  # the class itself, a pupil, a game, ...
    Column("id", _Text, primary_key=True),
    Column("updated", _Text, nullable=False),
    Column("checksum", _Text, nullable=False),
    Column("document", _Text, nullable=False),  # JSON
)


SAVED = FileFormat("the database of saved games and classes", 1, where="the row `saved` of the table `meta`")

_NAMES = {table: [column.name for column in table.c] for table in (runs, games, answers, saved_games, class_records)}


def with_checksum(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """Add the checksum to a row, given the values of all other columns by name."""
    values = {name: row[name] for name in _NAMES[table] if name != "checksum"}
    return values | {"checksum": _checksum(table, values)}


def is_whole(table: Table, row: Mapping[str, Any]) -> bool:
    """Whether a row matches its checksum; it may lack its last, large column."""
    found = row["checksum"]
    return isinstance(found, str) and found.startswith(_checksum(table, row))


def _checksum(table: Table, row: Mapping[str, Any]) -> str:
    names = _NAMES[table]
    place = names.index("checksum")
    before = "\x1f".join(str(row[name]) for name in names[:place])
    return _hash(before) + "".join(_hash(str(row[name])) for name in names[place + 1 :] if name in row)


def _hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def game_row(run_id: str, key: str, basis: str, record: GameRecord) -> dict[str, Any]:
    """Convert a record to a row of `games` with its checksum."""
    moves = f"[{','.join(map(str, record.moves))}]"
    row = {"key": key, "basis": basis, "run_id": run_id, **vars(record), "seed": str(record.seed), "moves": moves}
    return with_checksum(games, row)


def game_record(row: Mapping[str, Any], kind: type[RecordT]) -> RecordT:
    """Convert a row of `games` to a record; a `StoredGame` also has the run and the basis."""
    return kind(**{name: row[name] for name in kind.model_fields} | {"moves": json.loads(row["moves"])})


def is_failure(columns: Any) -> Any:
    """Whether a row of `games` or `answers` is a failure; given columns, the SQL condition for that."""
    return columns["ending"] == "error" if "ending" in columns else columns["error"] != ""
