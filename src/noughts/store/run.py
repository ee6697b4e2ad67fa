"""`Run`: one piece of work in the store, such as a study, while a process works on it; and how runs are read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

import filelock
from sqlalchemy import ColumnElement, Table, null, select

from noughts.machine.environment import Environment
from noughts.rules.errors import StoreError
from noughts.store.database import Database
from noughts.store.records import GameRecord
from noughts.store.tables import game_record, game_row, games, measurements, runs

Kind = Literal["study", "match", "tournament", "score", "proof", "play"]
Status = Literal["running", "finished"]

_PAGE = 1000  # games read at once


@dataclass(frozen=True)
class RunInfo:
    """What is known of a run.

    Attributes:
        identity: What makes two runs the same work: what `Store.begin` was given, and under "code" which code.
        environment: Where it was first begun.
        started, finished: Moments, ISO 8601 in UTC; `finished` is None while it runs.
        seconds: Time spent on it, all sittings together, as far as `Run.add_seconds` was told.
        result: JSON text; None while it runs.
    """

    id: str
    kind: Kind
    name: str
    identity: Mapping[str, Any]
    seed: int
    status: Status
    environment: Environment
    started: str
    finished: str | None
    seconds: float
    result: str | None


class Run:
    """A run that this process works on, and no other: a lock says so until it is closed, or the process ends.

    A context manager that closes it; what was added stays, and `Store.begin` goes on from there.

    Attributes:
        id: Its name in the store.
        resumed: Whether there was something to go on with.
        info: What is known of it, kept up to date.
    """

    def __init__(self, database: Database, lock: filelock.BaseFileLock, info: RunInfo, resumed: bool) -> None:
        self.id = info.id
        self.resumed = resumed
        self.info = info
        self._database = database
        self._lock = lock

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let another process go on with it; nothing can be added any more."""
        if self._lock.is_locked:
            if self.info.status == "finished":
                Path(self._lock.lock_file).unlink(missing_ok=True)  # nobody will ask for this lock again
            self._lock.release()

    def done_keys(self) -> set[str]:
        """The keys of all games and measurements that are there."""
        return read_keys(self._database, self.id)

    def add(self, games: Sequence[GameRecord] = (), measurements: Mapping[str, str] | None = None) -> None:
        """Keep games and measurements (JSON texts by key): all of them, on the disk, when this returns.

        A key that is there already keeps what it has.

        Raises:
            StoreError: they cannot be written, and then none of them was; or the run is closed or finished.
        """
        game_rows = [game_row(self.id, game) for game in games]
        measurement_rows = [
            {"run_id": self.id, "key": key, "value": value} for key, value in (measurements or {}).items()
        ]
        self._add(game_rows, measurement_rows)

    def games(self) -> Iterator[GameRecord]:
        """Its games, in the order of their keys; read as they are asked for."""
        return read_games(self._database, self.id)

    def measurements(self) -> dict[str, str]:
        """Its measurements, JSON texts, in the order of their keys."""
        return read_measurements(self._database, self.id)

    def add_seconds(self, seconds: float) -> None:
        """Count more time as spent on it."""
        self._update(seconds=self.info.seconds + seconds)

    def finish(self, result: str) -> None:
        """Keep its result, JSON text. It is then never resumed, and nothing can be added."""
        self._update(status="finished", finished=now().isoformat(timespec="microseconds"), result=result)

    def _add(self, game_rows: list[dict[str, Any]], measurement_rows: list[dict[str, Any]]) -> None:
        self._require_open()
        with self._database.writing() as connection:
            for table, rows in ((games, game_rows), (measurements, measurement_rows)):
                if rows:
                    connection.execute(self._database.insert(table).on_conflict_do_nothing(), rows)

    def _update(self, **values: Any) -> None:
        self._require_open()
        with self._database.writing() as connection:
            connection.execute(runs.update().where(runs.c.id == self.id).values(**values))
        self.info = replace(self.info, **values)

    def _require_open(self) -> None:
        if self.info.status == "finished" or not self._lock.is_locked:
            state = "finished" if self.info.status == "finished" else "closed"
            raise StoreError(f"run {self.id} is {state}: nothing can be added to it")


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


def read_runs(database: Database, *wanted: ColumnElement[bool], results: bool = True) -> tuple[RunInfo, ...]:
    """The runs for which all that is wanted holds, in the order in which they were started; without results, which may
    be large, if that is said."""
    columns = [null().label("result") if column is runs.c.result and not results else column for column in runs.c]
    with database.reading() as connection:
        found = select(*columns).where(*wanted).order_by(runs.c.started, runs.c.id)
        rows = connection.execute(found).mappings().all()
    return tuple(_run_info(dict(row)) for row in rows)


def read_games(database: Database, run_id: str) -> Iterator[GameRecord]:
    """The games of a run in the order of their keys. Each page is read by itself, so that no writer is held up."""
    last: str | None = None
    while True:
        page = select(games).where(games.c.run_id == run_id).order_by(games.c.key).limit(_PAGE)
        if last is not None:
            page = page.where(games.c.key > last)
        with database.reading() as connection:
            rows = connection.execute(page).mappings().all()
        for row in rows:
            yield game_record(dict(row))
        if len(rows) < _PAGE:
            return
        last = rows[-1]["key"]


def read_measurements(database: Database, run_id: str) -> dict[str, str]:
    """The measurements of a run by key, in the order of their keys."""
    found = select(measurements.c.key, measurements.c.value).where(measurements.c.run_id == run_id)
    with database.reading() as connection:
        return {row.key: row.value for row in connection.execute(found.order_by(measurements.c.key))}


def read_keys(database: Database, run_id: str) -> set[str]:
    """The keys of a run's games and measurements."""

    def keys(table: Table) -> Sequence[str]:
        return connection.execute(select(table.c.key).where(table.c.run_id == run_id)).scalars().all()

    with database.reading() as connection:
        return {*keys(games), *keys(measurements)}


def _run_info(row: dict[str, Any]) -> RunInfo:
    try:
        parsed = {
            "identity": json.loads(row["identity"]),
            "seed": int(row["seed"]),
            "environment": Environment.from_json(row["environment"]),
        }
    except ValueError as error:
        raise StoreError(f"run {row['id']} is damaged: {' '.join(str(error).split())}") from error
    return RunInfo(**(row | parsed))
