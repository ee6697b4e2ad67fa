"""Games as rows: one list of columns, from which every format is written, and one way back, checked against the rules.

The reader of a format makes a row of each game that it finds, and `game_of` makes a game of the row. Only `REQUIRED`
columns must be there. Columns that follow from the moves must agree with them. An error is one line.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from noughts.play.playthrough import ENDINGS, replay
from noughts.positions.reference import outcome_after
from noughts.rules import NoughtsError, StoreError, parse_rules
from noughts.rules.errors import shortened
from noughts.store.file_format import NewerFormatError
from noughts.store.records import GameRecord, record_of

T = TypeVar("T")


class Column(NamedTuple):
    """A column of a table of games.

    Attributes:
        kind: The type of its values.
        of: Returns the value for a game.
    """

    kind: type
    of: Callable[[GameRecord], Any]


def _field(name: str, kind: type = str) -> Column:
    return Column(kind, lambda game: getattr(game, name, ""))


COLUMNS = {
    "rules": _field("rules"),
    "first": _field("first"),
    "second": _field("second"),
    "ending": _field("ending"),
    "winner": Column(str, lambda game: getattr(game, game.ending, "")),
    "plies": Column(int, lambda game: len(game.moves)),
    "moves": Column(str, lambda game: " ".join(map(game.game.name_of, game.moves))),
    "opening": _field("opening", int),
    "seed": Column(str, lambda game: str(game.seed)),
    "error": _field("error"),
    "culprit": _field("culprit"),
    "seconds_first": _field("seconds_first", float),
    "seconds_second": _field("seconds_second", float),
    "run_id": _field("run_id"),
    "basis": _field("basis"),
}
"""`winner` is the agent that won, or empty; `moves` are names of squares, separated by spaces; `seed` is a text, because it
may be too large for the integers of other programs; `opening` is the number of moves that were set before the agents
began. `run_id` and `basis` are those of a `StoredGame`; else empty."""

REQUIRED = ("rules", "first", "second", "moves")

_WHOLE = re.compile(r"[+-]?[0-9]{1,40}")
_UNFINISHED = "not played to its end"


def row_of(game: GameRecord) -> dict[str, Any]:
    """Convert a game to a row."""
    return {name: column.of(game) for name, column in COLUMNS.items()}


def game_of(row: Mapping[str, Any]) -> GameRecord:
    """Convert a row to a game; all columns but `REQUIRED` may be missing or empty.

    Args:
        row: By column, as text or as `row_of` returns it; `moves` may be a list of names. Other columns are ignored.

    Raises:
        NoughtsError: it is not a game, or a column contradicts its moves.
    """
    require(row, REQUIRED)
    given = {name: value for name, value in row.items() if name in COLUMNS and value not in (None, "")}
    rules, names = parse_rules(row["rules"]), row["moves"]
    moves = tuple(map(rules.cell_of, names.split() if isinstance(names, str) else names))
    fields = given | {"first": row["first"], "second": row["second"], "moves": moves}
    fields |= {name: _whole(name, given.get(name, 0)) for name in ("seed", "opening")}
    fields |= {name: _seconds(name, given.get(name, 0.0)) for name in ("seconds_first", "seconds_second")}
    fields.setdefault("ending", ENDINGS.get(outcome_after(rules, moves), "error"))
    if fields["ending"] == "error":
        fields.setdefault("error", _UNFINISHED)
    game = record_of(fields)
    replay(game)
    for name in ("winner", "plies"):
        if str(given.get(name, value := COLUMNS[name].of(game))) != str(value):
            raise StoreError(f"{name} is {given[name]!r}, and by its moves it is {value!r}")
    return game


def require(found: Mapping[str, Any], names: Iterable[str]) -> None:
    """Raise StoreError, with all missing names, if any is missing."""
    missing = [name for name in names if found.get(name) is None]
    if missing:
        raise StoreError(f"{', '.join(missing)} {'are' if len(missing) > 1 else 'is'} missing")


def each(parts: Iterable[Any], read: Callable[[Any], T], called: str) -> Iterator[T]:
    """Yield the result of `read` for each part of a file; a StoreError has the number of a bad part, such as ``row 3``."""
    for number, part in enumerate(parts, 1):
        try:
            yield read(part)
        except NewerFormatError as error:
            raise NewerFormatError(f"{called} {number}: {error}") from None
        except NoughtsError as error:
            raise StoreError(f"{called} {number}: {error}") from None
        except KeyError as error:
            raise StoreError(f"{called} {number}: {error.args[0]} is missing") from None
        except (ValueError, TypeError, RecursionError, AttributeError) as error:
            raise StoreError(f"{called} {number} cannot be read: {shortened(str(error), 80)}") from None


def _whole(name: str, value: Any) -> int:
    text = str(value).strip()
    if not _WHOLE.fullmatch(text):
        why = ", perhaps rounded by a spreadsheet: give every digit" if re.fullmatch(r"[0-9.,]+E\+[0-9]+", text) else ""
        raise StoreError(f"{name}={shortened(text, 40)!r} is not a whole number{why}")
    return int(text)


def _seconds(name: str, value: Any) -> float:
    try:
        return float(str(value).replace(",", "."))  # the format of many European spreadsheets
    except ValueError:
        raise StoreError(f"{name}={shortened(str(value), 40)!r} is not a number of seconds") from None
