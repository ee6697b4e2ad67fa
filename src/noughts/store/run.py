"""`Run`: one piece of work in the store, such as a study, while a process works on it."""

import contextlib
import functools
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, Literal, Self

from sqlalchemy import Table, not_, or_, select

from noughts.machine.environment import Environment
from noughts.rules.errors import StoreError
from noughts.store import tables
from noughts.store.database import Database, whole_rows
from noughts.store.records import GameRecord, Kept
from noughts.store.run_lock import RunLock
from noughts.store.tables import game_record, game_row, is_failure, runs, with_checksum

Kind = Literal["study", "sweep", "match", "tournament", "score", "proof", "solution", "bench", "play"]
Status = Literal["running", "finished"]

_COUNT_SECONDS = 5.0
AT_ONCE = 400  # keys in one query, with their bases; some databases allow 999 values in a query


@dataclass(frozen=True)
class RunInfo:
    """The facts of a run.

    Attributes:
        identity: JSON values that are equal for runs of the same work.
        environment: The machine and the versions with which it began.
        started, finished: Times, ISO 8601 in UTC; `finished` is None while it runs.
        seconds: Time spent on it, all sessions together; that of a killed session ends when it was last counted.
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
    """The saved answers that count for a run: all successes, and the run's own failures.

    Attributes:
        own_only: Whether to ignore answers of other runs, so that this run computes everything again.
        taken_over: The keys of requested answers that came from other runs.
    """

    def __init__(self, database: Database, run_id: str) -> None:
        self.id = run_id
        self.own_only = False
        self.taken_over: set[str] = set()
        self._database = database

    @property
    def order(self) -> str | None:
        """A seed for the order of this run's jobs if several machines may share the database; else None."""
        return self.id if self._database.path is None else None

    def answers(self, wanted: Mapping[str, str]) -> dict[str, Kept]:
        """The saved answers with these keys and bases, by key."""
        return {
            row["key"]: Kept(*(row[name] for name in Kept._fields))
            for row in self._find(tables.answers, wanted)
            if self._counts(row)
        }

    def games(self, wanted: Mapping[str, str]) -> dict[str, GameRecord]:
        """The saved games with these keys and bases, by key."""
        return {
            row["key"]: game_record(row, GameRecord) for row in self._find(tables.games, wanted) if self._counts(row)
        }

    def keep(self, answers: Sequence[Kept], games: Mapping[tuple[str, str], GameRecord]) -> None:
        """Raise StoreError, because only `Run` saves answers."""
        raise StoreError(f"run {self.id} is only read here: nothing can be added to it")

    def _counts(self, row: Mapping[str, Any]) -> bool:
        if row["run_id"] == self.id:
            return True
        if self.own_only or is_failure(row):
            return False
        self.taken_over.add(row["key"])
        return True

    def _find(self, table: Table, wanted: Mapping[str, str]) -> list[dict[str, Any]]:
        """The rows with these keys and bases. A damaged row counts as missing, so that it is computed again."""
        keys, found = list(wanted), []
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            bases = {wanted[key] for key in some}  # in the query, because there may be many answers of other code
            chosen = select(table).where(table.c.key.in_(some), table.c.basis.in_(bases))
            found += [row for row in self._database.rows(table, chosen) if row["basis"] == wanted.get(row["key"])]
        return found


