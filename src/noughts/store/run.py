"""`Run`: one piece of work in the store, such as a study, while a process works on it; and how runs are read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

import filelock
from sqlalchemy import ColumnElement, Table, func, not_, null, or_, select

from noughts.machine.environment import Environment
from noughts.rules.errors import StoreError
from noughts.store import tables
from noughts.store.database import Database
from noughts.store.records import GameRecord, Kept
from noughts.store.tables import game_record, game_row, is_failure, runs

Kind = Literal["study", "match", "tournament", "score", "proof", "solution", "play"]
Status = Literal["running", "finished"]

_AT_ONCE = 400  # keys asked for at once, with their bases; some databases allow 999 values in a question


@dataclass(frozen=True)
class RunInfo:
    """What is known of a run.

    Attributes:
        identity: What makes two runs the same work.
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


class KeptByRun:
    """What is kept, as a run sees it: failures count only if they are its own, and what cannot be read is not there."""

    def __init__(self, database: Database, run_id: str) -> None:
        self.id = run_id
        self._database = database

    def answers(self, wanted: Mapping[str, str]) -> dict[str, Kept]:
        """What is kept under these keys with these bases, by key."""
        found = _find(self._database, tables.answers, wanted)
        return {
            row["key"]: Kept(*(row[name] for name in Kept._fields))
            for row in found
            if not is_failure(row) or row["run_id"] == self.id
        }

    def games(self, wanted: Mapping[str, str]) -> dict[str, GameRecord]:
        """The games that are kept under these keys with these bases, by key."""
        found = _find(self._database, tables.games, wanted)
        games: dict[str, GameRecord] = {}
        for row in found:
            record = game_record(row)
            if record is not None and (not is_failure(row) or row["run_id"] == self.id):
                games[row["key"]] = record
        return games

    def keep(self, answers: Sequence[Kept], games: Mapping[tuple[str, str], GameRecord]) -> None:
        """StoreError: whoever only reads keeps nothing."""
        raise StoreError(f"run {self.id} is only read here: nothing can be added to it")


class Run(KeptByRun):
    """A run that this process works on, and no other: a lock says so until it is closed, or the process ends.

    A context manager that closes it; what was kept stays, and whoever asks the same finds it.

    Attributes:
        id: Its name in the store.
        resumed: Whether there was something to go on with.
        info: What is known of it, kept up to date.
    """

    def __init__(self, database: Database, lock: filelock.BaseFileLock, info: RunInfo, resumed: bool) -> None:
        super().__init__(database, info.id)
        self.resumed = resumed
        self.info = info
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

    def keep(self, answers: Sequence[Kept], games: Mapping[tuple[str, str], GameRecord]) -> None:
        """Keep answers, and games by key and basis: all of them, on the disk, when this returns.

        What was kept before under an equal key and basis is replaced, but never by a failure: another process may have
        succeeded in the meantime.

        Raises:
            StoreError: they cannot be written, and then none of them was; or the run is closed or finished.
        """
        answer_rows = [{"run_id": self.id} | answer._asdict() for answer in answers]
        game_rows = [game_row(self.id, key, basis, game) for (key, basis), game in games.items()]
        self._require_open()
        with self._database.writing() as connection:
            for table, rows in ((tables.answers, answer_rows), (tables.games, game_rows)):
                # A server wants one row for each key, and the same order from all: two might each wait for the other.
                by_key = {(row["key"], row["basis"]): row for row in rows}
                if by_key:
                    insert = self._database.insert(table)
                    new = insert.excluded
                    upsert = insert.on_conflict_do_update(
                        index_elements=["key", "basis"],
                        set_={column.name: new[column.name] for column in table.c if not column.primary_key},
                        where=or_(not_(is_failure(new)), is_failure(table.c)),
                    )
                    connection.execute(upsert, [by_key[key] for key in sorted(by_key)])

    def add_seconds(self, seconds: float) -> None:
        """Count more time as spent on it."""
        self._update(seconds=self.info.seconds + seconds)

    def finish(self, result: str) -> None:
        """Keep its result, JSON text. It is then never resumed, and nothing can be added."""
        self._update(status="finished", finished=now().isoformat(timespec="microseconds"), result=result)

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


def read_games(database: Database, run_id: str | None, keys: Sequence[str]) -> list[GameRecord]:
    """Games that were played in a run, or all if that is None, and those under these keys; see `Store.games`."""
    with database.reading() as connection:
        own = select(tables.games).order_by(tables.games.c.key)
        own = own if run_id is None else own.where(tables.games.c.run_id == run_id)
        rows = [dict(row) for row in connection.execute(own).mappings()]
        for start in range(0, len(keys), _AT_ONCE):
            others = select(tables.games).where(tables.games.c.key.in_(keys[start : start + _AT_ONCE]))
            rows += map(dict, connection.execute(others.order_by(tables.games.c.run_id)).mappings())
    # Of several answers to one question that of the run counts, or else that of the latest run, whose id is the greatest.
    rows.sort(key=lambda row: (row["run_id"] == run_id, row["run_id"]))
    by_key = {row["key"]: row for row in rows}
    order = list(dict.fromkeys([*keys, *sorted(by_key)]))
    return [record for key in order if key in by_key and (record := game_record(by_key[key])) is not None]


def count_games(database: Database) -> dict[str, int]:
    """How many games were played in each run that has some, by its id."""
    with database.reading() as connection:
        found = select(tables.games.c.run_id, func.count()).group_by(tables.games.c.run_id)
        return {run_id: int(count) for run_id, count in connection.execute(found)}


def _find(database: Database, table: Table, wanted: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The rows under these keys with these bases."""
    keys = list(wanted)
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        bases = {wanted[key] for key in some}  # without those of other code, of which there may be many
        chosen = select(table).where(table.c.key.in_(some), table.c.basis.in_(bases))
        with database.reading() as connection:
            rows = connection.execute(chosen).mappings().all()
        yield from (dict(row) for row in rows if row["basis"] == wanted[row["key"]])


def _run_info(row: dict[str, Any]) -> RunInfo:
    try:
        parsed = {
            "identity": json.loads(row["identity"]),
            "seed": int(row["seed"]),
            "environment": Environment.from_json(row["environment"]),
        }
        if not isinstance(parsed["identity"], dict):
            raise ValueError("its identity is no JSON object")
    except (ValueError, StoreError) as error:
        raise StoreError(f"run {row['id']} is damaged: {' '.join(str(error).split())}") from error
    return RunInfo(**(row | parsed))
