"""Answers and games to store."""

import time
from collections.abc import Callable, Iterable
from typing import Any

import sqlalchemy

from noughts.store import GameRecord
from noughts.store.place import is_url
from noughts.store.records import Kept
from noughts.store.results import Run, Store

IDENTITY = {"scale": "quick", "agents": ["random", "minimax:depth=2"], "games": 500}
BASIS = "0123456789abcdef"


def game(**fields: object) -> GameRecord:
    given: dict[str, object] = {
        "rules": "tic-tac-toe",
        "first": "random",
        "second": "minimax:depth=2",
        "seed": 2**64 - 1,
        "moves": (4, 0, 8),
        "ending": "draw",
        "seconds_first": 0.1,
        "seconds_second": 1 / 3,
    }
    return GameRecord(**given | fields)


def broken_game(**fields: object) -> GameRecord:
    return game(**{"ending": "error", "error": "ValueError: x", "culprit": "second"} | fields)


def kept(key: str, answer: str = "{}", basis: str = BASIS, question: str = '{"size":3}', error: str = "") -> Kept:
    return Kept(key, basis, question, answer, error)


def wanted(keys: Iterable[str]) -> dict[str, str]:
    """The wanted keys with the usual basis."""
    return dict.fromkeys(keys, BASIS)


def keep_games(run: Run, **games: GameRecord) -> None:
    """Save games under these keys."""
    run.keep([], {(key, BASIS): record for key, record in games.items()})


class Clock:
    """A clock that stands still until it is moved."""

    moment = 50.0

    def __call__(self) -> float:
        return self.moment


def begin(store: Store, seed: int = 1, clock: Callable[[], float] = time.monotonic) -> Run:
    return store.begin("study", "first-move", IDENTITY, seed, clock=clock)


def execute(place: str, *statements: str) -> list[tuple[Any, ...]]:
    """Execute a statement on a store's database directly; return the rows of the last one, if any."""
    with _engine(place).begin() as connection:
        for statement in statements:
            done = connection.exec_driver_sql(statement)
        return [tuple(row) for row in done] if done.returns_rows else []


def tables_of(place: str) -> set[str]:
    """The names of the tables."""
    with _engine(place).connect() as connection:
        return set(sqlalchemy.inspect(connection).get_table_names())


def _engine(place: str) -> sqlalchemy.Engine:
    if is_url(place):
        url = sqlalchemy.make_url(place).set(drivername="postgresql+psycopg")
    else:
        url = sqlalchemy.URL.create("sqlite", database=f"{place}/results.sqlite")
    return sqlalchemy.create_engine(url, poolclass=sqlalchemy.NullPool)
