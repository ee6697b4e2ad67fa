"""The tables of the results database, and how a `GameRecord` stands in one."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Column, Double, ForeignKey, Integer, MetaData, Table, Text

from noughts.rules.errors import StoreError
from noughts.store.records import GameRecord

SCHEMA = 2
"""Version of these tables; `meta` says which one a database has. A table that is added, and that older versions of
noughts need not know, leaves it as it is, and is made in databases that lack it. Schema 1 kept results under names
that each study made up, and not under their questions: it is refused."""

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
    Column("document", Text, nullable=False),  # JSON
)


def game_row(run_id: str, key: str, basis: str, record: GameRecord) -> dict[str, Any]:
    """The record as a row of `games`."""
    row = record.model_dump() | {"key": key, "basis": basis}
    return row | {"run_id": run_id, "seed": str(record.seed), "moves": json.dumps(record.moves, separators=(",", ":"))}


def game_record(row: Mapping[str, Any]) -> GameRecord | None:
    """The record that `game_row` wrote; None if the row is damaged."""
    fields = {name: row[name] for name in GameRecord.model_fields}
    try:
        return GameRecord(**fields | {"moves": json.loads(fields["moves"])})
    except (ValueError, StoreError):
        return None


def is_failure(columns: Any) -> Any:
    """Whether a row of `games` or `answers` says that something failed; of columns, the condition for it."""
    return columns["ending"] == "error" if "ending" in columns else columns["error"] != ""
