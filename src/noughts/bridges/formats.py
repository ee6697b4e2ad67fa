"""File formats of games, and how each is read back and checked against the rules.

CSV, PGN and lines of JSON contain a whole `GameRecord`, so reading gives the same games. SGF and .psq can only be read.
Parquet, datasets, OpenSpiel's actions and positions can only be written. `docs/reference` has a schema of the lines of JSON.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from noughts.bridges.dataset import write_dataset
from noughts.bridges.notation import read_pgn, read_psq, read_sgf, write_pgn
from noughts.bridges.positions import write_positions
from noughts.bridges.rows import COLUMNS, each, game_of, row_of
from noughts.play.playthrough import replay
from noughts.positions import Position, Side
from noughts.positions.openspiel_text import game_text, own_game_text
from noughts.rules import Rules, StoreError
from noughts.rules.errors import MissingLibraryError
from noughts.rules.text import unknown
from noughts.store.file_format import FileFormat
from noughts.store.files import text_of
from noughts.store.records import GameRecord

TABLE = FileFormat("games as a table, .csv", 1, where="the column `version`")
GAMES = FileFormat("games as lines of JSON, .jsonl", 1, where="`version` of each line")


def write_csv(records: Sequence[GameRecord]) -> str:
    """A header, then a row for each game; seconds have all digits, so that reading gives the same numbers."""
    text = io.StringIO()
    writer = csv.DictWriter(text, ("version", *COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(_table_row, records))
    return text.getvalue()


def read_csv(text: str) -> list[GameRecord]:
    """Read games from rows with columns separated by commas, semicolons or tabs; StoreError with the number of a wrong row."""
    header = text[: text.find("\n")]
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count)))
    except csv.Error as error:
        raise StoreError(f"it is no CSV file: {error}") from None
    return list(each(rows, _of_table, "row"))


def write_parquet(records: Sequence[GameRecord]) -> bytes:
    """The same table in Parquet; MissingLibraryError without pyarrow."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingLibraryError.of("pyarrow", "tables") from None
    types = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}
    columns = [("version", types[int]), *((name, types[column.kind]) for name, column in COLUMNS.items())]
    table = pyarrow.Table.from_pylist(list(map(_table_row, records)), schema=pyarrow.schema(columns))
    sink = io.BytesIO()
    parquet.write_table(table, sink)
    return sink.getvalue()


def write_json_lines(records: Iterable[GameRecord]) -> str:
    """A line of JSON for each game; squares by name, and the seed as text, because it may be too large for a JSON number."""
    return "".join(json.dumps(_to_json(record)) + "\n" for record in records)


def read_json_lines(text: str) -> list[GameRecord]:
    """Read games from lines of JSON; StoreError with the number of a wrong line."""

    def read(line: str) -> GameRecord | None:
        return _of_json(json.loads(line)) if line.strip() else None

    return [game for game in each(text.split("\n"), read, "line") if game is not None]


def write_action_lists(records: Iterable[GameRecord]) -> str:
    """A line of JSON for each game, with OpenSpiel's names.

    ``rules``: text of the rules. ``game``: OpenSpiel's own game with these rules, or else the one that importing
    `noughts.bridges.openspiel` registers. ``actions``: our cells. ``returns``: one per side; empty for an aborted game.
    """
    return "".join(json.dumps({"version": 1} | _actions(record)) + "\n" for record in records)


def _actions(record: GameRecord) -> dict[str, Any]:
    rules, position = replay(record)
    returns = [float(position.outcome.value(side)) for side in Side] if position.is_over else []
    game = own_game_text(rules) or game_text(rules)
    return {"rules": record.rules, "game": game, "actions": record.moves, "returns": returns}


def _table_row(record: GameRecord) -> dict[str, Any]:
    return {"version": TABLE.version} | row_of(record)


def _of_table(row: Mapping[str, Any]) -> GameRecord:
    TABLE.read_text(row.get("version"))
    return game_of({str(name).strip(): value for name, value in row.items()})


