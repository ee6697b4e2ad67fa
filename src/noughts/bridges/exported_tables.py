"""Whole games as tables that others read: CSV and Parquet, a row for each game, from which the same games are read back."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from noughts.play.playthrough import replay
from noughts.rules import NoughtsError, StoreError, parse_rules
from noughts.rules.errors import MissingLibraryError
from noughts.store.file_format import FileFormat, NewerFormatError
from noughts.store.records import GameRecord, record_of

TABLE = FileFormat("games as a table, .csv and .parquet", 1, where="the column `version`")

COLUMNS = (
    "version",
    "rules",
    "first",
    "second",
    "ending",
    "winner",
    "plies",
    "moves",
    "opening",
    "seed",
    "error",
    "culprit",
    "seconds_first",
    "seconds_second",
    "run_id",
    "basis",
)
"""`winner` is the agent that won, or empty; `moves` are names of squares with a space between two; `seed` is a text, as it
may be larger than others' whole numbers; `opening` says how many of the moves were set before the agents began. `run_id` and `basis` are those of a `StoredGame`; else empty."""

_WHOLE, _SECONDS = ("version", "plies", "opening"), ("seconds_first", "seconds_second")
_TEXTS, _KEPT = ("rules", "first", "second", "ending", "error", "culprit"), ("run_id", "basis")


def write_csv(records: Sequence[GameRecord]) -> str:
    """A header, then a row for each game; seconds so exactly that they are read back as they were."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(game_row, records))
    return text.getvalue()


def read_csv(text: str) -> list[GameRecord]:
    """What `write_csv` wrote; StoreError naming the row that is none."""
    return _read(list(csv.DictReader(io.StringIO(text))))


def write_parquet(records: Sequence[GameRecord]) -> bytes:
    """The same table in Parquet; NoughtsError without pyarrow."""
    pyarrow = _pyarrow()
    from pyarrow import parquet

    rows = list(map(game_row, records))
    types = {name: pyarrow.int64() for name in _WHOLE} | {name: pyarrow.float64() for name in _SECONDS}
    schema = pyarrow.schema([(name, types.get(name, pyarrow.string())) for name in COLUMNS])
    sink = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), sink)
    return sink.getvalue()


def read_parquet(content: bytes) -> list[GameRecord]:
    """What `write_parquet` wrote; StoreError if it is none, NoughtsError without pyarrow."""
    pyarrow = _pyarrow()
    from pyarrow import parquet

    try:
        rows = parquet.read_table(io.BytesIO(content)).to_pylist()
    except pyarrow.ArrowInvalid as error:
        raise StoreError(f"it is no Parquet file: {' '.join(str(error).split())[:200]}") from None
    return _read(rows)


def game_row(record: GameRecord) -> dict[str, Any]:
    """A game as a row with the columns `COLUMNS`."""
    rules = record.game
    return record.model_dump(include={"rules", "first", "second", "ending", "opening", "error", "culprit"}) | {
        "version": TABLE.version,
        "winner": {"first": record.first, "second": record.second}.get(record.ending, ""),
        "plies": len(record.moves),
        "moves": " ".join(map(rules.name_of, record.moves)),
        "seed": str(record.seed),
        "seconds_first": record.seconds_first,
        "seconds_second": record.seconds_second,
        "run_id": getattr(record, "run_id", ""),
        "basis": getattr(record, "basis", ""),
    }


def _read(rows: Sequence[Mapping[str, Any]]) -> list[GameRecord]:
    found = []
    for number, row in enumerate(rows, 1):
        try:
            found.append(_record(row))
        except KeyError as error:
            raise StoreError(f"row {number}: {error.args[0]} is missing") from None
        except NewerFormatError as error:
            raise NewerFormatError(f"row {number}: {error}") from None
        except (NoughtsError, ValueError, TypeError, AttributeError) as error:
            raise StoreError(f"row {number}: {error}") from None
    return found


def _record(row: Mapping[str, Any]) -> GameRecord:
    """The game of a row, replayed."""
    said = row.get("version")
    TABLE.read_text(None if said is None else str(said))
    rules = parse_rules(row["rules"])
    read = {
        "seed": int(row["seed"]),
        "opening": int(row["opening"]),
        "moves": tuple(map(rules.cell_of, row["moves"].split())),
        "seconds_first": float(row["seconds_first"]),
        "seconds_second": float(row["seconds_second"]),
    }
    record = record_of({name: row[name] for name in _TEXTS} | {name: row.get(name) for name in _KEPT} | read)
    replay(record)
    for name, value in game_row(record).items():
        if name in ("winner", "plies") and str(row.get(name, value)) != str(value):
            raise StoreError(f"{name} is {row[name]!r}, and by its moves it is {value!r}")
    return record


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingLibraryError.of("pyarrow", "tables") from None
    return pyarrow