class Run(KeptByRun):
    """A run that only this process works on: it holds a lock until it is closed or the process ends.

    A context manager that closes it. Saved answers stay, and equal questions reuse them.

    Attributes:
        id: The run's id in the store.
        resumed: Whether an unfinished run was resumed.
        info: The facts of the run, up to date.
        changed: The third-party code whose version differs from that in the latest run of this work, which was left as it is.
    """

    def __init__(
        self, database: Database, lock: RunLock, info: RunInfo, resumed: bool, clock: Callable[[], float]
    ) -> None:
        super().__init__(database, info.id)
        self._clock, self._counted = clock, clock()
        self.resumed = resumed
        self.info = info
        self.changed: tuple[str, ...] = ()
        self._lock, self._renewing = lock, threading.Lock()
        # Made once, because making one takes longer than executing it.
        self._upserts = {table.name: _upsert(database, table) for table in (tables.answers, tables.games)}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Unlock the run, so that another process can resume it. Nothing can be added any more."""
        if self.info.status != "finished" and self._lock.held:
            with contextlib.suppress(StoreError):  # a store that cannot be written was reported before
                self.count_time()
        self._lock.release(done=self.info.status == "finished")

    def keep(self, answers: Sequence[Kept], games: Mapping[tuple[str, str], GameRecord]) -> None:
        """Save answers, and games by key and basis. All are on the disk when this returns.

        They replace answers of equal key and basis. But a failure never replaces a success, because another process may have
        succeeded in the meantime.

        Raises:
            StoreError: they cannot be written (then none was), or the run is closed or finished.
        """
        answer_rows = [with_checksum(tables.answers, {"run_id": self.id} | answer._asdict()) for answer in answers]
        game_rows = [game_row(self.id, key, basis, game) for (key, basis), game in games.items()]
        self._require_open()
        with self._database.writing() as connection:
            for table, rows in ((tables.answers, answer_rows), (tables.games, game_rows)):
                # A server needs one row for each key, in the same order from all processes, or two might deadlock.
                by_key = {(row["key"], row["basis"]): row for row in rows}
                if by_key:
                    connection.execute(self._upserts[table.name], [by_key[key] for key in sorted(by_key)])
        if self._clock() - self._counted >= _COUNT_SECONDS:
            self.count_time()

    def count_time(self) -> None:
        """Add the time since the run began, or since the last call, to its seconds.

        `keep` does this every few seconds; `close` and `finish` do it, too.
        """
        self._update()

    def finish(self, result: str) -> None:
        """Save the result, JSON text. The run is then never resumed, and nothing can be added."""
        self._update(status="finished", finished=now().isoformat(timespec="microseconds"), result=result)

    def _update(self, **values: Any) -> None:
        self._require_open()
        moment = self._clock()
        values["seconds"] = self.info.seconds + moment - self._counted
        with self._database.writing() as connection:
            found = whole_rows(runs, connection.execute(select(runs).where(runs.c.id == self.id)))
            if not found:
                raise StoreError(f"run {self.id} was removed or damaged while it was at work: run the command again")
            changed = with_checksum(runs, found[0] | values)
            connection.execute(runs.update().where(runs.c.id == self.id).values(**changed))
        self.info, self._counted = replace(self.info, **values), moment

    def _require_open(self) -> None:
        if self.info.status == "finished" or not self._lock.held:
            state = "finished" if self.info.status == "finished" else "closed"
            raise StoreError(f"run {self.id} is {state}: nothing can be added to it")
        with self._renewing:
            if self._lock.is_lost:
                lock = self._database.lock(self.id)
                if lock is None:
                    raise StoreError(f"run {self.id} was taken over by another process while the connection was lost")
                self._lock = lock


def _upsert(database: Database, table: Table) -> Any:
    """An insert that replaces a row of equal key and basis, but never a success by a failure."""
    return database.upsert(table, lambda new: or_(not_(is_failure(new)), is_failure(table.c)))


def now() -> datetime:
    """The current time in UTC."""
    return datetime.now(UTC)


@functools.lru_cache(maxsize=64)
def _environment(text: str) -> Environment:
    """Parse an environment; cached, because thousands of runs may share it."""
    return Environment.from_json(text)


_FIELDS = tuple(field.name for field in fields(RunInfo))


def run_info(row: Mapping[str, Any]) -> RunInfo:
    """Parse a row of `runs`; StoreError if it is damaged."""
    try:
        parsed = {
            "identity": json.loads(row["identity"]),
            "seed": int(row["seed"]),
            "environment": _environment(row["environment"]),
        }
        if not isinstance(parsed["identity"], dict):
            raise ValueError("its identity is no JSON object")
    except (ValueError, StoreError) as error:
        raise StoreError(f"run {row['id']} is damaged: {' '.join(str(error).split())}") from error
    given: dict[str, Any] = {name: row.get(name) for name in _FIELDS}
    return RunInfo(**given | parsed)