def _to_json(record: GameRecord) -> dict[str, Any]:
    fields = record.model_dump(mode="json")
    moves = {"seed": str(record.seed), "moves": [record.game.name_of(cell) for cell in record.moves]}
    return {"version": GAMES.version} | fields | moves | {"game": record.game.model_dump(mode="json")}


def _of_json(line: Any) -> GameRecord:
    if not isinstance(line, dict):
        raise ValueError("it is no object of JSON")
    GAMES.read(line.get("version"))
    game = game_of(line)
    if "game" in line and Rules(**line["game"]) != game.game:
        raise StoreError(f"`game` is not {game.rules}, which `rules` names")
    return game


class Form(NamedTuple):
    """A file format of games.

    Attributes:
        about: A description in one line.
        suffix: The ending of file names.
        write: Returns the content of a file, from records and, if `has_values`, from exact values; None if it is only read.
        read: Returns the games in the text of a file; None if it is only written.
        has_values: Whether exact values of positions are written, too.
    """

    about: str
    suffix: str
    write: Callable[..., str | bytes] | None
    read: Callable[[str], list[GameRecord]] | None = None
    has_values: bool = False


FORMS = {
    "games": Form(
        "a line of JSON for each game; a schema is in the documentation", ".jsonl", write_json_lines, read_json_lines
    ),
    "csv": Form("a table: a row for each game with its agents, moves, ending and seed", ".csv", write_csv, read_csv),
    "parquet": Form(
        "the same table for pandas, Polars, DuckDB and others; it needs pyarrow", ".parquet", write_parquet
    ),
    "pgn": Form("text in the manner of PGN: tags, then moves by the names of squares", ".pgn", write_pgn, read_pgn),
    "sgf": Form("games of gomoku", ".sgf", None, read_sgf),
    "psq": Form("a game of gomoku", ".psq", None, read_psq),
    "openspiel": Form(
        "a line of JSON for each game: OpenSpiel's game, its actions and returns", ".jsonl", write_action_lists
    ),
    "positions": Form(
        "a line of JSON for each position, with its exact value and best moves",
        ".jsonl",
        write_positions,
        has_values=True,
    ),
    "dataset": Form(
        "NumPy arrays of steps after RLDS, with exact values and best moves", ".npz", write_dataset, has_values=True
    ),
}


def form_of(name: str | None, path: Path) -> str:
    """The format of this name or, without one, the first with the suffix of `path`; StoreError if there is none to write."""
    written = {name: form.suffix for name, form in FORMS.items() if form.write is not None}
    if name is not None:
        if name not in written:
            raise StoreError(unknown("form", name, written))
        return name
    for known, suffix in written.items():
        if suffix == path.suffix:
            return known
    raise StoreError(f"the form of {path} is unknown: add --format, one of {', '.join(written)}")


def content_of(name: str, records: Sequence[GameRecord], values: Mapping[Position, Any]) -> str | bytes:
    """Write games in a format; `values` are as in `positions.write_positions`, and are used if the format has values."""
    form = FORMS[name]
    assert form.write is not None
    return form.write(records, values) if form.has_values else form.write(records)


def read_games(path: Path) -> list[GameRecord]:
    """Read the games of a file, in the format of its suffix.

    Raises:
        StoreError: no readable format has this suffix; or the file contradicts the moves of its games, or cannot be read.
    """
    read = {form.suffix: form for form in FORMS.values() if form.read is not None}
    form = read.get(path.suffix.lower())
    if form is None or form.read is None:
        raise StoreError(f"{path} is of no kind that is read: games are in {', '.join(read)}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        return form.read(_text(content, form.write is None))
    except StoreError as error:
        raise StoreError(f"{path}: {error}") from None


def _text(content: bytes, of_others: bool) -> str:
    """Decode a file; old files of other programs may be in Latin-1 instead of UTF-8."""
    try:
        return text_of(content)
    except StoreError:
        if not of_others:
            raise
        return content.decode("latin-1")
