"""Games as tables and lines that others read: CSV, Parquet, lines of JSON, and OpenSpiel's lists of actions.

The first three say all that a `GameRecord` says, so that what is read back are the same games; of OpenSpiel's, only the rules,
the moves and the returns. `docs/reference` has a schema of the lines of JSON.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from noughts.bridges.rows import COLUMNS, each, game_of, row_of
from noughts.play.playthrough import replay
from noughts.positions import Outcome, Side
from noughts.positions.openspiel_text import game_text, own_game_text
from noughts.positions.reference import outcome_after
from noughts.rules import Rules, StoreError, parse_rules
from noughts.rules.errors import MissingLibraryError
from noughts.store.file_format import FileFormat
from noughts.store.records import GameRecord

TABLE = FileFormat("games as a table, .csv and .parquet", 1, where="the column `version`")
GAMES = FileFormat("games as lines of JSON, .jsonl", 1, where="`version` of each line")
ACTIONS = FileFormat("games as OpenSpiel's actions, .jsonl", 1, where="`version` of each line")

T = TypeVar("T")


def write_csv(records: Sequence[GameRecord]) -> str:
    """A header, then a row for each game; seconds so exactly that they are read back as they were."""
    text = io.StringIO()
    writer = csv.DictWriter(text, ("version", *COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(_table_row, records))
    return text.getvalue()


def read_csv(text: str) -> list[GameRecord]:
    """Games from rows with commas, semicolons or tabs between columns; StoreError naming the row that is none."""
    header = text[: text.find("\n")]
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count)))
    except csv.Error as error:
        raise StoreError(f"it is no CSV file: {error}") from None
    return list(each(rows, _of_table, "row"))


def write_parquet(records: Sequence[GameRecord]) -> bytes:
    """The same table in Parquet; NoughtsError without pyarrow."""
    pyarrow = _pyarrow()
    from pyarrow import parquet

    types = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}
    columns = [("version", types[int]), *((name, types[column.kind]) for name, column in COLUMNS.items())]
    table = pyarrow.Table.from_pylist(list(map(_table_row, records)), schema=pyarrow.schema(columns))
    sink = io.BytesIO()
    parquet.write_table(table, sink)
    return sink.getvalue()


def read_parquet(content: bytes) -> list[GameRecord]:
    """What `write_parquet` wrote; StoreError if it is none, NoughtsError without pyarrow."""
    pyarrow = _pyarrow()
    from pyarrow import parquet

    try:
        rows = parquet.read_table(io.BytesIO(content)).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise StoreError(f"it is no Parquet file: {' '.join(str(error).split())[:200]}") from None
    return list(each(rows, _of_table, "row"))


def write_json_lines(records: Iterable[GameRecord]) -> str:
    """A line of JSON for each game. Squares go by name; the seed is a text, as it may be too large for others' numbers."""
    return "".join(json.dumps(_to_json(record)) + "\n" for record in records)


def read_json_lines(text: str) -> list[GameRecord]:
    """Games from lines of JSON; StoreError naming the line that is none."""
    return read_lines(text, _of_json)


def read_lines(text: str, read: Callable[[dict[str, Any]], T]) -> list[T]:
    """What is read of the JSON object of each line that is not empty."""

    def of_line(line: str) -> T | None:
        return read(_object(line)) if line.strip() else None

    return [found for found in each(text.split("\n"), of_line, "line") if found is not None]


class ActionList(NamedTuple):
    """A game as OpenSpiel tells it.

    Attributes:
        rules: Text of the rules.
        game: A game of OpenSpiel that has these rules, as `pyspiel.load_game` reads it: its own, or else the one that
            importing `noughts.bridges.openspiel` registers.
        actions: Its actions in order, which are our cells.
        returns: What each side got; empty for a game that was broken off.
    """

    rules: str
    game: str
    actions: tuple[int, ...]
    returns: tuple[float, ...]


def action_list(record: GameRecord) -> ActionList:
    """A game as OpenSpiel tells it; StoreError if its moves are not those of its rules."""
    rules, position = replay(record)
    name = own_game_text(rules) or game_text(rules)
    return ActionList(record.rules, name, record.moves, _returns(position.outcome))


def write_action_lists(records: Iterable[GameRecord]) -> str:
    """A line of JSON for each game, with the fields of `ActionList` and the version."""
    return "".join(
        json.dumps({"version": ACTIONS.version} | action_list(record)._asdict()) + "\n" for record in records
    )


def read_action_lists(text: str) -> list[ActionList]:
    """What `write_action_lists` wrote; StoreError naming the line that is none."""

    def read(said: dict[str, Any]) -> ActionList:
        ACTIONS.read(said.get("version"))
        actions, returns = tuple(map(int, said["actions"])), tuple(map(float, said["returns"]))
        outcome = outcome_after(parse_rules(said["rules"]), actions)
        if returns != _returns(outcome):
            raise StoreError(f"returns are {list(returns)}, and by its actions they are {list(_returns(outcome))}")
        return ActionList(said["rules"], str(said["game"]), actions, returns)

    return read_lines(text, read)


def _table_row(record: GameRecord) -> dict[str, Any]:
    return {"version": TABLE.version} | row_of(record)


def _of_table(row: Mapping[str, Any]) -> GameRecord:
    said = row.get("version")
    TABLE.read_text(None if said is None else str(said))
    return game_of({str(name).strip(): value for name, value in row.items()})


def _to_json(record: GameRecord) -> dict[str, Any]:
    fields = record.model_dump(mode="json")
    moves = {"seed": str(record.seed), "moves": [record.game.name_of(cell) for cell in record.moves]}
    return {"version": GAMES.version} | fields | moves | {"game": record.game.model_dump(mode="json")}


def _of_json(said: dict[str, Any]) -> GameRecord:
    GAMES.read(said.get("version"))
    game = game_of(said)
    if "game" in said and Rules(**said["game"]) != game.game:
        raise StoreError(f"`game` is another one than {game.rules}, which `rules` says")
    return game


def _object(line: str) -> dict[str, Any]:
    said = json.loads(line)
    if not isinstance(said, dict):
        raise ValueError("it is no object of JSON")
    return said


def _returns(outcome: Outcome) -> tuple[float, ...]:
    return () if outcome is Outcome.ONGOING else tuple(float(outcome.value(side)) for side in Side)


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingLibraryError.of("pyarrow", "tables") from None
    return pyarrow
